"""Solvers in place of others, which answer as they are told."""

from encoders.answer import Unsupported
from encoders.logic.sequent import Sequent
from encoders.logic.solvers.naturals import Naturals
from encoders.logic.solvers.solver import Capability, Found, Limits, Outcome


class Beyond(Naturals):
    """To which everything is beyond certificates, so that the first solver is asked."""

    def check(self, sequent: Sequent, limits: Limits) -> Outcome:
        return Outcome(self.name, Found.UNKNOWN, limits, reason="beyond certificates", incomplete=True)


class Told:
    """One that answers what it is told, or refuses; it writes down what it was asked."""

    name = "told"
    capabilities = frozenset(Capability)

    def __init__(self, answer: Found | Unsupported, bits: int | None = None) -> None:
        self.answer, self.bits = answer, bits
        self.asked = list[tuple[Sequent, Limits]]()

    def check(self, sequent: Sequent, limits: Limits) -> Outcome:
        self.asked.append((sequent, limits))
        if isinstance(self.answer, Unsupported):
            raise self.answer
        return Outcome(self.name, self.answer, limits, bounded_to=self.bits)

    def used(self, sequent: Sequent, limits: Limits) -> None:
        """It does not tell."""
