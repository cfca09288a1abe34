"""The proof rule "equal games": two games have the same winners, because they have the same moves.

The proof names a region, that is, a set of positions that no move leaves. The moves must be the same in this region.

    [proof]
    rule = "equal games"
    region = "all(h < k for h in s)"      # the region: a condition on the position s and the claim's integers
    sizes = "< 2^62"                      # optional, as are all other keys of the rule "folds" except [proof.loses]

The obligations, in order:
1. play ends in each game;
2. the condition `region` has a truth value at every position;
3. the facts of the proof;
4. for each player: no move leaves the region; and in the region, each move of one game is a move of the other game;
5. for each choice of values for the claim's player variables: the claim is defined, and it follows from the above.

docs/rules/equal-games.md describes why the rule is sound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import ClassVar

from claims.language.files.claim import Claim, Game, unfold_claim
from claims.language.files.domains import Players
from claims.language.files.proofs import ProofSection
from claims.language.syntax import terms as t
from claims.language.syntax.printing import substitute
from claims.language.syntax.terms import BOOL, PLAYER, POSITION
from encoders.logic.definedness import needs, needs_of_claim
from encoders.logic.reader import Entailment
from encoders.logic.sequents import YES, Sequent, conjunction, disjunction, equal, iff, implies
from encoders.refusals import Unsupported
from encoders.rules.base.rule import (
    ObligationBuilder,
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    ProofCoverage,
    ProofServices,
    say,
    say_condition,
)
from encoders.rules.base.shape import BOUNDED, WHO_WINS, ClaimShape, RuleSuggestion, claim_follows
from encoders.rules.folds import rule as folds
from encoders.rules.folds.kinds import OF_POSITIONS
from encoders.rules.folds.moves import outcome_of, pick_freely, play, playable
from encoders.rules.folds.obligations import (
    build_definedness,
    list_claim_obligations,
    list_fact_obligations,
    list_rule_obligations,
    list_value_obligations,
)
from encoders.rules.folds.positions import Position
from encoders.rules.folds.questions import LemmaInstance
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.rule import (
    BackgroundObligations,
    find_lemma_instances,
    find_size_bound,
    reach_of,
    refuse_written,
)
from encoders.rules.folds.section import KEYS, FoldsProof, read_section
from encoders.trust import ObligationKind, Reason, TrustedRule, to_move

# -- kinds of obligations ---------------------------------------------------------------------------------------------
DEFINED = ObligationKind(
    "the region is defined: {words}",
    "The condition `region` has no value at some position",
    "Put a condition before the undefined operation, as in `len(s) == 0 or ...`",
    "defined",
)
CLOSED = ObligationKind(
    "region closed{who}",
    "Some move leaves the region, and the games may differ outside the region",
    "Add the positions that moves lead to; a condition that smaller heaps satisfy too is never left",
    "no move leads out of it",
)
SAME = ObligationKind(
    "same moves{who}: each of {one} is one of {other}",
    "At some position in the region, one game has a move that the other does not have",
    "Make the region smaller until both have the same moves",
    "both have them",
)
CLAIM = claim_follows(
    "The claim does not follow, although the games have the same winners in the region",
    "Let the hypotheses of the claim imply that its positions are in the region. The rest of the claim may need folds, "
    "facts or lemmas, as in a proof by the rule folds",
)
SUMMARY = (
    "The proof names a region of positions that no move leaves, and shows that both games have the same moves in this "
    "region. So both games have the same winners in this region."
)


def _compares_games(shape: ClaimShape) -> bool:
    """Whether the claim compares the winners of two games for which the rule may be suggested.

    Both games are for two players, and both use normal play or both use misère play. Each move makes one heap smaller.
    """
    asked = {q.game for q in shape.questions if q.function in WHO_WINS}
    alike = len({g.ruleset.stuck_wins for g in shape.games}) == 1
    return len(shape.games) == 2 == len(asked) and alike and shape.two_players and shape.one_heap


def _qualify_label(case: str, name: str) -> str:
    """Return the obligation's name with the choice of players in front, such as "p = Left: claim".

    `case`: the choice, such as "p = Left"; "" if the claim has no player variables. The name is then unchanged.
    """
    return f"{case}: {name}" if case else name


KINDS = (*OF_POSITIONS, DEFINED, CLOSED, SAME, CLAIM)
FIT = RuleSuggestion(
    "the same player wins two games, at positions where their moves are the same",
    _compares_games,
    "write in `region` a condition on positions; where it holds, the moves must be the same, and no move may leave it",
    lambda *_: iter(({"region": "True"}, {"region": "True", **BOUNDED})),
)


# -- the section ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class EqualProof(FoldsProof):
    """A [proof] section of the rule "equal games".

    It has the keys of the rule "folds" except `loses`, and the key `region`: the condition that a position is in the
    region.
    """

    rule: ClassVar[str] = "equal games"
    region: t.Term = YES


def _proof(claim: Claim) -> EqualProof:
    assert isinstance(claim.proof, EqualProof)
    return claim.proof


# -- the obligations --------------------------------------------------------------------------------------------------
class EqualReader(FoldReader):
    """A translator of claims for solvers. For each game and position, a Boolean variable means "the mover wins".

    The variables of the two games are assumed to be equal at each position in the region.
    """

    def __init__(self, claim: Claim, proof: EqualProof, lemmas: tuple[LemmaInstance, ...] = ()) -> None:
        super().__init__(claim, proof, lemmas)
        self.region = proof.region
        self._told: dict[tuple[int, int], Position] = {}  # keeps positions alive, because ids are keys

    def is_inside(self, s: Position) -> t.Term:
        """Return the condition that s is in the region. Raises Unsupported if it cannot be translated."""
        return self.truth(self.region, {**self.root, self.proof.position: s})

    def wins(self, game: Game, s: Position, mover: int) -> t.Term:
        """Return the variable for "the mover wins `game` from s".

        Add the assumption that the variables of both games are equal if s is in the region.
        """
        if (id(s), mover) not in self._told:
            self._told[id(s), mover] = s
            first, second = (self.questions.wins(x, s, mover) for x in self.claim.games)
            self.assume(Reason.REGION, implies(self.is_inside(s), iff(first, second)))
        return self.questions.wins(game, s, mover)


def _two_games(claim: Claim) -> tuple[Game, Game]:
    """Return the two games that the claim compares.

    Raises Unsupported unless there are two games with the same two players, both in normal or both in misère play.
    """
    if len(claim.games) != 2:
        raise Unsupported(f"the rule needs a claim about exactly two games, and this claim has {len(claim.games)}")
    first, second = claim.games
    one, other = first.ruleset, second.ruleset
    if len(one.players) != 2 or one.players != other.players:
        raise Unsupported(f"{one.id} and {other.id}: the two games must have the same two players")
    if one.stuck_wins is not other.stuck_wins:
        raise Unsupported(f"{one.id} and {other.id}: one game uses normal play and the other misère play")
    return first, second


def _movers(claim: Claim) -> tuple[tuple[str, int], ...]:
    """Return (name, index) of each player whose moves the obligations must compare.

    If both games are impartial, return only ("", 0), because all players have the same moves. Raises Unsupported as
    `_two_games` does.
    """
    first, second = _two_games(claim)
    if first.ruleset.impartial and second.ruleset.impartial:
        return (("", 0),)
    return tuple((name, i) for i, name in enumerate(first.ruleset.players))


def _list_game_obligations(claim: Claim, proof: EqualProof) -> Iterator[ObligationBuilder[EqualReader]]:
    """Yield all obligations except those about the claim: 1 to 4 in the list at the start of this module."""
    first, second = _two_games(claim)
    for game in (first, second):
        yield from list_rule_obligations(claim, game)
    for need in needs(proof.region, (), claim):
        yield DEFINED.make_label(words=need.words), build_definedness(claim, [need])
    yield from list_fact_obligations(claim, proof)
    for who, mover in _movers(claim):
        yield CLOSED.make_label(who=to_move(who)), partial(_pose_closed, game=first, mover=mover)
        for one, other in ((first, second), (second, first)):
            label = SAME.make_label(who=to_move(who), one=one.name, other=other.name)
            yield label, partial(_pose_same_moves, one=one, other=other, mover=mover)


def _make_inside_position(q: EqualReader) -> tuple[Position, t.Term, t.Term]:
    """Return (rest, heap, inside) for an arbitrary position, divided into one heap and the other heaps `rest`.

    `inside` is the condition that the position is in the region.
    """
    rest, heap = q.position("rest"), q.size("heap", low=1)
    return rest, heap, q.is_inside(q.add_heap("before", rest, heap))


def _pose_closed(q: EqualReader, game: Game, mover: int) -> Entailment:
    rest, heap, inside = _make_inside_position(q)
    goals = []
    for move in playable(game, mover):
        legal, size, made = play(q, move, heap, rest, None)
        goals.append(implies(conjunction(legal, made), q.is_inside(q.extend_rest(rest, size))))
    return Entailment((inside,), conjunction(*goals))


def _pose_same_moves(q: EqualReader, one: Game, other: Game, mover: int) -> Entailment:
    """Return the obligation that each legal move of the game `one` is legal in `other`, with the same result."""
    rest, heap, inside = _make_inside_position(q)
    goals = []
    for move in playable(one, mover):
        take = pick_freely(q, move, (heap,))
        legal, becomes = outcome_of(q, move, (heap,), take, rest)
        ways = []
        for way in playable(other, mover):
            if way.picks_by(take):
                allowed, leaves = outcome_of(q, way, (heap,), take, rest)
                ways.append(conjunction(allowed, *map(equal, leaves, becomes)))
        goals.append(implies(legal, disjunction(*ways)))
    return Entailment((inside,), conjunction(*goals))


def _instantiate_players(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """Yield (text, claim) for each choice of values for the claim's player variables.

    The text describes the choice, such as "p = Left, q = Right". The claim has these players instead of the variables.
    If there are no player variables, yield only ("", claim).
    """
    variables = [v for v in claim.variables if isinstance(v.domain, Players)]
    others = tuple(v for v in claim.variables if v not in variables)
    names = claim.games[0].ruleset.players if claim.games else ()
    for chosen in product(*(range(v.domain.count) for v in variables if isinstance(v.domain, Players))):
        values = {v.name: t.Literal(PLAYER, 0, 0, who) for v, who in zip(variables, chosen, strict=True)}
        words = ", ".join(f"{name} = {names[who.value]}" for name, who in values.items())
        hypothesis = None if claim.hypothesis is None else substitute(claim.hypothesis, values)
        conclusion = substitute(claim.conclusion, values)
        yield words, replace(claim, variables=others, hypothesis=hypothesis, conclusion=conclusion)


# -- the rule ---------------------------------------------------------------------------------------------------------
class EqualGamesRule:
    """The implementation of the rule "equal games", which docs/rules/equal-games.md describes."""

    name = "equal games"
    suggested_for = (FIT,)
    kinds = KINDS

    def read(self, section: ProofSection) -> EqualProof:
        made = read_section(section, (*(key for key in KEYS if key != "loses"), "region"), EqualProof)
        context = section.terms_over({**section.integers, made.position: POSITION})
        return replace(made, region=context.read_expression(("proof", "region"), section.table.text("region"), BOOL))

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        plain = unfold_claim(claim)
        proof = _proof(plain)
        refuse_written(proof)
        lemmas = find_lemma_instances(plain, proof, surroundings)
        (_, some), *_ = _instantiate_players(plain)
        ground, reader = BackgroundObligations(), partial(EqualReader, some, proof, lemmas)
        yield from ground.pose(_list_game_obligations(some, proof), reader)
        for words, made in _instantiate_players(plain):
            asks = (
                *list_value_obligations(made, proof, needs_of_claim(made, find_size_bound(proof))),
                *list_claim_obligations(proof, CLAIM),
            )
            for sequent in ground.pose(asks, partial(EqualReader, made, proof, lemmas)):
                yield replace(sequent, name=_qualify_label(words, sequent.name))
        yield from ground.show(reader)

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        """Return a summary of the proof for reports: the region, then the tables as for the rule "folds"."""
        proof = _proof(claim)
        inner = folds.outline(claim, proof, asks_who_wins=False)
        tables = [table if table.kind != "claim" else _expand_cases(claim, table) for table in inner.tables]
        region = OutlineTable("loses", "Where both games are the same", ("Part", "Where"), tuple(_lines(claim, proof)))
        return Outline(SUMMARY, (region, *tables))

    def coverage(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        return reach_of(claim, _proof(claim), (TrustedRule("equal games"), TrustedRule("folds")))


def _lines(claim: Claim, proof: EqualProof) -> Iterator[OutlineRow]:
    first, second = _two_games(claim)
    shown = [DEFINED.make_label(words=need.words).shown for need in needs(proof.region, (), claim)]
    shown += [CLOSED.make_label(who=to_move(who)).shown for who, _ in _movers(claim)]
    yield OutlineRow((say("the region"), say_condition(proof.region)), tuple(shown))
    for who, _ in _movers(claim):
        pairs = ((first.name, second.name), (second.name, first.name))
        both_ways = tuple(SAME.make_label(who=to_move(who), one=one, other=other).shown for one, other in pairs)
        yield OutlineRow((say(f"the moves of {who}" if who else "the moves"), OutlineCell()), both_ways)


def _expand_cases(claim: Claim, table: OutlineTable) -> OutlineTable:
    """Return the table with each row's obligations repeated for every choice of values for the player variables."""
    cases = [case for case, _ in _instantiate_players(claim)]

    def list_evidence(line: OutlineRow) -> tuple[tuple[str, str], ...]:
        return tuple((words, _qualify_label(case, name)) for case in cases for words, name in line.shown_by)

    return replace(table, lines=tuple(replace(line, shown_by=list_evidence(line)) for line in table.lines))


EQUAL = EqualGamesRule()
