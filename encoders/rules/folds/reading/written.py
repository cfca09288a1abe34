"""The positions that terms stand for: those of variables, those that a claim writes down, and what is made of them."""

from __future__ import annotations

from collections.abc import Hashable

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.walk import free_names, identity
from encoders.answer import Unsupported
from encoders.logic.reader import Env
from encoders.logic.terms import ONE, YES, ZERO, at_least, at_most, both, choose, compare, equal, implies, integer, sub
from encoders.rules.folds.extremes.terms import extreme_of
from encoders.rules.folds.reading.folding import Folding, mapped
from encoders.rules.folds.reading.positions import Fold, Listed, Position, of_heaps
from encoders.rules.folds.reading.theory import Theory


class Written:
    """Finds the position of a term; one that is written down twice is the same one."""

    def __init__(self, theory: Theory, folding: Folding) -> None:
        self.theory, self.folding = theory, folding
        self._made: dict[object, Position] = {}  # by their heaps, or by what they are made of
        self._without: dict[tuple[int, str], tuple[Position, Position]] = {}  # a position, and it without an extreme
        self._drawn: dict[tuple[int, Hashable], tuple[Position, Position]] = {}  # it without a heap of it
        self._kept: list[Position] = []  # so that their identities stay theirs

    def position_of(self, term: t.Term, env: Env) -> Position:
        """A position. Raises Unsupported for one that is neither a variable nor written down."""
        if isinstance(term, t.Variable):
            found = env.get(term.name)
            if isinstance(found, Position):
                return found
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                return self._write(items, env)
            case t.Operation(
                op="position",
                args=(
                    t.Comprehension(
                        body=body,
                        clauses=(
                            t.Clause(variable=name, source=t.Operation(op="range", args=(low, after)), conditions=()),
                        ),
                    ),
                ),
            ) if name not in free_names(body):
                return self._copy(self.theory.number(body, env), self._length(low, after, env))
            case t.Operation(op="replace", args=(source, heap, size)):
                found = extreme_of(heap)
                if found is not None and not found.times and identity(found.source) == identity(source):
                    return self._replace(self.position_of(source, env), found.which, self.theory.number(size, env))
                return self._change(source, heap, size, env)
        if (image := mapped(term)) is not None:
            return self._map(image, env)
        raise Unsupported(f"{text(term)} is no position that the proof rule knows")

    def draw(self, s: Position, heap: t.Term, rest: Position) -> None:
        """Note that s is the heap, and the rest."""
        self._drawn[id(s), identity(heap)] = s, rest

    def is_drawn(self, s: Position, heap: t.Term) -> bool:
        """Whether a heap was drawn from s."""
        return (id(s), identity(heap)) in self._drawn

    def _change(self, source: t.Term, heap: t.Term, becomes: t.Term, env: Env) -> Position:
        """The position with one heap, that was drawn from it, become another number."""
        theory = self.theory
        s, h, size = self.position_of(source, env), theory.number(heap, env), theory.number(becomes, env)
        if not self.is_drawn(s, h):
            raise Unsupported(f"{text(heap)} is no heap of {text(source)} that the proof rule can tell from the rest")
        _, rest = self._drawn[id(s), identity(h)]
        key = "replaced", id(rest), identity(size)
        if key not in self._made:
            self._made[key] = theory.after(rest, self._size(size))
        return self._made[key]

    def _map(self, image: t.Comprehension, env: Env) -> Position:
        """The position made of another heap by heap: its folds are folds of that."""
        theory = self.theory
        (clause,) = image.clauses
        s, mapping = self.position_of(clause.source, env), self.folding.mapping(image, env)
        key = "image", id(s), mapping.key
        if key not in self._made:
            self._kept.append(s)
            if s.listed is None:
                made, after = theory.position(f"image of {s.name}"), self.folding.after
                made.image = lambda fold: s.fold(after(mapping, fold)) if isinstance(fold, Fold) else None
            else:
                heaps = ((both(x.present, mapping.kept(x.heap)), mapping.becomes(x.heap)) for x in s.listed)
                sizes = [choose(there, size, ZERO) for there, size in heaps]
                listed = tuple(Listed(size, compare("gt", size, ZERO)) for size in sizes)
                made = of_heaps(theory.symbols, theory.highest, f"image of {s.name}", listed)
            self._made[key] = made
        return self._made[key]

    def _write(self, items: tuple[t.Term, ...], env: Env) -> Position:
        """The position of the heaps that a claim writes down one by one.

        That they are heaps below the bound is an obligation of its own wherever a claim writes one down.  Where it does
        not look at them, they need not be; then they are told as none, so that what is known stays true of positions.
        """
        theory = self.theory
        numbers = [theory.number(item, env) for item in items]
        key = tuple(map(identity, numbers))
        if key not in self._made:
            heaps = map(self._size, numbers)
            listed = tuple(Listed(h, compare("gt", h, ZERO)) for h in heaps)
            self._made[key] = of_heaps(theory.symbols, theory.highest, "written", listed)
        return self._made[key]

    def _length(self, low: t.Term, after: t.Term, env: Env) -> t.Term:
        """How many numbers a range holds, or a number below 1."""
        last = self.theory.number(after, env)
        return last if isinstance(low, t.Literal) and low.value == 0 else sub(last, self.theory.number(low, env))

    def _copy(self, size: t.Term, number: t.Term) -> Position:
        """So many heaps of the size; none where that is below 1, or the number is."""
        key = "copies", identity(size), identity(number)
        if key not in self._made:
            heap, theory = self._size(size), self.theory
            is_heap = YES if isinstance(heap, t.Literal) and heap.value >= 1 else at_least(heap, ONE)
            many = choose(both(at_least(number, ONE), is_heap), number, ZERO)
            self._made[key] = Position("written", theory.symbols, theory.highest, copies=(heap, many))
        return self._made[key]

    def _replace(self, s: Position, which: str, size: t.Term) -> Position:
        """s with a least or a largest heap become `size`; any position where s has no heap, and there is none."""
        theory = self.theory
        if (id(s), which) not in self._without:
            some = at_least(s.fold(theory.heaps), ONE)
            heap, rest = theory.split(s, some, s.name)
            theory.known.append(implies(some, equal(heap, s.fold(theory.extreme(which)))))
            self._without[id(s), which] = s, rest
        _, rest = self._without[id(s), which]
        key = "replaced", id(rest), identity(size)
        if key not in self._made:
            self._made[key] = theory.after(rest, self._size(size))
        return self._made[key]

    def _size(self, number: t.Term) -> t.Term:
        """The number as one that a heap or none may have."""
        return number if self.theory.is_size(number) else self._heap_or_none(number)

    def _heap_or_none(self, heap: t.Term) -> t.Term:
        theory = self.theory
        above = () if theory.highest is None else (at_most(heap, integer(theory.highest)),)
        made = theory.size("heap written down")
        theory.known.append(equal(made, choose(both(at_least(heap, ZERO), *above), heap, ZERO)))
        return made
