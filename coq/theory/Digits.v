(* Tactics for games in which both players have the same moves, and for numbers in cases. *)
From Coq Require Import Lia ZifyBool ZifyN.
From NimChecks Require Export Grundy Tactics.
Open Scope N_scope.

(* A number below a small one is one of those. *)
Ltac small_numbers :=
  repeat match goal with
  | H : ?x <= N.pos ?p |- _ =>
      is_var x;
      let E := fresh in destruct (N.eq_dec x (N.pos p)) as [E|E];
      [ subst x
      | let q := eval compute in (N.pred (N.pos p)) in
        let L := fresh in assert (L : x <= q) by lia; clear H E ]
  | H : ?x <= 0 |- _ => is_var x; let E := fresh in assert (E : x = 0) by lia; subst x
  end.

Lemma divided a b q r : a = b * q + r -> r < b -> a / b = q /\ a mod b = r.
Proof.
  intros E L. split; symmetry; [apply (N.div_unique a b q r) | apply (N.mod_unique a b q r)]; assumption.
Qed.

(* That a game is impartial: a move of either player is one of the other, with the same pick. *)
Ltac smaller_of B := intros ?p ?h ?y B; open_move B; take_apart; cases; lia.
Ltac alike :=
  let B := fresh "B" in
  split;
  [ smaller_of B
  | reflexivity
  | reflexivity
  | intros [|] ?h ?y B; open_move B; take_apart; split; hnf; cbn [same_player other];
    repeat match goal with m : N |- exists _ : N, _ => exists m end; repeat split; first [assumption | cases; lia] ].

(* A claim from what a case of it, H, says: conditions on numbers alone are decided there. *)
Ltac by_case H :=
  repeat match goal with |- context [N.min ?a ?b] =>
    first [replace (N.min a b) with a by lia | replace (N.min a b) with b by lia] end;
  first [ exact H | intuition lia | intuition (subst; intuition lia) ].

