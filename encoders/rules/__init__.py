"""The proof rules: a module or a package for each. `base` contains their common parts."""
