"""Claims about positions of any number of heaps, as sequents over folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import structural_key
from claims.language.statement.claim import Claim, Game
from claims.language.statement.domains import ElementsOf, IntervalDomain
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION, set_of
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.moves import HEAP
from encoders.logic.reader import Assumption, Env
from encoders.logic.sequent import Sequent
from encoders.logic.terms import (  # fmt: skip
    ONE,
    YES,
    ZERO,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    negation,
    opposite,
    sub,
)
from encoders.rules.folds.positions.effects import NO_CUTS, Cuts
from encoders.rules.folds.positions.extremes import Extreme, Times
from encoders.rules.folds.positions.positions import COUNT, REST, Fold, Position
from encoders.rules.folds.positions.theory import FoldsTheory
from encoders.rules.folds.reading.lemmas import LemmaInstance
from encoders.rules.folds.reading.options import At, NamedOptions, is_played
from encoders.rules.folds.reading.questions import GameAnswers
from encoders.rules.folds.reading.sets import chosen, is_among, same_sets
from encoders.rules.folds.reading.written import PositionTermReader, number_of_list, quantified_over_list
from encoders.rules.folds.statement.extremes import extreme_of
from encoders.rules.folds.statement.section import FoldsProof
from encoders.rules.kit.common import has_outcome, refuse_variable


class FoldReader(FoldsTheory):
    """Reads the claim: its variables, its position, and everything derived from them.

    Raises Unsupported where the claim's variables are no integers and no position.
    """

    def __init__(
        self, claim: Claim, proof: FoldsProof, lemmas: tuple[LemmaInstance, ...] = (), cuts: Cuts = NO_CUTS
    ) -> None:
        super().__init__(claim, proof, cuts)
        self.options = NamedOptions(self)
        self.written = PositionTermReader(self, self.folding)
        self.played: dict[At, t.Term] = {}
        self.facts_known = True
        self.extremes_shown = False  # whether it is shown elsewhere what holds of least and largest heaps
        self.asked_who_wins = False
        self._declare()
        self.questions = GameAnswers(self, lemmas)
        self.lemma_facts = [(x.id, fact) for x in lemmas for fact in x.facts]
        folds = [(f.name, f.term) for f in proof.folds] + [fold for x in lemmas for fold in x.folds]
        self.named = {name: self.folding.of_position(term) for name, term in folds}
        for name, fold in self.named.items():
            fold.label = name
            if isinstance(fold, Fold):
                fold.words = None
        self.heaps = self.count(YES, HEAP)
        if self.heaps not in self.named.values():
            self.heaps.label, self.heaps.words = "number of heaps", None

    def _declare(self) -> None:
        for v in self.claim.variables:
            if v.type == INT and isinstance(v.domain, IntervalDomain):
                low = self.number(v.domain.lo, self.root)
                found, inside = self.within(v.name, low, None if self.highest is None else integer(self.highest))
                self.learn(Reason.DOMAIN, inside)
                if v.domain.hi is not None:
                    self.learn(Reason.DOMAIN, at_most(found, self.number(v.domain.hi, self.root)))
                self.root = {**self.root, v.name: found}
            elif v.type == POSITION or isinstance(v.domain, ElementsOf):
                pass  # made when asked for
            else:
                raise refuse_variable(v)
        if self.proof.assume is not None:
            self.learn(Reason.CASE, self.truth(self.proof.assume, self.root))

    # -- positions ----------------------------------------------------------------------------------------------------
    def draw(self, s: Position, name: str) -> t.Term:
        """An arbitrary heap of a position that has one."""
        heap, rest = self.size(name, low=1), self.position(f"{REST}{s.name}")
        rest.without = s, heap
        self.splits.append((YES, s, self.beside(s.name, rest, heap)))
        self.written.draw(s, heap, rest)
        return heap

    def position_of(self, term: t.Term, env: Env) -> Position:
        """A position. Raises Unsupported for one that is neither a variable nor written down."""
        return self.written.position_of(term, env)

    def all_known(self) -> Iterable[Assumption]:
        """All that is known: what was learnt, the splits, the facts of every free position if they are known."""
        # Answers may name folds and splits of their own, so they come first.
        known = [Assumption(x, Reason.OPTION) for x in self.options.answers()]
        images = [x for x in (*self.free, *(s for _, s, _ in self.splits)) if x.image is not None]
        direct = list(self.folding.made.values())
        for image in images:
            for fold in direct:
                image.fold(fold)  # a fold of what it is made of, which is one of the folds from here on
        for where, s, whole in self.splits:
            folds = self.folding.made.values() if s.image is None else direct
            same = conjunction(*(equal(s.fold(f), whole.fold(f)) for f in folds))
            known.append(Assumption(implies(where, same), Reason.FOLD))
        for position in self.free:
            for fold in self.folding.made.values() if position.image is None else direct:
                position.fold(fold)
            if self.extremes_shown:
                possible = self.folding.extremes.possible(position, self.heaps, self.folding.made)
                known += (Assumption(x, Reason.EXTREMES) for x in possible)
            if self.facts_known:
                known += [Assumption(self.fact(term, position), Reason.FACT) for _, term in self.proof.facts]
                for id, term in self.lemma_facts:
                    self.lemmas.setdefault(id, []).append(self.fact(term, position))
        return [*self.known, *known]

    def known_of(self, sequent: Sequent) -> list[Assumption]:
        """What is known of the numbers in it: so of folds beside a number of heaps that they are 0 of no heap."""
        names = {s.name for s in sequent.variables}
        plain = [x for x in self.folding.made.values() if not isinstance(x, Extreme | Times)]
        found: list[t.Term] = []
        for position in self.free:
            here = {x.key: position.values.get(x.key) for x in plain}
            occurring = {k: x for k, x in here.items() if isinstance(x, t.Variable) and x.name in names}
            if (number := occurring.pop(self.heaps.key, None)) is not None:
                found += (implies(equal(number, ZERO), equal(x, ZERO)) for x in occurring.values())
        return [*super().known_of(sequent), *(Assumption(x, Reason.EMPTY) for x in found)]

    # -- terms about positions ----------------------------------------------------------------------------------------
    def about_number(self, term: t.Term, env: Env) -> t.Term:
        if (found := number_of_list(self, term, env)) is not None:
            return found
        match term:
            case t.Comprehension(clauses=(clause,)) if clause.source.type == POSITION:
                return self.position_of(clause.source, env).fold(self.folding.of_term(term, env))
            case t.Operation(
                op="nim_sum" | "sum" | "len" | "occurrences" | "min" | "max" | "columns", args=(source, *_)
            ) if source.type == POSITION:
                return self.position_of(source, env).fold(self.folding.of_term(term, env))
            case t.GameCall(function="value", game=name, args=(s, *_)) if self.proof.tells_values:
                return self.questions.value(self.claim.game(name), self.position_of(s, env))
        return super().about_number(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(
                op="eq" | "ne" as op, args=(t.GameCall(function="outcome", game=name, args=(s,)), t.Literal(value=v))
            ):
                found = self._outcome(self.claim.game(name), v, self.position_of(s, env))
                return found if op == "eq" else negation(found)
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == POSITION:
                same = self.same_position(self.position_of(a, env), self.position_of(b, env))
                return same if op == "eq" else negation(same)
            case t.Operation(op="in", args=(x, group)) if x.type == POSITION:
                return is_among(self, x, group, env)
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == set_of(POSITION):
                same = same_sets(self, a, b, env)
                return same if op == "eq" else negation(same)
            case t.Operation(op="in", args=(item, s)) if s.type == POSITION:
                extreme = extreme_of(item)
                if extreme is not None and not extreme.times and structural_key(extreme.source) == structural_key(s):
                    return at_least(self.position_of(s, env).fold(self.heaps), ONE)
                held = self.folding.of_term(t.Operation(INT, 0, 0, "occurrences", (s, item)), env)
                return at_least(self.position_of(s, env).fold(held), ONE)
            case t.Comprehension(reducer="any" | "all", clauses=(clause,)):
                return self._quantified(term, clause, env)
            case t.GameCall(function="legal", game=name, args=(s, after, mover)):
                game, player = self.claim.game(name), self.player(mover, env)
                return self._legal(game, player, self.position_of(s, env), self.position_of(after, env))
            case t.GameCall(function="terminal", game=name, args=(s, mover)):
                game, start = self.claim.game(name), self.position_of(s, env)
                return negation(self.some_option(game, start, self.player(mover, env), lambda _: YES))
            case t.GameCall(function="wins", game=name, args=(s, mover)):
                return self.wins(self.claim.game(name), self.position_of(s, env), self.player(mover, env))
        return super().about_truth(term, env)

    def _legal(self, game: Game, mover: int, s: Position, wanted: Position) -> t.Term:
        change = wanted.change
        if change is None or change.of is not s or not self.written.is_drawn(s, change.heap):
            return self.some_option(game, s, mover, lambda option: self.same_position(option, wanted))
        at = (id(wanted), mover, game.name)
        if at not in self.played:
            self.played[at] = is_played(self, game, mover, change)
        return self.played[at]

    def wins(self, game: Game, s: Position, mover: int) -> t.Term:
        """Whether the mover wins: by the invariant of the proof, else by what is known of it otherwise."""
        if self.proof.tells_who_wins:
            return self.questions.wins(game, s, mover)
        self.asked_who_wins = True
        return negation(self.loses(s, mover))

    def some_option(self, game: Game, s: Position, mover: int, fits: Callable[[Position], t.Term]) -> t.Term:
        """Whether some option of s fits; what a lemma asks about an option stays free whenever it is asked."""
        within = self.questions.within

        def as_asked(option: Position) -> t.Term:
            with self.questions.reading(within):
                return fits(option)

        return self.options.some(game, s, 0 if game.ruleset.impartial else mover, as_asked)

    def _outcome(self, game: Game, outcome: int, s: Position) -> t.Term:
        """Whether s has that outcome: an index into OUTCOMES."""
        return has_outcome(t.OUTCOMES[outcome], *(negation(self.wins(game, s, player)) for player in (0, 1)))

    def _quantified(self, term: t.Comprehension, clause: t.Clause, env: Env) -> t.Term:
        if (listed := quantified_over_list(self, term, clause, env)) is not None:
            return listed
        universal = term.reducer == "all"
        body = opposite(term.body) if universal else term.body
        source = clause.source
        if source.type == POSITION:
            fold = self.folding.fold(COUNT, body, clause.conditions, clause.variable, env)
            s = self.position_of(source, env)
            found: t.Term = at_least(s.fold(fold), ONE)
            if fold.fixed and s.listed is None:
                self.learn(Reason.COUNTED, implies(found, fold.contributes(self.split(s, found, s.name)[0])))
        elif options := chosen(source):

            def fits(option: Position) -> t.Term:
                inner = {**env, clause.variable: option}
                return conjunction(*(self.truth(c, inner) for c in clause.conditions), self.truth(body, inner))

            found = options.has(self, env, fits)
        elif isinstance(source, t.Operation) and source.op == "range":
            found = self.symbols.truth("some number")
            number, inside = self.element(source, env)
            inner = {**env, clause.variable: number}
            some = conjunction(inside, *(self.truth(c, inner) for c in clause.conditions), self.truth(body, inner))
            self.learn(Reason.SOME_NUMBER, implies(found, some))  # of the real one; that it need not hold is not said
        else:
            instead = "let it run over the heaps of a position, and say it of what is made of each"
            words = f"{print_term(source)} is neither a position, a range, nor the options of a position"
            raise Unsupported(words, instead=instead)
        return negation(found) if universal else found

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Something that runs over `source`, and that it does; over None, over all heaps. Raises Unsupported.

        The options of a position are told as any positions: what holds of all holds of them.
        """
        if source is None:
            return self.size("heap", low=1), YES
        if source.type == set_of(POSITION):
            return self.position("element"), YES
        match source:
            case t.Operation(op="range", args=(low, after)):
                last = sub(self.number(after, env), ONE)
                return self.within("element", self.number(low, env), last)
        if source.type != POSITION:
            instead = "say it of each element by itself"
            raise Unsupported(f"{print_term(source)} is no collection that the proof rule knows", instead=instead)
        s = self.position_of(source, env)
        if s.listed is None:
            return self.split(s, YES, s.name)[0], YES
        heap = self.size("heap", low=1)
        return heap, disjunction(*(conjunction(x.present, equal(heap, x.heap)) for x in s.listed))
