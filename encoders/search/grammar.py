"""Families of rulesets. A file lists restrictions on moves; each pair of them, one for each player, gives rulesets.

A restriction is a condition on a move. A restriction that contains the letter K has a parameter. If both players have
the same restriction with K, there are two rulesets: one with a parameter for each player, and one with a common
parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from claims.language.files.rulesets import Ruleset, load_ruleset
from claims.language.files.toml import TomlTable, format_value, parse, read
from encoders.search.writing import quote

KEYS = ("format", "title", "players", "stuck", "choose", "pick", "become", "numbers", "where", "restrictions")
FORMAT = 1
MOST = 20_000  # rulesets of a family
_NUMBER = re.compile(r"\bK\b")
PLAYS = {"loses": "normal play", "wins": "misère play"}


@dataclass(frozen=True)
class Restriction:
    """A restriction on the moves of a player, in words and as a condition on a move ("" for no restriction)."""

    words: str
    condition: str

    @property
    def has_number(self) -> bool:
        return bool(_NUMBER.search(self.condition))

    def rename_number(self, name: str) -> Restriction:
        """Return the restriction with `name` as the name of its parameter."""
        return Restriction(_NUMBER.sub(name, self.words), _NUMBER.sub(name, self.condition))


@dataclass(frozen=True)
class Member:
    """A ruleset of a family.

    `id`: the name of the files of the ruleset.
    `title`, `text`: the title and the text of the ruleset.
    `restrictions`: the restriction of each player in words. If both players have the same restriction with the same
    parameter, the second text is "".
    `stuck`, `choose`: the values of these keys in the ruleset.
    `numbers`: the names of the parameters.
    `where`: the region of the parameters.
    `mirror`: the id of an earlier ruleset that is equal after the players are exchanged; "" if there is none.
    """

    id: str
    title: str
    restrictions: tuple[str, str]
    stuck: str
    choose: str
    numbers: tuple[str, ...]
    where: str
    text: str
    mirror: str


@dataclass(frozen=True)
class Grammar:
    """A family of rulesets.

    `members`: the rulesets, in the order of their ids.
    `text`: the text of the file that describes the family.
    """

    title: str
    players: tuple[str, str]
    restrictions: tuple[Restriction, ...]
    members: tuple[Member, ...]
    text: str


def load_grammar(path: Path) -> Grammar:
    """Return the family that a file describes. Raises ClaimError with the location of the error.

    The conditions of the restrictions are not checked here, but when a ruleset is read.
    """
    source = read(path)
    top = TomlTable(source, (), source.data)
    top.reject_unknown_keys(*KEYS)
    top.format(FORMAT)
    players, numbers = top.texts("players"), top.texts("numbers")
    for key, found in (("players", players), ("numbers", numbers)):
        if len(set(found)) != 2:
            raise top.fault(key, f"{key!r} has {len(set(found))} different names", "two different names")
    plays = top.texts("stuck")
    for i, word in enumerate(plays):
        if word not in PLAYS:
            raise source.fault(
                ("stuck", i), f"{word!r} is not a result for a player who cannot move", '"loses" or "wins"'
            )
    restrictions = []
    for words, condition in top.optional_table("restrictions").items():
        if not isinstance(condition, str):
            keys = ("restrictions", words)
            raise source.fault(
                keys, f"{words!r} is {format_value(condition)}", "a condition on a move as text, or an empty text"
            )
        restrictions.append(Restriction(words, condition.strip()))
    if not restrictions:
        raise top.fault(
            "restrictions", "there is no restriction", '[restrictions] with lines such as "odd" = "m % 2 == 1"'
        )
    count = len(plays) * len(top.texts("choose")) * len(restrictions) ** 2
    if count > MOST:
        raise top.fault("restrictions", f"the family has more than {MOST} rulesets", "fewer restrictions")
    members = tuple(_list_members(top, tuple(restrictions)))
    return Grammar(top.text("title"), (players[0], players[1]), tuple(restrictions), members, source.text)


@dataclass(frozen=True)
class _Pair:
    """The restrictions of both players.

    `both`: whether the two restrictions are equal and have the same parameter, if any.
    """

    first: Restriction
    second: Restriction
    both: bool

    def name(self, numbers: tuple[str, ...]) -> tuple[Restriction, Restriction, tuple[str, ...]]:
        """Put the given names in the place of K. Return the two restrictions and the names that they use.

        `numbers`: two names. The second is used only if both restrictions have a parameter and the parameters differ.
        """
        k, l = numbers
        other = l if self.first.has_number and not self.both else k
        names = [k] * self.first.has_number + [other] * self.second.has_number
        return self.first.rename_number(k), self.second.rename_number(other), tuple(dict.fromkeys(names))

    def entitle(self, players: tuple[str, ...], numbers: tuple[str, ...]) -> str:
        a, b, _ = self.name(numbers)
        return f"each player {a.words}" if self.both else f"{players[0]} {a.words}, {players[1]} {b.words}"

    def condition(self, players: tuple[str, ...], numbers: tuple[str, ...]) -> str:
        """Return the condition on a move, as text: the player who moves must obey their restriction.

        Restrictions that differ become `(mover == Right or ...) and (mover == Left or ...)`.
        """
        a, b, _ = self.name(numbers)
        if self.both:
            return a.condition
        parts = [(a.condition, players[1]), (b.condition, players[0])]
        told = [(f"({words})" if re.search(r" (and|or) ", words) else words, other) for words, other in parts if words]
        return " and ".join(f"(mover == {other} or {words})" for words, other in told)


def _list_members(top: TomlTable, restrictions: tuple[Restriction, ...]) -> Iterator[Member]:
    players, names, chosen = top.texts("players"), top.texts("numbers"), top.texts("choose")
    pairs = []
    for a, b in product(restrictions, restrictions):
        pairs += [_Pair(a, b, True)] * (a == b) + [_Pair(a, b, False)] * (a != b or a.has_number)
    rows = list(product(top.texts("stuck"), chosen, pairs))
    seen: dict[tuple[str, str, Restriction, Restriction], str] = {}
    for number, (stuck, choose, pair) in enumerate(rows, 1):
        id = f"a{number:0{len(str(len(rows)))}}"
        numbers = pair.name(names)[2]
        title = pair.entitle(players, names)
        title += f", {choose.split(' h')[0]}" if len(chosen) > 1 else ""
        title += ", misère play" if stuck == "wins" else ""
        mirror = "" if pair.both or len(numbers) > 1 else seen.get((stuck, choose, pair.second, pair.first), "")
        seen[stuck, choose, pair.first, pair.second] = id
        told = pair.first.words, "" if pair.both else pair.second.words
        where = top.optional_text("where") if len(numbers) > 1 else ""
        text = _write(top, title, pair.condition(players, names), numbers, stuck, choose)
        yield Member(id, title, told, stuck, choose, numbers, where, text, mirror)


def _write(top: TomlTable, title: str, condition: str, numbers: tuple[str, ...], stuck: str, choose: str) -> str:
    """Return the text of a ruleset file with one kind of move, which is restricted by `condition`."""
    picks = ", ".join(f"{name} = {quote(words)}" for name, words in top.expressions("pick"))
    parameters = ", ".join(f'{name} = "1.."' for name in numbers)
    lines = [
        "format = 1",
        f"title = {quote(title)}",
        f"players = [{', '.join(map(quote, top.texts('players')))}]",
        *([f"parameters = {{ {parameters} }}"] if numbers else []),
        f"stuck = {quote(stuck)}",
        "",
        "[[moves]]",
        f"choose = {quote(choose)}",
        f"pick = {{ {picks} }}",
        *([f"where = {quote(condition)}"] if condition else []),
        f"become = [{', '.join(map(quote, top.texts('become')))}]",
    ]
    return "\n".join(lines) + "\n"


def read_rules(id: str, text: str) -> Ruleset:
    """Read a ruleset from its text. Raises ClaimError."""
    return load_ruleset(Path(f"{id}.toml"), lambda path: parse(path, text))
