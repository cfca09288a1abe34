"""Closed forms: formulas for the values of single heaps, simplified by sympy, which is not trusted."""
