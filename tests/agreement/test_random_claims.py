"""Random claims: the engine finds the same smallest case as a plain search with the referee, and the same counts."""

import itertools
import tempfile
from pathlib import Path

import pytest
from both import ILL
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from random_expressions import DEFINITIONS, GAMES, expressions

from checks.judgement.scopes import scope_for
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached
from claims.language.errors import ClaimError
from claims.language.files.claim import Claim
from claims.language.files.domains import read_literal
from encoders.bounded.encoder import decide_by_smt as by_constraints
from encoders.compute.exhaustive import decide_by_search
from encoders.proving.reading import load_claim

FIXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
# The values of the variables, in the order in which cases are compared: positions first, the rest as declared.
VALUES = {
    "s": ((), (1,), (2,), (1, 1), (1, 2), (2, 2)),
    "k": (-1, 0, 1, 2),
    "b": (False, True),
    "p": (0, 1),
    "A": ((), (1,), (2,), (1, 2)),
}


@st.composite
def claims(draw) -> str:
    """Return the text of a claim file with a random statement, with or without hypotheses, universal or existential.

    In most of them k is a legal parameter everywhere; otherwise a claim with that game is ill-defined.
    """
    games = "\n".join(f'{g} = "{r}({args})"' if args else f'{g} = "{r}"' for g, (r, args, _) in GAMES.items())
    defined = "\n".join(f'"{head}" = "{text}"' for head, text in DEFINITIONS.items())
    depth = draw(st.integers(1, 3))
    hypothesis = draw(st.none() | expressions(("bool",), depth))
    conclusion = draw(expressions(("bool",), depth))
    least = draw(st.sampled_from([1, 1, 1, -1]))
    condition = "" if hypothesis is None else f"if = '{hypothesis}'\n"
    return f"""format = 1
title = "t"
statement = "s"
work = "w"
locator = "l"
role = "conjecture"
[games]
{games}
[{draw(st.sampled_from(["forall", "forall", "forall", "exists"]))}]
k = "{least}..2"
b = {{ in = "[False, True]" }}
p = {{ in = "[P1, P2]" }}
s = "position"
A = "subsets of 1..2"
[define]
"l" = "1"
"q" = "1 / 3"
{defined}
[claim]
{condition}then = '{conclusion}'
[scope]
s = {{ heaps = "0..2", size = "1..2" }}
"""


def loaded(text: str) -> Claim | None:
    """Return the claim, or None if its file is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.toml"
        path.write_text(text)
        try:
            return load_claim(path, "random")
        except ClaimError:
            event("refused when read")
            return None


def exists(claim: Claim) -> bool:
    return claim.quantifier == "exists"


def by_referee(claim: Claim) -> dict[str, object]:
    """Return the findings of a plain search over all cases, smallest first. Raise LimitReached."""
    referee = Referee(claim, 3_000_000)
    found: dict[str, object] = {"cases": 0, "met": 0, "stop": None, "met first": None}
    wanted = "holds" if exists(claim) else "fails"
    least = next(read_literal(v.domain.lo) for v in claim.variables if v.name == "k")
    numbers = tuple(k for k in VALUES["k"] if k >= least)
    for values in itertools.product(*(VALUES | {"k": numbers}).values()):
        case = dict(zip(VALUES, values, strict=True))
        try:
            judged = referee.judge(case)
        except IllDefined:
            judged = ILL
        found["cases"] += 1
        if judged in ("holds", "fails"):
            found["met"] += 1
            found["met first"] = found["met first"] or case
        if judged in (wanted, ILL) and found["stop"] is None:
            found["stop"] = (judged, case)
    return found


def verdict(claim: Claim, found: dict[str, object]) -> tuple[str, object]:
    """Return the answer that follows, and the case that shows it."""
    if found["stop"] is None:
        return ("fails" if exists(claim) else "holds"), None
    judged, case = found["stop"]
    if judged == ILL:
        return "unknown", case
    return ("holds" if exists(claim) else "fails"), case


@pytest.mark.slow
def test_random_claims() -> None:
    settings(FIXED, max_examples=FIXED.max_examples)(given(claims())(agree))()


def agree(text: str) -> None:
    claim = loaded(text)
    assume(claim is not None)
    try:
        found = by_referee(claim)
    except LimitReached:
        event("too large")
        assume(False)
    answer = decide_by_search(claim, scope_for(claim, "quick", ()))
    if answer.detail.startswith("too large"):
        event("too large")
        assume(False)
    expected, case = verdict(claim, found)
    event(f"{'exists' if exists(claim) else 'forall'}: {expected}")
    assert answer.decision == expected, answer.detail
    shown = {"holds": answer.witness, "fails": answer.counterexample, "unknown": answer.ill_defined}
    if case is not None:
        assert shown[expected] == case
    if case is None:  # otherwise the search may have stopped there
        assert (answer.cases, answer.cases_with_hypotheses) == (found["cases"], found["met"])
    if not exists(claim) and case is None:
        assert answer.witness == found["met first"]
    referee = Referee(claim)
    for sampled, judged in answer.sample:
        assert referee.judge(sampled) == judged


@pytest.mark.slow
def test_random_claims_as_constraints() -> None:
    """The referee confirms the cases of Z3; if Z3 finds that a claim holds, it holds for the engine."""
    answered: list[str] = []

    @settings(FIXED, max_examples=150)
    @given(claims())
    def agree(text: str) -> None:
        claim = loaded(text)
        assume(claim is not None)
        scope = scope_for(claim, "quick", ())
        found = by_constraints(claim, scope, 10.0)
        answered.append(found.decision)
        answer = decide_by_search(claim, scope)
        assume(not answer.detail.startswith("too large"))
        if found.decision in ("unsupported", "unknown"):
            event(f"{found.decision}: {found.detail[:40]}")
            return
        event(f"{'exists' if exists(claim) else 'forall'}: {found.decision}")
        case = found.counterexample if found.decision == "fails" else found.witness
        if case:
            assert Referee(claim).judge(case) == found.decision
        else:
            assert answer.decision == found.decision, (answer.detail, answer.ill_defined)
        if answer.decision in ("holds", "fails"):
            assert answer.decision == found.decision

    agree()
    assert min(answered.count("holds"), answered.count("fails")) >= 2, "the constraints are an empty test"
