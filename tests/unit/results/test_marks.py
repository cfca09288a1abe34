"""The mark of an obligation shows its own result, and no better one."""

from dataclasses import replace

import pytest
from samples import BARE, alter

from checks.results.model import ClaimResult
from checks.results.shown import ProofPresentation, ProofRow, ProofTable, Step
from checks.results.verdicts import Verdict
from checks.results.wording import (
    Fate,
    Support,
    count_certified,
    describe_proved,
    find_ground,
    find_marks,
    find_open,
    find_support,
)
from encoders.logic.answer import Obligation, ObligationStatus
from encoders.logic.certificates import Certificate

LINES = (
    ProofRow((), (Step("exists", "a: heap"), Step("legal", "a: legal"))),
    ProofRow((), (Step("exists", "b: heap"),)),
)
TABLE = ProofTable("moves", "Moves", ("When",), LINES)
PROVED = Obligation("a: heap", ObligationStatus.PROVED, solvers=("Z3", "cvc5"), seconds=0.034)


def result(*obligations: Obligation, ground: tuple[str, ...] = ()) -> ClaimResult:
    return alter(BARE, obligations=obligations, proof=ProofPresentation("folds", "S.", (TABLE,), ground))


@pytest.mark.parametrize(
    ("found", "fate", "said"),
    [
        (PROVED, Fate.PROVED, "proved by Z3 and cvc5"),
        (replace(PROVED, solvers=()), Fate.PROVED, "proved"),
        (replace(PROVED, note="does not need: k < l"), Fate.PROVED, "proved by Z3 and cvc5; does not need: k < l"),
        (
            replace(PROVED, result=ObligationStatus.FAILED, detail="fails at c = 1, g = 4", solvers=("Z3",)),
            Fate.FAILED,
            "fails at c = 1, g = 4, found by Z3",
        ),
        (
            replace(
                PROVED, result=ObligationStatus.FAILED, detail="the hypotheses contradict each other", solvers=("Z3",)
            ),
            Fate.FAILED,
            "fails: the hypotheses contradict each other",
        ),
        (
            replace(PROVED, result=ObligationStatus.UNKNOWN, detail="the solver gave up: timeout"),
            Fate.UNKNOWN,
            "not decided: the solver gave up: timeout",
        ),
        (
            replace(PROVED, result=ObligationStatus.CONTRADICTION, detail="two solvers disagree"),
            Fate.CONTRADICTION,
            "disputed: two solvers disagree",
        ),
    ],
)
def test_what_became_of_an_obligation_is_said(found: Obligation, fate: Fate, said: str) -> None:
    mark, *_ = find_marks(result(found), LINES[0].steps)
    assert (mark.fate, mark.description) == (fate, said)


@pytest.mark.parametrize("word", [r for r in ObligationStatus if r is not ObligationStatus.PROVED])
def test_only_what_is_proved_is_said_to_be(word: ObligationStatus) -> None:
    mark, _ = find_marks(result(replace(PROVED, result=word)), LINES[0].steps)
    assert mark.fate is not Fate.PROVED
    assert "proved" not in mark.description
    assert describe_proved(result(replace(PROVED, result=word))).startswith("0 of 3 ")


def test_a_line_is_shown_by_its_own_obligations() -> None:
    failed = replace(PROVED, name="b: heap", result=ObligationStatus.FAILED, detail="fails at k = 1")
    found = result(PROVED, replace(PROVED, name="a: legal"), failed)
    assert [m.fate for m in find_marks(found, LINES[0].steps)] == [Fate.PROVED, Fate.PROVED]
    assert [m.fate for m in find_marks(found, LINES[1].steps)] == [Fate.FAILED]
    assert find_open(found, LINES[0]) is None
    open_ = find_open(found, LINES[1])
    assert open_ is not None
    assert open_.description.startswith("fails at k = 1")


def test_what_was_not_tried_is_neither_proved_nor_open() -> None:
    found = result(PROVED)
    assert [m.fate for m in find_marks(found, LINES[1].steps)] == [Fate.UNTRIED]
    assert find_open(found, LINES[1]) is None


def test_the_tally_counts_the_ground_and_names_the_solvers() -> None:
    found = result(PROVED, replace(PROVED, name="measure", solvers=("Z3",)), ground=("measure", "parameters"))
    assert [m.fate for m in find_ground(found)] == [Fate.PROVED, Fate.UNTRIED]
    assert describe_proved(found) == "2 of 5 conditions proved, by Z3 and cvc5"


def test_a_time_is_told_where_there_is_one() -> None:
    found = result(PROVED, replace(PROVED, name="b: heap", seconds=0.0001))
    assert [m.seconds for m in find_marks(found, LINES[0].steps)] == ["0.03 s", ""]
    assert [m.seconds for m in find_marks(found, LINES[1].steps)] == [""]


# -- the basis of a proof ---------------------------------------------------------------------------------------------
SHOWN = replace(PROVED, name="a: legal", solvers=("certificate",), certificate=Certificate(0, (), False, (), 0))


def proved(*obligations: Obligation) -> ClaimResult:
    return replace(result(*obligations), verdict=Verdict.PROVED)


def test_what_has_no_certificate_is_trusted_to_whoever_said_it() -> None:
    found = find_support(proved(SHOWN, PROVED))
    assert found == Support(1, (("a: heap", ("Z3", "cvc5")),))
    assert found.words == "1 of 2 obligations certified; trusted to Z3 and cvc5: a: heap"
    assert Support(1, ()).words == "1 of 1 obligation certified"


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not Verdict.PROVED])
def test_a_claim_that_is_not_proved_rests_on_nothing(verdict: Verdict) -> None:
    assert find_support(replace(proved(SHOWN), verdict=verdict)) is None
    assert find_support(proved()) is None


def test_certified_obligations_are_counted_over_claims_that_are_proved() -> None:
    open_ = replace(proved(SHOWN, SHOWN), verdict=Verdict.INCONCLUSIVE)
    assert count_certified([proved(SHOWN, PROVED), proved(SHOWN), proved(), open_]) == (2, 3)
