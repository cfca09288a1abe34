"""A run of many pieces of work that know nothing of each other, each with a name: on all cores or the workers of Dask.

What has come to an end is kept in a journal, a line for each, so that a run that was stopped goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from checks.cache.proofs import CertificateSources
from checks.execution.ground.faults import Lost
from checks.execution.processes import WAIT, open_pool
from checks.results.values import Json
from claims.language.ground.errors import NimChecksError
from claims.language.ground.interrupts import Interrupted, Phase, during
from claims.language.ground.writing import refuse_link, write_file
from claims.language.library.entries import Entry

Record = dict[str, Json]
"""What is found of a piece, as JSON has it."""


class Job(Protocol):
    """A piece of work; sent to another process as it is."""

    @property
    def id(self) -> str:
        """Its name, of all pieces of the run."""


@dataclass(frozen=True)
class ClaimPiece:
    """A piece of work about a claim, whose files a worker elsewhere has to have as they are here: `digest`."""

    id: str
    entry: Entry
    digest: str


Work = Callable[..., Record]
"""What is done with a piece; a function that other processes find by its name."""
OnRecord = Callable[[str, Record], None]
DIED: Record = {"status": "lost"}
"""What is taken of a piece whose worker died, and died again when it was alone; nothing of it is kept."""


class OtherRun(NimChecksError):
    """A journal is of another run than the one that is to go on."""


@dataclass(frozen=True)
class Journal:
    """The file of a run. `run`: what it is a run of, as a text; a journal of something else is not gone on with."""

    path: Path
    run: str

    def load(self) -> dict[str, Record]:
        """What is finished. A last line that was cut short is left out. Raises OtherRun."""
        if not self.path.is_file():
            return {}
        lines = self.path.read_text("utf-8", "replace").split("\n")
        rows = [row for line in lines if (row := _read(line)) is not None]
        if not rows or rows[0].get("run") != self.run:
            raise OtherRun(
                f"{self.path} is of another run: of other rules, options or another version; "
                "take another folder for this one, or remove that"
            )
        return {str(row["id"]): record for row in rows[1:] if isinstance(record := row["found"], dict)}

    def begin(self, found: Mapping[str, Record]) -> None:
        """Write it anew, with what is finished."""
        lines: list[Mapping[str, object]] = [
            {"run": self.run},
            *({"id": id, "found": record} for id, record in found.items()),
        ]
        write_file(self.path, "".join(map(_write_row, lines)))

    def add(self, id: str, record: Record) -> None:
        """Keep what was found of a piece."""
        with refuse_link(self.path).open("a", encoding="utf-8") as file:
            file.write(_write_row({"id": id, "found": record}))


def _write_row(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def _read(line: str) -> Record | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) and ("run" in row or {"id", "found"} <= set(row)) else None


def run_here(pieces: Iterable[Job], work: Work, take: OnRecord) -> None:
    """Do the work in this process, one piece after another."""
    for piece in pieces:
        Interrupted.check()
        take(piece.id, work(piece))


def run_in_processes(pieces: Iterable[Job], work: Work, jobs: int, take: OnRecord) -> None:
    """Do the work by processes of this machine. One that dies takes nothing with it but what it was at."""
    todo = {piece.id: piece for piece in pieces}
    suspects = _drain(todo, work, jobs, take)
    while todo:
        for id in suspects:  # each alone: which of them was it?
            piece = todo.pop(id)
            if _drain({id: piece}, work, 1, take):
                take(id, DIED)
        suspects = _drain(todo, work, jobs, take)


def _drain(todo: dict[str, Job], work: Work, jobs: int, take: OnRecord) -> list[str]:
    """Take out of `todo` what is finished; the names of those under way where a process died, else none."""
    with during(Phase.WATCHING), open_pool(jobs, CertificateSources()) as pool:
        return hand_out(pool, todo, work, lambda: jobs, take)


def hand_out(pool: Executor, todo: dict[str, Job], work: Work, count: Callable[[], int], take: OnRecord) -> list[str]:
    """Have the workers of a pool do what there is, and take it out of `todo`. `count`: how many workers there are.

    The names of what was under way when a process of the pool died, where one did.  Raises SchedulerGone, Unfit.
    """
    waiting, running = list(todo.values()), dict[Future[Record], str]()
    while waiting or running:
        while waiting and len(running) < max(1, count()):
            piece = waiting.pop(0)
            running[pool.submit(work, piece)] = piece.id
        done, _ = wait(running, timeout=WAIT, return_when=FIRST_COMPLETED)
        Interrupted.check()
        for future in done:
            id = running.pop(future)
            try:
                found = future.result()
            except BrokenProcessPool:
                return [id, *running.values()]
            except Lost:
                found = DIED
            todo.pop(id)
            take(id, found)
    return []
