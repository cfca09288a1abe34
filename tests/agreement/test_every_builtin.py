"""Every operation of the language has the referee's verdict in every place where it may occur.

The operations come from the table of builtins, so a new one is tested automatically.
"""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from settling import settled, written

from checks.judgement.findings import judge_case
from checks.results.verdicts import Verdict
from claims.language.errors import LanguageError
from claims.language.files.claim import Claim, Judgement
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import _LAZY, BUILTINS, REDUCERS
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import BOOL, INT
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.search import CaseEvaluator
from encoders.logic.answer import Case

ARGUMENTS = (
    "n",
    "2",
    "n / 3",
    "n > 1",
    "position([n, 2])",
    "[n, 2, 0]",
    "{n, 2}",
    "[n / 2, 1 / 3]",
    "[n > 1, True]",
    "[position([n]), position([2])]",
)
WRITTEN = {  # operations that do not occur in the terms below
    "rational": ["n + 1 / 2 == 2"],
    "join": ["position(range(n)) + position([2]) == position([1, 2])"],
    "reachable": ["len(reachable([(0, n), (n, 2)], 0)) == 2", "1 in reachable([(n, 1)], 2)"],
    "component": ["len(component([(0, n), (n, 2)], 2)) == 2", "1 in component([(1, n)], 2)"],
}
OF_PARTS = {  # operations that only a game with parts has
    "part": "any(h.c[0] == n for h in u)",
    "heap": "position([heap([n, 1])]) == u",
}
# Operations on games: test_combined_games.py compares them with plain trees.
OF_GAMES = {"add_games", "subtract_games", "negate_game", "multiply_games", "ordinal_sum"}
LAZY = {
    "and": "n > 1 and 6 // n > 2",
    "or": "n < 1 or 6 // n > 2",
    "implies": "implies(n > 0, 6 // n > 2)",
    "iff": "iff(n > 1, 6 // (n + 1) > 1)",
    "if": "(6 // n if n > 0 else n) == 3",
    "if with lists": "(sorted([n, 1]) if n > 1 else [n]) == [1, 2]",
    "chained": "0 < n <= 2",
    "not in": "n not in [2]",
    "list": "[2 * x for x in [n, 1] if x > 0] == [4, 2]",
    "set": "{x % 2 for x in range(n)} == {0, 1}",
    "set of positions": "{position([x]) for x in range(n)} == {position([]), position([1])}",
}

PLACES = {
    "a claim about integers": """
        [forall]
        n = "0..3"
        [claim]
        then = "{}"
    """,
    "a claim about heaps of numbers": """
        ruleset = "nim"
        [forall]
        s = "position"
        [define]
        n = "sum(s)"
        [claim]
        then = "({}) or not wins(s)"
        [scope]
        s = {{ heaps = "0..2", size = "1..2" }}
    """,
    "the where of a ruleset": """
        ruleset = "rules"
        [forall]
        m = "0..3"
        [claim]
        then = "wins(position([m]))"
    """,
    "a claim about heaps with parts": """
        ruleset = "parts"
        [forall]
        u = "position"
        [define]
        n = "len(u)"
        [claim]
        then = "({}) or wins(u)"
        [scope]
        u = {{ heaps = "0..2", c = {{ length = "1..2", each = "0..1" }} }}
    """,
}
RULES = """
format = 1
title = "Rules"
players = ["A", "B"]
stuck = "loses"
[[moves]]
choose = "any heap n"
pick = {{ x = "1..n" }}
where = "{}"
become = ["n - x"]
"""
PARTS = """
format = 1
title = "Lists"
players = ["A", "B"]
stuck = "loses"
measure = "sum(sum(h.c) for h in s)"
[heap]
c = "list of 0.."
[[moves]]
choose = "any heap h"
where = "sum(h.c) > 0"
become = [{ c = "[]" }]
"""


def read(text: str) -> t.Term:
    return Elaborator({"n": INT}, without_game="no game").term(text)


def conditions(op: str) -> list[str]:
    """Return conditions on n with the operation, one for each combination of argument types."""
    row, kinds = BUILTINS[op], {text: read(text).type for text in ARGUMENTS}
    counts = [len(row.form.parts)] if row.form else [1, 2, 3]
    found: dict[object, str] = {}
    for texts in (x for count in counts for x in product(ARGUMENTS, repeat=count)):
        types = tuple(kinds[x] for x in texts)
        if isinstance(row.typed(types), str) or "n" in found.get(types, ""):
            continue
        call = row.form.pattern.format(*(f"({x})" for x in texts)) if row.form else f"{row.called}({', '.join(texts)})"
        try:
            term = read(call)
        except LanguageError:  # the row does not contain every rule of refusal
            continue
        found[types] = call if term.type == BOOL else f"{call} == {at_two(call)}"
    return list(found.values())


def at_two(text: str) -> str:
    """Return the text with 2 for n; it is then defined."""
    return re.sub(r"\bn\b", "2", text)


def reduced(reducer: str) -> list[str]:
    """Return conditions on n in which the reducer has elements of each possible type."""
    bodies = ("x", "x > 1", "x / 2")
    calls = []
    for body in bodies:
        try:
            call = f"{reducer}({body} for x in [n, 1, 2] if x != 1)"
            calls.append(call if read(call).type == BOOL else f"{call} == {at_two(call)}")
        except LanguageError:
            continue
    return calls


CONDITIONS = {
    **{op: conditions(op) + WRITTEN.get(op, []) for op in BUILTINS if op not in {*OF_PARTS, *OF_GAMES}},
    **{f"{x} for": reduced(x) for x in REDUCERS},
    **{name: [text] for name, text in LAZY.items()},
}


def test_every_operation_is_among_the_conditions() -> None:
    for op in set(BUILTINS) - {*OF_PARTS, *OF_GAMES}:
        assert any(isinstance(x, t.Operation) and x.op == op for text in CONDITIONS[op] for x in walk(read(text))), op
    assert all(CONDITIONS.values()) and {*_LAZY, "and", "or", "if"} <= {*CONDITIONS}


def list_judgements(claim: Claim) -> Iterator[tuple[Case, Judgement]]:
    """Yield the referee's judgement of each case of the scope, in order."""
    for case in CaseEvaluator(claim, claim.scope("quick"), Deadline(None)).list_cases():
        yield case, judge_case(claim, case, False)[0]


def check(folder: Path, place: str, text: str) -> None:
    """Settle the claim and compare it with the first judgement that is not HOLDS, or with HOLDS."""
    (folder / "rules.toml").write_text(RULES.format(text), "utf-8")
    (folder / "parts.toml").write_text(PARTS, "utf-8")
    claim = written(folder, PLACES[place].format(text))
    found, said = settled(claim), list(list_judgements(claim))
    case, first = next((x for x in said if x[1] is not Judgement.HOLDS), ({}, Judgement.HOLDS))
    somewhere = any(x is Judgement.ILL_DEFINED for _, x in said)
    if place == "the where of a ruleset" and somewhere and found.verdict is Verdict.ERROR:
        first = Judgement.ILL_DEFINED  # an engine may evaluate all heaps of the scope first
    match first:
        case Judgement.HOLDS:
            assert found.verdict in (Verdict.VERIFIED, Verdict.PROVED), text
        case Judgement.FAILS:
            assert found.verdict is Verdict.REFUTED, text
            assert dict(found.finding.counterexample.variables) == case, text
        case _:
            assert (first, found.verdict) == (Judgement.ILL_DEFINED, Verdict.ERROR), text
            assert re.search("ill-defined|has no value|no value at", found.finding.error), found.finding.error


@pytest.mark.parametrize("place", list(PLACES)[:3])
@pytest.mark.parametrize("name", CONDITIONS)
def test_it_has_the_verdict_of_the_referee(tmp_path: Path, place: str, name: str) -> None:
    for text in CONDITIONS[name]:
        check(tmp_path, place, text)


@pytest.mark.parametrize("name", OF_PARTS)
def test_so_it_has_where_heaps_have_parts(tmp_path: Path, name: str) -> None:
    check(tmp_path, list(PLACES)[3], OF_PARTS[name])
