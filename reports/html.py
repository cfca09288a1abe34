"""index.html: one self-contained page of a run. It loads nothing, works without scripts, and every value is escaped.

What the page says is decided in digest, wording and page/; how it looks, in templates/.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from checks.results.marks import find_ground, find_marks, find_open, find_support, is_theorem, tally
from checks.results.model import ClaimResult, RunResult
from checks.results.phrases import mutants_phrase, period_phrase, scope_phrase, survivors
from checks.results.verdicts import EXIT_CODES, Verdict
from reports.ground import wording
from reports.ground import wording as legend
from reports.ground.digest import RESULTS, Digest, Group, digest, is_alone, is_green, outline, standing

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
STYLES = (
    *("style.css", "front.css", "map.css", "claim.css"),
    *("mathematics.css", "proof.css", "pictures.css", "board.css"),
)
SCRIPTS = ("search.js", "page.js", "map.js", "proof.js", "board.js")

CONCLUSIONS = EXIT_CODES | {0: "every claim holds as far as its verdict says, or came out as its file expects"}
QUANTIFIERS = {"forall": "for all", "exists": "there exist"}


Remember = Callable[[RunResult, Callable[[], str]], str]
"""What is made of a run and of nothing else: made now, or taken over from when it was made before."""


def make_anew(run: RunResult, make: Callable[[], str]) -> str:
    """Remembers nothing."""
    return make()


def to_html(run: RunResult, remember: Remember = make_anew) -> str:
    """index.html of a run: the whole page, in one file. `remember`: for what it says of the works."""
    from markupsafe import Markup

    from reports.page.front import make_front, weigh_role

    view = digest(run)
    roles = sorted(
        {c.statement.role for c in run.claims if c.statement.role}, key=lambda role: (weigh_role(role), role)
    )
    apart = replace(run, started="", seconds=0.0, command="")  # of this run alone: the front says them
    works = Markup(remember(apart, lambda: render_works(apart)))  # noqa: S704 - of our templates, which escape
    page = environment().get_template("page.html")
    return page.render(view=view, run=run, found=make_front(view), roles=roles, works=works) + "\n"


def render_works(run: RunResult) -> str:
    """The part of the page that says, work by work, what was found of each statement."""
    from reports.page.proof import pack

    return environment_of_works().get_template("works.html").render(view=digest(run), run=run, packed=pack(run.claims))


@cache
def environment() -> Environment:
    """The templates with the words of the reports; escaping is on for everything, undefined names are errors.

    Made once in a process, of templates compiled once on a machine: that takes ten times as long as a short page does.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from reports.page import front, meaning, story, typography
    from reports.page import proof as proving
    from reports.page.compiled import CompiledTemplates
    from reports.page.pictures import play

    def spell_out(value: object) -> object:
        return wording.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=spell_out,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=CompiledTemplates(TEMPLATES, Path(__file__).parent),
    )
    env.globals |= {"Verdict": Verdict, "words": wording, "legend": legend, "outline": outline, "is_green": is_green}
    env.globals |= {
        "scope_phrase": scope_phrase,
        "mutants_phrase": mutants_phrase,
        "survivors": survivors,
        "standing": standing,
        "period_phrase": period_phrase,
        "conclusions": CONCLUSIONS,
        "quantifiers": QUANTIFIERS,
        "script": read_script(),
        "script_hash": script_hash(),
        "STYLES": STYLES,
        "arranged": arrange,
        "contents": list_contents,
        "FEW": story.FEW,
        "RESULTS": RESULTS,
        "cite": story.cite,
        "count_statements": front.count_statements,
        "first_sentence": play.first_sentence,
        "draw_stacks": story.draw_stacks,
        "list_grounds": story.list_grounds,
        "means_of_proof": meaning.means_of_proof,
        "refuted_below": story.find_refuted_below,
        "stands": lambda position: tuple((heap, 0) for heap in position),
        "headline": front.headline,
        "identity": front.identity,
        "meaning": meaning.meaning,
        "names_of": typography.names_of,
        "find_ground": find_ground,
        "find_marks": find_marks,
        "find_open": find_open,
        "find_support": find_support,
        "is_theorem": is_theorem,
        "tally": tally,
        "proof_names": proving.proof_names,
        "proof_seconds": proving.proof_seconds,
        "shared_values": proving.shared_values,
        "draw_tokens": proving.draw_tokens,
        "show_command": proving.show_command,
    }
    env.filters |= {
        "anchor": wording.anchor,
        "capitalise": wording.capitalise,
        "paragraphs": typography.paragraphs,
        "position": proving.position,
        "is_worded": proving.is_worded,
        "set_cell": proving.set_cell,
        "set_text": typography.set_text,
        "thin": typography.thin,
    }
    return env


@cache
def environment_of_works() -> Environment:
    """The same, which from then on knows the words of maps, pictures and boards as well."""
    from reports.argument.maps import make_map
    from reports.page.pictures.vocabulary import VOCABULARY

    env = environment()
    env.globals |= {"argument_of": make_map, **VOCABULARY}
    return env


def arrange(group: Group, view: Digest) -> Iterator[tuple[ClaimResult, list[ClaimResult]]]:
    """The statements of a work, each with those in its place; one whose statement is not in the run stands alone."""
    for claim in group.claims:
        if is_alone(claim, view):
            yield claim, [view.claims[id] for id in view.repaired_by[claim.id]]


def list_contents(group: Group, view: Digest) -> Iterator[tuple[str, str]]:
    """The list of contents of a work: (label, target)."""
    from reports.argument.graph import make_graph

    if make_graph(group, view).edges:
        yield "The argument", f"argument:{wording.anchor(group.work.key)}"
    yield "Statements", f"list:{wording.anchor(group.work.key)}"
    for claim, _ in arrange(group, view):
        if claim.statement.role not in RESULTS:
            continue
        name = claim.statement.short or wording.name(claim)
        yield name, wording.anchor(claim.id)
        if claim.presentation.board is not None and claim.verdict is Verdict.REFUTED:
            yield f"Play {name}", f"{wording.anchor(claim.id)}:play"


def script_hash() -> str:
    """What the page's content security policy allows: the one script of ours, by its hash, and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(read_script().encode()).digest()).decode()


@cache
def read_script() -> str:
    """All scripts of the page, as one."""
    return "\n".join((TEMPLATES / name).read_text("utf-8").rstrip("\n") for name in SCRIPTS)
