"""Answer the request of an agent (an AI program) by running a command of `checks` in a separate process, within limits.

The process reads only the library and the files of the request; these files are in a temporary folder. After a time
limit, this process and the processes that it started are killed. A long answer is shortened.
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
GRACE = 3.0  # seconds added to the budget, for starting the process and for reading and writing
MOST_OUTPUT = 8 << 20  # bytes; the rest of the output of a process is not read
MOST_WRITTEN = 64 << 20  # bytes in one file
MOST_MEMORY = 4 << 30


class BadQuestion(NimChecksError):
    """The error for an invalid request. No process is started; the message states the expected form."""


@dataclass(frozen=True)
class Budget:
    """The limits for one request.

    `seconds`: time.
    `characters`: length of the answer.
    `given`: number of characters in the request, including the names and the texts of its files.
    """

    seconds: float = 30.0
    characters: int = 8_000
    given: int = 64_000

    def grant_seconds(self, seconds: float) -> float:
        """Return the time for a request: the seconds that the agent asks for, but at most the limit.

        Raises BadQuestion unless the number of seconds is finite and above 0.
        """
        if not (isfinite(seconds) and seconds > 0):
            raise BadQuestion(f"seconds is {seconds}; expected a number above 0")
        return min(seconds, self.seconds)


@dataclass(frozen=True)
class ProcessOutput:
    """The output of a process. `code`: the exit code, or None if the process was killed at the time limit."""

    code: int | None
    out: str
    err: str


def lay_out(folder: Path, text: str, files: Mapping[str, str], budget: Budget) -> str:
    """Write the files of a request into a folder, and return the argument that names the claim in a command.

    `text`: the text of a claim file, the id of a claim in the library, or NO_CLAIM. For NO_CLAIM, the result is "".
    `files`: the texts of the other files, by name.
    Raises BadQuestion if the request is too long, a file name is invalid, or `text` cannot be a claim.
    """
    for name in files:
        if not FILES.fullmatch(name) or name == f"{CLAIM}.toml":
            raise BadQuestion(f"files: invalid file name {name[:80]!r}; expected a name such as my-nim.toml")
    if sum(map(len, (text, *files, *files.values()))) > budget.given:
        raise BadQuestion(f"the request has more than {budget.given} characters; expected one claim and its rulesets")
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
    """Return the argument that names a ruleset: the path of a file of the request, or the name of a library ruleset.

    Raises BadQuestion if the name is invalid.
    """
    if not RULESETS.fullmatch(word):
        raise BadQuestion(
            f"ruleset: invalid name {word[:80]!r}; expected a name such as nim, or my-nim for the file my-nim.toml"
        )
    return f"./{word}.toml" if (folder / f"{word}.toml").is_file() else word


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """Make a temporary folder for one request.

    The parent of this folder contains nothing else, so a claim in the folder cannot find other files.
    """
    with tempfile.TemporaryDirectory(prefix="checks-") as outer:
        inner = Path(outer) / "asked" / "claims"
        inner.mkdir(parents=True)
        yield inner


async def run_command(words: Sequence[str], folder: Path, seconds: float) -> ProcessOutput:
    """Run `checks` with the arguments `words` in a folder, and return its output.

    After `seconds` and GRACE more seconds, the process is killed.
    """
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
        finally:  # also if the agent has gone, and this task is cancelled
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                elif code is None:
                    process.kill()
            await process.wait()
    return ProcessOutput(code, _read(out), _read(err))


def _limit(pid: int, seconds: float) -> None:
    """Limit memory, CPU time and file size of a process and its children, on systems that have such limits."""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        cpu = int(2 * (seconds + GRACE)) + 1
        for kind, most in (("DATA", MOST_MEMORY), ("CPU", cpu), ("FSIZE", MOST_WRITTEN)):
            resource.prlimit(pid, getattr(resource, f"RLIMIT_{kind}"), (most, most))


def _read(path: Path) -> str:
    """Return the first MOST_OUTPUT bytes of a file as text, with the path of the library's folder removed."""
    with path.open("rb") as file:
        text = file.read(MOST_OUTPUT).decode("utf-8", "replace")
    return text.replace(f"{LIBRARY.parent}{os.sep}", "")


Tell = Callable[[ProcessOutput], Json]
"""A function that makes the answer for an agent from the output of a command."""


def take_answer(said: ProcessOutput, seconds: float, tell: Tell) -> Json:
    """Return `tell(said)`, or JSON that states why there is no answer.

    There is no answer if the process was killed, or if `tell` cannot use the output.

    `tell`: returns the answer that the output of the process contains.
    """
    if said.code is None or said.code < 0:
        ended = f"no answer within {seconds:g} s" if said.code is None else "stopped by a limit of memory, time or size"
        return {"verdict": "inconclusive", "stopped": f"{ended}: the claim is not settled"}
    try:
        return tell(said)
    except (ValueError, KeyError, TypeError, RecursionError):
        return {"refused" if said.code == 2 else "failed": said.err or said.out, "exit_code": said.code}


# -- compact answers --------------------------------------------------------------------------------------------------
SIZES = ((4_000, 60), (1_000, 30), (400, 12), (160, 6), (80, 3), (40, 1))
"""Pairs (longest text, longest list). The first pair that makes an answer short enough is used."""


def write_answer(data: Json, characters: int) -> str:
    """Return the data as JSON text without empty values, shortened to about `characters` characters.

    A mark such as `… (12 more characters)` replaces text or list elements that do not fit.
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
