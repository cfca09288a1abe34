"""A mkdocs hook. It adds the report on the library to the site, and replaces links to other files by their names.

`CHECKS_REPORT` is the folder of a finished run of the library. Without it, the hook runs the library.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = "sample-report"
CERTIFICATES = re.compile(r" \(\[certificates\]\([^()\s]*\)\)")  # links to files that the site does not have
REPORT = re.compile(r"\[([^\]]*)\]\(report\.md[^)\s]*\)")


def read_report(folder: Path) -> dict[str, str]:
    """Return summary.md and report.md of a run, without links to its certificates."""
    return {name: CERTIFICATES.sub("", (folder / name).read_text("utf-8")) for name in ("summary.md", "report.md")}


def without_report(summary: str) -> str:
    """Return the summary without links to report.md, which the repository does not contain."""
    return REPORT.sub(r"\1", summary)


@cache
def make_report() -> dict[str, str]:
    """Return the pages of a run of the library, by their names."""
    if folder := os.environ.get("CHECKS_REPORT"):
        return read_report(Path(folder))
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([sys.executable, "-m", "checks", "run", "--library", "--report", made], check=True, cwd=ROOT)
        return read_report(Path(made))


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> Files:
    """Add the complete report to the pages of the site."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, f"{SAMPLE}/report.md", content=make_report()["report.md"]))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the page with a name instead of each link to a file outside the documentation."""
    if page.file.src_uri == f"{SAMPLE}/summary.md":
        return make_report()["summary.md"]

    def name(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link[2]))
        if not path.startswith("../"):
            return link[0]
        path = path.removeprefix("../")
        return f"`{path}`" if link[1].strip("`") in {path, posixpath.basename(path)} else f"{link[1]} (`{path}`)"

    return re.sub(r"\[([^\]]*)\]\((\.[^)\s]*)\)", name, markdown)
