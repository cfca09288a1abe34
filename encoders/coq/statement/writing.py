"""Coq text that knows how tightly it binds, and the names that files may use in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from claims.language.ground.errors import visible
from encoders.coq.statement.reserved import RESERVED

# How tightly Coq's notations bind, as Coq numbers it: the smaller the tighter.
APPLICATION, PRODUCT, NIM, SUM, COMPARISON, NOT, AND, OR, IFF, ARROW, BINDER = (
    10,
    40,
    45,
    50,
    70,
    75,
    80,
    85,
    95,
    99,
    200,
)


@dataclass(frozen=True)
class Text:
    """A piece of Coq; `level` is how tightly it binds, 0 for what needs no parentheses anywhere."""

    text: str
    level: int = 0

    def at(self, level: int) -> str:
        """The text where `level` may stand without parentheses."""
        return self.text if self.level <= level else f"({self.text})"

    @property
    def argument(self) -> str:
        """The text as an argument."""
        return self.at(APPLICATION - 1)


def apply(function: str, *args: Text) -> Text:
    """The function at these arguments."""
    return Text(" ".join((function, *(x.argument for x in args))), APPLICATION) if args else Text(function)


def infix(left: Text, sign: str, right: Text, level: int, groups: str = "") -> Text:
    """The two with a sign between them; `groups` "left" or "right" where more of its kind need no parentheses."""
    before, after = level - (groups != "left"), level - (groups != "right")
    return Text(f"{left.at(before)} {sign} {right.at(after)}", level)


def chain(parts: Iterable[Text], sign: str, level: int, none: str, groups: str) -> Text:
    """The parts with a sign between them, `none` of no part."""
    found = tuple(parts)
    if not found:
        return Text(none)
    if groups == "left":
        made = found[0]
        for x in found[1:]:
            made = infix(made, sign, x, level, groups)
        return made
    made = found[-1]
    for x in reversed(found[:-1]):
        made = infix(x, sign, made, level, groups)
    return made


def name_in_coq(name: str, taken: Iterable[str] = (), reserved: frozenset[str] = RESERVED) -> str:
    """A name of a file as one of Coq's, none of `taken` and none that means something where generated text stands.

    Where each name is made with those before it in `taken`, no two are the same.

    >>> name_in_coq("kl-nim"), name_in_coq("h"), name_in_coq("c", ["c"]), name_in_coq("least")
    ('kl_nim', 'h_', 'c_', 'least_')
    >>> name_in_coq("x : True"), name_in_coq("2.é")
    ('xu20u3au20True', '_2_ue9')
    """
    found = "".join("_" if c in "-._" else c if c.isascii() and c.isalnum() else f"u{ord(c):x}" for c in name)
    if not found or found[0].isdigit():
        found = f"_{found}"
    used = reserved.union(taken)
    while found in used:
        found += "_"
    return found


def comment(text: str) -> str:
    r"""The text as a comment: nothing in it can end it, and nothing hides or reorders what stands beside it.

    >>> comment("a *) Axiom b. (* \u202e")
    '(* a * ) Axiom b. ( * \\u202e *)'
    """
    shown = visible(" ".join(text.split()))
    return f"(* {shown.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"
