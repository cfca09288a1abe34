"""The search for a stronger claim, or for a condition under which a refuted claim holds.

`encoders.search.weaker` makes the claim files. This module settles each file as a run does. For some of the claims that
hold, it also searches for a proof. It checks the budget after each file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from checks.execution.found import settle_with
from checks.execution.settle import settle_by_search
from checks.presentation.hints import list_siblings, list_theorems
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from checks.results.wording import assignments, verdict_phrase
from claims.language.errors import ClaimError, SourceLocation
from claims.language.files.claim import Claim
from claims.language.files.domains import ListRange, Range, Scope
from encoders.compute.arrays.limits import Deadline, OutOfTime
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported
from encoders.search.find import SearchProgress, SearchStage
from encoders.search.formulas import Tell
from encoders.search.proofs import Nearby, find_proof, proof_of, put_into
from encoders.search.weaker import Changed, add_condition, begin, list_conditions, list_stronger, spell_heaps

MOST_CHANGES = 8  # the number of changes to one claim, one after another
MOST_PROVED = 4  # a proof is searched for under this many conditions, the weakest first
SMALL = 4  # in the first test of a condition: the number of heaps, and the range of an integer above its least value
SHARE = 4  # the search for one proof gets a quarter of the remaining time
SECONDS = 30.0  # CPU time for the scope of one claim


@dataclass(frozen=True)
class Tried:
    """A change, and the verdict on the changed claim.

    `words`: the change in words. `detail`: the counterexample, or "".
    `met`: the number of cases in which the hypotheses hold.
    """

    words: str
    verdict: Verdict
    detail: str
    met: int = 0


@dataclass
class Weakened:
    """The state of the search. It is updated during the search, so that an interrupted search keeps its results.

    `text`: the file of the last claim that was proved or, without one, of a claim that holds in its scope.
    `changes`: the changes that lead to `text`.
    `result`: the result of `text`.
    `tried`: all changes.
    `stopped`: the reason why the search ended early, or "".
    """

    changes: list[str] = field(default_factory=list)
    text: str = ""
    result: ClaimResult | None = None
    tried: list[Tried] = field(default_factory=list)
    stopped: str = ""

    @property
    def proved(self) -> bool:
        return self.result is not None and self.result.verdict is Verdict.PROVED


def weaken(claim: Claim, path: Path, at: Path, clock: Deadline, tell: Tell, found: Weakened) -> None:
    """Search for claims near the claim of the file at `path`, and record them in `found`.

    If the claim holds, search for stronger claims. If the claim is refuted, search for the weakest condition under
    which it holds.
    `at`: the path at which the new files would be stored. It determines which rulesets they use.
    Raises ClaimError if the claim would use other rulesets or definitions at `at`. Raises Unsupported if the claim
    neither holds nor is refuted.
    """
    search = _WeakeningSearch(path, at, clock, tell, found)
    start = search.read(Changed("", begin(claim, claim.id)))
    _check_same(claim, start, at)
    first = search.settle(start)
    tell(f"the claim itself: {verdict_phrase(first)}")
    try:
        if first.verdict is Verdict.REFUTED:
            search.restrict(start)
        elif first.verdict.holds:
            search.generalise(start)
        else:
            raise Unsupported(f"the claim neither holds nor is refuted; the verdict is {verdict_phrase(first)}")
    except OutOfTime:
        found.stopped = "the budget ran out"


def _check_same(claim: Claim, there: Claim, at: Path) -> None:
    """Raise ClaimError if the claim would use other rulesets or definitions at the path `at`."""
    games = [[(g.name, g.ruleset.source.text) for g in x.games] for x in (claim, there)]
    if games[0] != games[1] or claim.texts != there.texts:
        raise ClaimError(
            SourceLocation(str(at)),
            "in this folder the claim would use other rulesets or definitions",
            "a file in the folder of the claim",
        )


class _WeakeningSearch:
    def __init__(self, path: Path, at: Path, clock: Deadline, tell: Tell, found: Weakened) -> None:
        self.at, self.clock, self.tell, self.found = at, clock, tell, found
        self.id = at.stem
        self.own_proof = proof_of(path.read_text("utf-8"))

    def read(self, changed: Changed) -> Claim:
        """Return the claim of a changed file. Raises ClaimError."""
        return load_claim(self.at, self.id, changed.write())

    def settle(self, claim: Claim, scope: Scope | None = None) -> ClaimResult:
        """Return the result for the claim by an exhaustive search of a scope, by default the quick one.

        Raises OutOfTime.
        """
        self.clock.check()
        return settle_by_search(claim, claim.scope("quick") if scope is None else scope, SECONDS)

    def prove(self, claim: Claim) -> tuple[str, ClaimResult] | None:
        """Return the text of a [proof] that proves the claim, with the result, or None if no [proof] was found.

        The [proof] of the original file is tried before a search.
        """
        if self.own_proof:
            try:
                result = settle_with(claim, self.at, self.own_proof)
            except (ClaimError, Unsupported):
                result = None
            if result is not None and result.verdict is Verdict.PROVED:
                return self.own_proof, result
        outcome = SearchProgress()
        nearby = Nearby(tuple(list_theorems(claim, self.at)), tuple(list_siblings(claim, self.at)))
        find_proof(claim, self.at, nearby, self._share(), lambda _: None, outcome)
        if outcome.stage is not SearchStage.PROOF:
            return None
        result = settle_with(claim, self.at, outcome.text)
        return (outcome.text, result) if result.verdict is Verdict.PROVED else None

    def _share(self) -> Deadline:
        self.clock.check()
        if self.clock.deadline is None:
            return Deadline(None, self.clock.now)
        return Deadline((self.clock.deadline - self.clock.now()) / SHARE, self.clock.now)

    def _keep(self, changed: Changed, words: list[str], proof: str, result: ClaimResult) -> None:
        text = changed.write()
        self.found.text = put_into(text, proof) if proof else text
        self.found.changes, self.found.result = list(words), result

    def _note(self, changed: Changed, result: ClaimResult, verdict: Verdict) -> None:
        at = result.finding.counterexample
        detail = f"at {', '.join(assignments(result, at.variables))}" if at is not None else ""
        self.found.tried.append(Tried(changed.words, verdict, detail, result.finding.cases_with_hypotheses))
        self.tell(f"{changed.words}: {verdict.value}{f' {detail}' if detail else ''}")

    # -- stronger claims ----------------------------------------------------------------------------------------------
    def generalise(self, claim: Claim) -> None:
        """Apply up to MOST_CHANGES changes, one after another, as long as the changed claim is proved."""
        seen, accepted = set[str](), list[str]()
        while len(accepted) < MOST_CHANGES and (stronger := self._step(claim, seen, accepted)) is not None:
            claim = stronger

    def _step(self, claim: Claim, seen: set[str], accepted: list[str]) -> Claim | None:
        """Return the claim after the first change that adds cases and leads to a proved claim, or None."""
        before = self.settle(claim).finding.cases_with_hypotheses
        for changed in list_stronger(claim):
            if changed.words in seen:
                continue
            seen.add(changed.words)
            try:
                candidate = self.read(changed)
                result = self.settle(candidate)
            except (ClaimError, Unsupported):
                continue  # the change left an invalid file, such as an incomplete definition
            if not result.verdict.holds or result.finding.cases_with_hypotheses <= before:
                self._note(changed, result, result.verdict)
                continue
            proved = self.prove(candidate)
            self._note(changed, result, Verdict.VERIFIED if proved is None else Verdict.PROVED)
            if proved is not None:
                accepted.append(changed.words)
                self._keep(changed, accepted, *proved)
                return candidate
            if self.found.result is None:
                self._keep(changed, [changed.words], "", result)
        return None

    # -- the weakest further condition --------------------------------------------------------------------------------
    def restrict(self, claim: Claim) -> None:
        """Record the claim under the weakest condition with which it holds.

        Then search for a proof under each of the weakest conditions, until one is found, and record the proved claim.
        """
        holding = sorted(self._list_holding(claim), key=_rank)
        for changed, _, result in holding[:1]:
            self._keep(changed, [changed.words], "", result)
        for changed, candidate, _ in holding[:MOST_PROVED]:
            for form in self._spell(claim, changed):
                proved = self.prove(candidate if form is changed else self.read(form))
                if proved is not None:
                    self._keep(form, [form.words], *proved)
                    self.tell(f"{form.words}: proved")
                    return

    def _spell(self, claim: Claim, changed: Changed) -> Iterator[Changed]:
        yield changed
        if changed.condition is not None and changed.condition.few is not None:
            yield spell_heaps(claim, *changed.condition.few)

    def _list_holding(self, claim: Claim) -> Iterator[tuple[Changed, Claim, ClaimResult]]:
        for condition in list_conditions(claim):
            changed = add_condition(claim, condition)
            try:
                candidate = self.read(changed)
                result = self.settle(candidate, _shrink(candidate.scope("quick")))
                if result.verdict.holds or result.verdict is Verdict.VACUOUS:
                    result = self.settle(candidate)
            except (ClaimError, Unsupported):
                continue
            self._note(changed, result, result.verdict)
            if result.verdict.holds:
                yield changed, candidate, result


def _rank(found: tuple[Changed, Claim, ClaimResult]) -> tuple[bool, int]:
    """Return the sort key of a condition: bounds are last; otherwise, conditions with more cases are first."""
    changed, _, result = found
    bounds = changed.condition is not None and changed.condition.bounds
    return bounds, -result.finding.cases_with_hypotheses


def _shrink(scope: Scope) -> Scope:
    """Return a part of a scope, with only the smallest values."""
    small: Scope = {}
    for name, bound in scope.items():
        if isinstance(bound, Range):
            small[name] = Range(bound.lo, min(bound.hi, bound.lo + SMALL))
        elif isinstance(bound, ListRange) or bound.parts:
            small[name] = bound
        else:
            heaps, size = bound.heaps, bound.size
            fewer = Range(heaps.lo, min(heaps.hi, SMALL)), Range(size.lo, min(size.hi, SMALL + 1))
            small[name] = replace(bound, heaps=fewer[0], size=fewer[1])
    return small
