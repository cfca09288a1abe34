"""The rule of few heaps."""

from encoders.rules.few.rule import Few

FEW = Few()
