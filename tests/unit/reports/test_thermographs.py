"""The picture of a thermograph: where the walls and the mast are, and what the caption says."""

import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from checks.boards.question import read_position, read_ruleset
from checks.boards.solver import PositionSolver
from checks.command.boards import write_page
from reports.page.thermographs import draw_thermograph

BOARDS = Path(__file__).parents[3] / "examples/boards/rulesets"


def corners(*pairs: tuple[str, str]) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(t), Fraction(v)) for t, v in pairs]


def list_points(figure: str) -> list[list[tuple[float, float]]]:
    """Return the corners of each wall in the picture, and of the mast, in px."""
    walls = re.findall(r'points="([^"]*)"', figure)
    return [[tuple(map(float, point.split(","))) for point in wall.split()] for wall in walls]


# {6 | 2 || -1}: 2 up to the tax 2, then 4 - t; t - 1 on the right; the mast is at 3/2 from 5/2 on
HOT = corners(("0", "2"), ("2", "2"), ("5/2", "3/2")), corners(("0", "-1"), ("5/2", "3/2"))


def test_larger_values_are_on_the_left_and_the_tax_grows_upwards() -> None:
    figure = draw_thermograph(*HOT)
    ET.fromstring(figure)
    left, right = list_points(figure)
    assert [x for x, _ in left] == pytest.approx([40, 40, 40 + 320 / 6, 40 + 320 / 6], abs=0.01)
    assert [x for x, _ in right] == pytest.approx([360, 40 + 320 / 6, 40 + 320 / 6], abs=0.01)
    assert left[-2:] == right[-2:]
    heights = [y for _, y in left]
    assert heights[0] == 220
    assert heights == sorted(heights, reverse=True)
    assert heights[0] - heights[1] == pytest.approx(4 * (heights[1] - heights[2]), abs=0.01)


def test_the_caption_and_the_name_of_the_picture_say_the_same() -> None:
    said = (
        "The left wall is at 2 for the tax 0, 2 for the tax 2, 3/2 for the tax 5/2. "
        "The right wall is at -1 for the tax 0, 3/2 for the tax 5/2. From the tax 5/2 on, the mast is at 3/2."
    )
    figure = draw_thermograph(*HOT)
    assert f'aria-label="Thermograph. {said}"' in figure
    assert f"{said}</figcaption>" in figure
    assert re.findall(r">([-/\d]+)</text>", figure) == ["-1", "2", "3/2", "5/2"]


@pytest.mark.parametrize("value", ["0", "-7/8", "3"])
def test_a_number_is_a_mast(value: str) -> None:
    figure = draw_thermograph(corners(("0", value)), corners(("0", value)))
    assert list_points(figure) == [[(200, 220), (200, 40)]] * 2
    assert re.findall(r">([-/\d]+)</text>", figure) == [value, value]


def test_the_page_to_play_on_shows_the_thermograph_of_a_partizan_game(tmp_path: Path) -> None:
    for name, position, shown in (
        (str(BOARDS / "domineering.toml"), "[heap([1 for i in range(6)], 3)]", True),
        ("nim", "(1, 2)", False),
    ):
        solver = PositionSolver(read_ruleset(name), {})
        found = solver.solve(read_position(position, kind=solver.position))
        write_page(tmp_path / "play.html", solver, found)
        page = (tmp_path / "play.html").read_text("utf-8")
        assert ("From the tax 5/4 on, the mast is at 3/4.</figcaption>" in page) is shown
        assert ("hermograph" in page) is shown
