(* Folds: numbers of a position that are put together heap by heap.  Of a position with a heap h and the rest R each is
   known from h and its value on R; and each comes with the heap that its value promises. *)
From Coq Require Import Lia ZifyBool.
From NimChecks Require Export Positions.
Open Scope N_scope.

(* Heap by heap, heaps of 0 left out. *)
Fixpoint gather {A : Type} (join : N -> A -> A) (none : A) (s : position) : A :=
  match s with [] => none | h :: r => if h =? 0 then gather join none r else join h (gather join none r) end.

Lemma gather_same {A} (join : N -> A -> A) none : (forall g h x, join g (join h x) = join h (join g x)) ->
  Proper (same ==> eq) (gather join none).
Proof.
  intros C s t E.
  assert (H : forall s, gather join none s = gather join none (heaps s)).
  { clear. induction s as [|h r IH]; [reflexivity|]. unfold heaps in *. cbn. destruct (N.eq_dec h 0) as [->|P]; [exact IH|].
    assert (Z : (h =? 0) = false) by lia. assert (L : (0 <? h) = true) by lia. rewrite Z, L. cbn. rewrite Z, IH. reflexivity. }
  rewrite (H s), (H t). unfold same in E. clear H. induction E; cbn.
  - reflexivity.
  - rewrite IHE. reflexivity.
  - destruct (x =? 0), (y =? 0); auto.
  - congruence.
Qed.

(* The nim-sum of t(h) over all heaps h; of all heaps; of those with a property. *)
Definition nim_sum_of (t : N -> N) (s : position) : N := gather (fun h x => N.lxor (t h) x) 0 s.
Definition nim_sum (s : position) : N := nim_sum_of (fun h => h) s.
Definition only (P : N -> bool) (t : N -> N) (h : N) : N := if P h then t h else 0.
(* How many heaps have the property P; how many there are; the largest, 0 of none. *)
Definition count (P : N -> bool) (s : position) : N := gather (fun h x => (if P h then 1 else 0) + x) 0 s.
Definition number (s : position) : N := count (fun _ => true) s.
Definition largest (s : position) : N := gather N.max 0 s.
(* How often the largest heap occurs. *)
Definition times_of_largest (s : position) : N := count (fun h => h =? largest s) s.

#[export] Instance nim_sum_of_same t : Proper (same ==> eq) (nim_sum_of t).
Proof. apply gather_same. intros g h x. rewrite <- !N.lxor_assoc, (N.lxor_comm (t g)). reflexivity. Qed.
#[export] Instance nim_sum_same : Proper (same ==> eq) nim_sum.
Proof. apply nim_sum_of_same. Qed.
#[export] Instance count_same P : Proper (same ==> eq) (count P).
Proof. apply gather_same. intros g h x. lia. Qed.
#[export] Instance number_same : Proper (same ==> eq) number.
Proof. apply count_same. Qed.
#[export] Instance largest_same : Proper (same ==> eq) largest.
Proof. apply gather_same. intros g h x. lia. Qed.

#[export] Instance times_of_largest_same : Proper (same ==> eq) times_of_largest.
Proof. intros s t E. unfold times_of_largest. rewrite (largest_same s t E). apply count_same. exact E. Qed.

Lemma nim_sum_of_none t : nim_sum_of t [] = 0.
Proof. reflexivity. Qed.
Lemma nim_sum_none : nim_sum [] = 0.
Proof. reflexivity. Qed.
Lemma count_none P : count P [] = 0.
Proof. reflexivity. Qed.
Lemma number_none : number [] = 0.
Proof. reflexivity. Qed.
Lemma largest_none : largest [] = 0.
Proof. reflexivity. Qed.

Lemma nim_sum_of_cons t h R : nim_sum_of t (h :: R) = N.lxor (if h =? 0 then 0 else t h) (nim_sum_of t R).
Proof. unfold nim_sum_of. cbn. destruct (h =? 0); [symmetry; apply N.lxor_0_l | reflexivity]. Qed.
Lemma nim_sum_cons h R : nim_sum (h :: R) = N.lxor h (nim_sum R).
Proof. unfold nim_sum. rewrite nim_sum_of_cons. destruct (h =? 0) eqn:E; [|reflexivity]. replace h with 0 by lia. reflexivity. Qed.
Lemma count_cons P h R : count P (h :: R) = (if (0 <? h) && P h then 1 else 0) + count P R.
Proof.
  unfold count. cbn. destruct (h =? 0) eqn:E; destruct (0 <? h) eqn:F; try lia; reflexivity.
Qed.
Lemma number_cons h R : number (h :: R) = (if 0 <? h then 1 else 0) + number R.
Proof. unfold number. rewrite count_cons, andb_true_r. reflexivity. Qed.
Lemma largest_cons h R : largest (h :: R) = N.max h (largest R).
Proof. unfold largest. cbn. destruct (h =? 0) eqn:E; [|reflexivity]. replace h with 0 by lia. symmetry. apply N.max_0_l. Qed.

(* What some heap, or no heap, says of a count. *)
Lemma counted P h s : h ∈ s -> P h = true -> 0 < count P s.
Proof. intros I H. destruct (split_heap h s I) as (R & E). rewrite E, count_cons, H. destruct I as [Pos _].
  destruct (0 <? h) eqn:F; cbn [andb]; lia. Qed.
Lemma count_at_most P s : count P s <= number s.
Proof. induction s as [|h r IH]; [reflexivity|]. rewrite count_cons, number_cons. destruct (0 <? h), (P h); cbn [andb]; lia. Qed.
Lemma some_counted P s : 0 < count P s -> exists h, h ∈ s /\ P h = true.
Proof.
  induction s as [|h r IH]; [cbn; lia|]. rewrite count_cons. destruct (0 <? h) eqn:F; cbn [andb].
  - destruct (P h) eqn:E; [exists h; split; [apply heap_of_cons; left; split; lia | exact E]|].
    intros C. destruct IH as (g & I & H); [lia|]. exists g. split; [apply heap_of_cons; auto | exact H].
  - intros C. destruct IH as (g & I & H); [lia|]. exists g. split; [apply heap_of_cons; auto | exact H].
Qed.
Lemma none_counted P s : count P s = 0 -> forall h, h ∈ s -> P h = false.
Proof. intros C h I. apply not_true_is_false. intros H. pose proof (counted P h s I H). lia. Qed.

Lemma some_heap (Q : N -> Prop) (P : N -> bool) s : (forall h, 0 < h -> (Q h <-> P h = true)) ->
  (exists h, h ∈ s /\ Q h) <-> 0 < count P s.
Proof.
  intros E. split.
  - intros (h & I & H). apply (counted P h s I), E; [apply I | exact H].
  - intros C. destruct (some_counted P s C) as (h & I & H). exists h. split; [exact I | apply E; [apply I | exact H]].
Qed.
Lemma all_heaps (Q : N -> Prop) (P : N -> bool) s : (forall h, 0 < h -> (Q h <-> P h = false)) ->
  (forall h, h ∈ s -> Q h) <-> count P s = 0.
Proof.
  intros E. split.
  - intros A. destruct (N.eq_dec (count P s) 0) as [|NZ]; [assumption|]. destruct (some_counted P s) as (h & I & H); [lia|].
    apply A in I as B. apply E in B; [congruence | apply I].
  - intros C h I. apply E; [apply I | exact (none_counted P s C h I)].
Qed.
Lemma count_ext P Q s : (forall h, 0 < h -> P h = Q h) -> count P s = count Q s.
Proof.
  intros E. induction s as [|h r IH]; [reflexivity|]. rewrite !count_cons, IH. destruct (0 <? h) eqn:F; [|reflexivity].
  rewrite E by lia. reflexivity.
Qed.
Lemma nim_sum_of_ext t u s : (forall h, 0 < h -> t h = u h) -> nim_sum_of t s = nim_sum_of u s.
Proof.
  intros E. induction s as [|h r IH]; [reflexivity|]. rewrite !nim_sum_of_cons, IH. destruct (h =? 0) eqn:F; [reflexivity|].
  rewrite E by lia. reflexivity.
Qed.
Lemma no_number s : number s = 0 -> largest s = 0.
Proof.
  intros E. destruct (some_heap_or_none s) as [(h & I)|N].
  - pose proof (counted (fun _ => true) h s I eq_refl) as C. unfold number in E. lia.
  - induction s as [|x r IH]; [reflexivity|]. rewrite largest_cons, number_cons in *. destruct (0 <? x) eqn:P; [lia|].
    rewrite IH; [lia | lia |]. intros h I. apply (N h), heap_of_cons. auto.
Qed.
Lemma heaps_below_largest s h : h ∈ s -> h <= largest s.
Proof.
  induction s as [|x r IH]; [intros I; destruct (no_heap h I)|]. intros I. rewrite largest_cons. apply heap_of_cons in I.
  destruct I as [[_ ->]|I]; [|apply IH in I]; lia.
Qed.
Lemma largest_is_heap s : 0 < largest s -> largest s ∈ s.
Proof.
  induction s as [|x r IH]; [cbn; lia|]. rewrite largest_cons. intros L. apply heap_of_cons.
  destruct (N.max_spec x (largest r)) as [[l E]|[l E]]; rewrite E in *; [right; apply IH; exact L | left; auto].
Qed.

Lemma some_largest s : (exists h, h ∈ s) -> largest s ∈ s.
Proof. intros (h & I). apply largest_is_heap. pose proof (heaps_below_largest s h I). destruct I. lia. Qed.

Lemma largest_there s : 1 <= number s -> largest s ∈ s.
Proof. intros C. apply some_largest. destruct (some_counted (fun _ => true) s) as (h & I & _); [unfold number in C; lia | eauto]. Qed.

Lemma times_of_largest_cons h R : times_of_largest (h :: R) =
  if h =? 0 then times_of_largest R else
  if largest R <? h then 1 else if h =? largest R then 1 + times_of_largest R else times_of_largest R.
Proof.
  unfold times_of_largest. rewrite largest_cons. destruct (h =? 0) eqn:Z.
  - rewrite count_cons. replace (0 <? h) with false by lia. replace (N.max h (largest R)) with (largest R) by lia. reflexivity.
  - rewrite count_cons. replace (0 <? h) with true by lia. cbn [andb]. destruct (largest R <? h) eqn:L.
    + replace (h =? N.max h (largest R)) with true by lia.
      replace (count (fun x => x =? N.max h (largest R)) R) with 0; [reflexivity|]. symmetry.
      apply (all_heaps (fun x => x <> N.max h (largest R))); [intros; lia|].
      intros x I. apply heaps_below_largest in I. lia.
    + replace (N.max h (largest R)) with (largest R) by lia. destruct (h =? largest R); reflexivity.
Qed.
