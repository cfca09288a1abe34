"""Other ways to the answers of the rows: each is asked for a problem and tells an answer, its cases and a digest."""
