"""The variables of a claim in Coq: natural numbers with their bounds, positions, players."""

from __future__ import annotations

from dataclasses import dataclass

from claims.language.statement.claim import Claim
from claims.language.statement.domains import ElementsOf, IntervalDomain, Players, Positions
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.coq.statement.games import game_text
from encoders.coq.statement.statements import Statements, key_of_player, key_of_ruleset
from encoders.coq.statement.writing import Text, name_in_coq
from encoders.ground.refusals import Unsupported
from encoders.rules.folds.numbers.intervals import Interval as Between


@dataclass(frozen=True)
class DomainHypothesis:
    """A hypothesis about a variable, and what it is called."""

    name: str
    says: Text


@dataclass(frozen=True)
class Binder:
    """A variable of the claim: what it is called there and in Coq, its type there, its bounds."""

    word: str
    name: str
    type: str
    bounds: tuple[DomainHypothesis, ...]

    @property
    def is_number(self) -> bool:
        return self.type == "N"


def write_variables(claim: Claim) -> tuple[list[Binder], Statements]:
    """The variables in order, and what writes terms over them. Raises Unsupported.

    Players, rulesets and variables are named one after the other, so that no two have one name.
    """
    if claim.quantifier == "exists":
        raise Unsupported("a claim that something exists has no generated theorem")
    numbers = Statements({})  # no difference is cut off in a bound: what is asked of differences is asked within bounds
    for game in claim.games:
        for index, player in enumerate(game.ruleset.players):
            numbers = _named(key_of_player(index), player, numbers)
        numbers = _named(key_of_ruleset(game.ruleset.id), game.ruleset.id, numbers)
    binders: list[Binder] = []
    for variable in claim.variables:
        bounds: list[DomainHypothesis] = []
        low: t.Term | None = None
        high: t.Term | None = None
        match variable.domain:
            case IntervalDomain(lo=lo, hi=hi) if variable.type == INT:
                kind, low, high, range_ = "N", lo, hi, numbers.range(lo)
                if not range_.natural:
                    raise Unsupported(f"{variable.name} in {variable.text} may be negative")
                numbers.ranges = {**numbers.ranges, variable.name: Between(range_.lo)}
            case Positions():
                kind = "position"
            case Players():
                kind = "player"
            case ElementsOf():
                raise Unsupported(f"{variable.name} in {variable.text}: no heap of a position is a variable there yet")
            case _:
                raise Unsupported(f"{variable.name} in {variable.text} has no domain in Coq")
        numbers = _named(variable.name, variable.name, numbers)
        name = numbers.names[variable.name].text
        this = t.Variable(variable.type, 0, 0, variable.name)
        if low is not None and not (isinstance(low, t.Literal) and low.value == 0):
            bounds.append(DomainHypothesis(f"{name}_from", numbers.compare("le", "<=", low, this)))
        if high is not None:
            bounds.append(DomainHypothesis(f"{name}_to", numbers.compare("le", "<=", this, high)))
        binders.append(Binder(variable.name, name, kind, tuple(bounds)))
    numbers.differences = {}
    numbers.rules = {g.name: g for g in claim.games}
    numbers.games = {g.name: game_text(g, numbers) for g in claim.games}
    return binders, numbers


def _named(key: str, word: str, numbers: Statements) -> Statements:
    """With a name for what the file calls by that word; a few short ones stay what they are."""
    if key in numbers.names:
        return numbers
    used = numbers.used_names
    stays = word in ("s", "p", "m", "n", "x") and word not in used
    return numbers.bind({key: Text(word if stays else name_in_coq(word, used))})
