"""What the theorem of a claim says in Coq: its numbers, its propositions, its variables and its games."""
