"""Proofs by cases: each case by a proof of its own."""
