"""MathML Core elements as text, and the mathematical notation of each operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from html import escape
from typing import Protocol

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT, OUTCOME

# == markup ===========================================================================================================
# Elements of MathML Core as text; whatever comes from a claim file is escaped here.
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


# == notations ========================================================================================================
# How operations are typeset: what the rows of the table say of it.
#
# A notation takes the arguments and who typesets them, and gives markup.  Most are made by the functions here; what has
# no notation is typeset as a call.
B = Binding


class Typesetter(Protocol):
    """Who typesets the parts."""

    def show(self, term: t.Term, binding: Binding = Binding.ANYTHING, last: bool = False) -> str:
        """A term, in parentheses if it is looser than `binding`. `last`: nothing follows it inside the brackets."""

    def typeset(self, term: t.Term, last: bool = False) -> MarkupFragment:
        """The same without parentheses, and how tightly it holds together."""

    def show_source(self, source: t.Term, braces: bool = True) -> str:
        """What something is an element of. `braces`: a list is shown as the set of its elements."""

    def show_clauses(self, clauses: tuple[t.Clause, ...], braces: bool = False) -> str:
        """What runs where: `h ∈ s, h > 1`. `braces` as in `show_source`."""

    def show_call(self, name: str, args: tuple[t.Term, ...]) -> str:
        """`f(a, b)`; `name` is markup."""

    def name_game(self, game: str) -> str:
        """The name, where the claim is about several games; otherwise nothing."""

    def deny(self, term: t.Term) -> MarkupFragment | None:
        """The opposite of a condition that has words for it."""

    def may_touch(self, left: t.Term, right: t.Term) -> bool:
        """Whether a product needs no sign."""


Notation = Callable[[Typesetter, tuple[t.Term, ...], bool], MarkupFragment]
"""(typesetter, arguments, whether nothing follows) -> markup."""
Running = Callable[[Typesetter, t.Comprehension, bool], MarkupFragment]
"""The same for `name(body for x in c)`."""


def make_infix(sign: str, binding: Binding, left: Binding, right: Binding, *, chain: str = "") -> Notation:
    """`a sign b`. `chain`: the operation whose own results may stand on the left as they are."""

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        x, y = args
        linked = chain and isinstance(x, t.Operation) and x.op == chain
        return MarkupFragment(mrow(by.show(x, binding if linked else left), mo(sign), by.show(y, right, last)), binding)

    return notation


@dataclass(frozen=True)
class Relation:
    """`a < b`: numbers, sets, positions, players."""

    sign: str

    def __call__(self, by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        return make_infix(self.sign, B.RELATION, B.MOD, B.MOD)(by, args, last)


@dataclass(frozen=True)
class Equality(Relation):
    """`a = b`; of conditions `A ⟺ B`; of what an outcome is "s is a P-position"."""

    among_conditions: str
    verb: str

    def __call__(self, by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        x, y = args
        if x.type == BOOL:
            return MarkupFragment(mrow(by.show(x, B.OR), mo(self.among_conditions), by.show(y, B.OR, last)), B.ANYTHING)
        if isinstance(y, t.Literal) and y.type == OUTCOME and y.value < 2 and isinstance(x, t.GameCall):
            kind = ("a P-position", "an N-position")[y.value]
            game = by.name_game(x.game)
            return tell(
                by.show(x.args[0], B.SUM), Words(f" {self.verb} {kind}"), *((Words(" in "), game) if game else ())
            )
        return super().__call__(by, args, last)


def join_product(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`2k`, `2·3`."""
    x, y = args
    sign = mo(TIMES) if by.may_touch(x, y) else mo("·")
    return MarkupFragment(mrow(by.show(x, B.PRODUCT), sign, by.show(y, B.POWER)), B.PRODUCT)


def show_mod(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    sign = mo("mod", 'lspace="0.3em" rspace="0.3em"')
    return MarkupFragment(mrow(by.show(args[0], B.PRODUCT), sign, by.show(args[1], B.PRODUCT)), B.MOD)


def show_fraction(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(make_element("mfrac", by.show(args[0]) + by.show(args[1])), B.POWER)


def show_floor(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(fence(show_fraction(by, args, last).markup, "⌊", "⌋"))


def show_power(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(make_element("msup", by.show(args[0], B.ATOM) + by.show(args[1])), B.POWER)


def show_negative(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(mrow(mo("−", 'form="prefix"'), by.show(args[0], B.BIG)), B.SUM)


def show_as_it_is(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Nothing of its own."""
    return by.typeset(args[0], last)


def show_element(sign: str) -> Notation:
    """`x ∈ c`; of a list shown with braces, for its order plays no part."""

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        x, c = args
        return MarkupFragment(mrow(by.show(x, B.MOD), mo(sign), by.show_source(c)), B.RELATION)

    return notation


def show_not(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`¬A`; where the condition has an opposite of its own, that: ∉, ∄."""
    x = args[0]
    if isinstance(x, t.Operation) and x.op == "in":
        return show_element("∉")(by, x.args, last)
    if isinstance(x, t.Comprehension) and x.reducer == "any":
        return quantify("∄")(by, x, last)
    denied = by.deny(x)
    if denied:
        return denied
    return MarkupFragment(mrow(mo("¬", 'form="prefix"'), by.show(x, B.ATOM, last)), B.NOT)


def enclose(left: str, right: str) -> Notation:
    """One argument between signs: `|x|`."""

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        return MarkupFragment(fence(by.show(args[0]), left, right))

    return notation


def show_root(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(fence(make_element("msqrt", by.show(args[0])), "⌊", "⌋"))


def show_bit(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`bit₃(x)`: the place below, the number in parentheses."""
    return MarkupFragment(mrow(subscript(mi("bit"), by.show(args[1])), fence(by.show(args[0]))))


def show_top_bit(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(fence(mrow(subscript(mi("log"), mn(2)), by.show(args[0], B.ATOM)), "⌊", "⌋"))


def call_by(name: str) -> Notation:
    """A call by another name: `bitand(x, y)`."""

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        return MarkupFragment(by.show_call(mi(name), args))

    return notation


def show_valuation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`ν_p(x)`: the prime below, the number in parentheses."""
    return MarkupFragment(mrow(subscript(mi("ν"), by.show(args[1])), fence(by.show(args[0]))))


def show_prime(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`prime(x)`."""
    return MarkupFragment(by.show_call(mi("prime"), args))


def show_columns(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`columns_{1 mod 3}(s)`: the remainder and the modulus below, whose columns in parentheses."""
    c, modulus, remainder = args
    sign = mo("mod", 'lspace="0.3em" rspace="0.3em"')
    below = mrow(by.show(remainder, B.PRODUCT), sign, by.show(modulus, B.PRODUCT))
    return MarkupFragment(mrow(subscript(mi("columns"), below), fence(by.show(c))))


def show_range(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`{a, …, b − 1}`."""
    low, high = args
    return MarkupFragment(fence(separate([by.show(low), mo("…"), by.show(write_predecessor(high))]), "{", "}"))


def write_predecessor(high: t.Term) -> t.Term:
    """The last integer below `high`, as one would write it.

    >>> write_predecessor(t.Literal(INT, 0, 0, 4)).value
    3
    """
    one = t.Literal(INT, 0, 0, 1)
    match high:
        case t.Literal(value=v) if v > 0:
            return t.Literal(INT, 0, 0, v - 1)
        case t.Operation(op="add", args=(x, t.Literal(value=1))):
            return x
    return t.Operation(INT, 0, 0, "sub", (high, one))


def apply_sign(sign: str) -> Notation:
    """A sign before one argument: `max s`, `⨁ s`; of a list in its brackets: `max(a, b)`."""

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        listed = isinstance(args[0], t.Collection) and args[0].type.kind == "list"
        return MarkupFragment(mrow(mi(sign) if listed else _sign(sign), by.show(args[0], B.ATOM)), B.BIG)

    return notation


def _sign(sign: str) -> str:
    return mo(sign, 'form="prefix" lspace="0" rspace="0.17em"')


def show_count(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`#(x in c)`: how often."""
    c, x = args
    inside = mrow(by.show(x), mtext(" in "), by.show(c))
    return MarkupFragment(mrow(mo("#", 'form="prefix" lspace="0" rspace="0"'), fence(inside)))


def show_index(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(subscript(by.show(args[0], B.ATOM), by.show(args[1])))


def show_slice(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """The elements of a list from one place to before another."""
    c, first, end = args
    return MarkupFragment(subscript(by.show(c, B.ATOM), mrow(by.show(first, B.SUM), mo(":"), by.show(end, B.SUM))))


def show_part(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """A part of a heap: `h.c`."""
    heap, place = args
    assert isinstance(place, t.Literal)
    return MarkupFragment(
        mrow(by.show(heap, B.ATOM), mo(".", 'lspace="0" rspace="0"'), mi(heap.type.parts[place.value][0]))
    )


def show_position(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`(a, b)`: the heaps; `(n heaps of 1)` where all are of one size."""
    match args[0]:
        case t.Comprehension(
            reducer="list",
            body=size,
            clauses=(
                t.Clause(variable=x, source=t.Operation(op="range", args=(t.Literal(value=0), n)), conditions=()),
            ),
        ) if x not in t.names_of([size])[0]:
            said = mtext(f"{SPACE}heaps of{SPACE}")
            return MarkupFragment(fence(mrow(by.show(n, B.PRODUCT), said, by.show(size, B.PRODUCT))))
    shown = isinstance(args[0], t.Collection) or (isinstance(args[0], t.Comprehension) and args[0].reducer == "list")
    return MarkupFragment(by.show(args[0]) if shown else by.show_call(mi("position"), args))


def show_replacement(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """`s[h ↦ y]`."""
    s, h, y = args
    return MarkupFragment(mrow(by.show(s, B.ATOM), fence(mrow(by.show(h), mo("↦"), by.show(y)), "[", "]")))


# -- reducers that run -------------------------------------------------------------------------------------------------
def quantify(sign: str) -> Running:
    """`∃h ∈ s: A`, as far to the right as it can be read."""

    def typeset(by: Typesetter, term: t.Comprehension, last: bool) -> MarkupFragment:
        where = by.show_clauses(term.clauses, braces=True)
        colon = mo(":", 'lspace="0.1em" rspace="0.35em"')
        body = by.show(term.body, B.OR, last=True)
        return MarkupFragment(mrow(mo(sign, 'form="prefix"'), where, colon, body), B.NOT if last else B.ANYTHING)

    return typeset


def run_sign(sign: str) -> Running:
    """`∑ h`, with what runs below the sign."""

    def typeset(by: Typesetter, term: t.Comprehension, last: bool) -> MarkupFragment:
        below = make_element("munder", _sign(sign) + mrow(by.show_clauses(term.clauses)))
        return MarkupFragment(mrow(below, by.show(term.body, B.PRODUCT)), B.BIG)

    return typeset


def run_count(by: Typesetter, term: t.Comprehension, last: bool) -> MarkupFragment:
    """`#{h ∈ s : A}`."""
    inside = mrow(by.show_clauses(term.clauses), mo(":"), by.show(term.body, last=True))
    return MarkupFragment(mrow(mo("#", 'form="prefix" lspace="0" rspace="0"'), fence(inside, "{", "}")))


def run_set(name: str) -> Running:
    """`mex{g(h) ∣ h ∈ s}`."""

    def typeset(by: Typesetter, term: t.Comprehension, last: bool) -> MarkupFragment:
        inside = mrow(by.show(term.body), mo("∣"), by.show_clauses(term.clauses))
        return MarkupFragment(mrow(_sign(name), fence(inside, "{", "}")), B.BIG)

    return typeset
