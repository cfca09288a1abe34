"""Printed lines: wrapped to the width of a terminal, ids and words unbroken, the claims in progress named."""

from dataclasses import replace

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import BETTER, BOUTON, EVERY, HIDDEN, LEMMA_11, N_TEST

from checks.command.output import fold, write_line
from checks.command.screen import write_bar
from checks.results.verdicts import Verdict

TEXT = st.lists(
    st.sampled_from(["k", "=", "45", "045", "(2, 2, 4)", "word", "(smallest", "in", "l 2..10,"]), max_size=30
)


@given(TEXT, st.integers(20, 90), st.integers(0, 20), st.integers(0, 4))
@pytest.mark.slow
def test_folding_keeps_words_and_the_width(words, columns, indent, deeper):
    text = " ".join(words)
    lines = fold(text, columns, indent, deeper)
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    for line in lines:
        assert len(line) <= columns or indent + deeper + 12 > columns // 2


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("at 45 045 cases", 8, ["at", "  45 045", "  cases"]),
        ("s = (2, 2, 4) x", 14, ["s = (2, 2, 4)", "  x"]),
        ("unbreakable-because-of-its-length", 20, ["unbreakable-because-of-its-length"]),
        ("", 20, [""]),
        (HIDDEN, 40, ["a\\u202eb\\u0007c"]),
    ],
)
def test_what_stays_together(text, columns, lines):
    assert fold(text, columns) == lines


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("claim", EVERY[:-2])
def test_the_line_of_a_claim_fits_the_terminal(claim, columns):
    lines = click.unstyle(write_line(claim, 42, columns)).splitlines()
    assert lines[0].startswith(claim.id)
    assert all(len(line) <= columns for line in lines)
    assert " ".join(" ".join(lines).split()) == " ".join(click.unstyle(write_line(claim)).split())


def test_where_there_is_no_terminal_a_claim_has_one_line():
    assert "\n" not in write_line(LEMMA_11)


def test_a_long_id_has_a_line_of_its_own():
    lines = write_line(replace(BOUTON, id="x" * 60), 60, 80).splitlines()
    assert lines[0] == "x" * 60
    assert click.unstyle(lines[1]) == " " * 41 + "proved (every case; 4 cases)"


@pytest.mark.parametrize("columns", [None, 50, 80])
def test_the_verdict_is_coloured_and_nothing_else(columns):
    for claim in (LEMMA_11, N_TEST, replace(BOUTON, id="y" * 70)):
        text = write_line(claim, 42, columns)
        word = claim.verdict.value
        assert text.count("\x1b[0m") == 1
        assert f"m{word}\x1b[0m" in text


def test_expectations_are_mentioned_where_they_fail():
    assert "xpected" not in write_line(BOUTON).lower()
    assert write_line(BETTER).endswith(", NOT AS EXPECTED")
    assert "EXPECTED" in write_line(replace(BETTER, verdict=Verdict.PROVED), 42, 80)


@given(
    st.integers(0, 200),
    st.integers(0, 200),
    st.lists(st.text("abc/-", min_size=1, max_size=50), max_size=5),
    st.integers(20, 200),
)
@pytest.mark.slow
def test_the_bar_is_one_line_with_whole_names(done, left, names, columns):
    line = write_bar(done, done + left, 100.0, names, columns)
    assert len(line) < columns
    assert "\n" not in line
    told = line.partition("1:40")[2].partition(" and ")[0].split(", ")
    assert all(name.strip() in {*names, ""} for name in told)


def test_the_bar_says_how_much_is_left_and_of_whom():
    names = ["kl-nim/lemma-13", "large-nim/theorem-3"]
    line = write_bar(45, 111, 42, names, 80)
    assert line.endswith("45 of 111, 66 left, 0:42  kl-nim/lemma-13, large-nim/theorem-3")
    assert write_bar(45, 111, 42, names, 60).endswith("0:42  kl-nim/lemma-13 and 1 more")
    assert write_bar(45, 111, 42, names, 30) == "45 of 111, 66 left, 0:42"
