"""Check certificates again: each one must be a proof, and together they must prove the obligations of the claim.

The obligations are generated again from the claim file. A certificate is accepted only if it shows that the negation of
its obligation has no model. This check needs no search, because a certificate contains all steps of the proof.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from checks.judgement.findings import RefereeReview, examine_tables
from checks.receipts.certificates import (
    FOLDER,
    BadCertificate,
    CertificateEntry,
    CertifiedClaim,
    name_file,
    read_certified_claim,
)
from checks.receipts.receipt import BadReceipt, find_place, find_report, read_receipt
from checks.receipts.sources import find_copies
from checks.receipts.strangers import NOT_FOLLOWED, find_link, list_files
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError, quote
from claims.language.files.claim import Claim, base_of
from claims.language.files.library import Entry, find_shipped, select
from claims.language.files.toml import display_path, viewing_from
from claims.language.syntax.printing import TooLong
from encoders.logic.answer import Decision, RouteResult
from encoders.logic.certificates import Certificate
from encoders.logic.certificates import problem as find_problem
from encoders.logic.natural_formulas import read_problem
from encoders.logic.sequents import Sequent
from encoders.periods.tables import (
    PeriodicTable,
    QuotientTable,
    TableTooLarge,
    UnverifiedTable,
    verify,
    verify_quotient,
)
from encoders.proving.prove import spell
from encoders.proving.reading import Prover, load_claim, rule_name
from encoders.proving.registry import RULES
from encoders.refusals import Unsupported
from encoders.solvers.effort import deny

RECEIPTS = "receipts"  # in the folder of the reports
NEITHER = "there is neither a certificate file nor a receipt for it"


@dataclass(frozen=True)
class CertifyResult:
    """The result of checking the certificates of one claim.

    `claim`: the id of the claim, or the path of a file from which the id could not be read.
    `certified`: the number of obligations that have a certificate. It has a meaning only if `problem` is "".
    `trusted`: pairs (name, solvers) for the obligations without a certificate, for which solvers are trusted.
    `problem`: the reason why the certificates are refused; "" if they are accepted.
    `without`: the reason why the claim needs no certificates; "" if it has certificates, or they are refused.
    """

    claim: str
    certified: int = 0
    trusted: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problem: str = ""
    without: str = ""

    @property
    def words(self) -> str:
        """The result in words, such as `nim/bouton: 18 obligations certified`, or `REFUSED` with the reason."""
        if self.problem:
            return f"REFUSED {self.claim}: {self.problem}"
        if self.without:
            return f"{self.claim}: nothing to certify: {self.without}"
        told = f"{self.claim}: {self.certified} obligation{'s' * (self.certified != 1)} certified"
        return told + "".join(f"; trusted to {' and '.join(by)}: {name}" for name, by in self.trusted)


AnyTable = PeriodicTable | QuotientTable


def certify(report: Path, entries: Sequence[Entry] = ()) -> Iterator[CertifyResult]:
    """Check the certificates in a folder of reports.

    `entries`: the claims to check. Yield a result for each of them. Each claim must have a certificate file, or a
    receipt that shows that it needs none.
    If `entries` is empty, check all certificate files and all receipts. Yield a result for each certificate file, and
    for each receipt with a problem. In addition, each claim that `report.json` lists as proved must have a certificate
    file or a receipt.
    A symbolic link in the folder is a problem and is not followed.
    """
    if entries:
        for entry in entries:
            path = _file_of(report / FOLDER, entry.id)
            yield _check(report, path, entry) if path.is_file() else _look_at_receipt(report, entry.id)
        return
    for path, is_link in list_files(report, FOLDER):
        yield CertifyResult(_name(report, path), problem=NOT_FOLLOWED) if is_link else _check(report, path)
    for path, is_link in list_files(report, RECEIPTS):
        found = CertifyResult(_name(report, path), problem=NOT_FOLLOWED) if is_link else _look_through(report, path)
        if found.problem:
            yield found
    proved = _list_proved(report / "report.json")
    if isinstance(proved, str):
        yield CertifyResult("report.json", problem=proved)
        return
    for id in proved:
        if not any(_file_of(report / folder, id).is_file() for folder in (FOLDER, RECEIPTS)):
            yield CertifyResult(id, problem=f"report.json lists the claim as proved, but {NEITHER}")


def is_certificate(word: str) -> bool:
    """Return whether an argument of the command line is the path of an existing file *.json, instead of a claim."""
    return word.endswith(".json") and os.path.lexists(word)


def certify_file(path: Path) -> CertifyResult:
    """Check the certificates in one file, which may be in any folder.

    They must prove the current version of the claim whose id is in the file.
    """
    return _check(None, path)


def certify_in(report: Path, id: str) -> CertifyResult | None:
    """Check the certificates of one claim in a folder of reports. Return None if the folder does not contain them."""
    path = _file_of(report / FOLDER, id)
    return _check(report, path) if path.is_file() or path.is_symlink() else None


def _file_of(folder: Path, id: str) -> Path:
    return find_place(folder, id, ".json")


def _name(report: Path, path: Path) -> str:
    return path.relative_to(report).as_posix()


def _check(report: Path | None, path: Path, entry: Entry | None = None) -> CertifyResult:
    """Check a certificate file.

    `report`: the folder of the reports. The file must be at the path in it that belongs to the claim. None if the file
    may be anywhere.
    `entry`: the claim that the certificates must prove; None for the claim whose id is in the file.
    """
    name = path.as_posix() if report is None else _name(report, path)
    if report is not None and (link := find_link(report, path)):
        return CertifyResult(entry.id if entry else name, problem=f"{link}: {NOT_FOLLOWED}")
    try:
        found = read_certified_claim(path)
    except BadCertificate as error:
        return CertifyResult(name, problem=str(error))
    if report is not None and path != _file_of(report / FOLDER, found.claim):
        problem = f"{path} is not the expected path for the certificates of {quote(found.claim)}"
    else:
        with _finding_copies(find_report(path, found.claim) if report is None else report, found) as copy:
            problem = _refuse(found, entry or copy)
    trusted = tuple((o.name, o.trusted) for o in found.obligations if o.certificate is None)
    return CertifyResult(found.claim, len(found.obligations) - len(trusted), trusted, problem)


def _look_through(report: Path, path: Path) -> CertifyResult:
    """Check whether the claim of a receipt has a certificate file or needs none. `path`: the path of the receipt.

    If there is a certificate file, the result reports no problem, because `certify` checks this file separately.
    """
    try:
        id = read_receipt(path).claim
    except BadReceipt as error:
        return CertifyResult(_name(report, path), problem=str(error))
    if path != _file_of(report / RECEIPTS, id):
        return CertifyResult(id, problem=f"{path} is not the expected path for the receipt of {quote(id)}")
    return CertifyResult(id) if _file_of(report / FOLDER, id).is_file() else _look_at_receipt(report, id)


def _look_at_receipt(report: Path, id: str) -> CertifyResult:
    """Return the result for a claim without a certificate file.

    If the receipt of the claim shows that it is not proved by obligations, no certificates are needed. Otherwise, the
    missing file is a problem.
    """
    path = _file_of(report / RECEIPTS, id)
    if link := find_link(report, path):
        return CertifyResult(id, problem=f"{link}: {NOT_FOLLOWED}")
    if not path.is_file():
        return CertifyResult(id, problem=f"{NEITHER} in {report}")
    try:
        found = read_receipt(path)
    except BadReceipt as error:
        return CertifyResult(id, problem=str(error))
    if found.claim != id:
        return CertifyResult(id, problem=f"{path} is the receipt of {quote(found.claim)}")
    if found.outcome.verdict is Verdict.PROVED and found.obligations:
        return CertifyResult(id, problem="the claim is proved, but its certificates are missing")
    return CertifyResult(id, without=f"its verdict is {found.outcome.verdict.value}, without a proof")


def _list_proved(path: Path) -> list[str] | str:
    """Return the ids of the claims that report.json lists as proved; [] if this file does not exist.

    If the file cannot be read, return the reason as a text. `path`: the path of report.json.
    """
    if path.is_symlink():
        return NOT_FOLLOWED
    try:
        claims = json.loads(path.read_bytes())["claims"]
        return [str(x["id"]) for x in claims if x["verdict"] == Verdict.PROVED.value]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        return f"cannot be read: {type(error).__name__}: {error}"


def _refuse(found: CertifiedClaim, entry: Entry | None) -> str:
    """Return the reason why the certificates do not prove the claim, or "" if they prove it.

    `entry`: the claim; None for the claim whose id is in the certificate file.
    """
    claim = _load(found, entry)
    if isinstance(claim, str):
        return claim
    try:
        sequents = list(RULES[rule_name(claim)].obligations(claim, Prover())) if claim.proof else []
    except (Unsupported, TooLong) as error:
        return f"the obligations of the claim cannot be generated again: {error}"
    names = [s.name for s in sequents]
    if names != [o.name for o in found.obligations]:
        differ = "the obligations in the file are not the obligations of the claim"
        missing = [x for x in names if x not in {o.name for o in found.obligations}]
        return f"{differ}: {missing[0]!r} is missing" if missing else differ
    wrong = ((o.name, _doubt(o, s)) for o, s in zip(found.obligations, sequents, strict=True))
    problem = next((f"{name}: {problem}" for name, problem in wrong if problem), "")
    tables = (s.table for s in sequents if isinstance(s.table, PeriodicTable))
    return problem or next(filter(None, (_play(claim, table) for table in tables)), "")


def _play(claim: Claim, table: PeriodicTable) -> str:
    """Let the referee compare a table of periodic values with the game. Return the first error, or "".

    The referee determines the moves from the ruleset, independently of the table.
    """
    rule = rule_name(claim)
    reach = RULES[rule].coverage(claim, Prover())
    if reach.heaps is None:  # a case of another proof
        return ""
    said = RouteResult(rule, Decision.HOLDS, trusted=reach.trusted, solved=spell(table, reach.heaps))
    return examine_tables(claim, RefereeReview(), said).error


def _doubt(told: CertificateEntry, sequent: Sequent) -> str:
    """Return the reason why an obligation in a certificate file is refused, or "".

    `told`: the obligation in the file. `sequent`: the obligation, generated again from the claim.
    """
    if told.says != tuple(sequent.lines()):
        return "its text differs from the obligation of the claim"
    if told.certificate is None:
        return ""
    if isinstance(told.certificate, PeriodicTable | QuotientTable) or sequent.table is not None:
        return _doubt_table(told.certificate, sequent.table)
    asked = deny(read_problem(sequent), told.certificate)
    if asked is None or json.dumps(asked.to_json()) != json.dumps(told.certificate.to_json()):  # in Python 1 == True
        return "its formula is not the negation of its obligation"
    return find_problem(asked)


def _doubt_table(told: Certificate | AnyTable, asked: AnyTable | None) -> str:
    """Return the reason why a table is refused, or "".

    `told`: the table or certificate in the file. `asked`: the table that the proof of the claim uses; None if the
    obligation is not about a table.
    """
    if asked is None or told != asked:
        return "its table does not match the moves of the ruleset and the values of the proof"
    try:
        verify(asked) if isinstance(asked, PeriodicTable) else verify_quotient(asked)
    except (UnverifiedTable, TableTooLarge) as error:
        return str(error)
    return ""


def _load(found: CertifiedClaim, entry: Entry | None) -> Claim | str:
    """Load the claim that the certificates must prove, and return it.

    If it cannot be loaded, or its files differ from those of the run, return the reason as a text.
    `entry`: the claim; None for the claim whose id is in the certificate file.
    """
    own = _list_own(found)
    if not own:
        return "the certificate file does not list the file of the claim"
    entry = entry or _find(found.claim, own)
    if entry is None:
        file = f"the file {quote(own[0])}"
        return f"{file} does not exist in this folder, or does not contain the claim {quote(found.claim)}"
    name = name_file(display_path(entry.path))
    if name not in own:
        return f"the certificates belong to the claim in {quote(own[0])}, not to the claim in {quote(name)}"
    try:
        claim = load_claim(entry.path, entry.id)
    except ClaimError as error:
        return f"the claim cannot be read: {error}"
    files = {name_file(name): digest for name, digest in claim.basis.files}
    if files != found.files:
        changed = sorted(dict(files.items() ^ found.files.items()))
        return f"stale: the certificates are for another version of {', '.join(changed)}; run the claim again"
    return claim


@contextmanager
def _finding_copies(report: Path | None, found: CertifiedClaim) -> Iterator[Entry | None]:
    """Yield the claim in the report's copy of the claim file, if the original file is missing; otherwise yield None.

    A copy is used only if its digest is the one in the certificate file. Inside the `with` block, error messages then
    show the file names of the original run. `report`: the folder of the reports, or None.
    """
    own = _list_own(found)
    if report is None or not own or _find(found.claim, own) is not None:
        yield None
        return
    for copy, view in find_copies(report, own[0]):
        if hashlib.sha256(copy.read_bytes()).hexdigest() == found.files[own[0]]:
            with viewing_from(view):
                yield Entry(found.claim, copy)
                return
    yield None


def _list_own(found: CertifiedClaim) -> list[str]:
    """Return those files in the list of the certificate file whose names fit the id of the claim."""
    last = found.claim.rpartition("/")[2]
    return [name for name in found.files if base_of(last, Path(name)) in (Path(name).name, Path(name).stem)]


def _find(id: str, files: Sequence[str]) -> Entry | None:
    """Return the claim with this id, from the library or the current folder. Return None if there is none.

    `files`: the names of the files that may contain the claim, as in certificates.
    """
    library = find_shipped(id)
    if library is not None and name_file(display_path(library.path)) in files:
        return library
    for name in files:
        with suppress(ClaimError):
            entries = select((name,))
            if here := next((x for x in entries if x.id == id), None):
                return here
    return None
