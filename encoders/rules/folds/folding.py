"""The folds of a claim and its proof, and symbolic positions described by folds.

A fold is a number that is computed from a position heap by heap, such as the nim-sum.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from claims.language.files.claim import Claim, Game
from claims.language.syntax import terms as t
from claims.language.syntax.printing import display, find_free_names, print_term, rebuild, structural_key, walk
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.logic.moves import HEAP
from encoders.logic.reader import Env, SequentReader, name_players
from encoders.logic.sequents import (
    YES,
    ZERO,
    at_most,
    compare,
    conjunction,
    disjunction,
    equal,
    evaluate_power,
    integer,
    membership,
    opposite,
)
from encoders.refusals import Unsupported
from encoders.rules.base.shape import LARGEST, LEAST, is_extreme
from encoders.rules.folds.numbers import NO_SIZES, Sizes
from encoders.rules.folds.positions import (
    COUNT,
    MOST,
    NIM_SUM,
    REST,
    SUM,
    AnyFold,
    ColumnFold,
    Cuts,
    Extreme,
    Extremes,
    Fold,
    HeapReplacement,
    Key,
    OptionalHeap,
    Position,
    Times,
    make_columns,
    make_position,
    positions_equal,
)
from encoders.rules.folds.section import BESIDE, PICKED_HEAP, FoldsProof, HeapChoice
from encoders.trust import Reason

# == folding ==========================================================================================================
# The folds in a claim and its proof, each created once.
#
# The key of a fold consists of its terms, with a mark for the heap variable.  Comparisons are normalized to one
# direction and `not` is pushed into them, so `all(h < k for h in s)` and `any(h >= k for h in s)` use the same count.
#
# A part of a comprehension may depend on a position or another heap but be the same for all heaps of the comprehension.
# Such a part is evaluated once: in `any(bit(h, top_bit(nim_sum(s))) == 1 for h in s)` the nim-sum is one number.  Equal
# values get the same name, one that no file can contain.
ANY_HEAP = t.Variable(INT, 0, 0, HEAP)


class Folding:
    """A factory that turns terms over a position into folds. It raises Unsupported for terms that are not folds.

    `made`: the folds created so far, by their keys.
    """

    def __init__(self, theory: Sizes) -> None:
        self.theory = theory
        self.fixed = Fixed(theory)
        self.made: dict[Key, AnyFold] = {}
        self.plain: dict[Key, Fold] = {}  # the nim-sums, sums and counts among `made`
        self.extremes = Extremes()
        self.columns: dict[Key, ColumnFold] = {}

    def count(self, condition: t.Term, heap: str) -> Fold:
        """Return the fold that counts the heaps that satisfy a condition on the variable `heap`."""
        return self.fold(COUNT, condition, (), heap, self.theory.root)

    @property
    def knows_extremes(self) -> bool:
        """Whether a term translated so far contains the smallest or the largest heap, or its multiplicity."""
        return any(fold.key in self.made for fold in self.extremes.all)

    def extreme(self, which: str) -> Extreme:
        """Return the fold for the smallest heap (`which` = LEAST) or for the largest heap (LARGEST)."""
        found = self.extremes.select(which)
        self.made.setdefault(found.key, found)
        return found

    def times(self, which: str) -> Times:
        """Return the fold for the multiplicity of the smallest heap (`which` = LEAST) or largest heap (LARGEST)."""
        self.extreme(which)
        found = self.extremes.times(which)
        self.made.setdefault(found.key, found)
        return found

    def fold_of_term(self, term: t.Term, env: Env) -> AnyFold:
        """Return the fold that a term such as `sum(s)` denotes. Raises Unsupported for other terms.

        `env`: the values of the names in the term. The smallest and the largest heap are 0 for the empty position.
        """
        if (found := is_extreme(term)) is not None:
            return self.times(found.which) if found.times else self.extreme(found.which)
        match term:
            case t.Comprehension(reducer="nim_sum" | "sum" | "count" as reducer, body=body, clauses=(clause,)):
                if clause.source.type == POSITION:
                    return self.fold(reducer, body, clause.conditions, clause.variable, env)
            case t.Operation(op="nim_sum" | "sum" as op, args=(source,)) if source.type == POSITION:
                return self.fold(op, ANY_HEAP, (), HEAP, env)
            case t.Operation(op="len", args=(source,)) if source.type == POSITION:
                return self.count(YES, HEAP)
            case t.Operation(op="occurrences", args=(source, item)) if source.type == POSITION:
                return self.fold(COUNT, equal(ANY_HEAP, item), (), HEAP, env)
            case t.Operation(op="columns", args=(source, t.Literal(value=m), t.Literal(value=r))):
                if source.type == POSITION and 1 <= r < m <= MOST:
                    return self.column(m, r)
        kinds = f"nim_sum, sum, count, len, min, max or occurrences of s, or columns(s, m, r) with 0 < r < m <= {MOST}"
        raise Unsupported(f"{print_term(term)} is not a supported fold", instead=f"use {kinds}")

    def fold_of_position(self, term: t.Term) -> AnyFold:
        """Return the fold of the claim's position that a term of the proof denotes. Raises Unsupported.

        The term may be about an image of the position, as `sum(position([h - 1 for h in s]))` is. The result is then
        the fold of s with the same value.
        """
        if (extreme := is_extreme(term)) is not None and not isinstance(extreme.source, t.Variable):
            raise _refuse_image(f"{extreme.which}({print_term(extreme.source)})")
        found = self.fold_of_term(term, self.theory.root)
        if not isinstance(found, Fold):
            if any(match_mapping(x) is not None for x in walk(term)):
                raise _refuse_image(print_term(term))
            return found
        source = term.clauses[0].source if isinstance(term, t.Comprehension) else t.subterms(term)[0]
        while (inner := match_mapping(source)) is not None:
            found = self.pull_back(self.read_mapping(inner, self.theory.root), found)
            source = inner.clauses[0].source
        return found

    def column(self, modulus: int, remainder: int) -> ColumnFold:
        """Return the fold columns(s, modulus, remainder), which has a 1 at some of the binary places.

        These are the places at which the number of heaps with a 1 has this remainder modulo `modulus`. The folds for
        all other remainders are created too.
        """
        if ("columns", modulus, remainder) not in self.columns:
            for column in make_columns(modulus):
                self.columns[column.key] = self.made[column.key] = column
        return self.columns["columns", modulus, remainder]

    def fold(self, reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str, env: Env) -> Fold:
        """Return the fold `reducer(body for heap in s if conditions)`. Raises Unsupported.

        The terms may mention the heap, the claim's integers, and values that are the same for all heaps. This method
        translates the terms for an arbitrary heap, so that unsupported terms are refused at once. Otherwise nothing
        would refuse them in a position whose heaps are unknown.
        """
        theory = self.theory
        words = _words(reducer, body, conditions, heap)
        *conditions_, body = self.fixed.take_out((*conditions, body), heap, env, theory.root)
        conditions = tuple(conditions_)
        key = key_of(reducer, body, conditions, heap)
        if key in self.plain:
            return self.plain[key]
        self._refuse_others((*conditions, body), heap)
        tests = [*conditions, body] if reducer == COUNT else list(conditions)
        contributes = partial(self._conjoin_tests, tests, heap)
        of = partial(self._natural if reducer == NIM_SUM else self._number, body, heap)
        probe = theory.size("probe", low=1)
        contributes(probe)
        if reducer == NIM_SUM and not theory.is_size(of(probe)):
            refused = f"the terms {print_term(body)} of a nim-sum may be outside {theory.sizes}"
            raise Unsupported(refused, instead=NO_SIZES)
        if reducer == SUM and theory.bits is not None:
            refused = f"{words[0]}s{words[1]} has no bound"
            raise Unsupported(refused, instead=NO_SIZES)
        natural = reducer != SUM or theory.intervals.number(of(probe)).natural
        plain = reducer == NIM_SUM and not conditions and isinstance(body, t.Variable) and body.name == heap
        fixed = any(name in self.fixed.values for x in (*conditions, body) for name in find_free_names(x))
        label = f"fold {len(self.made) + 1}"
        self.made[key] = self.plain[key] = Fold(key, label, reducer, contributes, of, plain, fixed, natural, words)
        return self.plain[key]

    def _refuse_others(self, terms: tuple[t.Term, ...], heap: str) -> None:
        for x in terms:
            for name in find_free_names(x, frozenset((heap,))):
                if name not in self.theory.root and name not in self.fixed.values:
                    part = f"the part about {display(name)}"
                    remedy = f"define {part} as a separate fold, or as an integer of the claim that `if` sets equal to "
                    remedy += "this part"
                    raise Unsupported(f"{print_term(x)} is not a fold: it mentions {display(name)}", instead=remedy)

    def _env(self, heap: str, value: t.Term) -> Env:
        return {**self.theory.root, **self.fixed.values, heap: value}

    def _conjoin_tests(self, tests: list[t.Term], heap: str, value: t.Term) -> t.Term:
        return conjunction(*(self.theory.truth(x, self._env(heap, value)) for x in tests))

    def _number(self, body: t.Term, heap: str, value: t.Term) -> t.Term:
        return self.theory.number(body, self._env(heap, value))

    def _natural(self, body: t.Term, heap: str, value: t.Term) -> t.Term:
        return self.theory.natural(self._number(body, heap, value))

    # -- images -------------------------------------------------------------------------------------------------------
    def read_mapping(self, image: t.Comprehension, env: Env) -> Mapping:
        """Return the map in `[f(h) for h in s if ...]`, which turns each heap into at most one heap.

        Raises Unsupported.
        """
        (clause,) = image.clauses
        heap = clause.variable
        *conditions, body = self.fixed.take_out((*clause.conditions, image.body), heap, env, self.theory.root)
        self._refuse_others((*conditions, body), heap)
        made = Mapping(
            key_of("list", body, tuple(conditions), heap),
            partial(self._conjoin_tests, list(conditions), heap),
            partial(self._natural, body, heap),
        )
        probe = self.theory.size("probe", low=1)
        made.kept(probe)
        if not self.theory.is_size(made.becomes(probe)):
            words = f"the heaps {print_term(body)} of the new position may be outside {self.theory.sizes}"
            raise Unsupported(words, instead=NO_SIZES)
        return made

    def pull_back(self, mapping: Mapping, fold: Fold) -> Fold:
        """Return the fold whose value at a position is the value of `fold` at the image of this position.

        `mapping`: the map that turns the position into its image.
        """
        key = ("image", mapping.key, fold.key)
        if key not in self.plain:

            def contributes(h: t.Term) -> t.Term:
                image = mapping.becomes(h)
                return conjunction(mapping.kept(h), compare("gt", image, ZERO), fold.contributes(image))

            def compute_image_value(h: t.Term) -> t.Term:
                return fold.of(mapping.becomes(h))

            label = f"{fold.label} of the image"
            words = None if fold.words is None else (f"{fold.words[0]}the image of ", fold.words[1])
            found = Fold(key, label, fold.reducer, contributes, compute_image_value, natural=fold.natural, words=words)
            self.made[key] = self.plain[key] = found
        return self.plain[key]


@dataclass(frozen=True, eq=False)
class Mapping:
    """A map from positions to positions that changes each heap separately.

    `key`: equal keys mean equal maps.
    `kept`: the condition under which a heap is kept.
    `becomes`: the new size of a kept heap; the heap disappears if this is 0.
    """

    key: Key
    kept: Callable[[t.Term], t.Term]
    becomes: Callable[[t.Term], t.Term]


def _refuse_image(what: str) -> Unsupported:
    return Unsupported(
        f"{what} is not supported; a proof may only use nim-sums, sums and counts of a position that is computed heap "
        "by heap"
    )


def _words(reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str) -> tuple[str, str]:
    """Return the text of the fold in the claim language, as two parts: before and after the name of the position."""
    if reducer != COUNT and not conditions and isinstance(body, t.Variable) and body.name == heap:
        return f"{reducer}(", ")"
    tests = f" if {print_term(conjunction(*conditions))}" if conditions else ""
    return f"{reducer}({print_term(body)} for {display(heap)} in ", f"{tests})"


def match_mapping(term: t.Term) -> t.Comprehension | None:
    """Return the list in `position([f(h) for h in s])`, the image of a position; None for other terms."""
    match term:
        case t.Operation(op="position", args=(t.Comprehension(reducer="list", clauses=(clause,)) as image,)):
            return image if clause.source.type == POSITION else None
    return None


_FLIPPED = {"gt": "lt", "ge": "le"}
_SYMMETRIC = ("eq", "ne")


def key_of(reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str) -> Hashable:
    """Return a key of the fold `reducer(body for heap in s if conditions)`.

    Folds that differ only in the name of the heap, or in the order or form of the conditions, have equal keys.
    """
    tests = [*conditions, body] if reducer == "count" else list(conditions)
    parts = {_identity(p, heap) for x in tests for p in _conditions(x) if not _is_true(p, heap)}
    value = None if reducer == "count" else structural_key(body, (heap,))
    return reducer, value, frozenset(parts)


def _conditions(term: t.Term) -> Iterator[t.Term]:
    """Yield the conjuncts of a condition, each normalized."""
    for part in t.conjuncts(term):
        match part:
            case t.Operation(op="in", args=(x, source)) if (said := membership(x, _sort_literals(source))) is not None:
                yield from _conditions(said)
            case t.Operation(op="not", args=(t.Operation(op="in", args=(x, source)),)) if (
                said := membership(x, _sort_literals(source))
            ) is not None:
                yield from _conditions(opposite(said))
            case t.Operation(op="not", args=(t.AnyOf(args=args),)):
                for x in args:
                    yield from _conditions(opposite(x))
            case t.Operation(op="not", args=(t.Operation(op=op) as x,)) if op not in ("not", "in"):
                yield normalise_comparison(_normalise_parity(opposite(x)))
            case _:
                yield normalise_comparison(_normalise_parity(part))


def _sort_literals(source: t.Term) -> t.Term:
    """Return an explicit list of literals sorted and without duplicates; other sources are not changed.

    This does not change membership.
    """
    if not isinstance(source, t.Collection) or not all(isinstance(x, t.Literal) for x in source.items):
        return source
    items = {x.value: x for x in source.items if isinstance(x, t.Literal)}
    return replace(source, items=tuple(items[value] for value in sorted(items)))


def _normalise_parity(term: t.Term) -> t.Term:
    """Return `x % 2 == 0` for `x % 2 != 1`, and `x % 2 == 1` for `x % 2 != 0`; other terms unchanged."""
    match term:
        case t.Operation(op="ne", args=(t.Operation(op="mod", args=(_, t.Literal(value=2))) as rest, t.Literal() as r)):
            return replace(term, op="eq", args=(rest, replace(r, value=1 - r.value))) if r.value in (0, 1) else term
    return term


def _is_true(term: t.Term, heap: str) -> bool:
    """Whether a normalized condition is the literal true, or follows from the fact that heaps are at least 1."""
    match term:
        case t.Literal(type=type_, value=value):
            return type_ == BOOL and bool(value)
        case t.Operation(op="le", args=(t.Literal(value=low), t.Variable(name=name))):
            return name == heap and low <= 1
        case t.Operation(op="ne", args=(t.Variable(name=name), t.Literal(value=low))):
            return name == heap and low <= 0
    return False


def _identity(term: t.Term, heap: str) -> Hashable:
    """Return a key of a normalized condition, independent of the name of the heap.

    Two conditions `==` or `!=` that differ only in the order of the two sides have equal keys.
    """
    if isinstance(term, t.Operation) and term.op in _SYMMETRIC:
        return term.op, frozenset(structural_key(x, (heap,)) for x in term.args)
    return structural_key(term, (heap,))


def normalise_comparison(term: t.Term) -> t.Term:
    """Return a comparison of integers without `>` and `>=`; a < n for a literal n becomes a <= n - 1.

    Similarly, n < a becomes n + 1 <= a. Other terms are returned unchanged.
    """
    if not isinstance(term, t.Operation) or not all(x.type == INT for x in term.args):
        return term
    if term.op in _FLIPPED:
        term = replace(term, op=_FLIPPED[term.op], args=term.args[::-1])
    if term.op == "lt":
        a, b = term.args
        if isinstance(a, t.Literal):
            return replace(term, op="le", args=(replace(a, value=a.value + 1), b))
        if isinstance(b, t.Literal):
            return replace(term, op="le", args=(a, replace(b, value=b.value - 1)))
    return term


class Fixed:
    """The parts of folds that are the same for all heaps, each with a name.

    An example is the nim-sum in `any(bit(h, top_bit(nim_sum(s))) == 1 for h in s)`.
    """

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self.values: dict[str, t.Term] = {}
        self._names: dict[Hashable, str] = {}

    def take_out(self, terms: Iterable[t.Term], heap: str, env: Env, known: Env) -> list[t.Term]:
        """Return the terms, with each maximal part that is the same for all heaps replaced by a new variable.

        The parts are numbers or conditions. Their values are stored in `values` by the names of the variables. A part
        is not replaced if `known` contains all its names. A power of literals is replaced by its value.
        `env`: the values of the names in the terms.
        Raises Unsupported.
        """
        return [self._change(x, env, known, frozenset((heap,))) for x in terms]

    def _change(self, term: t.Term, env: Env, known: Env, running: frozenset[str]) -> t.Term:
        if (value := evaluate_power(term)) is not None:
            return integer(value)
        names = set(find_free_names(term))
        if term.type in (INT, BOOL) and names <= env.keys() and not names & running and not names <= known.keys():
            return self._fix(term, env)
        if isinstance(term, t.Comprehension):
            running = running | {clause.variable for clause in term.clauses}
        return rebuild(term, lambda x: self._change(x, env, known, running))

    def _fix(self, term: t.Term, env: Env) -> t.Term:
        value = self.reader.number(term, env) if term.type == INT else self.reader.truth(term, env)
        key = term.type, structural_key(value)
        name = self._names.setdefault(key, f"fixed'{len(self._names) + 1}")
        self.values[name] = value
        return t.Variable(term.type, term.start, term.end, name)


# == theory ===========================================================================================================
@dataclass(frozen=True, eq=False)
class HeapSplit:
    """An assumption about a heap of a position: if `where` holds, the position `of` consists of `heap` and `rest`.

    `whole`: the position of the heap and the rest, so that its folds are computed from them.
    `by`: the choice that picks the heap, or the fold that counts it; None for any heap.
    """

    where: t.Term
    of: Position
    heap: t.Variable
    rest: Position
    whole: Position
    by: HeapChoice | Fold | None = None

    def same_folds(self, folds: Iterable[AnyFold]) -> t.Term:
        """Return the condition that the folds of the position are those of the heap and the rest."""
        return conjunction(*(equal(self.of.fold(fold), self.whole.fold(fold)) for fold in folds))


# Positions of any number of heaps in one sequent.
#
# The readers of terms, moves, options and sets depend on this class; `FoldReader` combines them.
class FoldsTheory(Sizes):
    """A translator of positions and folds for one sequent (the form of an obligation).

    `root`: the values of the claim's integers, by name. The environments that methods take as arguments may also
    contain positions, and players as indices.
    `named`: the folds that the proof and its lemmas name.
    `heaps`: the fold that counts all heaps.
    `asking`: the condition of the claim that is translated at present, innermost first.
    """

    heaps: Fold
    asking: t.Term | None = None

    def __init__(self, claim: Claim, proof: FoldsProof, cuts: Cuts) -> None:
        super().__init__(proof.bits)
        self.claim, self.proof, self.cuts = claim, proof, cuts
        self.player_names = name_players(claim)
        self.folding = Folding(self)
        self.named: dict[str, AnyFold] = {}
        self.free: list[Position] = []
        self.splits: list[HeapSplit] = []

    @abstractmethod
    def position_of(self, term: t.Term, env: Env) -> Position:
        """Return the position that a term denotes. Raises Unsupported for other terms."""

    @abstractmethod
    def some_option(self, game: Game, s: Position, mover: int, fits: Callable[[Position], t.Term]) -> t.Term:
        """Return the truth value of "some option x of s satisfies `fits(x)`".

        If a lemma contains this question, no lemmas are assumed about who wins at such an option.
        """

    # -- positions ----------------------------------------------------------------------------------------------------
    def position(self, name: str) -> Position:
        """Return a new arbitrary position, for which the facts of the proof are assumed."""
        made = Position(name, self.symbols, self.highest)
        self.free.append(made)
        return made

    def make_ordered_position(self) -> Position:
        """Return the claim's position, which consists of the heaps that the proof names in ascending order."""
        heaps = [self.size(name, low=1) for name in self.proof.heaps]
        self.assume(Reason.IN_ORDER, *(at_most(*pair) for pair in pairwise(heaps)))
        self.root = {**self.root, **dict(zip(self.proof.heaps, heaps, strict=True))}
        made = make_position(self.symbols, self.highest, self.proof.position, tuple(map(OptionalHeap, heaps)))
        made.ordered = True
        return made

    def add_heap(self, name: str, rest: Position, heap: t.Term) -> Position:
        """Return the position of `heap` and the heaps of `rest`, with this name. The heap must be above 0."""
        return Position(name, self.symbols, self.highest, (OptionalHeap(heap), rest))

    def split(
        self, s: Position, where: t.Term, name: str, by: HeapChoice | Fold | None = None
    ) -> tuple[t.Variable, Position]:
        """Return a new heap h and a new position R. Assume that s consists of h and R if `where` holds.

        `name`: the new variables are called "heap of NAME" and "rest of NAME". `by`: as for HeapSplit.
        """
        heap = self.size(f"heap of {name}", low=1)
        return heap, self.add_split(s, where, name, heap, by)

    def add_split(
        self, s: Position, where: t.Term, name: str, heap: t.Variable, by: HeapChoice | Fold | None = None
    ) -> Position:
        """Return a new position R, called "rest of NAME". Assume that s consists of the heap and R if `where` holds."""
        rest = self.position(f"{REST}{name}")
        rest.without = s, heap
        self.splits.append(HeapSplit(where, s, heap, rest, self.add_heap(name, rest, heap), by))
        return rest

    def extend_rest(self, rest: Position, size: t.Term) -> Position:
        """Return the position that consists of the heaps of `rest` and a heap of `size`. A heap of size 0 is absent."""
        heap = OptionalHeap(size, compare("gt", size, ZERO))
        listed = None if rest.listed is None else (*rest.listed, heap)
        change = None if rest.without is None else HeapReplacement(*rest.without, size, rest)
        return Position("after", self.symbols, self.highest, (heap, rest), listed, change=change)

    def take_from(
        self, s: Position, where: t.Term, by: HeapChoice | None = None
    ) -> list[tuple[OptionalHeap, Position]]:
        """Return (heap, rest) for each way to pick one heap of s, where `rest` is the position of the other heaps.

        `heap` includes the condition that the heap is present. If the heaps of s are not listed, there is only one way:
        the heap is a new variable, and s is assumed to have a heap if `where` holds. `by`: as for HeapSplit.
        """
        if s.listed is None:
            heap, rest = self.split(s, where, s.name, by)
            return [(OptionalHeap(heap), rest)]
        found = []
        for i, taken in enumerate(s.listed):
            rest = make_position(self.symbols, self.highest, "rest", s.listed[:i] + s.listed[i + 1 :])
            rest.without = s, taken.heap
            found.append((taken, rest))
        return found

    def same_position(self, a: Position, b: Position) -> t.Term:
        """Return the condition that two positions are equal.

        A position equals n heaps of size c if and only if it has n heaps and, if n > 0, its smallest and largest heap
        are c. Other positions are compared by `positions_equal`. Raises Unsupported.
        """
        if a is b:
            return YES
        for one, other in ((a, b), (b, a)):
            if one.copies is not None:
                size, number = one.copies
                ends = (equal(other.fold(self.extreme(which)), size) for which in (LEAST, LARGEST))
                return conjunction(
                    equal(other.fold(self.heaps), number), disjunction(equal(number, ZERO), conjunction(*ends))
                )
        return positions_equal(a, b)

    # -- folds --------------------------------------------------------------------------------------------------------
    def fact(self, term: t.Term, position: Position) -> t.Term:
        """Return the fact `term` of the proof, stated about this position."""
        return self.truth(term, self.fold_values(position))

    def loses(self, position: Position, player: int) -> t.Term:
        """Return the condition that the player to move at the position loses, by the invariant.

        Raises Unsupported if the proof does not have an invariant.
        """
        if len(self.claim.games) != 1:
            instead = 'name a theorem about each game in `by`, or use rule = "equal games"'
            raise Unsupported("an invariant is about one game, but the claim has several games", instead=instead)
        (game,) = self.claim.games
        table = dict(self.proof.loses)
        who = 0 if game.ruleset.impartial else player
        if who not in table:
            instead = "state in [proof.loses] when each player loses as the player to move, "
            instead += "or name a theorem about who wins in `by`"
            raise Unsupported("the claim mentions who wins, but the proof has no [proof.loses]", instead=instead)
        return self.truth(table[who], self.fold_values(position))

    def fold_values(self, position: Position) -> Env:
        """Return the claim's integers and the values of the proof's folds at a position, by name."""
        return {**self.root, **{name: position.fold(fold) for name, fold in self.named.items()}}

    def bind_pick(self, position: Position, heap: t.Term, rest: Position) -> Env:
        """Return the values of all names that a term may use after a heap of the position is picked.

        These names are the claim's integers, the folds X of the position, the folds `rest_X` of the other heaps, and
        the name of the picked heap.
        """
        others = {f"{BESIDE}{name}": rest.fold(fold) for name, fold in self.named.items()}
        return {**self.fold_values(position), **others, PICKED_HEAP: heap}

    def count(self, condition: t.Term, heap: str) -> Fold:
        """Return the fold that counts the heaps that satisfy a condition on the variable `heap`. Raises Unsupported."""
        return self.folding.count(condition, heap)

    def extreme(self, which: str) -> Extreme:
        """Return the fold for the smallest heap (`which` = LEAST) or for the largest heap (LARGEST)."""
        return self.folding.extreme(which)

    def extremes_of(self, position: Position) -> list[t.Term]:
        """Return statements about the smallest and largest heap of a position, and their multiplicities.

        They are true at every position.
        """
        for which in (LEAST, LARGEST):
            self.folding.times(which)
        return list(self.folding.extremes.possible(position, self.heaps, self.folding.made))
