"""A claim in report.md: folded to one line where it holds, open where it does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checks.results.marks import find_support, is_theorem
from checks.results.model import ClaimResult, Counterexample
from checks.results.phrases import mutants_phrase, period_phrase, survivors
from reports.digest import Digest, Node, is_green, outline, standing
from reports.legend import MARKS
from reports.markdown.phrases import link, place, say_case, say_verdict, sign
from reports.markdown.text import block, code, escape, escape_html
from reports.proof.markdown import proof_blocks
from reports.wording import anchor, count, has_hypotheses, hypotheses, name, rerun, verdict_text


def show_claim(view: Digest, result: ClaimResult) -> Iterator[str]:
    """The paragraphs of a claim, after the place that links to it lead to."""
    yield place(anchor(result.id))
    yield from (_folded(view, result) if is_green(result) else _open(view, result))


def _folded(view: Digest, result: ClaimResult) -> Iterator[str]:
    title = f": {escape_html(result.title)}" if result.title else ""
    head = f"{MARKS[result.verdict]} <b>{escape_html(name(result))}</b>{title}"
    yield f"<details><summary>{head}<br>{escape_html(verdict_text(result))}</summary>"
    yield code(result.id) + (f": {escape(result.statement)}" if result.statement else "")
    if facts := (*_evidence(result), *_argument(view, result)):
        yield _list(facts)
    yield from proof_blocks(result)
    yield "</details>"


def _open(view: Digest, result: ClaimResult) -> Iterator[str]:
    heading = ": ".join(escape(part) for part in (name(result), result.title) if part)
    yield f"### {sign(result.verdict)} {heading}"
    yield say_verdict(result) + "  \n" + code(result.id)
    if result.statement:
        yield "> " + escape(result.statement)
    if result.error:
        yield block(result.error)
    if result.counterexample is not None:
        yield from _counterexample(result, result.counterexample)
    yield from proof_blocks(result)
    facts = (*_evidence(result), *_argument(view, result), f"check it again: {code(rerun(view.run, result))}")
    yield _list(facts)


def _counterexample(result: ClaimResult, found: Counterexample) -> Iterator[str]:
    how = "a second program replayed it" if found.replayed else "**no second program replayed it**"
    if found.variables:
        size = "the smallest in the range searched" if found.smallest else "not known to be the smallest"
        yield f"Counterexample ({size}; {how}): {say_case(result, found.variables)}"
    else:
        yield f"Why it fails ({how}):"
    if found.explanation:
        yield "\n".join(_tree(outline(found.explanation)))


def _tree(nodes: tuple[Node, ...], depth: int = 0) -> Iterator[str]:
    for node in nodes:
        yield "  " * depth + "* " + escape(node.text)  # not "-": the list that follows would become part of this one
        yield from _tree(node.children, depth + 1)


def _list(facts: Iterable[str]) -> str:
    return "\n".join(f"- {fact}" for fact in facts)


def _evidence(result: ClaimResult) -> Iterator[str]:
    conditional = has_hypotheses(result)
    if result.games:
        yield "game: " + "; ".join(escape(told) for _, told in result.games)
    if result.scope:
        witness = f", for instance {say_case(result, result.witness)}" if result.witness and conditional else ""
        yield hypotheses(result) + witness
    if result.witness and result.quantifier == "exists":
        yield f"witness: {say_case(result, result.witness)}"
    for route in result.routes:
        engines = f"by {', '.join(route.engines)}" if route.engines else ""
        yield ", ".join(escape(x) for x in (f"{route.encoder}: {route.answer}", engines, route.detail) if x)
    if result.rechecked:
        yield f"the referee evaluated {count(result.rechecked, 'case')} again and agreed"
    if result.obligations:
        open_ = [o for o in result.obligations if not o.proved]
        state = "all discharged" if not open_ else "; ".join(escape(f"{o.name}: {o.result}, {o.detail}") for o in open_)
        notes = "".join(f"; {escape(f'{o.name}: {o.note}')}" for o in result.obligations if o.note and not o.plain)
        plain = sum(o.plain for o in result.obligations)
        state += f", {plain} of them plain" if plain else ""
        yield f"proof: {len(result.obligations)} obligations, {state}{notes}"
    if (support := find_support(result)) is not None:
        told = escape(support.words)
        yield f"proof: {told}" + (f" ([certificates]({anchor(result.certificate)}))" if result.certificate else "")
    if is_theorem(result):
        yield f"also a theorem of Coq: {code(f'python -m checks coq {result.id}')} writes it"
    if result.lemmas:
        yield "rests on " + ", ".join(f"{code(x.id)} ({escape(x.words)})" for x in result.lemmas)
    if result.closed_form is not None:
        form = result.closed_form
        extra = f", {escape(period_phrase(form))}" if form.period else ""
        yield f"closed form: a heap of {code(form.variable)} has the value {code(form.simplified)}{extra}"
    if result.mutants is not None:
        lines = (mutants_phrase(result.mutants), *survivors(result.mutants))
        yield "mutants: " + "\n  - ".join(escape(line) for line in lines)
    if result.trusted:
        yield "trusted: " + "; ".join(escape(t) for t in result.trusted)
    if result.not_established:
        yield f"not established: {escape(result.not_established)}"
    for warning in result.warnings:
        yield f"**warning**: {escape(warning)}"
    for hint in result.hints:
        yield f"hint: {escape(hint)}"
    if result.notes:
        yield f"note: {escape(result.notes)}"


def _argument(view: Digest, result: ClaimResult) -> Iterator[str]:
    """Refuted claims that the published proof rests on; what holds instead of a refuted one."""
    if words := standing(result, view):
        refuted = [c for id in result.uses if (c := view.claims.get(id)) and c.verdict.holds is False]
        yield f"its published proof rests on {', '.join(link(c) for c in refuted)}, refuted: {words}"
    for label, ids in (("in place of", (result.repairs,)), ("holds instead", view.repaired_by[result.id])):
        found = [c for id in ids if (c := view.claims.get(id))]
        if found:
            yield f"{label}: {', '.join(f'{link(c)} ({c.verdict.value})' for c in found)}"
