"""The Coq text of claims that follow from theorems by the rule "value", such as claims about the values of options.

Such a claim is about the values of a position s, and of positions in which a largest heap of s is replaced. It becomes
a form about the shape of s without a largest heap, which certificates prove; see coq/theory/Shapes.v.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from claims.language.files.claim import Claim, Game, Lemma, unfold_claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, rebuild, structural_key, substitute, walk
from claims.language.syntax.terms import INT, POSITION
from encoders.coq import sequents
from encoders.coq.propositions import Statements
from encoders.coq.sequents import write_module
from encoders.coq.statement import Binder, state
from encoders.coq.writing import BINDER, apply, module_of, name_in_coq
from encoders.logic.moves import open_moves
from encoders.logic.sequents import (
    ZERO,
    at_most,
    conjunction,
    disjunction,
    equal,
    largest,
    less_than,
    names_in,
    negation,
    smallest,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.base.shape import is_extreme
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
from encoders.rules.folds.section import PICKED_HEAP, FoldsMove, FoldsProof
from encoders.rules.value import FOLDS, ValueProof, build_shape, possible


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
            case t.Operation(op="eq" | "ne" | "lt" | "le" | "gt" | "ge") if calls := find_values(term):
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
            shape = tuple(self.bind(word) for word in FOLDS)
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
            given = dict(zip(FOLDS, shape, strict=True))
            lets += [*opened, partial(Let, value.name, substitute(self.formula, given))]
        a, b = (self.number(put_values(x, values), known) for x in term.args)
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
                made = tuple(self.bind(word) for word in FOLDS)
                heap = self.number(y, known)
                names = tuple(x.name for x in made)
                return made, [lambda form: Shape(names, heap, _REST, form)]
            case t.Operation(op="position", args=(t.Comprehension(),)):
                size, count = self._copies(position, known)
                copied = tuple(self.bind(word) for word in FOLDS)
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


def find_values(term: t.Term) -> dict[Hashable, t.GameCall]:
    """Return the different calls of `value` in a term, by their keys."""
    calls = (x for x in walk(term) if isinstance(x, t.GameCall) and x.function == "value")
    return {structural_key(x): x for x in calls}


def put_values(term: t.Term, values: Mapping[Hashable, t.Term]) -> t.Term:
    """Return the term with the calls of `value` that have these keys replaced."""
    if isinstance(term, t.GameCall) and (found := values.get(structural_key(term))) is not None:
        return found
    return rebuild(term, lambda x: put_values(x, values))


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
    own = " ".join(f"{short}.{name}" for name in ("region", "in_region", "formula", "worth"))
    yield f"""\
Ltac see := cbv beta iota zeta delta [{own} Values.shape_of Values.sizes_from].
Lemma winners{given} s0 : {region.text} s0 -> winner {written.argument} {players} s0 ({values.text} s0).
Proof. apply {short}.winners; lia. Qed."""
    revert = f"revert {' '.join(x.name for x in bounds)}. " if bounds else ""
    for i, part in enumerate(parts, 1):
        yield f"""\
Lemma claim_{i}{given} ({s} : position) : {state(part, numbers).at(BINDER)}.
Proof.
  {revert}look_at_values {s} Forms.part_{i} Forms.hints_{i} Forms.closed_{i} [{"; ".join(words)}]
    ({" ".join(["winners", *words])}) {smaller} {values.argument}
    ltac:(fun _ => see).
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
_REST = tuple(t.Variable(INT, 0, 0, f"{word} of the rest") for word in FOLDS)
_ALL = tuple(t.Variable(INT, 0, 0, f"{word} of all") for word in FOLDS)
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


def refuse_term(term: t.Term) -> Unsupported:
    return Unsupported(f"{print_term(term)}: no Coq text is generated for this term in a claim about values")


def _find_arguments(lemma: Lemma, game: Game) -> dict[str, t.Term]:
    """Return the integers of a lemma, as terms of a claim about `game`. Raises Unsupported."""
    (own,) = unfold_claim(lemma.claim).games
    ours, integers = dict(game.arguments), [v.name for v in lemma.claim.variables if v.type == INT]
    found = {x.name: ours[name] for name, x in own.arguments if isinstance(x, t.Variable)}
    if own.ruleset.id != game.ruleset.id or not found.keys() >= set(integers):
        raise Unsupported(f"the lemma {lemma.id} is about another game, or about integers that are not in its rules")
    return {name: found[name] for name in integers}
