"""The Coq text of claims that follow from the definition of the value for n players at one position.

The obligation of such a claim contains a truth value for each question whether some option has a value with a certain
property, and a value that has this property if the answer is yes. coq/theory/Recursion.v proves that these numbers
exist, and that they satisfy the assumptions of the obligation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import structural_key, substitute
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.coq import sequents
from encoders.coq.propositions import Statements, key_of_question
from encoders.coq.sequents import write_module
from encoders.coq.statement import Binder, open_section, state
from encoders.coq.writing import BINDER, Text
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    Sequent,
    Symbol,
    add,
    at_least,
    choose,
    conjunction,
    disjunction,
    equal,
    implies,
    less_than,
    names_in,
    negation,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.base.shape import LARGEST, has_heap
from encoders.rules.folds.ahead import list_bounds
from encoders.rules.folds.moves import kinds_of
from encoders.rules.folds.section import PICKED_HEAP, DefinitionProof
from encoders.rules.shapes_coq import find_values, put_values, refuse_term


def follows_from_recursion(claim: Claim) -> bool:
    """Return whether a claim about the value for n players is proved by the rule "definition" without lemmas."""
    proof = claim.proof
    if not isinstance(proof, DefinitionProof) or proof.by or len(claim.games) != 1:
        return False
    return bool(claim.games[0].ruleset.player_count)


@dataclass(frozen=True)
class _Question:
    """A question whether some option has a value with a property.

    `fits`: the property of a value, as a term. `holds`: the same as a Coq proposition about w.
    `body`: for a question of the claim, the property of an option t as a Coq proposition.
    `some`: whether the claim states that some option has the property. Otherwise it states that all options have it,
    and `fits` is the opposite property.
    """

    fits: Callable[[t.Term], t.Term]
    holds: str
    body: str = ""
    some: bool = True

    @property
    def asks(self) -> str:
        return self.holds if self.some else f"~ ({self.holds})"


@dataclass
class _Recursion:
    """A writer of the obligation that a claim follows from the definition of the value, and of its use in Coq.

    `position`: the name of the position. `players`: the number of players.
    """

    claim: Claim
    position: str
    players: t.Term
    numbers: Statements
    questions: list[_Question] = field(default_factory=list)

    value: ClassVar[t.Variable] = t.Variable(INT, 0, 0, "value of the position")
    heaps: ClassVar[t.Variable] = t.Variable(INT, 0, 0, "number of heaps")

    def __post_init__(self) -> None:
        def add_turn(w: t.Term) -> t.Term:
            return choose(equal(add(w, ONE), self.players), ZERO, add(w, ONE))

        n = self.numbers.natural(self.players).argument
        self.questions = [
            _Question(lambda _: YES, "True"),
            _Question(lambda w: equal(add_turn(w), self.value), f"next {n} w = V"),
            _Question(lambda w: less_than(add_turn(w), self.value), f"next {n} w < V"),
        ]

    def answer(self, i: int) -> t.Variable:
        return t.Variable(BOOL, 0, 0, f"answer {i + 1}")

    def found(self, i: int) -> t.Variable:
        return t.Variable(INT, 0, 0, f"value {i + 1}")

    def read(self, term: t.Term) -> t.Term:
        """Return a condition of the claim over the variables of the obligation. Raises Unsupported."""
        match term:
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return replace(term, args=tuple(map(self.read, args)))
            case t.Operation(op="not" | "eq", args=args) if args[0].type == BOOL:
                return replace(term, args=tuple(map(self.read, args)))
            case t.Comprehension(
                reducer="any" | "all",
                clauses=(t.Clause(source=t.GameCall(function="options", args=(s, *_))) as clause,),
            ) if self._is_position(s) and not clause.conditions:
                return self._ask(term, clause)
            case t.Operation(op="eq" | "ne" | "lt" | "le" | "gt" | "ge", args=(a, b)):
                return replace(term, args=(self.number(a), self.number(b)))
        raise refuse_term(term)

    def _ask(self, term: t.Comprehension, clause: t.Clause) -> t.Term:
        some, option = term.reducer == "any", t.Variable(POSITION, 0, 0, clause.variable)
        calls = find_values(term.body)
        if any(structural_key(x.args[0]) != structural_key(option) for x in calls.values()):
            raise refuse_term(term)
        inner = self.numbers.bind({clause.variable: Text("t")})
        named = inner.bind({key_of_question(x): Text("w") for x in calls.values()})
        holds, i = named.says(term.body), len(self.questions)

        def fits(w: t.Term) -> t.Term:
            fitting = self._condition(put_values(term.body, dict.fromkeys(calls, w)))
            return fitting if some else negation(fitting)

        self.questions.append(_Question(fits, holds.at(BINDER), inner.says(term.body).at(BINDER), some))
        return self.answer(i) if some else negation(self.answer(i))

    def _condition(self, term: t.Term) -> t.Term:
        match term:
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return replace(term, args=tuple(map(self._condition, args)))
            case t.Operation(op="eq" | "ne" | "lt" | "le" | "gt" | "ge", args=(a, b)) if a.type == INT:
                return replace(term, args=(self.number(a), self.number(b)))
        raise refuse_term(term)

    def number(self, term: t.Term) -> t.Term:
        match term:
            case t.GameCall(function="value", args=(s, *_)) if self._is_position(s):
                return self.value
            case t.Operation(op="len", args=(s,)) if self._is_position(s):
                return self.heaps
            case t.Variable(type=kind) | t.Literal(type=kind) if kind == INT:
                return term
            case t.Operation(op="add" | "sub" | "mul" | "neg", args=args):
                return replace(term, args=tuple(map(self.number, args)))
        raise refuse_term(term)

    def _is_position(self, term: t.Term) -> bool:
        return isinstance(term, t.Variable) and term.name == self.position

    @property
    def count(self) -> Text:
        """The number of players as Coq text."""
        return self.numbers.natural(self.players)

    def use_definition(self, s: str, can_move: bool) -> Iterator[str]:
        """Yield the Coq tactics that prove what the obligation assumes, and state the claim by the same numbers.

        `s`: the position. `can_move`: whether the lemma `can_move` is there.
        """
        (game,) = self.claim.games
        written, n = self.numbers.games[game.name], self.count.argument
        smaller, decided = self.numbers.about_moves(game)
        of = f"{written.argument} {n} players {smaller} {decided}"
        yield f"""\
  destruct (winner_exists {of} {s}) as (V & Vn & W).
  pose proof (value_is_defined {of} {s} V eq_refl W) as D."""
        yield f"  say_value {smaller} W."
        for i, x in enumerate(self.questions, 1):
            yield f"""\
  destruct (asked_value {of} {s} (fun w => {x.asks}) ltac:(decided_value))
    as (b{i} & w{i} & L{i} & A{i} & B{i})."""
            if not x.body:
                yield f"  rewrite A{i} in D."
                continue
            lemma, more = ("any_option", "") if x.some else ("all_options", "ltac:(decided_value) ")
            known = f"{more}ltac:(intros t w Wt; of_one_value {smaller} Wt) A{i}"
            yield f"  rewrite ({lemma} {of} {s} (fun w => {x.holds}) (fun t => {x.body}) b{i} {known})."
        yield f"  pose proof (fun H => option_of_heaps _ _ {s} _ (proj2 A1 H)) as S1."
        if can_move:
            yield f"  pose proof (fun H => proj1 A1 (option_by_move {of} {s} can_move H)) as S2."
        for i in range(1, len(self.questions) + 1):
            yield f"  pose proof (fun H => proj2 (B{i} H)) as C{i}. cbv beta in C{i}."
            for j in range(1, len(self.questions) + 1):
                if i != j:
                    yield f"  pose proof (answered _ _ _ _ _ _ _ _ A{i} B{j}) as C{i}_{j}. cbv beta in C{i}_{j}."

    # -- the obligation -----------------------------------------------------------------------------------------------
    def pose(self, can_move: bool) -> Sequent:
        """Return the obligation. `can_move`: whether a player with a heap can move. Raises Unsupported."""
        claim = self.claim
        says = self.read(claim.conclusion)
        if claim.hypothesis is not None:
            says = implies(self.read(claim.hypothesis), says)
        integers = [v for v in claim.variables if v.type == INT]
        numbers = [t.Variable(INT, 0, 0, v.name) for v in integers]
        several = range(len(self.questions))
        found = [self.found(i) for i in several]
        some, reached, less = (self.answer(i) for i in range(3))
        none = conjunction(negation(some), equal(self.value, ZERO))
        assume = [
            *(x for v in integers for x in list_bounds(v)),
            *(less_than(x, self.players) for x in (self.value, *found)),
            disjunction(none, conjunction(some, reached, negation(less))),
            implies(some, at_least(self.heaps, ONE)),
            *([implies(at_least(self.heaps, ONE), some)] if can_move else []),
            *(implies(self.answer(i), self.questions[i].fits(found[i])) for i in several[1:]),
            *(
                implies(conjunction(self.answer(j), self.questions[i].fits(found[j])), self.answer(i))
                for i in several
                for j in several
                if i != j
            ),
        ]
        symbols = [Symbol(x.name, INT, 0) for x in (*numbers, self.value, self.heaps, *found)]
        symbols += [Symbol(self.answer(i).name, BOOL) for i in several]
        return Sequent("claim", tuple(symbols), tuple(assume), says)


def write_recursion(
    claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Iterator[str]:
    """Yield the Coq text of a proof for which `follows_from_recursion` is true. It ends with the lemma `claim`.

    Raises Unsupported for a claim that has no such obligation, or if no certificate proves the obligation.
    """
    (game,) = claim.games
    integers, positions = [b for b in binders if b.is_number], [b for b in binders if b.type == "position"]
    if len(positions) != 1 or len(binders) != 1 + len(integers) or not game.ruleset.stuck_wins:
        raise Unsupported("for the rule definition, Coq text is generated only for claims about one position")
    (position,) = positions
    made = _Recursion(claim, position.word, dict(game.arguments)[game.ruleset.player_count], numbers)
    move = _write_move(claim, position.word, numbers)
    sequent = made.pose(bool(move))
    follows = sequents.write_obligation("follows", sequent, services.find_certificate(sequent))
    yield f"{write_module('Obligations', [follows])}\nFrom NimChecks Require Import Recursion.\nOpen Scope N_scope."
    yield from open_section(binders)
    yield f"Lemma players : 0 < {made.count.argument}.\nProof. lia. Qed.{move}"
    s, several = position.name, range(1, len(made.questions) + 1)
    yield f"Lemma claim ({s} : position) : {state(claim, numbers).at(BINDER)}.\nProof."
    yield from made.use_definition(s, bool(move))
    given = "".join(f" (Z.of_N {x})" for x in (*(b.name for b in integers), "V", f"(number {s})"))
    given += "".join(f" (Z.of_N w{i})" for i in several) + "".join(f" b{i}" for i in several)
    yield f"""\
  pose proof (Obligations.follows{given}) as O. give_answers O.
  clear - O. lia.
Qed.
End Proof.
"""


def _write_move(claim: Claim, position: str, numbers: Statements) -> str:
    """Return a Coq lemma which states that a largest heap can be made smaller; "" if no named move shows this."""
    proof, (game,) = claim.proof, claim.games
    assert isinstance(proof, DefinitionProof)
    there = structural_key(has_heap(t.Variable(POSITION, 0, 0, position)))
    for named in proof.moves:
        when = substitute(named.when, {f.name: f.term for f in proof.folds})
        free = names_in(*(x for _, x in named.take))
        if structural_key(when) != there or named.extreme != LARGEST or free - {PICKED_HEAP}:
            continue
        for kind in kinds_of(named, game, 0):
            heap, take = t.Variable(INT, 0, 0, PICKED_HEAP), dict(named.take)
            values: dict[str, t.Term] = {kind.heaps[0]: heap}
            for pick in kind.picks:
                values[pick.name] = take.get(pick.word, substitute(pick.lo, values))
            inner = numbers.bind({PICKED_HEAP: Text("h")})
            picks = "".join(f"exists {inner.natural(values[p.name], True).argument}. " for p in kind.picks)
            left = inner.natural(substitute(kind.become, values), True).argument
            game_text = numbers.games[game.name].argument
            return f"""
Lemma can_move h : 0 < h -> exists y, becomes {game_text} First h y.
Proof. intros P. exists {left}. hnf. {"right. " * (kind.number - 1)}{picks}lia. Qed."""
    return ""
