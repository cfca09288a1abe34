
(* The tactics by which generated files prove their obligations. *)
From Coq Require Export ZArith Lia ZifyBool ZifyN.
From NimChecks Require Export Games NimAddition.
Open Scope N_scope.

(* What lia makes of quotients and remainders, where there are any: looking for them takes it longer than all else. *)
Ltac divisions :=
  lazymatch goal with
  | |- context [Z.div _ _] => Z.to_euclidean_division_equations
  | |- context [Z.modulo _ _] => Z.to_euclidean_division_equations
  | _ : context [Z.div _ _] |- _ => Z.to_euclidean_division_equations
  | _ : context [Z.modulo _ _] |- _ => Z.to_euclidean_division_equations
  | _ => idtac
  end.
Ltac Zify.zify_internal_to_euclidean_division_equations ::= divisions.

(* What is assumed, part by part. *)
Ltac take_apart :=
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : exists _, _ |- _ => destruct H
  end.

(* Case by case, where a number or a condition depends on one. *)
Ltac cases :=
  repeat match goal with
  | H : context [if ?c then _ else _] |- _ =>
      lazymatch c with context [if _ then _ else _] => fail | _ => destruct c eqn:?; try (exfalso; lia) end
  | |- context [if ?c then _ else _] =>
      lazymatch c with context [if _ then _ else _] => fail | _ => destruct c eqn:?; try (exfalso; lia) end
  end.

(* A heap is gone, or there. *)
Ltac gone_or_there y :=
  let G := fresh in destruct (N.eq_0_gt_0_cases y) as [G|G]; [subst y|].

(* A move of a game, by its definition. *)
Ltac open_move B :=
  hnf in B; cbn [same_player] in B;
  repeat match type of B with _ \/ _ => destruct B as [B|B] end.
Ltac smaller := intros B; open_move B; take_apart; cases; lia.
(* A move is known by what it leaves: the number taken is the difference. *)
Ltac decided p h y :=
  cbn [becomes]; destruct p; cbn [same_player];
  lazymatch goal with
  | |- (exists m, @?P m) \/ _ =>
      let D := fresh in assert (D : P (h - y) \/ ~ P (h - y)) by (cbv beta; cases; lia);
      destruct D as [D|D]; [left; exists (h - y); exact D |];
      right; intros (m & M); apply D; replace (h - y) with m by (cases; lia); exact M
  end.

(* A fact is added, unless it is known. *)
Ltac learn fact :=
  let T := type of fact in
  lazymatch goal with _ : T |- _ => fail | _ => pose proof fact end.

(* That a difference in a claim is no less than 0: quotients, remainders and products are numbers like others. *)
Ltac no_difference :=
  repeat match goal with
  | |- context [?a mod ?b] => generalize dependent (a mod b); intros
  | |- context [?a / ?b] => generalize dependent (a / b); intros
  end;
  repeat match goal with |- context [?a * ?b] => generalize dependent (a * b); intros end;
  cases; lia.

(* That a claim has a meaning: what it needs is about numbers, under its conditions. *)
Ltac meaningful :=
  lazymatch goal with
  | |- True => exact I
  | |- _ /\ _ => split; meaningful
  | |- ~ _ => first [lia | intro; meaningful]
  | |- forall _, _ => intro; meaningful
  | |- False => lia
  | |- _ <-> _ => first [ reflexivity | lia ]
  | |- largest ?s ∈ ?s => apply largest_there; meaningful
  | |- _ => first [ assumption | lia | apply N.mod_lt; discriminate | take_apart; cases; lia | no_difference | nia
      | match goal with I : ?h ∈ ?s |- 1 <= number ?s => pose proof (counted (fun _ => true) h s I eq_refl); unfold number; lia end
      | match goal with C : context [count ?P ?s] |- 1 <= number ?s => pose proof (count_at_most P s); lia end
      | match goal with |- ?a mod ?b <= _ => pose proof (N.mod_le a b ltac:(lia)); lia end ]
  end.
