"""The proof rules: one module or package for each rule. `base` contains their common parts."""
