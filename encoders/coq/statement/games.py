"""Rulesets as games of the theory: who may make what of a heap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claims.language.statement.claim import Game
from claims.language.statement.domains import Interval
from claims.language.statement.rulesets import Move, Ruleset
from encoders.coq.statement.numbers import total
from encoders.coq.statement.statements import Statements, key_of_player, key_of_ruleset
from encoders.coq.statement.writing import AND, BINDER, COMPARISON, OR, Text, apply, chain, comment, infix, name_in_coq
from encoders.ground.refusals import Unsupported
from encoders.rules.folds.numbers.intervals import Interval as Between

PLAYERS = ("First", "Second")


@dataclass(frozen=True)
class WrittenGame:
    """A ruleset in Coq: its definition, and what is shown of it at once."""

    text: str
    shown: str


def write_players(numbers: Statements, players: Sequence[str]) -> str:
    """The names of the two players. Raises Unsupported."""
    if len(players) != 2:
        raise Unsupported("the theory has games of two players")
    return "".join(f"Notation {numbers.names[key_of_player(i)].text} := {x}.\n" for i, x in enumerate(PLAYERS))


def write_game(ruleset: Ruleset, known: Statements) -> WrittenGame:
    """The ruleset as a game, called as `known` calls it. Raises Unsupported for what the theory does not have."""
    if not ruleset.single_heap:
        raise Unsupported(f"{ruleset.id}: the theory has moves that make one heap smaller")
    chosen = {move.choose for move in ruleset.moves}
    if chosen not in ({"any"}, {"largest"}):
        raise Unsupported(f"{ruleset.id}: the theory has moves on any heap, or all of them on a largest one")
    name = known.names[key_of_ruleset(ruleset.id)].text
    numbers = Statements({})
    for p in ruleset.parameters:
        if p.kind != "int" or p.lo < 0:
            raise Unsupported(f"{ruleset.id}: the parameter {p.name} is no natural number")
        numbers.ranges = {**numbers.ranges, p.name: Between(p.lo, p.hi)}
        numbers = numbers.bind({p.name: Text(name_in_coq(p.name, numbers.used_names))})
    given = "".join(f" {numbers.names[p.name].text}" for p in ruleset.parameters)
    kinds = [_write_move(ruleset, move, numbers) for move in ruleset.moves]
    typed = f" ({given.strip()} : N)" if given else ""
    called = f"({name}{given})" if given else name
    text = f"""\
{comment(f"The game, by the ruleset {ruleset.id}: {ruleset.title}.")}
Definition {name}{typed} : game := {{|
  of_largest := {"true" if chosen == {"largest"} else "false"};
  becomes mover h y :=
    {chain(kinds, chr(92) + "/", OR, "False", "right").text};
  stuck_wins := {"true" if ruleset.stuck_wins else "false"} |}}.
"""
    shown = f"""\
Lemma {name}_smaller{given} p h y : becomes {called} p h y -> y < h.
Proof. smaller. Qed.
Lemma {name}_decided{given} p h y : becomes {called} p h y \\/ ~ becomes {called} p h y.
Proof. unfold {name}. decided p h y. Qed.
"""
    return WrittenGame(text, shown)


def game_text(game: Game, numbers: Statements) -> Text:
    """The game with its parameters. Raises Unsupported."""
    name = numbers.names[key_of_ruleset(game.ruleset.id)].text
    return apply(name, *(numbers.natural(x) for _, x in game.arguments))


def _write_move(ruleset: Ruleset, move: Move, known: Statements) -> Text:
    (heap,) = move.heaps
    numbers = known.bind({"mover": Text("mover"), heap: Text("h")})
    picked, conditions = [], list[Text]()
    for pick in move.picks:
        if not isinstance(pick.domain, Interval) or pick.domain.hi is None:
            raise Unsupported(f"{ruleset.id}: {pick.name} is picked from a set")
        if not numbers.range(pick.domain.lo).natural:
            raise Unsupported(f"{ruleset.id}: {pick.name} may be negative")
        low, high = numbers.number(pick.domain.lo), numbers.number(pick.domain.hi)
        used = numbers.used_names
        name = "m" if pick.name == "m" and "m" not in used else name_in_coq(pick.name, used)
        numbers = numbers.bind({pick.name: Text(name)})
        picked.append(name)
        one = Text(name)
        conditions.append(infix(total(low.plus), "<=", total((one, *low.minus)), COMPARISON))
        conditions.append(infix(total((one, *high.minus)), "<=", total(high.plus), COMPARISON))
    if move.where is not None:
        conditions.append(numbers.says(move.where))
    (size,) = move.become
    left = numbers.number(size)
    conditions.append(infix(total((Text("y"), *left.minus)), "=", total(left.plus), COMPARISON))
    inside = chain(conditions, "/\\", AND, "True", "right")
    for name in reversed(picked):
        inside = Text(f"exists {name}, {inside.at(BINDER)}", BINDER)
    return inside
