"""What may be changed in a function by rule: a premise dropped, a comparison flipped, a condition negated.

An operator lists the changes that it makes of a function, in the order of the text; a change is told by the operator
and its number in that list.  So it stays where it is when the function moves, or a name in it changes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
Placed = ast.expr | ast.stmt | ast.keyword
COMPARED = ("<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not")
REPLACED = {"()": "()", "[]": "[]", "''": '""', "none": "None", "0": "0", "1": "1"}
SLICED = {"[:0]": "[:0]", "[:1]": "[:1]", "[1:]": "[1:]", "[-1:]": "[-1:]", "[::-1]": "[::-1]"}
COUNTED = {"+1": " + 1", "-1": " - 1"}
PAIRED = {"min": "max", "max": "min", "any": "all", "all": "any"}
_ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Dict, ast.Set)
_PLAIN = (ast.Assign, ast.AugAssign, ast.Raise, ast.Break, ast.Continue, ast.Delete, ast.Assert, ast.Return, ast.Expr)
_COMPARISON = re.compile(r"not\s+in\b|is\s+not\b|in\b|is\b|[<>=!]=|[<>]")
_BITS = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Add: "+", ast.Sub: "-"}


class Edit(NamedTuple):
    """From `start` to before `end` of a text stands something else."""

    start: int
    end: int
    text: str


class Source:
    """The text of a module, where its nodes stand in it, and what is whose own."""

    def __init__(self, text: str) -> None:
        """Raises SyntaxError."""
        self.text, self.tree = text, ast.parse(text)
        self._lines = text.splitlines(keepends=True)
        self._starts = list(accumulate(map(len, self._lines), initial=0))
        self.places: dict[str, list[ast.AST]] = {}
        self.spans: dict[str, tuple[int, int]] = {}
        self._visit("", self.tree)
        self.spans[""] = 0, len(text)

    def _visit(self, name: str, node: ast.Module | ast.ClassDef | Function) -> None:
        """Let the place have what is its own: what is in it, in the order of the text.

        But for functions and classes inside, which are places themselves, for annotations and for docstrings.  A second
        function of the same name is `name#2`.
        """
        own: list[ast.AST] = []
        self.places[name] = own

        def add(child: ast.AST) -> None:
            if isinstance(child, Function | ast.ClassDef):
                inner = f"{name}.{child.name}".lstrip(".")
                same = sum(inner == other.partition("#")[0] for other in self.places)
                inner += f"#{same + 1}" * bool(same)
                first = min([child.lineno, *(x.lineno for x in child.decorator_list)])
                self.spans[inner] = self._starts[first - 1], self._starts[child.end_lineno or first]
                self._visit(inner, child)
                return
            own.append(child)
            for key, value in ast.iter_fields(child):
                if key not in ("annotation", "returns", "ctx"):
                    for part in value if isinstance(value, list) else [value]:
                        if isinstance(part, ast.AST):
                            add(part)

        if isinstance(node, Function):
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                add(default)
        for statement in node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body:
            add(statement)

    def start(self, node: Placed) -> int:
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: Placed) -> int:
        return self._offset(node.end_lineno or 0, node.end_col_offset or 0)

    def said(self, node: Placed) -> str:
        return self.text[self.start(node) : self.end(node)]

    def closed(self, node: Placed) -> str:
        """Its text, in parentheses where it might fall apart beside others."""
        return self.said(node) if isinstance(node, _ATOMS) else f"({self.said(node)})"

    def replaced(self, node: Placed, text: str) -> Edit:
        return Edit(self.start(node), self.end(node), text)

    def place_of(self, line: int) -> str:
        """The innermost place that a line belongs to, counted from 1."""
        at = self._starts[line - 1]
        around = [name for name, (start, end) in self.spans.items() if start <= at < end]
        return max(around, key=lambda name: self.spans[name][0] - self.spans[name][1])

    def edits(self, place: str, operator: str) -> tuple[Edit, ...]:
        """The changes that an operator makes of a place, in order; each within a line."""
        found = OPERATORS[operator](self, self.places[place])
        one_line = dict.fromkeys(e for e in found if "\n" not in self.text[e.start : e.end] + e.text)
        return tuple(sorted(one_line, key=lambda e: (e.start, e.end)))

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())


def _expressions(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """Those that have a value: no names that are set, and no part of a text in braces."""
    hidden = {x for n in nodes if isinstance(n, ast.JoinedStr) for x in ast.walk(n) if x is not n}
    for node in nodes:
        read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if isinstance(node, ast.expr) and read and node not in hidden and not isinstance(node, ast.Slice | ast.Starred):
            yield node


def _called(nodes: list[ast.AST]) -> set[ast.AST]:
    """The names of functions where they are called."""
    return {n.func for n in nodes if isinstance(n, ast.Call)}


def _values(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    called = _called(nodes)
    return (n for n in _expressions(nodes) if n not in called)


def _conditions(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """What decides: the tests of statements and clauses, the operands of `and` and `or`, comparisons."""
    tests: set[ast.AST] = set()
    for node in nodes:
        match node:
            case ast.If() | ast.While() | ast.IfExp() | ast.Assert():
                tests.add(node.test)
            case ast.comprehension():
                tests.update(node.ifs)
            case ast.BoolOp():
                tests.update(node.values)
            case ast.match_case(guard=ast.expr() as guard):
                tests.add(guard)
            case ast.UnaryOp(op=ast.Not()) | ast.Compare() | ast.BoolOp():
                tests.add(node)
            case ast.Call(func=ast.Name(id="any" | "all" | "bool" | "isinstance")):
                tests.add(node)
            case ast.Return(value=ast.expr() as value) if isinstance(value, ast.Compare | ast.BoolOp | ast.Call):
                tests.add(value)
    return (n for n in _expressions(nodes) if n in tests)


def _negated(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
    for node in _conditions(nodes):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield source.replaced(node, source.closed(node.operand))
        else:
            yield source.replaced(node, f"(not {source.closed(node)})")


def _decided(value: str) -> Callable[[Source, list[ast.AST]], Iterator[Edit]]:
    return lambda source, nodes: (source.replaced(n, value) for n in _conditions(nodes))


def _between(source: Source, left: Placed, right: Placed, sign: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where the sign stands that two operands have between them."""
    found = sign.search(source.text, source.end(left), source.start(right))
    if found:
        yield found.span()


def _compared(sign: str) -> Callable[[Source, list[ast.AST]], Iterator[Edit]]:
    """The comparisons that are not of this kind become so."""

    def edits(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
        for node in nodes:
            if isinstance(node, ast.Compare):
                for left, right in pairwise((node.left, *node.comparators)):
                    for start, end in _between(source, left, right, _COMPARISON):
                        if source.text[start:end] != sign:
                            yield Edit(start, end, sign)

    return edits


def _joined(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
    """`and` for `or`, and `or` for `and`."""
    for node in nodes:
        if isinstance(node, ast.BoolOp):
            new = "or" if isinstance(node.op, ast.And) else "and"
            said = [source.closed(v) if isinstance(v, ast.BoolOp) else source.said(v) for v in node.values]
            yield source.replaced(node, f"({f' {new} '.join(said)})")


def _operated(sign: str) -> Callable[[Source, list[ast.AST]], Iterator[Edit]]:
    def edits(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
        for node in nodes:
            if isinstance(node, ast.BinOp) and _BITS.get(type(node.op), sign) != sign:
                yield source.replaced(node, f"({source.closed(node.left)} {sign} {source.closed(node.right)})")
            if isinstance(node, ast.AugAssign) and _BITS.get(type(node.op), sign) != sign:
                yield source.replaced(node, f"{source.said(node.target)} {sign}= {source.said(node.value)}")

    return edits


def _dropped(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
    """One of several: an operand of `and` and `or`, of a chain of comparisons; a clause, an element, an argument."""
    for node in nodes:
        match node:
            case ast.BoolOp(values=parts):
                yield from _without_operand(source, parts)
            case ast.Compare(comparators=[_, _, *_]):
                yield Edit(source.start(node.left), source.start(node.comparators[0]), "")
                yield Edit(source.end(node.comparators[-2]), source.end(node.comparators[-1]), "")
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                yield from (_with_comma(source, source.start(x), source.end(x)) for x in parts)
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if key is not None:
                        yield _with_comma(source, source.start(key), source.end(value))
            case ast.Call():
                for part in (*node.args, *node.keywords):
                    yield _with_comma(source, source.start(part), source.end(part))
            case ast.comprehension(ifs=ifs):
                for test in ifs:
                    start = source.text.rfind(" if ", 0, source.start(test))
                    yield Edit(start, _wrapped(source, test)[1], "")


def _without_operand(source: Source, parts: list[ast.expr]) -> Iterator[Edit]:
    spans = [_wrapped(source, part) for part in parts]
    for (start, _), (following, _) in pairwise(spans):
        yield Edit(start, following, "")
    yield Edit(spans[-2][1], spans[-1][1], "")


def _wrapped(source: Source, node: Placed) -> tuple[int, int]:
    """From where to where it stands, the parentheses about it included."""
    start, end = source.start(node), source.end(node)
    while source.text[start - 1 : start] == "(" and source.text[end : end + 1] == ")":
        if source.text[start - 2 : start - 1].isidentifier() or source.text[start - 2 : start - 1] in (")", "]"):
            break  # the parentheses of a call
        start, end = start - 1, end + 1
    return start, end


def _with_comma(source: Source, start: int, end: int) -> Edit:
    after = re.compile(r",[ ]?").match(source.text, end)
    if after:
        return Edit(start, after.end(), "")
    before = re.compile(r"[ ]?,").match(source.text[:start][::-1])
    return Edit(start - before.end(), end, "") if before else Edit(start, end, "")


def _narrowed(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
    """An expression becomes one of those that it is made of."""
    called = _called(nodes)
    for node in _expressions(nodes):
        if node not in called:
            yield from (source.replaced(node, source.closed(part)) for part in _parts(node))


def _parts(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(value=value)):
            return [value, *(x for x in node.args if not isinstance(x, ast.Starred)), *(k.value for k in node.keywords)]
        case ast.Call():
            return [*(x for x in node.args if not isinstance(x, ast.Starred)), *(k.value for k in node.keywords)]
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.BinOp():
            return [node.left, node.right]
        case ast.BoolOp() if len(node.values) > 2:
            return node.values
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.Attribute() | ast.Subscript():
            return [node.value]
        case ast.UnaryOp() if not isinstance(node.op, ast.Not):
            return [node.operand]
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
            return [node.generators[0].iter]
        case ast.Tuple() | ast.List():
            return [x.value if isinstance(x, ast.Starred) else x for x in node.elts]
    return []


def _left_out(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
    """A statement becomes `pass`, or none is yielded."""
    for node in nodes:
        if isinstance(node, _PLAIN):
            yielded = isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom)
            yield source.replaced(node, "yield from ()" if yielded else "pass")


def _replaced(text: str) -> Callable[[Source, list[ast.AST]], Iterator[Edit]]:
    return lambda source, nodes: (source.replaced(n, text) for n in _values(nodes) if source.said(n) != text)


def _followed(text: str) -> Callable[[Source, list[ast.AST]], Iterator[Edit]]:
    def edits(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
        for node in _values(nodes):
            if isinstance(node, ast.Constant):
                if type(node.value) is int and text in COUNTED.values():
                    value = node.value + (1 if text == " + 1" else -1)
                    yield source.replaced(node, str(value) if value >= 0 else f"({value})")
            elif not isinstance(node, ast.Compare | ast.BoolOp | ast.JoinedStr):
                said = f"{source.closed(node)}{text}"
                yield source.replaced(node, f"({said})" if text in COUNTED.values() else said)

    return edits


def _turned(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
    """A constant that is true becomes one that is false; of min and max, of any and all, one becomes the other."""
    for node in _expressions(nodes):
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield source.replaced(node, str(not node.value))
        if isinstance(node, ast.Name) and node.id in PAIRED:
            yield source.replaced(node, PAIRED[node.id])


def _swapped(source: Source, nodes: list[ast.AST]) -> Iterator[Edit]:
    """Two that stand beside each other: arguments, elements, operands, branches."""
    for node in nodes:
        match node:
            case ast.Call(args=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                pairs = list(pairwise(parts))
            case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
                pairs = [(left, right)]
            case _:
                continue
        for a, b in pairs:
            middle = source.text[source.end(a) : source.start(b)]
            yield Edit(source.start(a), source.end(b), source.said(b) + middle + source.said(a))


OPERATORS: dict[str, Callable[[Source, list[ast.AST]], Iterator[Edit]]] = {
    "drop": _dropped,
    "not": _negated,
    "true": _decided("True"),
    "false": _decided("False"),
    **{sign: _compared(sign) for sign in COMPARED},
    "and-or": _joined,
    **{sign: _operated(sign) for sign in _BITS.values()},
    "pass": _left_out,
    "part": _narrowed,
    "turn": _turned,
    "swap": _swapped,
    **{name: _followed(text) for name, text in COUNTED.items()},
    **{name: _followed(text) for name, text in SLICED.items()},
    **{name: _replaced(text) for name, text in REPLACED.items()},
}
