"""checks diff: author, time, speed and positions of claims may differ; nothing else."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from samples import BOUTON, HOSTILE, LEMMA_11, RUN, alter
from test_report_escaping import rendered

from checks.command.cli import main
from checks.results.verdicts import Verdict
from encoders.logic.answer import Obligation, ObligationStatus
from reports.comparison import ROWS, NotAReport, compare, find_worse, read_report, to_table, to_text
from reports.model.json_report import to_json

PROOF = (
    Obligation("closed", ObligationStatus.PROVED, formula="a1"),
    Obligation("loses", ObligationStatus.PROVED, formula="b2"),
)
THIS = replace(RUN, claims=(alter(BOUTON, obligations=PROOF), *RUN.claims[1:]))
Edit = Callable[[Any], object]
Diff = Callable[..., tuple[int, str]]


@pytest.fixture
def diff(tmp_path: Path) -> Diff:
    """Return the exit code and the output for the report of a run and an edited copy."""

    def compared(edit: Edit, *words: str) -> tuple[int, str]:
        old, new = tmp_path / "old.json", tmp_path / "new.json"
        old.write_text(to_json(THIS), "utf-8")
        data = json.loads(to_json(THIS))
        edit(data)
        new.write_text(json.dumps(data), "utf-8")
        done = CliRunner().invoke(main, ["diff", str(old), str(new), *words])
        return done.exit_code, done.output

    return compared


def test_who_ran_it_when_and_how_fast_may_differ(diff: Diff) -> None:
    def another_day(data: Any) -> None:
        data["tool"]["version"] = "9"
        data["run"].update(started="2031-01-01T00:00+00:00", seconds=1.0, command="x", library="y")
        data["claims"].reverse()
        for claim in data["claims"]:
            claim["seconds"] += 1
            claim.update(file="elsewhere.toml", line=99)
            for route in claim["routes"]:
                route["seconds"] += 1

    assert diff(another_day) == (0, "15 claims unchanged\n")


def first(data: Any) -> Any:
    return data["claims"][0]


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not Verdict.PROVED])
def test_another_verdict_is_told(diff: Diff, verdict: Verdict) -> None:
    code, text = diff(lambda x: first(x).update(verdict=verdict.value))
    assert code == 1
    assert text == (
        f"nim/bouton\n  verdict: proved -> {verdict.value}\n\n1 claim with another verdict; 14 claims unchanged\n"
    )


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda x: first(x)["scope"].pop("s.size"), "scope: s.heaps all, s.size all -> s.heaps all"),
        (
            lambda x: x["claims"][4]["counterexample"]["variables"].update(s=[1, 2]),
            "counterexample: s = (1, 1) -> s = (1, 2)",
        ),
        (lambda x: x["claims"][4].update(counterexample=None), "counterexample: s = (1, 1) -> none"),
        (
            lambda x: x["claims"][4]["counterexample"].update(replayed=False),
            "counterexample.replayed: true -> false",
        ),
        (
            lambda x: first(x)["obligations"][0].update(result="failed", detail="at s = (1)"),
            "obligation closed: proved -> failed, at s = (1)",
        ),
        (lambda x: first(x)["obligations"].pop(), "obligation loses: proved -> none"),
        (lambda x: first(x)["obligations"][1].update(formula="c3"), "obligation loses.formula: b2 -> c3"),
        (lambda x: first(x)["routes"].clear(), "route z3: holds, 4 obligations discharged -> none"),
        (lambda x: first(x)["routes"][0].update(encoder="folds"), "route z3: holds, 4 obligations discharged -> none"),
        (lambda x: first(x)["routes"][0].update(cases=5), "route z3.cases: 4 -> 5"),
        (lambda x: first(x).update(as_expected=1), "as_expected: true -> 1"),
        (lambda x: first(x).update(title="Another"), "title: Bouton's theorem -> Another"),
        (lambda x: first(x).update(uses=[]), "uses: nim/zero-sum-moves, nim/not-in-this-run -> none"),
    ],
)
def test_every_other_difference_is_told(edit: Edit, said: str, diff: Diff) -> None:
    code, text = diff(edit)
    assert code == 1
    assert text.splitlines()[1].strip() == said
    assert "1 claim changed otherwise; 14 claims unchanged" in text


def test_claims_that_are_new_or_gone_are_told(diff: Diff) -> None:
    code, text = diff(lambda x: first(x).update(id="nim/new"))
    assert code == 1
    assert text.splitlines() == [
        "nim/new: new, proved",
        "nim/bouton: gone, was proved",
        "",
        "1 claim new, 1 claim gone; 14 claims unchanged",
    ]


def found(verdict: str, **more: object) -> Any:
    return {"verdict": verdict, "as_expected": None, **more}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (found("proved"), found("proved"), ""),
        (found("verified"), found("proved"), ""),
        (found("proved"), found("verified"), "verified is weaker than proved"),
        (found("proved"), found("inconclusive"), "passed before and fails now"),
        (found("refuted"), found("refuted"), ""),
        (found("refuted"), found("inconclusive"), "inconclusive is weaker than refuted"),
        (found("inconclusive"), found("refuted"), "a new counterexample"),
        (found("error"), found("inconclusive"), ""),
        (found("inconclusive"), found("inconsistent"), "inconsistent is weaker than inconclusive"),
        (found("refuted", as_expected=True), found("verified", as_expected=False), "passed before and fails now"),
        (found("verified", as_expected=False), found("refuted", as_expected=True), ""),
        (found("proved"), found("refuted", as_expected=True), "refuted is weaker than proved"),
        (found("verified", scope={"n": "0..9"}, cases=10), found("verified", scope={"n": "0..8"}, cases=9), "9 cases"),
        (found("verified", scope={"n": "0..9"}, cases=str(2**60)), found("verified", scope={}, cases=10), "10 cases"),
        (found("verified", scope={"n": "0..9"}, cases=9), found("verified", scope={"n": "1..99"}, cases=99), ""),
        (found("proved", rests_on=None), found("proved", rests_on={"trusted": [1]}), "trusts solvers for 1"),
        (found("proved", rests_on={"trusted": [1]}), found("proved", rests_on={"trusted": []}), ""),
        (None, found("refuted"), "new, and it fails"),
        (None, found("verified"), ""),
        (found("error"), None, "gone"),
    ],
)
def test_what_is_worse(old: Any, new: Any, why: str) -> None:
    said = find_worse(old, new)
    assert why in said
    assert bool(said) is bool(why)


def test_briefly(diff: Diff) -> None:
    code, text = diff(lambda x: first(x).update(verdict="verified"), "--brief", "--fail-on", "worse")
    assert (code, text.splitlines()) == (
        1,
        [
            "nim/bouton: proved -> verified; worse: verified is weaker than proved",
            "1 claim with another verdict; 14 claims unchanged",
        ],
    )
    title = lambda x: first(x).update(title="Another")  # noqa: E731
    assert diff(title, "--brief", "--fail-on", "worse") == (0, "1 claim changed otherwise; 14 claims unchanged\n")
    assert diff(title, "--brief")[0] == 1
    assert diff(title, "--brief", "--format", "md")[0] == 2


def test_a_route_may_have_another_name(diff: Diff) -> None:
    def rename(data: Any) -> None:
        for claim in data["claims"]:
            for route in claim["routes"]:
                route["encoder"] = route["encoder"].replace("z3", "solver")

    assert diff(rename)[0] == 1
    assert diff(rename, "--renamed", "z3=solver")[0] == 0
    assert diff(rename, "--renamed", "z3=other")[0] == 1
    assert diff(rename, "--renamed", "z3")[0] == 2


def test_what_an_older_report_does_not_have_is_not_compared_and_said(diff: Diff) -> None:
    def younger(data: Any) -> None:
        for claim in data["claims"]:
            del claim["obligations"], claim["line"]

    code, text = diff(younger)
    assert (code, text) == (
        0,
        "15 claims unchanged\nnot compared, because only one of the reports has these keys: obligations\n",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "expected an object with a list of claims"),
        ('{"format": 2, "claims": []}', "unknown format 2"),
        ('{"format": 1, "claims": [{}]}', "claim id None"),
        (
            '{"format": 1, "claims": [{"id": "a", "verdict": "proved"}, {"id": "a", "verdict": "proved"}]}',
            "claim id 'a'",
        ),
        ('{"format": 1, "claims": [{"id": "a", "verdict": "true"}]}', "the unknown verdict 'true'"),
    ],
)
def test_what_is_no_report_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(NotAReport, match=said.replace("[", r"\[")):
        read_report(text)
    (tmp_path / "bad.json").write_text(text)
    (tmp_path / "good.json").write_text(to_json(THIS))
    for names in (("bad.json", "good.json"), ("good.json", "bad.json"), ("good.json", "none.json")):
        done = CliRunner().invoke(main, ["diff", *(str(tmp_path / name) for name in names)])
        assert done.exit_code == 2
        assert done.stdout == ""
        assert done.stderr.startswith(str(tmp_path))


def both(old: Any, new: Any) -> Any:
    return compare(read_report(to_json(old)), read_report(to_json(new)))


def test_in_markdown_changed_verdicts_come_first_and_worse_ones_are_bold() -> None:
    worse = replace(THIS, claims=(alter(THIS.claims[0], title="Another"), THIS.claims[1]))
    worse = replace(worse, claims=(worse.claims[0], replace(worse.claims[1], verdict=Verdict.REFUTED)))
    text = to_table(both(replace(THIS, claims=THIS.claims[:2]), worse))
    assert text.splitlines() == [
        "**1 claim with another verdict, 1 claim changed otherwise; 0 claims unchanged**",
        "",
        "| claim | what | old | new |",
        "| --- | --- | --- | --- |",
        "| `nim/zero-sum-moves` | verdict | proved | **refuted** |",
        "| `nim/bouton` | title | Bouton's theorem | Another |",
    ]


def test_a_comment_has_room_for_it() -> None:
    old = replace(THIS, claims=tuple(replace(LEMMA_11, id=f"x/{i}") for i in range(2 * ROWS)))
    new = replace(old, claims=tuple(alter(c, verdict=Verdict.REFUTED, title="x" * 500) for c in old.claims))
    text = to_table(both(old, new))
    assert text.count("\n| `x/") == ROWS
    assert f"{3 * ROWS} more lines" in text
    assert len(text) < 65536


def test_hostile_text_stays_text() -> None:
    old = replace(THIS, claims=(alter(LEMMA_11, id=HOSTILE, title=HOSTILE),))
    new = replace(old, claims=(alter(old.claims[0], title=f"{HOSTILE}\x1b[31m\n::error::", locator=HOSTILE),))
    found = both(old, new)
    shown, tags = rendered(to_table(found))
    assert set(tags) <= {"p", "strong", "table", "thead", "tbody", "tr", "th", "td", "code"}
    assert "<script>" in shown
    text = to_text(found)
    assert "\x1b" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
