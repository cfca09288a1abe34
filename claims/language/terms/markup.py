"""Elements of MathML Core as text; whatever comes from a claim file is escaped here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from html import escape

SPACE = "\u00a0"  # an ordinary one is dropped at the edges of a token
TIMES = "\u2062"  # invisible


class Binding(IntEnum):
    """How tightly what is typeset holds together; an operand needs parentheses where it is looser than its place asks.

    The connectives are as in the text form; among numbers mod stands alone and nim-sums take no bare sums, for people
    disagree on how those are to be read.
    """

    ANYTHING = 0  # stands between brackets, or alone
    OR = 1
    AND = 2
    NOT = 3
    RELATION = 4
    MOD = 6
    NIM = 7
    SUM = 8
    BIG = 9  # a sum over many, the maximum of a set
    PRODUCT = 10
    POWER = 11
    ATOM = 12


@dataclass(frozen=True)
class Words:
    """English between formulas."""

    text: str


@dataclass(frozen=True)
class MarkupFragment:
    """Markup, and how tightly it holds together. `sentence`: the same as words and markup, if it is one."""

    markup: str
    binding: Binding = Binding.ATOM
    sentence: tuple[Words | str, ...] = ()


def tell(*parts: Words | str) -> MarkupFragment:
    """A condition in words, such as "P2 wins at s"."""
    shown = (mtext(part.text) if isinstance(part, Words) else part for part in parts)
    return MarkupFragment(mrow(*shown), Binding.RELATION, tuple(part for part in parts if part))


def make_element(name: str, inside: str, attributes: str = "") -> str:
    """An element around markup."""
    return f"<{name}{' ' if attributes else ''}{attributes}>{inside}</{name}>"


def mi(text: str, attributes: str = "") -> str:
    """A name: one letter in italics, several upright."""
    return make_element("mi", escape(text), attributes)


def mn(value: int) -> str:
    """A natural number."""
    return make_element("mn", str(value))


def mo(sign: str, attributes: str = "") -> str:
    """An operator."""
    return make_element("mo", escape(sign), attributes)


def mtext(text: str) -> str:
    r"""Words, with the spaces at their edges.

    >>> mtext("a b") == "<mtext>a\u00a0b</mtext>"
    True
    """
    return make_element("mtext", escape(text).replace(" ", SPACE))


def mrow(*parts: str) -> str:
    """Parts side by side."""
    return make_element("mrow", "".join(parts))


def fence(inside: str, left: str = "(", right: str = ")") -> str:
    """Markup between brackets; around what is higher than a line they grow with it."""
    grow = "" if "<mfrac" in inside or "<mtable" in inside else ' stretchy="false"'
    return mrow(mo(left, f'form="prefix"{grow}'), inside, mo(right, f'form="postfix"{grow}'))


COMMA = mo(",", 'separator="true" lspace="0" rspace="0.3em"')
LAST_COMMA = mo(",", 'separator="true" lspace="0" rspace="0"')  # at the end of a piece: a space follows


def separate(parts: list[str]) -> str:
    """Parts with commas between them."""
    return COMMA.join(parts)


def subscript(base: str, below: str) -> str:
    return make_element("msub", base + below)
