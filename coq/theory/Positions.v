(* Positions: heaps of natural numbers, any number of them, of any size.  A position is a list; the order of its heaps
   and heaps of 0 mean nothing, so that two lists stand for the same position if they have the same heaps above 0. *)
From Coq Require Export List NArith Permutation Bool Setoid Morphisms.
From Coq Require Import Lia ZifyBool.
Export ListNotations.
Open Scope N_scope.

Definition position := list N.

Infix "⊕" := N.lxor (at level 45, left associativity).

Definition heaps (s : position) : position := filter (fun h => 0 <? h) s.

Definition same (s t : position) : Prop := Permutation (heaps s) (heaps t).
Infix "≡" := same (at level 70).

Definition heap_of (h : N) (s : position) : Prop := 0 < h /\ In h s.
Infix "∈" := heap_of (at level 70).

(* A heap h of s become y. *)
Fixpoint replace (s : position) (h y : N) : position :=
  match s with [] => [] | x :: r => if x =? h then y :: r else x :: replace r h y end.

#[export] Instance same_equivalence : Equivalence same.
Proof.
  split; unfold same; [intros s; apply Permutation_refl | intros s t; apply Permutation_sym |].
  intros s t u. apply Permutation_trans.
Qed.

Lemma same_order s t : Permutation s t -> s ≡ t.
Proof.
  unfold same, heaps. induction 1; cbn; auto.
  - destruct (0 <? x); auto.
  - destruct (0 <? x), (0 <? y); auto using perm_swap.
  - eauto using Permutation_trans.
Qed.

Lemma same_zero s : s ≡ 0 :: s.
Proof. unfold same, heaps. cbn. apply Permutation_refl. Qed.

Lemma same_cons h s t : s ≡ t -> h :: s ≡ h :: t.
Proof. unfold same, heaps. cbn. destruct (0 <? h); auto. Qed.

#[export] Instance cons_same : Proper (eq ==> same ==> same) (@cons N).
Proof. intros h ? <- s t E. apply same_cons. exact E. Qed.

Lemma same_in s t h : s ≡ t -> h ∈ s -> h ∈ t.
Proof.
  unfold same, heaps. intros E [Pos I]. split; [exact Pos|].
  apply (filter_In (fun h => 0 <? h)). apply (Permutation_in h E). apply filter_In. split; [exact I | lia].
Qed.

#[export] Instance heap_of_same h : Proper (same ==> iff) (heap_of h).
Proof. intros s t E. split; apply same_in; [exact E | symmetry; exact E]. Qed.

(* A heap, and the rest. *)
Lemma split_heap h s : h ∈ s -> exists R, s ≡ h :: R.
Proof.
  intros [_ I]. destruct (in_split h s I) as (a & b & ->). exists (a ++ b).
  apply same_order, Permutation_sym, Permutation_middle.
Qed.

Lemma heap_of_cons x h R : x ∈ h :: R <-> (0 < h /\ x = h) \/ x ∈ R.
Proof. unfold heap_of. cbn. split; [intros [P [->|I]] | intros [[P ->]|[P I]]]; auto. Qed.

Lemma no_heap x : ~ x ∈ [].
Proof. intros [_ []]. Qed.

Lemma same_rest h R T : 0 < h -> h :: R ≡ h :: T -> R ≡ T.
Proof.
  unfold same, heaps. cbn. intros P. destruct (0 <? h) eqn:E; [|lia]. apply Permutation_cons_inv.
Qed.

Lemma replaced s h y : h ∈ s -> exists R, s ≡ h :: R /\ replace s h y ≡ y :: R.
Proof.
  intros [_ I]. induction s as [|x r IH]; [destruct I|]. cbn. destruct (x =? h) eqn:E.
  - assert (x = h) by lia. subst x. exists r. split; reflexivity.
  - destruct I as [->|I]; [lia|]. destruct (IH I) as (R & A & B). exists (x :: R).
    split; [rewrite (same_cons x _ _ A) | rewrite (same_cons x _ _ B)]; apply same_order, perm_swap.
Qed.

Lemma replace_rest s h y R : 0 < h -> s ≡ h :: R -> replace s h y ≡ y :: R.
Proof.
  intros P E. destruct (replaced s h y) as (T & A & B); [rewrite E; apply heap_of_cons; auto|].
  rewrite B, (same_rest h T R P); [reflexivity|]. rewrite <- A. exact E.
Qed.

Lemma some_heap_or_none s : (exists h, h ∈ s) \/ forall h, ~ h ∈ s.
Proof.
  induction s as [|x r [[h I]|None]].
  - right. apply no_heap.
  - left. exists h. apply heap_of_cons. auto.
  - destruct (N.eq_dec x 0) as [->|P].
    + right. intros h I. apply heap_of_cons in I. destruct I as [[F _]|I]; [lia | exact (None h I)].
    + left. exists x. apply heap_of_cons. left. split; [lia | reflexivity].
Qed.

Lemma nothing s : (forall h, ~ h ∈ s) -> s ≡ [].
Proof.
  intros None. unfold same, heaps. replace (filter (fun h => 0 <? h) s) with (@nil N); [apply Permutation_refl|].
  induction s as [|x r IH]; [reflexivity|]. cbn. destruct (0 <? x) eqn:P.
  - destruct (None x). apply heap_of_cons. left. split; [lia | reflexivity].
  - apply IH. intros h I. apply (None h), heap_of_cons. auto.
Qed.

(* By induction on the number of heaps. *)
Lemma by_heaps (P : position -> Prop) : (forall s t, s ≡ t -> P s -> P t) -> P [] ->
  (forall h R, 0 < h -> P R -> P (h :: R)) -> forall s, P s.
Proof.
  intros Fair None More s. induction s as [|h r IH]; [exact None|]. destruct (N.eq_dec h 0) as [->|Pos].
  - apply Fair with r; [apply same_zero | exact IH].
  - apply More; [lia | exact IH].
Qed.

(* The number of objects. *)
Fixpoint total (s : position) : N := match s with [] => 0 | h :: r => h + total r end.

Lemma total_cons h r : total (h :: r) = h + total r.
Proof. reflexivity. Qed.

Lemma total_heaps s : total (heaps s) = total s.
Proof. induction s as [|h r IH]; [reflexivity|]. unfold heaps in *. cbn. destruct (0 <? h) eqn:E; rewrite ?total_cons; lia. Qed.

#[export] Instance total_same : Proper (same ==> eq) total.
Proof.
  intros s t E. rewrite <- (total_heaps s), <- (total_heaps t). unfold same in E. induction E; rewrite ?total_cons; lia.
Qed.
