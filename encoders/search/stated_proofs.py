"""The search for a proof whose invariant is the formula of the statement, with replies found from a table.

The formula is first tested on small positions: after a move from a lost position, the opponent must not be in a lost
position; from every other position there must be a move to a lost position.

Replies are terms that win at as many of these positions as possible, under the shortest conditions that make them
right. The formula also tells who wins at larger positions. The obligations of the rule decide: a counterexample to an
obligation is added to the table as a further position.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claims.language.errors import NimChecksError
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, substitute, walk
from claims.language.syntax.terms import INT
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.compute.arrays.limits import Deadline
from encoders.logic.sequents import add, compare, conjunction, disjunction, integer, largest, negation, opposite, sub
from encoders.search.find import Posing, SearchProgress, SearchStage, attempt
from encoders.search.formulas import Tell
from encoders.search.question import variable
from encoders.search.stated_folds import find_folds_proof
from encoders.search.statement import StatedMove, Statement, read_statement
from encoders.search.writing import quote

Columns = Mapping[str, NDArray[np.int64]]
Truths = NDArray[np.bool_]
Numbers = NDArray[np.int64]

ROUNDS = 4  # number of tables; each contains the counterexamples to the preceding proofs
MOST_REPLIES = 14
MOST_ROWS = 1500
MOST_FAR_ROWS = 500
MOST_OUTCOMES = 600_000  # positions times picks in one table
MOST_TERMS = 700
MOST_CANDIDATES = 60  # replies for one kind of move
MOST_CONDITIONS = 160
SIZES = {
    1: 30,
    2: 12,
    3: 7,
    4: 4,
    5: 3,
}  # by the count of the numbers in a position: the largest of them
LEAST_SIZE, FAR = 2, 5  # large positions have numbers up to FAR times as large
MOST_PARAMETER = 5
_COMPARISONS = ("eq", "lt", "gt", "le", "ge", "ne")
_BOUND = 24  # the largest constant of the statement or the rules that a reply may use


class FormulaFails(NimChecksError):
    """The formula is not an invariant of the game, or there are no replies of the supported kinds.

    The message is the reason.
    """


# == positions ========================================================================================================
def evaluate_truth(term: t.Term, columns: Columns, undefined: bool = False) -> Truths:
    """Return the truth value of a term in each row; `undefined` in rows where the term has no value."""
    found = ColumnTable(columns).evaluate(term)
    return np.where(found.undefined, undefined, found.values.astype(bool))


def _evaluate_number(term: t.Term, columns: Columns) -> tuple[Numbers, Truths]:
    """Return the value of a term, and whether it is defined, in each row.

    Numbers beyond 2^62 count as undefined.
    """
    found = ColumnTable(columns).evaluate(term)
    if found.values.dtype == object:
        return np.zeros(len(found.values), dtype=np.int64), np.zeros(len(found.values), dtype=bool)
    return np.where(found.undefined, 0, found.values).astype(np.int64), ~found.undefined


def list_positions(statement: Statement, generator: np.random.Generator) -> tuple[Columns, int]:
    """Return positions as columns of numbers and parameters, and the number of rows with small positions.

    The rows with small positions come first, then those with large positions.
    """
    count, own = len(statement.names), len(statement.parameters)
    size = SIZES.get(count, LEAST_SIZE)
    names = (*statement.names, *(v.name for v in statement.parameters))
    most = MOST_PARAMETER if own < 3 else MOST_PARAMETER - 2
    ranges = [*[range(size + 1)] * count, *[range(most + 1)] * own]
    if np.prod([float(len(r)) for r in ranges]) <= 40 * MOST_ROWS:
        near = np.array(list(itertools.product(*ranges)), dtype=np.int64).reshape(-1, len(ranges))
    else:
        near = np.stack([generator.integers(0, len(r), 40 * MOST_ROWS) for r in ranges], axis=1)
    widths = [*[FAR * size] * count, *[3 * most] * own]
    far = np.stack([generator.integers(0, w + 1, 20 * MOST_FAR_ROWS) for w in widths], axis=1)
    if statement.sorted:
        far[:, :count].sort(axis=1)
    chosen = []
    for rows, limit in ((near, MOST_ROWS), (far, MOST_FAR_ROWS)):
        columns = {name: rows[:, i].copy() for i, name in enumerate(names)}
        kept = rows[evaluate_truth(conjunction(statement.valid, statement.assumed), columns)]
        if len(kept) > limit:
            kept = kept[np.sort(generator.choice(len(kept), limit, replace=False))]
        chosen.append(kept)
    together = np.concatenate(chosen)
    return {name: together[:, i].copy() for i, name in enumerate(names)}, len(chosen[0])


def evaluate_after(statement: Statement, move: StatedMove, columns: Columns, loses: t.Term) -> Truths:
    """Return, for each row, whether the next player loses the position after the move.

    The columns contain the picks of the move.
    """
    parts = [_evaluate_number(term, columns) for term in move.after]
    sizes = np.stack([x for x, _ in parts])
    defined = np.all([x for _, x in parts], axis=0)
    if statement.sorted:
        sizes = np.sort(sizes, axis=0)
    after = {v.name: columns[v.name] for v in statement.parameters}
    after |= dict(zip(statement.names, sizes, strict=True))
    found: Truths = evaluate_truth(loses, after) & defined
    return found


def spread_picks(
    statement: Statement, move: StatedMove, columns: Columns, count: int
) -> tuple[tuple[int, ...], Numbers, Columns, Truths]:
    """Return all picks at `count` positions.

    The result consists of the shape of the array of picks, the row of the position, the columns with the picks, and
    whether the move is legal. Raises FormulaFails if there are too many picks.
    """
    picks = len(move.names)
    top = max((int(columns[name].max(initial=0)) for name in statement.names), default=0) + 1
    width = min(top + 1, int((MOST_OUTCOMES / max(1, count)) ** (1 / max(1, picks))))
    if width < 2:
        raise FormulaFails("a move picks too many numbers")
    shape = (count, *(width,) * picks)
    grid = np.indices(shape, dtype=np.int64).reshape(picks + 1, -1)
    spread = {name: x[grid[0]] for name, x in columns.items()} | dict(zip(move.names, grid[1:], strict=True))
    return shape, grid[0], spread, evaluate_truth(move.legal, spread)


@dataclass(frozen=True, eq=False)
class _WinningPicks:
    """A kind of move, and the picks with which it wins.

    `wins`: whether the move wins, by the row of the table and by each pick (counted from 0).
    """

    move: StatedMove
    wins: Truths


class PositionTable:
    """Positions, with the truth values of the invariant there.

    For the small positions, the table also determines all winning moves.
    """

    def __init__(self, statement: Statement, loses: tuple[t.Term, ...], columns: Columns, near: int) -> None:
        self.statement, self.loses, self.columns, self.near = statement, loses, columns, near
        self.lost = [evaluate_truth(x, columns, True) for x in loses]
        self.close = {name: x[:near] for name, x in columns.items()}

    def next_side(self, side: int) -> int:
        return (side + 1) % len(self.loses)

    def find_winning_picks(self, clock: Deadline) -> list[_WinningPicks]:
        """Return the winning moves from the small positions.

        Raises FormulaFails if the invariant is wrong at a small position.
        """
        found: list[_WinningPicks] = []
        won = [np.zeros(self.near, dtype=bool) for _ in self.loses]
        for move in self.statement.moves:
            clock.check()
            shape, _, columns, legal = spread_picks(self.statement, move, self.close, self.near)
            lost = evaluate_after(self.statement, move, columns, self.loses[self.next_side(move.side)])
            wins = (legal & lost).reshape(shape)
            some = wins.reshape(self.near, -1).any(axis=1)
            if (wrong := np.flatnonzero(some & self.lost[move.side][: self.near])).size:
                place = self.describe(int(wrong[0]))
                raise FormulaFails(f"by the formula {place} is lost, but a move leads to a loss")
            won[move.side] |= some
            found.append(_WinningPicks(move, wins))
        for side, some in enumerate(won):
            if (wrong := np.flatnonzero(~some & ~self.lost[side][: self.near])).size:
                place = self.describe(int(wrong[0]))
                raise FormulaFails(f"by the formula {place} is won, but no move that was tried leads to a loss")
        return found

    def describe(self, row: int) -> str:
        """Return a position as text."""
        return ", ".join(f"{name} = {int(x[row])}" for name, x in self.columns.items())


# == terms ============================================================================================================
@dataclass(frozen=True, eq=False)
class _Valued:
    """A term with its value at each row."""

    term: t.Term
    values: Numbers

    @property
    def price(self) -> int:
        return len(print_term(self.term))


def list_terms(table: PositionTable, clock: Deadline) -> list[_Valued]:
    """Return small terms over the numbers and parameters of a position.

    Of several terms with equal values, only the first is kept.
    """
    statement = table.statement
    written = [*table.loses, *(x for move in statement.moves for x in (move.legal, *move.after))]
    numbers = {x.value for x in walk(tuple(written)) if isinstance(x, t.Literal) and x.type == INT}
    moduli = _list_moduli(statement, written)
    names = (*statement.names, *(v.name for v in statement.parameters))
    seen: dict[bytes, _Valued] = {}

    def keep(terms: Iterator[t.Term]) -> list[_Valued]:
        made = []
        for term in terms:
            if len(seen) >= MOST_TERMS:
                break
            values, defined = _evaluate_number(term, table.columns)
            key = values.tobytes()
            if defined.all() and key not in seen:
                seen[key] = _Valued(term, values)
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
    """Whether a term is an operation on integers that contains only variables with these names, and at least one."""
    if not isinstance(term, t.Operation) or term.type != INT:
        return False
    used = set(find_free_names(term))
    return bool(used) and used <= names


def _list_moduli(statement: Statement, written: list[t.Term]) -> list[t.Term]:
    """Return the divisors in the statement and in the rules that do not depend on the position."""
    found: dict[str, t.Term] = {}
    names = {v.name for v in statement.parameters}
    for x in walk(tuple(written)):
        match x:
            case t.Operation(op="mod" | "floordiv", args=(_, m)) if set(find_free_names(m)) <= names:
                found[print_term(m)] = m
    return list(found.values())


def _list_sums(left: list[_Valued], right: list[_Valued]) -> Iterator[t.Term]:
    for a, b in itertools.product(left, right):
        if not (isinstance(a.term, t.Literal) and isinstance(b.term, t.Literal)):
            yield sub(a.term, b.term)
            yield add(a.term, b.term)
            yield sub(b.term, a.term)


def _list_extremes(left: list[_Valued], right: list[_Valued]) -> Iterator[t.Term]:
    for a, b in itertools.product(left, right):
        yield largest(a.term, b.term)


def _list_remainders(left: list[_Valued], moduli: list[t.Term]) -> Iterator[t.Term]:
    for a, m in itertools.product(left, moduli):
        if not isinstance(a.term, t.Literal):
            yield t.Operation(INT, 0, 0, "mod", (a.term, m))


# == replies ==========================================================================================================
@dataclass(frozen=True, eq=False)
class CandidateMove:
    """A move with a term for each pick.

    `good`: the rows in which it wins. `conditions`: the conditions under which it is legal.
    """

    move: StatedMove
    take: tuple[t.Term, ...]
    good: Truths
    conditions: tuple[t.Term, ...]

    @property
    def price(self) -> int:
        return sum(len(print_term(x)) for x in self.take)


@dataclass(frozen=True, eq=False)
class ChosenReply:
    """A move that is made where `when` holds."""

    candidate: CandidateMove
    when: tuple[t.Term, ...]
    held: Truths


def _choose_diverse(hits: Truths, prices: Numbers, limit: int) -> list[int]:
    """Return the indices of rows of `hits` that together cover many columns.

    The first half are the rows that cover the most. The others are chosen to cover the remaining columns.
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
    table: PositionTable, own: _WinningPicks, terms: list[_Valued], clock: Deadline
) -> list[CandidateMove]:
    """Return moves of this kind that win at many positions, with terms for their picks."""
    move, wins = own.move, own.wins
    need = ~table.lost[move.side][: table.near]
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
    """Return the move with these picks, and the rows in which it wins."""
    values = dict(zip(move.names, take, strict=True))
    legal = substitute(move.legal, values)
    columns = {**table.columns, **{name: _evaluate_number(x, table.columns)[0] for name, x in values.items()}}
    lost = evaluate_after(table.statement, move, columns, table.loses[table.next_side(move.side)])
    good = evaluate_truth(legal, table.columns) & lost
    return CandidateMove(move, take, good, tuple(_flatten(legal)))


def _flatten(term: t.Term) -> Iterator[t.Term]:
    """Yield the parts of a conjunction, at any depth."""
    if isinstance(term, t.AllOf):
        for x in term.args:
            yield from _flatten(x)
    else:
        yield term


def _list_atoms(term: t.Term) -> Iterator[t.Term]:
    """Yield the comparisons of a formula."""
    for x in walk(term):
        if isinstance(x, t.Operation) and x.op in _COMPARISONS and all(y.type == INT for y in x.args):
            yield x


class _Conditions:
    """Conditions for replies, with their values at the rows of a table."""

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
        for m in _list_moduli(statement, written):
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
        """Return the conditions that may guard a candidate, and their truth values by condition and row.

        They include the conditions under which the candidate is legal.
        """
        own = dict(self.values)
        for term in candidate.conditions:
            found = ColumnTable(self.table.columns).evaluate(term)
            if not found.undefined.any():
                own.setdefault(print_term(term), (term, found.values.astype(bool)))
        listed = sorted(own.values(), key=lambda x: len(print_term(x[0])))
        return [x for x, _ in listed], np.array([v for _, v in listed])


def choose_replies(
    table: PositionTable, candidates: list[CandidateMove], side: int, clock: Deadline
) -> list[ChosenReply]:
    """Return replies that cover every position of the table from which the mover does not lose. Raises FormulaFails."""
    need = ~table.lost[side]
    conditions = _Conditions(table)
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


def _list_guards(conditions: _Conditions, candidate: CandidateMove, need: Truths) -> Iterator[ChosenReply]:
    """Yield the candidate with short conditions. They hold only at positions at which the candidate wins."""
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


def _legal_guard(
    candidate: CandidateMove, terms: list[t.Term], values: Truths, legal: list[t.Term], bad: Truths
) -> Iterator[ChosenReply]:
    """Yield the candidate guarded by the conditions under which it is legal, if they suffice.

    Conditions that are not needed are omitted.
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


# == proofs ===========================================================================================================
def write_draft(statement: Statement, loses: tuple[t.Term, ...], replies: list[list[ChosenReply]]) -> str:
    """Return the [proof] with this invariant and these replies."""
    lines = ["[proof]", f"rule = {quote(statement.rule)}"]
    lines += statement.head if statement.sorted else ()
    lines += statement.write_losses(loses)
    for reply in itertools.chain(*replies):
        move = reply.candidate.move
        own = [x for x in move.lines if not x.startswith("player")]
        lines += ["", "[[proof.moves]]", *(x for x in move.lines if x.startswith("player"))]
        when = conjunction(*reply.when)
        lines += [f"when = {quote(print_term(when))}", *own]
        taken, left = [], iter(reply.candidate.take)
        for pick in move.picks:
            if pick.fixed is not None:
                taken.append(f'{pick.word} = "{pick.fixed}"')
                continue
            texts = [print_term(next(left)) for _ in pick.names]
            taken.append(f"{pick.word} = {quote('[' + ', '.join(texts) + ']' if pick.is_list else texts[0])}")
        lines += [f"take = {{ {', '.join(taken)} }}"] if taken else []
    return "\n".join(lines) + "\n"


def _list_invariants(statement: Statement, clock: Deadline) -> Iterator[tuple[t.Term, ...]]:
    """Yield candidates for the invariant: the formula, and the formula changed outside the hypotheses of the claim."""
    yield statement.loses
    if not any(True for _ in find_free_names(statement.inside)):
        return
    outside = negation(statement.inside)
    yield tuple(conjunction(statement.inside, x) for x in statement.loses)
    yield tuple(disjunction(outside, conjunction(statement.inside, x)) for x in statement.loses)
    yield from _extend(statement, clock)


def _extend(statement: Statement, clock: Deadline) -> Iterator[tuple[t.Term, ...]]:
    """Yield invariants that extend the formula to positions outside the hypotheses.

    There they use short conditions that agree with a solved table.
    """
    columns, near = list_positions(statement, np.random.default_rng(1))
    close = {name: x[:near] for name, x in columns.items()}
    lost = solve_positions(statement, close, near, clock)
    if lost is None:
        return
    inside = evaluate_truth(statement.inside, close)
    for found, stated in zip(lost, statement.loses, strict=True):
        if (inside & (found != evaluate_truth(stated, close))).any():
            return  # the claim is false there
    pool = list(_Conditions(PositionTable(statement, statement.loses, close, near)).values.values())
    chosen: list[t.Term] = []
    for found, stated in zip(lost, statement.loses, strict=True):
        rest = _describe(pool, ~inside, found)
        if rest is None:
            return
        kept = statement.inside, stated
        chosen.append(disjunction(conjunction(*kept), conjunction(negation(statement.inside), rest)))
    yield tuple(chosen)


def _describe(pool: list[tuple[t.Term, Truths]], rows: Truths, wanted: Truths) -> t.Term | None:
    """Return a condition with the wanted values in these rows; None if there is none.

    It is one of the given conditions, or two of them joined by `and` or `or`.
    """
    for x, own in pool:
        if (own == wanted)[rows].all():
            return x
    for join, wide in ((conjunction, True), (disjunction, False)):
        fitting = [(x, own) for x, own in pool if not ((wanted & ~own) if wide else (own & ~wanted))[rows].any()]
        for (x, own), (y, other) in itertools.combinations(fitting, 2):
            if (((own & other) if wide else (own | other)) == wanted)[rows].all():
                return join(x, y)
    return None


def solve_positions(statement: Statement, columns: Columns, count: int, clock: Deadline) -> list[Truths] | None:
    """Return for each side the positions in which it loses when it is to move; None if a move leaves the table.

    `count`: the number of positions.
    """
    names = (*statement.names, *(v.name for v in statement.parameters))
    base = max(int(x.max(initial=0)) for x in columns.values()) + 2
    if base ** len(names) >= 1 << 62:
        return None

    def encode(rows: Columns) -> Numbers:
        code = np.zeros(len(rows[names[0]]), dtype=np.int64)
        for name in names:
            code = code * base + rows[name]
        return code

    codes = encode(columns)
    order = np.argsort(codes)
    edges: list[list[tuple[Numbers, Numbers]]] = [[] for _ in statement.loses]
    for move in statement.moves:
        clock.check()
        _, source, spread, legal = spread_picks(statement, move, columns, count)
        sizes = np.stack([_evaluate_number(term, spread)[0] for term in move.after])
        after = dict(spread) | dict(zip(statement.names, np.sort(sizes, axis=0), strict=True))
        if any((after[name][legal] >= base).any() or (after[name][legal] < 0).any() for name in names):
            return None
        wanted = encode({name: after[name][legal] for name in names})
        places = np.minimum(np.searchsorted(codes, wanted, sorter=order), count - 1)
        if (codes[order[places]] != wanted).any():
            return None
        edges[move.side].append((source[legal], order[places]))
    lost = [np.ones(count, dtype=bool) for _ in statement.loses]
    for _ in range(count):
        clock.check()
        new = [np.ones(count, dtype=bool) for _ in lost]
        for side, own in enumerate(edges):
            for source, target in own:
                new[side][source[lost[(side + 1) % len(lost)][target]]] = False
        if all((x == y).all() for x, y in zip(lost, new, strict=True)):
            return lost
        lost = new
    return None


def find_stated_proof(
    claim: Claim, path: Path, file: Posing, clock: Deadline, tell: Tell, outcome: SearchProgress
) -> None:
    """Search for a proof whose invariant is the formula of the statement. Store the proof in `outcome`.

    If there is no result, store the obstacle of the attempt that came closest. Raises OutOfTime, Unsupported.
    """
    statement = read_statement(claim, path)
    if statement is None:
        find_folds_proof(claim, file, clock, tell, outcome)
        return
    obstacle = ""
    for loses in _list_invariants(statement, clock):
        shown = " and ".join(print_term(x) for x in loses)
        tell(f'rule "{statement.rule}", invariant {shown[:100]}')
        try:
            obstacle = _try_invariant(statement, loses, file, clock, tell, outcome)
        except FormulaFails as failed:
            obstacle = obstacle or f'rule "{statement.rule}": {failed}'
            tell(str(failed))
            continue
        if outcome.stage is SearchStage.PROOF:
            return
    tell("the search from the statement is exhausted")
    outcome.obstacle = outcome.obstacle or obstacle


def _try_invariant(
    statement: Statement, loses: tuple[t.Term, ...], file: Posing, clock: Deadline, tell: Tell, outcome: SearchProgress
) -> str:
    """Search for replies for one invariant. Return the obstacle; "" if the proof succeeds. Raises FormulaFails."""
    columns, near = list_positions(statement, np.random.default_rng(1))
    if not near:
        raise FormulaFails("the hypotheses allow no small parameters")
    obstacle = ""
    for _ in range(ROUNDS):
        table = PositionTable(statement, loses, columns, near)
        winning = table.find_winning_picks(clock)
        terms = list_terms(table, clock)
        replies = []
        for side in range(len(loses)):
            candidates = [
                x for own in winning if own.move.side == side for x in list_candidates(table, own, terms, clock)
            ]
            replies.append(choose_replies(table, candidates, side, clock))
        draft = write_draft(statement, loses, replies)
        found = attempt(file, draft, clock, first=True)
        if found.is_proved:
            outcome.stage, outcome.text, outcome.obstacle = SearchStage.PROOF, draft, ""
            tell(f"proved with {sum(map(len, replies))} replies")
            return ""
        obstacle = f'rule "{statement.rule}", {found.words}'
        tell(f"not proved: {found.words}")
        row = dict(found.open[0].values) if found.open else {}
        if not set(row) >= set(columns) or any(abs(int(row[name])) > 10_000 for name in columns):
            break
        columns = {name: np.append(x, np.int64(int(row[name]))) for name, x in columns.items()}
    return obstacle
