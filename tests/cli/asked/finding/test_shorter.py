"""A shorter [proof] is accepted, and no needed part is left out."""

from dataclasses import replace
from pathlib import Path

import pytest
from commands import run_within

from encoders.compute.arrays.limits import Deadline
from encoders.proving.reading import load_claim
from encoders.search.find import SearchProgress, SearchStage
from encoders.search.proofs import ClaimFile, proof_of, shorten

HEAD = (
    'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "lemma"\nruleset = "nim"\n'
    '[forall]\ns = "position"\n[scope]\ns = { heaps = "0..2", size = "1..3" }\n[claim]\n'
)
WINS = f'{HEAD}then = "iff(not wins(s), nim_sum(s) == 0)"\n'
MOVE = '[[proof.moves]]\nwhen = "X != 0"\nheap = "top bit of X"\ntake = { m = "h - (h ^ X)" }\n'
BOUTON = f'[proof]\nrule = "folds"\n\n[proof.folds]\nX = "nim_sum(s)"\n\n[proof.loses]\nmover = "X == 0"\n\n{MOVE}'
MORE = BOUTON.replace('X = "nim_sum(s)"\n', 'X = "nim_sum(s)"\n# not needed\nn = "len(s)"\n').replace(
    "[proof.loses]", '[proof.facts]\n# nor this\n"none" = "implies(n == 0, X == 0)"\n\n[proof.loses]'
)
TWICE = MORE.replace(MOVE, f"{MOVE}\n# the same again\n{MOVE}")


def shortened(folder: Path, claim: str, proof: str) -> SearchProgress:
    path, outcome = folder / "claim.toml", SearchProgress()
    path.write_text(f"{claim}\n{proof}", "utf-8")
    bare = replace(load_claim(path, "claim"), proof=None)
    shorten(ClaimFile(bare, path), proof_of(path.read_text("utf-8")), Deadline(None), lambda _: None, outcome)
    return outcome


@pytest.mark.parametrize("more", [MORE, TWICE])
def test_what_is_not_needed_is_left_out_with_its_comments(tmp_path: Path, more: str) -> None:
    assert shortened(tmp_path, WINS, more).text == BOUTON


def test_a_proof_that_needs_all_of_it_stays(tmp_path: Path) -> None:
    outcome = shortened(tmp_path, WINS, BOUTON)
    assert (outcome.stage, outcome.obstacle) == (SearchStage.NOTHING, "every part of the proof is needed")


def test_what_holds_by_definition_alone_needs_no_more(tmp_path: Path) -> None:
    claim = f'{HEAD}if = "nim_sum(s) == 0"\nthen = "all(nim_sum(t) != 0 for t in options(s))"\n'
    assert shortened(tmp_path, claim, BOUTON).text == '[proof]\nrule = "definition"\n'


@pytest.mark.parametrize(
    ("proof", "told"),
    [
        (BOUTON.replace("X == 0", "X == 1"), "the [proof] of the claim fails"),
        ("", "has no [proof]"),
    ],
)
def test_a_proof_that_is_none_is_not_made_shorter(tmp_path: Path, proof: str, told: str) -> None:
    outcome = shortened(tmp_path, WINS, proof)
    assert outcome.stage is SearchStage.NOTHING
    assert told in outcome.obstacle


@pytest.mark.slow
def test_the_command_shows_a_patch_or_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(f"{WINS}\n{MORE}", "utf-8")
    done = run_within("shorten", "claim.toml", cwd=tmp_path)
    assert done.returncode == 0
    assert '-n = "len(s)"' in done.stdout
    done = run_within("shorten", "claim.toml", "--write", cwd=tmp_path)
    assert done.stdout.startswith("proved (all values)")
    assert path.read_text("utf-8") == f"{WINS}\n{BOUTON}"
    assert run_within("shorten", "claim.toml", cwd=tmp_path).returncode == 3
