"""Maps and sequences: each cell agrees with the referee, errors of a rule are marked, and omissions are explained."""

from __future__ import annotations

from pathlib import Path

import pytest
from settling import settled, written

from checks.boards import illustrate
from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.shown import GrundySequence, OutcomeMap, Picture, Undrawn
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.rulesets import load_ruleset
from encoders.compute.arrays.evaluate import Sheet

RULES = Path(__file__).resolve().parents[3] / "claims" / "rulesets"
CLAIM = """
    ruleset = "kl-nim"
    [forall]
    k = "1.."
    l = "k+1.."
    s = "position"
    [define]
    "only_drawn(s)" = "nim_sum(s) == 0"
    [claim]
    then = "sum(s) >= 0"
    [scope]
    k = "1..2"
    l = "2..3"
    s = { heaps = "0..2", size = "1..3" }
    """


def with_pictures(folder: Path, *pictures: str) -> Claim:
    return written(folder, CLAIM + "".join(f"[[pictures]]\n{text}\n" for text in pictures))


def drawn(claim: Claim) -> tuple[Picture, ...]:
    return illustrate.illustrate(settled(claim), claim, claim.scope("quick")).presentation.pictures


def draw_map(folder: Path, solved: str, claimed: str = "", heaps: str = "0..6", at: str = "k = 3, l = 4") -> Picture:
    rule = f'claimed = "{claimed}"' if claimed else ""
    text = f'kind = "outcomes"\nsolved = "{solved}"\n{rule}\nheaps = "{heaps}"\nat = {{ {at} }}'
    (found,) = drawn(with_pictures(folder, text))
    return found


def differences(found: Picture) -> set[tuple[int, int]]:
    assert isinstance(found, OutcomeMap) and found.claimed is not None
    rows = enumerate(zip(found.solved, found.claimed, strict=True), found.least)
    return {(a, b) for b, (x, y) in rows for a, (p, q) in enumerate(zip(x, y, strict=True), found.least) if p is not q}


@pytest.mark.parametrize(("mover", "name"), [(0, "P1"), (1, "P2")])
@pytest.mark.parametrize("heaps", ["0..6", "2..7"])
def test_a_map_is_the_referees_cell_by_cell(mover: int, name: str, heaps: str, tmp_path: Path) -> None:
    found = draw_map(tmp_path, f"wins(s, {name})", heaps=heaps)
    assert isinstance(found, OutcomeMap) and found.game == "K-L-Nim (k = 3, l = 4)"
    game = RefereeGame(load_ruleset(RULES / "kl-nim.toml"), {"k": 3, "l": 4}, RefereeSteps(10_000_000))
    least, most = (int(x) for x in heaps.split(".."))
    assert found.least == least and len(found.solved) == most - least + 1
    for b in range(least, most + 1):
        for a in range(least, most + 1):
            s = tuple(sorted(x for x in (a, b) if x))
            assert found.solved[b - least][a - least] is game.wins(s, mover), (a, b)


def test_a_rule_that_is_wrong_at_one_position_differs_there_alone(tmp_path: Path) -> None:
    rule = "not wins(s, P1) if s == position([1, 2]) else wins(s, P1)"
    assert differences(draw_map(tmp_path, "wins(s, P1)", rule)) == {(1, 2), (2, 1)}
    assert differences(draw_map(tmp_path, "wins(s, P1)", "wins(s, P1)")) == set()


def test_a_rule_that_forgets_a_condition_differs_where_that_counts(tmp_path: Path) -> None:
    assert differences(draw_map(tmp_path, "not wins(s, P2)", "only_drawn(s)")) == {(a, a) for a in range(3, 7)}


def test_values_of_one_heap_and_their_period(tmp_path: Path) -> None:
    text = 'kind = "values"\nvalue = "grundy(position([x]))"\nclaimed = "{}"\nheaps = "0..19"\nat = {{ k = 3, l = 3 }}'
    claim = written(
        tmp_path,
        CLAIM.replace("k+1..", "k..") + "".join(f"[[pictures]]\n{text.format(c)}\n" for c in ("x", "3*(x//6) + x%3")),
    )
    wrong, right = drawn(claim)
    values: list[int] = []
    for x in range(20):
        below = {values[x - m] for m in range(1, x + 1) if m != 3}
        values.append(next(v for v in range(21) if v not in below))
    assert isinstance(wrong, GrundySequence) and isinstance(right, GrundySequence)
    assert right.values == wrong.values == tuple(values) == right.claimed
    assert wrong.claimed == tuple(range(20)) and (right.period, right.saltus) == (6, 3)


def test_pictures_leave_the_statement_and_the_verdict_alone(tmp_path: Path) -> None:
    plain, more = tmp_path / "plain", tmp_path / "more"
    plain.mkdir()
    more.mkdir()
    without = written(plain, CLAIM)
    drawn_too = with_pictures(more, 'kind = "outcomes"\nsolved = "only_drawn(s)"\nheaps = "0..3"')
    assert drawn_too.texts == without.texts
    assert settled(drawn_too).verdict is settled(without).verdict is Verdict.VERIFIED


@pytest.mark.parametrize(
    ("solved", "at", "reason"),
    [
        ("wins(s, P1)", "k = 3, l = 2", "l = 2 is outside its domain, k+1.."),
        ("6 % sum(s) == 0", "k = 3, l = 4", "undefined"),
        ("wins(s, P1) and 6 % (k - 3) == 0", "k = 3, l = 4", "undefined"),
    ],
)
def test_what_cannot_be_drawn_is_said(solved: str, at: str, reason: str, tmp_path: Path) -> None:
    found = draw_map(tmp_path, solved, at=at)
    assert isinstance(found, Undrawn) and reason in found.reason and found.title == solved


def test_a_large_heap_without_a_value_is_noticed(tmp_path: Path) -> None:
    found = draw_map(tmp_path, "1 // (7 - max(s)) >= 0", heaps="1..8")
    assert isinstance(found, Undrawn) and "undefined" in found.reason


def test_a_cell_that_the_referee_denies_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Sheet.evaluate_positions
    monkeypatch.setattr(Sheet, "evaluate_positions", lambda *args: [1 - x for x in right(*args)])
    found = draw_map(tmp_path, "wins(s, P1)")
    assert isinstance(found, Undrawn) and "the referee" in found.reason and "internal error" in found.reason


def test_a_value_that_the_referee_denies_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Sheet.evaluate_sizes
    monkeypatch.setattr(Sheet, "evaluate_sizes", lambda *args: [x + 1 for x in right(*args)])
    (found,) = drawn(with_pictures(tmp_path, 'kind = "values"\nvalue = "x"\nheaps = "0..9"'))
    assert isinstance(found, Undrawn) and "the referee" in found.reason


def test_a_map_that_takes_too_long_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(illustrate, "SECONDS", -1.0)
    found = draw_map(tmp_path, "wins(s, P1)")
    assert found == Undrawn("wins(s, P1)", "the pictures take more than -1 seconds")
