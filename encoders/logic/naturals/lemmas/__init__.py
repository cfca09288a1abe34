"""Literals that exclude each other: proposed by Z3, shown by an automaton, by a sum, or case by case; or numbers."""
