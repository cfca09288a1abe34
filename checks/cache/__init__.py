"""The cache of results: what an earlier run settled is taken over by a later one that would settle the same.

docs/decisions/0020-how-the-cache-could-lie.md goes through what could be wrong with that.
"""
