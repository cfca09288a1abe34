"""The theory and the checker of certificates, each compiled once for all tests that use Coq."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from coq_compiler import CERTIFICATES, THEORY, compile_in, copy_sources, toplevel


@pytest.fixture(scope="session")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the compiled checker of certificates."""
    folder = tmp_path_factory.mktemp("coq")
    copy_sources(folder)
    compile_in(folder, [f"certificates/{name}" for name in CERTIFICATES])
    return folder


@pytest.fixture(scope="session")
def theory(checker: Path) -> Iterator[Path]:
    """Return a folder with the compiled theory and checker of certificates."""
    compile_in(checker, [*(f"certificates/{name}" for name in CERTIFICATES), *(f"theory/{name}" for name in THEORY)])
    yield checker
    if toplevel.cache_info().currsize:
        toplevel(checker).close()
