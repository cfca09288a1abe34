"""What an encoder answers: the one form in which every route hands its findings to the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from claims.language.files.claim import Judgement
from claims.language.files.domains import Scope
from claims.language.syntax.meanings import Setting
from encoders.trust import Limits, ObligationKind, OpenReason, Trusted

if TYPE_CHECKING:  # a claim without a [proof] has none
    from encoders.logic.certificates import Certificate, CertificateText
    from encoders.logic.sequents import Sequent


class Decision(StrEnum):
    """What a route says of a claim. The values stand in report.json and in receipts."""

    HOLDS = "holds"
    """Of [forall]: at every case that the route covers. Of [exists]: there is a witness."""

    FAILS = "fails"
    """Of [forall]: there is a counterexample. Of [exists]: no case that the route covers is a witness."""

    UNKNOWN = "unknown"
    """A limit was met, or an obligation was not proved."""

    UNSUPPORTED = "unsupported"
    """The route cannot translate the claim."""

    CONTRADICTION = "contradiction"
    """The route's solvers disagree."""

    @property
    def settles(self) -> bool:
        """Whether the claim is true or false by it."""
        return self in (Decision.HOLDS, Decision.FAILS)


class ObligationStatus(StrEnum):
    """What became of an obligation. The values stand in receipts."""

    PROVED = "proved"
    FAILED = "failed"
    """The solver shows values at which it is false, or its hypotheses contradict each other."""

    UNKNOWN = "unknown"
    """Time or steps ran out, or the solver gave up."""

    CONTRADICTION = "contradiction"
    """The solvers disagree."""


CaseValue = int | tuple["CaseValue", ...]
"""A number, a truth value, a player by his index; a position or list as a tuple, a set as an ascending tuple."""

Case = dict[str, CaseValue]
"""Variable -> value."""


def list_integers(value: CaseValue) -> list[int]:
    """Those of a position, a list or a set; of a number, itself.

    >>> list_integers((2, 2, 4)), list_integers(7)
    ([2, 2, 4], [7])
    """
    return [x for x in (value if isinstance(value, tuple) else (value,)) if isinstance(x, int)]


@dataclass(frozen=True, order=True)
class Fallback:
    """An engine that was asked about a claim and did not answer, so that another one did. `reason`: why, in words."""

    engine: str
    reason: str

    def __str__(self) -> str:
        return f"{self.engine} did not answer: {self.reason}"


PLAIN = "trivial"  # its negation is false as soon as it is simplified, so that what it asks deserves a look


@dataclass(frozen=True)
class Obligation:
    """One verification condition of a proof.

    `detail`: where it failed, why it is unknown, or who contradicts whom; "" where it is proved.
    `note`: what should be known of a proved one, such as hypotheses that it does without; `is_trivial`: nothing but
    that it
    is PLAIN.  `is_reproducible`: no solver gave up on it that may not the next time.
    `smt2`: the query as SMT-LIB text, kept where it was not proved; "" where there is no such text.  `formula`: a
    SHA-256 of the query, by which two runs can be told to have asked the same.  `certificate`: that it holds, where
    that rests on no solver.  `solvers`: who said so, by name.  `values`: of its variables where it failed.  `lemmas`:
    the ids of those that the proof of a proved one makes use of; where that is not known, of all that it was given.
    `sequent`: what was asked, for whoever shows it; results are without, and have certificates as text.  `of_kind`:
    what was asked, and `cause`: why it is open, where these tell what to do.
    `seconds`: that it took when it was asked, in this claim or an earlier one.
    """

    name: str
    result: ObligationStatus
    detail: str = ""
    seconds: float = field(default=0.0, compare=False)
    smt2: str = ""
    note: str = ""
    formula: str = ""
    is_trivial: bool = False
    is_reproducible: bool = True
    solvers: tuple[str, ...] = field(default=(), compare=False)
    values: tuple[tuple[str, int | bool], ...] = field(default=(), compare=False)
    lemmas: tuple[str, ...] = field(default=(), compare=False)
    sequent: Sequent | None = field(default=None, compare=False, repr=False)
    certificate: Certificate | CertificateText | None = field(default=None, compare=False, repr=False)
    of_kind: ObligationKind | None = field(default=None, compare=False, repr=False)
    cause: OpenReason | None = field(default=None, compare=False)

    @property
    def proved(self) -> bool:
        """Whether it is discharged."""
        return self.result is ObligationStatus.PROVED


@dataclass(frozen=True)
class SolvedTables:
    """What was computed of the heaps 0, 1, ... of games, for the referee to verify.

    `values`: Grundy values; `winners`: by mover, who wins.
    """

    values: Mapping[Setting, Sequence[int]] = field(default_factory=dict)
    winners: Mapping[Setting, Sequence[Sequence[int]]] = field(default_factory=dict)


@dataclass(frozen=True)
class EnginesAsked:
    """`names`: of the engines that solved the claim's games. `fallbacks`: those that did not answer.

    Both are in alphabetical order.
    """

    names: tuple[str, ...] = ()
    fallbacks: tuple[Fallback, ...] = ()


@dataclass(frozen=True)
class ProofReach:
    """What a proof covers: `limits` per variable; all numbers of a case must lie below `below` (None: no bound)."""

    limits: Limits = ()
    below: int | None = None


@dataclass(frozen=True)
class RouteResult:
    """One route's answer. Distrusted: the referee replays `counterexample` (or `witness`) and evaluates `sample`.

    `detail`: which limit was met and how far the route got, what it cannot translate, or which obligation is open;
    `cause`: why it cannot translate it, where that tells what to do.
    `smallest`: no case that the route covers and that comes before `counterexample` in their order is one.
    `too_large`: the limit is the size of the scope, so that a smaller one would fit.
    `ill_defined`: the smallest case at which the claim was given no truth value, because it is ill-defined there or too
    much to compute: the referee tells which; then the answer is UNKNOWN.
    `sample`: cases with the judgement expected of the referee (HOLDS, FAILS or HYPOTHESES_FAIL).  `audited`: machine
    code gave the answer, and the referee has to evaluate each case of the sample that its limits allow.
    `trusted`: theorems, solvers and rules; by Trust.SPRAGUE_GRUNDY the referee is relaxed.
    `cases`: how many were looked at; `cases_with_hypotheses`: at how many of them the hypotheses hold.
    `obligations`: those of a proof; `reach`: what it covers.  `seconds`: that the route took.
    `searched_scope`: where a limit was met, the box inside the scope that was looked at in full, without a case that
    decides;
    `engines`: those that were asked about the claim's games; `solved`: the tables that they made.
    For an [exists] claim HOLDS comes with the smallest witness.
    """

    encoder: str
    decision: Decision
    cases: int = 0
    cases_with_hypotheses: int = 0
    counterexample: Case | None = None
    smallest: bool = True
    ill_defined: Case | None = None
    witness: Case | None = None
    sample: tuple[tuple[Case, Judgement], ...] = ()
    audited: bool = False
    trusted: frozenset[Trusted] = frozenset()
    detail: str = ""
    cause: OpenReason | None = None
    too_large: bool = False
    seconds: float = field(default=0.0, compare=False)
    obligations: tuple[Obligation, ...] = ()
    reach: ProofReach = ProofReach()
    searched_scope: Scope | None = None
    engines: EnginesAsked = EnginesAsked()
    solved: SolvedTables = field(default=SolvedTables(), compare=False, repr=False)


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
