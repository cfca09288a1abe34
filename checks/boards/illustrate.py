"""The pictures of a settled claim (where it fails, maps of outcomes, and sequences of values), and its board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np

from checks.boards.board import board_of
from checks.boards.positions import draw_case
from checks.boards.words import Differs, NotDrawn, say_game
from checks.judgement.explain import players_of, write_value
from checks.judgement.findings import judge_case
from checks.judgement.routes import Exhausted, InternalFault, guard
from checks.presentation.mathematics import typesetter
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, as_integer
from checks.results.model import ClaimResult, is_refuted_by_proof
from checks.results.shown import (
    NOTHING,
    Failures,
    Groups,
    GrundySequence,
    NamedValues,
    OutcomeMap,
    Picture,
    TypesetFormula,
    Undrawn,
)
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim, Judgement, PictureRequest
from claims.language.files.domains import IntervalDomain, Scope
from claims.language.syntax.meanings import Value
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, Term, names_of
from encoders.compute.arrays.cases import IllDefinedDomain
from encoders.compute.arrays.evaluate import Sheet
from encoders.compute.arrays.limits import BadRuleset, Deadline, OutOfTime, TooLarge
from encoders.compute.arrays.search import Survey, SurveyLine, Surveyor
from encoders.logic.answer import Case, CaseValue
from encoders.refusals import Unsupported
from encoders.trust import Trust

# == failures =========================================================================================================
# The failures of a refuted claim in its scope: the cases, their number, and the relevant values of the counterexample.
#
# The exhaustive route counts the cases. The referee evaluates the listed cases again.
NEXT = 4  # the number of counterexamples that are listed after the smallest one
STEPS = 500_000  # of the referee for each of these counterexamples
MOST_GROUPS = 400  # of one grouping; a larger grouping is left out
MOST_PARTS = 8  # ranges of values in a sentence; if there are more, the sentence states the number of values


def survey_failures(claim: Claim, scope: Scope, smallest: Case, sums: bool, clock: Deadline) -> Failures:
    """Count the cases of a scope in which a [forall] claim fails, and list the first ones.

    The exhaustive route counts the cases.
    `smallest`: the smallest counterexample of the claim.
    `sums`: whether the referee may use the Sprague-Grundy theorem.
    Raises Differs if the first failing case is not `smallest`. Also raises the exceptions of the exhaustive route:
    OutOfTime, TooLarge and others.
    """
    found = Surveyor(claim, scope, clock, smallest, 1 + NEXT).run()
    if not found.first or found.first[0] != smallest:
        raise Differs(
            f"the first failing case of a new search is {[*found.first[:1]]}, but the counterexample is {smallest}"
        )
    return Failures(
        failing=found.fails,
        met=found.met,
        by=tuple(_list_groups(claim, found)),
        next=tuple(_write_case(claim, case) for case in _replay(claim, found.first[1:], sums)),
        matters=tuple(_tell(claim, smallest, name, line) for name, line in found.lines.items()),
        undefined=found.undefined,
    )


def _list_groups(claim: Claim, found: Survey) -> Iterator[tuple[tuple[str, ...], Groups]]:
    types = {v.name: v.type for v in claim.variables}
    for names, (met, fails) in found.groups.items():
        shown = tuple(f"number of heaps of {n}" if types[n] == POSITION else n for n in names)
        if len(met) <= MOST_GROUPS:
            yield shown, tuple((key, fails[key], met[key]) for key in sorted(met))


def _replay(claim: Claim, cases: list[Case], sums: bool) -> Iterator[Case]:
    """Yield each case after the referee has confirmed that the claim fails there. Stop if it reaches a limit.

    Raises Differs if the claim does not fail at a case.
    """
    for case in cases:
        judgement, fault = judge_case(claim, case, sums, STEPS)
        if judgement is Judgement.TOO_LARGE:
            return
        if judgement is not Judgement.FAILS:
            raise Differs(
                f"the exhaustive route finds that the claim fails at {case}, "
                f"but the referee finds: {judgement} {fault}".strip()
            )
        yield case


def _write_case(claim: Claim, case: Case) -> tuple[tuple[str, str], ...]:
    players = players_of(claim)
    return tuple((v.name, write_value(case[v.name], v.type, players)) for v in claim.variables)


def _tell(claim: Claim, smallest: Case, name: str, line: SurveyLine) -> str:
    """Return a sentence that states for which values of the variable `name` the claim fails.

    All other variables have their values in the counterexample `smallest`. An example for the variable `l`:
    `l: with k = 3, s = (2, 2, 4), of 4..10, only 4 fails.`
    """
    others = ", ".join(f"{n} = {value}" for n, value in _write_case(claim, smallest) if n != name)
    fixed = f"{name}: with {others}" if others else f"{name}:"
    start = f"{fixed} it fails"
    variable = next(v for v in claim.variables if v.name == name)
    fails, whole = len(line.fails), len(line.fails) + len(line.holds) + len(line.unmet)
    if whole == 1:
        return f"{start} for the only value in the scope."
    if fails == whole:
        every = _list_values(claim, name, line.fails)
        return f"{start} for each of {every}." if every else f"{start} for each of the {whole} values in the scope."
    parts = [_list_values(claim, name, x) for x in (line.fails, line.fails + line.holds + line.unmet)]
    if variable.type not in (INT, BOOL) or not all(parts):
        noun = "positions" if variable.type == POSITION else "values"
        such = " that satisfy the hypotheses" if claim.hypothesis is not None else " in the scope"
        if not line.holds and fails == 1:
            return f"{start} for the only {noun.removesuffix('s')}{such.replace('satisfy', 'satisfies')}."
        among = f"{fails} of the {fails + len(line.holds)}" if line.holds else f"each of the {fails}"
        return f"{start} for {among} {noun}{such}."
    comma = "," if others else ""
    said = f", only {parts[0]} fails" if fails == 1 else f" these fail: {parts[0]}"
    return f"{fixed}{comma} of {parts[1]}{said}{_tell_rest(claim, name, line)}."


def _tell_rest(claim: Claim, name: str, line: SurveyLine) -> str:
    """Return the end of the sentence of `_tell`: for the other values, the claim holds or the hypotheses do not."""
    if not line.unmet:
        return "; the others hold" if len(line.holds) > 1 else "; the other holds"
    if not line.holds:
        verb = "others do" if len(line.unmet) > 1 else "other does"
        return f"; the {verb} not satisfy the hypotheses"
    held = _list_values(claim, name, line.holds) or "some"
    return f"; {held} {'holds' if len(line.holds) == 1 else 'hold'}, and the rest do not satisfy the hypotheses"


def _list_values(claim: Claim, name: str, values: list[CaseValue]) -> str:
    """Return integers as a text of ranges, such as `1..3, 7` for 1, 2, 3 and 7.

    Return "" if there are more than MOST_PARTS ranges, or a value is not an integer.
    """
    numbers = sorted(x for x in values if isinstance(x, int))
    variable = next(v for v in claim.variables if v.name == name)
    if len(numbers) < len(values) or variable.type != INT:
        return ""
    stretches: list[list[int]] = []
    for x in numbers:
        if stretches and x == stretches[-1][1] + 1:
            stretches[-1][1] = x
        else:
            stretches.append([x, x])
    if len(stretches) > MOST_PARTS:
        return ""
    return ", ".join(str(a) if a == b else f"{a}, {b}" if b == a + 1 else f"{a}..{b}" for a, b in stretches)


# == maps =============================================================================================================
# The pictures that a claim file requests: maps of the winner for two heaps, and sequences of values of one heap.
#
# The exhaustive route computes them. The referee computes the values of small heaps again.
PICTURE_STEPS = 100_000  # of the referee for one picture
SMALL = 4  # the referee also computes heaps up to this size

Grid = tuple[tuple[bool, ...], ...]


def draw_wanted(claim: Claim, wanted: PictureRequest, clock: Deadline) -> OutcomeMap | GrundySequence:
    """Return a picture that the claim file requests: a map of outcomes, or a sequence of values.

    Raises NotDrawn if it cannot be drawn, and Differs if the engine and the referee disagree. Also raises the
    exceptions of the exhaustive route, such as OutOfTime and TooLarge.
    """
    _check_domains(claim, wanted)
    return _draw_map(claim, wanted, clock) if wanted.kind == "outcomes" else _draw_sequence(claim, wanted, clock)


def _draw_map(claim: Claim, wanted: PictureRequest, clock: Deadline) -> OutcomeMap:
    sizes = range(wanted.heaps.lo, wanted.heaps.hi + 1)
    rows = np.array([sorted((a, b)) for b in sizes for a in sizes], dtype=np.int64)
    sheet = Sheet(claim, wanted.at, clock)

    def fill(term: Term) -> Grid:
        values = sheet.evaluate_positions(term, wanted.name, rows)
        places = [tuple(x for x in row if x) for row in rows.tolist()]
        _check(claim, wanted, term, dict(zip(places, values, strict=True)))
        return tuple(tuple(bool(x) for x in values[i : i + len(sizes)]) for i in range(0, len(values), len(sizes)))

    return OutcomeMap(
        title=wanted.title or "Two heaps",
        game=_say_game(claim, wanted),
        yes=wanted.yes or "it holds",
        no=wanted.no or "it fails",
        least=wanted.heaps.lo,
        solved=fill(wanted.shown),
        claimed=None if wanted.claimed is None else fill(wanted.claimed),
        solved_by=_typeset(claim, wanted.shown),
        claimed_by=_typeset(claim, wanted.claimed),
    )


def _draw_sequence(claim: Claim, wanted: PictureRequest, clock: Deadline) -> GrundySequence:
    sizes = list(range(wanted.heaps.lo, wanted.heaps.hi + 1))
    sheet = Sheet(claim, wanted.at, clock)

    def fill(term: Term) -> tuple[int, ...]:
        values = sheet.evaluate_sizes(term, wanted.name, np.array(sizes, dtype=np.int64))
        _check(claim, wanted, term, dict(zip(sizes, values, strict=True)))
        return tuple(values)

    values = fill(wanted.shown)
    period, saltus = find_period(values)
    return GrundySequence(
        title=wanted.title or "One heap",
        game=_say_game(claim, wanted),
        least=wanted.heaps.lo,
        values=values,
        claimed=None if wanted.claimed is None else fill(wanted.claimed),
        period=period,
        saltus=saltus,
        value_by=_typeset(claim, wanted.shown),
        claimed_by=_typeset(claim, wanted.claimed),
    )


def _typeset(claim: Claim, term: Term | None) -> TypesetFormula:
    return NOTHING if term is None else typesetter(claim)(term)


def find_period(values: tuple[int, ...]) -> tuple[int, int]:
    """Return the least period p of the values, and the saltus c: values[x + p] = values[x] + c for all x.

    The equation must hold from x = 0, that is, without a preperiod. The period is at most half of the number of
    values. If there is no such period, return (0, 0).
    >>> find_period((0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5)), find_period((0, 1, 4, 9)), find_period((0, 0, 0))
    ((6, 3), (0, 0), (1, 0))
    """
    for p in range(1, len(values) // 2 + 1):
        steps = {after - before for before, after in zip(values, values[p:], strict=False)}
        if len(steps) == 1:
            return p, steps.pop()
    return 0, 0


def _check(
    claim: Claim, wanted: PictureRequest, term: Term, found: dict[tuple[int, ...], int] | dict[int, int]
) -> None:
    """Check that the referee computes the same values for small heaps as the engine.

    `found`: the value of `term` that the engine computed, for each position or heap size.
    If the referee reaches a limit, the remaining values are not checked. Raises Differs if two values differ, and
    NotDrawn if the expression is undefined.
    """
    referee = Referee(claim, PICTURE_STEPS)
    for place, value in found.items():
        if max(place, default=0) > SMALL if isinstance(place, tuple) else place > 2 * SMALL:
            continue
        try:
            right = referee.evaluate(term, {**dict(wanted.at), wanted.name: place})
        except LimitReached:
            return
        except IllDefined as fault:
            raise NotDrawn(f"the expression has no value at {place}: {fault}") from None
        if right != value:
            raise Differs(f"at {place} the engine finds {value}, but the referee finds {right}")


def _check_domains(claim: Claim, wanted: PictureRequest) -> None:
    """Raise NotDrawn if the picture fixes a variable at a value that is outside the variable's domain.

    Only intervals are checked, and only if their ends use no variables except the fixed ones.
    """
    env: dict[str, Value] = dict(wanted.at)
    referee = Referee(claim, PICTURE_STEPS)
    for v in claim.variables:
        if v.name in env and isinstance(v.domain, IntervalDomain):
            ends = [v.domain.lo] if v.domain.hi is None else [v.domain.lo, v.domain.hi]
            if names_of(ends)[0] - set(env):
                continue
            low, *high = (as_integer(referee.evaluate(x, env)) for x in ends)
            value = as_integer(env[v.name])
            if value < low or any(value > x for x in high):
                raise NotDrawn(f"{v.name} = {value} is outside its domain, {v.text}")


def _say_game(claim: Claim, wanted: PictureRequest) -> str:
    """Return the titles of the games in a picture, with their parameters."""
    asked = names_of(x for x in (wanted.shown, wanted.claimed) if x is not None)[1]
    referee = Referee(claim, PICTURE_STEPS)
    games = (referee.game(game.name, dict(wanted.at)) for game in claim.games if game.name in asked)
    return "; ".join(dict.fromkeys(map(say_game, games)))


# == illustrate =======================================================================================================
# The pictures of a settled claim, and the board on which it can be played.
#
# They cannot change the verdict. If a picture reaches a limit, the result contains the reason instead of the picture.
SECONDS = 4.0  # for all pictures of one claim
NO_BOARD = (
    "a board shows which player can force a win; but in this game the players have preferences (`prefer`), "
    "and the claim is about the winner if all players follow their preferences"
)


def illustrate(result: ClaimResult, claim: Claim, scope: Scope) -> ClaimResult:
    """Return a copy of the result of a settled claim that also contains the claim's pictures and its board."""
    sums, failing, surveyed = str(Trust.SPRAGUE_GRUNDY) in result.finding.trusted, None, False
    if result.verdict is Verdict.REFUTED and result.finding.counterexample is not None:
        failing = read_case(claim, result.finding.counterexample.variables)
        surveyed = result.finding.counterexample.smallest  # a survey begins with it
    evidence = result.finding.evidence
    if evidence is not None and is_refuted_by_proof(evidence.answers):
        surveyed = False  # the counterexample may be outside the scope
    if claim.goes_case_by_case:  # maps need heaps that are numbers, and games that the last move decides
        why = claim.unusual or "its heaps have parts"
        pictures: list[Picture] = [Undrawn(x.title or x.shown_text, why) for x in claim.pictures]
    else:
        pictures = list(_draw_all(claim, scope, failing if surveyed else None, sums, Deadline(SECONDS)))
    board, drawn = None, None
    if failing is not None or result.verdict.holds:
        try:
            board = guard("while laying out the board", lambda: board_of(claim, scope, failing, sums))
            if board is None and any(game.ruleset.ending.prefer is not None for game in claim.games):
                pictures.append(Undrawn("the board", NO_BOARD))
        except (Exhausted, InternalFault) as fault:
            pictures.append(Undrawn("the board", str(fault)))
    if claim.has_parts and failing is not None:
        drawn = draw_case(claim, failing)
    shown = replace(result.presentation, pictures=tuple(pictures), board=board, drawn=drawn)
    return replace(result, presentation=shown)


def _draw_all(claim: Claim, scope: Scope, failing: Case | None, sums: bool, clock: Deadline) -> Iterator[Picture]:
    if failing is not None and claim.quantifier == "forall":
        yield _draw("where it fails", lambda: survey_failures(claim, scope, failing, sums, clock))
    for wanted in claim.pictures:
        yield _draw(wanted.title or wanted.shown_text, partial(draw_wanted, claim, wanted, clock))


def read_case(claim: Claim, values: NamedValues) -> Case:
    """Return the values of the variables in a result as a case, in which a player is an index, not a name."""
    players, kinds = players_of(claim), {v.name: v.type for v in claim.variables}
    return {
        name: players.index(x) if kinds[name] == PLAYER and isinstance(x, str) else cast(CaseValue, x)
        for name, x in values
    }


def _draw(title: str, work: Callable[[], Picture]) -> Picture:
    """Return the picture that `work` draws, or an `Undrawn` with the reason why it cannot be drawn."""
    try:
        return guard(f"while drawing {title}", lambda: _draw_within_limits(title, work))
    except (Exhausted, InternalFault) as fault:
        return Undrawn(title, str(fault))


def _draw_within_limits(title: str, work: Callable[[], Picture]) -> Picture:
    try:
        return work()
    except OutOfTime:
        return Undrawn(title, f"the pictures take more than {SECONDS:g} seconds")
    except TooLarge as limit:
        return Undrawn(title, f"too large: {limit}")
    except Differs as fault:
        return Undrawn(title, f"an internal error: {fault}; please report it")
    except (BadRuleset, IllDefined, IllDefinedDomain, LimitReached, NotDrawn, Unsupported) as fault:
        return Undrawn(title, str(fault))
