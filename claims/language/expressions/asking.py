"""How the questions about games are typeset: "P2 wins at s", Opt(s), s → t."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from claims.language.builtins.notations import Typesetter
from claims.language.terms import terms as t
from claims.language.terms.markup import (
    Binding,
    MarkupFragment,
    Words,
    make_element,
    mi,
    mo,
    mrow,
    separate,
    subscript,
    tell,
)

TypesetCall = Callable[[Typesetter, tuple[t.Term, ...], str], MarkupFragment]
"""(typesetter, arguments as the file writes them, the game where there are several) -> markup."""
B = Binding
_WITH_MOVER = 2  # s and who moves


@dataclass(frozen=True)
class GameNotation:
    """`says`: the answer; `denies`: the opposite, of a condition."""

    says: TypesetCall
    denies: TypesetCall | None = None
    denies_endless: TypesetCall | None = None  # where play may go on for ever


def tell_winner(verb: str) -> TypesetCall:
    """That P2 wins at s; where the file leaves the mover out, that the mover does."""

    def asked(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        who = by.show(args[1], B.SUM) if len(args) == _WITH_MOVER else Words("the mover")
        return tell(who, Words(f" {verb} at "), by.show(args[0], B.SUM), *name_game(game))

    return asked


def tell_state(words: str) -> TypesetCall:
    """That s is so, or is so for P2."""

    def asked(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        mover = (Words(" for "), by.show(args[1], B.SUM)) if len(args) == _WITH_MOVER else ()
        return tell(by.show(args[0], B.SUM), Words(f" {words}"), *mover, *name_game(game))

    return asked


def name_game(game: str) -> tuple[Words | str, ...]:
    """That it is so in this game."""
    return (Words(" in "), game) if game else ()


def draw_move(arrow: str) -> TypesetCall:
    """`s → t`, with the mover above the arrow."""

    def asked(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        s, to, *mover = args
        above = separate([x for x in (game, *(by.show(m) for m in mover)) if x])
        sign = make_element("mover", mo(arrow, 'stretchy="true"') + mrow(above)) if above else mo(arrow)
        return MarkupFragment(mrow(by.show(s, B.SUM), sign, by.show(to, B.SUM)), B.RELATION)

    return asked


def call(name: str, attributes: str = "") -> TypesetCall:
    """`𝒢(3, 5)`: one pair of parentheses around the heaps; the game and the mover stand below the name."""

    def asked(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        s, *mover = args
        below = separate([x for x in (game, *(by.show(m) for m in mover)) if x])
        head = subscript(mi(name, attributes), mrow(below)) if below else mi(name, attributes)
        heaps = s.args[0] if isinstance(s, t.Operation) and s.op == "position" else None
        bare = (isinstance(heaps, t.Collection) and heaps.items) or isinstance(heaps, t.Comprehension)
        return MarkupFragment(mrow(head, by.show(s)) if bare else by.show_call(head, (s,)))

    return asked


def compare(sign: str) -> TypesetCall:
    """`s ≤ t`, with the game below the sign."""

    def asked(by: Typesetter, args: tuple[t.Term, ...], game: str) -> MarkupFragment:
        s, other = args
        between = subscript(mo(sign), mrow(game)) if game else mo(sign)
        return MarkupFragment(mrow(by.show(s, B.SUM), between, by.show(other, B.SUM)), B.RELATION)

    return asked


OPTIONS = GameNotation(call("Opt"))
LEGAL = GameNotation(draw_move("→"), draw_move("↛"))
TERMINAL = GameNotation(tell_state("is terminal"), tell_state("is not terminal"))
WINS = GameNotation(tell_winner("wins"), tell_winner("loses"), tell_winner("does not win"))
DRAWS = GameNotation(tell_winner("draws"), tell_winner("does not draw"), tell_winner("does not draw"))
VALUE = GameNotation(call("value"))
GRUNDY = GameNotation(call("𝒢", 'mathvariant="normal"'))
ASKED_OUTCOME = GameNotation(call("outcome"))
LE = GameNotation(compare("≤"), compare("≰"))
NUMBER = GameNotation(call("number"))
MEAN = GameNotation(call("mean"))
TEMPERATURE = GameNotation(call("temperature"))
