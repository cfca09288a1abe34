"""The routes of a run: which of them a claim is put to, and what becomes of one that dies on its way.

An error of ours inside a route is loud, and says where it happened; it does not take with it what other routes found.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from importlib import import_module
from typing import TypeVar, cast

from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from encoders.answer import Answer, Decision
from encoders.logic.solvers.effort import Effort
from encoders.rules.registry import rule_name

Encoder = Callable[[Claim, Scope, float | None], Answer]
_T = TypeVar("_T")


class Exhausted(Exception):
    """Memory or Python's stack ran out; the message says where."""


class InternalFault(Exception):
    """An error of ours; the message says where it happened, `trace` is the traceback with its notes."""

    def __init__(self, where: str, error: Exception) -> None:
        super().__init__(where, error)
        self.where, self.trace = where, "".join(traceback.format_exception(error))
        self.kind = "".join(traceback.format_exception_only(error)).strip().replace("\n", ", ")

    def __str__(self) -> str:
        return f"internal error {self.where}: {self.kind}"

    def report(self, id: str) -> str:
        """The whole text for a person who reports it."""
        return f"internal error while settling {id}, {self.where}; please report it:\n{self.trace}"


def guarded(where: str, work: Callable[[], _T]) -> _T:
    """The result of `work`. Raises Exhausted and InternalFault, which say `where`, and nothing else but Ctrl-C."""
    try:
        return work()
    except MemoryError:
        raise Exhausted(f"out of memory {where}") from None
    except RecursionError:
        raise Exhausted(f"nested too deeply for Python's stack {where}") from None
    except Exception as error:
        if type(error).__module__.startswith("z3") and "out of memory" in str(error):
            raise Exhausted(f"out of memory {where}") from None
        raise InternalFault(where, error) from error


def ask(name: str, encoder: Encoder, claim: Claim, scope: Scope, budget: float | None) -> tuple[Answer, str]:
    """A route's answer, UNKNOWN where it died, and the text of the internal error it died of, or ""."""
    try:
        return guarded(f"in the route {name}", lambda: encoder(claim, scope, budget)), ""
    except Exhausted as limit:
        return Answer(name, Decision.UNKNOWN, detail=str(limit)), ""
    except InternalFault as fault:
        return Answer(name, Decision.UNKNOWN, detail=str(fault)), fault.report(claim.id)


def proof_route(claim: Claim) -> str:
    """The name of the route that reads the claim's [proof]; "" without one."""
    return rule_name(claim)


def prover(claim: Claim, wanted: tuple[str, ...], effort: Effort) -> Encoder | None:
    """The route that reads the claim's [proof], unless others are wanted."""
    route = proof_route(claim)
    if not route or (wanted and route not in wanted):
        return None

    def proved(claim: Claim, scope: Scope, budget: float | None) -> Answer:
        from encoders.rules.prove import prove

        return prove(claim, budget, effort)

    return proved


def second(wanted: tuple[str, ...]) -> Encoder | None:
    """Another route within the scope, if it is wanted."""
    if "bounded" not in wanted:
        return None

    def bounded(claim: Claim, scope: Scope, budget: float | None) -> Answer:
        return cast(Answer, import_module("encoders.bounded.encoder").settle(claim, scope, budget))

    return bounded
