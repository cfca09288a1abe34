"""Markdown reports: report.md with each claim and its proof, and summary.md of at most 8 kB."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from checks.results.model import ClaimResult, Counterexample, RunResult
from checks.results.shown import (
    FormalStatement,
    NamedValues,
    ProofCell,
    ProofRow,
    ProofTable,
    TypesetFormula,
    write_plain,
)
from checks.results.verdicts import EXIT_CODES, Verdict
from checks.results.wording import (
    LABELS,
    MARKS,
    MEANINGS,
    QUANTIFIERS,
    TOOL,
    Fate,
    ObligationMark,
    anchor,
    assignments,
    bibliography,
    clip,
    count,
    count_verdicts,
    describe_games,
    describe_proved,
    expectation,
    find_ground,
    find_marks,
    find_support,
    has_hypotheses,
    headline,
    hypotheses,
    mutants_phrase,
    name,
    number,
    period_phrase,
    reason,
    rechecked_phrase,
    rerun,
    say_cached,
    say_certified,
    say_coq,
    say_others,
    short_name,
    survivors,
    tell_error,
    verdict_text,
    work_name,
)
from claims.language.errors import escape_invisible
from reports.model.digest import (
    Group,
    OutlineNode,
    ReportView,
    describe_survival,
    is_green,
    make_view,
    outline,
    sort_by_weight,
)
from reports.model.evidence import say_assumed, say_detail, say_method
from reports.model.meaning import describe_result, list_changes

# == text =============================================================================================================
# Parts that all Markdown reports share: escaped text, phrases, and the facts of the run.
# -- text -------------------------------------------------------------------------------------------------------------
# Text from claim files inside Markdown: it looks as written and cannot start markup.


_MARKUP = re.compile(
    r"[\\`\[\]|~$]"
    r"|\*(?! )|(?<! )\*"  # a * b does not need an escape
    r"|(?<![^\W_])_|_(?![^\W_])"  # nim_sum does not either
    r"|<(?=\S)|&(?=[#\w])|:(?=//)|(?<=www)\."
)


_MENTION = re.compile(r"@(?=[^\W_])")  # GitHub notifies a person who is named in a comment


_AT_START = re.compile(r"^([#>+\-=*]|\d+(?=[.)](?:\s|$)))")


def escape(text: str) -> str:
    r"""Return one line of Markdown that shows the text as it is. Special characters are escaped.

    >>> print(escape("<script> [a](b) | *x* nim_sum(s) < 2 * 3"))
    \<script> \[a\](b) \| \*x\* nim_sum(s) < 2 * 3
    """
    line = _MARKUP.sub(lambda found: "\\" + found[0], _one_line(text))
    return _MENTION.sub("@<!-- -->", _AT_START.sub(_escape_start, line))


def _escape_start(found: re.Match[str]) -> str:
    # the dot of "1.", which starts a list, follows the match
    return found[0] + "\\" if found[0].isdigit() else "\\" + found[0]


def escape_html(text: str) -> str:
    """Escape a text for an HTML element inside Markdown.

    >>> escape_html("<b> & $x$ by @someone")
    '&lt;b&gt; &amp; &#36;x&#36; by @<!-- -->someone'
    """
    escaped = html.escape(_one_line(text), quote=False).replace("$", "&#36;")
    return _MENTION.sub("@<!-- -->", escaped)


def code(text: str) -> str:
    """Return the text as a code span. The text may contain backticks.

    >>> code("a"), code("a`b")
    ('`a`', '``a`b``')
    """
    line = _one_line(text)
    fence = "`" * (_measure_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else ""


def code_cell(text: str) -> str:
    """Return the text as a code span that is safe inside a table.

    A text that contains | or a backslash is escaped instead, because a code span in a table cannot show these signs.
    """
    return escape(text) if "|" in text or "\\" in text else code(text)


def block(text: str) -> str:
    """Return the text as a fenced block."""
    fence = "`" * max(3, _measure_longest_run(text) + 1)
    return f"{fence}text\n{escape_invisible(text).strip(chr(10))}\n{fence}"


def _one_line(text: str) -> str:
    return " ".join(escape_invisible(text).split())


def _measure_longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


# -- phrases ----------------------------------------------------------------------------------------------------------
# Phrases of all Markdown reports: a verdict, its reason, a link to a claim, a case, a table.


def sign(verdict: Verdict) -> str:
    """Return the sign that stands for a verdict in lists, such as ✓, escaped for Markdown."""
    return escape(MARKS[verdict])


def say_verdict(result: ClaimResult) -> str:
    """Return the sign and the verdict of a claim with its scope, followed by the expected verdict if it differs.

    The text is bold unless the claim holds as its file expects.
    """
    text = f"{sign(result.verdict)} {escape(verdict_text(result))}"
    return (text if is_green(result) else f"**{text}**") + _mark_unexpected(result)


def say_why(result: ClaimResult) -> str:
    """Return the sign, the verdict in bold, the reason for the verdict, and the expected verdict if it differs.

    The text is one line, and does not mention the scope.
    """
    return f"**{sign(result.verdict)} {result.verdict.value}**: {escape(reason(result))}{_mark_unexpected(result)}"


def _mark_unexpected(result: ClaimResult) -> str:
    return f", **{escape(expectation(result))}**" if expectation(result) else ""


def link(result: ClaimResult) -> str:
    """Return the id of a claim as a link to its section in report.md. The link works only inside that file."""
    return f"[{code_cell(result.id)}](#{anchor(result.id)})"


def place(anchor: str) -> str:
    """Return an empty HTML element with the id `anchor`, so that `#anchor` links lead to this place of the report.

    The id is not escaped. It must come from `wording.anchor`, which returns only safe characters.
    """
    return f'<a id="{anchor}"></a>'


def say_case(result: ClaimResult, values: NamedValues) -> str:
    """Return a case as code, such as `k = 3, s = (2, 2, 4)`."""
    return code(", ".join(assignments(result, values)))


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: bool = False) -> str:
    """Return a Markdown table. The cells must be escaped.

    `numbers`: whether to align all columns except the first to the right.
    """
    ruler = ["---", *["---:" if numbers else "---"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ruler, *rows))


# -- which run it was -------------------------------------------------------------------------------------------------
# The facts of the run: date, time, versions, and the digest of the claims.


def list_identity(run: RunResult, length: int = 10_000) -> Iterator[str]:
    """Yield the facts that identify a run, each as a line of Markdown. Unknown facts are omitted.

    The facts are the start and duration, the versions of programs, the number of certified obligations, the digest of
    the claim files, and the command.
    `length`: versions and the command are cut to this number of characters.
    """
    if run.started:
        yield ", ".join(
            x for x in (f"started {escape(run.started)}", f"{run.seconds:.0f} s", say_cached(run.claims)) if x
        )
    if run.versions:
        yield ", ".join(f"{escape(name)} {escape(clip(version, length))}" for name, version in run.versions)
    if told := say_certified(run.claims):
        yield told
    if run.library:
        yield f"digest of the claims (SHA-256): {code(run.library)}"
    if run.command:
        yield code(clip(run.command, length))


# == formula ==========================================================================================================
# The statement of a claim as plain text, for Markdown.
def say_formal(formal: FormalStatement, quantifier: str) -> list[str]:
    """Return the formal statement as lines of text: "For every ...: if ..., then ...", then a line for each definition.

    `quantifier`: "exists" makes the sentence begin with "For some".
    """
    every = "For some" if quantifier == "exists" else "For every"
    start = f"{every} {', '.join(map(_write, formal.quantified))}: " if formal.quantified else ""
    said = _write(formal.conclusion)
    if formal.hypothesis is not None:
        said = f"if {_write(formal.hypothesis)}, then {said}"
    return [start + said, *(f"where {_write(left)} {_write(right)}" for left, right in formal.definitions)]


def _write(formula: TypesetFormula) -> str:
    return write_plain(formula.markup)


# == proof ============================================================================================================
# A proof in report.md: its tables, each line with its conditions. A condition that is not proved states where it fails.
def proof_blocks(claim: ClaimResult) -> Iterator[str]:
    """Yield the proof of a claim as blocks of Markdown: a summary, its tables, and the other conditions.

    Yield nothing if the claim has no proof. The blocks do not contain times, so that two reports can be compared.
    """
    if claim.presentation.proof is None:
        return
    yield f"**The proof.** {escape(claim.presentation.proof.summary)} {escape(describe_proved(claim))}."
    for table in claim.presentation.proof.tables:
        where = "" if table.where is None else f"Where {code_cell(table.where.text)}: "
        yield f"{where}*{escape(table.title)}*"
        yield "\n".join(_table(claim, table))
    if ground := find_ground(claim):
        yield f"*Other conditions*: {_list_obligations(ground)}"


def _table(claim: ClaimResult, table: ProofTable) -> Iterator[str]:
    shown = any(row.steps for row in table.rows)
    head = [*table.columns, *(["Shown by"] if shown else [])]
    yield _line(escape(x) for x in head)
    yield _line("---" for _ in head)
    for row in table.rows:
        yield _line((*map(_cell, row.cells), *([_steps(claim, row)] if shown else [])))


def _line(cells: Iterator[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: ProofCell) -> str:
    """Return the words of a cell, then its formulas as code.

    If the cell contains both, the formulas are in parentheses.
    """
    text = ""
    for part in cell.parts:
        shown = escape(part) if isinstance(part, str) else code_cell(part.text)
        text += ("" if not text or shown.startswith(",") else " ") + shown
    return f"{escape(cell.words)} ({text})" if cell.words and text else escape(cell.words) or text


def _steps(claim: ClaimResult, row: ProofRow) -> str:
    return _list_obligations(find_marks(claim, row.steps))


def _list_obligations(marks: tuple[ObligationMark, ...]) -> str:
    """Return conditions in words: the proved ones, then each failed one with the reason, then the untried ones.

    The result is one line, such as `proved: A, B; **C: fails at h = 2**; not tried: D`.
    """
    parts = []
    if proved := [m.label for m in marks if m.fate is Fate.PROVED]:
        parts.append(f"proved: {escape(', '.join(proved))}")
    parts += [
        f"**{escape(m.label)}: {escape(m.description)}**" for m in marks if m.fate not in (Fate.PROVED, Fate.UNTRIED)
    ]
    if untried := [m.label for m in marks if m.fate is Fate.UNTRIED]:
        parts.append(f"not tried: {escape(', '.join(untried))}")
    return "; ".join(parts)


# == claim ============================================================================================================
# A claim in report.md: folded to one line if it holds, open if it does not.
def show_claim(view: ReportView, result: ClaimResult) -> Iterator[str]:
    """Yield the paragraphs of report.md about a claim. The first one is an empty element to which links lead.

    If the claim holds as expected, its paragraphs are inside a `details` element, which shows one line until opened.
    """
    yield place(anchor(result.id))
    yield from (_write_folded(view, result) if is_green(result) else _open(view, result))


def _write_folded(view: ReportView, result: ClaimResult) -> Iterator[str]:
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
        yield block(tell_error(result, view.claims.get(result.statement.variant_of)))
    if found.counterexample is not None:
        yield from _counterexample(result, found.counterexample)
    yield from proof_blocks(result)
    facts = (*_evidence(result), *_argument(view, result), f"check it again: {code(rerun(view.run, result))}")
    yield _list(facts)


def _title(view: ReportView, result: ClaimResult) -> str:
    """Return the title of a claim. For a variant that its file does not state in words: "with one change: ..."."""
    changes = _changes(view, result)
    return f"with one change: {changes}" if changes else result.statement.title


def _text(view: ReportView, result: ClaimResult) -> str:
    """Return the statement of a claim. For a variant that its file does not state: "The claim of Lemma 3, but ..."."""
    changes, base = _changes(view, result), view.claims.get(result.statement.variant_of)
    return f"The claim of {short_name(base)}, but {changes}." if changes and base else result.statement.text


def _changes(view: ReportView, result: ClaimResult) -> str:
    return "; ".join(
        f"{word} {' '.join(write_plain(x.markup) for x in formulas)}" for word, formulas in list_changes(result, view)
    )


def _formal(result: ClaimResult) -> Iterator[str]:
    """Yield a paragraph with the games of a claim, one with its formula, and a block in the claim language.

    A part that the result of the claim does not contain is omitted.
    """
    if result.statement.games:
        yield "**Game.** " + "; ".join(escape(told) for told in describe_games(result))
    if (formal := result.presentation.mathematics) is not None:
        yield "**Formula.** " + "  \n".join(escape(line) for line in say_formal(formal, result.statement.quantifier))
    yield from _source(result)


def _source(result: ClaimResult) -> Iterator[str]:
    """Yield one block with the formal statement in the claim language; nothing if there is no such statement.

    The lines of the block are the quantifier with the domains, the hypothesis, the conclusion, and the definitions.
    """
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
        yield "  " * depth + "* " + escape(node.text)  # not "-", because the next list would become part of this one
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
        yield escape(", ".join(x for x in (f"{say_method(route.encoder)}: {route.answer}", say_detail(route)) if x))
    if found.rechecked or found.sampled:
        yield f"a second program {rechecked_phrase(found)}"
    if found.obligations:
        open_ = [o for o in found.obligations if not o.proved]
        state = "all proved" if not open_ else "; ".join(escape(f"{o.name}: {o.result}, {o.detail}") for o in open_)
        notes = "".join(f"; {escape(f'{o.name}: {o.note}')}" for o in found.obligations if o.note and not o.is_trivial)
        plain = sum(o.is_trivial for o in found.obligations)
        state += f", {plain} of them trivial" if plain else ""
        yield f"proof: {count(len(found.obligations), 'condition')}, {state}{notes}"
    if (support := find_support(result)) is not None:
        told = escape(support.words.replace("obligation", "condition"))
        yield f"proof: {told}" + (
            f" ([certificates]({anchor(result.provenance.certificate)}))" if result.provenance.certificate else ""
        )
    if told := say_coq(result):
        yield f"{told}: {code(f'python -m checks coq {result.id}')} writes the theorem with its proof"
    if found.lemmas:
        yield "our proof uses " + ", ".join(f"{code(x.id)} ({escape(x.words)})" for x in found.lemmas)
    if shown.closed_form is not None:
        form = shown.closed_form
        extra = f", {escape(period_phrase(form))}" if form.period else ""
        yield f"closed form: a heap of {code(form.variable)} has the value {code(form.simplified)}{extra}"
    if found.mutants is not None:
        lines = (mutants_phrase(found.mutants), *survivors(found.mutants))
        yield "mutants: " + "\n  - ".join(escape(line) for line in lines)
    if result.finding.trusted:
        yield f"assumed: {escape(say_assumed(result.finding.trusted))}"
    if result.finding.not_established:
        yield f"not established: {escape(result.finding.not_established)}"
    for warning in result.presentation.warnings:
        yield f"**warning**: {escape(warning)}"
    for hint in shown.hints:
        yield f"hint: {escape(hint)}"
    if stated.notes:
        yield f"note: {escape(stated.notes)}"


def _argument(view: ReportView, result: ClaimResult) -> Iterator[str]:
    """Yield sentences on how a claim is related to the other claims of the run.

    They state which refuted claims its published proof uses, the main claim if this claim is a variant, the claim that
    this claim corrects, and the corrections of this claim.
    """
    if words := describe_survival(result, view):
        refuted = [c for id in result.statement.uses if (c := view.claims.get(id)) and c.verdict.holds is False]
        verb = "is" if len(refuted) == 1 else "are"
        yield f"its published proof uses {', '.join(map(link, refuted))}, which {verb} refuted; {words}"
    if (own := view.claims.get(result.statement.variant_of)) is not None:
        yield f"a variant of {link(own)} ({own.verdict.value})"
    corrections = view.repaired_by[result.id]
    name_corrections = "corrections" if len(corrections) > 1 else "correction"
    for label, ids in (("replaces", (result.statement.repairs,)), (name_corrections, corrections)):
        found = [c for id in ids if (c := view.claims.get(id))]
        if found:
            yield f"{label}: {', '.join(f'{link(c)} ({c.verdict.value})' for c in found)}"


# == summary ==========================================================================================================
# summary.md: the main results in less than 8 kB, for a comment in a review.
#
# Every claim is a link into report.md, in the same folder.
LIMIT = 8000  # bytes
LENGTH = 200  # characters of a text from a claim's file
WHOLE = "report.md"


def to_summary(run: RunResult) -> str:
    """Return summary.md of a run.

    If the text would have LIMIT bytes or more, every list keeps only its first entries, which are the most important.
    """
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
        yield f"The run also settled {others}."
    if run.interrupted:
        yield "**The run was interrupted: claims that it did not reach are inconclusive.**"
    yield f"Exit code {view.exit_code}: {escape(run.meant or EXIT_CODES[view.exit_code])}."
    if len(view.groups) > 1:
        yield from _works(view, entries)
    for heading, claims in (
        ("Refuted", sort_by_weight(view.refuted)),
        ("Guesses refuted as expected", view.guesses),
        ("Not settled", view.unsettled),
        ("Holds, although its file expects otherwise", view.unexpected),
    ):
        if claims:
            yield f"## {heading}"
            yield _shorten_list([_why(view, c) for c in claims], entries)
    if bounded := [c for c in run.claims if c.verdict is Verdict.VERIFIED]:
        yield "## Verified in a scope only"
        yield _shorten_list(list(_list_bounded(view, bounded)), entries)
    if doubtful := [c for c in run.claims if c.presentation.warnings]:
        yield "## Warnings"
        yield _shorten_list(
            [f"{_link(c)}{_name_work(view, c)}: {_clip_text('; '.join(c.presentation.warnings))}" for c in doubtful],
            entries,
        )
    if identity := list(list_identity(run, LENGTH)):
        yield "## The run"
        yield _shorten_list(identity, len(identity))
    yield f"All claims, with their evidence: [{WHOLE}]({WHOLE})."


def _works(view: ReportView, entries: int) -> Iterator[str]:
    occur = [verdict for verdict, found in view.counts if found]
    rows = [
        [_clip_text(work_name(g.work)), *(number(sum(c.verdict is v for c in g.statements)) for v in occur)]
        for g in [g for g in view.groups if g.statements][:entries]
    ]
    yield table(["work", *(LABELS[v] for v in occur)], rows, numbers=True)


def _why(view: ReportView, result: ClaimResult) -> str:
    told = f"{_link(result)}{_name_work(view, result)}: {_clip_text(reason(result) or result.verdict.value)}"
    if result.verdict.holds is None:
        told = f"{_link(result)}{_name_work(view, result)}, {result.verdict.value}: {_clip_text(reason(result))}"
    instead = [c for id in view.repaired_by[result.id] if (c := view.claims.get(id)) and c.verdict.holds]
    if instead:
        corrections = ", ".join(_link(c, LABELS[c.verdict]) for c in instead[:2])
        told += f"; correction{'s' * (len(instead) > 1)}: {corrections}"
    return told + (f", **{_clip_text(expectation(result))}**" if expectation(result) else "")


def _name_work(view: ReportView, result: ClaimResult) -> str:
    """Return the work of a claim in parentheses if the run has several works; otherwise ""."""
    return (
        f" ({_clip_text(work_name(view.works[result.statement.work]))})"
        if result.statement.work and len(view.groups) > 1
        else ""
    )


def _list_bounded(view: ReportView, claims: Sequence[ClaimResult]) -> Iterator[str]:
    """Yield lines on claims that are verified only in a scope: links to the claims, and what was not established.

    Consecutive claims share a line if they come from the same work and the same cases are not established.
    """
    for (work, open_), found in groupby(claims, key=lambda c: (c.statement.work, c.finding.not_established)):
        title = _clip_text(work_name(view.works[work]))
        claims_met = "; ".join(_link(c) + _describe_met(c) for c in found)
        yield f"{title}: {claims_met}. Not established: {_clip_text(open_) or 'cases beyond the scope'}"


def _describe_met(result: ClaimResult) -> str:
    """Return " (hypotheses met at N of M cases)"; "" without hypotheses, or if they hold in all cases."""
    found = result.finding
    if not has_hypotheses(result) or found.cases_with_hypotheses == found.cases:
        return ""
    return f" (hypotheses met at {number(found.cases_with_hypotheses)} of {count(found.cases, 'case')})"


def _link(result: ClaimResult, text: str = "") -> str:
    return f"[{text or _clip_text(result.statement.short or name(result))}]({WHOLE}#{anchor(result.id)})"


def _clip_text(text: str) -> str:
    return escape(clip(text, LENGTH))


def _shorten_list(lines: Sequence[str], entries: int) -> str:
    shown = [f"- {line}" for line in lines[:entries]]
    if len(lines) > entries:
        shown.append(f"- {number(len(lines) - entries)} more: [{WHOLE}]({WHOLE})")
    return "\n".join(shown)


# == whole ============================================================================================================
# report.md: a run for readers on GitHub or in a terminal.
#
# One section for each work, with its claims in their order. Claims that hold are folded, the others are open. Only the
# last section has times, so that two reports can be compared.
def to_markdown(run: RunResult) -> str:
    """Return report.md of a run: a summary, lists of the claims that need attention, and a section for each work."""
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
        yield f"The run also settled {told}."


def _counts(view: ReportView, group: Group) -> list[str]:
    """Return the cells of a work in the summary table: its number of statements with each verdict of the table."""
    return [number(sum(c.verdict is v for c in group.statements)) for v, found in view.counts if found]


def _lists(view: ReportView) -> list[tuple[str, str, tuple[ClaimResult, ...]]]:
    """Return the nonempty lists of claims that need attention, such as the refuted ones.

    Each is (heading, id for links without its prefix "page:", claims).
    """
    lists = [
        ("Refuted", "refuted", sort_by_weight(view.refuted)),
        ("Guesses refuted as expected", "guesses", view.guesses),
        ("Not settled", "unsettled", view.unsettled),
        ("Holds, although its file expects otherwise", "unexpected", view.unexpected),
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
