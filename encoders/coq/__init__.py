"""Claims, and certificates of their proofs, as text for the proof assistant Coq, which checks them independently."""
