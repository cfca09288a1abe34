(* Games of n players in turn, alike.  Who cannot move wins (misère play), or the one before him does, who moved last.  The
   value of a position says who wins: the mover (0), the one after him (1), and so on; every player prefers the winner who comes soonest after
   himself, so that the value is the least among one more than those of the options, counted around the table. *)
From Coq Require Import Lia ZifyBool.
From NimChecks Require Export Games Tactics.
Open Scope N_scope.

Inductive winner (g : game) (n : N) (s : position) (v : N) : Prop :=
  | stuck_first : (forall t, ~ move g First s t) -> v = (if stuck_wins g then 0 else n - 1) -> winner g n s v
  | least_option : (forall t, move g First s t -> exists w, winner g n t w /\ v <= (w + 1) mod n) ->
      (exists t w, move g First s t /\ winner g n t w /\ v = (w + 1) mod n) -> winner g n s v.

(* The least heap, 0 of none; and how often it occurs. *)
Definition least (s : position) : N := gather (fun h x => if x =? 0 then h else if h =? 0 then x else N.min h x) 0 s.
Definition times (s : position) : N := count (fun h => h =? least s) s.

#[export] Instance least_same : Proper (same ==> eq) least.
Proof. apply gather_same. intros g h x. cases; lia. Qed.
#[export] Instance times_same : Proper (same ==> eq) times.
Proof. intros s t E. unfold times. rewrite (count_same _ _ _ E), (least_same _ _ E). reflexivity. Qed.

Lemma least_cons h R : 0 < h -> least (h :: R) = if least R =? 0 then h else N.min h (least R).
Proof. intros P. unfold least. cbn. destruct (h =? 0) eqn:E; [lia | reflexivity]. Qed.
Lemma number_gives_least s : number s = 0 <-> least s = 0.
Proof.
  induction s as [|h r IH]; [cbn; lia|]. rewrite number_cons. destruct (N.eq_dec h 0) as [->|P].
  - exact IH.
  - rewrite least_cons by lia. destruct (0 <? h) eqn:E; [|lia]. destruct (least r =? 0) eqn:Z; lia.
Qed.
Lemma least_below s h : h ∈ s -> least s <= h.
Proof.
  induction s as [|x r IH]; [intros I; destruct (no_heap h I)|]. intros I. apply heap_of_cons in I.
  destruct (N.eq_dec x 0) as [->|P].
  - destruct I as [[L _]|I]; [lia | exact (IH I)].
  - rewrite least_cons by lia. destruct (least r =? 0) eqn:Z.
    + destruct I as [[_ ->]|I]; [lia|]. exfalso. apply N.eqb_eq, number_gives_least in Z.
      unfold number in Z. pose proof (none_counted _ _ Z h I). discriminate.
    + destruct I as [[_ ->]|I]; [lia|]. specialize (IH I). lia.
Qed.
Lemma count_below m s : m < least s -> count (fun h => h =? m) s = 0.
Proof.
  intros L. destruct (N.eq_dec (count (fun h => h =? m) s) 0) as [|NZ]; [assumption|].
  destruct (some_counted _ s ltac:(apply N.neq_0_lt_0; exact NZ)) as (h & I & E). pose proof (least_below s h I). lia.
Qed.
Lemma times_cons h R : 0 < h -> times (h :: R) =
  if least R =? 0 then 1 else if h <? least R then 1 else if h =? least R then times R + 1 else times R.
Proof.
  intros P. unfold times. rewrite count_cons, least_cons by exact P. destruct (0 <? h) eqn:E; [|lia]. cbn [andb].
  destruct (least R =? 0) eqn:Z.
  - assert (N0 : number R = 0) by (apply number_gives_least; lia).
    assert (C : count (fun x => x =? h) R = 0).
    { destruct (N.eq_dec (count (fun x => x =? h) R) 0) as [|NZ]; [assumption|].
      destruct (some_counted _ R ltac:(apply N.neq_0_lt_0; exact NZ)) as (x & I & _).
      unfold number in N0. pose proof (none_counted _ _ N0 x I). discriminate. }
    rewrite C, N.eqb_refl. reflexivity.
  - destruct (h <? least R) eqn:L.
    + replace (N.min h (least R)) with h by lia. rewrite N.eqb_refl, (count_below h R) by lia. reflexivity.
    + replace (N.min h (least R)) with (least R) by lia. destruct (h =? least R); lia.
Qed.

(* What the shape of every position is like. *)
Definition possible (heaps least times largest : N) : Prop :=
  (heaps = 0 /\ least = 0 /\ times = 0 /\ largest = 0) \/
  (1 <= heaps /\ 1 <= least /\ 1 <= times /\ times <= heaps /\ least <= largest /\ (times = heaps <-> largest = least)).
Lemma shape_possible s : possible (number s) (least s) (times s) (largest s).
Proof.
  revert s. apply by_heaps; unfold possible.
  - intros s t E. rewrite E. auto.
  - left. cbn. auto.
  - intros h R P H. rewrite number_cons, largest_cons, times_cons, least_cons by exact P.
    destruct (0 <? h) eqn:E; [|lia].
    cases; lia.
Qed.

Section Rule.
Variables (g : game) (n : N).
Hypothesis smaller : forall p h y, becomes g p h y -> y < h.

Lemma winner_same s t v : s ≡ t -> winner g n s v -> winner g n t v.
Proof.
  intros E [None Z | All (u & w & M & W & V)]; [apply stuck_first; [intros u; rewrite <- E; apply None | exact Z]|].
  apply least_option; [intros x; rewrite <- E; apply All | exists u, w; rewrite <- E; auto].
Qed.
Theorem winner_unique (s : position) : forall v w, winner g n s v -> winner g n s w -> v = w.
Proof.
  induction s as [s IH] using by_total.
  assert (Le : forall v w, winner g n s v -> winner g n s w -> v <= w).
  { intros v w [No ->|A E] W; destruct W as [No' ->|A' (t & x & M & X & ->)].
    - lia.
    - destruct (No t M).
    - destruct E as (t & x & M & _). destruct (No' t M).
    - destruct (A t M) as (y & Y & L). rewrite (IH t (move_total g smaller First s t M) x y X Y). exact L. }
  intros v w W W'. apply N.le_antisymm; auto.
Qed.
Lemma value_known s v (P : N -> Prop) : winner g n s v -> (exists w, winner g n s w /\ P w) <-> P v.
Proof.
  intros W. split; [intros (w & W' & H); rewrite (winner_unique s v w W W'); exact H | eauto].
Qed.
End Rule.

Lemma next_around n w : w < n -> (w + 1) mod n = if w + 1 =? n then 0 else w + 1.
Proof.
  intros L. destruct (w + 1 =? n) eqn:E; [replace (w + 1) with n by lia; apply N.mod_same; lia | apply N.mod_small; lia].
Qed.

(* A heap h, or none where h is 0, beside others. *)
Lemma least_beside h R : least (h :: R) = if h =? 0 then least R else if least R =? 0 then h else N.min h (least R).
Proof. destruct (h =? 0) eqn:E; [unfold least; cbn; rewrite E; reflexivity | apply least_cons; lia]. Qed.
Lemma times_beside h R : times (h :: R) = if h =? 0 then times R else
  if least R =? 0 then 1 else if h <? least R then 1 else if h =? least R then times R + 1 else times R.
Proof.
  destruct (h =? 0) eqn:E; [|apply times_cons; lia]. assert (h = 0) as -> by lia.
  rewrite (times_same (0 :: R) R); [reflexivity | symmetry; apply same_zero].
Qed.

(* What is said of a position by its value, where W says what that is. *)
Ltac say_value smaller W :=
  lazymatch type of W with winner ?g ?n ?s ?v =>
    repeat match goal with |- context [exists w, winner g n s w /\ @?Q w] => rewrite (value_known g n smaller s v Q W) end
  end; cbv beta.
