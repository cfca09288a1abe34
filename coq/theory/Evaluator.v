(* An evaluator: who wins at a position, Grundy values, and the value for n players, from lists of the moves.  A decision is
   [Some true], [Some false], or [None] where the computation does not tell. *)
From Coq Require Import Lia ZifyBool ZifyN ZifyNat FMapPositive.
From NimChecks Require Export Rules Language.
Open Scope N_scope.

(* ---- Positions: their heaps in one order, and one heap with the rest. ---- *)
Fixpoint put_in (h : N) (s : position) : position :=
  match s with [] => [h] | x :: r => if h <=? x then h :: s else x :: put_in h r end.
(* The heaps above 0 in ascending order: the same list for all lists that stand for the same position. *)
Definition arrange (s : position) : position := gather put_in [] s.

Lemma put_in_swap s g h : put_in g (put_in h s) = put_in h (put_in g s).
Proof.
  induction s as [|x r IH]; cbn.
  - destruct (g <=? h) eqn:?, (h <=? g) eqn:?; try reflexivity; [replace g with h by lia; reflexivity | lia].
  - destruct (h <=? x) eqn:?, (g <=? x) eqn:?; cbn;
      repeat match goal with |- context [?a <=? ?b] => destruct (a <=? b) eqn:? end; try lia; try reflexivity;
      rewrite ?IH; try reflexivity; replace g with h by lia; reflexivity.
Qed.
#[export] Instance arrange_same : Proper (same ==> eq) arrange.
Proof. apply gather_same. intros g h x. apply put_in_swap. Qed.
Lemma put_in_order h s : Permutation (h :: s) (put_in h s).
Proof.
  induction s as [|x r IH]; cbn; [reflexivity|]. destruct (h <=? x); [reflexivity|]. rewrite <- IH. apply perm_swap.
Qed.
Lemma arranged s : s ≡ arrange s.
Proof.
  induction s as [|h r IH]; [reflexivity|]. unfold arrange in *. cbn. destruct (N.eq_dec h 0) as [->|P].
  - rewrite <- same_zero. exact IH.
  - destruct (h =? 0) eqn:E; [lia|]. rewrite IH at 1. apply same_order, put_in_order.
Qed.

Fixpoint equal_lists (s t : list N) : bool :=
  match s, t with [], [] => true | x :: s, y :: t => (x =? y) && equal_lists s t | _, _ => false end.
Lemma equal_lists_are s t : equal_lists s t = true <-> s = t.
Proof.
  revert t. induction s as [|x s IH]; intros [|y t]; cbn; try (split; [discriminate | congruence]); [tauto|].
  rewrite andb_true_iff, IH, N.eqb_eq. split; [intros [-> ->]; reflexivity | intros E; injection E; auto].
Qed.
(* Whether two lists stand for the same position. *)
Definition same_heaps (s t : position) : bool := equal_lists (arrange s) (arrange t).
Lemma same_heaps_are s t : same_heaps s t = true <-> s ≡ t.
Proof.
  unfold same_heaps. rewrite equal_lists_are. split; [|apply arrange_same].
  intros E. rewrite (arranged s), E. symmetry. apply arranged.
Qed.

(* Each heap of a list with the other heaps. *)
Fixpoint each_heap (s : position) : list (N * position) :=
  match s with [] => [] | h :: r => (h, r) :: map (fun '(x, q) => (x, h :: q)) (each_heap r) end.
Lemma each_heap_rest s h R : In (h, R) (each_heap s) -> s ≡ h :: R.
Proof.
  revert R. induction s as [|x r IH]; intros R I; [destruct I|]. destruct I as [I|I].
  - injection I as -> ->. reflexivity.
  - apply in_map_iff in I. destruct I as ([y q] & E & I). injection E as -> <-. rewrite (IH q I). apply same_order, perm_swap.
Qed.
Lemma each_heap_all s h R : 0 < h -> s ≡ h :: R -> exists R', In (h, R') (each_heap s) /\ R ≡ R'.
Proof.
  intros P E. assert (I : In h s).
  { assert (I : h ∈ s) by (rewrite E; apply heap_of_cons; auto). exact (proj2 I). }
  assert (F : exists R', In (h, R') (each_heap s)).
  { clear - I. induction s as [|x r IH]; [destruct I|]. destruct I as [->|I]; [exists r; left; reflexivity|].
    destruct (IH I) as (q & J). exists (x :: q). right. apply in_map_iff. exists (h, q). auto. }
  destruct F as (R' & F). exists R'. split; [exact F|]. apply each_heap_rest in F. apply (same_rest h); [exact P|].
  rewrite <- E. exact F.
Qed.

(* ---- Answers about positions that follow from those about their options, each asked once. ---- *)
Module Notes := PositiveMap.
Section Answers.
Variables (state result : Type) (key : state -> positive) (equal : state -> state -> bool).
Variables (options : state -> list state) (settles : result -> option result) (combine : state -> list result -> result).
Variable right : state -> result -> Prop.
Hypothesis equal_are : forall s t, equal s t = true -> s = t.
(* One option may settle the answer; the answers about all options give it. *)
Hypothesis settled : forall s t r v, In t (options s) -> right t r -> settles r = Some v -> right s v.
Hypothesis combined : forall s rs, Forall2 right (options s) rs -> right s (combine s rs).

(* What is known already: a table by keys.  Two states may have the same key: then the later answer is kept. *)
Definition notes := Notes.t (state * result).
Definition noted (m : notes) (s : state) : option result :=
  match Notes.find (key s) m with Some (t, r) => if equal t s then Some r else None | None => None end.
Definition note (m : notes) (s : state) (r : result) : notes := Notes.add (key s) (s, r) m.

(* The answer about a state, from those about its options; [fuel] bounds the depth.  None: the fuel was not enough. *)
Fixpoint ask_each (ask : notes -> state -> notes * option result) (s : state) (ts : list state) (m : notes)
  (rs : list result) : notes * option result :=
  match ts with
  | [] => let r := combine s (rev' rs) in (note m s r, Some r)
  | t :: ts =>
      match ask m t with
      | (m, Some r) => match settles r with Some v => (note m s v, Some v) | None => ask_each ask s ts m (r :: rs) end
      | (m, None) => (m, None)
      end
  end.
Fixpoint ask (fuel : nat) (m : notes) (s : state) : notes * option result :=
  match noted m s with
  | Some r => (m, Some r)
  | None => match fuel with O => (m, None) | S fuel => ask_each (ask fuel) s (options s) m [] end
  end.

Definition notes_right (m : notes) : Prop := forall k s r, Notes.find k m = Some (s, r) -> right s r.
Lemma note_right m s r : notes_right m -> right s r -> notes_right (note m s r).
Proof.
  intros M H k t v. unfold note. destruct (Pos.eq_dec k (key s)) as [->|NE].
  - rewrite Notes.gss. intros E. injection E as <- <-. exact H.
  - rewrite Notes.gso by exact NE. apply M.
Qed.
Lemma noted_right m s r : notes_right m -> noted m s = Some r -> right s r.
Proof.
  intros M. unfold noted. destruct (Notes.find (key s) m) as [[t v]|] eqn:F; [|discriminate].
  destruct (equal t s) eqn:E; [|discriminate]. intros V. injection V as <-. rewrite <- (equal_are t s E). exact (M _ _ _ F).
Qed.

Definition asks_right (f : notes -> state -> notes * option result) : Prop := forall m s, notes_right m ->
  notes_right (fst (f m s)) /\ forall r, snd (f m s) = Some r -> right s r.
Lemma ask_each_right f s : asks_right f -> forall ts seen m rs, options s = seen ++ ts -> notes_right m ->
  Forall2 right seen (rev rs) ->
  notes_right (fst (ask_each f s ts m rs)) /\ forall r, snd (ask_each f s ts m rs) = Some r -> right s r.
Proof.
  intros F. induction ts as [|t ts IH]; intros seen m rs O M A; cbn [ask_each].
  - rewrite app_nil_r in O. unfold rev'. rewrite <- rev_alt. cbv zeta. cbn [fst snd].
    assert (H : right s (combine s (rev rs))) by (apply combined; rewrite O; exact A).
    split; [apply note_right; assumption|]. intros r E. injection E as <-. exact H.
  - destruct (F m t M) as [M' H]. destruct (f m t) as [m' [r|]]; cbn [fst snd] in *; [|split; [exact M' | discriminate]].
    specialize (H r eq_refl). destruct (settles r) as [v|] eqn:V.
    + assert (R : right s v) by (apply (settled s t r v); [rewrite O; apply in_elt | exact H | exact V]).
      cbn [fst snd]. split; [apply note_right; assumption|]. intros u E. injection E as <-. exact R.
    + apply (IH (seen ++ [t])); [rewrite O, <- app_assoc; reflexivity | exact M'|]. cbn [rev].
      apply Forall2_app; [exact A | constructor; [exact H | constructor]].
Qed.
Lemma ask_right fuel : asks_right (ask fuel).
Proof.
  induction fuel as [|fuel IH]; intros m s M; cbn [ask]; destruct (noted m s) as [r|] eqn:E.
  - split; [exact M|]. intros v V. injection V as <-. exact (noted_right m s r M E).
  - split; [exact M | discriminate].
  - split; [exact M|]. intros v V. injection V as <-. exact (noted_right m s r M E).
  - apply (ask_each_right (ask fuel) s IH) with (seen := []); [reflexivity | exact M | constructor].
Qed.
Definition answer (fuel : nat) (s : state) : option result := snd (ask fuel (Notes.empty _) s).
(* Whatever the evaluator answers is right. *)
Theorem answer_right fuel s r : answer fuel s = Some r -> right s r.
Proof. apply ask_right. intros k t v E. rewrite Notes.gempty in E. discriminate. Qed.
End Answers.

(* Keys of positions: the digits of the heaps in a row. *)
Fixpoint add_digits (h : positive) (k : positive) : positive :=
  match h with xH => (k~0)~1 | xO h => ((add_digits h k)~1)~0 | xI h => ((add_digits h k)~1)~1 end.
Definition key_of (s : position) : positive :=
  fold_left (fun k h => match h with 0 => k | N.pos h => add_digits h k end) s xH.
(* More than the number of moves, if every move leaves fewer objects. *)
Definition fuel_of (s : position) : nat := S (N.to_nat (total s)).

(* What is decided. *)
Definition Decided (P : Prop) (o : option bool) : Prop :=
  match o with Some true => P | Some false => ~ P | None => True end.
Lemma decided_so P o : Decided P o -> o = Some true -> P.
Proof. intros D ->. exact D. Qed.
Lemma decided_by (P : Prop) (b : bool) : (b = true <-> P) -> Decided P (Some b).
Proof. intros E. destruct b; cbn; [apply E; reflexivity | intros H; apply E in H; discriminate]. Qed.

(* ---- Who wins, by what the mover may leave. ---- *)
Section Play.
Variables (step : player -> position -> position -> Prop) (stuck : bool) (win lose : player -> position -> Prop).
Hypothesis win_is : forall p s, win p s <->
  (exists t, step p s t /\ lose (other p) t) \/ (stuck = true /\ forall t, ~ step p s t).
Hypothesis lose_is : forall p s, lose p s <->
  (stuck = true -> exists t, step p s t) /\ forall t, step p s t -> win (other p) t.
Hypothesis win_same : forall p s t, s ≡ t -> win p s -> win p t.
Hypothesis lose_same : forall p s t, s ≡ t -> lose p s -> lose p t.
Variable left_by : player -> position -> list position.
Hypothesis left_are : forall p s t, step p s t <-> exists t', In t' (left_by p s) /\ t ≡ t'.

Definition equal_states (a b : player * position) : bool := same_player (fst a) (fst b) && equal_lists (snd a) (snd b).
Definition key_of_state (a : player * position) : positive :=
  match fst a with First => xO (key_of (snd a)) | Second => xI (key_of (snd a)) end.
Definition win_right (a : player * position) (b : bool) : Prop :=
  if b then win (fst a) (snd a) /\ ~ lose (fst a) (snd a) else lose (fst a) (snd a) /\ ~ win (fst a) (snd a).
Definition win_of (a : player * position) (rs : list bool) : bool :=
  match rs with [] => stuck | _ => existsb negb rs end.
Definition decide_win (p : player) (s : position) : option bool :=
  answer (player * position) bool key_of_state equal_states (fun a => map (pair (other (fst a))) (left_by (fst a) (snd a)))
    (fun r : bool => if r then None else Some true) win_of (fuel_of s) (p, s).

(* Who wins, if the moves of each player are listed. *)
Lemma decided_win p s : Decided (win p s) (decide_win p s).
Proof.
  destruct (decide_win p s) as [b|] eqn:E; [|exact I].
  enough (H : win_right (p, s) b) by (destruct b; apply H). revert E. apply answer_right; clear p s b.
  - intros [p s] [q t]. unfold equal_states. cbn. rewrite andb_true_iff, equal_lists_are.
    destruct p, q; intros [P ->]; try reflexivity; discriminate.
  - intros [p s] [q t] r v I H V. destruct r; [discriminate|]. injection V as <-. cbn in *.
    apply in_map_iff in I. destruct I as (u & E & I). injection E as <- <-. destruct H as [L NW]. cbn in *.
    assert (M : step p s u) by (apply left_are; exists u; split; [exact I | reflexivity]).
    unfold win_right. cbn. split; [apply win_is; left; eauto|].
    intros F. apply lose_is in F. exact (NW (proj2 F u M)).
  - intros [p s] rs A. cbn in A.
    assert (Moves : rs = [] <-> forall t, ~ step p s t).
    { split.
      - intros ->. inversion A as [E|]. intros t M. apply left_are in M. destruct M as (t' & I & _).
        destruct (left_by p s); [destruct I | discriminate].
      - intros None. destruct (left_by p s) as [|t l] eqn:E; [inversion A; reflexivity|]. destruct (None t).
        apply left_are. exists t. rewrite E. split; [left|]; reflexivity. }
    assert (Each : forall t, step p s t -> exists t' b, t ≡ t' /\ In b rs /\ win_right (other p, t') b).
    { intros t M. apply left_are in M. destruct M as (t' & I & E). apply (in_map (pair (other p))) in I.
      clear Moves. induction A as [|x b l rs H _ IH]; [destruct I|]. destruct I as [->|I].
      - exists t', b. split; [exact E|]. split; [left; reflexivity | exact H].
      - destruct (IH I) as (u & c & F & J & G). exists u, c. split; [exact F|]. split; [right; exact J | exact G]. }
    assert (Some_lost : existsb negb rs = true -> exists t, step p s t /\ win_right (other p, t) false).
    { intros X. apply existsb_exists in X. destruct X as (b & I & X). destruct b; [discriminate|]. clear Moves Each.
      assert (F : exists t, In t (left_by p s) /\ win_right (other p, t) false).
      { revert A. generalize (left_by p s). intros l A. remember (map _ l) as m eqn:E. revert l E.
        induction A as [|x b m rs H _ IH]; intros l E; [destruct I|]. destruct l as [|t l]; [discriminate|]. injection E as -> ->.
        destruct I as [->|I]; [exists t; split; [left; reflexivity | exact H]|].
        destruct (IH I l eq_refl) as (u & J & G). exists u. split; [right; exact J | exact G]. }
      destruct F as (t & J & G). exists t. split; [|exact G]. apply left_are. exists t. split; [exact J | reflexivity]. }
    assert (All_won : existsb negb rs = false -> forall t, step p s t -> win (other p) t /\ ~ lose (other p) t).
    { intros X t M. destruct (Each t M) as (t' & b & E & I & H). destruct b.
      - destruct H as [W NL]. cbn in *. split; [apply (win_same _ t'); [symmetry; exact E | exact W]|].
        intros L. apply NL. exact (lose_same _ t t' E L).
      - assert (Y : existsb negb rs = true) by (apply existsb_exists; exists false; auto). congruence. }
    clear A Each. unfold win_right, win_of. cbn. destruct rs as [|b rs].
    + destruct Moves as [Moves _]. specialize (Moves eq_refl). destruct stuck.
      * split; [apply win_is; right; auto|]. intros L. apply lose_is in L. destruct L as [(t & M) _]; [reflexivity|]. exact (Moves t M).
      * split; [apply lose_is; split; [discriminate | intros t M; destruct (Moves t M)]|].
        intros W. apply win_is in W. destruct W as [(t & M & _)|[F _]]; [exact (Moves t M) | discriminate].
    + destruct (existsb negb (b :: rs)).
      * destruct (Some_lost eq_refl) as (t & M & L & NW). cbn in *. split; [apply win_is; left; eauto|].
        intros F. apply lose_is in F. exact (NW (proj2 F t M)).
      * specialize (All_won eq_refl). destruct Moves as [_ Moves].
        assert (Any : exists t, step p s t).
        { destruct (left_by p s) as [|t l] eqn:E.
          - discriminate Moves. intros t M. apply left_are in M. rewrite E in M. destruct M as (u & [] & _).
          - exists t. apply left_are. exists t. rewrite E. split; [left|]; reflexivity. }
        split; [apply lose_is; split; [auto | intros t M; apply All_won, M]|].
        intros W. apply win_is in W. destruct W as [(t & M & L)|[_ None]]; [exact (proj2 (All_won t M) L)|].
        destruct Any as (t & M). exact (None t M).
Qed.
End Play.

(* The elements that meet a condition, listed. *)
Definition Listed {A : Type} (P : A -> Prop) (l : list A) : Prop := forall x, In x l <-> P x.


(* ---- Games in which a move makes a heap smaller. ---- *)
Section Games.
Variables (g : game) (list_of : player -> N -> list N).
Hypothesis listed : forall p h, Listed (becomes g p h) (list_of p h).

(* What the player may leave: the positions in one order, perhaps several times. *)
Definition left_in_game (p : player) (s : position) : list position :=
  flat_map (fun '(h, R) => if (0 <? h) && (negb (of_largest g) || (largest R <=? h))
    then map (fun y => arrange (y :: R)) (list_of p h) else []) (each_heap s).
Lemma left_in_game_are p s t : move g p s t <-> exists t', In t' (left_in_game p s) /\ t ≡ t'.
Proof.
  unfold left_in_game. split.
  - intros (h & y & R & P & S & T & B & L). destruct (each_heap_all s h R P S) as (R' & I & E).
    exists (arrange (y :: R')). split; [|rewrite T, E; apply arranged]. apply in_flat_map. exists (h, R'). split; [exact I|].
    rewrite <- (largest_same _ _ E). destruct (0 <? h) eqn:H; [|lia]. cbn [andb].
    replace (negb (of_largest g) || (largest R <=? h)) with true.
    + apply in_map_iff. exists y. split; [reflexivity | apply listed, B].
    + destruct (of_largest g); [|reflexivity]. specialize (L eq_refl). cbn. lia.
  - intros (t' & I & E). apply in_flat_map in I. destruct I as ([h R] & I & J). apply each_heap_rest in I.
    destruct (0 <? h) eqn:H; [|destruct J]. cbn [andb] in J. destruct (negb (of_largest g) || (largest R <=? h)) eqn:L; [|destruct J].
    apply in_map_iff in J. destruct J as (y & F & J). exists h, y, R. split; [lia|]. split; [exact I|].
    split; [rewrite E, <- F; symmetry; apply arranged|]. split; [apply listed, J|]. intros G. rewrite G in L. cbn in L. lia.
Qed.

Lemma decided_move p s t : Decided (move g p s t) (Some (existsb (same_heaps t) (left_in_game p s))).
Proof.
  apply decided_by. rewrite left_in_game_are, existsb_exists.
  split; intros (u & I & E); exists u; split; try exact I; apply same_heaps_are, E.
Qed.
(* The evaluator decides who wins a game, *)
Theorem decided_wins p s : Decided (wins g p s) (decide_win (stuck_wins g) left_in_game p s).
Proof.
  apply (decided_win (move g) (stuck_wins g) (wins g) (loses g)).
  - clear. intros p s. split; [intros [? ? t M L | ? ? S N]; eauto|].
    intros [(t & M & L)|[S N]]; [exact (some_move g p s t M L) | exact (no_move g p s S N)].
  - clear. intros p s. split; [intros [? ? S A]; auto | intros [S A]; constructor; assumption].
  - intros q t u E. apply wins_loses_same, E.
  - intros q t u E. apply wins_loses_same, E.
  - apply left_in_game_are.
Qed.

(* Of n players: the value of a position, and that it has no other. *)
Definition winner_right (n : N) (s : position) (v : N) : Prop := winner g n s v /\ forall w, winner g n s w -> w = v.
Definition winner_of (n : N) (s : position) (rs : list N) : N :=
  match rs with
  | [] => if stuck_wins g then 0 else n - 1
  | r :: rs => fold_left (fun v w => N.min v ((w + 1) mod n)) rs ((r + 1) mod n)
  end.
Definition find_winner (n : N) (s : position) : option N :=
  answer position N key_of equal_lists (left_in_game First) (fun _ => None) (winner_of n)
    (fuel_of s) s.
Lemma least_of_all n rs v : let m := fold_left (fun v w => N.min v ((w + 1) mod n)) rs v in
  (m = v \/ exists w, In w rs /\ m = (w + 1) mod n) /\ m <= v /\ forall w, In w rs -> m <= (w + 1) mod n.
Proof.
  revert v. induction rs as [|r rs IH]; intros v; cbn [fold_left]; [split; [auto|]; split; [lia | intros w []]|].
  destruct (IH (N.min v ((r + 1) mod n))) as (A & B & C). cbv zeta in *. split; [|split].
  - destruct A as [A|(w & I & A)]; [|right; exists w; split; [right; exact I | exact A]].
    destruct (N.min_spec v ((r + 1) mod n)) as [[_ E]|[_ E]]; rewrite E in A at 2; [left; exact A|].
    right. exists r. split; [left; reflexivity | exact A].
  - lia.
  - intros w [<-|I]; [lia | exact (C w I)].
Qed.
Lemma found_winner n s v : find_winner n s = Some v -> winner_right n s v.
Proof.
  assert (Same : forall s t v, s ≡ t -> winner g n s v -> winner g n t v).
  { clear. intros s t v E [None Z | All (u & w & M & W & V)]; [apply stuck_first; [intros u; rewrite <- E; apply None | exact Z]|].
    apply least_option; [intros x; rewrite <- E; apply All | exists u, w; rewrite <- E; auto]. }
  apply answer_right; clear s v.
  - intros s t. apply equal_lists_are.
  - discriminate.
  - intros s rs A.
    assert (Each : forall t, move g First s t -> exists w, In w rs /\ winner_right n t w).
    { intros t M. apply left_in_game_are in M. destruct M as (t' & I & E). revert I.
      induction A as [|x w l rs H _ IH]; [intros []|]. intros [->|I].
      - exists w. split; [left; reflexivity|]. destruct H as [W U].
        split; [apply (Same t'); [symmetry; exact E | exact W] | intros u V; apply U; exact (Same t t' u E V)].
      - destruct (IH I) as (u & J & H'). exists u. split; [right; exact J | exact H']. }
    assert (All : forall w, In w rs -> exists t, move g First s t /\ winner_right n t w).
    { assert (O : forall t, In t (left_in_game First s) -> move g First s t).
      { intros t I. apply left_in_game_are. exists t. split; [exact I | reflexivity]. }
      revert O. clear Each. induction A as [|x u l rs H _ IH]; [intros _ w []|]. intros O w [<-|I].
      - exists x. split; [apply O; left; reflexivity | exact H].
      - apply IH; [intros t J; apply O; right; exact J | exact I]. }
    clear A. destruct rs as [|r rs].
    + assert (No : forall t, ~ move g First s t) by (intros t M; destruct (Each t M) as (w & [] & _)).
      split; [apply stuck_first; [exact No | reflexivity]|].
      intros w [_ ->|_ (t & u & M & _)]; [reflexivity | destruct (No t M)].
    + unfold winner_of. destruct (least_of_all n rs ((r + 1) mod n)) as (A & B & C). cbv zeta in *.
      set (m := fold_left _ _ _) in *.
      assert (D : exists w, In w (r :: rs) /\ m = (w + 1) mod n).
      { destruct A as [A|(w & I & A)]; [exists r | exists w]; split; auto; [left; reflexivity | right; exact I]. }
      assert (F : forall w, In w (r :: rs) -> m <= (w + 1) mod n) by (intros w [<-|I]; [exact B | exact (C w I)]).
      clear A B C. clearbody m. split.
      * apply least_option.
        -- intros t M. destruct (Each t M) as (w & I & H & _). exists w. split; [exact H | exact (F w I)].
        -- destruct D as (w & I & ->). destruct (All w I) as (t & M & H & _). exists t, w. auto.
      * intros v [No _|Le (t & u & M & W & ->)].
        -- destruct (All r) as (t & M & _); [left; reflexivity | destruct (No t M)].
        -- destruct (Each t M) as (w & I & _ & U). rewrite (U u W). apply N.le_antisymm; [|exact (F w I)].
           destruct D as (x & J & ->). destruct (All x J) as (y & M' & _ & U').
           destruct (Le y M') as (z & Z & L). rewrite (U' z Z), (U u W) in L. exact L.
Qed.
Definition with_winner (n : N) (s : position) (p : N -> option bool) : option bool :=
  match find_winner n s with Some v => p v | None => None end.
(* and the value for n players, which exists and is unique if it is found. *)
Theorem decided_winner n s (P : N -> Prop) p : (forall v, Decided (P v) (p v)) ->
  Decided (exists v, winner g n s v /\ P v) (with_winner n s p).
Proof.
  intros D. unfold with_winner. destruct (find_winner n s) as [v|] eqn:E; [|exact I]. apply found_winner in E. destruct E as [W U].
  specialize (D v). destruct (p v) as [[|]|]; cbn in *; [eauto | | exact I].
  intros (w & V & H). apply D. rewrite <- (U w V). exact H.
Qed.
End Games.

(* ---- Games in which a move puts any heaps in the place of one. ---- *)
Section Splittings.
Variables (g : splitting) (list_of : player -> N -> list position).
Hypothesis listed : forall p h, Listed (parts g p h) (list_of p h).

Definition left_by_split (p : player) (s : position) : list position :=
  flat_map (fun '(h, R) => if 0 <? h then map (fun o => arrange (o ++ R)) (list_of p h) else []) (each_heap s).
Lemma app_same o R T : R ≡ T -> o ++ R ≡ o ++ T.
Proof. intros E. induction o as [|h o IH]; [exact E | exact (same_cons h _ _ IH)]. Qed.
Lemma left_by_split_are p s t : split_move g p s t <-> exists t', In t' (left_by_split p s) /\ t ≡ t'.
Proof.
  unfold left_by_split. split.
  - intros (h & o & R & P & S & T & B). destruct (each_heap_all s h R P S) as (R' & I & E).
    exists (arrange (o ++ R')). split; [|rewrite T, (app_same o R R' E); apply arranged]. apply in_flat_map.
    exists (h, R'). split; [exact I|]. destruct (0 <? h) eqn:H; [|lia].
    apply in_map_iff. exists o. split; [reflexivity | apply listed, B].
  - intros (t' & I & E). apply in_flat_map in I. destruct I as ([h R] & I & J). apply each_heap_rest in I.
    destruct (0 <? h) eqn:H; [|destruct J]. apply in_map_iff in J. destruct J as (o & F & J).
    exists h, o, R. split; [lia|]. split; [exact I|]. split; [rewrite E, <- F; symmetry; apply arranged | apply listed, J].
Qed.
Lemma decided_split_move p s t : Decided (split_move g p s t) (Some (existsb (same_heaps t) (left_by_split p s))).
Proof.
  apply decided_by. rewrite left_by_split_are, existsb_exists.
  split; intros (u & I & E); exists u; split; try exact I; apply same_heaps_are, E.
Qed.
(* The evaluator decides who wins a game that splits heaps. *)
Theorem decided_split_wins p s : Decided (split_wins g p s) (decide_win (split_stuck_wins g) left_by_split p s).
Proof.
  assert (Same : forall p s t, s ≡ t -> (split_wins g p s -> split_wins g p t) /\ (split_loses g p s -> split_loses g p t)).
  { clear. intros p s t E. split; intros W.
    - inversion W as [? ? u M L | ? ? Mi None]; subst.
      + apply some_split with u; [rewrite <- E; exact M | exact L].
      + apply no_split; [exact Mi|]. intros u. rewrite <- E. apply None.
    - inversion W as [? ? Some All]; subst. constructor; [|intros u; rewrite <- E; apply All].
      intros Mi. destruct (Some Mi) as (u & M). exists u. rewrite <- E. exact M. }
  apply (decided_win (split_move g) (split_stuck_wins g) (split_wins g) (split_loses g)).
  - clear. intros p s. split; [intros [? ? t M L | ? ? S N]; eauto|].
    intros [(t & M & L)|[S N]]; [exact (some_split g p s t M L) | exact (no_split g p s S N)].
  - clear. intros p s. split; [intros [? ? S A]; auto | intros [S A]; constructor; assumption].
  - intros q t u E. apply Same, E.
  - intros q t u E. apply Same, E.
  - apply left_by_split_are.
Qed.
End Splittings.

(* ---- The general game. ---- *)
(* The heaps that may be chosen one after the other, with the rest. *)
Fixpoint choose_heaps (n : nat) (s : position) : list (list N * position) :=
  match n with
  | O => [([], s)]
  | S n => flat_map (fun '(h, r) =>
      if 0 <? h then map (fun '(hs, R) => (h :: hs, R)) (choose_heaps n r) else []) (each_heap s)
  end.
Lemma choose_heaps_rest n : forall s hs R, In (hs, R) (choose_heaps n s) -> length hs = n /\ occupied hs /\ s ≡ hs ++ R.
Proof.
  induction n as [|n IH]; intros s hs R; cbn [choose_heaps].
  - intros [E|[]]. injection E as <- <-. split; [reflexivity|]. split; [constructor | reflexivity].
  - intros I. apply in_flat_map in I. destruct I as ([h r] & I & J). destruct (0 <? h) eqn:P; [|destruct J].
    apply in_map_iff in J. destruct J as ([hs' R'] & E & J). injection E as <- <-. apply each_heap_rest in I.
    destruct (IH _ _ _ J) as (L & O & S). split; [cbn; congruence|]. split; [constructor; [lia | exact O]|].
    rewrite I, S. reflexivity.
Qed.
Lemma choose_heaps_all hs : forall s R, occupied hs -> s ≡ hs ++ R ->
  exists R', In (hs, R') (choose_heaps (length hs) s) /\ R ≡ R'.
Proof.
  induction hs as [|h hs IH]; intros s R O S; cbn [choose_heaps length].
  - exists s. split; [left; reflexivity | symmetry; exact S].
  - apply Forall_cons_iff in O. destruct O as [P O]. destruct (each_heap_all s h (hs ++ R) P S) as (r & I & E).
    destruct (IH r R O) as (R' & J & F); [symmetry; exact E|]. exists R'. split; [|exact F]. apply in_flat_map.
    exists (h, r). split; [exact I|]. destruct (0 <? h) eqn:H; [|lia]. apply in_map_iff. exists (hs, R'). auto.
Qed.

(* A kind of move is listed: what may be made of chosen heaps depends on the heaps of the position, not on their order. *)
Definition ListedKind (k : kind_of_move) (l : player -> position -> list N -> list (list N)) : Prop :=
  (forall p s hs, length hs = chosen k -> Listed (makes k p s hs) (l p s hs)) /\
  forall p s t hs ys, s ≡ t -> makes k p s hs ys -> makes k p t hs ys.

Section GeneralGame.
Variables (g : rules) (lists : list (player -> position -> list N -> list (list N))).
Hypothesis listed : Forall2 ListedKind (all_kinds g) lists.

Definition left_by_rules (p : player) (s : position) : list position :=
  flat_map (fun '(n, l) => flat_map (fun '(hs, R) => map (fun ys => arrange (ys ++ R)) (l p (hs ++ R) hs)) (choose_heaps n s))
    (combine (map chosen (all_kinds g)) lists).
Lemma left_by_rules_are p s t : step g p s t <-> exists t', In t' (left_by_rules p s) /\ t ≡ t'.
Proof.
  unfold left_by_rules, step. revert listed. generalize (all_kinds g), lists. intros kinds made A.
  induction A as [|k l ks ls [L F] A IH]; cbn [map combine flat_map].
  - split; [intros (k & hs & ys & R & [] & _) | intros (t' & [] & _)].
  - split.
    + intros (k' & hs & ys & R & K & C & O & S & T & M). destruct K as [<-|K].
      * destruct (choose_heaps_all hs s R O S) as (R' & I & E). rewrite C in I. exists (arrange (ys ++ R')).
        split; [|rewrite T, (app_same ys R R' E); apply arranged]. apply in_app_iff. left. apply in_flat_map.
        exists (hs, R'). split; [exact I|]. apply in_map_iff. exists ys. split; [reflexivity|]. apply L; [exact C|].
        apply (F p (hs ++ R)); [apply app_same, E | exact M].
      * destruct IH as [IH _]. destruct IH as (t' & I & E); [exists k', hs, ys, R; auto 10|].
        exists t'. split; [apply in_app_iff; right; exact I | exact E].
    + intros (t' & I & E). apply in_app_iff in I. destruct I as [I|I].
      * apply in_flat_map in I. destruct I as ([hs R] & I & J). apply in_map_iff in J. destruct J as (ys & G & J).
        destruct (choose_heaps_rest _ _ _ _ I) as (C & O & S). exists k, hs, ys, R. split; [left; reflexivity|].
        split; [exact C|]. split; [exact O|]. split; [exact S|].
        split; [rewrite E, <- G; symmetry; apply arranged | apply L; assumption].
      * destruct IH as [_ IH]. destruct IH as (k' & hs & ys & R & K & M); [exists t'; auto|].
        exists k', hs, ys, R. split; [right; exact K | exact M].
Qed.
Lemma decided_step p s t : Decided (step g p s t) (Some (existsb (same_heaps t) (left_by_rules p s))).
Proof.
  apply decided_by. rewrite left_by_rules_are, existsb_exists.
  split; intros (u & I & E); exists u; split; try exact I; apply same_heaps_are, E.
Qed.
(* The evaluator decides who wins the general game. *)
Theorem decided_rules_wins p s : Decided (rules_wins g p s) (decide_win (rules_stuck_wins g) left_by_rules p s).
Proof.
  apply (decided_win (step g) (rules_stuck_wins g) (rules_wins g) (rules_loses g)).
  - clear. intros p s. split; [intros [? ? t M L | ? ? S N]; eauto|].
    intros [(t & M & L)|[S N]]; [exact (rules_some g p s t M L) | exact (rules_none g p s S N)].
  - clear. intros p s. split; [intros [? ? S A]; auto | intros [S A]; constructor; assumption].
  - intros q t u E. apply rules_wins_loses_same, E.
  - intros q t u E. apply rules_wins_loses_same, E.
  - apply left_by_rules_are.
Qed.
End GeneralGame.

(* Kinds of moves, listed by what may be made of each choice of heaps. *)
Lemma listed_on_one f l : (forall p s h, Listed (f p s h) (l p s h)) ->
  (forall p s t h ys, s ≡ t -> f p s h ys -> f p t h ys) ->
  ListedKind (on_one f) (fun p s hs => match hs with [a] => l p s a | _ => [] end).
Proof.
  intros L F. split; [intros p s [|a [|? ?]] C; try discriminate C; apply L|].
  intros p s t [|a [|? ?]] ys E M; try exact M. exact (F p s t a ys E M).
Qed.
Lemma listed_on_two f l : (forall p s a b, Listed (f p s a b) (l p s a b)) ->
  (forall p s t a b ys, s ≡ t -> f p s a b ys -> f p t a b ys) ->
  ListedKind (on_two f) (fun p s hs => match hs with [a; b] => l p s a b | _ => [] end).
Proof.
  intros L F. split; [intros p s [|a [|b [|? ?]]] C; try discriminate C; apply L|].
  intros p s t [|a [|b [|? ?]]] ys E M; try exact M. exact (F p s t a b ys E M).
Qed.
Fixpoint list_each (l : N -> list (list N)) (hs : list N) : list (list N) :=
  match hs with [] => [[]] | h :: r => flat_map (fun o => map (app o) (list_each l r)) (l h) end.
Lemma listed_on_each f l n : (forall p s h, Listed (f p s h) (l p s h)) ->
  (forall p s t h ys, s ≡ t -> f p s h ys -> f p t h ys) -> ListedKind (on_each f n) (fun p s hs => list_each (l p s) hs).
Proof.
  intros L F. split.
  - intros p s hs _. cbn [makes on_each]. induction hs as [|h hs IH]; intros ys; cbn [each_makes list_each].
    + split; [intros [<-|[]]; reflexivity | intros ->; left; reflexivity].
    + rewrite in_flat_map. split.
      * intros (o & I & J). apply in_map_iff in J. destruct J as (z & <- & J). exists o, z.
        split; [apply L, I|]. split; [apply IH, J | reflexivity].
      * intros (o & z & A & B & ->). exists o. split; [apply L, A|]. apply in_map, IH, B.
  - intros p s t hs. cbn [makes on_each]. induction hs as [|h hs IH]; intros ys E; cbn [each_makes]; [auto|].
    intros (o & z & A & B & G). exists o, z. split; [exact (F p s t h o E A)|]. split; [exact (IH z E B) | exact G].
Qed.
Lemma listed_each_number f l ns : (forall p s h, Listed (f p s h) (l p s h)) ->
  (forall p s t h ys, s ≡ t -> f p s h ys -> f p t h ys) ->
  Forall2 ListedKind (map (on_each f) ns) (map (fun _ p s hs => list_each (l p s) hs) ns).
Proof. intros L F. induction ns as [|n ns IH]; cbn [map]; constructor; [apply listed_on_each; assumption | exact IH]. Qed.

(* ---- Grundy values: those of the heaps below a bound in a table, filled once. ---- *)
(* The least number that is not in a list. *)
Fixpoint least_from (n : nat) (v : N) (l : list N) : N :=
  match n with O => v | S n => if existsb (N.eqb v) l then least_from n (v + 1) l else v end.
Definition least_without (l : list N) : N := least_from (length l) 0 l.
Lemma least_without_is l : ~ In (least_without l) l /\ forall w, w < least_without l -> In w l.
Proof.
  assert (Among : forall v, existsb (N.eqb v) l = true <-> In v l).
  { intros v. rewrite existsb_exists. split; [intros (x & I & E); replace v with x by lia; exact I | exists v; split; [assumption | lia]]. }
  unfold least_without.
  assert (H : forall n v, (forall w, w < v -> In w l) -> (N.to_nat v + n = length l)%nat ->
    ~ In (least_from n v l) l /\ forall w, w < least_from n v l -> In w l).
  { induction n as [|n IH]; intros v Below E; cbn [least_from].
    - split; [|exact Below]. intros I.
      assert (L : (length (map N.of_nat (seq 0 (S (N.to_nat v)))) <= length l)%nat).
      { apply NoDup_incl_length.
        - apply FinFun.Injective_map_NoDup; [intros a b; lia | apply seq_NoDup].
        - intros w J. apply in_map_iff in J. destruct J as (k & <- & J). apply in_seq in J.
          destruct (N.eq_dec (N.of_nat k) v) as [->|]; [exact I | apply Below; lia]. }
      rewrite map_length, seq_length in L. lia.
    - destruct (existsb (N.eqb v) l) eqn:M.
      + apply IH; [|lia]. intros w L. destruct (N.eq_dec w v) as [->|]; [apply Among, M | apply Below; lia].
      + split; [intros I; apply Among in I; congruence | exact Below]. }
  apply H; [intros w L; lia | reflexivity].
Qed.
Lemma nim_sum_of_heaps f g s : (forall h, In h s -> 0 < h -> f h = g h) -> nim_sum_of f s = nim_sum_of g s.
Proof.
  induction s as [|h r IH]; intros E; [reflexivity|]. rewrite !nim_sum_of_cons.
  rewrite IH by (intros x I; apply E; right; exact I). destruct (h =? 0) eqn:Z; [reflexivity|].
  rewrite (E h); [reflexivity | left; reflexivity | lia].
Qed.

Section HeapValues.
Variable left_of : N -> list position.
Definition look (known : Notes.t N) (h : N) : N := match Notes.find (N.succ_pos h) known with Some v => v | None => 0 end.
Definition value_from (known : Notes.t N) (h : N) : N := least_without (map (nim_sum_of (look known)) (left_of h)).
Fixpoint fill (n : nat) : Notes.t N :=
  match n with
  | O => Notes.empty N
  | S n => let known := fill n in Notes.add (N.succ_pos (N.of_nat n)) (value_from known (N.of_nat n)) known
  end.
Definition value_of_heap (h : N) : N := look (fill (S (N.to_nat h))) h.
Lemma look_fill n h : h < N.of_nat n -> look (fill n) h = value_of_heap h.
Proof.
  induction n as [|n IH]; intros L; [lia|]. destruct (N.eq_dec h (N.of_nat n)) as [->|NE].
  - unfold value_of_heap. rewrite Nat2N.id. reflexivity.
  - rewrite <- IH by lia. unfold look. cbn [fill]. rewrite Notes.gso; [reflexivity | lia].
Qed.
Lemma value_of_heap_is h : (forall o x, In o (left_of h) -> In x o -> x < h) ->
  value_of_heap h = least_without (map (nim_sum_of value_of_heap) (left_of h)).
Proof.
  intros Less. unfold value_of_heap at 1. unfold look. cbn [fill]. rewrite N2Nat.id, Notes.gss. unfold value_from. f_equal.
  apply map_ext_in. intros o I. apply nim_sum_of_heaps. intros x J _. apply look_fill. rewrite N2Nat.id. exact (Less o x I J).
Qed.
(* The table is an argument, so that it is filled once. *)
Definition by_table (bound : N) (known : Notes.t N) (h : N) : N := if h <? bound then look known h else value_of_heap h.
Lemma by_table_is bound h : by_table bound (fill (N.to_nat bound)) h = value_of_heap h.
Proof. unfold by_table. destruct (h <? bound) eqn:L; [apply look_fill; lia | reflexivity]. Qed.
Definition with_values (bound : N) (q : (position -> N) -> option bool) : option bool :=
  let known := fill (N.to_nat bound) in q (nim_sum_of (by_table bound known)).
End HeapValues.

Definition singles (list_of : N -> list N) (h : N) : list position := map (fun y => [y]) (list_of h).
Section ValuesOfGame.
Variables (g : game) (list_of : N -> list N).
Hypothesis fair : impartial g.
Hypothesis listed : forall h, Listed (becomes g First h) (list_of h).
Let f := value_of_heap (singles list_of).
Lemma heap_value_is h : f h = least_without (map f (list_of h)).
Proof.
  unfold f. rewrite (value_of_heap_is (singles list_of)).
  - unfold singles at 2. rewrite map_map. f_equal. apply map_ext_in. intros y I. rewrite nim_sum_of_cons, nim_sum_of_none, N.lxor_0_r.
    destruct (y =? 0) eqn:Z; [|reflexivity]. replace y with 0 by lia. clear - fair listed.
    rewrite (value_of_heap_is (singles list_of)).
    + unfold singles at 2. destruct (list_of 0) as [|z l] eqn:E; [reflexivity|]. assert (B : becomes g First 0 z) by (apply listed; rewrite E; left; reflexivity).
      apply (shrinks g fair) in B. lia.
    + intros o x I. apply in_map_iff in I. destruct I as (y & <- & I). apply listed, (shrinks g fair) in I. lia.
  - intros o x I. apply in_map_iff in I. destruct I as (y & <- & I). intros [<-|[]]. apply listed, (shrinks g fair) in I. exact I.
Qed.
Lemma game_values bound : values g (nim_sum_of (by_table (singles list_of) bound (fill (singles list_of) (N.to_nat bound)))).
Proof.
  intros s. rewrite (nim_sum_of_ext _ f) by (intros; apply by_table_is). apply (value_of_sum g fair). clear s. intros h.
  apply (value_of_digits g fair N N (fun _ => True) (fun h => h) f (fun h => h) (fun _ => True) (fun v => v)); auto.
  - eauto.
  - intros d e _ _ B E. rewrite (heap_value_is d) in E. apply (proj1 (least_without_is (map f (list_of d)))).
    rewrite <- E. apply in_map, listed, B.
  - intros d b _ _ L. rewrite heap_value_is in L. apply (proj2 (least_without_is _)) in L. apply in_map_iff in L.
    destruct L as (e & <- & I). exists e. split; [exact Logic.I|]. split; [apply listed, I | reflexivity].
Qed.
(* A proposition that is decided for each function that gives the Grundy values is decided by the computed ones. *)
Theorem decided_by_values bound (Q : Prop) q : (forall k, values g k -> Decided Q (q k)) ->
  Decided Q (with_values (singles list_of) bound q).
Proof. intros D. apply D, game_values. Qed.
End ValuesOfGame.

Section ValuesOfSplitting.
Variables (g : splitting) (list_of : N -> list position).
Hypothesis alike : forall p h o, parts g p h o <-> parts g First h o.
Hypothesis fewer : forall p h o, 0 < h -> parts g p h o -> total o < h.
Hypothesis listed : forall h, Listed (parts g First h) (list_of h).
Let f := value_of_heap list_of.
Lemma split_heap_value_is h : 0 < h -> f h = least_without (map (nim_sum_of f) (list_of h)).
Proof.
  intros P. apply value_of_heap_is. intros o x I J. apply listed, (fewer First h o P) in I.
  enough (x <= total o) by lia. clear - J. induction o as [|y o IH]; [destruct J|]. rewrite total_cons.
  destruct J as [->|J]; [lia | specialize (IH J); lia].
Qed.
Lemma splitting_values bound : split_values g (nim_sum_of (by_table list_of bound (fill list_of (N.to_nat bound)))).
Proof.
  intros s. rewrite (nim_sum_of_ext _ f) by (intros; apply by_table_is). revert s. apply split_values_of_sums; [exact fewer | |].
  - intros p h o P B E. rewrite split_heap_value_is in E by exact P. apply (proj1 (least_without_is (map (nim_sum_of f) (list_of h)))).
    rewrite <- E. apply in_map, listed, (alike p), B.
  - intros p h w P L. rewrite split_heap_value_is in L by exact P. apply (proj2 (least_without_is _)) in L. apply in_map_iff in L.
    destruct L as (o & <- & I). exists o. split; [apply alike, listed, I | reflexivity].
Qed.
(* The same for a game that splits heaps: a position has the nim-sum of the values of its heaps. *)
Theorem decided_by_split_values bound (Q : Prop) q : (forall k, split_values g k -> Decided Q (q k)) ->
  Decided Q (with_values list_of bound q).
Proof. intros D. apply D, splitting_values. Qed.
End ValuesOfSplitting.
(* There is only one such function, so what is said of any function with its values is said of the known one. *)
Lemma decided_values g k (P : (position -> N) -> Prop) p : impartial g -> values g k ->
  (forall f, (forall s, f s = k s) -> Decided (P f) p) -> Decided (exists f, values g f /\ P f) p.
Proof.
  intros Im V D. destruct p as [[|]|]; [exists k; split; [exact V | exact (D k (fun s => eq_refl))] | | exact I].
  intros (f & W & H). exact (D f (fun s => value_unique g Im s _ _ (W s) (V s)) H).
Qed.
Lemma decided_split_values g k (P : (position -> N) -> Prop) p : (forall p h o, 0 < h -> parts g p h o -> total o < h) ->
  split_values g k -> (forall f, (forall s, f s = k s) -> Decided (P f) p) -> Decided (exists f, split_values g f /\ P f) p.
Proof.
  intros Less V D. destruct p as [[|]|]; [exists k; split; [exact V | exact (D k (fun s => eq_refl))] | | exact I].
  intros (f & W & H). exact (D f (fun s => split_value_unique g Less s _ _ (W s) (V s)) H).
Qed.
