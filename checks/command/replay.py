"""Replay a receipt: derive its verdict again from its evidence, and let the referee judge its cases again.

A receipt is not trusted, because it may have been edited. The result lists the parts of the evidence that were checked
again, and the parts that were not. `rerun` also settles the claim again and compares the new receipt with the old one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from checks.execution.execute import execute
from checks.judgement.explain import players_of
from checks.judgement.findings import MadeWrong, judge_by_tables, judge_case
from checks.judgement.scopes import Options, lies_within
from checks.receipts.consistency import (
    Disagreement,
    LemmaWitness,
    check,
    check_board,
    check_seal,
    find_difference,
    find_witnesses,
)
from checks.receipts.enumeration import list_cases, make_case_key
from checks.receipts.receipt import (
    RECEIPTS,
    BadReceipt,
    ReplayCase,
    StoredReceipt,
    find_place,
    find_report,
    make_receipt,
    read_receipt,
    version,
)
from checks.receipts.sources import find_copies
from checks.receipts.strangers import NOT_FOLLOWED, find_link
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached
from checks.results.model import is_refuted_by_proof
from checks.results.shown import EXACT, Json
from checks.results.verdicts import Verdict
from checks.results.wording import verdict_phrase
from claims.language.errors import ClaimError, format_count, quote
from claims.language.files import domains as d
from claims.language.files.claim import Claim, Judgement, base_of
from claims.language.files.library import Entry, add_lemmas, find_shipped, select
from claims.language.files.toml import viewing_from
from claims.language.syntax.meanings import gather, measure_heap
from claims.language.syntax.terms import INT, PLAYER, POSITION, RATIONAL, Type
from encoders.logic.answer import Case, CaseValue, Decision, list_integers
from encoders.proving.reading import load_claim
from encoders.proving.registry import PROVERS
from encoders.solvers.effort import USUAL
from encoders.trust import Trust

STEPS = 200_000  # of the referee, for one case or for all cases of a small scope: about a second
MAX_CASES = 2_000  # a scope with at most this many cases is judged again completely
MAX_HEAPS, MAX_TOTAL = 64, 20_000  # for a position; a larger position is judged only by settling the claim again
UNTOLD = ("tool", "asked", "file", "seal")  # keys of a receipt that settling again cannot check
__all__ = ["BadReceipt", "Disagreement", "Replay", "find_receipts", "replay", "rerun"]


@dataclass(frozen=True)
class Replay:
    """The result of replaying one receipt.

    `claim`: the id of the claim. `verdict`: the verdict in the receipt. `head`: the result in one line.
    `confirmed`: whether everything that the verdict depends on was checked again.
    `checked`, `unchecked`: the parts of the evidence that were checked again, and those that were not.
    `proof`: the entry of `unchecked` about the obligations of a proof; "" if there is no such entry.
    `lemmas`: the lemmas of a proof. The text of each lemma is an entry of `unchecked`.
    `settled`: whether the verdict is neither inconclusive nor inconsistent.
    `hint`: the command that checks more, or "".
    """

    claim: str
    verdict: str
    head: str
    confirmed: bool
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    proof: str = ""
    lemmas: tuple[LemmaWitness, ...] = ()
    settled: bool = True
    hint: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The result as lines of text."""
        parts = (*list_under("checked again", self.checked), *list_under("not checked again", self.unchecked))
        return (self.head, *parts, *([f"  {self.hint}"] if self.hint else []))


def find_receipts(word: str, report: Path) -> list[Path]:
    """Return the paths of the receipts that `word` names.

    `word`: a receipt as a path *.json, which need not exist; or an id, glob, claim file or folder with receipts in
    `report`. Raises BadReceipt if `report` contains no such receipt.
    """
    if word.endswith(".json") or not word:
        return [Path(word)]
    try:
        ids = [entry.id for entry in select((word,))]
    except ClaimError:
        ids = [word]  # the claim file may exist only as a copy in the report
    paths = [path for id in ids if (path := find_place(report / RECEIPTS, id, ".json")).is_file()]
    if not paths:
        expected = f"a receipt, or the id of a claim that has one in {report / RECEIPTS}; `checks run` writes them"
        raise BadReceipt(f"{word}: no receipt; expected {expected}")
    return paths


def replay(path: Path) -> Replay:
    """Derive the verdict of a receipt again, and let the referee judge its cases.

    Raises BadReceipt if the receipt or its claim cannot be used, and Disagreement if a check gives another result.
    """
    found = read_receipt(path)
    with _finding_claim(found) as (entry, claim):
        return _replay(found, entry, claim)


def rerun(path: Path, budget: float | None) -> Replay:
    """Replay a receipt, then settle its claim again with the same options.

    Raises BadReceipt if the receipt or its claim cannot be used, and Disagreement if a check gives another result.
    """
    found = read_receipt(path)
    with _finding_claim(found) as (entry, claim):
        _replay(found, entry, claim)
        return _rerun(found, entry, budget)


def _rerun(found: StoredReceipt, entry: Entry, budget: float | None) -> Replay:
    path = found.path
    effort = replace(USUAL, steps=found.asked.steps, second=found.asked.second)
    mutants = found.data["mutants"] is not None
    options = Options(found.asked.profile, found.asked.overrides, budget, found.asked.routes, mutants, effort)
    result = execute(add_lemmas((entry,)), options, 1, lambda *_: None).results[0]
    if result.verdict is Verdict.INCONCLUSIVE and found.outcome.verdict is not Verdict.INCONCLUSIVE:
        why = result.finding.not_established
        head = f"{entry.id}: not confirmed: the run ends without a verdict: {why}"
        return Replay(entry.id, found.outcome.verdict.value, head, False, settled=False)
    if result.provenance.digest != found.digest:
        raise BadReceipt(f"{path}: {entry.id} has changed during the run; settle the claim again")
    again = make_receipt(result, entry, options, version())
    for key, value in again.items():
        if key not in UNTOLD and key in found.data and value != found.data[key]:
            _, old, new = find_difference(key, found.data[key], value)
            raise Disagreement(
                f"{path}: {key} is {quote(old)}; expected {quote(new)}, the result of settling the claim again"
            )
    head = f"{entry.id}: {verdict_phrase(result)}, confirmed: settled again, with the same evidence"
    return Replay(entry.id, result.verdict.value, head, True, unchecked=tuple(_untold(found, again)))


def _untold(found: StoredReceipt, again: dict[str, Json]) -> list[str]:
    """Return lines about entries of a receipt that `rerun` cannot check: version, options, and file name."""
    asked = json.dumps(found.data["asked"])
    lines = [f"the version and the options of the earlier run: nim-checks {quote(found.tool.version)}, {asked}"]
    if again["file"] != found.file:
        lines.append(f"the name of its file, {quote(found.file)}: the same text is now in {quote(again['file'])}")
    return lines


def _replay(found: StoredReceipt, entry: Entry, claim: Claim) -> Replay:
    check_seal(found)
    scope = check(found, claim)
    again, left, confirmed = _judge_cases(found, claim, scope)
    again = ["the receipt is about the current text of the claim, and its verdict follows from its evidence", *again]
    again += _play(found, claim, scope)
    left += _list_left(found, confirmed)
    word = found.outcome.verdict.value
    said = f"{word}, confirmed" if confirmed else f"the receipt says {word}; nothing contradicts it"
    proof = _describe_proof(found)
    certify = "`checks verify` also checks the certificates of the proof, and " if proof else ""
    return Replay(
        claim.id,
        word,
        f"{claim.id}: {said}",
        confirmed,
        tuple(dict.fromkeys(again)),
        tuple(left),
        proof,
        tuple(find_witnesses(found)),
        found.outcome.verdict not in (Verdict.INCONSISTENT, Verdict.INCONCLUSIVE),
        f"{certify}`checks verify --rerun` settles the claim again" if left else "",
    )


def list_under(heading: str, lines: Sequence[str]) -> tuple[str, ...]:
    """Return a heading with these lines below it; an empty tuple if there are no lines."""
    return (f"  {heading}:", *(f"    {line}" for line in lines)) if lines else ()


# -- the claim --------------------------------------------------------------------------------------------------------
@contextmanager
def _finding_claim(found: StoredReceipt) -> Iterator[tuple[Entry, Claim]]:
    """Yield the claim of a receipt: from the library, from a file on this machine, or from the copies in the report.

    For a copy, error messages inside the context show the file names of the original run. Raises BadReceipt if no
    unchanged claim is found.
    """
    report = find_report(found.path, found.claim)
    if report and (link := find_link(report, found.path.absolute())):
        raise BadReceipt(f"{link}: {NOT_FOLLOWED}")
    is_here = find_shipped(found.claim) is not None or _is_file(found.file)
    for copy, view in find_copies(report, found.file) if report and not is_here else ():
        with viewing_from(view):
            try:
                claim = load_claim(copy, found.claim)
            except ClaimError:
                continue
            if claim.digest == found.digest:
                yield Entry(found.claim, copy), claim
                return
    yield _find_claim(found)


def _find_claim(found: StoredReceipt) -> tuple[Entry, Claim]:
    """Return the claim of a receipt from the library or a file.

    Raises BadReceipt if the claim is not found, its text has changed, or the receipt names the file of another claim.
    """
    file = found.file.replace("\\", "/")
    id = base_of(found.claim.replace("\\", "/"), Path(file))
    if not (f"/{file}".endswith(f"/{id}.toml") or file == id):
        other, asked = quote(found.file), quote(found.claim)
        raise BadReceipt(f"{found.path}: file is {other}; expected the file of the claim {asked}")
    own = find_shipped(found.claim)
    entries = [own] if own else []
    if _is_file(found.file):
        entries.append(Entry(found.claim, Path(found.file)))
    changed = False
    for entry in entries:
        try:
            claim = load_claim(entry.path, entry.id)
        except ClaimError:
            changed = True
            continue
        if claim.digest == found.digest:
            return entry, claim
        changed = True
    if changed:
        raise BadReceipt(
            f"{found.path}: the file of {quote(found.claim)} has changed since this receipt was written; its digest "
            f"was {found.digest}; settle the claim again with `checks run`"
        )
    raise BadReceipt(
        f"{found.path}: the claim of this receipt, {quote(found.claim)}, is not in the library, and the file "
        f"{quote(found.file)} does not exist"
    )


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False  # the text cannot be the name of a file


def _play(found: StoredReceipt, claim: Claim, scope: d.Scope) -> list[str]:
    """Check the positions and moves of the playable board in a receipt.

    Return a list with a line about the board, or [] if there is nothing to check. Raises Disagreement if the board is
    wrong.
    """
    fails = found.outcome.verdict is Verdict.REFUTED
    cases = [_case(found, claim, scope, item) for item in found.replay if item.kind == "counterexample"]
    failing = cases[0] if cases else {} if fails and not claim.variables else None
    if "board" not in found.data or (failing is not None and _is_large(failing)):
        return []
    if found.outcome.verdict.holds or (fails and failing is not None):
        sums = Trust.SPRAGUE_GRUNDY in found.trusted
        return [line for line in [check_board(found.path, found.data["board"], claim, scope, failing, sums)] if line]
    if found.board is not None:
        expected = f"null, because the verdict is {found.outcome.verdict.value}"
        raise Disagreement(f"{found.path}: board is {quote(found.board)}; expected {expected}")
    return []


# -- the cases --------------------------------------------------------------------------------------------------------
def _judge_cases(found: StoredReceipt, claim: Claim, scope: d.Scope) -> tuple[list[str], list[str], bool]:
    """Judge the cases of a receipt again.

    Return lines about the judged cases, lines about the cases that are too large, and whether the judged cases confirm
    the verdict. Raises Disagreement if the receipt and the referee differ.
    """
    sums = Trust.SPRAGUE_GRUNDY in found.trusted
    lines, left, decided = list[str](), list[str](), False
    cases = [(item, _case(found, claim, scope, item)) for item in found.replay]
    if not claim.variables and found.outcome.verdict in (Verdict.PROVED, Verdict.REFUTED) and not cases:
        judgement = Judgement.HOLDS if found.outcome.verdict is Verdict.PROVED else Judgement.FAILS
        cases = [(ReplayCase("computation", judgement, {}), {})]
    for item, case in cases:
        written = ", ".join(f"{n} = {v}" for n, v in item.variables.items()) or "the claim, which has no variables"
        large = _is_large(case)
        judgement, fault = (Judgement.TOO_LARGE, "") if large else judge_case(claim, case, False, STEPS)
        if judgement is Judgement.TOO_LARGE and sums and not large:
            judgement, fault = judge_case(claim, case, True, STEPS)
        if judgement is Judgement.TOO_LARGE and all(len(x) <= 1 for x in case.values() if isinstance(x, tuple)):
            try:
                judgement, fault = judge_by_tables(claim, case, sums, STEPS)
            except MadeWrong as wrong:
                raise Disagreement(f"{found.path}: {wrong}") from None
        if judgement is Judgement.TOO_LARGE:
            left.append(f"{written}: too large to judge without a run")
        elif judgement is not item.judgement:
            shown = f"{judgement} ({fault})" if fault else judgement
            raise Disagreement(
                f"{written}: the judgement in the receipt is {item.judgement}, but the referee finds {shown}"
            )
        else:
            lines.append(f"the claim {judgement} at {written}" if case else f"the claim {judgement}")
            decides = claim.quantifier == "exists" or item.kind in ("counterexample", "computation")
            decided = decided or decides
    if claim.variables:
        whole = _rejudge_scope(found, claim, scope)
        if whole:
            lines.append(whole)
            proof = any(r.encoder in PROVERS for r in found.routes)
            decided = decided or not (proof and found.outcome.verdict is Verdict.PROVED)
    return lines, left, decided and found.outcome.verdict not in (Verdict.INCONSISTENT, Verdict.INCONCLUSIVE)


def _rejudge_scope(found: StoredReceipt, claim: Claim, scope: d.Scope) -> str:
    """Judge every case of a small scope again, and return the text `all N cases of the scope`.

    Return "" if the exhaustive route did not settle the scope, or if the scope is too large. Also return "" if a case
    is too large or undefined. Raises Disagreement if the answer, the number of cases, or the smallest case differs from
    the receipt.
    """
    if found.outcome.cases > MAX_CASES or not found.routes[0].answer.settles:
        return ""
    referee = Referee(claim, STEPS)
    judged: list[tuple[Case, Judgement]] = []
    try:
        for case in list_cases(claim, scope, referee):
            if _is_large(case):
                return ""
            judgement = Judgement(referee.judge(case))
            if judgement is not Judgement.OUTSIDE or not claim.has_parts:  # the rules say which heaps with parts exist
                judged.append((case, judgement))
    except (LimitReached, IllDefined):
        return ""
    exists = claim.quantifier == "exists"
    deciding = Judgement.HOLDS if exists else Judgement.FAILS
    decided = any(judgement is deciding for _, judgement in judged)
    answer = Decision.HOLDS if decided is exists else Decision.FAILS
    if answer is not found.routes[0].answer:
        told = found.routes[0].answer.value
        raise Disagreement(
            f"{found.path}: the answer of the exhaustive route is {told!r}, but the referee finds {answer.value!r}"
        )
    met = [case for case, judgement in judged if judgement in (Judgement.HOLDS, Judgement.FAILS)]
    if not decided and (len(judged), len(met)) != (found.outcome.cases, found.outcome.cases_with_hypotheses):
        cases, with_hypotheses = found.outcome.cases, found.outcome.cases_with_hypotheses
        raise Disagreement(
            f"{found.path}: the receipt counts {cases} cases, {with_hypotheses} with hypotheses; the referee counts "
            f"{len(judged)}, {len(met)} with hypotheses"
        )
    partial = not all(item.smallest for item in found.replay)
    for item in found.replay:
        if partial or (item.kind == "counterexample" and _is_refuted_by_proof(found)):
            continue  # the receipt may not contain the smallest case, or the case is outside the scope
        among = met if item.kind == "witness" and not exists else [c for c, x in judged if x is deciding]
        smallest = min(among, key=lambda case: make_case_key(claim, case))
        if make_case_key(claim, _case(found, claim, scope, item)) != make_case_key(claim, smallest):
            raise Disagreement(
                f"{found.path}: the {item.kind} in the list 'replay' is {quote(item.variables)}; expected the "
                f"smallest, {quote(smallest)}"
            )
    return f"all {format_count(len(judged), 'case')} of the scope"


def _is_refuted_by_proof(found: StoredReceipt) -> bool:
    """Return whether the counterexample comes from the proof, and not from the search of the scope."""
    return is_refuted_by_proof(tuple((r.encoder, r.answer) for r in found.routes))


def _describe_proof(found: StoredReceipt) -> str:
    """Return a text with the number of obligations of the proof; "" if the claim is not proved by obligations."""
    if not found.obligations or found.outcome.verdict is not Verdict.PROVED:
        return ""
    return f"the {format_count(len(found.obligations), 'obligation')} of the proof"


def _list_left(found: StoredReceipt, confirmed: bool) -> list[str]:
    lines = [witness.text for witness in find_witnesses(found)]
    if proof := _describe_proof(found):
        lines.append(proof)
    if (found.replay and not confirmed) or found.outcome.cases > MAX_CASES:
        lines.append(f"the {format_count(found.outcome.cases, 'case')} of the scope")
    if not any(r.encoder in PROVERS for r in found.routes) and not confirmed and not lines:
        lines.append("the answers on which the verdict rests")
    return [*lines, *(f"the {x}" for x in found.extras)]


# -- values -----------------------------------------------------------------------------------------------------------
def _case(found: StoredReceipt, claim: Claim, scope: d.Scope, item: ReplayCase) -> Case:
    """Return the values of the claim's variables in a case of the receipt.

    Raises BadReceipt if the receipt has other variables, or a value of the wrong type. Raises Disagreement if a value
    is outside the scope. Only a counterexample from a proof may be outside the scope.
    """
    names = [v.name for v in claim.variables]
    if list(item.variables) != names:
        raise BadReceipt(
            f"{found.path}: a case in the list 'replay' has values of the variables {quote(list(item.variables))}; "
            f"expected values of {', '.join(names)}"
        )
    case = {}
    for v in claim.variables:
        raw, key = item.variables[v.name], f"{found.path}: replay: {v.name}"
        value = _value(raw, v.type, players_of(claim))
        if value is None:
            raise BadReceipt(f"{key} = {quote(raw)}; expected {_KINDS.get(v.type.kind, str(v.type))}")
        if not lies_within(value, scope.get(v.name)) and not (
            item.kind == "counterexample" and _is_refuted_by_proof(found)
        ):
            raise Disagreement(f"{key} = {quote(raw)}; expected a value in the scope, {_bounds(scope[v.name])}")
        case[v.name] = value
    return case


_KINDS = {
    "Int": "an integer; beyond 2^53, a text of digits",
    "Position": "a list of heap sizes in ascending order",
    "Player": "the name of a player",
    "set": "a list of values in ascending order, each once",
}


def _value(raw: Json, kind: Type, players: tuple[str, ...]) -> CaseValue | None:
    """Return the value of type `kind` that JSON data represent, or None if the data do not represent such a value."""
    if kind in (INT, RATIONAL):
        return _integer(raw)
    if kind == PLAYER:
        if players:
            return players.index(raw) if isinstance(raw, str) and raw in players else None
        return raw if type(raw) is int and raw >= 0 else None
    if kind.parts:
        return _heap(raw, kind, players)
    inner = INT if kind == POSITION else kind.element
    if inner is None or not isinstance(raw, list):
        return raw if isinstance(raw, bool) and kind.kind == "Bool" else None
    values = tuple(x for x in (_value(x, inner, players) for x in raw) if x is not None)
    if len(values) < len(raw):
        return None
    if inner == INT and kind.kind != "list" and list(values) != sorted(list_integers(values)):
        return None
    if kind == POSITION:
        return values if all(x >= 1 for x in list_integers(values)) else None
    if kind.is_position:
        return values if gather(values) == values else None
    return values if kind.kind == "list" or len(set(values)) == len(values) else None


def _heap(raw: Json, kind: Type, players: tuple[str, ...]) -> CaseValue | None:
    """Return a heap with parts from a list with one entry for each part, in the order of the ruleset.

    Return None if the list is not such a heap.
    """
    if not isinstance(raw, list) or len(raw) != len(kind.parts):
        return None
    found = tuple(_value(x, part, players) for x, (_, part) in zip(raw, kind.parts, strict=True))
    values = tuple(x for x in found if x is not None)
    return values if len(values) == len(found) else None


def _integer(raw: Json) -> int | None:
    """Return the integer that JSON data represent, or None if they do not represent an integer.

    An integer beyond ±2^53 must be a text of at most 40 digits, because many programs read JSON numbers as doubles.
    """
    if type(raw) is int:
        return raw if abs(raw) <= EXACT else None
    if isinstance(raw, str) and re.fullmatch(r"-?[1-9][0-9]{15,39}", raw) and abs(int(raw)) > EXACT:
        return int(raw)
    return None


def _is_large(case: Case) -> bool:
    """Return whether a position of the case is too large for the referee to judge in a replay."""
    return any(isinstance(x, tuple) and (len(x) > MAX_HEAPS or measure_heap(x) > MAX_TOTAL) for x in case.values())


def _bounds(bound: d.Bound) -> str:
    if isinstance(bound, d.Range):
        return str(bound)
    if isinstance(bound, d.ListRange) or bound.parts:
        return ", ".join(f"{aspect} {limits}" for aspect, limits in bound.aspects)
    return f"{bound.heaps} heaps of {bound.size}"
