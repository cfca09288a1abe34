"""report.md: a run for whoever reads it on GitHub or in a terminal. It has no times, so it can be kept and compared."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from checks.results import ClaimResult, RunResult, Work
from checks.verdicts import Verdict
from reports.digest import Digest, Group, Node, count_verdicts, digest, is_green, outline
from reports.markdown_text import block, cell, code, escape
from reports.wording import (
    LABELS,
    MARKS,
    MEANINGS,
    TOOL,
    assignment,
    bibliography,
    count,
    expectation,
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
        parts += ["## What does not hold or is not settled", *(_detail(run, c) for c in open_ones)]
    green = [c for c in run.claims if is_green(c)]
    if green:
        parts += ["## What holds, and how far", *(_brief(c) for c in green)]
    parts += ["## What the verdicts mean", "\n".join(f"- {_sign(v)} {v.value}: {MEANINGS[v]}." for v in Verdict)]
    return "\n\n".join(parts) + "\n"


def _header(view: Digest) -> Iterator[str]:
    run = view.run
    yield f"# {count(len(run.claims), 'claim')} from {count(len(view.groups), 'work')}"
    facts = [f"{TOOL} {escape(run.version)}", f"scope profile {code(run.profile)}", f"exit code {view.exit_code}"]
    facts += [f"with {code(f'--set {key}={bound}')}" for key, bound in run.overrides]
    yield " · ".join(facts) + (f" · {code(run.command)}" if run.command else "")
    if run.interrupted:
        yield "**The run was interrupted: claims that it did not reach are inconclusive.**"


def _summary(view: Digest) -> Iterator[str]:
    yield "## Summary"
    rows = [["work", "claims", *(LABELS[v] for v in Verdict)], ["---", *["---:"] * (1 + len(Verdict))]]
    for group in view.groups:
        rows.append([escape(group.work.title), number(len(group.claims)), *_counts(group.claims)])
    rows.append(["**all**", number(len(view.run.claims)), *_counts(view.run.claims)])
    yield "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _counts(claims: tuple[ClaimResult, ...]) -> list[str]:
    return [number(found) for _, found in count_verdicts(claims)]


def _attention(view: Digest) -> Iterator[str]:
    for heading, claims in (
        ("What was refuted", view.refuted),
        ("What was not settled", view.unsettled),
        ("What did not come out as its file expects", view.unexpected),
    ):
        if claims:
            yield f"## {heading}"
            yield "\n".join(f"- {_link(c)}, {_sign(c.verdict)} **{c.verdict.value}**{_why(c)}" for c in claims)


def _why(result: ClaimResult) -> str:
    if result.verdict.holds:
        return f", {escape(expectation(result))}: {code(verdict_text(result))}"
    return ": " + escape(reason(result)) + (f" ({escape(expectation(result))})" if expectation(result) else "")


def _table(group: Group) -> Iterator[str]:
    yield f"### {escape(group.work.title)}"
    if line := _bibliography(group.work):
        yield line
    rows = ["| claim | stated as | verdict | what it says |", "| --- | --- | --- | --- |"]
    for result in group.claims:
        rows.append(f"| {_link(result)} | {escape(name(result))} | {_verdict(result)} | {escape(result.title)} |")
    yield "\n".join(rows)


def _bibliography(work: Work) -> str:
    before, after = bibliography(work)
    return " ".join(part for part in (escape(before), f"*{escape(work.title)}.*", escape(after)) if part)


def _detail(run: RunResult, result: ClaimResult) -> str:
    parts = [f'<a id="{anchor(result.id)}"></a>\n\n### {_sign(result.verdict)} {escape(name(result))}: {escape(result.title)}']
    parts += [_verdict(result) + "  \n" + code(result.id)]
    if result.statement:
        parts.append("> " + escape(result.statement))
    if result.error:
        parts.append(block(result.error))
    if result.counterexample is not None:
        found = result.counterexample
        how = f"{'the smallest in the scope' if found.smallest else 'not known to be the smallest'}, "
        how += "replayed by the referee" if found.replayed else "**not replayed by the referee**"
        case = code(assignment(found.variables)) if found.variables else "the computation"
        parts.append(f"Counterexample ({how}): {case}")
        if found.explanation:
            parts.append("\n".join(_tree(outline(found.explanation))))
    parts.append("\n".join(f"- {fact}" for fact in (*_evidence(result), f"check it again: {code(rerun(run, result))}")))
    return "\n\n".join(parts)


def _tree(nodes: tuple[Node, ...], depth: int = 0) -> Iterator[str]:
    for node in nodes:
        yield "  " * depth + "- " + escape(node.text)
        yield from _tree(node.children, depth + 1)


def _brief(result: ClaimResult) -> str:
    text = f"**{escape(name(result))}** {code(result.id)}" + (f": {escape(result.statement)}" if result.statement else "")
    return "\n".join([f'<a id="{anchor(result.id)}"></a>\n\n{text}\n', *(f"- {f}" for f in (_verdict(result), *_evidence(result)))])


def _evidence(result: ClaimResult) -> Iterator[str]:
    if result.scope:
        yield hypotheses(result)
    if result.witness:
        yield f"a case where they hold: {code(assignment(result.witness))}"
    for route in result.routes:
        yield f"{escape(route.encoder)}: {escape(route.answer)}" + (f", {escape(route.detail)}" if route.detail else "")
    if result.rechecked:
        yield f"the referee evaluated {count(result.rechecked, 'case')} again and agreed"
    if result.trusted:
        yield "taken on trust: " + "; ".join(escape(t) for t in result.trusted)
    if result.not_established:
        yield f"not established: {escape(result.not_established)}"
    if result.notes:
        yield f"note: {escape(result.notes)}"


def _verdict(result: ClaimResult) -> str:
    text = f"{_sign(result.verdict)} {escape(verdict_text(result))}"
    shown = text if is_green(result) else f"**{text}**"
    return shown + (f", {escape(expectation(result))}" if expectation(result) else "")


def _sign(verdict: Verdict) -> str:
    return escape(MARKS[verdict])


def _link(result: ClaimResult) -> str:
    return f"[{cell(result.id)}](#{anchor(result.id)})"


def anchor(claim: str) -> str:
    """The name of a claim's place in a page: its id, with what a link cannot carry in per cent signs."""
    return quote(claim, safe="/", errors="backslashreplace")
