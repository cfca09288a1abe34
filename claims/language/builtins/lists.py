"""Rows of the table about lists, whose elements have an order, and about heaps that have parts."""

from __future__ import annotations

import operator

from claims.language.builtins import meanings as m
from claims.language.builtins import notations as n
from claims.language.builtins import signatures as s
from claims.language.builtins.conditions import AtLeast, Inside, two_naturals
from claims.language.builtins.rows import Builtin, OperatorSyntax, infix
from claims.language.terms.types import INT, list_of

_LIST = list_of(INT)

LISTS = (
    Builtin(
        "nim_sum_ways",
        "nim_sum_ways(w, n): the list v where v[x] is the number of ways in which n draws have nim-sum x, a draw being "
        "i in w[i] ways; its length is the least power of 2 that w fits in; a negative n or weight is ill-defined",
        s.takes("nim_sum_ways", _LIST, INT, gives=_LIST),
        m.nim_sum_ways,
        needs=two_naturals("nim_sum_ways"),
        steps=m.count_ways,
    ),
    Builtin(
        "part",
        "h.c: the part c of a heap h, as the ruleset names it",
        s.take_part,
        lambda h, at: h[at],
        form=OperatorSyntax("{}.{}", 10, (10, 0)),
        shown=n.show_part,
    ),
    Builtin(
        "heap",
        "heap(a, b, ...): the heap with these parts, in the order of the ruleset",
        s.build_heap,
        lambda *parts: parts,
    ),
    Builtin(
        "put",
        "put(c, i, x): the list c with x in place of element i; i outside it is ill-defined",
        s.put_in,
        lambda c, i, x: (*c[:i], x, *c[i + 1 :]),
        needs=(Inside(of=0, at=1),),
    ),
    Builtin(
        "slice",
        "c[a:b]: the elements of the list c from a to b - 1, as far as they are there; a or b negative is ill-defined",
        s.cut_out,
        lambda c, a, b: c[a:b],
        needs=(AtLeast(1, "a slice from a negative number"), AtLeast(2, "a slice to a negative number")),
        form=OperatorSyntax("{}[{}:{}]", 10, (10, 0, 0)),
        shown=n.show_slice,
    ),
    Builtin(
        "concat",
        "c + d: the list c, then the list d",
        s.join,
        operator.add,
        form=infix("+", 6),
        shown=n.between("+", n.B.SUM, n.B.SUM, n.B.BIG),
    ),
    Builtin("sorted", "sorted(c): the elements of c as a list, ascending", s.sort_up, lambda c: tuple(sorted(c))),
)
