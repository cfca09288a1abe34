"""The games of a claim: which rulesets it names, and what their parameters stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from claims.language.expressions.printing import print_term
from claims.language.grammar.tokens import is_name
from claims.language.ground.errors import ClaimError, SourceLocation, closest, join_words
from claims.language.ground.gathering import FollowOnFault, collect_faults, is_unreadable
from claims.language.heaps.heading import Parameter
from claims.language.statement.claim import Game
from claims.language.statement.context import ExpressionContext
from claims.language.statement.rulesets import Ruleset, load_ruleset
from claims.language.terms.terms import Collection, Literal, Term, Variable
from claims.language.terms.types import describe_type, hint, unify
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys, Read, SourceFile
from claims.language.toml.source import read as read_file
from claims.language.toml.trail import is_file

_NAME = r"[A-Za-z0-9][\w-]*"
_NAMED = re.compile(rf"\s*({_NAME})\s*(?:\((.*)\))?\s*", re.DOTALL)
_CODE, _DIGITS = re.compile(r'"0?\.([0-9A-F]+)"'), "0123456789ABCDEF"


@dataclass(frozen=True)
class NamedRuleset:
    """A ruleset as a claim names it: `arguments` is the text in its brackets, at `offset` of the value of `keys`."""

    ruleset: Ruleset
    arguments: str
    offset: int
    keys: Keys


def read_rulesets(source: SourceFile, folder: Path, library: Path, read: Read) -> dict[str, NamedRuleset]:
    """The rulesets of the claim by game name. A file beside the claim goes before the library's. Raises ClaimError."""
    games = TomlTable(source, (), source.data).optional_table("games")
    if "ruleset" in source.data and "games" in source.data:
        raise source.key_fault(("games",), "both a ruleset and [games]", "one of them: [games] for several rulesets")
    if "ruleset" in source.data:
        only = _read_named(source, ("ruleset",), source.data["ruleset"], folder, library, read)
        return {only.ruleset.id: only}
    found: dict[str, NamedRuleset] = {}
    for name, text in games.items():
        if not is_name(name):
            raise source.key_fault(("games", name), f"{name!r} cannot name a game", "a name, such as normal")
        found[name] = _read_named(source, ("games", name), text, folder, library, read)
    _check_players(source, found)
    return found


def _read_named(source: SourceFile, keys: Keys, text: object, folder: Path, library: Path, read: Read) -> NamedRuleset:
    match = _NAMED.fullmatch(text) if isinstance(text, str) else None
    if not match:
        expected = '"nim", or with arguments "kl-nim(k = t, l = t)"'
        if isinstance(text, str) and re.fullmatch(r"[^\s()]+(?:/[^\s()]*|\.toml)", text):
            expected = 'a name alone, such as "nim", whose file nim.toml lies beside the claim'
        raise source.fault(keys, f"{format_value(text)} names no ruleset", expected)
    name = match[1]
    file = find_file(name, folder, library, read)
    if file is None:
        problem, expected, near = refuse_name(name, f"a file {name}.toml beside the claim, or one of ", library)
        raise source.fault(keys, problem, expected, match.span(1), near)
    try:
        with collect_faults(None):
            ruleset = load_ruleset(file, read)
    except ClaimError as error:
        raise error.called((f"in the ruleset {name}, named at", source.place(keys, match.span(1)))) from None
    return NamedRuleset(ruleset, match[2] or "", max(0, match.start(2)), keys)


def can_name_ruleset(word: str) -> bool:
    """Whether a claim can name a ruleset so, whose file has this name and .toml.

    >>> can_name_ruleset("kl-nim"), can_name_ruleset("-nim"), can_name_ruleset("my nim")
    (True, False, False)
    """
    return re.fullmatch(_NAME, word) is not None


def find_ruleset(word: str, library: Path, read: Read = read_file) -> Ruleset:
    """The ruleset that a word of a command line names: as a claim in the current folder would, or by its file.

    A word that ends in `.toml` or has a slash is a file.  Raises ClaimError.
    """
    path: Path | None = Path(word)
    if not word.endswith(".toml") and "/" not in word:
        path = find_file(word, Path(), library, read) if can_name_ruleset(word) else None
    if path is None:
        problem, expected, near = refuse_name(word, "the file of one, or one of ", library)
        raise ClaimError(SourceLocation("RULESET"), problem, expected, near=near)
    return load_ruleset(path, read)


def find_file(name: str, folder: Path, library: Path, read: Read) -> Path | None:
    """The file of the ruleset that is called so in a folder: one there goes before the library's; None if none is."""
    places = (folder / f"{name}.toml", folder / "rulesets" / f"{name}.toml", library / "rulesets" / f"{name}.toml")
    return next((p for p in places if is_file(p) and not _is_claim(p, read)), None)


def refuse_name(name: str, expected: str, library: Path) -> tuple[str, str, str]:
    """What is said where no ruleset is called so; what was `expected`: that, and the library's names; the nearest."""
    known = sorted(p.stem for p in (library / "rulesets").glob("*.toml"))
    return f"no ruleset {name!r}", f"{expected}{join_words(known, 20)}", closest(name, known)


def _is_claim(path: Path, read: Read) -> bool:
    """A claim named like the ruleset it is about (kayles.toml on Kayles) does not hide the library's ruleset."""
    try:
        return "claim" in read(path).data
    except ClaimError:
        return False  # whatever it is, it is shown to be unreadable


def _spell_code(text: str, ruleset: Ruleset, source: SourceFile, keys: Keys, span: tuple[int, int]) -> str:
    """The digits behind the point of a code in quotes, as a list: [7, 7] for "0.77", [3, 15] for "0.3F".

    A digit has a bit for each number of heaps that may be left, so where no move leaves three none is above 7.  Raises
    ClaimError.
    """
    match = _CODE.fullmatch(text)
    digits = [_DIGITS.index(x) for x in match[1]] if match else []
    three = any(len(move.become) > 2 for move in ruleset.moves)
    if not match or (max(digits) > 7 and not three):
        kind, last = ("hexadecimal", "F") if three else ("octal", "7")
        example = f'digits from 0 to {last} behind the point, such as "0.{last}{last}"'
        more = ", or the ruleset hexadecimal, which has digits up to F" if match else ""
        raise source.fault(keys, f"{text} is no {kind} code", example + more, span)
    return str(digits)


def _check_players(source: SourceFile, named: dict[str, NamedRuleset]) -> None:
    """Player names mean the same index in every game."""
    first: dict[str, tuple[str, int]] = {}
    for game, found in named.items():
        for i, player in enumerate(found.ruleset.players):
            other, index = first.setdefault(player, (game, i))
            if index != i:
                problem = f"player {player!r} is number {i + 1} in {game} and number {index + 1} in {other}"
                raise source.fault(found.keys, problem, "rulesets that name their players in the same order")


def bind(name: str, named: NamedRuleset, context: ExpressionContext) -> Game:
    """The game with a term for each parameter: bound in the claim, or the variable or definition of the same name."""
    ruleset, source, keys = named.ruleset, context.source, named.keys
    given = _read_arguments(named, source)
    arguments = []
    for parameter in ruleset.parameters:
        if parameter.name in given:
            text, at = given[parameter.name]
            if parameter.kind == "list" and text.startswith('"'):
                text = _spell_code(text, ruleset, source, keys, (at, at + len(text)))
        elif parameter.name in context.types or parameter.name in context.definitions:
            text, at = parameter.name, 0
        elif is_unreadable(parameter.name):
            raise FollowOnFault(source.place(keys), f"{parameter.name!r} is at fault itself")
        else:
            raise source.fault(
                keys,
                f"the parameter {parameter.name!r} of {ruleset.id} is not bound",
                f'a variable named {parameter.name}, or "{ruleset.id}({parameter.name} = ...)"',
            )
        term = context.parameter(keys, text, at)
        span = (at, at + len(given[parameter.name][0])) if parameter.name in given else None
        _check_argument(parameter, term, ruleset, source, keys, span)
        arguments.append((parameter.name, term))
    captured = frozenset(parameter for parameter, _ in arguments) - given.keys()
    return Game(name, ruleset, tuple(arguments), captured)


def describe(game: Game, players: tuple[str, ...]) -> str:
    """What the game is called, and what its parameters stand for: `K-L-Nim (k = 3, l as in the claim)`.

    An octal or hexadecimal code is written as such: `Octal game (code = 0.77)`.
    """
    same = {x for x, y in game.arguments if isinstance(y, Variable) and y.name == x} | game.captured
    bound = [f"{x} = {_show(x, y, players)}" for x, y in game.arguments if x not in same]
    if taken := [x for x, _ in game.arguments if x in same]:
        bound.append(f"{' and '.join(taken)} as in the claim")
    return game.ruleset.title + (f" ({', '.join(bound)})" if bound else "")


def _show(parameter: str, term: Term, players: tuple[str, ...]) -> str:
    if parameter == "code" and isinstance(term, Collection) and term.items:
        digits = [x.value for x in term.items if isinstance(x, Literal)]
        if len(digits) == len(term.items) and all(0 <= x < len(_DIGITS) for x in digits):
            return "0." + "".join(_DIGITS[x] for x in digits)
    return print_term(term, players)


def _read_arguments(named: NamedRuleset, source: SourceFile) -> dict[str, tuple[str, int]]:
    """Parameter -> its text and where that begins in the string."""
    known = [p.name for p in named.ruleset.parameters]
    given: dict[str, tuple[str, int]] = {}
    depth = start = 0
    for at, char in enumerate(named.arguments + ","):
        depth += (char in "([{") - (char in ")]}")
        if depth > 0 or char != ",":
            continue
        part, offset = named.arguments[start:at], named.offset + start
        start = at + 1
        span = (offset + len(part) - len(part.lstrip()), offset + len(part.rstrip()))
        match = re.fullmatch(r"\s*(\w+)\s*=(?!=)\s*(.+)", part.rstrip(), re.DOTALL)
        if not match:
            if part.strip():
                example = f"{(known or ['k'])[0]} = {part.strip()}"
                raise source.fault(named.keys, "this binds no parameter", f"its name too, such as {example}", span)
            continue
        if match[1] not in known:
            ruleset, expected = named.ruleset.id, f"one of {join_words(known)}"
            problem = f"{ruleset} has no parameter {match[1]!r}" if known else f"{ruleset} has no parameters"
            near = closest(match[1], known)
            at_name = (offset + match.start(1), offset + match.end(1))
            raise source.fault(named.keys, problem, expected if known else f'"{ruleset}" alone', at_name, near)
        if match[1] in given:
            raise source.fault(named.keys, f"the parameter {match[1]!r} is bound twice", "one value for each", span)
        given[match[1]] = (match[2], offset + match.start(2))
    return given


def _check_argument(
    parameter: Parameter, term: Term, ruleset: Ruleset, source: SourceFile, keys: Keys, span: tuple[int, int] | None
) -> None:
    """Refuse a term that cannot be the parameter: of another type, or a number outside its domain."""
    if unify(term.type, parameter.type) != parameter.type or (
        term.type != parameter.type and not parameter.type.element
    ):
        raise source.fault(
            keys,
            f"the parameter {parameter.name!r} of {ruleset.id} is bound to {describe_type(term.type)}",
            describe_type(parameter.type) + hint(term.type, parameter.type),
            span,
        )
    if isinstance(term, Literal) and parameter.kind == "int" and not parameter.admits(term.value):
        problem = f"{term.value} is outside the domain of {parameter.name!r} in {ruleset.id}"
        raise source.fault(keys, problem, parameter.domain, span)
