"""Who solves the games of a claim: engines, and the board that chooses among them."""
