"""Facts about a position in words: for example, why a reply of the page wins, or why a move is illegal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, reduce
from operator import xor

from checks.judgement.explain import Explainer, describe, show_position, write_signs, write_value
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, as_integer
from checks.referee.play import RefereeGame, pick_from
from claims.language.errors import NimChecksError
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Position, Value, replace_heaps
from claims.language.syntax.printing import display, find_free_names, print_term, rebuild, walk
from claims.language.syntax.terms import GAME, INT, POSITION
from claims.language.typesetting.english import describe_term, read_fold


# == faults ===========================================================================================================
# Reasons why a picture cannot be drawn.
class Differs(NimChecksError):
    """Two computations of the same picture, by an engine and the referee, disagree. The message gives both results."""


class NotDrawn(NimChecksError):
    """The requested picture cannot be drawn. The message gives the reason."""


# == words ============================================================================================================
# Facts about a position in words, which the page shows after a move.
_SIGNS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥"}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


class Speaker:
    """A writer of sentences about the expressions in the claim of a referee, which computes their values."""

    def __init__(self, referee: Referee) -> None:
        self.explainer = Explainer(referee)
        self.referee, self.players = referee, self.explainer.players

    def say(self, term: t.Term, env: Mapping[str, Value]) -> str:
        """Return a text that explains by values why a condition holds or fails, such as `1 ⊕ 2 = 3, not 0`.

        `env`: the values of the variables.
        """
        match term:
            case t.Operation(op=op, args=(t.Operation(op="nim_sum", args=(s,)), right)) if op in _SIGNS:
                heaps = self.referee.evaluate(s, env)
                if s.type == POSITION and isinstance(heaps, tuple):
                    numbers = [x for x in heaps if isinstance(x, int)]
                    return self._say_nim_sum(op, numbers, self.referee.evaluate(right, env))
            case t.Operation(op=op, args=(x, right)) if op in _SIGNS and x.type == INT:
                return self._say_numbers(op, term, env)
        lines = map(self.explainer.finish, self.explainer.why(term, dict(env), 0))
        return "; ".join(line.shown or line.text for line in lines if not line.text.endswith(":"))

    def _say_nim_sum(self, op: str, numbers: list[int], right: Value) -> str:
        value = reduce(xor, numbers, 0)
        chain = f"{' ⊕ '.join(map(str, numbers))} = {value}" if len(numbers) > 1 else f"the nim-sum is {value}"
        if op in ("eq", "ne"):
            return chain + (f", not {right}" if value != right else "")
        assert isinstance(right, int)
        holds = {"lt": value < right, "le": value <= right, "gt": value > right, "ge": value >= right}[op]
        return f"{chain} {_SIGNS[op if holds else _OPPOSITE[op]]} {right}"

    def _say_numbers(self, op: str, term: t.Operation, env: Mapping[str, Value]) -> str:
        """Return the true relation between two numbers, even if the comparison `term` is false.

        Use words if possible, such as `the number of heaps is odd`, and otherwise signs: `f(s) mod 3 = 1, not 0`.
        """
        left, right = (as_integer(self.referee.evaluate(x, env)) for x in term.args)
        holds = bool(self.referee.evaluate(term, env))
        words = describe_term(term if holds else replace(term, op=_OPPOSITE[op]), {})
        if words and op in ("eq", "ne") and any(read_fold(x) is not None for x in walk(term)):
            return words
        found = f"{name_number(term.args[0])} = {left}"
        if op in ("eq", "ne"):
            return found + (f", not {right}" if left != right else "")
        return f"{found} {_SIGNS[op if holds else _OPPOSITE[op]]} {right}"

    def write(self, term: t.Term) -> str:
        """Return the term in mathematical notation."""
        return write_signs(term, self.players)

    def say_truth(self, term: t.Term, env: Mapping[str, Value], truth: bool) -> str:
        """Return the statement that `term` is true or, if `truth` is false, that it is false.

        Examples: `(2, 4) is not defective for P1`, `max(t) = 2 with t = (1, 2) holds`.
        """
        if found := describe(term, truth, lambda x: self.show(x, env)):
            return f"{self.show(found[0], env)} {found[1]}"
        return f"{self._say_called(term, env)} {'holds' if truth else 'fails'}"

    def say_wish(self, term: t.Term, name: str, truth: bool) -> str:
        """Return words that express a condition on a position, to be written after "a position".

        Examples: `that is defective for P1`, `t for which max(t) = 2 holds`.
        `name`: the variable for the position. `truth`: whether the condition `term` must be true or false.
        """
        found = describe(term, truth, self.write)
        if found and isinstance(found[0], t.Variable):
            return f"that {found[1]}"
        return f"{name} for which {self.write(term)} {'holds' if truth else 'fails'}"

    def _say_called(self, term: t.Term, env: Mapping[str, Value]) -> str:
        """Return a term as text, with values.

        In a call, the values replace the arguments: `f((1, 2))`. Another term is followed by the values of its
        variables: `max(t) = 2 with t = (1, 2)`.
        """
        match term:
            case t.Apply(function=t.Function(name=name), args=args):
                return f"{name}({', '.join(self.show(x, env) for x in args)})"
            case t.GameCall():
                return f"{term.called}({', '.join(self.show(x, env) for x in term.written)})"
        names = sorted({n for n in find_free_names(term) if "'" in n} if _is_plain(term) else set())
        given = ", ".join(f"{display(n)} = {show_value(env[n])}" for n in names if n in env)
        return self.write(term) + (f" with {given}" if given else "")

    def show(self, term: t.Term, env: Mapping[str, Value]) -> str:
        """Return, as text, the value of a term if its variables have the values `env`."""
        if term.type == GAME:
            return self.explainer.show(term, dict(env))
        return write_value(self.referee.evaluate(term, env), term.type, self.players)

    def say_stuck(self, game: RefereeGame, s: Position, mover: int) -> str:
        """Return a text that states that the mover cannot move, and who wins, such as `Left cannot move and loses`."""
        after, who = game.end(s, mover), name_player(game, mover)
        if after is None:
            return f"{who} cannot move, and at {show_position(s)} the game is a draw"
        if game.ruleset.ending.winner is not None:
            return (
                f"{who} cannot move, and at {show_position(s)} {name_player(game, (mover + after) % game.players)} wins"
            )
        return f"{who} cannot move and {'loses' if after else 'wins'}"

    def say_safe(self, game: RefereeGame, mover: int, option: Position) -> str:
        return f"{name_player(game, mover)} need not lose: a move to {show_position(option)} keeps the draw"

    def say_no_move(self, s: Position, game: RefereeGame, mover: int) -> str:
        return f"{name_player(game, mover)} has no move at {show_position(s)}"


def name_number(term: t.Term) -> str:
    """Return a numeric term in words or signs, such as `the nim-sum of h + 1 over the heaps h` or `f(s) mod 3`."""
    match term:
        case t.Comprehension(
            reducer="nim_sum", body=body, clauses=(t.Clause(variable=h, source=s, conditions=()),)
        ) if s.type == POSITION:
            whole = isinstance(body, t.GameCall) and body.function == "grundy"
            return (
                "the nim-sum of the Grundy values"
                if whole
                else f"the nim-sum of {write_signs(body)} over the heaps {display(h)}"
            )
        case t.Operation(op="mod", args=(x, n)):
            return f"{name_number(x)} mod {write_signs(n)}"
    found = read_fold(term)
    return write_signs(term) if found is None else found.words


def name_player(game: RefereeGame, mover: int) -> str:
    """Return the name of the player, or `player N` (from 1) if the ruleset does not name its players."""
    players = game.ruleset.players
    return players[mover] if mover < len(players) else f"player {mover + 1}"


def say_game(game: RefereeGame) -> str:
    """Return the title of a game with its parameters: `K-L-Nim (k = 3, l = 4)`."""
    parameters = ", ".join(f"{name} = {_show_parameter(name, value)}" for name, value in game.parameters.items())
    return f"{game.ruleset.title} ({parameters})" if parameters else game.ruleset.title


def _show_parameter(name: str, value: Value) -> str:
    """Return the value of a parameter as text; the code of an octal game in the form 0.77."""
    if name == "code" and isinstance(value, tuple) and all(isinstance(x, int) and x < 10 for x in value):
        return "0." + "".join(map(str, value))
    return show_value(value)


def show_value(value: Value) -> str:
    """Return a value as text, such as `3` for an integer or `(2, 2, 4)` for a position."""
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def _is_plain(term: t.Term) -> bool:
    """Return whether a term calls no definition of the claim.

    If it calls one, its values are not shown by name, because a reader does not know the variables in a definition.
    """
    return not any(isinstance(x, t.Apply) for x in _list_all(term))


def _list_all(term: t.Term) -> list[t.Term]:
    return [term, *(y for x in t.subterms(term) for y in _list_all(x))]


# == refusals =========================================================================================================
# The reasons why a move that takes objects from one heap is illegal, in terms of the ruleset.
Env = dict[str, Value]


def list_refusals(game: RefereeGame, s: Position, mover: int) -> Iterator[tuple[Position, str]]:
    """Yield a pair for each illegal move that would take objects from one heap and leave the other heaps unchanged.

    The pair consists of the position after the move and a sentence that states why the move is illegal.
    """
    options = game.options(s, mover)
    for heap in dict.fromkeys(s):
        kinds = [
            _MoveAtHeap(game, x, s, mover, heap)
            for x in game.ruleset.moves
            if len(x.heaps) == 1 and isinstance(x.result, tuple) and len(x.result) == 1
        ]
        for left in range(heap):
            after = replace_heaps(s, (heap,), (left,))
            if after not in options:
                found = next((reason for kind in kinds if (reason := kind.judge(left))), "the rules have no such move")
                yield after, f"{name_player(game, mover)} may not take {heap - left} from {heap}: {found}."


class _MoveAtHeap:
    """A rule for moves that change one heap, applied to the heap `heap` of the position `s`."""

    def __init__(self, game: RefereeGame, move: Move, s: Position, mover: int, heap: int) -> None:
        self.game, self.move, self.s, self.heap = game, move, s, heap
        self.env: Env = {**game.parameters, "mover": mover, "s": s, move.heaps[0]: heap}

    @cached_property
    def picked(self) -> dict[int, Env]:
        """The sizes to which this rule could reduce the heap if its condition `where` did not exist.

        Each size is mapped to the values of the variables in the first way to obtain this size.
        """
        picked, found = [self.env], dict[int, Env]()
        for pick in self.move.picks:
            picked = [{**e, pick.name: x} for e in picked for x in pick_from(pick.domain, e, self.game.meanings)]
        for e in picked:
            with suppress(IllDefined):  # the pick leaves no valid heap
                found.setdefault(as_integer(self.game.meanings.evaluate(self.move.become[0], e)), e)
        return found

    def judge(self, left: int) -> str:
        """Return the reason why this rule does not allow reducing the heap to the size `left`.

        Return "" if no simple reason is known.
        """
        game, move, s = self.game, self.move, self.s
        if (move.choose, self.heap) in (("largest", x) for x in s if x < s[-1]):
            return "only a largest heap may be changed"
        if (move.choose, self.heap) in (("smallest", x) for x in s if x > s[0]):
            return "only a smallest heap may be changed"
        if left in self.picked and move.where is not None:
            return _say_demand(game, move.where, self.picked[left])
        if len(move.picks) == 1 and isinstance(move.picks[0].domain, IntervalDomain):
            return _say_range(game, move.picks[0].name, move.picks[0].domain, self.env)
        return ""


def _say_demand(game: RefereeGame, where: t.Term, env: Env) -> str:
    """Return a text about the first part of the condition `where` that is false.

    An example: `m ≠ l is required, but m = 4, l = 4`.
    """
    parts = where.args if isinstance(where, t.AllOf) else (where,)
    failing = next((x for x in parts if not game.meanings.evaluate(x, env)), where)

    def resolve(term: t.Term) -> t.Term:
        if isinstance(term, t.IfElse):
            return resolve(term.then if game.meanings.evaluate(term.condition, env) else term.other)
        return rebuild(term, resolve)

    demand = resolve(failing)
    values = ", ".join(f"{n} = {show_value(env[n])}" for n in dict.fromkeys(find_free_names(demand)) if n in env)
    return f"{_write(game, demand)} is required, but {values}" if values else f"{_write(game, demand)} is required"


def _say_range(game: RefereeGame, name: str, domain: IntervalDomain, env: Env) -> str:
    assert domain.hi is not None
    lo, hi = (as_integer(game.meanings.evaluate(x, env)) for x in (domain.lo, domain.hi))
    written = f"{_write(game, domain.lo)}..{_write(game, domain.hi)}"
    return f"{name} must be in {written}, which is {lo}..{hi}" if lo <= hi else f"no {name} is in {written}"


def _write(game: RefereeGame, term: t.Term) -> str:
    return print_term(term, game.ruleset.players).replace("!=", "≠").replace("<=", "≤").replace(">=", "≥")
