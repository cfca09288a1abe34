"""The entry to machine code for large scopes of heaps with parts. Small scopes do not load the generator."""

from __future__ import annotations

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from encoders.compute.arrays.cases import FoundCase, Tally, smaller
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.search import ENGINE, CaseEvaluator
from encoders.logic.answer import Fallback
from encoders.trust import Trust

FEW = 2_000  # generating machine code takes as long as evaluating this number of cases in Python
NAME = f"{ENGINE}, as machine code"


def search_as_machine_code(claim: Claim, scope: d.Scope, clock: Deadline, tally: Tally) -> bool:
    """Search the cases of a scope with machine code. Return whether the search was completed.

    If it was not, the only change of `tally` is a fallback with the reason. Raises OutOfTime.
    """
    from encoders.compute.native.pieces import NotNative
    from encoders.compute.native.search import CompiledSearch

    if claim.unusual:
        tally.fallbacks.add(Fallback(NAME, claim.unusual))
        return False
    walk = CaseEvaluator(claim, scope, clock)
    game = walk.find_only_game()
    if game is None:
        tally.fallbacks.add(Fallback(NAME, "the claim does not have exactly one game that is the same at all cases"))
        return False
    try:
        found = CompiledSearch(claim, scope, game.parameters, game.players, walk.sums).search(clock)
    except NotNative as reason:
        tally.fallbacks.add(Fallback(NAME, str(reason)))
        return False
    tally.engines.add(NAME)
    tally.cases, tally.met = tally.cases + found.cases, tally.met + found.met
    if found.decided is not None:
        tally.best = FoundCase(walk.make_key(found.decided), found.decided)
    if found.witness is not None:
        tally.witness = smaller(tally.witness, FoundCase(walk.make_key(found.witness), found.witness))
    tally.audit += found.kept
    if found.added:
        tally.trusted.add(Trust.SPRAGUE_GRUNDY)
    return True
