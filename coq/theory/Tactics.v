
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

(* Equations of nim-sums that hold bit by bit. *)
Ltac bit_by_bit :=
  apply N.bits_inj; intros ?i; rewrite ?N.lxor_spec, ?N.bits_0;
  repeat match goal with |- context [N.testbit ?a ?i] => destruct (N.testbit a i) end; reflexivity.

(* Nim-sums in one order, with what cancels left out. *)
Ltac cancel :=
  repeat match goal with
  | H : context [N.lxor (N.lxor ?a ?b) ?c] |- _ => rewrite (N.lxor_assoc a b c) in H
  | |- context [N.lxor (N.lxor ?a ?b) ?c] => rewrite (N.lxor_assoc a b c)
  | H : context [N.lxor 0 ?a] |- _ => rewrite (N.lxor_0_l a) in H
  | |- context [N.lxor 0 ?a] => rewrite (N.lxor_0_l a)
  | H : context [N.lxor ?a 0] |- _ => rewrite (N.lxor_0_r a) in H
  | |- context [N.lxor ?a 0] => rewrite (N.lxor_0_r a)
  | H : context [N.lxor ?a ?a] |- _ => rewrite (N.lxor_nilpotent a) in H
  | |- context [N.lxor ?a ?a] => rewrite (N.lxor_nilpotent a)
  | H : context [N.lxor ?a (N.lxor ?a ?b)] |- _ => rewrite (lxor_back a b) in H
  | |- context [N.lxor ?a (N.lxor ?a ?b)] => rewrite (lxor_back a b)
  | H : context [N.lxor ?a (N.lxor ?b ?a)] |- _ => rewrite (lxor_over a b) in H
  | |- context [N.lxor ?a (N.lxor ?b ?a)] => rewrite (lxor_over a b)
  | H : context [N.lxor ?a (N.lxor ?b (N.lxor ?a ?c))] |- _ => rewrite (lxor_over_1 a b c) in H
  | |- context [N.lxor ?a (N.lxor ?b (N.lxor ?a ?c))] => rewrite (lxor_over_1 a b c)
  | H : context [N.lxor ?a (N.lxor ?b (N.lxor ?c ?a))] |- _ => rewrite (lxor_over_2 a b c) in H
  | |- context [N.lxor ?a (N.lxor ?b (N.lxor ?c ?a))] => rewrite (lxor_over_2 a b c)
  | H : context [N.lxor ?a (N.lxor ?b (N.lxor ?c (N.lxor ?a ?d)))] |- _ => rewrite (lxor_over_3 a b c d) in H
  | |- context [N.lxor ?a (N.lxor ?b (N.lxor ?c (N.lxor ?a ?d)))] => rewrite (lxor_over_3 a b c d)
  end.

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

(* Where a fact gives a number under a condition, whether that is met. *)
Ltac meet_conditions :=
  repeat match goal with
  | H : ?A -> ?B |- _ =>
      lazymatch B with context [?x = _] => is_var x end;
      let D := fresh in assert (D : A \/ ~ A) by lia; destruct D as [D|D];
      [specialize (H D); take_apart; subst; try (exfalso; lia) | clear H]
  end.

(* A heap whose size the cases tell is that number. *)
Ltac read_off :=
  repeat match goal with
  | H : context [?x =? ?n] |- _ => is_var x; let E := fresh in assert (E : x = n) by lia; subst x
  end.

(* A remainder by a number written down, and the quotient, by what they are. *)
Ltac divide :=
  let by_number e d :=
    lazymatch d with
    | N.pos _ =>
        let E := fresh in let L := fresh in
        pose proof (N.div_mod' e d) as E; assert (L : e mod d < d) by (apply N.mod_lt; discriminate);
        generalize dependent (e mod d); generalize dependent (e / d); intros
    end in
  repeat match goal with
  | |- context [?e mod ?d] => by_number e d
  | |- context [?e / ?d] => by_number e d
  | H : context [?e mod ?d] |- _ => by_number e d
  | H : context [?e / ?d] |- _ => by_number e d
  end.

(* What is known of each nim-sum of two numbers, without their bits: when it is 0; when it is one of the two. *)
Ltac for_each_nim_sum note :=
  repeat match goal with
  | |- context [N.lxor ?a ?b] => note a b
  | H : context [N.lxor ?a ?b] |- _ => note a b
  end.
Ltac note_nim_sums :=
  for_each_nim_sum ltac:(fun a b =>
    lazymatch goal with _ : N.lxor a b = 0 <-> a = b |- _ => fail | _ => pose proof (lxor_zero a b) end).
Ltac note_more :=
  for_each_nim_sum ltac:(fun a b =>
    lazymatch goal with
    | _ : N.lxor a b = a <-> b = 0 |- _ => fail
    | _ => pose proof (lxor_self a b); pose proof (lxor_other a b)
    end).

(* A heap is gone, or there. *)
Ltac gone_or_there y :=
  let G := fresh in destruct (N.eq_0_gt_0_cases y) as [G|G]; [subst y|].

Ltac conclude :=
  repeat match goal with |- _ /\ _ => split end;
  first
    [ lazymatch goal with |- N.lxor _ _ = _ => bit_by_bit | |- _ = N.lxor _ _ => bit_by_bit end
    | lia
    | note_nim_sums; first [ lia | note_more; lia ] ].
Ltac settle := intros; divide; take_apart; subst; cancel; cases; read_off; meet_conditions; cancel; conclude.

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
      | match goal with C : context [count ?P ?s] |- 1 <= number ?s => pose proof (count_at_most P s); lia end ]
  end.
