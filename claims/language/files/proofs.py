"""The [proof] section: the rule that reads it, its players, and the lemmas that it uses.

Lemmas: other claims on which the proof of a claim rests, found by the names that its `by` gives them.

[proof]
by = ["theorem-1", "nim/bouton"]   # a claim of the same folder; one of a folder beside it, or else of the library

What rests on what, by `by`, `from` and cases, is one graph: an argument that goes in a circle is refused.

The [proof] section of a claim file: which rule reads it, for this claim or for that of a sibling.

[proof]
rule = "grundy"             # without it, a section with `cases` is one of cases, and any other one of folds

[proof]
from = "theorem-14"         # the proof of the claim of that name in the same folder, read for this claim

[proof]
by = ["nim/bouton"]         # lemmas, in the section of a rule that takes some: see claims/language/files/proofs.py

What a proof says of players: where each of them loses, whose move it names, and whether that leads to a loss.

[proof.loses]
mover = "a == b"          # one invariant; or one for each player, by name, where their moves are told apart

[[proof.moves]]
player = "P1"             # whose move it is: every player's without such a line
to = "anywhere"           # it only shows that there is a move: without such a line it leads to a loss
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
# Where claims stand, and which others the proof of one names: found without reading any claim as a claim.
_NAME = re.compile(r"(?:([\w-]+)/)?([\w-]+)")


def name_outside(path: Path, library: Path) -> str:
    """The id of a claim outside the library: its path, without `.toml` unless that would name something else as well.

    It would where its first folder, or the file, is called as a work of the library, where a folder beside the file is
    called as the file, and where it could be read as a glob.
    """
    name = display_path(path)
    short = name.removesuffix(".toml")
    work = short.partition("/")[0]
    is_name_of_other = (work and (library / work).is_dir()) or path.with_suffix("").is_dir()
    return name if is_name_of_other or any(sign in short for sign in "*?[") else short


@dataclass(frozen=True)
class Location:
    """Where a claim stands: its id and its file. The library is where folders are looked for that are not beside it.

    A variant stands in the file of its claim.
    """

    id: str
    path: Path
    library: Path

    def locate_sibling(self, name: str) -> Location:
        """The location of the claim of that name in the same folder, whether there is one or not."""
        folder, slash, own = base_of(self.id, self.path).rpartition("/")
        suffix = ".toml" if own == self.path.name else ""
        return Location(f"{folder}{slash}{name}{suffix}", self.path.parent / f"{name}.toml", self.library)

    def find(self, name: str) -> Location | None:
        """The location of the lemma that a proof at this one calls `name`; None if there is no such file."""
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
        """The file itself, symbolic links followed: by it a claim is known, whatever it is called."""
        return identify(Path(os.path.realpath(self.path)), self.id)

    @property
    def variant(self) -> str:
        """The name of the variant that it is of, "" where it is of the file's own claim."""
        return find_variant(self.id, self.path)


def list_lemmas(location: Location, read: Read) -> tuple[Location, ...]:
    """The lemmas that a claim's file names, in its own [proof] and in those that it takes over, each once.

    No claim is read: what is wrong with a file is told by who reads it, and here it names nothing.
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
    """The table [proof] of a claim; an empty one if it has none or cannot be read."""
    try:
        found = take_variant(read(location.path), location.variant).data.get("proof")
    except ClaimError:
        return {}
    return found if isinstance(found, dict) else {}


# == lemmas ===========================================================================================================
MOST = 40  # claims, each resting on the next
_EXPECTED = 'the name of a claim in the same folder, or "folder/name"'


class LemmaLoader:
    """Reads the lemmas of one claim, and theirs, each claim once. `read` reads the claim at a location."""

    def __init__(self, read: Callable[[Location], Claim]) -> None:
        self._read = read
        self._known: dict[Path, Lemma] = {}
        self._under_way: dict[Path, str] = {}  # the file and id of each that rests on the next

    def start(self, location: Location) -> Claim:
        """The claim at a location, on which nothing rests that is under way. Raises ClaimError."""
        self._under_way = {location.file: location.id}
        return self._read(location)

    @contextmanager
    def resting_on(self, location: Location, source: SourceFile, keys: Keys) -> Iterator[None]:
        """While that is read on which the claim under way rests, as the keys of the source say.

        Raises ClaimError there, if that rests on the claim under way itself.
        """
        file = location.file
        if file in self._under_way:
            ids = list(self._under_way.values())
            circle = tuple(ids[list(self._under_way).index(file) :])
            raise source.fault(keys, describe_circle(circle), "claims that do not rest on this one")
        if len(self._under_way) == MOST:
            raise source.fault(keys, f"more than {MOST} claims, each resting on the next", "a shorter argument")
        self._under_way[file] = location.id
        try:
            yield
        finally:
            del self._under_way[file]

    def find(self, at: Location, source: SourceFile, keys: Keys, name: str) -> Lemma:
        """The lemma that the proof of the claim at a location calls `name`, under the keys of the source.

        Raises ClaimError there, or in the lemma's own file, and then tells who named it.
        """
        location = at.find(name)
        if location is None:
            near = find_closest(name, sorted(path.stem for path in at.path.parent.glob("*.toml")))
            raise source.fault(keys, f"there is no claim {name!r} to rest on", _EXPECTED, near=near)
        file = location.file
        if file not in self._known:
            with self.resting_on(location, source, keys), collect_faults(None):
                try:
                    claim = self._read(location)
                except ClaimError as error:
                    raise error.add_calls(("in a lemma that is named at", source.place(keys))) from None
            self._known[file] = Lemma(location.id, claim, file)
        found = self._known[file]
        if found.claim.quantifier == "exists":
            problem = f"{name} says that something exists: nothing follows from it for a case"
            raise source.fault(keys, problem, "a claim with [forall], or one without variables")
        return found


# == sections =========================================================================================================
UNNAMED, OF_CASES = "folds", "cases"  # the rules of sections that name none
_BY = 'a list of claims, such as ["theorem-1", "nim/bouton"]'


def _refuse(keys: Keys, sibling: str, games: tuple[Game, ...] = ()) -> Proof:
    raise AssertionError(f"{sibling}: what is borrowed borrows nothing")


def _refuse_lemma(source: SourceFile, keys: Keys, name: str) -> Lemma:
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
    find_lemma: Callable[[SourceFile, Keys, str], Lemma] = _refuse_lemma

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
        beside = location.locate_sibling(sibling)
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


# == players ==========================================================================================================
_MOVER = "mover"  # who is to move, where all have the same moves


def read_losses(section: ProofSection, terms: ExpressionContext) -> tuple[tuple[int, Term], ...]:
    """Where each mover loses, by his index; none if the section does not say. `terms`: reads the invariants.

    Raises ClaimError, also where one of the players whose moves are told apart has no invariant.
    """
    found = []
    for name, text in section.table.expressions("loses"):
        keys: Keys = ("proof", "loses", name)
        found.append((_find_player(section, keys, name), terms.read_expression(keys, text, BOOL)))
    if found:
        _refuse_missing(section, dict(found))
    return tuple(found)


def read_player(section: ProofSection, table: TomlTable) -> int | None:
    """Whose the move is that the table names, by his index; None: every player's. Raises ClaimError."""
    if "player" not in table.data:
        return None
    return _find_player(section, (*table.keys, "player"), table.text("player"))


def leads_to_loss(table: TomlTable) -> bool:
    """Whether the move that the table names leads to a position that is lost. Raises ClaimError."""
    return "to" not in table.data or table.choice("to", ("a loss", "anywhere")) == "a loss"


def _find_player(section: ProofSection, keys: Keys, name: str) -> int:
    """0 for the mover of an impartial game; of several games the players, where they are the same in all."""
    ruleset = section.ruleset
    if ruleset is not None and ruleset.impartial:
        if name == _MOVER:
            return 0
        problem = f"{ruleset.id} is impartial: it does not tell {name!r} from any other player"
        raise section.source.key_fault(keys, problem, f"{_MOVER}, or no player")
    named = {r.players for r in section.rulesets}
    players = named.pop() if len(named) == 1 else ()
    if name in players:
        return players.index(name)
    raise section.source.key_fault(keys, f"{name!r} is no player", f"one of {', '.join(players) or 'none'}")


def _refuse_missing(section: ProofSection, movers: Collection[int]) -> None:
    """One invariant for each player whose moves are told apart."""
    ruleset = section.ruleset
    if ruleset is None or ruleset.impartial:
        return
    missing = [name for i, name in enumerate(ruleset.players) if i not in movers]
    if missing:
        problem = f"nothing says where {' and '.join(missing)} loses, to move"
        expected = f"a line {missing[0]} = ...: one for each player"
        raise section.source.key_fault(("proof", "loses"), problem, expected)
