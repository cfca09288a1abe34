"""The cache of results: a run reuses a result of an earlier run if it would settle the same claim in the same way.

docs/decisions/0020-how-the-cache-could-lie.md lists the possible errors and the protection against each.
"""
