"""What the expressions of one claim file may mention, and the place of their faults."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from claims.language.expressions.definitions import Definition
from claims.language.expressions.elaborate import NO_GAME, Elaborator
from claims.language.expressions.questions import GameFacts
from claims.language.ground.errors import CallStep, ClaimError, LanguageError, Place
from claims.language.terms.terms import Term
from claims.language.terms.types import Type, described
from claims.language.toml.source import Keys, Source

NO_QUESTIONS = "an expression without a game, in the names of the proof and the claim's integers"  # in a [proof]


class Context:
    """Gives terms to the expressions of a claim. `types` grows as variables are declared.

    `files` are the other files that definitions come from, by name: a fault inside a definition is shown there.
    """

    def __init__(
        self,
        source: Source,
        games: Mapping[str, GameFacts],
        definitions: Mapping[str, Definition],
        files: Mapping[str, Source],
        without_game: str = NO_GAME,
    ) -> None:
        self.source, self.definitions, self.files = source, definitions, files
        self.types: dict[str, Type] = {}
        self._main = Elaborator(self.types, games, definitions, without_game)
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
        """Refuse a definition with the name of a player or an outcome. Raises ClaimError."""
        for found in self.definitions.values():
            if not found.parameters and found.name in self._main.constants:
                problem = f"{found.name!r} already names {described(self._main.constants[found.name][0])}"
                source = self.files.get(found.where[0], self.source)
                keys = found.where if source is self.source else found.where[1:]
                raise source.key_fault(keys, problem, "another name for the definition")

    def check_uncalled(self, elsewhere: Collection[Definition]) -> None:
        """Refuse an own definition that mentions unknown names, though nothing calls it. Raises ClaimError.

        To be asked once all expressions are read.  Those called `elsewhere` were looked at there.  What other files
        define may be about the names of other claims, and is left alone.
        """
        for found in self.definitions.values():
            if found.where[0] in self.files or found in self.called or found in elsewhere:
                continue
            try:
                self._main.check_names(found)
            except LanguageError as error:
                raise self.source.language_fault(found.where, error) from None

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
            error.shift(offset)
            place = self._place(keys, error.where, error.start, error.end)
            calls = self._calls(keys, error.trail)
            raise ClaimError(place, error.message, error.expected, calls, error.near) from None

    def _calls(self, keys: Keys, trail: tuple[CallStep, ...]) -> tuple[tuple[str, Place], ...]:
        return tuple((s.how, self._place(keys, s.where, s.start, s.end)) for s in trail)

    def _place(self, keys: Keys, where: tuple[str, ...], start: int, end: int) -> Place:
        if where and where[0] in self.files:
            return self.files[where[0]].place(where[1:], (start, end))
        return self.source.place(where or keys, (start, end))
