"""Engines that decide claims by computation, and the exhaustive route that chooses among them."""
