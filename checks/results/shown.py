"""The content of a report about a claim, as data: values, the formal statement, proof tables, pictures, boards."""

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
"""The pairs (variable, value) of a case, in the order of declaration."""


@dataclass(frozen=True)
class ExplanationLine:
    """A line of an explanation. It belongs to the last line above that has a smaller depth.

    `text`: the line with formulas in the claim language.
    `shown`: the line with mathematical signs; "" if it is the same.
    """

    text: str
    depth: int = 0
    shown: str = ""


EXACT = 2**53  # every integer up to this one is exact as a double, the type of numbers in JavaScript


def encode(value: object) -> Json:
    """Return a value as JSON data. Integers beyond ±2^53 and fractions become texts. Raises TypeError for other types.

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
    raise TypeError(
        f"a value in a report cannot be of type {type(value).__name__}; expected None, bool, int, str, Fraction, "
        "or a list, tuple or dict of such values"
    )


# == statement ========================================================================================================
# The formal statement of a claim for reports: each expression as text and typeset.
@dataclass(frozen=True)
class TypesetFormula:
    """An expression in two forms.

    `text`: in the claim language. `markup`: as safe HTML, with words and MathML.
    A long formula consists of several `math` elements with the connectives between them, so that lines can wrap.
    """

    text: str
    markup: str


@dataclass(frozen=True)
class FormalStatement:
    """The formal statement of a claim: `hypothesis` implies `conclusion`, for all or for some values.

    `quantified`: the variables with their domains.
    `definitions`: pairs (left side, right side) of the definitions that the claim uses, in the order in which to read
    them.
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
    r"""Return a formula as plain text. `markup`: the formula as HTML that this program has made.

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
    """Yield, in reading order, the texts of an element and of its children. `parts`: the text of each child."""
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
# A proof for reports: the content of [proof] as tables, with the obligations of each row.
#
# `Finding.obligations` contains the result of each obligation by name. An obligation that is missing there was not
# tried, because a proof stops at the first obligation that is not proved.
@dataclass(frozen=True)
class ProofCell:
    """The content of a table cell.

    `parts`: words and formulas in reading order.
    `words`: the content in English, or "" if some formula cannot be put into words.
    """

    parts: tuple[str | TypesetFormula, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Step:
    """An obligation that supports a row of a proof table. `label`: one or two words.

    `name`: the name of the obligation.
    """

    label: str
    name: str


@dataclass(frozen=True)
class ExampleMove:
    """An example of a move that a row of a proof describes, at the smallest suitable position found.

    The referee has confirmed that the move is legal.
    `values`: the values of the integer variables of the claim. `mover`: the player to move, or "".
    `before`, `after`: the positions, as ascending heap sizes.
    `heap`, `left`: the size of the changed heap before and after the move.
    """

    values: tuple[tuple[str, int], ...]
    mover: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    heap: int
    left: int


@dataclass(frozen=True)
class ProofRow:
    """A row of a proof table. `steps`: the obligations that support the row. `instance`: an example, or None."""

    cells: tuple[ProofCell, ...]
    steps: tuple[Step, ...] = ()
    instance: ExampleMove | None = None


@dataclass(frozen=True)
class ProofTable:
    """A table of a proof, with rows of one kind.

    `kind`: the kind, such as "loses", "folds", "facts" or "moves".
    `title`, `columns`: the headings.
    `where`: the condition of the cases that the table is about; None for all cases.
    """

    kind: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[ProofRow, ...]
    where: TypesetFormula | None = None


@dataclass(frozen=True)
class ObligationText:
    """A complete obligation. `text`: in the claim language. `markup`: as HTML, or "" if the text is long."""

    name: str
    text: str
    markup: str = ""


@dataclass(frozen=True)
class ProofPresentation:
    """A proof as tables.

    `rule`: the name of its proof rule.
    `summary`: the argument in one or two sentences.
    `other_obligations`: the names of the obligations that no row contains, in order.
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
"""A heap: its size, or its parts. Each part is a number or a list of numbers."""
ShownPosition = tuple[ShownHeap, ...]
NOTHING = TypesetFormula("", "")


@dataclass(frozen=True)
class OutcomeMap:
    """A map that shows for which sizes of two heaps a condition holds.

    `game`: the game with its parameters.
    `yes`, `no`: the labels for positions where the condition holds, and where it fails.
    `least`: the smallest heap size on the map.
    `solved`: `solved[b - least][a - least]` is whether the condition holds for heaps of a and b.
    `claimed`: a second condition, drawn on the same map, if the claim file gives one.
    `solved_by`, `claimed_by`: the two conditions, typeset.
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
    """The values of the single heaps `least`, `least` + 1, ...

    `values`: the computed values. `claimed`: the values of a formula, if the claim file gives one.
    `period`, `saltus`: value(x + period) = value(x) + saltus for all x in the range. Both are 0 if no period of at most
    half of the range exists.
    `title`, `game`, `claimed_by`: as in `OutcomeMap`. `value_by`: the values as a formula, typeset.
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
"""Triples (values of the names, number of failing cases, number of cases that meet the hypotheses)."""


@dataclass(frozen=True)
class Failures:
    """The cases of the scope at which a claim fails.

    `met`: the number of cases that meet the hypotheses.
    `failing`: the number of these cases at which the claim fails.
    `by`: pairs (names, groups). The cases that meet the hypotheses are grouped by the values of these names, such as
    ("k", "l") or ("number of heaps of s",).
    `next`: the next counterexamples after the smallest one, in order, as pairs (variable, value as text). The referee
    has confirmed each of them.
    `matters`: sentences, each on how the smallest counterexample depends on one variable.
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
    """A picture that was not drawn. `reason`: the limit that was reached, or the fault."""

    title: str
    reason: str


Picture = OutcomeMap | GrundySequence | Failures | Undrawn


@dataclass(frozen=True)
class HeapDrawing:
    """The way in which the heaps with parts of a game are drawn.

    `kind`: the kind of drawing.
    `names`: the names of the parts of a heap, in order.
    `shown`: the indices of the parts that the drawing shows; all other parts are printed next to the drawing.
    `edges`: the edges of a graph, as a flat list with two vertices for each edge. None if the first part in `shown` is
    this list, which can then differ from heap to heap.
    `width`: the length of a row of squares; None if the last part in `shown` is this number.
    """

    kind: DrawnAs
    names: tuple[str, ...]
    shown: tuple[int, ...] = ()
    edges: tuple[int, ...] | None = ()
    width: int | None = None


@dataclass(frozen=True)
class DrawnPositions:
    """The positions of a counterexample, for heaps with parts, as pairs (name of the variable or "", position)."""

    drawing: HeapDrawing
    positions: tuple[tuple[str, ShownPosition], ...]


# -- playable claims ---------------------------------------------------------------------------------------------------
# A playable claim: positions, legal moves and replies, as data for a web page that does not contain the rules.


@dataclass(frozen=True)
class BoardPlace:
    """A position on a board, with the player to move.

    `says`: facts about the position that matter to the claim, in words, or "".
    `moves`: pairs (position after the move, index of its BoardPlace). If the reader moves, these are all legal moves.
    If the page moves (`answers` is true), there is one. At the end of the game there are none.
    `refused`: pairs (position, reason) for the illegal moves that the reader may try by taking from one heap.
    """

    position: ShownPosition
    mover: str
    says: str
    moves: tuple[tuple[ShownPosition, int], ...] = ()
    answers: bool = False
    refused: tuple[tuple[ShownPosition, str], ...] = ()


@dataclass(frozen=True)
class SolvedGame:
    """The solved positions of a box for one choice of the parameters.

    `values`: the parameters, such as `k = 3, l = 4`; "" without parameters.
    `legal`: for each mover, one bit for each move in `SolvedBox.moves`: whether the move is legal.
    `wins`: for each mover, one bit for each position: whether the mover wins.
    The bits are written as hexadecimal digits; the first bit is the highest. An impartial game has one mover.
    """

    values: str
    legal: tuple[str, ...]
    wins: tuple[str, ...]


@dataclass(frozen=True)
class SolvedBox:
    """A box of small positions, solved for several values of the parameters. Play can begin at any of these positions.

    `title`: the title of the game, without parameters.
    `players`: the names of both players.
    `stuck_wins`: whether a player without a move wins.
    `within`: a description of the positions in words.
    `moves`: for each position, the indices of the positions that some player can move to, for some parameters.
    `games`: the solution for each choice of the parameters.
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
    """A claim that the reader can play as a game. Play begins at the first of `places`.

    `game`, `rules`: the title and the rules of the game.
    `reader`: the name of the player whose moves the reader makes.
    `task`: the task of the reader.
    `outcome`: the conclusion, shown after the page has replied to every first move of the reader.
    `box`: further starting positions; None if they are too many for a page.
    `drawing`: the way to draw heaps with parts; None if heaps are numbers.
    `at_stake`: whether the game decides the claim; otherwise the board only shows the game.
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
