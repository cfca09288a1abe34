"""Terms of a claim in words, with their values: what an explanation and a board say of a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from checks.results.statement import write_plain
from claims.language.builtins.meanings import is_compound, write_heap
from claims.language.grammar.numerals import MAX_SHOWN_BITS, digits
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, OUTCOME, PLAYER, POSITION, Type
from claims.language.typeset.flowing import flow
from claims.language.typeset.neat import neaten

if TYPE_CHECKING:
    from claims.language.builtins.meanings import Position


def write_signs(term: t.Term, players: tuple[str, ...] = ()) -> str:
    """The term with the signs of mathematics: `n mod 3`, where `write` has n % 3. Players by name where they are given.

    A number is written shortly. A condition is not: its sides stand as the file has them, beside their values.
    """
    return write_plain(flow(term if term.type == BOOL else neaten(term), players))


Show = Callable[[t.Term], str]
"""The value of a term at the case, or the term itself where the case is left open."""

_OUTCOMES = ("a P-position", "an N-position", "won by its first player", "won by its second player")  # of t.OUTCOMES


def write_value(value: Any, kind: Type, players: tuple[str, ...]) -> str:
    """A value as a person writes it: positions as (2, 2, 4), players by name, sets in braces."""
    if kind.is_position:
        return f"({', '.join(map(write_heap, value))})"
    if kind.parts:
        return write_heap(value)
    if kind == PLAYER and value < len(players):
        return str(players[value])
    if kind == OUTCOME:
        return str(t.OUTCOMES[value])
    if kind.element is not None:
        inside = [write_value(v, kind.element, players) for v in value[:24]]
        more = f", ... ({len(value)} in all)" if len(value) > 24 else ""
        opening, closing = "{}" if kind.kind == "set" else "[]"
        return opening + ", ".join(inside) + more + closing
    if isinstance(value, bool):
        return str(value)
    written = digits(value)
    if isinstance(value, Fraction) and len(written) > 40 and value.denominator.bit_length() <= MAX_SHOWN_BITS:
        with suppress(OverflowError):  # a float ends before 2^1024
            return f"{float(value):.12g} (an exact fraction of {len(str(value.denominator))} digits)"
    return written


def players_of(claim: Claim) -> tuple[str, ...]:
    """The names of the players of the claim's games, by index."""
    return max((g.ruleset.players for g in claim.games), key=len, default=())


def show_position(s: Position) -> str:
    """(2, 2, 4), or `the empty position ()`."""
    return write_value(s, POSITION, ()) if s else "the empty position ()"


def describe_move(s: Position, option: Position) -> str:
    """What a move does to the heaps.

    >>> describe_move((2, 2, 4), (1, 2, 4))
    '(2, 2, 4) -> (1, 2, 4), the heap 2 becoming 1'
    """
    gone, new = Counter(s), Counter(option)
    lost, made = sorted((gone - new).elements()), sorted((new - gone).elements())
    arrow = f"{write_value(s, POSITION, ())} -> {write_value(option, POSITION, ())}"
    if len(lost) != 1 or (len(s) == 1 and is_compound(s[0])):
        return arrow  # a heap with parts is not written twice
    if not made:
        return f"{arrow}, the heap {write_heap(lost[0])} removed"
    return f"{arrow}, the heap {write_heap(lost[0])} becoming {' and '.join(map(write_heap, made))}"


def describe(term: t.Term, truth: bool, show: Show) -> tuple[t.Term, str] | None:
    """The one position that a condition is about, and what it says of it in words; None where it has none.

    `truth`: whether the condition is to hold.  `(2, 4)` and `is not defective for P1`.
    """
    match term:
        case t.Apply(function=t.Function(name=word), args=(of, *players)) if is_adjective(term):
            whom = "".join(f" for {show(x)}" for x in players)
            return of, f"is {'' if truth else 'not '}{word}{whom}"
        case t.Operation(op="eq" | "ne" as op, args=(t.Operation(op="nim_sum", args=(of,)), t.Literal() as right)):
            has = "has" if truth == (op == "eq") else "does not have"
            return (of, f"{has} nim-sum {show(right)}") if of.type == POSITION else None
        case t.AnyOf(args=args) | t.AllOf(args=args) if args:
            found = [x for x in (describe(x, truth, show) for x in args) if x is not None]
            if len(found) < len(args) or any(show(of) != show(found[0][0]) for of, _ in found):
                return None
            join = " or " if isinstance(term, t.AnyOf) == truth else " and "
            return found[0][0], join.join(said for _, said in found)
    return None


def is_adjective(term: t.Apply) -> bool:
    """Whether a definition can be read as one word said of a position, perhaps for a player: `defective(s, p)`."""
    kinds = tuple(x.type for x in term.args)
    word = term.function.name
    return kinds in ((POSITION,), (POSITION, PLAYER)) and len(word) > 1 and word.isalpha() and word.islower()


def name_value(term: t.Term, claim: Claim, show: Show) -> str:
    """What a value of a position is called: `the nim-sum of (2, 4)`; "" where no words are known."""
    match term:
        case t.Operation(op="nim_sum", args=(of,)) if of.type == POSITION:
            return f"the nim-sum of {show(of)}"
        case t.GameCall(function=function, game=game, args=(of, *_)) if function in _CALLED:
            whom = f" for {show(term.written[1])}" if len(term.written) > 1 else ""
            where = _place(game, claim)
            return f"the {_CALLED[function]} of {show(of)}{whom}{where}"
    return ""


_CALLED = {
    "grundy": "Grundy value",
    "value": "value",
    "number": "number",
    "mean": "mean value",
    "temperature": "temperature",
}


def say_outcome(op: str, call: t.Term, right: t.Term, found: int, wanted: int, show: Show) -> str:
    """Whether the outcome is the one that is named: `(1, 1) is a P-position, not an N-position`; "" if none is asked.

    `op`: eq or ne; `found`, `wanted`: the outcomes by number.
    """
    if op not in ("eq", "ne") or not isinstance(call, t.GameCall) or call.function != "outcome":
        return ""
    if not isinstance(right, t.Literal):
        return ""
    said = f"{show(call.args[0])} is {_OUTCOMES[found]}"
    return said + (f", not {_OUTCOMES[wanted]}" if found != wanted else "")


def _place(game: str, claim: Claim) -> str:
    """Which game is meant, of a claim about several: by its title, or by its name in the claim where titles agree."""
    titles = [g.ruleset.title for g in claim.games]
    if len(titles) < 2:
        return ""
    return f" in the game {game}" if len(set(titles)) < len(titles) else f" in {claim.game(game).ruleset.title}"
