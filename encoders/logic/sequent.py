"""An obligation as a value: for all values of the variables in their ranges, what is assumed entails what is shown.

It is written in the claim language's own terms, over integers and truth values alone: what is said of positions, moves
and values has been put into such terms by the rule of proof that asks for it.  So an obligation can be printed,
evaluated on a box, written as SMT-LIB for any solver, and certified, by what knows nothing of rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from claims.language.expressions.printing import printing
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, Type
from encoders.ground.kinds import ObligationKind
from encoders.ground.trust import Reason
from encoders.logic.terms import NO
from encoders.periods.quotient import QuotientTable
from encoders.periods.table import PeriodicTable


@dataclass(frozen=True)
class Symbol:
    """A variable of a sequent: an integer with lo <= it <= hi (None: no bound on that side), or a truth value.

    `aside`: made on the way, and of no interest to who asks where a sequent fails.  `told`: what stands for its name
    where its value is told, "" for the name itself.
    """

    name: str
    type: Type
    lo: int | None = None
    hi: int | None = None
    aside: bool = False
    told: str = ""

    @property
    def words(self) -> str:
        """What it is, for people."""
        if self.type == BOOL:
            return f"{self.name}: true or false"
        low = "" if self.lo is None else f"{self.lo} <= "
        high = "" if self.hi is None else f" <= {power(self.hi)}"
        return f"{low}{self.name}{high}" if low or high else f"{self.name}: an integer"


def power(value: int) -> str:
    """The number, as 2^n - 1 if it is a large one of those."""
    exponent = (value + 1).bit_length() - 1
    return f"2^{exponent} - 1" if exponent > 10 and value + 1 == 1 << exponent else str(value)


SequentLine = tuple[str | t.Term, ...]
"""A line of a sequent: words, their spaces included, and terms."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A hypothesis of the claim, with its text there: whether the proof makes use of it is reported."""

    words: str
    term: t.Term


LemmaInstances = tuple[str, tuple[t.Term, ...]]
"""What a lemma, by its id, says of the variables: taken for granted here, and proved where the lemma is."""


@dataclass(frozen=True, eq=False)
class Sequent:
    """One verification condition. `name` is unique within a proof; `variables` are those that occur.

    `lemmas`: each at most once, with at least one instance.  `kind`: what is asked, None where nobody has to be told.
    `by`: the reasons of what is assumed.  `table`: what is asked instead is whether this table is right; then nothing
    is assumed, and what is shown is false, so that nobody who does not look at tables takes it for shown.
    `unread`: conditions that could be assumed but that the rule does not read.  `defines`: the expressions of which it
    shows, perhaps with other obligations, that they have a value.
    """

    name: str
    variables: tuple[Symbol, ...]
    assume: tuple[t.Term, ...]
    show: t.Term
    hypotheses: tuple[Hypothesis, ...] = ()
    lemmas: tuple[LemmaInstances, ...] = ()
    kind: ObligationKind | None = None
    by: frozenset[Reason] = frozenset()
    table: PeriodicTable | QuotientTable | None = None
    unread: tuple[str, ...] = ()
    defines: frozenset[str] = frozenset()

    @property
    def premises(self) -> tuple[t.Term, ...]:
        """All that is assumed: the claim's hypotheses and what its lemmas say included."""
        return (*self.assume, *(x for group in self.apart for x in group))

    @property
    def apart(self) -> tuple[tuple[t.Term, ...], ...]:
        """What is assumed of which it is asked whether the proof needs it: each hypothesis, then each lemma."""
        return (*((h.term,) for h in self.hypotheses), *(said for _, said in self.lemmas))

    def lines(self) -> Iterator[str]:
        """The sequent for people, in the claim language: variables, what is assumed, what is shown."""
        for symbol in self.variables:
            yield f"for {symbol.words}"
        text = printing()
        for parts in self.stated():
            yield "".join(x if isinstance(x, str) else text(x) for x in parts)

    def stated(self) -> Iterator[SequentLine]:
        """What is assumed, and last what is shown."""
        if self.table is not None:
            yield from ((line,) for line in self.table.lines())
            return
        for x in (*self.assume, *(h.term for h in self.hypotheses)):
            yield _state("assume", x)
        for lemma, said in self.lemmas:
            for x in said:
                yield _state(f"by {lemma}, assume", x)
        yield _state("show", self.show)


def of_table(name: str, table: PeriodicTable | QuotientTable, kind: ObligationKind) -> Sequent:
    """Whether the table is right, as something to be shown."""
    return Sequent(name, (), (), NO, kind=kind, table=table)


def _state(word: str, term: t.Term) -> SequentLine:
    """The word and the term; of an implication the condition first."""
    match term:
        case t.AnyOf(args=(t.Operation(op="not", args=(condition,)), *others)):
            then = others[0] if len(others) == 1 else t.AnyOf(term.type, term.start, term.end, tuple(others))
            return f"{word}, where ", condition, ": ", then
    return f"{word} ", term


class Symbols:
    """Makes the variables of one sequent. No two have the same name."""

    def __init__(self) -> None:
        self._made: dict[str, Symbol] = {}

    def integer(
        self, name: str, lo: int | None = None, hi: int | None = None, aside: bool = False, told: str = ""
    ) -> t.Variable:
        """A fresh integer between the bounds."""
        return self._variable(name, INT, lo, hi, aside, told)

    def truth(self, name: str, aside: bool = True) -> t.Variable:
        """A fresh truth value."""
        return self._variable(name, BOOL, None, None, aside)

    def _variable(
        self, name: str, kind: Type, lo: int | None, hi: int | None, aside: bool, told: str = ""
    ) -> t.Variable:
        own, number = name, 1
        while own in self._made:
            number += 1
            own = f"{name} ({number})"
        self._made[own] = Symbol(own, kind, lo, hi, aside, told)
        return t.Variable(kind, 0, 0, own)

    @property
    def by_name(self) -> Mapping[str, Symbol]:
        return self._made

    def sequent(
        self,
        name: str,
        assume: tuple[t.Term, ...],
        show: t.Term,
        hypotheses: tuple[Hypothesis, ...] = (),
        lemmas: tuple[LemmaInstances, ...] = (),
    ) -> Sequent:
        """The sequent over those of these variables that occur in it."""
        made = Sequent(name, (), assume, show, hypotheses, lemmas)
        occurring = names_in(*made.premises, show)
        return replace(made, variables=tuple(s for s in self._made.values() if s.name in occurring))


def names_in(*terms: t.Term) -> frozenset[str]:
    """The variables that occur in terms of a sequent; one that is shared is looked at once."""
    found: set[str] = set()
    seen: set[int] = set()
    todo = list(terms)
    while todo:
        term = todo.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        if isinstance(term, t.Variable):
            found.add(term.name)
        todo += t.subterms(term)
    return frozenset(found)
