"""Proofs in Coq by a table of all heaps, which repeats: that its moves are those of the game, and the claim."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim
from claims.language.statement.domains import IntervalDomain
from claims.language.terms import terms as t
from encoders.coq.statement.domains import Binder
from encoders.coq.statement.games import may_split
from encoders.coq.statement.stated import state
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import BINDER, SUM, Text, apply, chain
from encoders.ground.refusals import Unsupported
from encoders.logic.polynomials import polynomial
from encoders.periods.quotient import QuotientTable
from encoders.periods.table import PeriodicTable, Takes
from encoders.rules.periodic.classes import ClassReader, list_classes

_PART = 1000  # numbers of a list that is written as one

Told = TypeVar("Told", PeriodicTable, QuotientTable)


def heaps_of(s: t.Term) -> tuple[t.Term, ...]:
    """The heaps of a position that is written down. Raises Unsupported."""
    match s:
        case t.Operation(op="position", args=(t.Collection(items=items),)):
            return items
    raise Unsupported(f"{print_term(s)} is no position that is written down")


class RepeatingValuesWriter(ABC, Generic[Told]):
    """Writes the proof of a claim about one integer. What a table says of a heap is `heap_value` there."""

    reader: type[ClassReader] = ClassReader
    unfold: str  # the names between `holds` and the row, and where they are unfolded
    given, tactic = "leaves taken h 0 y", "read_moves"  # of moves that leave one heap or none

    def __init__(self, claim: Claim, table: Told, binders: Sequence[Binder], numbers: Statements) -> None:
        self.table: Told = table
        self.claim, self.binders, self.numbers = claim, binders, numbers
        (game,) = claim.games
        self.game, self.splits = numbers.games[game.name].argument, may_split(game.ruleset)
        if len(binders) != 1 or not binders[0].is_number:
            raise Unsupported("a claim by values that repeat is generated if it has one variable, an integer")

    def lines(self) -> Iterator[str]:
        """From the table to the lemma `claim`. Raises Unsupported."""
        yield from self.write_table()
        yield from self._reads()
        yield from self.write_values()
        yield from self._all_numbers()
        yield from self._claim()

    @abstractmethod
    def write_table(self) -> Iterator[str]:
        """What may be taken, as `taken`; what it says of the first heaps, as `row`, and of all, as `heap_value`."""

    @abstractmethod
    def write_values(self) -> Iterator[str]:
        """That it is right, by computation, and what that says of the game."""

    @abstractmethod
    def read_claim(self) -> str:
        """The tactics that bring what the claim asks of the game to what the table says."""

    @abstractmethod
    def compute(self, names: Mapping[str, Text]) -> Statements:
        """What writes the claim as a truth value, by the table."""

    def step_of_heap(self, new: str, old: str, times: int) -> Iterator[str]:
        """What the table says of a heap so many periods further."""
        yield f"rewrite (step_heap {self.table.preperiod} {self.table.period} row {new} {old} {times}) by lia."

    def _reads(self) -> Iterator[str]:
        """That the moves are those of the table."""
        if self.splits:
            yield f"Lemma read q h o : parts {self.game} q h o -> exists a e, leaves taken h a e /\\ o ≡ [a; e]."
            yield "Proof. revert q h o. unfold taken. read_parts. Qed."
            yield f"Lemma read_back q h a e : leaves taken h a e -> exists o, parts {self.game} q h o /\\ o ≡ [a; e]."
            yield "Proof. revert q h a e. unfold taken. read_parts_back. Qed."
            return
        yield f"Lemma read q h y : becomes {self.game} q h y <-> {self.given}."
        yield f"Proof. revert q h y. unfold taken. {self.tactic}. Qed."

    def _computed(self, name: str) -> Statements:
        return self.compute({**self.numbers.names, self.binders[0].word: Text(name, 0 if name.isalnum() else SUM)})

    def _all_numbers(self) -> Iterator[str]:
        """The claim as a truth value, at the first numbers by computation, and then step by step."""
        claim, (variable,) = self.claim, self.claim.variables
        assert isinstance(variable.domain, IntervalDomain)
        classes = list_classes(claim, self.table, self.reader)
        low = min(each[0].first for each in classes)
        step = max(each[0].step for each in classes)
        first = min((each[0].first for each in classes if each[0].step), default=0)
        if not step or variable.domain.hi is not None:
            raise Unsupported("a claim about finitely many numbers is not generated")
        says = self._says(self._computed("x"))
        yield f"Definition holds (x : N) : bool := {says.at(BINDER)}."
        rewritten = "".join(f"  {x}\n" for x in self._steps(step))
        yield f"""\
Lemma all_numbers : forall x, {low} <= x -> holds x = true.
Proof.
  apply (by_steps holds {low} {first} {step}); [reflexivity | lia | vm_compute; reflexivity |].
  intros x X H. unfold holds, {self.unfold}.
{rewritten}  by_values.
Qed.
"""

    def _says(self, computed: Statements) -> Text:
        conclusion = computed.truth(self.claim.conclusion)
        if self.claim.hypothesis is None:
            return conclusion
        return chain((apply("negb", computed.truth(self.claim.hypothesis)), conclusion), "||", SUM, "false", "left")

    def _steps(self, step: int) -> Iterator[str]:
        """What each heap, quotient and remainder becomes by a step, each once.

        Smaller heaps come first, so that what one has become is not taken for another.
        """
        now, then = self._computed("x"), self._computed(f"x + {step}")
        heaps, divisions = list[t.Term](), dict[str, None]()
        for term in walk((self.claim.hypothesis or (), self.claim.conclusion)):
            match term:
                case t.Operation(op="position", args=(t.Collection(items=items),)):
                    heaps += items
                case t.Operation(op="mod" | "floordiv" as op, args=(a, t.Literal(value=d))) if _slope(a):
                    more, new, old = _slope(a) * step // d, now.natural(a), then.natural(a)
                    lemma = f"step_{op} {new.argument} {old.argument} {more} {d}"
                    divisions[f"rewrite ({lemma}) by lia."] = None
        heaps.sort(key=lambda x: (_slope(x), _constant(x)))
        yield from dict.fromkeys(x for heap in heaps for x in self._of_heap(heap, step, now, then))
        yield from divisions

    def _of_heap(self, heap: t.Term, step: int, now: Statements, then: Statements) -> Iterator[str]:
        times = _slope(heap) * step // self.table.period
        if not times:
            return
        yield from self.step_of_heap(now.natural(heap).argument, then.natural(heap).argument, times)

    def _claim(self) -> Iterator[str]:
        (binder,) = self.binders
        low = binder.bounds[0].name if binder.bounds else "(N.le_0_l _)"
        yield f"""\
Lemma claim :
  {state(self.claim, self.numbers).at(BINDER)}.
Proof.
  pose proof (all_numbers {binder.name} {low}) as H. unfold holds in H.
{self.read_claim()}  unfold {self.unfold}. by_values.
Qed."""


def _slope(term: t.Term) -> int:
    """By how much it grows with the one variable. Raises Unsupported where it is not linear."""
    found = polynomial(term)
    if any(len(m) > 1 for m in found.coefficients):
        raise Unsupported(f"{print_term(term)} is not linear")
    return sum(c for m, c in found.coefficients.items() if m)


def _constant(term: t.Term) -> int:
    return polynomial(term).coefficients.get((), 0)


def write_takes(x: Takes) -> str:
    """What may be taken, for Coq."""
    kinds = (("leave_none", x.end), ("leave_one", x.one), ("leave_two", x.two), ("leave_equal", x.equal))
    return f"{{| {'; '.join(f'{kind} := {write_list(numbers)}' for kind, numbers in kinds)} |}}"


def write_list(numbers: Iterable[int]) -> str:
    """A list for Coq."""
    return f"[{'; '.join(map(str, numbers))}]"


def write_row(values: Sequence[int]) -> str:
    """A list for Coq that may be long: in parts, as Coq reads a list by recursion."""
    return " ++\n  ".join(write_list(values[i : i + _PART]) for i in range(0, len(values), _PART))
