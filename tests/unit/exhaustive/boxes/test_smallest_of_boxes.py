"""The smallest case of a box: it replaces an earlier result, and only if the box determines it."""

from pathlib import Path

import pytest
from settling import written
from test_search import KL, search, search_bits, told

from encoders.compute.arrays.bit_rows import NotApplicable
from encoders.compute.arrays.bit_search import BoxCases, FormulaCases
from encoders.compute.arrays.cases import FoundCase


@pytest.mark.parametrize("by_lines", [False, True])
def test_a_smaller_case_of_as_many_heaps_takes_the_place_of_one_found_before(
    by_lines: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sum(s) < 7 fails first at (2, 5). (5, 5) is known from another part of the box and has two heaps as well."""
    near, far = (
        written(tmp_path, KL.format(claim=f'then = "sum(s) < {total}"', heaps="0..3", size="1..5")) for total in (7, 10)
    )
    known = search(far).best
    assert known is not None
    assert known.case["s"] == (5, 5)
    asked: list[tuple[BoxCases, FormulaCases]] = []
    find_smallest = BoxCases.find_smallest

    def listen(cases: BoxCases, among: FormulaCases, best: FoundCase | None, ill: bool = False) -> FoundCase | None:
        asked.append((cases, among))
        return find_smallest(cases, among, best, ill)

    monkeypatch.setattr(BoxCases, "find_smallest", listen)
    search_bits(near, by_lines)
    cases, among = asked[1]  # the cases at which it fails; first come those at which it is ill-defined
    found = find_smallest(cases, among, known)
    assert found is not None
    assert found.case["s"] == (2, 5)


@pytest.mark.parametrize(
    ("domain", "why"),
    [('"0..len(s)"', "depends on the position"), ("{ in = [3, 1, 2] }", "ascending order"), ("{ in = [1, 2, 3] }", "")],
)
@pytest.mark.parametrize("by_lines", [False, True])
def test_what_a_box_cannot_order_is_not_laid_out(domain: str, why: str, by_lines: bool, tmp_path: Path) -> None:
    body = f'ruleset = "nim"\n[forall]\ns = "position"\nn = {domain}\n[claim]\nthen = "sum(s) < 7 or wins(s)"\n'
    claim = written(tmp_path, body + '[scope]\ns = { heaps = "0..3", size = "1..5" }\n')
    if why:
        with pytest.raises(NotApplicable, match=why):
            search_bits(claim, by_lines)
    else:
        assert told(search_bits(claim, by_lines).best) == told(search(claim).best)
