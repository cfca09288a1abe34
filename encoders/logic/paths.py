"""The needs of a claim as one formula, for whatever theory a rule of proof reads terms in."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import z3

from claims.language.expressions import terms as t
from encoders.answer import Unsupported
from encoders.logic.definedness import Need, Over

Env = dict[str, Any]  # variable -> what it stands for in the theory
Element = Callable[[t.Term | None, Env], tuple[Any, Any]]
"""Something that runs over a source (None: over all heaps), and the condition that it does."""


class Reader(Protocol):
    """Reads terms in one query. `owed`: what must be shown for those read so far to mean what was made of them."""

    owed: list[Any]
    yes: Any

    def truth(self, term: t.Term, env: Env) -> Any:
        """A condition. Raises Unsupported."""


def needed(reader: Reader, needs: list[Need], env: Env, element: Element) -> Any:
    """That each need holds wherever its path leads; a guard that cannot be read is not assumed. Raises Unsupported.

    What a term is owed is shown where the path has led by then, before the term itself is believed.
    """
    goals: list[Any] = [reader.yes]
    for need in needs:
        inner, met = dict(env), [reader.yes]
        for step in need.path:
            if isinstance(step, Over):
                inner[step.variable], known = _paid(reader, goals, met, element, step.source, inner)
                met.append(known)
                continue
            with suppress(Unsupported):
                met.append(_paid(reader, goals, met, reader.truth, step.term, inner))
        goals.append(z3.Implies(z3.And(*met), _paid(reader, goals, met, reader.truth, need.holds, inner)))
    return z3.And(*goals)


def _paid(reader: Reader, goals: list[Any], met: list[Any], read: Callable[..., Any], *what: Any) -> Any:
    """What is read; what it is owed joins the goals where `met` holds, but nothing does if it cannot be read."""
    before = len(reader.owed)
    try:
        found = read(*what)
        goals += (z3.Implies(z3.And(*met), x) for x in reader.owed[before:])
    finally:
        del reader.owed[before:]
    return found
