"""The theory and the checker of certificates, each compiled once for all tests that use Coq."""

from pathlib import Path

import pytest
from coq_compiler import CERTIFICATES, THEORY, compile_in


@pytest.fixture(scope="session")
def theory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the compiled theory and checker of certificates."""
    folder = tmp_path_factory.mktemp("theory")
    certificates = [f"certificates/{name}" for name in CERTIFICATES]
    compile_in(folder, [*certificates, *(f"theory/{name}" for name in THEORY)])
    return folder


@pytest.fixture(scope="session")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the compiled checker of certificates."""
    folder = tmp_path_factory.mktemp("checker")
    compile_in(folder, [f"certificates/{name}" for name in CERTIFICATES])
    return folder
