"""Typed terms: what they are, which types they have, and how names are set in formulas."""
