"""Proofs by cases: each case by a proof of its own."""

from encoders.rules.cases.rule import Cases

CASES = Cases()
