"""The board of a claim at a case: every move of the reader, and the answer of the page, to the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from checks.illustration.board.box import solve_box
from checks.illustration.board.heaps import draw_heaps
from checks.illustration.board.refusals import list_refusals
from checks.illustration.board.turns import BoardTurn, FormulaTurn, Read, Turns
from checks.illustration.board.words import Speaker, name_player, say_game
from checks.judgement.telling.saying import show_position, write_value
from checks.referee.meaning import IllDefined, LimitReached
from checks.referee.play import RefereeGame
from checks.results.pictures import BoardPlace, PlayableClaim
from claims.language.builtins.meanings import Position
from claims.language.expressions.printing import display
from claims.language.ground.errors import NimChecksError
from claims.language.statement.claim import Claim
from claims.language.terms.terms import Term
from encoders.answer import Case

STEPS = 400_000  # of the referee, for one board: well under a second
MOST_PLACES = 120  # of one board; one with more is left out


class TooMany(NimChecksError):
    """The board has more than MOST_PLACES places."""


@dataclass(frozen=True)
class Start:
    """Where play begins: a case at which the claim holds or fails, and what of it is played there.

    `term`: the conclusion of a claim that fails; of one that holds, a question in it who wins.  `rule`: a comparison
    that the claim says to be true exactly where the question is, or is not; `place`: the question's position.
    """

    case: Case
    term: Term
    holds: bool
    rule: Term | None = None
    place: str = ""


def lay_out(claim: Claim, start: Start, sums: bool = False) -> PlayableClaim | None:
    """The board from a start on; None where nothing of it can be played, and where a limit is met."""
    speaker, case = Speaker(claim, sums, STEPS), start.case
    try:
        goal = FormulaTurn(start.term, bool(speaker.referee.evaluate(start.term, case)), case)
        read = Turns(speaker).read(goal)
        turn = read[1]
        if turn is None or turn.game.players != 2:
            return None
        layout = _Layout(speaker, turn.mover if turn.free else 1 - turn.mover, _make_remark(speaker, start, turn))
        layout.put(read, turn.game, turn.position, turn.mover)
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
"""What the claim's own rule says of a position at which this player is to move."""


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

    def put(self, read: Read, game: RefereeGame, position: Position, mover: int, so: tuple[str, ...] = ()) -> int:
        """The number of the place at which a goal was read. `so`: what its end would show of the claim."""
        facts, turn = read
        if turn is not None and game.ruleset.impartial:
            turn = replace(turn, mover=mover)  # who moves is a matter of turns there, and not of the formula
        if turn is not None and (turn.position != position or (turn.mover == self.reader) is not turn.free):
            facts, turn = (*facts, "so it is after every move" if turn.free else "a move shows it"), None
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
        """The number of the place after a move. Who wins from a position is asked but once."""
        goal, mover = turn.follow(option), (turn.mover + 1) % turn.game.players
        if isinstance(goal, FormulaTurn):
            if turn.free:
                so = ("so " + self.speaker.say_truth(goal.term, goal.env, goal.truth),)
            return self.put(self.turns.read(goal), turn.game, option, mover, so)
        key = (option, goal.mover, goal.wins, goal.drawn)
        if key not in self._known:
            self._known[key] = len(self.places)  # before its moves, which may lead to it again
            self.put(self.turns.read(goal), turn.game, option, mover, so)
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
    """What a claim says of who wins, and what the reader may try."""
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
    return f"{mover} wins. Try to stop him" if holds else f"{mover} does not win. Keep him from it"


def _say_outcome(turn: BoardTurn, reader: str, holds: bool, at: str) -> str:
    if holds:
        end = "does not win" if turn.goal is not None and turn.goal.drawn else "loses"
        return f"Every move is answered: {reader} {end} from {show_position(turn.position)}, as the claim says."
    return f"Every move is answered: the claim fails at {at}." if at else "Every move is answered: the claim fails."
