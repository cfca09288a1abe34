"""Conditions on one move as linear comparisons of what it takes and what it leaves.

A move on a heap takes t objects and leaves parts x and y, some of them perhaps empty; the heap was x + y + t.  Where
each number that the mover picks is one of these three, up to a constant, a condition is a comparison of a linear form
in them with 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from claims.language.expressions.walk import free_names, rebuild
from claims.language.ground.errors import NimChecksError
from claims.language.terms import terms as t

Coefficients = dict[str, int]
"""A linear form: variable -> coefficient, none of them 0; the constant stands under ""."""

Constant = Callable[[t.Term], int | None]
"""The value of a term without variables, if it is an integer or a truth value that is defined."""


class Unread(NimChecksError):
    """A move that is not of a form that is known; it is then played pick by pick."""


def add(a: Coefficients, b: Coefficients, times: int = 1) -> Coefficients:
    """a + times * b."""
    names = dict.fromkeys((*a, *b))
    return {n: v for n in names if (v := a.get(n, 0) + times * b.get(n, 0))}


def read_form(term: t.Term, constant: Constant) -> Coefficients | None:
    """The linear form that a term is; None if it is none."""
    if not any(free_names(term)):
        value = constant(term)
        return None if value is None else {"": value} if value else {}
    match term:
        case t.Variable(name=name):
            return {name: 1}
        case t.Operation(op="add" | "sub" as op, args=(a, b)):
            first, second = read_form(a, constant), read_form(b, constant)
            return None if first is None or second is None else add(first, second, 1 if op == "add" else -1)
        case t.Operation(op="neg", args=(a,)):
            inner = read_form(a, constant)
            return None if inner is None else add({}, inner, -1)
        case t.Operation(op="mul", args=(a, b)):
            first, second = read_form(a, constant), read_form(b, constant)
            if first is None or second is None or (first.keys() - {""} and second.keys() - {""}):
                return None
            factor, form = (first, second) if not first.keys() - {""} else (second, first)
            return add({}, form, factor.get("", 0))
    return None


def substitute_values(term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
    """The term with the variables that have one replaced by terms; no name that runs may be one of them."""
    if isinstance(term, t.Variable):
        return values.get(term.name, term)
    return rebuild(term, lambda x: substitute_values(x, values))


def substitute(form: Coefficients, values: dict[str, Coefficients]) -> Coefficients:
    """The form with its variables replaced by forms. Raises Unread for a variable without one."""
    out: Coefficients = {}
    for name, times in form.items():
        if name and name not in values:
            raise Unread(name)
        out = add(out, values[name] if name else {"": 1}, times)
    return out


@dataclass(frozen=True)
class HeapAtom:
    """`form` >= 0, or, where `equal`, `form` == 0."""

    form: tuple[tuple[str, int], ...]
    equal: bool = False

    @property
    def reach(self) -> int:
        """A number such that variables from it on are alike to the atom, but for which of x and y is greater.

        Raises Unread where there is none: the form mixes signs, and does not only compare x with y.
        """
        signs = {value > 0 for name, value in self.form if name}
        constant = dict(self.form).get("", 0)
        if len(signs) <= 1:
            return abs(constant) + 1
        parts = dict(self.form)
        times = abs(parts.get("x", 0))
        alike = parts.keys() - {""} == {"x", "y"} and parts["x"] == -parts["y"]
        if alike and (constant == 0 or (not self.equal and -times <= constant < times)):  # x <= y, or x < y
            return 0
        raise Unread("a comparison that mixes what is taken and what is left")


def make_atom(form: Coefficients, equal: bool = False) -> HeapAtom:
    return HeapAtom(tuple(sorted(form.items())), equal)


_MIRRORED = {"ge": "le", "gt": "lt"}


def read_comparison(op: str, left: t.Term, right: t.Term, form: Callable[[t.Term], Coefficients]) -> list[HeapAtom]:
    """The atoms that a comparison of integers is made of: it holds if all do, for eq also if their negation does not.

    `form` reads a term. Raises Unread. Bounds with `min`, `max` and a floored quotient are taken apart:
    a <= min(b, c) is a <= b and a <= c, and a <= b // d is d * a <= b.
    """
    if op in _MIRRORED:
        return read_comparison(_MIRRORED[op], right, left, form)
    if op in ("eq", "ne"):
        return [make_atom(add(form(left), form(right), -1), equal=True)]
    match left, right:
        case t.Operation(op="largest", args=args), _:
            return [x for a in args for x in read_comparison(op, a, right, form)]
        case _, t.Operation(op="smallest", args=args):
            return [x for a in args for x in read_comparison(op, left, a, form)]
        case _, t.Operation(op="floordiv", args=(a, b)) if any(free_names(a)):
            by = form(b)
            if by.keys() - {""} or by.get("", 0) < 1:
                raise Unread("a quotient")
            least = add(form(left), {"": 1}) if op == "lt" else form(left)
            return [make_atom(add(form(a), least, -by[""]))]
    difference = add(form(right), form(left), -1)
    return [make_atom(add(difference, {"": -1}) if op == "lt" else difference)]
