"""The front of the page: the main finding of a run, the lists of its results, and the facts of the run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from checks.results import wording
from checks.results.model import ClaimResult, RunResult, Work
from checks.results.shown import BoardPlace, ShownPosition, TypesetFormula
from checks.results.verdicts import Verdict
from checks.results.wording import count_certified, find_support, is_theorem
from reports.model.digest import RESULTS, ReportView
from reports.model.meaning import find_above, stands_by_itself
from reports.page.pictures import describe, find_lowered, first_sentence, sizes

# == story ============================================================================================================
# The story of a run, from its own verdicts: a false statement, a theorem that holds nevertheless, and one complete
# refutation.
MOST_MOVES = 6  # first moves in one picture; a refutation with more moves is shown only by its board
MOST_DEFINED = 2  # definitions above a picture
FEW = 5  # a run of at most this many claims shows them open


def choose_saved(lead: ClaimResult, view: ReportView) -> ClaimResult | None:
    """Return a theorem that is proved although its published proof uses the false result `lead`.

    Of several theorems, return the one whose published proof uses the most false results; of equal ones, the last. If
    there is no theorem, return a lemma or corollary by the same rules. If there is none either, return None.
    """

    def count_false(claim: ClaimResult) -> int:
        uses = (view.claims[id] for id in claim.statement.uses if id in view.claims)
        return sum(c.verdict.holds is False and c.statement.role in RESULTS for c in uses)

    direct = [view.claims[id] for id in view.used_by.get(lead.id, ())]
    found = [c for c in direct if stands_by_itself(c) and c.statement.role in RESULTS]
    theorems = [c for c in found if c.statement.role == "theorem"] or found
    return max(reversed(theorems), key=count_false, default=None)


def find_refuted_below(claim: ClaimResult, view: ReportView) -> tuple[str, ...]:
    """Return the ids of the refuted claims that the published proof of a claim uses, directly or indirectly.

    If theorems, lemmas or corollaries are among them, return only these.
    """
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
"""The number of objects of a heap that stay, and the number taken."""


@dataclass(frozen=True)
class Answered:
    """A first move from a counterexample, and the answer that ends the game.

    `move`, `answer`: the two moves in words.
    `moved`, `left`: the heaps after the move and after the answer, each with the number of objects just taken from it.
    `says`: the result at the end of the game, in words.
    """

    move: str
    moved: tuple[Stack, ...]
    answer: str
    left: tuple[Stack, ...]
    says: str


@dataclass(frozen=True)
class Refutation:
    """A picture that refutes `claim`: every move from its counterexample, each with an answer.

    `mover`: the player who moves first. `position`: the heaps of the counterexample.
    `told`: whether the headline of the page is about this claim, so that the picture need not state it again.
    """

    claim: ClaimResult
    mover: str
    position: tuple[int, ...]
    answered: tuple[Answered, ...]
    told: bool = False


def find_refutation(claims: Iterable[ClaimResult]) -> Refutation | None:
    """Return a refutation of the first claim for which it fits into one picture; None if it fits for no claim.

    It fits if there are at most MOST_MOVES first moves, and if each has an answer that ends the game.
    """
    for claim in claims:
        board = claim.presentation.board
        if board is None or claim.finding.counterexample is None or board.places[0].answers:
            continue
        if board.drawing is not None:  # the section of the claim draws heaps with parts
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


def explain_game(claim: ClaimResult) -> str:
    """Return one or two sentences that explain the game of a claim; "" if the report has no board for the claim.

    The text says that a move takes objects from one heap only if every move on the board does so.
    """
    board = claim.presentation.board
    if board is None:
        return ""
    rule, box = first_sentence(board.rules).rstrip("."), board.box
    if box is None:
        return f"{board.game}: {rule}." if rule else ""
    at = box.positions
    single = board.drawing is None and all(
        find_lowered(before, at[i]) for before, after in zip(at, box.moves, strict=True) for i in after
    )
    told = f"In {box.title}, a move takes objects from one heap" if single else f"The game is {box.title}"
    stuck = f"A player who cannot move {'wins' if box.stuck_wins else 'loses'}."
    return f"{told}{f': {rule}' if rule else ''}. {stuck}"


def definitions_of(claim: ClaimResult) -> tuple[tuple[TypesetFormula, TypesetFormula], ...]:
    """Return the definitions in a claim as pairs (left side, right side); () if there are more than MOST_DEFINED."""
    found = claim.presentation.mathematics.definitions if claim.presentation.mathematics is not None else ()
    return found if len(found) <= MOST_DEFINED else ()


def _lay(stacks: list[Stack], before: ShownPosition, after: ShownPosition) -> tuple[Stack, ...]:
    """Return a pair (size, number of objects taken) for each heap after a move.

    `stacks`: such pairs for the heaps before the move. If the move only lowers one heap, the result has the same
    order. Otherwise the result is in the order of `after`, and no objects are marked as taken.

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
    """Return (tokens that stay, tokens taken, width, height) for a drawing in which each heap is a column of dots.

    The first two are SVG paths. Width and height are in px. `stacks`: for each heap, how many objects stay and how many
    are taken.

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
    """Return how the statements were settled, as (number of statements, verdict, method in words).

    Methods by which no statement was settled are omitted. A statement whose verdict Coq has also accepted is counted
    twice.
    """
    claims = run.statements
    false = [c for c in claims if c.verdict is Verdict.REFUTED]
    replayed = sum(c.finding.counterexample is not None and c.finding.counterexample.replayed for c in false)
    by_obligations = [c for c in claims if find_support(c) is not None]
    computed = sum(c.verdict is Verdict.PROVED for c in claims) - len(by_obligations)
    certified, obligations = count_certified(run.claims)
    whole = " in the whole run" if len(claims) < len(run.claims) else ""
    certificates = f"all {wording.count(obligations, 'condition')}{whole} have certificates, checked without a solver"
    if certified < obligations:
        told = f"{wording.number(certified)} of {wording.count(obligations, 'condition')}{whole}"
        certificates = f"{told} have certificates, checked without a solver; for the others, solvers are trusted"
    found = [
        (replayed, Verdict.REFUTED, "refuted; a second program replayed each counterexample from the rules"),
        (len(false) - replayed, Verdict.REFUTED, "refuted only by the search: no second program replayed it"),
        (len(by_obligations), Verdict.PROVED, f"proved for all cases by an argument; {certificates}"),
        (computed, Verdict.PROVED, "proved by computation: every one of finitely many cases, or a witness"),
        (sum(map(is_theorem, false)), Verdict.REFUTED, "refuted, also in Coq"),
        (sum(is_theorem(x) for x in claims if x.verdict.holds), Verdict.PROVED, "proved, also in Coq"),
        (
            sum(c.verdict is Verdict.VERIFIED for c in claims),
            Verdict.VERIFIED,
            "searched in the stated range only; nothing is known beyond it",
        ),
    ]
    return [x for x in found if x[0]]


def describe_dependents(claims: tuple[ClaimResult, ...], view: ReportView) -> str:
    """Return a sentence on the results whose published proofs use these false claims, and on how they fare.

    A result is a theorem, lemma or corollary. The sentence says how many of them are proved in another way, and how
    many are refuted. Return "" if there are no such results.
    """
    above = {c.id: c for bad in claims for c in find_above(bad.id, view) if c.statement.role in RESULTS}
    if not above:
        return ""
    number, proved = len(above), sum(map(stands_by_itself, above.values()))
    false = sum(c.verdict.holds is False for c in above.values())
    used = "it" if len(claims) == 1 else "them"
    if number == 1:
        fate = "is proved in another way" if proved else "is refuted too" if false else "has no proof in this run"
        return f"The published proof of one result uses {used}; this result {fate}."
    parts = [wording.all_of(number) if proved == number else wording.spell(proved)] if proved else []
    parts = [f"{part} {'is' if proved == 1 else 'are'} proved in another way" for part in parts]
    parts += [f"{wording.spell(false)} {'is' if false == 1 else 'are'} refuted too"] if false else []
    parts += ["the others have no such proof in this run"] if proved + false < number else []
    return f"The published proofs of {wording.spell(number)} results use {used}; {', '.join(parts)}."


def cite(run: RunResult) -> str:
    """Return a BibTeX entry for the run: its statements, version, date, and the digest of the claim files."""
    return _write_entry(run, f"{wording.TOOL_NAME} {run.version}: {wording.headline(run)}", run.library[:12])


def cite_claim(run: RunResult, claim: ClaimResult) -> str:
    """Return a BibTeX entry for one verdict of the run."""
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


# == front ============================================================================================================
# The front of the page: the results in the order of their weight, and the facts of the run.
MOST_NAMED, SOURCES = 12, "sources"  # a command names at most this many copies of claim files, otherwise their folder
WEIGHTY = (*RESULTS, "conjecture")  # the front lists these roles first if they fail
WEIGHT = ("theorem", "lemma", "corollary", "step", "table", "example", "remark", "definition", "conjecture")
_PLURALS = {
    "corollary": "corollaries",
    "step": "steps of proofs",
}


@dataclass(frozen=True)
class Strip:
    """The statements of a work, in its order, without corrections. The page shows them as a row of signs."""

    work: Work
    claims: tuple[ClaimResult, ...]

    @property
    def refuted(self) -> int:
        return sum(c.verdict.holds is False for c in self.claims)


@dataclass(frozen=True)
class Front:
    """The contents of the first section of the page.

    `stated`, `holding`, `refuted`, `open`: how many statements there are, hold, are refuted, and are not settled.
    `strips`: the statements of each work.
    `costs`: the refuted statements in groups (heading, sentence on the results that depend on them, claims). The first
    group contains theorems, lemmas, corollaries and conjectures.
    `standing`: results that are proved although their published proofs use refuted statements.
    `guesses`: the conjectures that are refuted, as their files expect.
    `proved`: whether every statement that holds is proved.
    `lead`: the refuted statement that the headline names. `saved`: a proved theorem whose published proof uses `lead`.
    Both are None if a claim is not settled or unexpectedly holds, and in a run of few claims.
    `refutation`: a refutation that fits into one picture, or None.
    """

    stated: int
    holding: int
    refuted: int
    open: int
    strips: tuple[Strip, ...]
    costs: tuple[tuple[str, str, tuple[ClaimResult, ...]], ...] = ()
    standing: tuple[ClaimResult, ...] = ()
    guesses: tuple[ClaimResult, ...] = ()
    proved: bool = False
    lead: ClaimResult | None = None
    saved: ClaimResult | None = None
    refutation: Refutation | None = None


def make_front(view: ReportView) -> Front:
    """Return the contents of the first section of the page of a run."""
    stated = list(view.run.statements)
    refuted = [c for c in stated if c.verdict.holds is False]
    heavy = sorted((c for c in refuted if c.statement.role in WEIGHTY), key=lambda c: _weight(c, view))
    above = {c.id for bad in heavy for c in find_above(bad.id, view)}
    unclear = bool(view.unsettled or view.unexpected)
    lead = heavy[0] if heavy and not unclear and len(view.run.claims) > FEW else None
    shown = find_refutation((*heavy, *(c for c in refuted if c not in heavy), *view.guesses))
    return Front(
        stated=len(stated),
        holding=sum(c.verdict.holds is True for c in stated),
        refuted=len(refuted),
        open=sum(c.verdict.holds is None for c in stated),
        strips=tuple(Strip(g.work, g.statements) for g in view.groups if g.statements),
        costs=tuple((heading, describe_dependents(claims, view), claims) for heading, claims in _sort(refuted, heavy)),
        standing=tuple(
            c for c in view.run.main_claims if c.id in above and c.statement.role in RESULTS and stands_by_itself(c)
        ),
        guesses=view.guesses,
        proved=all(c.verdict is Verdict.PROVED for c in stated if c.verdict.holds),
        lead=lead,
        saved=None if lead is None else choose_saved(lead, view),
        refutation=None if shown is None else replace(shown, told=lead is not None and shown.claim.id == lead.id),
    )


def _weight(claim: ClaimResult, view: ReportView) -> tuple[int, int]:
    return weigh_role(claim.statement.role), -len(find_above(claim.id, view))


def weigh_role(role: str) -> int:
    """Return the rank of a role by importance: 0 for "theorem", 1 for "lemma", and so on in the order of WEIGHT."""
    return WEIGHT.index(role) if role in WEIGHT else len(WEIGHT)


def _sort(refuted: list[ClaimResult], heavy: list[ClaimResult]) -> Iterator[tuple[str, tuple[ClaimResult, ...]]]:
    """Yield the refuted statements in up to three nonempty groups (heading, claims).

    The groups are `heavy` (the refuted statements with important roles), the steps of proofs, and all others.
    """
    steps = tuple(c for c in refuted if c.statement.role == "step")
    others = tuple(c for c in refuted if c not in heavy and c not in steps)
    for claims in (tuple(heavy), steps, others):
        if claims:
            kinds = [r for r in WEIGHT if any(c.statement.role == r for c in claims)]
            named = kinds and all(c.statement.role in WEIGHT for c in claims)
            text = (
                wording.join_with_and([r if len(claims) == 1 else _plural(r) for r in kinds])
                if named
                else "statements of other kinds"
            )
            yield f"refuted {text}", claims


def headline(front: Front) -> tuple[tuple[str, str], ...]:
    """Return the headline in parts (text, tone). The tones "false" and "true" mark emphasis; "" is plain text.

    >>> headline(Front(91, 74, 17, 0, ()))
    (('Of 91 statements, 74 hold as far as checked and ', ''), ('17 are refuted', 'false'))
    >>> headline(Front(91, 74, 17, 0, (), proved=True))
    (('Of 91 statements, 74 are proved and ', ''), ('17 are refuted', 'false'))
    >>> headline(Front(4, 2, 1, 1, ()))
    (('Of 4 statements, 2 hold as far as checked, ', ''), ('1 is refuted and 1 is not settled', 'false'))
    >>> headline(Front(2, 0, 0, 2, ()))
    (('Of 2 statements, none holds as far as checked and ', ''), ('2 are not settled', 'false'))
    >>> headline(Front(3, 3, 0, 0, ()))
    (('All 3 statements hold as far as checked', ''),)
    """
    if front.lead is not None:
        told: list[tuple[str, str]] = [(f"{wording.short_name(front.lead)} is false.", "false")]
        if front.saved is not None:
            told += [(" ", ""), (f"{wording.short_name(front.saved)}, proved from it, is true.", "true")]
        return tuple(told)
    if not front.stated:
        return (("No statement was checked", ""),)
    if front.holding == front.stated:
        whole = f"All {front.stated} statements" if front.stated > 1 else "The statement"
        return ((f"{whole} {_describe_holding(front)}", ""),)
    worse = [f"{front.refuted} {_are(front.refuted)} refuted"] if front.refuted else []
    worse += [f"{front.open} {_are(front.open)} not settled"] if front.open else []
    if front.stated == 1:
        return (("The statement is ", ""), ("refuted" if front.refuted else "not settled", "false"))
    join = "," if len(worse) > 1 else " and"
    plain = f"Of {front.stated} statements, {front.holding or 'none'} {_describe_holding(front)}{join} "
    return ((plain, ""), (wording.join_with_and(worse), "false"))


def page_title(run: RunResult, front: Front) -> str:
    """Return the title of the page: the headline, or the name and the verdict of a single claim."""
    if len(run.claims) == 1:
        return f"{wording.short_name(run.claims[0])}: {run.claims[0].verdict.value}"
    return "".join(text for text, _ in headline(front))


def count_statements(front: Front) -> str:
    """Return how many statements are refuted, in which works, and how many of the others are proved or verified.

    A second sentence gives the numbers for the works without a refuted statement, if there are such works.
    """
    bad = [s for s in front.strips if s.refuted]
    rest = [s for s in front.strips if s.claims and not s.refuted]
    total = sum(len(s.claims) for s in bad)
    named = ", ".join(wording.work_name(s.work) for s in bad)
    where = f"in {wording.spell(len(bad))} works ({named})" if len(bad) > 1 else f"of {named}"
    smallest = all(
        c.finding.counterexample is not None and c.finding.counterexample.smallest
        for s in bad
        for c in s.claims
        if c.verdict.holds is False
    )
    each = ", each with its smallest counterexample in the range searched" if smallest else ""
    others = [c for s in bad for c in s.claims if c.verdict.holds]
    text = f"Of the {total} statements {where}, {front.refuted} {_are(front.refuted)} refuted{each}; "
    text += f"{_tell_how_sure(f'the other {len(others)}', others)}." if others else "none of them holds."
    if not rest:
        return text
    more = [c for s in rest for c in s.claims]
    names = wording.join_with_and([wording.work_name(s.work) for s in rest])
    return f"{text} {wording.capitalise(_tell_how_sure(f'the {len(more)} of {names}', more))}."


def _tell_how_sure(which: str, claims: Sequence[ClaimResult]) -> str:
    """Return a clause on how many claims are proved, and how many are verified in a scope: `the other 5 are proved`.

    `which`: words for the claims, such as "the other 5".
    """
    proved = sum(c.verdict is Verdict.PROVED for c in claims)
    counts = [(proved, "proved"), (len(claims) - proved, "verified in a scope")]
    told = [(n, f"{_are(n)} {word}") for n, word in counts if n]
    if len(told) == 1:
        return f"{which} {told[0][1]}"
    return f"of {which}, {wording.join_with_and([f'{n} {said}' for n, said in told])}"


def describe_run(run: RunResult, front: Front) -> str:
    """Return one or more sentences about the run, which other sites show as the preview of a link to the page."""
    found = "".join(text for text, _ in headline(front))
    told = f"{found}." if front.lead is None else count_statements(front)
    return f"{told} {wording.capitalise(wording.headline(run))}, checked by {wording.TOOL_NAME}."


def _describe_holding(front: Front) -> str:
    """Return the verb for the statements that hold: "are proved" if all are, otherwise "hold as far as checked".

    For one statement, it is "is proved" or "holds as far as checked".
    """
    if front.proved and front.holding:
        return f"{_are(front.holding)} proved"
    return ("hold" if front.holding > 1 else "holds") + " as far as checked"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _plural(role: str) -> str:
    return _PLURALS.get(role, role + "s")


def list_checks(run: RunResult, view: ReportView, front: Front) -> Iterator[tuple[str, str]]:
    """Yield (purpose, command) for each way in which a reader of the page can check the run.

    The commands work in the folder of the page, unless the purpose names another folder.
    """
    own, command = [c for c in run.claims if _is_own(c)], run.command or "python -m checks run"
    if not own:
        yield "settle every claim again", f"{command} --no-report"
    elif all(c.provenance.source for c in own):
        yield "settle every claim again", _settle_copies(run, own)
    else:
        yield "settle every claim again, in the folder of the run", command
    candidates = ([front.lead] if front.lead else []) + [*view.refuted, *run.claims]
    if shown := next((c for c in candidates if c.provenance.receipt), None):
        refuted = shown.verdict is Verdict.REFUTED
        what = "one counterexample again, by the rules of play alone" if refuted else "the evidence of one claim again"
        yield f"check {what}", shlex.join(["python", "-m", "checks", "verify", shown.provenance.receipt])
    if any(c.provenance.certificate for c in run.claims):
        yield "check the proofs with one page of Python, without a solver", "python certificates/check.py certificates"
        yield "check that the proofs belong to the claims of this report", "python -m checks verify ."


def _settle_copies(run: RunResult, own: Sequence[ClaimResult]) -> str:
    """Return the command that settles all claims of the run again, from the copies of claim files in the report.

    `own`: the claims whose files are copied. The command names the other claims by id.
    """
    mutants = ["--mutants"] if "--mutants" in shlex.split(run.command) else []
    sources = dict.fromkeys(c.provenance.source for c in own)
    words = ["python", "-m", "checks", "run", *mutants, *(sources if len(sources) <= MOST_NAMED else [SOURCES])]
    words += [c.id for c in run.main_claims if c not in own]
    words += [] if run.profile == "quick" else ["--scope", run.profile]
    words += [word for key, bound in run.overrides for word in ("--set", f"{key}={bound}")]
    return shlex.join([*words, "--no-report"])


def _is_own(claim: ClaimResult) -> bool:
    """Return whether a claim is known to come from the user's own file, not from the library of claims."""
    id = claim.statement.variant_of or claim.id
    return bool(claim.provenance.source) or claim.provenance.file in (id, f"{id}.toml")


def identity(run: RunResult) -> list[tuple[str, str]]:
    """Return the facts that identify the run as pairs (label, text). Facts that are not known are omitted.

    They are the date, duration, program versions, scope profile, digest of the claim library, and command.
    """
    facts = [
        ("Run", run.started.replace("T", ", ")),
        ("Time", ", ".join(x for x in (f"{run.seconds:.0f} s", wording.say_cached(run.claims)) if x)),
        ("With", ", ".join(f"{name} {number}" for name, number in run.versions) or f"{wording.TOOL} {run.version}"),
        ("Scope", run.profile + "".join(f", {key} {bound}" for key, bound in run.overrides)),
        ("Library", f"sha256 {run.library[:12]}" if run.library else ""),
        ("Command", run.command),
    ]
    return [(label, text) for label, text in facts if text]
