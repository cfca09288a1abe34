"""The definitions of a claim: named expressions, from the claim file itself and from its folder's definitions.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claims.language.errors import LanguageError
from claims.language.expressions.builtins import FUNCTIONS
from claims.language.expressions.parser import parse
from claims.language.expressions.questions import QUESTIONS
from claims.language.expressions.syntax import Node
from claims.language.expressions.tokens import is_name
from claims.language.toml.reader import Table
from claims.language.toml.source import Read, Source

FORMAT = 1
SHARED = "definitions.toml"


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


def definition(key: str, text: str, where: tuple[str, ...]) -> Definition:
    """Read a definition: its left side, `name` or `name(a, b)`, and its text. Raises LanguageError.

    >>> definition("rule(s, p)", "wins(s, p)", ()).parameters
    ('s', 'p')
    """
    name, parameters = _left_side(key)
    return Definition(name, parameters, text, where, parse(text))


def _left_side(key: str) -> tuple[str, tuple[str, ...]]:
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
    if match[1] in FUNCTIONS or match[1] in QUESTIONS:
        raise LanguageError(f"{match[1]!r} is a function of the language", "a name that is not taken", 0, 1)
    return match[1], names


def definitions_of(source: Source, folder: Path, read: Read) -> tuple[dict[str, Definition], dict[str, Source]]:
    """The definitions a claim may use: those of its folder, then its own; and the files they stand in, by name.

    The key of a shared definition (`Definition.where`) begins with the name of its file. Raises ClaimError.
    """
    shared: dict[str, Definition] = {}
    files: dict[str, Source] = {}
    path = folder / SHARED
    if path.is_file():
        other = read(path)
        table = Table(other, (), other.data)
        table.only("format", "define")
        table.format(FORMAT)
        shared = _defined(other, table.optional_table("define"), (other.name,))
        files[other.name] = other
    own = _defined(source, Table(source, (), source.data).optional_table("define"), ())
    for name, found in own.items():
        if name in shared:
            raise source.key_fault(
                found.where, f"{name!r} is defined twice", f"a name that {shared[name].where[0]} does not define"
            )
    return shared | own, files


def _defined(source: Source, table: Mapping[str, Any], prefix: tuple[str, ...]) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for key, text in table.items():
        where = ("define", key)
        if not isinstance(text, str):
            raise source.fault(
                where, f"the definition of {key!r} is not a string", 'an expression in quotes, such as "x + 1"'
            )
        try:
            name, parameters = _left_side(key)
        except LanguageError as error:
            raise source.key_fault(where, error.message, error.expected) from None
        if name in found:
            raise source.key_fault(where, f"{name!r} is defined twice", "one definition for each name")
        try:
            found[name] = Definition(name, parameters, text, (*prefix, *where), parse(text))
        except LanguageError as error:
            raise source.language_fault(where, error) from None
    return found
