"""The games of a family as tasks of a run, and the journal, from which a stopped run continues."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from checks.execution.limits import Lost
from checks.execution.work import Opener, Task, work
from checks.results.shown import Json
from claims.language.errors import NimChecksError
from claims.language.file_writing import refuse_link, write_file

Record = dict[str, Json]
"""The result for one game, as JSON."""


class Job(Protocol):
    """The data about one game that are sent to a worker."""

    @property
    def id(self) -> str:
        """The name of the game in the journal."""


Settle = Callable[..., Record]
"""A function that returns the record of a job. Worker processes import it by its name."""
OnRecord = Callable[[str, Record], None]
DIED: Record = {"status": "lost"}
"""The record of a game that killed its workers. The journal does not keep it."""


def settle_games(jobs: Iterable[Job], settle: Settle, take: OnRecord, open_workers: Opener, count: int) -> None:
    """Settle the claims about each game in worker processes. Each job is about one game.

    `settle`: returns the record (the results) of a job. `take`: receives the id of each job and its record.
    `open_workers`: starts the workers. `count`: their number. Raises the exceptions of `work.work`.
    """
    tasks = (
        Task(number, settle, (job,), partial(_take, take, job.id), partial(_fail, take, job.id))
        for number, job in enumerate(jobs)
    )
    work(lambda _: next(tasks, None), open_workers, count)


def _take(take: OnRecord, id: str, found: object) -> None:
    assert isinstance(found, dict)
    take(id, found)


def _fail(take: OnRecord, id: str, error: Exception) -> None:
    if not isinstance(error, Lost):
        raise error
    take(id, DIED)


# == journal ==========================================================================================================
class OtherRun(NimChecksError):
    """The error for a journal that belongs to another run."""


@dataclass(frozen=True)
class Journal:
    """A file with the records of a run, one per line. `run`: a digest of the family, its options and the program."""

    path: Path
    run: str

    def load(self) -> dict[str, Record]:
        """Return the finished records by the id of the game. Raises OtherRun if the journal belongs to another run.

        Invalid lines, such as an incomplete last line, are skipped.
        """
        if not self.path.is_file():
            return {}
        lines = self.path.read_text("utf-8", "replace").split("\n")
        rows = [row for line in lines if (row := _read(line)) is not None]
        if not rows or rows[0].get("run") != self.run:
            raise OtherRun(
                f"{self.path} belongs to a run of another family or version, or with other options; "
                "use another folder, or remove this file"
            )
        return {str(row["id"]): record for row in rows[1:] if isinstance(record := row["found"], dict)}

    def begin(self, found: Mapping[str, Record]) -> None:
        """Write the file from scratch, with the finished records."""
        lines: list[Mapping[str, object]] = [
            {"run": self.run},
            *({"id": id, "found": record} for id, record in found.items()),
        ]
        write_file(self.path, "".join(map(_write_row, lines)))

    def add(self, id: str, record: Record) -> None:
        """Append the record of a game."""
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
