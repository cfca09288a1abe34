"""A proof as a reader is shown it: what the rule reads in [proof], as tables, with the obligations of each line.

What became of an obligation stands in `ClaimResult.obligations` under its name; one that is not there was not tried,
for a proof stops at the first that is not discharged.
"""

from __future__ import annotations

from dataclasses import dataclass

from checks.results.statement import TypesetFormula


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

    `ground`: the obligations that no row names, in their order.  `asked`: those that were tried, in theirs.
    """

    rule: str
    summary: str
    tables: tuple[ProofTable, ...]
    ground: tuple[str, ...] = ()
    asked: tuple[ObligationText, ...] = ()
