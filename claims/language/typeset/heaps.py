"""What folds say of the heaps, in English: "the nim-sum of the heaps below k", "two or more heaps are above k"."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import structural_key
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION

NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
ADJECTIVES = ("even", "odd")
SIZES = {"max": "largest", "min": "smallest"}
ALL_HEAPS = {"nim-sum": "the nim-sum", "total": "the total of the heaps"}
_KINDS = {"nim_sum": "nim-sum", "sum": "total"}
IS = {"eq": "", "ne": "not ", "lt": "below ", "le": "at most ", "gt": "above ", "ge": "at least "}
TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
OPPOSITES = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}


@dataclass(frozen=True)
class HeapFold:
    """A number made of the heaps: `kind` is "count", "nim-sum" or "total", of those that are `so`.

    `so` is "at least k", or "" for all heaps; `heaps`: equal for folds over the same heaps, `others`: what it is of a
    fold over all others.
    """

    kind: str
    so: str = ""
    heaps: Hashable = ()
    others: Hashable = None

    @property
    def words(self) -> str:
        """What it is.

        >>> HeapFold("nim-sum", "below k").words, HeapFold("count", "odd").words
        ('the nim-sum of the heaps below k', 'the number of odd heaps')
        """
        if self.so in (*ADJECTIVES, *SIZES.values()):
            return f"the {'number' if self.kind == 'count' else self.kind} of {self.so} heaps"
        if self.kind == "count":
            return (
                f"the number of heaps {'' if self.so.startswith('of') else 'that are '}{self.so}"
                if self.so
                else ("the number of heaps")
            )
        return f"the {self.kind} of the heaps {self.so}" if self.so else ALL_HEAPS[self.kind]


def read_fold(term: t.Term) -> HeapFold | None:
    """The fold that a term is, if good words are known for it."""
    match term:
        case t.Operation(op="nim_sum" | "sum" as kind, args=(s,)) if s.type == POSITION:
            return HeapFold(_KINDS[kind])
        case t.Operation(op="len", args=(s,)) if s.type == POSITION:
            return HeapFold("count")
        case t.Operation(op="occurrences", args=(s, x)) if s.type == POSITION and (size := say_number(x, {})):
            return HeapFold("count", f"of size {size}", ("of size", structural_key(x)))
        case t.Comprehension(reducer="count", body=body, clauses=(t.Clause(variable=h, source=s, conditions=()),)):
            so = say_of(body, h)
            return HeapFold("count", so, *_heaps_of(body, h)) if so and s.type == POSITION else None
        case t.Comprehension(
            reducer="nim_sum" | "sum" as kind,
            body=t.Variable(name=name),
            clauses=(t.Clause(variable=h, source=s, conditions=(condition,)),),
        ):
            so = say_of(condition, h)
            found = HeapFold(_KINDS[kind], so, *_heaps_of(condition, h))
            return found if so and s.type == POSITION and name == h else None
    return None


def _heaps_of(condition: t.Term, heap: str) -> tuple[Hashable, Hashable]:
    """The identities of a condition on a heap, and of its opposite."""
    opposite = None
    if isinstance(condition, t.Operation) and condition.op in OPPOSITES:
        opposite = structural_key(replace(condition, op=OPPOSITES[condition.op]), (heap,))
    return structural_key(condition, (heap,)), opposite


def say_of(condition: t.Term, heap: str) -> str:
    """What a condition says of the heap: "at least k", "odd"; "" where no good words are known."""
    match condition:
        case t.AllOf(args=args):
            parts = [say_of(x, heap) for x in args]
            return " and ".join(parts) if all(parts) else ""
        case t.Operation(op="eq", args=(t.Operation(op="mod", args=(x, t.Literal(value=2))), t.Literal(value=v))):
            return ADJECTIVES[v] if _is_variable(x, heap) and v < 2 else ""
        case t.Operation(op=op, args=(x, y)) if op in IS:
            if _is_variable(y, heap):
                op, x, y = TURNED[op], y, x
            if (
                op == "eq"
                and _is_variable(x, heap)
                and isinstance(y, t.Operation)
                and y.op in SIZES
                and _is_position(y)
            ):
                return SIZES[y.op]
            size = "" if _mentions(y, {heap: ""}) else say_number(y, {})
            return f"{'of size ' if op == 'eq' else IS[op]}{size}" if _is_variable(x, heap) and size else ""
    return ""


def say_number(term: t.Term, known: Mapping[str, str]) -> str:
    """A number: a formula of names and literals, or words for what is `known` by its name; "" for anything else."""
    fold = read_fold(term)
    if fold:
        return fold.words
    match term:
        case t.Literal(value=v):
            return str(v)
        case t.Variable(name=name):
            return known.get(name, print_term(term))
        case t.Operation(op="sub", args=(x, y)) if _mentions(term, known):
            left, right = say_number(x, known), say_number(y, known)
            of = "the nim-sum of "
            if left.startswith(of) and right.startswith(of):
                right = "that of " + right.removeprefix(of)
            return f"{left} less {right}" if left and right else ""
        case t.Operation(op="add" | "sub" | "mul" | "neg") if not _mentions(term, known):
            return print_term(term).replace("*", "·") if _is_plain(term) else ""
    return ""


def _is_plain(term: t.Term) -> bool:
    """Whether it is short enough, and of names and numbers alone, to be read in a sentence."""
    plain = isinstance(term, t.Literal | t.Variable) or (
        isinstance(term, t.Operation) and term.op in ("add", "sub", "mul", "neg")
    )
    return plain and all(map(_is_plain, t.subterms(term))) and len(print_term(term)) < 16


def _mentions(term: t.Term, known: Mapping[str, str]) -> bool:
    """Whether it mentions one of these names, or is itself made of the heaps."""
    if isinstance(term, t.Variable):
        return term.name in known
    return read_fold(term) is not None or any(_mentions(x, known) for x in t.subterms(term))


def _is_position(term: t.Operation) -> bool:
    return len(term.args) == 1 and term.args[0].type == POSITION


def _is_variable(term: t.Term, name: str) -> bool:
    return isinstance(term, t.Variable) and term.name == name


def say_how_many(fold: HeapFold, op: str, value: int) -> str:
    """A count compared with a number: "no heap is at least k", "three or more heaps are below k".

    >>> say_how_many(HeapFold("count", "at least k"), "ge", 2)
    'two or more heaps are at least k'
    """
    if (op, value) in (("gt", 0), ("ne", 0), ("ge", 1)):
        return f"some heap is {fold.so}" if fold.so else "there is a heap"
    if (op, value) in (("lt", 1), ("le", 0)):
        op, value = "eq", 0
    if op == "gt":
        op, value = "ge", value + 1
    if op == "lt":
        op, value = "le", value - 1
    if not 0 <= value < len(NUMBERS) or op == "ne":
        return ""
    number = NUMBERS[value]
    many = {"eq": f"exactly {number}" if value else "no", "ge": f"{number} or more", "le": f"at most {number}"}[op]
    one = value < 2 and op != "ge"
    if not fold.so:
        return f"there {'is' if one else 'are'} {many} heap{'' if one else 's'}"
    return f"{many} {'heap is' if one else 'heaps are'} {fold.so}"
