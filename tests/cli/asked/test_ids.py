"""Every id that a command prints is accepted by every command that takes ids: a table of kinds of ids and commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from commands import run_within

from checks.command.atlas import find_family
from checks.command.find import is_claim
from claims.language.files.library import select

CLAIM = """format = 1
title = "The larger of two heaps"
statement = "It is lost just at the nim-sum 0."
work = "mine"
locator = "page 1"
role = "lemma"
ruleset = "nim"
[forall]
s = "position"
[claim]
then = "iff(not wins(s), nim_sum(s) == 0)"
[scope]
s = { heaps = "0..2", size = "1..3" }
[proof]
by = ["nim/bouton"]
[[variants]]
name = "one"
expect = "refuted"
proof = "none"
claim.then = "iff(not wins(s), nim_sum(s) == 1)"
"""
FILES = (
    "own.toml",
    "folder/own.toml",
    "nim.toml",
    "nim/bouton-too.toml",
    "both.toml",
    "both/inner.toml",
    "g[lob].toml",
)
IDS = {  # the ids that `show` lists for these files
    "a file here": "own",
    "a variant of it": "own@one",
    "a file in a folder": "folder/own",
    "a variant in a folder": "folder/own@one",
    "a file called as a work of the library": "nim.toml",
    "a file in a folder called so": "nim/bouton-too.toml",
    "a variant in such a folder": "nim/bouton-too.toml@one",
    "a file called as a folder": "both.toml",
    "a file called as a glob": "g[lob].toml",
    "a claim of the library": "nim/bouton",
    "a variant of the library": "heaps/hexadecimal-8@from-0",
}
COMMANDS = {  # commands whose exit code is not 2 if and only if the id is accepted
    "run": ("run", "--no-report", "--no-cache", "--jobs", "1"),
    "check": ("check", "--json"),
    "show": ("show", "--json"),
    "explain": ("explain", "--json"),
    "coq": ("coq", "--list", "--json"),
    "verify": ("verify", "--report", "out"),
}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("ids")
    for name in FILES:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(CLAIM, "utf-8")
    with chdir(folder):
        yield folder


@pytest.fixture(scope="module")
def report(folder: Path) -> Path:
    done = run_within("run", *IDS.values(), "--no-cache", "--report", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "out"


def test_the_ids_here_are_those_that_show_lists(folder: Path) -> None:
    data = json.loads(run_within("show", ".", "--json", cwd=folder).stdout)
    printed = {claim["id"] for claim in data["claims"]}
    own = {id for kind, id in IDS.items() if "library" not in kind or "called" in kind}
    assert own <= printed and len(printed) == 2 * len(FILES)
    for id in printed:
        named = [entry.id for entry in select((id,))]
        assert named[0] == id and set(named) <= {id, f"{id}@one"}, id


@pytest.mark.parametrize("kind", IDS)
def test_one_resolver_reads_each_id(kind: str) -> None:
    id = IDS[kind]
    assert select((id,))[0].id == id
    assert is_claim(id)
    assert find_family(id) == select((id,))[0].path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", IDS)
@pytest.mark.slow
def test_each_command_reads_each_id(kind: str, command: str, report: Path, folder: Path) -> None:
    id = IDS[kind]
    done = run_within(*COMMANDS[command], id, cwd=folder)
    named = '"files": 1' if command == "check" else id  # nothing else is printed for a file without faults
    assert done.stderr == "" and named in done.stdout, done.stderr
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("command", [*COMMANDS, "find", "atlas", "new --false"])
def test_no_command_reads_what_is_no_id(command: str, folder: Path) -> None:
    words = COMMANDS.get(command, tuple(command.split()))
    done = run_within(*words, "own@two", cwd=folder)
    assert done.returncode == 2 and "own@two" in done.stderr + done.stdout


def test_a_false_sibling_is_written_into_the_file_of_an_id(folder: Path) -> None:
    (folder / "more.toml").write_text(CLAIM.partition("[[variants]]")[0], "utf-8")
    done = run_within("new", "--false", "more", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "[[variants]]" in (folder / "more.toml").read_text("utf-8")
    (folder / "more.toml").unlink()


def test_a_proof_is_searched_by_id_and_not_written_into_the_claim_of_a_variant(folder: Path) -> None:
    before = (folder / "own.toml").read_bytes()
    done = run_within("find", "own@one", "--write", "--budget", "5s", cwd=folder)
    assert (done.returncode, "cannot be used with the variant own@one" in " ".join(done.stderr.split())) == (2, True)
    assert (folder / "own.toml").read_bytes() == before


def test_a_certificate_is_certified_by_its_path(report: Path, folder: Path) -> None:
    path = report / "certificates" / "nim" / "bouton.json"
    for word in (path, folder / "copied.json"):
        if not word.exists():
            word.write_bytes(path.read_bytes())
        done = run_within("verify", str(word), cwd=folder)
        assert (done.returncode, "nim/bouton: 9 obligations certified" in done.stdout) == (0, True), done.stdout
    damaged = json.loads(path.read_text("utf-8"))
    damaged["obligations"].pop()
    (folder / "copied.json").write_text(json.dumps(damaged), "utf-8")
    done = run_within("verify", "copied.json", cwd=folder)
    assert (done.returncode, "REFUSED nim/bouton: " in done.stderr, "is missing" in done.stderr) == (1, True, True)
