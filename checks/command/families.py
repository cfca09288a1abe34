"""Two kinds of families: rulesets, for which the winner is searched for, and games of a claim with periodic values."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from checks.execution.games import AskedValues, make_job, search, settle_values
from checks.execution.journal import DIED, Job, Record, Settle
from checks.receipts.certificates import CHECKER, FORMAT, name_file
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError, SourceLocation
from claims.language.file_writing import refuse_link, write_file
from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain
from claims.language.files.library import Entry, list_library, select
from claims.language.files.toml import read
from encoders.periods.tables import PeriodicTable, read_table, to_json
from encoders.proving.reading import load_claim, rule_name
from encoders.rules.periodic.family import find_moves, list_members, name_game
from encoders.search.grammar import PLAYS, Grammar, load_grammar, read_rules
from reports.atlas import Atlas, ValuesEntry, WinsEntry, write_page


# == wins =============================================================================================================
# A family of rulesets, each searched for who wins: the jobs, the atlas, and the files of rules and claims.
@dataclass(frozen=True)
class WinsFamily:
    """The rulesets of a family file with [restrictions]. `budget`: CPU seconds for the search of each ruleset."""

    grammar: Grammar
    budget: float | None
    told_every: int = 1
    settle: Settle = search

    @property
    def asked(self) -> list[object]:
        return [self.grammar.text, self.budget]

    def list_pieces(self) -> list[Job]:
        return [make_job(m, self.budget) for m in self.grammar.members if not m.mirror]

    def name(self, id: str) -> str:
        return self._titles[id]

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {m.id: m.title for m in self.grammar.members}

    def write(self, found: Mapping[str, Record], out: Path) -> str:
        atlas = make_atlas(self.grammar, found)
        write_files(atlas, out)
        return write_page(atlas, out)


def load_wins(file: Path, budget: float | None) -> WinsFamily:
    """Return the family of rulesets in a file.

    Raises ClaimError if the file is invalid, or if a restriction is not a condition on a move.
    """
    grammar = load_grammar(file)
    for member in grammar.members:
        read_rules(member.id, member.text)
    return WinsFamily(grammar, budget)


def make_atlas(grammar: Grammar, found: Mapping[str, Record]) -> Atlas:
    """Return the atlas of a family from the records of its members."""
    words = tuple(x.words for x in grammar.restrictions)
    return Atlas(grammar.title, tuple(_list_entries(grammar, found)), grammar.players, words)


def _list_entries(grammar: Grammar, found: Mapping[str, Record]) -> Iterator[WinsEntry]:
    first: dict[str, str] = {}
    for member in grammar.members:
        record = found.get(member.mirror or member.id, DIED)
        outcomes = "" if member.mirror else _text(record, "outcomes")
        like = first.setdefault(outcomes, member.id) if outcomes else member.id
        yield WinsEntry(
            id=member.id,
            title=member.title,
            restrictions=member.restrictions,
            play=PLAYS[member.stuck],
            choose=member.choose,
            where=member.where,
            mirror=member.mirror,
            like="" if like == member.id else like,
            verdict=Verdict(_text(record, "verdict") or Verdict.INCONCLUSIVE),
            statement=_text(record, "statement"),
            rule=_text(record, "rule"),
            obligations=int(_text(record, "obligations") or 0),
            obstacle="the process that searched this game died" if record == DIED else _text(record, "obstacle"),
            nearest=_text(record, "nearest"),
            rules=member.text,
            claim="" if member.mirror else _text(record, "claim"),
        )


def _text(record: Record, key: str) -> str:
    """Return the value of a key as text; "" if there is none."""
    return str(record.get(key, ""))


def write_files(atlas: Atlas, out: Path) -> None:
    """Write the ruleset files and claim files of an atlas. Delete all older *.toml files in the same folders first."""
    rules = out / "claims" / "rulesets"
    refuse_link(rules, out)
    rules.mkdir(parents=True, exist_ok=True)
    for folder in (rules, rules.parent):
        for old in folder.glob("*.toml"):
            old.unlink()
    for entry in atlas.entries:
        assert isinstance(entry, WinsEntry)
        if not entry.mirror:
            write_file(rules / f"{entry.id}.toml", entry.rules, out)
        if entry.claim:
            write_file(rules.parent / f"{entry.id}.toml", entry.claim, out)


# == values ===========================================================================================================
# A family of games, each with a table of periodic values if the search finds one: the jobs, and the atlas.
CERTIFICATES = "certificates.json"
SHOWN = 100  # the page shows at most this many values of a game


@dataclass(frozen=True)
class ValuesFamily:
    """The games of a claim, one for each value of its parameters.

    `games`: the title of each game, by the id of its job.
    `heaps`: the number of heap sizes in which a period is searched for.
    """

    claim: Claim
    pieces: tuple[AskedValues, ...]
    games: Mapping[str, str]
    heaps: int
    told_every: int = 100
    settle: Settle = settle_values

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
        return write_page(Atlas(self.claim.description.title, tuple(entries)), out)

    def _find_proofs(self, pieces: Sequence[AskedValues]) -> dict[str, Entry]:
        """Return library claims that prove a period of a game, by the id of the game's job."""
        known: dict[PeriodicTable | None, Entry] = {}
        for entry in list_library() if pieces else ():
            if not entry.variant_of and read(entry.path).data.get("proof", {}).get("rule") == "periodic":
                claim = load_claim(entry.path, entry.id)
                if not any(isinstance(v.domain, IntervalDomain) and v.domain.hi is not None for v in claim.variables):
                    known.setdefault(find_moves(claim), entry)
        moves = {piece.id: find_moves(self.claim, piece.member) for piece in pieces}
        return {id: known[table] for id, table in moves.items() if table is not None and table in known}

    def _leave_open(self, id: str, record: Record, proofs: Mapping[str, Entry], out: Path) -> ValuesEntry:
        """Return the entry of a game without a table.

        If a library claim proves a period of the game, the entry names this claim.
        """
        entry = make_entry(id, self.games[id], record, None)
        if record != DIED:
            entry = replace(entry, heaps=self.heaps)
        if id not in proofs:
            return entry
        file = os.path.relpath(proofs[id].path, out).replace(os.sep, "/")
        return replace(entry, proof=proofs[id].id, file=file)

    def _certify(self, tables: Mapping[str, PeriodicTable]) -> Iterator[str]:
        """Yield the text of the certificate file in pieces; see docs/certificates.md."""
        files = {name_file(name): x for name, x in self.claim.basis.files}
        yield json.dumps({"format": FORMAT, "claim": self.claim.id, "files": files})[:-1] + ',"obligations":[\n'
        names = [id for id in self.games if id in tables]
        for id in names:
            told = {"name": self.games[id], "says": list(tables[id].lines()), "table": to_json(tables[id])}
            yield json.dumps(told) + (",\n" if id != names[-1] else "\n")
        yield "]}\n"


def load_values(file: Path, heaps: int) -> ValuesFamily:
    """Return the family of games of a claim.

    Raises ClaimError if the claim does not have a periodic proof, and Unsupported if its games are not a finite list.
    """
    (entry,) = select((str(file),))
    claim = load_claim(entry.path, entry.id)
    if claim.proof is None or rule_name(claim) != "periodic":
        raise ClaimError(
            SourceLocation(str(file)),
            "the claim does not describe a family of values",
            'a claim with [proof] rule = "periodic"',
        )
    pieces = tuple(_list_pieces(entry, claim, heaps))
    return ValuesFamily(claim, pieces, {x.id: name_game(claim, x.member) for x in pieces}, heaps)


def _list_pieces(entry: Entry, claim: Claim, heaps: int) -> Iterator[AskedValues]:
    members = list_members(claim)
    for number, member in enumerate(members, 1):
        yield AskedValues(entry, claim.digest, f"a{number:0{len(str(len(members)))}}", member, heaps)


def make_entry(id: str, game: str, record: Record, table: PeriodicTable | None) -> ValuesEntry:
    """Return the entry of a game in the atlas. Without a table, the verdict is inconclusive."""
    words = "the process that examined this game died" if record == DIED else str(record["words"])
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
