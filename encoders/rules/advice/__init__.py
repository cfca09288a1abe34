"""Advice for whoever writes a proof: which rule is for which claims, and what an obligation that fails asks for.

Each rule brings its own, as tables beside its labels.  Nothing is decided by advice, and no verdict rests on it.
"""
