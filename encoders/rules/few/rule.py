"""The rule of few heaps: who wins from positions of at most so many heaps, for heaps and parameters without bound.

Its obligations, in order: parameters (the games' parameters are legal), each rule is defined, measure (a move leaves
less), lemmas, the numbers that positions have, closed (for each kind of move on each choice of heaps: it does not lead
from a loss to a loss of the next player), cases (the named moves cover every position that is not a loss), each reply
(its heaps are there; it is legal; it leads to a loss), stuck (misère play: who loses can move).  Those of the claim:
where it is defined, that its positions have few heaps, and that it follows.  Why it is sound: docs/proof-rules.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial

from claims.language.expressions.walk import walk
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim, Game
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.ground.coverage import All
from encoders.ground.kinds import ObligationKind
from encoders.ground.trust import TrustedRule
from encoders.logic.definedness import DefinednessCondition, Guard, Over, measure, needs_of_claim, needs_of_game
from encoders.logic.integers import PRODUCT, REMAINDERS, bounds_of, pose_product, pose_remainders
from encoders.logic.moves import OpenMove, open_choices, parameter_bounds, refuse_picks
from encoders.logic.reader import Entailment
from encoders.logic.sequent import Sequent
from encoders.logic.terms import ONE, ZERO, at_least, at_most, conjunction, disjunction, implies, negation
from encoders.rules.few.claims import ClaimReader
from encoders.rules.few.positions import FewReader, Order, Sizes, after, ascending, choices, may_choose, orders
from encoders.rules.few.section import FewHeapsMove, FewProof, LeastNumberDefinition, read_few
from encoders.rules.kit.common import DEFINED, MEASURE, PARAMETERS, RULES, claim_follows, only_game
from encoders.rules.kit.drafts import lose_everywhere, unused_names
from encoders.rules.kit.lemmas import LEMMA, pose_lemma, show_lemmas
from encoders.rules.kit.outline import (
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    assigned,
    listed,
    name_of,
    say,
    when,
)
from encoders.rules.kit.rule import ObligationBuilder, ProofCoverage, ProofServices, build_sequents
from encoders.rules.kit.shape import WHO_WINS, ClaimShape, RuleSuggestion, shape_of
from encoders.rules.kit.turns import (
    LEADS_TO_LOSS,
    OF_WHO_WINS,
    MoveNames,
    MoverPair,
    about_who_wins,
    find_stuck,
    show_moves,
    turns_of,
    who_loses,
)

# -- what is said of it -----------------------------------------------------------------------------------------------
NUMBER = ObligationKind(
    "number {name}: there is one",
    "The last number of the range does not meet the condition, or the range is empty",
    "Widen the range until its last number meets it; that it does may need a lemma",
    "there is one",
)
CLOSED = ObligationKind("closed{who}: {choice}", *LEADS_TO_LOSS, "no move leads to a loss")
FEW_HEAPS = ObligationKind(
    "the claim's positions have few heaps",
    "By the hypotheses a position of the claim may have more heaps than the proof names",
    "Say in `if` how many it has, as by len(s) == 2, or name more heaps",
    "it is about few heaps",
)
CLAIM = claim_follows(
    "The claim does not follow from the invariant and the lemmas",
    "If it is false at these values, so it is; else state as a lemma what is missing about these numbers",
)
OF_GAMES = (PARAMETERS, RULES, MEASURE, PRODUCT, REMAINDERS)
KINDS = (*OF_GAMES, DEFINED, LEMMA, NUMBER, CLOSED, *OF_WHO_WINS, FEW_HEAPS, CLAIM)
MOST = 4  # heaps; with more there are too many cases of their order


def _asks_of_few_heaps(shape: ClaimShape) -> bool:
    few = shape.heaps is not None and 1 <= shape.heaps <= MOST
    return few and shape.asks(WHO_WINS) and not shape.asks(frozenset({"options"})) and shape.two_players


def _name_heaps(claim: Claim) -> list[str]:
    return [*unused_names(claim, "abcd"[: shape_of(claim).heaps])]


FIT = RuleSuggestion(
    "who wins, from positions of so many heaps at most, whatever moves do to them",
    _asks_of_few_heaps,
    "name the heaps in ascending order (`heaps`), say in [proof.loses] where the mover loses, and in [[proof.moves]] "
    "which move wins elsewhere",
    lambda claim, _: iter(({"heaps": _name_heaps(claim), "loses": lose_everywhere(claim)},)),
)
RULE = TrustedRule("few heaps")
OUTCOME = TrustedRule("outcome, by induction on the measure")


# -- the obligations --------------------------------------------------------------------------------------------------
def _about_the_game(claim: Claim, proof: FewProof, stuck: Collection[int]) -> Iterator[ObligationBuilder[FewReader]]:
    """In the order above. `stuck`: see `find_stuck`. Raises Unsupported."""
    game = only_game(claim)
    of = f" of {game.ruleset.id}"
    moves = [move for turn in turns_of(game) for move in open_choices(game, turn.mover)]
    if any(parameter_bounds(game)):
        yield PARAMETERS.of(of=of), lambda q: Entailment((), q.parameters())
    for need in needs_of_game(claim, game, open_choices):
        yield RULES.of(part=need.part, words=need.words), partial(_rule_defined, game=game, need=need)
    smaller = measure(game, open_choices)
    yield MEASURE.of(of=of), lambda q: Entailment((), q.needed(smaller, q.somewhere(game), q.heap_of))
    if any(_divides(x) for x in walk((claim.hypothesis, claim.conclusion, proof, *moves))):
        yield PRODUCT.of(), pose_product
        yield REMAINDERS.of(), pose_remainders
    for lemma in proof.lemmas:
        yield LEMMA.of(name=lemma.name), partial(pose_lemma, lemma=lemma)
    for i, number in enumerate(proof.numbers):
        yield NUMBER.of(name=number.name), partial(_number, number=number, before=proof.numbers[:i])
    yield from about_who_wins(game, proof.moves, partial(_all_closed, proof.heaps), _covered, _steps, stuck)


def _rule_defined(q: FewReader, game: Game, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.needed([need], q.somewhere(game), q.heap_of))


def _divides(term: t.Term) -> bool:
    """Whether it is a division by a number that is not written down."""
    divides = isinstance(term, t.Operation) and term.op in ("floordiv", "mod")
    return divides and not isinstance(t.subterms(term)[1], t.Literal)


def _about_the_claim(claim: Claim, defined: Iterator[DefinednessCondition]) -> Iterator[ObligationBuilder[ClaimReader]]:
    """`defined`: what the claim needs to have a truth value."""
    for need in defined:
        yield DEFINED.of(words=need.words), partial(_defined, need=need)
    if any(v.type == POSITION for v in claim.variables):
        yield FEW_HEAPS.of(), ClaimReader.few_heaps
    yield CLAIM.of(), ClaimReader.conclusion


def _defined(q: ClaimReader, need: DefinednessCondition) -> Entailment:
    """Of positions of any number of heaps: each part of a guard is read where those before it hold."""
    path: list[Guard | Over] = []
    for step in need.path:
        path += map(Guard, t.conjuncts(step.term)) if isinstance(step, Guard) else (step,)
    return Entailment((), q.needed([replace(need, path=tuple(path))], q.variables(), q.element))


# -- integers ---------------------------------------------------------------------------------------------------------
def _number(q: FewReader, number: LeastNumberDefinition, before: tuple[LeastNumberDefinition, ...]) -> Entailment:
    """Where it is wanted, its range is not empty and ends with a number that meets its condition."""
    env = q.seen(q.position())
    q.name_numbers(env, before)
    q.use_lemmas(env)
    when, low, high = q.where(number, env)
    return Entailment((when,), conjunction(at_most(low, high), q.truth(number.having, {**env, number.name: high})))


# -- who wins ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class _Choice:
    """A kind of move, the places of the heaps that it is made on, and an order of what it leaves."""

    move: OpenMove
    places: tuple[int, ...]
    order: Order


def _choices(turn: MoverPair, heaps: tuple[str, ...]) -> Iterator[tuple[str, _Choice]]:
    """Each in words. A heap that has changed has a mark in them. Raises Unsupported."""
    moves = open_choices(turn.game, turn.mover)
    for kind, move in enumerate(moves, 1):
        which = f"move {kind} on " if len(moves) > 1 else ""
        for places in choices(move, len(heaps)):
            words = f"{which}{', '.join(heaps[i] for i in places)}"
            found = list(orders(len(heaps), places, len(move.becomes)))
            for order in found:
                left = (heaps[i] if i >= 0 else f"{heaps[places[-1 - i]]}'" for i in order if i is not None)
                yield words + (f", leaves {', '.join(left)}" if len(found) > 1 else ""), _Choice(move, places, order)


def _all_closed(heaps: tuple[str, ...], turn: MoverPair) -> Iterator[ObligationBuilder[FewReader]]:
    """For each such choice, that no such move leads from a loss to a loss."""
    for words, choice in _choices(turn, heaps):
        yield CLOSED.of(who=turn.who, choice=words), partial(_closed, turn=turn, choice=choice)


def _closed(q: FewReader, turn: MoverPair, choice: _Choice) -> Entailment:
    """Where what is left ascends in that order."""
    sizes, move, places = q.position(), choice.move, choice.places
    env = q.seen(sizes)
    q.use_lemmas(env)
    legal, becomes = q.play_at(move, sizes, places, q.free_picks(move))
    known = (q.loses(sizes, turn.mover), may_choose(move, sizes, places), legal)
    natural = (at_least(size, ZERO) for size in becomes)  # by the measure
    left = after(sizes, becomes, choice.order)
    q.use_lemmas_after(env, left)
    return Entailment((*known, *natural, ascending(left)), negation(q.loses(left, turn.following)))


def _start(q: FewReader, turn: MoverPair, at_loss: bool) -> tuple[dict[str, object], Sizes, tuple[t.Term, ...]]:
    """A position that the mover loses, or does not: (its names, its sizes, that).

    Under misère play one with a heap, where he does not: for without he wins at once.
    """
    sizes = q.position()
    env = q.seen(sizes)
    q.name_numbers(env, q.proof.numbers)
    q.use_lemmas(env)
    lost = q.loses(sizes, turn.mover)
    if at_loss:
        return env, sizes, (lost,)
    some = (at_least(sizes[-1], ONE),) if turn.game.ruleset.stuck_wins else ()
    return env, sizes, (negation(lost), *some)


def _covered(turn: MoverPair, whens: list[t.Term], at_loss: bool) -> Callable[[FewReader], Entailment]:
    """Who is stuck wins under misère play: where heaps may be left then, it is asked where the mover can move."""

    def ask(q: FewReader) -> Entailment:
        env, sizes, known = _start(q, turn, at_loss)
        if turn.stuck and not at_loss:
            known = (*known, _can_move(q, turn, sizes))
        return Entailment(known, disjunction(*(q.truth(when, env) for when in whens)))

    return ask


def _can_move(q: FewReader, turn: MoverPair, sizes: Sizes) -> t.Term:
    """That some move is legal, with numbers that are free: to be assumed, not to be shown."""
    ways = []
    for move in open_choices(turn.game, turn.mover):
        for places in choices(move, len(sizes)):
            legal, _ = q.play_at(move, sizes, places, q.free_picks(move))
            ways.append(conjunction(may_choose(move, sizes, places), legal))
    return disjunction(*ways)


def _steps(turn: MoverPair, names: MoveNames, named: FewHeapsMove) -> Iterator[ObligationBuilder[FewReader]]:
    move = _FewHeapsMoveObligations(turn, named)
    yield names.heap, move.has_heaps
    yield names.legal, move.is_legal
    if named.to_loss:
        yield names.to_loss, move.leads_to_loss


@dataclass(frozen=True, eq=False)
class _Played:
    """A kind of move that a named move may be: its heaps are there, it is legal on them, what they become."""

    there: t.Term
    legal: t.Term
    becomes: Sizes


@dataclass(frozen=True, eq=False)
class _FewHeapsMoveObligations:
    """The obligations of one named move: a reply where the mover does not lose, or any move where he does."""

    turn: MoverPair
    named: FewHeapsMove

    def _kinds(self) -> list[OpenMove]:
        """The kinds of moves that it may be. Raises Unsupported if there is none."""
        named, take = self.named, dict(self.named.take)
        chosen = [x for x in open_choices(self.turn.game, self.turn.mover) if len(x.heaps) == len(named.heaps)]
        found = [x for x in chosen if named.number in (None, x.number) and x.picks_by(take)]
        if not found:
            raise refuse_picks("a named move", take, self.turn.game.ruleset, len(named.heaps))
        return found

    def _play(self, q: FewReader) -> tuple[tuple[t.Term, ...], Sizes, list[_Played]]:
        """(what is known, the sizes before, each kind of move that it may be)."""
        env, sizes, known = _start(q, self.turn, not self.named.to_loss)
        heaps, take = self.named.heaps, q.values(self.named.take, env)
        kinds = self._kinds()
        played = [_Played(may_choose(x, sizes, heaps), *q.play_at(x, sizes, heaps, take)) for x in kinds]
        return (*known, q.truth(self.named.when, env)), sizes, played

    def has_heaps(self, q: FewReader) -> Entailment:
        known, _, played = self._play(q)
        return Entailment(known, disjunction(*(x.there for x in played)))

    def is_legal(self, q: FewReader) -> Entailment:
        known, _, played = self._play(q)
        if len(played) == 1:
            return Entailment((*known, played[0].there), played[0].legal)
        return Entailment(known, disjunction(*(conjunction(x.there, x.legal) for x in played)))

    def leads_to_loss(self, q: FewReader) -> Entailment:
        known, sizes, played = self._play(q)
        if len(played) == 1:
            return Entailment((*known, played[0].there, played[0].legal), self._is_lost(q, sizes, played[0].becomes))
        made = [(conjunction(x.there, x.legal), self._is_lost(q, sizes, x.becomes)) for x in played]
        return Entailment(
            (*known, disjunction(*(legal for legal, _ in made))), disjunction(*(conjunction(*x) for x in made))
        )

    def _is_lost(self, q: FewReader, sizes: Sizes, becomes: Sizes) -> t.Term:
        """Whether what is left is lost for the next player."""
        left = [after(sizes, becomes, order) for order in orders(len(sizes), self.named.heaps, len(becomes))]
        return conjunction(*(implies(ascending(s), q.loses(s, self.turn.following)) for s in left))


# -- the outline ------------------------------------------------------------------------------------------------------
COLUMNS = ("When", "Heaps", "By picking")
OF_NUMBERS = ("Name", "Is the least", "That meets", "When")


def _outline(claim: Claim, proof: FewProof) -> Outline:
    """Its tables, empty ones left out. Raises Unsupported as the obligations do."""
    turns = list(turns_of(claim.games[0]))
    names = " ≤ ".join(proof.heaps)
    summary = (
        f"A position is written heap by heap, {names}, with 0 for a heap that is not there. The proof names the losing "
        "positions, shows that no move leads from one to another, and gives a move to one from every other position."
    )
    few = [FEW_HEAPS.of().shown] if any(v.type == POSITION for v in claim.variables) else []
    claimed = OutlineRow((say(claim.conclusion),), (*few, CLAIM.of().shown))
    tables = (
        OutlineTable("loses", "Who loses", ("Who", "Loses when"), tuple(_loses(proof, turn) for turn in turns)),
        show_lemmas(proof.lemmas),
        OutlineTable("numbers", "Numbers of a position", OF_NUMBERS, tuple(_numbers(proof))),
        *(x for turn in turns for x in show_moves(turn, COLUMNS, proof.moves, partial(_lines, proof))),
        OutlineTable("claim", "What follows", ("Statement",), (claimed,)),
    )
    return Outline(summary, tuple(table for table in tables if table.lines))


def _loses(proof: FewProof, turn: MoverPair) -> OutlineRow:
    found = ((words, CLOSED.of(who=turn.who, choice=words).name) for words, _ in _choices(turn, proof.heaps))
    closed = ((f"{CLOSED.shows}: {words}", name) for words, name in found)
    return who_loses(turn, dict(proof.loses)[turn.mover], closed)


def _numbers(proof: FewProof) -> Iterator[OutlineRow]:
    for n in proof.numbers:
        cells = (say(name_of(n.name)), say("from", n.lo, "to", n.hi), when(n.having), when(n.when))
        yield OutlineRow(cells, (NUMBER.of(name=n.name).shown,))


def _lines(proof: FewProof, names: MoveNames, named: FewHeapsMove) -> Iterator[OutlineRow]:
    shown = [names.heap, names.legal, *((names.to_loss,) if named.to_loss else ())]
    heaps = listed([name_of(proof.heaps[i])] for i in named.heaps)
    yield OutlineRow(
        (when(named.when), say(*heaps), OutlineCell(tuple(assigned(named.take)))), tuple(x.shown for x in shown)
    )


# -- the rule ---------------------------------------------------------------------------------------------------------
class FewHeapsRule:
    """See docs/proof-rules.md, "few heaps"."""

    name = "few heaps"
    fits = (FIT,)
    kinds = KINDS

    def read(self, section: ProofSection) -> FewProof:
        return read_few(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfolded_claim(claim)
        proof = plain.proof
        assert isinstance(proof, FewProof)
        reader = partial(FewReader, plain, proof)
        stuck = find_stuck(only_game(plain), proof.moves, _covered, reader, surroundings.decide)
        yield from build_sequents(_about_the_game(plain, proof, stuck), reader)
        yield from build_sequents(_about_the_claim(plain, needs_of_claim(claim)), partial(ClaimReader, plain, proof))

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        assert isinstance(claim.proof, FewProof)
        return _outline(claim, claim.proof)

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """All integers; all positions for which the hypotheses hold, with heaps of any size."""
        assert isinstance(claim.proof, FewProof)
        return ProofCoverage(bounds_of(claim, All()), frozenset({RULE, OUTCOME}))


FEW = FewHeapsRule()
