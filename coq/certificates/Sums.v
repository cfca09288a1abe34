(* Lemmas by a sum: products of literals and naturals that are each at least 0 but add up to a negative number. *)
Require Import List NArith ZArith Bool Lia.
From NimChecks Require Import Streams Automata.
Import ListNotations.
Open Scope Z_scope.
Local Arguments Z.mul : simpl never.
Local Arguments Z.add : simpl never.
Local Arguments Z.of_N : simpl never.

(* Streams are the unknowns; a product is split into its factors. *)
Definition monomial := list stream.
Definition polynomial := list (Z * monomial).
Fixpoint factors (s : stream) : monomial := match s with Times a b => factors a ++ factors b | _ => [s] end.

Section Values.
Variable v : valuation.
Fixpoint product (m : monomial) : Z := match m with [] => 1 | s :: m => Z.of_N (value v s) * product m end.
Fixpoint worth (p : polynomial) : Z := match p with [] => 0 | (k, m) :: p => k * product m + worth p end.

Lemma product_app a b : product (a ++ b) = product a * product b.
Proof. induction a as [|s a IH]; cbn; [|rewrite IH]; ring. Qed.
Lemma product_factors s : product (factors s) = Z.of_N (value v s).
Proof. induction s; cbn; [| | |rewrite product_app, IHs1, IHs2]; lia. Qed.
Lemma product_natural m : 0 <= product m.
Proof. induction m as [|s m IH]; cbn; nia. Qed.
End Values.

(* Remove one factor at any place; then test whether two monomials have the same factors. *)
Fixpoint without (s : stream) (m : monomial) : option monomial := match m with
  | [] => None
  | x :: m => if same_stream s x then Some m else option_map (cons x) (without s m) end.
Lemma without_ok v s m : forall r, without s m = Some r -> product v m = Z.of_N (value v s) * product v r.
Proof.
  induction m as [|x m IH]; cbn; intros r E; [discriminate|].
  destruct (same_stream s x) eqn:S; [apply same_stream_ok in S; injection E as <-; subst; reflexivity|].
  destruct (without s m) as [w|]; [|discriminate]. injection E as <-. cbn. rewrite (IH w eq_refl). ring.
Qed.
Fixpoint same_monomial (a b : monomial) : bool := match a, b with
  | [], [] => true
  | s :: a, _ => match without s b with Some b => same_monomial a b | None => false end
  | _, _ => false end.
Lemma same_monomial_ok v a : forall b, same_monomial a b = true -> product v a = product v b.
Proof.
  induction a as [|s a IH]; intros b H; cbn in H; [destruct b; [reflexivity | discriminate]|].
  destruct (without s b) as [r|] eqn:W; [|discriminate]. cbn. rewrite (without_ok v _ _ _ W), (IH r H). reflexivity.
Qed.

Fixpoint add_term (k : Z) (m : monomial) (p : polynomial) : polynomial := match p with
  | [] => [(k, m)]
  | (q, n) :: p => if same_monomial m n then (q + k, n) :: p else (q, n) :: add_term k m p end.
Lemma add_term_ok v k m p : worth v (add_term k m p) = k * product v m + worth v p.
Proof.
  induction p as [|[q n] p IH]; cbn; [ring|]. destruct (same_monomial m n) eqn:S; cbn; [|rewrite IH; ring].
  rewrite (same_monomial_ok v _ _ S). ring.
Qed.
(* p + k * m * q *)
Definition add_times (k : Z) (m : monomial) (q p : polynomial) : polynomial :=
  fold_right (fun x => add_term (k * fst x) (m ++ snd x)) p q.
Lemma add_times_ok v k m q p : worth v (add_times k m q p) = k * product v m * worth v q + worth v p.
Proof.
  unfold add_times. induction q as [|[c n] q IH]; cbn [fold_right fst snd worth]; [ring|].
  rewrite add_term_ok, IH, product_app. ring.
Qed.
Definition times (p q : polynomial) : polynomial := fold_right (fun x => add_times (fst x) (snd x) q) [] p.
Lemma times_ok v p q : worth v (times p q) = worth v p * worth v q.
Proof.
  induction p as [|[k m] p IH]; [cbn; ring|]. change (times ((k, m) :: p) q) with (add_times k m q (times p q)).
  rewrite add_times_ok, IH. cbn. ring.
Qed.

(* The polynomial that a literal states to be at least 0, or 0 for an equation; None for an inequation. *)
Definition expand (sign constant : Z) (t : terms) : polynomial :=
  add_term constant [] (fold_right (fun x => add_term (sign * fst x) (factors (snd x))) [] t).
Lemma expand_ok v sign c t : worth v (expand sign c t) = c + sign * sum v t.
Proof.
  unfold expand. rewrite add_term_ok. cbn.
  assert (E : worth v (fold_right (fun x => add_term (sign * fst x) (factors (snd x))) [] t) = sign * sum v t).
  { induction t as [|[k s] t IH]; cbn; [ring|]. rewrite add_term_ok, IH, product_factors. cbn. ring. }
  rewrite E. ring.
Qed.
Definition said (x : asked) : option polynomial := let (a, b) := x in match equation a, b with
  | true, true => Some (expand 1 (constant a) (left a))
  | true, false => None
  | false, true => Some (expand (-1) (- constant a) (left a))
  | false, false => Some (expand 1 (constant a - 1) (left a)) end.
Lemma said_ok v a b p : said (a, b) = Some p -> truth v a = b ->
  if equation a then worth v p = 0 else 0 <= worth v p.
Proof.
  unfold said, truth. destruct (equation a), b; intros E T; try discriminate; injection E as <-; rewrite expand_ok; lia.
Qed.

(* The coefficient times the literals at these places times these streams. *)
Record summand := { coefficient : Z; places : list nat; by_streams : list stream }.
Fixpoint product_said (xs : list asked) (ps : list nat) : option (bool * polynomial) := match ps with
  | [] => Some (false, [(1, [])])
  | i :: ps => match nth_error xs i, product_said xs ps with
    | Some x, Some (zero, q) => match said x with Some p => Some (equation (fst x) || zero, times p q) | None => None end
    | _, _ => None end end.
Lemma product_said_ok v (xs : list asked) ps : (forall a b, In (a, b) xs -> truth v a = b) -> forall zero q,
  product_said xs ps = Some (zero, q) -> if zero then worth v q = 0 else 0 <= worth v q.
Proof.
  intros A. induction ps as [|i ps IH]; cbn [product_said]; intros zero q E; [injection E as <- <-; cbn; lia|].
  destruct (nth_error xs i) as [[a b]|] eqn:X; [|discriminate].
  destruct (product_said xs ps) as [[z r]|]; [|discriminate]. destruct (said (a, b)) as [p|] eqn:S; [|discriminate].
  injection E as <- <-. rewrite times_ok. specialize (IH z r eq_refl).
  pose proof (said_ok v a b p S (A a b (nth_error_In _ _ X))) as P. cbn [fst].
  destruct (equation a), z; cbn [orb]; [rewrite P; ring | rewrite P; ring | rewrite IH; ring | apply Z.mul_nonneg_nonneg; assumption].
Qed.

Definition add_summand (xs : list asked) (s : summand) (rest : option polynomial) : option polynomial :=
  match product_said xs (places s), rest with
  | Some (zero, q), Some p =>
    if zero || (0 <=? coefficient s) then Some (add_times (coefficient s) (flat_map factors (by_streams s)) q p) else None
  | _, _ => None end.
Definition negative (p : polynomial) : bool :=
  existsb (fun x => match snd x with [] => fst x <? 0 | _ => false end) p &&
  forallb (fun x => match snd x with [] => fst x <=? 0 | _ => fst x =? 0 end) p.
Definition refuted (xs : list asked) (all : list summand) : bool :=
  match fold_right (add_summand xs) (Some []) all with Some p => negative p | None => false end.

Lemma negative_ok v p : negative p = true -> worth v p < 0.
Proof.
  intros H. apply andb_prop in H. destruct H as [E A].
  assert (Le : forall p, forallb (fun x => match snd x with [] => fst x <=? 0 | _ => fst x =? 0 end) p = true ->
    worth v p <= 0).
  { clear. induction p as [|[k m] p IH]; cbn; intros H; [lia|]. apply andb_prop in H. destruct H as [H1 H2].
    specialize (IH H2). destruct m; cbn; [lia|]. apply Z.eqb_eq in H1. subst. lia. }
  induction p as [|[k m] p IH]; cbn in *; [discriminate|]. apply andb_prop in A. destruct A as [A1 A2].
  specialize (Le p A2). apply orb_prop in E. destruct E as [E | E].
  - destruct m; cbn; [lia | discriminate].
  - specialize (IH E A2). destruct m; cbn; [lia|]. apply Z.eqb_eq in A1. subst. lia.
Qed.
Lemma sum_natural v (xs : list asked) all : (forall a b, In (a, b) xs -> truth v a = b) ->
  forall p, fold_right (add_summand xs) (Some []) all = Some p -> 0 <= worth v p.
Proof.
  intros A. induction all as [|s all IH]; cbn [fold_right]; intros p E; [injection E as <-; cbn; lia|].
  unfold add_summand at 1 in E. destruct (product_said xs (places s)) as [[z q]|] eqn:P; [|discriminate].
  destruct (fold_right (add_summand xs) (Some []) all) as [r|]; [|discriminate].
  destruct (z || (0 <=? coefficient s)) eqn:C; [|discriminate]. injection E as <-. rewrite add_times_ok.
  specialize (IH r eq_refl). pose proof (product_natural v (flat_map factors (by_streams s))) as N.
  pose proof (product_said_ok v xs (places s) A z q P) as Q. destruct z; cbn in C; [rewrite Q; lia|].
  apply Z.leb_le in C. pose proof (Z.mul_nonneg_nonneg _ _ C N). pose proof (Z.mul_nonneg_nonneg _ _ H Q). lia.
Qed.
Theorem refuted_ok (xs : list asked) all : refuted xs all = true -> forall v, ~ forall a b, In (a, b) xs -> truth v a = b.
Proof.
  unfold refuted. destruct (fold_right _ _ _) as [p|] eqn:F; [|discriminate]. intros N v A.
  apply (negative_ok v) in N. apply (sum_natural v xs all A) in F. lia.
Qed.
