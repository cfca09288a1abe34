"""The range of a proof and its trusted parts, by rule; it is a proof only if every obligation is proved."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from library import POSED, claim_of, posed
from proofs import FOLDS, LIBRARY, written

from claims.language.files.claim import Claim
from encoders.logic.answer import Decision, Obligation, ObligationStatus
from encoders.logic.sequents import ONE, ZERO, Sequent, Symbols, at_least
from encoders.proving import prove as proving
from encoders.proving.prove import prove
from encoders.proving.reading import Prover, load_claim
from encoders.proving.registry import RULES
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofCoverage, ProofServices
from encoders.rules.folds.rule import FoldsRule
from encoders.solvers.effort import USUAL, Effort
from encoders.trust import All, Below, TrustedRule, list_trusted

TOP_BIT, COUNTED, LARGEST = "pick: top bit", "pick: a heap with the counted property", "pick: the largest heap"
FOLD, OUTCOME, ONE_HEAP, SUMS, CASES, VALUES, DEFINITION = (
    f"rule: {words} (docs/proof-rules.md)"
    for words in (
        "folds",
        "outcome, by induction on the measure",
        "Grundy values of one heap",
        "sums of heaps",
        "cases",
        "n-player values by the least option",
        "what winning and values mean, at one position",
    )
)
SIZES = Below(62)


@POSED
@pytest.mark.parametrize(
    ("id", "rule", "names", "trusted"),
    [
        ("nim/bouton", "folds", "s.heaps s.size", {FOLD, OUTCOME, TOP_BIT}),
        ("nim/reachability", "folds", "s.heaps s.size", {FOLD, TOP_BIT}),
        ("nim/zero-sum-moves", "folds", "s.heaps s.size", {FOLD}),
        ("nim/misere", "folds", "s.heaps s.size", {FOLD, OUTCOME, TOP_BIT, COUNTED}),
        ("kl-nim/lemma-13-two-heaps", "folds", "k l a", {FOLD}),  # its heaps are treated one by one
        ("bash-nim/lemma-2-top-bit", "folds", "k s.heaps s.size", {FOLD, TOP_BIT, COUNTED}),
        ("bash-nim/grundy", "grundy", "k h", {ONE_HEAP}),
        ("bash-nim/theorem", "grundy", "k s.heaps s.size", {ONE_HEAP, SUMS, TOP_BIT}),
        ("large-nim/theorem-1", "value", "n s.heaps s.size", {VALUES, LARGEST}),
        (
            "kl-nim/complete-solution",
            "cases",
            "k l s.heaps s.size",
            {CASES, FOLD, DEFINITION, OUTCOME, TOP_BIT, COUNTED, ONE_HEAP, SUMS},
        ),
    ],
)
def test_what_a_proof_covers_and_trusts(id: str, rule: str, names: str, trusted: set[str]) -> None:
    claim, prover = claim_of(id), Prover()
    found = prover.rule_of(claim).coverage(claim, prover)
    assert prover.rule_of(claim).name == rule
    assert dict(found.proved) == dict.fromkeys(names.split(), All())
    reasons = {reason for x in posed(id) for reason in x.by}
    assert set(list_trusted(found.trusted.union(*(reason.trusted for reason in reasons)))) == trusted
    assert found.below is None


def test_what_the_obligations_assume_is_trusted_by_whoever_proves_them() -> None:
    claim = load_claim(LIBRARY / "nim/bouton.toml", "nim/bouton")
    assert {FOLD, OUTCOME, TOP_BIT} == set(list_trusted(prove(claim).trusted))


@pytest.mark.parametrize(
    ("id", "proved"),
    [
        ("nim/bouton", {"s.heaps": All(), "s.size": SIZES}),
        ("nim/reachability", {"s.heaps": All(), "s.size": SIZES}),
        ("kl-nim/theorem-14", {"k": SIZES, "l": SIZES, "s.heaps": All(), "s.size": SIZES}),
    ],
)
def test_what_a_proof_with_a_bound_covers(tmp_path: Path, id: str, proved: dict[str, All | Below]) -> None:
    claim = bounded(tmp_path, id)
    found = Prover().rule_of(claim).coverage(claim, Prover())
    assert dict(found.proved) == proved
    assert found.below == 1 << 62


def bounded(folder: Path, id: str) -> Claim:
    """Return the claim of the library, with a bound in its proof."""
    text = (LIBRARY / f"{id}.toml").read_text("utf-8")
    file = folder / "bounded.toml"
    file.write_text(text.replace("[proof]\n", '[proof]\nsizes = "< 2^62"\n'), "utf-8")
    return load_claim(file, "bounded")


# -- the route --------------------------------------------------------------------------------------------------------
class Scripted(FoldsRule):
    """A rule with this many obligations, after which it stops or raises an error."""

    name = "scripted"
    reached = ProofCoverage((("k", Below(8)),), frozenset({TrustedRule("scripted")}), 256)

    def __init__(self, obligations: int, refuses: str = "", in_reach: bool = False) -> None:
        self.count, self.refuses, self.in_reach = obligations, refuses, in_reach

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        for number in range(self.count):
            yield Symbols().sequent(f"o{number}", (), at_least(ONE, ZERO))
        if self.refuses:
            raise Unsupported(self.refuses)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        if self.in_reach:
            raise Unsupported("no reach")
        return self.reached


class Discharging:
    """A decision procedure with scripted results, which records the seconds that each obligation gets."""

    def __init__(self, *results: ObligationStatus) -> None:
        self.results, self.left = list(results), list[float | None]()

    def __call__(self, sequent: Sequent, effort: Effort, seconds: float | None) -> Obligation:
        self.left.append(seconds)
        solvers = ("Z3", "cvc5") if effort.second else ("Z3",)
        return Obligation(sequent.name, self.results.pop(0), "so", solvers=solvers)


PROVED, FAILED, UNKNOWN, DISAGREE = (
    ObligationStatus.PROVED,
    ObligationStatus.FAILED,
    ObligationStatus.UNKNOWN,
    ObligationStatus.CONTRADICTION,
)


@pytest.mark.parametrize(
    ("rule", "results", "answer", "detail", "asked"),
    [
        (Scripted(0), [], Decision.UNKNOWN, "the proof rule states no obligations", 0),
        (Scripted(2), [PROVED, PROVED], Decision.HOLDS, "", 2),
        (Scripted(2), [PROVED, FAILED], Decision.UNKNOWN, "o1: so", 2),
        (Scripted(2), [FAILED, PROVED], Decision.UNKNOWN, "o0: so", 1),
        (Scripted(2), [UNKNOWN, PROVED], Decision.UNKNOWN, "o0: so", 1),
        (Scripted(2), [DISAGREE, PROVED], Decision.CONTRADICTION, "o0: so", 1),
        (Scripted(1, "no more"), [PROVED], Decision.UNSUPPORTED, "no more", 1),
        (Scripted(1, in_reach=True), [PROVED], Decision.UNSUPPORTED, "no reach", 0),
    ],
)
def test_a_claim_holds_only_if_every_obligation_is_discharged(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rule: Scripted,
    results: list[ObligationStatus],
    answer: Decision,
    detail: str,
    asked: int,
) -> None:
    claim = written(tmp_path, FOLDS, "len(s) >= 0")
    discharging = Discharging(*results)
    monkeypatch.setitem(RULES, "folds", rule)
    monkeypatch.setattr(proving, "discharge", discharging)
    found = prove(claim, 100.0)
    assert (found.decision, found.detail, len(found.obligations)) == (answer, detail, asked)
    assert all(left is not None and left <= 100 for left in discharging.left)
    if not rule.in_reach:
        assert (found.encoder, found.reach.limits, found.reach.below) == ("scripted", rule.reached.proved, 256)
        asked_of = ("Z3",) if asked else ()
        assert list_trusted(found.trusted) == (*asked_of, "rule: scripted (docs/proof-rules.md)")


def test_who_says_so_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = written(tmp_path, FOLDS, "len(s) >= 0")
    monkeypatch.setitem(RULES, "folds", Scripted(1))
    discharging = Discharging(PROVED, PROVED)
    monkeypatch.setattr(proving, "discharge", discharging)
    assert "cvc5" not in list_trusted(prove(claim).trusted)
    assert {"Z3", "cvc5"} <= set(list_trusted(prove(claim, effort=Effort(USUAL.steps, second=True)).trusted))
    assert discharging.left == [None, None]


def test_a_proof_writes_down_no_position(tmp_path: Path) -> None:
    """Assumptions about a literal position need side conditions, and a proof states none for its own positions."""
    facts = '[proof.folds]\nX = "nim_sum(s)"\n[proof.facts]\n"f" = "{}"\n'
    found = prove(written(tmp_path, FOLDS + facts.format("X >= 0 or nim_sum(position([k])) == k"), "len(s) >= 0"))
    assert found.decision is Decision.UNSUPPORTED
    assert "position([k]) in a proof: only the claim may contain an explicit position" in found.detail
    assert prove(written(tmp_path, FOLDS + facts.format("X >= 0"), "len(s) >= 0")).decision is Decision.HOLDS


# -- as a lemma -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("reach", "bound"),
    [
        (ProofCoverage((("k", All()),)), None),
        (ProofCoverage((("k", All()), ("s.size", SIZES))), 1 << 62),
        (ProofCoverage((("k", Below(9)), ("s.size", SIZES)), below=1 << 20), 1 << 9),
        (ProofCoverage((("s.size", SIZES),), below=1 << 20), 1 << 20),
    ],
)
def test_the_least_bound_of_a_reach(reach: ProofCoverage, bound: int | None) -> None:
    assert reach.bound == bound


def test_a_lemma_is_bounded_by_what_its_rule_covers_in_whatever_words(tmp_path: Path) -> None:
    """The rule of cases covers what all its cases cover."""
    bounded(tmp_path, "nim/bouton")
    text = (LIBRARY / "nim" / "bouton.toml").read_text("utf-8").partition("[proof]")[0]
    cases = '[[proof.cases]]\nwhen = "0 == 0"\nfrom = "bounded"\n'
    (tmp_path / "lemma.toml").write_text(text + cases, "utf-8")
    proof = FOLDS.split("[proof]")[0] + '[proof]\nby = ["lemma"]\n'
    claim = written(tmp_path, proof, "wins(s) == (nim_sum(s) != 0)", game='ruleset = "nim"')
    with pytest.raises(Unsupported, match=r"the lemma lemma is proved below 2\^62 only"):
        list(RULES["folds"].obligations(claim, Prover()))


def test_a_lemma_whose_proof_is_not_followed_is_named(tmp_path: Path) -> None:
    (tmp_path / "lemma.toml").write_text(
        (LIBRARY / "nim" / "bouton.toml").read_text("utf-8").replace("[proof.loses]\nmover", "[proof.facts]\nmover"),
        "utf-8",
    )
    claim = written(tmp_path, FOLDS + 'by = ["lemma"]\n', "len(s) == len(s)", game='ruleset = "nim"')
    with pytest.raises(Unsupported, match="the lemma lemma: the claim mentions who wins"):
        list(RULES["folds"].obligations(claim, Prover()))
