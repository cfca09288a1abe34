"""Certificate files. A run writes one for each claim that it proves by obligations; other people may check it.

The functions that read such files treat them as untrusted: they accept only JSON data of the documented form.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from checks.receipts.receipt import OBLIGATIONS, QUERIES, RECEIPTS, find_place, place, store
from checks.receipts.strangers import BadJson, Bounds, read_json
from checks.results.model import ClaimResult
from checks.results.shown import Json
from checks.results.verdicts import Verdict
from claims.language.errors import NimChecksError, quote
from claims.language.files.library import LIBRARY
from encoders.logic.answer import Obligation
from encoders.logic.certificates import Certificate, Formula, Malformed, read_certificate, write
from encoders.periods.tables import BadTable, PeriodicTable, QuotientTable, read_quotient, read_table

# == writing ==========================================================================================================
# The file of certificates that a run writes for each claim that it proves by obligations: docs/certificates.md.
#
# It is made from the result alone and contains no times. The same proof always gives the same bytes.
FORMAT = 1
FOLDER = "certificates"  # in the folder of the reports
CHECKER = Path(__file__).with_name("check.py")  # imports none of our modules; copied next to the certificates


def locate_certificate(result: ClaimResult) -> str:
    """Return the path of the claim's certificate file, relative to the folder of the reports.

    Return "" if the claim has no such file, because it is not proved by obligations.
    """
    if result.verdict is not Verdict.PROVED or not result.finding.obligations:
        return ""
    return "/".join((FOLDER, *place(result.id))) + ".json"


def write_certificate(result: ClaimResult, folder: Path) -> None:
    """Write the certificate file of the claim, if it has one, into the folder of the reports. Raises OSError."""
    if result.provenance.certificate:
        store(folder / result.provenance.certificate, to_text(result))


def list_evidence(id: str) -> list[Path]:
    """Return the paths at which a report may contain evidence for a claim, relative to the folder of the reports.

    They are the paths of the certificate file, the receipt, the text of the obligations, and the folder of queries.
    """
    kinds = ((FOLDER, ".json"), (RECEIPTS, ".json"), (OBLIGATIONS, ".txt"), (QUERIES, ""))
    return [find_place(Path(folder), id, suffix) for folder, suffix in kinds]


def write_checker(folder: Path) -> None:
    """Copy check.py into the folder of the certificates, which is in the folder of the reports. Raises OSError."""
    store(folder / FOLDER / CHECKER.name, CHECKER.read_text("utf-8"))


def to_text(result: ClaimResult) -> str:
    """Return the text of the certificate file: a JSON object with a line for the header and for each obligation."""
    head = {"format": FORMAT, "claim": result.id, "files": {name_file(name): x for name, x in result.provenance.files}}
    proof = result.presentation.proof
    says = {} if proof is None else {asked.name: asked.text for asked in proof.obligation_texts}
    lines = ",\n".join(_describe(o, says.get(o.name, "")) for o in result.finding.obligations)
    return f'{_write(head)[:-1]},"obligations":[\n{lines}\n]}}\n'


def _describe(obligation: Obligation, says: str) -> str:
    """Return an obligation as JSON. `says`: the obligation in words.

    The JSON contains the certificate or, if there is none, the solvers that are trusted.
    """
    named = {"name": obligation.name, "says": says.splitlines()}
    found = obligation.certificate
    if found is None:
        return _write({**named, "trusted": list(obligation.solvers)})
    text = (write(found) if isinstance(found, Certificate) else found).text
    return f"{_write(named)[:-1]},{text[1:]}"


def _write(data: Mapping[str, object]) -> str:
    return json.dumps(data, separators=(",", ":"))


def name_file(shown: str) -> str:
    """Return the name by which certificates list a claim file or ruleset. `shown`: its path, as reports show it.

    A file of the library is listed relative to the library's parent folder, and thus equally in every installation.
    """
    path = Path.cwd() / shown
    return path.relative_to(LIBRARY.parent).as_posix() if path.is_relative_to(LIBRARY) else shown


# == reading ==========================================================================================================
# Reading certificate files: untrusted JSON becomes frozen data, or is refused with one error.
BOUNDS = Bounds(bytes=64 << 20, depth=450, values=10_000_000, digits=4_000)
_PROOF = {"letters", "atoms", "formula", "lemmas", "tree"}


class BadCertificate(NimChecksError):
    """A certificate file is invalid. The message names the file and the fault."""


@dataclass(frozen=True)
class CertificateEntry:
    """An obligation in a certificate file.

    `says`: the obligation in words, line by line.
    `certificate`: its certificate; None if there is none, and solvers are trusted instead.
    `trusted`: the names of these solvers; () if there is a certificate.
    """

    name: str
    says: tuple[str, ...]
    certificate: Certificate | PeriodicTable | QuotientTable | None
    trusted: tuple[str, ...]


@dataclass(frozen=True)
class CertifiedClaim:
    """The content of a certificate file.

    `path`: the path of the certificate file. `claim`: the id of the claim.
    `files`: the SHA-256 of each file on which the claim depends, by the name of the file.
    """

    path: Path
    claim: str
    files: Mapping[str, str]
    obligations: tuple[CertificateEntry, ...]


def read_certified_claim(path: Path) -> CertifiedClaim:
    """Read a certificate file, but do not check whether its certificates are proofs.

    Raises BadCertificate if the file is not of the documented form.
    """
    try:
        return _read(path, read_json(path, BOUNDS))
    except BadJson as error:
        raise BadCertificate(str(error)) from None
    except RecursionError:
        raise BadCertificate(f"{path}: the content is nested too deeply") from None


def _read(path: Path, data: Json) -> CertifiedClaim:
    keys = {"format", "claim", "files", "obligations"}
    if not isinstance(data, dict) or set(data) != keys:
        raise BadCertificate(
            f"{path}: the content is {quote(data)}; expected an object with the keys {', '.join(sorted(keys))}"
        )
    version, claim, files, obligations = data["format"], data["claim"], data["files"], data["obligations"]
    if not isinstance(version, int) or isinstance(version, bool) or version != FORMAT:
        raise BadCertificate(f"{path}: format is {quote(version)}; expected {FORMAT}")
    if not isinstance(claim, str):
        raise BadCertificate(f"{path}: claim is {quote(claim)}; expected a text")
    if not isinstance(files, dict):
        raise BadCertificate(
            f"{path}: files is {quote(files)}; expected an object that maps file names to SHA-256 digests"
        )
    if not isinstance(obligations, list) or not obligations:
        raise BadCertificate(f"{path}: obligations is {quote(obligations)}; expected a list of at least one obligation")
    shown = tuple(_obligation(path, x) for x in obligations)
    if len({x.name for x in shown}) < len(shown):
        raise BadCertificate(f"{path}: two obligations have the same name; expected different names")
    return CertifiedClaim(path, claim, {name: _text(path, "files", x) for name, x in files.items()}, shown)


def _obligation(path: Path, x: Json) -> CertificateEntry:
    if not isinstance(x, dict):
        raise BadCertificate(f"{path}: an element of obligations is {quote(x)}; expected an object")
    name = _text(path, "name in obligations", x.get("name"))
    where = f"obligation {quote(name)}"
    says = _texts(path, f"{where}: says", x.get("says"))
    if set(x) == {"name", "says", "trusted"}:
        trusted = _texts(path, f"{where}: trusted", x["trusted"])
        if not trusted:
            raise BadCertificate(f"{path}: trusted is [] in {where}; expected a list of at least one solver")
        return CertificateEntry(name, says, None, trusted)
    if set(x) in ({"name", "says", "table"}, {"name", "says", "quotient"}):
        try:
            table = read_table(x["table"]) if "table" in x else read_quotient(x["quotient"])
            return CertificateEntry(name, says, table, ())
        except BadTable as error:
            raise BadCertificate(f"{path}: {where}: {error}") from None
    if set(x) != {"name", "says", *_PROOF}:
        raise BadCertificate(
            f"{path}: {where} has unknown or missing keys; expected the keys name and says, and in addition only "
            f"trusted, or only table, or only quotient, or all of {', '.join(sorted(_PROOF))}"
        )
    try:
        certificate = read_certificate({key: x[key] for key in _PROOF})
    except Malformed as error:
        raise BadCertificate(f"{path}: {where}: {error}") from None
    unknown = [letter for letter in _letters(certificate.formula) if not 1 <= letter <= certificate.letters]
    if unknown:
        raise BadCertificate(
            f"{path}: the formula of {where} contains the number {quote(unknown[0])}; "
            f"expected only the numbers of atoms and Boolean variables, from 1 to {certificate.letters}"
        )
    return CertificateEntry(name, says, certificate, ())


def _letters(formula: Formula) -> Iterator[int]:
    """Yield the letters in a formula, with repetitions. A letter is the number of an atom or of a Boolean variable."""
    if isinstance(formula, tuple):
        for part in formula[1:]:
            if not isinstance(part, str):
                yield from _letters(part)
    elif not isinstance(formula, bool):
        yield formula


def _texts(path: Path, where: str, x: Json) -> tuple[str, ...]:
    if not isinstance(x, list):
        raise BadCertificate(f"{path}: {where} is {quote(x)}; expected a list of texts")
    return tuple(_text(path, where, y) for y in x)


def _text(path: Path, where: str, x: Json) -> str:
    if not isinstance(x, str):
        raise BadCertificate(f"{path}: {where} is {quote(x)}; expected a text")
    return x
