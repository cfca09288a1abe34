"""Numbers written with digits in Coq: what a number is, and how the digits count up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import AND, BINDER, SUM, Text, chain
from encoders.logic.terms import ONE, add
from encoders.rules.grundy.section import Digit


@dataclass(frozen=True)
class System:
    """Numbers written with digits: `of` is the number, and `numbers` knows the digits by their names.

    `kind`: what the definitions are called after, "" for heaps and "below_" for values below.
    """

    kind: str
    digits: tuple[Digit, ...]
    names: tuple[str, ...]
    numbers: Statements

    @property
    def pattern(self) -> str:
        return f"'({', '.join(self.names)})" if len(self.names) > 1 else self.names[0]

    def tuple(self, values: Sequence[str]) -> str:
        return f"({', '.join(values)})" if len(values) > 1 else values[0]

    def inside(self) -> Text:
        """That all digits lie in their ranges."""
        parts: list[Text] = []
        for d in self.digits:
            this = _variable(d.name)
            if not (isinstance(d.lo, t.Literal) and d.lo.value == 0):
                parts.append(self.numbers.compare("le", "<=", d.lo, this))
            if d.hi is not None:
                parts.append(self.numbers.compare("le", "<=", this, d.hi))
        return chain(parts, "/\\", AND, "True", "right")

    def definitions(self, numbers: Mapping[str, t.Term]) -> Iterator[str]:
        """What is written with these digits, and how they count up. `numbers`: the numbers, by their names."""
        k, let = self.kind, f"let {self.pattern} := d0 in"
        yield f"Definition {k}digits : Type := {' * '.join('N' for _ in self.names)}."
        yield f"Definition {k}inside (d0 : {k}digits) : Prop := {let} {self.inside().at(BINDER)}."
        for name, term in numbers.items():
            yield f"Definition {name} (d0 : {k}digits) : N := {let} {self.numbers.natural(term).at(BINDER)}."
        yield f"Definition {k}first : {k}digits := {self.tuple([self._low(d).at(SUM) for d in self.digits])}."
        yield f"Definition {k}next (d0 : {k}digits) : {k}digits := {let} {self._next(len(self.digits) - 1)}."

    def counting(self, of: str) -> Iterator[str]:
        """That the digits are those of 0, and then of the next number."""
        k, seen = self.kind, f"{self.kind}inside, {of}, {self.kind}first, {self.kind}next"
        yield f"Lemma {k}digits_of_0 : {k}inside {k}first /\\ {of} {k}first = 0."
        yield f"Proof. unfold {seen}. settle_digits. Qed."
        yield (
            f"Lemma {k}digits_of_next d0 : {k}inside d0 -> {k}inside ({k}next d0) /\\ {of} ({k}next d0) = {of} d0 + 1."
        )
        yield f"Proof. {self.open('d0')} unfold {seen}. intros I. settle_digits. Qed."

    def open(self, name: str, mark: str = "") -> str:
        """The tactic that takes digits called `name` apart."""
        made = self.names[0] + mark
        if len(self.names) == 1:
            return f"rename {name} into {made}."
        for digit in self.names[1:]:
            made = f"[{made} {digit}{mark}]"
        return f"destruct {name} as {made}."

    def _low(self, digit: Digit) -> Text:
        return self.numbers.natural(digit.lo)

    def _next(self, place: int) -> str:
        digit = self.digits[place]
        up = self.numbers.natural(add(_variable(digit.name), ONE)).at(SUM)
        low = [self._low(d).at(SUM) for d in self.digits[place + 1 :]]
        made = self.tuple([*self.names[:place], up, *low])
        if digit.hi is None:
            return made
        room = self.numbers.compare("lt", "<?", _variable(digit.name), digit.hi)
        return f"if {room.text} then {made} else {self._next(place - 1)}"


def _variable(name: str) -> t.Variable:
    return t.Variable(INT, 0, 0, name)
