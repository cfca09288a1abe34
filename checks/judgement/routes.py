"""Calls of routes within a budget of CPU time, and the handling of routes that fail, for example for lack of memory."""

from __future__ import annotations

import ctypes
import errno
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
from claims.language.interrupts import is_called_back
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import rule_name
from encoders.solvers.effort import Effort

# == budget ===========================================================================================================
# The CPU time for settling one claim, and the exception that stops the work when the time is used up.
#
# A second thread watches the time. When the time is over, it raises `BudgetSpent` in the working thread, at any point
# of the Python code. A call of C code (Z3, numpy, the WebAssembly kernel) must return first. This works in every thread
# and on every system. In worker processes, `capping_cpu` of `checks.execution.limits` stops C code that does not
# return.
_T = TypeVar("_T")

AGAIN = 0.5  # seconds of CPU time after which the exception is raised again, if it had no effect
MOST_CAUGHT = 6  # steps of one claim that may catch the exception, before it ends the whole claim
STACK = 1 << 20  # bytes for the second thread; the default of some systems is larger than a limit on memory allows
_starting = threading.Lock()  # the size of stacks can only be changed for all threads that start
_current: ContextVar[_Watch | None] = ContextVar("_current", default=None)


class BudgetSpent(BaseException):
    """The signal that the budget is used up. Like KeyboardInterrupt, it is not caught by `except Exception`."""


class _Watch:
    """The deadline for the thread that creates this object. Only this thread may call `stop` and `acknowledge`."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.spent, self.caught = seconds, False, 0
        self._raised = False  # whether an exception may still be on its way
        self.deadline = time.process_time() + seconds
        self.grace = 1.0 + seconds / 4
        self._target, self._lock, self._stopped = threading.get_ident(), threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="budget")

    def start(self) -> None:
        """Start the second thread. Raises RuntimeError if the system does not allow it, for lack of memory."""
        with _starting:
            default = threading.stack_size(STACK)
            try:
                self._thread.start()
            finally:
                threading.stack_size(default)

    def _run(self) -> None:
        while not self._stopped.wait(min(max(self.deadline - time.process_time(), 0.02), threading.TIMEOUT_MAX)):
            with self._lock:
                late = not self._stopped.is_set() and time.process_time() >= self.deadline
                if late and not _must_finish(self._target):
                    self.spent = True
                    self.deadline = time.process_time() + AGAIN
                    self._raised = True
                    _raise_in(self._target, BudgetSpent)

    def acknowledge(self) -> None:
        """Record that BudgetSpent was caught, and set a short deadline for the remaining steps.

        Each call allows half as much time as the call before. If there are more than MOST_CAUGHT calls, raise
        BudgetSpent.
        """
        self.spent = True
        self.caught += 1
        if self.caught > MOST_CAUGHT:
            raise BudgetSpent
        self.deadline = time.process_time() + self.grace
        self.grace /= 2

    def stop(self) -> None:
        """Stop the watch, and catch an exception that was requested but not yet raised."""
        # PyThreadState_SetAsyncExc with NULL would cancel the request, but then the interpreter looks for an exception
        # at each jump, which is slow in CPython 3.11 and never ends under a profiler; a new request replaces the first
        with self._lock:
            self._stopped.set()
        if self._raised:
            self._raised = False
            with suppress(BudgetSpent):
                _raise_in(self._target, BudgetSpent)
                for _ in range(1_000_000):  # the interpreter raises it at one of the first jumps
                    pass


def _must_finish(thread: int) -> bool:
    """Return whether the thread is importing a module, or calls WebAssembly.

    An exception would leave the module partly initialized, or damage the memory of the process.
    """
    frame = here = sys._current_frames().get(thread)  # noqa: SLF001 - public, by the documentation of sys
    while frame is not None and frame.f_code is not spend.__code__:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return is_called_back(here)


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def spend(seconds: float | None, work: Callable[[], _T]) -> _T:
    """Return the result of `work`. Raises BudgetSpent after `seconds` of CPU time; None means no limit.

    Raises RuntimeError if there is no memory for the thread that watches the time.
    Inside another call of `spend` in the same thread, only the outer budget applies.
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
    """Record that BudgetSpent was caught, and return the reason in words; "" without a budget.

    Raises BudgetSpent if it was caught more than MOST_CAUGHT times.
    """
    watch = _current.get()
    if watch is None:
        return ""
    watch.acknowledge()
    return describe_budget(watch.seconds)


def describe_budget(seconds: float | None) -> str:
    """Return the message that a budget is used up."""
    return "the budget is used up" if seconds is None else f"the budget of {seconds:g} s is used up"


def describe_spent() -> str:
    """Return a message if the budget of the claim is used up, otherwise ""."""
    watch = _current.get()
    return describe_budget(watch.seconds) if watch is not None and seconds_left() == 0 else ""


def seconds_left(wanted: float | None = None) -> float | None:
    """Return the remaining seconds of CPU time in the budget, but at most `wanted`.

    Without a budget, return `wanted`, where None means no limit.
    """
    watch = _current.get()
    if watch is None:
        return wanted
    left = 0.0 if watch.spent else max(0.0, watch.deadline - time.process_time())
    return left if wanted is None else min(left, wanted)


def renew(seconds: float | None) -> None:
    """Replace the current budget by `seconds` of CPU time. Do nothing if there is no budget, or `seconds` is None."""
    watch = _current.get()
    if watch is not None and seconds is not None:
        watch.spent, watch.caught, watch.deadline = False, 0, time.process_time() + seconds


# == faults ===========================================================================================================
# The exceptions for work that fails because of a limit of the machine, or because of a bug in this program.
class Exhausted(NimChecksError):
    """The error for a limit on memory, recursion or CPU time. The message names the step in which it was reached."""


class Spent(Exhausted):
    """The error for a claim whose CPU time is used up. The message gives the budget."""


class InternalFault(NimChecksError):
    """The error for a bug in this program.

    `where`: the step in which it occurred. `trace`: the traceback. `kind`: the exception in one line.
    """

    def __init__(self, where: str, error: Exception) -> None:
        super().__init__(where, error)
        self.where, self.trace = where, "".join(traceback.format_exception(error))
        self.kind = "".join(traceback.format_exception_only(error)).strip().replace("\n", ", ")

    def __str__(self) -> str:
        return f"internal error {self.where}: {self.kind}"

    def report(self, id: str) -> str:
        """Return the complete text for a bug report."""
        return f"internal error while settling {id}, {self.where}; please report it:\n{self.trace}"


_losses: ContextVar[list[str] | None] = ContextVar("_losses", default=None)


@contextmanager
def noticing_losses() -> Iterator[list[str]]:
    """Yield a list to which `guard` adds the failures inside this block, including failures that are handled.

    A result with such failures is not cached, because another attempt may succeed.
    """
    losses: list[str] = []
    token = _losses.set(losses)
    try:
        yield losses
    finally:
        _losses.reset(token)


def guard(where: str, work: Callable[[], _T]) -> _T:
    """Return the result of `work`. An exception becomes Exhausted, Spent or InternalFault with the step `where`.

    KeyboardInterrupt is not changed.
    """
    try:
        return _guard(where, work)
    except (Exhausted, InternalFault) as loss:
        if (losses := _losses.get()) is not None:
            losses.append(str(loss))
        raise


def _guard(where: str, work: Callable[[], _T]) -> _T:
    try:
        return work()
    except BudgetSpent:
        raise Spent(f"{acknowledge() or describe_budget(None)} {where}") from None
    except RecursionError:
        raise Exhausted(f"the recursion is too deep for Python {where}") from None
    except Exception as error:
        if lacks_memory(error):
            raise Exhausted(f"out of memory {where}") from None
        raise InternalFault(where, error) from error


def lacks_memory(error: Exception) -> bool:
    """Return whether the exception means that the system gave no more memory."""
    match error:
        case MemoryError():
            return True
        case RuntimeError():  # there is no memory for the stack of a thread
            return str(error) == "can't start new thread"
        case OSError(errno=errno.ENOMEM):
            return True
        case OSError() | ImportError():  # a library in machine code cannot be loaded: the linker's words
            return any(words in str(error) for words in ("failed to map segment", "annot allocate memory"))
        case _:
            return type(error).__module__.startswith("z3") and "out of memory" in str(error)


def run_within_budget(seconds: float | None, work: Callable[[], _T]) -> _T:
    """Return the result of `work`. Raises Spent after `seconds` of CPU time; None means no limit."""
    try:
        return spend(seconds, work)
    except BudgetSpent:
        raise Spent(acknowledge() or describe_budget(seconds)) from None


# == routes ===========================================================================================================
# The choice of routes for a claim, and the handling of a route that fails.
#
# An internal error in a route makes the verdict *inconsistent*. The message names the route. The answers of the other
# routes are kept.
Route = Callable[[Claim, Scope, float | None], RouteResult]


def ask_route(name: str, encoder: Route, claim: Claim, scope: Scope, budget: float | None) -> tuple[RouteResult, str]:
    """Return the answer of a route, and the text of its internal error or "".

    If the route failed or no time is left, the answer is UNKNOWN. `budget`: seconds; the route gets at most the time
    that is left.
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
    """Return the route for the [proof] of a claim.

    Return None without a [proof], or if `wanted` names only other routes.
    """
    route = rule_name(claim)
    if not route or (wanted and route not in wanted):
        return None

    def run_prover(claim: Claim, scope: Scope, budget: float | None) -> RouteResult:
        from encoders.proving.prove import prove

        return prove(claim, budget, effort)

    return run_prover


def choose_second(wanted: tuple[str, ...]) -> tuple[Route | None, Route | None]:
    """Return two further routes for the scope: one that is always called, and one for a scope that is left open.

    The first is the solver route if `wanted` names it, otherwise None. The second is the solver route if `wanted` is
    empty, otherwise None.
    """

    def run_bounded(claim: Claim, scope: Scope, budget: float | None) -> RouteResult:
        return cast(RouteResult, import_module("encoders.bounded.encoder").decide_by_smt(claim, scope, budget))

    return (run_bounded if "bounded" in wanted else None), (None if wanted else run_bounded)


def is_left_open(claim: Claim, answer: Decision, replays: tuple[tuple[Judgement, Judgement], ...]) -> bool:
    """Return whether a solver should try the scope.

    It should if the exhaustive route gave neither an answer nor a case, and the claim has no game.
    """
    return answer is Decision.UNKNOWN and not replays and not claim.games
