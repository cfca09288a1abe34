"""Pieces of Coq text that get parentheses where necessary, and Coq identifiers for the names in a claim file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from claims.language.errors import escape_invisible

# -- reserved names ---------------------------------------------------------------------------------------------------
# Reserved names have a meaning in the generated text, so the objects of a claim file must get other names.

KEYWORDS = """
_ as at by cofix else end exists exists2 fix for forall fun IF if in let match mod Prop return Set SProp then Type using
where with
"""

PRELUDE = """
Bool False I List N Some None O S True Z andb app bool conj cons eq eqb ex existsb false filter flat_map forallb fst iff
In land length list lxor map max min nat negb nil not option or orb pair prod rev snd sum tt true unit and div modulo
"""
"""Names of Coq's library that the generated text may use."""

THEORY = tuple(Path(__file__).with_name("theory.txt").read_text("utf-8").split())
"""All names in coq/theory: definitions, constructors, fields, lemmas, tactics.

tests/coq/test_false_claims_in_coq.py compares theory.txt with the files; `pytest --renew-golden` writes it again.
"""

TEXT = """
Statement claimed defined mover well_defined
"""
"""Names that the generator declares around a statement, or binds inside it."""

PROOF = """
P Q R h t y m o p x claim facts lost see forget cons
"""
"""Names bound in the lemmas of a proof. In a statement, only bound variables may have these names."""

GLOBAL = frozenset((KEYWORDS + PRELUDE + TEXT).split()).union(THEORY)
RESERVED = GLOBAL | frozenset(PROOF.split())


# -- writing ----------------------------------------------------------------------------------------------------------
# Precedence levels of Coq's notations, as in Coq: smaller levels bind more tightly.
APPLICATION, POWER, PRODUCT, NIM, SUM, CONCAT, COMPARISON = 10, 30, 40, 45, 50, 60, 70
NOT, AND, OR, IFF, ARROW, BINDER = 75, 80, 85, 95, 99, 200


@dataclass(frozen=True)
class Text:
    """A piece of Coq text.

    `level`: the precedence level of its outermost operator in Coq. Operators with smaller levels bind more tightly. A
    text of level 0 never needs parentheses.
    """

    text: str
    level: int = 0

    def at(self, level: int) -> str:
        """Return the text for a place that allows operators up to this level: in parentheses if its level is higher."""
        return self.text if self.level <= level else f"({self.text})"

    @property
    def argument(self) -> str:
        """The text as an argument of a function, in parentheses if necessary."""
        return self.at(APPLICATION - 1)


def apply(function: str, *args: Text) -> Text:
    """Return the Coq text of a function applied to arguments: `f (a + b)`. Without arguments: `f`."""
    return Text(" ".join((function, *(x.argument for x in args))), APPLICATION) if args else Text(function)


def infix(left: Text, sign: str, right: Text, level: int, groups: str = "") -> Text:
    """Return the Coq text of a binary operation, with parentheses around operands where necessary.

    `sign`, `level`: the operator and its precedence level.
    `groups`: "left" if `a - b - c` means `(a - b) - c`, "right" if it means `a - (b - c)`, "" if it is not allowed.
    """
    before, after = level - (groups != "left"), level - (groups != "right")
    return Text(f"{left.at(before)} {sign} {right.at(after)}", level)


def join_texts(parts: Iterable[Text], sign: str, level: int, none: str, groups: str) -> Text:
    """Return several parts joined by an operator, as in `a + b + c`. `none`: the text if there are no parts.

    `sign`, `level`, `groups`: as in `infix`.
    """
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
    """Return a Coq identifier for a name in a claim file. It is neither in `reserved` nor in `taken`.

    To get distinct identifiers for several names, pass the earlier results as `taken`.

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


def module_of(id: str) -> str:
    """Return the Coq module of a claim's file, relative to the folder of all generated files.

    >>> module_of("kl-nim/theorem-14")
    'kl_nim.theorem_14'
    """
    return ".".join(name_in_coq(part) for part in id.split("/"))


def comment(text: str) -> str:
    r"""Return the text as a Coq comment. The text cannot close the comment.

    Invisible characters are escaped, so that they can neither hide nor reorder text.
    >>> comment("a *) Axiom b. (* \u202e")
    '(* a * ) Axiom b. ( * \\u202e *)'
    """
    shown = escape_invisible(" ".join(text.split()))
    return f"(* {shown.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"
