"""The text of a new claim file and a new ruleset file: valid, complete, and with comments."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from claims.language.file_writing import write_file
from claims.language.files.library import LIBRARY
from claims.language.files.rulesets import Ruleset
from claims.language.files.schemas import SAYS, name_schema

SCHEMAS = "schemas"  # the folder next to a claim in which editors find the schemas
_POSITION = '{ heaps = "0..3", size = "1..8" }'
MOST = 8  # difference between the largest and the smallest value of a number in the written scope


@dataclass(frozen=True)
class ClaimDraft:
    """The parts of a new claim. A part that is "" is written as a comment, for the author to complete.

    `variables`: the domain of each variable, as text.
    `conclusions`: possible conclusions; the first one without errors is used.
    `scope`: bounds that replace the default bounds, as TOML.
    """

    title: str
    statement: str
    work: str
    locator: str
    role: str
    expect: str
    ruleset: str
    variables: Mapping[str, str]
    hypothesis: str
    conclusions: Sequence[str]
    scope: Mapping[str, str]


def list_variables(rules: Ruleset, given: str) -> dict[str, str]:
    """Return the variables of a new claim, by name, with their domains.

    They are the parameters of the game that `given` does not set, and a position s.
    `given`: the text of the arguments of the game, such as `k = 3)`.
    """
    free = [p for p in rules.parameters if f"{p.name} =" not in given and f"{p.name}=" not in given]
    domains = {"set": "subsets of 1..4"}
    return {p.name: domains.get(p.kind, p.domain) for p in free} | {"s": "position"}


def list_conclusions(rules: Ruleset | None) -> list[str]:
    """Return the conclusion that the mover wins if and only if the nim-sum is not 0, in several forms.

    The forms are for different kinds of games. Without a game, return only the conclusion n >= 0.
    """
    if rules is None:
        return ["n >= 0"]
    mover = rules.players[0] if rules.players else "0"
    asked = ("wins(s)", f"wins(s, {mover})", "value(s) == 0")
    return [f"iff({question}, nim_sum(s) != 0)" for question in asked]


def bound_variable(name: str, domain: str) -> str:
    """Return a bound to the first few values of a domain, as TOML; "" if the domain needs no bound."""
    if domain == "position":
        return _POSITION
    least, dots, most = domain.partition("..")
    if not dots or most.strip() or domain.startswith("subsets"):
        return ""
    first = int(least) if least.strip().isdigit() else 0
    return json.dumps(f"{first}..{first + MOST}")


def write_claim(begun: ClaimDraft, conclusion: str, schema: bool) -> str:
    """Return the text of the claim file."""
    return "\n".join([*_write_claim(begun, conclusion, schema), ""])


def _write_claim(begun: ClaimDraft, conclusion: str, schema: bool) -> Iterator[str]:
    yield from (_directive("claim.toml", False),) if schema else ()
    yield "format = 1"
    for key in ("title", "statement", "work", "locator"):
        yield from _say(key, getattr(begun, key))
    yield from _say("role", begun.role)
    if begun.ruleset:
        yield from _say("ruleset", begun.ruleset)
    yield from _say("expect", begun.expect, '"holds"', 'the expected verdict: "holds", "proved" or "refuted"')
    yield from ("", "# Variables, each with its domain: 1.., k+1.., 0..9, position, player, subsets of 1..5.")
    if begun.variables:
        yield "[forall]"
        yield from (f"{name} = {_quote(domain)}" for name, domain in begun.variables.items())
    yield from ("", "[claim]")
    yield from _say(
        "if", begun.hypothesis, '"len(s) <= 3"', "the hypotheses; without this line, the claim is about all cases"
    )
    yield f"then = {_quote(conclusion)}"
    bounds = {name: bound_variable(name, domain) for name, domain in begun.variables.items()} | dict(begun.scope)
    if any(bounds.values()):
        yield from ("", "# The cases that are checked as long as there is no proof. [scope.deep] is for --scope deep.")
        yield "[scope]"
        yield from (f"{name} = {bound}" for name, bound in bounds.items() if bound)
    yield from (
        "",
        "# A false variant shows that the scope detects a small change: `checks new --false FILE` adds one.",
    )


def _say(key: str, value: str, example: str = "", about: str = "") -> Iterator[str]:
    """Yield the line of a key, with a comment about its meaning. Without a value, the whole line is a comment."""
    about = about or SAYS.get(key, "")
    yield f"{key} = {_quote(value)}  # {about}" if value else f"# {key} = {example}  # {about}"


def write_rules(title: str, players: Sequence[str], take: str, where: str, misere: bool, schema: bool) -> str:
    """Return the text of a ruleset file with one kind of move, which replaces a heap h by h - m."""
    lines = [_directive("rules.toml", True)] if schema else []
    lines += ["format = 1", f"title = {_quote(title)}", f"players = {json.dumps([*players], ensure_ascii=False)}"]
    lines += [
        f'stuck = "{"wins" if misere else "loses"}"  # a player who cannot move: "wins" in misère play',
        "# Each claim sets the parameters: my-game(k = 3).",
        "# [parameters]",
        '# k = "1.."',
        "",
        "# One table for each kind of move. h is the size of the heap that is chosen.",
        "[[moves]]",
        'choose = "any heap h"',
        f"pick = {{ m = {_quote(take)} }}  # numbers that a player chooses",
        f"where = {_quote(where)}" if where else '# where = "m % 2 == 1"  # a condition for a legal move',
        'become = ["h - m"]  # the heaps that replace h; several if h is split',
        "",
    ]
    return "\n".join(lines)


def _directive(name: str, is_ruleset: bool) -> str:
    return f"#:schema {SCHEMAS}/{name_schema(name, is_ruleset)}"


def add_directive(text: str) -> str:
    """Return the text of a claim file or a ruleset file, after a line that names its schema for editors."""
    is_ruleset = "claim" not in tomllib.loads(text)
    return f"{_directive('rules.toml' if is_ruleset else 'claim.toml', is_ruleset)}\n{text}"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def place_schemas(folder: Path) -> list[Path]:
    """Copy the schemas for editors into a folder, and return the files written.

    A file that is not a version of our schema with its name is not replaced.
    """
    written = []
    for source in sorted((LIBRARY / SCHEMAS).glob("*.schema.json")):
        path, text = folder / SCHEMAS / source.name, source.read_bytes()
        if path.exists() and (path.read_bytes() == text or not _is_schema(path)):
            continue
        write_file(path, text, folder)
        written.append(path)
    return written


def _is_schema(path: Path) -> bool:
    """Return whether a file has the same title as our schema of this file name."""
    try:
        titles = [json.loads(file.read_text("utf-8"))["title"] for file in (path, LIBRARY / SCHEMAS / path.name)]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return bool(titles[0] == titles[1])
