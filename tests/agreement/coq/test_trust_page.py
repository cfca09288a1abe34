"""What docs/trust.md shows as generated is what is generated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from proofs import LIBRARY

from encoders.coq.theorems.generate import generate
from encoders.proving.reading import load_claim

PAGE = Path(__file__).parents[3] / "docs" / "trust.md"
SHOWN = re.compile(r"<!-- generated: (\S+) -->\n```coq\n(.*?)```\n<!-- end -->", re.DOTALL)


def test_a_theorem_is_shown() -> None:
    assert [id for id, _ in SHOWN.findall(PAGE.read_text("utf-8"))] == ["kl-nim/theorem-14"]


@pytest.mark.parametrize(("id", "text"), SHOWN.findall(PAGE.read_text("utf-8")))
def test_it_is_the_one_that_is_generated(id: str, text: str) -> None:
    made = generate(load_claim(LIBRARY / f"{id}.toml", id)).text
    for part in text.strip().split("\n\n"):
        assert part in made
