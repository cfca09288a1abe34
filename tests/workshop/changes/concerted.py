"""Coordinated changes: one error in two places, so that each place makes the other look right."""

from __future__ import annotations

import random
import re

from ..bundle import Bundle, ruleset_file
from .atoms import CONSTANTS, atom
from .edits import FAR
from .slots import names_of, slots, variables

SETS = (
    "{{i for i in range(0, {k})}} == {{i for i in range(0, {k} + {z})}}",
    "{{i for i in range({z}, {k})}} == {{j for j in range(0, {k})}}",
    "{{h for h in {S}}} == {{h for h in {S} if h != {C}}}",
    "{{t for t in options({S}{p}) if nim_sum(t) == {z}}} == {{replace({S}, h, h ^ {z}) for h in {S} if (h ^ {z}) < h}}",
)
DEFINITIONS = (
    ("few(s, x)", "count(h >= x for h in s)", "few({S}, {C}) <= few({S}, {D})"),
    ("odd(s, x)", "nim_sum(h for h in s if h % 2 == x % 2)", "odd({S}, {C}) == odd({S}, {D})"),
    ("big(h, x)", "h >= x", "count(big(h, {C}) for h in {S}) == count(big(h, {D}) for h in {S})"),
    ("half(h)", "1 // (h - {C})", "count(half(h) == 0 for h in {S}) >= 0"),
    ("least(s)", "min(s)", "implies(len({S}) >= 0, least({S}) >= 0)"),
    ("at(x)", "[5, 7][x]", "at({k} - {C}) >= 5"),
    ("h(x)", "x + {C}", "count(h > {C} for h in {S}) >= 0"),
)


def _conclude(bundle: Bundle, rng: random.Random, new: str) -> None:
    """Combine the conclusion with another one, before or after it, or replace it."""
    claim = bundle.claim["claim"]
    claim["then"] = rng.choice((new, f"({claim['then']}) and ({new})", f"({new}) and ({claim['then']})"))


def _filled(bundle: Bundle, rng: random.Random, text: str) -> str:
    names = names_of(bundle)
    c, d = rng.sample(CONSTANTS, 2)
    return text.format(
        S=(names.positions or ["s"])[0],
        k=rng.choice(names.integers or ["1"]),
        C=c,
        D=d,
        z=rng.choice((0, 0, 1, 2)),
        p=f", {rng.choice(names.players)}" if names.players and rng.random() < 0.5 else "",
    )


def lie_about_a_player(bundle: Bundle, rng: random.Random) -> str | None:
    """Write an invariant for one player, and a claim that states exactly that."""
    names = names_of(bundle)
    files = [n for n, d in bundle.files.items() if d.get("proof", {}).get("loses")]
    players = [p for p in names.players if p not in variables(bundle)]
    if not files or not players or not names.positions:
        return None
    proof = bundle.files[rng.choice(files)]["proof"]
    loses, who = proof["loses"], rng.choice(players)
    for other in players:
        loses.setdefault(other, loses.get("mover", next(iter(loses.values()))))
    loses.pop("mover", None)
    loses[who] = lie = rng.choice(("True", "False", loses[who], f"not ({loses[who]})", *loses.values()))
    for name, fold in proof.get("folds", {}).items():
        lie = re.sub(rf"\b{name}\b", lambda _, fold=fold: f"({fold})", lie)
    _conclude(bundle, rng, f"iff(not wins({names.positions[0]}, {who}), {lie})")
    return f"{who} loses where {loses[who]}, in proof and claim"


def lie_in_both(bundle: Bundle, rng: random.Random) -> str | None:
    """Change a text that the proof and the conclusion share, in both."""
    then = bundle.claim["claim"]["then"]
    shared = [
        x
        for x in slots(bundle)
        if x.part == "proof" and (old := str(bundle.at(x.file, x.keys))) in then and not old.isdigit()
    ]
    if not shared:
        return None
    slot = rng.choice(shared)
    old = bundle.at(slot.file, slot.keys)
    v = rng.choice([*names_of(bundle).integers, "1"])
    simple = rng.choice((str(rng.choice(CONSTANTS)), v, f"({old}) + 1", f"({old}) - {v}", f"({old}) // 2", f"-({old})"))
    new = simple if rng.random() < 0.6 else slot.edited(bundle, rng)
    if not new or new == old:
        return None
    for other in slots(bundle):
        if other.part == "proof" and bundle.at(other.file, other.keys) == old:
            bundle.put(other.file, other.keys, new)
    word = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)")
    parts = word.split(then)
    keep = rng.randrange(len(parts)) if rng.random() < 0.3 else 0  # one place may stay unchanged
    changed = parts[0]
    for i, part in enumerate(parts[1:], 1):
        changed += (old if i == keep else f"({new})") + part
    bundle.claim["claim"]["then"] = re.sub(r"\bfor \((\w+)\) in", r"for \1 in", changed)
    return f"{old} changed into {new} in proof and claim: {bundle.claim['claim']['then']}"


def define(bundle: Bundle, rng: random.Random) -> str | None:
    """Add a definition, and a conclusion that calls it twice."""
    head, body, use = rng.choice(DEFINITIONS)
    bundle.claim.setdefault("define", {})[head] = _filled(bundle, rng, body)
    _conclude(bundle, rng, _filled(bundle, rng, use))
    return f"{head} defined; then: {bundle.claim['claim']['then']}"


def two_games(bundle: Bundle, rng: random.Random) -> str | None:
    """Add a second game, and a conclusion about both."""
    named = bundle.claim.pop("ruleset", None)
    if named is None:
        return None
    other = rng.choice(("nim", "misere-nim", named))
    bundle.files |= ruleset_file(other) if other != named else {}
    bundle.claim["games"] = {"one": named, "two": other}
    for file, data in bundle.files.items():
        for keys in (("claim", "then"), ("claim", "if"), *((("define", h)) for h in data.get("define", {}))):
            if keys[1] in data.get(keys[0], {}):
                text = re.sub(
                    r"\b(wins|options|legal|grundy|value|outcome|terminal)\(", r"one.\1(", data[keys[0]][keys[1]]
                )
                bundle.put(file, keys, text)
    _conclude(bundle, rng, _filled(bundle, rng, rng.choice(TWO)))
    return f"two games, {named} and {other}; then: {bundle.claim['claim']['then']}"


TWO = (
    "count(one.wins(position([h]){p}) for h in {S}) == count(two.wins(position([h]){p}) for h in {S})",
    "one.wins({S}{p}) == two.wins({S}{p})",
    "one.grundy({S}) == two.grundy({S})",
    "nim_sum(one.grundy(position([h])) for h in {S}) == nim_sum(two.grundy(position([h])) for h in {S})",
    "{{t for t in one.options({S}{p})}} == {{t for t in two.options({S}{p})}}",
    "two.legal({S}, {S}{p}) or one.wins({S}{p}) or not two.wins({S}{p})",
)


def suppose_and_claim(bundle: Bundle, rng: random.Random) -> str | None:
    """Add a hypothesis, and a similar conclusion."""
    text = rng.choice(SETS) if rng.random() < 0.6 else atom(rng, names_of(bundle)).replace("{", "{{").replace("}", "}}")
    first, second = (_filled(bundle, rng, text) for _ in range(2))
    claim = bundle.claim["claim"]
    claim["if"] = f"({claim['if']}) and ({first})" if "if" in claim else first
    far = rng.choice(FAR)
    changed = re.sub(r"\b(\d+)\b", lambda m: str(far) if rng.random() < 0.2 else m[1], second)
    _conclude(bundle, rng, changed)
    return f"if: {claim['if']}; then: {claim['then']}"
