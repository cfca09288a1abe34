"""The entry point of `python -m checks` and of `checks`; the command line is in `checks.command.cli`.

No code from the current folder is executed, because a stranger may have written its files. `python -m` puts the current
folder first on the import path, and worker processes import from their current folder. Therefore this module removes
the folder from the path before it imports anything except standard modules that Python has already loaded. Z3 also
searches the current folder for its library; see `encoders.z3_library`.
"""

import atexit
import gc
import os
import sys
from importlib.machinery import PathFinder

OURS = ("checks", "claims", "encoders", "reports")


def order_path(path: list[str], folder: str, home: str) -> list[str]:
    """Return the import path without the entries for `folder` that precede the standard library.

    `home`: the folder that contains the four packages of nim-checks. If `folder` is `home`, the folder is a clone of
    this repository. In this case, `folder` is inserted before the first other copy of the packages, or at the end if
    there is none, so that one run never mixes two versions.
    """
    library = os.path.dirname(os.path.realpath(os.__file__))  # noqa: PTH120 - pathlib is not loaded yet
    real = [os.path.realpath(entry) for entry in path]
    ahead = real.index(library) if library in real else len(path)
    rest = [entry for i, entry in enumerate(path) if real[i] != folder or i >= ahead]
    if folder == home:
        at = next((i for i, entry in enumerate(rest) if _holds_ours(entry)), len(rest))
        if home not in map(os.path.realpath, rest[at : at + 1]):
            rest.insert(at, home)
    return rest


def _holds_ours(entry: str) -> bool:
    found = [PathFinder.find_spec(name, [entry]) for name in OURS]
    return any(spec is not None and spec.loader is not None for spec in found)


def leave_folder() -> None:
    """Stop this process, and the processes that it starts, from importing code from the current folder."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as above
    try:  # noqa: SIM105 - contextlib is not loaded yet
        sys.path[:] = order_path(sys.path, os.path.realpath(os.curdir), home)
    except OSError:
        pass  # the current folder was removed, so it contains no code
    os.environ["PYTHONSAFEPATH"] = "1"


gc.set_threshold(50_000, 20, 50)  # half of the objects of a short run belong to modules and are never freed
atexit.register(gc.freeze)  # runs last, so that no garbage is collected while the process ends
os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # numpy would start threads for real matrices, which are not used here
leave_folder()


def main() -> None:
    """Run the command, and end the process with its exit code.

    After an internal error, print its traceback, and end the process with 4.
    """
    from claims.language.interrupts import block_signals, catch_signals, end

    catch_signals()
    try:
        from checks.command.cli import main as command

        command()
    except Exception:  # noqa: BLE001 - for an uncaught error Python would exit with 1, which has another meaning
        import traceback

        traceback.print_exc()
        print("internal error; please report it", file=sys.stderr)  # noqa: T201
        sys.exit(4)
    finally:
        end()
        block_signals()


if __name__ == "__main__":
    main()
