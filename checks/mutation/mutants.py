"""The systematic mutants of a claim: the claim with one small change, each a claim of its own.

A claim that still holds when a constant, a comparison or a player in it is changed was not really checked there: the
scope is too small, or the changed part does not matter.  Changed are the terms, not the text, also inside the
definitions that the claim calls and in the bounds of its variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from checks.mutation.changes import TermEdit, changes, moved, neighbours
from checks.mutation.rewriting import Rewriting, with_statement
from checks.mutation.sites import Place, Site, head, roots, sites
from claims.language.expressions.printing import print_term
from claims.language.heaps.heading import Ending
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL

_WON_BY_PLAY = ("wins", "value", "outcome")  # the questions to which it makes a difference who wins when stuck


@dataclass(frozen=True, eq=False)
class Mutant:
    """A claim with one change. `weaker`: it says less, so that no scope on which the claim holds can refute it.

    `kind`: constant, comparison, and/or, any/all, min/max, nim-addition, player, outcome, bound, domain, stuck or
    hypothesis (one of its parts is dropped, and `now` is empty).  `now` is the smallest changed condition, or the
    whole text where there is none, and `was` what has been replaced in it.
    """

    kind: str
    where: str
    now: str
    was: str
    weaker: bool
    claim: Claim

    @property
    def description(self) -> str:
        """One line: `then: nim_sum(s) != 1  (was 0)`."""
        return f"{self.where}: {self.now}  (was {self.was})" if self.now else f"{self.where}: {self.was}  (dropped)"


def make_mutants(claim: Claim) -> list[Mutant]:
    """The mutants of a claim, in the order of its text, each different in print from the claim and from the others."""
    found: dict[tuple[str, ...], Mutant] = {}
    for mutant in (*_terms(claim), *_dropped(claim), *_stuck(claim), *_listed(claim)):
        found.setdefault(print_claim(mutant.claim), mutant)
    found.pop(print_claim(claim), None)
    return list(found.values())


def print_claim(claim: Claim) -> tuple[str, ...]:
    """Everything that a mutant may change, as text."""
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
    """A change to the text, wherever the text went: into both halves of a chain, into each instance of a definition."""

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
            yield from ((Site(place, root, root, direction), change) for change in moved(root))
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
def _dropped(claim: Claim) -> Iterator[Mutant]:
    """Each part of the hypothesis dropped."""
    parts = [] if claim.hypothesis is None else list(t.conjuncts(claim.hypothesis))
    players = max((g.ruleset.players for g in claim.games), key=len, default=())
    for i, part in enumerate(parts):
        rest = (*parts[:i], *parts[i + 1 :])
        whole = rest[0] if len(rest) == 1 else t.AllOf(BOOL, part.start, part.end, rest) if rest else None
        mutant = with_statement(claim, whole, claim.conclusion)
        yield Mutant("hypothesis", "if", "", print_term(part, players), claim.quantifier == "exists", mutant)


def _stuck(claim: Claim) -> Iterator[Mutant]:
    """Misère play for normal play, and the other way round, in each game of which it is asked who wins."""
    asked = {s.term.game for s in sites(claim) if isinstance(s.term, t.GameCall) and s.term.function in _WON_BY_PLAY}
    for i, game in enumerate(claim.games):
        if game.name in asked and not game.ruleset.unusual:
            wins = game.ruleset.stuck_wins
            now, was = (f'stuck = "{"wins" if x else "loses"}"' for x in (not wins, wins))
            other = replace(game, ruleset=replace(game.ruleset, ending=Ending("loses" if wins else "wins")))
            games = (*claim.games[:i], other, *claim.games[i + 1 :])
            yield Mutant("stuck", game.name, now, was, False, replace(claim, games=games, proof=None))


def _listed(claim: Claim) -> Iterator[Mutant]:
    """Each number in a list of values, and each bound of the subsets, moved by one."""
    for i, v in enumerate(claim.variables):
        for new, now, was, smaller in neighbours(v.domain):
            variables = (*claim.variables[:i], replace(v, domain=new, text=now), *claim.variables[i + 1 :])
            weaker = smaller and claim.quantifier != "exists"
            yield Mutant("domain", f"all {v.name}", now, was, weaker, replace(claim, variables=variables, proof=None))


# -- the scope of a mutant --------------------------------------------------------------------------------------------
def widen(scope: d.Scope, claim: Claim, mutant: Claim) -> d.Scope:
    """The scope of a mutant: one further where its domain goes beyond a bound of the claim's that the scope reaches."""
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
