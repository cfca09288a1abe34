"""report.md: a run for whoever reads it on GitHub or in a terminal.

One section for each work, its claims in their order: what holds is folded, what does not is open.  The times of the run
stand in its last section alone, so that two reports can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from checks.results.model import ClaimResult, RunResult
from checks.results.verdicts import Verdict
from reports.ground.digest import Group, ReportView, by_weight, make_view
from reports.ground.wording import LABELS, MEANINGS, TOOL, anchor, bibliography, count, headline, number, say_others
from reports.markdown.claim import show_claim
from reports.markdown.text import code, escape, link, list_identity, place, say_verdict, say_why, sign, table


def to_markdown(run: RunResult) -> str:
    """report.md of a run."""
    view = make_view(run)
    parts = [*_header(view), *_contents(view), *_summary(view), *_attention(view)]
    for group in view.groups:
        parts += _section(view, group)
    parts += [place("page:verdicts"), "## What the verdicts mean"]
    parts.append("\n".join(f"- {sign(v)} {v.value}: {MEANINGS[v]}." for v in Verdict))
    parts += [place("page:run"), "## The run", "\n".join(f"- {fact}" for fact in list_identity(run))]
    return "\n\n".join(parts) + "\n"


def _header(view: ReportView) -> Iterator[str]:
    run = view.run
    yield f"# {escape(headline(run))}"
    facts = [f"{TOOL} {escape(run.version)}", f"scope profile {code(run.profile)}", f"exit code {view.exit_code}"]
    facts += [f"with {code(f'--set {key}={bound}')}" for key, bound in run.overrides]
    yield " · ".join(facts) + (f" · {code(run.command)}" if run.command else "")
    if run.interrupted:
        yield "**The run was interrupted: claims that it did not reach are inconclusive.**"


def _contents(view: ReportView) -> Iterator[str]:
    lines = [_entry("page:summary", "Summary")]
    lines += [_entry(f"page:{id}", f"{heading} ({len(claims)})") for heading, id, claims in _lists(view)]
    for group in view.groups:
        lines.append(_entry(_work_anchor(group), escape(group.work.title), count(len(group.statements), "statement")))
    lines += [_entry("page:verdicts", "What the verdicts mean"), _entry("page:run", "The run")]
    yield "\n".join(lines)


def _entry(anchor: str, text: str, more: str = "") -> str:
    return f"- [{text}](#{anchor})" + (f", {more}" if more else "")


def _work_anchor(group: Group) -> str:
    return "work:" + anchor(group.work.key)


def _summary(view: ReportView) -> Iterator[str]:
    yield place("page:summary")
    yield "## Summary"
    rows = [[escape(g.work.title), number(len(g.statements)), *_counts(view, g)] for g in view.groups]
    rows.append(["**all**", number(len(view.run.statements)), *(number(n) for v, n in view.counts if n)])
    yield table(["work", "statements", *(LABELS[v] for v, n in view.counts if n)], rows, numbers=True)
    if told := say_others(view.run):
        yield f"Besides, {told}."


def _counts(view: ReportView, group: Group) -> list[str]:
    """Of the verdicts that occur in the run."""
    return [number(sum(c.verdict is v for c in group.statements)) for v, found in view.counts if found]


def _lists(view: ReportView) -> list[tuple[str, str, tuple[ClaimResult, ...]]]:
    """(heading, name of the place, claims) of the lists at the top that are not empty."""
    lists = [
        ("What was refuted", "refuted", by_weight(view.refuted)),
        ("Guesses that were refuted, as expected", "guesses", view.guesses),
        ("What was not settled", "unsettled", view.unsettled),
        ("What holds, but not as its file expects", "unexpected", view.unexpected),
    ]
    return [found for found in lists if found[2]]


def _attention(view: ReportView) -> Iterator[str]:
    for heading, id, claims in _lists(view):
        yield place(f"page:{id}")
        yield f"## {heading}"
        yield "\n".join(f"- {link(c)}, {say_verdict(c) if c.verdict.holds else say_why(c)}" for c in claims)


def _section(view: ReportView, group: Group) -> Iterator[str]:
    yield place(_work_anchor(group))
    yield f"## {escape(group.work.title)}"
    if line := ", ".join(part for part in bibliography(group.work) if part):
        yield escape(line) + "."
    for claim in group.claims:
        yield from show_claim(view, claim)
