"""`explain`: evaluate a claim step by step at small cases, so that its author can compare the claim with the paper."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import cast

from checks.boards.question import read_position, read_value
from checks.command.catalogue import list_statement
from checks.command.data import ConsideredEngine
from checks.command.output import fold
from checks.judgement.explain import Explainer, evaluate, players_of, say_values
from checks.receipts.enumeration import list_cases, make_case_key
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached
from checks.results.shown import ExplanationLine
from claims.language.errors import ClaimError, SourceLocation, join_words, suggest_nearest
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from claims.language.syntax.terms import BOOL, INT, PLAYER
from claims.language.typesetting.english import describe_term
from encoders.logic.answer import Case, CaseValue

STEPS, CASE_STEPS = 1_000_000, 300_000  # of the referee: to judge all cases, and to explain one case
FEW, MANY = 4, 6  # values of each number and heap size: in the first attempt, and in the second
FAR = 60  # values in the third attempt, for claims about one or two numbers only
MOST_HEAPS = 3
MOST_CASES = 20_000
MOST_LINES = 24  # of one case
WIDTH = 100


@dataclass(frozen=True)
class ToldCase:
    """A case with its evaluation.

    `why`: the reason why the case is shown. `values`: the case in words.
    `lines`: the evaluation, line by line.
    """

    why: str
    values: str
    lines: tuple[ExplanationLine, ...]


@dataclass(frozen=True)
class Explanation:
    """The text of `explain` about one claim.

    `words`: the formal claim in words, or "" if some part of it cannot be put into words.
    `cases`: the cases that are shown.
    `counts`: a sentence with the number of small cases at which the claim holds, fails, and so on.
    `engines`: the engines that were considered for the search of the scope, the chosen one first; () if none is chosen.
    """

    words: str
    cases: tuple[ToldCase, ...]
    counts: str = ""
    engines: tuple[ConsideredEngine, ...] = ()


def explain_small(claim: Claim) -> Explanation:
    """Return an explanation of a claim at some small cases; `choose_cases` chooses them."""
    cases, counts = choose_cases(claim)
    return Explanation(_say_claim(claim), cases, counts, tuple(_list_engines(claim)))


def _list_engines(claim: Claim) -> Iterator[ConsideredEngine]:
    """Yield the engines that are considered for the quick scope: first the one that `checks run` would try first.

    Yield nothing if no engine can be chosen.
    """
    from encoders.compute.engines import Shard, choose_engine
    from encoders.compute.exhaustive import STOPS

    with suppress(*STOPS):
        choice = choose_engine(claim, Shard(claim.scope("quick"), None))
        first = choice.able[0]
        costs = {engine.name: cost for engine, cost in zip(choice.able, choice.costs, strict=True)}
        yield ConsideredEngine(first.name, True, costs[first.name], "")
        for x in choice.list_others(first):
            yield ConsideredEngine(x.engine, False, costs.get(x.engine), x.reason)


def explain_at(claim: Claim, given: Mapping[str, str]) -> Explanation:
    """Explain a claim at one case. `given`: the value of each variable as text.

    Raises ClaimError if a text is not a value of its variable, or the value is not in its domain.
    """
    case = read_case(claim, given)
    try:
        outside = Referee(claim, CASE_STEPS).judge(case) == "outside"
    except (IllDefined, LimitReached):
        outside = False  # the evaluation below shows the fault
    if outside:
        domains = ", ".join(f"{v.name}: {v.text}" for v in claim.variables)
        problem = f"a value in {say_values(claim, case)} is outside the domain of its variable"
        raise ClaimError(SourceLocation("--set"), problem, domains)
    return Explanation(_say_claim(claim), (_evaluate(claim, "The case of --set", case),))


def _say_claim(claim: Claim) -> str:
    parts = [("if", claim.hypothesis), ("then", claim.conclusion)]
    words = [(word, describe_term(term, {})) for word, term in parts if term is not None]
    return ", ".join(f"{word} {text}" for word, text in words) + "." if all(text for _, text in words) else ""


def tell_explanation(claim: Claim, found: Explanation) -> Iterator[str]:
    """Yield the lines to print: the claim in symbols and in words, the cases, their counts and the engines."""
    yield from list_statement(claim)
    if found.words:
        yield from ("", *textwrap.wrap(f"In words: {found.words}", WIDTH))
    for told in found.cases:
        yield ""
        yield f"{told.why}: {told.values}" if told.values else told.why
        for line in told.lines[:MOST_LINES]:
            yield from fold(line.text, WIDTH, 2 + 2 * line.depth)
        if len(told.lines) > MOST_LINES:
            yield f"  and {len(told.lines) - MOST_LINES} more lines"
    if found.counts:
        yield from ("", found.counts)
    if found.engines:
        first, *others = found.engines
        yield ""
        yield f"Engine of the search in `checks run`: {first.name}. The others, with the reason why they are not used:"
        yield from (f"  {x.name}: {x.reason}" for x in others)


# -- which cases ------------------------------------------------------------------------------------------------------
def choose_cases(claim: Claim) -> tuple[tuple[ToldCase, ...], str]:
    """Return the cases to show, and a sentence that counts the cases at which the claim holds, fails, and so on.

    The cases are:
    - the smallest case, and the first case at which the hypotheses hold;
    - some cases at which the claim holds, fails or is undefined, or the hypotheses fail;
    - pairs of neighbouring cases with different results.

    For a claim without variables, the sentence is "".
    """
    if not claim.variables:
        return (_evaluate(claim, "There is one case", {}),), ""
    found: dict[str, list[Case]] = {}
    numbers = all(v.type == INT for v in claim.variables) and len(claim.variables) <= 2
    for most in (FEW, MANY, *((FAR,) if numbers else ())):
        found = _judge_all(claim, most)
        met = claim.hypothesis is None or found["hypotheses fail"]
        if len(found["holds"]) > 1 and met and (found["fails"] or claim.description.expect != "refuted"):
            break
    judged = [(kind, case) for kind, cases in found.items() for case in cases]
    judged.sort(key=lambda x: make_case_key(claim, x[1]))
    shown: dict[Frozen, ToldCase] = {}
    for why, case in _name_cases(claim, found, judged):
        if freeze(case) not in shown:
            shown[freeze(case)] = _evaluate(claim, why, case)
    counts = f"the claim holds at {len(found['holds'])} and fails at {len(found['fails'])}"
    counts += f"; it has no truth value at {len(found['undefined'])}" if found["undefined"] else ""
    unmet = f"; its hypotheses fail at {len(found['hypotheses fail'])}" if claim.hypothesis is not None else ""
    counts = f"{len(judged)} small cases tried: {counts}{unmet}. `checks run` settles the claim."
    return tuple(shown.values()), counts


def _name_cases(
    claim: Claim, found: Mapping[str, list[Case]], judged: list[tuple[str, Case]]
) -> Iterator[tuple[str, Case]]:
    """Yield pairs (reason for showing a case, case).

    `found`: the judged cases, by kind. `judged`: pairs (kind, case), smallest case first.
    """
    first = next((at for at, (kind, _) in enumerate(judged) if kind in ("holds", "fails")), None)
    met_word = "the hypotheses hold" if claim.hypothesis is not None else "the claim has a truth value"
    if judged:
        yield "The smallest case" + (f", and the first at which {met_word}" if first == 0 else ""), judged[0][1]
    if first is not None:
        yield f"The first case at which {met_word}", judged[first][1]
    yield from _name_true(claim, found["holds"])
    for case in found["fails"][:2]:
        yield "A case at which the claim fails", case
    within, beyond = find_boundary(claim, [*found["fails"], *found["holds"]], found["hypotheses fail"])
    if within is not None and beyond is not None:
        yield "A case at the boundary of the hypotheses; they hold", within
        yield f"Next to {say_values(claim, within)}, the hypotheses fail, so the claim says nothing", beyond
    elif first is not None:
        nothing = (case for kind, case in judged[first:] if kind == "hypotheses fail")
        yield from (("A case about which the claim says nothing", case) for case in islice(nothing, 1))
    near, last = find_boundary(claim, found["fails"][2:], found["holds"])
    if near is not None and last is not None:
        yield "A boundary case at which the claim fails", near
        yield f"Next to {say_values(claim, near)}, the claim holds", last
    for case in found["undefined"][:1]:
        yield "A case at which the claim has no truth value", case


def _name_true(claim: Claim, holds: list[Case]) -> Iterator[tuple[str, Case]]:
    """Yield pairs (reason for showing a case, case), for cases at which the claim holds.

    If the conclusion is an equivalence, the first two cases are neighbours, if such cases exist: at the first case both
    sides are true, and at the second both are false.
    """
    sides = _judge_sides(claim, holds)
    yes = [case for case, side in zip(holds, sides, strict=True) if side]
    no = [case for case, side in zip(holds, sides, strict=True) if side is False]
    one, other = find_boundary(claim, yes, no)
    if one is not None and other is not None:
        yield "A boundary case at which both conditions of the equivalence hold", one
        yield f"Next to {say_values(claim, one)}, both conditions fail", other
    for case in [cases[-1] for cases in (yes, no) if cases] or holds[-1:]:
        yield "A case at which the claim holds", case
    if len(holds) > 3 and not (yes and no):
        yield "A case at which the claim holds", holds[len(holds) // 2]


def _judge_sides(claim: Claim, cases: list[Case]) -> list[bool | None]:
    """Return, for each case, the truth value of the left side of an equivalence.

    If the conclusion is not an equivalence, return None for each case.
    """
    match claim.conclusion:
        case t.Operation(op="eq" | "ne", args=(side, _)) if side.type == BOOL:
            referee = Referee(claim, 2 * STEPS)  # enough: the cases were judged before, with STEPS
            return [bool(referee.evaluate(side, case)) for case in cases]
    return [None] * len(cases)


# -- boundaries -------------------------------------------------------------------------------------------------------
Frozen = tuple[tuple[str, object], ...]


def freeze(case: Case) -> Frozen:
    """Return a case as a key of a dictionary."""
    return tuple(sorted(case.items()))


def find_boundary(claim: Claim, inside: Sequence[Case], outside: Sequence[Case]) -> tuple[Case | None, Case | None]:
    """Return a case in `inside` and a case in `outside` that differ by one step (see `step`), or (None, None).

    If there are several pairs, return one with the last possible case of `inside`.
    """
    known = {freeze(case): case for case in outside}
    for case in reversed(inside):
        for beside in step(claim, case):
            if (other := known.get(freeze(beside))) is not None:
                return case, other
    return None, None


def step(claim: Claim, case: Case) -> Iterator[Case]:
    """Yield the cases that differ from `case` by one step in one value.

    A step changes a number or the size of one heap by 1, or replaces the player. No other values are changed.
    """
    for variable in claim.variables:
        value = case[variable.name]
        others: list[CaseValue] = []
        if variable.type.is_position and isinstance(value, tuple):
            heaps = [h for h in value if isinstance(h, int)]
            for i, h in enumerate(heaps):
                for size in (h - 1, h + 1):
                    others.append(tuple(sorted(x for x in (*heaps[:i], size, *heaps[i + 1 :]) if x)))
        elif variable.type == INT and isinstance(value, int):
            others = [value - 1, value + 1]
        elif variable.type == PLAYER:
            others = [i for i in range(len(players_of(claim))) if i != value]
        yield from ({**case, variable.name: other} for other in others)


def _judge_all(claim: Claim, most: int) -> dict[str, list[Case]]:
    """Return small cases, by kind: "holds", "fails", "hypotheses fail" or "undefined". Each list is in ascending order.

    `most`: the number of values of each number and heap size. If the referee reaches a limit, only the cases that were
    judged before are returned.
    """
    referee, scope = Referee(claim, STEPS), _narrow(claim, most)
    found: dict[str, list[Case]] = {"holds": [], "fails": [], "hypotheses fail": [], "undefined": [], "outside": []}
    try:
        for case in sorted(
            islice(list_cases(claim, scope, referee), MOST_CASES), key=lambda case: make_case_key(claim, case)
        ):
            try:
                found[referee.judge(case)].append(case)
            except IllDefined:
                found["undefined"].append(case)
    except (LimitReached, IllDefined):
        pass  # the cases judged so far are enough
    del found["outside"]
    return found


def _narrow(claim: Claim, most: int) -> d.Scope:
    """Return the quick scope with shortened ranges.

    Each number and heap size has at most `most` values. A number of heaps, and the length of a list, has at most 1 +
    MOST_HEAPS values.
    """

    def shorten(bound: d.Range, count: int) -> d.Range:
        return d.Range(bound.lo, min(bound.hi, bound.lo + count - 1))

    def cut_part(bound: d.Range | d.ListRange) -> d.Range | d.ListRange:
        if isinstance(bound, d.Range):
            return shorten(bound, most)
        return d.ListRange(shorten(bound.length, 1 + MOST_HEAPS), shorten(bound.each, most))

    return {
        name: cut_part(bound)
        if not isinstance(bound, d.PositionRange)
        else d.PositionRange(
            shorten(bound.heaps, 1 + MOST_HEAPS),
            shorten(bound.size, most),
            bound.total,
            tuple((part, cut_part(limits)) for part, limits in bound.parts),
        )
        for name, bound in claim.scope("quick").items()
    }


def _evaluate(claim: Claim, why: str, case: Case) -> ToldCase:
    try:
        lines = evaluate(Explainer(Referee(claim, CASE_STEPS), thorough=True), case)
    except IllDefined as fault:
        lines = (ExplanationLine(f"Ill-defined: {fault}"),)
    return ToldCase(why, say_values(claim, case), lines)


# -- the case of --set ------------------------------------------------------------------------------------------------
def read_case(claim: Claim, given: Mapping[str, str]) -> Case:
    """Return the case that these texts describe. Raises ClaimError."""
    names = [v.name for v in claim.variables]
    for name in given:
        if name not in names:
            problem, known = (
                f"the claim has no variable {name!r}",
                f"one of {join_words(names)}{suggest_nearest(name, names)}",
            )
            raise ClaimError(SourceLocation(f"--set {name}"), problem, known if names else "")
    missing = [name for name in names if name not in given]
    if missing:
        raise ClaimError(
            SourceLocation("--set"),
            f"{join_words(missing)} has no value",
            "a value for each variable, such as --set k=3",
        )
    return {v.name: cast(CaseValue, _read(claim, v, given[v.name])) for v in claim.variables}


def _read(claim: Claim, variable: d.ClaimVariable, text: str) -> Value:
    place, players = f"--set {variable.name}", players_of(claim)
    if variable.type == PLAYER:
        if text not in players:
            raise ClaimError(
                SourceLocation(place),
                f"there is no player {text!r}",
                f"one of {join_words(players)}{suggest_nearest(text, players)}",
            )
        return players.index(text)
    if variable.type.is_position:
        return read_position(text, place, variable.type)
    return read_value(place, text, variable.type)
