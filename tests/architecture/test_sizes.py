"""Rules about names and types that linters do not check."""

from __future__ import annotations

import re
from collections import Counter

from exceptions import ANY
from house import PACKAGES, sources

EVERYTHING = (*PACKAGES, "benchmarks", "tests")
IGNORED = 2  # comments that silence mypy


def test_no_two_files_of_tests_have_one_name() -> None:
    """Pytest would silently ignore the second file."""
    names = Counter(path.name for path in sources("tests") if path.name.startswith("test_"))
    assert [name for name, count in names.items() if count > 1] == []


def occurrences(pattern: str, *folders: str) -> int:
    return sum(len(re.findall(pattern, path.read_text("utf-8"))) for path in sources(*folders))


def test_types_say_what_they_mean() -> None:
    found = occurrences(r"\bAny\b", *PACKAGES)
    assert found <= ANY, f"{found} times Any where {ANY} were allowed"
    assert found == ANY, f"only {found} times Any: lower ANY in exceptions.py to that"


def test_mypy_is_silenced_no_more_often() -> None:
    found = occurrences(r"#\s*type:\s*ignore", *EVERYTHING)
    assert found == IGNORED, f"{found} comments that silence mypy; expected {IGNORED}, or fewer and this number lowered"
