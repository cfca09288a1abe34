"""The proof rules about periodic tables of heaps: a finite check of single heaps, and the claim in residue classes."""
