"""The rule of values."""

from encoders.rules.value.rule import Value

VALUE = Value()
