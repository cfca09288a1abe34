"""Proofs by a quotient in Coq: a monoid, its lost elements, those of the heaps, its check, and the claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.coq.statement.domains import Binder
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import Text, apply
from encoders.coq.values.repeating import RepeatingValuesWriter, heaps_of, write_list, write_takes
from encoders.periods.quotient import QuotientTable
from encoders.rules.quotient.finding import find_quotient
from encoders.rules.quotient.rule import QuotientReader


def write_quotient(claim: Claim, binders: Sequence[Binder], numbers: Statements) -> Iterator[str]:
    """From the monoid to the lemma `claim`. Raises Unsupported."""
    table, _ = find_quotient(claim)
    return _QuotientWriter(claim, table, binders, numbers).lines()


@dataclass
class _QuotientStatements(Statements):
    """Writes conditions as truth values; who wins, by the product of the elements of the heaps."""

    def truth(self, term: t.Term) -> Text:
        match term:
            case t.GameCall(function="wins", args=(s, _)):
                heaps = "; ".join(self.natural(x).text for x in heaps_of(s))
                return apply("negb", apply("is_lost", Text(f"[{heaps}]")))
        return super().truth(term)


class _QuotientWriter(RepeatingValuesWriter[QuotientTable]):
    reader = QuotientReader
    unfold = "is_lost, element, heap_value in *; cbn [fold_right] in *"

    def compute(self, names: Mapping[str, Text]) -> Statements:
        return _QuotientStatements(names, ranges=self.numbers.ranges, rules=self.numbers.rules)

    def write_table(self) -> Iterator[str]:
        table = self.table
        yield "(* What may be taken; a monoid by its products, which elements are lost, and those of the heaps. *)"
        yield f"Definition taken : takes := {write_takes(table.moves)}."
        rows = ";\n  ".join(write_list(row) for row in table.products)
        yield f"Definition products_of : list (list N) := [\n  {rows}]."
        yield f"Definition lost_elements : N := set_of {write_list(table.lost)}."
        yield f"Definition row : list N := {write_list(table.row)}."
        yield f"Definition heap_value : N -> N := at_heap {table.preperiod} {table.period} row."

    def write_values(self) -> Iterator[str]:
        table = self.table
        numbers = f"{table.preperiod} {table.period} {table.last} lost_elements products_of"
        stuck, wins = ("split_stuck_wins", "split_wins") if self.splits else ("stuck_wins", "wins")
        shown = f"table_of_quotient {numbers} taken row {self.game} read read_back checked"
        if not self.splits:
            shown = f"table_of_unsplit {numbers} {self.game} taken row read eq_refl (conj eq_refl eq_refl) checked"
        yield f"""\
Lemma checked : quotient_ok ({stuck} {self.game}) {numbers} taken row = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition is_lost (s : position) : bool := N.testbit lost_elements (element products_of heap_value s).
Lemma who_wins q s : {wins} {self.game} q s <-> is_lost s = false.
Proof. exact ({shown} q s). Qed.
"""

    def read_claim(self) -> str:
        return "  repeat setoid_rewrite who_wins.\n"
