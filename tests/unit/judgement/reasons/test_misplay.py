"""Rules that cannot be played: the place in the file, the position, the move, and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run_within
from library import claim_of
from settling import settled

from checks.judgement.misplay import find_misplay_in
from checks.results.verdicts import Verdict
from encoders.proving.reading import load_claim

HEAD = 'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "loses"\nnotes = "n"\n'
ONE = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..1" }\nbecome = ["h - m"]\n'
CLAIM = """format = 1
title = "t"
statement = "t."
work = "nim"
locator = "none"
role = "theorem"
ruleset = "broken"
[forall]
s = "position"
[claim]
then = "len(s) == 0 or wins(s, A) or wins(s, B)"
[scope]
s = { heaps = "0..2", size = "1..5" }
"""
# The second kind of move, its invalid line, and the message.
BROKEN = [
    (
        'choose = "any heap h"\npick = { m = "1..3" }\nbecome = ["h - m"]',
        13,
        "from (1) the move on the heap h = 1 by picking m = 2 makes a heap of -1",
    ),
    (
        'choose = "any heap h"\npick = { m = "0..2" }\nwhere = "m <= h"\nbecome = ["h - m"]',
        14,
        "from (1) the move on the heap h = 1 by picking m = 0 leaves (1), whose total is not smaller",
    ),
    (
        'choose = "any heap h"\npick = { m = "1..h" }\nwhere = "12 // (h - 3) > m"\nbecome = ["h - m"]',
        13,
        (
            "from (3) the move on the heap h = 3 by picking m = 1 is undefined, "
            "because `where` has no value: division by zero"
        ),
    ),
    (
        'choose = "any heap h"\npick = { m = "1..12 // (h - 2)" }\nbecome = ["0"]',
        12,
        "from (2) the move on the heap h = 2 is undefined, because `pick` has no value: division by zero",
    ),
    (
        'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m", "2 * m"]',
        13,
        "from (1) the move on the heap h = 1 by picking m = 1 leaves (2), whose total is not smaller",
    ),
    (
        'choose = "any two heaps g, h"\npick = { m = "1..h" }\nbecome = ["g - m", "h"]',
        13,
        "from (1, 2) the move on the heaps g = 1 and h = 2 by picking m = 2 makes a heap of -1",
    ),
    (
        'choose = "each of 2..2 heaps h"\npick = { m = "0..h" }\nbecome = ["h - m"]',
        13,
        "from (1, 1) the move on the heap h = 1 by picking m = 0 leaves (1, 1), whose total is not smaller",
    ),
    (
        'choose = "a largest heap h"\npick = { m = "(0 if mover == B else 1)..h" }\nbecome = ["h - m"]',
        13,
        "from (1), B to move, the move on the heap h = 1 by picking m = 0 leaves (1), whose total is not smaller",
    ),
]


def write(folder: Path, second: str) -> Path:
    (folder / "broken.toml").write_text(f"{HEAD}{ONE}[[moves]]\n{second}\n", "utf-8")
    path = folder / "claim.toml"
    path.write_text(CLAIM, "utf-8")
    return path


@pytest.mark.parametrize(("second", "line", "words"), BROKEN)
def test_the_smallest_position_and_the_move_are_told(second: str, line: int, words: str, tmp_path: Path) -> None:
    claim = load_claim(write(tmp_path, second), "claim")
    found = find_misplay_in(claim, claim.scope("quick"))
    assert found is not None and found.message == words
    assert Path(found.place.file).name == "broken.toml" and found.place.line == line
    assert found.expected


def test_a_run_tells_it_beneath_the_refusal(tmp_path: Path) -> None:
    found = settled(load_claim(write(tmp_path, BROKEN[0][0]), "claim"))
    assert found.verdict is Verdict.ERROR
    first, place, _, carets, expected = found.finding.error.splitlines()
    assert first.endswith("a move of broken makes a heap of -2") and BROKEN[0][2] in place
    assert carets.strip() == "^" * len('["h - m"]')
    assert expected.startswith("expected: heaps of at least 0: bound the number that the move picks, as in m = ")


def test_it_is_also_told_if_only_a_domain_bounds_the_integers(tmp_path: Path) -> None:
    path = write(tmp_path, BROKEN[0][0])
    text = CLAIM.partition("[scope]")[0].replace('s = "position"', 'n = "0..9"').replace("len(s)", "n")
    path.write_text(text.replace("(s, ", "(position([n]), "), "utf-8")
    found = settled(load_claim(path, "claim"))
    assert found.verdict is Verdict.ERROR and BROKEN[0][2] in found.finding.error


def test_where_all_new_heaps_are_smaller_a_measure_is_named_that_is_less(tmp_path: Path) -> None:
    path = write(tmp_path, 'choose = "any heap h"\nwhere = "h >= 2"\nbecome = ["h - 1", "h - 1", "h - 1"]')
    path.write_text(path.read_text("utf-8").replace("1..5", "1..2"), "utf-8")
    error = settled(load_claim(path, "claim")).finding.error
    measure = 'measure = "sum(3**h - 1 for h in s)"'
    assert f"expected: {measure}, which decreases" in error
    rules = path.with_name("broken.toml")
    rules.write_text(rules.read_text("utf-8").replace("stuck", f"{measure}\nstuck"), "utf-8")
    assert settled(load_claim(path, "claim")).verdict is not Verdict.ERROR


def test_a_parameter_is_told_with_its_value(tmp_path: Path) -> None:
    path = write(tmp_path, 'choose = "any heap h"\npick = { m = "1..h+k" }\nbecome = ["h - m"]')
    rules = path.with_name("broken.toml")
    rules.write_text(rules.read_text("utf-8").replace("stuck", 'parameters = { k = "0.." }\nstuck'), "utf-8")
    text = CLAIM.replace('"broken"', '"broken(k = j)"').replace('s = "position"', 'j = "0.."\ns = "position"')
    path.write_text(text.replace("[scope]", '[scope]\nj = "0..3"'), "utf-8")
    claim = load_claim(path, "claim")
    found = find_misplay_in(claim, claim.scope("quick"))
    assert found is not None and found.message.endswith("h = 1 by picking m = 2 with k = 1 makes a heap of -1")


@pytest.mark.parametrize("id", ["nim/bouton", "kl-nim/theorem-14", "classics/wythoff", "large-nim/theorem-1"])
def test_of_rules_that_can_be_played_nothing_is_told(id: str) -> None:
    claim = claim_of(id)
    assert find_misplay_in(claim, claim.scope("quick")) is None


def test_solving_a_position_tells_it_too(tmp_path: Path) -> None:
    path = write(tmp_path, BROKEN[2][0])
    found = run_within("solve", str(path.with_name("broken.toml")), "(5)")
    assert found.returncode and BROKEN[2][2] in found.stdout + found.stderr


PARTS = 'measure = "sum(sum(h.c) for h in s)"\n[heap]\nc = "list of 0.."\nwhere = "all(x < 3 for x in h.c)"\n'
OF_PARTS = [
    (
        'pick = { i = "0..len(h.c) - 1" }\nbecome = [{ c = "put(h.c, i, 3)" }]',
        "from ([0]) the move on the heap h = [0] by picking i = 0 makes [3], which is not a heap of the game",
    ),
    (
        'pick = { i = "0..len(h.c) - 1" }\nbecome = [{ c = "put(h.c, i, -1)" }]',
        "from ([0]) the move on the heap h = [0] by picking i = 0 makes [-1], which is not a heap of the game",
    ),
    (
        'pick = { i = "0..0" }\nbecome = [{ c = "h.c + [0]" }]',
        "from ([]) the move on the heap h = [] by picking i = 0 leaves ([0]), whose measure is not smaller",
    ),
    (
        'pick = { d = "[0..x for x in h.c]" }\nbecome = [{ c = "[h.c[i] - d[i] for i in range(len(d))]" }]',
        "from ([]) the move on the heap h = [] by picking d = [] leaves ([]), whose measure is not smaller",
    ),
    (
        'pick = { i = "0..1" }\nbecome = [{ c = "put(h.c, i, 0)" }]',
        (
            "from ([]) the move on the heap h = [] by picking i = 0 is undefined, "
            "because `become` has no value: index 0 of 0 elements"
        ),
    ),
]


@pytest.mark.parametrize(("move", "said"), OF_PARTS)
def test_of_heaps_with_parts_the_same_is_told(tmp_path: Path, move: str, said: str) -> None:
    (tmp_path / "broken.toml").write_text(f'{HEAD}{PARTS}[[moves]]\nchoose = "any heap h"\n{move}\n')
    text = CLAIM.replace('heaps = "0..2", size = "1..5"', 'c = { length = "0..2", each = "0..2" }')
    text = text.replace("len(s) == 0 or wins(s, A) or wins(s, B)", "wins(s) or not wins(s)")
    (tmp_path / "claim.toml").write_text(text)
    claim = load_claim(tmp_path / "claim.toml", "claim")
    fault = find_misplay_in(claim, claim.scope("quick"))
    assert fault is not None
    assert fault.message == said
    assert (fault.place.file.rpartition("/")[2], fault.place.line) == ("broken.toml", 13)
    assert settled(claim).verdict is Verdict.ERROR
