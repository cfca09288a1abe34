"""Sequents as formulas over naturals: what certificates are about."""
