"""The referee, the trusted core: the meaning of rules of play and of expressions, by plain recursion.

It trusts Python's integers, fractions and containers, and the typed terms and rulesets that `claims` reads from files.

Every verdict depends on it: every counterexample and every witness is replayed here, and a sample of every success is
evaluated here again. An encoder that disagrees is wrong. The referee needs only the standard library and `claims`: no
numpy and no solver. It takes no shortcut: it solves a game by looking at its options.

`meaning` evaluates terms, `play` plays by the rules of a ruleset, and `judge` judges a claim at a case. Each module
uses only the modules before it. The referee looks up heaps that are too large to play in tables that engines have made,
after `checks.referee.tables` has verified the table. Without tables nothing is looked up.
"""
