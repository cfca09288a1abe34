"""The result model: what a run found out, as frozen data. Reports are pure functions of a `RunResult`.

Values inside are plain: int, bool, str, fractions as strings, positions as tuples of heap sizes in ascending order,
sets as tuples, players by name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from checks.results.board import Board
from checks.results.evidence import Evidence
from checks.results.lemmas import SettledLemma
from checks.results.pictures import Picture
from checks.results.proof import ShownProof
from checks.results.statement import Formal
from checks.results.values import Values
from checks.results.verdicts import Verdict
from claims.language.toml.trail import Seen
from encoders.answer import ClosedForm, Decision, Obligation
from encoders.coverage import Limits
from encoders.kinds import Cause


@dataclass(frozen=True)
class Line:
    """One line of an explanation; deeper lines belong to the last shallower one."""

    text: str
    depth: int = 0


@dataclass(frozen=True)
class Counterexample:
    """The case at which a claim fails. `replayed`: the referee found it false too, from the rules alone."""

    variables: Values
    replayed: bool
    smallest: bool
    explanation: tuple[Line, ...]


@dataclass(frozen=True)
class Route:
    """One encoder's attempt. `scope` as in `ClaimResult.scope`.

    `below`, `engines`, `cause`: as in `encoders.answer.Answer`.  `covered`: what was looked at in full before a limit
    was met.
    """

    encoder: str
    answer: Decision
    scope: Limits
    cases: int
    seconds: float
    detail: str
    below: int | None = None
    covered: Limits = ()
    engines: tuple[str, ...] = ()
    cause: Cause | None = field(default=None, compare=False)


class Fate(StrEnum):
    """What becomes of a mutant. The values stand in receipts."""

    KILLED = "killed"
    """The scope tells it from the claim."""

    SURVIVED = "survived"
    """It holds in the scope as well."""

    WEAKER = "weaker"
    """It survived, but it says less than the claim."""

    UNDECIDED = "undecided"
    """A limit was met."""


@dataclass(frozen=True)
class MutantResult:
    """One mutant of a claim that holds, tried at the claim's scope.

    `description` names the change; `detail` says where the mutant was refuted, or what limit was met.
    """

    kind: str
    description: str
    outcome: Fate
    detail: str


@dataclass(frozen=True)
class ClaimResult:
    """Everything a report says of one claim.

    `scope`: what the verdict covers, per variable; empty for a plain computation.
    `domains`: (variable, domain as written).  `formal`: (label, text) of the formal statement: "if", "then", and the
    definitions used.  `rechecked`: how many cases the referee evaluated again and confirmed.  `trusted`: theorems and
    rules taken on trust, by name.  `error`: the full text of an error verdict.  `file`: the claim file, relative to the
    working folder where it lies below that; `line`: of its conclusion, or of the fault; 0 where none is known.
    `mutants`: None where none were tried.  `repairs`: the id of the claim in place of which this one is stated, or "".
    `evidence`: what the verdict was drawn from.  `digest`: of all that the claim rests on, as it was read to settle it;
    `files`: the name of each file of that, as shown to a person, and its SHA-256.  `certificate`: where in the folder
    of the reports that of its proof lies, "" if it has none.
    `sets`: the variables whose values are sets.
    `closed_form`: of a claim that holds and states a formula for the values of single heaps.
    `uses`: ids that the work's own argument rests on; `proof_uses`: those that our proof rests on, its
    lemmas among them; `lemmas`: what the run found of these, where the proof was asked.  `short`: a locator
    that fits a node of a map.  `mathematics`: the formal statement, typeset.  `proof`: what its [proof] says.
    `pictures`: what is drawn beside it.  `board`: of a claim that can be played.
    `theorem`: Coq has accepted the claim, as it was read.
    `hints`: of a claim that is verified or inconclusive, what might prove it, or what its [proof] needs.
    `warnings`: why it may mean less than it seems to.
    `by_proof`: its [proof] went through.  `seen`: the files and folders that were looked at to settle it, () where one
    of them changed meanwhile, or some part of the work died.  `cached`: an earlier run settled it, and this one took
    that over.
    """

    id: str
    title: str
    work: str
    locator: str
    role: str
    uses: tuple[str, ...]
    verdict: Verdict
    expected: str | None
    as_expected: bool | None
    scope: Limits
    cases: int
    cases_with_hypotheses: int
    not_established: str
    counterexample: Counterexample | None
    witness: Values | None
    routes: tuple[Route, ...]
    seconds: float
    statement: str = ""
    notes: str = ""
    quantifier: str = ""
    domains: tuple[tuple[str, str], ...] = ()
    games: tuple[tuple[str, str], ...] = ()
    formal: tuple[tuple[str, str], ...] = ()
    trusted: tuple[str, ...] = ()
    rechecked: int = 0
    error: str = ""
    file: str = ""
    line: int = 0
    obligations: tuple[Obligation, ...] = ()
    mutants: tuple[MutantResult, ...] | None = None
    repairs: str = ""
    closed_form: ClosedForm | None = None
    evidence: Evidence | None = None
    digest: str = ""
    files: tuple[tuple[str, str], ...] = ()
    certificate: str = ""
    theorem: bool = False
    sets: frozenset[str] = frozenset()
    short: str = ""
    proof_uses: tuple[str, ...] = ()
    lemmas: tuple[SettledLemma, ...] = ()
    mathematics: Formal | None = None
    proof: ShownProof | None = None
    pictures: tuple[Picture, ...] = ()
    board: Board | None = None
    hints: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    by_proof: bool = False
    seen: Seen = field(default=(), compare=False, repr=False)
    cached: bool = field(default=False, compare=False)

    @property
    def as_lemma(self) -> SettledLemma:
        """What the result is worth to claims that rest on the one it is of."""
        below = min((r.below for r in self.routes if r.below is not None), default=None)
        return SettledLemma(self.id, self.digest, self.verdict, self.by_proof, self.scope, below, self.trusted)


@dataclass(frozen=True)
class Work:
    """An entry of the bibliography. `short`: what it is called where there is little room, or ""."""

    key: str
    title: str
    authors: str
    year: str
    source: str
    short: str = ""


@dataclass(frozen=True)
class RunResult:
    """One run: its claims in the order of the library. `interrupted`: stopped by Ctrl-C.

    `started`: date and time, ISO 8601 with the offset from UTC, to the minute.  `versions`: of what the verdicts rest
    on, by name.  `library`: the SHA-256 of the digests of the claims.
    """

    version: str
    profile: str
    claims: tuple[ClaimResult, ...]
    works: tuple[Work, ...] = ()
    seconds: float = 0.0
    interrupted: bool = False
    command: str = ""
    overrides: tuple[tuple[str, str], ...] = field(default=())
    started: str = ""
    versions: tuple[tuple[str, str], ...] = ()
    library: str = ""
