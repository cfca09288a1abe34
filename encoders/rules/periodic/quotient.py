"""The rule "quotient": who wins any number of heaps that may split, by a finite commutative monoid.

The rule of quotients: who wins heaps that may be split, any number of them, under misère or normal play.

    [proof]
    rule = "quotient"
    elements = "abcdefg"                    # all that follows may be left out where the quotient is that of misère Nim
    equal = ["a2 = 1", "b3 = b", ...]
    lost = ["a", "b2", "ac", ...]
    preperiod = 71                          # found and shown where they are left out
    period = 12
    heaps = ["a", "b", "ab", ...]           # the elements of the heaps 1 to preperiod + period - 1; found as well

Each heap has an element of a finite commutative monoid, and a position is lost just if the product of those of its
heaps is one of the elements that are lost.  Its obligations: that; where the claim has a value; and the claim in each
class of remainders of its integers.  Why it is sound: docs/proof-rules.md.
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
# Whether a monoid is right for a game is looked at elsewhere; here it is only written out.
MOST_ELEMENTS = 200
MOST_RULES = 2_000  # that completion may make
_WORD = re.compile(r"(?:[a-z][0-9]{0,2})+")
_PART = re.compile(r"([a-z])([0-9]*)")
Vector = tuple[int, ...]
"""How often each generator occurs."""


class BadMonoid(NimChecksError, ValueError):
    """What is no word, or no relation; or a monoid that is too large."""


@dataclass(frozen=True)
class Monoid:
    """`words`: its elements, the unit first; `products`: by their numbers."""

    words: tuple[str, ...]
    products: tuple[tuple[int, ...], ...]
    generators: str
    rules: tuple[tuple[Vector, Vector], ...]
    numbers: dict[Vector, int]

    def number(self, word: str) -> int:
        """The element that a word is. Raises BadMonoid."""
        return self.numbers[_reduce_vector(_vector(word, self.generators), self.rules)]


def make_monoid(generators: str, relations: Sequence[str]) -> Monoid:
    """The commutative monoid of these generators, one letter each. Raises BadMonoid."""
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
            raise BadMonoid(f"it has more than {MOST_ELEMENTS} elements")
    products = tuple(tuple(numbers[_reduce_vector(_add(x, y), rules)] for y in todo) for x in todo)
    return Monoid(tuple(_word(v, generators) for v in todo), products, generators, rules, numbers)


def _complete(asked: list[tuple[Vector, Vector]]) -> tuple[tuple[Vector, Vector], ...]:
    """Rules by which equal words come to one form (Knuth and Bendix). Raises BadMonoid."""
    rules: list[tuple[Vector, Vector]] = []
    while asked:
        a, b = (_reduce_vector(x, rules) for x in asked.pop())
        if a == b:
            continue
        if _order(a) < _order(b):
            a, b = b, a
        for c, d in rules:  # what both apply to comes to one form
            both = tuple(map(max, a, c))
            asked.append((_add(_less(both, a), b), _add(_less(both, c), d)))
        rules.append((a, b))
        if len(rules) > MOST_RULES:
            raise BadMonoid("its relations are not brought to rules")
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
        raise BadMonoid(f"{text!r} is no relation: expected two words, such as a2 = 1")
    one, other = (_vector(word.strip(), generators) for word in words)
    return one, other


def _vector(word: str, generators: str) -> Vector:
    if word == "1":
        return (0,) * len(generators)
    if not _WORD.fullmatch(word):
        raise BadMonoid(f"{word!r} is no word: expected 1, or letters and how often, such as ab2")
    counts = dict.fromkeys(generators, 0)
    for letter, times in _PART.findall(word):
        if letter not in counts:
            raise BadMonoid(f"{word!r}: {letter} is none of the elements {' '.join(generators)}")
        counts[letter] += int(times or 1)
    return tuple(counts.values())


def _word(v: Vector, generators: str) -> str:
    parts: Iterator[str] = (f"{g}{n if n > 1 else ''}" for g, n in zip(generators, v, strict=True) if n)
    return "".join(parts) or "1"


# == finding ==========================================================================================================
# The quotient of a claim's game: the monoid that the file states, or that of misère Nim, and the elements of heaps.
#
# Whether they are right is an obligation of its own; nothing rests on how they were found.
MOST_HEAPS = 400  # among which the elements are looked for
TAME = 4  # generators of the quotients of misère Nim that are tried
_START = 32


@dataclass(frozen=True, eq=False)
class QuotientProof(Proof):
    """The quotient, as far as the file says it. `heaps`: the elements of heaps 1, 2, ..., as words."""

    rule: ClassVar[str] = "quotient"
    elements: str
    equal: tuple[str, ...]
    lost: tuple[str, ...]
    heaps: tuple[str, ...]
    preperiod: int | None
    period: int | None


@lru_cache(maxsize=8)
def find_quotient(claim: Claim) -> tuple[QuotientTable, Monoid]:
    """The table for a claim with its definitions written out. Raises Unsupported."""
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
        raise Unsupported(f"the monoid: {error}") from None
    which = "of the monoid" if said.elements else "of the quotients of misère Nim"
    raise Unsupported(f"no element {which} fits the heap of {stuck}", instead="state `elements`, `equal` and `lost`")


def _read_game(claim: Claim) -> QuotientTable:
    """The table without monoid and elements. Raises Unsupported for games that it cannot be about."""
    from encoders.compute.arrays.beyond_scope import HeapsAlone, NoSingleHeaps

    game = require_one_game(claim)
    try:
        heaps = HeapsAlone(game)
        read = heaps.read_moves()
    except NoSingleHeaps as error:
        raise Unsupported(str(error)) from None
    if heaps.players != 2 or len(read) > 1:
        raise Unsupported("a quotient is of a game of two players with the same moves")
    if any(move.choose != "any" for move in heaps.ruleset.moves):
        raise Unsupported("a move may not be of any heap, so that heaps are no sum")
    (moves,) = read
    if any(moves.tail):
        raise Unsupported("any large number may be taken: the rule needs a last one")
    if moves.two != moves.equal:
        words = "equal heaps may be left by some number where different ones may not, or the other way round"
        raise Unsupported(f"{words}: no quotient is known for such games")
    end, one = (tuple(n for n, may in enumerate(row) if may) for row in (moves.end, moves.one))
    takes = Takes(end, one, tuple(moves.two), tuple(moves.equal))
    last = max((*takes.end, *takes.one, *takes.two), default=0)
    return QuotientTable(heaps.ruleset.stuck_wins, takes, last, (), (), 1, 1, (0,))


def _tame(n: int) -> Monoid:
    """The quotient of misère Nim with heaps of 1, 2, 4, ..., of so many kinds: 2 elements, or 2^n + 2."""
    letters = "abcdefgh"[:n]
    cubes = [f"{x}3 = {x}" for x in letters[1:]]
    return make_monoid(letters, ["a2 = 1", *cubes, *(f"{x}2 = b2" for x in letters[2:])])


# -- the elements of heaps --------------------------------------------------------------------------------------------
def _take(table: QuotientTable, said: QuotientProof, row: Sequence[int]) -> QuotientTable:
    """With the elements that the file says."""
    n0, p = said.preperiod, said.period
    if n0 is None or p is None or len(row) != n0 + p:
        instead = "state both, and in `heaps` the elements of the heaps 1 to preperiod + period - 1"
        words = f"`heaps` has {len(row) - 1} elements, and preperiod and period say another number or none"
        raise Unsupported(words, instead=instead)
    return replace(table, preperiod=n0, period=p, row=tuple(row))


def _search(table: QuotientTable, said: QuotientProof) -> QuotientTable | int:
    """With elements that fit; or the heap that none fits."""
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
            words = f"no period is seen among the elements of the heaps up to {MOST_HEAPS}"
            raise Unsupported(words, instead="state `preperiod`, `period` and `heaps`, or other elements")
        size = min(2 * size, MOST_HEAPS)


def _periods(row: Sequence[int]) -> Iterator[tuple[int, int]]:
    """By which preperiod and period the elements repeat, as far as is seen: the least period first."""
    size = len(row)
    for p in range(1, size // 3):
        before = next((h for h in range(size - p - 1, -1, -1) if row[h] != row[h + p]), -1)
        if size - p - 1 - before >= max(2 * p, size // 3):
            yield max(before + 1, 1), p


class _Fitting:
    """The kinds of positions of the heaps so far, and which element fits the next heap."""

    def __init__(self, table: QuotientTable) -> None:
        self.table, self.kinds = table, {(0, 0): None}
        self.heaps = dict[int, int]()  # the element of a heap by those of its options
        self.lost = sum(1 << x for x in table.lost)
        self.times = cache(lambda x, elements: multiply(table.products[x], elements))

    def add(self, row: tuple[int, ...]) -> int | None:
        """The first element that fits the heap after those of the row; None where none does."""
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
        """Whether one and two such heaps beside a position are lost where they are said to be."""
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
    "Some position is lost and its element is not, or the other way round; or the products are no commutative monoid",
    "Leave out `heaps`, `preperiod` and `period`: they are found and shown",
    "right for any number of heaps",
)


def _is_of_heaps(shape: ClaimShape) -> bool:
    """Who wins heaps that are written down, of one game whose parameters, if it has any, are numbers of the file."""
    fixed = all(not any(find_free_names(x)) for game in shape.games for _, x in game.arguments)
    single = all(len(m.heaps) == 1 and m.choose != "each" for game in shape.games for m in game.ruleset.moves)
    places = shape.places(WHO_WINS)
    misere = len(shape.games) == 1 and shape.games[0].ruleset.stuck_wins
    return bool(places) and places <= {QueryTarget.HEAP, QueryTarget.HEAPS} and fixed and single and misere


FIT = RuleSuggestion(
    "who wins heaps written down, which may be split, under misère play, in a game of fixed numbers",
    _is_of_heaps,
    "nothing more if the quotient is that of misère Nim; else its elements, which are equal, and which are lost",
)


RULE = TrustedRule("quotients")


class QuotientReader(ClassReader):
    """Reads the claim in one class, with the elements of its heaps by the table."""

    words = "residues of heaps"
    table: QuotientTable

    def loses(self, s: t.Term, env: Env, mover: int) -> t.Term:
        made = 0
        for heap in self.heaps(s, env):
            element = polynomial(self.value_of(heap, 0)).constant
            if element is None:  # of a heap below 0 nothing is known
                return t.Operation(BOOL, 0, 0, "eq", (self.value_of(heap, 0), ZERO))
            made = self.table.products[made][element]
        return holds(made in self.table.lost)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        if isinstance(term, t.GameCall):
            words = f"{print_term(term, self.player_names)}: a quotient says who wins, and no values"
            raise Unsupported(words, instead="ask who wins, as in wins(position([n]))")
        return super().about_number(term, env)


class QuotientRule:
    """See docs/proof-rules.md, "quotient"."""

    name = "quotient"
    suggested_for = (FIT,)
    kinds = (QUOTIENT, DEFINED, CLASS)

    def read(self, section: ProofSection) -> QuotientProof:
        table = section.table
        table.reject_unknown_keys("rule", "elements", "equal", "lost", "heaps", "preperiod", "period")
        elements = "".join(table.optional_text("elements").split())
        if elements and (not elements.isascii() or not elements.islower() or len(set(elements)) < len(elements)):
            raise section.source.fault(("proof", "elements"), "these are no generators", 'letters, such as "abc"')
        texts = {key: table.texts(key) if key in table.data else () for key in ("equal", "lost", "heaps")}
        if bool(elements) != bool(texts["lost"]):
            raise section.source.fault(("proof",), "elements or lost alone", "`elements`, `equal` and `lost`, or none")
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
            f"Each heap has an element of a commutative monoid of order {len(table.products)}. A position is lost just "
            f"if the product of those of its heaps is among {lost}. Adding heap after heap, positions are of finitely "
            "many kinds, by their element and those of their options, and it is so in each."
        )
        return Outline(summary, tables)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """All integers."""
        return ProofCoverage(bounds_of(claim, All()), frozenset({RULE}))


def _lines(table: QuotientTable, monoid: Monoid) -> Iterator[OutlineRow]:
    """The elements before they repeat, and then once."""
    shown: tuple[tuple[str, str], ...] = (QUOTIENT.make_label().shown,)
    words = [monoid.words[x] for x in table.row]
    first, again = words[: table.preperiod], words[table.preperiod :]
    yield OutlineRow((say(f"0 to {table.preperiod - 1}"), say(_list(first))), shown)
    yield OutlineRow((say(f"from {table.preperiod} on, every {table.period}"), say(_list(again))), ())


def _list(words: Iterable[str]) -> str:
    """Elements as they are printed: b²c for bc2."""
    return ", ".join(x if x == "1" else x.translate(_POWERS) for x in words)


QUOTIENTS = QuotientRule()
