"""The proof rule "quotient": a finite commutative monoid determines who wins, usually under misère play.

Each heap has an element of the monoid. A position is a P-position if and only if the product of the elements of its
heaps is one of the lost elements.

    [proof]
    rule = "quotient"
    elements = "abcdefg"                    # the generators of the monoid; b3 means b * b * b, and 1 is the unit
    equal = ["a2 = 1", "b3 = b", ...]       # the relations of the monoid
    lost = ["a", "b2", "ac", ...]           # the lost elements
    preperiod = 71                          # optional; the rule finds preperiod and period
    period = 12
    heaps = ["a", "b", "ab", ...]           # optional: the elements of the heaps 1 to preperiod + period - 1

Without `elements`, `equal` and `lost`, the rule tries the quotients of misère Nim. The obligations are that the monoid
and the elements are correct, that the claim is defined, and that the claim holds in each residue class of its integers.
docs/rules/quotient.md describes why the rule is sound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import ClassVar

from claims.language.errors import NimChecksError
from claims.language.files.claim import Claim, Proof
from claims.language.files.proofs import ProofSection
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term
from claims.language.syntax.terms import BOOL
from encoders.logic.integers import bounds_of
from encoders.logic.reader import Env
from encoders.logic.sequents import ZERO, Sequent, build_table_sequent, holds, polynomial
from encoders.periods.tables import QuotientTable, Takes, list_options, multiply
from encoders.refusals import Unsupported
from encoders.rules.base.rule import Outline, OutlineRow, OutlineTable, ProofCoverage, ProofServices, say
from encoders.rules.base.shape import DEFINED, WHO_WINS, ClaimShape, QueryTarget, RuleSuggestion, require_one_game
from encoders.rules.periodic.rule import CLASS, ClassReader, expand_claim, pose_classes, read_number, tell_classes
from encoders.trust import All, ObligationKind, TrustedRule

# == monoid ===========================================================================================================
# Finite commutative monoids by generators and relations, as a file states them: `a2 = 1`, `bc2 = b`.
#
# This section only computes the elements and products. It does not check that a monoid is right for a game.
MOST_ELEMENTS = 200
MOST_RULES = 2_000  # the most rules that the completion may create
_WORD = re.compile(r"(?:[a-z][0-9]{0,2})+")
_PART = re.compile(r"([a-z])([0-9]*)")
Vector = tuple[int, ...]
"""The exponents of the generators in a word."""


class BadMonoid(NimChecksError, ValueError):
    """An error: a word or relation in the [proof] is invalid, or the monoid is too large."""


@dataclass(frozen=True)
class Monoid:
    """A finite commutative monoid, given by generators and relations.

    The elements have the numbers 0, 1, ...; the unit has the number 0.

    `words`: the elements as words, such as "ab2" for a * b * b, by number.
    `products`: entry [x][y] is the number of the product of the elements x and y.
    `generators`: one letter for each generator.
    `rules`: rewriting rules (old, new), as pairs of exponent vectors. The vector of ab2 is (1, 2).
    `numbers`: the number of each element, by its reduced exponent vector (the one to which no rule applies).
    """

    words: tuple[str, ...]
    products: tuple[tuple[int, ...], ...]
    generators: str
    rules: tuple[tuple[Vector, Vector], ...]
    numbers: dict[Vector, int]

    def number(self, word: str) -> int:
        """Return the number of the element that a word such as "ab2" denotes. Raises BadMonoid for invalid words."""
        return self.numbers[_reduce_vector(_vector(word, self.generators), self.rules)]


def make_monoid(generators: str, relations: Sequence[str]) -> Monoid:
    """Return the commutative monoid with these generators, one letter each, and relations such as "b3 = b".

    Raises BadMonoid if a relation is invalid, or if the monoid has more than MOST_ELEMENTS elements.
    """
    rules = _complete([_relation(x, generators) for x in relations])
    unit = (0,) * len(generators)
    numbers, todo = {unit: 0}, [unit]
    for v in todo:
        for i in range(len(generators)):
            new = _reduce_vector(tuple(n + (j == i) for j, n in enumerate(v)), rules)
            if new not in numbers:
                numbers[new] = len(numbers)
                todo.append(new)
        if len(todo) > MOST_ELEMENTS:
            raise BadMonoid(f"the monoid has more than {MOST_ELEMENTS} elements")
    products = tuple(tuple(numbers[_reduce_vector(_add(x, y), rules)] for y in todo) for x in todo)
    return Monoid(tuple(_word(v, generators) for v in todo), products, generators, rules, numbers)


def _complete(asked: list[tuple[Vector, Vector]]) -> tuple[tuple[Vector, Vector], ...]:
    """Return rewriting rules (old, new) for the relations `asked`, by the completion of Knuth and Bendix.

    Two words denote the same element if and only if the rules reduce both to the same exponent vector. Raises BadMonoid
    if there are too many rules.
    """
    rules: list[tuple[Vector, Vector]] = []
    while asked:
        a, b = (_reduce_vector(x, rules) for x in asked.pop())
        if a == b:
            continue
        if _order(a) < _order(b):
            a, b = b, a
        for c, d in rules:  # a critical pair: both rules apply, and the results must be equal
            both = tuple(map(max, a, c))
            asked.append((_add(_less(both, a), b), _add(_less(both, c), d)))
        rules.append((a, b))
        if len(rules) > MOST_RULES:
            raise BadMonoid(f"the completion of the relations of the monoid needs more than {MOST_RULES} rules")
    return tuple(rules)


def _reduce_vector(v: Vector, rules: Sequence[tuple[Vector, Vector]]) -> Vector:
    again = True
    while again:
        again = False
        for old, new in rules:
            if all(a >= b for a, b in zip(v, old, strict=True)):
                v, again = _add(_less(v, old), new), True
    return v


def _order(v: Vector) -> tuple[int, Vector]:
    return sum(v), v[::-1]


def _add(a: Vector, b: Vector) -> Vector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _less(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


# -- words ------------------------------------------------------------------------------------------------------------
def _relation(text: str, generators: str) -> tuple[Vector, Vector]:
    words = text.split("=")
    if len(words) != 2:
        raise BadMonoid(f"{text!r} is not a relation of the monoid; expected two words, such as a2 = 1")
    one, other = (_vector(word.strip(), generators) for word in words)
    return one, other


def _vector(word: str, generators: str) -> Vector:
    if word == "1":
        return (0,) * len(generators)
    if not _WORD.fullmatch(word):
        raise BadMonoid(f"{word!r} is not a word of the monoid; expected 1, or letters with exponents, such as ab2")
    counts = dict.fromkeys(generators, 0)
    for letter, times in _PART.findall(word):
        if letter not in counts:
            raise BadMonoid(f"{letter} in {word!r} is not one of the elements {' '.join(generators)}")
        counts[letter] += int(times or 1)
    return tuple(counts.values())


def _word(v: Vector, generators: str) -> str:
    parts: Iterator[str] = (f"{g}{n if n > 1 else ''}" for g, n in zip(generators, v, strict=True) if n)
    return "".join(parts) or "1"


# == finding ==========================================================================================================
# The quotient of a claim's game: the monoid of the file, or a quotient of misère Nim, and the elements of heaps.
#
# A separate obligation proves that the elements are correct. The search is not trusted.
MOST_HEAPS = 400  # the most heaps in a search for the elements
TAME = 4  # the most generators of the quotients of misère Nim that are tried
_START = 32


@dataclass(frozen=True, eq=False)
class QuotientProof(Proof):
    """A [proof] section of the rule "quotient". The parts that the file does not state are "", () or None.

    `elements`, `equal`, `lost`: the generators of the monoid, its relations, and the lost elements.
    `heaps`: the elements of the heaps 1, 2, ...
    """

    rule: ClassVar[str] = "quotient"
    elements: str
    equal: tuple[str, ...]
    lost: tuple[str, ...]
    heaps: tuple[str, ...]
    preperiod: int | None
    period: int | None


@lru_cache(maxsize=8)
def find_quotient(claim: Claim) -> tuple[QuotientTable, Monoid]:
    """Return (table, monoid) for the game of a claim. The table gives the element of each heap, and so who wins.

    The definitions in the claim must be expanded. The result is not yet proved to be correct.
    Raises Unsupported if no table is found, the monoid is invalid, or the game is unsupported.
    """
    said = claim.proof
    assert isinstance(said, QuotientProof)
    start = _read_game(claim)
    try:
        if said.elements:
            monoids = [(make_monoid(said.elements, said.equal), said.lost)]
        else:
            monoids = [(_tame(n), ("a", "b2") if n > 1 else ("a",)) for n in range(1, TAME + 1)]
        stuck = 0
        for monoid, lost in monoids:
            table = replace(start, products=monoid.products, lost=tuple(sorted(map(monoid.number, lost))))
            row = [0, *map(monoid.number, said.heaps)]
            found = _take(table, said, row) if said.heaps else _search(table, said)
            if isinstance(found, QuotientTable):
                return found, monoid
            stuck = max(stuck, found)
    except BadMonoid as error:
        raise Unsupported(str(error)) from None
    which = "of the monoid" if said.elements else "of the quotients of misère Nim"
    raise Unsupported(
        f"no element {which} fits the heap of size {stuck}", instead="state `elements`, `equal` and `lost`"
    )


def _read_game(claim: Claim) -> QuotientTable:
    """Return a table that contains only the moves of the claim's game, without a monoid and without elements.

    Raises Unsupported for unsupported games.
    """
    from encoders.compute.arrays.beyond_scope import HeapsAlone, NoSingleHeaps

    game = require_one_game(claim)
    try:
        heaps = HeapsAlone(game)
        read = heaps.read_moves()
    except NoSingleHeaps as error:
        raise Unsupported(str(error)) from None
    if heaps.players != 2 or len(read) > 1:
        raise Unsupported("a quotient needs a game of two players with the same moves")
    if any(move.choose != "any" for move in heaps.ruleset.moves):
        raise Unsupported("some move must be on a largest or smallest heap, so a position is not the sum of its heaps")
    (moves,) = read
    if any(moves.tail):
        raise Unsupported("every large number may be taken, but the rule needs a largest number")
    if moves.two != moves.equal:
        words = "some number may be taken only if it leaves two equal heaps, or only if it leaves two different heaps"
        raise Unsupported(f"{words}: no quotient is known for such games")
    end, one = (tuple(n for n, may in enumerate(row) if may) for row in (moves.end, moves.one))
    takes = Takes(end, one, tuple(moves.two), tuple(moves.equal))
    last = max((*takes.end, *takes.one, *takes.two), default=0)
    return QuotientTable(heaps.ruleset.stuck_wins, takes, last, (), (), 1, 1, (0,))


def _tame(n: int) -> Monoid:
    """Return the misère quotient of Nim with heaps smaller than 2^n, generated by the heaps 1, 2, 4, ..., 2^(n - 1).

    It has 2 elements for n = 1, and 2^n + 2 elements for n >= 2.
    """
    letters = "abcdefgh"[:n]
    cubes = [f"{x}3 = {x}" for x in letters[1:]]
    return make_monoid(letters, ["a2 = 1", *cubes, *(f"{x}2 = b2" for x in letters[2:])])


# -- the elements of heaps --------------------------------------------------------------------------------------------
def _take(table: QuotientTable, said: QuotientProof, row: Sequence[int]) -> QuotientTable:
    """Return the table with the elements `row` of the heaps 0, 1, ..., which the [proof] states.

    Raises Unsupported if their number does not agree with preperiod and period, or if these are not stated.
    """
    n0, p = said.preperiod, said.period
    if n0 is None or p is None or len(row) != n0 + p:
        instead = "state both, and in `heaps` the elements of the heaps 1 to preperiod + period - 1"
        words = f"`heaps` has {len(row) - 1} elements, but preperiod and period require another number, or are missing"
        raise Unsupported(words, instead=instead)
    return replace(table, preperiod=n0, period=p, row=tuple(row))


def _search(table: QuotientTable, said: QuotientProof) -> QuotientTable | int:
    """Search for the elements of the heaps, and for preperiod and period unless `said` contains them.

    Return the table with the result. If no element is suitable for some heap, return the size of this heap instead.
    Raises Unsupported if no period is found.
    """
    fitting, row = _Fitting(table), [0]
    known = said.preperiod is not None and said.period is not None
    size = (said.preperiod or 0) + (said.period or 0) if known else _START
    while True:
        while len(row) < size:
            element = fitting.add(tuple(row))
            if element is None:
                return len(row)
            row.append(element)
        if said.preperiod is not None and said.period is not None:
            return replace(table, preperiod=said.preperiod, period=said.period, row=tuple(row))
        for n0, p in _periods(row):
            if said.preperiod in (None, n0) and said.period in (None, p):
                return replace(table, preperiod=n0, period=p, row=tuple(row[: n0 + p]))
        if size >= MOST_HEAPS:
            words = f"no period found in the elements of the heaps up to {MOST_HEAPS}"
            raise Unsupported(words, instead="state `preperiod`, `period` and `heaps`, or other elements")
        size = min(2 * size, MOST_HEAPS)


def _periods(row: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield (preperiod, period) for each period that the elements `row` of the heaps 0, 1, ... suggest, in order.

    The elements must repeat for at least 2 * period heaps, and for at least a third of all heaps.
    Each preperiod is the least possible one for its period.
    """
    size = len(row)
    for p in range(1, size // 3):
        before = next((h for h in range(size - p - 1, -1, -1) if row[h] != row[h + p]), -1)
        if size - p - 1 - before >= max(2 * p, size // 3):
            yield max(before + 1, 1), p


class _Fitting:
    """A search for the elements of heaps, one heap after another.

    `kinds`: the kinds of all positions with the heaps so far. The kind of a position is its element, together with the
    set of the elements of its options, as a bit set. The dict serves as an ordered set.
    """

    def __init__(self, table: QuotientTable) -> None:
        self.table, self.kinds = table, {(0, 0): None}
        self.heaps = dict[int, int]()  # the element of a heap, by the elements of its options
        self.lost = sum(1 << x for x in table.lost)
        self.times = cache(lambda x, elements: multiply(table.products[x], elements))

    def add(self, row: tuple[int, ...]) -> int | None:
        """Return the first suitable element for the next heap; None if no element is suitable.

        `row`: the elements of the smaller heaps 0, 1, ...
        """
        h = len(row)
        options = list_options(replace(self.table, preperiod=h - 1, period=1, row=row), h)
        if options not in self.heaps:
            every = range(len(self.table.products))
            found = next((x for x in every if all(self._fits(kind, x, options) for kind in self.kinds)), None)
            if found is None:
                return None
            self._note(found, options)
            self.heaps[options] = found
        return self.heaps[options]

    def _multiply_kind(self, kind: tuple[int, int], x: int, options: int) -> tuple[int, int]:
        y, others = kind
        return self.table.products[y][x], self.times(x, others) | self.times(y, options)

    def _fits(self, kind: tuple[int, int], x: int, options: int) -> bool:
        """Whether the element x is suitable for a new heap that is added to positions of this kind.

        The heap is added to such a position once, and twice. Each of the two new positions must be a P-position if and
        only if its element is one of the lost elements.
        `options`: the set of the elements of the options of the heap, as a bit set.
        """
        for _ in range(2):
            kind = self._multiply_kind(kind, x, options)
            loses = not kind[1] & self.lost and (kind[1] != 0 or not self.table.misere)
            if (self.lost >> kind[0] & 1 == 1) != loses:
                return False
        return True

    def _note(self, x: int, options: int) -> None:
        for kind in tuple(self.kinds):
            new = self._multiply_kind(kind, x, options)
            while new not in self.kinds:
                self.kinds[new] = None
                new = self._multiply_kind(new, x, options)


# == rule =============================================================================================================
_POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
QUOTIENT = ObligationKind(
    "quotient",
    "Some P-position has an element that is not in `lost`, or conversely; or the products do not form a commutative "
    "monoid",
    "Remove `heaps`, `preperiod` and `period`; the rule then finds them. If this does not help, correct the monoid",
    "right for any number of heaps",
)


def _is_of_heaps(shape: ClaimShape) -> bool:
    """Whether the claim has the form for which the rule is suggested.

    It asks who wins, in one game under misère play, and only about positions that list their heaps. The parameters of
    the game are constant, and each move is on a single heap.
    """
    fixed = all(not any(find_free_names(x)) for game in shape.games for _, x in game.arguments)
    single = all(len(m.heaps) == 1 and m.choose != "each" for game in shape.games for m in game.ruleset.moves)
    places = shape.places(WHO_WINS)
    misere = len(shape.games) == 1 and shape.games[0].ruleset.stuck_wins
    return bool(places) and places <= {QueryTarget.HEAP, QueryTarget.HEAPS} and fixed and single and misere


FIT = RuleSuggestion(
    "who wins explicit heaps, which may be split, in misère play, in a game with fixed parameters",
    _is_of_heaps,
    "nothing more if a quotient of misère Nim suffices; otherwise the monoid: `elements`, `equal` and `lost`",
)


RULE = TrustedRule("quotients")


class QuotientReader(ClassReader):
    """A translator of the claim in one residue class of its integers. The table gives the elements of the heaps."""

    words = "residues of heaps"
    table: QuotientTable

    def loses(self, s: t.Term, env: Env, mover: int) -> t.Term:
        made = 0
        for heap in self.heaps(s, env):
            element = polynomial(self.value_of(heap, 0)).constant
            if element is None:  # an unknown element of a negative heap
                return t.Operation(BOOL, 0, 0, "eq", (self.value_of(heap, 0), ZERO))
            made = self.table.products[made][element]
        return holds(made in self.table.lost)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        if isinstance(term, t.GameCall):
            words = f"{print_term(term, self.player_names)}: a quotient determines who wins, but not values"
            raise Unsupported(words, instead="write a claim about the winner, as in wins(position([n]))")
        return super().about_number(term, env)


class QuotientRule:
    """The implementation of the rule "quotient", which docs/rules/quotient.md describes."""

    name = "quotient"
    suggested_for = (FIT,)
    kinds = (QUOTIENT, DEFINED, CLASS)

    def read(self, section: ProofSection) -> QuotientProof:
        table = section.table
        table.reject_unknown_keys("rule", "elements", "equal", "lost", "heaps", "preperiod", "period")
        elements = "".join(table.optional_text("elements").split())
        if elements and (not elements.isascii() or not elements.islower() or len(set(elements)) < len(elements)):
            raise section.source.fault(
                ("proof", "elements"),
                "'elements' does not contain different lower-case letters",
                'letters, such as "abc"',
            )
        texts = {key: table.texts(key) if key in table.data else () for key in ("equal", "lost", "heaps")}
        if bool(elements) != bool(texts["lost"]):
            raise section.source.fault(
                ("proof",),
                "only one of 'elements' and 'lost' is given",
                "`elements`, `equal` and `lost` together, or not at all",
            )
        n0, p = (read_number(section, key) for key in ("preperiod", "period"))
        return QuotientProof(elements, texts["equal"], texts["lost"], texts["heaps"], n0, p)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        table, _ = find_quotient(expand_claim(claim))
        yield build_table_sequent(QUOTIENT.make_label().name, table, QUOTIENT)
        yield from pose_classes(claim, table, QuotientReader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        table, monoid = find_quotient(expand_claim(claim))
        tables = (
            OutlineTable("elements", "The elements of heaps", ("Heaps", "Elements"), tuple(_lines(table, monoid))),
            tell_classes(claim, table, QuotientReader),
        )
        lost = _list(monoid.words[x] for x in table.lost)
        summary = (
            f"Each heap has an element of a commutative monoid with {len(table.products)} elements. A position is a "
            f"P-position if and only if the product of the elements of its heaps is one of {lost}. Positions fall into "
            "finitely many classes, by their own element and the elements of their options. The statement is checked "
            "in each class."
        )
        return Outline(summary, tables)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the coverage of the proof: all integers. It also names the trusted rule."""
        return ProofCoverage(bounds_of(claim, All()), frozenset({RULE}))


def _lines(table: QuotientTable, monoid: Monoid) -> Iterator[OutlineRow]:
    """Yield the two rows of the report: the elements of the heaps in the preperiod, and those in one period."""
    shown: tuple[tuple[str, str], ...] = (QUOTIENT.make_label().shown,)
    words = [monoid.words[x] for x in table.row]
    first, again = words[: table.preperiod], words[table.preperiod :]
    yield OutlineRow((say(f"0 to {table.preperiod - 1}"), say(_list(first))), shown)
    yield OutlineRow((say(f"from {table.preperiod} on, every {table.period}"), say(_list(again))), ())


def _list(words: Iterable[str]) -> str:
    """Return the elements as the report shows them, separated by commas: the words "b2c" and "1" give "b²c, 1"."""
    return ", ".join(x if x == "1" else x.translate(_POWERS) for x in words)


QUOTIENTS = QuotientRule()
