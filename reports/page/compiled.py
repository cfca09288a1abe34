"""Compiled templates, kept as Python keeps compiled modules: beside them, if it may, and believed as those are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache


class CompiledTemplates(FileSystemBytecodeCache):
    """In the folder that Python has for what it compiles beside `templates`.

    Jinja looks whether a template is still the one that was compiled.  `program`: a folder with all modules of ours
    that it calls in compiling.  What cannot be read is compiled anew, what cannot be written is let be.
    """

    def __init__(self, templates: Path, program: Path) -> None:
        made_by = sha256(repr([jinja2.__version__, *_stamps(program)]).encode()).hexdigest()[:16]
        folder = Path(cache_from_source(str(templates / "template.py"))).parent
        super().__init__(str(folder), f"%s.{sys.implementation.cache_tag}.{made_by}.pyc")

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except Exception:  # noqa: BLE001 - what is there may be anything, and pickle raises whatever it likes
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)


def _stamps(program: Path) -> Iterator[tuple[str, int, int]]:
    """What tells that a module is another one, as Python does: when it was written last, and its size."""
    for path in sorted(program.rglob("*.py")):
        found = path.stat()
        yield path.relative_to(program).as_posix(), found.st_mtime_ns, found.st_size
