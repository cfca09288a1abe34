"""benchmarks/compare_reports.py: the times and the version may differ, nothing else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from samples import RUN

from benchmarks.compare_reports import main
from reports.json_report import to_json


@pytest.fixture
def compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """The exit code and what is printed, for the report of a run and the same with an edit."""

    def compared(edit: Callable[[Any], object], *words: str) -> tuple[int, str]:
        old, new = tmp_path / "old.json", tmp_path / "new.json"
        old.write_text(to_json(RUN), "utf-8")
        data = json.loads(to_json(RUN))
        edit(data)
        new.write_text(json.dumps(data), "utf-8")
        code = main([str(old), str(new), *words])
        return code, capsys.readouterr().out

    return compared


def test_times_and_the_version_may_differ(compare: Any) -> None:
    def slower(data: Any) -> None:
        data["tool"]["version"] = "9"
        for claim in data["claims"]:
            claim["seconds"] += 1
            for route in claim["routes"]:
                route["seconds"] += 1

    assert compare(slower) == (0, "")


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda x: x["claims"][0].update(verdict="verified"), 'nim/bouton: verdict: "proved" -> "verified"'),
        (lambda x: x["claims"][0]["routes"][0].update(cases=5), "nim/bouton: routes[0].cases: 4 -> 5"),
        (lambda x: x["claims"][0].update(as_expected=1), "nim/bouton: as_expected: true -> 1"),
        (lambda x: x["claims"][0]["routes"].clear(), "nim/bouton: routes: [{"),
        (lambda x: x["claims"][0]["scope"].pop("s.size"), 'nim/bouton: scope.s.size: "all" -> "(missing)"'),
        (lambda x: x["claims"].pop(0), "nim/bouton: the claim: {"),
        (lambda x: x["claims"].reverse(), "order of the claims: ["),
        (lambda x: x["summary"].update(proved=99), "summary.proved: "),
        (lambda x: x["claims"][0].update(id=x["claims"][0].pop("id")), "nim/bouton: order of the keys of the claim"),
    ],
)
def test_every_other_difference_is_told(edit: Any, said: str, compare: Any) -> None:
    code, printed = compare(edit)
    assert code == 1
    assert printed.startswith(said)


def test_a_route_may_have_another_name(compare: Any) -> None:
    def rename(data: Any) -> None:
        for claim in data["claims"]:
            for route in claim["routes"]:
                route["encoder"] = route["encoder"].replace("z3", "solver")

    assert compare(rename)[0] == 1
    assert compare(rename, "--renamed", "z3=solver") == (0, "")
    assert compare(rename, "--renamed", "z3=other")[0] == 1


def test_what_is_no_report_is_refused(compare: Any) -> None:
    assert compare(lambda x: x.pop("claims")) == (2, "")


def test_few_of_many_differences_are_printed(compare: Any) -> None:
    _, printed = compare(lambda x: x["claims"].clear())
    assert printed.splitlines()[-1] == "and more"
    assert len(printed.splitlines()) == 11
