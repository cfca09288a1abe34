"""The judgement of a claim at a case: it checks the domains, then the hypotheses, then the conclusion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, Protocol, TypeVar
from weakref import WeakMethod, ref

from checks.referee.combined import RefereeCombinations
from checks.referee.graphs import is_first_graph, is_first_tree, is_graph, is_tree
from checks.referee.meaning import RefereeSteps, TermEvaluator, Values, as_elements, as_heaps, as_integer
from checks.referee.play import MANY, SMALL, RefereeGame
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Position, Setting, Value, gather

P = ParamSpec("P")
T = TypeVar("T")


class VerifiedTables(Protocol):
    """A source of verified tables about the single heaps 0, 1, ... of a game, such as `given.HeapTables`.

    An empty table means that there is no verified table.
    """

    def find_values(self, key: Setting, game: RefereeGame) -> Sequence[int]: ...

    def find_winners(self, key: Setting, game: RefereeGame) -> Sequence[Sequence[int]]: ...

    def tell_winner(self, key: Setting, game: RefereeGame, s: Position, mover: int) -> bool | None:
        """Return whether the mover wins from a position of several heaps, or None if this is unknown.

        `key`: the name of the game and its parameters.
        """


class Referee:
    """A judge of the cases of one claim. It evaluates the claim by the rules of play, from the definitions.

    `steps`: the limit on evaluation steps for all cases together. Beyond it, the methods raise LimitReached.
    `sums`: whether to trust the Sprague-Grundy theorem, as for `RefereeGame`.
    `tables`: tables about single heaps, each verified before use; None for no tables. If a table is wrong, the methods
    raise WrongTable.
    """

    def __init__(
        self, claim: Claim, steps: int = 50_000_000, sums: bool = False, tables: VerifiedTables | None = None
    ) -> None:
        self.claim, self.steps, self.sums, self.tables = claim, RefereeSteps(steps), sums, tables
        self._meanings = TermEvaluator(_weakly(self.game), self.steps, _weakly(self._combine))
        self._combinations: RefereeCombinations | None = None
        self._games: dict[tuple[str, tuple[tuple[str, Value], ...]], RefereeGame] = {}

    def judge(self, case: Values) -> str:
        """Judge the claim at a case, that is, for these values of its variables.

        Return "outside" if a value is outside its domain, "hypotheses fail" if the hypotheses are false, and otherwise
        "holds" or "fails". Raises IllDefined if an expression has no value, and LimitReached.
        """
        if not self._is_case(case):
            return "outside"
        for game in self.claim.games:  # also if no term uses the game: its parameters must be valid
            self.game(game.name, case)
        if self.claim.hypothesis is not None and not self.evaluate(self.claim.hypothesis, case):
            return "hypotheses fail"
        return "holds" if self.evaluate(self.claim.conclusion, case) else "fails"

    def evaluate(self, term: t.Term, case: Values) -> Value:
        """Return the value of a term of the claim at a case. Raises IllDefined and LimitReached."""
        return self._meanings.evaluate(term, case)

    def tell_tables(self) -> list[str]:
        """Return a sentence for each table or list that the referee has used instead of examining all options."""
        found = dict[tuple[str, str], int]()
        for (name, _), game in self._games.items():
            for question, most in game.looked_up.items():
                what = "winners" if question == "value" else "Grundy values"
                found[name, what] = max(most, found.get((name, what), 0))
        listed = [
            f"For more than {MANY} objects in several heaps of {name} the referee used a list of losing positions, "
            "which it had verified by their moves."
            for (name, _), game in self._games.items()
            if game.listed
        ]
        return [*dict.fromkeys(listed)] + [
            f"For heaps of more than {SMALL} objects in {name} the referee used a table of {what} of the heaps 0 to "
            f"{most}, which it had verified."
            for (name, what), most in found.items()
        ]

    def game(self, name: str, case: Values) -> RefereeGame:
        """Return the game with this name, with its parameters evaluated at a case.

        Raises IllDefined if a parameter is outside its domain.
        """
        game = self.claim.game(name)
        values = tuple((parameter, self.evaluate(x, case)) for parameter, x in game.arguments)
        if (name, values) not in self._games:
            made = RefereeGame(game.ruleset, dict(values), self.steps, self.sums)
            if self.tables is not None:
                made.table = _bind_game(made, self.tables.find_values, (name, values))
                made.winners = _bind_game(made, self.tables.find_winners, (name, values))
                made.verdict = _bind_game(made, self.tables.tell_winner, (name, values))
            self._games[name, values] = made
        return self._games[name, values]

    def _combine(self) -> RefereeCombinations:
        """Return the object for questions about combined games. It stores their answers."""
        if self._combinations is None:
            self._combinations = RefereeCombinations(self.steps, self.sums)
        return self._combinations

    def _is_position(self, s: Position, case: Values) -> bool:
        """Return whether heaps with parts form a position.

        They do if they are sorted, satisfy the ruleset of each game of the claim, and do not vanish in any of them.
        """
        games = [self.game(game.name, case) for game in self.claim.games]
        there = all(g.parts is not None and all(map(g.parts.has, s)) and g.parts.keep(s) == s for g in games)
        return there and gather(s) == s

    def _is_case(self, case: Values) -> bool:
        for v in self.claim.variables:
            x = case[v.name]
            match v.domain:
                case d.IntervalDomain(lo=lo, hi=hi):
                    x, low = as_integer(x), as_integer(self.evaluate(lo, case))
                    inside = low <= x and (hi is None or x <= as_integer(self.evaluate(hi, case)))
                case d.Positions(parts=parts) if parts:
                    inside = self._is_position(as_heaps(x), case)
                case d.Positions():
                    s = as_heaps(x)
                    inside = s == tuple(sorted(s)) and all(h >= 1 for h in s)
                case d.Players(count=count):
                    inside = 0 <= as_integer(x) < count
                case d.ListedDomain(values=values):
                    inside = x in values
                case d.ElementsOf(source=source):
                    inside = x in as_elements(self.evaluate(source, case))
                case d.Lists(lo=lo, hi=hi):
                    low = as_integer(self.evaluate(lo, case))
                    high = None if hi is None else as_integer(self.evaluate(hi, case))
                    inside = all(low <= i and (high is None or i <= high) for i in as_heaps(x))
                case d.Permutations(lo=lo, hi=hi):
                    low, high = (as_integer(self.evaluate(bound, case)) for bound in (lo, hi))
                    inside = sorted(as_heaps(x)) == [*range(low, high + 1)]
                case d.Graphs(lo=lo, hi=hi, connected=connected, classes=classes):
                    low, high = (as_integer(self.evaluate(bound, case)) for bound in (lo, hi))
                    inside = is_graph(x, range(low, high + 1), connected)
                    inside = inside and (not classes or is_first_graph(x, range(low, high + 1), self.steps))
                case d.Trees(lo=lo, hi=hi, classes=classes):
                    low, high = (as_integer(self.evaluate(bound, case)) for bound in (lo, hi))
                    inside = is_tree(as_heaps(x), range(low, high + 1))
                    inside = inside and (not classes or is_first_tree(as_heaps(x), range(low, high + 1), self.steps))
                case d.Subsets(lo=least, hi=most):
                    s = as_heaps(x)
                    inside = s == tuple(sorted(set(s))) and all(least <= i <= most for i in s)
            if not inside:
                return False
        return True


# -- no cycles ---------------------------------------------------------------------------------------------------------
# A game stores thousands of positions. Weak references free them with the referee, without garbage collection of
# cycles.
def _weakly(method: Callable[P, T]) -> Callable[P, T]:
    """Return a function that calls a bound method, but does not keep the object of the method alive.

    The object must still exist at each call.
    """
    here = WeakMethod(method)

    def call_if_alive(*args: P.args, **named: P.kwargs) -> T:
        there = here()
        assert there is not None
        return there(*args, **named)

    return call_if_alive


def _bind_game(
    game: RefereeGame, question: Callable[Concatenate[Setting, RefereeGame, P], T], key: Setting
) -> Callable[P, T]:
    """Return the method `question` of tables with `key` and `game` filled in. It does not keep the game alive.

    The game must still exist at each call.
    """
    here = ref(game)

    def ask(*args: P.args, **named: P.kwargs) -> T:
        there = here()
        assert there is not None
        return question(key, there, *args, **named)

    return ask
