"""Renews this folder: `python docs/sample-report/renew.py` runs the whole library and photographs its page.

Needs the extra `dev` and a Chromium, or what CHECKS_BROWSER names.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.page import open_browser

HERE = Path(__file__).resolve().parent
MARKDOWN = ("summary.md", "report.md")
CERTIFICATES = re.compile(r" \(\[certificates\]\([^()\s]*\)\)")  # links to files that are not kept here
SHOTS = {  # file -> (width, height, colours, place in the page)
    "front.png": (1280, 800, "light", "#page:top"),
    "theorem-14.png": (1280, 1400, "dark", "#kl-nim/theorem-14"),
}


def main() -> None:
    """Run, copy the Markdown, photograph the page."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "checks", "run", "--no-cache", "--report", folder], check=True, cwd=HERE.parents[1]
        )
        for name in MARKDOWN:
            text = (Path(folder) / name).read_text("utf-8")
            (HERE / name).write_text(CERTIFICATES.sub("", text), "utf-8")
        with sync_playwright() as playwright:
            browser = open_browser(playwright)
            for name in SHOTS:
                photograph(browser, Path(folder) / "index.html", name)
            browser.close()


def photograph(browser: Browser, page: Path, name: str) -> None:
    """One picture of the page, as SHOTS has it."""
    width, height, colours, place = SHOTS[name]
    dark = "dark" if colours == "dark" else "light"
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=dark)
    tab = context.new_page()
    tab.goto(page.as_uri() + place)
    tab.wait_for_timeout(200)
    tab.screenshot(path=HERE / name)
    context.close()


if __name__ == "__main__":
    main()
