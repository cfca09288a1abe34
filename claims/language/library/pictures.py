"""The pictures that a claim's file asks for: who wins with two heaps, or the values of one. They change no verdict."""

from __future__ import annotations

from claims.language.ground.errors import ClaimError, LanguageError, closest, join_words
from claims.language.statement.claim import Game, PictureRequest
from claims.language.statement.context import ExpressionContext
from claims.language.statement.domains import ClaimVariable, IntervalDomain, Range, constant_range
from claims.language.terms.terms import Term, names_of
from claims.language.terms.types import BOOL, INT, PLAYER, POSITION, Type, describe_type
from claims.language.toml.reader import TomlTable, format_value
from claims.language.toml.source import Keys

OUTCOMES, VALUES = "outcomes", "values"
KINDS = (OUTCOMES, VALUES)
_RUNS = {OUTCOMES: ("s", POSITION, BOOL, "solved", 40), VALUES: ("x", INT, INT, "value", 200)}
"""For each kind: the name that runs over heaps and its type, the type and key of what is shown, the largest heap."""
COMMON = ("kind", "title", "claimed", "heaps", "at")
_EXAMPLES = {OUTCOMES: '"0..24"', VALUES: '"0..35"'}


def shown_key(kind: str) -> str:
    """The key of what a picture of that kind shows."""
    return _RUNS[kind][3]


def read_pictures(
    context: ExpressionContext, variables: tuple[ClaimVariable, ...], games: tuple[Game, ...]
) -> tuple[PictureRequest, ...]:
    """The tables [[pictures]] of a claim file, none if it has none. Raises ClaimError.

    `context`: one of their own, so that what pictures alone call does not pass for a part of the statement.
    """
    top = TomlTable(context.source, (), context.source.data)
    if "pictures" not in top.data:
        return ()
    return tuple(_read(context, variables, games, table) for table in top.tables("pictures"))


def _read(
    context: ExpressionContext, variables: tuple[ClaimVariable, ...], games: tuple[Game, ...], table: TomlTable
) -> PictureRequest:
    kind = table.choice("kind", KINDS)
    name, runs, shows, key, largest = _RUNS[kind]
    table.only(*COMMON, key, *(("yes", "no") if kind == OUTCOMES else ()))
    title, yes, no = (table.optional_text(k) for k in ("title", "yes", "no"))
    texts = {k: table.text(k, "an expression in quotes") for k in (key, "claimed") if k == key or k in table.data}
    heaps = _read_heaps(table, kind, largest)
    at = _read_values(table, variables, name)
    if context.types.get(name, runs) != runs:
        problem = (
            f"{name!r} runs over the heaps of the picture; in the claim it is {describe_type(context.types[name])}"
        )
        raise table.fault(key, problem, f"a claim without {name!r} as another variable")
    terms = _type_all(context, table, texts, name, runs, shows)
    _check_known(table, variables, games, tuple(terms.values()), {name, *(n for n, _ in at)})
    return PictureRequest(
        kind, title, name, heaps, at, terms[key], texts[key], terms.get("claimed"), texts.get("claimed", ""), yes, no
    )


def _type_all(
    context: ExpressionContext, table: TomlTable, texts: dict[str, str], name: str, runs: Type, shows: Type
) -> dict[str, Term]:
    before = dict(context.types)
    context.types[name] = runs
    try:
        return {key: context.term((*table.keys, key), text, shows) for key, text in texts.items()}
    finally:
        context.types.clear()
        context.types.update(before)


def _read_heaps(table: TomlTable, kind: str, largest: int) -> Range:
    text = table.text("heaps", _EXAMPLES[kind])
    try:
        found = constant_range(text)
    except LanguageError as error:
        raise table.fault("heaps", error.message, _EXAMPLES[kind]) from None
    if found.lo < 0 or found.hi > largest:
        raise table.fault("heaps", f"heaps of {found}", f"a part of 0..{largest}, such as {_EXAMPLES[kind]}")
    return found


def _read_values(table: TomlTable, variables: tuple[ClaimVariable, ...], running: str) -> tuple[tuple[str, int], ...]:
    """What `at` says of the claim's integers and players, the latter by their index."""
    by_name = {v.name: v for v in variables if v.type in (INT, PLAYER) and v.name != running}
    found = []
    for name, value in table.optional_table("at").items():
        keys = (*table.keys, "at", name)
        if name not in by_name:
            known = f"one of {join_words(by_name)}" if by_name else "no table 'at'"
            raise table.source.key_fault(
                keys, f"{name!r} is no integer and no player of the claim", known, closest(name, by_name)
            )
        found.append((name, _read_value(table, keys, by_name[name], value)))
    return tuple(found)


def _read_value(table: TomlTable, keys: Keys, variable: ClaimVariable, value: object) -> int:
    if type(value) is not int:
        expected = "his number: 0 for the first" if variable.type == PLAYER else "an integer"
        raise table.source.fault(keys, f"{variable.name!r} is {format_value(value)}", expected)
    low = variable.domain.lo if isinstance(variable.domain, IntervalDomain) else None
    if value < getattr(low, "value", value):
        problem = f"{variable.name} = {value} is outside its domain"
        raise table.source.fault(keys, problem, f"a value in {variable.text}")
    return value


def _check_known(
    table: TomlTable,
    variables: tuple[ClaimVariable, ...],
    games: tuple[Game, ...],
    terms: tuple[Term, ...],
    known: set[str],
) -> None:
    """Refuse a variable that is mentioned, if only by a game's parameter, and has no value. Raises ClaimError."""
    names, asked = names_of(terms)
    names |= names_of(x for game in games if game.name in asked for _, x in game.arguments)[0]
    for variable in variables:
        if variable.name in names and variable.name not in known:
            raise _unknown(table, variable)


def _unknown(table: TomlTable, variable: ClaimVariable) -> ClaimError:
    problem = f"the picture needs a value of {variable.name!r}"
    if variable.type in (INT, PLAYER):
        return table.fault("at", problem, f"in 'at' a value, such as at = {{ {variable.name} = 3 }}")
    return table.fault("at", problem, "expressions without it: a picture has values for integers and players alone")
