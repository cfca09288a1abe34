"""Moves on positions of any number of heaps: an arbitrary legal move, and the named moves of the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from claims.language.files.claim import Game
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, structural_key
from claims.language.syntax.terms import INT
from encoders.logic.moves import OpenMove, format_pick_name, has_several_heaps, open_moves, open_several, refuse_picks
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    at_least,
    at_most,
    compare,
    conjunction,
    disjunction,
    equal,
    implies,
    less_than,
    negation,
    nim,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ObligationBuilder
from encoders.rules.base.shape import LARGEST, LEAST
from encoders.rules.base.turns import MoveNames, MoverPair
from encoders.rules.folds.folding import FoldsTheory
from encoders.rules.folds.kinds import CLOSED, CLOSED_ON, ONE_OF_A_HEAP
from encoders.rules.folds.numbers import NO_SIZES, has, is_highest, make_place
from encoders.rules.folds.positions import EFFECTS, NIM_SUM, AnyFold, ColumnFold, Fold, Position, changes
from encoders.rules.folds.section import (
    PICKED_HEAP,
    FoldsMove,
    FoldsProof,
    HeapChoice,
    LongMove,
    MoveCase,
    NextHeapChoice,
    heap_name,
    make_rest_name,
    place_name,
)
from encoders.trust import ObligationLabel, Reason

# == moves ============================================================================================================
# Moves on one heap of a position of any number of heaps: an arbitrary legal move, and the moves that the proof names.
_EXTREMES = {LARGEST: Reason.LARGEST, LEAST: Reason.SMALLEST}
Property = Callable[[t.Term], t.Term]
Take = Mapping[str, t.Term]
"""The numbers picked, by the ruleset's names."""


def playable(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """Return the kinds of moves of a player in a game whose moves turn one heap into at most one heap.

    Raises Unsupported for other games.
    """
    if has_several_heaps(game.ruleset):
        raise Unsupported(f"{game.ruleset.id}: the rule supports only moves that turn one heap into at most one heap")
    return open_moves(game, mover)


def play(
    theory: FoldsTheory, move: OpenMove, heap: t.Term, rest: Position, take: Take | None
) -> tuple[t.Term, t.Term, t.Term]:
    """Return (legal, size, made) for a move on `heap`, where `rest` are the other heaps.

    `legal`: the condition that the move is legal.
    `size`: the new size of the heap, as a fresh variable.
    `made`: the condition that the move leaves a heap of this size.
    `take`: the numbers picked; None for new variables. `legal` states that the numbers are in their ranges.

    The obligation *measure* shows separately that a legal move leaves a size of at least 0.
    """
    picked = pick_freely(theory, move, (heap,)) if take is None else take
    legal, (becomes,) = outcome_of(theory, move, (heap,), picked, rest)
    size = theory.size("new size")
    made = equal(size, becomes)
    for name in theory.cuts.changing:
        changed = changes(nim_sum_of(theory, name), heap, size)
        theory.assume(Reason.MOVED, implies(conjunction(at_least(heap, ONE), legal, made), changed))
    return legal, size, made


def pick_freely(theory: FoldsTheory, move: OpenMove, heaps: tuple[t.Term, ...]) -> Take:
    """Return variables for the picks of a move on these heaps. The ranges of the picks are not assumed."""
    env: dict[str, object] = {**theory.root, **dict(zip(move.heaps, heaps, strict=True))}
    take: dict[str, t.Term] = {}
    for pick in move.picks:
        low, high = theory.number(pick.lo, env), theory.number(pick.hi, env)
        take[pick.word], _ = theory.make_number(pick.word, low, high)
        env[pick.name] = take[pick.word]
    return take


def outcome_of(
    theory: FoldsTheory, move: OpenMove, heaps: tuple[t.Term, ...], take: Take, rest: Position | None = None
) -> tuple[t.Term, tuple[t.Term, ...]]:
    """Return the condition that the move with these picks is legal on the heaps, and the new sizes of the heaps.

    `rest`: for a move on one heap, the other heaps, because the rules may require a largest or smallest heap. None for
    a move on several heaps.
    Raises Unsupported.
    """
    env: dict[str, object] = {**theory.root, **dict(zip(move.heaps, heaps, strict=True))}
    legal = [] if rest is None else [may_choose(theory, move, heaps[0], rest)]
    for pick in move.picks:
        low, high = theory.number(pick.lo, env), theory.number(pick.hi, env)
        assert pick.word in take or pick.is_known  # `kinds_of` excludes other moves
        found = env[pick.name] = take.get(pick.word, low)
        legal += [at_least(found, low), at_most(found, high)]
    if move.where is not None:
        legal.append(theory.truth(move.where, env))
    return conjunction(*legal), tuple(theory.number(x, env) for x in move.becomes)


def may_choose(theory: FoldsTheory, move: OpenMove, heap: t.Term, rest: Position) -> t.Term:
    """Return the condition that the move may choose this heap. `rest`: the position of the other heaps.

    The rules may require a largest heap, a smallest heap, or no particular heap.
    """
    if move.choose == "largest":
        return at_least(heap, rest.fold(theory.extreme(LARGEST)))
    if move.choose == "smallest":
        least = rest.fold(theory.extreme(LEAST))
        return disjunction(equal(least, ZERO), at_most(heap, least))
    return YES


def kinds_of(named: FoldsMove, game: Game, mover: int) -> tuple[OpenMove, ...]:
    """Return the player's kinds of moves with the picks of the named move; none if the named move is the opponent's.

    A named move may omit a pick for which only one number is possible.
    """
    names = dict(named.take)
    return tuple(x for x in playable(game, mover) if named.player in (None, mover) and x.picks_by(names))


def play_named(
    theory: FoldsTheory, named: FoldsMove, move: OpenMove, s: Position, where: t.Term, heap: t.Term, rest: Position
) -> tuple[t.Term, t.Term, t.Term]:
    """Return (legal, size, made), as `play` does, for a named move on the heap `heap` of s. The other heaps are `rest`.

    `where`: the condition under which the named move picks this heap.
    """
    legal, size, made = play(theory, move, heap, rest, take_of(theory, named, s, heap, rest))
    for who, name, effect in theory.cuts.doing:
        if who is named:
            done = has_effect(theory, s, name, effect, heap, size)
            theory.assume(Reason.MOVED, implies(conjunction(where, legal, made), done))
    return legal, size, made


def has_effect(theory: FoldsTheory, s: Position, name: str, effect: str, heap: t.Term, size: t.Term) -> t.Term:
    """Return the condition that changing a heap of s to `size` has the effect on the nim-sum called `name`.

    `effect`: a key of EFFECTS, which describes the effect in words.
    """
    fold = nim_sum_of(theory, name)
    return EFFECTS[effect](fold, s.fold(fold), heap, size)


def picks_of(theory: FoldsTheory, named: HeapChoice, s: Position) -> list[tuple[t.Term, t.Term, Position]]:
    """Return (condition, heap, rest) for each way to pick a heap at s.

    `condition`: the heap is picked. `rest`: the other heaps. If the heaps of s are not listed, there is one way, and
    the picked heap is assumed to have the required property.
    """
    premise, property_ = pick_of(theory, named, s)
    where = conjunction(theory.truth(named.when, theory.fold_values(s)), premise)
    found = theory.take_from(s, where, named)
    if s.listed is not None:
        return [(conjunction(where, x.present, property_(x.heap)), x.heap, rest) for x, rest in found]
    ((picked, rest),) = found
    theory.assume(find_reason(named), implies(where, property_(picked.heap)))
    return [(where, picked.heap, rest)]


def find_reason(named: HeapChoice) -> Reason:
    """Return the reason, for reports, why there is a heap of the kind that the choice asks for."""
    return Reason.TOP_BIT if named.top_bit else _EXTREMES.get(named.extreme, Reason.COUNTED)


def pick_of(theory: FoldsTheory, named: HeapChoice, s: Position) -> tuple[t.Term, Property]:
    """Return (1) a condition under which there is a heap to pick at s, and (2) the property of the picked heap.

    The rule trusts that a heap with the property exists if the condition holds; docs/rules/folds.md gives the argument.
    """
    if named.top_bit:
        added, aim = nim_sum_of(theory, named.top_bit), aim_of(theory, named)
        whole = s.fold(added)

        def changes_top_bit(h: t.Term) -> t.Term:
            changed = nim(added.of(h), whole) if aim is None else nim(nim(added.of(h), whole), aim)
            return conjunction(added.contributes(h), less_than(changed, added.of(h)))

        return compare("ne", whole, ZERO) if aim is None else less_than(aim, whole), changes_top_bit
    if named.extreme:
        utmost = s.fold(theory.extreme(named.extreme))
        return at_least(s.fold(theory.heaps), ONE), lambda h: equal(h, utmost)
    count = theory.heaps if named.having is None else theory.count(named.having, PICKED_HEAP)
    return at_least(s.fold(count), ONE), count.contributes


def aim_of(theory: FoldsTheory, named: HeapChoice) -> t.Term | None:
    """Return the number k of a pick "top bit of X ^ k"; None for a pick "top bit of X".

    The move changes the nim-sum X to k, or to 0 if there is no k. A negative k counts as 0.
    Raises Unsupported if k may exceed the bound on sizes.
    """
    if named.aim is None:
        return None
    found = theory.natural(theory.number(named.aim, theory.root))
    if not theory.is_size(found):
        aimed = print_term(nim(t.Variable(INT, 0, 0, named.top_bit), named.aim))
        raise Unsupported(
            f"no heap can be chosen at the top bit of {aimed}, because {print_term(named.aim)} may be outside "
            f"{theory.sizes}",
            instead=NO_SIZES,
        )
    return found


def nim_sum_of(theory: FoldsTheory, name: str) -> Fold:
    """Return the fold that the proof calls `name`. Raises Unsupported unless it is a nim-sum."""
    fold = theory.named.get(name)
    if not isinstance(fold, Fold) or fold.reducer != NIM_SUM:
        instead = 'choose the heap by a property, as in heap = "any with h >= 2"'
        raise Unsupported(f"no heap can be chosen at the top bit of {name}, which is not a nim-sum", instead=instead)
    return fold


def take_of(theory: FoldsTheory, named: FoldsMove, s: Position, heap: t.Term, rest: Position) -> dict[str, t.Term]:
    """Return the numbers that a named move picks at s, by the names in the ruleset.

    `heap`, `rest`: the picked heap of s, and the position of the other heaps.
    """
    env = theory.bind_pick(s, heap, rest)
    return {name: theory.number(term, env) for name, term in named.take}


Played = tuple[t.Term, t.Term, Position]
"""A triple for one kind of move that a named move may be.

The condition that the move is legal; the condition that the move leads to the position; the position.
"""


def pose_some_to_loss(q: FoldsTheory, turn: MoverPair, known: tuple[t.Term, ...], played: list[Played]) -> Entailment:
    """Return the obligation that one of the kinds of moves is legal and leads to a loss of the next player.

    The obligation assumes `known`, and that at least one of the kinds of moves is legal.
    """
    if len(played) == 1:
        ((legal, made, after),) = played
        return Entailment((*known, legal, made), q.loses(after, turn.following))
    there = disjunction(*(legal for legal, _, _ in played))
    makes = tuple(implies(legal, made) for legal, made, _ in played)
    return Entailment(
        (*known, there, *makes),
        disjunction(*(conjunction(x, q.loses(after, turn.following)) for x, _, after in played)),
    )


# -- where moves are named --------------------------------------------------------------------------------------------
def start(q: FoldsTheory, turn: MoverPair, at_loss: bool) -> tuple[Position, tuple[t.Term, ...]]:
    """Return an arbitrary position that the mover loses (`at_loss`) or does not lose, with the assumptions about it.

    In misère play, a position that the mover does not lose is assumed to have a heap: without heaps the mover wins at
    once.
    """
    s = q.position("s")
    if at_loss:
        return s, (q.loses(s, turn.mover),)
    some = (at_least(s.fold(q.heaps), ONE),) if turn.game.ruleset.stuck_wins else ()
    return s, (negation(q.loses(s, turn.mover)), *some)


def build_cover(turn: MoverPair, whens: list[t.Term], at_loss: bool) -> Callable[[FoldsTheory], Entailment]:
    """Return a builder of an obligation that named moves cover all positions that need such a move.

    These are the positions that the mover loses (`at_loss`), or all other positions. The obligation states that at each
    of them the condition of some named move holds.
    `whens`: the conditions of the named moves.

    In misère play, a player who cannot move wins. If this may happen although heaps are left (`turn.stuck`), the
    obligation about positions that the mover does not lose assumes that the mover has a move.
    """

    def ask(q: FoldsTheory) -> Entailment:
        s, known = start(q, turn, at_loss)
        if turn.stuck and not at_loss:
            known = (*known, q.some_option(turn.game, s, turn.mover, lambda _: YES))
        return Entailment(known, disjunction(*(q.truth(when, q.fold_values(s)) for when in whens)))

    return ask


# == play =============================================================================================================
# Moves on several heaps: an arbitrary legal move, the moves that the proof names, and the obligations of who wins.
#
# The heaps are picked one after another, each from the position of the remaining heaps.  So two equal
# heaps can both be picked, but one heap cannot be picked twice.
#
# The obligations are as for moves on one heap.  "Closed" is posed for each number of heaps that a move may choose.
# The conditions of the named moves cover all positions.  For each named move: there is a heap to pick, the inner cases
# cover all positions, the move is legal, and it leads to a loss.
# -- any legal move ---------------------------------------------------------------------------------------------------
def play_on(
    theory: FoldsTheory, move: OpenMove, heaps: tuple[t.Term, ...], take: Take | None
) -> tuple[t.Term, tuple[t.Term, ...], t.Term]:
    """Return (legal, sizes, made) for a move on several heaps, as `play` does for one heap.

    `take`: the numbers picked; None for new variables. `legal` states that the numbers are in their ranges.

    The new sizes are fresh variables. The obligations *measure* and *sizes* show separately that a legal move leaves
    only sizes of at least 0 and within the bound.
    """
    picked = pick_freely(theory, move, heaps) if take is None else take
    legal, becomes = outcome_of(theory, move, heaps, picked)
    sizes = tuple(theory.size("new size") for _ in becomes)
    return legal, sizes, conjunction(*(equal(size, x) for size, x in zip(sizes, becomes, strict=True)))


def take_out(
    theory: FoldsTheory, s: Position, where: t.Term, count: int
) -> Iterator[tuple[t.Term, tuple[t.Term, ...], Position]]:
    """Yield (condition, heaps, rest) for each way to pick `count` heaps of s.

    `condition`: the picked heaps are present. `rest`: the position of the other heaps.
    `where`: the condition under which s has these heaps, if the heaps of s are not listed.
    """
    if count == 0:
        yield YES, (), s
        return
    for taken, rest in theory.take_from(s, where):
        for there, heaps, left in take_out(theory, rest, where, count - 1):
            yield conjunction(taken.present, there), (taken.heap, *heaps), left


def put_back(theory: FoldsTheory, rest: Position, sizes: tuple[t.Term, ...]) -> Position:
    """Return `rest` with heaps of these sizes added; a size of 0 adds no heap."""
    for size in sizes:
        rest = theory.extend_rest(rest, size)
    return rest


# -- named moves ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class PartialMove:
    """A named move after some of its heaps have been picked.

    `where`: the condition under which these heaps are picked.
    `heaps`: the picked heaps.
    `rest`: the position of the other heaps.
    `env`: the values of the names that the next choice may use.
    """

    where: t.Term
    heaps: tuple[t.Term, ...]
    rest: Position
    env: Env


def start_at(theory: FoldsTheory, s: Position) -> PartialMove:
    """Return the stage of a named move at s before any heap is picked."""
    return PartialMove(YES, (), s, theory.fold_values(s))


def enter(theory: FoldsTheory, case: MoveCase, stage: PartialMove) -> PartialMove:
    """Return the stage with the additional condition that `when` of the case holds."""
    return replace(stage, where=conjunction(stage.where, theory.truth(case.when, stage.env)))


def pick_at(theory: FoldsTheory, case: MoveCase, stage: PartialMove) -> list[PartialMove]:
    """Return the stages of a named move after the heap of a case is picked; only `stage` if the case picks no heap.

    If the remaining heaps are listed, there is one stage for each of them. Otherwise there is one stage, with an
    arbitrary heap that is assumed to have the property that the choice requires.
    """
    if case.pick is None:
        return [stage]
    number = len(stage.heaps) + 1
    premise = premise_of(theory, case.pick, stage)
    where = conjunction(stage.where, premise)
    place = _place(theory, case.pick, stage, premise)
    found = []
    for taken, rest in theory.take_from(stage.rest, where):
        granted = state_pick_condition(theory, case.pick, number, taken.heap, place)
        listed = stage.rest.listed is not None
        if not listed:
            theory.assume(Reason.COUNTED if place is None else Reason.COLUMN, implies(where, granted))
        there = conjunction(where, taken.present, granted) if listed else where
        found.append(replace(add_pick(theory, stage, taken.heap, rest, place), where=there))
    return found


def add_pick(
    theory: FoldsTheory, stage: PartialMove, heap: t.Term, rest: Position, place: t.Variable | None
) -> PartialMove:
    """Return the stage with one more picked heap, under the same condition. `rest`: the other heaps.

    `place`: the binary place at which the heap is picked; None for other choices.
    """
    number = len(stage.heaps) + 1
    names: dict[str, object] = {heap_name(number): heap}
    if place is not None:
        names[place_name(number)] = place
    names |= {make_rest_name(name, number): rest.fold(fold) for name, fold in _folds(theory).items()}
    return PartialMove(stage.where, (*stage.heaps, heap), rest, {**names, **stage.env})


def ways_of(theory: FoldsTheory, named: LongMove, s: Position) -> Iterator[tuple[PartialMove, Take]]:
    """Yield the ways to make a named move at s: the stage after all heaps are picked, and the numbers picked."""
    yield from _follow(theory, named.case, start_at(theory, s))


def _follow(theory: FoldsTheory, case: MoveCase, stage: PartialMove) -> Iterator[tuple[PartialMove, Take]]:
    for after in pick_at(theory, case, enter(theory, case, stage)):
        for inner in case.then:
            yield from _follow(theory, inner, after)
        if not case.then:
            yield after, take_at(theory, case, after)


def take_at(theory: FoldsTheory, case: MoveCase, stage: PartialMove) -> Take:
    """Return the numbers that a named move picks, by the names in the ruleset.

    Raises Unsupported if the number of tables `take` is neither 1 nor the number of picked heaps.
    """
    if len(case.takes) not in (1, len(stage.heaps)):
        instead = "write `take` as one table, or as a list with one table for each heap"
        words = f"a named move chooses {len(stage.heaps)} heap{'s' * (len(stage.heaps) != 1)}"
        raise Unsupported(f"{words} but has {len(case.takes)} tables `take`", instead=instead)
    each = enumerate(case.takes)
    return {format_pick_name(name, i): theory.number(term, stage.env) for i, take in each for name, term in take}


def kinds_on(game: Game, mover: int, heaps: int, take: Take) -> tuple[OpenMove, ...]:
    """Return the player's kinds of moves on `heaps` heaps with these picks. Raises Unsupported if there is none."""
    found = tuple(x for x in open_several(game, mover) if len(x.heaps) == heaps and x.picks_by(take))
    if not found:
        raise refuse_picks("a named move", take, game.ruleset, heaps)
    return found


# -- picks ------------------------------------------------------------------------------------------------------------
def premise_of(theory: FoldsTheory, pick: NextHeapChoice, stage: PartialMove) -> t.Term:
    """Return a condition under which the remaining heaps contain a heap to pick.

    The rule trusts that there is such a heap if the condition holds; docs/rules/folds.md gives the argument.
    """
    if pick.top is not None:
        return compare("ne", top_of(theory, pick.top, stage.env), ZERO)
    count = theory.heaps if pick.having is None else theory.count(pick.having, heap_name(len(stage.heaps) + 1))
    return at_least(stage.rest.fold(count), ONE)


def _place(theory: FoldsTheory, pick: NextHeapChoice, stage: PartialMove, premise: t.Term) -> t.Variable | None:
    """Return a variable for the highest binary place of the number at whose top bit the heap is picked.

    The number is assumed to have this highest place if `premise` holds. Return None for other choices of a heap.
    """
    if pick.top is None:
        return None
    place, single = make_place(theory.symbols, theory.highest)
    highest = is_highest(place, top_of(theory, pick.top, stage.env))
    theory.assume(Reason.COLUMN, implies(premise, conjunction(single, highest)))
    return place


def state_pick_condition(
    theory: FoldsTheory, pick: NextHeapChoice, number: int, heap: t.Term, place: t.Variable | None
) -> t.Term:
    """Return the property that the choice guarantees for the picked heap.

    `number`: 1 for the heap that is picked first, and so on.
    `place`: the binary place of the top bit at which the heap is picked; None for other choices.
    """
    if place is not None and pick.top is not None:
        terms = [_term_of(fold, heap) for fold in digits_of(theory, pick.top, number - 1).values()]
        return disjunction(*(has(x, place) for x in {structural_key(x): x for x in terms}.values()))
    return YES if pick.having is None else theory.count(pick.having, heap_name(number)).contributes(heap)


def _term_of(fold: AnyFold, heap: t.Term) -> t.Term:
    """Return the contribution of a heap to a nim-sum; for columns, the heap itself."""
    return fold.term(heap) if isinstance(fold, Fold) else heap


def top_of(theory: FoldsTheory, top: t.Term, env: Env) -> t.Term:
    """Return the value of the number `top`, at whose top bit a heap is picked.

    Raises Unsupported unless the value is known to be a heap size or 0.
    """
    found = theory.natural(theory.number(top, env))
    if not theory.is_size(found):
        raise Unsupported(
            f"no heap can be chosen at the top bit of {print_term(top)}, which may be outside {theory.sizes}",
            instead=NO_SIZES,
        )
    return found


def _folds(theory: FoldsTheory) -> dict[str, AnyFold]:
    """Return the folds that the proof itself names."""
    named = ((fold.name, theory.named.get(fold.name)) for fold in theory.proof.folds)
    return {name: fold for name, fold in named if fold is not None}


def digits_of(theory: FoldsTheory, top: t.Term, out: int) -> dict[str, AnyFold]:
    """Return the folds that occur in `top`, the number at whose top bit a heap is picked.

    `out`: the number of heaps that are already picked. The keys are the names of the folds of the other heaps, such as
    rest_X for `out` = 1.
    Raises Unsupported for folds other than nim-sums and columns: only in these is each 1 known to come from a heap.
    """
    called = set(find_free_names(top))
    found = {make_rest_name(name, out): fold for name, fold in _folds(theory).items()}
    for name, fold in found.items():
        if name in called and not (
            isinstance(fold, ColumnFold) or (isinstance(fold, Fold) and fold.reducer == NIM_SUM)
        ):
            words = f"no heap can be chosen at the top bit of {print_term(top)}"
            raise Unsupported(f"{words}, because {name} is neither a nim-sum nor columns")
    return {name: fold for name, fold in found.items() if name in called}


Asks = Iterator[ObligationBuilder[FoldsTheory]]


# -- the obligations of picks -----------------------------------------------------------------------------------------
def list_pick_obligations(proof: FoldsProof) -> Asks:
    """List an obligation for each number at whose top bit a heap is picked.

    It states that each 1 of the number is a 1 of some heap.
    """
    tops = {x.words: (x, out) for move in proof.several for x, out in move.picks() if x.top is not None}
    for words, (pick, out) in tops.items():
        yield ONE_OF_A_HEAP.make_label(words=words), partial(_one_of_a_heap, pick=pick, out=out)


def picks_by_nim_sums(proof: FoldsProof) -> bool:
    """Whether a heap is picked at the top bit of a term that contains a nim-sum."""
    sums = {fold.name for fold in proof.folds if isinstance(fold.term, t.Operation) and fold.term.op == "nim_sum"}
    tops = ((x.top, out) for move in proof.several for x, out in move.picks() if x.top is not None)
    return any({make_rest_name(name, out) for name in sums} & set(find_free_names(top)) for top, out in tops)


def _one_of_a_heap(q: FoldsTheory, pick: NextHeapChoice, out: int) -> Entailment:
    """Return the obligation that each 1 of the number at whose top bit a heap is picked is a 1 of some heap.

    The obligation assumes that each 1 of the nim-sums and columns in this number is a 1 of some heap.
    """
    assert pick.top is not None
    place, single = make_place(q.symbols, q.highest)
    s, some = q.position("s"), q.symbols.truth("some heap has a 1 there", aside=False)
    digits = digits_of(q, pick.top, out)
    known = (implies(has(s.fold(fold), place), some) for fold in digits.values())
    whole = q.natural(q.number(pick.top, {**q.root, **{name: s.fold(fold) for name, fold in digits.items()}}))
    return Entailment((single, *known, has(whole, place)), some)


# -- the obligations of who wins --------------------------------------------------------------------------------------
def list_closure(turn: MoverPair) -> Asks:
    """List the obligations that no move leads from a loss to a loss.

    There is one obligation for each number of heaps that a move may choose.
    """
    moves = open_several(turn.game, turn.mover)
    for count, label in list_closed_labels(turn):
        yield label, partial(_pose_closed, turn=turn, kinds=tuple(move for move in moves if len(move.heaps) == count))


def list_closed_labels(turn: MoverPair) -> Iterator[tuple[int, ObligationLabel]]:
    """Yield each number of heaps that a move may choose, with the label of its obligation "closed"."""
    for count in sorted({len(move.heaps) for move in open_several(turn.game, turn.mover)}):
        one = CLOSED.make_label(who=turn.who)
        yield count, one if count == 1 else CLOSED_ON.make_label(who=turn.who, heaps=count)


def steps(turn: MoverPair, names: MoveNames, named: LongMove) -> Asks:
    """List the obligations of a named move on several heaps, case by case.

    `names`: the labels of the obligations.
    """
    yield from _Stages(turn, named).list_case_questions(names, (named.case,))


def _pose_closed(q: FoldsTheory, turn: MoverPair, kinds: tuple[OpenMove, ...]) -> Entailment:
    """Return the obligation that no legal move of these kinds leads from a lost position to a lost position.

    All kinds choose the same number of heaps. A position is lost if the invariant says that the player to move loses.
    """
    rest = q.position("rest")
    heaps = tuple(q.size("heap", low=1) for _ in kinds[0].heaps)
    before = rest
    for heap in heaps:
        before = q.add_heap("before", before, heap)
    goals = []
    for move in kinds:
        legal, sizes, made = play_on(q, move, heaps, None)
        lost = q.loses(put_back(q, rest, sizes), turn.following)
        goals.append(implies(conjunction(legal, made), negation(lost)))
    return Entailment((q.loses(before, turn.mover),), conjunction(*goals))


@dataclass(frozen=True, eq=False)
class _Stages:
    """The obligations of one named move on several heaps.

    If the move must lead to a loss, they are about all positions that the mover does not lose; otherwise they are about
    all positions that the mover loses.
    """

    turn: MoverPair
    named: LongMove

    def list_case_questions(self, called: MoveNames, path: tuple[MoveCase, ...]) -> Asks:
        """List the obligations of the last case in `path`, and of its inner cases.

        `path`: the nested cases, from the outermost to this case.
        """
        last = path[-1]
        if last.pick is not None:
            yield called.heap, partial(self.has_heap, path=path)
        if not last.then:
            yield called.legal, partial(self.is_legal, path=path)
            if self.named.to_loss:
                yield called.to_loss, partial(self.leads_to_loss, path=path)
            return
        yield called.covered, partial(self.cases_cover, path=path)
        for number, inner in enumerate(last.then, 1):
            yield from self.list_case_questions(called.then(number), (*path, inner))

    def _start(self, q: FoldsTheory, path: tuple[MoveCase, ...]) -> tuple[tuple[t.Term, ...], PartialMove]:
        """Return the assumptions about an arbitrary position, and the stage of the move after the cases in `path`."""
        s, known = start(q, self.turn, not self.named.to_loss)
        stage = start_at(q, s)
        for case in path:
            (stage,) = pick_at(q, case, enter(q, case, stage))
        return known, stage

    def has_heap(self, q: FoldsTheory, path: tuple[MoveCase, ...]) -> Entailment:
        known, stage = self._start(q, path[:-1])
        assert path[-1].pick is not None
        inside = enter(q, path[-1], stage)
        return Entailment((*known, inside.where), premise_of(q, path[-1].pick, inside))

    def cases_cover(self, q: FoldsTheory, path: tuple[MoveCase, ...]) -> Entailment:
        known, stage = self._start(q, path)
        return Entailment((*known, stage.where), disjunction(*(q.truth(x.when, stage.env) for x in path[-1].then)))

    def _play(self, q: FoldsTheory, path: tuple[MoveCase, ...]) -> tuple[tuple[t.Term, ...], list[Played]]:
        """Return (1) the assumptions under which the named move is made, and (2) the kinds of moves that it may be."""
        known, stage = self._start(q, path)
        take, played = take_at(q, path[-1], stage), []
        for move in kinds_on(self.turn.game, self.turn.mover, len(stage.heaps), take):
            legal, sizes, made = play_on(q, move, stage.heaps, take)
            played.append((legal, made, put_back(q, stage.rest, sizes)))
        return (*known, stage.where), played

    def is_legal(self, q: FoldsTheory, path: tuple[MoveCase, ...]) -> Entailment:
        known, played = self._play(q, path)
        return Entailment(known, disjunction(*(legal for legal, _, _ in played)))

    def leads_to_loss(self, q: FoldsTheory, path: tuple[MoveCase, ...]) -> Entailment:
        known, played = self._play(q, path)
        return pose_some_to_loss(q, self.turn, known, played)
