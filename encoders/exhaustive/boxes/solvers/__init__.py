"""Who wins on a box, as rows of bits: the tables of what is legal, a kernel that solves them, and plain Python."""
