"""What an answer takes on trust: theorems, solvers, rules of proof, and how a proof picks its heaps.

Code acts on the members of `Trust` alone; rules and picks are named for the reader of a report.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

RULE, PICK, PAGE = "rule: ", "pick: ", " (docs/proof-rules.md)"


class Trust(Enum):
    """The theorem. No member equals its text: whoever is relaxed by one asks for the member."""

    SPRAGUE_GRUNDY = "Sprague-Grundy theorem, for Grundy values of single heaps that split"
    """The one theorem that a route may take on trust for what it computes; the referee then does too."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class TrustedRule:
    """A rule of proof, by the words under which docs/proof-rules.md has it."""

    words: str

    def __str__(self) -> str:
        return f"{RULE}{self.words}{PAGE}"


@dataclass(frozen=True)
class TrustedPick:
    """That some position has a heap as the proof picks it, in the words of docs/proof-rules.md."""

    words: str

    def __str__(self) -> str:
        return f"{PICK}{self.words}"


@dataclass(frozen=True)
class TrustedSolver:
    """A solver, by its name."""

    words: str

    def __str__(self) -> str:
        return self.words


Trusted = Trust | TrustedRule | TrustedPick | TrustedSolver


def list_trusted(trusted: Iterable[Trusted]) -> tuple[str, ...]:
    """What is trusted in words, each once, in alphabetical order.

    >>> list_trusted([TrustedSolver("Z3"), TrustedRule("cases"), TrustedPick("top bit"), TrustedSolver("Z3")])
    ('Z3', 'pick: top bit', 'rule: cases (docs/proof-rules.md)')
    """
    return tuple(sorted({str(x) for x in trusted}))


def read_trusted(text: str) -> Trusted:
    """What a line of `list_trusted` names: a solver, where it is none of the others. For the reader of receipts.

    >>> [read_trusted(x) for x in ("Z3", "pick: top bit", "rule: cases (docs/proof-rules.md)")]
    [TrustedSolver(words='Z3'), TrustedPick(words='top bit'), TrustedRule(words='cases')]
    """
    for member in Trust:
        if text == member.value:
            return member
    if text.startswith(RULE) and text.endswith(PAGE):
        return TrustedRule(text.removeprefix(RULE).removesuffix(PAGE))
    return TrustedPick(text.removeprefix(PICK)) if text.startswith(PICK) else TrustedSolver(text)
