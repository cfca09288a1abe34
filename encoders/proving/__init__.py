"""The route of proofs: the proof rules, their use of each other, and hints for claims without a proof."""
