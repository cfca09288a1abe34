(* Values of single heaps that repeat: a table of them, the check of finitely many heaps, and why that is enough. *)
From Coq Require Import Lia ZifyBool ZifyN ZifyNat.
From NimChecks Require Export Splitting Least.
Open Scope N_scope.

(* ---- What may be taken of a heap, and the values of what is left. ---- *)
(* The numbers that may be taken so that nothing, one heap, two different or two equal heaps are left. *)
Record takes := { leave_none : list N; leave_one : list N; leave_two : list N; leave_equal : list N }.
Fixpoint mem (m : N) (l : list N) : bool := match l with [] => false | x :: r => if m =? x then true else mem m r end.
Definition may_take (c : takes) (m a e : N) : bool :=
  mem m (if e =? 0 then leave_none c else if a =? 0 then leave_one c else if a =? e then leave_equal c else leave_two c).
(* Heaps a and e are left of h; 0 is no heap. *)
Definition leaves (c : takes) (h a e : N) : Prop := a <= e /\ a + e < h /\ may_take c (h - (a + e)) a e = true.
(* The value of what is left; and those of all options of h. *)
Definition of_two (f : N -> N) (a e : N) : N := if a =? 0 then f e else N.lxor (f a) (f e).
Definition option_values (c : takes) (f : N -> N) (h w : N) : Prop := exists a e, leaves c h a e /\ of_two f a e = w.

Lemma mem_in m l : mem m l = true <-> In m l.
Proof. induction l as [|x r IH]; cbn; [easy|]. destruct (m =? x) eqn:E; [|rewrite IH]; intuition lia. Qed.
Lemma no_heaps c f h : 0 < h -> mem h (leave_none c) = true -> option_values c f h (f 0).
Proof. intros P M. exists 0, 0. split; [|reflexivity]. split; [lia|]. split; [lia|]. now replace (h - (0 + 0)) with h by lia. Qed.
Lemma one_heap c f h m x : 0 < m -> 0 < x -> m + x = h -> mem m (leave_one c) = true -> option_values c f h (f x).
Proof.
  intros P X E M. exists 0, x. split; [|reflexivity]. split; [lia|]. split; [lia|]. replace (h - (0 + x)) with m by lia.
  unfold may_take. now replace (x =? 0) with false by lia.
Qed.
Lemma equal_heaps c f h m x : 0 < m -> 0 < x -> m + 2 * x = h -> mem m (leave_equal c) = true -> option_values c f h 0.
Proof.
  intros P X E M. exists x, x. replace (h - (x + x)) with m by lia. unfold leaves, may_take, of_two.
  replace (h - (x + x)) with m by lia. replace (x =? 0) with false by lia. rewrite N.eqb_refl, N.lxor_nilpotent. repeat split; lia || assumption.
Qed.
Lemma two_heaps c f h m x y : 0 < m -> 0 < x -> 0 < y -> x <> y -> m + x + y = h -> mem m (leave_two c) = true ->
  option_values c f h (N.lxor (f x) (f y)).
Proof.
  assert (H : forall x y, 0 < m -> 0 < x -> x < y -> m + x + y = h -> mem m (leave_two c) = true ->
    option_values c f h (N.lxor (f x) (f y))).
  { clear x y. intros x y P X L E M. exists x, y. unfold leaves, may_take, of_two. replace (h - (x + y)) with m by lia.
    replace (y =? 0) with false by lia. replace (x =? 0) with false by lia. replace (x =? y) with false by lia. repeat split; lia || assumption. }
  intros P X Y NE E M. destruct (N.lt_ge_cases x y); [apply H | rewrite N.lxor_comm; apply H]; lia || assumption.
Qed.
(* There are no others. *)
Lemma option_cases c f h w : option_values c f h w -> exists m, 0 < m /\
  ((m = h /\ mem m (leave_none c) = true /\ f 0 = w) \/
   (exists x, 0 < x /\ m + x = h /\ mem m (leave_one c) = true /\ f x = w) \/
   (exists x, 0 < x /\ m + 2 * x = h /\ mem m (leave_equal c) = true /\ 0 = w) \/
   (exists x y, 0 < x /\ x < y /\ m + x + y = h /\ mem m (leave_two c) = true /\ N.lxor (f x) (f y) = w)).
Proof.
  intros (a & e & (O & S & M) & V). exists (h - (a + e)). split; [lia|]. unfold may_take, of_two in *.
  destruct (e =? 0) eqn:E; [|destruct (a =? 0) eqn:A; [|destruct (a =? e) eqn:D]].
  - left. replace (a =? 0) with true in V by lia. assert (e = 0) as -> by lia. repeat split; lia || assumption.
  - right; left. exists e. repeat split; lia || assumption.
  - right; right; left. exists a. assert (a = e) as -> by lia. rewrite N.lxor_nilpotent in V. repeat split; lia || assumption.
  - right; right; right. exists a, e. repeat split; lia || assumption.
Qed.

(* The values below n0 + p are those of the row; a heap beyond has the value of the heap p smaller. *)
Definition at_heap (n0 p : N) (row : list N) (h : N) : N := nth (N.to_nat (if h <? n0 then h else n0 + (h - n0) mod p)) row 0.
Lemma at_heap_repeats n0 p row h q : p <> 0 -> n0 <= h -> at_heap n0 p row (h + q * p) = at_heap n0 p row h.
Proof.
  intros P L. unfold at_heap. replace (h + q * p <? n0) with false by lia. replace (h <? n0) with false by lia.
  replace (h + q * p - n0) with (h - n0 + q * p) by lia. rewrite N.mod_add by exact P. reflexivity.
Qed.

(* ---- Right below a bound, and so at all. ---- *)
(* [rule] gives the value of a heap by those of its options: the least that is missing, or who wins.  Each player has
   moves [c] and values [f] of his own. *)
Definition about_values (rule : (N -> Prop) -> N -> Prop) : Prop :=
  forall S T v, (forall w, S w <-> T w) -> rule S v -> rule T v.

Section Repeats.
Variables (rule : (N -> Prop) -> N -> Prop) (c : player -> takes) (f : player -> N -> N) (n0 p last : N).
Hypothesis rule_same : about_values rule.
Hypothesis bounded : forall q m, mem m (leave_none (c q) ++ leave_one (c q) ++ leave_two (c q) ++ leave_equal (c q)) = true -> m <= last.
Hypothesis p_pos : 1 <= p.
Hypothesis again : forall q h, n0 <= h -> f q (h + p) = f q h.
Definition right_at (q : player) (h : N) : Prop := rule (option_values (c q) (f (other q)) h) (f q h).

Lemma value_back q h : n0 + p <= h -> f q (h - p) = f q h.
Proof. intros L. rewrite <- (again q (h - p)) by lia. f_equal. lia. Qed.
Lemma right_from bound : n0 + p <= bound ->
  (forall q h w, bound <= h -> option_values (c q) (f (other q)) h w <-> option_values (c q) (f (other q)) (h - p) w) ->
  (forall q h, h < bound -> right_at q h) -> forall q h, right_at q h.
Proof.
  intros Far Same Small q h. induction h as [h IH] using (well_founded_induction N.lt_wf_0).
  destruct (N.lt_ge_cases h bound) as [L | L]; [exact (Small q h L)|].
  unfold right_at in *. rewrite <- value_back by lia. apply (rule_same (option_values (c q) (f (other q)) (h - p))).
  - intros w. symmetry. exact (Same q h w L).
  - apply IH. lia.
Qed.

Lemma within_last q m l : mem m l = true -> l = leave_none (c q) \/ l = leave_one (c q) \/ l = leave_two (c q) \/ l = leave_equal (c q) -> m <= last.
Proof.
  intros M E. apply (bounded q). apply mem_in. apply mem_in in M. rewrite !in_app_iff. intuition (subst; tauto).
Qed.

(* No heap is split: n0 + p + last.  With n0 = 0 the heap that is left may be compared with none. *)
Theorem few_repeats : (forall q, leave_two (c q) = [] /\ leave_equal (c q) = []) -> (1 <= n0 \/ forall q, leave_none (c q) = leave_one (c q)) ->
  (forall q h, h < n0 + p + last -> right_at q h) -> forall q h, right_at q h.
Proof.
  intros Few Start. apply right_from; [lia|]. intros q h w L. destruct (Few q) as [No None].
  split; intros O; apply option_cases in O; destruct O as (m & P & [(E & M & <-) | [(x & X & E & M & <-) | [(x & _ & _ & M & _) | (x & y & _ & _ & _ & M & _)]]]);
    try (rewrite ?No, ?None in M; discriminate); pose proof (within_last q m _ M ltac:(auto)).
  - lia.
  - rewrite <- value_back by lia. destruct (N.eq_dec x p) as [->|NE].
    + destruct Start as [S|S]; [lia|]. rewrite N.sub_diag. apply no_heaps; [lia|]. rewrite S. now replace (h - p) with m by lia.
    + apply one_heap with m; assumption || lia.
  - destruct Start as [S|S]; [lia|]. rewrite <- again by lia. apply one_heap with m; [lia | lia | lia |]. rewrite <- S. exact M.
  - rewrite <- again by lia. apply one_heap with m; assumption || lia.
Qed.

(* Guy and Smith 1956: 2 n0 + 2 p + last, with n0 >= 1; where different halves may be left and no equal ones, p more; where
   equal ones alone may be, p is even. *)
Definition all_in (l k : list N) : Prop := forall m, mem m l = true -> mem m k = true.
Theorem split_repeats (more : N) : 1 <= n0 ->
  (forall q, all_in (leave_two (c q)) (leave_equal (c q)) \/ more = p) -> (forall q, all_in (leave_equal (c q)) (leave_two (c q)) \/ p mod 2 = 0) ->
  (forall q h, h < 2 * n0 + 2 * p + more + last -> right_at q h) -> forall q h, right_at q h.
Proof.
  intros Start Different Equal. apply right_from; [lia|]. intros q h w L.
  split; intros O; apply option_cases in O; destruct O as (m & P & [(E & M & <-) | [(x & X & E & M & <-) | [(x & X & E & M & <-) | (x & y & X & Y & E & M & <-)]]]);
    pose proof (within_last q m _ M ltac:(auto)).
  - lia.
  - rewrite <- value_back by lia. apply one_heap with m; assumption || lia.
  - destruct (Equal q) as [A|Ev].
    + rewrite <- (N.lxor_nilpotent (f (other q) x)). rewrite <- (value_back (other q) x) at 1 by lia.
      apply two_heaps with m; (apply A, M) || lia.
    + apply N.div_exact in Ev; [|discriminate]. apply equal_heaps with m (x - p / 2); assumption || lia.
  - destruct (N.eq_dec x (y - p)) as [Eq|NE].
    + destruct (Different q) as [A|Mo].
      * rewrite <- (value_back _ y), <- Eq, N.lxor_nilpotent by lia. apply equal_heaps with m x; (apply A, M) || lia.
      * rewrite <- (value_back _ x) by lia. apply two_heaps with m; assumption || lia.
    + rewrite <- (value_back _ y) by lia. apply two_heaps with m; assumption || lia.
  - lia.
  - rewrite <- again by lia. apply one_heap with m; assumption || lia.
  - destruct (Equal q) as [A|Ev].
    + rewrite <- (N.lxor_nilpotent (f (other q) x)). rewrite <- (again (other q) x) at 2 by lia.
      apply two_heaps with m; (apply A, M) || lia.
    + apply N.div_exact in Ev; [|discriminate]. apply equal_heaps with m (x + p / 2); assumption || lia.
  - rewrite <- (again _ y) by lia. apply two_heaps with m; assumption || lia.
Qed.
End Repeats.

(* ---- Any large number may be taken. ---- *)
(* [al]: the numbers that may be taken, so that one heap is left or none; f h is right if it is the least value missing. *)
Definition taken_values (al : N -> bool) (f : N -> N) (h w : N) : Prop := exists y, (y < h /\ al (h - y) = true) /\ f y = w.
Definition is_mex (S : N -> Prop) (v : N) : Prop := ~ S v /\ forall w, w < v -> S w.

Section AllBut.
Variables (al : N -> bool) (f : N -> N) (n0 p s last n1 above : N).
Hypothesis p_pos : 1 <= p.
Hypothesis again : forall h, n0 <= h -> f (h + p) = f h + s.
Hypothesis every : forall m, last < m -> al m = true.
(* Values below n0 + p are below [above]; all those have occurred below n1, and p heaps later s more of them. *)
Hypothesis n1_late : n0 <= n1.
Hypothesis low : forall j, j < n0 + p -> f j < above.
Hypothesis seen : forall v, v < above -> exists j, j < n1 /\ f j = v.
Hypothesis seen_later : forall v, v < above + s -> exists j, j < n1 + p /\ f j = v.

Theorem all_but_repeats : (forall h, h < n1 + p + last -> is_mex (taken_values al f h) (f h)) ->
  forall h, is_mex (taken_values al f h) (f h).
Proof.
  intros Small h. induction h as [h IH] using (well_founded_induction N.lt_wf_0).
  destruct (N.lt_ge_cases h (n1 + p + last)) as [L | L]; [exact (Small h L)|].
  assert (Back : forall y, n0 + p <= y -> f y = f (y - p) + s) by (intros y Y; rewrite <- again by lia; f_equal; lia).
  set (n := h - p). assert (n1 + last <= n) by lia. destruct (IH n ltac:(lia)) as [A R].
  pose proof (Back h ltac:(lia)) as E. fold n in E.
  assert (High : above <= f n).
  { destruct (N.lt_ge_cases (f n) above) as [F | F]; [|exact F]. destruct (seen (f n) F) as (j & J & V).
    destruct A. exists j. split; [split; [lia | apply every; lia] | exact V]. }
  split.
  - intros (y & [Y B] & F). destruct (N.lt_ge_cases y (n0 + p)) as [G | G]; [specialize (low y G); lia|].
    apply A. exists (y - p). rewrite (Back y) in F by lia.
    split; [split; [lia | replace (n - (y - p)) with (h - y) by lia; exact B] | lia].
  - intros w W. destruct (N.lt_ge_cases w (above + s)) as [G | G].
    + destruct (seen_later w G) as (j & J & V). exists j. split; [split; [lia | apply every; lia] | exact V].
    + destruct (R (w - s) ltac:(lia)) as (y & [Y B] & F).
      assert (n0 <= y) by (destruct (N.lt_ge_cases y n0) as [Z|Z]; [specialize (low y ltac:(lia)); lia | exact Z]).
      exists (y + p). rewrite again by lia.
      split; [split; [lia | replace (h - (y + p)) with (n - y) by lia; exact B] | lia].
Qed.
End AllBut.
