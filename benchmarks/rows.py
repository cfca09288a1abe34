"""The rows of the table: the command for the tool, and the same problem for the other ways.

A row has up to three scales: the whole problem, a part that slow ways can solve too, and a tiny scale that tests all
ways in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.ways.problem import (
    Coded,
    Components,
    Corners,
    Described,
    KLNim,
    Knight,
    Problem,
    Sequence,
    Squares,
    Staircase,
    Toads,
    Wythoff,
)

CLAIMS = Path(__file__).parent / "claims"


@dataclass(frozen=True)
class Scale:
    """One scale of a row.

    `words`: the command line after `python -m checks`.
    `states`: the number of states in the plain count; 0 if there are none.
    `answer`: the correct answer, or "".
    `budget`: the seconds given to the run, if the row tests that limit.
    """

    words: tuple[str, ...]
    states: int = 0
    answer: str = ""
    problem: Problem | None = None
    budget: float | None = None


@dataclass(frozen=True)
class Row:
    """A row. C also solves `whole`, every way solves `part`, and every way solves `tiny` in seconds."""

    name: str
    title: str
    whole: Scale
    part: Scale | None = None
    tiny: Scale | None = None


def _run(claim: str, *words: str, **sets: str) -> tuple[str, ...]:
    path = CLAIMS / f"{claim}.toml"
    named = str(path) if path.exists() else claim
    changed = [x for name, value in sets.items() for x in ("--set", f"{name.replace('_', '.')}={value}")]
    return ("run", named, "--no-cache", "--route", "exhaustive", *changed, *words)


def _kl_nim(size: int, k: tuple[int, int], l: tuple[int, int], *words: str) -> Scale:
    problem = KLNim(size, k, l)
    sets = {"s_heaps": "0..3", "s_size": f"1..{size}", "k": f"{k[0]}..{k[1]}", "l": f"{l[0]}..{l[1]}"}
    states = (size + 1) ** 3 * 2 * len(problem.pairs)
    return Scale(_run("kl-nim/theorem-14", *words, **sets), states, "holds", problem)


def _nim(size: int) -> Scale:
    problem = KLNim(size, (size + 1, size + 1), (size + 2, size + 2))
    words = _run("nim/bouton", s_heaps="0..3", s_size=f"1..{size}")
    return Scale(words, (size + 1) ** 3, "holds", problem)


def _sequence(file: str, answer: str, problem: Sequence) -> Scale:
    return Scale(_run(file, n=f"{problem.first}..{problem.last}"), problem.heaps, answer, problem)


def _octal(file: str, digits: tuple[int, ...], claim: str, number: int, first: int, last: int, answer: str) -> Scale:
    return _sequence(file, answer, Sequence("octal", digits, claim, number, first, last))


def _kayles(last: int) -> Scale:
    return _octal("kayles-period", (7, 7), "period", 12, 71, last, "holds")


def _subtraction(file: str, last: int) -> Scale:
    return _sequence(f"subtraction-{file}", "holds", Sequence("subtract", (1, 3, 4), "period", 7, 0, last))


def _values(file: str, rule: str, bound: int, last: int) -> Scale:
    return _sequence(file, "holds", Sequence(rule, (), "bound", bound, 0, last))


def _wythoff(size: int) -> Scale:
    bounds = f"0..{size}"
    return Scale(_run("wythoff-values", x=bounds, y=bounds), (size + 1) ** 2, "holds", Wythoff(size))


def _coded(base: int, size: int) -> Scale:
    bounds = f"0..{size}"
    words = _run("coded-nim", base=f"{base}..{base}", x=bounds, y=bounds)
    return Scale(words, (size + 1) ** 2, "holds", Coded(base, size))


def _knight(size: int) -> Scale:
    bounds = f"0..{size}"
    return Scale(_run("knight-mod-4", s_x=bounds, s_y=bounds), (size + 1) ** 2, "holds", Knight(size))


def _staircase(steps: int, each: int, heaps: int = 1) -> Scale:
    problem = Staircase(steps, each, heaps)
    words = ("--set", f"s.heaps={heaps}", "--set", f"s.c.length={steps}", "--set", f"s.c.each=0..{each}")
    return Scale(_run("staircase-odd-steps", *words), len(problem.positions), "holds", problem)


def _toads(length: int) -> Scale:
    words = _run("toads-mirrored", "--set", f"s.c.length={length}")
    return Scale(words, 3**length, "holds", Toads(length))


def _triples(last: int) -> Scale:
    return Scale(_run("three-heaps", n=f"1..{last}"), 3 * last, "holds", Described("triples", 1, last))


def _pairs(last: int) -> Scale:
    problem = Described("pairs", 0, last)
    size = problem.find_golden(last) + last
    return Scale(_run("golden-pairs", n=f"0..{last}"), (size + 1) ** 2, "holds", problem)


def _squares(last: int) -> Scale:
    return Scale(_run("square-heaps", n=f"1..{last}"), last, "holds", Squares(last))


def _components(last: int, states: int) -> Scale:
    return Scale(_run("equal-components", n=f"1..{last}"), states, "holds", Components(last))


def _corners(size: int) -> Scale:
    bounds = f"0..{size}"
    return Scale(_run("corners-mirrored", x=bounds, y=bounds), (size + 1) ** 2, "holds", Corners(size))


def _small(claim: str, digits: tuple[int, ...], last: int, number: int) -> Scale:
    """Return a part of a row for another octal game: its values are at most `number` up to `last`."""
    return _octal(claim, digits, "bound", number, 0, last, "holds")


ROWS = (
    Row(
        "theorem-14",
        "K-L-Nim, Theorem 14: 3 heaps to 63, all pairs k < l <= 64",
        _kl_nim(63, (1, 63), (2, 64)),
        _kl_nim(12, (1, 5), (2, 6)),
        _kl_nim(5, (1, 2), (2, 3)),
    ),
    Row("heaps-255", "the same, heaps to 255, one pair", _kl_nim(255, (20, 20), (31, 31))),
    Row("heaps-511", "the same, heaps to 511, one pair", _kl_nim(511, (20, 20), (31, 31))),
    Row("heaps-1023", "the same, heaps to 1023, one pair", _kl_nim(1023, (20, 20), (31, 31))),
    Row("nim", "Nim, 3 heaps to 63", _nim(63), _nim(15), _nim(5)),
    Row("kayles-9600", "Kayles, one row to 9 600", _kayles(9588), _kayles(500), _kayles(80)),
    Row("kayles-100000", "Kayles, one row to 100 000", _kayles(99988)),
    Row("kayles-2000000", "Kayles, one row to 2 000 000", _kayles(1_999_988)),
    Row(
        "octal-16",
        "0.16 to 105 351",
        _octal("octal-16-values", (1, 6), "bound", 22, 0, 105351, "holds"),
        _small("octal-16-values", (1, 6), 500, 22),
    ),
    Row(
        "octal-16-period",
        "0.16 to 254 820, its period 149 459",
        _octal("octal-16-period", (1, 6), "period", 149459, 105351, 105361, "holds"),
    ),
    Row(
        "octal-127",
        "0.127 to 46 604, its period 4",
        _octal("octal-127-period", (1, 2, 7), "period", 4, 46578, 46600, "holds"),
    ),
    Row(
        "take-5000",
        "taking 1, 3, 4 from 5 000, as h - m",
        _subtraction("take", 4993),
        _subtraction("take", 500),
    ),
    Row("take-40000", "taking 1, 3, 4 from 40 000, as h - m", _subtraction("take", 39993)),
    Row("take-3900000", "taking 1, 3, 4 from 3 900 000, as h - m", _subtraction("take", 3_899_993)),
    Row("split-40000", "the same as a split into h - m and 0", _subtraction("split", 39993)),
    Row(
        "grundys-game",
        "Grundy's game to 10 000",
        _values("grundys-values", "grundy", 101, 10000),
        _values("grundys-values", "grundy", 101, 400),
        _values("grundys-values", "grundy", 101, 30),
    ),
    Row(
        "laskers-nim",
        "Lasker's Nim to 10 000",
        _values("laskers-values", "lasker", 10000, 10000),
        _values("laskers-values", "lasker", 10000, 100),
    ),
    Row(
        "false-at-3",
        "false at n = 3, asked to 5 000",
        _octal("kayles-small", (7, 7), "bound", 2, 0, 5000, "fails at n = 3"),
        _octal("kayles-small", (7, 7), "bound", 2, 0, 400, "fails at n = 3"),
        _octal("kayles-small", (7, 7), "bound", 2, 0, 30, "fails at n = 3"),
    ),
    Row(
        "false-at-3478",
        "0.156, false at n = 3 478",
        _octal("octal-156-period", (1, 5, 6), "period", 349, 3400, 5000, "fails at n = 3478"),
    ),
    Row("coded", "two heaps in one number, 4 096 of 8 128 reached", _coded(128, 63), _coded(128, 31)),
    Row("coded-127", "the same, all 16 384 reached", _coded(128, 127)),
    Row("coded-far", "the same, 16 384 of 127 128 reached", _coded(1000, 127), _coded(1000, 7)),
    Row("knight", "two numbers: the white knight, 1000 x 1000", _knight(999), _knight(315), _knight(8)),
    Row(
        "staircase",
        "lists: a staircase of 3 steps, 0..45 coins on each",
        _staircase(3, 45),
        _staircase(3, 30),
        _staircase(3, 3),
    ),
    Row(
        "staircases",
        "sums: two staircases of 3 steps, 0..7 on each",
        _staircase(3, 7, 2),
        _staircase(3, 4, 2),
        _staircase(3, 2, 2),
    ),
    Row("toads", "a general graph: Toads and Frogs on 11 squares", _toads(11), _toads(9), _toads(4)),
    Row("wythoff", "Wythoff's game 1000 x 1000, winners and values", _wythoff(1000), _wythoff(40), _wythoff(8)),
    Row("wythoff-1700", "the same, 1700 x 1700", _wythoff(1700)),
    Row("wythoff-3000", "the same, 3000 x 3000", _wythoff(3000)),
    Row(
        "three-heaps",
        "Nim on n, 2n and 3n, n to 8 192",
        _triples(8192),
        _triples(1024),
        _triples(10),
    ),
    Row(
        "golden-pairs",
        "Wythoff's game on a and a + n, n to 25 000",
        _pairs(25_000),
        _pairs(60),
        _pairs(6),
    ),
    Row(
        "squares",
        "sparse moves: subtract a square, one heap to 3 000 000",
        _squares(3_000_000),
        _squares(100_000),
        _squares(100),
    ),
    Row(
        "components",
        "misère play of 1 to 18 equal components",
        _components(17, 373_894),
        _components(11, 0),
        _components(4, 0),
    ),
    Row(
        "corners",
        "sums of heaps with parts: two coins of Turning Corners, 201 x 201",
        _corners(200),
        _corners(30),
        _corners(4),
    ),
    Row(
        "budget",
        "too much for --budget 20s: heaps to 255, 8 128 pairs",
        Scale(_kl_nim(255, (1, 127), (2, 128), "--budget", "20s").words, 0, "", None, 20.0),
    ),
    Row("library-anew", "the whole library, its proofs searched for", Scale(("run", "--no-cache", "--search-anew"))),
    Row("library-cold", "the whole library, nothing cached", Scale(("run",), 0, "", None)),
    Row("library-cached", "the whole library once more", Scale(("run",), 0, "", None)),
    Row("help", "--help", Scale(("--help",)), None, Scale(("--help",))),
    Row("list", "list", Scale(("show",)), None, Scale(("show",))),
)  # fmt: skip
