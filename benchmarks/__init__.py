"""Benchmarks that reproduce the numbers in docs/decisions. See benchmarks/README.md."""
