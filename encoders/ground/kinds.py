"""Kinds of obligations, each declared once: what one is called, what it shows, what its failure means, what to change.

The names of obligations, the words of outlines, hints and the tables of docs/proving.md are made from them.  What is to
be done whatever was asked, as where a search gave up, is a cause.  Code acts on kinds and causes, never on their words.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from enum import Enum

LEFT_OUT = {"who": "", "of": "", "where": ""}


@dataclass(frozen=True, eq=False)
class ObligationKind:
    """`called`: a name with {parts} for what differs between obligations of the kind.

    Of these `who`, the mover, `of`, the game, and `where`, the case, may be left out.  `means`, `change`: what may be
    the case if it fails, and what to change then.  `shows`: in a word or two, beside a line of the outline; "" where
    the line says it in words of its own.

    >>> ObligationKind("closed{who}", "", "").of(who=to_move("P1")).name
    'closed (P1 to move)'
    """

    called: str
    means: str
    change: str
    shows: str = ""

    def of(self, **parts: object) -> ObligationLabel:
        """An obligation of the kind, with these parts in its name."""
        return ObligationLabel(self, self.called.format(**{**LEFT_OUT, **parts}))

    @property
    def row(self) -> str:
        """Its name in the tables for whoever writes a proof: … for any text, 1 for any number.

        >>> ObligationKind("lemma {name!r}", "", "").row, ObligationKind("reply {number}{who}: legal", "", "").row
        ("lemma '…'", 'reply 1: legal')
        """
        usual = {**LEFT_OUT, "number": 1}
        parts = {part for _, part, _, _ in string.Formatter().parse(self.called) if part}
        return self.of(**{part: usual.get(part, "…") for part in parts}).name

    @property
    def words(self) -> str:
        """What it asks for, as sentences behind a colon."""
        return f"{self.means}. {self.change}."


@dataclass(frozen=True)
class ObligationLabel:
    """One obligation: of which kind it is, and its name, which no other of the proof has."""

    kind: ObligationKind
    name: str

    @property
    def shown(self) -> tuple[str, str]:
        """As a line of an outline names it."""
        return self.kind.shows, self.name


NUMBERS = "It says nothing of the claim, only of numbers"
FAULT = "If it fails the tool is at fault: please report it"


def about_numbers(called: str, shows: str = "") -> ObligationKind:
    """Facts about numbers alone, which nothing in a file could make false."""
    return ObligationKind(called, NUMBERS, FAULT, shows)


def to_move(who: str) -> str:
    """Whose turn it is, behind a name; nothing where all have the same moves."""
    return f" ({who} to move)" if who else ""


class OpenReason(Enum):
    """Why an obligation is open, or a proof says nothing, where that tells what to do. Its kind says how it is told."""

    GAVE_UP = ObligationKind(
        "the solver gave up: {reason}",
        "It may hold all the same: the solver saw neither why nor why not, within its steps",
        "State what it has to see as a fact or lemma, or split a case; write products of symbols as digits; try a "
        "smaller `sizes`, or more `--effort`",
    )
    UNREAD = ObligationKind(
        "the rule does not read the condition {condition}, and without it nothing shows this",
        "The rule cannot assume a condition that it does not read, so it does not know whether the obligation holds",
        "Say the condition by sums, differences, products, quotients, remainders and comparisons, or leave out [proof]",
    )
    OUT_OF_TIME = ObligationKind("out of time", "The time for the proof ran out", "Allow more by `--budget`")
    HYPOTHESES = ObligationKind(
        "the hypotheses contradict each other: nothing is claimed",
        "There is no case in which the claim says anything",
        "Look for a slip in `if` or in a domain of [forall]",
    )
    LEMMAS = ObligationKind(
        "the hypotheses contradict the lemmas: nothing is claimed",
        "By the lemmas there is no case in which the claim says anything",
        "Look at the cases of the scope that meet the hypotheses: either a lemma does not say what it should, or the "
        "claim can be left out",
    )
    NO_CASE_BELOW = ObligationKind(
        "no case is known that lies below it",
        "The proof has a bound, and the scope shows no case below it that meets the hypotheses",
        "Raise `sizes`, or let the scope reach such a case",
    )
    LEMMA_BELOW = ObligationKind(
        'the lemma {lemma} is proved below {bound} only: it needs a line sizes = "< {bound}"',
        "What rests on a lemma reaches no further than it does",
        "Write that line below [proof]",
    )

    def says(self, **parts: object) -> str:
        """It in words."""
        return self.value.of(**parts).name
