"""The variables that the value of a term depends on: along the others it need not be spread out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from claims.language.expressions import terms as t
from encoders.exhaustive.play.board import Board


class FreeVariables:
    """The free variables of terms, each found once. `boards`: the games of the claim, by name."""

    def __init__(self, boards: Mapping[str, Board]) -> None:
        self.boards = boards
        self._found: dict[int, frozenset[str]] = {}
        self._kept: list[t.Term] = []  # keeps the terms alive whose ids are keys of _found

    def find(self, term: t.Term) -> frozenset[str]:
        """The variables that the value of `term` may depend on, those of game parameters among them."""
        found = self._found.get(id(term))
        if found is None:
            self._kept.append(term)
            found = self._found[id(term)] = self._collect(term)
        return found

    def find_all(self, terms: Iterable[t.Term]) -> frozenset[str]:
        """The variables that the value of one of the terms may depend on."""
        return frozenset[str]().union(*map(self.find, terms))

    def _collect(self, term: t.Term) -> frozenset[str]:
        match term:
            case t.Variable(name=name):
                return frozenset({name})
            case t.Comprehension(body=body, clauses=clauses):
                names = self.find(body)
                for clause in reversed(clauses):
                    names = (names | self.find_all(clause.conditions)) - {clause.variable} | self.find(clause.source)
                return names
            case t.Apply(function=function, args=args):
                return self.find(function.body) - set(function.parameters) | self.find_all(args)
            case t.GameCall(game=game, args=args):
                return self.find_all([*args, *(x for _, x in self.boards[game].arguments)])
        return self.find_all(t.subterms(term))
