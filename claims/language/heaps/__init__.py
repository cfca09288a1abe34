"""Heaps that are more than a number: what their parts are, and what a move makes of them."""
