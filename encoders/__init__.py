"""Translations of claims: exhaustive enumeration, constraints for solvers, proof obligations with certificates."""
