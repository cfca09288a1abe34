(* Grundy values: games in which any heap may be chosen, who cannot move loses, and both players have the same moves.
   The value of a position is the nim-sum of those of its heaps, and whoever moves loses where it is 0. *)
From Coq Require Import Lia ZifyBool.
From NimChecks Require Export Games NimAddition.
Open Scope N_scope.

(* The least number that is not the value of an option: every option has another one, and every smaller one is reached. *)
Inductive value (g : game) (s : position) (v : N) : Prop :=
  mex : (forall t, move g First s t -> exists w, w <> v /\ value g t w) ->
    (forall w, w < v -> exists t, move g First s t /\ value g t w) -> value g s v.

Definition values (g : game) (f : position -> N) : Prop := forall s, value g s (f s).

Record impartial (g : game) : Prop := {
  shrinks : forall p h y, becomes g p h y -> y < h;
  from_any_heap : of_largest g = false;
  normal_play : stuck_wins g = false;
  same_moves : forall p h y, becomes g p h y -> becomes g First h y /\ becomes g (other p) h y }.

(* The highest place where v differs from a larger X is a 1 of X. *)
Lemma top_difference v X : v < X -> N.testbit X (N.log2 (N.lxor X v)) = true.
Proof.
  intros L. set (d := N.lxor X v). assert (NZ : d <> 0) by (intros E; apply N.lxor_eq in E; lia).
  pose proof (N.bit_log2 d NZ) as B. destruct (N.testbit X (N.log2 d)) eqn:BX; auto. exfalso.
  assert (X < v); [|lia]. apply less_at with (N.log2 d); auto.
  - assert (E : N.shiftr d (N.log2 d + 1) = 0) by (apply N.shiftr_eq_0; lia).
    unfold d in E at 1. rewrite N.shiftr_lxor in E. apply N.lxor_eq in E. exact E.
  - unfold d in B at 1. rewrite N.lxor_spec, BX in B. destruct (N.testbit v (N.log2 d)); auto.
Qed.
Lemma value_same g s t v : s ≡ t -> value g s v -> value g t v.
Proof. intros E [A R]. constructor; [intros u | intros w L; destruct (R w L) as (u & M & V); exists u]; rewrite <- E; auto. Qed.

Section Values.
Variable g : game.
Hypothesis fair : impartial g.

Lemma move_smaller p s t : move g p s t -> total t < total s.
Proof. exact (move_total g (shrinks g fair) p s t). Qed.
Lemma move_of_first p s t : move g p s t -> move g First s t /\ move g (other p) s t.
Proof.
  intros (h & y & R & P & S & T & B & L). apply (same_moves g fair) in B. destruct B. split; exists h, y, R; auto.
Qed.

Theorem value_unique s : forall v w, value g s v -> value g s w -> v = w.
Proof.
  induction s as [s IH] using by_total. intros v w [A1 R1] [A2 R2].
  destruct (N.lt_trichotomy v w) as [L | [E | L]]; [exfalso | exact E | exfalso].
  - destruct (R2 v L) as (t & C & V). destruct (A1 t C) as (x & Ne & X). apply Ne. apply (IH t); eauto using move_smaller.
  - destruct (R1 w L) as (t & C & V). destruct (A2 t C) as (x & Ne & X). apply Ne. apply (IH t); eauto using move_smaller.
Qed.

Theorem loses_at_0 s : forall p v, value g s v -> (v = 0 -> loses g p s) /\ (v <> 0 -> wins g p s).
Proof.
  induction s as [s IH] using by_total. intros p v [A R]. split.
  - intros ->. constructor; [rewrite (normal_play g fair); discriminate|]. intros t M.
    destruct (move_of_first p s t M) as [F _]. destruct (A t F) as (w & Ne & W).
    apply (IH t (move_smaller p s t M) (other p) w W). exact Ne.
  - intros Ne. destruct (R 0) as (t & M & V); [lia|].
    assert (Mp : move g p s t) by (destruct p; [exact M | exact (proj2 (move_of_first First s t M))]).
    apply some_move with t; [exact Mp|]. apply (IH t (move_smaller p s t Mp) (other p) 0 V). reflexivity.
Qed.
Theorem wins_by_value p s v : value g s v -> (wins g p s <-> v <> 0).
Proof.
  intros V. pose proof (loses_at_0 s p v V) as [L W]. split; [|exact W]. intros Wi ->.
  exact (not_both g (shrinks g fair) p s Wi (L eq_refl)).
Qed.

(* One heap. *)
Lemma move_heap p h t : move g p [h] t -> exists y, becomes g p h y /\ t ≡ [y].
Proof.
  intros (x & y & R & P & S & T & B & _). assert (I : x ∈ [h]) by (rewrite S; apply heap_of_cons; auto).
  apply heap_of_cons in I. destruct I as [[_ ->]|I]; [|destruct (no_heap x I)].
  exists y. split; [exact B|]. rewrite T. apply same_rest in S; [rewrite <- S; reflexivity | exact P].
Qed.
Lemma heap_move p h y R s : becomes g p h y -> s ≡ h :: R -> move g p s (y :: R).
Proof.
  intros B E. exists h, y, R. pose proof (shrinks g fair p h y B). rewrite (from_any_heap g fair).
  repeat split; auto; [lia | reflexivity | discriminate].
Qed.

(* Sums: the theorem of Sprague and Grundy. *)
Section Sums.
Variable f : N -> N.
Hypothesis heap_values : forall h, value g [h] (f h).

Lemma value_of_0 : f 0 = 0.
Proof.
  destruct (heap_values 0) as [_ R]. destruct (N.eq_dec (f 0) 0) as [|N]; [assumption|].
  destruct (R 0) as (t & M & _); [lia|]. apply move_exists_heap in M. destruct M as (h & I).
  apply heap_of_cons in I. destruct I as [[L ->]|I]; [lia | destruct (no_heap h I)].
Qed.
Lemma sum_cons h R : nim_sum_of f (h :: R) = N.lxor (f h) (nim_sum_of f R).
Proof.
  rewrite nim_sum_of_cons. destruct (h =? 0) eqn:E; [|reflexivity]. replace h with 0 by lia. rewrite value_of_0. reflexivity.
Qed.
Lemma other_value h y : becomes g First h y -> f y <> f h.
Proof.
  intros B. destruct (heap_values h) as [A _].
  destruct (A [y]) as (w & Ne & W); [exact (heap_move First h y [] [h] B ltac:(reflexivity))|].
  rewrite (value_unique [y] (f y) w (heap_values y) W). exact Ne.
Qed.
Lemma reach_value h w : w < f h -> exists y, becomes g First h y /\ f y = w.
Proof.
  intros L. destruct (heap_values h) as [_ R]. destruct (R w L) as (t & M & V). apply move_heap in M.
  destruct M as (y & B & T). exists y. split; [exact B|].
  exact (value_unique [y] _ _ (heap_values y) (value_same g t [y] w T V)).
Qed.

Theorem value_of_sum s : value g s (nim_sum_of f s).
Proof.
  induction s as [s IH] using by_total. constructor.
  - intros t M. exists (nim_sum_of f t). split; [|exact (IH t (move_smaller First s t M))].
    destruct M as (h & y & R & P & S & T & B & _). rewrite S, T, !sum_cons. intros E. apply (other_value h y B).
    apply (f_equal (N.lxor (nim_sum_of f R))) in E. rewrite !(N.lxor_comm _ (nim_sum_of f R)), !lxor_back in E. exact E.
  - intros w L. set (d := N.lxor (nim_sum_of f s) w).
    assert (NZ : d <> 0) by (intros E; apply N.lxor_eq in E; lia).
    destruct (odd_column f s (N.log2 d) (top_difference w _ L)) as (h & I & B).
    destruct (split_heap h s I) as (R & S). destruct (reach_value h (N.lxor (f h) d)) as (y & Bh & Fy); [apply lowered; auto|].
    pose proof (heap_move First h y R s Bh S) as M. exists (y :: R). split; [exact M|].
    replace w with (nim_sum_of f (y :: R)); [apply IH; exact (move_smaller First s _ M)|].
    rewrite sum_cons, Fy. unfold d. rewrite S, sum_cons.
    apply N.bits_inj; intros n. rewrite !N.lxor_spec. repeat destruct (N.testbit _ n); reflexivity.
Qed.
Lemma sum_of_one h : nim_sum_of f [h] = f h.
Proof. rewrite sum_cons. apply N.lxor_0_r. Qed.
Theorem values_of_sums : values g (nim_sum_of f).
Proof. exact value_of_sum. Qed.
Theorem wins_sum p s : wins g p s <-> nim_sum_of f s <> 0.
Proof. apply wins_by_value, value_of_sum. Qed.
End Sums.

(* The rule: every heap is written with digits, [digits_of]; [formula] is its value. *)
Section Written.
Variables (D B : Type) (digits : D -> Prop) (heap formula : D -> N) (digits_of : N -> D).
Variables (below_digits : B -> Prop) (below : B -> N).
Hypothesis written : forall h, digits (digits_of h) /\ heap (digits_of h) = h.
Hypothesis written_below : forall v, exists b, below_digits b /\ below b = v.
Hypothesis avoided : forall d e, digits d -> digits e -> becomes g First (heap d) (heap e) -> formula e <> formula d.
Hypothesis reached : forall d b, digits d -> below_digits b -> below b < formula d ->
  exists e, digits e /\ becomes g First (heap d) (heap e) /\ formula e = below b.

Theorem value_of_digits d : digits d -> value g [heap d] (formula d).
Proof.
  enough (H : forall h d, digits d -> heap d = h -> value g [h] (formula d)) by eauto.
  clear d. induction h as [h IH] using (well_founded_induction N.lt_wf_0). intros d Dd <-. constructor.
  - intros t M. apply move_heap in M. destruct M as (y & Be & T). pose proof (shrinks g fair _ _ _ Be) as L.
    destruct (written y) as [De E]. exists (formula (digits_of y)). split.
    + apply avoided; auto. rewrite E. exact Be.
    + apply (value_same g [y]); [symmetry; exact T|]. exact (IH y L _ De E).
  - intros w L. destruct (written_below w) as (b & Db & <-). destruct (reached d b Dd Db L) as (e & De & Be & <-).
    exists [heap e]. split; [exact (heap_move First _ _ [] _ Be ltac:(reflexivity))|].
    exact (IH (heap e) (shrinks g fair _ _ _ Be) e De eq_refl).
Qed.
Theorem value_written h : value g [h] (formula (digits_of h)).
Proof. destruct (written h) as [Dd E]. rewrite <- E at 1. apply value_of_digits. exact Dd. Qed.
Theorem value_written_of d : digits d -> formula (digits_of (heap d)) = formula d.
Proof. intros Dd. exact (value_unique _ _ _ (value_written (heap d)) (value_of_digits d Dd)). Qed.
End Written.

End Values.

(* The definition of winning at one position, whoever is to move. *)
Section Unfolded.
Variable g : game.
Hypothesis fair : impartial g.
Hypothesis becomes_decided : forall p h y, becomes g p h y \/ ~ becomes g p h y.

Lemma move_of_any p q s t : move g p s t -> move g q s t.
Proof. intros M. destruct (move_of_first g fair p s t M). destruct p, q; assumption. Qed.
(* Who is to move makes no difference. *)
Theorem wins_of_any s : forall p q, (wins g p s -> wins g q s) /\ (loses g p s -> loses g q s).
Proof.
  induction s as [s IH] using by_total. intros p q.
  assert (Later : forall t, move g p s t -> forall p q, (wins g p t -> wins g q t) /\ (loses g p t -> loses g q t)).
  { intros t M. exact (IH t (move_smaller g fair p s t M)). }
  split; intros W.
  - inversion W as [? ? t M L | ? ? Mi _]; subst; [|rewrite (normal_play g fair) in Mi; discriminate].
    apply some_move with t; [exact (move_of_any p q s t M) | exact (proj2 (Later t M _ _) L)].
  - inversion W as [? ? Some All]; subst. constructor; [rewrite (normal_play g fair); discriminate|].
    intros t M. apply (move_of_any q p) in M. exact (proj1 (Later t M _ _) (All t M)).
Qed.
(* The player to move wins if and only if some option is one from which the player to move does not win. *)
Theorem wins_by_option p s : wins g p s <-> exists t, move g p s t /\ ~ wins g p t.
Proof.
  rewrite (wins_normal g (shrinks g fair) becomes_decided p s (normal_play g fair)).
  split; intros (t & M & L); exists t; (split; [exact M|]); intros W; apply L; exact (proj1 (wins_of_any t _ _) W).
Qed.
Theorem wins_of_first p s : wins g p s <-> wins g First s.
Proof. split; apply wins_of_any. Qed.
Lemma moves_of_first p s t : move g p s t <-> move g First s t.
Proof. split; apply move_of_any. Qed.
End Unfolded.

(* A claim that follows from the definition of winning at the positions that it names; [told]: what it says there. *)
Ltac by_definition told := rewrite ?told; generalize move wins; firstorder.
(* The same with lemmas about the position s.  [D]: everywhere the player to move wins or not. *)
Ltac by_lemmas D s :=
  let w := fresh "w" in let m := fresh "m" in let W := fresh in let E := fresh in
  set (w := wins) in *; clearbody w; set (m := move) in *; clearbody m;
  lazymatch type of (D s) with ?P \/ _ =>
    destruct (D s) as [W|W]; [assert (E : P <-> True) by tauto | assert (E : P <-> False) by tauto];
    clear W; rewrite E in *; clear E end;
  repeat split; solve [lia | firstorder].
