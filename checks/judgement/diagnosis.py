"""The diagnosis of a failed proof: the smallest case in the scope at which a formula of the proof is false."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from checks.judgement.scopes import limits_of
from checks.results.wording import scope_phrase, values_phrase
from claims.language.errors import join_words
from claims.language.files import domains as d
from claims.language.files.claim import Claim, Game, expand_definitions
from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, list_of, set_of
from encoders.compute.exhaustive import decide_by_search as exhaustive
from encoders.logic.answer import Case, Decision
from encoders.logic.sequents import ONE, YES, ZERO, compare, conjunction, disjunction, negation
from encoders.rules.base.lemmas import Values, VariableRange
from encoders.rules.cases import CasesProof
from encoders.rules.equal import EqualProof
from encoders.rules.few_heaps import FewHeapsMove, FewProof, LeastNumberDefinition
from encoders.rules.folds.section import FoldsMove, FoldsProof, HeapChoice
from encoders.rules.grundy.section import GrundyProof, PowerDigit
from encoders.rules.value import ValueProof

# == stated ===========================================================================================================
# A formula of a proof as a separate claim, and the functions that make its terms.
DIGITS = d.Range(0, 4)  # the tested values of a number of the proof, such as a digit without an upper bound


@dataclass(frozen=True, eq=False)
class TestableFormula:
    """A formula of a proof, in a form that the exhaustive route can test.

    `what`: the name of the formula in messages.
    `claim`: the formula as a claim.
    `within`: the scope of the test.
    `wrong`: the predicate of the message if the formula is false, such as `is wrong`.
    """

    what: str
    claim: Claim
    within: d.Scope
    wrong: str = "is wrong"


@dataclass(frozen=True, eq=False)
class Stating:
    """A maker of testable formulas for the proof of `claim`. Each formula includes the assumptions of the proof.

    `scope`: the scope of the claim, which bounds the variables of the formulas.
    """

    claim: Claim
    scope: d.Scope

    @property
    def integers(self) -> tuple[d.ClaimVariable, ...]:
        """The integer variables of the claim whose domain is an interval or a list."""
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
        within: Mapping[str, d.Bound] | None = None,
        wrong: str = "is wrong",
    ) -> TestableFormula:
        """Return the formula that the hypotheses and the assumptions of the proof imply the conclusion.

        `what`, `wrong`: as in `TestableFormula`.
        `variables`: the variables of the formula, which must hold for all their values.
        `within`: bounds that take precedence over the scope of the claim.
        """
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

    def find_needed(self, terms: Iterable[t.Term]) -> tuple[d.ClaimVariable, ...]:
        """Return the integer variables of the claim in the terms, and in the bounds of these variables."""
        found, terms = list[d.ClaimVariable](), list(terms)
        for v in reversed(self.integers):
            if v.name in t.names_of(terms)[0]:
                found.insert(0, v)
                if isinstance(v.domain, d.IntervalDomain):
                    terms += [v.domain.lo, *(() if v.domain.hi is None else (v.domain.hi,))]
        return tuple(found)


def make_integer(name: str, lo: t.Term, hi: t.Term | None) -> d.ClaimVariable:
    """Return an integer variable with these bounds; if `hi` is None, it has no upper bound."""
    return d.ClaimVariable(name, INT, d.IntervalDomain(lo, hi), "")


def integer(name: str) -> t.Term:
    return t.Variable(INT, 0, 0, name)


def call(name: str, arguments: Mapping[str, t.Term], body: t.Term) -> t.Term:
    """Return the term `body` in which each variable named in `arguments` has the given value."""
    return t.Apply(body.type, 0, 0, t.Function(name, tuple(arguments), body), tuple(arguments.values()))


def quantify_all(variable: str, source: t.Term, body: t.Term, conditions: tuple[t.Term, ...] = ()) -> t.Term:
    """Return the term which states that `body` holds for every element of `source` that meets the conditions.

    `variable`: the name of the element in `body` and in the conditions.
    """
    return t.Comprehension(BOOL, 0, 0, "all", body, (t.Clause(variable, source, conditions),))


def position(heaps: tuple[t.Term, ...]) -> t.Term:
    return t.Operation(POSITION, 0, 0, "position", (t.Collection(list_of(INT), 0, 0, heaps),))


def player(index: int) -> t.Term:
    return t.Literal(PLAYER, 0, 0, index)


def ask(function: str, game: Game, *args: t.Term) -> t.Term:
    """Return a condition about a game, such as `wins` or `terminal`."""
    return t.GameCall(BOOL, 0, 0, function, game.name, args)


def movers(game: Game) -> Iterator[tuple[int, str]]:
    """Yield for each player the index and the text ` of NAME`; for an impartial game yield only (0, "")."""
    if game.ruleset.impartial:
        yield 0, ""
        return
    yield from ((i, f" of {name}") for i, name in enumerate(game.ruleset.players))


# == by_few ===========================================================================================================
# The formulas of a proof about a fixed number of heaps.
FEW, SIZES = d.Range(0, 12), d.Range(0, 6)  # the tested heap sizes: for one or two heaps, and for more heaps


def say_few(claim: Claim, proof: FewProof, scope: d.Scope) -> Iterator[TestableFormula]:
    """Yield the testable formulas of a proof about few heaps.

    They are about its lemmas, the numbers that it defines, its invariant, its Grundy value, and the moves that it
    names.
    """
    says = _Few(claim, proof, scope)
    yield from says.lemmas()
    yield from says.numbers()
    yield from says.state_winners()
    yield from says.state_values()
    yield from says.replies()


class _Few:
    def __init__(self, claim: Claim, proof: FewProof, scope: d.Scope) -> None:
        self.claim, self.proof, self.stating = claim, proof, Stating(claim, scope)
        (self.game,) = claim.games
        self.heaps = tuple(map(integer, proof.heaps))
        least = (ZERO, *self.heaps)  # heaps ascend: each one is at least its predecessor
        self.ranges = [make_integer(h, low, None) for h, low in zip(proof.heaps, least[: len(self.heaps)], strict=True)]
        self.sizes: d.Scope = dict.fromkeys(proof.heaps, FEW if len(self.heaps) <= 2 else SIZES)
        self.named: dict[str, t.Term] = {}  # the numbers of a position; each definition uses only earlier ones
        for number in proof.numbers:
            self.named[number.name] = self._find(number)

    def say(self, what: str, hypotheses: list[t.Term], conclusion: t.Term, wrong: str = "is wrong") -> TestableFormula:
        """Return the formula that the hypotheses imply the conclusion, for positions with a fixed number of heaps.

        The proof gives a name to each of these heaps.
        """
        terms = [*hypotheses, conclusion, *self.stating.assumed, *(x for _, x in self.game.arguments)]
        variables = (*self.stating.find_needed(terms), *self.ranges)
        return self.stating.say(what, variables, hypotheses, conclusion, self.sizes, wrong)

    def translate(self, term: t.Term) -> t.Term:
        """Return the term, with the numbers that the proof defines replaced by their definitions."""
        return call("seen", self.named, term)

    def _find(self, number: LeastNumberDefinition) -> t.Term:
        """Return the term for a number that the proof defines: the least number in its range that meets its condition.

        The proof may state a condition `when` for the number. If this condition is false, the value of the term is 0.
        """
        clause = t.Clause(number.name, self._range(number), (self.translate(number.having),))
        found = t.Comprehension(INT, 0, 0, "min", integer(number.name), (clause,))
        return t.IfElse(INT, 0, 0, self.translate(number.when), found, ZERO)

    def _range(self, number: LeastNumberDefinition) -> t.Term:
        after = t.Operation(INT, 0, 0, "add", (self.translate(number.hi), ONE))
        return t.Operation(list_of(INT), 0, 0, "range", (self.translate(number.lo), after))

    def lemmas(self) -> Iterator[TestableFormula]:
        for lemma in self.proof.lemmas:
            ranges = [make_integer(r.name, r.lo, r.hi) for r in lemma.ranges]
            ends = [x for r in lemma.ranges for x in (r.lo, r.hi) if x is not None]
            variables = (*self.stating.find_needed([lemma.holds, *ends, *self.stating.assumed]), *ranges)
            within: d.Scope = {r.name: FEW if len(ranges) <= 2 else DIGITS for r in lemma.ranges}
            yield self.stating.say(f'the lemma "{lemma.name}"', variables, [], lemma.holds, within)

    def numbers(self) -> Iterator[TestableFormula]:
        """Yield a formula for each number that the proof defines: the least number in a range that meets a condition.

        The formula: if the condition `when` of the number holds, the range is not empty, and the last number in it
        meets the condition. So the number exists.
        """
        before: dict[str, t.Term] = {}
        for number in self.proof.numbers:
            when, low, high = (call("seen", before, x) for x in (number.when, number.lo, number.hi))
            last = call("last", {**before, number.name: high}, number.having)
            yield self.say(
                f"the number {number.name}", [when], conjunction(compare("le", low, high), last), "does not exist"
            )
            before[number.name] = self.named[number.name]

    def state_winners(self) -> Iterator[TestableFormula]:
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
            replies = disjunction(*(self.translate(x.when) for x in own if x.to_loss))
            wrong = "has no case for a winning position"
            yield self.say(f"[[proof.moves]]{who}", [negation(losers[mover]), *some], replies, wrong)
            if misere:
                others = disjunction(*(self.translate(x.when) for x in own if not x.to_loss))
                what = f'[[proof.moves]]{who} to = "anywhere"'
                yield self.say(what, [losers[mover]], others, "has no case for a losing position")

    def state_values(self) -> Iterator[TestableFormula]:
        """If the proof states a Grundy value, yield the formula that each position has this value."""
        if self.proof.value is not None:
            found = t.GameCall(INT, 0, 0, "grundy", self.game.name, (position(self.heaps),))
            yield self.say("the value", [], compare("eq", found, self.proof.value))

    def replies(self) -> Iterator[TestableFormula]:
        """Yield a formula for each named move and each player who can be the mover.

        A named move is an entry of [[proof.moves]] with a condition `when`. The formula: if `when` holds and the mover
        wins, the move is legal and the opponent then loses. For a move with `to = "anywhere"`: if `when` holds and the
        mover loses, the move is legal. Under misère play, the formula also assumes that the mover is not stuck.

        Moves that do not give all numbers which the player chooses are left out.
        """
        losers = dict(self.proof.loses)
        for number, named in enumerate(self.proof.moves, 1):
            for mover, who in movers(self.game):
                kinds = [x for x in self.game.ruleset.moves if _may_be(x, named)]
                if named.player not in (None, mover) or mover not in losers or not kinds:
                    continue
                lost = losers[mover]
                hypotheses = [negation(lost) if named.to_loss else lost, self.translate(named.when)]
                if self.game.ruleset.stuck_wins:
                    hypotheses.append(negation(ask("terminal", self.game, position(self.heaps), player(mover))))
                reached = disjunction(*(self._state_reached(x, named, mover) for x in kinds))
                yield self.say(f"[[proof.moves]] number {number}{who}", hypotheses, reached)

    def _state_reached(self, move: Move, named: FewHeapsMove, mover: int) -> t.Term:
        """Return the condition that the named move is legal and, unless it has `to = "anywhere"`, leads to a loss.

        `move`: the move of the ruleset to which the named move belongs.
        """
        start, following = position(self.heaps), 0 if self.game.ruleset.impartial else 1 - mover
        takes = {name: self.translate(term) for name, term in named.take}
        chosen = dict(zip(move.heaps, (self.heaps[place] for place in named.heaps), strict=True))
        known = {**dict(self.game.arguments), "mover": player(mover), "s": start, **chosen, **takes}
        left = [call("size", known, x) for x in move.become]
        others = tuple(h for place, h in enumerate(self.heaps) if place not in named.heaps)
        after = position((*others, *left))
        legal = ask("legal", self.game, start, after, player(mover))
        wins = ask("wins", self.game, after, player(following))
        return conjunction(*(compare("ge", x, ZERO) for x in left), legal, *([negation(wins)] if named.to_loss else []))


def _may_be(move: Move, named: FewHeapsMove) -> bool:
    """Return whether `named` can be the move `move` of the ruleset.

    It must give every number that the player chooses in this move.
    """
    given = named.number in (None, move.number) and len(move.heaps) == len(named.heaps)
    return given and move.at_most is None and {p.name for p in move.picks} == {name for name, _ in named.take}


# == by_folds =========================================================================================================
# The formulas, about positions and integers, of a proof by the rule `folds` or `equal games`.
POSITIONS = d.PositionRange(d.Range(0, 4), d.Range(1, 6))  # the tested positions if the scope has no bound for them


def say_folds(claim: Claim, proof: FoldsProof, scope: d.Scope) -> Iterator[TestableFormula]:
    """Yield the testable formulas of a proof by folds.

    They are about its facts, region, invariant, named moves, picked heaps, steps and cases.
    """
    says = _Folds(claim, proof, scope)
    yield from says.facts()
    if isinstance(proof, EqualProof):
        yield from says.region(proof)
    if proof.loses and len(claim.games) == 1 and len(claim.games[0].ruleset.players) == 2:
        yield from says.state_winners(claim.games[0])
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

    def translate(self, term: t.Term) -> t.Term:
        """Return the term, with the names of folds replaced by their definitions.

        A fold is a sum or a similar term over the heaps.
        """
        return call("seen", self.proof.seen, term)

    def facts(self) -> Iterator[TestableFormula]:
        for name, term in self.proof.facts:
            yield self.say(f'the fact "{name}"', [], self.translate(term))

    def region(self, proof: EqualProof) -> Iterator[TestableFormula]:
        """Yield, for each mover, the formula that no move of the first game leaves the region of the proof."""
        game = self.claim.games[0]
        for mover, who in movers(game):
            options = t.GameCall(set_of(POSITION), 0, 0, "options", game.name, (self.s, player(mover)))
            after = call("region", {proof.position: t.Variable(POSITION, 0, 0, "option")}, proof.region)
            yield self.say(
                "the region", [proof.region], quantify_all("option", options, after), f"can be left by a move{who}"
            )

    # -- who wins -----------------------------------------------------------------------------------------------------
    def state_winners(self, game: Game) -> Iterator[TestableFormula]:
        losers = dict(self.proof.loses)
        turns = [(mover, who) for mover, who in movers(game) if mover in losers]
        for mover, who in turns:
            right = compare("ne", ask("wins", game, self.s, player(mover)), self.state_lost(mover, self.s))
            yield self.say(f"the invariant{who}", [], right)
        for mover, who in turns:
            yield from self.covers(game, mover, who)
        for number, named in enumerate(self.proof.moves, 1):
            for mover, _ in turns:
                answered = game.ruleset.impartial or 1 - mover in losers
                one = len(game.ruleset.moves) == 1 and game.ruleset.single_heap
                if one and answered and named.to_loss and named.player in (None, mover):
                    yield self.say(f"[[proof.moves]] number {number}", *self.reply(game, named, mover))

    def state_lost(self, mover: int, s: t.Term) -> t.Term:
        return call("lost", {self.proof.position: s}, self.translate(dict(self.proof.loses)[mover]))

    def covers(self, game: Game, mover: int, who: str) -> Iterator[TestableFormula]:
        """Yield the formula: if the mover wins, `when` holds for a named move after which the opponent loses.

        `when` is the condition of a named move in the proof. Under misère play, the formula also assumes that the mover
        is not stuck. A second formula is then: if the mover loses, `when` holds for a named move with `to =
        "anywhere"`.
        """
        named = [
            *((x.to_loss, x.when) for x in self.proof.moves if x.player in (None, mover)),
            *((x.to_loss, x.case.when) for x in self.proof.several if x.player in (None, mover)),
        ]
        misere, lost = game.ruleset.stuck_wins, self.state_lost(mover, self.s)
        some = [negation(ask("terminal", game, self.s, player(mover)))] if misere else []
        replies = disjunction(*(self.translate(when) for to_loss, when in named if to_loss))
        wrong = "has no case for a winning position"
        yield self.say(f"[[proof.moves]]{who}", [negation(lost), *some], replies, wrong)
        if misere:
            others = disjunction(*(self.translate(when) for to_loss, when in named if not to_loss))
            what = f'[[proof.moves]]{who} to = "anywhere"'
            yield self.say(what, [lost], others, "has no case for a losing position")

    def reply(self, game: Game, named: FoldsMove, mover: int) -> tuple[list[t.Term], t.Term]:
        """Return the hypotheses and the conclusion of the formula about a named move.

        The hypotheses: `when` holds and the mover wins; under misère play, also that the mover is not stuck.
        The conclusion: the proof can pick a heap, and for every heap that it can pick, the move is legal and the
        opponent then loses.
        """
        (move,) = game.ruleset.moves
        following = 0 if game.ruleset.impartial else 1 - mover
        takes = {name: call("seen", self.proof.seen_beside, term) for name, term in named.take}
        known = {**dict(game.arguments), "mover": player(mover), move.heaps[0]: self.h, **takes}
        size = call("size", known, move.become[0])
        after = t.Operation(POSITION, 0, 0, "replace", (self.s, self.h, size))
        legal = ask("legal", game, self.s, after, player(mover))
        reached = conjunction(compare("ge", size, ZERO), legal, self.state_lost(following, after))
        hypotheses = [negation(self.state_lost(mover, self.s)), self.translate(named.when)]
        if game.ruleset.stuck_wins:
            hypotheses.append(negation(ask("terminal", game, self.s, player(mover))))
        return hypotheses, conjunction(self.there(named), quantify_all("h", self.s, reached, self.state_pick(named)))

    def state_pick(self, named: FoldsMove) -> tuple[t.Term, ...]:
        """Return the conditions under which the proof can pick the heap h."""
        if named.extreme:
            return (compare("eq", self.h, t.Operation(INT, 0, 0, named.extreme, (self.s,))),)
        if not named.top_bit:
            return () if named.having is None else (self.translate(named.having),)
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
            wrong = "picks a heap that does not exist"
            yield self.say(f"[[proof.picks]] number {number}", [self.translate(pick.when)], self.there(pick), wrong)

    def there(self, pick: HeapChoice) -> t.Term:
        """Return the condition that there is a heap which the proof can pick."""
        if pick.top_bit:
            return self.translate(compare("gt", integer(pick.top_bit), ZERO if pick.aim is None else pick.aim))
        having = () if pick.having is None else (self.translate(pick.having),)
        return compare("ge", t.Comprehension(INT, 0, 0, "count", YES, (t.Clause("h", self.s, having),)), ONE)

    def steps(self) -> Iterator[TestableFormula]:
        """Yield the formulas about the keys `heaps`, `steps` and `split` of the proof.

        They are: `heaps` lists as many heaps as the position has; each step holds; the cases of `split` are complete.
        """
        claim, known = self.claim, [] if self.claim.hypothesis is None else [self.claim.hypothesis]
        if self.proof.heaps:
            count = t.Operation(INT, 0, 0, "len", (self.s,))
            number = t.Literal(INT, 0, 0, len(self.proof.heaps))
            wrong = "lists a different number of heaps than the position has"
            yield self.stating.say("heaps", claim.variables, known, compare("eq", count, number), None, wrong)
        for name, term in self.proof.steps:
            yield self.stating.say(f'the step "{name}"', claim.variables, known, term)
        if self.proof.split:
            covered = disjunction(*(case for _, case in self.proof.split))
            yield self.stating.say("split", self.stating.integers, [], covered, None, "leaves a case out")


# == by_values ========================================================================================================
# The formulas of a proof of Grundy values, or of the values of n-player games.
POWERS = 4  # the number of values tested for a digit that is a power
SHAPES = {
    "heaps": "len(s)",
    "least": "min(s) if len(s) > 0 else 0",
    "times": "s.count(min(s)) if len(s) > 0 else 0",
    "largest": "max(s) if len(s) > 0 else 0",
}
NO_CASE = "has no case for a smaller value"


# -- Grundy values ----------------------------------------------------------------------------------------------------
def say_grundy(claim: Claim, proof: GrundyProof, scope: d.Scope) -> Iterator[TestableFormula]:
    """Yield the testable formulas of a proof of Grundy values.

    They are about its closed form, its lemmas, its named options, and the digits of the heaps in [[proof.at]].
    """
    says = _Grundy(claim, proof, scope)
    yield says.state_closed_form()
    yield from says.lemmas()
    yield from says.options()
    yield from says.state_digits()


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

    def state_closed_form(self) -> TestableFormula:
        right = compare("eq", self.grundy(self.proof.heap), self.proof.value)
        natural = compare("ge", self.proof.heap, ZERO)
        return self.stating.say("the closed form", self.digits, [natural], right, self.within)

    def lemmas(self) -> Iterator[TestableFormula]:
        for name, lemma in self.proof.lemmas:
            yield self.stating.say(f'the lemma "{name}"', self.both, self.below, lemma, self.within)

    def options(self) -> Iterator[TestableFormula]:
        """Yield the formulas about named options.

        They are: every smaller value has a named option; a named option is legal, and its value is the smaller value.
        An option that picks a power is left out.
        """
        proof, h = self.proof, {"h": self.proof.heap}
        if all(option.when is not None for option in proof.options):
            cases = disjunction(*(call("when", h, option.when) for option in proof.options if option.when is not None))
            yield self.stating.say("[[proof.options]]", self.both, self.below, cases, self.within, NO_CASE)
        for number, option in enumerate(proof.options, 1):
            if option.picks:
                continue  # the claim language cannot express the largest power with a condition
            known = [*self.below, *([] if option.when is None else [call("when", h, option.when)])]
            there = dict(option.digits)
            heap, value = call("heap", there, proof.heap), call("value", there, proof.value)
            legal = ask("legal", self.game, position((proof.heap,)), position((heap,)), player(0))
            reached = conjunction(self.inside(option.digits), compare("ge", heap, ZERO), legal)
            right = conjunction(reached, compare("eq", value, proof.below))
            yield self.stating.say(f"[[proof.options]] number {number}", self.both, known, right, self.within)

    def inside(self, digits: Values) -> t.Term:
        """Return the term which states that the digits are in their ranges, except digits that must be powers."""
        tests, given = list[t.Term](), dict(digits)
        for x in self.proof.digits:
            if isinstance(x, VariableRange):
                tests.append(compare("ge", given[x.name], x.lo))
                tests += [] if x.hi is None else [compare("le", given[x.name], x.hi)]
        return conjunction(*tests)

    def state_digits(self) -> Iterator[TestableFormula]:
        """Yield a formula for each heap whose digits the proof gives: the digits are valid and represent this heap."""
        for number, at in enumerate(self.proof.at, 1):
            if at.digits:
                right = compare("eq", call("heap", dict(at.digits), self.proof.heap), at.heap)
                what = f"[[proof.at]] number {number}"
                yield self.stating.say(what, self.stating.integers, [], conjunction(self.inside(at.digits), right))


def _digit(digit: VariableRange | PowerDigit) -> d.ClaimVariable:
    if isinstance(digit, PowerDigit):
        return d.ClaimVariable(digit.name, INT, d.ListedDomain(tuple(digit.base**e for e in range(POWERS))), "")
    return make_integer(digit.name, digit.lo, digit.hi)


# -- values of n players ----------------------------------------------------------------------------------------------
def say_values(claim: Claim, proof: ValueProof, scope: d.Scope) -> Iterator[TestableFormula]:
    """Yield the testable formulas of a proof about n players.

    They are: the formula for the value, the region, the completeness of the cases, and the value after each named
    option.
    """
    game, stating = claim.games[0], Stating(claim, scope)
    variables = (
        *(v for v in stating.integers if v.name != "s"),
        d.ClaimVariable("s", POSITION, d.Positions(), "position"),
    )
    terms = Elaborator({"s": POSITION}, {"game": game.ruleset.facts})
    heaps = {f"x{i + 1}": f"s[{i}] if {i} < len(s) <= {proof.ordered} else 0" for i in range(proof.ordered)}
    shape = {name: terms.term(text, INT) for name, text in (SHAPES | heaps).items()}
    bound = next((b for b in scope.values() if isinstance(b, d.PositionRange)), POSITIONS)
    within: d.Scope = {
        "s": d.PositionRange(d.Range(0, bound.heaps.hi), bound.size, bound.total)
    }  # includes the options of each position
    s, option = (t.Variable(POSITION, 0, 0, name) for name in ("s", "option"))

    def value(of: t.Term) -> t.Term:
        return t.GameCall(INT, 0, 0, "value", game.name, (of, player(0)))

    def say(what: str, known: list[t.Term], right: t.Term, wrong: str = "is wrong") -> TestableFormula:
        return stating.say(what, variables, [call("region", shape, proof.region), *known], right, within, wrong)

    yield say("the formula", [], compare("eq", value(s), call("formula", shape, proof.value)))
    options = t.GameCall(set_of(POSITION), 0, 0, "options", game.name, (s, player(0)))
    region = call("region", {"s": option}, call("shape", shape, proof.region))
    yield say("the region", [], quantify_all("option", options, region), "can be left by a move")
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


# == diagnosis ========================================================================================================
# The first case of the scope at which a formula of a failed proof is false.
#
# An obligation fails at values of folds or digits, but it is possible that no position has these values. Therefore each
# formula of the proof becomes a separate claim, and the exhaustive route searches the scope for a counterexample. If it
# does not find one, the message lists the tested formulas.
def diagnose(claim: Claim, scope: d.Scope, budget: float) -> str:
    """Return a sentence with the first wrong or undefined formula and its smallest counterexample.

    If every formula holds in the scope, the sentence lists the formulas. If a formula cannot be decided, the sentence
    gives the reason. Return "" if the proof has no testable formula.

    `budget`: the CPU time for all formulas together, in seconds.
    """
    right: dict[str, list[str]] = {}  # the confirmed formulas, by the scope that was tested
    deadline = time.process_time() + budget
    for stated in _say(claim, scope):
        answer = exhaustive(stated.claim, stated.within, deadline - time.process_time())
        if answer.decision is Decision.FAILS and answer.counterexample is not None:
            first = _write_values(answer.counterexample)
            return f"the exhaustive route confirms that {stated.what} {stated.wrong}, first at {first}"
        if answer.ill_defined is not None:
            first = _write_values(answer.ill_defined)
            return f"the exhaustive route finds that {stated.what} is undefined, first at {first}"
        if answer.decision is not Decision.HOLDS:
            return f"the exhaustive route cannot decide whether {stated.what} is right: {answer.detail}"
        right.setdefault(scope_phrase(limits_of(stated.claim, stated.within)), []).append(stated.what)
    if not right:
        return ""
    found = ", and for ".join(f"{where} ({join_words(dict.fromkeys(said))})" for where, said in right.items())
    return f"the formulas of the proof are right for {found}; the argument fails, not these formulas"


def _write_values(case: Case) -> str:
    return values_phrase(tuple(case.items()))


def _say(claim: Claim, scope: d.Scope) -> Iterator[TestableFormula]:
    match claim.proof:
        case FoldsProof() as proof:
            yield from say_folds(claim, proof, scope)
        case FewProof() as proof:
            yield from say_few(claim, proof, scope)
        case GrundyProof() as proof:
            yield from say_grundy(claim, proof, scope)
        case ValueProof() as proof:
            yield from say_values(claim, proof, scope)
        case CasesProof(cases=cases):
            stating = Stating(claim, scope)
            covered = disjunction(*(case.when for case in cases))
            yield stating.say("[[proof.cases]]", stating.integers, [], covered, None, "leaves a case out")
            for case in cases:
                for stated in _say(replace(claim, proof=case.proof), scope):
                    yield replace(stated, what=f"{stated.what} for {case.text}")
