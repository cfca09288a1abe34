"""The identity of a run: the digest of the claims, the versions, and the position of each claim in its file."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from case_files import write_inputs
from samples import BARE, alter

from checks.command.run import digest_library, list_versions
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import Entry, list_library
from encoders.solvers.effort import USUAL

BAD = Path(__file__).parents[2] / "golden" / "bad"
ONE, OTHER = (alter(BARE, id=name, digest=name * 64) for name in "ab")


def test_the_digest_is_that_of_the_claims_in_any_order() -> None:
    expected = hashlib.sha256(("a" * 64 + "\n" + "b" * 64 + "\n").encode()).hexdigest()
    assert digest_library([ONE, OTHER]) == digest_library([OTHER, BARE, ONE]) == expected
    assert digest_library([ONE]) != expected


def test_a_second_solver_is_named_where_it_is_asked() -> None:
    names = [name for name, _ in list_versions(USUAL, ())]
    assert names[:3] == ["Python", "nim-checks", "Z3"] or names == ["Python", "nim-checks"]
    pytest.importorskip("cvc5")
    assert [name for name, _ in list_versions(replace(USUAL, second=True), ())] == [*names, "cvc5"]


def test_a_claim_stands_where_its_conclusion_does() -> None:
    entry = next(entry for entry in list_library() if entry.id == "nim/example-3-4-5")
    found = settle_entry(entry, Options())
    lines = entry.path.read_text("utf-8").splitlines()
    assert lines[found.provenance.line - 1].startswith("then = ")
    assert found.provenance.file.endswith("claims/nim/example-3-4-5.toml")


def refused_case(topic: str, name: str, folder: Path) -> tuple[Path, ClaimResult]:
    """Return the file of a case of tests/golden/bad, and the result of settling it."""
    ((case, written),) = [(c, w) for c, w in write_inputs(BAD / f"{topic}.txt", folder) if c.name == name]
    path = written / next(iter(case.files))
    return path, settle_entry(Entry(name, path), Options())


def test_a_file_that_cannot_be_read_stands_where_its_fault_is(tmp_path: Path) -> None:
    path, found = refused_case("claim", "name-unknown", tmp_path)
    assert found.verdict is Verdict.ERROR
    assert found.provenance.file.endswith(path.name)
    line = path.read_text("utf-8").splitlines()[found.provenance.line - 1]
    assert "nim_sum(r)" in line
    assert found.finding.error.splitlines()[1].strip() == line.strip()


def test_a_fault_in_the_file_beside_it_has_no_line(tmp_path: Path) -> None:
    path, found = refused_case("shared", "shared-broken", tmp_path)
    assert found.verdict is Verdict.ERROR
    assert found.provenance.file.endswith(path.name)
    assert found.provenance.line == 0
