"""Replies of a proof: terms for the picks of a move, and the conditions under which the move wins.

A pick is a number that the mover chooses. The replies are terms that win at as many positions of a table as possible,
under short conditions. At the larger positions of the table, the invariant alone determines who wins.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, substitute, walk
from claims.language.syntax.terms import INT
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.compute.arrays.limits import Deadline
from encoders.logic.sequents import add, compare, integer, largest, opposite, smallest, sub
from encoders.search.question import variable
from encoders.search.stated_tables import (
    FormulaFails,
    Numbers,
    PositionTable,
    Truths,
    WinningPicks,
    evaluate_after,
    evaluate_number,
    evaluate_truth,
)
from encoders.search.statement import StatedMove, Statement
from encoders.search.writing import quote

MOST_REPLIES = 14
MOST_TERMS = 700
MOST_CANDIDATES = 60  # replies for one kind of move
MOST_CONDITIONS = 160
_COMPARISONS = ("eq", "lt", "gt", "le", "ge", "ne")
_BOUND = 24  # the largest constant of the statement or the rules that a reply may use


# == terms ============================================================================================================
@dataclass(frozen=True, eq=False)
class ValuedTerm:
    """A term with its value at each position of a table."""

    term: t.Term
    values: Numbers

    @property
    def price(self) -> int:
        return len(print_term(self.term))


def list_terms(table: PositionTable, clock: Deadline) -> list[ValuedTerm]:
    """Return small terms over the numbers and parameters of a position, with their values at all positions.

    Each term is defined at every position that needs a reply; at other positions 0 replaces an undefined value. If
    several terms have equal values, only the first is included.
    """
    statement = table.statement
    wanted: Truths = np.any(table.needs_reply, axis=0)
    written = [*table.loses, *(x for move in statement.moves for x in (move.legal, *move.after))]
    numbers = {x.value for x in walk(tuple(written)) if isinstance(x, t.Literal) and x.type == INT}
    moduli = list_moduli(statement, written)
    names = (*statement.names, *(v.name for v in statement.parameters))
    seen: dict[bytes, ValuedTerm] = {}

    def keep(terms: Iterator[t.Term]) -> list[ValuedTerm]:
        made = []
        for term in terms:
            if len(seen) >= MOST_TERMS:
                break
            values, defined = evaluate_number(term, table.columns)
            key = values.tobytes()
            if defined[wanted].all() and key not in seen:
                seen[key] = ValuedTerm(term, values)
                made.append(seen[key])
        clock.check()
        return made

    constants = sorted({0, 1, 2, *(x for x in numbers if 0 <= x <= _BOUND)})
    base = keep(itertools.chain(map(variable, names), map(integer, constants)))
    stated = keep(x for x in walk(table.loses) if _is_number_over(x, set(names)))
    first = keep(itertools.chain(_list_sums(base, base), _list_remainders(base, moduli), _list_sums(stated, base)))
    second = keep(itertools.chain(_list_extremes(first, base), _list_remainders([*first, *stated], moduli)))
    keep(_list_sums([*first, *second], base))
    return list(seen.values())


def _is_number_over(term: object, names: set[str]) -> bool:
    """Whether a term is an integer operation with at least one variable, and all its variables have these names."""
    if not isinstance(term, t.Operation) or term.type != INT:
        return False
    used = set(find_free_names(term))
    return bool(used) and used <= names


def list_moduli(statement: Statement, written: list[t.Term]) -> list[t.Term]:
    """Return the divisors in the terms `written` whose only variables are parameters."""
    found: dict[str, t.Term] = {}
    names = {v.name for v in statement.parameters}
    for x in walk(tuple(written)):
        match x:
            case t.Operation(op="mod" | "floordiv", args=(_, m)) if set(find_free_names(m)) <= names:
                found[print_term(m)] = m
    return list(found.values())


def _list_sums(left: list[ValuedTerm], right: list[ValuedTerm]) -> Iterator[t.Term]:
    for a, b in itertools.product(left, right):
        if not (isinstance(a.term, t.Literal) and isinstance(b.term, t.Literal)):
            yield sub(a.term, b.term)
            yield add(a.term, b.term)
            yield sub(b.term, a.term)


def _list_extremes(left: list[ValuedTerm], right: list[ValuedTerm]) -> Iterator[t.Term]:
    for a, b in itertools.product(left, right):
        yield largest(a.term, b.term)


def _list_remainders(left: list[ValuedTerm], moduli: list[t.Term]) -> Iterator[t.Term]:
    for a, m in itertools.product(left, moduli):
        if not isinstance(a.term, t.Literal):
            yield t.Operation(INT, 0, 0, "mod", (a.term, m))


# == replies ==========================================================================================================
@dataclass(frozen=True, eq=False)
class CandidateMove:
    """A kind of move with a term for each pick.

    `good`: for each position of the table, whether the move wins there.
    `conditions`: the conditions under which the move is legal.
    `leaves_loss`: the condition that the next player loses after the move; None if there is no term for it.
    """

    move: StatedMove
    take: tuple[t.Term, ...]
    good: Truths
    conditions: tuple[t.Term, ...]
    leaves_loss: t.Term | None = None

    @property
    def price(self) -> int:
        return sum(len(print_term(x)) for x in self.take)


@dataclass(frozen=True, eq=False)
class ChosenReply:
    """A reply: the move `candidate`, which is made if all conditions in `when` hold.

    `held`: for each position of the table, whether it needs a reply and all these conditions hold.
    """

    candidate: CandidateMove
    when: tuple[t.Term, ...]
    held: Truths


def _choose_diverse(hits: Truths, prices: Numbers, limit: int) -> list[int]:
    """Return the indices of at most `limit` candidates that together win at many positions.

    `hits`: element [i, j] is whether candidate i wins at position j. `prices`: lower for simpler candidates.
    Half of the chosen candidates are those that win at the most positions. Each further candidate is chosen for
    positions at which few chosen candidates win.
    """
    cover = hits.sum(axis=1)
    order = [int(i) for i in np.lexsort((prices, -cover)) if cover[i]]
    unique = list({hits[i].tobytes(): i for i in reversed(order)}.values())[::-1][:800]
    if len(unique) <= limit:
        return unique
    chosen, left = unique[: limit // 2], unique[limit // 2 :]
    weight = np.ones(hits.shape[1])
    for i in chosen:
        weight[hits[i]] *= 0.5
    while left and len(chosen) < limit:
        best = max(left, key=lambda i: float(hits[i] @ weight) - 0.01 * float(prices[i]))
        chosen.append(best)
        left.remove(best)
        weight[hits[best]] *= 0.5
    return chosen


def list_candidates(
    table: PositionTable, own: WinningPicks, terms: list[ValuedTerm], clock: Deadline
) -> list[CandidateMove]:
    """Return moves of one kind that win at many positions, with a term for each pick.

    `own`: the kind of move, and the picks that win.
    `terms`: the terms that may be used. They are chosen by a beam search, one pick after the other.
    """
    move, wins = own.move, own.wins
    need = table.needs_reply[move.side][: table.near]
    rows = np.arange(table.near)
    prices = np.array([x.price for x in terms], dtype=np.int64)
    beam: list[tuple[tuple[t.Term, ...], tuple[Numbers, ...], int]] = [((), (), 0)]
    for number in range(len(move.names)):
        width = wins.shape[number + 1]
        left: Truths = np.asarray(wins.reshape(*wins.shape[: number + 2], -1).any(axis=-1))
        made: list[tuple[tuple[t.Term, ...], tuple[Numbers, ...], int]] = []
        hits: list[Truths] = []
        for taken, values, price in beam:
            clock.check()
            for x, own_price in zip(terms, prices, strict=True):
                close = x.values[: table.near]
                inside = (close >= 0) & (close < width)
                hit = left[(rows, *values, np.where(inside, close, 0))] & inside & need
                if hit.any():
                    made.append(((*taken, x.term), (*values, np.where(inside, close, 0)), price + int(own_price)))
                    hits.append(hit)
        if not made:
            return []
        limit = MOST_CANDIDATES if number == len(move.names) - 1 else 20
        kept = _choose_diverse(np.array(hits), np.array([x[2] for x in made]), limit)
        beam = [made[i] for i in kept]
    return [_judge(table, move, taken) for taken, _, _ in beam]


def _judge(table: PositionTable, move: StatedMove, take: tuple[t.Term, ...]) -> CandidateMove:
    """Return the move with the terms `take` for its picks, and with the positions at which it wins."""
    values = dict(zip(move.names, take, strict=True))
    legal = substitute(move.legal, values)
    columns = {**table.columns, **{name: evaluate_number(x, table.columns)[0] for name, x in values.items()}}
    lost = evaluate_after(table.statement, move, columns, table.loses[table.next_side(move.side)])
    good = evaluate_truth(legal, table.columns) & lost
    return CandidateMove(move, take, good, tuple(flatten(legal)), _state_loss(table, move, values))


def _state_loss(table: PositionTable, move: StatedMove, values: dict[str, t.Term]) -> t.Term | None:
    """Return the condition that the next player loses after a move with these picks, as a term.

    Return None if more than two heaps remain and the formula requires sorted heaps.
    """
    if move.lost is not None:
        return substitute(move.lost, values)
    after = [substitute(x, values) for x in move.after]
    if table.statement.sorted and len(after) == 2:
        after = [smallest(*after), largest(*after)]
    elif table.statement.sorted and len(after) > 2:
        return None
    loses = table.loses[table.next_side(move.side)]
    return substitute(loses, dict(zip(table.statement.own, after, strict=True)))


def flatten(term: t.Term) -> Iterator[t.Term]:
    """Yield the parts of a conjunction, at any depth."""
    if isinstance(term, t.AllOf):
        for x in term.args:
            yield from flatten(x)
    else:
        yield term


def _list_atoms(term: t.Term) -> Iterator[t.Term]:
    """Yield the comparisons of a formula."""
    for x in walk(term):
        if isinstance(x, t.Operation) and x.op in _COMPARISONS and all(y.type == INT for y in x.args):
            yield x


class Conditions:
    """Conditions for replies, with their truth values at the positions of a table."""

    def __init__(self, table: PositionTable) -> None:
        self.table = table
        self.values: dict[str, tuple[t.Term, Truths]] = {}
        statement = table.statement
        for x in table.loses:
            for atom in _list_atoms(x):
                self.add(atom)
                self.add(opposite(atom))
        numbers = list(map(variable, statement.names))
        others = [*(variable(v.name) for v in statement.parameters), integer(0), integer(1), integer(2)]
        for i, a in enumerate(numbers):
            for b in (*numbers[i + 1 :], *others):
                for op in _COMPARISONS:
                    self.add(compare(op, a, b))
        written = [*table.loses, *(x for move in statement.moves for x in (move.legal, *move.after))]
        for m in list_moduli(statement, written):
            for a in numbers:
                rest = t.Operation(INT, 0, 0, "mod", (a, m))
                for value in range(m.value if isinstance(m, t.Literal) and m.value <= 6 else 2):
                    self.add(compare("eq", rest, integer(value)))
                    self.add(compare("ne", rest, integer(value)))

    def add(self, term: t.Term) -> None:
        text = print_term(term)
        if text not in self.values and len(self.values) < MOST_CONDITIONS:
            found = ColumnTable(self.table.columns).evaluate(term)
            if not found.undefined.any():
                self.values[text] = term, found.values.astype(bool)

    def of(self, candidate: CandidateMove) -> tuple[list[t.Term], Truths]:
        """Return conditions for the move, and an array: element [i, j] is whether condition i holds at position j.

        The conditions under which the move is legal, or leaves a loss, are included if they are defined at every
        position.
        """
        own = dict(self.values)
        for term in (*candidate.conditions, *([] if candidate.leaves_loss is None else [candidate.leaves_loss])):
            found = ColumnTable(self.table.columns).evaluate(term)
            if not found.undefined.any():
                own.setdefault(print_term(term), (term, found.values.astype(bool)))
        listed = sorted(own.values(), key=lambda x: len(print_term(x[0])))
        return [x for x, _ in listed], np.array([v for _, v in listed])


def choose_replies(
    table: PositionTable, candidates: list[CandidateMove], side: int, clock: Deadline
) -> list[ChosenReply]:
    """Return replies of one side that together cover every position of the table at which it needs a reply.

    Raises FormulaFails if they are not found, or if more than MOST_REPLIES replies are necessary.
    """
    need = table.needs_reply[side]
    conditions = Conditions(table)
    options: list[ChosenReply] = []
    for candidate in candidates:
        clock.check()
        options += _list_guards(conditions, candidate, need)
    left, chosen = need.copy(), list[ChosenReply]()
    for _ in range(MOST_REPLIES):
        if not left.any():
            break
        best = max(options, key=lambda x: _weigh(x, left), default=None)
        if best is None or not (best.held & left).any():
            row = int(np.flatnonzero(left)[0])
            raise FormulaFails(f"no reply was found at {table.describe(row)}")
        chosen.append(best)
        left &= ~best.held
    if left.any():
        raise FormulaFails(f"more than {MOST_REPLIES} replies are needed")
    for reply in list(chosen):
        others = [x.held for x in chosen if x is not reply]
        if others and not (need & ~np.any(others, axis=0)).any():
            chosen.remove(reply)
    return chosen


def _weigh(reply: ChosenReply, left: Truths) -> float:
    price = sum(len(print_term(x)) for x in reply.when) + reply.candidate.price
    return float((reply.held & left).sum()) / (30.0 + price)


def _list_guards(conditions: Conditions, candidate: CandidateMove, need: Truths) -> Iterator[ChosenReply]:
    """Yield replies with the move `candidate` and conditions, such that the move wins wherever the conditions hold.

    Only positions that need a reply (`need`) are considered. There are at most three conditions, or more if they state
    that the move is legal.
    """
    bad = need & ~candidate.good
    if not bad.any():
        yield ChosenReply(candidate, (), need)
        return
    terms, values = conditions.of(candidate)
    values = np.array(values & need, dtype=np.bool_)
    useful = np.asarray((values & candidate.good).any(axis=1))
    terms, values = [x for x, u in zip(terms, useful, strict=True) if u], values[useful]
    wrong: Truths = np.asarray((values & bad).any(axis=1))
    for i in np.flatnonzero(~wrong).tolist():
        yield ChosenReply(candidate, (terms[i],), values[i])
    floats = values.astype(np.float32)
    failing = (floats * bad) @ floats.T
    covered = (floats * candidate.good) @ floats.T
    allowed = np.argwhere(np.triu((failing == 0) & (covered > 0) & np.logical_and.outer(wrong, wrong), 1))
    pairs = sorted(allowed.tolist(), key=lambda p: -covered[p[0], p[1]])
    for i, j in pairs[:40]:
        yield ChosenReply(candidate, (terms[i], terms[j]), values[i] & values[j])
    best = np.argsort(-(covered - 2 * failing) * np.triu(np.ones_like(covered), 1), axis=None)[:40]
    for place in best.tolist():
        i, j = divmod(place, len(terms))
        both: Truths = np.logical_and(values[i], values[j])
        inside: Truths = np.logical_and(values, both)
        third = np.flatnonzero(~(inside & bad).any(axis=1) & inside.any(axis=1))
        if third.size and i != j:
            k = int(third[np.argmax(inside[third].sum(axis=1))])
            if k not in (i, j):
                yield ChosenReply(candidate, (terms[i], terms[j], terms[k]), inside[k])
    legal = [x for x in candidate.conditions if x in terms]
    yield from _legal_guard(candidate, terms, values, legal, bad)
    yield from _legal_guard(candidate, terms, values, [*legal, *(x for x in terms if x is candidate.leaves_loss)], bad)


def _legal_guard(
    candidate: CandidateMove, terms: list[t.Term], values: Truths, legal: list[t.Term], bad: Truths
) -> Iterator[ChosenReply]:
    """Yield the reply with the conditions `legal`, without those that are not needed; nothing if the reply fails.

    The reply fails if the conditions hold at one of the positions `bad`, at which the move does not win.
    `terms`, `values`: conditions with their truth values; they include `legal`.
    """
    kept = list(legal)
    places = {id(x): i for i, x in enumerate(terms)}

    def holds(own: list[t.Term]) -> Truths:
        return np.asarray(np.all([values[places[id(x)]] for x in own], axis=0))

    if not kept or (holds(kept) & bad).any():
        return
    for x in list(kept):
        rest = [y for y in kept if y is not x]
        if rest and not (holds(rest) & bad).any():
            kept = rest
    yield ChosenReply(candidate, tuple(kept), holds(kept))


def write_take(candidate: CandidateMove) -> list[str]:
    """Return a list with the line that gives the picks of a move; [] for a move without picks."""
    taken, left = [], iter(candidate.take)
    for pick in candidate.move.picks:
        if pick.fixed is not None:
            taken.append(f'{pick.word} = "{pick.fixed}"')
            continue
        texts = [print_term(next(left)) for _ in pick.names]
        taken.append(f"{pick.word} = {quote('[' + ', '.join(texts) + ']' if pick.is_list else texts[0])}")
    return [f"take = {{ {', '.join(taken)} }}"] if taken else []
