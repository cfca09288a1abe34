"""A claim that rests on lemmas is proved only if each of them is proved in the same run."""

import json
from collections.abc import Callable
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import run_within
from settling import FALSE, TRUE, put_claim, put_plain, settle_whole

from checks.execution.execute import execute
from checks.execution.queue import make_plan
from checks.execution.settle import settle_entry
from checks.judgement.conclusion import decide_verdict
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, Evidence, SettledLemma, least_bound, narrow_limits
from checks.results.verdicts import Verdict
from checks.results.wording import limit_texts
from claims.language.files.claim import Judgement
from claims.language.files.library import Entry, add_lemmas, list_lemmas
from encoders.logic.answer import Decision, ObligationStatus
from encoders.trust import All, Below

QUICK = Options()


@pytest.fixture
def mine(tmp_path: Path) -> Any:
    """Return the folder `mine`, next to the folder `other`, with their parent as the working directory."""
    with chdir(tmp_path):
        yield Path("mine")


def entry(path: Path) -> Entry:
    return Entry(path.as_posix().removesuffix(".toml"), path)


def settle(path: Path, options: Options = QUICK) -> ClaimResult:
    return settle_whole(entry(path), options)


# -- the verdict of a lemma and the claim -----------------------------------------------------------------------------
@pytest.mark.slow
def test_a_claim_is_proved_by_lemmas_that_are(mine: Path) -> None:
    put_claim(mine / "lemma.toml")
    found = settle(put_claim(mine / "a.toml", "lemma", "nim/bouton"))
    assert (found.verdict, found.finding.not_established) == (Verdict.PROVED, "heaps of s of 2^62 and more")
    assert [(x.id, x.verdict, x.is_usable) for x in found.finding.lemmas] == [
        ("mine/lemma", Verdict.PROVED, True),
        ("nim/bouton", Verdict.PROVED, True),
    ]
    assert found.statement.proof_uses == ("mine/lemma", "nim/bouton")


@pytest.mark.parametrize(
    ("then", "proof", "words"),
    [
        (FALSE, "", "which is refuted: nothing follows from it"),
        (TRUE, "", "which is verified only"),
        (TRUE, '[proof]\nsizes = "< 2^62"\n[proof.folds]\nX = "nim_sum(s)"\n', "which is inconclusive"),
        ('wins(s)"\nif = "len(s) > 9', "", "which is vacuous: no case was checked"),
        ("1 // len(s) == 1", "", "which is without a verdict: it cannot be read or evaluated"),
    ],
)
def test_a_lemma_that_is_not_proved_proves_nothing(mine: Path, then: str, proof: str, words: str) -> None:
    put_plain(mine / "lemma.toml", then, proof)
    found = settle(put_claim(mine / "a.toml", "lemma"))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.finding.not_established.startswith(f"a proof, since it rests on mine/lemma, {words}; ")
    assert found.finding.not_established.endswith(
        "; in the scope (s: at most 2 heaps of 1..3) no counterexample was found"
    )
    assert all(o.proved for o in found.finding.obligations), "its own proof is whole"


def test_a_refuted_lemma_is_told_first(mine: Path) -> None:
    put_plain(mine / "open.toml")
    put_plain(mine / "wrong.toml", FALSE)
    found = settle(put_claim(mine / "a.toml", "open", "wrong"))
    assert "since it rests on mine/wrong, which is refuted: nothing follows from it; rests on mine/open, " in (
        found.finding.not_established
    )


def test_what_rests_on_what_is_not_proved_is_not_proved(mine: Path) -> None:
    put_plain(mine / "wrong.toml", FALSE)
    put_claim(mine / "second.toml", "wrong")
    found = settle(put_claim(mine / "first.toml", "second"))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "rests on mine/second, which is inconclusive" in found.finding.not_established


@pytest.mark.slow
def test_lemmas_of_a_proof_that_is_taken_over_count(mine: Path) -> None:
    put_plain(mine / "wrong.toml", FALSE)
    put_claim(mine / "source.toml", "wrong")
    whole = put_plain(mine / "whole.toml", proof='[proof]\nfrom = "source"\n')
    cases = put_plain(mine / "cases.toml", proof='[[proof.cases]]\nwhen = "1 > 0"\nfrom = "source"\n')
    for path, taken in ((whole, "mine/source"), (cases, "mine/source")):
        found = settle(path)
        assert found.verdict is Verdict.INCONCLUSIVE
        assert "rests on mine/wrong, which is refuted" in found.finding.not_established
        assert found.statement.proof_uses == (taken, "mine/wrong")


def test_a_false_claim_by_a_false_lemma_is_refuted_and_no_contradiction(mine: Path) -> None:
    """A proof from a false lemma is not a proof, so nothing contradicts the scope."""
    lost = '[proof]\nsizes = "< 2^62"\nby = ["wrong"]\n'
    put_plain(mine / "wrong.toml", FALSE)
    found = settle(put_plain(mine / "a.toml", FALSE, lost))
    assert found.verdict is Verdict.REFUTED
    assert found.finding.routes[-1].answer == "holds", "the obligations follow from the lemma"


def test_without_its_lemmas_settled_a_claim_is_not_proved(mine: Path) -> None:
    put_claim(mine / "lemma.toml")
    alone = entry(put_claim(mine / "a.toml", "lemma"))
    for found in (settle_entry(alone, QUICK), execute((alone,), QUICK, 1, lambda *_: None).results[0]):
        assert found.verdict is Verdict.INCONCLUSIVE
        assert "rests on mine/lemma, which is not settled in this run" in found.finding.not_established


def test_a_lemma_that_changed_meanwhile_was_not_settled(mine: Path) -> None:
    lemma, claim = put_claim(mine / "lemma.toml"), put_claim(mine / "a.toml", "lemma")
    settled = {entry(lemma).file: settle_entry(entry(lemma), QUICK).as_lemma}
    assert settle_entry(entry(claim), QUICK, settled).verdict is Verdict.PROVED
    put_claim(mine / "lemma.toml", then="nim_sum(s) >= 0")
    found = settle_entry(entry(claim), QUICK, settled)
    assert (found.verdict, found.finding.lemmas[0].verdict) == (Verdict.INCONCLUSIVE, None)


def test_a_lemma_whose_proof_was_not_asked_does_not_stand(mine: Path) -> None:
    """The facts of its [proof] are used; evaluating the lemma at every case of a finite domain does not show them."""
    path = put_claim(mine / "lemma.toml", then="n > 0")
    text = path.read_text("utf-8").replace('s = "position"', "n = { in = [1, 2] }")
    path.write_text(text.replace('s = { heaps = "0..2", size = "1..3" }\n', ""), "utf-8")
    found = settle(put_claim(mine / "a.toml", "lemma"))
    assert found.finding.lemmas[0].verdict is Verdict.PROVED
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "rests on mine/lemma, which is proved, but not by its [proof]" in found.finding.not_established


def test_only_the_routes_that_were_asked_for_prove_a_lemma(mine: Path) -> None:
    put_claim(mine / "lemma.toml")
    path = put_claim(mine / "a.toml", "lemma")
    assert settle(path, replace(QUICK, routes=("exhaustive",))).verdict is Verdict.VERIFIED
    assert settle(path, replace(QUICK, routes=("exhaustive",))).finding.lemmas == ()
    assert settle(path, replace(QUICK, routes=("folds",))).verdict is Verdict.PROVED


# -- its range --------------------------------------------------------------------------------------------------------
FAR = SettledLemma("a", "", Verdict.PROVED, True, (("s.heaps", All()), ("s.size", All())))
NEAR = SettledLemma("b", "", Verdict.PROVED, True, (("s.heaps", All()), ("k", Below(20))), 1 << 30, ("Fermat",))


def test_a_proof_reaches_no_further_than_its_lemmas() -> None:
    limits = (("k", All()), ("s.heaps", All()), ("s.size", Below(62)))
    assert narrow_limits(limits, [FAR]) == limits
    assert limit_texts(narrow_limits(limits, [FAR, NEAR])) == {"k": "< 2^20", "s.heaps": "all", "s.size": "< 2^20"}
    bounded = replace(FAR, below=1 << 9)
    assert limit_texts(narrow_limits(limits, [bounded])) == {"k": "< 2^9", "s.heaps": "all", "s.size": "< 2^9"}
    few = replace(FAR, scope=(("s.heaps", Below(3)),))
    assert limit_texts(narrow_limits(limits, [few])) == {"k": "all", "s.heaps": "< 2^3", "s.size": "< 2^62"}
    assert [least_bound(x, [FAR, NEAR]) for x in (None, 7, 1 << 40)] == [1 << 30, 7, 1 << 30]
    assert least_bound(None, [FAR]) is None


def test_bounds_and_trust_of_lemmas_are_those_of_the_claim(mine: Path) -> None:
    lemma, claim = put_claim(mine / "lemma.toml"), put_claim(mine / "a.toml", "lemma")
    found = settle_entry(entry(lemma), QUICK).as_lemma
    settled = {entry(lemma).file: replace(found, scope=NEAR.scope, below=1 << 30, trusted=("Fermat",))}
    result = settle_entry(entry(claim), QUICK, settled)
    assert (result.verdict, limit_texts(result.finding.scope)) == (
        Verdict.PROVED,
        {"s.heaps": "all", "s.size": "< 2^20"},
    )
    assert result.finding.routes[-1].below == 1 << 30
    assert "Fermat" in result.finding.trusted
    assert result.finding.not_established == "heaps of s of 2^20 and more"


def test_a_lemma_that_is_not_needed_is_named(mine: Path) -> None:
    put_claim(mine / "lemma.toml")
    found = settle(put_claim(mine / "a.toml", "lemma"))
    assert found.finding.routes[-1].detail.endswith(" obligations discharged; does not need the lemma mine/lemma")
    used = settle(put_plain(mine / "b.toml", proof='[proof]\nsizes = "< 2^62"\nby = ["lemma"]\n'))
    assert used.verdict is Verdict.PROVED
    assert used.finding.routes[-1].detail.endswith(" obligations discharged")


@pytest.mark.parametrize(
    ("lemmas", "verdict"),
    [((), Verdict.PROVED), ((True, True), Verdict.PROVED), ((True, False), Verdict.INCONCLUSIVE)],
)
def test_a_verdict_by_lemmas(lemmas: tuple[bool, ...], verdict: Verdict) -> None:
    answers = (("exhaustive", Decision.HOLDS), ("folds", Decision.HOLDS))
    evidence = Evidence("forall", False, answers, 9, 9, 9, obligations=(ObligationStatus.PROVED,), lemmas=lemmas)
    assert decide_verdict(evidence) is verdict
    refuted = replace(evidence, answers=(("exhaustive", Decision.FAILS), answers[1]))
    against = decide_verdict(replace(refuted, replays=((Judgement.FAILS, Judgement.FAILS),)))
    assert against is (Verdict.REFUTED if False in lemmas else Verdict.INCONSISTENT)


# -- the order of a run -----------------------------------------------------------------------------------------------
def in_circle(mine: Path) -> tuple[Entry, ...]:
    return tuple(entry(put_claim(mine / f"{a}.toml", b)) for a, b in ("ab", "bc", "ca"))


def test_a_run_settles_lemmas_that_nobody_asked_for(mine: Path) -> None:
    put_claim(mine / "third.toml")
    put_claim(Path("other") / "second.toml", "mine/third", "nim/bouton")
    first = entry(put_claim(mine / "first.toml", "other/second"))
    found = add_lemmas((first,))
    assert [e.id for e in found] == ["mine/first", "other/second", "mine/third", "nim/bouton"]
    assert [e.id for e in add_lemmas(found)] == [e.id for e in found]
    assert [e.id for e in add_lemmas(found[::-1])] == [e.id for e in found[::-1]]
    assert [e.id for e in list_lemmas(found[1])] == ["mine/third", "nim/bouton"]


def test_lemmas_come_first_and_everything_else_as_it_stands(mine: Path) -> None:
    named = {"e": "", "a": "cd", "b": "", "c": "d", "d": ""}
    entries = [entry(put_claim(mine / f"{name}.toml", *by)) for name, by in named.items()]
    plan = make_plan(entries)
    assert [entries[n].id[-1] for n in plan.order] == ["e", "d", "c", "a", "b"]
    assert plan.lemmas == ((), (3, 4), (), (4,), ())
    assert plan.choose([1, 2], {}, False) == 2
    assert plan.choose([1], {}, True) is None
    assert plan.choose([1], {}, False) == 1, "nothing runs that could settle its lemmas"
    assert plan.choose([], {}, False) is None


@pytest.mark.slow
def test_claims_in_a_circle_are_refused_each_with_the_whole_circle(mine: Path) -> None:
    entries = in_circle(mine)
    assert sorted(make_plan(entries).order) == [0, 1, 2]
    for jobs in (1, 2):
        for result in execute(entries, QUICK, jobs, lambda *_: None).results:
            assert result.verdict is Verdict.ERROR
            assert "circular argument: " in result.finding.error
            assert all(f"mine/{name}" in result.finding.error.splitlines()[0] for name in "abc")


@pytest.mark.slow
def test_lemmas_are_settled_before_what_rests_on_them_in_any_process(mine: Path) -> None:
    names = [("a", ["b", "c"]), ("b", ["c"]), ("c", []), ("d", ["wrong"])]
    entries = [entry(put_claim(mine / f"{name}.toml", *by)) for name, by in names]
    entries.append(entry(put_plain(mine / "wrong.toml", FALSE)))
    order: list[int] = []
    done = execute(entries, QUICK, 2, lambda number, _: order.append(number))
    assert [r.verdict.value for r in done.results] == ["proved", "proved", "proved", "inconclusive", "refuted"]
    assert order.index(2) < order.index(1) < order.index(0)
    assert order.index(4) < order.index(3)


def test_an_interrupted_lemma_proves_nothing(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_claim(mine / "lemma.toml")
    entries = add_lemmas((entry(put_claim(mine / "a.toml", "lemma")),))

    def interrupted(*_: object) -> ClaimResult:
        raise KeyboardInterrupt

    monkeypatch.setattr("checks.execution.settle.settle_entry", interrupted)
    done = execute(entries, QUICK, 1, lambda *_: None)
    assert done.interrupted
    assert [r.verdict for r in done.results] == [Verdict.INCONCLUSIVE] * 2


@pytest.mark.parametrize("error", [MemoryError(), ZeroDivisionError("oops")])
def test_a_lemma_that_dies_proves_nothing(mine: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    put_claim(mine / "lemma.toml")
    settled: Callable[..., ClaimResult] = settle_entry

    def dying(one: Entry, *others: Any) -> ClaimResult:
        if one.id == "mine/lemma":
            raise error
        return settled(one, *others)

    monkeypatch.setattr("checks.execution.settle.settle_entry", dying)
    entries = add_lemmas((entry(put_claim(mine / "a.toml", "lemma")),))
    found = execute(entries, QUICK, 1, lambda *_: None).results[0]
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "rests on mine/lemma, which" in found.finding.not_established


# -- the report -------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_run_tells_of_the_lemmas_that_it_settles_as_well(mine: Path) -> None:
    put_claim(mine / "lemma.toml")
    put_plain(mine / "wrong.toml", FALSE)
    put_claim(mine / "a.toml", "lemma", "nim/bouton")
    put_claim(mine / "b.toml", "wrong")
    here = Path.cwd()
    done = run_within("run", "mine/a.toml", "--jobs", "1", "--report", "out", cwd=here)
    assert done.stdout.splitlines()[0] == "also settled, as lemmas: mine/lemma, nim/bouton"
    assert done.returncode == 0
    assert "3 claims: 3 proved" in done.stdout
    assert (here / "out" / "receipts" / "nim" / "bouton.json").is_file()
    done = run_within("run", "mine/a.toml", "mine/lemma.toml", "nim/bouton", "--report", "out", cwd=here)
    assert "also settled" not in done.stdout
    done = run_within("run", "mine/b.toml", "--jobs", "1", "--report", "out", cwd=here)
    assert done.returncode == 3
    assert "rests on mine/wrong, which is refuted: nothing follows from it" in done.stdout


@pytest.mark.slow
def test_reports_say_what_was_found_of_lemmas(mine: Path) -> None:
    put_plain(mine / "wrong.toml", FALSE)
    put_claim(mine / "right.toml")
    put_claim(mine / "a.toml", "wrong", "right")
    put_claim(mine / "b.toml", "right")
    run_within("run", "mine/a.toml", "mine/b.toml", "--jobs", "1", "--report", "out", cwd=Path.cwd())
    data = {claim["id"]: claim for claim in json.loads(Path("out/report.json").read_text("utf-8"))["claims"]}
    assert data["mine/a"]["lemmas"] == [
        {"claim": "mine/wrong", "verdict": "refuted", "needed": False},
        {"claim": "mine/right", "verdict": "proved", "needed": False},
    ]
    assert data["mine/right"]["lemmas"] == []
    told = Path("out/report.md").read_text("utf-8")
    wrong = "`mine/wrong` (refuted: nothing follows from it; not needed)"
    found = f"- our proof uses {wrong}, `mine/right` (proved; not needed)"
    assert found in told
    page = Path("out/index.html").read_text("utf-8")
    assert "<code>mine/wrong</code> is refuted: nothing follows from it; not needed" in page
    assert "our proof uses" in page


def test_a_claim_is_shown_with_its_lemmas() -> None:
    lines = run_within("show", "nim/last-move-only").stdout.splitlines()
    assert "our proof uses as lemmas: nim/bouton, nim/misere" in lines
    assert not [line for line in lines if line.startswith("our proof includes")]


def test_overrides_are_for_the_claims_that_were_asked_for(mine: Path) -> None:
    put_claim(mine / "lemma.toml")
    put_claim(mine / "a.toml", "lemma")
    done = run_within("run", "mine/a.toml", "--set", "s.heaps=0..1", "--report", "out", cwd=Path.cwd())
    assert done.returncode == 0
    done = run_within("run", "mine/a.toml", "--set", "n=0..1", "--report", "out", cwd=Path.cwd())
    assert (done.returncode, "none of the claims has a variable 'n'" in done.stderr) == (2, True)


@pytest.mark.slow
def test_mutants_of_a_claim_that_rests_on_another(mine: Path) -> None:
    put_claim(mine / "lemma.toml")
    found = settle(put_claim(mine / "a.toml", "lemma"), replace(QUICK, mutants=True))
    assert found.verdict is Verdict.PROVED
    assert found.finding.mutants
