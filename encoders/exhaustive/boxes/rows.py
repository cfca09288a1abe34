"""The variables of a claim beside its position, as rows: one for each choice of their values, in order."""

from __future__ import annotations

import numpy as np

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim, Game
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.answer import Case, CaseValue
from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.positions import Pool, PositionSet
from encoders.exhaustive.arrays.values import Array, Ragged, Scalars
from encoders.exhaustive.boxes.bits.numbers import NotApplicable
from encoders.exhaustive.cases.grid import Grid
from encoders.exhaustive.cases.slabs import SlabPiece
from encoders.exhaustive.engines.board import Board
from encoders.exhaustive.evaluate.evaluate import FrameEvaluator
from encoders.exhaustive.moves.moves import Parameters
from encoders.exhaustive.moves.parameters import ParameterList


class Rows:
    """Raises NotApplicable where a variable depends on the position or the rows come in another order; TooLarge."""

    def __init__(self, claim: Claim, scope: d.Scope, clock: Clock) -> None:
        self.variables = tuple(v for v in claim.variables if v.type != POSITION)
        boards: dict[str, Board] = {}
        self.evaluator = FrameEvaluator(Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), clock, boards)
        if any(_asks_games(v.domain) for v in self.variables):
            raise NotApplicable("a domain that asks about a game")
        if any(_is_out_of_order(v.domain) for v in self.variables):
            raise NotApplicable("a list whose first value is not its smallest")
        grid = Grid(claim, SlabPiece(scope, {}), self.evaluator)
        if tuple(grid.row_variables) != self.variables:
            raise NotApplicable("a variable that depends on the position")
        self.frame = grid.bind_rows()
        self.names = frozenset(v.name for v in self.variables)
        self._known: dict[int, tuple[t.Term, Scalars | None]] = {}

    def __len__(self) -> int:
        return self.frame.rows

    def evaluate(self, term: t.Term) -> Scalars | None:
        """A number or truth value that depends on the rows alone, (rows, 1) or (1, 1); None for another term."""
        if id(term) not in self._known:
            self._known[id(term)] = term, self._evaluate(term)
        return self._known[id(term)][1]

    def _evaluate(self, term: t.Term) -> Scalars | None:
        if term.type.is_collection or term.type == POSITION or t.names_of([term])[1]:
            return None
        if not self.evaluator.free.find(term) <= self.names:
            return None
        return self.evaluator.evaluate_scalars(term, self.frame)

    def read(self, row: int) -> Case:
        """The values of the variables in a row."""
        found: Case = {}
        for v in self.variables:
            value = self.frame.lookup(v.name)
            at = row if value.shape[0] > 1 else 0
            item: CaseValue
            if isinstance(value, Ragged):
                end = int(value.lengths[: at + 1].sum())
                item = tuple(value.items[end - int(value.lengths[at]) : end].tolist())
            else:
                item = int(value.data[at, 0])
            found[v.name] = item
        return found

    def find_inside(self, scope: d.Scope) -> Array:
        """Which rows lie in a smaller scope; (rows,)."""
        inside = np.ones(len(self), dtype=bool)
        for v in self.variables:
            bound, value = scope.get(v.name), self.frame.lookup(v.name)
            if isinstance(bound, d.Range) and isinstance(value, Scalars):
                inside &= np.asarray((value.data[:, 0] >= bound.lo) & (value.data[:, 0] <= bound.hi), dtype=bool)
        return inside

    def list_parameters(self, game: Game) -> list[Parameters]:
        """The parameters of a game in each row. Raises NotApplicable where there are none."""
        known = ParameterList(game.ruleset)
        for _, term in game.arguments:
            if t.names_of([term])[1] or not self.evaluator.free.find(term) <= self.names:
                raise NotApplicable("a game whose parameters depend on the position")
        numbers, bad = known.number_choices([self.evaluator.evaluate(term, self.frame) for _, term in game.arguments])
        if bad is not None:
            raise NotApplicable("a game without parameters in some row")
        return [known.values[i] for i in np.broadcast_to(numbers, (len(self), 1))[:, 0].tolist()]


def _asks_games(domain: d.Domain) -> bool:
    match domain:
        case d.Interval(lo=lo, hi=hi):
            return bool(t.names_of([lo] if hi is None else [lo, hi])[1])
        case d.ElementsOf(source=source):
            return bool(t.names_of([source])[1])
    return False


def _is_out_of_order(domain: d.Domain) -> bool:
    return isinstance(domain, d.Listed) and list(domain.values) != sorted(domain.values)
