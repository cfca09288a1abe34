"""The folds of a claim and its proof, and the positions of one sequent as seen through them."""

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
from encoders.rules.folds.section import BESIDE, PICKED_HEAP, FoldsProof
from encoders.trust import Reason

# == folding ==========================================================================================================
# The folds that a claim and its proof speak of, each once.
#
# The key of a fold is made of everything that stands in its terms, with the heap that runs in them marked as such.
# Comparisons are turned one way and `not` is pushed into them, so that `all(h < k for h in s)` and `any(h >= k for h in
# s)` speak of the same count.
#
# What is the same for all heaps that a comprehension runs over, though it depends on a position or on another heap, is
# read once: in `any(bit(h, top_bit(nim_sum(s))) == 1 for h in s)` the nim-sum is one number.  Wherever two such values
# are read from the same terms they are the same, and have the same name: one that no file can write.
ANY_HEAP = t.Variable(INT, 0, 0, HEAP)


class Folding:
    """Makes folds of terms over a position; `made` are those made so far. Whatever is no fold raises Unsupported."""

    def __init__(self, theory: Sizes) -> None:
        self.theory = theory
        self.fixed = Fixed(theory)
        self.made: dict[Key, AnyFold] = {}
        self.plain: dict[Key, Fold] = {}  # those of them that are nim-sums, sums and counts
        self.extremes = Extremes()
        self.columns: dict[Key, ColumnFold] = {}

    def count(self, condition: t.Term, heap: str) -> Fold:
        """How many heaps meet the condition, in which `heap` runs over them."""
        return self.fold(COUNT, condition, (), heap, self.theory.root)

    @property
    def knows_extremes(self) -> bool:
        """Whether a least or a largest heap has been spoken of."""
        return any(fold.key in self.made for fold in self.extremes.all)

    def extreme(self, which: str) -> Extreme:
        """The least heap or the largest."""
        found = self.extremes.select(which)
        self.made.setdefault(found.key, found)
        return found

    def times(self, which: str) -> Times:
        """How often that occurs."""
        self.extreme(which)
        found = self.extremes.times(which)
        self.made.setdefault(found.key, found)
        return found

    def fold_of_term(self, term: t.Term, env: Env) -> AnyFold:
        """The fold that a term takes of the position that it runs over; `env`: what the names in it stand for.

        A least or largest heap is 0 where there is no heap.
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
        raise Unsupported(f"{print_term(term)} is no fold that the proof rule knows", instead=f"take {kinds}")

    def fold_of_position(self, term: t.Term) -> AnyFold:
        """The fold of the position itself that a term of the proof is, by way of the image that it runs over if any.

        Raises Unsupported.
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
        """The places where the number of heaps with a 1 leaves the remainder; with it come those of the others."""
        if ("columns", modulus, remainder) not in self.columns:
            for column in make_columns(modulus):
                self.columns[column.key] = self.made[column.key] = column
        return self.columns["columns", modulus, remainder]

    def fold(self, reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str, env: Env) -> Fold:
        """The fold of these terms, in which `heap` runs over the heaps.

        A fold is one number of a position: besides its heap it may mention the claim's integers, and values that are
        the same for all heaps; all of it must have a meaning for any heap.  It is tried on one, for on a position whose
        heaps are not known nobody will.
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
            refused = f"the nim-sum of {print_term(body)}, whose terms may leave {theory.sizes}"
            raise Unsupported(refused, instead=NO_SIZES)
        if reducer == SUM and theory.bits is not None:
            refused = f"{words[0]}s{words[1]}, which has no bound"
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
                    asked = f"what it asks of {display(name)}"
                    remedy = f"make {asked} a fold of its own, or an integer c of the claim that `if` says it is"
                    raise Unsupported(f"{print_term(x)} is no fold: it mentions {display(name)}", instead=remedy)

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
        """What `[f(h) for h in s if ...]` makes of each heap, where that is one or none. Raises Unsupported."""
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
            words = f"the image that makes a heap {print_term(body)}, which may leave {self.theory.sizes}"
            raise Unsupported(words, instead=NO_SIZES)
        return made

    def pull_back(self, mapping: Mapping, fold: Fold) -> Fold:
        """The fold of a position that is the given fold of its image."""
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
    """What a position becomes heap by heap: a heap that is `kept` what `becomes` says, and none where that is 0.

    `key`: equal for two only if they are the same.
    """

    key: Key
    kept: Callable[[t.Term], t.Term]
    becomes: Callable[[t.Term], t.Term]


def _refuse_image(what: str) -> Unsupported:
    return Unsupported(f"{what}: of what is made of a position heap by heap a proof knows nim-sums, sums and counts")


def _words(reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str) -> tuple[str, str]:
    """The fold as a file may write it, before and behind the name of its position."""
    if reducer != COUNT and not conditions and isinstance(body, t.Variable) and body.name == heap:
        return f"{reducer}(", ")"
    tests = f" if {print_term(conjunction(*conditions))}" if conditions else ""
    return f"{reducer}({print_term(body)} for {display(heap)} in ", f"{tests})"


def match_mapping(term: t.Term) -> t.Comprehension | None:
    """The list of which a term makes a position heap by heap, if it does: `position([f(h) for h in s])`."""
    match term:
        case t.Operation(op="position", args=(t.Comprehension(reducer="list", clauses=(clause,)) as image,)):
            return image if clause.source.type == POSITION else None
    return None


_FLIPPED = {"gt": "lt", "ge": "le"}
_SYMMETRIC = ("eq", "ne")


def key_of(reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str) -> Hashable:
    """The key of reducer(body for heap in s if conditions)."""
    tests = [*conditions, body] if reducer == "count" else list(conditions)
    parts = {_identity(p, heap) for x in tests for p in _conditions(x) if not _is_true(p, heap)}
    value = None if reducer == "count" else structural_key(body, (heap,))
    return reducer, value, frozenset(parts)


def _conditions(term: t.Term) -> Iterator[t.Term]:
    """The conditions that a condition asks for together, each turned."""
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
    """Numbers that are written down, each once and the smaller first: a list says of its members what a set does."""
    if not isinstance(source, t.Collection) or not all(isinstance(x, t.Literal) for x in source.items):
        return source
    items = {x.value: x for x in source.items if isinstance(x, t.Literal)}
    return replace(source, items=tuple(items[value] for value in sorted(items)))


def _normalise_parity(term: t.Term) -> t.Term:
    """`x % 2 == 0` for `x % 2 != 1`, and the other way round; others as they are."""
    match term:
        case t.Operation(op="ne", args=(t.Operation(op="mod", args=(_, t.Literal(value=2))) as rest, t.Literal() as r)):
            return replace(term, op="eq", args=(rest, replace(r, value=1 - r.value))) if r.value in (0, 1) else term
    return term


def _is_true(term: t.Term, heap: str) -> bool:
    """Whether a condition, turned, holds of every heap: none is less than 1."""
    match term:
        case t.Literal(type=type_, value=value):
            return type_ == BOOL and bool(value)
        case t.Operation(op="le", args=(t.Literal(value=low), t.Variable(name=name))):
            return name == heap and low <= 1
        case t.Operation(op="ne", args=(t.Variable(name=name), t.Literal(value=low))):
            return name == heap and low <= 0
    return False


def _identity(term: t.Term, heap: str) -> Hashable:
    """The identity of a condition that is turned, the same for some that are plainly the same condition."""
    if isinstance(term, t.Operation) and term.op in _SYMMETRIC:
        return term.op, frozenset(structural_key(x, (heap,)) for x in term.args)
    return structural_key(term, (heap,))


def normalise_comparison(term: t.Term) -> t.Term:
    """A comparison of integers turned to `<=` or `<`; a < n, of a whole number n written down, to a <= n - 1."""
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
    """The values fixed so far, by their names."""

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self.values: dict[str, t.Term] = {}
        self._names: dict[Hashable, str] = {}

    def take_out(self, terms: Iterable[t.Term], heap: str, env: Env, known: Env) -> list[t.Term]:
        """The terms, with a name for each largest part that does not depend on the heap, nor on `known` alone.

        `env`: what the names in them stand for.  Raises Unsupported.
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
# One sequent's worth of positions of any number of heaps, seen through folds.
#
# What reads terms about positions, moves, options and sets stands on this; `FoldReader` puts them together.
class FoldsTheory(Sizes):
    """`root`: the claim's integers; in an Env a variable stands for a term, a Position, or an int (a player).

    `named`: the folds that the proof and its lemmas name.  `heaps`: how many heaps there are.
    """

    heaps: Fold

    def __init__(self, claim: Claim, proof: FoldsProof, cuts: Cuts) -> None:
        super().__init__(proof.bits)
        self.claim, self.proof, self.cuts = claim, proof, cuts
        self.player_names = name_players(claim)
        self.folding = Folding(self)
        self.named: dict[str, AnyFold] = {}
        self.free: list[Position] = []
        self.splits: list[tuple[t.Term, Position, Position]] = []  # where the first holds, the two are the same

    @abstractmethod
    def position_of(self, term: t.Term, env: Env) -> Position:
        """A position. Raises Unsupported for one that is neither a variable nor written down."""

    @abstractmethod
    def some_option(self, game: Game, s: Position, mover: int, fits: Callable[[Position], t.Term]) -> t.Term:
        """Whether some option of s fits; what a lemma asks about an option stays free whenever it is asked."""

    # -- positions ----------------------------------------------------------------------------------------------------
    def position(self, name: str) -> Position:
        """A free position: any finite number of heaps, of which every fact of the proof holds."""
        made = Position(name, self.symbols, self.highest)
        self.free.append(made)
        return made

    def make_ordered_position(self) -> Position:
        """The position of the claim, of the heaps that the proof names, in ascending order; terms may name them."""
        heaps = [self.size(name, low=1) for name in self.proof.heaps]
        self.assume(Reason.IN_ORDER, *(at_most(*pair) for pair in pairwise(heaps)))
        self.root = {**self.root, **dict(zip(self.proof.heaps, heaps, strict=True))}
        made = make_position(self.symbols, self.highest, self.proof.position, tuple(map(OptionalHeap, heaps)))
        made.ordered = True
        return made

    def add_heap(self, name: str, rest: Position, heap: t.Term) -> Position:
        """The rest with one more heap, above 0."""
        return Position(name, self.symbols, self.highest, (OptionalHeap(heap), rest))

    def split(self, s: Position, where: t.Term, name: str) -> tuple[t.Term, Position]:
        """A heap of s and the rest, where the condition `where` grants that there is one."""
        heap = self.size(f"heap of {name}", low=1)
        rest = self.position(f"{REST}{name}")
        rest.without = s, heap
        self.splits.append((where, s, self.add_heap(name, rest, heap)))
        return heap, rest

    def extend_rest(self, rest: Position, size: t.Term) -> Position:
        """The rest with a heap of `size` beside it; none if that is 0."""
        heap = OptionalHeap(size, compare("gt", size, ZERO))
        listed = None if rest.listed is None else (*rest.listed, heap)
        change = None if rest.without is None else HeapReplacement(*rest.without, size, rest)
        return Position("after", self.symbols, self.highest, (heap, rest), listed, change=change)

    def take_from(self, s: Position, where: t.Term) -> list[tuple[OptionalHeap, Position]]:
        """The ways to single out a heap of s: (the heap, with whether it is there, the rest)."""
        if s.listed is None:
            heap, rest = self.split(s, where, s.name)
            return [(OptionalHeap(heap), rest)]
        found = []
        for i, taken in enumerate(s.listed):
            rest = make_position(self.symbols, self.highest, "rest", s.listed[:i] + s.listed[i + 1 :])
            rest.without = s, taken.heap
            found.append((taken, rest))
        return found

    def same_position(self, a: Position, b: Position) -> t.Term:
        """Whether two positions are the same.

        One of n equal heaps is known by its number of heaps and, if there is one, by the least and the largest being
        of their size; others must be written down heap by heap.  Raises Unsupported.
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
        """A fact of the proof, said of a position."""
        return self.truth(term, self.fold_values(position))

    def loses(self, position: Position, player: int) -> t.Term:
        """The invariant: the player, to move at the position, loses. Raises Unsupported where the proof has none."""
        if len(self.claim.games) != 1:
            instead = 'put a theorem about each game into `by`, or take rule = "equal games"'
            raise Unsupported("an invariant of one game, in a claim about several", instead=instead)
        (game,) = self.claim.games
        table = dict(self.proof.loses)
        who = 0 if game.ruleset.impartial else player
        if who not in table:
            instead = "say there where each mover loses, or put a theorem that says who wins into `by`"
            raise Unsupported("the claim asks who wins, and the proof has no [proof.loses]", instead=instead)
        return self.truth(table[who], self.fold_values(position))

    def fold_values(self, position: Position) -> Env:
        """The names of the proof's folds, with their values at a position."""
        return {**self.root, **{name: position.fold(fold) for name, fold in self.named.items()}}

    def bind_pick(self, position: Position, heap: t.Term, rest: Position) -> Env:
        """Those at the position, the heap that is picked, and those of the rest."""
        others = {f"{BESIDE}{name}": rest.fold(fold) for name, fold in self.named.items()}
        return {**self.fold_values(position), **others, PICKED_HEAP: heap}

    def count(self, condition: t.Term, heap: str) -> Fold:
        """How many heaps meet the condition, in which `heap` runs over them. Raises Unsupported."""
        return self.folding.count(condition, heap)

    def extreme(self, which: str) -> Extreme:
        """The least heap (LEAST) or the largest."""
        return self.folding.extreme(which)

    def extremes_of(self, position: Position) -> list[t.Term]:
        """What holds of the least and the largest heap, and of how often each occurs, at a position."""
        for which in (LEAST, LARGEST):
            self.folding.times(which)
        return list(self.folding.extremes.possible(position, self.heaps, self.folding.made))
