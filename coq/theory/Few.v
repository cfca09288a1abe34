(* The rule of few heaps, for positions of two heaps under normal play: proved once from what its obligations say.

   A set of pairs of heaps is the set of the positions that the mover loses if no move leads from one of them to another, and
   some move leads to one of them from every other position. *)
From Coq Require Import ZArith Lia ZifyBool.
From NimChecks Require Import Ahead.
From NimChecks Require Export Rules Tactics.
Open Scope N_scope.

(* -- the rule --------------------------------------------------------------------------------------------------------- *)
Section Few.
Variable g : rules.
Variable lost : N -> N -> Prop.
(* That two heaps are lost, in any order. *)
Definition either_way (a b : N) : Prop := (a <= b /\ lost a b) \/ (b <= a /\ lost b a).
Definition lost_at (s : position) : Prop := exists a b, s ≡ [a; b] /\ either_way a b.
Hypothesis normal : rules_stuck_wins g = false.
(* measure: a move leaves as many heaps, with 0 for those that are gone, and fewer objects. *)
Hypothesis fewer : forall k p s hs ys, In k (all_kinds g) -> length hs = chosen k -> occupied hs -> makes k p s hs ys ->
  length ys = length hs /\ total ys < total hs.
Hypothesis lost_or_not : forall a b, lost a b \/ ~ lost a b.
(* closed, cases and replies *)
Hypothesis closed : forall p a b, a <= b -> lost a b -> ~ (exists t, step g p [a; b] t /\ lost_at t).
Hypothesis reply : forall p a b, a <= b -> ~ lost a b -> exists t, step g p [a; b] t /\ lost_at t.

#[export] Instance lost_at_same : Proper (same ==> iff) lost_at.
Proof. intros s t E. unfold lost_at. split; intros (a & b & F & H); exists a, b; (split; [|exact H]); [rewrite <- E|rewrite E]; exact F. Qed.
Lemma lost_at_two a b : lost_at [a; b] <-> either_way a b.
Proof.
  unfold lost_at, either_way. split; [|intros H; exists a, b; split; [reflexivity|exact H]].
  intros (c & d & E & H). apply same_two in E. destruct E as [[-> ->]|[-> ->]]; tauto.
Qed.
Lemma down p s t : step g p s t -> total t < total s.
Proof.
  intros (k & hs & ys & R & K & C & O & S & T & M). rewrite S, T, !total_app. destruct (fewer k p _ hs ys K C O M). lia.
Qed.
(* A move from two heaps leaves two heaps. *)
Lemma leaves_two_heaps p a b t : step g p [a; b] t -> exists c d, c <= d /\ t ≡ [c; d].
Proof.
  intros (k & hs & ys & R & K & C & O & S & T & M). destruct (fewer k p _ hs ys K C O M) as (L & _).
  destruct (choices_all hs [a; b] R O S) as (Q & I & E).
  pose proof (choices_length _ _ _ _ I) as H. cbn in H.
  assert (H2 : length (ys ++ Q) = 2%nat) by (rewrite app_length in *; lia).
  assert (T' : t ≡ ys ++ Q) by (rewrite E; exact T).
  destruct (ys ++ Q) as [|c [|d [|? ?]]]; try discriminate. destruct (N.le_ge_cases c d) as [Le|Le]; [exists c, d; auto|].
  exists d, c. split; [exact Le|]. rewrite T'. apply same_order, perm_swap.
Qed.
Lemma either_or_not a b : either_way a b \/ ~ either_way a b.
Proof.
  unfold either_way. destruct (lost_or_not a b), (lost_or_not b a), (N.le_gt_cases a b), (N.le_gt_cases b a); try tauto;
    right; intros [[? ?]|[? ?]]; try contradiction; lia.
Qed.
Lemma decide_two n : forall a b p, total [a; b] = n -> a <= b ->
  (lost a b -> rules_loses g p [a; b]) /\ (~ lost a b -> rules_wins g p [a; b]).
Proof.
  induction n as [n IH] using (well_founded_induction N.lt_wf_0). intros a b p E Le.
  assert (Next : forall q t, step g p [a; b] t -> exists c d, c <= d /\ t ≡ [c; d] /\
    (lost c d -> rules_loses g q t) /\ (~ lost c d -> rules_wins g q t)).
  { intros q t M. destruct (leaves_two_heaps p a b t M) as (c & d & L & T). exists c, d. split; [exact L|]. split; [exact T|].
    assert (D : total [c; d] < n) by (rewrite <- E, <- T; exact (down p _ _ M)).
    destruct (IH _ D c d q eq_refl L) as (Lo & W). split; intros H; rewrite T; auto. }
  split; intros H.
  - constructor; [rewrite normal; discriminate|]. intros t M. destruct (Next (other p) t M) as (c & d & L & T & _ & W). apply W.
    intros Lcd. apply (closed p a b Le H). exists t. split; [exact M|]. exists c, d. split; [exact T|]. left. auto.
  - destruct (reply p a b Le H) as (t & M & c & d & T & Lcd). destruct (Next (other p) t M) as (u & v & L & T2 & Lo & _).
    apply rules_some with t; [exact M|]. apply Lo. rewrite T in T2. apply same_two in T2. unfold either_way in Lcd.
    destruct T2 as [[-> ->]|[-> ->]]; destruct Lcd as [[Q Lcd]|[Q Lcd]]; try exact Lcd.
    all: assert (u = v) by lia; subst; exact Lcd.
Qed.
(* The player to move at two heaps loses if and only if they are lost. *)
Theorem few_wins p a b : ~ rules_wins g p [a; b] <-> either_way a b.
Proof.
  assert (Sorted : forall a b, a <= b -> (~ rules_wins g p [a; b] <-> lost a b)).
  { intros c d L. destruct (decide_two _ c d p eq_refl L) as (Lo & W). split.
    - intros N. destruct (lost_or_not c d) as [|NL]; [assumption|]. destruct N. exact (W NL).
    - intros Lcd Wi. exact (rules_not_both g total down p _ Wi (Lo Lcd)). }
  unfold either_way. destruct (N.le_ge_cases a b) as [L|L].
  - rewrite (Sorted a b L). split; [tauto|]. intros [[_ H]|[H I]]; [exact H|]. replace b with a in * by lia. exact I.
  - assert (E : [a; b] ≡ [b; a]) by apply same_order, perm_swap. rewrite E, (Sorted b a L). split; [tauto|].
    intros [[H I]|[_ H]]; [|exact H]. replace b with a in * by lia. exact I.
Qed.
Theorem few_wins_if p a b : rules_wins g p [a; b] <-> ~ either_way a b.
Proof.
  split; [intros W L; exact (proj2 (few_wins p a b) L W)|]. intros No.
  destruct (N.le_ge_cases a b) as [Le|Le]; [|assert (E : [a; b] ≡ [b; a]) by apply same_order, perm_swap; rewrite E];
    apply (decide_two _ _ _ p eq_refl Le); intros L; apply No; unfold either_way; auto.
Qed.
End Few.

(* -- the tactics of an instance ---------------------------------------------------------------------------------- *)
Ltac each_heap := cbn [makes chosen on_one on_two] in *;
  repeat match goal with M : match ?l with _ => _ end |- _ => destruct l; try contradiction end.
(* What may be made does not depend on the order of the heaps. *)
Ltac ordered := let K := fresh in let E := fresh in let M := fresh in intros ? ? ? ? ? ? K E M; each_kind K; each_heap;
  first [exact M | setoid_rewrite E in M; exact M].
(* measure *)
Ltac leaves_fewer := let K := fresh in let C := fresh in let O := fresh in let M := fresh in intros K C O M; each_kind K; each_heap;
  decompose [ex and] M; subst; split; [reflexivity|]; rewrite ?total_cons; cbn [total]; lia.
(* A condition is met or not, because it has a form. *)
Ltac decide_by_form f ns :=
  let n := eval cbv in (Pos.of_succ_nat (length ns)) in
  lazymatch goal with |- ?A \/ _ =>
    let E := fresh in assert (E : A <-> means (of_naturals n ns) f) by (unfold f; read_form; as_form);
    let H := fresh in destruct (means_or_not f (of_naturals n ns)) as [H|H]; rewrite <- E in H; auto end.
Ltac as_known ::= lazymatch goal with
  | |- lost_at ?l [_; _] <-> _ => etransitivity; [apply lost_at_two|]; as_form
  | |- either_way ?l _ _ <-> _ => unfold either_way, l; as_form
  | |- _ ∈ _ <-> _ => unfold heap_of; cbn [In]; as_form
  | |- context [least _] => forget_cases; unfold least; cbn [gather]; repeat match goal with |- context [if ?c then _ else _] => lazymatch c with context [if _ then _ else _] => fail | _ => destruct c eqn:? end end; lia
  end.
(* That a claim is defined; heaps of a position are at least the smallest one, and there is a heap. *)
Ltac meaningful_at_heaps :=
  repeat match goal with |- _ /\ _ => split end; intros;
  repeat match goal with I : ?h ∈ ?s |- _ => lazymatch goal with
    | L : least s <= h |- _ => fail
    | _ => pose proof (least_below s h I); pose proof (counted (fun _ => true) h s I eq_refl); change (count (fun _ => true) s) with (number s) in *
    end end; meaningful.
