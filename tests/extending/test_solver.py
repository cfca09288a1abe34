"""The recipe "A solver": one module and one line."""

from dataclasses import replace

import pytest
from pages import FILES, PAGE, ROOT
from patient_solver import Patient

from encoders.logic.answer import ObligationStatus
from encoders.logic.sequents import ONE, ZERO, Sequent, Symbols, at_least, compare, equal, less_than, nim
from encoders.refusals import Unsupported
from encoders.solvers import discharge as discharging
from encoders.solvers import list_confirming_solvers
from encoders.solvers.discharge import discharge
from encoders.solvers.effort import USUAL

MODULE = ROOT / "tests" / "extending" / "patient_solver.py"
SECOND = replace(USUAL, second=True)


def restored(highest: int, wrong: bool = False) -> Sequent:
    """g ^ rest != 0 entails (g ^ (g ^ rest)) ^ rest == 0."""
    symbols = Symbols()
    g, rest = symbols.integer("g", 0, highest), symbols.integer("rest", 0, highest)
    whole = nim(g, rest)
    show = equal(nim(nim(g, whole), rest), ONE if wrong else ZERO)
    return symbols.sequent("restored", (compare("ne", whole, ZERO),), show)


def unbounded() -> Sequent:
    symbols = Symbols()
    x = symbols.integer("x")
    return symbols.sequent("unbounded", (at_least(x, ONE),), less_than(ZERO, x))


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discharging, "list_confirming_solvers", lambda: (Patient(),))


def test_the_page_shows_the_module_and_the_line() -> None:
    assert MODULE.read_text("utf-8") == FILES["encoders/solvers/patient.py"]
    assert "return (Z3(), Cvc5(), Patient())" in PAGE
    assert [s.name for s in list_confirming_solvers()] == ["Z3", "cvc5"]


def test_it_confirms_what_it_can_and_says_what_it_cannot() -> None:
    assert discharge(restored(63), SECOND, None).note == "confirmed by patience; trivial"
    found = discharge(restored((1 << 62) - 1), SECOND, None)
    assert found.result is ObligationStatus.PROVED
    assert found.note.startswith("not confirmed by patience: ")


def test_it_is_never_given_what_it_cannot_do() -> None:
    with pytest.raises(Unsupported, match="patience does not support integers without bound"):
        discharge(unbounded(), SECOND, None)


def test_where_it_disagrees_the_proof_is_worthless(monkeypatch: pytest.MonkeyPatch) -> None:
    class Liar(Patient):
        def check(self, sequent, limits):
            return super().check(restored(63, wrong=True), limits)

    monkeypatch.setattr(discharging, "list_confirming_solvers", lambda: (Liar(),))
    found = discharge(restored(63), SECOND, None)
    assert found.result is ObligationStatus.CONTRADICTION
    assert "two solvers disagree: patience" in found.detail
