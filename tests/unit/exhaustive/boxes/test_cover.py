"""A whole claim: the answer names the engine for its games, and the general search takes over if necessary."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from settling import written

from checks.judgement.findings import examine
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from encoders.compute import exhaustive
from encoders.compute.arrays import bit_plan as planning
from encoders.compute.arrays import cases as slabs
from encoders.compute.arrays.limits import Deadline, OutOfTime, TooLarge
from encoders.compute.exhaustive import (
    ExhaustiveSearch,
    Shard,
    ShardOutcome,
    answer_rounds,
    decide_by_search,
    list_rounds,
    search_shard,
)
from encoders.kernel.machine import Machine
from encoders.logic.answer import Decision, RouteResult

TEXT = 'ruleset = "kl-nim"\n[forall]\nk = "1.."\nl = "k+1.."\ns = "position"\n[claim]\nthen = "{then}"\n'
TEXT += '[scope]\nk = "1..{k}"\nl = "2..{l}"\ns = {{ heaps = "0..3", size = "1..{size}" }}\n'
THEOREM = "iff(not wins(s, P2), nim_sum(s) == 0 and all(h < k for h in s))"


@pytest.fixture(autouse=True)
def _several_slabs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaustive, "AS_BITS", 1)
    for name, value in (("FIRST", 50_000), ("GROWTH", 8)):
        monkeypatch.setattr(slabs, name, value)


def answer(claim: Claim, by_bits: bool, monkeypatch: pytest.MonkeyPatch) -> RouteResult:
    """Return the answer with bit rows for all slabs, or for none."""
    monkeypatch.setattr(planning, "LEAST", 0 if by_bits else 10**30)
    return decide_by_search(claim, claim.scope("quick"))


@pytest.mark.parametrize(
    "then",
    [
        THEOREM,
        THEOREM + " or nim_sum(s) > 0",
        "wins(s, P1) or sum(s) < 30 or nim_sum(s) != 0",
        "wins(s, P1) or sum(s) < 30 or k < 7 or sum(s) % (k - 8) != 3 or nim_sum(s) != 0",
        "sum(s) != 33 or k + l != 9 or wins(s, P2)",
    ],
)
def test_the_answer_is_the_same(then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are several slabs. After a counterexample, the rest of the scope is searched for smaller ones."""
    claim = written(tmp_path, TEXT.format(then=then, k=8, l=9, size=24))
    found, expected = answer(claim, True, monkeypatch), answer(claim, False, monkeypatch)
    assert found.decision is expected.decision
    assert found.counterexample == expected.counterexample
    assert found.witness == expected.witness
    assert found.ill_defined == expected.ill_defined
    assert set(found.engines.names) <= {"parameter bits", "line bits"} and found.engines.names
    assert set(expected.engines.names) <= {"boxes", "moves"}
    if found.decision is Decision.HOLDS:
        assert (found.cases, found.cases_with_hypotheses) == (expected.cases, expected.cases_with_hypotheses)
        assert found.sample and {j for _, j in found.sample} == {j for _, j in expected.sample}


def test_a_term_that_the_bits_do_not_know_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The claim fails at an option that is examined together with its position."""
    then = "all(sum(t) + 1 < sum(s) or wins(t, P1) or sum(s) < 6 for t in options(s, P2))"
    claim = written(tmp_path, TEXT.format(then=then, k=3, l=4, size=8))
    found, expected = answer(claim, True, monkeypatch), answer(claim, False, monkeypatch)
    assert found.decision is expected.decision is Decision.FAILS
    assert found.counterexample == expected.counterexample
    assert set(found.engines.names) <= {"boxes", "moves"}


def test_a_box_of_millions_of_positions_is_covered(tmp_path: Path) -> None:
    """The box has three heaps of up to 300: 4.6 million positions for one (k, l), too many for the general search."""
    claim = written(tmp_path, TEXT.format(then=THEOREM, k=3, l=4, size=300))
    one = {"k": d.Range(3, 3), "l": d.Range(4, 4)}
    found = decide_by_search(claim, claim.scope("quick") | one)
    assert found.decision is Decision.HOLDS
    assert found.cases == found.cases_with_hypotheses == 4_590_551
    assert "line bits" in found.engines.names


def search_all(claim: Claim, scope: d.Scope) -> list[tuple[Shard, set[str]]]:
    """Return the shards that are requested, and the engines that each uses."""
    asked: list[tuple[Shard, set[str]]] = []

    def work(shards: tuple[Shard, ...]) -> list[ShardOutcome]:
        found = [search_shard(claim, shard, Deadline(None)) for shard in shards]
        asked.extend((shard, outcome.tally.engines) for shard, outcome in zip(shards, found, strict=True))
        return found

    assert answer_rounds(ExhaustiveSearch(claim, scope).rounds(), work).decision is Decision.HOLDS
    return asked


def find_largest(scope: d.Scope) -> int:
    bound = scope["s"]
    assert isinstance(bound, d.PositionRange)
    return bound.size.hi


def refuse(self: Machine) -> None:
    raise TooLarge("no room")


@pytest.mark.parametrize("kernel", [True, False])
def test_slabs_of_a_scope_that_needs_the_kernel_are_bits_sooner(
    tmp_path: Path, kernel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel is needed in any case.

    A scope that ends with such a slab does not use it, nor does one without room.
    """
    claim = written(tmp_path, TEXT.format(then=THEOREM, k=3, l=4, size=63))
    scope = claim.scope("quick") | {"k": d.Range(3, 3), "l": d.Range(4, 4)}
    if not kernel:
        monkeypatch.setattr(Machine, "__init__", refuse)
    found = search_all(claim, scope)
    general = "boxes" if kernel else "moves"
    engines = {find_largest(shard.scope): taken for shard, taken in found}
    assert engines == {
        21: {general},
        37: {"line bits" if kernel else general},
        63: {"line bits" if kernel else general},
    }
    assert [shard for shard, _ in found] == [shard for shards in list_rounds(claim, scope) for shard in shards]
    smaller = scope | {"s": d.PositionRange(d.Range(0, 3), d.Range(1, 37))}
    assert {name for _, taken in search_all(claim, smaller) for name in taken} == {general}


def test_a_false_claim_on_a_box_of_millions_has_its_smallest_counterexample(tmp_path: Path) -> None:
    """(1, 2, 3) is a position of nim-sum 0 with a heap of k, which the claim forgets."""
    claim = written(tmp_path, TEXT.format(then="iff(not wins(s, P2), nim_sum(s) == 0)", k=3, l=4, size=300))
    scope = claim.scope("quick") | {"k": d.Range(3, 3), "l": d.Range(4, 4)}
    whole = decide_by_search(claim, scope)
    assert whole.counterexample == {"k": 3, "l": 4, "s": (3, 3)}
    bound = scope["s"]
    assert isinstance(bound, d.PositionRange)
    found = decide_by_search(claim, scope | {"s": replace(bound, heaps=d.Range(3, 3), size=d.Range(100, 300))})
    pairs = ((a, b) for a in range(100, 301) for b in range(a, 301))
    smallest = min((a, b, a ^ b) for a, b in pairs if b <= a ^ b <= 300 and a + b + (a ^ b) == 456)
    assert found.counterexample == {"k": 3, "l": 4, "s": smallest}
    assert not [(a, b) for a in range(100, 301) for b in range(a, 301) if b <= a ^ b and a + b + (a ^ b) < 456]


# -- slabs that are too large ------------------------------------------------------------------------------------------
ONE = '[forall]\nn = "1.."\n[claim]\nthen = "{}"\n[scope]\nn = "1..100"\n'
TWO = '[forall]\nx = "1.."\ny = "1.."\n[claim]\nthen = "{}"\n[scope]\nx = "1..40"\ny = "1..40"\n'


def limited(claim: Claim, most: int, error: type[Exception] = TooLarge) -> RouteResult:
    """Return the answer if shards with larger numbers than `most` are too large after half of their cases."""

    def work(shards: Sequence[Shard]) -> list[ShardOutcome]:
        found = []
        for shard in shards:
            whole = search_shard(claim, shard, Deadline(None))
            reached = all(isinstance(x, d.Range) and x.hi <= most for x in shard.scope.values())
            found.append(whole if reached else replace(whole, stop=error("it would take too long")))
        return found

    return answer_rounds(ExhaustiveSearch(claim, claim.scope("quick")).rounds(), work)


@pytest.mark.parametrize("error", [TooLarge, MemoryError])
@pytest.mark.parametrize(("most", "covered"), [(20, 20), (16, 16), (17, 17), (15, 15), (1, 1), (99, 97)])
def test_of_a_slab_that_is_too_large_about_as_much_as_fits_is_searched(
    most: int, covered: int, error: type[Exception], tmp_path: Path
) -> None:
    found = limited(written(tmp_path, ONE.format("n > 0")), most, error)
    assert found.decision is Decision.UNKNOWN
    assert found.searched_scope == {"n": d.Range(1, covered)}
    assert (found.cases, found.cases_with_hypotheses) == (covered, covered), "no case counts twice"
    assert found.too_large is (error is TooLarge)


def test_what_earlier_slabs_covered_is_not_searched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slabs = [{"n": d.Range(1, 10)}, {"n": d.Range(1, 100)}]
    monkeypatch.setattr(exhaustive, "grow", lambda *_: slabs)
    found = limited(written(tmp_path, ONE.format("n > 0")), 40)
    assert (found.searched_scope, found.cases) == ({"n": d.Range(1, 40)}, 40)
    found = limited(written(tmp_path, ONE.format("n > 0")), 10)
    assert (found.searched_scope, found.cases) == ({"n": d.Range(1, 10)}, 10)


def test_what_fits_is_named_even_if_the_search_for_more_is_out_of_time(tmp_path: Path) -> None:
    claim = written(tmp_path, ONE.format("n > 0"))

    def work(shards: Sequence[Shard]) -> list[ShardOutcome]:
        (shard,) = shards
        whole, bound = search_shard(claim, shard, Deadline(None)), shard.scope["n"]
        assert isinstance(bound, d.Range)
        stop = TooLarge("too many") if bound.hi == 100 else OutOfTime() if bound.hi > 10 else None
        return [replace(whole, stop=stop)]

    found = answer_rounds(ExhaustiveSearch(claim, claim.scope("quick")).rounds(), work)
    assert (found.detail, found.searched_scope, found.cases) == ("too large: too many", {"n": d.Range(1, 8)}, 8)


def test_where_the_first_box_is_too_large_nothing_is_covered(tmp_path: Path) -> None:
    found = limited(written(tmp_path, ONE.format("n > 0")), 0)
    assert (found.decision, found.searched_scope) == (Decision.UNKNOWN, None)
    assert "it would take too long" in found.detail


@pytest.mark.parametrize(("failing", "decision"), [(1, Decision.FAILS), (20, Decision.FAILS), (21, Decision.UNKNOWN)])
def test_a_counterexample_in_a_box_that_fits_is_the_smallest(failing: int, decision: Decision, tmp_path: Path) -> None:
    found = limited(written(tmp_path, ONE.format(f"n < {failing}")), 20)
    assert found.decision is decision
    if decision is Decision.FAILS:
        assert (found.counterexample, found.smallest) == ({"n": failing}, True)
        assert found.cases < 2 * failing


def test_a_counterexample_is_not_called_the_smallest_where_the_rest_is_too_large(tmp_path: Path) -> None:
    """(2, 30) precedes (3, 3) and is not examined."""
    claim = written(tmp_path, TWO.format("not (x == 3 and y == 3) and not (x == 2 and y == 30)"))
    found = limited(claim, 20)
    assert (found.decision, found.counterexample, found.smallest) == (Decision.FAILS, {"x": 3, "y": 3}, False)
    assert found.cases == 16
    whole = limited(claim, 40)
    assert (whole.counterexample, whole.smallest) == ({"x": 2, "y": 30}, True)


def test_a_witness_is_none_where_a_smaller_one_may_be_in_what_is_too_large(tmp_path: Path) -> None:
    text = TWO.replace("[forall]", "[exists]").format("(x == 3 and y == 3) or (x == 2 and y == 30)")
    claim = written(tmp_path, text)
    found = limited(claim, 20)
    assert (found.decision, found.witness) == (Decision.UNKNOWN, {"x": 3, "y": 3})
    assert found.searched_scope == {"x": d.Range(1, 4), "y": d.Range(1, 4)}
    review = examine(claim, claim.scope("quick"), found)
    assert review.not_established.endswith(
        "a witness was found at x = 3, y = 3, but smaller ones may exist; this fits: --set x=1..4 --set y=1..4"
    )
    assert decide_by_search(claim, found.searched_scope).decision is Decision.HOLDS


def test_a_case_without_a_value_in_a_box_is_told_only_if_none_before_it_may_decide(tmp_path: Path) -> None:
    found = limited(written(tmp_path, TWO.format("1 // (x - 3) + 1 // (y - 3) < 9 and not (x == 2 and y == 30)")), 20)
    assert (found.decision, found.ill_defined) == (Decision.UNKNOWN, None)


@pytest.mark.parametrize("position", ["[n, 2 * n, 3 * n]", "[i * n for i in range(1, 4)]", "three(n)"])
def test_integers_that_describe_large_positions_are_searched_from_below(position: str, tmp_path: Path) -> None:
    """Under misère play values are not added; more than a billion positions are below the last case."""
    text = 'ruleset = "misere-nim"\n[define]\n"three(n)" = "[n, 2 * n, 3 * n]"\n'
    text += ONE.format(f"wins(position({position}))").replace("1..100", "1..1000")
    found = decide_by_search(claim := written(tmp_path, text), claim.scope("quick"))
    assert (found.decision, found.counterexample, found.smallest) == (Decision.FAILS, {"n": 1}, True)
    assert found.cases == 1


@pytest.mark.parametrize("then", ["wins(position([n])) or n > 0", "n < 99"])
def test_other_claims_are_searched_at_once(then: str, tmp_path: Path) -> None:
    found = decide_by_search(claim := written(tmp_path, 'ruleset = "nim"\n' + ONE.format(then)), claim.scope("quick"))
    assert found.cases == 100


@pytest.mark.parametrize(
    ("then", "decision", "cases"),
    [
        ("iff(wins(position([1 for i in range(n)])), n % 2 == 0)", Decision.HOLDS, 40),
        ("wins(position([1 for i in range(n)])) or n != 33", Decision.FAILS, 33),
    ],
)
def test_many_equal_heaps_are_counted_case_by_case(then: str, decision: Decision, cases: int, tmp_path: Path) -> None:
    """The cases are searched in order, and share the solved positions."""
    claim = written(tmp_path, 'ruleset = "misere-nim"\n' + ONE.format(then).replace("1..100", "1..40"))
    found = decide_by_search(claim, claim.scope("quick"))
    assert (found.decision, found.cases) == (decision, cases)
    assert found.engines.names == ("case by case",)
