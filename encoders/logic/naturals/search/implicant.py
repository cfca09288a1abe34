"""Why a formula is true at some truth values: few of the literals, which are then looked at for what they mean."""

from __future__ import annotations

from collections.abc import Mapping

from encoders.logic.naturals.certificate import Atom
from encoders.logic.naturals.formulas import Conjunction, Equivalence, Formulas


class Implicant:
    """Literals that make formulas true, as few as are easily found; `atoms`: their nodes, negative where false."""

    def __init__(self, formulas: Formulas, model: Mapping[int, bool], definitions: Mapping[int, int]) -> None:
        self.formulas, self.model, self.definitions = formulas, model, definitions
        self.atoms: list[int] = []
        self._values: dict[int, bool] = {}
        self._done = set[int]()

    def value(self, f: int) -> bool:
        x = abs(f)
        if x not in self._values:
            match self.formulas.node(x):
                case None:
                    self._values[x] = True
                case Conjunction(parts):
                    self._values[x] = all(map(self.value, parts))
                case Equivalence(a, b):
                    self._values[x] = self.value(a) is self.value(b)
                case _:
                    self._values[x] = self.model[x]
        return self._values[x] is (f > 0)

    def need(self, f: int) -> None:
        """Make sure that a formula which is true in the model is true by the literals."""
        if f in self._done:
            return
        self._done.add(f)
        match self.formulas.node(f):
            case Conjunction(parts) if f > 0:
                for x in parts:
                    self.need(x)
            case Conjunction(parts):
                self.need(min((-x for x in parts if not self.value(x)), key=self._cost))
            case Equivalence(a, b):
                for x in (a, b):
                    self.need(x if self.value(x) else -x)
            case Atom():
                self.atoms.append(f)
            case str() if abs(f) in self.definitions:
                self.need(self.definitions[abs(f)] if f > 0 else -self.definitions[abs(f)])

    def _cost(self, f: int) -> int:
        node = self.formulas.node(f)
        return 0 if f in self._done else 1 if isinstance(node, str) else 2 if isinstance(node, Atom) else 3
