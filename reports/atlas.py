"""An atlas: the results for all games of a family, as JSON and as a page with search and filters.

There are two kinds. If the family consists of rulesets, each entry states who wins. If it consists of the games of one
claim about periods, each entry states the period of the values of single heaps.
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
    """A filter that the page of an atlas offers: a heading and checkboxes.

    `key`: the name of the filter. The dictionary `facets` of an entry maps this name to the value of the entry.
    `legend`: the heading of the filter.
    `choices`: pairs (value, label), one for each checkbox.
    """

    key: str
    legend: str
    choices: Choices


@dataclass(frozen=True)
class WinsEntry:
    """One ruleset of a family, and the result on who wins in it.

    `restrictions`: the restriction on the moves of each player; the second is "" if both players have the same
    restriction with the same number.
    `play`: "normal play" or "misère play". `choose`: which heap a move may choose, as in the ruleset.
    `where`: the condition on the parameters under which the result holds, or "".
    `mirror`: the id of another entry, if that entry contains the result because its ruleset is this one with the
    players exchanged; otherwise "".
    `like`: the id of the first ruleset with the same outcomes in the small box that was compared, or "".
    `statement`: the result in words. `rule`, `obligations`: the rule of the proof, and the number of obligations.
    `obstacle`: the reason why there is no theorem, or "".
    `nearest`: for a ruleset without a result, the best formula found and the first position at which it is wrong.
    `rules`, `claim`: the texts of the ruleset file and of the claim file. `claim` is "" if there is no result, or if
    the entry `mirror` contains it.
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
        """The value of this entry for each filter, and the coordinates "choose", "a" and "b" for the maps."""
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
        """The result in one word: "theorem", "formula" or "open"."""
        return self.NAMES[self.verdict]

    @property
    def line(self) -> str:
        """The text of the entry in the list: the title, followed by `where` in parentheses if it is not ""."""
        return f"{self.title} ({self.where})" if self.where else self.title


_OCTAL = re.compile(r"octal\(code = \[([0-7](?:, [0-7])*)\]\)")


@dataclass(frozen=True)
class ValuesEntry:
    """One game of a family, and the period of its values.

    The values are the Grundy values of single heaps, or the winners from single heaps.
    `words`: how the period was checked, or the reason why no period is known.
    `preperiod`, `period`, `saltus`: the period that is proved; all are 0 if none is proved.
    `largest`: the largest value in the table that proves the period; 0 if there is no table.
    `values`: the first values of the game.
    `heaps`: if no period was found, the number of heaps that were computed; otherwise 0.
    `proof`: the id of a claim that proves a period beyond the computed heaps, or "".
    `file`: the relative path from the page to the file of this claim, or "".
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
        """The result in a few words, such as "theorem" or "no period found up to 1000"."""
        if self.verdict is Verdict.PROVED:
            return self.NAMES[self.verdict]
        if not self.heaps:
            return "not checked"
        further = ", proved further on" if self.proof else ""
        return f"{self.NAMES[self.verdict]} up to {self.heaps}{further}"

    @property
    def facets(self) -> dict[str, str]:
        """The value of this entry for each filter and each sort order; {} if no period is proved."""
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
        """The text of the entry in the list: the name of the game, then its period if one is proved.

        The name of an octal game is its code.

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
    """The results for all games of a family. There is at least one entry, and all entries are of one class.

    `players`, `restrictions`: for rulesets, the names of the players, and the restrictions on moves from which the
    rulesets of the family are combined. () for games.
    """

    title: str
    entries: tuple[AtlasEntry, ...]
    players: tuple[str, ...] = ()
    restrictions: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of all entries: "who wins" or "values"."""
        return next(name for name, entry in KINDS.items() if isinstance(self.entries[0], entry))

    def count(self, verdict: Verdict) -> int:
        """Return the number of entries with this verdict. Each of two rulesets that mirror each other is counted."""
        return sum(entry.verdict is verdict for entry in self.entries)

    @property
    def summary(self) -> str:
        """The number of games and of each result, in words: `12 rulesets: 7 theorems, 2 formulas ..., 3 open`."""
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
    """Write index.html and atlas.json into the folder `out`, and return `atlas.summary`. Raises OSError."""
    write_file(out / "atlas.json", atlas.to_json())
    write_file(out / "index.html", to_atlas_page(atlas))
    return atlas.summary


def to_atlas_page(atlas: Atlas) -> str:
    """Return index.html of an atlas.

    The list is visible without scripts. The details of each game are compressed, and a script unpacks them.
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
