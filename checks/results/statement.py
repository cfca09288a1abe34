"""The formal statement of a claim as a reader is shown it: each expression as it is written, and typeset."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TypesetFormula:
    """An expression. `text`: in the claim language; `markup`: HTML of ours, MathML joined by words, safe as it stands.

    Where a formula is long it is several `math` elements with the connectives between them, so that lines can wrap.
    """

    text: str
    markup: str


@dataclass(frozen=True)
class Formal:
    """A statement: for all (or there are) values as `quantified` says, `hypothesis` implies `conclusion`.

    `definitions`: left and right side of each that the claim uses, in the order in which they are best read.
    """

    quantified: tuple[TypesetFormula, ...]
    hypothesis: TypesetFormula | None
    conclusion: TypesetFormula
    definitions: tuple[tuple[TypesetFormula, TypesetFormula], ...] = ()
