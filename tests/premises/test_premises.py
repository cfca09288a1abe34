"""Each premise of each rule of proof is necessary: a false claim exists that only this premise stops.

The files in this folder have, for each premise, a claim that is false or undefined at some case outside its scope. Its
proof fails at the obligation of that premise. If that obligation is taken as proved, the claim is *proved*.
"""

import string
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from library import certificates
from proofs import BOUTON, EFFORT, FEW_HEAPS, HEAD, HEAP_BY_HEAP, TWO_HEAPS
from settling import settle_whole

from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, is_refuted_by_proof
from checks.results.verdicts import Verdict
from claims.language.files.library import select
from encoders.logic.answer import Obligation, ObligationStatus
from encoders.logic.sequents import Sequent
from encoders.proving import prove as proving
from encoders.proving.registry import RULES
from encoders.solvers.effort import using_store
from encoders.trust import FAULT, ObligationKind

HERE = Path(__file__).parent
QUICK = Options(effort=EFFORT)
PLAYERS = {False: 'players = ["A", "B"]\n', True: 'players = "n"\nparameters = { n = "2.." }\n'}
NIM = HEAP_BY_HEAP + 'heap = "h"\n'
WRITTEN = {  # proofs that several claims use
    "{bouton}": BOUTON,
    "{heap by heap}": HEAP_BY_HEAP,
    "{nim}": NIM,
    "{theorem}": FEW_HEAPS,
    "{nim of two heaps}": TWO_HEAPS,
}


@dataclass(frozen=True)
class Premise:
    """A premise. `by`: part of the name of its obligation.

    `false`: the scope in which the claim is false or undefined.
    """

    rule: str
    name: str
    by: str
    false: dict[str, str]
    files: dict[str, str]


def read(rule: str, row: dict[str, Any]) -> Premise:
    files = {"claim": HEAD + with_proof(row["claim"])}
    if "rules" in row:
        n_players = row.get("players", False)
        stuck = "wins" if n_players else row.get("stuck", "loses")
        head = f'format = 1\ntitle = "own"\nstuck = "{stuck}"\n'
        files["own"] = head + PLAYERS[n_players] + row["rules"]
    if "sibling" in row:
        files["sibling"] = HEAD + with_proof(row["sibling"])
    return Premise(rule, row["name"], row["by"], row["false"], files)


def with_proof(claim: str) -> str:
    for name, proof in WRITTEN.items():
        claim = claim.replace(name, proof)
    return claim


PREMISES = [
    read(data["rule"], row)
    for path in sorted(HERE.glob("*.toml"))
    if (data := tomllib.loads(path.read_text("utf-8")))
    for row in data.get("premise", ())
]
REFUSED = [
    read("refused", {**row, "by": row["words"]})
    for row in tomllib.loads((HERE / "refused.toml").read_text("utf-8"))["refusal"]
]
# The tests of a premise form a group: one process runs them, and proves their common obligations once.
ROWS = [
    pytest.param(p, id=f"{p.rule}: {p.name}", marks=pytest.mark.xdist_group(f"premise {i}"))
    for i, p in enumerate(PREMISES + REFUSED)
]
FALSE = pytest.mark.parametrize("premise", ROWS)
EACH = pytest.mark.parametrize("premise", ROWS[: len(PREMISES)])


def written(premise: Premise, folder: Path) -> Path:
    for name, text in premise.files.items():
        (folder / f"{name}.toml").write_text(text, "utf-8")
    return folder / "claim.toml"


def settled(path: Path, options: Options = QUICK) -> ClaimResult:
    with using_store(certificates()):  # certificates of obligations in shipped claims are reused
        return settle_whole(select((str(path),))[0], options)


@FALSE
@pytest.mark.slow
def test_the_claim_is_false_or_undefined_outside_its_scope(premise: Premise, tmp_path: Path) -> None:
    bounds: list[tuple[str, str]] = []
    for name, text in premise.false.items():
        heaps, _, size = text.partition(" of ")
        bounds += [(f"{name}.heaps", heaps), (f"{name}.size", size)] if size else [(name, text)]
    found = settled(written(premise, tmp_path), replace(QUICK, overrides=tuple(bounds), routes=("exhaustive",)))
    assert found.verdict in (Verdict.REFUTED, Verdict.ERROR), found.finding.not_established
    if found.verdict is Verdict.ERROR:
        assert "ill-defined" in found.finding.error or "does not decrease the" in found.finding.error


@EACH
def test_the_premise_stops_it(premise: Premise, tmp_path: Path) -> None:
    found = settled(written(premise, tmp_path))
    failed = [o.name for o in found.finding.obligations if o.result != "proved"]
    assert [name for name in failed if premise.by in name] == failed != [], found.finding.not_established
    if found.verdict is Verdict.REFUTED:  # at the values at which the obligation fails, outside the scope
        assert is_refuted_by_proof(found.finding.evidence.answers)
        return
    if found.verdict is Verdict.ERROR:
        assert "ill-defined at " in found.finding.error and premise.by in found.finding.not_established
        return
    assert found.verdict is Verdict.INCONCLUSIVE, found.finding.error
    (hint,) = found.presentation.hints
    assert hint.startswith(f"{failed[0]}: "), "the obligation is of no kind"


@EACH
@pytest.mark.slow
def test_without_the_premise_it_would_be_proved(
    premise: Premise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = proving.discharge

    def forgetful(sequent: Sequent, *rest: Any) -> Obligation:
        return Obligation(sequent.name, ObligationStatus.PROVED) if premise.by in sequent.name else ask(sequent, *rest)

    monkeypatch.setattr(proving, "discharge", forgetful)
    found = settled(written(premise, tmp_path))
    assert found.verdict is Verdict.PROVED, found.finding.not_established or found.finding.error


@pytest.mark.parametrize("refused", [pytest.param(p, id=p.name) for p in REFUSED])
def test_what_a_rule_cannot_read_it_refuses(refused: Premise, tmp_path: Path) -> None:
    found = settled(written(refused, tmp_path))
    assert found.verdict is Verdict.INCONCLUSIVE, found.finding.error
    assert refused.by in found.finding.not_established
    assert found.presentation.hints
    assert all(o.result == "proved" for o in found.finding.obligations)


# -- every premise has a claim ----------------------------------------------------------------------------------------
ANY_FUNCTION = "a term without a value is read as one that has a value, whichever that is: what is shown holds of each"
IMPLIED = {
    ("few heaps", "the claim's positions have few heaps"): "*claim* knows who wins of so many heaps alone",
    ("value", "the formula is defined"): ANY_FUNCTION,
    ("value", "range"): "it follows from *empty* where nobody can move, elsewhere from *options cover* and *attains*",
    ("equal games", "the region is defined: …"): ANY_FUNCTION,
    ("equal games", "sizes"): "its moves are on one heap: *measure* says that they leave less",
    ("equal games", "pick …: a 1 there is one of a heap"): "it picks no heap",
    ("definition", "pick …: a 1 there is one of a heap"): "posed as in proofs by folds, and shown there",
}
"""By rule and kind: why no false claim is stopped by this kind of obligation alone."""


def of_kind(by: str, kinds: Iterable[ObligationKind]) -> ObligationKind:
    """Return the kind of an obligation with these words in its name: the kind whose name shares most of them."""

    def common(kind: ObligationKind) -> tuple[int, int]:
        parts = [text.strip(" :'") for text, *_ in string.Formatter().parse(kind.called)]
        return sum(min(len(x), len(by)) for x in parts if x in by or by in x), -sum(map(len, parts))

    return max(kinds, key=common)


def without_claim() -> Iterator[tuple[str, str]]:
    """Yield the kinds of obligations, by rule, that no row names, except kinds that no file could make false."""
    for name, rule in RULES.items():
        rows = [p.by for p in PREMISES if p.rule.removesuffix(", several heaps") == name]
        found = {of_kind(by, rule.kinds) for by in rows}
        yield from ((name, kind.row) for kind in rule.kinds if kind not in found and kind.change != FAULT)


def test_each_kind_of_obligation_has_a_false_claim_that_it_alone_stops() -> None:
    assert set(without_claim()) == IMPLIED.keys()
