"""The wording of results. All outputs use these functions for numbers, scopes, verdicts, evidence and reasons."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from checks.results.model import OPEN as OPEN_LEMMAS
from checks.results.model import (
    ClaimResult,
    Fault,
    Finding,
    Kind,
    MutantFate,
    MutantResult,
    RunResult,
    SettledLemma,
    Work,
)
from checks.results.shown import NamedValues, PlainValue, ProofRow, Step
from checks.results.verdicts import Verdict
from claims.language.files.domains import Range
from claims.language.syntax.meanings import Value, write_heap
from encoders.logic.answer import Obligation, ObligationStatus
from encoders.trust import All, Below, Classes, Coverage, Limits, is_everything

if TYPE_CHECKING:
    from encoders.logic.answer import ClosedForm


# == phrases ==========================================================================================================
# Verdicts, cases and scopes, for the screen, receipts and every report.
def verdict_phrase(result: ClaimResult) -> str:
    """Return the verdict with its scope, counterexample or witness, as every output prints it.

    Examples: `verified (k 1..6, l 2..9, s: at most 4 heaps of 1..10; 45 045 cases, hypotheses met at 1 187)`,
    `refuted at k = 3, l = 4, s = (2, 2, 4) (smallest in the scope k 1..6, ...)`.
    """
    word, found = result.verdict.value, result.finding
    if result.verdict is Verdict.ERROR:
        return word
    if found.counterexample is not None and found.counterexample.variables:
        scope, at = found.scope, ", ".join(assignments(result, found.counterexample.variables))
        smallest = f" ({_smallest_phrase(found.scope)})" if scope and found.counterexample.smallest else ""
        return f"{word} at {at}{smallest}"
    if result.verdict is Verdict.PROVED and result.statement.quantifier == "exists" and found.witness is not None:
        return f"{word} (by the witness {', '.join(assignments(result, found.witness))})"
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
    cases = count(found.cases, "case")
    if result.verdict is Verdict.VERIFIED and found.routes and not found.routes[0].answer.settles:
        cases = f"by {', '.join(found.trusted)}"  # `cases` counts only the cases before a limit was reached
    elif result.verdict.holds and has_hypotheses(result):
        every = found.cases == found.cases_with_hypotheses
        cases += f", hypotheses met at {'all' if every else number(found.cases_with_hypotheses)}"
    inside = "; ".join(p for p in (parts, cases if found.scope else "") if p)
    return f"{word} ({inside})" if inside else word


def has_hypotheses(result: ClaimResult) -> bool:
    """Return whether the claim has hypotheses (`if`)."""
    return any(label == "if" for label, _ in result.statement.formal)


def rechecked_phrase(found: Finding) -> str:
    """Return a phrase with the number of cases that the referee evaluated again.

    >>> rechecked_phrase(Finding(rechecked=1)), rechecked_phrase(Finding(rechecked=70, sampled=73))
    ('evaluated 1 case again and agreed', 'evaluated 70 of 73 sampled cases again and agreed')
    """
    if not found.sampled:
        return f"evaluated {count(found.rechecked, 'case')} again and agreed"
    confirmed = found.rechecked if found.evidence is None else found.evidence.confirmed
    if found.evidence is not None and found.evidence.differs:
        return f"agreed at {confirmed} of {found.sampled} sampled cases, and disagreed at one"
    return f"evaluated {confirmed} of {found.sampled} sampled cases again and agreed"


def period_phrase(form: ClosedForm) -> str:
    """Return `period 2 * k, preperiod 0, saltus k` if value(x + 2k) = value(x) + k for every heap x."""
    return f"period {form.period}, preperiod 0, saltus {form.saltus}"


def mutants_phrase(mutants: tuple[MutantResult, ...]) -> str:
    """Return the counts of mutants: `scope kills 14 of 15 mutants; 3 more are weaker than the claim`."""
    count = {fate: sum(m.outcome is fate for m in mutants) for fate in MutantFate}
    total = len(mutants) - count[MutantFate.WEAKER]
    parts = [f"scope kills {count[MutantFate.KILLED]} of {total} mutant{'s' * (total != 1)}"]
    if count[MutantFate.UNDECIDED]:
        parts.append(f"{count[MutantFate.UNDECIDED]} undecided")
    if count[MutantFate.WEAKER]:
        parts.append(
            f"{count[MutantFate.WEAKER]} more {'is' if count[MutantFate.WEAKER] == 1 else 'are'} weaker than the claim"
        )
    return "; ".join(parts)


def survivors(mutants: tuple[MutantResult, ...]) -> tuple[str, ...]:
    """Return a line for each mutant that survived or is undecided, such as `survived: then: x > 2`."""
    return tuple(_survivor(m) for m in mutants if m.outcome in (MutantFate.SURVIVED, MutantFate.UNDECIDED))


def _survivor(mutant: MutantResult) -> str:
    if mutant.kind == "hypothesis" and mutant.outcome is MutantFate.SURVIVED:
        return f"possibly unnecessary: {mutant.description}"
    return f"{mutant.outcome}: {mutant.description}" + (f" ({mutant.detail})" if mutant.detail else "")


def values_phrase(values: NamedValues) -> str:
    """Return the values of a case: `k = 3, s = (2, 2, 4)`."""
    return ", ".join(f"{n} = {position_phrase(v)}" if isinstance(v, tuple) else f"{n} = {v}" for n, v in values)


def position_phrase(heaps: tuple[PlainValue, ...]) -> str:
    """Return a position in parentheses: `(2, 2, 4)`, `([0, 2], [1])`."""
    return f"({', '.join(write_heap(cast(Value, heap)) for heap in heaps)})"


def limit_texts(limits: Limits) -> dict[str, str]:
    """Return the bounds of a scope as report.json and receipts store them.

    >>> limit_texts((("k", Range(1, 9)), ("s.heaps", All()), ("s.size", Below(62))))
    {'k': '1..9', 's.heaps': 'all', 's.size': '< 2^62'}
    """
    return {name: str(coverage) for name, coverage in limits}


def scope_phrase(scope: Limits) -> str:
    """Return a scope in words: `k 1..6, s: 0..4 heaps of 1..10`."""
    return ", ".join(_list_parts(scope))


def _list_parts(scope: Limits) -> list[str]:
    parts, positions = [], dict[str, dict[str, Coverage]]()
    for name, bound in scope:
        variable, _, aspect = name.partition(".")
        if not aspect:
            every = isinstance(bound, All | Classes)
            parts.append(f"{str(bound).replace('all', f'every {name}', 1)}" if every else f"{name} {bound}")
            continue
        if variable not in positions:
            parts.append(variable)
        positions.setdefault(variable, {})[aspect] = bound
    return [_position_phrase(p, positions[p]) if p in positions else p for p in parts]


def _smallest_phrase(scope: Limits) -> str:
    """Return `smallest in the scope t 1..8, all m`, or `smallest of all` if the scope has no bound."""
    if is_everything(scope):
        return "smallest of all"
    return f"smallest in the scope {', '.join(p.replace('every ', 'all ', 1) for p in _list_parts(scope))}"


def _parts_phrase(parts: dict[str, Coverage]) -> str:
    """Return the bounds of the parts of a heap: `c 1..4 numbers of 0..3, q 1..9`."""
    found: list[str] = []
    for aspect, bound in parts.items():
        name, _, which = aspect.partition(".")
        limits = str(bound.lo) if isinstance(bound, Range) and bound.lo == bound.hi else str(bound)
        found.append(f"of {limits}" if which == "each" else f"{name} {limits}{' numbers' if which else ''}")
    return ", ".join(found).replace(", of ", " of ")


def _position_phrase(name: str, aspects: dict[str, Coverage]) -> str:
    if "length" in aspects and "heaps" not in aspects:
        bounds = aspects if isinstance(aspects["each"], Range) else {"length": aspects["length"]}
        return _parts_phrase({f"{name}.{aspect}": bound for aspect, bound in bounds.items()})
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


# == open =============================================================================================================
# The cases that a result does not cover, and the lemmas that are not proved.
def describe_not_established(error: str) -> str:
    """Return the `not_established` text for an error: `anything: ` and the error's first line; "" without an error."""
    return f"anything: {error.splitlines()[0]}" if error else ""


def tell_error(result: ClaimResult, claim: ClaimResult | None) -> str:
    """Return the errors of a result as text; "" if there are none.

    `claim`: the result of the claim of which this is a variant, or None. Its errors are only counted.
    """
    found = result.finding
    if claim is None or not found.error:
        return found.error
    known = {_locate(fault) for fault in claim.finding.faults}
    own = [fault for fault in found.faults if _locate(fault) not in known]
    same = 1 if found.error == claim.finding.error and not known else len(found.faults) - len(own)
    if not same:
        return found.error
    return "\n".join([*map(str, own), f"the same {'error' if same == 1 else f'{same} errors'} as {claim.id}"])


def _locate(fault: Fault) -> tuple[str, int, int, str]:
    return fault.file, fault.line, fault.column, fault.message


def describe_open(lemmas: Iterable[SettledLemma]) -> str:
    """Return the lemmas that are not proved, each with its result, refuted lemmas first; "" if all are proved.

    >>> describe_open([SettledLemma("a", "", Verdict.VERIFIED), SettledLemma("b", "", Verdict.REFUTED)])
    'rests on b, which is refuted: nothing follows from it; rests on a, which is verified only'
    """
    open_ = [lemma for lemma in lemmas if not lemma.is_usable]
    refuted_first = sorted(open_, key=lambda lemma: lemma.verdict is not Verdict.REFUTED)
    return "; ".join(f"rests on {lemma.id}, which is {OPEN_LEMMAS[lemma.verdict].called}" for lemma in refuted_first)


def list_spare(lemmas: Iterable[SettledLemma]) -> str:
    """Return the lemmas that the proof names but does not need, or "" if it needs all of them.

    >>> list_spare([SettledLemma("nim/bouton", "", needed=False), SettledLemma("nim/misere", "")])
    'does not need the lemma nim/bouton'
    """
    spare = [lemma.id for lemma in lemmas if not lemma.needed]
    return f"does not need the lemma{'s' * (len(spare) > 1)} {', '.join(spare)}" if spare else ""


# == marks ============================================================================================================
# The outcome of each obligation of a proof.
class Fate(StrEnum):
    """The result of an obligation, in one or two words."""

    PROVED = "proved"
    FAILED = "fails"
    UNKNOWN = "not decided"
    CONTRADICTION = "disputed"
    UNTRIED = "not tried"
    """The proof stopped at an earlier obligation that was not proved."""


_FATES = {
    ObligationStatus.PROVED: Fate.PROVED,
    ObligationStatus.FAILED: Fate.FAILED,
    ObligationStatus.UNKNOWN: Fate.UNKNOWN,
    ObligationStatus.CONTRADICTION: Fate.CONTRADICTION,
}


@dataclass(frozen=True)
class ObligationMark:
    """An obligation of a proof, with its short label.

    `obligation`: the obligation with its result; None if it was not tried.
    """

    label: str
    name: str
    obligation: Obligation | None = None

    @property
    def fate(self) -> Fate:
        """The result of the obligation."""
        return Fate.UNTRIED if self.obligation is None else _FATES[self.obligation.result]

    @property
    def description(self) -> str:
        """The result with the solvers and details: `proved by Z3 and cvc5`, `fails at c = 1, g = 4, found by Z3`."""
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
        """The time, such as `0.03 s`; "" if it is less than 0.005 s, or if the obligation was not tried."""
        found = 0.0 if self.obligation is None else self.obligation.seconds
        return f"{found:.2f} s" if found >= 0.005 else ""


@dataclass(frozen=True)
class Support:
    """The evidence for the obligations of a proof.

    `certified`: the number of certified obligations.
    `trusted`: pairs (name of an obligation without a certificate, solvers that are trusted for it).
    """

    certified: int
    trusted: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def words(self) -> str:
        """A phrase such as `52 of 52 obligations certified`, or `21 of 22 ...; trusted to Z3: product of naturals`."""
        number = self.certified + len(self.trusted)
        told = f"{self.certified} of {count(number, 'obligation')} certified"
        return told + "".join(f"; trusted to {' and '.join(by)}: {name}" for name, by in self.trusted)


def find_support(result: ClaimResult) -> Support | None:
    """Return the evidence for the obligations of a claim, or None if the claim is not proved by obligations."""
    if result.verdict is not Verdict.PROVED or not result.finding.obligations:
        return None
    trusted = tuple((o.name, o.solvers) for o in result.finding.obligations if o.certificate is None)
    return Support(len(result.finding.obligations) - len(trusted), trusted)


def is_theorem(result: ClaimResult) -> bool:
    """Return whether the claim, or the negation of a refuted claim, is also proved in Coq."""
    return result.finding.theorem is result.verdict


def say_coq(result: ClaimResult) -> str:
    """Return "also proved in Coq", "also refuted in Coq", or "" if Coq has not accepted the verdict."""
    return f"also {result.verdict.value} in Coq" if is_theorem(result) else ""


def count_certified(results: Iterable[ClaimResult]) -> tuple[int, int]:
    """Return the number of certified obligations, and the number of all obligations, of the proved claims."""
    found = [x for x in map(find_support, results) if x is not None]
    certified = sum(x.certified for x in found)
    return certified, certified + sum(len(x.trusted) for x in found)


def find_marks(result: ClaimResult, steps: Iterable[Step]) -> tuple[ObligationMark, ...]:
    """Return a mark for each step, with the obligation of this name, or with None if the obligation was not tried."""
    found = {o.name: o for o in result.finding.obligations}
    return tuple(ObligationMark(step.label, step.name, found.get(step.name)) for step in steps)


def find_ground(result: ClaimResult) -> tuple[ObligationMark, ...]:
    """Return a mark for each obligation that no row of a proof table contains."""
    names = () if result.presentation.proof is None else result.presentation.proof.other_obligations
    return find_marks(result, (Step(name, name) for name in names))


def find_open(result: ClaimResult, row: ProofRow) -> ObligationMark | None:
    """Return a mark for the first obligation of a row that was tried and not proved, or None if there is none."""
    return next((m for m in find_marks(result, row.steps) if m.fate not in (Fate.PROVED, Fate.UNTRIED)), None)


def describe_proved(result: ClaimResult) -> str:
    """Return the number of proved obligations, with the solvers: `52 of 52 conditions proved, by Z3`."""
    assert result.presentation.proof is not None
    steps = [s for table in result.presentation.proof.tables for row in table.rows for s in row.steps]
    marks = (*find_marks(result, steps), *find_ground(result))
    proved = [m for m in marks if m.fate is Fate.PROVED]
    solvers = dict.fromkeys(s for m in proved if m.obligation for s in m.obligation.solvers)
    by = f", by {' and '.join(solvers)}" if solvers else ""
    return f"{len(proved)} of {count(len(marks), 'condition')} proved{by}"


# == results ==========================================================================================================
# Claims and runs: names, counts, cases, reasons and commands.
TOOL, TOOL_NAME = "checks", "nim-checks"  # the command, and the package

QUANTIFIERS = {"forall": "for all", "exists": "there exist"}


PROOFS = {
    "folds": ("invariant", "an invariant made of sums and counts over the heaps"),
    "few heaps": ("invariant", "an invariant of positions with few heaps"),
    "one heap": ("invariant", "an invariant of one heap with parts"),
    "places": ("induction", "an induction on the position, over the places of its lists"),
    "grundy": ("induction", "an induction on the heap, for Grundy values"),
    "value": ("induction", "an induction on the position, for the values of the players"),
    "periodic": ("period", "an induction on the heap, for values that repeat"),
    "quotient": ("quotient", "the misère quotient of the game"),
    "definition": ("options", "the options of the position"),
    "equal games": ("same moves", "the equality of two games"),
    "cases": ("cases", "a case distinction"),
    "arithmetic": ("arithmetic", "integer arithmetic"),
}
"""The method of proof of each rule: as one word or two, and as a phrase after "by"."""


_NUMERALS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def clip(text: str, length: int) -> str:
    """Return the text if it has at most `length` characters, else its beginning and three dots.

    >>> clip("a long text", 9), clip("short", 9)
    ('a long...', 'short')
    """
    return text if len(text) <= length else text[: length - 3].rstrip() + "..."


def capitalise(text: str) -> str:
    """Return the text with its first letter in upper case.

    >>> capitalise("fails at P1")
    'Fails at P1'
    """
    return text[:1].upper() + text[1:]


def number(value: int) -> str:
    """Return an integer with its digits in groups of three.

    >>> number(812340), number(7)
    ('812 340', '7')
    """
    return f"{value:,}".replace(",", " ")


def count(value: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> count(1, "claim"), count(2000, "case")
    ('1 claim', '2 000 cases')
    """
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"


def all_of(value: int) -> str:
    """Return "both" or "all" with a number. `value`: the number of things just named, at least two.

    >>> all_of(2), all_of(4), all_of(13)
    ('both', 'all four', 'all 13')
    """
    return "both" if value == 2 else f"all {spell(value)}"


def join_with_and(parts: Collection[str]) -> str:
    """Return the items joined by commas and "and". If an item contains a comma, they are joined by semicolons.

    >>> join_with_and(["a"]), join_with_and(["a", "b", "c"]), join_with_and(["Nim, who wins", "Theorem 2"])
    ('a', 'a, b and c', 'Nim, who wins; and Theorem 2')
    """
    items = list(parts)
    comma, last = ("; ", "; and ") if any("," in item for item in items) else (", ", " and ")
    return f"{comma.join(items[:-1])}{last}{items[-1]}" if len(items) > 1 else "".join(items)


def spell(value: int) -> str:
    """Return a small number as a word.

    >>> spell(2), spell(40)
    ('two', '40')
    """
    return _NUMERALS[value] if value < len(_NUMERALS) else number(value)


def headline(run: RunResult) -> str:
    """Return the title of the report of a run.

    >>> headline(RunResult("0.1", "quick", ())), headline(RunResult("0.1", "quick", (), title="My notes"))
    ('0 statements', 'My notes: 0 statements')
    """
    works = {claim.statement.work for claim in run.statements if claim.statement.work}
    told = count(len(run.statements), "statement") + (f" from {count(len(works), 'work')}" if works else "")
    others = [count_kind(claims, kind) for kind, claims in _list_others(run)]
    told += f", with {join_with_and(others)}" if others else ""
    return f"{run.title}: {told}" if run.title else told


def say_others(run: RunResult) -> str:
    """Return the verdicts of the claims that are not statements: `2 corrections: 2 proved; 1 guess: 1 refuted`."""
    return "; ".join(f"{count_kind(claims, kind)}: {count_verdicts(claims)}" for kind, claims in _list_others(run))


def count_verdicts(claims: Collection[ClaimResult]) -> str:
    """Return the number of claims with each verdict: `2 verified in scope, 1 refuted`."""
    found = [(v, sum(c.verdict is v for c in claims)) for v in Verdict]
    return ", ".join(f"{number(n)} {LABELS[v]}" for v, n in found if n)


def count_kind(claims: Collection[ClaimResult], kind: Kind = Kind.GUESS) -> str:
    """Return the number of claims with their kind: `8 guesses`."""
    return count(len(claims), kind.value, kind.plural)


def _list_others(run: RunResult) -> list[tuple[Kind, tuple[ClaimResult, ...]]]:
    """Return the claims of a run that are not statements, grouped by kind."""
    found = [(kind, run.list_kind(kind)) for kind in Kind if kind is not Kind.STATEMENT]
    return [(kind, claims) for kind, claims in found if claims]


def value_text(value: PlainValue, brackets: str = "[]") -> str:
    """Return a value as text. `brackets`: the pair of brackets around the outermost list, set or position.

    >>> value_text((2, 2, 4), "()"), value_text(((1, 2), ())), value_text("P1"), value_text(2**60)
    ('(2, 2, 4)', '[[1, 2], []]', 'P1', '1152921504606846976')
    """
    if isinstance(value, tuple | list):
        return brackets[0] + ", ".join(value_text(v) for v in value) + brackets[1]
    return str(value)


def assignments(result: ClaimResult, values: NamedValues) -> list[str]:
    """Return a text for each variable of a case: sets in braces, lists in brackets, positions in parentheses."""
    found, sets, lists = [], result.statement.sets, result.statement.lists
    for variable, value in values:
        if isinstance(value, tuple) and variable not in sets | lists:
            found.append(f"{variable} = {position_phrase(value)}")
        else:
            found.append(f"{variable} = {value_text(value, '{}' if variable in sets else '[]')}")
    return found


def verdict_text(result: ClaimResult) -> str:
    """Return the verdict with its scope. If a verified claim has no scope, the text states this."""
    phrase = verdict_phrase(result)
    unscoped = result.verdict is Verdict.VERIFIED and phrase == result.verdict.value
    return phrase + " (scope not given)" if unscoped else phrase


def scope_text(result: ClaimResult) -> str:
    """Return the text that follows the word of the verdict: the scope, the witness or the counterexample."""
    rest = verdict_text(result)[len(result.verdict.value) :].strip()
    return rest[1:-1] if rest.startswith("(") and rest.endswith(")") and rest.count("(") == 1 else rest


def work_name(work: Work) -> str:
    """Return the short title of a work, if it has one, or its title."""
    return work.short or work.title


def positions(result: ClaimResult) -> list[tuple[int, ...]]:
    """Return the positions in the counterexample, for pictures. Positions of heaps with parts are left out.

    Without a counterexample, return [].
    """
    found = result.finding.counterexample.variables if result.finding.counterexample is not None else ()
    return [
        tuple(h for h in value if isinstance(h, int))
        for name, value in found
        if isinstance(value, tuple)
        and name not in result.statement.sets | result.statement.lists
        and all(isinstance(h, int) for h in value)
    ]


def numbers_of(result: ClaimResult) -> list[int]:
    """Return the numbers of a counterexample in order: for k = 3, l = 4, s = (2, 2, 4) return [3, 4, 2, 2, 4]."""
    found = result.finding.counterexample.variables if result.finding.counterexample is not None else ()
    todo: list[PlainValue] = [value for _, value in reversed(found)]
    numbers = []
    while todo:
        value = todo.pop()
        if isinstance(value, tuple | list):
            todo += reversed(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            numbers.append(value)
    return numbers


def describe_games(result: ClaimResult) -> list[str]:
    """Return the title of each game of the claim, with its rules in words if the ruleset file contains them."""
    games, rules = result.statement.games, result.statement.rules
    told = rules if len(rules) == len(games) else ("",) * len(games)
    return [f"{game}: {said}" if said else game for (_, game), said in zip(games, told, strict=True)]


def expectation(result: ClaimResult) -> str:
    """Return a text with the verdict that the claim file expects, if the verdict is a different one; otherwise ""."""
    if result.finding.as_expected is not False:
        return ""
    wish = {"holds": "it to hold", "refuted": "it to be refuted", "proved": "a proof"}
    return f"but its file expects {wish.get(result.statement.expected or '', result.statement.expected)}"


def hypotheses(result: ClaimResult) -> str:
    """Return the number of cases and, if the claim has hypotheses, how many cases satisfy them, as a text."""
    found = result.finding
    cases = count(found.cases, "case")
    if not has_hypotheses(result):
        return cases
    every = found.cases == found.cases_with_hypotheses
    return f"{cases}; the hypotheses held in {'every one' if every else number(found.cases_with_hypotheses)}"


def reason(result: ClaimResult) -> str:
    """Return one line with the reason why a claim is not proved or verified; "" if it is proved or verified."""
    found = result.finding
    match result.verdict:
        case Verdict.REFUTED:
            return _refutation(result)
        case Verdict.VACUOUS:
            return (
                f"no case satisfies the hypotheses ({count(found.cases, 'case')} searched)"
                if found.cases
                else "the scope is empty"
            )
        case Verdict.ERROR:
            return _first_line(found.error) or "no reason was given"
        case Verdict.INCONCLUSIVE:
            told = [r.detail for r in found.routes if not r.answer.settles]
            told += [
                found.not_established.removeprefix("anything: "),
                f"stopped after {count(found.cases, 'case')}",
            ]
            return next(_first_line(text) for text in told if text)
        case Verdict.INCONSISTENT:
            routes = "; ".join(f"{r.encoder}: {r.answer}" for r in found.routes)
            return _first_line(found.error) or routes or "an answer could not be reproduced"
        case _:
            return ""


def _refutation(result: ClaimResult) -> str:
    found = result.finding.counterexample
    if found is None:
        searched = result.statement.quantifier == "exists"
        return f"no witness among {count(result.finding.cases, 'case')}" if searched else "the claim evaluates to false"
    if found.variables:
        return "fails at " + ", ".join(assignments(result, found.variables))
    told = [line.text for line in found.explanation if not line.text.endswith(":")]
    return _first_line(told[0]) if told else "the claim evaluates to false"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def explanation(result: ClaimResult) -> list[str]:
    """Return the explanation of a counterexample, each line indented by two spaces per level; [] if there is none."""
    found = result.finding.counterexample
    return ["  " * line.depth + line.text for line in found.explanation] if found is not None else []


def bibliography(work: Work) -> tuple[str, str]:
    """Return the two parts of a bibliography entry: the text before the title, and the text after it.

    >>> bibliography(Work("x", "On Nim", "A. Author", "1901", "Annals 3"))
    ('A. Author', '1901, Annals 3')
    >>> bibliography(Work("x", "On Nim", "", "", "a scan", venue="Annals 3", not_shown=("authors", "year")))
    ('', 'Annals 3, a scan; the source shows no authors or year')
    """
    told = ", ".join(part.rstrip(".") for part in (work.year, work.venue, work.source) if part)
    *others, last = work.not_shown or ("",)
    lacking = f"the source shows no {', '.join(others)}{' or ' if others else ''}{last}" if last else ""
    return work.authors.rstrip("."), "; ".join(part for part in (told, lacking) if part)


def say_cached(claims: Iterable[ClaimResult]) -> str:
    """Return the number of results from the cache: `130 of 130 claims from the cache`; "" if there are none."""
    found = [claim.provenance.cached for claim in claims]
    return f"{sum(found)} of {count(len(found), 'claim')} from the cache" if any(found) else ""


def say_certified(claims: Iterable[ClaimResult]) -> str:
    """Return the number of certified obligations: `1 420 of 1 581 obligations certified`; "" without obligations."""
    found, total = count_certified(claims)
    return f"{number(found)} of {count(total, 'obligation')} certified" if total else ""


def name(result: ClaimResult) -> str:
    """Return the locator of the claim in its work; without a locator, its id."""
    return result.statement.locator or result.id


def short_name(result: ClaimResult) -> str:
    """Return a short name of the claim, for a place where its work is obvious.

    A variant with a generated title or locator has the name `Variant NAME`.
    """
    if result.statement.variant_of and result.statement.made & {"title", "locator"}:
        return f"Variant {result.id.rpartition('@')[2]}"
    return result.statement.short or name(result)


def title_beside_name(result: ClaimResult) -> str:
    """Return the title of the claim. If it begins with the claim's `short_name`, return only the rest."""
    name, title = short_name(result), result.statement.title
    rest = title.removeprefix(name)
    return rest.lstrip(" :,") if rest != title and rest[:1] in (" ", ":", ",") else title


def anchor(claim: str) -> str:
    """Return the anchor of a claim in a page: its id with percent-encoding.

    >>> anchor("kl-nim/lemma-11"), anchor('a b"')
    ('kl-nim/lemma-11', 'a%20b%22')
    """
    return quote(claim, safe="/", errors="backslashreplace")


def source(result: ClaimResult, work: Work) -> str:
    """Return the work, the locator and the role of the claim, as one text."""
    stated = result.statement
    place = ", ".join(part for part in (work.title if stated.work else "", stated.locator) if part)
    role = "stated here" if stated.repairs and stated.role == "conjecture" else stated.role
    return f"{place} ({role})" if place and role else place or role


def make_command_argument(result: ClaimResult) -> str:
    """Return the argument that names the claim in a command: its id, or its path if it is outside the library."""
    own = result.statement.variant_of or result.id
    named = result.provenance.file if result.provenance.file == own + ".toml" else own
    return named + result.id.removeprefix(own)


def rerun(run: RunResult, result: ClaimResult) -> str:
    """Return the command that checks this claim again in the same scope."""
    words = ["python", "-m", "checks", "run", make_command_argument(result)]
    if run.profile != "quick":
        words += ["--scope", run.profile]
    for key, bound in run.overrides:
        words += ["--set", f"{key}={bound}"]
    return shlex.join(words)


# -- verdicts ---------------------------------------------------------------------------------------------------------
# The verdicts in reports: the word for counts, the sign, and the meaning in one sentence.


LABELS = {v: v.value for v in Verdict} | {Verdict.VERIFIED: "verified in scope"}
"""The word for a verdict in counts and filters. No scope follows there, so `verified` becomes `verified in scope`."""


MARKS = {
    Verdict.PROVED: "∎",
    Verdict.VERIFIED: "✓",
    Verdict.REFUTED: "✗",
    Verdict.VACUOUS: "∅",
    Verdict.INCONCLUSIVE: "?",
    Verdict.ERROR: "!",
    Verdict.INCONSISTENT: "≠",
}
"""The sign in front of the word of a verdict; it never replaces the word."""


MEANINGS = {
    Verdict.PROVED: "the claim holds in every case of its domains, or a witness was found",
    Verdict.VERIFIED: "the stated scope contains no counterexample; cases outside the scope are open",
    Verdict.REFUTED: "there is a counterexample, or the whole finite domain contains no witness",
    Verdict.VACUOUS: "no case of the scope meets the hypotheses, so nothing was checked",
    Verdict.INCONCLUSIVE: "a limit of time, memory or method was reached, or the run was interrupted: not settled",
    Verdict.ERROR: "the claim cannot be read or evaluated, or is undefined at the named case",
    Verdict.INCONSISTENT: "two methods disagree, or the referee cannot reproduce an answer: a bug in this tool",
}
