"""Small random games, each with a claim and a proof, and an independent solver."""
