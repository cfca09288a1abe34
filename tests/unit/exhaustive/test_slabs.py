"""The slabs of a scope make up the scope: each case is in exactly one piece, and smaller cases than a result remain."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.receipts.enumeration import list_cases, make_case_key
from checks.referee.judge import Referee
from claims.language.files import domains as d
from claims.language.files.claim import Claim, Judgement
from encoders.compute.arrays import cases as slabs
from encoders.compute.arrays.cases import SlabPiece, clip, grow, intersect, split
from encoders.logic.answer import Case, Fallback
from encoders.proving.reading import load_claim
from encoders.trust import Trust, count_values

HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\nruleset = "nim"\n'
VARIABLES = 'k = "-1..2"\ns = "position"\nm = "0.."\nt = "position"'
SCOPE = 'm = "0..4"\ns = { heaps = "0..2", size = "1..3" }\nt = { heaps = "1..2", size = "2..4", total = "3..7" }'


@pytest.fixture(scope="module")
def claim(tmp_path_factory: pytest.TempPathFactory) -> Claim:
    path = tmp_path_factory.mktemp("slabs") / "claim.toml"
    path.write_text(f'{HEAD}[forall]\n{VARIABLES}\n[claim]\nthen = "k + m + len(s) + len(t) >= 0"\n[scope]\n{SCOPE}\n')
    return load_claim(path, "claim")


def list_all(claim: Claim, scope: d.Scope) -> list[Case]:
    return list(list_cases(claim, scope, Referee(claim, 10**9)))


def inside(heaps: Any, box: d.PositionRange) -> bool:
    total = box.total is None or box.total.lo <= sum(heaps) <= box.total.hi
    sizes = all(box.size.lo <= h <= box.size.hi for h in heaps)
    return box.heaps.lo <= len(heaps) <= box.heaps.hi and sizes and total


def list_piece(claim: Claim, piece: SlabPiece) -> list[Case]:
    outside = piece.without.items()
    return [c for c in list_all(claim, piece.scope) if not any(inside(c[name], box) for name, box in outside)]


def written(cases: list[Case]) -> list[tuple[Any, ...]]:
    return sorted(tuple(case.values()) for case in cases)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("AT_ONCE", 10), ("FIRST", 30), ("GROWTH", 3)):
        monkeypatch.setattr(slabs, name, value)


@pytest.mark.usefixtures("small")
def test_slabs_are_nested_and_their_pieces_make_up_the_scope(claim: Claim) -> None:
    scope = claim.scope("quick")
    found = grow(claim, scope)
    assert len(found) >= 4
    for smaller, larger in pairwise(found):
        assert len(list_all(claim, smaller)) < len(list_all(claim, larger))
    pieces = [list_piece(claim, p) for old, new in pairwise([None, *found]) for p in split(new, old)]
    assert written([case for piece in pieces for case in piece]) == written(list_all(claim, scope))


def test_a_small_scope_is_one_slab(claim: Claim) -> None:
    scope = claim.scope("quick")
    assert slabs.weigh(scope) <= slabs.AT_ONCE
    assert grow(claim, scope) == [scope | {"k": d.Range(-1, 2)}], "of its domain: the scope does not name it"


@pytest.mark.slow
def test_a_large_scope_begins_with_few_cases(claim: Claim) -> None:
    large = claim.scope("quick") | {"m": d.Range(0, 10**12), "s": d.PositionRange(d.Range(0, 40), d.Range(1, 10**6))}
    first, *_, last = grow(claim, large)
    assert slabs.weigh(first) <= slabs.FIRST
    assert last["m"] == d.Range(0, 10**12)
    assert last["k"] == d.Range(-1, 2)  # of its domain: the scope does not name it


@pytest.mark.slow
def test_the_whole_is_not_searched_twice_over(claim: Claim) -> None:
    """A last slab that is nearly the whole scope would nearly double the work."""
    for largest in range(1000, 30_000, 500):
        found = grow(claim, claim.scope("quick") | {"m": d.Range(0, largest)})
        assert len(found) >= 2
        assert 4 * sum(map(slabs.weigh, found[:-1])) < slabs.weigh(found[-1])


@settings(max_examples=40, deadline=None)
@given(at=st.integers(0, 10**6), total=st.sampled_from([None, d.Range(0, 9), d.Range(2, 4)]))
@pytest.mark.slow
def test_what_is_clipped_away_is_not_smaller(claim: Claim, at: int, total: d.Range | None) -> None:
    scope = claim.scope("quick") | {"s": d.PositionRange(d.Range(0, 2), d.Range(1, 3), total)}
    cases = list_all(claim, scope)
    case = cases[at % len(cases)]
    kept = written([c for part in clip(claim, scope, case) for c in list_all(claim, part)])
    assert len(set(kept)) == len(kept)
    key = make_case_key(claim, case)
    assert {tuple(c.values()) for c in cases if make_case_key(claim, c) < key} <= set(kept)
    assert set(kept) <= {tuple(c.values()) for c in cases}


@settings(max_examples=40, deadline=None)
@given(at=st.integers(0, 10**6), part=st.floats(0, 1))
@pytest.mark.slow
def test_the_rest_after_a_find_is_searched_once(claim: Claim, at: int, part: float) -> None:
    scope = grow(claim, claim.scope("quick"))[-1] | {"k": d.Range(-1, 2)}
    covered = slabs._shrink(scope, part)
    cases = list_all(claim, covered)
    if not cases:
        return
    for rest in clip(claim, scope, cases[at % len(cases)]):
        known = intersect(rest, covered)
        old = [] if known is None else list_all(claim, known)
        assert written(old) == written([c for c in list_all(claim, rest) if tuple(c.values()) in set(written(cases))])
        new = [c for piece in split(rest, known) for c in list_piece(claim, piece)]
        assert written(old + new) == written(list_all(claim, rest))


def test_numbers_alone_are_clipped_at_the_first(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(f'{HEAD}[forall]\nn = "2.."\nm = "0..3"\n[claim]\nthen = "n > m"\n[scope]\nn = "1..900"\n')
    claim = load_claim(path, "claim")
    assert clip(claim, claim.scope("quick"), {"n": 5, "m": 2}) == [{"n": d.Range(2, 5), "m": d.Range(0, 3)}]


@pytest.mark.parametrize("total", [None, d.Range(2, 9), d.Range(0, 3)])
def test_positions_are_counted(claim: Claim, total: d.Range | None) -> None:
    bound = d.PositionRange(d.Range(1, 3), d.Range(2, 4), total)
    scope = claim.scope("quick") | {"s": bound, "t": d.PositionRange(d.Range(0, 0), d.Range(1, 1)), "m": d.Range(0, 0)}
    assert count_values(bound) == len(list_all(claim, scope)) // 4


# -- boxes inside a slab -----------------------------------------------------------------------------------------------
def test_boxes_have_twice_as_many_integers_each_and_more_than_before(claim: Claim) -> None:
    scope = {"k": d.Range(-1, 2), "m": d.Range(0, 9), "s": d.PositionRange(d.Range(0, 2), d.Range(1, 3))}

    def bounds(earlier: d.Scope | None) -> list[tuple[object, object]]:
        boxes = slabs.list_boxes(claim, scope, earlier)
        assert all(box["s"] == scope["s"] for box in boxes)
        return [(str(box["k"]), str(box["m"])) for box in boxes]

    growing = [("-1..-1", "0..0"), ("-1..0", "0..1"), ("-1..2", "0..3"), ("-1..2", "0..7")]
    assert bounds(None) == growing
    assert bounds(scope | {"k": d.Range(-1, 0), "m": d.Range(0, 1)}) == growing[2:]
    assert bounds(scope | {"k": d.Range(-1, 0), "m": d.Range(0, 2)}) == growing[2:]
    assert slabs.list_boxes(claim, {**scope, "k": d.Range(0, 0), "m": d.Range(4, 4)}, None) == []


def test_a_copy_of_a_tally_keeps_what_was_found() -> None:
    case: Case = {"n": 1}
    kept = slabs.Tally(1, 1)
    copy = kept.copy()
    more = slabs.Tally(
        2, 2, sample=slabs.Sample([(case, Judgement.HOLDS)]), trusted={Trust.SPRAGUE_GRUNDY}, engines={"x"}
    )
    more.tables, more.winners = {("g", ()): [1]}, {("g", ()): [[1]]}
    more.audit, more.fallbacks = [(case, Judgement.HOLDS)], {Fallback("x", "y")}
    copy.add(more)
    assert (kept.cases, kept.met, kept.sample.cases, kept.trusted, kept.engines) == (1, 1, (), set(), set())
    assert (kept.tables, kept.winners, kept.audit, kept.fallbacks) == ({}, {}, [], set())
    assert (copy.cases, copy.engines, copy.sample.cases) == (3, {"x"}, ((case, Judgement.HOLDS),))
