"""The folds that a claim and its proof speak of, each once.

The key of a fold is made of everything that stands in its terms, with the heap that runs in them marked as such.
Comparisons are turned one way and `not` is pushed into them, so that `all(h < k for h in s)` and `any(h >= k for h in
s)` speak of the same count.

What is the same for all heaps that a comprehension runs over, though it depends on a position or on another heap, is
read once: in `any(bit(h, top_bit(nim_sum(s))) == 1 for h in s)` the nim-sum is one number.  Wherever two such values
are read from the same terms they are the same, and have the same name: one that no file can write.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from claims.language.expressions.printing import display, print_term
from claims.language.expressions.walk import free_names, rebuild, structural_key, walk
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, POSITION
from encoders.ground.refusals import Unsupported
from encoders.logic.moves import HEAP
from encoders.logic.reader import Env, SequentReader
from encoders.logic.terms import YES, ZERO, compare, conjunction, equal, integer, membership, opposite, written_power
from encoders.rules.folds.numbers.places import NO_SIZES
from encoders.rules.folds.numbers.reader import Sizes
from encoders.rules.folds.positions.columns import MOST, ColumnFold, all_columns
from encoders.rules.folds.positions.extremes import Extreme, Extremes, Times
from encoders.rules.folds.positions.positions import COUNT, NIM_SUM, SUM, AnyFold, Fold, Key
from encoders.rules.folds.statement.extremes import is_extreme

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
        found = self.extremes.of(which)
        self.made.setdefault(found.key, found)
        return found

    def times(self, which: str) -> Times:
        """How often that occurs."""
        self.extreme(which)
        found = self.extremes.times(which)
        self.made.setdefault(found.key, found)
        return found

    def of_term(self, term: t.Term, env: Env) -> AnyFold:
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

    def of_position(self, term: t.Term) -> AnyFold:
        """The fold of the position itself that a term of the proof is, by way of the image that it runs over if any.

        Raises Unsupported.
        """
        if (extreme := is_extreme(term)) is not None and not isinstance(extreme.source, t.Variable):
            raise _refuse_image(f"{extreme.which}({print_term(extreme.source)})")
        found = self.of_term(term, self.theory.root)
        if not isinstance(found, Fold):
            if any(mapped(x) is not None for x in walk(term)):
                raise _refuse_image(print_term(term))
            return found
        source = term.clauses[0].source if isinstance(term, t.Comprehension) else t.subterms(term)[0]
        while (inner := mapped(source)) is not None:
            found = self.after(self.mapping(inner, self.theory.root), found)
            source = inner.clauses[0].source
        return found

    def column(self, modulus: int, remainder: int) -> ColumnFold:
        """The places where the number of heaps with a 1 leaves the remainder; with it come those of the others."""
        if ("columns", modulus, remainder) not in self.columns:
            for column in all_columns(modulus):
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
        contributes = partial(self._all, tests, heap)
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
        fixed = any(name in self.fixed.values for x in (*conditions, body) for name in free_names(x))
        label = f"fold {len(self.made) + 1}"
        self.made[key] = self.plain[key] = Fold(key, label, reducer, contributes, of, plain, fixed, natural, words)
        return self.plain[key]

    def _refuse_others(self, terms: tuple[t.Term, ...], heap: str) -> None:
        for x in terms:
            for name in free_names(x, frozenset((heap,))):
                if name not in self.theory.root and name not in self.fixed.values:
                    asked = f"what it asks of {display(name)}"
                    remedy = f"make {asked} a fold of its own, or an integer c of the claim that `if` says it is"
                    raise Unsupported(f"{print_term(x)} is no fold: it mentions {display(name)}", instead=remedy)

    def _env(self, heap: str, value: t.Term) -> Env:
        return {**self.theory.root, **self.fixed.values, heap: value}

    def _all(self, tests: list[t.Term], heap: str, value: t.Term) -> t.Term:
        return conjunction(*(self.theory.truth(x, self._env(heap, value)) for x in tests))

    def _number(self, body: t.Term, heap: str, value: t.Term) -> t.Term:
        return self.theory.number(body, self._env(heap, value))

    def _natural(self, body: t.Term, heap: str, value: t.Term) -> t.Term:
        return self.theory.natural(self._number(body, heap, value))

    # -- images -------------------------------------------------------------------------------------------------------
    def mapping(self, image: t.Comprehension, env: Env) -> Mapping:
        """What `[f(h) for h in s if ...]` makes of each heap, where that is one or none. Raises Unsupported."""
        (clause,) = image.clauses
        heap = clause.variable
        *conditions, body = self.fixed.take_out((*clause.conditions, image.body), heap, env, self.theory.root)
        self._refuse_others((*conditions, body), heap)
        made = Mapping(
            key_of("list", body, tuple(conditions), heap),
            partial(self._all, list(conditions), heap),
            partial(self._natural, body, heap),
        )
        probe = self.theory.size("probe", low=1)
        made.kept(probe)
        if not self.theory.is_size(made.becomes(probe)):
            words = f"the image that makes a heap {print_term(body)}, which may leave {self.theory.sizes}"
            raise Unsupported(words, instead=NO_SIZES)
        return made

    def after(self, mapping: Mapping, fold: Fold) -> Fold:
        """The fold of a position that is the given fold of its image."""
        key = ("image", mapping.key, fold.key)
        if key not in self.plain:

            def contributes(h: t.Term) -> t.Term:
                image = mapping.becomes(h)
                return conjunction(mapping.kept(h), compare("gt", image, ZERO), fold.contributes(image))

            def of(h: t.Term) -> t.Term:
                return fold.of(mapping.becomes(h))

            label = f"{fold.label} of the image"
            words = None if fold.words is None else (f"{fold.words[0]}the image of ", fold.words[1])
            found = Fold(key, label, fold.reducer, contributes, of, natural=fold.natural, words=words)
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


def mapped(term: t.Term) -> t.Comprehension | None:
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
            case t.Operation(op="in", args=(x, source)) if (said := membership(x, _in_order(source))) is not None:
                yield from _conditions(said)
            case t.Operation(op="not", args=(t.Operation(op="in", args=(x, source)),)) if (
                said := membership(x, _in_order(source))
            ) is not None:
                yield from _conditions(opposite(said))
            case t.Operation(op="not", args=(t.AnyOf(args=args),)):
                for x in args:
                    yield from _conditions(opposite(x))
            case t.Operation(op="not", args=(t.Operation(op=op) as x,)) if op not in ("not", "in"):
                yield turned(_of_parity(opposite(x)))
            case _:
                yield turned(_of_parity(part))


def _in_order(source: t.Term) -> t.Term:
    """Numbers that are written down, each once and the smaller first: a list says of its members what a set does."""
    if not isinstance(source, t.Collection) or not all(isinstance(x, t.Literal) for x in source.items):
        return source
    items = {x.value: x for x in source.items if isinstance(x, t.Literal)}
    return replace(source, items=tuple(items[value] for value in sorted(items)))


def _of_parity(term: t.Term) -> t.Term:
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


def turned(term: t.Term) -> t.Term:
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
        if (value := written_power(term)) is not None:
            return integer(value)
        names = set(free_names(term))
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
