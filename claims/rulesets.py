"""Rulesets: how the moves of a game are stated in a file, and the frozen form that everything else works on.

A ruleset is data: which heaps a move chooses, what numbers the mover picks, when that is allowed, and what the chosen
heaps become.  See docs/rulesets.md for the format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claims.domains import Interval, constant_range, split_range
from claims.elaborate import Elaborator, GameFacts
from claims.errors import LanguageError
from claims.reader import Table
from claims.source import Source, read
from claims.terms import Term
from claims.types import BOOL, INT, PLAYER, POSITION, Type, items_of, list_of, set_of

FORMAT = 1
_COUNTS = {"two": 2, "three": 3, "four": 4}
_NAME = r"[^\W\d]\w*"
_CHOICES = (
    (re.compile(rf"any heap ({_NAME})"), "any"),
    (re.compile(rf"an? (largest|smallest) heap ({_NAME})"), "extreme"),
    (re.compile(rf"any (two|three|four) heaps ({_NAME}(?:\s*,\s*{_NAME})+)"), "tuple"),
    (re.compile(rf"each of (.+) heaps ({_NAME})"), "each"),
)
_CHOICE_HELP = (
    '"any heap h", "a largest heap h", "a smallest heap h", "any two heaps g, h" (or three, four), '
    '"each of 1..w heaps h"'
)


@dataclass(frozen=True)
class Parameter:
    """`kind` is int, set or list; an int lies in lo..hi (hi None: no bound)."""

    name: str
    kind: str
    lo: int = 0
    hi: int | None = None

    @property
    def type(self) -> Type:
        return {"int": INT, "set": set_of(INT), "list": list_of(INT)}[self.kind]


@dataclass(frozen=True)
class Pick:
    """A number the mover picks: from an interval, or from a collection."""

    name: str
    domain: Interval | Term


@dataclass(frozen=True, eq=False)
class Move:
    """One kind of move.

    `choose` is "any" (every heap, or tuple of distinct heaps, named in `heaps`), "largest" or "smallest" (a heap of
    that size), or "each" (between `at_least` and `at_most` heaps, each called `heaps[0]`, each picking for itself).
    `become` are the sizes that replace the chosen heaps (for "each": each chosen heap); zeros vanish.
    """

    choose: str
    heaps: tuple[str, ...]
    picks: tuple[Pick, ...]
    where: Term | None
    become: tuple[Term, ...]
    at_least: Term | None = None
    at_most: Term | None = None


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A ruleset. `players` is empty when their number is the parameter `player_count`.

    `measure` is None for the total number of objects.  `impartial`: no expression mentions the mover.
    `sees_position`: some `where`, pick or `become` looks at the whole position `s`, not at the chosen heaps alone.
    """

    id: str
    title: str
    players: tuple[str, ...]
    player_count: str
    parameters: tuple[Parameter, ...]
    stuck_wins: bool
    moves: tuple[Move, ...]
    measure: Term | None
    impartial: bool
    sees_position: bool
    notes: str
    source: Source

    @property
    def facts(self) -> GameFacts:
        return GameFacts(self.id, self.players, self.impartial, not self.stuck_wins)

    @property
    def single_heap(self) -> bool:
        """Every move takes from one heap, legally or not by its size alone: the bit-parallel path serves it."""
        return not self.sees_position and all(
            m.choose in ("any", "largest", "smallest") and len(m.heaps) == 1 and len(m.become) == 1 for m in self.moves
        )


def load_ruleset(path: Path) -> Ruleset:
    """Read a ruleset file. Raises ClaimError."""
    source = read(path)
    top = Table(source, (), source.data)
    top.format(FORMAT)
    for key, why in (("state", "a remembered quantity"), ("position", "an ordered position")):
        if key in source.data:
            raise source.fault((key,), f"{key!r} is reserved: {why} is not supported yet", "a ruleset without it")
    title = top.text("title")
    players, player_count = _players(top)
    parameters = _parameters(top)
    if player_count and player_count not in [p.name for p in parameters]:
        raise source.fault(("players",), f"no parameter is named {player_count!r}", "the name of one of the parameters")
    stuck = top.choice("stuck", ("loses", "wins"))
    notes = top.optional_text("notes")
    reader = _MoveReader(source, parameters, players)
    moves = tuple(reader.move(i, table) for i, table in enumerate(top.tables("moves")))
    measure = None
    if "measure" in source.data:
        text = top.text("measure")
        measure = reader.term(("measure",), text, INT, reader.base | {"s": POSITION})
    top.finish()
    return Ruleset(
        id=path.stem,
        title=title,
        players=players,
        player_count=player_count,
        parameters=parameters,
        stuck_wins=stuck == "wins",
        moves=moves,
        measure=measure,
        impartial="mover" not in reader.used,
        sees_position="s" in reader.used,
        notes=notes,
        source=source,
    )


def _players(top: Table) -> tuple[tuple[str, ...], str]:
    value = top.take("players")
    if isinstance(value, str) and re.fullmatch(_NAME, value):
        return (), value
    if isinstance(value, list) and len(value) >= 2 and all(isinstance(v, str) and re.fullmatch(_NAME, v) for v in value):
        if len(set(value)) == len(value):
            return tuple(value), ""
    raise top.fault("players", f"{value!r} are no players", 'two or more names, ["P1", "P2"], or a parameter\'s name, "n"')


def _parameters(top: Table) -> tuple[Parameter, ...]:
    found = []
    for name, value in top.optional_table("parameters").items():
        keys = ("parameters", name)
        if not re.fullmatch(_NAME, name) or name in ("mover", "s"):
            raise top.source.fault(keys, f"{name!r} cannot name a parameter", "a name other than mover and s")
        if value in ("set", "list"):
            found.append(Parameter(name, value))
            continue
        sides = split_range(value) if isinstance(value, str) else None
        if sides is None:
            raise top.source.fault(keys, f"{value!r} is no domain of a parameter", '"1..", "2..10", "set" or "list"')
        try:
            lo = constant_range(sides[0]).lo
            hi = constant_range(sides[1]).lo if sides[1] else None
        except LanguageError as error:
            raise top.source.fault(keys, error.message, '"1..", "2..10", "set" or "list"') from None
        found.append(Parameter(name, "int", lo, hi))
    return tuple(found)


class _MoveReader:
    def __init__(self, source: Source, parameters: tuple[Parameter, ...], players: tuple[str, ...]) -> None:
        self.source, self.players, self.used = source, players, set[str]()
        self.base: dict[str, Type] = {p.name: p.type for p in parameters}

    def term(self, keys: tuple[Any, ...], text: str, kind: Type | None, names: dict[str, Type]) -> Term:
        elaborator = Elaborator(names)
        elaborator.constants |= {name: (PLAYER, i) for i, name in enumerate(self.players)}
        try:
            term = elaborator.term(text, kind)
        except LanguageError as error:
            raise self.source.language_fault(keys, error) from None
        self.used |= elaborator.used
        return term

    def move(self, number: int, table: Table) -> Move:
        at = ("moves", number)
        names = self.base | {"mover": PLAYER if self.players else INT, "s": POSITION}
        choose, heaps, low, high = self._choice(at, table.text("choose"), names)
        for heap in heaps:
            if heap in names:
                raise self.source.fault((*at, "choose"), f"the name {heap!r} is taken", "a new name for the heap")
            names[heap] = INT
        picks = []
        for name, text in table.optional_table("pick").items():
            keys = (*at, "pick", name)
            if not re.fullmatch(_NAME, name) or name in names:
                raise self.source.fault(keys, f"the name {name!r} cannot be used here", "a new name for the number picked")
            if not isinstance(text, str):
                raise self.source.fault(keys, f"{text!r} is no domain", 'a string, such as "1..h" or "S"')
            picks.append(Pick(name, self._pick(keys, text, names)))
            names[name] = INT
        where_text = table.optional_text("where")
        where = self.term((*at, "where"), where_text, BOOL, names) if where_text else None
        become = tuple(
            self.term((*at, "become", i), text, INT, names) for i, text in enumerate(table.texts("become"))
        )
        table.finish()
        return Move(choose, heaps, tuple(picks), where, become, low, high)

    def _choice(
        self, at: tuple[Any, ...], text: str, names: dict[str, Type]
    ) -> tuple[str, tuple[str, ...], Term | None, Term | None]:
        for pattern, kind in _CHOICES:
            match = pattern.fullmatch(text.strip())
            if not match:
                continue
            if kind == "any":
                return "any", (match[1],), None, None
            if kind == "extreme":
                return match[1], (match[2],), None, None
            if kind == "tuple":
                heaps = tuple(h.strip() for h in match[2].split(","))
                if len(set(heaps)) != _COUNTS[match[1]] or len(heaps) != len(set(heaps)):
                    break
                return "any", heaps, None, None
            sides = split_range(match[1])
            if sides is None or not sides[1]:
                break
            low, high = (self.term((*at, "choose"), side, INT, names) for side in sides)
            return "each", (match[2],), low, high
        raise self.source.fault((*at, "choose"), f"{text!r} chooses no heaps", _CHOICE_HELP)

    def _pick(self, keys: tuple[Any, ...], text: str, names: dict[str, Type]) -> Interval | Term:
        sides = split_range(text)
        if sides is None:
            term = self.term(keys, text, None, names)
            if items_of(term.type) != INT:
                raise self.source.fault(keys, f"{text!r} is of type {term.type}", "a range a..b, or a set or list of Int")
            return term
        if not sides[1]:
            raise self.source.fault(keys, f"{text!r} has no upper bound", "a..b: a position has finitely many options")
        return Interval(self.term(keys, sides[0], INT, names), self.term(keys, sides[1], INT, names))

