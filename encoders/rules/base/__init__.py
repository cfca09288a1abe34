"""The common parts of all proof rules: the interface, normal forms of games, lemmas, and turns."""
