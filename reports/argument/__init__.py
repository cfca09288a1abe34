"""The map of an argument: which statement rests on which, in the work and in our proofs, drawn and in words."""
