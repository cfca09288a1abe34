"""What a part of a run says of itself once it is finished: part.json in the folder of its report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from checks.execution.ground.sealed import BadFile, FileForm
from checks.execution.parts.share import RunShare
from checks.judgement.options import Options
from checks.receipts.bounded_json import Bounds
from checks.receipts.links import NOT_FOLLOWED
from claims.language.ground.errors import NimChecksError

FILE = "part.json"


class BadPart(NimChecksError):
    """A folder in which no finished part lies, or not what belongs to it; the message names it."""


@dataclass(frozen=True)
class Manifest:
    """`wanted`: as on the command line; `options`: without the budget, which is each part's own.

    `claims`: id and digest of each that is searched in shards, in their order.
    """

    part: RunShare
    wanted: tuple[str, ...]
    options: Options
    program: tuple[str, ...]
    claims: tuple[tuple[str, str], ...]


FORM = FileForm(1, "part", Manifest, Bounds(4 << 20, 12, 200_000, 4000))


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Say that the part is finished. Raises OSError."""
    FORM.write(folder / FILE, manifest)


def read_manifest(folder: Path) -> Manifest:
    """What the finished part in a folder says. Raises BadPart."""
    path = folder / FILE
    if path.is_symlink():
        raise BadPart(f"{path}: {NOT_FOLLOWED}")
    if not path.exists():
        raise BadPart(f"{folder}: no finished part of a run lies there: there is no {FILE}")
    try:
        found = FORM.read(path)
    except BadFile as error:
        raise BadPart(str(error)) from None
    if not 1 <= found.part.number <= found.part.count:
        raise BadPart(f"{path}: part {found.part}")
    return found
