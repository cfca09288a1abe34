"""Proofs by folds in Coq: the invariant, the named moves, and the way from there to the claim."""
