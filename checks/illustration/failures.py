"""Where in its scope a refuted claim fails, how often, and which of the values of its counterexample matter.

The cases are counted by the exhaustive route's own evaluation; those that are named the referee has judged again.
"""

from __future__ import annotations

from collections.abc import Iterator

from checks.illustration.faults import Differs
from checks.judgement.findings import judge_case
from checks.judgement.telling.saying import players_of, write_value
from checks.results.pictures import Failures, Groups
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from claims.language.statement.judgement import Judgement
from claims.language.terms.types import BOOL, INT, POSITION
from encoders.answer import Case, CaseValue
from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.cases.survey import Survey, SurveyLine, Surveyor

NEXT = 4  # counterexamples named beside the smallest
STEPS = 500_000  # of the referee, for each of them
MOST_GROUPS = 400  # of one grouping; one with more is left out
MOST_PARTS = 8  # stretches of values in a sentence; more are counted instead


def survey_failures(claim: Claim, scope: Scope, smallest: Case, sums: bool, clock: Deadline) -> Failures:
    """The failures of a [forall] claim in a scope in which `smallest` is the first. Raises Differs.

    Raises also what the exhaustive route raises: OutOfTime, TooLarge and the like. `sums`: as for the referee.
    """
    found = Surveyor(claim, scope, clock, smallest, 1 + NEXT).run()
    if not found.first or found.first[0] != smallest:
        raise Differs(f"the smallest failure counted is {found.first[:1]}, the counterexample {smallest}")
    return Failures(
        failing=found.fails,
        met=found.met,
        by=tuple(_list_groups(claim, found)),
        next=tuple(_written(claim, case) for case in _replay(claim, found.first[1:], sums)),
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
    """The cases as far as the referee can judge them; each must fail. Raises Differs."""
    for case in cases:
        judgement, fault = judge_case(claim, case, sums, STEPS)
        if judgement is Judgement.TOO_LARGE:
            return
        if judgement is not Judgement.FAILS:
            raise Differs(
                f"at {case} the claim was counted as a failure, the referee says: {judgement} {fault}".strip()
            )
        yield case


def _written(claim: Claim, case: Case) -> tuple[tuple[str, str], ...]:
    players = players_of(claim)
    return tuple((v.name, write_value(case[v.name], v.type, players)) for v in claim.variables)


def _tell(claim: Claim, smallest: Case, name: str, line: SurveyLine) -> str:
    """A sentence about one variable, such as `l: with k = 3, s = (2, 2, 4), of 4..10, only 4 fails.`."""
    others = ", ".join(f"{n} = {value}" for n, value in _written(claim, smallest) if n != name)
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
    """What is so at the other values."""
    if not line.unmet:
        return "; the others hold" if len(line.holds) > 1 else "; the other holds"
    if not line.holds:
        verb = "others do" if len(line.unmet) > 1 else "other does"
        return f"; the {verb} not satisfy the hypotheses"
    held = _list_values(claim, name, line.holds) or "some"
    return f"; {held} {'holds' if len(line.holds) == 1 else 'hold'}, and the rest do not satisfy the hypotheses"


def _list_values(claim: Claim, name: str, values: list[CaseValue]) -> str:
    """Integers as stretches: `1..3, 7`; "" for too many of them, and for what is no integer."""
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
