"""The rule of folds: positions of any number of heaps, described by numbers that are computed heap by heap."""
