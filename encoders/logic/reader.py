"""The translation of terms of a claim into terms of a sequent, which contain neither positions nor games.

A sequent is an obligation as variables, premises and a conclusion. This module contains the part that all proof rules
share: arithmetic, conditions, and players given by name. A rule overrides `about_number` and `about_truth` to translate
positions, moves and values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeVar

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT, PLAYER
from encoders.logic.definedness import DefinednessCondition, Over
from encoders.logic.sequents import (
    ZERO,
    Hypothesis,
    Sequent,
    Symbols,
    bit_and,
    conjunction,
    evaluate_power,
    holds,
    implies,
    integer,
    largest,
    membership,
    neg,
    nim,
)
from encoders.logic.translator import COMPARISONS
from encoders.refusals import Unsupported
from encoders.trust import Reason

Env = Mapping[str, object]
"""A mapping from variables to their values.

A value is a term of the sequent, the index of a player, or the representation of a position that the rule uses.
"""

Element = Callable[[t.Term | None, Env], tuple[object, t.Term]]
"""A function that returns an arbitrary element of a source, and the condition that it is in the source.

Its arguments are the source (None: all heaps) and the values of the variables. Raises Unsupported.
"""

_ARITHMETIC = ("add", "sub", "mul", "neg", "floordiv", "mod", "nim", "bit_and", "largest", "smallest")
Read = TypeVar("Read")


@dataclass(frozen=True, eq=False)
class Entailment:
    """An obligation as a proof rule states it: `show` must follow from `assume`.

    `SequentReader.sequent` adds the premises that were collected during translation.
    """

    assume: tuple[t.Term, ...]
    show: t.Term


def _work_out(term: t.Term) -> int | None:
    """Return the value of a call of `gcd` or `is_prime` whose arguments are literals; None for other terms."""
    if not isinstance(term, t.Operation) or term.op not in ("gcd", "is_prime"):
        return None
    values = [x.value for x in term.args if isinstance(x, t.Literal)]
    row = BUILTINS[term.op]
    if len(values) < len(term.args) or (row.limit is not None and row.limit(*values)):
        return None
    value = row.evaluate(*values)
    assert isinstance(value, int)
    return value


class Assumption(NamedTuple):
    """A premise of an obligation, with the reason `by` for which it may be assumed."""

    term: t.Term
    by: Reason


def name_players(claim: Claim) -> tuple[str, ...]:
    """Return the names of the players in the first game of the claim, for messages; () without a game."""
    return claim.games[0].ruleset.players if claim.games else ()


class SequentReader:
    """A translator of terms of a claim into terms of one sequent. It collects the premises that the new terms need.

    `words`: the name of the theory, for the message "... has no translation into ...".
    `symbols`: the variables of the sequent.
    `known`: the premises collected so far.
    `side_conditions`: the conditions under which the translation so far is correct. The proof must show them.
    `hypotheses`: the hypotheses of the claim.
    `lemmas`: the instances of each lemma, by the id of the lemma.
    `unread`: conditions that could be assumed, but cannot be translated.
    `defines`: the names of expressions that the sequent shows to be defined.
    """

    words = "a proof"
    reads = ""
    """Advice for a term that is rejected: the expressions about positions and games that are supported."""
    player_names: tuple[str, ...] = ()
    """The names for messages."""

    def __init__(self) -> None:
        self.symbols = Symbols()
        self.known: list[Assumption] = []
        self.side_conditions: list[t.Term] = []
        self.hypotheses: list[Hypothesis] = []
        self.lemmas: dict[str, list[t.Term]] = {}
        self.unread: dict[str, None] = {}
        self.defines: set[str] = set()

    def assume(self, by: Reason, *terms: t.Term) -> None:
        """Add `terms` to the premises. `by`: the reason for which they may be assumed."""
        self.known += (Assumption(x, by) for x in terms)

    def list_assumptions(self) -> Iterable[Assumption]:
        """Return all premises. Call this after everything is translated, because a translation may add premises."""
        return self.known

    def sequent(self, name: str, posed: Entailment) -> Sequent:
        """Return `posed`, an obligation of the rule, as a sequent with this name and all premises collected so far."""
        known = tuple(self.list_assumptions())
        assume = (*posed.assume, *(x.term for x in known))
        lemmas = tuple((id, tuple(said)) for id, said in self.lemmas.items() if said)
        made = self.symbols.sequent(name, assume, posed.show, tuple(self.hypotheses), lemmas)
        return replace(made, by=frozenset(x.by for x in known))

    def number(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of an integer term. Raises Unsupported if there is none.

        `env`: the values of the variables in the term.
        """
        match term:
            case t.Literal() if term.type == INT:
                return term
            case t.Variable(name=name) if name in env:
                found = env[name]
                if isinstance(found, t.Term) and found.type == INT:
                    return found
            case t.IfElse(condition=c, then=x, other=y):
                made = replace(term, condition=self.truth(c, env), then=self.number(x, env), other=self.number(y, env))
                return self.accept(made)
            case t.Operation(op=op, args=args) if op in _ARITHMETIC:
                return self.operation(replace(term, args=tuple(self.number(x, env) for x in args)))
            case t.Operation(op="pow") if (value := evaluate_power(term)) is not None:
                return integer(value)
            case t.Operation(op="bit_or", args=(a, b)):
                return self.number(nim(nim(a, b), bit_and(a, b)), env)
            case t.Operation(op="min" | "max" as op, args=(t.Collection(items=items),)) if items and term.type == INT:
                numbers = tuple(self.number(x, env) for x in items)
                extreme = t.Operation(INT, term.start, term.end, "smallest" if op == "min" else "largest", numbers)
                return numbers[0] if len(numbers) == 1 else self.operation(extreme)
            case t.Operation(op="abs", args=(a,)):
                x = self.number(a, env)
                return self.operation(largest(x, neg(x), ZERO))  # the 0 shows that the result is natural
        return self.about_number(term, env)

    def truth(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of a condition. Raises Unsupported if there is none. `env`: as in `number`."""
        match term:
            case t.Literal() if term.type == BOOL:
                return term
            case t.Variable(name=name) if name in env:
                found = env[name]
                if isinstance(found, t.Term) and found.type == BOOL:
                    return found
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return replace(term, args=tuple(self.truth(x, env) for x in args))
            case t.IfElse(condition=c, then=x, other=y):
                return replace(term, condition=self.truth(c, env), then=self.truth(x, env), other=self.truth(y, env))
            case t.Operation(op="not", args=(x,)):
                return replace(term, args=(self.truth(x, env),))
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == PLAYER:
                return holds((self.player(a, env) == self.player(b, env)) is (op == "eq"))
            case t.Operation(op="eq" | "ne", args=(a, b)) if a.type == BOOL:
                return replace(term, args=(self.truth(a, env), self.truth(b, env)))
            case t.Operation(op=op, args=(a, b)) if op in COMPARISONS and a.type == INT:
                return self.accept(replace(term, args=(self.number(a, env), self.number(b, env))))
            case t.Operation(op="in", args=(x, source)) if (said := membership(x, source)) is not None:
                return self.truth(said, env)
        return self.about_truth(term, env)

    def player(self, term: t.Term, env: Env) -> int:
        """Return the index of a player. Raises Unsupported if the term is not the name of a player."""
        if isinstance(term, t.Literal):
            return term.value
        if isinstance(term, t.Variable):
            found = env.get(term.name)
            if isinstance(found, int):
                return found
        instead = "write a case for each player, as in wins(s, A) if k > 1 else wins(s, B)"
        raise Unsupported(f"the player {print_term(term, self.player_names)} must be given by name", instead=instead)

    def accept(self, term: t.Term) -> t.Term:
        """Return a translated term unchanged. A subclass may raise Unsupported if its solver cannot treat the term."""
        return term

    def operation(self, term: t.Operation) -> t.Term:
        """Return the translation of an operation whose operands are already translated.

        Here it is the operation itself. Subclasses may replace it, or raise Unsupported.
        """
        return self.accept(term)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of an integer term that `number` cannot translate, such as `len(s)`.

        Here only `gcd` of literals is translated; subclasses translate numbers that depend on positions and games.
        Raises Unsupported for other terms.
        """
        if (value := _work_out(term)) is not None:
            return integer(value)
        raise Unsupported(
            f"{print_term(term, self.player_names)} has no translation into {self.words}", instead=self.reads
        )

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        """Return the translation of a condition that `truth` cannot translate, such as `wins(s, P)`.

        Here only `is_prime` of a literal is translated; subclasses translate conditions on positions and games.
        Raises Unsupported for other terms.
        """
        if (value := _work_out(term)) is not None:
            return holds(bool(value))
        said = print_term(term, self.player_names)
        raise Unsupported(f"the condition {said} has no translation into {self.words}", instead=self.reads)

    def assume_hypotheses(self, hypothesis: t.Term | None, env: Env) -> None:
        """Translate the hypothesis of a claim, and store each part of the conjunction in `hypotheses`.

        Raises Unsupported if a part has no translation.
        """
        if hypothesis is not None:
            self.hypotheses = [Hypothesis(print_term(x), self.truth(x, env)) for x in t.conjuncts(hypothesis)]

    # -- where a claim has a value ------------------------------------------------------------------------------------
    def require_defined(self, needs: Iterable[DefinednessCondition], env: Env, element: Element) -> t.Term:
        """Return the condition that each requirement holds whenever evaluation follows its path.

        The result also states the side conditions of the translation: each must follow from the earlier steps of the
        path. A condition on the path that cannot be translated is not assumed.
        `element`: a function that returns an arbitrary element of a collection on the path.
        Raises Unsupported if a requirement has no translation.
        """
        goals: list[t.Term] = []
        for need in needs:
            self.defines |= {need.part} if need.part else set()
            inner, met = dict(env), list[t.Term]()
            for step in need.path:
                if isinstance(step, Over):
                    read = partial(element, step.source, inner)
                    inner[step.variable], there = self._pay(goals, met, read)
                    met.append(there)
                    continue
                self._assume(step.term, inner, goals, met)
            shown = self._pay(goals, met, partial(self.truth, need.holds, inner))
            goals.append(implies(conjunction(*met), shown))
        return conjunction(*goals)

    def _assume(self, condition: t.Term, env: Env, goals: list[t.Term], met: list[t.Term]) -> None:
        """Append the translation of a condition to `met`, the conditions assumed so far.

        If it has no translation but is a conjunction, append the parts that have one. `goals`: as in `_pay`.
        """
        try:
            met.append(self._pay(goals, met, partial(self.truth, condition, env)))
        except Unsupported:
            if isinstance(condition, t.AllOf):
                for part in condition.args:
                    self._assume(part, env, goals, met)
            else:
                self.unread[print_term(condition, self.player_names)] = None

    def _pay(self, goals: list[t.Term], met: list[t.Term], read: Callable[[], Read]) -> Read:
        """Return `read()`, which translates a term.

        Append to `goals` that the side conditions of this translation follow from `met`. If `read` raises an exception,
        append nothing.
        """
        before = len(self.side_conditions)
        try:
            found = read()
            goals += (implies(conjunction(*met), x) for x in self.side_conditions[before:])
        finally:
            del self.side_conditions[before:]
        return found
