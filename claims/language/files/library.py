"""Find and load claims: by id or pattern in the library, or by file or folder; and read the works of claims."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from claims.language.errors import (
    ANYTHING,
    ClaimError,
    FaultCollector,
    FollowOnFault,
    LanguageError,
    SourceLocation,
    attempt,
    collect_faults,
    conclude,
    find_closest,
    is_unreadable,
    is_whole,
    join_words,
    mark_unreadable,
    report_fault,
)
from claims.language.files.claim import (
    EXPECTATIONS,
    KEY,
    MARK,
    ROLES,
    Claim,
    Description,
    Game,
    PictureRequest,
    base_of,
    find_variant,
    identify,
    list_variants,
    naming_variant,
    suggesting_no_proof,
    take_variant,
)
from claims.language.files.definitions import (
    FORMAT,
    ExpressionContext,
    find_mentioned,
    make_basis,
    read_borrowed_proofs,
    read_definitions,
)
from claims.language.files.domains import (
    ClaimVariable,
    IntervalDomain,
    Range,
    constant_range,
    read_scopes,
)
from claims.language.files.games import NamedRuleset, bind, check_games_are_known, declare, read_rulesets
from claims.language.files.proofs import LemmaLoader, Location, ProofSection, ReadSection, name_outside, read_proof
from claims.language.files.proofs import list_lemmas as named_lemmas
from claims.language.files.rulesets import Ruleset
from claims.language.files.toml import (
    Keys,
    Read,
    SourceCache,
    SourceFile,
    TomlTable,
    display_path,
    format_value,
    is_file,
    parse,
    read,
    read_on,
)
from claims.language.syntax.names import Definition
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, Term, Type, describe_type, names_of

# == works ============================================================================================================
# The bibliography of a folder, its works.toml: the works, and the order in which each states its claims.
#
# A works.toml covers the claim files next to it, and the subfolders next to it, each named after its work.
# -- short labels -----------------------------------------------------------------------------------------------------
# Short labels of claims, used where a locator is too long, as in a map of an argument.


LONGEST = 28  # characters of a label


def read_label(top: TomlTable, locator: str) -> str:
    """Return the short label of a claim: the text under the key `short`, or else a label made from `locator`.

    Raises ClaimError if `short` is invalid or too long.
    """
    if "short" not in top.data:
        return make_label(locator)
    label = " ".join(top.text("short").split())
    if len(label) > LONGEST:
        raise top.fault(
            "short", f"'short' has {len(label)} characters", f'at most {LONGEST} characters, such as "Lemma 11"'
        )
    return label


def make_label(locator: str) -> str:
    """Return a place in a work, such as "Lemma 11", as a label of at most 28 characters.

    "Proof of" is removed if a comma follows. While the text is too long, the part before the first comma is removed.
    If this is not enough, the end is cut off.

    >>> make_label("Lemma 11"), make_label("Proof of Theorem 2, case (B)")
    ('Lemma 11', 'Theorem 2, case (B)')
    >>> make_label("Mathematical theory, which move to make"), make_label("An unusually long remark on the theorem")
    ('Which move to make', 'An unusually long remark on…')
    """
    text = re.sub(r"^Proof of ([^,]+,)", r"\1", " ".join(locator.split()))
    while len(text) > LONGEST and ", " in text:
        text = text.partition(", ")[2]
        text = text[:1].upper() + text[1:]
    if len(text) <= LONGEST:
        return text
    kept = text[: LONGEST - 1]
    return (kept.rpartition(" ")[0] if text[LONGEST - 1] != " " and " " in kept else kept).rstrip(" ,") + "…"


# -- works.toml -------------------------------------------------------------------------------------------------------
LIBRARY = Path(__file__).parents[2]
"""The folder of the shipped claims."""


BIBLIOGRAPHY = "works.toml"


WORKS_FORMAT = 1


WORKS_KEYS = ("format", "works")
WORKS_TEXTS = ("title", "short", "authors", "year", "venue", "source")
NOT_SHOWN = ("title", "authors", "year", "venue")  # details that a scan of a work may lack


def is_definition(path: Path) -> bool:
    """Whether a file, by its name, is not a claim but shared definitions, a works.toml or a ruleset."""
    return path.name in ("definitions.toml", "works.toml") or path.parent.name == "rulesets"


@dataclass(frozen=True)
class WorkEntry:
    """The description of one work, that is, a paper or book that makes claims. It is an entry of a works.toml.

    `short`: a short title, or "".
    `venue`: the journal or book.
    `source`: the copy of the work that was used, such as a scan.
    `not_shown`: the bibliographic details, such as "year", that are unknown because this copy does not show them.
    `order`: the names of claim files, without .toml, in the order in which the work makes the claims.
    """

    title: str
    authors: str = ""
    year: str = ""
    source: str = ""
    short: str = ""
    order: tuple[str, ...] = ()
    venue: str = ""
    not_shown: tuple[str, ...] = ()


def read_works(folder: Path) -> dict[str, WorkEntry]:
    """Return the works of a folder by their keys, in the order of its works.toml. Return {} if there is no such file.

    Raises ClaimError for an invalid works.toml, and for an `order` that names a missing claim, or one claim twice.
    """
    path = folder / BIBLIOGRAPHY
    if not path.is_file():
        return {}
    source = read_on(path)
    top = TomlTable(source, (), source.data)
    top.reject_unknown_keys(*WORKS_KEYS)
    top.format(WORKS_FORMAT)
    top.optional_table("works")
    read_all = {key: partial(_read_listing, source, folder, key) for key in source.data.get("works", {})}
    return {key: attempt(read_one, WorkEntry(key)) for key, read_one in read_all.items()}


def _read_listing(source: SourceFile, folder: Path, key: str) -> WorkEntry:
    entry = source.data["works"][key]
    if not isinstance(entry, dict):
        raise source.fault(("works", key), f"{key!r} is {format_value(entry)}", f"a table, [works.{key}]")
    table = TomlTable(source, ("works", key), entry)
    table.reject_unknown_keys(*WORKS_TEXTS, "order", "not_shown")
    texts = {name: entry.get(name, "") for name in WORKS_TEXTS}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise table.fault(name, f"{name!r} is {format_value(text)}", "text in quotes")
    order = table.texts("order") if "order" in entry else ()
    not_shown = table.texts("not_shown") if "not_shown" in entry else ()
    for i, name in enumerate(not_shown):
        expected = f"one of {', '.join(NOT_SHOWN)}"
        if name not in NOT_SHOWN:
            raise source.fault((*table.keys, "not_shown", i), f"{name!r} cannot be in not_shown", expected)
        if name != "title" and texts[name]:
            problem = f"{name!r} is in not_shown, but its value is {texts[name]!r}"
            expected = f"either a value of {name!r} or {name!r} in not_shown"
            raise source.fault((*table.keys, "not_shown", i), problem, expected)
    there = {path.stem for place in (folder, folder / key) for path in place.glob("*.toml") if not is_definition(path)}
    for i, name in enumerate(order):
        if name not in there:
            problem = f"there is no claim {name!r} of the work {key!r}"
            near = find_closest(name, there)
            report_fault(source.fault((*table.keys, "order", i), problem, "the name of a claim file", near=near))
        if name in order[:i]:
            report_fault(
                source.fault((*table.keys, "order", i), f"{name!r} appears twice in 'order'", "each claim once")
            )
    return WorkEntry(**(texts | {"title": texts["title"] or key}), order=order, not_shown=not_shown)


class WorksCache:
    """A reader of works.toml files, which reads each file once and finds the file that applies to a claim."""

    def __init__(self) -> None:
        self._read: dict[Path, dict[str, WorkEntry]] = {}
        self._above: dict[Path, Path] = {}

    def read(self, folder: Path) -> dict[str, WorkEntry]:
        """Return the works in the works.toml of a folder, by their keys; {} without this file. Raises ClaimError."""
        if folder not in self._read:
            self._read[folder] = read_works(folder)
        return self._read[folder]

    def find_folder(self, path: Path) -> Path:
        """Return the folder of the works.toml that applies to the claim file at `path`. Raises ClaimError.

        This is the folder of the file if it contains a works.toml with entries, otherwise the parent folder. If neither
        contains one, return the folder of the file.
        """
        own = path.parent
        if own not in self._above:
            self._above[own] = next((f for f in (own, own.parent) if self.read(f)), own)
        return self._above[own]


def put_in_order(paths: Iterable[Path]) -> list[Path]:
    """Return the claim files sorted by work, in the order of the entries of their works.toml.

    The files of one work are in the order of its line `order`. The files that this line omits follow, sorted by name.
    Files to which different works.toml apply form separate groups, in the order of `paths`. Raises ClaimError.
    """
    bibliographies = WorksCache()
    groups: dict[Path, list[Path]] = {}
    for path in paths:
        groups.setdefault(bibliographies.find_folder(path), []).append(path)
    return [
        path
        for folder, found in groups.items()
        for path in sorted(found, key=_WorksOrder(folder, bibliographies.read(folder)))
    ]


class _WorksOrder:
    """A function that maps a claim file to its sort key, for the claim files to which one works.toml applies."""

    def __init__(self, folder: Path, works: dict[str, WorkEntry]) -> None:
        self.folder, self.works, self.keys = folder, works, list(works)

    def __call__(self, path: Path) -> tuple[int, str, int, str]:
        below = path.parent.name if path.parent != self.folder else ""
        key = below if below in self.works else self._find_listing_work(path) if not below else ""
        order = self.works[key].order if key else ()
        place = order.index(path.stem) if path.stem in order else len(order)
        return (self.keys.index(key) if key else len(self.keys), "" if key else below, place, path.as_posix())

    def _find_listing_work(self, path: Path) -> str:
        """Return the key of the work whose `order` lists a file next to the works.toml, or "" if there is none."""
        return next((key for key, entry in self.works.items() if path.stem in entry.order), "")


# == pictures =========================================================================================================
# The pictures that a claim file requests: the winner with two heaps, or the values of one heap. No verdict uses them.
OUTCOMES, VALUES = "outcomes", "values"
KINDS = (OUTCOMES, VALUES)
_RUNS = {OUTCOMES: ("s", POSITION, BOOL, "solved", 40), VALUES: ("x", INT, INT, "value", 200)}
"""For each kind of picture: the name that runs over the heaps, the type of this name, the type of the term that the
picture shows, the key of this term, and the largest heap size.
"""
COMMON = ("kind", "title", "claimed", "heaps", "at")
_EXAMPLES = {OUTCOMES: '"0..24"', VALUES: '"0..35"'}


def get_picture_key(kind: str) -> str:
    """Return the key under which a picture of this kind states its term: "solved" for outcomes, "value" for values."""
    return _RUNS[kind][3]


def read_pictures(
    context: ExpressionContext, variables: tuple[ClaimVariable, ...], games: tuple[Game, ...]
) -> tuple[PictureRequest, ...]:
    """Return the pictures that the [[pictures]] of a claim file request. Raises ClaimError.

    `context`: a parser that reads only pictures. So the definitions that only pictures call are not listed as parts of
    the statement.
    """
    top = TomlTable(context.source, (), context.source.data)
    if "pictures" not in top.data:
        return ()
    return tuple(_read(context, variables, games, table) for table in top.tables("pictures"))


def _read(
    context: ExpressionContext, variables: tuple[ClaimVariable, ...], games: tuple[Game, ...], table: TomlTable
) -> PictureRequest:
    kind = table.choice("kind", KINDS)
    name, runs, shows, key, largest = _RUNS[kind]
    table.reject_unknown_keys(*COMMON, key, *(("yes", "no") if kind == OUTCOMES else ()))
    title, yes, no = (table.optional_text(k) for k in ("title", "yes", "no"))
    texts = {k: table.text(k, "an expression in quotes") for k in (key, "claimed") if k == key or k in table.data}
    heaps = _read_heaps(table, kind, largest)
    at = _read_values(table, variables, name)
    if context.types.get(name, runs) != runs:
        kind_in_claim = describe_type(context.types[name])
        problem = f"{name!r} runs over the heaps of the picture, but is also a variable of the claim, {kind_in_claim}"
        raise table.fault(key, problem, f"another name for the variable {name!r} of the claim")
    terms = _type_all(context, table, texts, name, runs, shows)
    _check_known(table, variables, games, tuple(terms.values()), {name, *(n for n, _ in at)})
    return PictureRequest(
        kind, title, name, heaps, at, terms[key], texts[key], terms.get("claimed"), texts.get("claimed", ""), yes, no
    )


def _type_all(
    context: ExpressionContext, table: TomlTable, texts: dict[str, str], name: str, runs: Type, shows: Type
) -> dict[str, Term]:
    before = dict(context.types)
    context.types[name] = runs
    try:
        return {key: context.read_expression((*table.keys, key), text, shows) for key, text in texts.items()}
    finally:
        context.types.clear()
        context.types.update(before)


def _read_heaps(table: TomlTable, kind: str, largest: int) -> Range:
    text = table.text("heaps", f"a range such as {_EXAMPLES[kind]}")
    try:
        found = constant_range(text)
    except LanguageError as error:
        raise table.fault("heaps", error.message, f"a range such as {_EXAMPLES[kind]}") from None
    if found.lo < 0 or found.hi > largest:
        raise table.fault(
            "heaps", f"the heaps {found} are out of range", f"a range within 0..{largest}, such as {_EXAMPLES[kind]}"
        )
    return found


def _read_values(table: TomlTable, variables: tuple[ClaimVariable, ...], running: str) -> tuple[tuple[str, int], ...]:
    """Return the pairs of a variable and its value in the line `at` of a picture. A player is given by an index.

    Raises ClaimError for a name that is not an integer or player variable of the claim, or is `running`.

    `running`: the name that runs over the heaps of the picture.
    """
    by_name = {v.name: v for v in variables if v.type in (INT, PLAYER) and v.name != running}
    found = []
    for name, value in table.optional_table("at").items():
        keys = (*table.keys, "at", name)
        if name not in by_name:
            known = (
                f"one of {join_words(by_name)}"
                if by_name
                else "no table 'at', because the claim has no integer or player variables"
            )
            raise table.source.key_fault(
                keys, f"the claim has no integer or player variable {name!r}", known, find_closest(name, by_name)
            )
        found.append((name, _read_value(table, keys, by_name[name], value)))
    return tuple(found)


def _read_value(table: TomlTable, keys: Keys, variable: ClaimVariable, value: object) -> int:
    if type(value) is not int:
        expected = "the number of the player: 0 for the first" if variable.type == PLAYER else "an integer"
        raise table.source.fault(keys, f"{variable.name!r} is {format_value(value)}", expected)
    low = variable.domain.lo if isinstance(variable.domain, IntervalDomain) else None
    if value < getattr(low, "value", value):
        problem = f"{variable.name} = {value} is outside its domain"
        raise table.source.fault(keys, problem, f"a value in {variable.text}")
    return value


def _check_known(
    table: TomlTable,
    variables: tuple[ClaimVariable, ...],
    games: tuple[Game, ...],
    terms: tuple[Term, ...],
    known: set[str],
) -> None:
    """Raise ClaimError if a picture uses a variable that has no value.

    A picture uses the variables in its `terms`, and in the arguments of the games that its terms ask about.

    `known`: the names of the variables that have values.
    """
    names, asked = names_of(terms)
    names |= names_of(x for game in games if game.name in asked for _, x in game.arguments)[0]
    for variable in variables:
        if variable.name in names and variable.name not in known:
            raise _report_missing_value(table, variable)


def _report_missing_value(table: TomlTable, variable: ClaimVariable) -> ClaimError:
    problem = f"the picture needs a value of {variable.name!r}"
    if variable.type in (INT, PLAYER):
        return table.fault("at", problem, f"a value in 'at', such as at = {{ {variable.name} = 3 }}")
    expected = f"expressions without {variable.name!r}, because 'at' gives values only to integers and players"
    return table.fault("at", problem, expected)


# == files ============================================================================================================
# Reading a claim file: from TOML to a frozen, typed `Claim`. See docs/claim-language.md for the format.
TEXTS = ("title", "statement", "work", "locator", "repairs", "notes", "caveat")
OWN_ROLE = "conjecture"  # the role of a claim that does not say it
NAMING = ("ruleset", "games", "forall", "exists", "define")  # these sections declare names that the rest uses
KEYS = (
    *("format", "title", "statement", "work", "locator", "short", "role", "uses", "repairs", "expect", "notes"),
    *("caveat", "ruleset", "games", "forall", "exists", "define", "claim", "scope", "proof", "pictures", KEY),
)
_CONDITION = "a condition in quotes"


def read_claim(path: Path, id: str, rules: Mapping[str, ReadSection], text: str | None = None) -> Claim:
    """Return the claim `id`, which is the main claim or a variant in the file at `path`.

    Each file that the claim needs, such as a ruleset or a lemma, is read once.

    `rules`: for the name of each proof rule, the function that reads its [proof].
    `text`: the content to use instead of the content of the file.
    Raises ClaimError, which names the place of the fault.
    """
    read = SourceCache() if text is None else SourceCache({path: parse(path, text)})
    lemmas = LemmaLoader(lambda location: _read_claim(location, rules, read, lemmas))
    return lemmas.start(Location(id, path, LIBRARY))


def read_with_proof(claim: Claim, path: Path, proof: Mapping[str, object], rules: Mapping[str, ReadSection]) -> Claim:
    """Return a copy of `claim`, which was read from `path`, with another proof. Raises ClaimError.

    `proof`: the content of a [proof], as parsed TOML.
    `rules`: for the name of each proof rule, the function that reads its [proof].
    """
    read = SourceCache()
    own = Location(claim.id, path, LIBRARY)
    source = replace(claim.source, data={**claim.source.data, "proof": proof})
    lemmas = LemmaLoader(lambda at: read_own() if at == own else _read_claim(at, rules, read, lemmas))

    def read_own() -> Claim:
        offered = _offer_definitions([game.ruleset for game in claim.games])
        definitions, files = read_definitions(source, path.parent, read, offered)
        types = {v.name: v.type for v in claim.variables}
        facts = {game.name: game.ruleset.facts for game in claim.games}
        section = ProofSection(source, types, definitions, files, facts, claim.games)
        return replace(claim, proof=read_proof(section, rules, own, read, lemmas))

    return lemmas.start(own)


def _read_claim(location: Location, rules: Mapping[str, ReadSection], read: Read, lemmas: LemmaLoader) -> Claim:
    source = take_variant(read(location.path), location.variant)
    with naming_variant(source, location.variant):
        return _read_source(location, source, rules, read, lemmas)


def _read_source(
    location: Location, source: SourceFile, rules: Mapping[str, ReadSection], read: Read, lemmas: LemmaLoader
) -> Claim:
    path, top = location.path, TomlTable(source, (), source.data)
    if "moves" in source.data:
        raise source.fault(("moves",), "this is a ruleset file", 'a claim file, with a line ruleset = "..."')
    attempt(lambda: top.format(FORMAT), None)
    top.reject_unknown_keys(*KEYS)
    if any(map(is_unreadable, NAMING)):
        mark_unreadable(ANYTHING)
    title, statement, work, locator, repairs, notes, caveat = (
        attempt(partial(top.optional_text, key), "") for key in TEXTS
    )
    short = attempt(lambda: read_label(top, locator), "")
    role = attempt(lambda: top.choice("role", ROLES) if "role" in source.data else OWN_ROLE, "")
    uses = attempt(lambda: top.texts("uses") if "uses" in source.data else (), ())
    expect = attempt(lambda: top.choice("expect", EXPECTATIONS) if "expect" in source.data else "", "")

    named = attempt(lambda: read_rulesets(source, path.parent, LIBRARY, read), dict[str, NamedRuleset](), ANYTHING)
    undefined = dict[str, Definition](), dict[str, SourceFile]()
    offered = _offer_definitions([x.ruleset for x in named.values()])
    definitions, files = attempt(lambda: read_definitions(source, path.parent, read, offered), undefined, ANYTHING)
    facts = {name: found.ruleset.facts for name, found in named.items()}
    context = ExpressionContext(source, facts, definitions, files)
    context.check_definitions()
    quantifier, variables = attempt(lambda: declare(context, named), ("", ()), ANYTHING)
    bound = [attempt(partial(bind, name, x, context), None, name) for name, x in named.items()]
    games = tuple(game for game in bound if game is not None)
    attempt(lambda: check_games_are_known(context, quantifier, variables, games), None)

    texts = attempt(lambda: _read_texts(top), list[tuple[str, str]](), "then")
    readers = [(key, partial(context.read_expression, ("claim", key), text, BOOL)) for key, text in texts]
    terms = {key: attempt(read_term, None) for key, read_term in readers}
    scopes = attempt(lambda: read_scopes(source, top.optional_table("scope"), variables, quantifier), (), "scope")
    if not is_whole():
        context.check_uncalled(find_mentioned([source.data.get("proof", {})], definitions))
        conclude()
    section = ProofSection(source, context.types, definitions, files, facts, games)
    with suggesting_no_proof(source):
        proof = attempt(lambda: read_proof(section, rules, location, read, lemmas), None, "proof")
    borrowed = attempt(lambda: read_borrowed_proofs(source, path.parent, read), ()) if is_whole() else ()
    proofs = [other.data.get("proof", {}) for other in (source, *(other for _, other in borrowed))]
    drawing = ExpressionContext(source, facts, definitions, files)
    drawing.types.update(context.types)
    pictures = attempt(lambda: read_pictures(drawing, variables, games), ())
    context.check_uncalled([*find_mentioned(proofs, definitions), *drawing.called])
    conclude()
    conclusion = terms["then"]
    assert conclusion is not None
    return Claim(
        id=location.id,
        description=Description(
            title=title,
            statement=" ".join(statement.split()),
            work=work,
            locator=locator,
            short=short,
            role=role,
            uses=uses,
            repairs=repairs,
            expect=expect,
            notes=" ".join(notes.split()),
            caveat=" ".join(caveat.split()),
        ),
        quantifier=quantifier,
        variables=variables,
        games=games,
        hypothesis=terms.get("if"),
        conclusion=conclusion,
        texts=(*texts, *((d.head, d.text) for d in context.called)),
        scopes=scopes,
        source=source,
        proof=proof,
        basis=make_basis(
            source,
            tuple((g.name, g.ruleset.source) for g in games),
            definitions,
            files,
            borrowed,
            tuple((lemma.path.stem, lemma.claim.basis) for lemma in (proof.citations if proof else ())),
            location.variant,
        ),
        variant=location.variant,
        pictures=pictures,
    )


def _offer_definitions(rulesets: Sequence[Ruleset]) -> list[tuple[SourceFile, Mapping[str, Definition]]]:
    """Return, for each ruleset, its file and the definitions in it that a claim may use.

    A definition is left out if a parameter of one of the rulesets has the same name.
    """
    taken = {p.name for ruleset in rulesets for p in ruleset.parameters}
    kept = ({name: x for name, x in r.definitions.items() if name not in taken} for r in rulesets)
    return [(ruleset.source, definitions) for ruleset, definitions in zip(rulesets, kept, strict=True)]


def _read_texts(top: TomlTable) -> list[tuple[str, str]]:
    """Return the pairs ("if", hypothesis) and ("then", conclusion) with the texts in [claim].

    The first pair is missing if there is no hypothesis. Raises ClaimError without a table [claim].
    """
    claim = TomlTable(top.source, ("claim",), top.optional_table("claim"))
    if "claim" not in top.data:
        if is_unreadable("claim"):
            raise FollowOnFault(top.source.place(()), "[claim] is invalid itself")
        raise top.source.fault(("claim",), "the file has no [claim]", '[claim], and under it a line then = "..."')
    claim.reject_unknown_keys("if", "then")
    keys = [key for key in ("if", "then") if key == "then" or key in claim.data]
    texts = [(key, attempt(partial(claim.text, key, _CONDITION), "", key)) for key in keys]
    return [(key, text) for key, text in texts if text]


def find_faults(path: Path, id: str, rules: Mapping[str, ReadSection]) -> tuple[ClaimError, ...]:
    """Return all errors in the claim file at `path`: first the syntax errors of TOML, then the others, by line.

    The result is () for a valid claim. Only the first error of a ruleset or of a lemma is included. An error is left
    out if it only follows from another error.

    `rules`: for the name of each proof rule, the function that reads its [proof].
    """
    found = FaultCollector()
    with collect_faults(found):
        try:
            read = SourceCache({path: read_on(path)})
            lemmas = LemmaLoader(lambda location: _read_claim(location, rules, read, lemmas))
            lemmas.start(Location(id, path, LIBRARY))
        except ClaimError as error:
            found.add(error)
    return found.faults


# == entries ==========================================================================================================
# Finding claims: the shipped library, files and folders outside it, ids and glob patterns.
#
# The id of a claim is its path below the library, without `.toml`: `kl-nim/lemma-11`. The id of a file outside the
# library is its path, without `.toml` unless that would be ambiguous (`name_outside`). The id of a variant is the id of
# its claim, `@`, and its name: `kl-nim/lemma-11@weaker`. `select` resolves all of these, for every command.
INSIDE = "library:"
"""A prefix of a word on the command line: the word names claims of the library, even if a local file has that name."""


@dataclass(frozen=True)
class Entry:
    """The id and the file of a claim that can be run: the main claim of the file, or one of its variants."""

    id: str
    path: Path

    @property
    def variant_of(self) -> str:
        """For a variant, the id of the main claim of its file; "" for a main claim."""
        return base_of(self.id, self.path) if find_variant(self.id, self.path) else ""

    @property
    def file(self) -> Path:
        """A path that is unique for the claim, although one claim can have several ids.

        It is the file with symbolic links resolved; for a variant, `FILE/@NAME`.
        """
        return identify(_resolve(self.path), self.id)


LibraryLoader = Callable[[], tuple[Entry, ...]]
"""A function that lists the main claims of the library. It is called only if a word may name one of these claims."""


def list_library(read: Read | None = None) -> tuple[Entry, ...]:
    """Return all claims of the library, in the order of its works.toml.

    There are two exceptions: a correction follows the claim that it corrects, and variants follow their claim.

    `read`: a function that reads files; None for reading each file once.
    """
    read = read or SourceCache()
    return _add_variants(_put_after_repaired(_list_shipped(), read), read)


def _add_variants(entries: Iterable[Entry], read: Read) -> tuple[Entry, ...]:
    """Return the entries, which are main claims, each followed by the variants in its file.

    If the name of a variant is invalid, all variants of the file are omitted. A run reports the fault later.
    """
    return tuple(x for e in entries for x in (e, *(Entry(e.id + MARK + n, e.path) for n in _read_variants(e, read))))


def _read_variants(entry: Entry, read: Read) -> tuple[str, ...]:
    try:
        return list_variants(read(entry.path).data)
    except ClaimError:
        return ()


def _list_shipped() -> tuple[Entry, ...]:
    """Return the main claims of the library in the order of its works.toml, without reading the claim files."""
    found = put_in_order(path for path in LIBRARY.glob("*/*.toml") if not is_definition(path))
    return tuple(Entry(f"{path.parent.name}/{path.stem}", path) for path in found)


def find_shipped(id: str) -> Entry | None:
    """Return the claim or variant of the library with this id, or None. No other claim file is read."""
    own, mark, variant = id.partition(MARK)
    path = LIBRARY / f"{own}.toml"
    if not (re.fullmatch(r"[\w-]+/[\w-]+", own) and not is_definition(path) and is_file(path)):
        return None
    entry = Entry(id, path)
    return entry if not mark or variant in _read_variants(entry, read) else None


def _put_after_repaired(entries: Iterable[Entry], read: Read) -> tuple[Entry, ...]:
    """Return the entries in their order, except that each correction directly follows the entry that it repairs."""
    found = {e.id: e for e in entries}
    repairs = {id: _read_repaired(e.path, read) for id, e in found.items()}
    after: dict[str, list[str]] = {}
    for id, other in repairs.items():
        after.setdefault(other if other in found else "", []).append(id)
    order: dict[str, None] = {}
    waiting = [*reversed(found), *reversed(after.get("", ()))]  # a circle of repairs comes last
    while waiting:
        id = waiting.pop()
        if id not in order:
            order[id] = None
            waiting += reversed(after.get(id, ()))
    return tuple(found[id] for id in order)


def _read_repaired(path: Path, read: Read) -> str:
    """Return the value of the key `repairs` in a claim file: the id of the refuted claim that this claim corrects.

    Return "" if there is no such key, or if the file cannot be read. A run reports an unreadable file later.
    """
    try:
        repaired = read(path).data.get("repairs", "")
    except ClaimError:
        return ""
    return repaired if isinstance(repaired, str) else ""


def select(wanted: tuple[str, ...], read: Read = read) -> tuple[Entry, ...]:
    """Return the claims that the words of a command line name: ids, glob patterns over ids, files, folders.

    Without words, return the whole library. No claim is returned twice. The claims of one word are in the order of
    their works.toml. With the prefix `library:`, a word names only claims of the library. A file, a folder or a work
    includes the variants of its claims; an id does not. Raises ClaimError if a word names nothing, or is ambiguous.
    """
    if not wanted:
        return list_library(read)
    library = cache(_list_shipped)
    found: dict[Path, Entry] = {}
    for asked in wanted:
        word = asked.removeprefix(INSIDE)
        named = _find_by_id(word, library, read)
        if named and word == asked:
            _refuse_two(word, named)
        if not named:
            files, variant = _find_files(asked, library, read)
            own = _know_by_file()
            ordered = _put_after_repaired((own(p) or _make_entry(p) for p in put_in_order(files)), read)
            named = [e for e in _add_variants(ordered, read) if variant in (None, find_variant(e.id, e.path))]
        for entry in named:
            found.setdefault(entry.file, entry)
    return tuple(found.values())


def _know_by_file() -> Callable[[Path], Entry | None]:
    """Return a function that maps a path to the claim of the library in this file; None for a file outside the library.

    The function follows symbolic links. The folders of the library are listed once, before the first call.
    """
    found: dict[str, tuple[str, str]] = {}
    for folder in (x for x in LIBRARY.iterdir() if x.is_dir()):
        real = str(_resolve(folder))
        with os.scandir(folder) as inside:
            for file in inside:
                itself = str(_resolve(Path(file.path))) if file.is_symlink() else f"{real}{os.sep}{file.name}"
                found[itself] = folder.name, file.name

    def find(path: Path) -> Entry | None:
        if (known := found.get(str(_resolve(path)))) is None:
            return None
        own = LIBRARY.joinpath(*known)
        return Entry(f"{known[0]}/{own.stem}", own) if own.suffix == ".toml" and not is_definition(own) else None

    return find


def _find_by_id(word: str, listing: LibraryLoader, read: Read) -> list[Entry]:
    """Return the claims of the library that a word names: a work, an id, or a glob over ids. Return [] if none match.

    A work and a glob include variants. Only the files of claims that may match are read.

    `listing`: a function that lists the main claims of the library.
    """
    if Path(word).is_absolute():
        return []
    library = listing()
    if own := [e for e in library if e.id == word]:
        return own
    start = re.split(r"[*?[]", word)[0]
    near = [e for e in library if e.id.startswith(start) or start.startswith(e.id + MARK)]
    if len(near) > 1:
        near = [e for e in _put_after_repaired(library, read) if e in near]
    known = _add_variants(near, read)
    return [e for e in known if fnmatch.fnmatchcase(e.id, word) or word == e.id.split("/")[0]]


def add_lemmas(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries, followed by all lemmas that their proofs use, directly or through other lemmas, each once."""
    found = {e.file: e for e in entries}
    waiting = list(found.values())
    while waiting:
        for other in list_lemmas(waiting.pop(0)):
            if found.setdefault(other.file, other) is other:
                waiting.append(other)
    return tuple(found.values())


def list_lemmas(entry: Entry) -> tuple[Entry, ...]:
    """Return the lemmas that the proof of an entry names. Return () if its file cannot be read."""
    return tuple(Entry(x.id, x.path) for x in named_lemmas(Location(entry.id, entry.path, LIBRARY), read))


def _refuse_two(word: str, named: Sequence[Entry]) -> None:
    """Raise ClaimError if the word, which names claims of the library, also names something in the current folder.

    The word then is the path of another file or folder, with or without `.toml`.

    `named`: the claims of the library.
    """
    for name in (word, f"{word}.toml"):
        if os.path.lexists(name) and _resolve(Path(name)) != _resolve(LIBRARY / name):
            number = f"{len(named)} claim{'s' * (len(named) != 1)}"
            raise ClaimError(
                SourceLocation(word),
                f"this is ambiguous: it names {number} of the library, and also the path {name} in the current folder",
                f"{INSIDE}{word}, or ./{name}",
            )


def _find_files(word: str, library: LibraryLoader, read: Read) -> tuple[list[Path], str | None]:
    """Return the claim files that a word names, and the name of the variant that it means.

    The second value is None if the word means the claims and all their variants, and "" if it means the main claim
    alone. The word is a folder, a file, or the id of a claim in a file. Raises ClaimError if there is no such file.

    `library`: a function that lists the claims of the library, for the suggestion in the error.
    """
    if not word:
        raise ClaimError(SourceLocation("''"), "the name is empty", "an id, a glob over ids, a file or a folder")
    path = Path(word)
    try:
        if path.is_dir():
            files = [p for p in sorted(path.rglob("*.toml")) if not p.is_dir() and is_claim(p)]
            if not files:
                raise ClaimError(
                    SourceLocation(word),
                    "this folder contains no claim file",
                    "a folder with files *.toml that contain [claim]",
                )
            return files, None
        for file, variant in ((path, None), (Path(f"{word}.toml"), "")):
            if file.is_file():
                if is_definition(file):
                    raise ClaimError(
                        SourceLocation(word),
                        "this file is not a claim",
                        "a file that contains [claim], or a folder of such files",
                    )
                return [file], variant
        own, _, name = word.rpartition(MARK)
        for file in (Path(own), Path(f"{own}.toml")) if own else ():
            if file.is_file() and not is_definition(file):
                names = _read_variants(_make_entry(file), read)
                if name in names:
                    return [file], name
                expected = (
                    f"one of {join_words(names)}" if names else "the name of the file alone, because it has no variants"
                )
                problem = f"{display_path(file)} has no variant {name!r}"
                raise ClaimError(SourceLocation(word), problem, expected, near=find_closest(name, names))
    except OSError:
        pass  # a word that cannot be a path, because it is too long, for example
    expected = "an id that `checks show` lists, a glob over ids, a file or a folder"
    near = find_closest(word, [e.id for e in library()])
    raise ClaimError(SourceLocation(word), "no such claim, file or folder", expected, near=near)


def _resolve(path: Path) -> Path:
    """Return the path with symbolic links resolved. Links that form a circle are kept, without an error."""
    return Path(os.path.realpath(path))


def _make_entry(path: Path) -> Entry:
    return Entry(name_outside(path, LIBRARY), path)


def is_claim(path: Path) -> bool:
    """Whether a file in a folder is to be run as a claim: it has a key of a claim, or it cannot be read.

    A run then reports the unreadable file.
    """
    if is_definition(path):
        return False
    try:
        data = read(path).data
    except ClaimError:
        return True  # a run reports it
    return "moves" not in data and any(key in data for key in ("claim", "statement", "forall", "exists"))


def bibliography(entries: Iterable[Entry] = ()) -> dict[str, WorkEntry]:
    """Return the works of the library, and the works of each works.toml that applies to an entry, by their keys.

    If a key occurs in several files, the last file counts. Raises ClaimError.
    """
    bibliographies = WorksCache()
    folders = dict.fromkeys((LIBRARY, *(bibliographies.find_folder(e.path) for e in entries)))
    found: dict[str, WorkEntry] = {}
    for folder in folders:
        found |= bibliographies.read(folder)
    return found
