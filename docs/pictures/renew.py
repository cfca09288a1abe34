"""Renew the pictures of the README and the summary of the library: `python docs/pictures/renew.py [FOLDER]`.

FOLDER contains the report of a finished run of the library. Without FOLDER, only the pictures are renewed. The script
needs the extra `dev`, and Chromium or the browser that CHECKS_BROWSER names.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.page import open_browser

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CLAIM = "kl-nim/lemma-11"
COLOURS = ("light", "dark")


def main() -> None:
    """Photograph the report of one refuted claim, and copy the summary of the library."""
    if sys.argv[1:]:
        sys.path.insert(0, str(HERE.parent))
        from site_hook import read_report, without_report

        summary = without_report(read_report(Path(sys.argv[1]))["summary.md"])
        (HERE.parent / "sample-report" / "summary.md").write_text(summary, "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "checks", "run", "--no-cache", "--report", folder, CLAIM]
        subprocess.run(command, check=True, cwd=ROOT)
        with sync_playwright() as playwright:
            browser = open_browser(playwright)
            for colours in COLOURS:
                photograph(browser, Path(folder) / "claims" / f"{CLAIM}.html", colours)
            browser.close()


def photograph(browser: Browser, page: Path, colours: str) -> None:
    """Write a picture of the top of the page at twice the resolution."""
    dark = "dark" if colours == "dark" else "light"
    context = browser.new_context(viewport={"width": 1000, "height": 572}, color_scheme=dark, device_scale_factor=2)
    tab = context.new_page()
    tab.goto(page.as_uri())
    tab.wait_for_timeout(400)
    tab.screenshot(path=HERE / f"lemma-11-{colours}.png")
    context.close()


if __name__ == "__main__":
    main()
