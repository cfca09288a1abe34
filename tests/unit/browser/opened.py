"""A page that is open in a browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page


class Opened:
    """A page that is open, and what it asked for and complained of."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page, self.path = page, path
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(path.as_uri())

    def unfold(self) -> None:
        self.page.evaluate(
            "for (const e of document.querySelectorAll('details:not(.steps > li > details)')) e.open = true"
        )
