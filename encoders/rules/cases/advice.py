"""Which claims the rule of cases is for, and what its own obligation asks for if it fails."""

from __future__ import annotations

from encoders.rules.advice.shape import Shape
from encoders.rules.advice.tables import Advice, Fit, Remedy
from encoders.rules.cases.labels import COVER


def _falls_into_cases(shape: Shape) -> bool:
    return shape.cases and bool(shape.games)


ADVICE = Advice(
    (
        Fit(
            "different things in different cases of its integers (`X if k == l else Y`)",
            _falls_into_cases,
            "give each case in [[proof.cases]], with `from`, the claim beside it by whose proof it is proved",
        ),
    ),
    (
        Remedy(
            COVER,
            "For some values of the claim's integers none of the cases holds",
            "Add the missing case, or exclude it in [forall]",
        ),
    ),
)
