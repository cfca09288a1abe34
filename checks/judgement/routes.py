"""Ask a route for its answer, within limits on CPU time and memory, and report what dies on its way."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib import import_module
from typing import TypeVar, cast

from claims.language.errors import NimChecksError
from claims.language.files.claim import Claim, Judgement
from claims.language.files.domains import Scope
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import rule_name
from encoders.solvers.effort import Effort

# == budget ===========================================================================================================
# The CPU time that settling one claim may take, and the exception that ends what takes more.
#
# A thread watches the clock and raises `BudgetSpent` in the thread that it watches, wherever that is in Python code; a
# call of C code (Z3, numpy, the kernel) has to return before.  That works in every thread and on every system.  C code
# that does not return is ended by `cap_cpu` of `checks.execution.limits`, in worker processes.
_T = TypeVar("_T")

AGAIN = 0.5  # seconds of CPU time after which an exception that nobody has caught is raised again
MOST_CAUGHT = 6  # pieces of the work for one claim that are ended, before the work for the claim is
_current: ContextVar[_Watch | None] = ContextVar("_current", default=None)


class BudgetSpent(BaseException):
    """The budget is used up. As with KeyboardInterrupt, `except Exception` does not catch it."""


class _Watch:
    """The deadline of the thread that makes this. Only this thread calls `stop` and `acknowledge`."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.spent, self.caught = seconds, False, 0
        self._raised = False  # since the exception was last received for certain
        self.deadline = time.process_time() + seconds
        self.grace = 1.0 + seconds / 4
        self._target, self._lock, self._stopped = threading.get_ident(), threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="budget")

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        while not self._stopped.wait(min(max(self.deadline - time.process_time(), 0.02), threading.TIMEOUT_MAX)):
            with self._lock:
                late = not self._stopped.is_set() and time.process_time() >= self.deadline
                if late and not _is_importing(self._target):
                    self.spent = True
                    self.deadline = time.process_time() + AGAIN
                    self._raised = True
                    _raise_in(self._target, BudgetSpent)

    def acknowledge(self) -> None:
        """The exception was caught. What is left to do for the claim gets some time too, each time half as much.

        Raises BudgetSpent where that has happened too often: work that goes on and on ends as well.
        """
        self.spent = True
        self.caught += 1
        if self.caught > MOST_CAUGHT:
            raise BudgetSpent
        self.deadline = time.process_time() + self.grace
        self.grace /= 2

    def stop(self) -> None:
        """End the watch, and receive an exception that is still on its way.

        Withdrawing it (PyThreadState_SetAsyncExc with NULL) would leave the interpreter looking for it at each jump:
        slow in CPython 3.11, and endless under a profiler. So it is raised once more, which replaces it, and caught.
        """
        with self._lock:
            self._stopped.set()
        if self._raised:
            self._raised = False
            with suppress(BudgetSpent):
                _raise_in(self._target, BudgetSpent)
                for _ in range(1_000_000):  # it is raised at one of the first jumps
                    pass


def _is_importing(thread: int) -> bool:
    """Whether the work imports a module: an exception there would leave modules that are half initialized."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - public, by the documentation of sys
    while frame is not None and frame.f_code is not spend.__code__:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def spend(seconds: float | None, work: Callable[[], _T]) -> _T:
    """The result of `work`. Raises BudgetSpent once it has used `seconds` of CPU time; None is no limit.

    Inside another `spend` of the same thread, the budget of that one holds.
    """
    if seconds is None or _current.get() is not None:
        return work()
    watch = _Watch(seconds)
    token = _current.set(watch)
    try:
        try:
            watch.start()
            return work()
        finally:
            watch.stop()
    finally:  # the exception may have been raised while `stop` ran
        watch.stop()
        _current.reset(token)


def acknowledge() -> str:
    """Say that BudgetSpent was caught; the reason in words, "" if no budget holds any more.

    Raises BudgetSpent after it was caught too often.
    """
    watch = _current.get()
    if watch is None:
        return ""
    watch.acknowledge()
    return describe_budget(watch.seconds)


def describe_budget(seconds: float | None) -> str:
    """That a budget is used up, in words."""
    return "the budget is used up" if seconds is None else f"the budget of {seconds:g} s is used up"


def describe_spent() -> str:
    """That the budget of the claim is used up, in words; "" if it is not."""
    watch = _current.get()
    return describe_budget(watch.seconds) if watch is not None and seconds_left() == 0 else ""


def seconds_left(wanted: float | None = None) -> float | None:
    """The CPU time that is left of the budget, at most `wanted`; None for no limit."""
    watch = _current.get()
    if watch is None:
        return wanted
    left = 0.0 if watch.spent else max(0.0, watch.deadline - time.process_time())
    return left if wanted is None else min(left, wanted)


def renew(seconds: float | None) -> None:
    """Allow `seconds` of CPU time from now on, as for the mutants of a claim that holds."""
    watch = _current.get()
    if watch is not None and seconds is not None:
        watch.spent, watch.caught, watch.deadline = False, 0, time.process_time() + seconds


# == faults ===========================================================================================================
# What becomes of work that dies on its way: a limit of the machine, or an error of ours, which is loud.
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


def run_within_budget(seconds: float | None, work: Callable[[], _T]) -> _T:
    """The result of `work`. Raises Spent once it has used `seconds` of CPU time; None is no limit."""
    try:
        return spend(seconds, work)
    except BudgetSpent:
        raise Spent(acknowledge() or describe_budget(seconds)) from None


# == routes ===========================================================================================================
# The routes of a run: which of them a claim is put to, and what becomes of one that dies on its way.
#
# An error of ours inside a route is loud, and says where it happened; it does not take with it what other routes found.
Route = Callable[[Claim, Scope, float | None], RouteResult]


def ask_route(name: str, encoder: Route, claim: Claim, scope: Scope, budget: float | None) -> tuple[RouteResult, str]:
    """A route's answer, UNKNOWN where it died, and the text of the internal error it died of, or "".

    `budget`: seconds, at most those that are left for the claim.
    """
    if spent := describe_spent():
        return RouteResult(name, Decision.UNKNOWN, detail=f"not asked: {spent}"), ""
    budget = seconds_left(budget)
    try:
        return guard(f"in the route {name}", lambda: encoder(claim, scope, budget)), ""
    except Exhausted as limit:
        return RouteResult(name, Decision.UNKNOWN, detail=str(limit)), ""
    except InternalFault as fault:
        return RouteResult(name, Decision.UNKNOWN, detail=str(fault)), fault.report(claim.id)


def choose_prover(claim: Claim, wanted: tuple[str, ...], effort: Effort) -> Route | None:
    """The route that reads the claim's [proof], unless others are wanted."""
    route = rule_name(claim)
    if not route or (wanted and route not in wanted):
        return None

    def run_prover(claim: Claim, scope: Scope, budget: float | None) -> RouteResult:
        from encoders.proving.prove import prove

        return prove(claim, budget, effort)

    return run_prover


def choose_second(wanted: tuple[str, ...]) -> tuple[Route | None, Route | None]:
    """Another route within the scope: (always asked, asked where the exhaustive one leaves it open)."""

    def run_bounded(claim: Claim, scope: Scope, budget: float | None) -> RouteResult:
        return cast(RouteResult, import_module("encoders.bounded.encoder").decide_by_smt(claim, scope, budget))

    return (run_bounded if "bounded" in wanted else None), (None if wanted else run_bounded)


def is_left_open(claim: Claim, answer: Decision, replays: tuple[tuple[Judgement, Judgement], ...]) -> bool:
    """Whether a solver may settle what the exhaustive route could not: it met a limit, and the claim asks no game."""
    return answer is Decision.UNKNOWN and not replays and not claim.games
