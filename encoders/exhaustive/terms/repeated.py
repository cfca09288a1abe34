"""What a claim writes more than once and takes long to find: positions made of heaps, and questions about the game.

On one frame each of them has one value, wherever it stands, for a name that runs is no name of anything else in a
claim.  What is written once is not kept: it would only take memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from claims.language.expressions import terms as t
from claims.language.expressions.walk import identity, walk


def find_repeated(terms: Iterable[t.Term | None]) -> dict[int, Hashable]:
    """What stands at two places or more of the terms of one claim: the id of each -> what is equal for those alike.

    It is about these terms as long as they are alive.
    """
    places: dict[Hashable, list[int]] = {}
    for term in walk(tuple(terms)):
        if isinstance(term, t.GameCall) or (isinstance(term, t.Operation) and term.op == "position"):
            try:
                places.setdefault(identity(term), []).append(id(term))
            except ValueError:  # it calls a definition, which has no identity
                continue
    return {at: key for key, ids in places.items() if len(ids) > 1 for at in ids}
