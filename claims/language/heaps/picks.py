"""What a move picks for its heaps, and what it makes of them, as far as the text alone tells."""

from __future__ import annotations

import re
from collections import Counter

from claims.language.terms.terms import Operation, Term, Variable

_OPENING, _CLOSING = "([{", ")]}"


def split_list_range(text: str) -> tuple[str, str] | None:
    """The lists of lower and of upper bounds of `[a..b for i in c]`, each word at its place; None for another text.

    >>> split_list_range("[0..h.c[i] for i in range(k)]")
    ('[0         for i in range(k)]', '[   h.c[i] for i in range(k)]')
    >>> split_list_range("0..h"), split_list_range("[h for h in c]")
    (None, None)
    """
    if not re.fullmatch(r"\s*\[.*\]\s*", text, re.DOTALL):
        return None
    start, dots = text.index("[") + 1, text.find("..")
    clause = next((m.start() for m in re.finditer(r"\bfor\b", text) if _is_inside(text[start : m.start()])), -1)
    if not start < dots < clause:
        return None
    low = text[:dots] + " " * (clause - dots) + text[clause:]
    high = text[:start] + " " * (dots + 2 - start) + text[dots + 2 :]
    return low, high


def _is_inside(before: str) -> bool:
    """Whether every bracket of a text is closed in it."""
    return sum(map(before.count, _OPENING)) == sum(map(before.count, _CLOSING))


def only_splits(heaps: tuple[str, ...], become: tuple[Term, ...]) -> bool:
    """Whether what becomes of heaps is plainly all of them, so that their objects cannot become fewer."""
    total = Counter[str]()

    def is_sum(term: Term, sign: int) -> bool:
        match term:
            case Variable(name=name):
                total[name] += sign
                return True
            case Operation(op="add" | "sub" as op, args=(a, b)):
                return is_sum(a, sign) and is_sum(b, sign if op == "add" else -sign)
        return False

    sums = len(become) > 1 and all(is_sum(part, 1) for part in become)
    return sums and {name: n for name, n in total.items() if n} == dict.fromkeys(heaps, 1)
