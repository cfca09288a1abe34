"""The words in which a result is told, wherever it is told: on the screen, in receipts and in every report."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from checks.results.model import ClaimResult, Finding, MutantFate, MutantResult
from checks.results.verdicts import Verdict
from claims.language.builtins.meanings import Value, write_heap
from claims.language.ground.errors import escape_invisible
from claims.language.statement.domains import Range
from encoders.ground.coverage import All, Below, Coverage, Limits, is_everything

if TYPE_CHECKING:
    from checks.results.values import NamedValues, PlainValue
    from encoders.answer import ClosedForm

__all__ = [
    "escape_invisible",
    "has_hypotheses",
    "limit_texts",
    "mutants_phrase",
    "period_phrase",
    "position_phrase",
    "rechecked_phrase",
    "scope_phrase",
    "survivors",
    "values_phrase",
    "verdict_phrase",
]


def verdict_phrase(result: ClaimResult) -> str:
    """The verdict with its scope, as it is printed everywhere.

    Examples: `verified (k 1..6, l 2..9, s: at most 4 heaps of 1..10; 45 045 cases, hypotheses met at 1 187)`,
    `refuted at k = 3, l = 4, s = (2, 2, 4) (smallest in k 1..6, ...; 45 045 cases)`.
    """
    word, found = result.verdict.value, result.finding
    if result.verdict is Verdict.ERROR:
        return word
    if found.counterexample is not None and found.counterexample.variables:
        scope, at = found.scope, values_phrase(found.counterexample.variables)
        smallest = f" ({_smallest_phrase(found.scope)})" if scope and found.counterexample.smallest else ""
        return f"{word} at {at}{smallest}"
    if result.verdict is Verdict.PROVED and result.statement.quantifier == "exists" and found.witness is not None:
        return f"{word} (by the witness {values_phrase(found.witness)})"
    parts = scope_phrase(found.scope)
    if result.verdict is Verdict.PROVED and found.obligations:
        values = "all values" if is_everything(found.scope) else parts
        return f"{word} ({values})"
    if result.verdict is Verdict.PROVED and is_everything(found.scope):
        parts = "every case" if found.scope else "a finite computation"
    if result.verdict is Verdict.VERIFIED and not found.scope:
        parts = "scope not given"
    covered = found.routes[0].covered if found.routes else ()
    if result.verdict is Verdict.INCONCLUSIVE and covered and found.cases_with_hypotheses:
        wanted = "witness" if result.statement.quantifier == "exists" else "counterexample"
        parts = f"no {wanted} in {scope_phrase(covered)}"
    cases = f"{found.cases:,}".replace(",", " ") + (" case" if found.cases == 1 else " cases")
    if result.verdict is Verdict.VERIFIED and found.routes and not found.routes[0].answer.settles:
        cases = f"by {', '.join(found.trusted)}"  # the cases are those that were looked at before a limit was met
    elif result.verdict.holds and has_hypotheses(result):
        every = found.cases == found.cases_with_hypotheses
        cases += f", hypotheses met at {'all' if every else f'{found.cases_with_hypotheses:,}'.replace(',', ' ')}"
    inside = "; ".join(p for p in (parts, cases if found.scope else "") if p)
    return f"{word} ({inside})" if inside else word


def has_hypotheses(result: ClaimResult) -> bool:
    """The claim has an `if`, so that a case at which it holds is worth showing."""
    return any(label == "if" for label, _ in result.statement.formal)


def rechecked_phrase(found: Finding) -> str:
    """What the referee evaluated again: `evaluated 70 of 73 sampled cases again and agreed`.

    >>> rechecked_phrase(Finding(rechecked=1)), rechecked_phrase(Finding(rechecked=70, sampled=73))
    ('evaluated 1 case again and agreed', 'evaluated 70 of 73 sampled cases again and agreed')
    """
    if not found.sampled:
        number = f"{found.rechecked:,}".replace(",", " ")
        return f"evaluated {number} case{'s' * (found.rechecked != 1)} again and agreed"
    confirmed = found.rechecked if found.evidence is None else found.evidence.confirmed
    if found.evidence is not None and found.evidence.differs:
        return f"agreed at {confirmed} of {found.sampled} sampled cases, and disagreed at one"
    return f"evaluated {confirmed} of {found.sampled} sampled cases again and agreed"


def period_phrase(form: ClosedForm) -> str:
    """`period 2 * k, preperiod 0, saltus k`: value(x + 2k) = value(x) + k for every heap x."""
    return f"period {form.period}, preperiod 0, saltus {form.saltus}"


def mutants_phrase(mutants: tuple[MutantResult, ...]) -> str:
    """How many of the mutants the scope kills: `scope kills 14 of 15 mutants; 3 more say less than the claim`."""
    count = {fate: sum(m.outcome is fate for m in mutants) for fate in MutantFate}
    total = len(mutants) - count[MutantFate.WEAKER]
    parts = [f"scope kills {count[MutantFate.KILLED]} of {total} mutant{'s' * (total != 1)}"]
    if count[MutantFate.UNDECIDED]:
        parts.append(f"{count[MutantFate.UNDECIDED]} undecided")
    if count[MutantFate.WEAKER]:
        parts.append(f"{count[MutantFate.WEAKER]} more say{'s' * (count[MutantFate.WEAKER] == 1)} less than the claim")
    return "; ".join(parts)


def survivors(mutants: tuple[MutantResult, ...]) -> tuple[str, ...]:
    """A line for each mutant that the scope does not tell from the claim: `survived: then: x > 2  (was 3)`."""
    return tuple(_survivor(m) for m in mutants if m.outcome in (MutantFate.SURVIVED, MutantFate.UNDECIDED))


def _survivor(mutant: MutantResult) -> str:
    if mutant.kind == "hypothesis" and mutant.outcome is MutantFate.SURVIVED:
        return f"possibly unnecessary: {mutant.description}"
    return f"{mutant.outcome}: {mutant.description}" + (f" ({mutant.detail})" if mutant.detail else "")


def values_phrase(values: NamedValues) -> str:
    """The values of a case: `k = 3, s = (2, 2, 4)`."""
    return ", ".join(f"{n} = {position_phrase(v)}" if isinstance(v, tuple) else f"{n} = {v}" for n, v in values)


def position_phrase(heaps: tuple[PlainValue, ...]) -> str:
    """A position: `(2, 2, 4)`, `([0, 2], [1])`."""
    return f"({', '.join(write_heap(cast(Value, heap)) for heap in heaps)})"


def limit_texts(limits: Limits) -> dict[str, str]:
    """The coverages as report.json and receipts have them.

    >>> limit_texts((("k", Range(1, 9)), ("s.heaps", All()), ("s.size", Below(62))))
    {'k': '1..9', 's.heaps': 'all', 's.size': '< 2^62'}
    """
    return {name: str(coverage) for name, coverage in limits}


def scope_phrase(scope: Limits) -> str:
    """A scope in words: `k 1..6, s: 0..4 heaps of 1..10`."""
    return ", ".join(_list_parts(scope))


def _list_parts(scope: Limits) -> list[str]:
    """The same, variable by variable."""
    parts, positions = [], dict[str, dict[str, Coverage]]()
    for name, bound in scope:
        variable, _, aspect = name.partition(".")
        if not aspect:
            parts.append(f"every {name}" if isinstance(bound, All) else f"{name} {bound}")
            continue
        if variable not in positions:
            parts.append(variable)
        positions.setdefault(variable, {})[aspect] = bound
    return [_position_phrase(p, positions[p]) if p in positions else p for p in parts]


def _smallest_phrase(scope: Limits) -> str:
    """`smallest in t 1..8, all m`; `smallest of all` where nothing is bounded."""
    if is_everything(scope):
        return "smallest of all"
    return f"smallest in {', '.join(p.replace('every ', 'all ', 1) for p in _list_parts(scope))}"


def _parts_phrase(parts: dict[str, Coverage]) -> str:
    """The parts of a heap: `c 1..4 numbers of 0..3, q 1..9`."""
    found: list[str] = []
    for aspect, bound in parts.items():
        name, _, which = aspect.partition(".")
        limits = str(bound.lo) if isinstance(bound, Range) and bound.lo == bound.hi else str(bound)
        found.append(f"of {limits}" if which == "each" else f"{name} {limits}{' numbers' if which else ''}")
    return ", ".join(found).replace(", of ", " of ")


def _position_phrase(name: str, aspects: dict[str, Coverage]) -> str:
    parts = {aspect: bound for aspect, bound in aspects.items() if aspect not in ("heaps", "size", "total")}
    match aspects.get("heaps", All()):
        case All():
            many, count = True, "any number of"
        case Range(lo=lo, hi=hi) as heaps:
            many, count = hi != 1, f"at most {hi}" if lo == 0 else str(hi) if lo == hi else str(heaps)
        case Below() as heaps:
            many, count = True, str(heaps)
    match aspects.get("size", All()):
        case _ if parts:
            sizes = f"with {_parts_phrase(parts)}"
        case All():
            sizes = "of any size"
        case Range() as size:
            sizes = f"of {size}"
        case Below() as size:
            sizes = str(size)
    total = f", total {aspects['total']}" if "total" in aspects else ""
    return f"{name}: {count} heap{'s' * many} {sizes}{total}"
