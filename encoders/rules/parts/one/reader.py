"""Numbers of heaps with parts, as integers without bound whose nim-sums are read too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import free_names
from claims.language.statement.claim import Claim, Game
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.trust import Reason
from encoders.logic.definedness import DefinednessCondition, needs_of_heaps
from encoders.logic.polynomials import is_same_polynomial
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequent import Sequent
from encoders.logic.terms import ONE, ZERO, at_least, at_most, conjunction, implies, largest, less_than
from encoders.rules.folds.numbers.intervals import intervals_of
from encoders.rules.kit.common import RULES
from encoders.rules.kit.lemmas import LemmaReader, NamedLemma
from encoders.rules.kit.rule import build_sequent


class NimReader(LemmaReader):
    """The integer variables of a claim, and what else it makes. In a nim-sum what is below 0 is read as 0.

    Where a claim or a game adds such numbers that none is below 0 is shown before; an invariant that does means this.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self._intervals = intervals_of(self.symbols.by_name)

    def operation(self, term: t.Operation) -> t.Term:
        if term.op in ("nim", "bit_and"):
            return replace(term, args=tuple(map(self.natural, term.args)))
        return super().operation(term)

    def natural(self, number: t.Term) -> t.Term:
        """The number, or 0 where it is below 0."""
        return number if self._intervals.number(number).natural else largest(number, ZERO)


class AnyList:
    """A list of any length, whose numbers lie between the bounds: `numbers` at the places that terms name."""

    def __init__(self, length: t.Variable, low: t.Term, high: t.Term | None) -> None:
        self.length, self.low, self.high = length, low, high
        self.numbers: list[tuple[t.Term, t.Variable]] = []


class HeapsReader(NimReader):
    """Reads what `[heap]` of a ruleset says of any heap, whose lists have any length."""

    words = "numbers of a heap"
    reads = "say it by sums, differences, products, quotients and comparisons of h.n, len(h.c) and h.c[i]"

    def __init__(self, claim: Claim, game: Game) -> None:
        super().__init__(claim)
        assert game.ruleset.heap is not None
        self.shape = game.ruleset.heap
        self.arguments = {name: self.number(x, self.env) for name, x in game.arguments if x.type == INT}

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """A heap, an integer of a range, or a number of a list of the heap. Raises Unsupported for other sources."""
        if source is None:
            return self._make_heap()
        if isinstance(found := self._list(source, env), AnyList):
            return self._number_of(found, source)
        return super().element(source, env)

    def _make_heap(self) -> tuple[object, t.Term]:
        parts: list[object] = []
        known: list[t.Term] = []
        env = {**self.env, **self.arguments}
        for part in self.shape.parts:
            low = self.number(part.lo, env)
            high = None if part.hi is None else self.number(part.hi, env)
            if part.is_list:
                length = self.symbols.integer(f"len(h.{part.name})", 0)
                parts.append(AnyList(length, low, high))
            else:
                number = self.symbols.integer(f"h.{part.name}")
                parts.append(number)
                known += [at_least(number, low), *([] if high is None else [at_most(number, high)])]
        return tuple(parts), conjunction(*known)

    def _number_of(self, of: AnyList, source: t.Term) -> tuple[t.Variable, t.Term]:
        """Some number of the list, if it has one."""
        number = self.symbols.integer(f"a number of {print_term(source)}")
        top = [] if of.high is None else [at_most(number, of.high)]
        return number, conjunction(at_least(of.length, ONE), at_least(number, of.low), *top)

    def _list(self, term: t.Term, env: Env) -> AnyList | None:
        found = self._part(term, env)
        return found if isinstance(found, AnyList) else None

    def _part(self, term: t.Term, env: Env) -> object:
        match term:
            case t.Operation(op="part", args=(t.Variable(name=name), t.Literal(value=at))):
                heap = env.get(name)
                return heap[at] if isinstance(heap, tuple) else None
        return None

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="part") if isinstance(found := self._part(term, env), t.Term):
                return found
            case t.Operation(op="len", args=(group,)) if (found := self._list(group, env)) is not None:
                return found.length
            case t.Operation(op="index", args=(group, place)) if (found := self._list(group, env)) is not None:
                return self._at(found, self.number(place, env), group)
        return super().number(term, env)

    def _at(self, of: AnyList, place: t.Term, group: t.Term) -> t.Term:
        """The number at a place, if the list has it; else any number."""
        for other, number in of.numbers:
            if is_same_polynomial(other, place):
                return number
        number = self.symbols.integer(f"{print_term(group)}[{print_term(place)}]")
        of.numbers.append((place, number))
        inside = conjunction(at_least(place, ZERO), less_than(place, of.length))
        top = [] if of.high is None else [at_most(number, of.high)]
        self.learn(Reason.DOMAIN, implies(inside, conjunction(at_least(number, of.low), *top)))
        return number


def pose_heaps(claim: Claim, game: Game) -> Iterator[Sequent]:
    """That `[heap]` of the ruleset has a value for every heap: an obligation for each operation that may have none."""
    for need in needs_of_heaps(claim, game):
        label = RULES.of(part=need.part, words=need.words)
        yield build_sequent(label, partial(_heaps_defined, need=need), partial(HeapsReader, claim, game))


def _heaps_defined(q: HeapsReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.needed([need], {**q.env, **q.arguments}, q.element))


def pose_with(
    reader: NimReader,
    lows: Mapping[str, int],
    known: t.Term,
    show: t.Term,
    lemmas: Sequence[NamedLemma] = (),
    prefix: str = "",
) -> Entailment:
    """Whatever the claim has no name for is a number of a heap, or made of such. `lows`: the least of some.

    `lemmas`: those that are known where they speak of these; what is picked they call by its name without the prefix.
    """
    for name in dict.fromkeys((*free_names(known), *free_names(show))):
        if name not in reader.env:
            reader.env[name] = reader.symbols.integer(name, lows.get(name))
    posed = Entailment((reader.truth(known, reader.env),), reader.truth(show, reader.env))
    picked = {name.removeprefix(prefix): x for name, x in reader.env.items() if prefix and name.startswith(prefix)}
    reader.learn_lemmas(lemmas, {**picked, **reader.env})
    return posed


def divides(term: t.Term) -> bool:
    """Whether it is a division by a number that is not written down."""
    found = isinstance(term, t.Operation) and term.op in ("floordiv", "mod")
    return found and not isinstance(t.subterms(term)[1], t.Literal)
