"""The [proof] section of a claim file: its proof rule, its players, and the lemmas that the proof uses.

Proof rules: a section names its proof rule, or borrows the [proof] of another claim in the folder.

    [proof]
    rule = "grundy"             # default: "cases" for a section with `cases`, otherwise "folds"

    [proof]
    from = "theorem-14"         # the proof of that claim in the same folder, applied to this claim

Lemmas: other claims that a proof uses, named under `by`.

    [proof]
    by = ["theorem-1", "nim/bouton"]   # a claim in the same folder; a claim in a neighbouring folder or in the library

The dependencies by `by`, `from` and cases form one graph. A circular argument is rejected.

Players: `loses` describes the positions in which each player loses. In a table of moves, `player` is the player who
moves, and `to` states whether the move leads to a loss of the next player.

    [proof.loses]
    mover = "a == b"          # one invariant for an impartial game; otherwise one for each player, by name

    [[proof.moves]]
    player = "P1"             # the player who moves; without this line, every player
    to = "anywhere"           # the line only shows that a move exists; without it, the move leads to a loss
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from claims.language.errors import ClaimError, collect_faults, describe_circle, find_closest
from claims.language.files.claim import Claim, Game, Lemma, Proof, base_of, find_variant, identify, take_variant
from claims.language.files.definitions import NO_QUESTIONS, ExpressionContext
from claims.language.files.rulesets import Ruleset
from claims.language.files.toml import Keys, Read, SourceFile, TomlTable, display_path, format_value, is_file
from claims.language.syntax.names import Definition
from claims.language.syntax.questions import GameFacts
from claims.language.syntax.terms import BOOL, INT, Term, Type

# == locations ========================================================================================================
# The locations of claims, and the lemmas that a proof names. Nothing here reads a claim completely.
_NAME = re.compile(r"(?:([\w-]+)/)?([\w-]+)")


def name_outside(path: Path, library: Path) -> str:
    """Return the id of a claim outside the library: its path, without `.toml` unless that would be ambiguous.

    The path without `.toml` is ambiguous in three cases: its first part is the name of a work of the library; a folder
    next to the file has the same name; or the path could be read as a glob.
    """
    name = display_path(path)
    short = name.removesuffix(".toml")
    work = short.partition("/")[0]
    is_name_of_other = (work and (library / work).is_dir()) or path.with_suffix("").is_dir()
    return name if is_name_of_other or any(sign in short for sign in "*?[") else short


@dataclass(frozen=True)
class Location:
    """The id and the file of a claim. The file of a variant is the file of its claim.

    `library`: the folder of the library, which is searched for lemmas after the neighbouring folders.
    """

    id: str
    path: Path
    library: Path

    def locate_sibling(self, name: str) -> Location:
        """Return the location of the claim with that name in the same folder, whether it exists or not."""
        folder, slash, own = base_of(self.id, self.path).rpartition("/")
        suffix = ".toml" if own == self.path.name else ""
        return Location(f"{folder}{slash}{name}{suffix}", self.path.parent / f"{name}.toml", self.library)

    def find(self, name: str) -> Location | None:
        """Return the location of the lemma that a proof of this claim calls `name`; None if there is no such file."""
        match = _NAME.fullmatch(name)
        if not match:
            return None
        folder, own = match.groups()
        if folder is None:
            found = self.locate_sibling(own)
            return found if is_file(found.path) else None
        here = Path(os.path.realpath(self.path.parent))
        for root in (here.parent, self.library):
            path = root / folder / f"{own}.toml"
            if is_file(path):
                ours = os.path.realpath(root) == os.path.realpath(self.library)
                return Location(name if ours else name_outside(path, self.library), path, self.library)
        return None

    @property
    def file(self) -> Path:
        """The resolved path of the file, which identifies the claim independently of its id."""
        return identify(Path(os.path.realpath(self.path)), self.id)

    @property
    def variant(self) -> str:
        """The name of the variant, or "" for the main claim of the file."""
        return find_variant(self.id, self.path)


def list_lemmas(location: Location, read: Read) -> tuple[Location, ...]:
    """Return the lemmas that a claim names in its [proof] and in the proofs that this [proof] borrows, each once.

    No claim is read completely. For an unreadable file, return no lemmas; reading the claim reports the error.
    """
    data = _read_proof(location, read)
    cases = data.get("cases")
    rows = cases if isinstance(cases, list) else []
    taken = [data.get("from"), *(row.get("from") for row in rows if isinstance(row, dict))]
    proofs = [data, *(_read_proof(location.locate_sibling(name), read) for name in taken if isinstance(name, str))]
    lists = (proof.get("by") for proof in proofs)
    names = [name for names in lists if isinstance(names, list) for name in names if isinstance(name, str)]
    found = (location.find(name) for name in names)
    return tuple({other.file: other for other in found if other is not None}.values())


def _read_proof(location: Location, read: Read) -> dict[str, object]:
    """Return the table [proof] of a claim; an empty table if there is none, or if the file cannot be read."""
    try:
        found = take_variant(read(location.path), location.variant).data.get("proof")
    except ClaimError:
        return {}
    return found if isinstance(found, dict) else {}


# == lemmas ===========================================================================================================
MOST = 40  # claims in a chain of lemmas
_EXPECTED = 'the name of a claim in the same folder, or "folder/name"'


class LemmaLoader:
    """A loader of the lemmas of a claim, and of the lemmas of these lemmas. Each claim is read once.

    `read`: a function that reads the claim at a location.
    """

    def __init__(self, read: Callable[[Location], Claim]) -> None:
        self._read = read
        self._known: dict[Path, Lemma] = {}
        self._under_way: dict[Path, str] = {}  # file -> id of the claims being read; each rests on the next

    def start(self, location: Location) -> Claim:
        """Read the claim at a location, as the first claim of a chain. Raises ClaimError."""
        self._under_way = {location.file: location.id}
        return self._read(location)

    @contextmanager
    def resting_on(self, location: Location, source: SourceFile, keys: Keys) -> Iterator[None]:
        """Add a claim at the end of the chain inside the `with` block. The last claim of the chain uses the new one.

        Raises ClaimError at these keys if the argument is circular, or if the chain is too long.
        """
        file = location.file
        if file in self._under_way:
            ids = list(self._under_way.values())
            circle = tuple(ids[list(self._under_way).index(file) :])
            raise source.fault(keys, describe_circle(circle), "only claims that do not depend on this claim")
        if len(self._under_way) == MOST:
            raise source.fault(
                keys, f"a chain of more than {MOST} claims, each resting on the next", "a shorter argument"
            )
        self._under_way[file] = location.id
        try:
            yield
        finally:
            del self._under_way[file]

    def find(self, at: Location, source: SourceFile, keys: Keys, name: str) -> Lemma:
        """Return the lemma `name`, which the proof of the claim `at` names under `keys` of `source`.

        Raises ClaimError if there is no such claim, if the claim cannot be read, or if the claim is an existence claim.
        The error is at these keys, or in the file of the lemma with a note about these keys.
        """
        location = at.find(name)
        if location is None:
            near = find_closest(name, sorted(path.stem for path in at.path.parent.glob("*.toml")))
            raise source.fault(keys, f"there is no claim {name!r}", _EXPECTED, near=near)
        file = location.file
        if file not in self._known:
            with self.resting_on(location, source, keys), collect_faults(None):
                try:
                    claim = self._read(location)
                except ClaimError as error:
                    raise error.add_calls(("in a lemma named at", source.place(keys))) from None
            self._known[file] = Lemma(location.id, claim, file)
        found = self._known[file]
        if found.claim.quantifier == "exists":
            problem = f"{name} is an existence claim, which implies nothing about a given case"
            raise source.fault(keys, problem, "a universal claim: one with [forall], or one without variables")
        return found


# == sections =========================================================================================================
UNNAMED, OF_CASES = "folds", "cases"  # the rules of sections without a line `rule`
_BY = 'a list of claims, such as ["theorem-1", "nim/bouton"]'


def _refuse(keys: Keys, sibling: str, games: tuple[Game, ...] = ()) -> Proof:
    raise AssertionError(f"{sibling}: a borrowed proof cannot borrow another proof")


def _refuse_lemma(source: SourceFile, keys: Keys, name: str) -> Lemma:
    raise AssertionError(f"{name}: no function for finding lemmas was given")


class Borrow(Protocol):
    """A function that reads the proof of a claim in the same folder, for the games of this claim or the given games."""

    def __call__(self, keys: Keys, sibling: str, games: tuple[Game, ...] = ..., /) -> Proof: ...


@dataclass(frozen=True, eq=False)
class ProofSection:
    """A [proof] section with the context that its proof rule may use.

    `types`: the types of the claim's variables.
    `definitions`: the definitions that the section may use.
    `files`: the files that contain shared definitions, by name.
    `facts`: for each game by name, the facts that determine which questions about it a claim may ask.
    `borrow`: a function that reads the proof of a claim in the same folder by name.
    `find_lemma`: a function that finds the lemma that is named at some keys of a source.
    """

    source: SourceFile
    types: Mapping[str, Type]
    definitions: Mapping[str, Definition]
    files: Mapping[str, SourceFile]
    facts: Mapping[str, GameFacts]
    games: tuple[Game, ...]
    borrow: Borrow = _refuse
    find_lemma: Callable[[SourceFile, Keys, str], Lemma] = _refuse_lemma

    @property
    def rulesets(self) -> tuple[Ruleset, ...]:
        """The rulesets of the claim's games."""
        return tuple(game.ruleset for game in self.games)

    @property
    def ruleset(self) -> Ruleset | None:
        """The ruleset of the claim's only game; None if the claim has several games or no game."""
        return self.rulesets[0] if len(self.rulesets) == 1 else None

    @property
    def table(self) -> TomlTable:
        return TomlTable(self.source, ("proof",), self.source.data["proof"])

    @property
    def integers(self) -> dict[str, Type]:
        """The integer variables of the claim."""
        return {name: kind for name, kind in self.types.items() if kind == INT}

    def lemmas(self) -> tuple[Lemma, ...]:
        """Return the lemmas that `by` names. Raises ClaimError.

        A proof rule that supports lemmas must allow the key `by` and store the lemmas in the field `by` of its proof.
        """
        names = self.table.texts("by", _BY) if "by" in self.table.data else ()
        found: dict[Path, Lemma] = {}
        for i, name in enumerate(names):
            keys = ("proof", "by", i)
            lemma = self.find_lemma(self.source, keys, name)
            if lemma.path in found:
                raise self.source.fault(keys, f"the lemma {name!r} is named twice", "each lemma once")
            found[lemma.path] = lemma
        return tuple(found.values())

    def terms_over(self, names: Mapping[str, Type]) -> ExpressionContext:
        """Return a context for terms over these names only, without questions about games."""
        context = ExpressionContext(self.source, {}, self.definitions, self.files, NO_QUESTIONS)
        context.types.update(names)
        return context


ReadSection = Callable[[ProofSection], Proof]
"""A function that reads the section of one proof rule. Raises ClaimError."""


def read_proof(
    section: ProofSection, rules: Mapping[str, ReadSection], location: Location, read: Read, lemmas: LemmaLoader
) -> Proof | None:
    """Return the proof of the claim file at a location, or None if the file has no [proof]. Raises ClaimError.

    `rules`: for each proof rule, the function that reads its section.
    `read`: a function that reads other files.
    """
    source = section.source
    data = TomlTable(source, (), source.data).optional_table("proof")
    if not data:
        return None
    if "exists" in source.data:
        problem = "a [proof] shows that a claim holds in every case; an existence claim needs a witness"
        raise source.key_fault(
            ("proof",), problem, "[exists] without a [proof], because the run searches the scope for a witness"
        )

    def borrow(keys: Keys, sibling: str, games: tuple[Game, ...] = section.games) -> Proof:
        beside = location.locate_sibling(sibling)
        if not re.fullmatch(r"[\w-]+", sibling) or not is_file(beside.path):
            raise source.fault(
                keys, f"there is no claim {sibling!r} in this folder", "the name of a claim in the same folder"
            )
        other = read(beside.path)
        own = TomlTable(other, (), other.data).optional_table("proof")
        if not own or "from" in own or "cases" in own:
            raise source.fault(
                keys, f"{sibling} has no complete [proof]", "a claim with a [proof] that has neither 'from' nor 'cases'"
            )
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
        raise section.source.fault(
            ("proof", "rule"),
            f"{format_value(rule)} is not a proof rule",
            f'{known}, or no line rule, which means "folds"',
        )
    return rules[rule](section)


# == players ==========================================================================================================
_MOVER = "mover"  # the player to move in an impartial game


def read_losses(section: ProofSection, terms: ExpressionContext) -> tuple[tuple[int, Term], ...]:
    """Return pairs of the index of a player and the invariant of this player.

    The invariant is the condition under which the player loses if it is the player's turn. Return () if there is no
    table `loses`. Raises ClaimError, also if a player of a game that is not impartial has no invariant.

    `terms`: the context that reads the invariants.
    """
    found = []
    for name, text in section.table.expressions("loses"):
        keys: Keys = ("proof", "loses", name)
        found.append((_find_player(section, keys, name), terms.read_expression(keys, text, BOOL)))
    if found:
        _refuse_missing(section, dict(found))
    return tuple(found)


def read_player(section: ProofSection, table: TomlTable) -> int | None:
    """Return the index of the player whose move the table describes; None for every player. Raises ClaimError."""
    if "player" not in table.data:
        return None
    return _find_player(section, (*table.keys, "player"), table.text("player"))


def leads_to_loss(table: TomlTable) -> bool:
    """Return whether the move that the table describes must lead to a loss of the next player. Raises ClaimError."""
    return "to" not in table.data or table.choice("to", ("a loss", "anywhere")) == "a loss"


def _find_player(section: ProofSection, keys: Keys, name: str) -> int:
    """Return the index of a player: 0 for the mover of an impartial game. All games must have the same players."""
    ruleset = section.ruleset
    if ruleset is not None and ruleset.impartial:
        if name == _MOVER:
            return 0
        problem = f"{ruleset.id} is impartial, so {name!r} cannot have a separate invariant or move"
        raise section.source.key_fault(keys, problem, f"the key {_MOVER} in [proof.loses], and no key player in a move")
    named = {r.players for r in section.rulesets}
    players = named.pop() if len(named) == 1 else ()
    if name in players:
        return players.index(name)
    expected = f"one of {', '.join(players)}" if players else "a player, in a claim whose games name the same players"
    raise section.source.key_fault(keys, f"{name!r} is not a player", expected)


def _refuse_missing(section: ProofSection, movers: Collection[int]) -> None:
    """Raise ClaimError if a player of a game that is not impartial has no invariant."""
    ruleset = section.ruleset
    if ruleset is None or ruleset.impartial:
        return
    missing = [name for i, name in enumerate(ruleset.players) if i not in movers]
    if missing:
        problem = f"there is no invariant for {' and '.join(missing)}"
        expected = f"a line {missing[0]} = ..., because each player needs an invariant"
        raise section.source.key_fault(("proof", "loses"), problem, expected)
