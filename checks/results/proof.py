"""A proof as a reader is shown it: what the rule reads in [proof], as tables, with the obligations of each line."""

from __future__ import annotations

from dataclasses import dataclass

from checks.results.statement import Formula


@dataclass(frozen=True)
class Cell:
    """What stands in one place of a table: `words`, a formula, or both."""

    words: str = ""
    formula: Formula | None = None


@dataclass(frozen=True)
class Row:
    """One line. `obligations`: the names of those that show it."""

    cells: tuple[Cell, ...]
    obligations: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProofTable:
    """Lines of one kind. `title` and `columns`: its headings; `kind`: "loses", "folds", "facts", "moves" and so on."""

    kind: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class ShownProof:
    """`rule`: its name; `summary`: the argument in a sentence or two; what no row names is the ground it stands on."""

    rule: str
    summary: str
    tables: tuple[ProofTable, ...]
