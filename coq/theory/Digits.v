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
Ltac arithmetic := products; first [lia | solve [progress cases; lia] | nia].
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

(* ---- Weights of digits that are unknowns, and bounds that are quotients by them. ---- *)
Lemma below_quotient x e d c : d <> 0 -> x <= e / d + c <-> d * x <= e + d * c.
Proof.
  intros D. pose proof (N.div_mod e d D) as E. pose proof (N.mod_lt e d D) as L.
  generalize dependent (e / d). generalize dependent (e mod d). intros r L q E. subst e. split; intros H.
  - apply (N.mul_le_mono_l _ _ d) in H. rewrite N.mul_add_distr_l in H. lia.
  - apply N.lt_succ_r. apply (N.mul_lt_mono_pos_l d); [lia|]. rewrite N.mul_succ_r, N.mul_add_distr_l. lia.
Qed.
Lemma below_quotient_alone x e d : d <> 0 -> x <= e / d <-> d * x <= e.
Proof. intros D. pose proof (below_quotient x e d 0 D) as Q. rewrite N.mul_0_r, !N.add_0_r in Q. exact Q. Qed.
Ltac bounds_by_quotients :=
  repeat match goal with
  | H : context [?x <= ?e / ?d + ?c] |- _ => rewrite (below_quotient x e d c) in H by lia
  | |- context [?x <= ?e / ?d + ?c] => rewrite (below_quotient x e d c) by lia
  | H : context [?x <= ?e / ?d] |- _ => rewrite (below_quotient_alone x e d) in H by lia
  | |- context [?x <= ?e / ?d] => rewrite (below_quotient_alone x e d) by lia
  end.
(* Other quotients and remainders, by what they are. *)
Ltac divide_at_all :=
  let by_number e d :=
    let E := fresh in let L := fresh in
    pose proof (N.div_mod' e d) as E; assert (L : e mod d < d) by (apply N.mod_lt; lia);
    generalize dependent (e mod d); generalize dependent (e / d); intros in
  repeat match goal with
  | |- context [?e / ?d] => by_number e d
  | |- context [?e mod ?d] => by_number e d
  | H : context [?e / ?d] |- _ => by_number e d
  | H : context [?e mod ?d] |- _ => by_number e d
  end.
(* A digit is 0, 1 or something more; one is as large as another, or larger by 1, 2 or something more. *)
Lemma small_or_not x : x = 0 \/ x = 1 \/ exists z, x = z + 2.
Proof. destruct (N.lt_ge_cases x 2); [lia | right; right; exists (x - 2); lia]. Qed.
Ltac by_size x :=
  let z := fresh x in
  tryif is_var x then (destruct (small_or_not x) as [-> | [-> | [z ->]]]; products; try (exfalso; lia)) else idtac.
Ltac by_distance x y :=
  let d := fresh "d" in
  destruct (compared x y) as [-> | [[d ->] | [d ->]]]; products; try (exfalso; lia); try by_size d.
(* Whichever of several numbers it is. *)
Ltac each_way :=
  repeat match goal with H : _ \/ _ |- _ => destruct H as [H|H] | H : ?x = _ |- _ => is_var x; subst x end.
Ltac settle_written := cbv beta iota; take_apart; bounds_by_quotients; divide_at_all; cases; repeat split; products; first [lia | nia].
