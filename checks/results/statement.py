"""The formal statement of a claim as a reader is shown it: each expression as it is written, and typeset."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TypesetFormula:
    """An expression. `text`: in the claim language; `markup`: HTML of ours, MathML joined by words, safe as it stands.

    Where a formula is long it is several `math` elements with the connectives between them, so that lines can wrap.
    """

    text: str
    markup: str


@dataclass(frozen=True)
class FormalStatement:
    """A statement: for all (or there are) values as `quantified` says, `hypothesis` implies `conclusion`.

    `definitions`: left and right side of each that the claim uses, in the order in which they are best read.
    """

    quantified: tuple[TypesetFormula, ...]
    hypothesis: TypesetFormula | None
    conclusion: TypesetFormula
    definitions: tuple[tuple[TypesetFormula, TypesetFormula], ...] = ()


# -- formulas as text ------------------------------------------------------------
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIMPLE = re.compile(r"\d+|[^\W\d]\w*")
_SPACES = re.compile(r"\s+")


def write_plain(markup: str) -> str:
    r"""A formula, of which `markup` is the HTML of ours, as text; a distinction of cases stands in braces.

    >>> write_plain("<math><mrow><mi>n</mi><mo>≥</mo><mn>52</mn></mrow></math>")
    'n ≥ 52'
    >>> write_plain("<math><msup><mi>x</mi><mn>2</mn></msup></math> <span>is odd</span>")
    'x² is odd'
    """
    return _SPACES.sub(" ", _write(ET.fromstring(f"<p>{markup}</p>"))).strip()  # noqa: S314 - ours


def _write(element: ET.Element) -> str:
    parts = [_write(child) for child in element]
    match element.tag:
        case "mo":
            return _operator(element)
        case "msub" | "munder":
            below = parts[1] if _SIMPLE.fullmatch(parts[1].strip()) else f"({parts[1].strip()})"
            apart = element.tag == "munder" or parts[0] == "log"
            return f"{parts[0]}_{below.strip()}" + (" " if apart else "")
        case "mover":
            return f" {parts[0].strip()}({parts[1].strip()}) "
        case "msup":
            power = parts[1].strip()
            return parts[0] + (power.translate(_SUPERSCRIPTS) if power.isdigit() else f"^{_enclose(power)}")
        case "mfrac":
            return f"{_enclose(parts[0])}/{_enclose(parts[1])}"
        case "mtable":
            return "; ".join(parts) + "}"
        case "mtr":
            return " ".join(parts)
    return "".join(_join(element, parts))


def _join(element: ET.Element, parts: Sequence[str]) -> Iterator[str]:
    """The text of an element with that of those in it."""
    yield element.text or ""
    for child, part in zip(element, parts, strict=True):
        yield part
        yield child.tail or ""


def _operator(element: ET.Element) -> str:
    sign, form = element.text or "", element.get("form", "infix")
    if sign == "\u2062":  # invisible times
        return ""
    if element.get("separator"):
        return f"{sign} "
    if form == "infix" and sign.strip() and sign != ".":  # a part of a heap: h.c
        return f" {sign} "
    return f"{sign} " if sign[-1:].isalpha() else sign  # a function by a word, such as min


def _enclose(text: str) -> str:
    text = text.strip()
    return text if _SIMPLE.fullmatch(text) else f"({text})"
