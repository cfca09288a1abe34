"""A move of a game with everything open: the heaps, the numbers picked; as terms over the claim's variables.

Every rule of proof speaks of moves through this one description: what is legal, what the heaps become, over which
range each number runs.  Nothing is said about sizes: a number picked may be negative, or larger than the heap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from claims.language.expressions.walk import substituted
from claims.language.statement.claim import Game
from claims.language.statement.domains import Interval
from claims.language.statement.parameters import state_bounds
from claims.language.statement.rulesets import Move, Ruleset
from claims.language.terms import terms as t
from claims.language.terms.types import INT, PLAYER
from encoders.ground.refusals import Unsupported
from encoders.logic.terms import both, compare

HEAP = "heap'"  # no name of a file has this mark in it, so none is captured
PICKED = "picked'"
MOST_HEAPS = 4  # that one move chooses


@dataclass(frozen=True, eq=False)
class OpenPick:
    """A number picked: lo <= `name` <= hi. `word` is what the ruleset calls it.

    `heap`: where each heap has numbers of its own, which of the heaps chosen it is for, counted from 0; else 0.
    """

    word: str
    name: str
    lo: t.Term
    hi: t.Term
    heap: int = 0


@dataclass(frozen=True, eq=False)
class OpenMove:
    """One kind of move by one mover; it is allowed where the picks are in range and `where` holds.

    `heaps`: what the terms call the heaps chosen, HEAP the first of them, and no two the same heap.  `choose`: "any",
    "largest", "smallest" or "each", as in the ruleset.  `becomes`: what replaces them, as many or fewer.
    """

    choose: str
    heaps: tuple[str, ...]
    picks: tuple[OpenPick, ...]
    where: t.Term | None
    becomes: tuple[t.Term, ...]

    @property
    def become(self) -> t.Term:
        """What the one heap becomes, of a move that makes one heap another."""
        (size,) = self.becomes
        return size

    def ranges(self) -> tuple[t.Term, ...]:
        """The conditions on the picks, in order."""
        found: list[t.Term] = []
        for p in self.picks:
            picked = t.Variable(INT, 0, 0, p.name)
            found += [compare("le", p.lo, picked), compare("le", picked, p.hi)]
        return tuple(found)

    @property
    def legal(self) -> t.Term:
        """Whether the move is legal on heaps that may be chosen, over their names and those of the picks."""
        return both(*self.ranges(), *(() if self.where is None else (self.where,)))


OpenMoves = Callable[[Game, int], tuple[OpenMove, ...]]
"""The kinds of moves that a mover has. Raises Unsupported for games that are not followed."""


def open_moves(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The kinds of moves of a game in which a move takes from one heap. Raises Unsupported for other games."""
    ruleset = game.ruleset
    if not ruleset.single_heap or ruleset.measure is not None:
        raise Unsupported(f"{ruleset.id}: the rules of proof follow moves that make one heap smaller")
    return tuple(_open(game, move, mover) for move in ruleset.moves)


def open_choices(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The kinds of moves of a game in which a move chooses one, two or more heaps and leaves no more of them.

    Raises Unsupported for other games.
    """
    ruleset = game.ruleset
    if ruleset.sees_position or ruleset.measure is not None or any(m.choose == "each" for m in ruleset.moves):
        problem = "the rule follows moves that choose so many heaps and look at no others"
        raise Unsupported(f"{ruleset.id}: {problem}")
    if any(len(m.become) > len(m.heaps) for m in ruleset.moves):
        raise Unsupported(f"{ruleset.id}: a move leaves more heaps than it chooses")
    return tuple(_open(game, move, mover) for move in ruleset.moves)


def chooses_several(ruleset: Ruleset) -> bool:
    """Whether some move chooses more than one heap, or as many as the mover likes."""
    return any(m.choose == "each" or len(m.heaps) > 1 for m in ruleset.moves)


def open_several(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The kinds of moves of a game in which a move chooses any one heap or any several and makes as many of them.

    "each of 1..2 heaps h" is two kinds, one for each number of heaps.  Raises Unsupported for other games.
    """
    name = game.ruleset.id
    if game.ruleset.sees_position or game.ruleset.measure is not None:
        raise Unsupported(f"{name}: the rule follows moves that look at no heaps but those they choose")
    found: list[OpenMove] = []
    for move in game.ruleset.moves:
        if move.choose not in ("any", "each") or len(move.become) != len(move.heaps):
            raise Unsupported(f"{name}: the rule follows moves that choose any heaps and make one of each")
        if move.choose == "any":
            found.append(_open(game, move, mover))
            continue
        low, high = (_number(game, x) for x in (move.at_least, move.at_most))
        if low is None or high is None or not 1 <= low <= high <= MOST_HEAPS:
            raise Unsupported(f"{name}: of each move the rule must know how many heaps it chooses, 1 to {MOST_HEAPS}")
        found += (_each(game, move, mover, count) for count in range(low, high + 1))
    return tuple(found)


def _number(game: Game, term: t.Term | None) -> int | None:
    """The number of heaps that a bound of "each of a..b heaps" says; None if it is not written down."""
    found = None if term is None else substituted(term, dict(game.arguments))
    return found.value if isinstance(found, t.Literal) else None


def _each(game: Game, move: Move, mover: int, count: int) -> OpenMove:
    """The kind of an "each" move that chooses so many heaps: on each of them the same, with picks of its own."""
    parts = [_open(game, move, mover, i) for i in range(count)]
    wheres = tuple(x.where for x in parts if x.where is not None)
    where = both(*wheres) if wheres else None
    heaps = tuple(x for part in parts for x in part.heaps)
    picks = tuple(x for part in parts for x in part.picks)
    return OpenMove("each", heaps, picks, where, tuple(x for part in parts for x in part.becomes))


def _open(game: Game, move: Move, mover: int, start: int = 0) -> OpenMove:
    """The move on heaps that are counted from `start`."""
    who = PLAYER if game.ruleset.players else INT
    heaps = tuple(HEAP if i == 1 else f"{HEAP}{i}" for i in range(start + 1, start + len(move.heaps) + 1))
    values: dict[str, t.Term] = dict(game.arguments)
    values |= {"mover": t.Literal(who, 0, 0, mover)}
    values |= {word: t.Variable(INT, 0, 0, name) for word, name in zip(move.heaps, heaps, strict=True)}
    picks = []
    for number, pick in enumerate(move.picks):
        if not isinstance(pick.domain, Interval) or pick.domain.hi is None:
            raise Unsupported(f"{game.ruleset.id}: {pick.name} is picked from a set")
        name = f"{PICKED}{number}" if not start else f"{PICKED}{number} of {start + 1}"
        low, high = (substituted(x, values) for x in (pick.domain.lo, pick.domain.hi))
        picks.append(OpenPick(pick.name, name, low, high, start))
        values[pick.name] = t.Variable(INT, 0, 0, name)
    where = None if move.where is None else substituted(move.where, values)
    becomes = tuple(substituted(size, values) for size in move.become)
    return OpenMove(move.choose, heaps, tuple(picks), where, becomes)


def movers(game: Game) -> tuple[int, ...]:
    """Those who move differently: one for an impartial ruleset, where all have the same moves. Raises Unsupported."""
    if game.ruleset.impartial:
        return (0,)
    if not game.ruleset.players:
        raise Unsupported(f"{game.ruleset.id}: players whose number is a parameter, and who move differently")
    return tuple(range(len(game.ruleset.players)))


def parameter_bounds(game: Game) -> Iterator[t.Term]:
    """That the game's parameters lie in their domains. Raises Unsupported for a parameter that is no integer."""
    for p in game.ruleset.parameters:
        if p.kind != "int":
            raise Unsupported(f"{game.ruleset.id}: the parameter {p.name} is a {p.kind}")
        yield from state_bounds(game, p)
