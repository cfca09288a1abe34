"""Which rulesets have moves on several heaps that are tables, read from their own terms.

A move is taken apart into conditions: the bounds of what is picked, the parts of `where` that are demanded together,
and what each heap becomes.  Heaps and picks that a condition mentions together belong together.

- Parts of one heap each, with whatever is picked for it: each heap has a table of its own, found by evaluating that
  part of the move alone.
- All heaps in one part, with one pick, and each condition mentions one of them at most: for each number picked, which
  sizes each heap may have, and what it loses, which must not depend on its size.

Anything else is not recognised, and neither is what has an expression that is ill-defined for some size on its own, or
a heap that does not become smaller: the general path decides about those.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from claims.language.ground.errors import NimChecksError
from claims.language.statement.domains import IntervalDomain
from claims.language.statement.rulesets import Move, Ruleset
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT
from encoders.exhaustive.arrays import limits
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import BadRuleset, TooLarge
from encoders.exhaustive.arrays.segments import list_distinct
from encoders.exhaustive.arrays.values import Array, Ragged, Scalars, Value, make_constant
from encoders.exhaustive.engines.shifted.kinds import HeapStep, Kinds, MoveTable, Tie, pack_bits
from encoders.exhaustive.moves.moves import Moves, Parameters, bind_parameters


class NotRecognised(NimChecksError):
    """The moves of the ruleset are not tables of heaps, or not within the limits."""


@dataclass(frozen=True)
class _MoveComponent:
    """Heaps and picks of a move that belong together, with their conditions; `become`: by heap."""

    heaps: tuple[str, ...]
    picks: tuple[str, ...]
    conditions: tuple[t.Term, ...]
    become: dict[str, t.Term]


def may_serve(ruleset: Ruleset) -> bool:
    """Whether the ruleset is worth a look: some move chooses several heaps, and none looks at the whole position."""
    return (
        not ruleset.sees_position
        and ruleset.measure is None
        and all(m.choose in ("any", "each") for m in ruleset.moves)
        and any(m.choose == "each" or len(m.heaps) > 1 for m in ruleset.moves)
    )


def recognise(moves: Moves, parameters: Parameters, mover: int, heaps: int, size: int) -> Kinds:
    """The moves of the mover in positions of at most `heaps` heaps of at most `size`.

    Raises NotRecognised, and OutOfTime.
    """
    if not may_serve(moves.ruleset):
        raise NotRecognised
    single = MoveTable((0,) * (size + 1))
    products: dict[tuple[MoveTable, ...], None] = {}
    ties: dict[Tie, None] = {}
    try:
        for move in moves.ruleset.moves:
            found = _read_move(moves, move, parameters, mover, heaps, size)
            for kind in found:
                if isinstance(kind, Tie):
                    if kind.steps and kind.heaps <= heaps:
                        ties[kind] = None
                elif len(kind) == 1:
                    single = single.unite(kind[0])
                elif len(kind) <= heaps:
                    products[tuple(sorted(kind, key=lambda table: table.become))] = None
    except (BadRuleset, TooLarge):
        raise NotRecognised from None
    return Kinds(size, single, tuple(products), tuple(ties))


def _read_move(
    moves: Moves, move: Move, parameters: Parameters, mover: int, heaps: int, size: int
) -> list[Tie | tuple[MoveTable, ...]]:
    if move.choose == "each":
        names = bind_parameters(moves.ruleset, [parameters]) | {"mover": make_constant(mover)}
        assert move.at_least is not None and move.at_most is not None
        low, high = (int(_evaluate(moves, x, Frame(1, 1, names)).ravel()[0]) for x in (move.at_least, move.at_most))
        if low <= 0 <= high or len(move.become) != 1:
            raise NotRecognised
        table = _tabulate(moves, move, parameters, mover, size)
        return [(table,) * count for count in range(max(1, low), min(high, heaps) + 1)]
    parts = _take_apart(move)
    if len(parts) == 1 and len(parts[0].heaps) > 1:
        return [_read_tie(moves, move, parts[0], parameters, mover, size)]
    tables: list[MoveTable] = []
    for part in parts:
        if len(part.heaps) != 1:
            raise NotRecognised
        where = t.AllOf(BOOL, 0, 0, part.conditions) if part.conditions else None
        picks = tuple(p for p in move.picks if p.name in part.picks)
        become = (part.become[part.heaps[0]],)
        alone = replace(move, heaps=part.heaps, picks=picks, where=where, become=become)
        tables.append(_tabulate(moves, alone, parameters, mover, size))
    return [tuple(tables)]


def _tabulate(moves: Moves, move: Move, parameters: Parameters, mover: int, size: int) -> MoveTable:
    if (size + 1) ** 2 > limits.MAX_CELLS:
        raise NotRecognised
    return MoveTable(pack_bits(moves.tabulate_single_heap(move, [parameters], mover, size)[0]))


# -- a move in parts -------------------------------------------------------------------------------------------------
def _take_apart(move: Move) -> list[_MoveComponent]:
    """The parts of a move. Raises NotRecognised where a part has no heap."""
    names = set(move.heaps) | {p.name for p in move.picks}
    conditions = [] if move.where is None else list(t.conjuncts(move.where))
    become = _assign(move)
    # What belongs together: a heap and what it becomes, a pick and its bounds, what a condition mentions.
    groups = [{heap} | (_mention(term) & names) for heap, term in become.items()]
    for pick in move.picks:
        domain = pick.domain
        bounds = (
            [x for x in (domain.lo, domain.hi) if x is not None] if isinstance(domain, IntervalDomain) else [domain]
        )
        groups.append({pick.name}.union(*(_mention(x) & names for x in bounds)))
    groups += [_mention(x) & names for x in conditions]
    parts: list[set[str]] = []
    for group in groups:
        if group:
            apart = [p for p in parts if not p & group]
            parts = [*apart, group.union(*(p for p in parts if p & group))]
    if any(not part & set(move.heaps) for part in parts):
        raise NotRecognised
    parts.sort(key=lambda part: min(move.heaps.index(h) for h in part & set(move.heaps)))
    return [
        _MoveComponent(
            tuple(h for h in move.heaps if h in part),
            tuple(p.name for p in move.picks if p.name in part),
            # A condition that mentions neither heap nor pick is one of the first part.
            tuple(c for c in conditions if _mention(c) & part or (i == 0 and not _mention(c) & names)),
            {h: become[h] for h in move.heaps if h in part},
        )
        for i, part in enumerate(parts)
    ]


def _assign(move: Move) -> dict[str, t.Term]:
    """What each heap becomes: the term that mentions it; one that mentions none stands for any other heap."""
    found: dict[str, t.Term] = {}
    rest = []
    for term in move.become:
        heaps = _mention(term) & set(move.heaps)
        if len(heaps) > 1 or heaps & set(found):
            raise NotRecognised
        if heaps:
            found[heaps.pop()] = term
        else:
            rest.append(term)
    left = [h for h in move.heaps if h not in found]
    if len(rest) > len(left):
        raise NotRecognised
    nothing: list[t.Term] = [t.Literal(INT, 0, 0, 0) for _ in left[len(rest) :]]
    return found | dict(zip(left, rest + nothing, strict=True))


def _mention(term: t.Term) -> set[str]:
    return t.names_of([term])[0]


# -- one pick for several heaps --------------------------------------------------------------------------------------
def _read_tie(moves: Moves, move: Move, part: _MoveComponent, parameters: Parameters, mover: int, size: int) -> Tie:
    if len(part.picks) != 1:
        raise NotRecognised
    (pick,) = move.picks
    base = bind_parameters(moves.ruleset, [parameters]) | {"mover": make_constant(mover)}
    bounds: list[tuple[str, t.Term]] = []
    if isinstance(pick.domain, IntervalDomain):
        assert pick.domain.hi is not None
        bounds += [("lo", x) for x in _split(pick.domain.lo, "largest")]
        bounds += [("hi", x) for x in _split(pick.domain.hi, "smallest")]
    if any(len(_mention(x) & set(part.heaps)) > 1 for x in (*part.conditions, *(x for _, x in bounds))):
        raise NotRecognised
    picked = _list_picked(moves, move, base, bounds, size)
    if len(picked) * (size + 1) > limits.MAX_CELLS:
        raise NotRecognised
    columns = [_read_heap(moves, part, heap, pick.name, base, bounds, picked, size) for heap in part.heaps]
    steps = [
        HeapStep(take, legal)
        for take, legal in zip(
            zip(*(c[0] for c in columns), strict=True), zip(*(c[1] for c in columns), strict=True), strict=True
        )
        if all(legal)
    ]
    return Tie(tuple(dict.fromkeys(steps)))


def _split(term: t.Term, op: str) -> list[t.Term]:
    """The terms of which `term` is the least (op smallest) or the greatest (op largest)."""
    if isinstance(term, t.Operation) and term.op == op:
        return [x for arg in term.args for x in _split(arg, op)]
    return [term]


def _list_picked(
    moves: Moves, move: Move, base: dict[str, Value], bounds: list[tuple[str, t.Term]], size: int
) -> Array:
    """Every number that may be picked for some sizes of the heaps, perhaps more."""
    (pick,) = move.picks
    if not isinstance(pick.domain, IntervalDomain):
        if _mention(pick.domain) & set(move.heaps):
            raise NotRecognised
        fault = NotRecognised()
        value = moves.evaluator.evaluate_everywhere(pick.domain, Frame(1, 1, base), fault)
        found = moves.evaluator.collections.list_elements(value, pick.domain.type)
        assert isinstance(found, Ragged)
        if found.items.dtype == object:
            raise NotRecognised
        return list_distinct(found.items)
    sizes: dict[str, Value] = {heap: Scalars(np.arange(1, size + 1)[None, :]) for heap in move.heaps}
    ends: dict[str, list[Array]] = {"lo": [], "hi": []}
    for side, term in bounds:
        ends[side].append(_evaluate(moves, term, Frame(1, size, base | sizes)))
    low = max(int(x.min()) for x in ends["lo"])
    high = min(int(x.max()) for x in ends["hi"])
    if high - low >= limits.MAX_CELLS:
        raise NotRecognised
    return np.arange(low, high + 1)


def _read_heap(
    moves: Moves,
    part: _MoveComponent,
    heap: str,
    pick: str,
    base: dict[str, Value],
    bounds: list[tuple[str, t.Term]],
    picked: Array,
    size: int,
) -> tuple[list[int], tuple[int, ...]]:
    """For each number picked: what the heap loses, and the set of its sizes for which that is legal."""
    if not len(picked) or not size:
        return [], ()
    numbers, heaps = picked[:, None], np.arange(1, size + 1)[None, :]
    frame = Frame(len(picked), size, base | {pick: Scalars(numbers), heap: Scalars(heaps)})
    legal = np.ones((len(picked), size), dtype=bool)
    for term in _list_own(part.conditions, heap, part):
        legal &= _evaluate(moves, term, frame).astype(bool)
    for side, term in bounds:
        if heap == part.heaps[0] or heap in _mention(term):
            if _mention(term) & (set(part.heaps) - {heap}):
                continue
            bound = _evaluate(moves, term, frame)
            legal &= numbers >= bound if side == "lo" else numbers <= bound
    take = heaps - _evaluate(moves, part.become[heap], frame)
    least = legal.argmax(axis=1)  # where the least heap is from which it is legal, if there is one
    loses = np.where(legal[np.arange(len(picked)), least], take[np.arange(len(picked)), least], 1)
    if bool((legal & (take != loses[:, None])).any()) or bool(((loses < 1) | (loses > least + 1)).any()):
        raise NotRecognised
    return loses.tolist(), pack_bits(np.pad(legal, ((0, 0), (1, 0))))


def _list_own(conditions: tuple[t.Term, ...], heap: str, part: _MoveComponent) -> Iterator[t.Term]:
    """The conditions that mention the heap, and, for the first heap, those that mention none."""
    for term in conditions:
        mentioned = _mention(term) & set(part.heaps)
        if heap in mentioned or (not mentioned and heap == part.heaps[0]):
            yield term


def _evaluate(moves: Moves, term: t.Term, frame: Frame) -> Array:
    """The value of a term at every case of a frame, (rows, columns). Raises NotRecognised where it has none."""
    value = moves.evaluator.evaluate_everywhere(term, frame, NotRecognised())
    assert isinstance(value, Scalars)
    if value.data.dtype == object:
        raise NotRecognised
    return np.broadcast_to(value.data, (frame.rows, frame.cols))
