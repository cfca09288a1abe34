"""Which claims are also theorems of Coq: the list theorems.json, made by `.ci/coq --renew` from what Coq has compiled.

A claim is on it as it read then, by the digest of all that it rests on, and by the text that was compiled.  Coq is not
asked here: a claim that has changed, or of which another text is generated now, is none until the list is renewed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from claims.language.library.entries import Entry
from claims.language.statement.claim import Claim
from encoders.ground.refusals import Unsupported
from encoders.proving.reading import load_claim

if TYPE_CHECKING:
    from encoders.coq.theorems.generate import Theorem

LIST = Path(__file__).with_name("theorems.json")
FORMAT = 1


@dataclass(frozen=True)
class Compiled:
    """A theorem that Coq has accepted. `claim`: digest of all that the claim rests on; `text`: SHA-256 of the file."""

    claim: str
    text: str


@dataclass(frozen=True)
class Theorems:
    """By the ids of claims; `theory`: SHA-256 of the files in coq/theory, in the order of their names."""

    theory: str
    by_claim: Mapping[str, Compiled]

    def has(self, claim: Claim) -> bool:
        """Whether the claim, as it was read, is a theorem of Coq."""
        listed = self.by_claim.get(claim.id)
        if listed is None or listed.claim != claim.digest:
            return False
        from encoders.coq.theorems.generate import generate

        try:
            return compiled(claim, generate(claim)).text == listed.text
        except Unsupported:
            return False


def compiled(claim: Claim, theorem: Theorem) -> Compiled:
    """How a theorem of a claim is listed, once Coq has accepted it."""
    return Compiled(claim.digest, hashlib.sha256(theorem.text.encode()).hexdigest())


def read_theorems(path: Path = LIST) -> Theorems:
    """The list. Raises ValueError, with the file, for anything else."""
    try:
        data = json.loads(path.read_text("utf-8"))
        by_claim = {id: Compiled(row["claim"], row["text"]) for id, row in data["theorems"].items()}
        format_, theory = data["format"], data["theory"]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: no list of theorems: {error}") from None
    if format_ != FORMAT:
        raise ValueError(f"{path}: expected format {FORMAT}")
    return Theorems(theory, by_claim)


def write_theorems(theorems: Theorems, path: Path = LIST) -> None:
    """The list as a file, in the order of the ids."""
    rows = {id: {"claim": c.claim, "text": c.text} for id, c in sorted(theorems.by_claim.items())}
    data = {"format": FORMAT, "theory": theorems.theory, "theorems": rows}
    path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def find_theorems(entries: Sequence[Entry], folder: Path, left_out: Container[str] = ()) -> Theorems:
    """What Coq has compiled of the claims: `folder` has what is in coq/, and in claims/ the generated files.

    A file is the one generated now but for its last line, which asks what the theorem rests on; any other is none.
    `left_out`: files below the folder that were not compiled and are taken as if they had been, for a list that says
    so: `compare` tells each of which another text is generated now. Raises ClaimError, OSError.
    """
    from encoders.coq.theorems.generate import generate

    found: dict[str, Compiled] = {}
    for entry in entries:
        claim = load_claim(entry.path, entry.id)
        try:
            theorem = generate(claim)
        except Unsupported:
            continue
        file = f"claims/{theorem.module.replace('.', '/')}.v"
        path = folder / file
        asked = theorem.text[: theorem.text.rindex("Print Assumptions ")]
        if file in left_out or (path.with_suffix(".vo").is_file() and path.read_text("utf-8") == asked):
            found[entry.id] = compiled(claim, theorem)
    return Theorems(digest_of_theory(folder), found)


def digest_of_theory(folder: Path) -> str:
    """SHA-256 of the theory that generated files rest on."""
    total = hashlib.sha256()
    for path in sorted((folder / "theory").glob("*.v")):
        total.update(f"{path.name}\0{path.read_text('utf-8')}\0".encode())
    return total.hexdigest()


def compare(listed: Theorems, found: Theorems) -> list[str]:
    """What the list says otherwise than Coq, in words; none if they agree."""
    lines = [] if listed.theory == found.theory else ["the theory in coq/theory has changed"]
    for id in sorted(listed.by_claim.keys() | found.by_claim.keys()):
        if id not in found.by_claim:
            lines.append(f"{id} is on the list and no theorem")
        elif id not in listed.by_claim:
            lines.append(f"{id} is a theorem and not on the list")
        elif listed.by_claim[id] != found.by_claim[id]:
            lines.append(f"{id} is another text than the one on the list")
    return lines
