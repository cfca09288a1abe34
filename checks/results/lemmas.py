"""The lemmas of a proof, and what the run found of each: a claim is proved by them only if every one of them is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from checks.results.verdicts import Verdict
from encoders.ground.coverage import All, Below, Coverage, Limits, narrower
from encoders.ground.kinds import ObligationKind

_PROVE_IT = "A claim is proved only if all its lemmas are, in the same run"
OPEN: Mapping[Verdict | None, ObligationKind] = {
    Verdict.VERIFIED: ObligationKind("verified only", _PROVE_IT, "Give that claim a [proof]"),
    Verdict.PROVED: ObligationKind(
        "proved, but not by its [proof]",
        "Facts of the lemma's proof are taken over, and that did not go through",
        "Mend the lemma's [proof]",
    ),
    Verdict.REFUTED: ObligationKind(
        "refuted: nothing follows from it",
        "What is false proves anything",
        "Leave it out of `by`; what holds instead may do",
    ),
    Verdict.VACUOUS: ObligationKind(
        "vacuous: nothing was checked of it", _PROVE_IT, "Mend that claim: no case meets it"
    ),
    Verdict.INCONCLUSIVE: ObligationKind("inconclusive", _PROVE_IT, "Mend that proof first"),
    Verdict.ERROR: ObligationKind(
        "without a verdict: it cannot be read or evaluated", _PROVE_IT, "Mend that file first"
    ),
    Verdict.INCONSISTENT: ObligationKind("inconsistent", _PROVE_IT, "Nothing may rest on it: report it"),
    None: ObligationKind(
        "not settled in this run", _PROVE_IT, "Run again: its file changed meanwhile, or the run ended early"
    ),
}
"""What is found of a lemma on which no proof can stand, by its verdict: how it is told, and what to do about it."""


@dataclass(frozen=True)
class SettledLemma:
    """A claim that a proof rests on, with what this run found of it.

    `digest`: of all that it rests on, as it was read.  `verdict`: None where the run did not settle that text.
    `by_proof`: its [proof] went through, if it has one: facts of that are taken over with it.  `scope`, `below`: what
    its verdict covers, and what all numbers must lie below for its proof to cover them (None: no bound).  `trusted`:
    what it takes on trust, by name.  `needed`: whether some obligation of the proof may make use of it.
    """

    id: str
    digest: str
    verdict: Verdict | None = None
    by_proof: bool = False
    scope: Limits = ()
    below: int | None = None
    trusted: tuple[str, ...] = ()
    needed: bool = True

    @property
    def stands(self) -> bool:
        """Whether a proof may rest on it."""
        return self.verdict is Verdict.PROVED and self.by_proof

    @property
    def words(self) -> str:
        """What was found of it, and whether it was needed: `verified only`, `proved; not needed`."""
        found = "proved" if self.stands else OPEN[self.verdict].called
        return found if self.needed else f"{found}; not needed"


SettledLemmas = Mapping[Path, SettledLemma]
"""What a run found so far, by the files of the claims, symbolic links followed."""
NONE: SettledLemmas = MappingProxyType({})


def describe_open(lemmas: Iterable[SettledLemma]) -> str:
    """Which lemmas a proof cannot stand on, the refuted ones first; "" if it can on all.

    >>> describe_open([SettledLemma("a", "", Verdict.VERIFIED), SettledLemma("b", "", Verdict.REFUTED)])
    'rests on b, which is refuted: nothing follows from it; rests on a, which is verified only'
    """
    open_ = [lemma for lemma in lemmas if not lemma.stands]
    refuted_first = sorted(open_, key=lambda lemma: lemma.verdict is not Verdict.REFUTED)
    return "; ".join(f"rests on {lemma.id}, which is {OPEN[lemma.verdict].called}" for lemma in refuted_first)


def list_spare(lemmas: Iterable[SettledLemma]) -> str:
    """The lemmas that the proof does without, in words; "" if there are none.

    >>> list_spare([SettledLemma("nim/bouton", "", needed=False), SettledLemma("nim/misere", "")])
    'does without the lemma nim/bouton'
    """
    spare = [lemma.id for lemma in lemmas if not lemma.needed]
    return f"does without the lemma{'s' * (len(spare) > 1)} {', '.join(spare)}" if spare else ""


def narrow_limits(limits: Limits, lemmas: Iterable[SettledLemma]) -> Limits:
    """What a proof covers that covers these and no more than its lemmas do: their least bound holds for each variable.

    >>> few = SettledLemma("a", "", scope=(("x", Below(20)), ("s.heaps", All())), below=1 << 30)
    >>> narrow_limits((("k", All()), ("s.heaps", All()), ("s.size", Below(9))), [few])
    (('k', Below(bits=20)), ('s.heaps', All()), ('s.size', Below(bits=9)))
    """
    numbers: Coverage = All()
    heaps: Coverage = All()
    for lemma in lemmas:
        if lemma.below is not None:
            numbers = narrower(numbers, Below(lemma.below.bit_length() - 1))
        for name, bound in lemma.scope:
            if name.endswith(".heaps"):
                heaps = narrower(heaps, bound)
            else:
                numbers = narrower(numbers, bound)
    return tuple((name, narrower(x, heaps if name.endswith(".heaps") else numbers)) for name, x in limits)


def least_bound(below: int | None, lemmas: Iterable[SettledLemma]) -> int | None:
    """What all numbers must lie below for a proof and its lemmas to cover them; None: no bound."""
    return min((x for x in (below, *(lemma.below for lemma in lemmas)) if x is not None), default=None)
