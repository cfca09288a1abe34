"""What is drawn beside a claim, as numbers: each kind of picture is a record of its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OutcomeMap:
    """Who wins with two heaps. Rows and columns are heap sizes from 0; `solved` and `claimed` are row by row.

    `title` names the game and its parameters; `yes` and `no` are the words for True and False.
    """

    title: str
    yes: str
    no: str
    solved: tuple[tuple[bool, ...], ...]
    claimed: tuple[tuple[bool, ...], ...] | None = None


@dataclass(frozen=True)
class GrundySequence:
    """The values of single heaps 0, 1, 2, ...; value(x + period) = value(x) + saltus as far as it goes, 0 for none."""

    title: str
    values: tuple[int, ...]
    period: int = 0
    saltus: int = 0


@dataclass(frozen=True)
class Failures:
    """Where in its scope a claim fails: `failing` of `met` cases, those at which its hypotheses hold.

    `by`: for each grouping its names, such as ("k", "l") or ("number of heaps of s",), and for each group of values
    (failing, met).  `next`: the counterexamples after the smallest, in order, as (variable, value as text).
    `matters`: what of the smallest counterexample matters, a sentence for each variable.
    """

    failing: int
    met: int
    by: tuple[tuple[tuple[str, ...], tuple[tuple[tuple[int, ...], int, int], ...]], ...]
    next: tuple[tuple[tuple[str, str], ...], ...]
    matters: tuple[str, ...] = ()


Picture = OutcomeMap | GrundySequence | Failures
