"""What a verdict is drawn from: what the routes answered and what the referee found, without the claim itself."""

from __future__ import annotations

from dataclasses import dataclass

from claims.language.statement.judgement import Judgement
from encoders.answer import Decision, ObligationStatus


@dataclass(frozen=True)
class Evidence:
    """What a verdict follows from.

    `quantifier` as in the claim; `complete`: the scope is all of the stated domains.  `answers`: (encoder, answer)
    of each route, the exhaustive one first.  `cases` of the scope, at `met` of which the hypotheses hold.  `confirmed`:
    how many of them the referee judged as the exhaustive route did; `differs`: at one it did not, or one of the two, or
    another route, died of an error of ours.  `replays`: (what a
    route says of a case that it shows, what the referee says).  `obligations`: the result of each; `reached`: a case at
    which the hypotheses hold lies below the bound of the proof, which else may be about nothing.  `within`: what the
    scope shows against the claim lies below it.  `lemmas`: of each that the proof rests on, whether it stands.
    """

    quantifier: str
    complete: bool
    answers: tuple[tuple[str, Decision], ...]
    cases: int
    met: int
    confirmed: int
    replays: tuple[tuple[Judgement, Judgement], ...] = ()
    differs: bool = False
    obligations: tuple[ObligationStatus, ...] = ()
    reached: bool = True
    within: bool = True
    lemmas: tuple[bool, ...] = ()


SEARCHES = ("exhaustive", "bounded")
"""The routes that look at the scope, by name; all others read a proof."""


def is_refuted_by_proof(answers: tuple[tuple[str, Decision], ...]) -> bool:
    """Whether the route that reads the proof shows a case at which the claim fails, in the scope or outside it."""
    return any(answer is Decision.FAILS for encoder, answer in answers if encoder not in SEARCHES)


def said_of_scope(answers: tuple[tuple[str, Decision], ...]) -> Decision:
    """What the routes that look at the scope say of it: the exhaustive one, or another where that met a limit."""
    (_, first), *others = answers
    settled = (x for encoder, x in others if encoder in SEARCHES and x.settles)
    return next(settled, first) if first is Decision.UNKNOWN else first
