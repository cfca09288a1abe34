"""Certificates as Coq text: the checkers in Coq and in Python agree on valid and on damaged ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from coq_compiler import needs_coq, run_coq

from encoders.coq.certificates import (
    PREAMBLE,
    Certified,
    keep_each_once,
    read_certified,
    variables,
    write_certificate,
    write_file,
    write_library,
    write_whole,
)
from encoders.logic.certificates import Atom, Certificate, CertificateLemma, Summand, problem

# X ^ h == 0, m >= 1, h == m + y, X ^ y == 0: Bouton's "closed".
BOUTON = Certificate(
    6,
    (
        Atom("eq", ((1, "h"), (-1, "m"), (-1, "y")), 0),
        Atom("eq", ((1, ("xor", "X", "h")),), 0),
        Atom("eq", ((1, ("xor", "X", "y")),), 0),
        Atom("le", ((1, "m"),), 0),
    ),
    ("and", 1, 2, ("or", 3, False), ("not", 4), ("iff", 5, ("not", 6))),
    (CertificateLemma((1, 2, -4, 3), ((0, 0, -1, 0),)),),
    (2, (4, 0, (3, (1, -1, 0), 0)), 0),
)
# (x - y)^2 < 0, and x == y + 1 with x*y == x*x.
SQUARE = Atom("le", ((1, ("times", "x", "x")), (-2, ("times", "x", "y")), (1, ("times", "y", "y"))), 1)
BY_SUM = Certificate(
    2,
    (SQUARE, Atom("eq", ((1, "x"), (-1, "y")), 0)),
    ("and", 1, 2),
    (CertificateLemma((1, 2), summands=(Summand(1, (0,), ()), Summand(1, (1, 1), ()))),),
    (1, (2, -1, 0), 0),
)
# A product is one natural for the automaton: x*y + 1 <= 0 never holds; the other lemma has a tree that refers to it.
BY_TREE = Certificate(
    3,
    (Atom("le", ((1, ("times", "x", "y")), (2, ("and", "x", "z"))), 1),),
    ("and", ("or", 1, 2), ("or", 1, ("not", 2), 3), ("not", 3)),
    (CertificateLemma((1,), ((0,), (1,), (2,))), CertificateLemma((2,), tree=(1, -1, (3, 0, 0)))),
    (2, -2, (1, -1, 0)),
)
SOUND = {"Bouton": BOUTON, "by a sum": BY_SUM, "by a tree": BY_TREE}


def damaged() -> Iterator[tuple[str, Certificate]]:
    """Yield invalid certificates, and the reason."""
    lemma = BOUTON.lemmas[0]
    yield "no state", replace(BOUTON, lemmas=(replace(lemma, states=()),))
    yield "another state", replace(BOUTON, lemmas=(replace(lemma, states=((0, 0, 0, 0),)),))
    yield "a state that accepts", replace(BOUTON, lemmas=(replace(lemma, states=(*lemma.states, (0, 0, 0, 0))),))
    yield "no lemma", replace(BOUTON, lemmas=())
    yield "too few literals", replace(BOUTON, lemmas=(CertificateLemma((1, 2, 3), ((0, 0, 0),)),))
    yield "a literal the other way", replace(BOUTON, lemmas=(replace(lemma, literals=(1, 2, 4, 3)),))
    yield "a leaf changed", replace(BOUTON, tree=(2, (4, 0, (3, (1, 0, 0), 0)), 0))
    yield "a leaf of no lemma", replace(BOUTON, tree=(2, (4, 0, (3, (1, -2, 0), 0)), 0))
    yield "the lemma too early", replace(BOUTON, tree=(2, (4, 0, (3, -1, 0)), 0))
    yield "a weaker formula", replace(BOUTON, formula=("and", 1, 2, ("or", 3, 5), ("not", 4)))
    yield (
        "a larger coefficient",
        replace(BOUTON, atoms=(Atom("eq", ((1, "h"), (-2, "m"), (-1, "y")), 2), *BOUTON.atoms[1:])),
    )
    yield (
        "and for xor",
        replace(BOUTON, atoms=(BOUTON.atoms[0], Atom("eq", ((1, ("and", "X", "h")),), 0), *BOUTON.atoms[2:])),
    )
    first, second = BY_SUM.lemmas[0].summands
    for what, summands in {
        "a summand is missing": (first,),
        "a negative coefficient": (replace(first, coefficient=-1), second),
        "a place that is no literal": (replace(first, places=(2,)), second),
        "a product too many": (first, replace(second, streams=("x",))),
        "an equation once": (first, replace(second, places=(1,))),
        "no place": (replace(first, places=()), second),
    }.items():
        yield what, replace(BY_SUM, lemmas=(replace(BY_SUM.lemmas[0], summands=summands),))
    yield (
        "an equation that is false",
        replace(
            BY_SUM,
            formula=("and", 1, ("not", 2)),
            lemmas=(replace(BY_SUM.lemmas[0], literals=(1, -2)),),
            tree=(1, (2, 0, -1), 0),
        ),
    )
    yield "not below 0", replace(BY_SUM, atoms=(replace(SQUARE, constant=0), BY_SUM.atoms[1]))
    one, two = BY_TREE.lemmas
    yield "a lemma that names itself", replace(BY_TREE, lemmas=(one, replace(two, tree=-2)))
    yield "a lemma that names a later one", replace(BY_TREE, lemmas=(two, one), tree=(2, -1, (1, -2, 0)))
    yield "a lemma's leaf that is open", replace(BY_TREE, lemmas=(one, replace(two, tree=(1, -1, 0))))
    yield "a lemma of other literals", replace(BY_TREE, lemmas=(one, replace(two, literals=(-2,))), tree=-2)
    yield "a product that may be 0", replace(BY_TREE, atoms=(replace(BY_TREE.atoms[0], constant=0),))


def test_sound_ones_hold_in_python_and_damaged_ones_do_not() -> None:
    assert {name: problem(c) for name, c in SOUND.items()} == dict.fromkeys(SOUND, "")
    assert [name for name, c in damaged() if problem(c) == ""] == []


@needs_coq
def test_coq_says_the_same(checker: Path) -> None:
    checked = [*((c, "true") for c in SOUND.values()), *((c, "false") for _, c in damaged())]
    terms = ";\n".join(write_certificate(c) for c, _ in checked)
    said = "; ".join(wanted for _, wanted in checked)
    stated = f"Example as_expected : map check [{terms}] = [{said}].\nProof. vm_compute. reflexivity. Qed.\n"
    (checker / "Said.v").write_text(PREAMBLE + stated)
    assert run_coq(checker, "Said.v") == ""


@needs_coq
def test_what_does_not_hold_does_not_compile(checker: Path) -> None:
    (checker / "Sound.v").write_text(write_file(list(SOUND.items())))
    assert run_coq(checker, "Sound.v") == ""
    (checker / "Damaged.v").write_text(write_file([*SOUND.items(), next(damaged())]))
    assert "forallb check certificates = true" in run_coq(checker, "Damaged.v")


@needs_coq
def test_a_library_of_files_becomes_one_theorem(checker: Path, tmp_path: Path) -> None:
    for claim, names in {"a/b-c": ["Bouton", "by a sum"], "d/e": ["by a tree", "by a sum"]}.items():
        obligations = [{"name": n, "says": [], **SOUND[n].to_json()} for n in names]
        obligations.append({"name": "hard", "says": [], "trusted": ["Z3"]})
        (tmp_path / f"{claim.replace('/', '-')}.json").write_text(
            json.dumps({"format": 1, "claim": claim, "files": {}, "obligations": obligations})
        )
    found = write_library(tmp_path, checker / "library", files=2)
    assert [(c.claim, len(c.certificates), c.trusted) for c in found] == [
        ("a/b-c", 2, ("hard",)),
        ("d/e", 2, ("hard",)),
    ]
    assert [[n for n, _ in c.certificates] for c in keep_each_once(found)] == [["Bouton", "by a sum"], ["by a tree"]]
    files = {path.name: path.read_text("utf-8") for path in (checker / "library").iterdir()}
    assert files.keys() == {"Certificates_1.v", "Certificates_2.v", "Library.v"}
    assert sum(text.count("Definition certificate_") for text in files.values()) == 3
    assert sum("(* d/e: by a tree *)" in text for text in files.values()) == 1
    for name in sorted(files):
        assert run_coq(checker, f"library/{name}") == ""
    assert (checker / "library/Library.v").read_text().endswith("Print Assumptions all_certificates_hold.\n")


def write_run(folder: Path, names: Iterable[str]) -> None:
    """Write the certificates of those names, as a run writes them for a claim."""
    obligations = [{"name": name, "says": [], **SOUND[name].to_json()} for name in names]
    data = {"format": 1, "claim": "a/b", "files": {}, "obligations": obligations}
    folder.mkdir()
    (folder / "b.json").write_text(json.dumps(data))


def test_another_certificate_changes_no_file_but_its_own(tmp_path: Path) -> None:
    texts = []
    for run in (["by a sum", "by a tree"], ["Bouton", "by a sum", "by a tree"]):
        write_run(folder := tmp_path / f"{len(run)}", run)
        write_library(folder, out := tmp_path / f"out {len(run)}", files=64)
        texts.append({path.name: path.read_text("utf-8") for path in out.glob("Certificates_*.v")})
    assert [len(files) for files in texts] == [2, 3]
    assert texts[0].items() < texts[1].items()


def test_the_file_of_all_says_nothing_of_a_file_that_is_left_out(tmp_path: Path) -> None:
    write_run(tmp_path / "run", SOUND)
    write_library(tmp_path / "run", out := tmp_path / "out", files=64)
    first, *others = sorted(path.stem for path in out.glob("Certificates_*.v"))
    (out / f"{first}.v").unlink()
    write_whole(out)
    text = (out / "Library.v").read_text("utf-8")
    assert others and all(f"{other}.certificates" in text and f"{other}.no_models" in text for other in others)
    assert first not in text


def test_variables_are_numbered_as_they_occur() -> None:
    assert variables(BOUTON) == ["h", "m", "y", "X"]


def test_a_name_cannot_end_its_comment() -> None:
    assert "(* evil * ) Axiom a: False. ( * 'x *)" in write_file([('evil *) Axiom a: False. (* "x', BOUTON)])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[", "Expecting value"),
        ("{}", "expected certificates of a claim, format 1"),
        ('{"format": 2, "claim": "a/b", "obligations": []}', "format 1"),
        ('{"format": 1, "claim": "a/b", "obligations": {}}', "expected a list of obligations"),
        ('{"format": 1, "claim": "a/b", "obligations": [{}]}', "obligation 1 has no name"),
        ('{"format": 1, "claim": "a/b", "obligations": [{"name": "x", "atoms": 1}]}', "x: atoms: expected a list"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=wrong) as refused:
        read_certified(path)
    assert str(path) in str(refused.value)


def test_tables_quotients_and_what_is_trusted_are_no_formulas(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    kinds = '{"name": "t", "table": {}}, {"name": "q", "quotient": {}}, {"name": "z", "trusted": "Z3"}'
    path.write_text(f'{{"format": 1, "claim": "a/b", "obligations": [{kinds}]}}')
    assert read_certified(path) == Certified("a/b", (), ("z",))


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected certificates"):
        write_library(tmp_path, tmp_path / "out")


@pytest.mark.parametrize("what", ["certificates", "certificates/nim", "certificates/nim/x.json"])
def test_a_symbolic_link_among_certificates_is_named_and_not_followed(what: str, tmp_path: Path) -> None:
    folder, path = tmp_path / "certificates", tmp_path / what
    (folder / "nim").mkdir(parents=True)
    (folder / "nim" / "x.json").write_text('{"format": 1, "claim": "nim/x", "obligations": []}')
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=f"{what}: a symbolic link, which is not followed"):
        write_library(folder, tmp_path / "out")
