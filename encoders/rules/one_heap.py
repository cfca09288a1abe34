"""The proof rule "one heap" and its [proof] section, for the winner from a single heap with parts.

    [proof]
    rule = "one heap"

    [[proof.heaps]]                       # heaps of one form: the lengths of their lists are fixed
    c = ["a", "b"]                        # names for the numbers in the list c; for a part that is a number: x = "x"
    loses = "a == b"                      # the condition that the mover loses

    [[proof.heaps]]                       # a move may leave a heap of another form: each form has a table
    c = ["a"]
    loses = "False"

    [[proof.moves]]                       # a winning move, that is, a move to a heap that the next player loses
    heap = 1                              # the number of the [[proof.heaps]] table; optional if there is only one
    when = "a > b"                        # the condition under which this move is made
    move = 1                              # the number of the [[moves]] table in the ruleset
    take = { m = "a - b" }                # the number, or list, that the mover picks for each pick of this move

Lemmas about integers, [proof.lemmas.NAME], have the format in encoders/rules/base/lemmas.py. A lemma is applied to
terms over the names above and the names of picks. See docs/rules/one-heap.md for the rule and why it is sound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, cast

from claims.language.files.claim import Claim, Game, Proof, unfold_claim
from claims.language.files.definitions import ExpressionContext
from claims.language.files.domains import IntervalDomain
from claims.language.files.heaps import HeapShape
from claims.language.files.proofs import ProofSection
from claims.language.files.rulesets import Move, Ruleset
from claims.language.files.toml import Keys, TomlTable, format_value
from claims.language.syntax import terms as t
from claims.language.syntax.grammar import is_name
from claims.language.syntax.printing import print_term, substitute, walk
from claims.language.syntax.terms import BOOL, INT, PLAYER, Term, Type
from encoders.logic.definedness import CONCLUSION, HYPOTHESIS, parts_of_heaps, parts_of_play
from encoders.logic.integers import PRODUCT, REMAINDERS, pose_product, pose_remainders
from encoders.logic.moves import parameter_bounds
from encoders.logic.sequents import (
    ZERO,
    Sequent,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    holds,
    implies,
    integer,
    is_plain,
    less_than,
    negation,
)
from encoders.refusals import Unsupported
from encoders.rules.base.lemmas import LEMMA, LemmaSection, NamedLemma, pose_lemma, show_lemmas
from encoders.rules.base.rule import (
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    ProofCoverage,
    ProofServices,
    build_sequent,
    say,
    say_assignments,
    say_condition,
)
from encoders.rules.base.shape import (
    DEFINED,
    PARAMETERS,
    RULES,
    RuleSuggestion,
    claim_follows,
    refuse_variable,
    require_one_game,
)
from encoders.rules.base.turns import COVERED, LEADS_TO_LOSS, LEGAL, TO_LOSS
from encoders.rules.one_heap_terms import FlatEnv, Flattener, NimReader, Value, divides, explore, pose_heaps, pose_with
from encoders.trust import All, ObligationKind, ObligationLabel, TrustedRule

# == section ==========================================================================================================
Names = str | tuple[str, ...]


@dataclass(frozen=True, eq=False)
class NamedHeap:
    """A [[proof.heaps]] table, which describes the heaps of one form: their lists have fixed lengths.

    `parts`: for each part of the heap, the name of the number, or the names of the elements of the list.
    `loses`: the condition over these names that the player to move loses.
    """

    parts: tuple[Names, ...]
    loses: Term

    @property
    def lengths(self) -> tuple[int | None, ...]:
        """The length of the list in each part; None for a part that is a number."""
        return tuple(len(x) if isinstance(x, tuple) else None for x in self.parts)


@dataclass(frozen=True, eq=False)
class OneHeapMove:
    """A [[proof.moves]] table: a move to a heap that the next player loses, from heaps of one form that satisfy `when`.

    `heap`: the index of the form in `OneProof.heaps`.
    `number`: the index of the [[moves]] table in the ruleset.
    `take`: pairs (name of a pick, the number or list that is picked).
    """

    heap: int
    when: Term
    number: int
    take: tuple[tuple[str, Term], ...]


@dataclass(frozen=True, eq=False)
class OneProof(Proof):
    rule: ClassVar[str] = "one heap"
    heaps: tuple[NamedHeap, ...]
    moves: tuple[OneHeapMove, ...]
    lemmas: tuple[NamedLemma, ...] = ()


def read_one(section: ProofSection) -> OneProof:
    """Return the proof in a [proof] section with rule = "one heap". Raises ClaimError for an invalid section."""
    table, ruleset = section.table, section.ruleset
    if ruleset is None or ruleset.heap is None:
        problem = "the rule needs a claim about one game whose heaps have parts"
        raise section.source.key_fault(("proof",), problem, "a claim about one game whose ruleset has [heap]")
    table.reject_unknown_keys("rule", "heaps", "moves", "lemmas")
    reader = _OneHeapSectionParser(section, ruleset.heap)
    heaps = tuple(reader.heap(i, x) for i, x in enumerate(table.tables("heaps")))
    forms = [heap.lengths for heap in heaps]
    for i, form in enumerate(forms):
        if form in forms[:i]:
            raise section.source.fault(
                ("proof", "heaps", i), "a second table for heaps of this form", "one table for each form"
            )
    rows = table.tables("moves") if "moves" in table.data else []
    moves = tuple(reader.move(i, x, len(heaps)) for i, x in enumerate(rows))
    return OneProof(heaps, moves, LemmaSection(section, reader.list_names(ruleset)).lemmas())


class _OneHeapSectionParser:
    def __init__(self, section: ProofSection, shape: HeapShape) -> None:
        self.section, self.source, self.shape = section, section.source, shape
        self.names: list[dict[str, Type]] = []  # of each heap

    def heap(self, number: int, table: TomlTable) -> NamedHeap:
        at: Keys = ("proof", "heaps", number)
        table.reject_unknown_keys(*(part.name for part in self.shape.parts), "loses")
        names: dict[str, Type] = dict(self.section.integers)
        parts: list[Names] = []
        for part in self.shape.parts:
            keys = (*at, part.name)
            if part.is_list:
                value = table.require(part.name)
                if not isinstance(value, list):
                    raise self.source.fault(
                        keys,
                        f"{format_value(value)} is not a list of names",
                        f'a list such as {part.name} = ["a", "b"]',
                    )
                parts.append(tuple(self._declare((*keys, i), x, names) for i, x in enumerate(value)))
            else:
                parts.append(self._declare(keys, table.text(part.name), names))
        self.names.append(names)
        loses = self.section.terms_over(names).read_expression((*at, "loses"), table.text("loses"), BOOL)
        return NamedHeap(tuple(parts), loses)

    def list_names(self, ruleset: Ruleset) -> dict[str, Type]:
        """Return the type of each name that may occur in the terms to which lemmas are applied.

        These are the names of the numbers in all forms, and the names of picks that are integers.
        """
        picks = {pick.name: INT for move in ruleset.moves for pick in move.picks if pick.type == INT}
        return {**picks, **{name: kind for names in self.names for name, kind in names.items()}}

    def _declare(self, keys: Keys, name: object, names: dict[str, Type]) -> str:
        if not isinstance(name, str) or not is_name(name):
            raise self.source.fault(keys, f"{format_value(name)} is not a name", 'a name for the number, such as "a"')
        if name in {**names, **self.section.types, **self.section.definitions}:
            problem = f"the name {name!r} is taken"
            raise self.source.fault(keys, problem, "a name that the claim and the heap do not use")
        names[name] = INT
        return name

    def move(self, number: int, table: TomlTable, heaps: int) -> OneHeapMove:
        at: Keys = ("proof", "moves", number)
        ruleset = self.section.ruleset
        assert ruleset is not None
        table.reject_unknown_keys("heap", "when", "move", "take")
        heap = read_number(table, "heap", heaps)
        which = read_number(table, "move", len(ruleset.moves))
        terms = self.section.terms_over(self.names[heap])
        when = terms.read_expression((*at, "when"), table.text("when"), BOOL)
        return OneHeapMove(heap, when, which, read_picks(table, terms, ruleset.moves[which]))


def read_picks(table: TomlTable, terms: ExpressionContext, move: Move) -> tuple[tuple[str, Term], ...]:
    """Return (name, term) for each pick in the key `take` of a named move. A pick is a number that the mover chooses.

    Raises ClaimError if the move of the ruleset has other picks.
    """
    keys, source = (*table.keys, "take"), table.source
    picks = {pick.name: pick.type for pick in move.picks}
    take = []
    for name, text in table.expressions("take") if "take" in table.data else ():
        if name not in picks:
            problem = f"this move of the game does not pick {name!r}"
            expected = f"one of {', '.join(picks)}" if picks else "no 'take', because this move has no picks"
            raise source.key_fault((*keys, name), problem, expected)
        take.append((name, terms.read_expression((*keys, name), text, picks[name])))
    if missing := [name for name in picks if name not in dict(take)]:
        raise source.fault(
            table.keys,
            f"the pick {missing[0]} is missing",
            f'a value for this pick, as in take = {{ {missing[0]} = "..." }}',
        )
    return tuple(take)


def read_number(table: TomlTable, key: str, most: int) -> int:
    """Return the number under a key as an index: 0 for the number 1.

    Raises ClaimError unless it is from 1 to `most`. The key may be missing if `most` is 1.
    """
    if key not in table.data and most == 1:
        return 0
    value = table.require(key)
    if type(value) is not int or not 1 <= value <= most:
        raise table.fault(key, f"invalid number {format_value(value)}", f"a number from 1 to {most}")
    return value - 1


# == play =============================================================================================================
# A game of one heap with parts, whose lists have fixed lengths: heaps and moves, in terms of their numbers.
PICKED = "picked "  # no name in a file contains a space

Heap = tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class HeapPattern:
    """The heaps of one form, represented by a heap whose numbers are variables.

    `named`: the [[proof.heaps]] table.
    `name`: the form in messages, such as "heap([a, b])".
    `heap`: the heap whose numbers are variables.
    `number`: the index of the form in `OneProof.heaps`.
    """

    named: NamedHeap
    name: str
    heap: Heap
    number: int


@dataclass(frozen=True, eq=False)
class MoveBranch:
    """A move from a heap of one form, in one case of a case distinction.

    `move`: the index of the [[moves]] table in the ruleset.
    `met`: the condition of this case.
    `legal`: the condition that the numbers and lists which the mover picks are legal.
    `owed`: the condition that the terms in the rules of the move are defined.
    `is_heap`: the condition that `left` is a heap of the game.
    `less`: the condition that the measure decreases, and that it was not negative before the move.
    `left`: the heap after the move.
    `form`: the form of `left`; None if the proof has no table for this form.
    """

    move: int
    met: t.Term
    legal: t.Term
    owed: t.Term
    is_heap: t.Term
    less: t.Term
    left: Heap
    form: HeapPattern | None


class OneHeapGame:
    """The game of a claim with a proof by the rule "one heap", and the forms of heaps in this proof.

    The constructor raises Unsupported for a game that the rule does not support.
    """

    def __init__(self, claim: Claim) -> None:
        assert isinstance(claim.proof, OneProof)
        self.claim, self.proof = claim, claim.proof
        self.game = require_one_game(claim)
        refuse_games(self.game)
        self.forms = [_make_form(i, x) for i, x in enumerate(self.proof.heaps)]

    def find_form(self, heap: Heap) -> HeapPattern | None:
        return self.find_of_lengths(tuple(len(x) if isinstance(x, tuple) else None for x in heap))

    def find_of_lengths(self, lengths: tuple[int | None, ...]) -> HeapPattern | None:
        """Return the form whose lists have these lengths; None if the proof has no table for such heaps.

        `lengths`: for each part of the heap, the length of the list; None for a part that is a number.
        """
        return next((form for form in self.forms if form.named.lengths == lengths), None)

    def list_parameters(self, flat: Flattener) -> dict[str, Value]:
        """Return terms for the claim's integers and for the parameters of the game, by name."""
        return list_parameters(self.claim, self.game, flat)

    def list_lows(self) -> dict[str, int]:
        """Return lower bounds for the numbers that have names in [[proof.heaps]], by name.

        If several forms use the same name, the bound is the smallest of the bounds of the parts with this name. A name
        is omitted if one of these bounds is not a literal.
        """
        shape, found = self.game.ruleset.heap, dict[str, list[t.Term]]()
        assert shape is not None
        for form in self.forms:
            for part, names in zip(shape.parts, form.named.parts, strict=True):
                for name in (names,) if isinstance(names, str) else names:
                    found.setdefault(name, []).append(part.lo)
        literal = {name: [x.value for x in lows if isinstance(x, t.Literal)] for name, lows in found.items()}
        return {name: min(x) for name, x in literal.items() if len(x) == len(found[name])}

    def is_heap(self, flat: Flattener, heap: Heap) -> t.Term:
        """Return the condition that `heap` is a heap of the game: its numbers satisfy [heap] of the ruleset."""
        shape = self.game.ruleset.heap
        assert shape is not None
        env, found = self.list_parameters(flat), list[t.Term]()
        for part, value in zip(shape.parts, heap, strict=True):
            low = flat.number(part.lo, env)
            high = None if part.hi is None else flat.number(part.hi, env)
            for x in value if isinstance(value, tuple) else (value,):
                assert isinstance(x, t.Term)
                found += [at_least(x, low), *([] if high is None else [at_most(x, high)])]
        return conjunction(*found, *([] if shape.where is None else [flat.truth(shape.where, {**env, "h": heap})]))

    def weigh(self, flat: Flattener, heap: Heap) -> t.Term:
        measure = self.game.ruleset.measure
        assert measure is not None
        return flat.number(measure, {**self.list_parameters(flat), "s": (heap,)})

    def loses(self, heap: Heap) -> t.Term:
        """Return the condition, from [[proof.heaps]], that the player to move loses the heap.

        Raises Unsupported if the proof has no table for heaps of this form.
        """
        form = self.find_form(heap)
        if form is None:
            instead = "add a table [[proof.heaps]] for heaps of that form"
            raise Unsupported("the proof has no table for heaps of a form that the claim mentions", instead=instead)
        return substitute(form.named.loses, list_names(form, heap))

    # -- moves --------------------------------------------------------------------------------------------------------
    def list_ways(self, form: HeapPattern, number: int, take: dict[str, t.Term] | None = None) -> Iterator[MoveBranch]:
        """Yield the moves from a heap of this form by the [[moves]] table with the index `number`.

        If the result depends on conditions, yield one move for each case.
        `take`: the picked numbers and lists, by name; None for variables that represent any legal picks.
        """
        yield from explore(partial(self._play, form=form, number=number, take=take))

    def _play(self, flat: Flattener, form: HeapPattern, number: int, take: dict[str, t.Term] | None) -> MoveBranch:
        heap = form.heap
        env = {**self.list_parameters(flat), "s": (heap,)}
        # Names in `take` denote the claim's integers, even if a parameter of the game has the same name.
        here = {**list_integers(self.claim), **list_names(form, heap)}
        legal, left = make_move(flat, self.game.ruleset.moves[number], heap, env, take, here)
        is_heap, before, after = self.is_heap(flat, left), self.weigh(flat, heap), self.weigh(flat, left)
        less = conjunction(at_least(before, ZERO), less_than(after, before))
        return MoveBranch(
            number, conjunction(*flat.met), legal, conjunction(*flat.owed), is_heap, less, left, self.find_form(left)
        )


def list_integers(claim: Claim) -> dict[str, Value]:
    """Return a variable for each integer variable of the claim, by name."""
    return {v.name: t.Variable(INT, 0, 0, v.name) for v in claim.variables if v.type == INT}


def list_parameters(claim: Claim, game: Game, flat: Flattener) -> dict[str, Value]:
    """Return terms for the claim's integers and for the parameters of the game, by name.

    If a parameter and an integer of the claim have the same name, the parameter is returned.
    """
    env = list_integers(claim)
    return {**env, **{name: flat.read(term, env) for name, term in game.arguments}}


def make_move(
    flat: Flattener, move: Move, heap: Heap, env: FlatEnv, take: Mapping[str, t.Term] | None, here: FlatEnv
) -> tuple[t.Term, Heap]:
    """Return (condition that a move from `heap` is legal, heap after the move).

    `env`: the values of names in the rules of the move, except the heap and the picks.
    `take`: the picked numbers and lists, as terms over the names in `here`. If it is None, the picks are variables, and
    the conditions that they are legal are added to `flat.met`, the assumptions.
    """
    env, legal = {**env, "mover": t.Literal(PLAYER, 0, 0, 0), move.heaps[0]: heap}, list[t.Term]()
    for pick in move.picks:
        taken = None if take is None else take[pick.name]
        value, inside = _pick(flat, pick.domain, env, f"{PICKED}{pick.name}", taken, here)
        env = {**env, pick.name: value}
        if take is None:
            flat.met += inside
        legal += inside
    if move.where is not None:
        where = flat.truth(move.where, env)
        if take is None:
            flat.met.append(where)
        legal.append(where)
    return conjunction(*legal), flat.items(move.become[0], env)


def _pick(
    flat: Flattener, domain: IntervalDomain | t.Term, env: FlatEnv, name: str, taken: t.Term | None, here: FlatEnv
) -> tuple[Value, list[t.Term]]:
    """Return (picked number or list, conditions that it is in the domain of the pick).

    `name`: the name for a new variable.
    `taken`: the number or list that a named move picks, as a term over the names in `here`. If it is None, the result
    is a variable or, for a finite domain with known elements, one element in each case.
    """
    if found := _read_range(flat, domain, env, name, taken, here):
        return found
    if not isinstance(domain, IntervalDomain):
        values = cast("tuple[t.Term, ...]", flat.items(domain, env))
        if taken is None:
            return (values[flat.choose(len(values))], []) if values else (ZERO, [holds(False)])
        number = flat.number(taken, here)
        return number, [disjunction(*(equal(number, x) for x in values))]
    assert domain.hi is not None
    low, high = flat.read(domain.lo, env), flat.read(domain.hi, env)
    if isinstance(low, tuple) or isinstance(high, tuple):
        lows, highs = cast("tuple[t.Term, ...]", low), cast("tuple[t.Term, ...]", high)
        assert len(lows) == len(highs)  # both ends have a term for each element of one list
        if taken is None:
            each: tuple[t.Term, ...] = tuple(t.Variable(INT, 0, 0, f"{name}.{i}") for i in range(len(lows)))
        else:
            each = cast("tuple[t.Term, ...]", flat.items(taken, here))
            if len(each) != len(lows):
                return each, [holds(False)]
        return each, [x for a, p, b in zip(lows, each, highs, strict=True) for x in (at_least(p, a), at_most(p, b))]
    low, high = cast(t.Term, low), cast(t.Term, high)
    if taken is not None:
        value = flat.number(taken, here)
        return value, [at_least(value, low), at_most(value, high)]
    if isinstance(low, t.Literal) and isinstance(high, t.Literal):
        if low.value > high.value:
            return ZERO, [holds(False)]
        return integer(low.value + flat.choose(high.value - low.value + 1)), []
    picked = t.Variable(INT, 0, 0, name)
    return picked, [at_least(picked, low), at_most(picked, high)]


def _read_range(
    flat: Flattener, domain: IntervalDomain | t.Term, env: FlatEnv, name: str, taken: t.Term | None, here: FlatEnv
) -> tuple[Value, list[t.Term]] | None:
    """Return the result of `_pick` for a domain of the form {y for y in range(a, b) if ...}; None for other domains."""
    match domain:
        case t.Comprehension(
            body=t.Variable(name=word),
            clauses=(t.Clause(variable, t.Operation(op="range", args=(low, after)), conditions),),
        ) if word == variable:
            x = t.Variable(INT, 0, 0, name) if taken is None else flat.number(taken, here)
            inside = [at_least(x, flat.number(low, env)), less_than(x, flat.number(after, env))]
            return x, [*inside, *(flat.truth(c, {**env, variable: x}) for c in conditions)]
    return None


def _make_form(number: int, named: NamedHeap) -> HeapPattern:
    parts = [
        t.Variable(INT, 0, 0, x) if isinstance(x, str) else tuple(t.Variable(INT, 0, 0, name) for name in x)
        for x in named.parts
    ]
    words = (x if isinstance(x, str) else f"[{', '.join(x)}]" for x in named.parts)
    return HeapPattern(named, f"heap({', '.join(words)})", tuple(parts), number)


def list_names(form: HeapPattern, heap: Heap) -> dict[str, t.Term]:
    """Return the numbers in `heap`, which has this form, by their names in [[proof.heaps]]."""
    found: dict[str, t.Term] = {}
    for names, value in zip(form.named.parts, heap, strict=True):
        if isinstance(names, str):
            found[names] = cast(t.Term, value)
        else:
            found |= dict(zip(names, cast("tuple[t.Term, ...]", value), strict=True))
    return found


def refuse_games(game: Game) -> None:
    """Raise Unsupported for a game that the rules "one heap" and "places" do not support.

    They support normal play by two players with the same moves, each of which turns one heap into one heap.
    """
    ruleset = game.ruleset
    assert ruleset.heap is not None  # the parser of the section has checked it
    if len(ruleset.players) != 2 or not ruleset.impartial or ruleset.stuck_wins:
        raise Unsupported(f"{ruleset.id}: the rule needs two players with the same moves, and normal play")
    if ruleset.heap.gone is not None:
        raise Unsupported(f"{ruleset.id}: the rule does not support heaps that vanish")
    if any(move.choose != "any" or len(move.heaps) != 1 or len(move.become) != 1 for move in ruleset.moves):
        raise Unsupported(f"{ruleset.id}: the rule supports only moves that turn one arbitrary heap into one heap")
    for p in ruleset.parameters:
        if p.kind != "int":
            instead = f"write a ruleset without this parameter, with a literal {p.kind} in its rules"
            raise Unsupported(
                f"{ruleset.id}: the parameter {p.name} is a {p.kind}, which the rule does not support", instead=instead
            )


# == rule =============================================================================================================
# The rule itself: who wins from a position of one heap with parts, for all numbers in it.
#
# The proof fixes the lengths of the lists of a heap, so a heap is a tuple of integers.  The obligations for each form
# of heaps, in order:
# 1. the moves: in every branch of a move its terms are defined, and it leaves a heap of the game of a named form, with
#    a smaller natural measure;
# 2. closed: no branch leads from a loss to a loss;
# 3. cases: the named moves cover every heap that is not lost;
# 4. each reply is legal, and leads to a loss.
# The obligations for the claim: it is defined, and it follows.
#
# docs/rules/one-heap.md describes why the rule is sound.
PLAYED = ObligationKind(
    "{heap}: {move} leaves a heap",
    "Some legal move is undefined, does not decrease the measure, or leaves a heap that is not a heap of the game or "
    "has no table [[proof.heaps]]",
    "Add a table [[proof.heaps]] for the form of the new heap, or correct the move in the ruleset's file",
    "moves leave heaps",
)
CLOSED = ObligationKind("{heap}: {move} is closed", *LEADS_TO_LOSS, "no move leads to a loss")
CLAIM = claim_follows(
    "The claim does not follow from the losing positions of the proof",
    "If the claim is false at these values, they are a counterexample. Otherwise make `loses` more precise",
)
KINDS = (PARAMETERS, RULES, PRODUCT, REMAINDERS, LEMMA, PLAYED, CLOSED, COVERED, LEGAL, TO_LOSS, DEFINED, CLAIM)
RULE = TrustedRule("one heap")
OUTCOME = TrustedRule("outcome, by induction on the measure")

# -- the obligations --------------------------------------------------------------------------------------------------
LabelledGoal = tuple[ObligationLabel, t.Term, t.Term]
"""An obligation: its label, the assumptions, the goal."""


def _list_game_goals(play: OneHeapGame) -> Iterator[LabelledGoal]:
    yield from _list_parameter_goals(play)
    for form in play.forms:
        condition = _find_heap(play, form)
        for move, way in _list_moves(play, form):
            left = conjunction(way.is_heap, way.less, holds(way.form is not None))
            yield PLAYED.make_label(heap=form.name, move=move), condition, conjunction(way.owed, implies(way.met, left))
            if way.form is not None:
                known = conjunction(
                    condition, play.loses(form.heap), way.met, way.is_heap
                )  # proved by the obligation before
                yield CLOSED.make_label(heap=form.name, move=move), known, negation(play.loses(way.left))
        yield from _list_reply_goals(play, form, condition)


def _list_moves(play: OneHeapGame, form: HeapPattern) -> Iterator[tuple[str, MoveBranch]]:
    """Yield (name, move) for the moves from a heap of this form, one for each case that is not contradictory.

    The name is such as "move 1" or "move 1, way 2".
    """
    for number in range(len(play.game.ruleset.moves)):
        for i, way in enumerate(play.list_ways(form, number), 1):
            if not (is_plain(way.met, False) and is_plain(way.owed, True)):
                yield f"move {number + 1}" + (f", way {i}" if i > 1 else ""), way


def _find_heap(play: OneHeapGame, form: HeapPattern) -> t.Term:
    """Return the condition that the numbers of the form are a heap of the game.

    Raises Unsupported if the condition needs a case distinction. Other obligations show that this condition is defined
    for the heaps that moves leave.
    """
    found = list(explore(lambda flat: play.is_heap(flat, form.heap)))
    if len(found) > 1:
        words = f"{play.game.ruleset.id}: `where` of [heap] uses a list whose length or order depends on conditions"
        raise Unsupported(words, instead="let `where` of [heap] mention the elements one by one")
    return found[0]


def _list_parameter_goals(play: OneHeapGame) -> Iterator[LabelledGoal]:
    bounds = list(parameter_bounds(play.game))
    if bounds:
        yield PARAMETERS.make_label(of=f" of {play.game.ruleset.id}"), holds(True), conjunction(*bounds)


def _list_reply_goals(play: OneHeapGame, form: HeapPattern, condition: t.Term) -> Iterator[LabelledGoal]:
    own = [(i, move) for i, move in enumerate(play.proof.moves, 1) if move.heap == form.number]
    start = conjunction(condition, negation(play.loses(form.heap)))
    yield COVERED.make_label(who=f" of {form.name}"), start, disjunction(*(move.when for _, move in own))
    for i, named in own:
        yield from _list_goals_of_reply(play, form, condition, i, named)


def _list_goals_of_reply(
    play: OneHeapGame, form: HeapPattern, condition: t.Term, number: int, named: OneHeapMove
) -> Iterator[LabelledGoal]:
    start = conjunction(condition, negation(play.loses(form.heap)), named.when)
    for i, way in enumerate(play.list_ways(form, named.number, dict(named.take))):
        words = f"{number}.{i}" if i else str(number)
        yield LEGAL.make_label(number=words), conjunction(start, way.met), way.legal
        lost = holds(False) if way.form is None else play.loses(way.left)
        yield TO_LOSS.make_label(number=words), conjunction(start, way.met, way.legal), lost


# -- the claim --------------------------------------------------------------------------------------------------------
def _list_claim_goals(play: OneHeapGame) -> Iterator[LabelledGoal]:
    claim = play.claim
    positions = [v.name for v in claim.variables if v.type.is_position]
    for v in claim.variables:
        if not (v.type == INT or v.type.is_position) or len(positions) > 1:
            raise refuse_variable(v)
    conditions = [] if claim.hypothesis is None else list(t.conjuncts(claim.hypothesis))
    form: HeapPattern | None = None
    if positions:
        form, conditions = _find_form(play, positions[0], conditions), conditions[_count_heading(play) :]
    where = "" if form is None else f" of {form.name}"
    build = partial(_state, play=play, form=form, name=positions[0] if positions else "", conditions=conditions)
    for i, (known, owed, show) in enumerate(explore(build, partial(_answer, play))):
        way = f", way {i + 1}" if i else ""
        yield DEFINED.make_label(words=f"the claim{where}{way}"), holds(True), owed
        yield CLAIM.make_label(where=f"{where}{way}"), known, show


def _state(
    flat: Flattener, play: OneHeapGame, form: HeapPattern | None, name: str, conditions: list[t.Term]
) -> tuple[t.Term, t.Term, t.Term]:
    """Return (assumptions, definedness, goal) for the claim, in one case of a case distinction.

    Definedness is the condition that all terms of the claim are defined.
    `form`, `name`: the form and the name of the claim's position; None and "" for a claim without a position variable.
    `conditions`: the hypotheses that remain after the form is known.
    """
    env: dict[str, Value] = {v.name: t.Variable(INT, 0, 0, v.name) for v in play.claim.variables if v.type == INT}
    if form is not None:
        env[name] = (form.heap,)
        flat.met.append(play.is_heap(flat, form.heap))
    for x in conditions:
        flat.met.append(flat.truth(x, env))
    show = flat.truth(play.claim.conclusion, env)
    return conjunction(*flat.met), conjunction(*flat.owed), show


def _answer(play: OneHeapGame, flat: Flattener, term: t.GameCall, env: FlatEnv) -> t.Term:
    """Return the condition that the mover wins the heap in the question `term`, from the losing heaps of the proof.

    Raises Unsupported for other questions, and for positions that do not consist of one heap.
    """
    if term.function != "wins":
        words = f"{print_term(term, play.game.ruleset.players)}: the rule supports only questions about who wins"
        raise Unsupported(words, instead="use wins(position([heap(x)]))")
    match term.args[0]:
        case t.Operation(op="position", args=(made,)):
            s = flat.items(made, env)
        case asked:
            s = flat.items(asked, env)
    if len(s) != 1:
        instead = "state the claim for one heap; the Grundy value of several heaps is the nim-sum of their values"
        raise Unsupported(
            f"{print_term(term, play.game.ruleset.players)} is about {len(s)} heaps, and the rule supports only one",
            instead=instead,
        )
    (heap,) = s
    assert isinstance(heap, tuple)
    flat.owe(play.is_heap(flat, heap))
    return negation(play.loses(heap))


def _count_heading(play: OneHeapGame) -> int:
    """Return the number of hypotheses that state the form of the heap: 1 for len(s) == 1, and 1 for each list."""
    shape = play.game.ruleset.heap
    assert shape is not None
    return 1 + sum(part.is_list for part in shape.parts)


def _find_form(play: OneHeapGame, name: str, conditions: list[t.Term]) -> HeapPattern:
    """Return the form of the heap in the claim's position `name`, which the first hypotheses must state.

    Raises Unsupported if they do not, or if the proof has no table for this form.
    """
    shape = play.game.ruleset.heap
    assert shape is not None
    lists = [i for i, part in enumerate(shape.parts) if part.is_list]
    heading = [_read_length(x, name) for x in conditions[: _count_heading(play)]]
    wanted = ", ".join([f"len({name}) == 1", *(f"len({name}[0].{shape.parts[i].name}) == 2" for i in lists)])
    if heading != [(-1, 1), *((i, x[1]) for i, x in zip(lists, heading[1:], strict=False) if x is not None)] or len(
        heading
    ) != 1 + len(lists):
        words = f"the hypotheses must begin with {wanted}{', or with other lengths of the lists' if lists else ''}"
        raise Unsupported(words, instead=f'write if = "{wanted.replace(", ", " and ")} and ..."')
    sizes = {i: x[1] for i, x in zip(lists, heading[1:], strict=True) if x is not None}
    found = play.find_of_lengths(tuple(sizes.get(i) for i in range(len(shape.parts))))
    if found is None:
        instead = "add a table [[proof.heaps]] for heaps of these lengths"
        raise Unsupported("the proof has no table for heaps of the form that the claim is about", instead=instead)
    return found


def _read_length(term: t.Term, name: str) -> tuple[int, int] | None:
    """Return (-1, n) for `len(s) == n`, and (i, n) for `len(s[0].c) == n`, where c is the part with index i.

    Here s is the position `name`. Return None for other terms.
    """
    match term:
        case t.Operation(op="eq", args=(t.Operation(op="len", args=(what,)), t.Literal(value=n))):
            match what:
                case t.Variable(name=found) if found == name:
                    return -1, n
                case t.Operation(
                    op="part",
                    args=(
                        t.Operation(op="index", args=(t.Variable(name=found), t.Literal(value=0))),
                        t.Literal(value=i),
                    ),
                ) if found == name:
                    return i, n
    return None


# -- the rule ---------------------------------------------------------------------------------------------------------
class OneHeapRule:
    """The implementation of the rule "one heap", which docs/rules/one-heap.md describes."""

    name = "one heap"
    suggested_for: tuple[RuleSuggestion, ...] = ()
    kinds = KINDS

    def read(self, section: ProofSection) -> OneProof:
        return read_one(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfold_claim(claim)
        play = OneHeapGame(plain)
        start = partial(NimReader, plain)
        lows = play.list_lows()
        asked = [*_list_game_goals(play), *_list_claim_goals(play)]
        terms = [(known, show) for _, known, show in asked]
        if any(divides(x) for x in walk((*terms, play.proof.lemmas))):
            yield build_sequent(PRODUCT.make_label(), pose_product, start)
            yield build_sequent(REMAINDERS.make_label(), pose_remainders, start)
        if any(v.type.is_position for v in plain.variables):
            yield from pose_heaps(plain, play.game)
        for lemma in play.proof.lemmas:
            yield build_sequent(LEMMA.make_label(name=lemma.name), partial(pose_lemma, lemma=lemma), start)
        for label, known, show in asked:
            ask = partial(pose_with, lows=lows, known=known, show=show, lemmas=play.proof.lemmas, prefix=PICKED)
            yield replace(build_sequent(label, ask, start), defines=_find_defined(label, play))

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return _outline(OneHeapGame(claim))

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """Return the coverage of the proof: all values of the claim's variables. It also lists the trusted rules."""
        return ProofCoverage(tuple((v.name, All()) for v in claim.variables), frozenset({RULE, OUTCOME}))


def _find_defined(label: ObligationLabel, play: OneHeapGame) -> frozenset[str]:
    """Return the names of the expressions in the claim and the ruleset that an obligation shows to be defined.

    The result for CLAIM, the last obligation, contains the expressions in the rules of moves, because all obligations
    together show that they are defined. For a claim about explicit heaps, it also contains the expressions in [heap].
    For a claim about all positions, `pose_heaps` yields separate obligations for the expressions in [heap].
    """
    if label.kind is DEFINED:
        return frozenset({HYPOTHESIS, CONCLUSION})
    if label.kind is not CLAIM:
        return frozenset()
    written = not any(v.type.is_position for v in play.claim.variables)
    return parts_of_play(play.game) | (parts_of_heaps(play.game) if written else frozenset())


def _outline(play: OneHeapGame) -> Outline:
    summary = (
        "The proof names each number in the heap. It states which heaps lose, shows that no move leads from a losing "
        "heap to a losing heap, and gives a move to a losing heap from every other heap."
    )
    loses = []
    for form in play.forms:
        shown = []
        for move, way in _list_moves(play, form):
            shown.append(PLAYED.make_label(heap=form.name, move=move).shown)
            shown += [CLOSED.make_label(heap=form.name, move=move).shown] if way.form is not None else []
        loses.append(
            OutlineRow(
                (say(form.name), say_condition(form.named.loses)),
                (*shown, COVERED.make_label(who=f" of {form.name}").shown),
            )
        )
    moves = tuple(_show_move(play, i, move) for i, move in enumerate(play.proof.moves, 1))
    claimed = OutlineRow((say(play.claim.conclusion),), tuple(label.shown for label, *_ in _list_claim_goals(play)))
    tables = (
        OutlineTable("loses", "Who loses", ("Heap", "The player to move loses when"), tuple(loses)),
        show_lemmas(play.proof.lemmas),
        OutlineTable("moves", "Moves that win at every other heap", ("From", "When", "Move", "By picking"), moves),
        OutlineTable("claim", "Conclusion", ("Statement",), (claimed,)),
    )
    return Outline(summary, tuple(table for table in tables if table.lines))


def _show_move(play: OneHeapGame, number: int, named: OneHeapMove) -> OutlineRow:
    form = play.forms[named.heap]
    condition = _find_heap(play, form)
    asked = _list_goals_of_reply(play, form, condition, number, named)
    cells = (
        say(form.name),
        say_condition(named.when),
        say(str(named.number + 1)),
        OutlineCell(tuple(say_assignments(named.take))),
    )
    return OutlineRow(cells, tuple(label.shown for label, *_ in asked))


ONE = OneHeapRule()
