"""The sign `^`, where it may have been meant as a power."""

from __future__ import annotations

from claims.language.expressions.printing import print_term
from claims.language.grammar.parser import NO_POWER
from claims.language.terms import terms as t


def say_power(*terms: t.Term | None) -> str:
    """What `^` means, if the terms, or definitions that they call, have a part like `x ^ 2` or `x ^ 3 + y`; else ""."""
    todo, seen = [x for x in terms if x is not None], set[int]()
    while todo:
        term = todo.pop(0)
        match term:
            case t.Operation(op="nim", args=(x, y)) if not isinstance(x, t.Literal) and _first(y) in (2, 3):
                return f"in {print_term(term)} the sign ^ is nim-addition, which binds weaker than +; {NO_POWER}"
            case t.Apply(function=function) if id(function) not in seen:
                seen.add(id(function))
                todo.append(function.body)
        todo = [*t.subterms(term), *todo]
    return ""


def _first(term: t.Term) -> int | None:
    """The number that a sum or product begins with."""
    while isinstance(term, t.Operation) and term.op in ("add", "sub", "mul", "floordiv", "mod", "div"):
        term = term.args[0]
    return term.value if isinstance(term, t.Literal) else None
