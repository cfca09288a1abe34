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
    to = "anywhere"           # the move only needs to be legal; default: it leads to a loss of the next player
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

    The path without `.toml` is ambiguous if its first part is the name of a work of the library. It is also ambiguous
    if a folder next to the file has the same name, or if the path contains `*`, `?` or `[` like a glob.
    """
    name = display_path(path)
    short = name.removesuffix(".toml")
    work = short.partition("/")[0]
    is_name_of_other = (work and (library / work).is_dir()) or path.with_suffix("").is_dir()
    return name if is_name_of_other or any(sign in short for sign in "*?[") else short


@dataclass(frozen=True)
class Location:
    """The id and the file of a claim, from which the files of its lemmas can be found.

    `path`: the claim file; for a variant, the file that contains the variant.
    `library`: the folder of the library. Lemmas are searched there if they are not in a neighbouring folder.
    """

    id: str
    path: Path
    library: Path

    def locate_sibling(self, name: str) -> Location:
        """Return the location of the claim `name` in the same folder. The file need not exist."""
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
        """A path that is unique for the claim, although one claim can have several ids.

        It is the file with symbolic links resolved; for a variant, `FILE/@NAME`.
        """
        return identify(Path(os.path.realpath(self.path)), self.id)

    @property
    def variant(self) -> str:
        """The name of the variant, or "" for the main claim of the file."""
        return find_variant(self.id, self.path)


def list_lemmas(location: Location, read: Read) -> tuple[Location, ...]:
    """Return the locations of the lemmas that a claim names under `by`, each once.

    This includes the lemmas of each [proof] that the [proof] of the claim uses by `from`. Lemmas whose files do not
    exist are left out. An unreadable file counts as a file without lemmas; reading the claim then reports the error.
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
    """Return the content of the [proof] of a claim; {} if there is none, or if the file cannot be read."""
    try:
        found = take_variant(read(location.path), location.variant).data.get("proof")
    except ClaimError:
        return {}
    return found if isinstance(found, dict) else {}


# == lemmas ===========================================================================================================
MOST = 40  # claims in a chain of lemmas
_EXPECTED = 'the name of a claim in the same folder, or "folder/name"'


class LemmaLoader:
    """A loader of the lemmas of a claim, and of the lemmas of these lemmas. Each lemma is read once.

    The loader stores the chain of the claims that are being read, in which each claim uses the next one as a lemma. So
    it detects a circular argument.

    `read`: a function that reads the claim at a location. It calls `find` for the lemmas of this claim.
    """

    def __init__(self, read: Callable[[Location], Claim]) -> None:
        self._read = read
        self._known: dict[Path, Lemma] = {}
        self._under_way: dict[Path, str] = {}  # file -> id of the claims being read; each rests on the next

    def start(self, location: Location) -> Claim:
        """Return the claim at a location, and start a new chain of claims with it. Raises ClaimError."""
        self._under_way = {location.file: location.id}
        return self._read(location)

    @contextmanager
    def resting_on(self, location: Location, source: SourceFile, keys: Keys) -> Iterator[None]:
        """Append the claim at `location` to the chain inside the `with` block.

        Raises ClaimError if this claim is already in the chain, so that the argument is circular, or if the chain is
        too long. The error is at `keys` of `source`, where the last claim of the chain names the new one.
        """
        file = location.file
        if file in self._under_way:
            ids = list(self._under_way.values())
            circle = tuple(ids[list(self._under_way).index(file) :])
            raise source.fault(keys, describe_circle(circle), "only claims that do not depend on this claim")
        if len(self._under_way) == MOST:
            raise source.fault(
                keys, f"a chain of more than {MOST} claims, each of which uses the next", "a shorter argument"
            )
        self._under_way[file] = location.id
        try:
            yield
        finally:
            del self._under_way[file]

    def find(self, at: Location, source: SourceFile, keys: Keys, name: str) -> Lemma:
        """Return the lemma `name`, which the proof of the claim `at` names under `keys` of `source`.

        Raises ClaimError if there is no such claim, if the claim cannot be read, or if the claim is an existence claim.
        If the file of the lemma is invalid, the error is in this file, and also shows the place that names the lemma.
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
    raise AssertionError(f"a borrowed proof cannot borrow the proof of {sibling}")


def _refuse_lemma(source: SourceFile, keys: Keys, name: str) -> Lemma:
    raise AssertionError(f"the lemma {name} cannot be found, because no function for finding lemmas was given")


class Borrow(Protocol):
    """A function that reads the [proof] of the claim `sibling` in the same folder, as a proof of the present claim.

    `keys`: the place in the present file that names `sibling`, for errors.
    `games`: the games to which the proof is applied, by default the games of the present claim.
    """

    def __call__(self, keys: Keys, sibling: str, games: tuple[Game, ...] = ..., /) -> Proof: ...


@dataclass(frozen=True, eq=False)
class ProofSection:
    """A [proof] section with the context that its proof rule may use.

    `types`: the types of the claim's variables, by name.
    `definitions`: the definitions that the section may use, by name.
    `files`: the other files that contain definitions, by name.
    `facts`: for each game by name, the facts that determine which questions about it a claim may ask.
    `borrow`: a function that reads the [proof] of another claim in the same folder.
    `find_lemma`: a function that returns the lemma with a given name. The first two arguments are the place of the
    name in a file, for errors.
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
        """The integer variables of the claim, by name; each value is the type Int."""
        return {name: kind for name, kind in self.types.items() if kind == INT}

    def lemmas(self) -> tuple[Lemma, ...]:
        """Return the lemmas that the key `by` names; () without this key. Raises ClaimError.

        A proof rule that supports lemmas must accept the key `by`, and store these lemmas in the field `by` of its
        `Proof`.
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
        """Return a parser of expressions that may use these names and the definitions.

        The expressions must not contain a question about a game, such as wins(s) or options(s).
        """
        context = ExpressionContext(self.source, {}, self.definitions, self.files, NO_QUESTIONS)
        context.types.update(names)
        return context


ReadSection = Callable[[ProofSection], Proof]
"""A function that reads the section of one proof rule. Raises ClaimError."""


def read_proof(
    section: ProofSection, rules: Mapping[str, ReadSection], location: Location, read: Read, lemmas: LemmaLoader
) -> Proof | None:
    """Return the proof in the [proof] of a claim, or None if the file has no [proof]. Raises ClaimError.

    `section`: the file of the claim, and the names that the proof may use.
    `rules`: for the name of each proof rule, the function that reads its [proof].
    `location`: the id and the file of the claim.
    `read`: a function that reads other files.
    `lemmas`: a loader for the lemmas that the proof names.
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
    """Return the invariants in the table [proof.loses], each with the index of its player. Return () without the table.

    The invariant of a player is the condition on a position under which this player loses if it is their turn. An
    impartial game has one invariant, for index 0. Raises ClaimError, also if the game is not impartial and a player
    has no invariant.

    `terms`: the parser of the invariants.
    """
    found = []
    for name, text in section.table.expressions("loses"):
        keys: Keys = ("proof", "loses", name)
        found.append((_find_player(section, keys, name), terms.read_expression(keys, text, BOOL)))
    if found:
        _refuse_missing(section, dict(found))
    return tuple(found)


def read_player(section: ProofSection, table: TomlTable) -> int | None:
    """Return the index of the player who makes the move that the table describes. Raises ClaimError.

    Return None if the table has no key `player`, so that every player can make the move.
    """
    if "player" not in table.data:
        return None
    return _find_player(section, (*table.keys, "player"), table.text("player"))


def leads_to_loss(table: TomlTable) -> bool:
    """Return whether the described move must lead to a loss of the next player. Raises ClaimError.

    This is False only for `to = "anywhere"`.
    """
    return "to" not in table.data or table.choice("to", ("a loss", "anywhere")) == "a loss"


def _find_player(section: ProofSection, keys: Keys, name: str) -> int:
    """Return the index of the player `name`. For an impartial game, the only name is "mover", with index 0.

    Raises ClaimError if the name is unknown, or if the claim's games do not have the same players.
    """
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
    expected = f"one of {', '.join(players)}" if players else "a claim whose games all have the same named players"
    raise section.source.key_fault(keys, f"{name!r} is not a player", expected)


def _refuse_missing(section: ProofSection, movers: Collection[int]) -> None:
    """Raise ClaimError if the claim has exactly one game, it is not impartial, and a player has no invariant.

    `movers`: the indices of the players that have an invariant.
    """
    ruleset = section.ruleset
    if ruleset is None or ruleset.impartial:
        return
    missing = [name for i, name in enumerate(ruleset.players) if i not in movers]
    if missing:
        problem = f"there is no invariant for {' and '.join(missing)}"
        expected = f"a line {missing[0]} = ..., because each player needs an invariant"
        raise section.source.key_fault(("proof", "loses"), problem, expected)
