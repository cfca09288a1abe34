"""The rule of Grundy values."""

from encoders.rules.grundy.rule import Grundy

GRUNDY = Grundy()
