"""The parser: from the text of an expression to its syntax tree.

The tokens are those of Python without comments: numbers, names, operators, brackets, and games in quotes. Each token
carries its place in the text. For a character that is not in the language, such as ≤, the error suggests another one.

>>> [t.text for t in tokenize("2*k >= s[0]")]
['2', '*', 'k', '>=', 's', '[', '0', ']', '']

The grammar is a subset of the grammar of Python, with the same precedence. The module does not use Python's own parser.
So a claim file is never executed, and every error can state the expected text. This module limits length and nesting;
`claims.language.syntax.elaborate` limits the depth of comprehensions.

>>> parse("2*k*s + i").op
'+'
>>> parse("1 +")
Traceback (most recent call last):
    ...
claims.language.errors.LanguageError: the expression ends too early
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from claims.language.errors import LanguageError

# == numerals =========================================================================================================
# Numbers as text for people.
MAX_SHOWN_BITS = 1400  # of a number shown in full: about 400 digits, the limit for numbers in an expression


def digits(x: int | Fraction) -> str:
    """Return a number in decimal digits, or its length in bits if it has more than 1400 bits.

    >>> digits(-12), digits(Fraction(1, 3)), digits(2**4000), digits(Fraction(1, 3**4000))
    ('-12', '1/3', 'an integer of 4001 bits', 'a fraction of 6340 bits')
    """
    size = max(x.numerator.bit_length(), x.denominator.bit_length())
    if size <= MAX_SHOWN_BITS:
        return str(x)
    return f"{'an integer' if x.denominator == 1 else 'a fraction'} of {size} bits"


# == syntax ===========================================================================================================
# The untyped syntax tree of an expression.
#
# Nodes carry `start` and `end`, offsets into the text of the expression, so that a later error can mark its place.
# `elaborate` turns this tree into the typed terms of `terms`, which every encoder and the referee use.
@dataclass(frozen=True, slots=True)
class Node:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Numeral(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Quotation(Node):
    """A text in quotes, which denotes a game. `text`: without the quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name, or the dotted name `game.name` if `game` is not ""."""

    name: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class Unary(Node):
    op: str  # "-", "+", "not"
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    op: str  # + - * // / % ** ^
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """A chain of comparisons, `first op1 x1 op2 x2 ...`.

    Each operator is one of ==, !=, <, <=, >, >=, in and not in.
    """

    first: Node
    links: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Logic(Node):
    op: str  # "and", "or"
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ConditionalNode(Node):
    """The expression `then if condition else other`."""

    condition: Node
    then: Node
    other: Node


@dataclass(frozen=True, slots=True)
class Display(Node):
    """A list `[a, b]` or a set `{a, b}` that is written with its elements."""

    kind: str  # "list", "set"
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SyntaxClause:
    """A clause `for name in source if c1 if c2` of a comprehension.

    `names`: the running variable; or several, as in `for x, y in pairs`, for the elements of a list.
    `name_start`: the offset of the first name.
    """

    names: tuple[str, ...]
    name_start: int
    source: Node
    conditions: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Generator(Node):
    """A comprehension `body for x in xs if c ...`.

    `kind`: "bare" without brackets, as in `any(... for x in xs)`; "list" for `[...]`, "set" for `{...}`.
    """

    kind: str
    body: Node
    clauses: tuple[SyntaxClause, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    function: Name
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Method(Node):
    """A call `subject.name(arguments)`, such as `[1, 2].count(x)`, where the subject is not the name of a game."""

    subject: Node
    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class PartAccess(Node):
    """A part of a heap, such as `s[0].c`. If the subject is a name, as in `h.c`, the parser makes a `Name` instead."""

    subject: Node
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    subject: Node
    index: Node


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """A slice `subject[first:last]`. A bound is None if it is omitted, as in `c[1:]`."""

    subject: Node
    first: Node | None
    last: Node | None


def parts(node: Node) -> tuple[Node, ...]:
    """Return the immediate subexpressions of a node in the order of the text; the body of a comprehension is last.

    The name of a called function and the names of running variables are not included.
    """
    match node:
        case Unary(operand=x) | PartAccess(subject=x):
            return (x,)
        case Binary(left=x, right=y) | Index(subject=x, index=y):
            return (x, y)
        case Slice(subject=x, first=first, last=last):
            return (x, *(bound for bound in (first, last) if bound is not None))
        case Compare(first=first, links=links):
            return (first, *(x for _, x in links))
        case Logic(parts=xs) | Display(items=xs) | Call(arguments=xs):
            return xs
        case ConditionalNode(condition=c, then=x, other=y):
            return (x, c, y)
        case Generator(body=body, clauses=clauses):
            return (*(x for c in clauses for x in (c.source, *c.conditions)), body)
        case Method(subject=x, arguments=xs):
            return (x, *xs)
    return ()


# == tokens ===========================================================================================================
MAX_LENGTH = 20_000  # characters in one expression
MAX_DIGITS = 400  # digits in one number

QUANTIFIED = "all(... for x in ...) or any(... for x in ...); do not quantify a variable of [forall] again"
KEYWORDS = frozenset(("and", "or", "not", "if", "else", "for", "in", "True", "False"))
FORBIDDEN = {
    "lambda": "a definition: define functions in [define]",
    "is": "'==' for equality",
    "None": "a value: the language has no None",
    "import": "an expression: a claim file cannot import anything",
    "elif": "'else', as in A if C else B if D else E",
}
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)|(?P<number>[0-9][\w.]*)|(?P<name>[^\W\d]\w*)|(?P<quotation>'[^'\n]*'|\"[^\"\n]*\")"
    r"|(?P<op>\*\*|//|==|!=|<=|>=|[-+*/%^<>()\[\]{},.:])"
)
_NUMBER = re.compile(r"[0-9]+(?:_[0-9]+)*")
_INSTEAD = {
    "'": "no quotes, or a second one",
    '"': "no quotes, or a second one",
    "&": "'and' between conditions",
    "|": "'or' between conditions",
    "=": "'==' for equality",
    "!": "'not', or '!=' for inequality",
    "~": "'not' before a condition",
    "#": "no comment: put comments outside the quotes",
    ";": "one expression; 'and' joins conditions",
    "≤": "'<='",
    "≥": "'>='",
    "≠": "'!='",
    "⊕": "'^' for nim-addition",
    "\N{MINUS SIGN}": "'-'",
    "\N{EN DASH}": "'-'",
    "\N{MULTIPLICATION SIGN}": "'*'",
    "·": "'*'",
    "⋅": "'*'",
    "÷": "'//' for the floor of a quotient, '/' for a fraction",
    "∧": "'and'",
    "\N{LOGICAL OR}": "'or'",
    "¬": "'not'",
    "⇒": "implies(a, b)",
    "→": "implies(a, b)",
    "⟹": "implies(a, b)",
    "⇔": "iff(a, b)",
    "↔": "iff(a, b)",
    "⟺": "iff(a, b)",
    "∈": "'in'",
    "∉": "'not in'",
    "∀": "all(... for x in ...)",
    "∃": "any(... for x in ...)",
    "∑": "sum(... for x in ...)",
    "²": "'** 2'",
    "³": "'** 3'",
    "∞": "an open domain: 1.. has no upper bound",
    "\\": "no LaTeX: '<=' for \\leq, '^' for \\oplus, all(... for x in ...) for \\forall",
    "“": "no quotes: the language has no strings",
    "”": "no quotes: the language has no strings",
}
_QUANTIFIED = re.compile(r"\s*(for|forall|exists|there)\b")  # the beginning of a sentence, not of an expression


class Token(NamedTuple):
    kind: str  # "number", "name", "keyword", "quotation", "op", "end"
    text: str
    start: int
    end: int


def is_name(text: str) -> bool:
    """Return whether `text` can be a name.

    A name consists of letters, digits and _, does not begin with a digit, and is not a keyword of Python.

    >>> is_name("h"), is_name("2h"), is_name("in")
    (True, False, False)
    """
    return text.isidentifier() and not keyword.iskeyword(text)


def tokenize(text: str) -> list[Token]:
    """Return the tokens of `text`, followed by an end mark, that is, a token with the text "".

    Raises LanguageError at the first invalid character, and for a text that is too long.
    """
    if len(text) > MAX_LENGTH:
        raise LanguageError(
            f"the expression has {len(text)} characters",
            f"at most {MAX_LENGTH} characters; name parts of the expression in [define]",
            0,
            1,
        )
    tokens: list[Token] = []
    at = last = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise LanguageError(f"{text[at]!r} is not in the language", _suggest_instead(text, at), at, at + 1)
        kind, word, at = match.lastgroup or "", match.group(), match.end()
        if kind == "space":
            continue
        if kind == "number":
            _check_number(word, match.start())
        elif kind == "name":
            _check_name(word, match.start())
        tokens.append(Token("keyword" if word in KEYWORDS else kind, word, match.start(), at))
        last = at
    tokens.append(Token("end", "", last, last + 1))
    return tokens


def _check_number(word: str, at: int) -> None:
    if ".." in word:
        raise LanguageError(
            f"{word!r} is a domain, not a value", "range(a, b), the integers a, ..., b - 1", at, at + len(word)
        )
    if not _NUMBER.fullmatch(word):
        hint = (
            "a whole number in digits; a fraction is 3 / 4" if "." in word else "a whole number in digits, such as 12"
        )
        hint += "; a product needs its '*'" if re.fullmatch(r"[0-9]+[^\W\d_]\w*", word) else ""
        raise LanguageError(f"{word!r} is not an integer", hint, at, at + len(word))
    if len(word) > MAX_DIGITS:
        raise LanguageError(f"this number has {len(word)} digits", f"at most {MAX_DIGITS} digits", at, at + len(word))


def _check_name(word: str, at: int) -> None:
    if keyword.iskeyword(word) and word not in KEYWORDS:
        expected = FORBIDDEN.get(word, "another name: this word belongs to Python")
        raise LanguageError(f"{word!r} is not in the language", expected, at, at + len(word))
    if not word.isidentifier():
        bad = next(i for i in range(len(word)) if not word[: i + 1].isidentifier())
        raise LanguageError(
            f"{word[bad]!r} is not in the language", _suggest_instead(word, bad), at + bad, at + bad + 1
        )


def _suggest_instead(text: str, at: int) -> str:
    char = text[at]
    if text.startswith("=>", at):
        return "implies(a, b), or '>='"
    if _QUANTIFIED.match(text):
        return QUANTIFIED
    if re.match(r"\|[^|]*\|(?!\|)", text[at:]) and not re.match(r"\s*\|", text[:at][::-1]):
        return "len(s) for the number of heaps, abs(x) for the absolute value of a number; 'or' between conditions"
    if char in _INSTEAD:
        return _INSTEAD[char]
    plain = unicodedata.normalize("NFKC", char)
    if plain.isascii() and plain.isprintable():
        return f"the plain {plain!r}"
    return "a number, a name, an operator or a bracket"


# == parser ===========================================================================================================
NO_POWER = "a power is written **"  # part of an error message near `^`
MAX_NESTING = 40  # levels of brackets and powers inside each other

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
# Binding power of the arithmetic operators, as in Python: ^ binds weaker than + and stronger than comparisons.
_POWER = {"^": 1, "+": 2, "-": 2, "*": 3, "/": 3, "//": 3, "%": 3}


@lru_cache(maxsize=2_000)  # every claim parses its rulesets and definitions again
def parse(text: str) -> Node:
    """Return the syntax tree of `text`. Raises LanguageError with the offsets of the fault."""
    parser = _Parser(tokenize(text))
    tree = parser.expression()
    parser.expect_end()
    return tree


_NIMBER = "a nimber *3 is the value 3"
_SAID = {
    "even": "n % 2 == 0 means that n is even",
    "odd": "n % 2 == 1 means that n is odd",
    "divides": "n % d == 0 means that d divides n",
    "is": "'==' for equality",
    "mod": "'%' for the remainder",
    "div": "'//' for the floor of a quotient",
    "xor": "'^' for nim-addition",
    "then": "implies(a, b), or a hypothesis under if",
    "implies": "implies(a, b)",
    "iff": "iff(a, b)",
    "step": "a condition that selects values, such as n % 2 == 1 in `if`",
    "to": "1..9 in a domain",
    "minus": "'-'",
    "plus": "'+'",
    "equals": "'=='",
}
"""Words that authors write between or after expressions, with the equivalent in the language."""
_ARROWS = {("<=", ">"): "iff(a, b)", ("-", ">"): "implies(a, b)", ("==", ">"): "implies(a, b)", ("==", "*"): _NIMBER}
"""Pairs of adjacent tokens that authors mean as one sign, with the equivalent in the language."""


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at, self.depth = tokens, 0, 0
        self.token = tokens[0]

    # -- tokens -------------------------------------------------------------------------------------------------
    def is_(self, *texts: str) -> bool:
        return self.token.text in texts

    def take(self) -> Token:
        """Return the current token, and advance to the next one. At the end mark, do not advance."""
        token = self.token
        self.at += token.kind != "end"
        self.token = self.tokens[self.at]
        return token

    def fail(self, expected: str) -> LanguageError:
        token, before = self.token, self.tokens[max(self.at - 1, 0)].text
        if self.at and before == "^":
            expected += f"; {NO_POWER}"
        if (before, token.text) in _ARROWS:
            expected += f"; {_ARROWS[before, token.text]}"
        if not self.at and token.text == "for":
            expected = QUANTIFIED
        if token.kind == "end":
            return LanguageError("the expression ends too early", expected, token.start, token.end)
        return LanguageError(f"unexpected {token.text!r}", expected, token.start, token.end)

    def expect(self, text: str, expected: str) -> Token:
        if not self.is_(text):
            raise self.fail(expected)
        return self.take()

    def expect_end(self) -> None:
        if self.is_("for"):
            raise self.fail(
                "a comprehension in a call or in brackets, as in any(... for x in ...) or [... for x in ...]"
            )
        if self.is_(")", "]", "}"):
            raise self.fail("an opening bracket before the closing one")
        if self.token.kind != "end":
            said = _SAID.get(self.token.text)
            raise self.fail("an operator, or the end of the expression" + (f"; {said}" if said else ""))

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise LanguageError(
                f"the expression is nested deeper than {MAX_NESTING} levels",
                "less nesting; name parts of the expression in [define]",
                self.token.start,
                self.token.end,
            )

    # -- grammar, loosest first ----------------------------------------------------------------------------------
    def expression(self) -> Node:
        self.deeper()
        then = self.logic("or")
        if self.is_("if"):
            self.take()
            condition = self.logic("or")
            self.expect("else", "'else', as in A if C else B; without an else, write implies(C, A)")
            other = self.expression()
            then = ConditionalNode(then.start, other.end, condition, then, other)
        self.depth -= 1
        return then

    def logic(self, op: str) -> Node:
        parts = [self.logic("and") if op == "or" else self.negation()]
        while self.is_(op):
            self.take()
            parts.append(self.logic("and") if op == "or" else self.negation())
        return parts[0] if len(parts) == 1 else Logic(parts[0].start, parts[-1].end, op, tuple(parts))

    def negation(self) -> Node:
        marks: list[Token] = []
        while self.is_("not"):
            marks.append(self.take())
        if len(marks) > 2:
            raise LanguageError("too many 'not' in a row", "one 'not'", marks[0].start, marks[-1].end)
        node = self.comparison()
        for mark in reversed(marks):
            node = Unary(mark.start, node.end, "not", node)
        return node

    def comparison(self) -> Node:
        first = self.arithmetic(0)
        links: list[tuple[str, Node]] = []
        while True:
            if self.is_(*_COMPARISONS, "in"):
                op = self.take().text
            elif self.is_("not") and self.tokens[self.at + 1].text == "in":
                self.take()
                self.take()
                op = "not in"
            else:
                break
            links.append((op, self.arithmetic(0)))
        return Compare(first.start, links[-1][1].end, first, tuple(links)) if links else first

    def arithmetic(self, power: int) -> Node:
        left = self.signed()
        while _POWER.get(self.token.text, 0) > power:
            op = self.take().text
            right = self.arithmetic(_POWER[op])
            left = Binary(left.start, right.end, op, left, right)
        return left

    def signed(self) -> Node:
        marks: list[Token] = []
        while self.is_("-", "+"):
            marks.append(self.take())
        if len(marks) > 2:
            raise LanguageError("too many signs in a row", "one sign", marks[0].start, marks[-1].end)
        node = self.postfix()
        if self.is_("**"):
            self.take()
            self.deeper()
            exponent = self.signed()
            self.depth -= 1
            node = Binary(node.start, exponent.end, "**", node, exponent)
        for mark in reversed(marks):
            node = Unary(mark.start, node.end, mark.text, node)
        return node

    def postfix(self) -> Node:
        node = self.atom()
        while True:
            if self.is_("("):
                if not isinstance(node, Name):
                    raise self.fail("an operator, because only a named function can be called")
                arguments, end = self.arguments()
                node = Call(node.start, end, node, arguments)
            elif self.is_("["):
                node = self.subscript(node)
            elif self.is_("."):
                self.take()
                if self.token.kind != "name":
                    raise self.fail("a name after '.', such as s.count(h) or normal.wins(s)")
                word = self.token
                if isinstance(node, Name) and not node.game and not self._is_method(word.text):
                    self.take()
                    node = Name(node.start, word.end, word.text, node.name)
                elif self.tokens[self.at + 1].text != "(":
                    self.take()
                    node = PartAccess(node.start, word.end, node, word.text)
                else:
                    self.take()
                    arguments, end = self.arguments()
                    node = Method(node.start, end, node, word.text, arguments)
            else:
                return node

    def subscript(self, node: Node) -> Node:
        """Parse `node[i]` or `node[a:b]`, where a and b are optional."""
        self.take()
        first = None if self.is_(":") else self.expression()
        if first is not None and not self.is_(":"):
            return Index(node.start, self.expect("]", "']'").end, node, first)
        self.take()
        last = None if self.is_("]") else self.expression()
        return Slice(node.start, self.expect("]", "']'").end, node, first, last)

    @staticmethod
    def _is_method(word: str) -> bool:
        return word == "count"

    def arguments(self) -> tuple[tuple[Node, ...], int]:
        self.take()
        found: list[Node] = []
        while not self.is_(")"):
            item = self.expression()
            if self.is_("for"):
                item = self.generator("bare", item, item.start)
            found.append(item)
            if not self.is_(")"):
                self.expect(",", "',' or ')'")
        return tuple(found), self.take().end

    def generator(self, kind: str, body: Node, start: int) -> Generator:
        clauses: list[SyntaxClause] = []
        self.deeper()
        while self.is_("for"):
            self.take()
            names = self.running_variables()
            self.expect("in", "'in' or ','")
            source = self.logic("or")
            conditions: list[Node] = []
            while self.is_("if"):
                self.take()
                conditions.append(self.logic("or"))
            clauses.append(SyntaxClause(tuple(x.text for x in names), names[0].start, source, tuple(conditions)))
        self.depth -= 1
        return Generator(start, self.tokens[self.at - 1].end, kind, body, tuple(clauses))

    def running_variables(self) -> list[Token]:
        """Parse `x`, `x, y` or `(x, y)` after `for`."""
        opening = self.take() if self.is_("(") else None
        names: list[Token] = []
        while not names or self.is_(","):
            if names:
                self.take()
            if self.token.kind != "name":
                raise self.fail("the name of a running variable")
            if self.token.text in (x.text for x in names):
                problem = f"two running variables have the name {self.token.text!r}"
                raise LanguageError(problem, "different names", self.token.start, self.token.end)
            names.append(self.take())
        if opening:
            self.expect(")", "',' or ')'")
        return names

    def atom(self) -> Node:
        token = self.token
        if token.kind == "number":
            self.take()
            return Numeral(token.start, token.end, int(token.text))
        if token.kind == "name" or self.is_("True", "False"):
            self.take()
            return Name(token.start, token.end, token.text)
        if token.kind == "quotation":
            self.take()
            return Quotation(token.start, token.end, token.text[1:-1])
        if self.is_("("):
            self.take()
            inner = self.expression()
            if self.is_("for"):
                raise self.fail("[... for ...] for a list, {... for ...} for a set")
            if self.is_(","):
                return self.tuple(token, inner)
            end = self.expect(")", "')' to close the parenthesis").end
            return replace(inner, start=token.start, end=end)
        if self.is_("[", "{"):
            return self.display()
        raise self.fail("a number, a name, or an opening bracket")

    def tuple(self, opening: Token, first: Node) -> Node:
        """Parse the rest of `(a, b)` after the first element. Return the list `[a, b]`, which has the same meaning."""
        items = [first]
        while self.is_(","):
            self.take()
            if not self.is_(")"):
                items.append(self.expression())
        end = self.expect(")", "',' or ')'").end
        return Display(opening.start, end, "list", tuple(items))

    def display(self) -> Node:
        opening = self.take()
        closing, kind = ("]", "list") if opening.text == "[" else ("}", "set")
        items: list[Node] = []
        while not self.is_(closing):
            item = self.expression()
            if self.is_("for") and not items:
                made = self.generator(kind, item, opening.start)
                end = self.expect(closing, f"'{closing}' after the comprehension").end
                return Generator(opening.start, end, kind, made.body, made.clauses)
            items.append(item)
            if not self.is_(closing):
                self.expect(",", f"',' or '{closing}'")
        return Display(opening.start, self.take().end, kind, tuple(items))
