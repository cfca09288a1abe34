"""The shape of a claim: what it asks of its games, at which positions, in which terms; and which rule is for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from claims.language.expressions.walk import free_names, walk
from claims.language.statement.claim import Claim, Game
from claims.language.statement.domains import ListedDomain
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION
from encoders.logic.moves import own_measure
from encoders.rules.kit.drafts import Draft, empty_draft

WHO_WINS = frozenset({"wins", "outcome"})
VALUES = frozenset({"value", "grundy"})


class QueryTarget(Enum):
    """Where a game is asked about something."""

    VARIABLE = "a position of the claim"
    OPTION = "an option"
    HEAP = "a single heap"
    HEAPS = "heaps that are written down"
    MADE = "a position made from another"


@dataclass(frozen=True)
class GameQuery:
    """`function`: wins, value, options and so on; `game`: what the claim calls it."""

    function: str
    game: str
    place: QueryTarget


@dataclass(frozen=True)
class ClaimShape:
    """`operations`: names of those in the claim, and of what comprehensions make. `positions`: how many variables are.

    `heaps`: the most that any position of the claim has, None where the claim does not bound them all.  `cases`: some
    condition in it is about its integers alone, and decides what it says.  `quantifier` as in `Claim`.
    """

    games: tuple[Game, ...]
    questions: frozenset[GameQuery]
    operations: frozenset[str]
    positions: int
    heaps: int | None
    cases: bool
    quantifier: str

    def asks(self, functions: frozenset[str]) -> bool:
        """Whether one of these questions is asked anywhere."""
        return any(q.function in functions for q in self.questions)

    def places(self, functions: frozenset[str]) -> frozenset[QueryTarget]:
        """Where these questions are asked."""
        return frozenset(q.place for q in self.questions if q.function in functions)

    @property
    def two_players(self) -> bool:
        """Its games are of two players."""
        return bool(self.games) and all(len(g.ruleset.players) == 2 for g in self.games)

    @property
    def one_heap(self) -> bool:
        """A move of its games makes one heap smaller."""
        return all(g.ruleset.single_heap and g.ruleset.measure is None for g in self.games)

    @property
    def shrinking(self) -> bool:
        """A move of its games makes some heaps as many heaps or fewer."""
        moves = [m for g in self.games for m in g.ruleset.moves]
        return all(g.ruleset.measure is None for g in self.games) and all(len(m.become) <= len(m.heaps) for m in moves)

    @property
    def splitting(self) -> bool:
        """A move of its games makes as many heaps of any, or more; and what the games count is what all do."""
        moves = [m for g in self.games for m in g.ruleset.moves]
        counted = not any(own_measure(g.ruleset) or g.ruleset.sees_position for g in self.games)
        return counted and all(m.choose == "any" and len(m.become) >= len(m.heaps) for m in moves)

    @property
    def any_heap(self) -> bool:
        """It does that to whichever heap the mover likes."""
        return self.one_heap and all(m.choose == "any" for g in self.games for m in g.ruleset.moves)

    @property
    def normal_play(self) -> bool:
        """Who cannot move loses."""
        return not any(g.ruleset.stuck_wins for g in self.games)


@dataclass(frozen=True)
class RuleSuggestion:
    """Claims that a rule is for. `shape`: which, in words; `meets`: whether one is; `write`: what to begin with.

    `begin`: that as sections, without the name of the rule, for a claim and the names of those beside it that have a
    [proof]; the rule reads one of them, if it reads any for the claim and its games.
    """

    shape: str
    meets: Callable[[ClaimShape], bool]
    write: str
    begin: Callable[[Claim, Iterable[str]], Iterator[Draft]] = empty_draft


def shape_of(claim: Claim) -> ClaimShape:
    """The shape of a claim, its definitions written out. Raises TooLong."""
    plain = unfolded_claim(claim)
    parts = (plain.conclusion,) if plain.hypothesis is None else (plain.hypothesis, plain.conclusion)
    terms = [x for part in parts for x in walk(part)]
    questions = frozenset(q for part in parts for q in _questions(part, frozenset()))
    positions = [v for v in plain.variables if v.type == POSITION]
    return ClaimShape(
        plain.games,
        questions,
        frozenset(_operations(terms)),
        len(positions),
        _most_heaps(plain, terms),
        any(isinstance(x, t.IfElse) and _is_about_integers(x.condition, plain) for x in terms),
        plain.quantifier,
    )


def _operations(terms: list[t.Term]) -> Iterator[str]:
    for x in terms:
        match x:
            case t.Operation(op=name) | t.Comprehension(reducer=name):
                yield name


def _is_about_integers(term: t.Term, claim: Claim) -> bool:
    names = {v.name for v in claim.variables if v.type == INT}
    found = set(free_names(term))
    return bool(found) and found <= names and not any(isinstance(x, t.GameCall) for x in walk(term))


# -- questions --------------------------------------------------------------------------------------------------------
def _questions(term: t.Term, options: frozenset[str]) -> Iterator[GameQuery]:
    """Those in a term. `options`: the names that run over options around it."""
    if isinstance(term, t.GameCall):
        yield GameQuery(term.function, term.game, _place(term.args[0], options))
    if not isinstance(term, t.Comprehension):
        for part in t.subterms(term):
            yield from _questions(part, options)
        return
    for clause in term.clauses:
        yield from _questions(clause.source, options)
        if any(isinstance(x, t.GameCall) and x.function == "options" for x in walk(clause.source)):
            options |= {clause.variable}
        for condition in clause.conditions:
            yield from _questions(condition, options)
    yield from _questions(term.body, options)


def _place(s: t.Term, options: frozenset[str]) -> QueryTarget:
    match s:
        case t.Variable(name=name):
            return QueryTarget.OPTION if name in options else QueryTarget.VARIABLE
        case t.Operation(op="position", args=(t.Collection(items=items),)):
            return QueryTarget.HEAP if len(items) == 1 else QueryTarget.HEAPS
    return QueryTarget.MADE


# -- how many heaps ---------------------------------------------------------------------------------------------------
def _most_heaps(claim: Claim, terms: list[t.Term]) -> int | None:
    """The most heaps of its positions: by their domains, by a hypothesis len(s) == 2, or as they are written down."""
    found = [
        _bound(claim, v.name) for v in claim.variables if v.type == POSITION and not isinstance(v.domain, ListedDomain)
    ]
    for term in terms:
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                found.append(len(items))
            case t.Operation(op="position"):
                return None
    numbers = [n for n in found if n is not None]
    return max(numbers, default=0) if len(numbers) == len(found) else None


def _bound(claim: Claim, position: str) -> int | None:
    """The most heaps that a variable has by the hypotheses."""
    for x in () if claim.hypothesis is None else t.conjuncts(claim.hypothesis):
        match x:
            case t.Operation(
                op="eq" | "le" | "lt" as op,
                args=(t.Operation(op="len", args=(t.Variable(name=name),)), t.Literal(value=n)),
            ) if name == position:
                return n - 1 if op == "lt" else n
    return None
