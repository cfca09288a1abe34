"""Moore's Nim with three heaps at once, normal and misère: moves on three heaps, columns modulo 4; and similar claims.

The lemmas of a few obligations have too many variables for a certificate: these rest on Z3, below the bound `sizes`.
"""

from pathlib import Path

import pytest
from proofs import QUICK
from settling import settle_whole

from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import select

pytestmark = pytest.mark.slow

MOORE = Path(__file__).parent
THREE = "and columns(s, 4, 3) == 0"


def settled(folder: Path, name: str, *changes: tuple[str, str]) -> ClaimResult:
    text = (MOORE / f"{name}.toml").read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "claim.toml").write_text(text, "utf-8")
    return settle_whole(select((str(folder / "claim.toml"),))[0], QUICK)


@pytest.mark.parametrize(
    ("name", "changes", "stopped"),
    [
        ("three-heaps", (), None),
        ("three-heaps-misere", (), None),
        ("three-heaps", ((THREE, ""), ("and C == 0", "")), ""),
        ("three-heaps", (("rest2_A == 0", "rest2_A <= 1"),), "leads to a loss"),
        ("three-heaps", (('take = { m = "h - rest_C" }', 'take = { m = "h - rest_C - 1" }'),), "legal"),
        ("three-heaps-misere", (("len(s) % 4 == 1", "len(s) % 4 == 2"), ("N % 4 == 1", "N % 4 == 2")), ""),
        ("three-heaps-misere", (('"no large heap" = ', '"a thing" = "N >= 0"\n# '),), "fact 'one large heap'"),
    ],
)
def test_it_is_proved_and_what_is_nearly_so_is_not(
    name: str, changes: tuple[tuple[str, str], ...], stopped: str | None, tmp_path: Path
) -> None:
    found = settled(tmp_path, name, *changes)
    failed = [o.name for o in found.finding.obligations if o.result != "proved"]
    if stopped is None:
        assert (found.verdict, failed) == (Verdict.PROVED, []), found.finding.not_established
    else:
        assert found.verdict in (Verdict.INCONCLUSIVE, Verdict.REFUTED)
        assert found.verdict is Verdict.REFUTED or any(stopped in o for o in failed), failed
