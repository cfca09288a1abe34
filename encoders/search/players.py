"""Values of n-player games whose moves change only a largest heap, guessed from the shape of a position.

The shape consists of four numbers: the number of heaps, the least heap, its multiplicity, and the largest heap. A guess
consists of a region (a condition on the position), a formula for the value there, and a best move. It is correct for
every sampled position and choice of the parameters. The guess becomes a claim whose [proof] uses rule "value".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, substitute
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.values import Array
from encoders.search.find import SearchProgress, SearchStage, run_search, search_forms
from encoders.search.formulas import Tell
from encoders.search.question import GAME, POSITION_NAME, SHAPE, SearchProblem
from encoders.search.refusals import Refusal
from encoders.search.tables import OutcomeTable, SampleLimits, Truths, find_way
from encoders.search.writing import head, quote

BOX = SampleLimits(6, 6, 8)
MOST_CASES = 8
PRICE = 0.02  # price of a condition, as a fraction of the cells to be covered
_SPELLED = {"heaps": "len(s)", "least": "min(s)", "times": "s.count(min(s))", "largest": "max(s)"}

Cases = tuple[tuple[str, str], ...]
"""Pairs (expression, condition). The first pair whose condition holds applies, or else the last pair."""


@dataclass(frozen=True)
class ShapeForm:
    """A formula for the value in terms of the shape, with a best move.

    `region`: the condition under which the formula holds; "True" for all positions.
    `values`: the cases of the value.
    `becomes`: the best move: the cases of the size to which it changes a largest heap.
    """

    region: str
    values: Cases
    becomes: Cases

    @property
    def value(self) -> str:
        return _format_cases(self.values)


def _format_cases(cases: Cases) -> str:
    *first, (last, _) = cases
    return " ".join([*(f"{said} if {where} else" for said, where in first), last])


class _Shapes:
    """All cells of a box, with the value and the shape of each. A cell is a position with parameters.

    The box contains all positions and parameters up to some limits. For each cell, the values of its options are known
    too, by the new size of the largest heap.
    """

    def __init__(self, question: SearchProblem, clock: Deadline) -> None:
        self.question, self.clock = question, clock
        table = OutcomeTable(question, BOX, clock)
        s = t.Variable(POSITION, 0, 0, POSITION_NAME)
        values = table.evaluate(t.GameCall(INT, 0, 0, "value", GAME, (s,)))
        q, n = np.divmod(np.arange(values.size), len(table.rows))
        self.values = values[q, n]
        rows = table.rows
        least = np.where(rows > 0, rows, BOX.size + 1).min(axis=1, initial=BOX.size + 1)
        shape = {
            "heaps": np.count_nonzero(rows, axis=1),
            "least": np.where(rows.any(axis=1), least, 0),
            "times": (rows == least[:, None]).sum(axis=1),
            "largest": rows.max(axis=1),
        }
        self.columns = {name: column[n] for name, column in shape.items()}
        self.columns |= {name: column[q] for name, column in table.parameters.items()}
        self._table = ColumnTable(self.columns)
        self._after = table.joined[np.where(shape["heaps"] > 0, table.beside[:, -1], 0)][n]
        self._all, self._q = values, q
        self.players = self.evaluate(print_term(dict(question.game.arguments)[question.ruleset.player_count]))

    def evaluate(self, words: str) -> Array:
        """Return, for each cell (position with parameters), the value of an integer expression.

        The expression may contain the parameters and the numbers of the shape, such as `largest`.
        """
        term = self.question.elaborator(*SHAPE).term(words, INT)
        return np.broadcast_to(self._table.evaluate(term).values, self.values.shape)

    def holds(self, words: str) -> Truths:
        """Return, for each cell (position with parameters), whether a condition is true.

        The condition may contain the parameters and the numbers of the shape, such as `largest`.
        """
        term = self.question.elaborator(*SHAPE).term(words, BOOL)
        return np.broadcast_to(self._table.evaluate(term).values.astype(bool), self.values.shape)

    def attains(self, words: str) -> Truths:
        """Return, for each cell, whether a move that changes a largest heap to the size `words` is legal and best.

        A cell is a position with parameters. `words`: an integer expression.
        """
        left = self.evaluate(words)
        legal = (left >= 0) & (left < self.columns["largest"])
        after = self._after[np.arange(len(left)), np.where(legal, left, 0)]
        found: Truths = legal & ((self._all[self._q, after] + 1) % self.players == self.values)
        return found


def find_values_of_players(question: SearchProblem, clock: Deadline, tell: Tell, outcome: SearchProgress) -> None:
    """Search for a formula for the value in an n-player game.

    Results are stored in `outcome` as soon as they are found. The search ends when the clock runs out.
    """

    def search(note: Tell) -> None:
        forms = (
            (f"where {x.region} the value is {x.value}", partial(write_shapes, question, x))
            for x in guess_shapes(question, clock)
        )
        search_forms(question, forms, clock, note, outcome)
        if outcome.stage is not SearchStage.PROOF:
            outcome.obstacle = outcome.obstacle or refuse_shapes(question)

    run_search(search, tell, outcome)


def refuse_shapes(question: SearchProblem) -> str:
    """Return the reason why no formula was found: every candidate is wrong, or the moves of the game are unsuitable."""
    return (Refusal.NO_SHAPE if _has_shapes(question) else Refusal.FEW_SHAPES).say()


def _has_shapes(question: SearchProblem) -> bool:
    way = find_way(question.ruleset.moves)
    return way is not None and way.move.choose == "largest" and len(question.ruleset.moves) == 1


def guess_shapes(question: SearchProblem, clock: Deadline) -> Iterator[ShapeForm]:
    """Yield formulas, each of which is correct for all sampled positions of some region.

    A region is a condition on the number of players, the number of heaps, or the largest heap. Nothing is yielded
    unless the game has one kind of move, which changes a largest heap.
    """
    if not _has_shapes(question):
        return
    shapes = _Shapes(question, clock)
    n = print_term(dict(question.game.arguments)[question.ruleset.player_count])
    regions = ["True", f"heaps <= {n}", f"heaps < {n}", f"heaps + 1 < {n}", "largest <= 1"]
    if n in question.names:
        regions = [x for region in regions for x in (region, f"{n} >= 3 and {region}") if region != "True"]
    atoms = [f"{n} > heaps + 1", f"{n} == heaps + 1", f"{n} == heaps", "times == heaps"]
    atoms += [*(f"{name} {sign} 1" for name in ("least", "largest", "heaps") for sign in ("==", ">"))]
    numbers = ["heaps", "heaps - 1", "heaps - 1 - times", "heaps - times", "times", "0", "1", "2"]
    numbers += [f"{n} - 1", f"{n} - 2", f"heaps % {n}"]
    left = ["0", "1", "least", "least - 1", "largest - 1"]
    conditions = _list_conditions(shapes, atoms)
    right = {x: shapes.evaluate(x) == shapes.values for x in numbers}
    attained = {x: shapes.attains(x) for x in left}
    for region in regions:
        clock.check()
        inside = shapes.holds(region)
        values = _decide(conditions, right, inside)
        becomes = _decide(conditions, attained, inside & (shapes.columns["heaps"] > 0))
        if values and becomes:
            yield ShapeForm(region, values, becomes)


def _list_conditions(shapes: _Shapes, atoms: list[str]) -> list[tuple[str, Truths, int]]:
    """Return all conjunctions of at most two conditions: text, truth values, and number of conditions (0 for `True`).

    There is a truth value for each cell (position with parameters).
    """
    truth = {x: shapes.holds(x) for x in atoms}
    found = [("True", np.ones(len(shapes.values), dtype=bool), 0)]
    found += [(x, held, 1) for x, held in truth.items()]
    return [*found, *((f"{a} and {b}", truth[a] & truth[b], 2) for a, b in combinations(atoms, 2))]


def _decide(conditions: list[tuple[str, Truths, int]], right: dict[str, Truths], inside: Truths) -> Cases:
    """Return an ordered list of cases (expression, condition) that is correct at all cells of `inside`.

    A cell is a position with parameters. The next case is always one that covers as many of the remaining cells as
    possible. Return () if no such list with at most MOST_CASES cases is found.
    `conditions`: as returned by `_list_conditions`.
    `right`: for each expression, the cells at which it is correct.
    """
    todo, cases = inside.copy(), list[tuple[str, str]]()
    while todo.any():
        best: tuple[float, str, str, Truths] | None = None
        for where, held, atoms in conditions:
            here = held & todo
            count = int(here.sum())
            score = count - PRICE * atoms * int(todo.sum())
            if not count or (best is not None and score <= best[0]):
                continue
            said = next((x for x, good in right.items() if good[here].all()), None)
            if said is not None:
                best = score, said, where, here
        if best is None or len(cases) == MOST_CASES:
            return ()
        cases.append((best[1], best[2]))
        todo &= ~best[3]
    return tuple(cases)


# -- claims -----------------------------------------------------------------------------------------------------------
def write_shapes(question: SearchProblem, form: ShapeForm, proof: bool = True) -> str:
    """Return the text of a claim file that states the value of a position. `proof`: whether to include the [proof]."""
    value, region = _spell(question, form.value, False), _spell(question, form.region, True)
    extremes = any(x in f"{region} {value}" for x in ("min(s)", "max(s)"))  # the empty position has neither
    condition = " and ".join([*(["len(s) >= 1"] if extremes else []), *([] if form.region == "True" else [region])])
    words = f"{f'where {condition}, ' if condition else ''}the value is {value}"
    variables = {POSITION_NAME: "position"}
    lines = head(question, "values", words, f"value(s) == ({value})", variables, {}, condition)
    return "\n".join([*lines, *(["", write_proof(form)] if proof else [""])])


def write_proof(form: ShapeForm) -> str:
    """Return the text of a [proof] by rule "value"."""
    lines = ["[proof]", 'rule = "value"', f"region = {quote(form.region)}", f"value = {quote(form.value)}"]
    becomes = _format_cases(form.becomes)
    lines += ["", "[[proof.options]]", 'when = "heaps >= 1"', f"becomes = {quote(becomes)}"]
    return "\n".join(lines) + "\n"


def _spell(question: SearchProblem, words: str, condition: bool) -> str:
    """Return an expression over the numbers of the shape, rewritten over the position: `largest` becomes `max(s)`.

    `condition`: whether the expression is a condition instead of an integer.
    """
    reader = question.elaborator()
    term = question.elaborator(*SHAPE).term(words, BOOL if condition else INT)
    return print_term(substitute(term, {name: reader.term(spelled, INT) for name, spelled in _SPELLED.items()}))
