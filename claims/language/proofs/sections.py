"""The [proof] section of a claim file: which rule reads it, for this claim or for that of a sibling.

[proof]
rule = "grundy"             # without it, a section with `cases` is one of cases, and any other one of folds

[proof]
from = "theorem-14"         # the proof of the claim of that name in the same folder, read for this claim
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from claims.language.expressions.definitions import Definition
from claims.language.expressions.questions import GameFacts
from claims.language.expressions.types import INT, Type
from claims.language.statement.claim import Proof
from claims.language.statement.context import NO_QUESTIONS, Context
from claims.language.statement.rulesets import Ruleset
from claims.language.toml.reader import Table, said
from claims.language.toml.source import Keys, Read, Source

UNNAMED, OF_CASES = "folds", "cases"  # the rules of sections that name none


def _refuse(keys: Keys, sibling: str) -> Proof:
    raise AssertionError(f"{sibling}: what is borrowed borrows nothing")


@dataclass(frozen=True, eq=False)
class Section:
    """A [proof] to be read by its rule, and what it may speak of.

    `types`: those of the claim's variables; `facts`: what may be asked of its games; `ruleset`: of its one game;
    `definitions`, and the shared `files` they stand in; `borrow`: the proof of a sibling, by its name at some keys.
    """

    source: Source
    types: Mapping[str, Type]
    definitions: Mapping[str, Definition]
    files: Mapping[str, Source]
    facts: Mapping[str, GameFacts]
    ruleset: Ruleset | None
    borrow: Callable[[Keys, str], Proof] = _refuse

    @property
    def table(self) -> Table:
        return Table(self.source, ("proof",), self.source.data["proof"])

    @property
    def integers(self) -> dict[str, Type]:
        """The claim's variables that are integers."""
        return {name: kind for name, kind in self.types.items() if kind == INT}

    def terms_over(self, names: Mapping[str, Type]) -> Context:
        """Reads terms over these names alone, in which no game is asked about."""
        context = Context(self.source, {}, self.definitions, self.files, NO_QUESTIONS)
        context.types.update(names)
        return context


ReadSection = Callable[[Section], Proof]
"""Reads the section of one rule. Raises ClaimError."""


def read_proof(section: Section, rules: Mapping[str, ReadSection], folder: Path, read: Read) -> Proof | None:
    """The proof of a claim file, or None without one. `rules`: by their names; `read`: other files of the folder.

    Raises ClaimError.
    """
    source = section.source
    data = Table(source, (), source.data).optional_table("proof")
    if not data:
        return None
    if "exists" in source.data:
        problem = "a proof shows that a claim holds in every case; that something exists is shown by a witness"
        raise source.key_fault(("proof",), problem, "no [proof] beside [exists]: the scope is searched for a witness")

    def borrow(keys: Keys, sibling: str) -> Proof:
        path = folder / f"{sibling}.toml"
        if not re.fullmatch(r"[\w-]+", sibling) or not path.is_file():
            raise source.fault(keys, f"no claim {sibling!r} beside this one", "a sibling's name")
        other = read(path)
        own = Table(other, (), other.data).optional_table("proof")
        if not own or "from" in own or "cases" in own:
            raise source.fault(keys, f"{sibling} has no proof of its own", "a claim with a full [proof]")
        return replace(_read_by_rule(replace(section, source=other), rules), taken_from=sibling)

    if list(data) == ["from"]:
        return borrow(("proof", "from"), section.table.text("from"))
    return _read_by_rule(replace(section, borrow=borrow), rules)


def _read_by_rule(section: Section, rules: Mapping[str, ReadSection]) -> Proof:
    table = section.table
    rule = table.data.get("rule", OF_CASES if "cases" in table.data else UNNAMED)
    if not isinstance(rule, str) or rule not in rules:
        known = ", ".join(f'"{name}"' for name in rules)
        raise section.source.fault(("proof", "rule"), f"{said(rule)} is no rule", f"{known}, or none for folds")
    return rules[rule](section)
