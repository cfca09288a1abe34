"""Receipts: files with the evidence for one settled claim each. This module defines, writes and reads receipts.

A receipt contains the id of the claim, a digest of its files, the options of the run, and the verdict with the evidence
from which it follows. `checks verify` derives the verdict again. The file receipt.schema.json in this folder is
generated from the records of this module.
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
    """A receipt cannot be read, or its claim is missing or has changed. The message gives the reason."""


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
    "A proof covers a case only if all numbers of the case are below this bound; null for no bound.",
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
    overrides: Annotated[tuple[tuple[str, str], ...], KEYED, "The options --set that concern the claim."]
    routes: Annotated[tuple[Annotated[str, ROUTE], ...], "The routes of --route; empty for all routes."]
    steps: Annotated[int, AtLeast(1), "The limit on the steps of Z3 for each obligation."]
    second: Annotated[bool, "Whether each obligation was also given to cvc5."]


@dataclass(frozen=True)
class Outcome:
    verdict: Annotated[Verdict, Among(tuple(v for v in Verdict if v is not Verdict.ERROR))]
    scope: Annotated[Covered, "The values that the verdict covers for each variable, as in report.json."]
    cases: Count
    cases_with_hypotheses: Count
    not_established: str
    error: Annotated[str, "The reason for the verdict inconsistent; empty for other verdicts."]


@dataclass(frozen=True)
class ReplayCase:
    """A case that `checks verify` evaluates again: a counterexample or a witness.

    `judgement`: whether the claim holds or fails at the case. `variables`: the values of the variables, as JSON data.
    """

    kind: Annotated[str, Among(("counterexample", "witness"))]
    judgement: Annotated[Judgement, Among((Judgement.FAILS, Judgement.HOLDS))]
    variables: Annotated[dict[str, Json], VARIABLES]
    smallest: Annotated[
        bool, OMITTED, "false if smaller cases of the scope were not searched; the key is missing if all were searched"
    ] = True


@dataclass(frozen=True)
class JudgedCase:
    said: Judgement
    found: Judgement


@dataclass(frozen=True)
class RefereePart:
    """The results of the referee in the run.

    `rechecked`: the number of cases at which the referee agreed with the routes.
    `sampled`: the number of cases that the referee had to evaluate again because machine code had searched the scope,
    or large tables of two heaps had answered; otherwise 0.
    """

    rechecked: Count
    differs: Annotated[bool, "Whether the referee and the exhaustive route disagreed about a sampled case."]
    replays: Annotated[
        tuple[JudgedCase, ...],
        "For each case that a route gave: the judgement of the route, and the judgement of the referee.",
    ]
    sampled: Annotated[
        int,
        AtLeast(1),
        OMITTED,
        "The number of cases that the referee had to evaluate again because machine code had searched the scope, or "
        "large tables of two heaps had answered; the key is missing otherwise. Some cases may be beyond its limits; "
        "rechecked counts the confirmed ones.",
    ] = 0

    @property
    def pairs(self) -> tuple[tuple[Judgement, Judgement], ...]:
        """The pairs (judgement of a route, judgement of the referee), one for each case that a route has shown."""
        return tuple((x.said, x.found) for x in self.replays)


@dataclass(frozen=True)
class ReceiptRoute:
    """The answer of one route, with the scope that it covers. Fields: see `checks.results.model.RouteRecord`."""

    encoder: Annotated[str, ROUTE]
    answer: Decision
    scope: Covered
    cases: Count
    below: Below
    covered: Annotated[
        Covered,
        SINCE,
        "The part of the scope that was searched completely before a limit was reached; empty if no limit was reached.",
    ] = ()
    engines: Annotated[
        tuple[str, ...], SINCE, "The engines that solved the games of the claim, in alphabetical order."
    ] = ()
    fallbacks: Annotated[
        tuple[Fallback, ...],
        AtLeast(1),
        OMITTED,
        "The engines that did not answer, with the reasons; the key is missing if there are none.",
    ] = ()


@dataclass(frozen=True)
class ReceiptObligation:
    """An obligation of the proof and its result. The fields are as in `encoders.logic.answer.Obligation`."""

    name: str
    result: ObligationStatus
    detail: str
    note: str
    formula: Annotated[str, FORMULA, "SHA-256 of the query as SMT-LIB text; empty if there is no query."]

    def fault(self) -> tuple[str, str] | None:
        return ("formula", SHA256.expected) if self.result is ObligationStatus.PROVED and not self.formula else None


@dataclass(frozen=True)
class ReceiptLemma:
    claim: Annotated[str, "The id of the claim."]
    digest: Annotated[str, SHA256, "SHA-256 of all inputs of the lemma, as they were read."]
    verdict: Verdict | None
    by_proof: Annotated[bool, "Whether the [proof] of the lemma was accepted, if it has one."]
    needed: Annotated[bool, "Whether an obligation may use the lemma."]
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
    answers: Annotated[bool, "Whether the page, not the reader, makes the move at this place; then there is one move."]
    moves: tuple[BoardMove, ...]


@dataclass(frozen=True)
class Board:
    """The board of a claim, on which a reader plays against the page, without the texts that it shows."""

    reader: str
    places: tuple[BoardPart, ...]


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """The content of a receipt. The fields are in the order of the keys in the file."""

    format: Literal[2] = FORMAT
    tool: ReceiptTool
    claim: Annotated[str, "The id of the claim."]
    file: Annotated[str, "The path of the claim file, as a user would type it."]
    digest: Annotated[
        str,
        SHA256,
        "SHA-256 of all inputs of the claim: its file, rulesets, the proofs that it takes over, shared definitions, "
        "and the inputs of its lemmas.",
    ]
    asked: Annotated[Asked, "The options of the run that can change the verdict."]
    outcome: Annotated[Outcome, INLINE]
    replay: Annotated[
        tuple[ReplayCase, ...],
        "The cases that can be judged again. A position is an ascending list of heaps; a player is a name; an integer "
        "beyond 2^53 is a text.",
    ]
    referee: Annotated[RefereePart, "The findings of the referee in the run."]
    routes: Annotated[tuple[ReceiptRoute, ...], AtLeast(1)]
    obligations: tuple[ReceiptObligation, ...]
    lemmas: Annotated[
        tuple[ReceiptLemma, ...],
        SINCE,
        "The claims that the proof uses as lemmas, with their results. The verdict is null if the run did "
        "not settle this version of the lemma. Old receipts may lack this key.",
    ] = ()
    trusted: Annotated[
        tuple[Annotated[Trusted, TRUSTED], ...], "The trusted theorems and rules, in alphabetical order."
    ]
    closed_form: ClosedForm | None
    mutants: tuple[MutantResult, ...] | None
    board: Annotated[
        Board | None,
        SINCE,
        "The claim as a game, which begins at the first place. Old receipts may lack this key.",
    ] = None
    seal: Annotated[
        str,
        SHA256,
        "SHA-256 of the receipt without the seal, as compact JSON in ASCII with the keys in order. It reveals an edit, "
        "but proves nothing.",
    ]

    @property
    def settled_lemmas(self) -> tuple[SettledLemma, ...]:
        """The lemmas of the proof, with their results in the run, as records for the judgement of the claim."""
        return tuple(
            SettledLemma(x.claim, x.digest, x.verdict, x.by_proof, x.scope, x.below, needed=x.needed)
            for x in self.lemmas
        )

    @property
    def extras(self) -> tuple[str, ...]:
        """The names of the additional results that the receipt contains: "closed form", "mutants", both or none."""
        found = {"closed form": self.closed_form, "mutants": self.mutants}
        return tuple(name for name, value in found.items() if value is not None)


@dataclass(frozen=True, kw_only=True)
class StoredReceipt(Receipt):
    """A receipt that was read from the file `path`. `data`: the JSON data of the file."""

    path: Path
    data: dict[str, Json]


def make_receipt_schema() -> Schema:
    """Return the JSON Schema of receipts."""
    about = (
        "The evidence for one settled claim. `checks run` writes it to receipts/<id>.json; `checks verify` reads it. "
        "The file has at most 1 MiB, 10 levels and 50 000 values. Its numbers are integers of at most 40 digits, and "
        "its keys are in the order of this schema."
    )
    return make_schema(Receipt, "A receipt of nim-checks, format 2", about)


# -- reading -----------------------------------------------------------------------------------------------------------
def read_receipt(path: Path) -> StoredReceipt:
    """Read the receipt in a file. Raises BadReceipt if the file is missing, or not a valid receipt of this format."""
    try:
        data = read_json(path)
        if not isinstance(data, dict) or type(data.get("format")) is not int or data["format"] != FORMAT:
            found = f"format {quote(data['format'])}" if isinstance(data, dict) and "format" in data else quote(data)
            raise BadReceipt(
                f"{path}: the file contains {found}; expected a receipt of format {FORMAT}, as `checks run` writes it"
            )
        receipt = read_record(Receipt, path, data)
    except (BadJson, BadRecord) as error:
        raise BadReceipt(str(error)) from None
    return StoredReceipt(**vars(receipt), path=path, data=data)


# -- making ------------------------------------------------------------------------------------------------------------
def make_receipt(result: ClaimResult, entry: Entry, options: Options, version: str) -> dict[str, Json]:
    """Return the receipt of a result as JSON data, including its seal. It depends only on the arguments."""
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
    """Return a board in the form in which receipts contain it: positions and moves, without texts."""
    return Board(
        board.reader,
        tuple(
            BoardPart(x.position, x.mover, x.answers, tuple(BoardMove(after, number) for after, number in x.moves))
            for x in board.places
        ),
    )


def seal(data: dict[str, Json]) -> str:
    """Return the *seal* of a receipt or another sealed file: the SHA-256 of all keys except `seal`.

    A wrong seal reveals that the file was edited. A correct seal proves nothing, because anyone can compute it.
    """
    content = {key: value for key, value in data.items() if key != "seal"}
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()


def _list_cases(result: ClaimResult) -> tuple[ReplayCase, ...]:
    """Return the counterexample and the witness, if they exist, with the expected judgements.

    Both may be the same case; then the claim fails at the witness. Return () if no route settles the claim, or if the
    verdict is "inconsistent".
    """
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
# The paths of receipts and other evidence in the folder of the reports, and the writing of these files.
RECEIPTS = "receipts"  # the folder of receipts in the folder of the reports
QUERIES, OBLIGATIONS = "smt2", "proofs"  # the folders of the queries to solvers
OUTSIDE = "_outside"  # the folder of receipts of claims whose id is not a plain path
_PLAIN = re.compile(r"(?!.*\.(?:json|smt2|txt)$)\w(?:[\w+@ .-]{0,78}[\w+-])?", re.ASCII | re.IGNORECASE)


def version() -> str:
    """Return the installed version of this package, or "unknown" if it is not installed."""
    return find_version("nim-checks") or "unknown"


def write_receipt(result: ClaimResult, entry: Entry, options: Options, folder: Path, version: str) -> Path:
    """Write the receipt to <id>.json in `folder`, and return the path of this file.

    If the id of the claim is not suitable as a path, the name of the file is made from a digest: see `place`.
    """
    path = find_place(folder, entry.id, ".json")
    text = (
        escape_invisible(json.dumps(make_receipt(result, entry, options, version), indent=1, ensure_ascii=False)) + "\n"
    )
    store(path, text)
    return path


def locate_receipt(result: ClaimResult) -> str:
    """Return the path of the receipt, relative to the folder of the reports; "" if the result has no receipt."""
    return find_place(Path(RECEIPTS), result.id, ".json").as_posix() if _has_receipt(result) else ""


def list_stale(results: Sequence[ClaimResult], report: Path) -> list[str]:
    """Return the names of those receipts in a folder of reports that do not belong to any of the results, sorted.

    An earlier run has written them.
    """
    kept = {find_place(report / RECEIPTS, r.id, ".json") for r in results if _has_receipt(r)}
    files = list_files(report, RECEIPTS)
    return [path.relative_to(report / RECEIPTS).as_posix() for path, linked in files if not linked and path not in kept]


def _has_receipt(result: ClaimResult) -> bool:
    return result.verdict is not Verdict.ERROR and result.finding.evidence is not None


def write_queries(result: ClaimResult, folder: Path) -> None:
    """Write the solver query of each obligation that was not proved to <id>/<number>.smt2, in the format SMT-LIB."""
    for number, obligation in enumerate(result.finding.obligations, 1):
        if obligation.smt2:
            path = find_place(folder, result.id, "") / f"{number:02d}.smt2"
            name = " ".join(f"{result.id}: {obligation.name}".split())
            store(path, f"; {name}\n{obligation.smt2}")


def write_obligations(result: ClaimResult, folder: Path) -> None:
    """Write the obligations of a proof to <id>.txt, each with its result and its text.

    The file contains no times, so that the files of two runs can be compared.
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
    """Return the path of the files about a claim as a tuple of folders and a name without suffix.

    Different ids give different paths. If the id is not suitable as a path, the folder is `_outside`, and the name
    contains a digest of the id.
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
    """Return two claims whose files would have the same path if upper and lower case are not distinguished, or None."""
    met: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        other = met.setdefault(tuple(part.casefold() for part in place(entry.id)), entry)
        if other is not entry:
            return other, entry
    return None


def find_place(folder: Path, id: str, suffix: str) -> Path:
    """Return the path of the file about a claim in `folder`, such as folder/kl-nim/lemma-11.json."""
    *folders, name = place(id)
    return folder.joinpath(*folders, name + suffix)


def find_report(path: Path, id: str) -> Path | None:
    """Return the folder of the reports that contains a file about a claim: `out` for out/receipts/nim/bouton.json.

    Return None if the file is not at the path that belongs to the claim `id`.
    """
    path, ours = path.absolute(), place(id)
    if (*path.parts[len(path.parts) - len(ours) : -1], path.stem) != ours:
        return None
    return path.parents[len(ours)]


def store(path: Path, text: str) -> None:
    """Write a text to a file, and create its folder. The file is replaced completely or not at all. Raises OSError.

    A file that already has this text is left unchanged, unless it has other hard links.
    """
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
    """Return whether the path is a regular file with exactly these bytes and without other hard links."""
    try:
        found = path.lstat()
        return stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and path.read_bytes() == data
    except OSError:
        return False
