"""The rules of proof, by the one name that each has everywhere: `rule` in [proof], module, report, documentation."""

from __future__ import annotations

from collections.abc import KeysView

from encoders.rules.arithmetic.rule import ARITHMETIC
from encoders.rules.cases import CASES
from encoders.rules.equal import EQUAL
from encoders.rules.few.rule import FEW
from encoders.rules.folds.rule import DEFINITION, FOLDS
from encoders.rules.grundy.rule import GRUNDY
from encoders.rules.kit.rule import Rule
from encoders.rules.normal.rule import OnNormalForms
from encoders.rules.periodic.rule import PERIODIC
from encoders.rules.value.rule import VALUE

_RULES = (
    FOLDS,
    DEFINITION,
    EQUAL,
    FEW,
    GRUNDY,
    VALUE,
    ARITHMETIC,
    CASES,
)
RULES: dict[str, Rule] = {rule.name: OnNormalForms(rule) for rule in _RULES} | {PERIODIC.name: PERIODIC}
"""That of values that repeat reads the games as they are written, as the referee does."""

PROVERS: KeysView[str] = RULES.keys()
"""The routes that read a [proof]; the others answer for the scope."""
