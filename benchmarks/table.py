"""The table as text and as JSON, and the comparison of two tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TypedDict

from benchmarks.machine import Machine
from benchmarks.measured import OURS, C, Entry

FORMAT = 1
SHORTEST = 0.002  # a ratio to C is shown only if C takes at least this many seconds
SLOWER = 1.5  # a way is reported if it takes this many times as long, relative to the speed of the machine


class Stored(TypedDict):
    """A table in its stored form."""

    format: int
    machine: Machine
    start_up: float
    entries: list[dict[str, object]]


def store(machine: Machine, start_up: float, entries: list[Entry]) -> Stored:
    """Return a table as JSON, with rounded times."""
    rounded = [asdict(e) | {"cpu": round(e.cpu, 3), "wall": round(e.wall, 3)} for e in entries]
    return {"format": FORMAT, "machine": machine, "start_up": round(start_up, 3), "entries": rounded}


def describe_machine(machine: Machine, start_up: float) -> str:
    """Return the two lines above a table."""
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory']}; {machine['system']}; {machine['python']}; "
        f"{machine['compiler']}; {packages}\n"
        f"10^7 additions in Python: {machine['additions']:.2f} s; `checks run` of one small claim (start-up): "
        f"{start_up:.2f} s, both of CPU"
    )


HEADER = f"{'':9}{'way':<10} {'CPU s':>8} {'states/s':>9} {'MB':>6} {'to C':>8} {'net':>7}  answer"


def format_row(entries: list[Entry], start_up: float) -> str:
    """Return the lines of one row.

    `to C`: CPU time relative to C at the same scale; `net`: the same without start-up.
    """
    lines = [f"{entries[0].row}: {entries[0].title}"]
    limits = {e.scale: e.cpu for e in entries if e.way == C and e.answer and e.cpu >= SHORTEST}
    scale = ""
    for e in entries:
        shown = "" if e.scale in (scale, "whole") else e.scale
        scale = e.scale
        limit = limits.get(e.scale) if e.answer else None
        ratio = _shorten(e.cpu / limit) if limit else ""
        net = _shorten(max(e.cpu - start_up, 0.0) / limit) if limit and e.way == OURS else ""
        rate = f"{e.rate:.1e}" if e.states and e.answer else ""
        said = "; ".join(x for x in (e.wrong, e.answer or "NO ANSWER", e.said) if x)
        lines.append(
            f"  {shown:<7}{e.way:<10} {e.cpu:8.2f} {rate:>9} {e.peak / 2**20:6.0f} {ratio:>8} {net:>7}  {said}"
        )
    return "\n".join(lines)


def _shorten(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 100 else f"{ratio:.0f}"


def compare(now: Stored, before: Stored) -> list[str]:
    """Return the differences from another table: answers, and times relative to the speed of the machines."""
    speed = now["machine"]["additions"] / before["machine"]["additions"]
    known = {(e["row"], e["scale"], e["way"]): e for e in before["entries"]}
    lines = [
        f"this machine takes {speed:.2f} times as long for the same additions; times below are divided by this factor"
    ]
    for e in now["entries"]:
        name = f"{e['row']} ({e['scale']}) by {e['way']}"
        old = known.pop((e["row"], e["scale"], e["way"]), None)
        if old is None:
            lines.append(f"{name}: new")
            continue
        if (e["answer"], e["cases"], e["digest"]) != (old["answer"], old["cases"], old["digest"]):
            lines.append(f"{name}: answered {old['answer'] or 'nothing'} before, now {e['answer'] or 'nothing'}")
        elif _ratio(e, old, speed) > SLOWER or _ratio(e, old, speed) < 1 / SLOWER:
            lines.append(f"{name}: {old['cpu']} s before, {_ratio(e, old, speed):.2f} times that now")
    return [*lines, *(f"{row} ({scale}) by {way}: not in this table" for row, scale, way in known)]


def _ratio(now: dict[str, object], before: dict[str, object], speed: float) -> float:
    one, other = (x["cpu"] for x in (now, before))
    assert isinstance(one, float) and isinstance(other, float)
    return max(one / speed, 0.05) / max(other, 0.05)  # shorter times are dominated by the start of the process


def find_wrong(entries: Iterable[Entry]) -> list[str]:
    """Return the entries that contradict another way or the known answer. A table with such an entry is invalid."""
    return [f"{e.row} ({e.scale}) by {e.way}: {e.wrong}" for e in entries if e.wrong]
