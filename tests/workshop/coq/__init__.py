"""Refuted mutants of theorems of Coq, which must not compile."""
