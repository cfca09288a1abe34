"""Random edits of one expression, as text: a node is replaced by something similar."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from claims.language.errors import LanguageError
from claims.language.syntax import grammar as s
from claims.language.syntax.grammar import parse

GROUPS = (
    ("==", "!=", "<", "<=", ">", ">="),
    ("+", "-", "*", "//", "%", "^"),
    ("any", "all"),
    ("max", "min", "sum", "nim_sum", "len", "mex"),
    ("P_position", "N_position", "first_wins", "second_wins"),
)
GROUP_OF = {word: group for group in GROUPS for word in group}
CONDITIONS = frozenset(("any", "all", "wins", "legal", "terminal", "implies", "iff", "True", "False"))
COUNTS = frozenset(("sum", "nim_sum", "count", "len", "mex", "grundy", "value", "isqrt", "abs", "bit", "top_bit"))
FAR = (7, 13, 40, 50, 128, 1000, 2**31, 2**62)  # beyond any scope in which the shrunk claims are checked


@dataclass
class Names:
    """The names that an expression may use: of integers, of positions and of players."""

    integers: list[str] = field(default_factory=list)
    positions: list[str] = field(default_factory=list)
    players: list[str] = field(default_factory=list)

    def with_(self, *integers: str) -> Names:
        return Names([*self.integers, *integers], self.positions, self.players)


class Editor:
    """The random editor of expressions. Most results can be parsed; callers must skip the others."""

    def __init__(self, rng: random.Random, names: Names) -> None:
        self.rng, self.names = rng, names

    def edited(self, text: str) -> str | None:
        """Return the text with one change, or None if it cannot be parsed or no edit fits."""
        try:
            tree = parse(text)
        except LanguageError:
            return None
        nodes = list(walked(tree))
        for _ in range(12):
            edit = self.rng.choice(self._edits())
            new = edit(text, nodes)
            if new is not None and new != text:
                return new
        return None

    def _edits(self) -> list:
        return [
            *[self._constant] * 4,
            *[self._operator] * 4,
            *[self._name] * 4,
            *[self._condition] * 3,
            *[self._number] * 3,
            *[self._exchanged] * 2,
            *[self._reordered] * 2,
            self._dropped,
            self._brackets,
            self._captured,
            self._filtered,
            self._twin,
        ]

    # -- the edits ----------------------------------------------------------------------------------------------------
    def _constant(self, text: str, nodes: list[s.Node]) -> str | None:
        node = self._one(nodes, s.Numeral)
        if node is None:
            return None
        n = node.value
        new = self.rng.choice([n + 1, n - 1, n + 1, n - 1, 0, 1, 2 * n, n + 2, self.rng.choice(FAR)])
        return replaced(text, node, str(new) if new >= 0 else f"({new})")

    def _operator(self, text: str, nodes: list[s.Node]) -> str | None:
        """Replace one operator, or the name of a reducer or an outcome, by another of its kind."""
        spots = [(a, b, w) for n in nodes for a, b, w in operators(text, n) if w in GROUP_OF or w in ("and", "or")]
        if not spots:
            return None
        start, end, word = self.rng.choice(spots)
        others = [w for w in GROUP_OF.get(word, ("and", "or")) if w != word]
        return text[:start] + self.rng.choice(others) + text[end:]

    def _name(self, text: str, nodes: list[s.Node]) -> str | None:
        calls = {id(n.function) for n in nodes if isinstance(n, s.Call)}
        found = [n for n in nodes if isinstance(n, s.Name) and id(n) not in calls]
        node = self.rng.choice(found) if found else None
        if node is None:
            return None
        pools = [p for p in (self.names.integers, self.names.positions, self.names.players) if node.name in p]
        pool = pools[0] if pools else self.names.integers
        new = self.rng.choice([*pool, *(str(self.rng.choice((0, 1, 2, 5))) for _ in range(len(pool) < 3))])
        return replaced(text, node, new)

    def _condition(self, text: str, nodes: list[s.Node]) -> str | None:
        node = self._one([n for n in nodes if is_condition(n)])
        if node is None:
            return None
        x, far = text[node.start : node.end], self.rng.choice(FAR)
        v = self._integer(nodes)
        forms = [
            f"(not ({x}))",
            "True",
            "False",
            f"(({x}) or {v} > {far})",
            f"(({x}) and {v} < {far})",
            f"(({x}) and 1 // ({v} - {far}) <= 1)",
            f"(({x}) or 1 // ({v} - {far}) > 1)",
            f"(1 // ({v} - {far}) <= 1 and ({x}))",
            f"implies({v} < {far}, {x})",
            f"({x} if {v} < {far} else not ({x}))",
        ]
        if self.names.positions:
            p = self.rng.choice(self.names.positions)
            forms += [
                f"(({x}) or len({p}) > 5)",
                f"(({x}) or max({p}) > {far})",
                f"(({x}) and all(h < {far} for h in {p}))",
                f"(({x}) or {p}[3] > {far})",
                f"(({x}) and nim_sum({p}) != {far})",
            ]
        return replaced(text, node, self.rng.choice(forms))

    def _number(self, text: str, nodes: list[s.Node]) -> str | None:
        node = self._one([n for n in nodes if is_number(n)])
        if node is None:
            return None
        x, v, far = text[node.start : node.end], self._integer(nodes), self.rng.choice(FAR)
        forms = [
            f"({x} + 1)",
            f"({x} - 1)",
            f"(-({x}))",
            f"({x} + 0 * (1 // ({v} - {far})))",
            f"(({x}) // ({v} - {far}))",
            f"(({x}) % ({v} - {far}))",
            f"({x} if {v} < {far} else 0)",
            f"min({x}, {far})",
            f"(({x}) % {far})",
            f"(({x}) ^ ({v} - {self.rng.choice((2, 3, 50))}))",
            f"max({x}, {v})",
            f"abs({x})",
            v,
        ]
        if self.names.positions:
            p = self.rng.choice(self.names.positions)
            forms += [f"{p}[3]", f"max({p})", f"min({p})", f"len({p})", f"sum({p})", f"{p}.count({v})", f"mex({p})"]
        return replaced(text, node, self.rng.choice(forms))

    def _exchanged(self, text: str, nodes: list[s.Node]) -> str | None:
        """Replace a part by another of the same kind."""
        kind = self.rng.choice((is_condition, is_number))
        alike = [n for n in nodes if kind(n)]
        if len(alike) < 2:
            return None
        old, new = self.rng.sample(alike, 2)
        return replaced(text, old, f"({text[new.start : new.end]})")

    def _reordered(self, text: str, nodes: list[s.Node]) -> str | None:
        """Reorder the parts of an `and` or `or`, or the arguments of a call: guards may then come too late."""
        found = [n.parts for n in nodes if isinstance(n, s.Logic)]
        found += [n.arguments for n in nodes if isinstance(n, s.Call) and len(n.arguments) > 1]
        found += [(n.left, n.right) for n in nodes if isinstance(n, s.Binary)]
        if not found:
            return None
        a, b = sorted(self.rng.sample(list(self.rng.choice(found)), 2), key=lambda n: n.start)
        x, y = text[a.start : a.end], text[b.start : b.end]
        return f"{text[: a.start]}({y}){text[a.end : b.start]}({x}){text[b.end :]}"

    def _dropped(self, text: str, nodes: list[s.Node]) -> str | None:
        node = self._one(nodes, s.Logic)
        if node is None:
            return None
        gone = self.rng.randrange(len(node.parts))
        left = [text[p.start : p.end] for i, p in enumerate(node.parts) if i != gone]
        return replaced(text, node, "(" + f" {node.op} ".join(f"({x})" for x in left) + ")")

    def _brackets(self, text: str, nodes: list[s.Node]) -> str | None:
        """Exchange list and set brackets; `any(...)` over a list instead."""
        found = [n for n in nodes if isinstance(n, s.Display | s.Generator) and n.kind in ("list", "set")]
        if not found:
            return None
        node = self.rng.choice(found)
        inside = text[node.start + 1 : node.end - 1]
        return replaced(text, node, f"{{{inside}}}" if node.kind == "list" else f"[{inside}]")

    def _captured(self, text: str, nodes: list[s.Node]) -> str | None:
        """A running variable gets the name of something else."""
        found = self._one(nodes, s.Generator)
        if found is None:
            return None
        clause = self.rng.choice(found.clauses)
        new = self.rng.choice([*self.names.integers, *self.names.positions, "h", "y", "m", "t", "s"])
        inside = list(walked(found))
        spots = [(n.start, n.end) for n in inside if isinstance(n, s.Name) and n.name == clause.names[0] and not n.game]
        if self.rng.random() < 0.4:
            spots = [x for x in spots if self.rng.random() < 0.7]
        spots.append((clause.name_start, clause.name_start + len(clause.names[0])))
        for start, end in sorted(set(spots), reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def _filtered(self, text: str, nodes: list[s.Node]) -> str | None:
        node = self._one(nodes, s.Generator)
        if node is None:
            return None
        clause = self.rng.choice(node.clauses)
        end = max(n.end for n in (clause.source, *clause.conditions))
        x, v = clause.names[0], self._integer(nodes)
        test = self.rng.choice([f"{x} != {v}", f"{x} < {self.rng.choice(FAR)}", f"1 // ({x} - 40) < 2", f"{x} != {x}"])
        return f"{text[:end]} if ({test}){text[end:]}"

    def _twin(self, text: str, nodes: list[s.Node]) -> str | None:
        """Subtract a changed copy of a comprehension: it is 0 unless some position distinguishes them."""
        found = [n for n in nodes if is_number(n) and isinstance(n, s.Call) and n.end - n.start > 6]
        if not found:
            return None
        node = self.rng.choice(found)
        inside = text[node.start : node.end]
        other = self.edited(inside)
        mine = self.rng.choice([inside, f"({inside}) + ({other}) - ({inside})", f"({inside}) - ({inside}) + ({other})"])
        return replaced(text, node, f"({mine})") if other else None

    # -- parts --------------------------------------------------------------------------------------------------------
    def _one(self, nodes: list[s.Node], kind: type = s.Node):
        found = [n for n in nodes if isinstance(n, kind)]
        return self.rng.choice(found) if found else None

    def _integer(self, nodes: list[s.Node]) -> str:
        inner = [c.names[0] for n in nodes if isinstance(n, s.Generator) for c in n.clauses]
        return self.rng.choice([*self.names.integers, *inner] or ["1"])


def walked(node: s.Node) -> Iterator[s.Node]:
    """Yield the node and all nodes below it."""
    yield node
    for f in dataclasses.fields(node):
        yield from _inside(getattr(node, f.name))


def _inside(value: object) -> Iterator[s.Node]:
    if isinstance(value, s.Node):
        yield from walked(value)
    elif isinstance(value, s.SyntaxClause):
        yield from _inside((value.source, *value.conditions))
    elif isinstance(value, tuple):
        for x in value:
            yield from _inside(x)


def is_condition(node: s.Node) -> bool:
    match node:
        case s.Compare() | s.Logic() | s.Unary(op="not"):
            return True
        case s.Call(function=s.Name(name=name)) | s.Name(name=name):
            return name in CONDITIONS
    return False


def is_number(node: s.Node) -> bool:
    match node:
        case s.Numeral() | s.Binary() | s.Method() | s.Index() | s.Unary(op="-" | "+"):
            return True
        case s.Call(function=s.Name(name=name)):
            return name in COUNTS
    return False


def operators(text: str, node: s.Node) -> Iterator[tuple[int, int, str]]:
    """Yield the places of a node's own operators, or of the word that it consists of."""
    match node:
        case s.Binary(left=left, right=right, op=op):
            yield from _between(text, left, right, op)
        case s.Compare(first=first, links=links):
            for op, right in links:
                yield from _between(text, first, right, op)
                first = right
        case s.Logic(op=op, parts=parts):
            for left, right in zip(parts, parts[1:], strict=False):
                yield from _between(text, left, right, op)
        case s.Call(function=name):
            yield name.start, name.end, name.name
        case s.Name(name=word):
            yield node.start, node.end, word


def _between(text: str, left: s.Node, right: s.Node, op: str) -> Iterator[tuple[int, int, str]]:
    at = text.find(op, left.end, right.start)
    if at >= 0:
        yield at, at + len(op), op


def replaced(text: str, node: s.Node, new: str) -> str:
    return text[: node.start] + new + text[node.end :]
