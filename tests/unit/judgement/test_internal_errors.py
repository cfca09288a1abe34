"""An internal error is visible, names its place, and does not discard the results of other routes."""

import errno
import signal
import threading
from dataclasses import replace

import pytest
from z3 import Z3Exception

from checks.execution import settle as settling
from checks.execution.settle import settle_entry_safely, settle_unless_heavy
from checks.judgement import diagnosis
from checks.judgement.routes import STACK, lacks_memory, run_within_budget
from checks.judgement.scopes import Options
from checks.presentation import mathematics as closed_forms
from checks.results.model import NONE
from checks.results.verdicts import Verdict
from claims.language.files.library import Entry, select
from claims.language.files.toml import SourceFile
from encoders.bounded import encoder as bounded
from encoders.compute import exhaustive
from encoders.logic.answer import RouteResult
from encoders.proving import prove as proving
from encoders.search import closed_forms as forms

SMALL = Options(overrides=(("s.heaps", "0..2"), ("s.size", "1..4")))


@pytest.fixture
def bouton() -> Entry:
    """Return a claim with a [proof] by folds."""
    (entry,) = select(("nim/bouton",))
    return entry


def dying(error: BaseException):
    """Return an encoder that raises an error."""

    def settle(*_: object) -> RouteResult:
        raise error

    return settle


def noted(error: Exception, note: str) -> Exception:
    error.add_note(note)
    return error


def test_a_proof_that_dies_leaves_the_answer_of_the_scope(bouton: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "prove", dying(noted(KeyError("X"), "in the obligation 'closed'")))
    found = settle_entry_safely(bouton, SMALL)
    assert found.verdict is Verdict.INCONSISTENT
    first, second = found.finding.routes
    assert (first.encoder, first.answer) == ("exhaustive", "holds")
    assert (second.encoder, second.answer) == ("folds", "unknown")
    assert second.detail == "internal error in the route folds: KeyError: 'X', in the obligation 'closed'"
    assert found.finding.cases > 0
    assert found.finding.rechecked > 0
    assert found.statement.title


def test_the_report_of_an_internal_error_names_claim_route_and_obligation(
    bouton: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proving, "prove", dying(noted(KeyError("X"), "in the obligation 'closed'")))
    error = settle_entry_safely(bouton, SMALL).finding.error
    headline = "internal error while settling nim/bouton, in the route folds; please report it:"
    assert error.splitlines()[0] == headline
    assert "Traceback (most recent call last):" in error
    assert error.splitlines()[-2:] == ["KeyError: 'X'", "in the obligation 'closed'"]


@pytest.mark.parametrize(
    ("module", "name", "options"),
    [(exhaustive, "decide_by_search", SMALL), (bounded, "decide_by_smt", replace(SMALL, routes=("bounded",)))],
)
def test_an_error_in_another_route_is_loud_and_names_it(
    bouton: Entry, monkeypatch: pytest.MonkeyPatch, module, name: str, options: Options
) -> None:
    monkeypatch.setattr(module, name, dying(ZeroDivisionError("oops")))
    found = settle_entry_safely(bouton, options)
    assert found.verdict is Verdict.INCONSISTENT
    assert f"in the route {module.NAME}; please report it" in found.finding.error
    assert found.finding.not_established.startswith("anything: internal error")


@pytest.mark.parametrize(
    ("error", "words"),
    [(MemoryError(), "out of memory"), (RecursionError(), "the recursion is too deep for Python")],
)
@pytest.mark.parametrize(
    ("module", "name", "route"), [(exhaustive, "decide_by_search", "exhaustive"), (proving, "prove", "folds")]
)
def test_what_is_used_up_in_a_route_is_inconclusive_and_names_it(
    bouton: Entry, monkeypatch: pytest.MonkeyPatch, module, name: str, route: str, error: BaseException, words: str
) -> None:
    monkeypatch.setattr(module, name, dying(error))
    found = settle_entry_safely(bouton, SMALL)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert f"{words} in the route {route}" in found.finding.not_established
    assert not found.finding.error


UNMAPPED = "x.so: failed to map segment from shared object"


@pytest.mark.parametrize(
    ("error", "lacking"),
    [
        (MemoryError(), True),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("dictionary changed size during iteration"), False),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), True),
        (OSError(errno.ENOENT, "No such file or directory"), False),
        (OSError(UNMAPPED), True),
        (ImportError(UNMAPPED), True),
        (ImportError("x.so: cannot allocate memory in static TLS block"), True),
        (ImportError("cannot import name 'x'"), False),
        (Z3Exception(b"out of memory"), True),
        (Z3Exception(b"invalid argument"), False),
        (ValueError("out of memory"), False),
    ],
)
def test_an_error_for_lack_of_memory_is_told_from_others(
    bouton: Entry, monkeypatch: pytest.MonkeyPatch, error: Exception, lacking: bool
) -> None:
    assert lacks_memory(error) is lacking
    monkeypatch.setattr(settling, "settle_entry", dying(error))
    outside = settle_entry_safely(bouton, SMALL)
    monkeypatch.undo()
    monkeypatch.setattr(proving, "prove", dying(error))
    within = settle_entry_safely(bouton, SMALL)
    expected = Verdict.INCONCLUSIVE if lacking else Verdict.INCONSISTENT
    assert (outside.verdict, within.verdict) == (expected, expected)
    if lacking:
        assert outside.finding.not_established == "anything: out of memory"
        assert within.finding.not_established.endswith("out of memory in the route folds")


def test_without_memory_for_the_thread_of_a_budget_a_claim_is_inconclusive(
    bouton: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading.Thread, "start", dying(RuntimeError("can't start new thread")))
    found = settle_unless_heavy(bouton, replace(SMALL, budget=60.0), NONE)
    assert found is not None
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.finding.not_established == "anything: out of memory"


def test_the_thread_of_a_budget_has_a_small_stack_and_others_keep_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    before, sizes, start = threading.stack_size(), [], threading.Thread.start

    def see(thread: threading.Thread) -> None:
        sizes.append(threading.stack_size())
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", see)
    assert run_within_budget(60.0, threading.stack_size) == before
    assert sizes == [STACK]


def test_after_the_search_no_library_is_loaded_for_the_line_of_the_claim(
    bouton: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search may have used all memory."""
    search = exhaustive.decide_by_search

    def search_then_forget(*args: object) -> RouteResult:
        monkeypatch.setattr(SourceFile, "place", dying(ImportError(UNMAPPED)))
        return search(*args)

    monkeypatch.setattr(exhaustive, "decide_by_search", search_then_forget)
    assert settle_entry_safely(bouton, replace(SMALL, routes=("exhaustive",))).verdict is Verdict.VERIFIED


def test_an_error_in_the_diagnosis_changes_no_verdict(bouton: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    from encoders.logic.answer import Decision, Obligation, ObligationStatus

    failed = RouteResult(
        "folds",
        Decision.UNKNOWN,
        detail="closed: no",
        obligations=(Obligation("closed", ObligationStatus.FAILED, "no"),),
    )
    monkeypatch.setattr(proving, "prove", lambda *_: failed)
    monkeypatch.setattr(diagnosis, "diagnose", dying(KeyError(1)))
    found = settle_entry_safely(bouton, SMALL)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.finding.not_established.endswith(
        "the search for the wrong formula of the proof failed: internal error in the diagnosis: KeyError: 1"
    )


@pytest.mark.parametrize("error", [ValueError("sympy"), MemoryError(), RecursionError()])
@pytest.mark.slow
def test_an_error_in_the_closed_form_changes_no_verdict(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    (entry,) = select(("bash-nim/grundy",))
    before = settle_entry_safely(entry, Options())
    monkeypatch.setattr(forms, "derive_closed_form", dying(error))
    found = settle_entry_safely(entry, Options())
    assert found.verdict is before.verdict
    assert found.presentation.closed_form is not None
    assert (
        found.presentation.closed_form.simplified
        == found.presentation.closed_form.written
        == before.presentation.closed_form.written
    )
    assert found.presentation.closed_form.checks[0].startswith("the formula was not simplified: ")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer signals")
@pytest.mark.slow
def test_a_formula_that_sympy_thinks_about_for_ever_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> None:
        while True:
            pass

    (entry,) = select(("bash-nim/grundy",))
    monkeypatch.setattr(forms, "derive_closed_form", endless)
    monkeypatch.setattr(closed_forms, "SECONDS", 0.1)
    found = settle_entry_safely(entry, Options())
    assert found.verdict is Verdict.PROVED
    assert found.presentation.closed_form.checks[0].endswith("TimeoutError: more than 0.1 seconds")


@pytest.mark.parametrize(
    "place", ["encoders.solvers.discharge.check_on_box", "encoders.rules.folds.obligations._pose_closed"]
)
def test_an_error_in_an_obligation_is_told_with_its_name(
    bouton: Entry, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def die(*_: object, **__: object) -> None:
        raise KeyError("X")

    monkeypatch.setattr(place, die)
    error = settle_entry_safely(bouton, SMALL).finding.error
    assert error.splitlines()[-2] == "KeyError: 'X'"
    assert error.splitlines()[-1] in ("in the obligation 'measure of nim'", "in the obligation 'closed'")
