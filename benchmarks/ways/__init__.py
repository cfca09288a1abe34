"""Other ways to the answers of the rows: each reads a problem and prints an answer, its cases and a digest."""
