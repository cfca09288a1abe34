"""Cases: which reply is made when, so that one is made wherever a side wins; each with few conditions.

A case holds only where its reply is good, among the cells that are won, or among those that earlier cases leave.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from claims.language.terms import terms as t
from encoders.exhaustive.arrays.values import Array
from encoders.logic.terms import YES, conjunction
from encoders.search.formulas import WORST, LossFormula
from encoders.search.replies import NEW_FOLD, CandidateReply, Replies
from encoders.search.tables import Cells, Truths
from encoders.search.vocabulary import Atoms, CandidateAtom, CandidateFold, Sort, said

MOST_CASES = 16
MOST_RANKED = 192  # replies that are looked at for a case
TOGETHER = 24  # of them before the search ends if some had a condition
MOST_ATOMS = 260
PRICE = 0.004  # of an atom, as a share of the cells to be covered


@dataclass(eq=False)
class ReplyCase:
    """A reply and when it is made. `hold`: at which cells the atoms hold.

    `after`: the earlier cases that must not hold; `plain`: then the side does not lose, by the condition alone.
    `ordered`: the condition was chosen for what earlier cases leave.  `anywhere`: it need not lead to a loss.
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
    """A list of cases that covers what is won, and the cells that are left without one.

    Conditions speak of the folds of the formula and of what counts beside them; `wide`: of any.
    """
    wanted = replies.wanted
    if not wanted.any():
        return [], wanted
    candidates = [r for r in replies.list_good() if (r.good & wanted).any()]
    known = _known(replies)
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
    return (cases if any(c.ordered for c in cases) else _without_superfluous(cases, wanted & ~todo)), todo


def _known(replies: Replies) -> set[CandidateFold]:
    spoken = replies.spoken
    bodies, filters = {f.body for f in spoken}, {(f.body, f.bound) for f in spoken if f.op}
    return spoken | {
        f
        for f in replies.vocabulary.folds
        if f.sort is Sort.COUNT and f.body in bodies and (f.body, f.bound) in filters
    }


def _without_superfluous(cases: list[ReplyCase], wanted: Truths) -> list[ReplyCase]:
    kept = list(cases)
    for case in cases:
        rest = [c for c in kept if c is not case]
        if rest and not (wanted & ~np.any([c.hold for c in rest], axis=0)).any():
            kept = rest
    return kept


class _Conditions:
    """Atoms, the first of them always true, with their truth at the cells."""

    def __init__(self, atoms: tuple[CandidateAtom, ...], holds: Truths) -> None:
        self.atoms, self.holds = atoms, holds
        kinds, self._kind = np.unique(np.packbits(holds, axis=0).T, axis=0, return_inverse=True)
        self._kinds = np.unpackbits(kinds.T, axis=0)[: len(holds)].astype(np.float32)  # cells that they tell apart

    def next_case(
        self, candidates: list[CandidateReply], wanted: Truths, todo: Truths, spoken: set[CandidateFold], stuck: Truths
    ) -> ReplyCase | None:
        """The reply and the condition of at most two atoms that cover most of what is left, for their price."""
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
                gain = np.where(self._passing(bad) > 0, 0, gains)
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
        """How many of the cells meet each two of the atoms."""
        rows, counts = self._distinct(cells)
        found: Array = (rows * counts) @ rows.T
        return found

    def _passing(self, cells: Truths) -> Array:
        rows, _ = self._distinct(cells)
        found: Array = rows @ rows.T
        return found

    def _distinct(self, cells: Truths) -> tuple[Array, Array]:
        """One cell of each kind, (atoms, kinds), and how many there are of it."""
        counts = np.bincount(self._kind.ravel()[cells], minlength=self._kinds.shape[1])
        return self._kinds[:, counts > 0], counts[counts > 0].astype(np.float32)


# -- the order of cases -----------------------------------------------------------------------------------------------
def put_in_order(cases: list[ReplyCase], replies: Replies, formula: LossFormula) -> None:
    """Say of each case which earlier ones must not hold, and give it the term of the formula that it meets."""
    cells = replies.cells
    lost = cells.lost(replies.side)
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
    """Where a case meets one term alone of a formula for what is won, say that, and not the whole formula."""
    met = [x for x in formula.terms if (cells.column(conjunction(*x)).astype(bool) & case.hold).any()]
    if len(met) != 1:
        return
    term = met[0]
    inside = cells.column(conjunction(*term)).astype(bool)
    kept = [x for x in case.atoms if said(x) not in {said(y) for y in term}]

    def truth(atoms: list[t.Term]) -> Truths:
        return np.asarray(inside & np.all([cells.column(x).astype(bool) for x in atoms] or [inside], axis=0))

    whole = truth(case.atoms)
    for x in list(kept):
        rest = [y for y in kept if y is not x]
        if (truth(rest) == whole).all():
            kept = rest
    case.atoms, case.plain = [*term, *kept], True
    case.folds = tuple(dict.fromkeys((*case.folds, *formula.folds)))


def failing(cases: list[ReplyCase], replies: Replies) -> Array:
    """The numbers of the cells without a case, or at which the first that holds has a reply that fails."""
    cells = replies.cells
    left, bad = replies.wanted.copy(), np.zeros(len(cells), dtype=bool)
    for case in cases:
        held = [cells.column(x).astype(bool) for x in case.atoms]
        hold = np.all(held, axis=0) if held else np.ones(len(cells), dtype=bool)
        at = ((left if case.ordered else replies.wanted) | replies.stuck) & hold
        bad |= at & ~replies.good_at(case.reply)
        left &= ~hold
    return np.flatnonzero(bad | left)
