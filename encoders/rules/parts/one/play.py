"""A game of one heap with parts, the lengths of its lists written down: heaps and moves, over their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

from claims.language.expressions.walk import substitute
from claims.language.statement.claim import Claim, Game
from claims.language.statement.domains import IntervalDomain
from claims.language.statement.rulesets import Move
from claims.language.terms import terms as t
from claims.language.terms.types import INT, PLAYER
from encoders.ground.refusals import Unsupported
from encoders.logic.terms import ZERO, at_least, at_most, conjunction, disjunction, equal, holds, integer, less_than
from encoders.rules.kit.common import only_game
from encoders.rules.parts.one.flat import FlatEnv, Flattener, Value, explore
from encoders.rules.parts.one.section import NamedHeap, OneProof

PICKED = "picked "  # no name of a file has a space in it

Heap = tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class HeapPattern:
    """The heaps of one form. `name`: in words; `heap`: with its numbers as variables; `number`: from 0."""

    named: NamedHeap
    name: str
    heap: Heap
    number: int


@dataclass(frozen=True, eq=False)
class MoveBranch:
    """A way to make a move. `met`: that it is this way; `owed`: what gives it a value; `left`: the heap that it leaves.

    `legal`: that what is picked may be; `less`: that the measure is natural, and less then; `form`: of what it leaves.
    """

    move: int
    met: t.Term
    legal: t.Term
    owed: t.Term
    is_heap: t.Term
    less: t.Term
    left: Heap
    form: HeapPattern | None


class OneHeapGame:
    """The game of a claim, whose heaps have parts, and the forms that the proof names. Raises Unsupported."""

    def __init__(self, claim: Claim) -> None:
        assert isinstance(claim.proof, OneProof)
        self.claim, self.proof = claim, claim.proof
        self.game = only_game(claim)
        refuse_games(self.game)
        self.forms = [_make_form(i, x) for i, x in enumerate(self.proof.heaps)]

    def find_form(self, heap: Heap) -> HeapPattern | None:
        return self.find_of_lengths(tuple(len(x) if isinstance(x, tuple) else None for x in heap))

    def find_of_lengths(self, lengths: tuple[int | None, ...]) -> HeapPattern | None:
        """The form whose lists have these lengths; None of a part that is a number."""
        return next((form for form in self.forms if form.named.lengths == lengths), None)

    def list_parameters(self, flat: Flattener) -> dict[str, Value]:
        """The integers of the claim, and the parameters of the game."""
        return list_parameters(self.claim, self.game, flat)

    def list_lows(self) -> dict[str, int]:
        """The least that the numbers of heaps may be, by their names, where it is written down for all of a name."""
        shape, found = self.game.ruleset.heap, dict[str, list[t.Term]]()
        assert shape is not None
        for form in self.forms:
            for part, names in zip(shape.parts, form.named.parts, strict=True):
                for name in (names,) if isinstance(names, str) else names:
                    found.setdefault(name, []).append(part.lo)
        literal = {name: [x.value for x in lows if isinstance(x, t.Literal)] for name, lows in found.items()}
        return {name: min(x) for name, x in literal.items() if len(x) == len(found[name])}

    def is_heap(self, flat: Flattener, heap: Heap) -> t.Term:
        """Whether the numbers are those of a heap."""
        shape = self.game.ruleset.heap
        assert shape is not None
        env, found = self.list_parameters(flat), list[t.Term]()
        for part, value in zip(shape.parts, heap, strict=True):
            low = flat.number(part.lo, env)
            high = None if part.hi is None else flat.number(part.hi, env)
            for x in value if isinstance(value, tuple) else (value,):
                assert isinstance(x, t.Term)
                found += [at_least(x, low), *([] if high is None else [at_most(x, high)])]
        return conjunction(*found, *([] if shape.where is None else [flat.truth(shape.where, {**env, "h": heap})]))

    def weigh(self, flat: Flattener, heap: Heap) -> t.Term:
        measure = self.game.ruleset.measure
        assert measure is not None
        return flat.number(measure, {**self.list_parameters(flat), "s": (heap,)})

    def loses(self, heap: Heap) -> t.Term:
        """That the mover loses at a heap of a form that is named. Raises Unsupported for others."""
        form = self.find_form(heap)
        if form is None:
            instead = "give the heaps of that form a table [[proof.heaps]]"
            raise Unsupported("the claim asks who wins from a heap of another form than the proof's", instead=instead)
        return substitute(form.named.loses, list_names(form, heap))

    # -- moves --------------------------------------------------------------------------------------------------------
    def list_ways(self, form: HeapPattern, number: int, take: dict[str, t.Term] | None = None) -> Iterator[MoveBranch]:
        """Each way to make that kind of move from a heap of the form; with `take`, the ways that it may pick."""
        yield from explore(partial(self._play, form=form, number=number, take=take))

    def _play(self, flat: Flattener, form: HeapPattern, number: int, take: dict[str, t.Term] | None) -> MoveBranch:
        heap = form.heap
        env = {**self.list_parameters(flat), "s": (heap,)}
        # What `take` speaks of are the claim's integers: a parameter of the game may have the name of one of them.
        here = {**list_integers(self.claim), **list_names(form, heap)}
        legal, left = make_move(flat, self.game.ruleset.moves[number], heap, env, take, here)
        is_heap, before, after = self.is_heap(flat, left), self.weigh(flat, heap), self.weigh(flat, left)
        less = conjunction(at_least(before, ZERO), less_than(after, before))
        return MoveBranch(
            number, conjunction(*flat.met), legal, conjunction(*flat.owed), is_heap, less, left, self.find_form(left)
        )


def list_integers(claim: Claim) -> dict[str, Value]:
    """The integers of the claim, by their names."""
    return {v.name: t.Variable(INT, 0, 0, v.name) for v in claim.variables if v.type == INT}


def list_parameters(claim: Claim, game: Game, flat: Flattener) -> dict[str, Value]:
    """The integers of the claim, and the parameters of the game."""
    env = list_integers(claim)
    return {**env, **{name: flat.read(term, env) for name, term in game.arguments}}


def make_move(
    flat: Flattener, move: Move, heap: Heap, env: FlatEnv, take: Mapping[str, t.Term] | None, here: FlatEnv
) -> tuple[t.Term, Heap]:
    """(that a move is legal on a heap, what it leaves). `env`: what else its terms speak of.

    `take`: what is picked, over the names `here`; None: whatever may be, and that it may is known on this way.
    """
    env, legal = {**env, "mover": t.Literal(PLAYER, 0, 0, 0), move.heaps[0]: heap}, list[t.Term]()
    for pick in move.picks:
        taken = None if take is None else take[pick.name]
        value, inside = _pick(flat, pick.domain, env, f"{PICKED}{pick.name}", taken, here)
        env = {**env, pick.name: value}
        if take is None:
            flat.met += inside
        legal += inside
    if move.where is not None:
        where = flat.truth(move.where, env)
        if take is None:
            flat.met.append(where)
        legal.append(where)
    return conjunction(*legal), flat.items(move.become[0], env)


def _pick(
    flat: Flattener, domain: IntervalDomain | t.Term, env: FlatEnv, name: str, taken: t.Term | None, here: FlatEnv
) -> tuple[Value, list[t.Term]]:
    """(what is picked, that it may be). `taken`: what a named move picks, over the names `here`."""
    if found := _read_range(flat, domain, env, name, taken, here):
        return found
    if not isinstance(domain, IntervalDomain):
        values = cast("tuple[t.Term, ...]", flat.items(domain, env))
        if taken is None:
            return (values[flat.choose(len(values))], []) if values else (ZERO, [holds(False)])
        number = flat.number(taken, here)
        return number, [disjunction(*(equal(number, x) for x in values))]
    assert domain.hi is not None
    low, high = flat.read(domain.lo, env), flat.read(domain.hi, env)
    if isinstance(low, tuple) or isinstance(high, tuple):
        lows, highs = cast("tuple[t.Term, ...]", low), cast("tuple[t.Term, ...]", high)
        assert len(lows) == len(highs)  # both run over the same
        if taken is None:
            each: tuple[t.Term, ...] = tuple(t.Variable(INT, 0, 0, f"{name}.{i}") for i in range(len(lows)))
        else:
            each = cast("tuple[t.Term, ...]", flat.items(taken, here))
            if len(each) != len(lows):
                return each, [holds(False)]
        return each, [x for a, p, b in zip(lows, each, highs, strict=True) for x in (at_least(p, a), at_most(p, b))]
    low, high = cast(t.Term, low), cast(t.Term, high)
    if taken is not None:
        value = flat.number(taken, here)
        return value, [at_least(value, low), at_most(value, high)]
    if isinstance(low, t.Literal) and isinstance(high, t.Literal):
        if low.value > high.value:
            return ZERO, [holds(False)]
        return integer(low.value + flat.choose(high.value - low.value + 1)), []
    picked = t.Variable(INT, 0, 0, name)
    return picked, [at_least(picked, low), at_most(picked, high)]


def _read_range(
    flat: Flattener, domain: IntervalDomain | t.Term, env: FlatEnv, name: str, taken: t.Term | None, here: FlatEnv
) -> tuple[Value, list[t.Term]] | None:
    """As `_pick`, of {y for y in range(a, b) if ...}; None for other domains."""
    match domain:
        case t.Comprehension(
            body=t.Variable(name=word),
            clauses=(t.Clause(variable, t.Operation(op="range", args=(low, after)), conditions),),
        ) if word == variable:
            x = t.Variable(INT, 0, 0, name) if taken is None else flat.number(taken, here)
            inside = [at_least(x, flat.number(low, env)), less_than(x, flat.number(after, env))]
            return x, [*inside, *(flat.truth(c, {**env, variable: x}) for c in conditions)]
    return None


def _make_form(number: int, named: NamedHeap) -> HeapPattern:
    parts = [
        t.Variable(INT, 0, 0, x) if isinstance(x, str) else tuple(t.Variable(INT, 0, 0, name) for name in x)
        for x in named.parts
    ]
    words = (x if isinstance(x, str) else f"[{', '.join(x)}]" for x in named.parts)
    return HeapPattern(named, f"heap({', '.join(words)})", tuple(parts), number)


def list_names(form: HeapPattern, heap: Heap) -> dict[str, t.Term]:
    """The numbers of a heap of the form by the names that it gives them."""
    found: dict[str, t.Term] = {}
    for names, value in zip(form.named.parts, heap, strict=True):
        if isinstance(names, str):
            found[names] = cast(t.Term, value)
        else:
            found |= dict(zip(names, cast("tuple[t.Term, ...]", value), strict=True))
    return found


def refuse_games(game: Game) -> None:
    """Raises Unsupported for a game that the rule does not follow."""
    ruleset = game.ruleset
    assert ruleset.heap is not None  # which the reader of the section refuses
    if len(ruleset.players) != 2 or not ruleset.impartial or ruleset.stuck_wins:
        raise Unsupported(f"{ruleset.id}: the rule is about two players with the same moves, in normal play")
    if ruleset.heap.gone is not None:
        raise Unsupported(f"{ruleset.id}: the rule does not follow heaps that vanish")
    if any(move.choose != "any" or len(move.heaps) != 1 or len(move.become) != 1 for move in ruleset.moves):
        raise Unsupported(f"{ruleset.id}: the rule follows moves that make one heap of any one")
    for p in ruleset.parameters:
        if p.kind != "int":
            instead = f"write a ruleset for one {p.kind}, with its members in the rules"
            raise Unsupported(f"{ruleset.id}: the rule reads no {p.kind} as parameter {p.name}", instead=instead)
