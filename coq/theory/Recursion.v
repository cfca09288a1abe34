(* The definition of the value for n players, applied at one position: what it says of the values of the options. *)
From Coq Require Import ZArith Lia ZifyBool.
From NimChecks Require Export Least Folded Shapes.
Open Scope N_scope.

Section Recursion.
Variables (g : game) (n : N).
Hypothesis players : 0 < n.
Hypothesis smaller : forall p h y, becomes g p h y -> y < h.
Hypothesis decided : forall p h y, becomes g p h y \/ ~ becomes g p h y.

(* Some option of s has a value with the property P. *)
Definition has_option (s : position) (P : N -> Prop) : Prop :=
  exists t, move g First s t /\ exists w, winner g n t w /\ P w.
Lemma has_option_or_not s (P : N -> Prop) : (forall t, total t < total s -> exists v, v < n /\ winner g n t v) ->
  (forall w, P w \/ ~ P w) -> has_option s P \/ ~ has_option s P.
Proof.
  intros Known D. set (Q t := total t < total s /\ exists w, winner g n t w /\ P w).
  assert (DQ : forall t, Q t \/ ~ Q t).
  { intros t. unfold Q. destruct (N.lt_ge_cases (total t) (total s)) as [L|L]; [|right; lia].
    destruct (Known t L) as (v & _ & V). destruct (D v) as [H|H]; [left; eauto|]. right. intros (_ & w & W & Pw).
    rewrite (winner_unique g n smaller t v w V W) in H. exact (H Pw). }
  assert (Fair : Proper (same ==> iff) Q).
  { intros t u E. unfold Q. rewrite E. split; intros (L & w & W & H); (split; [exact L|]; exists w; split; [|exact H]).
    - exact (winner_same g n t u w E W).
    - exact (winner_same g n u t w (symmetry E) W). }
  destruct (options_decided g smaller decided First s Q Fair DQ) as [(t & M & _ & w & W & H)|No].
  - left. exists t. eauto.
  - right. intros (t & M & H). apply No. exists t. split; [exact M|]. split; [exact (move_total g smaller First s t M) | exact H].
Qed.
Theorem winner_exists s : exists v, v < n /\ winner g n s v.
Proof.
  induction s as [s IH] using by_total.
  assert (Least : forall k, (exists v, v < k /\ has_option s (fun w => (w + 1) mod n = v) /\
    forall u, u < v -> ~ has_option s (fun w => (w + 1) mod n = u)) \/
    forall v, v < k -> ~ has_option s (fun w => (w + 1) mod n = v)).
  { induction k as [|k IHk] using N.peano_ind; [right; intros v L; lia|].
    destruct IHk as [(v & L & H)|None]; [left; exists v; split; [lia | exact H]|].
    destruct (has_option_or_not s (fun w => (w + 1) mod n = k) IH ltac:(intros w; destruct (N.eq_dec ((w + 1) mod n) k); auto)) as [H|H].
    - left. exists k. split; [lia|]. split; [exact H | exact None].
    - right. intros v L. destruct (N.eq_dec v k) as [->|]; [exact H | apply None; lia]. }
  assert (Next : forall w, (w + 1) mod n < n) by (intros w; apply N.mod_lt; lia).
  destruct (Least n) as [(v & L & (t & M & w & W & E) & Low)|None].
  - exists v. split; [exact L|]. apply least_option; [|exists t, w; auto].
    intros u Mu. destruct (IH u (move_total g smaller First s u Mu)) as (x & _ & X). exists x. split; [exact X|].
    destruct (N.le_gt_cases v ((x + 1) mod n)) as [Le|Gt]; [exact Le|]. destruct (Low _ Gt). exists u. eauto.
  - exists (if stuck_wins g then 0 else n - 1). split; [destruct (stuck_wins g); lia|]. apply stuck_first; [|reflexivity].
    intros t M. destruct (IH t (move_total g smaller First s t M)) as (x & _ & X). destruct (None _ (Next x)). exists t. eauto.
Qed.

(* Whether some option has a value with the property P: the answer b, and such a value w. *)
Theorem asked_value s (P : N -> Prop) : (forall w, P w \/ ~ P w) ->
  exists (b : bool) w, w < n /\ (has_option s P <-> b = true) /\ (b = true -> has_option s (fun v => v = w) /\ P w).
Proof.
  intros D. destruct (has_option_or_not s P (fun t _ => winner_exists t) D) as [(t & M & w & W & H)|No].
  - exists true, w. split.
    { destruct (winner_exists t) as (v & L & V). rewrite (winner_unique g n smaller t w v W V). exact L. }
    split; [split; [reflexivity|]; intros _; exists t; eauto|]. intros _. split; [exists t; eauto | exact H].
  - exists false, 0. split; [exact players|]. split; [split; [tauto | discriminate] | discriminate].
Qed.
Lemma answered s (P : N -> Prop) (b c : bool) w (Q : Prop) : (has_option s P <-> b = true) ->
  (c = true -> has_option s (fun v => v = w) /\ Q) -> c = true -> P w -> b = true.
Proof.
  intros A B C H. destruct (B C) as [(t & M & v & W & ->) _]. apply A. exists t. eauto.
Qed.
(* The parts of a claim that ask about options. *)
Lemma any_option s (P : N -> Prop) (body : position -> Prop) b :
  (forall t w, winner g n t w -> (body t <-> P w)) -> (has_option s P <-> b = true) ->
  (exists t, move g First s t /\ body t) <-> b = true.
Proof.
  intros E A. rewrite <- A. split.
  - intros (t & M & H). destruct (winner_exists t) as (w & _ & W). exists t. split; [exact M|]. exists w. split; [exact W | apply (E t w W), H].
  - intros (t & M & w & W & H). exists t. split; [exact M | apply (E t w W), H].
Qed.
Lemma all_options s (P : N -> Prop) (body : position -> Prop) b : (forall w, P w \/ ~ P w) ->
  (forall t w, winner g n t w -> (body t <-> P w)) -> (has_option s (fun w => ~ P w) <-> b = true) ->
  (forall t, move g First s t -> body t) <-> ~ b = true.
Proof.
  intros D E A. rewrite <- A. split.
  - intros All (t & M & w & W & H). apply H, (E t w W), All, M.
  - intros No t M. destruct (winner_exists t) as (w & _ & W). apply (E t w W). destruct (D w) as [H|H]; [exact H|].
    destruct No. exists t. eauto.
Qed.

(* The definition. *)
Definition next (w : N) : N := if w + 1 =? n then 0 else w + 1.
Theorem value_is_defined s v : stuck_wins g = true -> winner g n s v ->
  ~ has_option s (fun _ => True) /\ v = 0 \/
  has_option s (fun _ => True) /\ has_option s (fun w => next w = v) /\ ~ has_option s (fun w => next w < v).
Proof.
  intros Mi W.
  assert (Next : forall t w, winner g n t w -> (w + 1) mod n = next w).
  { intros t w Wt. destruct (winner_exists t) as (x & L & X). rewrite (winner_unique g n smaller t w x Wt X).
    apply next_around. exact L. }
  destruct W as [None E|All (t & w & M & Wt & ->)].
  - left. rewrite Mi in E. split; [|exact E]. intros (t & M & _). exact (None t M).
  - right. split; [exists t; eauto|]. split; [exists t; split; [exact M|]; exists w; split; [exact Wt | symmetry; exact (Next t w Wt)]|].
    intros (u & Mu & x & X & L). destruct (All u Mu) as (y & Y & Le). rewrite (winner_unique g n smaller u y x Y X), (Next u x X) in Le. lia.
Qed.
Lemma option_of_heaps s (P : N -> Prop) : has_option s P -> 1 <= number s.
Proof.
  intros (t & M & _). destruct (move_exists_heap g First s t M) as (h & I).
  exact (proj2 (N.le_succ_l 0 _) (counted (fun _ => true) h s I eq_refl)).
Qed.
Lemma option_by_move s : (forall h, 0 < h -> exists y, becomes g First h y) -> 1 <= number s -> has_option s (fun _ => True).
Proof.
  intros Can L. pose proof (largest_there s L) as I. destruct (split_heap _ s I) as (R & E). destruct I as [P _].
  destruct (Can _ P) as (y & B). exists (y :: R). split.
  - apply (move_to g First s (largest s) y R P E B). intros _. pose proof (largest_cons (largest s) R) as C. rewrite <- E in C. lia.
  - destruct (winner_exists (y :: R)) as (w & _ & W). eauto.
Qed.
End Recursion.

Ltac decided_value := let w := fresh in intros w; unfold next; branches; lia.
Ltac of_one_value smaller W := cbv beta; say_value smaller W; reflexivity.
(* The premises of the obligation: each follows from one fact about answers, or is about numbers alone. *)
Ltac from_answer C := solve [clear - C; unfold next in *; branch; lia].
Ltac by_answer :=
  match goal with
  | C : ?c = true -> _ -> ?b = true |- ~ (?c = true /\ _) \/ ?b = true => from_answer C
  | C : ?c = true -> True -> ?b = true |- ~ ?c = true \/ ?b = true => from_answer C
  | C : ?b = true -> _ |- ~ ?b = true \/ _ => from_answer C
  | C : _ -> ?b = true |- ~ _ \/ ?b = true => from_answer C
  | D : _ \/ _ |- _ \/ _ => from_answer D
  | |- _ => solve [plainly]
  end.
Ltac give_answers O :=
  repeat match type of O with
  | ?A -> ?B => let H := fresh in assert (H : A); [clear O; by_answer | specialize (O H); clear H]
  end.
