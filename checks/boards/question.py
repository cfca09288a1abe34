"""The question and the answer of `checks solve`.

The question consists of a ruleset, the values of its parameters, and a position. The answer is a `Solution`, or a
`SolvedTable` for many positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from html import escape

from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps, TermEvaluator, as_heaps, refuse_game
from checks.results.shown import Json, encode
from claims.language.errors import (
    ClaimError,
    LanguageError,
    SourceLocation,
    escape_invisible,
    join_words,
    suggest_nearest,
)
from claims.language.files.domains import constant_range
from claims.language.files.games import find_ruleset
from claims.language.files.library import LIBRARY
from claims.language.files.rulesets import Parameter, Ruleset
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.grammar import MAX_SHOWN_BITS, digits
from claims.language.syntax.meanings import Position, Value, gather, limit_players, position
from claims.language.syntax.terms import INT, NOTHING, POSITION, Type, describe_type, list_of, unify

# == solution =========================================================================================================
# The solution of a position, or of a table of positions, as frozen data. `solve --json` prints this data.
FORMAT = 1
GAME = "game"  # the name of the game in the terms that engines and boards evaluate


@dataclass(frozen=True)
class SolvedMove:
    """A move with its result. None means that the result is unknown.

    `position`: the position after the move.
    `words`: a description of the move.
    `wins`: whether the player who makes the move wins.
    `value`: the winner, counted in turns from the player who makes the move: 0 if this player wins, 1 if the next
    player wins, and so on.
    `grundy`: the Grundy value of `position`. None also means that it is not defined.
    `drawn`: whether `position` is a draw: under best play, nobody wins.
    """

    position: Position
    words: str
    wins: bool | None
    value: int | None
    grundy: int | None
    drawn: bool = False


@dataclass(frozen=True)
class SolvedTurn:
    """The result of a position if a given player moves first.

    `mover`: the name of this player; "" if the game is impartial and the question names no player.
    `value`: the winner, counted in turns from the mover: 0 if the mover wins, 1 if the next player wins, and so on.
    None means that the winner is unknown, or that the position is a draw.
    `winner`: the name of the winner; "" if there is no known winner, or if `mover` is "".
    `moves`: all legal moves; None if there are too many to list.
    `drawn`: whether the position is a draw: neither of the two players can force a win.
    """

    mover: str
    value: int | None
    winner: str
    moves: tuple[SolvedMove, ...] | None
    drawn: bool = False

    @property
    def winning_moves(self) -> tuple[SolvedMove, ...]:
        """The moves after which the mover wins. A move with an unknown result is not included."""
        return tuple(move for move in self.moves or () if move.wins)


@dataclass(frozen=True)
class PartizanValue:
    """The value of a position as a partizan game. Left is the first player.

    `form`: the canonical form in the notation of CGSuite.
    `mean`, `temperature`: fractions, as texts.
    """

    form: str
    mean: str
    temperature: str


@dataclass(frozen=True)
class Solution:
    """A solved position of a game.

    `game`: the title of the game with its parameters.
    `players`: the names of the players; empty if they are numbered from 0.
    `outcome`: P_position, N_position, first_wins or second_wins. It is "" if it is unknown, if the question names the
    player to move, if there are more than two players, or if the players have preferences.
    `grundy`: the Grundy value; None if it is unknown or not defined.
    `no_grundy`: the reason why the Grundy value is not defined; "" if it is defined, or only unknown.
    `partizan`: the value as a partizan game, for two players under normal play without a Grundy value.
    `turns`: the result for each player to move; a single one for an impartial game.
    `by`: the parts of the program that found the solution, as a text, such as "the referee".
    `limit`: the limit because of which a result is unknown, or "".
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
        """Return HTML for a notebook: the winner for each player to move, and every move with its result."""
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
    """The solutions of all positions of `heaps` heaps (1 or 2) of `least` to `greatest` objects.

    The positions are in the order a = least, ..., greatest for one heap (a). For two heaps (a, b), they are in rows:
    all a for the least b, then all a for the next b, and so on.
    `movers`: the names of the players to move; only "" in an impartial game.
    `values`: entry [i][j] is the value of position j if mover i moves first, as in `SolvedTurn`.
    `outcomes`: the outcome of each position, as in `Solution`.
    `grundy`: the Grundy value of each position, or None for an unknown one. The field is None if none is known.
    `partizan`: the value of each single heap as a partizan game, if Grundy values are not defined; otherwise None.
    The other fields are as in `Solution`.
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
    """Return the solution as JSON data, including the version number of the JSON format."""
    return encode({"format": FORMAT, **asdict(found)})


def name_outcome(values: tuple[int | None, ...], players: int) -> str:
    """Return P_position, N_position, first_wins or second_wins; "" if the outcome is unknown or not defined.

    `values`: for each player to move, the winner, counted in turns from this player, or None if it is unknown. An
    impartial game has only one value.
    >>> name_outcome((1,), 2), name_outcome((0, 1), 2), name_outcome((0, None), 2), name_outcome((0,), 3)
    ('P_position', 'first_wins', '', '')
    """
    if players != 2 or None in values:
        return ""
    first, second = values[0] == 0, values[-1] == 0
    return ("P_position", "second_wins", "first_wins", "N_position")[2 * first + second]


# == asked ============================================================================================================
# Parsing of the arguments: a ruleset, its parameters, a position. Every error is a ClaimError.
STEPS = 100_000  # of the referee for one value

Given = int | str | Iterable[int]
"""The value of a parameter, or a position. A text is parsed as on the command line; other values are used directly."""


def read_ruleset(word: str) -> Ruleset:
    """Return the ruleset for a word: the name of a ruleset, or the path of a ruleset file.

    A name has the same meaning as in a claim file in the current folder. Raises ClaimError if there is no such ruleset.
    """
    return find_ruleset(word, LIBRARY)


def read_position(given: Given, place: str = "POSITION", kind: Type = POSITION) -> Position:
    """Return the position that the user gave, sorted and without heaps of 0.

    `given`: a text such as `(2, 2, 4)`, an expression of the claim language as a text, or the sizes of the heaps.
    `place`: the name of the command-line argument, for error messages.
    `kind`: the type of positions in this game. If heaps have parts, `given` is a text such as `([1, 4], [2])`, as in
    reports, or such as `[heap([1, 4]), heap([2])]`.
    Raises ClaimError.
    >>> read_position("(4, 2, 2)"), read_position("[0, 3]"), read_position("()"), read_position("position([2 + 3])")
    ((2, 2, 4), (3,), (), (5,))
    """
    sizes = read_value(place, given, kind)
    if kind != POSITION and isinstance(sizes, tuple):
        return as_heaps(gather(sizes))
    if not isinstance(sizes, tuple) or any(type(h) is not int or h < 0 for h in sizes):
        raise ClaimError(
            SourceLocation(place), f"{given} is not a position", "heaps of at least 0 objects, such as (2, 2, 4)"
        )
    return position(as_heaps(sizes))


def read_range(text: str) -> tuple[int, int]:
    """Return the heap sizes (a, b) for the text `a..b`. Raises ClaimError if the text is not a valid range."""
    try:
        sizes = constant_range(text)
    except LanguageError as error:
        raise ClaimError(SourceLocation("--table"), error.message, "a range of heap sizes, such as 0..12") from None
    if sizes.lo < 0:
        raise ClaimError(
            SourceLocation("--table"), f"a heap cannot have {sizes.lo} objects", "a range of heap sizes, such as 0..12"
        )
    return sizes.lo, sizes.hi


def read_parameters(ruleset: Ruleset, given: Mapping[str, Given]) -> dict[str, Value]:
    """Return the value of each parameter of a ruleset, by name.

    Raises ClaimError if a parameter is unknown, or if a value is missing or invalid.
    """
    known = {p.name: p for p in ruleset.parameters}
    for name in given:
        if name not in known:
            problem = f"{ruleset.id} has no parameter {name!r}" if known else f"{ruleset.id} has no parameters"
            expected = f"one of {join_words(known)}{suggest_nearest(name, known)}" if known else ""
            raise ClaimError(SourceLocation(f"--set {name}"), problem, expected)
    for name, parameter in known.items():
        if name not in given:
            example = {"set": "{1, 3}", "list": "[1, 3, 7]"}.get(parameter.kind, str(max(parameter.lo, 1)))
            written = f'"{name}={example}"' if " " in example else f"{name}={example}"
            problem = f"the parameter {name!r} of {ruleset.id}, in {parameter.domain}, has no value"
            raise ClaimError(SourceLocation("--set"), problem, f"a value, such as --set {written}")
    return {name: _read_parameter(ruleset, parameter, given[name]) for name, parameter in known.items()}


def _read_parameter(ruleset: Ruleset, parameter: Parameter, given: Given) -> Value:
    place = f"--set {parameter.name}"
    value = read_value(place, given, parameter.type)
    if isinstance(value, tuple):
        return tuple(sorted(set(as_heaps(value)))) if parameter.kind == "set" else value
    assert isinstance(value, int)
    if not parameter.admits(value):
        problem = f"{digits(value)} is outside the domain of {parameter.name!r} in {ruleset.id}"
        raise ClaimError(SourceLocation(place), problem, f"a value in {parameter.domain}")
    if parameter.name == ruleset.player_count and (over := limit_players(value)):
        raise ClaimError(SourceLocation(place), over, f"a smaller number of players, such as {parameter.name}=3")
    return value


def read_value(place: str, given: Given, kind: Type) -> Value:
    """Return the value that the user gave, after a check that it has the type `kind`.

    `place`: the name of the command-line argument, for error messages. If `kind` is a type of positions, the result is
    the list of heaps as given, which is not yet sorted. Raises ClaimError.
    """
    value = _read_text(place, given.strip(), kind) if isinstance(given, str) else _take_value(place, given, kind)
    if (number := _find_largest(value)).bit_length() > MAX_SHOWN_BITS:
        raise ClaimError(SourceLocation(place), f"{digits(number)} is too large", "numbers of at most 400 digits")
    return value


def _take_value(place: str, given: int | Iterable[int], kind: Type) -> Value:
    if kind.is_position and kind != POSITION:
        raise ClaimError(SourceLocation(place), f"{given!r} is not a {kind}", _expect(kind))
    value = given if isinstance(given, int) else tuple(given)
    inside = value if isinstance(value, tuple) else (value,)
    if isinstance(value, tuple) is (kind == INT) or any(type(x) is not int for x in inside):
        raise ClaimError(SourceLocation(place), f"{value!r} is not {describe_type(kind)}", _expect(kind))
    return value


def _read_text(place: str, text: str, kind: Type) -> Value:
    if kind.is_position and text.startswith("(") and text.count("(") > text.count(")"):
        raise ClaimError(SourceLocation(place, 0, 1, 1, text), "this bracket is not closed", _expect(kind))
    try:
        term = Elaborator({}, without_game="a value that does not refer to a game", heap=kind.element).term(
            _as_list(text, kind.element) if kind.is_position else text
        )
    except LanguageError as error:
        marked = SourceLocation(place, 0, error.start + 1, error.end - error.start, text)
        raise ClaimError(marked, error.message, error.expected) from None
    whole = SourceLocation(place, 0, 1, len(text), text)
    heaps = (list_of(kind.element or INT), list_of(NOTHING))
    if not (unify(term.type, kind) == kind or (kind.is_position and term.type in heaps)):
        raise ClaimError(whole, f"this is {describe_type(term.type)}", _expect(kind))
    try:
        return TermEvaluator(refuse_game, RefereeSteps(STEPS)).evaluate(term, {})
    except (IllDefined, LimitReached) as fault:
        raise ClaimError(whole, f"the expression has no value: {fault}") from None


def _find_largest(value: Value) -> int:
    """Return the number in `value` with the largest absolute value; 0 for an empty list.

    A fraction counts as its numerator and its denominator.
    """
    if isinstance(value, tuple):
        return max(map(_find_largest, value), key=abs, default=0)
    return max(value.numerator, value.denominator, key=abs)


def _expect(kind: Type) -> str:
    if kind.is_position and kind.element is not None:
        parts = ", ".join("[1, 4]" if part.is_collection else "2" for _, part in kind.element.parts)
        return f"a list of its heaps, such as [heap({parts})]"
    return "the sizes of its heaps, such as (2, 2, 4), (5) or ()" if kind == POSITION else describe_type(kind)


def _as_list(text: str, heap: Type | None = None) -> str:
    """Rewrite a position such as `(2, 2, 4)` as the list `[2, 2, 4]`. Return a text of another form unchanged.

    `heap`: the type of a heap with parts, or None. If a heap has only one part, `([1, 4], [2])` becomes
    `[heap([1, 4]), heap([2])]`, because reports omit `heap(...)` in this case.
    """
    if not (text.startswith("(") and text.endswith(")")) or len(_split(text)) > 1:
        return text
    items = [x for x in _split(text[1:-1], ",") if x.strip()]
    if heap is not None and len(heap.parts) == 1:
        items = [x if x.lstrip().startswith("heap") else f"heap({x})" for x in items]
    return f"[{','.join(items)}]" if heap is not None else f"[{text[1:-1]}]"


def _split(text: str, at: str = "") -> list[str]:
    """Split a text at each separator `at` that is outside all brackets.

    If `at` is "", split the text after each character that is outside all brackets or closes the outermost one.
    """
    depth, found = 0, [""]
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and char == at:
            found.append("")
        else:
            found[-1] += char
            if not at and depth == 0:
                found.append("")
    return found if at else [x for x in found if x]
