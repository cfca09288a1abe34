"""Imports of the modules of this folder by name."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a claim and a separate cache."""
    monkeypatch.setenv("CHECKS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CHECKS_CACHE_SECRET", str(tmp_path / "state" / "secret"))
    from small import write_claim

    write_claim(tmp_path)
    return tmp_path
