"""Versions agree with `importlib.metadata`, whatever is on the path."""

import sys
from importlib import metadata
from pathlib import Path

import pytest

from checks.cache.keys import DISTRIBUTIONS
from claims.language.versions import find_version


@pytest.mark.parametrize("name", [*DISTRIBUTIONS, "nim-checks", "tree_sitter.toml"])
@pytest.mark.slow
def test_it_is_what_the_metadata_say(name: str) -> None:
    assert find_version(name) == metadata.version(name)


@pytest.mark.parametrize(
    ("folders", "version"),
    [
        (("my_dist-1.2.dist-info",), "1.2"),
        (("My.Dist-1.2.dist-info",), "1.2"),
        (("my_dist-1.2+x_y.dist-info",), "1.2+x.y"),  # with another spelling inside
        (("my_dist-1.2.dist-info", "my_dist-1.3.dist-info"), None),  # Python's library decides which one it is
        (("my_dist_more-1.2.dist-info",), None),
        ((), None),
    ],
)
def test_only_what_is_plain_is_read_from_a_name(
    folders: tuple[str, ...], version: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path), str(tmp_path / "gone")])
    for folder in folders:
        (tmp_path / folder).mkdir()
        within = folder.removesuffix(".dist-info").partition("-")[2].replace("_", ".")
        (tmp_path / folder / "METADATA").write_text(f"Name: my-dist\nVersion: {within}\n", "utf-8")
    if len(folders) == 2:
        version = metadata.version("my-dist")
    assert find_version("my-dist") == version
