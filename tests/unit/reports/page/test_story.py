"""The story on the front page follows from the verdicts, and claims no more."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape

import pytest
from samples import BOUTON, CALM, COMPUTED, LEMMA_11, RUN, alter

from checks.command.run import RunOutcome
from checks.command.screen import print_summary
from checks.results.model import ClaimResult, Counterexample, RunResult
from checks.results.verdicts import Verdict
from encoders.logic.answer import Obligation
from reports.html import make_pages
from reports.html import to_plain as to_html
from reports.markdown import to_markdown, to_summary
from reports.model.digest import make_view
from reports.model.json_report import to_json
from reports.page.front import cite, count_statements, describe_dependents, headline, list_grounds, make_front

FALSE = Counterexample((("k", 1), ("s", (1, 1))), True, True, ())
PROVED = (Obligation("closed", "proved", "", ""),)


def claim(number: int, role: str, verdict: Verdict, **changes: object) -> ClaimResult:
    """Return a statement of the work w with the expected verdict."""
    found = FALSE if verdict is Verdict.REFUTED else None
    bare = ClaimResult(f"w/{role}-{number}", verdict)
    parts = {"work": "w", "locator": f"{role.capitalize()} {number}", "role": role, "as_expected": True}
    return alter(bare, **{**parts, "counterexample": found, **changes})


LEMMA = claim(1, "lemma", Verdict.REFUTED)
PLAIN = tuple(claim(n, "remark", Verdict.PROVED) for n in range(2, 8))
THEOREM = claim(9, "theorem", Verdict.PROVED, uses=("w/lemma-1",), obligations=PROVED)


def tell(*claims: ClaimResult) -> str:
    return "".join(text for text, _ in headline(make_front(make_view(RunResult("0", "quick", claims)))))


def test_a_false_lemma_leads_with_the_theorem_that_stands_without_it() -> None:
    assert tell(LEMMA, *PLAIN, THEOREM) == "Lemma 1 is false. Theorem 9, proved from it, is true."
    assert tell(LEMMA, *PLAIN) == "Lemma 1 is false."


@pytest.mark.parametrize("verdict", [Verdict.VERIFIED, Verdict.REFUTED, Verdict.PROVED])
def test_only_what_is_proved_by_obligations_is_called_true(verdict: Verdict) -> None:
    other = claim(9, "theorem", verdict, uses=("w/lemma-1",))
    assert "is true" not in tell(LEMMA, *PLAIN, other)


def test_what_is_open_or_unexpected_comes_before_any_story() -> None:
    for other in (claim(8, "remark", Verdict.INCONCLUSIVE), claim(8, "remark", Verdict.PROVED, as_expected=False)):
        assert tell(LEMMA, *PLAIN, THEOREM, other).startswith("Of 9 statements, ")


OPEN = re.compile(r'<details class="claim[^>]*" open>')


def test_few_claims_are_unfolded_and_tell_no_story() -> None:
    few = replace(CALM, claims=(BOUTON, LEMMA_11, COMPUTED))
    assert to_html(few).count('<details class="claim') == len(OPEN.findall(to_html(few))) == 3
    assert not OPEN.search(to_html(RUN))


def test_the_other_statements_are_counted_by_what_was_found_of_them() -> None:
    def count(*claims: ClaimResult) -> str:
        return count_statements(make_front(make_view(RunResult("0", "quick", claims))))

    smallest = "each with its smallest counterexample in the range searched"
    assert count(LEMMA, *PLAIN) == f"Of the 7 statements of w, 1 is refuted, {smallest}; the other 6 are proved."
    open_end = replace(PLAIN[0], verdict=Verdict.VERIFIED)
    assert count(LEMMA, *PLAIN[1:], open_end).endswith("; of the other 6, 5 are proved and 1 is verified in a scope.")
    larger = alter(LEMMA, counterexample=replace(FALSE, smallest=False))
    assert smallest not in count(larger, *PLAIN)


def test_what_rests_on_a_false_claim_is_said_as_it_came_out() -> None:
    def rests(*others: ClaimResult) -> str:
        return describe_dependents((LEMMA,), make_view(RunResult("0", "quick", (LEMMA, *others))))

    bare = alter(THEOREM, obligations=())
    second = replace(THEOREM, id="w/theorem-10")
    assert rests() == ""
    assert rests(THEOREM) == "The published proof of one result uses it; this result is proved in another way."
    assert rests(THEOREM, second).endswith("of two results use it; both are proved in another way.")
    assert rests(THEOREM, replace(bare, id="w/theorem-10")).endswith(
        "one is proved in another way, the others have no such proof in this run."
    )
    assert rests(bare) == "The published proof of one result uses it; this result has no proof in this run."
    assert rests(replace(THEOREM, verdict=Verdict.REFUTED)).endswith("uses it; this result is refuted too.")


def test_the_grounds_add_up_and_a_refutation_without_a_replay_is_told_apart() -> None:
    unsure = alter(LEMMA, counterexample=replace(FALSE, replayed=False))
    found = list_grounds(RunResult("0", "quick", (LEMMA, replace(unsure, id="w/x"), *PLAIN, THEOREM)))
    assert [(number, of) for number, of, _ in found] == [
        (1, Verdict.REFUTED),
        (1, Verdict.REFUTED),
        (1, Verdict.PROVED),
        (6, Verdict.PROVED),
    ]
    assert "no second program replayed it" in found[1][2]
    assert "solvers are trusted" in found[2][2]


def test_a_run_is_cited_by_its_library_and_its_day() -> None:
    told = cite(RunResult("1.2", "quick", (BOUTON,), started="2026-11-23T20:04+00:00", library="ab" * 32))
    assert told.startswith("@misc{nim-checks-abababababab,\n")
    assert "run of 2026-11-23, library sha256:" in told and "year  = {2026}" in told
    assert "year" not in cite(RunResult("1.2", "quick", ()))


def test_a_title_is_in_front_of_the_counts_everywhere() -> None:
    run = replace(CALM, title="Notes <of> mine")
    told = "Notes <of> mine: 3 statements from 2 works"
    pages = dict(make_pages(run))
    assert json.loads(to_json(run))["run"]["title"] == run.title
    assert all(escape(told) in pages[name] for name in pages)
    assert to_markdown(run).startswith("# Notes \\<of> mine: 3 statements from 2 works\n")
    assert to_summary(run).split("\n")[0].startswith("# Notes ")


# -- one number for refuted statements --------------------------------------------------------------------------------
KINDS = RunResult(
    "0",
    "quick",
    (
        LEMMA,
        THEOREM,
        claim(2, "lemma", Verdict.PROVED, repairs="w/lemma-1"),
        claim(3, "conjecture", Verdict.REFUTED),
        claim(4, "conjecture", Verdict.REFUTED),
        claim(5, "lemma", Verdict.REFUTED, variant_of="w/lemma-1"),
    ),
)


def test_each_claim_is_counted_as_one_kind() -> None:
    kinds = [kind.value for kind in KINDS.kinds.values()]
    assert kinds == ["statement", "statement", "correction", "guess", "guess", "variant"]
    alone = replace(KINDS, claims=KINDS.claims[3:])
    assert [kind.value for kind in alone.kinds.values()] == ["statement", "statement", "variant"], (
        "of a run of these alone"
    )
    unexpected = replace(KINDS, claims=(claim(3, "conjecture", Verdict.REFUTED, as_expected=False), *KINDS.claims[:1]))
    assert len(unexpected.statements) == 2, "who expects that it holds states it"


def test_all_renderings_have_one_number_of_refuted_statements(capsys: pytest.CaptureFixture[str]) -> None:
    page = to_html(KINDS)
    assert "<span>refuted</span> <b>1</b>" in page
    assert "All 1" not in page and ">The refuted statement</h2>" in page
    assert '<span class="at">2, 1 refuted</span>' in page
    assert page.count('data-kind="guess"') == 2 and page.count('data-kind="variant"') == 1
    others = "1 correction: 1 proved; 2 guesses: 2 refuted; 1 variant: 1 refuted"
    for text in (page, to_markdown(KINDS), to_summary(KINDS)):
        assert others in text.replace("\u00a0", " ").replace("\u202f", " ")
    assert "[Refuted (1)]" in to_markdown(KINDS)
    assert "[Guesses refuted as expected (2)]" in to_markdown(KINDS)
    assert to_summary(KINDS).splitlines()[0].endswith(": 1 proved, 1 refuted")
    data = json.loads(to_json(KINDS))
    assert (data["statements"]["refuted"], data["summary"]["refuted"], data["variants"]["refuted"]) == (1, 3, 1)
    print_summary(KINDS, {}, RunOutcome(0))
    told = capsys.readouterr().out.splitlines()
    counts = "2 statements (1 proved, 1 refuted), 1 correction (1 proved), 2 guesses (2 refuted); 1 variant: 1 refuted"
    assert told[1].startswith(f"5 claims: {counts}")
    assert told[-1] == "refuted, all as their files expect: 1 statement, 2 guesses, 1 variant; exit 0"
