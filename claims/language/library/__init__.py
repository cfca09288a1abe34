"""Folders of claims: their files, the works that they are from, and what is drawn of them."""
