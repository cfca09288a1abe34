"""Positions of games: solve them, play them on a board, and draw pictures of results."""
