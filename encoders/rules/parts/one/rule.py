"""The rule of one heap: who wins from a position of one heap with parts, for all numbers in it.

The lists of a heap have lengths that the proof writes down, so a heap is so many integers.  Its obligations, for each
form of heaps that the proof names, in order: the moves (on each way that a kind of move can be made its terms have
values, and it leaves a heap of the game, of a form that is named, and less by the measure, which is natural); closed
(no such way leads from a loss to a loss); cases (the named moves cover whatever is no loss); each reply (legal; leads
to a loss).  Those of the claim: where it is defined, and that it follows.  Why it is sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import walk
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.coverage import All
from encoders.ground.kinds import ObligationKind, ObligationLabel
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import TrustedRule
from encoders.logic.definedness import CONCLUSION, HYPOTHESIS, parts_of_heaps, parts_of_play
from encoders.logic.integers import PRODUCT, REMAINDERS, pose_product, pose_remainders
from encoders.logic.moves import parameter_bounds
from encoders.logic.sequent import Sequent
from encoders.logic.terms import (
    conjunction,
    disjunction,
    holds,
    implies,
    is_plain,
    negation,
)
from encoders.rules.kit.common import DEFINED, PARAMETERS, RULES, claim_follows, refuse_variable
from encoders.rules.kit.lemmas import LEMMA, pose_lemma, show_lemmas
from encoders.rules.kit.outline import Outline, OutlineCell, OutlineRow, OutlineTable, assigned, say, when
from encoders.rules.kit.rule import ProofCoverage, ProofServices, build_sequent
from encoders.rules.kit.shape import RuleSuggestion
from encoders.rules.kit.turns import COVERED, LEADS_TO_LOSS, LEGAL, TO_LOSS
from encoders.rules.parts.one.flat import FlatEnv, Flattener, Value, explore
from encoders.rules.parts.one.play import PICKED, HeapPattern, MoveBranch, OneHeapGame
from encoders.rules.parts.one.reader import NimReader, divides, pose_heaps, pose_with
from encoders.rules.parts.one.section import OneHeapMove, OneProof, read_one

PLAYED = ObligationKind(
    "{heap}: {move} leaves a heap",
    "Some legal move has no value, does not make the measure less, or leaves what is no heap or of a form that no "
    "[[proof.heaps]] names",
    "Name the form of the heaps that it leaves, or mend the move in the ruleset's file",
    "moves leave heaps",
)
CLOSED = ObligationKind("{heap}: {move} is closed", *LEADS_TO_LOSS, "no move leads to a loss")
CLAIM = claim_follows(
    "The claim does not follow from what the proof calls lost",
    "If it is false at these values, so it is; else say more in `loses`",
)
KINDS = (PARAMETERS, RULES, PRODUCT, REMAINDERS, LEMMA, PLAYED, CLOSED, COVERED, LEGAL, TO_LOSS, DEFINED, CLAIM)
RULE = TrustedRule("one heap")
OUTCOME = TrustedRule("outcome, by induction on the measure")

# -- the obligations --------------------------------------------------------------------------------------------------
LabelledGoal = tuple[ObligationLabel, t.Term, t.Term]
"""An obligation: what is assumed, what is shown."""


def _about_the_game(play: OneHeapGame) -> Iterator[LabelledGoal]:
    yield from _about_parameters(play)
    for form in play.forms:
        condition = _find_heap(play, form)
        for move, way in _list_moves(play, form):
            left = conjunction(way.is_heap, way.less, holds(way.form is not None))
            yield PLAYED.of(heap=form.name, move=move), condition, conjunction(way.owed, implies(way.met, left))
            if way.form is not None:
                known = conjunction(condition, play.loses(form.heap), way.met, way.is_heap)  # which has been shown
                yield CLOSED.of(heap=form.name, move=move), known, negation(play.loses(way.left))
        yield from _about_replies(play, form, condition)


def _list_moves(play: OneHeapGame, form: HeapPattern) -> Iterator[tuple[str, MoveBranch]]:
    """Each way to make a move from a heap of the form, in words; those that nobody can go are left out."""
    for number in range(len(play.game.ruleset.moves)):
        for i, way in enumerate(play.list_ways(form, number), 1):
            if not (is_plain(way.met, False) and is_plain(way.owed, True)):
                yield f"move {number + 1}" + (f", way {i}" if i > 1 else ""), way


def _find_heap(play: OneHeapGame, form: HeapPattern) -> t.Term:
    """That the numbers are those of a heap; whether this has a value is asked where a heap comes to be one."""
    found = list(explore(lambda flat: play.is_heap(flat, form.heap)))
    if len(found) > 1:
        words = f"{play.game.ruleset.id}: which are heaps is told by a list whose length or order depends on conditions"
        raise Unsupported(words, instead="let `where` of [heap] speak of the elements one by one")
    return found[0]


def _about_parameters(play: OneHeapGame) -> Iterator[LabelledGoal]:
    bounds = list(parameter_bounds(play.game))
    if bounds:
        yield PARAMETERS.of(of=f" of {play.game.ruleset.id}"), holds(True), conjunction(*bounds)


def _about_replies(play: OneHeapGame, form: HeapPattern, condition: t.Term) -> Iterator[LabelledGoal]:
    own = [(i, move) for i, move in enumerate(play.proof.moves, 1) if move.heap == form.number]
    start = conjunction(condition, negation(play.loses(form.heap)))
    yield COVERED.of(who=f" of {form.name}"), start, disjunction(*(move.when for _, move in own))
    for i, named in own:
        yield from _about_reply(play, form, condition, i, named)


def _about_reply(
    play: OneHeapGame, form: HeapPattern, condition: t.Term, number: int, named: OneHeapMove
) -> Iterator[LabelledGoal]:
    start = conjunction(condition, negation(play.loses(form.heap)), named.when)
    for i, way in enumerate(play.list_ways(form, named.number, dict(named.take))):
        words = f"{number}.{i}" if i else str(number)
        yield LEGAL.of(number=words), conjunction(start, way.met), way.legal
        lost = holds(False) if way.form is None else play.loses(way.left)
        yield TO_LOSS.of(number=words), conjunction(start, way.met, way.legal), lost


# -- the claim --------------------------------------------------------------------------------------------------------
def _about_the_claim(play: OneHeapGame) -> Iterator[LabelledGoal]:
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
        yield DEFINED.of(words=f"the claim{where}{way}"), holds(True), owed
        yield CLAIM.of(where=f"{where}{way}"), known, show


def _state(
    flat: Flattener, play: OneHeapGame, form: HeapPattern | None, name: str, conditions: list[t.Term]
) -> tuple[t.Term, t.Term, t.Term]:
    """(what is known, what is owed, what is shown)."""
    env: dict[str, Value] = {v.name: t.Variable(INT, 0, 0, v.name) for v in play.claim.variables if v.type == INT}
    if form is not None:
        env[name] = (form.heap,)
        flat.met.append(play.is_heap(flat, form.heap))
    for x in conditions:
        flat.met.append(flat.truth(x, env))
    show = flat.truth(play.claim.conclusion, env)
    return conjunction(*flat.met), conjunction(*flat.owed), show


def _answer(play: OneHeapGame, flat: Flattener, term: t.GameCall, env: FlatEnv) -> t.Term:
    """What a question about the game comes to, by what the proof calls lost. Raises Unsupported."""
    if term.function != "wins":
        words = f"{print_term(term, play.game.ruleset.players)}: the rule is about who wins"
        raise Unsupported(words, instead="say it by wins(position([heap(x)]))")
    match term.args[0]:
        case t.Operation(op="position", args=(made,)):
            s = flat.items(made, env)
        case asked:
            s = flat.items(asked, env)
    if len(s) != 1:
        instead = "state it for one heap; values of several add where `grundy` of each is known"
        raise Unsupported(
            f"{print_term(term, play.game.ruleset.players)}: a position of {len(s)} heaps", instead=instead
        )
    (heap,) = s
    assert isinstance(heap, tuple)
    flat.owe(play.is_heap(flat, heap))
    return negation(play.loses(heap))


def _count_heading(play: OneHeapGame) -> int:
    """How many hypotheses say of what form the heap is: that there is one, and how long each list is."""
    shape = play.game.ruleset.heap
    assert shape is not None
    return 1 + sum(part.is_list for part in shape.parts)


def _find_form(play: OneHeapGame, name: str, conditions: list[t.Term]) -> HeapPattern:
    """The form of the claim's heap, which its first hypotheses tell. Raises Unsupported."""
    shape = play.game.ruleset.heap
    assert shape is not None
    lists = [i for i, part in enumerate(shape.parts) if part.is_list]
    heading = [_read_length(x, name) for x in conditions[: _count_heading(play)]]
    wanted = ", ".join([f"len({name}) == 1", *(f"len({name}[0].{shape.parts[i].name}) == 2" for i in lists)])
    if heading != [(-1, 1), *((i, x[1]) for i, x in zip(lists, heading[1:], strict=False) if x is not None)] or len(
        heading
    ) != 1 + len(lists):
        words = f"the hypotheses do not begin with {wanted}, or some other length"
        raise Unsupported(words, instead=f'write if = "{wanted.replace(", ", " and ")} and ..."')
    sizes = {i: x[1] for i, x in zip(lists, heading[1:], strict=True) if x is not None}
    found = play.find_of_lengths(tuple(sizes.get(i) for i in range(len(shape.parts))))
    if found is None:
        instead = "give the heaps of those lengths a table [[proof.heaps]]"
        raise Unsupported("the claim is about heaps of another form than the proof's", instead=instead)
    return found


def _read_length(term: t.Term, name: str) -> tuple[int, int] | None:
    """(-1, n) for len(s) == n; (i, n) for len(s[0].c) == n, where c is part i; None for other conditions."""
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
    """See docs/proof-rules.md, "one heap"."""

    name = "one heap"
    fits: tuple[RuleSuggestion, ...] = ()
    kinds = KINDS

    def read(self, section: ProofSection) -> OneProof:
        return read_one(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        play = OneHeapGame(plain)
        start = partial(NimReader, plain)
        lows = play.list_lows()
        asked = [*_about_the_game(play), *_about_the_claim(play)]
        terms = [(known, show) for _, known, show in asked]
        if any(divides(x) for x in walk((*terms, play.proof.lemmas))):
            yield build_sequent(PRODUCT.of(), pose_product, start)
            yield build_sequent(REMAINDERS.of(), pose_remainders, start)
        if any(v.type.is_position for v in plain.variables):
            yield from pose_heaps(plain, play.game)
        for lemma in play.proof.lemmas:
            yield build_sequent(LEMMA.of(name=lemma.name), partial(pose_lemma, lemma=lemma), start)
        for label, known, show in asked:
            ask = partial(pose_with, lows=lows, known=known, show=show, lemmas=play.proof.lemmas, prefix=PICKED)
            yield replace(build_sequent(label, ask, start), defines=_defined_by(label, play))

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return _outline(OneHeapGame(claim))

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """All integers; all positions for which the hypotheses hold."""
        return ProofCoverage(tuple((v.name, All()) for v in claim.variables), frozenset({RULE, OUTCOME}))


def _defined_by(label: ObligationLabel, play: OneHeapGame) -> frozenset[str]:
    """What has been shown to have a value: with the claim, all of how the game is played, and which are heaps.

    Of a claim about all positions `pose_heaps` shows the latter; of one that writes heaps down it is asked of each.
    """
    if label.kind is DEFINED:
        return frozenset({HYPOTHESIS, CONCLUSION})
    if label.kind is not CLAIM:
        return frozenset()
    written = not any(v.type.is_position for v in play.claim.variables)
    return parts_of_play(play.game) | (parts_of_heaps(play.game) if written else frozenset())


def _outline(play: OneHeapGame) -> Outline:
    summary = (
        "A heap is written number by number. The proof names the losing ones, shows that no move leads from one to "
        "another, and gives a move to one from every other heap."
    )
    loses = []
    for form in play.forms:
        shown = []
        for move, way in _list_moves(play, form):
            shown.append(PLAYED.of(heap=form.name, move=move).shown)
            shown += [CLOSED.of(heap=form.name, move=move).shown] if way.form is not None else []
        loses.append(
            OutlineRow((say(form.name), when(form.named.loses)), (*shown, COVERED.of(who=f" of {form.name}").shown))
        )
    moves = tuple(_show_move(play, i, move) for i, move in enumerate(play.proof.moves, 1))
    claimed = OutlineRow((say(play.claim.conclusion),), tuple(label.shown for label, *_ in _about_the_claim(play)))
    tables = (
        OutlineTable("loses", "Who loses", ("Heap", "The player to move loses when"), tuple(loses)),
        show_lemmas(play.proof.lemmas),
        OutlineTable("moves", "Moves that win everywhere else", ("From", "When", "Move", "By picking"), moves),
        OutlineTable("claim", "What follows", ("Statement",), (claimed,)),
    )
    return Outline(summary, tuple(table for table in tables if table.lines))


def _show_move(play: OneHeapGame, number: int, named: OneHeapMove) -> OutlineRow:
    form = play.forms[named.heap]
    condition = _find_heap(play, form)
    asked = _about_reply(play, form, condition, number, named)
    cells = (say(form.name), when(named.when), say(str(named.number + 1)), OutlineCell(tuple(assigned(named.take))))
    return OutlineRow(cells, tuple(label.shown for label, *_ in asked))


ONE = OneHeapRule()
