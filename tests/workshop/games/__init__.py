"""Small random games, each with a claim and a proof, solved by a player of their own."""
