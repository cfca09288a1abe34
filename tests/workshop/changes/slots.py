"""The places of the expressions in a claim, its rulesets and its proof, and the names that each may use."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from claims.language.files.domains import split_range

from ..bundle import CLAIM, DEFINITIONS, Bundle, Keys
from .edits import Editor, Names

SHAPE = ("heaps", "least", "times", "largest")
_HEAD = re.compile(r"(\w+)\((.*)\)")
_PICK = re.compile(r"(any with |top bit of )(.+)", re.DOTALL)
_ARGUMENT = re.compile(r"(=\s*)([^,()]+)(?=[,)])")


@dataclass(frozen=True)
class Slot:
    """A text in a file. `part`: its part of the claim. `kind`: expression, range, pick or binding."""

    file: str
    keys: Keys
    part: str
    names: Names
    kind: str = "expression"

    def edited(self, bundle: Bundle, rng: random.Random) -> str | None:
        """Return the text with one change, or None."""
        text, editor = bundle.at(self.file, self.keys), Editor(rng, self.names)
        if self.kind == "range":
            sides = split_range(text)
            if sides is None:
                return editor.edited(text)
            lo, hi = sides
            if hi and rng.random() < 0.5:
                return joined(lo, editor.edited(hi), "..")
            return joined(editor.edited(lo), hi, "..")
        if self.kind == "pick":
            match = _PICK.fullmatch(text)
            return joined(match[1], editor.edited(match[2]), "") if match else None
        if self.kind == "binding":
            spots = list(_ARGUMENT.finditer(text))
            spot = rng.choice(spots) if spots else None
            new = editor.edited(spot[2]) if spot else None
            return text[: spot.start(2)] + new + text[spot.end(2) :] if spot and new else None
        return editor.edited(text)


def joined(left: str | None, right: str | None, between: str) -> str | None:
    return None if left is None or right is None else f"{left}{between}{right}"


def names_of(bundle: Bundle) -> Names:
    """Return the variables of the claim, and the players of its game."""
    names = Names()
    for name, domain in variables(bundle).items():
        text = domain if isinstance(domain, str) else ""
        if text == "position":
            names.positions.append(name)
        elif text == "player":
            names.players.append(name)
        elif not text.startswith("subsets"):
            names.integers.append(name)
    for file in bundle.ruleset_files():
        players = bundle.files[file].get("players")
        if isinstance(players, list):
            names.players += [p for p in players if p not in names.players]
    return names


def variables(bundle: Bundle) -> dict[str, Any]:
    return bundle.claim.get("forall") or bundle.claim.get("exists") or {}


def slots(bundle: Bundle) -> list[Slot]:
    """Return all slots of a bundle."""
    return [slot for slot in _all(bundle) if isinstance(bundle.at(slot.file, slot.keys), str)]


def _all(bundle: Bundle) -> Iterator[Slot]:
    names = names_of(bundle)
    data = bundle.claim
    for key in data.get("claim", {}):
        yield Slot(CLAIM, ("claim", key), "conclusion" if key == "then" else "hypothesis", names)
    quantifier = "forall" if "forall" in data else "exists"
    for key in variables(bundle):
        yield Slot(CLAIM, (quantifier, key), "domain", names, "range")
    for file in (CLAIM, DEFINITIONS):
        for head in bundle.files.get(file, {}).get("define", {}):
            yield Slot(file, ("define", head), "definition", _of_definition(head, names))
    if "ruleset" in data:
        yield Slot(CLAIM, ("ruleset",), "binding", names, "binding")
    for key in data.get("games", {}):
        yield Slot(CLAIM, ("games", key), "binding", names, "binding")
    for file in bundle.ruleset_files():
        yield from _of_ruleset(file, bundle.files[file])
    for file in bundle.files:
        if "proof" in bundle.files[file]:
            yield from _of_proof(file, bundle.files[file]["proof"], names)


def _of_definition(head: str, names: Names) -> Names:
    match = _HEAD.fullmatch(head)
    own = [x.strip() for x in match[2].split(",")] if match else []
    positions = [x for x in own if x in ("s", "t")]
    return Names([x for x in own if x not in positions] + names.integers, positions + names.positions, names.players)


def _of_ruleset(file: str, data: dict[str, Any]) -> Iterator[Slot]:
    players = data["players"] if isinstance(data["players"], list) else []
    parameters = list(data.get("parameters", {}))
    for name in parameters:
        yield Slot(file, ("parameters", name), "ruleset", Names(parameters), "range")
    for i, move in enumerate(data["moves"]):
        picks = list(move.get("pick", {}))
        own = Names([*move["choose"].split()[-1:], *picks, *parameters], ["s"], ["mover", *players])
        yield from (Slot(file, ("moves", i, "pick", p), "ruleset", own, "range") for p in picks)
        if "where" in move:
            yield Slot(file, ("moves", i, "where"), "ruleset", own)
        yield from (Slot(file, ("moves", i, "become", j), "ruleset", own) for j in range(len(move["become"])))


def _of_proof(file: str, proof: dict[str, Any], names: Names) -> Iterator[Slot]:
    def slot(*keys: str | int, own: Names, kind: str = "expression") -> Slot:
        return Slot(file, ("proof", *keys), "proof", own, kind)

    integers = Names(names.integers)
    if proof.get("rule") == "few heaps":
        yield from _of_few_heaps(slot, proof, integers)
        return
    folds = integers.with_(*proof.get("folds", {}))
    digits, below = (list(proof.get(k, {})) for k in ("digits", "below_digits"))
    shape = [*SHAPE, *(f"x{i}" for i in range(1, int(proof.get("sorted", 0)) + 1))]
    for key, own in (
        ("heap", integers.with_(*digits)),
        ("below", integers.with_(*below)),
        ("region", names if proof.get("rule") == "equal games" else integers.with_(*shape)),
        ("value", integers.with_(*(shape if proof.get("rule") == "value" else digits))),
    ):
        if key in proof:
            yield slot(key, own=own)
    yield from (slot("folds", n, own=names) for n in proof.get("folds", {}))
    for table, own, kind in (
        ("facts", folds, "expression"),
        ("steps", names, "expression"),
        ("loses", folds, "expression"),
        ("digits", integers, "range"),
        ("below_digits", integers, "range"),
        ("lemmas", integers.with_(*digits, *below), "expression"),
    ):
        yield from (slot(table, n, own=own, kind=kind) for n in proof.get(table, {}))
    yield from (slot("split", i, own=integers) for i in range(len(proof.get("split", []))))
    for i, row in enumerate(proof.get("moves", [])):
        yield slot("moves", i, "when", own=folds)
        if "heap" in row:
            yield slot("moves", i, "heap", own=folds.with_("h"), kind="pick")
        yield from (slot("moves", i, "take", m, own=folds.with_("h")) for m in row.get("take", {}))
    both = integers.with_(*digits, *below, "h")
    for i, row in enumerate(proof.get("options", [])):
        if "when" in row:
            yield slot("options", i, "when", own=integers.with_(*shape) if "becomes" in row else both)
        if "becomes" in row:
            yield slot("options", i, "becomes", own=integers.with_(*shape))
        yield from (slot("options", i, "digits", d, own=both) for d in row.get("digits", {}))
        yield from (slot("options", i, "take", m, own=both.with_("y")) for m in row.get("take", {}))
    for i, row in enumerate(proof.get("at", [])):
        yield slot("at", i, "heap", own=integers.with_("h"))
        yield from (slot("at", i, "digits", d, own=integers) for d in row.get("digits", {}))
    for i, row in enumerate(proof.get("divide", [])):
        yield from (slot("divide", i, key, own=integers.with_("h", *digits)) for key in row)
    witness = proof.get("witness", {})
    yield from (slot("witness", "digits", d, own=integers.with_(*below)) for d in witness.get("digits", {}))
    if "lemma" in witness:
        yield slot("witness", "lemma", own=integers.with_(*below))
    yield from (slot("cases", i, "when", own=integers) for i in range(len(proof.get("cases", []))))


def _of_few_heaps(slot: Callable[..., Slot], proof: dict[str, Any], integers: Names) -> Iterator[Slot]:
    heaps = integers.with_(*(h for h in proof.get("heaps", []) if isinstance(h, str)))
    numbers = heaps.with_(*proof.get("numbers", {}), *([proof["below"]] if "below" in proof else []))
    if "value" in proof:
        yield slot("value", own=heaps)
    yield from (slot("loses", n, own=heaps) for n in proof.get("loses", {}))
    for name, lemma in proof.get("lemmas", {}).items():
        own = integers.with_(*lemma.get("for", {}))
        yield from (slot("lemmas", name, "for", v, own=own, kind="range") for v in lemma.get("for", {}))
        yield from (slot("lemmas", name, key, own=own) for key in ("holds", "measure") if key in lemma)
        for key, inner in (("smaller", own), ("at", numbers)):
            for i, row in enumerate(lemma.get(key, [])):
                yield from (slot("lemmas", name, key, i, v, own=inner) for v in row)
    for name, number in proof.get("numbers", {}).items():
        kinds = {"least": "range"}
        yield from (slot("numbers", name, k, own=numbers, kind=kinds.get(k, "expression")) for k in number)
    for i, row in enumerate(proof.get("moves", [])):
        yield slot("moves", i, "when", own=numbers)
        yield from (slot("moves", i, "take", m, own=numbers) for m in row.get("take", {}))
