"""Files of many test cases: the input files of each case and the text that is expected for it.

----- rulesets/nim.toml
a file that all cases of this file share

===== name of a case
the input, which is written to "name of a case.toml"
----- definitions.toml
a further file of this case
----- expected
the expected text
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

CASE = "===== "
FILE = "----- "
EXPECTED = "expected"


@dataclass(frozen=True)
class Case:
    """One case of a file of cases.

    It has input files, by relative path, and an expected text. The test reads the first input file.
    """

    name: str
    files: dict[str, str]
    expected: str


def read_cases(path: Path) -> tuple[dict[str, str], list[Case]]:
    """Return the shared files and the cases of a file. Raise ValueError for a case without an expected text."""
    text = path.read_text("utf-8")
    head, *parts = re.split(rf"^{CASE}(.+)\n", text, flags=re.MULTILINE)
    cases = []
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        files = {f"{name}.toml": body.partition(f"\n{FILE}")[0] + "\n"} | _split(body)
        if EXPECTED not in files:
            raise ValueError(f"{path}: the case {name} lacks a line '{FILE}{EXPECTED}'")
        cases.append(Case(name, files, files.pop(EXPECTED)))
    return _split(head), cases


def _split(body: str) -> dict[str, str]:
    """Return the named files in a part of the text."""
    parts = re.split(rf"^{FILE}(.+)\n", body, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def write_cases(path: Path, shared: dict[str, str], cases: list[Case]) -> None:
    """Write a file that `read_cases` reads."""
    lines = [f"{FILE}{name}\n{text}" for name, text in shared.items()]
    for case in cases:
        (_, first), *others = case.files.items()
        named = [f"{FILE}{name}\n{text}" for name, text in (*others, (EXPECTED, case.expected))]
        lines += [f"{CASE}{case.name}\n{first}", *named]
    path.write_text("".join(lines), "utf-8", newline="\n")


def read_text(file: Path, case: str) -> str | None:
    """Return the text of a golden file. With a case, return the text after its line '===== <case>', or None."""
    text = file.read_text("utf-8")
    return dict(_split_texts(text)).get(case) if case else text


def renew_text(file: Path, text: str, case: str) -> None:
    """Write a golden file, or one case in it. Several processes of pytest-xdist may write at the same time."""
    import fcntl

    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a+", encoding="utf-8", newline="\n") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        opened.seek(0)
        if case:
            assert text.endswith("\n"), "the text of a case ends with a newline"
            texts = dict(_split_texts(opened.read())) | {case: text}
            text = "".join(f"{CASE}{name}\n{of_case}" for name, of_case in sorted(texts.items()))
        opened.truncate(0)
        opened.write(text)


def _split_texts(text: str) -> Iterator[tuple[str, str]]:
    parts = re.split(rf"^{CASE}(.+)\n", text, flags=re.MULTILINE)[1:]
    return zip(parts[::2], parts[1::2], strict=True)


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write the files, by their paths relative to the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", newline="\n")


def write_inputs(path: Path, folder: Path) -> Iterator[tuple[Case, Path]]:
    """Write the input files of all cases in a file. Yield each case with the folder of its input files.

    A case with further files has a separate folder. All other cases share a folder, so that they may refer to each
    other.
    """
    shared, cases = read_cases(path)
    for number, case in enumerate(cases):
        own = folder / (str(number) if len(case.files) > 1 else "together")
        write_files(own, shared | case.files)
    for number, case in enumerate(cases):
        yield case, folder / (str(number) if len(case.files) > 1 else "together")


def check_cases(path: Path, found: list[str], renew: bool) -> None:
    """Compare the text found for each case with the expected text.

    `renew`: write the new texts to the file instead of failing.
    """
    shared, cases = read_cases(path)
    now = [replace(case, expected=text) for case, text in zip(cases, found, strict=True)]
    wrong = [pair for pair in zip(cases, now, strict=True) if pair[0] != pair[1]]
    if wrong and renew:
        write_cases(path, shared, now)
    elif wrong:
        shown = [f"{CASE}{old.name}\nexpected:\n{old.expected}found:\n{new.expected}" for old, new in wrong]
        pytest.fail(f"{path}: if the new text is right, run pytest --renew-golden\n" + "\n".join(shown), pytrace=False)
