"""What can be changed about a claim, its rules and its proof, to make a false sibling of it."""
