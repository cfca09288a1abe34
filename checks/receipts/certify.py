"""Checking certificates again: that each holds, and that together they are what the claim, as it reads now, asks for.

Nothing is searched and nothing is believed but what can be looked at: the obligations are made again from the claim
file, and a certificate counts only if what it refutes is, letter for letter, the negation of one of them.
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
from encoders.solvers.natural_formulas import read_problem

RECEIPTS = "receipts"  # in the folder of the reports
NEITHER = "it has neither certificates nor a receipt"


@dataclass(frozen=True)
class CertifyResult:
    """A claim with how many of its obligations are certified, and those that are trusted, (name, solvers).

    `problem`: why its certificates are refused; "" if all hold.  `without`: why it needs none; "" where it has some.
    """

    claim: str
    certified: int = 0
    trusted: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problem: str = ""
    without: str = ""

    @property
    def words(self) -> str:
        """`nim/bouton: 18 obligations certified`; `REFUSED` and why; who is trusted with what."""
        if self.problem:
            return f"REFUSED {self.claim}: {self.problem}"
        if self.without:
            return f"{self.claim}: nothing to certify: {self.without}"
        told = f"{self.claim}: {self.certified} obligation{'s' * (self.certified != 1)} certified"
        return told + "".join(f"; trusted to {' and '.join(by)}: {name}" for name, by in self.trusted)


AnyTable = PeriodicTable | QuotientTable


def certify(report: Path, entries: Sequence[Entry] = ()) -> Iterator[CertifyResult]:
    """What the certificates in a folder of reports show of these claims as they read now; of all, if none is named.

    A claim that is named has certificates, or a receipt that says that it needs none.  So has each that `report.json`
    calls proved, where none is named.  Symbolic links in the folder are refused.
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
            yield CertifyResult(id, problem=f"report.json calls it proved, and {NEITHER}")


def is_certificate(word: str) -> bool:
    """Whether a word of the command line names a file of certificates, and no claim."""
    return word.endswith(".json") and os.path.lexists(word)


def certify_file(path: Path) -> CertifyResult:
    """What the certificates in one file show of the claim that it names, wherever the file lies."""
    return _check(None, path)


def certify_in(report: Path, id: str) -> CertifyResult | None:
    """Check the certificates of one claim in a folder of reports; None if there are none."""
    path = _file_of(report / FOLDER, id)
    return _check(report, path) if path.is_file() or path.is_symlink() else None


def _file_of(folder: Path, id: str) -> Path:
    return find_place(folder, id, ".json")


def _name(report: Path, path: Path) -> str:
    return path.relative_to(report).as_posix()


def _check(report: Path | None, path: Path, entry: Entry | None = None) -> CertifyResult:
    """`entry`: the claim that is to be certified; None for the one that the certificates name.

    `report`: the folder of the reports in which the file has its place; None for a file that may lie anywhere.
    """
    name = path.as_posix() if report is None else _name(report, path)
    if report is not None and (link := find_link(report, path)):
        return CertifyResult(entry.id if entry else name, problem=f"{link}: {NOT_FOLLOWED}")
    try:
        found = read_certified_claim(path)
    except BadCertificate as error:
        return CertifyResult(name, problem=str(error))
    if report is not None and path != _file_of(report / FOLDER, found.claim):
        problem = f"{path} is not where its certificates lie"
    else:
        with _finding_copies(find_report(path, found.claim) if report is None else report, found) as copy:
            problem = _refuse(found, entry or copy)
    trusted = tuple((o.name, o.trusted) for o in found.obligations if o.certificate is None)
    return CertifyResult(found.claim, len(found.obligations) - len(trusted), trusted, problem)


def _look_through(report: Path, path: Path) -> CertifyResult:
    """As `_look_at_receipt`, for whatever claim the receipt is of; nothing is said of one that has certificates."""
    try:
        id = read_receipt(path).claim
    except BadReceipt as error:
        return CertifyResult(_name(report, path), problem=str(error))
    if path != _file_of(report / RECEIPTS, id):
        return CertifyResult(id, problem=f"{path} is not where its receipt lies")
    return CertifyResult(id) if _file_of(report / FOLDER, id).is_file() else _look_at_receipt(report, id)


def _look_at_receipt(report: Path, id: str) -> CertifyResult:
    """What the receipt of a claim says that has no certificates: that it needs none, or that they are missing."""
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
        return CertifyResult(id, problem="it is proved, and has no certificates")
    return CertifyResult(id, without=f"its receipt says {found.outcome.verdict.value}, without a proof")


def _list_proved(path: Path) -> list[str] | str:
    """The claims that a report calls proved, none where there is no report; or why it cannot be read."""
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
    """Why the certificates are refused; "" if they hold and are those of the claim."""
    claim = _load(found, entry)
    if isinstance(claim, str):
        return claim
    try:
        sequents = list(RULES[rule_name(claim)].obligations(claim, Prover())) if claim.proof else []
    except (Unsupported, TooLong) as error:
        return f"its obligations are not made again: {error}"
    names = [s.name for s in sequents]
    if names != [o.name for o in found.obligations]:
        missing = [x for x in names if x not in {o.name for o in found.obligations}]
        return f"its obligations are others: {missing[0]!r} is missing" if missing else "its obligations are others"
    wrong = ((o.name, _doubt(o, s)) for o, s in zip(found.obligations, sequents, strict=True))
    problem = next((f"{name}: {problem}" for name, problem in wrong if problem), "")
    tables = (s.table for s in sequents if isinstance(s.table, PeriodicTable))
    return problem or next(filter(None, (_play(claim, table) for table in tables)), "")


def _play(claim: Claim, table: PeriodicTable) -> str:
    """What the referee, who reads the moves by himself, finds wrong with a table; "" if nothing."""
    rule = rule_name(claim)
    reach = RULES[rule].coverage(claim, Prover())
    if reach.heaps is None:  # of a case of another proof
        return ""
    said = RouteResult(rule, Decision.HOLDS, trusted=reach.trusted, solved=spell(table, reach.heaps))
    return examine_tables(claim, RefereeReview(), said).error


def _doubt(told: CertificateEntry, sequent: Sequent) -> str:
    """What is wrong with an obligation; "" if nothing is."""
    if told.says != tuple(sequent.lines()):
        return "it says something else than the claim asks for"
    if told.certificate is None:
        return ""
    if isinstance(told.certificate, PeriodicTable | QuotientTable) or sequent.table is not None:
        return _doubt_table(told.certificate, sequent.table)
    asked = deny(read_problem(sequent), told.certificate)
    if asked is None or json.dumps(asked.to_json()) != json.dumps(told.certificate.to_json()):  # in Python 1 == True
        return "its formula is not the negation of what it says"
    return find_problem(asked)


def _doubt_table(told: Certificate | AnyTable, asked: AnyTable | None) -> str:
    """What is wrong with a table where one was asked for, or is shown."""
    if asked is None or told != asked:
        return "its table is not that of the moves, as they are read from the rules, and of what the proof says"
    try:
        verify(asked) if isinstance(asked, PeriodicTable) else verify_quotient(asked)
    except (UnverifiedTable, TableTooLarge) as error:
        return str(error)
    return ""


def _load(found: CertifiedClaim, entry: Entry | None) -> Claim | str:
    """The claim as it reads now, or why its certificates are not for that."""
    own = _list_own(found)
    if not own:
        return "among its files is not that of the claim"
    entry = entry or _find(found.claim, own)
    if entry is None:
        return f"{quote(own[0])} is no file here, or not that of the claim"
    name = name_file(display_path(entry.path))
    if name not in own:
        return f"they are of the claim in {quote(own[0])}, not of the one in {quote(name)}"
    try:
        claim = load_claim(entry.path, entry.id)
    except ClaimError as error:
        return f"the claim cannot be read: {error}"
    files = {name_file(name): digest for name, digest in claim.basis.files}
    if files != found.files:
        changed = sorted(dict(files.items() ^ found.files.items()))
        return f"stale: it is for another version of {', '.join(changed)}; run the claim again"
    return claim


@contextmanager
def _finding_copies(report: Path | None, found: CertifiedClaim) -> Iterator[Entry | None]:
    """The copy in a report of a claim whose file is not here; while it lasts, its files are called as in the run."""
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
    """Among the files of a claim, those that may be its own, by their names."""
    last = found.claim.rpartition("/")[2]
    return [name for name in found.files if base_of(last, Path(name)) in (Path(name).name, Path(name).stem)]


def _find(id: str, files: Sequence[str]) -> Entry | None:
    """The claim of that id that is read from one of these files: in the library, or here; None if there is none."""
    library = find_shipped(id)
    if library is not None and name_file(display_path(library.path)) in files:
        return library
    for name in files:
        with suppress(ClaimError):
            entries = select((name,))
            if here := next((x for x in entries if x.id == id), None):
                return here
    return None
