"""Fixtures for the tests of the rules of proof."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from proofs import settle_changed

from checks.results.model import ClaimResult


@pytest.fixture
def settled(tmp_path: Path) -> Callable[..., ClaimResult]:
    """Return `settled(id, (old, new), ...)`, the result for a shipped claim with its text changed."""
    return partial(settle_changed, tmp_path)
