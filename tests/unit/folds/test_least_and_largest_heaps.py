"""The smallest and the largest heap in proofs: true claims that are proved, and false claims that are not."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from proofs import FOLDS, LARGEST, NIM, SMALLEST, asked, settle_changed, written

from encoders.logic.sequents import ONE, at_least, equal
from encoders.rules.folds.positions import Extremes

FREE = FOLDS.replace('sizes = "< 2^8"', 'rule = "folds"')  # for heaps of any size
ONES = """
[proof.folds]
N = "len(s)"
m = "min(s)"
b = "s.count(min(s))"
ones = "s.count(1)"
[proof.facts]
"the least are the ones, if there is one" = "ones == (b if m == 1 else 0)"
"""
TAKE_ONE = '[[proof.moves]]\nwhen = "True"\nheap = "largest"\ntake = { m = "1" }\nto = "anywhere"\n'
TAKE_ALL = TAKE_ONE.replace('m = "1"', 'm = "h"')


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    return partial(written, tmp_path)


@pytest.mark.parametrize(
    ("then", "given"),
    [
        # the smallest heap, the largest, the number of each
        ("1 <= min(s) <= max(s)", "len(s) >= 1"),
        ("max(s) < k", "len(s) >= 1 and min(s) == max(s) and min(s) < k"),
        ("1 <= s.count(min(s)) <= len(s)", "len(s) >= 1"),
        ("s.count(max(s)) == len(s)", "len(s) >= 1 and s.count(min(s)) == len(s)"),
        ("s.count(max(s)) + s.count(min(s)) <= len(s)", "len(s) >= 1 and min(s) < max(s)"),
        ("s.count(max(s)) == 1", "len(s) == 2 and min(s) < max(s)"),
        ("count(h == max(s) for h in s) % 2 == 0", "len(s) == 2 and s.count(min(s)) == 2"),
        ("count(h == min(s) for h in s) <= len(s)", ""),
        ("max(position([k, j])) == max(k, j) and min(position([k, j])) == min(k, j)", ""),
        ("position([k, j, k]).count(max(position([k, j, k]))) == 2", "k > j"),
        ("max(s) in s and min(s) in s", "len(s) >= 1"),
        # such a heap is replaced
        ("len(replace(s, max(s), 0)) == len(s) - 1", "len(s) >= 1"),
        ("max(replace(s, max(s), 1)) == max(s)", "len(s) >= 1 and s.count(max(s)) >= 2"),
        ("max(replace(s, min(s), k)) == max(s)", "len(s) >= 2 and k < max(s)"),
        ("replace(s, max(s), k).count(min(replace(s, max(s), k))) == 1", "len(s) >= 1 and k < min(s)"),
        ("replace(s, max(s), k) == s", "len(s) >= 1 and k == max(s)"),
        ("replace(s, max(s), k) == replace(s, min(s), k)", "len(s) >= 1 and min(s) == max(s)"),
        # heaps of one size
        ("s == position([k for i in range(0, len(s))])", "len(s) >= 1 and min(s) == k == max(s)"),
        ("len(s) == j and implies(j >= 1, max(s) == k)", "position([k for i in range(0, j)]) == s"),
        ("nim_sum(position([k for i in range(0, 4)])) == 0 and len(position([k for i in range(j, j + 2)])) == 2", ""),
        ("s != position([0 for i in range(0, j)])", "len(s) >= 1"),
        # numbers of a range
        ("all(len(replace(s, max(s), y)) == len(s) for y in range(1, max(s)))", "len(s) >= 1"),
        ("not any(min(replace(s, max(s), y)) > max(s) for y in range(1, max(s)))", "len(s) >= 1"),
        ("all(y < max(s) or y >= k for y in range(0, k) if y >= max(s)) or max(s) < k", "len(s) >= 1"),
        ("min([len(s), len(s) + k, 3]) <= 3 and max([k]) == k and max({k, j}) >= j", ""),
    ],
)
def test_what_holds_of_least_and_largest_heaps_is_proved(claim: Any, then: str, given: str) -> None:
    body = FREE if "nim_sum" not in then else FOLDS
    found = asked(claim(body, then, given, rules=LARGEST))
    assert found.decision == "holds", found.detail


@pytest.mark.parametrize(
    ("then", "given"),
    [
        ("1 <= min(s)", ""),  # the empty position has no smallest heap
        ("min(s) < max(s)", "len(s) >= 2"),
        ("max(s) <= 9", "len(s) >= 1"),
        ("s.count(min(s)) == len(s)", "len(s) >= 1 and s.count(max(s)) == 1"),
        ("s.count(max(s)) == s.count(min(s))", "len(s) >= 1"),
        ("s.count(max(s)) + s.count(min(s)) <= len(s)", "len(s) >= 1"),
        ("count(h == max(s) for h in s) % 2 == 0", "len(s) == 2"),
        ("count(h == max(s) for h in s) == 0", ""),
        ("s.count(min(s)) == 1", "len(s) >= 1 and min(s) == 1"),
        ("position([k, j, k]).count(max(position([k, j, k]))) == 2", ""),
        ("min(position([k, j - 1])) == min(k, j - 1)", ""),  # a heap of 0 does not count
        ("max(s) in s", ""),
        ("k in s", "len(s) >= 1 and min(s) <= k <= max(s)"),
        ("len(replace(s, max(s), 0)) == len(s)", "len(s) >= 1"),
        ("len(replace(s, max(s), k - 1)) == len(s)", "len(s) >= 1"),
        ("len(replace(s, max(s), k - 2)) >= 0", "len(s) >= 1"),
        ("len(replace(s, max(s), k)) >= 0", ""),
        ("max(replace(s, max(s), 1)) == max(s)", "len(s) >= 1"),
        ("max(replace(s, max(s), 1)) < max(s)", "len(s) >= 2 and max(s) >= 2"),
        ("max(replace(s, min(s), k)) == max(s)", "len(s) >= 1"),
        ("replace(s, max(s), k) == s", "len(s) >= 1 and k <= max(s)"),
        ("replace(s, max(s), k) == replace(s, min(s), k)", "len(s) >= 1"),
        ("s == position([k for i in range(0, len(s))])", "len(s) >= 1 and min(s) == k"),
        ("s == position([k for i in range(0, len(s))])", "len(s) >= 1 and max(s) == k"),
        ("s == position([k for i in range(0, j)])", "len(s) >= 1 and min(s) == k == max(s)"),
        ("implies(s == position([k for i in range(0, j)]), len(s) == j + 1)", ""),
        ("implies(s == position([k for i in range(0, j)]), s.count(min(s)) == k)", "len(s) >= 1"),
        ("len(position([k - 1 for i in range(0, j)])) == j", ""),
        ("len(position([k for i in range(2, j)])) == j - 2", ""),
        ("nim_sum(position([k for i in range(0, 3)])) == 0", ""),
        ("len(position([i for i in range(0, j)])) == j", ""),
        ("s != position([0 for i in range(0, j)])", ""),
        ("all(len(replace(s, max(s), y)) == len(s) for y in range(0, max(s)))", "len(s) >= 1"),
        ("all(max(replace(s, max(s), y)) < max(s) for y in range(1, max(s) + 1))", "len(s) == 1"),
        ("all(y != k for y in range(0, k + 1))", ""),
        ("all(y > 0 for y in range(0, k))", ""),
        ("all(y < 5 for y in range(0, k) if y < 6)", ""),
        ("any(y == k for y in range(0, k))", ""),
        ("not any(y == k - 1 for y in range(0, k))", ""),
        ("not all(y < 5 for y in range(0, k))", ""),
        ("min([len(s), len(s) + k, 3]) == 3", ""),
        ("all(y < k for y in range(0, k)) and k < 5", ""),
        ("all(y < 5 for y in range(0, k) if y >= 3)", ""),
        ("implies(len(s) >= 1, len(replace(s, max(s), 0)) < len(s)) and len(s) >= 1", ""),
        (
            "max(replace(s, max(position([1])), 0)) < max(s)",
            "max(position([1])) in s and len(s) >= 2 and s.count(max(s)) == 1",
        ),
        ("s.count(max(position([9]))) >= 1", "len(s) >= 1"),
        ("len(position([k for i in range(0, j) if i > 3])) == j", ""),
        ("len(position([k for i in range(2, j)])) == j", ""),
        ("position([k for i in range(0, j)]).count(5) == j", ""),
        ("min([k, j]) >= k", ""),
        ("min([k, j]) == k", ""),
        ("max([k, j]) == k", ""),
    ],
)
def test_what_does_not_hold_of_them_is_not_proved(claim: Any, then: str, given: str) -> None:
    body = FREE if "nim_sum" not in then else FOLDS
    assert asked(claim(body, then, given, rules=LARGEST)).decision in ("unknown", "unsupported")


# -- facts that tie counts to them ------------------------------------------------------------------------------------
def test_facts_tie_counts_to_least_heaps(claim: Any) -> None:
    assert (
        asked(claim(FREE + ONES, "s.count(1) == len(s)", "len(s) >= 1 and min(s) == max(s) == 1")).decision == "holds"
    )
    found = asked(claim(FREE, "s.count(1) == len(s)", "len(s) >= 1 and min(s) == max(s) == 1"))
    assert found.detail.startswith("claim: ")


@pytest.mark.parametrize(
    ("old", "new", "fails"),
    [
        ("b if m == 1 else 0", "b", "one more heap"),
        ("b if m == 1 else 0", "b if m == 1 else 1", "no heap"),
        ("b if m == 1 else 0", "N if m == 1 else 0", "one more heap"),
        ('"min(s)"', '"max(s)"', "one more heap"),
        ("s.count(min(s))", "s.count(max(s))", "one more heap"),
    ],
)
def test_a_fact_about_them_is_shown_of_no_heap_and_of_one_more(claim: Any, old: str, new: str, fails: str) -> None:
    found = asked(claim(FREE + ONES.replace(old, new), "len(s) >= 0"))
    assert found.decision == "unknown"
    assert f"one, {fails}" in found.detail or f"one', {fails}" in found.detail


@pytest.mark.parametrize("fold", ["max(half)", "half.count(min(half))", "count(h == max(half) for h in half)"])
def test_a_proof_does_not_name_those_of_what_is_made_of_the_position(claim: Any, fold: str) -> None:
    named = fold.replace("half", "position([h % 2 for h in s])")
    found = asked(claim(FREE + f'[proof.folds]\nM = "{named}"\n', "len(s) >= 0"))
    assert found.decision == "unsupported"
    assert "a proof may only use nim-sums, sums and counts of a position that is computed heap by heap" in found.detail


@pytest.mark.slow
def test_those_of_what_is_made_of_the_position_are_its_own(claim: Any) -> None:
    half = "position([h % 2 for h in s])"
    assert asked(claim(FOLDS, f"max({half}) == max(s)", f"len({half}) >= 1")).decision == "unknown"
    assert asked(claim(FOLDS, f"min({half}) <= max({half})", f"len({half}) >= 1")).decision == "holds"


def test_what_is_known_of_them_is_shown_wherever_it_is_used(claim: Any) -> None:
    known = ["least and largest heap, no heap", "least and largest heap, one more heap"]
    for then, given in (("min(s) >= 1", "len(s) >= 1"), ("s != position([1 for i in range(0, k)])", "len(s) == 0")):
        names = [o.name for o in asked(claim(FREE, then, given)).obligations]
        assert names[-2:] == known
    names = [o.name for o in asked(claim(FREE, "all(len(t) >= 0 for t in options(s))", rules=LARGEST)).obligations]
    assert names[-2:] == known
    names = [o.name for o in asked(claim(FREE, "len(s) >= 0")).obligations]
    assert not set(known) & set(names)


@pytest.mark.parametrize(
    ("lie", "fails"),
    [
        (lambda q, s: equal(s.fold(q.least), s.fold(q.largest)), "least and largest heap, one more heap"),
        (lambda q, s: at_least(s.fold(q.least), ONE), "least and largest heap, no heap"),
    ],
)
def test_what_is_not_true_of_them_stops_every_proof(
    claim: Any, monkeypatch: pytest.MonkeyPatch, lie: Any, fails: str
) -> None:
    possible = Extremes.possible
    monkeypatch.setattr(Extremes, "possible", lambda q, s, *rest: [*possible(q, s, *rest), lie(q, s)])
    found = asked(claim(FREE, "min(s) == max(s) or len(s) != 1", "len(s) >= 1"))
    assert found.decision == "unknown"
    assert found.detail.startswith(f"{fails}: ")


# -- moves on a largest heap ------------------------------------------------------------------------------------------
GREEDY = """
[proof.folds]
M = "max(s)"
b = "s.count(max(s))"
N = "len(s)"
[proof.loses]
mover = "b % 2 == 0"
[[proof.moves]]
when = "b % 2 == 1"
heap = "largest"
take = { m = "h if rest_b % 2 == 0 else h - rest_M" }
"""
EVEN = "iff(not wins(s), count(h == max(s) for h in s) % 2 == 0)"


@pytest.mark.slow
def test_who_wins_where_a_largest_heap_is_taken_from(claim: Any) -> None:
    assert asked(claim(FREE + GREEDY, EVEN, rules=LARGEST)).decision == "holds"


@pytest.mark.parametrize(
    ("old", "new", "fails"),
    [
        ("rest_b % 2 == 0", "rest_b % 2 == 1", "reply 1: legal"),
        ("rest_b % 2 == 0", "b == 1 or rest_b % 2 == 0", "reply 1: leads to a loss"),
        ("rest_M", "M", "reply 1: legal"),
        ('"largest"', '"any"', "reply 1: legal"),
        ('"b % 2 == 1"', '"b % 4 == 1"', "cases cover"),
        ('mover = "b % 2 == 0"', 'mover = "b % 2 == 0 and N >= 1"', "cases cover"),
        ('mover = "b % 2 == 0"', 'mover = "b == 0 or b == 2"', "cases cover"),
        ('when = "b % 2 == 1"', 'when = "b % 2 == 1 or N == 0"', ""),
        ('"s.count(max(s))"', '"s.count(min(s))"', "closed"),
    ],
)
def test_a_wrong_proof_about_largest_heaps_is_none(claim: Any, old: str, new: str, fails: str) -> None:
    changed = GREEDY.replace(old, new)
    assert changed != GREEDY
    found = asked(claim(FREE + changed, EVEN, rules=LARGEST))
    if fails:
        assert found.decision == "unknown"
        assert fails in found.detail
    else:
        assert found.decision == "holds"  # a case that never occurs


def test_any_heap_may_be_taken_from_in_nim_itself(claim: Any) -> None:
    found = asked(claim(FREE + GREEDY, EVEN, rules=NIM))
    assert found.decision == "unknown"
    assert "closed" in found.detail


def test_a_largest_heap_needs_a_heap(claim: Any) -> None:
    """A stuck player always loses. A proof with a move from the empty position fails only because of that move."""
    proof = '[proof.folds]\nN = "len(s)"\n[proof.loses]\nmover = "N >= 1"\n'
    move = TAKE_ONE.replace('"True"', '"N == 0"').replace('to = "anywhere"\n', "")
    never = LARGEST.replace("become", 'where = "h < 0"\nbecome')
    found = asked(claim(FREE + proof + move, "iff(wins(s), len(s) == 0)", rules=never))
    assert found.decision == "unknown"
    assert found.detail.startswith("reply 1: heap: ")


# -- moves on a smallest heap -----------------------------------------------------------------------------------------
SMALL_NIM = """
[proof.folds]
u = "s.count(1)"
b = "count(h >= 2 for h in s)"
m = "min(s)"
[proof.facts]
"ones are smallest" = "iff(u >= 1, m == 1)"
[proof.loses]
mover = "u % 2 == (1 if b >= 1 else 0)"
[[proof.moves]]
when = "u >= 1 or b >= 1"
heap = "smallest"
take = { m = "1 if u >= 1 else h - 1 if b >= 2 else h" }
"""
ONES_ARE_ODD = "iff(not wins(s), s.count(1) % 2 == (1 if any(h >= 2 for h in s) else 0))"


@pytest.mark.slow
def test_who_wins_where_a_smallest_heap_is_taken_from(claim: Any) -> None:
    found = asked(claim(FREE + SMALL_NIM, ONES_ARE_ODD, rules=SMALLEST))
    assert found.decision == "holds", found.detail
    assert "a smallest heap" in {x.words for x in found.trusted}


@pytest.mark.parametrize(
    ("old", "new", "fails"),
    [
        ("1 if b >= 1 else 0", "0", "closed"),
        ("1 if b >= 1 else 0", "1 if b == 1 else 0", "closed"),
        ('"smallest"', '"largest"', "reply 1: legal"),
        ('"smallest"', '"any"', "reply 1: legal"),
        ("b >= 2 else h", "b >= 1 else h", "reply 1: leads to a loss"),
        ("1 if u >= 1 else ", "", "reply 1: legal"),
        ('"u >= 1 or b >= 1"', '"u >= 1"', "cases cover"),
        ('"u >= 1 or b >= 1"', '"True"', ""),
        ('"min(s)"', '"max(s)"', "fact 'ones are smallest', one more heap"),
    ],
)
def test_a_wrong_proof_about_smallest_heaps_is_none(claim: Any, old: str, new: str, fails: str) -> None:
    changed = SMALL_NIM.replace(old, new)
    assert changed != SMALL_NIM
    found = asked(claim(FREE + changed, ONES_ARE_ODD, rules=SMALLEST))
    if fails:
        assert found.decision == "unknown"
        assert found.detail.startswith(fails), found.detail
    else:
        assert found.decision == "holds"  # the mover loses the empty position


@pytest.mark.parametrize("rules", [NIM, LARGEST])
def test_what_holds_of_moves_on_a_smallest_heap_need_not_of_others(claim: Any, rules: str) -> None:
    found = asked(claim(FREE + SMALL_NIM, ONES_ARE_ODD, rules=rules))
    assert found.decision == "unknown"
    assert found.detail.startswith("closed")


# -- the only option --------------------------------------------------------------------------------------------------
ONLY = "options(s) == {position([1 for i in range(0, len(s) - 1)])}"


@pytest.mark.slow
def test_the_only_option(claim: Any) -> None:
    ones = "len(s) >= 1 and max(s) == 1"
    assert asked(claim(FREE + TAKE_ALL, ONLY, ones, rules=LARGEST)).decision == "holds"
    assert asked(claim(FREE, ONLY, ones, rules=LARGEST)).decision == "unknown"  # nothing shows that the option exists
    for then, given in (
        (ONLY, "len(s) >= 1 and min(s) == 1"),  # (1, 2) has two
        (ONLY, "len(s) >= 0 and all(h <= 1 for h in s)"),  # not without a heap
        (ONLY.replace("- 1", ""), ones),
        (ONLY.replace("==", "!="), ones),
    ):
        assert asked(claim(FREE + TAKE_ALL, then, given, rules=LARGEST)).decision == "unknown"


# -- the steps of a published proof -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("printed", "by"),
    [
        ("theorem-2-case-b", '"theorem-1", "theorem-2"'),
        ("theorem-3-case-b12", '"theorem-2", "theorem-3"'),
    ],
)
@pytest.mark.slow
def test_steps_as_printed_do_not_follow_from_the_theorems(tmp_path: Path, printed: str, by: str) -> None:
    result = settle_changed(tmp_path, f"large-nim/{printed}", ("[scope.deep]", f"[proof]\nby = [{by}]\n\n[scope.deep]"))
    failed = [o.name for o in result.finding.obligations if o.result != "proved"]
    assert failed == ["claim"]
