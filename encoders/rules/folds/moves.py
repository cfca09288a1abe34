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
# Moves on one heap of a position of any number of heaps: any legal one, and those that the proof names.
_EXTREMES = {LARGEST: Reason.LARGEST, LEAST: Reason.SMALLEST}
Property = Callable[[t.Term], t.Term]
Take = Mapping[str, t.Term]
"""The numbers picked, by the ruleset's names."""


def playable(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The moves of a game that the rule can follow, on one heap each. Raises Unsupported for others."""
    if has_several_heaps(game.ruleset):
        raise Unsupported(f"{game.ruleset.id}: the rule follows moves that take from one heap")
    return open_moves(game, mover)


def play(
    theory: FoldsTheory, move: OpenMove, heap: t.Term, rest: Position, take: Take | None
) -> tuple[t.Term, t.Term, t.Term]:
    """A move on `heap`, beside which the rest lies.

    (It is legal, the new size, the condition that the size is what the rules make of it.)

    `take` None: the numbers picked are free within their ranges.  The new size is a fresh size; that a legal move
    leaves one, and none below 0, is an obligation of its own (measure).
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
    """Fresh numbers for the picks of a move on these heaps. Nothing is said of their ranges."""
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
    """Whether the move with these picks is legal on the heaps, and what it makes of them. Raises Unsupported.

    `rest`: what lies beside the one heap, where it matters.
    """
    env: dict[str, object] = {**theory.root, **dict(zip(move.heaps, heaps, strict=True))}
    legal = [] if rest is None else [may_choose(theory, move, heaps[0], rest)]
    for pick in move.picks:
        low, high = theory.number(pick.lo, env), theory.number(pick.hi, env)
        assert pick.word in take or pick.is_known  # or it is no such move
        found = env[pick.name] = take.get(pick.word, low)
        legal += [at_least(found, low), at_most(found, high)]
    if move.where is not None:
        legal.append(theory.truth(move.where, env))
    return conjunction(*legal), tuple(theory.number(x, env) for x in move.becomes)


def may_choose(theory: FoldsTheory, move: OpenMove, heap: t.Term, rest: Position) -> t.Term:
    """Whether the move may be on that heap, beside which the rest lies: the rules may ask for an extreme one."""
    if move.choose == "largest":
        return at_least(heap, rest.fold(theory.extreme(LARGEST)))
    if move.choose == "smallest":
        least = rest.fold(theory.extreme(LEAST))
        return disjunction(equal(least, ZERO), at_most(heap, least))
    return YES


def kinds_of(named: FoldsMove, game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The kinds of moves of a game by a mover that a named move may be: those that pick its numbers."""
    names = dict(named.take)
    return tuple(x for x in playable(game, mover) if named.player in (None, mover) and x.picks_by(names))


def play_named(
    theory: FoldsTheory, named: FoldsMove, move: OpenMove, s: Position, where: t.Term, heap: t.Term, rest: Position
) -> tuple[t.Term, t.Term, t.Term]:
    """A named move on the heap of s = {heap} + rest that it picks where it may be made; as `play`."""
    legal, size, made = play(theory, move, heap, rest, take_of(theory, named, s, heap, rest))
    for who, name, effect in theory.cuts.doing:
        if who is named:
            done = has_effect(theory, s, name, effect, heap, size)
            theory.assume(Reason.MOVED, implies(conjunction(where, legal, made), done))
    return legal, size, made


def has_effect(theory: FoldsTheory, s: Position, name: str, effect: str, heap: t.Term, size: t.Term) -> t.Term:
    """That a move on a heap of s, which leaves the size, has the effect on the nim-sum of that name."""
    fold = nim_sum_of(theory, name)
    return EFFECTS[effect](fold, s.fold(fold), heap, size)


def picks_of(theory: FoldsTheory, named: HeapChoice, s: Position) -> list[tuple[t.Term, t.Term, Position]]:
    """The ways to pick a heap at s: (where it may be picked, the heap picked there, the rest)."""
    premise, property_ = pick_of(theory, named, s)
    where = conjunction(theory.truth(named.when, theory.fold_values(s)), premise)
    found = theory.take_from(s, where)
    if s.listed is not None:
        return [(conjunction(where, x.present, property_(x.heap)), x.heap, rest) for x, rest in found]
    ((picked, rest),) = found
    theory.assume(find_reason(named), implies(where, property_(picked.heap)))
    return [(where, picked.heap, rest)]


def find_reason(named: HeapChoice) -> Reason:
    """By what there is such a heap."""
    return Reason.TOP_BIT if named.top_bit else _EXTREMES.get(named.extreme, Reason.COUNTED)


def pick_of(theory: FoldsTheory, named: HeapChoice, s: Position) -> tuple[t.Term, Property]:
    """The premise of the pick at s, and what it grants of the heap: trusted facts, see docs/proof-rules.md."""
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
    """What the nim-sum is to become, a natural number; None for 0. Raises Unsupported for what may leave the bound."""
    if named.aim is None:
        return None
    found = theory.natural(theory.number(named.aim, theory.root))
    if not theory.is_size(found):
        aimed = print_term(nim(t.Variable(INT, 0, 0, named.top_bit), named.aim))
        raise Unsupported(f"the top bit of {aimed}: {print_term(named.aim)} may leave {theory.sizes}", instead=NO_SIZES)
    return found


def nim_sum_of(theory: FoldsTheory, name: str) -> Fold:
    """The nim-sum that the proof calls so. Raises Unsupported if it calls none so."""
    fold = theory.named.get(name)
    if not isinstance(fold, Fold) or fold.reducer != NIM_SUM:
        instead = 'pick one by what it has, as in heap = "any with h >= 2"'
        raise Unsupported(f"a heap at the top bit of {name}, which is no nim-sum", instead=instead)
    return fold


def take_of(theory: FoldsTheory, named: FoldsMove, s: Position, heap: t.Term, rest: Position) -> dict[str, t.Term]:
    """The numbers that a named move picks at s = {heap} + rest, by the ruleset's names."""
    env = theory.bind_pick(s, heap, rest)
    return {name: theory.number(term, env) for name, term in named.take}


Played = tuple[t.Term, t.Term, Position]
"""A kind of move that a named move may be: it is legal, what it leaves is what the rules make of it, what it leaves."""


def pose_some_to_loss(q: FoldsTheory, turn: MoverPair, known: tuple[t.Term, ...], played: list[Played]) -> Entailment:
    """One of the kinds of moves, some of which is legal, is legal and leads to a loss of the next player."""
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
    """A position that the mover loses, or does not: (the position, that).

    Under misère play one with a heap, where he does not: for without he wins at once.
    """
    s = q.position("s")
    if at_loss:
        return s, (q.loses(s, turn.mover),)
    some = (at_least(s.fold(q.heaps), ONE),) if turn.game.ruleset.stuck_wins else ()
    return s, (negation(q.loses(s, turn.mover)), *some)


def build_cover(turn: MoverPair, whens: list[t.Term], at_loss: bool) -> Callable[[FoldsTheory], Entailment]:
    """That at every such position one of the conditions holds, under which a move is named.

    Who is stuck wins under misère play: where heaps may be left then, it is asked where the mover can move.
    """

    def ask(q: FoldsTheory) -> Entailment:
        s, known = start(q, turn, at_loss)
        if turn.stuck and not at_loss:
            known = (*known, q.some_option(turn.game, s, turn.mover, lambda _: YES))
        return Entailment(known, disjunction(*(q.truth(when, q.fold_values(s)) for when in whens)))

    return ask


# == play =============================================================================================================
# Moves that choose several heaps: any legal one, those that the proof names, and what is shown of who wins by them.
#
# The heaps are taken out of a position one after another.  They are as many heaps of it, for what is left is a position
# of the others: a heap that is there twice can be picked twice, one that is there once cannot.
#
# The obligations are as for moves on one heap.  Closed, for each number of heaps that a move may choose; the named
# moves cover; and of each named move, stage by stage: there is a heap to pick, the cases after it cover, the move is
# legal, it leads to a loss.
# -- any legal move ---------------------------------------------------------------------------------------------------
def play_on(
    theory: FoldsTheory, move: OpenMove, heaps: tuple[t.Term, ...], take: Take | None
) -> tuple[t.Term, tuple[t.Term, ...], t.Term]:
    """A move on these heaps: (it is legal, the new sizes, the condition that these are what the rules make of them).

    `take` None: the numbers picked are free within their ranges.  The new sizes are fresh; that a legal move leaves
    none below 0 and none beyond the bound are obligations of their own (measure, sizes).
    """
    picked = pick_freely(theory, move, heaps) if take is None else take
    legal, becomes = outcome_of(theory, move, heaps, picked)
    sizes = tuple(theory.size("new size") for _ in becomes)
    return legal, sizes, conjunction(*(equal(size, x) for size, x in zip(sizes, becomes, strict=True)))


def take_out(
    theory: FoldsTheory, s: Position, where: t.Term, count: int
) -> Iterator[tuple[t.Term, tuple[t.Term, ...], Position]]:
    """The ways to single out so many heaps of s: (they are there, the heaps, the rest)."""
    if count == 0:
        yield YES, (), s
        return
    for taken, rest in theory.take_from(s, where):
        for there, heaps, left in take_out(theory, rest, where, count - 1):
            yield conjunction(taken.present, there), (taken.heap, *heaps), left


def put_back(theory: FoldsTheory, rest: Position, sizes: tuple[t.Term, ...]) -> Position:
    """The rest with heaps of these sizes beside it; none for a 0."""
    for size in sizes:
        rest = theory.extend_rest(rest, size)
    return rest


# -- named moves ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class PartialMove:
    """A named move on its way: `heaps` are picked where `where` holds, `rest` is what remains, `env` what has names."""

    where: t.Term
    heaps: tuple[t.Term, ...]
    rest: Position
    env: Env


def start_at(theory: FoldsTheory, s: Position) -> PartialMove:
    """At a position, before any heap is picked."""
    return PartialMove(YES, (), s, theory.fold_values(s))


def enter(theory: FoldsTheory, case: MoveCase, stage: PartialMove) -> PartialMove:
    """The same where the case holds."""
    return replace(stage, where=conjunction(stage.where, theory.truth(case.when, stage.env)))


def pick_at(theory: FoldsTheory, case: MoveCase, stage: PartialMove) -> list[PartialMove]:
    """The ways to pick the heap of the case, which has been entered; itself if it picks none."""
    if case.pick is None:
        return [stage]
    number = len(stage.heaps) + 1
    premise = premise_of(theory, case.pick, stage)
    where = conjunction(stage.where, premise)
    place = _place(theory, case.pick, stage, premise)
    found = []
    for taken, rest in theory.take_from(stage.rest, where):
        granted = _state_pick_condition(theory, case.pick, number, taken.heap, place)
        listed = stage.rest.listed is not None
        if not listed:
            theory.assume(Reason.COUNTED if place is None else Reason.COLUMN, implies(where, granted))
        names: dict[str, object] = {heap_name(number): taken.heap}
        if place is not None:
            names[place_name(number)] = place
        names |= {make_rest_name(name, number): rest.fold(fold) for name, fold in _folds(theory).items()}
        there = conjunction(where, taken.present, granted) if listed else where
        found.append(PartialMove(there, (*stage.heaps, taken.heap), rest, {**names, **stage.env}))
    return found


def ways_of(theory: FoldsTheory, named: LongMove, s: Position) -> Iterator[tuple[PartialMove, Take]]:
    """The ways to make a named move at s, each with the numbers picked."""
    yield from _follow(theory, named.case, start_at(theory, s))


def _follow(theory: FoldsTheory, case: MoveCase, stage: PartialMove) -> Iterator[tuple[PartialMove, Take]]:
    for after in pick_at(theory, case, enter(theory, case, stage)):
        for inner in case.then:
            yield from _follow(theory, inner, after)
        if not case.then:
            yield after, take_at(theory, case, after)


def take_at(theory: FoldsTheory, case: MoveCase, stage: PartialMove) -> Take:
    """The numbers that are picked at the end of a named move, by the ruleset's names. Raises Unsupported."""
    if len(case.takes) not in (1, len(stage.heaps)):
        instead = "let `take` be one table, or a list of one for each heap"
        words = f"a named move chooses {len(stage.heaps)} heap{'s' * (len(stage.heaps) != 1)}"
        raise Unsupported(f"{words} and says {len(case.takes)} times what is picked", instead=instead)
    each = enumerate(case.takes)
    return {format_pick_name(name, i): theory.number(term, stage.env) for i, take in each for name, term in take}


def kinds_on(game: Game, mover: int, heaps: int, take: Take) -> tuple[OpenMove, ...]:
    """The kinds of moves that choose so many heaps and pick these numbers. Raises Unsupported if there is none."""
    found = tuple(x for x in open_several(game, mover) if len(x.heaps) == heaps and x.picks_by(take))
    if not found:
        raise refuse_picks("a named move", take, game.ruleset, heaps)
    return found


# -- picks ------------------------------------------------------------------------------------------------------------
def premise_of(theory: FoldsTheory, pick: NextHeapChoice, stage: PartialMove) -> t.Term:
    """That what remains has such a heap: trusted facts, see docs/proof-rules.md."""
    if pick.top is not None:
        return compare("ne", _top(theory, pick.top, stage.env), ZERO)
    count = theory.heaps if pick.having is None else theory.count(pick.having, heap_name(len(stage.heaps) + 1))
    return at_least(stage.rest.fold(count), ONE)


def _place(theory: FoldsTheory, pick: NextHeapChoice, stage: PartialMove, premise: t.Term) -> t.Variable | None:
    """The highest place of what the pick names, where that is not 0; None for a pick that names nothing."""
    if pick.top is None:
        return None
    place, single = make_place(theory.symbols, theory.highest)
    highest = is_highest(place, _top(theory, pick.top, stage.env))
    theory.assume(Reason.COLUMN, implies(premise, conjunction(single, highest)))
    return place


def _state_pick_condition(
    theory: FoldsTheory, pick: NextHeapChoice, number: int, heap: t.Term, place: t.Variable | None
) -> t.Term:
    """What the pick grants of its heap, the one of that number."""
    if place is not None and pick.top is not None:
        terms = [_term_of(fold, heap) for fold in digits_of(theory, pick.top, number - 1).values()]
        return disjunction(*(has(x, place) for x in {structural_key(x): x for x in terms}.values()))
    return YES if pick.having is None else theory.count(pick.having, heap_name(number)).contributes(heap)


def _term_of(fold: AnyFold, heap: t.Term) -> t.Term:
    """What a heap brings to a nim-sum; the heap itself, of which columns are made."""
    return fold.term(heap) if isinstance(fold, Fold) else heap


def _top(theory: FoldsTheory, top: t.Term, env: Env) -> t.Term:
    """What the pick names. Raises Unsupported for what may be negative or beyond the bound."""
    found = theory.natural(theory.number(top, env))
    if not theory.is_size(found):
        raise Unsupported(f"the top bit of {print_term(top)}, which may leave {theory.sizes}", instead=NO_SIZES)
    return found


def _folds(theory: FoldsTheory) -> dict[str, AnyFold]:
    """The folds that the proof itself names."""
    named = ((fold.name, theory.named.get(fold.name)) for fold in theory.proof.folds)
    return {name: fold for name, fold in named if fold is not None}


def digits_of(theory: FoldsTheory, top: t.Term, out: int) -> dict[str, AnyFold]:
    """The folds in what a pick names, by what they are called when so many heaps are out.

    Raises Unsupported for others than nim-sums and columns: of those a 1 is known to come from a heap.
    """
    called = set(find_free_names(top))
    found = {make_rest_name(name, out): fold for name, fold in _folds(theory).items()}
    for name, fold in found.items():
        if name in called and not (
            isinstance(fold, ColumnFold) or (isinstance(fold, Fold) and fold.reducer == NIM_SUM)
        ):
            raise Unsupported(f"the top bit of {print_term(top)}: {name} is neither a nim-sum nor columns")
    return {name: fold for name, fold in found.items() if name in called}


Asks = Iterator[ObligationBuilder[FoldsTheory]]


# -- the obligations of picks -----------------------------------------------------------------------------------------
def list_pick_obligations(proof: FoldsProof) -> Asks:
    """For each number at whose top bit a heap is picked: where it has a 1, some heap has."""
    tops = {x.words: (x, out) for move in proof.several for x, out in move.picks() if x.top is not None}
    for words, (pick, out) in tops.items():
        yield ONE_OF_A_HEAP.make_label(words=words), partial(_one_of_a_heap, pick=pick, out=out)


def picks_by_nim_sums(proof: FoldsProof) -> bool:
    """Whether a heap is picked at the top bit of something that is made of a nim-sum."""
    sums = {fold.name for fold in proof.folds if isinstance(fold.term, t.Operation) and fold.term.op == "nim_sum"}
    tops = ((x.top, out) for move in proof.several for x, out in move.picks() if x.top is not None)
    return any({make_rest_name(name, out) for name in sums} & set(find_free_names(top)) for top, out in tops)


def _one_of_a_heap(q: FoldsTheory, pick: NextHeapChoice, out: int) -> Entailment:
    """A nim-sum and a column have a 1 only where some heap brings one: so does what is picked by."""
    assert pick.top is not None
    place, single = make_place(q.symbols, q.highest)
    s, some = q.position("s"), q.symbols.truth("some heap has a 1 there", aside=False)
    digits = digits_of(q, pick.top, out)
    known = (implies(has(s.fold(fold), place), some) for fold in digits.values())
    whole = q.natural(q.number(pick.top, {**q.root, **{name: s.fold(fold) for name, fold in digits.items()}}))
    return Entailment((single, *known, has(whole, place)), some)


# -- the obligations of who wins --------------------------------------------------------------------------------------
def list_closure(turn: MoverPair) -> Asks:
    """That no move leads from a loss to a loss, for each number of heaps that it may choose."""
    moves = open_several(turn.game, turn.mover)
    for count, label in list_closed_labels(turn):
        yield label, partial(_pose_closed, turn=turn, kinds=tuple(move for move in moves if len(move.heaps) == count))


def list_closed_labels(turn: MoverPair) -> Iterator[tuple[int, ObligationLabel]]:
    """The numbers of heaps that a move may choose, and what is shown of each."""
    for count in sorted({len(move.heaps) for move in open_several(turn.game, turn.mover)}):
        one = CLOSED.make_label(who=turn.who)
        yield count, one if count == 1 else CLOSED_ON.make_label(who=turn.who, heaps=count)


def steps(turn: MoverPair, names: MoveNames, named: LongMove) -> Asks:
    """Those of a named move."""
    yield from _Stages(turn, named).list_case_questions(names, (named.case,))


def _pose_closed(q: FoldsTheory, turn: MoverPair, kinds: tuple[OpenMove, ...]) -> Entailment:
    """No legal move on so many heaps leads from a loss to a loss."""
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
    """The obligations of one named move: a reply where the mover does not lose, or any move where he does."""

    turn: MoverPair
    named: LongMove

    def list_case_questions(self, called: MoveNames, path: tuple[MoveCase, ...]) -> Asks:
        """Those of a case of it, and of the cases in that. `path`: the cases from the first to this one."""
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
        """What is known of the position, and the stage after these cases."""
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
        """What is known where the move is made, and each kind of move that it may be."""
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
