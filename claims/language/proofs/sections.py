"""The [proof] section of a claim file: which rule reads it, for this claim or for that of a sibling.

[proof]
rule = "grundy"             # without it, a section with `cases` is one of cases, and any other one of folds

[proof]
from = "theorem-14"         # the proof of the claim of that name in the same folder, read for this claim

[proof]
by = ["nim/bouton"]         # lemmas, in the section of a rule that takes some: see claims/language/proofs/lemmas.py
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from claims.language.expressions.definitions import Definition
from claims.language.expressions.questions import GameFacts
from claims.language.proofs.lemmas import LemmaLoader
from claims.language.proofs.locations import Location
from claims.language.statement.claim import Game, Lemma, Proof
from claims.language.statement.context import NO_QUESTIONS, ExpressionContext
from claims.language.statement.rulesets import Ruleset
from claims.language.terms.types import INT, Type
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys, Read, SourceFile
from claims.language.toml.trail import is_file

UNNAMED, OF_CASES = "folds", "cases"  # the rules of sections that name none
_BY = 'a list of claims, such as ["theorem-1", "nim/bouton"]'


def _refuse(keys: Keys, sibling: str, games: tuple[Game, ...] = ()) -> Proof:
    raise AssertionError(f"{sibling}: what is borrowed borrows nothing")


def _no_lemma(source: SourceFile, keys: Keys, name: str) -> Lemma:
    raise AssertionError(f"{name}: nobody has said where lemmas are to be found")


class Borrow(Protocol):
    """Reads the proof of a sibling, named at some keys, for the claim's games, or for these in their place."""

    def __call__(self, keys: Keys, sibling: str, games: tuple[Game, ...] = ..., /) -> Proof: ...


@dataclass(frozen=True, eq=False)
class ProofSection:
    """A [proof] to be read by its rule, and what it may speak of.

    `types`: those of the claim's variables; `facts`: what may be asked of its `games`, which are as the rule sees them;
    `definitions`, and the shared `files` they stand in; `borrow`: the proof of a sibling, by its name at some keys;
    `find_lemma`: a lemma, by its name at some keys of a source.
    """

    source: SourceFile
    types: Mapping[str, Type]
    definitions: Mapping[str, Definition]
    files: Mapping[str, SourceFile]
    facts: Mapping[str, GameFacts]
    games: tuple[Game, ...]
    borrow: Borrow = _refuse
    find_lemma: Callable[[SourceFile, Keys, str], Lemma] = _no_lemma

    @property
    def rulesets(self) -> tuple[Ruleset, ...]:
        """Of its games."""
        return tuple(game.ruleset for game in self.games)

    @property
    def ruleset(self) -> Ruleset | None:
        """Of the one game, None where there are several or none."""
        return self.rulesets[0] if len(self.rulesets) == 1 else None

    @property
    def table(self) -> TomlTable:
        return TomlTable(self.source, ("proof",), self.source.data["proof"])

    @property
    def integers(self) -> dict[str, Type]:
        """The claim's variables that are integers."""
        return {name: kind for name, kind in self.types.items() if kind == INT}

    def lemmas(self) -> tuple[Lemma, ...]:
        """Those that `by` names, for a rule that takes lemmas: it allows the key and puts them into its proof as `by`.

        Raises ClaimError.
        """
        names = self.table.texts("by", _BY) if "by" in self.table.data else ()
        found: dict[Path, Lemma] = {}
        for i, name in enumerate(names):
            keys = ("proof", "by", i)
            lemma = self.find_lemma(self.source, keys, name)
            if lemma.path in found:
                raise self.source.fault(keys, f"the lemma {name!r} is named twice", "each once")
            found[lemma.path] = lemma
        return tuple(found.values())

    def terms_over(self, names: Mapping[str, Type]) -> ExpressionContext:
        """Reads terms over these names alone, in which no game is asked about."""
        context = ExpressionContext(self.source, {}, self.definitions, self.files, NO_QUESTIONS)
        context.types.update(names)
        return context


ReadSection = Callable[[ProofSection], Proof]
"""Reads the section of one rule. Raises ClaimError."""


def read_proof(
    section: ProofSection, rules: Mapping[str, ReadSection], location: Location, read: Read, lemmas: LemmaLoader
) -> Proof | None:
    """The proof of the claim file at a location, or None without one. `rules`: by their names; `read`: other files.

    Raises ClaimError.
    """
    source = section.source
    data = TomlTable(source, (), source.data).optional_table("proof")
    if not data:
        return None
    if "exists" in source.data:
        problem = "a proof shows that a claim holds in every case; that something exists is shown by a witness"
        raise source.key_fault(("proof",), problem, "no [proof] beside [exists]: the scope is searched for a witness")

    def borrow(keys: Keys, sibling: str, games: tuple[Game, ...] = section.games) -> Proof:
        beside = location.beside(sibling)
        if not re.fullmatch(r"[\w-]+", sibling) or not is_file(beside.path):
            raise source.fault(keys, f"no claim {sibling!r} beside this one", "a sibling's name")
        other = read(beside.path)
        own = TomlTable(other, (), other.data).optional_table("proof")
        if not own or "from" in own or "cases" in own:
            raise source.fault(keys, f"{sibling} has no proof of its own", "a claim with a full [proof]")
        with lemmas.resting_on(beside, source, keys):
            return replace(_read_by_rule(replace(section, source=other, games=games), rules), taken_from=sibling)

    section = replace(section, find_lemma=partial(lemmas.find, location))
    if list(data) == ["from"]:
        return borrow(("proof", "from"), section.table.text("from"))
    return _read_by_rule(replace(section, borrow=borrow), rules)


def _read_by_rule(section: ProofSection, rules: Mapping[str, ReadSection]) -> Proof:
    table = section.table
    rule = table.data.get("rule", OF_CASES if "cases" in table.data else UNNAMED)
    if not isinstance(rule, str) or rule not in rules:
        known = ", ".join(f'"{name}"' for name in rules)
        raise section.source.fault(("proof", "rule"), f"{format_value(rule)} is no rule", f"{known}, or none for folds")
    return rules[rule](section)
