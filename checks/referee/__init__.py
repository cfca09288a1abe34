"""The referee, the trusted core of this program. It defines the meaning of rules and expressions by plain recursion.

The referee trusts Python's integers, fractions and containers, and the typed terms and rulesets that `claims` reads
from files. It needs only the standard library and `claims`, but neither numpy nor a solver.

Every verdict depends on the referee. It replays every counterexample and every witness, and it evaluates a sample of
the cases that passed. If an encoder disagrees with the referee, the encoder is wrong. The referee solves a game by
examining all options, without shortcuts.

The modules are `meaning`, which evaluates terms; `play`, which plays by a ruleset; and `judge`, which judges a claim at
a case. Each module uses only the modules before it. For heaps that are too large to play, the referee uses tables that
engines have computed, after `checks.referee.tables` has verified them.
"""
