"""Games related to half-Nim, proved with powers of 2 and 3 among the digits; false claims about them are not proved."""

from pathlib import Path

import pytest
from proofs import EFFORT, HEAD, LIBRARY

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.verdicts import Verdict
from claims.language.files.library import select

FOLDER = Path(__file__).parent / "restricted"
QUICK = Options(effort=EFFORT)
OF_POWERS = (
    "each",
    "any two",
    "a factor above 0 is left out on both sides",
    "what follows of two",
    "one above every number",
)


@pytest.mark.parametrize(("name", "base"), [("rounded-up", 2), ("reserve", 2), ("thirds", 3)])
@pytest.mark.slow
def test_a_share_of_a_heap_has_values_by_powers(name: str, base: int) -> None:
    result = settle_entry(select((str(FOLDER / f"{name}.toml"),))[0], QUICK)
    assert result.verdict is Verdict.PROVED, result.finding.error or result.finding.not_established
    shown = [o.name for o in result.finding.obligations if o.name.startswith("powers of ")]
    assert shown == [f"powers of {base}: {what}" for what in OF_POWERS]


@pytest.mark.slow
def test_a_power_with_a_number_for_exponent_is_a_number(tmp_path: Path) -> None:
    written = (LIBRARY / "classics" / "half-nim.toml").read_text("utf-8")
    (tmp_path / "claim.toml").write_text(
        HEAD
        + """
ruleset = "half-nim"
[forall]
g = "0.."
[claim]
then = "grundy(position([2**3 * (2*g + 1) - 1])) == grundy(position([16*g + 7])) == g"
[scope]
g = "0..4"
[proof]
"""
        + written.partition("[proof]\n")[2].partition("[[proof.at]]")[0]
        + """
[[proof.at]]
heap = "16*g + 7"
digits = { d = "2**3", q = "g" }
""",
        "utf-8",
    )
    result = settle_entry(select((str(tmp_path / "claim.toml"),))[0], QUICK)
    assert result.verdict is Verdict.PROVED, result.finding.error or result.finding.not_established


@pytest.mark.parametrize(
    ("name", "old", "new", "failing"),
    [
        ("rounded-up", 'when = "h == 0"', 'when = "h < 0"', "digits of a heap: the cases cover"),
        ("rounded-up", 'd = "2*d"', 'd = "d"', "digits of a heap, case 3"),
        ("rounded-up", 'd = "2*d"', 'd = "3*d"', "digits of a heap, case 3"),
        ("rounded-up", "<= h + 2", "<= h + 4", "option 1: legal"),
        ("rounded-up", "<= h + 2", "< h + 2", "option 1: legal"),
        ("rounded-up", 'd = "2**e", q', 'd = "2**(e + 1)", q', "heap 1 of the claim: its digits"),
        ("reserve", "h < k", "h <= k + 1", "digits of a heap, case 1"),
        ("reserve", "largest power of 2 with t", "largest power of 4 with t", "t is not known to be a power of 2"),
        ("reserve", "h - k + 1", "h + 1", "option 1: legal"),
        ("thirds", "power of 3", "power of 2", "digits of a heap, case 2"),
        ("thirds", "largest power of 3 with t", "largest power of 9 with t", "t is not known to be a power of 3"),
        ("thirds", "h % 3 != 1", "h % 3 == 0", "digits of a heap: the cases cover"),
        ("thirds", 'd = "3*d"', 'd = "9*d"', "digits of a heap, case 2"),
    ],
)
@pytest.mark.slow
def test_a_proof_with_a_slip_fails_where_it_is(tmp_path: Path, name: str, old: str, new: str, failing: str) -> None:
    for path in FOLDER.glob("*.toml"):
        text = path.read_text("utf-8")
        if path.stem == name:
            assert old in text
            text = text.replace(old, new, 1)
        (tmp_path / path.name).write_text(text, "utf-8")
    result = settle_entry(select((str(tmp_path / f"{name}.toml"),))[0], QUICK)
    assert result.verdict is Verdict.INCONCLUSIVE, result.finding.error
    failed = [o.name for o in result.finding.obligations if o.result != "proved"]
    assert failed == [failing] or (not failed and failing in result.finding.not_established), (
        result.finding.not_established
    )
