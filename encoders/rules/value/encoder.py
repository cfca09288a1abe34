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

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import INT, POSITION, set_of
from claims.language.proofs.value import ValueProof, names
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Interval, Listed, Positions, Scope
from claims.language.statement.unfolding import unfolded_claim
from encoders.answer import Answer, Unsupported
from encoders.coverage import All
from encoders.logic.definedness import Guard, Need, Path, needs, needs_of_claim, needs_of_game
from encoders.logic.effort import USUAL, Effort
from encoders.logic.moves import open_moves
from encoders.logic.obligations import Plan, Query, prove
from encoders.logic.paths import Env
from encoders.rules.grundy.arithmetic import natural_product, successive
from encoders.rules.grundy.integers import Integers, bounds_of
from encoders.rules.value.shapes import Shape, beside, chosen, empty, of_parts, possible
from encoders.trust import Trusted, TrustedPick, TrustedRule

NAME = "least"
TRUSTED = frozenset[Trusted]({TrustedPick("the largest heap"), TrustedRule("n-player values by the least option")})

Ask = Callable[["_Shapes"], tuple[list[Any], Any]]


def settle(claim: Claim, scope: Scope, budget: float | None = None, effort: Effort = USUAL) -> Answer:
    """Prove the claim by its [proof]. HOLDS only if every obligation is discharged; never FAILS."""
    return prove(NAME, partial(_plan, claim), effort, budget)


def _plan(stated: Claim) -> Plan:
    claim = unfolded_claim(stated)
    proof = claim.proof
    assert isinstance(proof, ValueProof)
    obligations = (
        (name, partial(_query, claim, proof, ask)) for name, ask in _obligations(claim, proof, needs_of_claim(stated))
    )
    return Plan(obligations, TRUSTED, bounds_of(claim, All()))


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

    def shape(self, name: str) -> Shape:
        """A shape of which nothing is known."""
        return of_parts(self.fresh(f"{part} of {name}") for part in names(self.proof.ordered))

    def value(self, s: Shape) -> Any:
        return self.terms.number(self.proof.value, self.env | s.env())

    def region(self, s: Shape) -> Any:
        return self.terms.truth(self.proof.region, self.env | s.env())

    def next(self, value: Any) -> Any:
        """(value + 1) mod n, for 0 <= value < n."""
        return z3.If(value + 1 == self.players, 0, value + 1)

    def moved(self, name: str) -> tuple[Shape, Shape, Any, list[Any]]:
        """A position of the region with a largest heap h over the rest R: (s, R, h, what is known)."""
        rest, heap = self.shape(name), self.fresh("h")
        s = beside(rest, heap)
        return s, rest, heap, [possible(rest), heap >= 1, heap >= rest.largest, self.region(s)]

    def after(self, rest: Shape, size: Any) -> Shape:
        return chosen(size == 0, rest, beside(rest, size))


# -- the obligations --------------------------------------------------------------------------------------------------
def _obligations(claim: Claim, proof: ValueProof, defined: Iterator[Need]) -> Iterator[tuple[str, Ask]]:
    if len(claim.games) != 1:
        raise Unsupported("the rule is about one game")
    ruleset = claim.games[0].ruleset
    move = ruleset.moves[0]
    if not (len(ruleset.moves) == 1 and move.choose == "largest" and ruleset.single_heap and ruleset.measure is None):
        raise Unsupported(f"{ruleset.id}: the rule follows moves that take from a largest heap, of one kind")
    if not (ruleset.player_count and ruleset.impartial and ruleset.stuck_wins):
        raise Unsupported(f"{ruleset.id}: the rule is about n players, alike, where who cannot move wins")
    yield "parameters", _parameters
    if rules := list(needs_of_game(claim, claim.games[0])):
        yield "rules are defined", lambda q: ([], q.needed(rules, q.env, _Reading(q).element))
    yield "product of naturals", _product
    yield "remainders", _remainders
    yield "shape of no heap", lambda q: ([], possible(q.empty()))
    yield "shape of one more heap", _grown
    yield "moves: a largest heap becomes anything smaller, and nothing else", _moves
    if undefined := list(_needs_of_formula(claim, proof)):
        yield "the formula is defined", _formula_defined(undefined)
    yield "region closed", _closed
    yield "range", _range
    yield "empty", _empty
    yield "least", _least
    yield "options cover", _cover
    for number in range(len(proof.options)):
        yield f"option {number + 1}: attains", _attains(number)
    for need in defined:
        yield f"defined: {need.words}", _defined(need)
    yield "claim", _claim


def _parameters(q: _Shapes) -> tuple[list[Any], Any]:
    return [], z3.And(q.parameters(q.claim), q.players >= 2)


def _product(q: _Shapes) -> tuple[list[Any], Any]:
    return [], natural_product(q.fresh("x"), q.fresh("y"))


def _remainders(q: _Shapes) -> tuple[list[Any], Any]:
    """Quotients differ by 0 or 1 only; instances of `product` spare the solver a search among all the others."""
    divisor, first, second, r, s = map(q.fresh, ("divisor", "quotient", "another", "r", "s"))
    a, c = divisor * first + r, divisor * second + s
    inside = [r >= 0, r < divisor, s >= 0, s < divisor]
    apart = first - second
    differences = (apart, apart - 1, apart - 2, -apart, 1 - apart, -1 - apart)
    return [*inside, *(natural_product(divisor, x) for x in differences)], successive(divisor, a, r, c, s)


def _grown(q: _Shapes) -> tuple[list[Any], Any]:
    rest, heap = q.shape("the rest"), q.fresh("h")
    return [possible(rest), heap >= 1], possible(beside(rest, heap))


def _moves(q: _Shapes) -> tuple[list[Any], Any]:
    """Both ways: a legal pick leaves 0 <= y < h, and every such y is left by the pick h - y."""
    (move,) = open_moves(q.claim.games[0], 0)
    if len(move.picks) != 1:
        raise Unsupported(f"{q.claim.games[0].ruleset.id}: the rule follows one number picked from an interval")
    (pick,) = move.picks
    heap, size = q.fresh("h"), q.fresh("y")
    legal, new = q.played(move, heap, q.free_picks(move))
    allowed, left = q.played(move, heap, {pick.word: heap - size})
    forth = z3.Implies(legal, z3.And(new >= 0, new < heap))
    back = z3.Implies(z3.And(size >= 0, size < heap), z3.And(allowed, left == size))
    return [heap >= 1], z3.And(forth, back)


def _closed(q: _Shapes) -> tuple[list[Any], Any]:
    _, rest, heap, known = q.moved("the rest")
    size = q.fresh("y")
    return [*known, size >= 0, size < heap], q.region(q.after(rest, size))


def _range(q: _Shapes) -> tuple[list[Any], Any]:
    s = q.shape("s")
    return [possible(s), q.region(s)], z3.And(q.value(s) >= 0, q.value(s) < q.players)


def _empty(q: _Shapes) -> tuple[list[Any], Any]:
    nothing = q.empty()
    return [q.region(nothing)], q.value(nothing) == 0


def _least(q: _Shapes) -> tuple[list[Any], Any]:
    s, rest, heap, known = q.moved("the rest")
    size = q.fresh("y")
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
class _Reading:
    """The claim's questions as values of the formula, in one query.

    A value is owed that the position lies in the region, the heaps in order that there are few.
    """

    def __init__(self, q: _Shapes) -> None:
        self.q = q
        self.known: list[Any] = []
        self.env: Env = dict(q.env)
        for v in q.claim.variables:
            if v.type == POSITION:
                self.env[v.name] = self._some(v.name)
        q.terms.ask, q.terms.other = self._ask, self._about

    def _some(self, name: str) -> Shape:
        """The shape of any position."""
        made = self.q.shape(name)
        self.known.append(possible(made))
        return made

    def element(self, source: t.Term | None, env: Env) -> tuple[Any, Any]:
        """Something that runs over a range, a position, or positions, which are told as any. Raises Unsupported."""
        found = self.q.in_range(source, env)
        if found is not None:
            return found
        assert source is not None
        if source.type == set_of(POSITION):
            return self._some("element"), self.q.yes
        if source.type != POSITION:
            raise Unsupported(f"{text(source)} is no collection that the rule knows")
        s, heap = self._shape(source, env), self.q.fresh("heap")
        return heap, z3.And(s.heaps >= 1, heap >= s.least, heap <= s.largest)

    def _shape(self, term: t.Term, env: Env) -> Shape:
        q = self.q
        if isinstance(term, t.Variable) and isinstance(env.get(term.name), Shape):
            return env[term.name]  # type: ignore[no-any-return]
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                made = q.empty()
                for item in items:  # that none is negative is an obligation of its own (defined)
                    heap = q.terms.number(item, env)
                    made = chosen(heap == 0, made, beside(made, heap))
                return made
            case t.Operation(  # position([c for i in range(0, N)]): N heaps of c
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
                if q.proof.ordered:
                    raise Unsupported(f"{text(term)}: beside heaps in order, the rule knows positions heap by heap")
                number = q.terms.number(count, env)
                heaps = z3.If(number > 0, number, 0)
                each = z3.If(heaps > 0, q.terms.integer(size), 0)
                return Shape(heaps, each, heaps, each)
        raise Unsupported(f"{text(term)} is no position that the rule knows")

    def _about(self, term: t.Term, env: Env) -> Any:
        """A number about a position; that it has one is an obligation of its own (defined)."""
        match term:
            case t.Operation(op="len", args=(s,)) if s.type == POSITION:
                return self._shape(s, env).heaps
            case t.Operation(op="min" | "max" as op, args=(s,)) if s.type == POSITION:
                found = self._shape(s, env)
                return found.least if op == "min" else found.largest
            case t.Operation(op="occurrences", args=(s, t.Operation(op="min", args=(again,)))) if s.type == POSITION:
                if again.type == POSITION and self._shape(again, env) is self._shape(s, env):
                    return self._shape(s, env).times
            case t.Operation(op="index", args=(s, t.Literal(value=i))) if s.type == POSITION:
                if 0 <= i < self.q.proof.ordered:
                    found = self._shape(s, env)
                    self.q.owed.append(found.heaps <= self.q.proof.ordered)
                    return found.sizes[i]
        raise Unsupported(f"{text(term)} has no translation into the shape of a position")

    def _ask(self, call: t.GameCall, env: Env) -> Any:
        if call.function != "value":
            raise Unsupported(f"{text(call)}: the rule knows values")
        found = self._shape(call.args[0], env)
        self.q.owed.append(self.q.region(found))
        return self.q.value(found)


def _defined(need: Need) -> Ask:
    def query(q: _Shapes) -> tuple[list[Any], Any]:
        reading = _Reading(q)
        goal = q.needed([need], reading.env, reading.element)
        return reading.known, goal

    return query


def _needs_of_formula(claim: Claim, proof: ValueProof) -> Iterator[Need]:
    """What the region, the formula in it, and the options named need to have a value."""
    inside: Path = (Guard(proof.region),)
    yield from needs(proof.region, (), claim)
    yield from needs(proof.value, inside, claim)
    for option in proof.options:
        yield from needs(option.when, inside, claim)
        yield from needs(option.becomes, (*inside, Guard(option.when)), claim)


def _formula_defined(undefined: list[Need]) -> Ask:
    def query(q: _Shapes) -> tuple[list[Any], Any]:
        s = q.shape("s")
        return [possible(s)], q.needed(undefined, q.env | s.env(), _Reading(q).element)

    return query


def _claim(q: _Shapes) -> tuple[list[Any], Any]:
    reading = _Reading(q)
    if q.claim.hypothesis is not None:
        q.hypotheses = [(text(x), q.terms.truth(x, reading.env)) for x in t.conjuncts(q.claim.hypothesis)]
        if q.owed:
            raise Unsupported("the hypotheses ask about positions that the formula may not be about")
    goal = q.terms.truth(q.claim.conclusion, reading.env)
    return reading.known, z3.And(goal, *q.owed)
