"""Random small claims for Coq, drawn from the supported language of statements and slightly beyond it.

Numbers may be negative, questions may be undefined, and bound variables have names that the theory uses too.
"""

from __future__ import annotations

import random
from pathlib import Path

from claim_texts import HEAD

from claims.language.errors import ClaimError
from claims.language.files.claim import Claim
from encoders.proving.reading import load_claim

NAMES = ("least", "times", "count", "v", "t", "m", "y", "g", "number", "R")
DOMAINS = ("0..", "1..", "(0-1)*2..", "k-1..", "2*k..", "0..k", "(1-k)*(0-1)..", "min(k, 2)..", "k*k-1..k*k")
RULES = (
    ("1..h", "", "h - m", ""),
    ("1..min(k, h)", "", "h - m", "1.."),
    ("1..h", "m != (k if mover == One else 2)", "h - m", "0.."),
    ("0-1..h", "m >= 1", "h - m", ""),
    ("(0-2)*(0-1)-1..h", "", "h - m", ""),
    ("1..h // k", "", "h - k*m", "1.."),
    ("1..h", "m % 2 == 1 or h == k", "h - m", "0.."),
    ("1..h + 1", "", "h - m", ""),
    ("0..h - 1", "", "m", ""),
    ("1..k", "", "h - m", "1..2"),
)


class Writer:
    """A writer of one random condition over k, x and the position s."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.inner, self.names = rng, list[str](), list(NAMES)
        rng.shuffle(self.names)

    def number(self, depth: int) -> str:
        rng, d = self.rng, depth - 1
        if depth <= 0:
            return rng.choice(["k", "x", "0", "1", "2", "(0-1)", "len(s)", "nim_sum(s)", *self.inner * 2])
        kind = rng.randrange(12)
        a, b = self.number(d), self.number(d)
        if kind < 5:
            return f"({a} {rng.choice('+-*+^')} {b})"
        if kind == 5:
            return f"{a} % {rng.choice(['k', '2', '(k + 1)', 'x'])}"
        if kind == 6:
            return f"{a} // {rng.choice(['k', '3', '(x + 1)'])}"
        if kind == 7:
            return f"{rng.choice(['min', 'max'])}({a}, {b})"
        if kind == 8:
            return f"({a} if {self.condition(d)} else {b})"
        if kind == 9:
            return rng.choice(["max(s)", "min(s)", "(max(s) if len(s) >= 1 else 0)", "(min(s) if len(s) >= 1 else 0)"])
        heap = self.name()
        body, inner = self.with_inner(heap, lambda: (self.number(d), self.condition(d)))
        return rng.choice([f"nim_sum({body} for {heap} in s)", f"count({inner} for {heap} in s)", f"s.count({a})"])

    def name(self) -> str:
        return self.names.pop() if self.names else "z" + str(len(self.inner))

    def with_inner(self, name: str, write):
        self.inner.append(name)
        made = write()
        self.inner.remove(name)
        return made

    def condition(self, depth: int) -> str:
        rng, d = self.rng, depth - 1
        kind = rng.randrange(12) if depth > 0 else 0
        if kind < 4:
            sign = rng.choice(["<", "<=", "==", "!=", ">", ">="])
            return f"{self.number(d)} {sign} {self.number(d)}"
        if kind < 7:
            word = rng.choice(["({} and {})", "({} or {})", "iff({}, {})", "implies({}, {})"])
            return word.format(self.condition(d), self.condition(d))
        if kind == 7:
            return f"not {self.condition(d)}"
        if kind == 8:
            return rng.choice(["wins(s, One)", "wins(s, Two)", "wins(position([x, k]), One)", "terminal(s, Two)"])
        which, name = rng.choice(["any", "all"]), self.name()
        source = rng.choice(
            ["s", "range(0, k)", "range(x - 1, k)", "[x, k, 0-1]", "[x, k + 1]", "{m_ - 1 for m_ in s}"]
        )
        if kind == 9:
            left = rng.choice([f"nim_sum({name}) == x", f"not wins({name}, Two)", f"len({name}) < k", f"x in {name}"])
            return f"{which}({left} for {name} in options(s, One))"
        inner = self.with_inner(name, lambda: self.condition(d))
        return f"{which}({inner} for {name} in {source})"


def small_claim(seed: int, folder: Path) -> Claim | None:
    """Return the claim of that number, with its ruleset in the folder; None if the claim is invalid."""
    rng = random.Random(seed)
    pick, where, become, domain = rng.choice(RULES)
    parameters = f'parameters = {{ k = "{domain}" }}\n' if domain else ""
    (folder / f"r{seed}.toml").write_text(
        f"""format = 1
title = "r"
players = ["One", "Two"]
{parameters}stuck = "{rng.choice(["loses", "wins"])}"
[[moves]]
choose = "{rng.choice(["any heap h", "any heap h", "a largest heap h"])}"
pick = {{ m = "{pick}" }}
{f'where = "{where}"' if where else ""}
become = ["{become}"]
"""
    )
    writer = Writer(rng)
    hypothesis = f"if = '{writer.condition(2)}'\n" if rng.random() < 0.5 else ""
    path, given = folder / f"c{seed}.toml", rng.choice(["(k = k)", "(k = x)", "(k = k + 1)", "(k = k - 1)"])
    path.write_text(
        HEAD
        + f"""ruleset = "r{seed}{given if domain else ""}"
[forall]
k = "{rng.choice(["1..", "0..", "2..5"])}"
x = "{rng.choice(DOMAINS)}"
s = "position"
[claim]
{hypothesis}then = '{writer.condition(3)}'
[scope]
k = "0..3"
x = "0..3"
s = {{ heaps = "0..2", size = "1..3" }}
"""
    )
    try:
        return load_claim(path, f"c{seed}")
    except ClaimError:
        return None


FILE = """format = 1
title = "{title}"
statement = "x"
work = "my-notes"
locator = "1"
role = "conjecture"
{games}
[forall]
{variables}
[claim]
{claim}
[scope]
{scope}
[proof]
{proof}
"""
NIM = """format = 1
title = "Nim"
players = [{players}]
{parameters}
stuck = "loses"
[[moves]]
choose = "any heap h"
pick = {{ {pick} }}
{where}
become = ["{become}"]
"""
BOUTON = """rule = "folds"
[proof.folds]
{X} = "nim_sum(s)"
[proof.loses]
mover = "{X} == 0"
[[proof.moves]]
when = "{X} != 0"
heap = "top bit of {X}"
take = {{ m = "h - (h ^ {X})" }}
"""


def written(folder: Path, **given: str) -> Claim:
    """Return Bouton's theorem in a separate folder, with the given changes."""
    rules = {"players": '"One", "Two"', "parameters": "", "pick": 'm = "1..h"', "where": "", "become": "h - m"}
    rules |= {k: given.pop(k) for k in list(given) if k in rules}
    parts = {
        "title": "t",
        "games": 'ruleset = "own"',
        "variables": 's = "position"',
        "claim": 'then = "iff(not wins(s), nim_sum(s) == 0)"',
        "scope": 's = { heaps = "0..2", size = "1..3" }',
        "proof": BOUTON.format(X=given.pop("X", "X")),
    } | given
    folder.mkdir(exist_ok=True)
    (folder / "own.toml").write_text(NIM.format(**rules), "utf-8")
    (folder / "claim.toml").write_text(FILE.format(**parts), "utf-8")
    return load_claim(folder / "claim.toml", "claim")
