"""The start of the WebAssembly kernel, with an error on machines that cannot run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from encoders.refusals import TooLarge

if TYPE_CHECKING:
    from encoders.kernel.machine import Machine


def open_machine() -> Machine:
    """Return a new WebAssembly kernel with its own memory. Raise TooLarge if it cannot run on this machine."""
    try:
        from encoders.kernel.machine import Machine

        return Machine()
    # wasmtime has no wheel for this machine, or there is too little address space
    except (ImportError, OSError, RuntimeError, TooLarge) as error:
        raise TooLarge(f"the WebAssembly kernel cannot run on this machine: {error}") from None


def load_kernel() -> None:
    """Translate the kernel into machine code, before other work uses up the memory.

    Raise TooLarge if it cannot run on this machine.
    """
    try:
        from encoders.kernel.machine import load

        load()
    except (ImportError, OSError, RuntimeError) as error:
        raise TooLarge(f"the WebAssembly kernel cannot run on this machine: {error}") from None
