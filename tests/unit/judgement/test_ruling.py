"""From the answers about a claim to the evidence, the verdict, and the open part."""

from pathlib import Path
from typing import Any

import pytest
from settling import written

from checks.judgement.findings import RefereeReview
from checks.judgement.ruling import CollectedAnswers, evidence_of, make_ruling
from checks.results.model import SettledLemma
from checks.results.verdicts import Verdict
from checks.results.wording import describe_not_established
from claims.language.files.claim import Judgement
from claims.language.files.domains import Range
from encoders.logic.answer import Decision, Obligation, ObligationStatus, ProofReach, RouteResult
from encoders.trust import All, Below, Limits

EVERY = '[forall]\nx = "0.."\n[claim]\nthen = "x >= 0"\n[scope]\nx = "0..9"\n'
SOME = '[exists]\nx = "0.."\n[claim]\nthen = "x == 5"\n[scope]\nx = "0..9"\n'
FINITE = '[forall]\nx = "1..9"\n[claim]\nthen = "x > 0"\n'
FALSE = ((Judgement.FAILS, Judgement.FAILS),)
TRUE = ((Judgement.HOLDS, Judgement.HOLDS),)
SHOWN, OPEN = Obligation("claim", ObligationStatus.PROVED), Obligation("step", ObligationStatus.UNKNOWN)
STANDS = SettledLemma("mine/one", "", Verdict.PROVED, by_proof=True)
FALLS = SettledLemma("mine/two", "", Verdict.REFUTED)


def search(answer: str, encoder: str = "exhaustive", **fields: Any) -> RouteResult:
    return RouteResult(encoder, Decision(answer), **{"cases": 10, "cases_with_hypotheses": 7} | fields)


BELOW_62: Limits = (("x", Below(62)),)


def proof(
    answer: str, *obligations: Obligation, proved: Limits = BELOW_62, below: int | None = None, **fields: Any
) -> RouteResult:
    reach = ProofReach(proved, below)
    return RouteResult("folds", Decision(answer), obligations=obligations, reach=reach, **fields)


@pytest.fixture
def record(tmp_path: Path) -> Any:
    """Return a function that makes a record from the referee's result, the answers of the searches, and more."""

    def make(body: str, found: RefereeReview, *searches: RouteResult, **fields: Any) -> CollectedAnswers:
        claim = written(tmp_path, body)
        return CollectedAnswers(claim, claim.scope("quick"), found, searches, **fields)

    return make


HOLDS, CONFIRMED = search("holds"), RefereeReview(confirmed=3)


# -- the evidence -----------------------------------------------------------------------------------------------------
def test_evidence_has_what_was_heard(record: Any) -> None:
    found = RefereeReview(TRUE, confirmed=3)
    searches = (
        search("unknown", cases=10, cases_with_hypotheses=7),
        search("holds", "bounded", cases=0, cases_with_hypotheses=0, witness={"x": 4}),
    )
    evidence = evidence_of(record(EVERY, found, *searches, proof=proof("holds", SHOWN, OPEN), lemmas=(STANDS, FALLS)))
    assert (evidence.quantifier, evidence.complete) == ("forall", False)
    assert evidence.answers == (
        ("exhaustive", Decision.UNKNOWN),
        ("bounded", Decision.HOLDS),
        ("folds", Decision.HOLDS),
    )
    assert (evidence.cases, evidence.met, evidence.confirmed, evidence.replays) == (10, 7, 3, TRUE)
    assert evidence.obligations == (ObligationStatus.PROVED, ObligationStatus.UNKNOWN)
    assert evidence.lemmas == (True, False)
    assert (evidence.differs, evidence.reached, evidence.within) == (False, True, True)
    assert evidence_of(record(FINITE, found, HOLDS)).complete
    assert evidence_of(record(EVERY, found, HOLDS)).answers == (("exhaustive", Decision.HOLDS),)


@pytest.mark.parametrize(
    ("found", "faults", "differs"),
    [
        (RefereeReview(), (), False),
        (RefereeReview(differs=True), (), True),
        (RefereeReview(), ("an internal error",), True),
        (RefereeReview(differs=True), ("an internal error",), True),
    ],
)
def test_an_internal_error_counts_as_a_difference(
    record: Any, found: RefereeReview, faults: tuple[str, ...], differs: bool
) -> None:
    assert evidence_of(record(EVERY, found, HOLDS, faults=faults)).differs is differs


@pytest.mark.parametrize(
    ("witness", "below", "reached"),
    [({"x": 4}, 5, True), ({"x": 5}, 5, False), (None, 5, False), (None, None, True), ({"x": 5}, None, True)],
)
def test_a_proof_reaches_a_case_that_is_known(record: Any, witness: Any, below: int | None, reached: bool) -> None:
    by = proof("holds", SHOWN, below=below)
    assert evidence_of(record(EVERY, CONFIRMED, search("holds", witness=witness), proof=by)).reached is reached
    other = (search("unknown"), search("holds", "bounded", witness=witness))
    assert evidence_of(record(EVERY, CONFIRMED, *other, proof=by)).reached is reached


@pytest.mark.parametrize(
    ("fields", "within"),
    [
        ({}, True),
        ({"counterexample": {"x": 4}}, True),
        ({"counterexample": {"x": 5}}, False),
        ({"ill_defined": {"x": 4}}, True),
        ({"ill_defined": {"x": 5}}, False),
        ({"ill_defined": {"x": 5}, "counterexample": {"x": 4}}, True),
    ],
)
def test_what_speaks_against_the_claim_may_lie_beyond_a_proof(record: Any, fields: Any, within: bool) -> None:
    by = proof("holds", SHOWN, below=5)
    assert evidence_of(record(EVERY, CONFIRMED, search("fails", **fields), proof=by)).within is within


@pytest.mark.parametrize(
    ("first", "second", "speaks"),
    [
        ("holds", "fails", "exhaustive"),
        ("unknown", "fails", "bounded"),
        ("unknown", "holds", "bounded"),
        ("unknown", "unknown", "exhaustive"),
        ("unsupported", "holds", "exhaustive"),
    ],
)
def test_another_search_speaks_for_the_scope_where_the_first_met_a_limit(
    record: Any, first: str, second: str, speaks: str
) -> None:
    assert record(EVERY, RefereeReview(), search(first), search(second, "bounded")).search.encoder == speaks


# -- the ruling -------------------------------------------------------------------------------------------------------
REST, WHOLE, SCOPE = "x above 9", (("x", All()),), (("x", Range(0, 9)),)
BEYOND = "anything beyond the scope"
WITHOUT_LEMMA = "a proof, since it rests on mine/two, which is refuted: nothing follows from it"
NOTHING_FOUND = "in the scope (x 0..9) no counterexample was found"


@pytest.mark.parametrize(
    ("body", "found", "searches", "fields", "expected"),
    [
        pytest.param(EVERY, CONFIRMED, [HOLDS], {}, ("verified", "verified", SCOPE, REST), id="verified"),
        pytest.param(FINITE, CONFIRMED, [HOLDS], {}, ("proved", "proved", WHOLE, ""), id="searched in full"),
        pytest.param(
            EVERY,
            CONFIRMED,
            [HOLDS],
            {"proof": proof("holds", SHOWN)},
            ("proved", "verified", (("x", Below(62)),), "x of 2^62 and more"),
            id="proved within bounds",
        ),
        pytest.param(
            EVERY,
            CONFIRMED,
            [HOLDS],
            {"proof": proof("holds", SHOWN, proved=WHOLE)},
            ("proved", "verified", WHOLE, ""),
            id="proved",
        ),
        pytest.param(
            EVERY,
            RefereeReview(FALSE, not_established="something"),
            [search("fails", counterexample={"x": 3})],
            {},
            ("refuted", "refuted", SCOPE, ""),
            id="refuted",
        ),
        pytest.param(
            EVERY,
            RefereeReview(not_established="anything: out of time"),
            [search("unknown")],
            {"proof": proof("holds", SHOWN)},
            ("inconclusive", "inconclusive", SCOPE, "anything: out of time"),
            id="met a limit",
        ),
        pytest.param(
            EVERY,
            CONFIRMED,
            [HOLDS],
            {"proof": proof("unknown", OPEN, detail="step is open")},
            (
                "inconclusive",
                "verified",
                SCOPE,
                "a proof beyond the scope (x 0..9), in which no counterexample was found: step is open",
            ),
            id="proof open",
        ),
        pytest.param(
            EVERY,
            CONFIRMED,
            [HOLDS],
            {"proof": proof("holds", SHOWN, below=0)},
            (
                "inconclusive",
                "verified",
                SCOPE,
                f"{BEYOND}: the proof covers only numbers below 0, and no searched case is below this bound",
            ),
            id="proof about nothing",
        ),
        pytest.param(
            EVERY,
            CONFIRMED,
            [HOLDS],
            {"proof": proof("holds", SHOWN), "lemmas": (STANDS, FALLS)},
            (
                "inconclusive",
                "verified",
                SCOPE,
                f"{WITHOUT_LEMMA}; {NOTHING_FOUND}",
            ),
            id="lemma falls",
        ),
        pytest.param(
            EVERY,
            CONFIRMED,
            [HOLDS],
            {"proof": proof("unknown", OPEN, detail="step is open"), "lemmas": (FALLS,)},
            (
                "inconclusive",
                "verified",
                SCOPE,
                f"{WITHOUT_LEMMA}; the proof is also incomplete: step is open; {NOTHING_FOUND}",
            ),
            id="lemma falls and proof open",
        ),
        pytest.param(
            EVERY,
            RefereeReview(FALSE),
            [HOLDS],
            {"proof": proof("fails", OPEN)},
            ("refuted", "verified", SCOPE, ""),
            id="refuted by the proof",
        ),
        pytest.param(
            SOME,
            RefereeReview(TRUE),
            [search("holds", witness={"x": 5})],
            {},
            ("proved", "proved", WHOLE, ""),
            id="a witness",
        ),
        pytest.param(
            SOME,
            RefereeReview(not_established="a witness"),
            [search("fails")],
            {},
            ("inconclusive", "inconclusive", SCOPE, "a witness"),
            id="no witness",
        ),
    ],
)
def test_what_is_ruled(
    record: Any, body: str, found: RefereeReview, searches: list[RouteResult], fields: Any, expected: tuple[Any, ...]
) -> None:
    ruling = make_ruling(record(body, found, *searches, **fields))
    assert (ruling.verdict.value, ruling.within.value, ruling.limits, ruling.not_established) == expected
    assert ruling.error == ""


@pytest.mark.parametrize(
    ("found", "searches", "fields", "error"),
    [
        pytest.param(
            RefereeReview(error="at x = 1 they differ", differs=True),
            [HOLDS],
            {},
            "at x = 1 they differ",
            id="the referee",
        ),
        pytest.param(
            RefereeReview(error="something", not_established="something else"),
            [HOLDS],
            {"faults": ("died in folds", "died elsewhere")},
            "died in folds",
            id="the first fault",
        ),
        pytest.param(
            CONFIRMED,
            [HOLDS],
            {"proof": proof("contradiction", detail="z3 says yes, cvc5 says no")},
            "the route folds: z3 says yes, cvc5 says no",
            id="solvers",
        ),
        pytest.param(
            CONFIRMED,
            [HOLDS],
            {"proof": proof("holds", SHOWN, OPEN)},
            "the route folds proves the claim without step",
            id="an obligation is open",
        ),
        pytest.param(
            CONFIRMED,
            [HOLDS],
            {"proof": proof("holds")},
            "the route folds proves the claim without any obligation",
            id="no obligation",
        ),
        pytest.param(
            RefereeReview(FALSE),
            [search("fails", counterexample={"x": 3})],
            {"proof": proof("holds", SHOWN)},
            "the route folds proves the claim, but the referee finds it refuted",
            id="proof of what is false",
        ),
        pytest.param(
            CONFIRMED,
            [HOLDS, search("fails", "bounded")],
            {},
            "the route bounded reports that the claim fails, but it is verified",
            id="two searches",
        ),
        pytest.param(
            CONFIRMED,
            [HOLDS, search("fails", "bounded")],
            {"proof": proof("holds", SHOWN)},
            "the route bounded reports that the claim fails, but it is verified",
            id="two searches and a proof",
        ),
        pytest.param(
            CONFIRMED,
            [HOLDS, search("holds", "bounded")],
            {"proof": proof("contradiction", detail="both ways")},
            "the route folds: both ways",
            id="a proof after two searches",
        ),
        pytest.param(
            RefereeReview(FALSE),
            [search("fails", counterexample={"x": 3}), search("holds", "bounded")],
            {},
            "the route bounded reports that the claim holds, but it is refuted",
            id="two searches, the first of which refutes",
        ),
        pytest.param(
            RefereeReview(),
            [search("contradiction", detail="both")],
            {},
            "the route exhaustive: both",
            id="the search itself",
        ),
        pytest.param(RefereeReview(), [search("fails")], {}, "the routes contradict each other", id="one route"),
        pytest.param(
            RefereeReview(),
            [search("fails")],
            {"proof": proof("unknown", OPEN)},
            "the routes contradict each other",
            id="one route and an open proof",
        ),
    ],
)
def test_what_contradicts_is_named(
    record: Any, found: RefereeReview, searches: list[RouteResult], fields: Any, error: str
) -> None:
    ruling = make_ruling(record(EVERY, found, *searches, **fields))
    assert (ruling.verdict, ruling.error) == (Verdict.INCONSISTENT, error)


def test_a_proof_that_fails_contradicts_a_search_of_all_cases(record: Any) -> None:
    ruling = make_ruling(record(FINITE, RefereeReview(FALSE, confirmed=3), HOLDS, proof=proof("fails", OPEN)))
    assert ruling.verdict is Verdict.INCONSISTENT
    assert ruling.error == "the route folds reports that the claim fails, but it is proved"


def test_an_error_leaves_anything_open(record: Any) -> None:
    assert (
        make_ruling(record(EVERY, CONFIRMED, HOLDS, faults=("died in folds",))).not_established
        == "anything: died in folds"
    )
    assert describe_not_established("") == ""
    assert describe_not_established("first line\nsecond line") == "anything: first line"
