"""The bibliography of a folder, its works.toml: what works are called, and the order in which each states its claims.

A works.toml speaks of the claim files beside it and of those in the folders beside it, each named after its work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from claims.language.ground.errors import closest
from claims.language.ground.gathering import attempt, report_fault
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import SourceFile, read_on

# -- short labels -----------------------------------------------------------------------------------------------------
# Short labels: what a claim is called where there is no room for its locator, as in a map of an argument.


LONGEST = 28  # characters of a label


def read_label(top: TomlTable, locator: str) -> str:
    """The claim's `short`, or the label made from its locator. Raises ClaimError for one that is too long."""
    if "short" not in top.data:
        return make_label(locator)
    label = " ".join(top.text("short").split())
    if len(label) > LONGEST:
        raise top.fault("short", f"'short' has {len(label)} characters", f'at most {LONGEST}, such as "Lemma 11"')
    return label


def make_label(locator: str) -> str:
    """A locator made short: by what stands first in it, and at last by cutting.

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
NOT_SHOWN = ("title", "authors", "year", "venue")  # what a scan of a work may lack


def is_definition(path: Path) -> bool:
    """Files of a claim folder that are no claims: shared definitions, the bibliography, rulesets."""
    return path.name in ("definitions.toml", "works.toml") or path.parent.name == "rulesets"


@dataclass(frozen=True)
class WorkEntry:
    """An entry of a works.toml. `short`: its title where there is little room, or "".

    `venue`: where it appeared; `source`: what was read; `not_shown`: which of NOT_SHOWN that does not show.
    `order`: names of claim files, without .toml, as the work states the claims.
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
    """The works of a folder by their keys, in the order of its works.toml; none where it has no such file.

    Raises ClaimError for what a works.toml cannot say, and for an `order` with a claim that is not there.
    """
    path = folder / BIBLIOGRAPHY
    if not path.is_file():
        return {}
    source = read_on(path)
    top = TomlTable(source, (), source.data)
    top.only(*WORKS_KEYS)
    top.format(WORKS_FORMAT)
    top.optional_table("works")
    read_all = {key: partial(_read_listing, source, folder, key) for key in source.data.get("works", {})}
    return {key: attempt(read_one, WorkEntry(key)) for key, read_one in read_all.items()}


def _read_listing(source: SourceFile, folder: Path, key: str) -> WorkEntry:
    entry = source.data["works"][key]
    if not isinstance(entry, dict):
        raise source.fault(("works", key), f"{key!r} is {format_value(entry)}", f"a table, [works.{key}]")
    table = TomlTable(source, ("works", key), entry)
    table.only(*WORKS_TEXTS, "order", "not_shown")
    texts = {name: entry.get(name, "") for name in WORKS_TEXTS}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise table.fault(name, f"{name!r} is {format_value(text)}", "text in quotes")
    order = table.texts("order") if "order" in entry else ()
    not_shown = table.texts("not_shown") if "not_shown" in entry else ()
    for i, name in enumerate(not_shown):
        expected = f"one of {', '.join(NOT_SHOWN)}"
        if name not in NOT_SHOWN:
            raise source.fault((*table.keys, "not_shown", i), f"{name!r} is unknown", expected)
        if name != "title" and texts[name]:
            problem = f"{name!r} is not shown, and is {texts[name]!r} above"
            raise source.fault((*table.keys, "not_shown", i), problem, "one of the two")
    there = {path.stem for place in (folder, folder / key) for path in place.glob("*.toml") if not is_definition(path)}
    for i, name in enumerate(order):
        if name not in there:
            problem = f"no claim {name!r} of {key!r}"
            near = closest(name, there)
            report_fault(source.fault((*table.keys, "order", i), problem, "the name of a claim file", near=near))
        if name in order[:i]:
            report_fault(
                source.fault((*table.keys, "order", i), f"{name!r} stands twice in this order", "each claim once")
            )
    return WorkEntry(**(texts | {"title": texts["title"] or key}), order=order, not_shown=not_shown)


class WorksCache:
    """The works.toml that files fall under, each read once."""

    def __init__(self) -> None:
        self._read: dict[Path, dict[str, WorkEntry]] = {}
        self._above: dict[Path, Path] = {}

    def of(self, folder: Path) -> dict[str, WorkEntry]:
        """As `read_works`. Raises ClaimError."""
        if folder not in self._read:
            self._read[folder] = read_works(folder)
        return self._read[folder]

    def above(self, path: Path) -> Path:
        """The folder whose works.toml speaks of a claim file: its own, the one above, or its own where none does."""
        own = path.parent
        if own not in self._above:
            self._above[own] = next((f for f in (own, own.parent) if self.of(f)), own)
        return self._above[own]


def put_in_order(paths: Iterable[Path]) -> list[Path]:
    """The claim files as their works state them; works as the works.toml lists them, what it does not list by name.

    Files of different works.toml stay apart, in the order in which they come. Raises ClaimError.
    """
    bibliographies = WorksCache()
    groups: dict[Path, list[Path]] = {}
    for path in paths:
        groups.setdefault(bibliographies.above(path), []).append(path)
    return [
        path
        for folder, found in groups.items()
        for path in sorted(found, key=_WorksOrder(folder, bibliographies.of(folder)))
    ]


class _WorksOrder:
    """Where a claim file stands among those of one works.toml: a key to sort by."""

    def __init__(self, folder: Path, works: dict[str, WorkEntry]) -> None:
        self.folder, self.works, self.keys = folder, works, list(works)

    def __call__(self, path: Path) -> tuple[int, str, int, str]:
        below = path.parent.name if path.parent != self.folder else ""
        key = below if below in self.works else self._listing(path) if not below else ""
        order = self.works[key].order if key else ()
        place = order.index(path.stem) if path.stem in order else len(order)
        return (self.keys.index(key) if key else len(self.keys), "" if key else below, place, path.as_posix())

    def _listing(self, path: Path) -> str:
        """The work that lists a file which lies beside the works.toml."""
        return next((key for key, entry in self.works.items() if path.stem in entry.order), "")
