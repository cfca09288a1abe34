"""report.json, format 1: what tools may rely on. Its schema is report.schema.json beside this file.

What differs between two runs that found the same stands under the keys `seconds`, `started` and `cached`, each with
a line of its own: after `grep -vE '"(seconds|started|cached)"'` two reports can be compared line by line.
"""

from __future__ import annotations

import json

from checks.results.model import ClaimResult, Counterexample, RouteRecord, RunResult
from checks.results.phrases import count_certified, find_support, is_theorem, limit_texts
from checks.results.shown import Json, NamedValues, encode
from claims.language.errors import escape_invisible
from reports.model.digest import count_verdicts
from reports.model.wording import TOOL

FORMAT = 1
WIDTH = 100
_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def to_json(run: RunResult) -> str:
    """report.json of a run, in format 1; the same run always gives the same text."""
    return escape_invisible(dump(model(run))) + "\n"


def model(run: RunResult) -> dict[str, Json]:
    """The report as plain JSON data, keys in the order of the format."""
    return {
        "format": FORMAT,
        "tool": {"name": TOOL, "version": run.version},
        "run": _run(run),
        "scope_profile": run.profile,
        "summary": {verdict.value: count for verdict, count in count_verdicts(run.main_claims)},
        "statements": {verdict.value: count for verdict, count in count_verdicts(run.statements)},
        "variants": {verdict.value: count for verdict, count in count_verdicts(run.variants)},
        "obligations": dict(zip(("certified", "proved"), count_certified(run.claims), strict=True)),
        "claims": [_claim(claim) for claim in run.claims],
    }


def _run(run: RunResult) -> dict[str, Json]:
    return {
        "started": run.started,
        "seconds": round(run.seconds, 6),
        "command": run.command,
        "interrupted": run.interrupted,
        "versions": dict(run.versions),
        "library": run.library,
        "title": run.title,
    }


def _claim(claim: ClaimResult) -> dict[str, Json]:
    found, stated, source = claim.finding, claim.statement, claim.provenance
    return {
        "id": claim.id,
        "title": stated.title,
        "work": stated.work,
        "locator": stated.locator,
        "role": stated.role,
        "variant_of": stated.variant_of or None,
        "uses": list(stated.uses),
        "verdict": claim.verdict.value,
        "expected": stated.expected,
        "as_expected": found.as_expected,
        "scope": encode(limit_texts(found.scope)),
        "cases": encode(found.cases),
        "cases_with_hypotheses": encode(found.cases_with_hypotheses),
        "not_established": found.not_established,
        "counterexample": None if found.counterexample is None else _counterexample(found.counterexample),
        "witness": None if found.witness is None else _values(found.witness),
        "routes": [_route(route) for route in found.routes],
        "obligations": _obligations(claim),
        "lemmas": _lemmas(claim),
        "rests_on": _support(claim),
        "theorem_of_coq": is_theorem(claim),
        "hints": list(claim.presentation.hints),
        "warnings": list(claim.presentation.warnings),
        "faults": [fault.to_data() for fault in found.faults],
        "file": source.file,
        "line": source.line,
        "cached": source.cached,
        "seconds": round(source.seconds, 6),
    }


def _counterexample(found: Counterexample) -> dict[str, Json]:
    return {
        "variables": _values(found.variables),
        "replayed": found.replayed,
        "smallest": found.smallest,
        "explanation": "\n".join("  " * line.depth + line.text for line in found.explanation),
    }


def _route(route: RouteRecord) -> dict[str, Json]:
    fallbacks: list[Json] = [{"engine": x.engine, "reason": x.reason} for x in route.fallbacks]
    return {
        "encoder": route.encoder,
        "answer": route.answer,
        "scope": encode(limit_texts(route.scope)),
        "cases": encode(route.cases),
        "seconds": round(route.seconds, 6),
        "detail": route.detail,
        "covered": encode(limit_texts(route.covered)),
        "engines": list(route.engines),
        **({"fallbacks": fallbacks} if fallbacks else {}),
    }


def _obligations(claim: ClaimResult) -> list[Json]:
    return [
        {"name": o.name, "result": o.result, "detail": o.detail, "note": o.note, "formula": o.formula}
        for o in claim.finding.obligations
    ]


def _lemmas(claim: ClaimResult) -> list[Json]:
    return [
        {"claim": x.id, "verdict": None if x.verdict is None else x.verdict.value, "needed": x.needed}
        for x in claim.finding.lemmas
    ]


def _support(claim: ClaimResult) -> dict[str, Json] | None:
    """What a proof by obligations rests on."""
    found = find_support(claim)
    if found is None:
        return None
    trusted: list[Json] = [{"obligation": name, "solvers": list(solvers)} for name, solvers in found.trusted]
    return {"certificate": claim.provenance.certificate or None, "certified": found.certified, "trusted": trusted}


def _values(values: NamedValues) -> dict[str, Json]:
    return {name: encode(value) for name, value in values}


def dump(value: Json, indent: int = 0) -> str:
    """JSON text with what is short on one line; an object with `seconds` always has a line for each key."""
    if not value or not isinstance(value, dict | list):
        return _LINE.encode(value)
    timed = isinstance(value, dict) and "seconds" in value
    if not timed and _scalars(value) and len(flat := _LINE.encode(value)) <= WIDTH:
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{_LINE.encode(key)}: {dump(v, indent + 2)}" for key, v in value.items()]
    else:
        parts = [dump(v, indent + 2) for v in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{' ' * indent}{closing}"


def _scalars(value: list[Json] | dict[str, Json]) -> bool:
    """Nothing inside but scalars and lists of scalars, so that one line is easy to read."""
    inside = value.values() if isinstance(value, dict) else value
    return all(
        not isinstance(v, dict) and (not isinstance(v, list) or not any(isinstance(w, dict | list) for w in v))
        for v in inside
    )
