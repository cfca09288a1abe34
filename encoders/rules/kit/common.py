"""What several rules have: kinds of obligations, what a game must be and where a claim has a value; outcomes."""

from __future__ import annotations

from claims.language.statement.claim import Claim, Game
from claims.language.statement.domains import ClaimVariable, IntervalDomain, ListedDomain, Players, Positions
from claims.language.terms.terms import Term
from claims.language.terms.types import INT
from encoders.ground.kinds import ObligationKind
from encoders.ground.refusals import Unsupported
from encoders.logic.terms import conjunction, negation

PARAMETERS = ObligationKind(
    "parameters{of}",
    "Some value of the claim's variables is no legal parameter of the game",
    "Narrow the variable in [forall], or change the argument in `ruleset`",
)
RULES = ObligationKind(
    "{part} is defined: {words}",
    "The rules of the game have no value at some heap, or for some number that is picked",
    "Guard the operation in the ruleset's file, as by `len(h.c) == 0 or ...`, or narrow the range of a number",
    "it has a value everywhere",
)
MEASURE = ObligationKind(
    "measure{of}",
    "Some legal move leaves no less than it finds, or a heap below 0",
    "Bound the numbers picked, or the `where` of the move, in the ruleset's file",
)
DEFINED = ObligationKind(
    "defined: {words}",
    "Some part of the claim has no value in this case, or speaks of heaps beyond the bound of the proof",
    "Exclude the case, by the domain of a variable or in `if`; for a heap h of a position by all(h >= 2 for h in s) in "
    "`if`, or where it runs, by `for h in s if h >= 2`; under a bound `sizes` the heaps of a position that is written "
    "down need a bound in the claim, or the proof none",
)


def claim_follows(means: str, change: str) -> ObligationKind:
    """That the claim follows: the last obligation of a proof."""
    return ObligationKind("claim{where}", means, change, "it follows")


def only_game(claim: Claim) -> Game:
    """The game of a claim about one. Raises Unsupported for others."""
    if len(claim.games) != 1:
        instead = 'make it a claim about each, and put these into `by` of rule = "definition"'
        raise Unsupported(f"the rule is about one game, and the claim has {len(claim.games)}", instead=instead)
    return claim.games[0]


def refuse_variable(v: ClaimVariable) -> Unsupported:
    """What a rule says of a variable that it does not read."""
    if isinstance(v.domain, Players):
        instead = "ask about each player by name, as in wins(s, P1) and wins(s, P2)"
    else:
        instead = "" if v.type == INT else "let it be about integers, and write positions down heap by heap"
    written = f"{{ {v.text.replace('in ', 'in = ', 1)} }}" if v.text.startswith("in ") else f'"{v.text}"'
    return Unsupported(f"the rule reads no variable {v.name} = {written}", instead=instead)


def refuse_others(claim: Claim) -> None:
    """Raises Unsupported where a variable is no integer and no position."""
    for v in claim.variables:
        if not (
            isinstance(v.domain, Positions) or (v.type == INT and isinstance(v.domain, IntervalDomain | ListedDomain))
        ):
            raise refuse_variable(v)


def has_outcome(outcome: str, first: Term, second: Term) -> Term:
    """Whether a position has the outcome where `first` and `second` say that either player, to move, loses."""
    return {
        "P_position": conjunction(first, second),
        "N_position": conjunction(negation(first), negation(second)),
        "first_wins": conjunction(negation(first), second),
        "second_wins": conjunction(first, negation(second)),
    }[outcome]
