"""Machine code for heaps that are numbers gives the answers of the other engines, and refuses what they refuse."""

from __future__ import annotations

import re
import signal
import threading
from pathlib import Path

import pytest
from claim_texts import HEAD

from checks.judgement.routes import Spent, run_within_budget
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.interrupts import noticing_interrupts
from claims.language.syntax.terms import INT
from encoders.compute.arrays.cases import Tally
from encoders.compute.arrays.evaluate import goes_case_by_case
from encoders.compute.arrays.limits import Deadline, OutOfTime, group_digits
from encoders.compute.engines import CaseQuery, Shard, choose_engine
from encoders.compute.exhaustive import decide_by_search
from encoders.compute.native import entry, estimate
from encoders.compute.native.numbers import find_direction
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import load_claim
from encoders.trust import Trust


def _move(pick: str, *become: str, where: str = "h > 0", choose: str = "any heap h") -> str:
    heaps = ", ".join(f'"{x}"' for x in become)
    return f'choose = "{choose}"\npick = {{ m = "{pick}" }}\nwhere = "{where}"\nbecome = [{heaps}]'


TAKE = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
UNREAD = f'{TAKE}\nwhere = "m * h >= m"'  # the same moves, but arrays do not read them, because of the product
LARGEST = 'choose = "a largest heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'


def _load(
    folder: Path,
    moves: list[str],
    then: str,
    scope: str = 'n = "0..30"',
    head: str = 'stuck = "loses"',
    players: tuple[str, ...] = ("A", "B"),
) -> Claim:
    (folder / "rulesets").mkdir(exist_ok=True)
    rules = "".join(f"\n[[moves]]\n{move}\n" for move in moves)
    text = f'format = 1\ntitle = "t"\nplayers = {list(players)}\n{head}\n{rules}'
    (folder / "rulesets" / "mine.toml").write_text(text, "utf-8")
    names = [line.split(" = ")[0] for line in scope.split("\n")]
    variables = "\n".join(f'{name} = "{"position" if name == "s" else "0.."}"' for name in names)
    path = folder / "claim.toml"
    path.write_text(
        f"{HEAD}ruleset = 'mine'\n[forall]\n{variables}\n[claim]\nthen = \"{then}\"\n[scope]\n{scope}\n", "utf-8"
    )
    return load_claim(path, "claim")


def _decide(claim: Claim, monkeypatch: pytest.MonkeyPatch, by_code: bool) -> RouteResult:
    with monkeypatch.context() as patch:
        patch.setattr(estimate, "START", -(10**12) if by_code else 10**12)
        patch.setattr(estimate, "LARGE", 0)
        patch.setattr(estimate, "PLAYED", -1 if by_code else 10**12)
        patch.setattr(estimate, "_reads", lambda *_: False)
        patch.setattr(estimate, "_reaches_few", lambda *_: False)
        return decide_by_search(claim, claim.scope("quick"))


@pytest.mark.parametrize(
    ("moves", "decision"),
    [
        ([TAKE], Decision.HOLDS),
        # the second move is invalid, although the first one always wins
        ([TAKE, _move("1..h", "h - 2 * m")], Decision.UNSUPPORTED),
        ([TAKE, _move("0..h", "h - m")], Decision.UNSUPPORTED),
        ([TAKE, _move("1..h", "m")], Decision.UNSUPPORTED),
        # valid at both ends of the range, and invalid between them
        ([TAKE, _move("1..4", "h - m * (5 - m)", where="h >= 5")], Decision.UNSUPPORTED),
        ([TAKE, _move("1..9", "h - m", where="h > 9 and 6 // (m - 5) != 1")], Decision.UNSUPPORTED),
        ([TAKE, _move("1..9", "h - m", where="h > 9 and 6 // (m - 5) % 2 == 1")], Decision.UNSUPPORTED),
        ([TAKE, _move("-2..1", "h - m ** 2", where="h > 4")], Decision.UNSUPPORTED),
        ([TAKE, _move("-2..-1", "h - m ** 2", where="h > 4")], Decision.HOLDS),
        # the condition makes the ends invalid, but not the move
        ([TAKE, _move("0..2 * h", "h - m", where="0 < m and m <= h")], Decision.HOLDS),
        ([TAKE, _move("1..1", "h // 2", "h - h // 2", where="h > 1")], Decision.UNSUPPORTED),
        ([TAKE, _move("1..1", "h // 2", "-1", where="h > 1")], Decision.UNSUPPORTED),
        ([TAKE, _move("1..1", "h // 2", "h - h // 2 - 1", where="h > 2")], Decision.HOLDS),
    ],
)  # fmt: skip
def test_every_move_is_checked_even_if_the_first_one_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: list[str], decision: Decision
) -> None:
    claim = _load(tmp_path, moves, "n == 0 or wins(position([n]))")
    answers = [_decide(claim, monkeypatch, by_code) for by_code in (False, True)]
    assert [x.decision for x in answers] == [decision] * 2
    assert (entry.NAME in answers[1].engines.names) == (decision is Decision.HOLDS)


@pytest.mark.parametrize(
    "then",
    [
        "grundy(position([n, 2 * n, 3 * n])) == nim_sum([n, 2 * n, 3 * n])",
        "wins(position([n, n + 1])) or n > 20",
        "not wins(position([n, 1, n + 1])) or n % 2 == 1",
        "wins(position([n, 2 * n, 3 * n])) or n % 8 != 5",
        "value(position([n, 0, 0])) == 1",
        "wins(position([n - 3]))",
        "wins(position([i for i in range(n)])) or n % 4 <= 1",
        "wins(position([n]) + position([m, 3]))",
    ],
)  # fmt: skip
def test_several_heaps_have_the_answers_of_other_engines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    scope = 'n = "0..30"\nm = "0..5"' if "m," in then else 'n = "0..30"'
    claim = _load(tmp_path, [TAKE], then, scope)
    other, found = (_decide(claim, monkeypatch, by_code) for by_code in (False, True))
    for name in ("decision", "counterexample", "ill_defined", "detail"):
        assert getattr(other, name) == getattr(found, name)
    assert other.decision is not Decision.HOLDS or other.cases == found.cases
    assert entry.NAME not in other.engines.names


@pytest.mark.parametrize("stuck", ["loses", "wins"])
@pytest.mark.parametrize("move", [TAKE, _move("1..3", "h - m", where="m <= h and (m != 2 or mover == B)")])
def test_winners_among_three_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stuck: str, move: str) -> None:
    for then in ("value(position([n]), B) <= n % 4", "value(position([n]), C) != 1 or n % 3 == 0"):
        claim = _load(tmp_path, [move], then, head=f'stuck = "{stuck}"', players=("A", "B", "C"))
        other, found = (_decide(claim, monkeypatch, by_code) for by_code in (False, True))
        assert (other.decision, other.counterexample) == (found.decision, found.counterexample)
        assert entry.NAME in found.engines.names


def test_values_are_added_and_the_theorem_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = _load(tmp_path, [TAKE], "not wins(position([n, n]))")
    found = _decide(claim, monkeypatch, True)
    assert found.engines.names == (entry.NAME,) and found.trusted == {Trust.SPRAGUE_GRUNDY}
    single = _decide(_load(tmp_path, [TAKE], "n == 0 or wins(position([0, n]))"), monkeypatch, True)
    assert single.engines.names == (entry.NAME,) and not single.trusted


def test_the_table_grows_with_the_cases(tmp_path: Path) -> None:
    claim = _load(tmp_path, [UNREAD], "wins(position([n, n + 1]))", 'n = "0..20000"')
    assert CaseQuery(claim, Shard(claim.scope("quick"), None)).in_order
    false = _load(tmp_path, [UNREAD], "wins(position([n, n + 1])) and n < 5000", 'n = "0..20000"')
    found = decide_by_search(false, false.scope("quick"))
    assert (found.decision, found.counterexample, found.cases) == (Decision.FAILS, {"n": 5000}, 5001)
    assert found.engines.names == (entry.NAME,)


def test_a_scope_that_takes_too_long_is_searched_in_growing_parts(tmp_path: Path) -> None:
    claim = _load(tmp_path, [UNREAD], "wins(position([n, n + 1])) and n < 5000", 'n = "0..100000000"')
    assert not CaseQuery(claim, Shard(claim.scope("quick"), None)).in_order
    found = decide_by_search(claim, claim.scope("quick"))
    assert (found.decision, found.counterexample) == (Decision.FAILS, {"n": 5000})
    assert entry.NAME in found.engines.names


TWO = 'stuck = "loses"\nparameters = { j = "0..9", k = "1.." }'


@pytest.mark.parametrize(
    ("then", "scope", "reached"),
    [
        ("wins(position([n])) or n % (k + 1) == 0 or j <= k", 'k = "1..4"\nj = "0..5"\nn = "0..40"', True),
        ("wins(position([n])) or n % (k + 1) == 0 or j <= k", 'n = "0..40"\nj = "0..5"\nk = "1..4"', True),
        ("wins(position([n])) or n % (k + 1) == 0", 'n = "0..40"\nj = "0..5"\nk = "1..4"', True),
        ("grundy(position([n, n + k, 5])) <= k", 'n = "0..30"\nk = "1..4"\nj = "5..7"', True),
        ("grundy(position([n, n + k, 5])) <= 7", 'n = "0..30"\nk = "1..4"\nj = "5..7"', True),
        ("wins(position([n])) or n >= 0", 'n = "0..30"\nk = "1..4"\nj = "8..10"', False),  # j = 10 is not allowed
        ("wins(position([n])) or n >= 0", 'n = "0..30"\nk = "0..4"\nj = "8..9"', False),
        ("wins(position([n])) or n >= 0", 'n = "5000..5001"\nk = "1..3"\nj = "0..2"', True),
        (
            "grundy(position([n, n + 1])) == nim_sum([n % (k + 1), (n + 1) % (k + 1)])",
            'n = "0..30"\nk = "3..4"\nj = "5..7"',
            True,
        ),
        ("grundy(position([n])) <= 2", 'n = "0..30"\nj = "1..3"\nk = "3..4"', True),
        ("grundy(position([n])) <= 2 or j == 3 and k == 3 and n > 2", 'n = "0..30"\nj = "1..3"\nk = "3..4"', True),
        ("grundy(position([n])) != 1 or n % 2 == 1 or j > 1", 'j = "1..3"\nn = "0..30"\nk = "2..2"', True),
    ],
)
def test_parameters_that_depend_on_the_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str, scope: str, reached: bool
) -> None:
    claim = _load(tmp_path, [_move("1..min(h, k)", "h - m", where="m != j")], then, scope, TWO)
    other, found = (_decide(claim, monkeypatch, by_code) for by_code in (False, True))
    for name in ("decision", "counterexample", "ill_defined"):
        assert getattr(other, name) == getattr(found, name)
    assert other.decision is not Decision.HOLDS or other.cases == found.cases
    assert (entry.NAME in found.engines.names) == reached


def test_too_many_choices_of_parameters_are_refused(tmp_path: Path) -> None:
    scope = 'n = "0..1"\nk = "1..8000"\nj = "0..9"'
    claim = _load(
        tmp_path, [_move("1..min(h, k)", "h - m", where="m != j")], "wins(position([n])) or n >= 0", scope, TWO
    )
    assert (
        entry.refuse_machine_code(claim, claim.scope("quick"), Deadline(None)) == "the parameters have too many values"
    )


def test_cases_that_were_searched_before_are_skipped(tmp_path: Path) -> None:
    scope = 'n = "2..9"\nm = "1..4"'
    claim = _load(tmp_path, [TAKE], "wins(position([n, m])) == (n != m)", scope)
    old = {"n": d.Range(2, 5), "m": d.Range(1, 3)}
    tally = Tally()
    assert entry.search_as_machine_code(claim, claim.scope("quick"), Deadline(None), tally, old)
    assert tally.cases == 8 * 4 - 4 * 3
    new = {(n, m) for n in range(2, 10) for m in range(1, 5)} - {(n, m) for n in range(2, 6) for m in range(1, 4)}
    assert {(case["n"], case["m"]) for case, _ in tally.audit} == new


@pytest.mark.parametrize("total", ["0..9", "3..3", "2..5", "9..30"])
def test_positions_within_a_total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, total: str) -> None:
    monkeypatch.setattr(estimate, "ALONE", 2)
    scope = f's = {{ heaps = "0..2", size = "1..6", total = "{total}" }}'
    claim = _load(tmp_path, [TAKE], "wins(s) == (nim_sum(s) != 0)", scope)
    other, found = (_decide(claim, monkeypatch, by_code) for by_code in (False, True))
    assert (other.decision, other.cases, other.engines.names != (entry.NAME,)) == (found.decision, found.cases, True)
    assert found.engines.names == (entry.NAME,)


def test_cases_before_the_end_of_the_time_are_counted(tmp_path: Path) -> None:
    claim = _load(tmp_path, [UNREAD], "wins(position([n, n + 1]))", 'n = "0..150000"')
    found = decide_by_search(claim, claim.scope("quick"), 0.5)
    assert found.decision is Decision.UNKNOWN and found.cases > 100
    assert found.detail.startswith(f"out of time after {group_digits(found.cases)} of about 150 001 cases")


def test_a_budget_during_the_search_does_not_damage_the_memory(tmp_path: Path) -> None:
    """Another thread raises the exception of a budget. It must not arrive at the start of a function called back."""
    claim = _load(tmp_path, [TAKE], "wins(position([n, n + 1]))", 'n = "0..100000000"')
    for _ in range(3):
        with pytest.raises((Spent, OutOfTime)):
            run_within_budget(
                0.2, lambda: entry.search_as_machine_code(claim, claim.scope("quick"), Deadline(0.6), Tally())
            )


def test_a_signal_during_the_search_ends_it(tmp_path: Path) -> None:
    claim = _load(tmp_path, [TAKE], "wins(position([n, n + 1]))", 'n = "0..100000000"')
    for _ in range(3):
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt), noticing_interrupts():
            entry.search_as_machine_code(claim, claim.scope("quick"), Deadline(20.0), Tally())
        timer.join()


def test_numbers_that_are_too_large_are_not_wrapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of more than 62 bits, or a heap of more than 30, stops machine code, and the other engines answer."""
    big = _load(tmp_path, [_move("1..1", "h - 1")], "(n + 2) ** 70 > 0 and wins(position([n])) == (n % 2 == 1)")
    heap = _load(tmp_path, [_move("1..1", "h - 1")], "n < 9 or wins(position([n * 2 ** 40 + 1]))", 'n = "0..9"')
    for claim in (big, heap):
        with monkeypatch.context() as patch:
            patch.setattr(estimate, "LARGE", 0)
            tally = Tally()
            assert not entry.search_as_machine_code(claim, claim.scope("quick"), Deadline(None), tally)
            assert [x.engine for x in tally.fallbacks] == [entry.NAME] and not tally.cases


@pytest.mark.parametrize(
    ("moves", "then", "scope", "reason"),
    [
        ([TAKE], "wins(position([n]))", 'n = "0..100"', estimate.TOGETHER),
        ([TAKE], "wins(position([n]))", 'n = "0..9000"', "arrays read the moves of a heap from a table"),
        ([TAKE], "wins(position([n, n]))", 'n = "0..900"', "few positions are reachable, .*"),
        ([TAKE], "wins(s)", 's = { heaps = "0..3", size = "1..900" }', estimate.TOGETHER),
        ([TAKE], "terminal(position([n, n, n]))", 'n = "0..900"', "the claim asks for more than winners and values"),
        ([_move("1..1", "h // 2")], "wins(position([2 ** n]))", 'n = "0..29"', "few positions are reachable, .*"),
        ([_move("2..3", "h // m")], "wins(position([n, n]))", 'n = "0..9000000"', "few positions are reachable, .*"),
        ([_move("1..h", "h - m", where="h % m > 1")], "wins(position([n]))", 'n = "0..900000"', ".* than a minute"),
        ([LARGEST], "wins(position([n, n, n]))", 'n = "0..900"', "a move chooses several heaps, .*"),
    ],
)  # fmt: skip
def test_the_reasons_against_machine_code(tmp_path: Path, moves: list[str], then: str, scope: str, reason: str) -> None:
    claim = _load(tmp_path, moves, then, scope)
    choice = choose_engine(claim, Shard(claim.scope("quick"), None))
    assert re.fullmatch(reason, {x.engine: x.reason for x in choice.refusals}[entry.NAME])


def test_few_large_heaps_are_played_case_by_case_if_arrays_do_not_support_an_operation(tmp_path: Path) -> None:
    then = "len(put([n, m], 0, 1)) == 2 and (wins(position([2 ** n])) or n >= 0)"
    claim = _load(tmp_path, [_move("1..1", "h // 2")], then, 'n = "0..29"\nm = "0..99"')
    assert goes_case_by_case(claim)
    found = decide_by_search(claim, claim.scope("quick"), 20.0)
    assert (found.decision, found.cases, found.engines.fallbacks) == (Decision.HOLDS, 3000, ())
    assert entry.NAME not in found.engines.names


@pytest.mark.parametrize(
    ("text", "natural", "direction"),
    [
        ("5", True, 0), ("h * h", True, 0), ("m", False, 1), ("h - m", False, -1), ("h - m ** 2", True, -1),
        ("h - m ** 2", False, None), ("m - m", True, None), ("3 * m + h", True, 1), ("3 * m", False, None),
        ("(h - m) // 2", True, -1), ("m // h", True, None), ("m * (5 - m)", True, None), ("m % 3", True, None),
        ("h - (2 * m + 1)", True, -1), ("-m", False, -1), ("m * h", True, None), ("2 ** m", True, None),
    ],
)  # fmt: skip
def test_the_direction_of_a_term(tmp_path: Path, text: str, natural: bool, direction: int | None) -> None:
    move = f'choose = "any heap h"\npick = {{ m = "1..h" }}\nbecome = ["{text}"]'
    (term,) = _load(tmp_path, [move], "wins(position([n]))").games[0].ruleset.moves[0].become
    assert find_direction(term, "m", natural) == direction
    assert term.type == INT
