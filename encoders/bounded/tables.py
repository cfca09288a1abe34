"""Games over a box of positions: each question a function, with one equation for every position of the box."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any

import z3

from claims.language.expressions import terms as t
from claims.language.expressions.questions import QUESTIONS
from claims.language.statement.claim import Game
from encoders.answer import Unsupported
from encoders.bounded.numbers import Items, Position
from encoders.bounded.words import Number

if TYPE_CHECKING:
    from encoders.bounded.theory import Theory

MAX_POSITIONS = 260  # of the box of one game


class Beyond(Exception):
    """A question about positions outside the box; a box of `heaps` of at most `size` would do for it."""

    def __init__(self, heaps: int, size: int) -> None:
        super().__init__()
        self.heaps, self.size = heaps, size


class Tables:
    """Answers questions. The box is that of the scope: `heaps` of at most `size`, set before the first question."""

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.heaps = self.size = 0
        self.equations: list[Any] = []
        self._functions: dict[tuple[str, str, int], Any] = {}

    def ask(self, call: t.GameCall, args: list[Any]) -> Any:
        """A question about a game. Raises Unsupported."""
        game = self.theory.claim.game(call.game)
        if not game.ruleset.single_heap:
            raise Unsupported(f"{game.ruleset.id}: moves of one heap that becomes another are unrolled, others not")
        s: Position = args[0]
        if QUESTIONS[call.function].mover:
            self._need_player(game, args[-1])
        match call.function:
            case "options":
                return Items("set", tuple(self._options(game, s, args[1])))
            case "terminal":
                return z3.Not(z3.Or(*(p for p, _ in self._options(game, s, args[1])), z3.Not(self.theory.true)))
            case "legal":
                same = self.theory.numbers.same_positions
                found = [z3.And(p, same(o, args[1])) for p, o in self._options(game, s, args[2])]
                return z3.Or(*found, z3.Not(self.theory.true))
            case "wins":
                return self._by_mover(args[1], lambda m: self.theory.numbers.same(self._value(game, s, m), self._zero))
            case "value":
                return self._value(game, s, 0) if game.ruleset.impartial else self._mover_value(game, s, args[1])
            case "outcome":
                first, second = (self.theory.numbers.same(self._value(game, s, m), self._zero) for m in (0, 1))
                return self._outcome(first, second)
            case "grundy":
                return self._grundy(game, s)
        raise Unsupported(f"{call.function} has no translation into constraints")

    @property
    def _zero(self) -> Number:
        return self.theory.numbers.literal(0)

    def _by_mover(self, mover: Number, answer: Any) -> Any:
        """The answer for the mover, who may be a symbol."""
        n = self.theory.numbers
        return z3.Or(*(z3.And(n.same(mover, n.literal(m)), answer(m)) for m in range(mover.lo, mover.hi + 1)))

    def _mover_value(self, game: Game, s: Position, mover: Number) -> Number:
        if mover.lo != mover.hi:
            raise Unsupported("the value for a player who is not named outright")
        if not 0 <= mover.lo < len(game.ruleset.players):
            raise Unsupported("the value for a player who may not exist")
        return self._value(game, s, mover.lo)

    def _outcome(self, first: Any, second: Any) -> Number:
        n = self.theory.numbers
        index = {name: n.literal(i) for i, name in enumerate(t.OUTCOMES)}
        lost = n.choose(second, index["second_wins"], index["P_position"])
        return n.choose(first, n.choose(second, index["N_position"], index["first_wins"]), lost)

    # -- the rules ----------------------------------------------------------------------------------------------------
    def _options(self, game: Game, s: Position, mover: Number) -> list[tuple[Any, Position]]:
        theory, ruleset = self.theory, game.ruleset
        n = theory.numbers
        env = {name: theory.value(term, theory.root) for name, term in game.arguments}
        for p in ruleset.parameters:
            if p.kind == "int":
                theory.needs.append(n.relation("ge", env[p.name], n.literal(p.lo)))
                if p.hi is not None:
                    theory.needs.append(n.relation("le", env[p.name], n.literal(p.hi)))
        self._need_player(game, mover)
        env["mover"] = mover
        return [option for move in ruleset.moves for option in theory.moves(move, s, env)]

    def _need_player(self, game: Game, mover: Number) -> None:
        n = self.theory.numbers
        self.theory.needs += [n.relation("ge", mover, n.literal(0)), n.relation("lt", mover, self._players(game))]

    def _players(self, game: Game) -> Number:
        if game.ruleset.players:
            return self.theory.numbers.literal(len(game.ruleset.players))
        return self.theory.number(dict(game.arguments)[game.ruleset.player_count], self.theory.root)

    # -- solved games -------------------------------------------------------------------------------------------------
    def _row(self, s: Position) -> list[Any]:
        """The arguments for a position of the box."""
        size = max((h.hi for h in s), default=0)
        if size > self.size or len(s) > self.heaps:
            raise Beyond(max(len(s), self.heaps), max(size, self.size))
        zeros = (self._zero,) * (self.heaps - len(s))
        return [h.as_kind("size") for h in zeros + s]

    def _box(self) -> list[tuple[int, ...]]:
        count = comb(self.size + self.heaps, self.heaps)
        if count > MAX_POSITIONS:
            raise Unsupported(f"too large: a game of {count} positions; at most {MAX_POSITIONS} are unrolled")
        return sorted(combinations_with_replacement(range(self.size + 1), self.heaps), key=sum)

    def _function(self, name: str) -> Any:
        vector = z3.BitVecSort(64, self.theory.context)
        return z3.Function(name, *([vector] * (self.heaps + 1)))

    def _value(self, game: Game, s: Position, mover: int) -> Number:
        row = self._row(s)
        mover = 0 if game.ruleset.impartial else mover
        players = self._players(game)
        key = (game.name, "value", mover)
        if key not in self._functions:
            movers = [0] if game.ruleset.impartial else range(len(game.ruleset.players))
            for m in movers:
                self._functions[game.name, "value", m] = self._function(f"value in {game.name} for {m}")
            for m in movers:
                self._solve_values(game, m, players)
        return Number("size", self._functions[key](*row), 0, max(players.hi - 1, 1))

    def _solve_values(self, game: Game, mover: int, players: Number) -> None:
        n = self.theory.numbers
        following = 0 if game.ruleset.impartial else (mover + 1) % len(game.ruleset.players)
        one = n.literal(1)
        for heaps in self._box():
            self.theory.check()
            s = tuple(n.literal(h) for h in heaps)
            here = self._value(game, s, mover)
            options = self._options(game, s, n.literal(mover))
            attained, least = [], []
            for legal, option in options:
                next_ = n.add(self._value(game, option, following), one)
                after = n.choose(n.same(next_, players), self._zero, next_)
                attained.append(z3.And(legal, n.same(here, after)))
                least.append(z3.Implies(legal, n.relation("le", here, after)))
            some = z3.Or(*(legal for legal, _ in options), z3.Not(self.theory.true))
            stuck = self._zero if game.ruleset.stuck_wins else n.sub(players, one)
            self.equations += [
                z3.If(some, z3.Or(*attained, z3.Not(self.theory.true)), n.same(here, stuck)),
                *least,
                n.relation("ge", here, self._zero),
                n.relation("lt", here, players),
            ]

    def _grundy(self, game: Game, s: Position) -> Number:
        row = self._row(s)
        key = (game.name, "grundy", 0)
        if key not in self._functions:
            self._functions[key] = self._function(f"grundy in {game.name}")
            for heaps in self._box():
                self._solve_grundy(game, heaps)
        most = (1 << (self.heaps * self.size).bit_length()) - 1
        return Number("size", self._functions[key](*row), 0, most)

    def _solve_grundy(self, game: Game, heaps: tuple[int, ...]) -> None:
        n = self.theory.numbers
        s = tuple(n.literal(h) for h in heaps)
        here = self._grundy(game, s)
        options = self._options(game, s, n.literal(0))
        if not game.ruleset.impartial:
            others = self._options(game, s, n.literal(1))
            if len(others) != len(options):
                raise Unsupported(f"{game.ruleset.id}: the players' moves cannot be compared")
            self.theory.needs += [a == b for (a, _), (b, _) in zip(options, others, strict=True)]
        values = [(legal, self._grundy(game, o)) for legal, o in options]
        self.equations += [z3.Implies(legal, n.relation("ne", here, v)) for legal, v in values]
        for below in range(sum(heaps)):
            self.theory.check()
            reached = [z3.And(legal, n.same(v, n.literal(below))) for legal, v in values]
            above = n.relation("gt", here, n.literal(below))
            self.equations.append(z3.Implies(above, z3.Or(*reached, z3.Not(self.theory.true))))
        self.equations += [n.relation("ge", here, self._zero), n.relation("le", here, n.literal(sum(heaps)))]
