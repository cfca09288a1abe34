"""One task of the workshop: a suspect made from its seed and number, and judged; and the summary of a log."""

from __future__ import annotations

import random
import resource
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from .bundle import Bundle
from .games.drawn import game
from .judge import Judge, Judgement, OutOfTime
from .siblings import sibling

SECONDS = 120  # limit for one suspect, on a machine that may be busy
WORK = 3.0  # CPU seconds for a suspect that is not expensive
MEMORY = 4 << 30
DEAR = 10  # one suspect in this many may cost more, and is settled even if its proof fails
MAKERS = {"sibling": sibling, "game": game}

Task = tuple[str, int]  # the kind, and its number


def suspect(seed: int, task: Task) -> tuple[str, list[str], Bundle, int]:
    """Return (its parent or kind, the changes, the files, the number of unreadable attempts)."""
    kind, number = task
    return MAKERS[kind](random.Random(f"{seed} {kind} {number}"), number % DEAR != 0)


def steps_of(task: Task) -> int:
    """Return the solver's steps for each obligation: an expensive suspect gets many."""
    return 450_000 if task[1] % DEAR else 4_000_000


def perform(judge: Judge, seed: int, task: Task, guarded: bool = False) -> dict[str, Any]:
    """Return the log line of one task. `guarded`: `guard` has been called here; otherwise no limit applies."""
    kind, number = task
    line: dict[str, Any] = {"seed": seed, "kind": kind, "number": number}
    try:
        with limiting(number) if guarded else nullcontext():
            parent, said, bundle, unread = suspect(seed, task)
            line |= {"parent": parent, "changes": said, "unread": unread}
            found = judge.judge(bundle, steps_of(task), whole=number % DEAR == 0)
            line |= {k: v for k, v in found.as_data().items() if v not in ("", {})}
            if found.finding:
                line["files"] = bundle.texts()
    except OutOfTime:
        line |= {"verdict": "out of time"}
    except MemoryError:
        line |= {"verdict": "out of memory"}
    return line


@contextmanager
def limiting(number: int) -> Iterator[None]:
    """Limit the time of one task. Raise OutOfTime; without `guard`, the signal would end the process."""
    try:
        signal.alarm(SECONDS)
        signal.setitimer(signal.ITIMER_PROF, WORK * (1 if number % DEAR else 10))
        yield
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)


def guard() -> None:
    """Limit the memory of this process, and raise OutOfTime when the time of a task is over."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def alarmed(*_: Any) -> None:
        raise OutOfTime

    signal.signal(signal.SIGALRM, alarmed)
    signal.signal(signal.SIGPROF, alarmed)


def repeating(line: dict[str, Any]) -> str:
    """Return the command that makes and judges a suspect again."""
    return f"python -m tests.workshop --seed {line['seed']} --only {line['kind']} {line['number']} --write FOLDER"


def summary(lines: Iterable[dict[str, Any]]) -> str:
    """Return a summary of a log in a few lines."""
    found = list(lines)
    verdicts, refusing, reasons = Counter[str](), Counter[str](), Counter[str]()
    truths = Counter[tuple[str, str]]()
    for line in found:
        verdicts[line["verdict"]] += 1
        green = "proved" if line["verdict"] == "proved" else "not green"
        truths[green, line.get("truth", "unknown")] += 1
        if line.get("truth") == "false" and line.get("refusing"):
            refusing[line["refusing"].split(":")[0] if "not translated" in line["refusing"] else line["refusing"]] += 1
        if line.get("finding"):
            reasons[line["finding"].split(":")[0]] += 1
    false = sum(n for (_, truth), n in truths.items() if truth == "false")
    seconds = sum(line.get("seconds", 0.0) for line in found)
    unread = sum(line.get("unread", 0) for line in found)
    text = [f"{len(found)} suspects in {seconds:.0f} s; {unread} more could not be read"]
    text += [f"  {n:6} {verdict}" for verdict, n in verdicts.most_common()]
    text += [f"{truths['proved', 'survived']} proved, and survived beyond their scope"]
    text += [f"{false} false; of these the proof was refused:"]
    text += [f"  {n:6} by {what}" for what, n in refusing.most_common()]
    text += [f"{sum(reasons.values())} findings", *(f"  {n:6} {what}" for what, n in reasons.most_common())]
    return "\n".join(text)


__all__ = ["Judgement", "Task", "guard", "perform", "repeating", "steps_of", "summary", "suspect"]
