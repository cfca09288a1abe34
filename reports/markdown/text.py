"""Text from claim files inside Markdown: it reads as it was written and can start no markup of its own."""

from __future__ import annotations

import html
import re

from reports.wording import visible

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


def cell(text: str) -> str:
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
