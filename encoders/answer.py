"""What an encoder answers: the one form in which every route hands its findings to the run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SPRAGUE_GRUNDY = "Sprague-Grundy theorem, for Grundy values of single heaps that split"
"""The one theorem that a route may take on trust for what it computes; the referee then does too."""


class Unsupported(Exception):
    """What a route cannot translate, in words that reach the report."""


Case = dict[str, Any]  # variable -> value; a position or list as a tuple, a set as an ascending tuple


@dataclass(frozen=True)
class Obligation:
    """One verification condition of a proof.

    `result`: proved, failed (`detail` says where), unknown (says why), or contradiction (solvers disagree).
    `note`: what should be known of a proved one, such as hypotheses that it does without.
    `smt2`: the query itself, kept where it was not proved.  `formula`: the SHA-256 of the query as SMT-LIB text, by
    which two runs can be told to have asked the same.
    """

    name: str
    result: str
    detail: str = ""
    seconds: float = field(default=0.0, compare=False)
    smt2: str = ""
    note: str = ""
    formula: str = ""


@dataclass(frozen=True)
class Answer:
    """One route's answer. Distrusted: the referee replays `counterexample` (or `witness`) and evaluates `sample`.

    `answer`: "holds", "fails", "unknown" (a limit; `detail` says which and how far it got), "unsupported", or
    "contradiction" (its solvers disagree).
    `ill_defined`: the smallest case at which the claim was given no truth value, because it is ill-defined there or too
    much to compute: the referee tells which; then the answer is "unknown".
    `sample`: cases with the judgement expected of the referee ("holds", "fails" or "hypotheses fail").
    `cases`: how many were looked at; `met`: at how many of them the hypotheses hold.
    `obligations`: those of a proof; `proved`: per variable what it covers, "all" or a bound, in the form of
    `ClaimResult.scope`; `below`: what all numbers of a case must lie below for the proof to cover it, None for no
    bound.  For an [exists] claim "holds" comes with the smallest witness; "fails" means that the whole scope has none.
    """

    encoder: str
    answer: str
    cases: int = 0
    met: int = 0
    counterexample: Case | None = None
    ill_defined: Case | None = None
    witness: Case | None = None
    sample: tuple[tuple[Case, str], ...] = ()
    trusted: tuple[str, ...] = ()
    detail: str = ""
    seconds: float = field(default=0.0, compare=False)
    obligations: tuple[Obligation, ...] = ()
    proved: tuple[tuple[str, str], ...] = ()
    below: int | None = None


@dataclass(frozen=True)
class ClosedForm:
    """A claimed formula for the values of single heaps, and what is known about it. All expressions are texts.

    `variable`: the heap.  `simplified`: equal to what is `written` in the claim; `latex` and `mathml` show it.
    `period`, `saltus`: p and c with value(x + p) = value(x) + c from the first heap on; empty if none was found.
    `steps`: the formula evaluated at the digits of the claim's proof.  `checks`: how sympy's results were confirmed.
    """

    variable: str
    written: str
    simplified: str
    latex: str
    mathml: str
    period: str
    saltus: str
    steps: tuple[str, ...]
    checks: tuple[str, ...]
