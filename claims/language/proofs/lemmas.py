"""Lemmas: other claims on which the proof of a claim rests, found by the names that its `by` gives them.

[proof]
by = ["theorem-1", "nim/bouton"]   # a claim of the same folder; one of a folder beside it, or else of the library

What rests on what, by `by`, `from` and cases, is one graph: an argument that goes in a circle is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from claims.language.errors import ClaimError, describe_circle, nearest
from claims.language.statement.claim import Claim, Lemma
from claims.language.toml.source import Keys, Read, Source, shown
from claims.language.toml.trail import is_file

MOST = 40  # claims, each resting on the next
_NAME = re.compile(r"(?:([\w-]+)/)?([\w-]+)")
_EXPECTED = 'the name of a claim in the same folder, or "folder/name"'


@dataclass(frozen=True)
class Seat:
    """Where a claim stands: its id and its file. The library is where folders are looked for that are not beside it."""

    id: str
    path: Path
    library: Path

    def beside(self, name: str) -> Seat:
        """The seat of the claim of that name in the same folder, whether there is one or not."""
        folder, slash, _ = self.id.rpartition("/")
        return Seat(f"{folder}{slash}{name}", self.path.parent / f"{name}.toml", self.library)

    def find(self, name: str) -> Seat | None:
        """The seat of the lemma that a proof at this one calls `name`; None if there is no such file."""
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
                return Seat(name if ours else shown(path).removesuffix(".toml"), path, self.library)
        return None

    @property
    def file(self) -> Path:
        """The file itself, symbolic links followed: by it a claim is known, whatever it is called."""
        return Path(os.path.realpath(self.path))


class Lemmas:
    """Reads the lemmas of one claim, and theirs, each claim once. `read` reads the claim at a seat."""

    def __init__(self, read: Callable[[Seat], Claim]) -> None:
        self._read = read
        self._known: dict[Path, Lemma] = {}
        self._under_way: dict[Path, str] = {}  # the file and id of each that rests on the next

    def start(self, seat: Seat) -> Claim:
        """The claim at a seat, on which nothing rests that is under way. Raises ClaimError."""
        self._under_way = {seat.file: seat.id}
        return self._read(seat)

    @contextmanager
    def resting_on(self, seat: Seat, source: Source, keys: Keys) -> Iterator[None]:
        """While that is read on which the claim under way rests, as the keys of the source say.

        Raises ClaimError there, if that rests on the claim under way itself.
        """
        file = seat.file
        if file in self._under_way:
            ids = list(self._under_way.values())
            circle = tuple(ids[list(self._under_way).index(file) :])
            raise source.fault(keys, describe_circle(circle), "claims that do not rest on this one")
        if len(self._under_way) == MOST:
            raise source.fault(keys, f"more than {MOST} claims, each resting on the next", "a shorter argument")
        self._under_way[file] = seat.id
        try:
            yield
        finally:
            del self._under_way[file]

    def find(self, at: Seat, source: Source, keys: Keys, name: str) -> Lemma:
        """The lemma that the proof of the claim at a seat calls `name`, under the keys of the source.

        Raises ClaimError there, or in the lemma's own file, and then tells who named it.
        """
        seat = at.find(name)
        if seat is None:
            near = nearest(name, sorted(path.stem for path in at.path.parent.glob("*.toml")))
            raise source.fault(keys, f"there is no claim {name!r} to rest on", _EXPECTED + near)
        file = seat.file
        if file not in self._known:
            with self.resting_on(seat, source, keys):
                try:
                    claim = self._read(seat)
                except ClaimError as error:
                    calls = (*error.calls, ("in a lemma that is named at", source.place(keys)))
                    raise ClaimError(error.place, error.message, error.expected, calls) from None
            self._known[file] = Lemma(seat.id, claim, file)
        found = self._known[file]
        if found.claim.quantifier == "exists":
            problem = f"{name} says that something exists: nothing follows from it for a case"
            raise source.fault(keys, problem, "a claim with [forall], or one without variables")
        return found


def list_lemmas(seat: Seat, read: Read) -> tuple[Seat, ...]:
    """The lemmas that a claim's file names, in its own [proof] and in those that it takes over, each once.

    No claim is read: what is wrong with a file is told by who reads it, and here it names nothing.
    """
    data = _read_proof(seat, read)
    cases = data.get("cases")
    rows = cases if isinstance(cases, list) else []
    taken = [data.get("from"), *(row.get("from") for row in rows if isinstance(row, dict))]
    proofs = [data, *(_read_proof(seat.beside(name), read) for name in taken if isinstance(name, str))]
    lists = (proof.get("by") for proof in proofs)
    names = [name for names in lists if isinstance(names, list) for name in names if isinstance(name, str)]
    found = (seat.find(name) for name in names)
    return tuple({other.file: other for other in found if other is not None}.values())


def _read_proof(seat: Seat, read: Read) -> dict[str, object]:
    """The table [proof] of a file; an empty one if it has none or cannot be read."""
    try:
        found = read(seat.path).data.get("proof")
    except ClaimError:
        return {}
    return found if isinstance(found, dict) else {}
