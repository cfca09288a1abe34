"""Searches on top of that for who wins: the proof of a claim that there is, claims near it, values of n players."""
