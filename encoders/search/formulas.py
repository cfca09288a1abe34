"""Candidate formulas for the losing positions, found by set cover.

A formula is a disjunction of conjunctions of atoms. An atom is a condition on folds (numbers that are computed heap by
heap, such as the sum of all heaps). A *cell* is a position together with values of the parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

import numpy as np

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.values import Array
from encoders.logic.sequents import NO, YES, add, compare, conjunction, disjunction, equal, integer, mul, opposite, sub
from encoders.search.question import HEAP, SearchProblem, variable
from encoders.search.tables import Cells, OutcomeTable, Truths, numbers_of


# == vocabulary =======================================================================================================
# The vocabulary of formulas: folds of a position, and atoms that compare folds with numbers from the rules.
#
# Each level has its own vocabulary; the first level contains only nim-sums. The search uses the first level that
# suffices, so its formula is simple.
class VocabularyLevel(Enum):
    """The kinds of folds (numbers computed heap by heap) that formulas may use. Levels are tried in this order.

    The value of a level describes its folds.
    """

    PLAIN = "nim-sums"
    FILTERED = "heaps compared with the numbers of the rules"
    SMALL = "heaps compared with 1 and 2 as well"
    NEAR = "heaps compared with the neighbours of these numbers"
    TOTAL = "the number of objects"
    REMAINDERS = "remainders"
    EXTREMES = "the least and the largest heap"
    COLUMNS = "columns of binary digits"


class Sort(Enum):
    """The kind of a fold (a number computed heap by heap). The value is the usual first letter of the fold's name."""

    NIM_SUM = "X"
    COUNT = "n"
    EXTREME = "M"
    COLUMN = "C"
    TOTAL = "T"


_WORDS = {">=": "from", ">": "above", "<": "below", "<=": "upto", "==": "at"}
OPS = {">=": "ge", ">": "gt", "<": "lt", "<=": "le", "==": "eq"}
_COMPLEMENTS = ({">=", "<"}, {">", "<="}, {">", "<"})


@dataclass(frozen=True, eq=False)
class CandidateFold:
    """A fold: a number that is computed heap by heap.

    `name`: the name of the fold in a proof.
    `text`: the definition of the fold in a claim file.
    `body`: the contribution of a heap h, as text, such as "h % 3".
    `op`, `bound`: only heaps with `body op bound` count, such as h % 3 >= 1; "" if all heaps count.
    `grid`: element [i, j] is the fold of position j of a table for the i-th choice of the parameters.
    `price`: a number that is smaller for simpler folds.
    """

    name: str
    text: str
    sort: Sort
    body: str
    op: str
    bound: str
    grid: Array
    price: float

    @property
    def variable(self) -> t.Variable:
        return variable(self.name)

    @property
    def rest(self) -> t.Variable:
        """The variable for the same number, computed from all heaps except the heap that a move changes."""
        return variable(f"rest_{self.name}")

    @property
    def filter(self) -> str:
        """The condition under which a heap h counts, as text; "" if all heaps count."""
        return f"{self.body} {self.op} {self.bound}" if self.op else ""


@dataclass(frozen=True, eq=False)
class CandidateAtom:
    """A condition on parameters and folds (numbers computed heap by heap).

    The `price` is smaller for simpler conditions.
    """

    term: t.Term
    price: float
    folds: tuple[CandidateFold, ...]


@dataclass(frozen=True, eq=False)
class Atoms:
    """Conditions with their truth values at some cells (positions with parameters).

    `holds`: element [i, j] is whether the i-th condition is true at cell j.
    """

    list: tuple[CandidateAtom, ...]
    holds: Truths

    def __len__(self) -> int:
        return len(self.list)


def wrap(words: str) -> str:
    """Return the text in parentheses, unless it is a single word or number."""
    return words if words.isalnum() or words.isidentifier() else f"({words})"


def worthwhile(question: SearchProblem, level: VocabularyLevel) -> bool:
    """Whether formulas with the folds of this level may express more than formulas of the earlier levels.

    A fold is a number computed heap by heap. For example, remainders of heaps help only if the rules restrict the
    number that a move takes.
    """
    moves = question.ruleset.moves
    if level is VocabularyLevel.NEAR:
        return bool(question.free)
    if level in (VocabularyLevel.TOTAL, VocabularyLevel.REMAINDERS):
        return any(m.where is not None or any(_is_bounded(m.heaps, p.domain) for p in m.picks) for m in moves)
    if level is VocabularyLevel.COLUMNS:
        return any(m.choose == "each" or len(m.heaps) > 1 for m in moves)
    return True


def _is_bounded(heaps: Sequence[str], domain: object) -> bool:
    """Whether the upper bound of a pick is something else than a chosen heap: true for 1..3, false for 1..h."""
    high = getattr(domain, "hi", domain)
    return not (isinstance(high, t.Variable) and high.name in heaps)


class FoldVocabulary:
    """The folds (numbers computed heap by heap) of one level, with their values at the positions of a table.

    If several folds of the same kind have equal values, only the simplest of them is included.
    """

    def __init__(self, table: OutcomeTable, level: VocabularyLevel) -> None:
        self.table, self.level, self.question = table, level, table.question
        self.reader = self.question.elaborator()
        self.of_heap = self.question.elaborator(HEAP)
        self.thresholds = self._list_thresholds()
        self.divisors: dict[str, str] = {}  # remainder -> its divisor
        self.folds: list[CandidateFold] = []
        self.by: dict[str, CandidateFold] = {}
        self._seen: dict[tuple[Sort, bytes], CandidateFold] = {}
        self._taken = {*self.question.names, *self.question.ruleset.players, *self.question.reserved, "s", "h", "mover"}
        self._taken |= {p.name for m in self.question.ruleset.moves for p in m.picks}
        for sort, words, body, op, bound, price in self._list():
            self._add(sort, words, body, op, bound, price)

    def _list_thresholds(self) -> dict[str, t.Term]:
        """Return the numbers with which heap sizes are compared, simplest first, as a dictionary from text to term."""
        question, near = self.question, self.level is VocabularyLevel.NEAR
        found = [
            *question.names,
            *map(str, numbers_of(question)),
            *(bound for body, _, bound in question.spoken if body == HEAP),
        ]
        narrow = self.level in (VocabularyLevel.FILTERED, VocabularyLevel.NEAR)
        if not narrow or not found or question.ruleset.stuck_wins:
            found += ["1", "2"]
        if near:
            found += [f"{name} {sign} 1" for name in question.names for sign in "+-"]
        return {words: self.reader.term(words, INT) for words in dict.fromkeys(found)}

    def _list_divisors(self) -> list[str]:
        names, numbers = self.question.names, numbers_of(self.question)
        pairs = [str(a + b) for a, b in combinations(sorted({1, *numbers}), 2)]
        found = [*(f"{n} + 1" for n in names), *names, *(str(n + 1) for n in numbers), *map(str, numbers), *pairs]
        return list(dict.fromkeys([*found, *(f"{a} + {b}" for a, b in combinations(names, 2)), "2"]))

    def _list(self) -> Iterator[tuple[Sort, str, str, str, str, float]]:
        """Yield the folds (numbers computed heap by heap) of the level, before duplicates are removed.

        Each is a tuple (sort, text, body, op, bound, price), as in `CandidateFold`.
        """
        yield Sort.COUNT, "len(s)", HEAP, "", "", 1.2
        yield from self._list_family(HEAP, list(self.thresholds), 1.0)
        if self.level is VocabularyLevel.TOTAL:
            yield Sort.TOTAL, "sum(s)", HEAP, "", "", 1.0
        if self.level is VocabularyLevel.REMAINDERS:
            for divisor in self._list_divisors():
                body = f"{HEAP} % {wrap(divisor)}"
                self.divisors[body] = divisor
                yield from self._list_family(body, ["1", "2"], 1.5)
        if self.level is VocabularyLevel.EXTREMES:
            for words, price in (("max(s)", 1.0), ("min(s)", 1.0)):
                yield Sort.EXTREME, words, HEAP, "", "", price
                yield Sort.COUNT, f"s.count({words})", HEAP, "", "", price
        if self.level is VocabularyLevel.COLUMNS:
            for modulus in (3, 4):
                for left in range(1, modulus):
                    yield Sort.COLUMN, f"columns(s, {modulus}, {left})", HEAP, "", "", 1.0

    def _list_family(
        self, body: str, bounds: list[str], price: float
    ) -> Iterator[tuple[Sort, str, str, str, str, float]]:
        inside = "s" if body == HEAP else f"{body} for h in s"
        yield Sort.NIM_SUM, f"nim_sum({inside})", body, "", "", price
        if self.level in (VocabularyLevel.PLAIN, VocabularyLevel.COLUMNS, VocabularyLevel.TOTAL):
            return
        own = [(op, bound) for of, op, bound in self.question.spoken if of == body and bound in bounds]
        for op, bound in dict.fromkeys((*own, *((op, bound) for bound in bounds for op in OPS))):
            yield Sort.COUNT, f"count({body} {op} {bound} for h in s)", body, op, bound, price + 0.5
            yield Sort.NIM_SUM, f"nim_sum({body} for h in s if {body} {op} {bound})", body, op, bound, price + 0.7

    def _add(self, sort: Sort, words: str, body: str, op: str, bound: str, price: float) -> None:
        self.table.clock.check()
        guarded = f"({words} if len(s) > 0 else 0)" if "max(s)" in words or "min(s)" in words else words
        grid = np.ascontiguousarray(self.table.evaluate(self.reader.term(guarded, INT)).astype(np.int64))
        key = sort, grid.tobytes()
        if key in self._seen and not (sort is Sort.COUNT and (body, op, bound) in self.question.spoken):
            return
        fold = CandidateFold(self._name(sort, words, body, op, bound), words, sort, body, op, bound, grid, price)
        self._seen.setdefault(key, fold)
        self.by[fold.name] = fold
        self.folds.append(fold)

    def _name(self, sort: Sort, words: str, body: str, op: str, bound: str) -> str:
        base = sort.value
        if words == "len(s)":
            base = "heaps"
        elif sort is Sort.EXTREME:
            base = "M" if words.startswith("max") else "least"
        elif words.startswith("s.count"):
            base = "largest" if "max" in words else "smallest"
        elif body != HEAP:
            base = {"X": "R", "n": "r"}[base]
        if op:
            told = re.sub(r"\W+", "_", bound.replace("+", "plus").replace("-", "minus")).strip("_")
            base = f"{base}_{_WORDS[op]}_{told}"
        name, number = base, 2
        while name in self._taken or f"rest_{name}" in self._taken:
            name, number = f"{base}{number}", number + 1
        self._taken.add(name)
        return name

    @property
    def spoken(self) -> list[CandidateFold]:
        """The folds that count heaps with a property that the claim mentions, such as the number of heaps above 1."""
        return [f for f in self.folds if f.sort is Sort.COUNT and (f.body, f.op, f.bound) in self.question.spoken]

    # -- atoms --------------------------------------------------------------------------------------------------------
    def know(self, cells: Cells) -> Cells:
        """Add the values of all folds to the cells, and return the cells. A cell is a position with parameters.

        A fold is a number computed heap by heap. Afterwards, terms over the names of folds can be evaluated at the
        cells.
        """
        for fold in self.folds:
            cells.add(fold.name, fold.grid)
        return cells

    def make_atoms(self, cells: Cells) -> Atoms:
        """Return the conditions (atoms) that are true at some of the cells and false at others.

        A cell is a position with parameters. If several conditions have equal truth values, only the cheapest is
        included.
        """
        best: dict[bytes, tuple[CandidateAtom, Truths]] = {}
        for atom in (*self._compare_folds(), *self._compare_parts(), *self._compare_parameters()):
            self.table.clock.check()
            column = cells.column(atom.term).astype(bool)
            if not column.any() or column.all():
                continue
            key = np.packbits(column).tobytes()
            if key not in best or atom.price < best[key][0].price:
                best[key] = atom, column
        found = list(best.values())
        holds = np.array([c for _, c in found], dtype=bool).reshape(len(found), len(cells))
        return Atoms(tuple(a for a, _ in found), holds)

    def _compare_folds(self) -> Iterator[CandidateAtom]:
        for f in self.folds:
            x, price = f.variable, f.price
            if f.sort is Sort.COUNT:
                for n in (0, 1, 2):
                    for op, more in (("eq", 0.0), ("gt", 0.0), ("le", 0.15)):
                        yield CandidateAtom(compare(op, x, integer(n)), price + 0.1 * n + more, (f,))
            else:
                yield CandidateAtom(compare("eq", x, integer(0)), price, (f,))
                yield CandidateAtom(compare("ne", x, integer(0)), price, (f,))
                for bound in self.thresholds.values():
                    for op in ("lt", "ge", "eq", "ne", "le", "gt"):
                        yield CandidateAtom(compare(op, x, bound), price + 0.5, (f,))
            if f.sort in (Sort.COUNT, Sort.EXTREME, Sort.TOTAL):
                parity = t.Operation(INT, 0, 0, "mod", (x, integer(2)))
                yield CandidateAtom(equal(parity, integer(1)), price + 0.3, (f,))
                yield CandidateAtom(equal(parity, integer(0)), price + 0.3, (f,))

    def _compare_parts(self) -> Iterator[CandidateAtom]:
        """Yield atoms that compare a parameter with the difference of two nim-sums.

        One nim-sum is over the heaps that satisfy a comparison with a number, the other over the remaining heaps.
        """
        sums = [f for f in self.folds if f.sort is Sort.NIM_SUM and f.op and f.body == HEAP]
        names = [x for x in self.thresholds.values() if isinstance(x, t.Variable)]
        for a in sums:
            for b in sums:
                if a is not b and a.bound == b.bound and {a.op, b.op} in _COMPLEMENTS:
                    for name in names:
                        for op in ("eq", "ne", "le", "gt"):
                            term = compare(op, sub(a.variable, b.variable), name)
                            yield CandidateAtom(term, a.price + b.price + 1, (a, b))

    def _compare_parameters(self) -> Iterator[CandidateAtom]:
        names = [variable(x) for x in self.question.names]
        for a in names:
            for n in (1, 2):
                yield CandidateAtom(equal(a, integer(n)), 1.5, ())
                yield CandidateAtom(compare("gt", a, integer(n)), 1.5, ())
            for b in names:
                if a is not b:
                    for other in (add(b, integer(1)), mul(integer(2), b), b):
                        yield CandidateAtom(equal(a, other), 2, ())
                    yield CandidateAtom(compare("lt", a, b), 2, ())
                    yield CandidateAtom(compare("gt", a, b), 2, ())

    def reads(self, condition: str) -> t.Term:
        """Return a condition on a heap h as a term."""
        return self.of_heap.term(condition, BOOL)


def write_term(term: t.Term) -> str:
    """Return a term as text for a claim file."""
    return print_term(term)


# == formulas =========================================================================================================
# Formulas for the losing positions, by set cover: a few conjunctions of a few atoms. One of them holds at every wanted
# cell, and none at the other cells.
#
# One matrix product over the distinct cells determines which pairs of atoms exclude all unwanted cells. A formula for
# some cells is tested on the whole table. The cells at which it is wrong are added, and the search is repeated.
MOST_TERMS = 8
ROUNDS = 8  # rounds in which wrong cells are added
MISSED = 150  # wrong cells added in each round
PRICE = 0.004  # factor of the price of an atom, as a fraction of the cells to be covered
FOLD_PRICE = 2.0  # price of a fold that is not used yet
WORST = -1e9
TRIED = 150  # pairs of atoms that almost suffice, each combined with every third atom

Indices = tuple[int, ...]


def cover(
    wanted: Truths, unwanted: Truths, atoms: Atoms, spoken: set[CandidateFold], clock: Deadline, most: int = MOST_TERMS
) -> list[Indices] | None:
    """Return conjunctions of at most three atoms that cover the wanted cells; None if the greedy search fails.

    A cell is a position with parameters, and an atom is a condition. At every wanted cell at least one conjunction
    holds; at an unwanted cell, none does. A conjunction is given by the indices of its atoms.
    `spoken`: folds (numbers computed heap by heap) that are already used, so atoms over these folds are cheaper.
    `most`: the limit for the number of conjunctions.
    """
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
    """Divide the cells (positions with parameters) that are true in the array `cells` into kinds.

    Return (1) the index of one cell of each kind, and (2) the number of cells of each kind. Two cells are of the same
    kind if every condition (atom) has the same truth value at both.
    """
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
    """Return the best conjunction of three atoms with its score; None if no such conjunction is useful.

    A cell is a position with parameters, and an atom is a condition. TRIED pairs of atoms that hold at many wanted and
    few unwanted cells are combined with every third atom.
    `gain`, `passing`: for each pair of atoms, how many wanted cells without a conjunction, and how many unwanted cells,
    satisfy both.
    `yes`, `no`: the truth values of the atoms at one cell of each kind, for wanted and unwanted cells.
    `left`: the number of wanted cells of each kind that still need a conjunction; 0 if they have one.
    `cost`: the price of each atom.
    """
    weight = gain.max() / max(1.0, float(np.median(passing)) + 1)
    lacks = -(gain - passing * weight).ravel()
    last = min(TRIED, lacks.size) - 1
    few = np.flatnonzero(lacks <= np.partition(lacks, last)[last])
    near = few[np.argsort(lacks[few], kind="stable")][:TRIED]  # the order of a complete stable sort
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
    """Return the conjunctions without the superfluous ones.

    A conjunction is superfluous if one of the remaining conjunctions holds at every wanted cell. A cell is a position
    with parameters.
    """
    kept = list(terms)
    for term in terms:
        rest = [x for x in kept if x != term]
        if rest and np.any([holds[list(x)].all(axis=0) for x in rest], axis=0)[wanted].all():
            kept = rest
    return kept


def _shorten(term: Indices, holds: Truths, unwanted: Truths) -> Indices:
    """Return the conjunction without superfluous atoms. The result is still false at all unwanted cells.

    A cell is a position with parameters.
    """
    kept = list(term)
    for i in term:
        rest = [x for x in kept if x != i]
        if rest and not (holds[rest].all(axis=0) & unwanted).any():
            kept = rest
    return tuple(kept)


@dataclass(frozen=True, eq=False)
class LossFormula:
    """A formula for the positions at which one side loses when it is to move.

    `terms`: conjunctions of conditions. The formula is their disjunction.
    `wins`: if true, the terms describe the positions at which the side wins instead.
    `folds`: the folds (numbers computed heap by heap) in the terms.
    """

    terms: tuple[tuple[t.Term, ...], ...]
    wins: bool
    folds: tuple[CandidateFold, ...]

    @property
    def as_term(self) -> t.Term:
        """The disjunction of the conjunctions."""
        return disjunction(*(conjunction(*term) for term in self.terms))

    @property
    def loses(self) -> t.Term:
        return _deny(self.as_term) if self.wins else self.as_term

    @property
    def wins_where(self) -> t.Term:
        """The condition under which the side wins."""
        return self.as_term if self.wins else _deny(self.as_term)

    @property
    def constant(self) -> bool:
        """Whether the formula is the constant True or False."""
        return not self.folds and self.as_term in (YES, NO)

    @property
    def size(self) -> int:
        return sum(map(len, self.terms))


def _deny(condition: t.Term) -> t.Term:
    """Return the negation of a condition.

    A conjunction of comparisons becomes the disjunction of the opposite comparisons, and a disjunction a conjunction.
    """
    match condition:
        case t.AllOf(args=args) if all(isinstance(x, t.Operation) for x in args):
            return disjunction(*map(opposite, args))
        case t.AnyOf(args=args) if all(isinstance(x, t.Operation) for x in args):
            return conjunction(*map(opposite, args))
    return opposite(condition)


@dataclass(frozen=True, eq=False)
class FormulaFit:
    """The formulas of one vocabulary for each side, with a measure of their errors.

    `cells`: the cells (positions with parameters) from which the formulas were found.
    `misses`: the number of cells of the whole table at which the formulas are wrong.
    `missed`: a description of one such cell; "" if there is none.
    """

    formulas: dict[int, LossFormula]
    vocabulary: FoldVocabulary
    cells: Cells
    misses: int
    missed: str


Tell = Callable[[str], None]


def find_formulas(
    table: OutcomeTable, cells: Cells, levels: list[VocabularyLevel], tell: Tell, nearest: list[FormulaFit]
) -> FormulaFit | None:
    """Return the formulas that are correct at every cell of the table, from the first of the levels that has any.

    Return None if no level has such formulas. A cell is a position with parameters. A level determines which numbers a
    formula may use.
    `cells`: the cells from which the search begins.
    `tell`: receives one line about each level.
    `nearest`: a list with at most one element, the formulas with the fewest errors so far. The search replaces it.
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
                conditions = "1 condition" if count == 1 else f"{count} conditions"
                tell(f"{level.value}: a formula of {conditions}, correct in all {len(everything)} cases")
                return found
            rows = np.unique(np.concatenate([x[:: max(1, len(x) // MISSED)][:MISSED] for x in wrong.values()]))
            some = vocabulary.know(some.join(everything.take(rows)))
        else:
            tell(f"{level.value}: the best formula is wrong in {missed} of {len(everything)} cases, such as {where}")
    return None


def _misses(table: OutcomeTable, everything: Cells, side: int, formula: LossFormula) -> Array:
    said = everything.column(formula.as_term).astype(bool) ^ formula.wins
    return np.flatnonzero(np.broadcast_to(said, (len(everything),)) != everything.find_lost(side))


def _cover_sides(table: OutcomeTable, vocabulary: FoldVocabulary, cells: Cells) -> dict[int, LossFormula] | None:
    atoms = vocabulary.make_atoms(cells)
    spoken: set[CandidateFold] = set()
    found: dict[int, LossFormula] = {}
    for side in table.question.sides:
        lost = cells.find_lost(side)
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
