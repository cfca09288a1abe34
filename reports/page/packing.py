"""Two ways to save time and space: stored compiled templates, and a page whose details are one compressed block."""

from __future__ import annotations

import base64
import json
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache


# == compiled =========================================================================================================
# Compiled templates are stored and trusted as compiled Python modules are.
class CompiledTemplates(FileSystemBytecodeCache):
    """A cache of compiled Jinja templates, in the folder `__pycache__` of the folder `templates`.

    `program`: a folder of Python modules. After a change of a template or of one of these modules, the template is
    compiled again. So is a template whose cached file cannot be read. If a file cannot be written, nothing is cached.
    """

    def __init__(self, templates: Path, program: Path) -> None:
        made_by = sha256(repr([jinja2.__version__, *_stamps(program)]).encode()).hexdigest()[:16]
        folder = Path(cache_from_source(str(templates / "template.py"))).parent
        super().__init__(str(folder), f"%s.{sys.implementation.cache_tag}.{made_by}.pyc")

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except Exception:  # noqa: BLE001 - what is there may be anything, and pickle raises whatever it likes
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)


def _stamps(program: Path) -> Iterator[tuple[str, int, int]]:
    """Yield (path, time of change, size) for each module. Python also detects changes by time and size."""
    for path in sorted(program.rglob("*.py")):
        found = path.stat()
        yield path.relative_to(program).as_posix(), found.st_mtime_ns, found.st_size


# == packing ==========================================================================================================
# A page is small because the contents of claims, maps and obligations are in one compressed block, which its script
# unpacks. plain.html contains everything uncompressed, for readers without scripts. Each claim also has its own page.
BEGIN, END = "<!--unfolds-->", "<!--folds-->"
"""Marks around the packed parts of claim.html and map.html. Escaped text of a claim cannot contain them."""
_BODY = re.compile(rf'(<div class="(?:body|pan|list)"[^>]*)>\s*{BEGIN}(.*?){END}\s*</div>', re.DOTALL)
_CLAIM = re.compile(rf'<details class="claim [^>]*? id="([^"]*)".*?{BEGIN}(.*?){END}', re.DOTALL)
_ASKED = re.compile(r'<script type="application/octet-stream" id="page:asked">([^<]*)</script>')
_NUMBER = re.compile(r' data-asked="(\d+)"')
_PARAGRAPH = re.compile(r"<p\b.*?</p>", re.DOTALL)
_BOX = re.compile(r'<script type="application/json" class="box">([^<]*)</script>')
_HEADING = re.compile(r"(</?)h([56])\b")
_LINK = re.compile(r'(<a\b[^>]*? href=")([^"]*)"')
_EMPTY = re.compile(r"\n\s*\n")

Entry = tuple[str, str]
"""An obligation: its HTML, and the SHA-256 of its query."""


@dataclass(frozen=True)
class Split:
    """The HTML with all results of a run, divided into a visible text and parts that a script inserts later.

    `works`: the visible text. `bodies`: the contents of claims and maps that are closed at first.
    `entries`: the obligations of all proofs.
    `boxes`: the different sets of positions on which the reader can play, as JSON.
    """

    works: str
    bodies: tuple[str, ...]
    entries: tuple[Entry, ...]
    boxes: tuple[str, ...]


def split(works: str, fold: bool = True) -> Split:
    """Move the contents of claims and maps, the obligations, and the boxes of positions out of the HTML `works`.

    The attribute `data-body` of the emptied element is the index of its contents in `bodies`. `data-box` is an index in
    `boxes`. If `fold` is false, the contents of claims and maps stay in place.
    """
    bodies: list[str] = []
    boxes: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        return (
            f'<script type="application/json" class="box" data-box="{boxes.setdefault(found[1], len(boxes))}"></script>'
        )

    def take(found: re.Match[str]) -> str:
        bodies.append(_EMPTY.sub("\n", found[2].strip()))
        return f'{found[1]} data-body="{len(bodies) - 1}"></div>'

    plain, entries = _take_entries(works)
    plain = _BOX.sub(number, plain)
    left = _BODY.sub(take, plain) if fold else plain.replace(BEGIN, "").replace(END, "")
    return Split(_EMPTY.sub("\n", left), tuple(bodies), entries, tuple(boxes))


def _take_entries(works: str) -> tuple[str, tuple[Entry, ...]]:
    found = _ASKED.search(works)
    if found is None:
        return works, ()
    data = json.loads(zlib.decompress(base64.b64decode(found[1])))
    return works[: found.start()] + works[found.end() :], tuple((markup, digest) for markup, digest in data)


def join(works: str) -> str:
    """Return the HTML `works` for readers without scripts: all contents are in place and nothing is packed.

    Obligations and boxes of positions are omitted, because only a script can show them.
    """
    plain = _BOX.sub("", _NUMBER.sub("", _take_entries(works)[0]))
    return _EMPTY.sub("\n", plain.replace(BEGIN, "").replace(END, ""))


def write_block(bodies: Iterable[str], entries: Iterable[Entry], boxes: Iterable[str] = ()) -> str:
    """Return a block for the script of the page: JSON, compressed by zlib, in base64; "" if there is nothing to pack.

    The JSON object has the keys "bodies", "boxes", "paragraphs" and "asked". "paragraphs" lists the different
    paragraphs of all obligations. "asked" lists the obligations, each as [indices in "paragraphs", first 16 digits of
    its digest].
    """
    numbers: dict[str, int] = {}
    asked = []
    for markup, digest in entries:
        found = _PARAGRAPH.findall(markup)
        parts = found if "".join(found) == markup else [markup]
        asked.append([[numbers.setdefault(part, len(numbers)) for part in parts], digest[:16]])
    data = {"bodies": list(bodies), "paragraphs": list(numbers), "asked": asked, "boxes": list(boxes)}
    if not any(data.values()):
        return ""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    return base64.b64encode(zlib.compress(text, 9)).decode()


@dataclass(frozen=True)
class Alone:
    """The HTML of one claim for its separate page, and the packed block with its obligations."""

    body: str
    block: str


def cut_claims(works: str, up: dict[str, str]) -> dict[str, Alone]:
    """Return the contents of each claim for its separate page. The keys are the HTML ids of the claims.

    `works`: the HTML with all results of the run.
    `up`: for each id, the relative path from the separate page to the folder of the reports. Links to other claims are
    changed, so that they lead to index.html in this folder.
    """
    plain, entries = _take_entries(works)
    return {
        found[1]: _set_apart(found[2], found[1], up[found[1]], entries)
        for found in _CLAIM.finditer(plain)
        if found[1] in up
    }


@dataclass(frozen=True)
class PackedWorks:
    """The HTML with all results of a run, in the forms that its pages need.

    `works`, `block`: for index.html, the visible text and the packed contents.
    `plain`: for plain.html, which works without scripts.
    `alone`: the contents of the separate page of each claim, by the HTML id of the claim.
    """

    works: str
    block: str
    plain: str
    alone: dict[str, Alone]


def pack_works(works: str, up: dict[str, str], fold: bool) -> str:
    """Return the HTML `works` in all forms of `PackedWorks`, as one text that `read_works` can read.

    The text can be stored. It depends only on the arguments.
    `up`: as in `cut_claims`. `fold`: as in `split`.
    """
    found = split(works, fold)
    block = write_block(found.bodies, found.entries, found.boxes)
    alone = {place: (one.body, one.block) for place, one in cut_claims(works, up).items()}
    return json.dumps((found.works, block, join(works), alone), ensure_ascii=False)


def read_works(text: str) -> PackedWorks:
    """Return the works from a text made by `pack_works`."""
    works, block, plain, alone = json.loads(text)
    return PackedWorks(works, block, plain, {place: Alone(*parts) for place, parts in alone.items()})


def _set_apart(body: str, place: str, up: str, entries: tuple[Entry, ...]) -> Alone:
    numbers: dict[int, int] = {}

    def renumber(found: re.Match[str]) -> str:
        return f' data-asked="{numbers.setdefault(int(found[1]), len(numbers))}"'

    def lead(found: re.Match[str]) -> str:
        to = found[2]
        if to.startswith("#") and not to.startswith(f"#{place}:"):
            to = f"{up}index.html{to}"
        elif to.startswith("certificates/"):
            to = up + to
        return f'{found[1]}{to}"'

    text = _HEADING.sub(lambda h: f"{h[1]}h{int(h[2]) - 3}", _LINK.sub(lead, _NUMBER.sub(renumber, body)))
    return Alone(_EMPTY.sub("\n", text.strip()), write_block((), [entries[n] for n in numbers]))
