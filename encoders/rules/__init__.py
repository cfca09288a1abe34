"""The rules of proof: a module or a package for each. `base` has what they share."""
