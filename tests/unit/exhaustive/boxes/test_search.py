"""The search of a claim by bit rows, in both layouts, agrees with the general search."""

from dataclasses import replace
from pathlib import Path

import pytest
from settling import written

from checks.referee.judge import Referee
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from encoders.compute.arrays import bit_plan as planning
from encoders.compute.arrays.bit_plan import BoxPlan
from encoders.compute.arrays.bit_rows import NotApplicable
from encoders.compute.arrays.bit_search import BoxSearch
from encoders.compute.arrays.cases import FoundCase, Tally
from encoders.compute.arrays.limits import Deadline, OutOfTime, TooLarge
from encoders.compute.arrays.search import ArraySearch
from encoders.compute.engines import CaseQuery, Shard
from encoders.kernel.machine import Machine

KL = 'ruleset = "kl-nim"\n[forall]\nk = "1.."\nl = "k+1.."\ns = "position"\n[claim]\n{claim}\n'
KL += '[scope]\nk = "1..3"\nl = "2..5"\ns = {{ heaps = "{heaps}", size = "{size}" }}\n'
NIM = 'ruleset = "nim"\n[{quantifier}]\ns = "position"\nn = "0..5"\n[claim]\n{claim}\n[scope]\n'
NIM += 's = {{ heaps = "0..3", size = "1..6" }}\n'
ODD = """
format = 1
title = "Odd"
players = ["A", "B"]
parameters = {{ k = "0..", D = "set" }}
stuck = "{stuck}"
[[moves]]
choose = "{choose}"
pick = {{ m = "{{m for m in D if m <= h}}" }}
become = ["h - m"]
[[moves]]
choose = "any heap h"
pick = {{ m = "1..h" }}
where = "mover == A and m > k or mover == B and h % 2 == 0 and m != 2"
become = ["h - m"]
"""


def search(claim: Claim, scope: d.Scope | None = None, earlier: d.Scope | None = None) -> Tally:
    """Return the result of the general search."""
    tally = Tally()
    ArraySearch(claim, scope or claim.scope("quick"), Deadline(None), tally, earlier).run()
    return tally


def lay(claim: Claim, by_lines: bool, scope: d.Scope | None = None, words: int = 2) -> BoxPlan:
    (name,) = [v.name for v in claim.variables if str(v.type) == "Position"]
    bound = (scope or claim.scope("quick"))[name]
    assert isinstance(bound, d.PositionRange)
    return BoxPlan(name, planning.find_box(bound), by_lines, words)


def search_bits(claim: Claim, by_lines: bool, scope: d.Scope | None = None, earlier: d.Scope | None = None) -> Tally:
    tally = Tally()
    plan = lay(claim, by_lines, scope)
    BoxSearch(claim, scope or claim.scope("quick"), plan, Deadline(None), tally, earlier).run()
    return tally


def told(found: FoundCase | None) -> object:
    return found and (found.key, found.case, found.ill)


def compare(found: Tally, expected: Tally) -> None:
    """Check that the results agree. If a case decides the claim, the general search may have examined fewer cases."""
    assert told(found.best) == told(expected.best)
    assert told(found.witness) == told(expected.witness)
    if expected.best is None:
        assert (found.cases, found.met) == (expected.cases, expected.met)
    else:
        assert found.cases >= expected.cases


CONDITIONS = [
    "wins(s, P1)",
    "not wins(s, P2)",
    "wins(s, P1 if k > 2 else P2)",
    "wins(s, P1 if nim_sum(s) > 2 else P2)",
    "iff(not wins(s, P2), nim_sum(s) == 0 and all(h < k for h in s))",
    "outcome(s) == N_position",
    "outcome(s) != P_position and outcome(s) == outcome(s)",
    "implies(outcome(s) == first_wins, k == 2 or l == 4)",
    "outcome(s) != second_wins",
    "terminal(s, P1) == terminal(s, P2)",
    "any(not wins(t, P2) for t in options(s, P1)) == wins(s, P1)",
    "all(wins(t, P1) for t in options(s, P2) if nim_sum(t) != k) or len(s) < 2",
    "not any(all(wins(u, P2) for u in options(t, P1)) and sum(t) != l for t in options(s, P2))",
    "any(h == k for h in s) or not wins(s, P1) or sum(s) < 9",
    "sum(s) % 2 == k % 2 or wins(s, P1)",
    "sum(s) - 2 * l != k or wins(s, P1)",
    "(nim_sum(s) ^ k) // 2 != 1 or wins(s, P2)",
    "max(sum(s), l) > 3 or not wins(s, P1)",
    "len(s) == 0 or max(s) + min(s) != k + l",
    "len(s) == 0 or max(h for h in s if h > 1 or k > 0) < 5 or wins(s, P1)",
    "len(s) == 0 or min(h + k for h in s) <= 7",
    "count(h >= k for h in s) < 2 or wins(s, P2)",
    "sum(h for h in s if h >= k) != 7",
    "nim_sum(h for h in s if h < l) == nim_sum(s) or not wins(s, P1)",
    "s.count(k) < 2 or l in s",
    "sum(g * h for g in s for h in s if g < h) != 6",
    "count(g > h for g in s for h in s) < 3 or wins(s, P1)",
    "any(all(g <= h or g == k for g in s) for h in s) or len(s) == 0",
    "wins(s, P1) != (bit(sum(s), 1) == 1) or k == 1",
    "abs(sum(s) - k * l) > 1",
    "(1 if wins(s, P1) else 2) == k or wins(s, P2) or True",
    "(k if nim_sum(s) == 0 else l) > 2",
    "wins(s, P1) if sum(s) > k else not wins(s, P2)",
    "sum(s) // (k - 2) < 5 if k != 2 else wins(s, P1)",
    "k != 2 and sum(s) % (k - 2) == 0",
    "max(s) > 0",
    "sum(s) % (nim_sum(s) - k) < 4",
    "top_bit(sum(s)) < 3 or wins(s, P1)",
    "k in range(1, 3) or wins(s, P1)",
    "isqrt(sum(s)) <= k",
    "not (len(s) == 2 and (1 in s and 5 in s or s.count(2) == 2))",
    "any(sum(t) + 1 < sum(s) for t in options(s, P1)) or sum(s) < 3",
    "not any(any(sum(u) > sum(t) - 2 and wins(u, P1) for u in options(t, P1)) for t in options(s, P2))",
    "any(count(wins(t, P1) for h in t) > 1 for t in options(s, P1))",
    "any(max(t) > 2 for t in options(s, P1)) or sum(s) < 3",
]
UNKNOWN = [*CONDITIONS[-4:], "(1 if wins(s, P1) else 2) == k or wins(s, P2) or True"]


@pytest.mark.parametrize("by_lines", [False, True])
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.slow
def test_the_same_is_found(condition: str, by_lines: bool, tmp_path: Path) -> None:
    claim = written(tmp_path, KL.format(claim=f'then = "{condition}"', heaps="0..3", size="1..5"))
    if condition in UNKNOWN:
        with pytest.raises(NotApplicable):
            search_bits(claim, by_lines)
        return
    compare(search_bits(claim, by_lines), search(claim))


@pytest.mark.parametrize("hypothesis", ["wins(s, P2)", "len(s) > 0 and max(s) > l", "sum(s) % (k - 1) == 0", "k > l"])
@pytest.mark.parametrize("by_lines", [False, True])
def test_hypotheses_are_counted(hypothesis: str, by_lines: bool, tmp_path: Path) -> None:
    """Hypotheses may hold nowhere, and may be undefined somewhere."""
    text = f'if = "{hypothesis}"\nthen = "wins(s, P1) or sum(s) < 14 or nim_sum(s) % k == 0"'
    claim = written(tmp_path, KL.format(claim=text, heaps="1..3", size="2..6"))
    compare(search_bits(claim, by_lines), search(claim))


@pytest.mark.parametrize("by_lines", [False, True])
@pytest.mark.parametrize(
    ("quantifier", "condition"),
    [
        ("exists", "not wins(s) and sum(s) == 2 * n and len(s) == 3"),
        ("exists", "wins(s) and sum(s) == 99"),
        ("exists", "sum(s) // (n - 5) < -3"),
        ("forall", "wins(s) or sum(s) != 2 * n"),
        ("forall", "iff(wins(s), nim_sum(s) != 0)"),
    ],
)
def test_witnesses_are_the_smallest(by_lines: bool, quantifier: str, condition: str, tmp_path: Path) -> None:
    """The position is compared first, wherever it is declared."""
    claim = written(tmp_path, NIM.format(quantifier=quantifier, claim=f'then = "{condition}"'))
    compare(search_bits(claim, by_lines), search(claim))


@pytest.mark.parametrize("by_lines", [False, True])
@pytest.mark.parametrize("stuck", ["loses", "wins"])
@pytest.mark.parametrize("choose", ["a largest heap h", "a smallest heap h", "any heap h"])
def test_rules_with_sets_and_players_that_differ(by_lines: bool, stuck: str, choose: str, tmp_path: Path) -> None:
    """Parameters are sets, players and integers. A stuck player loses or wins. Heaps are chosen in several ways."""
    (tmp_path / "odd.toml").write_text(ODD.format(stuck=stuck, choose=choose), "utf-8")
    body = 'ruleset = "odd"\n[forall]\np = "player"\nD = "subsets of 1..3"\ns = "position"\nk = "0..2"\n[claim]\n'
    body += 'if = "wins(s, p)"\nthen = "sum(s) + k < 9 or outcome(s) != N_position"\n'
    body += '[scope]\ns = { heaps = "0..3", size = "1..4", total = "1..9" }\n'
    claim = written(tmp_path, body)
    compare(search_bits(claim, by_lines), search(claim))


@pytest.mark.parametrize("by_lines", [False, True])
def test_two_games_in_one_claim(by_lines: bool, tmp_path: Path) -> None:
    body = '[games]\ng = "nim"\nm = "misere-nim"\n[forall]\ns = "position"\n[claim]\n'
    body += 'if = "any(h > 1 for h in s)"\nthen = "g.wins(s) == m.wins(s)"\n'
    body += '[scope]\ns = { heaps = "0..4", size = "1..5" }\n'
    claim = written(tmp_path, body)
    compare(search_bits(claim, by_lines), search(claim))


@pytest.mark.parametrize("by_lines", [False, True])
@pytest.mark.parametrize("condition", ["wins(s, P2) or nim_sum(s) == 0 or sum(s) < 12", "k < 9"])
def test_what_was_searched_before_is_left_out(by_lines: bool, condition: str, tmp_path: Path) -> None:
    """Each of three nested scopes adds its new cases; together they are the largest scope."""
    claim = written(tmp_path, KL.format(claim=f'then = "{condition}"', heaps="0..3", size="1..6"))
    whole = claim.scope("quick")
    grown: list[d.Scope] = [
        {"k": d.Range(1, k), "l": d.Range(2, l), "s": d.PositionRange(d.Range(0, 3), d.Range(1, size))}
        for k, l, size in ((2, 3, 3), (3, 5, 4))
    ]
    tally, earlier, cases = Tally(), None, 0
    for scope in (*grown, whole):
        plan = lay(claim, by_lines, scope)
        BoxSearch(claim, scope, plan, Deadline(None), tally, earlier).run()
        expected = search(claim, scope, earlier)
        if expected.best is None:
            assert tally.cases - cases == expected.cases
        cases, earlier = tally.cases, scope
    compare(tally, search(claim))
    assert tally.cases == search_bits(claim, by_lines).cases


@pytest.mark.parametrize("by_lines", [False, True])
def test_the_sample_is_what_the_referee_finds(by_lines: bool, tmp_path: Path) -> None:
    """The sample has cases of each kind, and the smallest ones are within the referee's limits."""
    text = 'if = "sum(s) > k"\nthen = "wins(s, P1) or nim_sum(s) != 0"'
    claim = written(tmp_path, KL.format(claim=text, heaps="0..3", size="1..12"))
    sample = search_bits(claim, by_lines).sample.take()
    assert len(sample) >= 16
    assert len({judgement for _, judgement in sample}) == 2
    assert len({str(case) for case, _ in sample}) > 8
    referee = Referee(claim, 3_000_000, False)
    for case, judgement in sample:
        assert referee.judge(case) == judgement


def test_nothing_is_told_of_a_claim_that_the_bits_do_not_know(tmp_path: Path) -> None:
    """Some rows precede the first one in which an element of `any` is undefined."""
    text = 'then = "any(h % (k - 3) != 7 for h in s) or True"'
    claim = written(tmp_path, KL.format(claim=text, heaps="0..2", size="1..4"))
    tally = Tally()
    with pytest.raises(NotApplicable, match="may be ill-defined"):
        BoxSearch(claim, claim.scope("quick"), lay(claim, by_lines=True), Deadline(None), tally).run()
    assert (tally.cases, tally.met, tally.witness, tally.sample.take()) == (0, 0, None, ())


@pytest.mark.parametrize("by_lines", [False, True])
def test_a_limit_leaves_what_was_found(by_lines: bool, tmp_path: Path) -> None:
    """The clock is read often, and the first reading past the limit ends the search."""
    claim = written(tmp_path, KL.format(claim='then = "k < 9"', heaps="0..3", size="1..9"))

    class Reading(Deadline):
        def __init__(self, limit: int) -> None:
            super().__init__(None)
            self.readings, self.last = 0, limit

        def check(self) -> None:
            self.readings += 1
            if self.readings >= self.last:
                raise OutOfTime

    free = Reading(10**9)
    BoxSearch(claim, claim.scope("quick"), lay(claim, by_lines), free).run()
    whole = search(claim).cases
    for limit in {2, free.readings // 2, free.readings}:
        tally, clock = Tally(), Reading(limit)
        with pytest.raises(OutOfTime):
            BoxSearch(claim, claim.scope("quick"), lay(claim, by_lines), clock, tally).run()
        assert clock.readings == limit
        assert tally.cases < whole


# -- applicability ----------------------------------------------------------------------------------------------------
def plan_of(tmp_path: Path, body: str, size: int, **others: d.Range) -> BoxPlan | None:
    claim = written(tmp_path, body)
    scope = claim.scope("quick") | dict(others)
    bound = scope["s"]
    assert isinstance(bound, d.PositionRange)
    return CaseQuery(claim, Shard(scope | {"s": replace(bound, size=d.Range(1, size))}, None)).bits


def test_small_scopes_stay_where_they_are(tmp_path: Path) -> None:
    body = KL.format(claim='then = "wins(s, P1)"', heaps="0..3", size="1..5")
    assert plan_of(tmp_path, body, 10) is None


def test_many_parameters_are_bits_and_long_lines_are(tmp_path: Path) -> None:
    body = KL.format(claim='then = "wins(s, P1)"', heaps="0..3", size="1..5")
    many = plan_of(tmp_path, body, 63, k=d.Range(1, 64), l=d.Range(1, 64))
    assert many is not None and not many.by_lines
    one = d.Range(3, 3)
    few = plan_of(tmp_path, body, 1023, k=one, l=d.Range(4, 4))
    assert few is not None and few.by_lines
    assert plan_of(tmp_path, body, 4000, k=one, l=d.Range(4, 4)) is None  # tables of 64 GB


def test_a_total_bounds_the_box(tmp_path: Path) -> None:
    body = KL.format(claim='then = "wins(s, P1)"', heaps="0..3", size="1..5")
    claim = written(tmp_path, body)
    scope = claim.scope("quick") | {"s": d.PositionRange(d.Range(0, 3), d.Range(1, 1023), d.Range(0, 20))}
    assert CaseQuery(claim, Shard(scope, None)).bits is None  # 300 positions, not 180 million


@pytest.mark.parametrize("game", ["wythoff", "moore(w = 2)", "kayles"])
def test_other_moves_are_not_asked(game: str, tmp_path: Path) -> None:
    """Such moves change several heaps, or split one."""
    body = f'ruleset = "{game}"\n[forall]\ns = "position"\n[claim]\nthen = "wins(s)"\n'
    body += '[scope]\ns = { heaps = "0..3", size = "1..5" }\n'
    assert plan_of(tmp_path, body, 255) is None
    assert plan_of(tmp_path, body.replace(game, "nim"), 255) is not None


def test_without_address_space_the_bits_do_not_serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The general search is used instead, and discards a search that was begun."""

    def refuse(self: Machine) -> None:
        raise TooLarge("no room")

    monkeypatch.setattr(Machine, "__init__", refuse)
    claim, tally = written(tmp_path, KL.format(claim='then = "wins(s, P1)"', heaps="0..3", size="1..5")), Tally()
    with pytest.raises(NotApplicable):
        BoxSearch(claim, claim.scope("quick"), lay(claim, False), Deadline(None), tally).run()
    assert not tally.cases
    assert tally.best is None
