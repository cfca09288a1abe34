"""The interface of a rule of proof: it states the obligations of a claim and outlines the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol, TypeVar

from claims.language.files.claim import Claim, Proof
from claims.language.files.proofs import ProofSection
from claims.language.syntax.meanings import Setting
from claims.language.syntax.terms import INT, Operation, Term, Variable
from encoders.logic.definedness import list_parts, refuse_partial_domains
from encoders.logic.reader import Entailment, SequentReader
from encoders.logic.sequents import Sequent
from encoders.refusals import Unsupported
from encoders.rules.base.shape import RuleSuggestion
from encoders.trust import Below, Limits, ObligationKind, ObligationLabel, Trusted


# == outline ==========================================================================================================
# The outline of a proof: what its rule reads in [proof], line by line, and which obligations show each line.
#
# It is for readers: nothing is proved by it.  Obligations are named by the functions that name the sequents.
class WordingKind(Enum):
    """How the one term of a cell can be put into words."""

    CONDITION = "condition"
    FOLD = "fold"


@dataclass(frozen=True, eq=False)
class OutlineCell:
    """Words and terms in the order in which they are read. `also`: what a reader is told in words as well."""

    parts: tuple[str | Term, ...] = ()
    also: WordingKind | None = None


@dataclass(frozen=True, eq=False)
class NamedPlay:
    """A move that a line names, so that an instance of it can be looked for.

    Where `when` holds of the position `position`, and `fits` of its heap `heap`, `mover` may leave `leaves` of that
    heap, the lowest that fits or with `largest` the largest; after that the next player loses, if `wins`.
    All terms are over the claim's integers, the position and the heap.
    """

    game: str
    mover: int
    position: str
    heap: str
    when: Term
    fits: Term
    leaves: Term
    wins: bool


@dataclass(frozen=True, eq=False)
class OutlineRow:
    """One line. `shown_by`: (what is shown, in a word or two; the name of the obligation)."""

    cells: tuple[OutlineCell, ...]
    shown_by: tuple[tuple[str, str], ...] = ()
    play: NamedPlay | None = None


@dataclass(frozen=True, eq=False)
class OutlineTable:
    """Lines of one kind. `title` and `columns`: its headings; `kind`: "loses", "folds", "facts", "moves" and so on.

    `names`: what the terms call numbers that are read off a position, with what these are.  `where`: the case of the
    claim that it is about, None for all of it.
    """

    kind: str
    title: str
    columns: tuple[str, ...]
    lines: tuple[OutlineRow, ...]
    names: Mapping[str, Term] = field(default_factory=dict)
    where: Term | None = None


@dataclass(frozen=True, eq=False)
class Outline:
    """`summary`: the argument in a sentence or two."""

    summary: str
    tables: tuple[OutlineTable, ...]


def say(*parts: str | Term) -> OutlineCell:
    """A cell of words and terms, empty words left out."""
    return OutlineCell(tuple(x for x in parts if x != ""))


def say_condition(term: Term | None) -> OutlineCell:
    """A cell that says when something is so; None: always."""
    return OutlineCell(("always",)) if term is None else OutlineCell((term,), WordingKind.CONDITION)


Parts = list[str | Term]


def join_parts(each: Iterable[Iterable[str | Term]]) -> Parts:
    """The parts of a cell, with commas between what belongs to each."""
    parts: Parts = []
    for own in each:
        parts += [*((", ",) if parts else ()), *own]
    return parts


def name_of(name: str) -> Term:
    """The number of that name."""
    return Variable(INT, 0, 0, name)


def say_assignments(pairs: Iterable[tuple[str, Term]]) -> Parts:
    """What numbers are, by their names."""
    return join_parts(_equal(name, term) for name, term in pairs)


def _equal(name: str, term: Term) -> Parts:
    if _is_kept(name, term):
        return [name_of(name), "=", term]  # a relation that is always so would be shown as such
    return [Operation(term.type, 0, 0, "eq", (name_of(name), term))]


def say_changes(pairs: Iterable[tuple[str, Term]]) -> Parts:
    """What becomes of numbers, by their names; of those that stay nothing is said unless all do."""
    pairs = tuple(pairs)
    new = [(name, term) for name, term in pairs if not _is_kept(name, term)]
    if not new:
        return ["the same ", *join_parts([name_of(name)] for name, _ in pairs)]
    return join_parts([name_of(name), "becomes", term] for name, term in new)


def _is_kept(name: str, term: Term) -> bool:
    return isinstance(term, Variable) and term.name == name


def say_range(name: str, lo: Term, hi: Term | None) -> Parts:
    """In which range a number lies; `hi` None: without bound."""
    return [name_of(name), "from", lo, *(("up",) if hi is None else ("to", hi))]


# == rule =============================================================================================================
# What a rule of proof is: something that says what has to be shown for a claim, as sequents, and what that proves.
#
# A rule never sees a solver.  Adding one is a module here and a line in the registry; see docs/extending.md.  The
# registry wraps each rule in `ShowsAllValues`, so that a rule that forgets where a term has no value proves nothing.
R = TypeVar("R", bound=SequentReader)


@dataclass(frozen=True)
class ProofCoverage:
    """What is proved once all obligations are. `proved`, `below` and `trusted` as in `Answer`.

    `heaps`: the game, with its parameters, whose single heaps the tables among the obligations are about.
    """

    proved: Limits
    trusted: frozenset[Trusted] = frozenset()
    below: int | None = None
    heaps: Setting | None = None

    @property
    def bound(self) -> int | None:
        """What all numbers must lie below for it to be sure that the proof covers them; None: no bound."""
        bounds = (1 << limit.bits for _, limit in self.proved if isinstance(limit, Below))
        return min((x for x in (self.below, *bounds) if x is not None), default=None)


class ProofServices(Protocol):
    """What a rule may ask of others."""

    def __hash__(self) -> int:
        """By identity: what was decided may be remembered with it."""

    def decide(self, sequent: Sequent) -> bool:
        """Whether the sequent is plainly so. It may say no to what holds; no proof may rest on its saying yes."""

    def is_certain(self, sequent: Sequent) -> bool:
        """Whether it is plainly so, by a certificate: no to what may hold, never yes to what does not."""

    def rule_of(self, claim: Claim) -> Rule:
        """The rule that the claim's [proof] names."""


class Rule(Protocol):
    """One rule of proof, with its soundness argued in docs/proof-rules.md under its name."""

    name: str
    """The value of `rule` in [proof], and the name of the route in reports."""

    @property
    def suggested_for(self) -> tuple[RuleSuggestion, ...]:
        """Which claims it is for."""

    @property
    def kinds(self) -> tuple[ObligationKind, ...]:
        """Of its obligations."""

    def read(self, section: ProofSection) -> Proof:
        """What the [proof] of a claim file says. Raises ClaimError."""

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        """What has to be shown, in the order in which it is best read. Raises Unsupported for what is not followed."""

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        """The argument for readers, each line with the names of the obligations that show it. Raises Unsupported."""

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """What the obligations prove together. Raises Unsupported."""


@dataclass(eq=False)
class ShowsAllValues:
    """A rule whose proof is refused unless it shows that every expression has a value. See `Rule`.

    `games`: also those of the rules of the games; False for a rule that computes with known games, and refuses those
    whose rules may have no value.
    """

    rule: Rule
    games: bool = True

    def __post_init__(self) -> None:
        self.name = self.rule.name

    @property
    def suggested_for(self) -> tuple[RuleSuggestion, ...]:
        return self.rule.suggested_for

    @property
    def kinds(self) -> tuple[ObligationKind, ...]:
        return self.rule.kinds

    def read(self, section: ProofSection) -> Proof:
        return self.rule.read(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        """Those of the rule. Raises Unsupported, too, after the last of them where an expression is left out."""
        refuse_partial_domains(claim)
        shown: set[str] = set()
        for sequent in self.rule.obligations(claim, surroundings):
            shown |= sequent.defines
            yield sequent
        if missing := sorted(list_parts(claim, self.games) - shown):
            words = f"{missing[0]} may have no value, and the rule {self.name!r} does not show that it has one"
            raise Unsupported(words, instead="guard the operation, so that it has a value whatever its variables are")

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return self.rule.outline(claim, surroundings)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        return self.rule.coverage(claim, surroundings)


ObligationBuilder = tuple[ObligationLabel, Callable[[R], Entailment]]
"""An obligation, and how a reader of its own poses it."""


def build_sequents(asks: Iterable[ObligationBuilder[R]], start: Callable[[], R]) -> Iterator[Sequent]:
    """A sequent for each, in a reader of its own. Raises Unsupported."""
    for label, ask in asks:
        yield build_sequent(label, ask, start)


def build_sequent(label: ObligationLabel, ask: Callable[[R], Entailment], start: Callable[[], R]) -> Sequent:
    """The sequent; an error in making it is told with its name. Raises Unsupported."""
    try:
        reader = start()
        made = reader.sequent(label.name, ask(reader))
        return replace(made, kind=label.kind, unread=tuple(reader.unread), defines=frozenset(reader.defines))
    except Unsupported:
        raise
    except Exception as error:
        error.add_note(f"in the obligation {label.name!r}")
        raise
