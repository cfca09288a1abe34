"""The integer variables of a claim, from which every query over unbounded integers starts."""

from __future__ import annotations

from typing import Any

import z3

from claims.language.expressions import terms as t
from claims.language.expressions.types import INT, POSITION
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Interval, Listed
from encoders.answer import Unsupported
from encoders.coverage import All, Coverage, Limits
from encoders.logic.definedness import Need
from encoders.logic.moves import HEAP, OpenMove, parameter_bounds
from encoders.logic.paths import Element, Env, needed
from encoders.rules.grundy.arithmetic import Arithmetic


class Integers:
    """The integer variables of a claim as unbounded Z3 integers, with what their domains say.

    `invent`: whether divisions get a quotient and remainder of their own.  A variable of the claim has its own name in
    a query, all else a name with a mark that no file can write.
    """

    def __init__(self, claim: Claim, invent: bool = False) -> None:
        self.context = z3.Context()
        self.terms = Arithmetic(self.context)
        self.terms.invent = invent
        self.env: Env = {}
        self.known: list[Any] = []
        self.yes = z3.BoolVal(True, self.context)
        self.owed: list[Any] = []  # what must be shown for the terms read so far to mean what their translation does
        self._fresh = 0
        for v in claim.variables:
            if v.type == INT and isinstance(v.domain, Interval):
                x = z3.Int(v.name, self.context)
                self.known.append(x >= self.terms.number(v.domain.lo, self.env))
                if v.domain.hi is not None:
                    self.known.append(x <= self.terms.number(v.domain.hi, self.env))
                self.env[v.name] = x
            elif v.type == INT and isinstance(v.domain, Listed):
                x = self.env[v.name] = z3.Int(v.name, self.context)
                self.known.append(z3.Or(*(x == value for value in v.domain.values)))

    def fresh(self, name: str) -> Any:
        """An integer that nothing is known of; no two have the same name."""
        return z3.Int(self._name(name), self.context)

    def fresh_truth(self, name: str) -> Any:
        """A truth value that nothing is known of."""
        return z3.Bool(self._name(name), self.context)

    def _name(self, name: str) -> str:
        self._fresh += 1
        return f"{name}!{self._fresh}"

    def truth(self, term: t.Term, env: Env | None = None) -> Any:
        """A condition over them, and over what `env` adds to them. Raises Unsupported."""
        return self.terms.truth(term, self.env if env is None else env)

    def number(self, term: t.Term) -> Any:
        """A number over them. Raises Unsupported."""
        return self.terms.number(term, self.env)

    def parameters(self, claim: Claim) -> Any:
        """That the parameters of the claim's games lie in their domains. Raises Unsupported."""
        return z3.And(*(self.truth(x) for game in claim.games for x in parameter_bounds(game)), self.yes)

    def played(self, move: OpenMove, heap: Any, picks: Env) -> tuple[Any, Any]:
        """(the picks, by the ruleset's names, are a legal move on the heap; what it becomes). Raises Unsupported."""
        env: Env = self.env | {HEAP: heap}
        for pick in move.picks:
            if pick.word not in picks:
                raise Unsupported(f"an option does not say what {pick.word} is")
            env[pick.name] = picks[pick.word]
        return self.terms.truth(move.legal, env), self.terms.number(move.become, env)

    def free_picks(self, move: OpenMove) -> Env:
        """Numbers picked of which nothing is known."""
        return {p.word: self.fresh(p.word) for p in move.picks}

    def needed(self, needs: list[Need], env: Env, element: Element) -> Any:
        """That each need holds wherever its path leads. Raises Unsupported."""
        return needed(self, needs, env, element)

    def in_range(self, source: t.Term | None, env: Env) -> tuple[Any, Any] | None:
        """An element of a range of integers, or any heap; None for another source. Raises Unsupported."""
        x = self.fresh("element")
        match source:
            case None:
                return x, x >= 1
            case t.Operation(op="range", args=(low, after)):
                return x, z3.And(x >= self.terms.number(low, env), x < self.terms.number(after, env))
        return None


def bounds_of(claim: Claim, sizes: Coverage) -> Limits:
    """What a proof over unbounded integers covers: all values, and positions of any number of heaps of these sizes."""
    found: list[tuple[str, Coverage]] = []
    for v in claim.variables:
        found += [(f"{v.name}.heaps", All()), (f"{v.name}.size", sizes)] if v.type == POSITION else [(v.name, All())]
    return tuple(found)
