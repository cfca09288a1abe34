"""A proof as a reader is shown it: the outline that its rule gives, typeset, with what was asked of the solvers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from html import escape
from itertools import groupby

from checks.judgement.account.instances import ExampleMoveFinder
from checks.judgement.account.mathematics import typesetter
from checks.judgement.faults import Exhausted, InternalFault, guard
from checks.results.proof import ExampleMove, ObligationText, ProofCell, ProofPresentation, ProofRow, ProofTable, Step
from checks.results.statement import TypesetFormula
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import TooLong
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL
from claims.language.typeset.flowing import flowing
from claims.language.typeset.neat import neaten
from claims.language.typeset.words import fold_in_words, in_words
from encoders.answer import Obligation
from encoders.ground.refusals import Unsupported
from encoders.logic.sequent import Sequent, Symbol, power
from encoders.proving.prover import Prover
from encoders.proving.reading import rule_name
from encoders.proving.registry import RULES
from encoders.rules.kit.outline import OutlineCell, OutlineTable, WordingKind
from encoders.rules.kit.rule import Rule

TYPESET = 4_000  # characters; longer obligations are no easier to read as formulas


def show_proof(claim: Claim, tried: tuple[Obligation, ...] = ()) -> ProofPresentation:
    """What a reader is shown of the claim's [proof]. `tried`: what became of its obligations, with their sequents.

    Where the rule cannot follow the claim, or something of ours fails, it is no more than the obligations tried.
    """
    rule, prover = RULES[rule_name(claim)], Prover()
    try:
        summary, tables = guard("in the tables of the proof", lambda: _outline(claim, rule, prover))
    except (Exhausted, InternalFault) as error:  # it explains a verdict that stands without it
        summary, tables = f"Its tables were not made: {error}.", ()
    shown = {step.name for table in tables for row in table.rows for step in row.steps}
    asked = tuple(ask(o.sequent) for o in tried if o.sequent is not None)
    ground = tuple(name for name in _names(claim, prover, tried) if name not in shown)
    return ProofPresentation(rule.name, summary, tables, ground, asked)


def _outline(claim: Claim, rule: Rule, prover: Prover) -> tuple[str, tuple[ProofTable, ...]]:
    try:
        outline = rule.outline(claim, prover)
    except (Unsupported, TooLong) as error:
        return f"The rule does not follow the claim: {error}.", ()
    named = [(id(line), line.play) for table in outline.tables for line in table.lines if line.play is not None]
    found = ExampleMoveFinder(claim).find(tuple(play for _, play in named)) if named else ()
    instances = {line: x for (line, _), x in zip(named, found, strict=True) if x is not None}
    return outline.summary, tuple(_table(claim, x, instances) for x in outline.tables)


def _names(claim: Claim, prover: Prover, tried: tuple[Obligation, ...]) -> Iterator[str]:
    """The names of all obligations: those tried and, where a proof stopped, those after."""
    for o in tried:
        yield o.name
    if tried and all(o.proved for o in tried):
        return
    met = {o.name for o in tried}
    with suppress(Unsupported, TooLong, Exhausted, InternalFault):
        posed = guard("in naming the obligations", lambda: list(RULES[rule_name(claim)].obligations(claim, prover)))
        yield from (sequent.name for sequent in posed if sequent.name not in met)


# -- tables -----------------------------------------------------------------------------------------------------------
def _table(claim: Claim, table: OutlineTable, instances: Mapping[int, ExampleMove]) -> ProofTable:
    show = typesetter(claim)
    rows = tuple(
        ProofRow(
            tuple(_cell(cell, table, show) for cell in line.cells),
            tuple(Step(label, name) for label, name in line.shown_by),
            instances.get(id(line)),
        )
        for line in table.lines
    )
    where = None if table.where is None else show(table.where)
    filled = [i for i in range(len(table.columns)) if i == 0 or any(row.cells[i].parts for row in rows)]
    rows = tuple(replace(row, cells=tuple(row.cells[i] for i in filled)) for row in rows)
    return ProofTable(table.kind, table.title, tuple(table.columns[i] for i in filled), rows, where)


def _cell(cell: OutlineCell, table: OutlineTable, show: Callable[[t.Term], TypesetFormula]) -> ProofCell:
    parts = tuple(x if isinstance(x, str) else show(x) for x in cell.parts)
    return ProofCell(parts, _read(cell, table))


def _read(cell: OutlineCell, table: OutlineTable) -> str:
    """The one term of the cell in words, if it has good ones."""
    terms = [x for x in cell.parts if isinstance(x, t.Term)]
    match cell.also:
        case WordingKind.CONDITION if table.names:
            return in_words(neaten(terms[0]), table.names)
        case WordingKind.FOLD:
            return fold_in_words(terms[0])
    return ""


# -- obligations ------------------------------------------------------------------------------------------------------
def ask(sequent: Sequent) -> ObligationText:
    """The obligation as text, and typeset unless it is long."""
    lines = "\n".join(sequent.lines())
    return ObligationText(sequent.name, lines, "" if len(lines) > TYPESET else _typeset(sequent))


def _typeset(sequent: Sequent) -> str:
    """Its lines as HTML: what is assumed, and what is shown for all values of the variables."""
    lines, flow = [], flowing()
    for kind, symbols in groupby(sequent.variables, _range):
        names = ", ".join(flow(t.Variable(x.type, 0, 0, x.name)) for x in symbols)
        lines.append(f"for {names}{kind}")
    for word, *parts in sequent.stated():
        shown = [x if isinstance(x, str) else neaten(x) for x in parts]
        match word, shown[-1:]:
            case str(), [t.Literal(value=1)] if word != "show ":
                continue  # it always holds: that it is assumed says nothing
        lines.append("".join(escape(x) if isinstance(x, str) else flow(x) for x in (word, *shown)))
    return "".join(f"<p>{line}</p>" for line in dict.fromkeys(lines))


def _range(symbol: Symbol) -> str:
    """What the values are, as HTML to follow the name."""
    if symbol.type == BOOL:
        return ", true or false"
    low, high = ("" if bound is None else power(bound) for bound in (symbol.lo, symbol.hi))
    words = f" from {low} to {high}" if low and high else f" from {low} up" if low else f" up to {high}" if high else ""
    return re.sub(r"2\^(\d+) - 1", r"2<sup>\1</sup> − 1", words) or ", integers"
