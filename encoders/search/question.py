"""The problem of a search: the game, its fixed parameters, and the region of the free parameters.

The claim quantifies over the free parameters in this region.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from claims.language.errors import ClaimError, LanguageError, SourceLocation
from claims.language.files.claim import Game
from claims.language.files.domains import read_literal
from claims.language.files.rulesets import Parameter, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.grammar import digits
from claims.language.syntax.printing import print_term, substitute
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.logic.sequents import conjunction
from encoders.search.refusals import require_followed

GAME, POSITION_NAME, HEAP = "game", "s", "h"
SHAPE = ("heaps", "least", "times", "largest")  # names of the numbers of a position in a proof about n players
_TAKEN = (HEAP, POSITION_NAME)  # names of the picked heap in a proof, and of the position in a claim
_MIRRORED = {"gt": "lt", "ge": "le"}


@dataclass(frozen=True)
class FreeParameter:
    """A parameter over which the claim quantifies.

    `name`: the name of the parameter in the claim.
    `domain`: the domain of the parameter, as text for a claim file.
    """

    parameter: Parameter
    name: str
    domain: str
    first: int  # the least value of the parameter


@dataclass(frozen=True, eq=False)
class SearchProblem:
    """A game with fixed parameters, and with free parameters that range over a region.

    `free`: the free parameters, in an order in which each domain uses only earlier parameters.
    `bound`: the fixed parameters with their values.
    `condition`: the part of the region that the domains do not express, over the free names; None if there is none.
    `where`: the whole region as text; "" if the problem comes from a claim.
    `reserved`: further names that a proof must not use.
    `spoken`: comparisons of heaps in the claim, such as ("h", ">", "1"). A search always considers the number of heaps
    with this property.
    """

    ruleset: Ruleset
    free: tuple[FreeParameter, ...]
    bound: tuple[tuple[str, t.Term], ...]
    condition: t.Term | None
    where: str
    reserved: tuple[str, ...] = ()
    spoken: tuple[tuple[str, str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the free parameters in the claim."""
        return tuple(x.name for x in self.free)

    @property
    def sides(self) -> tuple[int, ...]:
        """The players for whom an invariant is needed: one for an impartial game, none for a game of n players."""
        if self.ruleset.player_count:
            return ()
        return (0,) if self.ruleset.impartial else (0, 1)

    def side_name(self, side: int) -> str:
        """Return the name of a player in a proof: "mover" for an impartial game, else the name in the ruleset."""
        return "mover" if self.ruleset.impartial else self.ruleset.players[side]

    @property
    def game(self) -> Game:
        """The game as it appears in a claim."""
        arguments = dict(self.bound) | {x.parameter.name: variable(x.name) for x in self.free}
        return Game(GAME, self.ruleset, tuple((p.name, arguments[p.name]) for p in self.ruleset.parameters))

    @property
    def call(self) -> str:
        """The game as text for the line `ruleset` of a claim file."""
        given = dict(self.bound) | {x.parameter.name: variable(x.name) for x in self.free}
        told = [f"{p.name} = {print_term(given[p.name])}" for p in self.ruleset.parameters]
        plain = not self.bound and all(x.name == x.parameter.name for x in self.free)
        return self.ruleset.id if plain else f"{self.ruleset.id}({', '.join(told)})"

    def elaborator(self, *names: str) -> Elaborator:
        """Return a parser of expressions over the position, the parameters and the integers `names`."""
        numbers = dict.fromkeys((*self.names, *names), INT)
        return Elaborator({POSITION_NAME: POSITION, **numbers}, without_game="no question about a game")


def variable(name: str) -> t.Variable:
    """Return an integer variable with this name, as a term."""
    return t.Variable(INT, 0, 0, name)


def ask(ruleset: Ruleset, given: Mapping[str, str], where: str) -> SearchProblem:
    """Return the problem of a search for a game: its ruleset, fixed parameters, and the region of the free parameters.

    `given`: the fixed parameters, as text. `where`: the region, as a condition; "" for all parameters.
    Raises ClaimError for invalid text, and Unsupported for a game that the search does not support.
    """
    require_followed(ruleset)
    known = {p.name: p for p in ruleset.parameters}
    for name in given:
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else f"{ruleset.id} has no parameters"
            raise ClaimError(SourceLocation(f"--set {name}"), f"{ruleset.id} has no parameter {name!r}", expected)
    bound = {name: _read(f"--set {name}", value, known[name]) for name, value in given.items()}
    for p in ruleset.parameters:
        if p.kind != "int" and p.name not in bound:
            example = "{1, 3, 4}" if p.kind == "set" else "[1, 3, 4]"
            problem = f"the parameter {p.name!r} of {ruleset.id} is a {p.kind}, which must be given"
            raise ClaimError(SourceLocation("--set"), problem, f'--set "{p.name}={example}"')
    names = {p.name: _make_free_name(p.name, ruleset) for p in ruleset.parameters if p.name not in bound}
    region = _read_region(where, names)
    told = print_term(conjunction(*region)) if region else ""
    renamed = {old: variable(new) for old, new in names.items() if new != old}
    if renamed:
        region = [substitute(x, renamed) for x in region]
    for x in list(region):  # k == l or k == 3 eliminates a variable
        match x:
            case t.Operation(op="eq", args=(t.Variable() as a, t.Variable() | t.Literal() as b)):
                other, name = (a, b.name) if isinstance(b, t.Variable) else (b, a.name)
                parameter = next((p for p, n in names.items() if n == name), None)
                if parameter is not None:
                    bound[parameter] = other
                    region.remove(x)
    left = {p: n for p, n in names.items() if p not in bound}
    free, rest = _find_domains([known[p] for p in left], left, region)
    condition = conjunction(*rest) if rest else None
    return SearchProblem(ruleset, free, tuple(bound.items()), condition, told)


def _make_free_name(name: str, ruleset: Ruleset) -> str:
    taken = {*_TAKEN, *ruleset.players, *(p.name for p in ruleset.parameters if p.name != name)}
    taken |= set(SHAPE) if ruleset.player_count else set()
    while name in taken:
        name += "_"
    return name


def _read(place: str, given: str, parameter: Parameter) -> t.Term:
    try:
        term = Elaborator({}, without_game="a value without questions about a game").term(given, parameter.type)
    except LanguageError as error:
        marked = SourceLocation(place, 0, error.start + 1, error.end - error.start, given)
        raise ClaimError(marked, error.message, error.expected) from None
    value = read_literal(term)
    if parameter.kind == "int" and value is not None and not parameter.admits(value):
        problem = f"{digits(value)} is outside the domain of {parameter.name!r}"
        raise ClaimError(SourceLocation(place), problem, parameter.domain)
    return term


def _read_region(where: str, names: Mapping[str, str]) -> list[t.Term]:
    if not where.strip():
        return []
    try:
        term = Elaborator(dict.fromkeys(names, INT), without_game="a condition on parameters").term(where, BOOL)
    except LanguageError as error:
        marked = SourceLocation("--where", 0, error.start + 1, error.end - error.start, where)
        raise ClaimError(marked, error.message, error.expected) from None
    return list(t.conjuncts(term))


def _find_domains(
    parameters: list[Parameter], names: Mapping[str, str], region: list[t.Term]
) -> tuple[tuple[FreeParameter, ...], list[t.Term]]:
    """Divide the conditions of the region into domains of the free parameters and remaining conditions.

    For example, k >= 2 and k < l give the domains 2.. and k + 1.. of k and l. Return the free parameters with their
    domains, and the conditions that the domains do not express.
    `names`: the name of each parameter in the claim.
    """
    above: dict[str, tuple[str, int]] = {}  # for a < b: b -> (a, the least difference)
    least = {names[p.name]: p.lo for p in parameters}
    rest: list[t.Term] = []
    bounded = {names[p.name] for p in parameters if p.hi is not None}
    for x in region:
        lesser, greater, gap = _read_order(x)
        if isinstance(greater, t.Variable) and isinstance(lesser, t.Literal):
            least[greater.name] = max(least[greater.name], lesser.value + gap)
        elif (
            isinstance(lesser, t.Variable)
            and isinstance(greater, t.Variable)
            and greater.name not in {*above, *bounded, lesser.name}
            and greater.name not in _list_below(lesser.name, above)
        ):
            above[greater.name] = (lesser.name, gap)
        else:
            rest.append(x)
    free: dict[str, FreeParameter] = {}
    waiting = list(parameters)
    for _ in range(len(parameters) ** 2):
        if not waiting:
            break
        p = waiting.pop(0)
        name = names[p.name]
        if name not in above:
            domain = f"{least[name]}..{'' if p.hi is None else p.hi}"
            free[name] = FreeParameter(p, name, domain, least[name])
        elif above[name][0] in free:
            lesser_name, gap = above[name]
            first = free[lesser_name].first + gap
            if first < least[name]:  # the domain can express only one of the two bounds
                rest.append(t.Operation(BOOL, 0, 0, "ge", (variable(name), t.Literal(INT, 0, 0, least[name]))))
            free[name] = FreeParameter(p, name, f"{lesser_name}{f' + {gap}' if gap else ''}..", max(first, least[name]))
        else:
            waiting.append(p)
    return tuple(free.values()), rest


def _read_order(x: t.Term) -> tuple[t.Term | None, t.Term | None, int]:
    """Return (a, b, gap) if the condition is equivalent to a + gap <= b, with gap 0 or 1.

    Return (None, None, 0) for another condition.
    """
    if isinstance(x, t.Operation) and x.op in ("lt", "le", "gt", "ge"):
        a, b = x.args if x.op in ("lt", "le") else x.args[::-1]
        return a, b, int(_MIRRORED.get(x.op, x.op) == "lt")
    return None, None, 0


def _list_below(name: str, above: Mapping[str, tuple[str, int]]) -> Iterator[str]:
    """Yield the names of the variables that are at most `name` in the region.

    `above[b]` is (a, gap) if the region requires a + gap <= b.
    """
    for _ in range(len(above)):
        if name not in above:
            return
        name = above[name][0]
        yield name
