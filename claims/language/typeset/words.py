"""Conditions and folds of proofs in short English, where good words are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from claims.language.expressions.walk import walk
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, POSITION
from claims.language.typeset.heaps import IS, OPPOSITES, TURNED, HeapFold, read_fold, say_how_many, say_number, say_of
from claims.language.typeset.shapes import implication


def in_words(term: t.Term, folds: Mapping[str, t.Term]) -> str:
    """A condition in plain English, the folds by what they mean, no full stop; "" where no good words are known.

    `folds`: name -> the term of the fold.
    """
    known = {name: fold for name, x in folds.items() if (fold := read_fold(x))}
    unknown = frozenset(folds) - known.keys()
    return _Speaker(known, unknown).say(term, False)


def fold_in_words(term: t.Term) -> str:
    """What a fold is, such as "the nim-sum of the heaps below k" or "the number of heaps at least k"; "" if unknown."""
    found = read_fold(term)
    return found.words if found else ""


@dataclass(frozen=True)
class _Speaker:
    """Puts conditions into words; of `unknown` folds there are none.

    `single`: the count that was just said to be 1; `that`: the nim-sum that was spoken of last.
    """

    known: Mapping[str, HeapFold]
    unknown: frozenset[str]
    single: str = ""
    that: str = ""

    def say(self, term: t.Term, inside: bool) -> str:
        """`inside`: the words become part of a longer sentence, and must not hold a connective of their own."""
        if inside and (isinstance(term, t.AllOf | t.AnyOf) or _is_equivalence(term)):
            return ""
        match term:
            case t.AllOf(args=args):
                return self._list(args)
            case t.AnyOf(args=args):
                implied = implication(term)
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
        """A, B and C; a single heap that is at least k is "that heap" in what follows, and so on."""
        speaker, parts = self, list[str]()
        for x in args:
            parts.append(speaker.say(x, True))
            speaker = speaker._having_heard(x)
        *first, end = parts
        return f"{', '.join(first)} and {end}" if first and all(parts) else end if all(parts) else ""

    def _having_heard(self, term: t.Term) -> _Speaker:
        """Who goes on after a condition: "that" is always what was spoken of last, or nothing if that is in doubt."""
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
        """The words for a fold, short where it was just spoken of."""
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
            case t.AnyOf(args=args) if not (inside or implication(term)):
                parts = [self.say(x, not isinstance(x, t.AllOf)) for x in args]
                none = "neither" if len(parts) == 2 else "none"
                return f"{none} of these holds: {'; '.join(parts)}" if all(parts) else ""
            case t.AllOf() if not inside:
                said = self.say(term, False)
                return f"it is not so that {said}" if said else ""
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
