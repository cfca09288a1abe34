"""A formula as HTML that a line may break in: several `math` elements joined by words at its top connectives."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from html import escape

from claims.language.builtins.notations import Relation
from claims.language.builtins.table import BUILTINS
from claims.language.terms import terms as t
from claims.language.terms.markup import LAST_COMMA, Binding, Words, mi, mo, mrow, separate
from claims.language.terms.types import BOOL
from claims.language.typeset.breaking import break_up, width
from claims.language.typeset.mathml import MathMLWriter
from claims.language.typeset.shapes import implication, is_chain

WIDE = 22  # signs: an equation of more may break before its sign


def flow(term: t.Term, players: tuple[str, ...] = (), named_games: bool = False) -> str:
    """The term as an HTML fragment, safe as it stands. `named_games`: a question says which game it is about.

    >>> a, b = (t.Variable(BOOL, 0, 0, name) for name in "ab")
    >>> flow(t.AllOf(BOOL, 0, 0, (a, b)))
    '<math><mi>a</mi></math> <span class="conn">and</span> <math><mi>b</mi></math>'
    """
    return flowing(players, named_games)(term)


def flowing(players: tuple[str, ...] = (), named_games: bool = False) -> Callable[[t.Term], str]:
    """`flow` for terms that have parts in common: each part is typeset once."""
    made = _Flow(MathMLWriter(players, named_games))
    return lambda term: made.show(term, _Level.NOTHING, True)


def math(markup: str) -> str:
    """A `math` element."""
    return f"<math>{markup}</math>"


def word(text: str) -> str:
    """A connective between formulas."""
    return f'<span class="conn">{escape(text)}</span>'


class _Level(IntEnum):
    """How loosely words bind: a part is put in parentheses unless it is tighter than what stands around it."""

    NOTHING = 0
    EQUIVALENCE = 1
    OR = 2
    AND = 3
    TIGHT = 4


@dataclass(frozen=True)
class _Flow:
    writer: MathMLWriter

    def show(self, term: t.Term, around: _Level, last: bool) -> str:
        """The fragment of a part. `last`: no words follow, so that "for every" may reach to the end."""
        if isinstance(term, t.AllOf | t.AnyOf) and len(term.args) == 1:
            return self.show(term.args[0], around, last)
        level = self._find_level(term, last)
        if level is None:
            return self._lay_out(term, around, last)
        return self._join_parts(term, last) if level > around else f"({self._join_parts(term, True)})"

    def _find_level(self, term: t.Term, last: bool) -> _Level | None:
        """How loosely the words of a condition bind, None where it has no connective and no quantifier."""
        match term:
            case t.AllOf(args=(x,)) | t.AnyOf(args=(x,)):
                return self._find_level(x, last)
            case t.Operation(op="eq", args=(x, _)) if x.type == BOOL:
                return _Level.EQUIVALENCE
            case t.AnyOf(args=(_, _, *_)):
                return _Level.EQUIVALENCE if implication(term) else _Level.OR
            case t.AllOf(args=(_, _, *_) as args) if not is_chain(args):
                return _Level.AND
            case t.Comprehension(reducer="all" | "any"):
                return _Level.TIGHT if last else _Level.NOTHING
            case t.Operation(op="not", args=(t.Comprehension(reducer="any") as x,)):
                return self._find_level(x, last)
            case t.Operation(op="not", args=(x,)) if self._find_level(x, True) is not None:
                return _Level.TIGHT
        return None

    def _join_parts(self, term: t.Term, last: bool) -> str:
        """The fragment of what has a level."""
        match term:
            case t.Operation(op="eq", args=args):
                return self._join("exactly when", args, _Level.EQUIVALENCE, last)
            case t.AnyOf(args=args):
                implied = implication(term)
                if implied:
                    return self._join("implies", implied, _Level.EQUIVALENCE, last)
                long = any(isinstance(x, t.AllOf) and not is_chain(x.args) for x in args)
                return self._join(", or" if long else "or", args, _Level.OR, last)
            case t.AllOf(args=args):
                return self._join("and", args, _Level.AND, last)
            case t.Comprehension(reducer="all"):
                return self._quantify(term, "for every")
            case t.Comprehension():
                return self._quantify(term, "there is")
            case t.Operation(args=(t.Comprehension(reducer="any") as found,)):
                return self._quantify(found, "there is no")
            case t.Operation(args=(x,)):
                return f"{word('not')} ({self.show(x, _Level.NOTHING, True)})"
        raise AssertionError(term)

    def _join(self, connective: str, args: tuple[t.Term, ...], around: _Level, last: bool) -> str:
        *first, end = args
        sign = f"{word(connective)} " if connective.startswith(",") else f" {word(connective)} "
        return sign.join([*(self.show(x, around, False) for x in first), self.show(end, around, last)])

    def _quantify(self, term: t.Comprehension, head: str) -> str:
        """It reaches to the end of what it stands in."""
        where = math(separate([self.writer.show_clauses((c,), braces=True) for c in term.clauses]))
        link = ":" if head == "for every" else f" {word('such that' if self._is_told(term.body) else 'with')}"
        return f"{word(head)} {where}{link} {self.show(term.body, _Level.EQUIVALENCE, True)}"

    def _is_told(self, term: t.Term) -> bool:
        """Whether a condition begins with words."""
        if isinstance(term, t.AllOf | t.AnyOf) and not is_chain(term.args):
            return self._is_told(term.args[0])
        return (
            self._find_level(term, True) is not None
            or isinstance(term, t.GameCall | t.Apply)
            or (isinstance(term, t.Operation) and self.writer.typeset(term).sentence != ())
        )

    def _lay_out(self, term: t.Term, around: _Level, last: bool) -> str:
        """A part without connectives: its words as words, and what is wide in pieces."""
        piece = self.writer.typeset(term, last)
        if piece.sentence:
            return "".join(escape(x.text) if isinstance(x, Words) else _show_part(x) for x in piece.sentence)
        whole = self.writer.show(term, _BINDINGS[around], last)
        if width(piece.markup) <= WIDE:
            return math(whole)
        pieces = [x for part in self._divide(term, last) or [whole] for x in break_up(part)]
        return " ".join(math(mrow(x)) for x in pieces) if len(pieces) > 1 else math(whole)

    def _divide(self, term: t.Term, last: bool) -> list[str]:
        """What is wide, in pieces of markup that a line may break between; nothing if it does not divide."""
        match term:
            case t.AllOf(args=(t.Operation() as first, *_) as args) if is_chain(args):
                links = [(x, last and x is args[-1]) for x in args if isinstance(x, t.Operation)]
                return [self.writer.show(first.args[0], Binding.MOD), *(y for x in links for y in self._link(*x))]
            case t.Operation(args=(x, _)) if isinstance(BUILTINS[term.op].shown, Relation) and x.type != BOOL:
                return [self.writer.show(x, Binding.MOD), *self._link(term, last)]
            case t.Operation(op="max" | "min" | "position" as op, args=(t.Collection(items=(_, _, _, *_)) as listed,)):
                head, *rest = self._divide(listed, last)
                return [head if op == "position" else mi(op) + head, *rest]
            case t.Collection(items=(_, _, _, *_) as items):
                *shown, end = [self.writer.show(x, Binding.OR) for x in items]
                opening, closing = _brackets(term)
                return [(opening if i == 0 else "") + x + LAST_COMMA for i, x in enumerate(shown)] + [end + closing]
            case t.Comprehension(reducer="set" | "list"):
                left, right = self.writer.show_members(term)
                start, end = _brackets(term)
                return [start + left + mo("∣", 'rspace="0"'), right + end] if right else []
        return []

    def _link(self, term: t.Operation, last: bool) -> list[str]:
        """The sign of a relation and its right side."""
        relation, right = BUILTINS[term.op].shown, term.args[1]
        assert isinstance(relation, Relation)
        wide = width(self.writer.show(right)) > WIDE
        first, *rest = (self._divide(right, last) if wide else []) or [self.writer.show(right, Binding.MOD, last)]
        return [mo(relation.sign, 'form="infix" lspace="0"') + first, *rest]


_BINDINGS = {
    _Level.NOTHING: Binding.ANYTHING,
    _Level.EQUIVALENCE: Binding.OR,
    _Level.OR: Binding.AND,
    _Level.AND: Binding.NOT,
}


def _brackets(term: t.Term) -> tuple[str, str]:
    """Those of a set or a list."""
    opening, closing = "{}" if term.type.kind == "set" else "()"
    return mo(opening, 'form="prefix" stretchy="false"'), mo(closing, 'form="postfix" stretchy="false"')


def _show_part(markup: str) -> str:
    """A formula inside a sentence; a name that is mere words joins them."""
    found = re.fullmatch(r"<mtext>([^<]*)</mtext>", markup)
    return found[1] if found else math(markup)
