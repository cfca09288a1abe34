"""What a report shows of a claim, as data: values, the formal statement, proof tables, pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from claims.language.files.heaps import DrawnAs as DrawnAs  # noqa: PLC0414 - others have it from here

# == values ===========================================================================================================
# Values as results show them, the same as JSON data, and the lines of an explanation.
Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""What a file of JSON may hold."""

PlainValue = bool | int | str | tuple["PlainValue", ...]
"""Truth values, integers; fractions as texts, players by name, positions, lists and sets as tuples."""

NamedValues = tuple[tuple[str, PlainValue], ...]
"""(variable, value) in the order declared."""


@dataclass(frozen=True)
class ExplanationLine:
    """One line of an explanation; deeper lines belong to the last shallower one.

    `text`: with formulas in the claim language; `shown`: with the signs of mathematics, "" if it is the same.
    """

    text: str
    depth: int = 0
    shown: str = ""


EXACT = 2**53  # every integer up to here is a double, which is what JavaScript and others read a number as


def encode(value: object) -> Json:
    """A value as JSON data: tuples as lists, integers beyond 2^53 and fractions as texts. Raises TypeError.

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
# The formal statement of a claim as a reader is shown it: each expression as it is written, and typeset.
@dataclass(frozen=True)
class TypesetFormula:
    """An expression. `text`: in the claim language; `markup`: HTML of ours, MathML joined by words, safe as it stands.

    Where a formula is long it is several `math` elements with the connectives between them, so that lines can wrap.
    """

    text: str
    markup: str


@dataclass(frozen=True)
class FormalStatement:
    """A statement: for all (or there are) values as `quantified` says, `hypothesis` implies `conclusion`.

    `definitions`: left and right side of each that the claim uses, in the order in which they are best read.
    """

    quantified: tuple[TypesetFormula, ...]
    hypothesis: TypesetFormula | None
    conclusion: TypesetFormula
    definitions: tuple[tuple[TypesetFormula, TypesetFormula], ...] = ()


# -- formulas as text ------------------------------------------------------------
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIMPLE = re.compile(r"\d+|[^\W\d]\w*")
_SPACES = re.compile(r"\s+")


def write_plain(markup: str) -> str:
    r"""A formula, of which `markup` is the HTML of ours, as text; a distinction of cases stands in braces.

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
    """The text of an element with that of those in it."""
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
# A proof as a reader is shown it: what the rule reads in [proof], as tables, with the obligations of each line.
#
# What became of an obligation stands in `ClaimResult.obligations` under its name; one that is not there was not tried,
# for a proof stops at the first that is not discharged.
@dataclass(frozen=True)
class ProofCell:
    """What stands in one place of a table: words and formulas in the order in which they are read.

    `words`: what they say, in English; "" where no good words are known.
    """

    parts: tuple[str | TypesetFormula, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Step:
    """What shows a line: `label`, in a word or two, by the obligation `name`."""

    label: str
    name: str


@dataclass(frozen=True)
class ExampleMove:
    """A move that a line names, made at the smallest position found where it applies; the referee judged it legal.

    `values`: of the claim's integers.  `before`, `after`: heap sizes in ascending order.  A heap of `heap` becomes
    `left`.
    """

    values: tuple[tuple[str, int], ...]
    mover: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    heap: int
    left: int


@dataclass(frozen=True)
class ProofRow:
    """One line, shown by `steps`."""

    cells: tuple[ProofCell, ...]
    steps: tuple[Step, ...] = ()
    instance: ExampleMove | None = None


@dataclass(frozen=True)
class ProofTable:
    """Lines of one kind. `title` and `columns`: its headings; `kind`: "loses", "folds", "facts", "moves" and so on.

    `where`: the case of the claim that it is about, None for all of it.
    """

    kind: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[ProofRow, ...]
    where: TypesetFormula | None = None


@dataclass(frozen=True)
class ObligationText:
    """An obligation in full: `text` in the claim language, and `markup`, HTML of ours, "" for what is long."""

    name: str
    text: str
    markup: str = ""


@dataclass(frozen=True)
class ProofPresentation:
    """`rule`: its name; `summary`: the argument in a sentence or two.

    `other_obligations`: the obligations that no row names, in their order.  `obligation_texts`: those that were
    tried, in theirs.
    """

    rule: str
    summary: str
    tables: tuple[ProofTable, ...]
    other_obligations: tuple[str, ...] = ()
    obligation_texts: tuple[ObligationText, ...] = ()


# == pictures =========================================================================================================
# What is drawn beside a claim, as numbers: each kind of picture is a record of its own.
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
