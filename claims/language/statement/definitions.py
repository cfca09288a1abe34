"""The definitions of a claim: named expressions, from the claim file itself and from its folder's definitions.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from claims.language.errors import LanguageError
from claims.language.expressions.definitions import Definition, read_left_side
from claims.language.expressions.grammar.parser import parse
from claims.language.toml.reader import Table
from claims.language.toml.source import Read, Source
from claims.language.toml.trail import is_file

FORMAT = 1
SHARED = "definitions.toml"


def read_definitions(source: Source, folder: Path, read: Read) -> tuple[dict[str, Definition], dict[str, Source]]:
    """The definitions a claim may use: those of its folder, then its own; and the files they stand in, by name.

    The key of a shared definition (`Definition.where`) begins with the name of its file. Raises ClaimError.
    """
    shared: dict[str, Definition] = {}
    files: dict[str, Source] = {}
    path = folder / SHARED
    if is_file(path):
        other = read(path)
        table = Table(other, (), other.data)
        table.only("format", "define")
        table.format(FORMAT)
        shared = _read_table(other, table.optional_table("define"), (other.name,))
        files[other.name] = other
    own = _read_table(source, Table(source, (), source.data).optional_table("define"), ())
    for name, found in own.items():
        if name in shared:
            raise source.key_fault(
                found.where, f"{name!r} is defined twice", f"a name that {shared[name].where[0]} does not define"
            )
    return shared | own, files


def _read_table(source: Source, table: Mapping[str, Any], prefix: tuple[str, ...]) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for key, text in table.items():
        where = ("define", key)
        if not isinstance(text, str):
            raise source.fault(
                where, f"the definition of {key!r} is not a string", 'an expression in quotes, such as "x + 1"'
            )
        try:
            name, parameters = read_left_side(key)
        except LanguageError as error:
            raise source.key_fault(where, error.message, error.expected) from None
        if name in found:
            raise source.key_fault(where, f"{name!r} is defined twice", "one definition for each name")
        try:
            found[name] = Definition(name, parameters, text, (*prefix, *where), parse(text))
        except LanguageError as error:
            raise source.language_fault(where, error) from None
    return found


def find_mentioned(values: Iterable[Any], definitions: Mapping[str, Definition]) -> list[Definition]:
    """The definitions whose names occur in values of TOML, or in the text of another that is found."""
    found: dict[str, Definition] = {}
    texts = [text for value in values for text in _walk_texts(value)]
    while texts:
        text = texts.pop()
        for name, definition in definitions.items():
            if name not in found and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                found[name] = definition
                texts.append(definition.text)
    return [found[name] for name in definitions if name in found]


def _walk_texts(value: Any) -> Iterator[str]:
    """Every key and every text inside a value of TOML."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _walk_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk_texts(inner)
