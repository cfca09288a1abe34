(* A check that a certificate proves a sequent over the integers, without trust in the translation that Python made.

   The certificate is about formulas whose atoms compare sums of streams with 0.  A closing says which integer of the sequent
   each variable of these streams is.  With these meanings, [check_sequent] translates the negation of the sequent into a
   formula, and checks that the lemmas and the tree of the certificate prove this formula false.  So people need to read only
   the printed sequent. *)
Require Import List NArith ZArith Bool Lia FMapPositive.
From NimChecks Require Export Obligations.
From NimChecks Require Import Streams Certificates Linear Guarded.
Import ListNotations.
Open Scope Z_scope.

(* -- bounds of integers ---------------------------------------------------------------------------------------------------- *)
Definition bounds := (option Z * option Z)%type.
Definition within (b : bounds) (z : Z) : Prop :=
  match fst b with Some l => l <= z | None => True end /\ match snd b with Some h => z <= h | None => True end.
Definition natural (b : bounds) : bool := match fst b with Some l => 0 <=? l | None => false end.
Definition lift (f : Z -> Z -> Z) (a b : option Z) : option Z := match a, b with Some x, Some y => Some (f x y) | _, _ => None end.
(* The stricter of two bounds; None means that a bound is missing. *)
Definition either_of (f : Z -> Z -> Z) (a b : option Z) : option Z := match a, b with Some x, Some y => Some (f x y) | None, o | o, None => o end.
Definition multiple (k : Z) (b : bounds) : bounds :=
  if 0 <=? k then (option_map (Z.mul k) (fst b), option_map (Z.mul k) (snd b))
  else (option_map (Z.mul k) (snd b), option_map (Z.mul k) (fst b)).
Definition constant_of (b : bounds) : option Z := match b with (Some l, Some h) => if l =? h then Some l else None | _ => None end.
Definition product_bounds (a b : bounds) : bounds := match constant_of a, constant_of b with
  | Some k, _ => multiple k b
  | None, Some k => multiple k a
  | None, None => if natural a && natural b then (lift Z.mul (fst a) (fst b), lift Z.mul (snd a) (snd b)) else (None, None) end.
(* The bounds of an integer, from bounds of the variables. *)
Fixpoint bounds_of (L H : list (positive * Z)) (a : num) : bounds := match a with
  | nLit z => (Some z, Some z)
  | nVar x => (assoc x L, assoc x H)
  | nAdd a b => let (l, h) := bounds_of L H a in let (m, k) := bounds_of L H b in (lift Z.add l m, lift Z.add h k)
  | nSub a b => let (l, h) := bounds_of L H a in let (m, k) := bounds_of L H b in (lift Z.sub l k, lift Z.sub h m)
  | nNeg a => multiple (-1) (bounds_of L H a)
  | nMul a b => product_bounds (bounds_of L H a) (bounds_of L H b)
  | nQuot a d => let (l, h) := bounds_of L H a in (option_map (fun x => x / Zpos d) l, option_map (fun x => x / Zpos d) h)
  | nRem _ d => (Some 0, Some (Zpos d - 1))
  | nNim a b => (if natural (bounds_of L H a) && natural (bounds_of L H b) then Some 0 else None, None)
  | nAnd a b => (if natural (bounds_of L H a) || natural (bounds_of L H b) then Some 0 else None, None)
  | nMax a b => let (l, h) := bounds_of L H a in let (m, k) := bounds_of L H b in (either_of Z.max l m, lift Z.max h k)
  | nMin a b => let (l, h) := bounds_of L H a in let (m, k) := bounds_of L H b in (lift Z.min l m, either_of Z.min h k)
  | nPick _ a b => let (l, h) := bounds_of L H a in let (m, k) := bounds_of L H b in (lift Z.min l m, lift Z.max h k) end.

Section Bounds.
Variable e : env.
Definition right_lows (L : list (positive * Z)) := forall x z, In (x, z) L -> z <= int e x.
Definition right_highs (H : list (positive * Z)) := forall x z, In (x, z) H -> int e x <= z.
Lemma natural_ok b z : within b z -> natural b = true -> 0 <= z.
Proof. unfold within, natural. destruct (fst b); [|discriminate]. lia. Qed.
Lemma multiple_ok k b z : within b z -> within (multiple k b) (k * z).
Proof.
  unfold within, multiple. destruct (0 <=? k) eqn:K; [apply Z.leb_le in K|apply Z.leb_gt in K]; destruct (fst b), (snd b);
    cbn [fst snd option_map]; intros [A B]; split; try exact I; nia.
Qed.
Lemma constant_of_ok b k z : within b z -> constant_of b = Some k -> z = k.
Proof.
  unfold within, constant_of. destruct b as [[l|] [h|]]; cbn [fst snd]; try discriminate. destruct (l =? h) eqn:E; [|discriminate].
  intros [A B] S. injection S as <-. lia.
Qed.
Lemma product_bounds_ok a b x y : within a x -> within b y -> within (product_bounds a b) (x * y).
Proof.
  intros A B. unfold product_bounds. destruct (constant_of a) as [k|] eqn:C.
  { rewrite (constant_of_ok _ _ _ A C). apply multiple_ok. exact B. }
  destruct (constant_of b) as [k|] eqn:D.
  { rewrite (constant_of_ok _ _ _ B D), Z.mul_comm. apply multiple_ok. exact A. }
  destruct (natural a && natural b) eqn:N; [|split; exact I]. apply andb_prop in N. destruct N as [N M].
  pose proof (natural_ok _ _ A N) as X. pose proof (natural_ok _ _ B M) as Y. unfold natural in N, M. clear C D.
  destruct a as [[l|] [h|]], b as [[m|] [k|]]; unfold within in *; cbn [fst snd lift] in *; try discriminate; destruct A, B; split;
    try exact I; apply Z.mul_le_mono_nonneg; lia.
Qed.
Lemma bounds_of_ok L H : right_lows L -> right_highs H -> forall a, within (bounds_of L H a) (val e a).
Proof.
  intros RL RH. induction a; cbn [bounds_of val].
  - split; apply Z.le_refl.
  - split; cbn [fst snd]; [destruct (assoc x L) eqn:A|destruct (assoc x H) eqn:A]; try exact I; apply assoc_in in A; auto.
  - destruct (bounds_of L H a1) as [[l|] [h|]], (bounds_of L H a2) as [[m|] [k|]]; unfold within in *; cbn [fst snd lift] in *; lia.
  - destruct (bounds_of L H a1) as [[l|] [h|]], (bounds_of L H a2) as [[m|] [k|]]; unfold within in *; cbn [fst snd lift] in *; lia.
  - replace (- val e a) with (-1 * val e a) by ring. apply multiple_ok. exact IHa.
  - apply product_bounds_ok; assumption.
  - destruct (bounds_of L H a) as [[l|] [h|]]; unfold within in *; cbn [fst snd option_map] in *; destruct IHa; split; try exact I;
      apply Z.div_le_mono; lia.
  - pose proof (Z.mod_pos_bound (val e a) (Zpos d) eq_refl). split; cbn [fst snd]; lia.
  - destruct (natural (bounds_of L H a1) && natural (bounds_of L H a2)) eqn:N; split; cbn [fst snd]; try exact I.
    apply andb_prop in N. destruct N as [A B]. apply Z.lxor_nonneg. split; intros; eapply natural_ok; eauto.
  - destruct (natural (bounds_of L H a1) || natural (bounds_of L H a2)) eqn:N; split; cbn [fst snd]; try exact I.
    apply Z.land_nonneg. apply orb_prop in N. destruct N; [left|right]; eapply natural_ok; eauto.
  - destruct (bounds_of L H a1) as [[l|] [h|]], (bounds_of L H a2) as [[m|] [k|]]; unfold within in *; cbn [fst snd lift either_of] in *; lia.
  - destruct (bounds_of L H a1) as [[l|] [h|]], (bounds_of L H a2) as [[m|] [k|]]; unfold within in *; cbn [fst snd lift either_of] in *; lia.
  - fold (tru e c). destruct (bounds_of L H a1) as [[l|] [h|]], (bounds_of L H a2) as [[m|] [k|]]; unfold within in *;
      cbn [fst snd lift] in *; try match goal with |- context [if ?c then _ else _] => destruct c end; lia.
Qed.

(* A lower bound of a variable that a condition states. *)
Definition is_var (x : positive) (a : num) : bool := match a with nVar y => Pos.eqb x y | _ => false end.
Lemma is_var_ok x a : is_var x a = true -> val e a = int e x.
Proof. destruct a; cbn; try discriminate. intros H. apply Pos.eqb_eq in H. subst. reflexivity. Qed.
Fixpoint lower (L H : list (positive * Z)) (x : positive) (c : cond) : option Z := match c with
  | cAll a b => either_of Z.max (lower L H x a) (lower L H x b)
  | cAny a b => lift Z.min (lower L H x a) (lower L H x b)
  | cEq a b => if is_var x a then fst (bounds_of L H b) else if is_var x b then fst (bounds_of L H a) else None
  | cLe a b | cLt a b => if is_var x b then fst (bounds_of L H a) else None
  | _ => None end.
Lemma least_ok L H a z : right_lows L -> right_highs H -> fst (bounds_of L H a) = Some z -> z <= val e a.
Proof. intros RL RH E. pose proof (bounds_of_ok L H RL RH a) as [W _]. rewrite E in W. exact W. Qed.
Lemma lower_ok L H x : right_lows L -> right_highs H -> forall c z, lower L H x c = Some z -> tru e c = true -> z <= int e x.
Proof.
  intros RL RH. induction c; cbn [lower tru]; intros z E T; try discriminate E.
  - apply andb_prop in T. destruct T as [A B]. destruct (lower L H x c1), (lower L H x c2); cbn in E; try discriminate; injection E as <-;
      try specialize (IHc1 _ eq_refl A); try specialize (IHc2 _ eq_refl B); lia.
  - destruct (lower L H x c1), (lower L H x c2); cbn in E; try discriminate. injection E as <-. apply orb_prop in T.
    destruct T as [A|A]; [specialize (IHc1 _ eq_refl A)|specialize (IHc2 _ eq_refl A)]; lia.
  - change (val e a =? val e b = true) in T. apply Z.eqb_eq in T.
    destruct (is_var x a) eqn:V; [apply is_var_ok in V; apply (least_ok L H _ _ RL RH) in E; lia|].
    destruct (is_var x b) eqn:W; [apply is_var_ok in W; apply (least_ok L H _ _ RL RH) in E; lia|discriminate].
  - change (val e a <=? val e b = true) in T. apply Z.leb_le in T.
    destruct (is_var x b) eqn:W; [apply is_var_ok in W; apply (least_ok L H _ _ RL RH) in E; lia|discriminate].
  - change (val e a <? val e b = true) in T. apply Z.ltb_lt in T.
    destruct (is_var x b) eqn:W; [apply is_var_ok in W; apply (least_ok L H _ _ RL RH) in E; lia|discriminate].
Qed.
(* The lower bounds in [wanted] that follow from conditions.  Each round uses the bounds that earlier rounds found. *)
Definition one_round (cs : list cond) (H wanted L : list (positive * Z)) : list (positive * Z) := fold_left (fun L w =>
  match assoc (fst w) L with Some _ => L | None =>
    if existsb (fun c => match lower L H (fst w) c with Some y => snd w <=? y | None => false end) cs then w :: L else L end) wanted L.
Fixpoint rounds (n : nat) (cs : list cond) (H wanted L : list (positive * Z)) : list (positive * Z) := match n with
  | O => L | S n => rounds n cs H wanted (one_round cs H wanted L) end.
Lemma rounds_ok cs H wanted : (forall c, In c cs -> tru e c = true) -> right_highs H ->
  forall n L, right_lows L -> right_lows (rounds n cs H wanted L).
Proof.
  intros A RH. assert (O : forall w L, right_lows L -> right_lows (one_round cs H w L)).
  { intros w. unfold one_round. induction w as [|[x z] w IH]; cbn [fold_left fst snd]; intros L R; [exact R|]. apply IH.
    destruct (assoc x L); [exact R|]. destruct (existsb _ cs) eqn:X; [|exact R]. apply existsb_exists in X. destruct X as (c & I & X).
    intros y q [J|J]; [injection J as <- <-|exact (R _ _ J)]. destruct (lower L H x c) as [l|] eqn:E; [|discriminate].
    apply (lower_ok L H x R RH _ _ E) in A; [|exact I]. lia. }
  induction n as [|n IH]; cbn [rounds]; auto.
Qed.
End Bounds.

(* -- reading integers and conditions ---------------------------------------------------------------------------------------- *)
(* The integers that have streams of their own: a variable, a quotient, a remainder, and an integer by cases in a nim-sum. *)
Inductive key := kVar (x : positive) | kQuot (A : alts) (d : positive) | kRem (A : alts) (d : positive) | kNum (A : alts).
Definition same_key (a b : key) : bool := match a, b with
  | kVar x, kVar y => Pos.eqb x y | kQuot A d, kQuot B f | kRem A d, kRem B f => Pos.eqb d f && same_alts A B
  | kNum A, kNum B => same_alts A B | _, _ => false end.
Lemma same_key_ok a b : same_key a b = true -> a = b.
Proof.
  destruct a, b; cbn; intros H; try discriminate; [apply Pos.eqb_eq in H; congruence | | |apply same_alts_ok in H; congruence];
    apply andb_prop in H; destruct H as [P Q]; apply Pos.eqb_eq in P; apply same_alts_ok in Q; congruence.
Qed.
Definition streams := list (key * linear).
Definition look (K : streams) (k : key) : option linear := option_map snd (find (fun x => same_key k (fst x)) K).

Section Reading.
Variable names : list (positive * formula).
Variable T : table.
Variable bools : list (positive * positive).
(* An integer as one stream, or as 0; None if it is neither. *)
Definition as_stream (K : streams) (A : alts) : option (option stream) := match A with
  | [(Yes, ([], Z0))] => Some None
  | [(Yes, ([(Zpos xH, s)], Z0))] => Some (Some s)
  | _ => match look K (kNum A) with Some ([(Zpos xH, s)], Z0) => Some (Some s) | _ => None end end.
Definition xors_in (o : option stream) : list stream := match o with Some s => xors s | None => [] end.
(* None if an integer has no stream, or an atom no letter. *)
Fixpoint read (K : streams) (a : num) : option alts := match a with
  | nLit z => Some (only ([], z))
  | nVar x => option_map only (look K (kVar x))
  | nAdd a b => bind (read K a) (fun A => bind (read K b) (fun B => Some (join names (plus 1) A B)))
  | nSub a b => bind (read K a) (fun A => bind (read K b) (fun B => Some (join names minus A B)))
  | nNeg a => bind (read K a) (fun A => Some (join names minus (only ([], 0)) A))
  | nMul a b => bind (read K a) (fun A => bind (read K b) (fun B => Some (join names multiply A B)))
  | nQuot a d => bind (read K a) (fun A => option_map only (look K (kQuot A d)))
  | nRem a d => bind (read K a) (fun A => option_map only (look K (kRem A d)))
  | nNim a b => bind (read K a) (fun A => bind (read K b) (fun B => bind (as_stream K A) (fun s => bind (as_stream K B) (fun u =>
      Some (only (of_stream (xor_all (xors_in s ++ xors_in u))))))))
  | nAnd a b => bind (read K a) (fun A => bind (read K b) (fun B => bind (as_stream K A) (fun s => bind (as_stream K B) (fun u =>
      Some (only (of_stream match s, u with Some s, Some u => Some (ands s u) | _, _ => None end))))))
  | nMax a b => bind (read K a) (fun A => bind (read K b) (fun B => bind (relation names T false B A) (fun f => Some (choose names f A B))))
  | nMin a b => bind (read K a) (fun A => bind (read K b) (fun B => bind (relation names T false A B) (fun f => Some (choose names f A B))))
  | nPick c a b => bind (read_cond K c) (fun f => bind (read K a) (fun A => bind (read K b) (fun B => Some (choose names f A B)))) end
with read_cond (K : streams) (c : cond) : option formula := match c with
  | cBe b => Some (if b then Yes else No)
  | cBool x => option_map (fun y => Letter (snd y)) (find (fun y => Pos.eqb x (fst y)) bools)
  | cNot a => option_map neg (read_cond K a)
  | cAll a b => bind (read_cond K a) (fun f => bind (read_cond K b) (fun g => Some (both names f g)))
  | cAny a b => bind (read_cond K a) (fun f => bind (read_cond K b) (fun g => Some (either names f g)))
  | cIff a b => bind (read_cond K a) (fun f => bind (read_cond K b) (fun g => Some (same names f g)))
  | cIf c a b => bind (read_cond K c) (fun h => bind (read_cond K a) (fun f => bind (read_cond K b) (fun g =>
      Some (either names (both names h f) (both names (neg h) g)))))
  | cEq a b => bind (read K a) (fun A => bind (read K b) (fun B => relation names T true A B))
  | cLe a b => bind (read K a) (fun A => bind (read K b) (fun B => relation names T false A B))
  | cLt a b => bind (read K a) (fun A => bind (read K b) (fun B => option_map neg (relation names T false B A))) end.

Variable v : valuation.
Variable r : positive -> bool.
Variable e : env.
Hypothesis names_ok : forall i f, In (i, f) names -> r i = eval r f.
Hypothesis T_ok : right_table v r T.
Hypothesis bools_ok : forall x i, In (x, i) bools -> r i = bool_of e x.
Definition key_means (k : key) (l : linear) : Prop := match k with
  | kVar x => lin v l = int e x | kQuot A d => forall z, means v r A z -> lin v l = z / Zpos d
  | kRem A d => forall z, means v r A z -> lin v l = z mod Zpos d | kNum A => forall z, means v r A z -> lin v l = z end.
Definition right_streams (K : streams) := forall k l, In (k, l) K -> key_means k l.
Lemma look_ok K k l : right_streams K -> look K k = Some l -> key_means k l.
Proof.
  unfold look. intros R E. destruct (find _ K) as [[k' l']|] eqn:F; [|discriminate]. injection E as <-. apply find_some in F.
  destruct F as [I S]. cbn in S. apply same_key_ok in S. subst. exact (R _ _ I).
Qed.
Lemma as_stream_ok K A o z : right_streams K -> means v r A z -> as_stream K A = Some o -> z = Z.of_N (value_or_0 v o).
Proof.
  intros R M. assert (X : match look K (kNum A) with Some ([(Zpos xH, s)], Z0) => Some (Some s) | _ => None end = Some o ->
    z = Z.of_N (value_or_0 v o)).
  { destruct (look K (kNum A)) as [[[|[[|[| |]|] s] [|]] [| |]]|] eqn:L; try discriminate. intros E. injection E as <-.
    pose proof (look_ok _ _ _ R L _ M) as W. unfold lin in W. cbn [fst snd sum] in W. cbn [value_or_0]. lia. }
  unfold as_stream. destruct A as [|[[] [[|[[|[| |]|] s] [|]] [| |]]] [|]]; try exact X; intros E; injection E as <-;
    rewrite (means_one _ _ _ _ _ M (only_ok v r _)); unfold lin; cbn [fst snd sum value_or_0]; lia.
Qed.
Lemma lxor_N a b : Z.lxor (Z.of_N a) (Z.of_N b) = Z.of_N (N.lxor a b).
Proof. destruct a, b; reflexivity. Qed.
Lemma land_N a b : Z.land (Z.of_N a) (Z.of_N b) = Z.of_N (N.land a b).
Proof. destruct a, b; reflexivity. Qed.
Lemma xors_in_ok o : xored v (xors_in o) = value_or_0 v o.
Proof. destruct o; [apply xors_ok|reflexivity]. Qed.
Ltac unbind := repeat match goal with
  | H : bind ?o _ = Some _ |- _ => let E := fresh "E" in destruct o eqn:E; [cbn [bind] in H|discriminate H]
  | H : option_map _ ?o = Some _ |- _ => let E := fresh "E" in destruct o eqn:E; [cbn [option_map] in H|discriminate H] end.
(* Reading keeps values and truth. *)
Lemma read_ok K : right_streams K ->
  (forall a A, read K a = Some A -> means v r A (val e a)) /\ (forall c f, read_cond K c = Some f -> eval r f = tru e c).
Proof.
  intros K_ok. apply num_cond; cbn [read read_cond val tru]; intros; unbind;
    repeat match goal with IH : forall A, Some ?a = Some A -> _ |- _ => specialize (IH _ eq_refl) end;
    repeat match goal with IH : forall A, ?t = Some A -> _, E : ?t = Some _ |- _ => specialize (IH _ E) end;
    try match goal with H : Some _ = Some _ |- _ => injection H as <- end.
  - apply (only_ok v r ([], z)).
  - apply (look_ok _ _ _ K_ok) in E. cbn in E. rewrite <- E. apply only_ok.
  - apply (join_ok names v r names_ok (plus 1) Z.add); auto. intros. rewrite plus_ok. ring.
  - apply (join_ok names v r names_ok minus Z.sub); auto. intros. apply minus_ok.
  - replace (- val e a) with (lin v ([], 0) - val e a) by (unfold lin; cbn; ring).
    apply (join_ok names v r names_ok minus Z.sub); auto using only_ok. intros. apply minus_ok.
  - apply (join_ok names v r names_ok multiply Z.mul); auto. intros. apply multiply_ok.
  - apply (look_ok _ _ _ K_ok) in E0. rewrite <- (E0 _ H). apply only_ok.
  - apply (look_ok _ _ _ K_ok) in E0. rewrite <- (E0 _ H). apply only_ok.
  - rewrite (as_stream_ok _ _ _ _ K_ok H E1), (as_stream_ok _ _ _ _ K_ok H0 E2), lxor_N, <- !xors_in_ok, <- xored_app, <- xor_all_ok,
      <- of_stream_ok. apply only_ok.
  - rewrite (as_stream_ok _ _ _ _ K_ok H E1), (as_stream_ok _ _ _ _ K_ok H0 E2), land_N.
    match goal with |- means _ _ (only ?l) ?z => replace z with (lin v l); [apply only_ok|] end.
    rewrite of_stream_ok. f_equal. destruct o as [s|], o0 as [u|]; cbn [value_or_0]; rewrite ?ands_ok, ?N.land_0_r; reflexivity.
  - pose proof (relation_ok names v r names_ok T T_ok _ _ _ _ _ _ H0 H E1) as R. cbn in R.
    pose proof (choose_ok names v r names_ok f _ _ _ _ H H0) as C. rewrite R in C.
    destruct (val e b <=? val e a) eqn:L; [rewrite Z.max_l by lia|rewrite Z.max_r by lia]; exact C.
  - pose proof (relation_ok names v r names_ok T T_ok _ _ _ _ _ _ H H0 E1) as R. cbn in R.
    pose proof (choose_ok names v r names_ok f _ _ _ _ H H0) as C. rewrite R in C.
    destruct (val e a <=? val e b) eqn:L; [rewrite Z.min_l by lia|rewrite Z.min_r by lia]; exact C.
  - match goal with |- means _ _ ?A _ => change (means v r A (if tru e c then val e a else val e b)) end. rewrite <- H.
    apply (choose_ok names v r names_ok); assumption.
  - destruct b; reflexivity.
  - destruct p as [y i]. apply find_some in E. destruct E as [I X]. apply Pos.eqb_eq in X. cbn in X. subst y. cbn. exact (bools_ok _ _ I).
  - rewrite neg_ok, H. reflexivity.
  - rewrite (both_ok r names names_ok), H, H0. reflexivity.
  - rewrite (either_ok r names names_ok), H, H0. reflexivity.
  - rewrite (same_ok r names names_ok), H, H0. reflexivity.
  - rewrite (either_ok r names names_ok), !(both_ok r names names_ok), neg_ok, H, H0, H1. destruct (tru e c), (tru e a), (tru e b); reflexivity.
  - exact (relation_ok names v r names_ok T T_ok _ _ _ _ _ _ H H0 H1).
  - exact (relation_ok names v r names_ok T T_ok _ _ _ _ _ _ H H0 H1).
  - rewrite neg_ok, (relation_ok names v r names_ok T T_ok _ _ _ _ _ _ H0 H E1). apply Bool.eq_true_iff_eq.
    rewrite negb_true_iff, Z.leb_gt, Z.ltb_lt. reflexivity.
Qed.

(* -- what the variables of a certificate are -------------------------------------------------------------------------------- *)
(* Natural x i: the integer x, which is not negative, is stream i.  Integer x i j: x is i - j, and i or j is 0.
   Division a d q b t: a / d is q - b, or q if b is None, and a mod d is t.  Number a i: the integer a, which is not negative,
   is stream i. *)
Inductive entry := Natural (x i : positive) | Integer (x i j : positive)
  | Division (a : num) (d q : positive) (below : option positive) (rest : positive) | Number (a : num) (i : positive).
Definition told (en : entry) : list (positive * num) := match en with
  | Natural x i => [(i, nVar x)] | Integer x i j => [(i, nVar x); (j, nNeg (nVar x))]
  | Division a d q (Some b) t => [(q, nQuot a d); (b, nNeg (nQuot a d)); (t, nRem a d)]
  | Division a d q None t => [(q, nQuot a d); (t, nRem a d)] | Number a i => [(i, a)] end.
Definition var (i : positive) : linear := ([(1, Var i)], 0).
Definition some_of (o : list (option formula)) : list formula := flat_map (fun x => match x with Some f => [f] | None => [] end) o.
Variable L H : list (positive * Z).
(* An entry adds the streams of further integers, and facts about these streams. *)
Definition grown (s : streams * list formula) (en : entry) : streams * list formula := let (K, F) := s in match en with
  | Natural x i => if natural (bounds_of L H (nVar x)) then ((kVar x, var i) :: K, F) else s
  | Integer x i j => ((kVar x, minus (var i) (var j)) :: K, F)
  | Division a d q b t => match read K a with None => s | Some A =>
      match (match b with Some j => Some (minus (var q) (var j)) | None => if natural (bounds_of L H a) then Some (var q) else None end) with
      | None => s
      | Some lq => ((kQuot A d, lq) :: (kRem A d, var t) :: K,
          some_of [relation names T true A (only (plus (Zpos d) lq (var t)));
                   option_map neg (relation names T false (only ([], Zpos d)) (only (var t)))] ++ F) end end
  | Number a i => match read K a with None => s | Some A =>
      if natural (bounds_of L H a) then ((kNum A, var i) :: K, some_of [relation names T true (only (var i)) A] ++ F) else s end end.
Hypothesis L_ok : right_lows e L.
Hypothesis H_ok : right_highs e H.
Lemma var_ok i : lin v (var i) = Z.of_N (v i).
Proof. unfold lin, var. cbn [fst snd sum value]. lia. Qed.
Definition all_hold (F : list formula) := forall f, In f F -> eval r f = true.
Lemma some_of_ok o : (forall f, In (Some f) o -> eval r f = true) -> all_hold (some_of o).
Proof. intros G f I. apply in_flat_map in I. destruct I as ([g|] & J & I); [|destruct I]. destruct I as [<-|[]]. auto. Qed.
Lemma grown_ok s en : (forall i a, In (i, a) (told en) -> v i = Z.to_N (val e a)) -> right_streams (fst s) -> all_hold (snd s) ->
  right_streams (fst (grown s en)) /\ all_hold (snd (grown s en)).
Proof.
  destruct s as [K F]. cbn [fst snd]. intros M RK AF. destruct en as [x i|x i j|a d q b t|a i]; cbn [grown told] in *.
  - destruct (natural (bounds_of L H (nVar x))) eqn:N; cbn [fst snd]; [|auto]. split; [|exact AF].
    intros k l [I|I]; [injection I as <- <-|exact (RK _ _ I)]. cbn [key_means]. rewrite var_ok, (M i (nVar x)) by (left; reflexivity).
    apply (natural_ok _ _ (bounds_of_ok e L H L_ok H_ok (nVar x))) in N. cbn [val] in *. apply Z2N.id, N.
  - split; [|exact AF]. intros k l [I|I]; [injection I as <- <-|exact (RK _ _ I)]. cbn [key_means].
    rewrite minus_ok, !var_ok, (M i (nVar x)), (M j (nNeg (nVar x))) by (cbn; auto). cbn [val]. lia.
  - destruct (read K a) as [A|] eqn:E; [|auto].
    pose proof (proj1 (read_ok K RK) _ _ E) as MA.
    assert (R : lin v (var t) = val e a mod Zpos d).
    { rewrite var_ok, (M t (nRem a d)) by (destruct b; cbn; auto). cbn [val]. apply Z2N.id. apply Z.mod_pos_bound. lia. }
    assert (Q : forall lq, (match b with Some j => Some (minus (var q) (var j)) | None => if natural (bounds_of L H a) then Some (var q) else None end) = Some lq ->
      lin v lq = val e a / Zpos d).
    { intros lq. destruct b as [j|].
      - intros I. injection I as <-. rewrite minus_ok, !var_ok, (M q (nQuot a d)), (M j (nNeg (nQuot a d))) by (cbn; auto). cbn [val]. lia.
      - destruct (natural (bounds_of L H a)) eqn:N; [|discriminate]. intros I. injection I as <-.
        rewrite var_ok, (M q (nQuot a d)) by (cbn; auto). cbn [val]. apply Z2N.id.
        apply (natural_ok _ _ (bounds_of_ok e L H L_ok H_ok a)) in N. apply Z.div_pos; lia. }
    destruct (match b with Some j => Some (minus (var q) (var j)) | None => if natural (bounds_of L H a) then Some (var q) else None end) as [lq|]; [|auto].
    specialize (Q lq eq_refl). cbn [fst snd]. pose proof (Z.div_mod (val e a) (Zpos d) ltac:(lia)) as DM.
    pose proof (Z.mod_pos_bound (val e a) (Zpos d) eq_refl) as MB. split.
    + intros k l [I|[I|I]]; [injection I as <- <-|injection I as <- <-|exact (RK _ _ I)]; cbn [key_means]; intros z Mz;
        rewrite (means_one v r _ _ _ Mz MA); assumption.
    + intros f I. apply in_app_or in I. destruct I as [I|I]; [|auto]. revert f I. apply some_of_ok. intros f [I|[I|[]]].
      * pose proof (relation_ok names v r names_ok T T_ok true _ _ _ _ _ MA (only_ok v r _) I) as W. cbv iota in W. rewrite W, plus_ok, Q, R. lia.
      * destruct (relation names T false (only ([], Zpos d)) (only (var t))) as [g|] eqn:G; [|discriminate]. injection I as <-.
        pose proof (relation_ok names v r names_ok T T_ok false _ _ _ _ _ (only_ok v r _) (only_ok v r _) G) as W. cbv iota in W.
        rewrite neg_ok, W, R. unfold lin. cbn [fst snd sum]. lia.
  - destruct (read K a) as [A|] eqn:E; [|auto]. destruct (natural (bounds_of L H a)) eqn:N; [|auto]. cbn [fst snd].
    pose proof (proj1 (read_ok K RK) _ _ E) as MA.
    assert (V : lin v (var i) = val e a).
    { rewrite var_ok, (M i a) by (left; reflexivity). apply Z2N.id. exact (natural_ok _ _ (bounds_of_ok e L H L_ok H_ok a) N). }
    split.
    + intros k l [I|I]; [injection I as <- <-|exact (RK _ _ I)]. cbn [key_means]. intros z Mz. rewrite (means_one v r _ _ _ Mz MA). exact V.
    + intros f I. apply in_app_or in I. destruct I as [I|I]; [|auto]. revert f I. apply some_of_ok. intros f [I|[]].
      pose proof (relation_ok names v r names_ok T T_ok true _ _ _ _ _ (only_ok v r _) MA I) as W. cbv iota in W. rewrite W, V. lia.
Qed.
Lemma all_grown_ok es : (forall en, In en es -> forall i a, In (i, a) (told en) -> v i = Z.to_N (val e a)) ->
  right_streams (fst (fold_left grown es ([], []))) /\ all_hold (snd (fold_left grown es ([], []))).
Proof.
  intros W. assert (B : right_streams (fst (@nil (key * linear), @nil formula)) /\ all_hold (snd (@nil (key * linear), @nil formula)))
    by (split; [intros ? ? []|intros ? []]).
  revert W B. generalize (@nil (key * linear), @nil formula) as st. induction es as [|en es IH]; cbn [fold_left]; intros st W [P Q]; [auto|].
  apply IH; [intros x I; apply W; right; exact I|]. apply grown_ok; auto. exact (W en (or_introl eq_refl)).
Qed.
End Reading.

(* -- letters and streams get their meanings ---------------------------------------------------------------------------------- *)
Definition set_letter (r : positive -> bool) (d : positive * formula) : positive -> bool :=
  fun j => if Pos.eqb j (fst d) then eval r (snd d) else r j.
(* No name is a letter that was used before. *)
Fixpoint fresh_names (used : list positive) (D : list (positive * formula)) : bool := match D with
  | [] => true
  | (i, f) :: D => let used := letters_of f ++ used in negb (existsb (Pos.eqb i) used) && fresh_names (i :: used) D end.
Lemma set_letters_ok D : forall used r, fresh_names used D = true -> let r' := fold_left set_letter D r in
  (forall j, In j used -> r' j = r j) /\ (forall i f, In (i, f) D -> r' i = eval r' f).
Proof.
  induction D as [|[i f] D IH]; cbn [fresh_names fold_left]; intros used r H; [split; [auto|intros ? ? []]|].
  apply andb_prop in H. destruct H as [N H]. destruct (IH _ (set_letter r (i, f)) H) as [A B].
  assert (Ne : forall j, In j (letters_of f ++ used) -> Pos.eqb j i = false).
  { intros j J. apply not_true_iff_false. intros X. apply Pos.eqb_eq in X. subst j. rewrite negb_true_iff in N.
    apply not_true_iff_false in N. apply N. apply existsb_exists. exists i. split; [exact J|apply Pos.eqb_refl]. }
  assert (Same : forall j, In j (letters_of f ++ used) -> fold_left set_letter D (set_letter r (i, f)) j = r j).
  { intros j J. rewrite (A j) by (right; exact J). unfold set_letter. cbn [fst]. rewrite (Ne j J). reflexivity. }
  split.
  - intros j J. apply Same. apply in_or_app. auto.
  - intros j g [I|I]; [injection I as <- <-|exact (B _ _ I)]. rewrite (A i) by (left; reflexivity). unfold set_letter at 1. cbn [fst snd].
    rewrite Pos.eqb_refl. apply eval_agree. intros j J. symmetry. apply Same. apply in_or_app. auto.
Qed.
Fixpoint distinct (l : list positive) : bool := match l with [] => true | x :: l => negb (existsb (Pos.eqb x) l) && distinct l end.
Lemma distinct_assoc {A} (l : list (positive * A)) : distinct (map fst l) = true -> forall x a, In (x, a) l -> assoc x l = Some a.
Proof.
  induction l as [|[y b] l IH]; cbn [map fst distinct assoc]; intros D x a I; [destruct I|]. apply andb_prop in D. destruct D as [N D].
  destruct I as [I|I]; [injection I as -> ->; rewrite Pos.eqb_refl; reflexivity|]. destruct (Pos.eqb x y) eqn:E; [|auto].
  apply Pos.eqb_eq in E. subst y. rewrite negb_true_iff in N. exfalso. apply not_true_iff_false in N. apply N.
  apply existsb_exists. exists x. split; [apply in_map_iff; exists (x, a); auto|apply Pos.eqb_refl].
Qed.
Lemma distinct_app a b : distinct (a ++ b) = true -> distinct a = true /\ distinct b = true /\ forall x, In x a -> In x b -> False.
Proof.
  induction a as [|x a IH]; cbn; intros H; [auto|]. apply andb_prop in H. destruct H as [N H]. destruct (IH H) as (A & B & C).
  rewrite negb_true_iff in N. apply not_true_iff_false in N. rewrite existsb_exists in N. repeat split; auto.
  - rewrite A, andb_true_r, negb_true_iff. apply not_true_iff_false. rewrite existsb_exists. intros (y & I & E). apply N. exists y.
    split; [apply in_or_app; auto|exact E].
  - intros y [<-|I] J; [|exact (C y I J)]. apply N. exists x. split; [apply in_or_app; auto|apply Pos.eqb_refl].
Qed.
Definition atom_map (atoms : list (positive * atom)) : PositiveMap.t atom :=
  fold_right (fun x => PositiveMap.add (fst x) (snd x)) (PositiveMap.empty atom) atoms.
Lemma atom_map_ok atoms : distinct (map fst atoms) = true -> forall i, PositiveMap.find i (atom_map atoms) = assoc i atoms.
Proof.
  induction atoms as [|[j a] atoms IH]; cbn [map fst distinct]; intros D i; [apply PositiveMap.gempty|].
  apply andb_prop in D. destruct D as [_ D]. unfold atom_map. cbn [fold_right fst snd assoc]. fold (atom_map atoms).
  destruct (Pos.eqb i j) eqn:E; [apply Pos.eqb_eq in E; subst; apply PositiveMap.gss|].
  apply Pos.eqb_neq in E. rewrite PositiveMap.gso by exact E. auto.
Qed.
Definition valuation_of (e : env) (M : list (positive * num)) : valuation := fun i =>
  match assoc i M with Some a => Z.to_N (val e a) | None => 0%N end.

(* -- the check --------------------------------------------------------------------------------------------------------------- *)
(* How a certificate proves a sequent.  Letters stand for atoms, for truth values, and for formulas with names.  [naturals]:
   lower bounds of variables; the check uses those that it can derive from the assumptions. *)
Record closing := Closing { atoms_of : list (positive * atom); truths_of : list (positive * positive); names_of : list (positive * formula);
  entries : list entry; naturals : list (positive * Z); lemmas_of : list lemma; tree_of : tree }.
Fixpoint conjuncts (c : cond) : list cond := match c with cAll a b => conjuncts a ++ conjuncts b | _ => [c] end.
Definition lows_of (s : sequent) : list (positive * Z) := flat_map (fun r => match lo r with Some z => [(of r, z)] | None => [] end) (ranges s).
Definition highs_of (s : sequent) : list (positive * Z) := flat_map (fun r => match hi r with Some z => [(of r, z)] | None => [] end) (ranges s).
Definition all_lows (s : sequent) (c : closing) : list (positive * Z) :=
  rounds (length (naturals c)) (assumes s) (highs_of s) (naturals c) (lows_of s).
(* A condition as a formula; if it cannot be read, the parts of the conjunction that can be read. *)
Definition read_assumed (f : cond -> option formula) (c : cond) : list (option formula) :=
  match f c with Some g => [Some g] | None => map f (conjuncts c) end.
(* The formulas that hold if the sequent is false: bounds, assumptions, the negated conclusion, the definitions of the names,
   and facts about streams. *)
Definition denied (s : sequent) (c : closing) : list formula :=
  let T := table_of (atoms_of c) in let D := all_names (names_of c) in let L := all_lows s c in let H := highs_of s in
  let (K, F) := fold_left (grown D T (truths_of c) L H) (entries c) ([], []) in
  let told := map (fun y => cLe (nLit (snd y)) (nVar (fst y))) L ++ map (fun y => cLe (nVar (fst y)) (nLit (snd y))) H ++
    assumes s ++ [cNot (shows s)] in
  some_of (flat_map (read_assumed (read_cond D T (truths_of c) K)) told) ++ map (fun d => Same (Letter (fst d)) (snd d)) D ++ F.
(* The conjunction of formulas, or No if two of them obviously exclude each other. *)
Definition join_all (names : list (positive * formula)) (F : list formula) : formula :=
  match fold_right (both names) Yes F with No => No | _ => fold_right Both Yes F end.
Definition check_sequent (s : sequent) (c : closing) : bool :=
  distinct (map fst (atoms_of c) ++ map snd (truths_of c)) && distinct (map fst (flat_map told (entries c))) &&
  fresh_names (map fst (atoms_of c) ++ map snd (truths_of c)) (names_of c) &&
  closed_by (atom_map (atoms_of c)) (join_all (all_names (names_of c)) (denied s c)) (lemmas_of c) (tree_of c).

Lemma conjuncts_ok e c : tru e c = true -> forall x, In x (conjuncts c) -> tru e x = true.
Proof.
  induction c; cbn [conjuncts]; intros H y I; try (destruct I as [<-|[]]; exact H). cbn in H. apply andb_prop in H.
  destruct H as [A B]. apply in_app_or in I. destruct I; auto.
Qed.
Lemma join_all_ok r names F : (forall i f, In (i, f) names -> r i = eval r f) -> (forall f, In f F -> eval r f = true) ->
  eval r (join_all names F) = true.
Proof.
  intros N H. assert (E : eval r (fold_right (both names) Yes F) = true /\ eval r (fold_right Both Yes F) = true).
  { induction F as [|f F IH]; cbn [fold_right eval]; [auto|]. destruct IH as [A B]; [intros g I; apply H; right; exact I|].
    rewrite (both_ok r names N), A, B, (H f) by (left; reflexivity). auto. }
  destruct E as [A B]. unfold join_all. destruct (fold_right (both names) Yes F); try exact B. exact A.
Qed.
(* There are values of all letters and streams that agree with the atoms, the truth values, the names and the entries. *)
Lemma meanings s c e : check_sequent s c = true -> exists v r,
  (forall i a, In (i, a) (atoms_of c) -> r i = truth v a) /\ (forall x i, In (x, i) (truths_of c) -> r i = bool_of e x) /\
  (forall i f, In (i, f) (names_of c) -> r i = eval r f) /\
  (forall en, In en (entries c) -> forall i a, In (i, a) (told en) -> v i = Z.to_N (val e a)) /\
  eval r (join_all (all_names (names_of c)) (denied s c)) = false.
Proof.
  unfold check_sequent. intros H. apply andb_prop in H. destruct H as [H Cl]. apply andb_prop in H. destruct H as [H Fr].
  apply andb_prop in H. destruct H as [Da De]. destruct (distinct_app _ _ Da) as (Da' & Db & Dab).
  set (v := valuation_of e (flat_map told (entries c))). set (A := atom_map (atoms_of c)).
  set (base := letter_value A v (fun i => match assoc i (map (fun y => (snd y, fst y)) (truths_of c)) with Some x => bool_of e x | None => false end)).
  destruct (set_letters_ok (names_of c) _ base Fr) as [Keep Def]. set (q := fold_left set_letter (names_of c) base) in *. exists v, q.
  assert (Aq : forall i a, In (i, a) (atoms_of c) -> q i = truth v a).
  { intros i a I. rewrite Keep by (apply in_or_app; left; apply in_map_iff; exists (i, a); auto). unfold base, letter_value, A.
    rewrite (atom_map_ok _ Da'), (distinct_assoc _ Da' _ _ I). reflexivity. }
  split; [exact Aq|]. split; [|split; [exact Def|split]].
  - intros x i I. rewrite Keep by (apply in_or_app; right; apply in_map_iff; exists (x, i); auto). unfold base, letter_value, A.
    rewrite (atom_map_ok _ Da'). assert (N : assoc i (atoms_of c) = None).
    { destruct (assoc i (atoms_of c)) as [a|] eqn:E; [|reflexivity]. exfalso. apply (Dab i); apply in_map_iff;
        [exists (i, a); split; [reflexivity|exact (assoc_in _ _ _ E)]|exists (x, i); auto]. }
    rewrite N. rewrite (distinct_assoc (map (fun y => (snd y, fst y)) (truths_of c))) with (a := x); [reflexivity| |].
    + rewrite map_map. cbn [fst]. exact Db.
    + apply in_map_iff. exists (x, i). auto.
  - intros en I i a J. unfold v, valuation_of. rewrite (distinct_assoc _ De i a); [reflexivity|]. apply in_flat_map. exists en. auto.
  - rewrite <- (closed_by_ok _ _ _ _ Cl v q). apply eval_agree. intros i _. unfold letter_value. rewrite (atom_map_ok _ Da').
    destruct (assoc i (atoms_of c)) as [a|] eqn:E; [|reflexivity]. apply Aq. exact (assoc_in _ _ _ E).
Qed.

(* A sequent that passes the check holds for all integers and truth values. *)
Theorem check_sequent_ok s c : check_sequent s c = true -> forall e, holds s e.
Proof.
  intros Ch e Rg As. destruct (meanings s c e Ch) as (v & q & Aq & Bq & Nq & W & Closed). clear Ch.
  apply not_false_iff_true. intros Sh. apply not_true_iff_false in Closed. apply Closed. clear Closed.
  pose proof (all_names_ok q _ Nq) as Dq. pose proof (table_of_ok v q _ Aq) as T_ok.
  assert (H_ok : right_highs e (highs_of s)).
  { intros x z I. apply in_flat_map in I. destruct I as (rg & I & J). destruct (Rg _ I) as [_ B].
    destruct (hi rg); [|destruct J]. destruct J as [J|[]]. injection J as <- <-. exact B. }
  assert (L_ok : right_lows e (all_lows s c)).
  { apply rounds_ok; [exact As|exact H_ok|]. intros x z I. apply in_flat_map in I. destruct I as (rg & I & J). destruct (Rg _ I) as [B _].
    destruct (lo rg); [|destruct J]. destruct J as [J|[]]. injection J as <- <-. exact B. }
  pose proof (all_grown_ok _ _ (truths_of c) v q e Dq T_ok Bq _ _ L_ok H_ok _ W) as G. unfold denied.
  destruct (fold_left _ (entries c) _) as [K F]. cbn [fst snd] in G. destruct G as [RK AF].
  pose proof (proj2 (read_ok _ _ (truths_of c) v q e Dq T_ok Bq K RK)) as Tr.
  apply join_all_ok; [exact Dq|]. intros f I. apply in_app_or in I. destruct I as [I|I].
  - revert f I. apply some_of_ok. intros f I. apply in_flat_map in I. destruct I as (x & I & J).
    assert (X : tru e x = true).
    { apply in_app_or in I. destruct I as [I|I]; [|apply in_app_or in I; destruct I as [I|I]; [|apply in_app_or in I; destruct I as [I|[<-|[]]]]].
      - apply in_map_iff in I. destruct I as ([y z] & <- & I). cbn [tru val fst snd]. apply Z.leb_le. exact (L_ok _ _ I).
      - apply in_map_iff in I. destruct I as ([y z] & <- & I). cbn [tru val fst snd]. apply Z.leb_le. exact (H_ok _ _ I).
      - exact (As _ I).
      - cbn [tru]. rewrite Sh. reflexivity. }
    unfold read_assumed in J. destruct (read_cond _ _ _ K x) as [g|] eqn:E.
    + destruct J as [J|[]]. injection J as <-. rewrite (Tr _ _ E). exact X.
    + apply in_map_iff in J. destruct J as (y & J & I'). rewrite (Tr _ _ J). exact (conjuncts_ok e x X y I').
  - apply in_app_or in I. destruct I as [I|I]; [|exact (AF _ I)]. apply in_map_iff in I. destruct I as ([i g] & <- & I).
    cbn [eval fst snd]. rewrite (Dq _ _ I). apply eqb_reflx.
Qed.
(* The same in the form that proof rules use. *)
Theorem check_stated s c : check_sequent s c = true -> forall e, stated s e.
Proof. intros H e. apply holds_stated. exact (check_sequent_ok s c H e). Qed.

(* Sequents with their closings, as a file of them is checked. *)
Definition closes_sequent (x : sequent * closing) : bool := check_sequent (fst x) (snd x).
Theorem all_stated proved : forallb closes_sequent proved = true -> forall s, In s (map fst proved) -> forall e, stated s e.
Proof.
  intros H s I. apply in_map_iff in I. destruct I as ([s' c] & <- & I). rewrite forallb_forall in H.
  exact (check_stated s' c (H _ I)).
Qed.
