"""Obligations as sequents, the readers that make them, SMT-LIB, certificates, and the answer of a route."""
