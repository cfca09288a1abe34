"""A hook of mkdocs: a file outside the documentation, of which the site has no copy, is named instead of linked to."""

import posixpath
import re
from typing import Any


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    def name(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link[2]))
        if not path.startswith("../"):
            return link[0]
        path = path.removeprefix("../")
        return f"`{path}`" if link[1].strip("`") in {path, posixpath.basename(path)} else f"{link[1]} (`{path}`)"

    return re.sub(r"\[([^\]]*)\]\((\.[^)\s]*)\)", name, markdown)
