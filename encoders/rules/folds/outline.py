"""The outline of a proof through folds: who loses, numbers computed from the heaps, facts, named moves, the claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import INT, POSITION
from claims.language.expressions.walk import substituted
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded
from encoders.logic.moves import HEAP, OpenMove, chooses_several, open_moves
from encoders.logic.terms import YES, below, both, equal, nim
from encoders.rules.folds.extremes.terms import LARGEST
from encoders.rules.folds.section import PICKED_HEAP, FoldsProof, NamedMove, Pick
from encoders.rules.folds.several import outline as outline_of_several
from encoders.rules.folds.turns import (
    CLAIM,
    SPLIT,
    MoveNames,
    Turn,
    claim_where,
    fact_of_more,
    fact_of_none,
    number_of_heaps,
    step,
    turns_of,
)  # fmt: skip
from encoders.rules.outline import Cell, Line, NamedPlay, Outline, Reading, Table, say, show_moves, when

WHO_WINS = (
    "It names the losing positions, shows that no move leads from one to another, and gives a move to one from every "
    "other position."
)
OF_NUMBERS = (
    "It describes positions by numbers computed from their heaps, and shows the claim for all values of those numbers."
)
BY_LEMMAS = "It assumes theorems, each at every position that the claim asks about, and shows that the claim follows."
BY_DEFINITION = (
    "It applies the definition of winning, or of values, once, and shows the claim for all possible options."
)
SHORT = 200  # characters of a theorem that is written out
HEAP_VARIABLE = t.Variable(INT, 0, 0, PICKED_HEAP)


def outline(claim: Claim, proof: FoldsProof, asks_who_wins: bool) -> Outline:
    """Its tables, empty ones left out. Raises Unsupported as the obligations do."""
    turns = list(turns_of(claim.games[0])) if asks_who_wins else []
    folds = proof.seen
    tables = [
        Table("loses", "Who loses", ("Who", "Loses when"), tuple(_loses(proof, turn) for turn in turns)),
        Table("folds", "Numbers computed from the heaps", ("Name", "Definition"), tuple(_folds(proof))),
        Table("facts", "Facts about them, by induction on the heaps", ("Fact", "In full"), tuple(_facts(proof))),
        *(table for turn in turns for table in _moves(proof, turn, folds)),
        Table("lemmas", "What it assumes", ("Theorem", "What it says"), tuple(_lemmas(proof))),
        Table("claim", "What follows", ("Statement", "Where"), tuple(_claim(claim, proof))),
    ]
    if not turns and proof.moves:
        named = tuple(Line(_cells(claim, 0 if m.player is None else m.player, m)) for m in proof.moves)
        tables.insert(-1, Table("moves", "The moves that it names", COLUMNS, named))
    looked_at = tuple(Line((when(pick.when), _heap(pick))) for pick in proof.picks)
    tables.insert(-1, Table("picks", "The heaps that it considers", COLUMNS[:2], looked_at))
    shown = (replace(x, names=folds) for x in tables if x.lines)
    argued = WHO_WINS if turns else BY_DEFINITION if proof.unfold else BY_LEMMAS if proof.by else OF_NUMBERS
    return Outline(argued, tuple(shown))


def _loses(proof: FoldsProof, turn: Turn) -> Line:
    several = chooses_several(turn.game.ruleset)
    closed = outline_of_several.closed(turn) if several else (("no move leads to a loss", turn.closed),)
    shown = [*closed, ("the moves below cover the rest", turn.covered)]
    if turn.game.ruleset.stuck_wins:
        shown.append(("there is always a move", turn.movable))
    loses = dict(proof.loses).get(turn.mover)
    who = f"{turn.player}, to move," if turn.player else "The player to move"
    return Line((say(who), Cell() if loses is None else when(loses)), tuple(shown))


def _folds(proof: FoldsProof) -> Iterator[Line]:
    for fold in proof.folds:
        yield Line((say(fold.name), Cell((fold.term,), Reading.FOLD)))


def _facts(proof: FoldsProof) -> Iterator[Line]:
    for name, term in proof.facts:
        shown = (("true with no heap", fact_of_none(name)), ("stays true with one more", fact_of_more(name)))
        yield Line((say(name), Cell((term,))), shown)


def _lemmas(proof: FoldsProof) -> Iterator[Line]:
    for lemma in proof.by:
        claim = lemma.claim
        where = () if claim.hypothesis is None else (", where ", claim.hypothesis)
        yield Line((say(lemma.id), say(_in_full(claim.conclusion), *where)))


def _in_full(term: t.Term) -> t.Term:
    """The term with its definitions written out, unless that is long: those of another claim stand on its page."""
    full = unfolded(term)
    return full if len(text(full)) <= SHORT else term


def _claim(claim: Claim, proof: FoldsProof) -> Iterator[Line]:
    if proof.heaps:
        words = f"{proof.position} has the heaps {' <= '.join(proof.heaps)}"
        shown = ("so the hypotheses say", number_of_heaps(proof.position, len(proof.heaps)))
        yield Line((say(words), Cell()), (shown,))
    for name, term in proof.steps:
        yield Line((say(term), Cell()), (("it follows", step(name)),))
    if not proof.split:
        yield Line((say(claim.conclusion), Cell()), (("it follows", CLAIM),))
        return
    for words, case in proof.split:
        yield Line((say(claim.conclusion), when(case)), (("it follows", claim_where(words)),))
    yield Line((say("there is no other case"), Cell()), (("they cover", SPLIT),))


# -- moves ------------------------------------------------------------------------------------------------------------
COLUMNS = ("When", "Heap", "Move")


def _moves(proof: FoldsProof, turn: Turn, folds: dict[str, t.Term]) -> list[Table]:
    if chooses_several(turn.game.ruleset):
        return outline_of_several.moves(proof, turn)
    replies = turn.replies(proof.moves)
    others = turn.others(proof.moves) if turn.game.ruleset.stuck_wins else []
    won, lost = ([_move(proof, turn, folds, names, named) for names, named in found] for found in (replies, others))
    return show_moves(turn.player, COLUMNS, len(replies), won, lost)


def _move(proof: FoldsProof, turn: Turn, folds: dict[str, t.Term], names: MoveNames, named: NamedMove) -> Line:
    shown = [("exists", names.heap), ("legal", names.legal)]
    if named.to_loss:
        shown.append(("leads to a loss", names.to_loss))
    (move, *_) = open_moves(turn.game, turn.mover)
    cells = (when(named.when), _heap(named), Cell(tuple(_taken(move, named))))
    return Line(cells, tuple(shown), _play(proof, turn, folds, named, move))


def _cells(claim: Claim, mover: int, named: NamedMove) -> tuple[Cell, ...]:
    (move, *_) = open_moves(claim.games[0], mover)
    return when(named.when), _heap(named), Cell(tuple(_taken(move, named)))


def _heap(named: Pick) -> Cell:
    if named.top_bit:
        return say("one with the top bit of", t.Variable(INT, 0, 0, named.top_bit))
    if named.largest:
        return say("a largest")
    return say("any") if named.having is None else say("any with", named.having)


def _taken(move: OpenMove, named: NamedMove) -> Iterator[str | t.Term]:
    """What is done: "leave y" of `take h - y` where what is picked is taken away, "take all of it" of `take h`."""
    taken_away = isinstance(move.become, t.Operation) and move.become.op == "sub" and len(move.picks) == 1
    for i, (name, term) in enumerate(named.take):
        if not taken_away:
            yield from ((", " if i else "") + f"{name} =", term)
        elif _is_heap(term):
            yield "take all of it"
        elif isinstance(term, t.Operation) and term.op == "sub" and _is_heap(term.args[0]):
            yield from ("leave", term.args[1])
        else:
            yield from ("take", term)


def _is_heap(term: t.Term) -> bool:
    return isinstance(term, t.Variable) and term.name == PICKED_HEAP


def _play(
    proof: FoldsProof, turn: Turn, folds: dict[str, t.Term], named: NamedMove, move: OpenMove
) -> NamedPlay | None:
    """The move, with the folds written out; None if it says too little for an instance."""
    take = dict(named.take)
    if len(turn.game.ruleset.moves) != 1 or any(pick.word not in take for pick in move.picks):
        return None
    values: dict[str, t.Term] = {HEAP: HEAP_VARIABLE, **{pick.name: take[pick.word] for pick in move.picks}}
    fits = YES if named.having is None else named.having
    if named.top_bit:
        fits = _at_top_bit(folds[named.top_bit], t.Variable(INT, 0, 0, named.top_bit))
    if named.largest:
        s = t.Variable(POSITION, 0, 0, proof.position)
        fits = equal(HEAP_VARIABLE, t.Operation(INT, 0, 0, LARGEST, (s,)))
    return NamedPlay(
        turn.game.name,
        turn.mover,
        proof.position,
        PICKED_HEAP,
        substituted(both(*(() if proof.assume is None else (proof.assume,)), named.when), folds),
        substituted(fits, folds),
        substituted(substituted(move.become, values), proof.seen_beside),
        named.to_loss,
    )


def _at_top_bit(fold: t.Term, whole: t.Term) -> t.Term:
    """That a heap is one of those that the nim-sum `fold` adds, and is lowered by its value `whole`."""
    if isinstance(fold, t.Comprehension):
        (clause,) = fold.clauses
        here = {clause.variable: HEAP_VARIABLE}
        value = substituted(fold.body, here)
        return both(*(substituted(x, here) for x in clause.conditions), below(nim(value, whole), value))
    return below(nim(HEAP_VARIABLE, whole), HEAP_VARIABLE)
