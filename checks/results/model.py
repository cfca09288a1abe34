"""The result model, as frozen records. Reports are pure functions of a `RunResult`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from html import escape
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Annotated

from checks.results.records import AtLeast
from checks.results.shown import (
    DrawnPositions,
    ExplanationLine,
    FormalStatement,
    NamedValues,
    Picture,
    PlayableClaim,
    ProofPresentation,
)
from checks.results.verdicts import Verdict
from claims.language.errors import (
    ClaimError,
    Misspelt,
    SourceLocation,
    Step,
    escape_invisible,
    format_suggestion,
)
from claims.language.files.claim import Judgement
from claims.language.files.toml import FileStates
from encoders.logic.answer import ClosedForm, Decision, Fallback, Obligation, ObligationStatus
from encoders.trust import All, Below, Coverage, Limits, ObligationKind, OpenReason, narrower


# == evidence =========================================================================================================
# What a verdict is drawn from: what the routes answered and what the referee found, without the claim itself.
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


def decide_by_scope(answers: tuple[tuple[str, Decision], ...]) -> Decision:
    """What the routes that look at the scope say of it: the exhaustive one, or another where that met a limit."""
    (_, first), *others = answers
    settled = (x for encoder, x in others if encoder in SEARCHES and x.settles)
    return next(settled, first) if first is Decision.UNKNOWN else first


# == faults ===========================================================================================================
# What is wrong with a file, or odd about it, as one record: for `check`, `run`, report.json and annotations.
#
# The kinds are this closed list.  No other module says which of them is how bad.
class Severity(StrEnum):
    """How bad it is. The values stand in report.json."""

    ERROR = "error"
    """The file cannot be used as it is."""

    WARNING = "warning"
    """A verdict would mean less than it seems to, or the file says what it does not mean."""

    NOTE = "note"
    """Worth a look: it may well be meant."""


class FaultKind(StrEnum):
    """The kinds of faults. The values stand in report.json; `KINDS` says what each is."""

    UNREADABLE = "unreadable"
    MISSPELT = "misspelt"
    NOT_CHECKED = "not-checked"
    UNKNOWN_USES = "unknown-uses"
    CIRCULAR_USES = "circular-uses"
    UNUSED_DEFINITION = "unused-definition"
    UNUSED_VARIABLE = "unused-variable"
    ONE_VALUE = "one-value"
    FEW_CASES = "few-cases"
    NEGATED_TITLE = "negated-title"
    HIDDEN_FUNCTION = "hidden-function"
    CAPTURED_PARAMETER = "captured-parameter"
    PROVABLE = "provable"


KINDS = {
    FaultKind.UNREADABLE: (Severity.ERROR, "what stands there has no meaning, or something is missing"),
    FaultKind.MISSPELT: (Severity.ERROR, "a key, or a word of a closed list, that is not known"),
    FaultKind.NOT_CHECKED: (Severity.ERROR, "a file that takes more time or memory to check than is allowed"),
    FaultKind.UNKNOWN_USES: (Severity.WARNING, "`uses` or `repairs` names what is no claim"),
    FaultKind.CIRCULAR_USES: (Severity.WARNING, "by `uses`, the argument of a work goes in a circle"),
    FaultKind.UNUSED_DEFINITION: (Severity.WARNING, "a definition that nothing calls"),
    FaultKind.UNUSED_VARIABLE: (Severity.WARNING, "a variable that the claim does not mention"),
    FaultKind.ONE_VALUE: (Severity.WARNING, "a scope that leaves a variable one value"),
    FaultKind.FEW_CASES: (
        Severity.WARNING,
        "hypotheses that hold at fewer than one in a hundred cases of the scope, of a claim without a proof",
    ),
    FaultKind.NEGATED_TITLE: (Severity.WARNING, "a title that denies what the file claims and expects to be false"),
    FaultKind.HIDDEN_FUNCTION: (Severity.WARNING, "a definition with the name of a function of the language"),
    FaultKind.CAPTURED_PARAMETER: (Severity.NOTE, "a variable that is a parameter of the game by its name alone"),
    FaultKind.PROVABLE: (Severity.NOTE, "a rule of proof, or lemmas, that might prove a claim without a proof"),
}
"""How bad each is, and what it is."""


@dataclass(frozen=True)
class FaultCall:
    """One step from a fault towards its cause, such as "in f(Int), called at"."""

    how: str
    file: str
    line: Annotated[int, AtLeast(0)]
    column: Annotated[int, AtLeast(0)]
    text: str


@dataclass(frozen=True)
class Fault:
    """A fault of a file, as report.json and `check --json` contain it. `make_fault` makes one."""

    severity: Severity
    kind: Annotated[FaultKind, "one of docs/checking.md"]
    file: str
    message: str
    expected: Annotated[str, "the expected text at this place, or empty"]
    suggested: Annotated[str, "the probably intended text, or empty"]
    line: Annotated[int, AtLeast(0), "from 1; 0: unknown"]
    column: Annotated[int, AtLeast(0), "from 1, in characters; 0: unknown"]
    width: Annotated[int, AtLeast(1), "the number of faulty characters"]
    text: Annotated[str, "the line"]
    key: Annotated[str, "the dotted key of the faulty value, such as claim.then"]
    calls: Annotated[tuple[FaultCall, ...], "the steps from the fault to its cause, innermost first"]

    @property
    def full_message(self) -> str:
        """What is wrong and what was expected, without the place."""
        expected = f"\nexpected: {self.expected}{format_suggestion(self.suggested)}" if self.expected else ""
        return self.message + expected

    def __str__(self) -> str:
        """The whole text for a person, as a compiler writes it."""
        steps = tuple(_step(cause) for cause in self.calls)
        word = "" if self.severity is Severity.ERROR else f"{self.severity.value}: "
        return str(ClaimError(self._place, word + self.message, self.expected, steps, self.suggested))

    @property
    def _place(self) -> SourceLocation:
        return SourceLocation(self.file, self.line, self.column, self.width, self.text, self.key)


def fault_of(error: ClaimError) -> Fault:
    """The record of an error of a claim file, ruleset, definitions or works."""
    calls = tuple(FaultCall(how, at.file, at.line, at.column, at.text) for how, at in error.calls)
    kind = FaultKind.MISSPELT if isinstance(error, Misspelt) else FaultKind.UNREADABLE
    return make_fault(kind, error.place, error.message, error.expected, error.near, calls)


def make_fault(
    kind: FaultKind,
    place: SourceLocation,
    message: str,
    expected: str = "",
    suggested: str = "",
    calls: tuple[FaultCall, ...] = (),
) -> Fault:
    """A fault at a place."""
    where = (place.line, place.column, place.width, place.text, place.key)
    return Fault(KINDS[kind][0], kind, place.file, message, expected, suggested, *where, calls)


def _step(cause: FaultCall) -> Step:
    return cause.how, SourceLocation(cause.file, cause.line, cause.column, 1, cause.text)


def deduplicate(faults: Iterable[Fault]) -> Iterator[Fault]:
    """Each fault once: what is said of a line is said of all claims that are read from it."""
    seen = set[tuple[object, ...]]()
    for fault in faults:
        key = (fault.file, fault.line, fault.column, fault.kind, fault.message)
        if key not in seen:
            seen.add(key)
            yield fault


# == lemmas ===========================================================================================================
# The lemmas of a proof, and what the run found of each: a claim is proved by them only if every one of them is.
_PROVE_IT = "A claim is proved only if all its lemmas are, in the same run"
OPEN: Mapping[Verdict | None, ObligationKind] = {
    Verdict.VERIFIED: ObligationKind("verified only", _PROVE_IT, "Give that claim a [proof]"),
    Verdict.PROVED: ObligationKind(
        "proved, but not by its [proof]",
        "Facts of the lemma's proof are taken over, and that did not go through",
        "Mend the lemma's [proof]",
    ),
    Verdict.REFUTED: ObligationKind(
        "refuted: nothing follows from it",
        "What is false proves anything",
        "Leave it out of `by`; what holds instead may do",
    ),
    Verdict.VACUOUS: ObligationKind(
        "vacuous: nothing was checked of it", _PROVE_IT, "Mend that claim: no case meets it"
    ),
    Verdict.INCONCLUSIVE: ObligationKind("inconclusive", _PROVE_IT, "Mend that proof first"),
    Verdict.ERROR: ObligationKind(
        "without a verdict: it cannot be read or evaluated", _PROVE_IT, "Mend that file first"
    ),
    Verdict.INCONSISTENT: ObligationKind("inconsistent", _PROVE_IT, "Nothing may rest on it: report it"),
    None: ObligationKind(
        "not settled in this run", _PROVE_IT, "Run again: its file changed meanwhile, or the run ended early"
    ),
}
"""What is found of a lemma on which no proof can stand, by its verdict: how it is told, and what to do about it."""


@dataclass(frozen=True)
class SettledLemma:
    """A claim that a proof rests on, with what this run found of it.

    `digest`: of all that it rests on, as it was read.  `verdict`: None where the run did not settle that text.
    `by_proof`: its [proof] went through, if it has one: facts of that are taken over with it.  `scope`, `below`: what
    its verdict covers, and what all numbers must lie below for its proof to cover them (None: no bound).  `trusted`:
    what it takes on trust, by name.  `needed`: whether some obligation of the proof may make use of it.
    """

    id: str
    digest: str
    verdict: Verdict | None = None
    by_proof: bool = False
    scope: Limits = ()
    below: int | None = None
    trusted: tuple[str, ...] = ()
    needed: bool = True

    @property
    def is_usable(self) -> bool:
        """Whether a proof may rest on it."""
        return self.verdict is Verdict.PROVED and self.by_proof

    @property
    def words(self) -> str:
        """What was found of it, and whether it was needed: `verified only`, `proved; not needed`."""
        found = "proved" if self.is_usable else OPEN[self.verdict].called
        return found if self.needed else f"{found}; not needed"


SettledLemmas = Mapping[Path, SettledLemma]
"""What a run found so far, by the files of the claims, symbolic links followed."""
NONE: SettledLemmas = MappingProxyType({})


def narrow_limits(limits: Limits, lemmas: Iterable[SettledLemma]) -> Limits:
    """What a proof covers that covers these and no more than its lemmas do: their least bound holds for each variable.

    >>> few = SettledLemma("a", "", scope=(("x", Below(20)), ("s.heaps", All())), below=1 << 30)
    >>> narrow_limits((("k", All()), ("s.heaps", All()), ("s.size", Below(9))), [few])
    (('k', Below(bits=20)), ('s.heaps', All()), ('s.size', Below(bits=9)))
    """
    numbers: Coverage = All()
    heaps: Coverage = All()
    for lemma in lemmas:
        if lemma.below is not None:
            numbers = narrower(numbers, Below(lemma.below.bit_length() - 1))
        for name, bound in lemma.scope:
            if name.endswith(".heaps"):
                heaps = narrower(heaps, bound)
            else:
                numbers = narrower(numbers, bound)
    return tuple((name, narrower(x, heaps if name.endswith(".heaps") else numbers)) for name, x in limits)


def least_bound(below: int | None, lemmas: Iterable[SettledLemma]) -> int | None:
    """What all numbers must lie below for a proof and its lemmas to cover them; None: no bound."""
    return min((x for x in (below, *(lemma.below for lemma in lemmas)) if x is not None), default=None)


# == model ============================================================================================================
# The result model: what a run found out, as frozen data. Reports are pure functions of a `RunResult`.
#
# Values inside are plain: int, bool, str, fractions as strings, positions as tuples of heap sizes in ascending order,
# sets as tuples, players by name.
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

    `below`, `engines`, `cause`, `fallbacks`: as in `encoders.logic.answer.Answer`.
    `covered`: what was looked at in full before a limit was met.
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

    def __repr__(self) -> str:
        """Return the id and the verdict in one line: `<ClaimResult nim/bouton: proved>`."""
        return f"<ClaimResult {' '.join(escape_invisible(self.id).split())}: {self.verdict.value}>"

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


def drop_variants(claims: Iterable[ClaimResult]) -> tuple[ClaimResult, ...]:
    """The claims that are no variants of the file of another one."""
    return tuple(claim for claim in claims if not claim.statement.variant_of)


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

    def __repr__(self) -> str:
        """Return the number of claims with each verdict in one line: `<RunResult 3 claims: 2 proved, 1 refuted>`."""
        counts = [(verdict, sum(claim.verdict is verdict for claim in self.claims)) for verdict in Verdict]
        told = ", ".join(f"{number} {verdict.value}" for verdict, number in counts if number)
        return f"<RunResult {len(self.claims)} claim{'s' * (len(self.claims) != 1)}{told and f': {told}'}>"

    def _repr_html_(self) -> str:
        """For a notebook: a table of the claims with their verdicts."""
        cells = [(c.id, c.verdict.value, c.statement.title) for c in self.claims]
        rows = ("".join(f"<td>{_escape(cell)}</td>" for cell in row) for row in cells)
        head = "<tr><th>claim</th><th>verdict</th><th>title</th></tr>"
        return f"<table>{head}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    @property
    def main_claims(self) -> tuple[ClaimResult, ...]:
        """The claims that are no variants."""
        return drop_variants(self.claims)

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


# == circles ==========================================================================================================
# Arguments that go in a circle: claims each of which rests, by `uses`, on the next, and the last on the first.
def find_circles(claims: Iterable[ClaimResult]) -> tuple[tuple[str, ...], ...]:
    """The circles of `find_rings` among claims, by what their files say."""
    return find_rings({c.id: c.statement.uses for c in claims})


def find_rings(uses: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Circles of ids that share no claim, in the order of the claims; each claim rests on the one after it.

    Once they are cut no other is left. Ids of claims that are not there lead nowhere.
    """
    left = {id: list(others) for id, others in uses.items()}
    found = []
    while _peel(left):
        path = [next(iter(left))]
        while (follower := next(id for id in left[path[-1]] if id in left)) not in path:
            path.append(follower)
        circle = path[path.index(follower) :]
        found.append(tuple(circle))
        for id in circle:
            del left[id]
    return tuple(found)


def _peel(left: dict[str, list[str]]) -> Mapping[str, list[str]]:
    """Take away, one after the other, the claims that rest on none of those left; what remains."""
    while ready := [id for id, uses in left.items() if not any(other in left for other in uses)]:
        for id in ready:
            del left[id]
    return left
