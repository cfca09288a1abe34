"""The definitions of a claim: named expressions, from the claim file itself and from its folder's definitions.toml."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from claims.language.expressions.definitions import Definition, read_left_side
from claims.language.grammar.parser import parse
from claims.language.ground.errors import LanguageError
from claims.language.ground.gathering import attempt, report_fault
from claims.language.toml.reader import TomlTable
from claims.language.toml.source import Read, SourceFile
from claims.language.toml.trail import is_file

FORMAT = 1


SHARED = "definitions.toml"
KEYS = ("format", "define")


def read_definitions(
    source: SourceFile, folder: Path, read: Read
) -> tuple[dict[str, Definition], dict[str, SourceFile]]:
    """The definitions a claim may use: those of its folder, then its own; and the files they stand in, by name.

    The key of a shared definition (`Definition.where`) begins with the name of its file. Raises ClaimError.
    """
    shared: dict[str, Definition] = {}
    files: dict[str, SourceFile] = {}
    path = folder / SHARED
    if is_file(path):
        other, shared = read_shared(path, read)
        files[other.name] = other
    own = _read_table(source, TomlTable(source, (), source.data).optional_table("define"), ())
    for name, found in own.items():
        if name in shared:
            expected = f"a name that {shared[name].where[0]} does not define"
            report_fault(source.key_fault(found.where, f"{name!r} is defined twice", expected))
    return shared | own, files


def read_shared(path: Path, read: Read) -> tuple[SourceFile, dict[str, Definition]]:
    """A definitions.toml and what it defines. Raises ClaimError."""
    source = read(path)
    table = TomlTable(source, (), source.data)
    table.only(*KEYS)
    table.format(FORMAT)
    return source, _read_table(source, table.optional_table("define"), (source.name,))


def _read_table(source: SourceFile, table: Mapping[str, Any], prefix: tuple[str, ...]) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for key, text in table.items():
        name = re.match(r"\s*(\w*)", key)
        read = partial(_read_one, source, key, text, prefix, found)
        if (definition := attempt(read, None, name[1] if name else key)) is not None:
            found[definition.name] = definition
    return found


def _read_one(
    source: SourceFile, key: str, text: object, prefix: tuple[str, ...], others: Collection[str]
) -> Definition:
    where = ("define", key)
    if not isinstance(text, str):
        raise source.fault(
            where, f"the definition of {key!r} is not a string", 'an expression in quotes, such as "x + 1"'
        )
    try:
        name, parameters = read_left_side(key)
    except LanguageError as error:
        raise source.key_fault(where, error.message, error.expected) from None
    if name in others:
        raise source.key_fault(where, f"{name!r} is defined twice", "one definition for each name")
    try:
        return Definition(name, parameters, text, (*prefix, *where), parse(text))
    except LanguageError as error:
        raise source.language_fault(where, error) from None


def find_mentioned(values: Iterable[Any], definitions: Mapping[str, Definition]) -> list[Definition]:
    """The definitions whose names occur in values of TOML, or in the text of another that is found."""
    found: dict[str, Definition] = {}
    texts = [text for value in values for text in _walk_texts(value)]
    while texts:
        text = texts.pop()
        for name, definition in definitions.items():
            if name in text and name not in found and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
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


# -- what a claim rests on --------------------------------------------------------------------------------------------
# What a claim rests on, to the letter: its file, rulesets, definitions it may call, proofs it borrows, lemmas.
#
# A receipt carries the digest, so that a verdict is never taken for one on another text.  Of shared definitions
# only those count that the claim, its rulesets or a borrowed proof may call: all whose name occurs there, and what
# these call.


@dataclass(frozen=True)
class ClaimInputs:
    """(what it is, its text) of each part; no part's name depends on the folder in which the files stand.

    `files`: the name, as shown to a person, and SHA-256 of each file that a part is from, those of lemmas included.
    """

    parts: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the parts, each apart from the next."""
        return hashlib.sha256(json.dumps(self.parts).encode()).hexdigest()


def make_basis(
    source: SourceFile,
    rulesets: tuple[tuple[str, SourceFile], ...],
    definitions: Mapping[str, Definition],
    files: Mapping[str, SourceFile],
    borrowed: tuple[tuple[str, SourceFile], ...],
    lemmas: tuple[tuple[str, ClaimInputs], ...] = (),
    variant: str = "",
) -> ClaimInputs:
    """The basis of a claim.

    `rulesets` are those of its games, by the game's name; `files` hold the shared ones of its `definitions`, `borrowed`
    the proofs of siblings, `lemmas` the name of each and its own basis; `variant`: which of the file, "" for none.
    """
    read = [source, *(other for _, other in (*rulesets, *borrowed))]
    shared = {name: d for name, d in definitions.items() if d.where[0] in files}
    mentioned = tuple(find_mentioned([one.data for one in read], shared))
    whole = [*read, *(files[d.where[0]] for d in mentioned)]
    digests = {one.name: one.digest for one in whole} | {file: x for _, basis in lemmas for file, x in basis.files}
    return ClaimInputs(
        (
            ("claim", source.text),
            *((("variant", variant),) if variant else ()),
            *((f"ruleset of {name}", other.text) for name, other in rulesets),
            *((f"proof of {name}", other.text) for name, other in borrowed),
            *((f"definition {d.head}", d.text) for d in mentioned),
            *((f"lemma {name}", basis.digest) for name, basis in lemmas),
        ),
        tuple(sorted(digests.items())),
    )


def read_borrowed_proofs(source: SourceFile, folder: Path, read: Read) -> tuple[tuple[str, SourceFile], ...]:
    """The siblings whose [proof] a claim names with `from`, each once. The section has been read without fault."""
    section = source.data.get("proof", {})
    names = [row["from"] for row in (section, *section.get("cases", ())) if "from" in row]
    return tuple((name, read(folder / f"{name}.toml")) for name in dict.fromkeys(names))


NOTHING = ClaimInputs()
