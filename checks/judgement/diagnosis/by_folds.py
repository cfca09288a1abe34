"""What a proof by folds, or of equal games, says of positions and of the claim's integers."""

from __future__ import annotations

from collections.abc import Iterator

from checks.judgement.diagnosis.stated import Stating, TestableFormula, ask, call, every, integer, movers, player
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim, Game
from claims.language.statement.unfolding import expand_definitions
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION, set_of
from encoders.logic.terms import ONE, YES, ZERO, compare, conjunction, disjunction, negation
from encoders.rules.equal import EqualProof
from encoders.rules.folds.statement.section import FoldsMove, FoldsProof, HeapChoice

POSITIONS = d.PositionRange(d.Range(0, 4), d.Range(1, 6))  # what is looked at for a formula about all positions


def say_folds(claim: Claim, proof: FoldsProof, scope: d.Scope) -> Iterator[TestableFormula]:
    """Facts; the region; the invariant, what the named moves cover, and each reply; picks; steps and cases."""
    says = _Folds(claim, proof, scope)
    yield from says.facts()
    if isinstance(proof, EqualProof):
        yield from says.region(proof)
    if proof.loses and len(claim.games) == 1 and len(claim.games[0].ruleset.players) == 2:
        yield from says.who_wins(claim.games[0])
    yield from says.picks()
    yield from says.steps()


class _Folds:
    def __init__(self, claim: Claim, proof: FoldsProof, scope: d.Scope) -> None:
        self.claim, self.proof, self.stating = claim, proof, Stating(claim, scope)
        usual = d.ClaimVariable(proof.position, POSITION, d.Positions(), "position")
        self.s = t.Variable(POSITION, 0, 0, proof.position)
        self.h = integer("h")
        position = next((v for v in claim.variables if v.name == proof.position), usual)
        self.variables = (*self.stating.integers, position)
        self.within: d.Scope = {} if position.name in scope else {position.name: POSITIONS}

    def say(self, what: str, hypotheses: list[t.Term], conclusion: t.Term, wrong: str = "is wrong") -> TestableFormula:
        return self.stating.say(what, self.variables, hypotheses, conclusion, self.within, wrong)

    def seen(self, term: t.Term) -> t.Term:
        """A term over the names of the folds, as one of the claim."""
        return call("seen", self.proof.seen, term)

    def facts(self) -> Iterator[TestableFormula]:
        for name, term in self.proof.facts:
            yield self.say(f'the fact "{name}"', [], self.seen(term))

    def region(self, proof: EqualProof) -> Iterator[TestableFormula]:
        """No move of the first game leads out of it."""
        game = self.claim.games[0]
        for mover, who in movers(game):
            options = t.GameCall(set_of(POSITION), 0, 0, "options", game.name, (self.s, player(mover)))
            after = call("region", {proof.position: t.Variable(POSITION, 0, 0, "option")}, proof.region)
            yield self.say("the region", [proof.region], every("option", options, after), f"is left by a move{who}")

    # -- who wins -----------------------------------------------------------------------------------------------------
    def who_wins(self, game: Game) -> Iterator[TestableFormula]:
        losers = dict(self.proof.loses)
        turns = [(mover, who) for mover, who in movers(game) if mover in losers]
        for mover, who in turns:
            right = compare("ne", ask("wins", game, self.s, player(mover)), self.lost(mover, self.s))
            yield self.say(f"the invariant{who}", [], right)
        for mover, who in turns:
            yield from self.covers(game, mover, who)
        for number, named in enumerate(self.proof.moves, 1):
            for mover, _ in turns:
                answered = game.ruleset.impartial or 1 - mover in losers
                one = len(game.ruleset.moves) == 1 and game.ruleset.single_heap
                if one and answered and named.to_loss and named.player in (None, mover):
                    yield self.say(f"[[proof.moves]] number {number}", *self.reply(game, named, mover))

    def lost(self, mover: int, s: t.Term) -> t.Term:
        return call("lost", {self.proof.position: s}, self.seen(dict(self.proof.loses)[mover]))

    def covers(self, game: Game, mover: int, who: str) -> Iterator[TestableFormula]:
        """Where the mover can move and does not lose some reply is named; under misère play some move where he does."""
        named = [
            *((x.to_loss, x.when) for x in self.proof.moves if x.player in (None, mover)),
            *((x.to_loss, x.case.when) for x in self.proof.several if x.player in (None, mover)),
        ]
        misere, lost = game.ruleset.stuck_wins, self.lost(mover, self.s)
        some = [negation(ask("terminal", game, self.s, player(mover)))] if misere else []
        replies = disjunction(*(self.seen(when) for to_loss, when in named if to_loss))
        wrong = "has no case for a position that is not lost"
        yield self.say(f"[[proof.moves]]{who}", [negation(lost), *some], replies, wrong)
        if misere:
            others = disjunction(*(self.seen(when) for to_loss, when in named if not to_loss))
            what = f'[[proof.moves]]{who} to = "anywhere"'
            yield self.say(what, [lost], others, "has no case for a position that is lost")

    def reply(self, game: Game, named: FoldsMove, mover: int) -> tuple[list[t.Term], t.Term]:
        """Hypotheses and conclusion of: where `when` holds and the mover does not lose, it leads to a loss."""
        (move,) = game.ruleset.moves
        following = 0 if game.ruleset.impartial else 1 - mover
        takes = {name: call("seen", self.proof.seen_beside, term) for name, term in named.take}
        known = {**dict(game.arguments), "mover": player(mover), move.heaps[0]: self.h, **takes}
        size = call("size", known, move.become[0])
        after = t.Operation(POSITION, 0, 0, "replace", (self.s, self.h, size))
        legal = ask("legal", game, self.s, after, player(mover))
        reached = conjunction(compare("ge", size, ZERO), legal, self.lost(following, after))
        hypotheses = [negation(self.lost(mover, self.s)), self.seen(named.when)]
        if game.ruleset.stuck_wins:
            hypotheses.append(negation(ask("terminal", game, self.s, player(mover))))
        return hypotheses, conjunction(self.there(named), every("h", self.s, reached, self.picked(named)))

    def picked(self, named: FoldsMove) -> tuple[t.Term, ...]:
        """What the pick grants of the heap h."""
        if named.extreme:
            return (compare("eq", self.h, t.Operation(INT, 0, 0, named.extreme, (self.s,))),)
        if not named.top_bit:
            return () if named.having is None else (self.seen(named.having),)
        fold = expand_definitions(next(f.term for f in self.proof.folds if f.name == named.top_bit))
        if isinstance(fold, t.Comprehension):
            (clause,) = fold.clauses
            of = call("of", {clause.variable: self.h}, fold.body)
            conditions = tuple(call("meets", {clause.variable: self.h}, c) for c in clause.conditions)
        else:
            of, conditions = self.h, ()
        whole = fold if named.aim is None else t.Operation(INT, 0, 0, "nim", (fold, named.aim))
        return *conditions, compare("lt", t.Operation(INT, 0, 0, "nim", (of, whole)), of)

    # -- the claim ----------------------------------------------------------------------------------------------------
    def picks(self) -> Iterator[TestableFormula]:
        for number, pick in enumerate(self.proof.picks, 1):
            wrong = "picks a heap where there is none"
            yield self.say(f"[[proof.picks]] number {number}", [self.seen(pick.when)], self.there(pick), wrong)

    def there(self, pick: HeapChoice) -> t.Term:
        """That there is a heap to pick."""
        if pick.top_bit:
            return self.seen(compare("gt", integer(pick.top_bit), ZERO if pick.aim is None else pick.aim))
        having = () if pick.having is None else (self.seen(pick.having),)
        return compare("ge", t.Comprehension(INT, 0, 0, "count", YES, (t.Clause("h", self.s, having),)), ONE)

    def steps(self) -> Iterator[TestableFormula]:
        """Steps follow from the hypotheses, of which heaps by name grant how many there are; cases cover."""
        claim, known = self.claim, [] if self.claim.hypothesis is None else [self.claim.hypothesis]
        if self.proof.heaps:
            count = t.Operation(INT, 0, 0, "len", (self.s,))
            number = t.Literal(INT, 0, 0, len(self.proof.heaps))
            wrong = "are not those of a position that meets the hypotheses"
            yield self.stating.say("heaps", claim.variables, known, compare("eq", count, number), None, wrong)
        for name, term in self.proof.steps:
            yield self.stating.say(f'the step "{name}"', claim.variables, known, term)
        if self.proof.split:
            covered = disjunction(*(case for _, case in self.proof.split))
            yield self.stating.say("split", self.stating.integers, [], covered, None, "leaves a case out")
