"""What is asked of a claim's games at positions, where no invariant of the proof answers it.

Each answer is a free variable: a truth value for who wins, an integer for a value.  What is known of it are the lemmas,
each whole, at every position that is asked about, and at the positions that are `unfolded` what winning and values
mean: who wins from the options, and the values there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from claims.language.statement.claim import Game
from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.reader import Env
from encoders.logic.terms import ONE, YES, ZERO, add, choose, conjunction, disjunction, equal, iff, less_than, negation
from encoders.rules.folds.positions.positions import Position
from encoders.rules.folds.positions.theory import FoldsTheory
from encoders.rules.folds.reading.lemmas import PLACE, LemmaInstance


class GameAnswers:
    """The answers of one sequent. Raises Unsupported for what no rule knows to ask."""

    def __init__(self, theory: FoldsTheory, known: tuple[LemmaInstance, ...]) -> None:
        self.theory, self.known = theory, known
        self._answers: dict[Hashable, t.Term] = {}
        self._unfolded: set[int] = set()
        self._told: set[tuple[int, int]] = set()
        self.within = False  # whether a lemma is being read
        self._kept: list[Position] = []  # so that their identities stay theirs

    def meet(self, s: Position, unfold: bool) -> None:
        """A position of the claim itself: of it all lemmas are known that ask about no game."""
        if unfold:
            self._unfolded.add(id(s))
        self._kept.append(s)
        self._tell(s, lambda x: not x.games)

    def wins(self, game: Game, s: Position, mover: int) -> t.Term:
        """Whether `mover`, to move at s, wins."""
        who = 0 if game.ruleset.impartial else mover
        if len(game.ruleset.players) != 2:
            raise Unsupported(f"{game.ruleset.id}: who wins is asked of games of two players")
        name = "the mover" if game.ruleset.impartial else game.ruleset.players[who]

        def define(answer: t.Term) -> None:
            following = 0 if game.ruleset.impartial else 1 - who
            good = self.theory.some_option(game, s, who, lambda option: negation(self.wins(game, option, following)))
            stuck = negation(self.theory.some_option(game, s, who, lambda _: YES)) if game.ruleset.stuck_wins else None
            self.theory.learn(Reason.MEANING, iff(answer, good if stuck is None else disjunction(good, stuck)))

        return self._answer(
            "wins", game, s, who, lambda: self.theory.symbols.truth(self._named(name, "wins", game, s), False), define
        )

    def value(self, game: Game, s: Position) -> t.Term:
        """The value of s: how many places after the mover the winner sits."""
        ruleset = game.ruleset
        if not (ruleset.player_count and ruleset.impartial and ruleset.stuck_wins):
            words = "values are read of n players with the same moves, where who cannot move wins"
            raise Unsupported(f"{ruleset.id}: {words}")
        players = self.theory.number(dict(game.arguments)[ruleset.player_count], self.theory.root)

        def make() -> t.Term:
            made = self.theory.size(self._named("value", "", game, s))
            self.theory.learn(Reason.MEANING, less_than(made, players))
            return made

        def after(option: Position) -> t.Term:
            there = self.value(game, option)
            return choose(equal(add(there, ONE), players), ZERO, add(there, ONE))

        def define(answer: t.Term) -> None:
            some = self.theory.some_option
            moves = some(game, s, 0, lambda _: YES)
            reached = some(game, s, 0, lambda option: equal(after(option), answer))
            less = some(game, s, 0, lambda option: less_than(after(option), answer))
            none = conjunction(negation(moves), equal(answer, ZERO))
            self.theory.learn(Reason.MEANING, disjunction(none, conjunction(moves, reached, negation(less))))

        return self._answer("value", game, s, 0, make, define)

    def _named(self, who: str, what: str, game: Game, s: Position) -> str:
        of = "" if len(self.theory.claim.games) == 1 else f" in {game.name}"
        return f"{who} {what}{of} at {s.name}" if what else f"{who}{of} of {s.name}"

    def _answer(
        self,
        function: str,
        game: Game,
        s: Position,
        who: int,
        make: Callable[[], t.Term],
        define: Callable[[t.Term], None],
    ) -> t.Term:
        """The one answer to a question, made the first time, with what is known of it."""
        key = function, game.name, id(s), who
        if key not in self._answers:
            self._kept.append(s)
            self._answers[key] = make()
            if id(s) in self._unfolded:
                define(self._answers[key])
        self._tell(s, lambda x: game.name in x.games)
        return self._answers[key]

    def _tell(self, s: Position, concerns: Callable[[LemmaInstance], bool]) -> None:
        """Make the lemmas known at a position, unless a lemma is being read: what it asks about stays free."""
        if self.within:
            return
        for number, lemma in enumerate(self.known):
            at = (number, id(s) if lemma.placed else 0)
            if at in self._told or not concerns(lemma):
                continue
            self._told.add(at)
            env = {**self.theory.root, PLACE: s}
            with self.reading(True):
                self.theory.lemmas.setdefault(lemma.id, []).extend(_read(lemma, self.theory, env))

    @contextmanager
    def reading(self, within: bool) -> Iterator[None]:
        """What is read now stands in a lemma, or does not."""
        before, self.within = self.within, within
        try:
            yield
        finally:
            self.within = before


def _read(lemma: LemmaInstance, theory: FoldsTheory, env: Env) -> list[t.Term]:
    try:
        return [theory.truth(statement, env) for statement in lemma.statements]
    except Unsupported as error:
        raise Unsupported(f"the lemma {lemma.id}: {error}") from error
