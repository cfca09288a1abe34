"""The obligations of a proof by folds.

If the terms of a nim-sum contain remainders, separate obligations prove facts about these remainders.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from claims.language.files.claim import Claim, Game, unfold_claim
from claims.language.files.domains import ElementsOf
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, rebuild, structural_key, walk
from claims.language.syntax.terms import BOOL, POSITION
from encoders.logic.definedness import DefinednessCondition, Guard, measure, needs_of_game, sizes
from encoders.logic.moves import has_several_heaps, movers, open_moves, open_several, parameter_bounds, refuse_picks
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequents import (
    Hypothesis,
    Sequent,
    Symbols,
    at_most,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    names_in,
    negation,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ObligationBuilder, ProofServices, build_sequent
from encoders.rules.base.shape import DEFINED, MEASURE, PARAMETERS, RULES
from encoders.rules.base.turns import MoveNames, MoverPair, list_winning_obligations
from encoders.rules.folds import kinds, positions
from encoders.rules.folds import moves as several
from encoders.rules.folds.kinds import CHANGING, DOING
from encoders.rules.folds.moves import (
    Played,
    build_cover,
    has_effect,
    kinds_of,
    nim_sum_of,
    pick_of,
    picks_of,
    play,
    play_named,
    playable,
    pose_some_to_loss,
    start,
)
from encoders.rules.folds.numbers import pose_aimed, pose_column, pose_lowered
from encoders.rules.folds.positions import ADDED, EFFECTS, Cuts, Position, changes, make_position
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.section import FoldsMove, FoldsProof
from encoders.trust import ObligationKind, Reason


# == cuts =============================================================================================================
# A cut is a fact about the effect of moves on remainders, proved without nim-sums.  A solver that has to reason about
# remainders and nim-sums at once fails at both.
#
# Let X be a nim-sum whose terms have a remainder by a symbol.  The rule tries these facts, as arithmetic without bound:
# - every legal move changes the term of its heap;
# - a named move at the top bit of X adds X to that term;
# - another named move lowers that term by the number taken, or leaves 0 or 1 of it.
# The facts that the solver proves become obligations of the proof, and later obligations assume them.
#
# Each fact is posed as a stronger sequent: over integers instead of words, with nim-sums as arbitrary natural numbers.
# A proof of it proves the original sequent too.  The solver fails on some original sequents, and is slower on others.
def find_cuts(
    claim: Claim, proof: FoldsProof, start: Callable[[], FoldReader], surroundings: ProofServices
) -> tuple[Cuts, list[Sequent]]:
    """Return the cuts that the solver proves, and the obligations that prove them. Raises Unsupported.

    A cut is an auxiliary fact that a separate obligation proves and later obligations assume.
    `start`: makes the translator of each obligation.
    """
    names = [fold.name for fold in proof.folds if _divides(fold.term)]
    changing = {name: forget_nim_sums(pose_change(claim, start, name)) for name in names}
    doing = {
        (named, name, effect): forget_nim_sums(pose_effect(claim, start, number, named, name, effect))
        for number, named in enumerate(proof.moves, 1)
        for name in names
        for effect in EFFECTS
        if (effect == ADDED) is (named.top_bit == name and named.aim is None)
    }
    shown = [s for s in (*changing.values(), *doing.values()) if surroundings.decide(s)]
    return Cuts(
        tuple(name for name, s in changing.items() if s in shown),
        tuple(what for what, s in doing.items() if s in shown),
    ), shown


def _divides(fold: t.Term) -> bool:
    """Whether a fold is a nim-sum whose terms contain a remainder by a divisor that is not a literal."""
    if not isinstance(fold, t.Comprehension) or fold.reducer != "nim_sum":
        return False
    return any(
        isinstance(x, t.Operation) and x.op == "mod" and not isinstance(x.args[1], t.Literal) for x in walk(fold)
    )


def _turns(claim: Claim) -> Iterator[tuple[Game, int]]:
    for game in claim.games:
        for mover in movers(game):
            yield game, mover


def pose_change(claim: Claim, start: Callable[[], FoldReader], name: str) -> Sequent:
    """Return the statement that every legal move changes the number that its heap contributes to the nim-sum `name`.

    The obligation is about all games and players of the claim.
    """

    def ask(q: FoldReader) -> Entailment:
        rest, heap, goals = q.position("rest"), q.size("heap", low=1), []
        for game, mover in _turns(claim):
            for move in playable(game, mover):
                legal, size, made = play(q, move, heap, rest, None)
                goals.append(implies(conjunction(legal, made), changes(nim_sum_of(q, name), heap, size)))
        return Entailment((), conjunction(*goals))

    return build_sequent(CHANGING.make_label(name=name), ask, start)


def pose_effect(
    claim: Claim, start: Callable[[], FoldReader], number: int, named: FoldsMove, name: str, effect: str
) -> Sequent:
    """Return the statement that the named move has the effect on the nim-sum `name`, for every game and mover.

    `effect`: a key of EFFECTS, which describes the effect in words.
    """

    def ask(q: FoldReader) -> Entailment:
        s, goals = q.position("s"), []
        for game, mover in _turns(claim):
            for move in kinds_of(named, game, mover):
                for where, heap, rest in picks_of(q, named, s):
                    legal, size, made = play_named(q, named, move, s, where, heap, rest)
                    goals.append(implies(conjunction(where, legal, made), has_effect(q, s, name, effect, heap, size)))
        return Entailment((), conjunction(*goals))

    return build_sequent(DOING.make_label(number=number, effect=effect, name=name), ask, start)


# -- without nim-sums -------------------------------------------------------------------------------------------------
def forget_nim_sums(sequent: Sequent) -> Sequent:
    """Return a sequent without nim-sums that implies the given sequent.

    A new variable for a natural number replaces each nim-sum. The upper bounds of integer variables become ordinary
    assumptions.
    """
    return name_nim_sums(sequent)[0]


def name_nim_sums(sequent: Sequent) -> tuple[Sequent, dict[str, t.Term]]:
    """Return the result of `forget_nim_sums`, and the nim-sum for which each new variable stands, by its name."""
    symbols = Symbols()
    ranges: list[t.Term] = []
    for s in sequent.variables:
        if s.type == BOOL:
            symbols.truth(s.name, s.aside)
        else:
            x = symbols.integer(s.name, s.lo, None, s.aside)
            ranges += () if s.hi is None else (at_most(x, integer(s.hi)),)
    sums: dict[Hashable, t.Variable] = {}
    terms: dict[str, t.Term] = {}
    done: dict[int, t.Term] = {}

    def change(term: t.Term) -> t.Term:
        if id(term) not in done:
            if isinstance(term, t.Operation) and term.op == "nim":
                key = structural_key(term)
                if key not in sums:
                    sums[key] = symbols.integer("nim-sum", 0, aside=True)
                    terms[sums[key].name] = term
                done[id(term)] = sums[key]
            else:
                done[id(term)] = rebuild(term, change)
        return done[id(term)]

    hypotheses = tuple(Hypothesis(h.words, change(h.term)) for h in sequent.hypotheses)
    assume = (*ranges, *(change(x) for x in sequent.assume))
    lemmas = tuple((id, tuple(map(change, said))) for id, said in sequent.lemmas)
    made = symbols.sequent(sequent.name, assume, change(sequent.show), hypotheses, lemmas)
    return replace(made, kind=sequent.kind, by=sequent.by), terms


# == obligations ======================================================================================================
# The obligations of a claim about positions of any number of heaps, proved through folds.
# The order:
# 1. parameters: the games' parameters are legal;
# 2. measure: a move makes its heap smaller;
# 3. the claim is defined;
# 4. the pick of the top bit;
# 5. each fact: for no heap, and for one more heap;
# 6. if the claim asks who wins:
#    - closed: no move leads from a loss to a loss of the next player;
#    - cases: the named moves cover every position that is not a loss;
#    - each reply: its heap exists, it is legal, and it leads to a loss;
#    - stuck (misère play): a mover who loses can move;
# 7. the claim itself, for each case if [proof] splits it.
Asks = Iterator[ObligationBuilder[FoldReader]]


# -- the obligations --------------------------------------------------------------------------------------------------
def obligations(
    claim: Claim,
    proof: FoldsProof,
    defined: Iterator[DefinednessCondition],
    stuck: Collection[int] | None,
    follows: ObligationKind,
) -> Asks:
    """List all obligations of the proof, first those about the rules of the games.

    Then follow the obligations that the claim is defined, the facts about every position, who wins, and the claim
    itself.
    `defined`: the conditions under which the claim has a truth value.
    `stuck`: the players who may be unable to move, see `find_stuck`; None if the claim does not ask who wins.
    `follows`: the kind of the last obligation, which states that the claim follows.
    """
    for game in claim.games:
        yield from list_rule_obligations(claim, game, proof.bits)
    yield from list_value_obligations(claim, proof, defined)
    yield from list_fact_obligations(claim, proof)
    if stuck is not None:
        (game,) = claim.games
        if proof.uses_cases(game.ruleset):
            yield from list_winning_obligations(
                game, proof.several, several.list_closure, build_cover, several.steps, stuck
            )
        else:
            yield from list_winning_obligations(game, proof.moves, _list_closed_obligations, build_cover, _steps, stuck)
    yield from list_claim_obligations(proof, follows)


def list_value_obligations(claim: Claim, proof: FoldsProof, defined: Iterator[DefinednessCondition]) -> Asks:
    """List the obligations that the claim is defined, and that its position has as many heaps as the proof names.

    There is no obligation about the number of heaps if the proof does not name heaps.
    `defined`: the conditions under which the claim has a truth value.
    """
    for need in defined:
        yield (
            DEFINED.make_label(words=need.words),
            build_definedness(claim, [need], heaps_known=_is_of_conclusion(need, claim)),
        )
    if proof.heaps:
        yield kinds.NUMBER_OF_HEAPS.make_label(position=proof.position, heaps=len(proof.heaps)), _number_of_heaps


def list_fact_obligations(claim: Claim, proof: FoldsProof) -> Asks:
    """List the obligations about every position: the facts of the proof, and facts about binary places and top bits."""
    by_top_bit = any(pick.top_bit for pick in (*proof.moves, *proof.picks))
    if by_top_bit or several.picks_by_nim_sums(proof):
        yield kinds.COLUMN.make_label(), lambda q: pose_column(q.symbols, q.highest)
    if by_top_bit:
        yield kinds.LOWERED.make_label(), lambda q: pose_lowered(q.symbols, q.highest)
    if any(pick.aim is not None for pick in (*proof.moves, *proof.picks)):
        yield kinds.AIMED.make_label(), lambda q: pose_aimed(q.symbols, q.highest)
    for modulus in moduli(claim, proof):
        yield kinds.ONES_MODULO.make_label(modulus=modulus), partial(positions.pose_one_more, modulus=modulus)
    yield from several.list_pick_obligations(proof)
    for name, _ in proof.facts:
        yield kinds.FACT_OF_NONE.make_label(name=name), partial(_fact_base, name=name)
        yield kinds.FACT_OF_MORE.make_label(name=name), partial(_fact_step, name=name)


def list_claim_obligations(proof: FoldsProof, follows: ObligationKind) -> Asks:
    """List the obligations for the steps of the proof, and for the claim itself in each case of the key `split`.

    `follows`: the kind of the obligations that the claim follows.
    """
    for number, (name, _) in enumerate(proof.steps):
        yield kinds.STEP.make_label(name=name), partial(_step, number=number)
    if not proof.split:
        yield follows.make_label(), partial(pose_claim, case=None)
        return
    yield kinds.SPLIT.make_label(), _split
    for words, case in proof.split:
        yield follows.make_label(where=f", where {words}"), partial(pose_claim, case=case)


def moduli(claim: Claim, proof: FoldsProof) -> list[int]:
    """Return the moduli m of all folds columns(s, m, r) in the claim, its proof and the lemmas, in ascending order."""
    spoken = (claim, proof, *(unfold_claim(lemma.claim) for lemma in proof.by))
    terms = (x for part in spoken for x in walk(part))
    columned = (x.args[1] for x in terms if isinstance(x, t.Operation) and x.op == "columns")
    return sorted({x.value for x in columned if isinstance(x, t.Literal)})


def list_rule_obligations(claim: Claim, game: Game, bits: int | None = None) -> Asks:
    """List the obligations about the rules of a game.

    They state that the parameters are legal, that the terms of the rules are defined, and that play ends. With a bound
    2^bits and moves on several heaps, they also state that the new heaps are below the bound.
    """
    alike = [g for g in claim.games if g.ruleset.id == game.ruleset.id]
    of = f" of {game.ruleset.id}" if len(alike) == 1 else f" of {game.ruleset.id} ({game.name})"
    if bounds := list(parameter_bounds(game)):
        yield PARAMETERS.make_label(of=of), lambda q: Entailment((), conjunction(*(q.truth(x, q.root) for x in bounds)))
    moves = open_several if has_several_heaps(game.ruleset) else open_moves
    for need in needs_of_game(claim, game, moves):
        yield RULES.make_label(part=need.part, words=need.words), build_definedness(claim, [need])
    yield MEASURE.make_label(of=of), build_definedness(claim, list(measure(game, moves)))
    if bits is not None and has_several_heaps(game.ruleset):
        yield kinds.SIZES.make_label(of=of), build_definedness(claim, list(sizes(game, 1 << bits, moves)))


def build_definedness(
    claim: Claim, needs: list[DefinednessCondition], heaps_known: bool = False
) -> Callable[[FoldReader], Entailment]:
    """Return a builder of the obligation that all conditions in `needs` hold.

    `heaps_known`: whether the claim's position consists of the heaps that the proof names.
    """
    return lambda q: Entailment((), q.require_defined(needs, _names(claim, q, heaps_known), q.element))


def _is_of_conclusion(need: DefinednessCondition, claim: Claim) -> bool:
    """Whether the condition is required only if the claim's hypothesis holds."""
    if claim.hypothesis is None or not need.path:
        return False
    first = need.path[0]
    return isinstance(first, Guard) and structural_key(first.term) == structural_key(claim.hypothesis)


def _names(claim: Claim, q: FoldReader, heaps_known: bool) -> Env:
    """Return the values of the claim's variables: integers, its position, and heaps of that position.

    If `heaps_known` is set and the proof names heaps, the position consists of these heaps. Otherwise the position is
    arbitrary. The heaps of `[[proof.picks]]` are picked in both cases.
    """
    env = dict(q.root)
    for v in claim.variables:
        if v.type == POSITION:
            env[v.name] = s = q.make_ordered_position() if heaps_known and q.proof.heaps else q.position(v.name)
            q.questions.meet(s, q.proof.unfold)
            for pick in q.proof.picks:
                picks_of(q, pick, s)
        elif isinstance(v.domain, ElementsOf):
            env[v.name] = q.draw(q.position_of(v.domain.source, env), v.name)
    return {**env, **q.root}


def _number_of_heaps(q: FoldReader) -> Entailment:
    """Return the obligation that the claim's hypotheses imply that the position has as many heaps as the proof names.

    The position is arbitrary. Hypotheses that cannot be translated for an arbitrary position are not assumed.
    """
    env = _names(q.claim, q, heaps_known=False)
    for x in () if q.claim.hypothesis is None else t.conjuncts(q.claim.hypothesis):
        try:
            q.hypotheses.append(Hypothesis(print_term(x), q.truth(x, env)))
        except Unsupported:
            q.unread[print_term(x, q.player_names)] = None
    (s,) = (x for x in env.values() if isinstance(x, Position))
    return Entailment((), equal(s.fold(q.heaps), integer(len(q.proof.heaps))))


# -- facts ------------------------------------------------------------------------------------------------------------
def _fact_base(q: FoldReader, name: str) -> Entailment:
    q.facts_known = False
    nothing = make_position(q.symbols, q.highest, "no heap", ())
    return Entailment((), q.fact(dict(q.proof.facts)[name], nothing))


def _fact_step(q: FoldReader, name: str) -> Entailment:
    """Return the induction step for a fact: it holds for a position with one more heap, if all facts hold for the rest.

    The facts are proved together, by induction on the number of heaps.
    """
    rest = q.position("rest")
    whole = q.add_heap("whole", rest, q.size("heap", low=1))
    return Entailment((), q.fact(dict(q.proof.facts)[name], whole))


# -- the least and the largest heap -----------------------------------------------------------------------------------
def list_extreme_obligations() -> Asks:
    """List the obligations about the smallest and the largest heap, for proofs that mention one of them."""
    yield kinds.EXTREMES_NONE.make_label(), _extremes_base
    yield kinds.EXTREMES_MORE.make_label(), _extremes_step


def _extremes_base(q: FoldReader) -> Entailment:
    return Entailment((), conjunction(*q.extremes_of(make_position(q.symbols, q.highest, "no heap", ()))))


def _extremes_step(q: FoldReader) -> Entailment:
    """Return the induction step for the properties of the smallest and largest heap: one more heap keeps them true.

    The properties are proved together, by induction on the number of heaps.
    """
    rest = q.position("rest")
    return Entailment((), conjunction(*q.extremes_of(q.add_heap("whole", rest, q.size("heap", low=1)))))


# -- who wins ---------------------------------------------------------------------------------------------------------
def _list_closed_obligations(turn: MoverPair) -> Asks:
    yield kinds.CLOSED.make_label(who=turn.who), partial(_pose_closed, turn=turn)


def _steps(turn: MoverPair, names: MoveNames, named: FoldsMove) -> Asks:
    move = _FoldsMoveObligations(turn, named)
    yield names.heap, move.has_heap
    yield names.legal, move.is_legal
    if named.to_loss:
        yield names.to_loss, move.leads_to_loss


def _pose_closed(q: FoldReader, turn: MoverPair) -> Entailment:
    rest, heap = q.position("rest"), q.size("heap", low=1)
    before = q.add_heap("before", rest, heap)
    goals = []
    for move in playable(turn.game, turn.mover):
        legal, size, made = play(q, move, heap, rest, None)
        goals.append(implies(conjunction(legal, made), negation(q.loses(q.extend_rest(rest, size), turn.following))))
    return Entailment((q.loses(before, turn.mover),), conjunction(*goals))


@dataclass(frozen=True, eq=False)
class _FoldsMoveObligations:
    """The obligations of one named move.

    If the move must lead to a loss, they are about all positions that the mover does not lose; otherwise they are about
    all positions that the mover loses.
    """

    turn: MoverPair
    named: FoldsMove

    def _start(self, q: FoldReader) -> tuple[Position, tuple[t.Term, ...]]:
        """Return an arbitrary position at which the named move is made, and the assumptions about it."""
        s, known = start(q, self.turn, not self.named.to_loss)
        return s, (*known, q.truth(self.named.when, q.fold_values(s)))

    def _play(self, q: FoldReader, s: Position) -> tuple[t.Term, list[Played]]:
        """Return the condition under which the named move picks a heap of s, and the kinds of moves that it may be."""
        ((where, heap, rest),) = picks_of(q, self.named, s)
        kinds = kinds_of(self.named, self.turn.game, self.turn.mover)
        if not kinds:
            raise refuse_picks("a named move", dict(self.named.take), self.turn.game.ruleset)
        played = []
        for move in kinds:
            legal, size, made = play_named(q, self.named, move, s, where, heap, rest)
            played.append((legal, made, q.extend_rest(rest, size)))
        return where, played

    def has_heap(self, q: FoldReader) -> Entailment:
        s, known = self._start(q)
        premise, _ = pick_of(q, self.named, s)
        self._play(q, s)
        return Entailment(known, premise)

    def is_legal(self, q: FoldReader) -> Entailment:
        s, known = self._start(q)
        where, played = self._play(q, s)
        return Entailment((*known, where), disjunction(*(legal for legal, _, _ in played)))

    def leads_to_loss(self, q: FoldReader) -> Entailment:
        s, known = self._start(q)
        where, played = self._play(q, s)
        return pose_some_to_loss(q, self.turn, (*known, where), played)


# -- the claim --------------------------------------------------------------------------------------------------------
def _split(q: FoldReader) -> Entailment:
    return Entailment((), disjunction(*(q.truth(case, q.root) for _, case in q.proof.split)))


def _step(q: FoldReader, number: int) -> Entailment:
    """Return the obligation that the step with this index follows from the hypotheses and the earlier steps."""
    env = _names(q.claim, q, heaps_known=True)
    q.assume_hypotheses(q.claim.hypothesis, env)
    assumed = _hypotheses(q)
    _take_steps(q, env, assumed, number)
    return Entailment(assumed, q.truth(q.proof.steps[number][1], env))


def _hypotheses(q: FoldReader) -> tuple[t.Term, ...]:
    """Return the claim's hypotheses as ordinary assumptions, and remove them from the hypotheses of the sequent.

    Only hypotheses of a sequent are checked for contradictions, so this removal avoids the check. The obligation
    *claim* makes it.
    """
    assumed = tuple(h.term for h in q.hypotheses)
    q.hypotheses = []
    return assumed


def _take_steps(q: FoldReader, env: Env, hypotheses: tuple[t.Term, ...], number: int | None = None) -> None:
    """Assume that the hypotheses imply the first `number` steps, or all steps if `number` is None."""
    for _, step in q.proof.steps[:number]:
        q.assume(Reason.STEP, implies(conjunction(*hypotheses), q.truth(step, env)))


def pose_claim(q: FoldReader, case: t.Term | None = None) -> Entailment:
    """Return the obligation that the claim holds; with `case`, that the claim holds under this condition."""
    env = _names(q.claim, q, heaps_known=True)
    q.assume_hypotheses(q.claim.hypothesis, env)
    _take_steps(q, env, tuple(h.term for h in q.hypotheses))
    show = q.truth(q.claim.conclusion, env)
    if case is None:
        # If heaps have names, the hypothesis on their number is constant here: an earlier obligation has used it.
        plain = [h for h in q.hypotheses if q.proof.heaps and not names_in(h.term)]
        q.hypotheses = [h for h in q.hypotheses if h not in plain]
        return Entailment(tuple(h.term for h in plain), show)
    # Hypotheses may contradict each other in one case. The scope shows that they can be satisfied in another case.
    assumed = _hypotheses(q)
    return Entailment((q.truth(case, q.root), *assumed), show)
