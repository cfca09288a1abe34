"""Rulesets as games of the theory: who may make what of a heap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import substitute
from claims.language.statement.claim import Game
from claims.language.statement.domains import IntervalDomain
from claims.language.statement.rulesets import Move, Pick, Ruleset
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.coq.statement.numbers import total
from encoders.coq.statement.ranges import holds_naturals
from encoders.coq.statement.statements import Statements, key_of_player, key_of_ruleset
from encoders.coq.statement.writing import AND, BINDER, COMPARISON, OR, Text, apply, chain, comment, infix, name_in_coq
from encoders.ground.refusals import Unsupported
from encoders.rules.folds.numbers.intervals import Interval as Between
from encoders.rules.normal.game import name_members
from encoders.rules.normal.kinds import changed
from encoders.rules.normal.spelling import known_members

PLAYERS = ("First", "Second")


@dataclass(frozen=True)
class WrittenGame:
    """A ruleset in Coq: its definition, and what is shown of it at once, where a proof needs it."""

    text: str
    shown: str = ""


def write_players(numbers: Statements, players: Sequence[str]) -> str:
    """The names of the two players. Raises Unsupported."""
    if len(players) != 2:
        raise Unsupported("the theory has games of two players")
    return "".join(f"Notation {numbers.names[key_of_player(i)].text} := {x}.\n" for i, x in enumerate(PLAYERS))


def may_split(ruleset: Ruleset) -> bool:
    """Whether a move may put more heaps, or none, in the place of one: such games are a type of their own."""
    return any(len(move.become) != 1 for move in ruleset.moves)


def spell_out(game: Game) -> Ruleset:
    """The ruleset with the members of sets and lists in the place of their parameters. Raises Unsupported.

    A member that is no number is a parameter of its own, a natural number.
    """
    written = dict(game.arguments)
    game = name_members(game)
    ruleset, given = game.ruleset, dict(game.arguments)
    known = {p.name: given[p.name] for p in ruleset.parameters if p.kind != "int"}
    for name, x in known.items():
        named = isinstance(x, t.Collection) and all(isinstance(i, t.Variable | t.Literal) for i in x.items)
        if not named and known_members(x) is None:
            raise Unsupported(f"{ruleset.id}: the parameter {name} is {print_term(written[name])}, not written out")
    moves = tuple(changed(move, partial(substitute, values=known)) for move in ruleset.moves)
    return replace(ruleset, moves=moves, parameters=tuple(p for p in ruleset.parameters if p.name not in known))


def write_game(game: Game, known: Statements) -> WrittenGame:
    """Its rules as a game, called as `known` calls it. Raises Unsupported for what the theory does not have."""
    ruleset = spell_out(game)
    splits = may_split(ruleset)
    alone = all(len(m.heaps) == 1 and m.choose != "each" for m in ruleset.moves)
    if ruleset.measure is not None or ruleset.sees_position or not alone:
        raise Unsupported(f"{ruleset.id}: the theory has moves that make one heap smaller, or put others in its place")
    chosen = {move.choose for move in ruleset.moves}
    if chosen != {"any"} and (splits or chosen != {"largest"}):
        raise Unsupported(f"{ruleset.id}: the theory has moves on any heap, or all of them on a largest one")
    name = known.names[key_of_ruleset(ruleset.id)].text
    numbers = Statements({})
    for p in ruleset.parameters:
        if p.lo < 0:
            raise Unsupported(f"{ruleset.id}: the parameter {p.name} is no natural number")
        numbers.ranges = {**numbers.ranges, p.name: Between(p.lo, p.hi)}
        word = p.name.replace("[", "_").replace("]", "")  # of a member, such as S[0]
        numbers = numbers.bind({p.name: Text(name_in_coq(word, numbers.used_names))})
    given = "".join(f" {numbers.names[p.name].text}" for p in ruleset.parameters)
    kinds = [_write_move(ruleset, move, numbers, splits) for move in ruleset.moves]
    moves = chain(kinds, "\\/", OR, "False", "right").text
    wins = "true" if ruleset.stuck_wins else "false"
    typed = f" ({given.strip()} : N)" if given else ""
    called = f"({name}{given})" if given else name
    head = comment(f"The game, by the ruleset {ruleset.id}: {ruleset.title}.")
    if splits:
        return WrittenGame(f"""\
{head}
Definition {name}{typed} : splitting := {{|
  parts mover h o :=
    {moves};
  split_stuck_wins := {wins} |}}.
""")
    shown_text = f"""\
{head}
Definition {name}{typed} : game := {{|
  of_largest := {"true" if chosen == {"largest"} else "false"};
  becomes mover h y :=
    {moves};
  stuck_wins := {wins} |}}.
"""
    shown = f"""\
Lemma {name}_smaller{given} p h y : becomes {called} p h y -> y < h.
Proof. smaller. Qed.
Lemma {name}_decided{given} p h y : becomes {called} p h y \\/ ~ becomes {called} p h y.
Proof. unfold {name}. decided p h y. Qed.
"""
    return WrittenGame(shown_text, shown)


def game_text(game: Game, numbers: Statements) -> Text:
    """The game with its parameters. Raises Unsupported."""
    name = numbers.names[key_of_ruleset(game.ruleset.id)].text
    game = name_members(game)
    kinds = {p.name: p.kind for p in game.ruleset.parameters}
    return apply(name, *(numbers.natural(x) for key, x in game.arguments if kinds[key] == "int"))


def _write_move(ruleset: Ruleset, move: Move, known: Statements, splits: bool) -> Text:
    """That it makes y of a heap h; of a game in which heaps are split, the heaps o."""
    (heap,) = move.heaps
    numbers = known.bind({"mover": Text("mover"), heap: Text("h")})
    picked, conditions = [], list[Text]()
    for pick in move.picks:
        used = numbers.used_names
        name = "m" if pick.name == "m" and "m" not in used else name_in_coq(pick.name, used)
        inner = numbers.bind({pick.name: Text(name)})
        conditions += _range(ruleset, pick, numbers, inner)
        numbers = inner
        picked.append(name)
    if move.where is not None:
        conditions.append(numbers.says(move.where))
    left = [numbers.number(size).without_common() for size in move.become]
    if splits:
        heaps = list[Text]()
        for made in left:  # a difference is a number with a name, so that it is not cut off at 0
            name = name_in_coq("y", (*numbers.used_names, *picked)) if made.minus else ""
            heaps.append(Text(name) if name else total(made.plus))
            if name:
                picked.append(name)
                conditions.append(infix(total((Text(name), *made.minus)), "=", total(made.plus), COMPARISON))
        conditions.append(infix(Text("o"), "=", Text(f"[{'; '.join(x.text for x in heaps)}]"), COMPARISON))
    else:
        (one,) = (numbers.number(size) for size in move.become)
        conditions.append(infix(total((Text("y"), *one.minus)), "=", total(one.plus), COMPARISON))
    inside = chain(conditions, "/\\", AND, "True", "right")
    for name in reversed(picked):
        inside = Text(f"exists {name}, {inside.at(BINDER)}", BINDER)
    return inside


def _range(ruleset: Ruleset, pick: Pick, outside: Statements, inside: Statements) -> list[Text]:
    """That a number is picked from its range or set. `inside`: where it has its name."""
    this = t.Variable(INT, 0, 0, pick.name)
    if isinstance(pick.domain, IntervalDomain):
        if pick.domain.hi is None:
            raise Unsupported(f"{ruleset.id}: {pick.name} is picked without bound")
        if not outside.range(pick.domain.lo).natural:
            raise Unsupported(f"{ruleset.id}: {pick.name} may be negative")
        return [inside.compare("le", "<=", pick.domain.lo, this), inside.compare("le", "<=", this, pick.domain.hi)]
    if not holds_naturals(pick.domain, inside.known_ranges):
        raise Unsupported(f"{ruleset.id}: {pick.name} may be negative")
    return [inside.element(this, pick.domain)]
