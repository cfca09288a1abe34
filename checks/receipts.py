"""Receipts: the machine-readable evidence of one settled claim, and replaying it.

A receipt names the claim file and a digest of all it rests on, the scope, the verdict, and the cases that anyone can
evaluate again: the counterexample or witness and the cases of the sample.  `replay` lets the referee judge them anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from checks.explain import players_of
from checks.referee import IllDefined, LimitReached, Referee
from checks.results import ClaimResult
from claims.errors import ClaimError
from claims.files import load_claim
from claims.library import Entry, select
from claims.model import Claim
from claims.source import shown
from encoders.answer import SPRAGUE_GRUNDY

FORMAT = 1


class BadReceipt(Exception):
    """A receipt that cannot be read, or whose claim is gone or has changed."""


def digest(claim: Claim) -> str:
    """SHA-256 over the claim file, its rulesets and the definitions it uses."""
    parts = [claim.source.text, *(g.ruleset.source.text for g in claim.games), *(f"{a}={b}" for a, b in claim.texts)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def receipt(result: ClaimResult, entry: Entry, version: str) -> dict[str, Any]:
    """The receipt of a result, as JSON data. Raises ClaimError if the claim file is unreadable by now."""
    claim = load_claim(entry.path, entry.id)
    cases: list[dict[str, Any]] = []
    if result.counterexample is not None:
        cases.append({"judgement": "fails", "variables": plain(dict(result.counterexample.variables))})
    elif result.witness is not None and result.verdict.holds:
        cases.append({"judgement": "holds", "variables": plain(dict(result.witness))})
    return {
        "format": FORMAT,
        "tool": {"name": "checks", "version": version},
        "claim": entry.id,
        "file": shown(entry.path),
        "digest": digest(claim),
        "verdict": result.verdict.value,
        "scope": dict(result.scope),
        "cases": result.cases,
        "cases_with_hypotheses": result.cases_with_hypotheses,
        "rechecked": result.rechecked,
        "trusted": list(result.trusted),
        "routes": [
            {"encoder": r.encoder, "answer": r.answer, "scope": dict(r.scope), "cases": r.cases} for r in result.routes
        ],
        "obligations": [
            {"name": o.name, "result": o.result, "detail": o.detail, "note": o.note} for o in result.obligations
        ],
        "closed_form": None if result.closed_form is None else asdict(result.closed_form),
        "mutants": None if result.mutants is None else [asdict(m) for m in result.mutants],
        "replay": cases,
    }


def write(result: ClaimResult, entry: Entry, folder: Path, version: str) -> Path:
    """Write the receipt below `folder`, at <id>.json; ids of files outside the library are flattened."""
    name = entry.id.replace("\\", "/").lstrip("/.").replace("../", "")
    path = folder / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(receipt(result, entry, version), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def write_queries(result: ClaimResult, folder: Path) -> None:
    """Keep the query of every obligation that was not discharged, at <id>/<number>.smt2, for any solver to look at."""
    for number, obligation in enumerate(result.obligations, 1):
        if obligation.smt2:
            path = folder / result.id.lstrip("/.") / f"{number:02d}.smt2"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"; {result.id}: {obligation.name}\n{obligation.smt2}", encoding="utf-8")


def replay(path: Path) -> list[str]:
    """Judge the cases of a receipt anew. Lines that say what was found; raises BadReceipt or Disagreement."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadReceipt(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadReceipt(f"{path}: not JSON: {error}") from None
    if (
        not isinstance(data, dict)
        or data.get("format") != FORMAT
        or not {"claim", "file", "digest", "replay"} <= set(data)
    ):
        raise BadReceipt(f"{path}: not a receipt of format {FORMAT}; expected a file written by `checks run`")
    claim = _claim(data, path)
    if digest(claim) != data["digest"]:
        raise BadReceipt(f"{path}: {claim.id} has changed since this receipt was written; run it again")
    lines = [f"{claim.id}: {data['verdict']}"]
    for item in data["replay"]:
        case = _case(claim, item["variables"])
        try:
            judgement = Referee(claim, 100_000_000, SPRAGUE_GRUNDY in data.get("trusted", [])).judge(case)
        except (LimitReached, IllDefined) as error:
            judgement = "too large" if isinstance(error, LimitReached) else f"ill-defined ({error})"
        written = ", ".join(f"{n} = {v}" for n, v in item["variables"].items()) or "the claim, which has no variables,"
        if judgement != item["judgement"]:
            raise Disagreement(f"{written}: the receipt says {item['judgement']}, the referee says {judgement}")
        lines.append(f"{written}: {judgement}, as the receipt says")
    if len(lines) == 1:
        lines.append("nothing to replay: the receipt holds no single case")
    return lines


class Disagreement(Exception):
    """The referee does not find what the receipt says."""


def _claim(data: dict[str, Any], path: Path) -> Claim:
    for word in (str(data["claim"]), str(data["file"])):
        try:
            entry = select((word,))[0]
            return load_claim(entry.path, entry.id)
        except ClaimError:
            continue
    raise BadReceipt(f"{path}: its claim {data['claim']!r} is not in the library, and {data['file']!r} is no file here")


def _case(claim: Claim, variables: dict[str, Any]) -> dict[str, Any]:
    players = players_of(claim)
    case: dict[str, Any] = {}
    for v in claim.variables:
        value = variables.get(v.name)
        if isinstance(value, list):
            value = tuple(int(x) for x in value)
        elif v.type.kind == "Player" and value in players:
            value = players.index(value)
        elif isinstance(value, str):
            value = int(value)
        if value is None:
            raise BadReceipt(f"the receipt gives no value for {v.name!r}")
        case[v.name] = value
    return case


def plain(value: Any) -> Any:
    """JSON data: tuples as lists, integers beyond 2**53 as strings."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    return value
