"""The start of the WebAssembly kernel, with an error on machines that cannot run it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from encoders.refusals import TooLarge

if TYPE_CHECKING:
    from encoders.kernel.machine import Machine


def open_machine() -> Machine:
    """Return a new WebAssembly kernel with its own memory. Raise TooLarge if it cannot run on this machine."""
    with _explaining_errors():
        from encoders.kernel.machine import Machine

        return Machine()


def load_kernel() -> None:
    """Translate the kernel into machine code, before other work uses up the memory.

    Raise TooLarge if it cannot run on this machine.
    """
    with _explaining_errors():
        from encoders.kernel.machine import load

        load()


@contextmanager
def _explaining_errors() -> Iterator[None]:
    try:
        yield
    # wasmtime has no wheel for this machine, or there is too little address space
    except (ImportError, OSError, RuntimeError, TooLarge) as error:
        raise TooLarge(f"the WebAssembly kernel cannot run on this machine: {error}") from None
