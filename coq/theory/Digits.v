(* Tactics for obligations about heaps in digits: products of unknowns, which are compared digit by digit. *)
From Coq Require Import Lia ZifyBool ZifyN.
From NimChecks Require Export Grundy Tactics.
Open Scope N_scope.

(* a = b, or one of them is the other one and something more, which products distribute over. *)
Lemma compared a b : a = b \/ (exists d, b = a + 1 + d) \/ (exists d, a = b + 1 + d).
Proof.
  destruct (N.lt_trichotomy a b) as [L | [E | L]]; [right; left; exists (b - a - 1) | left | right; right; exists (a - b - 1)]; lia.
Qed.
Ltac compare_numbers a b :=
  let d := fresh "d" in destruct (compared a b) as [?E | [[d ?E] | [d ?E]]]; [subst a | subst b | subst a].

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

Ltac products := rewrite ?N.mul_add_distr_l, ?N.mul_add_distr_r, ?N.mul_1_l, ?N.mul_1_r, ?N.mul_0_l, ?N.mul_0_r in *.
Ltac arithmetic := products; first [lia | nia].
Ltac settle_digits := take_apart; small_numbers; cases; repeat split; arithmetic.

(* By comparing the leading digits x and y, if they are unknowns. *)
Ltac by_leading x y :=
  repeat split;
  first
    [ lia
    | small_numbers; (tryif (is_var x; is_var y) then compare_numbers x y else idtac); products; lia
    | small_numbers; (tryif (is_var x; is_var y) then compare_numbers x y else idtac); cases; products; first [lia | nia] ].
Ltac by_digits x y := try subst; small_numbers; try (exfalso; lia); compare_numbers x y; products; first [lia | nia].

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
    repeat match goal with m : N |- exists _ : N, _ => exists m end; repeat split; cases; lia ].

(* Divisions that are known. *)
Ltac use_divisions :=
  repeat match goal with
  | E : ?a / ?b = _ |- context [?a / ?b] => rewrite E in *; clear E
  | E : ?a mod ?b = _ |- context [?a mod ?b] => rewrite E in *; clear E
  end.
(* The claim, of whose questions only numbers are left. *)
Ltac conclude_values :=
  intros; take_apart; use_divisions; repeat split;
  first [ lia | tauto | congruence | small_numbers; cases; arithmetic | settle ].

(* A claim from what a case of it, H, says: conditions on numbers alone are decided there. *)
Ltac by_case H :=
  repeat match goal with |- context [N.min ?a ?b] =>
    first [replace (N.min a b) with a by lia | replace (N.min a b) with b by lia] end;
  first [ exact H | intuition lia | intuition (subst; intuition lia) ].
