"""Sequents as SMT-LIB, for whatever solver reads it."""
