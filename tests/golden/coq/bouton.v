(* nim/bouton: Normal play is lost exactly at nim-sum 0. *)
(* Made by: python -m checks coq nim/bouton *)

From NimChecks Require Import Tactics Digits Least Rules Language.
Open Scope N_scope.

(* What is claimed: of which games, where it has a meaning, and what it is.  Nothing of the proof has a name yet. *)
Module Statement.
Notation P1 := First.
Notation P2 := Second.

(* The game, by the ruleset nim: Nim. *)
Definition nim : game := {|
  of_largest := false;
  becomes mover h y :=
    exists m, 1 <= m /\ m <= h /\ y + m = h;
  stuck_wins := false |}.

Definition defined : Prop :=
  (forall (s : position), forall heap : N, 1 <= heap -> (forall picked : N, 1 <= picked /\ picked < heap + 1 -> picked <= heap /\ heap < heap + picked)).

Definition claimed : Prop :=
  forall (s : position),
  ~ wins nim P1 s <-> nim_sum s = 0.
End Statement.
Import Statement.


Lemma nim_smaller p h y : becomes nim p h y -> y < h.
Proof. smaller. Qed.
Lemma nim_decided p h y : becomes nim p h y \/ ~ becomes nim p h y.
Proof. unfold nim. decided p h y. Qed.

Section Proof.
Set Default Proof Using "All".

(* The folds. *)
Definition X (s : position) : N := nim_sum s.  (* nim_sum(s) *)

#[local] Instance X_same : Proper (same ==> eq) X.
Proof. intros s t E. unfold X. rewrite E. reflexivity. Qed.
Lemma X_none : X [] = 0.
Proof. reflexivity. Qed.
Lemma X_beside h R : X (h :: R) = h ⊕ X R.
Proof. unfold X. beside h. Qed.
Ltac see := rewrite ?X_none, ?X_beside in *.
Ltac same E := rewrite ?(X_same _ _ E) in *.
Ltac forget s := generalize dependent (X s); intros.
(* The proof states no facts about every position. *)
Definition facts (s : position) : Prop := True.
Lemma no_heap : facts [].
Proof. unfold facts. see. settle. Qed.
Lemma one_more_heap h R : 0 < h -> facts R -> facts (h :: R).
Proof. unfold facts. intros Pos F. see. forget R. settle. Qed.
Lemma facts_hold s : facts s.
Proof.
  revert s. apply by_heaps; [|exact no_heap | exact one_more_heap].
  intros s t E. unfold facts. same E. auto.
Qed.

(* Where the player p, to move, loses. *)
Definition lost (p : player) (s : position) : Prop := X s = 0.
Lemma lost_same p s t : s ≡ t -> lost p s -> lost p t.
Proof. intros E. unfold lost. same E. auto. Qed.
Lemma closed p h y R :
  0 < h -> becomes nim p h y ->
  lost p (h :: R) -> ~ lost (other p) (y :: R).
Proof.
  intros Pos B L. open_move B.
  all: generalize (facts_hold R); unfold facts, lost in *; intros F.
  all: gone_or_there y; see; forget R; settle.
Qed.
Lemma named_1 p s : X s <> 0 ->
  exists h R, 0 < h /\ s ≡ h :: R /\ h ⊕ X (h :: R) < h /\ becomes nim p h (h ⊕ X (h :: R)).
Proof.
  intros W.
  assert (Heap : exists h, h ∈ s /\ h ⊕ X s < h).
  { pose proof (facts_hold s) as F. apply top_bit. change (X s <> 0). unfold facts in F. forget s. settle. }
  destruct Heap as (h & I & Pick). destruct (split_heap h s I) as (R & E). destruct I as [Pos _].
  exists h, R. split; [exact Pos|]. split; [exact E|]. same E. split; [exact Pick|].
  clear E. generalize (facts_hold R). unfold facts. intros F.
  legal.
  exists (h - h ⊕ X (h :: R)). see. forget R. settle.
Qed.
Lemma reply_1 p s : ~ lost p s -> X s <> 0 ->
  exists t, move nim p s t /\ lost (other p) t.
Proof.
  intros L W.
  destruct (named_1 p s W) as (h & R & Pos & E & Pick & B).
  exists ((h ⊕ X (h :: R)) :: R). split; [apply (move_to _ _ _ h); [exact Pos | exact E | exact B | discriminate]|].
  generalize (facts_hold R). unfold facts, lost in *. intros F. same E. clear B E. see.
  forget R. first [clear L; settle | settle].
Qed.
Lemma cover p s : ~ lost p s -> X s <> 0.
Proof. intros L. generalize (facts_hold s). unfold facts, lost in *. intros F. forget s. take_apart. cover. Qed.
Lemma cover_move p s : ~ lost p s -> exists t, move nim p s t /\ lost (other p) t.
Proof.
  intros L. generalize (cover p s L).
  intros W; [apply (reply_1 p s L); exact W].
Qed.
Lemma who_wins p s : wins nim p s <-> ~ lost p s.
Proof.
  apply wins_by_invariant.
  - apply nim_smaller.
  - exact lost_same.
  - intros q h y R Pos B A. exact (closed q h y R Pos B).
  - intros q t N Some. exact (cover_move q t N).
  - discriminate.
Qed.

Ltac see_through := unfold facts, lost, X in *.
Ltac know u := pose proof (facts_hold u); see_through.
Ltac show_numbers := see_through; about_numbers.
Lemma picked_1 s : X s <> 0 ->
  exists h R, 0 < h /\ s ≡ h :: R /\ h ⊕ X s < h.
Proof.
  intros W.
  assert (Heap : exists h, h ∈ s /\ h ⊕ X s < h).
  { pose proof (facts_hold s) as F. apply top_bit. change (X s <> 0). unfold facts in F. forget s. settle. }
  destruct Heap as (h & I & Pick). destruct (split_heap h s I) as (R & E). destruct I as [Pos _].
  exists h, R. auto.
Qed.
Ltac witness_1 u :=
  let h := fresh "h" in let R := fresh "R" in let E := fresh "E" in
  destruct (picked_1 u) as (h & R & ? & E & ?);
  [ show_numbers
  | know R; equate E; exists ((h ⊕ X u) :: R); see_through;
    split; [apply (move_to _ _ _ h); [assumption | exact E | legal; exists (h - h ⊕ X u); show_numbers | discriminate] |] ].
Ltac witness u := first [ witness_1 u ].
Lemma claim (s : position) :
  ~ wins nim P1 s <-> nim_sum s = 0.
Proof.
  repeat setoid_rewrite who_wins. 
  know s. 
  see_through. argue_by ltac:(fun u => know u) ltac:(fun u => witness u).
Qed.
End Proof.

(* It has a meaning everywhere, and it holds. *)
Lemma well_defined : Statement.defined.
Proof. unfold Statement.defined. meaningful. Qed.
Theorem bouton : Statement.defined /\ Statement.claimed.
Proof. split; [exact well_defined | exact (fun s => claim s)]. Qed.
Print Assumptions bouton.
