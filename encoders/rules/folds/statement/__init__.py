"""The [proof] of the rule of folds, as it is written."""
