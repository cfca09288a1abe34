"""Receipts: the machine-readable evidence of one settled claim, and where it is kept.

A receipt names the claim and a digest of all it rests on, what was asked, the verdict, and everything the verdict was
drawn from, so that `checks replay` can draw it again.  Its schema is receipt.schema.json beside this file.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from checks.receipts.receipt import make_receipt
from checks.receipts.strangers import list_files
from checks.results.model import ClaimResult
from checks.results.phrases import find_marks
from checks.results.shown import Step
from checks.results.verdicts import Verdict
from claims.language.errors import escape_invisible
from claims.language.files.library import Entry
from claims.language.versions import find_version

if TYPE_CHECKING:
    from checks.judgement.options import Options

FORMAT = 2
TOOL = "checks"
RECEIPTS = "receipts"  # their folder, in that of the reports
QUERIES, OBLIGATIONS = "smt2", "proofs"  # the folders of what was asked of solvers
OUTSIDE = "_outside"  # the folder of receipts of claims whose id is no plain path
_PLAIN = re.compile(r"(?!.*\.(?:json|smt2|txt)$)\w(?:[\w+@ .-]{0,78}[\w+-])?", re.ASCII | re.IGNORECASE)


def version() -> str:
    """Our installed version, or "unknown" in a bare checkout."""
    return find_version("nim-checks") or "unknown"


def write_receipt(result: ClaimResult, entry: Entry, options: Options, folder: Path, version: str) -> Path:
    """Write the receipt below `folder`, at <id>.json; an id that is no plain path gets a name of its own."""
    path = find_place(folder, entry.id, ".json")
    text = (
        escape_invisible(json.dumps(make_receipt(result, entry, options, version), indent=1, ensure_ascii=False)) + "\n"
    )
    store(path, text)
    return path


def locate_receipt(result: ClaimResult) -> str:
    """Where the receipt of a result lies in the folder of the reports; "" where it has none."""
    return find_place(Path(RECEIPTS), result.id, ".json").as_posix() if _has_receipt(result) else ""


def list_stale(results: Sequence[ClaimResult], report: Path) -> list[str]:
    """The receipts in a folder of reports that are of none of these results, by their names there, in order."""
    kept = {find_place(report / RECEIPTS, r.id, ".json") for r in results if _has_receipt(r)}
    files = list_files(report, RECEIPTS)
    return [path.relative_to(report / RECEIPTS).as_posix() for path, linked in files if not linked and path not in kept]


def _has_receipt(result: ClaimResult) -> bool:
    return result.verdict is not Verdict.ERROR and result.finding.evidence is not None


def write_queries(result: ClaimResult, folder: Path) -> None:
    """Keep the query of every obligation that was not discharged, at <id>/<number>.smt2, for any solver to look at."""
    for number, obligation in enumerate(result.finding.obligations, 1):
        if obligation.smt2:
            path = find_place(folder, result.id, "") / f"{number:02d}.smt2"
            name = " ".join(f"{result.id}: {obligation.name}".split())
            store(path, f"; {name}\n{obligation.smt2}")


def write_obligations(result: ClaimResult, folder: Path) -> None:
    """Write what was asked of solvers for the claim's proof, at <id>.txt: each obligation, what became of it, its text.

    It has no times, so that two runs can be compared.
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
    """The folders and the name, without suffix, of what is kept about a claim; different ids have different ones.

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
    """Two entries with one id, or with ids that differ in capitals alone, as file systems may not; or None."""
    met: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        other = met.setdefault(tuple(part.casefold() for part in place(entry.id)), entry)
        if other is not entry:
            return other, entry
    return None


def find_place(folder: Path, id: str, suffix: str) -> Path:
    """The path below the folder of what is kept about a claim."""
    *folders, name = place(id)
    return folder.joinpath(*folders, name + suffix)


def find_report(path: Path, id: str) -> Path | None:
    """The folder of the reports in which a run left a file about a claim; None where it lies elsewhere."""
    path, ours = path.absolute(), place(id)
    if (*path.parts[len(path.parts) - len(ours) : -1], path.stem) != ours:
        return None
    return path.parents[len(ours)]


def store(path: Path, text: str) -> None:
    """Replace the file by a complete one, or leave it; a file of our own with that text is left. Raises OSError."""
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
    """Whether a plain file, known by no other name, is there with just these bytes."""
    try:
        found = path.lstat()
        return stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and path.read_bytes() == data
    except OSError:
        return False
