"""Reading terms of a claim into terms of a sequent: over its symbols alone, with no position and no game left.

What is common to all rules of proof is here: arithmetic, conditions, players named outright.  What a rule knows of
positions, moves and values it adds by `about_number` and `about_truth`.
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
"""Variable -> what it stands for: a term of the sequent, a player (int), or what a rule has made of a position."""

Element = Callable[[t.Term | None, Env], tuple[object, t.Term]]
"""Something that runs over a source (None: over all heaps), and the condition that it does. Raises Unsupported."""

_ARITHMETIC = ("add", "sub", "mul", "neg", "floordiv", "mod", "nim", "bit_and", "largest", "smallest")
Read = TypeVar("Read")


@dataclass(frozen=True, eq=False)
class Entailment:
    """What one obligation assumes, beside all that its reader knows, and what it shows."""

    assume: tuple[t.Term, ...]
    show: t.Term


def _work_out(term: t.Term) -> int | None:
    """What `gcd` or `is_prime` is of numbers that are written down; None for other terms."""
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
    """What an obligation may assume, and by what."""

    term: t.Term
    by: Reason


def name_players(claim: Claim) -> tuple[str, ...]:
    """Those of its games, for messages."""
    return claim.games[0].ruleset.players if claim.games else ()


class SequentReader:
    """Reads terms for one sequent. `words` name the theory, for "... has no translation into ...".

    `known`: what has been learnt on the way; `side_conditions`: what must be shown for the terms read so far to mean
    what was made
    of them; `hypotheses`: those of the claim; `lemmas`: what each lemma, by its id, says of the symbols.
    `unread`: conditions that are not assumed because they cannot be read; `defines`: as in `Sequent`.
    """

    words = "a proof"
    reads = ""
    """What to write where a term is refused: what it reads of positions and games."""
    player_names: tuple[str, ...] = ()
    """For messages."""

    def __init__(self) -> None:
        self.symbols = Symbols()
        self.known: list[Assumption] = []
        self.side_conditions: list[t.Term] = []
        self.hypotheses: list[Hypothesis] = []
        self.lemmas: dict[str, list[t.Term]] = {}
        self.unread: dict[str, None] = {}
        self.defines: set[str] = set()

    def assume(self, by: Reason, *terms: t.Term) -> None:
        """Let these be known, for that reason."""
        self.known += (Assumption(x, by) for x in terms)

    def list_assumptions(self) -> Iterable[Assumption]:
        """All that is known, when everything has been read."""
        return self.known

    def sequent(self, name: str, posed: Entailment) -> Sequent:
        """The sequent, with all that is known by now."""
        known = tuple(self.list_assumptions())
        assume = (*posed.assume, *(x.term for x in known))
        lemmas = tuple((id, tuple(said)) for id, said in self.lemmas.items() if said)
        made = self.symbols.sequent(name, assume, posed.show, tuple(self.hypotheses), lemmas)
        return replace(made, by=frozenset(x.by for x in known))

    def number(self, term: t.Term, env: Env) -> t.Term:
        """An Int over the symbols. Raises Unsupported."""
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
                return self.operation(largest(x, neg(x), ZERO))  # 0 shows that it is natural
        return self.about_number(term, env)

    def truth(self, term: t.Term, env: Env) -> t.Term:
        """A Bool over the symbols. Raises Unsupported."""
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
        """A player's index; it must be known outright. Raises Unsupported."""
        if isinstance(term, t.Literal):
            return term.value
        if isinstance(term, t.Variable):
            found = env.get(term.name)
            if isinstance(found, int):
                return found
        instead = "say it of each player, as in wins(s, A) if k > 1 else wins(s, B)"
        raise Unsupported(f"the player {print_term(term, self.player_names)} is not named outright", instead=instead)

    def accept(self, term: t.Term) -> t.Term:
        """A term over the symbols, once it has been read. Raises Unsupported for one that no solver could read."""
        return term

    def operation(self, term: t.Operation) -> t.Term:
        """An operation on numbers over the symbols; a rule may know better what it is. Raises Unsupported."""
        return self.accept(term)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        """A number about a position or a game, or of numbers that are written down. Raises Unsupported."""
        if (value := _work_out(term)) is not None:
            return integer(value)
        raise Unsupported(
            f"{print_term(term, self.player_names)} has no translation into {self.words}", instead=self.reads
        )

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        """A condition about a position or a game, or on a number that is written down. Raises Unsupported."""
        if (value := _work_out(term)) is not None:
            return holds(bool(value))
        said = print_term(term, self.player_names)
        raise Unsupported(f"the condition {said} has no translation into {self.words}", instead=self.reads)

    def assume_hypotheses(self, hypothesis: t.Term | None, env: Env) -> None:
        """Note the hypotheses of the claim, each apart. Raises Unsupported."""
        if hypothesis is not None:
            self.hypotheses = [Hypothesis(print_term(x), self.truth(x, env)) for x in t.conjuncts(hypothesis)]

    # -- where a claim has a value ------------------------------------------------------------------------------------
    def require_defined(self, needs: Iterable[DefinednessCondition], env: Env, element: Element) -> t.Term:
        """That each need holds wherever its path leads; a guard that cannot be read is not assumed. Raises Unsupported.

        What a term is owed is shown where the path has led by then, before the term itself is believed.
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
        """Let a condition be met, as far as it can be read: of one that cannot each part that can."""
        try:
            met.append(self._pay(goals, met, partial(self.truth, condition, env)))
        except Unsupported:
            if isinstance(condition, t.AllOf):
                for part in condition.args:
                    self._assume(part, env, goals, met)
            else:
                self.unread[print_term(condition, self.player_names)] = None

    def _pay(self, goals: list[t.Term], met: list[t.Term], read: Callable[[], Read]) -> Read:
        """What is read; what it is owed joins the goals where `met` holds, but nothing does if it cannot be read."""
        before = len(self.side_conditions)
        try:
            found = read()
            goals += (implies(conjunction(*met), x) for x in self.side_conditions[before:])
        finally:
            del self.side_conditions[before:]
        return found
