"""Positions of any number of heaps as folds."""
