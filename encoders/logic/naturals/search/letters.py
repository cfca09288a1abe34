"""The truth values that are left, as Z3 finds them: letters have no meaning here but what has been learnt of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from encoders.logic.naturals.formulas import TRUE, Conjunction, Equivalence, Formulas
from encoders.logic.naturals.proposer import Proposer, Session, applied

STEPS = 20_000_000  # Z3's own count, for one question


class Letters:
    """A formula, part by part, over letters without a meaning."""

    def __init__(self, formulas: Formulas, parts: Sequence[int], session: Session | None = None) -> None:
        self.formulas = formulas
        self.solver = Proposer("QF_FD", STEPS, session)
        self.solver.want_small_cores()
        self.read: dict[int, str] = {TRUE: "true"}
        self.nodes = [x for x in formulas.below(parts) if not formulas.parts(x) and x != TRUE]
        self.marks = [self.solver.mark(self._read(x)) for x in parts]
        self.lemmas: list[str] = []

    def exclude(self, literals: Iterable[int]) -> None:
        """Learn that not all of these literals, by node, are true; of none that there are no truth values at all."""
        self.lemmas.append(self.solver.mark(applied("or", (self._read(-x) for x in literals), "false")))

    def model(self) -> dict[int, bool] | None:
        """Truth values of the letters, by node; None if there are none left. Raises Unsure."""
        if not self.solver.is_possible([*self.marks, *self.lemmas]):
            return None
        return dict(zip(self.nodes, self.solver.truths(self._read(x) for x in self.nodes), strict=True))

    def core(self) -> tuple[frozenset[int], frozenset[int]]:
        """The places of the parts, and of the lemmas, that leave no truth values."""
        named = self.solver.core()
        parts, lemmas = ([i for i, m in enumerate(marks) if m in named] for marks in (self.marks, self.lemmas))
        return frozenset(parts), frozenset(lemmas)

    def _read(self, f: int) -> str:
        """The name of what is the formula."""
        x = abs(f)
        if x not in self.read:
            name = self.solver.declare("Bool")
            match self.formulas.node(x):
                case Conjunction(parts):
                    self.solver.say(f"(= {name} {applied('and', map(self._read, parts), 'true')})")
                case Equivalence(a, b):
                    self.solver.say(f"(= {name} (= {self._read(a)} {self._read(b)}))")
            self.read[x] = name
        return self.read[x] if f > 0 else f"(not {self.read[x]})"
