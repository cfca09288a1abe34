"""Expressions of the claim language: text, typed terms, builtins, and their meaning."""
