"""The command `family`: all games of a file settled as one run that can be stopped and resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from checks.command.options.values import EPILOG, FOLDER, JOBS

if TYPE_CHECKING:
    from claims.language.statement.claim import Claim
    from encoders.periods.table import PeriodicTable
    from encoders.rules.periodic.family import Member

MEMBERS, CERTIFICATES, PAGE = "members.jsonl", "certificates.json", "index.html"
AT_ONCE = 16  # members that a process is given


class Line(TypedDict):
    """A game that is settled: its parameters, its table as `to_json` has it, if it has one, and in words."""

    member: Member
    table: Mapping[str, object] | None
    words: str


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--report", type=FOLDER, default=Path("reports/family"), show_default=True, help="Where it all goes.")
@click.option(
    "--heaps", type=click.IntRange(100), default=30_000, show_default=True, help="Among which a period is looked for."
)
@JOBS
@click.pass_context
def family(context: click.Context, file: Path, report: Path, heaps: int, jobs: int | None) -> None:
    """Settle each game of a family: preperiod, period and saltus of its values, proved for all heaps, or open.

    FILE is a claim with rule = "periodic" in which parameters of the game are variables: octal(code = [a, b, c]).
    Members that are settled are kept; the same command goes on where it was stopped.
    """
    from claims.language.ground.errors import NimChecksError

    try:
        claim = _load(file)
        members, lines = _open(claim, report, heaps)
        with (report / MEMBERS).open("a", encoding="utf-8") as out:
            todo = [x for x in members if _key(x) not in lines]
            for done, line in enumerate(_settle(file, todo, heaps, jobs or os.cpu_count() or 1), 1):
                lines[json.dumps(line["member"])] = line
                out.write(json.dumps(line) + "\n")
                out.flush()
                if done % 100 == 0 or done == len(todo):
                    click.echo(f"{len(lines)} of {len(members)}", err=True)
    except (NimChecksError, OSError) as error:
        raise click.ClickException(str(error)) from None
    found = [lines[_key(x)] for x in members]
    _write(claim, report, found)
    proved = sum(x["table"] is not None for x in found)
    click.echo(f"{len(found)} games: {proved} proved, {len(found) - proved} open\nreport: {report / PAGE}")
    context.exit(0)


def _key(member: Member) -> str:
    return json.dumps([list(x) for x in member])


def _open(claim: Claim, report: Path, heaps: int) -> tuple[list[Member], dict[str, Line]]:
    """The members, and what is known of some of them from a run before that was stopped."""
    from encoders.rules.periodic.family import list_members

    members = list_members(claim)
    head = {"format": 1, "claim": claim.id, "heaps": heaps, "files": dict(sorted(claim.basis.files))}
    path = report / MEMBERS
    report.mkdir(parents=True, exist_ok=True)
    kept = path.read_text("utf-8").split("\n")[:-1] if path.exists() else []  # no line that was cut off
    if kept and json.loads(kept[0]) != json.loads(json.dumps(head)):
        raise click.ClickException(f"{path} is of another file, or of other options: take another --report folder")
    path.write_text("".join(f"{x}\n" for x in kept or [json.dumps(head)]), "utf-8")
    known = {_key(x) for x in members}
    lines = {json.dumps(line["member"]): line for line in map(json.loads, kept[1:])}
    return members, {key: line for key, line in lines.items() if key in known}


def _load(file: Path) -> Claim:
    from claims.language.library.entries import select
    from encoders.proving.reading import load_claim, rule_name

    (entry,) = select((str(file),))
    claim = load_claim(entry.path, entry.id)
    if claim.proof is None or rule_name(claim) != "periodic":
        raise click.ClickException(f'{file}: a family has [proof] rule = "periodic"')
    return claim


def _settle(file: Path, todo: list[Member], heaps: int, jobs: int) -> Iterator[Line]:
    """Each member that is not settled, in whatever order."""
    parts = [todo[i : i + AT_ONCE] for i in range(0, len(todo), AT_ONCE)]
    if jobs == 1:
        for part in parts:
            yield from _settle_part(file, heaps, part)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed

    with ProcessPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(partial(_settle_part, file, heaps), part) for part in parts]):
            yield from done.result()


def _settle_part(file: Path, heaps: int, part: list[Member]) -> list[Line]:
    from encoders.periods.table import to_json
    from encoders.rules.periodic.family import settle_member

    claim = _load(file)
    settled = [settle_member(claim, member, heaps) for member in part]
    return [
        {"member": x.member, "table": None if x.table is None else to_json(x.table), "words": x.words} for x in settled
    ]


# -- what is written at the end: the same, byte for byte, however often it was stopped ---------------------------------
def _write(claim: Claim, report: Path, found: list[Line]) -> None:
    from checks.receipts.certificates.writing import CHECKER, FORMAT, name_file
    from encoders.periods.table import read_table
    from encoders.rules.periodic.family import name_game

    obligations, rows = [], []
    for line in found:
        game = name_game(claim, tuple((name, x) for name, x in line["member"]))
        table = None if line["table"] is None else read_table(line["table"])
        rows.append((game, line["words"], table))
        if table is not None:
            obligations.append(json.dumps({"name": game, "says": list(table.lines()), "table": line["table"]}))
    head = {"format": FORMAT, "claim": claim.id, "files": {name_file(n): x for n, x in claim.basis.files}}
    certified = ",\n".join(obligations)
    text = f'{json.dumps(head)[:-1]},"obligations":[\n{certified}\n]}}\n'
    (report / CERTIFICATES).write_text(text, "utf-8")
    (report / CHECKER.name).write_text(CHECKER.read_text("utf-8"), "utf-8")
    (report / PAGE).write_text(_page(claim.title, rows), "utf-8")


STYLE = """body{font:1rem/1.4 sans-serif;margin:2rem auto;max-width:60rem}
td,th{padding:.1rem .6rem;text-align:right}td:first-child,th:first-child{text-align:left}"""


def _page(title: str, rows: list[tuple[str, str, PeriodicTable | None]]) -> str:
    """A table of all games: those that repeat, the longest, and those that are open."""
    proved = [(game, words, table) for game, words, table in rows if table is not None]
    longest = sorted(proved, key=lambda x: -(x[2].preperiod + x[2].period))[:10]
    told = (
        f"{len(rows)} games: of {len(proved)} the values are proved to repeat for all heaps, each by a table in "
        f"{CERTIFICATES}; {len(rows) - len(proved)} are open. <code>python3 check.py {CERTIFICATES} --steps N</code> "
        "checks the tables, with an N that is large enough."
    )
    heads = ("Game", "Preperiod", "Period", "Saltus", "Largest value", "Checked")
    lines = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>',
        f"<h1>{escape(title)}</h1><p>{told}<h2>The longest</h2><ul>",
        *(f"<li>{escape(game)}: {escape(t.repeats)}" for game, _, t in longest),
        f"</ul><h2>Proved</h2><table><tr>{''.join(f'<th>{x}' for x in heads)}",
        *(_row(game, t.preperiod, t.period, t.saltus, max(map(max, t.rows)), words) for game, words, t in proved),
        "</table><h2>Open</h2><ul>",
        *(f"<li>{escape(game)}: {escape(words)}" for game, words, table in rows if table is None),
        "</ul></html>\n",
    ]
    return "\n".join(lines)


def _row(*cells: object) -> str:
    return "<tr>" + "".join(f"<td>{escape(str(x))}" for x in cells)
