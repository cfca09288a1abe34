"""The story of a run, from its own verdicts: what is false, what stands all the same, one refutation whole."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from checks.results.marks import count_certified, find_support, is_theorem
from checks.results.model import ClaimResult, RunResult
from checks.results.pictures import BoardPlace, ShownPosition
from checks.results.statement import TypesetFormula
from checks.results.verdicts import Verdict
from reports.ground import wording
from reports.ground.digest import RESULTS, ReportView
from reports.ground.meaning import find_above, stands_by_itself
from reports.page.pictures.play import describe, find_lowered, sizes

MOST_MOVES = 6  # as many first moves stand in one picture; a refutation with more is played on its board
MOST_DEFINED = 2  # definitions that are said beside a picture
FEW = 5  # a run of no more claims shows them unfolded


def choose_saved(lead: ClaimResult, view: ReportView) -> ClaimResult | None:
    """The theorem to name beside a false result: its published proof uses it, and it is proved here another way.

    Of several the one whose published proof uses the most false results, and of these the last.
    """

    def count_false(claim: ClaimResult) -> int:
        uses = (view.claims[id] for id in claim.statement.uses if id in view.claims)
        return sum(c.verdict.holds is False and c.statement.role in RESULTS for c in uses)

    direct = [view.claims[id] for id in view.used_by.get(lead.id, ())]
    found = [c for c in direct if stands_by_itself(c) and c.statement.role in RESULTS]
    theorems = [c for c in found if c.statement.role == "theorem"] or found
    return max(reversed(theorems), key=count_false, default=None)


def find_refuted_below(claim: ClaimResult, view: ReportView) -> tuple[str, ...]:
    """The false results among what the published proof of a claim rests on, directly or by way of others; or steps."""
    seen: dict[str, None] = {}
    todo = [claim.id]
    while todo:
        used = view.claims[todo.pop()].statement.uses
        new = [id for id in used if id in view.claims and id not in seen]
        seen |= dict.fromkeys(new)
        todo += new
    false = [c for c in view.run.claims if c.id in seen and c.verdict.holds is False]
    return tuple(c.id for c in ([c for c in false if c.statement.role in RESULTS] or false))


# -- one refutation, whole --------------------------------------------------------------------------------------------
Stack = tuple[int, int]
"""Of a heap, how many objects stay and how many are taken."""


@dataclass(frozen=True)
class Answered:
    """A first move and its answer, each in words with the heaps as they lie, those taken included."""

    move: str
    moved: tuple[Stack, ...]
    answer: str
    left: tuple[Stack, ...]
    says: str


@dataclass(frozen=True)
class Refutation:
    """Every move from the counterexample of `claim`, each with the answer that shows that it does not do."""

    claim: ClaimResult
    mover: str
    position: tuple[int, ...]
    answered: tuple[Answered, ...]


def find_refutation(claims: Iterable[ClaimResult]) -> Refutation | None:
    """That of the first of these claims whose board shows it in one step: few first moves, each answered at once."""
    for claim in claims:
        board = claim.presentation.board
        if board is None or claim.finding.counterexample is None or board.places[0].answers:
            continue
        if board.drawing is not None:  # of heaps with parts the claim itself shows the pictures
            continue
        first = board.places[0]
        answered = [_answer(first, after, board.places[number], board.places) for after, number in first.moves]
        if 0 < len(answered) <= MOST_MOVES and all(answered):
            return Refutation(claim, first.mover, sizes(first.position), tuple(x for x in answered if x is not None))
    return None


def _answer(
    first: BoardPlace, after: ShownPosition, place: BoardPlace, places: tuple[BoardPlace, ...]
) -> Answered | None:
    if not place.answers or not place.moves:
        return None
    reply, number = place.moves[0]
    end = places[number]
    if end.moves or not end.says:
        return None
    moved = _lay([(h, 0) for h in sizes(first.position)], first.position, after)
    left = _lay([(stays, 0) for stays, _ in moved], after, reply)
    move, answer = describe(first.position, after), describe(after, reply)
    return Answered(f"{first.mover} {move}", moved, f"{place.mover} {answer}", left, end.says)


def definitions_of(claim: ClaimResult) -> tuple[tuple[TypesetFormula, TypesetFormula], ...]:
    """Its definitions, left and right side, where they are few enough to be read in a sentence."""
    found = claim.presentation.mathematics.definitions if claim.presentation.mathematics is not None else ()
    return found if len(found) <= MOST_DEFINED else ()


def _lay(stacks: list[Stack], before: ShownPosition, after: ShownPosition) -> tuple[Stack, ...]:
    """The heaps as they lie, after a move that lowers one of them; where it does anything else, those after it.

    >>> _lay([(2, 0), (2, 0), (1, 0)], (1, 2, 2), (1, 1, 2))
    ((2, 0), (1, 1), (1, 0))
    """
    found = find_lowered(before, after)
    if found is None:
        return tuple((h, 0) for h in sizes(after))
    heap, left = found
    at = max(i for i, (stays, _) in enumerate(stacks) if stays == heap)
    return tuple((left, heap - left) if i == at else stack for i, stack in enumerate(stacks))


def draw_stacks(stacks: tuple[Stack, ...]) -> tuple[str, str, int, int]:
    """The tokens that stay and those that were taken as paths of dots, a column for each heap, and width and height.

    >>> draw_stacks(((1, 1), (1, 0)))
    ('M7 19h0M22 19h0', 'M7 6h0', 29, 26)
    """
    top = max((stays + gone for stays, gone in stacks), default=0)
    paths = ["", ""]
    for column, (stays, gone) in enumerate(stacks):
        for level in range(stays + gone):
            paths[level >= stays] += f"M{15 * column + 7} {13 * (top - level) - 7}h0"
    return paths[0], paths[1], 15 * len(stacks) - 1, 13 * top


# -- how sure it is ---------------------------------------------------------------------------------------------------
def list_grounds(run: RunResult) -> list[tuple[int, Verdict, str]]:
    """On what the verdicts rest, for so many statements each: (number, verdict, in words)."""
    claims = run.statements
    false = [c for c in claims if c.verdict is Verdict.REFUTED]
    replayed = sum(c.finding.counterexample is not None and c.finding.counterexample.replayed for c in false)
    by_obligations = [c for c in claims if find_support(c) is not None]
    computed = sum(c.verdict is Verdict.PROVED for c in claims) - len(by_obligations)
    certified, obligations = count_certified(run.claims)
    told = f"{wording.count(obligations, 'obligation')}, each with a certificate checked without a solver"
    if certified < obligations:
        told = f"{wording.say_certified(run.claims)}, checked without a solver; the others are trusted to solvers"
    certificates = f"in the whole run {told}" if len(claims) < len(run.claims) else told
    found = [
        (replayed, Verdict.REFUTED, "each counterexample replayed by a second program, from the rules alone"),
        (len(false) - replayed, Verdict.REFUTED, "refuted, but by the search alone: no second program replayed it"),
        (len(by_obligations), Verdict.PROVED, f"proved by an argument: {certificates}"),
        (computed, Verdict.PROVED, "proved by computation: finitely many cases, each looked at, or a witness"),
        (sum(map(is_theorem, claims)), Verdict.PROVED, "of the proved ones are theorems of Coq as well"),
        (
            sum(c.verdict is Verdict.VERIFIED for c in claims),
            Verdict.VERIFIED,
            "searched in the range that stands beside each; nothing is said beyond it",
        ),
    ]
    return [x for x in found if x[0]]


def what_rests_on(claims: tuple[ClaimResult, ...], view: ReportView) -> str:
    """What became of the results whose published proofs use these false claims, in a sentence; "" if there are none."""
    above = {c.id: c for bad in claims for c in find_above(bad.id, view) if c.statement.role in RESULTS}
    if not above:
        return ""
    number, proved = len(above), sum(map(stands_by_itself, above.values()))
    false = sum(c.verdict.holds is False for c in above.values())
    used = "it" if len(claims) == 1 else "them"
    if number == 1:
        fate = "it is proved here another way" if proved else "it is refuted too" if false else "it has no proof here"
        return f"The published proof of one result uses {used}; {fate}."
    parts = [wording.all_of(number) if proved == number else wording.spell(proved)] if proved else []
    parts = [f"{part} {'is' if proved == 1 else 'are'} proved here another way" for part in parts]
    parts += [f"{wording.spell(false)} {'is' if false == 1 else 'are'} refuted too"] if false else []
    parts += ["the others have no such proof here"] if proved + false < number else []
    return f"The published proofs of {wording.spell(number)} results use {used}; {', '.join(parts)}."


def cite(run: RunResult) -> str:
    """The run in BibTeX: what was settled, by which version, when, and the digest of the claim files."""
    return _write_entry(run, f"{wording.TOOL_NAME} {run.version}: {wording.headline(run)}", run.library[:12])


def cite_claim(run: RunResult, claim: ClaimResult) -> str:
    """A verdict of the run, likewise."""
    work = next((wording.work_name(w) for w in run.works if w.key == claim.statement.work), "")
    title = f"{work + ', ' if work else ''}{wording.short_name(claim)}: {wording.verdict_text(claim)}"
    return _write_entry(run, title, re.sub(r"[^A-Za-z0-9]+", "-", claim.id).strip("-"), f"claim {claim.id}")


def _write_entry(run: RunResult, title: str, key: str, what: str = "") -> str:
    day = run.started.partition("T")[0]
    told = [f"{wording.TOOL_NAME} {run.version}" if what else "", what, f"run of {day}" if day else ""]
    told += [f"library sha256:{run.library[:32]}"] if run.library else []
    lines = [f"@misc{{{wording.TOOL_NAME}{'-' + key if key else ''},", f"  title = {{{title}}},"]
    lines += [f"  year  = {{{day[:4]}}},"] if day else []
    lines += [f"  note  = {{{', '.join(x for x in told if x)}}}"] if any(told) else []
    return "\n".join([*lines, "}"])
