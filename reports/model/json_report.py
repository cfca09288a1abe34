"""report.json, format 1, for tools. Its schema is reports/report.schema.json.

Two runs with equal results differ only under the keys `seconds`, `started` and `cached`, each on a separate line. After
`grep -vE '"(seconds|started|cached)"'`, two reports can be compared line by line.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from checks.results.model import ClaimResult, Counterexample, Fault, RunResult
from checks.results.records import (
    INLINE,
    KEYED,
    OMITTED,
    SINCE,
    AtLeast,
    Form,
    Schema,
    make_schema,
    write_record,
)
from checks.results.shown import EXACT, Json, encode
from checks.results.verdicts import Verdict
from checks.results.wording import TOOL, count_certified, find_support, is_theorem, limit_texts
from claims.language.errors import escape_invisible
from encoders.logic.answer import Decision, Fallback, ObligationStatus
from encoders.trust import Limits
from reports.model.digest import count_verdicts

FORMAT: Final = 1
WIDTH = 100
_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)

# == the records ======================================================================================================
EXACT_INTEGER = {"type": "integer", "minimum": -EXACT, "maximum": EXACT}
COUNT = Form[int](
    "a count",
    {"oneOf": [{**EXACT_INTEGER, "minimum": 0}, {"type": "string", "pattern": "^[1-9][0-9]{15,}$"}]},
)
SECONDS = Form[float](
    "seconds",
    {"type": "number", "minimum": 0},
    lambda value: round(value, 6),
)
VALUE: Schema = {
    "description": "an integer, a truth value, a player or fraction (string), a position or set or list (array)",
    "oneOf": [
        {"type": "boolean"},
        {"type": "string"},
        EXACT_INTEGER,
        {"type": "array", "items": {"$ref": "#/$defs/value"}},
    ],
}
VALUES = Form[tuple[tuple[str, object], ...]](
    "values of variables",
    {"type": "object", "additionalProperties": {"$ref": "#/$defs/value"}},
    lambda values: {name: encode(value) for name, value in values},
)
SCOPE = Form[Limits](
    "bounds of variables",
    {
        "type": "object",
        "description": "for each variable or aspect (as in s.heaps): `all`, an interval such as `1..6`, or a bound",
        "additionalProperties": {"type": "string"},
    },
    lambda limits: encode(limit_texts(limits)),
)
Seconds = Annotated[float, SECONDS]
Count = Annotated[int, COUNT]
Scope = Annotated[Limits, SCOPE]
Values = Annotated[tuple[tuple[str, object], ...], VALUES]


@dataclass(frozen=True)
class ReportTool:
    name: str
    version: str


@dataclass(frozen=True)
class RunPart:
    started: Annotated[str, "ISO 8601 with the offset from UTC, to the minute"]
    seconds: Seconds
    command: str
    interrupted: Annotated[bool, "whether Ctrl-C ended the run; claims that were not reached are inconclusive"]
    versions: Annotated[tuple[tuple[str, str], ...], KEYED, "versions of the programs, by name"]
    library: Annotated[str, "SHA-256 of the digests of the claims, in ascending order"]
    title: Annotated[str, SINCE, "the title given by --title; may be empty"] = ""


@dataclass(frozen=True)
class VerdictCounts:
    proved: Count
    verified: Count
    refuted: Count
    vacuous: Count
    inconclusive: Count
    error: Count
    inconsistent: Count


@dataclass(frozen=True)
class ObligationCounts:
    certified: Count
    proved: Count


@dataclass(frozen=True)
class CounterexamplePart:
    variables: Values
    replayed: Annotated[bool, "the referee also found that the claim fails there"]
    smallest: Annotated[bool, "no smaller case of the scope is a counterexample"]
    explanation: Annotated[str, "lines; a line that is indented by two more spaces explains the line above it"]


@dataclass(frozen=True)
class ReportRoute:
    encoder: str
    answer: Decision
    scope: Scope
    cases: Count
    seconds: Seconds
    detail: str
    covered: Annotated[Limits, SCOPE, "the part searched completely before a limit was reached, or empty"]
    engines: Annotated[tuple[str, ...], "the engines that solved the games of the claim"]
    fallbacks: Annotated[
        tuple[Fallback, ...],
        AtLeast(1),
        OMITTED,
        "the engines that did not answer, and why; the key is missing if there are none",
    ] = ()


@dataclass(frozen=True)
class ReportObligation:
    name: str
    result: ObligationStatus
    detail: Annotated[str, "where the obligation fails, or why its truth is unknown"]
    note: str
    formula: Annotated[str, "SHA-256 of the query as SMT-LIB text"]


@dataclass(frozen=True)
class ReportLemma:
    claim: Annotated[str, "the id of the lemma"]
    verdict: Annotated[Verdict | None, "the verdict of the lemma in this run; null if the run did not settle it"]
    needed: Annotated[bool, "whether an obligation may use the lemma"]


@dataclass(frozen=True)
class TrustedObligation:
    obligation: str
    solvers: tuple[str, ...]


@dataclass(frozen=True)
class SupportPart:
    certificate: Annotated[str | None, "the file of the certificates, relative to this report"]
    certified: Count
    trusted: Annotated[tuple[TrustedObligation, ...], "the obligations without a certificate"]


@dataclass(frozen=True)
class StatementPart:
    id: str
    title: str
    work: Annotated[str, "the key of the work in the bibliography; empty if the claim is not from a work"]
    locator: Annotated[str, "the place in the work, such as Lemma 11"]
    role: str
    variant_of: Annotated[str | None, "The id of the main claim of its file."]
    uses: Annotated[tuple[str, ...], "the ids of the claims that the published proof uses"]


@dataclass(frozen=True)
class EvidencePart:
    scope: Scope
    cases: Count
    cases_with_hypotheses: Count
    not_established: str
    counterexample: CounterexamplePart | None
    witness: Annotated[Values | None, "a case at which the hypotheses hold"]
    routes: tuple[ReportRoute, ...]
    obligations: Annotated[tuple[ReportObligation, ...], "the obligations of a proof"]
    lemmas: Annotated[tuple[ReportLemma, ...], "the claims that the proof uses"]
    rests_on: Annotated[SupportPart | None, "the support of a proof by obligations, in addition to its lemmas"]


@dataclass(frozen=True)
class ClaimPart:
    statement: Annotated[StatementPart, INLINE]
    verdict: Verdict
    expected: Annotated[str | None, "the verdict that the claim file expects, if any"]
    as_expected: bool | None
    evidence: Annotated[EvidencePart, INLINE]
    theorem_of_coq: Annotated[
        bool, "whether the claim in its current text, or its negation if it is refuted, is also proved in Coq"
    ]
    hints: Annotated[
        tuple[str, ...],
        "for a verified or inconclusive claim: a proof that may succeed, or what its proof lacks; not a result",
    ]
    warnings: Annotated[
        tuple[str, ...],
        "reasons why the verdict may be weak: a scope of one value, hypotheses that hold at fewer than one in a "
        "hundred cases of the scope, or a scope of another profile",
    ]
    faults: Annotated[tuple[Fault, ...], "all faults of a file that cannot be read"]
    file: Annotated[str, "the claim file, relative to the working folder if it is inside that folder"]
    line: Annotated[int, AtLeast(0), "the line of the conclusion, or of the fault; 0 if it is unknown"]
    cached: Annotated[bool, "the result comes from an earlier run"]
    seconds: Seconds


@dataclass(frozen=True)
class ReportFile:
    """report.json, in the order of its keys."""

    format: Literal[1]
    tool: ReportTool
    run: RunPart
    scope_profile: Annotated[str, "quick, deep, or another profile that the claim files define"]
    summary: Annotated[VerdictCounts, "The number of claims with each verdict, without variants."]
    statements: Annotated[
        VerdictCounts,
        "The number of statements of works with each verdict, without variants, corrections and guesses.",
    ]
    variants: Annotated[VerdictCounts, "The number of variants with each verdict."]
    obligations: Annotated[
        ObligationCounts,
        "The numbers of certified obligations and of all obligations of proved claims.",
    ]
    claims: tuple[ClaimPart, ...]


def make_report_schema() -> Schema:
    """Return the JSON Schema of report.json."""
    about = (
        "The results of a run, claim by claim. Integers beyond 2^53 are strings. Times are only under `seconds` and "
        "`started`. Two runs with equal results differ only under these keys and `cached`."
    )
    return {**make_schema(ReportFile, "report.json, format 1", about), "$defs": {"value": VALUE}}


# == making ===========================================================================================================
def to_json(run: RunResult) -> str:
    """Return report.json of a run, in format 1. Equal runs give equal texts."""
    return escape_invisible(dump(model(run))) + "\n"


def model(run: RunResult) -> dict[str, Json]:
    """Return report.json of a run as Python data (dictionaries, lists, strings ...), with keys in the fixed order."""
    return write_record(
        ReportFile(
            format=FORMAT,
            tool=ReportTool(TOOL, run.version),
            run=RunPart(run.started, run.seconds, run.command, run.interrupted, run.versions, run.library, run.title),
            scope_profile=run.profile,
            summary=_count(run.main_claims),
            statements=_count(run.statements),
            variants=_count(run.variants),
            obligations=ObligationCounts(*count_certified(run.claims)),
            claims=tuple(map(_claim, run.claims)),
        )
    )


def _count(claims: tuple[ClaimResult, ...]) -> VerdictCounts:
    return VerdictCounts(**{verdict.value: count for verdict, count in count_verdicts(claims)})


def _claim(claim: ClaimResult) -> ClaimPart:
    found, stated, source = claim.finding, claim.statement, claim.provenance
    return ClaimPart(
        statement=StatementPart(
            claim.id, stated.title, stated.work, stated.locator, stated.role, stated.variant_of or None, stated.uses
        ),
        verdict=claim.verdict,
        expected=stated.expected,
        as_expected=found.as_expected,
        evidence=EvidencePart(
            scope=found.scope,
            cases=found.cases,
            cases_with_hypotheses=found.cases_with_hypotheses,
            not_established=found.not_established,
            counterexample=None if found.counterexample is None else _counterexample(found.counterexample),
            witness=found.witness,
            routes=tuple(
                ReportRoute(
                    x.encoder, x.answer, x.scope, x.cases, x.seconds, x.detail, x.covered, x.engines, x.fallbacks
                )
                for x in found.routes
            ),
            obligations=tuple(
                ReportObligation(o.name, o.result, o.detail, o.note, o.formula) for o in found.obligations
            ),
            lemmas=tuple(ReportLemma(x.id, x.verdict, x.needed) for x in found.lemmas),
            rests_on=_support(claim),
        ),
        theorem_of_coq=is_theorem(claim),
        hints=claim.presentation.hints,
        warnings=claim.presentation.warnings,
        faults=found.faults,
        file=source.file,
        line=source.line,
        cached=source.cached,
        seconds=source.seconds,
    )


def _counterexample(found: Counterexample) -> CounterexamplePart:
    lines = "\n".join("  " * line.depth + line.text for line in found.explanation)
    return CounterexamplePart(found.variables, found.replayed, found.smallest, lines)


def _support(claim: ClaimResult) -> SupportPart | None:
    """Return the part of report.json on how the obligations of a proof were proved: by certificates or by solvers.

    Return None for a claim that is not proved by obligations.
    """
    found = find_support(claim)
    if found is None:
        return None
    trusted = tuple(TrustedObligation(name, solvers) for name, solvers in found.trusted)
    return SupportPart(claim.provenance.certificate or None, found.certified, trusted)


def dump(value: Json, indent: int = 0) -> str:
    """Return a value as JSON text. A list or object that is short and not nested deeply is written on one line.

    An object with the key `seconds` has one line for each key, so that times can be removed line by line.
    """
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
    """Return whether each element of a list or object is a scalar or a list of scalars."""
    inside = value.values() if isinstance(value, dict) else value
    return all(
        not isinstance(v, dict) and (not isinstance(v, list) or not any(isinstance(w, dict | list) for w in v))
        for v in inside
    )
