"""`python -m checks`: the command line, in `checks.cli`."""

import gc

from checks import cli

RARELY = 50_000  # objects between two looks for what is garbage; a run has few circles, and its workers look as always


def main() -> None:
    """The command line, as a process of its own."""
    gc.set_threshold(RARELY)
    cli.main()


if __name__ == "__main__":
    main()
