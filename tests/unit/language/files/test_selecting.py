"""The claims that the arguments of a command name: ids, globs, files and folders."""

from pathlib import Path

import pytest

from claims.language.errors import ClaimError
from claims.language.files import library as entries
from claims.language.files.library import LIBRARY, list_lemmas, list_library, select
from claims.language.files.toml import SourceFile, display_path, read

HEAD = 'format = 1\ntitle = "T"\nstatement = "S"\nwork = "nim"\nlocator = "Lemma 1"\nrole = "lemma"\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Return a folder outside the library, the working directory, with two claims and a file that is not a claim."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine" / "rulesets").mkdir(parents=True)
    for name in ("one", "two"):
        (tmp_path / "mine" / f"{name}.toml").write_text(HEAD + '[claim]\nthen = "1 == 1"\n')
    (tmp_path / "mine" / "definitions.toml").write_text("format = 1\n")
    (tmp_path / "mine" / "game.toml").write_text((LIBRARY / "rulesets" / "nim.toml").read_text("utf-8"))
    (tmp_path / "mine" / "rulesets" / "other.toml").write_text("format = 1\n")
    (tmp_path / "mine" / "pyproject.toml").write_text('[project]\nname = "mine"\n')
    return tmp_path


def ids(*words):
    return [entry.id for entry in select(words)]


def test_a_file_of_the_library_is_known_by_any_path_that_leads_to_it(tmp_path, monkeypatch):
    (tmp_path / "file.toml").symlink_to(LIBRARY / "nim/bouton.toml")
    (tmp_path / "folder").symlink_to(LIBRARY / "nim")
    for path in (tmp_path / "file.toml", tmp_path / "folder/bouton.toml", LIBRARY / "nim/bouton.toml"):
        assert [e.id for e in select((str(path),))] == ["nim/bouton"], path
    library, outside, text = (
        tmp_path / "library",
        tmp_path / "outside",
        (LIBRARY / "nim/bouton.toml").read_text("utf-8"),
    )
    for folder in (library / "work", outside):
        folder.mkdir(parents=True)
    for name in ("a", "b"):
        (outside / f"{name}.toml").write_text(text, "utf-8")
    (library / "work/a.toml").symlink_to(outside / "a.toml")
    monkeypatch.setattr(entries, "LIBRARY", library)
    assert [e.id for e in select((str(outside / "a.toml"),))] == ["work/a"]
    (library / "linked").symlink_to(outside)
    assert [e.id for e in select((str(outside / "b.toml"),))] == ["linked/b"]


def test_a_working_directory_that_changes_changes_how_files_are_shown(tmp_path, monkeypatch):
    file = tmp_path / "a" / "b.toml"
    for folder, name in ((tmp_path, "a/b.toml"), (tmp_path / "a", "b.toml"), (tmp_path / "c", str(file))):
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        assert display_path(file) == name
    assert [display_path(Path(x)) for x in (".", "d/./e", "..")] == [".", "d/e", ".."]


def test_without_words_the_whole_library():
    assert select(()) == list_library()
    assert len({e.id for e in list_library()}) == len(list_library())
    assert all(e.path.is_file() for e in list_library())


def test_one_claim_is_found_without_a_look_at_the_others() -> None:
    looked: list[Path] = []

    def note(path: Path) -> SourceFile:
        looked.append(path)
        return read(path)

    assert [e.id for e in select(("nim/bouton",), note)] == ["nim/bouton"] and looked == []
    path = LIBRARY / "kl-nim" / "theorem-14.toml"
    assert [e.id for e in select((str(path),), note)] == ["kl-nim/theorem-14"] and set(looked) == {path}
    assert [e.id for e in select(("nim/*",), note)] == [e.id for e in list_library() if e.id.startswith("nim/")]


def test_ids_globs_and_folders_of_the_library(here):
    assert ids("nim/bouton") == ["nim/bouton"]
    assert ids("nim") == ids("nim/*") == [e.id for e in list_library() if e.id.startswith("nim/")]
    assert ids("nim/bouton", "nim/b*", "kl-nim/lemma-11") == ["nim/bouton", "kl-nim/lemma-11"]


def test_files_and_folders_outside(here):
    assert ids("mine") == ids("mine/one.toml", str(here / "mine" / "two.toml")) == ["mine/one", "mine/two"]
    assert ids(str(LIBRARY / "nim" / "bouton.toml")) == ["nim/bouton"]
    assert set(ids(str(LIBRARY / "kl-nim"))) == set(ids("kl-nim"))


@pytest.fixture
def twins(here):
    """Return a folder with the name of a work of the library, with a claim of the same name, and another one."""
    (here / "nim").mkdir()
    for name in ("bouton", "own"):
        (here / "nim" / f"{name}.toml").write_text(HEAD + '[proof]\nby = ["own"]\n[claim]\nthen = "1 == 1"\n')
    return here


@pytest.mark.parametrize(
    ("word", "text"),
    [
        (
            "nim",
            (
                "nim: this is ambiguous: it names 30 claims of the library, "
                "and also the path nim in the current folder\n"
                "expected: library:nim, or ./nim"
            ),
        ),
        (
            "nim/bouton",
            (
                "it names 1 claim of the library, and also the path nim/bouton.toml in the current folder\n"
                "expected: library:nim/bouton, or ./nim/bouton.toml"
            ),
        ),
        (
            "nim/*",
            "this is ambiguous: it names 30 claims of the library, and also the path nim/* in the current folder",
        ),
    ],
)
def test_a_word_that_names_two_things_is_refused(twins, word, text):
    (twins / "nim/*").mkdir()
    with pytest.raises(ClaimError) as caught:
        select(("kl-nim", word))
    assert text in str(caught.value)


def test_each_of_the_two_can_be_said(twins):
    inside, own = [e.id for e in list_library() if e.id.startswith("nim/")], ["nim/bouton.toml", "nim/own.toml"]
    assert ids("library:nim") == ids("nim/*") == inside
    assert ids("./nim") == ids("nim/") == ids(str(twins / "nim")) == own
    assert ids("library:nim/bouton", "./nim/bouton.toml") == ["nim/bouton", "nim/bouton.toml"]


def test_in_the_folder_of_the_library_its_names_mean_one_thing(monkeypatch):
    monkeypatch.chdir(LIBRARY)
    assert ids("nim/bouton") == ["nim/bouton"]
    assert len(ids("nim")) == 30


def test_no_id_of_a_file_outside_could_be_one_of_the_library(twins):
    (entry,) = select(("./nim/bouton.toml",))
    assert [e.id for e in list_lemmas(entry)] == ["nim/own.toml"]
    (twins / "mine" / "two.toml").write_text(HEAD + '[proof]\nby = ["nim/own"]\n[claim]\nthen = "1 == 1"\n')
    assert [e.id for e in list_lemmas(select(("mine/two.toml",))[0])] == ["nim/own.toml"]


def test_a_broken_file_of_a_folder_is_not_passed_over(here):
    (here / "mine" / "broken.toml").write_text("claim = [")
    assert ids("mine") == ["mine/broken", "mine/one", "mine/two"]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("nim/boutom", "nim/boutom: no such claim, file or folder\nexpected: an id that"),
        ("nim/boutom", "; did you mean 'nim/bouton'?"),
        ("mine/three.toml", "no such claim"),
        ("mine/rulesets", "this folder contains no claim file"),
        ("mine/definitions.toml", "this file is not a claim"),
        ("x" * 5000, "no such claim"),
        ("nim/zz*", "no such claim"),
        ("", "the name is empty\nexpected: an id, a glob over ids, a file or a folder"),
        ("library:mine", "library:mine: no such claim"),
    ],
)
def test_words_that_name_nothing(here, word, text):
    with pytest.raises(ClaimError) as caught:
        select((word,))
    assert text in str(caught.value)


def test_a_folder_without_an_entry_in_the_bibliography_is_listed_all_the_same(tmp_path, monkeypatch):
    (tmp_path / "works.toml").write_text('format = 1\n[works.b]\ntitle = "B"\n[works.absent]\ntitle = "C"\n')
    for work in ("a", "b", "rulesets"):
        (tmp_path / work).mkdir()
        (tmp_path / work / "claim.toml").write_text("")
    monkeypatch.setattr(entries, "LIBRARY", tmp_path)
    assert [e.id for e in list_library()] == ["b/claim", "a/claim"]
