"""The common parts of all rules of proof: the interface, normal forms of games, lemmas, turns."""
