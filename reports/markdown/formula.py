"""The statement of a claim as plain text, for Markdown."""

from __future__ import annotations

from checks.results.statement import FormalStatement, TypesetFormula, write_plain


def say_formal(formal: FormalStatement, quantifier: str) -> list[str]:
    """The statement in a sentence, and a line for each of its definitions."""
    every = "For some" if quantifier == "exists" else "For every"
    start = f"{every} {', '.join(map(_write, formal.quantified))}: " if formal.quantified else ""
    said = _write(formal.conclusion)
    if formal.hypothesis is not None:
        said = f"if {_write(formal.hypothesis)}, then {said}"
    return [start + said, *(f"where {_write(left)} {_write(right)}" for left, right in formal.definitions)]


def _write(formula: TypesetFormula) -> str:
    return write_plain(formula.markup)
