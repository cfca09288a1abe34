"""What all rules of proof share: the interface, normal forms of games, lemmas, turns."""
