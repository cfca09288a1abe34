"""Compiled templates are stored next to Python's compiled modules, and match the present templates."""

import sys
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader
from jinja2.bccache import Bucket, bc_magic

from reports.page.packing import CompiledTemplates


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "templates").mkdir()
    (tmp_path / "program").mkdir()
    (tmp_path / "templates" / "page.html").write_text("first {{ x }}")
    (tmp_path / "program" / "words.py").write_text("x = 1")


class Counting(CompiledTemplates):
    """Templates that count their compilations."""

    compiled = 0

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.compiled += 1
        super().dump_bytecode(bucket)


def show(folder: Path) -> tuple[str, int]:
    """Return the page, and the number of templates compiled for it, as if in a new process."""
    cache = Counting(folder / "templates", folder / "program")
    env = Environment(loader=FileSystemLoader(folder / "templates"), bytecode_cache=cache, autoescape=True)
    return env.get_template("page.html").render(x=1), cache.compiled


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "templates" / "__pycache__").glob("*"))


def test_a_template_is_compiled_once(tmp_path: Path) -> None:
    assert [show(tmp_path), show(tmp_path)] == [("first 1", 1), ("first 1", 0)]


def test_a_template_that_has_changed_is_compiled_anew(tmp_path: Path) -> None:
    show(tmp_path)
    (tmp_path / "templates" / "page.html").write_text("other {{ x }}")
    assert [show(tmp_path), show(tmp_path)] == [("other 1", 1), ("other 1", 0)]


def test_a_program_that_has_changed_compiles_anew(tmp_path: Path) -> None:
    show(tmp_path)
    (tmp_path / "program" / "words.py").write_text("x = 10")
    assert show(tmp_path) == ("first 1", 1)


@pytest.mark.parametrize("content", [b"", b"no bytecode", bc_magic, bc_magic + b"garbage", bc_magic + b"\x80\x04."])
def test_what_cannot_be_read_is_compiled_anew(content: bytes, tmp_path: Path) -> None:
    show(tmp_path)
    (file,) = kept(tmp_path)
    file.write_bytes(content)
    assert [show(tmp_path), show(tmp_path)] == [("first 1", 1), ("first 1", 0)]


def test_where_nothing_can_be_kept_it_is_compiled_each_time(tmp_path: Path) -> None:
    (tmp_path / "templates" / "__pycache__").write_text("a file")
    assert [show(tmp_path), show(tmp_path)] == [("first 1", 1), ("first 1", 1)]


def test_nothing_is_kept_where_python_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    show(tmp_path)
    assert kept(tmp_path) == []


def test_it_is_kept_where_python_is_told_to_keep_what_it_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))
    assert [show(tmp_path)[1], show(tmp_path)[1], kept(tmp_path)] == [1, 0, []]
