"""What a proof about few heaps says of numbers and of positions."""

from __future__ import annotations

from collections.abc import Iterator

from checks.judgement.diagnosis.stated import (
    DIGITS,
    Stating,
    TestableFormula,
    ask,
    bounded,
    call,
    integer,
    movers,
    player,
    position,
)
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.rulesets import Move
from claims.language.terms import terms as t
from claims.language.terms.types import INT, list_of
from encoders.logic.terms import ONE, ZERO, compare, conjunction, disjunction, negation
from encoders.rules.few.section import FewHeapsMove, FewProof, LeastNumberDefinition

FEW, SIZES = d.Range(0, 12), d.Range(0, 6)  # one or two heaps; three or four


def say_few(claim: Claim, proof: FewProof, scope: d.Scope) -> Iterator[TestableFormula]:
    """Lemmas, numbers, the invariant, what the named moves cover, and where they lead."""
    says = _Few(claim, proof, scope)
    yield from says.lemmas()
    yield from says.numbers()
    yield from says.who_wins()
    yield from says.replies()


class _Few:
    def __init__(self, claim: Claim, proof: FewProof, scope: d.Scope) -> None:
        self.claim, self.proof, self.stating = claim, proof, Stating(claim, scope)
        (self.game,) = claim.games
        self.heaps = tuple(map(integer, proof.heaps))
        least = (ZERO, *self.heaps)  # in ascending order
        self.ranges = [bounded(h, low, None) for h, low in zip(proof.heaps, least[: len(self.heaps)], strict=True)]
        self.sizes: d.Scope = dict.fromkeys(proof.heaps, FEW if len(self.heaps) <= 2 else SIZES)
        self.named: dict[str, t.Term] = {}  # the numbers of a position, each by those before it
        for number in proof.numbers:
            self.named[number.name] = self._find(number)

    def say(self, what: str, hypotheses: list[t.Term], conclusion: t.Term, wrong: str = "is wrong") -> TestableFormula:
        """A formula about all positions of so few heaps."""
        terms = [*hypotheses, conclusion, *self.stating.assumed, *(x for _, x in self.game.arguments)]
        variables = (*self.stating.needed(terms), *self.ranges)
        return self.stating.say(what, variables, hypotheses, conclusion, self.sizes, wrong)

    def seen(self, term: t.Term) -> t.Term:
        """A term over the heaps and the numbers that the proof names so far, as one over the heaps."""
        return call("seen", self.named, term)

    def _find(self, number: LeastNumberDefinition) -> t.Term:
        """The least of the range that meets the condition; 0 where it is not wanted."""
        clause = t.Clause(number.name, self._range(number), (self.seen(number.having),))
        found = t.Comprehension(INT, 0, 0, "min", integer(number.name), (clause,))
        return t.IfElse(INT, 0, 0, self.seen(number.when), found, ZERO)

    def _range(self, number: LeastNumberDefinition) -> t.Term:
        after = t.Operation(INT, 0, 0, "add", (self.seen(number.hi), ONE))
        return t.Operation(list_of(INT), 0, 0, "range", (self.seen(number.lo), after))

    def lemmas(self) -> Iterator[TestableFormula]:
        for lemma in self.proof.lemmas:
            ranges = [bounded(r.name, r.lo, r.hi) for r in lemma.ranges]
            ends = [x for r in lemma.ranges for x in (r.lo, r.hi) if x is not None]
            variables = (*self.stating.needed([lemma.holds, *ends, *self.stating.assumed]), *ranges)
            within: d.Scope = {r.name: FEW if len(ranges) <= 2 else DIGITS for r in lemma.ranges}
            yield self.stating.say(f'the lemma "{lemma.name}"', variables, [], lemma.holds, within)

    def numbers(self) -> Iterator[TestableFormula]:
        """Where it is wanted its range ends with a number that meets its condition."""
        before: dict[str, t.Term] = {}
        for number in self.proof.numbers:
            when, low, high = (call("seen", before, x) for x in (number.when, number.lo, number.hi))
            last = call("last", {**before, number.name: high}, number.having)
            yield self.say(
                f"the number {number.name}", [when], conjunction(compare("le", low, high), last), "is not there"
            )
            before[number.name] = self.named[number.name]

    def who_wins(self) -> Iterator[TestableFormula]:
        losers, misere = dict(self.proof.loses), self.game.ruleset.stuck_wins
        for mover, who in movers(self.game):
            if mover in losers:
                wins = ask("wins", self.game, position(self.heaps), player(mover))
                yield self.say(f"the invariant{who}", [], compare("ne", wins, losers[mover]))
        for mover, who in movers(self.game):
            if mover not in losers:
                continue
            own = [x for x in self.proof.moves if x.player in (None, mover)]
            some = [negation(ask("terminal", self.game, position(self.heaps), player(mover)))] if misere else []
            replies = disjunction(*(self.seen(x.when) for x in own if x.to_loss))
            wrong = "has no case for a position that is not lost"
            yield self.say(f"[[proof.moves]]{who}", [negation(losers[mover]), *some], replies, wrong)
            if misere:
                others = disjunction(*(self.seen(x.when) for x in own if not x.to_loss))
                what = f'[[proof.moves]]{who} to = "anywhere"'
                yield self.say(what, [losers[mover]], others, "has no case for a position that is lost")

    def replies(self) -> Iterator[TestableFormula]:
        """Where its `when` holds and the mover does not lose, a named move is legal and leads to a loss.

        One that need not lead to a loss is legal where he does. Of one that leaves out a number nothing is said.
        """
        losers = dict(self.proof.loses)
        for number, named in enumerate(self.proof.moves, 1):
            for mover, who in movers(self.game):
                kinds = [x for x in self.game.ruleset.moves if _may_be(x, named)]
                if named.player not in (None, mover) or mover not in losers or not kinds:
                    continue
                lost = losers[mover]
                hypotheses = [negation(lost) if named.to_loss else lost, self.seen(named.when)]
                if self.game.ruleset.stuck_wins:
                    hypotheses.append(negation(ask("terminal", self.game, position(self.heaps), player(mover))))
                reached = disjunction(*(self._reached(x, named, mover) for x in kinds))
                yield self.say(f"[[proof.moves]] number {number}{who}", hypotheses, reached)

    def _reached(self, move: Move, named: FewHeapsMove, mover: int) -> t.Term:
        """The named move, as this kind of move, is legal, and leads to a loss if it has to."""
        start, following = position(self.heaps), 0 if self.game.ruleset.impartial else 1 - mover
        takes = {name: self.seen(term) for name, term in named.take}
        chosen = dict(zip(move.heaps, (self.heaps[place] for place in named.heaps), strict=True))
        known = {**dict(self.game.arguments), "mover": player(mover), "s": start, **chosen, **takes}
        left = [call("size", known, x) for x in move.become]
        others = tuple(h for place, h in enumerate(self.heaps) if place not in named.heaps)
        after = position((*others, *left))
        legal = ask("legal", self.game, start, after, player(mover))
        wins = ask("wins", self.game, after, player(following))
        return conjunction(*(compare("ge", x, ZERO) for x in left), legal, *([negation(wins)] if named.to_loss else []))


def _may_be(move: Move, named: FewHeapsMove) -> bool:
    """Whether the named move may be of this kind, and says all that it picks."""
    given = named.number in (None, move.number) and len(move.heaps) == len(named.heaps)
    return given and move.at_most is None and {p.name for p in move.picks} == {name for name, _ in named.take}
