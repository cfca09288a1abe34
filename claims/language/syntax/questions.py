"""The questions that a claim asks about a game, such as options(s, mover), wins(s, mover) and grundy(s)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from claims.language.errors import LanguageError, find_closest, format_count, join_words
from claims.language.syntax import terms as t
from claims.language.syntax.grammar import Call, Name, Node
from claims.language.syntax.notation import (
    Binding,
    MarkupFragment,
    Typesetter,
    Words,
    make_element,
    mi,
    mo,
    mrow,
    separate,
    subscript,
    tell,
)
from claims.language.syntax.terms import BOOL, GAME, INT, OUTCOME, PLAYER, POSITION, RATIONAL, Type, position_of, set_of

# == asking ===========================================================================================================
# The notation of questions about games: "P2 wins at s", Opt(s), s → t.
TypesetCall = Callable[[Typesetter, tuple[t.Term, ...], str], MarkupFragment]
"""(typesetter, arguments in the file, the game if there are several) -> markup."""
B = Binding
_WITH_MOVER = 2  # the position and the mover


@dataclass(frozen=True)
class GameNotation:
    """The typeset notation of a question about a game, such as "P2 wins at s" for wins(s, P2).

    `says`: the notation of the question itself.
    `denies`: the notation of its negation, such as "P2 loses at s"; None for a question that is not a condition.
    `denies_with_draws`: the notation of its negation in a game with draws, such as "P2 does not win at s"; None if it
    is the same as `denies`.
    """

    says: TypesetCall
    denies: TypesetCall | None = None
    denies_with_draws: TypesetCall | None = None


def tell_winner(verb: str) -> TypesetCall:
    """Return the notation "P2 VERB at s", such as "P2 wins at s"; "the mover VERB at s" if the file omits the mover."""

    def typeset(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        who = by.show(args[1], B.SUM) if len(args) == _WITH_MOVER else Words("the mover")
        return tell(who, Words(f" {verb} at "), by.show(args[0], B.SUM), *name_game(game))

    return typeset


def tell_state(words: str) -> TypesetCall:
    """Return the notation "s WORDS", such as "s is terminal"; "s is terminal for P2" if the file names the mover."""

    def typeset(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        mover = (Words(" for "), by.show(args[1], B.SUM)) if len(args) == _WITH_MOVER else ()
        return tell(by.show(args[0], B.SUM), Words(f" {words}"), *mover, *name_game(game))

    return typeset


def name_game(game: str) -> tuple[Words | str, ...]:
    """Return the words " in G" for the markup `game` of a name G; () if `game` is ""."""
    return (Words(" in "), game) if game else ()


def draw_move(arrow: str) -> TypesetCall:
    """Return the notation `s → t` with this arrow. The game and the mover, if given, are above the arrow."""

    def typeset(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        s, to, *mover = args
        above = separate([x for x in (game, *(by.show(m) for m in mover)) if x])
        sign = make_element("mover", mo(arrow, 'stretchy="true"') + mrow(above)) if above else mo(arrow)
        return MarkupFragment(mrow(by.show(s, B.SUM), sign, by.show(to, B.SUM)), B.RELATION)

    return typeset


def call(name: str, attributes: str = "") -> TypesetCall:
    """Return the notation of a question as a call, such as `𝒢(s)`. Game and mover, if given, are subscripts.

    A position that is written with its heaps is shown without further parentheses: `𝒢(3, 5)`.

    `attributes`: MathML attributes of the name.
    """

    def typeset(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        s, *mover = args
        below = separate([x for x in (game, *(by.show(m) for m in mover)) if x])
        head = subscript(mi(name, attributes), mrow(below)) if below else mi(name, attributes)
        return MarkupFragment(_apply(head, s, by))

    return typeset


def _apply(head: str, s: t.Term, by: Typesetter) -> str:
    """Return the markup of a function of a position, such as `𝒢(s)` or `𝒢(3, 5)`. `head`: the function as MathML."""
    heaps = s.args[0] if isinstance(s, t.Operation) and s.op == "position" else None
    bare = (isinstance(heaps, t.Collection) and heaps.items) or isinstance(heaps, t.Comprehension)
    return mrow(head, by.show(s)) if bare else by.show_call(head, (s,))


def compare(sign: str) -> TypesetCall:
    """Return the notation `s ≤ t` with this sign. The game, if given, is a subscript of the sign."""

    def typeset(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        s, other = args
        between = subscript(mo(sign), mrow(game)) if game else mo(sign)
        return MarkupFragment(mrow(by.show(s, B.SUM), between, by.show(other, B.SUM)), B.RELATION)

    return typeset


def relate(words: str) -> TypesetCall:
    """Return the notation "s WORDS t", such as "s equals t"."""

    def typeset(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        s, other = args
        return tell(by.show(s, B.SUM), Words(f" {words} "), by.show(other, B.SUM), *name_game(game))

    return typeset


def show_as_game(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
    """Return the notation `G(s)` for a position s of the game G; `game(s)` if the claim is about one game."""
    return MarkupFragment(_apply(game or mi("game"), args[0], by))


OPTIONS = GameNotation(call("Opt"))
LEGAL = GameNotation(draw_move("→"), draw_move("↛"))
TERMINAL = GameNotation(tell_state("is terminal"), tell_state("is not terminal"))
WINS = GameNotation(tell_winner("wins"), tell_winner("loses"), tell_winner("does not win"))
DRAWS = GameNotation(tell_winner("draws"), tell_winner("does not draw"), tell_winner("does not draw"))
VALUE = GameNotation(call("value"))
GRUNDY = GameNotation(call("𝒢", 'mathvariant="normal"'))
ASKED_OUTCOME = GameNotation(call("outcome"))
REMOTENESS = GameNotation(call("remoteness"))
SUSPENSE = GameNotation(call("suspense"))
SCORE = GameNotation(call("score"))
AS_GAME = GameNotation(show_as_game)
LE = GameNotation(compare("≤"), compare("≰"))
EQUALS = GameNotation(relate("equals"), relate("does not equal"))
NUMBER = GameNotation(call("number"))
MEAN = GameNotation(call("mean"))
TEMPERATURE = GameNotation(call("temperature"))
LEFT_STOP = GameNotation(call("left stop"))
RIGHT_STOP = GameNotation(call("right stop"))
BIRTHDAY = GameNotation(call("birthday"))
COOL = GameNotation(call("cool"))
HEAT = GameNotation(call("heat"))
OVERHEAT = GameNotation(call("overheat"))
ATOMIC_WEIGHT = GameNotation(call("atomic weight"))


# == questions ========================================================================================================
# The questions that a claim may ask about a game: options(s, mover), wins(s, mover), grundy(s), ...
#
# The table has the types of each question and the rulesets to which it applies. `checks.referee` answers them.
@dataclass(frozen=True)
class GameFacts:
    """The facts about a ruleset that determine which questions a claim may ask about the game, and their types.

    `ruleset`: the id of the ruleset.
    `players`: the names; () if the number of players is a parameter. Players are then the integers 0, 1, ...
    `normal`: whether play always ends, a mover without a legal move loses, and the players have no preferences.
    `heap`: the type of heaps with parts; None if heaps are numbers.
    `prefers`: whether the ruleset states which winners a player prefers, by the key `prefer`.
    `endless`: whether the game is loopy, that is, play may be infinite.
    `drawn`: whether play may end in a draw.
    `scored`: whether the moves have points.
    """

    ruleset: str
    players: tuple[str, ...]
    impartial: bool
    normal: bool
    heap: Type | None = None
    prefers: bool = False
    endless: bool = False
    scored: bool = False
    drawn: bool = False

    @property
    def may_draw(self) -> bool:
        """Whether a position may be a draw."""
        return self.endless or self.drawn

    @property
    def mover(self) -> Type:
        return PLAYER if self.players else INT

    def suit(self, kind: Type) -> Type:
        """Return the type `kind` for this game: Position becomes the type of positions with the heaps of this game.

        The same applies to a set of positions. Other types do not change.
        """
        position = position_of(self.heap)
        return position if kind == POSITION else set_of(position) if kind == set_of(POSITION) else kind


class GameRequirement(Enum):
    """The properties that a ruleset must have so that a certain question has an answer."""

    MOVES = auto()  # none
    OFFSETS = auto()  # play always ends with a winner
    WINNER = auto()  # two players, who both prefer to win
    DRAWS = auto()  # two players, and a position may be a draw
    END = auto()  # two players, who both prefer to win, and play always ends with a winner
    LENGTH = auto()  # as END; computed case by case
    SCORE = auto()  # two players, play always ends, and moves have points; computed case by case
    GRUNDY = auto()  # normal play with two players
    WORTH = auto()  # normal play with two players; values are computed case by case


@dataclass(frozen=True)
class GameFunction:
    """A question that a claim may ask about a game, such as wins(s, mover) or grundy(s).

    `head`: the call with the names of its arguments, such as "wins(s, mover)".
    `parameters`: the types of the arguments except the mover.
    `mover`: whether the question has the mover as its last argument.
    `result`: the type of the answer.
    `meaning`: the documentation of the question.
    `shown`: the typeset notation.
    `needs`: the properties that the ruleset must have.
    `compares`: whether a question about one game accepts a game in quotes, or the result of a question of type Game,
    instead of each position.
    `of_games`: whether each position may also be a term of type Game, such as a sum of games. The question is then
    not about a single game.
    """

    head: str
    parameters: tuple[Type, ...]
    mover: bool
    result: Type
    meaning: str
    shown: GameNotation
    needs: GameRequirement = GameRequirement.MOVES
    compares: bool = False
    of_games: bool = False


QUESTIONS: dict[str, GameFunction] = {
    "options": GameFunction(
        "options(s, mover)",
        (POSITION,),
        True,
        set_of(POSITION),
        "the positions that one legal move of the mover leads to",
        shown=OPTIONS,
    ),
    "legal": GameFunction(
        "legal(s, t, mover)", (POSITION, POSITION), True, BOOL, "`t` is one of `options(s, mover)`", shown=LEGAL
    ),
    "terminal": GameFunction(
        "terminal(s, mover)", (POSITION,), True, BOOL, "the mover has no legal move", shown=TERMINAL
    ),
    "wins": GameFunction(
        "wins(s, mover)",
        (POSITION,),
        True,
        BOOL,
        "two players: the mover can force a win",
        shown=WINS,
        needs=GameRequirement.WINNER,
        of_games=True,
    ),
    "draws": GameFunction(
        "draws(s, mover)",
        (POSITION,),
        True,
        BOOL,
        "two players, in a loopy game or a game with drawn endings: neither player can force a win",
        DRAWS,
        GameRequirement.DRAWS,
    ),
    "value": GameFunction(
        "value(s, mover)",
        (POSITION,),
        True,
        INT,
        "the winner, counted in turns from the mover (0 is the mover), if each player prefers a winner whose turn "
        "comes sooner",
        shown=VALUE,
        needs=GameRequirement.OFFSETS,
    ),
    "grundy": GameFunction(
        "grundy(s)",
        (POSITION,),
        False,
        INT,
        "two players, normal play: the Grundy value; ill-defined if the players' options differ at `s` or at one of "
        "its followers",
        shown=GRUNDY,
        needs=GameRequirement.GRUNDY,
        of_games=True,
    ),
    "outcome": GameFunction(
        "outcome(s)",
        (POSITION,),
        False,
        OUTCOME,
        "two players: `P_position` (the previous player wins), `N_position` (the next), `first_wins` (the ruleset's "
        "first player, no matter who moves), `second_wins`",
        shown=ASKED_OUTCOME,
        needs=GameRequirement.END,
        of_games=True,
    ),
    "remoteness": GameFunction(
        "remoteness(s, mover)",
        (POSITION,),
        True,
        INT,
        "two players: the number of moves until play ends, if the player who can force a win wins as soon as possible "
        "and the opponent delays the end as long as possible",
        REMOTENESS,
        GameRequirement.LENGTH,
    ),
    "suspense": GameFunction(
        "suspense(s, mover)",
        (POSITION,),
        True,
        INT,
        "two players: the number of moves until play ends, if the player who can force a win wins as late as possible "
        "and the opponent loses as soon as possible",
        SUSPENSE,
        GameRequirement.LENGTH,
    ),
    "score": GameFunction(
        "score(s, mover)",
        (POSITION,),
        True,
        INT,
        "two players, moves with a `score`: the points of the mover minus the points of the opponent, from `s` to the "
        "end of play, if each player makes their own lead as large as possible",
        SCORE,
        GameRequirement.SCORE,
    ),
    "game": GameFunction(
        "game(s)",
        (POSITION,),
        False,
        GAME,
        "two players, normal play: the position s as a game that can be added to other games, such as positions of "
        "another ruleset",
        AS_GAME,
        GameRequirement.WORTH,
    ),
    "le": GameFunction(
        "le(s, t)",
        (POSITION, POSITION),
        False,
        BOOL,
        "two players, normal play: s <= t as games of Left, the ruleset's first player; that is, Left wins `t - s` "
        "when Right moves first. Instead of s or t, write a game in quotes",
        LE,
        GameRequirement.WORTH,
        compares=True,
        of_games=True,
    ),
    "equals": GameFunction(
        "equals(s, t)",
        (POSITION, POSITION),
        False,
        BOOL,
        "two players, normal play: s = t as games; that is, the player who moves first in `s - t` loses. Instead of s "
        "or t, write a game in quotes, as in `equals(s, '^*')`",
        EQUALS,
        GameRequirement.WORTH,
        compares=True,
        of_games=True,
    ),
    "number": GameFunction(
        "number(s)",
        (POSITION,),
        False,
        RATIONAL,
        "two players, normal play: the number that the position equals, from Left's side; ill-defined if it is not a "
        "number",
        NUMBER,
        GameRequirement.WORTH,
        of_games=True,
    ),
    "mean": GameFunction(
        "mean(s)",
        (POSITION,),
        False,
        RATIONAL,
        "two players, normal play: the mean value (the value at the mast of its thermograph)",
        MEAN,
        GameRequirement.WORTH,
        of_games=True,
    ),
    "temperature": GameFunction(
        "temperature(s)",
        (POSITION,),
        False,
        RATIONAL,
        "two players, normal play: the temperature; it is -1/d for a number with denominator d, and at least 0 for "
        "every other position",
        TEMPERATURE,
        GameRequirement.WORTH,
        of_games=True,
    ),
    "left_stop": GameFunction(
        "left_stop(s)",
        (POSITION,),
        False,
        RATIONAL,
        "two players, normal play: the number that play reaches first if Left, the ruleset's first player, moves first "
        "and each player wants the better number",
        LEFT_STOP,
        GameRequirement.WORTH,
        of_games=True,
    ),
    "right_stop": GameFunction(
        "right_stop(s)",
        (POSITION,),
        False,
        RATIONAL,
        "two players, normal play: as `left_stop(s)`, but Right, the second player, moves first",
        RIGHT_STOP,
        GameRequirement.WORTH,
        of_games=True,
    ),
    "birthday": GameFunction(
        "birthday(s)",
        (POSITION,),
        False,
        INT,
        "two players, normal play: the number of moves in the longest play of the canonical form, if the players may "
        "move in any order",
        BIRTHDAY,
        GameRequirement.WORTH,
        of_games=True,
    ),
    "cool": GameFunction(
        "cool(s, t)",
        (POSITION, RATIONAL),
        False,
        GAME,
        "two players, normal play: the game s cooled by t, so that each move costs t; ill-defined if t is negative or "
        "its denominator is not a power of two",
        COOL,
        GameRequirement.WORTH,
        compares=True,
        of_games=True,
    ),
    "heat": GameFunction(
        "heat(s, t)",
        (POSITION, GAME),
        False,
        GAME,
        "two players, normal play: the game s heated by t, so that each move gains t; t is a number or a game in "
        "quotes; ill-defined if t is a negative number, or a fraction whose denominator is not a power of two",
        HEAT,
        GameRequirement.WORTH,
        compares=True,
        of_games=True,
    ),
    "overheat": GameFunction(
        "overheat(s, x, t)",
        (POSITION, GAME, GAME),
        False,
        GAME,
        "two players, normal play: the game s overheated from x to t; x and t are numbers or games in quotes; "
        "ill-defined if x or t is a fraction whose denominator is not a power of two",
        OVERHEAT,
        GameRequirement.WORTH,
        compares=True,
        of_games=True,
    ),
    "atomic_weight": GameFunction(
        "atomic_weight(s)",
        (POSITION,),
        False,
        GAME,
        "two players, normal play: the atomic weight, the number of ups that s is worth; ill-defined if the canonical "
        "form is not all-small",
        ATOMIC_WEIGHT,
        GameRequirement.WORTH,
        compares=True,
        of_games=True,
    ),
}

TAKEN = (
    "options",
    "legal",
    "terminal",
    "wins",
    "draws",
    "value",
    "grundy",
    "outcome",
    "le",
    "number",
    "mean",
    "temperature",
)
"""The names of questions that definitions cannot have. Files may be older than the other questions."""

_SLOW = (GameRequirement.WORTH, GameRequirement.DRAWS, GameRequirement.LENGTH, GameRequirement.SCORE)
CASE_BY_CASE = frozenset(name for name, question in QUESTIONS.items() if question.needs in _SLOW)
"""The names of the questions that are answered for one case at a time, never for many cases at once."""


def find_game(function: Name, games: Mapping[str, GameFacts], without_game: str) -> str:
    """Return the name of the game that a question is about: the only game, or the game named as in `normal.wins(s)`.

    Raises LanguageError if the claim has no game, if the name is unknown, or if it is missing although the claim has
    several games.

    `without_game`: the text after "expected:" in the error if the claim has no game.
    """
    prefix, name, names = function.game, function.name, list(games)
    if prefix in games:
        return prefix
    if len(names) == 1 and not prefix:
        return names[0]
    if not names:
        problem, expected = f"{name} needs a game, and none is declared", without_game
    elif prefix:
        problem, expected = f"no game is named {prefix!r}", f"one of {join_words(names)}"
    else:
        problem, expected = (
            f"{name} does not name its game",
            f"one of {join_words(names)}, as in {names[0]}.{name}(...)",
        )
    near = find_closest(prefix, names) if prefix else ""
    raise LanguageError(problem, expected, function.start, function.end, near)


def refuse_question(function: Name) -> LanguageError:
    problem, near = f"a game has no function {function.name!r}", find_closest(function.name, QUESTIONS)
    return LanguageError(problem, f"one of {join_words(QUESTIONS)}", function.start, function.end, near)


def find_parameters(node: Call, facts: GameFacts) -> tuple[tuple[Type, ...], bool]:
    """Return the types that the arguments of a question must have, and whether the question omits the mover.

    The mover may be omitted if the game is impartial. Raises LanguageError if the ruleset does not have the properties
    that the question requires, or if the number of arguments is wrong.
    """
    name, count = node.function.name, len(node.arguments)
    asked = QUESTIONS[name]
    if expected := _find_need(asked.needs, facts):
        raise LanguageError(f"{name} has no meaning for {facts.ruleset}", expected, node.start, node.end)
    left_out = asked.mover and facts.impartial and count <= len(asked.parameters)
    positions = tuple(map(facts.suit, asked.parameters))
    wanted = (*positions, facts.mover) if asked.mover and not left_out else positions
    if count != len(wanted):
        head, why = asked.head, ""
        if left_out:
            head = head.replace(", mover", "")
        elif asked.mover and count == len(wanted) - 1:
            why = f"; {facts.ruleset} is not impartial: name the mover"
        problem = f"{name} is called with {format_count(count, 'argument')}"
        raise LanguageError(problem, head + why, node.start, node.end)
    return wanted, left_out


def require_normal_play(node: Node, facts: GameFacts) -> None:
    """Raise LanguageError unless the positions of a ruleset are games that can be added: see `game` in QUESTIONS.

    `node`: the place of the error.
    """
    if expected := _find_need(GameRequirement.WORTH, facts):
        raise LanguageError(f"a position of {facts.ruleset} cannot be added", expected, node.start, node.end)


def _find_need(need: GameRequirement, facts: GameFacts) -> str:
    """Return a description of the rulesets that meet the requirement; "" if the ruleset of `facts` meets it."""
    if need is not GameRequirement.MOVES and need is not GameRequirement.OFFSETS and len(facts.players) != _TWO:
        return "a ruleset of two players; value(s) gives the winner among n players"
    if facts.endless and need not in _WITH_DRAWS:
        return "a ruleset whose play always ends; a loopy game has only wins(s, mover) and draws(s, mover)"
    if need is GameRequirement.DRAWS and not facts.may_draw:
        return 'a ruleset with draws: measure = "none", or an expression with `draws` for `stuck`'
    if facts.drawn and need not in (*_WITH_DRAWS, GameRequirement.SCORE):
        return "a ruleset without drawn endings; where play may end in a draw, ask wins(s, mover) or draws(s, mover)"
    if need is GameRequirement.SCORE:
        return "" if facts.scored else 'a ruleset whose moves have points: a line such as score = "m" in each [[moves]]'
    if facts.prefers and need not in (GameRequirement.MOVES, GameRequirement.OFFSETS):
        return "a ruleset without `prefer`; value(s) gives the winner if players have preferences"
    normal = facts.normal or need not in (GameRequirement.GRUNDY, GameRequirement.WORTH)
    return "" if normal else 'a ruleset under normal play, stuck = "loses"'


_TWO = 2
_WITH_DRAWS = (GameRequirement.MOVES, GameRequirement.WINNER, GameRequirement.DRAWS)
