"""From the text of an expression to its syntax tree: Python's expression syntax, as far as the language has it.

The grammar is Python's (same tokens, same precedence), written here in full so that a claim file is only ever read,
never run, and so that every fault can say what was expected.  Text, nesting and comprehension depth are limited.

>>> parse("2*k*s + i").op
'+'
>>> parse("1 +")
Traceback (most recent call last):
    ...
claims.errors.LanguageError: the expression ends too early
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from claims import syntax as s
from claims.errors import LanguageError

MAX_LENGTH = 20_000  # characters in one expression
MAX_NESTING = 60  # levels of parentheses, operators' operands and comprehensions together
MAX_COMPREHENSIONS = 8  # comprehensions inside comprehensions

KEYWORDS = frozenset("and or not if else for in True False".split())
FORBIDDEN = {
    "lambda": "functions are named in [define]",
    "is": "compare with ==",
    "await": "the language has no await",
    "yield": "the language has no yield",
    "import": "a claim file only states, it cannot import",
    "None": "the language has no None",
}
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)|(?P<number>\d[\d_]*)(?![\w.]*\w)|(?P<name>[^\W\d]\w*)"
    r"|(?P<op>\*\*|//|==|!=|<=|>=|[-+*/%^<>()\[\]{},.])"
)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
# Binding power of the arithmetic operators, as in Python: ^ binds weaker than + and stronger than comparisons.
_POWER = {"^": 1, "+": 2, "-": 2, "*": 3, "/": 3, "//": 3, "%": 3}


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # "number", "name", "keyword", "op", "end"
    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """The tokens of `text` with an end mark. Raises LanguageError at the first character that starts none."""
    if len(text) > MAX_LENGTH:
        raise LanguageError(
            f"the expression has {len(text)} characters", f"at most {MAX_LENGTH}; name its parts in [define]", 0, 1
        )
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise LanguageError(f"cannot read {text[at]!r} here", _why_not(text, at), at, at + 1)
        kind = match.lastgroup or ""
        word = match.group()
        if kind != "space":
            if word in FORBIDDEN:
                raise LanguageError(f"{word!r} is not in the language", FORBIDDEN[word], at, match.end())
            tokens.append(Token("keyword" if word in KEYWORDS else kind, word, at, match.end()))
        at = match.end()
    tokens.append(Token("end", "", len(text), len(text) + 1))
    return tokens


def _why_not(text: str, at: int) -> str:
    char = text[at]
    if char in "'\"":
        return "no quotes: the language has no strings"
    if char == "&" or char == "|":
        return f"'{'and' if char == '&' else 'or'}' between conditions"
    if char == "=":
        return "'==' for equality"
    if char.isdigit():
        return "a whole number, such as 12 (no fractions: write 3 / 4)"
    if char == "!":
        return "'not', or '!=' for inequality"
    return "a number, a name, an operator or a bracket"


def parse(text: str) -> s.Node:
    """The syntax tree of `text`. Raises LanguageError with the offsets of the fault."""
    parser = _Parser(tokenize(text))
    tree = parser.expression()
    parser.expect_end()
    return tree


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at, self.depth, self.comprehensions = tokens, 0, 0, 0

    # -- tokens -------------------------------------------------------------------------------------------------
    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def is_(self, *texts: str) -> bool:
        return self.token.kind in ("op", "keyword") and self.token.text in texts

    def take(self) -> Token:
        token = self.token
        self.at += 1
        return token

    def fail(self, expected: str) -> LanguageError:
        token = self.token
        if token.kind == "end":
            return LanguageError("the expression ends too early", expected, token.start, token.end)
        return LanguageError(f"{token.text!r} cannot stand here", expected, token.start, token.end)

    def expect(self, text: str, expected: str) -> Token:
        if not self.is_(text):
            raise self.fail(expected)
        return self.take()

    def expect_end(self) -> None:
        if self.token.kind != "end":
            raise self.fail("an operator, or the end of the expression")

    # -- grammar, loosest first ----------------------------------------------------------------------------------
    def expression(self) -> s.Node:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise LanguageError(
                f"the expression is nested deeper than {MAX_NESTING} levels",
                "a flatter expression; name its parts in [define]",
                self.token.start,
                self.token.end,
            )
        then = self.logic("or")
        if self.is_("if"):
            self.take()
            condition = self.logic("or")
            self.expect("else", "'else': a choice is written A if C else B")
            other = self.expression()
            then = s.Choice(then.start, other.end, condition, then, other)
        self.depth -= 1
        return then

    def logic(self, op: str) -> s.Node:
        parts = [self.logic("and") if op == "or" else self.negation()]
        while self.is_(op):
            self.take()
            parts.append(self.logic("and") if op == "or" else self.negation())
        return parts[0] if len(parts) == 1 else s.Logic(parts[0].start, parts[-1].end, op, tuple(parts))

    def negation(self) -> s.Node:
        marks: list[Token] = []
        while self.is_("not"):
            marks.append(self.take())
        if len(marks) > MAX_NESTING:
            raise LanguageError("too many 'not'", "one 'not'", marks[0].start, marks[-1].end)
        node = self.comparison()
        for mark in reversed(marks):
            node = s.Unary(mark.start, node.end, "not", node)
        return node

    def comparison(self) -> s.Node:
        first = self.arithmetic(0)
        links: list[tuple[str, s.Node]] = []
        while True:
            if self.is_(*_COMPARISONS, "in"):
                op = self.take().text
            elif self.is_("not") and self.tokens[self.at + 1].text == "in":
                self.at += 2
                op = "not in"
            else:
                break
            links.append((op, self.arithmetic(0)))
        return s.Compare(first.start, links[-1][1].end, first, tuple(links)) if links else first

    def arithmetic(self, power: int) -> s.Node:
        left = self.signed()
        while self.token.kind == "op" and _POWER.get(self.token.text, 0) > power:
            op = self.take().text
            right = self.arithmetic(_POWER[op])
            left = s.Binary(left.start, right.end, op, left, right)
        return left

    def signed(self) -> s.Node:
        marks: list[Token] = []
        while self.is_("-", "+"):
            marks.append(self.take())
        if len(marks) > MAX_NESTING:
            raise LanguageError("too many signs", "one sign", marks[0].start, marks[-1].end)
        node = self.postfix()
        if self.is_("**"):
            self.take()
            self.depth += 1
            if self.depth > MAX_NESTING:
                raise self.fail(f"at most {MAX_NESTING} levels of nesting")
            exponent = self.signed()
            self.depth -= 1
            node = s.Binary(node.start, exponent.end, "**", node, exponent)
        for mark in reversed(marks):
            node = s.Unary(mark.start, node.end, mark.text, node)
        return node

    def postfix(self) -> s.Node:
        node = self.atom()
        while True:
            if self.is_("("):
                if not isinstance(node, s.Name):
                    raise self.fail("an operator: only a named function can be called")
                arguments, end = self.arguments()
                node = s.Call(node.start, end, node, arguments)
            elif self.is_("["):
                self.take()
                index = self.expression()
                end = self.expect("]", "']'").end
                node = s.Index(node.start, end, node, index)
            elif self.is_("."):
                self.take()
                if self.token.kind != "name":
                    raise self.fail("a name after '.', such as s.count(h) or normal.wins(s)")
                word = self.take()
                if isinstance(node, s.Name) and not node.game and not self._is_method(word.text):
                    node = s.Name(node.start, word.end, word.text, node.name)
                else:
                    if not self.is_("("):
                        raise self.fail(f"'(' after .{word.text}")
                    arguments, end = self.arguments()
                    node = s.Method(node.start, end, node, word.text, arguments)
            else:
                return node

    @staticmethod
    def _is_method(word: str) -> bool:
        return word == "count"

    def arguments(self) -> tuple[tuple[s.Node, ...], int]:
        self.take()
        found: list[s.Node] = []
        while not self.is_(")"):
            item = self.expression()
            if self.is_("for"):
                item = self.generator("bare", item, item.start)
            found.append(item)
            if not self.is_(")"):
                self.expect(",", "',' or ')'")
        return tuple(found), self.take().end

    def generator(self, kind: str, body: s.Node, start: int) -> s.Generator:
        self.comprehensions += 1
        if self.comprehensions > MAX_COMPREHENSIONS:
            raise LanguageError(
                f"more than {MAX_COMPREHENSIONS} comprehensions in one expression",
                "fewer; name the inner ones in [define]",
                start,
                self.token.end,
            )
        clauses: list[s.Clause] = []
        while self.is_("for"):
            self.take()
            if self.token.kind != "name":
                raise self.fail("the name of the running variable")
            name = self.take()
            self.expect("in", "'in'")
            source = self.logic("or")
            conditions: list[s.Node] = []
            while self.is_("if"):
                self.take()
                conditions.append(self.logic("or"))
            clauses.append(s.Clause(name.text, name.start, source, tuple(conditions)))
        return s.Generator(start, self.tokens[self.at - 1].end, kind, body, tuple(clauses))

    def atom(self) -> s.Node:
        token = self.token
        if token.kind == "number":
            self.take()
            if len(token.text) > 400:
                raise LanguageError("a number of more than 400 digits", "a shorter one", token.start, token.end)
            return s.Number(token.start, token.end, int(token.text))
        if token.kind == "name" or self.is_("True", "False"):
            self.take()
            return s.Name(token.start, token.end, token.text)
        if self.is_("("):
            self.take()
            inner = self.expression()
            self.expect(")", "')' to close the parenthesis")
            return inner
        if self.is_("[", "{"):
            return self.display()
        raise self.fail("a number, a name, or an opening bracket")

    def display(self) -> s.Node:
        opening = self.take()
        closing, kind = ("]", "list") if opening.text == "[" else ("}", "set")
        items: list[s.Node] = []
        while not self.is_(closing):
            item = self.expression()
            if self.is_("for") and not items:
                made = self.generator(kind, item, opening.start)
                end = self.expect(closing, f"'{closing}' after the comprehension").end
                return s.Generator(opening.start, end, kind, made.body, made.clauses)
            items.append(item)
            if not self.is_(closing):
                self.expect(",", f"',' or '{closing}'")
        return s.Display(opening.start, self.take().end, kind, tuple(items))
