"""The result model: what a run found out, as frozen data. Reports are pure functions of a `RunResult`.

Values inside are plain: int, bool, str, fractions as strings, positions as tuples of heap sizes in ascending order,
sets as tuples, players by name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from html import escape
from pathlib import PurePath

from checks.results.evidence import Evidence
from checks.results.faults import Fault
from checks.results.lemmas import SettledLemma
from checks.results.pictures import DrawnPositions, Picture, PlayableClaim
from checks.results.proof import ProofPresentation
from checks.results.statement import FormalStatement
from checks.results.values import ExplanationLine, NamedValues
from checks.results.verdicts import Verdict
from claims.language.ground.errors import escape_invisible
from claims.language.toml.trail import FileStates
from encoders.answer import ClosedForm, Decision, Fallback, Obligation
from encoders.ground.coverage import Limits
from encoders.ground.kinds import OpenReason


@dataclass(frozen=True)
class Counterexample:
    """The case at which a claim fails. `replayed`: the referee found it false too, from the rules alone."""

    variables: NamedValues
    replayed: bool
    smallest: bool
    explanation: tuple[ExplanationLine, ...]


@dataclass(frozen=True)
class RouteRecord:
    """One encoder's attempt. `scope` as in `Finding.scope`.

    `below`, `engines`, `cause`, `fallbacks`: as in `encoders.answer.Answer`.  `covered`: what was looked at in full
    before a limit was met.
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
    cause: OpenReason | None = field(default=None, compare=False)
    fallbacks: tuple[Fallback, ...] = ()


class MutantFate(StrEnum):
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
    outcome: MutantFate
    detail: str


@dataclass(frozen=True)
class Statement:
    """What is claimed, as the file says it. `title`: "" of a file that could not be read, with most of the others.

    `expected`: what the file expects.  `repairs`: the id of the claim in place of which this one is stated, or "".
    `variant_of`: the id of the claim whose file states this one beside it, or "": a variant is no statement of a work.
    `uses`: ids that the work's own argument rests on; `proof_uses`: those that our proof rests on, its lemmas among
    them.  `text`: in words.  `domains`: (variable, domain as written); `sets`: the variables whose values are sets.
    `games`: (name, what it is called and its parameters); `rules`: of each, what its file says of them, perhaps "".
    `formal`: (label, text) of the formal statement: "if", "then", and the definitions used.  `short`: a locator that
    fits a node of a map.  `made`: which of "title", "statement" and "locator" the file does not have, of a variant that
    is told by what it changes: their words are ours.
    """

    title: str = ""
    work: str = ""
    locator: str = ""
    short: str = ""
    role: str = ""
    repairs: str = ""
    variant_of: str = ""
    expected: str | None = None
    uses: tuple[str, ...] = ()
    proof_uses: tuple[str, ...] = ()
    text: str = ""
    notes: str = ""
    quantifier: str = ""
    domains: tuple[tuple[str, str], ...] = ()
    sets: frozenset[str] = frozenset()
    games: tuple[tuple[str, str], ...] = ()
    rules: tuple[str, ...] = ()
    formal: tuple[tuple[str, str], ...] = ()
    made: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Finding:
    """What was found of a claim, beside the verdict.

    `as_expected`: whether the verdict is.  `scope`: what it covers, per variable; empty for a plain computation.
    `error`: the full text of an error verdict; `faults`: all of a file that cannot be read.
    `rechecked`: how many cases the referee evaluated again and confirmed.  `sampled`: where machine code gave the
    answer, how many cases the referee was to evaluate again, 0 elsewhere; it skips those beyond its limits.
    `by_proof`: its [proof] went through.  `lemmas`: what the run found of its lemmas, where the proof was asked.
    `trusted`: theorems and rules taken on trust, by name.  `theorem`: Coq has accepted the claim, as it was read.
    `mutants`: None where none were tried.  `evidence`: what the verdict was drawn from.
    """

    as_expected: bool | None = None
    scope: Limits = ()
    cases: int = 0
    cases_with_hypotheses: int = 0
    rechecked: int = 0
    sampled: int = 0
    not_established: str = ""
    error: str = ""
    faults: tuple[Fault, ...] = ()
    counterexample: Counterexample | None = None
    witness: NamedValues | None = None
    routes: tuple[RouteRecord, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    by_proof: bool = False
    lemmas: tuple[SettledLemma, ...] = ()
    trusted: tuple[str, ...] = ()
    theorem: bool = False
    mutants: tuple[MutantResult, ...] | None = None
    evidence: Evidence | None = None


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from, and where its certificate goes.

    `file`: the claim file, relative to the working folder where it lies below that; `line`: of its conclusion, or of
    the fault; 0 where none is known.  `digest`: of all that the claim rests on, as it was read to settle it; `files`:
    the name of each file of that, as shown to a person, and its SHA-256.  `certificate`, `receipt`, `source`: where
    in the folder of the reports the certificate of its proof lies, its receipt, and the copy of a file outside the
    library; "" if there is none.  `seen`: the files and folders that were looked at to settle it,
    () where one of them changed meanwhile, or some part of the work died.  `cached`: an earlier run settled it, and
    this one took that over.
    """

    file: str = ""
    line: int = 0
    digest: str = ""
    files: tuple[tuple[str, str], ...] = ()
    certificate: str = ""
    receipt: str = ""
    source: str = ""
    seconds: float = 0.0
    seen: FileStates = field(default=(), compare=False, repr=False)
    cached: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Presentation:
    """What readers are shown beside it.

    `mathematics`: the formal statement, typeset.  `proof`: what its [proof] says.  `closed_form`: of a claim that holds
    and states a formula for the values of single heaps.  `pictures`: what is drawn beside it.  `board`: of a claim that
    can be played.  `hints`: of a claim that is verified or inconclusive, what might prove it, or what its [proof]
    needs.  `warnings`: why it may mean less than it seems to.
    """

    mathematics: FormalStatement | None = None
    proof: ProofPresentation | None = None
    closed_form: ClosedForm | None = None
    pictures: tuple[Picture, ...] = ()
    board: PlayableClaim | None = None
    drawn: DrawnPositions | None = None
    hints: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClaimResult:
    """Everything that a report says of one claim."""

    id: str
    verdict: Verdict
    statement: Statement = field(default_factory=Statement)
    finding: Finding = field(default_factory=Finding)
    provenance: Provenance = field(default_factory=Provenance)
    presentation: Presentation = field(default_factory=Presentation)

    def _repr_html_(self) -> str:
        """For a notebook: the verdict, what is claimed, and the counterexample or what is not established."""
        found = self.finding
        told = [] if found.counterexample is None else found.counterexample.explanation
        lines = ["  " * line.depth + line.text for line in told] or found.error.splitlines()
        lines = lines or ([f"not established: {found.not_established}"] if found.not_established else [])
        heading = f"<b>{_escape(self.id)}</b>: {self.verdict.value}. {_escape(self.statement.title)}"
        return f"<p>{heading}</p>" + (f"<pre>{_escape(chr(10).join(lines))}</pre>" if lines else "")

    @property
    def is_guess(self) -> bool:
        """Whether it is a conjecture that nobody takes for true: its file expects that it is refuted, and it is."""
        expected = self.verdict is Verdict.REFUTED and self.finding.as_expected is True
        return self.statement.role == "conjecture" and expected and not self.statement.variant_of

    @property
    def as_lemma(self) -> SettledLemma:
        """What the result is worth to claims that rest on the one it is of."""
        found = self.finding
        below = min((r.below for r in found.routes if r.below is not None), default=None)
        digest = self.provenance.digest
        return SettledLemma(self.id, digest, self.verdict, found.by_proof, found.scope, below, found.trusted)


@dataclass(frozen=True)
class Repository:
    """Where a run stands in a repository: absolute paths of its root and of the working folder; "" outside one."""

    root: str = ""
    here: str = ""

    def locate(self, file: str) -> str:
        """A file, named as from the working folder, as the root has it; one elsewhere is called as it is.

        >>> Repository("/repo", "/repo/game").locate("claims/a.toml"), Repository().locate("a.toml")
        ('game/claims/a.toml', 'a.toml')
        """
        path = PurePath(self.here, file)
        return path.relative_to(self.root).as_posix() if file and self.root and path.is_relative_to(self.root) else file


NOWHERE = Repository()


@dataclass(frozen=True)
class Work:
    """An entry of the bibliography. `short`: what it is called where there is little room, or "".

    `venue`: where it appeared; `source`: what was read of it; `not_shown`: what that does not show, such as the year.
    """

    key: str
    title: str
    authors: str
    year: str
    source: str
    short: str = ""
    venue: str = ""
    not_shown: tuple[str, ...] = ()


class Kind(Enum):
    """What a claim is counted as in a run, by the word for it.

    A correction says what holds instead of another claim of the run, a guess is refuted as its file expects, and a
    variant is a claim with one thing changed.  All others are statements of works.
    """

    STATEMENT = "statement"
    CORRECTION = "correction"
    GUESS = "guess"
    VARIANT = "variant"

    @property
    def plural(self) -> str:
        """`guesses`."""
        return "guesses" if self is Kind.GUESS else f"{self.value}s"


@dataclass(frozen=True)
class RunResult:
    """One run: its claims in the order of the library. `interrupted`: stopped before all were settled.

    `started`: date and time, ISO 8601 with the offset from UTC, to the minute.  `versions`: of what the verdicts rest
    on, by name.  `library`: the SHA-256 of the digests of the claims.  `title`: what the run is called, perhaps "".
    `repository`: where it was made, for what names files from the root of a repository.  `code`: the exit code, where
    it may be other than that of the verdicts; `meant`: what it means then, or "".
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
    title: str = ""
    repository: Repository = field(default=NOWHERE, compare=False, repr=False)
    code: int | None = None
    meant: str = ""

    def _repr_html_(self) -> str:
        """For a notebook: a table of the claims with their verdicts."""
        cells = [(c.id, c.verdict.value, c.statement.title) for c in self.claims]
        rows = ("".join(f"<td>{_escape(cell)}</td>" for cell in row) for row in cells)
        head = "<tr><th>claim</th><th>verdict</th><th>title</th></tr>"
        return f"<table>{head}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    @property
    def stated(self) -> tuple[ClaimResult, ...]:
        """The claims that are no variants."""
        return tuple(c for c in self.claims if not c.statement.variant_of)

    @property
    def variants(self) -> tuple[ClaimResult, ...]:
        """Those that are."""
        return tuple(c for c in self.claims if c.statement.variant_of)

    @property
    def kinds(self) -> dict[str, Kind]:
        """What each claim is counted as, by its id; without a statement all but variants are counted as such."""
        ids = {claim.id for claim in self.claims}
        found = {claim.id: _find_kind(claim, ids) for claim in self.claims}
        if Kind.STATEMENT in found.values():
            return found
        return {id: kind if kind is Kind.VARIANT else Kind.STATEMENT for id, kind in found.items()}

    def list_kind(self, kind: Kind) -> tuple[ClaimResult, ...]:
        """The claims that are counted as that."""
        kinds = self.kinds
        return tuple(claim for claim in self.claims if kinds[claim.id] is kind)

    @property
    def statements(self) -> tuple[ClaimResult, ...]:
        """The claims that are statements of works: what reports count."""
        return self.list_kind(Kind.STATEMENT)


def _escape(text: str) -> str:
    return escape(escape_invisible(text))


def _find_kind(claim: ClaimResult, ids: set[str]) -> Kind:
    if claim.statement.variant_of:
        return Kind.VARIANT
    if claim.is_guess:
        return Kind.GUESS
    return Kind.CORRECTION if claim.statement.repairs in ids else Kind.STATEMENT
