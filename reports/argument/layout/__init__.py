"""Layered drawings of directed graphs, after Sugiyama, Tagawa and Toda (1981): layers, order within them, coordinates.

Everything is determined by the order in which nodes and edges come; no claim is known here, only names.
"""
