"""Obligations as Coq text: a sequent, its proof by a certificate, and the proposition that the sequent states.

Coq translates the sequent into a formula itself (coq/certificates/Sequents.v). A closing tells Coq what the variables
of the certificate are. A wrong closing cannot prove a false sequent. So only the text of the sequent must be trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT
from encoders.coq.certificates import (
    names_in,
    write_atom,
    write_formula,
    write_integer,
    write_lemma,
    write_list,
    write_tree,
)
from encoders.coq.writing import (
    AND,
    ARROW,
    BINDER,
    COMPARISON,
    GLOBAL,
    IFF,
    NOT,
    OR,
    PRODUCT,
    SUM,
    Text,
    apply,
    infix,
    join_texts,
    name_in_coq,
)
from encoders.logic.certificates import Atom, Certificate
from encoders.logic.natural_formulas import AddedQuotient, Problem, find_least, translate
from encoders.logic.sequents import Sequent
from encoders.refusals import Unsupported

PREAMBLE = """\
From Coq Require Import List NArith ZArith.
From NimChecks Require Import Written Sequents.
Import ListNotations.
Open Scope Z_scope.
"""
"""The lines that the text of sequents and closings needs before it."""


def write_obligation(
    name: str, sequent: Sequent, certificate: Certificate, names: Mapping[str, str] | None = None
) -> str:
    """Return a Coq lemma that states an obligation, with its proof by a certificate.

    The lemma is `forall x ... b ..., ranges -> assumptions -> conclusion`, as `Statement` writes it.
    `names`: Coq names for some variables of the sequent. The lines of PREAMBLE must come before the lemma.
    Raises Unsupported.
    """
    stated = Statement(sequent, names or {})
    given = " ".join(stated.binders)
    return (
        f"Lemma {name} : {stated.text}.\nProof.\n"
        f"  {f'intros {given}. ' if given else ''}refine (check_stated\n  {write_sequent(sequent)}\n"
        f"  {write_closing(sequent, certificate)}\n  _ {stated.values}).\n  vm_cast_no_check (eq_refl true).\nQed.\n"
    )


def write_module(name: str, lemmas: Iterable[str]) -> str:
    """Return a Coq module with lemmas from `write_obligation`. Outside it, the names of the checker are not visible."""
    loaded = "From Coq Require List NArith ZArith.\nFrom NimChecks Require Written Sequents.\n"
    opened = "Import List NArith ZArith Written Sequents ListNotations.\nOpen Scope Z_scope.\n"
    return f"{loaded}Module {name}.\n{opened}\n{chr(10).join(lemmas)}End {name}.\n"


# -- sequents ---------------------------------------------------------------------------------------------------------
# A sequent as a Coq term of type `sequent`. Integers and truth values are numbered separately, from 1.
_NUMBERS = {
    "add": "nAdd", "sub": "nSub", "mul": "nMul", "neg": "nNeg", "nim": "nNim", "bit_and": "nAnd",
    "largest": "nMax", "smallest": "nMin",
}  # fmt: skip
_DIVISIONS = {"floordiv": "nQuot", "mod": "nRem"}


def write_sequent(sequent: Sequent) -> str:
    """Return an obligation as a Coq term of type `sequent`. Raises Unsupported if a term has no translation."""
    said = _number_variables(sequent)
    bounded = (x for x in sequent.variables if x.type == INT and (x.lo, x.hi) != (None, None))
    ranges = write_list(f"Range {said.places[x.name]} {_bound(x.lo)} {_bound(x.hi)}" for x in bounded)
    assumed = ";\n    ".join(map(said.condition, sequent.premises))
    return f"(Sequent {ranges}\n   [{assumed}]\n   {said.condition(sequent.show)})"


def _bound(value: int | None) -> str:
    return "None" if value is None else f"(Some {write_integer(value)})"


class NumberedTerms:
    """A translation of terms into Coq terms of the types `num` and `cond`.

    `integers`, `truths`: the names of the variables, in the order of their numbers.
    `places`: the numbers of the variables by name.
    """

    def __init__(self, integers: Iterable[str], truths: Iterable[str] = ()) -> None:
        self.places = {name: i for names in (integers, truths) for i, name in enumerate(names, 1)}

    def number(self, term: t.Term) -> str:
        """Return an integer term. Raises Unsupported."""
        match term:
            case t.Literal(value=value):
                return f"(nLit {write_integer(value)})"
            case t.Variable(name=name):
                return f"(nVar {self.places[name]})"
            case t.IfElse(condition=c, then=a, other=b):
                return f"(nPick {self.condition(c)} {self.number(a)} {self.number(b)})"
            case t.Operation(op="neg", args=(a,)):
                return f"(nNeg {self.number(a)})"
            case t.Operation(op="floordiv" | "mod" as op, args=(a, t.Literal(value=by))) if by > 0:
                return f"({_DIVISIONS[op]} {self.number(a)} {by})"
            case t.Operation(op=op, args=(first, *others)) if op in _NUMBERS:
                made = self.number(first)
                for x in others:
                    made = f"({_NUMBERS[op]} {made} {self.number(x)})"
                return made
        raise _refuse(term)

    def condition(self, term: t.Term) -> str:
        """Return a condition. Raises Unsupported."""
        match term:
            case t.Literal(value=value):
                return f"(cBe {_truth(value)})"
            case t.Variable(name=name):
                return f"(cBool {self.places[name]})"
            case t.AllOf(args=args):
                return _nest("cAll", list(map(self.condition, args)), "(cBe true)")
            case t.AnyOf(args=args):
                return _nest("cAny", list(map(self.condition, args)), "(cBe false)")
            case t.IfElse(condition=c, then=a, other=b):
                return f"(cIf {self.condition(c)} {self.condition(a)} {self.condition(b)})"
            case t.Operation(op="not", args=(a,)):
                return f"(cNot {self.condition(a)})"
            case t.Operation(op="ne", args=(a, b)):
                return f"(cNot {self._equation(a, b)})"
            case t.Operation(op="eq", args=(a, b)):
                return self._equation(a, b)
            case t.Operation(op="le" | "lt" as op, args=(a, b)) | t.Operation(op="ge" | "gt" as op, args=(b, a)):
                return f"({'cLe' if op in ('le', 'ge') else 'cLt'} {self.number(a)} {self.number(b)})"
        raise _refuse(term)

    def _equation(self, a: t.Term, b: t.Term) -> str:
        if a.type == BOOL:
            return f"(cIff {self.condition(a)} {self.condition(b)})"
        return f"(cEq {self.number(a)} {self.number(b)})"


def _number_variables(sequent: Sequent) -> NumberedTerms:
    return NumberedTerms(*([x.name for x in sequent.variables if x.type == kind] for kind in (INT, BOOL)))


def _refuse(term: t.Term) -> Unsupported:
    return Unsupported(f"{print_term(term)} has no form in the sequents of Coq")


def _truth(value: object) -> str:
    return "true" if value else "false"


def _nest(op: str, parts: Sequence[str], none: str) -> str:
    """Return the binary operation `op` on all parts, nested to the right; `none` if there are no parts."""
    if not parts:
        return none
    return f"{''.join(f'({op} {x} ' for x in parts[:-1])}{parts[-1]}{')' * (len(parts) - 1)}"


# -- closings ---------------------------------------------------------------------------------------------------------
# How a certificate proves a sequent, as a Coq term of type `closing`.
def write_closing(sequent: Sequent, certificate: Certificate) -> str:
    """Return the Coq term of type `closing` with which a certificate of the sequent proves it.

    Raises Unsupported if the sequent has no translation, or if the certificate has too few letters for it.
    """
    problem, said = translate(sequent), _number_variables(sequent)
    letters, atoms = _number_letters(problem, certificate)
    streams = [s for _, a in atoms for _, s in a.terms]
    streams += [s for x in certificate.lemmas for part in x.summands for s in part.streams]
    streams += [name for names, _ in _list_entries(problem, said) for name in names]
    numbers = {name: i for i, name in enumerate(dict.fromkeys(n for s in streams for n in names_in(s)), 1)}
    defined = ((letters[x], problem.formulas.write(f, letters)) for x, f in problem.definitions.items())
    least = find_least(sequent)
    derived = [x.name for x in sequent.variables if x.type == INT and x.lo is None and x.name in least]
    lists = (
        (f"({i}%positive, {write_atom(a, numbers)})" for i, a in atoms),
        (f"({said.places[name]}, {letters[node]})%positive" for name, node in problem.truths.items()),
        (f"({letter}%positive, {write_formula(formula)})" for letter, formula in defined),
        (text.format(*(numbers[x] for x in names)) for names, text in _list_entries(problem, said)),
        (f"({said.places[name]}%positive, {write_integer(least[name])})" for name in derived),
        (write_lemma(x, numbers) for x in certificate.lemmas),
    )
    written = "\n   ".join(f"[{'; '.join(x)}]" for x in lists)
    return f"(Closing\n   {written}\n   {write_tree(certificate.tree)})"


def _number_letters(problem: Problem, certificate: Certificate) -> tuple[dict[int, int], list[tuple[int, Atom]]]:
    """Return the letters of the nodes of the problem, and all letters of atoms.

    The letters of the certificate come first. A letter that was lost when the formula was simplified does not occur in
    the certificate. Coq may need such a letter for its own formula, so each letter of the problem gets a number.
    """
    letters = problem.number(certificate)
    if letters is None:
        raise Unsupported("the certificate has too few letters for the obligation")
    atoms, known = list(enumerate(certificate.atoms, 1)), set(certificate.atoms)
    free = max(certificate.letters, len(letters))
    for x, node in problem.formulas.list_letters():
        if x not in letters and node not in known:
            free += 1
            letters[x] = free
            if isinstance(node, Atom):
                atoms.append((free, node))
    return letters, atoms


def _list_entries(problem: Problem, said: NumberedTerms) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield variables of the certificate with the Coq text of their entry, which has a place for each variable."""
    for name, number in problem.numbers.items():
        ((_, (terms, _)),) = number.alternatives
        own = {k: str(s) for s, k in terms}
        if -1 in own:
            yield (own[1], own[-1]), f"Integer {said.places[name]} {{}} {{}}"
        else:
            yield (own[1],), f"Natural {said.places[name]} {{}}"
    terms_of = {number.alternatives: term for term, number in reversed(problem.terms)}
    for x in problem.added:
        term = said.number(terms_of[x.number.alternatives])
        if not isinstance(x, AddedQuotient):
            yield (x.name,), f"Number {term} {{}}"
        elif x.below is None:
            yield (x.quotient, x.rest), f"Division {term} {x.by} {{}} None {{}}"
        else:
            yield (x.quotient, x.below, x.rest), f"Division {term} {x.by} {{}} (Some {{}}%positive) {{}}"


# -- statements -------------------------------------------------------------------------------------------------------
# What a sequent says, as a Coq proposition about integers: `stated` of coq/certificates/Obligations.v, unfolded.
_SIGNS = {"add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT)}
_FUNCTIONS = {
    "nim": "Z.lxor", "bit_and": "Z.land", "largest": "Z.max", "smallest": "Z.min",
    "floordiv": "Z.div", "mod": "Z.modulo",
}  # fmt: skip
_COMPARED = {"le": "<=", "ge": "<=", "lt": "<", "gt": "<"}
_COMPUTED = {"le": "<=?", "ge": "<=?", "lt": "<?", "gt": "<?"}


class Statement:
    """The proposition that a sequent states.

    `binders`: the Coq names of its variables, first the integers, then the truth values.
    """

    def __init__(self, sequent: Sequent, names: Mapping[str, str]) -> None:
        self.sequent = sequent
        self.names = dict(names)
        for x in sequent.variables:
            if x.name not in names:
                self.names[x.name] = name_in_coq(x.name, self.names.values(), GLOBAL)
        self.integers, self.truths = (
            tuple(self.names[x.name] for x in sequent.variables if x.type == kind) for kind in (INT, BOOL)
        )
        self.binders = (*self.integers, *self.truths)

    @property
    def text(self) -> str:
        """The proposition: `forall x ... b ..., (ranges -> assumptions -> conclusion)%Z`. Raises Unsupported."""
        parts = [*self._ranges(), *map(self.says, self.sequent.premises), self.says(self.sequent.show)]
        said = join_texts(parts, "->", ARROW, "True", "right")
        groups = ((self.integers, "Z"), (self.truths, "bool"))
        bound = " ".join(f"({' '.join(names)} : {kind})" for names, kind in groups if names)
        return f"{f'forall {bound}, ' if bound else ''}({said.text})%Z"

    @property
    def values(self) -> str:
        """The Coq term of type `env` that gives the variables of the sequent the values of the binders."""
        return f"(env_of {write_list(self.integers)} {write_list(self.truths)})"

    def _ranges(self) -> Iterator[Text]:
        for x in self.sequent.variables:
            if x.type == INT:
                name = Text(self.names[x.name])
                if x.lo is not None:
                    yield infix(_integer(x.lo), "<=", name, COMPARISON)
                if x.hi is not None:
                    yield infix(name, "<=", _integer(x.hi), COMPARISON)

    def number(self, term: t.Term) -> Text:
        """Return an integer term as a Coq term of type `Z`. Raises Unsupported."""
        match term:
            case t.Literal(value=value):
                return _integer(value)
            case t.Variable(name=name):
                return Text(self.names[name])
            case t.IfElse(condition=c, then=a, other=b):
                return Text(f"if {self.computed(c).text} then {self.number(a).text} else {self.number(b).text}", BINDER)
            case t.Operation(op="neg", args=(a,)):
                return apply("Z.opp", self.number(a))
            case t.Operation(op=op, args=(a, b)) if op in _SIGNS:
                sign, level = _SIGNS[op]
                return infix(self.number(a), sign, self.number(b), level, "left")
            case t.Operation(op=op, args=(first, *others)) if op in _FUNCTIONS:
                made = self.number(first)
                for x in others:
                    made = apply(_FUNCTIONS[op], made, self.number(x))
                return made
        raise _refuse(term)

    def says(self, term: t.Term) -> Text:
        """Return a condition as a Coq proposition. Raises Unsupported."""
        match term:
            case t.Literal(value=value):
                return Text("True" if value else "False")
            case t.Variable(name=name):
                return infix(Text(self.names[name]), "=", Text("true"), COMPARISON)
            case t.AllOf(args=args):
                return join_texts(map(self.says, args), "/\\", AND, "True", "right")
            case t.AnyOf(args=args):
                return join_texts(map(self.says, args), "\\/", OR, "False", "right")
            case t.IfElse(condition=c, then=a, other=b):
                yes = infix(self.says(c), "->", self.says(a), ARROW, "right")
                no = infix(_negate(self.says(c)), "->", self.says(b), ARROW, "right")
                return infix(yes, "/\\", no, AND, "right")
            case t.Operation(op="not", args=(a,)):
                return _negate(self.says(a))
            case t.Operation(op="ne", args=(a, b)):
                return _negate(self._equation(a, b))
            case t.Operation(op="eq", args=(a, b)):
                return self._equation(a, b)
            case t.Operation(op="le" | "lt" as op, args=(a, b)) | t.Operation(op="ge" | "gt" as op, args=(b, a)):
                return infix(self.number(a), _COMPARED[op], self.number(b), COMPARISON)
        raise _refuse(term)

    def _equation(self, a: t.Term, b: t.Term) -> Text:
        if a.type == BOOL:
            return infix(self.says(a), "<->", self.says(b), IFF)
        return infix(self.number(a), "=", self.number(b), COMPARISON)

    def computed(self, term: t.Term) -> Text:
        """Return a condition as a Coq term of type `bool`. Raises Unsupported."""
        match term:
            case t.Literal(value=value):
                return Text(_truth(value))
            case t.Variable(name=name):
                return Text(self.names[name])
            case t.AllOf(args=args):
                return self._join("andb", args, "true")
            case t.AnyOf(args=args):
                return self._join("orb", args, "false")
            case t.IfElse(condition=c, then=a, other=b):
                yes, no = self.computed(a).text, self.computed(b).text
                return Text(f"if {self.computed(c).text} then {yes} else {no}", BINDER)
            case t.Operation(op="not", args=(a,)):
                return apply("negb", self.computed(a))
            case t.Operation(op="ne", args=(a, b)):
                return apply("negb", self._computed_equation(a, b))
            case t.Operation(op="eq", args=(a, b)):
                return self._computed_equation(a, b)
            case t.Operation(op="le" | "lt" as op, args=(a, b)) | t.Operation(op="ge" | "gt" as op, args=(b, a)):
                return infix(self.number(a), _COMPUTED[op], self.number(b), COMPARISON)
        raise _refuse(term)

    def _computed_equation(self, a: t.Term, b: t.Term) -> Text:
        if a.type == BOOL:
            return apply("Bool.eqb", self.computed(a), self.computed(b))
        return infix(self.number(a), "=?", self.number(b), COMPARISON)

    def _join(self, function: str, parts: Iterable[t.Term], none: str) -> Text:
        *first, made = [*map(self.computed, parts)] or [Text(none)]
        for x in reversed(first):
            made = apply(function, x, made)
        return made


def _integer(value: int) -> Text:
    return Text(write_integer(value))


def _negate(condition: Text) -> Text:
    return Text(f"~ {condition.at(NOT)}", NOT)
