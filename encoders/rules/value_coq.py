"""The Coq text of proofs by the rule "value": a formula for the winner among n players.

The formula uses the shape of a position: the number of heaps, the smallest heap with its multiplicity, and the largest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from claims.language.files.claim import Claim, Game, Lemma, unfold_claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, rebuild, structural_key, substitute, walk
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.coq import sequents
from encoders.coq.numbers import total
from encoders.coq.propositions import Statements, key_of_question
from encoders.coq.sequents import write_module
from encoders.coq.statement import Binder, open_section, state
from encoders.coq.writing import APPLICATION, BINDER, SUM, Text, apply, module_of, name_in_coq
from encoders.logic.moves import open_moves
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    Sequent,
    Symbol,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    implies,
    largest,
    less_than,
    names_in,
    negation,
    smallest,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.base.shape import LARGEST, has_heap, is_extreme
from encoders.rules.folds.ahead import (
    Both,
    Copies,
    Form,
    FormReader,
    Is,
    Let,
    Not,
    Shape,
    Sizes,
    Some,
    deny,
    list_bounds,
    write_form,
)
from encoders.rules.folds.moves import kinds_of
from encoders.rules.folds.section import PICKED_HEAP, DefinitionProof, FoldsMove, FoldsProof
from encoders.rules.value import ValueProof, build_shape, possible

SHAPE = {"heaps": "number", "least": "least", "times": "times", "largest": "largest"}


def write_least(claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices) -> Iterator[str]:
    """Yield the Coq text of a proof by the rule "value", which ends with the lemma `claim`.

    Raises Unsupported for a game that this proof does not cover.
    """
    proof, (game,) = claim.proof, claim.games
    assert isinstance(proof, ValueProof)
    ruleset = game.ruleset
    if len(ruleset.moves) != 1 or ruleset.moves[0].choose != "largest":
        raise Unsupported(
            f"{ruleset.id}: a Coq proof of the values of n players needs one kind of move, on a largest heap"
        )
    if not (ruleset.stuck_wins and ruleset.player_count):
        raise Unsupported(f"{ruleset.id}: a Coq proof of values needs n players, and misère play")
    written = numbers.games[game.name].argument
    players = numbers.natural(dict(game.arguments)[ruleset.player_count]).argument
    of_s = _shape_of("s0", numbers)
    beside = _shape_of("(h0 :: R0)", numbers)
    known = "0 < h0 -> largest R0 <= h0 ->"
    yield from open_section(binders)
    yield f"""
(* The region of the formula, and the formula. *)
Definition region (s0 : position) : Prop := {of_s.says(proof.region).at(BINDER)}.
Definition formula (s0 : position) : N := {_write_truncated(of_s, proof.value).at(BINDER)}.

Lemma in_range s0 : region s0 -> formula s0 < {players}.
Proof. unfold region, formula. intros I. take_apart. settle_shape s0. Qed.
Lemma empty : region [] -> formula [] = 0.
Proof. intros _. unfold formula. no_shape. Qed.
Lemma region_closed h0 y0 R0 : {known} becomes {written} First h0 y0 ->
  region (h0 :: R0) -> region (y0 :: R0).
Proof. unfold region. intros P T B. open_move B. take_apart. intros I. take_apart. settle_shape R0. Qed.
Lemma no_less h0 y0 R0 : {known} becomes {written} First h0 y0 -> region (h0 :: R0) ->
  formula (h0 :: R0) <= (formula (y0 :: R0) + 1) mod {players}.
Proof.
  intros P T B I. pose proof (region_closed h0 y0 R0 P T B I) as J. rewrite next_around by (apply in_range; exact J).
  open_move B. unfold region, formula in *. take_apart. settle_shape R0.
Qed.
Lemma attained h0 R0 : {known} region (h0 :: R0) ->
  exists y0, becomes {written} First h0 y0 /\\ formula (h0 :: R0) = (formula (y0 :: R0) + 1) mod {players}.
Proof.
  intros P T I. set (y0 := {_option(proof, beside)}).
  assert (B : becomes {written} First h0 y0).
  {{ hnf. exists (h0 - y0). revert I. unfold y0, region; clear y0. intros I. take_apart. settle_shape R0. }}
  exists y0. split; [exact B|]. pose proof (region_closed h0 y0 R0 P T B I) as J.
  rewrite next_around by (apply in_range; exact J). revert I J. clear B. unfold y0, region, formula; clear y0.
  intros I J. take_apart. settle_shape R0.
Qed.

Lemma region_same s0 t0 : s0 ≡ t0 -> region s0 -> region t0.
Proof. unfold region. intros E. same_shape E. Qed.
Lemma formula_same s0 t0 : s0 ≡ t0 -> formula s0 = formula t0.
Proof. unfold formula. intros E. same_shape E. Qed.
Lemma smaller_ p0 h0 y0 : becomes {written} p0 h0 y0 -> y0 < h0.
Proof. smaller. Qed.
Lemma winners s0 : region s0 -> winner {written} {players} s0 (formula s0).
Proof.
  exact (winner_by_formula {written} {players} smaller_ region formula region_same formula_same region_closed empty
    no_less attained eq_refl eq_refl s0).
Qed.
"""
    rest = [b for b in binders if not b.is_number]
    typed = "".join(f" ({b.name} : {b.type})" for b in rest)
    yield f"""\
Lemma claim{typed} :
  {state(claim, numbers).at(BINDER)}.
Proof.
  intros. take_apart. repeat split;
  repeat match goal with |- exists v, winner _ _ ?x v /\\ _ =>
    exists (formula x); split; [apply winners; unfold region | unfold formula] end;
  see_copies; conclude_shapes.
Qed.
End Proof.
"""


def _shape_of(position: str, numbers: Statements) -> Statements:
    """Return a writer of formulas that writes `heaps`, `least`, `times` and `largest` as Coq functions of a position.

    `position`: the position, as Coq text.
    """
    return numbers.bind({word: Text(f"{name} {position}", APPLICATION) for word, name in SHAPE.items()})


def _write_truncated(numbers: Statements, term: t.Term) -> Text:
    """Return the Coq text of a number in the proof. It uses truncated subtraction: a negative difference becomes 0."""
    if isinstance(term, t.IfElse):
        condition = numbers.truth(term.condition).at(BINDER)
        then, other = _write_truncated(numbers, term.then), _write_truncated(numbers, term.other)
        return Text(f"(if {condition} then {then.at(BINDER)} else {other.at(BINDER)})")
    found = numbers.number(term).cancel_common()
    plus, minus = total(found.plus), total(found.minus)
    return Text(f"{plus.at(SUM)} - {minus.argument}", SUM) if found.minus else plus


def _option(proof: ValueProof, numbers: Statements) -> str:
    """Return the Coq text of the new size of a largest heap: `becomes` of the first option whose `when` holds.

    If no earlier `when` holds, the last option is used without a test of its `when`.
    """
    *before, last = proof.options
    made = _write_truncated(numbers, last.becomes).at(BINDER)
    for option in reversed(before):
        then = _write_truncated(numbers, option.becomes).at(BINDER)
        made = f"if {numbers.truth(option.when).at(BINDER)} then {then} else {made}"
    return made


# == claims about options =============================================================================================
# A claim about the values of a position s, and of positions in which a largest heap of s is replaced, that follows from
# a theorem by the rule "value".  The claim becomes a form about the shape of s without a largest heap.
def follows_from_values(claim: Claim) -> bool:
    """Return whether the lemmas of a proof by folds are theorems by the rule "value" about the game of the claim."""
    proof = claim.proof
    if not isinstance(proof, FoldsProof) or not proof.by or len(claim.games) != 1:
        return False
    return all(isinstance(unfold_claim(lemma.claim).proof, ValueProof) for lemma in proof.by)


def match_copies(position: t.Term) -> tuple[t.Literal, t.Term] | None:
    """Return (size, count) for a position such as position([1 for i in range(count)]); None for other positions."""
    match position:
        case t.Operation(op="position", args=(t.Comprehension(body=t.Literal() as size, clauses=(clause,)),)):
            match clause.source:
                case t.Operation(op="range", args=(t.Literal(value=0), count)) if size.value > 0:
                    return None if clause.conditions else (size, count)
    return None


@dataclass
class _ValueReader(FormReader):
    """A translation of conditions about one position into forms.

    `position`: the name of the position. `formula`: the value of a position, given its shape.
    `named`: the named moves of the proof.
    """

    chooses: ClassVar[str] = "largest"

    position: str = field(kw_only=True)
    formula: t.Term = field(kw_only=True)
    named: Sequence[FoldsMove] = field(kw_only=True)

    def read(self, term: t.Term, known: Mapping[str, Sizes]) -> Form:
        match term:
            case t.Comprehension(
                reducer="all", body=body, clauses=(t.Clause(source=t.Operation(op="range"), conditions=()) as clause,)
            ):
                return self._read_all(body, clause, known)
            case t.Operation(op="eq" | "ne" | "lt" | "le" | "gt" | "ge") if calls := _find_values(term):
                return self._read_values(term, calls, known)
            case t.Operation(op="eq" | "ne", args=(a, b)) if a.type == INT:
                return Is(replace(term, args=(self.number(a, known), self.number(b, known))))
            case t.Operation(op="eq", args=(s, copies)) if self._is_position(s):
                return self._are_copies(_ALL, copies, known)
            case t.Operation(
                op="eq", args=(t.GameCall(function="options", args=(s, _)), t.Collection(items=(copies,)))
            ) if self._is_position(s):
                return self._only_option(copies, known)
        return super().read(term, known)

    def _are_copies(self, shape: Sequence[t.Term], position: t.Term, known: Mapping[str, Sizes]) -> Form:
        """Return the form which says that a position of this shape consists of equal heaps. Raises Unsupported."""
        size, count = self._copies(position, known)
        heaps, least, _, most = shape
        same = disjunction(equal(count, ZERO), conjunction(equal(least, size), equal(most, size)))
        return Is(conjunction(equal(heaps, count), same))

    def _copies(self, position: t.Term, known: Mapping[str, Sizes]) -> tuple[t.Term, t.Term]:
        """Return (size, count) for a position such as position([1 for i in range(count)]). Raises Unsupported."""
        found = match_copies(position)
        if found is None:
            raise Unsupported(f"{print_term(position)}: no Coq text is generated for this position")
        size, count = found
        return size, largest(ZERO, self.number(count, known))

    def _only_option(self, position: t.Term, known: Mapping[str, Sizes]) -> Form:
        """Return the form which says that the only option is a position of equal heaps. Raises Unsupported."""
        (move,) = open_moves(self.game, 0)
        takes = [x for x in (dict(m.take) for m in self.named) if all(names_in(y) <= {PICKED_HEAP} for y in x.values())]
        takes = [{word: substitute(y, {PICKED_HEAP: _HEAP}) for word, y in x.items()} for x in takes]

        def leaves(y: t.Variable) -> Form:
            shape = tuple(self.bind(word) for word in SHAPE)
            return Shape(tuple(x.name for x in shape), y, _REST, self._are_copies(shape, position, known))

        y, z, values = self.bind("left"), self.bind("left"), dict[int, t.Term]()
        each = Both("fImp", self.is_legal(move, _HEAP, y, {}, {}), leaves(y))
        one = Both("fAll", self.is_legal(move, _HEAP, z, dict(enumerate(takes)), values), leaves(z))
        return Both("fAll", Not(Some(y.name, _HEAP, Not(each), {})), Some(z.name, _HEAP, one, values))

    def _read_all(self, body: t.Term, clause: t.Clause, known: Mapping[str, Sizes]) -> Form:
        assert isinstance(clause.source, t.Operation)
        low, high = (self.number(x, known) for x in clause.source.args)
        y = self.bind("element")
        inside = Is(conjunction(at_most(low, y), less_than(y, high)))
        holds = self.read(substitute(body, {clause.variable: y}), known)
        return Not(Some(y.name, high, Not(Both("fImp", inside, holds)), {}))

    def _read_values(self, term: t.Operation, calls: Mapping[Hashable, t.GameCall], known: Mapping[str, Sizes]) -> Form:
        """Return the form of a comparison of numbers that contains these calls of `value`, by their keys."""
        values, lets = dict[Hashable, t.Term](), list[Callable[[Form], Form]]()
        for key, call in calls.items():
            shape, opened = self._shape_of(call.args[0], known)
            value = self.bind("value")
            values[key] = value
            given = dict(zip(SHAPE, shape, strict=True))
            lets += [*opened, partial(Let, value.name, substitute(self.formula, given))]
        a, b = (self.number(_put(x, values), known) for x in term.args)
        form: Form = Is(replace(term, args=(a, b)))
        for add_let in reversed(lets):
            form = add_let(form)
        return form

    def _shape_of(
        self, position: t.Term, known: Mapping[str, Sizes]
    ) -> tuple[Sequence[t.Variable], list[Callable[[Form], Form]]]:
        """Return the shape of a position, and functions that add its numbers to a form. Raises Unsupported."""
        match position:
            case t.Variable(name=self.position):
                return _ALL, []
            case t.Operation(op="replace", args=(t.Variable(name=self.position), h, y)) if self._is_largest(h):
                made = tuple(self.bind(word) for word in SHAPE)
                heap = self.number(y, known)
                names = tuple(x.name for x in made)
                return made, [lambda form: Shape(names, heap, _REST, form)]
            case t.Operation(op="position", args=(t.Comprehension(),)):
                size, count = self._copies(position, known)
                copied = tuple(self.bind(word) for word in SHAPE)
                return copied, [lambda form: Copies(tuple(x.name for x in copied), size, count, form)]
        raise Unsupported(f"{print_term(position)}: no Coq text is generated for the value of this position")

    def _is_largest(self, term: t.Term) -> bool:
        found = is_extreme(term)
        return found is not None and not found.times and found.which == "max" and self._is_position(found.source)

    def _is_position(self, term: t.Term) -> bool:
        return isinstance(term, t.Variable) and term.name == self.position

    def number(self, term: t.Term, known: Mapping[str, Sizes]) -> t.Term:
        heaps, least, times, _ = _ALL
        found = is_extreme(term)
        if found is not None and self._is_position(found.source):
            if found.which == "max" and not found.times:
                return _HEAP
            if found.which == "min":
                return times if found.times else least
        match term:
            case t.Operation(op="len", args=(s,)) if self._is_position(s):
                return heaps
            case t.IfElse(condition=c, then=a, other=b):
                return replace(term, condition=self._truth(c), then=self.number(a, known), other=self.number(b, known))
            case t.Operation(op="min" | "max" as op, args=(t.Collection(items=items),)) if items:
                parts = [self.number(x, known) for x in items]
                return smallest(*parts) if op == "min" else largest(*parts)
        return super().number(term, known)

    def _truth(self, term: t.Term) -> t.Term:
        """Return a condition of `A if C else B`. Raises Unsupported if it has quantifiers or asks about a game."""
        match term:
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return replace(term, args=tuple(map(self._truth, args)))
            case t.Operation(op="not", args=(a,)):
                return negation(self._truth(a))
        form = self.read(term, {})
        if isinstance(form, Is):
            return form.says
        if isinstance(form, Not) and isinstance(form.of, Is):
            return negation(form.of.says)
        raise Unsupported(f"{print_term(term)}: no Coq text is generated for this condition")


def _find_values(term: t.Term) -> dict[Hashable, t.GameCall]:
    """Return the different calls of `value` in a term, by their keys."""
    calls = (x for x in walk(term) if isinstance(x, t.GameCall) and x.function == "value")
    return {structural_key(x): x for x in calls}


def _put(term: t.Term, values: Mapping[Hashable, t.Term]) -> t.Term:
    """Return the term with the calls of `value` that have these keys replaced."""
    if isinstance(term, t.GameCall) and (found := values.get(structural_key(term))) is not None:
        return found
    return rebuild(term, lambda x: _put(x, values))


def write_values(
    claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Iterator[str]:
    """Yield the Coq text of a proof for which `follows_from_values` is true. It ends with the lemma `claim`.

    The parts of a conjunction are proved one by one. Raises Unsupported if a part has no form, or if no certificate
    proves its sequent.
    """
    assert claim.proof is not None
    (game,) = claim.games
    (position, *others) = [v.name for v in claim.variables if v.type == POSITION] or [""]
    lemma = claim.proof.by[-1]
    proof = unfold_claim(lemma.claim).proof
    assert isinstance(proof, ValueProof)
    integers = [b for b in binders if b.is_number]
    if others or not position or len(integers) + 1 != len(binders) or proof.ordered:
        raise Unsupported("from a formula for values, Coq text is generated only for claims about one position")
    arguments = _find_arguments(lemma, game)
    said, formula = claim.conclusion, substitute(proof.value, arguments)
    parts = [replace(claim, conclusion=x) for x in (said.args if isinstance(said, t.AllOf) else (said,))]
    forms = [
        _write_closed(i, _read_claim(part, position, formula), integers, services) for i, part in enumerate(parts, 1)
    ]
    module, short = module_of(lemma.id), name_in_coq(lemma.id.rpartition("/")[2])
    yield f"From NimChecks Require {module}.\nFrom NimChecks Require Import Shapes.\nOpen Scope N_scope."
    yield write_module("Forms", forms)
    region, values = (
        apply(f"{short}.{name}", *(numbers.natural(x) for word, x in arguments.items() if word in free))
        for name, free in (("region", names_in(proof.region)), ("formula", names_in(proof.value)))
    )
    written, (smaller, _) = numbers.games[game.name], numbers.about_moves(game)
    players = numbers.natural(dict(game.arguments)[game.ruleset.player_count]).argument
    s, words, bounds = numbers.names[position].text, [b.name for b in integers], [x for b in integers for x in b.bounds]
    given = "".join(f" ({x} : N)" for x in words) + "".join(f" ({x.name} : {x.says.at(BINDER)})" for x in bounds)
    yield f"""\
Lemma winners{given} s0 : {region.text} s0 -> winner {written.argument} {players} s0 ({values.text} s0).
Proof. apply {short}.winners; lia. Qed."""
    revert = f"revert {' '.join(x.name for x in bounds)}. " if bounds else ""
    for i, part in enumerate(parts, 1):
        yield f"""\
Lemma claim_{i}{given} ({s} : position) : {state(part, numbers).at(BINDER)}.
Proof.
  {revert}look_at_values {s} Forms.part_{i} Forms.hints_{i} Forms.closed_{i} [{"; ".join(words)}]
    ({" ".join(["winners", *words])}) {smaller} {values.argument}.
Qed."""
    met = ["H"] if claim.hypothesis is not None else []
    known = " ".join([*words, *(x.name for x in bounds), s, *met])
    *shown, last = (f"claim_{i} {known}" for i in range(1, len(parts) + 1))
    made = "".join(f"conj ({x}) (" for x in shown) + last + ")" * len(shown)
    yield f"""\
Lemma claim{"".join(_write_binder(b) for b in integers)} ({s} : position) : {state(claim, numbers).at(BINDER)}.
Proof. exact ({"fun H => " if met else ""}{made}). Qed.
"""


def _write_binder(b: Binder) -> str:
    return f" ({b.name} : N)" + "".join(f" ({x.name} : {x.says.at(BINDER)})" for x in b.bounds)


_HEAP = t.Variable(INT, 0, 0, "largest heap")
_REST = tuple(t.Variable(INT, 0, 0, f"{word} of the rest") for word in SHAPE)
_ALL = tuple(t.Variable(INT, 0, 0, f"{word} of all") for word in SHAPE)
"""A position in a form: a largest heap (0 if there is none), the shape of the others, and the shape of all."""


def _write_closed(number: int, form: Form, integers: Sequence[Binder], services: ProofServices) -> str:
    """Return the Coq text of a form with its hints, and the proof that a certificate proves its sequent."""
    scope = (*(b.word for b in integers), *(x.name for x in (_HEAP, *_REST)))
    sequent, hints = deny(form, scope)
    closing = sequents.write_closing(sequent, services.find_certificate(sequent))
    denied = f"denied_claim part_{number} hints_{number} {len(scope) + 1}"
    return f"""\
Definition part_{number} : form := {write_form(form, scope)}.
Definition hints_{number} : hints := {hints}.
Lemma closed_{number} : check_sequent ({denied}) {closing} = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
"""


def _read_claim(claim: Claim, position: str, formula: t.Term) -> Form:
    """Return the form of a claim about a position. `formula`: the value of a position, given its shape."""
    assert isinstance(claim.proof, FoldsProof)
    reader = _ValueReader(claim.games[0], position=position, formula=formula, named=claim.proof.moves)
    form = reader.read(claim.conclusion, {})
    if claim.hypothesis is not None:
        form = Both("fImp", reader.read(claim.hypothesis, {}), form)
    for bound in reversed([x for v in claim.variables if v.type == INT for x in list_bounds(v)]):
        form = Both("fImp", Is(bound), form)
    for known in (at_most(_REST[-1], _HEAP), possible(build_shape(_REST))):
        form = Both("fImp", Is(known), form)
    return Shape(tuple(x.name for x in _ALL), _HEAP, _REST, form)


def _refuse(term: t.Term) -> Unsupported:
    return Unsupported(f"{print_term(term)}: no Coq text is generated for this term in a claim about values")


def _find_arguments(lemma: Lemma, game: Game) -> dict[str, t.Term]:
    """Return the integers of a lemma, as terms of a claim about `game`. Raises Unsupported."""
    (own,) = unfold_claim(lemma.claim).games
    ours, integers = dict(game.arguments), [v.name for v in lemma.claim.variables if v.type == INT]
    found = {x.name: ours[name] for name, x in own.arguments if isinstance(x, t.Variable)}
    if own.ruleset.id != game.ruleset.id or not found.keys() >= set(integers):
        raise Unsupported(f"the lemma {lemma.id} is about another game, or about integers that are not in its rules")
    return {name: found[name] for name in integers}


# == the definition of the value ======================================================================================
# A claim that follows from the definition of the value at one position.  Its obligation contains a truth value for each
# question whether some option has a value with a certain property, and a value that has this property if the answer is
# yes.  coq/theory/Recursion.v proves that these numbers exist, and that they satisfy the assumptions of the obligation.
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
    values: dict[Hashable, t.Operation] = field(default_factory=dict)

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
                if _find_values(term):
                    self.values[structural_key(term)] = term
                return replace(term, args=(self.number(a), self.number(b)))
        raise _refuse(term)

    def _ask(self, term: t.Comprehension, clause: t.Clause) -> t.Term:
        some, option = term.reducer == "any", t.Variable(POSITION, 0, 0, clause.variable)
        calls = _find_values(term.body)
        if any(structural_key(x.args[0]) != structural_key(option) for x in calls.values()):
            raise _refuse(term)
        inner = self.numbers.bind({clause.variable: Text("t")})
        named = inner.bind({key_of_question(x): Text("w") for x in calls.values()})
        holds, i = named.says(term.body), len(self.questions)

        def fits(w: t.Term) -> t.Term:
            fitting = self._condition(_put(term.body, dict.fromkeys(calls, w)))
            return fitting if some else negation(fitting)

        self.questions.append(_Question(fits, holds.at(BINDER), inner.says(term.body).at(BINDER), some))
        return self.answer(i) if some else negation(self.answer(i))

    def _condition(self, term: t.Term) -> t.Term:
        match term:
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return replace(term, args=tuple(map(self._condition, args)))
            case t.Operation(op="eq" | "ne" | "lt" | "le" | "gt" | "ge", args=(a, b)) if a.type == INT:
                return replace(term, args=(self.number(a), self.number(b)))
        raise _refuse(term)

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
        raise _refuse(term)

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
        for term in self.values.values():
            named = self.numbers.bind({key: Text("v") for key in map(key_of_question, _find_values(term).values())})
            says = named.says(term).at(BINDER)
            yield f"  rewrite (value_known {written.argument} {n} {s} V (fun v => {says}) {smaller} W)."
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
