(* A check of tables of heaps that split, by the sparse space: Winning Ways, chapter 4. *)
From Coq Require Import Lia ZifyBool ZifyN ZifyNat FMapPositive.
From NimChecks Require Export Periodic Digits.
Open Scope N_scope.

(* ---- Values as a tree, so that each is soon found. ---- *)
Definition tree := PositiveMap.t N.
Definition at_tree (t : tree) (h : N) : N := match PositiveMap.find (N.succ_pos h) t with Some v => v | None => 0 end.
Definition put (h v : N) (t : tree) : tree := PositiveMap.add (N.succ_pos h) v t.
Lemma at_put h v t k : at_tree (put h v t) k = if k =? h then v else at_tree t k.
Proof.
  unfold at_tree, put. destruct (k =? h) eqn:E.
  - replace k with h by lia. rewrite PositiveMap.gss. reflexivity.
  - rewrite PositiveMap.gso; [reflexivity|]. intros F. apply (f_equal N.pos) in F. rewrite !N.succ_pos_spec in F. lia.
Qed.
Fixpoint put_row (h : N) (row : list N) (t : tree) : tree :=
  match row with [] => t | v :: row => put_row (h + 1) row (put h v t) end.
Lemma at_row row : forall h t k, at_tree (put_row h row t) k =
  if (h <=? k) && (k <? h + N.of_nat (length row)) then nth (N.to_nat (k - h)) row 0 else at_tree t k.
Proof.
  induction row as [|v row IH]; intros h t k; cbn [put_row length nth].
  - replace (k <? h + N.of_nat 0) with (k <? h) by (f_equal; lia). destruct ((h <=? k) && (k <? h)) eqn:E; [lia | reflexivity].
  - rewrite IH, at_put. destruct (k =? h) eqn:E.
    + replace k with h by lia. replace ((h + 1 <=? h) && (h <? h + 1 + N.of_nat (length row))) with false by lia.
      replace ((h <=? h) && (h <? h + N.of_nat (S (length row)))) with true by lia. rewrite N.sub_diag. reflexivity.
    + replace ((h + 1 <=? k) && (k <? h + 1 + N.of_nat (length row))) with ((h <=? k) && (k <? h + N.of_nat (S (length row)))) by lia.
      destruct ((h <=? k) && (k <? h + N.of_nat (S (length row)))) eqn:I; [|reflexivity].
      replace (N.to_nat (k - h)) with (S (N.to_nat (k - (h + 1)))) by lia. reflexivity.
Qed.
Definition of_row (n0 p : N) (t : tree) (h : N) : N := at_tree t (if h <? n0 then h else n0 + (h - n0) mod p).
Definition row_tree (row : list N) : tree := put_row 0 row (PositiveMap.empty N).
Lemma of_row_is n0 p row h : of_row n0 p (row_tree row) h = at_heap n0 p row h.
Proof.
  unfold of_row, at_heap, row_tree. set (k := if h <? n0 then h else n0 + (h - n0) mod p). rewrite at_row.
  replace (0 <=? k) with true by lia. rewrite N.sub_0_r. cbn [andb]. destruct (k <? 0 + N.of_nat (length row)) eqn:E; [reflexivity|].
  unfold at_tree. rewrite PositiveMap.gempty. rewrite nth_overflow by lia. reflexivity.
Qed.
(* All values below a bound. *)
Fixpoint put_all (f : N -> N) (n : nat) (h : N) (t : tree) : tree :=
  match n with O => t | S n => put_all f n (h + 1) (put h (f h) t) end.
Lemma at_all f n : forall h t k, (forall i, i < h -> at_tree t i = f i) -> k < h + N.of_nat n -> at_tree (put_all f n h t) k = f k.
Proof.
  induction n as [|n IH]; intros h t k A L; cbn [put_all]; [apply A; lia|]. apply IH; [|lia]. intros i I. rewrite at_put.
  destruct (i =? h) eqn:E; [f_equal; lia | apply A; lia].
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

(* ---- The check of one heap. [f]: the values; [rare]: the heaps of at least 1 with a rare value, as far as they count. ---- *)
Lemma positive_in c : (forall m, mem m (leave_none c ++ leave_one c ++ leave_two c ++ leave_equal c) = true -> 1 <= m) ->
  forall l m, In m l -> l = leave_none c \/ l = leave_one c \/ l = leave_two c \/ l = leave_equal c -> 0 < m.
Proof.
  intros positive l m I E. enough (1 <= m) by lia. apply positive, mem_in. rewrite !in_app_iff. intuition (subst; tauto).
Qed.
Section Heap.
Variables (c : takes) (f : N -> N) (mask : N) (rare : list N) (fuel : nat).

(* No heaps a and rest - a, one of which is in the list, have the value v together. *)
Definition differs (v rest a : N) : bool := if rest <=? a then true else if N.lxor (f a) (f (rest - a)) =? v then a + a =? rest else true.
Fixpoint all_differ (n : nat) (v rest a : N) : bool :=
  match n with O => true | S n => if differs v rest a then all_differ n v rest (a + 1) else false end.
Lemma all_differ_is n : forall v rest a x, all_differ n v rest a = true -> a <= x -> x < a + N.of_nat n -> differs v rest x = true.
Proof.
  induction n as [|n IH]; intros v rest a x; cbn [all_differ]; [lia|]. destruct (differs v rest a) eqn:D; [|discriminate].
  intros A L L'. destruct (N.eq_dec x a) as [->|]; [exact D|]. apply (IH v rest (a + 1)); [exact A | lia | lia].
Qed.
Definition no_split (v h m : N) : bool :=
  if is_common mask v then forallb (differs v (h - m)) rare else all_differ (N.to_nat ((h - m) / 2)) v (h - m) 1.

(* What one heap or none leaves. *)
Definition singles (h : N) : list N :=
  (if mem h (leave_none c) then [f 0] else []) ++
  flat_map (fun m => if m <? h then [f (h - m)] else []) (leave_one c) ++
  flat_map (fun m => if (m + 1 <? h) && N.even (h - m) then [0] else []) (leave_equal c).

(* Each of these values is that of two heaps, one of them a or a larger one. *)
Definition drop (h a : N) (need : list N) (m : N) : list N :=
  if m + a <? h then if a + a =? h - m then need else let v := N.lxor (f a) (f (h - m - a)) in filter (fun w => negb (w =? v)) need else need.
Fixpoint reached (n : nat) (h a : N) (need : list N) : bool :=
  match need with [] => true
  | _ => match n with O => false | S n => reached n h (a + 1) (fold_left (drop h a) (leave_two c) need) end end.
Fixpoint up_to (n : nat) (w : N) : list N := match n with O => [] | S n => w :: up_to n (w + 1) end.
Lemma up_to_in n : forall w x, w <= x -> x < w + N.of_nat n -> In x (up_to n w).
Proof. induction n as [|n IH]; intros w x L L'; [lia|]. destruct (N.eq_dec w x) as [E|]; [left; exact E | right; apply IH; lia]. Qed.
Definition heap_ok (h : N) : bool :=
  let v := f h in let left := singles h in
  if mem v left then false else forallb (no_split v h) (leave_two c) &&
  reached fuel h 1 (filter (fun w => negb (mem w left)) (up_to (N.to_nat v) 0)).

Hypothesis positive : forall m, mem m (leave_none c ++ leave_one c ++ leave_two c ++ leave_equal c) = true -> 1 <= m.
Lemma reached_is h : forall n a need, 0 < a -> reached n h a need = true -> forall w, In w need -> option_values c f h w.
Proof.
  induction n as [|n IH]; intros a need A R w I; (destruct need as [|x need]; [destruct I|]); [discriminate|].
  cbn [reached] in R. set (l := x :: need) in *. clearbody l.
  assert (Keep : forall ms, (forall m, In m ms -> In m (leave_two c)) -> forall l, In w l ->
    In w (fold_left (drop h a) ms l) \/ option_values c f h w).
  { clear - positive A. induction ms as [|m ms Keep]; intros Two l I; [left; exact I|]. cbn [fold_left].
    assert (M : In m (leave_two c)) by (apply Two; left; reflexivity). assert (P := positive_in c positive _ m M ltac:(auto)).
    assert (D : In w (drop h a l m) \/ option_values c f h w).
    { unfold drop. destruct (m + a <? h) eqn:L; [|left; exact I]. destruct (a + a =? h - m) eqn:E; [left; exact I|]. cbv zeta.
      destruct (w =? N.lxor (f a) (f (h - m - a))) eqn:W; [right | left; apply filter_In; rewrite W; auto].
      replace w with (N.lxor (f a) (f (h - m - a))) by lia. apply two_heaps with m; try lia. apply mem_in, M. }
    destruct D as [D|D]; [|right; exact D]. apply Keep; [|exact D]. intros k K. apply Two. right. exact K. }
  destruct (Keep (leave_two c) (fun _ H => H) l I) as [D|D]; [|exact D].
  apply (IH (a + 1) _ ltac:(lia) R w D).
Qed.

Lemma singles_in h w : In w (singles h) -> option_values c f h w.
Proof.
  unfold singles. rewrite !in_app_iff, !in_flat_map. intros [O | [(m & I & O) | (m & I & O)]].
  - destruct (mem h (leave_none c)) eqn:M; [|destruct O]. destruct O as [<-|[]]. apply no_heaps; [|exact M].
    apply mem_in in M. exact (positive_in c positive _ _ M ltac:(auto)).
  - pose proof (positive_in c positive _ _ I ltac:(auto)). destruct (m <? h) eqn:L; [|destruct O]. destruct O as [<-|[]].
    apply one_heap with m; try lia. apply mem_in, I.
  - pose proof (positive_in c positive _ _ I ltac:(auto)). destruct ((m + 1 <? h) && N.even (h - m)) eqn:L; [|destruct O]. destruct O as [<-|[]].
    apply andb_true_iff in L. destruct L as [L E]. apply N.even_spec in E. destruct E as [x E].
    apply equal_heaps with m x; try lia. apply mem_in, I.
Qed.

Variable bound : N.
Hypothesis rare_heaps : forall a, 0 < a -> a < bound -> is_common mask (f a) = false -> In a rare.

Lemma heap_right h : h < bound -> heap_ok h = true -> is_mex (option_values c f h) (f h).
Proof.
  intros Within Ok. unfold heap_ok in Ok. cbv zeta in Ok.
  destruct (mem (f h) (singles h)) eqn:S; [discriminate|]. apply andb_true_iff in Ok. destruct Ok as [No All].
  rewrite forallb_forall in No. split.
  - intros O. assert (S' : ~ In (f h) (singles h)) by (rewrite <- mem_in; congruence). clear S. unfold singles in S'.
    rewrite !in_app_iff, !in_flat_map in S'. apply option_cases in O.
    destruct O as (m & P & [(E & M & V) | [(x & X & E & M & V) | [(x & X & E & M & V) | (x & y & X & Y & E & M & V)]]]); apply mem_in in M.
    + apply S'. left. subst m. apply mem_in in M. rewrite M. left. exact V.
    + apply S'. right; left. exists m. split; [exact M|]. replace (m <? h) with true by lia. left. rewrite <- V. f_equal. lia.
    + apply S'. right; right. exists m. split; [exact M|]. replace (m + 1 <? h) with true by lia. replace (h - m) with (2 * x) by lia.
      rewrite N.even_mul. left. exact V.
    + specialize (No m M). unfold no_split in No. set (rest := h - m) in *. assert (R : rest = x + y) by lia.
      assert (D : forall a, a = x \/ a = y -> differs (f h) rest a = true -> False).
      { intros a A D. unfold differs in D. replace (rest <=? a) with false in D by lia.
        replace (N.lxor (f a) (f (rest - a)) =? f h) with true in D; [lia|]. symmetry. apply N.eqb_eq. destruct A as [-> | ->].
        - replace (rest - x) with y by lia. exact V.
        - replace (rest - y) with x by lia. rewrite N.lxor_comm. exact V. }
      destruct (is_common mask (f h)) eqn:C.
      * rewrite <- V, common_sum in C. rewrite forallb_forall in No.
        destruct (is_common mask (f x)) eqn:Cx.
        -- apply (D y); [auto|]. apply No, rare_heaps; [lia | lia|]. destruct (is_common mask (f y)); [discriminate | reflexivity].
        -- apply (D x); [auto|]. apply No, rare_heaps; [lia | lia | exact Cx].
      * apply (D x); [auto|]. pose proof (N.div_mod' rest 2) as Q. pose proof (N.mod_lt rest 2 ltac:(discriminate)).
        apply (all_differ_is _ _ _ _ x No); lia.
  - intros w L. destruct (mem w (singles h)) eqn:E; [apply singles_in, mem_in, E|].
    apply (reached_is h _ 1 _ ltac:(lia) All w). apply filter_In. rewrite E. split; [|reflexivity]. apply up_to_in; lia.
Qed.
End Heap.

(* ---- All heaps below a bound, with the values of a row that repeats. ---- *)
Fixpoint find_rare (f : N -> N) (mask : N) (n : nat) (h : N) : list N :=
  match n with O => [] | S n => if is_common mask (f h) then find_rare f mask n (h + 1) else h :: find_rare f mask n (h + 1) end.
Lemma rare_found f mask n : forall h a, h <= a -> a < h + N.of_nat n -> is_common mask (f a) = false -> In a (find_rare f mask n h).
Proof.
  induction n as [|n IH]; intros h a L L' R; [lia|]. cbn [find_rare]. destruct (N.eq_dec h a) as [->|].
  - rewrite R. left. reflexivity.
  - destruct (is_common mask (f h)); [|right]; apply IH; lia || exact R.
Qed.
Fixpoint all_ok (test : N -> bool) (n : nat) (h : N) : bool :=
  match n with O => true | S n => if test h then all_ok test n (h + 1) else false end.
Lemma all_ok_is test n : forall h x, all_ok test n h = true -> h <= x -> x < h + N.of_nat n -> test x = true.
Proof.
  induction n as [|n IH]; intros h x; cbn [all_ok]; [lia|]. destruct (test h) eqn:T; [|discriminate]. intros A L L'.
  destruct (N.eq_dec x h) as [->|]; [exact T|]. apply (IH (h + 1)); [exact A | lia | lia].
Qed.
Definition heaps_ok (mask n0 p bound : N) (c : takes) (row : list N) : bool :=
  let n := N.to_nat bound in let few := row_tree row in let all := put_all (of_row n0 p few) n 0 (PositiveMap.empty N) in
  let rare := find_rare (at_tree all) mask (n - 1) 1 in all_ok (heap_ok c (at_tree all) mask rare n) n 0.

Theorem heaps_right mask n0 p bound c row : (forall m, mem m (leave_none c ++ leave_one c ++ leave_two c ++ leave_equal c) = true -> 1 <= m) ->
  heaps_ok mask n0 p bound c row = true ->
  forall h, h < bound -> is_mex (option_values c (at_heap n0 p row) h) (at_heap n0 p row h).
Proof.
  intros Positive. unfold heaps_ok. cbv zeta. set (t := put_all _ _ _ _).
  assert (Values : forall k, k < bound -> at_tree t k = at_heap n0 p row k).
  { intros k K. unfold t. rewrite at_all by (intros; lia). apply of_row_is. }
  intros Ok h L.
  assert (Right : is_mex (option_values c (at_tree t) h) (at_tree t h)).
  { eapply (heap_right c (at_tree t) mask _ _ Positive bound); [|exact L | exact (all_ok_is _ _ _ h Ok ltac:(lia) ltac:(lia))].
    intros a A B R. apply rare_found; [lia | lia | exact R]. }
  rewrite <- Values by exact L.
  assert (Same : forall w, option_values c (at_tree t) h w <-> option_values c (at_heap n0 p row) h w).
  { intros w. unfold option_values. split; intros (a & e & O & V); exists a, e; (split; [exact O|]); destruct O as (_ & S & _);
      unfold of_two in *; [rewrite <- !Values by lia | rewrite !Values by lia]; exact V. }
  destruct Right as [A R]. split; [rewrite <- Same; exact A | intros w W; apply Same, R, W].
Qed.
