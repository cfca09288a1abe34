(* Games in which a move puts any heaps in the place of one: who wins, and Grundy values.  Under normal play, with the same
   moves for both players, the value of a position is the nim-sum of those of its heaps. *)
From Coq Require Import Lia ZifyBool.
From NimChecks Require Export Grundy.
Open Scope N_scope.

(* [parts p h o]: the player p may put the heaps o in the place of a heap h.  [split_stuck_wins]: who cannot move wins. *)
Record splitting := { parts : player -> N -> position -> Prop; split_stuck_wins : bool }.

(* From s to t: s is a heap h and the rest R, and t is the heaps o and R. *)
Definition split_move (g : splitting) (p : player) (s t : position) : Prop :=
  exists h o R, 0 < h /\ s ≡ h :: R /\ t ≡ o ++ R /\ parts g p h o.

(* As [wins] and [loses] in Games.v. *)
Inductive split_wins (g : splitting) : player -> position -> Prop :=
  | some_split p s t : split_move g p s t -> split_loses g (other p) t -> split_wins g p s
  | no_split p s : split_stuck_wins g = true -> (forall t, ~ split_move g p s t) -> split_wins g p s
with split_loses (g : splitting) : player -> position -> Prop :=
  | every_split p s : (split_stuck_wins g = true -> exists t, split_move g p s t) ->
      (forall t, split_move g p s t -> split_wins g (other p) t) -> split_loses g p s.

(* As [value] in Grundy.v. *)
Inductive split_value (g : splitting) (s : position) (v : N) : Prop :=
  split_mex : (forall t, split_move g First s t -> exists w, w <> v /\ split_value g t w) ->
    (forall w, w < v -> exists t, split_move g First s t /\ split_value g t w) -> split_value g s v.
Definition split_values (g : splitting) (f : position -> N) : Prop := forall s, split_value g s (f s).

Lemma total_app a c : total (a ++ c) = total a + total c.
Proof. induction a as [|x a IH]; [reflexivity|]. cbn [app]. rewrite !total_cons, IH. lia. Qed.
Lemma nim_sum_of_app f a c : nim_sum_of f (a ++ c) = N.lxor (nim_sum_of f a) (nim_sum_of f c).
Proof.
  induction a as [|x a IH]; [rewrite nim_sum_of_none, N.lxor_0_l; reflexivity|]. cbn [app].
  rewrite !nim_sum_of_cons, IH. apply eq_sym, N.lxor_assoc.
Qed.
Lemma nim_sum_of_heap f h R : 0 < h -> nim_sum_of f (h :: R) = N.lxor (f h) (nim_sum_of f R).
Proof. intros P. rewrite nim_sum_of_cons. destruct (h =? 0) eqn:E; [lia | reflexivity]. Qed.

#[export] Instance split_move_same g p : Proper (same ==> same ==> iff) (split_move g p).
Proof.
  assert (H : forall s s' t t', s ≡ s' -> t ≡ t' -> split_move g p s t -> split_move g p s' t').
  { intros s s' t t' S T (h & o & R & P & E & F & B). exists h, o, R. rewrite <- S, <- T. auto. }
  intros s s' S t t' T. split; apply H; auto; symmetry; assumption.
Qed.

Section Splitting.
Variables (g : splitting) (f : N -> N).
Hypothesis fewer : forall p h o, 0 < h -> parts g p h o -> total o < h.

Lemma split_total p s t : split_move g p s t -> total t < total s.
Proof. intros (h & o & R & P & -> & -> & B). apply fewer in B; [|exact P]. rewrite total_app, total_cons. lia. Qed.

Theorem split_not_both p s : split_wins g p s -> split_loses g p s -> False.
Proof.
  revert p. induction s as [s IH] using by_total. intros p W L. inversion L as [? ? Some All]; subst.
  inversion W as [? ? t M L' | ? ? Mi None]; subst.
  - exact (IH t (split_total p s t M) (other p) (All t M) L').
  - destruct (Some Mi) as (t & M). exact (None t M).
Qed.
Theorem split_value_unique s : forall v w, split_value g s v -> split_value g s w -> v = w.
Proof.
  induction s as [s IH] using by_total. intros v w [A1 R1] [A2 R2].
  destruct (N.lt_trichotomy v w) as [L | [E | L]]; [exfalso | exact E | exfalso].
  - destruct (R2 v L) as (t & C & V). destruct (A1 t C) as (x & Ne & X). apply Ne. apply (IH t); eauto using split_total.
  - destruct (R1 w L) as (t & C & V). destruct (A2 t C) as (x & Ne & X). apply Ne. apply (IH t); eauto using split_total.
Qed.

(* f h is the least number that is not the nim-sum of what may be put in the place of a heap h. *)
Hypothesis avoids : forall p h o, 0 < h -> parts g p h o -> nim_sum_of f o <> f h.
Hypothesis reaches : forall p h w, 0 < h -> w < f h -> exists o, parts g p h o /\ nim_sum_of f o = w.

Lemma split_avoids p s t : split_move g p s t -> nim_sum_of f t <> nim_sum_of f s.
Proof.
  intros (h & o & R & P & S & T & B). rewrite S, T, nim_sum_of_app, nim_sum_of_heap by exact P. intros E.
  apply (avoids p h o P B). apply (f_equal (fun x => N.lxor x (nim_sum_of f R))) in E.
  rewrite !N.lxor_assoc, N.lxor_nilpotent, !N.lxor_0_r in E. exact E.
Qed.
Lemma split_reaches p s w : w < nim_sum_of f s -> exists t, split_move g p s t /\ nim_sum_of f t = w.
Proof.
  intros L. set (d := N.lxor (nim_sum_of f s) w).
  assert (NZ : d <> 0) by (intros E; apply N.lxor_eq in E; lia).
  destruct (odd_column f s (N.log2 d) (top_difference w _ L)) as (h & I & B).
  destruct (split_heap h s I) as (R & S). assert (P : 0 < h) by apply I.
  destruct (reaches p h (N.lxor (f h) d)) as (o & Bo & Fo); [exact P | apply lowered; auto|].
  exists (o ++ R). split; [exists h, o, R; repeat split; auto; reflexivity|].
  rewrite nim_sum_of_app, Fo. unfold d. rewrite S, nim_sum_of_heap by exact P.
  apply N.bits_inj; intros n. rewrite !N.lxor_spec. repeat destruct (N.testbit _ n); reflexivity.
Qed.

Theorem split_values_of_sums : split_values g (nim_sum_of f).
Proof.
  intros s. induction s as [s IH] using by_total. constructor.
  - intros t M. exists (nim_sum_of f t). split; [exact (split_avoids First s t M) | exact (IH t (split_total _ _ _ M))].
  - intros w L. destruct (split_reaches First s w L) as (t & M & <-). exists t. eauto using split_total.
Qed.
Theorem split_wins_sum p s : split_stuck_wins g = false -> split_wins g p s <-> nim_sum_of f s <> 0.
Proof.
  intros Normal. assert (H : (nim_sum_of f s = 0 -> split_loses g p s) /\ (nim_sum_of f s <> 0 -> split_wins g p s)).
  { revert p. induction s as [s IH] using by_total. intros p. split.
    - intros Z. constructor; [congruence|]. intros t M. apply (IH t (split_total p s t M)).
      rewrite <- Z. exact (split_avoids p s t M).
    - intros NZ. destruct (split_reaches p s 0) as (t & M & V); [lia|]. apply some_split with t; [exact M|].
      apply (IH t (split_total p s t M)). exact V. }
  split; [|apply H]. intros W Z. apply (split_not_both p s W). apply H. exact Z.
Qed.
End Splitting.
