"""The examples, from which `new` starts a claim: their names, their titles and copies of their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from claims.language.errors import ClaimError, SourceLocation
from claims.language.files.library import LIBRARY, Entry, select
from claims.language.files.toml import SourceFile, read, record_files
from encoders.proving.reading import load_claim


def find_folder() -> Path:
    """Return the folder of the examples: `examples` of a clone, or, in an installation, its copy in `checks`."""
    installed = Path(__file__).parents[1] / "examples"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "examples"


def list_examples() -> dict[str, tuple[Entry, ...]]:
    """Return, by the name of each example, its claim and then the variants of this claim.

    The name of an example is the name of its file without `.toml`.
    """
    found: dict[str, tuple[Entry, ...]] = {}
    for entry in select((str(find_folder()),)):
        found[entry.path.stem] = (*found.get(entry.path.stem, ()), entry)
    return dict(sorted(found.items()))


def list_titles() -> Iterator[str]:
    """Yield one line for each example: its name and its title."""
    examples = list_examples()
    width = max(map(len, examples))
    for name, entries in examples.items():
        yield f"{name.ljust(width)}  {read(entries[0].path).data['title']}"


def copy_example(name: str, path: Path, rules: str) -> dict[Path, str]:
    """Return the text of each file that a copy of an example needs, by its path. The claim, at `path`, is the first.

    The other files are in the same folder: rulesets that are not in the library, and claims whose proofs the example
    uses. They keep their names, but a ruleset is renamed to `rules`, unless this is "".

    Raises KeyError if there is no such example. Raises ClaimError if two files would have the same name, if `rules`
    names a ruleset of the library, or if `rules` is given and there is not exactly one ruleset.
    """
    claim, *others = _list_files(list_examples()[name])
    games = [other for other in others if "claim" not in read(other).data]
    if rules and len(games) != 1:
        number = f"{len(games)} rulesets" if games else "no ruleset"
        raise ClaimError(
            SourceLocation("--rules"), f"the example {name!r} contains {number}", "an example with one ruleset"
        )
    if rules and (LIBRARY / "rulesets" / f"{rules}.toml").exists():
        raise ClaimError(SourceLocation("--rules"), f"the library has a ruleset {rules!r}", "another name")
    copies: dict[Path, str] = {}
    for source in (claim, *others):
        target = path if source == claim else path.with_name(source.name)
        text = source.read_text("utf-8")
        if rules and source in games:
            target = path.with_name(f"{rules}.toml")
        elif rules:
            text = rename_ruleset(read(source), games[0].stem, rules)
        if target.name.casefold() in {each.name.casefold() for each in copies}:
            raise ClaimError(
                SourceLocation(str(target)), "two files of the example would have this name", "another name"
            )
        copies[target] = text
    return copies


def _list_files(entries: tuple[Entry, ...]) -> list[Path]:
    """Return the files of an example: the claim file, then each other file in the folder that the claims need."""
    folder = find_folder().resolve()
    with record_files() as recorder:
        for entry in entries:
            load_claim(entry.path, entry.id)
    used = [Path(name) for name, state in recorder.file_states if state.startswith("file ")]
    claim = entries[0].path
    return [claim, *sorted(x for x in used if x.resolve().is_relative_to(folder) and x.name != claim.name)]


def rename_ruleset(source: SourceFile, old: str, new: str) -> str:
    """Return the text of a claim file in which the claim and its variants name the ruleset `new` instead of `old`."""
    variants = source.data.get("variants", [])
    tables = [((), source.data), *((("variants", i), table) for i, table in enumerate(variants))]
    places = []
    for keys, table in tables:
        named = {(*keys, "games", game): text for game, text in table.get("games", {}).items()}
        if "ruleset" in table:
            named[(*keys, "ruleset")] = table["ruleset"]
        for where, text in named.items():
            if match := re.match(rf"\s*({re.escape(old)})(?![\w-])", text):
                places.append(source.place(where, match.span(1)))
    lines = source.text.split("\n")
    for place in sorted(places, key=lambda x: (x.line, x.column), reverse=True):
        line, start = lines[place.line - 1], place.column - 1
        lines[place.line - 1] = line[:start] + new + line[start + place.width :]
    return "\n".join(lines)
