"""The premises of proofs by folds: for each a proof in which it fails, and the obligation that says so."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from claims.files import load_claim
from encoders.effort import USUAL
from encoders.folds.encoder import settle

HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\n'
RULES = 'format = 1\ntitle = "R"\nplayers = ["A", "B"]\nstuck = "{}"\n[[moves]]\nchoose = "any heap h"\n{}\n'
BOUTON = """ruleset = "mine"
[forall]
s = "position"
[claim]
then = "iff(wins(s), X_is_not_zero)"
[define]
X_is_not_zero = "nim_sum(s) != 0"
[scope]
s = { heaps = "0..1", size = "1..1" }
[proof]
sizes = "< 2^8"
[proof.folds]
X = "nim_sum(s)"
N = "len(s)"
B = "count(h > 1 for h in s)"
[proof.facts]
"no more than all" = "B <= N"
[proof.loses]
mover = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "h - (h ^ X)" }
"""
NIM = 'pick = { m = "1..h" }\nbecome = ["h - m"]'
ANYWHERE = '[[proof.moves]]\nwhen = "N >= 1"\nheap = "any"\ntake = { m = "1" }\nto = "anywhere"\n'
FACT = '"no more than all" = "B <= N"'
LOSES = 'mover = "X == 0"'
WHEN = 'when = "X != 0"'
HEAP = 'heap = "top bit of X"'
TAKE = 'take = { m = "h - (h ^ X)" }'
SPLIT = 'sizes = "< 2^8"\nsplit = ["k < 5", "k > 5"]'


@pytest.fixture
def failing(tmp_path: Path) -> Any:
    """The obligations that are not proved, by name."""

    def run(*changes: tuple[str, str], rules: str = NIM, stuck: str = "loses") -> set[str]:
        (tmp_path / "mine.toml").write_text(RULES.format(stuck, rules), "utf-8")
        text = BOUTON
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        path = tmp_path / "claim.toml"
        path.write_text(HEAD + text, "utf-8")
        claim = load_claim(path, "claim")
        answer = settle(claim, claim.scope("quick"), None, replace(USUAL, seeds=(17,)))
        assert answer.obligations, answer.detail
        return {o.name for o in answer.obligations if o.result != "proved"}

    return run


def test_with_all_its_premises_the_proof_goes_through(failing: Any) -> None:
    assert failing() == set()


@pytest.mark.parametrize(
    ("obligation", "changes"),
    [
        ("fact 'no more than all', no heap", [(FACT, '"no more than all" = "N >= 1"')]),
        ("fact 'no more than all', one more heap", [(FACT, '"no more than all" = "B == N"')]),
        ("fact 'no more than all', one more heap", [(FACT, '"no more than all" = "N <= 3"')]),
        ("closed", [(LOSES, 'mover = "X <= 1"')]),
        ("cases cover", [(WHEN, 'when = "X > 1"')]),
        ("cases cover", [(LOSES, 'mover = "X == 0 and N >= 1"')]),
        ("reply 1: heap", [(HEAP, 'heap = "any with h >= 5"')]),
        ("reply 1: heap", [(WHEN, 'when = "True"'), (LOSES, 'mover = "X == 0 and N >= 1"')]),
        ("reply 1: legal", [(TAKE, 'take = { m = "h - (h ^ X) + h" }')]),
        ("reply 1: leads to a loss", [(TAKE, 'take = { m = "1" }')]),
        ("claim", [("nim_sum(s) != 0", "nim_sum(s) > 1")]),
        (
            "cases of the claim cover",
            [
                ('sizes = "< 2^8"', SPLIT),
                ('s = "position"', 'k = "1.."\ns = "position"'),
                ("[scope]", "[scope]\nk = 1"),
            ],
        ),
    ],
)
def test_a_premise_that_fails_is_named(failing: Any, obligation: str, changes: list[tuple[str, str]]) -> None:
    assert obligation in failing(*changes)


@pytest.mark.parametrize(
    ("obligation", "rules"),
    [
        ("measure of mine", 'pick = { m = "0..h" }\nbecome = ["h - m"]'),
        ("measure of mine", 'pick = { m = "1..h + 1" }\nbecome = ["h - m"]'),
        ("rules of mine are defined", 'pick = { m = "1..h" }\nwhere = "6 // (h - 3) < 9"\nbecome = ["h - m"]'),
    ],
)
def test_a_game_that_is_none_is_named(failing: Any, obligation: str, rules: str) -> None:
    assert obligation in failing(rules=rules)


def test_under_misere_play_who_loses_can_move(failing: Any) -> None:
    end = (TAKE, TAKE + "\n" + ANYWHERE)
    assert "stuck: the cases cover every loss" in failing(stuck="wins")
    assert "stuck: the cases cover every loss" in failing(end, stuck="wins")
