"""Which claims are also theorems of Coq: the list theorems.json, made by `.ci/coq --renew` from what Coq has compiled.

A claim is on it as it read then, by the digest of all that it rests on, and by the text that was compiled.  Coq is not
asked here: a claim that has changed, or of which another text is generated now, is none until the list is renewed.

What is on the list, byte for byte, need not be compiled for each commit: a part of it is drawn, which is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Mapping
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
FORMAT = 2
ONE_IN = 24
"""Of how many files that Coq has accepted, as they are, one is compiled again."""
CERTIFICATES = "library/Certificates_*.v"
CHECKER = "coqchk"
"""What stands for Coq's own checker among the files that are left out."""


@dataclass(frozen=True)
class Compiled:
    """A theorem that Coq has accepted. `claim`: digest of all that the claim rests on; `text`: SHA-256 of the file."""

    claim: str
    text: str


@dataclass(frozen=True)
class Theorems:
    """By the ids of claims; `theory`: SHA-256 of the files in coq/theory, in the order of their names.

    `checker`: that of coq/certificates.  `certificates`: SHA-256 of each file of certificates that was compiled.
    `coq`: the version that has compiled all of it, as `coqc --print-version` tells it.
    """

    theory: str
    by_claim: Mapping[str, Compiled]
    checker: str = ""
    certificates: frozenset[str] = frozenset()
    coq: str = ""

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


@dataclass(frozen=True)
class Generated:
    """What is generated of a claim now, and how it would be listed."""

    id: str
    listed: Compiled
    theorem: Theorem


def compiled(claim: Claim, theorem: Theorem) -> Compiled:
    """How a theorem of a claim is listed, once Coq has accepted it."""
    return Compiled(claim.digest, _digest(theorem.text))


def read_theorems(path: Path = LIST) -> Theorems:
    """The list. Raises ValueError, with the file, for anything else."""
    try:
        data = json.loads(path.read_text("utf-8"))
        by_claim = {id: Compiled(row["claim"], row["text"]) for id, row in data["theorems"].items()}
        format_, theory, checker, coq = data["format"], data["theory"], data["checker"], data["coq"]
        certificates = frozenset(data["certificates"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: no list of theorems: {error}") from None
    if format_ != FORMAT:
        raise ValueError(f"{path}: expected format {FORMAT}")
    return Theorems(theory, by_claim, checker, certificates, coq)


def write_theorems(theorems: Theorems, path: Path = LIST) -> None:
    """The list as a file, in the order of the ids."""
    rows = {id: {"claim": c.claim, "text": c.text} for id, c in sorted(theorems.by_claim.items())}
    made = {"coq": theorems.coq, "theory": theorems.theory, "checker": theorems.checker}
    data = {"format": FORMAT, **made, "certificates": sorted(theorems.certificates), "theorems": rows}
    path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def generate_all(entries: Iterable[Entry]) -> Iterator[Generated]:
    """The theorems of all claims that have one. Raises ClaimError."""
    from encoders.coq.theorems.generate import generate

    for entry in entries:
        claim = load_claim(entry.path, entry.id)
        try:
            theorem = generate(claim)
        except Unsupported:
            continue
        yield Generated(claim.id, compiled(claim, theorem), theorem)


def find_theorems(
    generated: Iterable[Generated], folder: Path, left_out: Container[str] = (), coq: str = ""
) -> Theorems:
    """What Coq, of the version `coq`, has compiled: `folder` has what is in coq/, and in claims/ the generated files.

    A file is the one generated now but for its last line, which asks what the theorem rests on; any other is none.
    `left_out`: files below the folder that were not compiled and are taken as if they had been, for a list that says
    so: `compare` tells each of which another text is generated now. Raises OSError.
    """
    found: dict[str, Compiled] = {}
    for each in generated:
        file, text = file_of(each.theorem.module), each.theorem.text
        path = folder / file
        asked = text[: text.rindex("Print Assumptions ")]
        if file in left_out or (path.with_suffix(".vo").is_file() and path.read_text("utf-8") == asked):
            found[each.id] = each.listed
    certified = {digest_of(path) for path in folder.glob(CERTIFICATES) if path.with_suffix(".vo").is_file()}
    return Theorems(
        digest_of_theory(folder), found, digest_of_theory(folder, "certificates"), frozenset(certified), coq
    )


def find_left_out(listed: Theorems, generated: Iterable[Generated], folder: Path, coq: str, draw: str) -> list[str]:
    """The files below `folder`, which has what is generated, that need not be compiled: Coq has accepted them.

    That is: this version of it, a file with these bytes, with this theory or this checker, and the same of each file
    that it rests on.  CHECKER is named where Coq's own checker has read that theory and that checker.  Not among them:
    one in ONE_IN, drawn by `draw`, and what any file rests on that is compiled.  Theorems that rest on one are drawn
    with it, or it would be compiled nearly each time for one of them.  Raises OSError.
    """
    theory = listed.coq == coq and listed.theory == digest_of_theory(folder)
    checker = listed.coq == coq and listed.checker == digest_of_theory(folder, "certificates")
    files = [CHECKER] if theory and checker else []
    if checker:
        certified = sorted(path for path in folder.glob(CERTIFICATES) if digest_of(path) in listed.certificates)
        files += [path.relative_to(folder).as_posix() for path in certified]
    files = [file for file in files if not is_drawn(file, draw)]
    if theory:
        files += _accepted(listed, {each.theorem.module: each for each in generated}, draw)
    return files


def _accepted(listed: Theorems, by_module: Mapping[str, Generated], draw: str) -> list[str]:
    """The files of the theorems that are as on the list with all that they rest on, but for those that are drawn.

    And but for what one rests on that is neither.
    """

    def holds(module: str) -> bool:
        now = by_module[module]
        known = listed.by_claim.get(now.id)
        return known is not None and known.text == now.listed.text and all(map(holds, now.theorem.rests_on))

    def ground(module: str) -> str:
        below = by_module[module].theorem.rests_on
        return ground(below[0]) if below else module

    def all_below(module: str) -> Iterator[str]:
        for below in by_module[module].theorem.rests_on:
            yield below
            yield from all_below(below)

    compiled = {module for module in by_module if not holds(module) or is_drawn(file_of(ground(module)), draw)}
    compiled.update([below for module in compiled for below in all_below(module)])
    return [file_of(module) for module in by_module if module not in compiled]


def is_drawn(file: str, draw: str) -> bool:
    """Whether a file is compiled even if Coq has accepted it: one in ONE_IN, others with another `draw`."""
    return lot_of(file, draw) % ONE_IN == 0


def lot_of(name: str, draw: str) -> int:
    """The number by which a name is drawn, another one with another `draw`."""
    return int(_digest(f"{draw}\0{name}"), 16)


def file_of(module: str) -> str:
    """Where the generated file of a theorem lies, below the folder of all.

    >>> file_of("kl_nim.theorem_14")
    'claims/kl_nim/theorem_14.v'
    """
    return f"claims/{module.replace('.', '/')}.v"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_of_theory(folder: Path, room: str = "theory") -> str:
    """SHA-256 of what generated files rest on: the theory; of certificates, the checker in the room of that name."""
    total = hashlib.sha256()
    for path in sorted((folder / room).glob("*.v")):
        total.update(f"{path.name}\0{path.read_text('utf-8')}\0".encode())
    return total.hexdigest()


def compare(listed: Theorems, found: Theorems) -> list[str]:
    """What the list says otherwise than Coq of theorems, in words; none if they agree.

    Certificates that are not on the list are no mistake in it: they are compiled each time.
    """
    lines = [] if listed.theory == found.theory else ["the theory in coq/theory has changed"]
    for id in sorted(listed.by_claim.keys() | found.by_claim.keys()):
        if id not in found.by_claim:
            lines.append(f"{id} is on the list and no theorem")
        elif id not in listed.by_claim:
            lines.append(f"{id} is a theorem and not on the list")
        elif listed.by_claim[id] != found.by_claim[id]:
            lines.append(f"{id} is another text than the one on the list")
    return lines
