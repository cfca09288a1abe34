"""The cases of a scope: which they are, in which order they come, and the search through them."""
