"""Claims changed at random and random games: nothing that is proved is refuted beyond its scope."""

import json
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

import encoders.proving.prove as proving
from checks.judgement.diagnosis import diagnose  # noqa: F401 - loaded before the clock of the first suspect runs
from encoders.logic.answer import Decision, Obligation, ObligationStatus, ProofReach, RouteResult
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim, rule_name
from encoders.trust import Below

from .bundle import bundle_of, toml
from .judge import Judge
from .scopes import wide_scopes
from .siblings import parents, sibling
from .tasks import DEAR, MAKERS, perform, repeating, summary, suspect

SEED = 2718
EACH = 9  # suspects in one test, none of them expensive


def lies(kind: str, numbers: Iterable[int], judge: Judge) -> list[str]:
    """Return the findings, each with the command that repeats it."""
    lines = [perform(judge, SEED, (kind, number)) for number in numbers]
    return [f"{line['finding']}\n  {line['changes']}\n  {repeating(line)}" for line in lines if "finding" in line]


@pytest.mark.parametrize("batch", [0, 1])
@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.slow
def test_no_suspect_is_a_false_green(kind: str, batch: int) -> None:
    start = 1000 * DEAR * batch
    cheap = [start + i for i in range(2 * EACH) if i % DEAR][:EACH]
    assert lies(kind, cheap, Judge(wide=0.25, glance=0)) == []


# -- the workshop itself ----------------------------------------------------------------------------------------------
def prove_everything(claim, budget, effort):
    """A rule of folds that accepts every proof; the other rules are unchanged."""
    if rule_name(claim) != "folds":
        return prove(claim, budget, effort)
    return RouteResult(
        "folds",
        Decision.HOLDS,
        obligations=(Obligation("claim", ObligationStatus.PROVED),),
        reach=ProofReach((("s.size", Below(62)),)),
    )


@pytest.mark.parametrize(
    ("attack", "finding"),
    [
        ("few-called-twice", "false green: refuted at s = (31)"),
        ("remainder-by-zero-in-a-count", "ill-defined at s = (33)"),
        ("below-zero", "false green: refuted at k = -4"),
        ("second-halves", ""),  # the rule of Grundy values is not affected
    ],
)
def test_a_prover_that_believes_everything_is_found_out(
    attack: str, finding: str, attacks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proving, "prove", prove_everything)
    found = Judge().judge(bundle_of(attacks / f"{attack}.toml"))
    assert finding in found.finding
    assert bool(found.finding) is bool(finding)


def test_what_a_proof_does_not_cover_is_no_finding(attacks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def prove_small(claim, budget, effort):
        return RouteResult(
            "folds",
            Decision.HOLDS,
            obligations=(Obligation("claim", ObligationStatus.PROVED),),
            reach=ProofReach((("s.size", Below(4)),)),
        )

    monkeypatch.setattr(proving, "prove", prove_small)
    assert Judge().judge(bundle_of(attacks / "few-called-twice.toml")).finding == ""


def test_a_traceback_is_a_finding(attacks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fall(claim, budget, effort):
        raise KeyError("P2")

    monkeypatch.setattr(proving, "prove", fall)
    found = Judge().judge(bundle_of(attacks / "few-called-twice.toml"))
    assert found.finding.startswith("traceback: ")
    assert "KeyError: 'P2'" in found.finding


def test_what_is_claimed_from_a_number_on_is_looked_at_from_there(tmp_path) -> None:
    entry = parents()["heaps/dawsons-kayles"].written(tmp_path)
    claim = load_claim(entry.path, entry.id)
    assert claim.variables[0].text.startswith("53..")
    scopes = list(wide_scopes(claim, ()))
    assert scopes
    assert all(scope["n"].lo == 53 for scope in scopes)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_suspect_can_be_made_again(kind: str) -> None:
    first, again = (suspect(SEED, (kind, 7)) for _ in range(2))
    assert first[:2] == again[:2]
    assert first[2].texts() == again[2].texts()


@pytest.mark.slow
def test_an_unchanged_parent_is_proved() -> None:
    found = Judge(wide=0.25).judge(parents()["nim/bouton"].copied())
    assert (found.verdict, found.truth, found.finding) == ("proved", "survived", "")


@pytest.mark.slow
def test_parents_are_not_changed_with_their_siblings() -> None:
    before = {id: toml(bundle.claim) for id, bundle in parents().items()}
    for number in range(20):
        sibling(random.Random(number))
    assert before == {id: toml(bundle.claim) for id, bundle in parents().items()}


def test_the_summary_counts_what_was_refused_and_what_was_found() -> None:
    lines = [
        {"verdict": "proved", "truth": "survived"},
        {"verdict": "inconclusive", "truth": "false", "refusing": "closed (failed)"},
        {"verdict": "proved", "truth": "false", "finding": "false green: refuted at s = (1)"},
    ]
    text = summary(json.loads(json.dumps(lines)))
    assert "1 proved, and survived beyond their scope" in text
    assert "2 false; of these the proof was refused:" in text
    assert "1 by closed (failed)" in text
    assert "1 findings\n       1 false green" in text
