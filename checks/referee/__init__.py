"""The referee, the trusted core: what rules of play and expressions mean, by plain recursion.

What it trusts: Python's integers, fractions and containers, and the typed terms and rulesets that `claims` reads from
the files.
What trusts it: every counterexample and every witness is replayed here, and a sample of every success is evaluated
here again; an encoder that disagrees is wrong.  It needs the standard library and `claims` alone: no numpy, no solver,
and no shortcut, for a game is settled by looking at its options.

`meaning` evaluates terms, `play` plays by the rules of a ruleset, `judge` says whether a claim holds at a case; each
knows those before it.  Heaps too large to be played are looked up in tables that others have made, each of which
`checks.referee.tables` has verified beside it; without them nothing is looked up.
"""
