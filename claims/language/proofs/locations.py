"""Where claims stand, and which others the proof of one names: found without reading any claim as a claim."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from claims.language.ground.errors import ClaimError
from claims.language.statement.variants import base_of, find_variant, identify, take_variant
from claims.language.toml.source import Read, display_path
from claims.language.toml.trail import is_file

_NAME = re.compile(r"(?:([\w-]+)/)?([\w-]+)")


def name_outside(path: Path, library: Path) -> str:
    """The id of a claim outside the library: its path, without `.toml` unless that would name something else as well.

    It would where its first folder, or the file, is called as a work of the library, where a folder beside the file is
    called as the file, and where it could be read as a glob.
    """
    name = display_path(path)
    short = name.removesuffix(".toml")
    work = short.partition("/")[0]
    is_name_of_other = (work and (library / work).is_dir()) or path.with_suffix("").is_dir()
    return name if is_name_of_other or any(sign in short for sign in "*?[") else short


@dataclass(frozen=True)
class Location:
    """Where a claim stands: its id and its file. The library is where folders are looked for that are not beside it.

    A variant stands in the file of its claim.
    """

    id: str
    path: Path
    library: Path

    def beside(self, name: str) -> Location:
        """The location of the claim of that name in the same folder, whether there is one or not."""
        folder, slash, own = base_of(self.id, self.path).rpartition("/")
        suffix = ".toml" if own == self.path.name else ""
        return Location(f"{folder}{slash}{name}{suffix}", self.path.parent / f"{name}.toml", self.library)

    def find(self, name: str) -> Location | None:
        """The location of the lemma that a proof at this one calls `name`; None if there is no such file."""
        match = _NAME.fullmatch(name)
        if not match:
            return None
        folder, own = match.groups()
        if folder is None:
            found = self.beside(own)
            return found if is_file(found.path) else None
        here = Path(os.path.realpath(self.path.parent))
        for root in (here.parent, self.library):
            path = root / folder / f"{own}.toml"
            if is_file(path):
                ours = os.path.realpath(root) == os.path.realpath(self.library)
                return Location(name if ours else name_outside(path, self.library), path, self.library)
        return None

    @property
    def file(self) -> Path:
        """The file itself, symbolic links followed: by it a claim is known, whatever it is called."""
        return identify(Path(os.path.realpath(self.path)), self.id)

    @property
    def variant(self) -> str:
        """The name of the variant that it is of, "" where it is of the file's own claim."""
        return find_variant(self.id, self.path)


def list_lemmas(location: Location, read: Read) -> tuple[Location, ...]:
    """The lemmas that a claim's file names, in its own [proof] and in those that it takes over, each once.

    No claim is read: what is wrong with a file is told by who reads it, and here it names nothing.
    """
    data = _read_proof(location, read)
    cases = data.get("cases")
    rows = cases if isinstance(cases, list) else []
    taken = [data.get("from"), *(row.get("from") for row in rows if isinstance(row, dict))]
    proofs = [data, *(_read_proof(location.beside(name), read) for name in taken if isinstance(name, str))]
    lists = (proof.get("by") for proof in proofs)
    names = [name for names in lists if isinstance(names, list) for name in names if isinstance(name, str)]
    found = (location.find(name) for name in names)
    return tuple({other.file: other for other in found if other is not None}.values())


def _read_proof(location: Location, read: Read) -> dict[str, object]:
    """The table [proof] of a claim; an empty one if it has none or cannot be read."""
    try:
        found = take_variant(read(location.path), location.variant).data.get("proof")
    except ClaimError:
        return {}
    return found if isinstance(found, dict) else {}
