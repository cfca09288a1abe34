"""Proofs by folds for statements that the mover loses if and only if the nim-sum of a term of each heap is 0.

Let g be the term of a heap h, and R the nim-sum of the terms of the other heaps. The reply changes a heap with R < g(h)
into heaps whose terms have the nim-sum R. Such replies are found from a table of the pairs (h, R).
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from claims.language.files.claim import Claim, Game, unfold_claim
from claims.language.files.rulesets import Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, substitute
from claims.language.syntax.terms import INT
from encoders.compute.arrays.limits import Deadline
from encoders.logic.moves import OpenMove, open_moves, open_several
from encoders.logic.sequents import ONE, ZERO, at_least, compare, conjunction
from encoders.search.find import Posing, SearchProgress, attempt
from encoders.search.formulas import Tell
from encoders.search.question import HEAP, variable
from encoders.search.stated_folds import StatedFolds, read_folds
from encoders.search.stated_replies import choose_replies, list_candidates, list_terms, write_take
from encoders.search.stated_tables import FormulaFails, PositionTable, list_positions
from encoders.search.statement import PICK, StatedMove, StatedPick, Statement, divide
from encoders.search.writing import quote


def read_sum(claim: Claim) -> tuple[StatedFolds, Statement] | None:
    """Read a claim that the mover loses if and only if one nim-sum over all heaps is 0.

    Return (1) the nim-sum and the losing condition, and (2) a statement about one heap and the nim-sum of the other
    heaps, from which replies are searched. Return None for another claim. Raises Unsupported.
    """
    plain = unfold_claim(claim)
    stated = read_folds(claim)
    if stated is None or len(stated.folds) != 1 or len(stated.loses) != 1:
        return None
    if any(v.name == HEAP for v in claim.variables):
        return None
    ((name, fold),) = stated.folds
    if print_term(stated.loses[0]) != f"{name} == 0":
        return None
    match fold:
        case t.Comprehension(reducer="nim_sum", body=body, clauses=(t.Clause(own, t.Variable(), ()),)):
            term = substitute(body, {own: variable(HEAP)})
        case _:
            return None
    rest = f"rest_{name}"
    hypotheses = [] if plain.hypothesis is None else list(t.conjuncts(plain.hypothesis))
    divided = divide(plain, {}, hypotheses)
    if divided is None:
        return None
    parameters, assumed, _ = divided
    game = plain.games[0]
    moves = tuple(_make_move(move, term, rest) for move in _list_moves(game, game.ruleset))
    natural = (at_least(variable(HEAP), ZERO), at_least(variable(rest), ZERO))
    valid = conjunction(*natural, compare("lt", variable(rest), term))
    balanced = compare("eq", term, variable(rest))
    names = HEAP, rest
    inside, sides = conjunction(), ("mover",)
    statement = Statement("folds", (), names, valid, parameters, assumed, (balanced,), inside, moves, sides, False)
    return stated, statement


def _list_moves(game: Game, ruleset: Ruleset) -> list[OpenMove]:
    plain = ruleset.single_heap and ruleset.measure is None
    return [x for x in (open_moves if plain else open_several)(game, 0) if len(x.heaps) == 1]


def _make_move(move: OpenMove, term: t.Term, rest: str) -> StatedMove:
    """Return the move of the game as a `StatedMove` on the picked heap.

    The next player loses if the nim-sum of the terms of the new heaps equals `rest`, the nim-sum of the terms of the
    other heaps.
    """
    values: dict[str, t.Term] = {name: variable(HEAP) for name in move.heaps}
    values |= {p.name: variable(f"{PICK}{p.name}") for p in move.picks}
    after = tuple(substitute(x, values) for x in move.becomes)
    # the term of an empty heap does not count, because such a heap vanishes
    terms: list[t.Term] = [t.IfElse(INT, 0, 0, compare("ge", x, ONE), substitute(term, {HEAP: x}), ZERO) for x in after]
    total = reduce(lambda a, b: t.Operation(INT, 0, 0, "nim", (a, b)), terms)
    natural = [at_least(x, ZERO) for x in after]
    lost = conjunction(*natural, compare("eq", total, variable(rest)))
    picks = tuple(StatedPick(p.word, (f"{PICK}{p.name}",)) for p in move.picks)
    return StatedMove(0, (), picks, substitute(move.legal, values), after, lost)


def find_sum_proof(claim: Claim, file: Posing, clock: Deadline, tell: Tell, outcome: SearchProgress) -> None:
    """Search for a proof in which each reply changes a heap at the top bit of the nim-sum. Store it in `outcome`."""
    read = read_sum(claim)
    if read is None:
        return
    stated, statement = read
    columns, near = list_positions(statement, np.random.default_rng(1))
    if not near:
        return
    table = PositionTable(statement, statement.loses, columns, near)
    tell(f'rule "folds", invariant {print_term(stated.loses[0])}: replies in one heap')
    try:
        winning = table.find_winning_picks(clock)
        terms = list_terms(table, clock)
        candidates = [x for own in winning for x in list_candidates(table, own, terms, clock)]
        replies = choose_replies(table, candidates, 0, clock)
    except FormulaFails as failed:
        outcome.obstacle = f'rule "folds": {failed}'
        tell(str(failed))
        return
    ((name, fold),) = stated.folds
    lines = ["[proof]", 'rule = "folds"', "", "[proof.folds]", f"{name} = {quote(print_term(fold))}"]
    lines += ["", "[proof.loses]", f'mover = "{name} == 0"', "", "[[proof.moves]]", f'when = "{name} != 0"']
    lines += [f'heap = "top bit of {name}"']
    if len(replies) == 1 and not replies[0].when:
        lines += write_take(replies[0].candidate)
    else:
        for reply in replies:
            when = quote(print_term(conjunction(*reply.when)))
            lines += ["", "[[proof.moves.then]]", f"when = {when}", *write_take(reply.candidate)]
    draft = "\n".join(lines) + "\n"
    found = attempt(file, draft, clock, first=True)
    if found.is_proved:
        outcome.keep_proof(draft)
        tell(f"proved; number of replies: {len(replies)}")
    else:
        outcome.obstacle = f'rule "folds", {found.words}'
        tell(f"not proved: {found.words}")
