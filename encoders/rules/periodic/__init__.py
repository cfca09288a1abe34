"""The proof rules "periodic" and "quotient": a finite check of single heaps, and the claim in residue classes."""
