"""Numbers that a proof reads as others: remainders as what is left above a multiple, binary places as numbers."""
