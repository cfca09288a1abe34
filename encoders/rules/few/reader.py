"""The claim's integers, and the positions of which a proof about few heaps speaks, in one sequent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import INT
from claims.language.expressions.walk import free_names
from claims.language.statement.claim import Claim, Game
from claims.language.statement.domains import Interval, Listed, Positions
from encoders.answer import Unsupported
from encoders.logic.integers import IntegerReader
from encoders.logic.reader import Env
from encoders.logic.terms import ONE, at_least, at_most, both, either, equal, implies, negation, sub
from encoders.rules.few.positions import Sizes, ascending
from encoders.rules.few.section import FewProof, NamedLemma, Number, Range, Values


class FewReader(IntegerReader):
    """The claim's integers with their domains, positions of few heaps, their numbers, lemmas.

    Raises Unsupported where a variable is no integer and no position.
    """

    words = "a proof about few heaps"

    def __init__(self, claim: Claim, proof: FewProof) -> None:
        for v in claim.variables:
            if not (isinstance(v.domain, Positions) or (v.type == INT and isinstance(v.domain, Interval | Listed))):
                raise Unsupported(f"the variable {v.name} ranges over {v.text}")
        self.proof = proof
        super().__init__(claim, invent=True)  # which reads the domains by now
        if proof.assume is not None:
            self.known.append(self.truth(proof.assume, self.env))

    @property
    def game(self) -> Game:
        (game,) = self.claim.games
        return game

    # -- positions ----------------------------------------------------------------------------------------------------
    def position(self, of: str = "") -> Sizes:
        """A position of which nothing is known, but that it has few heaps."""
        sizes = tuple(self.symbols.integer(f"{name}{of}", 0) for name in self.proof.heaps)
        self.known.append(ascending(sizes))
        return sizes

    def seen(self, sizes: Sizes) -> dict[str, object]:
        """The names of the proof's heaps, with their sizes at a position."""
        return {**self.env, **dict(zip(self.proof.heaps, sizes, strict=True))}

    def loses(self, sizes: Sizes, player: int) -> t.Term:
        """The invariant: the player, to move at the position, loses. Raises Unsupported where the proof has none."""
        who = 0 if self.game.ruleset.impartial else player
        table = dict(self.proof.loses)
        if who not in table:
            raise Unsupported("the claim asks who wins, and the proof has no [proof.loses]")
        return self.truth(table[who], self.seen(sizes))

    # -- lemmas and numbers -------------------------------------------------------------------------------------------
    def inside(self, ranges: Iterable[Range], values: Mapping[str, t.Term]) -> t.Term:
        """Whether the values lie in the ranges."""
        tests: list[t.Term] = []
        for r in ranges:
            tests.append(at_least(values[r.name], self.number(r.lo, {**self.env, **values})))
            if r.hi is not None:
                tests.append(at_most(values[r.name], self.number(r.hi, {**self.env, **values})))
        return both(*tests)

    def values(self, given: Values, env: Env) -> dict[str, t.Term]:
        """What each name of a lemma stands for."""
        return {name: self.number(term, env) for name, term in given}

    def instance(self, lemma: NamedLemma, values: Mapping[str, t.Term]) -> t.Term:
        """The lemma at these values: true wherever they lie, once it is proved."""
        return implies(self.inside(lemma.ranges, values), self.truth(lemma.holds, {**self.env, **values}))

    def use_lemmas(self, env: Env) -> None:
        """Learn the lemmas at all values that can be read where these names are known."""
        self.known += self._lemmas(env)

    def use_lemmas_after(self, env: Env, left: Sizes) -> None:
        """Learn the lemmas at the values that speak of the heaps that a move leaves."""
        after = dict(zip(self.proof.after, left, strict=False))
        self.known += self._lemmas({**env, **after}, frozenset(after))

    def _lemmas(self, env: Env, of: frozenset[str] | None = None) -> Iterator[t.Term]:
        for lemma in self.proof.lemmas:
            for given in lemma.at:
                names = {name for _, term in given for name in free_names(term)}
                if names <= env.keys() and (of is None or names & of):
                    yield self.instance(lemma, self.values(given, env))

    def name_numbers(self, env: dict[str, object], numbers: Iterable[Number]) -> None:
        """Learn what these numbers of a position are, each after those before it; `env` gets them."""
        for number in numbers:
            when, low, high = self.where(number, env)
            found = self.symbols.integer(number.name)
            last = self.truth(number.having, {**env, number.name: found})
            before = self.truth(number.having, {**env, number.name: sub(found, ONE)})
            least = either(equal(found, low), negation(before))
            self.known.append(implies(when, both(at_least(found, low), at_most(found, high), last, least)))
            env[number.name] = found

    def where(self, number: Number, env: Env) -> tuple[t.Term, t.Term, t.Term]:
        """When there is such a number, and the range in which it lies."""
        return self.truth(number.when, env), self.number(number.lo, env), self.number(number.hi, env)

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """An integer of a range; over None, any heap. Raises Unsupported for another source."""
        found = self.in_range(source, env)
        if found is None:
            raise Unsupported(f"{text(source)} is no range" if source is not None else "")
        return found
