"""Claims about one position of a single-heap ruleset on large boxes: sets of positions as bits, solved in a kernel."""
