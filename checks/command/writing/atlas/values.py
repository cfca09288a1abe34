"""A family of games, each with a table of values that repeat, if one is found: its pieces of work, and its atlas."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from checks.execution.families.run import DIED, Job, Record, Work
from checks.execution.families.values import AskedValues, settle_values
from checks.receipts.certificates.writing import CHECKER, FORMAT, name_file
from checks.results.verdicts import Verdict
from claims.language.ground.errors import ClaimError, SourceLocation
from claims.language.ground.writing import write_file
from claims.language.library.entries import Entry, list_library, select
from claims.language.statement.claim import Claim
from claims.language.statement.domains import IntervalDomain
from claims.language.toml.source import read
from encoders.periods.table import PeriodicTable, read_table, to_json
from encoders.proving.reading import load_claim, rule_name
from encoders.rules.periodic.family import find_moves, list_members, name_game
from reports.atlas import Atlas, ValuesEntry, write_page

CERTIFICATES = "certificates.json"
SHOWN = 100  # values of a table that the page has


@dataclass(frozen=True)
class ValuesFamily:
    """The games of a claim. `games`: what each is called, by the name of its piece; `heaps`: looked at for a period."""

    claim: Claim
    pieces: tuple[AskedValues, ...]
    games: Mapping[str, str]
    heaps: int
    told_every: int = 100
    work: Work = settle_values

    @property
    def asked(self) -> list[object]:
        return [self.claim.digest, self.heaps]

    def list_pieces(self) -> list[Job]:
        return list(self.pieces)

    def name(self, id: str) -> str:
        return self.games[id]

    def write(self, found: Mapping[str, Record], out: Path) -> str:
        tables = {id: read_table(x["table"]) for id, x in found.items() if x.get("table") is not None}
        write_file(out / CERTIFICATES, "".join(self._certify(tables)))
        write_file(out / CHECKER.name, CHECKER.read_text("utf-8"))
        proofs = self._find_proofs([x for x in self.pieces if x.id not in tables])
        entries = (
            make_entry(id, game, found[id], tables[id])
            if id in tables
            else self._leave_open(id, found[id], proofs, out)
            for id, game in self.games.items()
        )
        return write_page(Atlas(self.claim.title, tuple(entries)), out)

    def _find_proofs(self, pieces: Sequence[AskedValues]) -> dict[str, Entry]:
        """Claims of the library that prove how the values of these games repeat, by the names of the pieces."""
        known: dict[PeriodicTable | None, Entry] = {}
        for entry in list_library() if pieces else ():
            if not entry.base and read(entry.path).data.get("proof", {}).get("rule") == "periodic":
                claim = load_claim(entry.path, entry.id)
                if not any(isinstance(v.domain, IntervalDomain) and v.domain.hi is not None for v in claim.variables):
                    known.setdefault(find_moves(claim), entry)
        moves = {piece.id: find_moves(self.claim, piece.member) for piece in pieces}
        return {id: known[table] for id, table in moves.items() if table is not None and table in known}

    def _leave_open(self, id: str, record: Record, proofs: Mapping[str, Entry], out: Path) -> ValuesEntry:
        """What is told of a game of which no period was found here."""
        entry = make_entry(id, self.games[id], record, None)
        if record != DIED:
            entry = replace(entry, heaps=self.heaps)
        if id not in proofs:
            return entry
        file = os.path.relpath(proofs[id].path, out).replace(os.sep, "/")
        return replace(entry, proof=proofs[id].id, file=file)

    def _certify(self, tables: Mapping[str, PeriodicTable]) -> Iterator[str]:
        """The file of certificates: docs/certificates.md."""
        files = {name_file(name): x for name, x in self.claim.basis.files}
        yield json.dumps({"format": FORMAT, "claim": self.claim.id, "files": files})[:-1] + ',"obligations":[\n'
        names = [id for id in self.games if id in tables]
        for id in names:
            told = {"name": self.games[id], "says": list(tables[id].lines()), "table": to_json(tables[id])}
            yield json.dumps(told) + (",\n" if id != names[-1] else "\n")
        yield "]}\n"


def load_values(file: Path, heaps: int) -> ValuesFamily:
    """A family of games from its claim. Raises ClaimError, and Unsupported where it has no finite list of them."""
    (entry,) = select((str(file),))
    claim = load_claim(entry.path, entry.id)
    if claim.proof is None or rule_name(claim) != "periodic":
        raise ClaimError(
            SourceLocation(str(file)), "the claim describes no family of values", '[proof] rule = "periodic"'
        )
    pieces = tuple(_list_pieces(entry, claim, heaps))
    return ValuesFamily(claim, pieces, {x.id: name_game(claim, x.member) for x in pieces}, heaps)


def _list_pieces(entry: Entry, claim: Claim, heaps: int) -> Iterator[AskedValues]:
    members = list_members(claim)
    for number, member in enumerate(members, 1):
        yield AskedValues(f"a{number:0{len(str(len(members)))}}", entry, claim.digest, member, heaps)


def make_entry(id: str, game: str, record: Record, table: PeriodicTable | None) -> ValuesEntry:
    """What the atlas tells of a game: of one without a table nothing but why it has none."""
    words = "the process that looked at it died" if record == DIED else str(record["words"])
    if table is None:
        return ValuesEntry(id, game, Verdict.INCONCLUSIVE, words)
    return ValuesEntry(
        id,
        game,
        Verdict.PROVED,
        words,
        preperiod=table.preperiod,
        period=table.period,
        saltus=table.saltus,
        largest=max(map(max, table.rows)),
        values=tuple(table.rows[0][:SHOWN]) if len(table.rows) == 1 else (),
    )
