"""Certificates: what they say, and whether it is so. No search."""
