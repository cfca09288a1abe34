"""The places of lemmas, their names, and that each file is loaded once."""

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest
from settling import put_claim, put_plain

from claims.language.errors import ClaimError
from claims.language.files import proofs as lemma_files
from claims.language.files import toml as sources
from claims.language.files.claim import Claim
from claims.language.files.library import LIBRARY, Entry, list_lemmas
from encoders.proving.reading import load_claim


@pytest.fixture(autouse=True)
def here(tmp_path: Path) -> Iterator[Path]:
    with chdir(tmp_path):
        yield tmp_path


def load(path: Path) -> Claim:
    return load_claim(path, path.as_posix().removesuffix(".toml"))


def ids(path: Path) -> list[str]:
    """Return the ids of a claim's lemmas; a run finds the same ones without loading the claim."""
    claim = load(path)
    named = list_lemmas(Entry(claim.id, path))
    assert [(x.id, x.path) for x in claim.lemmas] == [(x.id, x.file) for x in named]
    return [x.id for x in claim.lemmas]


def test_a_name_alone_is_of_the_same_folder() -> None:
    put_claim(Path("mine") / "lemma.toml")
    put_claim(Path("other") / "lemma.toml")
    path = put_claim(Path("mine") / "a.toml", "lemma")
    assert ids(path) == ["mine/lemma"]
    with chdir("mine"):
        assert ids(Path("a.toml")) == ["lemma"]
    with chdir("other"):
        folder = Path("..") / "mine"
        (lemma,) = load(folder / "a.toml").lemmas
        assert lemma.path == (folder / "lemma.toml").resolve()


def test_another_folder_is_looked_for_beside_the_own_and_then_in_the_library() -> None:
    put_claim(Path("other") / "lemma.toml")
    path = put_claim(Path("mine") / "a.toml", "other/lemma", "nim/bouton")
    assert ids(path) == ["other/lemma", "nim/bouton"]
    assert load(path).lemmas[1].path == (LIBRARY / "nim" / "bouton.toml").resolve()
    put_claim(Path("nim") / "bouton.toml")
    assert load(path).lemmas[1].path == Path("nim/bouton.toml").resolve()
    with chdir("mine"):
        assert [x.path.name for x in load(Path("a.toml")).lemmas] == ["lemma.toml", "bouton.toml"]


def test_lemmas_of_the_library_have_the_ids_of_the_library() -> None:
    path = put_claim(Path("mine") / "a.toml", "nim/last-move-only")
    (lemma,) = load(path).lemmas
    assert lemma.id == lemma.claim.id == "nim/last-move-only"
    assert [x.id for x in lemma.claim.lemmas] == ["nim/bouton", "nim/misere"]


def test_a_lemma_is_read_whole_with_its_own_proof_and_lemmas() -> None:
    put_plain(Path("mine") / "third.toml", "nim_sum(s) >= 0")
    put_claim(Path("mine") / "second.toml", "third")
    claim = load(put_claim(Path("mine") / "first.toml", "second"))
    (second,) = claim.lemmas
    assert second.claim.proof is not None
    assert [x.id for x in second.claim.lemmas] == ["mine/third"]
    assert claim.proof_uses == ("mine/second",)


def test_each_file_is_read_once_however_many_ways_lead_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are two claims on each of twelve floors, each resting on both claims below: 4096 paths."""
    for floor in range(12):
        below = [f"{side}{floor - 1}" for side in "ab"] if floor else []
        for side in "ab":
            put_claim(Path("mine") / f"{side}{floor}.toml", *below)
    read: list[Path] = []
    opened = sources.read

    def reading(path: Path) -> sources.SourceFile:
        read.append(path)
        return opened(path)

    monkeypatch.setattr(sources, "read", reading)
    claim = load(Path("mine") / "a11.toml")
    own = [path for path in read if path.parent.name == "mine"]
    assert len(own) == len(set(own)) == 23
    assert claim.lemmas[0].claim.lemmas[0].claim is claim.lemmas[1].claim.lemmas[0].claim


@pytest.mark.slow
def test_an_argument_of_too_many_claims_in_a_row_is_refused() -> None:
    put_claim(Path("mine") / "c0.toml")
    for i in range(1, lemma_files.MOST + 1):
        put_claim(Path("mine") / f"c{i}.toml", f"c{i - 1}")
    assert load(Path("mine") / f"c{lemma_files.MOST - 1}.toml").lemmas
    with pytest.raises(ClaimError, match="more than 40 claims, each of which uses the next"):
        load(Path("mine") / f"c{lemma_files.MOST}.toml")


def test_a_digest_covers_all_of_each_lemma_and_no_place(here: Path) -> None:
    put_claim(Path("mine") / "second.toml")
    put_claim(Path("mine") / "first.toml", "second")
    path = put_claim(Path("mine") / "a.toml", "first")
    before = load(path).digest
    Path("mine").rename("yours")
    assert load(Path("yours") / "a.toml").digest == before
    put_claim(Path("yours") / "second.toml", then="nim_sum(s) >= 0")
    assert load(Path("yours") / "a.toml").digest != before


def test_what_cannot_be_read_names_no_lemma() -> None:
    """A run orders claims by the names in their files; faults are reported when the files are loaded."""
    put_claim(Path("mine") / "lemma.toml")
    for text in ("[proof", "proof = 3", "[proof]\nby = 3\nfrom = 4\ncases = 5", '[proof]\nby = [3, "none", "lemma"]'):
        path = Path("mine") / "a.toml"
        path.write_text(text, "utf-8")
        assert [x.id for x in list_lemmas(Entry("mine/a", path))] == ["mine/lemma"] * ("none" in text)
