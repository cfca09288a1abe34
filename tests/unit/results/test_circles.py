"""Circular arguments are found and reported by a run, and change no verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import BARE, alter

from checks.command.run import Settings, run_claims
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, find_circles


def claims(uses: dict[str, str]) -> list[ClaimResult]:
    """Return claims with names of one letter, and the claims on which they rest."""
    return [alter(BARE, id=id, uses=tuple(others)) for id, others in uses.items()]


@pytest.mark.parametrize(
    ("uses", "circles"),
    [
        ({}, ()),
        ({"a": "b", "b": "c", "c": ""}, ()),
        ({"a": "a"}, (("a",),)),
        ({"a": "bx", "b": "a"}, (("a", "b"),)),
        ({"z": "a", "a": "b", "b": "c", "c": "ad", "d": ""}, (("a", "b", "c"),)),
        ({"a": "b", "b": "ac", "c": "d", "d": "c"}, (("a", "b"), ("c", "d"))),
        ({"a": "xyz"}, ()),
    ],
)
def test_circles(uses: dict[str, str], circles: tuple[tuple[str, ...], ...]) -> None:
    assert find_circles(claims(uses)) == circles


@given(st.lists(st.sets(st.integers(0, 7)), max_size=8))
@pytest.mark.slow
def test_without_its_circles_an_argument_has_an_order(found: list[set[int]]) -> None:
    uses = {str(i): "".join(map(str, sorted(others))) for i, others in enumerate(found)}
    circles = find_circles(claims(uses))
    for circle in circles:
        assert all(b in uses[a] for a, b in zip(circle, (*circle[1:], circle[0]), strict=True))
    ids = [id for circle in circles for id in circle]
    assert len(set(ids)) == len(ids)
    left = {id: set(others) for id, others in uses.items() if id not in ids}
    while left:
        ready = [id for id, others in left.items() if not others & set(left)]
        assert ready
        for id in ready:
            del left[id]


@pytest.mark.slow
def test_a_run_tells_of_a_circle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, other in (("one", "two"), ("two", "one")):
        head = 'format = 1\ntitle = "t"\nstatement = "s"\nwork = "w"\nlocator = "l"\nrole = "step"\n'
        (tmp_path / "mine").mkdir(exist_ok=True)
        (tmp_path / "mine" / f"{name}.toml").write_text(f'{head}uses = ["mine/{other}"]\n[claim]\nthen = "1 == 1"\n')
    settings = Settings(("mine",), tmp_path / "out", options=Options(budget=None))
    assert run_claims(settings) == 0
    told = capsys.readouterr().out
    assert "note: circular argument: mine/one rests on mine/two, mine/two on mine/one\n" in told
    assert "2 claims: 2 proved" in told
