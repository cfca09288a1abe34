"""False claims with a [proof], written down: each is false where the table says so, and none comes out green.

`attacks/` holds the claims, `attacks.toml` says of each why it is false, at which case, and which premise must fail.
"""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from checks.execution.settle import settle
from checks.judgement.options import Options
from checks.judgement.scopes import scope_for
from checks.results.evidence import is_refuted_by_proof
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.library.entries import Entry
from encoders.exhaustive.cover import settle as exhaustive
from encoders.logic.solvers.effort import USUAL
from encoders.proving.reading import load_claim

from .bundle import bundle_of
from .judge import settle_whole

HERE = Path(__file__).parent
ATTACKS = tomllib.loads((HERE / "attacks.toml").read_text("utf-8"))
SHOWN_BY = {"refuted": Verdict.REFUTED, "ill-defined": Verdict.ERROR, "vacuous": Verdict.VACUOUS}
RED = (Verdict.INCONCLUSIVE, Verdict.ERROR, Verdict.VACUOUS)
HELPERS = {"bouton", *(f"lemma-{x}" for x in ("verified", "refuted", "in-a-circle", "below-256", "with-a-fact"))}


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.slow
def test_it_is_false_where_the_table_says(name: str, tmp_path: Path) -> None:
    """By the exhaustive route alone: an attack that is true would be a fault of ours."""
    attack, bundle = ATTACKS[name], bundle_of(HERE / "attacks" / f"{name}.toml")
    del bundle.claim["proof"]
    claim = load_claim(bundle.written(tmp_path).path, name)
    result = settle(claim, scope_for(claim, "quick", tuple(attack["at"].items())), exhaustive, 60)
    assert result.verdict is SHOWN_BY[attack["finds"]], result.finding.not_established


@pytest.mark.parametrize("name", ATTACKS)
def test_it_does_not_come_out_green(name: str) -> None:
    """Its scope is too small to refute it: the proof has to be refused, for the reason in the table."""
    entry = Entry(name, HERE / "attacks" / f"{name}.toml")
    result = settle_whole(entry, Options(effort=replace(USUAL, seeds=(17,))))
    evidence = result.finding.evidence
    by_proof = evidence is not None and is_refuted_by_proof(evidence.answers)  # where the premise fails, outside it
    assert result.verdict in RED or (result.verdict is Verdict.REFUTED and by_proof), result.finding.error
    assert ATTACKS[name]["premise"] in words(result)


def words(result: ClaimResult) -> str:
    """Why it is not proved: of one that its proof refutes, which obligation failed."""
    found = result.finding
    details = " ".join(route.detail for route in found.routes[1:])
    return " ".join(f"{found.error} {found.not_established} {details}".split())


def test_each_attack_has_its_row_and_its_file() -> None:
    assert {p.stem for p in (HERE / "attacks").glob("*.toml")} - HELPERS == set(ATTACKS)


def test_there_are_attacks_of_each_kind() -> None:
    kinds = [attack["kind"] for attack in ATTACKS.values()]
    assert len(kinds) >= 120
    assert all(kinds.count(kind) >= 6 for kind in kinds)
