"""What a proof over the places of lists has to show, as terms over integers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from claims.language.expressions.printing import print_term
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.kinds import ObligationLabel
from encoders.ground.refusals import Unsupported
from encoders.logic.moves import parameter_bounds
from encoders.logic.terms import ZERO, at_least, conjunction, disjunction, holds, implies, is_plain, less_than, negation
from encoders.rules.kit.common import DEFINED, PARAMETERS, refuse_variable
from encoders.rules.kit.turns import COVERED, LEGAL, TO_LOSS
from encoders.rules.parts.one.flat import FlatEnv, Flattener, Value
from encoders.rules.parts.places.board import PlacesMoveBranch
from encoders.rules.parts.places.changes import AnyPosition, AtChange
from encoders.rules.parts.places.folds import PLACE, PlaceFold, says_alone, see_alone
from encoders.rules.parts.places.kinds import (
    CHANGES,
    CLOSED,
    EXISTS,
    FOLLOWS,
    NATURAL,
    PLAYED,
    REACHED,
    SMALLER,
    TERMS,
)
from encoders.rules.parts.places.lists import Heap, OnOneWay
from encoders.rules.parts.places.section import PlaceChoice, PlacesMove
from encoders.rules.parts.places.theory import PlacesTheory, Spot, find_aim

LabelledGoal = tuple[ObligationLabel, t.Term, t.Term]
"""An obligation: what is assumed, what is shown."""


def list_obligations(theory: PlacesTheory) -> Iterator[LabelledGoal]:
    """In the order in which they are best read. Raises Unsupported."""
    bounds = conjunction(*parameter_bounds(theory.board.game))
    if not is_plain(bounds, True):
        yield PARAMETERS.of(of=f" of {theory.board.game.ruleset.id}"), holds(True), bounds
    for name, fold in theory.folds.items():
        yield about_terms(theory, name, fold)
    yield from about_measure(theory)
    for number in range(len(theory.board.game.ruleset.moves)):
        yield from about_move(theory, number)
    yield from about_winning(theory)
    yield from about_claim(theory)


# -- the game ---------------------------------------------------------------------------------------------------------
def about_terms(theory: PlacesTheory, name: str, fold: PlaceFold, natural: bool = False) -> LabelledGoal:
    """Whatever a place of a heap adds has a value. `natural`: which is not below 0."""
    heap, flat = theory.make_heap(), OnOneWay()
    place = None if fold.low is None else t.Variable(INT, 0, 0, PLACE)
    there, added = theory.board.add_at(flat, fold, heap, place)
    inside = (implies(there, at_least(added, ZERO)),) if natural else ()
    return TERMS.of(name=name), theory.known_of(heap), conjunction(*flat.owed, *inside)


def about_measure(theory: PlacesTheory) -> Iterator[LabelledGoal]:
    """Each fold that the measure is made of."""
    heap = theory.make_heap()
    change = theory.change(heap, heap)
    _weigh(theory, AtChange(change, is_after=False), OnOneWay())
    for i, fold in enumerate(change.folds.values()):
        yield about_terms(theory, "the measure" if i == 0 else f"the measure, {i + 1}", fold, natural=True)


def _weigh(theory: PlacesTheory, position: AtChange, flat: OnOneWay) -> t.Term:
    measure = theory.board.game.ruleset.measure
    assert measure is not None
    return flat.number(measure, {**theory.board.list_parameters(flat), "s": position})


def list_moves(theory: PlacesTheory, number: int) -> Iterator[tuple[str, Heap, PlacesMoveBranch]]:
    """Each way to make a move, in words, without those that nobody can go: each of a heap of its own."""
    ways = list(theory.board.list_ways(theory.make_heap(), number))
    for i, found in enumerate(ways):
        if not (is_plain(found.met, False) and is_plain(found.owed, True)):
            heap = theory.make_heap()
            way = list(theory.board.list_ways(heap, number))[i]
            yield f"{number + 1}" + (f", way {i + 1}," if i else ""), heap, way


def about_move(theory: PlacesTheory, number: int) -> Iterator[LabelledGoal]:
    """A kind of move, on each way: it leaves a heap, less by the measure, and no loss from a loss, or another value."""
    kind = CHANGES if theory.proof.loses is None else CLOSED
    for words, heap, way in list_moves(theory, number):
        yield PLAYED.of(number=words), theory.known_of(heap), conjunction(way.owed, implies(way.met, way.is_heap))
        yield SMALLER.of(number=words), *_makes_less(theory, heap, way)
        show = theory.is_left(*theory.see_both(theory.change(heap, way.left)))
        yield kind.of(number=words), conjunction(theory.known_of(heap), way.met), show


def _makes_less(theory: PlacesTheory, heap: Heap, way: PlacesMoveBranch) -> tuple[t.Term, t.Term]:
    """What each place adds to the measure is natural, so what all others add is."""
    change, flat = theory.change(heap, way.left), OnOneWay()
    before, after = (_weigh(theory, AtChange(change, is_after=x), flat) for x in (False, True))
    rests = (at_least(rest, ZERO) for rest in change.rests.values())
    show = conjunction(*flat.owed, at_least(before, ZERO), less_than(after, before))
    return conjunction(theory.known_of(heap), way.met, *rests), show


# -- who wins ---------------------------------------------------------------------------------------------------------
def about_winning(theory: PlacesTheory) -> Iterator[LabelledGoal]:
    """That moves are named wherever one has to be, and lead to where they are to lead."""
    at, pick = theory.see(theory.anywhere()), theory.proof.pick
    if theory.proof.value is not None:
        yield NATURAL.of(), holds(True), at_least(theory.value(at), ZERO)
    if pick is None:
        yield COVERED.of(), holds(True), negation(theory.start(at))
        return
    aim = find_aim(pick)
    yield EXISTS.of(), theory.start(at), conjunction(at_least(aim, ZERO), less_than(aim, at[pick.name]))
    heap = theory.make_heap()
    spot = Spot(theory, pick, heap, heap)
    covered, known = disjunction(*(spot.meets(move) for move in theory.proof.moves)), spot.known()
    yield COVERED.of(), conjunction(theory.known_of(heap), known), spot.settle(covered)
    for i, named in enumerate(theory.proof.moves, 1):
        yield from about_reply(theory, pick, i, named)


def about_reply(theory: PlacesTheory, pick: PlaceChoice, number: int, named: PlacesMove) -> Iterator[LabelledGoal]:
    """A named move, on each way that it may go: it is legal, and leads to a loss or to the smaller value."""
    kind = REACHED if theory.proof.loses is None else TO_LOSS
    heap = theory.make_heap()
    for at, _ in enumerate(Spot(theory, pick, heap, heap).list_ways(named)):
        words, own = f"{number}.{at}" if at else str(number), theory.make_heap()
        way = list(Spot(theory, pick, own, own).list_ways(named))[at]
        spot = Spot(theory, pick, own, way.left)
        known = conjunction(spot.meets(named), spot.known(), way.met)
        known = spot.settle(conjunction(theory.known_of(own), known))
        yield LEGAL.of(number=words), known, spot.settle(way.legal)
        yield (
            kind.of(number=words),
            spot.settle(conjunction(known, way.legal)),
            spot.settle(theory.is_reached(spot.after)),
        )


# -- the claim --------------------------------------------------------------------------------------------------------
def about_claim(theory: PlacesTheory) -> Iterator[LabelledGoal]:
    """That it has a value, and that it follows."""
    for v in theory.claim.variables:
        if not (v.type == INT or v.type.is_position):
            raise refuse_variable(v)
    position = theory.anywhere()
    flat = OnOneWay((), partial(_answer, theory, position))
    env: dict[str, Value] = {**theory.integers, **{v.name: position for v in theory.claim.variables if v.type != INT}}
    named = next((t.Variable(v.type, 0, 0, v.name) for v in theory.claim.variables if v.type.is_position), None)
    alone = False  # whether a hypothesis has said that there is one heap
    for x in () if theory.claim.hypothesis is None else t.conjuncts(theory.claim.hypothesis):
        flat.met.append(flat.truth(see_alone(x, named) if alone and named else x, env))
        alone = alone or (named is not None and says_alone(x, named.name))
    conclusion = theory.claim.conclusion
    show = flat.truth(see_alone(conclusion, named) if alone and named else conclusion, env)
    unnamed = [fold for key, fold in position.folds.items() if key not in {x.key for x in theory.folds.values()}]
    for i, fold in enumerate(unnamed):
        yield about_terms(theory, "the claim" if i == 0 else f"the claim, {i + 1}", fold)
    yield DEFINED.of(words="the claim"), holds(True), conjunction(*flat.owed)
    yield FOLLOWS.of(), conjunction(*flat.met), show


def _answer(theory: PlacesTheory, position: AnyPosition, flat: Flattener, term: t.GameCall, env: FlatEnv) -> t.Term:
    """What a question about the game comes to, by what the proof says. Raises Unsupported."""
    asked = term.args[0]
    if not isinstance(asked, t.Variable) or env.get(asked.name) is not position:
        words = f"{print_term(term, theory.board.game.ruleset.players)}: the rule is about the position of the claim"
        raise Unsupported(words, instead="let the claim have one variable for a position, and ask about that")
    at = theory.see(position)
    if term.function == "wins":
        return negation(theory.loses(at))
    if term.function == "grundy" and theory.proof.value is not None:
        return theory.value(at)
    words = (
        f"{print_term(term, theory.board.game.ruleset.players)}: "
        "the rule is about who wins, and with `value` about grundy"
    )
    raise Unsupported(words, instead="say it by wins(s)")
