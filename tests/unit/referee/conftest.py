"""Games for the tests of the referee."""

from pathlib import Path
from typing import Any

import pytest

from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from claims.language.files.rulesets import load_ruleset

NIM = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'


@pytest.fixture
def game(tmp_path: Path) -> Any:
    """Return a game of a ruleset with these moves."""

    def make(moves: str = NIM, head: str = "", sums: bool = False, **parameters: Any) -> RefereeGame:
        path = tmp_path / "mine.toml"
        first = head if "players" in head else 'players = ["A", "B"]\n' + head
        stuck = "" if "stuck" in head else 'stuck = "loses"\n'
        path.write_text(f'format = 1\ntitle = "R"\n{stuck}{first}\n{moves}', "utf-8")
        return RefereeGame(load_ruleset(path), parameters, RefereeSteps(200_000), sums)

    return make
