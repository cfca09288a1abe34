"""The two verifiers, ours and the standalone page: files that both accept, and files that both reject."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from forging import FILE, alone, at, changed, claim, ours, write

from checks.receipts.certificates import CHECKER


def test_both_accept_a_lemma_of_each_kind(tmp_path: Path) -> None:
    path = write(tmp_path, FILE)
    assert ours(path) == ""
    code, said = alone(path)
    assert code == 0
    assert said.splitlines() == [
        f"only trusted, to ['Z3', 'cvc5']: {path}: hard",
        "7 obligations certified, 1 only trusted, 0 files refused",
        "NOT compared with the files of the claims: --claims FOLDER compares them",
    ]


def test_both_accept_an_equation_times_what_is_at_most_with_any_sign(tmp_path: Path) -> None:
    """x == y and z <= 0 and x * z < y * z: the first two are multiplied, and the product is 0."""
    less = ["le", [[1, ["times", "x", "z"]], [-1, ["times", "y", "z"]]], 1]
    sums = {"sum": [[-1, [0, 1], []], [1, [2], []]]}
    change = claim(["eq", [[1, "x"], [-1, "y"]], 0], sums, ["le", [[1, "z"]], 0], less, literals=[1, 2, 3])
    path = write(tmp_path, changed(change))
    assert (ours(path), alone(path)[0]) == ("", 0)


def test_nothing_is_printed_above_the_result_where_nothing_is_trusted_or_refused(tmp_path: Path) -> None:
    code, said = alone(write(tmp_path, {**FILE, "obligations": FILE["obligations"][:2]}))
    assert code == 0 and said.startswith("2 obligations certified, 0 only trusted, 0 files refused\n")


@pytest.mark.parametrize(
    ("lemma", "problem"),
    [
        ({"literals": [2, 3], "tree": [1, -1, 0]}, ""),  # the letter 3 names a part of the formula, not an atom
        ({"literals": [2, 4], "tree": [1, -1, [3, 0, 0]]}, "an invalid literal"),
        ({"literals": [2, 0], "tree": [1, -1, [3, 0, 0]]}, "an invalid literal"),
        ({"literals": [1, 2, 3], "states": [[0, -1]]}, "an invalid literal"),
        ({"literals": [1, 2, 3], "sum": [[1, [0], []]]}, "an invalid literal"),
    ],
)
def test_lemmas_by_cases_name_letters_and_others_name_atoms(
    lemma: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    lemmas = next(o for o in FILE["obligations"] if o["name"] == "cases")["lemmas"]
    path = write(tmp_path, changed(at("cases", "lemmas", to=[*lemmas, lemma])))
    code, said = alone(path)
    assert (code, problem in said) == (int(bool(problem)), True), said
    assert bool(ours(path)) is bool(problem)


def test_the_checker_is_a_page_that_needs_nothing_of_ours() -> None:
    text = CHECKER.read_text("utf-8")
    imported = {
        line.split()[1].partition(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))
    }
    assert imported == {"argparse", "base64", "hashlib", "itertools", "json", "pathlib", "sys", "zlib"}


def swap_formulas(o: dict[str, Any]) -> None:
    o["order"]["formula"], o["unequal"]["formula"] = o["unequal"]["formula"], o["order"]["formula"]


SHOWN = ("order", "lemmas", 0)
DAMAGES = {
    # files that must be rejected
    "a literal that no bit is read for": claim(
        ["le", [[1, "x"]], 0], {"states": [[-1, -1]]}, ["le", [], 0], literals=[-1, 2]
    ),
    "a state removed": at(*SHOWN, "states", to=[[0, -1], [-1, -1]]),
    "another state removed": at(*SHOWN, "states", to=[[0, -1], [0, 0]]),
    "the first state removed": at(*SHOWN, "states", to=[[-1, -1], [0, 0]]),
    "a state after a gone carry removed": at("unequal", "lemmas", 0, "states", to=[[0, 0], [0, 1], [None, 0]]),
    "a leaf that names the lemma changed": at("order", "tree", to=[1, [2, 0, 0], 0]),
    "a leaf where the formula is false changed": at("order", "tree", to=[1, [2, -1, -1], 0]),
    "a coefficient of an atom changed": at("order", "atoms", 0, 1, 0, 0, to=2),
    "a sign of an atom changed": at("order", "atoms", 1, 1, 1, 0, to=1),
    "a constant of an atom changed": at("order", "atoms", 0, 2, to=-1),
    "a coefficient of a sum changed": at("product", "lemmas", 0, "sum", 2, 0, to=2),
    "a lemma removed that the tree uses": at("order", "lemmas", to=[]),
    "a lemma removed that another uses": at("cases", "lemmas", to=[{"literals": [2], "tree": [1, -1, [3, 0, 0]]}]),
    "formulas swapped": swap_formulas,
    # invalid sums
    "a summand that may be negative": at("product", "lemmas", 0, "sum", to=[[-1, [], ["z"]], [-1, [], []]]),
    "a summand that is negative by itself": at("product", "lemmas", 0, "sum", to=[[-1, [], []]]),
    "a summand of nothing": at("product", "lemmas", 0, "sum", to=[[0, [0], []], [-1, [], []]]),
    "a sum that is no constant": at("product", "lemmas", 0, "sum", to=[[1, [0], ["z"]], [1, [1], []]]),
    "a sum that is 0": at("product", "lemmas", 0, "sum", to=[]),
    "a positive sum": at("product", "lemmas", 0, "sum", to=[[1, [], []]]),
    "a literal counted from the end": at("equation", "lemmas", 0, "sum", to=[[-1, [-2], []], [1, [-1], []]]),
    "a literal beyond the last": at("equation", "lemmas", 0, "sum", to=[[-1, [2], []]]),
    "an equation that is false": at("unequal", "lemmas", 0, to={"literals": [-1], "sum": [[-1, [0], []]]}),
    "an equation that is denied, among others": claim(
        ["eq", [[1, "x"], [-1, "y"]], 0],
        {"sum": [[-1, [0], []], [1, [1], []]]},
        ["le", [[1, "y"], [-1, "x"]], 5],
        literals=[-1, 2],
    ),
    "the sign of what is at most": at("order", "lemmas", 0, to={"literals": [1, -2], "sum": [[1, [1], []]]}),
    # invalid automata
    "a state that accepts": at("parity", "lemmas", 0, "states", to=[[0, -1], [0, 0]]),
    "a state of another length": at("parity", "lemmas", 0, "states", to=[[0, -1], [0, -1, 0]]),
    "no literals": at("order", "lemmas", 0, to={"literals": [], "states": [[]]}),
    "more variables than are looked at": at(
        "parity", "atoms", 0, 1, to=[[2, f"v{i}"] for i in range(14)] + [[1, "x"], [-1, "y"]]
    ),
    "a nim-sum taken for a sum": claim(
        ["eq", [[1, "x"], [1, "y"], [-1, ["xor", "x", "y"]]], 0], {"states": [[0]]}, literals=[-1]
    ),
    "an and taken for its first part": claim(
        ["eq", [[1, "x"], [-1, ["and", "x", "y"]]], 0], {"states": [[0]]}, literals=[-1]
    ),
    "at most taken for less": claim(
        ["le", [[1, "x"], [-1, "y"]], 0],
        {"sum": [[1, [0], []], [1, [1], []]]},
        ["le", [[1, "y"], [-1, "x"]], 0],
        literals=[1, 2],
    ),
    "a square taken for negative": claim(["le", [[1, ["times", "x", "x"]]], 0], {"states": [[-1]]}, literals=[1]),
    "two that are false taken for different": at("both", to={"formula": ["iff", False, False], "tree": 0}),
    "a letter of the formula that is 0": at("order", "formula", to=["and", 1, ["not", 2], 0]),
    "a letter of the formula that is negative": at("order", "formula", to=["and", 1, -2]),
    "a letter of the formula that is not there": at("order", "formula", to=["and", 1, ["not", 2], 3]),
    # nonexistent letters
    "a literal of a letter that is no atom": at("parity", "lemmas", 0, "literals", to=[1, 3]),
    "the literal 0": at("parity", "lemmas", 0, "literals", to=[1, 0]),
    "a literal beyond the atoms": at("parity", "lemmas", 0, "literals", to=[1, -4]),
    "a tree that splits on 0": at("order", "tree", to=[0, [1, [2, 0, -1], 0], [1, [2, 0, -1], 0]]),
    "a tree that splits on a letter too many": at("order", "tree", to=[3, [1, [2, 0, -1], 0], [1, [2, 0, -1], 0]]),
    "an atom without a letter": at("both", "atoms", to=[["le", [[1, "x"], [-1, ["and", "x", "y"]]], 1], ["eq", [], 0]]),
    "fewer letters than atoms": at("order", "letters", to=1),
    "no letters": at("order", "letters", to=-1),
    # leaves
    "a leaf with a lemma that is not there": at("order", "tree", to=[1, [2, 0, -2], 0]),
    "a leaf above 0": at("order", "tree", to=[1, [2, 0, 1], 0]),
    "a lemma by itself": at("cases", "lemmas", 1, "tree", to=-2),
    "a lemma by a later one": at("cases", "lemmas", 1, "tree", to=[1, -1, [3, -3, 0]]),
    "a lemma by cases that are open": at("cases", "lemmas", 1, "tree", to=[1, -1, 0]),
    "a lemma by cases for a letter that is not there": at("cases", "lemmas", 1, "literals", to=[2, 4]),
    "a tree that is one leaf": at("order", "tree", to=0),
    "a tree with the wrong lemma": at("order", "tree", to=-1),
    "half a tree": at("order", "tree", to=[1, [2, 0, -1]]),
}


@pytest.mark.parametrize("damage", DAMAGES.values())
def test_both_refuse(damage: Any, tmp_path: Path) -> None:
    path = write(tmp_path, changed(damage))
    code, said = alone(path)
    assert code == 1 and "REFUSED" in said, said
    assert ours(path)


MALFORMED = {
    "true for a coefficient": at("order", "atoms", 0, 1, 0, 0, to=True),
    "true for a constant": at("order", "atoms", 0, 2, to=True),
    "true for a carry": at("order", "lemmas", 0, "states", 2, 0, to=False),
    "true for a letter": at("order", "tree", to=[True, [2, 0, -1], 0]),
    "false for a leaf": at("order", "tree", to=[1, [2, False, -1], 0]),
    "true for a literal": at("order", "lemmas", 0, "literals", 0, to=True),
    "true for a place": at("product", "lemmas", 0, "sum", 0, 1, 0, to=False),
    "a fraction for a coefficient": at("order", "atoms", 0, 1, 0, 0, to=1.0),
    "a fraction for a constant": at("order", "atoms", 0, 2, to=1.0),
    "a fraction for a leaf": at("order", "tree", to=[1, [2, 0.0, -1], 0]),
    "a text for a carry": at("order", "lemmas", 0, "states", 2, 0, to="0"),
    "nothing for a constant": at("order", "atoms", 0, 2, to=None),
    "nothing for letters": at("order", "letters", to=None),
    "an atom of another kind": at("order", "atoms", 0, 0, to="lt"),
    "an atom of four parts": at("order", "atoms", 0, to=["le", [], 0, 0]),
    "no list of atoms": at("order", "atoms", to={}),
    "no list of lemmas": at("order", "lemmas", to="lemmas"),
    "no list of terms": at("order", "atoms", 0, 1, to=""),
    "a stream of another kind": at("unequal", "atoms", 1, 1, 2, 1, 0, to="or"),
    "a stream of one": at("unequal", "atoms", 1, 1, 2, 1, to=["xor", "x"]),
    "a number for a stream": at("order", "atoms", 0, 1, 0, 1, to=7),
    "a formula of another kind": at("order", "formula", to=["xor", 1, 2]),
    "not of two": at("order", "formula", to=["not", 1, 2]),
    "iff of three": at("parity", "formula", to=["iff", 1, 2, 3]),
    "an empty formula": at("order", "formula", to=[]),
    "a text for a formula": at("order", "formula", to="false"),
    "nothing for a formula": at("order", "formula", to=None),
    "a tree of tables": at("order", "tree", to={"letter": 1}),
    "nothing for a tree": at("order", "tree", to=None),
    "a lemma with nothing that shows it": at("order", "lemmas", 0, to={"literals": [1, -2]}),
    "a lemma shown twice": at("order", "lemmas", 0, "sum", to=[[1, [], []]]),
    "a lemma shown otherwise": at("order", "lemmas", 0, to={"literals": [1, -2], "trust": True}),
    "another key": at("order", "note", to="true by experience"),
    "both a proof and trust": at("order", "trusted", to=["Z3"]),
    "trust in nobody": at("hard", "trusted", to=[]),
    "trust without names": at("hard", "trusted", to=True),
    "no name": at("order", "name", to=None),
    "no text": at("order", "says", to="x < y"),
    "a name twice": at("order", "name", to="parity"),
}


@pytest.mark.parametrize("damage", MALFORMED.values())
def test_both_refuse_what_has_another_form(damage: Any, tmp_path: Path) -> None:
    path = write(tmp_path, changed(damage))
    code, said = alone(path)
    assert code == 1 and "REFUSED" in said, said
    assert ours(path)


HEADS = {
    "another format": {**FILE, "format": 2},
    "true for the format": {**FILE, "format": True},
    "no claim": {**FILE, "claim": None},
    "no obligations": {**FILE, "obligations": []},
    "obligations that are no list": {**FILE, "obligations": {"obligations": []}},
    "an obligation that is none": {**FILE, "obligations": [None]},
    "files that are no table": {**FILE, "files": []},
    "another key": {**FILE, "seal": ""},
    "a key missing": {key: x for key, x in FILE.items() if key != "files"},
    "a list": [FILE],
    "nothing": "",
    "null": None,
    "a number": "1" * 5000,
    "a number of no size": "NaN",
    "not UTF-8": "\ud800",
    "brackets without end": "[" * 100_000,
    "a tree without end": json.dumps(FILE).replace('"tree": [1, [2, 0, -1], 0]', f'"tree": {"[1, " * 50_000}', 1),
    "a formula too deep": json.dumps(FILE).replace(
        '"formula": ["and", 1, ["not", 2]]', '"formula": ' + '["not", ' * 3001 + "1" + "]" * 3001, 1
    ),
}


@pytest.mark.parametrize("data", HEADS.values())
def test_both_refuse_what_is_no_file_of_certificates(data: Any, tmp_path: Path) -> None:
    path = write(tmp_path, "")
    text = data if isinstance(data, str) else json.dumps(data)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    code, said = alone(path)
    assert code == 1 and "REFUSED" in said, said
    assert ours(path)


@pytest.mark.slow
def test_a_file_cut_short_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    text = json.dumps(FILE)
    for end in range(0, len(text) - 1, 97):
        path = write(tmp_path, text[:end])
        assert alone(path)[0] == 1
        assert ours(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert alone(tmp_path / "nowhere.json")[0] == 1
    assert alone(tmp_path)[0] == 1
    assert ours(tmp_path / "nowhere.json")


def test_nothing_is_not_enough(tmp_path: Path) -> None:
    code, said = alone(tmp_path)
    assert code == 1 and "this folder contains no file *.json" in said
    assert alone()[0] == alone(tmp_path, "--claims")[0] == 2


def test_a_folder_stands_for_all_certificates_below_it(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b", FILE)
    write(tmp_path / "c", FILE)
    code, said = alone(tmp_path)
    assert code == 0 and f"{2 * len(FILE['obligations']) - 2} obligations certified, 2 only trusted" in said
    write(tmp_path / "d", changed(DAMAGES["a state removed"]))
    assert alone(tmp_path)[0] == 1


def test_the_checker_says_how_to_call_it() -> None:
    done = subprocess.run([sys.executable, str(CHECKER), "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert all(word in done.stdout for word in ("PLACE", "--claims", "--steps", "Exit code 0"))


def test_a_variable_is_not_taken_for_a_product_that_is_written_like_it(tmp_path: Path) -> None:
    """x * y and a variable with that name are two naturals, so one may be smaller than the other."""
    name = "['times', 'x', 'y']"
    product = ["times", "x", "y"]

    def change(o: dict[str, Any]) -> None:
        o["order"]["atoms"] = [["le", [[1, name], [-1, product]], 1], ["le", [[1, name], [-1, product]], 0]]
        o["order"]["formula"] = ["and", 1, 2]
        o["order"]["tree"] = [1, [2, -1, 0], 0]
        o["order"]["lemmas"] = [{"literals": [1, 2], "states": [[0, -1], [-1, -1]]}]

    for lemma in ({"literals": [1], "states": [[0]]}, {"literals": [1], "sum": [[1, [0], []]]}):
        data = changed(change)
        data["obligations"][1] |= {"lemmas": [lemma], "tree": [1, -1, 0]}
        path = write(tmp_path, data)
        assert alone(path)[0] == 1
        assert ours(path)


# -- files -----------------------------------------------------------------------------------------------------------
def test_a_claim_that_has_changed_is_refused(tmp_path: Path) -> None:
    import hashlib

    text = b"format = 1\n"
    (tmp_path / "claims" / "games").mkdir(parents=True)
    own = tmp_path / "claims" / "games" / "theorem.toml"
    own.write_bytes(text)
    path = write(tmp_path, {**FILE, "files": {"claims/games/theorem.toml": hashlib.sha256(text).hexdigest()}})
    code, said = alone(path, "--claims", tmp_path)
    assert code == 0 and said.endswith("\ncompared with the files of the claims: 1 files of 1 claims\n")
    own.write_bytes(text + b"# a comment\n")
    code, said = alone(path, "--claims", tmp_path)
    assert code == 1 and "REFUSED" in said and "claims/games/theorem.toml" in said
    own.unlink()
    assert alone(path, "--claims", tmp_path)[0] == 1


def test_it_is_said_where_files_are_not_compared(tmp_path: Path) -> None:
    code, said = alone(write(tmp_path, FILE))
    assert code == 0 and "NOT compared with the files of the claims: --claims FOLDER compares them" in said


FILES: list[dict[str, str]] = [{}, {"claims/games/other.toml": "0" * 64}, {"claims/games/theorem.toml/": "0" * 64}]


@pytest.mark.parametrize("files", FILES)
def test_where_the_claim_is_not_among_the_files_nothing_is_compared(files: dict[str, str], tmp_path: Path) -> None:
    path = write(tmp_path, {**FILE, "files": files})
    code, said = alone(path, "--claims", tmp_path)
    assert code == 1 and "nothing to compare: it does not list the file of games/theorem" in said
    assert said.endswith("\nNOT compared with the files of the claims: none\n")
    assert alone(path)[0] == 0


def test_one_bad_file_among_good_ones_is_enough(tmp_path: Path) -> None:
    good, bad = write(tmp_path / "a", FILE), write(tmp_path / "b", changed(DAMAGES["a state removed"]))
    code, said = alone(good, bad)
    assert code == 1
    assert "7 obligations certified, 1 only trusted, 1 files refused" in said
