"""The digest of a receipt covers everything on which the claim rests, as it was read, and nothing else."""

import hashlib
import shutil
from pathlib import Path

import pytest

import claims.language.files.toml
from checks.command.replay import BadReceipt, replay
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.receipts.receipt import write_receipt
from claims.language.files.library import LIBRARY, Entry
from encoders.proving.reading import load_claim


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the claims on K-L-Nim and the ruleset, to be edited."""
    shutil.copytree(LIBRARY / "kl-nim", tmp_path / "kl")
    (tmp_path / "kl" / "rulesets").mkdir()
    shutil.copy(LIBRARY / "rulesets" / "kl-nim.toml", tmp_path / "kl" / "rulesets")
    return tmp_path / "kl"


def digest(folder: Path, name: str) -> str:
    return load_claim(folder / f"{name}.toml", name).digest


@pytest.mark.parametrize(
    ("claim", "file", "covered"),
    [
        ("complete-solution", "complete-solution.toml", True),
        ("complete-solution", "rulesets/kl-nim.toml", True),
        ("complete-solution", "theorem-14.toml", True),  # a case uses this proof
        ("complete-solution", "corollary-15.toml", True),
        ("lemma-11-move-two-heaps", "lemma-11-two-heaps.toml", True),  # the claim uses this proof
        ("theorem-12", "theorem-14.toml", True),  # a lemma
        ("complete-solution", "lemma-11.toml", False),
        ("lemma-11", "theorem-14.toml", False),
    ],
)
def test_the_files_that_a_digest_covers(folder: Path, claim: str, file: str, covered: bool) -> None:
    before = digest(folder, claim)
    with (folder / file).open("a", encoding="utf-8") as text:
        text.write("# a comment\n")
    assert (digest(folder, claim) != before) is covered


CLAIM = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "L"\nrole = "conjecture"\n'
BODY = (
    'ruleset = "nim"\n[forall]\ns = "position"\n[claim]\nthen = "direct(s) >= 0"\n'
    '[scope]\ns = { heaps = "0..1", size = "1..2" }\n'
)
SHARED = (
    'format = 1\n[define]\n"direct(s)" = "indirect(s) + 1"\n"indirect(s)" = "len(s)"\n"unused(s)" = "len(s)"\n'
    '"proving(x)" = "x == 0"\n'
)
PROOF = '[proof]\nsizes = "< 2^8"\n[proof.folds]\nx = "nim_sum(s)"\n[proof.loses]\nmover = "proving(x)"\n'


@pytest.mark.parametrize(
    ("old", "new", "covered"),
    [
        ('"indirect(s) + 1"', '"indirect(s) + 2"', True),
        ('"indirect(s)" = "len(s)"', '"indirect(s)" = "len(s) + 0"', True),
        ('"x == 0"', '"0 == x"', True),  # only the proof calls it
        ('"unused(s)" = "len(s)"', '"unused(s)" = "len(s) + 0"', False),
    ],
)
def test_the_shared_definitions_that_a_digest_covers(tmp_path: Path, old: str, new: str, covered: bool) -> None:
    (tmp_path / "c.toml").write_text(CLAIM + BODY + PROOF, "utf-8")
    (tmp_path / "definitions.toml").write_text(SHARED, "utf-8")
    before = digest(tmp_path, "c")
    assert old in SHARED
    (tmp_path / "definitions.toml").write_text(SHARED.replace(old, new), "utf-8")
    assert (digest(tmp_path, "c") != before) is covered


def test_a_digest_is_of_the_texts_and_not_of_the_place(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "elsewhere")
    assert digest(folder, "complete-solution") == digest(tmp_path / "elsewhere", "complete-solution")


def test_each_file_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    before = claims.language.files.toml.read
    monkeypatch.setattr(claims.language.files.toml, "read", lambda path: read.append(path) or before(path))
    load_claim(folder / "complete-solution.toml", "x")
    assert len(read) == len(set(read)) >= 5


def test_a_claim_edited_during_the_run_leaves_the_receipt_of_what_was_settled(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(CLAIM + BODY.replace("direct(s)", "len(s)"), "utf-8")
    entry = Entry(str(tmp_path / "c"), path)
    result = settle_entry(entry, Options())
    path.write_text(CLAIM + BODY.replace("direct(s)", "len(s) - 5"), "utf-8")
    receipt = write_receipt(result, entry, Options(), tmp_path / "receipts", "0")
    with pytest.raises(BadReceipt, match="has changed"):
        replay(receipt)
    path.write_text(CLAIM + BODY.replace("direct(s)", "len(s)"), "utf-8")
    assert replay(receipt).confirmed


def test_a_claim_knows_the_files_that_it_is_read_from(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    claim = load_claim(Path("kl/theorem-12.toml"), "kl/theorem-12")
    files = dict(claim.basis.files)
    assert {"kl/theorem-12.toml", "kl/theorem-14.toml", "kl/rulesets/kl-nim.toml"} <= set(files)
    assert all(files[name] == hashlib.sha256(Path(name).read_bytes()).hexdigest() for name in files)
    example = load_claim(Path("kl/example-10.toml"), "kl/example-10")
    assert "kl/definitions.toml" in dict(example.basis.files)
