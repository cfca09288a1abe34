"""What a rule of proof is: something that says what has to be shown for a claim, as sequents, and what that proves.

A rule never sees a solver.  Adding one is a module here and a line in the registry; see docs/extending.md.  The
registry wraps each rule in `ShowsAllValues`, so that a rule that forgets where a term has no value proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from claims.language.builtins.meanings import Setting
from claims.language.proofs.sections import ProofSection
from claims.language.statement.claim import Claim, Proof
from encoders.ground.coverage import Below, Limits
from encoders.ground.kinds import ObligationKind, ObligationLabel
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Trusted
from encoders.logic.definedness import list_parts, refuse_partial_domains
from encoders.logic.reader import Entailment, SequentReader
from encoders.logic.sequent import Sequent
from encoders.rules.kit.outline import Outline
from encoders.rules.kit.shape import RuleSuggestion

R = TypeVar("R", bound=SequentReader)


@dataclass(frozen=True)
class ProofCoverage:
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


class ProofServices(Protocol):
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
    def fits(self) -> tuple[RuleSuggestion, ...]:
        """Which claims it is for."""

    @property
    def kinds(self) -> tuple[ObligationKind, ...]:
        """Of its obligations."""

    def read(self, section: ProofSection) -> Proof:
        """What the [proof] of a claim file says. Raises ClaimError."""

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        """What has to be shown, in the order in which it is best read. Raises Unsupported for what is not followed."""

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        """The argument for readers, each line with the names of the obligations that show it. Raises Unsupported."""

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        """What the obligations prove together. Raises Unsupported."""


@dataclass(eq=False)
class ShowsAllValues:
    """A rule whose proof is refused unless it shows that every expression has a value. See `Rule`.

    `games`: also those of the rules of the games; False for a rule that computes with known games, and refuses those
    whose rules may have no value.
    """

    rule: Rule
    games: bool = True

    def __post_init__(self) -> None:
        self.name = self.rule.name

    @property
    def fits(self) -> tuple[RuleSuggestion, ...]:
        return self.rule.fits

    @property
    def kinds(self) -> tuple[ObligationKind, ...]:
        return self.rule.kinds

    def read(self, section: ProofSection) -> Proof:
        return self.rule.read(section)

    def obligations(self, claim: Claim, surroundings: ProofServices) -> Iterator[Sequent]:
        """Those of the rule. Raises Unsupported, too, after the last of them where an expression is left out."""
        refuse_partial_domains(claim)
        shown: set[str] = set()
        for sequent in self.rule.obligations(claim, surroundings):
            shown |= sequent.defines
            yield sequent
        if missing := sorted(list_parts(claim, self.games) - shown):
            words = f"{missing[0]} may have no value, and the rule {self.name!r} does not show that it has one"
            raise Unsupported(words, instead="guard the operation, so that it has a value whatever its variables are")

    def outline(self, claim: Claim, surroundings: ProofServices) -> Outline:
        return self.rule.outline(claim, surroundings)

    def reach(self, claim: Claim, surroundings: ProofServices) -> ProofCoverage:
        return self.rule.reach(claim, surroundings)


ObligationBuilder = tuple[ObligationLabel, Callable[[R], Entailment]]
"""An obligation, and how a reader of its own poses it."""


def build_sequents(asks: Iterable[ObligationBuilder[R]], start: Callable[[], R]) -> Iterator[Sequent]:
    """A sequent for each, in a reader of its own. Raises Unsupported."""
    for label, ask in asks:
        yield build_sequent(label, ask, start)


def build_sequent(label: ObligationLabel, ask: Callable[[R], Entailment], start: Callable[[], R]) -> Sequent:
    """The sequent; an error in making it is told with its name. Raises Unsupported."""
    try:
        reader = start()
        made = reader.sequent(label.name, ask(reader))
        return replace(made, kind=label.kind, unread=tuple(reader.unread), defines=frozenset(reader.defines))
    except Unsupported:
        raise
    except Exception as error:
        error.add_note(f"in the obligation {label.name!r}")
        raise
