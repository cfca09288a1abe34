"""A claim in report.md: folded to one line where it holds, open where it does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checks.results.marks import find_support, is_theorem
from checks.results.model import ClaimResult, Counterexample
from checks.results.phrases import mutants_phrase, period_phrase, rechecked_phrase, survivors
from checks.results.statement import write_plain
from reports.ground.digest import OutlineNode, ReportView, describe_survival, is_green, outline
from reports.ground.meaning import describe_result, list_changes
from reports.ground.wording import (
    MARKS,
    QUANTIFIERS,
    anchor,
    describe_games,
    has_hypotheses,
    hypotheses,
    name,
    rerun,
    short_name,
    verdict_text,
)
from reports.markdown.formula import say_formal
from reports.markdown.proof import proof_blocks
from reports.markdown.text import block, code, escape, escape_html, link, place, say_case, say_verdict, sign


def show_claim(view: ReportView, result: ClaimResult) -> Iterator[str]:
    """The paragraphs of a claim, after the place that links to it lead to."""
    yield place(anchor(result.id))
    yield from (_folded(view, result) if is_green(result) else _open(view, result))


def _folded(view: ReportView, result: ClaimResult) -> Iterator[str]:
    title = _title(view, result)
    head = f"{MARKS[result.verdict]} <b>{escape_html(name(result))}</b>" + (f": {escape_html(title)}" if title else "")
    yield f"<details><summary>{head}<br>{escape_html(verdict_text(result))}</summary>"
    text = _text(view, result)
    yield code(result.id) + (f": {escape(text)}" if text else "")
    if result.verdict.holds is not None and (told := describe_result(result, view)):
        yield escape(told)
    yield from _formal(result)
    if facts := (*_evidence(result), *_argument(view, result)):
        yield _list(facts)
    yield from proof_blocks(result)
    yield "</details>"


def _open(view: ReportView, result: ClaimResult) -> Iterator[str]:
    found = result.finding
    heading = ": ".join(escape(part) for part in (name(result), _title(view, result)) if part)
    yield f"### {sign(result.verdict)} {heading}"
    yield say_verdict(result) + "  \n" + code(result.id)
    if text := _text(view, result):
        yield "> " + escape(text)
    if result.verdict.holds is not None and (told := describe_result(result, view)):
        yield escape(told)
    yield from _formal(result)
    if found.error:
        yield block(found.error)
    if found.counterexample is not None:
        yield from _counterexample(result, found.counterexample)
    yield from proof_blocks(result)
    facts = (*_evidence(result), *_argument(view, result), f"check it again: {code(rerun(view.run, result))}")
    yield _list(facts)


def _title(view: ReportView, result: ClaimResult) -> str:
    """The title of a claim; of a variant without words of its own what it changes."""
    changes = _changes(view, result)
    return f"with one change: {changes}" if changes else result.statement.title


def _text(view: ReportView, result: ClaimResult) -> str:
    """The words of a claim, likewise."""
    changes, base = _changes(view, result), view.claims.get(result.statement.variant_of)
    return f"The claim of {short_name(base)}, but {changes}." if changes and base else result.statement.text


def _changes(view: ReportView, result: ClaimResult) -> str:
    return "; ".join(
        f"{word} {' '.join(write_plain(x.markup) for x in formulas)}" for word, formulas in list_changes(result, view)
    )


def _formal(result: ClaimResult) -> Iterator[str]:
    """What was checked: the rules of its games, the formula, and that in the claim language; none if it is unread."""
    if result.statement.games:
        yield "**Game.** " + "; ".join(escape(told) for told in describe_games(result))
    if (formal := result.presentation.mathematics) is not None:
        yield "**Formula.** " + "  \n".join(escape(line) for line in say_formal(formal, result.statement.quantifier))
    yield from _source(result)


def _source(result: ClaimResult) -> Iterator[str]:
    """The same in the claim language: domains, hypothesis, conclusion, definitions."""
    stated = result.statement
    word = QUANTIFIERS.get(stated.quantifier, stated.quantifier)
    domains = [f"{x}{' ' if d.startswith('in ') else ' : '}{d}" for x, d in stated.domains]
    lines = [f"{word} {', '.join(domains)}"] if domains else []
    given = any(label == "if" for label, _ in stated.formal)
    for label, text in stated.formal:
        if label in ("if", "then"):
            lines.append(f"{label} {text}" if given else text)
        else:
            lines.append(f"where {label} = {text}")
    if lines:
        yield block("\n".join(lines))


def _counterexample(result: ClaimResult, found: Counterexample) -> Iterator[str]:
    how = "a second program replayed it" if found.replayed else "**no second program replayed it**"
    if found.variables:
        size = "the smallest in the range searched" if found.smallest else "not known to be the smallest"
        yield f"Counterexample ({size}; {how}): {say_case(result, found.variables)}"
    else:
        yield f"Why it fails ({how}):"
    if found.explanation:
        yield "\n".join(_tree(outline(found.explanation)))


def _tree(nodes: tuple[OutlineNode, ...], depth: int = 0) -> Iterator[str]:
    for node in nodes:
        yield "  " * depth + "* " + escape(node.text)  # not "-": the list that follows would become part of this one
        yield from _tree(node.children, depth + 1)


def _list(facts: Iterable[str]) -> str:
    return "\n".join(f"- {fact}" for fact in facts)


def _evidence(result: ClaimResult) -> Iterator[str]:
    found, shown, stated = result.finding, result.presentation, result.statement
    conditional = has_hypotheses(result)
    if found.scope:
        witness = f", for instance {say_case(result, found.witness)}" if found.witness and conditional else ""
        yield hypotheses(result) + witness
    if found.witness and stated.quantifier == "exists":
        yield f"witness: {say_case(result, found.witness)}"
    for route in found.routes:
        engines = f"by {', '.join(route.engines)}" if route.engines else ""
        yield ", ".join(escape(x) for x in (f"{route.encoder}: {route.answer}", engines, route.detail) if x)
        for fallback in route.fallbacks:
            yield escape(str(fallback))
    if found.rechecked or found.sampled:
        yield f"the referee {rechecked_phrase(found)}"
    if found.obligations:
        open_ = [o for o in found.obligations if not o.proved]
        state = "all discharged" if not open_ else "; ".join(escape(f"{o.name}: {o.result}, {o.detail}") for o in open_)
        notes = "".join(f"; {escape(f'{o.name}: {o.note}')}" for o in found.obligations if o.note and not o.plain)
        plain = sum(o.plain for o in found.obligations)
        state += f", {plain} of them trivial" if plain else ""
        yield f"proof: {len(found.obligations)} obligations, {state}{notes}"
    if (support := find_support(result)) is not None:
        told = escape(support.words)
        yield f"proof: {told}" + (
            f" ([certificates]({anchor(result.provenance.certificate)}))" if result.provenance.certificate else ""
        )
    if is_theorem(result):
        yield f"also a theorem of Coq: {code(f'python -m checks coq {result.id}')} writes it"
    if found.lemmas:
        yield "rests on " + ", ".join(f"{code(x.id)} ({escape(x.words)})" for x in found.lemmas)
    if shown.closed_form is not None:
        form = shown.closed_form
        extra = f", {escape(period_phrase(form))}" if form.period else ""
        yield f"closed form: a heap of {code(form.variable)} has the value {code(form.simplified)}{extra}"
    if found.mutants is not None:
        lines = (mutants_phrase(found.mutants), *survivors(found.mutants))
        yield "mutants: " + "\n  - ".join(escape(line) for line in lines)
    if result.finding.trusted:
        yield "trusted: " + "; ".join(escape(t) for t in result.finding.trusted)
    if result.finding.not_established:
        yield f"not established: {escape(result.finding.not_established)}"
    for warning in result.presentation.warnings:
        yield f"**warning**: {escape(warning)}"
    for hint in shown.hints:
        yield f"hint: {escape(hint)}"
    if stated.notes:
        yield f"note: {escape(stated.notes)}"


def _argument(view: ReportView, result: ClaimResult) -> Iterator[str]:
    """Refuted claims that the published proof rests on; what holds instead of a refuted one."""
    if words := describe_survival(result, view):
        refuted = [c for id in result.statement.uses if (c := view.claims.get(id)) and c.verdict.holds is False]
        yield f"its published proof rests on {', '.join(link(c) for c in refuted)}, refuted: {words}"
    if (own := view.claims.get(result.statement.variant_of)) is not None:
        yield f"a variant of {link(own)} ({own.verdict.value})"
    for label, ids in (("in place of", (result.statement.repairs,)), ("holds instead", view.repaired_by[result.id])):
        found = [c for id in ids if (c := view.claims.get(id))]
        if found:
            yield f"{label}: {', '.join(f'{link(c)} ({c.verdict.value})' for c in found)}"
