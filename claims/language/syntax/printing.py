"""Functions that walk through terms, rebuild them, and print them as text of the claim language."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

from claims.language.errors import NimChecksError
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.terms import OUTCOME, PLAYER


# == printing =========================================================================================================
# From terms back to text of the language, with as few parentheses as possible.
def display(name: str) -> str:
    """Return the name of a variable as the file contains it, without the mark that makes the name unique.

    >>> display("t'3")
    't'
    """
    return name.split("'", 1)[0]


def print_term(term: t.Term, players: tuple[str, ...] = ()) -> str:
    """Return a term as an expression of the claim language. `players`: the names to print for players."""
    return make_printer(players)(term)


def make_printer(players: tuple[str, ...] = ()) -> Callable[[t.Term], str]:
    """Return a function like `print_term` that is faster for several terms, because it stores the text of each part."""
    printer = _Printer(players)
    return lambda term: printer.show(term, 0)


class _Printer:
    def __init__(self, players: tuple[str, ...]) -> None:
        self.players = players
        self._known: dict[int, tuple[t.Term, tuple[str, int]]] = {}  # storing the terms keeps their ids unique

    def show(self, term: t.Term, power: int) -> str:
        """Return the text of a term, in parentheses if it binds less tightly than `power`."""
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
            case t.Quotation(text=text):
                return f"'{text}'", 10
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
# Operations on the structure of terms, independent of their meaning.
#
# A proof rule examines a term outside its context: for example the body of a sum, for an arbitrary heap. The term
# must then contain its complete meaning. So definitions are expanded, each running variable of a copied term gets a
# fresh name, and terms are compared by their complete structure.
MOST_TERMS = 20_000  # in one text with its definitions expanded


class TooLong(NimChecksError):
    """An error: an expression has more than MOST_TERMS parts after its definitions are expanded."""


def walk(value: object) -> Iterator[t.Term]:
    """Yield every term inside `value`, which is a term, or a tuple or dataclass that contains terms.

    A term comes before its parts. The bodies of called definitions are not included.
    """
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
    """Yield every term inside `value`, which is a term, or a tuple or dataclass that contains terms.

    The body of each called definition is included once.
    """
    todo, seen = [value], set[int]()
    while todo:
        for x in walk(todo.pop()):
            yield x
            if isinstance(x, t.Apply) and id(x.function) not in seen:
                seen.add(id(x.function))
                todo.append(x.function.body)


def rebuild(term: t.Term, change: Callable[[t.Term], t.Term]) -> t.Term:
    """Return a copy of the term in which each immediate part x is replaced by `change(x)`.

    The parts are visited in the order of evaluation. If no part changes, return the same object. The body of a called
    definition is not a part.
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
    """Return the tuple of `change(x)` for each of the terms x. If none changes, return the same object `terms`."""
    made = tuple(map(change, terms))
    return terms if all(a is b for a, b in zip(made, terms, strict=True)) else made


def substitute(term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
    """Return the term with each variable in `values` replaced by its value, and with all definitions expanded.

    Raises TooLong if the result has too many parts.
    """
    return Substitution().term(term, values)


class Substitution:
    """An object that replaces variables by terms and expands definitions in several terms, with one limit on size.

    All calls of `term` together may produce at most MOST_TERMS parts of terms. Running variables get new names in every
    copy, so that no variable is captured.
    """

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._left = MOST_TERMS

    def term(self, term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
        """Return the term with each variable in `values` replaced by its value, and with all definitions expanded.

        Raises TooLong if all calls together have produced too many parts.
        """
        self._take()
        match term:
            case t.Variable(name=name) if name in values:
                self._take_all(values[name])
                return values[name]
            case t.Apply(function=function, args=args):
                given = (self.term(x, values) for x in args)
                # The body mentions only its parameters and the variables of the claim, nothing from the place of the
                # call.
                return self.term(function.body, dict(zip(function.parameters, given, strict=True)))
            case t.Comprehension():
                return self._run(term, dict(values))
        return rebuild(term, lambda x: self.term(x, values))

    def _take(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooLong(f"the formula has more than {MOST_TERMS} terms after the definitions are expanded")

    def _take_all(self, term: t.Term) -> None:
        """Count the term and all its parts towards MOST_TERMS, because a further copy is inserted. Raises TooLong."""
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
    """Return a hashable key for a term. Two terms have equal keys if they differ only in names of running variables.

    Terms with another structure have different keys. Offsets in the text are ignored. Raises ValueError if the term
    calls a definition; expand definitions first.

    `running`: the running variables of the comprehensions around the term, outermost first. The key contains their
    indices instead of their names.
    """
    match term:
        case t.Literal(type=kind, value=value):
            return "literal", str(kind), value
        case t.Quotation(text=text):
            return "quotation", text
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
    """Return the last index at which `running` contains the name: the index of the innermost variable."""
    return len(running) - 1 - running[::-1].index(name)


def find_free_names(term: t.Term, running: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the names of the variables of a term that are not running variables, with repetitions.

    The variables in the definitions that the term calls are included, but not the parameters of these definitions.

    `running`: the running variables of the comprehensions around the term.
    """
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
        case t.Apply(function=function, args=args):
            for x in args:
                yield from find_free_names(x, running)
            yield from dict.fromkeys(find_free_names(function.body, frozenset(function.parameters)))
        case _:
            for x in t.subterms(term):
                yield from find_free_names(x, running)
