"""The file of certificates that a run leaves for each claim that it proves by obligations: docs/certificates.md.

It is made from the result alone, has no times in it, and is the same, byte for byte, whenever the same is proved.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from checks.receipts.writing import OBLIGATIONS, QUERIES, RECEIPTS, find_place, place, store
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.library.works import LIBRARY
from encoders.answer import Obligation
from encoders.logic.naturals.certificates.certificate import Certificate, write

FORMAT = 1
FOLDER = "certificates"  # in that of the reports
CHECKER = Path(__file__).with_name("check.py")  # imports nothing of ours, and is put beside the certificates


def locate_certificate(result: ClaimResult) -> str:
    """Where the claim's certificates lie in the folder of the reports; "" where it is not proved by obligations."""
    if result.verdict is not Verdict.PROVED or not result.finding.obligations:
        return ""
    return "/".join((FOLDER, *place(result.id))) + ".json"


def write_certificate(result: ClaimResult, folder: Path) -> None:
    """Write the claim's certificates, if it has some, into the folder of the reports. Raises OSError."""
    if result.provenance.certificate:
        store(folder / result.provenance.certificate, to_text(result))


def list_evidence(id: str) -> list[Path]:
    """All that a report may have of a claim but for the pages, by its paths in the folder of the reports."""
    kinds = ((FOLDER, ".json"), (RECEIPTS, ".json"), (OBLIGATIONS, ".txt"), (QUERIES, ""))
    return [find_place(Path(folder), id, suffix) for folder, suffix in kinds]


def write_checker(folder: Path) -> None:
    """Put the checker beside the certificates. Raises OSError."""
    store(folder / FOLDER / CHECKER.name, CHECKER.read_text("utf-8"))


def to_text(result: ClaimResult) -> str:
    """The file of a claim that is proved by obligations: a line for its head, and one for each of them."""
    head = {"format": FORMAT, "claim": result.id, "files": {name_file(name): x for name, x in result.provenance.files}}
    proof = result.presentation.proof
    says = {} if proof is None else {asked.name: asked.text for asked in proof.asked}
    lines = ",\n".join(_describe(o, says.get(o.name, "")) for o in result.finding.obligations)
    return f'{_write(head)[:-1]},"obligations":[\n{lines}\n]}}\n'


def _describe(obligation: Obligation, says: str) -> str:
    """An obligation with what shows it, as JSON: the certificate, or who is trusted."""
    named = {"name": obligation.name, "says": says.splitlines()}
    found = obligation.certificate
    if found is None:
        return _write({**named, "trusted": list(obligation.solvers)})
    text = (write(found) if isinstance(found, Certificate) else found).text
    return f"{_write(named)[:-1]},{text[1:]}"


def _write(data: Mapping[str, object]) -> str:
    return json.dumps(data, separators=(",", ":"))


def name_file(shown: str) -> str:
    """The name under which a certificate has a file: one of the library has the same wherever that is installed."""
    path = Path.cwd() / shown
    return path.relative_to(LIBRARY.parent).as_posix() if path.is_relative_to(LIBRARY) else shown
