"""The rule of values that repeat: one finite check of single heaps, and the claim by residues."""
