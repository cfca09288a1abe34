"""The rule of folds, and that of definitions, which reads claims in the same way."""

from encoders.rules.folds.rule import Definition, Folds

FOLDS = Folds()
DEFINITION = Definition()
