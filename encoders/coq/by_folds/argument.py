"""From the invariant, the facts and the named moves of a proof to the claim itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim, Lemma
from claims.language.statement.unfolding import unfolded_claim
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.coq.by_folds.folds import write_folds
from encoders.coq.by_folds.invariant import Invariant
from encoders.coq.statement.domains import Binder, write_variables
from encoders.coq.statement.statements import Statements, key_of_ruleset
from encoders.coq.statement.writing import ARROW, BINDER, Text, comment, name_in_coq
from encoders.ground.refusals import Unsupported
from encoders.logic.terms import conjunction, implies, opposite
from encoders.rules.folds.statement.section import FoldsProof

# -- what lemmas say --------------------------------------------------------------------------------------------------
# What a claim takes from the generated files of its lemmas: where they show that the mover loses, and their facts.


def module_of(id: str) -> str:
    """The module of the file of a claim, below the folder of all generated files.

    >>> module_of("kl-nim/theorem-14")
    'kl_nim.theorem_14'
    """
    return ".".join(name_in_coq(part) for part in id.split("/"))


@dataclass(frozen=True)
class ImportedInvariant:
    """The invariant of a lemma, as it is called from elsewhere. `wins`: that lemma's name here."""

    id: str
    module: str
    wins: str
    text: str
    facts: str
    unfolds: tuple[str, ...]
    game: str


def write_known(lemma: Lemma, claim: Claim, binders: Sequence[Binder], numbers: Statements) -> ImportedInvariant:
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
    return ImportedInvariant(lemma.id, module, name, text, f"{short}.facts_hold{facts}", unfolds, here.name)


def import_known(known: Sequence[ImportedInvariant]) -> str:
    """The lines that load the lemmas' files."""
    return "".join(f"From NimChecks Require {k.module}.\n" for k in known)


def _mentions(text: str, name: str) -> bool:
    return name in re.findall(r"[\w']+", text)


def _parameters(texts: Sequence[str], binders: Sequence[Binder]) -> list[Binder]:
    """The variables of a section on which a definition with these texts depends, in its order."""
    return [b for b in binders if any(_mentions(text, b.name) for text in texts)]


# -- argument ---------------------------------------------------------------------------------------------------------
def write_argument(
    claim: Claim,
    proof: FoldsProof,
    invariant: Invariant,
    binders: Sequence[Binder],
    numbers: Statements,
    known: Sequence[ImportedInvariant],
) -> Iterator[str]:
    """The lemma `claim`, of the claim's variables that are no numbers, and what it needs."""
    quantifiers = list(_of_heaps(claim, numbers))
    yield "(* What the claim says of all heaps, or of some, as a fold. *)" if quantifiers else ""
    for number, lemma in enumerate(quantifiers, 1):
        yield f"Lemma of_heaps_{number} {lemma}"
    rest = [b for b in binders if not b.is_number]
    typed = "".join(f" ({b.name} : {b.type})" for b in rest)
    says = numbers.says(claim.conclusion).at(BINDER)
    if claim.hypothesis is not None:
        says = f"{numbers.says(claim.hypothesis).at(ARROW - 1)} ->\n  {says}"
    rewrites = [f"of_heaps_{i}" for i in range(1, len(quantifiers) + 1)]
    opened = list(_opened(claim, numbers)) if proof.unfold else []
    rewrites += [*(["who_wins"] if proof.loses else []), *(k.wins for k in known)]
    names = ["facts", *(["lost"] if proof.loses else []), *(f.name for f in invariant.folds)]
    unfolds = ", ".join([*names, *(x for k in known for x in k.unfolds)])
    facts = ["facts_hold", *(k.facts for k in known)]
    positions = [b.name for b in rest if b.type == "position"]
    yield f"""Ltac see_through := unfold {unfolds} in *.
Ltac know u := {"; ".join(f"pose proof ({fact} u)" for fact in facts)}; see_through.
Ltac show_numbers := see_through; about_numbers."""
    for number, move in enumerate(proof.moves, 1):
        yield invariant.witness(number, move)
    moves = " | ".join(f"witness_{i} u" for i in range(1, len(proof.moves) + 1))
    yield f"Ltac witness u := {f'first [ {moves} ]' if moves else 'fail'}."
    yield f"""Lemma claim{typed} :
  {says}.
Proof.
  {"".join(f"rewrite {x}. " for x in opened)}{"".join(f"repeat setoid_rewrite {x}. " for x in rewrites)}
  {"".join(f"know {x}. " for x in positions)}
  see_through. argue_by ltac:(fun u => know u) ltac:(fun u => witness u).
Qed."""


def _opened(claim: Claim, numbers: Statements) -> Iterator[str]:
    """What winning means at the positions that are variables of the claim, once for each question."""
    seen = set[str]()
    for term in walk((claim.hypothesis or (), claim.conclusion)):
        match term:
            case t.GameCall(function="wins", game=game, args=(t.Variable(name=s), mover)) if s in numbers.names:
                rules = numbers.rules[game].ruleset
                if rules.stuck_wins:
                    raise Unsupported(f"{rules.id}: what winning means is written out for normal play")
                name = numbers.names[key_of_ruleset(rules.id)].text
                called = numbers.games[game].argument
                given = "".join(
                    f" {x.argument}" for x in map(numbers.natural, dict(numbers.rules[game].arguments).values())
                )
                player = numbers.player(mover).argument
                lemma = f"(wins_normal {called} ({name}_smaller{given}) ({name}_decided{given}) {player} {s} eq_refl)"
                if lemma not in seen:
                    seen.add(lemma)
                    yield lemma


def _of_heaps(claim: Claim, numbers: Statements) -> Iterator[str]:
    """For each statement about some heap, or all, that it is one about a count."""
    seen = set[str]()
    for term in walk((claim.hypothesis or (), claim.conclusion)):
        match term:
            case t.Comprehension(reducer="any" | "all" as reducer, body=body, clauses=(clause,)):
                if clause.source.type != POSITION or not isinstance(clause.source, t.Variable):
                    continue
                inner = numbers.bind({clause.source.name: Text("s"), clause.variable: Text("h")})
                asked = (
                    conjunction(*clause.conditions, body)
                    if reducer == "any"
                    else implies(conjunction(*clause.conditions), body)
                )
                counted = asked if reducer == "any" else opposite(asked)
                says, count = inner.says(asked).at(BINDER), inner.truth(counted).at(BINDER)
                if (lemma := _lemma(reducer, says, count)) not in seen:
                    seen.add(lemma)
                    yield lemma


def _lemma(reducer: str, says: str, counted: str) -> str:
    lemma = f"(fun h => {says}) (fun h => {counted}) s ltac:(intros; cbv beta; lia)"
    said = f"exists h, h ∈ s /\\ {says}" if reducer == "any" else f"forall h, h ∈ s -> {says}"
    counts = f"0 < count (fun h => {counted}) s" if reducer == "any" else f"count (fun h => {counted}) s = 0"
    name = "some_heap" if reducer == "any" else "all_heaps"
    return f"s : ({said}) <-> {counts}.\nProof. exact ({name} {lemma}). Qed."
