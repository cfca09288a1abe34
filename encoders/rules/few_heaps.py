"""The proof rule "few heaps" and its [proof] section, for the winner from, or Grundy values of, few heaps of any size.

    [proof]
    rule = "few heaps"
    heaps = ["a", "b"]                    # the heaps in ascending order, 0 for a missing heap
    after = ["c", "d"]                    # the heaps after a move, for lemmas; optional

    [proof.loses]                         # the invariant: where the mover loses; one for each player if they differ
    mover = "a == b"

    [proof.lemmas."no other root"]        # a statement about all integers in these ranges, proved once
    for = { x = "0..", n = "0.." }
    holds = "implies(x * x == 2 * n * n, x == 0)"
    measure = "x"                         # by induction: assume the lemma at `smaller`, if the measure is less
    smaller = [{ x = "n", n = "x - n" }]
    at = [{ x = "a", n = "b" }]           # the values at which the proof uses it, at every position

    [proof.numbers.n]                     # a number defined for a position: the least that satisfies a condition
    when = "a >= 1"
    least = "1..a"                        # the last number of this range must satisfy the condition
    with = "n * n >= a"

    [[proof.moves]]                       # named moves, as in a proof by folds
    when = "a < b"
    heaps = ["b"]                         # in the order of the heaps in the ruleset's move
    take = { m = "b - a" }

Instead of [proof.loses]:

    value = "a + b"                       # the Grundy value of a position
    below = "v"                           # the name of a smaller value, to which the named moves lead

See docs/rules/few-heaps.md for the rule and why it is sound.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import pairwise, permutations
from typing import ClassVar

from claims.language.errors import format_count
from claims.language.files.claim import Claim, Game, Proof, unfold_claim
from claims.language.files.proofs import ProofSection, leads_to_loss, read_losses, read_player
from claims.language.files.rulesets import Move
from claims.language.files.toml import Keys, TomlTable, format_value
from claims.language.syntax import terms as t
from claims.language.syntax.grammar import is_name
from claims.language.syntax.printing import print_term, structural_key, walk
from claims.language.syntax.terms import BOOL, INT, POSITION, Term, Type
from encoders.logic.definedness import DefinednessCondition, Guard, Over, measure, needs_of_claim, needs_of_game
from encoders.logic.integers import PRODUCT, REMAINDERS, bounds_of, pose_product, pose_remainders
from encoders.logic.moves import WHOLE, OpenMove, open_choices, parameter_bounds, refuse_picks
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequents import (
    ONE,
    ZERO,
    Sequent,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    implies,
    less_than,
    negation,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.lemmas import LEMMA, LemmaReader, LemmaSection, NamedLemma, Values, pose_lemma, show_lemmas
from encoders.rules.base.rule import (
    ObligationBuilder,
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    ProofCoverage,
    ProofServices,
    build_sequents,
    join_parts,
    name_of,
    say,
    say_assignments,
    say_condition,
)
from encoders.rules.base.shape import (
    DEFINED,
    MEASURE,
    PARAMETERS,
    RULES,
    WHO_WINS,
    ClaimShape,
    RuleSuggestion,
    claim_follows,
    has_outcome,
    lose_everywhere,
    make_unused_names,
    refuse_others,
    require_one_game,
    shape_of,
)
from encoders.rules.base.turns import (
    KEEPS_VALUE,
    LEADS_TO_LOSS,
    NATURAL,
    OF_WHO_WINS,
    VALUES,
    MoveNames,
    MoverPair,
    find_stuck,
    list_winning_obligations,
    show_loss,
    show_moves,
    turns_of,
)
from encoders.trust import All, ObligationKind, ObligationLabel, Reason, TrustedRule

# == section ==========================================================================================================
MOST_HEAPS = 4


@dataclass(frozen=True, eq=False)
class LeastNumberDefinition:
    """A named number of a position: if `when` holds, the least number in lo..hi that satisfies `having`.

    An obligation shows that `hi` satisfies `having`, so that such a number exists.
    """

    name: str
    when: Term
    lo: Term
    hi: Term
    having: Term


@dataclass(frozen=True, eq=False)
class FewHeapsMove:
    """A named move at positions where `when` holds: any move of the ruleset on these heaps that makes these picks.

    `player`: the index of the player who makes the move; None for every player.
    `number`: the number of the [[moves]] table of the ruleset that contains the move; None for any table.
    `heaps`: for each heap that the ruleset's move chooses, the index of the chosen heap in the ascending order.
    `take`: the numbers picked, by name.
    `to_loss`: whether the move must lead to a position that the next player loses. Otherwise the move only shows that a
    legal move exists.
    """

    player: int | None
    when: Term
    number: int | None
    heaps: tuple[int, ...]
    take: Values
    to_loss: bool


@dataclass(frozen=True, eq=False)
class FewProof(Proof):
    """A [proof] section of the rule "few heaps".

    `heaps`: the names of the heaps in terms, smallest first.
    `lemmas`, `numbers`, `moves`: the named lemmas, numbers of a position, and moves.
    `loses`: for each player index, the condition that this player, to move, loses; () if `value` is given.
    `after`: the names of the heaps after a move, in ascending order, for the values at which lemmas are used; () if
    there are no such names.
    `value`: the Grundy value of a position; None if `loses` is given.
    `below`: the name of a smaller value, to which the named moves lead; "" without `value`.
    """

    rule: ClassVar[str] = "few heaps"
    heaps: tuple[str, ...]
    lemmas: tuple[NamedLemma, ...]
    numbers: tuple[LeastNumberDefinition, ...]
    loses: tuple[tuple[int, Term], ...]
    moves: tuple[FewHeapsMove, ...]
    after: tuple[str, ...] = ()
    value: Term | None = None
    below: str = ""


def read_few(section: ProofSection) -> FewProof:
    """Parse a [proof] section with rule = "few heaps". Raises ClaimError."""
    return _FewHeapsSectionParser(section).read()


class _FewHeapsSectionParser:
    """A parser of a [proof] section. It raises ClaimError.

    `names`: the names that a term may use, with their types. The parser adds each name that the section declares.
    """

    def __init__(self, section: ProofSection) -> None:
        if section.ruleset is None:
            problem = "the rule needs a claim about exactly one game"
            raise section.source.key_fault(("proof",), problem, 'a claim with a line ruleset = "..."')
        self.section, self.source, self.table = section, section.source, section.table
        self.ruleset = section.ruleset
        self.table.reject_unknown_keys(
            "rule", "heaps", "after", "loses", "value", "below", "lemmas", "numbers", "moves"
        )
        self.names: dict[str, Type] = dict(section.integers)
        self.lemmas = LemmaSection(section, self.names)

    def read(self) -> FewProof:
        heaps = self._heaps("heaps")
        if len(heaps) > MOST_HEAPS:
            raise self.source.fault(
                ("proof", "heaps"), f"'heaps' has {format_count(len(heaps), 'name')}", f"1 to {MOST_HEAPS} names"
            )
        loses, value = self._read_losing()
        numbers = tuple(self._number(name) for name in self.table.optional_table("numbers"))
        after = self._heaps("after", len(heaps)) if "after" in self.table.data else ()
        below = self._read_below(value)
        lemmas = self.lemmas.lemmas()
        for name in after:
            del self.names[name]
        rows = self.table.tables("moves") if "moves" in self.table.data else []
        moves = tuple(self._move(i, table, heaps, value is not None) for i, table in enumerate(rows))
        return FewProof(heaps, lemmas, numbers, loses, moves, after, value, below)

    def _read_losing(self) -> tuple[tuple[tuple[int, Term], ...], Term | None]:
        """Parse [proof.loses] or the key `value`, one of which must be present.

        Return the losing conditions by player index and None, or () and the Grundy value.
        """
        if "value" in self.table.data:
            if "loses" in self.table.data:
                problem = "a proof needs [proof.loses] or 'value', but not both"
                raise self.source.fault(("proof", "value"), problem, "one of them")
            return (), self._term(("proof", "value"), self.table.text("value"), INT)
        loses = read_losses(self.section, self.section.terms_over(self.names))
        if not loses:
            raise self.source.fault(
                ("proof", "loses"),
                "the losing positions are missing",
                'a line in [proof.loses], such as mover = "a == b"',
            )
        return loses, None

    def _read_below(self, value: Term | None) -> str:
        """Parse the key `below`, the name of a smaller value, and declare this name; "" for a proof without `value`."""
        if value is None:
            if "below" in self.table.data:
                raise self.source.fault(
                    ("proof", "below"), "'below' without 'value'", 'a line in [proof], such as value = "a + b"'
                )
            return ""
        below = self.table.text("below")
        self._declare(("proof", "below"), below)
        return below

    # -- names --------------------------------------------------------------------------------------------------------
    def _heaps(self, key: str, wanted: int | None = None) -> tuple[str, ...]:
        """Parse the list of names of heaps under `key`, and declare the names.

        `wanted`: the required number of names; None for any number.
        """
        names = self.table.texts(key, 'the names of the heaps in ascending order, ["a", "b"]')
        if not names or wanted not in (None, len(names)):
            problem = f"{len(names)} names" if names else "no heaps"
            expected = "a name for each heap" if wanted is None else f"a name for each of the {wanted} heaps"
            raise self.source.fault(("proof", key), problem, expected)
        for i, name in enumerate(names):
            self._declare(("proof", key, i), name)
        return names

    def _declare(self, keys: Keys, name: str) -> None:
        if not is_name(name) or name in {**self.names, **self.section.types, **self.section.definitions}:
            problem = f"the name {name!r} is taken" if is_name(name) else f"{format_value(name)} is not a name"
            raise self.source.key_fault(keys, problem, "a name that the claim and the proof do not use")
        self.names[name] = INT

    def _term(self, keys: Keys, text: str, kind: Type) -> Term:
        return self.lemmas.term(keys, text, kind)

    # -- numbers -----------------------------------------------------------------------------------------------------
    def _number(self, name: str) -> LeastNumberDefinition:
        at: Keys = ("proof", "numbers", name)
        table = self.lemmas.inner(at)
        table.reject_unknown_keys("when", "least", "with")
        when = self._term((*at, "when"), table.text("when"), BOOL)
        found = self.lemmas.range((*at, "least"), name, table.text("least"), self.names)
        if found.hi is None:
            expected = 'a range such as "1..a", whose last number satisfies the condition'
            raise self.source.fault((*at, "least"), "the range has no end", expected)
        self._declare(at, name)
        return LeastNumberDefinition(
            name, when, found.lo, found.hi, self._term((*at, "with"), table.text("with"), BOOL)
        )

    # -- the moves ----------------------------------------------------------------------------------------------------
    def _move(self, number: int, table: TomlTable, heaps: tuple[str, ...], to_value: bool) -> FewHeapsMove:
        """Parse the table [[proof.moves]] with the index `number`.

        `heaps`: the names of the heaps.
        `to_value`: whether the proof gives `value` instead of [proof.loses].
        """
        at: Keys = ("proof", "moves", number)
        table.reject_unknown_keys("when", "move", "heaps", "take", *(() if to_value else ("player", "to")))
        player = read_player(self.section, table)
        when = self._term((*at, "when"), table.text("when"), BOOL)
        chosen = table.texts("heaps", 'a list of the heaps that the move changes, such as ["b"]')
        for i, name in enumerate(chosen):
            if name not in heaps or name in chosen[:i]:
                problem = f"{name!r} occurs twice" if name in heaps else f"{name!r} is not a heap"
                raise self.source.fault((*at, "heaps", i), problem, f"one of {', '.join(heaps)}")
        wanted, kinds = self.kinds(at, table, len(chosen))
        known = list(dict.fromkeys(p.name for move in kinds for p in move.picks))
        take = []
        for name, text in table.expressions("take"):
            if name not in known:
                problem = f"this move of the game does not pick {name!r}"
                expected = f"one of {', '.join(known)}" if known else "no 'take', because this move has no picks"
                raise self.source.key_fault((*at, "take", name), problem, expected)
            take.append((name, self._term((*at, "take", name), text, INT)))
        to_loss = leads_to_loss(table)
        if not to_loss and not self.ruleset.stuck_wins:
            problem = "in normal play, each named move must lead to a loss"
            raise table.fault(
                "to", problem, "no line 'to', which is only for positions that the mover loses in misère play"
            )
        return FewHeapsMove(player, when, wanted, tuple(map(heaps.index, chosen)), tuple(take), to_loss)

    def kinds(self, at: Keys, table: TomlTable, width: int) -> tuple[int | None, list[Move]]:
        """Return the number under the key `move`, or None, and the kinds of moves that the named move may be.

        These are the kinds of moves on `width` heaps. If there is a number, they are only those in the [[moves]] table
        with this number. Raises ClaimError if there is no such kind of moves.
        """
        fits = [move for move in self.ruleset.moves if len(move.heaps) == width]
        if not fits:
            raise self.source.fault(
                (*at, "heaps"), f"no move of the game chooses {width} heaps", "as many heaps as a move chooses"
            )
        if "move" not in table.data:
            return None, fits
        wanted, numbers = table.data["move"], sorted({move.number for move in fits})
        if type(wanted) is not int or wanted not in numbers:
            expected = f"one of {', '.join(map(str, numbers))}"
            raise table.fault(
                "move",
                f"{format_value(wanted)} is not the number of a [[moves]] table with moves on {width} heaps",
                expected,
            )
        return wanted, [move for move in fits if move.number == wanted]


# == positions ========================================================================================================
# Positions of few heaps, as sizes in ascending order, 0 for a missing heap; and sequents over them.
Sizes = tuple[t.Term, ...]
Order = tuple[int | None, ...]
"""The heaps after a move, one entry for each, in the order of the new position.

An entry is the index of an unchanged heap before the move; -1, -2, ... for the first, second, ... new size; or None for
a missing heap.
"""


@dataclass(frozen=True, eq=False)
class FewHeapsPosition:
    """A position, described by its largest heaps and the number of further heaps.

    `sizes`: as many of the largest heaps as the proof names, in ascending order, 0 for a missing heap.
    `more`: the number of further heaps.
    """

    sizes: Sizes
    more: t.Term = ZERO


def is_ascending(sizes: Sizes) -> t.Term:
    """Return the condition that the sizes are in ascending order; equal sizes are allowed."""
    return conjunction(*(at_most(x, y) for x, y in pairwise(sizes)))


def count(sizes: Sizes) -> t.Term:
    """Return the number of sizes that are above 0, which is the number of heaps."""
    number: t.Term = ZERO
    for size in sizes:
        number = add(number, choose(at_least(size, ONE), ONE, ZERO))
    return number


def select_heap(sizes: Sizes, place: int) -> t.Term:
    """Return the heap with the index `place`, where the smallest heap has the index 0; 0 if there are fewer heaps.

    `sizes`: in ascending order, with 0 for each missing heap.
    """
    found: t.Term = ZERO
    for first in reversed(range(len(sizes))):
        here = sizes[first + place] if first + place < len(sizes) else ZERO
        found = choose(at_least(sizes[first], ONE), here, found)
    return found


def is_sorted_copy(sizes: Sizes, items: Sizes) -> t.Term:
    """Return the condition that `sizes` consists of the numbers in `items` in ascending order."""
    ways = (conjunction(*(equal(x, y) for x, y in zip(sizes, order, strict=True))) for order in permutations(items))
    return conjunction(disjunction(*ways), is_ascending(sizes))


# -- moves ------------------------------------------------------------------------------------------------------------
def choices(move: OpenMove, heaps: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to choose heaps for a move, as tuples of indices. The order of the chosen heaps matters."""
    return permutations(range(heaps), len(move.heaps))


def may_choose(move: OpenMove, sizes: Sizes, places: tuple[int, ...]) -> t.Term:
    """Return the condition that the heaps at these indices exist, and that the move may choose them."""
    there: list[t.Term] = [at_least(sizes[i], ONE) for i in places]
    for i in places:
        if move.choose == "largest":
            there.append(equal(sizes[i], sizes[-1]))
        elif move.choose == "smallest":
            there += (disjunction(equal(other, ZERO), at_most(sizes[i], other)) for other in sizes[:i])
    return conjunction(*there)


def orders(heaps: int, places: tuple[int, ...], new: int) -> Iterator[Order]:
    """Yield orders of the heaps after a move on the heaps with the indices `places`, which leaves `new` heaps.

    In an order, i >= 0 denotes the old heap i, -1 - i the new heap i, and None a missing heap. The other heaps keep
    their order. In at least one of the yielded orders the sizes are ascending. If several orders are ascending, they
    describe the same position. If one heap becomes one heap, it never moves behind a heap that it preceded, because
    the obligation *measure* shows that it becomes smaller.
    """
    kept = [i for i in range(heaps) if i not in places]
    made = [*(-1 - i for i in range(new)), *[None] * (len(places) - new)]
    seen: set[Order] = set()
    last = places[0] if len(places) == new == 1 else heaps
    for at in permutations(range(heaps), len(made)):
        if any(place > last for place in at):
            continue
        there = dict(zip(at, made, strict=True))
        rest = iter(kept)
        order = tuple(there[i] if i in there else next(rest) for i in range(heaps))
        if order not in seen:
            seen.add(order)
            yield order


def permute_sizes(sizes: Sizes, becomes: Sizes, order: Order) -> Sizes:
    """Return the sizes of all heaps after a move, in the given order.

    `sizes`: the heaps before the move. `becomes`: the new sizes of the heaps that the move changes. `order`: as
    `orders` yields it.
    """
    return tuple(ZERO if i is None else sizes[i] if i >= 0 else becomes[-1 - i] for i in order)


# -- sequents ---------------------------------------------------------------------------------------------------------
class FewReader(LemmaReader):
    """A translator of the claim's integers, of positions with few heaps and their named numbers, and of lemmas.

    Raises Unsupported for a variable that is neither an integer nor a position.
    """

    words = "a proof about few heaps"
    reads = "use only integers, and who wins from positions written heap by heap, as in position([x, y])"

    def __init__(self, claim: Claim, proof: FewProof) -> None:
        refuse_others(claim)
        self.proof = proof
        super().__init__(claim)  # reads the domains, so it needs the attributes above

    @property
    def game(self) -> Game:
        (game,) = self.claim.games
        return game

    # -- positions ----------------------------------------------------------------------------------------------------
    def position(self, of: str = "") -> Sizes:
        """Return new variables for the heaps of an arbitrary position, in ascending order, 0 for a missing heap.

        `of`: words that are appended to the name of each heap, to make the name of its variable.
        """
        sizes = tuple(self.symbols.integer(f"{name}{of}", 0) for name in self.proof.heaps)
        self.assume(Reason.IN_ORDER, is_ascending(sizes))
        return sizes

    def bind_heaps(self, sizes: Sizes) -> dict[str, object]:
        """Return the values of the names in a term about a position: the claim's integers and the heaps."""
        return {**self.env, **dict(zip(self.proof.heaps, sizes, strict=True))}

    def loses(self, sizes: Sizes, player: int) -> t.Term:
        """Return the condition that the player to move at the position loses.

        This is the invariant; in a proof of values, it is the condition that the Grundy value is 0.
        """
        who = 0 if self.game.ruleset.impartial else player
        if self.proof.value is not None:
            return equal(self.value(sizes), ZERO)
        return self.truth(dict(self.proof.loses)[who], self.bind_heaps(sizes))

    def value(self, sizes: Sizes) -> t.Term:
        """Return the Grundy value that the proof gives for the position."""
        assert self.proof.value is not None
        return self.number(self.proof.value, self.bind_heaps(sizes))

    def play_at(
        self, move: OpenMove, sizes: Sizes, places: tuple[int, ...], picks: Mapping[str, t.Term]
    ) -> tuple[t.Term, Sizes]:
        """Return the condition that a move on the heaps at these indices is legal, and the new sizes of these heaps."""
        return self.play_on(move, tuple(sizes[i] for i in places), picks, {WHOLE: FewHeapsPosition(sizes)})

    def somewhere(self, game: Game) -> Env:
        """Return the names that the rules of a game may contain, with their values.

        These are the claim's integers and, if the rules depend on the position, an arbitrary position.
        """
        return {**self.env, WHOLE: FewHeapsPosition(self.position())} if game.ruleset.sees_position else self.env

    def heap_of(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Return an arbitrary element of `source`, and the condition that it is an element.

        If `source` is None, return an arbitrary heap. If `env` contains a position, because the rules of the game
        depend on it, this is a heap of this position.
        """
        looked_at = source is None and WHOLE in env
        return self.element(t.Variable(POSITION, 0, 0, WHOLE) if looked_at else source, env)

    # -- lemmas and numbers -------------------------------------------------------------------------------------------
    def use_lemmas(self, env: Env) -> None:
        """Assume the lemmas at their listed values, except values with a name that is not in `env`."""
        self.learn_lemmas(self.proof.lemmas, env)

    def use_lemmas_after(self, env: Env, left: Sizes) -> None:
        """Assume the lemmas at those of their listed values that contain the name of a heap after a move.

        `left`: the sizes of the heaps after the move.
        """
        after = dict(zip(self.proof.after, left, strict=False))
        self.learn_lemmas(self.proof.lemmas, {**env, **after}, frozenset(after))

    def name_numbers(self, env: dict[str, object], numbers: Iterable[LeastNumberDefinition]) -> None:
        """Add a variable for each of these named numbers of a position to `env`, in order.

        Assume that the number is in its range and satisfies its condition, and that the preceding number in the range,
        if any, does not. This is true for the least such number.
        """
        for number in numbers:
            when, low, high = self.read_range(number, env)
            found = self.symbols.integer(number.name)
            last = self.truth(number.having, {**env, number.name: found})
            before = self.truth(number.having, {**env, number.name: sub(found, ONE)})
            least = disjunction(equal(found, low), negation(before))
            inside = conjunction(at_least(found, low), at_most(found, high), last, least)
            self.assume(Reason.LEAST_NUMBER, implies(when, inside))
            env[number.name] = found

    def read_range(self, number: LeastNumberDefinition, env: Env) -> tuple[t.Term, t.Term, t.Term]:
        """Return the condition under which the number exists, and the two ends of its range."""
        return self.truth(number.when, env), self.number(number.lo, env), self.number(number.hi, env)

    # -- terms about positions ----------------------------------------------------------------------------------------
    def position_of(self, term: t.Term, env: Env) -> FewHeapsPosition:
        """Return the position that a variable denotes. Raises Unsupported for other terms."""
        found = env.get(term.name) if isinstance(term, t.Variable) else None
        if isinstance(found, FewHeapsPosition):
            return found
        instead = "write the position heap by heap, as in position([x, y])"
        raise Unsupported(f"{print_term(term)} is not a supported position", instead=instead)

    def heaps(self, term: t.Term, env: Env) -> Sizes:
        """Return all heaps of a position. Add the side condition that the position has no further heaps."""
        found = self.position_of(term, env)
        if found.more is not ZERO:
            self.side_conditions.append(equal(found.more, ZERO))
        return found.sizes

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Return an arbitrary element of `source`, and the condition that it is an element.

        The source may be a position with any number of heaps. Raises Unsupported if it is a set of options.
        """
        if source is None or source.type != POSITION:
            return super().element(source, env)
        s, heap = self.position_of(source, env), self.fresh("heap")
        known = disjunction(at_least(s.more, ONE), *(equal(heap, size) for size in s.sizes))
        return heap, conjunction(at_least(heap, ONE), known)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of a number that depends on a position, such as len(s).

        The obligation *defined* shows separately that the number is defined.
        """
        match term:
            case t.Operation(op="len", args=(s,)) if s.type == POSITION:
                found = self.position_of(s, env)
                return add(count(found.sizes), found.more)
            case t.Operation(op="min", args=(s,)) if s.type == POSITION:
                return select_heap(self.heaps(s, env), 0)
            case t.Operation(op="max", args=(s,)) if s.type == POSITION:
                return self.heaps(s, env)[-1]
            case t.Operation(op="sum", args=(s,)) if s.type == POSITION:
                return reduce(add, self.heaps(s, env))
            case t.Operation(op="index", args=(s, t.Literal(value=place))) if s.type == POSITION and place >= 0:
                return select_heap(self.heaps(s, env), place)
            case t.Operation(op="occurrences", args=(s, item)) if s.type == POSITION:
                wanted = self.number(item, env)
                return self._total(s, env, lambda heap: choose(equal(heap, wanted), ONE, ZERO))
            case t.Comprehension(reducer="sum" | "count", clauses=(clause,)) if clause.source.type == POSITION:
                return self._total(clause.source, env, lambda heap: self._share(term, clause, env, heap))
        return super().about_number(term, env)

    def _total(self, s: t.Term, env: Env, share: Callable[[t.Term], t.Term]) -> t.Term:
        """Return the sum of `share(heap)` over all heaps of a position."""
        return reduce(add, [choose(at_least(heap, ONE), share(heap), ZERO) for heap in self.heaps(s, env)])

    def _share(self, term: t.Comprehension, clause: t.Clause, env: Env, heap: t.Term) -> t.Term:
        """Return the number that a heap contributes to a sum or a count."""
        met, inner = self._read_conditions(clause, env, heap)
        if term.reducer == "count":
            return choose(conjunction(met, self.truth(term.body, inner)), ONE, ZERO)
        return choose(met, self.number(term.body, inner), ZERO)

    def _read_conditions(self, clause: t.Clause, env: Env, heap: t.Term) -> tuple[t.Term, Env]:
        """Return the condition that a heap satisfies the clause, and the values of names inside the comprehension."""
        inner = {**env, clause.variable: heap}
        return conjunction(*(self.truth(x, inner) for x in clause.conditions)), inner

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == POSITION:
                pairs = zip(self.heaps(a, env), self.heaps(b, env), strict=True)
                same = conjunction(*(equal(x, y) for x, y in pairs))
                return same if op == "eq" else negation(same)
            case t.Operation(op="in", args=(item, s)) if s.type == POSITION:
                wanted = self.number(item, env)
                return conjunction(
                    at_least(wanted, ONE), disjunction(*(equal(wanted, heap) for heap in self.heaps(s, env)))
                )
            case t.Comprehension(reducer="any" | "all", clauses=(clause,)) if clause.source.type == POSITION:
                return self._quantify(term, clause, env)
        return super().about_truth(term, env)

    def _quantify(self, term: t.Comprehension, clause: t.Clause, env: Env) -> t.Term:
        """Return the truth value of an `any` or `all` over the heaps of a position.

        The body holds for some heap, or for every heap, that satisfies the conditions after `if`.
        """
        found = []
        for heap in self.heaps(clause.source, env):
            met, inner = self._read_conditions(clause, env, heap)
            there, body = conjunction(at_least(heap, ONE), met), self.truth(term.body, inner)
            found.append(conjunction(there, body) if term.reducer == "any" else implies(there, body))
        return disjunction(*found) if term.reducer == "any" else conjunction(*found)


# == claims ===========================================================================================================
# The claim itself: its statements about positions, in terms of the heaps in ascending order.
class ClaimReader(FewReader):
    """A translator of the terms of the claim.

    For a statement about single heaps of a position, the translator adds the side condition that the position has no
    further heaps.
    """

    def __init__(self, claim: Claim, proof: FewProof) -> None:
        self.written: dict[Hashable, FewHeapsPosition] = {}  # explicit positions, by their heaps
        super().__init__(claim, proof)

    def variables(self) -> Env:
        """Return the values of the claim's variables. The value of a position variable may have any number of heaps."""
        return {
            **self.env,
            **{v.name: self._make_position(f" of {v.name}") for v in self.claim.variables if v.type == POSITION},
        }

    def _make_position(self, of: str) -> FewHeapsPosition:
        sizes, more = self.position(of), self.symbols.integer(f"further heaps{of}", 0)
        self.assume(Reason.IN_ORDER, implies(at_least(more, ONE), at_least(sizes[0], ONE)))
        return FewHeapsPosition(sizes, more)

    def few_heaps(self) -> Entailment:
        """Return the obligation that, by the hypotheses, the claim's positions have only the heaps named in the proof.

        The side conditions of a hypothesis must follow from the earlier hypotheses.
        """
        env, goals, met = self.variables(), list[t.Term](), list[t.Term]()
        if self.claim.hypothesis is not None:
            for x in t.conjuncts(self.claim.hypothesis):
                met.append(self._pay(goals, met, partial(self.truth, x, env)))
        return Entailment((), conjunction(*goals, implies(conjunction(*met), _have_few(env))))

    def conclusion(self) -> Entailment:
        """Return the obligation that the claim holds, and that its positions have only the heaps named in the proof.

        `few_heaps` already states the second part. It is repeated so that the report names every hypothesis that the
        proof needs.
        """
        env = self.variables()
        self.assume_hypotheses(self.claim.hypothesis, env)
        return Entailment((), conjunction(_have_few(env), self.truth(self.claim.conclusion, env)))

    # -- positions ----------------------------------------------------------------------------------------------------
    def position_of(self, term: t.Term, env: Env) -> FewHeapsPosition:
        """Return the position that a variable or an explicit position denotes. Raises Unsupported for other terms."""
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                return self._write(term, items, env)
        return super().position_of(term, env)

    def _write(self, term: t.Term, items: tuple[t.Term, ...], env: Env) -> FewHeapsPosition:
        """Return the position that the claim writes as `term`, with the heaps `items`.

        The obligation *defined* shows separately that the heaps are not negative.
        Raises Unsupported if there are more heaps than the proof names.
        """
        missing = len(self.proof.heaps) - len(items)
        if missing < 0:
            instead = "add names to `heaps`"
            raise Unsupported(f"{print_term(term)} has more heaps than the proof names", instead=instead)
        heaps = (*(self.number(item, env) for item in items), *(ZERO,) * missing)
        key = tuple(map(structural_key, heaps))
        if key not in self.written:
            sizes = tuple(
                self.symbols.integer(f"{name} of {print_term(term)}", aside=True) for name in self.proof.heaps
            )
            self.assume(Reason.IN_ORDER, is_sorted_copy(sizes, heaps))
            self.use_lemmas(self.bind_heaps(sizes))
            self.written[key] = FewHeapsPosition(sizes)
        return self.written[key]

    # -- questions ----------------------------------------------------------------------------------------------------
    def about_number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.GameCall(function="grundy", args=(s,)):
                if self.proof.value is None:
                    words = f"{print_term(term, self.game.ruleset.players)}: the proof gives no values"
                    raise Unsupported(words, instead="write `value` and `below` instead of [proof.loses]")
                return self.value(self.heaps(s, env))
        return super().about_number(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.GameCall(function="wins", args=(s, mover)):
                return negation(self.loses(self.heaps(s, env), self.player(mover, env)))
            case t.Operation(
                op="eq" | "ne" as op, args=(t.GameCall(function="outcome", args=(s,)), t.Literal(value=v))
            ):
                found = self._outcome(t.OUTCOMES[v], self.heaps(s, env))
                return found if op == "eq" else negation(found)
        return super().about_truth(term, env)

    def _outcome(self, outcome: str, s: Sizes) -> t.Term:
        """Return the condition that s has the outcome."""
        return has_outcome(outcome, *(self.loses(s, player) for player in (0, 1)))


def _have_few(env: Env) -> t.Term:
    """Return the condition that the positions in `env` have no more heaps than the proof names."""
    return conjunction(*(equal(found.more, ZERO) for found in env.values() if isinstance(found, FewHeapsPosition)))


# == rule =============================================================================================================
# The rule itself: who wins from positions of at most a given number of heaps, or their Grundy values, for heaps and
# parameters without bound.
#
# The obligations, in order:
# 1. parameters: the games' parameters are legal;
# 2. the rules are defined;
# 3. measure: a move decreases the measure, so play ends;
# 4. lemmas, and the numbers of positions;
# 5. closed: for each kind of move on each choice of heaps, no move leads from a loss to a loss of the next player;
#    with `value`: the value is natural, and no move keeps the value;
# 6. cases: the named moves cover every position that is not a loss; with `value`: every position and smaller value;
# 7. each reply: its heaps exist, it is legal, and it leads to a loss; with `value`: to the smaller value;
# 8. stuck (misère play): a mover who loses can move;
# 9. the claim is defined, its positions have few heaps, and it follows.
#
# docs/rules/few-heaps.md describes why the rule is sound.
# -- kinds of obligations ---------------------------------------------------------------------------------------------
NUMBER = ObligationKind(
    "number {name}: there is one",
    "The last number of the range does not satisfy the condition, or the range is empty",
    "Widen the range until its last number satisfies the condition; a lemma may be needed",
    "there is one",
)
CLOSED = ObligationKind("closed{who}: {choice}", *LEADS_TO_LOSS, "no move leads to a loss")
CHANGES = ObligationKind("the value changes: {choice}", *KEEPS_VALUE, "no move keeps the value")
REACHED = ObligationKind(
    "reply {number}: leaves the value",
    "The position after the move need not have the smaller value",
    "Compute the value of the position after the move, whose heaps may be in another order. If it is not the smaller "
    "value, use another move there",
    "leaves the value",
)
FEW_HEAPS = ObligationKind(
    "the claim's positions have few heaps",
    "The hypotheses allow more heaps in a position of the claim than the proof names",
    "State the number of heaps under `if`, as in len(s) == 2, or name more heaps",
    "positions have few heaps",
)
CLAIM = claim_follows(
    "The claim does not follow from the invariant and the lemmas",
    "If the claim is false at these values, they are a counterexample. Otherwise add a lemma about these numbers",
)
OF_GAMES = (PARAMETERS, RULES, MEASURE, PRODUCT, REMAINDERS)
KINDS = (
    *OF_GAMES, DEFINED, LEMMA, NUMBER, CLOSED, CHANGES, NATURAL, *OF_WHO_WINS, REACHED, FEW_HEAPS, CLAIM,
)  # fmt: skip
MOST = 4  # heaps; with more heaps there are too many orders


def _asks_of_few_heaps(shape: ClaimShape) -> bool:
    few = shape.heaps is not None and 1 <= shape.heaps <= MOST
    return few and shape.asks(WHO_WINS) and not shape.asks(frozenset({"options"})) and shape.two_players


def _name_heaps(claim: Claim) -> list[str]:
    return [*make_unused_names(claim, "abcd"[: shape_of(claim).heaps])]


FIT = RuleSuggestion(
    "who wins, from positions with a bounded number of heaps and arbitrary moves",
    _asks_of_few_heaps,
    "name the heaps in ascending order (`heaps`), state in [proof.loses] where the mover loses, and in [[proof.moves]] "
    "a winning move for every other position",
    lambda claim, _: iter(({"heaps": _name_heaps(claim), "loses": lose_everywhere(claim)},)),
)
RULE = TrustedRule("few heaps")
OUTCOME = TrustedRule("outcome, by induction on the measure")


def _require_values(game: Game) -> None:
    """Raise Unsupported unless the game is under normal play, and both players have the same moves."""
    ruleset = game.ruleset
    if not ruleset.facts.normal:
        raise Unsupported(f"{ruleset.id} has misère play, and Grundy values need normal play")
    if not ruleset.impartial:
        instead = "state in [proof.loses] where each player loses"
        raise Unsupported(
            f"{ruleset.id} has players with different moves, and Grundy values need the same moves", instead=instead
        )


# -- the obligations --------------------------------------------------------------------------------------------------
def list_game_obligations(
    claim: Claim, proof: FewProof, stuck: Collection[int]
) -> Iterator[ObligationBuilder[FewReader]]:
    """List the obligations about the game: its rules, the lemmas, the numbers, and who wins or the values.

    `stuck`: the players who may be unable to move; see `find_stuck`. Raises Unsupported.
    """
    game = require_one_game(claim)
    of = f" of {game.ruleset.id}"
    moves = [move for turn in turns_of(game) for move in open_choices(game, turn.mover)]
    if any(parameter_bounds(game)):
        yield PARAMETERS.make_label(of=of), lambda q: Entailment((), q.parameters())
    for need in needs_of_game(claim, game, open_choices):
        yield RULES.make_label(part=need.part, words=need.words), partial(_rule_defined, game=game, need=need)
    smaller = measure(game, open_choices)
    yield MEASURE.make_label(of=of), lambda q: Entailment((), q.require_defined(smaller, q.somewhere(game), q.heap_of))
    if any(_divides(x) for x in walk((claim.hypothesis, claim.conclusion, proof, *moves))):
        yield PRODUCT.make_label(), pose_product
        yield REMAINDERS.make_label(), pose_remainders
    for lemma in proof.lemmas:
        yield LEMMA.make_label(name=lemma.name), partial(pose_lemma, lemma=lemma)
    for i, number in enumerate(proof.numbers):
        yield NUMBER.make_label(name=number.name), partial(_number, number=number, before=proof.numbers[:i])
    if proof.value is not None:
        yield NATURAL.make_label(), _pose_natural
    yield from list_winning_obligations(
        game,
        proof.moves,
        partial(_list_closed_obligations, proof),
        make_cover_pose,
        partial(_steps, by_value=proof.value is not None),
        stuck,
    )


def _rule_defined(q: FewReader, game: Game, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.require_defined([need], q.somewhere(game), q.heap_of))


def _divides(term: t.Term) -> bool:
    """Whether a term is a division by a term that is not a literal."""
    divides = isinstance(term, t.Operation) and term.op in ("floordiv", "mod")
    return divides and not isinstance(t.subterms(term)[1], t.Literal)


def list_claim_obligations(
    claim: Claim, defined: Iterator[DefinednessCondition]
) -> Iterator[ObligationBuilder[ClaimReader]]:
    """List the obligations that the claim is defined, that its positions have few heaps, and that the claim follows.

    `defined`: the conditions under which the claim has a truth value.
    """
    for need in defined:
        yield DEFINED.make_label(words=need.words), partial(_pose_defined, need=need)
    if any(v.type == POSITION for v in claim.variables):
        yield FEW_HEAPS.make_label(), ClaimReader.few_heaps
    yield CLAIM.make_label(), ClaimReader.conclusion


def _pose_defined(q: ClaimReader, need: DefinednessCondition) -> Entailment:
    """Return the obligation that the requirement `need` holds, for positions of any number of heaps.

    `need`: what an operation such as a division requires, and the conditions under which the claim evaluates the
    operation. Each of these conditions is translated under the assumption of the earlier ones.
    """
    path: list[Guard | Over] = []
    for step in need.path:
        path += map(Guard, t.conjuncts(step.term)) if isinstance(step, Guard) else (step,)
    return Entailment((), q.require_defined([replace(need, path=tuple(path))], q.variables(), q.element))


# -- integers ---------------------------------------------------------------------------------------------------------
def _number(q: FewReader, number: LeastNumberDefinition, before: tuple[LeastNumberDefinition, ...]) -> Entailment:
    """Return the obligation that the named number exists.

    If `when` holds, the range must not be empty, and its last number must satisfy the condition.
    `before`: the named numbers that precede this number in the proof.
    """
    env = q.bind_heaps(q.position())
    q.name_numbers(env, before)
    q.use_lemmas(env)
    when, low, high = q.read_range(number, env)
    return Entailment((when,), conjunction(at_most(low, high), q.truth(number.having, {**env, number.name: high})))


# -- who wins, and the value ------------------------------------------------------------------------------------------
def _pose_natural(q: FewReader) -> Entailment:
    """Return the obligation that the value of every position is a natural number."""
    sizes = q.position()
    q.use_lemmas(q.bind_heaps(sizes))
    return Entailment((), at_least(q.value(sizes), ZERO))


@dataclass(frozen=True, eq=False)
class Choice:
    """A kind of move, the indices of the heaps that it chooses, and an order of the heaps after the move."""

    move: OpenMove
    places: tuple[int, ...]
    order: Order


def list_choices(turn: MoverPair, heaps: tuple[str, ...]) -> Iterator[tuple[str, Choice]]:
    """Yield (name, choice) for each kind of move, each choice of its heaps, and each order of the heaps after the move.

    The name is a text such as "a, leaves a', b", in which an apostrophe marks a changed heap. Raises Unsupported.
    """
    moves = open_choices(turn.game, turn.mover)
    for kind, move in enumerate(moves, 1):
        which = f"move {kind} on " if len(moves) > 1 else ""
        for places in choices(move, len(heaps)):
            words = f"{which}{', '.join(heaps[i] for i in places)}"
            found = list(orders(len(heaps), places, len(move.becomes)))
            for order in found:
                left = (heaps[i] if i >= 0 else f"{heaps[places[-1 - i]]}'" for i in order if i is not None)
                yield words + (f", leaves {', '.join(left)}" if len(found) > 1 else ""), Choice(move, places, order)


def _list_closed_obligations(proof: FewProof, turn: MoverPair) -> Iterator[ObligationBuilder[FewReader]]:
    """List the obligations that no move leads from a loss to a loss, one for each choice; see `_pose_closed`.

    In a proof of values, they state instead that every move changes the value.
    """
    for words, choice in list_choices(turn, proof.heaps):
        yield label_closed(proof, turn, words), partial(_pose_closed, turn=turn, choice=choice)


def label_closed(proof: FewProof, turn: MoverPair, choice: str) -> ObligationLabel:
    """Return the label of the obligation that `_pose_closed` returns, for the choice with this name."""
    return CLOSED.make_label(who=turn.who, choice=choice) if proof.value is None else CHANGES.make_label(choice=choice)


def _pose_closed(q: FewReader, turn: MoverPair, choice: Choice) -> Entailment:
    """Return the obligation that the moves of a choice do not lead from a lost position to a lost position.

    A position is lost if the invariant says that the player to move loses. In a proof of values, the obligation is that
    the moves change the value. In both cases, the heaps after the move are assumed to be ascending in the order of the
    choice.
    """
    sizes, move, places = q.position(), choice.move, choice.places
    env = q.bind_heaps(sizes)
    q.use_lemmas(env)
    legal, becomes = q.play_at(move, sizes, places, q.free_picks(move))
    lost = (q.loses(sizes, turn.mover),) if q.proof.value is None else ()
    known = (*lost, may_choose(move, sizes, places), legal)
    natural = (at_least(size, ZERO) for size in becomes)  # by the measure
    left = permute_sizes(sizes, becomes, choice.order)
    q.use_lemmas_after(env, left)
    if q.proof.value is not None:
        return Entailment((*known, *natural, is_ascending(left)), negation(equal(q.value(left), q.value(sizes))))
    return Entailment((*known, *natural, is_ascending(left)), negation(q.loses(left, turn.following)))


def _start(q: FewReader, turn: MoverPair, at_loss: bool) -> tuple[dict[str, object], Sizes, tuple[t.Term, ...]]:
    """Return (names, sizes, assumptions) of an arbitrary position that the mover loses (`at_loss`) or does not lose.

    `names`: the values of the names that a term may use. In misère play, a position that the mover does not lose is
    assumed to have a heap: without heaps the mover wins at once.

    In a proof of values, the position is arbitrary. The number `below` is assumed to be a natural number smaller than
    the value of the position.
    """
    sizes = q.position()
    env = q.bind_heaps(sizes)
    q.name_numbers(env, q.proof.numbers)
    if q.proof.value is not None:
        below = env[q.proof.below] = q.symbols.integer(q.proof.below, 0)
        q.use_lemmas(env)
        return env, sizes, (less_than(below, q.value(sizes)),)
    q.use_lemmas(env)
    lost = q.loses(sizes, turn.mover)
    if at_loss:
        return env, sizes, (lost,)
    some = (at_least(sizes[-1], ONE),) if turn.game.ruleset.stuck_wins else ()
    return env, sizes, (negation(lost), *some)


def make_cover_pose(turn: MoverPair, whens: list[t.Term], at_loss: bool) -> Callable[[FewReader], Entailment]:
    """Return a builder of an obligation that named moves cover all positions that need such a move.

    These are the positions that the mover loses (`at_loss`), or all other positions. The obligation states that at each
    of them the condition of some named move holds.
    `whens`: the conditions of the named moves.

    In misère play, a player who cannot move wins. If this may happen although heaps are left (`turn.stuck`), the
    obligation about positions that the mover does not lose assumes that the mover has a move.
    """

    def ask(q: FewReader) -> Entailment:
        env, sizes, known = _start(q, turn, at_loss)
        if turn.stuck and not at_loss:
            known = (*known, _can_move(q, turn, sizes))
        return Entailment(known, disjunction(*(q.truth(when, env) for when in whens)))

    return ask


def _can_move(q: FewReader, turn: MoverPair, sizes: Sizes) -> t.Term:
    """Return the condition that some move is legal, with new variables for the numbers that are picked.

    Use it only as an assumption: if the mover can move, it is true for some values of these variables.
    """
    ways = []
    for move in open_choices(turn.game, turn.mover):
        for places in choices(move, len(sizes)):
            legal, _ = q.play_at(move, sizes, places, q.free_picks(move))
            ways.append(conjunction(may_choose(move, sizes, places), legal))
    return disjunction(*ways)


def _steps(
    turn: MoverPair, names: MoveNames, named: FewHeapsMove, by_value: bool
) -> Iterator[ObligationBuilder[FewReader]]:
    """List the obligations of a named move.

    `by_value`: whether the proof gives `value` instead of [proof.loses].
    """
    move = FewHeapsMoveObligations(turn, named)
    yield names.heap, move.has_heaps
    yield names.legal, move.is_legal
    if by_value:
        yield REACHED.make_label(number=names.number), move.reaches
    elif named.to_loss:
        yield names.to_loss, move.reaches


@dataclass(frozen=True, eq=False)
class _Played:
    """A kind of move that the named move may be.

    `there`: the condition that its heaps exist and may be chosen.
    `legal`: the condition that the move is legal on these heaps.
    `becomes`: the new sizes of the heaps.
    """

    there: t.Term
    legal: t.Term
    becomes: Sizes


@dataclass(frozen=True, eq=False)
class FewHeapsMoveObligations:
    """The obligations of one named move.

    If the move must lead to a loss, they are about all positions that the mover does not lose; otherwise they are about
    all positions that the mover loses.
    """

    turn: MoverPair
    named: FewHeapsMove

    def kinds(self) -> list[OpenMove]:
        """Return the kinds of moves that the named move may be. Raises Unsupported if there is none."""
        named, take = self.named, dict(self.named.take)
        chosen = [x for x in open_choices(self.turn.game, self.turn.mover) if len(x.heaps) == len(named.heaps)]
        found = [x for x in chosen if named.number in (None, x.number) and x.picks_by(take)]
        if not found:
            raise refuse_picks("a named move", take, self.turn.game.ruleset, len(named.heaps))
        return found

    def _play(self, q: FewReader) -> tuple[tuple[t.Term, ...], Env, Sizes, list[_Played]]:
        """Return (assumptions, values of names, sizes before the move, kinds of moves that the named move may be)."""
        env, sizes, known = _start(q, self.turn, not self.named.to_loss)
        heaps, take = self.named.heaps, q.values(self.named.take, env)
        kinds = self.kinds()
        played = [_Played(may_choose(x, sizes, heaps), *q.play_at(x, sizes, heaps, take)) for x in kinds]
        return (*known, q.truth(self.named.when, env)), env, sizes, played

    def has_heaps(self, q: FewReader) -> Entailment:
        known, _, _, played = self._play(q)
        return Entailment(known, disjunction(*(x.there for x in played)))

    def is_legal(self, q: FewReader) -> Entailment:
        known, _, _, played = self._play(q)
        if len(played) == 1:
            return Entailment((*known, played[0].there), played[0].legal)
        return Entailment(known, disjunction(*(conjunction(x.there, x.legal) for x in played)))

    def reaches(self, q: FewReader) -> Entailment:
        """Return the obligation that the move leads to a loss, or in a proof of values to the value `below`."""
        known, env, sizes, played = self._play(q)

        def reached(x: _Played) -> t.Term:
            return self._is_reached(q, env, sizes, x.becomes)

        if len(played) == 1:
            return Entailment((*known, played[0].there, played[0].legal), reached(played[0]))
        made = [(conjunction(x.there, x.legal), reached(x)) for x in played]
        return Entailment(
            (*known, disjunction(*(legal for legal, _ in made))), disjunction(*(conjunction(*x) for x in made))
        )

    def _is_reached(self, q: FewReader, env: Env, sizes: Sizes, becomes: Sizes) -> t.Term:
        """Return the condition that the next player loses the position after the move.

        In a proof of values, return the condition that the position after the move has the value `below`.
        """
        left = [permute_sizes(sizes, becomes, order) for order in orders(len(sizes), self.named.heaps, len(becomes))]
        if q.proof.value is None:
            return conjunction(*(implies(is_ascending(s), q.loses(s, self.turn.following)) for s in left))
        aim = q.number(t.Variable(INT, 0, 0, q.proof.below), env)
        return conjunction(*(implies(is_ascending(s), equal(q.value(s), aim)) for s in left))


# -- the outline ------------------------------------------------------------------------------------------------------
COLUMNS = ("When", "Heaps", "By picking")
OF_NUMBERS = ("Name", "Is the least", "With", "When")


_LOSSES = (
    "The proof names the losing positions, shows that no move leads from one of them to another, and gives a move to a "
    "losing position from every other position."
)
_VALUES = (
    "The proof gives the Grundy value of each position. Every move changes the value, and a named move reaches each "
    "smaller value."
)


def _outline(claim: Claim, proof: FewProof) -> Outline:
    """Return the outline of the proof, without empty tables. Raises Unsupported if the obligations cannot be listed."""
    turns = list(turns_of(claim.games[0]))
    names = " ≤ ".join(proof.heaps)
    shows = _LOSSES if proof.value is None else _VALUES
    summary = f"A position is written heap by heap, {names}, with 0 for a missing heap. {shows}"
    few = [FEW_HEAPS.make_label().shown] if any(v.type == POSITION for v in claim.variables) else []
    claimed = OutlineRow((say(claim.conclusion),), (*few, CLAIM.make_label().shown))
    if proof.value is None:
        who = OutlineTable("loses", "Who loses", ("Who", "Loses when"), tuple(_loses(proof, turn) for turn in turns))
        moves = [x for turn in turns for x in show_moves(turn, COLUMNS, proof.moves, partial(_lines, proof))]
    else:
        who = _say_value(proof, proof.value, turns)
        title = f"For every {proof.below} below the value, one of these moves leads to the value {proof.below}"
        moves = [OutlineTable("moves", title, COLUMNS, tuple(_list_replies(proof, turns)))]
    tables = (
        who,
        show_lemmas(proof.lemmas),
        OutlineTable("numbers", "Numbers of a position", OF_NUMBERS, tuple(_numbers(proof))),
        *moves,
        OutlineTable("claim", "Conclusion", ("Statement",), (claimed,)),
    )
    return Outline(summary, tuple(table for table in tables if table.lines))


def _loses(proof: FewProof, turn: MoverPair) -> OutlineRow:
    return show_loss(turn, dict(proof.loses)[turn.mover], _show_closed(proof, turn))


def _show_closed(proof: FewProof, turn: MoverPair) -> Iterator[tuple[str, str]]:
    """Yield (description, name) for each obligation that `_list_closed_obligations` lists."""
    shows = CLOSED.shows if proof.value is None else CHANGES.shows
    for words, _ in list_choices(turn, proof.heaps):
        yield f"{shows}: {words}", label_closed(proof, turn, words).name


def _say_value(proof: FewProof, value: Term, turns: Iterable[MoverPair]) -> OutlineTable:
    """Return the outline table for `value`, with all obligations except the obligations of named moves."""
    shown = [NATURAL.make_label().shown]
    for turn in turns:
        shown += [*_show_closed(proof, turn), *(label.shown for label, _ in turn.label_moves(()))]
    row = OutlineRow((say("A position"), say(value)), tuple(shown))
    return OutlineTable("loses", "The value", ("For", "Value"), (row,))


def _list_replies(proof: FewProof, turns: Iterable[MoverPair]) -> Iterator[OutlineRow]:
    """Yield the outline rows of the named moves in a proof of values."""
    for turn in turns:
        for _, named in turn.label_moves(proof.moves):
            for names, move in named:
                yield from _lines(proof, names, move)


def _numbers(proof: FewProof) -> Iterator[OutlineRow]:
    for n in proof.numbers:
        cells = (say(name_of(n.name)), say("from", n.lo, "to", n.hi), say_condition(n.having), say_condition(n.when))
        yield OutlineRow(cells, (NUMBER.make_label(name=n.name).shown,))


def _lines(proof: FewProof, names: MoveNames, named: FewHeapsMove) -> Iterator[OutlineRow]:
    if proof.value is not None:
        shown = [names.heap, names.legal, REACHED.make_label(number=names.number)]
    else:
        shown = [names.heap, names.legal, *((names.to_loss,) if named.to_loss else ())]
    heaps = join_parts([name_of(proof.heaps[i])] for i in named.heaps)
    yield OutlineRow(
        (say_condition(named.when), say(*heaps), OutlineCell(tuple(say_assignments(named.take)))),
        tuple(x.shown for x in shown),
    )


# -- the rule ---------------------------------------------------------------------------------------------------------
class FewHeapsRule:
    """The rule "few heaps", for positions that consist of at most four heaps of any size.

    See docs/rules/few-heaps.md.
    """

    name = "few heaps"
    suggested_for = (FIT,)
    kinds = KINDS

    def read(self, section: ProofSection) -> FewProof:
        return read_few(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfold_claim(claim)
        proof = plain.proof
        assert isinstance(proof, FewProof)
        reader = partial(FewReader, plain, proof)
        if proof.value is not None:
            _require_values(require_one_game(plain))
        stuck = find_stuck(require_one_game(plain), proof.moves, make_cover_pose, reader, surroundings.decide)
        yield from build_sequents(list_game_obligations(plain, proof, stuck), reader)
        yield from build_sequents(
            list_claim_obligations(plain, needs_of_claim(claim)), partial(ClaimReader, plain, proof)
        )

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        assert isinstance(claim.proof, FewProof)
        return _outline(claim, claim.proof)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the range of the proof: all integers, and all positions that satisfy the hypotheses."""
        assert isinstance(claim.proof, FewProof)
        induction = OUTCOME if claim.proof.value is None else VALUES
        return ProofCoverage(bounds_of(claim, All()), frozenset({RULE, induction}))


FEW = FewHeapsRule()
