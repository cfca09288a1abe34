"""The effort that solvers may spend on an obligation, and the store of known certificates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from encoders.logic.certificates import Certificate, Malformed, read_certificate
from encoders.logic.certificates import problem as find_problem

if TYPE_CHECKING:
    from encoders.logic.natural_formulas import Problem


# == effort ===========================================================================================================
# The resources for a proof. This module does not import a solver, so that other modules can use it without solvers.
@dataclass(frozen=True)
class Effort:
    """The resources for one obligation.

    `steps`: the limit for a solver, in steps that Z3 counts. Unlike a time, it is reproducible. It also determines the
    limits of the search for certificates; see `scale_of`.
    `seeds`: the seeds for repeated runs of the solver. All runs must agree.
    `second`: whether other solvers must confirm the result.
    """

    steps: int = 60_000_000
    seeds: tuple[int, ...] = (17, 1, 4711)
    second: bool = False


USUAL = Effort()


def scale_of(steps: int) -> int:
    """Return the factor by which the limits of the search for a certificate are multiplied. It is at least 1.

    >>> scale_of(USUAL.steps // 20), scale_of(3 * USUAL.steps)
    (1, 3)
    """
    return max(1, steps // USUAL.steps)


# == memory ===========================================================================================================
# Certificates found earlier, perhaps by another process. They are not trusted: each is verified again.
#
# A certificate is stored under a digest of the formula that it refutes. A stored certificate is used only if `problem`
# of `encoders/logic/certificates.py` accepts it for the current formula. The stored list of used premises is used only
# if the certificate also refutes the formula without the other premises. Therefore an attacker who writes to the store
# can only slow down proofs.
FORMAT = 1


class CertificateStore(Protocol):
    """A store of certificates. Keys and certificates are bytes, and the methods do not raise exceptions."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, value: bytes) -> None: ...


_store: ContextVar[CertificateStore | None] = ContextVar("_store", default=None)


def use(store: CertificateStore | None) -> None:
    """From now on, look up certificates in this store, and store new ones there; None to use no store."""
    _store.set(store)


@contextmanager
def using_store(store: CertificateStore | None) -> Iterator[None]:
    """Use the store for certificates within a `with` block; afterwards use the previous store again."""
    token = _store.set(store)
    try:
        yield
    finally:
        _store.reset(token)


def recall(problem: Problem) -> tuple[Certificate, frozenset[int]] | None:
    """Return a stored certificate that the formula of a problem is unsatisfiable, and the groups that it uses.

    A group consists of the formulas for one hypothesis or lemma, and is given by its index. The certificate is verified
    again. Return None if the store contains no valid certificate.
    """
    store = _store.get()
    text = None if store is None else store.get(_key(problem))
    if text is None:
        return None
    try:
        found = json.loads(text)
        certificate = read_certificate(found["certificate"])
        used = found["used"]
    except (ValueError, KeyError, TypeError, Malformed, RecursionError):
        return None
    if not isinstance(used, list) or not all(type(x) is int and 0 <= x < len(problem.apart) for x in used):
        return None
    places = frozenset(used)
    whole = deny(problem, certificate)
    if whole is None or find_problem(whole):
        return None
    if len(places) < len(problem.apart) and find_problem(_drop_unused(problem, whole, places)):
        return None
    return whole, places


def keep(problem: Problem, certificate: Certificate, used: frozenset[int]) -> None:
    """Store a certificate of `problem` and the indices of the groups that it uses, unless its formula is just `false`.

    A group consists of the formulas for one hypothesis or lemma.
    """
    store = _store.get()
    if store is not None and certificate.formula is not False:
        data = {"certificate": certificate.to_json(), "used": sorted(used)}
        store.put(_key(problem), json.dumps(data, separators=(",", ":")).encode())


def deny(problem: Problem, certificate: Certificate) -> Certificate | None:
    """Return the certificate with another formula: the formula of the problem, which states that a sequent is false.

    The letters are numbered as in `Problem.number`. Return None if the certificate has too few letters.
    """
    whole = problem.formulas.conjunction(problem.parts)
    numbers = problem.number(certificate)
    if numbers is None:
        return None
    own = problem.atoms
    atoms = (*own, *certificate.atoms[len(own) :])
    return replace(certificate, atoms=atoms, formula=problem.formulas.write(whole, numbers))


def _drop_unused(problem: Problem, whole: Certificate, used: frozenset[int]) -> Certificate:
    """Return the certificate for a weaker formula, which contains only the groups with the indices `used`."""
    numbers = problem.number(whole)
    assert numbers is not None  # they were computed for `whole` before
    parts = replace(problem, apart=tuple(x for i, x in enumerate(problem.apart) if i in used)).parts
    return replace(whole, formula=problem.formulas.write(problem.formulas.conjunction(parts), numbers))


def _key(problem: Problem) -> bytes:
    """Return the key of a problem in the store: a digest of its formula and groups."""
    return hashlib.sha256(f"{FORMAT} {problem.digest}".encode()).digest()
