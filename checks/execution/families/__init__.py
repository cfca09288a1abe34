"""Families of rulesets, each put to the search for who wins; and runs of many pieces of work."""
