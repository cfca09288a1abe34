(* Who wins any number of heaps that may be split, misère play too: by the product of the elements that the heaps have in a
   finite commutative monoid.  The kind of a position is its element and those of its options. *)
From Coq Require Import Lia ZifyBool ZifyN ZifyNat FMapPositive.
From NimChecks Require Export Tables.
Open Scope N_scope.

(* ---- Sets of elements, by their bits. ---- *)
Definition set_of (l : list N) : N := fold_right (fun x s => N.setbit s x) 0 l.
Lemma set_of_has l z : N.testbit (set_of l) z = true <-> In z l.
Proof.
  induction l as [|x l IH]; cbn [set_of fold_right In]; [rewrite N.bits_0; easy|].
  rewrite N.setbit_iff. fold (set_of l). rewrite IH. reflexivity.
Qed.
(* [row]: what the elements 0, 1, ... become. *)
Definition in_row (row : list N) (x : N) : N := nth (N.to_nat x) row 0.
Fixpoint become_digits (row : list N) (s : positive) : N :=
  match s with
  | xH => N.setbit 0 (hd 0 row)
  | xO s => become_digits (tl row) s
  | xI s => N.setbit (become_digits (tl row) s) (hd 0 row)
  end.
Definition become (row : list N) (s : N) : N := match s with 0 => 0 | N.pos s => become_digits row s end.
Lemma in_row_next row x : in_row row (N.succ x) = in_row (tl row) x.
Proof. unfold in_row. rewrite N2Nat.inj_succ. destruct row as [|y row]; [destruct (N.to_nat x)|]; reflexivity. Qed.
Lemma in_row_first row : in_row row 0 = hd 0 row.
Proof. destruct row; reflexivity. Qed.
Lemma become_has row s z : N.testbit (become row s) z = true <-> exists x, N.testbit s x = true /\ in_row row x = z.
Proof.
  destruct s as [|s]; [cbn [become]; rewrite N.bits_0; split; [discriminate | intros (x & B & _); discriminate]|].
  cbn [become]. revert row. induction s as [s IH|s IH|]; intros row; cbn [become_digits].
  - rewrite N.setbit_iff, IH. split.
    + intros [<- | (x & B & E)]; [exists 0; split; [reflexivity | apply in_row_first]|].
      exists (N.succ x). rewrite in_row_next. split; [|exact E]. change (N.pos s~1) with (2 * N.pos s + 1). rewrite N.testbit_odd_succ by lia. exact B.
    + intros (x & B & E). destruct (N.eq_dec x 0) as [->|NZ]; [left; rewrite <- in_row_first; exact E | right].
      exists (N.pred x). rewrite <- in_row_next, N.succ_pred by exact NZ. split; [|exact E].
      change (N.pos s~1) with (2 * N.pos s + 1) in B. rewrite <- (N.succ_pred x NZ), N.testbit_odd_succ in B by lia. exact B.
  - rewrite IH. split.
    + intros (x & B & E). exists (N.succ x). rewrite in_row_next. split; [|exact E].
      change (N.pos s~0) with (2 * N.pos s). rewrite N.testbit_even_succ by lia. exact B.
    + intros (x & B & E). destruct (N.eq_dec x 0) as [->|NZ]; [discriminate|].
      exists (N.pred x). rewrite <- in_row_next, N.succ_pred by exact NZ. split; [|exact E].
      change (N.pos s~0) with (2 * N.pos s) in B. rewrite <- (N.succ_pred x NZ), N.testbit_even_succ in B by lia. exact B.
  - rewrite N.setbit_iff, N.bits_0. split.
    + intros [<- | F]; [exists 0; split; [reflexivity | apply in_row_first] | discriminate].
    + intros (x & B & E). destruct (N.eq_dec x 0) as [->|NZ]; [left; rewrite <- in_row_first; exact E|].
      rewrite <- (N.succ_pred x NZ) in B. change 1 with (2 * 0 + 1) in B. rewrite N.testbit_odd_succ, N.bits_0 in B by lia. discriminate.
Qed.

(* ---- A commutative monoid of the elements 0, 1, ..., of which 0 is the unit. ---- *)
Definition product (products : list (list N)) (x y : N) : N := in_row (nth (N.to_nat x) products []) y.
Definition elements_of (products : list (list N)) : N := N.of_nat (length products).
Definition monoid_ok (products : list (list N)) : bool :=
  let n := length products in let times := product products in
  (0 <? N.of_nat n) && all_below n (fun x => (times 0 x =? x) &&
    all_below n (fun y => (times x y <? N.of_nat n) && (times x y =? times y x) &&
      all_below n (fun z => times (times x y) z =? times x (times y z)))).

Section Monoid.
Variable products : list (list N).
Local Notation n := (elements_of products).
Local Notation times := (product products).
Hypothesis ok : monoid_ok products = true.
Lemma monoid_is : 0 < n /\ (forall x, x < n -> times 0 x = x) /\ (forall x y, x < n -> y < n -> times x y < n) /\
  (forall x y, x < n -> y < n -> times x y = times y x) /\
  (forall x y z, x < n -> y < n -> z < n -> times (times x y) z = times x (times y z)).
Proof.
  unfold monoid_ok in ok. cbv zeta in ok. apply andb_true_iff in ok. destruct ok as [P A].
  rewrite all_below_is in A. fold (elements_of products) in P, A.
  assert (X : forall x, x < n -> times 0 x = x /\ forall y, y < n -> times x y < n /\ times x y = times y x /\
    forall z, z < n -> times (times x y) z = times x (times y z)).
  { intros x L. specialize (A x L). cbv beta in A. apply andb_true_iff in A. destruct A as [U A]. split; [lia|].
    intros y Y. rewrite all_below_is in A. fold (elements_of products) in A. specialize (A y Y). cbv beta in A. rewrite !andb_true_iff in A.
    destruct A as [[B C] A]. fold (elements_of products) in B. split; [lia|]. split; [lia|]. intros z Z. rewrite all_below_is in A. fold (elements_of products) in A. specialize (A z Z). cbv beta in A. lia. }
  split; [lia|]. split; [intros x L; apply X, L|]. split; [intros x y L Y; apply X; assumption|].
  split; [intros x y L Y; apply X; assumption | intros x y z L Y Z; apply X; assumption].
Qed.

(* The element of a position. *)
Variable f : N -> N.
Hypothesis f_below : forall h, f h < n.
Hypothesis f_none : f 0 = 0.
Definition element (s : position) : N := fold_right (fun h x => times (f h) x) 0 s.
Lemma element_cons h s : element (h :: s) = times (f h) (element s).
Proof. reflexivity. Qed.
Lemma element_below s : element s < n.
Proof. destruct monoid_is as (P & _ & B & _). induction s as [|h s IH]; [exact P | apply B; [apply f_below | exact IH]]. Qed.
Lemma element_app s t : element (s ++ t) = times (element s) (element t).
Proof.
  destruct monoid_is as (P & U & B & _ & A). induction s as [|h s IH]; cbn [app element fold_right].
  - symmetry. apply U, element_below.
  - fold (element (s ++ t)) (element s). rewrite IH. symmetry. apply A; [apply f_below | apply element_below | apply element_below].
Qed.
Lemma element_order s t : Permutation s t -> element s = element t.
Proof.
  destruct monoid_is as (P & U & B & C & A).
  induction 1 as [|h s t _ IH|x y s|s t u _ IH _ IH']; cbn [element fold_right]; [reflexivity | f_equal; exact IH | | congruence].
  fold (element s). pose proof (f_below x). pose proof (f_below y). pose proof (element_below s).
  rewrite <- !A by assumption. f_equal. apply C; assumption.
Qed.
Lemma element_heaps s : element (heaps s) = element s.
Proof.
  destruct monoid_is as (_ & U & _). induction s as [|h s IH]; [reflexivity|]. rewrite element_cons, <- IH. unfold heaps. cbn [filter].
  destruct (0 <? h) eqn:E; [reflexivity|]. replace h with 0 by lia. rewrite f_none. symmetry. apply U, element_below.
Qed.
Lemma element_same s t : s ≡ t -> element s = element t.
Proof. unfold same. intros E. rewrite <- (element_heaps s), <- (element_heaps t). apply element_order, E. Qed.
Lemma element_two a e : element [a; e] = times (f a) (f e).
Proof.
  destruct monoid_is as (P & U & _ & C & _). unfold element. cbn [fold_right]. rewrite (C (f e) 0) by (apply f_below || exact P).
  rewrite U by apply f_below. reflexivity.
Qed.
Lemma element_beside o a e R : o ≡ [a; e] -> element (o ++ R) = times (element R) (times (f a) (f e)).
Proof.
  intros E. destruct monoid_is as (_ & _ & B & C & _). rewrite element_app, (element_same _ _ E), element_two.
  apply C; [apply B; apply f_below | apply element_below].
Qed.
End Monoid.

(* ---- What may become of a heap. ---- *)
Lemma leaves_cases c h a e : leave_two c = leave_equal c -> leaves c h a e -> exists m, 0 < m /\ m + a + e = h /\ a <= e /\
  ((a = 0 /\ e = 0 /\ mem m (leave_none c) = true) \/ (a = 0 /\ 0 < e /\ mem m (leave_one c) = true) \/
   (0 < a /\ mem m (leave_two c) = true)).
Proof.
  intros Same (O & S & M). exists (h - (a + e)). split; [lia|]. split; [lia|]. split; [exact O|]. unfold may_take in M.
  destruct (e =? 0) eqn:E; [left; repeat split; lia || exact M|]. destruct (a =? 0) eqn:A; [right; left; repeat split; lia || exact M|].
  right; right. split; [lia|]. destruct (a =? e); [rewrite Same|]; exact M.
Qed.
Lemma leaves_one c h m e : 0 < m -> 0 < e -> m + e = h -> mem m (leave_one c) = true -> leaves c h 0 e.
Proof.
  intros P E S M. split; [lia|]. split; [lia|]. replace (h - (0 + e)) with m by lia. unfold may_take.
  now replace (e =? 0) with false by lia.
Qed.
Lemma leaves_two c h m a e : leave_two c = leave_equal c -> 0 < m -> 0 < a -> a <= e -> m + a + e = h ->
  mem m (leave_two c) = true -> leaves c h a e.
Proof.
  intros Same P A L S M. split; [exact L|]. split; [lia|]. replace (h - (a + e)) with m by lia. unfold may_take.
  replace (e =? 0) with false by lia. replace (a =? 0) with false by lia. rewrite <- Same. destruct (a =? e); exact M.
Qed.
Lemma leaves_none c h : 0 < h -> mem h (leave_none c) = true -> leaves c h 0 0.
Proof. intros P M. split; [lia|]. split; [lia|]. now replace (h - (0 + 0)) with h by lia. Qed.

Section Options.
Variables (c : takes) (f : N -> N) (times : N -> N -> N) (n : N).
Hypothesis two : leave_two c = leave_equal c.
Hypothesis f_below : forall h, f h < n.
Hypothesis unit : forall x, x < n -> times 0 x = x.
Hypothesis commutes : forall x y, x < n -> y < n -> times x y = times y x.
Hypothesis f_none : f 0 = 0.
(* Of some option of h the element is z. *)
Definition option_element (h z : N) : Prop := exists a e, leaves c h a e /\ times (f a) (f e) = z.
Definition option_elements (h : N) : list N :=
  (if mem h (leave_none c) then [0] else []) ++
  flat_map (fun m => if m <? h then [f (h - m)] else []) (leave_one c) ++
  flat_map (fun m => map (fun i => times (f (N.of_nat i)) (f (h - m - N.of_nat i))) (seq 1 (N.to_nat ((h - m) / 2)))) (leave_two c).

Lemma option_elements_are h z : all_positive c -> 0 < h -> In z (option_elements h) <-> option_element h z.
Proof.
  intros Pos Ph. pose proof (positive_in c Pos) as Pos'. unfold option_elements. rewrite !in_app_iff, !in_flat_map. split.
  - intros [O | [(m & I & O) | (m & I & O)]].
    + destruct (mem h (leave_none c)) eqn:M; [|destruct O]. destruct O as [<-|[]]. exists 0, 0.
      split; [apply leaves_none; assumption|]. rewrite f_none. apply unit. rewrite <- f_none. apply f_below.
    + pose proof (Pos' _ _ I ltac:(auto)). destruct (m <? h) eqn:L; [|destruct O]. destruct O as [<-|[]]. exists 0, (h - m).
      split; [apply leaves_one with m; (apply mem_in, I) || lia|]. rewrite f_none. apply unit, f_below.
    + pose proof (Pos' _ _ I ltac:(auto)). apply in_map_iff in O. destruct O as (i & <- & O). apply in_seq in O.
      pose proof (N.div_mod' (h - m) 2). pose proof (N.mod_lt (h - m) 2 ltac:(discriminate)).
      exists (N.of_nat i), (h - m - N.of_nat i). split; [|reflexivity]. apply leaves_two with m; (exact two) || (apply mem_in, I) || lia.
  - intros (a & e & O & <-). apply leaves_cases in O; [|exact two].
    destruct O as (m & P & E & L & [(-> & -> & M) | [(-> & Pe & M) | (Pa & M)]]).
    + left. replace h with m by lia. rewrite M, f_none. left. symmetry. apply unit. rewrite <- f_none. apply f_below.
    + right; left. exists m. split; [apply mem_in, M|]. replace (m <? h) with true by lia. left.
      replace (h - m) with e by lia. rewrite f_none. symmetry. apply unit, f_below.
    + right; right. exists m. split; [apply mem_in, M|]. apply in_map_iff. exists (N.to_nat a). rewrite N2Nat.id.
      split; [do 2 f_equal; lia|]. apply in_seq. pose proof (N.div_mod' (h - m) 2). pose proof (N.mod_lt (h - m) 2 ltac:(discriminate)). lia.
Qed.

(* A heap beyond and the heap p smaller have options of the same elements: Guy and Smith's argument. *)
Variables n0 p last : N.
Hypothesis n0_pos : 1 <= n0.
Hypothesis again : forall h, n0 <= h -> f (h + p) = f h.
Hypothesis bounded : takes_ok last c = true.
Lemma options_repeat h z : 2 * n0 + 2 * p + last <= h -> option_element h z <-> option_element (h - p) z.
Proof.
  intros L. assert (Small : forall m l, mem m l = true -> l = leave_none c \/ l = leave_one c \/ l = leave_two c -> m <= last).
  { intros m l M E. apply (takes_in last c m bounded). unfold all_takes. apply mem_in. apply mem_in in M. rewrite !in_app_iff.
    intuition (subst; tauto). }
  assert (Back : forall y, n0 + p <= y -> f (y - p) = f y) by (intros y Y; rewrite <- (again (y - p)) by lia; f_equal; lia).
  split; intros (a & e & O & <-); apply leaves_cases in O; try exact two;
    destruct O as (m & P & E & O & [(-> & -> & M) | [(-> & Pe & M) | (Pa & M)]]); pose proof (Small m _ M ltac:(auto)); try lia.
  - exists 0, (e - p). split; [apply leaves_one with m; exact M || lia | f_equal; apply Back; lia].
  - destruct (N.le_gt_cases a (e - p)) as [S|S].
    + exists a, (e - p). split; [apply leaves_two with m; assumption || lia | f_equal; apply Back; lia].
    + exists (e - p), a. split; [apply leaves_two with m; assumption || lia|]. rewrite Back by lia. apply commutes; apply f_below.
  - exists 0, (e + p). split; [apply leaves_one with m; exact M || lia | f_equal; apply again; lia].
  - exists a, (e + p). split; [apply leaves_two with m; assumption || lia | f_equal; apply again; lia].
Qed.
End Options.

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

(* ---- The kinds of all positions. ---- *)
Definition kind : Type := N * N.
Definition same_kind (k l : kind) : bool := (fst k =? fst l) && (snd k =? snd l).
Definition kinds := PositiveMap.t kind.
Definition key_of_kind (elements : N) (k : kind) : positive := N.succ_pos (snd k * elements + fst k).
Definition is_among (elements : N) (k : kind) (all : kinds) : bool :=
  match PositiveMap.find (key_of_kind elements k) all with Some l => same_kind l k | None => false end.
Definition list_kinds (elements : N) (l : list kind) : kinds :=
  fold_right (fun k all => PositiveMap.add (key_of_kind elements k) k all) (PositiveMap.empty kind) l.
Lemma among_list elements l k : is_among elements k (list_kinds elements l) = true -> In k l.
Proof.
  unfold is_among. destruct (PositiveMap.find _ _) as [x|] eqn:F; [|discriminate]. intros E.
  assert (x = k) as ->.
  { destruct x, k. unfold same_kind in E. cbn [fst snd] in E. f_equal; lia. }
  clear E. remember (key_of_kind elements k) as q eqn:Q. clear Q. induction l as [|y l IH]; cbn [list_kinds fold_right] in F.
  - rewrite PositiveMap.gempty in F. discriminate.
  - destruct (Pos.eq_dec q (key_of_kind elements y)) as [->|N].
    + rewrite PositiveMap.gss in F. left. congruence.
    + rewrite PositiveMap.gso in F by exact N. right. apply IH, F.
Qed.

(* A set of elements times each element, once for all; and the kind of a position of the element x with one of y beside it. *)
Definition multiples (products : list (list N)) (s : N) : list N := map (fun row => become row s) products.
Definition beside_kind (products : list (list N)) (x : N) (xs : list N) (y : N) (ys : list N) : kind :=
  (product products x y, N.lor (nth (N.to_nat y) xs 0) (nth (N.to_nat x) ys 0)).
Lemma multiples_have products s x z : x < elements_of products ->
  N.testbit (nth (N.to_nat x) (multiples products s) 0) z = true <-> exists y, N.testbit s y = true /\ product products x y = z.
Proof.
  intros L. unfold multiples, elements_of in *. rewrite (nth_indep _ 0 (become [] s)) by (rewrite map_length; lia).
  rewrite (map_nth (fun row => become row s)), become_has. reflexivity.
Qed.
(* The element is lost just if no option is, and, where who cannot move wins, there is one. *)
Definition kind_ok (misere : bool) (lost : N) (k : kind) : bool :=
  eqb (N.testbit lost (fst k)) ((N.land (snd k) lost =? 0) && (negb misere || negb (snd k =? 0))).

(* They are found by adding heaps, from no heap on, up to a number; nothing rests on how. *)
Definition most_kinds : nat := N.to_nat 100000.
Fixpoint find_kinds (products : list (list N)) (heaps : list (N * list N)) (fuel : nat) (todo : list kind) (seen : kinds) (found : list kind) :
  list kind :=
  match fuel, todo with
  | O, _ | _, [] => found
  | S fuel, k :: todo =>
      let ks := multiples products (snd k) in
      let add state l :=
        let '(todo, seen, found) := state in let new := beside_kind products (fst k) ks (fst l) (snd l) in
        if is_among (elements_of products) new seen then state
        else (new :: todo, PositiveMap.add (key_of_kind (elements_of products) new) new seen, new :: found) in
      let '(todo, seen, found) := fold_left add heaps (todo, seen, found) in find_kinds products heaps fuel todo seen found
  end.
Definition kind_eq_dec (k l : kind) : {k = l} + {k <> l}.
Proof. decide equality; apply N.eq_dec. Defined.

Definition quotient_ok (misere : bool) (n0 p last lost : N) (products : list (list N)) (c : takes) (row : list N) : bool :=
  let n := elements_of products in let values := row_tree row in let f := of_row n0 p values in
  let bound := 2 * n0 + 2 * p + last in
  let heaps := nodup kind_eq_dec (map (fun i => let h := N.of_nat i in (f h, set_of (option_elements c f (product products) h)))
    (seq 1 (N.to_nat bound))) in
  let with_multiples := map (fun l => (fst l, multiples products (snd l))) heaps in
  let found := find_kinds products with_multiples most_kinds [(0, 0)] (list_kinds n [(0, 0)]) [(0, 0)] in
  let all := list_kinds n found in
  (1 <=? n0) && (1 <=? p) && takes_ok last c && same_list (leave_two c) (leave_equal c) &&
  monoid_ok products && forallb (fun x => x <? n) row && (in_row row 0 =? 0) &&
  is_among n (0, 0) all &&
  forallb (fun k => let ks := multiples products (snd k) in kind_ok misere lost k &&
    forallb (fun l => is_among n (beside_kind products (fst k) ks (fst l) (snd l)) all) with_multiples) found.

Lemma in_row_below n row : 0 < n -> forallb (fun x => x <? n) row = true -> forall x, in_row row x < n.
Proof.
  intros P A x. rewrite forallb_forall in A. unfold in_row. destruct (Nat.lt_ge_cases (N.to_nat x) (length row)) as [L|L].
  - specialize (A _ (nth_In row 0 L)). lia.
  - rewrite nth_overflow by exact L. exact P.
Qed.
Lemma at_heap_in_row n0 p row h : at_heap n0 p row h = in_row row (if h <? n0 then h else n0 + (h - n0) mod p).
Proof. reflexivity. Qed.

Section Quotient.
Variables (n0 p last lost : N) (products : list (list N)) (c : takes) (row : list N) (g : splitting).
Local Notation n := (elements_of products).
Local Notation times := (product products).
Local Notation f := (at_heap n0 p row).
Hypothesis reads : forall q h o, parts g q h o -> exists a e, leaves c h a e /\ o ≡ [a; e].
Hypothesis reads_back : forall q h a e, leaves c h a e -> exists o, parts g q h o /\ o ≡ [a; e].
Hypothesis ok : quotient_ok (split_stuck_wins g) n0 p last lost products c row = true.
Local Notation element := (element products f).

(* What is known once it is checked: of the kinds of heaps, and of those of positions. *)
Lemma checked_parts : monoid_ok products = true /\ (forall h, f h < n) /\ f 0 = 0 /\
  exists (heaps found : list kind),
    (forall h, 0 < h -> exists s, In (f h, s) heaps /\ forall z, N.testbit s z = true <-> option_element c f times h z) /\
    In (0, 0) found /\ forall k, In k found -> kind_ok (split_stuck_wins g) lost k = true /\
      forall l, In l heaps -> In (beside_kind products (fst k) (multiples products (snd k)) (fst l) (multiples products (snd l))) found.
Proof.
  clear reads reads_back. unfold quotient_ok in ok. cbv zeta in ok.
  set (heaps := nodup _ _) in ok. set (found := find_kinds _ _ _ _ _ _) in ok. rewrite !andb_true_iff in ok.
  destruct ok as [[[[[[[[N0 P] T] Two] M] R] Zero] Empty] All].
  pose proof (monoid_is products M) as (Pn & U & B & C & _).
  assert (Fb : forall h, f h < n) by (intros h; rewrite at_heap_in_row; apply in_row_below; assumption).
  apply N.leb_le in N0, P. apply N.eqb_eq in Zero. apply same_list_is in Two.
  (* Only what [lia] needs stays here: with all that is known the same takes it seconds. *)
  assert (F0 : f 0 = 0) by (rewrite at_heap_in_row; replace (0 <? n0) with true by (clear -N0; lia); exact Zero).
  split; [exact M|]. split; [exact Fb|]. split; [exact F0|]. exists heaps, found. split; [|split].
  - assert (Small : forall h, 0 < h -> h <= 2 * n0 + 2 * p + last ->
      exists s, In (f h, s) heaps /\ forall z, N.testbit s z = true <-> option_element c f times h z).
    { intros h Ph L. exists (set_of (option_elements c f times h)). split.
      - unfold heaps. apply nodup_In, in_map_iff. exists (N.to_nat h). rewrite N2Nat.id.
        split; [|apply in_seq; clear -Ph L; lia]. cbv zeta. rewrite of_row_is. do 2 f_equal.
        assert (E : forall x, of_row n0 p (row_tree row) x = f x) by (intros x; apply of_row_is).
        unfold option_elements. rewrite (flat_map_ext _ _ (fun m => f_equal (fun v => if m <? h then [v] else []) (E (h - m)))).
        do 2 f_equal. apply flat_map_ext. intros m. apply map_ext. intros i. rewrite !E. reflexivity.
      - intros z. rewrite set_of_has. apply (option_elements_are c f times n); try assumption.
        intros m I. apply (takes_in last c m T), I. }
    clearbody heaps. clear -Small Two Fb C F0 N0 P T. intros h. induction h as [h IH] using (well_founded_induction N.lt_wf_0). intros Ph.
    destruct (N.le_gt_cases h (2 * n0 + 2 * p + last)) as [L|L]; [exact (Small h Ph L)|].
    destruct (IH (h - p) ltac:(lia) ltac:(lia)) as (s & I & S). exists s.
    assert (Again : forall x, n0 <= x -> f (x + p) = f x) by (intros x X; replace (x + p) with (x + 1 * p) by lia; apply at_heap_repeats; lia).
    split.
    + rewrite <- (Again (h - p)) in I by lia. replace (h - p + p) with h in I by lia. exact I.
    + intros z. rewrite S. symmetry. apply (options_repeat c f times n Two Fb C F0 n0 p last ltac:(lia) Again T). lia.
  - apply (among_list n). exact Empty.
  - intros k I. rewrite forallb_forall in All. specialize (All k I). apply andb_true_iff in All. destruct All as [Ok All].
    split; [exact Ok|]. intros l L. rewrite forallb_forall in All. apply (among_list n), (All (fst l, multiples products (snd l))).
    apply in_map_iff. exists l. auto.
Qed.

Lemma parts_fewer q h o : 0 < h -> parts g q h o -> total o < h.
Proof. intros _ B. apply reads in B. destruct B as (a & e & (_ & L & _) & ->). cbn. lia. Qed.
Lemma move_beside q h R t : 0 < h -> split_move g q (h :: R) t <->
  (exists o, parts g q h o /\ t ≡ o ++ R) \/ (exists u, split_move g q R u /\ t ≡ h :: u).
Proof.
  intros P. split.
  - intros (k & o & Q & Pk & S & T & B). assert (I : k ∈ h :: R) by (rewrite S; apply heap_of_cons; auto).
    apply heap_of_cons in I. destruct I as [[_ ->]|I].
    + left. exists o. split; [exact B|]. apply same_rest in S; [|exact P]. rewrite T.
      clear -S. induction o as [|x o IH]; [symmetry; exact S | cbn [app]; rewrite IH; reflexivity].
    + right. destruct (split_heap k R I) as (V & E). exists (o ++ V). split; [exists k, o, V; repeat split; [exact Pk | exact E | reflexivity | exact B]|].
      assert (F : h :: V ≡ Q).
      { apply (same_rest k); [exact Pk|]. rewrite <- S, E. apply same_order, perm_swap. }
      rewrite T. transitivity (o ++ h :: V).
      * clear -F. induction o as [|x o IH]; [symmetry; exact F | cbn [app]; rewrite IH; reflexivity].
      * apply same_order, Permutation_sym, Permutation_middle.
  - intros [(o & B & T) | (u & (k & o & Q & Pk & S & T & B) & E)].
    + exists h, o, R. repeat split; [exact P | reflexivity | exact T | exact B].
    + exists k, o, (h :: Q). split; [exact Pk|]. split; [rewrite S; apply same_order, perm_swap|]. split; [|exact B].
      rewrite E, T. apply same_order, Permutation_middle.
Qed.

Lemma kind_of_position q s : exists (heaps found : list kind) (k : kind), In k found /\
  (forall k, In k found -> kind_ok (split_stuck_wins g) lost k = true) /\ fst k = element s /\
  forall z, N.testbit (snd k) z = true <-> exists t, split_move g q s t /\ element t = z.
Proof.
  destruct checked_parts as (M & Fb & F0 & heaps & found & Heaps & None & Closed). exists heaps, found.
  enough (H : exists k, In k found /\ fst k = element s /\ forall z, N.testbit (snd k) z = true <-> exists t, split_move g q s t /\ element t = z).
  { destruct H as (k & I & E & O). exists k. split; [exact I|]. split; [intros l L; apply Closed, L|]. auto. }
  pose proof (element_same products M f Fb F0) as Same.
  revert s. apply by_heaps.
  - intros s t H (k & I & E & O). exists k. split; [exact I|]. rewrite <- (Same _ _ H). split; [exact E|]. intros z. rewrite O.
    split; intros (u & V & W); exists u; (split; [|exact W]); [rewrite <- H | rewrite H]; exact V.
  - exists (0, 0). split; [exact None|]. split; [reflexivity|]. intros z. cbn [snd]. rewrite N.bits_0. split; [discriminate|].
    intros (t & (h & o & R & P & S & _) & _). destruct (no_heap h). rewrite S. apply heap_of_cons. auto.
  - intros h R H (k & I & E & O). destruct (Heaps h H) as (s & L & Z). exists (beside_kind products (fst k) (multiples products (snd k)) (f h) (multiples products s)).
    split; [exact (proj2 (Closed k I) (f h, s) L)|]. pose proof (monoid_is products M) as (_ & _ & B & C & _).
    unfold beside_kind. cbn [fst snd]. split.
    + rewrite element_cons, E. apply C; [apply element_below; assumption | apply Fb].
    + intros z. assert (K : fst k < n) by (rewrite E; apply element_below; assumption).
      rewrite N.lor_spec, orb_true_iff, !multiples_have by (apply Fb || exact K). split.
      * intros [(x & Bx & W) | (x & Bx & W)].
        -- apply O in Bx. destruct Bx as (t & V & <-). exists (h :: t). split; [apply move_beside; [exact H | right; exists t; split; [exact V | reflexivity]]|].
           rewrite element_cons. exact W.
        -- apply Z in Bx. destruct Bx as (a & e & V & <-). destruct (reads_back q h a e V) as (o & Po & Eo). exists (o ++ R).
           split; [apply move_beside; [exact H | left; exists o; split; [exact Po | reflexivity]]|].
           rewrite (element_beside products M f Fb F0 _ _ _ _ Eo), <- E. exact W.
      * intros (t & V & <-). apply move_beside in V; [|exact H]. destruct V as [(o & Po & T) | (u & V & T)].
        -- right. apply reads in Po. destruct Po as (a & e & V & Eo). exists (times (f a) (f e)). split; [apply Z; exists a, e; auto|].
           rewrite (Same _ _ T), (element_beside products M f Fb F0 _ _ _ _ Eo), <- E. reflexivity.
        -- left. exists (element u). split; [apply O; exists u; auto|]. rewrite (Same _ _ T), element_cons. reflexivity.
Qed.

Lemma settled_by_element q s :
  (N.testbit lost (element s) = true -> split_loses g q s) /\ (N.testbit lost (element s) = false -> split_wins g q s).
Proof.
  revert q. induction s as [s IH] using by_total. intros q.
  destruct (kind_of_position q s) as (heaps & found & k & I & Ok & E & O). specialize (Ok k I). unfold kind_ok in Ok.
  apply eqb_prop in Ok. rewrite E in Ok.
  assert (Some : (snd k =? 0) = false -> exists t, split_move g q s t).
  { intros NZ. assert (B : N.testbit (snd k) (N.log2 (snd k)) = true) by (apply N.bit_log2; lia).
    apply O in B. destruct B as (t & M & _). eauto. }
  assert (Lost : (N.land (snd k) lost =? 0) = false -> exists t, split_move g q s t /\ N.testbit lost (element t) = true).
  { intros NZ. assert (B : N.testbit (N.land (snd k) lost) (N.log2 (N.land (snd k) lost)) = true) by (apply N.bit_log2; lia).
    rewrite N.land_spec, andb_true_iff in B. destruct B as [B L]. apply O in B. destruct B as (t & M & T). exists t.
    split; [exact M | rewrite T; exact L]. }
  split; intros L; rewrite L in Ok; symmetry in Ok.
  - apply andb_true_iff in Ok. destruct Ok as [No St]. constructor.
    + intros Mi. rewrite Mi in St. apply Some. destruct (snd k =? 0); [discriminate | reflexivity].
    + intros t M. apply (IH t (split_total g parts_fewer q s t M)). destruct (N.testbit lost (element t)) eqn:T; [|reflexivity].
      assert (B : N.testbit (snd k) (element t) = true) by (apply O; eauto).
      assert (F : N.testbit (N.land (snd k) lost) (element t) = true) by (rewrite N.land_spec, B, T; reflexivity).
      replace (N.land (snd k) lost) with 0 in F by (clear -No; lia). rewrite N.bits_0 in F. discriminate.
  - destruct (N.land (snd k) lost =? 0) eqn:No.
    + cbn [andb] in Ok. apply orb_false_iff in Ok. destruct Ok as [Mi St]. destruct (split_stuck_wins g) eqn:Stuck; [|discriminate].
      apply Splitting.no_split; [exact Stuck|]. intros t M. assert (B : N.testbit (snd k) (element t) = true) by (apply O; eauto).
      replace (snd k) with 0 in B by (destruct (snd k =? 0) eqn:Z; [lia | discriminate]). rewrite N.bits_0 in B. discriminate.
    + destruct (Lost eq_refl) as (t & M & T). apply some_split with t; [exact M|].
      apply (IH t (split_total g parts_fewer q s t M)). exact T.
Qed.
Theorem table_of_quotient q s : split_wins g q s <-> N.testbit lost (element s) = false.
Proof.
  split; [|apply settled_by_element]. intros W. destruct (N.testbit lost (element s)) eqn:E; [|reflexivity].
  destruct (split_not_both g parts_fewer q s W). apply settled_by_element, E.
Qed.
End Quotient.

(* ---- A game in which no heap is split, as one in which some might be. ---- *)
Definition as_splitting (g : game) : splitting :=
  {| parts q h o := exists y, becomes g q h y /\ o = [y]; split_stuck_wins := stuck_wins g |}.

Section Unsplit.
Variable g : game.
Hypothesis any_heap : of_largest g = false.
Lemma unsplit_move q s t : move g q s t <-> split_move (as_splitting g) q s t.
Proof.
  split.
  - intros (h & y & R & P & S & T & B & _). exists h, [y], R. repeat split; try assumption. exists y. auto.
  - intros (h & o & R & P & S & T & (y & B & ->)). exists h, y, R. rewrite any_heap. repeat split; assumption || discriminate.
Qed.
Hypothesis smaller : forall q h y, becomes g q h y -> y < h.
Lemma unsplit_wins s : forall q, (split_wins (as_splitting g) q s -> wins g q s) /\ (split_loses (as_splitting g) q s -> loses g q s).
Proof.
  induction s as [s IH] using by_total. intros q. split; intros W.
  - inversion W as [? ? t M L | ? ? Mi None]; subst.
    + apply unsplit_move in M. apply some_move with t; [exact M|]. apply (IH t (move_total g smaller q s t M)). exact L.
    + apply no_move; [exact Mi|]. intros t M. apply (None t), unsplit_move, M.
  - inversion W as [? ? Some All]; subst. constructor.
    + intros Mi. destruct (Some Mi) as (t & M). exists t. apply unsplit_move, M.
    + intros t M. apply (IH t (move_total g smaller q s t M)), All, unsplit_move, M.
Qed.
End Unsplit.
Theorem table_of_unsplit n0 p last lost products g c row : (forall q h y, becomes g q h y <-> leaves c h 0 y) ->
  of_largest g = false -> not_split c -> quotient_ok (stuck_wins g) n0 p last lost products c row = true ->
  forall q s, wins g q s <-> N.testbit lost (element products (at_heap n0 p row) s) = false.
Proof.
  intros Reads Any [Two Equal] Ok q s.
  assert (Less : forall q h y, becomes g q h y -> y < h) by (intros r h y B; apply Reads in B; destruct B as (_ & L & _); lia).
  pose proof (settled_by_element n0 p last lost products c row (as_splitting g)) as Settled. cbn [as_splitting parts split_stuck_wins] in Settled.
  assert (S : forall s, (N.testbit lost (element products (at_heap n0 p row) s) = true -> split_loses (as_splitting g) q s) /\
    (N.testbit lost (element products (at_heap n0 p row) s) = false -> split_wins (as_splitting g) q s)).
  { intros t. apply Settled; [| |exact Ok].
    - intros r h o (y & B & ->). exists 0, y. split; [apply Reads in B; exact B | unfold same; reflexivity].
    - intros r h a e L. assert (a = 0) as ->; [|exists [e]; split; [exists e; split; [apply Reads, L | reflexivity] | unfold same; reflexivity]].
      destruct L as (O & _ & M). unfold may_take in M. rewrite Two, Equal in M.
      destruct (e =? 0) eqn:E; [lia|]. destruct (a =? 0) eqn:A; [lia|]. destruct (a =? e); discriminate. }
  split; [|intros E; apply (unsplit_wins g Any Less), S, E]. intros W.
  destruct (N.testbit lost _) eqn:E; [|reflexivity]. destruct (not_both g Less q s W). apply (unsplit_wins g Any Less), S, E.
Qed.
