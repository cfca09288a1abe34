"""Receipts: the evidence of one settled claim, declared, made from a result, stored, and read from a stranger's file.

A receipt names the claim and a digest of all it rests on, what was asked, the verdict, and everything the verdict was
drawn from, so that `checks verify` can draw it again. receipt.schema.json beside this file is made from the records.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from checks.receipts.strangers import BadJson, list_files, read_json
from checks.results.model import (
    SEARCHES,
    ClaimResult,
    MutantResult,
    SettledLemma,
    decide_by_scope,
    is_refuted_by_proof,
)
from checks.results.records import (
    INLINE,
    KEYED,
    OMITTED,
    SINCE,
    Among,
    AtLeast,
    BadRecord,
    Form,
    Schema,
    make_schema,
    read_record,
    write_record,
)
from checks.results.shown import Json, NamedValues, PlayableClaim, Step, encode
from checks.results.verdicts import Verdict
from checks.results.wording import find_marks
from claims.language.errors import NimChecksError, escape_invisible, quote
from claims.language.files.claim import Judgement
from claims.language.files.library import Entry
from claims.language.files.toml import display_path
from claims.language.versions import find_version
from encoders.logic.answer import ClosedForm, Decision, Fallback, ObligationStatus
from encoders.proving.registry import PROVERS
from encoders.trust import Coverage, Trusted, read_coverage, read_trusted

if TYPE_CHECKING:
    from checks.judgement.scopes import Options

FORMAT: Final = 2
TOOL: Final = "checks"


class BadReceipt(NimChecksError):
    """A receipt that cannot be read, or whose claim is gone or has changed."""


# -- forms of values ---------------------------------------------------------------------------------------------------
def _match(pattern: str, value: Json) -> str | None:
    return value if isinstance(value, str) and re.fullmatch(pattern, value) else None


def _make_text_form(expected: str, pattern: str) -> Form[str]:
    schema: Schema = {"type": "string", "pattern": f"^{pattern}$"}
    return Form(expected, schema, read=lambda value: _match(pattern, value))


_ROUTES = (*SEARCHES, *PROVERS)
SHA256 = _make_text_form("a SHA-256: 64 hexadecimal digits", "[0-9a-f]{64}")
FORMULA = _make_text_form(SHA256.expected, "([0-9a-f]{64})?")
COVERAGE = Form(
    'a text that is a bound, such as "all", "< 2^62" or "1..9"',
    {"type": "string"},
    str,
    lambda value: read_coverage(value) if isinstance(value, str) else None,
)
BOUND = Form(
    "a text of digits",
    {"type": "string", "pattern": "^[1-9][0-9]*$"},
    str,
    lambda value: int(found) if (found := _match("[1-9][0-9]{0,1200}", value)) else None,
)
ROUTE = Form(
    f"one of {', '.join(_ROUTES)}",
    {"type": "string", "pattern": "^[a-z][a-z0-9-]*$"},
    read=lambda value: value if isinstance(value, str) and value in _ROUTES else None,
)
TRUSTED = Form[Trusted](
    "a text", {"type": "string"}, str, lambda value: read_trusted(value) if isinstance(value, str) else None
)
VARIABLES = Form[dict[str, Json]](
    "an object: the value of each variable",
    {
        "type": "object",
        "additionalProperties": {"anyOf": [{"type": x} for x in ("integer", "string", "boolean", "array")]},
    },
    dict,
    lambda value: value if isinstance(value, dict) else None,
)
Count = Annotated[int, AtLeast(0)]
Number = Annotated[int, AtLeast(None)]
Below = Annotated[
    Annotated[int, BOUND] | None,
    "What all numbers of a case must lie below for a proof to cover it; null for no bound.",
]
Covered = Annotated[tuple[tuple[str, Annotated[Coverage, COVERAGE]], ...], KEYED]
Heap = (
    Annotated[int, AtLeast(1)]
    | Annotated[tuple[Number | tuple[Number, ...], ...], "A heap with parts, in the order of its ruleset."]
)


# -- the parts of a receipt --------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ReceiptTool:
    name: Literal["checks"]
    version: str


@dataclass(frozen=True)
class Asked:
    profile: Annotated[str, Among(("quick", "deep"))]
    overrides: Annotated[tuple[tuple[str, str], ...], KEYED, "--set, as far as it concerns the claim."]
    routes: Annotated[tuple[Annotated[str, ROUTE], ...], "--route; none for all."]
    steps: Annotated[int, AtLeast(1), "Z3's steps for each obligation."]
    second: Annotated[bool, "Whether cvc5 was asked too."]


@dataclass(frozen=True)
class Outcome:
    verdict: Annotated[Verdict, Among(tuple(v for v in Verdict if v is not Verdict.ERROR))]
    scope: Annotated[Covered, "Per variable what the verdict covers, as in report.json."]
    cases: Count
    cases_with_hypotheses: Count
    not_established: str
    error: Annotated[str, "Where the verdict is inconsistent: why."]


@dataclass(frozen=True)
class ReplayCase:
    """A case to be judged again: what it is, the judgement to expect, its variables as the JSON has them."""

    kind: Annotated[str, Among(("counterexample", "witness"))]
    judgement: Annotated[Judgement, Among((Judgement.FAILS, Judgement.HOLDS))]
    variables: Annotated[dict[str, Json], VARIABLES]
    smallest: Annotated[
        bool, OMITTED, "false where smaller cases of the scope were not all searched; no such key where they were"
    ] = True


@dataclass(frozen=True)
class JudgedCase:
    said: Judgement
    found: Judgement


@dataclass(frozen=True)
class RefereePart:
    """`sampled`: 0 where machine code gave no answer."""

    rechecked: Count
    differs: Annotated[bool, "Whether it judged a sampled case otherwise than the exhaustive route."]
    replays: Annotated[
        tuple[JudgedCase, ...], "What a route said of a case that it showed, and what the referee found."
    ]
    sampled: Annotated[
        int,
        AtLeast(1),
        OMITTED,
        "How many cases of what machine code found the referee was to evaluate again; no such key where it gave no "
        "answer. Cases beyond the referee's limits are skipped: rechecked says how many were evaluated and confirmed.",
    ] = 0

    @property
    def pairs(self) -> tuple[tuple[Judgement, Judgement], ...]:
        """(what a route says of a case, what the referee says), as in `Evidence.replays`."""
        return tuple((x.said, x.found) for x in self.replays)


@dataclass(frozen=True)
class ReceiptRoute:
    """One route, as in `checks.results.model.RouteRecord`."""

    encoder: Annotated[str, ROUTE]
    answer: Decision
    scope: Covered
    cases: Count
    below: Below
    covered: Annotated[Covered, SINCE, "What was looked at in full before a limit was met; empty where none was."] = ()
    engines: Annotated[tuple[str, ...], SINCE, "What solved the games of the claim, in alphabetical order."] = ()
    fallbacks: Annotated[
        tuple[Fallback, ...],
        AtLeast(1),
        OMITTED,
        "The engines that were asked and did not answer, and why; no such key where there is none.",
    ] = ()


@dataclass(frozen=True)
class ReceiptObligation:
    """One obligation, as in `encoders.logic.answer.Obligation`."""

    name: str
    result: ObligationStatus
    detail: str
    note: str
    formula: Annotated[str, FORMULA, "SHA-256 of the query as SMT-LIB text; empty where none was built."]

    def fault(self) -> tuple[str, str] | None:
        return ("formula", SHA256.expected) if self.result is ObligationStatus.PROVED and not self.formula else None


@dataclass(frozen=True)
class ReceiptLemma:
    claim: Annotated[str, "The id of the claim."]
    digest: Annotated[str, SHA256, "SHA-256 over all that it rests on, as it was read."]
    verdict: Verdict | None
    by_proof: Annotated[bool, "Whether its [proof] went through, if it has one."]
    needed: Annotated[bool, "Whether some obligation may make use of it."]
    scope: Covered
    below: Below


@dataclass(frozen=True)
class BoardMove:
    to: tuple[Heap, ...]
    place: Annotated[int, AtLeast(0), "The number of the place after the move."]


@dataclass(frozen=True)
class BoardPart:
    position: tuple[Heap, ...]
    mover: str
    answers: Annotated[bool, "Whether the page moves here, by its one move."]
    moves: tuple[BoardMove, ...]


@dataclass(frozen=True)
class Board:
    """The positions, moves and answers of a board, without its words."""

    reader: str
    places: tuple[BoardPart, ...]


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """All that a receipt says, in its order."""

    format: Literal[2] = FORMAT
    tool: ReceiptTool
    claim: Annotated[str, "The id of the claim."]
    file: Annotated[str, "Its file, as a person would type it."]
    digest: Annotated[
        str,
        SHA256,
        "SHA-256 over all that the claim rests on: its file, rulesets, borrowed proofs, shared definitions, and the "
        "same of its lemmas.",
    ]
    asked: Annotated[Asked, "What the run was asked for."]
    outcome: Annotated[Outcome, INLINE]
    replay: Annotated[
        tuple[ReplayCase, ...],
        "The cases that can be judged again: a position is an ascending list of heaps, a player a name, an integer "
        "beyond 2^53 a text.",
    ]
    referee: Annotated[RefereePart, "What the referee found in the run."]
    routes: Annotated[tuple[ReceiptRoute, ...], AtLeast(1)]
    obligations: tuple[ReceiptObligation, ...]
    lemmas: Annotated[
        tuple[ReceiptLemma, ...],
        SINCE,
        "The claims that the proof rests on, with what the run found of each; verdict null where it did not settle "
        "that text. Receipts of before there were lemmas do without.",
    ] = ()
    trusted: Annotated[
        tuple[Annotated[Trusted, TRUSTED], ...], "Theorems and rules taken on trust, in alphabetical order."
    ]
    closed_form: ClosedForm | None
    mutants: tuple[MutantResult, ...] | None
    board: Annotated[
        Board | None,
        SINCE,
        "The claim as a game: the first place is where it begins. Receipts of before there were boards do without.",
    ] = None
    seal: Annotated[
        str,
        SHA256,
        "SHA-256 of all of this but the seal, as compact JSON in ASCII, keys in their order. It shows an edit; it "
        "proves nothing.",
    ]

    @property
    def settled_lemmas(self) -> tuple[SettledLemma, ...]:
        """The lemmas as the run found them."""
        return tuple(
            SettledLemma(x.claim, x.digest, x.verdict, x.by_proof, x.scope, x.below, needed=x.needed)
            for x in self.lemmas
        )

    @property
    def extras(self) -> tuple[str, ...]:
        """What stands beside the verdict."""
        found = {"closed form": self.closed_form, "mutants": self.mutants}
        return tuple(name for name, value in found.items() if value is not None)


@dataclass(frozen=True, kw_only=True)
class StoredReceipt(Receipt):
    """A receipt that was read. `data`: all that its file holds."""

    path: Path
    data: dict[str, Json]


def make_receipt_schema() -> Schema:
    """The JSON Schema of receipts."""
    about = (
        "The evidence of one settled claim, as `checks run` writes it to receipts/<id>.json and `checks verify` reads "
        "it: at most 1 MiB, 8 levels deep, 50 000 values, integers of at most 40 digits and no other numbers, keys in "
        "the order of this schema."
    )
    return make_schema(Receipt, "A receipt of nim-checks, format 2", about)


# -- reading -----------------------------------------------------------------------------------------------------------
def read_receipt(path: Path) -> StoredReceipt:
    """The receipt in a file. Raises BadReceipt."""
    try:
        data = read_json(path)
        if not isinstance(data, dict) or type(data.get("format")) is not int or data["format"] != FORMAT:
            found = f"format {quote(data['format'])}" if isinstance(data, dict) and "format" in data else quote(data)
            raise BadReceipt(
                f"{path}: not a receipt of format {FORMAT}, but {found}; expected a file written by `checks run`"
            )
        receipt = read_record(Receipt, path, data)
    except (BadJson, BadRecord) as error:
        raise BadReceipt(str(error)) from None
    return StoredReceipt(**vars(receipt), path=path, data=data)


# -- making ------------------------------------------------------------------------------------------------------------
def make_receipt(result: ClaimResult, entry: Entry, options: Options, version: str) -> dict[str, Json]:
    """The receipt of a result, as JSON data. It is made from the result alone: no file is read again."""
    found, evidence, board = result.finding, result.finding.evidence, result.presentation.board
    assert evidence is not None
    names = {name for name, _ in result.statement.domains}
    data = write_record(
        Receipt(
            tool=ReceiptTool(TOOL, version),
            claim=entry.id,
            file=display_path(entry.path),
            digest=result.provenance.digest,
            asked=Asked(
                profile=options.profile,
                overrides=tuple((n, value) for n, value in options.overrides if n.partition(".")[0] in names),
                routes=options.routes,
                steps=options.effort.steps,
                second=options.effort.second,
            ),
            outcome=Outcome(
                verdict=result.verdict,
                scope=found.scope,
                cases=found.cases,
                cases_with_hypotheses=found.cases_with_hypotheses,
                not_established=found.not_established,
                error=found.error,
            ),
            replay=_list_cases(result),
            referee=RefereePart(
                rechecked=found.rechecked,
                differs=evidence.differs,
                replays=tuple(JudgedCase(said, judged) for said, judged in evidence.replays),
                sampled=found.sampled,
            ),
            routes=tuple(
                ReceiptRoute(r.encoder, r.answer, r.scope, r.cases, r.below, r.covered, r.engines, r.fallbacks)
                for r in found.routes
            ),
            obligations=tuple(
                ReceiptObligation(o.name, o.result, o.detail, o.note, o.formula) for o in found.obligations
            ),
            lemmas=tuple(
                ReceiptLemma(x.id, x.digest, x.verdict, x.by_proof, x.needed, x.scope, x.below) for x in found.lemmas
            ),
            trusted=tuple(map(read_trusted, found.trusted)),
            closed_form=result.presentation.closed_form,
            mutants=found.mutants,
            board=None if board is None else make_board(board),
            seal="",
        )
    )
    return {**data, "seal": seal(data)}


def make_board(board: PlayableClaim) -> Board:
    """What a receipt says of a board."""
    return Board(
        board.reader,
        tuple(
            BoardPart(x.position, x.mover, x.answers, tuple(BoardMove(after, number) for after, number in x.moves))
            for x in board.places
        ),
    )


def seal(data: dict[str, Json]) -> str:
    """SHA-256 of what a receipt says, in its order, but for the seal itself: it shows an edit, and proves nothing."""
    content = {key: value for key, value in data.items() if key != "seal"}
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()


def _list_cases(result: ClaimResult) -> tuple[ReplayCase, ...]:
    """The cases that anyone can judge again, with the judgement to expect; a witness may be where the claim fails."""
    found: list[ReplayCase] = []
    assert result.finding.evidence is not None
    answers = result.finding.evidence.answers
    if result.verdict is Verdict.INCONSISTENT or not (decide_by_scope(answers).settles or is_refuted_by_proof(answers)):
        return ()
    if result.finding.counterexample is not None:
        case = result.finding.counterexample
        found.append(ReplayCase("counterexample", Judgement.FAILS, _encode_values(case.variables), case.smallest))
    if result.finding.witness is not None:
        variables = _encode_values(result.finding.witness)
        fails = bool(found) and variables == found[0].variables
        found.append(ReplayCase("witness", Judgement.FAILS if fails else Judgement.HOLDS, variables))
    return tuple(found)


def _encode_values(values: NamedValues) -> dict[str, Json]:
    return {name: encode(value) for name, value in values}


# == files ============================================================================================================
# Where receipts and other evidence lie in the folder of the reports, and how they are written there.
RECEIPTS = "receipts"  # their folder, in that of the reports
QUERIES, OBLIGATIONS = "smt2", "proofs"  # the folders of what was asked of solvers
OUTSIDE = "_outside"  # the folder of receipts of claims whose id is no plain path
_PLAIN = re.compile(r"(?!.*\.(?:json|smt2|txt)$)\w(?:[\w+@ .-]{0,78}[\w+-])?", re.ASCII | re.IGNORECASE)


def version() -> str:
    """Our installed version, or "unknown" in a bare checkout."""
    return find_version("nim-checks") or "unknown"


def write_receipt(result: ClaimResult, entry: Entry, options: Options, folder: Path, version: str) -> Path:
    """Write the receipt below `folder`, at <id>.json; an id that is no plain path gets a name of its own."""
    path = find_place(folder, entry.id, ".json")
    text = (
        escape_invisible(json.dumps(make_receipt(result, entry, options, version), indent=1, ensure_ascii=False)) + "\n"
    )
    store(path, text)
    return path


def locate_receipt(result: ClaimResult) -> str:
    """Where the receipt of a result lies in the folder of the reports; "" where it has none."""
    return find_place(Path(RECEIPTS), result.id, ".json").as_posix() if _has_receipt(result) else ""


def list_stale(results: Sequence[ClaimResult], report: Path) -> list[str]:
    """The receipts in a folder of reports that are of none of these results, by their names there, in order."""
    kept = {find_place(report / RECEIPTS, r.id, ".json") for r in results if _has_receipt(r)}
    files = list_files(report, RECEIPTS)
    return [path.relative_to(report / RECEIPTS).as_posix() for path, linked in files if not linked and path not in kept]


def _has_receipt(result: ClaimResult) -> bool:
    return result.verdict is not Verdict.ERROR and result.finding.evidence is not None


def write_queries(result: ClaimResult, folder: Path) -> None:
    """Keep the query of every obligation that was not discharged, at <id>/<number>.smt2, for any solver to look at."""
    for number, obligation in enumerate(result.finding.obligations, 1):
        if obligation.smt2:
            path = find_place(folder, result.id, "") / f"{number:02d}.smt2"
            name = " ".join(f"{result.id}: {obligation.name}".split())
            store(path, f"; {name}\n{obligation.smt2}")


def write_obligations(result: ClaimResult, folder: Path) -> None:
    """Write what was asked of solvers for the claim's proof, at <id>.txt: each obligation, what became of it, its text.

    It has no times, so that two runs can be compared.
    """
    if result.presentation.proof is None or not result.finding.obligations:
        return
    texts = {asked.name: asked.text for asked in result.presentation.proof.obligation_texts}
    parts = []
    for mark in find_marks(result, (Step(o.name, o.name) for o in result.finding.obligations)):
        assert mark.obligation is not None
        lines = [f"{' '.join(mark.name.split())}: {' '.join(mark.description.split())}"]
        lines += [f"  {line}" for line in texts.get(mark.name, "").splitlines()]
        lines += [f"  SHA-256: {mark.obligation.formula}"] if mark.obligation.formula else []
        parts.append("\n".join(lines))
    store(find_place(folder, result.id, ".txt"), "\n\n".join(parts) + "\n")


def place(id: str) -> tuple[str, ...]:
    """The folders and the name, without suffix, of what is kept about a claim; different ids have different ones.

    >>> place("kl-nim/lemma-11"), place("../x")[0], place("_outside/x")[0], place("a.json/b")[0]
    (('kl-nim', 'lemma-11'), '_outside', '_outside', '_outside')
    """
    parts = tuple(id.split("/"))
    if parts[0] != OUTSIDE and all(_PLAIN.fullmatch(part) for part in parts):
        return parts
    label = re.sub(r"[^A-Za-z0-9-]+", "-", parts[-1])[:40].strip("-")
    digest = hashlib.sha256(id.encode("utf-8", "backslashreplace")).hexdigest()[:32]
    return (OUTSIDE, f"{label}-{digest}" if label else digest)


def find_twice(entries: Sequence[Entry]) -> tuple[Entry, Entry] | None:
    """Two entries with one id, or with ids that differ in capitals alone, as file systems may not; or None."""
    met: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        other = met.setdefault(tuple(part.casefold() for part in place(entry.id)), entry)
        if other is not entry:
            return other, entry
    return None


def find_place(folder: Path, id: str, suffix: str) -> Path:
    """The path below the folder of what is kept about a claim."""
    *folders, name = place(id)
    return folder.joinpath(*folders, name + suffix)


def find_report(path: Path, id: str) -> Path | None:
    """The folder of the reports in which a run left a file about a claim; None where it lies elsewhere."""
    path, ours = path.absolute(), place(id)
    if (*path.parts[len(path.parts) - len(ours) : -1], path.stem) != ours:
        return None
    return path.parents[len(ours)]


def store(path: Path, text: str) -> None:
    """Replace the file by a complete one, or leave it; a file of our own with that text is left. Raises OSError."""
    # A file name that is not UTF-8 reaches us with lone surrogates: \udcxx is valid in JSON and harmless elsewhere.
    data = text.encode("utf-8", "backslashreplace")
    if _holds(path, data):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _holds(path: Path, data: bytes) -> bool:
    """Whether a plain file, known by no other name, is there with just these bytes."""
    try:
        found = path.lstat()
        return stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and path.read_bytes() == data
    except OSError:
        return False
