"""Random small games with random claims about winners and random proofs of them: some true, some false."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ..bundle import CLAIM, Bundle
from ..changes.kinds import changed
from ..siblings import readable, shrink
from .alone import integers, periodic_game
from .play import Rules, Unplayable, evaluate, positions, wins
from .shaped import shaped_game
from .valued import grundy_game, value_game

# (pick, become, take): moves by which a heap can become any smaller size, written in several ways
NIMS = (
    ("1..h", "h - m", "h - ({y})"),
    ("-h..-1", "h + m", "({y}) - h"),
    ("0..h - 1", "m", "{y}"),
    ("1..2 * h", "h - (m + 1) // 2", "2 * (h - ({y}))"),
    ("h..2 * h - 1", "m - h", "h + ({y})"),
    ("1..h", "m - 1", "({y}) + 1"),
)
FEW = (  # (pick, become, take of all, take of one)
    ("1..min({c}, h)", "h - m", "h", "1"),
    ("1..1", "h - m", "h", "1"),
    ("", "h - 1", "h", "1"),
    ("", "0", "h", "1"),
    ("", "h // 2", "h", "1"),
    ("1..min({c}, h)", "0", "1", "1"),
    ("-1..-1", "h + m", "-h", "-1"),
    ("2 * h..2 * h", "h - 1", "2 * h", "2 * h"),
    ("1..h", "h - m if m < h else h - 1", "h", "1"),
)
WHERES = (
    "m != {c}",
    "m % 2 == 1",
    "m != {c} or mover == P1",
    "mover == P2 or m < {c}",
    "m == 1 or mover == P1",
    "m == 1 or m == h",
    "h != {c}",
    "h > 40 or m == m",
    "h < 40 or m == 1",
    "m != (k if mover == P1 else {c})",
    "m != k",
)
LATE = (
    "({b}) if mover == P1 else h - 1",
    "({b}) if mover == P2 or h < 20 else h - 1",
    "({b}) if h < 30 else 0",
    "({b}) if m != k else 0",
)
INVARIANTS = (  # (folds, condition of a loss for the mover)
    ({"X": "nim_sum(s)"}, "X == 0"),
    ({"X": "nim_sum(h % {c} for h in s)"}, "X == 0"),
    ({"X": "nim_sum(h // {c} for h in s)"}, "X == 0"),
    ({"X": "nim_sum((h + 1) // 2 for h in s)"}, "X == 0"),
    ({"X": "nim_sum(min(h, {c}) for h in s)"}, "X == 0"),
    ({"n": "len(s)"}, "n % 2 == 0"),
    ({"n": "len(s)"}, "n % 2 == 1"),
    ({"o": "count(h % 2 == 1 for h in s)"}, "o % 2 == 0"),
    ({"o": "count(h % 2 == 1 for h in s)"}, "o % 2 == 1"),
    ({"o": "count(h % 2 == 1 and h < 40 for h in s)"}, "o % 2 == 0"),
    ({"o": "count(h % {c} == 1 for h in s)"}, "o % 2 == 0"),
    ({"o": "count(h % {c} != 0 for h in s)"}, "o == 0"),
    ({"c": "count(h >= {c} for h in s)"}, "c == 0"),
    ({"c": "count(h >= {c} for h in s)"}, "c % 2 == 0"),
    (
        {"X": "nim_sum(s)", "b": "count(h >= 2 for h in s)", "o": "s.count(1)"},
        "X == 0 and b > 0 or b == 0 and o % 2 == 1",
    ),
    ({"X": "nim_sum(s)", "c": "count(h >= {c} for h in s)"}, "c == 0 and X == 0"),
    ({}, "True"),
    ({}, "False"),
)
HEAPS = ("any", "any with h % 2 == 1", "any with h >= {c}", "any with h % {c} != 0", "any with h % 2 == 1 and h < 40")
CLAIMS = (
    "iff(not wins(s, {p}), {lost})",
    "iff(not wins(s, {p}), {lost})",
    "iff(not wins(s, {p}), {lost})",
    "implies({lost}, not wins(s, {p}))",
    "wins(s, {p}) or {lost}",
    "implies(wins(s, {p}), any(not wins(t, {q}) for t in options(s, {p})))",
    "iff(not wins(s, {p}), {lost}) and iff(not wins(s, {q}), {lost})",
    "wins(s, {p}) == wins(s, {q})",
    "not wins(s, {q}) or not ({lost})",
)
BOX = positions(3, 6)


def game(rng: random.Random, cheap: bool = False) -> tuple[str, list[str], Bundle, int]:
    """Return (kind, later changes, the claim with its ruleset, the number of unreadable attempts before it)."""
    for tries in range(40):
        kind, made = rng.choices(MAKERS, (6, 4, 2, 6, 3, 3))[0]
        claim, rules = made(rng)
        bundle = Bundle({CLAIM: head() | claim} | ({"rulesets/game.toml": _data(rules)} if rules else {}))
        said = [x for x in (changed(bundle, rng) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))) if x]
        shrink(bundle, rng)
        if readable(bundle):
            return kind, said, bundle, tries
    raise RuntimeError("no game that can be read")


def _data(rules: Rules | dict[str, Any]) -> dict[str, Any]:
    """Return the rules as the data of a ruleset file."""
    if isinstance(rules, Rules):
        return rules.data()
    return {"format": 1, "title": "A random game", "players": ["P1", "P2"]} | rules


def random_rules(rng: random.Random) -> tuple[Rules, list[str]]:
    """Return rules, and texts of their moves for a proof: {y} stands for the new size."""
    c = rng.choice((1, 2, 3, 4))
    if rng.random() < 0.6:
        pick, become, take = rng.choice(NIMS)
        takes = [take]
    else:
        pick, become, *takes = rng.choice(FEW)
    rules = Rules(pick.format(c=c), "", become, rng.choice(("loses", "loses", "wins")))
    if rng.random() < 0.35:
        rules.where = rng.choice(WHERES).format(c=c)
    if rng.random() < 0.15:
        rules.become = rng.choice(LATE).format(b=become)
    if not pick:  # m does not exist
        rules.where, rules.become = rules.where.replace("m ", "h "), rules.become.replace("m ", "h ")
    if "k" in rules.where + rules.become:
        rules.parameters = {"k": "1.."}
    return rules, takes


def winner_game(rng: random.Random) -> tuple[dict[str, Any], Rules]:
    """Return a claim about winners. Invariants and moves that fit all small positions are preferred."""
    rules, takes = random_rules(rng)
    c = rng.choice((1, 2, 2, 3, 4))
    given = {"k": 1} if rules.parameters else {}
    try:
        won = wins(rules, given, BOX)
    except Unplayable:
        won = {}
    right: dict[int, tuple[dict[str, str], str]] = {}
    guesses = [_filled(*x, c=d) for x in INVARIANTS for d in (c, 2, 3)]
    for mover in (0, 1):
        fitting = [g for g in guesses if won and all(_lost(g, s, given) is not won[s, mover] for s in BOX)]
        right[mover] = rng.choice(fitting if fitting and rng.random() < 0.85 else guesses)
    names, first = list(rules.players), right[0]
    who = ["mover"] if not rules.partizan and rng.random() < 0.85 else names
    if not rules.partizan and rng.random() < 0.8:
        right[1] = first
    folds = {**right[1][0], **first[0]} if who != ["mover"] else first[0]
    loses = {name: right[i][1] for i, name in enumerate(who)}
    moves = [
        x for i in range(len(who)) for x in _replies(rng, rules, right[i], takes, c, None if len(who) < 2 else names[i])
    ]
    if rules.stuck == "wins":
        moves += [x | {"to": "anywhere", "when": rng.choice(("True", x["when"]))} for x in moves[:2]]
    p, q = rng.sample(names, 2)
    lost = right[names.index(p) if len(who) > 1 else 0]
    then = rng.choice(CLAIMS).format(lost=_unfolded(lost), p=p, q=q)
    claim: dict[str, Any] = {
        "ruleset": "game",
        "forall": ({"k": "1.."} if rules.parameters else {}) | {"s": "position"},
        "claim": {"then": then},
        "proof": rng.choice(({}, {}, {"sizes": "< 2^62"}, {"sizes": "< 2^6"}))
        | {
            "folds": folds,
            "loses": loses,
            "moves": moves,
        },
    }
    if not moves:
        del claim["proof"]["moves"]
    if rng.random() < 0.15 and rules.parameters:
        claim["claim"]["if"] = rng.choice(("k > 1", "len(s) < 9", "k >= 1 and len(s) >= 0"))
    return claim, rules


def head() -> dict[str, Any]:
    """Return the keys that do not matter here."""
    return {"format": 1, "title": "T", "statement": "S.", "work": "random", "locator": "L", "role": "conjecture"}


def _filled(folds: dict[str, str], lost: str, c: int) -> tuple[dict[str, str], str]:
    return {n: x.format(c=c) for n, x in folds.items()}, lost


def _lost(guess: tuple[dict[str, str], str], s: tuple[int, ...], given: dict[str, int]) -> Any:
    folds, lost = guess
    seen = {n: evaluate(x, s=s, **given) for n, x in folds.items()}
    return bool(evaluate(lost, **seen, **given))


def _unfolded(guess: tuple[dict[str, str], str]) -> str:
    """Return the invariant as a condition on s."""
    import re

    folds, text = guess
    for name, fold in folds.items():
        text = re.sub(rf"\b{name}\b", lambda _, fold=fold: f"({fold})", text)
    return f"({text})"


def _replies(
    rng: random.Random, rules: Rules, lost: tuple[dict[str, str], str], takes: list[str], c: int, player: str | None
) -> list[dict[str, Any]]:
    """Return named moves from positions in which the mover does not lose."""
    folds, when = lost
    found = []
    for _ in range(rng.choice((1, 1, 1, 2))):
        move: dict[str, Any] = {} if player is None else {"player": player}
        move["when"] = f"not ({when})" if rng.random() < 0.9 else "True"
        y = "h - 1"
        move["heap"] = rng.choice(HEAPS).format(c=c)
        if "X" in folds and rng.random() < 0.9:
            term = (
                folds["X"].removeprefix("nim_sum(").split(" for h")[0].removesuffix(")") if "for" in folds["X"] else "h"
            )
            move["heap"] = "top bit of X"
            whole = f"(({term}) ^ X)"
            y = {"h": whole}.get(term, rng.choice((f"h - ({term}) + {whole}", whole, f"2 * {whole}")))
        elif rng.random() < 0.4:
            y = rng.choice(("0", "h - 1", "h // 2", "h - h % 2"))
        if rules.pick:
            move["take"] = {"m": rng.choice(takes).format(y=y)}
        found.append(move)
    return found


MAKERS: tuple[tuple[str, Callable[[random.Random], tuple[dict[str, Any], Any]]], ...] = (
    ("winner", winner_game),
    ("grundy", grundy_game),
    ("value", value_game),
    ("shaped", shaped_game),
    ("periodic", periodic_game),
    ("integers", integers),
)
