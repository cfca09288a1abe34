"""Literals that exclude each other by what is equal: some of it by sums, some by nim-sums.

To `integers` a nim-sum is any number, and an automaton takes few variables.  So what one of them knows to be equal is
told to the other: x ^ z == 0 and y ^ z == 0 make x == y, a sum; where sums make x == y, an automaton looks at the
nim-sums alone.  Each equation is a case distinction, one case of which is closed at once (Nelson and Oppen,
Simplification by cooperating decision procedures, 1979).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement

from encoders.logic.naturals.certificates.certificate import EQ, XOR, CertificateLemma, Stream
from encoders.logic.naturals.certificates.verify import Literal
from encoders.logic.naturals.formulas.formulas import TRUE, Formulas
from encoders.logic.naturals.search.integers import refute_integers
from encoders.logic.naturals.search.oracle import Sums
from encoders.logic.naturals.search.proposer import ProposerSession, Unsure
from encoders.logic.naturals.search.sums import AutomatonTooWide, explore, join, literal
from encoders.logic.naturals.search.tree import Closed

MOST_STATES = 1_000  # of an automaton beside which there are sums
MOST_STREAMS = 12  # in nim-sums, of which it is asked whether two are equal


def refute_by_equal(formulas: Formulas, nodes: Sequence[int], session: ProposerSession | None = None) -> Closed | None:
    """A proof that the literals, by node, exclude each other; None if none is found."""
    equal = dict(_find_by_nim_sums(formulas, nodes))
    closed = refute_integers(formulas, (*nodes, *equal), session) if equal else None
    if closed is None:
        sums = (*(x for x in nodes if not _list_parts(literal(formulas, x))), *equal)
        others = [x for x in nodes if x not in sums]
        equal |= _find_by_sums(formulas, sums, others, session)
        closed = _close_by_states(formulas, (*others, *equal)) if equal else None
    for case, other in reversed(equal.items()):
        closed = closed and join(case, closed, other)
    return closed


def _close_by_states(formulas: Formulas, nodes: Sequence[int]) -> Closed | None:
    try:
        states = explore([literal(formulas, x) for x in nodes], MOST_STATES)
    except AutomatonTooWide:
        return None
    return Closed(frozenset(nodes), CertificateLemma(tuple(nodes), states)) if isinstance(states, tuple) else None


def _equate(formulas: Formulas, streams: Sequence[Stream]) -> int:
    """That two streams are equal, or that one is 0."""
    return formulas.compare(EQ, dict(zip(streams, (1, -1), strict=False)), 0)


def _find_by_nim_sums(formulas: Formulas, nodes: Sequence[int]) -> Iterator[tuple[int, Closed]]:
    """Equations by one or two of the literals, and what is closed where they do not hold."""
    added = {x: found for x in nodes if (found := _read_nim_sum(literal(formulas, x)))}
    seen = {TRUE, *nodes}
    for (x, a), (y, b) in combinations_with_replacement(added.items(), 2):
        left = sorted(a if x == y else a ^ b, key=repr)
        case = _equate(formulas, left) if 1 <= len(left) <= 2 else TRUE
        if case in seen:
            continue
        seen.add(case)
        if closed := _close_by_states(formulas, tuple(dict.fromkeys((x, y, -case)))):
            yield case, closed


def _read_nim_sum(told: Literal) -> frozenset[Stream]:
    """The streams whose nim-sum a literal says to be 0; none where it says no such thing."""
    atom, wanted = told
    if atom.kind != EQ or not wanted or atom.constant or sorted(k for k, _ in atom.terms) not in ([1], [-1, 1]):
        return frozenset()
    found = frozenset[Stream]()
    for _, s in atom.terms:
        found ^= frozenset(s[1:] if isinstance(s, tuple) and s[0] == XOR else (s,))
    return found


def _find_by_sums(
    formulas: Formulas, sums: Sequence[int], others: Sequence[int], session: ProposerSession | None
) -> Mapping[int, Closed]:
    """Equations of streams in nim-sums, by literals without any, and what is closed where they do not hold."""
    streams = list(dict.fromkeys(s for x in others for s in _list_parts(literal(formulas, x))))
    oracle, found = Sums(session), dict[int, Closed]()
    places = {literal(formulas, x): x for x in sums}
    for pair in combinations(streams[:MOST_STREAMS], 2):
        case = _equate(formulas, pair)
        if case in sums:
            continue
        try:
            core = oracle.find_core([*places, literal(formulas, -case)])
        except Unsure:
            continue
        if core and (closed := refute_integers(formulas, [places.get(x, -case) for x in core], session)):
            found[case] = closed
    return found


def _list_parts(told: Literal) -> list[Stream]:
    """What is nim-added or has its digits compared in a literal."""
    return [part for _, s in told[0].terms if isinstance(s, tuple) for part in s[1:]]
