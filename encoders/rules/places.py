"""The proof rule "places" and its [proof] section, for the winner or Grundy values of heaps with lists of any length.

    [proof]
    rule = "places"
    loses = "X == 0"                      # the condition that the mover loses, over the folds and the claim's integers
    place = "top bit of X"                # how to choose the heap h and the place i of the moves below

    [proof.folds]                         # folds: names for nim-sums, sums or counts over the places of the lists
    X = "nim_sum(h.c[i] for h in s for i in range(len(h.c)) if i % 2 == 0)"

    [[proof.moves]]                       # a winning move, that is, a move to a position that the next player loses
    when = "i > 0"                        # the condition under which this move is made
    move = 2                              # the number of the [[moves]] table in the ruleset
    take = { i = "i", m = "h.c[i] - (h.c[i] ^ X)" }  # the numbers that the mover picks

A place is an index of a list. "top bit of X" means: a place whose term in X has a 1 at the highest binary digit of X.

A proof of Grundy values has these keys instead of `loses`:

    value = "X"                           # the Grundy value of a position
    below = "v"                           # a name for any smaller value; the moves below lead to this value
    place = "top bit of X ^ v"

See docs/rules/places.md for the rule and why it is sound.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from claims.language.files.claim import Claim, Proof, expand_definitions, unfold_claim
from claims.language.files.definitions import ExpressionContext
from claims.language.files.heaps import HeapShape
from claims.language.files.proofs import ProofSection
from claims.language.files.toml import Keys, TomlTable, format_value
from claims.language.syntax import terms as t
from claims.language.syntax.grammar import is_name
from claims.language.syntax.printing import find_free_names, print_term, substitute, walk
from claims.language.syntax.terms import BOOL, INT, Operation, Term, Variable, position_of
from encoders.logic.definedness import CONCLUSION, HYPOTHESIS, parts_of_play
from encoders.logic.integers import PRODUCT, REMAINDERS, pose_product, pose_remainders
from encoders.logic.moves import parameter_bounds
from encoders.logic.sequents import (
    ZERO,
    Sequent,
    at_least,
    conjunction,
    disjunction,
    equal,
    holds,
    implies,
    is_plain,
    less_than,
    negation,
    nim,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import (
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    ProofCoverage,
    ProofServices,
    WordingKind,
    build_sequent,
    name_of,
    say,
    say_assignments,
    say_condition,
)
from encoders.rules.base.shape import DEFINED, PARAMETERS, RULES, RuleSuggestion, claim_follows, refuse_variable
from encoders.rules.base.turns import COVERED, KEEPS_VALUE, LEADS_TO_LOSS, LEGAL, NATURAL, TO_LOSS, VALUES
from encoders.rules.folds.kinds import AIMED, COLUMN, LOWERED, OF_PICKS
from encoders.rules.folds.numbers import pose_aimed, pose_column, pose_lowered
from encoders.rules.heaps_of_lists import (
    NIM_SUM,
    PLACE,
    AnyPosition,
    AtChange,
    Heap,
    MoveEffect,
    OnOneWay,
    Picked,
    PlaceFold,
    PlacesGame,
    PlacesMoveBranch,
    SymbolicList,
    find_fold,
    make_heap,
    rows_of,
    says_alone,
    see_alone,
)
from encoders.rules.one_heap import read_number, read_picks
from encoders.rules.one_heap_terms import FlatEnv, Flattener, NimReader, Value, divides, pose_heaps, pose_with
from encoders.trust import All, ObligationKind, ObligationLabel, TrustedPick, TrustedRule

# == kinds ============================================================================================================
# The kinds of obligations of a proof over the places of lists, and the rules that it trusts.
TERMS = ObligationKind(
    "{name}: each place adds a number",
    "At some place of some heap, the term of the fold is undefined, or negative in a nim-sum or in the measure",
    "Exclude such places by a condition (`if`) in the fold; for the measure, correct the ruleset's file",
    "each place adds a number",
)
PLAYED = ObligationKind(
    "move {number} leaves a heap",
    "Some legal move is undefined, or leaves a heap that is not a heap of the game",
    "Correct the move, or `where` of [heap], in the ruleset's file",
    "leaves a heap",
)
SMALLER = ObligationKind(
    "move {number} makes the measure less",
    "Some legal move does not decrease the measure, or the measure is below 0",
    "Correct the move, or the measure, in the ruleset's file",
    "makes the measure less",
)
CLOSED = ObligationKind("move {number} is closed", *LEADS_TO_LOSS, "does not lead from a loss to a loss")
CHANGES = ObligationKind("move {number} changes the value", *KEEPS_VALUE, "changes the value")
EXISTS = ObligationKind(
    "pick: there is a place",
    'For "top bit of X", the nim-sum X may be 0 at a position that needs a move. For "top bit of X ^ k", it may be at '
    "most k",
    "Choose the place by a nim-sum that is larger at every such position",
    "there is such a place",
)
REACHED = ObligationKind(
    "reply {number}: leaves the value",
    "After the named move, the position may have another value than `below`",
    "Compute how the move changes the folds: at the chosen place, and at each place whose term uses a changed number",
    "leaves the value",
)
FOLLOWS = claim_follows(
    "The claim does not follow from the losing positions, or the values, of the proof",
    "If the claim is false at these values, they are a counterexample. Otherwise add the sums, nim-sums and counts in "
    "the claim to [proof.folds]",
)
KINDS = (
    PARAMETERS, RULES, PRODUCT, REMAINDERS, *OF_PICKS, TERMS, PLAYED, SMALLER, CLOSED, CHANGES, NATURAL, EXISTS,
    COVERED, LEGAL, TO_LOSS, REACHED, DEFINED, FOLLOWS,
)  # fmt: skip
RULE = TrustedRule("places")
OUTCOME = TrustedRule("outcome, by induction on the measure")
TOP_BIT = TrustedPick("top bit")


# == section ==========================================================================================================
PICKED_HEAP, PICKED_PLACE, POSITION_NAME = "h", "i", "s"
_TOP_BIT = re.compile(r"\s*top bit of (?P<sum>.+)", re.DOTALL)


@dataclass(frozen=True, eq=False)
class NamedFold:
    name: str
    term: Term


@dataclass(frozen=True, eq=False)
class PlaceChoice:
    """The key `place` of a proof: "top bit of X" or "top bit of X ^ k", where X is a nim-sum over places.

    It chooses a place whose term in X has a 1 at the highest binary digit of X, or of X ^ k.
    `name`: the name of the fold X.
    `aim`: k, the smaller number to which a move can change X; None for "top bit of X", where this number is 0.
    """

    name: str
    aim: Term | None


@dataclass(frozen=True, eq=False)
class PlacesMove:
    """A [[proof.moves]] table: a move on the chosen heap h at the chosen place i, made if `when` holds.

    `number`: the index of the [[moves]] table in the ruleset.
    `take`: pairs (name of a pick, picked number), with numbers as terms that may use h and i.
    """

    when: Term
    number: int
    take: tuple[tuple[str, Term], ...]


@dataclass(frozen=True, eq=False)
class PlacesProof(Proof):
    """A [proof] section of the rule "places".

    `position`: the name of the position in the folds.
    `loses`: the condition under which the player to move loses; None if `value` is given.
    `value`: the Grundy value of a position; None if `loses` is given.
    `below`: the name of an arbitrary value smaller than `value`; "" if `value` is not given. The named moves lead to
    positions with this value.
    `pick`: the choice of a place, from the key `place`; None for a proof without named moves.
    """

    rule: ClassVar[str] = "places"
    position: str
    folds: tuple[NamedFold, ...]
    loses: Term | None
    value: Term | None
    below: str
    pick: PlaceChoice | None
    moves: tuple[PlacesMove, ...]


def read_places(section: ProofSection) -> PlacesProof:
    """Return the proof in a [proof] section with rule = "places". Raises ClaimError for an invalid section."""
    table, ruleset = section.table, section.ruleset
    if ruleset is None or ruleset.heap is None:
        problem = "the rule needs a claim about one game whose heaps have lists"
        raise section.source.key_fault(("proof",), problem, "a claim about one game whose ruleset has [heap]")
    table.reject_unknown_keys("rule", "folds", "loses", "value", "below", "place", "moves")
    return _PlacesSectionParser(section, ruleset.heap).read()


class _PlacesSectionParser:
    def __init__(self, section: ProofSection, shape: HeapShape) -> None:
        self.section, self.source, self.shape, self.table = section, section.source, shape, section.table
        positions = [name for name, kind in section.types.items() if kind.is_position]
        if len(positions) > 1:
            expected = "a claim with at most one variable for a position"
            raise self.source.key_fault(("proof",), "the claim has several variables for positions", expected)
        self.position = positions[0] if positions else POSITION_NAME
        self.inner = section.terms_over(section.integers)

    def read(self) -> PlacesProof:
        folds = tuple(self._fold(name, text) for name, text in self.table.expressions("folds"))
        self.inner.types.update({fold.name: INT for fold in folds})
        loses, value, below = self._read_losing()
        pick = self._read_pick(folds, below) if "place" in self.table.data else None
        rows = self.table.tables("moves") if "moves" in self.table.data else []
        if rows and pick is None:
            expected = 'a line place = "top bit of X", with the name X of a nim-sum'
            raise self.source.key_fault(
                ("proof", "moves"), "the line 'place', which chooses the place of these moves, is missing", expected
            )
        moves = tuple(self._move(i, x, below) for i, x in enumerate(rows))
        return PlacesProof(self.position, folds, loses, value, below, pick, moves)

    def _fold(self, name: str, text: str) -> NamedFold:
        keys = ("proof", "folds", name)
        claim = ExpressionContext(self.source, self.section.facts, self.section.definitions, self.section.files)
        claim.types.update({self.position: position_of(self.shape.type), **self.section.types})
        term = claim.read_expression(keys, text, INT)
        if self._find(term) is None:
            expected = "nim_sum, sum or count over h in s, or over h in s for i in range(len(h.c)), with conditions"
            raise self.source.fault(keys, "this is not a fold over the places of lists", expected)
        self._refuse_taken(keys, name)
        return NamedFold(name, term)

    def _refuse_taken(self, keys: Keys, name: str) -> None:
        taken = (*self.section.types, *self.section.definitions, *self.inner.types, PICKED_HEAP, PICKED_PLACE)
        if not is_name(name) or name in taken:
            problem = f"the name {name!r} is taken" if is_name(name) else f"{format_value(name)} is not a name"
            raise self.source.key_fault(keys, problem, "a name that the claim and the proof do not use")

    def _read_losing(self) -> tuple[Term | None, Term | None, str]:
        """Return the parsed keys (`loses`, `value`, `below`). Missing keys are None, None and ""."""
        if ("loses" in self.table.data) == ("value" in self.table.data):
            expected = 'loses = "X == 0", or value = "X" and below = "v"'
            problem = "a proof needs 'loses' or 'value', but not both"
            raise self.source.key_fault(("proof",), problem, expected)
        if "loses" in self.table.data:
            if "below" in self.table.data:
                raise self.source.fault(
                    ("proof", "below"), "'below' without 'value'", 'a line in [proof], such as value = "X"'
                )
            return self.inner.read_expression(("proof", "loses"), self.table.text("loses"), BOOL), None, ""
        value, below = (
            self.inner.read_expression(("proof", "value"), self.table.text("value"), INT),
            self.table.text("below"),
        )
        self._refuse_taken(("proof", "below"), below)
        return None, value, below

    def _read_pick(self, folds: tuple[NamedFold, ...], below: str) -> PlaceChoice:
        keys, text = ("proof", "place"), self.table.text("place")
        expected = '"top bit of X" with the name X of a nim-sum, or "top bit of X ^ v" with a number v of the proof'
        sums = {fold.name for fold in folds if self._is_nim_sum(fold)}
        if not (found := _TOP_BIT.fullmatch(text)):
            raise self.source.fault(keys, "unknown choice of a place", expected)
        match self._names_of_claim(below).read_expression(keys, found["sum"], INT, found.start("sum")):
            case Variable(name=name) if name in sums:
                return PlaceChoice(name, None)
            case Operation(op="nim", args=(Variable(name=name), aim)) if name in sums:
                if {fold.name for fold in folds}.isdisjoint(find_free_names(expand_definitions(aim))):
                    return PlaceChoice(name, aim)
        raise self.source.fault(
            keys, f"{found['sum'].strip()} is neither a named nim-sum nor X ^ k with a named nim-sum X", expected
        )

    def _is_nim_sum(self, fold: NamedFold) -> bool:
        """Whether a fold is a nim-sum over places."""
        found = self._find(fold.term)
        return found is not None and found.reducer == NIM_SUM and found.low is not None

    def _find(self, term: Term) -> PlaceFold | None:
        found = find_fold(expand_definitions(term), lambda position: position == self.position)
        return None if found is None else found[1]

    def _names_of_claim(self, below: str) -> ExpressionContext:
        """Return a context that parses terms over the claim's integers, the folds and `below` (unless it is "")."""
        return self.section.terms_over({**self.inner.types, **({below: INT} if below else {})})

    def _move(self, number: int, table: TomlTable, below: str) -> PlacesMove:
        at: Keys = ("proof", "moves", number)
        table.reject_unknown_keys("when", "move", "take")
        ruleset = self.section.ruleset
        assert ruleset is not None
        names = self._names_of_claim(below)
        if taken := {PICKED_HEAP, PICKED_PLACE} & set(self.section.types):
            problem = f"the claim has a variable {min(taken)!r}, the name of the heap or the place in named moves"
            raise self.source.key_fault(at, problem, "another name for the variable")
        names.types.update({PICKED_HEAP: self.shape.type, PICKED_PLACE: INT})
        when = names.read_expression((*at, "when"), table.text("when"), BOOL)
        which = read_number(table, "move", len(ruleset.moves))
        return PlacesMove(when, which, read_picks(table, names, ruleset.moves[which]))


# == theory ===========================================================================================================
# The statements of a proof over the places of lists, as terms over the numbers of its obligations.
Numbers = dict[str, t.Term]


class PlacesTheory:
    """A claim with a proof by the rule "places", and its statements as terms: who loses, and which moves are needed.

    `folds`: the folds of the proof, by name.
    `names`: the names of folds, by `PlaceFold.key`.
    `lows`: the lower bounds of variables in the obligations, by name.

    The constructor raises Unsupported for a game that the rule does not support.
    """

    def __init__(self, claim: Claim) -> None:
        assert isinstance(claim.proof, PlacesProof)
        self.claim, self.proof, self.board = claim, claim.proof, PlacesGame(claim)
        self.lows: dict[str, int] = {}
        self.folds = {fold.name: self._read_fold(fold.term) for fold in self.proof.folds}
        self.names: dict[Hashable, str] = {fold.key: name for name, fold in self.folds.items()}
        self.integers: Numbers = {v.name: t.Variable(INT, 0, 0, v.name) for v in claim.variables if v.type == INT}

    def _read_fold(self, term: t.Term) -> PlaceFold:
        found = find_fold(term, lambda name: name == self.proof.position)
        assert found is not None  # the parser of the section has checked it
        return found[1]

    # -- positions ----------------------------------------------------------------------------------------------------
    def make_heap(self) -> Heap:
        """Return a heap whose numbers are new variables. Record that its lists do not have negative lengths."""
        heap = make_heap(self.board.shape)
        self.lows |= {row.numbers.length.name: 0 for _, row in rows_of(heap)}
        return heap

    def conjoin_facts(self, heap: Heap) -> t.Term:
        """Return the conjunction of the facts that hold for every heap of the game.

        The facts cover only numbers that terms have mentioned, so translate all terms about the heap before this call.
        """
        known = self.board.conjoin_facts(heap)
        for part, x in zip(self.board.shape.parts, heap, strict=True):
            if isinstance(x, SymbolicList) and isinstance(part.lo, t.Literal):
                self.lows |= {number.name: part.lo.value for _, number in x.numbers.places}
        return known

    def anywhere(self) -> AnyPosition:
        """Return an arbitrary position, whose folds are variables."""
        return AnyPosition(self.names, self.lows)

    def change(self, before: Heap, after: Heap, picked: Picked | None = None) -> MoveEffect:
        return MoveEffect(self.board, before, after, self.names, self.lows, picked)

    def see(self, position: AtChange | AnyPosition) -> Numbers:
        """Return the values of the proof's folds at a position, by name."""
        return {name: position.value(fold) for name, fold in self.folds.items()}

    def see_both(self, change: MoveEffect) -> tuple[Numbers, Numbers]:
        """Return the values of the proof's folds before a move and after it, by name."""
        return self.see(AtChange(change, is_after=False)), self.see(AtChange(change, is_after=True))

    # -- statements ---------------------------------------------------------------------------------------------------
    @property
    def smaller(self) -> t.Variable:
        """The variable `below`, for the smaller Grundy value to which named moves lead."""
        return t.Variable(INT, 0, 0, self.proof.below)

    def value(self, at: Numbers) -> t.Term:
        """Return the Grundy value that the proof states for a position whose folds have the values `at`."""
        assert self.proof.value is not None
        return substitute(self.proof.value, at)

    def loses(self, at: Numbers) -> t.Term:
        """Return the condition that the mover loses a position whose folds have the values `at`.

        In a proof of values, this is the condition that the Grundy value is 0.
        """
        return equal(self.value(at), ZERO) if self.proof.loses is None else substitute(self.proof.loses, at)

    def start(self, at: Numbers) -> t.Term:
        """Return the condition under which the proof must name a move, if the folds have the values `at`.

        The condition is that the mover does not lose. In a proof of values it is 0 <= `smaller` < the Grundy value.
        """
        if self.proof.loses is not None:
            return negation(self.loses(at))
        return conjunction(at_least(self.smaller, ZERO), less_than(self.smaller, self.value(at)))

    def is_reached(self, after: Numbers) -> t.Term:
        """Return the condition that a named move reaches its goal, if the folds then have the values `after`.

        The goal is a position that the next player loses or, in a proof of values, that has the value `smaller`.
        """
        return self.loses(after) if self.proof.loses is not None else equal(self.value(after), self.smaller)

    def is_left(self, before: Numbers, after: Numbers) -> t.Term:
        """Return the condition on an arbitrary move: it does not lead from a losing position to a losing position.

        In a proof of values, the condition is that the move changes the value.
        `before`, `after`: the values of the folds before and after the move.
        """
        if self.proof.loses is not None:
            return negation(conjunction(self.loses(before), self.loses(after)))
        return negation(equal(self.value(before), self.value(after)))


class Spot:
    """The place that the key `place` of a proof chooses, and a move that changes the heap `heap` to `left`.

    The terms of named moves are first translated with variables for the folds. Then `settle` replaces these variables
    by the values of the folds, which are known only when the move is known.

    `place`: the variable for the chosen place.
    `before`, `after`: the values of the proof's folds before and after the move, by name.
    `here`: the values of the names in the terms of named moves.
    """

    def __init__(self, theory: PlacesTheory, pick: PlaceChoice, heap: Heap, left: Heap) -> None:
        self.theory, self.pick, self.heap = theory, pick, heap
        self.place = t.Variable(INT, 0, 0, f"{PICKED_PLACE}'")  # no name in a file contains this mark
        self.change = theory.change(heap, left, Picked(theory.folds[pick.name], self.place))
        self.before, self.after = theory.see_both(self.change)
        smaller = {theory.proof.below: theory.smaller} if theory.proof.below else {}
        folds = {name: t.Variable(INT, 0, 0, _name_there(name)) for name in theory.folds}
        named: dict[str, Value] = {PICKED_HEAP: heap, PICKED_PLACE: self.place}
        self.here: FlatEnv = {**theory.integers, **folds, **smaller, **named}

    def conjoin_facts(self) -> t.Term:
        """Return the assumptions about the chosen place, at a position where the proof must name a move.

        If the place is chosen at the "top bit of Y", the term t of the place satisfies (t ^ Y) < t.
        """
        added = self.change.compute_contribution()
        whole = nim(self.before[self.pick.name], find_aim(self.pick))
        return conjunction(*self.change.known, less_than(nim(added, whole), added), self.theory.start(self.before))

    def settle(self, term: t.Term) -> t.Term:
        """Return the term with each variable for a fold replaced by the fold's value before the move."""
        return substitute(term, {_name_there(name): value for name, value in self.before.items()})

    def list_ways(self, named: PlacesMove) -> Iterator[PlacesMoveBranch]:
        return self.theory.board.list_named(self.heap, named.number, dict(named.take), self.here)

    def meets(self, named: PlacesMove) -> t.Term:
        """Return the condition under which the named move is made at this place."""
        return OnOneWay().truth(named.when, self.here)


def _name_there(fold: str) -> str:
    return f"{fold} there"


def find_aim(pick: PlaceChoice) -> t.Term:
    """Return the number k to which a move can change the nim-sum X, for a place at "top bit of X ^ k"; 0 without k."""
    return ZERO if pick.aim is None else pick.aim


# == obligations ======================================================================================================
# The obligations of a proof over the places of lists, as terms over integers.
LabelledGoal = tuple[ObligationLabel, t.Term, t.Term]
"""An obligation: its label, the assumptions, the goal."""


def list_obligations(theory: PlacesTheory) -> Iterator[LabelledGoal]:
    """Yield the obligations about the game, the moves and the claim, in the order of the report. Raises Unsupported."""
    bounds = conjunction(*parameter_bounds(theory.board.game))
    if not is_plain(bounds, True):
        yield PARAMETERS.make_label(of=f" of {theory.board.game.ruleset.id}"), holds(True), bounds
    for name, fold in theory.folds.items():
        yield list_term_goals(theory, name, fold)
    yield from list_measure_goals(theory)
    for number in range(len(theory.board.game.ruleset.moves)):
        yield from list_move_goals(theory, number)
    yield from list_winning_goals(theory)
    yield from list_claim_goals(theory)


# -- the game ---------------------------------------------------------------------------------------------------------
def list_term_goals(theory: PlacesTheory, name: str, fold: PlaceFold, natural: bool = False) -> LabelledGoal:
    """Return the obligation that a fold's term is defined for every heap and place and, if `natural`, at least 0.

    `name`: the name of the fold in the label of the obligation.
    """
    heap, flat = theory.make_heap(), OnOneWay()
    place = None if fold.low is None else t.Variable(INT, 0, 0, PLACE)
    there, added = theory.board.add_at(flat, fold, heap, place)
    inside = (implies(there, at_least(added, ZERO)),) if natural else ()
    return TERMS.make_label(name=name), theory.conjoin_facts(heap), conjunction(*flat.owed, *inside)


def list_measure_goals(theory: PlacesTheory) -> Iterator[LabelledGoal]:
    """Yield an obligation for each fold in the measure of the ruleset: its terms are defined and not negative."""
    heap = theory.make_heap()
    change = theory.change(heap, heap)
    _weigh(theory, AtChange(change, is_after=False), OnOneWay())
    for i, fold in enumerate(change.folds.values()):
        yield list_term_goals(theory, "the measure" if i == 0 else f"the measure, {i + 1}", fold, natural=True)


def _weigh(theory: PlacesTheory, position: AtChange, flat: OnOneWay) -> t.Term:
    measure = theory.board.game.ruleset.measure
    assert measure is not None
    return flat.number(measure, {**theory.board.list_parameters(flat), "s": position})


def list_moves(theory: PlacesTheory, number: int) -> Iterator[tuple[str, Heap, PlacesMoveBranch]]:
    """Yield (name, heap, move) for the [[moves]] table with the index `number`, one for each possible case.

    The heap before the move has new variables in each case. The name is such as "1" or "1, way 2,".
    """
    ways = list(theory.board.list_ways(theory.make_heap(), number))
    for i, found in enumerate(ways):
        if not (is_plain(found.met, False) and is_plain(found.owed, True)):
            heap = theory.make_heap()
            way = list(theory.board.list_ways(heap, number))[i]
            yield f"{number + 1}" + (f", way {i + 1}," if i else ""), heap, way


def list_move_goals(theory: PlacesTheory, number: int) -> Iterator[LabelledGoal]:
    """Yield three obligations about the moves by the [[moves]] table with the index `number`, for each case.

    Each move leaves a heap of the game, decreases the measure, and does not lead from a losing position to a losing
    position. In a proof of values, the third obligation states instead that the move changes the value.
    """
    kind = CHANGES if theory.proof.loses is None else CLOSED
    for words, heap, way in list_moves(theory, number):
        yield (
            PLAYED.make_label(number=words),
            theory.conjoin_facts(heap),
            conjunction(way.owed, implies(way.met, way.is_heap)),
        )
        yield SMALLER.make_label(number=words), *_makes_less(theory, heap, way)
        show = theory.is_left(*theory.see_both(theory.change(heap, way.left)))
        yield kind.make_label(number=words), conjunction(theory.conjoin_facts(heap), way.met), show


def _makes_less(theory: PlacesTheory, heap: Heap, way: PlacesMoveBranch) -> tuple[t.Term, t.Term]:
    """Return (assumptions, goal) of the obligation that the move `way` from `heap` decreases the measure.

    Other obligations show that no term of the measure is negative. So the sum of the terms that the move does not
    change is assumed to be at least 0.
    """
    change, flat = theory.change(heap, way.left), OnOneWay()
    before, after = (_weigh(theory, AtChange(change, is_after=x), flat) for x in (False, True))
    rests = (at_least(rest, ZERO) for rest in change.rests.values())
    show = conjunction(*flat.owed, at_least(before, ZERO), less_than(after, before))
    return conjunction(theory.conjoin_facts(heap), way.met, *rests), show


# -- who wins ---------------------------------------------------------------------------------------------------------
def list_winning_goals(theory: PlacesTheory) -> Iterator[LabelledGoal]:
    """Yield the obligations about the named moves.

    At each position that needs a move, there is a place to choose, and the `when` of some named move holds. Each named
    move is legal and reaches its goal. In a proof of values, the first obligation is that no value is negative.
    """
    at, pick = theory.see(theory.anywhere()), theory.proof.pick
    if theory.proof.value is not None:
        yield NATURAL.make_label(), holds(True), at_least(theory.value(at), ZERO)
    if pick is None:
        yield COVERED.make_label(), holds(True), negation(theory.start(at))
        return
    aim = find_aim(pick)
    yield EXISTS.make_label(), theory.start(at), conjunction(at_least(aim, ZERO), less_than(aim, at[pick.name]))
    heap = theory.make_heap()
    spot = Spot(theory, pick, heap, heap)
    covered, known = disjunction(*(spot.meets(move) for move in theory.proof.moves)), spot.conjoin_facts()
    yield COVERED.make_label(), conjunction(theory.conjoin_facts(heap), known), spot.settle(covered)
    for i, named in enumerate(theory.proof.moves, 1):
        yield from list_reply_goals(theory, pick, i, named)


def list_reply_goals(theory: PlacesTheory, pick: PlaceChoice, number: int, named: PlacesMove) -> Iterator[LabelledGoal]:
    """Yield two obligations about a named move, for each case: it is legal, and it reaches its goal.

    The goal is a position that the next player loses or, in a proof of values, that has the smaller value.
    `number`: the number of the move in the labels, from 1.
    """
    kind = REACHED if theory.proof.loses is None else TO_LOSS
    heap = theory.make_heap()
    for at, _ in enumerate(Spot(theory, pick, heap, heap).list_ways(named)):
        words, own = f"{number}.{at}" if at else str(number), theory.make_heap()
        way = list(Spot(theory, pick, own, own).list_ways(named))[at]
        spot = Spot(theory, pick, own, way.left)
        known = conjunction(spot.meets(named), spot.conjoin_facts(), way.met)
        known = spot.settle(conjunction(theory.conjoin_facts(own), known))
        yield LEGAL.make_label(number=words), known, spot.settle(way.legal)
        yield (
            kind.make_label(number=words),
            spot.settle(conjunction(known, way.legal)),
            spot.settle(theory.is_reached(spot.after)),
        )


# -- the claim --------------------------------------------------------------------------------------------------------
def list_claim_goals(theory: PlacesTheory) -> Iterator[LabelledGoal]:
    """Yield the obligations about the claim: the terms of its folds are defined, it is defined, and it holds."""
    for v in theory.claim.variables:
        if not (v.type == INT or v.type.is_position):
            raise refuse_variable(v)
    position = theory.anywhere()
    flat = OnOneWay((), partial(_answer, theory, position))
    env: dict[str, Value] = {**theory.integers, **{v.name: position for v in theory.claim.variables if v.type != INT}}
    named = next((t.Variable(v.type, 0, 0, v.name) for v in theory.claim.variables if v.type.is_position), None)
    alone = False  # whether an earlier hypothesis states len(s) == 1
    for x in () if theory.claim.hypothesis is None else t.conjuncts(theory.claim.hypothesis):
        flat.met.append(flat.truth(see_alone(x, named) if alone and named else x, env))
        alone = alone or (named is not None and says_alone(x, named.name))
    conclusion = theory.claim.conclusion
    show = flat.truth(see_alone(conclusion, named) if alone and named else conclusion, env)
    unnamed = [fold for key, fold in position.folds.items() if key not in {x.key for x in theory.folds.values()}]
    for i, fold in enumerate(unnamed):
        yield list_term_goals(theory, "the claim" if i == 0 else f"the claim, {i + 1}", fold)
    yield DEFINED.make_label(words="the claim"), holds(True), conjunction(*flat.owed)
    yield FOLLOWS.make_label(), conjunction(*flat.met), show


def _answer(theory: PlacesTheory, position: AnyPosition, flat: Flattener, term: t.GameCall, env: FlatEnv) -> t.Term:
    """Return the translation of the question `term` about the game, from the proof's losing positions or values.

    Raises Unsupported unless the question is wins(s) or, in a proof of values, grundy(s), where s is the claim's
    position variable, whose value is `position`.
    """
    asked = term.args[0]
    if not isinstance(asked, t.Variable) or env.get(asked.name) is not position:
        question = print_term(term, theory.board.game.ruleset.players)
        words = f"{question}: the rule supports only questions about the position variable of the claim"
        raise Unsupported(words, instead="use a single position variable in the claim, and ask about it")
    at = theory.see(position)
    if term.function == "wins":
        return negation(theory.loses(at))
    if term.function == "grundy" and theory.proof.value is not None:
        return theory.value(at)
    question = print_term(term, theory.board.game.ruleset.players)
    words = f"{question}: the rule supports only questions about who wins or, with `value`, about grundy"
    raise Unsupported(words, instead="use wins(s)")


# == outline ==========================================================================================================
# The outline of a proof over the places of lists: its numbers, who loses or the value, the named moves.
_NUMBERS = "The proof describes a position by numbers that are computed over the places of its lists"
_LOSSES = (
    f"{_NUMBERS}. It states which positions lose, shows that no move leads from a losing position to a losing "
    "position, and gives a move to a losing position from every other position."
)
_VALUES = (
    f"{_NUMBERS}, and gives the Grundy value of the position by these numbers. Every move changes the value, and a "
    "named move reaches each smaller value."
)


def make_outline(theory: PlacesTheory, claim: Claim) -> Outline:
    """Return the summary of the proof for reports. Empty tables are omitted. Raises Unsupported.

    `claim`: the claim with definitions as in the file, because they are shown in this form.
    """
    proof = claim.proof
    assert isinstance(proof, PlacesProof)
    folds = (
        OutlineRow((say(x.name), OutlineCell((x.term,), WordingKind.FOLD)), (TERMS.make_label(name=x.name).shown,))
        for x in proof.folds
    )
    moves = tuple(_list_moves(theory, proof))
    tables = (
        _say_who_loses(theory, proof, {name for line in moves for _, name in line.shown_by}),
        OutlineTable("folds", "Numbers computed over places", ("Name", "Definition"), tuple(folds)),
        OutlineTable("moves", "The moves that it names", ("Where", "When", "Move", "By picking"), moves),
        OutlineTable(
            "claim",
            "Conclusion",
            ("Statement",),
            (OutlineRow((say(claim.conclusion),), (FOLLOWS.make_label().shown,)),),
        ),
    )
    names = {fold.name: fold.term for fold in proof.folds}
    shown = (replace(table, names=names) for table in tables if table.lines)
    return Outline(_LOSSES if proof.value is None else _VALUES, tuple(shown))


def _say_who_loses(theory: PlacesTheory, proof: PlacesProof, of_moves: set[str]) -> OutlineTable:
    """Return the table of the report that shows `loses` or `value`, and the obligations that prove it.

    `of_moves`: the names of obligations that are omitted, because the table of named moves shows them.
    """
    asked = [
        *list_winning_goals(theory),
        *(x for i in range(len(theory.board.game.ruleset.moves)) for x in _list_closed_goals(theory, i)),
    ]
    shown = tuple(label.shown for label, *_ in asked if label.name not in of_moves)
    if proof.loses is not None:
        return OutlineTable(
            "loses",
            "Who loses",
            ("Who", "Loses when"),
            (OutlineRow((say("The player to move"), say_condition(proof.loses)), shown),),
        )
    assert proof.value is not None
    return OutlineTable(
        "loses", "The value", ("For", "Value"), (OutlineRow((say("A position"), say(proof.value)), shown),)
    )


def _list_closed_goals(theory: PlacesTheory, number: int) -> Iterable[LabelledGoal]:
    """Return, for each case, the obligation that no move leads from a losing position to a losing position.

    In a proof of values, the obligation is that the move changes the value.
    `number`: the index of the [[moves]] table in the ruleset that contains the moves.
    """
    return list(list_move_goals(theory, number))[2::3]


def _list_moves(theory: PlacesTheory, proof: PlacesProof) -> Iterator[OutlineRow]:
    for i, named in enumerate(proof.moves, 1):
        assert theory.proof.pick is not None and proof.pick is not None
        shown = tuple(
            label.shown for label, *_ in list_reply_goals(theory, theory.proof.pick, i, theory.proof.moves[i - 1])
        )
        cells = (
            _say_place(proof.pick),
            say_condition(named.when),
            say(str(named.number + 1)),
            OutlineCell(tuple(say_assignments(named.take))),
        )
        yield OutlineRow(cells, shown)


def _say_place(pick: PlaceChoice) -> OutlineCell:
    """Return the table cell "place i of a heap h, at the top bit of X"."""
    at = "at the top bit of"
    if pick.aim is None:
        return say(f"place {PICKED_PLACE} of a heap {PICKED_HEAP},", at, name_of(pick.name))
    return say(f"place {PICKED_PLACE} of a heap {PICKED_HEAP},", at, nim(name_of(pick.name), pick.aim))


# == rule =============================================================================================================
# The rule itself: who wins, or the Grundy values, if heaps are lists of any length.
#
# A position is described by folds over the places of its lists.  A move changes the numbers at a few places of one
# list.  So it changes only the terms of these places, and of places whose terms depend on them; the sum of all other
# terms is one unknown number.  The obligations, in order:
# 1. [heap] is defined for every heap;
# 2. the terms of the folds are defined;
# 3. the moves: each leaves a heap of the game, decreases the measure, and does not lead from a loss to a loss, or
#    changes the value;
# 4. there is a place to pick;
# 5. the named moves cover, are legal, and lead to a loss or to the smaller value;
# 6. the claim is defined, and it follows.
#
# docs/rules/places.md describes why the rule is sound.
class PlacesRule:
    """The implementation of the rule "places", which docs/rules/places.md describes."""

    name = "places"
    suggested_for: tuple[RuleSuggestion, ...] = ()
    kinds = KINDS

    def read(self, section: ProofSection) -> PlacesProof:
        return read_places(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfold_claim(claim)
        theory, start = PlacesTheory(plain), partial(NimReader, plain)
        asked = list(list_obligations(theory))
        if theory.proof.pick is not None:
            yield build_sequent(COLUMN.make_label(), lambda q: pose_column(q.symbols, None), start)
            yield build_sequent(LOWERED.make_label(), lambda q: pose_lowered(q.symbols, None), start)
        if theory.proof.pick is not None and theory.proof.pick.aim is not None:
            yield build_sequent(AIMED.make_label(), lambda q: pose_aimed(q.symbols, None), start)
        if any(divides(x) for _, known, show in asked for x in walk((known, show))):
            yield build_sequent(PRODUCT.make_label(), pose_product, start)
            yield build_sequent(REMAINDERS.make_label(), pose_remainders, start)
        yield from pose_heaps(plain, theory.board.game)
        for label, known, show in asked:
            sequent = build_sequent(label, partial(pose_with, lows=theory.lows, known=known, show=show), start)
            yield replace(sequent, defines=_find_defined(label, theory))

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return make_outline(PlacesTheory(unfold_claim(claim)), claim)

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the coverage of the proof: all values of the claim's variables. It also lists the trusted rules."""
        assert isinstance(claim.proof, PlacesProof)
        trusted = {RULE, OUTCOME if claim.proof.value is None else VALUES}
        pick = () if claim.proof.pick is None else (TOP_BIT,)
        return ProofCoverage(tuple((v.name, All()) for v in claim.variables), frozenset({*trusted, *pick}))


def _find_defined(label: ObligationLabel, theory: PlacesTheory) -> frozenset[str]:
    """Return the names of the expressions in the claim and the game that an obligation shows to be defined.

    The result for FOLLOWS, the last obligation, contains the expressions in the rules of moves, because all obligations
    together show that they are defined.
    """
    if label.kind is DEFINED:
        return frozenset({HYPOTHESIS, CONCLUSION})
    return parts_of_play(theory.board.game) if label.kind is FOLLOWS else frozenset()


PLACES = PlacesRule()
