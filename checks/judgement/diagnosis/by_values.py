"""What a proof of Grundy values, or of the values of n players, says of heaps, of digits and of positions."""

from __future__ import annotations

from collections.abc import Iterator

from checks.judgement.diagnosis.by_folds import POSITIONS
from checks.judgement.diagnosis.stated import (
    DIGITS,
    Stating,
    TestableFormula,
    ask,
    bounded,
    call,
    every,
    player,
    position,
)
from claims.language.expressions.elaborate import Elaborator
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION, set_of
from encoders.logic.terms import ONE, ZERO, compare, conjunction, disjunction
from encoders.rules.grundy.section import GrundyProof, PowerDigit
from encoders.rules.kit.lemmas import Values, VariableRange
from encoders.rules.value.section import ValueProof

POWERS = 4  # so many powers are looked at, where a digit is one
SHAPES = {
    "heaps": "len(s)",
    "least": "min(s) if len(s) > 0 else 0",
    "times": "s.count(min(s)) if len(s) > 0 else 0",
    "largest": "max(s) if len(s) > 0 else 0",
}
NO_CASE = "has no case for a value below"


# -- Grundy values ----------------------------------------------------------------------------------------------------
def say_grundy(claim: Claim, proof: GrundyProof, scope: d.Scope) -> Iterator[TestableFormula]:
    """The closed form, lemmas, which options there are and what each leads to; the digits of the claim's heaps."""
    says = _Grundy(claim, proof, scope)
    yield says.closed_form()
    yield from says.lemmas()
    yield from says.options()
    yield from says.at()


class _Grundy:
    def __init__(self, claim: Claim, proof: GrundyProof, scope: d.Scope) -> None:
        self.claim, self.proof, self.stating = claim, proof, Stating(claim, scope)
        self.game = claim.games[0]
        self.digits = (*self.stating.integers, *map(_digit, proof.digits))
        self.both = (*self.digits, *map(_digit, proof.below_digits))
        every_digit = (*proof.digits, *proof.below_digits)
        self.within: d.Scope = {x.name: DIGITS for x in every_digit if isinstance(x, VariableRange) and x.hi is None}
        self.below = [compare("ge", proof.heap, ONE), compare("lt", proof.below, proof.value)]

    def grundy(self, heap: t.Term) -> t.Term:
        return t.GameCall(INT, 0, 0, "grundy", self.game.name, (position((heap,)),))

    def closed_form(self) -> TestableFormula:
        right = compare("eq", self.grundy(self.proof.heap), self.proof.value)
        natural = compare("ge", self.proof.heap, ZERO)
        return self.stating.say("the closed form", self.digits, [natural], right, self.within)

    def lemmas(self) -> Iterator[TestableFormula]:
        for name, lemma in self.proof.lemmas:
            yield self.stating.say(f'the lemma "{name}"', self.both, self.below, lemma, self.within)

    def options(self) -> Iterator[TestableFormula]:
        """Some option is named for each value below; its digits are in range, and are those of an option with it."""
        proof, h = self.proof, {"h": self.proof.heap}
        if all(option.when is not None for option in proof.options):
            cases = disjunction(*(call("when", h, option.when) for option in proof.options if option.when is not None))
            yield self.stating.say("[[proof.options]]", self.both, self.below, cases, self.within, NO_CASE)
        for number, option in enumerate(proof.options, 1):
            if option.picks:
                continue  # the largest power with a condition is no term of the language
            known = [*self.below, *([] if option.when is None else [call("when", h, option.when)])]
            there = dict(option.digits)
            heap, value = call("heap", there, proof.heap), call("value", there, proof.value)
            legal = ask("legal", self.game, position((proof.heap,)), position((heap,)), player(0))
            reached = conjunction(self.inside(option.digits), compare("ge", heap, ZERO), legal)
            right = conjunction(reached, compare("eq", value, proof.below))
            yield self.stating.say(f"[[proof.options]] number {number}", self.both, known, right, self.within)

    def inside(self, digits: Values) -> t.Term:
        """That the digits lie in their ranges; a power is not looked at."""
        tests, given = list[t.Term](), dict(digits)
        for x in self.proof.digits:
            if isinstance(x, VariableRange):
                tests.append(compare("ge", given[x.name], x.lo))
                tests += [] if x.hi is None else [compare("le", given[x.name], x.hi)]
        return conjunction(*tests)

    def at(self) -> Iterator[TestableFormula]:
        """The digits of heaps of the claim are theirs."""
        for number, at in enumerate(self.proof.at, 1):
            if at.digits:
                right = compare("eq", call("heap", dict(at.digits), self.proof.heap), at.heap)
                what = f"[[proof.at]] number {number}"
                yield self.stating.say(what, self.stating.integers, [], conjunction(self.inside(at.digits), right))


def _digit(digit: VariableRange | PowerDigit) -> d.ClaimVariable:
    if isinstance(digit, PowerDigit):
        return d.ClaimVariable(digit.name, INT, d.ListedDomain(tuple(digit.base**e for e in range(POWERS))), "")
    return bounded(digit.name, digit.lo, digit.hi)


# -- values of n players ----------------------------------------------------------------------------------------------
def say_values(claim: Claim, proof: ValueProof, scope: d.Scope) -> Iterator[TestableFormula]:
    """The formula; that no move leads out of the region; that options are named, and what each leads to."""
    game, stating = claim.games[0], Stating(claim, scope)
    variables = (
        *(v for v in stating.integers if v.name != "s"),
        d.ClaimVariable("s", POSITION, d.Positions(), "position"),
    )
    terms = Elaborator({"s": POSITION}, {"game": game.ruleset.facts})
    heaps = {f"x{i + 1}": f"s[{i}] if {i} < len(s) <= {proof.ordered} else 0" for i in range(proof.ordered)}
    shape = {name: terms.term(text, INT) for name, text in (SHAPES | heaps).items()}
    bound = next((b for b in scope.values() if isinstance(b, d.PositionRange)), POSITIONS)
    within: d.Scope = {"s": d.PositionRange(d.Range(0, bound.heaps.hi), bound.size, bound.total)}  # those below as well
    s, option = (t.Variable(POSITION, 0, 0, name) for name in ("s", "option"))

    def value(of: t.Term) -> t.Term:
        return t.GameCall(INT, 0, 0, "value", game.name, (of, player(0)))

    def say(what: str, known: list[t.Term], right: t.Term, wrong: str = "is wrong") -> TestableFormula:
        return stating.say(what, variables, [call("region", shape, proof.region), *known], right, within, wrong)

    yield say("the formula", [], compare("eq", value(s), call("formula", shape, proof.value)))
    options = t.GameCall(set_of(POSITION), 0, 0, "options", game.name, (s, player(0)))
    region = call("region", {"s": option}, call("shape", shape, proof.region))
    yield say("the region", [], every("option", options, region), "is left by a move")
    some = compare("ge", shape["heaps"], ONE)
    cases = disjunction(*(call("when", shape, x.when) for x in proof.options))
    yield say("[[proof.options]]", [some], cases, "has no case for a position")
    players = dict(game.arguments)[game.ruleset.player_count]
    for number, named in enumerate(proof.options, 1):
        largest = t.Operation(INT, 0, 0, "max", (s,))
        size = call("becomes", shape, named.becomes)
        after = t.Operation(POSITION, 0, 0, "replace", (s, largest, size))
        later = t.Operation(INT, 0, 0, "add", (value(after), ONE))
        following = t.IfElse(INT, 0, 0, compare("eq", later, players), ZERO, later)
        inside = conjunction(compare("ge", size, ZERO), compare("lt", size, largest))
        right = conjunction(inside, compare("eq", following, value(s)))
        yield say(f"[[proof.options]] number {number}", [some, call("when", shape, named.when)], right)
