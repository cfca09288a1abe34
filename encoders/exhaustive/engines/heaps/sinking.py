"""Moves that leave max(h - m, 0): one that leaves h - m, and one for each m that takes all of a heap of at most m."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from claims.language.expressions.walk import free_names
from claims.language.statement.domains import IntervalDomain
from claims.language.statement.rulesets import Move
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.segments import list_distinct
from encoders.exhaustive.arrays.values import Ragged, Scalars
from encoders.exhaustive.engines.heaps.atoms import Unread, substitute_values
from encoders.exhaustive.moves.evaluator import Evaluator

MOST = 400  # numbers m
ZERO = t.Literal(INT, 0, 0, 0)


def list_cases(move: Move, evaluator: Evaluator, values: Mapping[str, t.Term]) -> Iterator[Move]:
    """Moves with the same options; the move itself if it leaves nothing of that form. Raises Unread.

    `values`: of the parameters and the mover.
    """
    if len(move.become) != 1 or (left := _read_sinking(move.become[0])) is None:
        yield move
        return
    if len(move.picks) != 1 or len(move.heaps) != 1:
        raise Unread("max(..., 0), and not one number that is picked")
    (pick,) = move.picks
    yield replace(move, become=(left,), where=_both(move.where, t.Operation(BOOL, 0, 0, "ge", (left, ZERO))))
    below = _both(move.where, t.Operation(BOOL, 0, 0, "lt", (left, ZERO)))
    for m in _list_values(pick.domain, evaluator, values):
        chosen = substitute_values(below, {pick.name: t.Literal(INT, 0, 0, m)})
        yield replace(move, picks=(), become=(), where=chosen)


def _read_sinking(term: t.Term) -> t.Term | None:
    """The a of max(a, 0) or max(0, a)."""
    match term:
        case (
            t.Operation(op="largest", args=(a, t.Literal(value=0)))
            | t.Operation(op="largest", args=(t.Literal(value=0), a))
        ):
            return a
    return None


def _both(where: t.Term | None, term: t.Term) -> t.Term:
    return term if where is None else t.AllOf(BOOL, 0, 0, (where, term))


def _list_values(domain: IntervalDomain | t.Term, evaluator: Evaluator, values: Mapping[str, t.Term]) -> list[int]:
    """The numbers of a domain that is known. Raises Unread."""
    if isinstance(domain, IntervalDomain):
        assert domain.hi is not None
        lo, hi = (_evaluate(substitute_values(x, values), evaluator) for x in (domain.lo, domain.hi))
        if not isinstance(lo, int) or not isinstance(hi, int) or hi - lo >= MOST:
            raise Unread("max(..., 0), and numbers that depend on the heap")
        return list(range(lo, hi + 1))
    found = _evaluate(substitute_values(domain, values), evaluator)
    if not isinstance(found, list) or len(found) > MOST:
        raise Unread("max(..., 0), and a set that depends on the heap")
    return found


def _evaluate(term: t.Term, evaluator: Evaluator) -> int | list[int] | None:
    if any(free_names(term)):
        return None
    match evaluator.evaluate(term, Frame(1, 1)):
        case Scalars(data=data, bad=None) if data.dtype != object:
            return int(data[0, 0])
        case Ragged(items=items, bad=None) if items.dtype != object:
            return [int(x) for x in list_distinct(items)]
    return None
