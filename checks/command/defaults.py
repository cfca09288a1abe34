"""Defaults for options, from [tool.nim-checks] of a pyproject.toml, and the claims of a command without arguments.

The table [tool.nim-checks] contains only data (folders, files, numbers and times), no code.
"""

from __future__ import annotations

import os
from pathlib import Path

import click

from checks.command.options import is_budget
from claims.language.errors import ClaimError, SourceLocation, escape_invisible, find_closest

FILE, TABLE = "pyproject.toml", "[tool.nim-checks]"
SWITCH = "CHECKS_CONFIG"  # an environment variable; "off": no pyproject.toml is read
MOST_BYTES = 1 << 20
KEYS = ("jobs", "budget", "report", "paths")
LIBRARY = click.option(
    "--library", is_flag=True, help="Use the whole library, even if the current folder contains claim files."
)


def read_defaults(here: Path | None = None) -> dict[str, object]:
    """Return the values of [tool.nim-checks] in the nearest pyproject.toml, by key.

    The nearest file is in the folder `here` (by default the working folder), or else in the first parent folder that
    has one. Paths in the result are relative to `here`. The result is empty if there is no such file or no such table,
    or if the environment variable CHECKS_CONFIG is "off". Raises ClaimError if the file or the table is not valid.
    """
    here = Path.cwd() if here is None else here
    path = next((x for folder in (here, *here.parents) if (x := folder / FILE).is_file()), None)
    if path is None or os.environ.get(SWITCH) == "off":
        return {}
    return _read_table(path, here)


def _read_table(path: Path, here: Path) -> dict[str, object]:
    import tomllib

    name = os.path.relpath(path, here)
    try:
        with path.open("rb") as file:
            data = tomllib.loads(file.read(MOST_BYTES).decode("utf-8"))
    except OSError as error:
        raise ClaimError(SourceLocation(name), f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ClaimError(SourceLocation(name), f"invalid TOML: {error}", "a valid pyproject.toml") from None
    tools = data.get("tool", {})
    table = tools.get("nim-checks", {}) if isinstance(tools, dict) else {}
    if not isinstance(table, dict):
        raise ClaimError(SourceLocation(name), f"{TABLE} is {table!r}, not a table", f"{TABLE} with keys")
    for key in table:
        if key not in KEYS:
            near = find_closest(key, KEYS)
            raise ClaimError(SourceLocation(name), f"{TABLE}: unknown key {key!r}", ", ".join(KEYS), near=near)
    found: dict[str, object] = {}
    for key, value in table.items():
        expected = _expected(key, value)
        if expected:
            raise ClaimError(SourceLocation(name), f"{TABLE} {key}: invalid value {value!r}", expected)
        if key == "report":
            value = os.path.relpath(_inside(path.parent, value, name, key), here)
        elif key == "paths":
            places = [_inside(path.parent, word, name, key) for word in value]
            missing = [word for word, place in zip(value, places, strict=True) if not place.exists()]
            if missing:
                problem = f"{TABLE} paths: there is no file or folder {missing[0]!r}"
                raise ClaimError(SourceLocation(name), problem, 'existing files or folders, such as paths = ["claims"]')
            value = tuple(f".{os.sep}{os.path.relpath(place, here)}" for place in places)
        found[key] = value
    return found


def _expected(key: str, value: object) -> str:
    """Return a description of the expected value of a key, or "" if `value` is valid."""
    texts = isinstance(value, list) and all(isinstance(x, str) and x for x in value)
    match key:
        case "jobs":
            return "" if type(value) is int and value >= 1 else "a number of processes from 1, such as jobs = 4"
        case "budget":
            return "" if isinstance(value, str) and is_budget(value) else 'a time, such as budget = "60s", or "none"'
        case "report":
            return "" if isinstance(value, str) and value else 'a folder, such as report = "reports/out"'
    return "" if texts and value else 'files or folders, such as paths = ["claims", "conjectures/a.toml"]'


def _inside(root: Path, word: str, name: str, key: str) -> Path:
    """Return the path `root / word`. Raises ClaimError if this path is outside `root` after links are followed."""
    place = root / word
    try:
        if place.resolve().is_relative_to(root.resolve()):
            return place
    except (OSError, ValueError):
        pass  # a text that cannot be a path
    problem = f"{TABLE} {key}: {word!r} is not inside the folder of this file"
    raise ClaimError(
        SourceLocation(name), problem, "a path that is relative to the folder of this file and does not contain .."
    )


class Configured(click.Command):
    """A command whose options take their defaults from [tool.nim-checks]. Options on the command line have priority."""

    keys: tuple[str, ...] = ("jobs", "budget", "report")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not {"-h", "--help"} & set(args):
            try:
                found = read_defaults()
            except ClaimError as error:
                click.echo(escape_invisible(str(error)), err=True)
                ctx.exit(2)
            ctx.default_map = {key: value for key, value in found.items() if key in self.keys}
        return super().parse_args(ctx, args)


def configured(*keys: str) -> type[Configured]:
    """Return the class of a command that takes its defaults from these keys of [tool.nim-checks]."""
    return type("Configured", (Configured,), {"keys": keys, "__doc__": Configured.__doc__})


# == claims ===========================================================================================================
# The claims of `run` and `check` without arguments.
def choose_claims(words: tuple[str, ...], library: bool) -> tuple[tuple[str, ...], str]:
    """Return the words that name the claims of a command, and a note to print about the chosen claims, or "".

    Given words are returned unchanged. Without words, return `paths` of [tool.nim-checks] or, if this is not set, the
    claim files directly in the working folder. Return no words, which means the whole library, if there are no such
    files, or if `library` (the option --library) is true.
    Raises ClaimError if [tool.nim-checks] is not valid, and click.UsageError for words together with `library`.
    """
    if library and words:
        raise click.UsageError("--library already names the whole library; leave out --library or the other arguments")
    if words or library:
        return words, ""
    rest = "--library takes the library instead"
    paths = read_defaults().get("paths")
    if isinstance(paths, tuple):
        return paths, f"{TABLE} paths: {', '.join(paths)}; {rest}"
    files = list_claim_files(Path())
    words = tuple(f".{os.sep}{path.name}" for path in files)
    return (
        words,
        f"the {'claim file' if len(files) == 1 else f'{len(files)} claim files'} of this folder; {rest}"
        if files
        else "",
    )


def list_claim_files(folder: Path) -> list[Path]:
    """Return the claim files directly in a folder, sorted by name, without hidden files."""
    from claims.language.files.library import is_claim

    files = sorted(path for path in folder.glob("*.toml") if path.is_file() and not path.name.startswith("."))
    return [path for path in files if path.name != FILE and is_claim(path)]
