"""`python -m checks`, and `checks` alone: the command line, in `checks.command.cli`.

Nothing is executed from the folder that the user stands in, which may be a stranger's.  `python -m` puts that folder
first on the path, and worker processes look there as they start.  So it is left before anything else is imported; what
is imported up to there, Python has loaded already.  Z3 looks there for its library: `encoders.z3_library`.
"""

import atexit
import gc
import os
import sys
from importlib.machinery import PathFinder

OURS = ("checks", "claims", "encoders", "reports")


def order_path(path: list[str], folder: str, home: str) -> list[str]:
    """The path without `folder` before the standard library. `home`: of these packages, where they are found still.

    A clone that is `folder` itself comes last, but before another copy, so that no run is made of two versions.
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
    """Have this process, and those that it starts, take no code from the folder that the user stands in."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as above
    try:  # noqa: SIM105 - contextlib is not loaded yet
        sys.path[:] = order_path(sys.path, os.path.realpath(os.curdir), home)
    except OSError:
        pass  # a folder that was removed holds nothing
    os.environ["PYTHONSAFEPATH"] = "1"


gc.set_threshold(50_000, 20, 50)  # half of what a short run makes are modules, in which there is nothing to be freed
atexit.register(gc.freeze)  # run last of all: nor is it looked for in what ends with the process
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts threads for matrices of reals; there are none here
leave_folder()


def main() -> None:
    """Run the command, and end the process with its exit code; an error of ours is told, and ends it with 4."""
    from claims.language.interrupts import block_signals, catch_signals, end

    catch_signals()
    try:
        from checks.command.cli import main as command

        command()
    except Exception:  # noqa: BLE001 - whatever it is, Python would end with 1, which means something else
        import traceback

        traceback.print_exc()
        print("internal error; please report it", file=sys.stderr)  # noqa: T201
        sys.exit(4)
    finally:
        end()
        block_signals()


if __name__ == "__main__":
    main()
