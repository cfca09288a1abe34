"""The rules of one game of a claim, at positions whose heaps may be symbols: parameters, players, options."""

from __future__ import annotations

from claims.language.statement.claim import Game
from encoders.answer import Unsupported
from encoders.bounded.moves import Env, Reader, follow
from encoders.bounded.numbers import Position
from encoders.bounded.values import Values, as_number
from encoders.logic.smt.formulas import Formula
from encoders.logic.smt.words import Number

Options = tuple[tuple[Formula, Position], ...]
"""Positions one move away, each with whether the move is legal."""


class Play:
    """A game of the claim. `root`: the claim's variables, which its parameters may use.

    Raises Unsupported for games that are not unrolled.
    """

    def __init__(self, values: Values, reader: Reader, game: Game, root: Env) -> None:
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
