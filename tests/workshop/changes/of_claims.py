"""Changes of a claim and its rules: each changes a bundle at random, and returns a description, or None."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from ..bundle import CLAIM, Bundle, ruleset_file
from .atoms import atom, slipped_in
from .slots import names_of, slots, variables

Change = Callable[[Bundle, random.Random], str | None]

DOMAINS = ("0..", "1..", "2..", "-1..", "-10..", "0..3", "1..40", "-3..3")
NAMES = ("h", "y", "m", "X", "heaps", "picked", "q", "r", "c", "s", "t", "least", "x1", "place", "rest", "a", "k")
WHERES = (
    "mover == {P}",
    "mover != {P} or m != {c}",
    "m != {c}",
    "h != {c}",
    "m % 2 == 1",
    "h - m != {c}",
    "m <= {c} or mover == {P}",
    "h < {c} or m == 1",
    "1 // (h - {c}) < 2",
    "len(s) > {c} or m == 1",
    "m in [1, {c}]",
)
BECOMES = (
    "h - m if mover == {P} else h - 1",
    "h - m if mover == {P} or h < {c} else h // 2",
    "h - m + {c}",
    "h // 2",
    "h - 1",
    "h + m",
    "m - 1",
    "min(h - m, {c})",
    "max(h - m, {c})",
    "h - m if h < {c} else 0",
)
PICKS = (
    "1..h",
    "0..h",
    "-h..-1",
    "-1..h",
    "1..2 * h",
    "1..h - 1",
    "1..min({c}, h)",
    "1..{c}",
    "1..h + {c}",
    "{{1, {c}}}",
)
CHOICES = ("any heap h", "a largest heap h", "a smallest heap h")
# (place of a text in the rules, replacement): the same game or nearly; {x} is the text, {n} the number picked
PHRASES = (
    ("pick", "min({x}, {c})"),
    ("pick", "max({x}, {c})"),
    ("pick", "({x}) // {c}"),
    ("pick", "{x} if h > {c} else {c}"),
    ("pick", "min({x}, h // {c})"),
    ("pick", "min({x}, h - {c})"),
    ("where", "2 * {n} <= h"),
    ("where", "{n} <= h // {c}"),
    ("where", "{n} in [1, {c}]"),
    ("where", "{n} == 1 or {n} == {c}"),
    ("where", "{n} >= {c}"),
    ("where", "{n} > 0 and h - {n} >= 0"),
    ("where", "len(s) in [1, {c}] or {n} == 1"),
    ("where", "len(s) == {c} or {n} < 2"),
    ("become", "max({x}, 0)"),
    ("become", "{x} if h > {c} else max({x}, 0)"),
    ("become", "abs({x})"),
    ("become", "min({x}, h - 1)"),
    ("become", "{x} if h % 2 == 0 else h - 1"),
)


def edit(bundle: Bundle, rng: random.Random, *parts: str) -> str | None:
    """Make one change inside one expression of these parts of the claim."""
    found = [x for x in slots(bundle) if x.part in parts]
    if not found:
        return None
    slot = rng.choice(found)
    old = bundle.at(slot.file, slot.keys)
    new = slot.edited(bundle, rng)
    if new is None or new == old:
        return None
    bundle.put(slot.file, slot.keys, new)
    where = ".".join(map(str, slot.keys)) + (f" of {slot.file}" if slot.file != CLAIM else "")
    return f"{where}: {new}  (was {old})"


def edit_statement(bundle: Bundle, rng: random.Random) -> str | None:
    return edit(bundle, rng, "conclusion", "conclusion", "hypothesis", "definition", "binding", "domain")


def edit_proof(bundle: Bundle, rng: random.Random) -> str | None:
    return edit(bundle, rng, "proof")


def edit_rules(bundle: Bundle, rng: random.Random) -> str | None:
    return edit(bundle, rng, "ruleset")


def slip_in(bundle: Bundle, rng: random.Random) -> str | None:
    """Add one of our statements to the conclusion."""
    claim = bundle.claim["claim"]
    claim["then"] = slipped_in(rng, names_of(bundle), claim["then"])
    return f"then: {claim['then']}"


def suppose(bundle: Bundle, rng: random.Random) -> str | None:
    """Drop a hypothesis, add one before or after, or make it a guard."""
    claim = bundle.claim["claim"]
    old, new = claim.pop("if", ""), atom(rng, names_of(bundle))
    texts = [new, f"({old}) and ({new})", f"({new}) and ({old})", f"({old}) or ({new})"] if old else [new]
    if old and rng.random() < 0.3:
        return f"if dropped  (was {old})"
    claim["if"] = rng.choice(texts)
    return f"if: {claim['if']}"


def other_domain(bundle: Bundle, rng: random.Random) -> str | None:
    names = [n for n, d in variables(bundle).items() if isinstance(d, str) and ".." in d]
    if not names:
        return None
    name, domain = rng.choice(names), rng.choice(DOMAINS)
    variables(bundle)[name] = domain
    return f"{name} in {domain}"


def rename(bundle: Bundle, rng: random.Random) -> str | None:
    """Give a variable of the claim a name that is used elsewhere; everywhere, or only in the statement."""
    names = list(variables(bundle))
    if not names:
        return None
    old, new = rng.choice(names), rng.choice([*NAMES, *names])
    if new == old:
        return None
    word = re.compile(rf"(?<![\w.]){old}(?!\w)")
    parts = ("conclusion", "hypothesis", "domain", "binding", *(("proof", "definition") * (rng.random() < 0.7)))
    for slot in slots(bundle):
        if slot.part in parts:
            bundle.put(slot.file, slot.keys, word.sub(new, bundle.at(slot.file, slot.keys)))
    for table in ("forall", "exists", "scope"):
        held = bundle.claim.get(table)
        if held:
            bundle.claim[table] = {new if k == old else k: v for k, v in held.items()}
    return f"{old} renamed {new}" + ("" if "proof" in parts else ", not in the proof")


def other_ruleset(bundle: Bundle, rng: random.Random) -> str | None:
    """Replace the game by another one of the library, with its parameters bound to available values."""
    name = rng.choice(("nim", "misere-nim", "kl-nim", "bash-nim", "large-nim", "subtraction", "kayles", "moore"))
    files = ruleset_file(name)
    bundle.files |= files
    integers = [*names_of(bundle).integers, str(rng.choice((1, 2, 3)))]
    given = ", ".join(
        f"{p} = {'{1, 3}' if d == 'set' else rng.choice(integers)}"
        for data in files.values()
        for p, d in data.get("parameters", {}).items()
        if p not in variables(bundle) or rng.random() < 0.3
    )
    new = f"{name}({given})" if given else name
    if "games" in bundle.claim:
        bundle.claim["games"][rng.choice(list(bundle.claim["games"]))] = new
    else:
        bundle.claim["ruleset"] = new
    return f"ruleset {new}"


def other_rules(bundle: Bundle, rng: random.Random) -> str | None:
    """Change the ruleset: the winner when stuck, the picks, their condition, the heaps left, or the players."""
    files = bundle.ruleset_files()
    if not files:
        return None
    data = bundle.files[rng.choice(files)]
    move = rng.choice(data["moves"])
    players = data["players"] if isinstance(data["players"], list) else ["0", "1"]
    fill = {"P": rng.choice(players), "c": rng.choice((1, 2, 3, 4, 20))}
    match rng.randrange(9):
        case 0:
            data["stuck"] = "wins" if data["stuck"] == "loses" else "loses"
            return f"stuck {data['stuck']}"
        case 1 | 2 if move.get("pick"):
            name = rng.choice(list(move["pick"]))
            move["pick"][name] = rng.choice(PICKS).format(**fill)
            return f"pick {move['pick'][name]}"
        case 3 | 4:
            new = rng.choice(WHERES).format(**fill)
            move["where"] = f"({move['where']}) and ({new})" if "where" in move and rng.random() < 0.6 else new
            return f"where {move['where']}"
        case 5 | 6:
            move["become"] = [rng.choice(BECOMES).format(**fill)] if rng.random() < 0.85 else []
            return f"become {move['become']}"
        case 7:
            move["choose"] = rng.choice(CHOICES)
            return f"choose {move['choose']}"
        case 8:
            data["moves"].append({**move, "become": [rng.choice(BECOMES).format(**fill)]})
            return f"one more kind of move: {data['moves'][-1]['become']}"
    return None


def rephrase(bundle: Bundle, rng: random.Random) -> str | None:
    """Rephrase a move, or replace it by two kinds of move: the same game, or one that differs somewhere."""
    files = bundle.ruleset_files()
    data = bundle.files[rng.choice(files)] if files else {"moves": [{}]}
    move = rng.choice(data["moves"])
    picks = list(move.get("pick", {}))
    if not files or not picks:
        return None
    name, c = rng.choice(picks), rng.choice((0, 1, 2, 3, 4))
    what, form = rng.choice(PHRASES)
    match rng.randrange(4):
        case 0:  # two kinds, which overlap or leave out some cases
            test = rng.choice((f"{name} >= {c}", f"h > {c}", f"{name} % 2 == 0", f"len(s) == {c}"))
            other = rng.choice((f"not ({test})", f"not ({test})", f"{name} < {c + 1}"))
            old = f"({move['where']}) and " if "where" in move else ""
            data["moves"].append({**move, "where": f"{old}({other})"})
            move["where"] = f"{old}({test})"
            return f"two kinds of move, by {test} and {other}"
        case 1 if (words := move["choose"].split())[-2] in ("heap", "heaps"):
            move["choose"] = rng.choice((f"each of 1..2 heaps {words[-1]}", f"each of 1..1 heaps {words[-1]}"))
            return f"choose {move['choose']}"
    if what == "become":
        at = rng.randrange(len(move["become"])) if move["become"] else None
        if at is None:
            return None
        move["become"][at] = form.format(x=move["become"][at], c=c)
        return f"become {move['become']}"
    if what == "where":
        new = form.format(n=name, c=c)
        move["where"] = f"({move['where']}) and ({new})" if "where" in move else new
        return f"where {move['where']}"
    low, _, high = move["pick"][name].partition("..")
    if not high:
        return None
    low, high = (form.format(x=low, c=c), high) if rng.random() < 0.3 else (low, form.format(x=high, c=c))
    move["pick"][name] = f"{low}..{high}"
    return f"pick {move['pick'][name]}"


def other_constants(bundle: Bundle, rng: random.Random) -> str | None:
    """Change a number of the game: a digit of an octal code, or a member of a set."""
    key = "ruleset"
    text = bundle.claim.get(key, "")
    spots = [m for m in re.finditer(r"\d+", text) if rng.random() < 0.9]
    if not isinstance(text, str) or not spots:
        return None
    spot = rng.choice(spots)
    old = spot[0]
    at = rng.randrange(len(old))
    more = (old[:at] + str(rng.randrange(8)) + old[at + 1 :], old + str(rng.randrange(8))) if "code" in text else ()
    new = rng.choice((*more, str(int(old) + 1), str(int(old) - 1), f"{old}, {rng.randrange(1, 9)}")[: 2 if more else 3])
    bundle.claim[key] = text[: spot.start()] + new + text[spot.end() :]
    return f"ruleset {bundle.claim[key]}"
