"""That every heap has digits, where a proof says how they arise: by induction, from those of a smaller heap."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from claims.language.expressions import terms as t
from encoders.logic.reader import Posed
from encoders.logic.terms import YES, ZERO, at_least, below, both, either, equal
from encoders.rules.grundy import labels
from encoders.rules.grundy.digits import Arising
from encoders.rules.grundy.reader import Ask, HeapReader
from encoders.rules.grundy.section import GrundyProof

HEAP = "h"


def every_heap_has_digits(proof: GrundyProof) -> Iterator[tuple[str, Ask]]:
    """The obligations."""
    yield labels.arising_covers(), _covers
    for number, case in enumerate(proof.arising):
        if case.smaller is not None:
            yield labels.arising_smaller(number), partial(_smaller, case=case)
        yield labels.arising(number), partial(_case, case=case)


def _heap(q: HeapReader) -> t.Term:
    heap = q.fresh(HEAP)
    q.known.append(at_least(heap, ZERO))
    return heap


def _when(q: HeapReader, case: Arising, heap: t.Term) -> t.Term:
    return YES if case.when is None else q.truth(case.when, {**q.env, HEAP: heap})


def _covers(q: HeapReader) -> Posed:
    heap = _heap(q)
    return Posed((), either(*(_when(q, case, heap) for case in q.proof.arising)))


def _smaller(q: HeapReader, case: Arising) -> Posed:
    heap = _heap(q)
    assert case.smaller is not None
    smaller = q.of(case.smaller, {HEAP: heap})
    return Posed((_when(q, case, heap),), both(at_least(smaller, ZERO), below(smaller, heap)))


def _case(q: HeapReader, case: Arising) -> Posed:
    heap, digits = _heap(q), q.proof.digits
    known, names = [_when(q, case, heap)], {HEAP: heap}
    if case.smaller is not None:
        those = q.digits(digits)
        known += [q.inside(digits, those), equal(q.of(case.smaller, names), q.heap(those))]
        names |= those
    made = {name: q.of(term, names) for name, term in case.digits}
    return Posed(tuple(known), both(q.inside(digits, made), equal(q.of(q.proof.heap, made), heap)))
