"""Names that mean nothing: how each is refused, and the check of a definition that nothing calls.

The types of such a definition are not known, but its names are: a variable of the claim, a parameter, a definition, a
player, a function of the language, a question about one of the games.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from claims.language.builtins.table import list_functions
from claims.language.expressions.definitions import Definition
from claims.language.expressions.questions import QUESTIONS, GameFacts, find_game, find_parameters, refuse_question
from claims.language.grammar import syntax as s
from claims.language.ground.errors import LanguageError, closest, counted, listed


def refuse_name(node: s.Name, known: Collection[str]) -> LanguageError:
    """The fault of a name that stands for no value; `known` do, in the order in which they are offered."""
    if node.name in list_functions() or node.name in QUESTIONS:
        return LanguageError(f"{node.name!r} is a function", f"its arguments, {node.name}(...)", node.start, node.end)
    expected, near = f"one of {listed(known)}", closest(node.name, known)
    return LanguageError(f"unknown name {node.name!r}", expected, node.start, node.end, near)


def refuse_function(node: s.Name, definitions: Collection[str]) -> LanguageError:
    """The fault of a call of something that is neither a definition nor a function of the language."""
    near = closest(node.name, [*list_functions(), *definitions, *QUESTIONS])
    expected = "a definition or a function of the language"
    return LanguageError(f"unknown function {node.name!r}", expected, node.start, node.end, near)


def refuse_attribute(node: s.Name, games: Collection[str], collections: Collection[str]) -> LanguageError:
    """The fault of `name.word` that asks no question; `collections` have a .count(x)."""
    if node.game in games:
        expected = f"a question about the game, such as {node.game}.{next(iter(QUESTIONS))}(s)"
    elif node.game in collections:
        expected = f"{node.game}.count(x), or a function of it, such as len({node.game})"
    else:
        expected = "the name of a game before '.'" if games else "no '.': there is no game to ask"
    return LanguageError(f"{node.game}.{node.name} has no meaning", expected, node.start, node.end)


def refuse_count(found: Definition, count: int, node: s.Node) -> LanguageError:
    """The fault of a call of a definition with `count` arguments, where it takes another number of them."""
    return LanguageError(f"{found.name} with {counted(count, 'argument')}", found.head, node.start, node.end)


@dataclass(frozen=True)
class Vocabulary:
    """What the definitions of one claim may mention. `without_game`: what is expected where there is none to ask."""

    variables: Collection[str]
    constants: Collection[str]
    definitions: Mapping[str, Definition]
    games: Mapping[str, GameFacts]
    without_game: str

    def check(self, found: Definition) -> None:
        """Refuse a definition that mentions what is not there. Raises LanguageError."""
        self._check(found.tree, (*found.parameters, *(v for v in self.variables if v not in found.parameters)))

    def _check(self, node: s.Node, scope: tuple[str, ...]) -> None:
        match node:
            case s.Name():
                self._check_name(node, scope)
            case s.Call(arguments=arguments):
                self._check_function(node, scope)
                for x in arguments:
                    self._check(x, scope)
            case s.Generator(body=body, clauses=clauses):
                for clause in clauses:
                    self._check(clause.source, scope)
                    scope = (*scope, clause.name)
                    for x in clause.conditions:
                        self._check(x, scope)
                self._check(body, scope)
            case _:
                for x in s.parts(node):
                    self._check(x, scope)

    def _check_name(self, node: s.Name, scope: tuple[str, ...]) -> None:
        if node.game:
            raise refuse_attribute(node, self.games, scope)
        if node.name in scope or node.name in self.constants:
            return
        if node.name not in self.definitions:
            plain = [name for name, d in self.definitions.items() if not d.parameters]
            raise refuse_name(node, [*scope, *plain, *self.constants])
        if self.definitions[node.name].parameters:
            raise refuse_count(self.definitions[node.name], 0, node)

    def _check_function(self, node: s.Call, scope: tuple[str, ...]) -> None:
        function = node.function
        if function.game or function.name in QUESTIONS:
            if function.name not in QUESTIONS:
                known = function.game in self.games
                raise refuse_question(function) if known else refuse_attribute(function, self.games, scope)
            find_parameters(node, self.games[find_game(function, self.games, self.without_game)])
        elif function.name in self.definitions:
            found = self.definitions[function.name]
            if len(node.arguments) != len(found.parameters):
                raise refuse_count(found, len(node.arguments), node)
        elif function.name in scope or function.name in self.constants:
            raise LanguageError(
                f"{function.name!r} is not a function", "an operator after it", function.start, function.end
            )
        elif function.name not in list_functions():
            raise refuse_function(function, self.definitions)
