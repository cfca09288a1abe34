"""summary.md: short for every run, most important items first, every claim with a link to report.md."""

import re
from dataclasses import replace

import pytest
from samples import BETTER, BOUTON, CALM, EMPTY, HOSTILE, LEMMA_11, N_TEST, NASTY, RUN, alter, huge

from checks.results.model import Work
from reports.markdown import LIMIT, to_markdown, to_summary
from reports.model.digest import WEIGHTS, sort_by_weight


def many(claim, number):
    return tuple(replace(claim, id=f"{claim.id}-{i}") for i in range(number))


@pytest.mark.parametrize(
    "run",
    [
        RUN,
        EMPTY,
        huge(2000, 10),
        replace(RUN, claims=many(N_TEST, 500)),
        replace(RUN, claims=many(LEMMA_11, 500)),
        replace(RUN, claims=many(NASTY, 100), command=HOSTILE * 1000),
        replace(RUN, claims=tuple(alter(N_TEST, id=f"x/{i}" * 300, work=f"w{i}") for i in range(200))),
        replace(RUN, works=(Work("kl-nim", "W" * 10000, "", "", ""),)),
    ],
)
def test_it_is_short_whatever_the_run(run):
    assert len(to_summary(run).encode()) < LIMIT


def test_what_is_left_out_is_counted():
    text = to_summary(replace(RUN, claims=many(N_TEST, 500)))
    shown = len(re.findall(r"^- \[Introduction\]", text, re.MULTILINE))
    (more,) = re.findall(r"^- (\d+) more: \[report.md\]", text, re.MULTILINE)
    assert shown + int(more) == 500 and shown >= 20


def test_its_links_lead_into_the_report():
    places = set(re.findall(r'<a id="(.*?)">', to_markdown(RUN)))
    targets = re.findall(r"\]\(report\.md#(.*?)\)", to_summary(RUN))
    assert len(targets) > 5
    assert set(targets) <= places


def test_what_carries_a_work_comes_first():
    claims = [alter(N_TEST, id=role, role=role) for role in ("", "example", "lemma", "strange", "step", "theorem")]
    assert [c.statement.role for c in sort_by_weight(claims)] == ["theorem", "lemma", "step", "example", "", "strange"]
    assert len(set(WEIGHTS)) == len(WEIGHTS)
    text = to_summary(replace(RUN, claims=tuple(claims)))
    assert text.index("#theorem)") < text.index("#lemma)") < text.index("#step)") < text.index("#example)")


def test_a_refutation_has_its_counterexample_and_what_holds_instead():
    instead = alter(BOUTON, id="kl-nim/n-position-repaired", repairs=N_TEST.id)
    text = to_summary(replace(RUN, claims=(N_TEST, instead)))
    assert "fails at s = (1, 1); correction: [proved](report.md#kl-nim/n-position-repaired)" in text


def test_expectations_are_mentioned_where_they_fail():
    assert "expects" not in to_summary(CALM).replace("has the verdict that its file expects", "")
    assert "**but its file expects it to be refuted**" in to_summary(replace(RUN, claims=(BETTER,)))


def test_what_a_scope_leaves_open_is_said():
    text = to_summary(CALM)
    assert "[Lemma 11](report.md#kl-nim/lemma-11)" in text
    assert "Not established: k above 6; l above 9; more than 4 heaps; heaps above 10" in text
