"""`checks solve` for a user: results, open values, and refusals, each complete."""

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from commands import run_within

import checks
from checks.boards.question import read_ruleset
from checks.boards.solver import PositionSolver

HALF = (
    'format = 1\ntitle = "Half"\nplayers = ["A", "B"]\nstuck = "loses"\n'
    '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h // 2" }\nbecome = ["h - m"]\n'
)
MANY = (
    'format = 1\ntitle = "Many"\nplayers = "n"\nparameters = { n = "2.." }\nstuck = "loses"\n'
    '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nwhere = "m == 1 or mover != 0"\nbecome = ["h - m"]\n'
)
UNPLAYABLE = HALF.replace("1..h // 2", "0..h")
KL = "--set k=3 --set l=4"
SESSIONS = {
    "players": f"kl-nim '(2,2,4)' {KL}",
    "one-player": f"kl-nim '(3)' {KL} --mover P2",
    "grundy": "nim '[5, 3]'",
    "empty": "nim '()'",
    "misere": "misere-nim '(1, 1)'",
    "set": "subtraction 'position([5])' --set 'S={1, 3}'",
    "several": "large-nim '(1, 2, 2)' --set n=4",
    "numbered": "large-nim '(2, 3)' --set n=3 --mover 2",
    "table": "nim '(377, 610)'",
    "sequence": "kayles --table 0..40",
    "sequence-players": f"kl-nim --table 0..12 {KL}",
    "sequence-several": "large-nim --table 0..5 --set n=3",
    "map": "wythoff --table 0..9 --heaps 2",
    "map-players": f"kl-nim --table 0..6 --heaps 2 {KL}",
    "json": "nim '(1, 2)' --json",
    "file": "half.toml '(3, 3)'",
}
OPEN = {
    "too-many-moves": "nim '(1000000000)'",
    "some-moves": f"kl-nim '(40, 41, 42, 43)' {KL} --mover P1 --budget 1ms",
}
REFUSED = {
    "ruleset": "kl-nin '(2)'",
    "ruleset-file": "nowhere.toml '(2)'",
    "ruleset-claim": "{library}/nim/bouton.toml '(2)'",
    "missing": "kl-nim '(2)' --set k=3",
    "superfluous": f"kl-nim '(2)' {KL} --set m=1",
    "none-known": "nim '(2)' --set k=1",
    "outside": "kl-nim '(2)' --set k=3 --set l=0",
    "type": "kl-nim '(2)' --set k=3 --set 'l={1, 2}'",
    "list-for-set": "subtraction '(5)' --set 'S=[1, 2]'",
    "range": "kl-nim '(2)' --set k=1..4 --set l=3",
    "no-value": "kl-nim '(2)' --set 'k=1 // 0' --set l=3",
    "twice": "kl-nim '(2)' --set k=1 --set k=2",
    "no-sign": "kl-nim '(2)' --set k",
    "number": "nim 5",
    "open-bracket": "nim '(2, 2'",
    "negative": "nim '(2, -1)'",
    "name": "nim '(a, 2)'",
    "set-of-heaps": "nim '{2, 2}'",
    "question": "nim 'options(2)'",
    "player": "nim '(3)' --mover P3",
    "player-number": "large-nim '(3)' --set n=3 --mover 3",
    "nothing": "nim",
    "both": "nim '(1)' --table 0..3",
    "heaps-alone": "nim '(1)' --heaps 2",
    "table-open": "nim --table 0..",
    "table-negative": "nim --table=-1..3",
    "table-large": "nim --table 0..300 --heaps 2",
    "players-of-a-position": "many.toml '(2)' --set n=65",
    "players-of-a-table": "many.toml --table 0..3 --set n=65",
    "unplayable": "unplayable.toml '(2)'",
    "forbidden-heap": "coins-on-a-strip.toml '([2, 2])'",
    "heap-below-bound": "coins-on-a-strip.toml '([-1, 2])'",
}
COINS = Path(checks.__file__).parents[1] / "examples" / "boards" / "rulesets" / "coins-on-a-strip.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "half.toml").write_text(HALF, "utf-8")
    (tmp_path / "many.toml").write_text(MANY, "utf-8")
    (tmp_path / "unplayable.toml").write_text(UNPLAYABLE, "utf-8")
    (tmp_path / COINS.name).write_bytes(COINS.read_bytes())
    return tmp_path


def session(words: str, code: int, cwd: Path) -> str:
    """Return the command with its output. It must end with this exit code."""
    library = Path(checks.__file__).parents[1] / "claims"
    done = run_within("solve", *shlex.split(words.format(library=library) if "{library}" in words else words), cwd=cwd)
    assert done.returncode == code, done.stderr
    assert (done.stderr != "") is (code == 2)
    return f"$ checks solve {words}\n{done.stdout}{done.stderr}".replace(str(library), "{library}")


@pytest.mark.parametrize("name", SESSIONS)
def test_a_position_is_solved(name: str, folder: Path, golden: Callable[[str, str], None]) -> None:
    golden("solve.txt", session(SESSIONS[name], 0, folder), name)


@pytest.mark.parametrize("name", OPEN)
def test_what_meets_a_limit_is_open_and_the_rest_is_shown(
    name: str, folder: Path, golden: Callable[[str, str], None]
) -> None:
    golden("solve.txt", session(OPEN[name], 3, folder), name)


def test_whatever_cannot_be_asked_is_refused(folder: Path, golden: Callable[[str, str], None]) -> None:
    golden("solve.txt", "\n".join(session(words, 2, folder) for words in REFUSED.values()), "refused")


def test_json_is_the_data_of_the_function() -> None:
    told = json.loads(run_within("solve", "kl-nim", "(2, 2, 4)", *shlex.split(KL), "--json").stdout)
    found = checks.solve("kl-nim", [4, 2, 2], k=3, l=4)
    assert told == {"format": 1, **json.loads(json.dumps(asdict(found)))}
    assert found == checks.solve("kl-nim", "(2, 2, 4)", k="3", l="2 + 2")


@pytest.mark.parametrize("heaps", [0, 3, -1])
def test_a_table_has_positions_of_one_or_two_heaps(heaps: int) -> None:
    with pytest.raises(checks.ClaimError, match=f"a table of positions of {heaps} heaps cannot be drawn"):
        PositionSolver(read_ruleset("nim"), {}).tabulate(heaps, 0, 3)


@pytest.mark.parametrize(
    ("position", "parameters"),
    [((1, -2), {"k": 1, "l": 1}), ((1, True), {"k": 1, "l": 1}), (5, {"k": 1, "l": 1}), ((1,), {"k": [1], "l": 1})],
)
def test_what_is_no_value_is_refused(position: object, parameters: dict[str, object]) -> None:
    with pytest.raises(checks.ClaimError, match=r"is not (a position|a Position|an Int)"):
        checks.solve("kl-nim", position, **parameters)


@pytest.mark.slow
def test_a_page_to_play_on_has_every_move_of_the_loser(tmp_path: Path) -> None:
    done = run_within("solve", "kl-nim", "(2, 2, 4)", *shlex.split(KL), "--html", "play.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "play.html").read_text("utf-8")
    boards = [json.loads(x) for x in re.findall(r'<script type="application/json" class="data">(.*?)</script>', page)]
    assert [board["reader"] for board in boards] == ["P2", "P1"]  # the loser, whoever moves first
    for board, first in zip(boards, ("P1", "P2"), strict=True):
        (position, mover, _, answers, moves, _), *_ = board["places"]
        assert (position, mover, answers, len(moves)) == ([2, 2, 4], first, True, 1)
        for position, mover, _, answers, moves, _ in board["places"]:
            if mover == board["reader"] and not answers and moves:
                turn = next(x for x in checks.solve("kl-nim", position, k=3, l=4).turns if x.mover == mover)
                assert [to for to, _ in moves] == [list(move.position) for move in turn.moves or ()]
    assert "<h2>P1 to move wins, by 1 of 5 moves</h2>" in page


@pytest.mark.parametrize("words", ["nim '(9, 10, 11, 12)'", "nim '()'", "large-nim '(1, 2)' --set n=3"])
@pytest.mark.slow
def test_what_cannot_be_played_on_a_page_is_refused(words: str, tmp_path: Path) -> None:
    done = run_within("solve", *shlex.split(words), "--html", "play.html", cwd=tmp_path)
    assert done.returncode == 2
    assert "--html: there is no board from" in done.stderr
    assert not (tmp_path / "play.html").exists()
