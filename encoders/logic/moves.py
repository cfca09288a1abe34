"""The moves of a game as terms, for proofs: when a move is legal, and which heaps result.

The terms contain the variables of the claim, and variables for the chosen heaps and for the numbers that the mover
picks (the *picks*). Nothing else restricts their values: a pick may be negative or larger than the heap, unless the
rules exclude this.
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

HEAP = "heap'"  # names in files cannot contain this mark, so no name is captured
PICKED = "picked'"
WHOLE = "position'"
MOST_HEAPS = 4  # the limit for one move


@dataclass(frozen=True, eq=False)
class OpenPick:
    """A number that the mover picks in a move, such as the number of objects to take: lo <= number <= hi.

    `word`: its name in the ruleset. `name`: its variable in the terms of the move.
    """

    word: str
    name: str
    lo: t.Term
    hi: t.Term

    @property
    def is_known(self) -> bool:
        """Whether only one number is possible, because the bounds are equal. Then a proof need not name the pick."""
        return is_same_polynomial(self.lo, self.hi)


@dataclass(frozen=True, eq=False)
class OpenMove:
    """One kind of move of one player, as terms. It is legal if the picks are in range and `where` holds.

    `choose`: which heap the mover may choose: "any", "largest" or "smallest", as in the ruleset.
    `heaps`: the variables for the sizes of the chosen heaps, which are distinct heaps of the position.
    `picks`: the numbers that the mover picks.
    `where`: a further condition of the rules, or None.
    `becomes`: the sizes of the heaps that replace the chosen ones. There may be more or fewer of them.
    `number`: the place of the move in the list [[moves]] of the file, from 1.
    """

    choose: str
    heaps: tuple[str, ...]
    picks: tuple[OpenPick, ...]
    where: t.Term | None
    becomes: tuple[t.Term, ...]
    number: int = 1

    @property
    def become(self) -> t.Term:
        """The size of the heap that replaces the chosen ones. The move must leave exactly one heap."""
        (size,) = self.becomes
        return size

    def ranges(self) -> tuple[t.Term, ...]:
        """Return two conditions for each pick, in the order of the picks: lo <= pick and pick <= hi."""
        found: list[t.Term] = []
        for p in self.picks:
            picked = t.Variable(INT, 0, 0, p.name)
            found += [compare("le", p.lo, picked), compare("le", picked, p.hi)]
        return tuple(found)

    @property
    def legal(self) -> t.Term:
        """The condition under which the move is legal, as a term over the variables for heaps and picks."""
        return conjunction(*self.ranges(), *(() if self.where is None else (self.where,)))

    def picks_by(self, names: Collection[str]) -> bool:
        """Return whether `names` are the names of the picks of the move in the ruleset.

        Picks for which only one number is possible may be missing.
        """
        own = {pick.word for pick in self.picks}
        return {pick.word for pick in self.picks if not pick.is_known} <= set(names) <= own


def format_pick_name(name: str, place: int) -> str:
    """Return the name of a pick for one of several heaps: "t" for the first (`place` 0), "t2" for the second ..."""
    return name if place == 0 else f"{name}{place + 1}"


def refuse_picks(who: str, named: Collection[str], ruleset: Ruleset, heaps: int = 1) -> Unsupported:
    """Return the exception for a named move whose picks are not the picks of any move of the ruleset.

    `who`: words for the named move.
    `named`: the names of the picks in the named move.
    `heaps`: the number of heaps that the named move chooses.
    """
    kinds = {" and ".join(p.name for p in m.picks) or "nothing" for m in ruleset.moves if len(m.heaps) == heaps}
    each = f" on {heaps} heaps" if heaps > 1 else ""
    instead = (
        f"pick {', or '.join(sorted(kinds))} in `take`"
        if kinds
        else "name a move on as many heaps as some move of the game chooses"
    )
    words = f"{who}{each} picks {' and '.join(named) or 'nothing'}"
    return Unsupported(f"{words}: {ruleset.id} has no such move", instead=instead)


EACH_NUMBER = 'write separate [[moves]] for each number of heaps, such as choose = "any two heaps g, h"'
OpenMoves = Callable[[Game, int], tuple[OpenMove, ...]]
"""A function that returns the kinds of moves of a mover. Raises Unsupported for games that a rule does not support."""


def open_moves(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """Return the moves of a player in a game in which every move only makes one heap smaller.

    Raises Unsupported for games in which a move does anything else, or depends on another heap.
    """
    ruleset = game.ruleset
    if not ruleset.single_heap or ruleset.measure is not None:
        few = all(len(m.become) <= len(m.heaps) for m in ruleset.moves) and ruleset.measure is None
        other = 'state the claim for positions of at most four heaps and use rule = "few heaps"' if few else ""
        words = f"{ruleset.id}: the rule supports only moves that make one heap smaller and depend on no other heap"
        raise Unsupported(f"{words}, without `measure`", instead=other)
    return tuple(_open(game, move, mover) for move in ruleset.moves)


def open_choices(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """Return the moves of a player in a game in which no move leaves more heaps than it chooses.

    Resulting heaps whose size is the constant 0 are omitted. Raises Unsupported for other games, for games with a
    measure, and if the number of heaps that a move chooses is not fixed.
    """
    ruleset = game.ruleset
    if ruleset.measure is not None or any(m.choose == "each" for m in ruleset.moves):
        words = f"{ruleset.id}: the rule supports only moves that choose a fixed number of heaps, and make them smaller"
        raise Unsupported(words, instead=EACH_NUMBER if ruleset.measure is None else "")
    if any(len(m.become) > len(m.heaps) for m in ruleset.moves):
        instead = 'use rule = "folds", or rule = "periodic" for constant heaps'
        raise Unsupported(
            f"{ruleset.id}: the rule does not support moves that leave more heaps than they choose", instead=instead
        )
    made = (_open(game, move, mover) for move in ruleset.moves)
    return tuple(
        replace(x, becomes=tuple(size for size in x.becomes if not is_same_polynomial(size, ZERO))) for x in made
    )


def has_several_heaps(ruleset: Ruleset) -> bool:
    """Return whether some move chooses several heaps or a variable number of heaps, or splits a heap."""
    return any(m.choose == "each" or len(m.heaps) > 1 for m in ruleset.moves) or splits(ruleset)


def splits(ruleset: Ruleset) -> bool:
    """Return whether some move leaves more heaps than it chooses."""
    return any(len(m.become) > len(m.heaps) for m in ruleset.moves)


def has_own_measure(ruleset: Ruleset) -> bool:
    """Return whether the ruleset file states a measure, that is, a number that every move decreases.

    Otherwise a default measure is used, which counts the objects, or the objects and heaps.
    """
    return "measure" in ruleset.source.data


def open_several(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """Return the moves of a player in a game in which every move leaves at least as many heaps as it chooses.

    Each move chooses a fixed number of arbitrary heaps, and leaves at most MOST_HEAPS. Raises Unsupported for other
    games, and for a ruleset whose file states a measure.
    """
    name = game.ruleset.id
    if has_own_measure(game.ruleset):
        instead = "omit `measure` if every move leaves fewer objects, or equally many in more heaps"
        raise Unsupported(f"{name}: the rule cannot show that moves decrease the measure of the file", instead=instead)
    if game.ruleset.sees_position:
        raise Unsupported(f"{name}: the rule supports only moves that depend on no heaps except the chosen ones")
    for move in game.ruleset.moves:
        if move.choose == "each":
            words = f"{name}: the rule supports only moves that choose a fixed number of heaps, 1 to {MOST_HEAPS}"
            raise Unsupported(words, instead=EACH_NUMBER)
        if move.choose != "any" or not len(move.heaps) <= len(move.become) <= MOST_HEAPS:
            raise Unsupported(
                f"{name}: the rule supports only moves that choose arbitrary heaps (not a largest or smallest one), "
                f"and leave at least as many heaps as they choose, but at most {MOST_HEAPS} heaps"
            )
    return tuple(_open(game, move, mover) for move in game.ruleset.moves)


def open_all(game: Game, mover: int) -> tuple[OpenMove, ...]:
    """Return the moves of a player in any game in which each move leaves a fixed number of heaps.

    For a move on "each of a..b heaps h", the result contains the move on one of these heaps. A move may depend on the
    position, which is the variable WHOLE. Raises Unsupported for other games.
    """
    if any(not isinstance(move.result, tuple) for move in game.ruleset.moves):
        raise Unsupported(f"{game.ruleset.id}: the rule supports only moves that leave a fixed number of heaps")
    return tuple(_open(game, move, mover) for move in game.ruleset.moves)


def _open(game: Game, move: Move, mover: int) -> OpenMove:
    """Return a move of the ruleset for one mover, with the arguments of the game in it.

    Its heaps and picks get names that no claim can contain. Raises Unsupported if a number is picked from a set.
    """
    who = PLAYER if game.ruleset.players else INT
    heaps = tuple(HEAP if i == 1 else f"{HEAP}{i}" for i in range(1, len(move.heaps) + 1))
    values: dict[str, t.Term] = dict(game.arguments)
    values |= {"mover": t.Literal(who, 0, 0, mover), "s": t.Variable(POSITION, 0, 0, WHOLE)}
    values |= {word: t.Variable(INT, 0, 0, name) for word, name in zip(move.heaps, heaps, strict=True)}
    picks = []
    for number, pick in enumerate(move.picks):
        if not isinstance(pick.domain, IntervalDomain) or pick.domain.hi is None:
            instead = f'pick it by {pick.name} = "1..h" and where = "{pick.name} in S"'
            raise Unsupported(
                f"{game.ruleset.id}: the rule does not support picks from a set, such as {pick.name}", instead=instead
            )
        name = f"{PICKED}{number}"
        low, high = (substitute(x, values) for x in (pick.domain.lo, pick.domain.hi))
        picks.append(OpenPick(pick.name, name, low, high))
        values[pick.name] = t.Variable(INT, 0, 0, name)
    where = None if move.where is None else substitute(move.where, values)
    becomes = tuple(substitute(size, values) for size in move.become)
    return OpenMove(move.choose, heaps, tuple(picks), where, becomes, move.number)


def movers(game: Game) -> tuple[int, ...]:
    """Return the indices of the players whose moves must be considered: only 0 in an impartial game, otherwise all.

    Raises Unsupported if the players have different moves and their number is a parameter.
    """
    if game.ruleset.impartial:
        return (0,)
    if not game.ruleset.players:
        words = f"{game.ruleset.id}: the number of players is a parameter, and the players have different moves"
        raise Unsupported(words, instead='name them in the ruleset, as in players = ["A", "B"]')
    return tuple(range(len(game.ruleset.players)))


def parameter_bounds(game: Game) -> Iterator[t.Term]:
    """Yield the conditions that the arguments of a game are in the domains that its ruleset states.

    Raises Unsupported if a parameter is not an integer.
    """
    for p in game.ruleset.parameters:
        if p.kind != "int":
            instead = f"write its members into `ruleset`, as in {game.ruleset.id}({p.name} = {{1, 2}})"
            raise Unsupported(
                f"{game.ruleset.id}: the rule does not support the parameter {p.name}, a {p.kind}", instead=instead
            )
        yield from state_bounds(game, p)
