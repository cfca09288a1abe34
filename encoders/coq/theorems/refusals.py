"""What the generator does not know, in words: asked before anything is written."""

from __future__ import annotations

from collections.abc import Iterator

from claims.language.expressions.printing import text
from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim, Proof
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.ground.refusals import Unsupported
from encoders.rules.folds.statement.section import FoldsProof
from encoders.rules.grundy.section import GrundyProof, PowerDigit
from encoders.rules.value.section import ValueProof


def check(claim: Claim, proof: Proof | None) -> None:
    """Refuse what no part of the generator knows. Raises Unsupported."""
    for problem in _problems(claim, proof):
        raise Unsupported(problem)


def _problems(claim: Claim, proof: Proof | None) -> Iterator[str]:
    if not isinstance(proof, FoldsProof | GrundyProof | ValueProof):
        yield f"proofs by {proof.rule if proof else 'nothing'} are not generated"
        return
    if not isinstance(proof, FoldsProof):
        if proof.by:
            yield "proofs of values by lemmas are not generated"
        if len(claim.games) != 1:
            yield "values beside several games are not generated"
        yield from _of_values(proof)
        return
    if proof.rule not in ("folds", "definition"):
        yield f"proofs by {proof.rule} are not generated"
    if not claim.games or not all(len(g.ruleset.players) == 2 for g in claim.games):
        yield "by folds only claims about games of two players are generated"
    if proof.loses and len(claim.games) > 1:
        yield "an invariant beside several games is not generated"
    if len({g.ruleset.players for g in claim.games}) > 1:
        yield "games of players with different names are not generated"
    for key, given in (("split", proof.split), ("heaps", proof.heaps), ("picks", proof.picks), ("steps", proof.steps)):
        if given:
            yield f"proofs with {key} are not generated"
    if proof.several:
        yield "named moves on several heaps are not generated"
    if proof.rule == "definition" and not proof.by:
        yield "what winning means is written out only beside a lemma about who wins"
    yield from _in_terms(claim, proof)


def _of_values(proof: GrundyProof | ValueProof) -> Iterator[str]:
    if isinstance(proof, ValueProof):
        if proof.ordered:
            yield "formulas in the heaps of a position in order are not generated"
        return
    if proof.arising or any(isinstance(d, PowerDigit) for d in proof.digits):
        yield "powers among the digits of a heap are not generated"
    if proof.assume is not None:
        yield "Grundy values for one of several cases are not generated"
    if proof.witness is not None:
        yield "sets of Grundy values are not generated"


def _in_terms(claim: Claim, proof: FoldsProof) -> Iterator[str]:
    """What the tactics have no answer to."""
    for term in walk((claim.hypothesis or (), claim.conclusion, proof)):
        match term:
            case t.Operation(op="mod" | "floordiv", args=(_, b)) if not isinstance(b, t.Literal):
                yield f"{text(term)}: in proofs by folds there are remainders by a number alone"
            case t.Operation(op="ne", args=(a, _)) if a.type.kind == "set":
                yield f"{text(term)}: that sets differ is not generated"
            case t.Operation(op="replace", args=(_, t.Operation(op="max" | "min"), _)):
                yield f"{text(term)}: a largest or least heap replaced is not generated"
            case t.GameCall(function="options", args=(s, *_)) if s.type == POSITION and not isinstance(s, t.Variable):
                yield f"{text(term)}: the options of a position that is written down are not generated"
