"""The formal statement of a claim, typeset: all of it from the claim's own terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from checks.judgement.telling.saying import players_of
from checks.results.statement import FormalStatement, TypesetFormula
from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import walk
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.markup import LAST_COMMA, fence, mo, mrow, separate
from claims.language.terms.terms import Term
from claims.language.terms.types import BOOL, INT, POSITION, list_of
from claims.language.typeset.flowing import flow, math, word
from claims.language.typeset.mathml import typeset_math
from claims.language.typeset.names import typeset_name
from claims.language.typeset.neat import neaten

# -- terms ------------------------------------------------------------------------------------------------------------
# Terms of a claim as formulas of the result model: source text and markup.


def typeset(term: Term, players: tuple[str, ...] = (), named_games: bool = False) -> TypesetFormula:
    """The term in the claim language and as HTML; `named_games`: the claim is about several games."""
    return TypesetFormula(print_term(term, players), flow(neaten(term), players, named_games))


def typesetter(claim: Claim) -> Callable[[Term], TypesetFormula]:
    """`typeset` with the players and games of the claim."""
    return partial(typeset, players=players_of(claim), named_games=len(claim.games) > 1)


# -- domains ----------------------------------------------------------------------------------------------------------
# What the variables of a claim range over, typeset: `k ≥ 1`, "position s", `S ⊆ {1, …, 6}`.


FEW = 6  # values that stand in one piece


def typeset_domain(variable: d.ClaimVariable, show: Callable[[t.Term], TypesetFormula]) -> TypesetFormula:
    """The variable and its domain, to be read after "for every" or "for some"; `show` typesets terms of the claim."""
    name, domain = variable.name, variable.domain
    x = t.Variable(variable.type, 0, 0, name)
    match domain:
        case d.IntervalDomain(lo=lo, hi=None):
            markup = show(_compare(*_bound("ge", x, lo))).markup
        case d.IntervalDomain(lo=lo, hi=t.Term() as hi):
            op, _, low = _bound("ge", x, lo)
            below = _compare({"ge": "le", "gt": "lt"}[op], low, x)
            markup = show(t.AllOf(BOOL, 0, 0, (below, _compare(*_bound("le", x, hi))))).markup
        case d.ElementsOf(source=source):
            markup = show(_compare("in", x, source)).markup
        case d.Positions():
            markup = f"{word('position')} {math(typeset_name(name))}"
        case d.Players():
            markup = f"{word('player')} {math(typeset_name(name))}"
        case d.Subsets(lo=lo, hi=hi):
            numbers = t.Operation(list_of(INT), 0, 0, "range", (_number(lo), _number(hi + 1)))
            markup = math(mrow(typeset_name(name), mo("⊆"), typeset_math(numbers)))
        case d.ListedDomain(values=values):
            markup = _list_values(name, [typeset_math(_value(v)) for v in values])
    separator = " " if variable.text.startswith("in ") else " : "
    return TypesetFormula(f"{name}{separator}{variable.text}", markup)


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


def _bound(op: str, x: t.Term, bound: t.Term) -> tuple[str, t.Term, t.Term]:
    """A bound of an integer as it is read best: `l > k` where the file has `k+1..`, `b < t` where it has `..t-1`."""
    match op, bound:
        case "ge", t.Operation(op="add", args=(less, t.Literal(value=1))):
            return "gt", x, less
        case "le", t.Operation(op="sub", args=(more, t.Literal(value=1))):
            return "lt", x, more
    return op, x, bound


def _compare(op: str, x: t.Term, y: t.Term) -> t.Term:
    return t.Operation(BOOL, 0, 0, op, (x, y))


# -- the statement ----------------------------------------------------------------------------------------------------
def formal_of(claim: Claim) -> FormalStatement:
    """The statement, with the definitions that it uses: those that it mentions first, then what these mention."""
    sources = dict(claim.texts)
    names = {head.partition("(")[0]: head for head in sources}

    typeset_term = typesetter(claim)

    def show(term: t.Term, source: str = "") -> TypesetFormula:
        formula = typeset_term(term)
        return replace(formula, text=" ".join(source.split())) if source else formula

    definitions = []
    for call in list_calls(claim):
        head = names.get(call.function.name, "")
        left = show(_left_side(call), head)
        sign = word("means") if call.type == BOOL else math(mo("=", 'lspace="0.1em" rspace="0"'))
        left = replace(left, markup=f"{left.markup} {sign}")
        definitions.append((left, show(call.function.body, sources.get(head, ""))))
    return FormalStatement(
        quantified=tuple(typeset_domain(v, show) for v in claim.variables),
        hypothesis=None if claim.hypothesis is None else show(claim.hypothesis, sources["if"]),
        conclusion=show(claim.conclusion, sources["then"]),
        definitions=tuple(definitions),
    )


def list_calls(claim: Claim) -> tuple[t.Apply, ...]:
    """For each definition that the statement uses one call of it: what is mentioned first, then what that mentions."""
    found = dict[str, t.Apply]()
    terms: Iterable[object] = (
        claim.hypothesis,
        claim.conclusion,
        claim.variables,
        tuple(g.arguments for g in claim.games),
    )
    while True:
        new = dict[str, t.Apply]()
        for x in _find_calls(terms):
            if x.function.name not in found:
                new.setdefault(x.function.name, x)
        if not new:
            return tuple(found.values())
        found |= new
        terms = [x.function.body for x in new.values()]


def _find_calls(values: Iterable[object]) -> Iterator[t.Apply]:
    """Calls in terms or frozen structures of them."""
    return (x for value in values for x in walk(value) if isinstance(x, t.Apply))


def _left_side(call: t.Apply) -> t.Apply:
    """`f(x, y)`, with the parameters as the definition names them."""
    names = call.function.parameters
    return replace(call, args=tuple(t.Variable(x.type, 0, 0, n) for n, x in zip(names, call.args, strict=True)))
