"""Games solved over a box of positions: what a position is worth as a function, with equations for each of them.

The value says who wins, counted from the mover; each player takes the option that brings the winner's turn closest to
his own.  The Grundy value is the least that no option has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from math import comb

from claims.language.ground.errors import NimChecksError
from claims.language.statement.claim import Game
from encoders.bounded.moves import Env, TermReading, follow
from encoders.bounded.numbers import Position, make_word
from encoders.bounded.values import Items, Values, as_number
from encoders.ground.refusals import Unsupported
from encoders.logic.smt.formulas import TRUE, WORD, Declaration, Formula, conditional, conjunction, disjunction, implies
from encoders.logic.smt.words import Number, WordKind

# -- play -------------------------------------------------------------------------------------------------------------
# The rules of one game of a claim, at positions whose heaps may be symbols: parameters, players, options.


Options = tuple[tuple[Formula, Position], ...]
"""Positions one move away, each with whether the move is legal."""


class Play:
    """A game of the claim. `root`: the claim's variables, which its parameters may use.

    Raises Unsupported for games that are not unrolled.
    """

    def __init__(self, values: Values, reader: TermReading, game: Game, root: Env) -> None:
        if not game.ruleset.single_heap:
            raise Unsupported(f"{game.ruleset.id}: moves of one heap that becomes another are unrolled, others not")
        self.values, self.reader, self.game, self.root = values, reader, game, root

    @property
    def players(self) -> Number:
        """How many there are."""
        ruleset = self.game.ruleset
        if ruleset.players:
            return self.values.numbers.literal(len(ruleset.players))
        return self.reader.number(dict(self.game.arguments)[ruleset.player_count], self.root)

    @property
    def movers(self) -> range:
        """Those who move differently: one if all have the same moves."""
        return range(1 if self.game.ruleset.impartial else len(self.game.ruleset.players))

    def require_player(self, mover: Number) -> None:
        """Note that this must be a player."""
        n = self.values.numbers
        self.values.needs.require(n.relation("ge", mover, self.values.zero), n.relation("lt", mover, self.players))

    def options(self, s: Position, mover: Number) -> Options:
        """The positions one move away, each with whether the move is legal; what that needs is noted."""
        n, needs, ruleset = self.values.numbers, self.values.needs, self.game.ruleset
        env = {name: self.reader.value(term, self.root) for name, term in self.game.arguments}
        for p in ruleset.parameters:
            if p.kind == "int":
                value = as_number(env[p.name])
                needs.require(n.relation("ge", value, n.literal(p.lo)))
                if p.hi is not None:
                    needs.require(n.relation("le", value, n.literal(p.hi)))
        self.require_player(mover)
        env["mover"] = mover
        return tuple(x for move in ruleset.moves for x in follow(self.values, self.reader, move, s, env))


# -- unrolled ---------------------------------------------------------------------------------------------------------
MAX_POSITIONS = 260  # of the box of one game


class Beyond(NimChecksError):
    """A question about positions outside the box; `box` would do for it."""

    def __init__(self, box: PositionBox) -> None:
        super().__init__()
        self.box = box


@dataclass(frozen=True)
class PositionBox:
    """The positions of up to `heaps` heaps of at most `size`."""

    heaps: int
    size: int

    def require(self, s: Position) -> None:
        """Raises Beyond for a position that may lie outside."""
        size = max((h.hi for h in s), default=0)
        if size > self.size or len(s) > self.heaps:
            raise Beyond(PositionBox(max(len(s), self.heaps), max(size, self.size)))

    def positions(self, values: Values) -> Iterator[Position]:
        """All of them, small ones first. Raises Unsupported for too many, and OutOfTime."""
        count = comb(self.size + self.heaps, self.heaps)
        if count > MAX_POSITIONS:
            raise Unsupported(f"too large: a game of {count} positions; at most {MAX_POSITIONS} are unrolled")
        for heaps in sorted(combinations_with_replacement(range(self.size + 1), self.heaps), key=sum):
            values.needs.check_time()
            yield tuple(map(values.numbers.literal, heaps))

    def declare(self, name: str) -> Declaration:
        """A function of positions of the box."""
        return Declaration(name, WORD, (WORD,) * self.heaps)


@dataclass(frozen=True, eq=False)
class SolvedBox:
    """A function of the positions of a box for each of those who move differently; its values are 0..most.

    `equations` hold of them; `needed` is what the rules need in order to be defined at all positions of the box.
    """

    box: PositionBox
    functions: tuple[Declaration, ...]
    most: int
    equations: tuple[Formula, ...] = ()
    needed: Formula = TRUE

    def value(self, values: Values, s: Position, mover: int = 0) -> Number:
        """The value of a position of the box, which may be a symbol. Raises Beyond."""
        self.box.require(s)
        function = self.functions[0] if len(self.functions) == 1 else self.functions[mover]
        row = (values.zero,) * (self.box.heaps - len(s)) + s
        return make_word(function.apply(*(h.as_kind(WordKind.WORD) for h in row)), 0, self.most)


def solve_values(play: Play, box: PositionBox) -> SolvedBox:
    """Who wins at each position, for each mover. Raises Unsupported and OutOfTime."""
    movers = [f"value in {play.game.name} for {m}" for m in play.movers]
    solved = SolvedBox(box, tuple(map(box.declare, movers)), max(play.players.hi - 1, 1))
    with play.values.needs.apart() as needed:
        equations = [
            x for m in play.movers for s in box.positions(play.values) for x in _equate_value(play, solved, s, m)
        ]
    return replace(solved, equations=tuple(equations), needed=conjunction(needed))


def _equate_value(play: Play, solved: SolvedBox, s: Position, mover: int) -> Iterator[Formula]:
    """What the rules say of the value of one position."""
    values, n, ruleset, players = play.values, play.values.numbers, play.game.ruleset, play.players
    following = 0 if ruleset.impartial else (mover + 1) % len(ruleset.players)
    here = solved.value(values, s, mover)
    options = play.options(s, n.literal(mover))
    attained: list[Formula] = []
    for legal, option in options:
        one_more = n.add(solved.value(values, option, following), values.one)
        after = n.choose(n.equal(one_more, players), values.zero, one_more)
        attained.append(conjunction((legal, n.equal(here, after))))
        yield implies(legal, n.relation("le", here, after))
    some = disjunction(legal for legal, _ in options)
    stuck = values.zero if ruleset.stuck_wins else n.sub(players, values.one)
    yield conditional(some, disjunction(attained), n.equal(here, stuck))
    yield n.relation("ge", here, values.zero)
    yield n.relation("lt", here, players)


def solve_grundy_values(play: Play, box: PositionBox) -> SolvedBox:
    """The Grundy value of each position. Raises Unsupported and OutOfTime."""
    most = (1 << (box.heaps * box.size).bit_length()) - 1
    solved = SolvedBox(box, (box.declare(f"grundy in {play.game.name}"),), most)
    with play.values.needs.apart() as needed:
        equations = [x for s in box.positions(play.values) for x in _equate_grundy_value(play, solved, s)]
    return replace(solved, equations=tuple(equations), needed=conjunction(needed))


def _equate_grundy_value(play: Play, solved: SolvedBox, s: Position) -> Iterator[Formula]:
    """What the rules say of the Grundy value of one position, whose players must all have the same options."""
    values, n = play.values, play.values.numbers
    options = play.options(s, values.zero)
    for other in map(n.literal, play.movers[1:]):
        values.needs.require(values.same(Items("set", options), Items("set", play.options(s, other))))
    here = solved.value(values, s)
    reached = [(legal, solved.value(values, option)) for legal, option in options]
    for legal, value in reached:
        yield implies(legal, n.relation("ne", here, value))
    total = sum(h.lo for h in s)
    for less in map(n.literal, range(total)):
        values.needs.check_time()
        found = disjunction(conjunction((legal, n.equal(value, less))) for legal, value in reached)
        yield implies(n.relation("gt", here, less), found)
    yield n.relation("ge", here, values.zero)
    yield n.relation("le", here, n.literal(total))
