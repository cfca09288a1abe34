"""The games and the variables of a claim: rulesets, the values of their parameters, and domains."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from claims.language.errors import (
    ANYTHING,
    ClaimError,
    FollowOnFault,
    LanguageError,
    SourceLocation,
    attempt,
    collect_faults,
    find_closest,
    is_unreadable,
    join_words,
)
from claims.language.files import domains as d
from claims.language.files.claim import Claim, Game
from claims.language.files.definitions import ExpressionContext
from claims.language.files.domains import PROFILES, IntervalDomain, ListedDomain, read_literal
from claims.language.files.rulesets import Parameter, Ruleset, load_ruleset
from claims.language.files.toml import Keys, Read, SourceFile, TomlTable, format_value, is_file
from claims.language.files.toml import read as read_file
from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import NO_GAME
from claims.language.syntax.grammar import is_name
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import (
    BOOL,
    INT,
    PLAYER,
    POSITION,
    Collection,
    Literal,
    Term,
    Type,
    Variable,
    describe_type,
    hint,
    items_of,
    list_of,
    names_of,
    position_of,
    set_of,
    unify,
)

# == games ============================================================================================================
# The games of a claim: its rulesets, and the terms for their parameters.
_NAME = r"[A-Za-z0-9][\w-]*"
_NAMED = re.compile(rf"\s*({_NAME})\s*(?:\((.*)\))?\s*", re.DOTALL)
_CODE, _DIGITS = re.compile(r"""(["'])0?\.([0-9A-F]+)\1"""), "0123456789ABCDEF"


@dataclass(frozen=True)
class NamedRuleset:
    """A ruleset, and the place in a claim file that names it, such as `ruleset = "kl-nim(k = 3)"`.

    `keys`: the keys of the TOML value that names the ruleset.
    `arguments`: the text in parentheses, such as "k = 3", or "". It begins at `offset` of this value.
    """

    ruleset: Ruleset
    arguments: str
    offset: int
    keys: Keys


def read_rulesets(source: SourceFile, folder: Path, library: Path, read: Read) -> dict[str, NamedRuleset]:
    """Return the ruleset of each game of the claim, by the name of the game. Raises ClaimError.

    A ruleset file next to the claim takes priority over a ruleset of the library. For a file with `ruleset` instead of
    [games], the name of the game is the id of the ruleset.

    `folder`: the folder of the claim file. `library`: the folder of the library.
    """
    games = TomlTable(source, (), source.data).optional_table("games")
    if "ruleset" in source.data and "games" in source.data:
        raise source.key_fault(("games",), "the file contains both 'ruleset' and [games]", "only one of them")
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
        expected = 'a name such as "nim", or a name with arguments such as "kl-nim(k = t, l = t)"'
        if isinstance(text, str) and re.fullmatch(r"[^\s()]+(?:/[^\s()]*|\.toml)", text):
            expected = 'only a name, such as "nim"; its file nim.toml must be next to the claim'
        raise source.fault(keys, f"{format_value(text)} is not the name of a ruleset", expected)
    name = match[1]
    file = find_file(name, folder, library, read)
    if file is None:
        expected = f"a ruleset file {name}.toml next to the claim, or one of "
        problem, expected, near = refuse_name(name, expected, library)
        raise source.fault(keys, problem, expected, match.span(1), near)
    try:
        with collect_faults(None):
            ruleset = load_ruleset(file, read)
    except ClaimError as error:
        raise error.add_calls((f"in the ruleset {name}, named at", source.place(keys, match.span(1)))) from None
    return NamedRuleset(ruleset, match[2] or "", max(0, match.start(2)), keys)


def can_name_ruleset(word: str) -> bool:
    """Whether a word can be the name of a ruleset. The ruleset NAME is in a file NAME.toml.

    >>> can_name_ruleset("kl-nim"), can_name_ruleset("-nim"), can_name_ruleset("my nim")
    (True, False, False)
    """
    return re.fullmatch(_NAME, word) is not None


def find_ruleset(word: str, library: Path, read: Read = read_file) -> Ruleset:
    """Return the ruleset that a word of a command line names. Raises ClaimError.

    A word that ends in `.toml` or contains a slash is the path of a file. Each other word names a ruleset in
    the current folder, in its subfolder `rulesets`, or in the library.
    """
    path: Path | None = Path(word)
    if not word.endswith(".toml") and "/" not in word:
        path = find_file(word, Path(), library, read) if can_name_ruleset(word) else None
    if path is None:
        problem, expected, near = refuse_name(word, "a ruleset file, or one of ", library)
        raise ClaimError(SourceLocation("RULESET"), problem, expected, near=near)
    return load_ruleset(path, read)


def find_file(name: str, folder: Path, library: Path, read: Read) -> Path | None:
    """Return the file of the ruleset `name`, or None if there is no such file.

    The function searches `folder`, then its subfolder `rulesets`, then `library`. It skips claim files.
    """
    places = (folder / f"{name}.toml", folder / "rulesets" / f"{name}.toml", library / "rulesets" / f"{name}.toml")
    return next((p for p in places if is_file(p) and not _is_claim(p, read)), None)


def refuse_name(name: str, expected: str, library: Path) -> tuple[str, str, str]:
    """Return three texts for the error "unknown ruleset": the problem, the expected text, and the closest known name.

    `expected`: the beginning of the expected text. The names of the library's rulesets follow it.
    """
    known = sorted(p.stem for p in (library / "rulesets").glob("*.toml"))
    return f"no ruleset {name!r}", f"{expected}{join_words(known, 20)}", find_closest(name, known)


def _is_claim(path: Path, read: Read) -> bool:
    """Whether a file is a claim file, so that it cannot be a ruleset; False if it cannot be read.

    So a claim kayles.toml about Kayles does not hide the ruleset kayles of the library.
    """
    try:
        return "claim" in read(path).data
    except ClaimError:
        return False  # the reader of the ruleset reports it


def _spell_code(text: str, ruleset: Ruleset, source: SourceFile, keys: Keys, span: tuple[int, int]) -> str:
    """Return the digits after the point of an octal or hexadecimal code, as the text of a list: "[3, 15]" for "0.3F".

    Bit i of a digit states whether a move may leave i heaps. So a digit above 7 is allowed only if a move of the
    ruleset may leave three heaps. Raises ClaimError for an invalid code.

    `text`: the code with its quotes. `span`: the offsets of `text` in the value under `keys`.
    """
    match = _CODE.fullmatch(text)
    digits = [_DIGITS.index(x) for x in match[2]] if match else []
    three = any(move.may_leave(3) for move in ruleset.moves)
    if not match or (max(digits) > 7 and not three):
        kind, last = ("a hexadecimal", "F") if three else ("an octal", "7")
        example = f'digits from 0 to {last} after the point, such as "0.{last}{last}"'
        more = ", or the ruleset hexadecimal, which has digits up to F" if match else ""
        raise source.fault(keys, f"{text} is not {kind} code", example + more, span)
    return str(digits)


def _check_players(source: SourceFile, named: dict[str, NamedRuleset]) -> None:
    """Raise ClaimError if two games have a player with the same name, but with different indices."""
    first: dict[str, tuple[str, int]] = {}
    for game, found in named.items():
        for i, player in enumerate(found.ruleset.players):
            other, index = first.setdefault(player, (game, i))
            if index != i:
                problem = f"player {player!r} is number {i + 1} in {game} and number {index + 1} in {other}"
                raise source.fault(found.keys, problem, "rulesets that name their players in the same order")


def bind(name: str, named: NamedRuleset, context: ExpressionContext) -> Game:
    """Return the game `name` with a term for each parameter of its ruleset.

    The term comes from the argument in the claim file. Without an argument, it is the variable or the definition with
    the name of the parameter. Raises ClaimError if there is neither, or if the term does not fit the parameter.
    """
    ruleset, source, keys = named.ruleset, context.source, named.keys
    given = _read_arguments(named, source)
    arguments = []
    for parameter in ruleset.parameters:
        if parameter.name in given:
            text, at = given[parameter.name]
            if parameter.kind == "list" and text.startswith(('"', "'")):
                text = _spell_code(text, ruleset, source, keys, (at, at + len(text)))
        elif parameter.name in context.types or parameter.name in context.definitions:
            text, at = parameter.name, 0
        elif is_unreadable(parameter.name):
            raise FollowOnFault(source.place(keys), f"{parameter.name!r} is invalid itself")
        else:
            raise source.fault(
                keys,
                f"the parameter {parameter.name!r} of {ruleset.id} has no value",
                f'a variable named {parameter.name}, or "{ruleset.id}({parameter.name} = ...)"',
            )
        term = context.parameter(keys, text, at)
        span = (at, at + len(given[parameter.name][0])) if parameter.name in given else None
        _check_argument(parameter, term, ruleset, source, keys, span)
        arguments.append((parameter.name, term))
    captured = frozenset(parameter for parameter, _ in arguments) - given.keys()
    return Game(name, ruleset, tuple(arguments), captured)


def describe(game: Game, players: tuple[str, ...]) -> str:
    """Return the title of the game with its parameters: `K-L-Nim (k = 3, l as in the claim)`.

    The digits of an octal or hexadecimal code are written without commas: `Octal game (code = 0.77)`.

    `players`: the names to print for players in the parameters.
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
    """Return, by the name of the parameter, the text of each argument and its offset in the value under `named.keys`.

    Raises ClaimError for an unknown parameter, for a parameter with two arguments, and for a text without a "=".
    """
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
                raise source.fault(
                    named.keys,
                    "this does not give a value to a parameter",
                    f"a name and a value, such as {example}",
                    span,
                )
            continue
        if match[1] not in known:
            ruleset, expected = named.ruleset.id, f"one of {join_words(known)}"
            problem = f"{ruleset} has no parameter {match[1]!r}" if known else f"{ruleset} has no parameters"
            near = find_closest(match[1], known)
            at_name = (offset + match.start(1), offset + match.end(1))
            raise source.fault(named.keys, problem, expected if known else f'"{ruleset}" alone', at_name, near)
        if match[1] in given:
            raise source.fault(
                named.keys, f"the parameter {match[1]!r} has two values", "one value for each parameter", span
            )
        given[match[1]] = (match[2], offset + match.start(2))
    return given


def _check_argument(
    parameter: Parameter, term: Term, ruleset: Ruleset, source: SourceFile, keys: Keys, span: tuple[int, int] | None
) -> None:
    """Raise ClaimError if an argument has a wrong type, or is a literal number outside the domain of its parameter.

    `span`: the offsets of the argument in the value under `keys`; None if the claim omits the argument.
    """
    if unify(term.type, parameter.type) != parameter.type or (
        term.type != parameter.type and not parameter.type.element
    ):
        raise source.fault(
            keys,
            f"the value of the parameter {parameter.name!r} of {ruleset.id} is {describe_type(term.type)}",
            describe_type(parameter.type) + hint(term.type, parameter.type),
            span,
        )
    if isinstance(term, Literal) and parameter.kind == "int" and not parameter.admits(term.value):
        problem = f"{term.value} is outside the domain of {parameter.name!r} in {ruleset.id}"
        raise source.fault(keys, problem, parameter.domain, span)


# == parameters =======================================================================================================
# The conditions on the parameters of a claim's games. If one fails, there is no game, and the claim is ill-defined.
#
# The conditions apply to every case of the domains, before the hypotheses, even if the claim asks nothing about the
# game in that case.
def state_bounds(game: Game, parameter: Parameter) -> Iterator[t.Term]:
    """Yield the conditions under which the argument of an integer parameter is in the domain of the parameter."""
    bound = dict(game.arguments)[parameter.name]
    yield _compare("ge", bound, parameter.lo)
    if parameter.hi is not None:
        yield _compare("le", bound, parameter.hi)


def state_legal(claim: Claim) -> t.Term | None:
    """Return the condition that every argument of every game has a value, and is in the domain of its parameter.

    Conditions that the domains of the claim's variables imply are left out. Return None if no condition remains.
    """
    parts: list[t.Term] = []
    for game in claim.games:
        bound = dict(game.arguments)
        for parameter in game.ruleset.parameters:
            argument = bound[parameter.name]
            if parameter.kind != "int":
                if not _has_value(argument):
                    parts.append(t.Operation(BOOL, 0, 0, "eq", (argument, argument)))
            elif not _is_seen(claim, argument, parameter):
                parts += state_bounds(game, parameter)
    return t.AllOf(BOOL, 0, 0, tuple(parts)) if parts else None


def _compare(op: str, term: t.Term, bound: int) -> t.Term:
    return t.Operation(BOOL, 0, 0, op, (term, t.Literal(INT, 0, 0, bound)))


def _has_value(argument: t.Term) -> bool:
    """Return True if an argument is a variable, or a list or set of variables and numbers: it then has a value."""
    if isinstance(argument, t.Collection):
        return all(isinstance(x, t.Literal | t.Variable) for x in argument.items)
    return isinstance(argument, t.Variable)


def _is_seen(claim: Claim, argument: t.Term, parameter: Parameter) -> bool:
    """Return True if the domains of the variables imply that an integer argument is in the parameter's domain.

    False only means that `_find_bound` does not find suitable bounds.
    """
    least, greatest = _find_bound(claim, argument, min), _find_bound(claim, argument, max)
    above = least is not None and parameter.lo <= least
    return above and (parameter.hi is None or (greatest is not None and greatest <= parameter.hi))


def _find_bound(claim: Claim, term: t.Term, extreme: Callable[[Iterable[int]], int]) -> int | None:
    """Return a lower bound of an integer term if `extreme` is min, or an upper bound if `extreme` is max.

    The term must be a sum of variables and numbers. Return None for other terms, and if a variable has no such bound.
    """
    match term:
        case t.Operation(op="add", args=args):
            parts = [_find_bound(claim, x, extreme) for x in args]
            known = [x for x in parts if x is not None]
            return sum(known) if len(known) == len(parts) else None
        case t.Variable(name=name):
            domain = next((v.domain for v in claim.variables if v.name == name), None)
            match domain:
                case IntervalDomain(lo=lo, hi=hi):
                    end = lo if extreme is min else hi
                    return None if end is None else _find_bound(claim, end, extreme)
                case ListedDomain(values=values):
                    return extreme(x for x in values if isinstance(x, int))
            return None
    return read_literal(term)


# == variables ========================================================================================================
# The variables of a claim and their domains, from [forall] or [exists].
MAX_SUBSET_RANGE = 20  # subsets of at most this many integers: 2**20 sets
_EXPECTED = (
    'a domain such as "1..", "0..k-1", "position", "player", "subsets of 1..6", "list of 0..3", "permutation of 1..n", '
    '"graph on 0..n-1", "connected graph on 0..n-1", "rooted tree on 0..n-1", '
    '{ in = [1, 2, 3] }, { in = [[1, 1], [2, 2]] } or { in = "s" }'
)


def declare(context: ExpressionContext, named: dict[str, NamedRuleset]) -> tuple[str, tuple[d.ClaimVariable, ...]]:
    """Read [forall] or [exists]. Return the quantifier, "forall" or "exists", and the variables; ("", ()) without both.

    The function also adds the types of the variables to `context.types`. Raises ClaimError.

    `named`: the ruleset of each game, by the name of the game.
    """
    source, data = context.source, context.source.data
    if "forall" in data and "exists" in data:
        raise source.key_fault(("exists",), "the file contains both [forall] and [exists]", "only one of them")
    quantifier = next((q for q in ("forall", "exists") if q in data), "")
    table = data.get(quantifier, {}) if quantifier else {}
    if quantifier and (not isinstance(table, dict) or not table):
        raise source.fault((quantifier,), f"[{quantifier}] declares no variable", 'lines such as k = "1.."')
    found = []
    context.later.update(table)
    for name, value in table.items():
        keys = (quantifier, name)
        variable = attempt(partial(_read_named_variables, context, named, keys, name, value), None, name)
        if variable is not None:
            context.types[name] = variable.type
            context.later.remove(name)
            found.append(variable)
    return quantifier, tuple(found)


def _read_named_variables(
    context: ExpressionContext, named: dict[str, NamedRuleset], keys: Keys, name: str, value: object
) -> d.ClaimVariable:
    _check_name(context, named, keys, name)
    return _read_variable(context, named, keys, name, value)


def _check_name(context: ExpressionContext, named: dict[str, NamedRuleset], keys: Keys, name: str) -> None:
    problem = ""
    if not is_name(name) or name in PROFILES:
        problem = f"{name!r} cannot name a variable"
    elif name in context.constants:
        problem = f"{name!r} already names {describe_type(context.constants[name])}"
    elif name in context.definitions and not context.definitions[name].parameters:
        where = context.definitions[name].where[0]
        problem = f"{name!r} already names a definition{f' of {where}' if where in context.files else ''}"
    elif name in named:
        problem = f"{name!r} already names a game"
    if problem:
        expected = "an unused name of letters, digits and _ that is not a Python keyword"
        if "," in name:
            expected = "one variable on each line"
        raise context.source.key_fault(keys, problem, expected)


def _read_variable(
    context: ExpressionContext, named: dict[str, NamedRuleset], keys: Keys, name: str, value: Any
) -> d.ClaimVariable:
    source = context.source
    if isinstance(value, dict):
        if list(value) != ["in"]:
            raise source.fault(keys, f"the domain of {name!r} is not valid", _EXPECTED)
        return _read_elements(context, (*keys, "in"), name, value["in"])
    if not isinstance(value, str):
        meant = f"{{ in = {format_value(value)} }}" if isinstance(value, list) else f"{value}..{value}"
        near = meant if type(value) is int or (isinstance(value, list) and value and type(value[0]) is int) else ""
        raise source.fault(keys, f"the domain of {name!r} is {format_value(value)}", _EXPECTED, near=near)
    text = value.strip()
    if text == "position":
        heap = _find_heap(source, keys, named)
        parts = () if heap is None else tuple((part, kind.is_collection) for part, kind in heap.parts)
        return d.ClaimVariable(name, position_of(heap), d.Positions(parts), text)
    if text == "player":
        if is_unreadable(ANYTHING):
            raise FollowOnFault(source.place(keys), "the players are unknown")
        counts = {len(n.ruleset.players) for n in named.values()}
        if not counts:
            raise source.fault(keys, "the claim has no game, so there is no player", NO_GAME)
        if len(counts) > 1 or counts == {0}:
            problem = (
                "the number of players is not fixed" if 0 in counts else "the games differ in the number of players"
            )
            raise source.fault(keys, problem, 'the domain "0..n-1", where n is the number of players')
        return d.ClaimVariable(name, PLAYER, d.Players(counts.pop()), text)
    if text.startswith("subsets of "):
        return d.ClaimVariable(name, set_of(INT), _read_subsets(context, keys, value), text)
    if several := re.match(r"(list|permutation) of\s+(?=\S)", text):
        lo, hi = _read_bounds(context, keys, value, text[several.end() :], value.index(several[0]) + several.end())
        if several[1] == "list":
            return d.ClaimVariable(name, list_of(INT), d.Lists(lo, hi), text)
        if hi is None:
            raise source.fault(keys, f"{value!r} has no upper bound", '"permutation of 1..n"')
        return d.ClaimVariable(name, list_of(INT), d.Permutations(lo, hi), text)
    if graph := re.match(r"(\w+ )?(graph|tree) on\s+(?=\S)", text):
        return _read_graph(context, keys, name, value, graph)
    lo, hi = _read_bounds(context, keys, value, text, value.index(text))
    _check_order(context, keys, text)
    return d.ClaimVariable(name, INT, d.IntervalDomain(lo, hi), text)


def _read_graph(context: ExpressionContext, keys: Keys, name: str, value: str, start: re.Match[str]) -> d.ClaimVariable:
    """Return the variable with a domain such as "connected graph on 0..n-1 up to isomorphism". Raises ClaimError.

    `start`: the match of the beginning of the domain, such as "connected graph on ", in `value` without outer spaces.
    """
    kind, text = f"{start[1] or ''}{start[2]}", value.strip()
    bounds, up, classes = text[start.end() :].partition(" up to ")
    if kind not in ("graph", "connected graph", "rooted tree") or (up and classes.strip() != "isomorphism"):
        known = f"{'rooted tree' if start[2] == 'tree' else 'graph'} on {bounds.strip()}"
        expected = f'"{known}" or "{known} up to isomorphism"'
        expected += ', or the same with "connected graph"' if start[2] == "graph" else ""
        raise context.source.fault(keys, f"{value!r} is not a domain", expected)
    lo, hi = _read_bounds(context, keys, value, bounds.strip(), value.index(start[0]) + start.end())
    if hi is None:
        raise context.source.fault(keys, f"{value!r} has no upper bound", f'"{kind} on 0..n-1"')
    if start[2] == "tree":
        return d.ClaimVariable(name, list_of(INT), d.Trees(lo, hi, bool(up)), text)
    domain = d.Graphs(lo, hi, kind == "connected graph", bool(up))
    return d.ClaimVariable(name, list_of(list_of(INT)), domain, text)


def _read_bounds(
    context: ExpressionContext, keys: Keys, value: str, text: str, offset: int
) -> tuple[Term, Term | None]:
    """Return the bounds of the range `text`, such as "1..k". The upper bound is None for a range such as "1..".

    The range begins at `offset` of the complete domain `value`, such as "list of 1..k". Raises ClaimError.
    """
    source, sides = context.source, d.split_range(text)
    if sides is None or not sides[0]:
        words = (
            "position",
            "player",
            "subsets of 1..6",
            "list of 0..3",
            "permutation of 1..n",
            "graph on 0..n-1",
            "connected graph on 0..n-1",
            "rooted tree on 0..n-1",
        )
        near = (found := _guess(text)) and value[:offset].lstrip() + found
        raise source.fault(keys, f"{value!r} is not a domain", _EXPECTED, near=near or find_closest(value, words))
    if sides[1].startswith(".") or sides[1] in _ENDLESS:
        end = "" if sides[1] in _ENDLESS else sides[1].lstrip(".")
        raise source.fault(keys, f"{value!r} is not a domain", _EXPECTED, near=f"{sides[0]}..{end}")
    first = value.index(sides[0], offset)
    middle = value.index("..", first + len(sides[0])) + 2
    lo = context.read_expression(keys, sides[0], INT, first)
    hi = context.read_expression(keys, sides[1], INT, value.index(sides[1], middle)) if sides[1] else None
    return lo, hi


def _find_heap(source: SourceFile, keys: Keys, named: dict[str, NamedRuleset]) -> Type | None:
    """Return the type of the heaps of the claim's games if these heaps have parts; None if heaps are numbers.

    Raises ClaimError if the games have heaps of different types.
    """
    found = {game: n.ruleset.facts.heap for game, n in named.items()}
    kinds = list(dict.fromkeys(found.values()))
    if len(kinds) > 1:
        problem = f"the heaps of the games {join_words(list(found))} have different parts"
        expected = "games whose heaps have the same parts; or write position([...]) with numbers and lists as variables"
        raise source.fault(keys, problem, expected)
    return kinds[0] if kinds else None


_ENDLESS = ("inf", "infinity", "oo", "∞", "...")
_GUESSES = (
    (r"[\[({]?\s*(\w+)\s*(?:-|–|,|to|…|,\s*(?:\.\.\.|…)\s*,)\s*(\w+)\s*[\])}]?", "{0}..{1}"),
    (r"\w+\s*(?:>=|≥)\s*(\w+)", "{0}.."),
    (r"\w+\s*>\s*(\w+)", "{0}+1.."),
    (r"(\w+)\s*(?:<=|≤)\s*\w+\s*(?:<=|≤)\s*(\w+)", "{0}..{1}"),
    (r"(?i:naturals?(?: numbers?)?|nat|int|integers?|N|ℕ|ℕ0|N0)", "0.."),
    (r"(?i:positives?(?: integers?)?|ℕ\+|Z\+)", "1.."),
    (r"(?:\w+ (?:in|of) |∈\s*|heaps? (?:in|of) )(\w+)", '{{ in = "{0}" }}'),
)
"""Common ways to write domains, with the equivalent in the language."""


def _guess(text: str) -> str:
    """Return the domain that the author of an invalid domain probably means: "1..6" for "1-6". Return "" if unknown."""
    found = ((re.fullmatch(pattern, text), form) for pattern, form in _GUESSES)
    return next((form.format(*match.groups()) for match, form in found if match), "")


def _check_order(context: ExpressionContext, keys: Keys, text: str) -> None:
    """Raise ClaimError if `text` is an empty range of two integers in digits, such as "6..1".

    A range with variables is accepted, because it may be empty in some cases only.
    """
    match = re.fullmatch(r"([-+]?[0-9]{1,40})\s*\.\.\s*([-+]?[0-9]{1,40})", text)
    if match and int(match[1]) > int(match[2]):
        raise context.source.fault(keys, f"{text!r} is empty", "the smaller bound first")


def _read_subsets(context: ExpressionContext, keys: Keys, text: str) -> d.Subsets:
    prefix = "subsets of "
    offset = text.index(prefix) + len(prefix)
    try:
        bounds = d.constant_range(text[offset:])
    except LanguageError as error:
        span = (offset, len(text))
        raise context.source.fault(keys, error.message, 'integers as bounds, as in "subsets of 1..6"', span) from None
    if bounds.hi - bounds.lo >= MAX_SUBSET_RANGE:
        problem = f"{bounds} has 2**{bounds.hi - bounds.lo + 1} subsets"
        expected = f"subsets of at most {MAX_SUBSET_RANGE} integers"
        raise context.source.fault(keys, problem, expected, (offset, len(text)))
    return d.Subsets(bounds.lo, bounds.hi)


def _read_elements(context: ExpressionContext, keys: Keys, name: str, value: Any) -> d.ClaimVariable:
    source = context.source
    if isinstance(value, str):
        term = context.read_expression(keys, value, None)
        element = items_of(term.type)
        if element is None:
            expected = "a list, a set or a position, whose elements are the values of the variable"
            raise source.fault(keys, f"this is {describe_type(term.type)}", expected, (term.start, term.end))
        if element.parts:
            expected = "elements that are integers or positions; for heaps with parts, write any(... for h in s)"
            raise source.fault(keys, "the elements are heaps with parts", expected, (term.start, term.end))
        return d.ClaimVariable(name, element, d.ElementsOf(term), f"in {value}")
    if not isinstance(value, list) or not value:
        raise source.fault(
            keys,
            f"{format_value(value)} is not a list of values",
            "a list of integers, a list of positions such as [[1, 2], [3]], or an expression in quotes",
        )
    if type(value[0]) is not int and context.heap is not None:
        expected = 'a list of integers, or the domain "position" with a scope'
        raise source.fault(keys, "positions cannot be listed here, because the heaps of the game have parts", expected)
    if type(value[0]) is int:
        for i, item in enumerate(value):
            if type(item) is not int:
                raise source.fault(
                    (*keys, i), f"this is {format_value(item)}", "an integer, like the first element of the list"
                )
        return d.ClaimVariable(name, INT, d.ListedDomain(tuple(dict.fromkeys(value))), f"in {value}")
    for i, item in enumerate(value):
        if not isinstance(item, list) or not all(type(h) is int and h >= 0 for h in item):
            raise source.fault(
                (*keys, i), f"{format_value(item)} is not a position", "a list of heap sizes, such as [3, 4, 5]"
            )
    positions = tuple(dict.fromkeys(tuple(sorted(h for h in item if h)) for item in value))
    return d.ClaimVariable(name, POSITION, d.ListedDomain(positions), f"in {value}")


def check_games_are_known(
    context: ExpressionContext, quantifier: str, variables: tuple[d.ClaimVariable, ...], games: tuple[Game, ...]
) -> None:
    """Raise ClaimError if a domain asks about a game before all variables in the game's parameters are declared.

    A domain may use only the variables before it, so the variable that has the domain is not declared yet.
    """
    needed = {g.name: names_of(term for _, term in g.arguments)[0] & set(context.types) for g in games}
    before: set[str] = set()
    for variable in variables:
        for game in sorted(names_of(d.list_bounds(variable.domain))[1]):
            late = sorted(needed[game] - before)
            if late:
                raise _refuse_late(context, (quantifier, variable.name), game, late[0])
        before.add(variable.name)


def _refuse_late(context: ExpressionContext, keys: Keys, game: str, variable: str) -> ClaimError:
    problem = f"this domain refers to the game {game}, whose parameters depend on {variable!r}"
    return context.source.fault(keys, problem, f"a line for the variable {variable} above this domain")
