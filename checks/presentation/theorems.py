"""The list of the claims that are also proved in Coq, theorems.json. `.ci/coq --renew` writes the list.

The list contains the digest of each claim with its dependencies, and the digest of the text that Coq has compiled. This
module does not call Coq. If a claim or its generated text has changed, the claim is not a theorem until the list is
renewed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from claims.language.files.claim import Claim
from claims.language.files.library import Entry
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported

if TYPE_CHECKING:
    from encoders.proving.theorem import Theorem

LIST = Path(__file__).with_name("theorems.json")
FORMAT = 2


@dataclass(frozen=True)
class Compiled:
    """A theorem that Coq has accepted.

    `claim`: the digest of the claim and its dependencies. `text`: the SHA-256 of the generated file.
    """

    claim: str
    text: str


@dataclass(frozen=True)
class Theorems:
    """The theorems that Coq has accepted.

    `theory`: the SHA-256 of the files in coq/theory, in the order of their names.
    `by_claim`: the theorems by the ids of their claims.
    `coq`: the version that compiled the theorems, as `coqc --print-version` prints it.
    """

    theory: str
    by_claim: Mapping[str, Compiled]
    coq: str = ""

    def has(self, claim: Claim) -> bool:
        """Return whether Coq has accepted the theorem that is generated from the present text of the claim."""
        listed = self.by_claim.get(claim.id)
        if listed is None or listed.claim != claim.digest:
            return False
        from encoders.proving.theorem import generate

        try:
            return make_compiled(claim, generate(claim)).text == listed.text
        except Unsupported:
            return False


@dataclass(frozen=True)
class Generated:
    """The theorem that is generated from the present text of a claim, and its entry for the list."""

    id: str
    listed: Compiled
    theorem: Theorem


def make_compiled(claim: Claim, theorem: Theorem) -> Compiled:
    """Return the entry for a theorem in the list. It is valid only after Coq has accepted the theorem."""
    return Compiled(claim.digest, _digest(theorem.text))


def read_theorems(path: Path = LIST) -> Theorems:
    """Read the list. Raises ValueError, with the name of the file, if it is not a list of theorems."""
    try:
        data = json.loads(path.read_text("utf-8"))
        by_claim = {id: Compiled(row["claim"], row["text"]) for id, row in data["theorems"].items()}
        format_, theory, coq = data["format"], data["theory"], data["coq"]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: not a list of theorems: {error}") from None
    if format_ != FORMAT:
        raise ValueError(f"{path}: expected format {FORMAT}")
    return Theorems(theory, by_claim, coq)


def write_theorems(theorems: Theorems, path: Path = LIST) -> None:
    """Write the list into a file, in the order of the ids."""
    rows = {id: {"claim": c.claim, "text": c.text} for id, c in sorted(theorems.by_claim.items())}
    data = {"format": FORMAT, "coq": theorems.coq, "theory": theorems.theory, "theorems": rows}
    path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def generate_all(entries: Iterable[Entry]) -> Iterator[Generated]:
    """Yield the theorems of all claims for which a theorem can be generated. Raises ClaimError."""
    from encoders.proving.theorem import generate

    for entry in entries:
        claim = load_claim(entry.path, entry.id)
        try:
            theorem = generate(claim)
        except Unsupported:
            continue
        yield Generated(claim.id, make_compiled(claim, theorem), theorem)


def find_theorems(generated: Iterable[Generated], folder: Path, coq: str = "") -> Theorems:
    """Return the theorems that Coq has compiled. `coq`: the version of Coq.

    `folder` contains the files of coq/, and the generated files in claims/. A compiled file counts only if it contains
    the text that is generated now, without the last line, which prints the axioms. Raises OSError.
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
    """Return the path of the generated file of a theorem, relative to the folder of `find_theorems`.

    >>> file_of("kl_nim.theorem_14")
    'claims/kl_nim/theorem_14.v'
    """
    return f"claims/{module.replace('.', '/')}.v"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of_theory(folder: Path) -> str:
    """Return the SHA-256 of the files in the subfolder theory."""
    total = hashlib.sha256()
    for path in sorted((folder / "theory").glob("*.v")):
        total.update(f"{path.name}\0{path.read_text('utf-8')}\0".encode())
    return total.hexdigest()


def compare(listed: Theorems, found: Theorems) -> list[str]:
    """Return a line for each difference between the list and the theorems that Coq has compiled."""
    lines = [] if listed.theory == found.theory else ["the theory in coq/theory has changed"]
    for id in sorted(listed.by_claim.keys() | found.by_claim.keys()):
        if id not in found.by_claim:
            lines.append(f"{id} is on the list, but it is not a theorem")
        elif id not in listed.by_claim:
            lines.append(f"{id} is a theorem, but it is not on the list")
        elif listed.by_claim[id] != found.by_claim[id]:
            lines.append(f"{id} has another text than on the list")
    return lines
