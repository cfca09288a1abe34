"""The proof rule "value": a formula for the value of each position in a game for n players.

The value is the winner, counted in turns from the player to move. Each move must make a largest heap smaller.

    [proof]
    rule = "value"
    region = "n >= 3 and heaps <= n"       # the positions for which the formula holds; no move leaves this region
    value = "heaps if n > heaps + 1 else ..."  # the formula

    [[proof.options]]                      # a best move, that is, one that attains the value
    when = "n > heaps + 1"                 # the condition under which it is best
    becomes = "0"                          # the new size of a largest heap

These terms may use four numbers: `heaps` (the number of heaps), `least` (the smallest heap), `times` (how often the
smallest heap occurs), and `largest` (the largest heap). All four are 0 for the empty position. With `sorted = 4` the
terms may also use x1 <= x2 <= x3 <= x4, the heaps in ascending order. For a position with fewer than four heaps,
the heaps come first and zeros follow. For a position with more than four heaps, all four are 0.

See docs/rules/value.md for the rule and why it is sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from itertools import pairwise
from typing import ClassVar

from claims.language.files.claim import Claim, Proof, unfold_claim
from claims.language.files.proofs import ProofSection
from claims.language.files.toml import Keys, format_value
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT, POSITION, Term, Type, set_of
from encoders.logic.definedness import DefinednessCondition, Guard, Path, needs, needs_of_claim, needs_of_game
from encoders.logic.integers import PRODUCT, REMAINDERS, IntegerReader, bounds_of, pose_product, pose_remainders
from encoders.logic.moves import open_moves
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    Sequent,
    add,
    at_least,
    at_most,
    choose,
    compare,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    integer,
    less_than,
    negation,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import (
    ObligationBuilder,
    Outline,
    OutlineRow,
    OutlineTable,
    ProofCoverage,
    ProofServices,
    build_sequents,
    say,
    say_condition,
)
from encoders.rules.base.shape import (
    DEFINED,
    PARAMETERS,
    RULES,
    ClaimShape,
    RuleSuggestion,
    claim_follows,
    refuse_others,
    require_one_game,
)
from encoders.trust import All, ObligationKind, Reason, Trusted, TrustedPick, TrustedRule, make_number_kind

# == section ==========================================================================================================
FOLDS = ("heaps", "least", "times", "largest")
MAX_SORTED = 6


@dataclass(frozen=True, eq=False)
class Least:
    """A [[proof.options]] table: if `when` holds, it is a best move to change a largest heap to the size `becomes`."""

    when: Term
    becomes: Term


@dataclass(frozen=True, eq=False)
class ValueProof(Proof):
    """A [proof] section of the rule "value".

    Its terms may use the claim's integers, the names in FOLDS, and the names x1, x2, ... up to the number `ordered`.
    `region`: the condition that the formula holds for a position.
    `value`: the formula.
    `options`: the best moves.
    """

    rule: ClassVar[str] = "value"
    region: Term
    value: Term
    options: tuple[Least, ...]
    ordered: int = 0


def names(ordered: int) -> tuple[str, ...]:
    """Return the names of the numbers that describe a position in a proof, in the order of `PositionShape`.

    `ordered`: the number of names x1, x2, ... for the heaps in ascending order.

    >>> names(2)
    ('heaps', 'least', 'times', 'largest', 'x1', 'x2')
    """
    return (*FOLDS, *(f"x{i}" for i in range(1, ordered + 1)))


def read_value(section: ProofSection) -> ValueProof:
    """Return the proof in a [proof] section with rule = "value". Raises ClaimError for an invalid section."""
    source, table = section.source, section.table
    table.reject_unknown_keys("rule", "region", "value", "options", "sorted")
    ordered = source.data["proof"].get("sorted")
    if ordered is None:
        ordered = 0
    elif not isinstance(ordered, int) or isinstance(ordered, bool) or not 1 <= ordered <= MAX_SORTED:
        raise source.fault(
            ("proof", "sorted"), f"{format_value(ordered)} is not a number of heaps", f"a number from 1 to {MAX_SORTED}"
        )
    known = names(ordered)
    for name in section.types:
        if name in known:
            expected = "another name for the variable; the proof uses this name"
            raise source.key_fault(("proof",), f"the claim has a variable {name!r}", expected)
    context = section.terms_over(section.integers | dict.fromkeys(known, INT))

    def term(keys: Keys, text: str, kind: Type) -> Term:
        return context.read_expression(keys, text, kind)

    options = []
    for i, row in enumerate(table.tables("options")):
        row.reject_unknown_keys("when", "becomes")
        at = ("proof", "options", i)
        options.append(
            Least(term((*at, "when"), row.text("when"), BOOL), term((*at, "becomes"), row.text("becomes"), INT))
        )
    return ValueProof(
        term(("proof", "region"), table.text("region"), BOOL),
        term(("proof", "value"), table.text("value"), INT),
        tuple(options),
        ordered,
    )


# == shapes ===========================================================================================================
# Shapes of positions: the number of heaps, the smallest heap, its multiplicity, and the largest heap.
#
# These are folds over any number of heaps.  With `sorted` the shape also contains the heaps themselves, for positions
# of few heaps.  The shape of {h} + R follows from h and the shape of R (`add_heap`), and every shape of a position
# satisfies `possible`.  Both are obligations of the rule, proved by induction on the number of heaps.
@dataclass(frozen=True, eq=False)
class PositionShape:
    """The shape of a position: the numbers that describe it in a proof, as terms. All are 0 for the empty position.

    `heaps`: the number of heaps.
    `least`, `times`: the size of the smallest heap, and how many heaps have this size.
    `largest`: the size of the largest heap.
    `sizes`: the heaps in ascending order, followed by zeros. If the position has more heaps than `sizes` has entries,
    all entries are 0.
    """

    heaps: t.Term
    least: t.Term
    times: t.Term
    largest: t.Term
    sizes: tuple[t.Term, ...] = ()

    @property
    def parts(self) -> tuple[t.Term, ...]:
        return (self.heaps, self.least, self.times, self.largest, *self.sizes)

    def env(self) -> dict[str, object]:
        """Return the numbers by their names in a proof, such as "heaps"."""
        return dict(zip(names(len(self.sizes)), self.parts, strict=True))


def build_shape(parts: Iterable[t.Term]) -> PositionShape:
    heaps, least, times, largest, *sizes = parts
    return PositionShape(heaps, least, times, largest, tuple(sizes))


def empty(ordered: int = 0) -> PositionShape:
    """Return the shape of the empty position. Its `sizes` have the length `ordered`."""
    return PositionShape(ZERO, ZERO, ZERO, ZERO, (ZERO,) * ordered)


def possible(s: PositionShape) -> t.Term:
    """Return a condition that the shape of every position satisfies, such as 1 <= times <= heaps if heaps >= 1."""
    some = conjunction(
        at_least(s.heaps, ONE),
        at_least(s.least, ONE),
        at_least(s.times, ONE),
        at_most(s.times, s.heaps),
        at_least(s.largest, s.least),
        iff(equal(s.times, s.heaps), equal(s.largest, s.least)),
    )
    none = conjunction(*(equal(part, ZERO) for part in s.parts))
    in_order = (implies(equal(s.heaps, integer(count)), x) for count, x in _list_order_facts(s))
    return conjunction(disjunction(none, some), *in_order, _zero_sizes(s))


def _list_order_facts(s: PositionShape) -> Iterator[tuple[int, t.Term]]:
    """Yield (n, condition on `s.sizes` if there are n heaps) for each n from 1 to the number of sizes.

    The first n sizes are ascending, agree with `least`, `times` and `largest`, and are followed by zeros.
    """
    for count in range(1, len(s.sizes) + 1):
        used, rest = s.sizes[:count], s.sizes[count:]
        ascending = [at_most(a, b) for a, b in pairwise(used)]
        least = reduce(add, (choose(equal(x, s.least), ONE, ZERO) for x in used))
        ends = [equal(used[0], s.least), equal(used[-1], s.largest), equal(least, s.times)]
        yield count, conjunction(*ascending, *ends, *(equal(x, ZERO) for x in rest))


def _zero_sizes(s: PositionShape) -> t.Term:
    return implies(compare("gt", s.heaps, integer(len(s.sizes))), conjunction(*(equal(x, ZERO) for x in s.sizes)))


def add_heap(rest: PositionShape, heap: t.Term) -> PositionShape:
    """Return the shape of a position with one more heap. `rest`: the shape of the other heaps. `heap`: at least 1."""
    alone = equal(rest.heaps, ZERO)
    lower = disjunction(alone, less_than(heap, rest.least))
    again = choose(equal(heap, rest.least), add(rest.times, ONE), rest.times)
    return PositionShape(
        add(rest.heaps, ONE),
        choose(lower, heap, rest.least),
        choose(lower, ONE, again),
        choose(disjunction(alone, compare("gt", heap, rest.largest)), heap, rest.largest),
        tuple(_insert(rest, heap)),
    )


def _insert(rest: PositionShape, heap: t.Term) -> Iterator[t.Term]:
    """Yield the `sizes` of the shape after `heap` is inserted into `rest.sizes`.

    All are 0 if there are then more heaps than sizes.
    """
    there = [compare("gt", rest.heaps, integer(i)) for i in range(len(rest.sizes))]
    stays = [conjunction(there[i], at_most(x, heap)) for i, x in enumerate(rest.sizes)]
    for i, x in enumerate(rest.sizes):
        moved = heap if i == 0 else choose(conjunction(there[i - 1], negation(stays[i - 1])), rest.sizes[i - 1], heap)
        here = choose(stays[i], x, choose(at_least(rest.heaps, integer(i)), moved, ZERO))
        yield choose(less_than(rest.heaps, integer(len(rest.sizes))), here, ZERO)


def choose_shape(condition: t.Term, a: PositionShape, b: PositionShape) -> PositionShape:
    """Return a shape whose numbers are those of `a` if the condition holds, and those of `b` otherwise."""
    return build_shape(choose(condition, x, y) for x, y in zip(a.parts, b.parts, strict=True))


class ShapeReader(IntegerReader):
    """A translator of terms into obligations for solvers. A position is represented by its shape.

    The value of a position in the claim is translated as the formula of the proof, with the side condition that the
    position is in the region. A single heap s[i] has the side condition that s has at most `proof.ordered` heaps.
    The constructor raises Unsupported if a variable of the claim is neither an integer nor a position.
    """

    def __init__(self, claim: Claim, proof: ValueProof) -> None:
        refuse_others(claim)
        self.proof = proof
        self.about_positions = False  # whether terms of the claim are being read, not terms of the proof
        super().__init__(claim)  # reads the domains, so it needs the attributes above
        game = claim.games[0]
        self.players = self.number(dict(game.arguments)[game.ruleset.player_count], self.env)

    def empty(self) -> PositionShape:
        """Return the shape of the empty position, with as many sizes as the proof uses."""
        return empty(self.proof.ordered)

    def shape(self, name: str) -> PositionShape:
        """Return a shape of new variables, without assumptions. Their names contain `name`, the name of a position."""
        return build_shape(self.fresh(f"{part} of {name}") for part in names(self.proof.ordered))

    def some(self, name: str) -> PositionShape:
        """Return a shape of new variables, and assume that it is the shape of some position."""
        made = self.shape(name)
        self.assume(Reason.SHAPES, possible(made))
        return made

    def value(self, s: PositionShape) -> t.Term:
        """Return the value that the formula of the proof gives for a position of the shape s."""
        return self.number(self.proof.value, {**self.env, **s.env()})

    def region(self, s: PositionShape) -> t.Term:
        """Return the condition that positions of this shape are in the region."""
        return self.truth(self.proof.region, {**self.env, **s.env()})

    def next(self, value: t.Term) -> t.Term:
        """Return (value + 1) mod n for n players, if 0 <= value < n: the winner as counted one move earlier."""
        return choose(equal(add(value, ONE), self.players), ZERO, add(value, ONE))

    def pick_largest_heap(self, name: str) -> tuple[PositionShape, PositionShape, t.Term, tuple[t.Term, ...]]:
        """Return (shape s, shape R, h, assumptions): a position in the region, divided at a largest heap.

        s is the shape of the position, h a largest heap, and R the shape of the other heaps.
        `name`: the name of the position of the other heaps, which the names of variables contain.
        """
        rest, heap = self.shape(name), self.fresh("h")
        s = add_heap(rest, heap)
        return s, rest, heap, (possible(rest), at_least(heap, ONE), at_least(heap, rest.largest), self.region(s))

    def extend_rest(self, rest: PositionShape, size: t.Term) -> PositionShape:
        """Return the shape after a heap of `size` is added to heaps of the shape `rest`; `rest` if `size` is 0."""
        return choose_shape(equal(size, ZERO), rest, add_heap(rest, size))

    # -- the claim ----------------------------------------------------------------------------------------------------
    def claim_env(self) -> Env:
        """Return the values of the claim's variables, by name: a shape for each position.

        After this call, the translator accepts terms of the claim. Before it, only terms of the proof are accepted,
        which do not contain positions.
        """
        self.about_positions = True
        return {**self.env, **{v.name: self.some(v.name) for v in self.claim.variables if v.type == POSITION}}

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Return (variable or shape for an element of `source`, condition that every element satisfies).

        `source`: a range, a position (the elements are heaps), or a set of positions. Raises Unsupported for others.
        """
        found = self.read_element(source, env)
        if found is not None:
            return found
        assert source is not None
        if source.type == set_of(POSITION):
            return self.some("element"), YES
        if source.type != POSITION:
            instead = "state the claim for each element separately"
            raise Unsupported(
                f"{print_term(source)} is neither a range nor a position that rule value supports", instead=instead
            )
        s, heap = self._shape_of(source, env), self.fresh("heap")
        return heap, conjunction(at_least(s.heaps, ONE), at_least(heap, s.least), at_most(heap, s.largest))

    def _shape_of(self, term: t.Term, env: Env) -> PositionShape:
        if isinstance(term, t.Variable):
            found = env.get(term.name)
            if isinstance(found, PositionShape):
                return found
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                made = self.empty()
                for item in items:  # a separate obligation (defined) shows that none is negative
                    heap = self.number(item, env)
                    made = choose_shape(equal(heap, ZERO), made, add_heap(made, heap))
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
                if self.proof.ordered:
                    instead = "write the position heap by heap, or remove `sorted`"
                    raise Unsupported(f"{print_term(term)} is not supported in a proof with `sorted`", instead=instead)
                number = self.number(count, env)
                heaps = choose(compare("gt", number, ZERO), number, ZERO)
                each = choose(compare("gt", heaps, ZERO), integer(size), ZERO)
                return PositionShape(heaps, each, heaps, each)
        instead = "write the position heap by heap, or as position([c for i in range(0, N)])"
        raise Unsupported(f"{print_term(term)} is not a position that rule value supports", instead=instead)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of a number that depends on a position, such as len(s), in terms of the shape of s.

        Raises Unsupported if the shape does not determine the number. A separate obligation, *defined*, shows that the
        number is defined.
        """
        if not self.about_positions:
            return super().about_number(term, env)
        match term:
            case t.GameCall(function="value", args=(s, *_)):
                found = self._shape_of(s, env)
                self.side_conditions.append(self.region(found))
                return self.value(found)
            case t.Operation(op="len", args=(s,)) if s.type == POSITION:
                return self._shape_of(s, env).heaps
            case t.Operation(op="min" | "max" as op, args=(s,)) if s.type == POSITION:
                found = self._shape_of(s, env)
                return found.least if op == "min" else found.largest
            case t.Operation(op="occurrences", args=(s, t.Operation(op="min", args=(again,)))) if s.type == POSITION:
                if again.type == POSITION and self._shape_of(again, env) is self._shape_of(s, env):
                    return self._shape_of(s, env).times
            case t.Operation(op="index", args=(s, t.Literal(value=i))) if s.type == POSITION:
                if 0 <= i < self.proof.ordered:
                    found = self._shape_of(s, env)
                    self.side_conditions.append(at_most(found.heaps, integer(self.proof.ordered)))
                    return found.sizes[i]
        instead = "use the value, the number of heaps, the smallest and largest heap, and how often the smallest occurs"
        raise Unsupported(f"{print_term(term)} cannot be computed from the shape of a position", instead=instead)


# == rule =============================================================================================================
# The rule itself: n-player values in closed form, for any number of heaps, if each move reduces a largest heap.
#
# Heap sizes are integers without bound, and the number of players is a symbol.  The obligations, in order:
# 1. parameters;
# 2. shape, for the empty position, and for one more heap;
# 3. moves: a largest heap may become any smaller heap;
# 4. region closed;
# 5. range: 0 <= value < n;
# 6. empty: the value of a position without moves;
# 7. least: no option has a smaller value;
# 8. options cover, and each attains the value;
# 9. the claim.
#
# docs/rules/value.md describes why the rule is sound.
# -- kinds of obligations ---------------------------------------------------------------------------------------------
SHAPE_NONE, SHAPE_MORE = make_number_kind("shape of no heap"), make_number_kind("shape of one more heap")
MOVES = ObligationKind(
    "moves: a largest heap becomes anything smaller, and nothing else",
    "A largest heap cannot become every smaller size, or it can become another size",
    "Use another rule: this one is only for games in which a largest heap may become any smaller size",
)
FORMULA = ObligationKind(
    "the formula is defined",
    "`region`, `value` or a named move is undefined for some position",
    "Put a condition before the undefined operation, as in `A if B else C`, or make the region smaller",
)
CLOSED = ObligationKind(
    "region closed",
    "Some move leaves the region, and the formula holds only in the region",
    "Add the positions after a move, which have fewer heaps or a smaller heap instead of a largest heap",
    "no move leads out",
)
RANGE = ObligationKind(
    "range",
    "The formula gives a negative value, or a value of n or more",
    "Correct the formula: the value must be a number of turns from 0 to n - 1",
    "from 0 to n - 1",
)
EMPTY = ObligationKind(
    "empty",
    "The formula does not give 0 for the empty position",
    "Correct the formula: at the empty position, the mover cannot move and wins, so the value must be 0",
    "0 where nobody can move",
)
LEAST = ObligationKind(
    "least",
    "Some move gives the mover a smaller value than the formula states",
    "Correct the formula: it is too large for the position before this move, or too small for the position after it",
    "no option has less",
)
COVER = ObligationKind(
    "options cover",
    "For some position in the region, no [[proof.options]] names a move that attains the value",
    "Add a table [[proof.options]] whose `when` covers this position",
    "one of the moves below has it",
)
ATTAINS = ObligationKind(
    "option {number}: attains",
    "The named move is illegal, or does not attain the value of the formula",
    "Correct `becomes`, or restrict `when`",
    "legal, with the value",
)
CLAIM = claim_follows(
    "The claim does not follow from the formula, or mentions positions outside the region",
    "Add the condition of the region to `if`. With `sorted = 4` the claim may mention the single heaps of at most "
    'four. For a claim about an option, use rule = "folds", with this theorem as a lemma (`by`)',
)
OF_SHAPES = (SHAPE_NONE, SHAPE_MORE, MOVES, FORMULA, CLOSED, RANGE, EMPTY, LEAST, COVER, ATTAINS)
_DRAFT = {"region": "True", "value": "0", "options": [{"when": "True", "becomes": "0"}]}
FIT = RuleSuggestion(
    "n-player values of positions, if every move is on a largest heap",
    lambda shape: shape.asks(frozenset({"value"})) and _takes_from_largest(shape),
    "state in `region` the positions for which the formula holds, in `value` the formula by the number of heaps, the "
    "smallest heap and the largest heap, and in [[proof.options]] the moves that attain the value",
    lambda *_: ({**_DRAFT, **more} for more in ({}, {"sorted": MAX_SORTED})),
)
SUMMARY = (
    "The proof is by induction on the total of the heaps. If an option has the value v, then (v + 1) mod n is at least "
    "the claimed value, and equal to it for a named option. A position is described by its number of heaps, the "
    "smallest heap, how often the smallest heap occurs, and the largest heap."
)
TRUSTED = frozenset[Trusted]({TrustedPick("the largest heap"), TrustedRule("n-player values by the least option")})


def _takes_from_largest(shape: ClaimShape) -> bool:
    return all(m.choose == "largest" for g in shape.games for m in g.ruleset.moves)


# -- the obligations --------------------------------------------------------------------------------------------------
def list_obligations(
    claim: Claim, proof: ValueProof, defined: Iterator[DefinednessCondition]
) -> Iterator[ObligationBuilder[ShapeReader]]:
    """Yield all obligations of the proof, in the order of the report. Raises Unsupported for unsupported games.

    `defined`: the conditions under which the claim has a truth value.
    """
    ruleset = require_one_game(claim).ruleset
    move = ruleset.moves[0]
    if not (len(ruleset.moves) == 1 and move.choose == "largest" and ruleset.single_heap and ruleset.measure is None):
        words = f"{ruleset.id}: the rule supports moves of one kind, on a largest heap"
        raise Unsupported(words)
    if not (ruleset.player_count and ruleset.impartial and ruleset.stuck_wins):
        instead = 'use rule = "folds", "grundy" or "few heaps" for two players'
        words = f"{ruleset.id}: the rule needs n players with the same moves, where a player who cannot move wins"
        raise Unsupported(words, instead=instead)
    yield PARAMETERS.make_label(), _parameters
    for need in needs_of_game(claim, claim.games[0]):
        yield RULES.make_label(part=need.part, words=need.words), partial(_pose_defined, need=need)
    yield PRODUCT.make_label(), pose_product
    yield REMAINDERS.make_label(), pose_remainders
    yield SHAPE_NONE.make_label(), lambda q: Entailment((), possible(q.empty()))
    yield SHAPE_MORE.make_label(), _pose_grown
    yield MOVES.make_label(), _moves
    if undefined := list(_needs_of_formula(claim, proof)):
        yield FORMULA.make_label(), partial(_formula_defined, undefined=undefined)
    yield CLOSED.make_label(), _pose_closed
    yield RANGE.make_label(), _range
    yield EMPTY.make_label(), _empty
    yield LEAST.make_label(), _least
    yield COVER.make_label(), _cover
    for number in range(len(proof.options)):
        yield ATTAINS.make_label(number=number + 1), partial(_attains, number=number)
    for need in defined:
        yield DEFINED.make_label(words=need.words), partial(_pose_defined, need=need)
    yield CLAIM.make_label(), _claim


def _parameters(q: ShapeReader) -> Entailment:
    return Entailment((), conjunction(q.parameters(), at_least(q.players, integer(2))))


def _pose_grown(q: ShapeReader) -> Entailment:
    rest, heap = q.shape("the rest"), q.fresh("h")
    return Entailment((possible(rest), at_least(heap, integer(1))), possible(add_heap(rest, heap)))


def _moves(q: ShapeReader) -> Entailment:
    """Return the obligation that a move may change a largest heap h to any size y with 0 <= y < h, and to no other.

    It states: a legal pick leaves such a size; and for every such y, the pick h - y is legal and leaves y.
    Raises Unsupported unless a move picks one number.
    """
    (move,) = open_moves(q.claim.games[0], 0)
    if len(move.picks) != 1:
        raise Unsupported(f"{q.claim.games[0].ruleset.id}: the rule supports only moves that pick one number")
    (pick,) = move.picks
    heap, size = q.fresh("h"), q.fresh("y")
    legal, new = q.play(move, heap, q.free_picks(move))
    allowed, left = q.play(move, heap, {pick.word: sub(heap, size)})
    forth = implies(legal, conjunction(at_least(new, ZERO), less_than(new, heap)))
    back = implies(conjunction(at_least(size, ZERO), less_than(size, heap)), conjunction(allowed, equal(left, size)))
    return Entailment((at_least(heap, integer(1)),), conjunction(forth, back))


def _pose_closed(q: ShapeReader) -> Entailment:
    _, rest, heap, known = q.pick_largest_heap("the rest")
    size = q.fresh("y")
    return Entailment((*known, at_least(size, ZERO), less_than(size, heap)), q.region(q.extend_rest(rest, size)))


def _range(q: ShapeReader) -> Entailment:
    s = q.shape("s")
    return Entailment(
        (possible(s), q.region(s)), conjunction(at_least(q.value(s), ZERO), less_than(q.value(s), q.players))
    )


def _empty(q: ShapeReader) -> Entailment:
    nothing = q.empty()
    return Entailment((q.region(nothing),), equal(q.value(nothing), ZERO))


def _least(q: ShapeReader) -> Entailment:
    s, rest, heap, known = q.pick_largest_heap("the rest")
    size = q.fresh("y")
    shown = at_least(q.next(q.value(q.extend_rest(rest, size))), q.value(s))
    return Entailment((*known, at_least(size, ZERO), less_than(size, heap)), shown)


def _cover(q: ShapeReader) -> Entailment:
    s, _, _, known = q.pick_largest_heap("the rest")
    return Entailment(known, disjunction(*(q.truth(o.when, {**q.env, **s.env()}) for o in q.proof.options)))


def _attains(q: ShapeReader, number: int) -> Entailment:
    option = q.proof.options[number]
    s, rest, heap, known = q.pick_largest_heap("the rest")
    env = {**q.env, **s.env()}
    size = q.number(option.becomes, env)
    here = q.truth(option.when, env)
    attained = equal(q.next(q.value(q.extend_rest(rest, size))), q.value(s))
    return Entailment((*known, here), conjunction(at_least(size, ZERO), less_than(size, heap), attained))


# -- the claim --------------------------------------------------------------------------------------------------------
def _needs_of_formula(claim: Claim, proof: ValueProof) -> Iterator[DefinednessCondition]:
    """Yield the conditions under which the terms of the proof are defined.

    The region must be defined everywhere. The formula and the named options must be defined in the region.
    """
    inside: Path = (Guard(proof.region),)
    yield from needs(proof.region, (), claim)
    yield from needs(proof.value, inside, claim)
    for option in proof.options:
        yield from needs(option.when, inside, claim)
        yield from needs(option.becomes, (*inside, Guard(option.when)), claim)


def _formula_defined(q: ShapeReader, undefined: list[DefinednessCondition]) -> Entailment:
    s = q.shape("s")
    q.claim_env()
    return Entailment((possible(s),), q.require_defined(undefined, {**q.env, **s.env()}, q.element))


def _pose_defined(q: ShapeReader, need: DefinednessCondition) -> Entailment:
    env = q.claim_env()
    return Entailment((), q.require_defined([need], env, q.element))


def _claim(q: ShapeReader) -> Entailment:
    env = q.claim_env()
    q.assume_hypotheses(q.claim.hypothesis, env)
    if q.side_conditions:
        instead = "move this condition to the conclusion, where the rule proves that the position is in the region"
        words = "a hypothesis mentions the value of a position, which may be outside the region"
        raise Unsupported(words, instead=instead)
    shown = q.truth(q.claim.conclusion, env)
    return Entailment((), conjunction(shown, *q.side_conditions))


# -- the rule ---------------------------------------------------------------------------------------------------------
def _outline(claim: Claim, proof: ValueProof) -> Outline:
    """Return the summary of the proof for reports: the formula, the best moves, and the conclusion."""
    number = "this move" if len(proof.options) == 1 else f"one of these {len(proof.options)} moves"
    region = OutlineRow((say("the region"), say(proof.region)), (CLOSED.make_label().shown,))
    value = OutlineRow(
        (say("the value"), say(proof.value)), tuple(x.make_label().shown for x in (RANGE, EMPTY, LEAST, COVER))
    )
    moves = (
        OutlineRow((say_condition(option.when), say(option.becomes)), (ATTAINS.make_label(number=i).shown,))
        for i, option in enumerate(proof.options, 1)
    )
    claimed = OutlineRow((say(claim.conclusion),), (CLAIM.make_label().shown,))
    tables = (
        OutlineTable("value", "The value by shape", ("Part", "Definition"), (region, value)),
        OutlineTable("moves", f"The value is reached by {number}", ("When", "A largest heap becomes"), tuple(moves)),
        OutlineTable("claim", "Conclusion", ("Statement",), (claimed,)),
    )
    return Outline(SUMMARY, tables)


class ValueRule:
    """The implementation of the rule "value", which docs/rules/value.md describes."""

    name = "value"
    suggested_for = (FIT,)
    kinds = (PARAMETERS, RULES, PRODUCT, REMAINDERS, *OF_SHAPES, DEFINED, CLAIM)

    def read(self, section: ProofSection) -> ValueProof:
        return read_value(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfold_claim(claim)
        proof = plain.proof
        assert isinstance(proof, ValueProof)
        yield from build_sequents(
            list_obligations(plain, proof, needs_of_claim(claim)), partial(ShapeReader, plain, proof)
        )

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        assert isinstance(claim.proof, ValueProof)
        return _outline(claim, claim.proof)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the coverage of the proof: all integers and all positions. It also lists the trusted rules."""
        return ProofCoverage(bounds_of(claim, All()), TRUSTED)


VALUE = ValueRule()
