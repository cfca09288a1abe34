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
# what is chosen, picked and required; what it becomes; the domain of the parameter k, if there is one
WIDER = (
    ("any two heaps g, h", "1..min(g, h)", "", "g - m, h - m", ""),
    ("any two heaps g, h", "1..h", "g >= k", "g, h - m", "0.."),
    ("any three heaps f, g, h", "1..h", "f != g", "f, h - m, g", ""),
    ("any two heaps g, h", "1..min(g, h)", "", "g + h - m", ""),
    ("any heap h", "1..h", "(h - m) not in s", "h - m", ""),
    ("any heap h", "1..min(s)", "len(s) >= k", "h - m", "0.."),
    ("any heap h", "0..h // 2", "m >= 1", "m, h - m", ""),
    ("any heap h", "1..h", "", "m // 2, h - m, 0", ""),
    ("a smallest heap h", "1..h", "", "h - m", ""),
    ("a largest heap h", "1..h", "mover == One or m == 1", "h - m, m // 2", ""),
    ("each of 1..k heaps h", "1..h", "", "h - m", "1.."),
    ("each of 1..2 heaps h", "1..h", "m != k", "h - m", "0.."),
    ("each of 0..2 heaps h", "1..h", "", "h - m", ""),
    ("any heap h", "1..h", "any(m == x for x in s) or m == k", "h - m", "0.."),
    ("any heap h", "1..h", "m == max(s) - s[0] + 1", "h - m", ""),
)
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

    def __init__(self, rng: random.Random, wide: bool = False) -> None:
        self.rng, self.inner, self.names, self.wide = rng, list[str](), list(NAMES), wide
        rng.shuffle(self.names)

    def number(self, depth: int) -> str:
        rng, d = self.rng, depth - 1
        if self.wide and depth > 0 and rng.random() < 0.3:
            return self.wider_number(d)
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

    def wider_number(self, d: int) -> str:
        rng, a, b = self.rng, self.number(d), self.number(d)
        kind, heap = rng.randrange(8), self.name()
        if kind == 0:
            return rng.choice(["sum(s)", "s[0]", "s[len(s) - 1]", "columns(s, 3, 1)", "columns(s, 2, 1)"])
        if kind == 1:
            return rng.choice([f"popcount({a})", f"digit_sum({a}, 3)", f"bit({a}, {b})", f"top_bit({a})"])
        if kind == 2:
            return rng.choice([f"valuation({a}, 2)", f"gcd({a}, {b})", "2 ** x", f"isqrt({a})", f"bit_or({a}, {b})"])
        if kind == 3:
            return rng.choice([f"min([{a}, {b}, x])", f"max([{a}, {b}])", f"[{a}, {b}, 2][x]", f"sorted([{a}, x])[0]"])
        if kind == 4:
            return f"(sum(s) - len(s) - {a}) % 3"
        number, condition = self.with_inner(heap, lambda: (self.number(d), self.condition(d)))
        source = rng.choice(["s", "range(0, k)", "range(1, x)", "[x, k, 1]", "[c + 1 for c in s if c > 1]"])
        if kind == 5:
            word = rng.choice(["sum", "nim_sum"])
            return f"{word}({number} for {heap} in {source} if {condition})"
        if kind == 6:
            return f"count({condition} for {heap} in {source})"
        return f"(1 if {rng.choice(['any', 'all'])}({condition} for {heap} in {source}) else {a})"

    def name(self) -> str:
        return self.names.pop() if self.names else "z" + str(len(self.inner))

    def with_inner(self, name: str, write):
        self.inner.append(name)
        made = write()
        self.inner.remove(name)
        return made

    def condition(self, depth: int) -> str:
        rng, d = self.rng, depth - 1
        if self.wide and depth > 0 and rng.random() < 0.2:
            return self.wider_condition(d)
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

    def wider_condition(self, d: int) -> str:
        rng, a, b = self.rng, self.number(d), self.number(d)
        kind = rng.randrange(6)
        if kind == 0:
            word = rng.choice(["P_position", "N_position", "first_wins", "second_wins"])
            return f"outcome({rng.choice(['s', 'position([x, k])', 's + [x]'])}) == {word}"
        if kind == 1:
            made = ["[c // 2 for c in s]", f"[{a}, {b}]", "[1 for i in range(0, x)]", "[c for c in s if c > 1]"]
            return f"wins(position({rng.choice(made)}), {rng.choice(['One', 'Two'])})"
        if kind == 2:
            sets = ["{c for c in s}", "{c % 2 for c in s}", "{1, 2}", f"{{{a}}}", "{v for v in range(0, k)}"]
            return f"{rng.choice(sets)} {rng.choice(['==', '!='])} {rng.choice(sets)}"
        if kind == 3:
            name = self.name()
            options = [
                f"options(s, {rng.choice(['One', 'Two'])})",
                f"{{t_ for t_ in options(s, One) if len(t_) < {a}}}",
            ]
            what = f"{rng.choice(options)} {rng.choice(['==', '!='])} {rng.choice(options)}"
            return rng.choice([what, f"any({name} == position([x, 1]) for {name} in options(s, Two))"])
        if kind == 4:
            return f"any(c_ for c_ in [{self.condition(d)}, {self.condition(d)}])"
        return f"{a} == {b} == min([{self.number(d)}, {self.number(d)}])"


def small_claim(seed: int, folder: Path, wide: bool = False) -> Claim | None:
    """Return the claim of that number, with its ruleset in the folder; None if the claim is invalid.

    `wide`: whether the claim is drawn from all of the language that has statements.
    """
    rng = random.Random(seed)
    pick, where, become, domain = rng.choice(RULES)
    choose = rng.choice(["any heap h", "any heap h", "a largest heap h"])
    if wide and rng.random() < 0.8:
        choose, pick, where, become, domain = rng.choice(WIDER)
    made = ", ".join(f'"{x.strip()}"' for x in become.split(","))
    parameters = f'parameters = {{ k = "{domain}" }}\n' if domain else ""
    (folder / f"r{seed}.toml").write_text(
        f"""format = 1
title = "r"
players = ["One", "Two"]
{parameters}stuck = "{rng.choice(["loses", "wins"])}"
[[moves]]
choose = "{choose}"
pick = {{ m = "{pick}" }}
{f'where = "{where}"' if where else ""}
become = [{made}]
"""
    )
    writer = Writer(rng, wide)
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
