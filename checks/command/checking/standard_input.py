"""A claim on standard input: `-` among the words of a command, in place of a file."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from claims.language.ground.errors import ClaimError, SourceLocation
from claims.language.toml.source import MAX_BYTES
from claims.language.toml.trail import View, seen_from

STANDARD_INPUT = "-"
NAME = "stdin"


@contextmanager
def taking_input(words: tuple[str, ...], shown_here: bool = False) -> Iterator[tuple[str, ...]]:
    """The words, with the name of a file in place of `-`: what standard input holds, in a folder of its own.

    The file is gone at the end.  Rulesets are those of the library.  `shown_here`: the file is called stdin.toml, as
    if it lay in the working folder.  Raises ClaimError for more than a claim has.
    """
    if STANDARD_INPUT not in words:
        yield words
        return
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ClaimError(SourceLocation(NAME), f"more than {MAX_BYTES // 1024} KiB", "one claim")
    with tempfile.TemporaryDirectory(prefix="checks-") as folder:
        path = Path(folder) / f"{NAME}.toml"
        path.write_bytes(data)
        view = View(Path.cwd(), ((Path(folder), Path.cwd()),))
        with seen_from(view) if shown_here else nullcontext():
            yield tuple(str(path) if word == STANDARD_INPUT else word for word in words)
