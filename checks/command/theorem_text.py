"""`coq`: theorems for Coq, generated from claim files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

from checks.command.data import ListedTheorem
from claims.language.errors import ClaimError
from claims.language.file_writing import write_file
from claims.language.files.claim import Claim
from claims.language.files.library import Entry
from claims.language.syntax.printing import TooLong, print_term
from encoders.coq.statement import write_stated
from encoders.coq.writing import comment, name_in_coq
from encoders.proving.reading import load_claim
from encoders.proving.theorem import START, Theorem, generate
from encoders.refusals import Unsupported

WIDTH = 120  # of the lines of comments


@dataclass(frozen=True)
class WrittenTheorem:
    """The theorem of one claim, or the reason why there is none."""

    id: str
    theorem: Theorem | None
    missing: str = ""


def write_theorem(entry: Entry) -> WrittenTheorem:
    """Return the theorem of a claim, or the reason why there is none. Raises ClaimError if the claim is invalid."""
    claim = load_claim(entry.path, entry.id)
    try:
        return WrittenTheorem(entry.id, generate(claim))
    except Unsupported as missing:
        return WrittenTheorem(entry.id, None, str(missing))


def list_theorems(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield one line for each claim: whether a theorem is generated, or the reason why there is none.

    The last line is the number of theorems.
    """
    width = max((len(e.id) for e in entries), default=0)
    made = 0
    for found in name_theorems(entries):
        made += found.generated
        generated = "generated, refutes the claim" if found.refutes else "generated"
        yield f"{found.id.ljust(width)}  {generated if found.generated else found.missing}"
    yield f"{made} of {len(entries)} are generated"


def name_theorems(entries: Iterable[Entry]) -> Iterator[ListedTheorem]:
    """Yield for each claim whether a theorem can be generated, and the reason if not."""
    for entry in entries:
        refutes = False
        try:
            written = write_theorem(entry)
            missing = "" if written.theorem else f"missing: {written.missing}"
            refutes = written.theorem is not None and written.theorem.refutes
        except ClaimError as error:
            missing = f"unreadable: {error.message}"
        yield ListedTheorem(entry.id, not missing, missing, refutes=refutes)


def write_statements(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the parts of one Coq file with the statements of claims, without proofs.

    Comments before a statement contain its source, the claim in words, and the claim in the claim language. If a claim
    has no statement in Coq, a comment contains the reason.
    Raises ClaimError if a claim is invalid.
    """
    yield f"{comment('Statements of claims, without proofs. Coq accepts the file if each has a meaning.')}\n{START}"
    for entry in entries:
        claim = load_claim(entry.path, entry.id)
        about = "\n".join(fill(comment(x), WIDTH, subsequent_indent="   ") for x in _describe(claim))
        try:
            name = name_in_coq(claim.id.replace("/", "."))
            yield f"\n{about}\nModule {name}.\n{write_stated(claim).declarations}End {name}.\n"
        except (TooLong, Unsupported) as missing:
            yield f"\n{about}\n{comment(f'No statement in Coq: {missing}.')}\n"


def _describe(claim: Claim) -> Iterator[str]:
    """Yield lines about a claim: its source, the claim in words, and the claim in the claim language."""
    told = claim.description
    yield f"{claim.id}: {told.title}"
    yield f"{told.role}, {told.work or 'no work'}, {told.locator or 'no locator'}"
    yield f"In words: {told.statement}"
    for game in claim.games:
        given = ", ".join(f"{name} = {print_term(x)}" for name, x in game.arguments)
        yield f"game {game.name}: {game.ruleset.id}({given})" if given else f"game {game.name}: {game.ruleset.id}"
    for variable in claim.variables:
        yield f"{claim.quantifier} {variable.name}: {variable.text}"
    for label, text in claim.texts:
        yield f"{label}: {text}"


def make_theorems(entries: Iterable[Entry], file: Path | None) -> Iterator[ListedTheorem]:
    """Yield the theorem of each claim, or the reason why there is none.

    `file`: the file into which the theorem of a single claim is written; None to write nothing.
    Raises ClaimError if a claim is invalid, and OSError if the file cannot be written.
    """
    for entry in entries:
        written = write_theorem(entry)
        if written.theorem is None:
            yield ListedTheorem(entry.id, generated=False, missing=written.missing)
        elif file is None:
            yield ListedTheorem(
                entry.id, generated=True, missing="", text=written.theorem.text, refutes=written.theorem.refutes
            )
        else:
            write_file(file, written.theorem.text)
            yield ListedTheorem(entry.id, generated=True, missing="", file=str(file), refutes=written.theorem.refutes)


def write_all(entries: Sequence[Entry], folder: Path) -> Iterator[ListedTheorem]:
    """Generate the theorem of each claim, and write it with `write_files`.

    Raises ClaimError if a claim is invalid, and OSError if a file cannot be written.
    """
    yield from write_files(map(write_theorem, entries), folder)


def write_files(written: Iterable[WrittenTheorem], folder: Path) -> Iterator[ListedTheorem]:
    """Write theorems below the folder, and yield a record for each, lemmas before the theorems that use them.

    Raises FileExistsError before a file is written, if two theorems would have the same file; raises OSError if a file
    cannot be written.
    """
    found, ids = dict[str, Theorem](), dict[str, str]()
    for w in written:
        if w.theorem is None:
            continue
        if (other := ids.setdefault(w.theorem.module, w.id)) != w.id:
            raise FileExistsError(
                f"the theorems of {other} and {w.id} would have the same file, {w.theorem.module}; "
                "rename one of the claims"
            )
        found[w.theorem.module] = w.theorem
    done: set[str] = set()

    def write(theorem: Theorem) -> Iterator[ListedTheorem]:
        if theorem.module in done:
            return
        done.add(theorem.module)
        for module in theorem.rests_on:
            if module in found:
                yield from write(found[module])
        path = folder / (theorem.module.replace(".", "/") + ".v")
        write_file(path, theorem.text, folder)
        yield ListedTheorem(ids[theorem.module], generated=True, missing="", file=str(path), refutes=theorem.refutes)

    for theorem in found.values():
        yield from write(theorem)
