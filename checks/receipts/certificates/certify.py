"""Checking certificates again: that each holds, and that together they are what the claim, as it reads now, asks for.

Nothing is searched and nothing is believed but what can be looked at: the obligations are made again from the claim
file, and a certificate counts only if what it refutes is, letter for letter, the negation of one of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from checks.receipts.certificates.reading import BadCertificate, CertifiedClaim, Shown, read_certified_claim
from checks.receipts.certificates.writing import FOLDER, name_file
from checks.receipts.reading import BadReceipt, read_receipt
from checks.receipts.writing import find_place
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.library import Entry, shipped
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import TooLong
from encoders.answer import Unsupported
from encoders.logic.naturals.memory import deny
from encoders.logic.naturals.problem import read_problem
from encoders.logic.naturals.verify import problem as find_problem
from encoders.logic.sequent import Sequent
from encoders.proving.prover import Prover
from encoders.proving.reading import load_claim, rule_name
from encoders.proving.registry import RULES


@dataclass(frozen=True)
class Checked:
    """A claim with how many of its obligations are certified, and those that are trusted, (name, solvers).

    `problem`: why its certificates are refused; "" if all hold.
    """

    claim: str
    certified: int = 0
    trusted: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problem: str = ""

    @property
    def words(self) -> str:
        """`nim/bouton: 18 obligations certified`; `REFUSED` and why; who is trusted with what."""
        if self.problem:
            return f"REFUSED {self.claim}: {self.problem}"
        told = f"{self.claim}: {self.certified} obligation{'s' * (self.certified != 1)} certified"
        return told + "".join(f"; trusted to {' and '.join(by)}: {name}" for name, by in self.trusted)


def certify(report: Path, ids: Sequence[str] = ()) -> Iterator[Checked]:
    """What the certificates in a folder of reports show of these claims as they read now; of all, if none is named.

    A claim of which the receipt beside says that it is proved by obligations must have some.
    """
    wanted = [_file_of(report, id) for id in ids]
    for path in wanted or sorted((report / FOLDER).rglob("*.json")):
        if path.is_file():
            yield _check(report, path)
    for path in sorted((report / "receipts").rglob("*.json")):
        with suppress(BadReceipt):
            found = read_receipt(path)
            proved = found.verdict is Verdict.PROVED and found.obligations
            if proved and (not ids or found.claim in ids) and not _file_of(report, found.claim).is_file():
                yield Checked(found.claim, problem="it is proved, and has no certificates")


def _file_of(report: Path, id: str) -> Path:
    return find_place(report / FOLDER, id, ".json")


def _check(report: Path, path: Path) -> Checked:
    try:
        found = read_certified_claim(path)
    except BadCertificate as error:
        return Checked(str(path.relative_to(report)), problem=str(error))
    in_its_place = path == _file_of(report, found.claim)
    problem = _refuse(found) if in_its_place else f"{path} is not where its certificates lie"
    trusted = tuple((o.name, o.trusted) for o in found.obligations if o.certificate is None)
    return Checked(found.claim, len(found.obligations) - len(trusted), trusted, problem)


def _refuse(found: CertifiedClaim) -> str:
    """Why the certificates are refused; "" if they hold and are those of the claim."""
    claim = _load(found)
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
    return next((f"{name}: {problem}" for name, problem in wrong if problem), "")


def _doubt(shown: Shown, sequent: Sequent) -> str:
    """What is wrong with an obligation; "" if nothing is."""
    if shown.says != tuple(sequent.lines()):
        return "it says something else than the claim asks for"
    if shown.certificate is None:
        return ""
    asked = deny(read_problem(sequent), shown.certificate)
    if asked is None or json.dumps(asked.to_json()) != json.dumps(shown.certificate.to_json()):  # in Python 1 == True
        return "its formula is not the negation of what it says"
    return find_problem(asked)


def _load(found: CertifiedClaim) -> Claim | str:
    """The claim as it reads now, or why its certificates are not for that."""
    own = next((name for name in found.files if f"/{name}".endswith(f"/{found.claim}.toml")), "")
    entries = [e for e in shipped() if e.id == found.claim] or [Entry(found.claim, Path(own))]
    if not own:
        return "among its files is not that of the claim"
    try:
        claim = load_claim(entries[0].path, found.claim)
    except ClaimError as error:
        return f"the claim cannot be read: {error}"
    files = {name_file(name): digest for name, digest in claim.basis.files}
    if files != found.files:
        changed = sorted(dict(files.items() ^ found.files.items()))
        return f"stale: it is for another version of {', '.join(changed)}; run the claim again"
    return claim
