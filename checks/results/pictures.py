"""What is drawn beside a claim, as numbers: each kind of picture is a record of its own."""

from __future__ import annotations

from dataclasses import dataclass

from checks.results.statement import TypesetFormula
from claims.language.heaps.drawn import DrawnAs as DrawnAs  # noqa: PLC0414 - reports have it from here

ShownHeap = int | tuple[int | tuple[int, ...], ...]
"""A heap: its size, or its parts, each a number or a list."""
ShownPosition = tuple[ShownHeap, ...]
NOTHING = TypesetFormula("", "")


@dataclass(frozen=True)
class OutcomeMap:
    """Where a condition holds with two heaps: `solved[b - least][a - least]` for heaps a and b of `least` and more.

    `claimed`: a rule laid over it, as far as the claim's file gives one.  `title`: what is shown, `game`: under which
    rules and parameters.  `yes` and `no` say what is so where the condition holds and where it does not; `solved_by`
    and `claimed_by` are both conditions, typeset.
    """

    title: str
    game: str
    yes: str
    no: str
    least: int
    solved: tuple[tuple[bool, ...], ...]
    claimed: tuple[tuple[bool, ...], ...] | None = None
    solved_by: TypesetFormula = NOTHING
    claimed_by: TypesetFormula = NOTHING


@dataclass(frozen=True)
class GrundySequence:
    """The values at single heaps `least`, `least` + 1, ...; `claimed`: those of a formula, if the file gives one.

    value(x + period) = value(x) + saltus for all x as far as the values go; 0 where no period of at most half of them
    does that.  `title`, `game`, `value_by`, `claimed_by`: as in `OutcomeMap`.
    """

    title: str
    game: str
    least: int
    values: tuple[int, ...]
    claimed: tuple[int, ...] | None = None
    period: int = 0
    saltus: int = 0
    value_by: TypesetFormula = NOTHING
    claimed_by: TypesetFormula = NOTHING


Groups = tuple[tuple[tuple[int, ...], int, int], ...]
"""(values of the variables of a grouping, failing cases, cases that meet the hypotheses), in ascending order."""


@dataclass(frozen=True)
class Failures:
    """Where in its scope a claim fails: `failing` of `met` cases, those at which its hypotheses hold.

    `by`: for each grouping its names, such as ("k", "l") or ("number of heaps of s",), and its groups, those alone in
    which the hypotheses are met.  `next`: the counterexamples after the smallest, in order, as (variable, value as
    text), each confirmed by the referee.  `matters`: what of the smallest counterexample matters, a sentence for each
    variable.  `undefined`: cases without a truth value, which are not among those counted.
    """

    failing: int
    met: int
    by: tuple[tuple[tuple[str, ...], Groups], ...]
    next: tuple[tuple[tuple[str, str], ...], ...]
    matters: tuple[str, ...] = ()
    undefined: int = 0


@dataclass(frozen=True)
class Undrawn:
    """A picture that is left out. `title`: what it would have shown; `reason`: the limit that was met, or the fault."""

    title: str
    reason: str


Picture = OutcomeMap | GrundySequence | Failures | Undrawn


@dataclass(frozen=True)
class HeapDrawing:
    """How the heaps of a game with parts are drawn.

    `names`: of the parts of a heap, in order; `shown`: those that a picture of the kind shows, by number, the others
    stand beside it; `edges`: of a graph, two vertices each.
    """

    kind: DrawnAs
    names: tuple[str, ...]
    shown: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()


@dataclass(frozen=True)
class DrawnPositions:
    """The positions of a counterexample whose heaps have parts: (the variable that it is, or "", the position)."""

    drawing: HeapDrawing
    positions: tuple[tuple[str, ShownPosition], ...]


# -- what can be played -----------------------------------------------------------------------------------------------
# A claim that can be played: the positions, the moves and the answers, as data for a board that knows no rules.


@dataclass(frozen=True)
class BoardPlace:
    """A position with who is to move. `says`: what is true of it that matters to the claim, in words, or "".

    `moves`: (position after it, number of the place that it leads to), heaps in ascending order: every legal move
    where the reader moves; where the page `answers`, its one move; none at the end.  `refused`: what the reader may try
    by taking from one heap though the rules forbid it, and why they do.
    """

    position: ShownPosition
    mover: str
    says: str
    moves: tuple[tuple[ShownPosition, int], ...] = ()
    answers: bool = False
    refused: tuple[tuple[ShownPosition, str], ...] = ()


@dataclass(frozen=True)
class SolvedGame:
    """A box under one choice of the parameters: `values`, as `k = 3, l = 4`; "" without any.

    `legal`: of each mover a bit for each of the moves of the box, laid end to end.  `wins`: a bit for each position:
    whether the mover wins.  Bits are hexadecimal digits, the first bit the highest; one mover where all have the same
    moves.
    """

    values: str
    legal: tuple[str, ...]
    wins: tuple[str, ...]


@dataclass(frozen=True)
class SolvedBox:
    """Small positions, each of them solved under several choices of the parameters: play can begin anywhere in it.

    `moves`: of each position the numbers of those that a move of some player leads to under some choice.  `title`: what
    the game is called without its parameters; `players`: both; `stuck_wins`: who cannot move wins; `within`: which
    positions these are, in words.
    """

    title: str
    players: tuple[str, str]
    stuck_wins: bool
    within: str
    positions: tuple[ShownPosition, ...]
    moves: tuple[tuple[int, ...], ...]
    games: tuple[SolvedGame, ...]


@dataclass(frozen=True)
class PlayableClaim:
    """The first place is where it begins. `task`: what the reader, who is `reader`, tries; `rules`: of the `game`.

    `outcome`: what has been shown once every first move of the reader was answered.  `box`: where else play can begin,
    by the rules alone; None where that is too much for a page.  `drawing`: of heaps with parts; None where they are
    numbers.  `at_stake`: whether playing shows what the claim says, and not the game alone.
    """

    game: str
    rules: str
    reader: str
    task: str
    outcome: str
    places: tuple[BoardPlace, ...]
    box: SolvedBox | None = None
    drawing: HeapDrawing | None = None
    at_stake: bool = True
