"""The Coq text of proofs by the rule "value": a formula for the winner among n players.

The formula uses the shape of a position: the number of heaps, the smallest heap with its multiplicity, and the largest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from encoders.coq.numbers import total
from encoders.coq.propositions import Statements
from encoders.coq.statement import Binder, state
from encoders.coq.writing import APPLICATION, BINDER, SUM, Text
from encoders.refusals import Unsupported
from encoders.rules.value import ValueProof

SHAPE = {"heaps": "number", "least": "least", "times": "times", "largest": "largest"}


def write_least(claim: Claim, proof: ValueProof, binders: Sequence[Binder], numbers: Statements) -> Iterator[str]:
    """Yield the Coq text of all lemmas of the proof, one or more per item. The last lemma, `claim`, is the claim.

    Raises Unsupported for a game that this proof does not cover.
    """
    (game,) = claim.games
    ruleset = game.ruleset
    if len(ruleset.moves) != 1 or ruleset.moves[0].choose != "largest":
        raise Unsupported(
            f"{ruleset.id}: a Coq proof of the values of n players needs one kind of move, on a largest heap"
        )
    if not (ruleset.stuck_wins and ruleset.player_count):
        raise Unsupported(f"{ruleset.id}: a Coq proof of values needs n players, and misère play")
    written = numbers.games[game.name].argument
    players = numbers.natural(dict(game.arguments)[ruleset.player_count]).argument
    of_s = _shape_of("s0", numbers)
    beside = _shape_of("(h0 :: R0)", numbers)
    known = "0 < h0 -> largest R0 <= h0 ->"
    yield f"""\
(* The region of the formula, and the formula. *)
Definition region (s0 : position) : Prop := {of_s.says(proof.region).at(BINDER)}.
Definition formula (s0 : position) : N := {_write_truncated(of_s, proof.value).at(BINDER)}.

Lemma in_range s0 : region s0 -> formula s0 < {players}.
Proof. unfold region, formula. intros I. take_apart. settle_shape s0. Qed.
Lemma empty : region [] -> formula [] = 0.
Proof. intros _. vm_compute. cases; reflexivity || lia. Qed.
Lemma region_closed h0 y0 R0 : {known} becomes {written} First h0 y0 ->
  region (h0 :: R0) -> region (y0 :: R0).
Proof. unfold region. intros P T B. open_move B. take_apart. intros I. take_apart. settle_shape R0. Qed.
Lemma no_less h0 y0 R0 : {known} becomes {written} First h0 y0 -> region (h0 :: R0) ->
  formula (h0 :: R0) <= (formula (y0 :: R0) + 1) mod {players}.
Proof.
  intros P T B I. pose proof (region_closed h0 y0 R0 P T B I) as J. rewrite next_around by (apply in_range; exact J).
  open_move B. unfold region, formula in *. take_apart. settle_shape R0.
Qed.
Lemma attained h0 R0 : {known} region (h0 :: R0) ->
  exists y0, becomes {written} First h0 y0 /\\ formula (h0 :: R0) = (formula (y0 :: R0) + 1) mod {players}.
Proof.
  intros P T I. set (y0 := {_option(proof, beside)}).
  assert (B : becomes {written} First h0 y0).
  {{ hnf. exists (h0 - y0). revert I. unfold y0, region; clear y0. intros I. take_apart. settle_shape R0. }}
  exists y0. split; [exact B|]. pose proof (region_closed h0 y0 R0 P T B I) as J.
  rewrite next_around by (apply in_range; exact J). revert I J. clear B. unfold y0, region, formula; clear y0.
  intros I J. take_apart. settle_shape R0.
Qed.

Lemma region_same s0 t0 : s0 ≡ t0 -> region s0 -> region t0.
Proof. unfold region. intros E. same_shape E. Qed.
Lemma formula_same s0 t0 : s0 ≡ t0 -> formula s0 = formula t0.
Proof. unfold formula. intros E. same_shape E. Qed.
Lemma smaller_ p0 h0 y0 : becomes {written} p0 h0 y0 -> y0 < h0.
Proof. smaller. Qed.
Lemma winners s0 : region s0 -> winner {written} {players} s0 (formula s0).
Proof.
  exact (winner_by_formula {written} {players} smaller_ region formula region_same formula_same region_closed empty
    no_less attained eq_refl eq_refl s0).
Qed.
"""
    rest = [b for b in binders if not b.is_number]
    typed = "".join(f" ({b.name} : {b.type})" for b in rest)
    yield f"""\
Lemma claim{typed} :
  {state(claim, numbers).at(BINDER)}.
Proof.
  intros. take_apart. repeat split;
  repeat match goal with |- exists v, winner _ _ ?x v /\\ _ =>
    exists (formula x); split; [apply winners; unfold region | unfold formula] end;
  conclude_shapes.
Qed."""


def _shape_of(position: str, numbers: Statements) -> Statements:
    """Return a writer of formulas that writes `heaps`, `least`, `times` and `largest` as Coq functions of a position.

    `position`: the position, as Coq text.
    """
    return numbers.bind({word: Text(f"{name} {position}", APPLICATION) for word, name in SHAPE.items()})


def _write_truncated(numbers: Statements, term: t.Term) -> Text:
    """Return the Coq text of a number in the proof. It uses truncated subtraction: a negative difference becomes 0."""
    if isinstance(term, t.IfElse):
        condition = numbers.truth(term.condition).at(BINDER)
        then, other = _write_truncated(numbers, term.then), _write_truncated(numbers, term.other)
        return Text(f"(if {condition} then {then.at(BINDER)} else {other.at(BINDER)})")
    found = numbers.number(term).cancel_common()
    plus, minus = total(found.plus), total(found.minus)
    return Text(f"{plus.at(SUM)} - {minus.argument}", SUM) if found.minus else plus


def _option(proof: ValueProof, numbers: Statements) -> str:
    """Return the Coq text of the new size of a largest heap: `becomes` of the first option whose `when` holds.

    If no earlier `when` holds, the last option is used without a test of its `when`.
    """
    *before, last = proof.options
    made = _write_truncated(numbers, last.becomes).at(BINDER)
    for option in reversed(before):
        then = _write_truncated(numbers, option.becomes).at(BINDER)
        made = f"if {numbers.truth(option.when).at(BINDER)} then {then} else {made}"
    return made
