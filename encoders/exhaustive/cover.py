"""The exhaustive route: every case of a scope, with an early stop at the smallest counterexample of all of them.

For an [exists] claim the roles are swapped: the search is for the smallest witness.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.answer import Answer, Decision
from encoders.exhaustive.arrays.limits import BadRuleset, Clock, OutOfTime, TooLarge, group_digits
from encoders.exhaustive.boxes.plan import applies
from encoders.exhaustive.cases.grid import IllDefinedDomain
from encoders.exhaustive.cases.slabs import clip, grow, intersect
from encoders.exhaustive.cases.tally import Tally
from encoders.exhaustive.engines.heaps.tables import SingleHeaps
from encoders.exhaustive.shards import Shard, ShardOutcome, cut, search
from encoders.ground.coverage import count_cases
from encoders.ground.refusals import Unsupported

# -- cover ------------------------------------------------------------------------------------------------------------
# A claim settled within a scope, slab by slab, and the answer that comes of it, whole or in part.


NAME = "exhaustive"


Rounds = Generator[tuple[Shard, ...], Sequence[ShardOutcome], Answer]
"""Shards to be searched, in any order and by anyone; then what was found in each of them; and so on to the answer."""


class Cover:
    """One claim, one scope. `covered`: the largest slab that was looked at in full, if any was."""

    def __init__(self, claim: Claim, scope: d.Scope) -> None:
        self.claim, self.scope = claim, scope
        self.tally = Tally()
        self.covered: d.Scope | None = None
        self.by_bits = applies(claim, scope) is not None

    def run(self, clock: Clock) -> Answer:
        """The answer for the scope, found here and now."""
        heaps: dict[str, SingleHeaps] = {}
        return answer_rounds(self.rounds(), lambda shards: _search_in_turn(self.claim, shards, clock, heaps))

    def rounds(self) -> Rounds:
        """The answer for the scope; UNKNOWN where a limit was met, UNSUPPORTED where the claim cannot be searched.

        It is the same whoever searches the shards, in whatever order, as long as no limit is met.
        """
        try:
            yield from self._look_everywhere()
        except OutOfTime:
            return self._report_unfinished("out of time")
        except TooLarge as error:
            return self._report_unfinished(f"too large: {error}", too_large=True)
        except MemoryError:
            return self._report_unfinished(f"out of memory in the route {NAME}")
        except (BadRuleset, IllDefinedDomain, Unsupported) as error:
            return Answer(NAME, Decision.UNSUPPORTED, detail=str(error))
        return self._report()

    def _look_everywhere(self) -> Generator[tuple[Shard, ...], Sequence[ShardOutcome], None]:
        slabs = grow(self.claim, self.scope)
        for slab in slabs:
            yield from self._search(slab, self.covered)
            self.covered = slab
            if self.tally.best is not None:
                break
        if self.tally.best is None or self.covered is None or self.covered is slabs[-1]:
            return
        # What was found is the smallest of its slab.  In the rest of the scope only smaller cases matter.
        for rest in clip(self.claim, self.scope, self.tally.best.case):
            known = intersect(rest, self.covered)
            if known != rest:
                yield from self._search(rest, known)

    def _search(
        self, scope: d.Scope, earlier: d.Scope | None
    ) -> Generator[tuple[Shard, ...], Sequence[ShardOutcome], None]:
        shards = cut(self.claim, scope, earlier, self.tally.best, self.by_bits)
        outcomes = yield shards
        for outcome in outcomes:
            self.tally.add(outcome.tally)
        stops = [outcome.stop for outcome in outcomes if outcome.stop is not None]
        if stops:
            raise stops[0]
        assert len(outcomes) == len(shards)

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
            winners=tally.winners,
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


def answer_rounds(rounds: Rounds, work: Callable[[tuple[Shard, ...]], Sequence[ShardOutcome]]) -> Answer:
    """The answer that rounds come to, if the shards of each are put to `work`."""
    shards = next(rounds)
    while True:
        try:
            shards = rounds.send(work(shards))
        except StopIteration as end:
            answer: Answer = end.value
            return answer


def _search_in_turn(
    claim: Claim, shards: tuple[Shard, ...], clock: Clock, heaps: dict[str, SingleHeaps]
) -> list[ShardOutcome]:
    """The outcomes up to the first that a limit stopped."""
    found: list[ShardOutcome] = []
    for shard in shards:
        found.append(search(claim, shard, clock, heaps))
        if found[-1].stop is not None:
            break
    return found


# -- the route --------------------------------------------------------------------------------------------------------
def settle(claim: Claim, scope: d.Scope, budget: float | None = None, clock: Clock | None = None) -> Answer:
    """Decide a claim within a scope. Never raises for a claim that is too large.

    `budget`: seconds, or None; `clock`: what tells them, if it is not to be the machine's.
    """
    started = time.monotonic()
    answer = Cover(claim, scope).run(clock or Clock(budget))
    return replace(answer, seconds=time.monotonic() - started)
