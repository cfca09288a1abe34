"""Arguments that go in a circle: claims each of which rests, by `uses`, on the next, and the last on the first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from checks.results.model import ClaimResult
from claims.language.ground.errors import describe_circle

__all__ = ["describe_circle", "find_circles", "find_rings"]


def find_circles(claims: Iterable[ClaimResult]) -> tuple[tuple[str, ...], ...]:
    """The circles of `find_rings` among claims, by what their files say."""
    return find_rings({c.id: c.statement.uses for c in claims})


def find_rings(uses: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Circles of ids that share no claim, in the order of the claims; each claim rests on the one after it.

    Once they are cut no other is left. Ids of claims that are not there lead nowhere.
    """
    left = {id: list(others) for id, others in uses.items()}
    found = []
    while _peel(left):
        path = [next(iter(left))]
        while (follower := next(id for id in left[path[-1]] if id in left)) not in path:
            path.append(follower)
        circle = path[path.index(follower) :]
        found.append(tuple(circle))
        for id in circle:
            del left[id]
    return tuple(found)


def _peel(left: dict[str, list[str]]) -> Mapping[str, list[str]]:
    """Take away, one after the other, the claims that rest on none of those left; what remains."""
    while ready := [id for id, uses in left.items() if not any(other in left for other in uses)]:
        for id in ready:
            del left[id]
    return left
