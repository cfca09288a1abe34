"""One row of the table of operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from claims.language.builtins.conditions import Condition
from claims.language.builtins.meanings import Value
from claims.language.builtins.notations import Notation, Running
from claims.language.builtins.signatures import Reduction, Signature


@dataclass(frozen=True)
class OperatorSyntax:
    """How an operation is written that is no call: `pattern` has a "{}" for each argument.

    `power` is how tightly the whole binds, `parts` how tightly each argument must bind to need no parentheses: 3 for
    `not`, 4 for comparisons, 5 to 9 for arithmetic, 10 for what needs none anywhere, 0 for what stands in brackets.
    """

    pattern: str
    power: int
    parts: tuple[int, ...]

    @property
    def sign(self) -> str:
        """What stands around and between the arguments."""
        return self.pattern.replace("{}", "").strip()


def infix(sign: str, power: int, left: int | None = None, right: int | None = None) -> OperatorSyntax:
    """`a sign b`, grouped to the left unless the powers of the parts say otherwise."""
    parts = (power if left is None else left, power + 1 if right is None else right)
    return OperatorSyntax(f"{{}} {sign} {{}}", power, parts)


@dataclass(frozen=True)
class Builtin:
    """A strict operation: its arguments are evaluated first, from left to right.

    `name` is the `op` of its terms, `says` "how it is written: what it means".  `typed` gives the type of the result.
    `means` gives the value at arguments that meet the conditions `needs` and are within the `limit`, which says what
    there is too much of, or ""; it takes as many small `steps`.  `form`: None for a call by its name, or by `alias`.
    `natural`: the value is an integer that is never negative.  `reduces`: over elements of which type
    `name(... for x in ...)` runs, and what that gives.  `shown`: how it is typeset, None for a call; `runs`: the same
    of `name(... for x in ...)`, None for the name before a set.
    """

    name: str
    says: str
    typed: Signature
    means: Callable[..., Value]
    needs: tuple[Condition, ...] = ()
    limit: Callable[..., str] | None = None
    steps: Callable[..., int] | None = None
    form: OperatorSyntax | None = None
    alias: str = ""
    natural: bool = False
    reduces: Reduction | None = None
    shown: Notation | None = None
    runs: Running | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it has a value at any arguments, and takes no steps of its own."""
        return not (self.needs or self.limit or self.steps)

    @property
    def called(self) -> str:
        """The name of the function that it is, "" for an operator."""
        return "" if self.form else self.alias or self.name
