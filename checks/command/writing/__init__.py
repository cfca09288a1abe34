"""Claim files that are written: found from the rules of a game, or begun from a few answers."""
