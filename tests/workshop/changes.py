"""The changes that make a false sibling of a claim: each takes a bundle, changes it at random, and says what it did."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .atoms import CONSTANTS, atom, slipped_in
from .bundle import CLAIM, Bundle, ruleset_file
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
PICKS = ("1..h", "0..h", "-h..-1", "-1..h", "1..2 * h", "1..h - 1", "1..min({c}, h)", "1..{c}", "1..h + {c}", "{{1, {c}}}")
CHOICES = ("any heap h", "a largest heap h", "a smallest heap h")
HEAPS = ("any", "any with h >= {c}", "any with h % 2 == 1", "top bit of {f}", "any with h == {c}", "any with True")


def edit(bundle: Bundle, rng: random.Random, *parts: str) -> str | None:
    """One change inside one expression of these parts of the claim."""
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
    """A statement of ours slipped into the conclusion."""
    claim = bundle.claim["claim"]
    claim["then"] = slipped_in(rng, names_of(bundle), claim["then"])
    return f"then: {claim['then']}"


def suppose(bundle: Bundle, rng: random.Random) -> str | None:
    """A hypothesis dropped, added before or behind, or made a guard."""
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
    """A variable of the claim gets a name that is used elsewhere; everywhere, or in the statement alone."""
    import re

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
    """Another game of the library for this one, its parameters bound to whatever there is."""
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
    """The ruleset itself: who wins when stuck, what may be picked, where, what becomes of it, who plays."""
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


# -- the entries of a proof -------------------------------------------------------------------------------------------
def other_entries(bundle: Bundle, rng: random.Random) -> str | None:
    """An entry of the proof dropped, doubled, moved, or its text exchanged with another's."""
    found = [(n, k) for n, d in bundle.files.items() for k, v in d.get("proof", {}).items() if isinstance(v, dict | list)]
    if not found:
        return None
    file, key = rng.choice(found)
    held = bundle.files[file]["proof"][key]
    how = rng.choice(("drop", "drop", "double", "move", "exchange"))
    if isinstance(held, dict):
        return _entries(held, key, how, rng)
    at = rng.randrange(len(held)) if held else 0
    if not held or (len(held) == 1 and how == "drop"):
        del bundle.files[file]["proof"][key]
        return f"{key} dropped"
    if how == "drop":
        held.pop(at)
    elif how == "double":
        held.insert(rng.randrange(len(held) + 1), held[at].copy() if isinstance(held[at], dict) else held[at])
    elif how == "move":
        held.insert(rng.randrange(len(held)), held.pop(at))
    elif not isinstance(held[0], dict) or len(held) < 2:
        return None
    else:
        one, other = rng.sample(held, 2)
        part = rng.choice(list(one))
        one[part], other[part] = other.get(part, one[part]), one[part]
        return f"{key}: {part} exchanged"
    return f"{key} number {at}: {how}"


def _entries(held: dict[str, Any], key: str, how: str, rng: random.Random) -> str | None:
    name = rng.choice(list(held)) if held else ""
    if not name:
        return None
    if how == "drop":
        return f"{key}.{name} dropped  (was {held.pop(name)})"
    if how == "double":
        held[f"{name}2"] = held[name]
        return f"{key}.{name} doubled"
    if how == "move":
        held[name] = held.pop(name)
        return f"{key}.{name} moved to the end"
    other = rng.choice(list(held))
    held[name], held[other] = held[other], held[name]
    return f"{key}: {name} and {other} exchanged" if name != other else None


def other_proof(bundle: Bundle, rng: random.Random) -> str | None:
    """The settings of a proof: its bound, players, picks, what is known or assumed, what is said of the claim's heaps."""
    files = [n for n, d in bundle.files.items() if "sizes" in d.get("proof", {}) or "rule" in d.get("proof", {})]
    if not files:
        return None
    proof = bundle.files[rng.choice(files)]["proof"]
    names = names_of(bundle)
    if "sizes" in proof:
        return _other_folds(proof, names, rng)
    return _other_values(proof, names, rng)


def _other_folds(proof: dict[str, Any], names: Any, rng: random.Random) -> str | None:
    players = [p for p in names.players if p not in names.integers]
    moves, loses, folds = proof.get("moves", []), proof.get("loses", {}), list(proof.get("folds", {}))
    match rng.randrange(9):
        case 0:
            proof["sizes"] = f"< 2^{rng.choice((1, 2, 3, 4, 8, 30, 61))}"
            return f"sizes {proof['sizes']}"
        case 1 if loses:
            who = rng.choice(list(loses))
            loses[rng.choice([*players, "mover"])] = loses.pop(who)
            return f"loses: {list(loses)}"
        case 2 if loses and players:
            who = rng.choice(players)
            loses[who] = rng.choice([*loses.values(), "True", "False"])
            if "mover" in loses and rng.random() < 0.7:
                loses[rng.choice(players)] = loses.pop("mover")
            return f"loses: {loses}"
        case 3 if moves:
            move = rng.choice(moves)
            move["heap"] = rng.choice(HEAPS).format(c=rng.choice(CONSTANTS), f=rng.choice(folds or ["X"]))
            return f"heap {move['heap']}"
        case 4 if moves:
            move = rng.choice(moves)
            move["to"] = "a loss" if move.get("to") == "anywhere" else "anywhere"
            return f"to {move['to']}"
        case 5 if moves and players:
            rng.choice(moves)["player"] = who = rng.choice(players)
            return f"a move of {who} alone"
        case 6:
            k, c = rng.choice(names.integers or ["1"]), rng.choice((1, 3, 9))
            proof["split"] = rng.choice(([f"{k} < {c}", f"{k} >= {c}"], [f"{k} < {c}"], [f"{k} > {c}", f"{k} < {c}"]))
            return f"split {proof['split']}"
        case 7 if folds:
            one, c = rng.choice(folds), rng.choice((0, 1, 2, 50, 2**40))
            fact = rng.choice((f"{one} < {c}", f"{one} >= 0", f"{one} != {c}", f"{one} == {rng.choice(folds)}"))
            proof.setdefault("facts", {})["added"] = fact
            return f"fact {fact}"
        case 8 if names.positions:
            s, c = names.positions[0], rng.choice(CONSTANTS)
            fold = rng.choice((f"count(h >= {c} for h in {s})", f"nim_sum(h // {c} for h in {s})", f"{s}.count({c})"))
            proof.setdefault("folds", {})["added"] = fold
            return f"fold {fold}"
    return None


def _other_values(proof: dict[str, Any], names: Any, rng: random.Random) -> str | None:
    k, c = rng.choice(names.integers or ["1"]), rng.choice(CONSTANTS)
    match rng.randrange(5):
        case 0 if proof["rule"] == "value":
            proof["sorted"] = rng.randrange(7)
            return f"sorted {proof['sorted']}"
        case 1 if proof["rule"] == "grundy":
            at = {"heap": rng.choice(("h", str(c), k, f"{k} + {c}", f"{c} * h", f"{k} - {c}"))}
            if rng.random() < 0.5:
                at["digits"] = {d: rng.choice(("0", "1", k, str(c))) for d in proof.get("digits", {})}
            proof.setdefault("at", []).append(at)
            return f"at {at}"
        case 2 if proof["rule"] == "grundy":
            digits = list(proof.get("digits", {})) or ["0"]
            row = [rng.choice(("h", k)), rng.choice((str(c), k)), rng.choice(digits), rng.choice((*digits, "0"))]
            proof.setdefault("divide", []).append(dict(zip(("dividend", "divisor", "quotient", "remainder"), row, strict=True)))
            return f"divide {row}"
        case 3 if proof["rule"] == "grundy":
            lemma = rng.choice(("False", f"{k} >= {c}", f"{rng.choice(list(proof.get('digits', {})) or ['0'])} <= {c}"))
            proof.setdefault("lemmas", {})["added"] = lemma
            return f"lemma {lemma}"
        case 4 if proof["rule"] == "grundy":
            digits = proof.get(rng.choice(("digits", "below_digits")), {})
            if digits:
                name = rng.choice(list(digits))
                digits[name] = rng.choice(("0..", f"0..{c}", f"0..{k}", f"1..{k}", f"0..{k} - 2", f"-1..{k} - 1"))
                return f"digit {name} in {digits[name]}"
    return None


KINDS: tuple[tuple[int, Change], ...] = (
    (24, edit_statement),
    (24, edit_proof),
    (6, edit_rules),
    (16, slip_in),
    (6, suppose),
    (5, other_domain),
    (3, rename),
    (4, other_ruleset),
    (8, other_rules),
    (8, other_entries),
    (10, other_proof),
)


def changed(bundle: Bundle, rng: random.Random) -> str | None:
    """One change, of a kind drawn by weight."""
    (kind,) = rng.choices([k for _, k in KINDS], [w for w, _ in KINDS])
    return kind(bundle, rng)
