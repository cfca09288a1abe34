"""Formulas as plain text: what the page typesets, in the signs of Unicode, for Markdown."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence

from checks.results.statement import Formal, TypesetFormula

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIMPLE = re.compile(r"\d+|[^\W\d]\w*")
_SPACES = re.compile(r"\s+")


def write_plain(formula: TypesetFormula) -> str:
    r"""The formula as text; a distinction of cases stands in braces.

    >>> write_plain(TypesetFormula("", "<math><mrow><mi>n</mi><mo>≥</mo><mn>52</mn></mrow></math>"))
    'n ≥ 52'
    >>> write_plain(TypesetFormula("", "<math><msup><mi>x</mi><mn>2</mn></msup></math> <span>is odd</span>"))
    'x² is odd'
    """
    return _SPACES.sub(" ", _write(ET.fromstring(f"<p>{formula.markup}</p>"))).strip()  # noqa: S314 - ours


def say_formal(formal: Formal, quantifier: str) -> list[str]:
    """The statement in a sentence, and a line for each of its definitions."""
    every = "For some" if quantifier == "exists" else "For every"
    start = f"{every} {', '.join(map(write_plain, formal.quantified))}: " if formal.quantified else ""
    said = write_plain(formal.conclusion)
    if formal.hypothesis is not None:
        said = f"if {write_plain(formal.hypothesis)}, then {said}"
    return [start + said, *(f"where {write_plain(left)} {write_plain(right)}" for left, right in formal.definitions)]


def _write(element: ET.Element) -> str:
    parts = [_write(child) for child in element]
    match element.tag:
        case "mo":
            return _operator(element)
        case "msub" | "munder":
            below = parts[1] if _SIMPLE.fullmatch(parts[1].strip()) else f"({parts[1].strip()})"
            return f"{parts[0]}_{below.strip()}" + (" " if element.tag == "munder" else "")
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
    if form == "infix" and sign.strip():
        return f" {sign} "
    return f"{sign} " if sign[-1:].isalpha() else sign  # a function by a word, such as min


def _enclose(text: str) -> str:
    text = text.strip()
    return text if _SIMPLE.fullmatch(text) else f"({text})"
