"""The route of proofs: the rules by their names, what they may ask of others, what might reach a claim."""
