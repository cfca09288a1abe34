(* Tables of values that repeat: the check by computation, and what it says of games. *)
From Coq Require Import Lia ZifyBool ZifyN ZifyNat.
From NimChecks Require Export Sparse Language.
Open Scope N_scope.

Fixpoint all_below (n : nat) (test : N -> bool) : bool :=
  match n with O => true | S k => if test (N.of_nat k) then all_below k test else false end.
Lemma all_below_is n test : all_below n test = true <-> forall w, w < N.of_nat n -> test w = true.
Proof.
  induction n as [|n IH]; cbn [all_below]; [split; [lia | reflexivity]|]. destruct (test (N.of_nat n)) eqn:E.
  - rewrite IH. split; intros A w L; [|apply A; lia]. destruct (N.eq_dec w (N.of_nat n)) as [->|]; [exact E | apply A; lia].
  - split; [discriminate|]. intros A. rewrite A in E by lia. discriminate.
Qed.

(* The values of the options of a heap h that is not split. [below]: f (h - 1), ..., f 0. *)
Definition values_found (c : takes) (zero : N) (below : list N) (h : N) : list N :=
  (if mem h (leave_none c) then [zero] else []) ++
  flat_map (fun m => if m <? h then [nth (N.to_nat (m - 1)) below 0] else []) (leave_one c).

Definition list_below (f : N -> N) (h : nat) : list N := rev (map (fun i => f (N.of_nat i)) (seq 0 h)).
Definition list_from (f : N -> N) (a n : nat) : list N := map (fun i => f (N.of_nat i)) (seq a n).
Lemma nth_below f h i : (i < h)%nat -> nth i (list_below f h) 0 = f (N.of_nat (h - 1 - i)).
Proof.
  intros L. unfold list_below. assert (Len : length (map (fun i => f (N.of_nat i)) (seq 0 h)) = h) by (rewrite map_length, seq_length; reflexivity).
  rewrite (nth_indep _ 0 (f (N.of_nat 0))) by (rewrite rev_length, Len; exact L). rewrite rev_nth by (rewrite Len; exact L). rewrite Len.
  rewrite (map_nth (fun i => f (N.of_nat i))). rewrite seq_nth by lia. f_equal. lia.
Qed.

Definition all_positive (c : takes) : Prop := forall m, mem m (leave_none c ++ leave_one c ++ leave_two c ++ leave_equal c) = true -> 1 <= m.
Definition not_split (c : takes) : Prop := leave_two c = [] /\ leave_equal c = [].
Lemma values_found_in c f h w : all_positive c -> not_split c ->
  In w (values_found c (f 0) (list_below f (N.to_nat h)) h) <-> option_values c f h w.
Proof.
  intros Pos [Two Equal]. pose proof (positive_in c Pos) as Pos'. unfold values_found. rewrite in_app_iff, in_flat_map. split.
  - intros [O | (m & I & O)].
    + destruct (mem h (leave_none c)) eqn:M; [|destruct O]. destruct O as [<-|[]]. apply no_heaps; [|exact M].
      apply mem_in in M. exact (Pos' _ _ M ltac:(auto)).
    + pose proof (Pos' _ _ I ltac:(auto)). destruct (m <? h) eqn:L; [|destruct O]. destruct O as [<-|[]].
      rewrite nth_below by lia. apply one_heap with m; try lia. apply mem_in, I.
  - intros O. apply option_cases in O.
    destruct O as (m & P & [(E & M & <-) | [(x & X & E & M & <-) | [(x & _ & _ & M & _) | (x & y & _ & _ & _ & M & _)]]]).
    + left. subst m. rewrite M. left. reflexivity.
    + right. exists m. split; [apply mem_in, M|]. replace (m <? h) with true by lia. left. rewrite nth_below by lia. f_equal. lia.
    + rewrite Equal in M. discriminate.
    + rewrite Two in M. discriminate.
Qed.

(* What is right at every heap below a bound, one after the other: [own], the values of the mover; [others], those of the
   one who moves next. *)
Section Walk.
Variables (c : takes) (zero : N) (test : list N -> N -> bool).
Fixpoint check_heaps (below own others : list N) (h : N) : bool :=
  match own, others with
  | v :: own, u :: others =>
      if test (values_found c zero below h) v then check_heaps (u :: below) own others (h + 1) else false
  | _, _ => true
  end.
End Walk.
Lemma check_heaps_all c f g n test :
  check_heaps c (f 0) test [] (list_from g 0 n) (list_from f 0 n) 0 = true ->
  forall h, h < N.of_nat n -> test (values_found c (f 0) (list_below f (N.to_nat h)) h) (g h) = true.
Proof.
  enough (H : forall k a, (a + k = n)%nat ->
    check_heaps c (f 0) test (list_below f a) (list_from g a k) (list_from f a k) (N.of_nat a) = true ->
    forall h, N.of_nat a <= h -> h < N.of_nat n ->
      test (values_found c (f 0) (list_below f (N.to_nat h)) h) (g h) = true).
  { intros W h L. apply (H n 0%nat); [lia | exact W | lia | exact L]. }
  induction k as [|k IH]; intros a E W h L L'; [lia|]. unfold list_from in W. cbn [seq map check_heaps] in W.
  destruct (test _ _) eqn:T in W; [|discriminate]. destruct (N.eq_dec h (N.of_nat a)) as [->|NE]; [rewrite Nat2N.id; exact T|].
  apply (IH (S a)); [lia | | lia | exact L'].
  replace (N.of_nat (S a)) with (N.of_nat a + 1) by lia.
  replace (list_below f (S a)) with (f (N.of_nat a) :: list_below f a); [exact W|].
  unfold list_below. rewrite seq_S, map_app, rev_app_distr. reflexivity.
Qed.

(* The two rules. *)
Definition mex_test (l : list N) (v : N) : bool := if mem v l then false else all_below (N.to_nat v) (fun w => mem w l).
Lemma mex_values : about_values is_mex.
Proof. intros S T v E [A R]. split; [rewrite <- E; exact A | intros w L; apply E, R, L]. Qed.
Lemma mex_tested l v : mex_test l v = true -> is_mex (fun w => In w l) v.
Proof.
  unfold mex_test. destruct (mem v l) eqn:M; [discriminate|]. intros A. split.
  - intros I. apply mem_in in I. congruence.
  - intros w L. apply mem_in. rewrite all_below_is in A. apply A. lia.
Qed.
(* Of n players, counted from the mover: the one who comes soonest among those who may be made to win; [stuck] if none. *)
Definition is_best (n stuck : N) (S : N -> Prop) (v : N) : Prop :=
  ((forall w, ~ S w) /\ v = stuck) \/ ((forall w, S w -> v <= (w + 1) mod n) /\ exists w, S w /\ v = (w + 1) mod n).
Definition best_test (n stuck : N) (l : list N) (v : N) : bool :=
  match l with [] => v =? stuck
  | _ => forallb (fun w => v <=? (w + 1) mod n) l && existsb (fun w => v =? (w + 1) mod n) l end.
Lemma best_values n stuck : about_values (is_best n stuck).
Proof.
  intros S T v E [[No V] | [A (w & W & V)]]; [left | right].
  - split; [|exact V]. intros w W. apply (No w), E, W.
  - split; [|exists w; split; [apply E, W | exact V]]. intros u U. apply A, E, U.
Qed.
Lemma best_tested n stuck l v : best_test n stuck l v = true -> is_best n stuck (fun w => In w l) v.
Proof.
  unfold best_test. destruct l as [|x l]; [intros E; left; split; [intros w [] | lia]|].
  rewrite andb_true_iff, forallb_forall, existsb_exists. intros [A (w & I & V)]. right. split.
  - intros u U. specialize (A u U). lia.
  - exists w. split; [exact I | lia].
Qed.

(* ---- The checks. ---- *)
Definition all_takes (c : takes) : list N := leave_none c ++ leave_one c ++ leave_two c ++ leave_equal c.
Definition takes_ok (last : N) (c : takes) : bool := forallb (fun m => (1 <=? m) && (m <=? last)) (all_takes c).
Definition row_ok (n0 p bound : N) (test : list N -> N -> bool) (c : takes) (own others : list N) : bool :=
  let f := at_heap n0 p others in let n := N.to_nat bound in
  check_heaps c (f 0) test [] (list_from (at_heap n0 p own) 0 n) (list_from f 0 n) 0.
Fixpoint same_list (l k : list N) : bool :=
  match l, k with [], [] => true | x :: l, y :: k => (x =? y) && same_list l k | _, _ => false end.
Definition all_in_test (l k : list N) : bool := forallb (fun m => mem m k) l.

(* Heaps are not split. *)
Definition few_ok (n0 p last : N) (test : list N -> N -> bool) (c : takes) (own others : list N) : bool :=
  (1 <=? p) && takes_ok last c && same_list (leave_two c ++ leave_equal c) [] && ((1 <=? n0) || same_list (leave_none c) (leave_one c)) &&
  row_ok n0 p (n0 + p + last) test c own others.
(* They may be: by the sparse space of a mask. *)
Definition split_ok (n0 p last mask : N) (c : takes) (row : list N) : bool :=
  (1 <=? p) && (1 <=? n0) && takes_ok last c && (all_in_test (leave_equal c) (leave_two c) || (p mod 2 =? 0)) &&
  heaps_ok mask n0 p (2 * n0 + 2 * p + (if all_in_test (leave_two c) (leave_equal c) then 0 else p) + last) c row.

Lemma takes_in last c m : takes_ok last c = true -> mem m (all_takes c) = true -> 1 <= m /\ m <= last.
Proof. unfold takes_ok. rewrite forallb_forall, mem_in. intros A I. specialize (A m I). lia. Qed.
Lemma same_list_is l k : same_list l k = true -> l = k.
Proof. revert k. induction l as [|x l IH]; intros [|y k]; cbn; try easy. rewrite andb_true_iff. intros [E S]. f_equal; [lia | auto]. Qed.
Lemma all_in_tested l k : all_in_test l k = true -> all_in l k.
Proof. unfold all_in_test. rewrite forallb_forall. intros A m M. apply A, mem_in, M. Qed.

Section Checked.
Variables (n0 p last : N) (test : list N -> N -> bool) (rule : (N -> Prop) -> N -> Prop).
Hypothesis rule_same : about_values rule.
Hypothesis tested : forall l v, test l v = true -> rule (fun w => In w l) v.

Lemma row_right bound c own others : takes_ok last c = true -> not_split c -> row_ok n0 p bound test c own others = true ->
  forall h, h < bound -> rule (option_values c (at_heap n0 p others) h) (at_heap n0 p own h).
Proof.
  intros T Few W h L. assert (Pos : all_positive c) by (intros m M; apply (takes_in last c m T M)).
  pose proof (check_heaps_all c _ _ _ test W h ltac:(lia)) as V. apply tested in V.
  apply (rule_same _ _ _ (fun w => values_found_in c _ h w Pos Few) V).
Qed.

Theorem few_checked (c : player -> takes) (rows : player -> list N) :
  (forall q, few_ok n0 p last test (c q) (rows q) (rows (other q)) = true) ->
  (forall q, leave_two (c q) = [] /\ leave_equal (c q) = []) /\
  forall q h, rule (option_values (c q) (at_heap n0 p (rows (other q))) h) (at_heap n0 p (rows q) h).
Proof.
  intros Ok. assert (Parts : forall q, 1 <= p /\ takes_ok last (c q) = true /\ leave_two (c q) ++ leave_equal (c q) = [] /\
    (1 <= n0 \/ leave_none (c q) = leave_one (c q)) /\ row_ok n0 p (n0 + p + last) test (c q) (rows q) (rows (other q)) = true).
  { intros q. specialize (Ok q). unfold few_ok in Ok. rewrite !andb_true_iff, orb_true_iff in Ok.
    destruct Ok as [[[[P T] F] S] W]. apply same_list_is in F.
    repeat split; try assumption; [lia|]. destruct S as [S|S]; [left; lia | right; apply same_list_is, S]. }
  assert (Few : forall q, leave_two (c q) = [] /\ leave_equal (c q) = []) by (intros q; apply app_eq_nil, Parts).
  split; [exact Few|]. destruct (Parts First) as (P & _).
  apply (few_repeats rule c (fun q => at_heap n0 p (rows q)) n0 p last rule_same).
  - intros q m M. apply (takes_in last (c q) m); [apply Parts | exact M].
  - exact P.
  - intros q h L. replace (h + p) with (h + 1 * p) by lia. apply at_heap_repeats; lia.
  - exact Few.
  - destruct (N.eq_dec n0 0) as [Z|]; [right | left; lia]. intros q. destruct (Parts q) as (_ & _ & _ & [S|S] & _); [lia | exact S].
  - intros q h L. apply (row_right (n0 + p + last)); try apply Parts; [apply Few | exact L].
Qed.
End Checked.

Theorem split_checked n0 p last mask (c : takes) (row : list N) : split_ok n0 p last mask c row = true ->
  forall h, is_mex (option_values c (at_heap n0 p row) h) (at_heap n0 p row h).
Proof.
  unfold split_ok. rewrite !andb_true_iff. intros [[[[P N0] T] E] W].
  set (more := if all_in_test (leave_two c) (leave_equal c) then 0 else p) in *.
  apply (split_repeats is_mex (fun _ => c) (fun _ => at_heap n0 p row) n0 p last mex_values) with (q := First) (more := more).
  - intros q m M. exact (proj2 (takes_in last c m T M)).
  - lia.
  - intros q h L. replace (h + p) with (h + 1 * p) by lia. apply at_heap_repeats; lia.
  - lia.
  - intros q. unfold more. destruct (all_in_test (leave_two c) (leave_equal c)) eqn:A; [left; exact (all_in_tested _ _ A) | right; reflexivity].
  - intros q. apply orb_true_iff in E. destruct E as [E|E]; [left; exact (all_in_tested _ _ E) | right; lia].
  - intros q h L. exact (heaps_right mask n0 p _ c row (fun m M => proj1 (takes_in last c m T M)) ltac:(lia) ltac:(lia) W h L).
Qed.

(* ---- Games whose moves are read: heaps are not split. ---- *)
Section OneHeap.
Variables (g : game) (c : player -> takes) (f : player -> N -> N).
Hypothesis reads : forall q h y, becomes g q h y <-> leaves (c q) h 0 y.
Hypothesis any_heap : of_largest g = false.
Hypothesis few : forall q, leave_two (c q) = [] /\ leave_equal (c q) = [].

Lemma few_smaller q h y : becomes g q h y -> y < h.
Proof. clear - reads. rewrite reads. intros (_ & L & _). lia. Qed.
Lemma few_move q h t : move g q [h] t <-> exists y, leaves (c q) h 0 y /\ t ≡ [y].
Proof.
  split.
  - intros (x & y & R & P & S & T & B & _). assert (I : x ∈ [h]) by (rewrite S; apply heap_of_cons; auto).
    apply heap_of_cons in I. destruct I as [[_ ->]|I]; [|destruct (no_heap x I)].
    exists y. split; [apply reads, B|]. rewrite T. apply same_rest in S; [rewrite <- S; reflexivity | exact P].
  - intros (y & L & T). exists h, y, []. rewrite any_heap. assert (0 < h) by (destruct L as (_ & L & _); lia).
    split; [assumption|]. split; [reflexivity|]. split; [exact T|]. split; [apply reads, L | discriminate].
Qed.
Lemma few_options q k h w : option_values (c q) k h w <-> exists y, leaves (c q) h 0 y /\ k y = w.
Proof.
  clear - few. split; [|intros (y & L & V); exists 0, y; split; [exact L | exact V]].
  intros (a & e & L & V). assert (a = 0) as ->; [|exists e; split; [exact L | exact V]].
  destruct L as (O & _ & M). unfold may_take in M. destruct (few q) as [N T]. rewrite N, T in M.
  destruct (e =? 0) eqn:E; [lia|]. destruct (a =? 0) eqn:A; [lia|]. destruct (a =? e); discriminate.
Qed.

(* Who of two players wins. *)
Theorem few_wins : (forall q h, is_best 2 (if stuck_wins g then 0 else 1) (option_values (c q) (f (other q)) h) (f q h)) ->
  forall q h, wins g q [h] <-> f q h = 0.
Proof.
  intros Best. enough (H : forall h q, (f q h = 0 -> wins g q [h]) /\ (f q h <> 0 -> loses g q [h])).
  { intros q h. split; [|apply H]. intros W. destruct (N.eq_dec (f q h) 0) as [|NZ]; [assumption|].
    destruct (not_both g few_smaller q [h] W). apply H. exact NZ. }
  induction h as [h IH] using (well_founded_induction N.lt_wf_0). intros q.
  assert (Small : forall y, leaves (c q) h 0 y -> y < h) by (intros y (_ & L & _); lia).
  destruct (Best q h) as [[No V] | [A (w & W & V)]].
  - assert (Stuck : forall t, ~ move g q [h] t).
    { intros t M. apply few_move in M. destruct M as (y & L & _). apply (No (f (other q) y)). apply few_options. eauto. }
    split; intros E; destruct (stuck_wins g) eqn:St; try lia.
    + apply no_move; assumption.
    + constructor; [congruence|]. intros t M. destruct (Stuck t M).
  - apply few_options in W. destruct W as (y & L & <-). split; intros E.
    + assert (Y : f (other q) y <> 0) by (intros Z; rewrite Z in V; cbn in V; lia).
      apply some_move with [y]; [apply few_move; exists y; split; [exact L | reflexivity]|]. apply IH; auto.
    + constructor; [intros _; exists [y]; apply few_move; exists y; split; [exact L | reflexivity]|].
      intros t M. apply few_move in M. destruct M as (z & Lz & T). rewrite T. apply IH; [auto|].
      specialize (A (f (other q) z) ltac:(apply few_options; eauto)).
      destruct (N.eq_dec (f (other q) z) 0) as [|NZ]; [assumption|]. exfalso.
      (* both values are 0 or 1 *)
      assert (One : f (other q) z = 1).
      { destruct (Best (other q) z) as [[_ Vz] | [_ (u & _ & Vz)]]; [destruct (stuck_wins g); lia|].
        pose proof (N.mod_lt (u + 1) 2 ltac:(discriminate)). lia. }
      rewrite One in A. cbn in A. lia.
Qed.
End OneHeap.

(* Players with the same moves. *)
Section Alike.
Variables (g : game) (c : takes) (f : N -> N).
Hypothesis reads : forall q h y, becomes g q h y <-> leaves c h 0 y.
Hypothesis any_heap : of_largest g = false.
Hypothesis few : leave_two c = [] /\ leave_equal c = [].

Theorem few_winner n : (forall h, is_best n (if stuck_wins g then 0 else n - 1) (option_values c f h) (f h)) ->
  forall h, winner g n [h] (f h).
Proof.
  intros Best h. induction h as [h IH] using (well_founded_induction N.lt_wf_0).
  pose proof (few_move g (fun _ => c) reads any_heap First h) as Moves.
  pose proof (few_options (fun _ => c) (fun _ => few) First f h) as Options. cbv beta in *.
  destruct (Best h) as [[No V] | [A (w & W & V)]].
  - apply stuck_first; [|exact V]. intros t M. apply Moves in M. destruct M as (y & L & _).
    apply (No (f y)), Options. eauto.
  - apply least_option.
    + intros t M. apply Moves in M. destruct M as (y & L & T). exists (f y). split.
      * apply (winner_same g n [y]); [symmetry; exact T | apply IH; destruct L as (_ & L & _); lia].
      * apply A, Options. eauto.
    + apply Options in W. destruct W as (y & L & <-). exists [y], (f y). split; [|split; [|exact V]].
      * apply Moves. exists y. split; [exact L | reflexivity].
      * apply IH. destruct L as (_ & L & _). lia.
Qed.

End Alike.

(* Grundy values: [option h y], a heap h may become y. *)
Section ByOptions.
Variables (g : game) (option : N -> N -> Prop) (f : N -> N).
Hypothesis reads : forall q h y, becomes g q h y <-> option h y.
Hypothesis less : forall h y, option h y -> y < h.
Hypothesis any_heap : of_largest g = false.
Hypothesis normal : stuck_wins g = false.
Hypothesis mex_all : forall h, is_mex (fun w => exists y, option h y /\ f y = w) (f h).

Lemma read_impartial : impartial g.
Proof.
  split; [intros q h y B; apply (less h), (reads q), B | exact any_heap | exact normal |].
  intros q h y B. rewrite !reads in *. auto.
Qed.
Theorem read_value h : value g [h] (f h).
Proof.
  induction h as [h IH] using (well_founded_induction N.lt_wf_0). destruct (mex_all h) as [A R]. constructor.
  - intros t M. apply (move_heap g) in M. destruct M as (y & B & T). apply reads in B. exists (f y). split.
    + intros E. apply A. exists y. auto.
    + apply (value_same g [y]); [symmetry; exact T | apply IH, less, B].
  - intros w W. destruct (R w W) as (y & L & <-). exists [y]. split; [|apply IH, less, L].
    apply (heap_move g read_impartial First h y [] [h]); [apply reads, L | reflexivity].
Qed.
Theorem read_table : values g (nim_sum_of f) /\ (forall q s, wins g q s <-> nim_sum_of f s <> 0) /\
  forall h, nim_sum_of f [h] = f h.
Proof.
  split; [exact (values_of_sums g read_impartial f read_value)|].
  split; [exact (wins_sum g read_impartial f read_value) | exact (sum_of_one g f read_value)].
Qed.
End ByOptions.

(* ---- Heaps may be split. ---- *)
Section Split.
Variables (g : splitting) (c : takes) (f : N -> N).
Hypothesis reads : forall q h o, parts g q h o -> exists a e, leaves c h a e /\ o ≡ [a; e].
Hypothesis reads_back : forall q h a e, leaves c h a e -> exists o, parts g q h o /\ o ≡ [a; e].
Hypothesis mex_all : forall h, is_mex (option_values c f h) (f h).

Lemma split_zero : f 0 = 0.
Proof.
  destruct (mex_all 0) as [_ R]. destruct (N.eq_dec (f 0) 0) as [|NZ]; [assumption|].
  destruct (R 0 ltac:(lia)) as (a & e & (_ & L & _) & _). lia.
Qed.
Lemma split_two a e : nim_sum_of f [a; e] = of_two f a e.
Proof.
  rewrite !nim_sum_of_cons, nim_sum_of_none, N.lxor_0_r. unfold of_two. destruct (a =? 0); rewrite ?N.lxor_0_l;
    destruct (e =? 0) eqn:E; try reflexivity; replace e with 0 by lia; rewrite split_zero; reflexivity.
Qed.
Lemma split_fewer q h o : 0 < h -> parts g q h o -> total o < h.
Proof. intros _ B. apply reads in B. destruct B as (a & e & (_ & L & _) & ->). cbn. lia. Qed.
Lemma split_avoided q h o : 0 < h -> parts g q h o -> nim_sum_of f o <> f h.
Proof.
  intros _ B. apply reads in B. destruct B as (a & e & L & ->). rewrite split_two. intros E.
  destruct (mex_all h) as [A _]. apply A. exists a, e. auto.
Qed.
Lemma split_reached q h w : 0 < h -> w < f h -> exists o, parts g q h o /\ nim_sum_of f o = w.
Proof.
  intros _ L. destruct (mex_all h) as [_ R]. destruct (R w L) as (a & e & O & <-).
  destruct (reads_back q h a e O) as (o & B & E). exists o. split; [exact B|]. rewrite E. apply split_two.
Qed.
Theorem split_sums : split_values g (nim_sum_of f).
Proof. exact (split_values_of_sums g f split_fewer split_avoided split_reached). Qed.
Theorem split_sum_wins q s : split_stuck_wins g = false -> split_wins g q s <-> nim_sum_of f s <> 0.
Proof. exact (split_wins_sum g f split_fewer split_avoided split_reached q s). Qed.
Theorem split_one h : nim_sum_of f [h] = f h.
Proof. rewrite nim_sum_of_cons, nim_sum_of_none, N.lxor_0_r. destruct (h =? 0) eqn:E; [|reflexivity]. replace h with 0 by lia. symmetry. exact split_zero. Qed.
End Split.

(* ---- A table that is checked, and a game whose moves it has. ---- *)
Section Tables.
Variables (n0 p last : N).

Theorem table_of_values g c row : (forall q h y, becomes g q h y <-> leaves c h 0 y) ->
  of_largest g = false -> stuck_wins g = false -> few_ok n0 p last mex_test c row row = true ->
  let f := at_heap n0 p row in values g (nim_sum_of f) /\ (forall q s, wins g q s <-> nim_sum_of f s <> 0) /\
  forall h, nim_sum_of f [h] = f h.
Proof.
  intros Reads Any Normal Ok f.
  destruct (few_checked n0 p last _ _ mex_values mex_tested (fun _ => c) (fun _ => row) (fun _ => Ok)) as [Few Mex].
  specialize (Few First). specialize (Mex First). cbv beta in *. fold f in Mex.
  apply (read_table g (fun h y => leaves c h 0 y) f Reads); [intros h y (_ & L & _); lia | exact Any | exact Normal |].
  intros h. apply (mex_values (option_values c f h)); [|exact (Mex h)].
  intros w. exact (few_options (fun _ => c) (fun _ => Few) First f h w).
Qed.
Theorem table_of_splits mask g c row : (forall q h o, parts g q h o -> exists a e, leaves c h a e /\ o ≡ [a; e]) ->
  (forall q h a e, leaves c h a e -> exists o, parts g q h o /\ o ≡ [a; e]) ->
  split_stuck_wins g = false -> split_ok n0 p last mask c row = true ->
  let f := at_heap n0 p row in split_values g (nim_sum_of f) /\ (forall q s, split_wins g q s <-> nim_sum_of f s <> 0) /\
  forall h, nim_sum_of f [h] = f h.
Proof.
  intros Reads Back Normal Ok f. pose proof (split_checked n0 p last mask c row Ok) as Mex.
  fold f in Mex. split; [|split].
  - exact (split_sums g c f Reads Back Mex).
  - intros q s. exact (split_sum_wins g c f Reads Back Mex q s Normal).
  - exact (split_one c f Mex).
Qed.
Theorem table_of_wins g c rows : (forall q h y, becomes g q h y <-> leaves (c q) h 0 y) -> of_largest g = false ->
  (forall q, few_ok n0 p last (best_test 2 (if stuck_wins g then 0 else 1)) (c q) (rows q) (rows (other q)) = true) ->
  forall q h, wins g q [h] <-> at_heap n0 p (rows q) h = 0.
Proof.
  intros Reads Any Ok. destruct (few_checked n0 p last _ _ (best_values _ _) (best_tested _ _) c rows Ok) as [Few Best].
  exact (few_wins g c (fun q => at_heap n0 p (rows q)) Reads Any Few Best).
Qed.
Theorem table_of_winners g n c row : (forall q h y, becomes g q h y <-> leaves c h 0 y) -> of_largest g = false ->
  few_ok n0 p last (best_test n (if stuck_wins g then 0 else n - 1)) c row row = true ->
  forall h, winner g n [h] (at_heap n0 p row h).
Proof.
  intros Reads Any Ok.
  destruct (few_checked n0 p last _ _ (best_values _ _) (best_tested _ _) (fun _ => c) (fun _ => row) (fun _ => Ok)) as [Few Best].
  exact (few_winner g c _ Reads Any (Few First) n (Best First)).
Qed.
End Tables.

(* Any large number may be taken: those above [last] and those of the list, so that one heap is left or none. *)
Definition all_from (last : N) (l : list N) (m : N) : bool := if last <? m then true else (1 <=? m) && mem m l.
Definition rising (n0 p s : N) (row : list N) (h : N) : N := at_heap n0 p row h + (if h <? n0 then 0 else s * ((h - n0) / p)).
Definition occurs (f : N -> N) (n : N) (v : N) : bool := negb (all_below (N.to_nat n) (fun j => negb (f j =? v))).
Definition all_but_ok (n0 p s last n1 above : N) (l row : list N) : bool :=
  let f := rising n0 p s row in
  (1 <=? p) && (n0 <=? n1) && all_below (N.to_nat (n0 + p)) (fun j => f j <? above) &&
  all_below (N.to_nat above) (occurs f n1) && all_below (N.to_nat (above + s)) (occurs f (n1 + p)) &&
  all_below (N.to_nat (n1 + p + last)) (fun h =>
    mex_test (flat_map (fun y => if all_from last l (h - y) then [f y] else []) (map N.of_nat (seq 0 (N.to_nat h)))) (f h)).

Lemma rising_repeats n0 p s row h times : p <> 0 /\ n0 <= h -> rising n0 p s row (h + times * p) = rising n0 p s row h + times * s.
Proof.
  intros [P L]. unfold rising. rewrite at_heap_repeats by assumption. replace (h + times * p <? n0) with false by lia.
  replace (h <? n0) with false by lia. replace (h + times * p - n0) with (h - n0 + times * p) by lia.
  rewrite N.div_add by exact P. lia.
Qed.
Lemma occurs_is f n v : occurs f n v = true -> exists j, j < n /\ f j = v.
Proof.
  unfold occurs. intros O. apply negb_true_iff in O. enough (H : forall k, (k <= N.to_nat n)%nat ->
    all_below k (fun j => negb (f j =? v)) = false -> exists j, j < n /\ f j = v) by (exact (H _ (le_n _) O)).
  induction k as [|k IH]; [discriminate|]. cbn [all_below]. intros L. destruct (f (N.of_nat k) =? v) eqn:E; cbn [negb].
  - intros _. exists (N.of_nat k). split; lia.
  - apply IH. lia.
Qed.
Theorem table_of_all_but n0 p s last n1 above g l row :
  (forall q h y, becomes g q h y <-> y < h /\ all_from last l (h - y) = true) ->
  of_largest g = false -> stuck_wins g = false -> all_but_ok n0 p s last n1 above l row = true ->
  let f := rising n0 p s row in values g (nim_sum_of f) /\ (forall q t, wins g q t <-> nim_sum_of f t <> 0) /\
  forall h, nim_sum_of f [h] = f h.
Proof.
  intros Reads Any Normal Ok f. unfold all_but_ok in Ok. fold f in Ok. rewrite !andb_true_iff, !all_below_is in Ok.
  destruct Ok as [[[[[P L1] Lo] S1] S2] C].
  apply (read_table g (fun h y => y < h /\ all_from last l (h - y) = true) f Reads); [intros h y [L _]; exact L | exact Any | exact Normal |].
  apply (all_but_repeats (all_from last l) f n0 p s last n1 above).
  - lia.
  - intros h L. replace (h + p) with (h + 1 * p) by lia. unfold f. rewrite rising_repeats by lia. lia.
  - intros m M. unfold all_from. destruct (last <? m) eqn:E; [reflexivity | lia].
  - lia.
  - intros j J. specialize (Lo j ltac:(lia)). cbv beta in Lo. lia.
  - intros v V. exact (occurs_is f n1 v (S1 v ltac:(lia))).
  - intros v V. exact (occurs_is f (n1 + p) v (S2 v ltac:(lia))).
  - intros h L. specialize (C h ltac:(lia)). cbv beta in C. apply mex_tested in C.
    revert C. apply mex_values. intros w. rewrite in_flat_map. unfold taken_values. split.
    + intros (y & I & M). apply in_map_iff in I. destruct I as (i & <- & I). apply in_seq in I.
      destruct (all_from last l (h - N.of_nat i)) eqn:B; [destruct M as [<- | []] | destruct M].
      exists (N.of_nat i). split; [split; [lia | exact B] | reflexivity].
    + intros (y & [Y B] & <-). exists y. split; [apply in_map_iff; exists (N.to_nat y); split; [lia | apply in_seq; lia]|].
      rewrite B. left. reflexivity.
Qed.

(* A statement about all numbers: at the first ones by computation, and then from each to the one a step further. *)
Lemma by_steps (holds : N -> bool) low first step : 0 < step -> low <= first ->
  all_below (N.to_nat (first + step - low)) (fun i => holds (low + i)) = true ->
  (forall x, first <= x -> holds x = true -> holds (x + step) = true) -> forall x, low <= x -> holds x = true.
Proof.
  intros P L Few More x. induction x as [x IH] using (well_founded_induction N.lt_wf_0). intros X.
  destruct (N.lt_ge_cases x (first + step)) as [B|B].
  - rewrite all_below_is in Few. specialize (Few (x - low) ltac:(lia)). cbv beta in Few.
    replace (low + (x - low)) with x in Few by lia. exact Few.
  - replace x with (x - step + step) by lia. apply More; [lia | apply IH; lia].
Qed.

(* That moves are those of what may be taken, by trying the numbers. *)
Ltac is_number a := lazymatch a with 0 => idtac | N.pos ?p => lazymatch isPcst p with true => idtac end end.
Ltac compute_numbers :=
  let known f a b := is_number a; is_number b; let v := eval vm_compute in (f a b) in change (f a b) with v in * in
  repeat match goal with
  | |- context [N.eqb ?a ?b] => known N.eqb a b | H : context [N.eqb ?a ?b] |- _ => known N.eqb a b
  | |- context [N.modulo ?a ?b] => known N.modulo a b | H : context [N.modulo ?a ?b] |- _ => known N.modulo a b
  | |- context [N.div ?a ?b] => known N.div a b | H : context [N.div ?a ?b] |- _ => known N.div a b
  | H : context [if true then _ else _] |- _ => cbv iota in H | H : context [if false then _ else _] |- _ => cbv iota in H
  end; cbv iota.
Ltac for_each_player q :=
  try match goal with H : context [q] |- _ => destruct q | |- context [q] => destruct q end; cbn [same_player] in *;
  open_items.
Ltac known_player :=
  repeat match goal with
  | H : First = First -> _ |- _ => specialize (H eq_refl) | H : Second = Second -> _ |- _ => specialize (H eq_refl)
  | H : First = Second -> _ |- _ => clear H | H : Second = First -> _ |- _ => clear H
  | H : First <> First -> _ |- _ => clear H | H : Second <> Second -> _ |- _ => clear H
  | H : First <> Second -> _ |- _ => specialize (H ltac:(discriminate))
  | H : Second <> First -> _ |- _ => specialize (H ltac:(discriminate))
  end.
Ltac try_numbers :=
  open_items;
  unfold may_take in *; cbn [leave_none leave_one leave_two leave_equal] in *;
  repeat match goal with |- context [if ?a =? ?b then _ else _] => destruct (a =? b) eqn:? | H : context [if ?a =? ?b then _ else _] |- _ => destruct (a =? b) eqn:? end;
  cbn [mem] in *; compute_numbers; 
  repeat match goal with |- context [if ?a =? ?b then _ else _] => destruct (a =? b) eqn:? | H : context [if ?a =? ?b then _ else _] |- _ => destruct (a =? b) eqn:? end;
  repeat match goal with |- _ /\ _ => split | |- _ -> _ => intros end; first [discriminate | reflexivity | lia | congruence].
Ltac read_moves :=
  let B := fresh "B" in let M := fresh "M" in intros q h y; split;
  [ intros B; hnf in B; for_each_player q; take_apart; known_player; unfold leaves;
    match goal with m : N |- context [h - ?z] => replace (h - z) with m by lia end; try_numbers
  | intros (_ & ? & M); hnf; for_each_player q; exists (h - y);
    replace (h - (0 + y)) with (h - y) in M by lia; try_numbers ].
Ltac read_all_but :=
  let B := fresh "B" in let M := fresh "M" in intros q h y; unfold all_from; split;
  [ intros B; hnf in B; for_each_player q; take_apart; known_player;
    match goal with m : N |- context [h - ?z] => replace (h - z) with m by lia end; split; [lia|];
    destruct (_ <? _) eqn:?; [reflexivity | small_numbers; cbn [mem]; compute_numbers; try_numbers]
  | intros (? & M); hnf; for_each_player q; exists (h - y);
    destruct (_ <? _) eqn:? in M; [|cbn [mem] in M]; try_numbers ].
Ltac read_parts :=
  let B := fresh "B" in intros q h o B; hnf in B; for_each_player q; take_apart; open_items; subst o;
  eexists _, _; (split; [|reflexivity]); unfold leaves;
  match goal with m : N |- context [h - ?z] => replace (h - z) with m by lia end; small_numbers; try_numbers.
Ltac read_parts_back :=
  let M := fresh "M" in
  intros q h a e (? & ? & M); exists [a; e]; (split; [|reflexivity]); hnf; for_each_player q;
  let m := fresh "m" in remember (h - (a + e)) as m;
  first [ exists m, a, e; solve [try_numbers] | exists m, e, a; solve [try_numbers] | exists a, m, e; solve [try_numbers] | exists a, e; solve [try_numbers] ].

(* A heap, a remainder and a quotient a step further. *)
Lemma step_heap n0 p row h h' times : p <> 0 /\ n0 <= h /\ h' = h + times * p -> at_heap n0 p row h' = at_heap n0 p row h.
Proof. intros (P & L & ->). apply at_heap_repeats; assumption. Qed.
Lemma step_rising n0 p s row h h' times : p <> 0 /\ n0 <= h /\ h' = h + times * p ->
  rising n0 p s row h' = rising n0 p s row h + times * s.
Proof. intros (P & L & ->). apply rising_repeats. auto. Qed.
Lemma step_mod a a' times d : d <> 0 /\ a' = a + times * d -> a' mod d = a mod d.
Proof. intros (D & ->). apply N.mod_add, D. Qed.
Lemma step_floordiv a a' times d : d <> 0 /\ a' = a + times * d -> a' / d = a / d + times.
Proof. intros (D & ->). apply N.div_add, D. Qed.
(* What a statement says, by its truth value: values, quotients and remainders are numbers like others. *)
Ltac forget_values :=
  let forget x := generalize dependent x; intros in
  repeat match goal with
  | H : context [?a mod ?b] |- _ => forget (a mod b) | |- context [?a mod ?b] => forget (a mod b)
  | H : context [?a / ?b] |- _ => forget (a / b) | |- context [?a / ?b] => forget (a / b)
  | H : context [N.lxor ?a ?b] |- _ => forget (N.lxor a b) | |- context [N.lxor ?a ?b] => forget (N.lxor a b)
  | H : context [at_heap ?n ?p ?r ?h] |- _ => forget (at_heap n p r h)
  | |- context [at_heap ?n ?p ?r ?h] => forget (at_heap n p r h)
  | H : context [rising ?n ?p ?s ?r ?h] |- _ => forget (rising n p s r h)
  | |- context [rising ?n ?p ?s ?r ?h] => forget (rising n p s r h)
  | H : context [N.testbit ?s ?x] |- _ => forget (N.testbit s x) | |- context [N.testbit ?s ?x] => forget (N.testbit s x)
  end;
  repeat match goal with b : bool |- _ => destruct b end.
Ltac by_values := first [assumption | forget_values; first [lia | cases; lia] | lia].
