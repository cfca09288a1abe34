"""Families of rulesets: members of a grammar, runs that are interrupted and continued, and theorems."""

from __future__ import annotations

import gc
import json
import random
import re
import zlib
from base64 import b64decode
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from library import ONE_SEED
from searched_games import NIM, question_of, search

from checks.command.atlas import run_family
from checks.command.families import load_wins, make_atlas, write_files
from checks.execution import games as searching
from checks.execution.games import RulesetSearchJob, digest_outcomes, make_job
from checks.execution.journal import DIED, Journal, OtherRun, Record, settle_games
from checks.execution.limits import Lost
from checks.execution.settle import settle_entry
from checks.execution.work import ThisProcess, use_local
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.library import select
from encoders.compute.arrays.board import GameSolver
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.limits import Deadline
from encoders.search.find import SearchProgress
from encoders.search.grammar import Grammar, Member, load_grammar, read_rules
from encoders.search.question import ask
from encoders.search.tables import OutcomeTable, SampleLimits
from reports.atlas import Atlas, to_atlas_page, write_page

SHIPPED = Path(__file__).parents[4] / "docs" / "families" / "restricted-nim.toml"
FAMILY = """format = 1
title = "Small"
players = ["P1", "P2"]
stuck = ["loses", "wins"]
choose = ["any heap h"]
pick = { m = "1..h" }
become = ["h - m"]
numbers = ["k", "l"]
where = "k < l"
[restrictions]
"plays freely" = ""
"may not take K" = "m != K"
"takes whole heaps" = "m == h"
"""


@pytest.fixture
def family(tmp_path: Path) -> Grammar:
    (tmp_path / "family.toml").write_text(FAMILY, "utf-8")
    return load_grammar(tmp_path / "family.toml")


def member(family: Grammar, title: str) -> Member:
    return next(m for m in family.members if m.title == title)


def test_each_pair_of_restrictions_is_a_ruleset(family: Grammar) -> None:
    assert [(m.id, m.title, m.mirror) for m in family.members[:10]] == [
        ("a01", "each player plays freely", ""),
        ("a02", "P1 plays freely, P2 may not take k", ""),
        ("a03", "P1 plays freely, P2 takes whole heaps", ""),
        ("a04", "P1 may not take k, P2 plays freely", "a02"),
        ("a05", "each player may not take k", ""),
        ("a06", "P1 may not take k, P2 may not take l", ""),
        ("a07", "P1 may not take k, P2 takes whole heaps", ""),
        ("a08", "P1 takes whole heaps, P2 plays freely", "a03"),
        ("a09", "P1 takes whole heaps, P2 may not take k", "a07"),
        ("a10", "each player takes whole heaps", ""),
    ]
    assert [m.where for m in family.members if m.where] == ["k < l"] * 2
    assert {m.title.endswith(", misère play") for m in family.members[10:]} == {True}


def test_the_shipped_family_has_468_rulesets() -> None:
    shipped = load_grammar(SHIPPED)
    assert len(shipped.members) == 468
    assert sum(not m.mirror for m in shipped.members) == 330


def read_page() -> tuple[list[str], dict[str, str]]:
    """Return the shipped atlas: its lines, and the files to which they unfold."""
    page = SHIPPED.with_suffix(".html").read_text("utf-8")
    lines = [unescape(re.sub("</?i>", "", x)) for x in re.findall(r'<span class="what">(.*?)</span>', page)]
    (block,) = re.findall(r'id="page:packed">([^<]*)<', page)
    bodies = "".join(json.loads(zlib.decompress(b64decode(block)))["bodies"])
    return lines, {
        name: unescape(text) for name, text in re.findall(r'data-file="([^"]*)">(.*?)</pre>', bodies, re.DOTALL)
    }


def test_the_shipped_atlas_is_of_the_shipped_family() -> None:
    lines, files = read_page()
    members = load_grammar(SHIPPED).members
    assert lines == [f"{m.title} ({m.where})" if m.where else m.title for m in members]
    assert {m.id: m.text for m in members} == {m.id: files[f"{m.id}.toml"] for m in members}


@pytest.mark.slow
def test_one_of_the_shipped_atlas_is_proved_again(tmp_path: Path) -> None:
    files = read_page()[1]
    (tmp_path / "rulesets").mkdir()
    proofs = sorted(name for name, text in files.items() if "\n[proof]\n" in text)
    assert len(proofs) > 80
    name = random.Random(1).choice(proofs)
    id = name.removesuffix("-claim.toml")
    (tmp_path / "rulesets" / f"{id}.toml").write_text(files[f"{id}.toml"], "utf-8")
    path = tmp_path / f"{id}.toml"
    path.write_text(files[name], "utf-8")
    result = settle_entry(select((str(path),))[0], ONE_SEED)
    assert result.verdict is Verdict.PROVED, (id, result.finding.not_established)


@pytest.mark.slow
def test_one_core_two_and_a_run_that_was_killed_find_the_same_bytes(tmp_path: Path) -> None:
    family = FAMILY.replace('"plays freely" = ""\n"may not take K" = "m != K"\n', "").replace(', "wins"', "")
    family = family.replace('"any heap h"', '"any heap h", "a largest heap h", "a smallest heap h"')
    (tmp_path / "family.toml").write_text(family, "utf-8")
    for jobs in (1, 2):
        run_family(load_wins(tmp_path / "family.toml", None), tmp_path / str(jobs), jobs, "")
    killed = tmp_path / "killed"  # killed while writing the third record
    killed.mkdir()
    lines = (tmp_path / "1" / "journal.jsonl").read_text("utf-8").splitlines(keepends=True)
    assert len(lines) == 4
    (killed / "journal.jsonl").write_text("".join(lines[:3]) + lines[3][:40], "utf-8")
    run_family(load_wins(tmp_path / "family.toml", None), killed, 1, "")
    one, two, resumed = (
        {p.relative_to(tmp_path / out): p.read_bytes() for p in (tmp_path / out).rglob("*.*")}
        for out in ("1", "2", "killed")
    )
    assert len(one) > 8
    assert one == two == resumed


def test_a_mirror_is_the_same_game_with_the_players_exchanged(family: Grammar) -> None:
    by_id = {m.id: m for m in family.members}
    mirrored = [m for m in family.members if m.mirror]
    assert len(mirrored) == 6
    for m in mirrored:
        tables = [
            OutcomeTable(ask(read_rules(x.id, x.text), {}, ""), SampleLimits(2, 5, 4), Deadline(None))
            for x in (m, by_id[m.mirror])
        ]
        assert [x.tobytes() for x in tables[0].lost] == [x.tobytes() for x in tables[1].lost[::-1]]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('["P1", "P2"]', '["P1"]', "two different names"),
        ('["k", "l"]', '["k", "k"]', "two different names"),
        ('"wins"]', '"passes"]', '"loses" or "wins"'),
        ('"m == h"', "3", "a condition on a move"),
        ("format = 1", "format = 2", "format = 1"),
        ("where", "whre", "whre"),
    ],
)
def test_what_a_grammar_cannot_say_is_refused_at_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = tmp_path / "family.toml"
    path.write_text(FAMILY.replace(old, new), "utf-8")
    with pytest.raises(ClaimError) as caught:
        load_grammar(path)
    assert told in str(caught.value)
    assert "family.toml:" in str(caught.value)


def test_equal_outcomes_have_one_digest(tmp_path: Path) -> None:
    same = NIM.replace("1..h", "0..h - 1").replace('"h - m"', '"m"')
    digests = [digest_outcomes(question_of(tmp_path, x)) for x in (NIM, same, NIM.replace("loses", "wins"))]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.slow
def test_what_only_the_search_believes_is_no_theorem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question = question_of(tmp_path, NIM, name="a1")
    honest = search(question)

    def lie(_: object, __: object, ___: object, outcome: SearchProgress, shorten: bool) -> None:
        outcome.stage, outcome.obstacle = honest.stage, ""
        outcome.text, outcome.formula = (x.replace("== 0", "== 1") for x in (honest.text, honest.formula))

    monkeypatch.setattr(searching, "find_winners", lie)
    found = searching.search(RulesetSearchJob("a1", NIM, "", None))
    assert found["verdict"] == Verdict.INCONCLUSIVE.value
    assert found["claim"] == ""
    assert "refuted" in str(found["obstacle"])


@pytest.mark.slow
def test_nothing_is_kept_of_a_game_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tables contain reference cycles, which only the garbage collector frees."""

    def count() -> int:
        return sum(isinstance(x, (GameSolver, FrameEvaluator)) for x in gc.get_objects())

    monkeypatch.setattr(searching, "find_winners", lambda *_, **__: None)
    gc.collect()
    before = count()
    gc.disable()
    try:
        searching.search(RulesetSearchJob("a1", NIM, "", None))
    finally:
        gc.enable()
    assert count() == before


# -- runs -------------------------------------------------------------------------------------------------------------
def run(family: Grammar, found: dict[str, Record], stops: str = "") -> None:
    """Settle the missing games. `stops`: the game at which Ctrl-C is pressed."""

    def settle(job: RulesetSearchJob) -> Record:
        if job.id == stops:
            raise KeyboardInterrupt
        return {"verdict": "proved", "claim": job.id, "obstacle": "", "outcomes": job.id}

    jobs = [make_job(m, None) for m in family.members if not m.mirror and m.id not in found]
    settle_games(jobs, settle, found.__setitem__, use_local(1), 1)


def test_a_run_that_was_stopped_goes_on_and_ends_the_same(family: Grammar, tmp_path: Path) -> None:
    whole: dict[str, Record] = {}
    run(family, whole)
    journal = Journal(tmp_path / "journal.jsonl", "this run")
    assert journal.load() == {}
    part: dict[str, Record] = {}
    with pytest.raises(KeyboardInterrupt):
        run(family, part, stops="a06")
    assert max(part) == "a05"
    journal.begin({})
    for id, record in part.items():
        journal.add(id, record)
    with journal.path.open("a") as file:
        file.write('{"id": "a06", "fou')  # killed while writing
    again = journal.load()
    assert again == part
    run(family, again)
    assert make_atlas(family, again) == make_atlas(family, whole)


class Deadly(ThisProcess):
    """Workers that are killed by one game."""

    def __init__(self, id: str) -> None:
        self.id = id

    def submit(self, function: Callable[..., object], /, *args: object) -> Future[object]:
        future = super().submit(function, *args)
        (job,) = args
        assert isinstance(job, RulesetSearchJob)
        if job.id == self.id:
            future = Future()
            future.set_exception(Lost())
        return future


def test_a_game_that_kills_its_workers_does_not_end_the_run(family: Grammar) -> None:
    found: dict[str, Record] = {}
    jobs = [make_job(m, None) for m in family.members[:3]]
    settle_games(jobs, lambda job: {"verdict": job.id}, found.__setitem__, lambda _: nullcontext(Deadly("a02")), 1)
    assert found == {"a01": {"verdict": "a01"}, "a02": DIED, "a03": {"verdict": "a03"}}


def test_a_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path / "j", "one").begin({"a1": {}})
    with pytest.raises(OtherRun, match="a run of another family"):
        Journal(tmp_path / "j", "two").load()
    (tmp_path / "j").write_text("nothing of ours\n")
    with pytest.raises(OtherRun, match="a run of another family"):
        Journal(tmp_path / "j", "one").load()


# -- the atlas --------------------------------------------------------------------------------------------------------
def sample_atlas(family: Grammar) -> Atlas:
    found: dict[str, Record] = {}
    run(family, found)
    found["a02"] = {"verdict": "inconclusive", "obstacle": "<b>no formula</b>", "nearest": "(1, 2)", "outcomes": "a01"}
    found["a05"] = DIED
    return make_atlas(family, found)


def test_an_atlas_tells_each_ruleset_once(family: Grammar) -> None:
    atlas = sample_atlas(family)
    told = {entry.id: entry for entry in atlas.entries}
    assert told["a04"].mirror == "a02"
    assert told["a04"].verdict is told["a02"].verdict is Verdict.INCONCLUSIVE
    assert told["a04"].claim == ""
    assert told["a02"].like == "a01"
    assert told["a05"].verdict is Verdict.INCONCLUSIVE
    assert "died" in told["a05"].obstacle
    assert atlas.summary == "20 rulesets: 17 theorems, 0 formulas right in a box, 3 open"


def test_the_files_of_an_atlas_are_those_of_this_run(family: Grammar, tmp_path: Path) -> None:
    atlas = sample_atlas(family)
    write_files(atlas, tmp_path)
    (tmp_path / "claims" / "a99.toml").write_text("of an earlier run")
    write_files(atlas, tmp_path)
    write_page(atlas, tmp_path)
    assert {p.name for p in (tmp_path / "claims").glob("*.toml")} == {f"{e.id}.toml" for e in atlas.entries if e.claim}
    assert json.loads((tmp_path / "atlas.json").read_text("utf-8"))["entries"][0]["claim"] == "a01"


def test_what_a_page_tells_is_escaped(family: Grammar) -> None:
    atlas = sample_atlas(family)
    named = replace(atlas, title="<script>", entries=(replace(atlas.entries[0], title="<u>"), *atlas.entries[1:]))
    page = to_atlas_page(named)
    assert "<script>:" not in page
    assert "<u>" not in page
    assert page.count("<li id=") == 20
