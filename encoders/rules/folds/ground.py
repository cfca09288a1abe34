"""Posing obligations over folds, and at last those of what they made use of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from encoders.logic.reader import Posed, Reader
from encoders.logic.sequent import Sequent
from encoders.rules.folds.numbers.arithmetic import of_numbers
from encoders.rules.folds.obligations import of_extremes
from encoders.rules.folds.reading.reader import FoldReader
from encoders.rules.rule import pose_each

R = TypeVar("R", bound=FoldReader)


class Ground:
    """Lets readers know what holds of least and largest heaps, and poses it where one of them spoke of those.

    So it poses what remainders and places are read as, where one of them read any.
    """

    def __init__(self) -> None:
        self._readers: list[FoldReader] = []

    def pose(self, asks: Iterable[tuple[str, Callable[[R], Posed]]], start: Callable[[], R]) -> Iterator[Sequent]:
        """As `pose_each`. Raises Unsupported."""
        yield from pose_each(asks, self.watch(start))

    def watch(self, start: Callable[[], R]) -> Callable[[], R]:
        """The same, for readers whose obligations are posed elsewhere."""

        def begin() -> R:
            reader = start()
            reader.extremes_shown = True
            self._readers.append(reader)
            return reader

        return begin

    def show(self, start: Callable[[], FoldReader]) -> Iterator[Sequent]:
        """To be posed when all else has been: nothing is known of least and largest heaps before it is proved."""
        if any(reader.knows_extremes for reader in self._readers):
            yield from self.pose(of_extremes(), start)
        yield from pose_each(of_numbers(self._readers), Reader)
