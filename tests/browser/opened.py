"""A page that is open in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect


class Opened:
    """An open page with its requests and its errors."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page, self.path = page, path
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.listeners: dict[Any, Callable[[Any], None]] = {
            "request": lambda request: self.requests.append(request.url),
            "console": lambda message: self.complaints.append(message.text),
            "pageerror": lambda error: self.complaints.append(str(error)),
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)
        page.goto(path.as_uri())
        self.wait()

    def leave(self) -> None:
        """Close the page and ignore later events."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        self.page.goto("about:blank")

    def wait(self) -> None:
        """Wait until the script has unpacked the content of the claims; a page without scripts needs no waiting."""
        if self.page.locator("form[role=search]:not([hidden])").count():
            self.page.wait_for_selector("html[data-unpacked]", state="attached")

    def begin_again(self) -> None:
        """Return to the initial state: the top of the page, folded claims and contents, no search."""
        self.page.evaluate(
            """async () => {
              history.replaceState(null, "", location.pathname);
              dispatchEvent(new Event("hashchange"));
              for (const e of document.querySelectorAll(".claim[open]")) e.open = false;
              scrollTo({ top: 0, behavior: "instant" });
              // The list of contents follows the scrolling one frame later.
              for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
              for (const e of document.querySelectorAll("nav .group")) e.open = false;
            }"""
        )

    def draw_maps(self) -> None:
        """Draw all maps as if they were visible."""
        if self.page.locator("html[data-unpacked]").count():
            self.page.evaluate("for (const e of document.querySelectorAll('.pan[data-body]')) packed.fill(e)")

    def unfold(self) -> None:
        """Draw the maps, unfold the claims, and then their parts."""
        self.draw_maps()
        for _ in range(2):
            self.page.evaluate(
                "for (const e of document.querySelectorAll('details:not(.steps > li > details)')) e.open = true"
            )
            if self.page.locator("html[data-unpacked]").count():
                expect(self.page.locator("details[open] > [data-body]")).to_have_count(0)


# Mark the first and the last text of each look: its style and its background, up to the root. For a single letter, or
# for signs, axe does not report low contrast, because these are not words.
_MARK_LOOKS = """(within) => {
  const plain = "rgba(0, 0, 0, 0) none 1 static none normal none visible", grounds = new Map([[null, ""]]);
  const ground = (e) => {
    if (!grounds.has(e)) {
      const s = getComputedStyle(e), below = ground(e.parentElement), own = [s.backgroundColor, s.backgroundImage,
        s.opacity, s.position, s.filter, s.mixBlendMode, s.clipPath, s.overflow].join(" ");
      grounds.set(e, own === plain ? below : `${below} / ${own}`);
    }
    return grounds.get(e);
  };
  const looks = new Map();
  for (const e of document.querySelectorAll("[data-look]")) delete e.dataset.look;
  for (const e of document.querySelectorAll(`:is(${within}), :is(${within}) *`)) {
    const text = [...e.childNodes].map((n) => (n.nodeType === 3 ? n.data : "")).join("").trim() || e.value;
    if (!text || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const s = getComputedStyle(e), off = e.closest("[disabled], [aria-disabled=true], [inert], [aria-hidden=true]");
    const drawn = [s.color, s.fill, s.fontSize, s.fontWeight, s.textShadow], words = /\\w.*\\w/.test(text);
    const look = [...drawn, words, off === null, ground(e)].join(" ");
    looks.set(look, [...(looks.get(look) ?? [e]).slice(0, 1), e]);
  }
  [...looks.values()].flat().forEach((e) => { e.dataset.look = ""; });
  return looks.size;
}"""


def find_violations(page: Page, context: str | None = None) -> str:
    """Return the violations that axe finds in the page, or in a part of it.

    Listing more is expensive. Contrast takes four fifths of the time, so it is checked for two texts of each look.
    """
    looks = page.evaluate(_MARK_LOOKS, context or "body")
    axe = Axe()
    axe.axe_script += "\naxe.configure({ rules: [{ id: 'color-contrast', selector: '[data-look]' }] });"
    found = axe.run(page, context=context, options={"resultTypes": ["violations"], "preload": False})
    assert len(found.response["passes"]) > 10 and looks > 1
    return "" if found.violations_count == 0 else found.generate_report()


@cache
def _left(browser: Browser, kind: str) -> list[Page]:
    """Return unused pages in contexts of that kind. Starting a context takes longer than showing most of our pages."""
    return []


def open_page(browser: Browser, path: Path, kind: dict[str, Any]) -> Iterator[Opened]:
    """Open the page in an exclusive context; at the end it must have loaded nothing else and reported no errors."""
    kind = {"viewport": {"width": 1280, "height": 800}, **kind}
    left = _left(browser, json.dumps(kind, sort_keys=True))
    page = Opened(left.pop() if left else browser.new_context(**kind).new_page(), path)
    yield page
    assert page.complaints == []
    assert page.requests == [path.as_uri()]
    page.leave()
    page.page.set_viewport_size(kind["viewport"])  # a test may have changed both
    page.page.emulate_media(media="null")
    left.append(page.page)
