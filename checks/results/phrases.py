"""The wording of results and of proof obligations, the same in every output."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, cast

from checks.results.model import ClaimResult, Finding, MutantFate, MutantResult
from checks.results.shown import ProofRow, Step
from checks.results.verdicts import Verdict
from claims.language.files.domains import Range
from claims.language.syntax.meanings import Value, write_heap
from encoders.logic.answer import Obligation, ObligationStatus
from encoders.trust import All, Below, Coverage, Limits, is_everything

if TYPE_CHECKING:
    from checks.results.shown import NamedValues, PlainValue
    from encoders.logic.answer import ClosedForm


# == phrases ==========================================================================================================
# The words in which a result is told, wherever it is told: on the screen, in receipts and in every report.
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


# == marks ============================================================================================================
# What became of each obligation of a proof, in the words in which every report tells it.
class Fate(StrEnum):
    """What became of an obligation, in a word."""

    PROVED = "proved"
    FAILED = "fails"
    UNKNOWN = "not decided"
    CONTRADICTION = "disputed"
    UNTRIED = "not tried"
    """The proof stopped before it, at the first that was not proved."""


_FATES = {
    ObligationStatus.PROVED: Fate.PROVED,
    ObligationStatus.FAILED: Fate.FAILED,
    ObligationStatus.UNKNOWN: Fate.UNKNOWN,
    ObligationStatus.CONTRADICTION: Fate.CONTRADICTION,
}


@dataclass(frozen=True)
class ObligationMark:
    """An obligation as a line shows it. `obligation`: None where it was not tried."""

    label: str
    name: str
    obligation: Obligation | None = None

    @property
    def fate(self) -> Fate:
        """What became of it: proved only if the obligation of that name is."""
        return Fate.UNTRIED if self.obligation is None else _FATES[self.obligation.result]

    @property
    def description(self) -> str:
        """What became of it and by whom: `proved by Z3 and cvc5`, `fails at c = 1, g = 4, found by Z3`."""
        if self.obligation is None:
            return self.fate.value
        by, detail = " and ".join(self.obligation.solvers), self.obligation.detail
        if self.obligation.proved:
            said = self.obligation.note
            note = f"; {said}" if said else ""
            return self.fate.value + (f" by {by}" if by else "") + note
        if detail.startswith("fails at "):
            return detail + (f", found by {by}" if by else "")
        return f"{self.fate.value}: {detail}" if detail else self.fate.value

    @property
    def seconds(self) -> str:
        """The time it took: `0.03 s`; "" where it took none, having been proved before or not tried."""
        found = 0.0 if self.obligation is None else self.obligation.seconds
        return f"{found:.2f} s" if found >= 0.005 else ""


@dataclass(frozen=True)
class Support:
    """What a proof by obligations rests on: so many are certified; with each of the others, by name, who is trusted."""

    certified: int
    trusted: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def words(self) -> str:
        """`52 of 52 obligations certified`, `21 of 22 obligations certified; trusted to Z3: product of naturals`."""
        number = self.certified + len(self.trusted)
        told = f"{self.certified} of {number} obligation{'s' * (number != 1)} certified"
        return told + "".join(f"; trusted to {' and '.join(by)}: {name}" for name, by in self.trusted)


def find_support(result: ClaimResult) -> Support | None:
    """What the proof of a claim rests on; None unless it is proved by obligations."""
    if result.verdict is not Verdict.PROVED or not result.finding.obligations:
        return None
    trusted = tuple((o.name, o.solvers) for o in result.finding.obligations if o.certificate is None)
    return Support(len(result.finding.obligations) - len(trusted), trusted)


def is_theorem(result: ClaimResult) -> bool:
    """Whether a claim that is proved is a theorem of Coq as well."""
    return result.finding.theorem and result.verdict is Verdict.PROVED


def count_certified(results: Iterable[ClaimResult]) -> tuple[int, int]:
    """How many obligations of claims that are proved by them are certified, and how many there are."""
    found = [x for x in map(find_support, results) if x is not None]
    certified = sum(x.certified for x in found)
    return certified, certified + sum(len(x.trusted) for x in found)


def find_marks(result: ClaimResult, steps: Iterable[Step]) -> tuple[ObligationMark, ...]:
    """A mark for each step, by the obligation of its name."""
    found = {o.name: o for o in result.finding.obligations}
    return tuple(ObligationMark(step.label, step.name, found.get(step.name)) for step in steps)


def find_ground(result: ClaimResult) -> tuple[ObligationMark, ...]:
    """The obligations that no line is shown by."""
    names = () if result.presentation.proof is None else result.presentation.proof.other_obligations
    return find_marks(result, (Step(name, name) for name in names))


def find_open(result: ClaimResult, row: ProofRow) -> ObligationMark | None:
    """The obligation of a line that was tried and not proved."""
    return next((m for m in find_marks(result, row.steps) if m.fate not in (Fate.PROVED, Fate.UNTRIED)), None)


def describe_proved(result: ClaimResult) -> str:
    """How many obligations were proved, and by whom: `52 of 52 obligations proved, by Z3`."""
    assert result.presentation.proof is not None
    steps = [s for table in result.presentation.proof.tables for row in table.rows for s in row.steps]
    marks = (*find_marks(result, steps), *find_ground(result))
    proved = [m for m in marks if m.fate is Fate.PROVED]
    solvers = dict.fromkeys(s for m in proved if m.obligation for s in m.obligation.solvers)
    by = f", by {' and '.join(solvers)}" if solvers else ""
    return f"{len(proved)} of {len(marks)} obligation{'s' * (len(marks) != 1)} proved{by}"
