"""The search for a proof whose invariant is the formula of the statement.

The replies (winning moves) are found from a table of positions. In this table, the formula states who loses. A proof is
accepted only if its obligations are proved. A counterexample to an obligation is added to the table as a further
position.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path

import numpy as np

from claims.language.errors import ClaimError
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import TooLong, find_free_names, print_term
from claims.language.syntax.terms import INT
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.compute.arrays.limits import Deadline
from encoders.logic.sequents import (
    ONE,
    ZERO,
    add,
    compare,
    conjunction,
    disjunction,
    integer,
    is_plain,
    largest,
    negation,
    nim,
    opposite,
    smallest,
    sub,
)
from encoders.refusals import Unsupported
from encoders.search.find import Posing, SearchProgress, SearchStage, attempt
from encoders.search.formulas import Tell
from encoders.search.question import variable
from encoders.search.stated_folds import find_folds_proof
from encoders.search.stated_replies import (
    CandidateMove,
    ChosenReply,
    Conditions,
    ValuedTerm,
    choose_replies,
    flatten,
    list_candidates,
    list_moduli,
    list_terms,
    write_take,
)
from encoders.search.stated_sums import find_sum_proof
from encoders.search.stated_tables import (
    Columns,
    FormulaFails,
    PositionTable,
    Truths,
    WinningPicks,
    evaluate_truth,
    list_positions,
    solve_positions,
    spread_picks,
)
from encoders.search.statement import StatedMove, Statement, read_open_statement, read_statement, read_value_statement
from encoders.search.writing import quote
from encoders.solvers.discharge import check_on_box

GUESSES = 3  # invariants that are tried for a claim without a formula
FEWEST = 20  # the fewest solved positions from which an invariant is guessed
ROUNDS = 4  # number of tables; each contains the counterexamples to the preceding proofs
ANYWHERE = 'to = "anywhere"'
AFTER = "y"  # the name of the heap after a move


def write_draft(
    statement: Statement,
    loses: tuple[t.Term, ...],
    replies: list[list[ChosenReply]],
    lemmas: Sequence[str] = (),
    stuck: Sequence[list[ChosenReply]] = (),
) -> str:
    """Return the text of a [proof] with this invariant and these replies.

    `loses`, `replies`: the condition under which a side loses, and the replies, for each side.
    `lemmas`: the lines of the lemmas, if any.
    `stuck`: for each side, moves from its lost positions in misère play.
    """
    lines = ["[proof]", f"rule = {quote(statement.rule)}"]
    lines += statement.head if statement.sorted else ()
    lines += [f"after = [{quote(AFTER)}]"] if lemmas else []
    lines += [*statement.write_losses(loses), *lemmas]
    named = [(x, False) for x in itertools.chain(*replies)] + [(x, True) for x in itertools.chain(*stuck)]
    for reply, anywhere in named:
        move = reply.candidate.move
        own = [x for x in move.lines if not x.startswith("player")]
        lines += [
            "",
            "[[proof.moves]]",
            *(x for x in move.lines if x.startswith("player")),
            *([ANYWHERE] if anywhere else []),
        ]
        when = conjunction(*reply.when)
        lines += [f"when = {quote(print_term(when))}", *own]
        lines += write_take(reply.candidate)
    return "\n".join(lines) + "\n"


def write_lemmas_on_divisors(statement: Statement, loses: tuple[t.Term, ...]) -> list[str]:
    """Return the lines of lemmas for moves that take a divisor of the only heap; [] if there is no such move.

    There is a lemma for each modulus m of the formula. It states: if the number that is taken is a multiple of m, so is
    the heap. This number is written as the heap minus the heap after the move (named AFTER).
    """
    if statement.rule != "few heaps" or len(statement.names) != 1:
        return []
    (heap,) = statement.names
    if not any(_takes_divisor(move, heap) for move in statement.moves):
        return []
    taken = f"{heap} - {AFTER}"
    moduli = {m.value for m in list_moduli(statement, list(loses)) if isinstance(m, t.Literal) and m.value > 1}
    lines: list[str] = []
    for m in sorted(moduli):
        lines += ["", f'[proof.lemmas."a multiple of a multiple of {m}"]', 'for = { u = "0..", v = "0.." }']
        lines += [f'holds = "implies(u % {m} == 0, u * v == {m} * (u // {m} * v))"']
        lines += [f'at = [{{ u = "{taken}", v = "{heap} // ({taken})" }}]']
    return lines


def _takes_divisor(move: StatedMove, heap: str) -> bool:
    """Whether the move takes a picked number that must divide the heap."""
    for x in flatten(move.legal):
        match x:
            case t.Operation(
                op="eq", args=(t.Operation(op="mod", args=(number, t.Variable(name=d))), t.Literal(value=0))
            ):
                if d in move.names and print_term(number) == heap:
                    return [print_term(y) for y in move.after] == [print_term(sub(number, variable(d)))]
    return False


def _list_invariants(statement: Statement, clock: Deadline) -> Iterator[tuple[t.Term, ...]]:
    """Yield candidates for the invariant. A candidate is a tuple with one condition for each side.

    The candidates are the formula, and the formula with a change outside the hypotheses of the claim. For a statement
    without a formula, the candidates are short conditions that agree with a solved table.
    """
    if is_plain(statement.inside, False):
        yield from _guess(statement, clock)
        return
    yield statement.loses
    if statement.value is not None or not any(True for _ in find_free_names(statement.inside)):
        return
    yield tuple(conjunction(statement.inside, x) for x in statement.loses)
    yield tuple(disjunction(opposite(statement.inside), x) for x in statement.loses)
    yield from _extend(statement, clock)


def _extend(statement: Statement, clock: Deadline) -> Iterator[tuple[t.Term, ...]]:
    """Yield an invariant that extends the formula to positions outside the hypotheses, if one is found.

    Outside the hypotheses, the invariant is a short condition that agrees with a solved table.
    """
    columns, near = list_positions(statement, np.random.default_rng(1))
    close = {name: x[:near] for name, x in columns.items()}
    solved = solve_positions(statement, close, near, clock)
    if solved is None:
        return
    lost, known = solved
    inside = evaluate_truth(statement.inside, close) & known
    for found, stated in zip(lost, statement.loses, strict=True):
        if (inside & (found != evaluate_truth(stated, close))).any():
            return  # the claim is false there
    pool = list(Conditions(PositionTable(statement, statement.loses, close, near)).values.values())
    chosen: list[t.Term] = []
    for found, stated in zip(lost, statement.loses, strict=True):
        rest = next(_describe(pool, known & ~inside, found), None)
        if rest is None:
            return
        kept = statement.inside, stated
        chosen.append(disjunction(conjunction(*kept), conjunction(negation(statement.inside), rest)))
    yield tuple(chosen)


def _describe(pool: list[tuple[t.Term, Truths]], rows: Truths, wanted: Truths) -> Iterator[t.Term]:
    """Yield conditions that have the wanted truth values at some positions of a table.

    `pool`: conditions with their truth values at each position. A result is one of them, or two of them joined by `and`
    or `or`.
    `rows`: for each position, whether the truth value of the result must be the one in `wanted`.
    """
    for x, own in pool:
        if (own == wanted)[rows].all():
            yield x
    for join, wide in ((conjunction, True), (disjunction, False)):
        fitting = [(x, own) for x, own in pool if not ((wanted & ~own) if wide else (own & ~wanted))[rows].any()]
        for (x, own), (y, other) in itertools.combinations(fitting, 2):
            if (((own & other) if wide else (own | other)) == wanted)[rows].all():
                yield join(x, y)


def _guess(statement: Statement, clock: Deadline) -> Iterator[tuple[t.Term, ...]]:
    """Yield invariants made of short conditions that describe the losses in a solved table of positions."""
    columns, near = list_positions(statement, np.random.default_rng(1))
    close = {name: x[:near] for name, x in columns.items()}
    solved = solve_positions(statement, close, near, clock)
    if solved is None or solved[1].sum() < FEWEST:
        return
    lost, known = solved
    pool = list(_list_simple_conditions(statement, close))
    found = [list(itertools.islice(_describe(pool, known, own), GUESSES)) for own in lost]
    yield from itertools.islice(itertools.product(*found), GUESSES)


def _nim_sum(terms: Sequence[t.Term]) -> t.Term:
    first, *rest = terms
    for x in rest:
        first = nim(first, x)
    return first


def _list_simple_conditions(statement: Statement, columns: Columns) -> Iterator[tuple[t.Term, Truths]]:
    """Yield short conditions about a position, each with its truth value at every position of a table.

    If several conditions have equal truth values, only the first is yielded.
    """
    parameters = [variable(v.name) for v in statement.parameters]
    numbers: list[t.Term] = list(map(variable, statement.names))
    written = [*statement.spoken, *(x for move in statement.moves for x in (move.legal, *move.after))]
    moduli = {print_term(m): m for m in list_moduli(statement, written)}
    moduli |= {print_term(m): m for m in (integer(2), integer(3), *(add(x, ONE) for x in parameters))}
    totals: list[t.Term] = []
    if len(numbers) > 1:
        totals = [reduce(add, numbers), _nim_sum(numbers)]
        totals += [smallest(*numbers), largest(*numbers)] if not statement.sorted else []
    terms = [*numbers, *totals]

    def list_terms_of_truth() -> Iterator[t.Term]:
        for a in terms:
            for b in (ZERO, ONE, *parameters):
                yield from (compare(op, a, b) for op in ("eq", "ne", "le", "gt"))
        for a, b in itertools.combinations(numbers, 2):
            yield from (compare(op, a, b) for op in ("eq", "ne", "lt", "le", "gt", "ge"))
            yield from (compare("eq", add(x, ONE), y) for x, y in ((a, b), (b, a)))
            gap = t.Operation(INT, 0, 0, "abs", (sub(a, b),))
            yield from (compare(op, gap, x) for x in (ONE, *parameters) for op in ("le", "gt"))
        for m in moduli.values():
            rests = [t.Operation(INT, 0, 0, "mod", (x, m)) for x in terms]
            whole = m.value if isinstance(m, t.Literal) and m.value <= 12 else None
            values = [ZERO, ONE, sub(m, ONE)] if whole is None else list(map(integer, range(whole)))
            for x in rests:
                yield from (compare(op, x, v) for v in values for op in ("eq", "ne"))
            if len(numbers) > 1:
                own = rests[: len(numbers)]
                yield from (compare(op, a, b) for a, b in itertools.combinations(own, 2) for op in ("eq", "ne"))
                yield compare("eq", _nim_sum(own), ZERO)

    seen = set[bytes]()
    for x in list_terms_of_truth():
        found = ColumnTable(columns).evaluate(x)
        values = found.values.astype(bool)
        if not found.undefined.any() and values.tobytes() not in seen:
            seen.add(values.tobytes())
            yield x, values


def find_stated_proof(
    claim: Claim, path: Path, file: Posing, clock: Deadline, tell: Tell, outcome: SearchProgress
) -> None:
    """Search for a proof whose invariant is the formula of the statement. Store the proof in `outcome`.

    If no proof is found, store the obstacle of the first attempt that has one. Raises OutOfTime, Unsupported.
    """
    statement = read_value_statement(claim) or read_statement(claim, path)
    if statement is None:
        find_folds_proof(claim, file, clock, tell, outcome)
        if outcome.stage is not SearchStage.PROOF:
            find_sum_proof(claim, file, clock, tell, outcome)
    else:
        _find_proof_of(statement, file, clock, tell, outcome)
    obstacle = outcome.obstacle
    open_ = None if outcome.text else read_open_statement(claim, path)
    if open_ is not None:
        _find_proof_of(open_, file, clock, tell, outcome)
        if not outcome.text:
            outcome.obstacle = obstacle or outcome.obstacle


def _find_proof_of(statement: Statement, file: Posing, clock: Deadline, tell: Tell, outcome: SearchProgress) -> None:
    """Search for a proof of one statement: try the candidates for its invariant until a proof succeeds.

    If a proof succeeds, store it in `outcome`; otherwise store the first obstacle.
    """
    obstacle = ""
    for loses in _list_invariants(statement, clock):
        shown = " and ".join(print_term(x) for x in loses)
        what = f"invariant {shown}" if statement.value is None else f"value {print_term(statement.value)}"
        tell(f'rule "{statement.rule}", {what[:110]}')
        if is_plain(statement.inside, False) and _denies_claim(statement, loses, file):
            tell("the claim does not follow from this invariant")
            obstacle = obstacle or "the claim does not follow from an invariant that agrees with a table"
            continue
        try:
            obstacle = _try_invariant(statement, loses, file, clock, tell, outcome)
        except FormulaFails as failed:
            obstacle = obstacle or f'rule "{statement.rule}": {failed}'
            tell(str(failed))
            continue
        if outcome.stage is SearchStage.PROOF:
            return
    tell("no further invariant is tried")
    outcome.obstacle = outcome.obstacle or obstacle


def _denies_claim(statement: Statement, loses: tuple[t.Term, ...], file: Posing) -> bool:
    """Whether the obligation "claim" (the claim follows from the invariant) is false at some small values."""
    posed = file.pose(write_draft(statement, loses, []))
    try:
        return any(check_on_box(x).falsified is not None for x in posed if x.name == "claim")
    except (Unsupported, TooLong, ClaimError):
        return False  # the attempt with replies reports it


def _try_invariant(
    statement: Statement, loses: tuple[t.Term, ...], file: Posing, clock: Deadline, tell: Tell, outcome: SearchProgress
) -> str:
    """Search for replies for one invariant. Return the obstacle; "" if a proof succeeds.

    Raises FormulaFails if the table contradicts the invariant, no replies are found, or there are no small parameters.
    """
    columns, near = list_positions(statement, np.random.default_rng(1))
    if not near:
        raise FormulaFails("the hypotheses exclude all small values of the parameters")
    obstacle = ""
    for _ in range(ROUNDS):
        table = PositionTable(statement, loses, columns, near)
        winning = table.find_winning_picks(clock)
        terms = list_terms(table, clock)
        replies = []
        for side in range(len(loses)):
            candidates = [
                x for own in winning if own.move.side == side for x in list_candidates(table, own, terms, clock)
            ]
            replies.append(choose_replies(table, candidates, side, clock))
        stuck = _list_stuck_moves(table, terms, clock) if statement.misere else []
        draft = write_draft(statement, loses, replies, write_lemmas_on_divisors(statement, loses), stuck)
        found = attempt(file, draft, clock, first=True)
        if found.is_proved:
            outcome.keep_proof(draft)
            tell(f"proved; number of replies: {sum(map(len, replies))}")
            return ""
        obstacle = f'rule "{statement.rule}", {found.words}'
        tell(f"not proved: {found.words}")
        row = dict(found.open[0].values) if found.open else {}
        if not set(row) >= set(columns) or any(abs(int(row[name])) > 10_000 for name in columns):
            break
        columns = {name: np.append(x, np.int64(int(row[name]))) for name, x in columns.items()}
    return obstacle


def _list_stuck_moves(table: PositionTable, terms: list[ValuedTerm], clock: Deadline) -> list[list[ChosenReply]]:
    """Return legal moves at the lost positions of a misère game, for each side.

    At every lost position of the table, one of these moves is legal; so the player is not stuck. Raises FormulaFails if
    such moves are not found.
    """
    statement, won = table.statement, tuple(map(negation, table.loses))
    moves = tuple(replace(move, lost=conjunction()) for move in statement.moves)
    open_ = replace(statement, loses=won, moves=moves, misere=False)
    able = PositionTable(open_, won, table.columns, table.near)
    found = []
    for side in range(len(won)):
        candidates: list[CandidateMove] = []
        for move in moves:
            if move.side == side:
                shape, _, _, legal = spread_picks(open_, move, able.close, able.near)
                candidates += list_candidates(able, WinningPicks(move, legal.reshape(shape)), terms, clock)
        found.append(choose_replies(able, candidates, side, clock))
    return found
