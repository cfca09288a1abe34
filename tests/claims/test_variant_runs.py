"""Variants in a run: each settled separately, below its claim in every report, and not counted as a statement."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from commands import ROOT, read_untimed, run_within
from small_scopes import FALSE, state

RULES = (ROOT / "examples" / "odd-nim.toml").read_text("utf-8")
PARITY = (ROOT / "examples" / "parity.toml").read_text("utf-8")
SMALL = """format = 1
title = "The nim-sum decides"
statement = "The mover of Nim loses just where the nim-sum is 0."
work = "tests"
locator = "Lemma 1"
role = "lemma"
expect = "holds"
ruleset = "nim"

[forall]
s = "position"

[claim]
then = "iff(nim_sum(s) == 0, not wins(s))"

[scope]
s = { heaps = "0..2", size = "1..4" }

[[variants]]
name = "total"
expect = "refuted"
claim.then = "iff(sum(s) % 2 == 0, not wins(s))"

[[variants]]
name = "few"
expect = "holds"
scope.s = { heaps = "0..1", size = "1..4" }
"""
IDS = ["small", "small@total", "small@few"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.toml").write_text(SMALL, "utf-8")
    return tmp_path


@pytest.mark.slow
def test_a_run_settles_them_and_counts_them_apart(folder: Path) -> None:
    done = run_within("run", "small.toml", "--no-cache", "--report", "out", cwd=folder)
    assert done.returncode == 0, done.stdout
    assert "1 claim: 1 verified; 2 variants: 1 verified, 1 refuted in " in done.stdout
    report = json.loads((folder / "out/report.json").read_text("utf-8"))
    assert [x["id"] for x in report["claims"]] == IDS
    assert [x["variant_of"] for x in report["claims"]] == [None, "small", "small"]
    assert {k: n for k, n in report["summary"].items() if n} == {"verified": 1}
    assert {k: n for k, n in report["variants"].items() if n} == {"verified": 1, "refuted": 1}
    lines = SMALL.split("\n")
    assert [lines[x["line"] - 1] for x in report["claims"]] == [
        'then = "iff(nim_sum(s) == 0, not wins(s))"',
        "[[variants]]",
        "[[variants]]",
    ]


@pytest.mark.slow
def test_reports_show_them_beneath_their_claim(folder: Path) -> None:
    run_within("run", "small.toml", "--no-cache", "--report", "out", cwd=folder)
    page, whole, summary = ((folder / "out" / x).read_text("utf-8") for x in ("index.html", "report.md", "summary.md"))
    assert "The statement holds as far as checked" in page
    below = page[page.index('aria-label="Variants of Lemma 1"') :]
    assert 'id="small%40total"' in below
    assert 'id="small%40few"' in below
    assert 'href="#small">' in below  # "A variant of"
    assert whole.index('<a id="small"></a>') < whole.index('<a id="small%40total"></a>')
    for text in (whole, summary):
        assert "The run also settled 2 variants: 1 verified in scope, 1 refuted." in text
        assert "## Refuted" not in text  # because the file expects the refutation
    suite = ET.parse(folder / "out/junit.xml").getroot()
    assert [case.get("name") for case in suite.iter("testcase")] == IDS
    assert suite.get("failures") == suite.get("errors") == "0"


@pytest.mark.slow
def test_one_that_comes_out_otherwise_is_a_failure(folder: Path) -> None:
    text = SMALL.replace('expect = "refuted"', 'expect = "holds"')
    (folder / "small.toml").write_text(text, "utf-8")
    done = run_within("run", "small.toml", "--no-cache", "--report", "out", cwd=folder)
    assert done.returncode == 1
    assert "## Refuted" in (folder / "out/summary.md").read_text("utf-8")


@pytest.mark.slow
def test_receipts_of_variants_are_replayed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_within("run", "small.toml", "--no-cache", "--report", "out", cwd=folder)
    for id in IDS:
        receipt = f"out/receipts/{id}.json"
        assert json.loads((folder / receipt).read_text("utf-8"))["file"] == "small.toml"
        done = run_within("verify", receipt, "--rerun", cwd=folder)
        assert done.returncode == 0, done.stderr
        assert f"{id}: " in done.stdout
    total = (folder / "out/receipts/small@total.json").read_text("utf-8")
    forged = folder / "forged.json"
    forged.write_text(total.replace("small@total", "small@few"), "utf-8")
    assert run_within("verify", "forged.json", cwd=folder).returncode == 2  # a receipt belongs to one variant


@pytest.mark.slow
def test_the_cache_tells_them_apart(folder: Path) -> None:
    words = ("run", "small.toml", "--cache", str(folder / "cache"), "--report")
    first = run_within(*words, "one", cwd=folder)
    second = run_within(*words, "two", cwd=folder)
    assert "from the cache" not in first.stdout
    assert ", all from the cache" in second.stdout
    assert read_untimed(folder / "one/report.json", "cached") == read_untimed(folder / "two/report.json", "cached")


@pytest.mark.usefixtures("small")
@pytest.mark.slow
def test_parts_of_a_run_are_merged(tmp_path: Path) -> None:
    variant = f'\n[[variants]]\nname = "false"\nclaim.then = "{FALSE}"\n'
    (tmp_path / "claim.toml").write_text(state().replace('"1..6"', '"1..2"') + variant, "utf-8")
    run_within("run", "claim.toml", "--no-cache", "--report", "whole", cwd=tmp_path)
    for part in ("1/2", "2/2"):
        done = run_within("run", "claim.toml", "--shard", part, "--report", part[0], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    done = run_within("run", "--merge", "1", "2", "--report", "merged", "--no-cache", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    merged, whole = (read_untimed(tmp_path / x / "report.json", "command") for x in ("merged", "whole"))
    assert merged == whole


@pytest.mark.slow
def test_an_inherited_proof_that_fails_leaves_nothing_green(folder: Path) -> None:
    """False from n = 100 on, outside the scope: only the proof can reveal it."""
    text = PARITY[: PARITY.index("# Two false")] + PARITY[PARITY.index("[proof]") :]
    text += '\n[[variants]]\nname = "far"\nclaim.then = "grundy(position([n])) == (n + n // 100) % 2"\n'
    (folder / "odd-nim.toml").write_text(RULES, "utf-8")
    (folder / "parity.toml").write_text(text, "utf-8")
    done = run_within("run", "parity.toml@far", "--no-cache", "--report", "out", cwd=folder)
    assert done.returncode in (1, 3)
    assert "proved (" not in done.stdout
    assert "verified (" not in done.stdout


def test_a_variant_is_a_theorem_of_its_own() -> None:
    done = run_within("coq", "examples/parity.toml@even")
    assert done.returncode == 0, done.stderr
    assert "Made by: python -m checks coq examples/parity@even" in done.stdout
    assert "Theorem parityu40even : " in done.stdout


@pytest.mark.slow
def test_list_and_show() -> None:
    listed = run_within("show", "examples/parity.toml", "--long").stdout.splitlines()
    assert [line.split()[0] for line in listed] == [f"examples/parity{x}" for x in ("", "@three", "@quarter", "@even")]
    assert 'Variant three of "The Grundy value of a heap is its remainder modulo 2"' in listed[1]
    shown = run_within("show", "examples/parity@three").stdout
    assert "The claim of this file, changed: then = grundy(position([n])) == n % 3." in shown
    assert run_within("show", "examples/parity@four").returncode == 2
