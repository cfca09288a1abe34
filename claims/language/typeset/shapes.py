"""What terms look like: which are typeset in a way of their own."""

from __future__ import annotations

from itertools import pairwise

from claims.language.builtins.notations import Relation
from claims.language.builtins.table import BUILTINS
from claims.language.expressions.printing import display
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL
from claims.language.typeset.names import is_short


def selects(term: t.Comprehension) -> bool:
    """Whether it is the set of the x in c that meet a condition."""
    body = term.body
    one = len(term.clauses) == 1 and isinstance(body, t.Variable) and body.name == term.clauses[0].variable
    return one and term.reducer == "set"


def is_difference(term: t.Term) -> bool:
    return isinstance(term, t.Operation) and term.op == "sub"


def items_are_shown(source: t.Term) -> bool:
    """Whether a collection is typeset by naming its elements."""
    return isinstance(source, t.Collection) or (isinstance(source, t.Operation) and source.op == "range")


def implication(term: t.AnyOf) -> tuple[t.Term, t.Term] | None:
    """A and B of `implies(A, B)`, which is `not A or B` with a `not` that nobody wrote."""
    match term.args:
        case (t.Operation(op="not", args=(x,)) as denied, y) if (denied.start, denied.end) == (x.start, x.end):
            return x, y
    return None


def is_chain(args: tuple[t.Term, ...]) -> bool:
    """Whether comparisons were written as one: `a <= b < c`."""
    found = [x for x in args if isinstance(x, t.Operation) and isinstance(BUILTINS[x.op].shown, Relation)]
    if len(args) < 2 or len(found) < len(args) or any(x.args[0].type == BOOL for x in found):
        return False
    return all(_is_same(x.args[1], y.args[0]) for x, y in pairwise(found))


def _is_same(x: t.Term, y: t.Term) -> bool:
    """Whether two terms stand at one place of a text, and still say the same."""
    if x is y:
        return True
    alike = type(x) is type(y) and (x.start, x.end) == (y.start, y.end) and _call(x) == _call(y)
    parts, others = t.subterms(x), t.subterms(y)
    return alike and len(parts) == len(others) and all(map(_is_same, parts, others))


def _call(term: t.Term) -> object:
    """What a term says besides its parts; what runs is told by what the file calls it."""
    match term:
        case t.Literal(value=value):
            return value
        case t.Variable(name=name):
            return display(name)
        case t.Operation(op=op):
            return op
        case t.GameCall(function=name, game=game):
            return name, game
        case t.Apply(function=function):
            return function.name
        case t.Comprehension(reducer=reducer, clauses=clauses):
            return reducer, [(display(c.variable), len(c.conditions)) for c in clauses]
    return None


# -- products ---------------------------------------------------------------------------------------------------------
def may_touch(left: t.Term, right: t.Term) -> bool:
    """Whether a product of the two needs no sign: `2k`, `kq`, `2(k + 1)`.

    But not `k(q + 1)`, which may be a call, nor `kk`.
    """
    end, beginning = _ends(left), _begins(right)
    neighbour = left.args[1] if isinstance(left, t.Operation) and left.op == "mul" else left
    if isinstance(neighbour, t.Variable) and isinstance(right, t.Variable) and neighbour.name == right.name:
        return False
    return end != "" and (beginning == "letter" or (beginning == "parenthesis" and end == "digit"))


def _begins(term: t.Term) -> str:
    """What the right side of a product begins with: "letter", "parenthesis", or "" for anything else."""
    match term:
        case t.Variable(name=name) | t.Apply(function=t.Function(name=name), args=()):
            return "letter" if is_short(name) else ""
        case t.Operation(op="pow", args=(x, _)):
            return _begins(x)
        case t.Operation(op="add" | "sub" | "nim"):
            return "parenthesis"
    return ""


def _ends(term: t.Term) -> str:
    """What the left side of a product ends with: "digit", "letter", "parenthesis", or "" for anything else."""
    match term:
        case t.Literal(value=v):
            return "digit" if v >= 0 else "parenthesis"
        case t.Operation(op="mul", args=(_, y)):
            return _begins(y)
    return _begins(term)
