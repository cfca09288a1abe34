"""Boards: games that the reader of a report plays on the web page, against the page.

On the board of a refuted claim, the reader defends the claim, and the page refutes it move by move. On the board of a
true claim, the reader plays a side that cannot win.

The sections of this module:
- *turns* finds, from the expressions of a claim, which player moves next;
- *layout* builds the board of a claim;
- *position* builds the board of a single position;
- *starts* chooses the position at which play begins.

The referee computes every position, move and truth value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice, product
from typing import NamedTuple

from checks.boards.positions import draw_heaps, find_positions, reach, solve_box
from checks.boards.question import GAME
from checks.boards.solver import PositionSolver
from checks.boards.words import Speaker, list_refusals, name_player, say_game
from checks.judgement.explain import show_position, write_value
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, as_elements, as_heaps, as_integer
from checks.referee.play import RefereeGame
from checks.results.shown import BoardPlace, PlayableClaim
from claims.language.errors import NimChecksError
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.files.rulesets import Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Position, Value, gather, join
from claims.language.syntax.printing import display
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, Term
from encoders.compute.arrays.beyond_scope import make_claim
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.order import list_heaps, weigh
from encoders.logic.answer import Case, CaseValue

# == turns ============================================================================================================
# A formula about moves as a game between a reader and a page.
#
# If an `any` over options is false, the reader may try every option, and none makes it true. If an `any` is true or an
# `all` is false, the page replies with the option that shows this. "The mover wins" is such a formula too: the next
# player loses at some option.
Env = Mapping[str, Value]

_WINS = {
    "P_position": (False, False),
    "N_position": (True, True),
    "first_wins": (True, False),
    "second_wins": (False, True),
}
"""For each outcome: whether the first and the second player win if they move first."""


@dataclass(frozen=True)
class FormulaTurn:
    """A goal of the page: show that `term` has the truth value `truth` if its variables have the values `env`."""

    term: t.Term
    truth: bool
    env: Env


@dataclass(frozen=True)
class OutcomeTurn:
    """A goal of the page about the winner: show that `mover` wins (`wins` is true) or loses (`wins` is false).

    The player `mover` moves first, from `position`.
    `drawn`: true if the position is a draw. The goal is then weaker: show only that the mover does
    not lose (`wins` is true), or does not win (`wins` is false).
    `asked`: the function that the claim calls at this position, "wins" or "draws".
    """

    game: RefereeGame
    position: Position
    mover: int
    wins: bool
    drawn: bool = False
    asked: str = "wins"


Goal = FormulaTurn | OutcomeTurn


@dataclass(frozen=True)
class BoardTurn:
    """A turn on a board: a move of `mover` from `position` to one of `options`.

    `free`: whether the reader chooses the option. Otherwise the page moves, and `options` has only one element.
    `follow`: the function that returns the goal of the page after the move to a given option.
    `aim`: the condition that, according to the claim, some option satisfies; None if the goal is about the winner.
    `running`: the name of the variable that stands for the option in `aim`.
    `goal`: the goal of the page at this turn if it is about the winner, else None.
    """

    game: RefereeGame
    position: Position
    mover: int
    free: bool
    options: tuple[Position, ...]
    follow: Callable[[Position], Goal]
    aim: FormulaTurn | None = None
    running: str = ""
    goal: OutcomeTurn | None = None


Read = tuple[tuple[str, ...], BoardTurn | None]
"""A pair: sentences that explain a goal, and the next turn. The turn is None if no move is needed to show the goal."""


class Turns:
    """The way in which the page proves statements about one claim to the reader, move by move.

    A *goal* is a statement that the page must show, such as "the mover loses from (1, 1)". A *turn* is the move that is
    needed next: a move of the reader, who may choose every option, or the reply of the page.
    """

    def __init__(self, speaker: Speaker) -> None:
        self.speaker, self.referee = speaker, speaker.referee

    def read(self, goal: Goal) -> Read:
        """Return sentences that explain the goal, and the next turn on the board.

        The turn is None if no move is needed, because the sentences suffice. Raises IllDefined and LimitReached.
        """
        if isinstance(goal, OutcomeTurn):
            return self._play(goal)
        env, truth = goal.env, goal.truth
        match goal.term:
            case t.AllOf(args=args):
                return self._read_parts(args, env, truth, decisive=False)
            case t.AnyOf(args=args):
                return self._read_parts(args, env, truth, decisive=True)
            case t.Operation(op="not", args=(inner,)):
                return self.read(FormulaTurn(inner, not truth, env))
            case t.IfElse(condition=c, then=x, other=y):
                return self.read(FormulaTurn(x if self._is_true(c, env) else y, truth, env))
            case t.Apply(function=f, args=args):
                given = zip(f.parameters, (self.referee.evaluate(x, env) for x in args), strict=True)
                return self.read(FormulaTurn(f.body, truth, {**env, **dict(given)}))
            case t.Operation(op="eq" | "ne", args=(x, y)) if x.type == BOOL:
                return self._join([self.read(FormulaTurn(side, self._is_true(side, env), env)) for side in (x, y)])
            case t.Operation(op="eq" | "ne", args=(t.GameCall(function="outcome") as call, t.Literal())) if call.game:
                return self._read_outcome(goal, call)
            case t.Comprehension(reducer="any" | "all") as term:
                return self._read_quantified(term, goal)
            case t.GameCall(function="wins", game=name, args=(s, mover)) if name:
                player = self._number(mover, env)
                return self._tell(self.referee.game(name, env), self._position(s, env), player, "wins")
            case t.GameCall(function="draws", game=name, args=(s, mover)):
                player = self._number(mover, env)
                return self._tell(self.referee.game(name, env), self._position(s, env), player, "draws")
        return (self.speaker.say(goal.term, env),), None

    def _is_true(self, term: t.Term, env: Env) -> bool:
        return bool(self.referee.evaluate(term, env))

    def _number(self, term: t.Term, env: Env) -> int:
        return as_integer(self.referee.evaluate(term, env))

    def _position(self, term: t.Term, env: Env) -> Position:
        return as_heaps(self.referee.evaluate(term, env))

    def _read_parts(self, args: tuple[t.Term, ...], env: Env, truth: bool, decisive: bool) -> Read:
        """Return the result of `read` for a goal about `and` (`decisive` is false) or `or` (`decisive` is true).

        `args`: the parts. A part with the truth value `decisive` decides the truth value of the term. If there is such
        a part, read only the first one. Otherwise read all parts.
        """
        if truth is decisive:
            return self.read(FormulaTurn(next(x for x in args if self._is_true(x, env) is decisive), decisive, env))
        return self._join([self.read(FormulaTurn(x, truth, env)) for x in args])

    def _join(self, parts: list[Read]) -> Read:
        """Combine several results of `read` into one: the sentences of the parts without a turn, and the first turn.

        A board can show only one turn, so later turns are omitted. So are the sentences of the parts with a turn.
        """
        facts = tuple(fact for found, turn in parts if turn is None for fact in found)
        return facts, next((turn for _, turn in parts if turn is not None), None)

    def _read_outcome(self, goal: FormulaTurn, call: t.GameCall) -> Read:
        game = self.referee.game(call.game, goal.env)
        found, s = self._number(call, goal.env), self._position(call.args[0], goal.env)
        first, other = is_so = _WINS[t.OUTCOMES[found]]
        if game.ruleset.impartial and first is other:
            return self.read(OutcomeTurn(game, s, 0, first))
        match goal.term:
            case t.Operation(op="eq", args=(_, t.Literal(value=claimed))) if (
                not goal.truth and not game.ruleset.impartial
            ):
                said = _WINS[t.OUTCOMES[claimed]]
                mover = min((i for i in (0, 1) if said[i] is not is_so[i]), key=lambda i: is_so[i])  # prefer the reader
                return self.read(OutcomeTurn(game, s, mover, is_so[mover]))
        return (self.speaker.say(goal.term, goal.env),), None

    def _tell(self, game: RefereeGame, s: Position, mover: int, asked: str) -> Read:
        """Return the result of `read` for the goal to show who wins from a position, or that it is a draw.

        For a draw, play shows that the mover does not win, and a sentence names a move with which the mover does not
        lose. `asked`: as in `OutcomeTurn`.
        """
        wins = game.wins(s, mover)
        if wins or game.loses(s, mover):
            return self.read(OutcomeTurn(game, s, mover, wins, asked=asked))
        facts, turn = self.read(OutcomeTurn(game, s, mover, wins=False, drawn=True, asked=asked))
        safe = next((o for o in game.options(s, mover) if not game.wins(o, (mover + 1) % game.players)), None)
        return facts if safe is None else (*facts, self.speaker.say_safe(game, mover, safe)), turn

    def _play(self, goal: OutcomeTurn) -> Read:
        game, following = goal.game, (goal.mover + 1) % goal.game.players
        options = game.options(goal.position, goal.mover)
        if not options:
            return (self.speaker.say_stuck(game, goal.position, goal.mover),), None
        drawn = goal.drawn
        if goal.wins:
            lost = [o for o in options if game.loses(o, following)]
            drawn = not lost
            if game.ruleset.ending.may_draw and lost:  # choose moves that lead to the end, not in a circle
                lost.sort(key=lambda o: game.labels.rank(o, following))
            options = (lost[0] if lost else next(o for o in options if not game.wins(o, following)),)
        follow = lambda o: OutcomeTurn(game, o, following, not goal.wins, drawn, goal.asked)  # noqa: E731 - one line
        return (), BoardTurn(game, goal.position, goal.mover, not goal.wins, options, follow, goal=goal)

    def _read_quantified(self, term: t.Comprehension, goal: FormulaTurn) -> Read:
        clause, wanted = term.clauses[0], term.reducer == "any"
        inner = _say_inner(term)
        items = as_elements(self.referee.evaluate(clause.source, goal.env))

        def follow(item: Value) -> FormulaTurn:
            return FormulaTurn(inner, goal.truth, {**goal.env, clause.variable: item})

        decided = goal.truth is wanted  # one item decides it
        if decided:
            items = (next(x for x in items if self._is_true(inner, follow(x).env) is wanted),)
        source = clause.source
        if not isinstance(source, t.GameCall) or source.function != "options":
            return self.read(follow(items[0])) if decided else ((self.speaker.say(term, goal.env),), None)
        game, mover = self.referee.game(source.game, goal.env), self._number(source.args[-1], goal.env)
        options = tuple(as_heaps(x) for x in items)
        position = self._position(source.args[0], goal.env)
        if not options:
            return (self.speaker.say_no_move(position, game, mover),), None
        aim = FormulaTurn(inner, not goal.truth, goal.env)
        return (), BoardTurn(game, position, mover, not decided, options, follow, aim, clause.variable)


def _say_inner(term: t.Comprehension) -> t.Term:
    """Return the condition that `any` or `all` tests for each value of its first variable.

    `any(A for x in X if B)` gives `B and A`; `all(A for x in X if B)` gives `not B or A`.
    """
    clause, at = term.clauses[0], (term.type, term.start, term.end)
    rest: t.Term = term.body
    if len(term.clauses) > 1:
        rest = t.Comprehension(*at, term.reducer, term.body, term.clauses[1:])
    if not clause.conditions:
        return rest
    if term.reducer == "any":
        return t.AllOf(*at, (*clause.conditions, rest))
    return t.AnyOf(*at, (*(t.Operation(*at, "not", (c,)) for c in clause.conditions), rest))


# == layout ===========================================================================================================
# The board of a claim at a case: all moves of the reader, and the replies of the page, until the end of the game.
STEPS = 400_000  # of the referee for one board: well under a second
MOST_PLACES = 120  # of one board; a larger board is left out


class TooMany(NimChecksError):
    """The board needs more than MOST_PLACES places."""


@dataclass(frozen=True)
class Start:
    """The start of play: a case of a claim, and the term whose truth value the page shows by play.

    `holds`: whether the claim holds at the case.
    `term`: the conclusion if the claim fails at the case; otherwise a call of `wins` in the conclusion.
    `rule`: the comparison that, according to the claim, is equivalent to `term` or to its negation; None if there is
    none. In the conclusion `wins(s) == (nim_sum(s) != 0)`, this is `nim_sum(s) != 0`.
    `place`: the name of the variable for the position in `term`; "" if the position is not a variable.
    """

    case: Case
    term: Term
    holds: bool
    rule: Term | None = None
    place: str = ""


def lay_out(claim: Claim, start: Start, sums: bool = False) -> PlayableClaim | None:
    """Return the board on which play begins at `start`, or None if there is no such board.

    There is no board if the reader has no move, the game does not have two players, or a limit is reached.
    `sums`: whether the referee may use the Sprague-Grundy theorem.
    """
    speaker, case = Speaker(Referee(claim, STEPS, sums)), start.case
    try:
        goal = FormulaTurn(start.term, bool(speaker.referee.evaluate(start.term, case)), case)
        read = Turns(speaker).read(goal)
        turn = read[1]
        if turn is None or turn.game.players != 2:
            return None
        layout = _Layout(speaker, turn.mover if turn.free else 1 - turn.mover, _make_remark(speaker, start, turn))
        layout.add_goal(read, turn.game, turn.position, turn.mover)
    except (LimitReached, IllDefined, TooMany, RecursionError):
        return None
    if not any(len(place.moves) > 0 and not place.answers for place in layout.places):
        return None
    reader, at = name_player(turn.game, layout.reader), _say_case(claim, case)
    return PlayableClaim(
        game=say_game(turn.game),
        rules=turn.game.ruleset.notes,
        reader=reader,
        task=_say_task(turn, reader, start.holds, speaker),
        outcome=_say_outcome(turn, reader, start.holds, at),
        places=tuple(layout.places),
        box=solve_box(turn.game, turn.position),
        drawing=draw_heaps(turn.game),
    )


Remark = Callable[[Position, int], tuple[str, ...]]
"""A function of a position and the player to move. It returns sentences about `Start.rule` at this position."""


def _make_remark(speaker: Speaker, start: Start, first: BoardTurn) -> Remark:
    rule = start.rule
    if rule is None:
        return lambda *_: ()

    def remark(position: Position, mover: int) -> tuple[str, ...]:
        if mover != first.mover and not first.game.ruleset.impartial:
            return ()
        env = {**start.case, start.place: position}
        facts, turn = Turns(speaker).read(FormulaTurn(rule, bool(speaker.referee.evaluate(rule, env)), env))
        return facts if turn is None else ()

    return remark


class _Layout:
    def __init__(self, speaker: Speaker, reader: int, remark: Remark) -> None:
        self.speaker, self.turns, self.reader, self.remark = speaker, Turns(speaker), reader, remark
        self.places: list[BoardPlace] = []
        self._known: dict[Hashable, int] = {}

    def add_goal(self, read: Read, game: RefereeGame, position: Position, mover: int, so: tuple[str, ...] = ()) -> int:
        """Add a place, that is, a position with its possible moves, and all places after it. Return its index.

        `read`: the result of `Turns.read` for the goal of the page at this place.
        `so`: the sentences that state the conclusion. They are shown at the last place of a line of play.
        Raises TooMany.
        """
        facts, turn = read
        if turn is not None and game.ruleset.impartial:
            turn = replace(turn, mover=mover)  # in an impartial game the turns determine the mover, not the formula
        if turn is not None and (turn.position != position or (turn.mover == self.reader) is not turn.free):
            facts, turn = (*facts, "the same holds after every move" if turn.free else "a move shows this"), None
        number = len(self.places)
        if number >= MOST_PLACES:
            raise TooMany
        facts = (*facts, *self.remark(position, mover)) if turn is not None else (*facts, *so)
        words = "; ".join(dict.fromkeys(facts))
        self.places.append(BoardPlace(position, name_player(game, mover), words))
        if turn is not None:
            moves = tuple((o, self._follow(turn, o, so)) for o in turn.options)
            refused = tuple(list_refusals(game, position, mover)) if turn.free and game.parts is None else ()
            self.places[number] = BoardPlace(position, name_player(game, mover), words, moves, not turn.free, refused)
        return number

    def _follow(self, turn: BoardTurn, option: Position, so: tuple[str, ...]) -> int:
        """Return the index of the place after the move to `option`; add the place if necessary.

        If two lines of play lead to equal goals about the winner, both lead to the same place.
        """
        goal, mover = turn.follow(option), (turn.mover + 1) % turn.game.players
        if isinstance(goal, FormulaTurn):
            if turn.free:
                so = ("so " + self.speaker.say_truth(goal.term, goal.env, goal.truth),)
            return self.add_goal(self.turns.read(goal), turn.game, option, mover, so)
        key = (option, goal.mover, goal.wins, goal.drawn)
        if key not in self._known:
            self._known[key] = len(self.places)  # set before its moves, which may lead to it again
            self.add_goal(self.turns.read(goal), turn.game, option, mover, so)
        return self._known[key]


def _say_case(claim: Claim, case: Case) -> str:
    kinds = {v.name: v.type for v in claim.variables}
    return ", ".join(f"{n} = {write_value(x, kinds[n], ())}" for n, x in case.items())


def _say_task(turn: BoardTurn, reader: str, holds: bool, speaker: Speaker) -> str:
    at, mover = show_position(turn.position), name_player(turn.game, turn.mover)
    if turn.aim is not None and turn.free:
        wish = speaker.say_wish(turn.aim.term, display(turn.running), turn.aim.truth)
        return f"You are {reader}, to move at {at}. The claim says that you can leave a position {wish}. Find the move."
    if turn.free and turn.goal is not None and turn.goal.drawn and turn.goal.asked == "wins" and not holds:
        said = "holds there if you can win. Try it"
    else:
        said = f"says that {_say_wish(turn, mover, holds)}"
    you = f"You are {reader}, to move" if turn.free else f"You are {reader}; {mover} moves first,"
    return f"{you} at {at}. The claim {said}."


def _say_wish(turn: BoardTurn, mover: str, holds: bool) -> str:
    """Return the statement of the claim about the winner and the task of the reader, in words.

    An example: "you can win. Try it". `mover` is the name of the player to move. `holds`: whether the claim holds.
    """
    goal = turn.goal
    drawn = goal is not None and goal.drawn
    if goal is not None and goal.asked == "draws" and drawn is holds:
        if holds:
            return "play is drawn. Try to win"
        return f"play is drawn. {'Try not to lose' if turn.free else f'Keep {mover} from winning'}"
    if goal is not None and goal.asked == "draws" and drawn:
        return "one of you wins. Try to win"
    if turn.free and holds:
        return f"you {'do not win' if drawn else 'lose'}, however you play. Try to win"
    if turn.free:
        return "you can win. Try it"
    return f"{mover} wins. Try to prevent it" if holds else f"{mover} does not win. Prevent it"


def _say_outcome(turn: BoardTurn, reader: str, holds: bool, at: str) -> str:
    if holds:
        end = "does not win" if turn.goal is not None and turn.goal.drawn else "loses"
        return f"Every move is answered: {reader} {end} from {show_position(turn.position)}, as the claim says."
    return f"Every move is answered: the claim fails at {at}." if at else "Every move is answered: the claim fails."


# == position =========================================================================================================
# The board of a position: the reader takes the side of the loser, and the page replies to every move.
def lay_out_position(solver: PositionSolver, s: Position, mover: int, wins: bool) -> PlayableClaim | None:
    """Return the board of a position of a game for two players, with `mover` to move.

    `wins`: whether the mover wins. Return None if the reader has no move, or the board is too large.
    """
    return lay_out_play(solver.ruleset, solver.parameters, s, mover, solver.name_player(mover) if wins else "")


def lay_out_play(
    ruleset: Ruleset, parameters: Mapping[str, Value], s: Position, mover: int, winner: str
) -> PlayableClaim | None:
    """Return the board of a position that belongs to no claim. The reader takes the side of the loser.

    `winner`: the name of the mover if the mover wins, else "".
    Return None if there is no board, for the reasons that `lay_out` lists.
    """
    args = (t.Variable(POSITION, 0, 0, "s"), t.Literal(PLAYER, 0, 0, mover))
    asked = t.GameCall(BOOL, 0, 0, "wins", GAME, args)
    found = lay_out(make_claim(ruleset, parameters, GAME, asked), Start({"s": s}, asked, True))
    if found is None:
        return None
    at = show_position(s)
    task = f"You are {found.reader}, to move at {at}. You lose, however you play. Try to win."
    if winner:
        task = f"You are {found.reader}; {winner} moves first, at {at}, and wins. Try to prevent it."
    return replace(found, task=task, outcome=f"Every move is answered: {found.reader} loses from {at}.", at_stake=False)


# == starts ===========================================================================================================
# The position at which play begins: the counterexample or, for a true claim, a small position of its scope.
START_STEPS = 60_000  # of the referee for all the cases tried
MOST_CASES = 400
MOST_LISTED, MOST_TRIED, MOST_BOARDS = 2_000, 12, 8  # cases, cases of one total, boards
STEPS_PLAYED, MOST_REACHED = 600_000, 400  # steps of the referee for these cases; followers of one position
MANY = 3  # the number of moves that the first position should have
FAVOURITES = (3, 4, 2, 5, 1, 0, 6, 7)  # values of numbers, the most instructive first
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
LENGTHS, SIZE = (3, 4, 2, 1), 4  # numbers of heaps, the most instructive first; the largest heap
TOTAL = 7  # the most instructive total of the numbers in heaps with parts


def board_of(claim: Claim, scope: d.Scope, failing: Case | None, sums: bool) -> PlayableClaim | None:
    """Return the board of a settled claim, or None if it has no board.

    Play begins at the counterexample `failing`. If the claim holds, `failing` is None, and play begins at a small
    position of the scope. `sums`: whether the referee may use the Sprague-Grundy theorem.
    All limits count steps, not seconds, so equal arguments give equal boards.
    """
    if claim.quantifier == "exists":
        return None
    start = find_start(claim, scope) if failing is None else Start(failing, claim.conclusion, False)
    found = None if start is None else lay_out(claim, start, sums)
    if found is not None or not claim.goes_case_by_case:
        return found
    cases = _pick_some(_list_cases(claim, scope))
    given = _play_from(claim, [failing]) if failing is not None else None
    return given or _play_from(claim, cases) or _play_from(claim, cases, twice=True)


def _pick_some(cases: Iterable[Case]) -> list[Case]:
    """Return some of the first MOST_LISTED cases: at most MOST_TRIED for each total of the numbers in the heaps.

    Thus small positions are among them. Boards of large positions can be too large.
    """
    found: list[Case] = []
    tried: Counter[int] = Counter()
    for case in islice(cases, MOST_LISTED):
        total = sum(weigh(h) for s in case.values() if isinstance(s, tuple) for h in s if isinstance(h, tuple))
        tried[total] += 1
        if tried[total] <= (MOST_TRIED if total else MOST_CASES):
            found.append(case)
    return found


def _play_from(claim: Claim, cases: Iterable[Case], twice: bool = False) -> PlayableClaim | None:
    """Return a board on which the reader plays a game of the claim, but does not defend the claim itself.

    It is used if `lay_out` finds no board. Play begins at the best position in `cases`. A position is good if the mover
    loses from it and it has many options. Return None if no position has a board.
    `twice`: use the sum of two copies of each position. In an impartial game under normal play, the mover loses there.
    """
    referee, others = Referee(claim, STEPS_PLAYED), list[tuple[tuple[bool, int], _StartPosition]]()
    with suppress(LimitReached):  # then use the best case so far
        for case in cases:
            with suppress(IllDefined):
                for place in _list_places(referee, case, twice):
                    worth = place.lost, min(len(place.game.options(place.position, place.mover)), MANY)
                    board = _lay_out_place(place) if worth == (True, MANY) else None
                    if board is not None:
                        return board
                    others.append((worth, place))
    others.sort(key=lambda x: x[0], reverse=True)
    boards = (_lay_out_place(place) for (_, options), place in others[:MOST_BOARDS] if options)
    return next((board for board in boards if board is not None), None)


class _StartPosition(NamedTuple):
    """A position at which play can begin, with `mover` to move. `lost`: whether the mover loses."""

    game: RefereeGame
    position: Position
    mover: int
    lost: bool


def _list_places(referee: Referee, case: Case, twice: bool) -> Iterator[_StartPosition]:
    """Yield positions at a case from which play can start and which are small enough for a board.

    Raises IllDefined and LimitReached.
    """
    for _, game, one in find_positions(referee, case):
        s = join(one, one) if twice else one
        movers = _list_movers(game)
        if movers and reach(game, [s], MOST_REACHED) is not None:
            yield from (_StartPosition(game, s, mover, not game.wins(s, mover)) for mover in movers)


def _lay_out_place(place: _StartPosition) -> PlayableClaim | None:
    game, mover = place.game, place.mover
    winner = "" if place.lost else name_player(game, mover)
    return lay_out_play(game.ruleset, game.parameters, place.position, mover, winner)


def _list_movers(game: RefereeGame) -> range:
    """Return the players who may move first on a board: player 0 in an impartial game, else both players.

    The result is empty if the game does not have two players, may have draws, or has players with preferences.
    """
    if game.players != 2 or game.ruleset.ending.may_draw or game.ruleset.ending.prefer is not None:
        return range(0)
    return range(1 if game.ruleset.impartial else 2)


def find_start(claim: Claim, scope: d.Scope) -> Start | None:
    """Return the start of play for a true claim, at a small case of its scope.

    Prefer a case at which the mover loses and has many moves: the reader can then try to win.
    Return None if the conclusion does not call `wins`, or no suitable case is found within the limits.
    """
    questions = [x for x in _list_questions(claim.conclusion) if len(claim.game(x.game).ruleset.players) == 2]
    if not questions:
        return None
    referee = Referee(claim, START_STEPS)
    best: tuple[tuple[bool, int], Start | None] = (False, 0), None
    try:
        for case in islice(_list_cases(claim, scope), MOST_CASES):
            if _judge(referee, case) != "holds":
                continue
            for question in questions:
                options = min(_count_options(referee, question, case), MANY)
                worth = options > 0 and not referee.evaluate(question, case), options
                if worth > best[0]:
                    best = worth, _make_start(claim, case, question)
                if worth == (True, MANY):
                    return best[1]
    except LimitReached:
        pass
    return best[1]


def _make_start(claim: Claim, case: Case, question: t.GameCall) -> Start:
    rule, s = None, question.args[0]
    match claim.conclusion:
        case t.Operation(op="eq" | "ne", args=(x, y)) if x.type == BOOL and isinstance(s, t.Variable):
            rule = next((side for side in (x, y) if isinstance(side, t.Operation) and side.op in COMPARISONS), None)
    return Start(case, question, True, rule, s.name if isinstance(s, t.Variable) else "")


def _judge(referee: Referee, case: Case) -> str:
    try:
        return referee.judge(case)
    except IllDefined:
        return ""


def _list_questions(term: t.Term) -> Iterator[t.GameCall]:
    """Yield the calls of `wins` in a term, except calls in definitions, in comprehensions and about combined games."""
    if isinstance(term, t.GameCall) and term.function == "wins" and term.game:
        yield term
    if not isinstance(term, t.Comprehension):
        for x in t.subterms(term):
            yield from _list_questions(x)


def _count_options(referee: Referee, question: t.GameCall, case: Case) -> int:
    s, mover = (referee.evaluate(x, case) for x in question.args)
    return len(referee.game(question.game, case).options(as_heaps(s), as_integer(mover)))


def _list_cases(claim: Claim, scope: d.Scope) -> Iterator[Case]:
    """Yield small cases of the scope, the most instructive positions first.

    A case may have a value that is outside the domain of its variable, so the caller must test the case.
    """
    choices = [list(_list_values(v, scope.get(v.name))) for v in claim.variables]
    numbers = [i for i, v in enumerate(claim.variables) if not isinstance(v.domain, d.Positions)]
    places = [i for i, v in enumerate(claim.variables) if isinstance(v.domain, d.Positions)]
    for positions in product(*(choices[i] for i in places)):
        for values in product(*(choices[i][:3] if places else choices[i] for i in numbers)):
            found = dict(zip(places, positions, strict=True)) | dict(zip(numbers, values, strict=True))
            yield {v.name: found[i] for i, v in enumerate(claim.variables)}


def _list_values(v: d.ClaimVariable, bound: d.Bound | None) -> Iterator[CaseValue]:
    match v.domain:
        case d.Positions() if isinstance(bound, d.PositionRange):
            yield from _list_compound(bound) if bound.parts else _list_positions(bound)
        case d.ListedDomain(values=values):
            yield from values
        case d.Players(count=count):
            yield from range(count)
        case _ if v.type == INT:
            yield from (x for x in FAVOURITES if not isinstance(bound, d.Range) or bound.lo <= x <= bound.hi)


def _list_positions(bound: d.PositionRange) -> Iterator[Position]:
    """Yield the positions with few, small heaps: first all with 3 heaps, then those with 4, 2 and 1 heaps.

    For each number of heaps, positions with many different sizes are first.
    """
    lo, hi = max(bound.size.lo, 1), min(bound.size.hi, SIZE)
    for heaps in LENGTHS:
        found = combinations_with_replacement(range(lo, hi + 1), heaps)
        inside = [s for s in found if bound.total is None or bound.total.lo <= sum(s) <= bound.total.hi]
        if bound.heaps.lo <= heaps <= bound.heaps.hi:
            yield from sorted(inside, key=lambda s: (-len(set(s)), sum(s), s))


def _list_compound(bound: d.PositionRange) -> Iterator[Position]:
    """Yield positions of one heap with parts, then positions of two. Some heaps may not satisfy the ruleset.

    The total of a position is the sum of all numbers in its heaps. For each number of heaps, the totals are in the
    order TOTAL, TOTAL - 1, ..., 0, TOTAL + 1, TOTAL + 2, ...
    """

    def shorten(x: d.Range, most: int) -> d.Range:
        return d.Range(x.lo, min(x.hi, max(x.lo, most)))

    few = [
        (
            n,
            shorten(x, SIZE)
            if isinstance(x, d.Range)
            else d.ListRange(shorten(x.length, LENGTHS[0]), shorten(x.each, SIZE)),
        )
        for n, x in bound.parts
    ]
    heaps = sorted(list_heaps(replace(bound, parts=tuple(few)), Deadline(None)), key=weigh)
    for number in range(max(bound.heaps.lo, 1), min(bound.heaps.hi, 2) + 1):
        found = [(sum(map(weigh, s)), s) for s in combinations_with_replacement(heaps[: MOST_CASES // number], number)]
        for _, s in sorted(found, key=lambda x: -x[0] if x[0] <= TOTAL else x[0]):
            yield as_heaps(gather(s))
