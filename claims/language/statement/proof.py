"""What every proof has in common; what else it holds is its rule's affair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from claims.language.expressions.terms import Term

if TYPE_CHECKING:
    from claims.language.statement.claim import Claim


@dataclass(frozen=True, eq=False)
class Lemma:
    """A claim that a proof takes for granted, so that what rests on it is proved only if it is.

    `id`: folder and name, as in the library; `claim`: as its own file reads, with its own [proof].
    """

    id: str
    claim: Claim


@dataclass(frozen=True, eq=False, kw_only=True)
class Proof:
    """What a [proof] says, frozen; each rule of proof has a class of its own.

    `rule`: its name, the value of `rule` in [proof].  `assume`: known of the claim's integers where this proves a case.
    `taken_from`: the claim of the same folder whose [proof] this is, "" for one of the claim's own.
    `by`: the lemmas that it names.
    """

    rule: ClassVar[str]
    assume: Term | None = None
    taken_from: str = ""
    by: tuple[Lemma, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The claims of the same folder whose proofs it takes over, each once."""
        return (self.taken_from,) if self.taken_from else ()
