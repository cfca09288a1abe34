"""Terms about positions of any number of heaps, read into terms over folds."""
