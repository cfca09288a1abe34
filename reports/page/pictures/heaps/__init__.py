"""Heaps with parts as drawings: `draw` chooses the kind and falls back on plain boxes, `words` says what is seen.

A drawing is a list of shapes, each a text of SVG, so that many heaps share them in the data of a board.  What moves
change is marked by `data-e`, the name of an element.
"""
