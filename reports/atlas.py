"""An atlas: the results for all games of a family, as JSON and as a page with search and filters.

The entries of a family of rulesets state who wins. The entries of a family of games state how the values repeat.
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
    """A filter for the entries of an atlas.

    `key`: the key of the filter in the `facets` of an entry.
    `legend`: the heading.
    `choices`: the values, each with a label.
    """

    key: str
    legend: str
    choices: Choices


@dataclass(frozen=True)
class WinsEntry:
    """A ruleset with the result on who wins.

    `restrictions`: the restriction on the moves of each player; the second is "" if both players have the same
    restriction with the same number.
    `play`: normal or misère play, in words.
    `mirror`: the id of the ruleset with the players exchanged, if the result is stored there; otherwise "".
    `like`: the id of the first ruleset with equal outcomes in a small box, or "".
    `statement`: the result in words. `rule`, `obligations`: the rule of the proof, and the number of obligations.
    `obstacle`: the reason why there is no theorem.
    `nearest`: the best formula for an open ruleset, with the first position at which it is wrong.
    `rules`, `claim`: the texts of the ruleset file and of the claim file. `claim` is "" if the ruleset is open or its
    result is stored under another id.
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
        Facet("once", "Duplicates", (("yes", "each pair of players once"),)),
    )
    ORDERS: ClassVar[Choices] = ()

    @property
    def facets(self) -> dict[str, str]:
        """The values for the filters and the maps."""
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
        """The result, as the list shows it."""
        return self.NAMES[self.verdict]

    @property
    def line(self) -> str:
        """The text of the entry in the list."""
        return f"{self.title} ({self.where})" if self.where else self.title


_OCTAL = re.compile(r"octal\(code = \[([0-7](?:, [0-7])*)\]\)")


@dataclass(frozen=True)
class ValuesEntry:
    """A game with the result on its Grundy values, or on who wins from single heaps.

    `words`: the check that was made, or the reason why there is no table.
    `preperiod`, `period`, `saltus`, `largest`: the data of the table of values, and its largest value; 0 without a
    table.
    `values`: the first values of the game.
    `heaps`: the number of heaps among which no period was found; 0 if a period was found.
    `proof`: the id of a claim of the library that proves a later period, or "". `file`: the path of this claim from the
    page.
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
            return "not checked"
        further = ", proved further on" if self.proof else ""
        return f"{self.NAMES[self.verdict]} up to {self.heaps}{further}"

    @property
    def facets(self) -> dict[str, str]:
        """The values for the filters and the order; {} for a game without a period."""
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
        """The text of the entry in the list. An octal game is named by its code.

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
    """A nonempty list of entries of one kind.

    `players`, `restrictions`: for rulesets, the names of the players and of the restrictions in the family.
    """

    title: str
    entries: tuple[AtlasEntry, ...]
    players: tuple[str, ...] = ()
    restrictions: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of the entries, a key of KINDS."""
        return next(name for name, entry in KINDS.items() if isinstance(self.entries[0], entry))

    def count(self, verdict: Verdict) -> int:
        """Count the games with this verdict, including games whose result is stored under another id."""
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
        """Return the atlas as JSON."""
        data = {"format": FORMAT, "kind": self.kind, **asdict(self)}
        return (
            escape_invisible(json.dumps(data, ensure_ascii=False, indent=1, default=lambda verdict: verdict.value))
            + "\n"
        )


def write_page(atlas: Atlas, out: Path) -> str:
    """Write index.html and atlas.json, and return the counts in words. Raises OSError."""
    write_file(out / "atlas.json", atlas.to_json())
    write_file(out / "index.html", to_atlas_page(atlas))
    return atlas.summary


def to_atlas_page(atlas: Atlas) -> str:
    """Return index.html of an atlas.

    The details of the games are in a compressed block. The list works without scripts.
    """
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
