"""Hints for a claim that is not proved, with or without a [proof]."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import settling
from library import ENTRIES, WITH_PROOF, load_once
from proofs import ANY, FEW, LIBRARY, NIM, QUICK, settle_changed, written
from samples import BARE, alter

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.presentation import hints as hinting
from checks.presentation import mathematics
from checks.presentation.hints import REFUSED, REFUSED_PROOF, give_hints
from checks.results.model import OPEN, ClaimResult, RouteRecord, SettledLemma
from checks.results.verdicts import Verdict
from checks.results.wording import describe_open
from claims.language.files.claim import Claim
from claims.language.files.library import Entry, list_library, select
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.terms import BOOL, INT
from encoders.compute.arrays.beyond_scope import HeapsAlone
from encoders.compute.arrays.values import Array
from encoders.logic.answer import Decision, RouteResult
from encoders.logic.sequents import Hypothesis, Sequent, Symbol
from encoders.proving.reading import load_claim, rule_name
from encoders.proving.registry import RULES
from encoders.proving.suggestions import list_unrelated, suggest
from encoders.refusals import Unsupported
from encoders.rules.base.rule import FEW_HEAPS, MANY_HEAPS
from encoders.rules.periodic.finding import find_table
from encoders.solvers import automaton as rounds
from encoders.solvers import discharge as discharging
from encoders.solvers.discharge import discharge
from encoders.trust import OpenReason

PROVED = [ENTRIES[id] for id in WITH_PROOF]
UNTOLD = {
    "heaps/misere-kayles": "the form of the claim does not determine the rule: its quotient is not that of misère Nim",
    "heaps/octal-127": "its values repeat only after more heaps than a search for a hint computes",
    "heaps/octal-16": "its values repeat only after more heaps than a search for a hint computes",
}


def load(entry: Entry) -> Claim:
    return load_once(entry.path, entry.id)


def unproved(claim: Claim, path: Path) -> tuple[str, ...]:
    """Return the hints for the claim without its [proof]."""
    return give_hints(replace(claim, proof=None), path, replace(BARE, verdict=Verdict.VERIFIED))


APERIODIC = """
ruleset = "octal(code = '0.06')"
[forall]
n = "1.."
[claim]
then = "grundy(position([n])) < 100"
[scope]
n = "1..300"
"""


@pytest.fixture
def solved_heaps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list to which each computation of the values of single heaps for a proof adds the largest heap."""
    sizes, solve = list[int](), HeapsAlone.solve

    def count(heaps: HeapsAlone, question: str, size: int) -> Array:
        sizes.append(size)
        return solve(heaps, question, size)

    monkeypatch.setattr(HeapsAlone, "solve", count)
    return sizes


def test_a_hint_searches_for_a_period_only_among_few_heaps(tmp_path: Path, solved_heaps: list[int]) -> None:
    """The values of 0.06 are not known to repeat, so a search without this limit would use the whole budget."""
    settling.written(tmp_path, APERIODIC)
    result = settle_entry(Entry("own", tmp_path / "claim.toml"), Options(routes=("exhaustive",)))
    assert result.verdict is Verdict.VERIFIED
    assert FEW_HEAPS / 4 < max(solved_heaps) <= FEW_HEAPS
    assert len(solved_heaps) < 20
    assert not any('rule = "periodic"' in hint for hint in result.presentation.hints)


def test_a_proof_searches_for_a_period_only_if_its_route_is_asked(tmp_path: Path, solved_heaps: list[int]) -> None:
    settling.written(tmp_path, APERIODIC + '[proof]\nrule = "periodic"\n')
    result = settle_entry(Entry("own", tmp_path / "claim.toml"), Options(routes=("exhaustive",)))
    assert (result.verdict, solved_heaps) == (Verdict.VERIFIED, [])


def test_a_search_for_a_period_without_result_is_not_repeated(tmp_path: Path, solved_heaps: list[int]) -> None:
    claim = settling.written(tmp_path, APERIODIC + '[proof]\nrule = "periodic"\n')
    for _ in range(2):
        with pytest.raises(Unsupported, match="no period found in the values of the heaps up to 1000"):
            find_table(claim, 1_000)
    assert len(solved_heaps) == len(set(solved_heaps)) > 0


@pytest.mark.parametrize(("answer", "most"), [(Decision.UNKNOWN, FEW_HEAPS), (Decision.UNSUPPORTED, MANY_HEAPS)])
def test_the_report_continues_no_search_for_a_period_that_was_interrupted(
    tmp_path: Path, answer: Decision, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list[int]()
    monkeypatch.setattr(mathematics, "show_proof", lambda claim, tried, most_heaps: shown.append(most_heaps))
    claim = settling.written(tmp_path, APERIODIC + '[proof]\nrule = "periodic"\n')
    settling.settled(claim, prover=lambda *_: RouteResult("periodic", answer))
    assert shown == [most]


def copy_of_nim(folder: Path, *names: str) -> Path:
    """Return a folder with these claims of nim."""
    (copied := folder / "nim").mkdir()
    for name in names:
        shutil.copy(LIBRARY / "nim" / f"{name}.toml", copied)
    return copied


@pytest.mark.parametrize("entry", PROVED, ids=lambda e: e.id)
@pytest.mark.slow
def test_a_shipped_claim_without_its_proof_is_told_the_rule_of_that(entry: Entry) -> None:
    """The hints also name the lemmas in its file; with lemmas, they repeat none of them. No claim gets all rules."""
    claim = load(entry)
    hints = unproved(claim, entry.path)
    assert len(hints) <= 4
    offered = next((x for x in hints if "lemmas: by = " in x), "")
    named = [name for name in RULES if any(f'rule = "{name}"' in hint for hint in hints)]
    told = rule_name(claim) in named or bool(claim.lemmas and offered)
    assert told is (entry.id not in UNTOLD), hints
    names = [f'"{lemma.path.stem}"' for lemma in claim.lemmas]
    assert all(name in offered for name in names), hints
    if names:
        with_them = " ".join(hinting.suggest_proofs(claim, entry.path, rule_name(claim)))
        assert not [name for name in names if name in with_them]


@pytest.mark.parametrize("entry", [e for e in ENTRIES.values() if e not in PROVED], ids=lambda e: e.id)
@pytest.mark.slow
def test_no_claim_without_a_proof_is_offered_all_rules(entry: Entry) -> None:
    assert len(unproved(load(entry), entry.path)) <= 4


# -- proofs that fail -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "name", "words"),
    [
        (('mover = "X == 0"', 'mover = "X <= 1"'), "closed", "calls lost to another. Look at the values"),
        (('when = "X != 0"', 'when = "X > 1"'), "cases cover", "another [[proof.moves]]"),
        (("h - (h ^ X)", "X"), "reply 1: legal", "Change `take`"),
    ],
)
def test_what_the_failing_obligation_asks_for(change: tuple[str, str], name: str, words: str, tmp_path: Path) -> None:
    found = settle_changed(tmp_path, "nim/bouton", change)
    assert found.verdict is Verdict.INCONCLUSIVE, found.finding.error
    (hint,) = found.presentation.hints
    assert hint.startswith(f"{name}: ") and words in hint, found.finding.not_established


@pytest.mark.slow
def test_in_a_case_it_is_the_rule_of_the_case_that_helps(tmp_path: Path) -> None:
    found = settle_changed(tmp_path, "kl-nim/complete-solution", ('from = "corollary-15"', 'from = "theorem-14"'))
    (hint,) = found.presentation.hints
    failed = next(o.name for o in found.finding.obligations if not o.proved)
    assert hint.startswith(f"{failed}: ") and failed.startswith("k > l: "), found.finding.not_established


@pytest.mark.slow
def test_a_search_that_gives_up_has_said_nothing_of_the_claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MOST_ROUNDS", 0)
    monkeypatch.setattr(discharging, "_proved", {})
    found = settle_changed(tmp_path, "nim/bouton", options=replace(QUICK, overrides=FEW), anew=True)
    assert found.presentation.hints and "The obligation may still hold" in found.presentation.hints[0], (
        found.finding.not_established
    )


def test_a_rule_that_cannot_read_the_claim_gives_way_to_others(tmp_path: Path) -> None:
    rule = 'rule = "value"\nregion = "True"\nvalue = "0"\n[[proof.options]]\nwhen = "True"\nbecomes = "0"'
    found = settle_changed(tmp_path, "nim/winning-moves", ('from = "bouton"', rule))
    assert found.presentation.hints[0] == REFUSED, found.finding.error or found.presentation.hints
    assert any('rule = "folds"' in hint for hint in found.presentation.hints[1:])
    assert not any('rule = "value"' in hint for hint in found.presentation.hints[1:])


@pytest.mark.slow
def test_where_the_rule_reads_the_claim_the_proof_is_at_fault(tmp_path: Path) -> None:
    number = ('X = "nim_sum(s)"', 'X = "nim_sum(s)"\nn = "len(s)"')
    found = settle_changed(tmp_path, "nim/bouton", number, ("top bit of X", "top bit of n"))
    assert "no heap can be chosen at the top bit of n, which is not a nim-sum" in found.finding.not_established
    assert found.presentation.hints[0] == REFUSED_PROOF
    assert not any('rule = "folds"' in hint for hint in found.presentation.hints[1:])


@pytest.mark.parametrize(("chosen", "offered"), [("any heap", True), ("a largest heap", False)])
def test_folds_are_offered_where_any_heap_is_split(chosen: str, offered: bool, tmp_path: Path) -> None:
    rules = NIM.replace("any heap", chosen).replace("1..h", "1..h - 1").replace('["h - m"]', '["m", "h - m"]')
    claim = written(tmp_path, ANY, "iff(wins(s), count(h % 2 == 0 for h in s) % 2 == 1)", rules=rules)
    assert ("folds" in {found.rule for found in suggest(claim, tmp_path / "claim.toml")}) == offered


@pytest.mark.slow
def test_a_lemma_about_another_game_is_said_to_be_one(tmp_path: Path) -> None:
    """It is loaded nevertheless, but does not apply."""
    change = ('mover = "X == 0"', 'mover = "X <= 1"')
    found = settle_changed(tmp_path, "nim/bouton", change, ('rule = "folds"', 'by = ["misere"]'))
    said = "misere is about misere-nim; it does not apply to this claim, which is about nim"
    assert found.presentation.hints[-1].endswith(said), found.presentation.hints


def test_no_lemma_of_a_shipped_claim_is_about_another_game() -> None:
    assert not [words for entry in PROVED for words in list_unrelated(load(entry))]


def test_a_proof_that_was_not_tried(tmp_path: Path) -> None:
    found = settle_changed(tmp_path, "nim/bouton", options=replace(QUICK, routes=("exhaustive",), overrides=FEW))
    assert found.verdict is Verdict.VERIFIED
    assert found.presentation.hints == ("the [proof] was not checked; run the claim without --route",)


@pytest.mark.parametrize("verdict", [None, *Verdict])
def test_every_lemma_that_does_not_stand_is_told_what_to_do(verdict: Verdict | None) -> None:
    lemma = SettledLemma("nim/bouton", "", verdict)
    entry = select(("nim/bouton",))[0]
    route = RouteRecord("folds", Decision.HOLDS, (), 0, 0.0, "")
    result = alter(BARE, verdict=Verdict.INCONCLUSIVE, routes=(route,), lemmas=(lemma,))
    (hint,) = give_hints(load(entry), entry.path, result)
    assert hint == f"{describe_open([lemma])}: {OPEN[verdict].words}"


@pytest.mark.parametrize(
    "hypotheses", [("x < 1", "x > 1"), ("x < 1", "")], ids=["each other", "with what the lemmas say"]
)
def test_hypotheses_that_contradict_something_are_told_what_to_do(hypotheses: tuple[str, str]) -> None:
    reader = Elaborator({"x": INT})
    known = tuple(Hypothesis(x, reader.term(x, BOOL)) for x in hypotheses if x)
    lemmas = () if len(known) > 1 else (("theorem", (reader.term("x > 1", BOOL),)),)
    sequent = Sequent("claim", (Symbol("x", INT),), (), reader.term("x == 7", BOOL), known, lemmas)
    found = discharge(sequent, QUICK.effort, None)
    assert (
        found.cause is (OpenReason.LEMMAS if lemmas else OpenReason.HYPOTHESES) and found.detail == found.cause.says()
    )


# -- settled claims, and faults ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("verdict", [v for v in Verdict if v not in (Verdict.VERIFIED, Verdict.INCONCLUSIVE)])
def test_what_is_settled_gets_no_hint(verdict: Verdict) -> None:
    entry = next(e for e in list_library() if e.id == "nim/last-move-only")
    claim = replace(load(entry), proof=None)
    assert give_hints(claim, entry.path, replace(BARE, verdict=Verdict.VERIFIED))
    assert give_hints(claim, entry.path, replace(BARE, verdict=verdict)) == ()


def test_a_fault_in_the_hints_leaves_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(claim: Claim, path: Path, result: ClaimResult) -> tuple[str, ...]:
        raise ValueError("on purpose")

    monkeypatch.setattr(hinting, "give_hints", fail)
    found = settle_entry(select(("nim/bouton",))[0], replace(QUICK, overrides=FEW, routes=("exhaustive",)))
    assert found.verdict is Verdict.VERIFIED and found.finding.error == ""
    assert "on purpose" in found.presentation.hints[0]


def test_a_broken_file_beside_the_claim_is_passed_over(tmp_path: Path) -> None:
    shutil.copytree(LIBRARY / "nim", tmp_path / "nim")
    for name, text in (("misere", "role = "), ("normal-theorem", 'role = "theorem"\n[proof]\n')):
        (tmp_path / "nim" / f"{name}.toml").write_text(text, "utf-8")
    path = tmp_path / "nim" / "two-heaps-equalise.toml"
    hints = unproved(load_claim(path, "nim/two-heaps-equalise"), path)
    assert 'by = ["bouton"]' in hints[0]


@pytest.mark.slow
def test_what_rests_on_the_claim_is_no_lemma_of_it(tmp_path: Path) -> None:
    folder = copy_of_nim(tmp_path, "misere", "bouton", "last-move-only")
    normal = folder / "bouton.toml"
    own = normal.read_text("utf-8").partition("[proof]")[0]
    (folder / "again.toml").write_text(f'{own}[proof]\nby = ["bouton"]\nsizes = "< 2^62"\n', "utf-8")
    assert not any("lemmas" in hint for hint in unproved(load_claim(normal, "nim/bouton"), normal))
    other = folder / "last-move-only.toml"
    assert 'by = ["misere", "again", "bouton"]' in unproved(load_claim(other, "nim/last-move-only"), other)[0]


@pytest.mark.slow
def test_the_bound_in_a_hint_is_the_least_of_the_lemmas(tmp_path: Path) -> None:
    folder = copy_of_nim(tmp_path, "misere", "bouton", "last-move-only")
    for name, bits in (("misere", 40), ("bouton", 50)):
        lemma = folder / f"{name}.toml"
        lemma.write_text(lemma.read_text("utf-8").replace('rule = "folds"', f'sizes = "< 2^{bits}"'), "utf-8")
    path = folder / "last-move-only.toml"
    hints = unproved(load_claim(path, "nim/last-move-only"), path)
    assert 'by = ["misere", "bouton"] and sizes = "< 2^40"' in hints[0]


@pytest.mark.slow
def test_a_theorem_whose_proof_fails_is_no_lemma(tmp_path: Path) -> None:
    """The same holds for "again", which rests on it."""
    folder = tmp_path / "nim"
    shutil.copytree(LIBRARY / "nim", folder)
    bouton, path = folder / "bouton.toml", folder / "two-heaps-equalise.toml"
    text = bouton.read_text("utf-8")
    (folder / "again.toml").write_text(f'{text.partition("[proof]")[0]}[proof]\nby = ["bouton"]\n', "utf-8")

    def offered() -> set[str]:
        hints = unproved(load_claim(path, "nim/two-heaps-equalise"), path)
        return {name for hint in hints for name in ("bouton", "again") if f'"{name}"' in hint}

    assert offered() == {"bouton", "again"}
    bouton.write_text(text.replace('mover = "X == 0"', 'mover = "X <= 1"'), "utf-8")
    assert not offered()


def test_a_refuted_claim_is_no_lemma(tmp_path: Path) -> None:
    shutil.copytree(LIBRARY / "nim", tmp_path / "nim")
    bouton = tmp_path / "nim" / "bouton.toml"
    bouton.write_text(bouton.read_text("utf-8").replace('expect = "holds"', 'expect = "refuted"'), "utf-8")
    path = tmp_path / "nim" / "two-heaps-equalise.toml"
    assert not any('"bouton"' in hint for hint in unproved(load_claim(path, "nim/two-heaps-equalise"), path))
