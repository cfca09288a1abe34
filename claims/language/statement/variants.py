"""Variants: the claim of a file once more, with other constants, bounds or conclusion, each settled on its own.

[[variants]]
name = "odd-heaps"                 # its id is that of the claim, an @, and this name
expect = "refuted"
claim.then = "nim_sum(s) == 1"     # what it says otherwise, in the words of a claim file; all else is as the file says
proof = "none"                     # the claim's [proof] is its own too, unless it says so or has one

Its text is the file's, so a fault is shown in the table of the variant where that says it, and else in the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from claims.language.ground.errors import ClaimError, closest
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys, SourceFile

KEY = "variants"
MARK = "@"  # in an id, between the claim and the name of its variant; a shell leaves it alone, and so do file names
MOST = 50  # of one file
NAME = "[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38}[A-Za-z0-9])?"
_NAME = re.compile(NAME)
_NAME_EXPECTED = 'at most 40 letters a to z, digits, - and _, such as "off-by-one"'

_MERGED = ("games", "forall", "exists", "define", "claim", "scope")  # tables of which a variant changes single lines
STATED = ("ruleset", *_MERGED, "proof")  # what is claimed, where it is checked, and why it holds
OWN = ("title", "statement", "short", "locator", "role", "expect", "notes", "caveat", "pictures")
_LEFT = ("short", "uses", "repairs", "expect", "notes", "pictures")  # said of the claim, and not of what is like it
NO_PROOF = "none"


def find_variant(id: str, path: Path) -> str:
    """The name of the variant that an id means, of the claim file at `path`; "" where it means that file's own claim.

    >>> find_variant("a/b@c", Path("a/b.toml")), find_variant("a/b@c", Path("a/b@c.toml")), find_variant("x", Path("b"))
    ('c', '', '')
    """
    own = id.rpartition("/")[2]
    heads = (f"{name}{MARK}" for name in (path.name, path.stem))
    return next((own[len(head) :] for head in heads if own.startswith(head)), "")


def base_of(id: str, path: Path) -> str:
    """The id of the claim that an id means, or means a variant of."""
    variant = find_variant(id, path)
    return id.removesuffix(MARK + variant) if variant else id


def identify(file: Path, id: str) -> Path:
    """What a claim is known by, whatever it is called: its file, and for a variant no file but a place in it."""
    variant = find_variant(id, file)
    return file / f"{MARK}{variant}" if variant else file


def list_variants(data: Mapping[str, object]) -> tuple[str, ...]:
    """The names of the variants of a file; none if one of them is at fault: whoever reads the claim is told of that."""
    tables = data.get(KEY, [])
    if not isinstance(tables, list) or not all(isinstance(x, dict) for x in tables):
        return ()
    names = tuple(x.get("name") for x in tables)
    legal = all(isinstance(x, str) and _NAME.fullmatch(x) for x in names)
    return names if legal and len({x.lower() for x in names}) == len(names) <= MOST else ()


def take_variant(source: SourceFile, variant: str) -> SourceFile:
    """The file as if it had one claim alone, its own or that variant.

    All variants are looked at, whichever is wanted. Raises ClaimError.
    """
    base = {key: value for key, value in source.data.items() if key != KEY}
    tables = TomlTable(source, (), source.data).tables(KEY) if KEY in source.data else []
    made = {table.data["name"]: _merge(source, base, table) for table in _check(tables)}
    if not variant:
        return replace(source, data=base) if tables else source
    if variant not in made:
        problem = f"there is no variant {variant!r}"
        raise source.key_fault((KEY,), problem, f"the name of a table [[{KEY}]]", closest(variant, made))
    return made[variant]


def _check(tables: list[TomlTable]) -> list[TomlTable]:
    """The tables, each of a name of its own and without a key that no variant has. Raises ClaimError."""
    if len(tables) > MOST:
        raise tables[MOST].fault("name", f"more than {MOST} variants", "another file for some of them")
    met: set[str] = set()
    for table in tables:
        table.only("name", *OWN, *STATED)
        name = table.text("name", _NAME_EXPECTED)
        if not _NAME.fullmatch(name):
            raise table.fault("name", f"'name' is {format_value(name)}", _NAME_EXPECTED)
        if name.lower() in met:
            raise table.fault("name", f"there are two variants {name!r}", "each name once, whatever its capitals")
        met.add(name.lower())
    return tables


def _merge(source: SourceFile, base: dict[str, object], table: TomlTable) -> SourceFile:
    """The file as if its claim were that variant. Raises ClaimError for one that claims the same in the same scope."""
    data = {key: value for key, value in base.items() if key not in _LEFT}
    moved: dict[Keys, Keys] = {}
    changed: list[str] = []
    scopes: list[str] = []
    unproved = False
    for key, value in table.data.items():
        if key == "name":
            continue
        moved[(key,)] = (*table.keys, key)
        if key == "proof" and value == NO_PROOF:
            unproved = "proof" in data
            data.pop("proof", None)
            continue
        old = data.get(key)
        if key in _MERGED and isinstance(value, dict) and isinstance(old, dict):
            del moved[(key,)]
            data[key], lines = _merge_lines(old, value)
            moved |= {(key, line): (*table.keys, key, line) for line in value}
            lines = [f"{line} = {_shown(value[line])}" for line in lines]
            scopes += lines if key == "scope" else []
            changed += lines if key != "scope" else []
        elif old != value:
            data[key] = value
            changed += [f"{key} = {_shown(value)}"] * (key in STATED)
    changed = changed or scopes or ["without the [proof]"] * unproved  # what is claimed, or else where, or else why
    if not changed:
        expected = "another ruleset, domain, definition, condition, scope or proof"
        raise table.fault("name", f"the variant {table.data['name']!r} claims what the file claims", expected)
    made = {k: x for k, x in _describe(base, table.data["name"], changed).items() if k not in table.data}
    return replace(source, data=data | made, moved=moved, pointed=table.keys, made=frozenset(made))


def _merge_lines(old: dict[str, object], new: dict[str, object]) -> tuple[dict[str, object], list[str]]:
    """(a table with other lines, which of these differ). A definition takes the place of the one with its name."""
    names = {_head(line): line for line in new}
    kept = {names.get(_head(line), line): new.get(names.get(_head(line), line), value) for line, value in old.items()}
    return kept | new, [line for line, value in new.items() if old.get(line) != value]


def _head(line: str) -> str:
    """The name that the left side of a definition defines."""
    return line.partition("(")[0].strip()


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_shown(x)}" for key, x in value.items()) + " }"
    return str(value)


def _describe(base: dict[str, object], name: str, changed: list[str]) -> dict[str, str]:
    """What a variant is called where it does not say: the claim's own words are quoted, for they may be false of it."""
    told = "; ".join(" ".join(x.split()) for x in changed)
    title, locator = base.get("title"), base.get("locator")
    of = f' of "{title}"' if isinstance(title, str) else ""
    texts = {"title": f"Variant {name}{of}", "statement": f"The claim of this file, but {told}."}
    return texts | ({"locator": f"{locator}, {name}"} if isinstance(locator, str) else {})


@contextmanager
def named_variant(source: SourceFile, variant: str) -> Iterator[None]:
    """While the claim is read that is that variant, an error tells in which table the variant stands."""
    try:
        yield
    except ClaimError as error:
        if not variant:
            raise
        told = (f"in the variant {variant!r} at", source.place(source.pointed, at_key=True))
        raise error.called(told) from None


@contextmanager
def offering_none(source: SourceFile) -> Iterator[None]:
    """While a [proof] is read that may be the claim's own and not the variant's, an error tells how to do without."""
    try:
        yield
    except ClaimError as error:
        if source.pointed[:1] != (KEY,) or ("proof",) in source.moved:
            raise
        expected = f'{error.expected}; or, in the variant, a [proof] of its own or proof = "{NO_PROOF}"'
        raise ClaimError(error.place, error.message, expected, error.calls, error.near) from None
