"""The theory, compiled once for all tests that use Coq."""

from pathlib import Path

import pytest
from coq_compiler import THEORY, compile_in


@pytest.fixture(scope="session")
def theory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the compiled theory."""
    folder = tmp_path_factory.mktemp("theory")
    compile_in(folder, [f"theory/{name}" for name in THEORY])
    return folder
