"""What becomes of work that dies on its way: a limit of the machine, or an error of ours, which is loud."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from checks.judgement.budget import BudgetSpent, acknowledge, describe_budget, spend
from claims.language.ground.errors import NimChecksError

_T = TypeVar("_T")


class Exhausted(NimChecksError):
    """Memory, Python's stack or the budget ran out; the message says where."""


class Spent(Exhausted):
    """The CPU time of a claim is used up; the message says how much that was."""


class InternalFault(NimChecksError):
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


_losses: ContextVar[list[str] | None] = ContextVar("_losses", default=None)


@contextmanager
def noticing_losses() -> Iterator[list[str]]:
    """Where work died while this lasts, whatever became of that: another try may get further."""
    losses: list[str] = []
    token = _losses.set(losses)
    try:
        yield losses
    finally:
        _losses.reset(token)


def guard(where: str, work: Callable[[], _T]) -> _T:
    """The result of `work`. Raises Exhausted and InternalFault, which say `where`, and nothing else but Ctrl-C."""
    try:
        return _guard(where, work)
    except (Exhausted, InternalFault) as loss:
        if (losses := _losses.get()) is not None:
            losses.append(str(loss))
        raise


def _guard(where: str, work: Callable[[], _T]) -> _T:
    try:
        return work()
    except MemoryError:
        raise Exhausted(f"out of memory {where}") from None
    except BudgetSpent:
        raise Spent(f"{acknowledge() or describe_budget(None)} {where}") from None
    except RecursionError:
        raise Exhausted(f"nested too deeply for Python's stack {where}") from None
    except Exception as error:
        if type(error).__module__.startswith("z3") and "out of memory" in str(error):
            raise Exhausted(f"out of memory {where}") from None
        raise InternalFault(where, error) from error


def within_budget(seconds: float | None, work: Callable[[], _T]) -> _T:
    """The result of `work`. Raises Spent once it has used `seconds` of CPU time; None is no limit."""
    try:
        return spend(seconds, work)
    except BudgetSpent:
        raise Spent(acknowledge() or describe_budget(seconds)) from None
