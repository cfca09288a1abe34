"""A definition: a name for an expression, perhaps with parameters, whose types each call decides."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claims.language.builtins.table import is_reserved
from claims.language.expressions.questions import QUESTIONS
from claims.language.grammar.parser import parse
from claims.language.grammar.syntax import Node
from claims.language.grammar.tokens import is_name
from claims.language.ground.errors import LanguageError


@dataclass(frozen=True)
class Definition:
    """`name(parameters) = text`; `where` is the key under which a fault is reported, `tree` the text's syntax."""

    name: str
    parameters: tuple[str, ...]
    text: str
    where: tuple[str, ...]
    tree: Node

    @property
    def head(self) -> str:
        """The left side, as in `rule(s, p)`."""
        return f"{self.name}({', '.join(self.parameters)})" if self.parameters else self.name


def read_definition(key: str, text: str, where: tuple[str, ...]) -> Definition:
    """Read a definition: its left side, `name` or `name(a, b)`, and its text. Raises LanguageError.

    >>> read_definition("rule(s, p)", "wins(s, p)", ()).parameters
    ('s', 'p')
    """
    name, parameters = read_left_side(key)
    return Definition(name, parameters, text, where, parse(text))


def read_left_side(key: str) -> tuple[str, tuple[str, ...]]:
    """The name and the parameters of `name` or `name(a, b)`. Raises LanguageError."""
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
    if is_reserved(match[1]) or match[1] in QUESTIONS:
        raise LanguageError(f"{match[1]!r} is a function of the language", "a name that is not taken", 0, 1)
    return match[1], names
