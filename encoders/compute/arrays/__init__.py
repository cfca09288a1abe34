"""Terms, moves and games as numpy arrays: many cases at once."""
