"""Lemmas: other claims on which the proof of a claim rests, found by the names that its `by` gives them.

[proof]
by = ["theorem-1", "nim/bouton"]   # a claim of the same folder; one of a folder beside it, or else of the library

What rests on what, by `by`, `from` and cases, is one graph: an argument that goes in a circle is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from claims.language.ground.errors import ClaimError, closest, describe_circle
from claims.language.ground.gathering import collect_faults
from claims.language.proofs.locations import Location
from claims.language.statement.claim import Claim, Lemma
from claims.language.toml.source import Keys, SourceFile

MOST = 40  # claims, each resting on the next
_EXPECTED = 'the name of a claim in the same folder, or "folder/name"'


class LemmaLoader:
    """Reads the lemmas of one claim, and theirs, each claim once. `read` reads the claim at a location."""

    def __init__(self, read: Callable[[Location], Claim]) -> None:
        self._read = read
        self._known: dict[Path, Lemma] = {}
        self._under_way: dict[Path, str] = {}  # the file and id of each that rests on the next

    def start(self, location: Location) -> Claim:
        """The claim at a location, on which nothing rests that is under way. Raises ClaimError."""
        self._under_way = {location.file: location.id}
        return self._read(location)

    @contextmanager
    def resting_on(self, location: Location, source: SourceFile, keys: Keys) -> Iterator[None]:
        """While that is read on which the claim under way rests, as the keys of the source say.

        Raises ClaimError there, if that rests on the claim under way itself.
        """
        file = location.file
        if file in self._under_way:
            ids = list(self._under_way.values())
            circle = tuple(ids[list(self._under_way).index(file) :])
            raise source.fault(keys, describe_circle(circle), "claims that do not rest on this one")
        if len(self._under_way) == MOST:
            raise source.fault(keys, f"more than {MOST} claims, each resting on the next", "a shorter argument")
        self._under_way[file] = location.id
        try:
            yield
        finally:
            del self._under_way[file]

    def find(self, at: Location, source: SourceFile, keys: Keys, name: str) -> Lemma:
        """The lemma that the proof of the claim at a location calls `name`, under the keys of the source.

        Raises ClaimError there, or in the lemma's own file, and then tells who named it.
        """
        location = at.find(name)
        if location is None:
            near = closest(name, sorted(path.stem for path in at.path.parent.glob("*.toml")))
            raise source.fault(keys, f"there is no claim {name!r} to rest on", _EXPECTED, near=near)
        file = location.file
        if file not in self._known:
            with self.resting_on(location, source, keys), collect_faults(None):
                try:
                    claim = self._read(location)
                except ClaimError as error:
                    raise error.called(("in a lemma that is named at", source.place(keys))) from None
            self._known[file] = Lemma(location.id, claim, file)
        found = self._known[file]
        if found.claim.quantifier == "exists":
            problem = f"{name} says that something exists: nothing follows from it for a case"
            raise source.fault(keys, problem, "a claim with [forall], or one without variables")
        return found
