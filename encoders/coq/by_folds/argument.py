"""From the invariant, the facts and the named moves of a proof to the claim itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.coq.by_folds.invariant import Invariant
from encoders.coq.by_folds.known import Known
from encoders.coq.statement.domains import Binder
from encoders.coq.statement.statements import Statements, key_of_ruleset
from encoders.coq.statement.writing import ARROW, BINDER, Text
from encoders.ground.refusals import Unsupported
from encoders.logic.terms import both, implies, opposite
from encoders.rules.folds.statement.section import FoldsProof


def write_argument(
    claim: Claim,
    proof: FoldsProof,
    invariant: Invariant,
    binders: Sequence[Binder],
    numbers: Statements,
    known: Sequence[Known],
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
                asked = both(*clause.conditions, body) if reducer == "any" else implies(both(*clause.conditions), body)
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
