"""The route of proofs: all rules by name, what they may ask of each other, hints where one fails."""
