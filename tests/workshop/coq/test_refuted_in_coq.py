"""Refuted mutants for Coq: their numbers reproduce them, and an accepted one is reported."""

import stat
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate

from . import mutants
from .mutants import SILENT, Mutant, Refusal, forge, make, place, put_to_coq, summary, theorems

RESTING = ("classics/whole-heaps-small", "nim/table-n-n-normal")  # they use classics/whole-heaps-sums and nim/bouton
REFUSED = Refusal(3, "nim/bouton", ("a change",), "refuted at s = (1)", 0, "Lemma claim", 1.0)


@contextmanager
def drawing_from_few():
    """Draw only from two claims: mutants of all theorems would be others whenever the list of theorems changes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mutants, "by_rule", lambda: {"folds": RESTING})
        yield


@pytest.fixture
def few():
    with drawing_from_few():
        yield


@pytest.fixture(scope="module")
def mutant():
    with drawing_from_few():
        return make(1, 0)


@pytest.mark.slow
def test_a_mutant_is_false_and_has_the_proof_of_a_theorem(mutant) -> None:
    assert mutant.parent in theorems()
    assert mutant.parent in RESTING
    assert mutant.why.startswith("refuted at") or "does not decrease" in mutant.why
    assert "Theorem " in mutant.text
    assert "Section Proof." in mutant.text
    with drawing_from_few():
        assert make(1, 0).text == mutant.text


@pytest.mark.parametrize(("code", "at"), [("exit 0", ""), ('echo "line 9," >&2; exit 1', "Notation P1")])
def test_coq_is_believed(mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, at: str) -> None:
    coqc = tmp_path / "coqc"
    coqc.write_text(f"#!/bin/sh\n{code}\n")
    coqc.chmod(coqc.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert put_to_coq(mutant, tmp_path).at == ("" if not at else place(mutant.text, "line 9,"))


@pytest.mark.parametrize(
    ("granted", "line", "asked", "at"),
    [("grep", 12, 1, "Lemma claim"), ("! grep", 12, 2, "Lemma claim"), ("true || grep", 9, 2, "Definition a")],
)
def test_what_is_accepted_where_lemmas_are_granted_is_asked_whole(
    mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, granted: str, line: int, asked: int, at: str
) -> None:
    """This Coq refuses a file with `Admitted`, or accepts only that; or it stops before the proved part."""
    coqc = tmp_path / "coqc"
    told = f'for file; do :; done; echo >>{tmp_path}/asked; if {granted} -q Admitted "$file"'
    coqc.write_text(f'#!/bin/sh\n{told}; then echo "line {line}," >&2; exit 1; fi\n')
    coqc.chmod(coqc.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    text = "\n" * 8 + "Definition a := 1.\nLemma a : True.\nProof. lia. Qed.\nLemma claim : False.\nProof. lia. Qed.\n"
    assert put_to_coq(replace(mutant, text=text), tmp_path).at == at
    assert len((tmp_path / "asked").read_text()) == asked


def test_a_mutant_is_not_refused_for_a_file_that_is_not_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    coqc = tmp_path / "coqc"
    coqc.write_text(
        "#!/bin/sh\necho 'Error: Cannot find a physical path bound to logical path nim.bouton' >&2; exit 1\n"
    )
    coqc.chmod(coqc.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(RuntimeError, match="not compiled that mutant 7 rests on"):
        put_to_coq(Mutant(7, "nim/bouton", (), "refuted", "", 0), tmp_path)


def test_a_forged_theorem_has_the_statement_of_the_false_claim_and_the_proof_of_the_true_one() -> None:
    true, other = (load_claim(theorems()[x].path, x) for x in ("nim/bouton", "nim/table-n-n-normal"))
    lost, zero = true.conclusion.args
    false = replace(true, conclusion=replace(true.conclusion, args=(lost.args[0], zero)))
    before, after = generate(true).text.splitlines(), forge(true, false).text.splitlines()
    assert len(before) == len(after)
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert len(changed) == 2  # in the statement, and in the lemma from which it follows
    assert all(b == a.replace("~ wins", "wins") != a for a, b in changed)
    assert forge(true, other) is None  # it has other variables


def test_each_rule_of_proof_has_a_mutant() -> None:
    assert {"computation", "folds", "few heaps", "grundy", "value", "periodic"} <= mutants.by_rule().keys()
    assert {id for ids in mutants.by_rule().values() for id in ids} == theorems().keys()
    assert make(1, 0, rule="folds").parent in mutants.by_rule()["folds"]


@pytest.mark.usefixtures("few")
def test_a_mutant_rests_on_what_is_compiled(tmp_path: Path) -> None:
    assert {make(1, number).parent for number in (0, 11)} == set(RESTING)
    lemma = tmp_path / "claims" / "classics" / "whole_heaps_sums.vo"
    lemma.parent.mkdir(parents=True)
    lemma.touch()
    assert {make(1, number, tmp_path).parent for number in (0, 11)} == {RESTING[0]}


def test_an_accepted_mutant_is_told() -> None:
    said = summary([REFUSED, replace(REFUSED, number=4, at=""), replace(REFUSED, number=5, at=SILENT)])
    assert said.startswith("3 refuted mutants of 1 theorems: 1 accepted by Coq\n     1 refused at Lemma claim\n")
    assert "     1 had no answer in 240 s: 5\n" in said
    assert "ACCEPTED, AND FALSE: 4 of nim/bouton: a change (refuted at s = (1))" in said


def test_the_lemma_is_named_at_which_coq_stops() -> None:
    assert (
        place("Lemma a :\n  True.\nLemma b : False.\nProof. lia. Qed.\n", 'File "x", line 4, characters') == "Lemma b"
    )
