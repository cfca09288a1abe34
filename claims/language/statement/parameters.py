"""What the parameters of a claim's games must be: without that there is no game, and the claim is ill-defined.

It is asked of every case of the domains, before the hypotheses, whether or not the claim asks the game anything there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from claims.language.heaps.heading import Parameter
from claims.language.statement.claim import Claim, Game
from claims.language.statement.domains import IntervalDomain, ListedDomain, read_literal
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT


def state_bounds(game: Game, parameter: Parameter) -> Iterator[t.Term]:
    """That the integer which the game has as a parameter lies in the parameter's domain."""
    bound = dict(game.arguments)[parameter.name]
    yield _compare("ge", bound, parameter.lo)
    if parameter.hi is not None:
        yield _compare("le", bound, parameter.hi)


def state_legal(claim: Claim) -> t.Term | None:
    """The condition that all parameters of its games lie in their domains, and have a value.

    None where the domains of its variables show it at once.
    """
    parts: list[t.Term] = []
    for game in claim.games:
        bound = dict(game.arguments)
        for parameter in game.ruleset.parameters:
            argument = bound[parameter.name]
            if parameter.kind != "int":
                if not _has_value(argument):
                    parts.append(t.Operation(BOOL, 0, 0, "eq", (argument, argument)))
            elif not _is_seen(claim, argument, parameter):
                parts += state_bounds(game, parameter)
    return t.AllOf(BOOL, 0, 0, tuple(parts)) if parts else None


def _compare(op: str, term: t.Term, bound: int) -> t.Term:
    return t.Operation(BOOL, 0, 0, op, (term, t.Literal(INT, 0, 0, bound)))


def _has_value(argument: t.Term) -> bool:
    """Whether a set or a list is a variable, or written down."""
    if isinstance(argument, t.Collection):
        return all(isinstance(x, t.Literal | t.Variable) for x in argument.items)
    return isinstance(argument, t.Variable)


def _is_seen(claim: Claim, argument: t.Term, parameter: Parameter) -> bool:
    """Whether the least and the greatest value that an integer may have, by the domains, are inside."""
    least, greatest = _find_bound(claim, argument, min), _find_bound(claim, argument, max)
    above = least is not None and parameter.lo <= least
    return above and (parameter.hi is None or (greatest is not None and greatest <= parameter.hi))


def _find_bound(claim: Claim, term: t.Term, extreme: Callable[[Iterable[int]], int]) -> int | None:
    """A number that an integer is never below (`extreme`: min) or never above (max); None where it is not seen."""
    match term:
        case t.Operation(op="add", args=args):
            parts = [_find_bound(claim, x, extreme) for x in args]
            known = [x for x in parts if x is not None]
            return sum(known) if len(known) == len(parts) else None
        case t.Variable(name=name):
            domain = next((v.domain for v in claim.variables if v.name == name), None)
            match domain:
                case IntervalDomain(lo=lo, hi=hi):
                    end = lo if extreme is min else hi
                    return None if end is None else _find_bound(claim, end, extreme)
                case ListedDomain(values=values):
                    return extreme(x for x in values if isinstance(x, int))
            return None
    return read_literal(term)
