"""The folds that a claim and its proof speak of, each once."""

from __future__ import annotations

from claims.language.expressions import terms as t
from claims.language.expressions.printing import display, text
from claims.language.expressions.types import INT, POSITION
from claims.language.expressions.walk import free_names
from encoders.answer import Unsupported
from encoders.logic.moves import HEAP
from encoders.logic.terms import YES, both, equal
from encoders.rules.folds.extremes.folds import Extreme, Extremes, Times
from encoders.rules.folds.extremes.terms import is_extreme
from encoders.rules.folds.reading.keys import key_of
from encoders.rules.folds.reading.positions import COUNT, NIM_SUM, AnyFold, Fold, Key
from encoders.rules.folds.reading.theory import Theory

ANY_HEAP = t.Variable(INT, 0, 0, HEAP)


class Folding:
    """Makes folds of terms over a position; `made` are those made so far. Whatever is no fold raises Unsupported."""

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.made: dict[Key, AnyFold] = {}
        self.plain: dict[Key, Fold] = {}  # those of them that are nim-sums and counts
        self.extremes = Extremes()

    def count(self, condition: t.Term, heap: str) -> Fold:
        """How many heaps meet the condition, in which `heap` runs over them."""
        return self.fold(COUNT, condition, (), heap)

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

    def of_term(self, term: t.Term) -> AnyFold:
        """The fold that a term over one position stands for; a least or largest heap is 0 where there is no heap."""
        if (found := is_extreme(term)) is not None:
            return self.times(found.which) if found.times else self.extreme(found.which)
        match term:
            case t.Comprehension(reducer="nim_sum" | "count" as reducer, body=body, clauses=(clause,)):
                if clause.source.type == POSITION:
                    return self.fold(reducer, body, clause.conditions, clause.variable)
            case t.Operation(op="nim_sum", args=(source,)) if source.type == POSITION:
                return self.fold(NIM_SUM, ANY_HEAP, (), HEAP)
            case t.Operation(op="len", args=(source,)) if source.type == POSITION:
                return self.count(YES, HEAP)
            case t.Operation(op="occurrences", args=(source, item)) if source.type == POSITION:
                return self.count(equal(ANY_HEAP, item), HEAP)
        raise Unsupported(f"{text(term)} is no fold that the proof rule knows")

    def fold(self, reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str) -> Fold:
        """The fold of these terms, in which `heap` runs over the heaps.

        A fold is one number of a position: besides its heap it may mention the claim's integers alone, and all of it
        must have a meaning for any heap.  It is tried on one, for on a position whose heaps are not known nobody will.
        """
        theory = self.theory
        key = key_of(reducer, body, conditions, heap)
        if key in self.plain:
            return self.plain[key]
        for x in (*conditions, body):
            for name in free_names(x, frozenset((heap,))):
                if name not in theory.root:
                    raise Unsupported(f"{text(x)} is no fold: it mentions {display(name)}")
        tests = [*conditions, body] if reducer == COUNT else list(conditions)

        def contributes(h: t.Term) -> t.Term:
            env = {**theory.root, heap: h}
            return both(*(theory.truth(x, env) for x in tests))

        def of(h: t.Term) -> t.Term:
            return theory.number(body, {**theory.root, heap: h})

        if reducer == NIM_SUM and theory.highest is None:
            raise Unsupported('a nim-sum, in a proof without a bound: it needs a line sizes = "< 2^62"')
        probe = theory.size("probe", low=1)
        contributes(probe)
        if reducer == NIM_SUM and not theory.is_size(of(probe)):
            raise Unsupported(f"the nim-sum of {text(body)}: its terms may leave {theory.sizes}")
        plain = reducer == NIM_SUM and not conditions and isinstance(body, t.Variable) and body.name == heap
        self.made[key] = self.plain[key] = Fold(key, f"fold {len(self.made) + 1}", reducer, contributes, of, plain)
        return self.plain[key]
