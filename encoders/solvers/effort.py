"""How hard solvers try, and the certificates that they remember."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from encoders.logic.certificates import Atom, Certificate, Malformed, read_certificate
from encoders.logic.certificates import problem as find_problem

if TYPE_CHECKING:
    from encoders.solvers.natural_formulas import Problem


# == effort ===========================================================================================================
# How much may be spent on a proof. Apart from the solvers, so that asking for it does not load them.
@dataclass(frozen=True)
class Effort:
    """What may be spent on one obligation.

    `steps`: Z3's own count of steps, reproducible, unlike seconds; the search for certificates may grow with them, see
    `scale_of`.  `seeds`: of its runs, which must all agree.  `second`: whether others are asked too.
    """

    steps: int = 60_000_000
    seeds: tuple[int, ...] = (17, 1, 4711)
    second: bool = False


USUAL = Effort()


def scale_of(steps: int) -> int:
    """How many times as much as usual the search for a certificate may spend: never less than usual.

    >>> scale_of(USUAL.steps // 20), scale_of(3 * USUAL.steps)
    (1, 3)
    """
    return max(1, steps // USUAL.steps)


# == memory ===========================================================================================================
# Certificates that were found before, perhaps by another process. None of them is believed: each is checked again.
#
# A certificate is kept under a digest of the formula that it refutes.  What is found there counts only if it refutes,
# by `verify`, the formula that is asked now, letter for letter; what it is said to make use of counts only if it
# refutes the formula without the rest as well.  So whoever could write what they like there could slow a proof down,
# and no more.
FORMAT = 1


class CertificateStore(Protocol):
    """Where texts are kept by key. It raises nothing."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, value: bytes) -> None: ...


_store: ContextVar[CertificateStore | None] = ContextVar("_store", default=None)


def use(store: CertificateStore | None) -> None:
    """From here on certificates are looked for, and kept, there; None: nowhere."""
    _store.set(store)


@contextmanager
def using_store(store: CertificateStore | None) -> Iterator[None]:
    """As `use`, while it lasts."""
    token = _store.set(store)
    try:
        yield
    finally:
        _store.reset(token)


def recall(problem: Problem) -> tuple[Certificate, frozenset[int]] | None:
    """A certificate that the problem has no solution, and the places in `apart` of what it makes use of; or None."""
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
    """Keep what was found; what is false at a glance is found again sooner than it is read."""
    store = _store.get()
    if store is not None and certificate.formula is not False:
        data = {"certificate": certificate.to_json(), "used": sorted(used)}
        store.put(_key(problem), json.dumps(data, separators=(",", ":")).encode())


def deny(problem: Problem, certificate: Certificate) -> Certificate | None:
    """The certificate with the problem as its formula; None where that cannot be.

    Its first atoms are those of the formula.  Others, of which lemmas speak, may follow, before the truth values.
    """
    whole = problem.formulas.conjunction(problem.parts)
    numbers = _number(problem, certificate)
    if numbers is None:
        return None
    own = _list_atoms(problem)
    atoms = (*own, *certificate.atoms[len(own) :])
    return replace(certificate, atoms=atoms, formula=problem.formulas.write(whole, numbers))


def _drop_unused(problem: Problem, whole: Certificate, used: frozenset[int]) -> Certificate:
    """The same with a formula that has, of what stands apart, only what is at these places."""
    numbers = _number(problem, whole)
    assert numbers is not None  # they have been given before
    parts = replace(problem, apart=tuple(x for i, x in enumerate(problem.apart) if i in used)).parts
    return replace(whole, formula=problem.formulas.write(problem.formulas.conjunction(parts), numbers))


def _number(problem: Problem, certificate: Certificate) -> dict[int, int] | None:
    """The letters of the problem as the certificate numbers them; None if it has too few."""
    letters = _letters(problem)
    own = len(_list_atoms(problem))
    more = len(certificate.atoms) - own
    if more < 0 or len(letters) + more > certificate.letters:
        return None
    return {x: i if i <= own else i + more for x, i in letters.items()}


def _letters(problem: Problem) -> dict[int, int]:
    from encoders.solvers.natural_formulas import TRUE

    whole = problem.formulas.conjunction(problem.parts)
    return problem.formulas.number_letters([whole]) if abs(whole) != TRUE else {}


def _list_atoms(problem: Problem) -> tuple[Atom, ...]:
    nodes = (problem.formulas.node(x) for x in _letters(problem))
    return tuple(node for node in nodes if isinstance(node, Atom))


def _key(problem: Problem) -> bytes:
    """A digest of the formula, and of how its parts stand apart."""
    return hashlib.sha256(f"{FORMAT} {problem.digest}".encode()).digest()
