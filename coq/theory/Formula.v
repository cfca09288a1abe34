(* The rule of Grundy values by a formula, proved once: heaps are written with digits, which are integers, and the formula
   gives the value of a heap by its digits.  The hypotheses are what the obligations of the rule say. *)
From Coq Require Import Lia ZifyBool ZArith.
From NimChecks Require Export Grundy Tactics Folded.
Open Scope Z_scope.

(* Every heap has digits: because 0 has, and the next heap has, or because of smaller heaps. *)
Section Digits.
Variable D : Type.
Variable of_number : D -> Z -> Prop.
Lemma count_up : {d | of_number d 0} -> (forall d z, of_number d z -> {e | of_number e (z + 1)}) ->
  forall h : N, {d | of_number d (Z.of_N h)}.
Proof.
  intros Z S h. induction h as [|h IH] using N.peano_rect; [exact Z|]. destruct IH as (d & I). destruct (S d _ I) as (e & J).
  exists e. rewrite N2Z.inj_succ. exact J.
Qed.
Lemma from_smaller : (forall h : N, (forall y : N, (y < h)%N -> {d | of_number d (Z.of_N y)}) -> {d | of_number d (Z.of_N h)}) ->
  forall h : N, {d | of_number d (Z.of_N h)}.
Proof. intros S h. induction h as [h IH] using (well_founded_induction_type N.lt_wf_0). exact (S h IH). Qed.
End Digits.

Section Formula.
Variable g : game.
Hypothesis fair : impartial g.
(* [inside d]: the digits are in their ranges.  [heap d], [formula d]: the heap with these digits, and its value. *)
Variables (D B : Type) (inside : D -> Prop) (heap formula : D -> Z) (inside_below : B -> Prop) (below : B -> Z).
Hypothesis written : forall h : N, {d | inside d /\ heap d = Z.of_N h}.
Hypothesis written_below : forall v : N, {b | inside_below b /\ below b = Z.of_N v}.
Hypothesis natural : forall d, inside d -> 0 <= formula d.
Hypothesis empty : forall d, inside d -> heap d = 0 -> formula d = 0.
Hypothesis avoided : forall d e h y, inside d -> inside e -> heap d = Z.of_N h -> heap e = Z.of_N y ->
  becomes g First h y -> formula d <> formula e.
Hypothesis reached : forall d b h, inside d -> inside_below b -> heap d = Z.of_N h -> 1 <= heap d -> below b < formula d ->
  exists e y, (inside e /\ heap e = Z.of_N y) /\ becomes g First h y /\ formula e = below b.

Definition heap_value (h : N) : N := Z.to_N (formula (proj1_sig (written h))).
Let digits (d : D) : Prop := inside d /\ 0 <= heap d.
Let size (d : D) : N := Z.to_N (heap d).
Lemma written_digits h : digits (proj1_sig (written h)) /\ size (proj1_sig (written h)) = h.
Proof. destruct (written h) as (d & I & E). cbn. unfold digits, size. rewrite E. split; [split; [exact I|] |]; lia. Qed.
Lemma written_values v : exists b, inside_below b /\ Z.to_N (below b) = v.
Proof. destruct (written_below v) as (b & I & E). exists b. split; [exact I|]. lia. Qed.
Lemma digits_avoided d e : digits d -> digits e -> becomes g First (size d) (size e) -> Z.to_N (formula e) <> Z.to_N (formula d).
Proof.
  intros [I N] [J M] S E. apply (avoided d e _ _ I J) in S; [|unfold size; lia..].
  pose proof (natural d I). pose proof (natural e J). lia.
Qed.
Lemma digits_reached d b : digits d -> inside_below b -> (Z.to_N (below b) < Z.to_N (formula d))%N ->
  exists e, digits e /\ becomes g First (size d) (size e) /\ Z.to_N (formula e) = Z.to_N (below b).
Proof.
  intros [I N] J L. assert (P : 1 <= heap d).
  { destruct (Z.eq_dec (heap d) 0) as [E|E]; [|lia]. apply (empty d I) in E. lia. }
  destruct (reached d b (size d) I J) as (e & y & (K & E) & S & V); [unfold size; lia | exact P | lia |].
  exists e. unfold digits, size. rewrite E, V. rewrite N2Z.id. split; [split; [exact K | lia] |]. split; [exact S | reflexivity].
Qed.
Lemma heap_value_is h : value g [h] (heap_value h).
Proof.
  exact (value_written g fair D B digits size (fun d => Z.to_N (formula d)) (fun h => proj1_sig (written h)) inside_below
    (fun b => Z.to_N (below b)) written_digits written_values digits_avoided digits_reached h).
Qed.
(* For all digits of a heap, the formula gives the same value. *)
Theorem heap_value_by d h : inside d -> heap d = Z.of_N h -> Z.of_N (heap_value h) = formula d.
Proof.
  intros I E. assert (S : size d = h) by (unfold size; lia). rewrite <- S.
  pose proof (value_written_of g fair D B digits size (fun d => Z.to_N (formula d)) (fun h => proj1_sig (written h)) inside_below
    (fun b => Z.to_N (below b)) written_digits written_values digits_avoided digits_reached d) as V.
  unfold heap_value. rewrite V by (split; [exact I | lia]). apply Z2N.id, natural, I.
Qed.

(* [v h]: the value of the heap h, which the formula gives.  [f s]: the value of a position. *)
Definition solves (v : N -> N) (f : position -> N) : Prop :=
  (forall h d, inside d -> heap d = Z.of_N h -> Z.of_N (v h) = formula d) /\ values g f /\ (forall h, f [h] = v h) /\
  (forall p s, wins g p s <-> f s <> 0%N) /\
  (forall u s, (forall h d, (0 < h)%N -> inside d -> heap d = Z.of_N h -> Z.of_N (u h) = formula d) -> nim_sum_of u s = f s).
Theorem solved : exists v f, solves v f.
Proof.
  exists heap_value, (nim_sum_of heap_value). split; [intros; apply heap_value_by; assumption|].
  split; [exact (values_of_sums g fair heap_value heap_value_is)|].
  split; [exact (sum_of_one g heap_value heap_value_is)|]. split; [exact (wins_sum g fair heap_value heap_value_is)|].
  intros u s E. apply nim_sum_of_ext. intros h P. destruct (written h) as (d & I & H) eqn:W.
  pose proof (E h d P I H) as V. rewrite <- (heap_value_by d h I H) in V. lia.
Qed.
End Formula.

(* -- powers -------------------------------------------------------------------------------------------------------- *)
(* x is a power of b. *)
Definition is_power (b x : Z) : Prop := exists e, 0 <= e /\ x = b ^ e.
Lemma power_one b : is_power b 1.
Proof. exists 0. split; [lia | reflexivity]. Qed.
Lemma power_of b e : is_power b (b ^ Z.of_N e).
Proof. exists (Z.of_N e). split; [lia | reflexivity]. Qed.
Lemma power_more b x y : is_power b x -> is_power b y -> is_power b (x * y).
Proof. intros (e & E & ->) (f & F & ->). exists (e + f). split; [lia|]. rewrite Z.pow_add_r by lia. reflexivity. Qed.
Lemma power_base b : is_power b b.
Proof. exists 1. split; [lia|]. rewrite Z.pow_1_r. reflexivity. Qed.
Lemma power_positive b x : 2 <= b -> is_power b x -> 1 <= x.
Proof. intros L (e & E & ->). pose proof (Z.pow_pos_nonneg b e). lia. Qed.
Lemma power_each b x : 2 <= b -> is_power b x -> 1 <= x /\ (x = 1 \/ x mod b = 0).
Proof.
  intros L P. split; [exact (power_positive b x L P)|]. destruct P as (e & E & ->). destruct (Z.eq_dec e 0) as [->|N]; [left; reflexivity|].
  right. replace e with (Z.succ (e - 1)) by lia. rewrite Z.pow_succ_r, Z.mul_comm by lia. apply Z_mod_mult.
Qed.
Lemma power_one_more b x : 2 <= b -> is_power b x -> x mod (b - 1) = 1 mod (b - 1).
Proof.
  intros L (e & E & ->). revert E. apply (natlike_ind (fun e => b ^ e mod (b - 1) = 1 mod (b - 1))); [reflexivity|].
  intros x P IH. rewrite Z.pow_succ_r by exact P. replace (b * b ^ x) with (b ^ x + b ^ x * (b - 1)) by ring.
  rewrite Z_mod_plus_full. exact IH.
Qed.
Lemma power_each_more b c x : c = b - 1 -> 3 <= b -> is_power b x -> 1 <= x /\ (x = 1 \/ x mod b = 0) /\ x mod c = 1.
Proof.
  intros -> L P. destruct (power_each b x ltac:(lia) P) as (A & M). split; [exact A|]. split; [exact M|].
  rewrite (power_one_more b x ltac:(lia) P). apply Z.mod_1_l. lia.
Qed.
(* Of two powers, how many times the base times the smaller one the larger one is. *)
Definition factor_between (b x y : Z) : Z := if x =? y then 1 else if x <? y then y / x / b else x / y / b.
Lemma power_times b x y : 2 <= b -> is_power b x -> is_power b y -> x < y -> y = b * (factor_between b x y * x) /\ 1 <= factor_between b x y.
Proof.
  intros L (e & E & ->) (f & F & ->) Less. assert (e < f) by (apply (Z.pow_lt_mono_r_iff b); lia).
  assert (A : factor_between b (b ^ e) (b ^ f) = b ^ (f - e - 1)).
  { unfold factor_between. destruct (b ^ e =? b ^ f) eqn:T; [lia|]. destruct (b ^ e <? b ^ f) eqn:T'; [|lia].
    replace f with (e + (1 + (f - e - 1))) at 1 by lia. rewrite !Z.pow_add_r by lia. rewrite Z.pow_1_r.
    pose proof (Z.pow_pos_nonneg b e). rewrite Z.mul_comm, Z.div_mul by lia. rewrite Z.mul_comm, Z.div_mul by lia. reflexivity. }
  rewrite A. split; [|pose proof (Z.pow_pos_nonneg b (f - e - 1)); lia].
  rewrite <- Z.pow_add_r by lia. rewrite <- Z.pow_succ_r by lia. f_equal. lia.
Qed.
Lemma factor_other b x y : factor_between b x y = factor_between b y x.
Proof. unfold factor_between. rewrite Z.eqb_sym. destruct (y =? x) eqn:E; [reflexivity|]. destruct (x <? y) eqn:L, (y <? x) eqn:M; lia. Qed.
Lemma factor_positive b x y : 2 <= b -> is_power b x -> is_power b y -> 1 <= factor_between b x y.
Proof.
  intros L P Q. destruct (Z.lt_trichotomy x y) as [T|[->|T]]; [exact (proj2 (power_times b x y L P Q T)) | unfold factor_between; rewrite Z.eqb_refl; lia |].
  rewrite factor_other. exact (proj2 (power_times b y x L Q P T)).
Qed.
Lemma powers_apart b x y : 2 <= b -> is_power b x -> is_power b y -> x = y \/ b * y <= x \/ b * x <= y.
Proof.
  intros L P Q. pose proof (power_positive b x L P). pose proof (power_positive b y L Q).
  destruct (Z.lt_trichotomy x y) as [T|[T|T]]; [right; right | left; exact T | right; left].
  - destruct (power_times b x y L P Q T) as (E & A). rewrite E. apply Z.mul_le_mono_nonneg_l; nia.
  - destruct (power_times b y x L Q P T) as (E & A). rewrite E. apply Z.mul_le_mono_nonneg_l; nia.
Qed.
Lemma powers_cancel b a x c y : 2 <= b -> is_power b a -> is_power b c ->
  ~ a * x = c * y \/ a = c /\ x = y \/ c < a /\ y = b * (factor_between b a c * x) \/ a < c /\ x = b * (factor_between b a c * y).
Proof.
  intros L P Q. pose proof (power_positive b a L P). pose proof (power_positive b c L Q).
  destruct (Z.eq_dec (a * x) (c * y)) as [E|N]; [right | left; exact N].
  destruct (Z.lt_trichotomy a c) as [T|[T|T]].
  - right; right. split; [exact T|]. destruct (power_times b a c L P Q T) as (F & A). apply (Z.mul_reg_l _ _ a); [lia|]. rewrite E, F at 1. ring.
  - left. split; [exact T|]. subst c. apply (Z.mul_reg_l _ _ a); [lia | exact E].
  - right; left. split; [exact T|]. rewrite factor_other. destruct (power_times b c a L Q P T) as (F & A). apply (Z.mul_reg_l _ _ c); [lia|]. rewrite <- E, F at 1. ring.
Qed.
(* There is a power above every number, and a largest one with a property that large powers do not have. *)
Lemma largest_power b (P : Z -> Prop) bound : 2 <= b -> (forall x, P x \/ ~ P x) -> P 1 ->
  (forall x, is_power b x -> bound < x -> ~ P x) -> exists x, is_power b x /\ P x /\ ~ P (b * x).
Proof.
  intros L D One Large.
  assert (Up : forall n, 0 <= n -> (exists x, is_power b x /\ P x /\ ~ P (b * x)) \/ P (b ^ n)).
  { intros n. apply (natlike_ind (fun n => (exists x, is_power b x /\ P x /\ ~ P (b * x)) \/ P (b ^ n))); [right; exact One|].
    intros m M [H|H]; [left; exact H|]. rewrite Z.pow_succ_r by exact M. destruct (D (b * b ^ m)) as [H'|H']; [right; exact H'|].
    left. exists (b ^ m). split; [exists m; auto | auto]. }
  destruct (Up (Z.max 0 bound)) as [H|H]; [lia | exact H|]. exfalso. apply (Large (b ^ Z.max 0 bound)); [exists (Z.max 0 bound); split; [lia | reflexivity]| |exact H].
  pose proof (Z.pow_gt_lin_r b (Z.max 0 bound)). lia.
Qed.
(* The product of two natural numbers. *)
Lemma product_natural x y : ~ (0 <= x /\ 0 <= y) \/ 0 <= x * y.
Proof. destruct (Z.le_gt_cases 0 x), (Z.le_gt_cases 0 y); try (left; lia). right. apply Z.mul_nonneg_nonneg; assumption. Qed.

(* The quotient and the remainder by a number that is not written down. *)
Lemma division_by a b : ~ 1 <= b \/ a = b * (a / b) + a mod b /\ 0 <= a mod b /\ a mod b < b.
Proof. destruct (Z.le_gt_cases 1 b); [right | left; lia]. pose proof (Z.div_mod a b). pose proof (Z.mod_pos_bound a b). lia. Qed.
Lemma division_small a b : ~ (0 <= a /\ a < b) \/ a / b = 0 /\ a mod b = a.
Proof.
  destruct (Z.le_gt_cases 0 a), (Z.le_gt_cases b a); try (left; lia). right. split; [apply Z.div_small | apply Z.mod_small]; lia.
Qed.
Lemma division_next b a c : ~ 1 <= b \/ (~ a = c \/ a mod b = c mod b) /\
  (~ a = c + 1 \/ a mod b = (if c mod b + 1 =? b then 0 else c mod b + 1)).
Proof.
  destruct (Z.le_gt_cases 1 b) as [L|L]; [right | left; lia]. split.
  - destruct (Z.eq_dec a c) as [->|N]; [right; reflexivity | left; exact N].
  - destruct (Z.eq_dec a (c + 1)) as [->|N]; [right | left; exact N]. pose proof (Z.mod_pos_bound c b ltac:(lia)).
    pose proof (Z.div_mod c b ltac:(lia)). destruct (c mod b + 1 =? b) eqn:T; symmetry.
    + apply (Z.mod_unique _ _ (c / b + 1)); [lia|]. nia.
    + apply (Z.mod_unique _ _ (c / b)); lia.
Qed.
(* What lia makes of quotients and remainders: only those by numbers that are written down have equations. *)
Ltac divisions_by_numbers :=
  repeat match goal with
  | |- context [?a / ?b] => lazymatch b with Zpos _ => fail | _ => let q := fresh "q" in set (q := a / b) in *; clearbody q end
  | |- context [?a mod ?b] => lazymatch b with Zpos _ => fail | _ => let q := fresh "q" in set (q := a mod b) in *; clearbody q end
  | _ : context [?a / ?b] |- _ => lazymatch b with Zpos _ => fail | _ => let q := fresh "q" in set (q := a / b) in *; clearbody q end
  | _ : context [?a mod ?b] |- _ => lazymatch b with Zpos _ => fail | _ => let q := fresh "q" in set (q := a mod b) in *; clearbody q end
  end; divisions.

(* Some number of a range has a property, or none has. *)
Lemma some_of_range (P : Z -> Prop) low after : (forall z, P z \/ ~ P z) ->
  (exists z, low <= z /\ z < after /\ P z) \/ (forall z, low <= z -> z < after -> ~ P z).
Proof.
  intros D. assert (H : forall n, 0 <= n -> (exists z, low <= z /\ z < low + n /\ P z) \/ (forall z, low <= z -> z < low + n -> ~ P z)).
  { intros n. apply (natlike_ind (fun n => (exists z, low <= z /\ z < low + n /\ P z) \/ (forall z, low <= z -> z < low + n -> ~ P z))).
    - right. intros z A B. lia.
    - intros m M [(z & A & B & C)|No]; [left; exists z; repeat split; lia || exact C|]. destruct (D (low + m)) as [H|H].
      + left. exists (low + m). repeat split; lia || exact H.
      + right. intros z A B. destruct (Z.eq_dec z (low + m)) as [->|N]; [exact H | apply No; lia]. }
  destruct (H (Z.max 0 (after - low)) ltac:(lia)) as [(z & A & B & C)|No]; [left; exists z | right; intros z A B; apply No; lia].
  repeat split; lia || exact C.
Qed.

(* -- the tactics of an instance ------------------------------------------------------------------------------------ *)
Ltac power := first [assumption | apply power_one | apply power_of | apply power_base | apply power_more; power].
Ltac known_fact ::= first
  [ apply product_natural | apply division_by | apply division_small | apply division_next
  | apply power_each; [lia | power] | apply power_each_more; [lia | lia | power]
  | apply powers_apart; [lia | power | power] | apply powers_cancel; [lia | power | power]
  | apply factor_positive; [lia | power | power]
  | left; discriminate
  | lazymatch goal with None : forall z : Z, _ -> _ -> ~ _ |- ~ ((_ /\ _) /\ _) \/ false = true =>
      let A := fresh in let B := fresh in let C := fresh in left; intros [[A B] C]; exact (None _ A B C) end ].
(* Digits are in their ranges, and are those of a number. *)
Ltac in_ranges := by_parts; repeat match goal with |- _ /\ _ => split end; first [power | assumption | lia | branch; lia].
(* Conditions on natural numbers, with their quotients and remainders, as conditions on integers. *)
Ltac as_integers := rewrite <- ?eqb_of_N, <- ?leb_of_N, <- ?ltb_of_N;
  repeat first [rewrite N2Z.inj_mod | rewrite N2Z.inj_div | rewrite N2Z.inj_add | rewrite N2Z.inj_mul]; cbn [Z.of_N].
(* The condition of a move that no number of a range satisfies an equation, for natural numbers and for integers. *)
Ltac no_natural z := lazymatch goal with A : forall d : N, _ -> _ <> _ |- False =>
  apply (A (Z.to_N z)); [lia | apply N2Z.inj; as_integers; rewrite ?Z2N.id by lia; lia] end.
Ltac no_integer := lazymatch goal with |- forall d : N, _ -> _ <> _ =>
  let d := fresh in let C := fresh in intros d ? C; apply (f_equal Z.of_N) in C;
  repeat first [rewrite N2Z.inj_mod in C | rewrite N2Z.inj_div in C | rewrite N2Z.inj_add in C | rewrite N2Z.inj_mul in C];
  cbn [Z.of_N] in C; lazymatch goal with None : forall z : Z, _ -> _ -> ~ _ |- False => apply (None (Z.of_N d)); [lia | lia |] end;
  repeat match goal with E : Z.of_N _ = _ |- _ => rewrite E in C end; lia end.
Ltac made_legal_or_none := repeat match goal with |- _ /\ _ => split end; first [no_integer | made_legal].
(* A claim about numbers that follows from what an obligation says. *)
Ltac conclude_formula O :=
  repeat match goal with |- _ /\ _ => split end;
  first [ exact O | lia | solve [as_integers; branch; try apply N2Z.inj; as_integers; lia] | solve [branch; lia] | tauto ].
