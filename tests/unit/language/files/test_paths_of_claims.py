"""What leads to a claim file, and what it is called."""

from pathlib import Path

from claims.language.library import entries
from claims.language.library.entries import select
from claims.language.library.files import LIBRARY
from claims.language.toml.source import shown


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
        assert shown(file) == name
    assert [shown(Path(x)) for x in (".", "d/./e", "..")] == [".", "d/e", ".."]
