"""A parser of typeset formulas: from MathML with words to nested tuples, with the precedence of mathematicians.

The grammar is independent of the code that writes the formulas. It rejects ambiguous notation: a bare sum next to ⊕ or
mod, an equivalence next to another one, text after the brace of a case distinction.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

CORE = set(
    "math mrow mi mn mo mtext ms mspace mfrac msqrt mroot msub msup msubsup munder mover munderover "
    "mtable mtr mtd".split()
)
WORDS = {
    "and": "∧",
    "or": "∨",
    ", or": "∨",
    "exactly when": "⟺",
    "implies": "⟹",
    "for every": "∀",
    "there is": "∃",
    "there is no": "∄",
    "with": ":",
    "such that": ":",
    "not": "¬",
}
RELATIONS = {"=": "eq", "≠": "ne", "<": "lt", "≤": "le", ">": "gt", "≥": "ge", "∈": "in", "∉": "not in"}
EQUIVALENCES = {"⟺": "iff", "⇎": "differ", "⟹": "implies"}
QUANTIFIERS = {"∀": "all", "∃": "any", "∄": "none"}
BIG = {"⨁": "nim_sum", "∑": "sum"}
BRACKETS = {"(": ")", "{": "}", "[": "]", "⌊": "⌋"}
Token = tuple  # ("name", text), ("number", value), ("sign", text) or (element, parts...)


def parse_fragment(fragment: str) -> ET.Element:
    """Return the elements of an HTML fragment. Raises ParseError unless it is well-formed XML."""
    return ET.fromstring(f"<p>{fragment}</p>")


def tokens_of(fragment: str) -> list[Token]:
    """Return the visible content of the fragment, in order."""
    return _inside(parse_fragment(fragment))


def _inside(element: ET.Element) -> list[Token]:
    found = _plain(element.text)
    for child in element:
        found += _tokens(child) + _plain(child.tail)
    return found


def _plain(text: str | None) -> list[Token]:
    return [("sign", sign) for sign in re.findall(r"[(),:]", text or "")]


def _tokens(element: ET.Element) -> list[Token]:
    text = (element.text or "").replace("\u00a0", " ")
    match element.tag:
        case "span":
            assert element.get("class") == "conn"
            return [("sign", WORDS[text])]
        case "math" | "mrow":
            return _inside(element)
        case "mi" | "mtext":
            return [("name", text)]
        case "mn":
            return [("number", int(text))]
        case "mo":
            return [("sign", "·" if text == "\u2062" else text)]
        case "mtable":
            rows = [[_inside(cell) for cell in row] for row in element]
            return [("mtable", rows)]
    return [(element.tag, *([*_tokens(child)] for child in element))]


def read(tokens: list[Token]) -> object:
    """Return the formula as nested tuples: (operation, parts...). Raises AssertionError if it is ambiguous."""
    reader = Reader(tokens)
    found = reader.condition()
    assert not reader.rest(), f"left over: {reader.rest()}"
    return found


class Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at = tokens, 0

    def rest(self) -> list[Token]:
        return self.tokens[self.at :]

    def sign(self) -> str:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")
        return token[1] if token[0] == "sign" else ""

    def take(self, *signs: str) -> str:
        """Consume and return the next sign if it is one of these; else return nothing."""
        found = self.sign()
        if found not in signs or not found:
            return ""
        self.at += 1
        return found

    def condition(self) -> object:
        left = self.disjunction()
        sign = self.take(*EQUIVALENCES)
        if not sign:
            return left
        right = self.disjunction()
        assert self.sign() not in EQUIVALENCES, "two equivalences side by side"
        return (EQUIVALENCES[sign], left, right)

    def disjunction(self) -> object:
        return self.many("∨", "or", lambda: self.many("∧", "and", self.denial))

    def many(self, sign: str, name: str, part: Callable[[], object]) -> object:
        parts = [part()]
        while self.take(sign):
            parts.append(part())
        return (name, *parts) if len(parts) > 1 else parts[0]

    def denial(self) -> object:
        if self.take("¬"):
            return ("not", self.denial())
        sign = self.take(*QUANTIFIERS)
        if sign:
            clauses = self.clauses(":")
            assert self.take(":")
            return (QUANTIFIERS[sign], clauses, self.disjunction())
        return self.relation()

    def clauses(self, *ends: str) -> object:
        found = [self.disjunction()]
        while self.take(","):
            found.append(self.disjunction())
        assert self.sign() in ends or not self.rest()
        return tuple(found)

    def relation(self) -> object:
        sides, signs = [self.number()], []
        while sign := self.take(*RELATIONS):
            signs.append(RELATIONS[sign])
            sides.append(self.number())
        links = [(sign, x, y) for sign, x, y in zip(signs, sides, sides[1:], strict=False)]
        return sides[0] if not links else links[0] if len(links) == 1 else ("and", *links)

    def number(self) -> object:
        negative = self.take("−")
        found = self.product()
        if negative:
            found = ("neg", found)
        if self.sign() == "⊕":
            assert not negative
            while self.take("⊕"):
                found = ("nim", found, self.product())
            self.ends("+", "−", "mod")
        elif self.take("mod"):
            assert not negative
            found = ("mod", found, self.product())
            self.ends("+", "−", "mod", "⊕")
        else:
            while sign := self.take("+", "−"):
                found = ("add" if sign == "+" else "sub", found, self.product())
            self.ends("⊕", "mod")
        return found

    def ends(self, *signs: str) -> None:
        assert self.sign() not in signs, f"people differ on how {self.sign()} goes on"

    def product(self) -> object:
        sign = self.take(*BIG, "max", "min", "mex")
        if sign:
            return (BIG.get(sign, sign), self.factor())
        found = self.factor()
        while self.take("·"):
            found = ("mul", found, self.factor())
        return found

    def factor(self) -> object:
        assert self.at < len(self.tokens), "a value is missing"
        token = self.tokens[self.at]
        self.at += 1
        match token:
            case ("name", text):
                return self.call(text)
            case ("number", value):
                return value
            case ("mfrac", x, y):
                return ("div", read(x), read(y))
            case ("msup", x, y):
                return ("pow", read(x), read(y))
            case ("msub", x, y):
                return ("index", read(x), read(y))
            case ("munder", [("sign", sign)], below):
                reader = Reader(below)
                return (f"run {BIG[sign]}", reader.clauses(), self.product())
            case ("sign", "{") if self.at < len(self.tokens) and self.tokens[self.at][0] == "mtable":
                return self.cases()
            case ("sign", "#"):
                assert self.take("{")
                clauses = self.clauses(":")
                assert self.take(":")
                found = ("count", clauses, self.condition())
                assert self.take("}")
                return found
            case ("sign", "|"):
                found = ("size", self.condition())
                assert self.take("|")
                return found
            case ("sign", opening) if opening in BRACKETS:
                return self.bracket(opening)
        raise AssertionError(f"no value: {token}")

    def bracket(self, opening: str) -> object:
        items = [] if self.sign() == BRACKETS[opening] else [self.condition()]
        while self.take(","):
            items.append(self.condition())
        assert self.take(BRACKETS[opening]), f"{opening} is not closed at {self.rest()}"
        if opening == "⌊":
            (inside,) = items
            assert isinstance(inside, tuple) and inside[0] == "div"
            return ("floordiv", *inside[1:])
        return items[0] if opening == "(" and len(items) == 1 else (opening, *items)

    def call(self, name: str) -> object:
        if name in ("true", "false"):
            return name == "true"
        if self.sign() != "(":
            return name
        self.at += 1
        inside = self.bracket("(")
        return (name, *inside[1:]) if isinstance(inside, tuple) and inside[0] == "(" else (name, inside)

    def cases(self) -> object:
        (_, rows) = self.tokens[self.at]
        self.at += 1
        assert self.sign() in ("", ")", "}") and (not self.rest() or self.sign()), (
            "something follows a case distinction"
        )
        *lines, (end, otherwise) = rows
        assert otherwise == [("name", "otherwise")]
        found = read(end)
        for value, condition in reversed(lines):
            assert condition[0] == ("name", "if ")
            found = ("if", read(condition[1:]), read(value), found)
        return found
