"""The interface of a proof rule, which lists the obligations of a claim and outlines the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol, TypeVar

from claims.language.files.claim import Claim, Proof
from claims.language.files.proofs import ProofSection
from claims.language.syntax.meanings import Setting
from claims.language.syntax.terms import INT, Operation, Term, Variable
from encoders.logic.certificates import Certificate
from encoders.logic.definedness import list_parts, refuse_partial_domains
from encoders.logic.reader import Entailment, SequentReader
from encoders.logic.sequents import Sequent
from encoders.refusals import Unsupported
from encoders.rules.base.shape import RuleSuggestion
from encoders.trust import Below, Limits, ObligationKind, ObligationLabel, Trusted


# == outline ==========================================================================================================
# The outline of a proof: the content of [proof], line by line, with the obligations that prove each line.
#
# It is for readers and proves nothing.  The same labels name the obligations here and in the sequents.
class WordingKind(Enum):
    """The kind of a term in an outline that the report also writes in words: a condition, or a fold.

    A fold is a number that is computed from a position heap by heap.
    """

    CONDITION = "condition"
    FOLD = "fold"


@dataclass(frozen=True, eq=False)
class OutlineCell:
    """A cell of an outline table: a sequence of words and terms.

    `also`: the kind of the term in the cell if the report also writes the term in words; otherwise None.
    """

    parts: tuple[str | Term, ...] = ()
    also: WordingKind | None = None


@dataclass(frozen=True, eq=False)
class NamedPlay:
    """A named move in a form for which the report can find an example.

    If `when` holds at `position`, the player with the index `mover` may reduce the heap `heap` to `leaves`. This heap
    is the largest heap that satisfies `fits`.
    `game`: the name of the game in the claim.
    `wins`: whether the next player loses after the move. All terms may contain the claim's integers, the position and
    the heap.
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
    """A row of an outline table.

    `shown_by`: pairs of a short description and the name of an obligation that proves a part of the row.
    `play`: the named move of the row, if the report can find an example of the move; else None.
    """

    cells: tuple[OutlineCell, ...]
    shown_by: tuple[tuple[str, str], ...] = ()
    play: NamedPlay | None = None


@dataclass(frozen=True, eq=False)
class OutlineTable:
    """A table of an outline, for example the table of the named moves of a proof.

    `kind`: "loses", "folds", "facts", "moves" and so on.
    `title`, `columns`: the headings.
    `names`: the definitions of the names that the terms contain.
    `where`: the condition of the case that the table is about; None for the whole claim.
    """

    kind: str
    title: str
    columns: tuple[str, ...]
    lines: tuple[OutlineRow, ...]
    names: Mapping[str, Term] = field(default_factory=dict)
    where: Term | None = None


@dataclass(frozen=True, eq=False)
class Outline:
    """The outline of a proof: tables that a report shows. `summary`: the argument in one or two sentences."""

    summary: str
    tables: tuple[OutlineTable, ...]


def say(*parts: str | Term) -> OutlineCell:
    """Return a cell with these words and terms. Empty words are omitted."""
    return OutlineCell(tuple(x for x in parts if x != ""))


def say_condition(term: Term | None) -> OutlineCell:
    """Return a cell that contains the condition; the word "always" if the condition is None."""
    return OutlineCell(("always",)) if term is None else OutlineCell((term,), WordingKind.CONDITION)


Parts = list[str | Term]


def join_parts(each: Iterable[Iterable[str | Term]]) -> Parts:
    """Return the groups of words and terms as one list, with commas between the groups."""
    parts: Parts = []
    for own in each:
        parts += [*((", ",) if parts else ()), *own]
    return parts


def name_of(name: str) -> Term:
    """Return the integer variable with this name, as a term."""
    return Variable(INT, 0, 0, name)


def say_assignments(pairs: Iterable[tuple[str, Term]]) -> Parts:
    """Return the equations `name == term`, with commas between them, as words and terms."""
    return join_parts(_equal(name, term) for name, term in pairs)


def _equal(name: str, term: Term) -> Parts:
    if _is_kept(name, term):
        return [name_of(name), "=", term]  # h == h would be printed as "always"
    return [Operation(term.type, 0, 0, "eq", (name_of(name), term))]


def say_changes(pairs: Iterable[tuple[str, Term]]) -> Parts:
    """Return words and terms such as "X becomes X ^ h, c becomes c - 1". Unchanged numbers are omitted.

    If all numbers are unchanged, the result is "the same X, c".
    """
    pairs = tuple(pairs)
    new = [(name, term) for name, term in pairs if not _is_kept(name, term)]
    if not new:
        return ["the same ", *join_parts([name_of(name)] for name, _ in pairs)]
    return join_parts([name_of(name), "becomes", term] for name, term in new)


def _is_kept(name: str, term: Term) -> bool:
    return isinstance(term, Variable) and term.name == name


def say_range(name: str, lo: Term, hi: Term | None) -> Parts:
    """Return words and terms that state the range of a number. `hi`: None for no upper bound."""
    return [name_of(name), "from", lo, *(("up",) if hi is None else ("to", hi))]


# == rule =============================================================================================================
# The interface of a proof rule: it lists the obligations of a claim as sequents, and states what they prove.
#
# A rule never uses a solver, except through `ProofServices`.  To add a rule, add a module here and a line in the
# registry; see docs/extending.md.  The registry wraps each rule in `ShowsAllValues`.  A rule that forgets where a term
# is undefined then proves nothing.
R = TypeVar("R", bound=SequentReader)


@dataclass(frozen=True)
class ProofCoverage:
    """The cases for which a claim is proved, if all obligations of its proof are proved.

    `proved`: for each variable, the range for which the claim is proved.
    `trusted`: the proof rules that are trusted without a check.
    `below`: if the proof is valid only for numbers below a bound, this bound; None for no bound.
    `heaps`: the game with its parameters, if the obligations prove a table of the values of its single heaps.
    """

    proved: Limits
    trusted: frozenset[Trusted] = frozenset()
    below: int | None = None
    heaps: Setting | None = None

    @property
    def bound(self) -> int | None:
        """The smallest of `below` and the bounds in `proved`; None if there is no bound.

        The proof covers all numbers below it.
        """
        bounds = (1 << limit.bits for _, limit in self.proved if isinstance(limit, Below))
        return min((x for x in (self.below, *bounds) if x is not None), default=None)


MANY_HEAPS = 1_000_000  # the limit of a search for a period in a proof
FEW_HEAPS = 32_768  # the limit where the result only explains a verdict; these heaps take about a second


class ProofServices(Protocol):
    """The parts of the program that a proof rule may use: the solver, the certificates, and the other rules.

    `most_heaps`: the largest number of heaps whose values a rule may compute to find a period.
    """

    most_heaps: int

    def __hash__(self) -> int:
        """Return a hash by identity, because cached decisions use this object as a key."""

    def decide(self, sequent: Sequent) -> bool:
        """Whether a solver proves the sequent quickly.

        A proof must not rely on a positive answer. A negative answer does not mean that the sequent is false.
        """

    def is_certain(self, sequent: Sequent) -> bool:
        """Whether a certificate proves the sequent.

        The result is never true for a false sequent, but it may be false for a true sequent.
        """

    def find_certificate(self, sequent: Sequent) -> Certificate:
        """Return a certificate that proves the sequent, from the library or from a search.

        Raises Unsupported if none is found.
        """

    def rule_of(self, claim: Claim) -> Rule:
        """Return the rule that the claim's [proof] names."""


class Rule(Protocol):
    """A proof rule. A page in docs/rules/ argues its soundness."""

    name: str
    """The value of `rule` in [proof], and the name of the route in reports."""

    @property
    def suggested_for(self) -> tuple[RuleSuggestion, ...]:
        """Return the kinds of claims for which the rule is suggested."""

    @property
    def kinds(self) -> tuple[ObligationKind, ...]:
        """Return the kinds of obligations that the rule may list."""

    def read(self, section: ProofSection) -> Proof:
        """Parse the section [proof] of a claim file. Raises ClaimError."""

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        """List the obligations in the order of the argument. Raises Unsupported."""

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        """Return the outline of the proof: its content as tables, each row with the obligations that prove it.

        Raises Unsupported.
        """

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the range of cases for which the obligations together prove the claim. Raises Unsupported."""


@dataclass(eq=False)
class ShowsAllValues:
    """A wrapper of a proof rule. It checks that the obligations show that every expression is defined.

    `games`: whether the expressions in the rules of the games are checked too. False for a proof rule that computes
    with known games and refuses games whose rules may be undefined.
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
        """Yield the obligations of the wrapped rule.

        Raises Unsupported after the last obligation, if some expression is not shown to be defined.
        """
        refuse_partial_domains(claim)
        shown: set[str] = set()
        for sequent in self.rule.obligations(claim, surroundings):
            shown |= sequent.defines
            yield sequent
        if missing := sorted(list_parts(claim, self.games) - shown):
            words = f"{missing[0]} may be undefined, and the rule {self.name!r} does not show that it is defined"
            raise Unsupported(words, instead="guard the operation, so that it is defined for all values")

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return self.rule.outline(claim, surroundings)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        return self.rule.coverage(claim, surroundings)


ObligationBuilder = tuple[ObligationLabel, Callable[[R], Entailment]]
"""An obligation: its label, and a function that builds the obligation with a new reader."""


def build_sequents(asks: Iterable[ObligationBuilder[R]], start: Callable[[], R]) -> Iterator[Sequent]:
    """Yield the sequent of each obligation, in order. Each sequent is built with a new reader. Raises Unsupported."""
    for label, ask in asks:
        yield build_sequent(label, ask, start)


def build_sequent(label: ObligationLabel, ask: Callable[[R], Entailment], start: Callable[[], R]) -> Sequent:
    """Return the sequent of an obligation, as `build_with_reader` does."""
    sequent, _ = build_with_reader(label, ask, start)
    return sequent


def build_with_reader(
    label: ObligationLabel, ask: Callable[[R], Entailment], start: Callable[[], R]
) -> tuple[Sequent, R]:
    """Return the sequent of an obligation, and the reader that knows what its variables stand for.

    `ask`: builds the obligation with the new reader that `start` returns.
    Raises Unsupported. Other exceptions get a note with the name of the obligation.
    """
    try:
        reader = start()
        made = reader.sequent(label.name, ask(reader))
        return replace(made, kind=label.kind, unread=tuple(reader.unread), defines=frozenset(reader.defines)), reader
    except Unsupported:
        raise
    except Exception as error:
        error.add_note(f"in the obligation {label.name!r}")
        raise
