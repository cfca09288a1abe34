"""A translator of claims about positions of any number of heaps into sequents over folds.

A sequent is the form of an obligation. A fold is a number that is computed heap by heap.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace

from claims.language.files.claim import Claim, Game
from claims.language.files.domains import ElementsOf, IntervalDomain
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, structural_key, substitute
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, set_of
from encoders.logic.moves import HEAP
from encoders.logic.reader import Assumption, Env
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
    implies,
    integer,
    negation,
    opposite,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.shape import extreme_of, has_outcome, refuse_variable
from encoders.rules.folds.folding import Folding, FoldsTheory, match_mapping
from encoders.rules.folds.positions import (
    COUNT,
    NO_CUTS,
    Cuts,
    Extreme,
    Fold,
    OptionalHeap,
    Position,
    Times,
    make_position,
)
from encoders.rules.folds.questions import (
    At,
    ChangePlayed,
    GameAnswers,
    LemmaInstance,
    NamedOptions,
    ask_played,
    compare_sets,
    is_among,
    match_chosen,
)
from encoders.rules.folds.section import FoldsProof
from encoders.trust import Reason

# == written ==========================================================================================================
# The positions that terms denote: variables, positions written heap by heap, and positions computed from others.
#
# The section also reads lists of numbers and truth values that a claim writes out, and heaps in ascending order.
MOST_LISTED = 16  # the longest range that is expanded into its numbers


class PositionTermReader:
    """A translator of the terms that denote positions. Equal terms give the same `Position` object."""

    def __init__(self, theory: FoldsTheory, folding: Folding) -> None:
        self.theory, self.folding = theory, folding
        self._made: dict[object, Position] = {}  # by their heaps, or by the positions they are computed from
        self._without: dict[tuple[int, str], tuple[Position, Position]] = {}  # s, and the rest without an extreme
        self._drawn: dict[tuple[int, Hashable], tuple[Position, Position]] = {}  # s, and the rest without a heap
        self._kept: list[Position] = []  # keeps positions alive, because their ids are keys

    def position_of(self, term: t.Term, env: Env) -> Position:
        """Return the position that a term denotes. Raises Unsupported for other terms."""
        if isinstance(term, t.Variable):
            found = env.get(term.name)
            if isinstance(found, Position):
                return found
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                return self._write(items, env)
            case t.Operation(
                op="position",
                args=(
                    t.Comprehension(
                        body=body,
                        clauses=(
                            t.Clause(variable=name, source=t.Operation(op="range", args=(low, after)), conditions=()),
                        ),
                    ),
                ),
            ) if name not in find_free_names(body):
                return self._copy(self.theory.number(body, env), self._length(low, after, env))
            case t.Operation(op="replace", args=(source, heap, size)):
                found = extreme_of(heap)
                if found is not None and not found.times and structural_key(found.source) == structural_key(source):
                    return self._replace(self.position_of(source, env), found.which, self.theory.number(size, env))
                return self._change(source, heap, size, env)
            case t.Operation(op="join", args=(a, b)):
                return self._join(self.position_of(a, env), self.position_of(b, env))
        if (image := match_mapping(term)) is not None:
            return self._map(image, env)
        instead = "write the position heap by heap, or compute it from s: "
        instead += "s + [x], replace(s, h, x), position([h - 1 for h in s])"
        raise Unsupported(f"{print_term(term)} is not a supported position", instead=instead)

    def draw(self, s: Position, heap: t.Term, rest: Position) -> None:
        """Record that s consists of `heap` and the heaps of `rest`, so that replace(s, heap, x) is supported."""
        self._drawn[id(s), structural_key(heap)] = s, rest

    def is_drawn(self, s: Position, heap: t.Term) -> bool:
        """Whether `draw` has recorded this heap of s."""
        return (id(s), structural_key(heap)) in self._drawn

    def _change(self, source: t.Term, heap: t.Term, becomes: t.Term, env: Env) -> Position:
        """Return the position replace(source, heap, becomes).

        Raises Unsupported unless `draw` has recorded the heap, because otherwise the other heaps are unknown.
        """
        theory = self.theory
        s, h, size = self.position_of(source, env), theory.number(heap, env), theory.number(becomes, env)
        if not self.is_drawn(s, h):
            raise Unsupported(
                f"{print_term(heap)} is not a variable that ranges over {print_term(source)}, so the other heaps are "
                "unknown"
            )
        _, rest = self._drawn[id(s), structural_key(h)]
        key = "replaced", id(rest), structural_key(size)
        if key not in self._made:
            self._made[key] = theory.extend_rest(rest, self._size(size))
        return self._made[key]

    def _join(self, a: Position, b: Position) -> Position:
        """Return the sum of two positions, which contains the heaps of both.

        If heaps contribute to a fold independently, the fold of the sum is computed from the folds of the two
        positions. Otherwise, as for the smallest heap and columns, the fold of the sum is arbitrary, unless all heaps
        are listed.
        """
        if a.listed is not None and b.listed is not None:
            return make_position(self.theory.symbols, self.theory.highest, "sum", (*a.listed, *b.listed))
        key = "sum", *sorted((id(a), id(b)))
        if key not in self._made:
            made = self.theory.position(f"{a.name} + {b.name}")
            made.image = lambda fold: fold.join(a.fold(fold), b.fold(fold)) if isinstance(fold, Fold) else None
            self._made[key] = made
            self._kept += (a, b)
        return self._made[key]

    def _map(self, image: t.Comprehension, env: Env) -> Position:
        """Return the image of a position under a map of heaps.

        If the heaps of the position are listed, the heaps of the image are listed too. Otherwise the folds of the image
        are computed as folds of the original position.
        """
        theory = self.theory
        (clause,) = image.clauses
        s, mapping = self.position_of(clause.source, env), self.folding.read_mapping(image, env)
        key = "image", id(s), mapping.key
        if key not in self._made:
            self._kept.append(s)
            if s.listed is None:
                made, pull_back = theory.position(f"image of {s.name}"), self.folding.pull_back
                made.image = lambda fold: s.fold(pull_back(mapping, fold)) if isinstance(fold, Fold) else None
            else:
                heaps = ((conjunction(x.present, mapping.kept(x.heap)), mapping.becomes(x.heap)) for x in s.listed)
                sizes = [choose(there, size, ZERO) for there, size in heaps]
                listed = tuple(OptionalHeap(size, compare("gt", size, ZERO)) for size in sizes)
                made = make_position(theory.symbols, theory.highest, f"image of {s.name}", listed)
            self._made[key] = made
        return self._made[key]

    def _write(self, items: tuple[t.Term, ...], env: Env) -> Position:
        """Return the position with the heaps that a claim lists.

        A separate obligation shows that the numbers are valid heaps in all cases in which the claim uses the position.
        In other cases an invalid number counts as an absent heap, so that the facts about all positions remain true.
        """
        theory = self.theory
        numbers = [theory.number(item, env) for item in items]
        key = tuple(map(structural_key, numbers))
        if key not in self._made:
            heaps = map(self._size, numbers)
            listed = tuple(OptionalHeap(h, compare("gt", h, ZERO)) for h in heaps)
            self._made[key] = make_position(theory.symbols, theory.highest, "written", listed)
        return self._made[key]

    def _length(self, low: t.Term, after: t.Term, env: Env) -> t.Term:
        """Return `after` - `low`, the length of range(low, after) if this range is not empty."""
        last = self.theory.number(after, env)
        return last if isinstance(low, t.Literal) and low.value == 0 else sub(last, self.theory.number(low, env))

    def _copy(self, size: t.Term, number: t.Term) -> Position:
        """Return the position of `number` heaps of equal size.

        The position is empty if the size is not a valid heap size, or if the number is below 1.
        """
        key = "copies", structural_key(size), structural_key(number)
        if key not in self._made:
            heap, theory = self._size(size), self.theory
            is_heap = YES if isinstance(heap, t.Literal) and heap.value >= 1 else at_least(heap, ONE)
            many = choose(conjunction(at_least(number, ONE), is_heap), number, ZERO)
            self._made[key] = Position("written", theory.symbols, theory.highest, copies=(heap, many))
        return self._made[key]

    def _replace(self, s: Position, which: str, size: t.Term) -> Position:
        """Return s after its smallest (`which` = LEAST) or largest heap is changed to `size`.

        The result is arbitrary if s is empty.
        """
        theory = self.theory
        if (id(s), which) not in self._without:
            some = at_least(s.fold(theory.heaps), ONE)
            heap, rest = theory.split(s, some, s.name)
            theory.assume(Reason.EXTREME_HEAP, implies(some, equal(heap, s.fold(theory.extreme(which)))))
            self._without[id(s), which] = s, rest
        _, rest = self._without[id(s), which]
        key = "replaced", id(rest), structural_key(size)
        if key not in self._made:
            self._made[key] = theory.extend_rest(rest, self._size(size))
        return self._made[key]

    def _size(self, number: t.Term) -> t.Term:
        """Return the number if it is known to be a valid size; otherwise a variable for a size.

        The variable equals the number if the number is a valid size; otherwise the variable is 0.
        """
        return number if self.theory.is_size(number) else self._heap_or_none(number)

    def _heap_or_none(self, heap: t.Term) -> t.Term:
        theory = self.theory
        above = () if theory.highest is None else (at_most(heap, integer(theory.highest)),)
        made = theory.size("heap written down")
        theory.assume(Reason.WRITTEN, equal(made, choose(conjunction(at_least(heap, ZERO), *above), heap, ZERO)))
        return made


def number_of_list(theory: FoldsTheory, term: t.Term, env: Env) -> t.Term | None:
    """Return the number that a term denotes, if the term has one of these forms; None for other terms.

    - min(s), max(s) or s[i], for a position s whose heaps are known in ascending order;
    - a count over an explicit list.

    Raises Unsupported.
    """
    match term:
        case t.Operation(op="min" | "max" as op, args=(source,)) if heaps := _list_ordered_heaps(theory, source, env):
            return heaps[0 if op == "min" else -1]
        case t.Operation(op="index", args=(source, place)) if heaps := _list_ordered_heaps(theory, source, env):
            return _select_heap(heaps, theory.number(place, env))
        case t.Comprehension(reducer="count", body=body, clauses=(clause,)) if _is_list(clause.source):
            found: t.Term = ZERO
            for counts in _test_elements(theory, body, clause, env):
                found = add(found, choose(counts, ONE, ZERO))
            return found
    return None


def quantify_over_list(theory: FoldsTheory, term: t.Comprehension, clause: t.Clause, env: Env) -> t.Term | None:
    """Return the truth value of an `any` or `all` over an explicit list or set; None for other sources.

    A range with literal ends and at most MOST_LISTED numbers counts as a list. Raises Unsupported.
    """
    clause = replace(clause, source=_expand_range(clause.source))
    if not isinstance(clause.source, t.Collection):
        return None
    if term.reducer == "any":
        return disjunction(*_test_elements(theory, term.body, clause, env))
    return opposite(disjunction(*_test_elements(theory, opposite(term.body), clause, env)))


def _expand_range(source: t.Term) -> t.Term:
    match source:
        case t.Operation(op="range", args=(t.Literal(value=low), t.Literal(value=after))) if after - low <= MOST_LISTED:
            return t.Collection(source.type, source.start, source.end, tuple(map(integer, range(low, after))))
    return source


def _list_ordered_heaps(theory: FoldsTheory, source: t.Term, env: Env) -> list[t.Term]:
    """Return the heaps of a position whose heaps are known in ascending order; empty for other positions."""
    if isinstance(source, t.Variable) and source.type == POSITION:
        found = env.get(source.name)
        if isinstance(found, Position) and found.ordered and found.listed:
            return [x.heap for x in found.listed]
    return []


def _select_heap(heaps: list[t.Term], place: t.Term) -> t.Term:
    """Return the heap at an index from 0; an arbitrary heap of the list if the index is out of range."""
    if isinstance(place, t.Literal):
        return heaps[max(0, min(place.value, len(heaps) - 1))]
    found = heaps[-1]
    for i, heap in enumerate(heaps[:-1]):
        found = choose(equal(place, integer(i)), heap, found)
    return found


def _is_list(source: t.Term) -> bool:
    """Whether the source is an explicit list.

    A set is excluded: its elements cannot be counted one by one, because two of them may be equal.
    """
    return isinstance(source, t.Collection) and source.type.kind == "list"


def _test_elements(theory: FoldsTheory, body: t.Term, clause: t.Clause, env: Env) -> Iterator[t.Term]:
    """Yield a condition for each element of a list or set.

    It states that the element satisfies the body and the conditions of the clause.
    """
    assert isinstance(clause.source, t.Collection)
    for item in clause.source.items:
        said = (*clause.conditions, body)
        if isinstance(item, t.Literal) and item.type == INT:
            # Substitute the literal: the remainder of columns(s, m, r) must be a literal.
            yield conjunction(*(theory.truth(substitute(x, {clause.variable: item}), env) for x in said))
            continue
        inner = {**env, clause.variable: _read(theory, item, env)}
        yield conjunction(*(theory.truth(x, inner) for x in said))


def _read(theory: FoldsTheory, item: t.Term, env: Env) -> object:
    if item.type == BOOL:
        return theory.truth(item, env)
    if item.type == INT:
        return theory.number(item, env)
    if item.type == POSITION:
        return theory.position_of(item, env)
    if item.type == PLAYER:
        return theory.player(item, env)
    raise Unsupported(f"the element {print_term(item)} of a list is not a number, truth value, position or player")


# == reader ===========================================================================================================
# The reader itself, which combines positions, options, sets and lemmas.
class FoldReader(FoldsTheory):
    """A translator of the terms of a claim about integers, a position, and the folds of the position.

    Raises Unsupported for a variable with an unsupported domain.
    """

    def __init__(
        self, claim: Claim, proof: FoldsProof, lemmas: tuple[LemmaInstance, ...] = (), cuts: Cuts = NO_CUTS
    ) -> None:
        super().__init__(claim, proof, cuts)
        self.options = NamedOptions(self)
        self.written = PositionTermReader(self, self.folding)
        self.played: dict[At, ChangePlayed] = {}
        self.facts_known = True
        self.extremes_shown = False  # whether the properties of extremes are proved elsewhere
        self.asked_who_wins = False
        self._declare()
        self.questions = GameAnswers(self, lemmas)
        self.lemma_facts = [(x.id, fact) for x in lemmas for fact in x.facts]
        folds = [(f.name, f.term) for f in proof.folds] + [fold for x in lemmas for fold in x.folds]
        self.named = {name: self.folding.fold_of_position(term) for name, term in folds}
        for name, fold in self.named.items():
            fold.label = name
            if isinstance(fold, Fold):
                fold.words = None
        self.heaps = self.count(YES, HEAP)
        if self.heaps not in self.named.values():
            self.heaps.label, self.heaps.words = "number of heaps", None

    def _declare(self) -> None:
        for v in self.claim.variables:
            if v.type == INT and isinstance(v.domain, IntervalDomain):
                low = self.number(v.domain.lo, self.root)
                found, inside = self.make_number(v.name, low, None if self.highest is None else integer(self.highest))
                self.assume(Reason.DOMAIN, inside)
                if v.domain.hi is not None:
                    self.assume(Reason.DOMAIN, at_most(found, self.number(v.domain.hi, self.root)))
                self.root = {**self.root, v.name: found}
            elif v.type == POSITION or isinstance(v.domain, ElementsOf):
                pass  # read on demand
            else:
                raise refuse_variable(v)
        if self.proof.assume is not None:
            self.assume(Reason.CASE, self.truth(self.proof.assume, self.root))

    # -- positions ----------------------------------------------------------------------------------------------------
    def draw(self, s: Position, name: str) -> t.Term:
        """Return an arbitrary heap of a position, as a variable with this name.

        The caller ensures that the position has a heap.
        """
        heap = self.size(name, low=1)
        self.written.draw(s, heap, self.add_split(s, YES, s.name, heap))
        return heap

    def position_of(self, term: t.Term, env: Env) -> Position:
        """Return the position that a term denotes. Raises Unsupported for other terms."""
        return self.written.position_of(term, env)

    def list_assumptions(self) -> Iterable[Assumption]:
        """Return the assumptions of the sequent.

        - The assumptions recorded so far.
        - If an option that the proof names satisfies a condition, the answer to "some option satisfies it" is yes.
        - If a position was split into a heap and a rest, this heap and the folds of the rest determine the folds of the
          position.
        - The facts of the proof and of lemmas, and the properties of the smallest and largest heap, hold for every
          position whose heaps are unknown.
        """
        # Answers may create folds and splits, so they are collected first.
        known = [Assumption(x, Reason.OPTION) for x in self.options.answers()]
        images = [x for x in (*self.free, *(x.of for x in self.splits)) if x.image is not None]
        direct = list(self.folding.made.values())
        for image in images:
            for fold in direct:
                image.fold(fold)  # creates a fold of the original position, which counts as a fold from here on
        for split in self.splits:
            folds = self.folding.made.values() if split.of.image is None else direct
            known.append(Assumption(implies(split.where, split.same_folds(folds)), Reason.FOLD))
        for position in self.free:
            for fold in self.folding.made.values() if position.image is None else direct:
                position.fold(fold)
            if self.extremes_shown:
                possible = self.folding.extremes.possible(position, self.heaps, self.folding.made)
                known += (Assumption(x, Reason.EXTREMES) for x in possible)
            if self.facts_known:
                known += [Assumption(self.fact(term, position), Reason.FACT) for _, term in self.proof.facts]
                for id, term in self.lemma_facts:
                    self.lemmas.setdefault(id, []).append(self.fact(term, position))
        return [*self.known, *known]

    def list_facts(self, sequent: Sequent) -> list[Assumption]:
        """Return true statements about the terms in a sequent, for use as assumptions.

        They define the remainders and quotients, and state that all folds of a position without heaps are 0.
        """
        names = {s.name for s in sequent.variables}
        plain = [x for x in self.folding.made.values() if not isinstance(x, Extreme | Times)]
        found: list[t.Term] = []
        for position in self.free:
            here = {x.key: position.values.get(x.key) for x in plain}
            occurring = {k: x for k, x in here.items() if isinstance(x, t.Variable) and x.name in names}
            if (number := occurring.pop(self.heaps.key, None)) is not None:
                found += (implies(equal(number, ZERO), equal(x, ZERO)) for x in occurring.values())
        return [*super().list_facts(sequent), *(Assumption(x, Reason.EMPTY) for x in found)]

    # -- terms about positions ----------------------------------------------------------------------------------------
    def about_number(self, term: t.Term, env: Env) -> t.Term:
        if (found := number_of_list(self, term, env)) is not None:
            return found
        match term:
            case t.Comprehension(clauses=(clause,)) if clause.source.type == POSITION:
                return self.position_of(clause.source, env).fold(self.folding.fold_of_term(term, env))
            case t.Operation(
                op="nim_sum" | "sum" | "len" | "occurrences" | "min" | "max" | "columns", args=(source, *_)
            ) if source.type == POSITION:
                return self.position_of(source, env).fold(self.folding.fold_of_term(term, env))
            case t.GameCall(function="value", game=name, args=(s, *_)) if self.proof.tells_values:
                return self.questions.value(self.claim.game(name), self.position_of(s, env))
        return super().about_number(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        self.asking = term
        match term:
            case t.Operation(
                op="eq" | "ne" as op, args=(t.GameCall(function="outcome", game=name, args=(s,)), t.Literal(value=v))
            ):
                found = self._outcome(self.claim.game(name), v, self.position_of(s, env))
                return found if op == "eq" else negation(found)
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == POSITION:
                same = self.same_position(self.position_of(a, env), self.position_of(b, env))
                return same if op == "eq" else negation(same)
            case t.Operation(op="in", args=(x, group)) if x.type == POSITION:
                return is_among(self, x, group, env)
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == set_of(POSITION):
                same = compare_sets(self, a, b, env)
                return same if op == "eq" else negation(same)
            case t.Operation(op="in", args=(item, s)) if s.type == POSITION:
                extreme = extreme_of(item)
                if extreme is not None and not extreme.times and structural_key(extreme.source) == structural_key(s):
                    return at_least(self.position_of(s, env).fold(self.heaps), ONE)
                held = self.folding.fold_of_term(t.Operation(INT, 0, 0, "occurrences", (s, item)), env)
                return at_least(self.position_of(s, env).fold(held), ONE)
            case t.Comprehension(reducer="any" | "all", clauses=(clause,)):
                return self._quantify(term, clause, env)
            case t.GameCall(function="legal", game=name, args=(s, after, mover)):
                game, player = self.claim.game(name), self.player(mover, env)
                return self._legal(game, player, self.position_of(s, env), self.position_of(after, env))
            case t.GameCall(function="terminal", game=name, args=(s, mover)):
                game, start = self.claim.game(name), self.position_of(s, env)
                return negation(self.some_option(game, start, self.player(mover, env), lambda _: YES))
            case t.GameCall(function="wins", game=name, args=(s, mover)):
                return self.wins(self.claim.game(name), self.position_of(s, env), self.player(mover, env))
        return super().about_truth(term, env)

    def _legal(self, game: Game, mover: int, s: Position, wanted: Position) -> t.Term:
        change = wanted.change
        if change is None or change.of is not s or not self.written.is_drawn(s, change.heap):
            return self.some_option(game, s, mover, lambda option: self.same_position(option, wanted))
        at = (id(wanted), mover, game.name)
        if at not in self.played:
            self.played[at] = ask_played(self, game, mover, change)
        return self.played[at].answer

    def wins(self, game: Game, s: Position, mover: int) -> t.Term:
        """Return the truth value of "the mover wins".

        The invariant of the proof determines the truth value. If there is no invariant, but lemmas or the definition of
        winning are used, they determine it.
        """
        if self.proof.tells_who_wins:
            return self.questions.wins(game, s, mover)
        self.asked_who_wins = True
        return negation(self.loses(s, mover))

    def some_option(self, game: Game, s: Position, mover: int, fits: Callable[[Position], t.Term]) -> t.Term:
        """Return the truth value of "some option x of s satisfies `fits(x)`".

        If a lemma contains this question, no lemmas are assumed about who wins at such an option.
        """
        within = self.questions.within

        def read_test(option: Position) -> t.Term:
            with self.questions.marking_lemma(within):
                return fits(option)

        return self.options.some(game, s, 0 if game.ruleset.impartial else mover, read_test)

    def _outcome(self, game: Game, outcome: int, s: Position) -> t.Term:
        """Return the truth value of "s has this outcome"; the outcome is given as an index into OUTCOMES."""
        return has_outcome(t.OUTCOMES[outcome], *(negation(self.wins(game, s, player)) for player in (0, 1)))

    def _quantify(self, term: t.Comprehension, clause: t.Clause, env: Env) -> t.Term:
        if (listed := quantify_over_list(self, term, clause, env)) is not None:
            return listed
        universal = term.reducer == "all"
        body = opposite(term.body) if universal else term.body
        source = clause.source
        if source.type == POSITION:
            fold = self.folding.fold(COUNT, body, clause.conditions, clause.variable, env)
            s = self.position_of(source, env)
            found: t.Term = at_least(s.fold(fold), ONE)
            if fold.fixed and s.listed is None:
                heap, _ = self.split(s, found, s.name, fold)
                self.assume(Reason.COUNTED, implies(found, fold.contributes(heap)))
        elif options := match_chosen(source):

            def fits(option: Position) -> t.Term:
                inner = {**env, clause.variable: option}
                return conjunction(*(self.truth(c, inner) for c in clause.conditions), self.truth(body, inner))

            found = options.has(self, env, fits)
        elif isinstance(source, t.Operation) and source.op == "range":
            found = self.symbols.truth("some number")
            number, inside = self.element(source, env)
            inner = {**env, clause.variable: number}
            some = conjunction(inside, *(self.truth(c, inner) for c in clause.conditions), self.truth(body, inner))
            self.assume(Reason.SOME_NUMBER, implies(found, some))  # one direction only, so the proof may fail
        else:
            instead = "quantify over the heaps of a position"
            words = f"{print_term(source)} is neither a position, a range, nor the options of a position"
            raise Unsupported(words, instead=instead)
        return negation(found) if universal else found

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Return an arbitrary element of `source`, and the condition that it is an element. Raises Unsupported.

        `source`: None for an arbitrary heap.
        If the source is a set of options, the element is an arbitrary position. A statement that holds for all
        positions also holds for the options.
        """
        if source is None:
            return self.size("heap", low=1), YES
        if source.type == set_of(POSITION):
            return self.position("element"), YES
        match source:
            case t.Operation(op="range", args=(low, after)):
                last = sub(self.number(after, env), ONE)
                return self.make_number("element", self.number(low, env), last)
        if source.type != POSITION:
            instead = "state the claim for each element separately"
            raise Unsupported(f"{print_term(source)} is not a supported collection", instead=instead)
        s = self.position_of(source, env)
        if s.listed is None:
            return self.split(s, YES, s.name)[0], YES
        heap = self.size("heap", low=1)
        return heap, disjunction(*(conjunction(x.present, equal(heap, x.heap)) for x in s.listed))
