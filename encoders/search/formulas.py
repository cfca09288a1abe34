"""Formulas for who loses, by set cover: few conjunctions of few atoms that hold at all wanted cells and at no other.

Which pairs of atoms let no unwanted cell through is one matrix product on the distinct cells.  What is found on some
cells is confronted with all of the table, and the cells that it misses come in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from claims.language.terms import terms as t
from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.arrays.values import Array
from encoders.logic.terms import NO, YES, conjunction, disjunction, opposite
from encoders.search.tables import Cells, OutcomeTable, Truths
from encoders.search.vocabulary import Atoms, CandidateFold, FoldVocabulary, VocabularyLevel, worthwhile

MOST_TERMS = 8
ROUNDS = 8  # of cells that a formula misses
MISSED = 150  # of them that come in at once
PRICE = 0.004  # of an atom, as a share of the cells to be covered
FOLD_PRICE = 2.0  # of a fold that nothing has spoken of yet
WORST = -1e9
TRIED = 150  # pairs that nearly do, each with every third atom

Indices = tuple[int, ...]


def cover(
    wanted: Truths, unwanted: Truths, atoms: Atoms, spoken: set[CandidateFold], clock: Deadline, most: int = MOST_TERMS
) -> list[Indices] | None:
    """Conjunctions of one to three atoms that hold at no unwanted cell, and together at all wanted ones; or None."""
    holds = atoms.holds
    places, weights = _distinct(holds, wanted)
    others = _distinct(holds, unwanted)[0]
    yes, no = holds[:, places].astype(np.float32), holds[:, others].astype(np.float32)
    passing = no @ no.T
    left = weights.astype(np.float32)
    total, used, terms = left.sum(), set(spoken), list[Indices]()
    while left.any():
        clock.check()
        if len(terms) == most:
            return None
        prices = _price(atoms, used)
        cost = PRICE * total * prices
        gain = (yes * left) @ yes.T
        score = gain - (cost[:, None] + cost[None, :]) * (1 - 0.5 * np.eye(len(atoms), dtype=np.float32))
        score[(gain == 0) | (passing > 0)] = WORST
        a, b = divmod(int(np.argmax(score)), len(atoms))
        best, covered, term = float(score[a, b]), float(gain[a, b]), tuple(sorted({a, b}))
        if len(terms) < 3 and (best == WORST or covered < 0.34 * left.sum()):
            third = _add_third(gain, passing, yes, no, left, cost)
            if third is not None and third[0] > best:
                best, term = third
        if best == WORST:
            return None
        terms.append(term)
        left = left * ~holds[list(term)][:, places].all(axis=0)
        used |= {f for i in term for f in atoms.list[i].folds}
    return [_shorten(term, holds, unwanted) for term in _drop(terms, holds, wanted)]


def _distinct(holds: Truths, cells: Truths) -> tuple[Array, Array]:
    """One cell of each kind that the atoms tell apart, and how many of these there are."""
    at = np.flatnonzero(cells)
    if not len(at):
        return at, at
    packed = np.packbits(holds[:, at], axis=0).T
    _, first, counts = np.unique(packed, axis=0, return_index=True, return_counts=True)
    return at[first], counts


def _price(atoms: Atoms, used: set[CandidateFold]) -> Array:
    return np.array([a.price + FOLD_PRICE * sum(f not in used for f in a.folds) for a in atoms.list], dtype=np.float32)


def _add_third(
    gain: Array, passing: Array, yes: Array, no: Array, left: Array, cost: Array
) -> tuple[float, Indices] | None:
    """The best three atoms, of the pairs that let fewest through and each further atom, with their score."""
    weight = gain.max() / max(1.0, float(np.median(passing)) + 1)
    lacks = -(gain - passing * weight).ravel()
    last = min(TRIED, lacks.size) - 1
    few = np.flatnonzero(lacks <= np.partition(lacks, last)[last])
    near = few[np.argsort(lacks[few], kind="stable")][:TRIED]  # as of all, most of which need no order
    found: tuple[float, Indices] | None = None
    for place in near:
        a, b = divmod(int(place), len(gain))
        if a > b:
            continue
        inside, through = yes[a] * yes[b] * left, no[a] * no[b]
        score = yes @ inside
        useless = (no @ through > 0) | (score == 0)
        score = score - (cost + cost[a] + cost[b])
        score[useless] = WORST
        c = int(np.argmax(score))
        if score[c] > WORST and (found is None or score[c] > found[0]):
            found = float(score[c]), tuple(sorted({a, b, c}))
    return found


def _drop(terms: list[Indices], holds: Truths, wanted: Truths) -> list[Indices]:
    """The conjunctions without those that the others make superfluous."""
    kept = list(terms)
    for term in terms:
        rest = [x for x in kept if x != term]
        if rest and np.any([holds[list(x)].all(axis=0) for x in rest], axis=0)[wanted].all():
            kept = rest
    return kept


def _shorten(term: Indices, holds: Truths, unwanted: Truths) -> Indices:
    """The conjunction without atoms that it does without."""
    kept = list(term)
    for i in term:
        rest = [x for x in kept if x != i]
        if rest and not (holds[rest].all(axis=0) & unwanted).any():
            kept = rest
    return tuple(kept)


@dataclass(frozen=True, eq=False)
class LossFormula:
    """Where one side, to move, loses. `terms`: conjunctions of atoms, of which one holds.

    `wins`: they say where it wins instead.
    """

    terms: tuple[tuple[t.Term, ...], ...]
    wins: bool
    folds: tuple[CandidateFold, ...]

    @property
    def stated(self) -> t.Term:
        """What the conjunctions say together."""
        return disjunction(*(conjunction(*term) for term in self.terms))

    @property
    def loses(self) -> t.Term:
        return _deny(self.stated) if self.wins else self.stated

    @property
    def wins_where(self) -> t.Term:
        """Where it wins."""
        return self.stated if self.wins else _deny(self.stated)

    @property
    def constant(self) -> bool:
        """Whether it says the same of all positions."""
        return not self.folds and self.stated in (YES, NO)

    @property
    def size(self) -> int:
        return sum(map(len, self.terms))


def _deny(condition: t.Term) -> t.Term:
    """Its negation; of comparisons that hold together, that one of them fails, and the other way round."""
    match condition:
        case t.AllOf(args=args) if all(isinstance(x, t.Operation) for x in args):
            return disjunction(*map(opposite, args))
        case t.AnyOf(args=args) if all(isinstance(x, t.Operation) for x in args):
            return conjunction(*map(opposite, args))
    return opposite(condition)


@dataclass(frozen=True, eq=False)
class FormulaFit:
    """Formulas by side, of one level, and the cells that they were made from. `misses`: of all cells of the table."""

    formulas: dict[int, LossFormula]
    vocabulary: FoldVocabulary
    cells: Cells
    misses: int
    missed: str


Tell = Callable[[str], None]


def find_formulas(
    table: OutcomeTable, cells: Cells, levels: list[VocabularyLevel], tell: Tell, nearest: list[FormulaFit]
) -> FormulaFit | None:
    """The formulas of the first level whose formulas miss no cell of the table; None if no level has any.

    `nearest`: the one with fewest misses so far is kept there.
    """
    for level in levels:
        if not worthwhile(table.question, level):
            continue
        vocabulary = FoldVocabulary(table, level)
        everything, some = vocabulary.know(table.cells), vocabulary.know(cells)
        for _ in range(ROUNDS):
            formulas = _cover_sides(table, vocabulary, some)
            if formulas is None:
                tell(f"{level.value}: no formula of at most {MOST_TERMS} terms")
                break
            wrong = {side: _misses(table, everything, side, f) for side, f in formulas.items()}
            missed = sum(map(len, wrong.values()))
            first = next((int(x[0]) for x in wrong.values() if len(x)), -1)
            where = "" if first < 0 else table.describe(int(everything.q[first]), int(everything.n[first]))
            found = FormulaFit(formulas, vocabulary, some, missed, where)
            if not nearest or missed < nearest[0].misses:
                nearest[:] = [found]
            if not missed:
                count = sum(f.size for f in formulas.values())
                tell(f"{level.value}: a formula of {count} conditions, right at all {len(everything)} cases")
                return found
            rows = np.unique(np.concatenate([x[:: max(1, len(x) // MISSED)][:MISSED] for x in wrong.values()]))
            some = vocabulary.know(some.join(everything.take(rows)))
        else:
            tell(f"{level.value}: the best formula misses {missed} of {len(everything)} cases, such as {where}")
    return None


def _misses(table: OutcomeTable, everything: Cells, side: int, formula: LossFormula) -> Array:
    said = everything.column(formula.stated).astype(bool) ^ formula.wins
    return np.flatnonzero(np.broadcast_to(said, (len(everything),)) != everything.lost(side))


def _cover_sides(table: OutcomeTable, vocabulary: FoldVocabulary, cells: Cells) -> dict[int, LossFormula] | None:
    atoms = vocabulary.make_atoms(cells)
    spoken: set[CandidateFold] = set()
    found: dict[int, LossFormula] = {}
    for side in table.question.sides:
        lost = cells.lost(side)
        if lost.all() or not lost.any():
            found[side] = LossFormula(((YES,) if lost.all() else (NO,),), False, ())
            continue
        choices = []
        for wins, wanted in ((False, lost), (True, ~lost)):
            terms = cover(wanted, ~wanted, atoms, spoken, table.clock)
            if terms is not None:
                choices.append((_weigh(terms, atoms), wins, terms))
        if not choices:
            return None
        _, wins, terms = min(choices, key=lambda x: x[:2])
        folds = tuple(dict.fromkeys(f for term in terms for i in term for f in atoms.list[i].folds))
        spoken |= set(folds)
        found[side] = LossFormula(tuple(tuple(atoms.list[i].term for i in x) for x in terms), wins, folds)
    return found


def _weigh(terms: list[Indices], atoms: Atoms) -> float:
    folds = {f for term in terms for i in term for f in atoms.list[i].folds}
    return sum(atoms.list[i].price for term in terms for i in term) + FOLD_PRICE * len(folds) + len(terms)
