(* Sums of streams in a normal form, and comparisons of such a sum with 0.

   Equal sums have the same normal form, as far as this file finds them equal.  So Sequents.v finds the atom of a certificate
   for a comparison by its normal form. *)
Require Import List NArith ZArith Bool Lia.
From NimChecks Require Import Streams Sums.
Import ListNotations.
Open Scope Z_scope.

(* A sum and its constant. *)
Definition linear := (terms * Z)%type.
Definition lin (v : valuation) (l : linear) : Z := sum v (fst l) + snd l.

(* An order of streams, for the normal form. *)
Fixpoint before (a b : stream) : comparison := match a, b with
  | Var x, Var y => Pos.compare x y
  | Var _, _ => Lt | _, Var _ => Gt
  | Xor a b, Xor c d | And a b, And c d | Times a b, Times c d => match before a c with Eq => before b d | o => o end
  | Xor _ _, _ => Lt | _, Xor _ _ => Gt
  | And _ _, _ => Lt | _, And _ _ => Gt end.
Lemma before_eq a : forall b, before a b = Eq -> a = b.
Proof.
  induction a; destruct b; cbn; intros H; try discriminate; [apply Pos.compare_eq in H; congruence|..];
    (destruct (before a1 b1) eqn:E; try discriminate; f_equal; auto).
Qed.

(* -- sums: each stream once, in order, with a coefficient that is not 0 ------------------------------------------------ *)
Fixpoint put (k : Z) (s : stream) (t : terms) : terms := match t with
  | [] => [(k, s)]
  | (q, u) :: r => match before s u with
    | Lt => (k, s) :: t
    | Eq => if k + q =? 0 then r else (k + q, u) :: r
    | Gt => (q, u) :: put k s r end end.
Lemma put_ok v k s t : sum v (put k s t) = k * Z.of_N (value v s) + sum v t.
Proof.
  induction t as [|[q u] t IH]; cbn [put sum]; [reflexivity|]. destruct (before s u) eqn:B; cbn [sum]; [|reflexivity|rewrite IH; ring].
  apply before_eq in B. subst. destruct (k + q =? 0) eqn:Z; cbn [sum]; [|ring]. apply Z.eqb_eq in Z. replace q with (- k) by lia. ring.
Qed.
(* k * l + m *)
Definition plus (k : Z) (l m : linear) : linear :=
  if k =? 0 then m else (fold_right (fun x => put (k * fst x) (snd x)) (fst m) (fst l), k * snd l + snd m).
Lemma plus_ok v k l m : lin v (plus k l m) = k * lin v l + lin v m.
Proof.
  unfold plus, lin. destruct (k =? 0) eqn:K; [apply Z.eqb_eq in K; subst; ring|]. cbn [fst snd].
  assert (E : sum v (fold_right (fun x => put (k * fst x) (snd x)) (fst m) (fst l)) = k * sum v (fst l) + sum v (fst m)).
  { induction (fst l) as [|[q s] t IH]; cbn [fold_right fst snd sum]; [ring|]. rewrite put_ok, IH. ring. }
  rewrite E. ring.
Qed.
Definition minus (l m : linear) : linear := plus (-1) m l.
Lemma minus_ok v l m : lin v (minus l m) = lin v l - lin v m.
Proof. unfold minus. rewrite plus_ok. ring. Qed.

(* -- products: the factors in order ------------------------------------------------------------------------------------- *)
Fixpoint put_factor (s : stream) (m : monomial) : monomial := match m with
  | [] => [s] | u :: r => match before s u with Gt => u :: put_factor s r | _ => s :: m end end.
Lemma put_factor_ok v s m : product v (put_factor s m) = Z.of_N (value v s) * product v m.
Proof. induction m as [|u m IH]; cbn [put_factor product]; [reflexivity|]. destruct (before s u); cbn [product]; rewrite ?IH; ring. Qed.
Fixpoint nest (s : stream) (m : monomial) : stream := match m with [] => s | u :: r => Times s (nest u r) end.
Lemma nest_ok v m : forall s, Z.of_N (value v (nest s m)) = Z.of_N (value v s) * product v m.
Proof. induction m as [|u m IH]; cbn [nest value product]; intros s; [ring|]. rewrite N2Z.inj_mul, IH. ring. Qed.
Definition times (s u : stream) : stream := match fold_right put_factor [] (factors s ++ factors u) with
  | [] => Times s u | x :: m => nest x m end.
Lemma times_ok v s u : value v (times s u) = (value v s * value v u)%N.
Proof.
  unfold times. assert (E : product v (fold_right put_factor [] (factors s ++ factors u)) = Z.of_N (value v s * value v u)).
  { rewrite N2Z.inj_mul, <- !product_factors, <- product_app. induction (factors s ++ factors u) as [|x m IH]; [reflexivity|].
    cbn [fold_right product]. rewrite put_factor_ok, IH. reflexivity. }
  destruct (fold_right put_factor [] (factors s ++ factors u)) as [|x m]; [reflexivity|].
  apply N2Z.inj. rewrite nest_ok. exact E.
Qed.
(* k * s * m, and l * m *)
Definition scale (k : Z) (s : stream) (m : linear) : linear :=
  let t := fold_right (fun x => put (k * fst x) (times s (snd x))) [] (fst m) in
  ((if k * snd m =? 0 then t else put (k * snd m) s t), 0).
Lemma scale_ok v k s m : lin v (scale k s m) = k * Z.of_N (value v s) * lin v m.
Proof.
  unfold scale, lin. cbn [fst snd].
  assert (E : sum v (fold_right (fun x => put (k * fst x) (times s (snd x))) [] (fst m)) = k * Z.of_N (value v s) * sum v (fst m)).
  { induction (fst m) as [|[q u] t IH]; cbn [fold_right fst snd sum]; [ring|]. rewrite put_ok, IH, times_ok. lia. }
  destruct (k * snd m =? 0) eqn:K; rewrite ?put_ok, E; [apply Z.eqb_eq in K|]; nia.
Qed.
Definition multiply (l m : linear) : linear :=
  fold_right (fun x acc => plus 1 (scale (fst x) (snd x) m) acc) (plus (snd l) m ([], 0)) (fst l).
Lemma multiply_ok v l m : lin v (multiply l m) = lin v l * lin v m.
Proof.
  unfold multiply. destruct l as [t c]. cbn [fst snd]. replace (lin v (t, c)) with (sum v t + c) by reflexivity.
  induction t as [|[k s] t IH]; cbn [fold_right fst snd sum]; [rewrite plus_ok; cbn; unfold lin; cbn; ring|].
  rewrite plus_ok, scale_ok, IH. ring.
Qed.

(* -- nim-sums: two equal streams cancel ---------------------------------------------------------------------------------- *)
Fixpoint xors (s : stream) : list stream := match s with Xor a b => xors a ++ xors b | _ => [s] end.
Definition xored (v : valuation) (l : list stream) : N := fold_right (fun s => N.lxor (value v s)) 0%N l.
Lemma xored_app v a b : xored v (a ++ b) = N.lxor (xored v a) (xored v b).
Proof. induction a as [|s a IH]; [symmetry; apply N.lxor_0_l|]. cbn. fold (xored v (a ++ b)). rewrite IH. symmetry. apply N.lxor_assoc. Qed.
Lemma xors_ok v s : xored v (xors s) = value v s.
Proof. induction s; cbn [xors value]; try (cbn; apply N.lxor_0_r). rewrite xored_app. congruence. Qed.
Fixpoint put_xor (s : stream) (l : list stream) : list stream := match l with
  | [] => [s] | u :: r => match before s u with Lt => s :: l | Eq => r | Gt => u :: put_xor s r end end.
Lemma put_xor_ok v s l : xored v (put_xor s l) = N.lxor (value v s) (xored v l).
Proof.
  induction l as [|u l IH]; [reflexivity|]. cbn [put_xor]. destruct (before s u) eqn:B; cbn [xored fold_right]; fold (xored v l).
  - apply before_eq in B. subst. rewrite <- N.lxor_assoc, N.lxor_nilpotent. symmetry. apply N.lxor_0_l.
  - reflexivity.
  - fold (xored v (put_xor s l)). rewrite IH, <- !N.lxor_assoc. f_equal. apply N.lxor_comm.
Qed.
Fixpoint nest_xor (s : stream) (l : list stream) : stream := match l with [] => s | u :: r => Xor s (nest_xor u r) end.
Lemma nest_xor_ok v l : forall s, value v (nest_xor s l) = N.lxor (value v s) (xored v l).
Proof. induction l as [|u l IH]; intros s; cbn [nest_xor value]; [symmetry; apply N.lxor_0_r|]. rewrite IH. reflexivity. Qed.
Definition xor_all (l : list stream) : option stream := match fold_right put_xor [] l with [] => None | s :: r => Some (nest_xor s r) end.
(* A stream, or 0. *)
Definition value_or_0 (v : valuation) (o : option stream) : N := match o with Some s => value v s | None => 0%N end.
Lemma xor_all_ok v l : value_or_0 v (xor_all l) = xored v l.
Proof.
  unfold xor_all. assert (E : xored v (fold_right put_xor [] l) = xored v l).
  { induction l as [|s l IH]; [reflexivity|]. cbn [fold_right]. rewrite put_xor_ok, IH. reflexivity. }
  destruct (fold_right put_xor [] l) as [|s r]; [exact E|]. cbn [value_or_0]. rewrite nest_xor_ok. exact E.
Qed.
Definition ands (a b : stream) : stream := match before a b with Eq => a | Lt => And a b | Gt => And b a end.
Lemma ands_ok v a b : value v (ands a b) = N.land (value v a) (value v b).
Proof.
  unfold ands. destruct (before a b) eqn:B; [|reflexivity|apply N.land_comm].
  apply before_eq in B. subst. symmetry. apply N.land_diag.
Qed.
Definition of_stream (o : option stream) : linear := match o with Some s => ([(1, s)], 0) | None => ([], 0) end.
Lemma of_stream_ok v o : lin v (of_stream o) = Z.of_N (value_or_0 v o).
Proof. destruct o; unfold lin; cbn [of_stream fst snd sum value_or_0]; lia. Qed.

(* -- the normal form of an atom of a certificate ------------------------------------------------------------------------- *)
Fixpoint in_order (s : stream) : stream := match s with
  | Var _ => s
  | Xor a b => match xor_all (xors (in_order a) ++ xors (in_order b)) with Some x => x | None => s end
  | And a b => ands (in_order a) (in_order b)
  | Times a b => times (in_order a) (in_order b) end.
Lemma in_order_ok v s : value v (in_order s) = value v s.
Proof.
  induction s as [x|a IHa b IHb|a IHa b IHb|a IHa b IHb]; cbn [in_order]; [reflexivity| | |].
  - pose proof (xor_all_ok v (xors (in_order a) ++ xors (in_order b))) as O. rewrite xored_app, !xors_ok, IHa, IHb in O.
    destruct (xor_all _); [exact O|reflexivity].
  - rewrite ands_ok, IHa, IHb. reflexivity.
  - rewrite times_ok, IHa, IHb. reflexivity.
Qed.
Definition linear_of (a : atom) : linear := (fold_right (fun x => put (fst x) (in_order (snd x))) [] (left a), constant a).
Lemma linear_of_ok v a : lin v (linear_of a) = sum v (left a) + constant a.
Proof.
  unfold linear_of, lin. cbn [fst snd]. f_equal. induction (left a) as [|[k s] t IH]; cbn [fold_right fst snd sum]; [reflexivity|].
  rewrite put_ok, IH, in_order_ok. reflexivity.
Qed.

(* -- comparisons with 0 in a normal form -------------------------------------------------------------------------------- *)
(* The coefficients have no common divisor and the first one is positive.  [Like false a] is the negation of a. *)
Inductive normal := Decided (b : bool) | Like (positive : bool) (a : atom).
Definition common (t : terms) : Z := fold_right (fun x => Z.gcd (fst x)) 0 t.
Definition over (g : Z) (t : terms) : terms := map (fun x => (fst x / g, snd x)) t.
Definition opposite (t : terms) : terms := map (fun x => (- fst x, snd x)) t.
Definition all_positive (t : terms) : bool := forallb (fun x => 0 <? fst x) t.
Definition all_negative (t : terms) : bool := forallb (fun x => fst x <? 0) t.
(* The comparison of t + c with 0, where the coefficients of t have no common divisor. *)
Definition turn (eq : bool) (t : terms) (c : Z) : normal :=
  if all_positive t && (0 <? c) then Decided false else
  if eq && all_negative t && (c <? 0) then Decided false else
  if negb eq && all_negative t && (c <=? 0) then Decided true else
  match t with
  | (k, _) :: _ => if k <? 0 then (if eq then Like true {| equation := true; left := opposite t; constant := - c |}
      else Like false {| equation := false; left := opposite t; constant := 1 - c |})
    else Like true {| equation := eq; left := t; constant := c |}
  | [] => Decided (if eq then c =? 0 else c <=? 0) end.
Definition compare_0 (eq : bool) (l : linear) : normal :=
  let (t, c) := l in let g := common t in
  if (1 <? g) && forallb (fun x => fst x mod g =? 0) t then
    if eq && negb (c mod g =? 0) then Decided false else turn eq (over g t) (if eq then c / g else - ((- c) / g))
  else turn eq t c.
Definition verdict (v : valuation) (n : normal) : bool := match n with
  | Decided b => b | Like s a => if s then truth v a else negb (truth v a) end.
Lemma sum_over v g t : 0 < g -> forallb (fun x => fst x mod g =? 0) t = true -> sum v t = g * sum v (over g t).
Proof.
  intros G. induction t as [|[k s] t IH]; cbn [forallb over map sum fst snd]; intros H; [ring|].
  apply andb_prop in H. destruct H as [A B]. fold (over g t). rewrite (IH B). apply Z.eqb_eq in A.
  pose proof (Z.div_mod k g ltac:(lia)) as D. rewrite A, Z.add_0_r in D. rewrite D at 1. ring.
Qed.
Lemma sum_opposite v t : sum v (opposite t) = - sum v t.
Proof. induction t as [|[k s] t IH]; cbn [opposite map sum fst snd]; [reflexivity|]. fold (opposite t). rewrite IH. ring. Qed.
Lemma sum_positive v t : all_positive t = true -> 0 <= sum v t.
Proof. unfold all_positive. induction t as [|[k s] t IH]; cbn [forallb sum fst]; intros H; [lia|]. apply andb_prop in H. destruct H as [A B]. specialize (IH B). nia. Qed.
Lemma sum_negative v t : all_negative t = true -> sum v t <= 0.
Proof. unfold all_negative. induction t as [|[k s] t IH]; cbn [forallb sum fst]; intros H; [lia|]. apply andb_prop in H. destruct H as [A B]. specialize (IH B). nia. Qed.
Lemma turn_ok v eq t c : verdict v (turn eq t c) = (if eq then sum v t + c =? 0 else sum v t + c <=? 0).
Proof.
  unfold turn. destruct (all_positive t && (0 <? c)) eqn:P.
  { apply andb_prop in P. destruct P as [P C]. apply (sum_positive v) in P. cbn [verdict]. symmetry. destruct eq; lia. }
  destruct (all_negative t) eqn:N; [apply (sum_negative v) in N|]; (destruct eq; cbn [negb andb];
    [destruct (c <? 0) eqn:C|destruct (c <=? 0) eqn:C]); try (cbn [verdict]; symmetry; lia);
    (destruct t as [|[k s] t]; [cbn [verdict sum]; lia|]; destruct (k <? 0); cbn [verdict]; unfold truth;
      cbn [equation left constant]; rewrite ?sum_opposite; try reflexivity; set (S := sum v ((k, s) :: t)) in *; lia).
Qed.
Lemma compare_0_ok v eq l : verdict v (compare_0 eq l) = (if eq then lin v l =? 0 else lin v l <=? 0).
Proof.
  destruct l as [t c]. unfold compare_0, lin. cbn [fst snd]. generalize (common t) as g. intros g.
  destruct ((1 <? g) && forallb (fun x => fst x mod g =? 0) t) eqn:D; [|apply turn_ok].
  apply andb_prop in D. destruct D as [G D]. assert (G' : 0 < g) by lia. rewrite (sum_over v g t G' D).
  set (S := sum v (over g t)). pose proof (Z.div_mod c g ltac:(lia)) as Dc. pose proof (Z.mod_pos_bound c g G').
  destruct eq; cbn [negb andb].
  - destruct (c mod g =? 0) eqn:C; cbn [negb].
    + rewrite turn_ok. fold S. apply Z.eqb_eq in C. apply Bool.eq_true_iff_eq. rewrite !Z.eqb_eq. split; intros; nia.
    + cbn [verdict]. symmetry. apply Z.eqb_neq. apply Z.eqb_neq in C. intros E. apply C.
      replace c with ((- S) * g) by lia. apply Z.mod_mul. lia.
  - rewrite turn_ok. fold S. pose proof (Z.div_mod (- c) g ltac:(lia)) as Dn. pose proof (Z.mod_pos_bound (- c) g G') as Mn.
    set (q := - c / g) in *. apply Bool.eq_true_iff_eq. rewrite !Z.leb_le. split; intros; nia.
Qed.
Fixpoint same_terms (a b : terms) : bool := match a, b with
  | [], [] => true | (k, s) :: a, (q, u) :: b => (k =? q) && same_stream s u && same_terms a b | _, _ => false end.
Lemma same_terms_ok a : forall b, same_terms a b = true -> a = b.
Proof.
  induction a as [|[k s] a IH]; intros [|[q u] b] H; cbn in H; try discriminate; auto.
  apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [A B].
  apply Z.eqb_eq in A. apply same_stream_ok in B. apply IH in C. subst. reflexivity.
Qed.
Definition same_linear (l m : linear) : bool := (snd l =? snd m) && same_terms (fst l) (fst m).
Lemma same_linear_ok l m : same_linear l m = true -> l = m.
Proof. destruct l, m. cbn. intros H. apply andb_prop in H. destruct H as [A B]. apply Z.eqb_eq in A. apply same_terms_ok in B. cbn in *. congruence. Qed.
Definition same_atom (a b : atom) : bool := (constant a =? constant b) && eqb (equation a) (equation b) && same_terms (left a) (left b).
Lemma same_atom_ok a b : same_atom a b = true -> a = b.
Proof.
  destruct a, b. unfold same_atom. cbn. intros H. apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [A B].
  apply eqb_prop in B. apply Z.eqb_eq in A. apply same_terms_ok in C. subst. reflexivity.
Qed.
