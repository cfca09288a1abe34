"""The Coq text of claims that are only about options of positions whose heaps are listed, such as position([a, b]).

Such a claim may be about options of options, but not about winners. So its proof needs no induction. This module writes
the claim as a form: a condition with bounded quantifiers over natural numbers (coq/theory/Ahead.v). Coq assumes that
the form is false, and applies its quantifiers to the numbers that the named moves of the proof pick. The result is a
sequent without quantifiers, which a certificate proves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import pairwise
from typing import ClassVar

from claims.language.files.claim import Claim, Game, Lemma, unfold_claim
from claims.language.files.domains import ClaimVariable, IntervalDomain
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, rebuild, structural_key, substitute, walk
from claims.language.syntax.terms import BOOL, INT, POSITION
from encoders.coq import sequents
from encoders.coq.propositions import Statements
from encoders.coq.sequents import NumberedTerms, write_module
from encoders.coq.statement import Binder, open_section, state, write_variables
from encoders.coq.writing import BINDER, Text, module_of, name_in_coq
from encoders.logic.moves import OpenMove, open_moves
from encoders.logic.sequents import (
    NO,
    ONE,
    ZERO,
    Sequent,
    Symbol,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    implies,
    largest,
    less_than,
    negation,
    nim,
    smallest,
)
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.folds import kinds
from encoders.rules.folds.instance import list_posed
from encoders.rules.folds.section import PICKED_HEAP, DefinitionProof, FoldsProof

Sizes = tuple[t.Term, ...]
Scope = tuple[str, ...]
"""The variables of a form, in the order of their numbers in Coq: the integers of the claim, then bound variables."""


# == forms ============================================================================================================
# Conditions with quantifiers over natural numbers, as the type `form` in coq/theory/Ahead.v.
@dataclass(frozen=True)
class Is:
    """A condition on integers, without quantifiers."""

    says: t.Term


@dataclass(frozen=True)
class Not:
    """The negation of a form."""

    of: Form


@dataclass(frozen=True)
class Both:
    """A conjunction, a disjunction or an implication of two forms. `word`: "fAll", "fAny" or "fImp"."""

    word: str
    first: Form
    second: Form


@dataclass(frozen=True)
class Some:
    """The condition that `of` holds for some value of `variable` from 0 to `most`.

    `values`: the values that the named moves of the proof give to the variable, by the number of the named move. If the
    condition is denied, the proof uses that none of these values satisfies `of`.
    """

    variable: str
    most: t.Term
    of: Form
    values: Mapping[int, t.Term]


@dataclass(frozen=True)
class Let:
    """The condition `of`, in which `variable` has the value of `term`, or 0 if this value is negative."""

    variable: str
    term: t.Term
    of: Form


@dataclass(frozen=True)
class Shape:
    """The condition `of`, in which `variables` are the shape of a position with the heap `heap` and others.

    A shape consists of four numbers: how many heaps there are, the smallest heap, how often it occurs, and the largest
    heap. `beside`: the shape of the other heaps. `heap`: the size of the heap, or 0 for no heap.
    """

    variables: tuple[str, ...]
    heap: t.Term
    beside: tuple[t.Term, ...]
    of: Form

    def open(self) -> Form:
        """Return the same condition without a shape, as `fShape` in coq/theory/Shapes.v."""
        y, (heaps, least, times, most) = self.heap, self.beside
        more = t.Operation(INT, 0, 0, "add", (times, ONE))
        again = _pick(less_than(y, least), ONE, _pick(equal(y, least), more, times))
        terms = (
            t.Operation(INT, 0, 0, "add", (_pick(less_than(ZERO, y), ONE, ZERO), heaps)),
            _pick(equal(y, ZERO), least, _pick(equal(least, ZERO), y, smallest(y, least))),
            _pick(equal(y, ZERO), times, _pick(equal(least, ZERO), ONE, again)),
            largest(y, most),
        )
        made = self.of
        for name, term in reversed(list(zip(self.variables, terms, strict=True))):
            made = Let(name, term, made)
        return made


@dataclass(frozen=True)
class Copies:
    """The condition `of`, in which `variables` are the shape of a position of `count` heaps of the size `heap`."""

    variables: tuple[str, ...]
    heap: t.Term
    count: t.Term
    of: Form

    def open(self) -> Form:
        """Return the same condition without a shape, as `fCopies` in coq/theory/Shapes.v."""
        heaps, least, times, most = self.variables
        there, size = t.Variable(INT, 0, 0, heaps), t.Variable(INT, 0, 0, least)
        named = Let(times, there, Let(most, size, self.of))
        return Let(heaps, self.count, Let(least, _pick(less_than(ZERO, there), self.heap, ZERO), named))


Form = Is | Not | Both | Some | Let | Shape | Copies


def _pick(condition: t.Term, a: t.Term, b: t.Term) -> t.Term:
    return t.IfElse(INT, 0, 0, condition, a, b)


def join_forms(word: str, parts: Sequence[Form]) -> Form:
    """Return the conjunction ("fAll") or the disjunction ("fAny") of one or more forms, nested to the right."""
    *others, last = parts
    return reduce(lambda made, x: Both(word, x, made), reversed(others), last)


def write_form(form: Form, scope: Scope) -> str:
    """Return a form as a Coq term of type `form`. Raises Unsupported if one of its terms has no translation."""
    said = NumberedTerms(scope)
    match form:
        case Is(says=term):
            return f"(fIs {said.condition(term)})"
        case Not(of=a):
            return f"(fNot {write_form(a, scope)})"
        case Both(word=word, first=a, second=b):
            return f"({word} {write_form(a, scope)} {write_form(b, scope)})"
        case Some(variable=x, most=most, of=a):
            return f"(fSome {len(scope) + 1} {said.number(most)} {write_form(a, (*scope, x))})"
        case Let(variable=x, term=z, of=a):
            return f"(fLet {len(scope) + 1} {said.number(z)} {write_form(a, (*scope, x))})"
        case Shape(variables=names, heap=heap, beside=beside, of=a):
            numbers = " ".join(map(said.number, (heap, *beside)))
            return f"(fShape {len(scope) + 1} {numbers} {write_form(a, (*scope, *names))})"
        case Copies(variables=names, heap=heap, count=count, of=a):
            numbers = f"{said.number(heap)} {said.number(count)}"
            return f"(fCopies {len(scope) + 1} {numbers} {write_form(a, (*scope, *names))})"


# == denials ==========================================================================================================
def deny(form: Form, scope: Scope) -> tuple[Sequent, str]:
    """Return (sequent, hints): Coq derives this sequent from the denied form with these hints.

    `hints`: a Coq term of type `hints`. Raises Unsupported.
    """
    denial = _Denial(list(scope))
    said, hints = denial.tell(form, False, scope, {x: t.Variable(INT, 0, 0, x) for x in scope})
    variables = tuple(Symbol(name, INT, 0) for name in denial.variables)
    return Sequent("claim", variables, tuple(t.conjuncts(said)), NO), hints


@dataclass
class _Denial:
    """A derivation of a sequent, as the function `told` in coq/theory/Ahead.v.

    `variables`: the names of the variables of the sequent so far, which are all natural numbers.
    """

    variables: list[str]

    def tell(
        self, form: Form, holds: bool, scope: Scope, names: Mapping[str, t.Term], move: int | None = None
    ) -> tuple[t.Term, str]:
        """Return (condition, hints): the condition follows from the form (`holds`), or from its negation (not `holds`).

        `names`: for each variable of the form, the variable of the sequent. `move`: the number of the named move that
        gave its values to the variables of the enclosing quantifiers; None if there is none.
        """
        match form:
            case Is(says=term):
                said = substitute(term, names)
                return (said if holds else negation(said)), "hNone"
            case Not(of=a):
                return self.tell(a, not holds, scope, names, move)
            case Both(word=word, first=a, second=b):
                one, left = self.tell(a, holds != (word == "fImp"), scope, names, move)
                other, right = self.tell(b, holds, scope, names, move)
                join = conjunction if (word == "fAll") == holds else disjunction
                return join(one, other), f"(hBoth {left} {right})"
            case Some(variable=x, most=most, of=a) if holds:
                new = self._make_variable(x)
                said, hints = self.tell(a, True, (*scope, x), {**names, x: new}, move)
                return conjunction(_is_up_to(new, substitute(most, names)), said), f"(hNew {hints})"
            case Some(variable=x, most=most, of=a, values=values):
                told, given = list[t.Term](), list[str]()
                for i in values if move is None else {move} & values.keys():
                    new, value = self._make_variable(x), substitute(values[i], names)
                    said, hints = self.tell(a, False, (*scope, x), {**names, x: new}, i)
                    inside = _is_up_to(value, substitute(most, names))
                    told.append(implies(inside, conjunction(equal(new, value), said)))
                    given.append(f"({NumberedTerms(scope).number(values[i])}, {hints})")
                return conjunction(*told), f"(hAt [{'; '.join(given)}])"
            case Let(variable=x, term=z, of=a):
                new = self._make_variable(x)
                said, hints = self.tell(a, holds, (*scope, x), {**names, x: new}, move)
                return conjunction(equal(new, largest(ZERO, substitute(z, names))), said), hints
            case Shape() | Copies():
                return self.tell(form.open(), holds, scope, names, move)

    def _make_variable(self, word: str) -> t.Variable:
        name = f"{word} {len(self.variables) + 1}"
        self.variables.append(name)
        return t.Variable(INT, 0, 0, name)


def _is_up_to(x: t.Term, most: t.Term) -> t.Term:
    return conjunction(at_least(x, ZERO), at_most(x, most))


# == claims ===========================================================================================================
def looks_ahead(claim: Claim) -> bool:
    """Return whether the claim asks only about options and has no variables except integers, or names its heaps.

    In the second case, the claim is about one position whose heaps the proof names, and lemmas may tell who loses.
    """
    proof = claim.proof
    if not isinstance(proof, FoldsProof) or proof.loses or len(claim.games) != 1:
        return False
    asked = {x.function for x in walk((claim.hypothesis or (), claim.conclusion)) if isinstance(x, t.GameCall)}
    if _names_its_heaps(claim):
        return bool(asked) and asked <= {"options", "legal", "wins"}
    return (
        bool(asked) and asked <= {"options", "legal"} and not proof.by and all(v.type == INT for v in claim.variables)
    )


def _names_its_heaps(claim: Claim) -> bool:
    """Return whether the claim is about one position, and the proof names its heaps and has no other special keys."""
    proof = claim.proof
    if not isinstance(proof, FoldsProof) or proof.rule != "folds" or not proof.heaps:
        return False
    others = (proof.split, proof.picks, proof.steps, proof.loses, proof.facts)
    return not any(others) and [v.type for v in claim.variables] == [POSITION]


def write_ahead(claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices) -> Iterator[str]:
    """Yield the Coq text of the proof of a claim for which `looks_ahead` is true. It ends with the lemma `claim`.

    Raises Unsupported if the claim has no form, or if no certificate proves its sequent.
    """
    proof = claim.proof
    assert isinstance(proof, FoldsProof)
    scope = (*(v.name for v in claim.variables if v.type == INT), *proof.heaps)
    form = _read_form(claim)
    sequent, hints = deny(form, scope)
    closing = sequents.write_closing(sequent, services.find_certificate(sequent))
    given = "".join(
        f" ({b.name} : {b.type})" + "".join(f" ({x.name} : {x.says.at(BINDER)})" for x in b.bounds) for b in binders
    )
    lemma = f"""\
Definition ahead : form := {write_form(form, scope)}.
Definition instances : hints := {hints}.
Lemma closed : check_sequent (denied_claim ahead instances {len(scope) + 1}) {closing} = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
"""
    imported = "".join(f"From NimChecks Require {module_of(x.id)}.\n" for x in proof.by)
    yield f"{imported}From NimChecks Require Import Ahead.\nOpen Scope N_scope.\n{write_module('Form', [lemma])}"
    yield from _write_who_wins(claim, numbers)
    if proof.heaps:
        (position,) = (b.name for b in binders)
        heaps = [f"h{i}" for i, _ in enumerate(proof.heaps, 1)]
        first, names = "\n  ".join(_name_heaps(position, heaps, len(proof.by))), "; ".join(heaps)
    else:
        bounds = " ".join(x.name for b in binders for x in b.bounds)
        first, names = f"revert {bounds}." if bounds else "", "; ".join(b.name for b in binders)
    yield f"""\
Lemma claim{given} : {state(claim, numbers).at(BINDER)}.
Proof.
  {f"{first} " if first else ""}look_ahead Form.ahead Form.instances [{names}] Form.closed.
Qed.
"""


def _name_heaps(s: str, heaps: Sequence[str], lemmas: int) -> Iterator[str]:
    """Yield the Coq tactics that state a claim about the position s for its heaps. `lemmas`: the number of lemmas."""
    count = len(heaps)
    at = [f"heap_at {s} {i}" for i in range(count)]
    known = {f"L{i}": fact for i, fact in enumerate(_list_facts_of_heaps(s, count), 1)}
    yield f"intros Given. assert (Number : number {s} = {count}) by lia. revert Given. rewrite ?Number."
    yield " ".join(f"pose proof ({fact}) as {name}." for name, fact in known.items())
    yield (
        f"pose proof (in_order {s}) as E. rewrite Number in E. clear Number. "
        f"change (map (heap_at {s}) (Language.range 0 {count})) with [{'; '.join(at)}] in E."
    )
    yield " ".join(f"set ({h} := {x}) in *; clearbody {h}." for h, x in zip(heaps, at, strict=True))
    yield "".join(f"try setoid_rewrite who_wins_{i}. " for i in range(1, lemmas + 1)) + (
        f"named_heaps {s} E {heaps[0]} {heaps[-1]}. revert {' '.join(known)}."
    )


def _list_facts_of_heaps(s: str, count: int) -> Iterator[str]:
    """Yield the Coq terms for the facts that the heaps of a position are above 0, and in ascending order."""
    yield from (f"heap_at_there {s} {i} ltac:(lia)" for i in range(count))
    yield from (f"heap_at_ascends {s} {i} {i + 1} eq_refl ltac:(lia)" for i in range(count - 1))


def _write_who_wins(claim: Claim, numbers: Statements) -> Iterator[str]:
    """Yield a Coq lemma for each lemma of the proof, which states who wins. Raises Unsupported."""
    proof, (game,) = claim.proof, claim.games
    assert isinstance(proof, FoldsProof)
    of = " ".join((numbers.games[game.name].argument, *numbers.about_moves(game)))
    for i, lemma in enumerate(proof.by, 1):
        asks, condition = _read_lemma(lemma, game)
        yield f"Lemma known_{i} {restate(lemma, claim, numbers)}"
        inner = numbers.bind({x.name: Text("P") for x in asks.args if isinstance(x, t.Variable)})
        yield (
            f"Lemma who_wins_{i} (P : position) : {inner.says(asks).text} <-> ~ ({inner.says(condition).text}).\n"
            f"Proof. exact (wins_unless {of} _ _ _ (known_{i} P)). Qed."
        )


def _read_lemma(lemma: Lemma, game: Game) -> tuple[t.GameCall, t.Term]:
    """Return (wins, lost): the lemma states `iff(not wins, lost)` for a position of the game. Raises Unsupported."""
    match unfold_claim(lemma.claim):
        case Claim(
            hypothesis=None,
            conclusion=t.Operation(
                op="eq",
                args=(t.Operation(op="not", args=(t.GameCall(function="wins", args=(t.Variable(), _)) as asks,)), lost),
            ),
            games=(other,),
        ) if _key_of_game(other) == _key_of_game(game):
            return replace(asks, game=game.name), lost
    raise Unsupported(f"the lemma {lemma.id} does not say at which positions of the game a player loses")


def _read_form(claim: Claim) -> Form:
    """Return the form which says that the bounds of the claim's variables imply the claim. Raises Unsupported.

    If the proof names the heaps of a position, they are variables of the form, at least 1 and in ascending order.
    """
    proof, (game,) = claim.proof, claim.games
    assert isinstance(proof, FoldsProof)
    lost = [_read_lemma(lemma, game) for lemma in proof.by]
    reader = _FoldsReader(game, proof=proof, lost=lost)
    heaps = tuple(t.Variable(INT, 0, 0, name) for name in proof.heaps)
    known = {v.name: heaps for v in claim.variables if v.type == POSITION}
    parts = [x for x in (claim.conclusion, claim.hypothesis) if x is not None]
    conclusion, *hypothesis = (reader.read(_write_heaps(x, known), known) for x in parts)
    form = conclusion
    for x in hypothesis:
        form = Both("fImp", x, form)
    bounds = [x for v in claim.variables if v.type == INT for x in list_bounds(v)]
    bounds += [at_least(h, ONE) for h in heaps]
    bounds += [at_most(a, b) for a, b in pairwise(heaps)]
    for bound in reversed(bounds):
        form = Both("fImp", Is(bound), form)
    for name, term in reversed(reader.lets.values()):
        form = Let(name, term, form)
    return form


def _write_heaps(term: t.Term, known: Mapping[str, Sizes]) -> t.Term:
    """Return a term in which single heaps of a position, and their number, are replaced by the heaps with names."""
    match term:
        case t.Operation(op="min" | "max" | "len" as op, args=(t.Variable(name=name),)) if name in known:
            heaps = known[name]
            return t.Literal(INT, 0, 0, len(heaps)) if op == "len" else heaps[0 if op == "min" else -1]
        case t.Operation(op="index", args=(t.Variable(name=name), t.Literal(value=int(i)))) if name in known:
            if 0 <= i < len(known[name]):
                return known[name][i]
    return rebuild(term, partial(_write_heaps, known=known))


def list_bounds(variable: ClaimVariable) -> Iterator[t.Term]:
    """Yield the bounds of an integer variable that the statement in Coq states, in the same order."""
    domain, this = variable.domain, t.Variable(INT, 0, 0, variable.name)
    assert isinstance(domain, IntervalDomain)
    if not (isinstance(domain.lo, t.Literal) and domain.lo.value == 0):
        yield at_least(this, domain.lo)
    if domain.hi is not None:
        yield at_most(this, domain.hi)


@dataclass
class FormReader:
    """A translation of the conditions of a claim into forms.

    `chooses`: the heaps that a move may choose.
    `game`: the game whose options the conditions ask for.
    `lets`: for each heap of a listed position that is given by a term and not by a variable: a new variable and the
    term, by the text of the term.
    `bound`: the number of bound variables so far.
    """

    chooses: ClassVar[str] = "any"

    game: Game
    lets: dict[str, tuple[str, t.Term]] = field(default_factory=dict)
    bound: int = 0

    def read(self, term: t.Term, known: Mapping[str, Sizes]) -> Form:
        """Return the form of a condition. Raises Unsupported if it has none.

        `known`: the heaps of the positions that have names. The form has the same shape as the proposition in Coq.
        """
        match term:
            case t.AllOf(args=args) if args:
                return join_forms("fAll", [self.read(x, known) for x in args])
            case t.AnyOf(args=(t.Operation(op="not", args=(condition,)), then)):
                return Both("fImp", self.read(condition, known), self.read(then, known))
            case t.AnyOf(args=args) if args:
                return join_forms("fAny", [self.read(x, known) for x in args])
            case t.Operation(op="not", args=(a,)):
                return Not(self.read(a, known))
            case t.Operation(op="eq", args=(a, b)) if a.type == POSITION:
                return _are_same(self.sizes(b, known), self.sizes(a, known))
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == INT:
                same = Is(equal(self.number(a, known), self.number(b, known)))
                return same if op == "eq" else Not(same)
            case t.Operation(op="eq", args=(a, b)) if a.type == BOOL:
                one, other = self.read(a, known), self.read(b, known)
                return Both("fAll", Both("fImp", one, other), Both("fImp", other, one))
            case t.Operation(op="eq", args=(t.Comprehension() as options, t.Collection(items=(position,)))):
                return self._equal_options(options, position, known)
            case t.Operation(op="lt" | "le" | "gt" | "ge", args=(a, b)):
                return Is(replace(term, args=(self.number(a, known), self.number(b, known))))
            case t.Comprehension(
                reducer="any",
                body=body,
                clauses=(t.Clause(source=t.GameCall(function="options", args=(s, mover))) as clause,),
            ):
                parts = (*clause.conditions, body)

                def has(left: Sizes) -> Form:
                    return join_forms("fAll", [self.read(x, {**known, clause.variable: left}) for x in parts])

                return self._has_option(s, mover, known, has)
            case t.GameCall(function="legal", args=(s, left, mover)):
                return self._has_option(s, mover, known, partial(_are_same, self.sizes(left, known)))
        raise _refuse(term)

    def number(self, term: t.Term, known: Mapping[str, Sizes]) -> t.Term:
        """Return an integer, in which nim-sums of positions are nim-sums of their heaps. Raises Unsupported."""
        match term:
            case t.Operation(op="nim_sum", args=(s,)) if s.type == POSITION:
                return reduce(nim, self.sizes(s, known))
            case t.Variable() | t.Literal():
                return term
            case t.IfElse(condition=t.Operation(op="eq", args=(t.Literal() as p, t.Literal() as q)), then=a, other=b):
                return self.number(a if p.value == q.value else b, known)  # the rules depend on the mover
            case t.Operation(
                op="add" | "sub" | "mul" | "neg" | "nim" | "floordiv" | "mod" | "smallest" | "largest", args=args
            ):
                return replace(term, args=tuple(self.number(x, known) for x in args))
        raise _refuse(term)

    # -- positions ----------------------------------------------------------------------------------------------------
    def sizes(self, term: t.Term, known: Mapping[str, Sizes]) -> Sizes:
        """Return the heaps of a position as variables. Raises Unsupported."""
        match term:
            case t.Variable(name=name) if name in known:
                return known[name]
            case t.Operation(op="position", args=(t.Collection(items=items),)) if items:
                return tuple(x if isinstance(x, t.Variable) else self._let(x) for x in items)
        raise _refuse(term)

    def _let(self, heap: t.Term) -> t.Variable:
        name, _ = self.lets.setdefault(print_term(heap), (f"heap {len(self.lets) + 1}", heap))
        return t.Variable(INT, 0, 0, name)

    # -- options ------------------------------------------------------------------------------------------------------
    def _has_option(self, s: t.Term, mover: t.Term, known: Mapping[str, Sizes], has: Callable[[Sizes], Form]) -> Form:
        """Return the form which says that some option of the position has a property. Raises Unsupported.

        `has(heaps)`: the form which says that the position with these heaps has the property.
        """
        if not isinstance(mover, t.Literal):
            raise _refuse(mover)
        sizes, ways = self.sizes(s, known), list[Form]()
        for place, heap in enumerate(sizes):
            left = self.bind("left")
            legal, values = list[Form](), dict[int, t.Term]()
            for move in open_moves(self.game, mover.value):
                takes = [x for x in self.list_takes(mover.value, sizes, heap) if move.picks_by(x)]
                legal.append(self.is_legal(move, heap, left, dict(enumerate(takes, len(values))), values))
            then = has((left, *sizes[:place], *sizes[place + 1 :]))
            made = Some(left.name, heap, Both("fAll", join_forms("fAny", legal), then), values)
            ways.append(Both("fAll", Is(less_than(ZERO, heap)), made))
        return join_forms("fAny", [*ways, Is(NO)])

    def _equal_options(self, options: t.Comprehension, position: t.Term, known: Mapping[str, Sizes]) -> Form:
        """Return the form which says that the options with some property equal a position. Raises Unsupported."""
        match options:
            case t.Comprehension(
                reducer="set",
                body=t.Variable(name=element),
                clauses=(t.Clause(name, t.GameCall(function="options", args=(s, mover)), conditions),),
            ) if conditions and element == name:
                target = self.sizes(position, known)
            case _:
                raise _refuse(options)

        def has(equals: bool, left: Sizes) -> Form:
            fits = join_forms("fAll", [self.read(x, {**known, name: left}) for x in conditions])
            same = _are_same(target, left)
            return Both("fAll", fits, same if equals else Not(same))

        others, this = (self._has_option(s, mover, known, partial(has, x)) for x in (False, True))
        return Both("fAll", Not(others), this)

    def is_legal(
        self,
        move: OpenMove,
        heap: t.Term,
        left: t.Variable,
        takes: Mapping[int, Mapping[str, t.Term]],
        values: dict[int, t.Term],
    ) -> Form:
        """Return the form which says that the move replaces `heap` by the heap `left`. Raises Unsupported.

        `takes`: the numbers that named moves pick, by the names in the ruleset. The method adds to `values` the heaps
        that these moves leave.
        """
        if move.choose != self.chooses:
            raise Unsupported("no Coq text is generated for moves on a largest or smallest heap of a written position")
        known: dict[str, t.Term] = {move.heaps[0]: heap}
        picked = {i: dict(known) for i in takes}
        for i, take in takes.items():
            for pick in move.picks:
                picked[i][pick.name] = take.get(pick.word, substitute(pick.lo, picked[i]))
            values[i] = substitute(move.become, picked[i])
        variables = [self.bind("picked") for _ in move.picks]
        known |= {pick.name: x for pick, x in zip(move.picks, variables, strict=True)}
        conditions = (*move.ranges(), *(() if move.where is None else (move.where,)))
        form = join_forms(
            "fAll",
            [
                *(self.read(substitute(x, known), {}) for x in conditions),
                Is(equal(left, substitute(move.become, known))),
            ],
        )
        for pick, x in reversed(list(zip(move.picks, variables, strict=True))):
            form = Some(x.name, substitute(pick.hi, known), form, {i: picked[i][pick.name] for i in takes})
        return form

    def list_takes(self, mover: int, sizes: Sizes, heap: t.Term) -> Iterator[Mapping[str, t.Term]]:
        """Yield the numbers that named moves of a proof pick on a heap of a position, by the ruleset's names."""
        yield from ()

    def bind(self, word: str) -> t.Variable:
        """Return a new bound variable."""
        self.bound += 1
        return t.Variable(INT, 0, 0, f"{word} {self.bound}")


@dataclass
class _FoldsReader(FormReader):
    """A translation that uses the named moves of a proof by folds.

    `lost`: for each lemma of the proof, (wins, lost): the mover wins at a position if and only if it is not lost.
    """

    proof: FoldsProof = field(kw_only=True)
    lost: Sequence[tuple[t.GameCall, t.Term]] = field(kw_only=True)

    def read(self, term: t.Term, known: Mapping[str, Sizes]) -> Form:
        match term:
            case t.GameCall(function="wins", args=(s, t.Literal(value=mover))):
                for asks, condition in self.lost:
                    match asks.args:
                        case (t.Variable(name=name), t.Literal(value=who)) if who == mover:
                            return Not(self.read(condition, {name: self.sizes(s, known)}))
        return super().read(term, known)

    def list_takes(self, mover: int, sizes: Sizes, heap: t.Term) -> Iterator[Mapping[str, t.Term]]:
        """Yield the numbers that the named moves of the proof pick on a heap of a position, by the ruleset's names."""
        names = {f.name: self.number(f.term, {self.proof.position: sizes}) for f in self.proof.folds}
        for named in self.proof.moves:
            if named.player in (None, mover):
                yield {word: substitute(x, {**names, PICKED_HEAP: heap}) for word, x in named.take}


def _are_same(target: Sizes, sizes: Sizes) -> Form:
    """Return the form which says that two positions of two heaps are equal. Raises Unsupported for other positions."""
    if len(sizes) != 2 or len(target) != 2:
        raise Unsupported("no Coq text is generated for the equality of written positions, except of two heaps")
    (a, b), (c, d) = sizes, target
    return join_forms("fAny", [Both("fAll", Is(equal(a, x)), Is(equal(b, y))) for x, y in ((c, d), (d, c))])


def _refuse(term: t.Term) -> Unsupported:
    return Unsupported(f"{print_term(term)}: no Coq text is generated for this term in a claim about options")


# == the definition of winning ========================================================================================
def is_unfolded(claim: Claim) -> bool:
    """Return whether the Coq theorem of a claim follows from the definition of winning and from theorems of lemmas."""
    proof = claim.proof
    if not isinstance(proof, DefinitionProof):
        return False
    return not proof.by or (_is_plain(claim) and not proof.moves and not proof.folds)


def _is_plain(claim: Claim) -> bool:
    """Whether the claim is about one position in normal play, in which both players have the same moves."""
    rulesets = [game.ruleset for game in claim.games]
    positions = [v for v in claim.variables if v.type == POSITION]
    return len(rulesets) == len(positions) == 1 and rulesets[0].impartial and not rulesets[0].stuck_wins


def write_unfolded(
    claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Iterator[str]:
    """Yield the Coq text of a proof by the rule "definition" for which `is_unfolded` is true.

    It ends with the lemma `claim`. Raises Unsupported unless the claim is about a position in normal play, where both
    players have the same moves.
    """
    assert claim.proof is not None
    if not _is_plain(claim):
        words = "only for claims about one position in normal play, in which both players have the same moves"
        raise Unsupported(f"for the rule definition without lemmas, Coq text is generated {words}")
    (s,) = (b.name for b in binders if b.type == "position")
    game = numbers.games[claim.games[0].name]
    smaller, decided = numbers.about_moves(claim.games[0])
    typed = "".join(f" ({b.name} : {b.type})" for b in binders if not b.is_number)
    meaning = f"wins_by_option {game.argument} fair {decided} First {s}"
    yield "".join(f"From NimChecks Require {module_of(lemma.id)}.\n" for lemma in claim.proof.by)
    yield from open_section(binders)
    yield f"Lemma fair : impartial {game.argument}.\nProof. alike. Qed."
    for i, lemma in enumerate(claim.proof.by, 1):
        yield f"Lemma known_{i} {restate(lemma, claim, numbers)}"
    yield f"Lemma claim{typed} : {state(claim, numbers).at(BINDER)}."
    if not claim.proof.by:
        yield f"Proof. by_definition ({meaning}). Qed."
    else:
        known = [f"K{i}" for i in range(1, len(claim.proof.by) + 1)]
        told = " ".join(f"pose proof (known_{i} {s}) as {k}." for i, k in enumerate(known, 1))
        yield f"""\
Proof.
  repeat setoid_rewrite (wins_of_first {game.argument} fair Second).
  repeat setoid_rewrite (moves_of_first {game.argument} fair Second).
  pose proof ({meaning}) as M. {told}
  pose proof (wins_decided {game.argument} {smaller} {decided} First) as D.
  clear - M D {" ".join(known)}. by_lemmas D {s}.
Qed."""
    yield "End Proof.\n"


def restate(lemma: Lemma, claim: Claim, numbers: Statements) -> str:
    """Return the theorem of a lemma about one position, for a game and the integers of the claim, with its proof.

    Raises Unsupported if the lemma has other variables, or if its game is not a game of the claim.
    """
    other = unfold_claim(lemma.claim)
    theirs, _ = write_variables(other)
    ours = {v.name for v in claim.variables if v.type == INT}
    same = find_same_game(lemma, claim)
    positions = [b for b in theirs if b.type == "position"]
    if same is None or len(positions) != 1:
        raise Unsupported(f"the lemma {lemma.id} is not about one position of the game of the claim")
    if any((not b.is_number and b.type != "position") or (b.is_number and b.word not in ours) for b in theirs):
        raise Unsupported(f"the lemma {lemma.id} has variables that are not variables of the claim")
    inner = numbers.bind({positions[0].word: Text("P")})
    inner.games = {other.games[0].name: numbers.games[same.name]}
    inner.rules = {other.games[0].name: numbers.rules[same.name]}
    values = [inner.names[b.word].text for b in theirs] + ["ltac:(lia)"] * sum(len(b.bounds) for b in theirs)
    name = name_in_coq(lemma.id.rpartition("/")[2])
    shown = f"proj2 {name}.{name} {' '.join(values)}"
    return f"(P : position) : {state(other, inner).at(BINDER)}.\nProof. exact ({shown}). Qed."


def find_same_game(lemma: Lemma, claim: Claim) -> Game | None:
    """Return the game of the claim that is the only game of the lemma; None if there is none."""
    games = unfold_claim(lemma.claim).games
    found = [g for g in claim.games if len(games) == 1 and _key_of_game(g) == _key_of_game(games[0])]
    return found[0] if found else None


def _key_of_game(game: Game) -> Hashable:
    return game.ruleset.id, tuple((name, structural_key(x)) for name, x in game.arguments)


# == heaps that the proof names =======================================================================================
def names_heaps(claim: Claim) -> bool:
    """Return whether a claim without games is about one position, and its proof only names the heaps."""
    return _names_its_heaps(claim) and not claim.games and not (claim.proof and claim.proof.by)


def write_ordered(
    claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices
) -> Iterator[str]:
    """Yield the Coq text of the proof of a claim for which `names_heaps` is true. It ends with the lemma `claim`.

    Raises Unsupported if the claim mentions anything but single heaps and the number of heaps.
    """
    proof, (position,) = claim.proof, binders
    assert isinstance(proof, FoldsProof)
    posed = next(o for o in list_posed(claim, proof, services) if o.kind is kinds.FOLLOWS)
    parts = list(walk((claim.hypothesis or (), claim.conclusion)))
    counted = sum(isinstance(x, t.Operation) and x.op in ("index", "len") for x in parts)
    mentioned = sum(isinstance(x, t.Variable) and x.type == POSITION for x in parts)
    if claim.hypothesis is None or mentioned != counted:
        raise Unsupported(
            "with the key heaps, Coq text is generated only for claims about single heaps and their number"
        )
    s, count = position.name, len(proof.heaps)
    lemma = sequents.write_obligation("follows", posed.sequent, services.find_certificate(posed.sequent))
    order = {word: f"(Z.of_N (heap_at {s} {i}))" for i, word in enumerate(proof.heaps)}
    given = " ".join(order[x.name] for x in posed.sequent.variables)
    known = [f"pose proof ({fact})" for fact in _list_facts_of_heaps(s, count)]
    yield f"{write_module('Obligations', [lemma])}\nFrom NimChecks Require Import Folded.\nOpen Scope N_scope."
    yield f"""\
Lemma claim ({s} : position) : {state(claim, numbers).at(BINDER)}.
Proof.
  intros Given. assert (number {s} = {count}) by lia. {". ".join(known)}.
  pose proof (Obligations.follows {given}) as O. give O. conclude_from O.
Qed.
"""
