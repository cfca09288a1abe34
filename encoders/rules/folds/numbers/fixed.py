"""What is the same for all heaps that a comprehension runs over, though it depends on a position or on another heap.

In `any(bit(h, top_bit(nim_sum(s))) == 1 for h in s)` the nim-sum is one number, read once.  Wherever two such values
are read from the same terms they are the same, and have the same name: one that no file can write.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from claims.language.expressions import terms as t
from claims.language.expressions.types import BOOL, INT
from claims.language.expressions.walk import free_names, identity, rebuild
from encoders.logic.reader import Env, Reader


class Fixed:
    """The values fixed so far, by their names."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.values: dict[str, t.Term] = {}
        self._names: dict[Hashable, str] = {}

    def take_out(self, terms: Iterable[t.Term], heap: str, env: Env, known: Env) -> list[t.Term]:
        """The terms, with a name for each largest part that does not depend on the heap, nor on `known` alone.

        `env`: what the names in them stand for.  Raises Unsupported.
        """
        return [self._change(x, env, known, frozenset((heap,))) for x in terms]

    def _change(self, term: t.Term, env: Env, known: Env, running: frozenset[str]) -> t.Term:
        names = set(free_names(term))
        if term.type in (INT, BOOL) and names <= env.keys() and not names & running and not names <= known.keys():
            return self._fix(term, env)
        if isinstance(term, t.Comprehension):
            running = running | {clause.variable for clause in term.clauses}
        return rebuild(term, lambda x: self._change(x, env, known, running))

    def _fix(self, term: t.Term, env: Env) -> t.Term:
        value = self.reader.number(term, env) if term.type == INT else self.reader.truth(term, env)
        key = term.type, identity(value)
        name = self._names.setdefault(key, f"fixed'{len(self._names) + 1}")
        self.values[name] = value
        return t.Variable(term.type, term.start, term.end, name)
