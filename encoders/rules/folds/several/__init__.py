"""Moves that choose several heaps, for positions of any number of heaps."""
