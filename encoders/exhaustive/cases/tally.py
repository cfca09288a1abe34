"""What a search has found so far: it is kept from slab to slab."""

from __future__ import annotations

from dataclasses import dataclass, field

from claims.language.expressions.builtins.meanings import Setting
from encoders.answer import Case
from encoders.exhaustive.cases.sample import Sample
from encoders.exhaustive.heaps.tables import Heaps
from encoders.trust import Trusted


@dataclass(frozen=True)
class Found:
    """A case worth remembering. `key` orders cases; `ill`: the claim has no truth value there."""

    key: tuple[object, ...]
    case: Case
    ill: bool = False


@dataclass
class Tally:
    """Counts of cases, at `met` of which the hypotheses hold, and what is worth telling of them.

    `best`: the smallest case that decides: it fails, is ill-defined, or is a witness of an [exists] claim.
    `witness`: the smallest at which the hypotheses hold.  `engines`: the names of those that solved games.
    `tables`: Grundy values of the heaps 0, 1, ... that were computed, `winners`: by mover, who wins from them;
    `heaps`: by game, what solved single heaps.
    """

    cases: int = 0
    met: int = 0
    best: Found | None = None
    witness: Found | None = None
    sample: Sample = field(default_factory=Sample)
    trusted: set[Trusted] = field(default_factory=set)
    engines: set[str] = field(default_factory=set)
    tables: dict[Setting, list[int]] = field(default_factory=dict)
    winners: dict[Setting, list[list[int]]] = field(default_factory=dict)
    heaps: dict[str, Heaps] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Take over what was found in other cases."""
        self.cases += other.cases
        self.met += other.met
        self.best = smaller(self.best, other.best)
        self.witness = smaller(self.witness, other.witness)
        self.sample.add_all(other.sample)
        self.trusted |= other.trusted
        self.engines |= other.engines
        for setting, values in other.tables.items():
            if len(values) > len(self.tables.get(setting, ())):
                self.tables[setting] = values
        for setting, rows in other.winners.items():
            if setting not in self.winners or len(rows[0]) > len(self.winners[setting][0]):
                self.winners[setting] = rows


def smaller(known: Found | None, found: Found | None) -> Found | None:
    """The one that comes first in the order of cases; the known one of two at one case."""
    if known is None or found is None:
        return known or found
    return found if found.key < known.key else known
