"""The commands on the page of a report, executed as a reader would: in its folder, which was moved."""

from __future__ import annotations

import html
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import ROOT, Done, run_within

PROVED = (ROOT / "claims/nim/bouton.toml").read_text("utf-8").replace('work = "nim"', 'work = "mine"')
EACH = (
    *("python -m checks run", "python -m checks verify receipts", "python certificates/check.py"),
    *("python -m checks verify .", "python -m checks new"),
)
FALSE = re.sub(r"\[proof\].*", "", PROVED, flags=re.DOTALL).replace("nim_sum(s) == 0)", "nim_sum(s) == 1)")


def list_commands(page: Path) -> list[str]:
    """Return the lines under "Check it yourself" on the page, without comments."""
    text = re.search(r"<h2>Check it yourself</h2>\s*<pre[^>]*>(.*?)</pre>", page.read_text("utf-8"), re.DOTALL)
    assert text is not None
    return [line for line in html.unescape(text[1]).splitlines() if not line.startswith("#")]


def run_command(line: str, folder: Path) -> Done:
    words = shlex.split(line)
    assert words[0] == "python"
    if words[1:3] == ["-m", "checks"]:
        return run_within(*words[3:], *(["--no-cache"] if words[3] == "run" else []), cwd=folder)
    done = subprocess.run([sys.executable, *words[1:]], cwd=folder, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def audit(folder: Path, *words: str, where: Path | None = None) -> dict[str, Done]:
    """Return the output of each command of the page, by its first words, after a run; the claim files are deleted."""
    run_within("run", *words, "--no-cache", "--report", str(folder / "report"), cwd=where or folder)
    moved = folder.with_name("moved")
    shutil.move(folder / "report", moved)
    for path in (*folder.rglob("*.toml"),):
        path.unlink()
    found = {}
    for line in list_commands(moved / "index.html"):
        name = " ".join(line.split()[:4] if "-m" in line else line.split()[:2])
        name += f" {line.split()[4].partition('/')[0]}" if name.endswith("verify") else ""
        if name not in found:
            found[name] = run_command(line, moved)
    return found


@pytest.mark.parametrize("own_rules", [False, True])
@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.slow
def test_each_command_on_the_page_of_an_own_proved_claim_exits_with_0(
    own_rules: bool, elsewhere: bool, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    (folder / "rulesets").mkdir(parents=True)
    shutil.copy(ROOT / "claims/rulesets/nim.toml", folder / "rulesets/own-nim.toml")
    text = PROVED.replace('ruleset = "nim"', 'ruleset = "own-nim"') if own_rules else PROVED
    (folder / "mine.toml").write_text(text, "utf-8")
    word = str(folder / "mine.toml") if elsewhere else "mine.toml"
    found = audit(folder, word, where=tmp_path if elsewhere else None)
    assert {name: done.returncode for name, done in found.items()} == dict.fromkeys(EACH, 0), found
    assert "1 claim: 1 proved" in found["python -m checks run"].stdout
    assert ": proved; confirmed; 9 obligations certified" in found["python -m checks verify receipts"].stdout
    assert ": proved; confirmed; 9 obligations certified" in found["python -m checks verify ."].stdout
    assert "9 obligations certified, 0 only trusted" in found["python certificates/check.py"].stdout


@pytest.mark.slow
def test_the_page_of_a_refuted_claim_replays_its_counterexample(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/false.toml").write_text(FALSE, "utf-8")
    found = audit(tmp_path / "work", "false.toml")
    assert found["python -m checks run"].returncode == 1, "its file expects that it holds"
    assert found["python -m checks verify receipts"].returncode == 0
    assert "false: refuted; confirmed" in found["python -m checks verify receipts"].stdout
    assert not {"python certificates/check.py", "python -m checks verify ."} & set(found)


@pytest.mark.slow
def test_each_command_on_the_page_of_claims_of_the_library_exits_with_0(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    found = audit(tmp_path / "work", "nim/bouton", "kl-nim/lemma-11", "heaps/octal-45")
    assert [done.returncode for done in found.values()] == [0] * 5, found
    assert "kl-nim/lemma-11: refuted; confirmed" in found["python -m checks verify receipts"].stdout


def test_a_file_that_has_changed_since_it_was_read_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from checks import run
    from checks.receipts.sources import add_places

    (tmp_path / "false.toml").write_text(FALSE, "utf-8")
    monkeypatch.chdir(tmp_path)
    results = run("false.toml").claims
    assert [x.provenance.source for x in add_places(results)] == ["sources/false.toml"]
    (tmp_path / "false.toml").write_text(FALSE + "\n", "utf-8")
    assert [x.provenance.source for x in add_places(results)] == [""]


def test_a_copy_that_has_changed_is_not_what_a_receipt_is_about(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/false.toml").write_text(FALSE, "utf-8")
    report = tmp_path / "report"
    run_within("run", "false.toml", "--no-cache", "--report", str(report), cwd=tmp_path / "work")
    copy = report / "sources/false.toml"
    assert run_within("verify", "receipts/false.json", cwd=report).returncode == 0
    copy.write_text(FALSE.replace("== 1)", "== 2)"), "utf-8")
    done = run_within("verify", "receipts/false.json", cwd=report)
    assert (done.returncode, "does not exist" in done.stderr) == (2, True)
