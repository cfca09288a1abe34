"""Proofs of values in Coq: Grundy values of heaps in digits, and who wins among n players."""
