(* The rule of few heaps, proved once from what its obligations say: who wins from positions of at most n heaps, for a fixed
   number n.  Such a position is written as the list of its heaps in ascending order, with 0 for each heap that is missing.

   A set of such lists is the set of the positions that the mover loses if no move leads from one of them to another, and
   some move leads to one of them from every other position. *)
From Coq Require Import ZArith Lia ZifyBool.
From NimChecks Require Export Ahead Language Tactics Folded.
Open Scope N_scope.

(* -- lists in ascending order ------------------------------------------------------------------------------------------ *)
Fixpoint ascending (l : list N) : Prop := match l with x :: ((y :: _) as r) => x <= y /\ ascending r | _ => True end.
Definition filled (n : nat) (s : position) : list N := List.repeat 0 (n - length s) ++ s.
(* A position of at most n heaps as a list of n numbers in ascending order. *)
Definition in_line (n : nat) (s : position) : list N := sorted (filled n s).

Lemma ascending_cons x y r : ascending (x :: y :: r) <-> x <= y /\ ascending (y :: r).
Proof. reflexivity. Qed.
Lemma insert_up_ascending x l : ascending l -> ascending (insert_up x l).
Proof.
  induction l as [|y l IH]; intros A; [exact I|]. cbn [insert_up]. destruct (x <=? y) eqn:E.
  - apply ascending_cons. split; [lia | exact A].
  - assert (B : ascending l) by (destruct l; [exact I | apply A]). specialize (IH B). destruct l as [|z l].
    + split; [lia | exact I].
    + cbn [insert_up] in *. apply ascending_cons in A. destruct A as [A _], (x <=? z); apply ascending_cons; (split; [lia | exact IH]).
Qed.
Lemma sorted_ascending l : ascending (sorted l).
Proof. induction l as [|x l IH]; [exact I | apply insert_up_ascending, IH]. Qed.
Lemma sorted_if_ascending l : ascending l -> sorted l = l.
Proof.
  induction l as [|x l IH]; intros A; [reflexivity|]. change (sorted (x :: l)) with (insert_up x (sorted l)).
  destruct l as [|y l]; [reflexivity|]. apply ascending_cons in A. destruct A as [B A]. rewrite (IH A). cbn [insert_up].
  destruct (x <=? y) eqn:E; [reflexivity | lia].
Qed.
Lemma sorted_length l : length (sorted l) = length l.
Proof. apply Permutation_length, sorted_is. Qed.

Lemma filled_length n s : (length s <= n)%nat -> length (filled n s) = n.
Proof. intros L. unfold filled. rewrite app_length, repeat_length. lia. Qed.
Lemma filled_is n s : filled n s ≡ s.
Proof.
  unfold filled. induction (n - length s)%nat as [|k IH]; [reflexivity|]. cbn [List.repeat app]. rewrite <- same_zero. exact IH.
Qed.
Lemma in_line_length n s : (length s <= n)%nat -> length (in_line n s) = n.
Proof. intros L. unfold in_line. rewrite sorted_length. apply filled_length, L. Qed.
Lemma in_line_is n s : in_line n s ≡ s.
Proof. unfold in_line. rewrite (same_order _ _ (sorted_is _)). apply filled_is. Qed.
Lemma in_line_ascending n s : ascending (in_line n s).
Proof. apply sorted_ascending. Qed.
Lemma heaps_and_zeros s : Permutation s (List.repeat 0 (length s - length (heaps s)) ++ heaps s).
Proof.
  assert (Le : forall s, (length (heaps s) <= length s)%nat).
  { clear. unfold heaps. induction s as [|x s IH]; cbn [filter length]; [lia|]. destruct (0 <? x); cbn [length]; lia. }
  induction s as [|x s IH]; [reflexivity|]. specialize (Le s). unfold heaps at 1 2. cbn [filter]. fold (heaps s).
  destruct (0 <? x) eqn:E; cbn [length].
  - replace (S (length s) - S (length (heaps s)))%nat with (length s - length (heaps s))%nat by lia.
    rewrite IH at 1. apply Permutation_middle.
  - assert (x = 0) as -> by lia. replace (S (length s) - length (heaps s))%nat with (S (length s - length (heaps s))) by lia.
    cbn [List.repeat app]. apply perm_skip, IH.
Qed.
Lemma same_length s t : length s = length t -> s ≡ t -> Permutation s t.
Proof.
  intros L E. rewrite (heaps_and_zeros s), (heaps_and_zeros t), L, (Permutation_length E). apply Permutation_app_head, E.
Qed.
Lemma in_line_same n s t : (length s <= n)%nat -> (length t <= n)%nat -> s ≡ t -> in_line n s = in_line n t.
Proof.
  intros Ls Lt E. apply sorted_order, same_length; [rewrite !filled_length by assumption; reflexivity|].
  rewrite !filled_is. exact E.
Qed.
Lemma in_line_if_ascending n l : length l = n -> ascending l -> in_line n l = l.
Proof. intros <- A. unfold in_line, filled. rewrite Nat.sub_diag. apply sorted_if_ascending, A. Qed.

(* -- the rule --------------------------------------------------------------------------------------------------------- *)
Section Few.
Variable g : rules.
Variable n : nat.
(* Where the player to move loses, by the list of the heaps. *)
Variable lost : player -> list N -> Prop.
Hypothesis in_order : orderly g.
(* measure: a move leaves no more heaps, and fewer objects. *)
Hypothesis fewer : forall k p s hs ys, In k (all_kinds g) -> length hs = chosen k -> occupied hs -> makes k p s hs ys ->
  (length ys <= length hs)%nat /\ total ys < total hs.
(* Some move of the player p from the list l leads to a list with the property P. *)
Definition can_leave (p : player) (l : list N) (P : list N -> Prop) : Prop :=
  exists k hs R ys, In k (all_kinds g) /\ In (hs, R) (choices (chosen k) l) /\ all_there hs /\ makes k p (hs ++ R) hs ys /\
    P (in_line n (ys ++ R)).
(* closed, cases and replies, and stuck *)
Hypothesis closed : forall p l, length l = n -> ascending l -> lost p l -> ~ can_leave p l (lost (other p)).
Hypothesis reply : forall p l, length l = n -> ascending l -> ~ lost p l -> (rules_stuck_wins g = true -> exists h, h ∈ l) ->
  can_leave p l (lost (other p)).
Hypothesis stuck : rules_stuck_wins g = true -> forall p l, length l = n -> ascending l -> lost p l -> can_leave p l (fun _ => True).

Lemma down p s t : step g p s t -> total t < total s.
Proof.
  clear closed reply stuck.  intros (k & hs & ys & R & K & C & O & S & T & M). rewrite S, T, !total_app. destruct (fewer k p _ hs ys K C O M). lia.
Qed.
(* The moves from a list of n heaps lead to lists of n heaps. *)
Lemma steps_in_line p l (P : list N -> Prop) : length l = n ->
  can_leave p l P <-> exists t, step g p l t /\ (length t = n /\ ascending t) /\ P t.
Proof.
  clear closed reply stuck.
  intros L.
  assert (Len : forall k hs R ys, In k (all_kinds g) -> In (hs, R) (choices (chosen k) l) -> all_there hs -> makes k p (hs ++ R) hs ys ->
    (length (ys ++ R) <= n)%nat).
  { intros k hs R ys K I O M. pose proof (choices_length _ _ _ _ I) as H. destruct (choices_same _ _ _ _ I) as (C & _).
    apply all_there_occupied in O. destruct (fewer k p _ hs ys K C O M) as [F _]. rewrite app_length in *. lia. }
  split.
  - intros (k & hs & R & ys & K & I & O & M & H). exists (in_line n (ys ++ R)).
    pose proof (Len k hs R ys K I O M) as B. destruct (choices_same _ _ _ _ I) as (C & E).
    split; [|split; [split; [apply in_line_length, B | apply in_line_ascending] | exact H]].
    exists k, hs, ys, R. repeat (split; [solve [auto | apply all_there_occupied, O]|]).
    split; [apply in_line_is | exact M].
  - intros (t & (k & hs & ys & R & K & C & O & S & T & M) & [Lt A] & H).
    destruct (choices_all hs l R O S) as (Q & I & E). rewrite C in I.
    assert (M' : makes k p (hs ++ Q) hs ys) by (apply (in_order k p (hs ++ R)); [exact K | rewrite E; reflexivity | exact M]).
    exists k, hs, Q, ys. pose proof (proj2 (all_there_occupied hs) O) as O'. repeat split; auto.
    rewrite (in_line_same n (ys ++ Q) t); [rewrite in_line_if_ascending by assumption; exact H | apply (Len k hs Q ys); auto | lia |].
    rewrite T, E. reflexivity.
Qed.
Lemma decide_few m : forall p l, total l = m -> length l = n -> ascending l ->
  (lost p l -> rules_loses g p l) /\ (~ lost p l -> rules_wins g p l).
Proof.
  induction m as [m IH] using (well_founded_induction N.lt_wf_0). intros p l E L A.
  assert (Next : forall t, step g p l t -> exists u, t ≡ u /\ length u = n /\ ascending u /\ total u < m /\ step g p l u).
  { intros t M. assert (M' := M). destruct M' as (k & hs & ys & R & K & C & O & S & T & M').
    destruct (choices_all hs l R O S) as (Q & I & F). pose proof (choices_length _ _ _ _ I) as H.
    destruct (fewer k p _ hs ys K C O M') as [Fe _].
    assert (B : (length (ys ++ Q) <= n)%nat) by (rewrite app_length in *; lia).
    assert (T' : t ≡ in_line n (ys ++ Q)) by (rewrite in_line_is, F; exact T).
    exists (in_line n (ys ++ Q)). split; [exact T'|]. split; [apply in_line_length, B|]. split; [apply in_line_ascending|].
    rewrite <- T'. split; [rewrite <- E; exact (down p l t M) | exact M]. }
  split.
  - intros Lo. constructor.
    + intros Mi. destruct (proj1 (steps_in_line p l _ L) (stuck Mi p l L A Lo)) as (t & M & _). exists t. exact M.
    + intros t M. destruct (Next t M) as (u & T & Lu & Au & D & M'). rewrite T. apply (IH _ D (other p) u eq_refl Lu Au).
      intros Lu'. apply (closed p l L A Lo). apply steps_in_line; [exact L|]. exists u. auto.
  - intros NL. assert (Reply : (rules_stuck_wins g = true -> exists h, h ∈ l) -> rules_wins g p l).
    { intros Some. destruct (proj1 (steps_in_line p l _ L) (reply p l L A NL Some)) as (t & M & [Lt At] & Lot).
      apply rules_some with t; [exact M|]. apply (IH (total t)); [rewrite <- E; exact (down p l t M) | reflexivity | exact Lt | exact At | exact Lot]. }
    destruct (rules_stuck_wins g) eqn:Mi; [|apply Reply; discriminate].
    destruct (some_heap_or_none l) as [Some|None]; [apply Reply; auto|]. apply rules_none; [exact Mi|].
    intros t M. pose proof (down p l t M) as D. apply (N.lt_irrefl 0). apply N.le_lt_trans with (total t); [lia|].
    replace 0 with (total l); [exact D|]. clear - None. induction l as [|x r IH]; [reflexivity|]. rewrite total_cons.
    rewrite IH by (intros h I; apply (None h), heap_of_cons; auto). destruct (N.eq_dec x 0) as [->|NE]; [reflexivity|].
    destruct (None x). apply heap_of_cons. left. lia.
Qed.
(* The player to move wins from at most n heaps if and only if they are not lost. *)
Theorem few_wins p s : (length s <= n)%nat -> rules_wins g p s <-> ~ lost p (in_line n s).
Proof.
  intros L. destruct (decide_few _ p (in_line n s) eq_refl (in_line_length n s L) (in_line_ascending n s)) as [Lo Wi].
  pose proof (in_line_is n s) as E. split; [|intros NL; rewrite <- E; exact (Wi NL)].
  intros W H. rewrite <- E in W. exact (rules_not_both g total down p _ W (Lo H)).
Qed.
End Few.

(* A game in which a move makes one heap smaller, as a game of this kind. *)
#[export] Instance orderly_of_game g : orderly (of_game g).
Proof.
  intros k p s t hs ys [<-|[]] E M. cbn [makes on_one] in *. destruct hs as [|h [|? ?]]; try contradiction.
  destruct M as [L M]. split; [intros Of; rewrite <- E; exact (L Of) | exact M].
Qed.
Lemma fewer_of_game g : (forall p h y, 0 < h -> becomes g p h y -> y < h) -> forall k p s hs ys,
  In k (all_kinds (of_game g)) -> length hs = chosen k -> occupied hs -> makes k p s hs ys -> (length ys <= length hs)%nat /\ total ys < total hs.
Proof.
  intros Sm k p s hs ys [<-|[]] _ O M. cbn [makes on_one] in M. destruct hs as [|h [|? ?]]; try contradiction.
  destruct M as (_ & y & B & ->). apply Forall_inv in O. apply (Sm p h y O) in B. rewrite !total_cons. cbn [length total]. lia.
Qed.

(* -- lemmas and numbers of a proof ------------------------------------------------------------------------------------- *)
Section Integers.
Open Scope Z_scope.
(* By induction on a measure: if it is below 0, nothing has a smaller measure that is not. *)
Lemma by_natural_measure {A} (m : A -> Z) (P : A -> Prop) :
  (forall v, (forall u, 0 <= m u /\ m u < m v -> P u) -> P v) -> forall v, P v.
Proof.
  intros H. assert (G : forall k v, (Z.to_nat (m v) < k)%nat -> P v); [|intros v; exact (G _ v (Nat.lt_succ_diag_r _))].
  induction k as [|k IH]; intros v L; [lia|]. apply H. intros u B. apply IH. lia.
Qed.
(* The least number of a range that has a property, where W holds. *)
Lemma least_of_range (P : Z -> Prop) low (D : forall z, P z \/ ~ P z) k : forall high, (Z.to_nat (high - low) < k)%nat -> low <= high ->
  P high -> exists z, low <= z /\ z <= high /\ P z /\ (z = low \/ ~ P (z - 1)).
Proof.
  induction k as [|k IH]; intros high L B H; [lia|]. destruct (Z.eq_dec high low) as [->|NE]; [exists low; repeat split; auto; lia|].
  destruct (D (high - 1)) as [Y|N].
  - destruct (IH (high - 1)) as (z & A & C & F); [lia | lia | exact Y |]. exists z. split; [exact A|]. split; [lia | exact F].
  - exists high. repeat split; auto; lia.
Qed.
Lemma named_number (W : Prop) (P : Z -> Prop) low high : W \/ ~ W -> (forall z, P z \/ ~ P z) -> (W -> low <= high /\ P high) ->
  exists z, ~ W \/ low <= z /\ z <= high /\ P z /\ (z = low \/ ~ P (z - 1)).
Proof.
  intros [Yes|No] D H; [|exists 0; left; exact No]. destruct (H Yes) as [B Ph].
  destruct (least_of_range P low D _ high (Nat.lt_succ_diag_r _) B Ph) as (z & F). exists z. right. exact F.
Qed.
End Integers.

(* -- valuations and digit sums of integers ----------------------------------------------------------------------------- *)
Section Digits.
Open Scope Z_scope.
Definition exponent_in (x p : Z) : Z := Z.of_N (valuation (Z.abs_N x) (Z.to_N p)).
Definition sum_of_digits (x b : Z) : Z := Z.of_N (digit_sum (Z.to_N x) (Z.to_N b)).

Lemma exponent_tells x p : 2 <= p -> ~ ~ x = 0 \/ (x mod p = 0 <-> 1 <= exponent_in x p).
Proof.
  intros P. destruct (Z.eq_dec x 0) as [E|NE]; [left; tauto|]. right. unfold exponent_in. rewrite valuation_step by lia.
  assert (E : (Z.abs_N x mod Z.to_N p = 0)%N <-> x mod p = 0).
  { rewrite <- N2Z.inj_iff, N2Z.inj_mod, N2Z.inj_abs_N, Z2N.id by lia. change (Z.of_N 0) with 0.
    rewrite !Z.mod_divide, Z.divide_abs_r by lia. reflexivity. }
  destruct (Z.abs_N x mod Z.to_N p =? 0)%N eqn:F; [rewrite N.eqb_eq in F | rewrite N.eqb_neq in F]; rewrite <- E; lia.
Qed.
Lemma exponent_natural x p : 0 <= exponent_in x p.
Proof. apply N2Z.is_nonneg. Qed.
Lemma digits_natural x b : 0 <= sum_of_digits x b.
Proof. apply N2Z.is_nonneg. Qed.
Lemma exponent_alike x y p : ~ x = y \/ exponent_in x p = exponent_in y p.
Proof. destruct (Z.eq_dec x y) as [->|NE]; auto. Qed.
Lemma exponent_longer x y p : 2 <= p -> ~ (~ y = 0 /\ x = p * y) \/ exponent_in x p = exponent_in y p + 1.
Proof.
  intros P. destruct (Z.eq_dec y 0) as [E|NE]; [left; tauto|]. destruct (Z.eq_dec x (p * y)) as [->|N]; [right | left; tauto].
  unfold exponent_in. rewrite Zabs2N.inj_mul. rewrite (valuation_step (Z.abs_N p * Z.abs_N y)) by (try apply N.mul_pos_pos; lia).
  replace (Z.abs_N p) with (Z.to_N p) by (rewrite Zabs2N.abs_N_nonneg; lia).
  rewrite N.mul_comm, N.mod_mul, N.div_mul by lia. cbn [N.eqb]. lia.
Qed.
Lemma digits_alike x y b : ~ x = y \/ sum_of_digits x b = sum_of_digits y b.
Proof. destruct (Z.eq_dec x y) as [->|NE]; auto. Qed.
Lemma digits_longer x y b : 2 <= b ->
  ~ (0 <= y /\ 0 <= x - b * y /\ x - b * y < b) \/ sum_of_digits x b = sum_of_digits y b + (x - b * y).
Proof.
  intros B. destruct (Z_le_dec 0 y) as [Y|N]; [|left; tauto]. destruct (Z_le_dec 0 (x - b * y)) as [L|N]; [|left; tauto].
  destruct (Z_lt_dec (x - b * y) b) as [H|N]; [right | left; tauto]. unfold sum_of_digits. assert (X : 0 <= x) by nia.
  rewrite (digit_sum_step (Z.to_N x)) by lia.
  assert (Q : (Z.to_N x / Z.to_N b = Z.to_N y)%N).
  { rewrite <- Z2N.inj_div by lia. f_equal. symmetry. apply (Z.div_unique x b y (x - b * y)); lia. }
  assert (R : (Z.to_N x mod Z.to_N b = Z.to_N (x - b * y))%N).
  { rewrite <- Z2N.inj_mod by lia. f_equal. symmetry. apply (Z.mod_unique x b y (x - b * y)); lia. }
  rewrite Q, R. lia.
Qed.
Lemma digits_small x b : 2 <= b -> ~ (0 <= x /\ x < b) \/ sum_of_digits x b = x.
Proof.
  intros B. destruct (digits_longer x 0 b B) as [No|E]; [left; lia|].
  replace (sum_of_digits 0 b) with 0 in E by reflexivity. right. lia.
Qed.
Lemma digits_bounds x b : 2 <= b -> ~ 1 <= x \/ 1 <= sum_of_digits x b /\ sum_of_digits x b <= x.
Proof.
  intros B. destruct (Z_le_dec 1 x) as [L|N]; [right | left; exact N]. revert L.
  pattern x. apply (by_natural_measure (fun x => x)). clear x. intros x IH L.
  pose proof (Z.div_mod x b ltac:(lia)) as D. pose proof (Z.mod_pos_bound x b ltac:(lia)) as M.
  destruct (digits_longer x (x / b) b B) as [No|E].
  - exfalso. apply No. assert (0 <= x / b) by (apply Z.div_pos; lia). lia.
  - assert (Q : 0 <= x / b) by (apply Z.div_pos; lia). destruct (Z.eq_dec (x / b) 0) as [Z|NZ].
    + rewrite Z in *. replace (sum_of_digits 0 b) with 0 in E by reflexivity. lia.
    + assert (x / b < x) by nia. specialize (IH (x / b) ltac:(lia) ltac:(lia)). nia.
Qed.
Lemma exponent_of_N x p : exponent_in (Z.of_N x) p = Z.of_N (valuation x (Z.to_N p)).
Proof. unfold exponent_in. rewrite Zabs2N.id. reflexivity. Qed.
Lemma digits_of_N x b : sum_of_digits (Z.of_N x) b = Z.of_N (digit_sum x (Z.to_N b)).
Proof. unfold sum_of_digits. rewrite N2Z.id. reflexivity. Qed.
End Digits.

(* -- the tactics of an instance ---------------------------------------------------------------------------------------- *)
(* From comparisons alone: lia distinguishes the cases of all other hypotheses. *)
Ltac simply :=
  repeat match goal with H : ?A |- _ => lazymatch A with
  | (_ <= _)%Z => fail | (_ < _)%Z => fail | @eq Z _ _ => fail | (_ <= _)%N => fail | (_ < _)%N => fail | @eq N _ _ => fail
  | (_ <=? _)%N = _ => fail
  | _ => let K := type of A in constr_eq K Prop; clear H end end; lia.
Ltac plainly ::=
  first
  [ simply
  | repeat match goal with
    | H : _ \/ _ |- _ => clear H
    | H : ~ _ |- _ => clear H
    | H : context [if _ then _ else _] |- _ => clear H
    | H : _ -> _ |- _ => let T := type of H in let K := type of T in constr_eq K Prop; clear H
    end; lia ].
(* The heaps that a kind of move chooses. *)
Ltac each_choice I :=
  cbn [chosen on_one on_two on_three on_four choices picks map flat_map app In] in I;
  repeat (destruct I as [I|I]); [..|destruct I]; injection I as <- <-.
Ltac each_heap := cbn [makes chosen on_one on_two on_three on_four] in *;
  repeat match goal with M : match ?l with _ => _ end |- _ => destruct l; try contradiction end.
(* What may be made does not depend on the order of the heaps. *)
Ltac ordered := let K := fresh in let E := fresh in let M := fresh in intros ? ? ? ? ? ? K E M; each_kind K; each_heap;
  first [exact M | setoid_rewrite E in M; exact M].
(* measure *)
Ltac with_divisions := zify; Z.to_euclidean_division_equations; lia.
Ltac is_fewer := first [lia | solve [cases; lia] | solve [with_divisions]].
Ltac leaves_fewer := let K := fresh in let C := fresh in let O := fresh in let M := fresh in intros ? ? ? ? ? K C O M; each_kind K;
  cbn [chosen on_one on_two on_three on_four] in C; each_heap; try discriminate C;
  repeat match goal with F : occupied (_ :: _) |- _ => apply Forall_cons_iff in F; destruct F end;
  take_apart; subst; cbn [length]; rewrite ?total_cons; cbn [total]; (split; [lia | is_fewer]).
Ltac leaves_smaller := apply fewer_of_game; let M := fresh in intros ? ? ? ? M; hnf in M; cbn [same_player] in M;
  repeat match type of M with _ \/ _ => destruct M as [M|M] end; take_apart; is_fewer.

(* The parts of one hypothesis. *)
Ltac parts_of H :=
  lazymatch type of H with
  | exists _, _ => destruct H as [? H]; parts_of H
  | _ /\ _ => let A := fresh in destruct H as [A H]; parts_of A; parts_of H
  | _ => idtac end.
(* The heaps and picks of a move. *)
Ltac opened O M := cbn [all_there] in O; cbn [app makes on_one on_two on_three on_four same_player] in M; parts_of O.
Ltac open_becomes M y := destruct M as (_ & y & M & ->); hnf in M; cbn [same_player] in M.
Ltac items := repeat match goal with E : _ :: _ = _ :: _ |- _ => injection E; clear E; intros end.
(* What the rules say of the smallest heap, and of the heaps that are there. *)
Ltac see_heaps := unfold least, heap_of in *; cbn [gather In app] in *; branch.
(* A heap that is left, as an integer. *)
Ltac made_equal := first [plainly | lia | solve [branch; lia]].
(* Heaps in ascending order: which of several orders it is. *)
Ltac which_order := first
  [ split; [reflexivity | cbn [ascending]; repeat split; plainly] | left; which_order | right; which_order | exfalso; plainly ].
Ltac sort_line := unfold in_line, filled; cbn [length Nat.sub List.repeat app sorted fold_right insert_up];
  repeat match goal with |- context [if ?x <=? ?y then _ else _] => destruct (x <=? y) eqn:?; cbn [insert_up] end.
Ltac arrange_heaps := sort_line; which_order.
Ltac arrange_written := sort_line; repeat eexists; first [reflexivity | lia | tauto].

(* The facts about valuations and digit sums. *)
Ltac about_digits := first
  [ apply exponent_natural | apply digits_natural | apply exponent_alike | apply digits_alike | apply exponent_tells; lia | apply exponent_longer; lia | apply digits_longer; lia
  | apply digits_small; lia | apply digits_bounds; lia ].
(* The functions of integers, and the same functions of natural numbers. *)
Ltac link_functions :=
  repeat match goal with |- context [popcount ?x] => rewrite (popcount_is x) | H : context [popcount ?x] |- _ => rewrite (popcount_is x) in H end;
  repeat match goal with
  | _ : context [exponent_in ?z ?q], _ : context [valuation ?x ?p] |- _ => link_exponent z q x p
  | _ : context [exponent_in ?z ?q] |- context [valuation ?x ?p] => link_exponent z q x p
  | _ : context [valuation ?x ?p] |- context [exponent_in ?z ?q] => link_exponent z q x p
  | _ : context [sum_of_digits ?z ?q], _ : context [digit_sum ?x ?p] |- _ => link_digits z q x p
  | _ : context [sum_of_digits ?z ?q] |- context [digit_sum ?x ?p] => link_digits z q x p
  | _ : context [digit_sum ?x ?p] |- context [sum_of_digits ?z ?q] => link_digits z q x p
  end
with link_exponent z q x p :=
  lazymatch goal with _ : exponent_in z q = Z.of_N (valuation x p) |- _ => fail | _ => idtac end;
  assert (exponent_in z q = Z.of_N (valuation x p)) by (replace z with (Z.of_N x) by lia; exact (exponent_of_N x q))
with link_digits z q x p :=
  lazymatch goal with _ : sum_of_digits z q = Z.of_N (digit_sum x p) |- _ => fail | _ => idtac end;
  assert (sum_of_digits z q = Z.of_N (digit_sum x p)) by (replace z with (Z.of_N x) by lia; exact (digits_of_N x q)).
(* The same function of equal integers. *)
Ltac align_functions T :=
  repeat match goal with
  | |- context [exponent_in ?z ?q] => match type of T with context [exponent_in ?y q] => 
      lazymatch y with z => fail | _ => idtac end; replace (exponent_in y q) with (exponent_in z q) in T by (f_equal; lia) end
  | |- context [sum_of_digits ?z ?q] => match type of T with context [sum_of_digits ?y q] =>
      lazymatch y with z => fail | _ => idtac end; replace (sum_of_digits y q) with (sum_of_digits z q) in T by (f_equal; lia) end
  end.
(* A lemma of the proof at some integers. *)
Ltac from_lemma l := let T := fresh in pose proof l as T; first [exact T | align_functions T; first [exact T | lia] | lia].
Ltac decide_condition := first [plainly | lia | tauto].
(* A lemma for integers in its ranges, and the lemma at a smaller measure. *)
Ltac in_ranges In :=
  lazymatch goal with |- ~ ?A \/ ?B => let D := fresh in assert (D : A \/ ~ A) by decide_condition; destruct D as [In|D]; [right | left; exact D] end.
Ltac if_smaller H := let D := fresh in in_ranges D; exact (H D).

Ltac premise ::=
  lazymatch goal with
  | |- _ /\ _ => first [met_already | split; premise]
  | |- _ => first [met_already | solve [about_digits] | solve [plainly] | lia | solve [link_functions; lia] | solve [see_heaps; lia]]
  end.
(* The picks and the heaps that make a move, in order. *)
Ltac made_so := first [reflexivity | plainly | lia | solve [repeat f_equal; lia] | solve [link_functions; lia] | solve [see_heaps; lia]].
Ltac made_by l :=
  lazymatch goal with
  | |- exists _, _ => match l with
    | (?x, ?r) => solve [exists x; made_by r]
    | (?x, ?r) => made_by r end
  | |- _ => repeat match goal with |- _ /\ _ => split end; made_so
  end.
(* A heap that is left, as a natural number. *)
Ltac name_left z n E :=
  assert (E : exists n : N, Z.of_N n = z);
  [ exists (Z.to_N z); apply Z2N.id; first [solve [plainly] | lia | solve [branch; lia] | solve [with_divisions]] | destruct E as (n & E) ].
Ltac here := first [left; reflexivity | right; here].
Ltac chosen_heaps := cbn [chosen on_one on_two on_three on_four choices picks map flat_map app In]; here.
Ltac all_heaps_there := cbn [all_there]; repeat split; first [plainly | lia].
Ltac some_heap_there Some := let x := fresh in destruct Some as (x & Some); unfold heap_of in Some; cbn [In] in Some.
(* The position that a move leads to is lost. *)
Ltac leads_to O :=
  first [exact O | by_parts; match goal with
  | H : ~ _ \/ ?B |- ?B => destruct H as [H|H]; [exfalso; apply H; repeat split; plainly | exact H] end | lia].
Ltac refute_few O L := first [exact (O L) | apply O; lia | lia].
(* Two conditions whose parts mean the same, one over the natural numbers and one over the integers. *)
Lemma iff_as (A B C D : Prop) : (A <-> C) -> (B <-> D) -> ((A <-> B) <-> (C <-> D)). Proof. tauto. Qed.
Ltac same_parts :=
  lazymatch goal with
  | |- ?A /\ ?B <-> ?C /\ ?D => apply and_as; [same_parts | intros ?; same_parts]
  | |- ?A \/ ?B <-> ?C \/ ?D => apply or_as; same_parts
  | |- (?A <-> ?B) <-> (?C <-> ?D) => apply iff_as; same_parts
  | |- ~ ?A <-> ~ ?C => apply not_as; same_parts
  | |- (?A -> ?B) <-> (?C -> ?D) => apply imp_as; [same_parts | intros ?; same_parts]
  | |- _ => first [reflexivity | forget_cases; lia | solve [link_functions; forget_cases; lia]]
  end.
Ltac conclude_few O :=
  first [ exact O | let T := type of O in lazymatch goal with |- ?G => let E := fresh in assert (E : G <-> T) by same_parts; exact (proj2 E O) end
        | lia | solve [link_functions; lia] ].

(* That a claim is defined; heaps of a position are at least the smallest one, and there is a heap. *)
Ltac meaningful_at_heaps :=
  repeat match goal with |- _ /\ _ => split end; intros;
  repeat match goal with I : ?h ∈ ?s |- _ => lazymatch goal with
    | L : least s <= h |- _ => fail
    | _ => pose proof (least_below s h I); pose proof (counted (fun _ => true) h s I eq_refl); change (count (fun _ => true) s) with (number s) in *
    end end; meaningful.
