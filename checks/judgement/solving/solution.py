"""What is found of a position, or of a table of positions: frozen data, which the JSON of `solve` shows as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from html import escape

from checks.results.values import Json, encode
from claims.language.builtins.meanings import Position, Value
from claims.language.ground.errors import escape_invisible

FORMAT = 1
GAME = "game"  # what it is called where engines and boards are asked about it


@dataclass(frozen=True)
class SolvedMove:
    """A move, by the position that it leads to, and in words.

    `value`: the offset, from the player who makes it, of the player who wins then, 0 for himself; `wins`: whether it is
    0; `drawn`: whether nobody does, and play goes on for ever.  `grundy`: the Grundy value of the option.  None: open,
    or not defined.
    """

    position: Position
    words: str
    wins: bool | None
    value: int | None
    grundy: int | None
    drawn: bool = False


@dataclass(frozen=True)
class SolvedTurn:
    """What is so where `mover` is to move; "" stands for every player, where all have the same moves.

    `value`: the offset from the mover of the player who wins, None where that is open; `winner`: that player, "" where
    it is open or the mover has no name.  `moves`: all legal ones, None where they are too many to be listed.  `drawn`:
    whether neither of two players can force a win, and play goes on for ever; then there is no `value`.
    """

    mover: str
    value: int | None
    winner: str
    moves: tuple[SolvedMove, ...] | None
    drawn: bool = False

    @property
    def winning_moves(self) -> tuple[SolvedMove, ...]:
        """Those by which the mover wins."""
        return tuple(move for move in self.moves or () if move.wins)


@dataclass(frozen=True)
class PartizanValue:
    """What a position is worth to Left, who is the first of the players.

    `form`: its canonical form, as CGSuite writes it.  `mean`, `temperature`: fractions, as texts.
    """

    form: str
    mean: str
    temperature: str


@dataclass(frozen=True)
class Solution:
    """A position of a game, solved. `game`: in words; `players`: their names, none where they are numbered from 0 on.

    `outcome`: P_position, N_position, first_wins or second_wins; "" where it is open, or was not asked of all players,
    or they are more than two.  `grundy`: None where there is none, for the reason `no_grundy`, or it is open.
    `partizan`: its value as a game of Left and Right, where it has no Grundy value, of two players under normal play.
    `turns`: one for each player to move, or one alone where all have the same moves.  `by`: who found this.  `limit`:
    which was met, if something is open.
    """

    ruleset: str
    game: str
    parameters: Mapping[str, Value]
    players: tuple[str, ...]
    position: Position
    outcome: str
    grundy: int | None
    no_grundy: str
    partizan: PartizanValue | None
    turns: tuple[SolvedTurn, ...]
    by: str
    limit: str

    def _repr_html_(self) -> str:
        """For a notebook: who wins for each player to move, and every move with what comes of it."""
        rows = ["<tr><th>to move</th><th>wins</th><th>move</th><th>Grundy value</th></tr>"]
        for turn in self.turns:
            for move in turn.moves or ():
                wins = "drawn" if move.drawn else {True: "yes", False: "no", None: "open"}[move.wins]
                grundy = "" if move.grundy is None else str(move.grundy)
                cells = (turn.mover or "any player", wins, move.words, grundy)
                rows.append("<tr>" + "".join(f"<td>{escape(escape_invisible(cell))}</td>" for cell in cells) + "</tr>")
        said = f"{self.game}, ({', '.join(map(str, self.position))}): {self.outcome or 'open'}"
        said += "" if self.grundy is None else f", Grundy value {self.grundy}"
        return f"<p>{escape(escape_invisible(said))}</p><table>{''.join(rows)}</table>"


@dataclass(frozen=True)
class SolvedTable:
    """All positions of `heaps` heaps of `least`..`greatest` objects, solved: of two heaps, row after row.

    `values`: for each of `movers` who wins, as in `SolvedTurn`; `grundy`: None where a position has no Grundy value;
    `partizan`: what each is worth then, of single heaps.  The rest is as in `Solution`.
    """

    ruleset: str
    game: str
    parameters: Mapping[str, Value]
    players: tuple[str, ...]
    heaps: int
    least: int
    greatest: int
    movers: tuple[str, ...]
    values: tuple[tuple[int | None, ...], ...]
    outcomes: tuple[str, ...]
    grundy: tuple[int | None, ...] | None
    partizan: tuple[PartizanValue | None, ...] | None
    by: str
    limit: str


def to_data(found: Solution | SolvedTable) -> Json:
    """The same as JSON data, with the number of the format."""
    return encode({"format": FORMAT, **asdict(found)})


def name_outcome(values: tuple[int | None, ...], players: int) -> str:
    """The outcome of a position by who wins for each player to move, or for all; "" where it is open or not defined.

    >>> name_outcome((1,), 2), name_outcome((0, 1), 2), name_outcome((0, None), 2), name_outcome((0,), 3)
    ('P_position', 'first_wins', '', '')
    """
    if players != 2 or None in values:
        return ""
    first, second = values[0] == 0, values[-1] == 0
    return ("P_position", "second_wins", "first_wins", "N_position")[2 * first + second]
