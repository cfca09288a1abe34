"""The rule of folds."""

from encoders.rules.folds.rule import Folds

FOLDS = Folds()
