"""Periodic tables of Grundy values and finite quotients."""
