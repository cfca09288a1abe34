"""A [proof] with less in it: moves, cases, facts, steps and folds that it does without are left out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from encoders.exhaustive.arrays.limits import Deadline
from encoders.search.find import SearchProgress, SearchStage, run_search
from encoders.search.formulas import Tell
from encoders.search.loop import Posing, attempt
from encoders.search.refusals import Refusal

DEFINITION = '[proof]\nrule = "definition"\n'
LISTED = ("facts", "steps", "folds")  # tables of which each line may be left out
_HEADER = re.compile(r"\[+\s*proof\.?([\w.]*)\s*\]+")


@dataclass(frozen=True)
class _DroppableLines:
    """Lines of a [proof] from `start` to before `end`, which may be left out; `words`: what they are."""

    start: int
    end: int
    words: str


def shorten(file: Posing, proof: str, clock: Deadline, tell: Tell, outcome: SearchProgress) -> None:
    """Put what is left of a [proof] that goes through into `outcome`, as soon as something is left out.

    By definition alone first; else one part is left out after another, the last first, as long as the rest goes
    through.
    """

    def search(note: Tell) -> None:
        if not proof.strip():
            outcome.obstacle = Refusal.NO_PROOF.say()
            return
        whole = attempt(file, proof, clock, first=True)
        if not whole.done:
            outcome.obstacle = Refusal.NOT_PROVED.say(why=whole.words)
            return
        if tomllib.loads(proof) != tomllib.loads(DEFINITION) and attempt(file, DEFINITION, clock, first=True).done:
            note("by definition alone")
            outcome.stage, outcome.text = SearchStage.PROOF, DEFINITION
            return
        kept = _leave_out(file, proof, clock, note, outcome)
        outcome.obstacle = "" if kept != proof else Refusal.NOT_SHORTER.say()

    run_search(search, tell, outcome)


def _leave_out(file: Posing, proof: str, clock: Deadline, note: Tell, outcome: SearchProgress) -> str:
    before = ""
    while before != proof:
        before = proof
        for part in _list_parts(proof):
            clock.check()
            lines = proof.split("\n")
            shorter = _tidy("\n".join(lines[: part.start] + lines[part.end :]))
            if _reads(shorter) and attempt(file, shorter, clock, first=True).done:
                note(f"without {part.words}")
                proof = shorter
                outcome.stage, outcome.text = SearchStage.PROOF, proof
    return proof


def _list_parts(proof: str) -> Iterator[_DroppableLines]:
    """The parts of a [proof], the last first, so that what is left out does not move those that come."""
    lines = proof.split("\n")
    headers = [i for i, line in enumerate(lines) if _HEADER.match(line)]
    for at, end in reversed(list(zip(headers, [*headers[1:], len(lines)], strict=True))):
        header = _HEADER.match(lines[at])
        assert header is not None
        stop = end - _comments_above(lines, end)
        if lines[at].startswith("[["):
            yield _DroppableLines(
                at - _comments_above(lines, at), stop, f"{header[1]}: {' '.join(lines[at + 1 : at + 2])}"
            )
        elif header[1] in LISTED:
            for i in range(stop - 1, at, -1):
                if "=" in lines[i] and not lines[i].startswith("#"):
                    yield _DroppableLines(i - _comments_above(lines, i), i + 1, f"{header[1]}: {lines[i]}")


def _comments_above(lines: list[str], at: int) -> int:
    count = 0
    while at - count - 1 >= 0 and lines[at - count - 1].startswith("#"):
        count += 1
    return count


def _tidy(proof: str) -> str:
    """Without tables in which nothing is left, and with one empty line between those that are."""
    proof = re.sub(r"(?m)^\[proof\.\w+\]\n+(?=\[|#|\Z)", "", proof)
    return re.sub(r"\n{3,}", "\n\n", proof).strip("\n") + "\n"


def _reads(proof: str) -> bool:
    try:
        return "proof" in tomllib.loads(proof)
    except tomllib.TOMLDecodeError:
        return False
