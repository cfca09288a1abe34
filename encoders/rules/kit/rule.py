"""What a rule of proof is: something that says what has to be shown for a claim, as sequents, and what that proves.

A rule never sees a solver.  Adding one is a module here and a line in the registry; see docs/extending.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from claims.language.builtins.meanings import Setting
from claims.language.proofs.sections import Section
from claims.language.statement.claim import Claim, Proof
from encoders.ground.coverage import Below, Limits
from encoders.ground.kinds import Kind, Label
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Trusted
from encoders.logic.reader import Posed, Reader
from encoders.logic.sequent import Sequent
from encoders.rules.kit.outline import Outline
from encoders.rules.kit.shape import Fit

R = TypeVar("R", bound=Reader)


@dataclass(frozen=True)
class Reach:
    """What is proved once all obligations are. `proved`, `below` and `trusted` as in `Answer`.

    `heaps`: the game, with its parameters, whose single heaps the tables among the obligations are about.
    """

    proved: Limits
    trusted: frozenset[Trusted] = frozenset()
    below: int | None = None
    heaps: Setting | None = None

    @property
    def bound(self) -> int | None:
        """What all numbers must lie below for it to be sure that the proof covers them; None: no bound."""
        bounds = (1 << limit.bits for _, limit in self.proved if isinstance(limit, Below))
        return min((x for x in (self.below, *bounds) if x is not None), default=None)


class Surroundings(Protocol):
    """What a rule may ask of others."""

    def __hash__(self) -> int:
        """By identity: what was decided may be remembered with it."""

    def decide(self, sequent: Sequent) -> bool:
        """Whether the sequent is plainly so. It may say no to what holds; no proof may rest on its saying yes."""

    def is_certain(self, sequent: Sequent) -> bool:
        """Whether it is plainly so, by a certificate: no to what may hold, never yes to what does not."""

    def rule_of(self, claim: Claim) -> Rule:
        """The rule that the claim's [proof] names."""


class Rule(Protocol):
    """One rule of proof, with its soundness argued in docs/proof-rules.md under its name."""

    name: str
    """The value of `rule` in [proof], and the name of the route in reports."""

    @property
    def fits(self) -> tuple[Fit, ...]:
        """Which claims it is for."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Of its obligations."""

    def read(self, section: Section) -> Proof:
        """What the [proof] of a claim file says. Raises ClaimError."""

    def obligations(self, claim: Claim, surroundings: Surroundings) -> Iterator[Sequent]:
        """What has to be shown, in the order in which it is best read. Raises Unsupported for what is not followed."""

    def outline(self, claim: Claim, surroundings: Surroundings) -> Outline:
        """The argument for readers, each line with the names of the obligations that show it. Raises Unsupported."""

    def reach(self, claim: Claim, surroundings: Surroundings) -> Reach:
        """What the obligations prove together. Raises Unsupported."""


Asked = tuple[Label, Callable[[R], Posed]]
"""An obligation, and how a reader of its own poses it."""


def pose_each(asks: Iterable[Asked[R]], start: Callable[[], R]) -> Iterator[Sequent]:
    """A sequent for each, in a reader of its own. Raises Unsupported."""
    for label, ask in asks:
        yield pose(label, ask, start)


def pose(label: Label, ask: Callable[[R], Posed], start: Callable[[], R]) -> Sequent:
    """The sequent; an error in making it is told with its name. Raises Unsupported."""
    try:
        reader = start()
        return replace(reader.sequent(label.name, ask(reader)), kind=label.kind)
    except Unsupported:
        raise
    except Exception as error:
        error.add_note(f"in the obligation {label.name!r}")
        raise
