"""checks atlas of values: every game is settled, an interrupted run continues, and the output is the same."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from checks.command.atlas import name_run
from checks.command.cli import main
from checks.command.families import load_values
from checks.execution import games as values
from checks.execution.games import settle_values
from checks.execution.journal import Journal
from checks.execution.limits import Unfit
from claims.language.files.claim import Claim
from claims.language.files.library import LIBRARY
from encoders.periods.tables import to_json
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported
from encoders.rules.periodic.family import FamilyMemberResult, Member, list_members, name_game, settle_member

CLAIM = """format = 1
title = "A family"
statement = "How values repeat."
work = "w"
locator = "l"
role = "conjecture"
ruleset = "octal(code = [a, b])"

[forall]
a = "5..7"
b = "a..7"
n = "0.."

[claim]
then = "grundy(position([n])) >= 0"

[scope]
n = "0..4"

[proof]
rule = "periodic"
"""
FAMILIES = Path(__file__).parents[4] / "docs" / "families"
RULESETS = 'format = 1\n[restrictions]\nfree = ""\n'
WRITTEN = ("journal.jsonl", "certificates.json", "atlas.json", "index.html")


def settle(folder: Path, text: str = CLAIM, options: tuple[str, ...] = ("--heaps", "300")) -> tuple[int, str]:
    file, report = folder / "claim.toml", folder / "out"
    file.write_text(text, "utf-8")
    done = CliRunner().invoke(main, ["atlas", str(file), "--report", str(report), "--jobs", "1", *options])
    return done.exit_code, done.output


@pytest.mark.slow
def test_a_run_that_was_stopped_ends_in_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = settle(tmp_path)
    assert code == 0 and "6 games: 3 proved, 3 without a period up to 300 heaps" in said
    out = tmp_path / "out"
    whole = {name: (out / name).read_bytes() for name in WRITTEN}
    lines = whole["journal.jsonl"].splitlines(keepends=True)
    (out / "journal.jsonl").write_bytes(lines[0] + lines[1] + lines[5] + lines[3][:20])  # killed; (5, 5) is proved
    (out / "index.html").unlink()
    with monkeypatch.context() as patched:
        patched.setattr(values, "settle_member", count := Counted())
        settle(tmp_path)
    assert count.members == [(5, 6), (5, 7), (6, 6), (7, 7)]
    assert {name: (out / name).read_bytes() for name in WRITTEN} == whole
    checked = subprocess.run(
        [sys.executable, out / "check.py", out / "certificates.json"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0 and "3 obligations certified, 0 only trusted" in checked.stdout
    told = json.loads(whole["certificates.json"])["obligations"]
    assert [(o["name"], o["table"]["preperiod"], o["table"]["period"]) for o in told] == [
        ("octal(code = [5, 5])", 1, 1),
        ("octal(code = [5, 7])", 1, 4),
        ("octal(code = [7, 7])", 71, 12),
    ]


@pytest.mark.parametrize(("name", "proved", "step"), [("octal-three-digits", 311, 24), ("three-numbers", 4060, 400)])
def test_the_shipped_certificates_are_of_games_of_the_family(name: str, proved: int, step: int) -> None:
    """Each is named after its game. Some are searched for again; certificates of games with few values are equal."""
    claim = load_claim(FAMILIES / f"{name}.toml", name)
    members = {name_game(claim, x): x for x in list_members(claim)}
    told = json.loads(gzip.decompress((FAMILIES / f"{name}.certificates.json.gz").read_bytes()))["obligations"]
    assert len({x["name"] for x in told}) == len(told) == proved and {x["name"] for x in told} <= members.keys()
    for x in told[::step]:
        if len(x["table"]["rows"][0]) < 100:
            found = settle_member(claim, members[x["name"]], 1000).table
            assert found is not None and to_json(found) == x["table"], x["name"]


def test_a_game_without_a_period_names_the_bound_and_the_claim_that_proves_one_further_on(tmp_path: Path) -> None:
    """0.16 and 0.14, about which the library proves nothing."""
    code, said = settle(tmp_path, CLAIM.replace("[a, b]", "[1, a]").replace('"5..7"\nb = "a..7"', '"4..6"'))
    assert code == 0 and "3 games: 1 proved, 2 without a period up to 300 heaps" in said
    entries = {e["title"]: e for e in json.loads((tmp_path / "out/atlas.json").read_text("utf-8"))["entries"]}
    known, unknown = entries["octal(code = [1, 6])"], entries["octal(code = [1, 4])"]
    assert (known["proof"], known["heaps"]) == ("heaps/octal-16", 300)
    assert (tmp_path / "out" / known["file"]).resolve() == (LIBRARY / "heaps/octal-16.toml").resolve()
    assert (unknown["proof"], unknown["file"], unknown["heaps"]) == ("", "", 300)
    page = (tmp_path / "out/index.html").read_text("utf-8")
    assert (
        ">no period found up to 300, proved further on</span>" in page and ">no period found up to 300</span>" in page
    )
    assert ">open<" not in page


class Counted:
    """Settles members and records which."""

    def __init__(self) -> None:
        self.members: list[tuple[int, ...]] = []

    def __call__(self, claim: Claim, member: Member, heaps: int) -> FamilyMemberResult:
        self.members.append(tuple(x for _, x in member))
        return settle_member(claim, member, heaps)


@pytest.mark.parametrize(
    ("text", "options"), [(CLAIM.replace("5..7", "6..7"), ("--heaps", "300")), (CLAIM, ("--heaps", "301"))]
)
def test_what_is_kept_of_another_run_is_not_taken(text: str, options: tuple[str, ...], tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "claim.toml").write_text(CLAIM, "utf-8")
    family = load_values(tmp_path / "claim.toml", 300)
    Journal(out / "journal.jsonl", name_run(family)).begin({})
    code, said = settle(tmp_path, text, options)
    assert code == 2 and "belongs to a run of another" in said


def test_a_worker_looks_at_no_other_claim(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(CLAIM, "utf-8")
    piece = load_values(path, 300).pieces[0]
    path.write_text(CLAIM.replace('"grundy(position([n])) >= 0"', '"grundy(position([n])) >= 1"'), "utf-8")
    with pytest.raises(Unfit, match="was changed"):
        settle_values(piece)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (CLAIM, ("--budget", "9s"), "--budget needs a family of rulesets"),
        (RULESETS, ("--heaps", "300"), "--heaps needs a family of values"),
        ("format = 1\n", (), "does not describe a family"),
        (CLAIM.replace('"periodic"', '"definition"'), (), 'rule = "periodic"'),
    ],
)
def test_what_no_kind_of_family_has_is_refused(text: str, options: tuple[str, ...], words: str, tmp_path: Path) -> None:
    code, said = settle(tmp_path, text, options)
    assert code == 2 and words in " ".join(said.split())


def test_what_is_said_of_a_member_is_what_is_said_of_its_game(tmp_path: Path) -> None:
    """A value above the bound prevents a table; a member is a separate game."""
    path = tmp_path / "claim.toml"
    path.write_text(CLAIM, "utf-8")
    claim = load_claim(path, "claim")
    members = list_members(claim)
    assert [dict(m) for m in members] == [{"a": a, "b": b} for a in range(5, 8) for b in range(a, 8)]
    found = settle_member(claim, members[-1], 1000)
    assert name_game(claim, members[-1]) == "octal(code = [7, 7])" and found.table is not None
    assert found.table.moves[0].two == (1, 2) and found.table.repeats == "preperiod 71, period 12"
    assert settle_member(claim, members[-1], 100).table is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[claim]\n", '[claim]\nif = "n > 2"\n', "must not have a hypothesis"),
        ('a = "5..7"\nb = "a..7"\n', 'a = "5.."\nb = "6.."\n', "a finite, non-empty domain"),
        ('a = "5..7"', 'a = "5..900000"', "more than 100000 games"),
    ],
)
def test_what_is_no_family_is_refused(old: str, new: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    assert old in CLAIM
    scope = '[scope]\nn = "0..4"\na = "5..7"\nb = "5..7"' if "5.." in new else '[scope]\nn = "0..4"'
    path.write_text(CLAIM.replace(old, new).replace('[scope]\nn = "0..4"', scope), "utf-8")
    with pytest.raises(Unsupported, match=words):
        list_members(load_claim(path, "claim"))
