(* The rule of values of n players by a formula, proved once from what its obligations say.  The formula is about the shape of
   a position: integers that are known of no heap, and of one more heap. *)
From Coq Require Import ZArith Lia ZifyBool.
From NimChecks Require Export Least Language Formula.
Open Scope Z_scope.

Section Values.
Variables (g : game) (n : N) (players : Z).
Hypothesis on_largest : of_largest g = true.
Hypothesis misere : stuck_wins g = true.
Hypothesis so_many : Z.of_N n = players.

(* [none]: the shape of the empty position.  [more r h], [rest r y]: of the shape r with a heap h, or y, which may be 0.
   [top r]: the largest heap. *)
Variables (shape : Type) (shape_of : position -> shape) (none : shape) (more rest : shape -> Z -> shape) (top : shape -> Z).
Hypothesis of_same : forall s t, s ≡ t -> shape_of s = shape_of t.
Hypothesis of_none : shape_of [] = none.
Hypothesis of_more : forall h R, (0 < h)%N -> shape_of (h :: R) = more (shape_of R) (Z.of_N h).
Hypothesis of_rest : forall y R, shape_of (y :: R) = rest (shape_of R) (Z.of_N y).
Hypothesis of_top : forall s, top (shape_of s) = Z.of_N (largest s).

(* [options]: when an option attains the value, and what becomes of the largest heap. *)
Variables (possible region : shape -> Prop) (formula : shape -> Z) (options : list ((shape -> Prop) * (shape -> Z))).
Fixpoint some_option (r : shape) (l : list ((shape -> Prop) * (shape -> Z))) : Prop :=
  match l with [] => False | [(fits, _)] => fits r | (fits, _) :: l => fits r \/ some_option r l end.
Definition next_turn (v : Z) : Z := if v + 1 =? players then 0 else v + 1.
(* shape of no heap, and of one more heap *)
Hypothesis possible_none : possible none.
Hypothesis possible_more : forall r h, possible r -> 1 <= h -> possible (more r h).
(* moves *)
Hypothesis moves : forall h y, (0 < h)%N -> becomes g First h y <-> (y < h)%N.
(* region closed, range, empty, least, options cover, and attains *)
Hypothesis closed : forall r h y, possible r -> 1 <= h -> top r <= h -> region (more r h) -> 0 <= y -> y < h -> region (rest r y).
Hypothesis within : forall r, possible r -> region r -> 0 <= formula r /\ formula r < players.
Hypothesis empty : region none -> formula none = 0.
Hypothesis no_less : forall r h y, possible r -> 1 <= h -> top r <= h -> region (more r h) -> 0 <= y -> y < h ->
  formula (more r h) <= next_turn (formula (rest r y)).
Hypothesis covered : forall r h, possible r -> 1 <= h -> top r <= h -> region (more r h) -> some_option (more r h) options.
Definition attains (o : (shape -> Prop) * (shape -> Z)) : Prop := let (fits, size) := o in
  forall r h, possible r -> 1 <= h -> top r <= h -> region (more r h) -> fits (more r h) ->
  0 <= size (more r h) /\ size (more r h) < h /\ next_turn (formula (rest r (size (more r h)))) = formula (more r h).
Hypothesis attained : Forall attains options.

Theorem shape_is_possible s : possible (shape_of s).
Proof.
  clear - of_same of_none of_more possible_none possible_more.
  induction s as [|h R IH]; [rewrite of_none; exact possible_none|]. destruct (N.eq_dec h 0) as [->|P].
  - rewrite (of_same (0%N :: R) R); [exact IH | symmetry; apply same_zero].
  - rewrite of_more by lia. apply possible_more; [exact IH | lia].
Qed.
Lemma option_attains r h : possible r -> 1 <= h -> top r <= h -> region (more r h) ->
  exists y, 0 <= y /\ y < h /\ next_turn (formula (rest r y)) = formula (more r h).
Proof.
  intros Q P T I. pose proof (covered r h Q P T I) as C. pose proof attained as F. clear covered attained.
  induction F as [|[fits size] l A _ IH]; [destruct C|].
  assert (D : fits (more r h) \/ some_option (more r h) l) by (destruct l; [left; exact C | exact C]).
  destruct D as [D|D]; [exists (size (more r h)); exact (A r h Q P T I D) | exact (IH D)].
Qed.
Lemma move_less s t : move g First s t -> (total t < total s)%N.
Proof. intros (h & y & R & P & -> & -> & B & _). apply (moves h y P) in B. rewrite !total_cons. lia. Qed.
Lemma next_of r : possible r -> region r -> ((Z.to_N (formula r) + 1) mod n)%N = Z.to_N (next_turn (formula r)).
Proof.
  intros Q I. pose proof (within r Q I) as B. unfold next_turn. rewrite next_around by lia.
  destruct (formula r + 1 =? players) eqn:E, (Z.to_N (formula r) + 1 =? n)%N eqn:F; lia.
Qed.
(* The formula gives the value of every position of the region. *)
Theorem winner_by_formula s : region (shape_of s) -> winner g n s (Z.to_N (formula (shape_of s))).
Proof.
  induction s as [s IH] using by_total. intros I. destruct (N.eq_dec (largest s) 0) as [Z|NZ].
  - assert (None : forall h, ~ h ∈ s) by (intros h J; pose proof (heaps_below_largest s h J); destruct J; lia).
    apply stuck_first; [intros t M; apply move_exists_heap in M; destruct M as (h & J); exact (None h J)|].
    rewrite misere. rewrite (of_same s []) in * by (apply nothing, None). rewrite of_none in *. rewrite (empty I). reflexivity.
  - apply least_option.
    + intros t M. pose proof (move_less s t M) as L. destruct M as (h & y & R & P & S & T & B & Top).
      specialize (Top on_largest). apply (moves h y P) in B. rewrite (of_same _ _ S), of_more in * by exact P.
      pose proof (shape_is_possible R) as Q. assert (K : top (shape_of R) <= Z.of_N h) by (rewrite of_top; lia).
      assert (J : region (shape_of t)).
      { rewrite (of_same _ _ T), of_rest. apply (closed _ (Z.of_N h)); auto; lia. }
      exists (Z.to_N (formula (shape_of t))). split; [exact (IH t L J)|].
      rewrite next_of by (exact J || apply shape_is_possible). rewrite (of_same _ _ T), of_rest in *.
      apply Z2N.inj_le; [apply within; [apply possible_more; [exact Q | lia] | exact I] | | apply no_less; auto; lia].
      pose proof (within _ (shape_is_possible (y :: R))) as W. rewrite of_rest in W. specialize (W J). unfold next_turn.
      destruct (_ =? players); lia.
    + assert (H : largest s ∈ s) by (apply largest_is_heap; lia). set (h := largest s) in *.
      destruct (split_heap h s H) as (R & S). assert (P : (0 < h)%N) by lia.
      assert (Top : (largest R <= h)%N) by (pose proof (largest_cons h R) as C; rewrite <- S in C; fold h in C; lia).
      rewrite (of_same _ _ S), of_more in * by exact P. pose proof (shape_is_possible R) as Q.
      assert (K : top (shape_of R) <= Z.of_N h) by (rewrite of_top; lia).
      destruct (option_attains _ (Z.of_N h) Q ltac:(lia) K I) as (z & Low & Less & V).
      assert (M : move g First s (Z.to_N z :: R)).
      { exists h, (Z.to_N z), R. split; [exact P|]. split; [exact S|]. split; [reflexivity|]. split; [apply (moves h _ P); lia | auto]. }
      assert (J : region (shape_of (Z.to_N z :: R))).
      { rewrite of_rest. apply (closed _ (Z.of_N h)); auto; lia. }
      exists (Z.to_N z :: R), (Z.to_N (formula (shape_of (Z.to_N z :: R)))). split; [exact M|].
      split; [exact (IH _ (move_less s _ M) J)|]. rewrite next_of by (exact J || apply shape_is_possible).
      rewrite of_rest, Z2N.id, V by exact Low. reflexivity.
Qed.
End Values.

(* -- the shape of a position ------------------------------------------------------------------------------------------- *)
(* The number of heaps, the least heap, how often it occurs, the largest heap, and the first k heaps in ascending order, with 0
   for a missing heap.  If there are more than k heaps, all of these are 0. *)
Definition shape : Type := Z * Z * Z * Z * list Z.
Definition size_at (k : nat) (s : position) (i : nat) : Z :=
  if (number s <=? N.of_nat k)%N then Z.of_N (heap_at s (N.of_nat i)) else 0.
Fixpoint sizes_from (k : nat) (s : position) (i several : nat) : list Z :=
  match several with O => [] | S m => size_at k s i :: sizes_from k s (S i) m end.
Definition shape_of (k : nat) (s : position) : shape :=
  (Z.of_N (number s), Z.of_N (least s), Z.of_N (times s), Z.of_N (largest s), sizes_from k s 0 k).
Fixpoint no_sizes (k : nat) : list Z := match k with O => [] | S k => 0 :: no_sizes k end.
Definition no_shape (k : nat) : shape := (0, 0, 0, 0, no_sizes k).
Definition top_of (r : shape) : Z := let '(_, _, _, largest, _) := r in largest.
(* The heap i in ascending order after h is added: x is heap i of the others, and w the one before. *)
Definition size_with (k i : nat) (heaps h x : Z) (before : option (nat * Z)) : Z :=
  if heaps <? Z.of_nat k then
    if andb (Z.of_nat i <? heaps) (x <=? h) then x else if Z.of_nat i <=? heaps then
      match before with
      | Some (j, w) => if andb (Z.of_nat j <? heaps) (negb (andb (Z.of_nat j <? heaps) (w <=? h))) then w else h
      | None => h
      end
    else 0
  else 0.
Fixpoint sizes_with (k i : nat) (heaps h : Z) (before : option (nat * Z)) (l : list Z) : list Z :=
  match l with [] => [] | x :: l => size_with k i heaps h x before :: sizes_with k (S i) heaps h (Some (i, x)) l end.
Definition with_heap (k : nat) (r : shape) (h : Z) : shape := let '(heaps, least, times, largest, sizes) := r in
  (heaps + 1, if orb (heaps =? 0) (h <? least) then h else least,
   if orb (heaps =? 0) (h <? least) then 1 else if h =? least then times + 1 else times,
   if orb (heaps =? 0) (largest <? h) then h else largest, sizes_with k 0 heaps h None sizes).
Fixpoint choose_sizes (c : bool) (l m : list Z) : list Z :=
  match l, m with x :: l, y :: m => (if c then x else y) :: choose_sizes c l m | _, _ => [] end.
(* With a heap y, or with none where y is 0. *)
Definition with_rest (k : nat) (r : shape) (y : Z) : shape :=
  let '(a, b, c, d, l) := r in let '(a', b', c', d', m) := with_heap k r y in
  (if y =? 0 then a else a', if y =? 0 then b else b', if y =? 0 then c else c', if y =? 0 then d else d', choose_sizes (y =? 0) l m).

Lemma shape_same k s t : s ≡ t -> shape_of k s = shape_of k t.
Proof.
  intros E. assert (H : sorted (heaps s) = sorted (heaps t)) by (apply sorted_order, E).
  unfold shape_of. rewrite (number_same _ _ E), (least_same _ _ E), (times_same _ _ E), (largest_same _ _ E). f_equal.
  generalize 0%nat as i. generalize k at 2 4 as m. induction m as [|m IH]; intros i; [reflexivity|]. cbn [sizes_from]. rewrite IH. f_equal.
  unfold size_at, heap_at. rewrite (number_same _ _ E), H. reflexivity.
Qed.
Lemma shape_of_none k : shape_of k [] = no_shape k.
Proof.
  unfold shape_of, no_shape. f_equal. generalize 0%nat as i. generalize k at 2 3 as m. induction m as [|m IH]; intros i; [reflexivity|].
  cbn [sizes_from no_sizes]. rewrite IH. f_equal. unfold size_at, heap_at. change (sorted (heaps [])) with (@nil N).
  rewrite item_none. destruct (_ <=? _)%N; reflexivity.
Qed.
(* An ascending list with one more item. *)
Lemma item_beyond l : forall i, (length_of l <= i)%N -> item l i = 0%N.
Proof.
  intros i L. unfold item. apply nth_overflow. unfold length_of in L. lia.
Qed.
Lemma item_least x l : forall i, ascends (x :: l) -> (i <= length_of l)%N -> (x <= item (x :: l) i)%N.
Proof.
  intros i A. induction i as [|i IH] using N.peano_ind; intros L; [rewrite item_cons; apply N.le_refl|].
  specialize (IH ltac:(lia)). pose proof (item_ascends (x :: l) i A) as G. unfold length_of in *. cbn [length] in G.
  rewrite <- N.add_1_r. specialize (G ltac:(lia)). lia.
Qed.
Lemma item_with h l : forall i, ascends l -> item (insert_up h l) i =
  if ((i <? length_of l) && (item l i <=? h))%N then item l i else
  if (i <=? length_of l)%N then if (i =? 0)%N then h else if (item l (i - 1) <=? h)%N then h else item l (i - 1) else 0%N.
Proof.
  induction l as [|x l IH]; intros i A; cbn [insert_up].
  - rewrite item_cons, !item_none. change (length_of []) with 0%N. destruct (i <? 0)%N eqn:E, (i =? 0)%N eqn:F, (i <=? 0)%N eqn:G; try lia; reflexivity.
  - assert (Len : length_of (x :: l) = (length_of l + 1)%N) by (unfold length_of; cbn [length]; lia).
    assert (Low : forall j, (j <= length_of l)%N -> (x <= item (x :: l) j)%N) by (intros j; apply item_least, A).
    rewrite (item_cons x l i). destruct (h <=? x)%N eqn:E; rewrite item_cons; destruct (i =? 0)%N eqn:Z.
    + assert (i = 0)%N as -> by lia. destruct (0 <? length_of (x :: l))%N eqn:F, (x <=? h)%N eqn:G, (0 <=? length_of (x :: l))%N eqn:H; cbn [andb]; lia.
    + destruct (i <=? length_of (x :: l))%N eqn:B.
      * pose proof (Low (i - 1)%N ltac:(lia)) as L. pose proof (item_ascends (x :: l) (i - 1) A) as G.
        replace (i - 1 + 1)%N with i in G by lia. rewrite (item_cons x l i), Z in G.
        destruct (i <? length_of (x :: l))%N eqn:C, (item l (i - 1) <=? h)%N eqn:D, (item (x :: l) (i - 1) <=? h)%N eqn:F; cbn [andb]; lia.
      * rewrite item_beyond by lia. destruct (i <? length_of (x :: l))%N eqn:C; [lia | reflexivity].
    + assert (i = 0)%N as -> by lia. destruct (0 <? length_of (x :: l))%N eqn:F, (x <=? h)%N eqn:G; cbn [andb]; lia.
    + rewrite IH by apply A. rewrite (item_cons x l (i - 1)), Len.
      destruct (i - 1 =? 0)%N eqn:Y; [replace (x <=? h)%N with true by lia|];
        destruct (i - 1 <? length_of l)%N eqn:C, (i <? length_of l + 1)%N eqn:C', (i - 1 <=? length_of l)%N eqn:D, (i <=? length_of l + 1)%N eqn:D'; try lia; reflexivity.
Qed.
Definition before_size (k : nat) (s : position) (i : nat) : option (nat * Z) :=
  match i with O => None | S j => Some (j, size_at k s j) end.
Lemma size_with_heap k h R i : (0 < h)%N ->
  size_at k (h :: R) i = size_with k i (Z.of_N (number R)) (Z.of_N h) (size_at k R i) (before_size k R i).
Proof.
  intros P. unfold size_with, size_at at 1. rewrite number_cons. replace (0 <? h)%N with true by lia.
  destruct (1 + number R <=? N.of_nat k)%N eqn:E, (Z.of_N (number R) <? Z.of_nat k) eqn:F; try lia.
  assert (At : forall j, size_at k R j = Z.of_N (heap_at R (N.of_nat j))).
  { intros j. unfold size_at. destruct (number R <=? N.of_nat k)%N eqn:G; [reflexivity | lia]. }
  assert (H : heap_at (h :: R) (N.of_nat i) = item (insert_up h (sorted (heaps R))) (N.of_nat i)).
  { unfold heap_at, heaps. cbn [filter]. replace (0 <? h)%N with true by lia. reflexivity. }
  rewrite H, item_with by apply sorted_ascends. rewrite <- number_length, At. fold (heap_at R (N.of_nat i)).
  replace (Z.of_nat i <? Z.of_N (number R)) with (N.of_nat i <? number R)%N by lia.
  replace (Z.of_N (heap_at R (N.of_nat i)) <=? Z.of_N h) with (heap_at R (N.of_nat i) <=? h)%N by lia.
  replace (Z.of_nat i <=? Z.of_N (number R)) with (N.of_nat i <=? number R)%N by lia.
  destruct (andb _ _); [reflexivity|]. destruct (N.of_nat i <=? number R)%N eqn:G; [|reflexivity].
  destruct i as [|j]; [reflexivity|]. cbn [before_size]. rewrite At.
  replace (N.of_nat (S j) =? 0)%N with false by lia. replace (N.of_nat (S j) - 1)%N with (N.of_nat j) by lia.
  fold (heap_at R (N.of_nat j)). replace (Z.of_nat j <? Z.of_N (number R)) with true by lia. cbn [andb].
  destruct (heap_at R (N.of_nat j) <=? h)%N eqn:L, (Z.of_N (heap_at R (N.of_nat j)) <=? Z.of_N h) eqn:M; cbn [negb]; lia.
Qed.
Lemma shape_more k h R : (0 < h)%N -> shape_of k (h :: R) = with_heap k (shape_of k R) (Z.of_N h).
Proof.
  intros P. unfold shape_of, with_heap. rewrite number_cons, least_cons, times_cons, largest_cons by exact P.
  pose proof (number_gives_least R) as L. replace (0 <? h)%N with true by lia.
  repeat match goal with |- (_, _) = (_, _) => apply f_equal2 end.
  - lia.
  - destruct (least R =? 0)%N eqn:E, (Z.of_N (number R) =? 0) eqn:F, (Z.of_N h <? Z.of_N (least R)) eqn:G; cbn [orb]; lia.
  - destruct (least R =? 0)%N eqn:E, (Z.of_N (number R) =? 0) eqn:F, (Z.of_N h <? Z.of_N (least R)) eqn:G, (h <? least R)%N eqn:H,
      (h =? least R)%N eqn:I, (Z.of_N h =? Z.of_N (least R)) eqn:J; cbn [orb]; lia.
  - pose proof (shape_possible R) as Q. unfold possible in Q.
    destruct (Z.of_N (number R) =? 0) eqn:F, (Z.of_N (largest R) <? Z.of_N h) eqn:G; cbn [orb]; lia.
  - assert (E : forall m i, sizes_from k (h :: R) i m =
      sizes_with k i (Z.of_N (number R)) (Z.of_N h) (before_size k R i) (sizes_from k R i m)); [|exact (E k 0%nat)].
    induction m as [|m IH]; intros i; [reflexivity|]. cbn [sizes_from sizes_with]. rewrite size_with_heap by exact P. f_equal. apply (IH (S i)).
Qed.
Lemma choose_the_first k i heaps h l : forall before, choose_sizes true l (sizes_with k i heaps h before l) = l.
Proof. revert i. induction l as [|x l IH]; intros i before; [reflexivity|]. cbn. rewrite IH. reflexivity. Qed.
Lemma choose_the_second k i heaps h l : forall before, choose_sizes false l (sizes_with k i heaps h before l) = sizes_with k i heaps h before l.
Proof. revert i. induction l as [|x l IH]; intros i before; [reflexivity|]. cbn [sizes_with choose_sizes]. rewrite IH. reflexivity. Qed.
Lemma shape_beside k y R : shape_of k (y :: R) = with_rest k (shape_of k R) (Z.of_N y).
Proof.
  destruct (N.eq_dec y 0) as [->|P].
  - rewrite (shape_same k (0%N :: R) R) by (symmetry; apply same_zero). unfold with_rest, shape_of, with_heap.
    change (Z.of_N 0 =? 0) with true. cbv iota. rewrite choose_the_first. reflexivity.
  - rewrite shape_more by lia. unfold with_rest, shape_of, with_heap. replace (Z.of_N y =? 0) with false by lia. cbv iota.
    rewrite choose_the_second. reflexivity.
Qed.
Lemma shape_top k s : top_of (shape_of k s) = Z.of_N (largest s).
Proof. reflexivity. Qed.
Definition copies_of (c k : Z) : shape :=
  let heaps := if 0 <? k then k else 0 in let each := if 0 <? heaps then c else 0 in (heaps, each, heaps, each, []).
Lemma shape_of_copies (c k : N) : (0 < c)%N -> shape_of 0 (map (fun _ : N => c) (range 0 k)) = copies_of (Z.of_N c) (Z.of_N k).
Proof.
  intros P. unfold shape_of. destruct (copies_shape c k P) as (A & B & C & D). rewrite A, B, C, D. unfold copies_of. cbn [sizes_from].
  destruct (0 <? k)%N eqn:E, (0 <? Z.of_N k) eqn:F; cbv iota zeta; rewrite ?F; try lia; [reflexivity|]. replace k with 0%N by lia. reflexivity.
Qed.
Lemma size_few k s i : (number s <= N.of_nat k)%N -> size_at k s i = Z.of_N (heap_at s (N.of_nat i)).
Proof. intros L. unfold size_at. destruct (number s <=? N.of_nat k)%N eqn:E; [reflexivity | lia]. Qed.

(* -- the tactics of an instance ---------------------------------------------------------------------------------------- *)
Ltac premise ::= first [ assumption | solve [known_fact] | solve [plainly] | met_already | lia | solve [branch; lia] ].
(* The shape of a position that is written down. *)
Ltac see_written := rewrite ?shape_of_copies by lia; repeat first [rewrite shape_beside | rewrite shape_of_none]; cbn [Z.of_N].
(* The goal is a part of what O says. *)
Ltac said_by O := let Q := fresh in pose proof O as Q; by_parts; repeat match goal with |- _ /\ _ => split end;
  first [assumption | lia | solve [branch; lia]].
(* What the claim says of the value of s, by the formula, where O says that s is in the region. *)
Ltac know_value formula_is winners O s smaller see :=
  let I := fresh "I" in let V := fresh "V" in let W := fresh "W" in
  lazymatch type of (winners s) with ?A -> winner _ _ _ ?v =>
    assert (I : A);
    [ red; see_written; see (); said_by O
    | pose proof (winners s I) as W; say_value smaller W; pose proof (formula_is s I) as V; clear W I;
      generalize dependent v; let v' := fresh "v" in intros v' V; revert V; see_written; intros V; see () ]
  end.
(* The claim, by what O says, part by part. *)
Ltac conclude_parts O :=
  first
    [ lazymatch goal with |- _ /\ _ => 
        let Q := fresh in pose proof O as Q; clear O; destruct Q as [O Q]; split;
        [clear Q; solve [conclude_parts O] | clear O; rename Q into O; solve [conclude_parts O]] end
    | conclude_formula O ].
Ltac conclude_sizes O :=
  repeat match goal with H : ?A |- _ => lazymatch H with O => fail | _ => lazymatch A with context [_ \/ _] => clear H end end end;
  rewrite ?size_few in O by lia; cbn [N.of_nat Pos.of_succ_nat Pos.succ] in O; conclude_parts O.
(* First with the values in place of their formulas, which may be long. *)
Ltac conclude_value O :=
  first
    [ solve [repeat match goal with V : Z.of_N _ = ?w |- _ => lazymatch V with O => fail | _ => idtac end;
        match type of O with context [w] => rewrite <- V in O; clear V end end; conclude_sizes O]
    | conclude_sizes O ].
