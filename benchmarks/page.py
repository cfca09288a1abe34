"""Measure the size of a run's page and its loading time in a browser. Other modules use its browser functions.

`python -m benchmarks.page [reports/out/index.html]`; needs the extra `dev` and a Chromium.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import statistics
import sys
from pathlib import Path
from typing import TypedDict

from playwright.sync_api import Browser, Playwright, sync_playwright

# Debian's headless shell first: the same engine without windows, which needs two thirds of the CPU time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--js-flags=--min-semi-space-size=64 --max-semi-space-size=64"]
LOADS = 5
SLOWER = 4  # factor by which the browser slows the CPU down
TIMES = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  loaded: performance.getEntriesByType("navigation")[0].loadEventEnd,
})"""


READY = """async () => {
  const entry = performance.getEntriesByType("navigation")[0];
  return entry.domContentLoadedEventEnd - entry.responseEnd;
}"""


class Times(TypedDict):
    """Times in milliseconds from the start of the navigation."""

    paint: float
    loaded: float


def find_browser() -> str:
    """Return the path of a browser, or "". If CHECKS_BROWSER is set, that browser must exist."""
    wanted = os.environ.get("CHECKS_BROWSER")
    if wanted:
        assert shutil.which(wanted), f"CHECKS_BROWSER={wanted}: there is no such program"
    return next((path for name in ([wanted] if wanted else BROWSERS) if (path := shutil.which(name))), "")


def open_browser(playwright: Playwright) -> Browser:
    """Start the browser of `find_browser`."""
    path = find_browser()
    assert path, f"there is no browser: none of {', '.join(BROWSERS)} is installed"
    return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)


def main() -> None:
    """Print a table of measurements."""
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "reports/out/index.html").resolve()
    content = path.read_bytes()
    for name in ("plain.html", "claims"):
        found_there = [path.with_name(name)] if name.endswith("html") else list(path.parent.glob(f"{name}/**/*.html"))
        if sizes := [p.stat().st_size for p in found_there if p.is_file()]:
            several = f", {len(sizes)} files, the largest {max(sizes) / 1000:.0f} kB" if len(sizes) > 1 else ""
            print(f"{name:15} {sum(sizes) / 1000:8.0f} kB{several}")
    scripts = sum(map(len, re.findall(rb"<script>(.*?)</script>", content, re.DOTALL)))
    print(f"size            {len(content) / 1000:8.0f} kB, {len(gzip.compress(content)) / 1000:.0f} kB compressed")
    print(f"scripts         {scripts / 1000:8.0f} kB")
    with sync_playwright() as playwright:
        browser = open_browser(playwright)
        found: list[Times] = []
        for _ in range(LOADS):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(path.as_uri())
            page.wait_for_timeout(200)
            found.append(page.evaluate(TIMES))
            height = page.evaluate("document.documentElement.scrollHeight")
            page.close()
        printed = browser.new_page(viewport={"width": 1280, "height": 800})
        printed.goto(path.as_uri())
        printed.emulate_media(media="print")
        printed.wait_for_timeout(300)
        printed.evaluate("dispatchEvent(new Event('beforeprint'))")
        sheets = len(re.findall(rb"/Type */Page\b", printed.pdf(format="A4")))
        parsed = []
        for _ in range(LOADS):
            slow = browser.new_page(viewport={"width": 1280, "height": 800})
            slow.context.new_cdp_session(slow).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            slow.goto(path.as_uri())
            parsed.append(slow.evaluate(READY))
            elements = slow.evaluate("document.querySelectorAll('*').length")
            slow.close()
        browser.close()
    print(f"elements        {elements:8} at first")
    print(f"parsed          {statistics.median(parsed) / 1000:8.2f} s on a machine {SLOWER} times slower, scripts run")
    print(f"first paint     {statistics.median(t['paint'] for t in found) / 1000:8.2f} s, median of {LOADS}")
    print(f"loaded          {statistics.median(t['loaded'] for t in found) / 1000:8.2f} s")
    print(f"height, folded  {height:8} px at 1280")
    print(f"printed         {sheets:8} pages of A4, every claim unfolded")


if __name__ == "__main__":
    main()
