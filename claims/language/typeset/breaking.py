"""Where a line may end within a formula that is too long for one: before a sign, outside as few brackets as will do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

LONG = 16  # signs: a piece of more is broken within its brackets as well
_BEFORE = frozenset("+ − ⊕ · = ≠ < ≤ > ≥ ∈ ∉ ⊆ ∧ ∨ ⟹ ⟺ ⇎".split())
_TAG = re.compile(r"<(/?)(\w+)[^>]*>")
_OPERATOR = re.compile(r"<mo([^>]*)>([^<]*)</mo>")
_INFIX = 'form="infix" lspace="0"'  # a space of the text precedes it
_Atom = tuple[int, str]
"""What no line ends within, and in how many rows and brackets it stands."""


def break_up(markup: str) -> list[str]:
    """The formula in pieces between which a line may end; one piece where there is no such place.

    What grows with what it encloses, as the brace of a choice does, is never broken.

    >>> sign, name = "<mo>+</mo>", "<mi>{}</mi>".format
    >>> break_up(f"<mrow>{name('long' * 4)}{sign}{name('x')}</mrow>")
    ['<mi>longlonglonglong</mi>', '<mo form="infix" lspace="0">+</mo><mi>x</mi>']
    """
    return list(_break(list(_list_atoms(markup, 0))))


def width(markup: str) -> int:
    """About how many signs it shows."""
    return len(unescape(re.sub(r"<[^>]*>", "", markup)))


def _break(atoms: list[_Atom]) -> Iterator[str]:
    """The pieces of atoms that are broken where they stand in the fewest brackets, and further where that is long."""
    whole = "".join(markup for _, markup in atoms)
    depths = [depth for depth, markup in atoms[1:] if _is_sign(markup)]
    if width(whole) <= LONG or not depths:
        yield _join(atoms)
        return
    least = min(depths)
    starts = [0, *(i for i, (depth, x) in enumerate(atoms) if i and depth == least and _is_sign(x)), len(atoms)]
    for start, end in zip(starts, starts[1:], strict=False):
        yield from _break(atoms[start:end])


def _join(atoms: list[_Atom]) -> str:
    (_, first), *rest = atoms
    if _is_sign(first):
        first = _OPERATOR.sub(rf"<mo {_INFIX}>\2</mo>", first)
    return "".join([first, *(markup for _, markup in rest)])


def _is_sign(markup: str) -> bool:
    found = _OPERATOR.fullmatch(markup)
    return found is not None and "prefix" not in found[1] and unescape(found[2]) in _BEFORE


def _list_atoms(markup: str, depth: int) -> Iterator[_Atom]:
    """The elements of it, rows taken apart unless a bracket in them grows with what it encloses."""
    inside = 0
    for element in _list_elements(markup):
        if element.startswith("<mrow>") and not _grows(element):
            yield from _list_atoms(element[len("<mrow>") : -len("</mrow>")], depth + inside + 1)
            continue
        found = _OPERATOR.fullmatch(element)
        closes = found is not None and "postfix" in found[1]
        inside -= closes
        yield depth + inside, element
        inside += found is not None and "prefix" in found[1] and found[2] in "({["


def _grows(row: str) -> bool:
    first = next(_list_elements(row[len("<mrow>") : -len("</mrow>")]), "")
    found = _OPERATOR.fullmatch(first)
    return found is not None and "prefix" in found[1] and "stretchy" not in found[1] and found[2] in "({[⌊|"


def _list_elements(markup: str) -> Iterator[str]:
    """The outermost elements."""
    start, depth = 0, 0
    for tag in _TAG.finditer(markup):
        depth += -1 if tag[1] else 1
        if depth == 0:
            yield markup[start : tag.end()]
            start = tag.end()
