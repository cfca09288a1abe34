"""The names that expressions of a claim file may use, and the definitions of the file and its folder."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from claims.language.errors import (
    ANYTHING,
    CallStep,
    ClaimError,
    FaultCollector,
    FollowOnFault,
    LanguageError,
    SourceLocation,
    UnknownName,
    attempt,
    get_fault_collector,
    is_unreadable,
    report_fault,
)
from claims.language.files.toml import Keys, Read, SourceFile, TomlTable, is_file
from claims.language.syntax.elaborate import NO_GAME, Elaborator
from claims.language.syntax.grammar import parse
from claims.language.syntax.names import Definition, read_left_side
from claims.language.syntax.questions import GameFacts
from claims.language.syntax.terms import BOOL, INT, Literal, Term, Type, describe_type

# == context ==========================================================================================================
# The names that expressions of one claim file may use, and the places of errors.
NO_QUESTIONS = (
    "an expression without questions such as wins(s); it may use names of the [proof] and the claim's integer variables"
)


class ExpressionContext:
    """A parser of the expressions of a claim, with the names that they may use.

    `types`: the types of the variables that are declared so far, by name.
    `heap`: the type of the heaps in the claim's games if these heaps have parts; None if heaps are numbers.
    `files`: the other files that contain definitions, by name. An error inside a definition points into its file.
    """

    def __init__(
        self,
        source: SourceFile,
        games: Mapping[str, GameFacts],
        definitions: Mapping[str, Definition],
        files: Mapping[str, SourceFile],
        without_game: str = NO_GAME,
    ) -> None:
        self.source, self.definitions, self.files = source, definitions, files
        self.types: dict[str, Type] = {}
        self.heap = next((facts.heap for facts in games.values() if facts.heap is not None), None)
        self._main = Elaborator(self.types, games, definitions, without_game, heap=self.heap)
        # A parameter of a game must be known before play, so its expression cannot ask about games.
        self._parameters = Elaborator(
            self.types,
            {},
            definitions,
            without_game="a value without questions such as wins(s), because parameters are known before play",
            numbers=self._main.numbers,
        )
        self._parameters.constants |= self._main.constants

    @property
    def constants(self) -> dict[str, Type]:
        """The types of players, outcomes, True and False, by name."""
        return {name: kind for name, (kind, _) in self._main.constants.items()}

    @property
    def later(self) -> set[str]:
        """The variables that are not declared yet. The code that declares a variable removes it from this set."""
        return self._main.later

    def check_definitions(self) -> None:
        """Report each definition without parameters that has the name of a constant, such as a player or `True`.

        A fault is raised as ClaimError, or collected if a `FaultCollector` is in use.
        """
        for found in self.definitions.values():
            if not found.parameters and found.name in self._main.constants:
                problem = f"{found.name!r} already names {describe_type(self._main.constants[found.name][0])}"
                source = self.files.get(found.where[0], self.source)
                keys = found.where if source is self.source else found.where[1:]
                report_fault(source.key_fault(keys, problem, "another name for the definition"))

    def check_uncalled(self, elsewhere: Collection[Definition]) -> None:
        """Report unknown names in those definitions of the claim file that no expression calls.

        A fault is raised as ClaimError, or collected if a `FaultCollector` is in use. Call this method after all
        expressions of the file are read. Definitions in other files are not checked, because they may use names of
        other claims.

        `elsewhere`: definitions that another context has called and checked.
        """
        for found in self.definitions.values():
            if found.where[0] in self.files or (
                get_fault_collector() is None and (found in self.called or found in elsewhere)
            ):
                continue
            for error in self._main.list_unknown(found.tree, found.parameters):
                if not (isinstance(error, UnknownName) and is_unreadable(error.name)):
                    report_fault(self.source.language_fault(found.where, error))

    @property
    def called(self) -> list[Definition]:
        """The definitions that the expressions read so far call, directly or through other definitions."""
        names = self._main.called | self._parameters.called
        return [d for n, d in self.definitions.items() if n in names]

    def read_expression(self, keys: Keys, text: str, kind: Type | None, offset: int = 0) -> Term:
        """Return the term of `text`, which begins at `offset` of the string under `keys`.

        Raises ClaimError if the text is invalid, or if `kind` is not None and the term does not have this type.
        """
        return self._term(self._main, keys, text, kind, offset)

    def parameter(self, keys: Keys, text: str, offset: int) -> Term:
        """Return the term of an argument of a game, as `read_expression` does. The text must not ask about games."""
        return self._term(self._parameters, keys, text, None, offset)

    def _term(self, elaborator: Elaborator, keys: Keys, text: str, kind: Type | None, offset: int) -> Term:
        try:
            return elaborator.term(text, kind)
        except LanguageError as error:
            found = get_fault_collector()
            if found is None:
                raise self._fault(keys, error, offset) from None
            for fault in self._list_faults(elaborator, found, text, error):
                found.add(self._fault(keys, fault, offset))
            found.holes += 1
            if kind not in (BOOL, INT):
                raise FollowOnFault(self.source.place(keys), error.message) from None
            return Literal(kind, 0, len(text), 0)  # a substitute: the claim is rejected at the end

    def _list_faults(
        self, elaborator: Elaborator, found: FaultCollector, text: str, error: LanguageError
    ) -> Iterator[LanguageError]:
        """Yield the faults of a text that could not be typed: `error`, and one fault for each unknown name.

        A fault is left out if it only follows from a name whose declaration is invalid.
        """
        try:
            unknown = list(elaborator.list_unknown(parse(text)))
        except LanguageError as unreadable:
            yield unreadable
            return
        if found.is_lost(ANYTHING):
            return
        named = [x for x in unknown if not (isinstance(x, UnknownName) and found.is_lost(x.name))]
        missing = isinstance(error, UnknownName) and found.is_lost(error.name)
        if not missing:
            yield error
        yield from (x for x in named if missing or error.where or x.start != error.start)

    def _fault(self, keys: Keys, error: LanguageError, offset: int) -> ClaimError:
        error.shift(offset)
        place = self._place(keys, error.where, error.start, error.end)
        return ClaimError(place, error.message, error.expected, self._calls(keys, error.trail), error.near)

    def _calls(self, keys: Keys, trail: tuple[CallStep, ...]) -> tuple[tuple[str, SourceLocation], ...]:
        return tuple((s.how, self._place(keys, s.where, s.start, s.end)) for s in trail)

    def _place(self, keys: Keys, where: tuple[str, ...], start: int, end: int) -> SourceLocation:
        if where and where[0] in self.files:
            return self.files[where[0]].place(where[1:], (start, end))
        return self.source.place(where or keys, (start, end))


# == definitions ======================================================================================================
# The definitions of a claim: named expressions from the claim file and from its folder's definitions.toml.
FORMAT = 1


SHARED = "definitions.toml"
KEYS = ("format", "define")


def read_definitions(
    source: SourceFile, folder: Path, read: Read, rulesets: Iterable[tuple[SourceFile, Mapping[str, Definition]]]
) -> tuple[dict[str, Definition], dict[str, SourceFile]]:
    """Return the definitions that a claim may use, by name, and the other files that contain definitions, by file name.

    The order is: definitions of the claim's rulesets, definitions of the folder's definitions.toml, definitions of the
    claim file. For a definition in another file, `Definition.where` begins with the name of that file. If two rulesets
    define a name differently, the claim cannot use this name. Raises ClaimError.

    `rulesets`: the file of each ruleset, and the definitions in it that claims may use.
    """
    shared: dict[str, Definition] = {}
    files: dict[str, SourceFile] = {}
    twice = set[str]()
    for file, offered in rulesets:
        twice |= {name for name, x in offered.items() if name in shared and shared[name] != x}
        shared |= offered
        files[file.name] = file
    for name in twice:
        del shared[name]
    path = folder / SHARED
    if is_file(path):
        other, common = read_shared(path, read)
        files[other.name] = other
        for name in common.keys() & shared.keys():
            report_fault(_refuse_second(other, common[name].where[1:], name, shared))
        shared |= common
    own = read_table(source, TomlTable(source, (), source.data).optional_table("define"), ())
    for name, found in own.items():
        if name in shared:
            report_fault(_refuse_second(source, found.where, name, shared))
    return shared | own, files


def _refuse_second(source: SourceFile, where: Keys, name: str, shared: Mapping[str, Definition]) -> ClaimError:
    expected = f"a name that {shared[name].where[0]} does not define"
    return source.key_fault(where, f"{name!r} is defined twice", expected)


def select_closed(definitions: Mapping[str, Definition], names: Collection[str]) -> dict[str, Definition]:
    """Return the definitions that do not mention any of `names`, even through another definition.

    A parameter hides the name: the definition `f(k) = k + 1` does not mention k.
    """

    def is_closed(found: Definition) -> bool:
        free = set(re.findall(r"\w+", found.text)) - {*found.parameters}
        return not free & {*names}

    mentioned = {name: find_mentioned([x.text], definitions) for name, x in definitions.items()}
    return {name: x for name, x in definitions.items() if all(map(is_closed, (x, *mentioned[name])))}


def read_shared(path: Path, read: Read) -> tuple[SourceFile, dict[str, Definition]]:
    """Read a definitions.toml. Return the file and its definitions. Raises ClaimError."""
    source = read(path)
    table = TomlTable(source, (), source.data)
    table.reject_unknown_keys(*KEYS)
    table.format(FORMAT)
    return source, read_table(source, table.optional_table("define"), (source.name,))


def read_table(source: SourceFile, table: Mapping[str, Any], prefix: tuple[str, ...]) -> dict[str, Definition]:
    """Return the definitions of a table [define] by name. Raises ClaimError.

    `prefix`: the first part of `Definition.where`: the name of the file, or () for the claim file itself.
    """
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
    """Return the definitions whose names occur in parsed TOML `values`, or in the text of another returned definition.

    The order is the order of `definitions`.
    """
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
    """Yield every string inside a parsed TOML value, including the keys of its tables."""
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
# The exact texts that a claim depends on: its file, rulesets, definitions it may call, borrowed proofs, lemmas.
#
# A receipt contains their digest, so a verdict is never reused for another text. A shared definition counts only if
# the claim, its rulesets or a borrowed proof may call it: its name occurs there, or in a definition that counts.


@dataclass(frozen=True)
class ClaimInputs:
    """The texts on which a claim depends.

    `parts`: pairs of a description, such as "ruleset of kayles", and the text; for a lemma, its digest instead of the
    text. Descriptions do not contain the names of folders.
    `files`: the displayed name and the SHA-256 of each file that contains a part, including the files of lemmas.
    """

    parts: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """The SHA-256 of the parts, encoded as JSON to keep the parts separate."""
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
    """Return the texts on which the claim in the file `source` depends.

    `rulesets`: the name of each game, and its ruleset file.
    `definitions`: the definitions that the claim may use. Only the definitions that it can reach by name are included.
    `files`: the files of the definitions outside the claim file, by name.
    `borrowed`: the name and the file of each claim whose [proof] this claim uses by `from`.
    `lemmas`: the name of each lemma, and the texts on which the lemma depends.
    `variant`: the name of the variant, or "".
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
    """Return the name and the file of each claim whose [proof] the claim in `source` uses by `from`.

    The claims are in the same folder. The [proof] of `source` must be valid.
    """
    section = source.data.get("proof", {})
    names = [row["from"] for row in (section, *section.get("cases", ())) if "from" in row]
    return tuple((name, read(folder / f"{name}.toml")) for name in dict.fromkeys(names))


NOTHING = ClaimInputs()
