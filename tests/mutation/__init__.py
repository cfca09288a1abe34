"""Mutation tests of the trusted core: change one expression or statement at a time, and expect a test to fail."""
