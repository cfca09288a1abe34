"""The line at the foot of a terminal while a run goes on: how much is done, how much is left, what is being settled."""

from __future__ import annotations

from collections.abc import Sequence

MOST, LEAST = 24, 8  # columns of the bar itself


def write_bar(done: int, total: int, seconds: float, names: Sequence[str], columns: int, plain: bool = False) -> str:
    """The line, in fewer than so many columns. `names`: of the claims in progress; they are whole or left out.

    `plain`: in ASCII.

    >>> write_bar(1, 4, 62, ["nim/bouton", "nim/misere"], 53, plain=True)
    '##...... 1 of 4, 3 left, 1:02  nim/bouton and 1 more'
    """
    counts = f"{done} of {total}, {total - done} left, {int(seconds) // 60}:{int(seconds) % 60:02}"
    for widths in ((MOST, LEAST), (0,)):
        for shown in range(len(names), 0, -1):
            more = len(names) - shown
            told = ", ".join(names[:shown]) + (f" and {more} more" if more else "")
            lines = (f"{_draw(done, total, width, plain)}{counts}  {told}" for width in widths)
            if found := next((line for line in lines if len(line) < columns), ""):
                return found
    line = _draw(done, total, LEAST, plain) + counts
    return line if len(line) < columns else counts[: columns - 1]


def _draw(done: int, total: int, width: int, plain: bool) -> str:
    full, empty = "#." if plain else "━─"
    filled = width * done // total if total else width
    return full * filled + empty * (width - filled) + " " * bool(width)
