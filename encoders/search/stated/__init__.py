"""Searches that begin with a claim that there is: for its proof, and for claims near it."""
