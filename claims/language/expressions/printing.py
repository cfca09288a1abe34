"""Terms back to text, in the language they were written in, with the minimum of parentheses."""

from __future__ import annotations

from collections.abc import Callable

from claims.language.builtins.table import BUILTINS
from claims.language.terms import terms as t
from claims.language.terms.types import OUTCOME, PLAYER


def display(name: str) -> str:
    """The name of a variable as the file writes it.

    >>> display("t'3")
    't'
    """
    return name.split("'", 1)[0]


def print_term(term: t.Term, players: tuple[str, ...] = ()) -> str:
    """The term in the language; players by name where `players` gives them."""
    return printing(players)(term)


def printing(players: tuple[str, ...] = ()) -> Callable[[t.Term], str]:
    """`text` for terms that have parts in common: each part is printed once."""
    printer = _Printer(players)
    return lambda term: printer.show(term, 0)


class _Printer:
    def __init__(self, players: tuple[str, ...]) -> None:
        self.players = players
        self._known: dict[int, tuple[t.Term, tuple[str, int]]] = {}  # the terms are kept, so that their ids stay theirs

    def show(self, term: t.Term, power: int) -> str:
        """The text of a term inside a context that binds with `power`."""
        found = self._known.get(id(term))
        if found is None:
            found = self._known[id(term)] = term, self._print(term)
        made, own = found[1]
        return f"({made})" if own < power else made

    def _print(self, term: t.Term) -> tuple[str, int]:
        match term:
            case t.Literal(value=v):
                if term.type == OUTCOME:
                    return t.OUTCOMES[v], 10
                if term.type == PLAYER and v < len(self.players):
                    return self.players[v], 10
                return (str(bool(v)) if term.type.kind == "Bool" else str(v)), 10
            case t.Variable(name=name):
                return display(name), 10
            case t.AllOf(args=args):
                return " and ".join(self.show(x, 3) for x in args), 2
            case t.AnyOf(args=args):
                return " or ".join(self.show(x, 2) for x in args), 1
            case t.IfElse(condition=c, then=x, other=y):
                return f"{self.show(x, 1)} if {self.show(c, 1)} else {self.show(y, 0)}", 0
            case t.Collection(items=items):
                inside = ", ".join(self.show(x, 0) for x in items)
                return (f"{{{inside}}}" if term.type.kind == "set" else f"[{inside}]"), 10
            case t.Apply(function=f, args=args):
                return self._print_call(f.name, args) if f.parameters else f.name, 10
            case t.GameCall():
                return self._print_call(term.called, term.written), 10
            case t.Comprehension(reducer=reducer, body=body, clauses=clauses):
                heads = "".join(self._print_clause(c) for c in clauses)
                inside = self.show(body, 1) + heads
                if reducer in ("list", "set"):
                    return (f"[{inside}]" if reducer == "list" else f"{{{inside}}}"), 10
                return f"{reducer}({inside})", 10
            case t.Operation(op=op, args=args):
                return self._print_operation(op, args)
        raise AssertionError(term)

    def _print_clause(self, clause: t.Clause) -> str:
        conditions = "".join(f" if {self.show(c, 1)}" for c in clause.conditions)
        return f" for {display(clause.variable)} in {self.show(clause.source, 1)}{conditions}"

    def _print_call(self, name: str, args: tuple[t.Term, ...]) -> str:
        return f"{name}({', '.join(self.show(x, 0) for x in args)})"

    def _print_operation(self, op: str, args: tuple[t.Term, ...]) -> tuple[str, int]:
        if op == "rational":
            return self._print(args[0])
        if op == "not":
            if isinstance(args[0], t.Operation) and args[0].op == "in":
                x, c = args[0].args
                return f"{self.show(x, 5)} not in {self.show(c, 5)}", 4
            return f"not {self.show(args[0], 3)}", 3
        if op == "part" and isinstance(args[1], t.Literal):
            return f"{self.show(args[0], 10)}.{args[0].type.parts[args[1].value][0]}", 10
        form = BUILTINS[op].form
        if form is not None:
            return form.pattern.format(*(self.show(x, p) for x, p in zip(args, form.parts, strict=True))), form.power
        if op == "range" and isinstance(args[0], t.Literal) and args[0].value == 0:
            args = args[1:]
        return self._print_call(BUILTINS[op].called, args), 10
