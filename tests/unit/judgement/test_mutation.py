"""Mutants: the changes, the cases that kill a mutant, and mutants that survive in a scope that is too small."""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from proofs import HEAD
from samples import BARE

from checks.execution.settle import settle_by_search, settle_entry
from checks.judgement.mutants import make_mutants, print_claim, try_mutants
from checks.judgement.scopes import Options, scope_for
from checks.results.model import MutantFate, MutantResult
from checks.results.verdicts import Verdict
from checks.results.wording import mutants_phrase, survivors
from claims.language.files.library import select
from encoders.proving.reading import load_claim

BOARDS = Path(__file__).parents[3] / "examples" / "boards"


@pytest.fixture
def outcomes(tmp_path: Path):
    """Return description -> outcome and detail of each mutant of a claim."""

    def run(text: str, overrides=()) -> dict[str, tuple[str, str]]:
        path = tmp_path / "claim.toml"
        path.write_text(HEAD + text)
        claim = load_claim(path, "claim")
        found = try_mutants(claim, scope_for(claim, "quick", overrides), None, settle_by_search)
        return {m.description: (m.outcome, m.detail) for m in found}

    return run


NIM = """ruleset = "nim"
[forall]
s = "position"
[claim]
if = "len(s) == 2 and sum(s) > 0"
then = "iff(wins(s), s[0] != s[1])"
[scope]
s = { heaps = "0..3", size = "1..4" }
"""


def test_each_kind_of_change_is_made_and_the_scope_tells_them_apart(outcomes) -> None:
    found = outcomes(NIM)
    assert found == {
        "if: len(s) != 2  (was len(s) == 2)": ("killed", "ill-defined"),
        "if: len(s) == 3  (was 2)": ("killed", "refuted at s = (1, 1, 1)"),
        "if: len(s) == 1  (was 2)": ("killed", "ill-defined"),
        "if: len(s) == 2 or sum(s) > 0  (was len(s) == 2 and sum(s) > 0)": ("killed", "ill-defined"),
        "if: nim_sum(s) > 0  (was sum(s))": ("weaker", ""),
        "if: sum(s) >= 0  (was sum(s) > 0)": ("survived", ""),
        "if: sum(s) > 1  (was 0)": ("weaker", ""),
        "if: sum(s) > -1  (was 0)": ("survived", ""),
        "then: wins(s) != (s[0] != s[1])  (was wins(s) == (s[0] != s[1]))": ("killed", "refuted at s = (1, 1)"),
        "then: s[0] == s[1]  (was s[0] != s[1])": ("killed", "refuted at s = (1, 1)"),
        "then: s[1] != s[1]  (was 0)": ("killed", "refuted at s = (1, 2)"),
        "then: s[-1] != s[1]  (was 0)": ("killed", "ill-defined"),
        "then: s[0] != s[2]  (was 1)": ("killed", "ill-defined"),
        "then: s[0] != s[0]  (was 1)": ("killed", "refuted at s = (1, 2)"),
        "if: len(s) == 2  (dropped)": ("killed", "ill-defined"),
        "if: sum(s) > 0  (dropped)": ("survived", ""),
        'nim: stuck = "wins"  (was stuck = "loses")': ("killed", "refuted at s = (1, 1)"),
    }


def test_a_scope_that_is_too_small_lets_a_mutant_live(outcomes) -> None:
    text = '[forall]\nx = "1.."\n[claim]\nthen = "x * x - 5 * x + 7 > 0"\n[scope]\nx = "1..2"\n'
    mutant = "then: x * x - 6 * x + 7 > 0  (was 5)"
    assert outcomes(text, (("x", "1..1"),))[mutant] == ("survived", "")
    assert outcomes(text)[mutant] == ("killed", "refuted at x = 2")


def test_a_mutant_of_a_domain_is_looked_at_where_it_is_new(outcomes) -> None:
    found = outcomes('[forall]\nx = "3.."\n[claim]\nthen = "x * x > 8"\n[scope]\nx = "3..9"\n')
    assert found["all x: 2..  (was 3..)"] == ("killed", "refuted at x = 2")
    assert found["all x: 4..  (was 3..)"] == ("weaker", "")


def test_what_there_is_no_witness_for_is_killed(outcomes) -> None:
    found = outcomes('[exists]\nx = "1.."\n[claim]\nthen = "x * x == 9"\n[scope]\nx = "1..9"\n')
    assert found["then: x * x == 10  (was 9)"] == ("killed", "no witness")
    assert found["then: x * x != 9  (was x * x == 9)"] == ("survived", "")


def test_what_is_not_reached_in_time_is_undecided_and_not_killed(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(HEAD + NIM)
    claim = load_claim(path, "claim")
    found = try_mutants(claim, scope_for(claim, "quick", ()), 0.0, settle_by_search)
    assert len(found) == len(make_mutants(claim)) > 0
    assert {(m.outcome, m.detail) for m in found} == {("undecided", "out of time")}


def test_a_mutant_that_is_not_settled_is_undecided_and_not_killed(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(HEAD + NIM)
    claim = load_claim(path, "claim")
    for verdict in (Verdict.INCONCLUSIVE, Verdict.INCONSISTENT):
        found = try_mutants(claim, scope_for(claim, "quick", ()), None, lambda *_, v=verdict: replace(BARE, verdict=v))
        assert {m.outcome for m in found} == {MutantFate.UNDECIDED}


@pytest.mark.parametrize(
    ("kinds", "phrase", "lines"),
    [
        ("kk", "scope kills 2 of 2 mutants", 0),
        ("k", "scope kills 1 of 1 mutant", 0),
        ("ks", "scope kills 1 of 2 mutants", 1),
        ("kw", "scope kills 1 of 1 mutant; 1 more is weaker than the claim", 0),
        ("kuww", "scope kills 1 of 2 mutants; 1 undecided; 2 more are weaker than the claim", 1),
        ("", "scope kills 0 of 0 mutants", 0),
    ],
)
def test_how_the_mutants_are_counted(kinds: str, phrase: str, lines: int) -> None:
    fates = {"k": MutantFate.KILLED, "s": MutantFate.SURVIVED, "w": MutantFate.WEAKER, "u": MutantFate.UNDECIDED}
    found = tuple(MutantResult("constant", "then: x > 2  (was 3)", fates[k], "") for k in kinds)
    assert mutants_phrase(found) == phrase
    assert len(survivors(found)) == lines


def test_a_hypothesis_that_is_not_needed_is_named(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(HEAD + NIM)
    result = settle_entry(select((str(path),))[0], Options(mutants=True))
    assert result.finding.mutants is not None
    assert "possibly unnecessary: if: sum(s) > 0  (dropped)" in survivors(result.finding.mutants)
    assert pickle.loads(pickle.dumps(result)).finding.mutants == result.finding.mutants


@pytest.mark.parametrize("id", ["kl-nim/lemma-11", "bash-nim/final-position"])
def test_a_refuted_claim_has_no_mutants(id: str) -> None:
    assert settle_entry(select((id,))[0], Options(mutants=True)).finding.mutants is None


@pytest.mark.parametrize("path", sorted(BOARDS.glob("*.toml")), ids=lambda path: path.stem)
def test_each_change_of_a_claim_about_heaps_with_parts_can_be_written(path: Path) -> None:
    claim = load_claim(path, path.stem)
    mutants = make_mutants(claim)
    assert mutants
    for mutant in mutants:
        assert print_claim(mutant.claim)
        assert mutant.description
