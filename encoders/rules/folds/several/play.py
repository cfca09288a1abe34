"""Moves that choose several heaps: any legal one, and those that the proof names.

The heaps are taken out of a position one after another.  They are as many heaps of it, for what is left is a position
of the others: a heap that is there twice can be picked twice, one that is there once cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.walk import free_names
from claims.language.statement.claim import Game
from encoders.answer import Unsupported
from encoders.logic.moves import OpenMove, open_several
from encoders.logic.reader import Env
from encoders.logic.terms import ONE, YES, ZERO, at_least, at_most, both, compare, equal, implies
from encoders.rules.folds.numbers.places import any_place, has, is_highest
from encoders.rules.folds.reading.positions import AnyFold, Fold, Position
from encoders.rules.folds.reading.theory import Theory
from encoders.rules.folds.several.columns import Column
from encoders.rules.folds.several.section import Case, LongMove, Pick, heap_name, place_name, rest_name

Takes = tuple[Mapping[str, t.Term], ...]


# -- any legal move ---------------------------------------------------------------------------------------------------
def play_on(
    theory: Theory, move: OpenMove, heaps: tuple[t.Term, ...], takes: Takes | None
) -> tuple[t.Term, tuple[t.Term, ...], t.Term]:
    """A move on these heaps: (it is legal, the new sizes, the condition that these are what the rules make of them).

    `takes` None: the numbers picked are free within their ranges.  The new sizes are fresh; that a legal move leaves
    none below 0 and none beyond the bound are obligations of their own (measure, sizes).
    """
    env: dict[str, object] = {**theory.root, **dict(zip(move.heaps, heaps, strict=True))}
    own = 1 + max((pick.heap for pick in move.picks), default=0)
    if takes is not None and len(takes) != own:
        raise Unsupported(f"a named move says {len(takes)} times what is picked, and not {own} times")
    legal: list[t.Term] = []
    for pick in move.picks:
        low, high = theory.number(pick.lo, env), theory.number(pick.hi, env)
        if takes is None:
            env[pick.name], inside = theory.within(pick.word, low, high)
            legal.append(inside)
            continue
        take = takes[pick.heap]
        if pick.word not in take:
            raise Unsupported(f"a named move does not say what {pick.word} is")
        env[pick.name] = take[pick.word]
        legal += [at_least(take[pick.word], low), at_most(take[pick.word], high)]
    if move.where is not None:
        legal.append(theory.truth(move.where, env))
    sizes = tuple(theory.size("new size") for _ in heaps)
    made = (equal(size, theory.number(x, env)) for size, x in zip(sizes, move.becomes, strict=True))
    return both(*legal), sizes, both(*made)


def take_out(
    theory: Theory, s: Position, where: t.Term, count: int
) -> Iterator[tuple[t.Term, tuple[t.Term, ...], Position]]:
    """The ways to single out so many heaps of s: (they are there, the heaps, the rest)."""
    if count == 0:
        yield YES, (), s
        return
    for taken, rest in theory.take_from(s, where):
        for there, heaps, left in take_out(theory, rest, where, count - 1):
            yield both(taken.present, there), (taken.heap, *heaps), left


def put_back(theory: Theory, rest: Position, sizes: tuple[t.Term, ...]) -> Position:
    """The rest with heaps of these sizes beside it; none for a 0."""
    for size in sizes:
        rest = theory.after(rest, size)
    return rest


# -- named moves ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class Stage:
    """A named move on its way: `heaps` are picked where `where` holds, `rest` is what remains, `env` what has names."""

    where: t.Term
    heaps: tuple[t.Term, ...]
    rest: Position
    env: Env


def start_at(theory: Theory, s: Position) -> Stage:
    """At a position, before any heap is picked."""
    return Stage(YES, (), s, theory.seen(s))


def enter(theory: Theory, case: Case, stage: Stage) -> Stage:
    """The same where the case holds."""
    return replace(stage, where=both(stage.where, theory.truth(case.when, stage.env)))


def pick_at(theory: Theory, case: Case, stage: Stage) -> list[Stage]:
    """The ways to pick the heap of the case, which has been entered; itself if it picks none."""
    if case.pick is None:
        return [stage]
    number = len(stage.heaps) + 1
    premise = premise_of(theory, case.pick, stage)
    where = both(stage.where, premise)
    place = _place(theory, case.pick, stage, premise)
    found = []
    for taken, rest in theory.take_from(stage.rest, where):
        granted = _granted(theory, case.pick, number, taken.heap, place)
        listed = stage.rest.listed is not None
        if not listed:
            theory.known.append(implies(where, granted))
        names: dict[str, object] = {heap_name(number): taken.heap}
        if place is not None:
            names[place_name(number)] = place
        names |= {rest_name(name, number): rest.fold(fold) for name, fold in _folds(theory).items()}
        there = both(where, taken.present, granted) if listed else where
        found.append(Stage(there, (*stage.heaps, taken.heap), rest, {**names, **stage.env}))
    return found


def ways_of(theory: Theory, named: LongMove, s: Position) -> Iterator[tuple[Stage, Takes]]:
    """The ways to make a named move at s, each with the numbers picked."""
    yield from _follow(theory, named.case, start_at(theory, s))


def _follow(theory: Theory, case: Case, stage: Stage) -> Iterator[tuple[Stage, Takes]]:
    for after in pick_at(theory, case, enter(theory, case, stage)):
        for inner in case.then:
            yield from _follow(theory, inner, after)
        if not case.then:
            yield after, takes_of(theory, case, after)


def takes_of(theory: Theory, case: Case, stage: Stage) -> Takes:
    """The numbers that are picked at the end of a named move, by the ruleset's names."""
    return tuple({name: theory.number(term, stage.env) for name, term in take} for take in case.takes)


def kind_of(game: Game, mover: int, heaps: int) -> OpenMove:
    """The kind of move that chooses so many heaps. Raises Unsupported if there is none or more than one."""
    found = [move for move in open_several(game, mover) if len(move.heaps) == heaps]
    if len(found) != 1:
        problem = "no kind of move" if not found else f"{len(found)} kinds of moves"
        raise Unsupported(f"a named move picks {heaps} heaps: {game.ruleset.id} has {problem} on so many")
    return found[0]


# -- picks ------------------------------------------------------------------------------------------------------------
def premise_of(theory: Theory, pick: Pick, stage: Stage) -> t.Term:
    """That what remains has such a heap: trusted facts, see docs/proof-rules.md."""
    if pick.top is not None:
        return compare("ne", _top(theory, pick.top, stage.env), ZERO)
    count = theory.heaps if pick.having is None else theory.count(pick.having, heap_name(len(stage.heaps) + 1))
    return at_least(stage.rest.fold(count), ONE)


def _place(theory: Theory, pick: Pick, stage: Stage, premise: t.Term) -> t.Variable | None:
    """The highest place of what the pick names, where that is not 0; None for a pick that names nothing."""
    if pick.top is None:
        return None
    place, single = any_place(theory.symbols, theory.highest)
    highest = is_highest(place, _top(theory, pick.top, stage.env))
    theory.known.append(implies(premise, both(single, highest)))
    return place


def _granted(theory: Theory, pick: Pick, number: int, heap: t.Term, place: t.Variable | None) -> t.Term:
    """What the pick grants of its heap, the one of that number."""
    if place is not None:
        return has(heap, place)
    return YES if pick.having is None else theory.count(pick.having, heap_name(number)).contributes(heap)


def _top(theory: Theory, top: t.Term, env: Env) -> t.Term:
    """What the pick names. Raises Unsupported for what may be negative or beyond the bound."""
    found = theory.number(top, env)
    if not theory.is_size(found):
        raise Unsupported(f"the top bit of {text(top)}, which may leave {theory.sizes}")
    return found


def _folds(theory: Theory) -> dict[str, AnyFold]:
    """The folds that the proof itself names."""
    named = ((fold.name, theory.named.get(fold.name)) for fold in theory.proof.folds)
    return {name: fold for name, fold in named if fold is not None}


def digits_of(theory: Theory, top: t.Term, out: int) -> dict[str, AnyFold]:
    """The folds in what a pick names, by what they are called when so many heaps are out.

    Raises Unsupported for others than nim-sums of all heaps and columns: of those a 1 is known to come from a heap.
    """
    called = set(free_names(top))
    found = {rest_name(name, out): fold for name, fold in _folds(theory).items()}
    for name, fold in found.items():
        if name in called and not (isinstance(fold, Column) or (isinstance(fold, Fold) and fold.plain)):
            raise Unsupported(f"the top bit of {text(top)}: {name} is neither the nim-sum of all heaps nor columns")
    return {name: fold for name, fold in found.items() if name in called}
