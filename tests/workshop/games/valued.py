"""Random games with closed forms: Grundy values of single heaps and their sums, and values of n players."""

from __future__ import annotations

import random
from typing import Any

from .play import Rules, Unplayable, evaluate, grundy, positions, values

RULES = (  # (pick, where, become, take): the moves from heaps h to y
    ("1..h", "", "h - m", "h - y"),
    ("-h..-1", "", "h + m", "y - h"),
    ("0..h - 1", "", "m", "y"),
    ("1..min({c}, h)", "", "h - m", "h - y"),
    ("1..2 * h", "", "h - (m + 1) // 2", "2 * (h - y)"),
    ("1..h", "m % 2 == 1", "h - m", "h - y"),
    ("1..h", "m != {c}", "h - m", "h - y"),
    ("1..h", "m >= {c} or m == h", "h - m", "h - y"),
    ("1..h", "m % {c} == 0", "h - m", "h - y"),
    ("{c}..h", "", "h - m", "h - y"),
    ("1..h", "", "0", "1"),
    ("1..1", "", "h - m", "1"),
    ("1..h", "h - m < {c}", "h - m", "h - y"),
)
LATE = ("h - m if mover == P1 else h - 1", "h - m if mover == P1 or h < 20 else h - 1", "h - m if h < 25 else h - 1")
# (heap, digits, value, the new digits for a value v below, the value of a heap x): {c} is a number or k + 1
FORMS: tuple[tuple[str, dict[str, str], str, dict[str, str], str], ...] = (
    ("q", {"q": "0.."}, "q", {"q": "v"}, "{x}"),
    ("{c}*q + r", {"q": "0..", "r": "0..{c}-1"}, "r", {"q": "q", "r": "v"}, "{x} % ({c})"),
    ("{c}*q + r", {"q": "0..", "r": "0..{c}-1"}, "q", {"q": "v", "r": "r"}, "{x} // ({c})"),
    ("{c}*q + r", {"q": "0..", "r": "0..{c}-1"}, "q", {"q": "v", "r": "0"}, "{x} // ({c})"),
    ("{c}*q + r", {"q": "0..", "r": "0..{c}-1"}, "q + r", {"q": "q", "r": "v"}, "{x} // ({c}) + {x} % ({c})"),
    ("q", {"q": "0.."}, "min(q, {c})", {"q": "v"}, "min({x}, {c})"),
    ("q", {"q": "0.."}, "min(q, 1)", {"q": "0"}, "min({x}, 1)"),
    ("2*q + r", {"q": "0..", "r": "0..1"}, "r", {"q": "q", "r": "0"}, "{x} % 2"),
    ("q", {"q": "0.."}, "0", {"q": "0"}, "0"),
    (
        "2*{c}*q + {c}*e + r",
        {"q": "0..", "e": "0..1", "r": "0..{c}-1"},
        "{c}*q + r",
        {"q": "v // ({c})", "e": "0", "r": "v % ({c})"},
        "{x} // (2*{c}) * {c} + {x} % ({c})",
    ),
)
SIZE = 9


def grundy_game(rng: random.Random) -> tuple[dict[str, Any], Rules]:
    """Return a claim about Grundy values. Closed forms that fit all small heaps are preferred."""
    parametric = rng.random() < 0.3
    c = "k" if parametric else str(rng.choice((1, 2, 3, 4)))
    pick, where, become, take = (x.format(c=c) for x in rng.choice(RULES))
    rules = Rules(pick, where, become, "loses" if rng.random() < 0.95 else "wins")
    if rng.random() < 0.12:
        rules.become = rng.choice(LATE)
    if parametric:
        rules.parameters = {"k": "1.."}
    fitting = []
    forms = [
        (f, d) for f in FORMS for d in ((c, f"({c} + 1)") if parametric else (c, str(int(c) + 1), str(2 * int(c))))
    ]
    try:
        found = {k: grundy(rules, {"k": k}, SIZE) for k in ((1, 2, 3) if parametric else (1,))}
    except Unplayable:
        found = {}
    for form, d in forms:
        text = form[4].format(x="x", c=d)
        if found and all(evaluate(text, x=x, k=k) == g[x] for k, g in found.items() for x in range(SIZE + 1)):
            fitting.append((form, d))
    form, d = rng.choice(fitting if fitting and rng.random() < 0.85 else forms)
    heap, digits, value, moved, closed = form
    proof: dict[str, Any] = {
        "rule": "grundy",
        "heap": heap.format(c=d),
        "value": value.format(c=d),
        "below": "v",
        "digits": {n: x.format(c=d) for n, x in digits.items()},
        "below_digits": {"v": "0.."},
        "options": [{"digits": {n: x.format(c=d) for n, x in moved.items()}, "take": {"m": take}}],
    }
    if not pick:
        del proof["options"][0]["take"]
    single = rng.random() < 0.5
    x = "n" if single else "h"
    proof["at"] = [{"heap": rng.choice((x, x, x, x, "5", f"{x} + 1"))}]
    text = closed.format(x=x, c=d)
    if "//" in text or "%" in text:
        whole = f"2*{d}" if "e" in digits else heap.format(c=d).split("*")[0]
        rest = f"{d}*e + r" if "e" in digits else "r"
        proof["divide"] = [{"dividend": x, "divisor": whole, "quotient": "q", "remainder": rest}]
        if "e" in digits:
            text = f"{x} // (2*{d}) * {d} + {x} % (2*{d}) % ({d})"
    claim: dict[str, Any] = {"ruleset": "game", "forall": {"k": "1.."} if parametric else {}}
    if single:
        claim["forall"]["n"] = rng.choice(("0..", "1..", "0..", "-1.."))
        claim["claim"] = {"then": f"grundy(position([n])) == {text}"}
    else:
        who = ", P1" if rules.partizan else ""
        claim["forall"]["s"] = "position"
        claim["claim"] = {"then": f"iff(wins(s{who}), nim_sum({text} for h in s) != 0)"}
    return claim | {"proof": proof}, rules


# -- n players --------------------------------------------------------------------------------------------------------
LARGEST = (
    ("1..h", "", "h - m"),
    ("1..h", "", "h - m"),
    ("-h..-1", "", "h + m"),
    ("0..h - 1", "", "m"),
    ("1..2 * h", "", "h - (m + 1) // 2"),
    ("1..h", "m < 20", "h - m"),
    ("1..h", "h < 15 or m != 3", "h - m"),
    ("1..h", "", "0"),
    ("1..h", "", "h - m if mover == 0 else h - 1"),
)
VALUES = (  # (region, value, options)
    ("n > heaps + 1", "heaps", (("heaps >= 1", "0"),)),
    ("largest <= 1", "heaps % n", (("largest == 1", "0"),)),
    ("heaps <= 1", "heaps", (("heaps == 1", "0"),)),
    ("heaps <= 1", "heaps % n", (("heaps == 1", "0"),)),
    ("heaps <= 2", "heaps % n", (("heaps >= 1", "0"),)),
    (
        "n >= 3 and heaps <= n - 1",
        "heaps if n > heaps + 1 else ((heaps if times == heaps else heaps - 1 - times) if least == 1 else heaps - 1)",
        (("n > heaps + 1", "0"), ("n == heaps + 1", "0 if largest == 1 else 1")),
    ),
    ("True", "heaps % n", (("heaps >= 1", "0"),)),
    ("n == 2", "0 if times % 2 == 1 else 1", (("heaps >= 1", "0"),)),
    ("heaps <= n", "min(heaps, n - 1)", (("heaps >= 1", "0"),)),
)
_SEEN = {"heaps": "len(s)", "least": "min(s)", "times": "s.count(min(s))", "largest": "max(s)"}


def value_game(rng: random.Random) -> tuple[dict[str, Any], Rules]:
    """Return a claim about the values of n players. Formulas that fit all small positions are preferred."""
    pick, where, become = rng.choice(LARGEST)
    choose = "a largest heap h" if rng.random() < 0.9 else "any heap h"
    rules = Rules(pick, where, become, rng.choice(("wins", "wins", "wins", "loses")), "n", choose, {"n": "2.."})
    fitting = []
    try:
        box = positions(4, 4)
        found = {n: values(rules, n, box) for n in (2, 3, 4, 5)} if not rules.partizan else {}
        fitting = [x for x in VALUES if found and all(_fits(x, n, v) for n, v in found.items())]
    except Unplayable:
        pass
    region, value, options = rng.choice(fitting if fitting and rng.random() < 0.8 else VALUES)
    who = rng.choice(("", "", "", ", 0", ", n - 1", ", 1", ", 3"))
    shape = f"({_spelled(region)})"
    then = f"value(s{who}) == ({_spelled(value)})"
    proof: dict[str, Any] = {"rule": "value", "region": region, "value": value}
    if rng.random() < 0.2:
        proof["sorted"] = rng.choice((1, 2, 4))
    proof["options"] = [{"when": w, "becomes": b} for w, b in options]
    some = " and len(s) >= 1" if any(x in region + value for x in ("least", "largest", "times")) else ""
    forall = {"n": rng.choice(("2..", "2..", "3..", "1..")), "s": "position"}
    claim: dict[str, Any] = {"ruleset": "game", "forall": forall}
    orders = (f"len(s) >= 0{some} and {shape}", f"{shape}{some}")
    return claim | {"claim": {"if": rng.choice(orders), "then": then}, "proof": proof}, rules


def _spelled(text: str) -> str:
    import re

    for name, written in _SEEN.items():
        text = re.sub(rf"\b{name}\b", written, text)
    return text


def _fits(formula: tuple[str, str, Any], n: int, found: dict[tuple[int, ...], int]) -> bool:
    region, value, _ = formula
    for s, v in found.items():
        shape = {"heaps": len(s), "least": min(s, default=0), "largest": max(s, default=0)}
        shape["times"] = s.count(shape["least"])
        if evaluate(region, n=n, **shape) and evaluate(value, n=n, **shape) != v:
            return False
    return True
