"""Pages that commands write: of a position that was solved, to be played; of a family of rulesets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from checks.execution.families.grammar import PLAYS, Grammar
from checks.execution.families.run import Record
from checks.illustration.board.layout import MOST_PLACES
from checks.illustration.board.position import lay_out_position
from checks.judgement.explain import show_position
from checks.judgement.solving.solution import Solution
from checks.judgement.solving.solver import Solver
from checks.results.verdicts import Verdict
from checks.terminal.positions import tell_solution
from claims.language.ground.errors import ClaimError, Place
from reports.atlas import Atlas, AtlasEntry, to_atlas_page
from reports.html import to_position_page


def write_page(path: Path, solver: Solver, found: Solution) -> None:
    """Write the page of a position of two players. Raises ClaimError where nothing can be played, or too much."""
    at = show_position(found.position)
    plays = []
    for turn in found.turns if len(found.players) == 2 and not found.limit else ():
        mover = solver.read_mover(turn.mover) if turn.mover else 0
        board = lay_out_position(solver, found.position, mover, turn.value == 0)
        plays += [] if board is None else [(f"{solver.name_player(mover)} moves first", board)]
    if not plays:
        problem = f"there is no board from {at}"
        expected = f"two players, moves to be made, and at most {MOST_PLACES} positions to be met in playing"
        raise ClaimError(Place("--html"), problem, expected)
    try:
        path.write_text(to_position_page(f"{found.game}: {at}", [*tell_solution(found)], plays), "utf-8")
    except OSError as error:
        raise ClaimError(Place(str(path)), f"cannot be written: {error.strerror}") from None


def make_atlas(grammar: Grammar, found: Mapping[str, Record]) -> Atlas:
    """The atlas of a family from what was found of its members."""
    words = tuple(x.words for x in grammar.restrictions)
    return Atlas(grammar.title, grammar.players, words, tuple(_list_entries(grammar, found)))


def _list_entries(grammar: Grammar, found: Mapping[str, Record]) -> Iterator[AtlasEntry]:
    first: dict[str, str] = {}
    for member in grammar.members:
        record = found.get(member.mirror or member.id, DIED)
        outcomes = "" if member.mirror else _text(record, "outcomes")
        like = first.setdefault(outcomes, member.id) if outcomes else member.id
        yield AtlasEntry(
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


def write_atlas(atlas: Atlas, out: Path) -> None:
    """The page, atlas.json and the files of rules and claims; what an earlier run left there is not kept."""
    rules = out / "claims" / "rulesets"
    rules.mkdir(parents=True, exist_ok=True)
    for folder in (rules, rules.parent):
        for old in folder.glob("*.toml"):
            old.unlink()
    for entry in atlas.entries:
        if not entry.mirror:
            (rules / f"{entry.id}.toml").write_text(entry.rules, "utf-8")
        if entry.claim:
            (rules.parent / f"{entry.id}.toml").write_text(entry.claim, "utf-8")
    (out / "atlas.json").write_text(atlas.to_json(), "utf-8")
    (out / "index.html").write_text(to_atlas_page(atlas), "utf-8")
