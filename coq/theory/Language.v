(* The functions of the claim language that neither Coq's library nor Folds.v has. *)
From Coq Require Export QArith.
From Coq Require Import Lia ZifyBool.
From NimChecks Require Export Least.
Open Scope N_scope.

(* The list a, ..., b - 1.  Item i of a list, counted from 0.  How many items have the property P. *)
Definition range (a b : N) : list N := map (fun i => a + N.of_nat i) (seq 0 (N.to_nat (b - a))).
Definition item (l : list N) (i : N) : N := nth (N.to_nat i) l 0.
Definition length_of (l : list N) : N := N.of_nat (length l).
Definition how_many (P : N -> bool) (l : list N) : N := N.of_nat (length (filter P l)).
(* The sum of t(x), the nim-sum and the largest number, over all x in a list. *)
Definition sum_over (t : N -> N) (l : list N) : N := fold_right (fun x y => t x + y) 0 l.

(* The items of a list in ascending order.  Heap i of a position in ascending order, counted from 0. *)
Fixpoint insert_up (x : N) (l : list N) : list N :=
  match l with [] => [x] | y :: r => if x <=? y then x :: l else y :: insert_up x r end.
Definition sorted (l : list N) : list N := fold_right insert_up [] l.
Definition heap_at (s : position) (i : N) : N := item (sorted (heaps s)) i.

(* Binary digit i of x, counted from 0 at the low end; how many binary digits are 1. *)
Definition bit (x i : N) : N := if N.testbit x i then 1 else 0.
Fixpoint ones (x : positive) : N := match x with xH => 1 | xO y => ones y | xI y => 1 + ones y end.
Definition popcount (x : N) : N := match x with 0 => 0 | Npos y => ones y end.

(* The sum of the digits of x to the base b, for 2 <= b.  Every division leaves a number with fewer binary digits. *)
Fixpoint digits_below (fuel : nat) (x b : N) : N :=
  match fuel with O => 0 | S f => x mod b + digits_below f (x / b) b end.
Definition digit_sum (x b : N) : N := digits_below (N.size_nat x) x b.
(* The largest e such that p ^ e divides x, for 0 < x and 2 <= p. *)
Fixpoint valuation_below (fuel : nat) (x p : N) : N :=
  match fuel with O => 0 | S f => if x mod p =? 0 then 1 + valuation_below f (x / p) p else 0 end.
Definition valuation (x p : N) : N := valuation_below (N.size_nat x) x p.

(* The number whose binary digit i is 1 if the number of heaps with digit i equal to 1 leaves r on division by m, for 1 <= r. *)
Fixpoint columns_below (n : nat) (s : position) (m r : N) : N :=
  match n with
  | O => 0
  | S i => (if count (fun h => N.testbit h (N.of_nat i)) s mod m =? r then 2 ^ N.of_nat i else 0) + columns_below i s m r
  end.
Definition columns (s : position) (m r : N) : N := columns_below (N.size_nat (largest s)) s m r.

(* The list of how many ways there are to draw n numbers with nim-sum 0, 1, ...: each draw is i in item w i ways.  Its length
   is the least power of 2 that is at least that of w. *)
Definition one_draw (w : list N) (ways : list N) : list N :=
  map (fun x => sum_over (fun i => item w i * item ways (N.lxor x i)) (range 0 (length_of w))) (range 0 (length_of ways)).
Definition nim_sum_ways (w : list N) (n : N) : list N :=
  N.iter n (one_draw w) (map (fun x => if x =? 0 then 1 else 0) (range 0 (2 ^ N.log2_up (length_of w)))).

(* Rational numbers. *)
Definition rational (n : N) : Q := inject_Z (Z.of_N n).
Definition rational_sum (l : list Q) : Q := fold_right Qplus (rational 0) l.

(* They say what they should. *)
Lemma item_none i : item [] i = 0.
Proof. unfold item. destruct (N.to_nat i); reflexivity. Qed.
Lemma item_cons x l i : item (x :: l) i = if i =? 0 then x else item l (i - 1).
Proof.
  unfold item. destruct (i =? 0) eqn:E; [replace i with 0 by lia; reflexivity|].
  replace (N.to_nat i) with (S (N.to_nat (i - 1))) by lia. reflexivity.
Qed.
(* Items of a list as a case distinction. *)
Ltac open_items := rewrite ?item_cons, ?item_none in *.
Lemma in_range a b x : In x (range a b) <-> a <= x /\ x < b.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros (i & <- & I). apply in_seq in I. lia.
  - intros [L H]. exists (N.to_nat (x - a)). rewrite in_seq. lia.
Qed.
Lemma insert_up_is x l : Permutation (insert_up x l) (x :: l).
Proof.
  induction l as [|y l IH]; cbn; [reflexivity|]. destruct (x <=? y); [reflexivity|]. rewrite IH. apply perm_swap.
Qed.
Lemma sorted_is l : Permutation (sorted l) l.
Proof. induction l as [|x l IH]; cbn; [reflexivity|]. rewrite insert_up_is. apply perm_skip, IH. Qed.
Lemma insert_up_swap x y l : insert_up x (insert_up y l) = insert_up y (insert_up x l).
Proof.
  induction l as [|z l IH]; cbn [insert_up].
  - destruct (x <=? y) eqn:A, (y <=? x) eqn:B; try reflexivity; [assert (x = y) as -> by lia; reflexivity | lia].
  - destruct (y <=? z) eqn:Y, (x <=? z) eqn:X; cbn [insert_up]; rewrite ?X, ?Y; cbn [insert_up]; rewrite ?X, ?Y.
    + destruct (x <=? y) eqn:A, (y <=? x) eqn:B; try reflexivity; [assert (x = y) as -> by lia; reflexivity | lia].
    + destruct (x <=? y) eqn:A; [lia | reflexivity].
    + destruct (y <=? x) eqn:A; [lia | reflexivity].
    + rewrite IH. reflexivity.
Qed.
Lemma sorted_order l m : Permutation l m -> sorted l = sorted m.
Proof.
  induction 1 as [|x l m _ IH|x y l|l m o _ IH _ IH']; unfold sorted in *; cbn [fold_right]; [reflexivity | congruence | apply insert_up_swap | congruence].
Qed.
(* The heaps of a position in ascending order. *)
Fixpoint ascends (l : list N) : Prop := match l with x :: r => match r with y :: _ => x <= y | [] => True end /\ ascends r | [] => True end.
Lemma sorted_ascends l : ascends (sorted l).
Proof.
  assert (Insert : forall x l, ascends l -> ascends (insert_up x l)).
  { intros x. induction l0 as [|y r IH]; cbn; [tauto|]. intros [L A]. destruct (x <=? y) eqn:E; cbn.
    - repeat split; try assumption. lia.
    - split; [|exact (IH A)]. destruct r as [|z r]; cbn in *; [lia|]. destruct (x <=? z); lia. }
  induction l as [|x l IH]; cbn; [exact I|]. apply Insert, IH.
Qed.
Lemma item_ascends l : forall i, ascends l -> i + 1 < length_of l -> item l i <= item l (i + 1).
Proof.
  induction l as [|x l IH]; intros i A L; [cbn in L; lia|]. destruct A as [F A]. rewrite !item_cons.
  destruct (i =? 0) eqn:E.
  - replace (i + 1 =? 0) with false by lia. replace (i + 1 - 1) with 0 by lia. destruct l as [|y l]; [unfold length_of in L; cbn in L; lia|].
    rewrite item_cons. exact F.
  - replace (i + 1 =? 0) with false by lia. replace (i + 1 - 1) with (i - 1 + 1) by lia. apply IH; [exact A|]. unfold length_of in *. cbn [length] in L. lia.
Qed.
Lemma item_in l : forall i, i < length_of l -> In (item l i) l.
Proof.
  induction l as [|x l IH]; intros i L; [cbn in L; lia|]. rewrite item_cons. destruct (i =? 0) eqn:E; [left; reflexivity | right].
  apply IH. unfold length_of in *. cbn [length] in L. lia.
Qed.
Lemma number_length s : number s = length_of (sorted (heaps s)).
Proof.
  unfold length_of. rewrite (Permutation_length (sorted_is (heaps s))). unfold heaps. induction s as [|h r IH]; [reflexivity|].
  rewrite number_cons. cbn [filter]. destruct (0 <? h); cbn [length]; lia.
Qed.
Lemma heap_at_there s i : i < number s -> 1 <= heap_at s i.
Proof.
  rewrite number_length. intros L. apply item_in in L. apply (Permutation_in _ (sorted_is _)) in L. unfold heaps in L.
  apply filter_In in L. unfold heap_at, heaps. lia.
Qed.
Lemma heap_at_ascends s i j : i + 1 = j -> j < number s -> heap_at s i <= heap_at s j.
Proof. intros <-. rewrite number_length. apply item_ascends, sorted_ascends. Qed.
Lemma items_are l : map (item l) (range 0 (length_of l)) = l.
Proof.
  unfold range, item, length_of. rewrite N.sub_0_r, Nat2N.id, map_map. induction l as [|x l IH]; [reflexivity|].
  cbn [length seq map]. f_equal. rewrite <- seq_shift, map_map. rewrite <- IH at 2. apply map_ext. intros i.
  replace (N.to_nat (0 + N.of_nat (S i))) with (S (N.to_nat (0 + N.of_nat i))) by lia. reflexivity.
Qed.
Lemma in_order s : s ≡ map (heap_at s) (range 0 (number s)).
Proof.
  rewrite number_length. unfold heap_at. rewrite items_are, (same_order _ _ (sorted_is _)). unfold same, heaps.
  induction s as [|h r IH]; [constructor|]. cbn [filter]. destruct (0 <? h) eqn:P; [|exact IH]. cbn [filter]. rewrite P.
  apply perm_skip, IH.
Qed.
Lemma same_or_not s t : s ≡ t \/ ~ s ≡ t.
Proof.
  destruct (list_eq_dec N.eq_dec (sorted (heaps s)) (sorted (heaps t))) as [E|E]; [left | right].
  - unfold same. rewrite <- (sorted_is (heaps s)), E. apply sorted_is.
  - intros H. apply E, sorted_order, H.
Qed.

Lemma columns_below_less n s m r : columns_below n s m r < 2 ^ N.of_nat n.
Proof.
  induction n as [|n IH]; [cbn; lia|]. cbn [columns_below]. rewrite Nat2N.inj_succ, N.pow_succ_r'.
  destruct (_ =? r); lia.
Qed.
Lemma columns_below_digit n s m r i : N.testbit (columns_below n s m r) i =
  (i <? N.of_nat n) && (count (fun h => N.testbit h i) s mod m =? r).
Proof.
  revert i. induction n as [|n IH]; intros i.
  { cbn [columns_below]. rewrite N.bits_0. destruct (i <? N.of_nat 0) eqn:E; [lia | reflexivity]. }
  cbn [columns_below]. pose proof (columns_below_less n s m r) as L. set (x := columns_below n s m r) in *.
  assert (D : N.testbit x (N.of_nat n) = false).
  { rewrite IH. destruct (N.of_nat n <? N.of_nat n) eqn:E; [lia | reflexivity]. }
  assert (Add : forall c : bool, (if c then 2 ^ N.of_nat n else 0) + x = N.lor (if c then 2 ^ N.of_nat n else 0) x).
  { intros [|]; [|rewrite N.lor_0_l; lia]. rewrite <- N.lxor_lor, N.add_nocarry_lxor; auto;
      apply N.bits_inj; intros j; rewrite N.land_spec, N.pow2_bits_eqb, N.bits_0;
      destruct (N.of_nat n =? j) eqn:E; try reflexivity; apply N.eqb_eq in E; subst j; rewrite D; reflexivity. }
  rewrite Add, N.lor_spec, IH. destruct (i =? N.of_nat n) eqn:E.
  - apply N.eqb_eq in E. subst i. destruct (_ mod m =? r); rewrite ?N.pow2_bits_true, ?N.bits_0; cbn [orb].
    + destruct (N.of_nat n <? N.of_nat (S n)) eqn:F; [reflexivity | lia].
    + rewrite andb_false_r, andb_false_r. reflexivity.
  - assert (B : N.testbit (if count (fun h => N.testbit h (N.of_nat n)) s mod m =? r then 2 ^ N.of_nat n else 0) i = false).
    { destruct (_ mod m =? r); [rewrite N.pow2_bits_false; [reflexivity | lia] | apply N.bits_0]. }
    rewrite B. cbn [orb]. f_equal. destruct (i <? N.of_nat n) eqn:F, (i <? N.of_nat (S n)) eqn:G; lia.
Qed.
Lemma no_digits_above s i : N.size (largest s) <= i -> count (fun h => N.testbit h i) s = 0.
Proof.
  intros L. destruct (N.eq_dec (count (fun h => N.testbit h i) s) 0) as [|NZ]; [assumption|].
  destruct (some_counted (fun h => N.testbit h i) s) as (h & I & B); [lia|].
  pose proof (heaps_below_largest s h I) as H. destruct I as [Pos _]. exfalso.
  rewrite N.bits_above_log2 in B; [discriminate|]. rewrite N.size_log2 in L by lia.
  pose proof (N.log2_le_mono _ _ H). lia.
Qed.
Lemma size_nat_is x : N.of_nat (N.size_nat x) = N.size x.
Proof.
  destruct x as [|p]; [reflexivity|]. cbn.
  induction p; cbn [Pos.size Pos.size_nat]; rewrite ?Nat2N.inj_succ, ?IHp; reflexivity.
Qed.
(* The digits of columns. *)
Theorem columns_digit s m r i : 0 < m -> 0 < r -> N.testbit (columns s m r) i = (count (fun h => N.testbit h i) s mod m =? r).
Proof.
  intros M P. unfold columns. rewrite columns_below_digit.
  rewrite size_nat_is.
  destruct (i <? N.size (largest s)) eqn:E; [reflexivity|].
  rewrite no_digits_above by lia. rewrite N.mod_0_l by lia. symmetry. apply N.eqb_neq. lia.
Qed.

(* So many heaps of the same size. *)
Lemma copies_are (c k : N) : map (fun _ : N => c) (range 0 k) = repeat c (N.to_nat k).
Proof.
  unfold Language.range. rewrite map_map. replace (N.to_nat (k - 0)) with (N.to_nat k) by lia. generalize 0%nat as a.
  induction (N.to_nat k) as [|i IH]; intros a; [reflexivity|]. cbn. rewrite IH. reflexivity.
Qed.
Lemma copies_shape (c k : N) : (0 < c) -> let t := map (fun _ : N => c) (range 0 k) in number t = k /\
  least t = (if 0 <? k then c else 0) /\ times t = k /\ largest t = (if 0 <? k then c else 0).
Proof.
  intros P t. unfold t. rewrite copies_are. clear t. induction k as [|k IH] using N.peano_ind; [repeat split|].
  rewrite N2Nat.inj_succ. cbn [repeat]. destruct IH as (A & B & C & D).
  rewrite number_cons, least_beside, times_beside, largest_cons, A, B, C, D. cases; repeat split; lia.
Qed.
Lemma copies_is s (c k : N) : (0 < c) ->
  s ≡ map (fun _ : N => c) (range 0 k) <-> number s = k /\ (k = 0 \/ least s = c /\ largest s = c).
Proof.
  intros P. destruct (copies_shape c k P) as (A & B & _ & D). split.
  - intros E. rewrite (number_same _ _ E), (least_same _ _ E), (largest_same _ _ E), A, B, D. cases; lia.
  - intros [K H]. unfold same. rewrite copies_are.
    assert (Hs : heaps (repeat c (N.to_nat k)) = repeat c (N.to_nat k)).
    { unfold heaps. induction (N.to_nat k) as [|i IH]; [reflexivity|]. cbn. replace (0 <? c) with true by lia. rewrite IH. reflexivity. }
    rewrite Hs. replace (heaps s) with (repeat c (N.to_nat k)); [apply Permutation_refl|]. symmetry.
    assert (Len : length (heaps s) = N.to_nat k).
    { rewrite <- K. clear. unfold heaps. induction s as [|h r IH]; [reflexivity|]. rewrite number_cons. cbn [filter].
      destruct (0 <? h); cbn [length]; lia. }
    rewrite <- Len. apply Forall_eq_repeat. apply Forall_forall. intros x I. apply filter_In in I.
    assert (J : x ∈ s) by (split; [lia | apply I]).
    pose proof (least_below s x J). pose proof (heaps_below_largest s x J). pose proof (counted (fun _ => true) x s J eq_refl) as N0.
    unfold number in K. lia.
Qed.

(* Valuations and digit sums, by the last digit. *)
Lemma without_last_digit x b : 2 <= b -> 0 < x -> (N.size_nat (x / b) < N.size_nat x)%nat.
Proof.
  intros B P. pose proof (size_nat_is x). pose proof (size_nat_is (x / b)). enough (N.size (x / b) < N.size x) by lia.
  destruct (N.eq_dec (x / b) 0) as [->|Q]; [rewrite (N.size_log2 x) by lia; cbn; lia|].
  rewrite !N.size_log2 by lia. assert (L : 2 * (x / b) <= x).
  { apply N.le_trans with (b * (x / b)); [apply N.mul_le_mono_r, B | apply N.mul_div_le; lia]. }
  apply N.log2_le_mono in L. rewrite N.log2_double in L by (apply N.neq_0_lt_0, Q). lia.
Qed.
Lemma quotient_positive x p : 0 < x -> 2 <= p -> x mod p = 0 -> 0 < x / p.
Proof.
  intros L P E. apply N.neq_0_lt_0. intros Q. pose proof (N.div_mod' x p) as D. rewrite Q, E in D. lia.
Qed.
Lemma no_size x : (N.size_nat x <= 0)%nat -> x = 0.
Proof. intros L. destruct x as [|[p|p|]]; [reflexivity | cbn in L; lia ..]. Qed.
Lemma valuation_by_fuel p f : 2 <= p -> forall g x, 0 < x -> (N.size_nat x <= f)%nat -> (N.size_nat x <= g)%nat ->
  valuation_below f x p = valuation_below g x p.
Proof.
  intros P. induction f as [|f IH]; intros [|g] x L F G; try (apply no_size in F; lia); try (apply no_size in G; lia).
  cbn [valuation_below]. destruct (x mod p =? 0) eqn:E; [|reflexivity]. f_equal. pose proof (without_last_digit x p P L).
  apply IH; [|lia|lia]. apply (quotient_positive x p L P). lia.
Qed.
Lemma valuation_step x p : 2 <= p -> 0 < x -> valuation x p = if x mod p =? 0 then 1 + valuation (x / p) p else 0.
Proof.
  intros P L. unfold valuation at 1. destruct (N.size_nat x) as [|f] eqn:F; [rewrite (no_size x) in L by lia; lia|].
  cbn [valuation_below]. destruct (x mod p =? 0) eqn:E; [|reflexivity]. f_equal. pose proof (without_last_digit x p P L).
  apply valuation_by_fuel; [exact P | | lia | lia]. apply (quotient_positive x p L P). lia.
Qed.
Lemma digits_of_none b f : 2 <= b -> digits_below f 0 b = 0.
Proof. intros B. induction f as [|f IH]; [reflexivity|]. cbn [digits_below]. rewrite N.mod_0_l, N.div_0_l by lia. exact IH. Qed.
Lemma digits_by_fuel b f : 2 <= b -> forall g x, (N.size_nat x <= f)%nat -> (N.size_nat x <= g)%nat -> digits_below f x b = digits_below g x b.
Proof.
  intros B. induction f as [|f IH]; intros g x F G; [apply no_size in F as ->; rewrite !digits_of_none by exact B; reflexivity|].
  destruct g as [|g]; [apply no_size in G as ->; rewrite !digits_of_none by exact B; reflexivity|]. cbn [digits_below]. f_equal.
  destruct (N.eq_dec x 0) as [->|NZ]; [rewrite N.div_0_l, !digits_of_none by lia; reflexivity|].
  pose proof (without_last_digit x b B). apply IH; lia.
Qed.
Lemma digit_sum_step x b : 2 <= b -> digit_sum x b = x mod b + digit_sum (x / b) b.
Proof.
  intros B. destruct (N.eq_dec x 0) as [->|NZ]; [rewrite N.mod_0_l, N.div_0_l by lia; reflexivity|].
  unfold digit_sum at 1. destruct (N.size_nat x) as [|f] eqn:F; [rewrite (no_size x) in NZ by lia; lia|].
  cbn [digits_below]. f_equal. pose proof (without_last_digit x b B). apply digits_by_fuel; [exact B | lia | lia].
Qed.
Lemma popcount_is x : popcount x = digit_sum x 2.
Proof.
  destruct x as [|p]; [reflexivity|]. cbn [popcount]. induction p as [p IH|p IH|]; [| |reflexivity]; cbn [ones]; rewrite IH.
  - rewrite (digit_sum_step (N.pos p~1) 2) by lia. change (N.pos p~1) with (2 * N.pos p + 1).
    rewrite <- (N.mod_unique (2 * N.pos p + 1) 2 (N.pos p) 1), <- (N.div_unique (2 * N.pos p + 1) 2 (N.pos p) 1) by lia. reflexivity.
  - rewrite (digit_sum_step (N.pos p~0) 2) by lia. change (N.pos p~0) with (2 * N.pos p + 0).
    rewrite <- (N.mod_unique (2 * N.pos p + 0) 2 (N.pos p) 0), <- (N.div_unique (2 * N.pos p + 0) 2 (N.pos p) 0) by lia. reflexivity.
Qed.
