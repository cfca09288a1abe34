"""The moves of a ruleset, for many positions at once."""
