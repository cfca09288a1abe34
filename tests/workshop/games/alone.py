"""Random claims of periodic values of heaps, and about integers alone: guessed from small cases, some wrongly."""

from __future__ import annotations

import random
from typing import Any

from .play import evaluate

SIZE = 120  # heaps that are played before a period is guessed
STUCK = ("loses", "loses", "loses", "wins")


# -- periodic values --------------------------------------------------------------------------------------------------
def periodic_game(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a claim about periodic or bounded values, from a table.

    One in three starts too early or claims too much.
    """
    taken = sorted(rng.sample(range(1, 8), rng.choice((1, 2, 2, 3))))
    how, stuck = rng.choice(("only", "only", "but", "split", "halve", "two kinds")), rng.choice(STUCK)
    rules = _ruleset(how, taken, stuck)
    values = _values(how, taken, "loses") if stuck == "loses" or rng.random() < 0.1 else []
    won = [v != 0 for v in values] if stuck == "loses" else _won(how, taken)
    drift = 0
    table: list[Any] = won
    asked, said = "wins(position([{n}]))", "iff({a}, {b})"
    if values and rng.random() < 0.7:
        asked, said, table = "grundy(position([{n}]))", "{a} == {b}", values
        drift = rng.choice((0, 0, 1, len(taken))) if how == "but" else 0
    start, period = _repeats(table, drift, rng)
    if rng.random() < 0.35:
        start, period = max(0, start - rng.choice((0, 1, 2))), max(1, period + rng.choice((0, -1, 1)))
    then = said.format(a=asked.format(n=f"n + {period}"), b=asked.format(n="n") + (f" + {drift}" if drift else ""))
    if rng.random() < 0.2 and values and not drift:
        then = f"grundy(position([n])) <= {max(values) - rng.choice((0, 0, 1))}"
    forall = {"n": f"{start}.."}
    return {"ruleset": "game", "forall": forall, "claim": {"then": then}, "proof": {"rule": "periodic"}}, rules


def _ruleset(how: str, taken: list[int], stuck: str) -> dict[str, Any]:
    members = "{" + ", ".join(map(str, taken)) + "}"
    move: dict[str, Any] = {
        "choose": "any heap h",
        "pick": {"m": "1..h"},
        "where": f"m in {members}",
        "become": ["h - m"],
    }
    more: list[dict[str, Any]] = []
    match how:
        case "but":
            move["where"] = f"m not in {members}"
        case "split":
            move["pick"] = {"m": "1..h", "a": "0..(h - m) // 2"}
            move["become"] = ["a", "h - m - a"]
        case "halve":
            more = [{"choose": "any heap h", "become": ["h // 2"]}]
        case "two kinds":
            more = [{"choose": "any heap h", "where": f"h == {taken[0] + 1}", "become": []}]
    return {"stuck": stuck, "moves": [move, *more]}


def _next(how: str, taken: list[int], h: int) -> list[tuple[int, ...]]:
    """Return the options of a heap."""
    takes = [m for m in range(1, h + 1) if (m in taken) is not (how == "but")]
    if how == "split":
        return [(a, h - m - a) for m in takes for a in range((h - m) // 2 + 1)]
    found: list[tuple[int, ...]] = [(h - m,) for m in takes]
    if how == "halve" and h:
        found.append((h // 2,))
    if how == "two kinds" and h == taken[0] + 1:
        found.append(())
    return found


def _values(how: str, taken: list[int], _: str) -> list[int]:
    found: list[int] = []
    for h in range(SIZE):
        seen = set()
        for heaps in _next(how, taken, h):
            value = 0
            for x in heaps:
                value ^= found[x]
            seen.add(value)
        found.append(next(v for v in range(h + 2) if v not in seen))
    return found


def _won(how: str, taken: list[int]) -> list[bool]:
    """Return the winners of single heaps in misère play; for games that split this is only a guess."""
    found: list[bool] = []
    for h in range(SIZE):
        options = [heaps for heaps in _next(how, taken, h) if len(heaps) < 2]
        found.append(not options or any(not found[sum(heaps)] for heaps in options))
    return found


def _repeats(table: list[Any], drift: int, rng: random.Random) -> tuple[int, int]:
    """Return (start, period) of the table, or any pair."""
    for period in range(1, SIZE // 3):
        wrong = [n for n in range(len(table) - period) if table[n + period] != table[n] + drift]
        start = wrong[-1] + 1 if wrong else 0
        if start < len(table) // 2:
            return start, period
    return rng.randrange(4), rng.randrange(1, 6)


# -- integers ---------------------------------------------------------------------------------------------------------
TERMS = (
    *(
        "i",
        "i * i",
        "2 * i + 1",
        "i * (i + 1)",
        "1",
        "i % 2",
        "2 ** i",
        "i ** 3",
        "max(i - {c}, 0)",
        "i // {c}",
        "i + k",
    ),
    *("i % {c}", "{c} ** i", "popcount(i)", "digit_sum(i, {b})", "abs(i - {c})", "gcd(i, {c})", "isqrt(i)"),
)
FORMS = (
    *(
        "n",
        "n * (n + 1)",
        "n * n",
        "n * (n + 1) * (2 * n + 1)",
        "n * (n + 1) * (n + 2)",
        "(n * (n + 1)) ** 2",
        "n // 2",
    ),
    *("2 ** (n + 1) - 1", "2 ** n - 1", "(n - 1) * n", "n * (n - 1) * (2 * n - 1)", "n * n // 4", "0", "n * k + n * n"),
    *("n // {c}", "n - n // {c}", "{c} ** n - 1", "n * (n + {c})", "(n - {c}) * (n + {c})", "n * (n - 1) + 2 * n * k"),
)
STATED = (
    "sum({t} for i in range(0, n)) * {m} == {f}",
    "sum({t} for i in range(0, n + 1)) * {m} == {f}",
    "sum({t} for i in range({c}, n)) * {m} <= {f}",
    "sum({t} for i in range(1, n + 1)) * {m} >= {f}",
    "count(({t}) % 2 == 0 for i in range(0, 2 * n)) * {m} == {f}",
    "all({t} <= {f} + {c} for i in range(0, n))",
    "({f}) * {m} >= n",
    "(x + y) ** 2 <= {m} * (x ** 2 + y ** 2)",
    "(x - y) ** {m} >= 0",
    "x * y * {m} <= x * x + y * y",
    "(x + {c}) // {m} == x // {m} + {c} // {m}",
    "(x + {c} * {m}) // {m} == x // {m} + {c}",
    "(x % {m} + y % {m}) % {m} == (x + y) % {m}",
    "x // {m} // {b} == x // ({m} * {b})",
    "x // k * k + x % k == x",
    "(x + k) % k == x % k and x // k <= x + {c}",
    "isqrt(x * x + {c}) == x",
    "isqrt(x) * isqrt(x) <= x and x < (isqrt(x) + {m}) ** 2",
    "gcd(x, {m}) == gcd(x + {m}, {m})",
    "popcount(2 * x + {c}) == popcount(x) + {c}",
    "digit_sum({b} * x + {c}, {b}) == digit_sum(x, {b}) + {c}",
    "valuation({m} * x, 2) == valuation(x, 2) + {c} or x == 0",
    "digit_sum(x, {b}) % ({b} - 1) == x % ({b} - 1)",
    "x + y - 2 * bit_and(x, y) == (x ^ y) + {c}",
    "bit_or(x, y) >= max(x, y) - {c}",
    "abs(x + y) <= abs(x) + abs(y) - {c}",
    "implies(x * x == {c} * {c}, x == {c})",
    "any(i * i > n for i in range(0, n + {c}))",
    "all(x % (d * d) != 0 for d in range(2, {c}))",
)
TRIED = 9  # numbers at which a statement is tested first


def integers(rng: random.Random) -> tuple[dict[str, Any], None]:
    """Return a claim about integers; among several, one that holds at small numbers is preferred."""
    drawn = [_stated(rng) for _ in range(60)]
    holding = [x for x in drawn if all(evaluate(x, **row) is True for row in _rows())]
    then = rng.choice(holding) if holding and rng.random() < 0.75 else rng.choice(drawn)
    names = [v for v in "nxyk" if v in _words(then)] or ["n"]
    low = {
        "n": ("0..", "0..", "1..", "-1.."),
        "k": ("1..", "1..", "0.."),
        "x": ("0..", "0..", "-9.."),
        "y": ("0..", "-9.."),
    }
    proof: dict[str, Any] = {"rule": "arithmetic"}
    if rng.random() < (0.9 if "n" in names else 0.2):
        proof["induct"] = names[0]
    if rng.random() < 0.2:
        proof["steps"] = {"step": _stated(rng).replace("y", names[0])}
    return {"forall": {v: rng.choice(low[v]) for v in names}, "claim": {"then": then}, "proof": proof}, None


def _stated(rng: random.Random) -> str:
    fill = {"c": rng.choice((0, 1, 1, 2, 3)), "b": rng.choice((2, 3, 10)), "m": rng.choice((1, 2, 2, 3, 6))}
    term, form = (rng.choice(x).format(**fill) for x in (TERMS, FORMS))
    return rng.choice(STATED).format(t=term, f=form, **fill)


def _rows() -> list[dict[str, int]]:
    return [{"n": n, "x": (3 * n) % 7, "y": n, "k": 1 + n % 3} for n in range(TRIED)]


def _words(text: str) -> set[str]:
    import re

    return set(re.findall(r"\b[a-z]\b", text))
