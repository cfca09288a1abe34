"""Changes of a complete proof: its entries, its settings, and its statements about players, picks and heaps."""

from __future__ import annotations

import random
from typing import Any

from ..bundle import Bundle
from .atoms import CONSTANTS
from .edits import Names
from .slots import names_of

HEAPS = ("any", "any with h >= {c}", "any with h % 2 == 1", "top bit of {f}", "any with h == {c}", "any with True")


# -- the entries of a proof -------------------------------------------------------------------------------------------
def other_entries(bundle: Bundle, rng: random.Random) -> str | None:
    """Drop, duplicate or move an entry of the proof, or exchange its text with another's."""
    found = [
        (n, k) for n, d in bundle.files.items() for k, v in d.get("proof", {}).items() if isinstance(v, dict | list)
    ]
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
    """Change the settings of a proof: its bound, players, picks, facts, assumptions, or statements about heaps."""
    files = [n for n, d in bundle.files.items() if d.get("proof", {}).keys() - {"from", "cases"}]
    if not files:
        return None
    proof = bundle.files[rng.choice(files)]["proof"]
    names = names_of(bundle)
    if proof.get("rule") == "few heaps":
        return _other_few_heaps(proof, rng)
    if proof.get("rule") == "equal games":
        return _other_equal(proof, names, rng)
    if proof.get("rule") == "arithmetic":
        return _other_arithmetic(proof, names, rng)
    if "heaps" in proof and rng.random() < 0.5:
        return _other_names(proof, rng)
    if proof.get("rule", "folds") in ("folds", "definition"):
        return _other_folds(proof, names, rng)
    return _other_values(proof, names, rng)


def _other_arithmetic(proof: dict[str, Any], names: Names, rng: random.Random) -> str | None:
    one, c = rng.choice(names.integers or ["1"]), rng.choice(CONSTANTS)
    match rng.randrange(3):
        case 0:
            proof["induct"] = one
            return f"induct {one}"
        case 1:
            return None if proof.pop("induct", None) is None else "no induct"
    step = rng.choice((f"{one} < {c}", f"{one} * {one} >= {one}", f"{one} != {c}", f"{one} // 2 <= {c}"))
    proof.setdefault("steps", {})["added"] = step
    return f"step {step}"


def _other_folds(proof: dict[str, Any], names: Names, rng: random.Random) -> str | None:
    players = [p for p in names.players if p not in names.integers]
    moves, loses, folds = proof.get("moves", []), proof.get("loses", {}), list(proof.get("folds", {}))
    match rng.randrange(9):
        case 0:
            bits = rng.choice((1, 2, 3, 4, 8, 30, 61, None))
            if bits is None:
                return None if proof.pop("sizes", None) is None else "no sizes"
            proof["sizes"] = f"< 2^{bits}"
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


def _other_values(proof: dict[str, Any], names: Names, rng: random.Random) -> str | None:
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
            proof.setdefault("divide", []).append(
                dict(zip(("dividend", "divisor", "quotient", "remainder"), row, strict=True))
            )
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


def _other_equal(proof: dict[str, Any], names: Names, rng: random.Random) -> str | None:
    c, region = rng.choice(CONSTANTS), proof.get("region", "True")
    bound = rng.choice([*names.integers, str(c)])
    proof["region"] = rng.choice(
        (
            "len(s) >= 0",
            f"all(h < {bound} for h in s)",
            f"all(h <= {bound} for h in s)",
            f"all(h > {c} for h in s)",
            f"({region}) or len(s) == {c}",
            f"({region}) and len(s) <= {c}",
            f"({region}) or {bound} == {c}",
            f"len(s) == 0 or max(s) <= {bound}",
            "False",
        )
    )
    return f"region {proof['region']}"


def _other_names(proof: dict[str, Any], rng: random.Random) -> str | None:
    heaps = proof["heaps"]
    proof["heaps"] = rng.choice((heaps[:-1] or heaps, [*heaps, "more"], heaps[::-1]))
    return f"heaps {proof['heaps']}"


def _other_few_heaps(proof: dict[str, Any], rng: random.Random) -> str | None:
    heaps, moves, c = proof.get("heaps", []), proof.get("moves", []), rng.choice(CONSTANTS)
    if not heaps or not moves:
        return None
    one = rng.choice(heaps)
    match rng.randrange(7):
        case 0:
            proof["heaps"] = rng.choice((heaps[::-1], heaps[:1], [*heaps, "g"]))
            return f"heaps {proof['heaps']}"
        case 1:
            move = rng.choice(moves)
            move["heaps"] = rng.sample(heaps, rng.randrange(1, len(heaps) + 1))
            return f"heaps of a move {move['heaps']}"
        case 2:
            move = rng.choice(moves)
            move["when"] = rng.choice(("True", f"{one} >= {c}", f"{move['when']} and {one} != {c}"))
            return f"when {move['when']}"
        case 3:
            holds = rng.choice(("v < 0", f"v != {c}", f"v <= {c} or v >= {c} + 2", "v * v >= v", "v >= 1"))
            lemma = {"for": {"v": rng.choice(("0..", "1..", f"0..{c}"))}, "holds": holds, "at": [{"v": one}]}
            if rng.random() < 0.6:
                smaller = rng.choice(("v", "v - 1", "v + 1", "v // 2"))
                lemma |= {"measure": rng.choice(("v", "-v", f"v + {c}")), "smaller": [{"v": smaller}]}
            proof.setdefault("lemmas", {})["added"] = lemma
            return f"lemma {lemma}"
        case 4:
            least = rng.choice((f"0..{one}", f"1..{one}", f"{one}..{c}", f"{c}..{c}", "1..0"))
            number = {"when": rng.choice(("True", f"{one} >= 1")), "least": least}
            number["with"] = rng.choice((f"z * z >= {one}", f"z >= {c}", f"2 * z >= {one}", f"{one} != {c}"))
            proof.setdefault("numbers", {})["z"] = number
            return f"number z {number}"
        case 5:
            loses = proof.get("loses", {})
            for who, text in list(loses.items()):
                loses[who] = rng.choice((f"({text}) or {one} == {c}", f"({text}) and {one} != {c}", "True", "False"))
            return f"loses {loses}"
        case 6:
            moves.append({"when": rng.choice(("True", f"{one} > {c}")), "heaps": [one], "take": {"m": one}})
            return f"a move more {moves[-1]}"
    return None
