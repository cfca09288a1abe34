"""A family of games: a claim with parameters that range over finitely many numbers, and one game for each choice.

    ruleset = "octal(code = [a, b, c])"
    [forall]
    a = "0..7"
    b = "0..7"
    c = "0..7"
    n = "0.."

A member of the family is a choice of values for the variables with finite domains, here a, b and c, and thus a game.
For each member, a periodic table of values is searched for and checked, as for a claim with the rule "periodic". If no
table is found, the result for the member is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from claims.language.files.claim import Claim, Game
from claims.language.files.domains import IntervalDomain
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, rebuild
from encoders.logic.sequents import integer, polynomial
from encoders.periods.tables import PeriodicTable, TableTooLarge, UnverifiedTable, verify
from encoders.refusals import Unsupported
from encoders.rules.base.shape import require_one_game
from encoders.rules.periodic.finding import find_table_of, get_periodic_proof, read_moves

MOST_MEMBERS = 100_000
Member = tuple[tuple[str, int], ...]  # the finite variables with their values


@dataclass(frozen=True)
class FamilyMemberResult:
    """The result for one member of a family.

    `table`: the periodic table, which was checked; None if none was found.
    `words`: a description of the check or, without a table, the reason.
    """

    member: Member
    table: PeriodicTable | None
    words: str


def list_members(claim: Claim) -> list[Member]:
    """Return the members of the family: all choices of values for the variables with finite domains.

    The last variable changes fastest. Raises Unsupported if there is no such variable, if the claim has a hypothesis,
    or if there are too many members.
    """
    if claim.hypothesis is not None:
        raise Unsupported("a family must not have a hypothesis; restrict the domains instead")
    found = list(_list_members(claim, ()))
    if len(found) > MOST_MEMBERS:
        raise Unsupported(f"the family has more than {MOST_MEMBERS} games")
    if not found or not found[0]:
        raise Unsupported("a family needs a variable with a finite, non-empty domain")
    return found


def _list_members(claim: Claim, chosen: Member) -> Iterator[Member]:
    finite = [v for v in claim.variables if isinstance(v.domain, IntervalDomain) and v.domain.hi is not None]
    if len(finite) == len(chosen):
        yield chosen
        return
    domain = finite[len(chosen)].domain
    assert isinstance(domain, IntervalDomain) and domain.hi is not None
    lo, hi = (polynomial(_substitute_numbers(end, dict(chosen))).constant for end in (domain.lo, domain.hi))
    if lo is None or hi is None:
        raise Unsupported(f"the domain of {finite[len(chosen)].name} is not finite: {finite[len(chosen)].text}")
    if hi - lo > MOST_MEMBERS:
        raise Unsupported(f"the family has more than {MOST_MEMBERS} games")
    for x in range(lo, hi + 1):
        yield from _list_members(claim, (*chosen, (finite[len(chosen)].name, x)))


def _substitute_numbers(term: t.Term, values: dict[str, int]) -> t.Term:
    """Return the term with the numbers `values`, by name, substituted for variables."""
    if isinstance(term, t.Variable) and term.name in values:
        return integer(values[term.name])
    return rebuild(term, lambda x: _substitute_numbers(x, values))


def settle_member(claim: Claim, member: Member, most: int) -> FamilyMemberResult:
    """Search for the periodic table of a member, check it, and return the result.

    If the search fails or needs more than `most` heaps, or if the check fails, the result has no table but the reason.
    """
    try:
        table, _ = find_table_of(claim, _choose(claim, member), get_periodic_proof(claim), most)
        return FamilyMemberResult(member, table, verify(table).words)
    except (Unsupported, TableTooLarge, UnverifiedTable) as error:
        return FamilyMemberResult(member, None, str(error))


def find_moves(claim: Claim, member: Member = ()) -> PeriodicTable | None:
    """Return a table that contains only the moves of a member and the question of the claim, without values.

    Return None if the game is unsupported.
    """
    try:
        return read_moves(claim, _choose(claim, member))
    except Unsupported:
        return None


def _choose(claim: Claim, member: Member) -> Game:
    """Return the claim's game with the values of a member in its arguments."""
    game, chosen = require_one_game(claim), dict(member)
    return replace(game, arguments=tuple((name, _substitute_numbers(x, chosen)) for name, x in game.arguments))


def name_game(claim: Claim, member: Member) -> str:
    """Return the game of a member as text, such as `octal(code = [0, 7, 7])`."""
    game, chosen = require_one_game(claim), dict(member)
    given = ", ".join(f"{name} = {print_term(_substitute_numbers(x, chosen))}" for name, x in game.arguments)
    return f"{game.name}({given})"
