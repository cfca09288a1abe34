"""What the obligations about equal games are called, where a line of the proof is shown by them."""

from __future__ import annotations


def defined(words: str) -> str:
    """That the region has a value at every position."""
    return f"the region is defined: {words}"


def closed(who: str) -> str:
    """That no move leads out of the region. `who`: the mover by name, "" where all have the same moves."""
    return f"region closed{_to_move(who)}"


def same(who: str, one: str, other: str) -> str:
    """That a move of one game is one of the other, there. `one`, `other`: the games by name."""
    return f"same moves{_to_move(who)}: each of {one} is one of {other}"


def of_player(case: str, name: str) -> str:
    """The obligation `name` where the claim's players are those that `case` says; "" for a claim about none."""
    return f"{case}: {name}" if case else name


def _to_move(who: str) -> str:
    return f" ({who} to move)" if who else ""
