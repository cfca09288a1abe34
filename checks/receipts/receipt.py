"""Receipts, read: from a stranger's JSON to a frozen `Receipt`, or to one clear refusal.

Every refusal names the file, the key, the value and what was expected.  Written out rather than left to a library of
JSON schemas, so that nothing is installed for it and the refusals are in our words; tests hold it and
receipt.schema.json together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, TypeVar

from checks.receipts.strangers import BadJson, quote, read_json
from checks.receipts.writing import FORMAT, TOOL
from checks.results.model import SEARCHES, MutantFate, SettledLemma
from checks.results.shown import Json
from checks.results.verdicts import Verdict
from claims.language.errors import NimChecksError
from claims.language.files.claim import Judgement
from encoders.logic.answer import Decision, Fallback, ObligationStatus
from encoders.proving.registry import PROVERS
from encoders.trust import Coverage, Limits, Trusted, read_coverage, read_trusted

PROFILES = ("quick", "deep")
_Member = TypeVar("_Member", bound=StrEnum)
Pairs = tuple[tuple[str, str], ...]


class BadReceipt(NimChecksError):
    """A receipt that cannot be read, or whose claim is gone or has changed."""


class ReceiptRoute(NamedTuple):
    """One route, as in `checks.results.model.Route`."""

    encoder: str
    answer: Decision
    scope: Limits
    cases: int
    below: int | None
    covered: Limits
    engines: tuple[str, ...]
    fallbacks: tuple[Fallback, ...] = ()


class ReceiptObligation(NamedTuple):
    """One obligation, as in `encoders.logic.answer.Obligation`."""

    name: str
    result: ObligationStatus
    detail: str
    note: str
    formula: str


class ReplayCase(NamedTuple):
    """A case to be judged again: what it is, the judgement to expect, its variables as the JSON has them."""

    kind: str
    judgement: Judgement
    variables: dict[str, Json]


@dataclass(frozen=True)
class Receipt:
    """One receipt. `path`: its file; `data`: all of it, as read; the others as `receipts` writes them.

    `trusted`: a text where it names nothing that we know.  `board`: as `writing.encode_board` has it; None without one.
    """

    path: Path
    data: dict[str, Json]
    version: str
    claim: str
    file: str
    digest: str
    profile: str
    overrides: Pairs
    asked: tuple[str, ...]
    steps: int
    second: bool
    verdict: Verdict
    scope: Limits
    cases: int
    met: int
    not_established: str
    error: str
    replay: tuple[ReplayCase, ...]
    rechecked: int
    differs: bool
    replays: tuple[tuple[Judgement, Judgement], ...]
    routes: tuple[ReceiptRoute, ...]
    obligations: tuple[ReceiptObligation, ...]
    trusted: tuple[Trusted | str, ...]
    extras: tuple[str, ...]
    seal: str
    board: Json = None
    lemmas: tuple[SettledLemma, ...] = ()
    sampled: int = 0


_KEYS = (
    *("format", "tool", "claim", "file", "digest", "asked", "verdict", "scope", "cases", "cases_with_hypotheses"),
    *("not_established", "error", "replay", "referee", "routes", "obligations", "lemmas", "trusted", "closed_form"),
    *("mutants", "board", "seal"),
)
_OPTIONAL = ("lemmas", "board")  # receipts of before there were any have none
_SINCE = ("covered", "engines")
_CLOSED_TEXTS = ("variable", "written", "simplified", "latex", "mathml", "period", "saltus")


def _list_routes() -> tuple[str, ...]:
    return (*SEARCHES, *PROVERS)


def read_receipt(path: Path) -> Receipt:
    """The receipt in a file. Raises BadReceipt."""
    try:
        data = read_json(path)
    except BadJson as error:
        raise BadReceipt(str(error)) from None
    top = _Node(path, "", data)
    if not isinstance(data, dict) or type(data.get("format")) is not int or data["format"] != FORMAT:
        found = f"format {quote(data['format'])}" if isinstance(data, dict) and "format" in data else quote(data)
        raise BadReceipt(
            f"{path}: not a receipt of format {FORMAT}, but {found}; expected a file written by `checks run`"
        )
    top.table(*(key for key in _KEYS if key in data or key not in _OPTIONAL))
    tool, asked, referee = top["tool"], top["asked"], top["referee"]
    tool.table("name", "version")
    tool["name"].choice((TOOL,))
    asked.table("profile", "overrides", "routes", "steps", "second")
    sampled = isinstance(referee.value, dict) and "sampled" in referee.value  # only where machine code answered
    referee.table("rechecked", "differs", "replays", *(["sampled"] if sampled else []))
    for replay in referee["replays"].items():
        replay.table("said", "found")
    routes = tuple(_route(x) for x in top["routes"].items())
    if not routes:
        raise top["routes"].fault("a list with the exhaustive route")
    return Receipt(
        path=path,
        data=data,
        version=tool["version"].text(),
        claim=top["claim"].text(),
        file=top["file"].text(),
        digest=top["digest"].sha256(),
        profile=asked["profile"].choice(PROFILES),
        overrides=asked["overrides"].pairs(),
        asked=tuple(x.choice(_list_routes()) for x in asked["routes"].items()),
        steps=asked["steps"].count(1),
        second=asked["second"].truth(),
        verdict=Verdict(top["verdict"].choice(tuple(v.value for v in Verdict if v is not Verdict.ERROR))),
        scope=top["scope"].limits(),
        cases=top["cases"].count(),
        met=top["cases_with_hypotheses"].count(),
        not_established=top["not_established"].text(),
        error=top["error"].text(),
        replay=tuple(_case(x) for x in top["replay"].items()),
        rechecked=referee["rechecked"].count(),
        differs=referee["differs"].truth(),
        replays=tuple(
            (x["said"].member(*Judgement), x["found"].member(*Judgement)) for x in referee["replays"].items()
        ),
        routes=routes,
        obligations=tuple(_obligation(x) for x in top["obligations"].items()),
        trusted=tuple(read_trusted(x.text()) for x in top["trusted"].items()),
        extras=_extras(top),
        board=_board(top) if "board" in data else None,
        lemmas=tuple(_lemma(x) for x in top["lemmas"].items()) if "lemmas" in data else (),
        seal=top["seal"].sha256(),
        sampled=referee["sampled"].count(1) if sampled else 0,
    )


def _route(node: _Node) -> ReceiptRoute:
    told = isinstance(node.value, dict) and ("covered" in node.value or "engines" in node.value)  # older ones do not
    fell = isinstance(node.value, dict) and "fallbacks" in node.value  # only where an engine did not answer
    more = (*(_SINCE if told else ()), *(["fallbacks"] if fell else []))
    node.table("encoder", "answer", "scope", "cases", "below", *more)
    encoder, answer = node["encoder"].choice(_list_routes()), node["answer"].member(*Decision)
    covered = node["covered"].limits() if told else ()
    engines = tuple(x.text() for x in node["engines"].items()) if told else ()
    below = _below(node["below"])
    fallbacks = tuple(_fallback(x) for x in node["fallbacks"].items()) if fell else ()
    if fell and not fallbacks:
        raise node["fallbacks"].fault("at least one engine, or no such key")
    scope, cases = node["scope"].limits(), node["cases"].count()
    return ReceiptRoute(encoder, answer, scope, cases, below, covered, engines, fallbacks)


def _fallback(node: _Node) -> Fallback:
    node.table("engine", "reason")
    return Fallback(node["engine"].text(), node["reason"].text())


def _below(node: _Node) -> int | None:
    if node.value is None:
        return None
    if not isinstance(node.value, str) or not re.fullmatch(r"[1-9][0-9]{0,1200}", node.value):
        raise node.fault("null, or a text of digits")
    return int(node.value)


def _obligation(node: _Node) -> ReceiptObligation:
    node.table("name", "result", "detail", "note", "formula")
    result, formula = node["result"].member(*ObligationStatus), node["formula"]
    unbuilt = formula.value == "" and result is not ObligationStatus.PROVED  # the query may not have been built
    digest = "" if unbuilt else formula.sha256()
    return ReceiptObligation(node["name"].text(), result, node["detail"].text(), node["note"].text(), digest)


def _lemma(node: _Node) -> SettledLemma:
    node.table("claim", "digest", "verdict", "by_proof", "needed", "scope", "below")
    verdict = None if node["verdict"].value is None else node["verdict"].choice(tuple(v.value for v in Verdict))
    return SettledLemma(
        id=node["claim"].text(),
        digest=node["digest"].sha256(),
        verdict=None if verdict is None else Verdict(verdict),
        by_proof=node["by_proof"].truth(),
        needed=node["needed"].truth(),
        scope=node["scope"].limits(),
        below=_below(node["below"]),
    )


def _case(node: _Node) -> ReplayCase:
    node.table("kind", "judgement", "variables")
    kind = node["kind"].choice(("counterexample", "witness"))
    judgement = node["judgement"].member(Judgement.FAILS, Judgement.HOLDS)
    variables = node["variables"]
    if not isinstance(variables.value, dict):
        raise variables.fault("an object: the value of each variable")
    return ReplayCase(kind, judgement, variables.value)


def _extras(top: _Node) -> tuple[str, ...]:
    """What the receipt carries beside the verdict: "closed form", "mutants"."""
    found = []
    form, mutants = top["closed_form"], top["mutants"]
    if form.value is not None:
        form.table(*_CLOSED_TEXTS, "steps", "checks")
        for key in _CLOSED_TEXTS:
            form[key].text()
        for key in ("steps", "checks"):
            for item in form[key].items():
                item.text()
        found.append("closed form")
    if mutants.value is not None:
        for mutant in mutants.items():
            mutant.table("kind", "description", "outcome", "detail")
            for key in ("kind", "description", "detail"):
                mutant[key].text()
            mutant["outcome"].member(*MutantFate)
        found.append("mutants")
    return tuple(found)


def _board(top: _Node) -> Json:
    board = top["board"]
    if board.value is None:
        return None
    board.table("reader", "places")
    board["reader"].text()
    for place in board["places"].items():
        place.table("position", "mover", "answers", "moves")
        place["mover"].text()
        place["answers"].truth()
        place["position"].heaps()
        for move in place["moves"].items():
            move.table("to", "place")
            move["to"].heaps()
            move["place"].count()
    return board.value


@dataclass(frozen=True)
class _Node:
    """A value in the file, and the key under which it stands."""

    path: Path
    key: str
    value: Json

    def fault(self, expected: str) -> BadReceipt:
        where = f"{self.key}: " if self.key else ""
        return BadReceipt(f"{self.path}: {where}{quote(self.value)}; expected {expected}")

    def __getitem__(self, key: str) -> _Node:
        assert isinstance(self.value, dict)
        return _Node(self.path, f"{self.key}.{key}" if self.key else key, self.value[key])

    def table(self, *keys: str) -> None:
        """Refuse what is no object with exactly these keys, in this order."""
        if not isinstance(self.value, dict):
            raise self.fault(f"an object with the keys {', '.join(keys)}")
        found, inside = list(self.value), f"{self.path}: {self.key + ': ' if self.key else ''}"
        for key in found:
            if key not in keys:
                raise BadReceipt(f"{inside}the key {quote(key)} is unknown; expected {', '.join(keys)}")
        for key in keys:
            if key not in found:
                raise BadReceipt(f"{inside}the key {key!r} is missing; expected {', '.join(keys)}")
        if found != list(keys):
            raise BadReceipt(f"{inside}the keys stand in the order {', '.join(found)}; expected {', '.join(keys)}")

    def items(self) -> list[_Node]:
        if not isinstance(self.value, list):
            raise self.fault("a list")
        return [_Node(self.path, f"{self.key}[{i}]", x) for i, x in enumerate(self.value)]

    def pairs(self) -> Pairs:
        if not isinstance(self.value, dict):
            raise self.fault("an object of texts")
        return tuple((key, self[key].text()) for key in self.value)

    def limits(self) -> Limits:
        if not isinstance(self.value, dict):
            raise self.fault("an object: the coverage of each variable")
        return tuple((key, self[key].coverage()) for key in self.value)

    def coverage(self) -> Coverage:
        found = read_coverage(self.text())
        if found is None:
            raise self.fault('a bound such as "all", "< 2^62" or "1..9"')
        return found

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.fault("a text")
        return self.value

    def choice(self, known: tuple[str, ...]) -> str:
        if self.value not in known or not isinstance(self.value, str):
            raise self.fault(f"one of {', '.join(known)}")
        return self.value

    def member(self, *known: _Member) -> _Member:
        """The member of an enum that has this value; refuse any other."""
        chosen = self.choice(tuple(known))
        return next(x for x in known if x == chosen)

    def count(self, least: int = 0) -> int:
        if type(self.value) is not int or self.value < least:
            raise self.fault(f"an integer of at least {least}")
        return self.value

    def heaps(self) -> None:
        """Refuse what is no list of heaps: sizes, or parts, each an integer or a list of integers."""
        for heap in self.items():
            if not isinstance(heap.value, list):
                heap.count(1)
                continue
            for part in heap.items():
                numbers = part.items() if isinstance(part.value, list) else [part]
                if any(type(x.value) is not int for x in numbers):
                    raise part.fault("an integer or a list of integers")

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fault("true or false")
        return self.value

    def sha256(self) -> str:
        if not isinstance(self.value, str) or not re.fullmatch(r"[0-9a-f]{64}", self.value):
            raise self.fault("a SHA-256: 64 hexadecimal digits")
        return self.value
