"""Obligations as sequents, their translation for solvers, certificates, and the results of routes."""
