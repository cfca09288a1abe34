"""The referee's review of a route's answer: of the counterexample, the witnesses, and a sample of the other cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from checks.judgement.explain import explain, explain_fault, explain_limit, players_of, say_values
from checks.judgement.misplay import DEFINED, find_misplay_in
from checks.judgement.scopes import lies_within, limits_of, write_options
from checks.referee.given import HeapTables
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached
from checks.referee.play import RefereeGame
from checks.referee.tables import WrongTable
from checks.results.model import Counterexample
from checks.results.shown import NamedValues
from checks.results.wording import scope_phrase
from claims.language.errors import ClaimError, NimChecksError, SourceLocation
from claims.language.files.claim import Claim, Judgement
from claims.language.files.domains import Scope
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Position, Setting, Value
from claims.language.syntax.terms import PLAYER, Type
from encoders.logic.answer import Case, Decision, RouteResult, list_integers
from encoders.trust import Trust, is_everything

# == findings =========================================================================================================
# The referee reviews the answer of a route: it evaluates again the cases that the route gives, and a sample of the
# cases that passed.
#
# A review contains the texts for the report. Only `checks.judgement.conclusion` decides the verdict.
REPLAY_STEPS = 100_000_000  # for one counterexample or witness: about half a minute, less if the budget is over
PROOF_STEPS = 20_000_000  # for the case of a failed obligation, which seldom refutes the claim
TABLE_STEPS, SAMPLE_TABLE_STEPS = 20_000_000, 2_000_000  # for a table; for a table that only a sample needs
SAMPLE_STEPS = 400_000  # for the whole sample of one claim: well under a second
AUDIT_STEPS, AUDIT_TOTAL = 100_000, 2_000_000  # for one sampled case of machine code; for the whole sample

NEEDED = "a value whenever the hypotheses hold: add the missing condition to `if`, or exclude the case from the scope"
NEEDED_BY_PROOF = "a value whenever the hypotheses hold, also beyond the scope: add the missing condition to `if`"


@dataclass(frozen=True)
class RefereeReview:
    """The referee's review of the answers of the routes.

    `replays`: pairs (judgement of a route, judgement of the referee), one for each case that a route shows.
    `confirmed`: the number of sampled cases for which the referee and the exhaustive route agreed.
    `differs`: whether the referee and a route disagreed.

    The other fields: as in `checks.results.model.Finding`.
    """

    replays: tuple[tuple[Judgement, Judgement], ...] = ()
    confirmed: int = 0
    differs: bool = False
    counterexample: Counterexample | None = None
    error: str = ""
    not_established: str = ""
    sampled: int = 0

    @property
    def rechecked(self) -> int:
        """The number of cases that the referee evaluated again with the same result as the route."""
        return self.confirmed + sum(said == found for said, found in self.replays)


def examine(claim: Claim, scope: Scope, answer: RouteResult) -> RefereeReview:
    """Return the review of the answer of the exhaustive route."""
    if answer.decision is Decision.UNSUPPORTED:
        misplay = find_misplay_in(claim, scope)
        told = "" if misplay is None else f"\n{misplay}"
        return RefereeReview(error=f"{claim.source.name}: {answer.detail}{told}")
    decided = answer.counterexample or answer.ill_defined or (answer.witness and claim.quantifier == "exists")
    tables = HeapTables(answer.solved.values, answer.solved.winners, TABLE_STEPS if decided else SAMPLE_TABLE_STEPS)
    try:
        return _examine(claim, scope, answer, tables)
    except WrongTable as wrong:
        return RefereeReview(differs=True, error=f"a table of the exhaustive route is wrong: {wrong}")


def _examine(claim: Claim, scope: Scope, answer: RouteResult, tables: HeapTables) -> RefereeReview:
    """Return the review of an answer other than UNSUPPORTED. Raises WrongTable."""
    sums = Trust.SPRAGUE_GRUNDY in answer.trusted  # the referee trusts the same theorem as the route
    if answer.ill_defined is not None:
        ill = answer.ill_defined
        found = _replay(RefereeReview(), claim, ill, Judgement.ILL_DEFINED, sums, tables)
        return _name_searched(found, claim, scope, answer, ill)
    if answer.decision is Decision.UNKNOWN:
        return RefereeReview(not_established=_unknown(claim, scope, answer))
    confirmed, difference = (_audit if answer.audited else _recheck)(claim, answer, sums, tables)
    sampled = len(answer.sample) if answer.audited else 0
    found = RefereeReview(confirmed=confirmed, differs=bool(difference), error=difference, sampled=sampled)
    if difference:
        return found
    if claim.quantifier == "exists":
        if answer.decision is Decision.HOLDS:
            assert answer.witness is not None
            return _replay(found, claim, answer.witness, Judgement.HOLDS, sums, tables)
        open_ = "" if is_complete(claim, scope) else "whether a witness exists outside the scope; the scope has none"
        return replace(found, not_established=open_)
    if answer.decision is Decision.FAILS:
        assert answer.counterexample is not None
        case, smallest = answer.counterexample, answer.smallest
        found = _replay(found, claim, case, Judgement.FAILS, sums, tables, smallest=smallest)
        return _name_searched(found, claim, scope, answer, case)
    if answer.cases_with_hypotheses == 0:
        reason = _say_no_case(claim) if answer.cases == 0 else "the hypotheses hold at no case of the scope"
        return replace(found, not_established=f"anything: {reason}")
    return found


def _say_no_case(claim: Claim) -> str:
    """Return the text "the scope has no case".

    If [heap] of a ruleset has a condition `where`, the text adds its location, because it may exclude all heaps.
    """
    shapes = [(game.ruleset, game.ruleset.heap) for game in claim.games]
    strict = [ruleset.source.place(("heap", "where")) for ruleset, shape in shapes if shape is not None and shape.where]
    hint = f"; `where` of [heap] may forbid each of its heaps: {strict[0]}" if strict else ""
    return f"the scope has no case{hint}"


def _propose(_: Setting, game: RefereeGame, greatest: Position) -> tuple[frozenset[Position], ...] | None:
    """Return, for each player, the positions up to `greatest` from which this player loses as the mover.

    Return None if the engines cannot list them.
    """
    from encoders.compute.arrays.beyond_scope import list_losing

    return list_losing(game.ruleset, game.parameters, greatest)


def examine_other(claim: Claim, found: RefereeReview, searches: tuple[RouteResult, ...]) -> RefereeReview:
    """Return the review `found`, with the referee's judgement on the case that another route shows for the same scope.

    If neither route settles the claim, the review also states the reason given by the other route.

    `searches`: the answers of the exhaustive route and of the other route.
    """
    first, other = searches
    alone = first.decision is Decision.UNKNOWN and not found.replays
    match other.decision:
        case Decision.FAILS:
            case, said = other.counterexample, Judgement.FAILS
        case Decision.HOLDS:
            case, said = other.witness, Judgement.HOLDS
        case _:
            open_ = f"{found.not_established}; another route does not settle it either: {other.detail}"
            return replace(found, not_established=open_) if alone else found
    if case is None:
        return found
    after = _replay(
        RefereeReview(), claim, case, said, False, HeapTables(steps=TABLE_STEPS), other.encoder, other.smallest
    )
    if after.rechecked and not alone:
        return found
    return replace(
        after,
        replays=(*found.replays, *after.replays),
        confirmed=found.confirmed,
        differs=found.differs,
        sampled=found.sampled,
    )


def examine_proof(claim: Claim, before: RefereeReview, proof: RouteResult) -> RefereeReview:
    """Return the review `before`, extended by the case that a failed proof shows.

    The case is added only if the claim is false or undefined there.
    """
    case, sums = proof.counterexample, Trust.SPRAGUE_GRUNDY in proof.trusted
    assert case is not None
    tables = HeapTables(proof.solved.values, proof.solved.winners, TABLE_STEPS).add_proposals(_propose)
    try:
        said, _ = judge_case(claim, case, sums, PROOF_STEPS, tables=tables)
        if said not in (Judgement.FAILS, Judgement.ILL_DEFINED):
            return before
        after = _replay(RefereeReview(), claim, case, said, sums, tables, proof.encoder, False)
    except WrongTable as wrong:
        return replace(before, differs=True, error=f"a table of the route {proof.encoder} is wrong: {wrong}")
    if after.counterexample is None and not after.error:
        return before
    return replace(
        before,
        replays=(*before.replays, *after.replays),
        counterexample=after.counterexample,
        error=after.error,
        not_established=f"anything: {proof.detail}" if after.error else before.not_established,
    )


def examine_tables(claim: Claim, before: RefereeReview, proof: RouteResult) -> RefereeReview:
    """Return the review `before`, with `differs` set if a table of Grundy values or winners in the proof is wrong.

    The referee checks the tables. It skips a table that it does not support, or cannot check within its step limit.
    """
    referee = Referee(claim, SAMPLE_STEPS, Trust.SPRAGUE_GRUNDY in proof.trusted)
    tables = HeapTables(proof.solved.values, proof.solved.winners, TABLE_STEPS)
    try:
        for key in proof.solved.values:
            tables.find_values(key, referee.game(key[0], {}))
        for key in proof.solved.winners:
            tables.find_winners(key, referee.game(key[0], {}))
    except WrongTable as wrong:
        return replace(before, differs=True, error=f"a table of the route {proof.encoder} is wrong: {wrong}")
    return before


def is_complete(claim: Claim, scope: Scope) -> bool:
    """Return whether the scope contains every case of the claim."""
    return is_everything(limits_of(claim, scope))


def name_players(claim: Claim, case: Case) -> NamedValues:
    """Return the case as pairs (variable, value), with players replaced by their names."""
    players = players_of(claim)
    kinds = {v.name: v.type for v in claim.variables}
    return tuple(
        (n, players[v] if kinds[n] == PLAYER and players and isinstance(v, int) else v) for n, v in case.items()
    )


def judge_case(
    claim: Claim, case: Case, sums: bool, steps: int = REPLAY_STEPS, *, tables: HeapTables | None = None
) -> tuple[Judgement, str]:
    """Return the referee's judgement on a case, and the reason if the case is undefined or too large, otherwise "".

    Raises WrongTable if a table of single heaps is wrong.
    """
    return _judge(Referee(claim, steps, sums, tables), case)


def _judge(referee: Referee, case: Case) -> tuple[Judgement, str]:
    try:
        return Judgement(referee.judge(case)), ""
    except IllDefined as fault:
        return Judgement.ILL_DEFINED, str(fault)
    except LimitReached as limit:
        return Judgement.TOO_LARGE, str(limit)


def _words(judgement: Judgement, fault: str) -> str:
    return f"{judgement} ({fault})" if fault else judgement


def _at(claim: Claim, case: Case) -> str:
    values = say_values(claim, case)
    return f"at {values}, " if values else ""


def _replay(
    found: RefereeReview,
    claim: Claim,
    case: Case,
    said: Judgement,
    sums: bool,
    tables: HeapTables,
    route: str = "exhaustive",
    smallest: bool = True,
) -> RefereeReview:
    """Let the referee judge the case that a route shows, and return the review `found` with the result.

    `said`: the judgement of the route. The pair (`said`, judgement of the referee) replaces `found.replays`.

    The review also states the consequence: a counterexample, an error, or the reason why nothing is established.
    """
    tables = tables.add_proposals(_propose)  # proposals are expensive, so only a deciding case gets them
    referee = Referee(claim, REPLAY_STEPS, sums, tables)
    judgement, fault = _judge(referee, case)
    found = replace(found, replays=((said, judgement),))
    if judgement is Judgement.TOO_LARGE:
        values = say_values(claim, case)
        what = f"the case {values}" if values else "the claim"
        open_ = f"{what} is too large for the referee to evaluate again ({fault})"
        if said is Judgement.ILL_DEFINED:  # the route does not distinguish an undefined case from one past a limit
            open_ = explain_limit(claim, case, fault)
        return replace(found, not_established=f"anything: {open_}")
    if judgement is not said:
        words = _words(judgement, fault)
        return replace(found, error=f"{_at(claim, case)}the {route} route says: {said}; the referee says: {words}")
    if said is Judgement.ILL_DEFINED:
        place, needed = locate_fault(claim, case, sums, tables)
        needed = needed or (NEEDED if smallest else NEEDED_BY_PROOF)
        return replace(found, error=str(ClaimError(place, explain_fault(claim, case, fault), needed)))
    if said is Judgement.FAILS and claim.quantifier != "exists":
        why = explain(referee, case)
        return replace(found, counterexample=Counterexample(name_players(claim, case), True, smallest, why))
    return found


def locate_fault(claim: Claim, case: Case, sums: bool, tables: HeapTables) -> tuple[SourceLocation, str]:
    """Return the location of the expression that is undefined at a case, and what is needed there, or "".

    The expression is `score` of a move in a ruleset, or else `if` or `then` of the claim.
    """
    conditions = (("if", claim.hypothesis), ("then", claim.conclusion))
    for key, condition in conditions:
        if condition is not None:
            try:
                Referee(claim, REPLAY_STEPS, sums, tables).evaluate(condition, case)
            except IllDefined as fault:
                if fault.place is not None:
                    return fault.place, DEFINED
                return claim.source.place(("claim", key)), ""
            except LimitReached:
                return claim.source.place(("claim", key)), ""
    return claim.source.place(("claim", "then")), ""


def _recheck(claim: Claim, answer: RouteResult, sums: bool, tables: HeapTables) -> tuple[int, str]:
    """Return how many sampled cases the referee confirms, and a text about the first disagreement or "".

    The cases are evaluated in the order of size, until a limit is reached. A claim without variables has a single case,
    which may take more steps.
    """
    referee = Referee(claim, SAMPLE_STEPS, sums, tables)
    confirmed = 0
    for case, expected in sorted(answer.sample, key=lambda x: _size(x[0])):
        judgement, fault = _judge(referee, case)
        if judgement is Judgement.TOO_LARGE:
            break  # the remaining cases are at least as large
        if judgement is not expected:
            words = _words(judgement, fault)
            return confirmed, f"{_at(claim, case)}the exhaustive route says: {expected}; the referee says: {words}"
        confirmed += 1
    if not claim.variables and answer.sample and not confirmed and answer.decision is Decision.HOLDS:
        case, expected = answer.sample[0]  # a single computation deserves the full effort
        judgement, fault = judge_case(claim, case, sums, REPLAY_STEPS, tables=tables)
        if judgement is Judgement.TOO_LARGE:
            return 0, ""
        if judgement is not expected:
            return 0, f"the exhaustive route says: {expected}; the referee says: {_words(judgement, fault)}"
        confirmed = 1
    return confirmed, ""


def _audit(claim: Claim, answer: RouteResult, sums: bool, tables: HeapTables) -> tuple[int, str]:
    """Return how many sampled cases the referee confirms, and a text about the first disagreement or "".

    The sample is from a search by machine code, or with large tables of two heaps. The cases are evaluated in the order
    of size, in which the referee can reuse its results for small positions. A case that takes more than AUDIT_STEPS
    steps is skipped. After AUDIT_TOTAL steps, all further cases are skipped.
    """
    referee, left, confirmed = Referee(claim, AUDIT_STEPS, sums, tables), AUDIT_TOTAL, 0
    for case, expected in sorted(answer.sample, key=lambda x: _size(x[0])):
        referee.steps.left = given = min(AUDIT_STEPS, left)
        judgement, fault = _judge(referee, case)
        left -= given - max(referee.steps.left, 0)
        if judgement is Judgement.TOO_LARGE:
            continue
        if judgement is not expected:
            engines, words = ", ".join(answer.engines.names), _words(judgement, fault)
            return confirmed, f'{_at(claim, case)}the engine "{engines}" says: {expected}; the referee says: {words}'
        confirmed += 1
    return confirmed, ""


def _size(case: Case) -> int:
    return sum(sum(list_integers(v)) if isinstance(v, tuple) else abs(v) for v in case.values())


def _unknown(claim: Claim, scope: Scope, answer: RouteResult) -> str:
    """Return a text about the cases that a search did not settle because of a limit.

    The text names the part of the scope that was searched completely, if any.
    """
    if answer.searched_scope is not None:
        return _tell_searched(claim, scope, answer.searched_scope, answer.detail, answer.witness is not None)
    if not answer.too_large:
        return f"anything: {answer.detail}"
    if answer.cases:
        none = "" if answer.cases_with_hypotheses else "; the hypotheses hold at no case of the part that fits"
        return f"anything: {answer.detail}{none}"
    from encoders.compute.arrays.cases import bound_all, find_smallest_box  # here, because it imports numpy

    whole = bound_all(claim, scope)
    least = find_smallest_box(claim, whole)
    even = "" if least == whole else f": even {scope_phrase(limits_of(claim, least))} is too large"
    return f"anything: {answer.detail}; no smaller scope fits{even}"


def _tell_searched(claim: Claim, scope: Scope, searched: Scope, reason: str, witnessed: bool = False) -> str:
    """Return a text about a limit, with the part of the scope that was searched completely.

    The text contains the options for a run of this part, if this run settles the claim. Such a run does not settle a
    claim with [exists] without a witness.
    `reason`: the limit. `witnessed`: whether the part contains a witness.
    """
    exists = claim.quantifier == "exists"
    within, options = scope_phrase(limits_of(claim, searched)), write_options(scope, searched)
    fits = f"; this fits: {options}" if options and (witnessed or not exists) else ""
    if witnessed:
        return f"anything: {reason}{fits}"
    return f"anything beyond {within}, in which there is no {'witness' if exists else 'counterexample'}: {reason}{fits}"


def _name_searched(found: RefereeReview, claim: Claim, scope: Scope, answer: RouteResult, case: Case) -> RefereeReview:
    """Return the review of the case that a route shows.

    If the case is too large for the referee, the review names the smaller cases. The route has searched all of them,
    because its case is the smallest. `answer`: the answer of the route.
    """
    if found.replays[-1][1] is not Judgement.TOO_LARGE or not answer.smallest or claim.quantifier == "exists":
        return found
    from encoders.compute.arrays.cases import find_box_before  # here, because it imports numpy

    before, met = find_box_before(claim, scope, case), answer.witness
    if before is None or met is None or not all(lies_within(x, before.get(name)) for name, x in met.items()):
        return found
    reason = found.not_established.removeprefix("anything: ")
    return replace(found, not_established=_tell_searched(claim, scope, before, reason))


# == heaps_again ======================================================================================================
# Tables of single heaps for a case that is evaluated again after the run. The referee verifies each table.
MOST = 1_000_000  # the largest heap size in a table
R = TypeVar("R")


class MadeWrong(NimChecksError):
    """The error for a wrong table of single heaps that was computed again. The message names the wrong entry."""


def judge_by_tables(claim: Claim, case: Case, sums: bool, steps: int) -> tuple[Judgement, str]:
    """Judge a case as `judge_case` does, with newly computed tables of single heaps.

    Raises MadeWrong if a table is wrong.
    """
    try:
        return judge_case(claim, case, sums, steps, tables=tabulate_again(claim, case))
    except WrongTable as wrong:
        raise MadeWrong(f"a table of single heaps is wrong: {wrong}") from None


def tabulate_again(claim: Claim, case: Case) -> HeapTables:
    """Return tables of the Grundy values and winners of single heaps, for the games of a claim.

    A table contains the heaps up to about twice the largest number of the case, and at most up to MOST.
    """
    largest = max((abs(x) for value in case.values() for x in list_integers(value)), default=0)
    size = min(2 * largest + 64, MOST)
    return HeapTables(
        _Asked(claim, "grundy", size, lambda rows: rows[0]), _Asked(claim, "value", size, list), TABLE_STEPS
    )


class _Asked(Mapping[Setting, Sequence[R]]):
    """The tables of a claim's games, by game and parameters. A table is computed at each access and not stored."""

    def __init__(self, claim: Claim, question: str, size: int, keep: Callable[[list[list[int]]], Sequence[R]]) -> None:
        self.claim, self.question, self.size, self.keep = claim, question, size, keep

    def __getitem__(self, key: Setting) -> Sequence[R]:
        from encoders.compute.arrays.beyond_scope import HeapsAlone, NoSingleHeaps

        name, values = key
        game = self.claim.game(name)
        types = {p.name: p.type for p in game.ruleset.parameters}
        arguments = tuple((parameter, _write_down(value, types[parameter])) for parameter, value in values)
        try:
            rows = HeapsAlone(replace(game, arguments=arguments)).solve(self.question, self.size)
        except NoSingleHeaps:
            raise KeyError(key) from None
        return self.keep(rows.tolist())

    def __iter__(self) -> Iterator[Setting]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _write_down(value: Value, kind: Type) -> t.Term:
    """Return the term for a number, or for a list or set of numbers."""
    if isinstance(value, int):
        return t.Literal(kind, 0, 0, value)
    assert isinstance(value, tuple) and kind.element is not None
    return t.Collection(kind, 0, 0, tuple(_write_down(x, kind.element) for x in value))
