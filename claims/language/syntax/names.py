"""Definitions, unknown names, and notes on `^` where the author may have meant a power."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from claims.language.errors import LanguageError, UnknownName, find_closest, format_count, join_words
from claims.language.syntax import grammar as s
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import is_reserved, list_functions
from claims.language.syntax.game_values import parse_game
from claims.language.syntax.grammar import NO_POWER, Node, is_name, parse
from claims.language.syntax.printing import print_term
from claims.language.syntax.questions import QUESTIONS, TAKEN, GameFacts, find_game, find_parameters, refuse_question
from claims.language.syntax.terms import GAME


# == definitions ======================================================================================================
# A definition names an expression, perhaps with parameters. Each call determines the types of the parameters.
@dataclass(frozen=True)
class Definition:
    """A definition `name(parameters) = text` in a file.

    `where`: the key of the text, for errors. If the text is not in the claim file, the key begins with the file name.
    `tree`: the syntax tree of the text.
    """

    name: str
    parameters: tuple[str, ...]
    text: str
    where: tuple[str, ...]
    tree: Node

    @property
    def head(self) -> str:
        """The left side of the definition, such as "rule(s, p)"; only the name if there are no parameters."""
        return f"{self.name}({', '.join(self.parameters)})" if self.parameters else self.name


def read_definition(key: str, text: str, where: tuple[str, ...]) -> Definition:
    """Return the definition with the left side `key`, such as "rule(s, p)", and the right side `text`.

    Raises LanguageError. `where`: the key of the text in the file, for errors.

    >>> read_definition("rule(s, p)", "wins(s, p)", ()).parameters
    ('s', 'p')
    """
    name, parameters = read_left_side(key)
    return Definition(name, parameters, text, where, parse(text))


def read_left_side(key: str) -> tuple[str, tuple[str, ...]]:
    """Return the name and the parameters in the left side of a definition: ("f", ("a", "b")) for "f(a, b)".

    Raises LanguageError.
    """
    expected = 'name or name(a, b), such as "defective(s, p)"'
    match = re.fullmatch(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*", key)
    names = tuple(p.strip() for p in match[2].split(",")) if match and match[2] and match[2].strip() else ()
    if not match:
        raise LanguageError(f"{key!r} is not the left side of a definition", expected, 0, 1)
    for name in (match[1], *names):
        if not is_name(name):
            raise LanguageError(f"{name!r} cannot be a name", expected, 0, 1)
    if len(set(names)) != len(names):
        raise LanguageError(f"{key!r} names a parameter twice", expected, 0, 1)
    if match[1] in TAKEN:
        problem = f"{match[1]!r} is a question about a game, {QUESTIONS[match[1]].head}"
        raise LanguageError(problem, f"another name for the definition, such as {match[1]}_of", 0, 1)
    if is_reserved(match[1]):
        expected = f"another name for the definition, such as {match[1]}_of"
        raise LanguageError(f"{match[1]!r} is a function of the language", expected, 0, 1)
    return match[1], names


# == names ============================================================================================================
# Errors for names without a meaning, and the check of a definition that nothing calls.
#
# The types in such a definition are unknown, but its names can be checked. A name must be a variable of the claim, a
# parameter, a definition, a player, a function of the language, or a question about one of the games.
_SAID = {
    "floor": "a // b is the floor of a quotient",
    "ceil": "-(-a // b) is the ceiling of a quotient",
    "sqrt": "isqrt(n) is the floor of the square root",
    "log": "top_bit(n) is the place of the highest binary digit",
    "log2": "top_bit(n) is the place of the highest binary digit",
    "mod": "a % b is the remainder",
    "xor": "a ^ b is the nim-sum",
    "even": "n % 2 == 0 means that n is even",
    "odd": "n % 2 == 1 means that n is odd",
    "divides": "n % d == 0 means that d divides n",
    "forall": "all(... for x in ...)",
    "exists": "any(... for x in ...)",
    "length": "len(s)",
    "size": "len(s) is the number of heaps, sum(s) the number of objects",
    "heaps": "s itself is the collection of its heaps",
    "moves": "options(s) is the set of positions after one move",
    "loses": "not wins(s)",
    "Fraction": "a / b instead of Fraction(a, b), as in 1 / 2**n",
    "pow": "a ** b is the power",
    "divmod": "a // b and a % b are the quotient and the remainder",
    "lcm": "a * b // gcd(a, b) is the least common multiple of natural numbers",
    "int": "1 if A else 0 turns a condition A into a number",
    "bool": "x != 0 turns a number x into a condition",
    "list": "[x for x in c] is the list of the elements of c",
    "set": "{x for x in c} is the set of the elements of c",
    "tuple": "[a, b], or (a, b)",
    "enumerate": "[(i, c[i]) for i in range(len(c))] instead of enumerate(c)",
    "zip": "[(c[i], d[i]) for i in range(min(len(c), len(d)))] instead of zip(c, d)",
    "reversed": "[c[len(c) - 1 - i] for i in range(len(c))]",
}
"""Common function names that the language does not have, with the equivalent in the language."""


def refuse_name(node: s.Name, known: Collection[str]) -> LanguageError:
    """Return the error for a name that is used as a value, although it is unknown or the name of a function.

    `known`: the names that have values, in the order in which the error lists them.
    """
    if node.name in list_functions() or node.name in QUESTIONS:
        return LanguageError(
            f"{node.name!r} is a function", f"a call with arguments, {node.name}(...)", node.start, node.end
        )
    expected, near = f"one of {join_words(known)}", find_closest(node.name, known)
    return UnknownName(node.name, f"unknown name {node.name!r}", expected, node.start, node.end, near)


def refuse_function(node: s.Name, definitions: Collection[str]) -> LanguageError:
    """Return the error for a call of a name that is neither a definition nor a function of the language."""
    near = find_closest(node.name, [*list_functions(), *definitions, *QUESTIONS])
    expected = "a definition or a function of the language"
    if said := _SAID.get(node.name):
        near, expected = "", f"{expected}; {said}"
    return UnknownName(node.name, f"unknown function {node.name!r}", expected, node.start, node.end, near)


def refuse_attribute(node: s.Name, games: Collection[str], collections: Collection[str]) -> LanguageError:
    """Return the error for a dotted name `name.word` without a meaning.

    `games`: the names of the games, which may be followed by a question, as in `normal.wins(s)`.
    `collections`: the names of lists, sets and positions, which may be followed by `.count(x)`.
    """
    if node.game in games:
        expected = f"a question about the game, such as {node.game}.{next(iter(QUESTIONS))}(s)"
    elif node.game in collections:
        expected = f"{node.game}.count(x), or a function of it, such as len({node.game})"
    else:
        expected = "the name of a game before '.'" if games else "no '.': no game is declared"
    return UnknownName(node.game, f"{node.game}.{node.name} has no meaning", expected, node.start, node.end)


def refuse_count(found: Definition, count: int, node: s.Node) -> LanguageError:
    """Return the error for the call `node` of a definition with `count` arguments, which is the wrong number."""
    problem = f"{found.name} is called with {format_count(count, 'argument')}"
    return LanguageError(problem, found.head, node.start, node.end)


@dataclass(frozen=True)
class NameScope:
    """The names that the definitions of one claim may use.

    `games`: for each game by name, the facts that determine which questions about it a claim may ask.
    `without_game`: the text after "expected:" in the error for a question such as wins(s), if there is no game.
    """

    variables: Collection[str]
    constants: Collection[str]
    definitions: Mapping[str, Definition]
    games: Mapping[str, GameFacts]
    without_game: str

    def list_faults(self, node: s.Node, scope: tuple[str, ...]) -> Iterator[LanguageError]:
        """Yield the errors for unknown names and for invalid calls in the syntax tree `node`, in the order of the text.

        `scope`: further names that `node` may use, such as parameters and running variables.
        """
        match node:
            case s.Name():
                yield from self._list_name(node, scope)
            case s.Quotation():
                try:
                    check_quotation(node)
                except LanguageError as error:
                    yield error
            case s.Call(arguments=arguments):
                yield from self._list_function(node, scope)
                for x in arguments:
                    yield from self.list_faults(x, scope)
            case s.Generator(body=body, clauses=clauses):
                for clause in clauses:
                    yield from self.list_faults(clause.source, scope)
                    scope = (*scope, *clause.names)
                    for x in clause.conditions:
                        yield from self.list_faults(x, scope)
                yield from self.list_faults(body, scope)
            case _:
                for x in s.parts(node):
                    yield from self.list_faults(x, scope)

    def _list_name(self, node: s.Name, scope: tuple[str, ...]) -> Iterator[LanguageError]:
        if node.game in scope and any(facts.heap is not None for facts in self.games.values()):
            return  # perhaps a part of a heap, which only types could tell
        if node.game:
            yield refuse_attribute(node, self.games, scope)
        elif node.name not in scope and node.name not in self.constants:
            if node.name not in self.definitions:
                plain = [name for name, d in self.definitions.items() if not d.parameters]
                yield refuse_name(node, [*scope, *plain, *self.constants])
            elif self.definitions[node.name].parameters:
                yield refuse_count(self.definitions[node.name], 0, node)

    def _list_function(self, node: s.Call, scope: tuple[str, ...]) -> Iterator[LanguageError]:
        function = node.function
        if function.name == "heap" and function.game in self.games:
            return
        if function.name in QUESTIONS and (function.game or function.name not in self.definitions):
            if self._may_be_about_games(node, scope):
                return
            try:
                find_parameters(node, self.games[find_game(function, self.games, self.without_game)])
            except LanguageError as error:
                yield error
        elif function.game:
            known = function.game in self.games
            yield refuse_question(function) if known else refuse_attribute(function, self.games, scope)
        elif function.name in self.definitions:
            found = self.definitions[function.name]
            if len(node.arguments) != len(found.parameters):
                yield refuse_count(found, len(node.arguments), node)
        elif function.name in scope or function.name in self.constants:
            problem = f"{function.name!r} is not a function"
            yield LanguageError(problem, "an operator after it", function.start, function.end)
        elif function.name not in list_functions():
            yield refuse_function(function, self.definitions)

    def _may_be_about_games(self, node: s.Call, scope: tuple[str, ...]) -> bool:
        """Return whether a question without a game's name may be about terms of type Game. Types are not known yet.

        `scope`: as in `list_faults`.
        """
        if node.function.game or len(self.games) == 1 or not QUESTIONS[node.function.name].of_games:
            return False
        return any(self._may_be_game(x, scope) for x in node.arguments)

    def _may_be_game(self, node: s.Node, scope: tuple[str, ...]) -> bool:
        match node:
            case s.Quotation():
                return True
            case s.Unary(operand=x):
                return self._may_be_game(x, scope)
            case s.Binary(left=x, right=y) | s.ConditionalNode(then=x, other=y):
                return self._may_be_game(x, scope) or self._may_be_game(y, scope)
            case s.Call(function=s.Name(name="sum", game=""), arguments=(s.Generator(body=body),)):
                return self._may_be_game(body, scope)
            case s.Call(function=function):
                asked = None if function.name in self.definitions else QUESTIONS.get(function.name)
                made = asked.result == GAME if asked else function.name == "ordinal_sum"
                return made or (not function.game and function.name in self.definitions)
            case s.Name(name=name):
                return (name in scope or name in self.definitions) and name not in self.variables
        return False


def check_quotation(node: s.Quotation) -> None:
    """Raise LanguageError, at the place of the fault, if a text in quotes is not in the notation of games."""
    try:
        parse_game(node.text)
    except LanguageError as error:
        at = node.start + 1
        raise LanguageError(error.message, error.expected, at + error.start, at + error.end) from None


# == powers ===========================================================================================================
# The sign `^` where the author may have meant a power.
def say_power(*terms: t.Term | None) -> str:
    """Return a warning that `^` is nim-addition if a term contains `x ^ 2`, `x ^ 3 + y` or the like; otherwise "".

    The author may have meant a power. The definitions that the terms call are included.
    """
    todo, seen = [x for x in terms if x is not None], set[int]()
    while todo:
        term = todo.pop(0)
        match term:
            case t.Operation(op="nim", args=(x, y)) if not isinstance(x, t.Literal) and _first(y) in (2, 3):
                return f"in {print_term(term)} the sign ^ is nim-addition, which binds less tightly than +; {NO_POWER}"
            case t.Apply(function=function) if id(function) not in seen:
                seen.add(id(function))
                todo.append(function.body)
        todo = [*t.subterms(term), *todo]
    return ""


def _first(term: t.Term) -> int | None:
    """Return the leftmost operand of an arithmetic expression if it is a number, such as 3 for `3 + y`; else None."""
    while isinstance(term, t.Operation) and term.op in ("add", "sub", "mul", "floordiv", "mod", "div"):
        term = term.args[0]
    return term.value if isinstance(term, t.Literal) else None
