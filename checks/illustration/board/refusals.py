"""Why a move that takes objects from one heap is not legal, in the words of the ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property

from checks.illustration.board.words import name_player, show_value
from checks.referee.meaning import IllDefined, as_integer
from checks.referee.play import RefereeGame, pick_from
from claims.language.builtins.meanings import Position, Value, replace_heaps
from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import free_names, rebuild
from claims.language.statement.domains import IntervalDomain
from claims.language.statement.rulesets import Move
from claims.language.terms import terms as t

Env = dict[str, Value]


def list_refusals(game: RefereeGame, s: Position, mover: int) -> Iterator[tuple[Position, str]]:
    """What comes of lowering one heap where the rules forbid that, each position once, and why they do."""
    options = game.options(s, mover)
    for heap in dict.fromkeys(s):
        kinds = [
            _MoveAtHeap(game, x, s, mover, heap) for x in game.ruleset.moves if len(x.heaps) == 1 and len(x.become) == 1
        ]
        for left in range(heap):
            after = replace_heaps(s, (heap,), (left,))
            if after not in options:
                found = next(
                    (reason for kind in kinds if (reason := kind.judge(left))), "no move of the rules leads there"
                )
                yield after, f"{name_player(game, mover)} may not take {heap - left} from {heap}: {found}."


class _MoveAtHeap:
    """A kind of move, of one heap into one, at a heap of a position."""

    def __init__(self, game: RefereeGame, move: Move, s: Position, mover: int, heap: int) -> None:
        self.game, self.move, self.s, self.heap = game, move, s, heap
        self.env: Env = {**game.parameters, "mover": mover, "s": s, move.heaps[0]: heap}

    @cached_property
    def picked(self) -> dict[int, Env]:
        """The first numbers picked that leave so many objects, whether the rules allow them or not."""
        picked, found = [self.env], dict[int, Env]()
        for pick in self.move.picks:
            picked = [{**e, pick.name: x} for e in picked for x in pick_from(pick.domain, e, self.game.meanings)]
        for e in picked:
            with suppress(IllDefined):  # it leaves nothing
                found.setdefault(as_integer(self.game.meanings.evaluate(self.move.become[0], e)), e)
        return found

    def judge(self, left: int) -> str:
        """What is against making the heap `left`; "" if nothing plain is."""
        game, move, s = self.game, self.move, self.s
        if (move.choose, self.heap) in (("largest", x) for x in s if x < s[-1]):
            return "only a largest heap may be touched"
        if (move.choose, self.heap) in (("smallest", x) for x in s if x > s[0]):
            return "only a smallest heap may be touched"
        if left in self.picked and move.where is not None:
            return _say_demand(game, move.where, self.picked[left])
        if len(move.picks) == 1 and isinstance(move.picks[0].domain, IntervalDomain):
            return _say_range(game, move.picks[0].name, move.picks[0].domain, self.env)
        return ""


def _say_demand(game: RefereeGame, where: t.Term, env: Env) -> str:
    """The part of a condition that fails, with its values: `m ≠ l is asked for, and m = 4, l = 4`."""
    parts = where.args if isinstance(where, t.AllOf) else (where,)
    failing = next((x for x in parts if not game.meanings.evaluate(x, env)), where)

    def resolve(term: t.Term) -> t.Term:
        if isinstance(term, t.IfElse):
            return resolve(term.then if game.meanings.evaluate(term.condition, env) else term.other)
        return rebuild(term, resolve)

    demand = resolve(failing)
    values = ", ".join(f"{n} = {show_value(env[n])}" for n in dict.fromkeys(free_names(demand)) if n in env)
    return f"{_write(game, demand)} is asked for, and {values}" if values else f"{_write(game, demand)} is asked for"


def _say_range(game: RefereeGame, name: str, domain: IntervalDomain, env: Env) -> str:
    assert domain.hi is not None
    lo, hi = (as_integer(game.meanings.evaluate(x, env)) for x in (domain.lo, domain.hi))
    written = f"{_write(game, domain.lo)}..{_write(game, domain.hi)}"
    return f"{name} is to be in {written}, which is {lo}..{hi}" if lo <= hi else f"no {name} is in {written}"


def _write(game: RefereeGame, term: t.Term) -> str:
    return print_term(term, game.ruleset.players).replace("!=", "≠").replace("<=", "≤").replace(">=", "≥")
