"""What a claim rests on, to the letter: its file, rulesets, definitions it may call, proofs it borrows, lemmas.

A receipt carries the digest, so that a verdict is never taken for one on another text.  Of shared definitions
only those count that the claim, its rulesets or a borrowed proof may call: all whose name occurs there, and what
these call.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from claims.language.expressions.definitions import Definition
from claims.language.statement.definitions import find_mentioned
from claims.language.toml.source import Read, Source


@dataclass(frozen=True)
class Basis:
    """(what it is, its text) of each part; no part's name depends on the folder in which the files stand.

    `files`: the name, as shown to a person, and SHA-256 of each file that a part is from, those of lemmas included.
    """

    parts: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the parts, each apart from the next."""
        return hashlib.sha256(json.dumps(self.parts).encode()).hexdigest()


def make_basis(
    source: Source,
    rulesets: tuple[tuple[str, Source], ...],
    definitions: Mapping[str, Definition],
    files: Mapping[str, Source],
    borrowed: tuple[tuple[str, Source], ...],
    lemmas: tuple[tuple[str, Basis], ...] = (),
) -> Basis:
    """The basis of a claim.

    `rulesets` are those of its games, by the game's name; `files` hold the shared ones of its `definitions`, `borrowed`
    the proofs of siblings, `lemmas` the name of each and its own basis.
    """
    read = [source, *(other for _, other in (*rulesets, *borrowed))]
    shared = {name: d for name, d in definitions.items() if d.where[0] in files}
    mentioned = tuple(find_mentioned([one.data for one in read], shared))
    whole = [*read, *(files[d.where[0]] for d in mentioned)]
    digests = {one.name: one.digest for one in whole} | {file: x for _, basis in lemmas for file, x in basis.files}
    return Basis(
        (
            ("claim", source.text),
            *((f"ruleset of {name}", other.text) for name, other in rulesets),
            *((f"proof of {name}", other.text) for name, other in borrowed),
            *((f"definition {d.head}", d.text) for d in mentioned),
            *((f"lemma {name}", basis.digest) for name, basis in lemmas),
        ),
        tuple(sorted(digests.items())),
    )


def read_borrowed_proofs(source: Source, folder: Path, read: Read) -> tuple[tuple[str, Source], ...]:
    """The siblings whose [proof] a claim names with `from`, each once. The section has been read without fault."""
    section = source.data.get("proof", {})
    names = [row["from"] for row in (section, *section.get("cases", ())) if "from" in row]
    return tuple((name, read(folder / f"{name}.toml")) for name in dict.fromkeys(names))


NOTHING = Basis()
