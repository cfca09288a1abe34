"""Natural numbers of any size, read bit by bit: what has no counterexample among them, with a certificate.

The search is trusted with nothing: what it finds is put into a certificate, and `verify` alone says whether that holds.
"""
