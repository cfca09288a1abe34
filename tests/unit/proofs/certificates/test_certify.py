"""Certificates of real claims: written by a run, and checked by `checks certify` against the present claim."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import run_within
from forging import alone
from samples import alter
from settling import settle_whole

from checks.judgement.scopes import Options
from checks.receipts.certificates import (
    list_evidence,
    locate_certificate,
    name_file,
    to_text,
    write_certificate,
    write_checker,
)
from checks.receipts.certify import CertifyResult, certify
from checks.receipts.receipt import find_place, make_receipt, seal, store
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import LIBRARY, Entry
from reports.write import replacing

SMALL = Options(overrides=(("s.heaps", "0..2"), ("s.size", "1..3")))
ID = "own/bouton"


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, ClaimResult]]:
    """Return a folder with claims on Nim outside the library, and the result of a proved one."""
    folder = tmp_path_factory.mktemp("claims")
    (folder / "own").mkdir()
    (folder / "rulesets").mkdir()
    shutil.copy(LIBRARY / "nim" / "bouton.toml", folder / "own")
    shutil.copy(LIBRARY / "rulesets" / "nim.toml", folder / "own")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        result = settle_whole(Entry("own/bouton", Path("own/bouton.toml")), SMALL)
        assert result.verdict is Verdict.PROVED
        assert result.provenance.certificate == "certificates/own/bouton.json"
        yield folder, result


@pytest.fixture
def report(proved: tuple[Path, ClaimResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a report with the certificates of the claim, whose files are in the working folder."""
    folder, result = proved
    shutil.copytree(folder, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    write_certificate(result, tmp_path / "report")
    write_checker(tmp_path / "report")
    return tmp_path / "report"


def of(report: Path) -> CertifyResult:
    (found,) = certify(report)
    return found


def file_of(report: Path) -> Path:
    return report / "certificates" / "own" / "bouton.json"


def test_a_proof_is_certified_by_both(report: Path) -> None:
    found = of(report)
    assert found.problem == ""
    assert found.certified > 5 and found.trusted == ()
    assert found.words == f"own/bouton: {found.certified} obligations certified"
    code, said = alone(file_of(report), "--claims", ".")
    assert code == 0 and f"{found.certified} obligations certified, 0 only trusted" in said


def test_the_same_proof_gives_the_same_file(proved: tuple[Path, ClaimResult]) -> None:
    result = proved[1]
    assert to_text(result) == to_text(pickle.loads(pickle.dumps(result)))
    assert to_text(result) == to_text(alter(result, seconds=result.provenance.seconds + 1))


def test_files_of_the_library_are_named_alike_wherever_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert name_file(str(LIBRARY / "nim" / "bouton.toml")) == "claims/nim/bouton.toml"
    assert name_file("mine/bouton.toml") == "mine/bouton.toml"


def test_only_what_is_proved_by_obligations_has_certificates(proved: tuple[Path, ClaimResult]) -> None:
    result = proved[1]
    assert locate_certificate(result) == "certificates/own/bouton.json"
    assert locate_certificate(replace(result, verdict=Verdict.INCONCLUSIVE)) == ""
    assert locate_certificate(alter(result, obligations=())) == ""


def test_the_command_says_what_it_finds(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run_within("certify", "--report", str(report), cwd=Path.cwd())
    assert done.returncode == 0
    found = of(report)
    ending = f"{found.certified} obligations certified, 0 only trusted, 0 claims refused"
    assert done.stdout.splitlines() == [found.words, ending]
    file_of(report).write_text("{", "utf-8")
    done = run_within("certify", "--report", str(report), cwd=Path.cwd())
    assert done.returncode == 1 and "REFUSED certificates/own/bouton.json" in done.stdout
    file_of(report).unlink()
    assert run_within("certify", "--report", str(report), cwd=Path.cwd()).returncode == 2


# -- rejected files ---------------------------------------------------------------------------------------------------
Change = Callable[[list[dict[str, Any]]], None]


def first(obligations: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the first obligation with a lemma by states that its tree uses."""
    return next(o for o in obligations if any("states" in x for x in o["lemmas"]))


def remove_state(o: list[dict[str, Any]]) -> None:
    next(x for x in first(o)["lemmas"] if "states" in x)["states"].pop()


def change_leaf(o: list[dict[str, Any]]) -> None:
    tree = first(o)["tree"]
    while isinstance(tree[1], list):
        tree = tree[1]
    tree[1] = -len(first(o)["lemmas"]) if tree[1] == 0 else 0


def change_coefficient(o: list[dict[str, Any]]) -> None:
    lemma = next(x for x in first(o)["lemmas"] if "states" in x)
    first(o)["atoms"][abs(lemma["literals"][0]) - 1][1][0][0] += 1


def remove_lemma(o: list[dict[str, Any]]) -> None:
    first(o)["lemmas"].pop()


def swap_formulas(o: list[dict[str, Any]]) -> None:
    one, other = first(o), next(x for x in o if x is not first(o) and x["formula"] != first(o)["formula"])
    one["formula"], other["formula"] = other["formula"], one["formula"]


def write_nothing(o: list[dict[str, Any]]) -> None:
    """Replace the negation of an obligation by `false`."""
    first(o).update(letters=0, atoms=[], formula=False, lemmas=[], tree=0)


def write_true(o: list[dict[str, Any]]) -> None:
    """Replace a negated letter by `true`, which is equal to the letter 1 in Python."""
    for x in o:
        text = json.dumps(x["formula"])
        if '["not", 1]' in text:
            x.update(formula=json.loads(text.replace('["not", 1]', '["not", true]')), lemmas=[], tree=0)
            return
    raise AssertionError


def swap_certificates(o: list[dict[str, Any]]) -> None:
    one, other = o[0], first(o[1:])
    for key in ("letters", "atoms", "formula", "lemmas", "tree"):
        one[key], other[key] = other[key], one[key]


def say_less(o: list[dict[str, Any]]) -> None:
    o[0]["says"] = ["show true"]


def leave_out(o: list[dict[str, Any]]) -> None:
    del o[2]


def rename(o: list[dict[str, Any]]) -> None:
    o[2]["name"] += " (P3)"


def turn(o: list[dict[str, Any]]) -> None:
    o.reverse()


BOTH: list[Change] = [remove_state, change_leaf, change_coefficient, remove_lemma, swap_formulas]
BY_THE_CLAIM: list[Change] = [write_nothing, write_true, swap_certificates, say_less, leave_out, rename, turn]


@pytest.mark.parametrize("change", [*BOTH, *BY_THE_CLAIM])
def test_a_changed_certificate_is_refused(change: Change, report: Path) -> None:
    path = file_of(report)
    data = json.loads(path.read_text("utf-8"))
    change(data["obligations"])
    path.write_text(json.dumps(data), "utf-8")
    assert of(report).problem
    assert of(report).words.startswith("REFUSED ")
    if change in BOTH:
        assert alone(path)[0] == 1


def test_what_no_longer_has_a_proof_counts_as_trusted_and_is_named(report: Path) -> None:
    path = file_of(report)
    data = json.loads(path.read_text("utf-8"))
    one = data["obligations"][1]
    data["obligations"][1] = {"name": one["name"], "says": one["says"], "trusted": ["Z3", "cvc5"]}
    path.write_text(json.dumps(data), "utf-8")
    found = of(report)
    assert found.problem == "" and found.trusted == ((one["name"], ("Z3", "cvc5")),)
    assert found.words.endswith(f"; trusted to Z3 and cvc5: {one['name']}")


@pytest.mark.parametrize("file", ["own/bouton.toml", "own/nim.toml"])
def test_a_certificate_for_an_older_version_is_stale(file: str, report: Path) -> None:
    with Path(file).open("a", encoding="utf-8") as text:
        text.write("# a comment\n")
    assert "stale" in of(report).problem and file in of(report).problem
    code, said = alone(file_of(report), "--claims", ".")
    assert code == 1 and file in said


def test_a_certificate_that_forgets_a_file_is_refused(report: Path) -> None:
    path = file_of(report)
    data = json.loads(path.read_text("utf-8"))
    del data["files"]["own/nim.toml"]
    path.write_text(json.dumps(data), "utf-8")
    assert "own/nim.toml" in of(report).problem


def test_a_file_cut_short_is_refused(report: Path) -> None:
    path = file_of(report)
    text = path.read_text("utf-8")
    for end in (0, 1, 100, len(text) // 2, len(text) - 3):
        path.write_text(text[:end], "utf-8")
        assert of(report).problem
        assert alone(path)[0] == 1


def test_a_certificate_in_the_place_of_another_is_refused(report: Path) -> None:
    file_of(report).rename(file_of(report).with_name("misere.json"))
    assert "is not the expected path for the certificates of" in of(report).problem


def test_a_claim_that_is_proved_needs_certificates(proved: tuple[Path, ClaimResult], report: Path) -> None:
    receipt = make_receipt(proved[1], Entry(ID, Path("own/bouton.toml")), SMALL, "0")
    store(report / "receipts" / "own" / "bouton.json", json.dumps(receipt))
    assert of(report).problem == ""
    file_of(report).unlink()
    assert "its certificates are missing" in of(report).problem


# -- the claim of a file ----------------------------------------------------------------------------------------------
def certify_named(report: Path, *words: str) -> tuple[int, list[str]]:
    done = run_within("certify", *words, "--report", str(report), cwd=Path.cwd())
    return done.returncode, done.stdout.splitlines()


def put_elsewhere(report: Path, folder: str) -> None:
    """Copy the claim and its ruleset into this folder, and let the certificates refer to the copies."""
    shutil.copytree("own", Path(folder, "own"))
    text = file_of(report).read_text("utf-8")
    file_of(report).write_text(text.replace('"own/', f'"{folder}/own/').replace(f'"{folder}/own/bouton",', f'"{ID}",'))


def test_the_file_that_is_named_is_certified(report: Path) -> None:
    assert certify_named(report, "own/bouton.toml")[0] == 0
    put_elsewhere(report, "other")
    code, said = certify_named(report, "own/bouton.toml")
    told = "the certificates belong to the claim in 'other/own/bouton.toml', not to the claim in 'own/bouton.toml'"
    assert code == 1 and said[0] == f"REFUSED own/bouton: {told}"


def test_a_certificate_of_a_file_that_only_ends_alike_is_refused(report: Path) -> None:
    put_elsewhere(report, "other")
    assert (
        "the file 'other/own/bouton.toml' does not exist in this folder, or does not contain the claim"
        in of(report).problem
    )


def test_a_claim_of_ones_own_is_not_taken_for_that_of_the_library(report: Path) -> None:
    data = json.loads(file_of(report).read_text("utf-8")) | {"claim": "nim/bouton"}
    store(report / "certificates" / "nim" / "bouton.json", json.dumps(data))
    code, said = certify_named(report, "nim/bouton")
    assert code == 1 and "belong to the claim in 'own/bouton.toml', not to the claim in 'claims/nim" in said[0]


@pytest.mark.parametrize("words", [("own/other.toml",), ("own/bouton.toml", "own/other.toml")])
def test_a_claim_with_neither_certificates_nor_a_receipt_is_named(report: Path, words: tuple[str, ...]) -> None:
    shutil.copy("own/bouton.toml", "own/other.toml")
    code, said = certify_named(report, *words)
    told = f"REFUSED own/other: there is neither a certificate file nor a receipt for it in {report}"
    assert code == 1 and told in said


def put_receipt(result: ClaimResult, report: Path, **changes: Any) -> Path:
    data = {**make_receipt(result, Entry(ID, Path("own/bouton.toml")), SMALL, "0"), **changes}
    path = report / "receipts" / "own" / "bouton.json"
    store(path, json.dumps({**data, "seal": seal(data)}))
    return path


def test_a_receipt_says_why_a_claim_has_no_certificates(proved: tuple[Path, ClaimResult], report: Path) -> None:
    file_of(report).unlink()
    put_receipt(proved[1], report, verdict="verified")
    code, said = certify_named(report, "own/bouton.toml")
    assert said[0] == "own/bouton: nothing to certify: its verdict is verified, without a proof" and code == 2
    path = put_receipt(proved[1], report, claim="own/other")
    code, said = certify_named(report, "own/bouton.toml")
    assert code == 1 and said[0] == f"REFUSED own/bouton: {path} is the receipt of 'own/other'"
    assert "is not the expected path for the receipt of" in of(report).problem
    path.write_text("{", "utf-8")
    assert certify_named(report, "own/bouton.toml")[0] == 1
    assert "not JSON" in of(report).problem


def test_what_the_report_calls_proved_has_something_to_show(report: Path) -> None:
    claims = [{"id": ID, "verdict": "proved"}, {"id": "own/x", "verdict": "proved"}, {"id": "y", "verdict": "refuted"}]
    (report / "report.json").write_text(json.dumps({"claims": claims}), "utf-8")
    assert [x.words for x in certify(report)][1:] == [
        (
            "REFUSED own/x: report.json lists the claim as proved, "
            "but there is neither a certificate file nor a receipt for it"
        )
    ]
    (report / "report.json").write_text("{}", "utf-8")
    assert [x.claim for x in certify(report) if x.problem] == ["report.json"]


def test_a_claim_whose_name_has_lines_has_one_line(report: Path) -> None:
    data = json.loads(file_of(report).read_text("utf-8")) | {"claim": "x\nown/bouton: 18 obligations certified"}
    store(find_place(report / "certificates", data["claim"], ".json"), json.dumps(data))
    code, said = certify_named(report)
    assert code == 1 and len(said) == 3 and said[0].startswith("REFUSED x own/bouton: 18 obligations certified: ")


@pytest.mark.parametrize("what", ["certificates", "certificates/own", "certificates/own/bouton.json", "certificates/x"])
def test_a_symbolic_link_among_the_certificates_is_named_and_not_followed(report: Path, what: str) -> None:
    path, elsewhere = report / what, report.parent / "elsewhere"
    if path.exists():
        path.rename(elsewhere)
    path.symlink_to(elsewhere)
    found = [x for x in certify(report) if x.problem]
    assert [x.words for x in found] == [
        f"REFUSED {what}: a symbolic link, which is not followed; expected a file written by a run"
    ]
    code, said = certify_named(report, "own/bouton.toml")
    assert (code, said[0].startswith(f"REFUSED own/bouton: {path}: a symbolic link")) == (
        (0, False) if what.endswith("/x") else (1, True)
    )


@pytest.mark.parametrize("what", ["receipts", "receipts/own/bouton.json", "report.json"])
def test_a_symbolic_link_among_the_receipts_is_named_and_not_followed(
    proved: tuple[Path, ClaimResult], report: Path, what: str
) -> None:
    put_receipt(proved[1], report)
    file_of(report).unlink()
    path, elsewhere = report / what, report.parent / "elsewhere"
    if path.exists():
        path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert f"REFUSED {what}: a symbolic link, which is not followed" in " ".join(x.words for x in certify(report))
    if what != "report.json":
        code, said = certify_named(report, "own/bouton.toml")
        assert code == 1 and said[0].startswith(f"REFUSED own/bouton: {path}: a symbolic link")


def test_the_certificate_of_an_earlier_run_goes_where_the_claim_is_no_longer_proved(
    proved: tuple[Path, ClaimResult], report: Path
) -> None:
    assert file_of(report).exists()
    result = alter(proved[1], verdict=Verdict.INCONCLUSIVE, certificate="")
    with replacing(report) as new:
        new.gone.extend(list_evidence(result.id))
        write_certificate(result, new.path)
    assert not file_of(report).exists()
    assert list(certify(report)) == []
