"""An atlas: what is known of all games of a family, as JSON and as a page, to be searched and filtered.

A family is of rulesets, where each entry tells who wins, or of games, where each tells how the values repeat.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

from markupsafe import Markup

from checks.results.verdicts import Verdict
from claims.language.errors import escape_invisible
from claims.language.file_writing import write_file
from reports.html import environment, hash_script, read_script
from reports.page.packing import write_block

SCRIPTS = ("unpack.js", "atlas.js")
FORMAT = 1
Choices = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Facet:
    """What a list is filtered by: the key of `facets` of an entry, and the values that it has, with words for each."""

    key: str
    legend: str
    choices: Choices


@dataclass(frozen=True)
class WinsEntry:
    """A ruleset with what is known of who wins.

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

    NAMES: ClassVar[dict[Verdict, str]] = {
        Verdict.PROVED: "theorem",
        Verdict.VERIFIED: "formula",
        Verdict.INCONCLUSIVE: "open",
    }
    FACETS: ClassVar[tuple[Facet, ...]] = (
        Facet("play", "Play", (("normal play", "normal play"), ("misère play", "misère play"))),
        Facet("number", "Numbers", (("any", "for every number k"), ("none", "without"))),
        Facet("alike", "Players", (("yes", "both have the same rules"), ("no", "different rules"))),
        Facet("once", "Told once", (("yes", "each pair of players once"),)),
    )
    ORDERS: ClassVar[Choices] = ()

    @property
    def facets(self) -> dict[str, str]:
        """By what the list is filtered and its maps are made."""
        first, second = self.restrictions
        return {
            "play": self.play,
            "number": "any" if "\nparameters = " in self.rules else "none",
            "alike": "yes" if second in ("", first) else "no",
            "once": "no" if self.mirror else "yes",
            "choose": self.choose,
            "a": first,
            "b": second,
        }

    @property
    def status(self) -> str:
        """The result in the list."""
        return self.NAMES[self.verdict]

    @property
    def line(self) -> str:
        """It in a line of the list."""
        return f"{self.title} ({self.where})" if self.where else self.title


_OCTAL = re.compile(r"octal\(code = \[([0-7](?:, [0-7])*)\]\)")


@dataclass(frozen=True)
class ValuesEntry:
    """A game with what is known of its Grundy values, or of who wins from single heaps.

    `words`: what was checked, or why there is no table.  The numbers are those of its table, 0 where there is none;
    `values`: the first of the table.  `heaps`: among so many no period was found, 0 where one was.  `proof`: the id of
    a claim of the library that proves how the values repeat further on, or ""; `file`: where that lies, from the page.
    """

    id: str
    title: str
    verdict: Verdict
    words: str
    preperiod: int = 0
    period: int = 0
    saltus: int = 0
    largest: int = 0
    values: tuple[int, ...] = ()
    heaps: int = 0
    proof: str = ""
    file: str = ""

    NAMES: ClassVar[dict[Verdict, str]] = {Verdict.PROVED: "theorem", Verdict.INCONCLUSIVE: "no period found"}
    FACETS: ClassVar[tuple[Facet, ...]] = (
        Facet("begins", "Values repeat", (("0", "from the first heap on"), ("later", "after a preperiod"))),
        Facet("grows", "Values", (("no", "bounded"), ("yes", "with a saltus"))),
    )
    ORDERS: ClassVar[Choices] = (("preperiod", "longest preperiod first"), ("period", "longest period first"))

    @property
    def status(self) -> str:
        """The result in the list."""
        if self.verdict is Verdict.PROVED:
            return self.NAMES[self.verdict]
        if not self.heaps:
            return "not looked at"
        further = ", proved further on" if self.proof else ""
        return f"{self.NAMES[self.verdict]} up to {self.heaps}{further}"

    @property
    def facets(self) -> dict[str, str]:
        """By what the list is filtered and put in order; one without a period has nothing of it."""
        if self.verdict is not Verdict.PROVED:
            return {}
        return {
            "begins": "later" if self.preperiod else "0",
            "grows": "yes" if self.saltus else "no",
            "preperiod": str(self.preperiod),
            "period": str(self.period),
        }

    @property
    def line(self) -> str:
        """It in a line of the list, an octal game by its code.

        >>> ValuesEntry("a1", "octal(code = [0, 7, 7])", Verdict.PROVED, "", 71, 12).line
        '0.077: preperiod 71, period 12'
        """
        title = _OCTAL.sub(lambda code: "0." + code[1].replace(", ", ""), self.title)
        if self.verdict is not Verdict.PROVED:
            return title
        saltus = f", saltus {self.saltus}" if self.saltus else ""
        return f"{title}: preperiod {self.preperiod}, period {self.period}{saltus}"


AtlasEntry = WinsEntry | ValuesEntry
KINDS: dict[str, type[AtlasEntry]] = {"who wins": WinsEntry, "values": ValuesEntry}


@dataclass(frozen=True)
class Atlas:
    """`entries`: all of one kind, at least one. `players`, `restrictions`: of rulesets, in the words of the family."""

    title: str
    entries: tuple[AtlasEntry, ...]
    players: tuple[str, ...] = ()
    restrictions: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """A key of KINDS."""
        return next(name for name, entry in KINDS.items() if isinstance(self.entries[0], entry))

    def count(self, verdict: Verdict) -> int:
        """How many of the games have this verdict, those that are told elsewhere among them."""
        return sum(entry.verdict is verdict for entry in self.entries)

    @property
    def summary(self) -> str:
        """The counts in words."""
        proved, open_ = self.count(Verdict.PROVED), self.count(Verdict.INCONCLUSIVE)
        if self.kind == "values":
            heaps = max((x.heaps for x in self.entries if isinstance(x, ValuesEntry)), default=0)
            rest = f", {open_} without a period up to {heaps} heaps" if open_ else ""
            return f"{len(self.entries)} games: {proved} proved{rest}"
        formulas = f"{self.count(Verdict.VERIFIED)} formulas right in a box"
        return f"{len(self.entries)} rulesets: {proved} theorems, {formulas}, {open_} open"

    def to_json(self) -> str:
        """All of it."""
        data = {"format": FORMAT, "kind": self.kind, **asdict(self)}
        return (
            escape_invisible(json.dumps(data, ensure_ascii=False, indent=1, default=lambda verdict: verdict.value))
            + "\n"
        )


def write_page(atlas: Atlas, out: Path) -> str:
    """Write index.html and atlas.json; the counts, in words. Raises OSError."""
    write_file(out / "atlas.json", atlas.to_json())
    write_file(out / "index.html", to_atlas_page(atlas))
    return atlas.summary


def to_atlas_page(atlas: Atlas) -> str:
    """index.html of an atlas. What a game unfolds to is packed; the list itself is there without scripts."""
    env = environment()
    body = env.get_template("atlas-entry.html")
    told = {entry.id: entry for entry in atlas.entries}
    bodies = [body.render(entry=entry, source=told.get(getattr(entry, "mirror", ""), entry)) for entry in atlas.entries]
    script = read_script(SCRIPTS)
    template = env.get_template("atlas.html")
    packed = write_block(bodies, ())
    made = Markup(script)  # noqa: S704 - of our templates
    kind = KINDS[atlas.kind]
    return template.render(atlas=atlas, kind=kind, block=packed, script=made, script_hash=hash_script(script)) + "\n"
