"""Families of rulesets: list the members, search each game, and settle its claim."""

from __future__ import annotations

import gc
import hashlib
import json
import re
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Protocol

from checks.cache.certificates import CertificateSources
from checks.execution.execute import execute
from checks.execution.limits import Lost, Unfit
from checks.execution.processes import WAIT, open_pool
from checks.execution.settle import settle_claim, settle_entry_safely
from checks.judgement.routes import choose_prover
from checks.judgement.scopes import Options, scope_for
from checks.results.model import ClaimResult
from checks.results.shown import Json
from checks.results.verdicts import Verdict
from checks.results.wording import verdict_phrase
from claims.language.errors import NimChecksError
from claims.language.file_writing import refuse_link, write_file
from claims.language.files.claim import Claim
from claims.language.files.library import Entry, add_lemmas
from claims.language.files.rulesets import Ruleset, load_ruleset
from claims.language.files.toml import TomlTable, format_value, parse, read
from claims.language.interrupts import Interrupted, Phase, entering_phase
from encoders.compute.arrays.limits import BadRuleset, Deadline
from encoders.compute.exhaustive import decide_by_search as exhaustive
from encoders.periods.tables import to_json
from encoders.proving.reading import load_claim, load_with_proof
from encoders.refusals import Unsupported
from encoders.rules.periodic.family import Member as FamilyMember
from encoders.rules.periodic.family import settle_member
from encoders.search.find import SearchProgress, SearchStage, open_workspace
from encoders.search.pairs import find_winners
from encoders.search.question import SearchProblem, ask
from encoders.search.tables import SMALL, OutcomeTable
from encoders.search.writing import quote

# == grammar ==========================================================================================================
# Families of rulesets: a file that says which restrictions players may have, and all rulesets that it comes to.
#
# Each player has a restriction, which is a condition on the moves of the rules.  K in it is a number of the game, a
# number for each player whose restriction has one; where both have the same, there is a ruleset with one number, too.
KEYS = ("format", "title", "players", "stuck", "choose", "pick", "become", "numbers", "where", "restrictions")
FORMAT = 1
MOST = 20_000  # rulesets of a family
_NUMBER = re.compile(r"\bK\b")
PLAYS = {"loses": "normal play", "wins": "misère play"}


@dataclass(frozen=True)
class Restriction:
    """What a player may do, in words, and as a condition on a move, "" for none."""

    words: str
    condition: str

    @property
    def has_number(self) -> bool:
        return bool(_NUMBER.search(self.condition))

    def rename_number(self, name: str) -> Restriction:
        """The same about a number that is called so."""
        return Restriction(_NUMBER.sub(name, self.words), _NUMBER.sub(name, self.condition))


@dataclass(frozen=True)
class Member:
    """A ruleset of a family. `id`: what its files are called; `title`, `text`: of the ruleset.

    `restrictions`: of either player, in the words of the family, the second "" where both have the first with one
    number; `where`: the region of the numbers; `mirror`: the id of the ruleset that is the same with the players
    exchanged, "" where it comes later or there is none.
    """

    id: str
    title: str
    restrictions: tuple[str, str]
    stuck: str
    choose: str
    numbers: tuple[str, ...]
    where: str
    text: str
    mirror: str


@dataclass(frozen=True)
class Grammar:
    """The family of a file. `title`: in words; `members`: its rulesets, each named by its place."""

    title: str
    players: tuple[str, str]
    restrictions: tuple[Restriction, ...]
    members: tuple[Member, ...]
    text: str


def load_grammar(path: Path) -> Grammar:
    """Read a family. Raises ClaimError, with the place, for what it cannot say.

    Whether the conditions are conditions on a move, each ruleset is asked as it is read.
    """
    source = read(path)
    top = TomlTable(source, (), source.data)
    top.reject_unknown_keys(*KEYS)
    top.format(FORMAT)
    players, numbers = top.texts("players"), top.texts("numbers")
    for key, found in (("players", players), ("numbers", numbers)):
        if len(set(found)) != 2:
            raise top.fault(key, f"{key!r} has {len(found)} names", "two names that differ")
    plays = top.texts("stuck")
    for i, word in enumerate(plays):
        if word not in PLAYS:
            raise source.fault(("stuck", i), f"{word!r} is no way to play", '"loses" or "wins"')
    restrictions = []
    for words, condition in top.optional_table("restrictions").items():
        if not isinstance(condition, str):
            keys = ("restrictions", words)
            raise source.fault(
                keys, f"{words!r} is {format_value(condition)}", "a condition on a move as text, or an empty text"
            )
        restrictions.append(Restriction(words, condition.strip()))
    if not restrictions:
        raise top.fault(
            "restrictions", "there is no restriction", '[restrictions] with lines such as "odd" = "m % 2 == 1"'
        )
    count = len(plays) * len(top.texts("choose")) * len(restrictions) ** 2
    if count > MOST:
        raise top.fault("restrictions", f"the family has more than {MOST} rulesets", "fewer restrictions")
    members = tuple(_list_members(top, tuple(restrictions)))
    return Grammar(top.text("title"), (players[0], players[1]), tuple(restrictions), members, source.text)


@dataclass(frozen=True)
class _Pair:
    """The restrictions of both players; `both`: they are one, with one number."""

    first: Restriction
    second: Restriction
    both: bool

    def name(self, numbers: tuple[str, ...]) -> tuple[Restriction, Restriction, tuple[str, ...]]:
        """The restrictions with their numbers, and the numbers that there are."""
        k, l = numbers
        other = l if self.first.has_number and not self.both else k
        names = [k] * self.first.has_number + [other] * self.second.has_number
        return self.first.rename_number(k), self.second.rename_number(other), tuple(dict.fromkeys(names))

    def entitle(self, players: tuple[str, ...], numbers: tuple[str, ...]) -> str:
        a, b, _ = self.name(numbers)
        return f"each player {a.words}" if self.both else f"{players[0]} {a.words}, {players[1]} {b.words}"

    def condition(self, players: tuple[str, ...], numbers: tuple[str, ...]) -> str:
        """What the rules ask of a move."""
        a, b, _ = self.name(numbers)
        if self.both:
            return a.condition
        parts = [(a.condition, players[1]), (b.condition, players[0])]
        told = [(f"({words})" if re.search(r" (and|or) ", words) else words, other) for words, other in parts if words]
        return " and ".join(f"(mover == {other} or {words})" for words, other in told)


def _list_members(top: TomlTable, restrictions: tuple[Restriction, ...]) -> Iterator[Member]:
    players, names, chosen = top.texts("players"), top.texts("numbers"), top.texts("choose")
    pairs = []
    for a, b in product(restrictions, restrictions):
        pairs += [_Pair(a, b, True)] * (a == b) + [_Pair(a, b, False)] * (a != b or a.has_number)
    rows = list(product(top.texts("stuck"), chosen, pairs))
    seen: dict[tuple[str, str, Restriction, Restriction], str] = {}
    for number, (stuck, choose, pair) in enumerate(rows, 1):
        id = f"a{number:0{len(str(len(rows)))}}"
        numbers = pair.name(names)[2]
        title = pair.entitle(players, names)
        title += f", {choose.split(' h')[0]}" if len(chosen) > 1 else ""
        title += ", misère play" if stuck == "wins" else ""
        mirror = "" if pair.both or len(numbers) > 1 else seen.get((stuck, choose, pair.second, pair.first), "")
        seen[stuck, choose, pair.first, pair.second] = id
        told = pair.first.words, "" if pair.both else pair.second.words
        where = top.optional_text("where") if len(numbers) > 1 else ""
        text = _write(top, title, pair.condition(players, names), numbers, stuck, choose)
        yield Member(id, title, told, stuck, choose, numbers, where, text, mirror)


def _write(top: TomlTable, title: str, condition: str, numbers: tuple[str, ...], stuck: str, choose: str) -> str:
    """The file of a ruleset."""
    picks = ", ".join(f"{name} = {quote(words)}" for name, words in top.expressions("pick"))
    parameters = ", ".join(f'{name} = "1.."' for name in numbers)
    lines = [
        "format = 1",
        f"title = {quote(title)}",
        f"players = [{', '.join(map(quote, top.texts('players')))}]",
        *([f"parameters = {{ {parameters} }}"] if numbers else []),
        f"stuck = {quote(stuck)}",
        "",
        "[[moves]]",
        f"choose = {quote(choose)}",
        f"pick = {{ {picks} }}",
        *([f"where = {quote(condition)}"] if condition else []),
        f"become = [{', '.join(map(quote, top.texts('become')))}]",
    ]
    return "\n".join(lines) + "\n"


# == found ============================================================================================================
# What a search found, settled as a run would settle it: the search is trusted with nothing.
@dataclass(frozen=True)
class SettledOutcome:
    """A claim file that is proved or verified, with its result; or "" and why there is none, with the last result."""

    text: str
    result: ClaimResult | None
    obstacle: str


def settle_outcome(question: SearchProblem, outcome: SearchProgress) -> SettledOutcome:
    """Settle what was found: the claim with its proof, and if that does not hold, without."""
    texts = {
        SearchStage.NOTHING: [],
        SearchStage.FORMULA: [outcome.text],
        SearchStage.PROOF: [outcome.text, outcome.formula],
    }
    obstacle, result = outcome.obstacle, None
    for text in texts[outcome.stage]:
        result = settle_text(question, text)
        if result.verdict in (Verdict.PROVED, Verdict.VERIFIED):
            return SettledOutcome(text, result, obstacle)
        if result.verdict is Verdict.INCONSISTENT:
            return SettledOutcome("", result, result.finding.error)
        obstacle = f"the checker says {verdict_phrase(result)}: {result.statement.text}"
    return SettledOutcome("", result, obstacle)


def settle_text(question: SearchProblem, text: str) -> ClaimResult:
    """What `run` finds of a claim file about the question's game."""
    with open_workspace(question) as workspace:
        return settle_entry_safely(Entry("found", workspace.write_claim(text)), Options())


def settle_with(claim: Claim, path: Path, proof: str) -> ClaimResult:
    """What `run` finds of a claim with that [proof], and of the lemmas that it rests on."""
    options = Options()
    made = load_with_proof(claim, path, tomllib.loads(proof)["proof"])
    entries = add_lemmas(Entry(lemma.id, lemma.path) for lemma in made.lemmas)
    found = execute(entries, options, 1, lambda _, __: None).results
    settled = {entry.file: result.as_lemma for entry, result in zip(entries, found, strict=True)}
    scope = scope_for(made, options.profile, options.overrides)
    prover = choose_prover(made, (), options.effort)
    return settle_claim(made, scope, exhaustive, options.budget, prover, settled=settled)


# == run ==============================================================================================================
# A run of many pieces of work that know nothing of each other, each with a name: on all cores or the workers of Dask.
#
# What has come to an end is kept in a journal, a line for each, so that a run that was stopped goes on from there.
Record = dict[str, Json]
"""What is found of a piece, as JSON has it."""


class Job(Protocol):
    """A piece of work; sent to another process as it is."""

    @property
    def id(self) -> str:
        """Its name, of all pieces of the run."""


@dataclass(frozen=True)
class ClaimPiece:
    """A piece of work about a claim, whose files a worker elsewhere has to have as they are here: `digest`."""

    id: str
    entry: Entry
    digest: str


Work = Callable[..., Record]
"""What is done with a piece; a function that other processes find by its name."""
OnRecord = Callable[[str, Record], None]
DIED: Record = {"status": "lost"}
"""What is taken of a piece whose worker died, and died again when it was alone; nothing of it is kept."""


class OtherRun(NimChecksError):
    """A journal is of another run than the one that is to go on."""


@dataclass(frozen=True)
class Journal:
    """The file of a run. `run`: what it is a run of, as a text; a journal of something else is not gone on with."""

    path: Path
    run: str

    def load(self) -> dict[str, Record]:
        """What is finished. A last line that was cut short is left out. Raises OtherRun."""
        if not self.path.is_file():
            return {}
        lines = self.path.read_text("utf-8", "replace").split("\n")
        rows = [row for line in lines if (row := _read(line)) is not None]
        if not rows or rows[0].get("run") != self.run:
            raise OtherRun(
                f"{self.path} is of another run: of other rules, options or another version; "
                "take another folder for this one, or remove that"
            )
        return {str(row["id"]): record for row in rows[1:] if isinstance(record := row["found"], dict)}

    def begin(self, found: Mapping[str, Record]) -> None:
        """Write it anew, with what is finished."""
        lines: list[Mapping[str, object]] = [
            {"run": self.run},
            *({"id": id, "found": record} for id, record in found.items()),
        ]
        write_file(self.path, "".join(map(_write_row, lines)))

    def add(self, id: str, record: Record) -> None:
        """Keep what was found of a piece."""
        with refuse_link(self.path).open("a", encoding="utf-8") as file:
            file.write(_write_row({"id": id, "found": record}))


def _write_row(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def _read(line: str) -> Record | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) and ("run" in row or {"id", "found"} <= set(row)) else None


def run_here(pieces: Iterable[Job], work: Work, take: OnRecord) -> None:
    """Do the work in this process, one piece after another."""
    for piece in pieces:
        Interrupted.check()
        take(piece.id, work(piece))


def run_in_processes(pieces: Iterable[Job], work: Work, jobs: int, take: OnRecord) -> None:
    """Do the work by processes of this machine. One that dies takes nothing with it but what it was at."""
    todo = {piece.id: piece for piece in pieces}
    suspects = _drain(todo, work, jobs, take)
    while todo:
        for id in suspects:  # each alone: which of them was it?
            piece = todo.pop(id)
            if _drain({id: piece}, work, 1, take):
                take(id, DIED)
        suspects = _drain(todo, work, jobs, take)


def _drain(todo: dict[str, Job], work: Work, jobs: int, take: OnRecord) -> list[str]:
    """Take out of `todo` what is finished; the names of those under way where a process died, else none."""
    with entering_phase(Phase.WATCHING), open_pool(jobs, CertificateSources()) as pool:
        return hand_out(pool, todo, work, lambda: jobs, take)


def hand_out(pool: Executor, todo: dict[str, Job], work: Work, count: Callable[[], int], take: OnRecord) -> list[str]:
    """Have the workers of a pool do what there is, and take it out of `todo`. `count`: how many workers there are.

    The names of what was under way when a process of the pool died, where one did.  Raises SchedulerGone, Unfit.
    """
    waiting, running = list(todo.values()), dict[Future[Record], str]()
    while waiting or running:
        while waiting and len(running) < max(1, count()):
            piece = waiting.pop(0)
            running[pool.submit(work, piece)] = piece.id
        done, _ = wait(running, timeout=WAIT, return_when=FIRST_COMPLETED)
        Interrupted.check()
        for future in done:
            id = running.pop(future)
            try:
                found = future.result()
            except BrokenProcessPool:
                return [id, *running.values()]
            except Lost:
                found = DIED
            todo.pop(id)
            take(id, found)
    return []


# == values ===========================================================================================================
# One game of a family of values: its table is looked for, and checked for all heaps.
@dataclass(frozen=True)
class AskedValues(ClaimPiece):
    """A game of a family, as it is sent to a worker. `heaps`: among which a period is looked for."""

    member: FamilyMember
    heaps: int


def settle_values(asked: AskedValues) -> Record:
    """What is found of a game: `verdict`, `table` as `to_json` has it, or None, and `words`: what was checked, or why.

    Raises Unfit if the claim is not that of the run.
    """
    found = settle_member(_load(asked.entry, asked.digest), asked.member, asked.heaps)
    proved = found.table is not None
    return {
        "verdict": (Verdict.PROVED if proved else Verdict.INCONCLUSIVE).value,
        "table": None if found.table is None else to_json(found.table),
        "words": found.words,
    }


@lru_cache(maxsize=1)
def _load(entry: Entry, digest: str) -> Claim:
    """The claim, read once by each process."""
    claim = load_claim(entry.path, entry.id)
    if claim.digest != digest:
        raise Unfit(f"{entry.id} was changed while its games were looked at")
    return claim


# == search ===========================================================================================================
# One ruleset of a family: searched for who wins, and what was found settled.
_DIGITS = 16


@dataclass(frozen=True)
class RulesetSearchJob:
    """A ruleset of a family, as it is sent to a worker. `budget`: CPU seconds for its search."""

    id: str
    text: str
    where: str
    budget: float | None


def make_job(member: Member, budget: float | None) -> RulesetSearchJob:
    """The piece of work that a member is."""
    return RulesetSearchJob(member.id, member.text, member.where, budget)


def read_rules(id: str, text: str) -> Ruleset:
    """A ruleset from its text, as if it stood in a file. Raises ClaimError."""
    return load_ruleset(Path(f"{id}.toml"), lambda path: parse(path, text))


def search(asked: RulesetSearchJob) -> Record:
    """What is found of a ruleset.

    `verdict`; `statement` in words, `claim`: the file, both "" of an open one; `obligations` of the proof, and its
    `rule`; `obstacle`: why there is no more; `nearest`: the best formula with its smallest miss; `outcomes`: a digest
    of who wins in a small box.
    """
    try:
        return _search(asked)
    finally:
        gc.collect()  # half a gigabyte in circles of few objects, which Python by itself would leave for many games


def _search(asked: RulesetSearchJob) -> Record:
    outcome, clock = SearchProgress(), Deadline(asked.budget, time.process_time)
    nothing = dict.fromkeys(("statement", "claim", "rule", "outcomes", "nearest"), "")
    record: Record = {"verdict": Verdict.INCONCLUSIVE.value, **nothing, "obligations": 0}
    try:
        question = ask(read_rules(asked.id, asked.text), {}, asked.where)
        record["outcomes"] = digest_outcomes(question)
        find_winners(question, clock, lambda _: None, outcome, shorten=False)
    except (Unsupported, BadRuleset) as error:
        return record | {"obstacle": str(error), "nearest": ""}
    found = settle_outcome(question, outcome)
    record |= {"obstacle": found.obstacle, "nearest": outcome.nearest}
    if found.result is None or not found.text:
        return record
    proved = found.result.verdict is Verdict.PROVED
    statement = found.result.statement
    record |= {
        "verdict": found.result.verdict.value,
        "statement": statement.text.removeprefix(f"{question.ruleset.title}: "),
        "claim": found.text,
    }
    if proved:
        record |= {"obligations": len(found.result.finding.obligations), "obstacle": ""}
        record["rule"] = next((r.encoder for r in found.result.finding.routes if r.encoder != "exhaustive"), "")
    return record


def digest_outcomes(question: SearchProblem) -> str:
    """A digest of who wins at all positions of a small box for all small parameters: equal ones have equal outcomes.

    Where the rules are the same for both players, each counts.
    """
    table = OutcomeTable(question, SMALL, Deadline(None))
    lost = [table.lost[side % len(table.lost)] for side in range(2)]
    digest = hashlib.sha256(repr(sorted(table.parameters)).encode())
    for side in lost:
        digest.update(side.tobytes())
    return digest.hexdigest()[:_DIGITS]
