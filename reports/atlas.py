"""An atlas: what is known of all rulesets of a family, as JSON and as a page, to be searched and filtered."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields

from markupsafe import Markup

from checks.results.verdicts import Verdict
from reports.html import environment, hash_script, read_script
from reports.page.packing import write_block

SCRIPTS = ("unpack.js", "atlas.js")
NAMES = {
    Verdict.PROVED: "theorem, any number of heaps",
    Verdict.VERIFIED: "formula, right in the box that was looked at",
    Verdict.INCONCLUSIVE: "open",
}
FORMAT = 1


@dataclass(frozen=True)
class AtlasEntry:
    """A ruleset with what is known of it.

    `restrictions`: of either player, the second "" where both have the first, with one number.  `play`: normal or
    misère, in words.  `mirror`: the id of the ruleset that it is with the players exchanged, where all is told, or "".
    `like`: of the first with equal outcomes in a small box, or "".  `statement`: in words, with `rule` and
    `obligations` of its proof.  `obstacle`: why it is no theorem; `nearest`: the best formula of an open one, with its
    smallest miss.  `rules`, `claim`: the files, the latter "" of an open one, and of one that is told elsewhere.
    """

    id: str
    title: str
    restrictions: tuple[str, str]
    play: str
    choose: str
    where: str
    mirror: str
    like: str
    verdict: Verdict
    statement: str
    rule: str
    obligations: int
    obstacle: str
    nearest: str
    rules: str
    claim: str


@dataclass(frozen=True)
class Atlas:
    """`restrictions`: in the words of the family, in its order."""

    title: str
    players: tuple[str, str]
    restrictions: tuple[str, ...]
    entries: tuple[AtlasEntry, ...]

    def count(self, verdict: Verdict) -> int:
        """How many of the rulesets have this verdict, those that are told elsewhere among them."""
        return sum(entry.verdict is verdict for entry in self.entries)

    @property
    def summary(self) -> str:
        """The counts in words."""
        parts = [f"{self.count(Verdict.PROVED)} theorems", f"{self.count(Verdict.VERIFIED)} formulas right in a box"]
        return f"{len(self.entries)} rulesets: {', '.join(parts)}, {self.count(Verdict.INCONCLUSIVE)} open"

    def to_json(self) -> str:
        """All of it."""
        data = {"format": FORMAT, **asdict(self)}
        return json.dumps(data, ensure_ascii=False, indent=1, default=lambda verdict: verdict.value) + "\n"


def read_atlas(text: str) -> Atlas:
    """What `to_json` wrote. Raises ValueError, KeyError or TypeError for what is none."""
    data = json.loads(text)
    if data["format"] != FORMAT:
        raise ValueError(f"format {data['format']} is not known")
    names = [f.name for f in fields(AtlasEntry)]
    rows = [{name: row[name] for name in names} for row in data["entries"]]
    entries = [
        AtlasEntry(**row | {"restrictions": tuple(row["restrictions"]), "verdict": Verdict(row["verdict"])})
        for row in rows
    ]
    return Atlas(data["title"], tuple(data["players"]), tuple(data["restrictions"]), tuple(entries))


def to_atlas_page(atlas: Atlas) -> str:
    """index.html of an atlas. What a ruleset unfolds to is packed; the list itself is there without scripts."""
    env = environment()
    body = env.get_template("atlas-entry.html")
    told = {entry.id: entry for entry in atlas.entries}
    bodies = [body.render(entry=entry, source=told.get(entry.mirror, entry)) for entry in atlas.entries]
    script = read_script(SCRIPTS)
    return (
        env.get_template("atlas.html").render(
            atlas=atlas,
            names=NAMES,
            told=told,
            block=write_block(bodies, ()),
            script=Markup(script),  # noqa: S704 - of our templates
            script_hash=hash_script(script),
            has_number=has_number,
        )
        + "\n"
    )


def has_number(entry: AtlasEntry) -> bool:
    """Whether the rules have a number that may be any."""
    return "\nparameters = " in entry.rules
