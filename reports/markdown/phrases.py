"""What every Markdown says alike: a verdict, the reason for it, a link to a claim, a case, a table."""

from __future__ import annotations

from collections.abc import Sequence

from checks.results.model import ClaimResult
from checks.results.values import Values
from checks.results.verdicts import Verdict
from reports.digest import is_green
from reports.legend import MARKS
from reports.markdown.text import cell, code, escape
from reports.wording import anchor, assignments, expectation, reason, verdict_text


def sign(verdict: Verdict) -> str:
    """The sign of a verdict."""
    return escape(MARKS[verdict])


def say_verdict(result: ClaimResult) -> str:
    """Sign and verdict with its scope, bold where it is no good news, and whether the file expected something else."""
    text = f"{sign(result.verdict)} {escape(verdict_text(result))}"
    return (text if is_green(result) else f"**{text}**") + _unexpected(result)


def say_why(result: ClaimResult) -> str:
    """The bare verdict of a claim that is not green, and the reason in one line."""
    return f"**{sign(result.verdict)} {result.verdict.value}**: {escape(reason(result))}{_unexpected(result)}"


def _unexpected(result: ClaimResult) -> str:
    return f", **{escape(expectation(result))}**" if expectation(result) else ""


def link(result: ClaimResult) -> str:
    """The claim's id, leading to its place in the same file."""
    return f"[{cell(result.id)}](#{anchor(result.id)})"


def place(anchor: str) -> str:
    """Where links lead: `anchor` is safe in an attribute, as `reports.wording.anchor` makes it."""
    return f'<a id="{anchor}"></a>'


def say_case(result: ClaimResult, values: Values) -> str:
    """The values of a case."""
    return code(", ".join(assignments(result, values)))


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: bool = False) -> str:
    """A table of cells that are Markdown already; `numbers`: all columns but the first stand to the right."""
    ruler = ["---", *["---:" if numbers else "---"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ruler, *rows))
