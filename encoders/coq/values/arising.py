"""Proofs of Grundy values in Coq where the digits of a heap arise from those of a smaller one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claims.language.expressions.walk import substitute
from claims.language.statement.claim import Claim
from encoders.coq.statement.domains import Binder
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import BINDER, SUM, Text
from encoders.coq.values.grundy import GrundyWriter
from encoders.logic.polynomials import polynomial
from encoders.logic.terms import ONE, ZERO, sub
from encoders.rules.grundy.section import Apart, Arising, GrundyProof
from encoders.rules.kit.lemmas import VariableRange

SIZE = "h"


def write_arising(claim: Claim, proof: GrundyProof, binders: Sequence[Binder], numbers: Statements) -> Iterator[str]:
    """From the digits to the lemma `claim`, of the claim's variables that are no numbers. Raises Unsupported."""
    return _ArisingDigitsWriter(claim, proof, binders, numbers).lines()


class _ArisingDigitsWriter(GrundyWriter):
    """Digits are compared one by one: by how far those of a heap and of an option lie apart, and by their sizes."""

    arithmetic = in_ranges = conclude = "settle_written"

    def __init__(self, claim: Claim, proof: GrundyProof, binders: Sequence[Binder], numbers: Statements) -> None:
        super().__init__(claim, proof, binders, numbers)
        said = {x.name for x in proof.apart}
        names = {d.name: n for d, n in zip(self.heap.digits, self.heap.names, strict=True)}
        self.names = names
        self.heavy = [names[d.name] for d in self.heap.digits if d.name not in said and not self._has_number(d)]

    def _has_number(self, digit: VariableRange) -> bool:
        """Whether the digit weighs a number in its heap, so that its products are none of unknowns."""
        others = {d.name: ZERO for d in self.heap.digits}
        with_one = substitute(self.proof.heap, {**others, digit.name: ONE})
        return polynomial(sub(with_one, substitute(self.proof.heap, others))).constant is not None

    # -- digits -------------------------------------------------------------------------------------------------------
    def counted_up(self) -> Iterator[str]:
        return iter(())

    def written(self) -> Iterator[str]:
        yield f"""\
Lemma written h0 : {{d0 | inside d0 /\\ heap d0 = h0}}.
Proof.
  induction h0 as [h0 IH] using (well_founded_induction_type N.lt_wf_0).
{self._cases(list(self.proof.arising))}
Qed."""

    def _cases(self, cases: list[Arising]) -> str:
        """Case by case, in order; one of them holds."""
        if not cases:
            return "  exfalso; clear IH; settle_written."
        case, *others = cases
        size = self.numbers.bind({SIZE: Text("h0")})
        if case.when is None:
            return f"  {self._arises(case)}"
        when = size.truth(case.when).at(BINDER)
        return f"  destruct ({when}) eqn:?; [{self._arises(case)} |].\n{self._cases(others)}"

    def _arises(self, case: Arising) -> str:
        known = self.heap.numbers if case.smaller is not None else self.numbers
        inner = known.bind({SIZE: Text("h0")})
        values = dict(case.digits)
        made = self.heap.tuple([inner.natural(values[d.name]).at(SUM) for d in self.heap.digits])
        shown = f"unfold inside, heap in *; exists {made}; settle_written"
        if case.smaller is None:
            return f"clear IH; {shown}"
        smaller = self.numbers.bind({SIZE: Text("h0")}).natural(case.smaller).argument
        opened = self.heap.open("d0").rstrip(".")
        return f"destruct (IH {smaller}) as [d0 [I E]]; clear IH; [settle_written | {opened}; {shown}]"

    def values(self, game: str) -> str:
        below = "below_inside below below_first below_next below_digits_of_0 below_digits_of_next"
        shown = f"below_inside below\n  digits_with_ok (below_all _ {below}) avoided reached"
        return f"""\
Definition digits_with (h0 : N) : digits := proj1_sig (written h0).
Lemma digits_with_ok h0 : inside (digits_with h0) /\\ heap (digits_with h0) = h0.
Proof. exact (proj2_sig (written h0)). Qed.
Definition heap_value (h0 : N) : N := value_of (digits_with h0).
Lemma heap_value_is h0 : value {game} [h0] (heap_value h0).
Proof. exact (value_written {game} fair _ _ inside heap value_of digits_with {shown} h0). Qed.
Lemma heap_value_with d0 : inside d0 -> heap_value (heap d0) = value_of d0.
Proof. exact (value_written_of {game} fair _ _ inside heap value_of digits_with {shown} d0). Qed.
Lemma digits_are h0 : exists d0, inside d0 /\\ heap d0 = h0.
Proof. eexists. exact (digits_with_ok h0). Qed."""

    # -- options ------------------------------------------------------------------------------------------------------
    def by_digits(self) -> str:
        return f"({''.join(f'by_size {x}; ' for x in self.heavy)}settle_written)"

    def avoided(self) -> Iterator[str]:
        far = "".join(self._apart(i, x) for i, x in enumerate(self.proof.apart, 1))
        near = "".join(f"by_distance {x} {x}'; try by_size {x}; try by_size {x}'; " for x in self.heavy)
        yield f"""\
Lemma avoided d0 e0 : inside d0 -> inside e0 ->
  becomes {self.game.argument} First (heap d0) (heap e0) -> value_of e0 <> value_of d0.
Proof.
  {self.heap.open("d0")} {self.heap.open("e0", "'")} unfold inside, heap, value_of. intros I J M. open_move M.
  take_apart. bounds_by_quotients.
{far}  each_way; products; {near}settle_written.
Qed."""

    def _apart(self, number: int, apart: Apart) -> str:
        """That the digit lies so far from that of the option."""
        here, there = self.names[apart.name], f"{self.names[apart.name]}'"
        ways = " \\/ ".join(_lies(here, there, by) for by in apart.values)
        return f"  assert (A_{number} : {ways}) by (compare_numbers {here} {there}; products; first [lia | nia]).\n"


def _lies(here: str, there: str, by: int) -> str:
    return f"{here} = {there} + {by}" if by > 0 else f"{there} = {here}{f' + {-by}' if by else ''}"
