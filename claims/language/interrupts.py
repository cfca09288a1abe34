"""Ctrl-C, SIGTERM and SIGHUP: three ways to ask a command to end, with the same effect.

The command line calls `catch_signals` before it imports anything else. From then on the phase determines the effect:

| phase | effect of a signal |
|---|---|
| STARTING | The process ends at once with exit code 3. There is nothing to save yet. |
| WORKING | KeyboardInterrupt is raised. Loops also call `Interrupted.check`: foreign code may swallow the exception. |
| WATCHING | The signal is remembered: a loop that calls `Interrupted.check` every second raises KeyboardInterrupt. |
| FINISHING | The signal is remembered, and files are completed. A second Ctrl-C raises KeyboardInterrupt. |
| HOLDING | The signal is remembered. A second Ctrl-C raises KeyboardInterrupt at the end of the phase. |
| ENDED | Nothing happens: the exit code is printed already. |

In the phase WORKING, a signal during a call of WebAssembly is only remembered; see `is_called_back`.

A process that waits for workers is in the phase WATCHING: an exception in the middle of a pool, or of Dask, would leave
its records incomplete. In this phase, too, a second Ctrl-C raises KeyboardInterrupt at once.

Only a second Ctrl-C has an additional effect. A repeated SIGTERM or SIGHUP has none, because a closing terminal or a
service manager may send several.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from types import FrameType

EXIT_CODE = 3
MOST_STOPS = 2000  # twenty a second; after 100 s the stoppers evidently cannot stop the call
NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Phase(Enum):
    """The phase of a process, which determines the effect of a signal (see the docstring of this module)."""

    STARTING = 0
    WORKING = 1
    WATCHING = 2
    FINISHING = 3
    HOLDING = 4
    ENDED = 5


_CALLS = ("wasmtime/_func.py", "wasmtime\\_func.py")  # the module that calls WebAssembly


class Interrupted:
    """The state of signal handling in this process, as class attributes. There are no instances.

    `now`: whether a signal has arrived. It is needed because code in C can swallow a KeyboardInterrupt.
    `again`: whether a second Ctrl-C has arrived in the phase HOLDING and was not raised yet.
    `caught`: whether `catch_signals` was called.
    `terminals`: which of the file descriptors 1 and 2 were terminals at the start.
    `stoppers`: functions that another thread calls to stop a call of foreign code, such as a solver.
    """

    now = False
    again = False
    phase = Phase.STARTING
    caught = False
    terminals: tuple[int, ...] = ()
    stoppers: tuple[Callable[[], None], ...] = ()

    @classmethod
    def check(cls) -> None:
        """Raise KeyboardInterrupt if a signal has arrived and the phase is WORKING or WATCHING."""
        if cls.now and cls.phase in (Phase.WORKING, Phase.WATCHING):
            raise KeyboardInterrupt


def list_signals() -> list[signal.Signals]:
    """Return the signals that ask a process to end, as far as the operating system supports them."""
    return [getattr(signal, name) for name in NAMES if hasattr(signal, name)]


def catch_signals() -> None:
    """Let the phase determine the effect of Ctrl-C, SIGTERM and SIGHUP in this process from now on.

    If SIGHUP is ignored, as under nohup, it stays ignored.
    """
    Interrupted.caught = True
    Interrupted.terminals = tuple(number for number in (1, 2) if os.isatty(number))
    for number in list_signals():
        if number.name != "SIGHUP" or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _handle)
    sys.unraisablehook = _tell_unraisable


def _handle(number: int, frame: FrameType | None) -> None:
    first, by_person = not Interrupted.now, number == signal.SIGINT
    Interrupted.now = True
    _let_go_of_terminals()
    match Interrupted.phase:
        case Phase.STARTING:
            with suppress(OSError):
                os.write(2, b"interrupted\n")
            os._exit(EXIT_CODE)
        case Phase.WORKING if (first or by_person) and not is_called_back(frame):
            raise KeyboardInterrupt
        case Phase.WATCHING | Phase.FINISHING if by_person and not first:
            raise KeyboardInterrupt
        case Phase.HOLDING if by_person and not first:
            Interrupted.again = True


def is_called_back(frame: FrameType | None) -> bool:
    """Whether the code of a frame runs inside a call of WebAssembly, because WebAssembly called a Python function.

    A signal must not raise an exception there, because at the start of such a Python function the exception would
    damage the memory of the process. These functions call `Interrupted.check` instead.
    """
    while frame is not None:
        if frame.f_code.co_filename.endswith(_CALLS):
            return True
        frame = frame.f_back
    return False


def _let_go_of_terminals() -> None:
    """Redirect further output to the null device if the terminal was closed, because writing to it would fail."""
    for number in Interrupted.terminals:
        if not os.isatty(number):
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def _tell_unraisable(found: sys.UnraisableHookArgs) -> None:
    """Handle an exception that Python cannot raise, because it occurred in a destructor or a callback.

    Ignore a KeyboardInterrupt, because `Interrupted.now` records the signal. Print all other exceptions as usual.
    """
    if not issubclass(found.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(found)


@contextmanager
def entering_phase(phase: Phase) -> Iterator[None]:
    """Set the phase inside the `with` block, and restore the earlier phase afterwards. The phase ENDED never changes.

    At the end of the phase HOLDING, raise KeyboardInterrupt if a second Ctrl-C has arrived.
    """
    before = Interrupted.phase
    if before is Phase.ENDED:
        yield
        return
    Interrupted.phase = phase
    try:
        yield
    finally:
        if Interrupted.phase is not Phase.ENDED:
            Interrupted.phase = before
    if Interrupted.again and phase is Phase.HOLDING:
        Interrupted.again = False
        raise KeyboardInterrupt


def end() -> None:
    """Enter the phase ENDED, in which signals have no effect, if `catch_signals` was called.

    A command calls this function just before it prints its exit code.
    """
    if Interrupted.caught:
        Interrupted.phase = Phase.ENDED


def block_signals() -> None:
    """Block the signals that ask a process to end, in this thread, until the end of the process.

    Python removes its signal handlers when a process ends, so a signal after this would kill the process.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, list_signals())


@contextmanager
def noticing_interrupts() -> Iterator[None]:
    """Run the `with` block in the phase WORKING, in which a signal raises KeyboardInterrupt.

    If foreign code swallows this exception, raise it at the end of the block. In a program that has not called
    `catch_signals`, handle only Ctrl-C. Outside the main thread, do nothing, because other threads get no signals.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread receives signals
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if not Interrupted.caught:
        Interrupted.now = False
        signal.signal(signal.SIGINT, _handle)
    try:
        with entering_phase(Phase.WORKING), _waking_foreign_code():
            Interrupted.check()
            yield
            Interrupted.check()
    finally:
        if not Interrupted.caught:
            Interrupted.now = False
            if before is not None:  # None: the handler was not set from Python
                signal.signal(signal.SIGINT, before)


@contextmanager
def _waking_foreign_code() -> Iterator[None]:
    """Call `Interrupted.stoppers` as soon as a signal arrives inside the `with` block.

    A separate thread calls them, because a signal handler of Python waits until foreign code returns. Windows has no
    such thread.
    """
    if os.name == "nt":
        yield
        return
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    before = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)

    def wait() -> None:
        while number := os.read(ours, 1):
            if signal.getsignal(number[0]) is not _handle:
                continue
            # The call may only begin now, so repeat until the handler in the main thread has run.
            for _ in range(MOST_STOPS):
                for stop in Interrupted.stoppers:
                    stop()
                if Interrupted.now:
                    break
                time.sleep(0.05)

    thread = threading.Thread(target=wait, name="signals", daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(theirs)  # the thread then reads the end of the file
        thread.join()
        os.close(ours)


@contextmanager
def holding_signals() -> Iterator[None]:
    """Block signals inside the `with` block, in this process and in the processes that start there.

    These processes unblock the signals when they are ready to handle them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, list_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_to_parent() -> None:
    """Ignore all signals in a worker process, because its parent process ends it. Unblock them if they are blocked."""
    for number in list_signals():
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, list_signals())
