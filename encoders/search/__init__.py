"""The search for formulas and proofs: from the rules of a game to a claim file. The results are not trusted."""
