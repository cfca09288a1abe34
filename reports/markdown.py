"""report.md: a run for whoever reads it on GitHub or in a terminal. It has no times, so it can be kept and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checks.results.model import ClaimResult, Counterexample, RunResult
from checks.results.phrases import mutants_phrase, period_phrase, survivors
from checks.results.values import Values
from checks.results.verdicts import Verdict
from reports.digest import Digest, Group, Node, count_verdicts, digest, is_green, outline, standing
from reports.legend import LABELS, MARKS, MEANINGS
from reports.markdown_text import block, cell, code, escape
from reports.wording import (
    TOOL,
    anchor,
    assignments,
    bibliography,
    count,
    expectation,
    has_hypotheses,
    headline,
    hypotheses,
    name,
    number,
    reason,
    rerun,
    verdict_text,
)


def to_markdown(run: RunResult) -> str:
    """report.md of a run; the same findings always give the same text."""
    view = digest(run)
    parts = [*_header(view), *_summary(view), *_attention(view), "## Claims"]
    for group in view.groups:
        parts += _table(group)
    open_ones = [c for c in run.claims if not is_green(c)]
    if open_ones:
        parts += ["## What does not hold or is not settled", *(_detail(view, c) for c in open_ones)]
    green = [c for c in run.claims if is_green(c)]
    if green:
        parts += ["## What holds, and how far", *(_brief(view, c) for c in green)]
    parts += ["## What the verdicts mean", "\n".join(f"- {_sign(v)} {v.value}: {MEANINGS[v]}." for v in Verdict)]
    return "\n\n".join(parts) + "\n"


def _header(view: Digest) -> Iterator[str]:
    run = view.run
    yield f"# {headline(run)}"
    facts = [f"{TOOL} {escape(run.version)}", f"scope profile {code(run.profile)}", f"exit code {view.exit_code}"]
    facts += [f"with {code(f'--set {key}={bound}')}" for key, bound in run.overrides]
    yield " · ".join(facts) + (f" · {code(run.command)}" if run.command else "")
    if run.interrupted:
        yield "**The run was interrupted: claims that it did not reach are inconclusive.**"


def _summary(view: Digest) -> Iterator[str]:
    yield "## Summary"
    rows = [["work", "claims", *(LABELS[v] for v in Verdict)], ["---", *["---:"] * (1 + len(Verdict))]]
    rows += [[escape(g.work.title), number(len(g.claims)), *_counts(g.claims)] for g in view.groups]
    rows.append(["**all**", number(len(view.run.claims)), *_counts(view.run.claims)])
    yield "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _counts(claims: tuple[ClaimResult, ...]) -> list[str]:
    return [number(found) for _, found in count_verdicts(claims)]


def _attention(view: Digest) -> Iterator[str]:
    for heading, claims in (
        ("What was refuted", view.refuted),
        ("What was not settled", view.unsettled),
        ("What holds, but not as its file expects", view.unexpected),
    ):
        if claims:
            yield f"## {heading}"
            yield "\n".join(f"- {_link(c)}, {_verdict(c) if c.verdict.holds else _why(c)}" for c in claims)


def _why(result: ClaimResult) -> str:
    return f"**{_sign(result.verdict)} {result.verdict.value}**: {escape(reason(result))}{_expected(result)}"


def _table(group: Group) -> Iterator[str]:
    yield f"### {escape(group.work.title)}"
    if line := ", ".join(part for part in bibliography(group.work) if part):
        yield escape(line) + "."
    rows = ["| claim | stated as | verdict | what it says |", "| --- | --- | --- | --- |"]
    rows += [f"| {_link(c)} | {escape(name(c))} | {_verdict(c)} | {escape(c.title)} |" for c in group.claims]
    yield "\n".join(rows)


def _detail(view: Digest, result: ClaimResult) -> str:
    heading = ": ".join(escape(part) for part in (name(result), result.title) if part)
    parts = [_place(result), f"### {_sign(result.verdict)} {heading}", _verdict(result) + "  \n" + code(result.id)]
    if result.statement:
        parts.append("> " + escape(result.statement))
    if result.error:
        parts.append(block(result.error))
    if result.counterexample is not None:
        parts += _counterexample(result, result.counterexample)
    parts.append(
        _list((*_evidence(result), *_argument(view, result), f"check it again: {code(rerun(view.run, result))}"))
    )
    return "\n\n".join(parts)


def _counterexample(result: ClaimResult, found: Counterexample) -> Iterator[str]:
    how = "replayed by the referee" if found.replayed else "**not replayed by the referee**"
    if found.variables:
        size = "the smallest in the scope" if found.smallest else "not known to be the smallest"
        yield f"Counterexample ({size}, {how}): {_case(result, found.variables)}"
    else:
        yield f"Why it fails ({how}):"
    if found.explanation:
        yield "\n".join(_tree(outline(found.explanation)))


def _case(result: ClaimResult, values: Values) -> str:
    return code(", ".join(assignments(result, values)))


def _tree(nodes: tuple[Node, ...], depth: int = 0) -> Iterator[str]:
    for node in nodes:
        yield "  " * depth + "* " + escape(node.text)  # not "-": the list that follows would become part of this one
        yield from _tree(node.children, depth + 1)


def _brief(view: Digest, result: ClaimResult) -> str:
    text = f"**{escape(name(result))}** {code(result.id)}" + (
        f": {escape(result.statement)}" if result.statement else ""
    )
    return "\n\n".join((_place(result), text, _list((_verdict(result), *_evidence(result), *_argument(view, result)))))


def _place(result: ClaimResult) -> str:
    return f'<a id="{anchor(result.id)}"></a>'


def _list(facts: Iterable[str]) -> str:
    return "\n".join(f"- {fact}" for fact in facts)


def _evidence(result: ClaimResult) -> Iterator[str]:
    conditional = has_hypotheses(result)
    if result.scope:
        witness = f", for instance {_case(result, result.witness)}" if result.witness and conditional else ""
        yield hypotheses(result) + witness
    if result.witness and result.quantifier == "exists":
        yield f"witness: {_case(result, result.witness)}"
    for route in result.routes:
        yield f"{escape(route.encoder)}: {escape(route.answer)}" + (f", {escape(route.detail)}" if route.detail else "")
    if result.rechecked:
        yield f"the referee evaluated {count(result.rechecked, 'case')} again and agreed"
    if result.obligations:
        open_ = [o for o in result.obligations if not o.proved]
        state = "all discharged" if not open_ else "; ".join(escape(f"{o.name}: {o.result}, {o.detail}") for o in open_)
        notes = "".join(f"; {escape(f'{o.name}: {o.note}')}" for o in result.obligations if o.note)
        yield f"proof: {len(result.obligations)} obligations, {state}{notes}"
    if result.closed_form is not None:
        form = result.closed_form
        extra = f", {escape(period_phrase(form))}" if form.period else ""
        yield f"closed form: a heap of {code(form.variable)} has the value {code(form.simplified)}{extra}"
    if result.mutants is not None:
        lines = (mutants_phrase(result.mutants), *survivors(result.mutants))
        yield "mutants: " + "\n  - ".join(escape(line) for line in lines)
    if result.trusted:
        yield "taken on trust: " + "; ".join(escape(t) for t in result.trusted)
    if result.not_established:
        yield f"not established: {escape(result.not_established)}"
    if result.notes:
        yield f"note: {escape(result.notes)}"


def _argument(view: Digest, result: ClaimResult) -> Iterator[str]:
    """Refuted claims that the published argument rests on; what holds in place of a refuted one."""
    if words := standing(result, view):
        refuted = [c for id in result.uses if (c := view.claims.get(id)) and c.verdict.holds is False]
        yield f"rests on {', '.join(_link(c) for c in refuted)}, refuted: {words}"
    for label, ids in (("in place of", (result.repairs,)), ("holds instead", view.repaired_by[result.id])):
        found = [c for id in ids if (c := view.claims.get(id))]
        if found:
            yield f"{label}: {', '.join(f'{_link(c)} ({c.verdict.value})' for c in found)}"


def _verdict(result: ClaimResult) -> str:
    text = f"{_sign(result.verdict)} {escape(verdict_text(result))}"
    shown = text if is_green(result) else f"**{text}**"
    return shown + _expected(result)


def _expected(result: ClaimResult) -> str:
    return f", {escape(expectation(result))}" if expectation(result) else ""


def _sign(verdict: Verdict) -> str:
    return escape(MARKS[verdict])


def _link(result: ClaimResult) -> str:
    return f"[{cell(result.id)}](#{anchor(result.id)})"
