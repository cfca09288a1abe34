"""Terms of rulesets, whatever way they are written: which have a value everywhere, and which say the same.

A term *has a value everywhere* if no operation in it may fail: only such a term may be looked at earlier or later than
the file says, or not at all, without making something undefined defined.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Mapping
from itertools import permutations

from claims.language.builtins.table import BUILTINS
from claims.language.expressions.walk import rebuild, structural_key, substitute
from claims.language.statement.domains import IntervalDomain
from claims.language.statement.rulesets import Move
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.logic.polynomials import Polynomial, polynomial
from encoders.logic.terms import conjunction, disjunction, holds, integer, is_plain, membership, negation, opposite, sub

COMPARED = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def is_total(term: t.Term) -> bool:
    """Whether the term has a value everywhere."""
    match term:
        case t.GameCall() | t.Apply():
            return False
        case t.Operation(op="floordiv" | "mod", args=(a, t.Literal(value=d))):
            return d != 0 and is_total(a)
        case t.Operation(op=name) | t.Comprehension(reducer=name) if name in BUILTINS and BUILTINS[name].needs:
            return False
    return all(map(is_total, t.subterms(term)))


def difference(a: t.Term, b: t.Term) -> int | None:
    """a - b where that is the same number whatever their variables are."""
    return polynomial(sub(a, b)).constant


# -- what is known when the game is ------------------------------------------------------------------------------------
def write_out(term: t.Term, known: Mapping[str, t.Term]) -> t.Term:
    """The term with what is known for the names; with sets and lists that are written down spelled out in conditions.

    `m in {1, 2}` says m == 1 or m == 2.  Conditions that are decided go, if all that they stand among has a value.
    """
    return _spell_out(substitute(term, known))


def _spell_out(term: t.Term) -> t.Term:
    term = rebuild(term, _spell_out)
    match term:
        case t.Operation(op="in", args=(item, source)) if is_total(term):
            said = membership(item, source)
            return term if said is None else said
        case t.Operation(op="len", args=(t.Collection(items=items),)) if known_members(term.args[0]) is not None:
            return integer(len(set(known_members(term.args[0]) or ())) if _is_set(term.args[0]) else len(items))
        case t.Operation(op="index", args=(t.Collection(items=items), t.Literal(value=i))) if 0 <= i < len(items):
            return items[i] if all(map(is_total, items)) else term
        case t.Comprehension(reducer="any" | "all" as reducer, clauses=(clause,)) if is_total(term):
            if isinstance(clause.source, t.Collection):
                return _each_of(term.body, clause, clause.source.items, reducer == "all")
        case t.Operation(op=op, args=(a, b)) if op in COMPARED and a.type == INT and is_total(term):
            apart = difference(a, b)
            return term if apart is None else holds(COMPARED[op](apart, 0))
        case t.Operation(op="not", args=(x,)):
            return _denied(x)
        case t.AllOf(args=args) if all(map(is_total, args)):
            return conjunction(*args) if any(isinstance(x, t.Literal) for x in args) else term
        case t.AnyOf(args=args) if all(map(is_total, args)):
            return disjunction(*args) if any(isinstance(x, t.Literal) for x in args) else term
        case t.IfElse(condition=t.Literal(value=value), then=x, other=y):
            return x if value else y
    return term


def _denied(term: t.Term) -> t.Term:
    """`not` a condition, said of its parts."""
    if isinstance(term, t.AllOf | t.AnyOf):
        return (disjunction if isinstance(term, t.AllOf) else conjunction)(*map(_denied, term.args))
    return opposite(term)


def _each_of(body: t.Term, clause: t.Clause, items: tuple[t.Term, ...], every: bool) -> t.Term:
    """That some of the items, or every one, meets the conditions of the clause and the body."""
    made = []
    for x in items:
        *conditions, last = (_spell_out(substitute(c, {clause.variable: x})) for c in (*clause.conditions, body))
        made.append(disjunction(*map(negation, conditions), last) if every else conjunction(*conditions, last))
    return conjunction(*made) if every else disjunction(*made)


def _is_set(term: t.Term) -> bool:
    return term.type.kind == "set"


def known_members(term: t.Term) -> tuple[int, ...] | None:
    """The members of a set or list of numbers that is written down."""
    if not isinstance(term, t.Collection):
        return None
    numbers = [known_number(x) for x in term.items]
    return None if None in numbers else tuple(x for x in numbers if x is not None)


def known_number(term: t.Term) -> int | None:
    """The number that a term of literals is."""
    return polynomial(term).constant if term.type == INT and is_total(term) else None


# -- what says the same ------------------------------------------------------------------------------------------------
def spelled(move: Move) -> Hashable:
    """Equal for two kinds of moves that differ in names, in the order of conditions, or in how a comparison is written.

    Where some term of it may have no value the order of its conditions counts.
    """
    keys = (_spelled(move, order) for order in permutations(range(len(move.heaps))))
    return min(keys, key=repr)


def _spelled(move: Move, order: tuple[int, ...]) -> Hashable:
    """As `spelled`, its heaps taken in the order."""
    heaps = [move.heaps[i] for i in order]
    names = {name: f"heap {i}" for i, name in enumerate(heaps)}
    names |= {p.name: f"pick {i}" for i, p in enumerate(move.picks)}
    values = {old: t.Variable(INT, 0, 0, new) for old, new in names.items()}
    picks: list[Hashable] = []
    for p in move.picks:
        if isinstance(p.domain, IntervalDomain):
            lo, hi = (None if x is None else number_key(substitute(x, values)) for x in (p.domain.lo, p.domain.hi))
            picks += [(lo, hi)] if lo != hi else []  # nothing is picked where there is one number
        else:
            picks.append(structural_key(substitute(p.domain, values)))
    whole = is_total_move(move)
    said = (x for x in conditions_of(move) if not _is_of_heap(x, move.heaps))
    where = [condition_key(substitute(x, values), whole) for x in said]
    become = tuple(sorted((number_key(substitute(x, values)) for x in move.become), key=repr))
    counts = tuple(None if x is None else structural_key(x) for x in (move.at_least, move.at_most))
    return move.choose, len(heaps), tuple(picks), frozenset(where) if whole else tuple(where), become, counts


def _is_of_heap(condition: t.Term, heaps: tuple[str, ...]) -> bool:
    """Whether a condition says no more than that a heap is at least 1, as each is."""
    if not isinstance(condition, t.Operation) or condition.op not in ("le", "ge", "lt", "gt"):
        return False
    less, more = condition.args if condition.op in ("le", "lt") else condition.args[::-1]
    apart = polynomial(sub(more, less)).coefficients
    least = 1 if condition.op in ("lt", "gt") else 0  # h + c >= least, for h >= 1
    return any(set(apart) <= {(h,), ()} and apart.get((h,)) == 1 and apart.get((), 0) + 1 >= least for h in heaps)


def conditions_of(move: Move) -> tuple[t.Term, ...]:
    """What `where` demands, one by one."""
    return () if move.where is None else tuple(t.conjuncts(move.where))


def is_total_move(move: Move) -> bool:
    """Whether all of its terms have a value everywhere."""
    terms: list[t.Term] = [*move.become, *conditions_of(move)]
    for p in move.picks:
        bounds = (p.domain.lo, p.domain.hi) if isinstance(p.domain, IntervalDomain) else (p.domain,)
        terms += (x for x in bounds if x is not None)
    return all(map(is_total, terms))


def number_key(term: t.Term) -> Hashable:
    """Equal for two integers that are the same polynomial of the same parts."""
    return structural_key(ordered(term))


def ordered(term: t.Term) -> t.Term:
    """The same number with its sums, products, least and largest parts in one order."""
    match term:
        case t.Operation(op="largest" | "smallest" as op, args=args):
            parts = {repr(structural_key(x)): x for part in map(ordered, args) for x in _parts_of(op, part)}
            kept = tuple(parts[key] for key in sorted(parts))
            return kept[0] if len(kept) == 1 else t.Operation(INT, 0, 0, op, kept)
        case t.Operation(op="add" | "sub" | "mul" | "neg", type=kind) if kind == INT:
            found = polynomial(_insides(term))
            return Polynomial(dict(sorted(found.coefficients.items())), found.atoms).term()
    return rebuild(term, lambda x: ordered(x) if x.type == INT else x)


def _insides(term: t.Term) -> t.Term:
    """A sum or product with what it is made of in order."""
    if isinstance(term, t.Operation) and term.op in ("add", "sub", "mul", "neg") and term.type == INT:
        return rebuild(term, _insides)
    return ordered(term)


def _parts_of(op: str, term: t.Term) -> tuple[t.Term, ...]:
    return term.args if isinstance(term, t.Operation) and term.op == op else (term,)


def condition_key(term: t.Term, whole: bool) -> Hashable:
    """Equal for two conditions that say the same in other words. `whole`: the order of their parts does not count."""
    match term:
        case t.AllOf(args=args) | t.AnyOf(args=args):
            return _joined(type(term).__name__, (condition_key(x, whole) for x in args), whole)
        case t.Operation(op=op, args=(a, b)) if op in COMPARED and a.type == INT:
            return _comparison_key(op, a, b)
        case t.IfElse(condition=c, then=x, other=y):
            return "if", *(condition_key(part, whole) for part in (c, x, y))
    return structural_key(term)


def _joined(name: str, keys: Iterable[Hashable], whole: bool) -> Hashable:
    flat: list[Hashable] = []
    for key in keys:
        flat += key[1] if isinstance(key, tuple) and key[0] == name else (key,)
    return name, frozenset(flat) if whole else tuple(flat)


def _comparison_key(op: str, a: t.Term, b: t.Term) -> Hashable:
    """Of a <= b and the like by what is at most 0; of equality by the difference, whichever way round."""
    there, back = number_key(sub(a, b)), number_key(sub(b, a))
    if op in ("eq", "ne"):
        return op, min((there, back), key=repr)
    less = sub(a, b) if op in ("lt", "le") else sub(b, a)
    return "le", number_key(less if op in ("le", "ge") else t.Operation(INT, 0, 0, "add", (less, integer(1))))


def without_true(*conditions: t.Term) -> t.Term | None:
    """All of the conditions; None where they say nothing."""
    made = conjunction(*conditions)
    return None if is_plain(made, True) else made
