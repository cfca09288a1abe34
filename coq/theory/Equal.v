(* The rule of equal games: two games with the same moves, as long as every heap has a property that moves preserve, have
   the same winners. *)
From Coq Require Import ZArith Lia ZifyBool.
From NimChecks Require Export Games.
Open Scope N_scope.

Section Equal.
Variables (g k : game) (P : N -> Prop).
(* The region: the positions of which every heap has the property. *)
Definition in_region (s : position) : Prop := forall h, h ∈ s -> P h.
Hypothesis smaller : forall p h y, becomes g p h y -> y < h.
Hypothesis same_choice : of_largest g = of_largest k.
Hypothesis same_end : stuck_wins g = stuck_wins k.
(* region closed: no move leads out of it.  same moves: in the region, each move of one game is one of the other. *)
Hypothesis closed : forall p h y, 0 < h -> P h -> becomes g p h y -> 0 < y -> P y.
Hypothesis same_moves : forall p h y, 0 < h -> P h -> (becomes g p h y <-> becomes k p h y).

(* In the region, both games have the same moves. *)
Theorem equal_moves p s t : in_region s -> (move g p s t <-> move k p s t).
Proof.
  intros I. split; intros (h & y & R & Pos & S & T & B & L); exists h, y, R; repeat split; try assumption;
    try (rewrite <- same_choice; assumption); try (rewrite same_choice; assumption);
    (apply same_moves; [exact Pos | apply I; rewrite S; apply heap_of_cons; auto | exact B]).
Qed.
Lemma stays_in_region p s t : in_region s -> move g p s t -> in_region t.
Proof.
  intros I (h & y & R & Pos & S & T & B & _) x Ix. rewrite T in Ix. apply heap_of_cons in Ix. destruct Ix as [[Py ->]|Ix].
  - apply (closed p h y Pos); [apply I; rewrite S; apply heap_of_cons; auto | exact B | exact Py].
  - apply I. rewrite S. apply heap_of_cons. auto.
Qed.
Lemma equal_both s : forall p, in_region s -> (wins g p s <-> wins k p s) /\ (loses g p s <-> loses k p s).
Proof.
  induction s as [s IH] using by_total. intros p I.
  assert (Later : forall t, move g p s t -> (wins g (other p) t <-> wins k (other p) t) /\ (loses g (other p) t <-> loses k (other p) t)).
  { intros t M. apply IH; [exact (move_total g smaller p s t M) | exact (stays_in_region p s t I M)]. }
  assert (E : forall t, move g p s t <-> move k p s t) by (intros t; apply equal_moves, I).
  split; split; intros W.
  - inversion W as [? ? t M V | ? ? Mi None]; subst.
    + apply some_move with t; [apply E, M | apply (Later t M), V].
    + apply no_move; [congruence|]. intros t M. apply (None t), E, M.
  - inversion W as [? ? t M V | ? ? Mi None]; subst.
    + apply some_move with t; [apply E, M|]. apply E in M. apply (Later t M), V.
    + apply no_move; [congruence|]. intros t M. apply (None t), E, M.
  - inversion W as [? ? Some All]; subst. constructor; intros; [destruct Some as (t & M); [congruence|]; exists t; apply E, M|].
    match goal with M : move k p s ?t |- _ => apply E in M; apply (Later t M), All, M end.
  - inversion W as [? ? Some All]; subst. constructor; intros; [destruct Some as (t & M); [congruence|]; exists t; apply E, M|].
    match goal with M : move g p s ?t |- _ => apply (Later t M), All, E, M end.
Qed.
(* In the region, the same player wins both games. *)
Theorem equal_wins p s : in_region s -> (wins g p s <-> wins k p s).
Proof. apply equal_both. Qed.
End Equal.

(* What an obligation says of a move that picks one number: no move leads out of the region; both games have the move. *)
Ltac decide_numbers := cbn [same_player] in *; repeat match goal with H : context [if ?b then _ else _] |- _ => destruct b eqn:? end; lia.
Ltac stays_inside ok :=
  intros ? I B ?; hnf in B; let m := fresh in destruct B as (m & B); pose proof (ok m); red in I |- *; decide_numbers.
Ltac is_in_both ok :=
  intros B; hnf in B; let m := fresh in destruct B as (m & B); pose proof (ok m); hnf; exists m;
  decide_numbers.
(* A claim about the moves and the winners of both games, whose positions are in the region by its hypotheses. *)
Ltac by_equal_games moves winners :=
  intros; repeat match goal with |- _ /\ _ => split | |- forall _, _ => intro end;
  first [apply moves | apply winners | symmetry; apply moves | symmetry; apply winners]; assumption.
