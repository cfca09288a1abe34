"""The least route: n-player values in closed form, for any number of heaps, where only a largest heap is touched.

The rule and why it is sound: docs/proof-rules.md.  Sizes are unbounded integers, the number of players a symbol.  Its
obligations: parameters; shape (of no heap, of one more heap); moves (a largest heap may become anything smaller);
region closed; range (0 <= value < n); empty (the value where nobody can move); least (no option has less); options
cover, and each attains; and last the claim itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import z3

from claims import terms as t
from claims.domains import Interval, Listed, Positions, Scope
from claims.model import Claim
from claims.printing import text
from claims.types import INT, POSITION
from claims.value_proofs import ValueProof
from encoders.answer import Answer, Unsupported
from encoders.effort import USUAL, Effort
from encoders.heaps.arithmetic import Env, natural_product, successive
from encoders.heaps.integers import Integers
from encoders.least.shapes import Shape, beside, chosen, empty, fresh, possible
from encoders.obligations import Query, prove

NAME = "least"
TRUSTED = ("pick: the largest heap", "rule: n-player values by the least option (docs/proof-rules.md)")

Ask = Callable[["_Shapes"], tuple[list[Any], Any]]


def settle(claim: Claim, scope: Scope, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Prove the claim by its [proof]. "holds" only if every obligation is discharged; never "fails"."""
    proof = claim.proof
    assert isinstance(proof, ValueProof)
    obligations = ((name, partial(_query, claim, proof, ask)) for name, ask in _obligations(claim, proof))
    bounds: list[tuple[str, str]] = []
    for v in claim.variables:
        bounds += [(f"{v.name}.heaps", "all"), (f"{v.name}.size", "all")] if v.type == POSITION else [(v.name, "all")]
    return prove(NAME, obligations, effort, budget, lambda: TRUSTED, tuple(bounds))


def _query(claim: Claim, proof: ValueProof, ask: Ask) -> Query:
    shapes = _Shapes(claim, proof)
    assumptions, goal = ask(shapes)
    return Query(shapes.context, [*shapes.known, *shapes.terms.known, *assumptions], goal, shapes.hypotheses)


class _Shapes(Integers):
    """One query: the claim's integers with their domains, the number of players, and shapes of positions."""

    def __init__(self, claim: Claim, proof: ValueProof) -> None:
        for v in claim.variables:
            if not (isinstance(v.domain, Positions) or (v.type == INT and isinstance(v.domain, Interval | Listed))):
                raise Unsupported(f"the variable {v.name} ranges over {v.text}")
        super().__init__(claim, invent=True)
        self.claim, self.proof = claim, proof
        self.hypotheses: list[tuple[str, Any]] = []  # those of the claim, with their texts
        if proof.assume is not None:
            self.known.append(self.truth(proof.assume))
        game = claim.games[0]
        self.players = self.number(dict(game.arguments)[game.ruleset.player_count])

    def empty(self) -> Shape:
        return empty(self.context, self.proof.ordered)

    def fresh(self, name: str) -> Shape:
        return fresh(self.context, name, self.proof.ordered)

    def value(self, s: Shape) -> Any:
        return self.terms.number(self.proof.value, self.env | s.env())

    def region(self, s: Shape) -> Any:
        return self.terms.truth(self.proof.region, self.env | s.env())

    def next(self, value: Any) -> Any:
        """(value + 1) mod n, for 0 <= value < n."""
        return z3.If(value + 1 == self.players, 0, value + 1)

    def moved(self, name: str) -> tuple[Shape, Shape, Any, list[Any]]:
        """A position of the region with a largest heap h over the rest R: (s, R, h, what is known)."""
        rest, heap = self.fresh(name), z3.Int("h", self.context)
        s = beside(rest, heap)
        return s, rest, heap, [possible(rest), heap >= 1, heap >= rest.largest, self.region(s)]

    def after(self, rest: Shape, size: Any) -> Shape:
        return chosen(size == 0, rest, beside(rest, size))


# -- the obligations --------------------------------------------------------------------------------------------------
def _obligations(claim: Claim, proof: ValueProof) -> Iterator[tuple[str, Ask]]:
    if len(claim.games) != 1:
        raise Unsupported("the rule is about one game")
    ruleset = claim.games[0].ruleset
    move = ruleset.moves[0]
    if not (len(ruleset.moves) == 1 and move.choose == "largest" and ruleset.single_heap and ruleset.measure is None):
        raise Unsupported(f"{ruleset.id}: the rule follows moves that take from a largest heap, of one kind")
    if not (ruleset.player_count and ruleset.impartial and ruleset.stuck_wins):
        raise Unsupported(f"{ruleset.id}: the rule is about n players, alike, where who cannot move wins")
    yield "parameters", _parameters
    yield "product of naturals", _product
    yield "remainders", _remainders
    yield "shape of no heap", lambda q: ([], possible(q.empty()))
    yield "shape of one more heap", _grown
    yield "moves: a largest heap becomes anything smaller, and nothing else", _moves
    yield "region closed", _closed
    yield "range", _range
    yield "empty", _empty
    yield "least", _least
    yield "options cover", _cover
    for number in range(len(proof.options)):
        yield f"option {number + 1}: attains", _attains(number)
    yield "claim", _claim


def _parameters(q: _Shapes) -> tuple[list[Any], Any]:
    game = q.claim.games[0]
    tests = []
    for p in game.ruleset.parameters:
        if p.kind != "int":
            raise Unsupported(f"the parameter {p.name} is a {p.kind}")
        x = q.terms.number(dict(game.arguments)[p.name], q.env)
        tests.append(x >= p.lo)
        if p.hi is not None:
            tests.append(x <= p.hi)
    return [], z3.And(*tests, q.players >= 2)


def _product(q: _Shapes) -> tuple[list[Any], Any]:
    return [], natural_product(z3.Int("x", q.context), z3.Int("y", q.context))


def _remainders(q: _Shapes) -> tuple[list[Any], Any]:
    """Quotients differ by 0 or 1 only; instances of `product` spare the solver a search among all the others."""
    divisor, first, second, r, s = (z3.Int(n, q.context) for n in ("divisor", "quotient", "another", "r", "s"))
    a, c = divisor * first + r, divisor * second + s
    inside = [r >= 0, r < divisor, s >= 0, s < divisor]
    apart = first - second
    differences = (apart, apart - 1, apart - 2, -apart, 1 - apart, -1 - apart)
    return [*inside, *(natural_product(divisor, x) for x in differences)], successive(divisor, a, r, c, s)


def _grown(q: _Shapes) -> tuple[list[Any], Any]:
    rest, heap = q.fresh("the rest"), z3.Int("h", q.context)
    return [possible(rest), heap >= 1], possible(beside(rest, heap))


def _moves(q: _Shapes) -> tuple[list[Any], Any]:
    """Both ways: a legal pick leaves 0 <= y < h, and every such y is left by the pick h - y."""
    game = q.claim.games[0]
    (move,) = game.ruleset.moves
    heap, size = z3.Int("h", q.context), z3.Int("y", q.context)
    if len(move.picks) != 1 or not isinstance(move.picks[0].domain, Interval) or move.picks[0].domain.hi is None:
        raise Unsupported(f"{game.ruleset.id}: the rule follows one number picked from an interval")
    pick = move.picks[0]

    def played(picked: Any) -> tuple[Any, Any]:
        env: Env = {name: q.terms.number(term, q.env) for name, term in game.arguments}
        env |= {move.heaps[0]: heap, pick.name: picked}
        assert isinstance(pick.domain, Interval) and pick.domain.hi is not None
        tests = [picked >= q.terms.number(pick.domain.lo, env), picked <= q.terms.number(pick.domain.hi, env)]
        if move.where is not None:
            tests.append(q.terms.truth(move.where, env))
        return z3.And(*tests), q.terms.number(move.become[0], env)

    legal, new = played(z3.Int("picked", q.context))
    allowed, left = played(heap - size)
    forth = z3.Implies(legal, z3.And(new >= 0, new < heap))
    back = z3.Implies(z3.And(size >= 0, size < heap), z3.And(allowed, left == size))
    return [heap >= 1], z3.And(forth, back)


def _closed(q: _Shapes) -> tuple[list[Any], Any]:
    _, rest, heap, known = q.moved("the rest")
    size = z3.Int("y", q.context)
    return [*known, size >= 0, size < heap], q.region(q.after(rest, size))


def _range(q: _Shapes) -> tuple[list[Any], Any]:
    s = q.fresh("s")
    return [possible(s), q.region(s)], z3.And(q.value(s) >= 0, q.value(s) < q.players)


def _empty(q: _Shapes) -> tuple[list[Any], Any]:
    nothing = q.empty()
    return [q.region(nothing)], q.value(nothing) == 0


def _least(q: _Shapes) -> tuple[list[Any], Any]:
    s, rest, heap, known = q.moved("the rest")
    size = z3.Int("y", q.context)
    return [*known, size >= 0, size < heap], q.next(q.value(q.after(rest, size))) >= q.value(s)


def _cover(q: _Shapes) -> tuple[list[Any], Any]:
    s, _, _, known = q.moved("the rest")
    return known, z3.Or(*(q.terms.truth(o.when, q.env | s.env()) for o in q.proof.options))


def _attains(number: int) -> Ask:
    def query(q: _Shapes) -> tuple[list[Any], Any]:
        option = q.proof.options[number]
        s, rest, heap, known = q.moved("the rest")
        env = q.env | s.env()
        size = q.terms.number(option.becomes, env)
        known.append(q.terms.truth(option.when, env))
        goal = q.next(q.value(q.after(rest, size))) == q.value(s)
        return known, z3.And(size >= 0, size < heap, goal)

    return query


# -- the claim --------------------------------------------------------------------------------------------------------
def _claim(q: _Shapes) -> tuple[list[Any], Any]:
    known: list[Any] = []
    goals: list[Any] = []
    shapes: dict[str, Shape] = {}
    for v in q.claim.variables:
        if v.type == POSITION:
            shapes[v.name] = q.fresh(v.name)
            known.append(possible(shapes[v.name]))

    def shape(term: t.Term, env: Env) -> Shape:
        if isinstance(term, t.Variable) and isinstance(env.get(term.name), Shape):
            return env[term.name]  # type: ignore[no-any-return]
        if isinstance(term, t.Operation) and term.op == "position" and isinstance(term.args[0], t.Collection):
            made = q.empty()
            for item in term.args[0].items:
                heap = q.terms.number(item, env)
                goals.append(heap >= 0)
                made = chosen(heap == 0, made, beside(made, heap))
            return made
        match term:  # position([c for i in range(0, N)]): N heaps of c
            case t.Operation(
                op="position",
                args=(
                    t.Comprehension(
                        reducer="list",
                        body=t.Literal(value=size),
                        clauses=(
                            t.Clause(source=t.Operation(op="range", args=(t.Literal(value=0), count)), conditions=()),
                        ),
                    ),
                ),
            ) if size >= 1:
                heaps = q.terms.number(count, env)
                goals.append(heaps >= 0)
                each = z3.If(heaps > 0, q.terms.integer(size), 0)
                if q.proof.ordered:
                    raise Unsupported(f"{text(term)}: beside heaps in order, the rule knows positions heap by heap")
                return Shape(heaps, each, heaps, each)
        raise Unsupported(f"{text(term)} is no position that the rule knows")

    def about(term: t.Term, env: Env) -> Any:
        match term:
            case t.Operation(op="len", args=(s,)) if s.type == POSITION:
                return shape(s, env).heaps
            case t.Operation(op="min" | "max" as op, args=(s,)) if s.type == POSITION:
                found = shape(s, env)
                # Of nothing they are ill-defined. What is asked lazily is not known to be asked: it is refused there.
                goals.append(found.heaps >= 1)
                return found.least if op == "min" else found.largest
            case t.Operation(op="occurrences", args=(s, t.Operation(op="min", args=(again,)))) if s.type == POSITION:
                if shape(again, env) is shape(s, env):
                    goals.append(shape(s, env).heaps >= 1)
                    return shape(s, env).times
            case t.Operation(op="index", args=(s, t.Literal(value=i))) if s.type == POSITION and i < q.proof.ordered:
                found = shape(s, env)
                goals.append(z3.And(i < found.heaps, found.heaps <= q.proof.ordered))
                return found.sizes[i]
        raise Unsupported(f"{text(term)} has no translation into the shape of a position")

    def ask(call: t.GameCall, env: Env) -> Any:
        if call.function != "value":
            raise Unsupported(f"{text(call)}: the rule knows values")
        found = shape(call.args[0], env)
        goals.append(q.region(found))
        return q.value(found)

    q.terms.ask, q.terms.other = ask, about
    env = q.env | shapes
    if q.claim.hypothesis is not None:
        q.hypotheses = [(text(x), q.terms.truth(x, env)) for x in t.conjuncts(q.claim.hypothesis)]
        if goals:
            raise Unsupported("the hypotheses ask for more than how many heaps there are")
    goal = q.terms.truth(q.claim.conclusion, env)
    return known, z3.And(goal, *goals)
