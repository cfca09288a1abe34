"""The referee's review of an answer: the counterexample, witnesses, and a sample of the cases that passed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from checks.judgement.explain import explain, explain_fault, explain_limit, players_of
from checks.judgement.misplay import find_misplay_in
from checks.judgement.scopes import fit_scope, limits_of, write_options
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
# What the referee finds of a route's answer: the cases it shows, judged again, and a sample of those it passed.
#
# Findings carry the words for the report; the verdict is drawn from them by `checks.judgement.conclusion` alone.
REPLAY_STEPS = 100_000_000  # for one counterexample or witness: about half a minute, and no more than the budget
PROOF_STEPS = 20_000_000  # for the case at which an obligation fails, which seldom decides
TABLE_STEPS, SAMPLE_TABLE_STEPS = 20_000_000, 2_000_000  # for a table of values; the same, where only a sample needs it
SAMPLE_STEPS = 400_000  # for the whole sample of one claim: well under a second
AUDIT_STEPS, AUDIT_TOTAL = 100_000, 2_000_000  # for one case of what machine code found, and for all of them
FITTING_CASES, FITTING_POSITIONS = 20_000_000, 1_000_000  # a scope that is suggested in place of one too large

NEEDED = "a value wherever the hypotheses hold: say in `if` what it needs, or let the scope leave the case out"
NEEDED_BY_PROOF = "a value wherever the hypotheses hold, also beyond the scope: say in `if` what it needs"


@dataclass(frozen=True)
class RefereeReview:
    """`replays`, `confirmed`, `differs` as in `Evidence`; the others as in `results.model.Finding`, if any."""

    replays: tuple[tuple[Judgement, Judgement], ...] = ()
    confirmed: int = 0
    differs: bool = False
    counterexample: Counterexample | None = None
    error: str = ""
    not_established: str = ""
    sampled: int = 0

    @property
    def rechecked(self) -> int:
        """How many cases the referee evaluated again and confirmed."""
        return self.confirmed + sum(said == found for said, found in self.replays)


def examine(claim: Claim, scope: Scope, answer: RouteResult) -> RefereeReview:
    """The finding on the exhaustive route's answer."""
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
    """Raises WrongTable."""
    sums = Trust.SPRAGUE_GRUNDY in answer.trusted  # what the route says it takes on trust, the referee does too
    if answer.ill_defined is not None:
        return _replay(RefereeReview(), claim, answer.ill_defined, Judgement.ILL_DEFINED, sums, tables)
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
        open_ = "" if is_complete(claim, scope) else "whether a witness exists outside the scope; it has none"
        return replace(found, not_established=open_)
    if answer.decision is Decision.FAILS:
        assert answer.counterexample is not None
        case, smallest = answer.counterexample, answer.smallest
        return _replay(found, claim, case, Judgement.FAILS, sums, tables, smallest=smallest)
    if answer.cases_with_hypotheses == 0:
        reason = _say_no_case(claim) if answer.cases == 0 else "the hypotheses hold at no case of the scope"
        return replace(found, not_established=f"anything: {reason}")
    return found


def _say_no_case(claim: Claim) -> str:
    """Why a scope is empty, where the rules may have forbidden each of its heaps."""
    shapes = [(game.ruleset, game.ruleset.heap) for game in claim.games]
    strict = [ruleset.source.place(("heap", "where")) for ruleset, shape in shapes if shape is not None and shape.where]
    hint = f"; `where` of [heap] may forbid each of its heaps: {strict[0]}" if strict else ""
    return f"the scope has no case{hint}"


def _propose(_: Setting, game: RefereeGame, greatest: Position) -> tuple[frozenset[Position], ...] | None:
    """The positions that the engines find lost, of those below one."""
    from encoders.compute.arrays.beyond_scope import list_losing

    return list_losing(game.ruleset, game.parameters, greatest)


def examine_other(claim: Claim, found: RefereeReview, searches: tuple[RouteResult, ...]) -> RefereeReview:
    """The finding, and what the referee says of the case that another route for the same scope shows."""
    first, other = searches
    alone = first.decision is Decision.UNKNOWN and not found.replays
    match other.decision:
        case Decision.FAILS:
            case, said = other.counterexample, Judgement.FAILS
        case Decision.HOLDS:
            case, said = other.witness, Judgement.HOLDS
        case _:
            open_ = f"{found.not_established}; nor does another route settle it: {other.detail}"
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
    """The finding with the case that a failed proof shows, if the claim is false or ill-defined there."""
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
    """The finding; it differs where the tables on which a proof rests are wrong by the referee's own reading of moves.

    What he cannot read, or verify within his steps, he says nothing of.
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
    """Whether the scope is everything: no variable without bound, none cut."""
    return is_everything(limits_of(claim, scope))


def name_players(claim: Claim, case: Case) -> NamedValues:
    """A case with its players by name."""
    players = players_of(claim)
    kinds = {v.name: v.type for v in claim.variables}
    return tuple(
        (n, players[v] if kinds[n] == PLAYER and players and isinstance(v, int) else v) for n, v in case.items()
    )


def judge_case(
    claim: Claim, case: Case, sums: bool, steps: int = REPLAY_STEPS, *, tables: HeapTables | None = None
) -> tuple[Judgement, str]:
    """The referee's judgement of a case; and, where it is ill-defined or too large, what is, in words.

    Raises WrongTable.
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
    """The finding with the referee's judgement of a case of which a route says `said`."""
    tables = tables.add_proposals(_propose)  # only a case that decides is worth the search
    judgement, fault = judge_case(claim, case, sums, tables=tables)
    found = replace(found, replays=((said, judgement),))
    if judgement is Judgement.TOO_LARGE:
        open_ = f"{case} was found, too large for the referee to replay ({fault})"
        if said is Judgement.ILL_DEFINED:  # the route cannot tell a case without a value from one past a limit
            open_ = explain_limit(claim, case, fault)
        return replace(found, not_established=f"anything: {open_}")
    if judgement is not said:
        words = _words(judgement, fault)
        if said is Judgement.ILL_DEFINED:
            return replace(found, error=f"the {route} route finds no value at {case}, the referee finds: {words}")
        return replace(found, error=f"at {case} the {route} route says: {said}; the referee says: {words}")
    if said is Judgement.ILL_DEFINED:
        place, needed = locate_fault(claim, case, sums, tables), NEEDED if smallest else NEEDED_BY_PROOF
        return replace(found, error=str(ClaimError(place, explain_fault(claim, case, fault), needed)))
    if said is Judgement.FAILS and claim.quantifier != "exists":
        why = explain(claim, case, sums, tables)
        return replace(found, counterexample=Counterexample(name_players(claim, case), True, smallest, why))
    return found


def locate_fault(claim: Claim, case: Case, sums: bool, tables: HeapTables) -> SourceLocation:
    """The text of the part of the claim that has no value at a case: of its hypotheses, or else of its conclusion."""
    keys = ("claim", "then")
    if claim.hypothesis is not None:
        try:
            Referee(claim, REPLAY_STEPS, sums, tables).evaluate(claim.hypothesis, case)
        except (IllDefined, LimitReached):
            keys = ("claim", "if")
    return claim.source.place(keys)


def _recheck(claim: Claim, answer: RouteResult, sums: bool, tables: HeapTables) -> tuple[int, str]:
    """How many sampled cases the referee confirms, and the first disagreement, in words."""
    referee = Referee(claim, SAMPLE_STEPS, sums, tables)
    confirmed = 0
    for case, expected in sorted(answer.sample, key=lambda x: _size(x[0])):
        judgement, fault = _judge(referee, case)
        if judgement is Judgement.TOO_LARGE:
            break  # the larger ones cost more still
        if judgement is not expected:
            words = _words(judgement, fault)
            return confirmed, f"at {case} the exhaustive route says: {expected}; the referee says: {words}"
        confirmed += 1
    if not claim.variables and answer.sample and not confirmed and answer.decision is Decision.HOLDS:
        case, expected = answer.sample[0]  # a single computation deserves the full effort
        judgement, fault = judge_case(claim, case, sums, tables=tables)
        if judgement is Judgement.TOO_LARGE:
            return 0, ""
        if judgement is not expected:
            return 0, f"the exhaustive route says: {expected}; the referee says: {_words(judgement, fault)}"
        confirmed = 1
    return confirmed, ""


def _audit(claim: Claim, answer: RouteResult, sums: bool, tables: HeapTables) -> tuple[int, str]:
    """How many sampled cases of machine code the referee confirms, and the first disagreement, in words.

    They come in the order of cases: what the referee learns of small positions helps with larger ones.  A case that
    takes more than AUDIT_STEPS is skipped, and so are the others once AUDIT_TOTAL steps are used up.
    """
    referee, left, confirmed = Referee(claim, AUDIT_STEPS, sums, tables), AUDIT_TOTAL, 0
    for case, expected in answer.sample:
        referee.steps.left = given = min(AUDIT_STEPS, left)
        judgement, fault = _judge(referee, case)
        left -= given - max(referee.steps.left, 0)
        if judgement is Judgement.TOO_LARGE:
            continue
        if judgement is not expected:
            engines = ", ".join(answer.engines.names)
            return confirmed, f"at {case} {engines} says: {expected}; the referee says: {_words(judgement, fault)}"
        confirmed += 1
    return confirmed, ""


def _size(case: Case) -> int:
    return sum(sum(list_integers(v)) if isinstance(v, tuple) else abs(v) for v in case.values())


def _unknown(claim: Claim, scope: Scope, answer: RouteResult) -> str:
    """What an answer that met a limit leaves open: what lies beyond the box that it covered, if it covered any."""
    if answer.searched_scope is not None and answer.cases_with_hypotheses:
        within = scope_phrase(limits_of(claim, answer.searched_scope))
        sought = "witness" if claim.quantifier == "exists" else "counterexample"
        fits = write_options(scope, answer.searched_scope)
        found = f"anything beyond {within}, in which there is no {sought}: {answer.detail}"
        return found + (f"; this fits: {fits}" if fits else "")
    hint = fit_scope(scope, FITTING_CASES, FITTING_POSITIONS) if answer.too_large else ""
    return f"anything: {answer.detail}" + (f"; this would fit: {hint}" if hint else "")


# == heaps_again ======================================================================================================
# Tables of single heaps for a case that is judged again without the run that had them; the referee verifies each.
MOST = 1_000_000  # heaps of a table
R = TypeVar("R")


class MadeWrong(NimChecksError):
    """A table that was made again and that the referee finds wrong, in words."""


def judge_by_tables(claim: Claim, case: Case, sums: bool, steps: int) -> tuple[Judgement, str]:
    """As `judge_case`, with tables of the heaps that are too large to be played. Raises MadeWrong."""
    try:
        return judge_case(claim, case, sums, steps, tables=tabulate_again(claim, case))
    except WrongTable as wrong:
        raise MadeWrong(f"a table of single heaps is wrong: {wrong}") from None


def tabulate_again(claim: Claim, case: Case) -> HeapTables:
    """Tables that are made when the referee asks for one, of twice as many heaps as the largest number of the case."""
    largest = max((abs(x) for value in case.values() for x in list_integers(value)), default=0)
    size = min(2 * largest + 64, MOST)
    return HeapTables(
        _Asked(claim, "grundy", size, lambda rows: rows[0]), _Asked(claim, "value", size, list), TABLE_STEPS
    )


class _Asked(Mapping[Setting, Sequence[R]]):
    """The tables of a claim's games by their parameters, none of them before it is asked for."""

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
    """The term of a number, or of a list or set of numbers."""
    if isinstance(value, int):
        return t.Literal(kind, 0, 0, value)
    assert isinstance(value, tuple) and kind.element is not None
    return t.Collection(kind, 0, 0, tuple(_write_down(x, kind.element) for x in value))
