"""The list of the claims that are also proved in Coq: theorems.json. The command `.ci/coq --renew` writes the list.

For each claim, the list contains a digest of the claim with its dependencies, and digests of the generated text that
Coq has accepted and of the statement in it. This module only compares digests and does not call Coq. If a claim or its
statement in Coq has changed, the claim is not shown as proved in Coq until the list is renewed. A run does not generate
the proof in Coq, for which it might have to search for certificates; `.ci/coq` compares the complete text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.library import Entry
from claims.language.syntax.printing import TooLong
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported

if TYPE_CHECKING:
    from encoders.proving.theorem import Theorem

ACCEPTED = Verdict.PROVED, Verdict.REFUTED
LIST = Path(__file__).with_name("theorems.json")
FORMAT = 3


@dataclass(frozen=True)
class Compiled:
    """An entry of the list: a theorem that Coq has accepted, identified by three digests.

    `claim`: the digest of the claim and its dependencies. `text`: the SHA-256 of the text that is generated for Coq.
    `statement`: the SHA-256 of what the theorem states.
    """

    claim: str
    text: str
    statement: str


@dataclass(frozen=True)
class Theorems:
    """The complete list of theorems that Coq has accepted.

    `theory`: the SHA-256 of the files in coq/theory, in the order of their names.
    `by_claim`: the theorems by the ids of their claims.
    `coq`: the version that compiled the theorems, as `coqc --print-version` prints it.
    """

    theory: str
    by_claim: Mapping[str, Compiled]
    coq: str = ""

    def find_verdict(self, claim: Claim) -> Verdict | None:
        """Return the verdict that Coq has accepted for the present text of a claim.

        It is PROVED if the theorem states the claim, and REFUTED if it states the negation of the claim. Return None if
        Coq has not accepted a theorem with the present statement of the claim.
        """
        listed = self.by_claim.get(claim.id)
        if listed is None or listed.claim != claim.digest:
            return None
        try:
            statement = _write_statement(claim)
        except (Unsupported, TooLong):
            return None
        accepted = {_digest_statement(statement, verdict is Verdict.REFUTED): verdict for verdict in ACCEPTED}
        return accepted.get(listed.statement)


@dataclass(frozen=True)
class Generated:
    """The theorem that is generated from the present text of a claim, and the entry that it would have in the list.

    `id`: the id of the claim.
    """

    id: str
    listed: Compiled
    theorem: Theorem


def make_compiled(claim: Claim, theorem: Theorem) -> Compiled:
    """Return the list entry for a theorem. It belongs on the list only after Coq has accepted the theorem."""
    return Compiled(claim.digest, _digest(theorem.text), _digest_statement(_write_statement(claim), theorem.refutes))


def _write_statement(claim: Claim) -> str:
    """Return the statement of a claim in Coq. Raises Unsupported and TooLong."""
    from encoders.coq.statement import write_stated

    return write_stated(claim).text


def _digest_statement(statement: str, refutes: bool) -> str:
    """Return a digest of a statement in Coq, or of its negation."""
    return _digest(f"{'not ' if refutes else ''}{statement}")


def read_theorems(path: Path = LIST) -> Theorems:
    """Read the list from a file. Raises ValueError, with the path in the message, if the file has another format."""
    try:
        data = json.loads(path.read_text("utf-8"))
        by_claim = {id: Compiled(row["claim"], row["text"], row["statement"]) for id, row in data["theorems"].items()}
        format_, theory, coq = data["format"], data["theory"], data["coq"]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path} does not contain a list of theorems: {error}") from None
    if format_ != FORMAT:
        raise ValueError(f"{path}: expected format {FORMAT}")
    return Theorems(theory, by_claim, coq)


def write_theorems(theorems: Theorems, path: Path = LIST) -> None:
    """Write the list into a file, in the order of the ids."""
    rows = {
        id: {"claim": c.claim, "text": c.text, "statement": c.statement} for id, c in sorted(theorems.by_claim.items())
    }
    data = {"format": FORMAT, "coq": theorems.coq, "theory": theorems.theory, "theorems": rows}
    path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def generate_all(entries: Iterable[Entry]) -> Iterator[Generated]:
    """Yield the theorem of each claim for which one can be generated. Raises ClaimError if a claim is invalid."""
    from encoders.proving.theorem import generate

    for entry in entries:
        claim = load_claim(entry.path, entry.id)
        try:
            theorem = generate(claim)
        except Unsupported:
            continue
        yield Generated(claim.id, make_compiled(claim, theorem), theorem)


def find_theorems(generated: Iterable[Generated], folder: Path, coq: str = "") -> Theorems:
    """Return the list of those generated theorems that Coq has compiled.

    `folder`: a copy of the folder coq/ in which Coq has compiled the generated files of the subfolder claims/.
    A compiled file counts only if its source is the text that is generated now, without the last line, which prints
    the axioms.
    `coq`: the version of Coq. Raises OSError.
    """
    found: dict[str, Compiled] = {}
    for each in generated:
        text = each.theorem.text
        path = folder / file_of(each.theorem.module)
        asked = text[: text.rindex("Print Assumptions ")]
        if path.with_suffix(".vo").is_file() and path.read_text("utf-8") == asked:
            found[each.id] = each.listed
    return Theorems(digest_of_theory(folder), found, coq)


def file_of(module: str) -> str:
    """Return the path of the file that is generated for a theorem, relative to the folder in which Coq compiles.

    >>> file_of("kl_nim.theorem_14")
    'claims/kl_nim/theorem_14.v'
    """
    return f"claims/{module.replace('.', '/')}.v"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of_theory(folder: Path) -> str:
    """Return one SHA-256 for the names and texts of the files theory/*.v in a folder."""
    total = hashlib.sha256()
    for path in sorted((folder / "theory").glob("*.v")):
        total.update(f"{path.name}\0{path.read_text('utf-8')}\0".encode())
    return total.hexdigest()


def compare(listed: Theorems, found: Theorems) -> list[str]:
    """Return a line of text for each difference between the list and the theorems that Coq has just compiled."""
    lines = [] if listed.theory == found.theory else ["the theory in coq/theory has changed"]
    for id in sorted(listed.by_claim.keys() | found.by_claim.keys()):
        if id not in found.by_claim:
            lines.append(f"{id} is on the list, but Coq has not compiled a theorem for it")
        elif id not in listed.by_claim:
            lines.append(f"{id} is not on the list, but Coq has compiled a theorem for it")
        elif listed.by_claim[id] != found.by_claim[id]:
            lines.append(f"{id} has changed: its theorem differs from the one on the list")
    return lines
