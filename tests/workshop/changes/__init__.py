"""Changes of a claim, its rules and its proof that may make a false sibling of it."""
