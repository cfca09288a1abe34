"""Tables of single heaps for a case that is judged again without the run that had them; the referee verifies each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from checks.judgement.findings import TABLE_STEPS, judge_case
from checks.tables.given import HeapTables
from checks.tables.verification import WrongTable
from claims.language.builtins.meanings import Setting, Value
from claims.language.ground.errors import NimChecksError
from claims.language.statement.claim import Claim
from claims.language.statement.judgement import Judgement
from claims.language.terms import terms as t
from claims.language.terms.types import Type
from encoders.answer import Case, list_integers

MOST = 1_000_000  # heaps of a table
R = TypeVar("R")


class MadeWrong(NimChecksError):
    """A table that was made again and that the referee finds wrong, in words."""


def judge_by_tables(claim: Claim, case: Case, sums: bool, steps: int) -> tuple[Judgement, str]:
    """As `judge_case`, with tables of the heaps that are too large to be played. Raises MadeWrong."""
    try:
        return judge_case(claim, case, sums, steps, tables=tabulate_again(claim, case))
    except WrongTable as wrong:
        raise MadeWrong(f"a table of single heaps is wrong: {wrong}") from None


def tabulate_again(claim: Claim, case: Case) -> HeapTables:
    """Tables that are made when the referee asks for one, of twice as many heaps as the largest number of the case."""
    largest = max((abs(x) for value in case.values() for x in list_integers(value)), default=0)
    size = min(2 * largest + 64, MOST)
    return HeapTables(
        _Asked(claim, "grundy", size, lambda rows: rows[0]), _Asked(claim, "value", size, list), TABLE_STEPS
    )


class _Asked(Mapping[Setting, Sequence[R]]):
    """The tables of a claim's games by their parameters, none of them before it is asked for."""

    def __init__(self, claim: Claim, question: str, size: int, keep: Callable[[list[list[int]]], Sequence[R]]) -> None:
        self.claim, self.question, self.size, self.keep = claim, question, size, keep

    def __getitem__(self, key: Setting) -> Sequence[R]:
        from encoders.exhaustive.single import HeapsAlone, NoSingleHeaps

        name, values = key
        game = self.claim.game(name)
        types = {p.name: p.type for p in game.ruleset.parameters}
        arguments = tuple((parameter, _write_down(value, types[parameter])) for parameter, value in values)
        try:
            rows = HeapsAlone(replace(game, arguments=arguments)).solve(self.question, self.size)
        except NoSingleHeaps:
            raise KeyError(key) from None
        return self.keep(rows.tolist())

    def __iter__(self) -> Iterator[Setting]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _write_down(value: Value, kind: Type) -> t.Term:
    """The term of a number, or of a list or set of numbers."""
    if isinstance(value, int):
        return t.Literal(kind, 0, 0, value)
    assert isinstance(value, tuple) and kind.element is not None
    return t.Collection(kind, 0, 0, tuple(_write_down(x, kind.element) for x in value))
