(* The general game: kinds of moves that put any heaps in the place of others.  The moves of the players, who wins, Grundy
   values, and the value for n players.  [game] and [splitting] are special cases. *)
From Coq Require Import Lia ZifyBool Permutation.
From NimChecks Require Export Least Splitting.
Open Scope N_scope.

(* A kind of move.  [chosen]: how many heaps are chosen, one after the other.  [makes p s hs ys]: from the position s, the
   player p may put the heaps ys in the place of the chosen heaps hs. *)
Record kind_of_move := { chosen : nat; makes : player -> position -> list N -> list N -> Prop }.

(* [rules_stuck_wins]: who cannot move wins (misère play), or loses (normal play). *)
Record rules := { all_kinds : list kind_of_move; rules_stuck_wins : bool }.

(* Moves on one heap, and on two, three and four heaps. *)
Definition on_one (f : player -> position -> N -> list N -> Prop) : kind_of_move :=
  {| chosen := 1; makes p s hs ys := match hs with [h] => f p s h ys | _ => False end |}.
Definition on_two (f : player -> position -> N -> N -> list N -> Prop) : kind_of_move :=
  {| chosen := 2; makes p s hs ys := match hs with [a; b] => f p s a b ys | _ => False end |}.
Definition on_three (f : player -> position -> N -> N -> N -> list N -> Prop) : kind_of_move :=
  {| chosen := 3; makes p s hs ys := match hs with [a; b; c] => f p s a b c ys | _ => False end |}.
Definition on_four (f : player -> position -> N -> N -> N -> N -> list N -> Prop) : kind_of_move :=
  {| chosen := 4; makes p s hs ys := match hs with [a; b; c; d] => f p s a b c d ys | _ => False end |}.

(* Moves on so many heaps at once: of each heap the player makes what he may make of it alone. *)
Fixpoint each_makes (f : N -> list N -> Prop) (hs ys : list N) : Prop :=
  match hs with [] => ys = [] | h :: r => exists o z, f h o /\ each_makes f r z /\ ys = o ++ z end.
Definition on_each (f : player -> position -> N -> list N -> Prop) (count : nat) : kind_of_move :=
  {| chosen := count; makes p s := each_makes (f p s) |}.
(* The numbers from a to b. *)
Definition from_to (a b : N) : list nat := seq (N.to_nat a) (N.to_nat (b + 1 - a)).

(* The kinds of moves of a game, from their definition; one goal for each kind of which K says that it is one of them. *)
Ltac known_kinds g := let r := eval hnf in g in
  lazymatch r with {| all_kinds := ?l; rules_stuck_wins := _ |} =>
    let l := eval cbv beta iota delta [app map] in l in
    lazymatch l with context C [from_to ?a ?b] => let n := eval compute in (from_to a b) in
      let l := context C [n] in eval cbv beta iota delta [app map] in l
    | _ => l end end.
Ltac each_kind K := let g := match type of K with In _ (all_kinds ?g) => g end in let l := known_kinds g in
  change (all_kinds g) with l in K; cbn [In] in K; repeat (destruct K as [<-|K]); [..|destruct K].
Ltac listed_kinds := lazymatch goal with |- In _ (all_kinds ?g) => let l := known_kinds g in
  change (all_kinds g) with l; cbn [In] end.
(* No heap is 0. *)
Definition occupied (hs : list N) : Prop := Forall (fun h => 0 < h) hs.

(* From s to t: s is the heaps hs and the rest R, and t is the heaps ys and R.  What may be made of hs may depend on the
   whole position, that is on hs and R. *)
Definition step (g : rules) (p : player) (s t : position) : Prop :=
  exists k hs ys R, In k (all_kinds g) /\ length hs = chosen k /\ occupied hs /\ s ≡ hs ++ R /\ t ≡ ys ++ R /\
    makes k p (hs ++ R) hs ys.

(* As [wins] and [loses] in Games.v. *)
Inductive rules_wins (g : rules) : player -> position -> Prop :=
  | rules_some p s t : step g p s t -> rules_loses g (other p) t -> rules_wins g p s
  | rules_none p s : rules_stuck_wins g = true -> (forall t, ~ step g p s t) -> rules_wins g p s
with rules_loses (g : rules) : player -> position -> Prop :=
  | rules_every p s : (rules_stuck_wins g = true -> exists t, step g p s t) ->
      (forall t, step g p s t -> rules_wins g (other p) t) -> rules_loses g p s.

(* As [value] and [values] in Grundy.v: both players have the moves of the first one. *)
Inductive rules_value (g : rules) (s : position) (v : N) : Prop :=
  rules_mex : (forall t, step g First s t -> exists w, w <> v /\ rules_value g t w) ->
    (forall w, w < v -> exists t, step g First s t /\ rules_value g t w) -> rules_value g s v.
Definition rules_values (g : rules) (f : position -> N) : Prop := forall s, rules_value g s (f s).

(* As [winner] in Least.v: n players in turn, with the same moves; who wins, counted in turns from the mover. *)
Inductive rules_winner (g : rules) (n : N) (s : position) (v : N) : Prop :=
  | rules_stuck : (forall t, ~ step g First s t) -> v = (if rules_stuck_wins g then 0 else n - 1) -> rules_winner g n s v
  | rules_least : (forall t, step g First s t -> exists w, rules_winner g n t w /\ v <= (w + 1) mod n) ->
      (exists t w, step g First s t /\ rules_winner g n t w /\ v = (w + 1) mod n) -> rules_winner g n s v.

(* All of them depend on the heaps alone, not on their order. *)
#[export] Instance step_same g p : Proper (same ==> same ==> iff) (step g p).
Proof.
  assert (H : forall s s' t t', s ≡ s' -> t ≡ t' -> step g p s t -> step g p s' t').
  { intros s s' t t' S T (k & hs & ys & R & K & C & O & E & F & M). exists k, hs, ys, R.
    repeat split; try assumption; [rewrite <- S | rewrite <- T]; assumption. }
  intros s s' S t t' T. split; apply H; auto; symmetry; assumption.
Qed.
Lemma rules_wins_loses_same g p s t :
  s ≡ t -> (rules_wins g p s -> rules_wins g p t) /\ (rules_loses g p s -> rules_loses g p t).
Proof.
  intros E. split; intros W.
  - inversion W as [? ? u M L | ? ? Mi None]; subst.
    + apply rules_some with u; [rewrite <- E; exact M | exact L].
    + apply rules_none; [exact Mi|]. intros u. rewrite <- E. apply None.
  - inversion W as [? ? Some All]; subst. constructor; [|intros u; rewrite <- E; apply All].
    intros Mi. destruct (Some Mi) as (u & M). exists u. rewrite <- E. exact M.
Qed.
#[export] Instance rules_wins_same g p : Proper (same ==> iff) (rules_wins g p).
Proof. intros s t E. split; apply rules_wins_loses_same; [exact E | symmetry; exact E]. Qed.
#[export] Instance rules_loses_same g p : Proper (same ==> iff) (rules_loses g p).
Proof. intros s t E. split; apply rules_wins_loses_same; [exact E | symmetry; exact E]. Qed.
Lemma rules_value_same g s t v : s ≡ t -> rules_value g s v -> rules_value g t v.
Proof.
  intros E [A R]. constructor; [intros u | intros w L; destruct (R w L) as (u & M & V); exists u]; rewrite <- E; auto.
Qed.
Lemma rules_winner_same g n s t v : s ≡ t -> rules_winner g n s v -> rules_winner g n t v.
Proof.
  intros E [None Z | All (u & w & M & W & V)]; [apply rules_stuck; [intros u; rewrite <- E; apply None | exact Z]|].
  apply rules_least; [intros x; rewrite <- E; apply All | exists u, w; rewrite <- E; auto].
Qed.

(* Where every move decreases a measure, nobody wins and loses, and there is at most one value. *)
Section Measured.
Variable g : rules.
Variable weighs : position -> N.
Hypothesis decreases : forall p s t, step g p s t -> weighs t < weighs s.

Lemma by_weight (P : position -> Prop) : (forall s, (forall t, weighs t < weighs s -> P t) -> P s) -> forall s, P s.
Proof.
  intros H s. remember (weighs s) as w eqn:E. revert s E. induction w as [w IH] using (well_founded_induction N.lt_wf_0).
  intros s ->. apply H. intros t L. exact (IH (weighs t) L t eq_refl).
Qed.
Theorem rules_not_both p s : rules_wins g p s -> rules_loses g p s -> False.
Proof.
  revert p. induction s as [s IH] using by_weight. intros p W L. inversion L as [? ? Some All]; subst.
  inversion W as [? ? t M L' | ? ? Mi None]; subst.
  - exact (IH t (decreases p s t M) (other p) (All t M) L').
  - destruct (Some Mi) as (t & M). exact (None t M).
Qed.
Theorem rules_value_unique s : forall v w, rules_value g s v -> rules_value g s w -> v = w.
Proof.
  induction s as [s IH] using by_weight. intros v w V W.
  assert (Le : forall v w, rules_value g s v -> rules_value g s w -> ~ v < w).
  { clear v w V W. intros v w [A _] [_ R] L. destruct (R v L) as (t & M & V). destruct (A t M) as (x & N & X).
    exact (N (IH t (decreases First s t M) x v X V)). }
  pose proof (Le v w V W). pose proof (Le w v W V). lia.
Qed.
Theorem rules_winner_unique n s : forall v w, rules_winner g n s v -> rules_winner g n s w -> v = w.
Proof.
  induction s as [s IH] using by_weight.
  assert (Le : forall v w, rules_winner g n s v -> rules_winner g n s w -> v <= w).
  { intros v w [No ->|A E] W; destruct W as [No' ->|A' (t & x & M & X & ->)].
    - lia.
    - destruct (No t M).
    - destruct E as (t & x & M & _). destruct (No' t M).
    - destruct (A t M) as (y & Y & L). rewrite (IH t (decreases First s t M) x y X Y). exact L. }
  intros v w W W'. apply N.le_antisymm; auto.
Qed.
End Measured.

(* Games in which a move makes one heap smaller, and games that split heaps, as games of this kind. *)
Definition of_game (g : game) : rules := {|
  all_kinds := [on_one (fun p s h ys => (of_largest g = true -> h = largest s) /\ exists y, becomes g p h y /\ ys = [y])];
  rules_stuck_wins := stuck_wins g |}.
Definition of_splitting (g : splitting) : rules := {|
  all_kinds := [on_one (fun p s h ys => parts g p h ys)];
  rules_stuck_wins := split_stuck_wins g |}.

Lemma step_of_game g p s t : step (of_game g) p s t <-> move g p s t.
Proof.
  split.
  - intros (k & hs & ys & R & [<-|[]] & C & O & S & T & M). destruct hs as [|h [|? ?]]; try discriminate C.
    cbn in M. destruct M as (L & y & B & ->). apply Forall_cons_iff in O. destruct O as [P _].
    exists h, y, R. repeat split; try assumption. intros E. specialize (L E). change (h = largest (h :: R)) in L.
    rewrite largest_cons in L. lia.
  - intros (h & y & R & P & S & T & B & L). exists (hd (on_one (fun _ _ _ _ => False)) (all_kinds (of_game g))), [h], [y], R.
    repeat split; try assumption; [left; reflexivity | constructor; [exact P | constructor] | |].
    + intros E. specialize (L E). change (h = largest (h :: R)). rewrite largest_cons. lia.
    + exists y. split; [exact B | reflexivity].
Qed.
Lemma step_of_splitting g p s t : step (of_splitting g) p s t <-> split_move g p s t.
Proof.
  split.
  - intros (k & hs & ys & R & [<-|[]] & C & O & S & T & M). destruct hs as [|h [|? ?]]; try discriminate C.
    apply Forall_cons_iff in O. destruct O as [P _]. exists h, ys, R. auto.
  - intros (h & o & R & P & S & T & B). exists (on_one (fun p s h ys => parts g p h ys)), [h], o, R.
    repeat split; try assumption; [left; reflexivity | constructor; [exact P | constructor]].
Qed.

Theorem wins_of_game g p s : rules_wins (of_game g) p s <-> wins g p s.
Proof.
  split; revert p s.
  - fix W 3 with (L (p : player) (s : position) (l : rules_loses (of_game g) p s) {struct l} : loses g p s).
    + intros p s [q u t M l | q u Mi None].
      * apply some_move with t; [apply step_of_game, M | exact (L _ _ l)].
      * apply no_move; [exact Mi|]. intros t M. exact (None t (proj2 (step_of_game g q u t) M)).
    + intros p s [q u Some All]. apply every_move.
      * intros Mi. destruct (Some Mi) as (t & M). exists t. apply step_of_game, M.
      * intros t M. exact (W _ _ (All t (proj2 (step_of_game g q u t) M))).
  - fix W 3 with (L (p : player) (s : position) (l : loses g p s) {struct l} : rules_loses (of_game g) p s).
    + intros p s [q u t M l | q u Mi None].
      * apply rules_some with t; [apply step_of_game, M | exact (L _ _ l)].
      * apply rules_none; [exact Mi|]. intros t M. exact (None t (proj1 (step_of_game g q u t) M)).
    + intros p s [q u Some All]. apply rules_every.
      * intros Mi. destruct (Some Mi) as (t & M). exists t. apply step_of_game, M.
      * intros t M. exact (W _ _ (All t (proj1 (step_of_game g q u t) M))).
Qed.
Lemma loses_of_game g p s : rules_loses (of_game g) p s <-> loses g p s.
Proof.
  split; intros L; inversion L as [? ? Some All]; subst.
  - apply every_move.
    + intros Mi. destruct (Some Mi) as (t & M). exists t. apply step_of_game, M.
    + intros t M. apply wins_of_game, All, step_of_game, M.
  - apply rules_every.
    + intros Mi. destruct (Some Mi) as (t & M). exists t. apply step_of_game, M.
    + intros t M. apply wins_of_game, All, step_of_game, M.
Qed.
Theorem wins_of_splitting g p s : rules_wins (of_splitting g) p s <-> split_wins g p s.
Proof.
  split; revert p s.
  - fix W 3 with (L (p : player) (s : position) (l : rules_loses (of_splitting g) p s) {struct l} : split_loses g p s).
    + intros p s [q u t M l | q u Mi None].
      * apply some_split with t; [apply step_of_splitting, M | exact (L _ _ l)].
      * apply no_split; [exact Mi|]. intros t M. exact (None t (proj2 (step_of_splitting g q u t) M)).
    + intros p s [q u Some All]. apply every_split.
      * intros Mi. destruct (Some Mi) as (t & M). exists t. apply step_of_splitting, M.
      * intros t M. exact (W _ _ (All t (proj2 (step_of_splitting g q u t) M))).
  - fix W 3 with (L (p : player) (s : position) (l : split_loses g p s) {struct l} : rules_loses (of_splitting g) p s).
    + intros p s [q u t M l | q u Mi None].
      * apply rules_some with t; [apply step_of_splitting, M | exact (L _ _ l)].
      * apply rules_none; [exact Mi|]. intros t M. exact (None t (proj1 (step_of_splitting g q u t) M)).
    + intros p s [q u Some All]. apply rules_every.
      * intros Mi. destruct (Some Mi) as (t & M). exists t. apply step_of_splitting, M.
      * intros t M. exact (W _ _ (All t (proj1 (step_of_splitting g q u t) M))).
Qed.
Theorem value_of_game g s v : rules_value (of_game g) s v <-> value g s v.
Proof.
  split; revert s v.
  - fix V 3. intros s v [A R]. constructor.
    + intros t M. destruct (A t (proj2 (step_of_game g First s t) M)) as (w & N & X). exists w. split; [exact N | exact (V t w X)].
    + intros w L. destruct (R w L) as (t & M & X). exists t. split; [apply step_of_game, M | exact (V t w X)].
  - fix V 3. intros s v [A R]. constructor.
    + intros t M. destruct (A t (proj1 (step_of_game g First s t) M)) as (w & N & X). exists w. split; [exact N | exact (V t w X)].
    + intros w L. destruct (R w L) as (t & M & X). exists t. split; [apply step_of_game, M | exact (V t w X)].
Qed.
Theorem value_of_splitting g s v : rules_value (of_splitting g) s v <-> split_value g s v.
Proof.
  split; revert s v.
  - fix V 3. intros s v [A R]. constructor.
    + intros t M. destruct (A t (proj2 (step_of_splitting g First s t) M)) as (w & N & X). exists w. split; [exact N | exact (V t w X)].
    + intros w L. destruct (R w L) as (t & M & X). exists t. split; [apply step_of_splitting, M | exact (V t w X)].
  - fix V 3. intros s v [A R]. constructor.
    + intros t M. destruct (A t (proj1 (step_of_splitting g First s t) M)) as (w & N & X). exists w. split; [exact N | exact (V t w X)].
    + intros w L. destruct (R w L) as (t & M & X). exists t. split; [apply step_of_splitting, M | exact (V t w X)].
Qed.
Theorem winner_of_game g n s v : rules_winner (of_game g) n s v <-> winner g n s v.
Proof.
  split; revert s v.
  - fix W 3. intros s v [None Z | All (t & w & M & X & E)].
    + apply stuck_first; [|exact Z]. intros t M. exact (None t (proj2 (step_of_game g First s t) M)).
    + apply least_option; [|exists t, w; repeat split; [apply step_of_game, M | exact (W t w X) | exact E]].
      intros u N. destruct (All u (proj2 (step_of_game g First s u) N)) as (x & Y & L). exists x. split; [exact (W u x Y) | exact L].
  - fix W 3. intros s v [None Z | All (t & w & M & X & E)].
    + apply rules_stuck; [|exact Z]. intros t M. exact (None t (proj1 (step_of_game g First s t) M)).
    + apply rules_least; [|exists t, w; repeat split; [apply step_of_game, M | exact (W t w X) | exact E]].
      intros u N. destruct (All u (proj1 (step_of_game g First s u) N)) as (x & Y & L). exists x. split; [exact (W u x Y) | exact L].
Qed.
