"""Pictures and boards as the page has them: tables, drawings in SVG of our own, and data for the script.

`vocabulary` gives templates/pictures.html and templates/board.html their words.
"""
