"""The normal form of a game: the one in which the rules of proof see it, however its file is written.

In order: what the claim says of parameters is written in, and sets and lists that are known are spelled out; each kind
of move is brought to its normal form (`kinds`); "each of a..b heaps h" becomes a kind of move for each number of heaps,
where a and b are known; and where a proof speaks of positions of so many heaps at most, `len(s)` is known in a move
that chooses as many.

At every position that a rule speaks of each mover has the same options; and where a rule of the file has no value, so
has one of the normal form.  See docs/decisions/0030-normal-form-of-games.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial

from claims.language.expressions.walk import rebuild, walk
from claims.language.heaps.heading import Parameter
from claims.language.statement.claim import Game
from claims.language.statement.rulesets import Move
from claims.language.statement.unfolding import expand_definitions
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION
from encoders.logic.moves import MOST_HEAPS
from encoders.logic.terms import integer
from encoders.rules.normal.kinds import changed, copied, normal_kinds
from encoders.rules.normal.spelling import (
    conditions_of,
    is_total_move,
    known_members,
    known_number,
    spelled,
    without_true,
    write_out,
)

WHOLE = "s"  # what rules call the position


@lru_cache(maxsize=64)  # a claim's games are asked for when its [proof] is read, and by each rule that may reach it
def normal_game(game: Game, most: int | None = None) -> Game:
    """The game in normal form; itself if it is. `most`: how many heaps the positions of the proof have at most."""
    if game.ruleset.heap is not None or game.ruleset.unusual:
        return game  # which no rule reads
    game = name_members(game)
    arguments = {name: expand_definitions(x) for name, x in game.arguments}
    known = {name: x for name, x in arguments.items() if _is_known(x)}
    written = game.ruleset.moves
    moves: list[Move] = []
    for move in written:
        for kind in _of_so_many_heaps(changed(move, partial(write_out, known=known)), frozenset(arguments)):
            moves += normal_kinds(_count_heaps(kind, most))
    sets = {p.name for p in game.ruleset.parameters if p.kind != "int" and p.name in known}
    if not sets and [spelled(x) for x in moves] == [spelled(x) for x in written]:
        return game
    ruleset = replace(
        game.ruleset,
        moves=tuple(moves) or written,
        parameters=tuple(p for p in game.ruleset.parameters if p.name not in sets),
        sees_position=any(isinstance(x, t.Variable) and x.name == WHOLE for x in walk(tuple(moves))),
    )
    return replace(game, ruleset=ruleset)


def name_members(game: Game) -> Game:
    """The game with a parameter of its own for each member of a set or list that is written down but no number.

    These are natural numbers, as all parameters that nothing else is said of: the rules of proof show it of each.
    """
    named: list[tuple[str, t.Term]] = []

    def name(parameter: str, term: t.Term) -> t.Term:
        term = expand_definitions(term)
        if not isinstance(term, t.Collection) or known_members(term) is not None:
            return term
        items: list[t.Term] = []
        for item in term.items:
            if isinstance(item, t.Literal):
                items.append(item)
                continue
            named.append((f"{parameter}[{len(items)}]", item))
            items.append(t.Variable(INT, item.start, item.end, named[-1][0]))
        return replace(term, items=tuple(items))

    sets = {p.name for p in game.ruleset.parameters if p.kind != "int"}
    arguments = tuple((key, name(key, x) if key in sets else x) for key, x in game.arguments)
    if not named:
        return game
    parameters = (*game.ruleset.parameters, *(Parameter(key, "int") for key, _ in named))
    return replace(game, ruleset=replace(game.ruleset, parameters=parameters), arguments=(*arguments, *named))


def _is_known(term: t.Term) -> bool:
    """Whether it is a number, or a set or list of numbers and of parameters that is written down."""
    plain = isinstance(term, t.Collection) and all(isinstance(x, t.Variable | t.Literal) for x in term.items)
    return plain or isinstance(term, t.Literal) or known_members(term) is not None


def _of_so_many_heaps(move: Move, taken: frozenset[str]) -> Iterator[Move]:
    """A kind of move for each number of heaps that "each of a..b heaps h" chooses, if a and b are known.

    The second heap and what is picked for it are called h2 and m2, where these names are free.  What a heap becomes is
    not asked where another may not be moved; so terms that may have no value stay, unless a move may be of one heap.
    """
    low, high = (known_number(x) if x is not None else None for x in (move.at_least, move.at_most))
    if move.choose != "each" or low is None or high is None or not 1 <= low <= high <= MOST_HEAPS:
        yield move
        return
    if low > 1 and not is_total_move(move):
        yield move
        return
    used = {x.name for x in walk(move) if isinstance(x, t.Variable)} | {p.name for p in move.picks} | taken
    parts = [move, *(copied(move, place, used) for place in range(1, high))]
    for count in range(low, high + 1):
        some = parts[:count]
        yield replace(
            move,
            choose="any",
            heaps=tuple(x for part in some for x in part.heaps),
            picks=tuple(x for part in some for x in part.picks),
            where=without_true(*(c for part in some for c in conditions_of(part))),
            become=tuple(x for part in some for x in part.become),
            at_least=None,
            at_most=None,
        )


def _count_heaps(move: Move, most: int | None) -> Move:
    """A move that chooses as many heaps as a position may have chooses them all: `len(s)` is their number."""
    if most is None or len(move.heaps) != most or move.choose == "each":
        return move

    def count(term: t.Term) -> t.Term:
        match term:
            case t.Operation(op="len", args=(t.Variable(name=name, type=kind),)) if name == WHOLE and kind == POSITION:
                return integer(most)
        return rebuild(term, count)

    return changed(move, lambda term: write_out(count(term), {}))
