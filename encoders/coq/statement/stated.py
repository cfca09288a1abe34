"""What the theorem of a claim says, as a module before any of its proof: games, where there is a meaning, claim.

Nothing of the proof has a name yet where this is read, so that no name of the proof can change what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims.language.expressions.printing import display
from claims.language.expressions.walk import structural_key, walk
from claims.language.statement.claim import Claim, Game
from claims.language.statement.parameters import state_bounds
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.coq.statement.domains import Binder, write_variables
from encoders.coq.statement.games import WrittenGame, may_split, write_game, write_players
from encoders.coq.statement.numbers import GRUNDY, GRUNDY_NAME
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import AND, ARROW, BINDER, GLOBAL, Text, apply, chain, infix
from encoders.ground.refusals import Unsupported
from encoders.logic.definedness import DefinednessCondition, Guard, Over, Path, measure, needs_of_claim, needs_of_game
from encoders.logic.moves import open_several
from encoders.logic.terms import at_least, integer
from encoders.rules.normal.game import normal_game

# -- what a claim says ------------------------------------------------------------------------------------------------
# What a claim says, where it may ask for Grundy values.


def asks_for_values(claim: Claim) -> bool:
    """Whether a claim speaks of Grundy values."""
    found = walk((claim.hypothesis or (), claim.conclusion))
    return any(isinstance(x, t.GameCall) and x.function == "grundy" for x in found)


def state(claim: Claim, numbers: Statements) -> Text:
    """What the claim says of its variables; Grundy values are those of a function that has them all."""
    asks = asks_for_values(claim)
    if asks and len(claim.games) != 1:
        raise Unsupported("Grundy values beside several games are not generated")
    inner = numbers.bind({GRUNDY: Text(GRUNDY_NAME)}) if asks else numbers
    says = inner.says(claim.conclusion)
    if claim.hypothesis is not None:
        says = infix(inner.says(claim.hypothesis), "->", says, ARROW, "right")
    if not asks:
        return says
    (game,) = claim.games
    known = apply(numbers.word("values", game.name), numbers.games[game.name], Text(GRUNDY_NAME))
    return Text(f"exists {GRUNDY_NAME} : position -> N, {infix(known, chr(47) + chr(92), says, AND).text}", BINDER)


# -- stated -----------------------------------------------------------------------------------------------------------
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_']*")


@dataclass(frozen=True)
class CoqStatement:
    """`text`: the module. `claim`: with its definitions written out; what names are there; the games as written."""

    claim: Claim
    binders: Sequence[Binder]
    numbers: Statements
    games: tuple[WrittenGame, ...]
    text: str


def write_stated(claim: Claim) -> CoqStatement:
    """What the theorem of the claim says. Raises Unsupported, and TooLong for definitions."""
    whole = unfolded_claim(claim)
    binders, numbers = write_variables(whole)
    games = tuple(write_game(game, numbers) for game in _each_ruleset(whole))
    players = write_players(numbers, whole.games[0].ruleset.players) if _have_players(whole) else ""
    typed = "".join(f" ({b.name} : {b.type})" for b in binders)
    bounds = " ".join(f"{x.says.at(ARROW - 1)} ->" for b in binders for x in b.bounds)
    lines = [f"forall{typed},"] if typed else []
    says = "\n  ".join([*lines, *([bounds] if bounds else []), state(whole, numbers).at(BINDER)])
    needed = dict.fromkeys(_needed(claim, numbers))
    needed |= dict.fromkeys((_unknown(says, binders), says) for says in numbers.differences or ())
    meaning = " /\\\n  ".join(f"({_for_all(typed + more, bounds, needs)})" for more, needs in needed) or "True"
    text = f"""\
(* What is claimed: of which games, where it has a meaning, and what it is.  Nothing of the proof has a name yet. *)
Module Statement.
{players}
{chr(10).join(g.text for g in games)}
Definition defined : Prop :=
  {meaning}.

Definition claimed : Prop :=
  {says}.
End Statement.
Import Statement.
"""
    return CoqStatement(whole, binders, numbers, games, text)


def _each_ruleset(claim: Claim) -> Iterator[Game]:
    """A game of each ruleset. Raises Unsupported where two are of one ruleset with other sets."""
    found: dict[str, Game] = {}
    for game in claim.games:
        first = found.setdefault(game.ruleset.id, game)
        if first is game:
            yield game
        elif _sets(first) != _sets(game):
            raise Unsupported(f"{game.ruleset.id} with different sets or lists")


def _sets(game: Game) -> list[object]:
    return [structural_key(x) for _, x in game.arguments if x.type != INT]


def _have_players(claim: Claim) -> bool:
    return bool(claim.games) and bool(claim.games[0].ruleset.players)


def _for_all(typed: str, bounds: str, says: str) -> str:
    return " ".join(x for x in (f"forall{typed}," if typed else "", bounds, says) if x)


# -- where there is a meaning ------------------------------------------------------------------------------------------
def _needed(claim: Claim, numbers: Statements) -> Iterator[tuple[str, str]]:
    """What the claim needs to have a truth value everywhere, in its variables, and more of them. Raises Unsupported."""
    found = list(needs_of_claim(claim))
    for game in claim.games:
        for parameter in game.ruleset.parameters:
            if parameter.kind == "int":
                found += [
                    DefinednessCondition(f"the parameter {parameter.name}", (), x)
                    for x in state_bounds(game, parameter)
                ]
        found += _needs_of_moves(claim, game)
    for need in found:
        if says := _write(need.path, need.holds, numbers):
            yield "", says.at(BINDER)


def _needs_of_moves(claim: Claim, game: Game) -> Iterator[DefinednessCondition]:
    """What the moves need; where sets are spelled out, or heaps are split, those of the normal form of the game."""
    if all(p.kind == "int" for p in game.ruleset.parameters) and not may_split(game.ruleset):
        yield from (*needs_of_game(claim, game), *measure(game))
        return
    normal = normal_game(game)
    yield from (*needs_of_game(claim, normal, open_several), *measure(normal, open_several))


def _write(path: Path, holds: t.Term, numbers: Statements) -> Text | None:
    """What is needed wherever evaluation takes the path; None where the text itself says it. Raises Unsupported."""
    if not path:
        parts = [x for x in t.conjuncts(holds) if not _plain(x, numbers)]
        return chain(map(numbers.says, parts), "/\\", AND, "True", "right") if parts else None
    step, rest = path[0], path[1:]
    if isinstance(step, Guard):
        then = _write(rest, holds, numbers)
        try:
            return then and chain((numbers.says(step.term), then), "->", ARROW, "True", "right")
        except Unsupported:
            return then  # what is needed without the condition is more
    kind, name, inner, there = _run(step, numbers)
    then = _write(rest, holds, inner)
    if then is None:
        return None
    return Text(f"forall {name} : {kind}, {chain((there, then), '->', ARROW, 'True', 'right').text}", BINDER)


def _run(step: Over, numbers: Statements) -> tuple[str, str, Statements, Text]:
    """As `Statements.run`, and for every heap of every position. Raises Unsupported."""
    if step.source is not None:
        return numbers.run(t.Clause(step.variable, step.source, ()))
    name = numbers.free(display(step.variable))
    inner = numbers.bind({step.variable: Text(name)})
    return "N", name, inner, inner.says(at_least(t.Variable(INT, 0, 0, step.variable), integer(1)))


def _plain(term: t.Term, numbers: Statements) -> bool:
    """Whether a condition says of what is written as a natural number that it is none below 0."""
    match term:
        case t.Operation(op="ge", args=(x, t.Literal(value=value))) if value <= 0:
            return not numbers.number(x).without_common().minus
    return False


def _unknown(says: str, binders: Sequence[Binder]) -> str:
    """The names in a text that are no variables of the claim: what is said must hold of all numbers."""
    others = sorted(set(_NAME.findall(says)) - {b.name for b in binders} - GLOBAL)
    return "".join(f" ({name} : N)" for name in others)
