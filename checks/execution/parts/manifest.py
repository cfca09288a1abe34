"""What a part of a run says of itself once it is finished: part.json in the folder of its report."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from checks.cache.coding import Coder, Unreadable, dump
from checks.execution.parts.share import Part
from checks.judgement.options import Options
from checks.receipts.bounded_json import BadJson, Bounds, quote, read_json
from checks.receipts.writing import seal, store
from checks.results.values import Json

FILE = "part.json"
FORMAT = 1
KEYS = ("format", "part", "seal")
BOUNDS = Bounds(4 << 20, 12, 200_000, 4000)


class BadPart(Exception):
    """A folder in which no finished part lies, or not what belongs to it; the message names it."""


@dataclass(frozen=True)
class Manifest:
    """`wanted`: as on the command line; `options`: without the budget, which is each part's own.

    `claims`: id and digest of each that is searched in shards, in their order.
    """

    part: Part
    wanted: tuple[str, ...]
    options: Options
    program: tuple[str, ...]
    claims: tuple[tuple[str, str], ...]


@cache
def _coder() -> Coder:
    return Coder(Manifest)


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Say that the part is finished. Raises OSError."""
    data: dict[str, Json] = {"format": FORMAT, "part": json.loads(_coder().write(manifest))}
    store(folder / FILE, json.dumps({**data, "seal": seal(data)}, separators=(",", ":")) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """What the finished part in a folder says. Raises BadPart."""
    path = folder / FILE
    if not path.exists():
        raise BadPart(f"{folder}: no finished part of a run lies there: there is no {FILE}")
    try:
        data = read_json(path, BOUNDS)
    except BadJson as error:
        raise BadPart(str(error)) from None
    if not isinstance(data, dict) or tuple(data) != KEYS or data["format"] != FORMAT:
        raise BadPart(f"{path}: {quote(data)}; expected what run --shard writes, of format {FORMAT}")
    if data["seal"] != seal(data):
        raise BadPart(f"{path}: the seal does not fit: it was edited")
    try:
        found = _coder().read(dump(data["part"]))
    except Unreadable as error:
        raise BadPart(f"{path}: {error}") from None
    assert isinstance(found, Manifest)
    if not 1 <= found.part.number <= found.part.count:
        raise BadPart(f"{path}: part {found.part}")
    return found
