"""Output for Coq, whose kernel checks the proofs independently."""
