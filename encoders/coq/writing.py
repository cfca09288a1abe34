"""Coq text that knows how tightly it binds, and the names that files may use in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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

_KEYWORDS = """
as at cofix else end exists exists2 fix for forall fun if IF in let match mod Prop return Set then Type using where with
by SProp
"""
_OURS = """
N P Q R h t y m p x position player other First Second game becomes of_largest stuck_wins move wins loses heaps heap_of
replace total same nim_sum nim_sum_of only count number largest times_of_largest same_player mover true false negb nil
cons In List facts lost see same forget open_move settle cover claim mod div max min True False list bool not and or iff
"""
RESERVED = frozenset((_KEYWORDS + _OURS).split())


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


def name_in_coq(name: str, taken: Iterable[str] = ()) -> str:
    """A name of a file as one of Coq's, none of `taken` and none that the generated text uses itself.

    >>> name_in_coq("kl-nim"), name_in_coq("h"), name_in_coq("c", ["c"])
    ('kl_nim', 'h_', 'c_')
    """
    found = name.replace("-", "_").replace(".", "_")
    if not found.isascii():
        found = "".join(c if c.isascii() else f"u{ord(c):x}" for c in found)
    if found[:1].isdigit():
        found = f"_{found}"
    used = RESERVED.union(taken)
    while found in used:
        found += "_"
    return found


def comment(text: str) -> str:
    """The text as a comment: nothing in it can end it."""
    return f"(* {' '.join(text.split()).replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"
