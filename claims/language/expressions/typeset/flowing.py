"""A formula as HTML that a line may break in: several `math` elements joined by words at its top connectives."""

from __future__ import annotations

from enum import IntEnum

from claims.language.expressions import terms as t
from claims.language.expressions.types import BOOL
from claims.language.expressions.typeset.markup import Binding, separate
from claims.language.expressions.typeset.mathml import Writer, implication


def flow(term: t.Term, players: tuple[str, ...] = (), named_games: bool = False) -> str:
    """The term as an HTML fragment, safe as it stands. `named_games`: a question says which game it is about.

    >>> from claims.language.expressions.types import INT
    >>> a, b = (t.Variable(BOOL, 0, 0, name) for name in "ab")
    >>> flow(t.AllOf(BOOL, 0, 0, (a, b)))
    '<math><mi>a</mi></math> <span class="conn">and</span> <math><mi>b</mi></math>'
    """
    return _Flow(Writer(players, named_games)).show(term, _Inside.NOTHING, True)


def math(markup: str) -> str:
    """A `math` element."""
    return f"<math>{markup}</math>"


def word(text: str) -> str:
    """A connective between formulas."""
    return f'<span class="conn">{text}</span>'


class _Inside(IntEnum):
    """Which connectives in words stand around: what binds as loosely is not put into words once more."""

    NOTHING = 0
    EQUIVALENCE = 1
    OR = 2
    AND = 3


class _Flow:
    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def show(self, term: t.Term, inside: _Inside, last: bool) -> str:
        """The fragment of a part. `last`: no words follow, so that "for every" may reach to the end."""
        match term:
            case t.Operation(op="eq", args=(x, y)) if x.type == BOOL and inside == _Inside.NOTHING:
                return self._join("exactly when", (x, y), _Inside.EQUIVALENCE, last)
            case t.AnyOf() if (found := implication(term)) and inside == _Inside.NOTHING:
                return self._join("implies", found, _Inside.EQUIVALENCE, last)
            case t.AnyOf(args=args) if len(args) > 1 and not implication(term) and inside < _Inside.OR:
                longer = any(isinstance(x, t.AllOf) and not self.writer.is_chain(x.args) for x in args)
                return self._join(", or" if longer else "or", args, _Inside.OR, last)
            case t.AllOf(args=args) if len(args) > 1 and not self.writer.is_chain(args) and inside < _Inside.AND:
                return self._join("and", args, _Inside.AND, last)
            case t.Comprehension(reducer="any" | "all") if last:
                return self._quantify(term, ("for every", ":") if term.reducer == "all" else ("there is", "with"))
            case t.Operation(op="not", args=(t.Comprehension(reducer="any") as found,)) if last:
                return self._quantify(found, ("there is no", "with"))
        return math(self.writer.show(term, _BINDINGS[inside], last))

    def _join(self, connective: str, args: tuple[t.Term, ...], inside: _Inside, last: bool) -> str:
        *first, end = args
        parts = [self.show(x, inside, False) for x in first]
        sign = f"{word(connective)} "
        return (sign if connective.startswith(",") else f" {sign}").join([*parts, self.show(end, inside, last)])

    def _quantify(self, term: t.Comprehension, words: tuple[str, str]) -> str:
        where = separate([self.writer.show_clauses((c,), braces=True) for c in term.clauses])
        then = words[1] if words[1] == ":" else f" {word(words[1])}"
        return f"{word(words[0])} {math(where)}{then} {self.show(term.body, _Inside.EQUIVALENCE, True)}"


_BINDINGS = {
    _Inside.NOTHING: Binding.ANYTHING,
    _Inside.EQUIVALENCE: Binding.OR,
    _Inside.OR: Binding.AND,
    _Inside.AND: Binding.NOT,
}
