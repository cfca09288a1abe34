"""Candidate replies: the heap, the number taken, and the conditions under which a reply is made.

A reply is a move from a position that the mover wins. A *cell* is a position together with values of the parameters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import numpy as np

from claims.language.syntax import terms as t
from encoders.compute.arrays.values import Array
from encoders.logic.sequents import ONE, YES, ZERO, choose, compare, conjunction, equal, integer, nim, sub
from encoders.search.formulas import (
    WORST,
    Atoms,
    CandidateAtom,
    CandidateFold,
    FoldVocabulary,
    LossFormula,
    Sort,
    write_term,
)
from encoders.search.question import HEAP, variable
from encoders.search.tables import Cells, Truths

# == replies ==========================================================================================================
# A reply is a pair: a choice of a heap (pick) and the number taken from it (take).
#
# Each pair is evaluated at all cells and heaps at once. The reply is good at a cell if it wins for every heap that can
# be chosen.
NEW_FOLD = 3.0
H = variable(HEAP)


@dataclass(frozen=True, eq=False)
class CandidateHeapChoice:
    """A choice of a heap.

    `words`: the text of the choice in a proof.
    `premise`: the condition under which such a heap exists; None if it always exists.
    `folds`: the folds (numbers computed heap by heap) in the premise.
    `given`: for each cell (position with parameters), a number with a bit for each heap: 1 if the heap may be chosen.
    `having`: a condition on a heap, if every heap that satisfies it may be chosen; otherwise None.
    """

    words: str
    premise: t.Term | None
    folds: tuple[CandidateFold, ...]
    given: Array
    having: str | None = None

    @property
    def there(self) -> Truths:
        """For each cell (position with parameters), whether a heap can be chosen in this way."""
        return np.asarray(self.given != 0)


@dataclass(frozen=True, eq=False)
class Take:
    """A formula for the number taken from the chosen heap h.

    `words`: the formula as text for a proof.
    `folds`: the folds (numbers computed heap by heap) in the formula.
    `wins`: for each cell (position with parameters), a number with a bit for each heap: 1 if taking from this heap
    wins.
    """

    term: t.Term
    words: str
    folds: tuple[CandidateFold, ...]
    wins: Array

    def always(self, given: Array) -> Truths:
        """Return, for each cell (position with parameters), whether taking wins for every heap that may be chosen.

        `given`: these heaps, as in `CandidateHeapChoice`.
        """
        found: Truths = given & ~self.wins == 0
        return found


@dataclass(frozen=True, eq=False)
class CandidateReply:
    """A reply: a choice of a heap (`pick`) and the number taken from it (`take`).

    `folds`: the folds (numbers computed heap by heap) in both.
    `price`: a number that is smaller for simpler replies.
    `good`: for each cell (position with parameters), whether the reply wins for every heap that may be chosen.
    `there`: for each cell, whether such a heap exists.
    """

    pick: CandidateHeapChoice
    take: t.Term
    folds: tuple[CandidateFold, ...]
    price: float
    good: Truths
    there: Truths


def _pack(heaps: Truths) -> Array:
    """Return one number for each cell. Its bits are the truth values for the heaps of the cell.

    A cell is a position with parameters. The first heap has the highest of eight bits.
    """
    return np.packbits(heaps, axis=1)[:, 0]


def list_picks(
    vocabulary: FoldVocabulary, cells: Cells, folds: list[CandidateFold], aimed: Collection[CandidateFold] = ()
) -> Iterator[CandidateHeapChoice]:
    """Yield choices of a heap: a largest heap if the rules require it, any heap, and choices by the given folds.

    A fold is a number computed heap by heap. For example, the nim-sum X gives the choice `top bit of X`.
    `aimed`: nim-sums for which more choices are yielded: for moves after which the nim-sum is a given number, not 0.
    """
    here = cells.heaps > 0
    if any(m.choose == "largest" for m in vocabulary.question.ruleset.moves):
        yield CandidateHeapChoice(
            "largest", None, (), _pack(here & (cells.heaps == cells.heaps.max(axis=1, keepdims=True)))
        )
    yield CandidateHeapChoice("any", None, (), _pack(here))
    filters = set()
    for f in folds:
        if f.sort is Sort.COUNT and f.op and f.filter not in filters:
            filters.add(f.filter)
            given = here & cells.evaluate_at_heaps(vocabulary.reads(f.filter)).astype(bool)
            yield CandidateHeapChoice(
                f"any with {f.filter}", compare("gt", f.variable, ZERO), (f,), _pack(given), f.filter
            )
    for f in folds:
        if f.sort is Sort.NIM_SUM:
            body = vocabulary.of_heap.term(f.body)
            member = here if not f.op else here & cells.evaluate_at_heaps(vocabulary.reads(f.filter)).astype(bool)
            lowered = cells.evaluate_at_heaps(compare("lt", nim(body, f.variable), body)).astype(bool)
            yield CandidateHeapChoice(
                f"top bit of {f.name}", compare("ne", f.variable, ZERO), (f,), _pack(member & lowered)
            )
            for aim in vocabulary.thresholds.values() if f.body == HEAP and f in aimed else ():
                left = cells.evaluate_at_heaps(compare("lt", nim(nim(body, f.variable), aim), body)).astype(bool)
                premise = compare("gt", f.variable, aim)
                given = member & left & np.broadcast_to(cells.column(premise), len(cells)).astype(bool)[:, None]
                yield CandidateHeapChoice(f"top bit of {f.name} ^ {_enclose(aim)}", premise, (f,), _pack(given))


def _enclose(number: t.Term) -> str:
    return write_term(number) if isinstance(number, t.Variable | t.Literal) else f"({write_term(number)})"


def list_takes(
    vocabulary: FoldVocabulary, folds: list[CandidateFold], aimed: Collection[CandidateFold]
) -> Iterator[tuple[t.Term, tuple[CandidateFold, ...]]]:
    """Yield formulas for the number taken from a heap h, each with the folds (numbers computed heap by heap) in it.

    `aimed`: nim-sums for which more formulas are yielded: for moves after which the nim-sum is a given number, not 0.
    """
    yield from ((H, ()), (ONE, ()), (sub(H, ONE), ()))
    for bound in vocabulary.thresholds.values():
        yield from ((bound, ()), (sub(H, bound), ()), (sub(bound, ONE), ()))
        yield from ((_plus(bound), ()), (_plus(sub(H, bound)), ()), (sub(sub(H, bound), ONE), ()))
    names = [variable(x) for x in vocabulary.question.names]
    yield from ((sub(a, b), ()) for a in names for b in names if a is not b)
    bodies = {f.body for f in folds}
    for body, divisor in vocabulary.divisors.items():
        if body in bodies:
            left, by = vocabulary.of_heap.term(body), vocabulary.of_heap.term(divisor)
            yield from (
                (left, ()),
                (sub(left, ONE), ()),
                (sub(t.Operation(left.type, 0, 0, "add", (left, by)), ONE), ()),
            )
    for f in folds:
        x, rest, term = f.variable, f.rest, vocabulary.of_heap.term(f.body)
        if f.sort is Sort.NIM_SUM:
            yield sub(term, nim(term, x)), (f,)
            if f.body == HEAP:
                yield sub(H, x), (f,)
                for aim in vocabulary.thresholds.values() if f in aimed else ():
                    yield sub(H, nim(nim(H, x), aim)), (f,)
            yield sub(term, rest), (f,)
            yield sub(term, nim(rest, ONE)), (f,)
        elif f.sort is Sort.EXTREME:
            yield from ((sub(H, rest), (f,)), (_plus(sub(H, rest)), (f,)), (sub(sub(H, rest), ONE), (f,)))


def _plus(x: t.Term) -> t.Term:
    return t.Operation(x.type, 0, 0, "add", (x, ONE))


class Replies:
    """The possible replies of one side at some cells (positions with parameters).

    `spoken`: the folds (numbers computed heap by heap) in the formula. Replies use these folds and similar folds.
    `aims`: include replies after which the nim-sum is not 0.
    `anywhere`: find legal moves at cells at which the side loses, instead of winning moves.
    """

    def __init__(
        self,
        vocabulary: FoldVocabulary,
        cells: Cells,
        side: int,
        spoken: set[CandidateFold],
        aims: bool = False,
        anywhere: bool = False,
    ) -> None:
        self.vocabulary, self.cells, self.side, self.spoken = vocabulary, vocabulary.know(cells), side, spoken
        self.aimed: Collection[CandidateFold] = spoken if aims else ()
        self.anywhere = anywhere
        bodies = {f.body for f in spoken} or {HEAP}
        self.folds = [f for f in vocabulary.folds if f.body in bodies]
        legal = cells.legal(side)
        self.wins_by = legal if anywhere else cells.find_winning(side)
        self.won = cells.find_lost(side) if anywhere else ~cells.find_lost(side)
        self.wanted = self.won
        if vocabulary.question.ruleset.stuck_wins:  # a stuck player wins without a reply, so no case may hold there
            self.wanted = self.won & legal.any(axis=(1, 2))
        self.stuck = self.won & ~self.wanted

    def wins(self, take: t.Term) -> Array:
        """Return, for each cell (position with parameters), from which heaps the side wins by taking this number.

        The heaps are the bits of one number. If `anywhere` is set, return the heaps from which this number may be
        taken, even if this does not win.
        """
        table = self.wins_by
        taken = self.cells.evaluate_at_heaps(take).astype(np.int64)
        inside = (taken >= 1) & (taken <= self.cells.heaps)
        rows, columns = np.arange(taken.shape[0])[:, None], np.arange(taken.shape[1])[None, :]
        return _pack(inside & table[rows, columns, np.where(inside, taken, 0)])

    def list_good(self) -> list[CandidateReply]:
        """Return the replies that win at some cell (position with parameters).

        If several replies win at the same cells, only the cheapest is included.
        """
        takes: dict[bytes, Take] = {}
        for term, folds in list_takes(self.vocabulary, self.folds, self.aimed):
            self.vocabulary.table.clock.check()
            wins = self.wins(term)
            if wins.any():
                takes.setdefault(wins.tobytes(), Take(term, write_term(term), folds, wins))
        best: dict[bytes, CandidateReply] = {}
        conditions = list(self._list_conditions())
        for pick in list_picks(self.vocabulary, self.cells, self.folds, self.aimed):
            self.vocabulary.table.clock.check()
            if not pick.given.any():
                continue
            for reply in self._list_with_pick(pick, list(takes.values()), conditions):
                key = np.packbits(reply.good).tobytes()
                if key not in best or reply.price < best[key].price:
                    best[key] = reply
        return list(best.values())

    def _list_conditions(self) -> Iterator[tuple[t.Term, CandidateFold, Array]]:
        """Yield conditions on the other heaps that may decide between two numbers to take from a heap.

        An item is a triple: the condition, the fold (number computed heap by heap) in it, and an array. The array has a
        number for each cell (position with parameters), with a bit for each heap. The bit is 1 if the condition holds
        for the other heaps.
        """
        for f in self.vocabulary.folds:
            if f in self.spoken and f.sort in (Sort.COUNT, Sort.NIM_SUM):
                told = [equal(f.rest, ZERO)]
                if f.sort is Sort.COUNT:
                    told.insert(0, equal(t.Operation(f.rest.type, 0, 0, "mod", (f.rest, integer(2))), ONE))
                for term in told:
                    yield term, f, _pack(self.cells.evaluate_at_heaps(term).astype(bool))

    def _list_with_pick(
        self, pick: CandidateHeapChoice, takes: list[Take], conditions: list[tuple[t.Term, CandidateFold, Array]]
    ) -> Iterator[CandidateReply]:
        there = pick.there
        won = self.won & there
        base = (pick.words not in ("any", "largest")) * 0.3 + 0.02 * len(pick.words)
        for take in takes:
            good = there & take.always(pick.given)
            if good.any():
                folds = tuple(dict.fromkeys((*pick.folds, *take.folds)))
                price = NEW_FOLD * self._new(folds) + base + 0.02 * len(take.words)
                yield CandidateReply(pick, take.term, folds, price, good, there)
        for term, fold, holds in conditions:
            sides = []
            for side in (holds, ~holds):
                goods = [take.always(pick.given & side) & won for take in takes]
                pairs = list(zip(takes, goods, strict=True))
                pairs.sort(key=lambda x: (-np.count_nonzero(x[1]), self._new(x[0].folds), len(x[0].words)))
                sides.append(pairs[:3])
            for a, first in sides[0]:
                for b, second in sides[1]:
                    good_both = first & second
                    if a is b or not good_both.any():
                        continue
                    folds = tuple(dict.fromkeys((*pick.folds, *a.folds, *b.folds, fold)))
                    both_taken = choose(term, a.term, b.term)
                    length = len(pick.words) + len(a.words) + len(b.words)
                    price = NEW_FOLD * self._new(folds) + 0.02 * length + 0.8
                    yield CandidateReply(pick, both_taken, folds, price, good_both, there)

    def _new(self, folds: tuple[CandidateFold, ...]) -> int:
        return sum(f not in self.spoken for f in folds)

    def good_at(self, reply: CandidateReply) -> Truths:
        """Return, for each cell (position with parameters) of this object, whether the given reply wins there.

        The reply may have been found at other cells.
        """
        pick = next(
            p for p in list_picks(self.vocabulary, self.cells, self.folds, self.aimed) if p.words == reply.pick.words
        )
        found: Truths = pick.there & (pick.given & ~self.wins(reply.take) == 0)
        return found


# == cases ============================================================================================================
# A case is a reply with a condition. At every cell that a side wins, some case must apply. There should be few cases.
#
# A case applies only to cells at which its reply is good. This matters only at the won cells, or only at the won cells
# to which earlier cases do not apply.
MOST_CASES = 16
MOST_RANKED = 192  # replies that are examined for a case
TOGETHER = 24  # the search stops after this many replies if some had a condition
MOST_ATOMS = 260
PRICE = 0.004  # price of an atom, as a fraction of the cells to be covered


@dataclass(eq=False)
class ReplyCase:
    """A reply with the condition under which it is made.

    `atoms`: the conditions that must all hold.
    `hold`: for each cell (position with parameters), whether the atoms hold.
    `after`: the numbers of the earlier cases that must not apply.
    `plain`: whether the condition alone implies that the side does not lose.
    `ordered`: whether the condition was chosen only for the cells to which earlier cases do not apply.
    `anywhere`: whether any legal move is allowed, even if the opponent does not lose after it.
    """

    atoms: list[t.Term]
    reply: CandidateReply
    folds: tuple[CandidateFold, ...]
    ordered: bool
    hold: Truths
    after: list[int] = field(default_factory=list)
    plain: bool = False
    anywhere: bool = False


def decide(replies: Replies, atoms: Atoms, wide: bool = False) -> tuple[list[ReplyCase], Truths]:
    """Choose replies and their conditions, so that at least one reply is made at each cell that the side wins.

    Return (1) the replies with their conditions, and (2) for each cell (position with parameters), whether it needs a
    reply and has none.
    `wide`: whether conditions may use all folds (numbers computed heap by heap). If false, the folds of the formula and
    related counts are tried first, and all folds if these are not sufficient.
    """
    wanted = replies.wanted
    if not wanted.any():
        return [], wanted
    candidates = [r for r in replies.list_good() if (r.good & wanted).any()]
    known = _list_known_folds(replies)
    chosen = [i for i, a in enumerate(atoms.list) if set(a.folds) <= known]
    if wide:
        chosen = sorted(range(len(atoms)), key=lambda i: (not set(atoms.list[i].folds) <= known, atoms.list[i].price))
        chosen = chosen[:MOST_ATOMS]
    always = np.ones((1, len(replies.cells)), dtype=bool)
    used = (CandidateAtom(YES, 0.0, ()), *(atoms.list[i] for i in chosen))
    conditions = _Conditions(used, np.vstack([always, atoms.holds[chosen]]))
    todo, spoken, cases = wanted.copy(), set(replies.spoken), list[ReplyCase]()
    while todo.any() and len(cases) < MOST_CASES:
        replies.vocabulary.table.clock.check()
        case = conditions.next_case(candidates, wanted, todo, spoken, replies.stuck)
        if case is None:
            break
        cases.append(case)
        todo &= ~case.hold
        spoken |= set(case.folds)
    if todo.any() and not wide:
        return decide(replies, atoms, True)
    return (cases if any(c.ordered for c in cases) else _drop_superfluous(cases, wanted & ~todo)), todo


def _list_known_folds(replies: Replies) -> set[CandidateFold]:
    spoken = replies.spoken
    bodies, filters = {f.body for f in spoken}, {(f.body, f.bound) for f in spoken if f.op}
    return spoken | {
        f
        for f in replies.vocabulary.folds
        if f.sort is Sort.COUNT and f.body in bodies and (f.body, f.bound) in filters
    }


def _drop_superfluous(cases: list[ReplyCase], wanted: Truths) -> list[ReplyCase]:
    kept = list(cases)
    for case in cases:
        rest = [c for c in kept if c is not case]
        if rest and not (wanted & ~np.any([c.hold for c in rest], axis=0)).any():
            kept = rest
    return kept


class _Conditions:
    """Conditions (atoms) with their truth values at some cells (positions with parameters).

    The first condition is true at every cell.
    """

    def __init__(self, atoms: tuple[CandidateAtom, ...], holds: Truths) -> None:
        self.atoms, self.holds = atoms, holds
        kinds, self._kind = np.unique(np.packbits(holds, axis=0).T, axis=0, return_inverse=True)
        self._kinds = np.unpackbits(kinds.T, axis=0)[: len(holds)].astype(np.float32)  # the distinct kinds of cells

    def next_case(
        self, candidates: list[CandidateReply], wanted: Truths, todo: Truths, spoken: set[CandidateFold], stuck: Truths
    ) -> ReplyCase | None:
        """Return the next case: a reply with a condition, chosen by its price and by the number of cells it covers.

        A cell is a position with parameters. The condition consists of at most two atoms. Return None if no reply has a
        suitable condition.
        `wanted`: the cells that need a reply. `todo`: the cells among them without a reply.
        `spoken`: folds (numbers computed heap by heap) that are already used, so conditions on them are cheaper.
        `stuck`: cells at which no reply may be made, because the side wins without a move.
        """
        new = [sum(f not in spoken for f in a.folds) for a in self.atoms]
        prices = np.array([a.price for a in self.atoms], dtype=np.float32) + NEW_FOLD * np.array(new, dtype=np.float32)
        total = float(todo.sum())
        alone = np.eye(len(prices), dtype=np.float32)
        alone[0, :] = alone[:, 0] = 0
        cost = total * PRICE * (prices[:, None] + prices[None, :]) * (1 - 0.5 * alone)
        ranked = sorted(candidates, key=lambda c: -(float((c.good & todo).sum()) - 3 * PRICE * total * c.price))
        everywhere = self._gain(todo)
        best: tuple[float, tuple[int, ...], CandidateReply, bool] | None = None
        for number, reply in enumerate(ranked[:MOST_RANKED]):
            if number % TOGETHER == 0 and best is not None:
                break
            if not (reply.good & todo).any():
                break
            premise = reply.pick.premise is not None
            gains = self._gain(todo & reply.there) if premise else everywhere
            for ordered, more in ((False, 0.0), (True, 1.5)):
                scope = (todo if ordered else wanted) | stuck
                bad = scope & ~reply.good & reply.there if premise else scope & ~reply.good
                gain = np.where(self._count_passing(bad) > 0, 0, gains)
                score = gain - cost - total * PRICE * (3 * reply.price + more)
                score[gain == 0] = WORST
                a, b = divmod(int(np.argmax(score)), len(prices))
                if gain[a, b] > 0 and (best is None or score[a, b] > best[0]):
                    best = float(score[a, b]), tuple(sorted({a, b} - {0})), reply, ordered
        if best is None:
            return None
        return self._make(best[1], best[2], best[3], (todo if best[3] else wanted) | stuck)

    def _make(self, chosen: tuple[int, ...], reply: CandidateReply, ordered: bool, scope: Truths) -> ReplyCase:
        hold: Truths = np.asarray(self.holds[[0, *chosen]].all(axis=0))
        terms, folds = [self.atoms[i].term for i in chosen], [f for i in chosen for f in self.atoms[i].folds]
        if reply.pick.premise is not None and (hold & scope & ~reply.there).any():
            terms.append(reply.pick.premise)
            hold = hold & reply.there
        return ReplyCase(terms, reply, tuple(dict.fromkeys((*folds, *reply.folds))), ordered, hold)

    def _gain(self, cells: Truths) -> Array:
        """Return an array: element [i, j] is the number of the given cells at which the conditions i and j both hold.

        A cell is a position with parameters.
        """
        rows, counts = self._distinct(cells)
        found: Array = (rows * counts) @ rows.T
        return found

    def _count_passing(self, cells: Truths) -> Array:
        rows, _ = self._distinct(cells)
        found: Array = rows @ rows.T
        return found

    def _distinct(self, cells: Truths) -> tuple[Array, Array]:
        """Divide the given cells (positions with parameters) into kinds by the truth values of the conditions there.

        Return (1) the truth values of the conditions at one cell of each kind, and (2) the number of cells of each
        kind. Two cells are of the same kind if every condition has the same truth value at both.
        """
        counts = np.bincount(self._kind.ravel()[cells], minlength=self._kinds.shape[1])
        return self._kinds[:, counts > 0], counts[counts > 0].astype(np.float32)


# -- the order of cases -----------------------------------------------------------------------------------------------
def put_in_order(cases: list[ReplyCase], replies: Replies, formula: LossFormula) -> None:
    """Set `after` and `plain` of each case; see `ReplyCase`. A case is a reply with a condition.

    `after` lists the earlier cases that must not apply. If the formula describes the won positions, `_put_term` may add
    one of its terms to a case that is not plain.
    """
    cells = replies.cells
    lost = cells.find_lost(replies.side)
    for case in cases:
        held = [cells.column(x).astype(bool) for x in case.atoms]
        case.hold = np.broadcast_to(np.all(held, axis=0) if held else np.ones(len(cells), dtype=bool), (len(cells),))
    for number, case in enumerate(cases):
        bad = case.hold & (replies.wanted | replies.stuck) & ~replies.good_at(case.reply)
        hold = case.hold.copy()
        case.after = []
        for _ in range(number):
            if not bad.any():
                break
            earlier = max(range(number), key=lambda j: int((cases[j].hold & bad).sum()))
            if not (cases[earlier].hold & bad).any():
                break
            case.after.append(earlier)
            bad &= ~cases[earlier].hold
            hold &= ~cases[earlier].hold
        case.plain = not (hold & lost).any()
        if formula.wins and not case.plain and not replies.anywhere:
            _put_term(case, cells, formula)


def _put_term(case: ReplyCase, cells: Cells, formula: LossFormula) -> None:
    """Add a term of the formula to the condition of a case, and remove the conditions that become superfluous.

    The formula is a disjunction of terms. The added term is the only one that holds at any position of the case. If
    there is not exactly one such term, nothing is changed.
    """
    met = [x for x in formula.terms if (cells.column(conjunction(*x)).astype(bool) & case.hold).any()]
    if len(met) != 1:
        return
    term = met[0]
    inside = cells.column(conjunction(*term)).astype(bool)
    kept = [x for x in case.atoms if write_term(x) not in {write_term(y) for y in term}]

    def truth(atoms: list[t.Term]) -> Truths:
        return np.asarray(inside & np.all([cells.column(x).astype(bool) for x in atoms] or [inside], axis=0))

    whole = truth(case.atoms)
    for x in list(kept):
        rest = [y for y in kept if y is not x]
        if (truth(rest) == whole).all():
            kept = rest
    case.atoms, case.plain = [*term, *kept], True
    case.folds = tuple(dict.fromkeys((*case.folds, *formula.folds)))


def find_failing_cells(cases: list[ReplyCase], replies: Replies) -> Array:
    """Return the indices of the cells (positions with parameters) at which the cases fail.

    No case applies to such a cell, or a case applies whose reply is not good there.
    """
    cells = replies.cells
    left, bad = replies.wanted.copy(), np.zeros(len(cells), dtype=bool)
    for case in cases:
        held = [cells.column(x).astype(bool) for x in case.atoms]
        hold = np.all(held, axis=0) if held else np.ones(len(cells), dtype=bool)
        at = ((left if case.ordered else replies.wanted) | replies.stuck) & hold
        bad |= at & ~replies.good_at(case.reply)
        left &= ~hold
    return np.flatnonzero(bad | left)
