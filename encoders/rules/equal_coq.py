"""The Coq text of proofs by the rule "equal games": definitions and obligations for the theorem in coq/theory/Equal.v.

A proof is supported if its region consists of all positions whose heaps have some property.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term, substitute
from claims.language.syntax.terms import INT
from encoders.coq.propositions import Statements
from encoders.coq.sequents import write_module, write_obligation
from encoders.coq.statement import Binder, open_section, state
from encoders.coq.writing import BINDER, Text, comment
from encoders.logic.sequents import Sequent
from encoders.refusals import Unsupported
from encoders.rules.base.rule import ProofServices
from encoders.rules.equal import CLOSED, EQUAL, SAME, EqualProof

HEAP = "a heap"  # no variable has this name


def write_equal(claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices) -> Iterator[str]:
    """Yield the Coq text of the proof, which ends with the lemma `claim`.

    Raises Unsupported for a proof or a game that the Coq theory does not support.
    """
    proof = claim.proof
    assert isinstance(proof, EqualProof)
    if any(len(move.picks) != 1 for game in claim.games for move in game.ruleset.moves):
        raise Unsupported("for the rule equal games, Coq text is generated only for moves that pick one number")
    if any(len(game.ruleset.moves) != 1 for game in claim.games):
        raise Unsupported("for the rule equal games, Coq text is generated only if each game has one kind of moves")
    lemmas, stays, same = list[str](), list[str](), list[str]()
    for sequent in EQUAL.obligations(claim, services):
        if sequent.kind in (CLOSED, SAME):
            name = f"obligation_{len(lemmas) + 1}"
            printed = write_obligation(name, sequent, services.find_certificate(sequent))
            lemmas.append(f"{comment(sequent.name)}\n{printed}")
            used = f"(fun m0 => Obligations.{name} {_values(claim, sequent, numbers.names)})"
            (stays if sequent.kind is CLOSED else same).append(used)
    stays, same = (2 * x if len(stays) == 1 else x for x in (stays, same))  # the same for both players
    first, second = (numbers.games[game.name] for game in claim.games)
    property_ = numbers.bind({HEAP: Text("h0")}).says(_property(proof)).at(BINDER)
    word = numbers.free("allowed")
    games = f"{first.argument} {second.argument} {word}"
    smaller, _ = numbers.about_moves(claim.games[0])
    typed = "".join(f" ({b.name} : {b.type})" for b in binders if not b.is_number)
    yield f"From NimChecks Require Import Equal.\nOpen Scope N_scope.\n{write_module('Obligations', lemmas)}"
    yield from open_section(binders)
    yield f"""\
Definition {word} (h0 : N) : Prop := {property_}.
Lemma stays p0 h0 y0 : 0 < h0 -> {word} h0 -> becomes {first.argument} p0 h0 y0 -> 0 < y0 -> {word} y0.
Proof. destruct p0; [stays_inside {stays[0]} | stays_inside {stays[1]}]. Qed.
Lemma same_inside p0 h0 y0 :
  0 < h0 -> {word} h0 -> (becomes {first.argument} p0 h0 y0 <-> becomes {second.argument} p0 h0 y0).
Proof.
  intros ? I. red in I. destruct p0; split;
    [{" | ".join(f"is_in_both {x}" for x in same)}].
Qed.
Lemma claim{typed} : {state(claim, numbers).at(BINDER)}.
Proof.
  by_equal_games (equal_moves {games} eq_refl same_inside)
    (equal_wins {games} {smaller} eq_refl eq_refl stays same_inside).
Qed.
End Proof.
"""


def _property(proof: EqualProof) -> t.Term:
    """Return the property of a heap that all heaps of a position in the region have. Raises Unsupported."""
    match proof.region:
        case t.Comprehension(reducer="all", body=body, clauses=(t.Clause(source=t.Variable() as s) as clause,)) if (
            s.name == proof.position and not clause.conditions
        ):
            return substitute(body, {clause.variable: t.Variable(INT, 0, 0, HEAP)})
    words = "Coq text is generated only for a condition on all heaps, as in all(h < k for h in s)"
    raise Unsupported(f"{print_term(proof.region)}: {words}")


def _values(claim: Claim, sequent: Sequent, names: Mapping[str, Text]) -> str:
    """Return the values of the variables of an obligation, as arguments in Coq.

    A move with the pick m0 replaces the heap h0 by the heap y0. The number of other heaps without the property is 0.
    """
    known = {v.name for v in claim.variables if v.type == INT}
    picks = {pick.name for game in claim.games for move in game.ruleset.moves for pick in move.picks}
    values = list[str]()
    for x in sequent.variables:
        if x.name in known:
            values.append(f"(Z.of_N {names[x.name].text})")
        elif x.name in picks:
            values.append("(Z.of_N m0)")
        elif x.name in ("heap", "new size"):
            values.append("(Z.of_N h0)" if x.name == "heap" else "(Z.of_N y0)")
        else:
            values.append("0")
    return " ".join(values)
