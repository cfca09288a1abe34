"""The integer variables of a claim, from which every query over unbounded integers starts."""

from __future__ import annotations

from typing import Any

import z3

from claims import terms as t
from claims.domains import Interval, Listed
from claims.model import Claim
from claims.types import INT
from encoders.heaps.arithmetic import Arithmetic, Env


class Integers:
    """The integer variables of a claim as unbounded Z3 integers, with what their domains say.

    `invent`: whether divisions get a quotient and remainder of their own.
    """

    def __init__(self, claim: Claim, invent: bool = False) -> None:
        self.context = z3.Context()
        self.terms = Arithmetic(self.context)
        self.terms.invent = invent
        self.env: Env = {}
        self.known: list[Any] = []
        for v in claim.variables:
            if v.type == INT and isinstance(v.domain, Interval):
                x = self.env[v.name] = z3.Int(v.name, self.context)
                self.known.append(x >= self.terms.number(v.domain.lo, self.env))
                if v.domain.hi is not None:
                    self.known.append(x <= self.terms.number(v.domain.hi, self.env))
            elif v.type == INT and isinstance(v.domain, Listed):
                x = self.env[v.name] = z3.Int(v.name, self.context)
                self.known.append(z3.Or(*(x == value for value in v.domain.values)))

    def truth(self, term: t.Term) -> Any:
        """A condition over them. Raises Unsupported."""
        return self.terms.truth(term, self.env)

    def number(self, term: t.Term) -> Any:
        """A number over them. Raises Unsupported."""
        return self.terms.number(term, self.env)
