"""The rule of equal games."""

from encoders.rules.equal.rule import EqualGames

EQUAL = EqualGames()
