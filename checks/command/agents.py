"""A question of another program, answered by a command of ours in a process of its own, within a budget.

The process reads nothing but the library and the files that came with the question, in a folder that is gone
afterwards.  Whoever takes longer than asked is ended, with all that it started; what it says is cut to a size.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from checks.results.shown import Json
from claims.language.errors import NimChecksError, escape_invisible
from claims.language.files.library import LIBRARY

CLAIM, NO_CLAIM = "claim", ""
IDS = re.compile(r"[\w-]{1,80}/[\w-]{1,80}(?:@[\w-]{1,40})?")
RULESETS = re.compile(r"[A-Za-z0-9][\w-]{0,80}")
FILES = re.compile(r"[A-Za-z0-9][\w-]{0,80}\.toml")
GRACE = 3.0  # seconds beyond the budget, in which a process starts, reads and writes
MOST_OUTPUT = 8 << 20  # bytes that are read of what a process says
MOST_WRITTEN = 64 << 20  # bytes of one file that a process writes
MOST_MEMORY = 4 << 30


class BadQuestion(NimChecksError):
    """A question that no process is started for; the message says what was expected."""


@dataclass(frozen=True)
class Budget:
    """`seconds`: at most for one answer; `characters`: of what is said; `given`: of all that comes with a question."""

    seconds: float = 30.0
    characters: int = 8_000
    given: int = 64_000

    def grant_seconds(self, seconds: float) -> float:
        """The seconds that are asked for, as far as they are granted. Raises BadQuestion."""
        if not (isfinite(seconds) and seconds > 0):
            raise BadQuestion(f"seconds is {seconds}; expected a number above 0")
        return min(seconds, self.seconds)


@dataclass(frozen=True)
class ProcessOutput:
    """What a process said. `code`: its exit code, None if it was ended since it took too long."""

    code: int | None
    out: str
    err: str


def lay_out(folder: Path, text: str, files: Mapping[str, str], budget: Budget) -> str:
    """Write a claim file and those beside it, and give the word that names the claim. Raises BadQuestion.

    `text`: a claim file, the id of a claim of the library, or NO_CLAIM.
    """
    for name in files:
        if not FILES.fullmatch(name) or name == f"{CLAIM}.toml":
            raise BadQuestion(f"files: {name[:80]!r} is no name; expected one such as my-nim.toml")
    if sum(map(len, (text, *files, *files.values()))) > budget.given:
        raise BadQuestion(f"more than {budget.given} characters; expected one claim and its rulesets")
    for name, content in files.items():
        _write(folder / name, content)
    if text == NO_CLAIM:
        return ""
    if IDS.fullmatch(text.strip()):
        return text.strip()
    if "\n" not in text and "=" not in text:
        raise BadQuestion(f"claim: {text[:80]!r} is neither an id such as nim/bouton nor the text of a claim file")
    _write(folder / f"{CLAIM}.toml", text)
    return f"./{CLAIM}.toml"


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "replace"))


def name_ruleset(word: str, folder: Path) -> str:
    """The word that names a ruleset: of the library, or a file that came with the question. Raises BadQuestion."""
    if not RULESETS.fullmatch(word):
        raise BadQuestion(f"ruleset: {word[:80]!r} is no name; expected one such as nim, or that of one of the files")
    return f"./{word}.toml" if (folder / f"{word}.toml").is_file() else word


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """A folder for one question. The files lie in one below it, so that none beside it is found from there."""
    with tempfile.TemporaryDirectory(prefix="checks-") as outer:
        inner = Path(outer) / "asked" / "claims"
        inner.mkdir(parents=True)
        yield inner


async def run_command(words: Sequence[str], folder: Path, seconds: float) -> ProcessOutput:
    """What `checks` says to these words in a folder, within so many seconds and GRACE; then it is ended."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CHECKS_")}
    environment |= {
        "CHECKS_CACHE": "off",
        "CHECKS_CONFIG": "off",
        "TMPDIR": str(folder.parent),
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
    }
    out, err = folder.parent / "out", folder.parent / "err"
    with out.open("wb") as told, err.open("wb") as warned:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "checks", *words),
            cwd=folder,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=told,
            stderr=warned,
            start_new_session=True,
        )
        _limit(process.pid, seconds)
        code: int | None = None
        try:
            code = await asyncio.wait_for(process.wait(), seconds + GRACE)
        except TimeoutError:
            pass
        finally:  # also where whoever asked is gone
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                elif code is None:
                    process.kill()
            await process.wait()
    return ProcessOutput(code, _read(out), _read(err))


def _limit(pid: int, seconds: float) -> None:
    """Limits of memory, of CPU time and of files, for a process and what it starts, where the system has them."""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        cpu = int(2 * (seconds + GRACE)) + 1
        for kind, most in (("DATA", MOST_MEMORY), ("CPU", cpu), ("FSIZE", MOST_WRITTEN)):
            resource.prlimit(pid, getattr(resource, f"RLIMIT_{kind}"), (most, most))


def _read(path: Path) -> str:
    """What a process said, readable, and without the path of this machine's library."""
    with path.open("rb") as file:
        text = file.read(MOST_OUTPUT).decode("utf-8", "replace")
    return text.replace(f"{LIBRARY.parent}{os.sep}", "")


Tell = Callable[[ProcessOutput], Json]
"""What is told of what a command said."""


def take_answer(said: ProcessOutput, seconds: float, tell: Tell) -> Json:
    """Nothing is made of the words of a process that was ended, or that refused the question."""
    if said.code is None or said.code < 0:
        ended = f"no answer within {seconds:g} s" if said.code is None else "ended by a limit of memory, time or size"
        return {"verdict": "inconclusive", "stopped": f"{ended}: nothing is known"}
    try:
        return tell(said)
    except (ValueError, KeyError, TypeError, RecursionError):
        return {"refused" if said.code == 2 else "failed": said.err or said.out, "exit_code": said.code}


# -- compact answers --------------------------------------------------------------------------------------------------
SIZES = ((4_000, 60), (1_000, 30), (400, 12), (160, 6), (80, 3), (40, 1))
"""Of a text and of a list, what is kept: the first pair with which an answer fits."""


def write_answer(data: Json, characters: int) -> str:
    """JSON without what is empty, cut until it has at most so many characters; what was cut is told where it was.

    >>> write_answer({"verdict": "proved", "faults": [], "why": "x" * 9}, 99)
    '{"verdict":"proved","why":"xxxxxxxxx"}'
    """
    text = ""
    for longest, most in SIZES:
        text = escape_invisible(json.dumps(_shorten(data, longest, most), ensure_ascii=False, separators=(",", ":")))
        if len(text) <= characters:
            return text
    return json.dumps({"cut": f"an answer of more than {characters} characters", "begins": text[: characters // 2]})


def _shorten(value: Json, longest: int, most: int) -> Json:
    if isinstance(value, str):
        text = escape_invisible(value)
        return text if len(text) <= longest else f"{text[:longest]}… ({len(text) - longest} more characters)"
    if isinstance(value, list):
        kept = [_shorten(x, longest, most) for x in value[:most]]
        return kept if len(value) <= most else [*kept, f"… ({len(value) - most} more)"]
    if isinstance(value, dict):
        cut = {key: _shorten(x, longest, most) for key, x in value.items()}
        return {key: x for key, x in cut.items() if x not in ("", None, [], {})}
    return value
