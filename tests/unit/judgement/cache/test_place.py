"""The cache is in a folder that nobody else can write, or there is none; the secret is stored separately."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from checks.cache.store import LENGTH, BadPlace, CachePlace, find_place, open_place

posix = pytest.mark.skipif(os.name != "posix", reason="rights of another kind")


@pytest.fixture
def place(tmp_path: Path) -> CachePlace:
    return CachePlace(tmp_path / "cache", tmp_path / "state" / "secret")


def test_folder_and_secret_are_made_for_us_alone(place: CachePlace) -> None:
    secret = open_place(place)
    assert len(secret) == LENGTH and secret != bytes(LENGTH)
    assert open_place(place) == secret
    if os.name == "posix":
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (place.folder, place.secret.parent, place.secret)]
        assert modes == [0o700, 0o700, 0o600]


def test_two_users_have_two_secrets(place: CachePlace, tmp_path: Path) -> None:
    assert open_place(place) != open_place(CachePlace(place.folder, tmp_path / "other" / "secret"))


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602])
def test_a_secret_that_others_may_read_or_write_is_refused(place: CachePlace, mode: int) -> None:
    open_place(place)
    place.secret.chmod(mode)
    with pytest.raises(BadPlace, match="secret: other users may read or write it"):
        open_place(place)


@posix
@pytest.mark.parametrize("what", ["folder", "database", "state"])
@pytest.mark.parametrize("mode", [0o720, 0o702])
def test_what_others_may_write_is_refused(place: CachePlace, what: str, mode: int) -> None:
    open_place(place)
    place.database.touch(0o600)
    path = {"folder": place.folder, "database": place.database, "state": place.secret.parent}[what]
    path.chmod(mode)
    with pytest.raises(BadPlace, match=f"{path.name}: other users may write it"):
        open_place(place)


@posix
@pytest.mark.parametrize("what", ["cache", "state", "secret", "nim-checks.sqlite"])
def test_what_belongs_to_another_user_is_refused(place: CachePlace, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    open_place(place)
    place.database.touch(0o600)
    before = Path.lstat, Path.stat

    def foreign(path: Path, found: os.stat_result) -> os.stat_result:
        return os.stat_result((*found[:4], found.st_uid + 1, *found[5:])) if path.name == what else found

    monkeypatch.setattr(Path, "lstat", lambda path: foreign(path, before[0](path)))
    monkeypatch.setattr(Path, "stat", lambda path, **how: foreign(path, before[1](path, **how)))
    with pytest.raises(BadPlace, match=f"{what} belongs to another user"):
        open_place(place)


@posix
@pytest.mark.parametrize("target", ["/dev/full", "/etc/passwd", "missing"])
def test_a_link_in_place_of_the_database_is_refused(place: CachePlace, target: str) -> None:
    open_place(place)
    place.database.symlink_to(target)
    with pytest.raises(BadPlace, match=r"is not a (folder|regular file)"):
        open_place(place)


@pytest.mark.parametrize("content", [b"", b"short", bytes(LENGTH + 1)])
def test_what_is_no_secret_is_refused(place: CachePlace, content: bytes) -> None:
    open_place(place)
    place.secret.write_bytes(content)
    with pytest.raises(BadPlace, match="does not contain a secret"):
        open_place(place)


def test_a_file_in_place_of_the_folder_is_refused(place: CachePlace) -> None:
    place.folder.parent.mkdir(exist_ok=True)
    place.folder.write_text("")
    with pytest.raises(BadPlace, match="cache: File exists"):
        open_place(place)


def test_the_environment_and_the_command_line_say_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKS_CACHE", str(tmp_path / "said"))
    monkeypatch.setenv("CHECKS_CACHE_SECRET", str(tmp_path / "told"))
    assert find_place() == CachePlace(tmp_path / "said", tmp_path / "told")
    assert find_place(tmp_path / "wanted") == CachePlace(tmp_path / "wanted", tmp_path / "told")
    monkeypatch.setenv("CHECKS_CACHE", "off")
    assert find_place() is None
    assert find_place(tmp_path / "wanted") == CachePlace(tmp_path / "wanted", tmp_path / "told")
    monkeypatch.delenv("CHECKS_CACHE")
    monkeypatch.delenv("CHECKS_CACHE_SECRET")
    usual = find_place()
    assert usual is not None
    assert "nim-checks" in str(usual.folder) and "nim-checks" in str(usual.secret)
    assert usual.folder not in usual.secret.parents


def test_no_test_is_served_from_a_cache() -> None:
    assert find_place() is None
