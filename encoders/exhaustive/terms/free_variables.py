"""The variables that the value of a term depends on: along the others it need not be spread out."""

from __future__ import annotations

from collections.abc import Mapping

from claims.language.expressions import terms as t
from encoders.exhaustive.play.board import Board


class FreeVariables:
    """The free variables of terms, each found once. `boards`: the games of the claim, by name."""

    def __init__(self, boards: Mapping[str, Board]) -> None:
        self.boards = boards
        self._found: dict[int, frozenset[str]] = {}
        self._kept: list[t.Term] = []  # keeps the terms alive whose ids are keys of _found

    def find(self, *terms: t.Term) -> frozenset[str]:
        """The variables that the value of one of the terms may depend on, those of game parameters among them."""
        return frozenset[str]().union(*map(self._find, terms))

    def _find(self, term: t.Term) -> frozenset[str]:
        if id(term) not in self._found:
            self._kept.append(term)
            self._found[id(term)] = self._collect(term)
        return self._found[id(term)]

    def _collect(self, term: t.Term) -> frozenset[str]:
        match term:
            case t.Variable(name=name):
                return frozenset({name})
            case t.Comprehension(body=body, clauses=clauses):
                names = self.find(body)
                for clause in reversed(clauses):
                    names = (names | self.find(*clause.conditions)) - {clause.variable} | self.find(clause.source)
                return names
            case t.Apply(function=function, args=args):
                return self.find(function.body) - set(function.parameters) | self.find(*args)
            case t.GameCall(game=game, args=args):
                return self.find(*args, *(x for _, x in self.boards[game].arguments))
        return self.find(*t.subterms(term))
