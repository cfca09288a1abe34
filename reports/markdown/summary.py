"""summary.md: what a reader wants to know first, in less than 8 kB, fit for a comment in a review.

Every claim is a link into report.md, which lies beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from checks.results.model import ClaimResult, RunResult
from checks.results.verdicts import EXIT_CODES, Verdict
from reports.ground.digest import ReportView, by_weight, make_view
from reports.ground.wording import (
    LABELS,
    anchor,
    clip,
    count,
    count_verdicts,
    expectation,
    has_hypotheses,
    headline,
    name,
    number,
    reason,
    say_others,
    work_name,
)
from reports.markdown.text import escape, list_identity, table

LIMIT = 8000  # bytes
LENGTH = 200  # characters of a text from a claim's file
WHOLE = "report.md"


def to_summary(run: RunResult) -> str:
    """summary.md of a run, with as many entries in each list as the limit has room for, what matters most first."""
    view = make_view(run)
    text = ""
    for entries in (1000, 100, 50, 30, 20, 10, 5, 2, 0):
        text = "\n\n".join(_parts(view, entries)) + "\n"
        if len(text.encode("utf-8", "replace")) < LIMIT:
            break
    return text


def _parts(view: ReportView, entries: int) -> Iterator[str]:
    run = view.run
    told = count_verdicts(run.statements)
    yield f"# {escape(headline(run))}" + (f": {told}" if told else "")
    if others := say_others(run):
        yield f"Besides, {others}."
    if run.interrupted:
        yield "**The run was interrupted: claims that it did not reach are inconclusive.**"
    yield f"Exit code {view.exit_code}: {escape(run.meant or EXIT_CODES[view.exit_code])}."
    if len(view.groups) > 1:
        yield from _works(view, entries)
    for heading, claims in (
        ("What was refuted", by_weight(view.refuted)),
        ("Guesses that were refuted, as expected", view.guesses),
        ("What was not settled", view.unsettled),
        ("What holds, but not as its file expects", view.unexpected),
    ):
        if claims:
            yield f"## {heading}"
            yield _cut([_why(view, c) for c in claims], entries)
    if bounded := [c for c in run.claims if c.verdict is Verdict.VERIFIED]:
        yield "## What was verified in a scope, and is not established beyond"
        yield _cut(list(_bounded(view, bounded)), entries)
    if doubtful := [c for c in run.claims if c.presentation.warnings]:
        yield "## Warnings"
        yield _cut(
            [f"{_link(c)}{_of(view, c)}: {_text('; '.join(c.presentation.warnings))}" for c in doubtful], entries
        )
    if identity := list(list_identity(run, LENGTH)):
        yield "## The run"
        yield _cut(identity, len(identity))
    yield f"All claims, with their evidence: [{WHOLE}]({WHOLE})."


def _works(view: ReportView, entries: int) -> Iterator[str]:
    occur = [verdict for verdict, found in view.counts if found]
    rows = [
        [_text(work_name(g.work)), *(number(sum(c.verdict is v for c in g.statements)) for v in occur)]
        for g in [g for g in view.groups if g.statements][:entries]
    ]
    yield table(["work", *(LABELS[v] for v in occur)], rows, numbers=True)


def _why(view: ReportView, result: ClaimResult) -> str:
    told = f"{_link(result)}{_of(view, result)}: {_text(reason(result) or result.verdict.value)}"
    if result.verdict.holds is None:
        told = f"{_link(result)}{_of(view, result)}, {result.verdict.value}: {_text(reason(result))}"
    instead = [c for id in view.repaired_by[result.id] if (c := view.claims.get(id)) and c.verdict.holds]
    told += f"; instead: {', '.join(_link(c, LABELS[c.verdict]) for c in instead[:2])}" if instead else ""
    return told + (f", **{_text(expectation(result))}**" if expectation(result) else "")


def _of(view: ReportView, result: ClaimResult) -> str:
    """The work, where there are several and the claim is of one."""
    return (
        f" ({_text(work_name(view.works[result.statement.work]))})"
        if result.statement.work and len(view.groups) > 1
        else ""
    )


def _bounded(view: ReportView, claims: Sequence[ClaimResult]) -> Iterator[str]:
    """A line for the claims of a work that leave the same open."""
    for (work, open_), found in groupby(claims, key=lambda c: (c.statement.work, c.finding.not_established)):
        title = _text(work_name(view.works[work]))
        yield f"{title}, {_text(open_) or 'beyond the scope'}: {', '.join(_link(c) + _met(c) for c in found)}"


def _met(result: ClaimResult) -> str:
    """At how many cases the hypotheses held, where that is not at all of them."""
    found = result.finding
    if not has_hypotheses(result) or found.cases_with_hypotheses == found.cases:
        return ""
    return f" (hypotheses met at {number(found.cases_with_hypotheses)} of {count(found.cases, 'case')})"


def _link(result: ClaimResult, text: str = "") -> str:
    return f"[{text or _text(result.statement.short or name(result))}]({WHOLE}#{anchor(result.id)})"


def _text(text: str) -> str:
    return escape(clip(text, LENGTH))


def _cut(lines: Sequence[str], entries: int) -> str:
    shown = [f"- {line}" for line in lines[:entries]]
    if len(lines) > entries:
        shown.append(f"- {number(len(lines) - entries)} more: [{WHOLE}]({WHOLE})")
    return "\n".join(shown)
