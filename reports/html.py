"""The pages of a run: index.html, plain.html for readers without scripts, and one page for each claim.

Each page is one file that loads nothing. Every value in a page is escaped.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from checks.results import wording
from checks.results.model import ClaimResult, RunResult
from checks.results.shown import PlayableClaim, write_plain
from checks.results.verdicts import EXIT_CODES, Verdict
from checks.results.wording import (
    describe_proved,
    find_ground,
    find_marks,
    find_open,
    find_support,
    is_theorem,
    mutants_phrase,
    rechecked_phrase,
    scope_phrase,
    survivors,
)
from claims.language.errors import escape_invisible
from reports.model import evidence, meaning
from reports.model.digest import RESULTS, Group, ReportView, describe_survival, is_alone, is_green, make_view
from reports.page.thermographs import Wall, draw_thermograph

if TYPE_CHECKING:
    from jinja2 import Environment

    from reports.page.packing import PackedWorks

TEMPLATES = Path(__file__).parent / "templates"
FONTS = Path(__file__).parent / "fonts"
FACES = (
    ("text.woff2", '"Checks Text"', 400, "normal"),
    ("text-italic.woff2", '"Checks Text"', 400, "italic"),
    ("text-bold.woff2", '"Checks Text"', 700, "normal"),
    ("math.woff2", '"Checks Math"', 400, "normal"),
)
"""The fonts inside each page: file, family, weight and style. `.ci/fonts` builds the files."""
STYLES = (
    *("style.css", "front.css", "map.css", "claim.css"),
    *("mathematics.css", "proof.css", "pictures.css", "board.css"),
)
BOARD_SCRIPTS = ("heaps.js", "board.js")
SCRIPTS = ("unpack.js", "search.js", "page.js", "map.js", "proof.js", *BOARD_SCRIPTS)
ALONE_STYLES = tuple(sheet for sheet in STYLES if sheet not in ("front.css", "map.css"))
ALONE_SCRIPTS = ("unpack.js", "proof.js", *BOARD_SCRIPTS)  # of the page of one claim
INDEX, PLAIN, CLAIMS = "index.html", "plain.html", "claims"

SHORT = 16  # lines; an explanation of a counterexample of at most this length is open at first

_PLAIN_NAME = re.compile(r"[A-Za-z0-9](?:[\w+@.-]{0,78}[\w+-])?", re.ASCII)


Remember = Callable[[RunResult, Callable[[], str]], str]
"""A function (run, make): it returns a text that it stored for an equal run, or the text that `make()` returns."""


def make_anew(run: RunResult, make: Callable[[], str]) -> str:
    """Return `make()`, that is, make the text now and store nothing. This is the default for `remember`."""
    return make()


def to_html(run: RunResult, remember: Remember = make_anew) -> str:
    """Return index.html of a run.

    `remember`: a function that may return a stored text for the list of all results, which takes longest to make.
    """
    return _render_index(run, _make_works(run, remember))


def to_plain(run: RunResult, remember: Remember = make_anew) -> str:
    """Return plain.html of a run. It contains everything of index.html uncompressed, for readers without scripts."""
    return _render_page(run, _make_works(run, remember).plain, "")


def make_pages(run: RunResult, remember: Remember = make_anew) -> Iterator[tuple[str, str]]:
    """Yield all pages of a run as (name, text).

    These are index.html, plain.html, and a page for each claim. `locate_page` gives the name of the page of a claim.
    """
    works = _make_works(run, remember)
    yield INDEX, _render_index(run, works)
    yield PLAIN, _render_page(run, works.plain, "")
    yield from _render_claims(run, works)


def locate_page(id: str) -> str:
    """Return the path of a claim's page, relative to the folder of the reports. Different ids have different paths.

    >>> locate_page("kl-nim/lemma-11"), locate_page("../x")[:16]
    ('claims/kl-nim/lemma-11.html', 'claims/_outside/')
    """
    if all(_PLAIN_NAME.fullmatch(part) for part in id.split("/")):
        return f"{CLAIMS}/{id}.html"
    return f"{CLAIMS}/_outside/{hashlib.sha256(id.encode('utf-8', 'backslashreplace')).hexdigest()[:32]}.html"


def _make_works(run: RunResult, remember: Remember) -> PackedWorks:
    from reports.page.front import FEW
    from reports.page.packing import pack_works, read_works

    apart = replace(run, title="", started="", seconds=0.0, command="")  # the front states these facts of the run
    places = {wording.anchor(claim.id): locate_page(claim.id) for claim in run.claims}
    up = {place: _lead_up(path) for place, path in places.items()}
    fold = len(run.claims) > FEW  # few claims are open at first
    return read_works(remember(apart, lambda: pack_works(render_works(apart), up, fold)))


def _lead_up(path: str) -> str:
    """Return the relative path that leads from a page back to the folder of the reports, such as "../../".

    `path`: the path of the page in this folder.
    """
    return "../" * path.count("/")


def _render_index(run: RunResult, works: PackedWorks) -> str:
    return _render_page(run, works.works, works.block)


def _render_page(run: RunResult, works: str, block: str) -> str:
    from markupsafe import Markup

    from reports.page.front import make_front, weigh_role

    view = make_view(run)
    roles = sorted(
        {c.statement.role for c in run.claims if c.statement.role}, key=lambda role: (weigh_role(role), role)
    )
    page = environment().get_template("page.html")
    given = {"works": Markup(works), "block": block}  # noqa: S704 - of our templates, which escape
    return page.render(view=view, run=run, found=make_front(view), roles=roles, **given) + "\n"


def _render_claims(run: RunResult, works: PackedWorks) -> Iterator[tuple[str, str]]:
    view, page = make_view(run), environment().get_template("alone.html")
    for claim in view.claims.values():
        place, path = wording.anchor(claim.id), locate_page(claim.id)
        if place in works.alone:
            found = page.render(view=view, run=run, claim=claim, alone=works.alone[place], up=_lead_up(path))
            yield path, found + "\n"


def render_works(run: RunResult) -> str:
    """Return the HTML with all results of a run. They are grouped by work: the paper or other source of the claims."""
    from reports.page.proof import pack

    return (
        environment_of_works().get_template("works.html").render(view=make_view(run), run=run, packed=pack(run.claims))
    )


@cache
def environment() -> Environment:
    """Return the Jinja environment of the templates, with the functions that they use.

    All values are escaped, and undefined names are errors. Each process makes the environment once. Compiled templates
    are stored on disk, because compiling takes ten times as long as rendering a short page.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from reports.page import front, pictures, proof, typography
    from reports.page.packing import CompiledTemplates

    def spell_out(value: object) -> object:
        return escape_invisible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=spell_out,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=CompiledTemplates(TEMPLATES, Path(__file__).parent),
    )
    env.globals |= {"Verdict": Verdict, "words": wording, "is_green": is_green}
    env.globals |= {
        "scope_phrase": scope_phrase,
        "rechecked_phrase": rechecked_phrase,
        "mutants_phrase": mutants_phrase,
        "survivors": survivors,
        "standing": describe_survival,
        "conclusions": EXIT_CODES,
        "quantifiers": wording.QUANTIFIERS,
        "script": read_script(SCRIPTS),
        "script_hash": hash_script(read_script(SCRIPTS)),
        "alone_script": read_script(ALONE_SCRIPTS),
        "alone_hash": hash_script(read_script(ALONE_SCRIPTS)),
        "ALONE_STYLES": ALONE_STYLES,
        "locate_page": locate_page,
        "describe_run": front.describe_run,
        "cite_claim": front.cite_claim,
        "STYLES": STYLES,
        "font_faces": write_font_faces(),
        "arranged": arrange,
        "contents": list_contents,
        "mapped": list_mapped,
        "FEW": front.FEW,
        "RESULTS": RESULTS,
        "cite": front.cite,
        "list_checks": front.list_checks,
        "count_statements": front.count_statements,
        "first_sentence": pictures.first_sentence,
        "definitions_of": front.definitions_of,
        "draw_stacks": front.draw_stacks,
        "list_grounds": front.list_grounds,
        "list_changes": meaning.list_changes,
        "means_of_proof": meaning.means_of_proof,
        "refuted_below": front.find_refuted_below,
        "stands": lambda position: tuple((heap, 0) for heap in position),
        "headline": front.headline,
        "page_title": front.page_title,
        "explain_game": front.explain_game,
        "identity": front.identity,
        "meaning": meaning.describe_result,
        "names_of": typography.names_of,
        "find_ground": find_ground,
        "find_marks": find_marks,
        "find_open": find_open,
        "find_support": find_support,
        "is_theorem": is_theorem,
        "say_proved": describe_proved,
        "say_method": evidence.say_method,
        "say_detail": evidence.say_detail,
        "say_assumed": evidence.say_assumed,
        "split_explanation": evidence.split_explanation,
        "SHORT": SHORT,
        "proof_names": proof.proof_names,
        "proof_seconds": proof.proof_seconds,
        "shared_values": proof.shared_values,
        "sort_ground": proof.sort_ground,
        "draw_tokens": proof.draw_tokens,
        "show_command": proof.show_command,
    }
    env.filters |= {
        "anchor": wording.anchor,
        "capitalise": wording.capitalise,
        "paragraphs": typography.paragraphs,
        "position": proof.position,
        "is_worded": proof.is_worded,
        "set_cell": proof.set_cell,
        "set_name": proof.set_name,
        "set_text": typography.set_text,
        "set_rules": typography.set_rules,
        "set_source": typography.set_source,
        "set_sum": typography.set_sum,
        "held": typography.hold,
        "plain": lambda formula: write_plain(formula.markup),
        "thin": typography.thin,
    }
    return env


@cache
def environment_of_works() -> Environment:
    """Add the functions for maps, pictures and boards to `environment()`, and return it."""
    from reports.page.map_drawing import make_map
    from reports.page.pictures import VOCABULARY

    env = environment()
    env.globals |= {"argument_of": make_map, **VOCABULARY}
    return env


Turn = tuple[str, Sequence[tuple[str, str]]]
"""(A heading that states the outcome if a certain player moves first, [(a move, its result), ...])."""


def to_position_page(
    title: str,
    found: Sequence[str],
    turns: Sequence[Turn],
    end: Sequence[str],
    plays: Sequence[tuple[str, PlayableClaim]],
    walls: tuple[Wall, Wall] | None = None,
) -> str:
    """Return the page of one position.

    `title`: the heading of the page.
    `found`: sentences that state the outcome and the values of the position.
    `turns`: one item for each player who may move first: (heading, [(move, its result), ...]).
    `end`: sentences that state how the position was solved.
    `plays`: pairs (heading, board on which the reader can play).
    `walls`: the left and the right wall of the thermograph of the position; None if the page shows no thermograph.
    """
    page = environment_of_works().get_template("position.html")
    script = read_script(BOARD_SCRIPTS)
    names = frozenset(re.findall(r"\b([a-z]) = ", title))
    given = {"title": title, "names": names, "found": found, "turns": turns, "end": end, "plays": plays}
    picture = draw_thermograph(*walls) if walls else ""
    return page.render(**given, picture=picture, script=script, script_hash=hash_script(script)) + "\n"


def arrange(group: Group, view: ReportView) -> Iterator[tuple[ClaimResult, list[ClaimResult]]]:
    """Yield the pairs (claim, its corrections) of a work, in the order of the work.

    A claim that corrects or varies another claim of the run has no pair of its own.
    """
    for claim in group.claims:
        if is_alone(claim, view):
            yield claim, [view.claims[id] for id in view.repaired_by[claim.id]]


@dataclass(frozen=True)
class ContentsEntry:
    """An entry of the table of contents.

    `label`: the text of the entry. `target`: the id of the HTML element to which it leads.
    `title`: for a claim, its title, unless `label` already contains it; otherwise "".
    """

    label: str
    target: str
    title: str = ""


def list_contents(group: Group, view: ReportView) -> Iterator[ContentsEntry]:
    """Yield the entries for one work in the table of contents.

    These are the map of its argument, the list of its statements, and each theorem, lemma and corollary. A refuted one
    is followed by the board on which the reader can play its counterexample.
    """
    from reports.page.map_graph import make_graph

    key = wording.anchor(group.work.key)
    if make_graph(group, view).edges:
        yield ContentsEntry("The argument", f"argument:{key}")
    yield ContentsEntry("Statements", f"list:{key}")
    for claim, _ in arrange(group, view):
        if claim.statement.role not in RESULTS:
            continue
        name, title = wording.short_name(claim), wording.title_beside_name(claim)
        yield ContentsEntry(name, wording.anchor(claim.id), "" if title == name else title)
        if claim.presentation.board is not None and claim.verdict is Verdict.REFUTED:
            yield ContentsEntry(f"Play {name}", f"{wording.anchor(claim.id)}:play")


def list_mapped(group: Group, view: ReportView) -> frozenset[str]:
    """Return the ids of the claims on the map of a work's argument.

    These are the claims with an edge, and the claims that are drawn together with them, such as their corrections.
    """
    from reports.page.map_graph import make_graph

    return frozenset(id for stack in make_graph(group, view).stacks for id in stack)


def hash_script(script: str) -> str:
    """Return the hash by which the content security policy of a page allows this script and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@cache
def write_font_faces() -> str:
    """Return the style rules that embed the fonts, as data URLs."""
    rule = "@font-face {{ font-family: {}; font-weight: {}; font-style: {}; src: url(data:font/woff2;base64,{}); }}"
    return "\n".join(
        rule.format(family, weight, style, base64.b64encode((FONTS / name).read_bytes()).decode())
        for name, family, weight, style in FACES
    )


@cache
def read_script(names: tuple[str, ...] = SCRIPTS) -> str:
    """Return the JavaScript files with these names, joined to one text."""
    return "\n".join((TEMPLATES / name).read_text("utf-8").rstrip("\n") for name in names)
