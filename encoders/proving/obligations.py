"""The obligations of claims of the library, with the certificates that come with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from claims.language.files.library import Entry
from encoders.logic.certificates import Certificate
from encoders.logic.sequents import Sequent
from encoders.proving.reading import Prover, load_claim, rule_name
from encoders.proving.registry import RULES
from encoders.solvers.shipped import find_shipped_certificate


@dataclass(frozen=True)
class CertifiedObligations:
    """The obligations of a claim that a certificate of the library proves.

    `certified`: these obligations, with their certificates. `without`: the names of the obligations without a
    certificate, such as false obligations. Tables of values are not listed.
    """

    claim: str
    certified: tuple[tuple[Sequent, Certificate], ...]
    without: tuple[str, ...]


def list_certified(entries: Iterable[Entry]) -> Iterator[CertifiedObligations]:
    """Yield the obligations of each claim with a [proof].

    Raises ClaimError if a claim is invalid, and Unsupported if its rule does not support it.
    """
    for entry in entries:
        claim = load_claim(entry.path, entry.id)
        if claim.proof is None:
            continue
        sequents = [s for s in RULES[rule_name(claim)].obligations(claim, Prover()) if s.table is None]
        found = [(s, find_shipped_certificate(s)) for s in sequents]
        certified = tuple((s, c) for s, c in found if c is not None)
        yield CertifiedObligations(claim.id, certified, tuple(s.name for s, c in found if c is None))
