"""What a ruleset says above its moves: who plays, with which parameters, who wins, and what players prefer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from claims.language.grammar.tokens import is_name
from claims.language.ground.gathering import attempt
from claims.language.heaps.shape import ReadTerm
from claims.language.terms.terms import Term
from claims.language.terms.types import INT, Type, list_of, position_of, set_of
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys

STUCK = ("loses", "wins")
NONE = "none"  # the measure of a game that may go on for ever
_ORDER = '"[(v + 1) % n for v in range(n)]"'
_WINNER = '"loses", "wins", or who wins there, an expression such as "Left if sum(s) % 2 == 0 else Right"'


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

    @property
    def domain(self) -> str:
        """As a file writes it."""
        return self.kind if self.kind != "int" else f"{self.lo}..{'' if self.hi is None else self.hi}"

    def admits(self, value: int) -> bool:
        """Whether an integer is in lo..hi."""
        return self.lo <= value and (self.hi is None or value <= self.hi)


@dataclass(frozen=True, eq=False)
class Ending:
    """How play ends.

    `stuck`: "loses" or "wins", what happens to the mover who has no legal move; "" where `winner`, a player told by the
    position, wins instead.  `prefer`: the offsets of the winner from a player, the one that he likes best first; None
    for 0, 1, ...  `endless`: play may go on for ever, and is then drawn.
    """

    stuck: str
    winner: Term | None = None
    prefer: Term | None = None
    endless: bool = False

    def tell_unusual(self, ruleset: str) -> str:
        """What whoever knows only the usual ends would get wrong about a ruleset; "" if nothing."""
        if self.endless:
            return f"play may go on for ever in {ruleset}"
        if self.prefer is not None:
            return f"the players of {ruleset} have preferences of their own"
        return f"in {ruleset} the last position tells who wins" if self.winner is not None else ""


def read_ending(top: TomlTable, read: ReadTerm, player: Type, heap: Type | None, players: Sequence[str]) -> Ending:
    """What `stuck`, `prefer` and a measure of "none" say. Raises ClaimError."""
    stuck, winner, prefer = _read_stuck(top, read, player, heap, players), None, None
    if stuck not in STUCK:
        stuck, winner = "", read(("stuck",), stuck, player, {"s": position_of(heap)})
    endless = top.data.get("measure") == NONE
    if "prefer" in top.data:
        prefer = read(("prefer",), top.text("prefer", f"a list in quotes, {_ORDER}"), list_of(INT), {})
        if endless:
            raise top.fault("prefer", f'play may go on for ever: measure = "{NONE}"', "a measure, or no preferences")
    return Ending(stuck, winner, prefer, endless)


def _read_stuck(top: TomlTable, read: ReadTerm, player: Type, heap: Type | None, players: Sequence[str]) -> str:
    text = top.text("stuck", _WINNER)
    if text not in STUCK and is_name(text) and text not in players:
        return top.choice("stuck", STUCK)
    return text


def read_parameters(top: TomlTable) -> tuple[Parameter, ...]:
    """What `parameters` says."""
    table = attempt(lambda: top.optional_table("parameters"), {})
    found = (attempt(partial(_parameter, top, name, value), None, name) for name, value in table.items())
    return tuple(parameter for parameter in found if parameter is not None)


def _parameter(top: TomlTable, name: str, value: object) -> Parameter:
    keys = ("parameters", name)
    if not is_name(name) or name in ("mover", "s"):
        raise top.source.key_fault(keys, f"{name!r} cannot name a parameter", "a name other than mover and s")
    return Parameter(name, value) if value in ("set", "list") else _integer(top, keys, name, value)


def _integer(top: TomlTable, keys: Keys, name: str, value: object) -> Parameter:
    match = (
        re.fullmatch(r"\s*([-+]?[0-9]{1,40})\s*\.\.\s*([-+]?[0-9]{1,40})?\s*", value)
        if isinstance(value, str)
        else None
    )
    if not match:
        expected = '"1..", "2..10", "set" or "list"'
        raise top.source.fault(keys, f"{format_value(value)} is no domain of a parameter", expected)
    lo, hi = int(match[1]), int(match[2]) if match[2] else None
    if hi is not None and lo > hi:
        raise top.source.fault(keys, f"{format_value(value)} is empty", "the smaller bound first")
    return Parameter(name, "int", lo, hi)


def read_players(top: TomlTable, parameters: tuple[Parameter, ...]) -> tuple[tuple[str, ...], str]:
    """The players' names, or the parameter that is their number."""
    value = top.take("players")
    if isinstance(value, str) and is_name(value):
        parameter = next((p for p in parameters if p.name == value), None)
        if parameter is None or parameter.kind != "int" or parameter.lo < 2:
            problem = f"{value!r} is {'no parameter' if parameter is None else 'not a number of at least 2'}"
            raise top.fault("players", problem, f'parameters = {{ {value} = "2.." }}, or a list of names, ["P1", "P2"]')
        return (), value
    if not isinstance(value, list) or not all(isinstance(v, str) and is_name(v) for v in value) or len(value) < 2:
        expected = 'two or more names, ["P1", "P2"], or the parameter that is their number, "n"'
        raise top.fault("players", f"{format_value(value)} names no players", expected)
    taken = {p.name for p in parameters} | {"mover", "s"}
    for i, name in enumerate(value):
        if name in taken:
            raise top.source.fault(("players", i), f"the name {name!r} is taken", "a name of its own for each player")
        taken.add(name)
    return tuple(value), ""
