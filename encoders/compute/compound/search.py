"""The search of a scope case by case, in order, up to the first case that decides the claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations
from typing import cast

from claims.language.files import domains as d
from claims.language.files.claim import Claim, Judgement
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from claims.language.syntax.printing import find_free_names
from encoders.compute.arrays.cases import FoundCase, IllDefinedDomain, Tally, smaller
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.combined import EngineCombinations
from encoders.compute.compound.described import has_many_positions
from encoders.compute.compound.graphs import list_graphs, list_trees
from encoders.compute.compound.meaning import Env, GameCallTarget, TermCompiler, Undefined
from encoders.compute.compound.order import (
    Heap,
    as_integer,
    as_position,
    list_heaps,
    list_lists,
    list_positions,
    rank_list,
    rank_position,
)
from encoders.compute.compound.play import EngineGame
from encoders.kernel.instances import open_machine
from encoders.logic.answer import Case, CaseValue
from encoders.trust import Trust, count_cases

ENGINE = "case by case"
PLAYED = 10_000  # with more cases, Grundy values of heaps are added; otherwise positions of several heaps are solved
Elements = tuple[int, ...]


class CaseEvaluator:
    """The evaluation of a claim at the cases of a scope. The methods may raise OutOfTime and TooLarge."""

    def __init__(self, claim: Claim, scope: d.Scope, clock: Deadline) -> None:
        self.claim, self.scope, self.clock = claim, scope, clock
        self.reader = TermCompiler(self._find_target, clock)
        self.order = sorted(claim.variables, key=lambda v: not v.type.is_position)
        self._hypothesis = None if claim.hypothesis is None else self.reader.read(claim.hypothesis)
        self._conclusion = self.reader.read(claim.conclusion)
        self._games: dict[tuple[str, tuple[tuple[str, Value], ...]], EngineGame] = {}
        self._open_kernel = cache(open_machine)
        self._positions = [v.name for v in self.order if v.type.is_position]
        self._alike: dict[str, EngineGame] = {}  # the games that are the same at all cases
        self._undefined: set[CaseValue] = set()  # positions for which the condition of [heap] is undefined
        self.sums = count_cases(scope) > PLAYED or has_many_positions(claim, scope)
        self._combinations = EngineCombinations(clock, self.sums)
        self._heaps: dict[str, list[Heap]] = {}
        self._arguments = {
            game.name: [(name, self.reader.read(term)) for name, term in game.arguments] for game in claim.games
        }

    def list_cases(self) -> Iterator[Case]:
        """Yield the cases of the scope in order. Raise IllDefinedDomain.

        The order compares positions first, then the values of the other variables, in the order of declaration.
        """
        names = [v.name for v in self.claim.variables]
        for case in self._bind(0, {}):
            if self._is_case(case):
                yield case if list(case) == names else {name: case[name] for name in names}

    def make_key(self, case: Case) -> tuple[object, ...]:
        """Return the sort key of a case."""
        return tuple(_make_key(case[v.name], v) for v in self.order)

    def judge(self, case: Case) -> Judgement | None:
        """Return whether the claim holds or fails at a case, or its hypotheses fail; None if this is undefined."""
        try:
            for game in self.claim.games:
                self._find_game(game.name, case)
            if self._undefined and any(case[name] in self._undefined for name in self._positions):
                return None
            if self._hypothesis is not None and not self._hypothesis(case):
                return Judgement.HYPOTHESES_FAIL
            return Judgement.HOLDS if self._conclusion(case) else Judgement.FAILS
        except Undefined:
            return None

    # -- cases --------------------------------------------------------------------------------------------------------
    def _bind(self, at: int, case: Case) -> Iterator[Case]:
        if at == len(self.order):
            self.clock.check()
            yield case
            return
        v = self.order[at]
        for value in self._list_values(v, case):
            yield from self._bind(at + 1, {**case, v.name: value})

    def _list_values(self, v: d.ClaimVariable, case: Case) -> Iterable[CaseValue]:
        match v.domain:
            case d.Positions():
                if v.name not in self._heaps:
                    self._heaps[v.name] = list_heaps(self._get_bound(v), self.clock)
                found = list_positions(self._heaps[v.name], self._get_bound(v), self.clock)
                return cast(Iterator[CaseValue], found)
            case d.IntervalDomain(lo=lo, hi=hi):
                bound = self.scope.get(v.name)
                low = as_integer(self._evaluate(v, lo, case))
                high = None if hi is None else as_integer(self._evaluate(v, hi, case))
                if isinstance(bound, d.Range):
                    low, high = max(low, bound.lo), bound.hi if high is None else min(high, bound.hi)
                assert high is not None, "a variable without upper bound has a scope"
                return range(low, high + 1)
            case d.Players(count=count):
                return range(count)
            case d.ListedDomain(values=values):
                return sorted(values)
            case d.ElementsOf(source=source):
                elements = set(cast(tuple[CaseValue, ...], self._evaluate(v, source, case)))
                return sorted(elements, key=lambda value: _make_key(value, v))
            case d.Lists(lo=lo, hi=hi):
                bound = self.scope[v.name]
                assert isinstance(bound, d.ListRange)
                low, high = as_integer(self._evaluate(v, lo, case)), bound.each.hi
                high = high if hi is None else min(high, as_integer(self._evaluate(v, hi, case)))
                within = d.ListRange(bound.length, d.Range(max(low, bound.each.lo), high))
                return cast(Iterator[CaseValue], list_lists(within, self.clock))
            case d.Permutations(lo=lo, hi=hi):
                low, high = (as_integer(self._evaluate(v, x, case)) for x in (lo, hi))
                return permutations(range(low, high + 1))
            case d.Graphs(lo=lo, hi=hi, connected=connected, classes=classes):
                low, high = (as_integer(self._evaluate(v, x, case)) for x in (lo, hi))
                return list_graphs(range(low, high + 1), connected, classes, self.clock)
            case d.Trees(lo=lo, hi=hi, classes=classes):
                low, high = (as_integer(self._evaluate(v, x, case)) for x in (lo, hi))
                return list_trees(range(low, high + 1), classes, self.clock)
            case d.Subsets(lo=lo, hi=hi):
                places = range(hi - lo + 1)
                return (tuple(lo + i for i in places if code >> i & 1) for code in range(1 << (hi - lo + 1)))
        raise AssertionError(v)

    def _evaluate(self, v: d.ClaimVariable, term: t.Term, case: Case) -> Value:
        try:
            return self.reader.read(term)(case)
        except Undefined:
            problem = f"the domain {v.text} of {v.name} is ill-defined for some choice of the variables before it"
            raise IllDefinedDomain(problem) from None

    def _get_bound(self, v: d.ClaimVariable) -> d.PositionRange:
        bound = self.scope[v.name]
        assert isinstance(bound, d.PositionRange)
        return bound

    def _is_case(self, case: Case) -> bool:
        """Whether each heap in the positions of a case is a heap of every game and does not vanish.

        Return True also if this is undefined, because the claim then has no truth value at the case.
        """
        try:
            games = [self._find_game(game.name, case) for game in self.claim.games]
        except Undefined:
            return True  # the claim has no truth value there
        for name in self._positions:
            try:
                if not all(game.has(as_position(case[name])) for game in games):
                    return False
            except Undefined:
                self._undefined.add(case[name])
        return True

    def _find_target(self, name: str, case: Env) -> GameCallTarget:
        """Return the object that answers questions about a game; for the name "", questions about combined games."""
        return self._find_game(name, case) if name else self._combinations

    def _find_game(self, name: str, case: Env) -> EngineGame:
        """Return the game with a name, with the values that its parameters have at a case.

        Raise Undefined if a parameter has no value or an invalid one.
        """
        if name in self._alike:
            return self._alike[name]
        values = tuple((parameter, read(case)) for parameter, read in self._arguments[name])
        game = self._games.get((name, values))
        if game is None:
            game = EngineGame(self.claim.game(name).ruleset, dict(values), self.clock, self.sums, self._open_kernel)
            self._games[name, values] = game
            if not any(any(find_free_names(term)) for _, term in self.claim.game(name).arguments):
                self._alike[name] = game
        return game

    def find_only_game(self) -> EngineGame | None:
        """Return the only game of the claim, if its parameters are the same at all cases.

        Return None if there is no such game, or if its parameters are outside their domains.
        """
        if len(self.claim.games) != 1:
            return None
        (first,) = self.claim.games
        if any(any(find_free_names(term)) for _, term in first.arguments):
            return None
        try:
            return self._find_game(first.name, {})
        except Undefined:
            return None

    @property
    def added(self) -> bool:
        """Whether Grundy values of several heaps were added."""
        return self._combinations.added or any(game.added for game in self._games.values())

    @property
    def compared(self) -> bool:
        """Whether games were compared by their canonical forms."""
        return self._combinations.compared or any(game.compared for game in self._games.values())


def _make_key(
    value: CaseValue, v: d.ClaimVariable
) -> CaseValue | list[int] | tuple[int, int, Value] | tuple[int, int, list[tuple[int, Heap]]]:
    """Return the sort key of a value of a variable. Lists are ordered by length, total size, and entries."""
    if not isinstance(value, tuple):
        return value
    if v.type.is_position:
        return rank_position(as_position(value))
    return rank_list(value) if v.type.kind == "list" else sorted(cast(Elements, value), reverse=True)


def search_by_cases(
    claim: Claim, scope: d.Scope, clock: Deadline, tally: Tally, earlier: d.Scope | None = None
) -> None:
    """Search the cases of a scope in order, and record each result in `tally` immediately.

    `earlier`: the bounds of the cases that were searched before; these cases are skipped.

    Raises OutOfTime, TooLarge, BadRuleset and IllDefinedDomain.
    """
    walk, exists = CaseEvaluator(claim, scope, clock), claim.quantifier == "exists"
    tally.engines.add(ENGINE)
    try:
        _look(walk, Judgement.HOLDS if exists else Judgement.FAILS, tally, earlier)
    finally:
        if walk.added:
            tally.trusted.add(Trust.SPRAGUE_GRUNDY)
        if walk.compared:
            tally.trusted.add(Trust.CANONICAL_FORMS)


def _look(walk: CaseEvaluator, decides: Judgement, tally: Tally, earlier: d.Scope | None = None) -> None:
    found_witness = False  # in this scope; the first is the smallest
    for case in walk.list_cases():
        if earlier is not None and _is_inside(case, earlier):
            continue
        if tally.best is not None and walk.make_key(case) >= tally.best.key:
            return
        judged = walk.judge(case)
        tally.cases += 1
        if judged is None or judged is decides:
            tally.best = FoundCase(walk.make_key(case), case, judged is None)
        if judged is None:
            return
        if judged is not Judgement.HYPOTHESES_FAIL:
            tally.met += 1
            if not found_witness:
                found_witness = True
                tally.witness = smaller(tally.witness, FoundCase(walk.make_key(case), case))
        if judged is decides:
            return
        tally.sample.keep((case, judged))


def _is_inside(case: Case, scope: d.Scope) -> bool:
    """Whether the integers, lists and positions of a case are within the bounds of a scope."""
    for name, bound in scope.items():
        value = case[name]
        if isinstance(bound, d.Range) and not (isinstance(value, int) and bound.lo <= value <= bound.hi):
            return False
        if isinstance(bound, d.ListRange) and not bound.admits(value):
            return False
        if isinstance(bound, d.PositionRange) and not (isinstance(value, tuple) and bound.contains(value)):
            return False
    return True
