"""The reader of ruleset files, and the immutable record of a ruleset that the rest of the program uses."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from claims.language.errors import (
    ANYTHING,
    FollowOnFault,
    LanguageError,
    UnknownName,
    attempt,
    conclude,
    find_closest,
    is_unreadable,
    mark_unreadable,
    report_fault,
)
from claims.language.files.definitions import read_table, select_closed
from claims.language.files.domains import IntervalDomain, split_range
from claims.language.files.heaps import HeapShape, ReadTerm, is_split_only, read_shape, split_list_range
from claims.language.files.toml import Keys, Read, SourceFile, TomlTable, format_value, read
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.grammar import is_name
from claims.language.syntax.names import Definition
from claims.language.syntax.printing import TooLong, find_free_names, substitute
from claims.language.syntax.questions import GameFacts
from claims.language.syntax.terms import (
    BOOL,
    INT,
    PLAYER,
    POSITION,
    Collection,
    Literal,
    Term,
    Type,
    describe_type,
    items_of,
    list_of,
    position_of,
    set_of,
)

# == heading ==========================================================================================================
# The part of a ruleset before its moves: players, parameters, the winner, and preferences.
STUCK = ("loses", "wins")
NONE = "none"  # the measure of a loopy game
_ORDER = '"[(v + 1) % n for v in range(n)]"'
DRAWS = "draws"  # the word for a draw at the end of play
NOBODY = 2  # the value of DRAWS in place of a player; a game with drawn endings has the players 0 and 1
_WINNER = '"loses", "wins", or an expression for the winner, such as "Left if sum(s) % 2 == 0 else Right"'


@dataclass(frozen=True)
class Parameter:
    """A parameter of a ruleset, such as k of K-L-Nim. Each claim gives it a value.

    `kind`: "int", or "set" or "list" for a set or list of integers.
    `lo`, `hi`: the bounds of an integer parameter; `hi` is None if there is no upper bound.
    """

    name: str
    kind: str
    lo: int = 0
    hi: int | None = None

    @property
    def type(self) -> Type:
        return {"int": INT, "set": set_of(INT), "list": list_of(INT)}[self.kind]

    @property
    def domain(self) -> str:
        """The domain as it is written in a ruleset file: "1..", "2..10", "set" or "list"."""
        return self.kind if self.kind != "int" else f"{self.lo}..{'' if self.hi is None else self.hi}"

    def admits(self, value: int) -> bool:
        """Whether an integer is at least `lo` and at most `hi`."""
        return self.lo <= value and (self.hi is None or value <= self.hi)


@dataclass(frozen=True, eq=False)
class Ending:
    """The result of a game at the end of play, and the preferences of the players.

    `stuck`: "loses" or "wins", the result for a mover without a legal move; "" if `winner` determines the result.
    `winner`: the term for the player who wins, over the last position `s` and `mover`, the player who cannot move; None
    if `stuck` is not "". Its value is NOBODY for a draw.
    `prefer`: a list of offsets, best first. Offset i means that the player who moves i turns later wins. None for the
    list 0, 1, ..., in which each player likes their own win best, then the win of the next player, and so on.
    `endless`: whether play may be infinite. Infinite play is a draw.
    `drawn`: whether `winner` contains the value NOBODY. Then there are two players.
    """

    stuck: str
    winner: Term | None = None
    prefer: Term | None = None
    endless: bool = False
    drawn: bool = False

    @property
    def may_draw(self) -> bool:
        """Whether a position may be a draw, because play may be infinite or may end in a draw."""
        return self.endless or self.drawn

    def tell_unusual(self, ruleset: str) -> str:
        """Return a description of an unusual ending, such as "play in G may be infinite". Return "" if it is usual.

        An ending is usual if it is determined by "loses" or "wins" alone. Code for usual endings must not be used for
        a ruleset with an unusual ending.

        `ruleset`: the id of the ruleset, for the description.
        """
        if self.endless:
            return f"play in {ruleset} may be infinite"
        if self.prefer is not None:
            return f"the players of {ruleset} have preferences"
        if self.drawn:
            return f"play in {ruleset} may end in a draw"
        return f"in {ruleset} the last position determines the winner" if self.winner is not None else ""


def read_ending(
    top: TomlTable, read: ReadTerm, player: Type, heap: Type | None, players: Sequence[str], names: Container[str]
) -> Ending:
    """Return the ending that the keys `stuck`, `prefer` and `measure` of a ruleset describe. Raises ClaimError.

    In the term `winner`, the name "draws" is replaced by NOBODY, unless this name has another meaning in the ruleset.

    `read`: the parser of expressions.
    `player`: the type of players, which is Int if the number of players is a parameter.
    `heap`: the type of heaps with parts; None if heaps are numbers.
    `players`: the names of the players; empty if a parameter gives their number.
    `names`: the names of the players, parameters and definitions of the ruleset.
    """
    stuck, winner, prefer, drawn = _read_stuck(top, names), None, None, False
    if stuck not in STUCK:
        stuck, (winner, drawn) = "", _read_winner(top, stuck, read, player, heap, names)
        if drawn and len(players) != 2:
            problem = "a game can end in a draw only if it has two players, with names"
            raise top.fault("stuck", problem, 'players = ["P1", "P2"], or an expression for `stuck` without `draws`')
    endless = top.data.get("measure") == NONE
    if "prefer" in top.data:
        prefer = read(("prefer",), top.text("prefer", f"a list in quotes, such as {_ORDER}"), list_of(INT), {})
        if endless:
            raise top.fault(
                "prefer",
                f'play may be infinite, because measure = "{NONE}"',
                f'a measure other than "{NONE}", or no line prefer',
            )
        if drawn:
            expected = "a player as the winner in `stuck`, or no line prefer"
            raise top.fault("prefer", "the players have preferences, but play may end in a draw", expected)
    return Ending(stuck, winner, prefer, endless, drawn)


def _read_stuck(top: TomlTable, names: Container[str]) -> str:
    text = top.text("stuck", _WINNER)
    if text not in STUCK and is_name(text) and text not in names and text not in ("mover", DRAWS):
        return top.choice("stuck", (*STUCK, DRAWS))
    return text


def _read_winner(
    top: TomlTable, text: str, read: ReadTerm, player: Type, heap: Type | None, names: Container[str]
) -> tuple[Term, bool]:
    """Return the term for the winner at the end of play, and whether it contains NOBODY (a draw). Raises ClaimError."""
    known = {"s": position_of(heap), "mover": player}
    if DRAWS in names:
        return read(("stuck",), text, player, known), False
    term = read(("stuck",), text, player, {**known, DRAWS: player})
    drawn = DRAWS in find_free_names(term)
    return substitute(term, {DRAWS: Literal(player, 0, 0, NOBODY)}) if drawn else term, drawn


def read_parameters(top: TomlTable) -> tuple[Parameter, ...]:
    """Return the parameters in the table [parameters] of a ruleset, in the order of the file. Raises ClaimError."""
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
        expected = 'a range such as "1.." or "2..10", or one of "set" and "list"'
        raise top.source.fault(keys, f"{format_value(value)} is not a domain of a parameter", expected)
    lo, hi = int(match[1]), int(match[2]) if match[2] else None
    if hi is not None and lo > hi:
        raise top.source.fault(keys, f"{format_value(value)} is empty", "the smaller bound first")
    return Parameter(name, "int", lo, hi)


def read_players(top: TomlTable, parameters: tuple[Parameter, ...]) -> tuple[tuple[str, ...], str]:
    """Return the names of the players, and the name of the parameter that gives the number of players.

    One of the two is always empty: the result is (names, "") or ((), name). Raises ClaimError.
    """
    value = top.require("players")
    if isinstance(value, str) and is_name(value):
        parameter = next((p for p in parameters if p.name == value), None)
        if parameter is None or parameter.kind != "int" or parameter.lo < 2:
            values = "" if parameter is None else " whose values are all integers of at least 2"
            problem = f"{value!r} is not a parameter{values}"
            raise top.fault(
                "players",
                problem,
                f'a parameter, as in parameters = {{ {value} = "2.." }}, or a list of names such as ["P1", "P2"]',
            )
        return (), value
    if not isinstance(value, list) or not all(isinstance(v, str) and is_name(v) for v in value) or len(value) < 2:
        expected = 'two or more names, such as ["P1", "P2"], or the name of the parameter for the number of players'
        raise top.fault("players", f"{format_value(value)} does not name the players", expected)
    taken = {p.name for p in parameters} | {"mover", "s"}
    for i, name in enumerate(value):
        if name in taken:
            raise top.source.fault(("players", i), f"the name {name!r} is taken", "a different name for each player")
        taken.add(name)
    return tuple(value), ""


# == rulesets =========================================================================================================
# The moves of a game in a file, and the frozen record that the rest of the program uses.
#
# A ruleset is data: which heaps a move chooses, which numbers the mover picks, when the move is legal, and what
# replaces the chosen heaps. See docs/rulesets.md for the format.
FORMAT = 1
KEYS = ("format", "title", "players", "parameters", "stuck", "prefer", "notes", "measure", "heap", "define", "moves")
EVERYWHERE = ("mover", "s")  # names that definitions may use where the expression may use them
MOVE_KEYS = ("choose", "pick", "where", "become", "score")
_COUNTS = {"two": 2, "three": 3, "four": 4}
_NAME = r"[^\W\d]\w*"
_CHOICES = (
    (re.compile(rf"\s*any heap ({_NAME})\s*"), "any"),
    (re.compile(rf"\s*an? (largest|smallest) heap ({_NAME})\s*"), "extreme"),
    (re.compile(rf"\s*any (two|three|four) heaps ({_NAME}(?:\s*,\s*{_NAME})*)\s*"), "tuple"),
    (re.compile(rf"\s*each of (.+) heaps ({_NAME})(\s+alike)?\s*"), "each"),
)
_SIZES = 'such as ["h - m"] or ["m", "h - m"], or an expression for a list, such as "[m for i in range(k)]"'
_HEAPS = 'such as [{ c = "put(h.c, i, 0)" }], or an expression for a list, such as "[heap(m) for i in range(k)]"'
_BOTH_BOUNDS = 'a range "a..b" with both bounds, because a position has finitely many options'
_CHOICE_HELP = (
    'a choice such as "any heap h", "a largest heap h", "a smallest heap h", "any two heaps g, h" (or three, four), '
    '"each of 1..w heaps h", or "each of 1..w heaps h alike"'
)


@dataclass(frozen=True)
class Pick:
    """A number that the mover picks in a move, such as the number of objects to take.

    `domain`: an interval, or a term for a set or list of numbers. If the bounds of the interval are lists, the mover
    picks a list. Its element i is then between the elements i of the two bounds.
    """

    name: str
    domain: IntervalDomain | Term

    @property
    def type(self) -> Type:
        return self.domain.lo.type if isinstance(self.domain, IntervalDomain) else INT


@dataclass(frozen=True, eq=False)
class Move:
    """One kind of move: one table [[moves]] of a ruleset.

    `choose`: the heaps that the mover may choose. "any": one heap, or several different heaps of the position, one for
    each name in `heaps`. "largest", "smallest": a largest or smallest heap. "each": between `at_least` and `at_most`
    heaps, and for each of them separate picks.
    `heaps`: the names of the chosen heaps. For "each", a single name, which stands for each chosen heap in turn.
    `picks`: the numbers that the mover picks.
    `where`: the condition under which the move is legal; None if it always is.
    `result`: the heaps that replace the chosen heaps; for "each", the heaps that replace each chosen heap. It contains
    one term for each heap, or it is a term for the list of the heaps. A heap of size 0 disappears.
    `number`: the index of the table among the [[moves]] of the file, counted from 1.
    `score`: the points that the mover gains; for "each", the points for each chosen heap. None if moves have no points.
    `alike`: for "each", whether the mover picks the same numbers for all chosen heaps. They must be legal for each of
    these heaps.
    """

    choose: str
    heaps: tuple[str, ...]
    picks: tuple[Pick, ...]
    where: Term | None
    result: tuple[Term, ...] | Term
    at_least: Term | None = None
    at_most: Term | None = None
    number: int = 1
    score: Term | None = None
    alike: bool = False

    @property
    def become(self) -> tuple[Term, ...]:
        """The heaps that replace the chosen heaps, one term for each. Only valid if their number is constant."""
        assert isinstance(self.result, tuple), "the number of heaps that this move leaves varies"
        return self.result

    def may_leave(self, heaps: int) -> bool:
        """Return whether the move may replace the chosen heaps by `heaps` heaps or more, as far as its form shows."""
        return not isinstance(self.result, tuple) or len(self.result) >= heaps

    def tell_unusual(self, ruleset: str) -> str:
        """Return a description of an unusual move; "" for a usual one. Only the search case by case supports it.

        `ruleset`: the id of the ruleset, for the description.
        """
        if not isinstance(self.result, tuple):
            return f"a move of {ruleset} leaves a number of heaps that varies"
        return f"a move of {ruleset} picks the same numbers for several heaps" if self.alike else ""


@dataclass(frozen=True, eq=False)
class Ruleset:
    """The rules of a game, read from a ruleset file.

    `players`: the names of the players; () if the number of players is the value of the parameter `player_count`.
    `player_count`: "" if the players have names.
    `measure`: the term for a number that every move decreases. None means the total number of objects, or, if
    `ending.endless`, that there is no such number. If the file states no measure, every move chooses one heap, and some
    move only splits its heap or leaves a number of heaps that varies, the measure is twice the total number of objects
    minus the number of heaps.
    `impartial`: whether no move mentions the mover, not even in its `score`, and the ending does not name a winner.
    `sees_position`: whether a `where`, a pick or a `become` mentions the complete position `s`, not only the chosen
    heaps. A `score` may mention `s`.
    `heap`: the parts of a heap; None if heaps are numbers.
    `definitions`: the definitions that claims about the game may use: those that mention only their own parameters.
    """

    id: str
    title: str
    players: tuple[str, ...]
    player_count: str
    parameters: tuple[Parameter, ...]
    ending: Ending
    moves: tuple[Move, ...]
    measure: Term | None
    impartial: bool
    sees_position: bool
    notes: str
    source: SourceFile
    heap: HeapShape | None = None
    definitions: Mapping[str, Definition] = field(default_factory=dict)

    @property
    def facts(self) -> GameFacts:
        heap = None if self.heap is None else self.heap.type
        end, prefers = self.ending, self.ending.prefer is not None
        normal = end.stuck == "loses" and not prefers and not end.endless
        return GameFacts(
            self.id, self.players, self.impartial, normal, heap, prefers, end.endless, self.scored, end.drawn
        )

    @property
    def scored(self) -> bool:
        """Whether moves give points to the mover. Either all kinds of moves have a `score`, or none."""
        return all(move.score is not None for move in self.moves)

    @property
    def unusual(self) -> str:
        """A description of an unusual ending or move of the ruleset; "" if all are usual."""
        return self.unusual_ending or next(filter(None, (move.tell_unusual(self.id) for move in self.moves)), "")

    @property
    def unusual_ending(self) -> str:
        """A description of the unusual ending of the ruleset, or "" if the ending is usual."""
        return self.ending.tell_unusual(self.id)

    @property
    def stuck_wins(self) -> bool:
        """Whether a mover without a move wins. Only valid for rulesets with a usual ending."""
        assert not self.unusual_ending, self.unusual_ending
        return self.ending.stuck == "wins"

    @property
    def single_heap(self) -> bool:
        """Whether every move replaces one heap by one smaller heap, and its expressions mention no other heap.

        The choice of a largest or smallest heap is allowed. The property is false for a ruleset with a measure or an
        unusual ending. The engines that process many positions as the bits of one number require this property.
        """
        return (
            not self.sees_position
            and self.measure is None
            and not self.unusual
            and all(
                m.choose in ("any", "largest", "smallest") and len(m.heaps) == 1 and len(m.become) == 1
                for m in self.moves
            )
        )


def load_ruleset(path: Path, read: Read = read) -> Ruleset:
    """Return the ruleset in the file at `path`. Raises ClaimError. `read`: a function that reads TOML files."""
    source = read(path)
    top = TomlTable(source, (), source.data)
    if "claim" in source.data:
        raise source.fault(("claim",), "this is a claim file", "a ruleset file, with [[moves]]")
    top.format(FORMAT)
    top.reject_unknown_keys(*KEYS)
    title = attempt(lambda: top.optional_text("title"), "") or path.stem
    parameters = read_parameters(top)
    players, player_count = attempt(lambda: read_players(top, parameters), ((), ""))
    if not (players or player_count):
        mark_unreadable(ANYTHING)
    notes = attempt(lambda: top.optional_text("notes"), "")
    definitions = attempt(lambda: _read_definitions(top, parameters, players), dict[str, Definition](), ANYTHING)
    reader = _MoveReader(source, parameters, players, definitions)
    lists, numbers = ([p.name for p in parameters if p.kind == kind] for kind in ("list", "int"))
    reader.shape = heap = attempt(partial(read_shape, top, reader.term, lists, numbers), None)
    reader.heap = None if heap is None else heap.type
    tables = attempt(lambda: top.tables("moves"), list[TomlTable]())
    moves = [attempt(partial(reader.move, i, table), None) for i, table in enumerate(tables)]
    _require_scores(tables)
    used = set(reader.used)
    measure = attempt(lambda: _measure(top, reader, moves), None)
    names = {*players, *(p.name for p in parameters), *definitions}
    read_end = partial(read_ending, top, reader.term, PLAYER if players else INT, reader.heap, players, names)
    ending = attempt(read_end, Ending(""))
    reader.check_uncalled()
    conclude()
    return Ruleset(
        id=path.stem,
        title=title,
        players=players,
        player_count=player_count,
        parameters=parameters,
        ending=ending,
        moves=tuple(move for move in moves if move is not None),
        measure=measure,
        impartial="mover" not in used and ending.winner is None,
        sees_position="s" in used,
        notes=" ".join(notes.split()),
        source=source,
        heap=heap,
        definitions=_offer_definitions(source, definitions, parameters),
    )


def _read_definitions(top: TomlTable, parameters: Sequence[Parameter], players: Sequence[str]) -> dict[str, Definition]:
    found = read_table(top.source, top.optional_table("define"), ())
    taken = {*EVERYWHERE, *(p.name for p in parameters), *players}
    for name, definition in found.items():
        if name in taken:
            report_fault(top.source.key_fault(definition.where, f"the name {name!r} is taken", "another name"))
    return found


def _offer_definitions(
    source: SourceFile, definitions: Mapping[str, Definition], parameters: Sequence[Parameter]
) -> dict[str, Definition]:
    closed = select_closed(definitions, {*EVERYWHERE, *(p.name for p in parameters)})
    return {name: replace(x, where=(source.name, *x.where)) for name, x in closed.items()}


def _require_scores(tables: Sequence[TomlTable]) -> None:
    """Report each table of a move without `score`, if another table has this key.

    A fault is raised as ClaimError, or collected if a `FaultCollector` is in use.
    """
    missing = [table for table in tables if "score" not in table.data]
    for table in missing if len(missing) < len(tables) else ():
        problem = "this kind of move has no score, but another kind has one"
        report_fault(table.source.fault(table.keys, problem, 'the points of the move, such as score = "0"'))


def _measure(top: TomlTable, reader: _MoveReader, moves: Sequence[Move | None]) -> Term | None:
    if top.data.get("measure") == NONE:
        return None
    if "measure" in top.data:
        names = {"s": position_of(reader.heap)}
        return reader.term(("measure",), top.text("measure", "an expression in quotes"), INT, names)
    if reader.shape is not None:
        raise reader.shape.miss_measure(top.source)
    known = [move for move in moves if move is not None]
    single = all(len(m.heaps) == 1 and m.choose != "each" for m in known)
    if single and any(not isinstance(m.result, tuple) or is_split_only(m.heaps, m.result) for m in known):
        return reader.term(("moves",), "2 * sum(s) - len(s)", INT, {"s": POSITION})
    return None


class _MoveReader:
    """A parser of the expressions of a ruleset.

    `used`: the names that occur in the expressions read so far. The `s` of a `score` does not count.
    `called`: the definitions that these expressions call.
    """

    def __init__(
        self,
        source: SourceFile,
        parameters: tuple[Parameter, ...],
        players: tuple[str, ...],
        definitions: Mapping[str, Definition],
    ) -> None:
        self.source, self.players, self.used, self.definitions = source, players, set[str](), definitions
        self.shape: HeapShape | None = None
        self.heap: Type | None = None  # of the shape
        self.parameters: dict[str, Type] = {p.name: p.type for p in parameters}
        self.called = set[str]()

    def term(self, keys: Keys, text: str, kind: Type | None, names: dict[str, Type], offset: int = 0) -> Term:
        """Return the term of `text`, which begins at `offset` of the value under `keys`.

        The expression may use the ruleset's parameters and `names`. Definitions are expanded in the term. Raises
        ClaimError if the text is invalid, or if `kind` is not None and the term does not have this type.
        """
        elaborator = self._make_elaborator(self.parameters | names)
        try:
            term = substitute(elaborator.term(text, kind), {}) if self.definitions else elaborator.term(text, kind)
        except TooLong as error:
            raise self.source.fault(keys, str(error), "shorter definitions") from None
        except LanguageError as error:
            error.shift(offset)
            if isinstance(error, UnknownName) and is_unreadable(error.name):
                raise FollowOnFault(self.source.place(keys), error.message) from None
            raise self.source.language_fault(keys, error) from None
        self.used |= elaborator.used
        self.called |= elaborator.called
        return term

    def _make_elaborator(self, variables: Mapping[str, Type]) -> Elaborator:
        without_game = "an expression without questions such as wins(s), because rules cannot depend on who wins"
        visible = {*self.parameters, *EVERYWHERE}
        found = Elaborator(variables, {}, self.definitions, without_game, heap=self.heap, visible=visible)
        found.constants |= {name: (PLAYER, i) for i, name in enumerate(self.players)}
        return found

    def check_uncalled(self) -> None:
        """Report unknown names in those definitions of the ruleset that none of its expressions calls.

        A fault is raised as ClaimError, or collected if a `FaultCollector` is in use. Call this method last.
        """
        elaborator = self._make_elaborator(dict.fromkeys((*self.parameters, *EVERYWHERE), INT))
        for name, found in self.definitions.items():
            for error in elaborator.list_unknown(found.tree, found.parameters) if name not in self.called else ():
                report_fault(self.source.language_fault(found.where, error))

    def move(self, number: int, table: TomlTable) -> Move:
        at: Keys = ("moves", number)
        table.reject_unknown_keys(*MOVE_KEYS)
        names = {"mover": PLAYER if self.players else INT, "s": position_of(self.heap)}
        nothing = ("any", tuple[str, ...](), None, None, False)
        read_choice = lambda: self._choice(at, table.text("choose", _CHOICE_HELP), names)  # noqa: E731 - one line
        choose, heaps, low, high, alike = attempt(read_choice, nothing)
        if not heaps:
            mark_unreadable(ANYTHING)  # the names of the heaps are unknown
        for heap in heaps:
            if not self._is_free(heap, names):
                raise self.source.fault((*at, "choose"), f"the name {heap!r} is taken", "a new name for the heap")
            names[heap] = self.heap or INT
        picks = []
        for name, text in attempt(lambda: table.optional_table("pick"), {}).items():
            pick = attempt(partial(self._read_pick, (*at, "pick", name), name, text, names), None, name)
            if pick is not None:
                picks.append(pick)
                names[name] = pick.type
        where = attempt(lambda: self._read_where((*at, "where"), table, names), None)
        nowhere: tuple[Term, ...] | Term = ()
        become = attempt(lambda: self._become((*at, "become"), table, heaps, names), nowhere)
        score = attempt(lambda: self._read_score((*at, "score"), table, names), None)
        return Move(choose, heaps, tuple(picks), where, become, low, high, number + 1, score, alike)

    def _become(
        self, keys: Keys, table: TomlTable, heaps: tuple[str, ...], names: dict[str, Type]
    ) -> tuple[Term, ...] | Term:
        """Return the terms in the line `become` of a move: the sizes of the new heaps, or the new heaps with parts.

        If the line is an expression for a list, return the term of this list. Raises ClaimError.
        """
        if isinstance(text := table.require("become"), str) and text.strip():
            return self._read_list(keys, text, names)
        if self.shape is None:
            texts = table.texts(
                "become",
                f"a list of sizes in quotes, one for each heap that is left, {_SIZES}",
            )
            read_size = partial(self.term, kind=INT, names=names)
            made = [attempt(partial(read_size, (*keys, i), text), None) for i, text in enumerate(texts)]
        else:
            read, heap = partial(self.term, names=names), heaps[0] if heaps else ""
            changes = self.shape.list_changes(self.source, keys, table.require("become"), heap, read)
            made = [attempt(read_change, None) for read_change in changes]
        return tuple(term for term in made if term is not None)

    def _read_list(self, keys: Keys, text: str, names: dict[str, Type]) -> tuple[Term, ...] | Term:
        """Return the term of an expression for the list of the new heaps.

        If the expression contains the elements one by one, return the terms of the elements. Raises ClaimError.
        """
        term = self.term(keys, text, None, names)
        if isinstance(term, Collection) and term.type.kind == "list" and not term.items:
            return ()
        if term.type != list_of(self.heap or INT):
            of, such = ("sizes", _SIZES) if self.heap is None else ("heaps", _HEAPS)
            problem = f"this is {describe_type(term.type)}, not a list of {of}"
            raise self.source.fault(keys, problem, f"a list of {of}, {such}", (term.start, term.end))
        return term.items if isinstance(term, Collection) else term

    def _read_where(self, keys: Keys, table: TomlTable, names: dict[str, Type]) -> Term | None:
        if "where" not in table.data:
            return None
        return self.term(keys, table.text("where", "a condition in quotes"), BOOL, names)

    def _read_score(self, keys: Keys, table: TomlTable, names: dict[str, Type]) -> Term | None:
        if "score" not in table.data:
            return None
        used = set(self.used)
        term = self.term(keys, table.text("score", 'the points of the move in quotes, such as "m"'), INT, names)
        self.used = used | self.used & {"mover"}  # points do not change which moves are legal, so `s` is not counted
        return term

    def _read_pick(self, keys: Keys, name: str, text: object, names: dict[str, Type]) -> Pick:
        if not self._is_free(name, names):
            problem = "is taken" if is_name(name) else "cannot be used"
            raise self.source.key_fault(keys, f"the name {name!r} {problem}", "a new name for the number picked")
        if not isinstance(text, str):
            raise self.source.fault(
                keys, f"{format_value(text)} is not a domain", 'a range or a set in quotes, such as "1..h"'
            )
        return Pick(name, self._pick(keys, text, names))

    def _is_free(self, name: str, names: dict[str, Type]) -> bool:
        return is_name(name) and name not in names and name not in self.parameters and name not in self.players

    def _choice(
        self, at: Keys, text: str, names: dict[str, Type]
    ) -> tuple[str, tuple[str, ...], Term | None, Term | None, bool]:
        keys = (*at, "choose")
        for pattern, kind in _CHOICES:
            match = pattern.fullmatch(text)
            if not match:
                continue
            if kind == "any":
                return "any", (match[1],), None, None, False
            if kind == "extreme":
                return match[1], (match[2],), None, None, False
            if kind == "tuple":
                return "any", self._tuple(keys, match[1], match[2], match.span(2)), None, None, False
            low, high = self._counts(keys, match[1], match.start(1), names)
            return "each", (match[2],), low, high, match[3] is not None
        words = text.split()
        known = ("any", "a", "an", "each")
        near = find_closest(words[0], known) if words[0] not in known else ""
        raise self.source.fault(keys, f"{format_value(text)} does not choose heaps", _CHOICE_HELP, near=near)

    def _tuple(self, keys: Keys, word: str, text: str, span: tuple[int, int]) -> tuple[str, ...]:
        heaps = tuple(h.strip() for h in text.split(","))
        if len(heaps) != _COUNTS[word] or len(set(heaps)) != len(heaps):
            example = ", ".join("ghij"[: _COUNTS[word]])
            problem = f"{word} heaps need {word} different names"
            raise self.source.fault(keys, problem, f'different names, as in "any {word} heaps {example}"', span)
        return heaps

    def _counts(self, keys: Keys, text: str, offset: int, names: dict[str, Type]) -> tuple[Term, Term]:
        """Return the terms a and b of a move that chooses "each of a..b heaps h". Raises ClaimError.

        `text`: the range "a..b", which begins at `offset` of the value under `keys`.
        """
        sides = split_range(text)
        if sides is None or not sides[0] or not sides[1]:
            span = (offset, offset + len(text))
            expected = 'a range, as in "each of 1..w heaps h"'
            raise self.source.fault(keys, f"{text!r} is not a range for the number of heaps", expected, span)
        second = text.index(sides[1], text.index("..", len(sides[0])) + 2)
        return (
            self.term(keys, sides[0], INT, names, offset + text.index(sides[0])),
            self.term(keys, sides[1], INT, names, offset + second),
        )

    def _pick(self, keys: Keys, text: str, names: dict[str, Type]) -> IntervalDomain | Term:
        if self.shape is not None and (bounds := split_list_range(text)):
            low, high = (self.term(keys, bound, list_of(INT), names) for bound in bounds)
            return IntervalDomain(low, high)
        sides = split_range(text)
        if sides is None:
            term = self.term(keys, text, None, names)
            if items_of(term.type) != INT:
                problem = f"this is {describe_type(term.type)}, which does not contain numbers to pick"
                raise self.source.fault(
                    keys, problem, 'a range "a..b", or a set or list of Int', (term.start, term.end)
                )
            return term
        for side, word in zip(sides, ("lower", "upper"), strict=True):
            if not side:
                problem = f"{text!r} has no {word} bound"
                raise self.source.fault(keys, problem, _BOTH_BOUNDS)
        first = text.index(sides[0])
        second = text.index(sides[1], text.index("..", first + len(sides[0])) + 2)
        return IntervalDomain(
            self.term(keys, sides[0], INT, names, first), self.term(keys, sides[1], INT, names, second)
        )
