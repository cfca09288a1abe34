"""The result model: what a run found out, as frozen data. Reports are pure functions of a `RunResult`.

Values inside are plain: int, bool, str, fractions as strings, positions as tuples of heap sizes in ascending order,
sets as tuples, players by name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from checks.judgement.conclusion import Evidence
from checks.results.verdicts import Verdict
from claims.language.statement.domains import Range
from encoders.answer import ClosedForm, Decision, Obligation
from encoders.coverage import All, Below, Coverage, Limits, is_everything

Values = tuple[tuple[str, Any], ...]  # (variable, value) in the order declared


@dataclass(frozen=True)
class Line:
    """One line of an explanation; deeper lines belong to the last shallower one."""

    text: str
    depth: int = 0


@dataclass(frozen=True)
class Counterexample:
    """The case at which a claim fails. `replayed`: the referee found it false too, from the rules alone."""

    variables: Values
    replayed: bool
    smallest: bool
    explanation: tuple[Line, ...]


@dataclass(frozen=True)
class Route:
    """One encoder's attempt. `scope` as in `ClaimResult.scope`.

    `below`: as in `encoders.answer.Answer`.
    """

    encoder: str
    answer: Decision
    scope: Limits
    cases: int
    seconds: float
    detail: str
    below: int | None = None


@dataclass(frozen=True)
class MutantResult:
    """One mutant of a claim that holds, tried at the claim's scope.

    `outcome`: killed; survived; weaker (it survived, but it says less than the claim); undecided (a limit was met).
    `description` names the change; `detail` says where the mutant was refuted, or what limit was met.
    """

    kind: str
    description: str
    outcome: str
    detail: str


@dataclass(frozen=True)
class ClaimResult:
    """Everything a report says of one claim.

    `scope`: what the verdict covers, per variable; empty for a plain computation.
    `domains`: (variable, domain as written).  `formal`: (label, text) of the formal statement: "if", "then", and the
    definitions used.  `rechecked`: how many cases the referee evaluated again and confirmed.  `trusted`: theorems and
    rules taken on trust, by name.  `error`: the full text of an error verdict.  `file`: the claim file's name.
    `mutants`: None where none were tried.  `repairs`: the id of the claim in place of which this one is stated, or "".
    `evidence`: what the verdict was drawn from.  `digest`: of all that the claim rests on, as it was read to settle it.
    `closed_form`: of a claim that holds and states a formula for the values of single heaps.
    """

    id: str
    title: str
    work: str
    locator: str
    role: str
    uses: tuple[str, ...]
    verdict: Verdict
    expected: str | None
    as_expected: bool | None
    scope: Limits
    cases: int
    cases_with_hypotheses: int
    not_established: str
    counterexample: Counterexample | None
    witness: Values | None
    routes: tuple[Route, ...]
    seconds: float
    statement: str = ""
    notes: str = ""
    quantifier: str = ""
    domains: tuple[tuple[str, str], ...] = ()
    games: tuple[tuple[str, str], ...] = ()
    formal: tuple[tuple[str, str], ...] = ()
    trusted: tuple[str, ...] = ()
    rechecked: int = 0
    error: str = ""
    file: str = ""
    obligations: tuple[Obligation, ...] = ()
    mutants: tuple[MutantResult, ...] | None = None
    repairs: str = ""
    closed_form: ClosedForm | None = None
    evidence: Evidence | None = None
    digest: str = ""


@dataclass(frozen=True)
class Work:
    """An entry of the bibliography."""

    key: str
    title: str
    authors: str
    year: str
    source: str


@dataclass(frozen=True)
class RunResult:
    """One run: its claims in the order of the library. `interrupted`: stopped by Ctrl-C."""

    version: str
    profile: str
    claims: tuple[ClaimResult, ...]
    works: tuple[Work, ...] = ()
    seconds: float = 0.0
    interrupted: bool = False
    command: str = ""
    overrides: tuple[tuple[str, str], ...] = field(default=())


def verdict_phrase(result: ClaimResult) -> str:
    """The verdict with its scope, as it is printed everywhere.

    Examples: `verified (k 1..6, l 2..9, s: at most 4 heaps of 1..10; 45 045 cases)`,
    `refuted at k = 3, l = 4, s = (2, 2, 4) (smallest in k 1..6, ...; 45 045 cases)`.
    """
    word = result.verdict.value
    if result.verdict is Verdict.ERROR:
        return word
    if result.counterexample is not None and result.counterexample.variables:
        scope, at = scope_phrase(result.scope), values_phrase(result.counterexample.variables)
        smallest = f" (smallest in {scope})" if scope and result.counterexample.smallest else ""
        return f"{word} at {at}{smallest}"
    if result.verdict is Verdict.PROVED and result.quantifier == "exists" and result.witness is not None:
        return f"{word} (by the witness {values_phrase(result.witness)})"
    parts = scope_phrase(result.scope)
    if result.verdict is Verdict.PROVED and result.obligations:
        values = "all values" if is_everything(result.scope) else parts
        return f"{word} ({values})"
    if result.verdict is Verdict.PROVED and is_everything(result.scope):
        parts = "every case" if result.scope else "a finite computation"
    if result.verdict is Verdict.VERIFIED and not result.scope:
        parts = "scope not given"
    cases = f"{result.cases:,}".replace(",", " ") + (" case" if result.cases == 1 else " cases")
    inside = "; ".join(p for p in (parts, cases if result.scope else "") if p)
    return f"{word} ({inside})" if inside else word


def period_phrase(form: ClosedForm) -> str:
    """`period 2 * k, preperiod 0, saltus k`: value(x + 2k) = value(x) + k for every heap x."""
    return f"period {form.period}, preperiod 0, saltus {form.saltus}"


def mutants_phrase(mutants: tuple[MutantResult, ...]) -> str:
    """How many of the mutants the scope kills: `scope kills 14 of 15 mutants; 3 more say less than the claim`."""
    count = {o: sum(m.outcome == o for m in mutants) for o in ("killed", "survived", "weaker", "undecided")}
    total = len(mutants) - count["weaker"]
    parts = [f"scope kills {count['killed']} of {total} mutant{'s' * (total != 1)}"]
    if count["undecided"]:
        parts.append(f"{count['undecided']} undecided")
    if count["weaker"]:
        parts.append(f"{count['weaker']} more say{'s' * (count['weaker'] == 1)} less than the claim")
    return "; ".join(parts)


def survivors(mutants: tuple[MutantResult, ...]) -> tuple[str, ...]:
    """A line for each mutant that the scope does not tell from the claim: `survived: then: x > 2  (was 3)`."""
    return tuple(_survivor(m) for m in mutants if m.outcome in ("survived", "undecided"))


def _survivor(mutant: MutantResult) -> str:
    if mutant.kind == "hypothesis" and mutant.outcome == "survived":
        return f"possibly unnecessary: {mutant.description}"
    return f"{mutant.outcome}: {mutant.description}" + (f" ({mutant.detail})" if mutant.detail else "")


def values_phrase(values: Values) -> str:
    """The values of a case: `k = 3, s = (2, 2, 4)`."""
    return ", ".join(f"{n} = ({', '.join(map(str, v))})" if isinstance(v, tuple) else f"{n} = {v}" for n, v in values)


def limit_texts(limits: Limits) -> dict[str, str]:
    """The coverages as report.json and receipts have them.

    >>> limit_texts((("k", Range(1, 9)), ("s.heaps", All()), ("s.size", Below(62))))
    {'k': '1..9', 's.heaps': 'all', 's.size': '< 2^62'}
    """
    return {name: str(coverage) for name, coverage in limits}


def scope_phrase(scope: Limits) -> str:
    """A scope in words: `k 1..6, s: 0..4 heaps of 1..10`."""
    parts, positions = [], dict[str, dict[str, Coverage]]()
    for name, bound in scope:
        variable, _, aspect = name.partition(".")
        if not aspect:
            parts.append(f"{name} {bound}")
            continue
        if variable not in positions:
            parts.append(variable)
        positions.setdefault(variable, {})[aspect] = bound
    return ", ".join(_position_phrase(p, positions[p]) if p in positions else p for p in parts)


def _position_phrase(name: str, aspects: dict[str, Coverage]) -> str:
    match aspects.get("heaps", All()):
        case All():
            many, count = True, "any number of"
        case Range(lo=lo, hi=hi) as heaps:
            many, count = hi != 1, f"at most {hi}" if lo == 0 else str(hi) if lo == hi else str(heaps)
        case Below() as heaps:
            many, count = True, str(heaps)
    match aspects.get("size", All()):
        case All():
            sizes = "of any size"
        case Range() as size:
            sizes = f"of {size}"
        case Below() as size:
            sizes = str(size)
    total = f", total {aspects['total']}" if "total" in aspects else ""
    return f"{name}: {count} heap{'s' * many} {sizes}{total}"
