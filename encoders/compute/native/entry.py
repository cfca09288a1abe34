"""The entry point of the search by machine code.

It imports the code generator only when a search starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value, limit_players
from claims.language.syntax.printing import find_free_names
from claims.language.syntax.terms import INT
from encoders.compute.arrays.cases import FoundCase, Tally, bound_all, smaller
from encoders.compute.arrays.evaluate import goes_case_by_case
from encoders.compute.arrays.limits import Deadline, OutOfTime, TooLarge
from encoders.compute.compound.meaning import TermCompiler, Undefined
from encoders.compute.compound.search import ENGINE, CaseEvaluator
from encoders.compute.native.pieces import Bounds, NotNative
from encoders.logic.answer import Fallback
from encoders.trust import Trust

if TYPE_CHECKING:
    from encoders.compute.native.search import CompiledSearch

FEW = 2_000  # generating machine code takes as long as evaluating this number of cases in Python
NAME = f"{ENGINE}, as machine code"


PARAMETERS = "the claim does not have exactly one game whose parameters are constants or integers of the claim"


def find_parameters(claim: Claim, scope: d.Scope, reader: TermCompiler) -> dict[str, Value | Bounds] | None:
    """Return the value of each parameter of the claim's only game, or its bounds.

    A parameter has bounds if it is an integer variable of the claim.

    Return None if the claim does not have exactly one game, or if a parameter has neither a value nor bounds.
    """
    if len(claim.games) != 1:
        return None
    ranges = bound_all(claim, scope)
    found: dict[str, Value | Bounds] = {}
    for name, term in claim.games[0].arguments:
        bound = ranges.get(term.name) if isinstance(term, t.Variable) and term.type == INT else None
        if isinstance(bound, d.Range):
            found[name] = Bounds(bound.lo, bound.hi)
        elif any(find_free_names(term)):
            return None
        else:
            try:
                found[name] = reader.read(term)({})
            except Undefined:
                return None
    return found


def refuse_machine_code(claim: Claim, scope: d.Scope, clock: Deadline) -> str:
    """Return why no machine code can be generated for a claim whose heaps are numbers; "" if it can be."""
    try:
        _generate(claim, scope, clock)
    except NotNative as reason:
        return str(reason)
    return ""


def _generate(
    claim: Claim, scope: d.Scope, clock: Deadline, earlier: d.Scope | None = None
) -> tuple[CaseEvaluator, CompiledSearch]:
    """Return the Python evaluator of a claim's cases, and the machine code that searches its scope.

    Raise NotNative if no machine code can be generated for the claim, and TooLarge if its game has too many players.
    """
    from encoders.compute.native.search import CompiledSearch

    if claim.unusual:
        raise NotNative(claim.unusual)
    walk = CaseEvaluator(claim, scope, clock)
    parameters = find_parameters(claim, scope, walk.reader)
    if parameters is None:
        raise NotNative(PARAMETERS)
    ruleset = claim.games[0].ruleset
    constants = {name: x for name, x in parameters.items() if not isinstance(x, Bounds)}
    players = len(ruleset.players) or constants.get(ruleset.player_count)
    if not isinstance(players, int):
        raise NotNative("the number of players depends on the case")
    if over := limit_players(players):
        raise TooLarge(over.replace("_", " "))
    # arrays play smaller scopes of heaps that are numbers
    sums = walk.sums or not goes_case_by_case(claim)
    return walk, CompiledSearch(claim, scope, parameters, players, sums, earlier)


def search_as_machine_code(
    claim: Claim, scope: d.Scope, clock: Deadline, tally: Tally, earlier: d.Scope | None = None
) -> bool:
    """Search the cases of a scope with machine code, and add the result to `tally`.

    Return False if machine code cannot search this scope. Then only the reason is added to `tally`, as a fallback.

    `earlier`: the bounds of the integers in cases that were searched before; these cases are skipped.

    Raises OutOfTime.
    """
    try:
        walk, search = _generate(claim, scope, clock, earlier)
        found = search.search(clock)
    except NotNative as reason:
        tally.fallbacks.add(Fallback(NAME, str(reason)))
        return False
    except OutOfTime:
        tally.engines.add(NAME)
        tally.cases, tally.met = tally.cases + search.found.cases, tally.met + search.found.met
        raise
    tally.engines.add(NAME)
    tally.cases, tally.met = tally.cases + found.cases, tally.met + found.met
    if found.decided is not None:
        tally.best = FoundCase(walk.make_key(found.decided), found.decided)
    if found.witness is not None:
        tally.witness = smaller(tally.witness, FoundCase(walk.make_key(found.witness), found.witness))
    tally.audit += found.kept
    tally.audited = True
    if found.added:
        tally.trusted.add(Trust.SPRAGUE_GRUNDY)
    return True
