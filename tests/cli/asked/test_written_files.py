"""Commands that write files never write through a symbolic link that leads out of the target folder.

A repository of another person may contain a link at an output path; following it would replace a file elsewhere.
"""

from pathlib import Path

import pytest
from claim_texts import HEAD
from commands import run_within

from claims.language.file_writing import write_file

CLAIM = (
    HEAD
    + """ruleset = "nim"
[forall]
n = "1.."
[claim]
then = "wins(position([n]))"
[scope]
n = "1..3"
"""
)
FAMILY = """format = 1
title = "Small"
players = ["P1", "P2"]
stuck = "loses"
choose = ["any heap h"]
pick = { m = "1..h" }
become = ["h - m"]
[restrictions]
"plays freely" = ""
"""
COMMANDS = {
    "a page to play on": ("board.html", ["solve", "nim", "(1,2)", "--html", "board.html"]),
    "a theorem": ("bouton.v", ["coq", "nim/bouton", "--out", "bouton.v"]),
    "theorems": ("out/nim", ["coq", "nim/bouton", "--all", "--out", "out"]),
    "a new claim": ("my-claim.toml", ["new", "my-claim"]),
    "the schemas of a new claim": ("schemas", ["new", "my-claim"]),
    "a claim in its one form": ("claim.toml", ["check", "--fix", "claim.toml"]),
    "a theorem that is found": ("found.toml", ["find", "nim", "-o", "found.toml"]),
    "the claims of a family": ("reports/atlas/claims", ["atlas", "family.toml", "-j", "1"]),
    "the page of a family": ("reports/atlas/index.html", ["atlas", "family.toml", "-j", "1"]),
    "the journal of a family": ("reports/atlas/journal.jsonl", ["atlas", "family.toml", "-j", "1"]),
}
SLOW = {"a theorem that is found", "the claims of a family", "the page of a family", "the journal of a family"}


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("what", [pytest.param(x, marks=pytest.mark.slow if x in SLOW else ()) for x in COMMANDS])
@pytest.mark.parametrize("kind", ["a file", "a folder", "nothing"])
def test_nothing_is_written_through_a_link(what: str, kind: str, tmp_path: Path) -> None:
    if (what, kind) == ("a claim in its one form", "a folder"):
        pytest.skip("the user names a folder of claims, which may be a link")
    link, words = COMMANDS[what]
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for folder in (here, elsewhere / "folder"):
        folder.mkdir(parents=True)
    (here / "family.toml").write_text(FAMILY)
    target = {"a file": elsewhere / "file", "a folder": elsewhere / "folder", "nothing": elsewhere / "none"}[kind]
    for path in (elsewhere / "file", elsewhere / "folder" / "kept.toml"):
        path.write_text(CLAIM.replace("\n[scope]", "\n\n[scope]"))  # --fix would reformat it
    (here / link).parent.mkdir(parents=True, exist_ok=True)
    (here / link).symlink_to(target)
    before = content(elsewhere)
    done = run_within(*words, cwd=here)
    assert content(elsewhere) == before
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


def test_a_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o600)
    write_file(path, "new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o600)

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_file(path, "newer")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    assert path.read_text() == "new"
