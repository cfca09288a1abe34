"""What the expressions of one claim file may mention, and the place of their faults."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from claims.language.expressions.definitions import Definition
from claims.language.expressions.elaborate import NO_GAME, Elaborator
from claims.language.expressions.questions import GameFacts
from claims.language.grammar.parser import parse
from claims.language.ground.errors import CallStep, ClaimError, LanguageError, SourceLocation, UnknownName
from claims.language.ground.gathering import (
    ANYTHING,
    FaultCollector,
    FollowOnFault,
    gathered,
    is_unreadable,
    report_fault,
)
from claims.language.terms.terms import Literal, Term
from claims.language.terms.types import BOOL, INT, Type, describe_type
from claims.language.toml.source import Keys, SourceFile

NO_QUESTIONS = "an expression without a game, in the names of the proof and the claim's integers"  # in a [proof]


class ExpressionContext:
    """Gives terms to the expressions of a claim. `types` grows as variables are declared.

    `heap`: the type of heaps that have parts, None where they are numbers.

    `files` are the other files that definitions come from, by name: a fault inside a definition is shown there.
    """

    def __init__(
        self,
        source: SourceFile,
        games: Mapping[str, GameFacts],
        definitions: Mapping[str, Definition],
        files: Mapping[str, SourceFile],
        without_game: str = NO_GAME,
    ) -> None:
        self.source, self.definitions, self.files = source, definitions, files
        self.types: dict[str, Type] = {}
        self.heap = next((facts.heap for facts in games.values() if facts.heap is not None), None)
        self._main = Elaborator(self.types, games, definitions, without_game, heap=self.heap)
        # A game's parameters are known before it is played.
        self._parameters = Elaborator(
            self.types,
            {},
            definitions,
            without_game="a value that does not depend on how a game goes: it is a parameter of one",
            numbers=self._main.numbers,
        )
        self._parameters.constants |= self._main.constants

    @property
    def constants(self) -> dict[str, Type]:
        """Players, outcomes, True and False."""
        return {name: kind for name, (kind, _) in self._main.constants.items()}

    @property
    def later(self) -> set[str]:
        """The variables that are not declared yet; to be kept up to date by whoever declares them."""
        return self._main.later

    def check_definitions(self) -> None:
        """Refuse a definition with the name of a player or an outcome. Raises ClaimError, or gathers one for each."""
        for found in self.definitions.values():
            if not found.parameters and found.name in self._main.constants:
                problem = f"{found.name!r} already names {describe_type(self._main.constants[found.name][0])}"
                source = self.files.get(found.where[0], self.source)
                keys = found.where if source is self.source else found.where[1:]
                report_fault(source.key_fault(keys, problem, "another name for the definition"))

    def check_uncalled(self, elsewhere: Collection[Definition]) -> None:
        """Refuse an own definition that mentions unknown names, though nothing calls it.

        Raises ClaimError, or gathers one for each name.

        To be asked once all expressions are read.  Those called `elsewhere` were looked at there.  What other files
        define may be about the names of other claims, and is left alone.
        """
        for found in self.definitions.values():
            if found.where[0] in self.files or (gathered() is None and (found in self.called or found in elsewhere)):
                continue
            for error in self._main.list_unknown(found.tree, found.parameters):
                if not (isinstance(error, UnknownName) and is_unreadable(error.name)):
                    report_fault(self.source.language_fault(found.where, error))

    @property
    def called(self) -> list[Definition]:
        """The definitions that the expressions read so far call, directly or not."""
        names = self._main.called | self._parameters.called
        return [d for n, d in self.definitions.items() if n in names]

    def term(self, keys: Keys, text: str, kind: Type | None, offset: int = 0) -> Term:
        """The term of `text`, which begins at `offset` of the string under `keys`. Raises ClaimError."""
        return self._term(self._main, keys, text, kind, offset)

    def parameter(self, keys: Keys, text: str, offset: int) -> Term:
        """The same for what a game's parameter is bound to."""
        return self._term(self._parameters, keys, text, None, offset)

    def _term(self, elaborator: Elaborator, keys: Keys, text: str, kind: Type | None, offset: int) -> Term:
        try:
            return elaborator.term(text, kind)
        except LanguageError as error:
            found = gathered()
            if found is None:
                raise self._fault(keys, error, offset) from None
            for fault in self._list_faults(elaborator, found, text, error):
                found.add(self._fault(keys, fault, offset))
            found.holes += 1
            if kind not in (BOOL, INT):
                raise FollowOnFault(self.source.place(keys), error.message) from None
            return Literal(kind, 0, len(text), 0)  # whatever is read on with it, no claim is made of it

    def _list_faults(
        self, elaborator: Elaborator, found: FaultCollector, text: str, error: LanguageError
    ) -> Iterator[LanguageError]:
        """The faults of a text, which the elaborator has refused: all names in it that mean nothing, none twice.

        None that is there only because of what is lost.
        """
        try:
            unknown = list(elaborator.list_unknown(parse(text)))
        except LanguageError as unreadable:
            yield unreadable
            return
        if found.is_lost(ANYTHING):
            return
        named = [x for x in unknown if not (isinstance(x, UnknownName) and found.is_lost(x.name))]
        missing = isinstance(error, UnknownName) and found.is_lost(error.name)
        if not missing:
            yield error
        yield from (x for x in named if missing or error.where or x.start != error.start)

    def _fault(self, keys: Keys, error: LanguageError, offset: int) -> ClaimError:
        error.shift(offset)
        place = self._place(keys, error.where, error.start, error.end)
        return ClaimError(place, error.message, error.expected, self._calls(keys, error.trail), error.near)

    def _calls(self, keys: Keys, trail: tuple[CallStep, ...]) -> tuple[tuple[str, SourceLocation], ...]:
        return tuple((s.how, self._place(keys, s.where, s.start, s.end)) for s in trail)

    def _place(self, keys: Keys, where: tuple[str, ...], start: int, end: int) -> SourceLocation:
        if where and where[0] in self.files:
            return self.files[where[0]].place(where[1:], (start, end))
        return self.source.place(where or keys, (start, end))
