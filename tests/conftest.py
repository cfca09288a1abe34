"""What all tests share: golden files, which `pytest --renew-golden` writes anew."""

from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-golden", action="store_true", help="write the golden files anew, then read the diff")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(path, text)`: the text is what the file tests/golden/<path> holds."""

    def check(path: str, text: str) -> None:
        file = GOLDEN / path
        if request.config.getoption("--renew-golden"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="\n")
        assert file.exists(), f"no golden file {file}: run pytest --renew-golden"
        assert text == file.read_text("utf-8"), f"differs from {file}; if it is meant, run pytest --renew-golden"

    return check
