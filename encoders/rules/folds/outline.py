"""The outline of a proof through folds: who loses, numbers computed from the heaps, facts, named moves, the claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import substitute
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import expand_definitions
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION
from encoders.logic.moves import HEAP, OpenMove, open_moves
from encoders.logic.terms import YES, conjunction, equal, less_than, nim
from encoders.rules.folds.reading.moves import kinds_of
from encoders.rules.folds.reading.play import closed_on
from encoders.rules.folds.statement.extremes import LARGEST
from encoders.rules.folds.statement.kinds import (
    CLOSED,
    FACT_OF_MORE,
    FACT_OF_NONE,
    FOLLOWS,
    NUMBER_OF_HEAPS,
    SPLIT,
    STEP,
)
from encoders.rules.folds.statement.section import PICKED_HEAP, FoldsMove, FoldsProof, HeapChoice
from encoders.rules.folds.statement.several import LongMove, MoveCase, heap_name
from encoders.rules.folds.statement.several import NextHeapChoice as LongPick
from encoders.rules.kit.outline import (
    NamedPlay,
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    Parts,
    WordingKind,
    assigned,
    name_of,
    say,
    when,
)
from encoders.rules.kit.turns import MoveNames, MoverPair, show_moves, turns_of, who_loses

WHO_WINS = (
    "It names the losing positions, shows that no move leads from one to another, and gives a move to one from every "
    "other position."
)
OF_NUMBERS = (
    "It describes positions by numbers computed from their heaps, and shows the claim for all values of those numbers."
)
BY_LEMMAS = "It assumes theorems, each at every position that the claim asks about, and shows that the claim follows."
ARGUED_BY_DEFINITION = (
    "It applies the definition of winning, or of values, once, and shows the claim for all possible options."
)
SHORT = 200  # characters of a theorem that is written out
HEAP_VARIABLE = name_of(PICKED_HEAP)


def outline(claim: Claim, proof: FoldsProof, asks_who_wins: bool) -> Outline:
    """Its tables, empty ones left out. Raises Unsupported as the obligations do."""
    turns = list(turns_of(claim.games[0])) if asks_who_wins else []
    folds = proof.seen
    tables = [
        OutlineTable("loses", "Who loses", ("Who", "Loses when"), tuple(_loses(proof, turn) for turn in turns)),
        OutlineTable("folds", "Numbers computed from the heaps", ("Name", "Definition"), tuple(_folds(proof))),
        OutlineTable("facts", "Facts about them, by induction on the heaps", ("Fact", "In full"), tuple(_facts(proof))),
        *(table for turn in turns for table in _moves(proof, turn, folds)),
        OutlineTable("lemmas", "What it assumes", ("Theorem", "What it says"), tuple(_lemmas(proof))),
        OutlineTable("claim", "What follows", ("Statement", "Where"), tuple(_claim(claim, proof))),
    ]
    if not turns and proof.moves:
        named = tuple(OutlineRow(_cells(claim, 0 if m.player is None else m.player, m)) for m in proof.moves)
        tables.insert(-1, OutlineTable("moves", "The moves that it names", COLUMNS, named))
    looked_at = tuple(OutlineRow((when(pick.when), _heap(pick))) for pick in proof.picks)
    tables.insert(-1, OutlineTable("picks", "The heaps that it considers", COLUMNS[:2], looked_at))
    shown = (replace(x, names=folds) for x in tables if x.lines)
    argued = WHO_WINS if turns else ARGUED_BY_DEFINITION if proof.unfold else BY_LEMMAS if proof.by else OF_NUMBERS
    return Outline(argued, tuple(shown))


def _loses(proof: FoldsProof, turn: MoverPair) -> OutlineRow:
    several = proof.by_cases(turn.game.ruleset)
    closed = _closed_on(turn) if several else (CLOSED.of(who=turn.who).shown,)
    return who_loses(turn, dict(proof.loses).get(turn.mover), closed)


def _folds(proof: FoldsProof) -> Iterator[OutlineRow]:
    for fold in proof.folds:
        yield OutlineRow((say(fold.name), OutlineCell((fold.term,), WordingKind.FOLD)))


def _facts(proof: FoldsProof) -> Iterator[OutlineRow]:
    for name, term in proof.facts:
        shown = tuple(kind.of(name=name).shown for kind in (FACT_OF_NONE, FACT_OF_MORE))
        yield OutlineRow((say(name), OutlineCell((term,))), shown)


def _lemmas(proof: FoldsProof) -> Iterator[OutlineRow]:
    for lemma in proof.by:
        claim = lemma.claim
        where = () if claim.hypothesis is None else (", where ", claim.hypothesis)
        yield OutlineRow((say(lemma.id), say(_in_full(claim.conclusion), *where)))


def _in_full(term: t.Term) -> t.Term:
    """The term with its definitions written out, unless that is long: those of another claim stand on its page."""
    full = expand_definitions(term)
    return full if len(print_term(full)) <= SHORT else term


def _claim(claim: Claim, proof: FoldsProof) -> Iterator[OutlineRow]:
    if proof.heaps:
        words = f"{proof.position} has the heaps {' <= '.join(proof.heaps)}"
        shown = NUMBER_OF_HEAPS.of(position=proof.position, heaps=len(proof.heaps)).shown
        yield OutlineRow((say(words), OutlineCell()), (shown,))
    for name, term in proof.steps:
        yield OutlineRow((say(term), OutlineCell()), (STEP.of(name=name).shown,))
    if not proof.split:
        yield OutlineRow((say(claim.conclusion), OutlineCell()), (FOLLOWS.of().shown,))
        return
    for words, case in proof.split:
        yield OutlineRow((say(claim.conclusion), when(case)), (FOLLOWS.of(where=f", where {words}").shown,))
    yield OutlineRow((say("there is no other case"), OutlineCell()), (SPLIT.of().shown,))


# -- moves ------------------------------------------------------------------------------------------------------------
COLUMNS = ("When", "Heap", "Move")


def _moves(proof: FoldsProof, turn: MoverPair, folds: dict[str, t.Term]) -> Iterator[OutlineTable]:
    if proof.by_cases(turn.game.ruleset):
        return show_moves(turn, ("When", "Heaps", "Move"), proof.several, _ways)
    return show_moves(turn, COLUMNS, proof.moves, partial(_lines, proof, turn, folds))


def _lines(
    proof: FoldsProof, turn: MoverPair, folds: dict[str, t.Term], names: MoveNames, named: FoldsMove
) -> Iterator[OutlineRow]:
    shown = (names.heap.shown, names.legal.shown, *((names.to_loss.shown,) if named.to_loss else ()))
    (move, *_) = kinds_of(named, turn.game, turn.mover) or open_moves(turn.game, turn.mover)
    cells = (when(named.when), _heap(named), OutlineCell(tuple(_taken(move, named))))
    yield OutlineRow(cells, shown, _play(proof, turn, folds, named, move))


def _cells(claim: Claim, mover: int, named: FoldsMove) -> tuple[OutlineCell, ...]:
    (move, *_) = kinds_of(named, claim.games[0], mover) or open_moves(claim.games[0], mover)
    return when(named.when), _heap(named), OutlineCell(tuple(_taken(move, named)))


def _heap(named: HeapChoice) -> OutlineCell:
    if named.top_bit:
        return say("one with the top bit of", _whole(named))
    if named.extreme:
        return say("a largest" if named.extreme == LARGEST else "a smallest")
    return say("any") if named.having is None else say("any with", named.having)


def _taken(move: OpenMove, named: FoldsMove) -> Iterator[str | t.Term]:
    """What is done: "leave y" of `take h - y` where what is picked is taken away, "take all of it" of `take h`."""
    taken_away = isinstance(move.become, t.Operation) and move.become.op == "sub" and len(move.picks) == 1
    for i, (name, term) in enumerate(named.take):
        if not taken_away:
            yield from (*((", ",) if i else ()), *assigned([(name, term)]))
        elif _is_heap(term):
            yield "take all of it"
        elif isinstance(term, t.Operation) and term.op == "sub" and _is_heap(term.args[0]):
            yield from ("leave", term.args[1])
        else:
            yield from ("take", term)


def _is_heap(term: t.Term) -> bool:
    return isinstance(term, t.Variable) and term.name == PICKED_HEAP


def _play(
    proof: FoldsProof, turn: MoverPair, folds: dict[str, t.Term], named: FoldsMove, move: OpenMove
) -> NamedPlay | None:
    """The move, with the folds written out; None if it says too little for an instance."""
    take = dict(named.take)
    if len(turn.game.ruleset.moves) != 1 or any(pick.word not in take for pick in move.picks):
        return None
    values: dict[str, t.Term] = {HEAP: HEAP_VARIABLE, **{pick.name: take[pick.word] for pick in move.picks}}
    fits = YES if named.having is None else named.having
    if named.top_bit:
        fits = _at_top_bit(folds[named.top_bit], _whole(named))
    if named.extreme:
        s = t.Variable(POSITION, 0, 0, proof.position)
        fits = equal(HEAP_VARIABLE, t.Operation(INT, 0, 0, named.extreme, (s,)))
    return NamedPlay(
        turn.game.name,
        turn.mover,
        proof.position,
        PICKED_HEAP,
        substitute(conjunction(*(() if proof.assume is None else (proof.assume,)), named.when), folds),
        substitute(fits, folds),
        substitute(substitute(move.become, values), proof.seen_beside),
        named.to_loss,
    )


def _whole(named: HeapChoice) -> t.Term:
    """What is at whose top bit the heap is picked."""
    whole = name_of(named.top_bit)
    return whole if named.aim is None else nim(whole, named.aim)


def _at_top_bit(fold: t.Term, whole: t.Term) -> t.Term:
    """That a heap is one of those that the nim-sum `fold` adds, and is lowered by its value `whole`."""
    if isinstance(fold, t.Comprehension):
        (clause,) = fold.clauses
        here = {clause.variable: HEAP_VARIABLE}
        value = substitute(fold.body, here)
        return conjunction(*(substitute(x, here) for x in clause.conditions), less_than(nim(value, whole), value))
    return less_than(nim(HEAP_VARIABLE, whole), HEAP_VARIABLE)


# -- moves on several heaps -------------------------------------------------------------------------------------------
Shown = tuple[tuple[str, str], ...]


def _closed_on(turn: MoverPair) -> Shown:
    """What shows that no move leads from a loss to a loss."""
    heaps = {1: "one heap", 2: "two heaps", 3: "three heaps"}
    found = closed_on(turn)
    return tuple((f"no move on {heaps.get(n, f'{n} heaps')} leads to a loss", label.name) for n, label in found)


def _ways(called: MoveNames, move: LongMove) -> Iterator[OutlineRow]:
    """Those of a named move."""
    yield from _way(called, move.case, move.to_loss, (), (), ())


def _way(
    called: MoveNames,
    case: MoveCase,
    to_loss: bool,
    whens: tuple[t.Term, ...],
    picks: tuple[LongPick, ...],
    shown: Shown,
) -> Iterator[OutlineRow]:
    """The ways that go through a case. What its parts have in common is shown with the first of them."""
    whens = (*whens, case.when)
    if case.pick is not None:
        picks, shown = (*picks, case.pick), (*shown, called.heap.shown)
    if not case.then:
        shown = (*shown, called.legal.shown, *((called.to_loss.shown,) if to_loss else ()))
        yield OutlineRow((when(conjunction(*whens)), _picked(picks), _takes(case)), shown)
        return
    shown = (*shown, called.covered.shown)
    for number, inner in enumerate(case.then, 1):
        yield from _way(called.then(number), inner, to_loss, whens, picks, shown)
        shown = ()


def _picked(picks: tuple[LongPick, ...]) -> OutlineCell:
    parts: Parts = []
    for number, pick in enumerate(picks, 1):
        parts += ["and then" if parts else "", name_of(heap_name(number))]
        if pick.top is not None:
            parts += ["with the top bit of", pick.top]
        elif pick.having is not None:
            parts += ["with", pick.having]
        else:
            parts.append("any")
    return say(*parts)


def _takes(case: MoveCase) -> OutlineCell:
    parts: Parts = []
    for number, take in enumerate(case.takes, 1):
        for name, term in take:
            and_ = "and " if parts else ""
            if len(case.takes) > 1:
                parts += [f"{and_}", name_of(name), "of", name_of(heap_name(number)), "=", term]
            else:
                parts += [f"{and_}", *assigned([(name, term)])]
    return say(*parts) if parts else say("determined by the heaps")
