"""What the variables of a claim range over, typeset: `k ≥ 1`, "position s", `S ⊆ {1, …, 6}`."""

from __future__ import annotations

from collections.abc import Callable

from checks.results.statement import Formula
from claims.language.expressions import terms as t
from claims.language.expressions.types import BOOL, INT, POSITION, list_of
from claims.language.expressions.typeset.flowing import math, word
from claims.language.expressions.typeset.markup import LAST_COMMA, fence, mo, mrow, separate
from claims.language.expressions.typeset.mathml import typeset_math
from claims.language.expressions.typeset.names import typeset_name
from claims.language.statement import domains as d

FEW = 6  # values that stand in one piece


def typeset_domain(variable: d.Variable, show: Callable[[t.Term], Formula]) -> Formula:
    """The variable and its domain, to be read after "for every" or "for some"; `show` typesets terms of the claim."""
    name, domain = variable.name, variable.domain
    x = t.Variable(variable.type, 0, 0, name)
    match domain:
        case d.Interval(lo=lo, hi=None):
            markup = show(_compare("ge", x, lo)).markup
        case d.Interval(lo=lo, hi=t.Term() as hi):
            markup = show(t.AllOf(BOOL, 0, 0, (_compare("le", lo, x), _compare("le", x, hi)))).markup
        case d.ElementsOf(source=source):
            markup = show(_compare("in", x, source)).markup
        case d.Positions():
            markup = f"{word('position')} {math(typeset_name(name))}"
        case d.Players():
            markup = f"{word('player')} {math(typeset_name(name))}"
        case d.Subsets(lo=lo, hi=hi):
            numbers = t.Operation(list_of(INT), 0, 0, "range", (_number(lo), _number(hi + 1)))
            markup = math(mrow(typeset_name(name), mo("⊆"), typeset_math(numbers)))
        case d.Listed(values=values):
            markup = _list_values(name, [typeset_math(_value(v)) for v in values])
    separator = " " if variable.text.startswith("in ") else " : "
    return Formula(f"{name}{separator}{variable.text}", markup)


def _list_values(name: str, values: list[str]) -> str:
    """`x ∈ {1, 2, 3}`; of many values a line may break between any two."""
    if len(values) <= FEW:
        return math(mrow(typeset_name(name), mo("∈"), fence(separate(values), "{", "}")))
    first, *middle, end = values
    pieces = [typeset_name(name) + mo("∈") + mo("{", 'form="prefix" stretchy="false"') + first + LAST_COMMA]
    pieces += [value + LAST_COMMA for value in middle]
    pieces += [end + mo("}", 'form="postfix" stretchy="false"')]
    return " ".join(math(mrow(piece)) for piece in pieces)


def _value(value: int | tuple[int, ...]) -> t.Term:
    if isinstance(value, int):
        return _number(value)
    heaps = t.Collection(list_of(INT), 0, 0, tuple(map(_number, value)))
    return t.Operation(POSITION, 0, 0, "position", (heaps,))


def _number(value: int) -> t.Term:
    return t.Literal(INT, 0, 0, value)


def _compare(op: str, x: t.Term, y: t.Term) -> t.Term:
    return t.Operation(BOOL, 0, 0, op, (x, y))
