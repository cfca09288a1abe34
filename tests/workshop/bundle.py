"""A claim with the files that it needs, as data: read, changed, and written as TOML into a folder."""

from __future__ import annotations

import copy
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import claims
from claims.language.files.library import Entry

LIBRARY = Path(claims.__file__).parent
CLAIM, DEFINITIONS = "claim.toml", "definitions.toml"
FEW = {"size": "1..2"}  # for the heaps in a lemma's scope, so that only its proof can show it
_NAMED = re.compile(r"\s*([A-Za-z0-9][\w-]*)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}

Keys = tuple[str | int, ...]


@dataclass
class Bundle:
    """The files of a claim: name below the folder -> data of the TOML file. The claim is `claim.toml`."""

    files: dict[str, Any]

    @property
    def claim(self) -> dict[str, Any]:
        return self.files[CLAIM]

    def copied(self) -> Bundle:
        return Bundle(copy.deepcopy(self.files))

    def at(self, file: str, keys: Keys) -> Any:
        value = self.files[file]
        for key in keys:
            value = value[key]
        return value

    def put(self, file: str, keys: Keys, value: Any) -> None:
        self.at(file, keys[:-1])[keys[-1]] = value

    def written(self, folder: Path) -> Entry:
        """Write the files below `folder`, and return the claim's entry."""
        for name, text in self.texts().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return Entry("claim", folder / CLAIM)

    def texts(self) -> dict[str, str]:
        return {name: toml(data) for name, data in self.files.items()}

    def stated(self) -> str:
        """Return everything that determines the statement, without its proof and its scopes."""
        kept = {k: v for k, v in self.claim.items() if k in ("ruleset", "games", "forall", "exists", "define", "claim")}
        others = {n: d for n, d in self.files.items() if n == DEFINITIONS or n.startswith("rulesets/")}
        return repr((kept, sorted(others.items())))

    def ruleset_files(self) -> list[str]:
        return [name for name in self.files if name.startswith("rulesets/")]


def bundle_of(path: Path) -> Bundle:
    """Return a claim file with its definitions, its rulesets, its lemmas, and the claims whose proofs it uses."""
    data = tomllib.loads(path.read_text("utf-8"))
    files: dict[str, Any] = {CLAIM: data}
    beside = path.parent / DEFINITIONS
    if beside.is_file():
        files[DEFINITIONS] = tomllib.loads(beside.read_text("utf-8"))
    _add_others(files, data, path.parent)
    for other in list(files.values()):
        for text in (other.get("ruleset"), *other.get("games", {}).values()):
            if text and (match := _NAMED.match(text)):
                files |= ruleset_file(match[1], path.parent)
    return Bundle(_needed(files))


def _add_others(files: dict[str, Any], data: dict[str, Any], folder: Path) -> None:
    """Add the claims of the folder that a proof uses, directly or indirectly, with few positions in their scopes."""
    proof = data.get("proof", {})
    taken = (proof.get("from"), *(case.get("from") for case in proof.get("cases", ())))
    for name in (*taken, *proof.get("by", ())):
        if name and "/" not in name and f"{name}.toml" not in files:
            other = tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
            small = {k: v | FEW if isinstance(v, dict) else v for k, v in other.get("scope", {}).items() if k != "deep"}
            files[f"{name}.toml"] = other | ({"scope": small} if small else {})
            _add_others(files, other, folder)


def _needed(files: dict[str, Any]) -> dict[str, Any]:
    """Return the files without shared definitions that nothing calls."""
    held = files.get(DEFINITIONS)
    if not held:
        return files
    text, kept = repr([d for n, d in files.items() if n != DEFINITIONS]), {}
    for head, body in reversed(held["define"].items()):  # a definition calls earlier ones only
        if re.search(rf"\b{head.split('(')[0]}\b", text):
            kept[head] = body
            text += body
    others = {n: d for n, d in files.items() if n != DEFINITIONS}
    return others | ({DEFINITIONS: held | {"define": dict(reversed(kept.items()))}} if kept else {})


def ruleset_file(name: str, beside: Path | None = None) -> dict[str, Any]:
    """Return the named ruleset as a file for the claim's folder; empty if there is none."""
    for folder in (*((beside, beside / "rulesets") if beside else ()), LIBRARY / "rulesets"):
        path = folder / f"{name}.toml"
        if path.is_file():
            data = tomllib.loads(path.read_text("utf-8"))
            if "moves" in data:
                return {f"rulesets/{name}.toml": data}
    return {}


# -- writing TOML -----------------------------------------------------------------------------------------------------
def toml(data: dict[str, Any]) -> str:
    """Return the data as a readable TOML file.

    >>> print(toml({"format": 1, "scope": {"s": {"heaps": "0..2"}}, "moves": [{"choose": "any heap h"}]}), end="")
    format = 1
    <BLANKLINE>
    [scope]
    s = { heaps = "0..2" }
    <BLANKLINE>
    [[moves]]
    choose = "any heap h"
    """
    return "".join(_table((), data))


def _table(at: tuple[str, ...], data: dict[str, Any]) -> list[str]:
    found = [f"{_key(k)} = {_value(v)}\n" for k, v in data.items() if not _heads(at, v)]
    for key, value in data.items():
        name = ".".join((*at, _key(key)))
        if not _heads(at, value):
            continue
        for row in value if isinstance(value, list) else [value]:
            found.append(f"\n[[{name}]]\n" if isinstance(value, list) else f"\n[{name}]\n")
            found += _table((*at, _key(key)), row)
    return found


def _heads(at: tuple[str, ...], value: Any) -> bool:
    """Whether a value gets its own heading: tables of the first two levels."""
    rows = isinstance(value, list) and value and all(isinstance(x, dict) for x in value)
    return bool(rows) or (isinstance(value, dict) and (not at or at == ("proof",)))


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return '"' + "".join(_ESCAPES.get(c, c) for c in value) + '"'
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    return str(value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)
