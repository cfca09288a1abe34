"""From the text of an expression to its syntax tree: Python's expression syntax, as far as the language has it.

The grammar is Python's (same tokens, same precedence), written here in full so that a claim file is only ever read,
never run, and so that every fault can say what was expected.  Length and nesting are limited here, the depth of
comprehensions by `claims.language.expressions.elaborate`.

>>> parse("2*k*s + i").op
'+'
>>> parse("1 +")
Traceback (most recent call last):
    ...
claims.language.ground.errors.LanguageError: the expression ends too early
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from claims.language.grammar import syntax as s
from claims.language.grammar.tokens import QUANTIFIED, Token, tokenize
from claims.language.ground.errors import LanguageError

NO_POWER = "a power is written **"  # said where a `^` is at fault
MAX_NESTING = 40  # levels of brackets and powers inside each other

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
# Binding power of the arithmetic operators, as in Python: ^ binds weaker than + and stronger than comparisons.
_POWER = {"^": 1, "+": 2, "-": 2, "*": 3, "/": 3, "//": 3, "%": 3}


@lru_cache(maxsize=2_000)  # rulesets and definitions are read for each claim that names them
def parse(text: str) -> s.Node:
    """The syntax tree of `text`. Raises LanguageError with the offsets of the fault."""
    parser = _Parser(tokenize(text))
    tree = parser.expression()
    parser.expect_end()
    return tree


_NIMBER = "a nimber *3 is the value 3"
_SAID = {
    "even": "n is even just if n % 2 == 0",
    "odd": "n is odd just if n % 2 == 1",
    "divides": "d divides n just if n % d == 0",
    "is": "'==' for equality",
    "mod": "'%' for the remainder",
    "div": "'//' for the floor of a quotient",
    "xor": "'^' for nim-addition",
    "then": "implies(a, b), or a hypothesis under if",
    "implies": "implies(a, b)",
    "iff": "iff(a, b)",
    "step": "a condition says which count, such as n % 2 == 1 in `if`",
    "to": "1..9 in a domain",
    "minus": "'-'",
    "plus": "'+'",
    "equals": "'=='",
}
"""Words that people put between or behind expressions, and what says the same."""
_ARROWS = {("<=", ">"): "iff(a, b)", ("-", ">"): "implies(a, b)", ("==", ">"): "implies(a, b)", ("==", "*"): _NIMBER}
"""What the signs of two tokens mean to those who write them beside each other."""


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at, self.depth = tokens, 0, 0
        self.token = tokens[0]

    # -- tokens -------------------------------------------------------------------------------------------------
    def is_(self, *texts: str) -> bool:
        return self.token.text in texts

    def take(self) -> Token:
        """The token here; the next one is here afterwards. The end mark stays."""
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
        return LanguageError(f"{token.text!r} cannot stand here", expected, token.start, token.end)

    def expect(self, text: str, expected: str) -> Token:
        if not self.is_(text):
            raise self.fail(expected)
        return self.take()

    def expect_end(self) -> None:
        if self.is_("for"):
            raise self.fail("a comprehension in a call or in brackets: any(... for x in ...), [... for x in ...]")
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
                "a flatter expression; name its parts in [define]",
                self.token.start,
                self.token.end,
            )

    # -- grammar, loosest first ----------------------------------------------------------------------------------
    def expression(self) -> s.Node:
        self.deeper()
        then = self.logic("or")
        if self.is_("if"):
            self.take()
            condition = self.logic("or")
            self.expect("else", "'else': a choice is written A if C else B; implies(C, A) says A where C holds")
            other = self.expression()
            then = s.ConditionalNode(then.start, other.end, condition, then, other)
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
        if len(marks) > 2:
            raise LanguageError("too many 'not' in a row", "one 'not'", marks[0].start, marks[-1].end)
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
                self.take()
                self.take()
                op = "not in"
            else:
                break
            links.append((op, self.arithmetic(0)))
        return s.Compare(first.start, links[-1][1].end, first, tuple(links)) if links else first

    def arithmetic(self, power: int) -> s.Node:
        left = self.signed()
        while _POWER.get(self.token.text, 0) > power:
            op = self.take().text
            right = self.arithmetic(_POWER[op])
            left = s.Binary(left.start, right.end, op, left, right)
        return left

    def signed(self) -> s.Node:
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
                node = self.subscript(node)
            elif self.is_("."):
                self.take()
                if self.token.kind != "name":
                    raise self.fail("a name after '.', such as s.count(h) or normal.wins(s)")
                word = self.token
                if isinstance(node, s.Name) and not node.game and not self._is_method(word.text):
                    self.take()
                    node = s.Name(node.start, word.end, word.text, node.name)
                elif self.tokens[self.at + 1].text != "(":
                    self.take()
                    node = s.PartAccess(node.start, word.end, node, word.text)
                else:
                    self.take()
                    arguments, end = self.arguments()
                    node = s.Method(node.start, end, node, word.text, arguments)
            else:
                return node

    def subscript(self, node: s.Node) -> s.Node:
        """`node[i]`, or `node[a:b]`, in which either may be left out."""
        self.take()
        first = None if self.is_(":") else self.expression()
        if first is not None and not self.is_(":"):
            return s.Index(node.start, self.expect("]", "']'").end, node, first)
        self.take()
        last = None if self.is_("]") else self.expression()
        return s.Slice(node.start, self.expect("]", "']'").end, node, first, last)

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
        clauses: list[s.SyntaxClause] = []
        self.deeper()
        while self.is_("for"):
            self.take()
            if self.token.kind != "name":
                raise self.fail("the name of the running variable")
            name = self.take()
            self.expect("in", "'in', and one variable for each 'for'")
            source = self.logic("or")
            conditions: list[s.Node] = []
            while self.is_("if"):
                self.take()
                conditions.append(self.logic("or"))
            clauses.append(s.SyntaxClause(name.text, name.start, source, tuple(conditions)))
        self.depth -= 1
        return s.Generator(start, self.tokens[self.at - 1].end, kind, body, tuple(clauses))

    def atom(self) -> s.Node:
        token = self.token
        if token.kind == "number":
            self.take()
            return s.Numeral(token.start, token.end, int(token.text))
        if token.kind == "name" or self.is_("True", "False"):
            self.take()
            return s.Name(token.start, token.end, token.text)
        if self.is_("("):
            self.take()
            inner = self.expression()
            if self.is_("for"):
                raise self.fail("[... for ...] for a list, {... for ...} for a set")
            if self.is_(","):
                raise self.fail("')', or [a, b] for a list: the language has no tuples")
            end = self.expect(")", "')' to close the parenthesis").end
            return replace(inner, start=token.start, end=end)
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
