"""The result model: frozen records of the results of a run. Reports are pure functions of a `RunResult`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import cached_property
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
# The evidence for a verdict: the answers of the routes and the findings of the referee, without the claim itself.
@dataclass(frozen=True)
class Evidence:
    """The evidence from which a verdict follows.

    `quantifier`: the claim's quantifier.
    `complete`: whether the scope contains all cases of the domains.
    `answers`: pairs (name of the route, answer), beginning with the exhaustive route.
    `cases`: the number of cases that the exhaustive route evaluated.
    `met`: the number of these cases that meet the hypotheses.
    `confirmed`: the number of sampled cases for which the referee and the exhaustive route agreed.
    `differs`: whether the referee and a route disagreed, or one of them failed with an internal error.
    `replays`: pairs (judgement of a route, judgement of the referee), one for each case that a route shows.
    `obligations`: the result of each obligation.
    `reached`: whether a case that meets the hypotheses is below the bound of the proof. If not, it is possible that the
    proof covers no case.
    `within`: whether the counterexample of the scope, if there is one, is below that bound.
    `lemmas`: for each lemma of the proof, whether a proof may use it.
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
"""The names of the routes that search the scope. Each other route is a proof rule."""


def is_refuted_by_proof(answers: tuple[tuple[str, Decision], ...]) -> bool:
    """Return whether a route other than the searches, such as a proof rule, gives a counterexample."""
    return any(answer is Decision.FAILS for encoder, answer in answers if encoder not in SEARCHES)


def decide_by_scope(answers: tuple[tuple[str, Decision], ...]) -> Decision:
    """Return the answer of the exhaustive route.

    If it is UNKNOWN, return the first answer of another search that decides the scope, or UNKNOWN if there is none.
    """
    (_, first), *others = answers
    settled = (x for encoder, x in others if encoder in SEARCHES and x.settles)
    return next(settled, first) if first is Decision.UNKNOWN else first


# == faults ===========================================================================================================
# Faults of a file, and warnings about it, as one record: for `check`, `run`, report.json and annotations.
#
# This is the closed list of the kinds. No other module defines their severity.
class Severity(StrEnum):
    """The severity of a fault. The values appear in report.json."""

    ERROR = "error"
    """The file cannot be used."""

    WARNING = "warning"
    """A verdict may mean less than it seems to, or the file may not state what its author intended."""

    NOTE = "note"
    """The text is possibly intended, but the author should check it."""


class FaultKind(StrEnum):
    """The kinds of faults. The values appear in report.json; `KINDS` describes each kind."""

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
    FaultKind.UNREADABLE: (Severity.ERROR, "the text at this position is invalid or incomplete"),
    FaultKind.MISSPELT: (Severity.ERROR, "an unknown key, or a word that is not in a closed list of words"),
    FaultKind.NOT_CHECKED: (Severity.ERROR, "the check of the file reached its limit on time or memory"),
    FaultKind.UNKNOWN_USES: (Severity.WARNING, "`uses` or `repairs` names a claim that does not exist"),
    FaultKind.CIRCULAR_USES: (
        Severity.WARNING,
        "the published argument of a work is circular: through `uses`, a claim depends on itself",
    ),
    FaultKind.UNUSED_DEFINITION: (Severity.WARNING, "a definition that is never used"),
    FaultKind.UNUSED_VARIABLE: (Severity.WARNING, "a variable that the claim does not mention"),
    FaultKind.ONE_VALUE: (Severity.WARNING, "a variable has only one value in the scope"),
    FaultKind.FEW_CASES: (
        Severity.WARNING,
        "the hypotheses of a claim without a proof hold at less than 1 % of the cases of the scope",
    ),
    FaultKind.NEGATED_TITLE: (
        Severity.WARNING,
        "the file expects the claim to be refuted, but the title states the negation of the claim",
    ),
    FaultKind.HIDDEN_FUNCTION: (Severity.WARNING, "a definition has the name of a function of the claim language"),
    FaultKind.CAPTURED_PARAMETER: (
        Severity.NOTE,
        "a variable is used as a parameter of the game only because the two names are equal",
    ),
    FaultKind.PROVABLE: (Severity.NOTE, "a claim without a proof might be proved by the named proof rule or lemmas"),
}
"""The severity and the description of each kind."""


@dataclass(frozen=True)
class FaultCall:
    """A call that leads to a fault, with its location.

    `how`: a description of the call, such as "in f(Int), called at".
    `text`: the line of the call.
    """

    how: str
    file: str
    line: Annotated[int, AtLeast(0)]
    column: Annotated[int, AtLeast(0)]
    text: str


@dataclass(frozen=True)
class Fault:
    """A fault of a file, as in report.json and the output of `check --json`. Use `make_fault` to make one."""

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
        """The message with the expected text, without the location."""
        expected = f"\nexpected: {self.expected}{format_suggestion(self.suggested)}" if self.expected else ""
        return self.message + expected

    def __str__(self) -> str:
        """Return the message with the location, the marked line and the expected text, in the style of a compiler."""
        steps = tuple(_step(cause) for cause in self.calls)
        word = "" if self.severity is Severity.ERROR else f"{self.severity.value}: "
        return str(ClaimError(self._place, word + self.message, self.expected, steps, self.suggested))

    @property
    def _place(self) -> SourceLocation:
        return SourceLocation(self.file, self.line, self.column, self.width, self.text, self.key)


def fault_of(error: ClaimError) -> Fault:
    """Return the fault for an error in a claim file, a ruleset, a file of definitions or the list of works."""
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
    """Return the record of a fault at a place."""
    where = (place.line, place.column, place.width, place.text, place.key)
    return Fault(KINDS[kind][0], kind, place.file, message, expected, suggested, *where, calls)


def _step(cause: FaultCall) -> Step:
    return cause.how, SourceLocation(cause.file, cause.line, cause.column, 1, cause.text)


def deduplicate(faults: Iterable[Fault]) -> Iterator[Fault]:
    """Yield each fault once, although several claims may report it."""
    seen = set[tuple[object, ...]]()
    for fault in faults:
        key = (fault.file, fault.line, fault.column, fault.kind, fault.message)
        if key not in seen:
            seen.add(key)
            yield fault


# == lemmas ===========================================================================================================
# The lemmas of a proof, and the result of the run for each. A claim is proved only if all its lemmas are proved.
_PROVE_IT = "A claim is proved only if all its lemmas are proved in the same run"
OPEN: Mapping[Verdict | None, ObligationKind] = {
    Verdict.VERIFIED: ObligationKind("verified only", _PROVE_IT, "Give that claim a [proof]"),
    Verdict.PROVED: ObligationKind(
        "proved, but not by its [proof]",
        "The proof uses facts from the lemma's proof, and that proof was not accepted",
        "Correct the lemma's [proof]",
    ),
    Verdict.REFUTED: ObligationKind(
        "refuted: nothing follows from it",
        "A false lemma implies every claim",
        "Remove it from `by`, or replace it by a lemma that holds",
    ),
    Verdict.VACUOUS: ObligationKind(
        "vacuous: no case was checked", _PROVE_IT, "Correct that claim: no case meets its hypotheses"
    ),
    Verdict.INCONCLUSIVE: ObligationKind("inconclusive", _PROVE_IT, "Complete that proof first"),
    Verdict.ERROR: ObligationKind(
        "without a verdict: it cannot be read or evaluated", _PROVE_IT, "Correct that file first"
    ),
    Verdict.INCONSISTENT: ObligationKind(
        "inconsistent", _PROVE_IT, "Please report the inconsistency: no proof may use this lemma"
    ),
    None: ObligationKind(
        "not settled in this run", _PROVE_IT, "Run again: its file changed during the run, or the run ended early"
    ),
}
"""For each verdict of a lemma that no proof may use: the wording, the reason and the advice."""


@dataclass(frozen=True)
class SettledLemma:
    """A claim that a proof uses as a lemma, with its result in this run.

    `digest`: the digest of the files that the lemma depends on, as they were read.
    `verdict`: None if the run did not settle this version of the lemma.
    `by_proof`: whether the [proof] of the lemma was accepted; always true for a lemma without a [proof].
    `scope`: the cases that the verdict covers.
    `below`: the proof of the lemma covers only numbers below this bound; None for no bound.
    `trusted`: the names of the theorems and programs that the verdict trusts.
    `needed`: whether an obligation of the proof may use the lemma; always true if the proof does not hold.
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
        """Whether a proof may use the lemma."""
        return self.verdict is Verdict.PROVED and self.by_proof

    @property
    def words(self) -> str:
        """The result of the lemma, and whether the proof needs it: `verified only`, or `proved; not needed`."""
        found = "proved" if self.is_usable else OPEN[self.verdict].called
        return found if self.needed else f"{found}; not needed"


SettledLemmas = Mapping[Path, SettledLemma]
"""The lemmas that a run has settled so far, by the resolved paths of their claim files."""
NONE: SettledLemmas = MappingProxyType({})


def narrow_limits(limits: Limits, lemmas: Iterable[SettledLemma]) -> Limits:
    """Return `limits`, restricted to the cases that the lemmas also cover.

    The number of heaps of a position is limited by the least bound that a lemma has on a number of heaps. All other
    numbers are limited by the least of the other bounds of the lemmas.

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
    """Return the least of the bounds of a proof and its lemmas; None if none of them has a bound."""
    return min((x for x in (below, *(lemma.below for lemma in lemmas)) if x is not None), default=None)


# == model ============================================================================================================
# The result model: the findings of a run as frozen data. Reports are pure functions of a `RunResult`.
#
# Values are plain: int, bool, str, fractions as strings, positions as ascending tuples of heap sizes, sets as tuples,
# players by name.
@dataclass(frozen=True)
class Counterexample:
    """A case at which a claim fails.

    `replayed`: whether the referee also found that the claim fails there.
    `smallest`: whether it is the smallest counterexample in the scope.
    """

    variables: NamedValues
    replayed: bool
    smallest: bool
    explanation: tuple[ExplanationLine, ...]


@dataclass(frozen=True)
class RouteRecord:
    """The result of one route.

    `scope`: as in `Finding.scope`.
    `below`: if the route is a proof that covers only numbers below a bound, this bound; otherwise None.
    `covered`: the part of the scope that was searched completely before a limit was reached.
    `engines`: the engines that solved the games. `searched`: the engines that evaluated the claim in all cases.
    `fallbacks`: the engines that failed, with the reasons. `passed_over`: the engines that were not tried, with the
    reasons.
    `cause`: the reason why the route cannot translate the claim, if this reason suggests a remedy.
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
    searched: tuple[str, ...] = ()
    passed_over: tuple[Fallback, ...] = ()


class MutantFate(StrEnum):
    """The result for a mutant. The values occur in receipts."""

    KILLED = "killed"
    """The mutant fails in the scope of the claim."""

    SURVIVED = "survived"
    """The mutant holds in the scope, as the claim does."""

    WEAKER = "weaker"
    """The mutant holds in the scope, but it is weaker than the claim, so it must hold."""

    UNDECIDED = "undecided"
    """A limit was reached."""


@dataclass(frozen=True)
class MutantResult:
    """The result for one mutant of a claim that holds, in the scope of the claim.

    `kind`: the kind of change.
    `description`: the change in words.
    `outcome`: whether the scope killed the mutant.
    `detail`: the case at which the mutant was refuted, or the limit that was reached.
    """

    kind: str
    description: str
    outcome: MutantFate
    detail: str


@dataclass(frozen=True)
class Statement:
    """The statement of a claim, as in its file. If the file could not be read, most fields are "".

    `expected`: the verdict that the file expects, or None.
    `repairs`: the id of the claim that this claim corrects, or "".
    `variant_of`: the id of the claim of which this is a variant, or "". A variant is not a statement of a work.
    `uses`: the ids of the claims that the published proof uses.
    `proof_uses`: the ids of the claims that the [proof] of the file uses, including its lemmas.
    `text`: the statement in words.
    `domains`: pairs (variable, domain as text in the file).
    `sets`, `lists`: the variables whose values are sets or lists.
    `games`: pairs (name, title with parameters).
    `rules`: for each game, the notes in its ruleset file, or "".
    `formal`: pairs (label, text) of the formal statement: "if", "then", and the definitions used.
    `short`: a locator that is short enough for a node of a map.
    `made`: the fields of a variant that were generated: a subset of "title", "statement" and "locator".
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
    lists: frozenset[str] = frozenset()
    games: tuple[tuple[str, str], ...] = ()
    rules: tuple[str, ...] = ()
    formal: tuple[tuple[str, str], ...] = ()
    made: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Finding:
    """The evidence for a verdict, and its details.

    `as_expected`: whether the verdict is the one that the file expects; None if the file does not expect a verdict.
    `scope`: pairs (variable, values that the verdict covers); empty for a claim without variables.
    `error`: the complete text of an error verdict.
    `faults`: all faults of a file that cannot be read.
    `rechecked`: the number of cases that the referee evaluated again with the same result.
    `sampled`: if machine code searched the scope, or large tables of two heaps answered, the number of cases that were
    chosen for the referee, else 0. The referee skips cases beyond its limits.
    `not_established`: a text about the cases that the verdict does not cover, or "".
    `by_proof`: whether the [proof] of the claim was accepted.
    `lemmas`: the results of the lemmas of the claim, if the proof was tried.
    `trusted`: the names of the trusted theorems and rules.
    `theorem`: the verdict that Coq has accepted for the claim in its current version, PROVED or REFUTED; or None.
    `mutants`: the results for the mutants of the claim; None if no mutants were tried.
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
    theorem: Verdict | None = None
    mutants: tuple[MutantResult, ...] | None = None
    evidence: Evidence | None = None


@dataclass(frozen=True)
class Provenance:
    """The origin of a result, and the paths of its files.

    `file`: the path of the claim file, relative to the working folder if the file is below that folder.
    `line`: the line of the conclusion, or of the fault; 0 if unknown.
    `digest`: the digest of the files that the claim depends on, as they were read.
    `files`: the displayed name and SHA-256 of each of these files.
    `certificate`, `receipt`, `source`: the paths of the certificates, of the receipt, and of the copy of a claim file
    outside the library. They are relative to the folder of the reports; "" if there is no such file.
    `seen`: the states of the files and folders that were read; () if one of them changed during the run, or
    a step failed.
    `cached`: whether the result was reused from an earlier run.
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
    """The parts of a result that reports show in addition to the verdict.

    `mathematics`: the formal statement, typeset.
    `proof`: the content of the [proof] of the claim.
    `closed_form`: the formula for the values of single heaps, if the claim states one and holds.
    `pictures`: the pictures of the claim.
    `board`: the board of a claim that can be played.
    `drawn`: the positions of the counterexample, if heaps have parts.
    `hints`: for a verified or inconclusive claim, suggestions for a proof, or the missing parts of its [proof].
    `warnings`: reasons why the verdict may mean less than it seems to.
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
    """The result for one claim, with everything that a report contains about the claim."""

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
        """Return HTML for a notebook: the verdict, the title, and a text.

        The text is the explanation of the counterexample or, without one, the error or the cases that are not covered.
        """
        found = self.finding
        told = [] if found.counterexample is None else found.counterexample.explanation
        lines = ["  " * line.depth + line.text for line in told] or found.error.splitlines()
        lines = lines or ([f"not established: {found.not_established}"] if found.not_established else [])
        heading = f"<b>{_escape(self.id)}</b>: {self.verdict.value}. {_escape(self.statement.title)}"
        return f"<p>{heading}</p>" + (f"<pre>{_escape(chr(10).join(lines))}</pre>" if lines else "")

    @property
    def is_guess(self) -> bool:
        """Whether the claim is a guess: a conjecture that is refuted, as its file expects. A variant is not a guess."""
        expected = self.verdict is Verdict.REFUTED and self.finding.as_expected is True
        return self.statement.role == "conjecture" and expected and not self.statement.variant_of

    @property
    def as_lemma(self) -> SettledLemma:
        """The result of this claim, in the form in which the claims that use it as a lemma receive it."""
        found = self.finding
        below = min((r.below for r in found.routes if r.below is not None), default=None)
        digest = self.provenance.digest
        return SettledLemma(self.id, digest, self.verdict, found.by_proof, found.scope, below, found.trusted)


@dataclass(frozen=True)
class Repository:
    """The repository that contains the working folder of a run.

    `root`, `here`: the absolute paths of the root and of the working folder; "" outside a repository.
    """

    root: str = ""
    here: str = ""

    def locate(self, file: str) -> str:
        """Return the path of a file relative to the root. A path outside the repository is returned unchanged.

        `file`: the path relative to the working folder.
        >>> Repository("/repo", "/repo/game").locate("claims/a.toml"), Repository().locate("a.toml")
        ('game/claims/a.toml', 'a.toml')
        """
        path = PurePath(self.here, file)
        return path.relative_to(self.root).as_posix() if file and self.root and path.is_relative_to(self.root) else file


NOWHERE = Repository()


@dataclass(frozen=True)
class Work:
    """An entry of the bibliography.

    `short`: a short title, or "". `venue`: the journal or book.
    `source`: the copy that was read.
    `not_shown`: the details that the copy lacks, such as the year.
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
    """The kinds of claims that a run counts separately. The value is the word for the kind.

    A variant is a claim with one change. A guess is a conjecture that is refuted, as its file expects. A correction
    repairs another claim of the run. All other claims are statements of works.
    """

    STATEMENT = "statement"
    CORRECTION = "correction"
    GUESS = "guess"
    VARIANT = "variant"

    @property
    def plural(self) -> str:
        """The plural of the word, such as `guesses`."""
        return "guesses" if self is Kind.GUESS else f"{self.value}s"


def drop_variants(claims: Iterable[ClaimResult]) -> tuple[ClaimResult, ...]:
    """Return the claims that are not variants of another claim."""
    return tuple(claim for claim in claims if not claim.statement.variant_of)


@dataclass(frozen=True)
class RunResult:
    """The result of a run.

    `claims`: the results of the claims, in the order of the library.
    `interrupted`: whether the run stopped before all claims were settled.
    `started`: date and time in ISO 8601 with the offset from UTC, to the minute.
    `versions`: the versions of the programs that the verdicts depend on, by name.
    `library`: the SHA-256 of the digests of the claims.
    `title`: the title of the run, or "".
    `repository`: the repository of the run, for outputs that name files relative to its root.
    `code`: the exit code; None if the verdicts determine it.
    `meant`: the meaning of `code`, or "".
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
        """Return HTML for a notebook: a table of the claims with their verdicts."""
        cells = [(c.id, c.verdict.value, c.statement.title) for c in self.claims]
        rows = ("".join(f"<td>{_escape(cell)}</td>" for cell in row) for row in cells)
        head = "<tr><th>claim</th><th>verdict</th><th>title</th></tr>"
        return f"<table>{head}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    @property
    def main_claims(self) -> tuple[ClaimResult, ...]:
        """The claims that are not variants."""
        return drop_variants(self.claims)

    @property
    def variants(self) -> tuple[ClaimResult, ...]:
        """The claims that are variants."""
        return tuple(c for c in self.claims if c.statement.variant_of)

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """The kind of each claim, by its id.

        In a run without statements, all claims except variants count as statements.
        """
        ids = {claim.id for claim in self.claims}
        found = {claim.id: _find_kind(claim, ids) for claim in self.claims}
        if Kind.STATEMENT in found.values():
            return found
        return {id: kind if kind is Kind.VARIANT else Kind.STATEMENT for id, kind in found.items()}

    def list_kind(self, kind: Kind) -> tuple[ClaimResult, ...]:
        """Return the claims of a kind."""
        kinds = self.kinds
        return tuple(claim for claim in self.claims if kinds[claim.id] is kind)

    @property
    def statements(self) -> tuple[ClaimResult, ...]:
        """The claims that are statements of works; reports count these."""
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
# Circular arguments: each claim of a circle uses the next one, and the last claim uses the first.
def find_circles(claims: Iterable[ClaimResult]) -> tuple[tuple[str, ...], ...]:
    """Return circles of claims: each claim names the next one in its `uses`, and the last one names the first."""
    return find_rings({c.id: c.statement.uses for c in claims})


def find_rings(uses: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return circles of ids without common elements: each claim uses the next one, and the last one uses the first.

    Every circle of claims has an element in one of these circles. Ids of missing claims are ignored.
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
    """Remove claims that use no remaining claim, as long as there are such claims. Return the remaining claims."""
    while ready := [id for id, uses in left.items() if not any(other in left for other in uses)]:
        for id in ready:
            del left[id]
    return left
