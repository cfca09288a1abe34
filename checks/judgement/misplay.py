"""The search for the first impossible move of a ruleset: the position, the move, the error, and the correction.

A move is impossible if its result is undefined, is not a position, or is not smaller than the position before. An
engine that refuses a ruleset reports only that some move is impossible. This module finds such a move; the referee
interprets the rules. No verdict depends on the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations, combinations_with_replacement, islice, permutations, product
from typing import TYPE_CHECKING, cast

from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, Values, as_heaps, as_integer
from checks.referee.play import RefereeGame, pick_from
from claims.language.errors import ClaimError, NimChecksError
from claims.language.files.domains import Range, Scope
from claims.language.syntax.meanings import Position, Value, gather, measure_heap, position, take_out, write_heap
from claims.language.syntax.terms import INT

if TYPE_CHECKING:
    from claims.language.files.claim import Claim
    from claims.language.files.rulesets import Move
    from claims.language.syntax import terms as t

STEPS = 300_000  # limit for the referee, for one search
MOST_SETTINGS = 20  # the number of settings of the claim's integers that are tried
LARGEST, WIDEST = 60, 4  # the largest single heap, the largest number of heaps
LENGTH, EACH, FEW = 4, 4, 12  # for heaps with parts: longest list, values of each number, heaps in the pairs
NATURAL = "heaps of at least 0: bound the number that the move picks, as in {pick}, or add a `where`"
HEAPS = "heaps that satisfy the bounds and the `where` of [heap]: forbid this move by a `where` in [[moves]]"
LESS_BY = "a move that decreases the `measure`, or another `measure`"
LESS = "a move that decreases the total, such as {pick}; or a `measure` of positions that every move decreases"
EACH_LESS = 'measure = "sum({most}**h - 1 for h in s)", which decreases if each new heap is smaller than the old one'
SOME = 'a move that chooses at least one heap, such as "each of 1..len(s) heaps h"'
DEFINED = "a value for every heap and every picked number: guard the operation with `where` or `x if c else y`"


class _Fault(NimChecksError):
    """The error for an impossible move.

    `key`: the key in [[moves]] that must be corrected.
    `values`: the chosen heaps and the picked numbers, by name.
    """

    def __init__(self, key: tuple[str, ...], values: Values, words: str, expected: str) -> None:
        super().__init__(words)
        self.key, self.values, self.words, self.expected = key, values, words, expected


def find_misplay_in(claim: Claim, scope: Scope) -> ClaimError | None:
    """Return an error about the first impossible move that is found in the games of the claim, or None.

    Only small values of the claim's integer variables are tried; the parameters of the games depend on them.
    """
    referee = Referee(claim, STEPS)
    for values in islice(_list_settings(claim, scope), MOST_SETTINGS):
        for game in claim.games:
            with suppress(IllDefined, LimitReached):  # the parameters are undefined, or the search is too large
                found = find_misplay(referee.game(game.name, values), list_positions())
                if found is not None:
                    return found
    return None


def find_misplay(game: RefereeGame, positions: Iterable[Position]) -> ClaimError | None:
    """Return an error about the first impossible move from these positions, or None if all moves are possible.

    The error has the location of the move in the ruleset. For a game of heaps with parts, small positions are tried
    instead of `positions`. Raises LimitReached if the search is too large.
    """
    for s in positions if game.parts is None else _list_with_parts(game):
        for mover in range(1 if game.ruleset.impartial else game.players):
            for move in game.ruleset.moves:
                try:
                    _play(game, move, s, {**game.parameters, "mover": mover, "s": s})
                except _Fault as fault:
                    return _tell(game, move, s, mover, fault)
    return None


def list_positions() -> Iterator[Position]:
    """Yield single heaps, then positions with a few small heaps."""
    yield from ((h,) for h in range(1, LARGEST + 1))
    for width in range(2, WIDEST + 1):
        yield from sorted(combinations_with_replacement(range(1, 8 - width), width), key=lambda s: (sum(s), s))


def _list_with_parts(game: RefereeGame) -> Iterator[Position]:
    """Yield single heaps with small parts, then pairs of the smallest such heaps."""
    assert game.parts is not None
    values: list[list[Value]] = []
    for part in game.parts.shape.parts:
        low = as_integer(game.meanings.evaluate(part.lo, game.parameters))
        each = range(low, low + EACH)
        lists = (c for length in range(LENGTH + 1) for c in product(each, repeat=length))
        values.append(list(lists) if part.is_list else list(each))
    heaps = [heap for heap in sorted(product(*values), key=lambda h: (measure_heap(h), h)) if _is_there(game, heap)]
    yield from cast(Iterator[Position], ((h,) for h in heaps))
    yield from cast(Iterator[Position], combinations_with_replacement(heaps[:FEW], 2))


def _is_there(game: RefereeGame, heap: Value) -> bool:
    """Return whether a heap is valid in the game and does not vanish."""
    with suppress(IllDefined):
        return game.parts is not None and game.parts.has(heap) and bool(game.parts.keep(cast(Position, (heap,))))
    return False


def _list_settings(claim: Claim, scope: Scope) -> Iterator[Values]:
    """Yield small values for the integer variables of the claim, by name; nothing if a variable has no bounds."""
    from encoders.compute.arrays.cases import bound_all  # here, because it imports numpy

    names = [v.name for v in claim.variables if v.type == INT]
    bound = bound_all(claim, scope)
    bounds = [x for x in (bound.get(name) for name in names) if isinstance(x, Range)]
    if len(bounds) == len(names):
        firsts = (range(b.lo, min(b.hi, b.lo + 2) + 1) for b in bounds)
        yield from (dict(zip(names, chosen, strict=True)) for chosen in product(*firsts))


# -- playing ----------------------------------------------------------------------------------------------------------
def _play(game: RefereeGame, move: Move, s: Position, env: Values) -> None:
    """Make each possible choice in a move from `s`, and check the result.

    Raises _Fault if a result is impossible, and LimitReached if the search is too large.
    """
    before = None if game.ending.endless else game.weigh(s)
    for chosen in _choose(game, move, s, env):
        rest = take_out(s, chosen)
        each = [(heap,) for heap in chosen] if move.choose == "each" else [chosen]
        for ways in product(*(list(_resize(game, move, env, heaps)) for heaps in each)):
            if move.alike and any(len({picked[pick.name] for picked, _ in ways}) > 1 for pick in move.picks):
                continue  # the numbers differ
            left = _gather(game, (*rest, *(size for _, sizes in ways for size in sizes)))
            if before is not None and game.weigh(left) >= before:
                values = {name: x for picked, _ in ways for name, x in picked.items()}
                if not chosen:
                    raise _Fault(("choose",), values, f"chooses no heap and leaves {_write(left)}", SOME)
                less = LESS if game.parts is None else LESS_BY
                what = "total" if game.ruleset.measure is None else "measure"
                made = [size for _, sizes in ways for size in sizes]
                listed = isinstance(move.result, tuple)  # so the number of new heaps is known
                if listed and game.parts is None and len(chosen) == 1 and made and max(made) < chosen[0]:
                    less = EACH_LESS.format(most=len(made))
                raise _Fault(("become",), values, f"leaves {_write(left)}, whose {what} is not smaller", less)


def _gather(game: RefereeGame, heaps: Position) -> Position:
    return position(heaps) if game.parts is None else cast(Position, gather(game.parts.keep(heaps)))


def _choose(game: RefereeGame, move: Move, s: Position, env: Values) -> Iterable[Position]:
    """Return all possible choices of heaps for a move."""
    if move.choose == "any":
        return sorted(set(permutations(s, len(move.heaps))))
    if move.choose != "each":
        return [(s[-1] if move.choose == "largest" else s[0],)]
    low, high = (as_integer(_value(game, x, env, ("choose",), {})) for x in (move.at_least, move.at_most) if x)
    counts = range(max(low, 0), min(high, len(s)) + 1)
    return [heaps for count in counts for heaps in sorted(set(combinations(s, count)))]


def _resize(game: RefereeGame, move: Move, env: Values, heaps: Position) -> Iterator[tuple[dict[str, Value], Position]]:
    """Yield pairs, one for each choice of numbers: the chosen heaps and numbers by name, and the new heaps.

    Raises _Fault if the choice of numbers is undefined, or a new heap is undefined or invalid.
    """
    own: dict[str, Value] = dict(zip(move.heaps, heaps, strict=True))
    picked = [own]
    for pick in move.picks:
        try:
            picked = [{**e, pick.name: x} for e in picked for x in pick_from(pick.domain, {**env, **e}, game.meanings)]
        except IllDefined as fault:
            raise _make_undefined_fault(("pick", pick.name), own, fault) from None
    for e in picked:
        if move.where is None or _value(game, move.where, {**env, **e}, ("where",), e):
            sizes = _leave(game, move, env, e)
            _require_heaps(game, sizes, e)
            yield e, sizes


def _leave(game: RefereeGame, move: Move, env: Values, picked: Values) -> Position:
    """Return the heaps that replace the chosen heaps. `picked`: the chosen heaps and numbers. Raises _Fault."""
    if isinstance(move.result, tuple):
        return cast(Position, tuple(_value(game, x, {**env, **picked}, ("become",), picked) for x in move.result))
    return as_heaps(_value(game, move.result, {**env, **picked}, ("become",), picked))


def _require_heaps(game: RefereeGame, sizes: Position, values: Values) -> None:
    if game.parts is None:
        if min(sizes, default=0) < 0:
            raise _Fault(("become",), values, f"makes a heap of {min(sizes)}", NATURAL)
        return
    for heap in sizes:
        if not game.parts.has(heap):
            raise _Fault(("become",), values, f"makes {write_heap(heap)}, which is not a heap of the game", HEAPS)


def _value(game: RefereeGame, term: t.Term, env: Values, key: tuple[str, ...], values: Values) -> Value:
    try:
        return game.meanings.evaluate(term, env)
    except IllDefined as fault:
        raise _make_undefined_fault(key, values, fault) from None


def _make_undefined_fault(key: tuple[str, ...], values: Values, fault: IllDefined) -> _Fault:
    return _Fault(key, values, f"is undefined, because `{key[0]}` has no value: {fault}", DEFINED)


# -- telling ----------------------------------------------------------------------------------------------------------
def _tell(game: RefereeGame, move: Move, s: Position, mover: int, fault: _Fault) -> ClaimError:
    ruleset = game.ruleset
    heaps = [f"{name} = {write_heap(x)}" for name, x in fault.values.items() if name in move.heaps]
    picks = [
        f"{name} = {list(x) if isinstance(x, tuple) else x}"
        for name, x in fault.values.items()
        if name not in move.heaps
    ]
    parameters = [f"{name} = {x}" for name, x in game.parameters.items()]
    who = "" if ruleset.impartial else f", {ruleset.players[mover] if ruleset.players else f'player {mover}'} to move,"
    words = f"from {_write(s)}{who} the move" + (
        f" on the heap{'s' * (len(heaps) > 1)} {' and '.join(heaps)}" if heaps else ""
    )
    words += f" by picking {' and '.join(picks)}" if picks else ""
    words += f" with {' and '.join(parameters)}" if parameters else ""
    names = [pick.name for pick in move.picks]
    pick = f'{names[0]} = "1..{move.heaps[0]}"' if names and move.heaps else 'm = "1..h"'
    place = ruleset.source.place(("moves", move.number - 1, *fault.key))
    return ClaimError(place, f"{words} {fault.words}", fault.expected.format(pick=pick))


def _write(s: Position) -> str:
    return f"({', '.join(map(write_heap, s))})"
