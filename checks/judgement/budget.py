"""The CPU time that settling one claim may take, and the exception that ends what takes more.

A thread watches the clock and raises `BudgetSpent` in the thread that it watches, wherever that is in Python code; a
call of C code (Z3, numpy, the kernel) has to return before.  That works in every thread and on every system.  C code
that does not return is ended by `cap_cpu` of `checks.execution.ground.memory`, in worker processes.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import TypeVar

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
