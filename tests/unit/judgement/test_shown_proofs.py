"""From a [proof] and the results of its obligations to the text for the reader."""

from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest
from shown_proofs import ENTRIES, load, load_wrong, settle_by_hand

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.presentation import mathematics as proofs
from checks.presentation.mathematics import ExampleMoveFinder, show_proof
from checks.results.model import ClaimResult
from checks.results.shown import ExampleMove, ProofPresentation, ProofRow, write_plain
from checks.results.verdicts import Verdict
from checks.results.wording import Fate, find_ground, find_marks, find_open
from claims.language.files.library import select
from encoders.proving.reading import Prover, load_claim
from encoders.proving.registry import RULES
from encoders.refusals import Unsupported

EXAMPLES = {"folds": "kl-nim/theorem-14", "grundy": "kl-nim/theorem-6", "value": "large-nim/theorem-1"}


def proof_of(result: ClaimResult) -> ProofPresentation:
    assert result.presentation.proof is not None
    return result.presentation.proof


def rows(proof: ProofPresentation, kind: str) -> list[ProofRow]:
    return [row for table in proof.tables if table.kind == kind for row in table.rows]


def instances(proof: ProofPresentation) -> list[ExampleMove]:
    return [row.instance for table in proof.tables for row in table.rows if row.instance is not None]


@pytest.mark.parametrize("id", EXAMPLES.values(), ids=EXAMPLES)
def test_every_obligation_stands_in_one_place(id: str) -> None:
    result = settle_by_hand(load(id))
    shown = [step.name for table in proof_of(result).tables for row in table.rows for step in row.steps]
    assert sorted([*shown, *proof_of(result).other_obligations]) == sorted(o.name for o in result.finding.obligations)
    assert [asked.name for asked in proof_of(result).obligation_texts] == [o.name for o in result.finding.obligations]
    assert all(o.sequent is None for o in result.finding.obligations)


def test_an_obligation_is_shown_as_it_was_asked() -> None:
    claim = load("nim/bouton")
    asked = {x.name: x for x in proof_of(settle_by_hand(claim)).obligation_texts}
    (closed,) = (s for s in RULES["folds"].obligations(claim, Prover()) if s.name == "closed")
    assert asked["closed"].text == "\n".join(closed.lines())
    assert "<math><mi>m</mi></math> from 1 up" in asked["closed"].markup
    assert asked["closed"].markup.startswith("<p>for ")


def test_what_is_long_is_not_typeset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "TYPESET", 300)
    asked = proof_of(settle_by_hand(load("nim/bouton"))).obligation_texts
    assert {bool(x.markup) for x in asked} == {True, False}
    assert all(bool(x.markup) == (len(x.text) <= 300) for x in asked)


# -- proofs that fail -------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_wrong_move_is_marked_at_its_row_with_the_values(tmp_path: Path) -> None:
    load_wrong(tmp_path)
    (entry,) = select((str(tmp_path / "wrong.toml"),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.INCONCLUSIVE
    (move,) = rows(proof_of(result), "moves")
    open_ = find_open(result, move)
    assert open_ is not None
    assert (open_.label, open_.fate) == ("leads to a loss", Fate.FAILED)
    assert open_.obligation is not None
    values = dict(open_.obligation.values)
    assert values["X of s"] != 0
    assert values["new size"] == 0, "the whole heap is taken"
    assert all(f"{name} = {value}" in open_.description for name, value in values.items())
    others = [row for table in proof_of(result).tables for row in table.rows if row is not move]
    assert [row for row in others if find_open(result, row)] == []


@pytest.mark.slow
def test_what_comes_after_a_failure_is_named_and_was_not_tried() -> None:
    claim = load("kl-nim/theorem-14")
    whole, cut = settle_by_hand(claim), settle_by_hand(claim, "reply 3 (P2 to move): legal")
    assert proof_of(cut).tables == proof_of(whole).tables
    assert proof_of(cut).other_obligations == proof_of(whole).other_obligations
    marks = [m for row in rows(proof_of(cut), "moves") for m in find_marks(cut, row.steps)]
    failed = next(i for i, m in enumerate(marks) if m.fate is Fate.FAILED)
    assert marks[failed].name == "reply 3 (P2 to move): legal"
    assert {m.fate for m in marks[:failed]} == {Fate.PROVED}
    assert {m.fate for m in marks[failed + 1 :]} == {Fate.UNTRIED}
    assert len(proof_of(cut).obligation_texts) == len(cut.finding.obligations)


def test_ground_that_was_not_reached_is_named(tmp_path: Path) -> None:
    cut = settle_by_hand(load("large-nim/theorem-1"), "region closed")
    untried = [m.name for m in find_ground(cut) if m.fate is Fate.UNTRIED]
    assert untried == ["defined: value(s) needs a player from 0 to n - 1"]


def test_a_claim_that_its_rule_does_not_follow_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise Unsupported("no such game")

    monkeypatch.setattr(RULES["folds"], "outline", refuse, raising=False)
    shown = show_proof(load("nim/bouton"))
    assert (shown.summary, shown.tables) == ("The rule does not support the claim: no such game.", ())
    assert "closed" in shown.other_obligations, "its obligations are named all the same"


def test_an_error_of_ours_in_a_table_costs_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise KeyError("lost")

    monkeypatch.setattr(proofs, "typesetter", fail)
    shown = show_proof(load("nim/bouton"))
    assert shown.tables == ()
    assert "KeyError" in shown.summary


def test_a_proof_about_two_games_says_of_which_each_statement_is() -> None:
    (follows,) = rows(show_proof(load("classics/misere-moore-large-heaps")), "claim")
    (said,) = (x for x in follows.cells[0].parts if not isinstance(x, str))
    assert "in normal play" in write_plain(said.markup) and write_plain(said.markup).endswith("in misère play")


# -- instances --------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_each_move_of_theorem_14_has_an_instance_at_the_same_k_and_l() -> None:
    proof = show_proof(load("kl-nim/theorem-14"))
    found = instances(proof)
    assert len(found) == len(rows(proof, "moves")) == 10
    assert {x.values for x in found} == {(("k", 3), ("l", 4))}
    assert [(x.before, x.after) for x in found[:2]] == [((1, 2), (1, 1)), ((1, 3), (1, 1))]
    assert [x.mover for x in found] == ["P1"] * 2 + ["P2"] * 8


@pytest.mark.slow
def test_an_instance_is_a_move_by_the_rules_worked_out_by_hand() -> None:
    may_not_take = {"P1": 3, "P2": 4}  # k = 3 and l = 4
    for x in instances(show_proof(load("kl-nim/theorem-14"))):
        rest = list(x.before)
        rest.remove(x.heap)
        assert tuple(sorted(h for h in (*rest, x.left) if h)) == x.after
        assert 0 <= x.left < x.heap
        assert x.heap - x.left != may_not_take[x.mover]


def test_an_instance_wins() -> None:
    for id in ("nim/bouton", "nim/table-n-n-normal"):
        (x,) = instances(show_proof(load(id)))
        assert reduce(xor, x.after) == 0
        assert x.mover == ""


def test_a_move_that_loses_is_no_instance(tmp_path: Path) -> None:
    (found,) = instances(show_proof(load_wrong(tmp_path)))
    assert found.before == (1, 1, 1), "taking a whole heap leaves nim-sum 0 here, but not at (1, 2)"


@pytest.mark.slow
def test_a_move_that_the_rules_forbid_is_no_instance(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    text = ENTRIES["kl-nim/theorem-14"].path.read_text("utf-8")
    assert text.count('take = { m = "l - k" }') == 1
    path.write_text(text.replace('take = { m = "l - k" }', 'take = { m = "l" }'), "utf-8")
    move = rows(show_proof(load_claim(path, "claim")), "moves")[4]
    assert [step.name for step in move.steps][1] == "reply 3 (P2 to move): legal"
    assert move.instance is None, "P2 may not take l"
    assert rows(show_proof(load("kl-nim/theorem-14")), "moves")[4].instance is not None


def test_where_no_position_fits_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExampleMoveFinder, "_choices", lambda self: iter(()))
    assert instances(show_proof(load("nim/bouton"))) == []


@pytest.mark.slow
def test_the_referee_is_given_so_many_steps_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.presentation.mathematics.INSTANCE_STEPS", 50)
    assert instances(show_proof(load("kl-nim/theorem-14"))) == []
