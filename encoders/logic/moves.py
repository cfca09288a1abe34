"""A move of a game with everything open: the heaps, the numbers picked; as terms over the claim's variables.

Every rule of proof speaks of moves through this one description: what is legal, what the heaps become, over which
range each number runs.  Nothing is said about sizes: a number picked may be negative, or larger than the heap.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from claims.language.files.claim import Game
from claims.language.files.domains import IntervalDomain
from claims.language.files.games import state_bounds
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import substitute
from claims.language.syntax.terms import INT, PLAYER, POSITION
from encoders.logic.sequents import ZERO, compare, conjunction, is_same_polynomial
from encoders.refusals import Unsupported

HEAP = "heap'"  # no name of a file has this mark in it, so none is captured
PICKED = "picked'"
WHOLE = "position'"
MOST_HEAPS = 4  # that one move chooses


@dataclass(frozen=True, eq=False)
class OpenPick:
    """A number picked: lo <= `name` <= hi. `word` is what the ruleset calls it."""

    word: str
    name: str
    lo: t.Term
    hi: t.Term

    @property
    def is_known(self) -> bool:
        """Whether there is one number to pick: a named move need not say which."""
        return is_same_polynomial(self.lo, self.hi)


@dataclass(frozen=True, eq=False)
class OpenMove:
    """One kind of move by one mover; it is allowed where the picks are in range and `where` holds.

    `heaps`: what the terms call the heaps chosen, HEAP the first of them, and no two the same heap.  `choose`: "any",
    "largest" or "smallest", as in the ruleset.  `becomes`: what replaces them, as many or fewer.  `number`: the place
    among [[moves]] of the file.
    """

    choose: str
    heaps: tuple[str, ...]
    picks: tuple[OpenPick, ...]
    where: t.Term | None
    becomes: tuple[t.Term, ...]
    number: int = 1

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
        return conjunction(*self.ranges(), *(() if self.where is None else (self.where,)))

    def picks_by(self, names: Collection[str]) -> bool:
        """Whether these are the numbers that it picks, those that are known left out or not."""
        own = {pick.word for pick in self.picks}
        return {pick.word for pick in self.picks if not pick.is_known} <= set(names) <= own


def format_pick_name(name: str, place: int) -> str:
    """What a number picked for the heap at that place, from 0, is called where each heap has numbers of its own."""
    return name if place == 0 else f"{name}{place + 1}"


def refuse_picks(who: str, named: Collection[str], ruleset: Ruleset, heaps: int = 1) -> Unsupported:
    """What a rule says of a move that is named and picks what no move of the game on so many heaps does."""
    kinds = {" and ".join(p.name for p in m.picks) or "nothing" for m in ruleset.moves if len(m.heaps) == heaps}
    each = f" on {heaps} heaps" if heaps > 1 else ""
    instead = (
        f"let `take` say {', or '.join(sorted(kinds))}" if kinds else "name a move on as many heaps as one chooses"
    )
    words = f"{who}{each} picks {' and '.join(named) or 'nothing'}"
    return Unsupported(f"{words}: no such move of {ruleset.id} does", instead=instead)


EACH_NUMBER = 'write each number of heaps as [[moves]] of its own, with choose = "any two heaps g, h"'
OpenMoves = Callable[[Game, int], tuple[OpenMove, ...]]
"""The kinds of moves that a mover has. Raises Unsupported for games that are not followed."""


def open_moves(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The kinds of moves of a game in which a move takes from one heap. Raises Unsupported for other games."""
    ruleset = game.ruleset
    if not ruleset.single_heap or ruleset.measure is not None:
        few = all(len(m.become) <= len(m.heaps) for m in ruleset.moves) and ruleset.measure is None
        other = 'state it about positions of at most four heaps, for rule = "few heaps"' if few else ""
        raise Unsupported(f"{ruleset.id}: the rules of proof follow moves that make one heap smaller", instead=other)
    return tuple(_open(game, move, mover) for move in ruleset.moves)


def open_choices(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The kinds of moves of a game in which a move chooses one, two or more heaps and leaves no more of them.

    Raises Unsupported for other games.
    """
    ruleset = game.ruleset
    if ruleset.measure is not None or any(m.choose == "each" for m in ruleset.moves):
        words = f"{ruleset.id}: the rule follows moves that choose so many heaps, and make them smaller"
        raise Unsupported(words, instead=EACH_NUMBER if ruleset.measure is None else "")
    if any(len(m.become) > len(m.heaps) for m in ruleset.moves):
        instead = 'take rule = "folds", or rule = "periodic" for heaps that are written down'
        raise Unsupported(f"{ruleset.id}: a move leaves more heaps than it chooses", instead=instead)
    made = (_open(game, move, mover) for move in ruleset.moves)
    return tuple(
        replace(x, becomes=tuple(size for size in x.becomes if not is_same_polynomial(size, ZERO))) for x in made
    )


def has_several_heaps(ruleset: Ruleset) -> bool:
    """Whether some move chooses more than one heap, or as many as the mover likes, or makes several of one."""
    return any(m.choose == "each" or len(m.heaps) > 1 for m in ruleset.moves) or splits(ruleset)


def splits(ruleset: Ruleset) -> bool:
    """Whether some move makes more heaps than it chooses."""
    return any(len(m.become) > len(m.heaps) for m in ruleset.moves)


def has_own_measure(ruleset: Ruleset) -> bool:
    """Whether the file gives a measure: where it gives none, that counts objects, or objects and heaps."""
    return "measure" in ruleset.source.data


def open_several(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """The kinds of moves of a game in which a move chooses any one heap or any several and makes as many, or more.

    Raises Unsupported for other games.
    """
    name = game.ruleset.id
    if has_own_measure(game.ruleset):
        instead = "leave out the line `measure`, where every move leaves fewer objects, or as many in more heaps"
        raise Unsupported(f"{name}: whether moves decrease its own measure is not shown by the rule", instead=instead)
    if game.ruleset.sees_position:
        raise Unsupported(f"{name}: the rule follows moves that look at no heaps but those they choose")
    for move in game.ruleset.moves:
        if move.choose == "each":
            words = f"{name}: of each move the rule must know how many heaps it chooses, 1 to {MOST_HEAPS}"
            raise Unsupported(words, instead=EACH_NUMBER)
        if move.choose != "any" or not len(move.heaps) <= len(move.become) <= MOST_HEAPS:
            problem = f"choose any heaps, not a largest or a smallest, and leave no fewer, at most {MOST_HEAPS}"
            raise Unsupported(f"{name}: of moves on several heaps and of splits the rule follows those that {problem}")
    return tuple(_open(game, move, mover) for move in game.ruleset.moves)


def _open(game: Game, move: Move, mover: int) -> OpenMove:
    """The move with its heaps and picks under names of their own."""
    who = PLAYER if game.ruleset.players else INT
    heaps = tuple(HEAP if i == 1 else f"{HEAP}{i}" for i in range(1, len(move.heaps) + 1))
    values: dict[str, t.Term] = dict(game.arguments)
    values |= {"mover": t.Literal(who, 0, 0, mover), "s": t.Variable(POSITION, 0, 0, WHOLE)}
    values |= {word: t.Variable(INT, 0, 0, name) for word, name in zip(move.heaps, heaps, strict=True)}
    picks = []
    for number, pick in enumerate(move.picks):
        if not isinstance(pick.domain, IntervalDomain) or pick.domain.hi is None:
            instead = f'{pick.name} = "1..h" and where = "{pick.name} in S"'
            raise Unsupported(f"{game.ruleset.id}: {pick.name} is picked from a set", instead=f"pick it by {instead}")
        name = f"{PICKED}{number}"
        low, high = (substitute(x, values) for x in (pick.domain.lo, pick.domain.hi))
        picks.append(OpenPick(pick.name, name, low, high))
        values[pick.name] = t.Variable(INT, 0, 0, name)
    where = None if move.where is None else substitute(move.where, values)
    becomes = tuple(substitute(size, values) for size in move.become)
    return OpenMove(move.choose, heaps, tuple(picks), where, becomes, move.number)


def movers(game: Game) -> tuple[int, ...]:
    """Those who move differently: one for an impartial ruleset, where all have the same moves. Raises Unsupported."""
    if game.ruleset.impartial:
        return (0,)
    if not game.ruleset.players:
        words = f"{game.ruleset.id}: players whose number is a parameter, and who move differently"
        raise Unsupported(words, instead='name them in the ruleset, players = ["A", "B"]')
    return tuple(range(len(game.ruleset.players)))


def parameter_bounds(game: Game) -> Iterator[t.Term]:
    """That the game's parameters lie in their domains. Raises Unsupported for a parameter that is no integer."""
    for p in game.ruleset.parameters:
        if p.kind != "int":
            instead = f"write its members into `ruleset`, as in {game.ruleset.id}({p.name} = {{1, 2}})"
            raise Unsupported(f"{game.ruleset.id}: the parameter {p.name} is a {p.kind}", instead=instead)
        yield from state_bounds(game, p)
