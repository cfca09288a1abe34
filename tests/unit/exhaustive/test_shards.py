"""The shards of a scope make up the scope, and a claim settled by shards in any order has the same result."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proofs import HEAD

from checks.receipts.enumeration import list_cases
from checks.referee.judge import Referee
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from encoders.compute import exhaustive as shards
from encoders.compute.arrays import cases as slabs
from encoders.compute.arrays.cases import Tally, grow
from encoders.compute.arrays.limits import Deadline, OutOfTime
from encoders.compute.engines import CaseQuery, Shard
from encoders.compute.exhaustive import (
    ExhaustiveSearch,
    ShardOutcome,
    answer_rounds,
    is_heavy,
    search_shard,
    split_into_shards,
)
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import load_claim

SCOPE = 'k = "1..6"\ns = { heaps = "0..3", size = "1..5" }'
EACH = '[forall]\nk = "1.."\ns = "position"\n'
CLAIMS = {
    "holds": (EACH, "wins(s) == (nim_sum(h % (k + 1) for h in s) > 0)"),
    "fails early": (EACH, "wins(s) or sum(s) < 2"),
    "fails at a large k": (EACH, "k < 5 or len(s) < 2 or wins(s)"),
    "fails sooner at a larger k": (EACH, "k < 5 or wins(s) or sum(s) < 19 - 2 * k"),
    "fails at large positions": (EACH, "sum(s) < 13 or k % 2 == 0"),
    "has no value somewhere": (EACH, "6 // (k - 5) > -100 or sum(s) < 11"),
    "never": (EACH, "k > 0", "sum(s) > 99"),
    "rarely": (EACH, "wins(s) == (nim_sum(h % (k + 1) for h in s) > 0)", "sum(s) == 12 and k > 3"),
    "exists": ('[exists]\nk = "1.."\ns = "position"\n', "len(s) == 3 and not wins(s) and k == 5 and max(s) > 4"),
    "exists nowhere": ('[exists]\nk = "1.."\ns = "position"\n', "sum(s) > 99"),
}


VARIABLES = '[forall]\nk = "-1..2"\nm = "0.."\ns = "position"\nt = "position"'
BOXES = 'm = "0..3"\ns = { heaps = "0..2", size = "1..3" }\nt = { heaps = "1..2", size = "2..4", total = "3..7" }'


def write(folder: Path, variables: str, then: str, given: str = "", scope: str = SCOPE) -> Claim:
    path = folder / "claim.toml"
    condition = f'if = "{given}"\n' if given else ""
    game = "bash-nim(k = k)" if "wins" in then else "nim"
    path.write_text(f'{HEAD}ruleset = "{game}"\n{variables}\n[claim]\n{condition}then = "{then}"\n[scope]\n{scope}\n')
    return load_claim(path, "claim")


@pytest.fixture(params=CLAIMS)
def claim(request: pytest.FixtureRequest, tmp_path: Path) -> Claim:
    return write(tmp_path, *CLAIMS[request.param])


def list_all(claim: Claim, scope: d.Scope | None) -> list[tuple[object, ...]]:
    if scope is None:
        return []
    return sorted(tuple(case.values()) for case in list_cases(claim, scope, Referee(claim, 10**9)))


def list_shard(claim: Claim, shard: Shard) -> list[tuple[object, ...]]:
    known = list_all(claim, shard.earlier)
    assert set(known) <= set(list_all(claim, shard.scope))
    return sorted(set(list_all(claim, shard.scope)) - set(known))


# -- they make up the scope -------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("weights", [(60, 150), (5, 5), (10**9, 10**9)])
@pytest.mark.parametrize("then", ["k + m + len(s) + len(t) >= 0", "wins(s) or wins(t) or m > 9"])
def test_shards_have_each_case_of_the_scope_once(
    tmp_path: Path, then: str, weights: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "BY_PARAMETERS", weights[0])
    monkeypatch.setattr(shards, "BY_POSITIONS", weights[1])
    claim = write(tmp_path, VARIABLES.replace("-1..2", "1..4"), then, scope=BOXES)
    scope = claim.scope("quick")
    parts = [
        s
        for old, new in pairwise([None, *grow(claim, scope)])
        for s in split_into_shards(CaseQuery(claim, Shard(new, old)))
    ]
    assert (len(parts) > 10) is (weights[0] < 10**9)
    assert sorted(case for part in parts for case in list_shard(claim, part)) == list_all(claim, scope)


@settings(max_examples=60, deadline=None)
@given(
    ends=st.tuples(st.integers(0, 3), st.integers(1, 3), st.integers(1, 4), st.integers(3, 7)),
    weight=st.integers(1, 300),
    inner=st.floats(0, 1),
)
@pytest.mark.slow
def test_whatever_is_cut_is_cut_into_disjoint_parts(
    ends: tuple[int, int, int, int], weight: int, inner: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    claim = write(tmp_path_factory.mktemp("cut"), VARIABLES, "k + m + len(s) + len(t) >= 0", scope=BOXES)
    m, heaps, size, total = ends
    scope: d.Scope = {
        "k": d.Range(-1, 2),
        "m": d.Range(0, m),
        "s": d.PositionRange(d.Range(0, heaps), d.Range(1, size)),
        "t": d.PositionRange(d.Range(1, 2), d.Range(2, 4), d.Range(3, total)),
    }
    earlier = slabs._shrink(scope, inner)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shards, "BY_PARAMETERS", weight)
        patched.setattr(shards, "BY_POSITIONS", 2 * weight)
        parts = split_into_shards(CaseQuery(claim, Shard(scope, earlier)))
        assert split_into_shards(CaseQuery(claim, Shard(scope, earlier))) == parts
    known = set(list_all(claim, earlier))
    new = [case for case in list_all(claim, scope) if case not in known]
    assert sorted(case for part in parts for case in list_shard(claim, part)) == new


def test_what_the_games_do_not_depend_on_is_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise each shard would solve the games of the others again."""
    monkeypatch.setattr(shards, "BY_PARAMETERS", 100)
    monkeypatch.setattr(shards, "BY_POSITIONS", 10**9)
    sequence = write(
        tmp_path,
        '[forall]\nk = "1.."\nn = "0.."',
        "wins(position([n])) or n % (k + 1) == 0",
        scope="k = '1..4'\nn = '0..99'",
    )
    assert [s.scope["k"] for s in split_into_shards(CaseQuery(sequence, Shard(sequence.scope("quick"), None)))] == [
        d.Range(x, x) for x in range(1, 5)
    ]


def test_there_is_an_end_to_cutting(tmp_path: Path) -> None:
    claim = write(tmp_path, '[forall]\nk = "1.."', "wins(position([k]))", scope="k = '1..10000000000000'")
    assert 2 <= len(split_into_shards(CaseQuery(claim, Shard(claim.scope("quick"), None)))) <= 4 * shards.MOST


def test_only_what_is_cut_is_heavy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = write(tmp_path, *CLAIMS["holds"])
    assert not is_heavy(claim, claim.scope("quick"))
    monkeypatch.setattr(shards, "BY_PARAMETERS", 60)
    assert is_heavy(claim, claim.scope("quick"))


# -- their results ----------------------------------------------------------------------------------------------------
def settle_shuffled(claim: Claim, seed: int) -> RouteResult:
    """Settle the shards of each round in a random order, as workers finish them."""
    rounds = []

    def work(found: tuple[Shard, ...]) -> list[ShardOutcome]:
        rounds.append(found)
        order = random.Random(seed).sample(range(len(found)), len(found))
        done = {i: search_shard(claim, found[i], Deadline(None)) for i in order}
        return [done[i] for i in range(len(found))]

    answer = answer_rounds(ExhaustiveSearch(claim, claim.scope("quick")).rounds(), work)
    assert any(len(found) > 1 for found in rounds) or answer.decision is not Decision.HOLDS
    return answer


@pytest.mark.usefixtures("small")
def test_the_answer_is_that_of_the_whole(claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [settle_shuffled(claim, seed) for seed in range(3)]
    answers.append(ExhaustiveSearch(claim, claim.scope("quick")).run(Deadline(None)))
    assert all(answer == answers[0] for answer in answers)
    monkeypatch.setattr(shards, "BY_PARAMETERS", 10**12)
    whole = ExhaustiveSearch(claim, claim.scope("quick")).run(Deadline(None))
    (found, *_) = answers
    assert (found.decision, found.counterexample, found.ill_defined) == (
        whole.decision,
        whole.counterexample,
        whole.ill_defined,
    )
    assert (found.witness, found.trusted, found.engines) == (whole.witness, whole.trusted, whole.engines)
    if found.counterexample is None and found.ill_defined is None and claim.quantifier == "forall":
        assert (found.cases, found.cases_with_hypotheses) == (whole.cases, whole.cases_with_hypotheses)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("stopped", [0, 1, -1])
def test_a_shard_that_is_stopped_leaves_its_slab_uncovered(tmp_path: Path, stopped: int) -> None:
    claim = write(tmp_path, *CLAIMS["holds"])

    def work(found: tuple[Shard, ...]) -> list[ShardOutcome]:
        outcomes = [search_shard(claim, shard, Deadline(None)) for shard in found]
        if len(found) > 2:
            outcomes[stopped] = ShardOutcome(Tally(), OutOfTime())
        return outcomes

    cover = ExhaustiveSearch(claim, claim.scope("quick"))
    answer = answer_rounds(cover.rounds(), work)
    assert answer.decision is Decision.UNKNOWN and answer.detail.startswith("out of time after ")
    assert answer.searched_scope != grow(claim, claim.scope("quick"))[-1]


@pytest.mark.usefixtures("small")
def test_a_missing_outcome_is_no_covered_slab(tmp_path: Path) -> None:
    claim = write(tmp_path, *CLAIMS["holds"])
    with pytest.raises(AssertionError):
        answer_rounds(
            ExhaustiveSearch(claim, claim.scope("quick")).rounds(),
            lambda found: [search_shard(claim, x, Deadline(None)) for x in found][:-1],
        )
