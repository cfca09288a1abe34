"""A budget of CPU time ends every computation that a claim file can cause, and affects no other claim."""

import importlib
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from checks.execution import settle as settling
from checks.execution.execute import execute
from checks.execution.settle import settle_entry_safely
from checks.judgement import diagnosis
from checks.judgement.routes import (
    BudgetSpent,
    Exhausted,
    Spent,
    describe_spent,
    guard,
    run_within_budget,
    seconds_left,
)
from checks.judgement.scopes import Options
from checks.results.verdicts import Verdict
from claims.language.files.library import Entry, select
from encoders.bounded import encoder as bounded
from encoders.compute import exhaustive
from encoders.proving import prove as proving

TINY = 0.2  # seconds, for work that never ends
CLAIM = """format = 1
title = "T"
statement = "S."
work = "mine"
locator = "L"
role = "conjecture"
[forall]
n = "0.."
[claim]
then = "{then}"
[scope]
n = "0..20"
"""


def work_for_ever(*_: object, **__: object) -> None:
    for _ in count():
        pass


def work_through_broad_excepts(*_: object, **__: object) -> None:
    for _ in count():
        with suppress(Exception):
            sum(range(100))


@pytest.fixture
def entries(tmp_path: Path) -> tuple[Entry, ...]:
    """Return three true claims."""
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.toml").write_text(CLAIM.format(then="n >= 0"))
    return select(tuple(str(tmp_path / f"{name}.toml") for name in ("a", "b", "c")))


@pytest.mark.parametrize("work", [work_for_ever, work_through_broad_excepts])
def test_work_without_end_is_ended(work: object) -> None:
    with pytest.raises(Spent, match=r"the budget of 0\.2 s is used up"):
        run_within_budget(TINY, work)


def test_within_a_guard_it_is_said_where_and_there_is_time_for_the_rest() -> None:
    def work() -> str:
        with pytest.raises(Spent, match=r"the budget of 0\.2 s is used up in a route"):
            guard("in a route", work_for_ever)
        assert seconds_left(9.0) == 0
        return describe_spent()

    assert run_within_budget(TINY, work) == "the budget of 0.2 s is used up"


def test_work_that_goes_on_after_each_interruption_ends_as_well() -> None:
    def work() -> None:
        for _ in count():
            with pytest.raises(Exhausted):
                guard("again", work_for_ever)

    with pytest.raises(Spent):
        run_within_budget(0.05, work)


def test_an_exception_that_is_swallowed_is_raised_again() -> None:
    seen = []

    def work() -> None:
        try:
            work_for_ever()
        except BudgetSpent:
            seen.append(1)
        work_for_ever()

    with pytest.raises(Spent):
        run_within_budget(TINY, work)
    assert seen == [1]


def test_work_in_time_is_not_touched_and_no_budget_is_no_limit() -> None:
    assert run_within_budget(60.0, lambda: 7) == 7
    assert run_within_budget(None, lambda: (seconds_left(), describe_spent())) == (None, "")
    assert seconds_left(3.0) == 3.0


def test_a_program_under_a_profiler_goes_on_after_a_budget() -> None:
    code = """if True:
        import cProfile
        from checks.judgement.routes import run_within_budget
        cProfile.Profile().runcall(lambda: [run_within_budget(60.0, int) for _ in range(3)])
        """
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_an_import_is_finished_before_the_budget_ends_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A partly imported module would fail in every later claim."""
    (tmp_path / "slow_to_import.py").write_text("for _ in range(20_000_000):\n    pass\nVALUE = 7\n")
    monkeypatch.syspath_prepend(tmp_path)

    def work() -> None:
        importlib.import_module("slow_to_import")
        work_for_ever()

    with pytest.raises(Spent):
        run_within_budget(TINY, work)
    assert sys.modules["slow_to_import"].VALUE == 7


def test_a_budget_holds_within_the_import_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "from checks.judgement.routes import run_within_budget\nimport test_budgets_of_cpu_time as t\n"
    (tmp_path / "settles_at_import.py").write_text(f"{text}run_within_budget(t.TINY, t.work_for_ever)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Spent):
        importlib.import_module("settles_at_import")


PLACES = {
    "reading": (settling, "load_claim"),
    "the search": (exhaustive, "decide_by_search"),
    "the account": (settling, "find_closed_form"),
    "the mathematics": (settling, "formal_of"),
}


@pytest.mark.parametrize("jobs", [1])
@pytest.mark.parametrize("place", PLACES)
def test_a_claim_that_never_ends_is_inconclusive_and_the_others_keep_their_results(
    place: str, jobs: int, entries: tuple[Entry, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, name = PLACES[place]
    real = getattr(module, name)

    def second_never_ends(*args: object) -> object:
        is_second = any(Path(str(getattr(x, "id", x))).stem == "b" for x in args)
        return work_for_ever() if is_second else real(*args)

    monkeypatch.setattr(module, name, second_never_ends)
    found = execute(entries, Options(budget=TINY * 5), jobs, lambda *_: None)
    assert not found.interrupted
    assert [x.verdict.value for x in found.results] == ["verified", "inconclusive", "verified"]
    assert "the budget of 1 s is used up" in found.results[1].finding.not_established
    assert found.results[1].provenance.seen == ()  # nothing of it is stored for later runs


@pytest.mark.parametrize("name", ["prove", "diagnose"])
def test_what_the_search_found_outlives_a_proof_that_never_ends(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr({"prove": proving, "diagnose": diagnosis}[name], name, work_for_ever)
    (bouton,) = select(("nim/bouton",))
    small = Options(overrides=(("s.heaps", "0..2"), ("s.size", "1..4")), budget=2.0)
    found = settle_entry_safely(bouton, small)
    first = found.finding.routes[0]
    assert (first.encoder, first.answer, found.finding.cases > 0) == ("exhaustive", "holds", True)
    if name == "prove":
        assert found.verdict is Verdict.INCONCLUSIVE
        assert "no counterexample was found: the budget of 2 s is used up" in found.finding.not_established


def test_after_the_budget_no_further_route_is_asked(
    entries: tuple[Entry, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exhaustive, "decide_by_search", work_for_ever)
    monkeypatch.setattr(bounded, "decide_by_smt", lambda *_: pytest.fail("asked"))
    found = settle_entry_safely(entries[0], Options(budget=TINY, routes=("exhaustive", "bounded")))
    assert [x.detail for x in found.finding.routes] == [
        "the budget of 0.2 s is used up in the route exhaustive",
        "not asked: the budget of 0.2 s is used up",
    ]
    assert found.verdict is Verdict.INCONCLUSIVE
