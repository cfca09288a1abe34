"""The formula that a claim states for the values of single heaps. This module does not load sympy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import INT


@dataclass(frozen=True, eq=False)
class StatedFormula:
    """The statement that `term` is the Grundy value of one heap of size `variable`, for all integers of the claim."""

    claim: Claim
    variable: str
    term: t.Term

    @property
    def integers(self) -> dict[str, int]:
        """The claim's integer variables with their least values."""
        return read_integers(self.claim)


def read_integers(claim: Claim) -> dict[str, int]:
    """Return the integer variables whose domain is a range, with their least values.

    The least value is 0 if a lower bound is not a literal.
    """
    found = {}
    for v in claim.variables:
        if v.type == INT and isinstance(v.domain, d.IntervalDomain):
            found[v.name] = v.domain.lo.value if isinstance(v.domain.lo, t.Literal) else 0
    return found


def formulas_of_heaps(claim: Claim) -> tuple[tuple[t.Term, t.Term], ...]:
    """Return pairs of a heap Ei and a term Ti for a claim that states Grundy values heap by heap.

    The claim has the form grundy(position([E1, ..., En])) == T1 ^ ... ^ Tn, or (wins(...)) == (T1 ^ ... ^ Tn != 0). The
    result is empty for another claim.
    """
    found = claim.conclusion
    if not isinstance(found, t.Operation) or found.op != "eq":
        return ()
    for left, right in (found.args, found.args[::-1]):
        match left, right:
            case t.GameCall(function="grundy", args=(s,)), value:
                pass
            case t.GameCall(function="wins", args=(s, *_)), t.Operation(op="ne", args=(value, t.Literal(value=0))):
                pass
            case _:
                continue
        match s:
            case t.Operation(op="position", args=(t.Collection(items=heaps),)):
                terms = tuple(_list_terms(value))
                if len(heaps) == len(terms) and not any(isinstance(x, t.GameCall) for x in walk((heaps, terms))):
                    return tuple(zip(heaps, terms, strict=True))
    return ()


def _list_terms(term: t.Term) -> Iterator[t.Term]:
    """Yield the operands of a nim-sum; the term itself if it is not a nim-sum."""
    match term:
        case t.Operation(op="nim", args=args):
            for x in args:
                yield from _list_terms(x)
        case _:
            yield term


def formula_of(claim: Claim) -> StatedFormula | None:
    """Return the closed form in a claim of the form grundy(position([x])) == E(x); None for another claim.

    The domain of x must have no upper bound, and E must not refer to a game.
    """
    found = claim.conclusion
    if claim.hypothesis is not None or not isinstance(found, t.Operation) or found.op != "eq":
        return None
    open_ = {v.name for v in claim.variables if isinstance(v.domain, d.IntervalDomain) and v.domain.hi is None}
    for left, right in (found.args, found.args[::-1]):
        match left:
            case t.GameCall(
                function="grundy",
                args=(t.Operation(op="position", args=(t.Collection(items=(t.Variable(name=x),)),)),),
            ) if x in open_ and not any(isinstance(part, t.GameCall) for part in walk(right)):
                return StatedFormula(claim, x, right)
    return None
