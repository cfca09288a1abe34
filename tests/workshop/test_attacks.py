"""Hand-written false claims with a [proof]: each is false at the case in its table, and none is proved.

attacks/ has a file for each kind of attack. Each case is a claim with its wrong proof. Its expected part is a table:
`why` the claim is false, `at` which case (as for --set), the result there without the proof (`finds`), and the
`premise` that rejects the proof, a part of the message. attacks/shared.txt has rulesets and lemmas that attacks use.
"""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from case_files import read_cases

from checks.execution.settle import settle_claim
from checks.judgement.scopes import Options, scope_for
from checks.results.model import ClaimResult, is_refuted_by_proof
from checks.results.verdicts import Verdict
from claims.language.files.library import Entry
from encoders.compute.exhaustive import decide_by_search as exhaustive
from encoders.proving.reading import load_claim
from encoders.solvers.effort import USUAL

from .bundle import bundle_of
from .judge import settle_whole

KINDS = {path.stem: read_cases(path)[1] for path in sorted((Path(__file__).parent / "attacks").glob("*.txt"))}
ATTACKS = {case.name: tomllib.loads(case.expected) for cases in KINDS.values() for case in cases}
SHOWN_BY = {"refuted": Verdict.REFUTED, "ill-defined": Verdict.ERROR, "vacuous": Verdict.VACUOUS}
RED = (Verdict.INCONCLUSIVE, Verdict.ERROR, Verdict.VACUOUS)


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.slow
def test_it_is_false_where_the_table_says(name: str, attacks: Path, tmp_path: Path) -> None:
    """Use only the exhaustive route: a true attack would be an error in the table."""
    attack, bundle = ATTACKS[name], bundle_of(attacks / f"{name}.toml")
    del bundle.claim["proof"]
    claim = load_claim(bundle.written(tmp_path).path, name)
    result = settle_claim(claim, scope_for(claim, "quick", tuple(attack["at"].items())), exhaustive, 60)
    assert result.verdict is SHOWN_BY[attack["finds"]], result.finding.not_established


@pytest.mark.parametrize("name", ATTACKS)
def test_it_does_not_come_out_green(name: str, attacks: Path) -> None:
    """Its scope is too small to refute it: the proof must be refused, for the reason in the table."""
    entry = Entry(name, attacks / f"{name}.toml")
    result = settle_whole(entry, Options(effort=replace(USUAL, seeds=(17,))))
    evidence = result.finding.evidence
    # where the premise fails, outside the scope
    by_proof = evidence is not None and is_refuted_by_proof(evidence.answers)
    assert result.verdict in RED or (result.verdict is Verdict.REFUTED and by_proof), result.finding.error
    assert ATTACKS[name]["premise"] in words(result)


def words(result: ClaimResult) -> str:
    """Return why it is not proved; if its proof refutes it, the obligation that failed."""
    found = result.finding
    details = " ".join(route.detail for route in found.routes[1:])
    return " ".join(f"{found.error} {found.not_established} {details}".split())


def test_there_are_attacks_of_each_kind() -> None:
    assert len(ATTACKS) == sum(map(len, KINDS.values())) >= 120
    assert {kind for kind, cases in KINDS.items() if len(cases) < 6} == {"shared"}
