"""The liar's workshop: claims that may be false, proofs that may be wrong, and a judge who shares no code with them.

The workshop does not know the truth in advance. A claim that is *proved* is settled again without its proof, by the
exhaustive route on scopes far beyond its own. If that finds a counterexample, the proof is wrong.
"""
