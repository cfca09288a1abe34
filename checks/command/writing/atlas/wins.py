"""A family of rulesets, each searched for who wins: its pieces of work, its atlas, and files of rules and claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from checks.execution.families.grammar import PLAYS, Grammar, load_grammar
from checks.execution.families.run import DIED, Job, Record, Work
from checks.execution.families.search import asked_of, read_rules, search
from checks.results.verdicts import Verdict
from claims.language.ground.writing import refuse_link, write_file
from reports.atlas import Atlas, WinsEntry, write_page


@dataclass(frozen=True)
class WinsFamily:
    """The rulesets of a grammar. `budget`: CPU seconds for the search of each."""

    grammar: Grammar
    budget: float | None
    told_every: int = 1
    work: Work = search

    @property
    def asked(self) -> list[object]:
        return [self.grammar.text, self.budget]

    def list_pieces(self) -> list[Job]:
        return [asked_of(m, self.budget) for m in self.grammar.members if not m.mirror]

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
    """A family of rulesets from its file. Raises ClaimError for a restriction that is no condition on a move, too."""
    grammar = load_grammar(file)
    for member in grammar.members:
        read_rules(member.id, member.text)
    return WinsFamily(grammar, budget)


def make_atlas(grammar: Grammar, found: Mapping[str, Record]) -> Atlas:
    """The atlas of a family from what was found of its members."""
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
            obstacle="the process that searched it died" if record == DIED else _text(record, "obstacle"),
            nearest=_text(record, "nearest"),
            rules=member.text,
            claim="" if member.mirror else _text(record, "claim"),
        )


def _text(record: Record, key: str) -> str:
    """What a record says, "" for nothing."""
    return str(record.get(key, ""))


def write_files(atlas: Atlas, out: Path) -> None:
    """The files of rules and claims; what an earlier run left there is not kept."""
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
