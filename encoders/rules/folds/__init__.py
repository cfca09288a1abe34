"""The proof rule "folds": it describes positions of any number of heaps by numbers that are computed heap by heap."""
