"""A formula of a proof as a claim of its own, and the terms that such claims are put together from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from claims.language.statement import domains as d
from claims.language.statement.claim import Claim, Game
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, PLAYER, POSITION, list_of

DIGITS = d.Range(0, 4)  # where a number without bound is looked at


@dataclass(frozen=True, eq=False)
class TestableFormula:
    """`what` the proof says, in words; as a claim; where it is looked at; and what it does where it fails."""

    what: str
    claim: Claim
    within: d.Scope
    wrong: str = "is wrong"


@dataclass(frozen=True, eq=False)
class Stating:
    """States formulas of the claim's proof, where what it assumes of a case holds, within a scope of the claim."""

    claim: Claim
    scope: d.Scope

    @property
    def integers(self) -> tuple[d.ClaimVariable, ...]:
        """The claim's integers, of which alone a proof may speak."""
        return tuple(
            v for v in self.claim.variables if v.type == INT and isinstance(v.domain, d.IntervalDomain | d.ListedDomain)
        )

    @property
    def assumed(self) -> list[t.Term]:
        proof = self.claim.proof
        return [] if proof is None or proof.assume is None else [proof.assume]

    def say(
        self,
        what: str,
        variables: Iterable[d.ClaimVariable],
        hypotheses: Iterable[t.Term],
        conclusion: t.Term,
        within: Mapping[str, d.Range | d.PositionRange] | None = None,
        wrong: str = "is wrong",
    ) -> TestableFormula:
        """The formula, of these variables; `within`: bounds that go before those of the claim's scope."""
        variables, known = tuple(variables), [*self.assumed, *hypotheses]
        asked = t.names_of([*known, conclusion])[1]
        made = replace(
            self.claim,
            quantifier="forall",
            variables=variables,
            games=tuple(g for g in self.claim.games if g.name in asked),
            hypothesis=t.AllOf(BOOL, 0, 0, tuple(known)) if known else None,
            conclusion=conclusion,
            texts=(),
            proof=None,
        )
        bounds = {**self.scope, **(within or {})}
        return TestableFormula(what, made, {v.name: bounds[v.name] for v in variables if v.name in bounds}, wrong)

    def needed(self, terms: Iterable[t.Term]) -> tuple[d.ClaimVariable, ...]:
        """The claim's integers that the terms mention, and those by which these are bounded."""
        found, terms = list[d.ClaimVariable](), list(terms)
        for v in reversed(self.integers):
            if v.name in t.names_of(terms)[0]:
                found.insert(0, v)
                if isinstance(v.domain, d.IntervalDomain):
                    terms += [v.domain.lo, *(() if v.domain.hi is None else (v.domain.hi,))]
        return tuple(found)


def bounded(name: str, lo: t.Term, hi: t.Term | None) -> d.ClaimVariable:
    """An integer of a proof."""
    return d.ClaimVariable(name, INT, d.IntervalDomain(lo, hi), "")


def integer(name: str) -> t.Term:
    return t.Variable(INT, 0, 0, name)


def call(name: str, arguments: Mapping[str, t.Term], body: t.Term) -> t.Term:
    """A call of the function with this body: whatever it mentions besides its parameters is the claim's."""
    return t.Apply(body.type, 0, 0, t.Function(name, tuple(arguments), body), tuple(arguments.values()))


def every(variable: str, source: t.Term, body: t.Term, conditions: tuple[t.Term, ...] = ()) -> t.Term:
    """That the body holds of all elements of the source that meet the conditions."""
    return t.Comprehension(BOOL, 0, 0, "all", body, (t.Clause(variable, source, conditions),))


def position(heaps: tuple[t.Term, ...]) -> t.Term:
    return t.Operation(POSITION, 0, 0, "position", (t.Collection(list_of(INT), 0, 0, heaps),))


def player(index: int) -> t.Term:
    return t.Literal(PLAYER, 0, 0, index)


def ask(function: str, game: Game, *args: t.Term) -> t.Term:
    """A condition about a game."""
    return t.GameCall(BOOL, 0, 0, function, game.name, args)


def movers(game: Game) -> Iterator[tuple[int, str]]:
    """Who moves differently, and how that is said: nothing where all have the same moves."""
    if game.ruleset.impartial:
        yield 0, ""
        return
    yield from ((i, f" of {name}") for i, name in enumerate(game.ruleset.players))
