"""Heaps with parts: every case of a scope one after another, in the order of cases, by plain Python."""
