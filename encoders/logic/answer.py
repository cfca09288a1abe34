"""The form in which every *route* (a method that tries to settle a claim, such as a search) reports its result."""

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
    """What a route decided about a claim. The values are the words in report.json and in receipts."""

    HOLDS = "holds"
    """[forall]: the statement holds in every case that the route covers. [exists]: there is a witness."""

    FAILS = "fails"
    """[forall]: there is a counterexample. [exists]: no case that the route covers is a witness."""

    UNKNOWN = "unknown"
    """The route reached a limit, or did not prove an obligation."""

    UNSUPPORTED = "unsupported"
    """The route cannot translate the claim."""

    CONTRADICTION = "contradiction"
    """The route's solvers disagree."""

    @property
    def settles(self) -> bool:
        """Whether the decision settles the claim as true or false."""
        return self in (Decision.HOLDS, Decision.FAILS)


class ObligationStatus(StrEnum):
    """The result of an attempt to prove an obligation. The values are the words in report.json and in receipts."""

    PROVED = "proved"
    FAILED = "failed"
    """The solver found values at which the obligation is false, or its hypotheses contradict each other."""

    UNKNOWN = "unknown"
    """Time or steps ran out, or the solver gave up."""

    CONTRADICTION = "contradiction"
    """The solvers disagree."""


CaseValue = int | tuple["CaseValue", ...]
"""An integer, a truth value, or the index of a player. Positions and lists are tuples; sets are ascending tuples."""

Case = dict[str, CaseValue]
"""A mapping from variables to their values."""


def list_integers(value: CaseValue) -> list[int]:
    """Return the integers in a value.

    These are the heaps of a position, the elements of a list or set, or the integer itself.

    >>> list_integers((2, 2, 4)), list_integers(7)
    ([2, 2, 4], [7])
    """
    return [x for x in (value if isinstance(value, tuple) else (value,)) if isinstance(x, int)]


@dataclass(frozen=True, order=True)
class Fallback:
    """A record that an engine (a program that solves games or searches cases) did not answer, so another one was used.

    `engine`: the name of the engine. `reason`: why it did not answer, in words.
    """

    engine: str
    reason: str

    def __str__(self) -> str:
        return f"{self.engine} did not answer: {self.reason}"


PLAIN = "trivial"  # the negated obligation simplifies to false, so a reader should check that it says enough


@dataclass(frozen=True)
class Obligation:
    """One of the statements that together imply a claim, with the result of the attempt to prove it.

    `detail`: why the obligation is not proved: the values at which it is false, the solvers that disagree, or another
    reason; "" if it is proved.
    `seconds`: the time for the first attempt to prove it, which may have been made for an earlier claim.
    `smt2`: if it is not proved, the question to the solver as SMT-LIB text; "" if there is no such text.
    `note`: remarks about a proved obligation, such as the hypotheses that its proof does not need.
    `formula`: the SHA-256 of the question to the solver, by which equal questions in two runs are recognized.
    `is_trivial`: whether `note` only remarks that the obligation is trivial: simplification alone proves it.
    `is_reproducible`: whether a second run gives the same result. False if a solver gave up, but might succeed next
    time.
    `solvers`: the names of the solvers that gave the result.
    `values`: the values of the variables at which a failed obligation is false.
    `lemmas`: the ids of the lemmas that the proof uses. If this is not known, the ids of all available lemmas.
    `sequent`: the obligation itself, for display. It is not stored in results.
    `certificate`: a proof that can be checked without a solver. Results contain it as text.
    `of_kind`: which step of the proof rule requires the obligation; None if no report needs it.
    `cause`: the reason why the obligation is not proved, if this reason suggests a remedy.
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
        """Whether the obligation is proved."""
        return self.result is ObligationStatus.PROVED


@dataclass(frozen=True)
class SolvedTables:
    """Tables that engines computed for the single heaps 0, 1, ... of games. The referee verifies them.

    `values`: for each game with its parameters, the list of the Grundy values of these heaps.
    `winners`: for each game with its parameters, a list for each player to move, of the winners from these heaps.
    """

    values: Mapping[Setting, Sequence[int]] = field(default_factory=dict)
    winners: Mapping[Setting, Sequence[Sequence[int]]] = field(default_factory=dict)


@dataclass(frozen=True)
class EnginesAsked:
    """The engines that were used for a claim. All tuples are sorted alphabetically.

    `names`: the engines that solved the games of the claim.
    `fallbacks`: the engines that were tried but did not answer, with the reasons.
    `searched`: the engines that evaluated the claim in all cases.
    `passed_over`: the engines that were not tried, with the reasons.
    """

    names: tuple[str, ...] = ()
    fallbacks: tuple[Fallback, ...] = ()
    searched: tuple[str, ...] = ()
    passed_over: tuple[Fallback, ...] = ()


@dataclass(frozen=True)
class ProofReach:
    """The cases for which a proof is valid.

    `limits`: the values of each variable for which it is valid.
    `below`: if the proof is valid only for cases whose numbers are all smaller than a bound, this bound; else None.
    """

    limits: Limits = ()
    below: int | None = None


@dataclass(frozen=True)
class RouteResult:
    """The result of one route for a claim. It is not trusted: the referee, a separate program, checks it.

    The referee evaluates the claim in the case `counterexample` or `witness`, and in the cases of `sample`.
    For an [exists] claim with the decision HOLDS, `witness` is the smallest case in which the statement holds.

    `encoder`: the name of the route.
    `cases`: the number of cases that were examined.
    `cases_with_hypotheses`: the number of these cases in which the hypotheses hold.
    `smallest`: whether `counterexample` is the first counterexample among the cases that the route covers.
    `ill_defined`: the smallest case without a truth value. The claim is undefined in this case, or too expensive to
    evaluate; the referee determines which. The decision is then UNKNOWN.
    `sample`: cases, each with the judgement that the referee should reach (HOLDS, FAILS or HYPOTHESES_FAIL).
    `audited`: whether machine code gave the result. The referee then evaluates every sample case that its limits allow.
    `trusted`: the theorems, solvers and proof rules on which the result depends. If they include
    Trust.SPRAGUE_GRUNDY, the referee may use this theorem too.
    `detail`: why there is no decision: the limit that was reached and the progress until then, the expression that
    cannot be translated, or the obligation that is not proved.
    `cause`: the reason why the route cannot translate the claim, if this reason suggests a remedy.
    `too_large`: whether the route stopped because the scope is too large. A smaller scope may then succeed.
    `seconds`: the time that the route took.
    `obligations`: the obligations of a proof, with their results.
    `reach`: the cases for which the proof is valid.
    `searched_scope`: if a limit was reached, the part of the scope that was searched completely. No case in this part
    decides the claim, except `witness` for a claim with [exists].
    `engines`: the engines that were used.
    `solved`: the tables that these engines computed.
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
    """A claimed formula for the values of single heaps, with the properties derived from it. All expressions are text.

    `variable`: the name of the variable for the size of the heap.
    `written`: the formula as the claim states it.
    `simplified`: an equal, simpler formula; `latex` and `mathml` contain it in these formats.
    `period`, `saltus`: p and c such that value(x + p) = value(x) + c for every heap x; "" if they were not found.
    `steps`: lines that evaluate the formula at heaps that are written in digits, such as h = q * m + r.
    `checks`: sentences on how the results of sympy, which are not trusted, were confirmed.
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
