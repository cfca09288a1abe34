"""Terms back to text, in the language they were written in, with the minimum of parentheses."""

from __future__ import annotations

from fractions import Fraction

from claims.language.expressions import terms as t
from claims.language.expressions.types import OUTCOME, PLAYER

_INFIX = {
    "eq": ("==", 4), "ne": ("!=", 4), "lt": ("<", 4), "le": ("<=", 4), "gt": (">", 4), "ge": (">=", 4), "in": ("in", 4),
    "nim": ("^", 5), "add": ("+", 6), "sub": ("-", 6),
    "mul": ("*", 7), "floordiv": ("//", 7), "mod": ("%", 7), "div": ("/", 7), "pow": ("**", 9),
}  # fmt: skip
MAX_SHOWN_BITS = 1400  # of a number that is written out: 400 digits, as many as one in an expression may have
_NAMES = {"largest": "max", "smallest": "min"}


def display(name: str) -> str:
    """The name of a variable as the file writes it.

    >>> display("t'3")
    't'
    """
    return name.split("'", 1)[0]


def digits(x: int | Fraction) -> str:
    """The number in decimal digits; of a very long one, how long it is: Python writes none of more than 4300 digits.

    >>> digits(-12), digits(Fraction(1, 3)), digits(2**4000), digits(Fraction(1, 3**4000))
    ('-12', '1/3', 'an integer of 4001 bits', 'a fraction of 6340 bits')
    """
    size = max(x.numerator.bit_length(), x.denominator.bit_length())
    if size <= MAX_SHOWN_BITS:
        return str(x)
    return f"{'an integer' if x.denominator == 1 else 'a fraction'} of {size} bits"


def text(term: t.Term, players: tuple[str, ...] = ()) -> str:
    """The term in the language; players by name where `players` gives them."""
    return _Printer(players).show(term, 0)


class _Printer:
    def __init__(self, players: tuple[str, ...]) -> None:
        self.players = players

    def show(self, term: t.Term, power: int) -> str:
        """The text of a term inside a context that binds with `power`."""
        made, own = self._made(term)
        return f"({made})" if own < power else made

    def _made(self, term: t.Term) -> tuple[str, int]:
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
                return self._call(f.name, args) if f.parameters else f.name, 10
            case t.GameCall(function=name, args=args):
                written = tuple(x for x in args if x.start < x.end)  # a mover that the file left out has no width
                return self._call(name, written), 10
            case t.Comprehension(reducer=reducer, body=body, clauses=clauses):
                heads = "".join(self._clause(c) for c in clauses)
                inside = self.show(body, 1) + heads
                if reducer in ("list", "set"):
                    return (f"[{inside}]" if reducer == "list" else f"{{{inside}}}"), 10
                return f"{reducer}({inside})", 10
            case t.Operation(op=op, args=args):
                return self._operation(op, args)
        raise AssertionError(term)

    def _clause(self, clause: t.Clause) -> str:
        conditions = "".join(f" if {self.show(c, 1)}" for c in clause.conditions)
        return f" for {display(clause.variable)} in {self.show(clause.source, 1)}{conditions}"

    def _call(self, name: str, args: tuple[t.Term, ...]) -> str:
        return f"{name}({', '.join(self.show(x, 0) for x in args)})"

    def _operation(self, op: str, args: tuple[t.Term, ...]) -> tuple[str, int]:
        if op == "rational":
            return self._made(args[0])
        if op == "not":
            if isinstance(args[0], t.Operation) and args[0].op == "in":
                x, c = args[0].args
                return f"{self.show(x, 5)} not in {self.show(c, 5)}", 4
            return f"not {self.show(args[0], 3)}", 3
        if op == "neg":
            return f"-{self.show(args[0], 8)}", 8
        if op == "index":
            return f"{self.show(args[0], 10)}[{self.show(args[1], 0)}]", 10
        if op == "occurrences":
            return f"{self.show(args[0], 10)}.count({self.show(args[1], 0)})", 10
        if op in _INFIX:
            sign, power = _INFIX[op]
            left, right = (power + 1, power) if op == "pow" else (power, power + 1)
            if power == 4:
                left = 5
            return f"{self.show(args[0], left)} {sign} {self.show(args[1], right)}", power
        if op == "range" and isinstance(args[0], t.Literal) and args[0].value == 0:
            args = args[1:]
        return self._call(_NAMES.get(op, op), args), 10
