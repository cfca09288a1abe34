"""The proof rules "periodic" and "quotient", for games in which the values of heaps are periodic."""
