"""What a claim takes from the generated files of its lemmas: where they show that the mover loses, and their facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claims.language.library.entries import shipped
from claims.language.statement.claim import Claim, Lemma
from claims.language.statement.unfolding import unfolded_claim
from encoders.coq.by_folds.folds import write_folds
from encoders.coq.by_folds.invariant import Invariant
from encoders.coq.statement.domains import Binder, write_variables
from encoders.coq.statement.statements import Statements
from encoders.coq.statement.writing import comment, name_in_coq
from encoders.ground.refusals import Unsupported
from encoders.proving.reading import load_claim
from encoders.rules.folds.statement.section import FoldsProof


def module_of(id: str) -> str:
    """The module of the file of a claim, below the folder of all generated files.

    >>> module_of("kl-nim/theorem-14")
    'kl_nim.theorem_14'
    """
    return ".".join(name_in_coq(part) for part in id.split("/"))


def lemmas_of(claim: Claim) -> tuple[Lemma, ...]:
    """The lemmas of a claim's [proof]; and, where that is taken from a claim of the library, that one."""
    proof = claim.proof
    if proof is None or proof.by or not proof.taken_from or not isinstance(proof, FoldsProof):
        return proof.by if proof else ()
    folder, slash, _ = claim.id.rpartition("/")
    id = f"{folder}{slash}{proof.taken_from}"
    entry = next((e for e in shipped() if e.id == id), None)
    if entry is None:
        return ()
    other = load_claim(entry.path, entry.id)
    invariant = isinstance(other.proof, FoldsProof) and other.proof.loses and not other.proof.by
    return (Lemma(id, other, entry.path),) if invariant else ()


@dataclass(frozen=True)
class Known:
    """The invariant of a lemma, as it is called from elsewhere. `wins`: that lemma's name here."""

    id: str
    module: str
    wins: str
    text: str
    facts: str
    unfolds: tuple[str, ...]
    game: str


def write_known(lemma: Lemma, claim: Claim, binders: Sequence[Binder], numbers: Statements) -> Known:
    """What the lemma says of a game of the claim. Raises Unsupported."""
    other = unfolded_claim(lemma.claim)
    proof = other.proof
    if not isinstance(proof, FoldsProof) or not proof.loses or proof.by:
        raise Unsupported(f"the lemma {lemma.id} is not proved by an invariant")
    theirs, inner = write_variables(other)
    ours = {b.word: b.name for b in binders if b.is_number}
    integers = [b for b in theirs if b.is_number]
    if missing := [b.word for b in integers if b.word not in ours]:
        raise Unsupported(f"the lemma {lemma.id} has integers that the claim has not: {', '.join(missing)}")
    folds = write_folds(proof.folds, inner, proof.position)
    game = other.games[0]
    here = next((g for g in claim.games if g.ruleset.id == game.ruleset.id), None)
    if here is None:
        raise Unsupported(f"the lemma {lemma.id} is about another game")
    module, short = module_of(lemma.id), name_in_coq(lemma.id.rpartition("/")[2])
    invariant = Invariant(proof, game, inner.games[game.name], folds, inner)
    lost = _parameters([invariant.loss, *(f.is_ for f in folds if _mentions(invariant.loss, f.name))], integers)
    given = "".join(f" {ours[b.word]}" for b in lost)
    name = f"wins_by_{short}"
    facts = "".join(f" {ours[b.word]}" + " ltac:(lia)" * len(b.bounds) for b in integers)
    text = f"""{comment(f"Who wins, by {lemma.id}.")}
Lemma {name} p s : wins {numbers.games[here.name].argument} p s <-> ~ {short}.lost{given} p s.
Proof. apply {short}.who_wins; lia. Qed."""
    unfolds = tuple(f"{short}.{x}" for x in ("lost", "facts", *(f.name for f in folds)))
    return Known(lemma.id, module, name, text, f"{short}.facts_hold{facts}", unfolds, here.name)


def import_known(known: Sequence[Known]) -> str:
    """The lines that load the lemmas' files."""
    return "".join(f"From NimChecks Require {k.module}.\n" for k in known)


def _mentions(text: str, name: str) -> bool:
    return name in re.findall(r"[\w']+", text)


def _parameters(texts: Sequence[str], binders: Sequence[Binder]) -> list[Binder]:
    """The variables of a section on which a definition with these texts depends, in its order."""
    return [b for b in binders if any(_mentions(text, b.name) for text in texts)]
