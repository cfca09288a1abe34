"""Proofs of claims: the registry of proof rules, the proof of a claim by its [proof], Coq files, and hints."""
