"""The recipe "A proof rule": one module and one line, and the proofs that the rule must refuse."""

from pathlib import Path

import pytest
from claim_texts import HEAD
from pages import FILES, PAGE, ROOT
from residues_rule import RESIDUES

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.library import select
from encoders.proving import registry
from encoders.proving.reading import load_claim
from encoders.trust import All

MODULE = ROOT / "tests" / "extending" / "residues_rule.py"
CLAIM = (
    HEAD
    + """[forall]
k = "1.."
x = "0.."
[claim]
then = "THEN"
[scope]
k = "1..2"
x = "0..3"
[proof]
rule = "residues"
of = "x"
modulus = "6"
"""
)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.RULES, RESIDUES.name, RESIDUES)


def settled(folder: Path, then: str) -> ClaimResult:
    path = folder / "claim.toml"
    path.write_text(CLAIM.replace("THEN", then), "utf-8")
    return settle_entry(select((str(path),))[0], Options())


def test_the_page_shows_the_module() -> None:
    assert MODULE.read_text("utf-8") == FILES["encoders/rules/residues.py"]
    assert [name for name in FILES if name.startswith("encoders/rules")] == ["encoders/rules/residues.py"]
    assert "from encoders.rules.residues import RESIDUES" in PAGE


def test_without_the_line_the_rule_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(CLAIM.replace("THEN", "k >= 1"), "utf-8")
    with pytest.raises(ClaimError, match='"residues" is not a proof rule'):
        load_claim(path, "claim")


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("then", ["x * (x + 1) * (2 * x + 1) % 6 == 0", "(x * x) % 3 != 2", "x % (k * 0 + 7) < 7"])
@pytest.mark.slow
def test_with_it_claims_are_proved_for_all_integers(tmp_path: Path, then: str) -> None:
    found = settled(tmp_path, then)
    assert (found.verdict, found.finding.error) == (Verdict.PROVED, "")
    assert dict(found.finding.scope) == {"k": All(), "x": All()}
    assert found.finding.routes[-1].encoder == "residues"
    assert "rule: residues (docs/proof-rules.md)" in found.finding.trusted


@pytest.mark.usefixtures("known")
def test_what_is_false_beyond_the_scope_is_refuted(tmp_path: Path) -> None:
    found = settled(tmp_path, "x * x < 100 or k > 1 or x % 6 != 4")
    assert found.verdict is Verdict.REFUTED
    assert found.finding.counterexample is not None
    assert dict(found.finding.counterexample.variables)["x"] == 10


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("then", "verdict", "where"),
    [
        (
            "k < 9 or x // (k - 9) >= 0 or x >= 0",
            Verdict.ERROR,
            "defined: x // (k - 9) needs k - 9 != 0: fails at ",
        ),
        ("x ^ k <= x + k", Verdict.INCONCLUSIVE, "has no translation into"),
    ],
)
def test_what_is_undefined_beyond_the_scope_or_not_read_is_not(
    tmp_path: Path, then: str, verdict: Verdict, where: str
) -> None:
    found = settled(tmp_path, then)
    assert found.verdict is verdict
    assert where in found.finding.not_established
