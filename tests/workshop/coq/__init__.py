"""Refuted mutants of theorems in Coq, which must not compile."""
