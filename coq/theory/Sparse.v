(* A check of tables of heaps that split, by the sparse space: Winning Ways, chapter 4.  Each value is looked at by itself, with
   lists that Coq walks through side by side. *)
From Coq Require Import Lia ZifyBool ZifyN ZifyNat.
From NimChecks Require Export Periodic Digits.
Open Scope N_scope.

(* ---- The values of all heaps from 1 to a bound. ---- *)
(* First those of a list, and then those of another again and again. *)
Fixpoint cycle (n : nat) (first again : list N) : list N :=
  match n with O => [] | S n => match first with v :: first => v :: cycle n first again | [] =>
    match again with [] => [] | v :: first => v :: cycle n first again end end end.
Lemma cycle_length n again : again <> [] -> forall first, length (cycle n first again) = n.
Proof.
  intros A. induction n as [|n IH]; intros first; [reflexivity|].
  destruct first as [|v first]; [|cbn; rewrite IH; reflexivity]. destruct again as [|v r]; [easy|]. cbn. rewrite IH. reflexivity.
Qed.
Lemma cycle_is n again : again <> [] -> forall first i, (i < n)%nat -> nth i (cycle n first again) 0 =
  if (i <? length first)%nat then nth i first 0 else nth ((i - length first) mod length again) again 0.
Proof.
  intros A. induction n as [|n IH]; intros first i L; [lia|]. destruct first as [|v first].
  - destruct again as [|v r]; [easy|]. cbn [cycle]. set (k := length (v :: r)). assert (K : k = S (length r)) by reflexivity.
    replace (i - length (@nil N))%nat with i by (cbn; lia). replace (i <? length (@nil N))%nat with false by (cbn; lia).
    destruct i as [|i]; [rewrite Nat.mod_0_l by lia; reflexivity|]. cbn [nth]. rewrite IH by lia. fold k.
    destruct (i <? length r)%nat eqn:E; [rewrite Nat.mod_small by lia; reflexivity|].
    replace (S i) with (i - length r + 1 * k)%nat by lia. rewrite Nat.mod_add by lia. reflexivity.
  - destruct i as [|i]; [reflexivity|]. cbn [cycle nth length]. rewrite IH by lia.
    replace (S i <? S (length first))%nat with (i <? length first)%nat by lia.
    replace (S i - S (length first))%nat with (i - length first)%nat by lia. reflexivity.
Qed.
Lemma nth_skip {A} n i (d : A) : forall l, nth i (skipn n l) d = nth (n + i) l d.
Proof. induction n as [|n IH]; intros [|x l]; cbn; try reflexivity; [destruct i; reflexivity | apply IH]. Qed.
Definition heaps_of (n0 bound : N) (row : list N) : list N := cycle (N.to_nat (bound - 1)) (tl row) (skipn (N.to_nat n0) row).
Lemma heaps_of_is n0 p bound row i : 1 <= n0 -> 1 <= p -> length row = N.to_nat (n0 + p) -> i < bound - 1 ->
  nth (N.to_nat i) (heaps_of n0 bound row) 0 = at_heap n0 p row (i + 1).
Proof.
  intros N0 P L I. unfold heaps_of. assert (K : length (skipn (N.to_nat n0) row) = N.to_nat p) by (rewrite skipn_length; lia).
  rewrite cycle_is; [|intros E; rewrite E in K; cbn in K; lia | lia]. rewrite K, nth_skip.
  assert (T : forall j, nth j (tl row) 0 = nth (S j) row 0) by (intros j; destruct row; [destruct j|]; reflexivity).
  assert (M : length (tl row) = N.to_nat (n0 + p - 1)) by (destruct row; cbn in *; lia).
  unfold at_heap. rewrite T, M. destruct (N.to_nat i <? N.to_nat (n0 + p - 1))%nat eqn:E.
  - f_equal. destruct (i + 1 <? n0) eqn:F; [lia|]. rewrite N.mod_small by lia. lia.
  - replace (i + 1 <? n0) with false by lia. f_equal. replace (i + 1 - n0) with (i + 1 - n0 - p + 1 * p) by lia.
    rewrite N.mod_add, N2Nat.inj_add, N2Nat.inj_mod by lia. do 2 f_equal. lia.
Qed.

(* ---- Common and rare values. ---- *)
Fixpoint odd_digits (p : positive) : bool := match p with xH => true | xO p => odd_digits p | xI p => negb (odd_digits p) end.
Definition is_odd (v : N) : bool := match v with 0 => false | N.pos p => odd_digits p end.
Lemma odd_double v : is_odd (Pos.Ndouble v) = is_odd v.
Proof. destruct v; reflexivity. Qed.
Lemma odd_succ_double v : is_odd (Pos.Nsucc_double v) = negb (is_odd v).
Proof. destruct v; reflexivity. Qed.
Lemma odd_sum x y : is_odd (N.lxor x y) = xorb (is_odd x) (is_odd y).
Proof.
  destruct x as [|x]; [rewrite N.lxor_0_l; cbn; destruct (is_odd y); reflexivity|].
  destruct y as [|y]; [cbn; destruct (odd_digits x); reflexivity|].
  cbn [N.lxor is_odd]. revert y. induction x as [x IH|x IH|]; intros [y|y|]; cbn [Pos.lxor odd_digits];
    rewrite ?odd_double, ?odd_succ_double, ?IH; cbn [is_odd odd_digits];
    try destruct (odd_digits x); try destruct (odd_digits y); reflexivity.
Qed.
Definition is_common (mask v : N) : bool := is_odd (N.land v mask).
Lemma common_sum mask x y : is_common mask (N.lxor x y) = xorb (is_common mask x) (is_common mask y).
Proof.
  unfold is_common. rewrite <- odd_sum. f_equal. apply N.bits_inj. intros i. rewrite !N.land_spec, !N.lxor_spec, !N.land_spec.
  destruct (N.testbit x i), (N.testbit y i), (N.testbit mask i); reflexivity.
Qed.

(* ---- Two lists of values side by side. ---- *)
(* A value is written as the positive number one larger, whose digits differ soon. *)
Definition code (v : N) : positive := N.succ_pos v.
Lemma code_is v : N.pos (code v) = v + 1.
Proof. unfold code. rewrite N.succ_pos_spec. lia. Qed.
Lemma code_same v w : code v = code w -> v = w.
Proof. intros E. apply (f_equal N.pos) in E. rewrite !code_is in E. lia. Qed.
(* That the values differ at every place; and at every one but the nth. *)
Fixpoint apart (l k : list positive) : bool :=
  match l, k with
  | x :: l, y :: k => match x, y with
      | xH, xH => false
      | xO x, xO y | xI x, xI y => if Pos.eqb x y then false else apart l k
      | _, _ => apart l k end
  | _, _ => true end.
Fixpoint apart_but (n : nat) (l k : list positive) {struct l} : bool :=
  match l, k with
  | x :: l, y :: k => match n with O => apart l k | S n => if Pos.eqb x y then false else apart_but n l k end
  | _, _ => true end.
Lemma apart_cons x l y k : apart (x :: l) (y :: k) = if Pos.eqb x y then false else apart l k.
Proof. destruct x, y; reflexivity. Qed.

(* The list has n members; [g] says which. *)
Definition lists (l : list positive) (n : N) (g : N -> positive) : Prop :=
  length l = N.to_nat n /\ forall i, i < n -> nth (N.to_nat i) l xH = g i.
Lemma lists_none n g : n = 0 -> lists [] n g.
Proof. intros ->. split; [reflexivity | lia]. Qed.
Lemma lists_more v l n n' g g' : lists l n g -> n' = n + 1 -> g' 0 = v -> (forall i, i < n -> g' (i + 1) = g i) -> lists (v :: l) n' g'.
Proof.
  intros [L G] -> V Next. split; [cbn; lia|]. intros i I. destruct (N.eq_dec i 0) as [->|]; [symmetry; exact V|].
  replace (N.to_nat i) with (S (N.to_nat (i - 1))) by lia. cbn [nth]. rewrite G, <- Next by lia. f_equal. lia.
Qed.
Lemma lists_tail v l n g : lists (v :: l) n g -> 1 <= n /\ g 0 = v /\ lists l (n - 1) (fun i => g (i + 1)).
Proof.
  intros [L G]. cbn [length] in L. split; [lia|]. split; [rewrite <- G by lia; reflexivity|]. split; [lia|].
  intros i I. rewrite <- G by lia. replace (N.to_nat (i + 1)) with (S (N.to_nat i)) by lia. reflexivity.
Qed.
Lemma lists_skip m l n g : lists l n g -> lists (skipn (N.to_nat m) l) (n - m) (fun i => g (m + i)).
Proof.
  intros [L G]. split; [rewrite skipn_length; lia|]. intros i I. rewrite nth_skip, <- G by lia. f_equal. lia.
Qed.
Lemma lists_first d l n g : lists l n g -> lists (firstn d l) (N.min (N.of_nat d) n) g.
Proof.
  intros [L G]. split; [rewrite firstn_length; lia|]. intros i I. rewrite <- G by lia.
  rewrite <- (firstn_skipn d l) at 2. rewrite app_nth1; [reflexivity | rewrite firstn_length; lia].
Qed.
Lemma apart_is l : forall k n m g g', lists l n g -> lists k m g' ->
  if apart l k then forall i, i < n -> i < m -> g i <> g' i else exists i, i < n /\ i < m /\ g i = g' i.
Proof.
  induction l as [|x l IH]; intros k n m g g' A B; [cbn; intros i I; destruct A as [A _]; cbn in A; lia|].
  destruct k as [|y k]; [cbn; intros i I J; destruct B as [B _]; cbn in B; lia|].
  apply lists_tail in A, B. destruct A as (N1 & <- & A), B as (M1 & <- & B). rewrite apart_cons.
  destruct (Pos.eqb_spec (g 0) (g' 0)) as [E|E]; [exists 0; split; [lia | split; [lia | exact E]]|].
  specialize (IH k _ _ _ _ A B). destruct (apart l k).
  - intros i I J. destruct (N.eq_dec i 0) as [->|]; [exact E|]. replace i with (i - 1 + 1) by lia. apply IH; lia.
  - destruct IH as (i & I & J & V). exists (i + 1). split; [lia | split; [lia | exact V]].
Qed.
Lemma apart_but_is l : forall k b n m g g', lists l n g -> lists k m g' ->
  if apart_but b l k then forall i, i <> N.of_nat b -> i < n -> i < m -> g i <> g' i else exists i, i <> N.of_nat b /\ i < n /\ i < m /\ g i = g' i.
Proof.
  induction l as [|x l IH]; intros k b n m g g' A B; [cbn; intros i _ I; destruct A as [A _]; cbn in A; lia|].
  destruct k as [|y k]; [cbn; intros i _ I J; destruct B as [B _]; cbn in B; lia|].
  apply lists_tail in A, B. destruct A as (N1 & <- & A), B as (M1 & <- & B). cbn [apart_but]. destruct b as [|b].
  - pose proof (apart_is l k _ _ _ _ A B) as H. destruct (apart l k).
    + intros i O I J. replace i with (i - 1 + 1) by lia. apply H; lia.
    + destruct H as (i & I & J & V). exists (i + 1). repeat split; lia || exact V.
  - destruct (Pos.eqb_spec (g 0) (g' 0)) as [E|E]; [exists 0; repeat split; lia || exact E|].
    specialize (IH k b _ _ _ _ A B). destruct (apart_but b l k).
    + intros i O I J. destruct (N.eq_dec i 0) as [->|]; [exact E|]. replace i with (i - 1 + 1) by lia. apply IH; lia.
    + destruct IH as (i & O & I & J & V). exists (i + 1). repeat split; lia || exact V.
Qed.

(* ---- The check of one value at each heap. [f]: the values of the heaps below [bound]. ---- *)
Lemma positive_in c : (forall m, mem m (leave_none c ++ leave_one c ++ leave_two c ++ leave_equal c) = true -> 1 <= m) ->
  forall l m, In m l -> l = leave_none c \/ l = leave_one c \/ l = leave_two c \/ l = leave_equal c -> 0 < m.
Proof.
  intros Positive l m I E. enough (1 <= m) by lia. apply Positive, mem_in. rewrite !in_app_iff. intuition (subst; tauto).
Qed.
(* As existsb, but that Coq looks no further when it is found. *)
Fixpoint any {A} (test : A -> bool) (l : list A) : bool := match l with [] => false | x :: l => if test x then true else any test l end.
Lemma any_is {A} test (l : list A) : any test l = true <-> exists x, In x l /\ test x = true.
Proof.
  induction l as [|x l IH]; cbn; [split; [discriminate | intros (x & [] & _)]|]. destruct (test x) eqn:T.
  - split; [exists x; auto | reflexivity].
  - rewrite IH. split; intros (y & I & V); exists y; [auto|]. destruct I as [<-|I]; [congruence | auto].
Qed.
Section Value.
Variables (c : takes) (w : N) (rare : bool).

(* [below]: the values of h - 1, ..., 1.  What one heap or none leaves, or two equal ones. *)
Definition singles (h : N) (below : list positive) : list positive :=
  (if mem h (leave_none c) then [xH] else []) ++
  flat_map (fun m => if m <? h then [nth (N.to_nat (m - 1)) below xH] else []) (leave_one c) ++
  flat_map (fun m => if (m + 1 <? h) && N.even (h - m) then [xH] else []) (leave_equal c).
(* No two different heaps that are left have the value w together.  [sums]: that of 1, 2, ... together with w.  Two equal
   ones have the value 0, and no other. *)
Definition no_split (h m : N) (sums below : list positive) : bool :=
  let rest := skipn (N.to_nat m) below in
  if w =? 0 then if N.even (h - m) then apart_but (N.to_nat ((h - m) / 2 - 1)) sums rest else apart sums rest else apart sums rest.
(* At a heap h of the value w: no option has it.  If it is rare, all its splits are looked at, and those of larger heaps in
   which it is one of the two: a common value of two heaps is that of a rare one and a common one.  At a heap of a larger
   value: some option has the value w, which is looked for in one of the lists [few].  [beyond]: the values of h + 1, ... *)
Definition value_ok (few : list (list positive)) (sums : list positive) (h : N) (below beyond : list positive) (v : positive) : bool :=
  match Pos.compare (code w) v with
  | Gt => true
  | Lt => if any (Pos.eqb (code w)) (singles h below) then true else
      any (fun sums => any (fun m => negb (no_split h m sums below)) (leave_two c)) few
  | Eq => if any (Pos.eqb (code w)) (singles h below) then false else if rare then
      forallb (fun m => no_split h m sums below && apart_but (N.to_nat (h - 1)) sums (skipn (N.to_nat m) beyond)) (leave_two c) else true
  end.
Fixpoint values_ok (few : list (list positive)) (sums : list positive) (h : N) (below from : list positive) : bool :=
  match from with [] => true
  | v :: beyond => if value_ok few sums h below beyond v then values_ok few sums (h + 1) (v :: below) beyond else false end.

Hypothesis Positive : forall m, mem m (leave_none c ++ leave_one c ++ leave_two c ++ leave_equal c) = true -> 1 <= m.
Variables (f : N -> N) (bound : N).
Hypothesis zero : f 0 = 0.
Definition values_below (h : N) (below : list positive) : Prop := lists below (h - 1) (fun i => code (f (h - 1 - i))).
Definition sums_are (n : N) (sums : list positive) : Prop := lists sums n (fun i => code (N.lxor w (f (i + 1)))).

Definition by_single (h u : N) : Prop :=
  (mem h (leave_none c) = true /\ f 0 = u) \/
  (exists m x, 0 < x /\ m + x = h /\ In m (leave_one c) /\ f x = u) \/
  (exists m x, 0 < x /\ m + 2 * x = h /\ In m (leave_equal c) /\ 0 = u).
Lemma singles_are h below : 0 < h -> values_below h below -> (any (Pos.eqb (code w)) (singles h below) = true <-> by_single h w).
Proof.
  intros H [_ B]. rewrite any_is. setoid_rewrite Pos.eqb_eq. unfold singles, by_single.
  assert (One : xH = code 0) by reflexivity.
  assert (Of : forall m, In m (leave_one c) -> m < h -> nth (N.to_nat (m - 1)) below xH = code (f (h - m))).
  { intros m I L. pose proof (positive_in c Positive _ _ I ltac:(auto)). rewrite B by lia. do 2 f_equal. lia. }
  split.
  - intros (u & I & <-). rewrite !in_app_iff, !in_flat_map in I. destruct I as [O | [(m & I & O) | (m & I & O)]].
    + left. destruct (mem h (leave_none c)); [|destruct O]. destruct O as [O|[]]. rewrite One in O. apply code_same in O. split; congruence.
    + right; left. destruct (m <? h) eqn:L; [|destruct O]. destruct O as [O|[]]. rewrite Of in O by (exact I || lia). apply code_same in O.
      exists m, (h - m). repeat split; lia || assumption.
    + right; right. destruct ((m + 1 <? h) && N.even (h - m)) eqn:L; [|destruct O]. destruct O as [O|[]]. rewrite One in O.
      apply code_same in O. apply andb_true_iff in L. destruct L as [L E]. apply N.even_spec in E. destruct E as [x E].
      exists m, x. repeat split; lia || assumption.
  - intros O. exists (code w). split; [|reflexivity]. rewrite !in_app_iff, !in_flat_map.
    destruct O as [[M <-] | [(m & x & X & E & I & <-) | (m & x & X & E & I & <-)]].
    + left. rewrite M, zero. left. reflexivity.
    + right; left. exists m. split; [exact I|]. replace (m <? h) with true by lia. rewrite Of by (exact I || lia). left. do 2 f_equal. lia.
    + right; right. exists m. split; [exact I|]. replace (m + 1 <? h) with true by lia. replace (h - m) with (2 * x) by lia.
      rewrite N.even_mul. left. reflexivity.
Qed.
Lemma no_split_is h m n sums below : In m (leave_two c) -> values_below h below -> sums_are n sums ->
  if no_split h m sums below then forall x y, 0 < x -> 0 < y -> x <> y -> m + x + y = h -> x <= n -> N.lxor w (f x) <> f y
  else exists x y, 0 < x /\ 0 < y /\ x <> y /\ m + x + y = h /\ N.lxor w (f x) = f y.
Proof.
  intros I B S. pose proof (positive_in c Positive _ _ I ltac:(auto)) as P. apply (lists_skip m) in B.
  set (rest := skipn (N.to_nat m) below) in *.
  assert (All : (forall i, i + 1 <> h - m - (i + 1) -> i < n -> i < h - 1 - m -> code (N.lxor w (f (i + 1))) <> code (f (h - 1 - (m + i)))) ->
    forall x y, 0 < x -> 0 < y -> x <> y -> m + x + y = h -> x <= n -> N.lxor w (f x) <> f y).
  { intros A x y X Y D E L V. apply (A (x - 1)); try lia. replace (x - 1 + 1) with x by lia. rewrite V. do 2 f_equal. lia. }
  assert (Some_ : (exists i, i + 1 <> h - m - (i + 1) /\ i < n /\ i < h - 1 - m /\ code (N.lxor w (f (i + 1))) = code (f (h - 1 - (m + i)))) ->
    exists x y, 0 < x /\ 0 < y /\ x <> y /\ m + x + y = h /\ N.lxor w (f x) = f y).
  { intros (i & D & L & J & V). apply code_same in V. exists (i + 1), (h - 1 - (m + i)). repeat split; lia || exact V. }
  assert (Plain : (w = 0 -> N.even (h - m) = false) -> if apart sums rest
    then forall x y, 0 < x -> 0 < y -> x <> y -> m + x + y = h -> x <= n -> N.lxor w (f x) <> f y
    else exists x y, 0 < x /\ 0 < y /\ x <> y /\ m + x + y = h /\ N.lxor w (f x) = f y).
  { intros Odd. pose proof (apart_is sums rest _ _ _ _ S B) as A. cbv beta in A. destruct (apart sums rest).
    - apply All. intros i _ J K. apply A; assumption.
    - apply Some_. destruct A as (i & J & K & V). exists i. repeat split; try assumption. intros D.
      replace (h - 1 - (m + i)) with (i + 1) in V by lia. apply code_same in V.
      assert (Z : w = 0). { apply (f_equal (fun x => N.lxor x (f (i + 1)))) in V. rewrite N.lxor_assoc, !N.lxor_nilpotent, N.lxor_0_r in V. exact V. }
      specialize (Odd Z). replace (h - m) with (2 * (i + 1)) in Odd by lia. rewrite N.even_mul in Odd. discriminate. }
  unfold no_split. fold rest. cbv zeta. destruct (w =? 0) eqn:Z; [|apply Plain; lia]. destruct (N.even (h - m)) eqn:E; [|apply Plain; auto].
  apply N.even_spec in E. destruct E as [e E]. rewrite E. replace (2 * e / 2) with e by (rewrite N.mul_comm, N.div_mul; lia).
  pose proof (apart_but_is sums rest (N.to_nat (e - 1)) _ _ _ _ S B) as A. cbv beta in A. destruct (apart_but _ sums rest).
  - apply All. intros i D J K. apply A; lia.
  - apply Some_. destruct A as (i & D & J & K & V). exists i. repeat split; lia || exact V.
Qed.

(* What is shown of a heap h: it has no option w if that is its value, and one if it is less. *)
Definition right_of (h : N) : Prop :=
  (f h = w -> ~ by_single h w /\ (rare = true -> forall m x y, In m (leave_two c) -> 0 < x -> 0 < y -> x <> y ->
    (m + x + y = h -> N.lxor (f x) (f y) <> w) /\ (y = h -> m + x + y < bound -> N.lxor (f x) w <> f (m + x + y)))) /\
  (w < f h -> option_values c f h w).
Lemma value_right few sums h below beyond : 0 < h -> values_below h below -> lists beyond (bound - h - 1) (fun i => code (f (h + 1 + i))) ->
  h < bound -> (forall l, In l few -> exists n, sums_are n l) -> sums_are (bound - 1) sums ->
  value_ok few sums h below beyond (code (f h)) = true -> right_of h.
Proof.
  intros H B F L Few S Ok. unfold value_ok in Ok. pose proof (singles_are h below H B) as One.
  pose proof (code_is w) as Cw. pose proof (code_is (f h)) as Cv.
  destruct (Pos.compare_spec (code w) (code (f h))) as [E|E|E]; split; intros V; try (exfalso; rewrite ?V in *; lia).
  - destruct (any _ _); [discriminate|]. split; [rewrite <- One; discriminate|]. intros R. rewrite R, forallb_forall in Ok.
    intros m x y I X Y D. specialize (Ok m I). apply andb_true_iff in Ok. destruct Ok as [No But].
    pose proof (no_split_is h m _ sums below I B S) as N. rewrite No in N. clear Cw Cv E V R No One. split.
    + intros T W. apply (N x y); try lia. rewrite <- W, (N.lxor_comm (f x)), N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r. reflexivity.
    + intros -> T W. pose proof (apart_but_is sums _ (N.to_nat (h - 1)) _ _ _ _ S (lists_skip m _ _ _ F)) as A. rewrite But in A.
      apply (A (x - 1)); try lia. replace (x - 1 + 1) with x by lia. rewrite N.lxor_comm, W. do 2 f_equal. lia.
  - destruct (any (Pos.eqb (code w)) (singles h below)).
    + destruct (proj1 One eq_refl) as [[M <-] | [(m & x & X & T & M & <-) | (m & x & X & T & M & <-)]];
        [apply no_heaps; assumption | apply one_heap with m | apply equal_heaps with m x]; try assumption;
        (apply mem_in, M) || exact (positive_in c Positive _ _ M ltac:(auto)).
    + apply any_is in Ok. destruct Ok as (l & I & Ok). destruct (Few l I) as [n Sl]. apply any_is in Ok. destruct Ok as (m & M & Ok).
      pose proof (no_split_is h m n l below M B Sl) as N. destruct (no_split h m l below); [discriminate|].
      destruct N as (x & y & X & Y & D & T & W). replace w with (N.lxor (f x) (f y)).
      * apply two_heaps with m; try assumption; [exact (positive_in c Positive _ _ M ltac:(auto)) | apply mem_in, M].
      * rewrite <- W, (N.lxor_comm (f x)), N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r. reflexivity.
Qed.
Lemma values_right few sums : (forall l, In l few -> exists n, sums_are n l) -> sums_are (bound - 1) sums ->
  forall from h below, 0 < h -> values_below h below -> lists from (bound - h) (fun i => code (f (h + i))) ->
  values_ok few sums h below from = true -> forall k, h <= k -> k < bound -> right_of k.
Proof.
  intros Few S. induction from as [|v beyond IH]; intros h below H B F Ok k L K; [destruct F as [F _]; cbn in F; lia|].
  apply lists_tail in F. destruct F as (N1 & <- & F). rewrite N.add_0_r in Ok. cbn [values_ok] in Ok.
  assert (F' : lists beyond (bound - h - 1) (fun i => code (f (h + 1 + i)))).
  { destruct F as [A G]. split; [exact A|]. intros i I. rewrite G by exact I. do 2 f_equal. lia. }
  destruct (value_ok few sums h below beyond (code (f h))) eqn:V; [|discriminate].
  destruct (N.eq_dec k h) as [->|]; [apply (value_right few sums h below beyond); assumption || lia|].
  apply (IH (h + 1) (code (f h) :: below)); try lia.
  - apply (lists_more _ _ _ _ _ _ B); [lia | do 2 f_equal; lia | intros i I; do 2 f_equal; lia].
  - replace (bound - (h + 1)) with (bound - h - 1) by lia. exact F'.
Qed.
End Value.

(* ---- All heaps below a bound, with the values of a row that repeats. ---- *)
Fixpoint up_to (n : nat) (w : N) : list N := match n with O => [] | S n => w :: up_to n (w + 1) end.
Lemma up_to_in n : forall w x, w <= x -> x < w + N.of_nat n -> In x (up_to n w).
Proof. induction n as [|n IH]; intros w x L L'; [lia|]. destruct (N.eq_dec w x) as [E|]; [left; exact E | right; apply IH; lia]. Qed.
Definition top_value (vs : list N) : N := fold_left N.max vs 0.
Lemma top_value_is vs : forall v, In v vs -> v <= top_value vs.
Proof.
  unfold top_value. enough (H : forall a v, v <= a \/ In v vs -> v <= fold_left N.max vs a) by (intros v I; apply H; auto).
  induction vs as [|x vs IH]; intros a v O; cbn; [destruct O as [O|[]]; exact O|]. apply IH. destruct O as [O|[<-|O]]; [left; lia | left; lia | auto].
Qed.
(* What reaches a value is looked for among the first heaps, and then among more. *)
Definition more_and_more (sums : list positive) : list (list positive) :=
  [firstn 8 sums; firstn 64 sums; firstn 512 sums; firstn 4096 sums; sums].
Definition heaps_ok (mask n0 p bound : N) (c : takes) (row : list N) : bool :=
  let vs := heaps_of n0 bound row in let codes := map code vs in
  (N.of_nat (length row) =? n0 + p) && (nth 0 row 0 =? 0) &&
  forallb (fun w => let sums := map (fun v => code (N.lxor w v)) vs in
    values_ok c w (negb (is_common mask w)) (more_and_more sums) sums 1 [] codes) (up_to (S (N.to_nat (top_value vs))) 0).

Theorem heaps_right mask n0 p bound c row : (forall m, mem m (leave_none c ++ leave_one c ++ leave_two c ++ leave_equal c) = true -> 1 <= m) ->
  1 <= n0 -> 1 <= p -> heaps_ok mask n0 p bound c row = true ->
  forall h, h < bound -> is_mex (option_values c (at_heap n0 p row) h) (at_heap n0 p row h).
Proof.
  intros Positive N0 P. unfold heaps_ok. cbv zeta. rewrite !andb_true_iff, forallb_forall. intros [[Long Zero] Ok] h L.
  set (f := at_heap n0 p row). set (vs := heaps_of n0 bound row) in *.
  assert (Values : forall i, i < bound - 1 -> nth (N.to_nat i) vs 0 = f (i + 1)) by (intros i I; apply (heaps_of_is n0 p); lia).
  assert (Length : length vs = N.to_nat (bound - 1)).
  { apply cycle_length. intros E. apply (f_equal (@length N)) in E. rewrite skipn_length in E. cbn in E. lia. }
  assert (F0 : f 0 = 0) by (unfold f, at_heap; replace (0 <? n0) with true by lia; apply N.eqb_eq, Zero).
  assert (Mapped : forall g, lists (map (fun v => code (g v)) vs) (bound - 1) (fun i => code (g (f (i + 1))))).
  { intros g. split; [rewrite map_length; exact Length|]. intros i I.
    rewrite (nth_indep _ xH (code (g 0))) by (rewrite map_length; lia). rewrite (map_nth (fun v => code (g v))), Values by exact I. reflexivity. }
  assert (Right : forall w k, w <= top_value vs -> 0 < k -> k < bound -> right_of c w (negb (is_common mask w)) f bound k).
  { intros w k W K B. assert (S : sums_are w f (bound - 1) (map (fun v => code (N.lxor w v)) vs)) by exact (Mapped (N.lxor w)).
    apply (values_right c w _ Positive f bound F0 (more_and_more (map (fun v => code (N.lxor w v)) vs)) (map (fun v => code (N.lxor w v)) vs))
      with (from := map code vs) (h := 1) (below := []); try lia.
    - intros l I. repeat (destruct I as [<-|I]; [eexists; first [exact S | apply lists_first, S]|]). destruct I.
    - exact S.
    - apply lists_none. reflexivity.
    - destruct (Mapped (fun v => v)) as [A G]. split; [exact A|]. intros i I. rewrite G by exact I. do 2 f_equal. lia.
    - apply Ok, up_to_in; lia. }
  assert (Below : forall k, 0 < k -> k < bound -> f k <= top_value vs).
  { intros k K B. apply top_value_is. replace k with (k - 1 + 1) by lia. rewrite <- Values by lia. apply nth_In. lia. }
  destruct (N.eq_dec h 0) as [->|H].
  { rewrite F0. split; [intros (a & e & (_ & O & _) & _); lia | lia]. }
  split.
  - intros O. destruct (proj1 (Right (f h) h (Below h ltac:(lia) L) ltac:(lia) L) eq_refl) as [No Two].
    apply option_cases in O. destruct O as (m & M & [(E & I & V) | [(x & X & E & I & V) | [(x & X & E & I & V) | (x & y & X & Y & E & I & V)]]]).
    + apply No. left. subst m. split; assumption.
    + apply No. right; left. exists m, x. rewrite <- mem_in. auto.
    + apply No. right; right. exists m, x. rewrite <- mem_in. auto.
    + apply mem_in in I. destruct (is_common mask (f h)) eqn:C; [|exact (proj1 (Two eq_refl m x y I X ltac:(lia) ltac:(lia)) E V)].
      assert (Option : forall a b, 0 < a -> 0 < b -> a <> b -> m + a + b = h -> N.lxor (f a) (f b) = f h -> is_common mask (f b) = false -> False).
      { intros a b A B D T W R. destruct (proj1 (Right (f b) b (Below b B ltac:(lia)) B ltac:(lia)) eq_refl) as [_ Other].
        rewrite R in Other. apply (proj2 (Other eq_refl m a b I A B D) eq_refl); [lia|]. rewrite T. exact W. }
      pose proof C as C'. rewrite <- V, common_sum in C'. destruct (is_common mask (f x)) eqn:Cx; destruct (is_common mask (f y)) eqn:Cy; try discriminate.
      * apply (Option x y); assumption || (clear -X Y; lia).
      * apply (Option y x); try assumption; [apply N.lt_trans with x; assumption | clear -Y; lia | clear -E; lia |]. rewrite N.lxor_comm. exact V.
  - intros w W. apply (Right w h); try lia. pose proof (Below h ltac:(lia) L). lia.
Qed.
