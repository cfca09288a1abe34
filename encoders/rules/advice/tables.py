"""The rows of which advice is made: shapes of claims that a rule is for, and what its obligations ask for if they fail.

docs/proving.md is made from these rows too, so that the page and the tool say the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from encoders.rules.advice.shape import Shape

_WHO = re.compile(r" \(\w+ to move\)")
_OPEN = re.compile(r"'…'|…|\d+")  # in the name of an obligation: what stands for anything


@dataclass(frozen=True)
class Fit:
    """Claims that a rule is for. `shape`: which, in words; `meets`: whether one is; `write`: what to begin with."""

    shape: str
    meets: Callable[[Shape], bool]
    write: str


@dataclass(frozen=True)
class Remedy:
    """What an obligation that is not proved asks for.

    `name`: as it is called, where … and numbers stand for any text and any number.  `means`: what may be the case then;
    `change`: what to change.
    """

    name: str
    means: str
    change: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What the names of such obligations match, but for whose turn it is."""
        return re.compile(_open(self.name), re.DOTALL)

    def is_for(self, name: str) -> bool:
        """Whether an obligation of this name is one.

        >>> row = Remedy("fact '…', no heap", "", "")
        >>> row.is_for("fact 'few', no heap"), row.is_for("fact 'few', one more heap")
        (True, False)
        >>> row = Remedy("reply 1: legal", "", "")
        >>> row.is_for("reply 12 (P2 to move): legal"), row.is_for("reply 3.1: legal")
        (True, True)
        """
        return self.pattern.fullmatch(_WHO.sub("", name)) is not None

    @property
    def words(self) -> str:
        """Both, as sentences behind a colon."""
        return f"{self.means}. {self.change}."


def _open(name: str) -> str:
    text, at = "", 0
    for found in _OPEN.finditer(name):
        any_ = {"'…'": r"(?:'.*'|\".*\")", "…": ".+"}.get(found[0], r"\d+(?:\.\d+)*")
        text, at = text + re.escape(name[at : found.start()]) + any_, found.end()
    return text + re.escape(name[at:])


@dataclass(frozen=True)
class Advice:
    """That of one rule. `remedies`: one for each of its obligations."""

    fits: tuple[Fit, ...] = ()
    remedies: tuple[Remedy, ...] = ()

    def find(self, name: str) -> Remedy | None:
        """What an obligation of this name asks for, if it fails."""
        return next((row for row in self.remedies if row.is_for(name)), None)
