"""The referee, the trusted core of this program. It defines the meaning of rules and expressions by plain recursion.

The referee trusts Python's integers, fractions and containers, and the typed terms and rulesets that `claims` reads
from files. It needs only the standard library and `claims`; it uses neither numpy nor a solver. The referee replays
every counterexample and every witness of a run, and evaluates a sample of the other cases again. If an encoder
disagrees with the referee, the encoder is wrong. The referee solves a game by examining all options, without shortcuts.

There are three basic modules: `meaning` evaluates terms, `play` implements the moves of a ruleset, and `judge` judges a
claim at a case. Each of them uses only the modules before it. Some positions are too large to examine all options. For
these, the referee uses tables that engines have computed, after `checks.referee.tables` or `checks.referee.given` has
verified them.
"""
