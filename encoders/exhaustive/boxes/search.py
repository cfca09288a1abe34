"""The search through the cases of one claim about a position, as bits: what `cases.search` does, for large boxes.

It finds the same: the number of cases, those at which the hypotheses hold, the smallest of each kind, a sample for the
referee.  Where a term is not known here it gives up before anything is solved, and the general search takes over.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.judgement import Judgement
from claims.language.terms.types import POSITION
from encoders.answer import Case
from encoders.exhaustive.arrays.limits import BadRuleset, Deadline, OutOfTime, TooLarge
from encoders.exhaustive.arrays.segments import list_distinct
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.boxes.bits import formulas as f
from encoders.exhaustive.boxes.bits.formulas import FALSE, TRUE, Formula, Meant, Truth
from encoders.exhaustive.boxes.bits.numbers import NotApplicable
from encoders.exhaustive.boxes.bits.words import HeapBox, count_ones, find_lowest, list_filled, unpack
from encoders.exhaustive.boxes.grounds import BoxClaim, BoxSlice, LineGround, ParameterGround, Rows, list_columns
from encoders.exhaustive.boxes.plan import BoxPlan
from encoders.exhaustive.cases.tally import SIZE, FoundCase, Order, Tally, smaller

# -- single cases -----------------------------------------------------------------------------------------------------
# Single cases out of rows of bits: the smallest in the order of cases, and some from all over.

GOLDEN = 0.618  # spreads the bits that are picked


class BoxCases:
    """The cases of one claim on a ground."""

    def __init__(self, claim: Claim, rows: Rows, ground: BoxSlice) -> None:
        self.variables, self.rows, self.ground = claim.variables, rows, ground
        self.order = Order(claim.variables, rows.evaluator.pool)

    def find_smallest(self, start: int, mask: Array, known: FoundCase | None, ill: bool = False) -> FoundCase | None:
        """The smallest case of the bits `mask` of the outer places from `start` on, if it may be before `known`.

        A row's lowest bit is its smallest case: a smaller heap beside the same rest, or an earlier row.
        """
        places = list_filled(mask)
        if known is not None:
            most = len(self._read_position(known.case))
            places = places[self.ground.count_least(places + start) <= most]
        if not len(places):
            return None
        bits = find_lowest(mask[places])
        positions = self.ground.list_heaps(places + start, bits)
        counts, totals = np.count_nonzero(positions, axis=1), positions.sum(axis=1)
        at = np.flatnonzero(counts == counts.min())
        at = at[totals[at] == totals[at].min()]
        columns = [positions[at, i] for i in range(positions.shape[1] - 1, -1, -1)]
        first = at[np.lexsort(columns)[0]]
        case = self._read(positions[first], int(bits[first]))
        return FoundCase(self.order.make_key(case), case, ill)

    def _read(self, position: Array, bit: int) -> Case:
        others = self.rows.read(self.ground.find_row(bit))
        heaps = tuple(int(h) for h in position if h)
        return {v.name: heaps if v.type == POSITION else others[v.name] for v in self.variables}

    def _read_position(self, case: Case) -> tuple[object, ...]:
        found = next(case[v.name] for v in self.variables if v.type == POSITION)
        assert isinstance(found, tuple)
        return found

    def pick(self, start: int, mask: Array, wanted: int) -> Iterator[Case]:
        """At most `wanted` of the cases of `mask`: from the first places many, from later ones few."""
        places = list_filled(mask)
        if not len(places):
            return
        ends = list_distinct(np.geomspace(1, len(places), wanted).astype(np.int64) - 1)
        for place in places[ends].tolist():
            bits = np.flatnonzero(unpack(mask[place], self.ground.bits))
            bit = bits[int((start + place) * GOLDEN % 1 * len(bits))]
            yield self._read(self.ground.list_heaps(np.array([start + place]), np.array([bit]))[0], int(bit))


# -- search -----------------------------------------------------------------------------------------------------------
MANY, FEW = 12, 2  # cases of the sample from the first places of a ground, and from others


class BoxSearch:
    """One claim, one scope, laid out as `plan` says.

    `earlier`: the part of the scope that was searched before; its cases are not looked at again.  What is found is
    added to `tally`, as it is found.

    Raises NotApplicable, and then nothing is added to the tally; TooLarge, IllDefinedDomain and OutOfTime.
    """

    def __init__(
        self,
        claim: Claim,
        scope: d.Scope,
        plan: BoxPlan,
        clock: Deadline,
        tally: Tally | None = None,
        earlier: d.Scope | None = None,
    ) -> None:
        self.claim, self.scope, self.plan, self.clock, self.earlier = claim, scope, plan, clock, earlier
        self.tally = Tally() if tally is None else tally
        self.found = Tally()
        self.exists = claim.quantifier == "exists"
        self.rows = Rows(claim, scope, clock)
        parameters = {g.name: self.rows.list_parameters(g) for g in claim.games}
        self.boxed = BoxClaim(claim, self.rows, parameters, plan.box, clock)

    def run(self) -> None:
        """Look at every case that is new."""
        try:
            for ground in self._list_grounds():
                claim = self._read_claim(ground)
                cases = BoxCases(self.claim, self.rows, ground)
                self.found.engines.add(ground.engine)
                for part in ground.list_parts():
                    self.clock.check()
                    self._look(ground, cases, part, *claim)
                ground.close()
                del ground, cases, claim
        except BadRuleset as error:  # the general search refuses it in its own words, if it is asked of it at all
            raise NotApplicable(str(error)) from None
        except (OutOfTime, TooLarge, MemoryError):
            self._hand_over()
            raise
        self._hand_over()

    def _hand_over(self) -> None:
        """Add what was found to the tally: not before it is known that the bits serve all rows."""
        tally, found = self.tally, self.found
        tally.cases, tally.met = tally.cases + found.cases, tally.met + found.met
        tally.best, tally.witness = smaller(tally.best, found.best), smaller(tally.witness, found.witness)
        tally.engines |= found.engines
        for judged in found.sample.take(8 * SIZE):
            tally.sample.keep(judged)

    def _list_grounds(self) -> Iterator[BoxSlice]:
        rows, box = self.rows, self.plan.box
        if self.plan.by_lines:
            rest = list_columns(HeapBox(box.heaps - 1, box.size))
            for row in range(len(rows)):
                yield LineGround(self.boxed, row, rest)
            return
        heaps, step = list_columns(box), 64 * self.plan.words
        for start in range(0, len(rows), step):
            yield ParameterGround(self.boxed, range(start, min(start + step, len(rows))), heaps)

    # -- one ground ---------------------------------------------------------------------------------------------------
    def _read_claim(self, ground: BoxSlice) -> tuple[Formula, Truth, Truth]:
        """Where the cases are, where the hypotheses hold, where the conclusion does."""
        meant: dict[str, Meant] = {self.plan.position: ground.meaning.position}
        for v in self.rows.variables:
            value = ground.find_variable(v.name)
            if value is not None:
                meant[v.name] = value
        hypothesis = Truth(TRUE)
        if self.claim.hypothesis is not None:
            hypothesis = ground.meaning.truth(self.claim.hypothesis, meant)
        conclusion = ground.meaning.truth(self.claim.conclusion, meant)
        return self._find_cases(ground), hypothesis, conclusion

    def _find_cases(self, ground: BoxSlice) -> Formula:
        bound = self.scope[self.plan.position]
        assert isinstance(bound, d.PositionRange)
        inside = f.both(ground.standard, ground.find_inside(bound))
        if self.earlier is None:
            return inside
        old = self.earlier[self.plan.position]
        assert isinstance(old, d.PositionRange)
        known = f.both(ground.find_inside(old), ground.mark_rows(self.rows.find_inside(self.earlier)))
        return f.both(inside, f.negate(known))

    def _look(
        self, ground: BoxSlice, cases: BoxCases, part: slice, where: Formula, hypothesis: Truth, conclusion: Truth
    ) -> None:
        known: dict[int, Array] = {}
        inside: Array
        mask: Array

        def find(formula: Formula) -> Array:
            return f.evaluate(formula, part, known)

        shape = (part.stop - part.start, ground.words)
        inside = np.broadcast_to(find(where), shape) & ground.full
        if not inside.any():
            return
        met = inside & find(hypothesis.holds)
        bad: Array = np.zeros((1, 1), dtype=np.uint64)
        if hypothesis.bad is not FALSE:
            bad = inside & find(hypothesis.bad)
            met &= ~bad
        ill, count = bad, count_ones(met)
        true = met & find(conclusion.holds) if count else met
        false = met ^ true
        if conclusion.bad is not FALSE and count:
            wrong = met & find(conclusion.bad)
            ill, true, false = ill | wrong, true & ~wrong, false & ~wrong
        found, start = self.found, part.start
        found.cases += count_ones(inside)
        found.met += count
        for mask, is_ill in ((ill, True), (true if self.exists else false, False)):
            if mask.any():
                mask = np.broadcast_to(mask, shape)
                found.best = smaller(found.best, cases.find_smallest(start, mask, found.best, is_ill))
        if count:
            found.witness = smaller(found.witness, cases.find_smallest(start, met, found.witness))
        wanted = MANY if start == 0 else FEW
        judged = [(true, Judgement.HOLDS), (inside & ~met & ~bad, Judgement.HYPOTHESES_FAIL)]
        if self.exists:
            judged.append((false, Judgement.FAILS))
        for mask, judgement in judged:
            for case in cases.pick(start, mask, wanted):
                found.sample.keep((case, judgement))
