"""Walk through terms, rebuild them, and print them as text of the language."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

from claims.language.errors import NimChecksError
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.terms import OUTCOME, PLAYER


# == printing =========================================================================================================
# Terms back to text, in the language they were written in, with the minimum of parentheses.
def display(name: str) -> str:
    """The name of a variable as the file writes it.

    >>> display("t'3")
    't'
    """
    return name.split("'", 1)[0]


def print_term(term: t.Term, players: tuple[str, ...] = ()) -> str:
    """The term in the language; players by name where `players` gives them."""
    return make_printer(players)(term)


def make_printer(players: tuple[str, ...] = ()) -> Callable[[t.Term], str]:
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


# == walk =============================================================================================================
# Terms, gone through and made anew: what does not depend on what a term means is done here, once.
#
# A rule of proof looks at terms from outside the place where they stand: at the body of a sum, say, for a heap that
# nobody has named.  What a term means must then be in the term itself.  So definitions are written out, each name that
# runs in one gets a name of its own at each place, and terms are told apart by everything that they are made of.
MOST_TERMS = 20_000  # in one text once its definitions are written out


class TooLong(NimChecksError):
    """A text of more than MOST_TERMS terms once its definitions are written out."""


def walk(value: object) -> Iterator[t.Term]:
    """Every term in a term or in a frozen structure of them, but not those inside definitions."""
    if isinstance(value, t.Term):
        yield value
        for x in t.subterms(value):
            yield from walk(x)
    elif isinstance(value, tuple):
        for x in value:
            yield from walk(x)
    elif is_dataclass(value) and not isinstance(value, type):
        for f in fields(value):
            yield from walk(getattr(value, f.name))


def walk_through(value: object) -> Iterator[t.Term]:
    """Every term in a term or in a frozen structure of them, and once those inside each definition that they call."""
    todo, seen = [value], set[int]()
    while todo:
        for x in walk(todo.pop()):
            yield x
            if isinstance(x, t.Apply) and id(x.function) not in seen:
                seen.add(id(x.function))
                todo.append(x.function.body)


def rebuild(term: t.Term, change: Callable[[t.Term], t.Term]) -> t.Term:
    """The term with `change` made to each immediate part, in the order of evaluation; itself where that changes none.

    The body of a definition that it calls is no part of it.
    """
    match term:
        case (
            t.Operation(args=args)
            | t.AllOf(args=args)
            | t.AnyOf(args=args)
            | t.GameCall(args=args)
            | t.Apply(args=args)
        ):
            made = rebuild_all(args, change)
            return term if made is args else replace(term, args=made)
        case t.Collection(items=items):
            made = rebuild_all(items, change)
            return term if made is items else replace(term, items=made)
        case t.IfElse(condition=c, then=x, other=y):
            parts = (c, x, y)
            made = rebuild_all(parts, change)
            return term if made is parts else t.IfElse(term.type, term.start, term.end, *made)
        case t.Comprehension(body=body, clauses=clauses):
            new = tuple(
                t.Clause(clause.variable, change(clause.source), rebuild_all(clause.conditions, change))
                for clause in clauses
            )
            inner = change(body)
            return term if new == clauses and inner is body else replace(term, body=inner, clauses=new)
    return term


def rebuild_all(terms: tuple[t.Term, ...], change: Callable[[t.Term], t.Term]) -> tuple[t.Term, ...]:
    """The terms with `change` made to each; the same tuple if none of them changed."""
    made = tuple(map(change, terms))
    return terms if all(a is b for a, b in zip(made, terms, strict=True)) else made


def substitute(term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
    """The term with variables replaced by terms, and definitions written out. Raises TooLong."""
    return Substitution().term(term, values)


class Substitution:
    """Writes definitions out, in at most MOST_TERMS terms for all the terms that it is given.

    Names that run are replaced by new ones wherever a term is copied, so that none is captured.
    """

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._left = MOST_TERMS

    def term(self, term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
        """The term with variables replaced by `values`, and definitions written out. Raises TooLong."""
        self._take()
        match term:
            case t.Variable(name=name) if name in values:
                self._take_all(values[name])
                return values[name]
            case t.Apply(function=function, args=args):
                given = (self.term(x, values) for x in args)
                # The body mentions its parameters and the claim's own variables, nothing of the place it is called at.
                return self.term(function.body, dict(zip(function.parameters, given, strict=True)))
            case t.Comprehension():
                return self._run(term, dict(values))
        return rebuild(term, lambda x: self.term(x, values))

    def _take(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooLong(f"more than {MOST_TERMS} terms once the definitions are written out")

    def _take_all(self, term: t.Term) -> None:
        """Count a term that stands at one more place: whoever walks the whole meets it there again."""
        self._take()
        for x in t.subterms(term):
            self._take_all(x)

    def _run(self, term: t.Comprehension, values: dict[str, t.Term]) -> t.Term:
        clauses = []
        for clause in term.clauses:
            source = self.term(clause.source, values)
            name = f"{display(clause.variable)}'{next(self._numbers)}u"
            kind = t.get_element_type(source)
            values[clause.variable] = t.Variable(kind, 0, 0, name)
            clauses.append(t.Clause(name, source, tuple(self.term(x, values) for x in clause.conditions)))
        return replace(term, clauses=tuple(clauses), body=self.term(term.body, values))


# -- identity and names -----------------------------------------------------------------------------------------------
def structural_key(term: t.Term, running: tuple[str, ...] = ()) -> Hashable:
    """Equal for two terms exactly if they are made alike, but for the names that run in them.

    `running` are names that run around the term, from outside in: they count by their place.  Only where the text
    stands plays no part.  Raises ValueError for a call of a definition: those are to be written out first.
    """
    match term:
        case t.Literal(type=kind, value=value):
            return "literal", str(kind), value
        case t.Variable(name=name):
            return ("running", _find_place(running, name)) if name in running else ("variable", name)
        case t.Operation(type=kind, op=op, args=args):
            return "operation", str(kind), op, *(structural_key(x, running) for x in args)
        case t.AllOf(args=args):
            return "and", *(structural_key(x, running) for x in args)
        case t.AnyOf(args=args):
            return "or", *(structural_key(x, running) for x in args)
        case t.IfElse(condition=c, then=x, other=y):
            return "if", *(structural_key(part, running) for part in (c, x, y))
        case t.Collection(type=kind, items=items):
            return "collection", str(kind), *(structural_key(x, running) for x in items)
        case t.GameCall(function=function, game=game, args=args):
            return "question", function, game, *(structural_key(x, running) for x in args)
        case t.Comprehension(type=kind, reducer=reducer, body=body, clauses=clauses):
            parts: list[Hashable] = []
            for clause in clauses:
                source = structural_key(clause.source, running)
                running = (*running, clause.variable)
                parts.append((source, *(structural_key(x, running) for x in clause.conditions)))
            return "comprehension", str(kind), reducer, tuple(parts), structural_key(body, running)
    raise ValueError(f"{type(term).__name__} has no identity")


def _find_place(running: tuple[str, ...], name: str) -> int:
    """The innermost place of a name."""
    return len(running) - 1 - running[::-1].index(name)


def find_free_names(term: t.Term, running: frozenset[str] = frozenset()) -> Iterator[str]:
    """The variables that a term mentions without running them itself; definitions must be written out."""
    match term:
        case t.Variable(name=name):
            if name not in running:
                yield name
        case t.Comprehension(body=body, clauses=clauses):
            for clause in clauses:
                yield from find_free_names(clause.source, running)
                running = running | {clause.variable}
                for x in clause.conditions:
                    yield from find_free_names(x, running)
            yield from find_free_names(body, running)
        case _:
            for x in t.subterms(term):
                yield from find_free_names(x, running)
