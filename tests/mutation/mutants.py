"""The mutants of a module: one small change of an expression or a statement each."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
COUNTERS = {"take", "spend"}  # their arguments are estimates of work, which do not affect verdicts
WHOLE = (ast.Raise, ast.Break, ast.Continue, ast.AugAssign, ast.Delete)  # statements that are left out
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Mutant:
    """A change of a file: `new` replaces the text between `start` and `end`.

    `place`: the qualified name of the function, "" for the module itself. `before`, `after`: the changed lines.
    `inside`: whether the change is in the body of a function.
    """

    file: str
    place: str
    line: int
    before: str
    after: str
    start: int
    end: int
    new: str
    inside: bool

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The key in the table of explained survivors. It has no line number, so that it survives other changes."""
        return self.file, self.place, self.before, self.after

    def apply(self, text: str) -> str:
        """Return the text of the file with the change. No line moves."""
        return text[: self.start] + self.new + text[self.end :]


def list_mutants(file: str, text: str) -> list[Mutant]:
    """Return the mutants of a module in the order of its text. No two have the same text."""
    lines = text.splitlines(keepends=True)
    starts = list(accumulate(map(len, lines), initial=0))

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    found: dict[tuple[int, int, str], Mutant] = {}
    for node, place, new, inside in _visit(ast.parse(text), "", inside=False):
        start, end = offset(node.lineno, node.col_offset), offset(node.end_lineno or 0, node.end_col_offset or 0)
        filler = "\n" * text.count("\n", start, end)
        new = f"{new}{filler}" if isinstance(node, ast.stmt) or (new.isalnum() and not filler) else f"({new}{filler})"
        first, last = starts[node.lineno - 1], starts[node.end_lineno or 0]
        before, after = text[first:last], text[first:start] + new + text[end:last]
        shown = " ".join(before.split()), " ".join(after.split())
        if new != text[start:end]:
            found.setdefault((start, end, new), Mutant(file, place, node.lineno, *shown, start, end, new, inside))
    return sorted(found.values(), key=lambda m: (m.start, m.end, m.new))


def _visit(node: ast.AST, place: str, inside: bool) -> Iterator[tuple[ast.expr | ast.stmt, str, str, bool]]:
    """Yield each change below a node: the replaced node, the place, the new text, and whether it is in a body."""
    if isinstance(node, ast.expr | ast.stmt):
        yield from ((node, place, new, inside) for new in _change(node))
    for test in _list_tests(node):
        yield from ((test, place, new, inside) for new in ("True", "False"))
    below = place
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        below = f"{place}.{node.name}".lstrip(".")
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_skipped(node, name, child):
                body = isinstance(node, FUNCTIONS) and name == "body"
                yield from _visit(child, below if name == "body" else place, inside or body)


def _list_tests(node: ast.AST) -> list[ast.expr]:
    """Return the conditions on which a node branches."""
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.match_case(guard=ast.expr() as test):
            return [test]
        case ast.comprehension(ifs=tests):
            return tests
    return []


def _is_skipped(node: ast.AST, name: str, child: ast.AST) -> bool:
    """Whether a child does not affect verdicts: types, messages, assertions, decorators, texts, places, work estimates.

    The second and the third argument of a term, `t.Literal(INT, 0, 0, 7)`, are its place in a text.
    """
    made = isinstance(node, ast.Call) and getattr(getattr(node.func, "value", None), "id", "") == "t"
    counter = isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in COUNTERS
    demanded = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "demand" and child is node.args[-1]
    return (
        name in ("annotation", "returns", "decorator_list")
        or isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr)
        or (counter and name == "args")
        or demanded
        or (made and child in node.args[1:3])
        or (isinstance(child, ast.keyword) and child.arg == "strict")
    )


def _change(node: ast.expr | ast.stmt) -> Iterator[str]:
    """Yield the replacements of the node."""
    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield _copied(node, "ops", [*ops[:i], COMPARED[type(op)](), *ops[i + 1 :]])
        case ast.BoolOp(op=op, values=values):
            yield _copied(node, "op", ast.Or() if isinstance(op, ast.And) else ast.And())
            for i in range(len(values)):
                rest = [*values[:i], *values[i + 1 :]]
                yield ast.unparse(rest[0]) if len(rest) == 1 else _copied(node, "values", rest)
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield ast.unparse(operand)
        case ast.BinOp(op=op) if type(op) in OPERATED and not isinstance(node.left, ast.JoinedStr):
            yield _copied(node, "op", OPERATED[type(op)]())
        case ast.Constant(value=bool() as value):
            yield str(not value)
        case ast.Constant(value=int() as value):
            yield from (str(value + 1), *([str(value - 1)] if value > 0 else []))
        case ast.Name(id=name) if name in NAMES:
            yield NAMES[name]
        case ast.AugAssign(op=op) if type(op) in OPERATED:
            yield _copied(node, "op", OPERATED[type(op)]())
            yield "pass"
        case ast.Expr(value=ast.Call()):
            yield "pass"
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield "pass"
        case _ if isinstance(node, WHOLE):
            yield "pass"


def _copied(node: ast.AST, field: str, value: object) -> str:
    changed = copy.copy(node)
    setattr(changed, field, value)
    return ast.unparse(changed)
