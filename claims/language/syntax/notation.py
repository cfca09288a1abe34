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
# Elements of MathML Core as text; text from a claim file is escaped here.
SPACE = "\u00a0"  # MathML drops an ordinary space at the edges of a token
TIMES = "\u2062"  # invisible


class Binding(IntEnum):
    """The binding strength of typeset markup. An operand that binds less tightly than its context needs parentheses.

    The order is mostly the same as in the claim language. Typeset formulas have more parentheses in two cases. "mod" is
    not combined with other arithmetic without parentheses. A sum inside a nim-sum has parentheses, because readers
    disagree on the precedence of + and ⊕.
    """

    ANYTHING = 0  # between brackets, or alone
    OR = 1
    AND = 2
    NOT = 3
    RELATION = 4
    MOD = 6
    NIM = 7
    SUM = 8
    BIG = 9  # a sum over a collection, the maximum of a set
    PRODUCT = 10
    POWER = 11
    ATOM = 12


@dataclass(frozen=True)
class Words:
    """A piece of English text in a sentence that also contains formulas."""

    text: str


@dataclass(frozen=True)
class MarkupFragment:
    """Typeset mathematics: MathML text and its binding strength.

    `sentence`: for a condition in words, such as "s is terminal", its pieces of text and of MathML; otherwise ().
    """

    markup: str
    binding: Binding = Binding.ATOM
    sentence: tuple[Words | str, ...] = ()


def tell(*parts: Words | str) -> MarkupFragment:
    """Return the markup of a condition in words, such as "P2 wins at s". `parts`: English text, and MathML texts."""
    shown = (mtext(part.text) if isinstance(part, Words) else part for part in parts)
    return MarkupFragment(mrow(*shown), Binding.RELATION, tuple(part for part in parts if part))


def make_element(name: str, inside: str, attributes: str = "") -> str:
    """Return the XML element `name` with the content `inside`."""
    return f"<{name}{' ' if attributes else ''}{attributes}>{inside}</{name}>"


def mi(text: str, attributes: str = "") -> str:
    """Return a MathML name. A name of one letter is shown in italics, a longer name upright."""
    return make_element("mi", escape(text), attributes)


def mn(value: int) -> str:
    """Return a MathML number."""
    return make_element("mn", str(value))


def mo(sign: str, attributes: str = "") -> str:
    """Return a MathML operator, such as "+" or "≤"."""
    return make_element("mo", escape(sign), attributes)


def mtext(text: str) -> str:
    r"""Return a text element that keeps the spaces at the edges of the words.

    >>> mtext("a b") == "<mtext>a\u00a0b</mtext>"
    True
    """
    return make_element("mtext", escape(text).replace(" ", SPACE))


def mrow(*parts: str) -> str:
    """Return a MathML row of these parts, side by side."""
    return make_element("mrow", "".join(parts))


def fence(inside: str, left: str = "(", right: str = ")") -> str:
    """Return MathML between brackets, which are as high as their content."""
    grow = "" if "<mfrac" in inside or "<mtable" in inside else ' stretchy="false"'
    return mrow(mo(left, f'form="prefix"{grow}'), inside, mo(right, f'form="postfix"{grow}'))


COMMA = mo(",", 'separator="true" lspace="0" rspace="0.3em"')
LAST_COMMA = mo(",", 'separator="true" lspace="0" rspace="0"')  # at the end of a line of markup, where a space follows


def separate(parts: list[str]) -> str:
    """Return the parts with MathML commas between them."""
    return COMMA.join(parts)


def subscript(base: str, below: str) -> str:
    return make_element("msub", base + below)


# == notations ========================================================================================================
# How operations are typeset. The rows of the table of builtins refer to these notations.
#
# A notation takes a typesetter and the arguments, and returns markup. Most notations come from the functions below. An
# operation without a notation is typeset as a call.
B = Binding


class Typesetter(Protocol):
    """An object that typesets terms. The notation of an operation calls it for the arguments of the operation.

    `last` always means that nothing follows the term in the formula, so that a quantifier needs no parentheses.
    """

    def show(self, term: t.Term, binding: Binding = Binding.ANYTHING, last: bool = False) -> str:
        """Return a term as MathML, in parentheses if it binds less tightly than `binding`.

        `last`: whether nothing follows the term in the formula.
        """

    def typeset(self, term: t.Term, last: bool = False) -> MarkupFragment:
        """Return a term as MathML without outer parentheses, together with its binding strength.

        `last`: whether nothing follows the term in the formula.
        """

    def show_source(self, source: t.Term, braces: bool = True) -> str:
        """Return the collection that a variable runs over as MathML.

        `braces`: whether a list that is written with its elements is shown in braces, like a set.
        """

    def show_clauses(self, clauses: tuple[t.Clause, ...], braces: bool = False) -> str:
        """Return running variables with their conditions as MathML: `h ∈ s, h > 1`.

        `braces`: whether lists that are written with their elements are shown in braces, like sets.
        """

    def show_call(self, name: str, args: tuple[t.Term, ...]) -> str:
        """Return a call `f(a, b)` as MathML. `name`: the name f as MathML."""

    def name_game(self, game: str) -> str:
        """Return the name of a game as MathML if the claim is about several games; otherwise ""."""

    def deny(self, term: t.Term) -> MarkupFragment | None:
        """Return the negation of a condition if there is a special notation, such as "s is not terminal"; else None."""

    def may_touch(self, left: t.Term, right: t.Term) -> bool:
        """Return whether the product of two factors is readable without a sign, as in `2k`."""


Notation = Callable[[Typesetter, tuple[t.Term, ...], bool], MarkupFragment]
"""(typesetter, arguments, whether nothing follows) -> markup."""
Running = Callable[[Typesetter, t.Comprehension, bool], MarkupFragment]
"""(typesetter, comprehension, whether nothing follows) -> markup, for `name(body for x in c)`."""


def make_infix(sign: str, binding: Binding, left: Binding, right: Binding, *, chain: str = "") -> Notation:
    """Return the notation `a sign b`, which has the binding strength `binding`.

    `left`, `right`: the least binding strengths with which a and b need no parentheses.
    `chain`: the name of an operation that needs no parentheses as the left operand; "" for none.
    """

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        x, y = args
        linked = chain and isinstance(x, t.Operation) and x.op == chain
        return MarkupFragment(mrow(by.show(x, binding if linked else left), mo(sign), by.show(y, right, last)), binding)

    return notation


@dataclass(frozen=True)
class Relation:
    """The notation `a sign b` of a relation between two values, such as `a < b`. An instance is a `Notation`."""

    sign: str

    def __call__(self, by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        return make_infix(self.sign, B.RELATION, B.MOD, B.MOD)(by, args, last)


@dataclass(frozen=True)
class Equality(Relation):
    """The notation of an equality or inequality: `a = b`; `A ⟺ B` for conditions; "s is a P-position" for an outcome.

    `among_conditions`: the sign between conditions.
    `verb`: the verb for an outcome, such as "is".
    """

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
    """Return the notation of a product: `2k` without a sign if this is readable, otherwise `2·3`."""
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
    """Return the notation of the argument alone, for an operation that is not shown."""
    return by.typeset(args[0], last)


def show_element(sign: str) -> Notation:
    """Return the notation `x sign c`, such as `x ∈ c`. A list is shown in braces, because its order is irrelevant."""

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        x, c = args
        return MarkupFragment(mrow(by.show(x, B.MOD), mo(sign), by.show_source(c)), B.RELATION)

    return notation


def show_not(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation of a negation: `¬A`, or a special notation if there is one, such as ∉, ∄ or "loses"."""
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
    """Return the notation of one argument between two brackets or bars, such as `|x|`."""

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        return MarkupFragment(fence(by.show(args[0]), left, right))

    return notation


def show_root(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(fence(make_element("msqrt", by.show(args[0])), "⌊", "⌋"))


def show_bit(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation `bit₃(x)` of `bit(x, 3)`: the index is a subscript."""
    return MarkupFragment(mrow(subscript(mi("bit"), by.show(args[1])), fence(by.show(args[0]))))


def show_top_bit(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(fence(mrow(subscript(mi("log"), mn(2)), by.show(args[0], B.ATOM)), "⌊", "⌋"))


def call_by(name: str) -> Notation:
    """Return the notation of a call `name(x, y)`, for an operation that is typeset under another name."""

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        return MarkupFragment(by.show_call(mi(name), args))

    return notation


def show_valuation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation `ν_p(x)` of `valuation(x, p)`: the base p is a subscript."""
    return MarkupFragment(mrow(subscript(mi("ν"), by.show(args[1])), fence(by.show(args[0]))))


def show_prime(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation `prime(x)` of `is_prime(x)`."""
    return MarkupFragment(by.show_call(mi("prime"), args))


def show_columns(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation of `columns(s, 3, 1)`: `columns(s)` with "1 mod 3" as a subscript of the name."""
    c, modulus, remainder = args
    sign = mo("mod", 'lspace="0.3em" rspace="0.3em"')
    below = mrow(by.show(remainder, B.PRODUCT), sign, by.show(modulus, B.PRODUCT))
    return MarkupFragment(mrow(subscript(mi("columns"), below), fence(by.show(c))))


def show_range(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation `{a, …, b − 1}` of `range(a, b)`."""
    low, high = args
    return MarkupFragment(fence(separate([by.show(low), mo("…"), by.show(write_predecessor(high))]), "{", "}"))


def write_predecessor(high: t.Term) -> t.Term:
    """Return the term `high - 1` in short form: 3 for 4, x for x + 1.

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
    """Return the notation of a sign before one argument, such as `max s` or `⨁ s`.

    A list that is written with its elements has parentheses: `max(a, b)`.
    """

    def notation(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
        listed = isinstance(args[0], t.Collection) and args[0].type.kind == "list"
        return MarkupFragment(mrow(mi(sign) if listed else _sign(sign), by.show(args[0], B.ATOM)), B.BIG)

    return notation


def _sign(sign: str) -> str:
    return mo(sign, 'form="prefix" lspace="0" rspace="0.17em"')


def show_count(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation `#(x in c)` of `c.count(x)`, the number of times that x occurs in c."""
    c, x = args
    inside = mrow(by.show(x), mtext(" in "), by.show(c))
    return MarkupFragment(mrow(mo("#", 'form="prefix" lspace="0" rspace="0"'), fence(inside)))


def show_index(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    return MarkupFragment(subscript(by.show(args[0], B.ATOM), by.show(args[1])))


def show_slice(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation of a slice `c[a:b]`: c with "a:b" as a subscript."""
    c, first, end = args
    return MarkupFragment(subscript(by.show(c, B.ATOM), mrow(by.show(first, B.SUM), mo(":"), by.show(end, B.SUM))))


def show_part(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation `h.c` of the part c of a heap h."""
    heap, place = args
    assert isinstance(place, t.Literal)
    return MarkupFragment(
        mrow(by.show(heap, B.ATOM), mo(".", 'lspace="0" rspace="0"'), mi(heap.type.parts[place.value][0]))
    )


def show_position(by: Typesetter, args: tuple[t.Term, ...], last: bool) -> MarkupFragment:
    """Return the notation of `position(c)`.

    It is `(a, b)` for the list `[a, b]`, "(n heaps of 1)" for the list `[1 for i in range(n)]`, and a call for other
    terms c.
    """
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
    """Return the notation `s[h ↦ y]` of `replace(s, h, y)` or `put(s, h, y)`."""
    s, h, y = args
    return MarkupFragment(mrow(by.show(s, B.ATOM), fence(mrow(by.show(h), mo("↦"), by.show(y)), "[", "]")))


# -- reducers that run -------------------------------------------------------------------------------------------------
def quantify(sign: str) -> Running:
    """Return the notation of `any(A for h in s)` or `all(...)` with a quantifier as the sign: `∃h ∈ s: A`.

    A quantifier that is not at the end of the formula needs parentheses, because A extends to the right.
    """

    def typeset(by: Typesetter, term: t.Comprehension, last: bool) -> MarkupFragment:
        where = by.show_clauses(term.clauses, braces=True)
        colon = mo(":", 'lspace="0.1em" rspace="0.35em"')
        body = by.show(term.body, B.OR, last=True)
        return MarkupFragment(mrow(mo(sign, 'form="prefix"'), where, colon, body), B.NOT if last else B.ANYTHING)

    return typeset


def run_sign(sign: str) -> Running:
    """Return the notation of a comprehension such as `sum(h for h in s)`: `∑ h` with `h ∈ s` below the sign."""

    def typeset(by: Typesetter, term: t.Comprehension, last: bool) -> MarkupFragment:
        below = make_element("munder", _sign(sign) + mrow(by.show_clauses(term.clauses)))
        return MarkupFragment(mrow(below, by.show(term.body, B.PRODUCT)), B.BIG)

    return typeset


def run_count(by: Typesetter, term: t.Comprehension, last: bool) -> MarkupFragment:
    """Return the notation `#{h ∈ s : A}` of `count(A for h in s)`."""
    inside = mrow(by.show_clauses(term.clauses), mo(":"), by.show(term.body, last=True))
    return MarkupFragment(mrow(mo("#", 'form="prefix" lspace="0" rspace="0"'), fence(inside, "{", "}")))


def run_set(name: str) -> Running:
    """Return the notation of `mex(g(h) for h in s)` and the like: `mex{g(h) ∣ h ∈ s}`, with `name` before the set."""

    def typeset(by: Typesetter, term: t.Comprehension, last: bool) -> MarkupFragment:
        inside = mrow(by.show(term.body), mo("∣"), by.show_clauses(term.clauses))
        return MarkupFragment(mrow(_sign(name), fence(inside, "{", "}")), B.BIG)

    return typeset
