"""The liar's workshop: claims that may be false, proofs that may be wrong, and a judge who shares no code with them.

Nothing here is told what is true.  A claim that comes out *proved* is asked again, without its proof, of the exhaustive
route on scopes far beyond its own; where that finds a counterexample, the proof has lied.
"""
