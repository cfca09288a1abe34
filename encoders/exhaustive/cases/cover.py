"""A claim settled within a scope, slab by slab, and the answer that comes of it, whole or in part."""

from __future__ import annotations

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.answer import Answer, Decision
from encoders.coverage import count_cases
from encoders.exhaustive.arrays.limits import Clock, OutOfTime, TooLarge, group_digits
from encoders.exhaustive.boxes.plan import applies
from encoders.exhaustive.boxes.search import BoxSearch
from encoders.exhaustive.boxes.terms.numbers import NotApplicable
from encoders.exhaustive.cases.search import Search
from encoders.exhaustive.cases.slabs import clip, grow, intersect
from encoders.exhaustive.cases.tally import Tally

NAME = "exhaustive"


class Cover:
    """One claim, one scope. `covered`: the largest slab that was looked at in full, if any was."""

    def __init__(self, claim: Claim, scope: d.Scope, clock: Clock) -> None:
        self.claim, self.scope, self.clock = claim, scope, clock
        self.tally = Tally()
        self.covered: d.Scope | None = None
        self._try_bits = True

    def run(self) -> Answer:
        """The answer for the scope; UNKNOWN where a limit was met. Raises BadRuleset, IllDefinedDomain, Unsupported."""
        try:
            self._look_everywhere()
        except OutOfTime:
            return self._report_unfinished("out of time")
        except TooLarge as error:
            return self._report_unfinished(f"too large: {error}", too_large=True)
        except MemoryError:
            return self._report_unfinished(f"out of memory in the route {NAME}")
        return self._report()

    def _look_everywhere(self) -> None:
        slabs = grow(self.claim, self.scope)
        for slab in slabs:
            self._search(slab, self.covered)
            self.covered = slab
            if self.tally.best is not None:
                break
        if self.tally.best is None or self.covered is None or self.covered is slabs[-1]:
            return
        # What was found is the smallest of its slab.  In the rest of the scope only smaller cases matter.
        for rest in clip(self.claim, self.scope, self.tally.best.case):
            known = intersect(rest, self.covered)
            if known != rest:
                self._search(rest, known)

    def _search(self, scope: d.Scope, earlier: d.Scope | None) -> None:
        if not self._search_bits(scope, earlier):
            Search(self.claim, scope, self.clock, self.tally, earlier).run()

    def _search_bits(self, scope: d.Scope, earlier: d.Scope | None) -> bool:
        """Look at the cases as bits, if these serve; once they do not, they are not tried again."""
        plan = applies(self.claim, scope) if self._try_bits else None
        if plan is None:
            return False
        try:
            BoxSearch(self.claim, scope, plan, self.clock, self.tally, earlier).run()
        except NotApplicable:
            self._try_bits = False
        return self._try_bits

    # -- what came of it ----------------------------------------------------------------------------------------------
    def _report(self) -> Answer:
        tally, exists = self.tally, self.claim.quantifier == "exists"
        best, witness = tally.best, tally.witness
        decided = Decision.HOLDS if exists == (best is not None) else Decision.FAILS
        if best is not None and best.ill:
            decided = Decision.UNKNOWN
        case = best.case if best is not None else None
        if exists:
            shown = case if decided is Decision.HOLDS else None
        else:
            shown = witness.case if witness else None
        return Answer(
            NAME,
            decided,
            tally.cases,
            tally.met,
            counterexample=case if decided is Decision.FAILS else None,
            ill_defined=case if decided is Decision.UNKNOWN else None,
            witness=shown,
            sample=tally.sample.take(),
            trusted=frozenset(tally.trusted),
            engines=tuple(sorted(tally.engines)),
            tables=tally.tables,
        )

    def _report_unfinished(self, limit: str, too_large: bool = False) -> Answer:
        """What was found when a limit was met, in words; the slabs that were covered are told by `covered`."""
        tally, exists = self.tally, self.claim.quantifier == "exists"
        detail = limit
        if not too_large:
            whole = group_digits(max(count_cases(self.scope), tally.cases))
            detail += f" after {group_digits(tally.cases)} of about {whole} cases"
        if tally.best is not None:
            kind = "an ill-defined case" if tally.best.ill else "a witness" if exists else "a counterexample"
            detail += f"; {kind} was found, but smaller ones may exist: {tally.best.case}"
        elif tally.cases and self.covered is None:
            detail += ", without a witness" if exists else ", without a counterexample"
        return Answer(
            NAME,
            Decision.UNKNOWN,
            tally.cases,
            tally.met,
            detail=detail,
            too_large=too_large,
            trusted=frozenset(tally.trusted),
            covered=self.covered if tally.best is None else None,
            engines=tuple(sorted(tally.engines)),
        )
