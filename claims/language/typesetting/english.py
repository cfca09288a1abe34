"""Conditions in short English, and the numbers that they compare, such as "the nim-sum of the heaps below k"."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, structural_key, walk
from claims.language.syntax.terms import BOOL, INT, POSITION
from claims.language.typesetting.formulas import match_implication

# == heaps ============================================================================================================
# Folds over the heaps in English: "the nim-sum of the heaps below k", "two or more heaps are above k".
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
    """A number that is computed from the heaps that satisfy a condition, such as the nim-sum of the heaps below k.

    `kind`: "count", "nim-sum" or "total" (the sum of the sizes).
    `so`: the condition on a heap in words, such as "at least k"; "" for all heaps.
    `heaps`: a key that identifies the condition. Numbers for the same heaps have equal keys.
    `others`: the key for the opposite condition, that is, for all other heaps; None if it is unknown.
    """

    kind: str
    so: str = ""
    heaps: Hashable = ()
    others: Hashable = None

    @property
    def words(self) -> str:
        """The words for this number.

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
    """Return the HeapFold that describes a term such as `nim_sum(h for h in s if h < k)`.

    Return None if the term is not computed in this way from the heaps of a position, or if there are no good words.
    """
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
    """Return a key for the heaps that satisfy a condition, and a key for all other heaps.

    The second key is None if the condition is not a comparison. `heap`: the variable for the heap in the condition.
    """
    opposite = None
    if isinstance(condition, t.Operation) and condition.op in OPPOSITES:
        opposite = structural_key(replace(condition, op=OPPOSITES[condition.op]), (heap,))
    return structural_key(condition, (heap,)), opposite


def say_of(condition: t.Term, heap: str) -> str:
    """Return the words for a condition on a heap, such as "at least k" or "odd"; "" if there are no good words.

    `heap`: the variable for the heap in the condition.
    """
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
    """Return the words for a term that is a number; "" if there are no good words.

    `known`: the words for some variables, by name. Other variables are shown by their names.
    """
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
    """Return whether a term is short and contains only names and numbers, so that it can be read in a sentence."""
    plain = isinstance(term, t.Literal | t.Variable) or (
        isinstance(term, t.Operation) and term.op in ("add", "sub", "mul", "neg")
    )
    return plain and all(map(_is_plain, t.subterms(term))) and len(print_term(term)) < 16


def _mentions(term: t.Term, known: Mapping[str, str]) -> bool:
    """Return whether a term contains a variable in `known`, or a number that is computed from heaps (a `HeapFold`)."""
    if isinstance(term, t.Variable):
        return term.name in known
    return read_fold(term) is not None or any(_mentions(x, known) for x in t.subterms(term))


def _is_position(term: t.Operation) -> bool:
    return len(term.args) == 1 and term.args[0].type == POSITION


def _is_variable(term: t.Term, name: str) -> bool:
    return isinstance(term, t.Variable) and term.name == name


def say_how_many(fold: HeapFold, op: str, value: int) -> str:
    """Return the words for the comparison of a number of heaps with `value`; "" if there are no good words.

    `fold`: the number of heaps. `op`: the comparison: "eq", "ne", "lt", "le", "gt" or "ge".

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


# == words ============================================================================================================
# Conditions and folds of proofs in short English, if there are good words.
def describe_term(term: t.Term, folds: Mapping[str, t.Term]) -> str:
    """Return a condition in plain English, without a full stop; "" if there are no good words.

    `folds`: the terms of some variables by name. Each is a number that is computed from the heaps, such as a nim-sum.
    """
    known = {name: fold for name, x in folds.items() if (fold := read_fold(x))}
    unknown = frozenset(folds) - known.keys()
    return _Speaker(known, unknown).say(term, False)


def fold_in_words(term: t.Term) -> str:
    """Return the words for a number that is computed from heaps, such as "the nim-sum of the heaps below k".

    Return "" if there are no good words.
    """
    found = read_fold(term)
    return found.words if found else ""


@dataclass(frozen=True)
class _Speaker:
    """The state of a sentence after some of its conditions. It determines the words for the next condition.

    `known`: the variables that stand for numbers computed from heaps, such as a nim-sum.
    `unknown`: the variables that stand for numbers without good words. A condition with such a variable has no words.
    `single`: the name of the count that the sentence has just stated to be 1, so that "that heap" is clear; or "".
    `that`: the name of the nim-sum that the sentence mentioned last, so that "that nim-sum" is clear; or "".
    """

    known: Mapping[str, HeapFold]
    unknown: frozenset[str]
    single: str = ""
    that: str = ""

    def say(self, term: t.Term, inside: bool) -> str:
        """Return the words for a condition, or "" if there are no good words.

        `inside`: whether the words become a part of a longer sentence. A condition with "and", "or" or "if and only if"
        then has no words, because the sentence would be ambiguous.
        """
        if inside and (isinstance(term, t.AllOf | t.AnyOf) or _is_equivalence(term)):
            return ""
        match term:
            case t.AllOf(args=args):
                return self._list(args)
            case t.AnyOf(args=args):
                implied = match_implication(term)
                if implied:
                    condition, then = self.say(implied[0], True), self.say(implied[1], True)
                    return f"if {condition}, then {then}" if condition and then else ""
                parts = [self.say(x, not isinstance(x, t.AllOf)) for x in args]
                both = any(isinstance(x, t.AllOf) for x in args)
                return (", or " if both else " or ").join(parts) if all(parts) else ""
            case t.Operation(op="eq", args=(x, y)) if x.type == BOOL:
                left, right = self.say(x, True), self.say(y, True)
                return f"{left} exactly when {right}" if left and right else ""
            case t.Operation(op="not", args=(x,)):
                return self._deny(x, inside)
            case t.Operation(op=op, args=(x, y)) if op in IS and x.type == INT:
                return self._compare(op, x, y)
            case t.Comprehension(
                reducer="all" | "any" as reducer, body=body, clauses=(t.Clause(variable=h, source=s, conditions=()),)
            ) if s.type == POSITION:
                so = say_of(body, h)
                return f"{'every' if reducer == 'all' else 'some'} heap is {so}" if so else ""
        return ""

    def _list(self, args: tuple[t.Term, ...]) -> str:
        """Return the words "A, B and C" for the conditions `args`; "" if one of them has no words.

        If a condition states that exactly one heap is, say, odd, the next conditions may call it "that heap".
        """
        speaker, parts = self, list[str]()
        for x in args:
            parts.append(speaker.say(x, True))
            speaker = speaker._hear_condition(x)
        *first, end = parts
        return f"{', '.join(first)} and {end}" if first and all(parts) else end if all(parts) else ""

    def _hear_condition(self, term: t.Term) -> _Speaker:
        """Return the state of the sentence after the words for the condition `term`.

        `single` or `that` is "" in the result if "that heap" or "that nim-sum" would not be clear in the next words.
        """
        mentioned = {x.name for x in walk(term) if isinstance(x, t.Variable) and x.name in self.known}
        single, that = self.single, self.that
        if any(self.known[name].kind == "count" for name in mentioned) or any(map(read_fold, walk(term))):
            single = ""
        match term:
            case t.Operation(op="eq", args=(t.Variable(name=name), t.Literal(value=1))) if name in mentioned:
                single = name if self.known[name].kind == "count" and self.known[name].so else ""
        sums = {name for name in mentioned if self.known[name].kind != "count" and self._call(name) != "that heap"}
        if sums or any(map(read_fold, walk(term))):
            one = len(sums) == 1 and self.known[min(sums)].so and self.known[min(sums)].kind == "nim-sum"
            that = min(sums) if one else ""
        return replace(self, single=single, that=that)

    def _call(self, name: str) -> str:
        """Return the words for the number that the variable `name` stands for.

        If the sentence has just mentioned this nim-sum, return "that nim-sum". If it has just mentioned the only heap
        from which the number is computed, return "that heap".
        """
        fold = self.known[name]
        if name == self.that:
            return "that nim-sum"
        if self.single and fold.kind != "count":
            counted = self.known[self.single]
            if fold.heaps == counted.heaps:
                return "that heap"
            if fold.heaps == counted.others:
                return f"the {fold.kind} of the others"
        return fold.words

    def _deny(self, term: t.Term, inside: bool) -> str:
        match term:
            case t.Operation(op=op, args=(x, y)) if op in OPPOSITES and x.type == INT:
                return self._compare(OPPOSITES[op], x, y)
            case t.AnyOf(args=args) if not (inside or match_implication(term)):
                parts = [self.say(x, not isinstance(x, t.AllOf)) for x in args]
                none = "neither" if len(parts) == 2 else "none"
                return f"{none} of these holds: {'; '.join(parts)}" if all(parts) else ""
            case t.AllOf() if not inside:
                said = self.say(term, False)
                return f"it is false that {said}" if said else ""
        return ""

    def _compare(self, op: str, x: t.Term, y: t.Term) -> str:
        if isinstance(x, t.Literal) and not isinstance(y, t.Literal):
            op, x, y = TURNED[op], y, x
        counted = self._find(x)
        if counted and counted.kind == "count" and isinstance(y, t.Literal):
            return say_how_many(counted, op, y.value) or self._relate(op, x, y)
        match x, y:
            case t.Operation(op="mod", args=(z, t.Literal(value=2))), t.Literal(value=0 | 1 as v) if op in ("eq", "ne"):
                said = self._number(z)
                return f"{said} is {'even' if (v == 0) == (op == 'eq') else 'odd'}" if said else ""
            case t.Operation(op="mod", args=(z, n)), t.Literal(value=0) if op in ("eq", "ne"):
                said, factor = self._number(z), self._number(n)
                return f"{said} is {IS[op]}a multiple of {factor}" if said and factor else ""
        return self._relate(op, x, y)

    def _relate(self, op: str, x: t.Term, y: t.Term) -> str:
        left, right = self._number(x), self._number(y)
        return f"{left} is {IS[op]}{right}" if left and right else ""

    def _find(self, term: t.Term) -> HeapFold | None:
        return self.known.get(term.name) if isinstance(term, t.Variable) else read_fold(term)

    def _number(self, term: t.Term) -> str:
        if any(isinstance(x, t.Variable) and x.name in self.unknown for x in walk(term)):
            return ""
        return say_number(term, {name: self._call(name) for name in self.known})


def _is_equivalence(term: t.Term) -> bool:
    return isinstance(term, t.Operation) and term.op == "eq" and term.args[0].type == BOOL
