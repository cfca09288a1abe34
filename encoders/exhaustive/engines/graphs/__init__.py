"""Positions as a graph, of any ruleset; and boxes of them cut into lines."""
