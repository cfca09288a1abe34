"""`atlas`: who wins each ruleset of a family, each searched for as by `find`; with a page of all of them."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checks.command.options.values import FOLDER, WHERE, read_budget

if TYPE_CHECKING:
    from checks.execution.families.grammar import Grammar
    from checks.execution.families.run import Record
    from reports.atlas import Atlas, AtlasEntry

DEFAULT = Path("reports/out/atlas")
CODES = {
    0: "each ruleset was searched",
    2: "wrong usage, a family that cannot be read, or a journal of another run",
    3: "stopped before the end; --resume goes on",
}


@click.command(epilog="\b\nExit codes:\n" + "\n".join(f"  {code}  {meaning}" for code, meaning in CODES.items()))
@click.argument("grammar", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--out", "-o", type=FOLDER, default=DEFAULT, show_default=True, help="The folder of the page and the files."
)
@click.option(
    "--budget",
    metavar="TIME",
    default="20s",
    show_default=True,
    callback=read_budget,
    help="CPU time for each.",
)
@click.option("--resume", is_flag=True, help="Go on with what a run that was stopped has left in the folder.")
@WHERE[0]
@WHERE[1]
def atlas(grammar: Path, out: Path, budget: float | None, resume: bool, jobs: int | None, scheduler: str) -> None:
    """Search each ruleset of a family for who wins, with a proof for any number of heaps.

    GRAMMAR is a file that says which restrictions the players may have.  A ruleset that is another one with the
    players exchanged is told with that one.  The page, index.html, tells theorems, formulas that are right in a box,
    and what stands in the way of others; beside it lie atlas.json and the claim files, which run settles again.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many threads are slower on small matrices
    from checks.execution.families.run import OtherRun
    from checks.execution.ground.faults import SchedulerGone, Unfit
    from claims.language.ground.errors import ClaimError

    if scheduler and jobs:
        raise click.UsageError("--scheduler and --jobs, which are processes of this machine: which?")
    try:
        sys.exit(_run(grammar, out, budget, resume, jobs or os.cpu_count() or 1, scheduler))
    except (ClaimError, OtherRun, Unfit, OSError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except (KeyboardInterrupt, SchedulerGone):
        click.echo("stopped; --resume goes on with what was finished", err=True)
        sys.exit(3)


def _run(path: Path, out: Path, budget: float | None, resume: bool, jobs: int, scheduler: str) -> int:
    from checks.execution.execute import noticing_interrupts
    from checks.execution.families.grammar import load_grammar
    from checks.execution.families.run import DIED, Journal, run_in_processes
    from checks.execution.families.search import asked_of, read_rules, search

    grammar = load_grammar(path)
    for member in grammar.members:
        read_rules(member.id, member.text)  # what is wrong with a restriction is said before anything is searched
    out.mkdir(parents=True, exist_ok=True)
    journal = Journal(out / "journal.jsonl", name_run(grammar, budget))
    found: dict[str, Record] = journal.load() if resume else {}
    journal.begin(found)
    todo = [asked_of(m, budget) for m in grammar.members if not m.mirror and m.id not in found]
    told = Progress(grammar, len(found))

    def take(id: str, record: Record) -> None:
        found[id] = record
        if record != DIED:  # a resumed run tries it again
            journal.add(id, record)
        told.tell(id, record)

    with noticing_interrupts():
        if scheduler:
            from checks.execution.far.settle import run_far

            run_far(scheduler, told.warn, todo, search, take)
        else:
            run_in_processes(todo, search, jobs, take)
    found_atlas = make_atlas(grammar, found)
    write_atlas(found_atlas, out)
    click.echo(found_atlas.summary)
    click.echo(str(out / "index.html"))
    return 0


def name_run(grammar: Grammar, budget: float | None) -> str:
    """What a journal belongs to: another family, budget or program is another run."""
    from checks.cache.identity import digest_source

    asked = json.dumps([grammar.text, budget, digest_source()])
    return hashlib.sha256(asked.encode()).hexdigest()


class Progress:
    """What is told while it goes on, on stderr. `done`: how many were finished before."""

    def __init__(self, grammar: Grammar, done: int) -> None:
        self.titles = {m.id: m.title for m in grammar.members}
        self.total = sum(not m.mirror for m in grammar.members)
        self.done = done

    def tell(self, id: str, record: Record) -> None:
        from checks.results.phrases import visible

        self.done += 1
        click.echo(
            visible(f"{self.done}/{self.total} {id} {record.get('verdict', 'died')}: {self.titles[id]}"), err=True
        )

    def warn(self, line: str) -> None:
        click.echo(line, err=True)


def make_atlas(grammar: Grammar, found: Mapping[str, Record]) -> Atlas:
    """The atlas of a family from what was found of its members."""
    from reports.atlas import Atlas

    words = tuple(x.words for x in grammar.restrictions)
    return Atlas(grammar.title, grammar.players, words, tuple(_list_entries(grammar, found)))


def _list_entries(grammar: Grammar, found: Mapping[str, Record]) -> Iterator[AtlasEntry]:
    from checks.execution.families.grammar import PLAYS
    from checks.execution.families.run import DIED
    from checks.results.verdicts import Verdict
    from reports.atlas import AtlasEntry

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
    from reports.atlas import to_atlas_page

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
