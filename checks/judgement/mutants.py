"""The mutants of a claim, which differ from it by one small change, and the test whether the scope refutes them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from checks.results.model import ClaimResult, MutantFate, MutantResult
from checks.results.verdicts import Verdict
from checks.results.wording import assignments
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.files.domains import ElementsOf, IntervalDomain, Scope
from claims.language.files.rulesets import Ending
from claims.language.syntax import terms as t
from claims.language.syntax.printing import display, print_term, rebuild
from claims.language.syntax.terms import BOOL, INT, OUTCOME, PLAYER
from encoders.logic.answer import Decision

# == changes ==========================================================================================================
# The small changes of a term or of a domain of a variable.
Values = tuple[int, ...] | tuple[tuple[int, ...], ...]
TermEdit = tuple[str, t.Term, int]
"""A change of a term: its kind, the new term, and its direction.

The direction is 1 if the new value is never smaller, -1 if it is never larger, and 0 if this is unknown. A condition
counts as larger if it is true in more cases.
"""

_COMPARISONS = {"lt": ("le", 1), "le": ("lt", -1), "gt": ("ge", 1), "ge": ("gt", -1), "eq": ("ne", 0), "ne": ("eq", 0)}
_NIM = {"add": ("nim", -1), "nim": ("add", 1), "sum": ("nim_sum", -1), "nim_sum": ("sum", 1)}  # on naturals
_EXTREMES = {"largest": ("smallest", -1), "smallest": ("largest", 1), "max": ("min", -1), "min": ("max", 1)}
_QUANTIFIERS = {"any": ("all", 0), "all": ("any", 0)}
_KINDS = {"comparison": _COMPARISONS, "nim-addition": _NIM, "min/max": _EXTREMES, "any/all": _QUANTIFIERS}
_SWAPS = {op: (kind, other, way) for kind, table in _KINDS.items() for op, (other, way) in table.items()}


def changes(term: t.Term, players: int) -> Iterator[TermEdit]:
    """Yield the changes at the root of a term, as triples (kind, new term, direction).

    The direction is 1 if the new term is larger, -1 if it is smaller, and 0 if this is unknown. `players`: the number
    of players with a name.

    >>> [(new.value, way) for _, new, way in changes(t.Literal(INT, 0, 1, 5), 2)]
    [(6, 1), (4, -1)]
    """
    match term:
        case t.Literal(type=kind, value=v) if kind == INT:
            yield "constant", _number(term, v + 1), 1
            yield "constant", _number(term, v - 1), -1
        case t.Literal(type=kind, start=a, end=b, value=v) if kind == PLAYER and players > 1:
            yield "player", t.Literal(PLAYER, a, b, (v + 1) % players), 0
        case t.Literal(type=kind, start=a, end=b, value=v) if kind == OUTCOME:
            yield "outcome", t.Literal(OUTCOME, a, b, v ^ 1), 0  # P and N, first_wins and second_wins
        case t.AllOf(args=args):
            yield "and/or", t.AnyOf(BOOL, term.start, term.end, args), 1
        case t.AnyOf(args=args):
            yield "and/or", t.AllOf(BOOL, term.start, term.end, args), -1
        case t.Operation(op="not", args=(t.Operation(op="in") as inside,)):
            yield "comparison", inside, 0
        case t.Operation(op="in"):
            yield "comparison", t.Operation(BOOL, term.start, term.end, "not", (term,)), 0
        case t.Operation(op=op, args=args) if op in _SWAPS:
            what, other, way = _SWAPS[op]
            if what != "nim-addition" or term.type == INT:  # fractions have no nim-sum
                yield what, t.Operation(term.type, term.start, term.end, other, args), way
        case t.Comprehension(reducer=op, body=body, clauses=clauses) if op in _SWAPS:
            what, other, way = _SWAPS[op]
            if what != "nim-addition" or term.type == INT:
                yield what, t.Comprehension(term.type, term.start, term.end, other, body, clauses), way


def _number(old: t.Term, value: int) -> t.Term:
    """Return the term for an integer at the location of `old`. A negative integer is the negation of a literal."""
    number = t.Literal(INT, old.start, old.end, abs(value))
    return number if value >= 0 else t.Operation(INT, old.start, old.end, "neg", (number,))


def move_bound(bound: t.Term) -> Iterator[TermEdit]:
    """Yield two changes of an interval bound: plus 1 and minus 1.

    Yield nothing if the bound is a constant, or a sum or difference that ends with a constant: for such a bound, a
    change of the constant has the same effect.
    """
    match bound:
        case t.Literal() | t.Operation(op="add" | "sub", args=(_, t.Literal())):
            return
    one = t.Literal(INT, bound.start, bound.end, 1)
    for op, way in (("add", 1), ("sub", -1)):
        yield "bound", t.Operation(INT, bound.start, bound.end, op, (bound, one)), way


def neighbours(domain: d.Domain) -> Iterator[tuple[d.Domain, str, str, bool]]:
    """Yield the domains that differ from `domain`, a list or a range of subsets, by 1 in one number.

    Each item contains the new domain, its text, the replaced text, and whether the new domain is a subset of `domain`.
    >>> [(now, was, smaller) for _, now, was, smaller in neighbours(d.ListedDomain((1, 2)))]
    [('2', '1', True), ('0', '1', False), ('3', '2', False), ('1', '2', True)]
    """
    match domain:
        case d.Subsets(lo=lo, hi=hi):
            for a, b in ((lo - 1, hi), (lo + 1, hi), (lo, hi - 1), (lo, hi + 1)):
                if a <= b:
                    smaller = lo <= a and b <= hi
                    yield d.Subsets(a, b), f"subsets of {a}..{b}", f"subsets of {lo}..{hi}", smaller
        case d.ListedDomain(values=values):
            for i, x in enumerate(values):
                rest = values[:i] + values[i + 1 :]
                for new in (
                    (x + 1, x - 1) if isinstance(x, int) else list_neighbouring_positions(cast(tuple[int, ...], x))
                ):
                    kept = rest if new in rest else (*values[:i], new, *values[i + 1 :])
                    yield d.ListedDomain(cast(Values, kept)), str(new), str(x), new in rest


def list_neighbouring_positions(s: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the positions that have one object more, or one object fewer, in one heap.

    >>> list(list_neighbouring_positions((1, 1, 4)))
    [(1, 2, 4), (1, 4), (1, 1, 5), (1, 1, 3)]
    """
    for i, h in enumerate(s):
        if h not in s[:i]:
            for size in (h + 1, h - 1):
                yield tuple(sorted(x for x in (*s[:i], size, *s[i + 1 :]) if x))


# == sites ============================================================================================================
# The place of each term in a claim, and the effect of a larger term on the claim: weaker or stronger.
#
# For example, the claim "x < 2" is stronger than "x < 3", and the claim "x < 4" is weaker than "x < 3". No scope can
# refute a mutant that is weaker than a true claim. The direction of a term shows which mutants are weaker.
Place = tuple[str, ...]
"""("if",), ("then",), ("all", variable, "lo" | "hi" | "source"), ("game", name, parameter) or ("define", head)."""


@dataclass(frozen=True, eq=False)
class Site:
    """An occurrence of a term in a claim.

    `place`: the text that contains the term, such as ("if",).
    `clause`: the smallest condition that contains the term or, if there is none, the complete text.
    `direction`: 1 if a larger term makes the claim weaker, -1 if it makes the claim stronger, 0 if this is unknown. A
    condition is larger if it is true in more cases.
    """

    place: Place
    term: t.Term
    clause: t.Term
    direction: int


def roots(claim: Claim) -> Iterator[tuple[Place, t.Term, int]]:
    """Yield the texts of a claim as terms, each with its place and direction. Definitions are not included.

    The texts are the bounds or sources of variables, the arguments of games, the hypothesis and the conclusion.
    """
    narrows = -1 if claim.quantifier == "exists" else 1  # fewer cases: "for all" is weaker, "exists" is stronger
    for v in claim.variables:
        match v.domain:
            case IntervalDomain(lo=lo, hi=hi):
                yield ("all", v.name, "lo"), lo, narrows
                if hi is not None:
                    yield ("all", v.name, "hi"), hi, -narrows
            case ElementsOf(source=source):
                yield ("all", v.name, "source"), source, 0
    for game in claim.games:
        for parameter, term in game.arguments:
            yield ("game", game.name, parameter), term, 0
    if claim.hypothesis is not None:
        yield ("if",), claim.hypothesis, -narrows
    yield ("then",), claim.conclusion, 1


def sites(claim: Claim) -> Iterator[Site]:
    """Yield every occurrence of a term: in the texts of the claim, then in the definitions that it calls.

    A definition is visited once for each direction in which it is called. Literals that cannot be changed are skipped;
    see `_idle`.
    """
    todo = deque(roots(claim))
    seen: set[tuple[int, int]] = set()
    while todo:
        place, root, direction = todo.popleft()
        for site in _walk_sites(claim, place, root, root, direction):
            yield site
            if isinstance(site.term, t.Apply):
                function = site.term.function
                if (id(function), site.direction) not in seen:
                    seen.add((id(function), site.direction))
                    todo.append((("define", head(function)), function.body, site.direction))


def head(function: t.Function) -> str:
    """Return the left side of a definition.

    >>> head(t.Function("lost", ("s'1", "p'2"), t.Literal(BOOL, 0, 1, 1)))
    'lost(s, p)'
    """
    return f"{function.name}({', '.join(map(display, function.parameters))})" if function.parameters else function.name


def _walk_sites(claim: Claim, place: Place, term: t.Term, clause: t.Term, direction: int) -> Iterator[Site]:
    yield Site(place, term, term if term.type == BOOL else clause, direction)
    for part, way in _list_directed_parts(term, direction):
        if not _idle(claim, term, part):
            yield from _walk_sites(claim, place, part, term if term.type == BOOL else clause, way)


def _idle(claim: Claim, term: t.Term, part: t.Term) -> bool:
    """Return whether `part` of `term` should not be changed.

    This is so for the index of a part of a heap, and for the player in a question about an impartial game.
    """
    if isinstance(term, t.Operation) and term.op == "part":
        return part is not term.args[0]
    if not isinstance(term, t.GameCall) or not isinstance(part, t.Literal) or part is not term.args[-1]:
        return False
    if not term.game:
        return part.start == part.end
    return claim.game(term.game).ruleset.impartial and (part.type == PLAYER or part.start == part.end)


_GROWING = {"add", "largest", "smallest", "rational"}
_COMPARED = {"lt": (-1, 1), "le": (-1, 1), "gt": (1, -1), "ge": (1, -1), "sub": (1, -1), "range": (-1, 1)}
_SCALED = {"mul", "floordiv", "div"}


def _list_directed_parts(term: t.Term, d: int) -> Iterator[tuple[t.Term, int]]:
    """Yield the subterms of a term, each with its direction as in `Site`. `d`: the direction of the term."""
    match term:
        case t.AllOf() | t.AnyOf():
            yield from ((x, d) for x in t.subterms(term))
        case t.IfElse(condition=condition, then=then, other=other):
            yield from ((condition, 0), (then, d), (other, d))
        case t.Comprehension():
            yield from _list_comprehension_parts(term, d)
        case t.Collection(type=kind, items=items):
            yield from ((x, d if kind.kind == "list" else 0) for x in items)
        case t.Operation(op=op, args=args) if op in _GROWING:
            yield from ((x, d) for x in args)
        case t.Operation(op=op, args=args) if op in _COMPARED:
            yield from ((x, d * way) for x, way in zip(args, _COMPARED[op], strict=True))
        case t.Operation(op="not" | "neg", args=(x,)):
            yield x, -d
        case t.Operation(op=op, args=(x, t.Literal(value=value) as factor)) if op in _SCALED and value > 0:
            yield from ((x, d), (factor, 0))
        case t.Operation(op="mul", args=(t.Literal(value=value) as factor, x)) if value > 0:
            yield from ((factor, 0), (x, d))
        case t.Operation(op="any" | "all" | "sum" | "max" | "min" | "count", args=(x,)):
            of_items = isinstance(x, t.Collection | t.Comprehension) and x.type.kind == "list"
            yield x, d if of_items else 0
        case _:
            yield from ((x, 0) for x in t.subterms(term))


def _list_comprehension_parts(term: t.Comprehension, d: int) -> Iterator[tuple[t.Term, int]]:
    """Yield the subterms of a comprehension, each with its direction. `d`: the direction of the comprehension."""
    # more elements: `any` is true in more cases, and `all` in fewer; a wider range has more elements
    of_body = d if term.reducer not in ("mex", "nim_sum", "set") else 0
    of_elements = {"any": d, "count": d, "all": -d}.get(term.reducer, 0)
    for clause in term.clauses:
        is_range = isinstance(clause.source, t.Operation) and clause.source.op == "range"
        yield clause.source, of_elements if is_range else 0
        yield from ((condition, of_elements) for condition in clause.conditions)
    yield term.body, of_body


# == rewriting ========================================================================================================
# The replacement of some terms of a claim, in its texts, domains, games and definitions.
class Rewriting:
    """A replacement of terms in a claim.

    A term object that occurs several times becomes one new object. A term without a replaced subterm is not copied.

    `new`: the new terms, by the `id` of the replaced term.
    """

    def __init__(self, new: Mapping[int, t.Term]) -> None:
        self._new = dict(new)
        self._functions: dict[int, t.Function] = {}

    def claim(self, claim: Claim) -> Claim:
        """Return the claim after the replacements, without its [proof]."""
        hypothesis = None if claim.hypothesis is None else self.term(claim.hypothesis)
        games = tuple(replace(g, arguments=tuple((n, self.term(x)) for n, x in g.arguments)) for g in claim.games)
        variables = tuple(self._variable(v) for v in claim.variables)
        made = replace_statement(
            replace(claim, games=games, variables=variables), hypothesis, self.term(claim.conclusion)
        )
        bodies = {head(f): print_term(f.body) for old, f in self._functions.items() if id(f) != old}
        return replace(made, texts=tuple((label, bodies.get(label, body)) for label, body in made.texts))

    def term(self, term: t.Term) -> t.Term:
        """Return the term after the replacements."""
        if id(term) not in self._new:
            self._new[id(term)] = self._rewrite(term)
        return self._new[id(term)]

    def _rewrite(self, term: t.Term) -> t.Term:
        made = rebuild(term, self.term)
        if isinstance(made, t.Apply):
            called = self._function(made.function)
            return made if called is made.function else replace(made, function=called)
        return made

    def _function(self, function: t.Function) -> t.Function:
        if id(function) not in self._functions:
            body = self.term(function.body)
            self._functions[id(function)] = function if body is function.body else replace(function, body=body)
        return self._functions[id(function)]

    def _variable(self, variable: d.ClaimVariable) -> d.ClaimVariable:
        match variable.domain:
            case d.IntervalDomain(lo=lo, hi=hi):
                interval = d.IntervalDomain(self.term(lo), None if hi is None else self.term(hi))
                if interval.lo is lo and interval.hi is hi:
                    return variable
                return replace(variable, domain=interval, text=interval_text(interval))
            case d.ElementsOf(source=source) if self.term(source) is not source:
                return replace(
                    variable, domain=d.ElementsOf(self.term(source)), text=f"in {print_term(self.term(source))}"
                )
        return variable


def replace_statement(claim: Claim, hypothesis: t.Term | None, conclusion: t.Term) -> Claim:
    """Return the claim with another hypothesis and conclusion, with updated texts, and without its [proof]."""
    texts = [(label, print_term(x)) for label, x in (("if", hypothesis), ("then", conclusion)) if x is not None]
    rest = [x for x in claim.texts if x[0] not in ("if", "then")]
    return replace(claim, hypothesis=hypothesis, conclusion=conclusion, texts=(*texts, *rest), proof=None)


def interval_text(interval: d.IntervalDomain) -> str:
    """Return an interval in the form of a claim file."""
    return f"{print_term(interval.lo)}..{'' if interval.hi is None else print_term(interval.hi)}"


# == mutants ==========================================================================================================
# The mutants of a claim: copies of the claim with one small change.
#
# If a claim still holds after a change of a constant, a comparison or a player, then the scope is too small to show the
# difference, or the changed term has no effect. The changes apply to terms, not to the text. The definitions that the
# claim calls and the bounds of its variables are changed too.
_WON_BY_PLAY = (
    "wins",
    "value",
    "outcome",
    "remoteness",
    "suspense",
)  # the questions whose answer depends on normal or misère play


@dataclass(frozen=True, eq=False)
class Mutant:
    """A claim with one change.

    `kind`: constant, comparison, and/or, any/all, min/max, nim-addition, player, outcome, bound, domain, stuck or
    hypothesis.
    `where`: the place of the change: `if`, `then`, a definition, a variable (`all n`), or a game and its parameter.
    `now`: the smallest changed condition or, if there is none, the complete new text; "" if a condition of the
    hypothesis is dropped.
    `was`: the replaced text.
    `weaker`: whether the mutant is known to follow from the claim. Then a scope in which the claim holds cannot refute
    the mutant.
    """

    kind: str
    where: str
    now: str
    was: str
    weaker: bool
    claim: Claim

    @property
    def description(self) -> str:
        """The change in one line: `then: nim_sum(s) != 1  (was 0)`."""
        return f"{self.where}: {self.now}  (was {self.was})" if self.now else f"{self.where}: {self.was}  (dropped)"


def make_mutants(claim: Claim) -> list[Mutant]:
    """Return the mutants of a claim, without duplicates, and without mutants equal to the claim.

    First come the changes of one term, then dropped hypotheses, other endings, and changed domains.
    """
    found: dict[tuple[str, ...], Mutant] = {}
    for mutant in (*_terms(claim), *_drop_hypotheses(claim), *_swap_ending(claim), *_move_listed_bounds(claim)):
        found.setdefault(print_claim(mutant.claim), mutant)
    found.pop(print_claim(claim), None)
    return list(found.values())


def print_claim(claim: Claim) -> tuple[str, ...]:
    """Return the texts of a claim that a mutant may change."""
    called = (s.term.function for s in sites(claim) if isinstance(s.term, t.Apply))
    return (
        *(f"{v.name}: {v.domain if isinstance(v.domain, d.ListedDomain) else v.text}" for v in claim.variables),
        *(f"{g.name} {g.ruleset.ending.stuck} {[(n, print_term(x)) for n, x in g.arguments]}" for g in claim.games),
        "" if claim.hypothesis is None else print_term(claim.hypothesis),
        print_term(claim.conclusion),
        *dict.fromkeys(f"{head(f)} := {print_term(f.body)}" for f in called),
    )


# -- changes of one term ----------------------------------------------------------------------------------------------
@dataclass
class _Edit:
    """A change at one location in the text, with all terms that come from this location.

    One text can give several terms: in `a < b < c`, the text `b` is part of two comparisons. A definition gives new
    terms for each call.
    """

    site: Site
    change: TermEdit
    new: dict[int, t.Term] = field(default_factory=dict)
    directions: set[int] = field(default_factory=set)


def _terms(claim: Claim) -> Iterator[Mutant]:
    players = max((g.ruleset.players for g in claim.games), key=len, default=())
    edits: dict[tuple[object, ...], _Edit] = {}
    for site, change in _possible(claim, len(players)):
        old, (kind, new, _) = site.term, change
        key = (site.place, old.start, old.end, kind, print_term(old, players), print_term(new, players))
        edit = edits.setdefault(key, _Edit(site, change))
        edit.new[id(old)] = new
        edit.directions.add(site.direction)
    for edit in edits.values():
        (kind, _, way), place = edit.change, edit.site.place
        rewriting = Rewriting(edit.new)
        mutant = rewriting.claim(claim)
        if place[0] == "all":
            now, was = (next(v.text for v in c.variables if v.name == place[1]) for c in (mutant, claim))
        else:
            now, was = print_term(rewriting.term(edit.site.clause), players), print_term(edit.site.term, players)
        yield Mutant(kind, _label(place), now, was, way != 0 and edit.directions == {way}, mutant)


def _possible(claim: Claim, players: int) -> Iterator[tuple[Site, TermEdit]]:
    for place, root, direction in roots(claim):
        if place[-1] in ("lo", "hi"):
            yield from ((Site(place, root, root, direction), change) for change in move_bound(root))
    for site in sites(claim):
        yield from ((site, change) for change in changes(site.term, players))


def _label(place: Place) -> str:
    match place:
        case ("all", name, _):
            return f"all {name}"
        case ("game", game, parameter):
            return f"{game}, {parameter}"
    return place[-1]


# -- changes of the claim as a whole ----------------------------------------------------------------------------------
def _drop_hypotheses(claim: Claim) -> Iterator[Mutant]:
    """Yield the mutants that drop one condition of the hypothesis."""
    parts = [] if claim.hypothesis is None else list(t.conjuncts(claim.hypothesis))
    players = max((g.ruleset.players for g in claim.games), key=len, default=())
    for i, part in enumerate(parts):
        rest = (*parts[:i], *parts[i + 1 :])
        whole = rest[0] if len(rest) == 1 else t.AllOf(BOOL, part.start, part.end, rest) if rest else None
        mutant = replace_statement(claim, whole, claim.conclusion)
        yield Mutant("hypothesis", "if", "", print_term(part, players), claim.quantifier == "exists", mutant)


def _swap_ending(claim: Claim) -> Iterator[Mutant]:
    """Yield the mutants that exchange normal and misère play in a game, if the claim asks who wins this game."""
    asked = {s.term.game for s in sites(claim) if isinstance(s.term, t.GameCall) and s.term.function in _WON_BY_PLAY}
    for i, game in enumerate(claim.games):
        if game.name in asked and not game.ruleset.unusual_ending:
            wins = game.ruleset.stuck_wins
            now, was = (f'stuck = "{"wins" if x else "loses"}"' for x in (not wins, wins))
            other = replace(game, ruleset=replace(game.ruleset, ending=Ending("loses" if wins else "wins")))
            games = (*claim.games[:i], other, *claim.games[i + 1 :])
            yield Mutant("stuck", game.name, now, was, False, replace(claim, games=games, proof=None))


def _move_listed_bounds(claim: Claim) -> Iterator[Mutant]:
    """Yield the mutants that change one number in a list of values, or one bound of a range of subsets, by 1."""
    for i, v in enumerate(claim.variables):
        for new, now, was, smaller in neighbours(v.domain):
            variables = (*claim.variables[:i], replace(v, domain=new, text=now), *claim.variables[i + 1 :])
            weaker = smaller and claim.quantifier != "exists"
            yield Mutant("domain", f"all {v.name}", now, was, weaker, replace(claim, variables=variables, proof=None))


# -- the scope of a mutant --------------------------------------------------------------------------------------------
def widen(scope: d.Scope, claim: Claim, mutant: Claim) -> d.Scope:
    """Return the scope for a mutant: the scope of the claim, extended if the mutant has a larger domain.

    A bound of the scope is extended if it equals the bound of the claim's domain, and the mutant moves this bound
    outwards.
    """
    wide = dict(scope)
    for old, new in zip(claim.variables, mutant.variables, strict=True):
        bound = scope.get(old.name)
        if (
            isinstance(old.domain, d.IntervalDomain)
            and isinstance(new.domain, d.IntervalDomain)
            and isinstance(bound, d.Range)
        ):
            (low, high), (lo, hi) = (tuple(map(_constant, (x.lo, x.hi))) for x in (old.domain, new.domain))
            wide[old.name] = d.Range(
                bound.lo if lo is None or bound.lo != low else min(lo, low),
                bound.hi if hi is None or bound.hi != high else max(hi, high),
            )
    return wide


def _constant(bound: t.Term | None) -> int | None:
    match bound:
        case t.Literal(value=value):
            return value
        case t.Operation(op="neg", args=(t.Literal(value=value),)):
            return -value
    return None


# == trial ============================================================================================================
# The test of the mutants of a claim that holds. The scope should refute each mutant.
#
# A mutant is *killed* if it is refuted, vacuous or undefined in the scope. A mutant that holds has *survived*: the
# scope is too small to show the difference, or the changed part has no effect. Surviving mutants that are weaker than
# the claim are counted separately, because no scope can kill them.
Settle = Callable[[Claim, Scope, float | None], ClaimResult]
"""A function that settles a claim in a scope, within a number of seconds; None for no limit."""

_FATES = {
    Verdict.REFUTED: MutantFate.KILLED,
    Verdict.VACUOUS: MutantFate.KILLED,
    Verdict.ERROR: MutantFate.KILLED,
    Verdict.PROVED: MutantFate.SURVIVED,
    Verdict.VERIFIED: MutantFate.SURVIVED,
    Verdict.INCONCLUSIVE: MutantFate.UNDECIDED,
    Verdict.INCONSISTENT: MutantFate.UNDECIDED,
}


def try_mutants(claim: Claim, scope: Scope, budget: float | None, settle: Settle) -> tuple[MutantResult, ...]:
    """Return the result for each mutant of a claim.

    `budget`: seconds for all mutants together; None for no limit.
    `settle`: returns the result for a mutant in a scope, within a number of seconds.
    """
    started = time.monotonic()
    found = []
    for mutant in make_mutants(claim):
        left = None if budget is None else max(0.0, budget - (time.monotonic() - started))
        if left == 0:
            found.append(MutantResult(mutant.kind, mutant.description, MutantFate.UNDECIDED, "out of time"))
            continue
        result = settle(mutant.claim, widen(scope, claim, mutant.claim), left)
        found.append(MutantResult(mutant.kind, mutant.description, _outcome(mutant, result), _detail(result)))
    return tuple(found)


def _outcome(mutant: Mutant, result: ClaimResult) -> MutantFate:
    outcome = MutantFate.KILLED if _loses_witness(result) else _FATES[result.verdict]
    return MutantFate.WEAKER if outcome is MutantFate.SURVIVED and mutant.weaker else outcome


def _loses_witness(result: ClaimResult) -> bool:
    """Return whether the result is about an [exists] claim without a witness in the scope."""
    return result.statement.quantifier == "exists" and any(r.answer is Decision.FAILS for r in result.finding.routes)


def _detail(result: ClaimResult) -> str:
    found = result.finding
    if _loses_witness(result):
        return "no witness"
    if found.counterexample is not None:
        at = ", ".join(assignments(result, found.counterexample.variables))
        return f"refuted at {at}" if at else "refuted"
    if result.verdict is Verdict.ERROR:
        return "ill-defined"
    if result.verdict is Verdict.VACUOUS:
        return "vacuous"
    return found.error or found.not_established if _FATES[result.verdict] is MutantFate.UNDECIDED else ""
