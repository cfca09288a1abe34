"""What every Markdown says alike: text that starts no markup of its own, phrases, which run it was."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from checks.results.model import ClaimResult, RunResult
from checks.results.values import NamedValues
from checks.results.verdicts import Verdict
from reports.ground.digest import is_green
from reports.ground.wording import (
    MARKS,
    anchor,
    assignments,
    clip,
    expectation,
    reason,
    say_cached,
    say_certified,
    verdict_text,
    visible,
)

# -- text -------------------------------------------------------------------------------------------------------------
# Text from claim files inside Markdown: it reads as it was written and can start no markup of its own.


_MARKUP = re.compile(
    r"[\\`\[\]|~$]"
    r"|\*(?! )|(?<! )\*"  # a * b needs no escape
    r"|(?<![^\W_])_|_(?![^\W_])"  # nor does nim_sum
    r"|<(?=\S)|&(?=[#\w])|:(?=//)|(?<=www)\."
)


_MENTION = re.compile(r"@(?=[^\W_])")  # GitHub writes to whom it takes for named, in a comment


_AT_START = re.compile(r"^([#>+\-=*]|\d+(?=[.)](?:\s|$)))")


def escape(text: str) -> str:
    r"""One line of Markdown that shows the text.

    >>> print(escape("<script> [a](b) | *x* nim_sum(s) < 2 * 3"))
    \<script> \[a\](b) \| \*x\* nim_sum(s) < 2 * 3
    """
    line = _MARKUP.sub(lambda found: "\\" + found[0], _one_line(text))
    return _MENTION.sub("@<!-- -->", _AT_START.sub(_escape_start, line))


def _escape_start(found: re.Match[str]) -> str:
    # "1." starts a list by its dot: the dot is what follows the match
    return found[0] + "\\" if found[0].isdigit() else "\\" + found[0]


def escape_html(text: str) -> str:
    """The text inside an HTML element that stands in Markdown.

    >>> escape_html("<b> & $x$ by @someone")
    '&lt;b&gt; &amp; &#36;x&#36; by @<!-- -->someone'
    """
    escaped = html.escape(_one_line(text), quote=False).replace("$", "&#36;")
    return _MENTION.sub("@<!-- -->", escaped)


def code(text: str) -> str:
    """The text as a code span, whatever backticks it contains.

    >>> code("a"), code("a`b")
    ('`a`', '``a`b``')
    """
    line = _one_line(text)
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else ""


def code_cell(text: str) -> str:
    """The text as code inside a table; as plain text if it has what a code span in a table cannot carry."""
    return escape(text) if "|" in text or "\\" in text else code(text)


def block(text: str) -> str:
    """The text as a fenced block of its own lines."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}text\n{visible(text).strip(chr(10))}\n{fence}"


def _one_line(text: str) -> str:
    return " ".join(visible(text).split())


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


# -- phrases ----------------------------------------------------------------------------------------------------------
# What every Markdown says alike: a verdict, the reason for it, a link to a claim, a case, a table.


def sign(verdict: Verdict) -> str:
    """The sign of a verdict."""
    return escape(MARKS[verdict])


def say_verdict(result: ClaimResult) -> str:
    """Sign and verdict with its scope, bold where it is no good news, and whether the file expected something else."""
    text = f"{sign(result.verdict)} {escape(verdict_text(result))}"
    return (text if is_green(result) else f"**{text}**") + _unexpected(result)


def say_why(result: ClaimResult) -> str:
    """The bare verdict of a claim that is not green, and the reason in one line."""
    return f"**{sign(result.verdict)} {result.verdict.value}**: {escape(reason(result))}{_unexpected(result)}"


def _unexpected(result: ClaimResult) -> str:
    return f", **{escape(expectation(result))}**" if expectation(result) else ""


def link(result: ClaimResult) -> str:
    """The claim's id, leading to its place in the same file."""
    return f"[{code_cell(result.id)}](#{anchor(result.id)})"


def place(anchor: str) -> str:
    """Where links lead: `anchor` is safe in an attribute, as `reports.ground.wording.anchor` makes it."""
    return f'<a id="{anchor}"></a>'


def say_case(result: ClaimResult, values: NamedValues) -> str:
    """The values of a case."""
    return code(", ".join(assignments(result, values)))


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: bool = False) -> str:
    """A table of cells that are Markdown already; `numbers`: all columns but the first stand to the right."""
    ruler = ["---", *["---:" if numbers else "---"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ruler, *rows))


# -- which run it was -------------------------------------------------------------------------------------------------
# Which run it was: when, how long, with what versions, on which claims.


def list_identity(run: RunResult, length: int = 10_000) -> Iterator[str]:
    """What tells the run from others, a line of Markdown each; of what is not known nothing is said.

    `length`: characters of a text that are shown.
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
        yield f"claims with the digest {code(run.library)} (SHA-256)"
    if run.command:
        yield code(clip(run.command, length))
