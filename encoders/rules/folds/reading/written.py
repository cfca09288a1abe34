"""The positions that terms stand for: those of variables, and those that a claim writes down."""

from __future__ import annotations

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.walk import identity
from encoders.answer import Unsupported
from encoders.logic.reader import Env
from encoders.logic.terms import ZERO, at_least, at_most, both, choose, compare, equal, integer
from encoders.rules.folds.reading.positions import Listed, Position, of_heaps
from encoders.rules.folds.reading.theory import Theory


class Written:
    """Finds the position of a term; one that is written down twice is the same one."""

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self._made: dict[object, Position] = {}  # by their heaps

    def position_of(self, term: t.Term, env: Env) -> Position:
        """A position. Raises Unsupported for one that is neither a variable nor written down."""
        if isinstance(term, t.Variable):
            found = env.get(term.name)
            if isinstance(found, Position):
                return found
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                return self._write(items, env)
        raise Unsupported(f"{text(term)} is no position that the proof rule knows")

    def _write(self, items: tuple[t.Term, ...], env: Env) -> Position:
        """The position of the heaps that a claim writes down one by one.

        That they are heaps below the bound is an obligation of its own wherever a claim writes one down.  Where it does
        not look at them, they need not be; then they are told as none, so that what is known stays true of positions.
        """
        theory = self.theory
        numbers = [theory.number(item, env) for item in items]
        key = tuple(map(identity, numbers))
        if key not in self._made:
            heaps = (h if theory.is_size(h) else self._heap_or_none(h) for h in numbers)
            listed = tuple(Listed(h, compare("gt", h, ZERO)) for h in heaps)
            self._made[key] = of_heaps(theory.symbols, theory.highest, "written", listed)
        return self._made[key]

    def _heap_or_none(self, heap: t.Term) -> t.Term:
        theory = self.theory
        above = () if theory.highest is None else (at_most(heap, integer(theory.highest)),)
        made = theory.size("heap written down")
        theory.known.append(equal(made, choose(both(at_least(heap, ZERO), *above), heap, ZERO)))
        return made
