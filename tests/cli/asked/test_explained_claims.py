"""`checks explain`: a claim in words, and at cases chosen so that a misread file is noticed."""

import json
import shlex
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from claim_texts import HEAD
from commands import run_within

from encoders.compute.engines import DEARER, ENGINES

FILES = {
    "misread.toml": f'{HEAD}ruleset = "nim"\nnotes = "whoever meets an odd number of heaps wins"\n'
    '[forall]\ns = "position"\n[claim]\n'
    'if = "len(s) % 2 == 1"\nthen = "not wins(s)"\n[scope]\ns = { heaps = "0..3", size = "1..9" }\n',
    "ill.toml": f'{HEAD}[forall]\nx = "0.."\n[claim]\nthen = "6 // x >= 0"\n[scope]\nx = "0..9"\n',
    "small.toml": f'{HEAD}[forall]\nx = "0.."\n[claim]\nif = "x <= 3"\nthen = "iff(x < 2, x * x < 3)"\n'
    '[scope]\nx = "0..9"\n',
    "breaks.toml": f'{HEAD}[forall]\nx = "0.."\n[claim]\nthen = "x < 3 or x > 5"\n[scope]\nx = "0..9"\n',
    "never.toml": f'{HEAD}[forall]\nx = "0.."\n[claim]\nif = "x < 0"\nthen = "x == 7"\n[scope]\nx = "0..9"\n',
}
SESSIONS = {
    "refuted": "kl-nim/lemma-11",
    "agreement": "nim/bouton",
    "computation": "kl-nim/example-3",
    "there-are": "large-nim/beta-not-enough",
    "at-a-case": "kl-nim/lemma-11 --set k=3 --set l=4 --set 's=(1, 2)'",
    "misread": "misread.toml",
    "ill-defined": "ill.toml",
    "never-met": "never.toml",
    "boundaries": "small.toml",
    "where-it-fails": "breaks.toml",
}
REFUSED = (
    "kl-nim/lemma-12345",
    "kl-nim/lemma-11 --set k=3",
    "kl-nim/lemma-11 --set k=3 --set l=4 --set s=5",
    "kl-nim/lemma-11 --set k=3 --set l=4 --set 's=()' --set m=1",
    "kl-nim/lemma-11 --set k=4 --set l=3 --set 's=(1, 2)'",
    "kl-nim/lemma-11 --set k=3 --set l={} --set 's=(1, 2)'",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", SESSIONS)
def test_a_claim_is_explained(name: str, folder: Path, golden: Callable[[str, str], None]) -> None:
    done = run_within("explain", *shlex.split(SESSIONS[name]), cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    golden("explain.txt", f"$ checks explain {SESSIONS[name]}\n{done.stdout}", name)


def test_what_cannot_be_explained_is_refused(folder: Path, golden: Callable[[str, str], None]) -> None:
    said = []
    for words in REFUSED:
        done = run_within("explain", *shlex.split(words), cwd=folder)
        assert (done.returncode, done.stdout) == (2, "")
        said.append(f"$ checks explain {words}\n{done.stderr}")
    golden("explain.txt", "\n".join(said), "refused")


def test_the_json_has_the_choice_of_the_engine_with_its_costs() -> None:
    (claim,) = json.loads(run_within("explain", "nim/bouton", "--json").stdout)["claims"]
    first, *others = claim["engines"]
    assert (first["name"], first["chosen"], first["reason"]) == ("arrays", True, "")
    assert not any(x["chosen"] for x in others)
    assert {x["name"] for x in claim["engines"]} == {engine.name for engine in ENGINES}
    able = [x for x in others if x["cost"] is not None]
    assert [(x["name"], x["cost"] >= first["cost"], x["reason"]) for x in able] == [
        ("bits", True, DEARER.format("arrays"))
    ]
    assert all(x["reason"] for x in others)
    (claim,) = json.loads(run_within("explain", "nim/bouton", "--set", "s=(1, 2)", "--json").stdout)["claims"]
    assert claim["engines"] == []


def test_a_claim_on_standard_input_is_explained(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(FILES["small.toml"].encode())))
    data = json.loads(run_within("explain", "-", "--json", cwd=folder).stdout)
    (claim,) = data["claims"]
    assert (claim["id"], claim["formal"]["if"]) == ("stdin", "x <= 3")
    assert claim["cases"][0]["values"] == "x = 0"
    assert claim["counts"].startswith(
        "6 small cases tried: the claim holds at 4 and fails at 0; its hypotheses fail at 2"
    )
