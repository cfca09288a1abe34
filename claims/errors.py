"""What a reader of a claim file is told when it cannot be used: where, what was met, what was expected.

Every rejection of a file is a `ClaimError`.  It carries a place in the file and prints like a compiler:

    claims/kl-nim/lemma-11.toml:21:17: unknown name 'nim_sm'
      then = "any(nim_sm(t) == 0 for t in options(s, P2))"
                  ^^^^^^
    expected: a variable, a definition or a function of the language; did you mean 'nim_sum'?
"""

from __future__ import annotations

from dataclasses import dataclass


class LanguageError(Exception):
    """A fault inside one expression: `start` and `end` are offsets into its text (0-based, end exclusive)."""

    def __init__(self, message: str, expected: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message, self.expected, self.start, self.end = message, expected, start, max(end, start + 1)
        self.where: tuple[str, ...] = ()  # the key, in the file, of the text the offsets are into; () until known


@dataclass(frozen=True)
class Place:
    """A place in a file: line and column count from 1; `width` characters are marked."""

    file: str
    line: int = 0
    column: int = 0
    width: int = 1
    text: str = ""


class ClaimError(Exception):
    """A claim or ruleset file that cannot be used. `str(error)` is the whole text for a person."""

    def __init__(self, place: Place, message: str, expected: str = "") -> None:
        super().__init__(message)
        self.place, self.message, self.expected = place, message, expected

    def __reduce__(self) -> tuple[type[ClaimError], tuple[Place, str, str]]:
        return ClaimError, (self.place, self.message, self.expected)

    def __str__(self) -> str:
        p = self.place
        if p.line:
            lines = [f"{p.file}:{p.line}:{p.column}: {self.message}"]
            if p.text:
                # A very long line is shown as a window around the fault.
                cut = max(0, p.column - 60) if len(p.text) > 110 else 0
                shown = p.text[cut : cut + 110]
                room = max(1, len(shown) - (p.column - 1 - cut))
                lines.append("  " + shown)
                lines.append("  " + " " * (p.column - 1 - cut) + "^" * max(1, min(p.width, room)))
        else:
            lines = [f"{p.file}: {self.message}"]
        if self.expected:
            lines.append(f"expected: {self.expected}")
        return "\n".join(lines)


def nearest(word: str, choices: list[str]) -> str:
    """'; did you mean ...?' for the nearest of `choices`, or an empty string.

    >>> nearest("nim_sm", ["nim_sum", "sum"])
    "; did you mean 'nim_sum'?"
    """
    import difflib

    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""
