"""The content of a report about a claim, as data: values, the formal statement, proof tables, pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from claims.language.files.heaps import DrawnAs as DrawnAs  # noqa: PLC0414 - re-exported

# == values ===========================================================================================================
# Values in results, which are also JSON data, and the lines of an explanation.
Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""JSON data."""

PlainValue = bool | int | str | tuple["PlainValue", ...]
"""A value in a result.

Fractions are strings, players are names, and positions, lists and sets are tuples.
"""

NamedValues = tuple[tuple[str, PlainValue], ...]
"""(variable, value) in the order of declaration."""


@dataclass(frozen=True)
class ExplanationLine:
    """One line of an explanation; deeper lines belong to the last shallower one.

    `text`: with formulas in the claim language.
    `shown`: with mathematical signs; "" if it is the same.
    """

    text: str
    depth: int = 0
    shown: str = ""


EXACT = 2**53  # every integer up to here is exactly a double, the number type of JavaScript and others


def encode(value: object) -> Json:
    """Return a value as JSON data: tuples as lists, integers beyond 2^53 and fractions as texts. Raises TypeError.

    >>> encode((2, 2, 4)), encode(2**53), encode(-(2**53) - 1), encode("P1")
    ([2, 2, 4], 9007199254740992, '-9007199254740993', 'P1')
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= EXACT else str(value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(key): encode(x) for key, x in value.items()}
    if isinstance(value, tuple | list):
        return [encode(x) for x in value]
    raise TypeError(f"a value in a report is a bool, an int, a str or a tuple of them; got {type(value).__name__}")


# == statement ========================================================================================================
# The formal statement of a claim for readers: each expression as text and typeset.
@dataclass(frozen=True)
class TypesetFormula:
    """An expression. `text`: in the claim language; `markup`: safe HTML, MathML joined by words.

    A long formula consists of several `math` elements with the connectives between them, so that lines can wrap.
    """

    text: str
    markup: str


@dataclass(frozen=True)
class FormalStatement:
    """A statement: for all values in `quantified` (or for at least one), `hypothesis` implies `conclusion`.

    `definitions`: left and right side of each definition used, in a good order for reading.
    """

    quantified: tuple[TypesetFormula, ...]
    hypothesis: TypesetFormula | None
    conclusion: TypesetFormula
    definitions: tuple[tuple[TypesetFormula, TypesetFormula], ...] = ()


# -- formulas as text --------------------------------------------------------------------------------------------------
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIMPLE = re.compile(r"\d+|[^\W\d]\w*")
_SPACES = re.compile(r"\s+")


def write_plain(markup: str) -> str:
    r"""Return a formula as text. `markup`: our HTML of it; a case distinction is put in braces.

    >>> write_plain("<math><mrow><mi>n</mi><mo>≥</mo><mn>52</mn></mrow></math>")
    'n ≥ 52'
    >>> write_plain("<math><msup><mi>x</mi><mn>2</mn></msup></math> <span>is odd</span>")
    'x² is odd'
    """
    return _SPACES.sub(" ", _write(ET.fromstring(f"<p>{markup}</p>"))).strip()  # noqa: S314 - ours


def _write(element: ET.Element) -> str:
    parts = [_write(child) for child in element]
    match element.tag:
        case "mo":
            return _operator(element)
        case "msub" | "munder":
            below = parts[1] if _SIMPLE.fullmatch(parts[1].strip()) else f"({parts[1].strip()})"
            apart = element.tag == "munder" or parts[0] == "log"
            return f"{parts[0]}_{below.strip()}" + (" " if apart else "")
        case "mover":
            return f" {parts[0].strip()}({parts[1].strip()}) "
        case "msup":
            power = parts[1].strip()
            return parts[0] + (power.translate(_SUPERSCRIPTS) if power.isdigit() else f"^{_enclose(power)}")
        case "mfrac":
            return f"{_enclose(parts[0])}/{_enclose(parts[1])}"
        case "mtable":
            return "; ".join(parts) + "}"
        case "mtr":
            return " ".join(parts)
    return "".join(_join(element, parts))


def _join(element: ET.Element, parts: Sequence[str]) -> Iterator[str]:
    """Yield the texts of an element and of its children."""
    yield element.text or ""
    for child, part in zip(element, parts, strict=True):
        yield part
        yield child.tail or ""


def _operator(element: ET.Element) -> str:
    sign, form = element.text or "", element.get("form", "infix")
    if sign == "\u2062":  # invisible times
        return ""
    if element.get("separator"):
        return f"{sign} "
    if form == "infix" and sign.strip() and sign != ".":  # a part of a heap: h.c
        return f" {sign} "
    return f"{sign} " if sign[-1:].isalpha() else sign  # a function by a word, such as min


def _enclose(text: str) -> str:
    text = text.strip()
    return text if _SIMPLE.fullmatch(text) else f"({text})"


# == proof ============================================================================================================
# A proof for readers: the content of [proof] as tables, with the obligations of each line.
#
# `ClaimResult.obligations` contains the result of each obligation by name. An obligation that is missing there was not
# tried, because a proof stops at the first obligation that is not proved.
@dataclass(frozen=True)
class ProofCell:
    """The content of a cell of a table: words and formulas in reading order.

    `words`: the content in English; "" if there are no good words.
    """

    parts: tuple[str | TypesetFormula, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Step:
    """An obligation that supports a line. `label`: a word or two; `name`: the name of the obligation."""

    label: str
    name: str


@dataclass(frozen=True)
class ExampleMove:
    """A move that a line describes, at the smallest position found where it applies; the referee judged it legal.

    `values`: the values of the claim's integers.
    `before`, `after`: ascending heap sizes. A heap of `heap` becomes `left`.
    """

    values: tuple[tuple[str, int], ...]
    mover: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    heap: int
    left: int


@dataclass(frozen=True)
class ProofRow:
    """One line, supported by `steps`."""

    cells: tuple[ProofCell, ...]
    steps: tuple[Step, ...] = ()
    instance: ExampleMove | None = None


@dataclass(frozen=True)
class ProofTable:
    """Lines of one kind. `title` and `columns`: its headings; `kind`: "loses", "folds", "facts", "moves" and so on.

    `where`: the case of the claim that the table is about; None for all cases.
    """

    kind: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[ProofRow, ...]
    where: TypesetFormula | None = None


@dataclass(frozen=True)
class ObligationText:
    """The complete text of an obligation: `text` in the claim language; `markup`: our HTML, "" for a long text."""

    name: str
    text: str
    markup: str = ""


@dataclass(frozen=True)
class ProofPresentation:
    """A proof. `rule`: the name of its rule; `summary`: the argument in a sentence or two.

    `other_obligations`: the obligations that no row names, in order.
    `obligation_texts`: the obligations that were tried, in order.
    """

    rule: str
    summary: str
    tables: tuple[ProofTable, ...]
    other_obligations: tuple[str, ...] = ()
    obligation_texts: tuple[ObligationText, ...] = ()


# == pictures =========================================================================================================
# The pictures of a claim, as numbers; each kind of picture has its own record.
ShownHeap = int | tuple[int | tuple[int, ...], ...]
"""A heap: its size, or its parts, each a number or a list."""
ShownPosition = tuple[ShownHeap, ...]
NOTHING = TypesetFormula("", "")


@dataclass(frozen=True)
class OutcomeMap:
    """A map of a condition on two heaps: `solved[b - least][a - least]` for heaps a and b from `least` on.

    `claimed`: a rule drawn over it, if the claim's file gives one.
    `title`: the title.
    `game`: the game with its parameters.
    `yes`, `no`: the labels for positions where the condition holds, and where it fails.
    `solved_by`, `claimed_by`: both conditions, typeset.
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
    """The values at single heaps `least`, `least` + 1, ...; `claimed`: the values of a formula, if the file gives one.

    `period`, `saltus`: value(x + period) = value(x) + saltus for all x in the range; 0 if there is no such period of at
    most half of the range. `title`, `game`, `value_by`, `claimed_by`: as in `OutcomeMap`.
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
    """The failures of a claim in its scope: `failing` of the `met` cases that meet the hypotheses.

    `by`: for each grouping its names, such as ("k", "l") or ("number of heaps of s",), and the groups that meet the
    hypotheses.
    `next`: the counterexamples after the smallest, in order, as (variable, value as text), each confirmed by the
    referee.
    `matters`: for each variable, a sentence on how the smallest counterexample depends on it.
    `undefined`: the number of cases without a truth value, which are not counted above.
    """

    failing: int
    met: int
    by: tuple[tuple[tuple[str, ...], Groups], ...]
    next: tuple[tuple[tuple[str, str], ...], ...]
    matters: tuple[str, ...] = ()
    undefined: int = 0


@dataclass(frozen=True)
class Undrawn:
    """A picture that is left out. `title`: its title; `reason`: the limit that was reached, or the fault."""

    title: str
    reason: str


Picture = OutcomeMap | GrundySequence | Failures | Undrawn


@dataclass(frozen=True)
class HeapDrawing:
    """How the heaps of a game with parts are drawn.

    `names`: the names of the parts of a heap, in order.
    `shown`: the indices of the parts in the picture; the other parts are next to it.
    `edges`: the edges of a graph, two vertices each.
    """

    kind: DrawnAs
    names: tuple[str, ...]
    shown: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()


@dataclass(frozen=True)
class DrawnPositions:
    """The positions of a counterexample whose heaps have parts: (the variable, or "", the position)."""

    drawing: HeapDrawing
    positions: tuple[tuple[str, ShownPosition], ...]


# -- playable claims ---------------------------------------------------------------------------------------------------
# A playable claim: positions, moves and answers, as data for a board that does not know the rules.


@dataclass(frozen=True)
class BoardPlace:
    """A position with its mover. `says`: facts about it that matter to the claim, in words, or "".

    `moves`: (position after the move, number of its place), heaps ascending.  These are all legal moves if the reader
    moves, the one reply if the page `answers`, and none at the end.
    `refused`: illegal moves that the reader may try by taking from one heap, and the reasons.
    """

    position: ShownPosition
    mover: str
    says: str
    moves: tuple[tuple[ShownPosition, int], ...] = ()
    answers: bool = False
    refused: tuple[tuple[ShownPosition, str], ...] = ()


@dataclass(frozen=True)
class SolvedGame:
    """A box with fixed parameters: `values`, such as `k = 3, l = 4`; "" without parameters.

    `legal`: for each mover, a bit for each move of the box, concatenated.
    `wins`: for each mover, a bit for each position: whether the mover wins. Bits are hexadecimal digits, the first bit
    highest. An impartial game has one mover.
    """

    values: str
    legal: tuple[str, ...]
    wins: tuple[str, ...]


@dataclass(frozen=True)
class SolvedBox:
    """Small positions, each solved for several values of the parameters; play can begin anywhere in it.

    `moves`: for each position, the numbers of the positions that a move of a player reaches for some parameters.
    `title`: the title of the game without parameters.
    `players`: both names.
    `stuck_wins`: whether a player without a move wins.
    `within`: the positions in words.
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
    """A claim as a game, which begins at the first place.

    `task`: the task of the reader, who is `reader`.
    `rules`: the rules of the `game`.
    `outcome`: the conclusion after every first move of the reader was answered.
    `box`: further starts, by the rules alone; None if they are too many for a page.
    `drawing`: for heaps with parts; None if heaps are numbers.
    `at_stake`: whether play shows the claim itself, not only the game.
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
