"""The output of `show`: lists of claims, and one claim with its statement and its proof."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from checks.results.shown import ProofCell, ProofPresentation, ProofRow, ProofTable
from claims.language.errors import ClaimError
from claims.language.files.claim import find_variant, take_variant
from claims.language.files.library import OWN_ROLE, Entry
from claims.language.files.toml import Read

if TYPE_CHECKING:
    from claims.language.files.claim import Claim
    from encoders.logic.sequents import Sequent


# == proofs ===========================================================================================================
# A proof on a terminal: its tables in 80 columns, and below each row its obligations.
WIDTH = 80


def tell(proof: ProofPresentation) -> Iterator[str]:
    """Yield the lines that `show` prints about a proof."""
    yield f"proof (rule: {proof.rule})"
    yield from _wrap(proof.summary, "  ")
    where = ""
    for table in proof.tables:
        if table.where is not None and table.where.text != where:
            where = table.where.text
            yield from ("", *_wrap(f"Where {where}", "  "))
        yield ""
        yield f"  {table.title}"
        for number, row in enumerate(table.rows, 1):
            yield from _tell_row(table, row, number)
    if proof.other_obligations:
        yield ""
        yield "  Other obligations"
        yield from (line for name in proof.other_obligations for line in _wrap(f"- {name}", "    ", "      "))


def _tell_row(table: ProofTable, row: ProofRow, number: int) -> Iterator[str]:
    """Yield the lines of a row. In a table of moves, each cell starts a new line."""
    texts = [say_cell(cell) for cell in row.cells]
    if table.kind == "moves":
        for i, (column, text) in enumerate(zip(table.columns, texts, strict=True)):
            start = f"{number:>4}. " if i == 0 else " " * 6
            yield from _wrap(f"{column.lower()}: {text}", start, " " * 8)
    else:
        yield from _wrap(": ".join(x for x in texts if x), "    ", "      ")
    for step in row.steps:
        yield from _wrap(f"- {step.name}", " " * 8, " " * 10)


def say_cell(cell: ProofCell) -> str:
    """Return the text of a table cell: its words, then its formula in parentheses. One of the two may be missing."""
    text = ""
    for part in cell.parts:
        shown = part if isinstance(part, str) else part.text
        text += ("" if not text or shown.startswith(",") else " ") + shown.strip()
    return f"{cell.words} ({text})" if cell.words and text else cell.words or text


def _wrap(text: str, first: str, rest: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


# == catalogue ========================================================================================================
# Claims as their files state them. Nothing is settled.
def rows(entries: Sequence[Entry], read: Read, columns: int | None = None) -> Iterator[str]:
    """Yield one line for each claim: id, role, locator, title. The claims are not parsed, so this is fast.

    `columns`: the width of the terminal. If it is given, a line contains only the id and the title, cut to this width.
    """
    table = [_row(e, read) for e in entries]
    if columns is not None:
        table = [(id, title) for id, _, _, title in table]
    widths = [max((len(r[i]) for r in table), default=0) for i in range(len(table[0]) - 1)] if table else []
    for row in table:
        line = "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[-1]]).rstrip()
        yield line if columns is None or len(line) <= columns else line[: columns - 1].rstrip() + "…"


def _row(entry: Entry, read: Read) -> tuple[str, ...]:
    try:
        data = take_variant(read(entry.path), find_variant(entry.id, entry.path)).data
    except ClaimError as error:
        return entry.id, "?", "?", f"unreadable: {error.message}"
    role, locator, title = (str(data.get(key, "")) for key in ("role", "locator", "title"))
    return entry.id, role or OWN_ROLE, locator, title


def page(claim: Claim) -> str:
    """Return the text that `show` prints for one claim: statement, formal text, scopes and proof. No solver runs."""
    from checks.presentation.mathematics import find_closed_form
    from checks.presentation.mathematics import lines as form_lines

    lines = list_statement(claim)
    form = find_closed_form(claim)
    if form is not None:
        lines += ["", "closed form", *(line for x in form_lines(form) for line in _wrap_indented(x))]
        lines.append(f"  LaTeX: {form.latex}")
    for profile, scope in claim.scopes:
        if scope:
            lines += [""] * (profile == "quick")
            lines.append(f"scope ({profile}): " + ", ".join(_describe_bound(n, b) for n, b in scope.items()))
    if claim.description.uses:
        lines += ["", *_wrap_list("rests on: ", claim.description.uses)]
    lemmas = tuple(lemma.id for lemma in claim.lemmas)
    taken = tuple(id for id in claim.proof_uses if id not in lemmas)
    lines += [""] * bool(claim.proof_uses and not claim.description.uses)
    lines += _wrap_list("our proof includes the proof of: ", taken) if taken else []
    lines += _wrap_list("our proof uses as lemmas: ", lemmas) if lemmas else []
    if claim.description.repairs:
        lines.append(f"repairs: {claim.description.repairs}")
    if claim.description.expect:
        lines.append(f"expected: {claim.description.expect}")
    if claim.proof is not None:
        from checks.presentation.mathematics import show_proof

        lines += ["", *tell(show_proof(claim))]
    if claim.description.notes:
        lines += ["", *textwrap.wrap("Note: " + claim.description.notes, 100)]
    return "\n".join(lines)


def list_statement(claim: Claim) -> list[str]:
    """Return lines with the title, statement, variables, games, hypotheses, conclusion and definitions of a claim."""
    from checks.judgement.explain import players_of
    from claims.language.files.games import describe

    told = claim.description
    place = ", ".join(filter(None, (told.work, told.locator)))
    lines = [f"{claim.id}: {told.title}".removesuffix(": "), f"{place} ({told.role})".lstrip(), ""]
    lines += textwrap.wrap(told.statement, 100)
    if claim.quantifier:
        lines += ["", "for all" if claim.quantifier == "forall" else "there are"]
        lines += [f"  {v.name}: {v.text}" for v in claim.variables]
    if claim.games:
        players = players_of(claim)
        named = (f"{game.name}, {describe(game, players)}" for game in claim.games)
        lines += ["", *(line for text in named for line in _wrap_list("game: ", (text,)))]
    lines.append("")
    lines += [f"{label}  {text}" if label in ("if", "then") else f"  {label} := {text}" for label, text in claim.texts]
    return lines


def list_obligations(claim: Claim) -> Iterator[str]:
    """Yield the lines of the obligations of a claim's [proof], in the claim language.

    Each obligation ends with the SHA-256 of its SMT-LIB text (see `list_scripts`), or the reason why it has no such
    text. Without a [proof], or if an obligation cannot be listed, the last line is the reason.
    """
    from claims.language.syntax.printing import TooLong
    from encoders.refusals import Unsupported

    if claim.proof is None:
        yield f"{claim.id} has no [proof]"
        return
    try:
        for sequent in _sequents(claim):
            yield f"{sequent.name}:"
            for line in sequent.lines():
                yield from _wrap_indented(line)
            yield f"  SMT-LIB: {_digest(sequent)}"
            yield ""
    except (Unsupported, TooLong) as error:
        yield str(error)


def list_scripts(claim: Claim, wanted: str) -> Iterator[str]:
    """Yield the SMT-LIB scripts of the obligations whose name is `wanted`, or whose SHA-256 begins with `wanted`.

    The SHA-256 of an obligation is the SHA-256 of its script; at least 8 characters of it are needed. A script is
    unsatisfiable if and only if its obligation is true. If a script states a bound, its obligation is meant only for
    values below the bound. Raises Unsupported and TooLong.
    """
    from encoders.logic.smt import script_of

    for sequent in () if claim.proof is None else _sequents(claim):
        if sequent.name == wanted or (len(wanted) >= 8 and _digest(sequent).startswith(wanted)):
            yield f"; {' '.join(sequent.name.split())}\n{script_of(sequent).text.rstrip()}\n(check-sat)"


def _digest(sequent: Sequent) -> str:
    from encoders.logic.smt import script_of
    from encoders.refusals import Unsupported

    try:
        return script_of(sequent).digest()
    except Unsupported as error:
        return f"none, {error}"


def _sequents(claim: Claim) -> Iterator[Sequent]:
    from encoders.proving.reading import Prover, rule_name
    from encoders.proving.registry import RULES

    return RULES[rule_name(claim)].obligations(claim, Prover())


def _wrap_indented(line: str) -> list[str]:
    return textwrap.wrap(line, 100, initial_indent="  ", subsequent_indent="    ")


def _wrap_list(label: str, ids: tuple[str, ...]) -> list[str]:
    text = label + ", ".join(ids)
    return textwrap.wrap(text, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _describe_bound(name: str, bound: object) -> str:
    from claims.language.files.domains import ListRange, PositionRange

    if isinstance(bound, ListRange) or (isinstance(bound, PositionRange) and bound.parts):
        return f"{name}: " + ", ".join(f"{aspect} {limits}" for aspect, limits in bound.aspects)
    if isinstance(bound, PositionRange):
        total = f", total {bound.total}" if bound.total else ""
        return f"{name}: {bound.heaps} heaps of {bound.size}{total}"
    return f"{name} {bound}"
