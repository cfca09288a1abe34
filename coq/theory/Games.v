(* Games of two players in which a move makes one heap smaller: who may make what of a heap, and who wins. *)
From Coq Require Import Lia ZifyBool Arith Wf_nat.
From NimChecks Require Export Folds.
Open Scope N_scope.

Inductive player := First | Second.
Definition other (p : player) : player := match p with First => Second | Second => First end.

Definition same_player (p q : player) : bool :=
  match p, q with First, First | Second, Second => true | _, _ => false end.

(* [becomes p h y]: the player p may make y of a heap h that he may choose: any heap, or, where [of_largest], one of the
   largest.  [stuck_wins]: who cannot move wins (misère play), or loses (normal play). *)
Record game := { of_largest : bool; becomes : player -> N -> N -> Prop; stuck_wins : bool }.

(* From s to t: s is a heap h and the rest R, and t is y and R. *)
Definition move (g : game) (p : player) (s t : position) : Prop :=
  exists h y R, 0 < h /\ s ≡ h :: R /\ t ≡ y :: R /\ becomes g p h y /\ (of_largest g = true -> largest R <= h).

(* The player p, to move at s, wins: some move leads to where the other one loses, or he is stuck and that wins.  He
   loses if every move leads to where the other one wins, and he is not stuck where that wins. *)
Inductive wins (g : game) : player -> position -> Prop :=
  | some_move p s t : move g p s t -> loses g (other p) t -> wins g p s
  | no_move p s : stuck_wins g = true -> (forall t, ~ move g p s t) -> wins g p s
with loses (g : game) : player -> position -> Prop :=
  | every_move p s : (stuck_wins g = true -> exists t, move g p s t) ->
      (forall t, move g p s t -> wins g (other p) t) -> loses g p s.

#[export] Instance move_same g p : Proper (same ==> same ==> iff) (move g p).
Proof.
  assert (H : forall s s' t t', s ≡ s' -> t ≡ t' -> move g p s t -> move g p s' t').
  { intros s s' t t' S T (h & y & R & P & E & F & B). exists h, y, R. rewrite <- S, <- T. auto. }
  intros s s' S t t' T. split; apply H; auto; symmetry; assumption.
Qed.

Lemma move_to g p s h y R : 0 < h -> s ≡ h :: R -> becomes g p h y -> (of_largest g = true -> largest R <= h) ->
  move g p s (y :: R).
Proof. intros P E B A. exists h, y, R. repeat split; auto; reflexivity. Qed.

Lemma other_other p : other (other p) = p.
Proof. destruct p; reflexivity. Qed.

Lemma by_total (P : position -> Prop) : (forall s, (forall t, total t < total s -> P t) -> P s) -> forall s, P s.
Proof.
  intros H s. induction s as [s IH] using (well_founded_induction (well_founded_ltof _ (fun s => N.to_nat (total s)))).
  apply H. intros t L. apply IH. unfold ltof. lia.
Qed.

(* What winning depends on: the heaps alone. *)
Lemma wins_loses_same g p s t : s ≡ t -> (wins g p s -> wins g p t) /\ (loses g p s -> loses g p t).
Proof.
  intros E. split; intros W.
  - inversion W as [? ? u M L | ? ? Mi None]; subst.
    + apply some_move with u; [rewrite <- E; exact M | exact L].
    + apply no_move; [exact Mi|]. intros u. rewrite <- E. apply None.
  - inversion W as [? ? Some All]; subst. constructor; [|intros u; rewrite <- E; apply All].
    intros Mi. destruct (Some Mi) as (u & M). exists u. rewrite <- E. exact M.
Qed.
#[export] Instance wins_same g p : Proper (same ==> iff) (wins g p).
Proof. intros s t E. split; apply wins_loses_same; [exact E | symmetry; exact E]. Qed.
#[export] Instance loses_same g p : Proper (same ==> iff) (loses g p).
Proof. intros s t E. split; apply wins_loses_same; [exact E | symmetry; exact E]. Qed.

Lemma move_exists_heap g p s t : move g p s t -> exists h, h ∈ s.
Proof. intros (h & y & R & P & E & _). exists h. rewrite E. apply heap_of_cons. auto. Qed.

Section Game.
Variable g : game.
Hypothesis smaller : forall p h y, becomes g p h y -> y < h.

Lemma move_total p s t : move g p s t -> total t < total s.
Proof. intros (h & y & R & P & -> & -> & B & _). apply smaller in B. rewrite !total_cons. lia. Qed.

Theorem not_both p s : wins g p s -> loses g p s -> False.
Proof.
  revert p. induction s as [s IH] using by_total. intros p W L. inversion L as [? ? Some All]; subst.
  inversion W as [? ? t M L' | ? ? Mi None]; subst.
  - exact (IH t (move_total p s t M) (other p) (All t M) L').
  - destruct (Some Mi) as (t & M). exact (None t M).
Qed.

(* Somebody wins, where it is known of each heap what may be made of it. *)
Hypothesis becomes_decided : forall p h y, becomes g p h y \/ ~ becomes g p h y.

Lemma search_below (P : N -> Prop) n : (forall y, P y \/ ~ P y) -> (exists y, y < n /\ P y) \/ (forall y, y < n -> ~ P y).
Proof.
  intros D. induction n as [|n IH] using N.peano_ind; [right; intros y L; lia|].
  destruct IH as [(y & L & H)|None]; [left; exists y; split; [lia | exact H]|].
  destruct (D n) as [H|H]; [left; exists n; split; [lia | exact H]|]. right. intros y L.
  destruct (N.eq_dec y n) as [->|]; [exact H | apply None; lia].
Qed.
Lemma search_heaps (P : N -> position -> Prop) s : (forall h, Proper (same ==> iff) (P h)) ->
  (forall h R, P h R \/ ~ P h R) ->
  (exists h R, 0 < h /\ s ≡ h :: R /\ P h R) \/ (forall h R, 0 < h -> s ≡ h :: R -> ~ P h R).
Proof.
  intros Fair D. revert P Fair D. induction s as [|x r IH]; intros P Fair D.
  - right. intros h R L E. destruct (no_heap h). rewrite E. apply heap_of_cons. auto.
  - assert (Here : (0 < x /\ P x r) \/ ~ (0 < x /\ P x r)) by (destruct (D x r), (N.eq_dec x 0); [right; lia | left; split; [lia|assumption] | right; tauto | right; tauto]).
    destruct Here as [[L H]|Here]; [left; exists x, r; repeat split; [exact L | reflexivity | exact H]|].
    destruct (IH (fun h R => P h (x :: R))) as [(h & R & L & E & H)|None].
    + intros h R T E. apply Fair. rewrite E. reflexivity.
    + intros h R. apply D.
    + left. exists h, (x :: R). repeat split; [exact L | | exact H]. rewrite E. apply same_order, perm_swap.
    + right. intros h R L E H. assert (I : h ∈ x :: r) by (rewrite E; apply heap_of_cons; auto).
      apply heap_of_cons in I. destruct I as [[Lx ->]|I].
      * apply Here. split; [exact Lx|]. rewrite (same_rest x r R Lx E). exact H.
      * destruct (split_heap h r I) as (T & F). apply (None h T L F).
        assert (G : x :: T ≡ R); [|rewrite G; exact H]. apply (same_rest h); [exact L|]. rewrite <- E.
        rewrite F. apply same_order, perm_swap.
Qed.
Theorem options_decided p s (Q : position -> Prop) : Proper (same ==> iff) Q -> (forall t, Q t \/ ~ Q t) ->
  (exists t, move g p s t /\ Q t) \/ ~ (exists t, move g p s t /\ Q t).
Proof.
  intros Fair D.
  set (P h R := (of_largest g = true -> largest R <= h) /\ exists y, y < h /\ becomes g p h y /\ Q (y :: R)).
  destruct (search_heaps P s) as [(h & R & L & E & A & y & _ & B & H)|None].
  - intros h R T E. unfold P. rewrite E. split; intros [A (y & L & B & H)]; split; try exact A; exists y;
      repeat split; auto; [rewrite <- E | rewrite E]; exact H.
  - intros h R. unfold P.
    assert (DA : (of_largest g = true -> largest R <= h) \/ ~ (of_largest g = true -> largest R <= h)) by lia.
    destruct (search_below (fun y => becomes g p h y /\ Q (y :: R)) h) as [Y|N].
    + intros y. destruct (becomes_decided p h y), (D (y :: R)); tauto.
    + tauto.
    + right. intros [_ (y & L & B & H)]. exact (N y L (conj B H)).
  - left. exists (y :: R). split; [|exact H]. exists h, y, R. repeat split; auto; reflexivity.
  - right. intros (t & (h & y & R & L & S & T & B & A) & H). apply (None h R L S). split; [exact A|].
    exists y. split; [exact (smaller p h y B)|]. split; [exact B|]. rewrite <- T. exact H.
Qed.

Theorem determined p s : wins g p s \/ loses g p s.
Proof.
  revert p. induction s as [s IH] using by_total. intros p.
  assert (IH' : forall t, total t < total s -> loses g (other p) t \/ ~ loses g (other p) t).
  { intros t L. destruct (IH t L (other p)) as [W|Lo]; [right; intros Lo; exact (not_both _ _ W Lo) | left; exact Lo]. }
  assert (Total : Proper (same ==> iff) (fun t => total t < total s /\ loses g (other p) t)).
  { intros t u E. rewrite E. reflexivity. }
  destruct (options_decided p s (fun t => total t < total s /\ loses g (other p) t) Total) as [(t & M & _ & L)|None].
  - intros t. destruct (N.lt_ge_cases (total t) (total s)) as [L|L]; [|right; lia]. destruct (IH' t L); tauto.
  - left. apply some_move with t; assumption.
  - assert (All : forall t, move g p s t -> wins g (other p) t).
    { intros t M. destruct (IH t (move_total p s t M) (other p)) as [W|L]; [exact W|]. destruct None.
      exists t. split; [exact M | split; [exact (move_total p s t M) | exact L]]. }
    destruct (stuck_wins g) eqn:Mi.
    + destruct (options_decided p s (fun _ => True)) as [(t & M & _)|Stuck]; [intros ? ? ?; tauto | tauto | |].
      * right. constructor; [eauto | exact All].
      * left. apply no_move; [exact Mi|]. intros t M. apply Stuck. eauto.
    + right. constructor; [rewrite Mi; discriminate | exact All].
Qed.
Lemma loses_not_wins p s : loses g p s <-> ~ wins g p s.
Proof.
  split; [intros L W; exact (not_both p s W L)|]. intros N. destruct (determined p s); [contradiction | assumption].
Qed.
Lemma wins_decided p s : wins g p s \/ ~ wins g p s.
Proof. rewrite <- loses_not_wins. apply determined. Qed.
Lemma wins_unless p s (lost : Prop) : (~ wins g p s <-> lost) -> (wins g p s <-> ~ lost).
Proof. destruct (wins_decided p s); tauto. Qed.

(* What winning means under normal play. *)
Theorem wins_normal p s : stuck_wins g = false -> (wins g p s <-> exists t, move g p s t /\ ~ wins g (other p) t).
Proof.
  intros No. split.
  - intros W. inversion W as [? ? t M L | ? ? Mi _]; subst; [|congruence]. exists t. rewrite <- loses_not_wins. auto.
  - intros (t & M & L). rewrite <- loses_not_wins in L. apply some_move with t; assumption.
Qed.
End Game.
