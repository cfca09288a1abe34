"""What every proof has in common; what else it holds is its rule's affair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from claims.language.expressions.terms import Term


@dataclass(frozen=True, eq=False, kw_only=True)
class Proof:
    """What a [proof] says, frozen; each rule of proof has a class of its own.

    `rule`: its name, the value of `rule` in [proof].  `assume`: known of the claim's integers where this proves a case.
    `taken_from`: the claim of the same folder whose [proof] this is, "" for one of the claim's own.
    """

    rule: ClassVar[str]
    assume: Term | None = None
    taken_from: str = ""

    @property
    def sources(self) -> tuple[str, ...]:
        """The claims of the same folder whose proofs it takes over, each once."""
        return (self.taken_from,) if self.taken_from else ()
