"""The fold route: a claim about positions of any number of heaps, proved by obligations that Z3 discharges one by one.

The rule and why it is sound: docs/proof-rules.md.  Its obligations, in order: parameters (the games' parameters are
legal), measure (a move makes its heap smaller), the pick of the top bit, each fact (no heap; one more heap), and where
the claim asks who wins:
closed (no move from a loss to a loss of the next player), cases (the named moves cover every position that is not a
loss), each reply (its heap exists; it is legal; it leads to a loss), stuck (misere play: who loses can move); and last
the claim itself, case by case if [proof] splits it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import z3

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import POSITION
from claims.language.proofs.folds import NamedMove, Proof
from claims.language.statement.claim import Claim, Game
from claims.language.statement.domains import Scope
from claims.language.statement.unfolding import unfolded_claim, walk
from encoders.answer import Answer, Unsupported
from encoders.coverage import All, Below, Coverage, Limits
from encoders.logic.definedness import Need, measure, needs_of_claim, needs_of_game
from encoders.logic.effort import USUAL, Effort
from encoders.logic.moves import movers, parameter_bounds
from encoders.logic.obligations import Plan, Query, prove
from encoders.logic.paths import Env, needed
from encoders.logic.words import WIDTH
from encoders.rules.folds.positions import Position
from encoders.rules.folds.theory import Theory, playable
from encoders.trust import Trusted, TrustedPick, TrustedRule

NAME = "folds"

Ask = Callable[[Theory], tuple[list[Any], Any]]  # -> (assumptions, goal), before what the theory itself knows


def settle(claim: Claim, scope: Scope, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Prove the claim by its [proof] section. HOLDS only if every obligation is discharged; never FAILS."""
    return prove(NAME, partial(_plan, claim), effort, budget)


def _plan(stated: Claim) -> Plan:
    claim = unfolded_claim(stated)
    proof = claim.proof
    assert isinstance(proof, Proof)
    if any(isinstance(x, t.Operation) and x.type == POSITION for x in walk(proof)):
        raise Unsupported("a position written down in a proof: only the claim may do that")
    asks = _asks_who_wins(claim, proof)
    defined = needs_of_claim(stated, 1 << proof.bits)
    obligations = (
        (name, partial(_query, claim, proof, ask)) for name, ask in _obligations(claim, proof, defined, asks)
    )
    return Plan(obligations, _trusted(proof, asks), _bounds(claim, proof), 1 << proof.bits)


def _query(claim: Claim, proof: Proof, ask: Ask) -> Query:
    theory = Theory(claim, proof)
    assumptions, goal = ask(theory)
    known = [*assumptions, *theory.closed()]
    return Query(theory.context, known, goal, theory.hypotheses, partial(_shown, theory))


def _bounds(claim: Claim, proof: Proof) -> Limits:
    """Any number of heaps; sizes and parameters below a power of two."""
    found: list[tuple[str, Coverage]] = []
    bound = Below(proof.bits)
    for v in claim.variables:
        found += (
            [(f"{v.name}.heaps", All()), (f"{v.name}.size", bound)] if v.name == proof.position else [(v.name, bound)]
        )
    return tuple(found)


def _trusted(proof: Proof, asks_who_wins: bool) -> frozenset[Trusted]:
    found: set[Trusted] = {TrustedRule("folds")}
    if asks_who_wins:
        found.add(TrustedRule("outcome, by induction on the measure"))
    for move in proof.moves:
        found.add(TrustedPick("top bit" if move.top_bit else "a heap with the counted property"))
    return frozenset(found)


def _shown(theory: Theory, model: Any) -> str:
    """The values at which an obligation fails: variables and folds, those of fresh rests left out."""
    values = {}
    for declaration in model.decls():
        name, value = declaration.name(), model[declaration]
        plain = name.split("!")[0]
        if "rest" in plain or plain in ("some option", "by this move"):
            continue
        values[plain] = value.as_signed_long() if z3.is_bv_value(value) else value
    return "fails at " + ", ".join(f"{n} = {v}" for n, v in sorted(values.items()))


# -- the obligations --------------------------------------------------------------------------------------------------
def _obligations(claim: Claim, proof: Proof, defined: Iterator[Need], asks_who_wins: bool) -> Iterator[tuple[str, Ask]]:
    for game in claim.games:
        yield from _rules(claim, game)
    for need in defined:
        yield f"defined: {need.words}", _needed(claim, [need])
    if any(move.top_bit for move in proof.moves):
        yield "pick top bit: a 1 in the nim-sum is an odd number of ones, one more heap", _column
        yield "pick top bit: such a heap is lowered", _lowered
    for name, _ in proof.facts:
        yield f"fact {name!r}, no heap", _fact_base(name)
        yield f"fact {name!r}, one more heap", _fact_step(name)
    if asks_who_wins:
        (game,) = claim.games
        yield from _outcome(game, proof)
    if not proof.split:
        yield "claim", _claim(claim, proof)
        return
    yield "cases of the claim cover", _split(proof)
    for words, case in proof.split:
        yield f"claim, where {words}", _claim(claim, proof, case)


def _split(proof: Proof) -> Ask:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        return [], z3.Or(*(theory.truth(case, theory.root) for _, case in proof.split))

    return query


def _asks_who_wins(claim: Claim, proof: Proof) -> bool:
    theory = Theory(claim, proof)
    _claim(claim, proof)(theory)
    theory.closed()
    return theory.asked_who_wins


def _rules(claim: Claim, game: Game) -> Iterator[tuple[str, Ask]]:
    """What makes the game one that is played to an end: legal parameters, rules that have a value, a measure."""
    name = game.ruleset.id
    if bounds := list(parameter_bounds(game)):
        yield f"parameters of {name}", lambda q: ([], z3.And(*(q.truth(x, q.root) for x in bounds)))
    if undefined := list(needs_of_game(claim, game)):
        yield f"rules of {name} are defined", _needed(claim, undefined)
    yield f"measure of {name}", _needed(claim, list(measure(game)))


def _needed(claim: Claim, needs: list[Need]) -> Ask:
    return lambda theory: ([], needed(theory, needs, _positions(claim, theory), theory.element))


def _positions(claim: Claim, theory: Theory) -> Env:
    """The claim's integers and its position: the proof's, or none."""
    return theory.root | {v.name: theory.position(v.name) for v in claim.variables if v.type == POSITION}


def _place(theory: Theory) -> tuple[Any, Any]:
    """A binary place, as the number with a 1 there alone, and that it is one."""
    place = z3.BitVec("place", WIDTH, theory.context)
    return place, z3.And(place != 0, place & (place - 1) == 0)


def _column(theory: Theory) -> tuple[list[Any], Any]:
    """A nim-sum has a 1 exactly where an odd number of its terms has: of no term none has; one term more keeps it."""
    place, single = _place(theory)
    rest, term = (z3.BitVec(name, WIDTH, theory.context) for name in ("nim-sum of the rest", "term"))
    odd = z3.Bool("an odd number of the rest", theory.context)
    before, one, after = ((x & place) != 0 for x in (rest, term, rest ^ term))
    return [single, before == odd], after == z3.Xor(odd, one)


def _lowered(theory: Theory) -> tuple[list[Any], Any]:
    """A term with a 1 at the highest place of the nim-sum becomes smaller by nim-addition of that."""
    place, single = _place(theory)
    whole, term = (z3.BitVec(name, WIDTH, theory.context) for name in ("nim-sum", "term"))
    return [single, z3.ULT(whole ^ place, place), term & place != 0], z3.ULT(term ^ whole, term)


def _fact_base(name: str) -> Ask:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        theory.facts_known = False
        empty = Position("no heap", theory.symbols, empty=True)
        return [], theory.fact(dict(theory.proof.facts)[name], empty)

    return query


def _fact_step(name: str) -> Ask:
    """All facts of the rest may be used: they are proved together, by induction on the number of heaps."""

    def query(theory: Theory) -> tuple[list[Any], Any]:
        rest = theory.position("rest")
        heap, bound = theory.symbols.size("heap", low=1)
        whole = Position("whole", theory.symbols, (heap, z3.BoolVal(True, theory.context), rest))
        return [bound], theory.fact(dict(theory.proof.facts)[name], whole)

    return query


def _outcome(game: Game, proof: Proof) -> Iterator[tuple[str, Ask]]:
    ruleset = game.ruleset
    if len(ruleset.players) != 2:
        raise Unsupported("the outcome rule is about two players")
    for mover in movers(game):
        who = "" if ruleset.impartial else f" ({ruleset.players[mover]} to move)"
        following = 0 if ruleset.impartial else 1 - mover
        yield f"closed{who}", _closed(game, mover, following)
        replies = [m for m in proof.moves if m.player in (None, mover) and m.to_loss]
        yield f"cases cover{who}", _cases(mover, replies, ruleset.stuck_wins)
        for number, named in enumerate(replies, 1):
            for part in ("heap", "legal", "leads to a loss"):
                yield f"reply {number}{who}: {part}", _reply(game, mover, following, named, part)
        if ruleset.stuck_wins:
            others = [m for m in proof.moves if m.player in (None, mover) and not m.to_loss]
            yield f"stuck{who}: the cases cover every loss", _movable(mover, others)
            for number, named in enumerate(others, 1):
                for part in ("heap", "legal"):
                    yield f"stuck {number}{who}: {part}", _can_move(game, mover, named, part)


def _closed(game: Game, mover: int, following: int) -> Ask:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        rest = theory.position("rest")
        heap, bound = theory.symbols.size("heap", low=1)
        before = Position("before", theory.symbols, (heap, z3.BoolVal(True, theory.context), rest))
        goals = []
        for move in playable(game, mover):
            legal, size, made = theory.played(move, heap, None)
            goals.append(z3.Implies(z3.And(legal, made), z3.Not(theory.loses(theory.after(rest, size), following))))
        return [bound, theory.loses(before, mover)], z3.And(*goals)

    return query


def _open(theory: Theory, mover: int, stuck_wins: bool) -> tuple[Position, list[Any]]:
    """A position that the mover does not lose; under misere play one with a heap, for without he wins at once."""
    s = theory.position("s")
    known = [z3.Not(theory.loses(s, mover))]
    if stuck_wins:
        known.append(theory.symbols.relation("ge", s.fold(theory.len), theory.symbols.literal(1)))
    return s, known


def _cases(mover: int, replies: list[NamedMove], stuck_wins: bool) -> Ask:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        s, known = _open(theory, mover, stuck_wins)
        return known, z3.Or(*(theory.truth(m.when, theory.seen(s)) for m in replies), z3.BoolVal(False, theory.context))

    return query


def _reply(game: Game, mover: int, following: int, named: NamedMove, part: str) -> Ask:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        s, known = _open(theory, mover, game.ruleset.stuck_wins)
        known.append(theory.truth(named.when, theory.seen(s)))
        premise, where, legal, made, after = theory.reply(named, game, mover, s)
        if part == "heap":
            return known, premise
        if part == "legal":
            return [*known, where], legal
        return [*known, where, legal, made], theory.loses(after, following)

    return query


def _movable(mover: int, others: list[NamedMove]) -> Ask:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        s = theory.position("s")
        cases = [theory.truth(m.when, theory.seen(s)) for m in others]
        return [theory.loses(s, mover)], z3.Or(*cases, z3.BoolVal(False, theory.context))

    return query


def _can_move(game: Game, mover: int, named: NamedMove, part: str) -> Ask:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        s = theory.position("s")
        known = [theory.loses(s, mover), theory.truth(named.when, theory.seen(s))]
        premise, where, legal, _, _ = theory.reply(named, game, mover, s)
        return (known, premise) if part == "heap" else ([*known, where], legal)

    return query


def _claim(claim: Claim, proof: Proof, case: t.Term | None = None) -> Ask:
    def query(theory: Theory) -> tuple[list[Any], Any]:
        env = _positions(claim, theory)
        hypothesis = [] if claim.hypothesis is None else t.conjuncts(claim.hypothesis)
        assumed = [(text(x), theory.truth(x, env)) for x in hypothesis]
        goal = theory.truth(claim.conclusion, env)
        if case is None:
            theory.hypotheses = assumed
            return [], goal
        # In one case of several the hypotheses may contradict each other; that they are met in another the scope shows.
        return [theory.truth(case, theory.root), *(x for _, x in assumed)], goal

    return query
