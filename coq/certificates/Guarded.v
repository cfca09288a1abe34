(* Formulas in a normal form, and integers by cases: sums of streams under conditions.

   A certificate may name a formula that occurs several times by a letter.  The functions of this file write this letter
   wherever they make that formula.  So the formula of a sequent has the same parts as the formula of the certificate. *)
Require Import List NArith ZArith Bool Lia.
From NimChecks Require Import Streams Certificates Linear.
Import ListNotations.
Open Scope Z_scope.

Fixpoint assoc {A} (x : positive) (l : list (positive * A)) : option A := match l with
  | [] => None | (y, a) :: l => if Pos.eqb x y then Some a else assoc x l end.
Lemma assoc_in {A} x (l : list (positive * A)) a : assoc x l = Some a -> In (x, a) l.
Proof.
  induction l as [|[y b] l IH]; cbn; [discriminate|]. destruct (Pos.eqb x y) eqn:E; intros H; [|right; auto].
  apply Pos.eqb_eq in E. injection H as <-. subst. left. reflexivity.
Qed.

(* -- an order of formulas ------------------------------------------------------------------------------------------------ *)
Definition rank (f : formula) : nat := match f with
  | Yes => 0 | No => 1 | Letter _ => 2 | Not _ => 3 | Both _ _ => 4 | Either _ _ => 5 | Same _ _ => 6 end.
Fixpoint compare_formula (f g : formula) : comparison := match f, g with
  | Letter i, Letter j => Pos.compare i j
  | Not f, Not g => compare_formula f g
  | Both a b, Both c d | Either a b, Either c d | Same a b, Same c d =>
    match compare_formula a c with Eq => compare_formula b d | o => o end
  | _, _ => Nat.compare (rank f) (rank g) end.
Lemma compare_formula_ok f : forall g, compare_formula f g = Eq -> f = g.
Proof.
  induction f as [| |i|f IH|a IHa b IHb|a IHa b IHb|a IHa b IHb]; destruct g as [| |j|g|c d|c d|c d]; cbn; intros H;
    try discriminate; try reflexivity; [apply Pos.compare_eq in H; congruence|f_equal; auto|..];
    (destruct (compare_formula a c) eqn:E; try discriminate; f_equal; auto).
Qed.
Definition same_formula (f g : formula) : bool := match compare_formula f g with Eq => true | _ => false end.
Lemma same_formula_ok f g : same_formula f g = true -> f = g.
Proof. unfold same_formula. destruct (compare_formula f g) eqn:E; try discriminate. intros _. exact (compare_formula_ok f g E). Qed.

(* A formula is a core with a sign. *)
Definition core (f : formula) : formula := match f with Not g => g | _ => f end.
Definition sign (f : formula) : bool := match f with Not _ => false | _ => true end.
Definition neg (f : formula) : formula := match f with Yes => No | No => Yes | Not g => g | _ => Not f end.
Section Signs.
Variable r : positive -> bool.
Lemma neg_ok f : eval r (neg f) = negb (eval r f).
Proof. destruct f; cbn; rewrite ?negb_involutive; reflexivity. Qed.
Lemma eval_core f : eval r f = if sign f then eval r (core f) else negb (eval r (core f)).
Proof. destruct f; reflexivity. Qed.
(* The parts of a conjunction, in order; None if a part and its negation occur. *)
Fixpoint put_part (x : formula) (l : list formula) : option (list formula) := match l with
  | [] => Some [x]
  | y :: m => match compare_formula (core x) (core y) with
    | Lt => Some (x :: l)
    | Eq => if eqb (sign x) (sign y) then Some l else None
    | Gt => option_map (cons y) (put_part x m) end end.
Definition all_true (l : list formula) : bool := forallb (eval r) l.
Definition all_true_of (o : option (list formula)) : bool := match o with Some l => all_true l | None => false end.
Lemma put_part_ok x l : all_true_of (put_part x l) = eval r x && all_true l.
Proof.
  induction l as [|y l IH]; cbn [put_part]; [reflexivity|]. destruct (compare_formula (core x) (core y)) eqn:C.
  - apply compare_formula_ok in C. change (all_true (y :: l)) with (eval r y && all_true l). rewrite (eval_core x), C.
    destruct (sign x) eqn:X, (sign y) eqn:Y; cbn [eqb all_true_of]; change (all_true (y :: l)) with (eval r y && all_true l);
      rewrite (eval_core y), Y; destruct (eval r (core y)), (all_true l); reflexivity.
  - reflexivity.
  - change (all_true (y :: l)) with (eval r y && all_true l). destruct (put_part x l) as [m|]; cbn [option_map all_true_of] in IH |- *.
    + change (all_true (y :: m)) with (eval r y && all_true m). rewrite IH. destruct (eval r x), (eval r y); reflexivity.
    + destruct (eval r x); cbn [andb] in IH |- *; [rewrite <- IH; symmetry; apply andb_false_r|reflexivity].
Qed.
Definition join_parts (l m : list formula) : option (list formula) :=
  fold_right (fun x o => match o with Some k => put_part x k | None => None end) (Some m) l.
Lemma join_parts_ok l m : all_true_of (join_parts l m) = all_true l && all_true m.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [join_parts fold_right all_true forallb]. fold (join_parts l m). fold (all_true l).
  destruct (join_parts l m) as [k|]; cbn [all_true_of] in IH |- *.
  - rewrite put_part_ok, IH, andb_assoc. reflexivity.
  - rewrite <- andb_assoc, <- IH, andb_false_r. reflexivity.
Qed.
Fixpoint chain (x : formula) (l : list formula) : formula := match l with [] => x | y :: l => Both x (chain y l) end.
Definition conjunction (l : list formula) : formula := match l with [] => Yes | x :: l => chain x l end.
Lemma conjunction_ok l : eval r (conjunction l) = all_true l.
Proof.
  destruct l as [|x l]; [reflexivity|]. cbn [conjunction]. revert x.
  induction l as [|y l IH]; intros x; cbn [chain eval all_true forallb]; [symmetry; apply andb_true_r|]. rewrite IH. reflexivity.
Qed.
Fixpoint conjuncts_of (f : formula) : list formula := match f with Both a b => conjuncts_of a ++ conjuncts_of b | _ => [f] end.
Lemma conjuncts_of_ok f : all_true (conjuncts_of f) = eval r f.
Proof.
  induction f; cbn [conjuncts_of]; try exact (andb_true_r _).
  unfold all_true in *. rewrite forallb_app, IHf1, IHf2. reflexivity.
Qed.

(* -- formulas with names for shared parts --------------------------------------------------------------------------------- *)
Variable names : list (positive * formula).
Hypothesis names_ok : forall i f, In (i, f) names -> r i = eval r f.
Definition named (f : formula) : formula := match find (fun d => same_formula f (snd d)) names with Some d => Letter (fst d) | None => f end.
Lemma named_ok f : eval r (named f) = eval r f.
Proof.
  unfold named. destruct (find _ names) as [[i g]|] eqn:F; [|reflexivity]. apply find_some in F. destruct F as [I S].
  apply same_formula_ok in S. cbn in S |- *. subst. exact (names_ok _ _ I).
Qed.
(* The parts of a conjunction, also if the conjunction is given by its name. *)
Definition parts (f : formula) : list formula := match f with
  | Letter i => match assoc i names with Some (Both a b) => conjuncts_of (Both a b) | _ => [f] end
  | _ => conjuncts_of f end.
Lemma parts_ok f : all_true (parts f) = eval r f.
Proof.
  destruct f; try exact (conjuncts_of_ok _). cbn [parts]. destruct (assoc i names) as [[]|] eqn:A; try exact (conjuncts_of_ok (Letter i)).
  rewrite conjuncts_of_ok. symmetry. apply names_ok. exact (assoc_in _ _ _ A).
Qed.
Definition both (f g : formula) : formula := match f, g with
  | Yes, _ => g | _, Yes => f | No, _ | _, No => No
  | _, _ => match join_parts (parts f) (parts g) with Some l => named (conjunction l) | None => No end end.
Definition either (f g : formula) : formula := neg (both (neg f) (neg g)).
Definition same (f g : formula) : formula := match f, g with
  | Yes, _ => g | _, Yes => f | No, _ => neg g | _, No => neg f
  | _, _ => let x := match compare_formula (core f) (core g) with
      | Eq => Yes | Lt => named (Same (core f) (core g)) | Gt => named (Same (core g) (core f)) end in
    if eqb (sign f) (sign g) then x else neg x end.
Lemma both_ok f g : eval r (both f g) = eval r f && eval r g.
Proof.
  assert (G : eval r (match join_parts (parts f) (parts g) with Some l => named (conjunction l) | None => No end) = eval r f && eval r g).
  { pose proof (join_parts_ok (parts f) (parts g)) as J. rewrite !parts_ok in J. rewrite <- J.
    destruct (join_parts (parts f) (parts g)); [rewrite named_ok, conjunction_ok|]; reflexivity. }
  destruct f, g; try exact G; cbn [both eval]; rewrite ?andb_true_r, ?andb_false_r; reflexivity.
Qed.
Lemma either_ok f g : eval r (either f g) = eval r f || eval r g.
Proof. unfold either. rewrite neg_ok, both_ok, !neg_ok, negb_andb, !negb_involutive. reflexivity. Qed.
Lemma same_ok f g : eval r (same f g) = eqb (eval r f) (eval r g).
Proof.
  assert (G : eval r (let x := match compare_formula (core f) (core g) with
      | Eq => Yes | Lt => named (Same (core f) (core g)) | Gt => named (Same (core g) (core f)) end in
    if eqb (sign f) (sign g) then x else neg x) = eqb (eval r f) (eval r g)).
  { cbv zeta. set (x := match compare_formula (core f) (core g) with Eq => Yes | _ => _ end).
    assert (X : eval r x = eqb (eval r (core f)) (eval r (core g))).
    { subst x. destruct (compare_formula (core f) (core g)) eqn:C; rewrite ?named_ok; cbn [eval]; [|reflexivity|destruct (eval r (core f)), (eval r (core g)); reflexivity].
      apply compare_formula_ok in C. rewrite C. symmetry. apply eqb_reflx. }
    rewrite (eval_core f), (eval_core g). destruct (sign f), (sign g); cbn [eqb]; rewrite ?neg_ok, X;
      destruct (eval r (core f)), (eval r (core g)); reflexivity. }
  destruct f, g; try exact G; cbn [same]; rewrite ?neg_ok; cbn [eval];
    repeat match goal with |- context [eval r ?x] => destruct (eval r x) | |- context [r ?x] => destruct (r x) end; reflexivity.
Qed.
(* A formula of a certificate in normal form. *)
Fixpoint rewritten (f : formula) : formula := match f with
  | Yes => Yes | No => No | Letter i => Letter i | Not f => neg (rewritten f) | Both f g => both (rewritten f) (rewritten g)
  | Either f g => either (rewritten f) (rewritten g) | Same f g => same (rewritten f) (rewritten g) end.
Lemma rewritten_ok f : eval r (rewritten f) = eval r f.
Proof. induction f; cbn [rewritten eval]; rewrite ?neg_ok, ?both_ok, ?either_ok, ?same_ok; congruence. Qed.
End Signs.

(* The letters of a formula. *)
Fixpoint letters_of (f : formula) : list positive := match f with
  | Yes | No => [] | Letter i => [i] | Not f => letters_of f | Both f g | Either f g | Same f g => letters_of f ++ letters_of g end.
Lemma eval_agree r q f : (forall i, In i (letters_of f) -> r i = q i) -> eval r f = eval q f.
Proof.
  induction f; cbn [letters_of eval]; intros H; try reflexivity; try (apply H; left; reflexivity);
    try (rewrite IHf; auto; fail); rewrite IHf1, IHf2; auto; intros i I; apply H, in_or_app; auto.
Qed.
(* The names in order; a name may stand for a formula that contains earlier names. *)
Definition add_name (names : list (positive * formula)) (d : positive * formula) : list (positive * formula) :=
  (fst d, rewritten names (snd d)) :: names.
Definition all_names (defined : list (positive * formula)) : list (positive * formula) := fold_left add_name defined [].
Lemma all_names_ok r defined : (forall i f, In (i, f) defined -> r i = eval r f) ->
  forall i f, In (i, f) (all_names defined) -> r i = eval r f.
Proof.
  intros H. unfold all_names. assert (N : forall i f, In (i, f) [] -> r i = eval r f) by (intros ? ? []). revert N.
  generalize (@nil (positive * formula)) as names. induction defined as [|[j g] defined IH]; cbn [fold_left]; intros names N; [exact N|].
  apply IH; [intros i f I; apply H; right; exact I|]. intros i f [I|I]; [|auto]. injection I as <- <-. cbn [snd].
  rewrite (rewritten_ok r names N). apply H. left. reflexivity.
Qed.

(* -- integers by cases ------------------------------------------------------------------------------------------------------ *)
(* An integer as pairs of a condition and a sum.  At least one condition is true, and the sum with any true condition is the
   value. *)
Definition bind {A B} (o : option A) (f : A -> option B) : option B := match o with Some x => f x | None => None end.
Definition alts := list (formula * linear).
Definition only (l : linear) : alts := [(Yes, l)].
Fixpoint same_alts (a b : alts) : bool := match a, b with
  | [], [] => true | (g, l) :: a, (h, m) :: b => same_linear l m && same_formula g h && same_alts a b | _, _ => false end.
Lemma same_alts_ok a : forall b, same_alts a b = true -> a = b.
Proof.
  induction a as [|[k s] a IH]; intros [|[q u] b] H; cbn in H; try discriminate; auto.
  apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [A B].
  apply same_formula_ok in B. apply same_linear_ok in A. apply IH in C. subst. reflexivity.
Qed.
Section Cases.
Variable names : list (positive * formula).
(* Pairs with equal sums become one pair; a pair with a false condition is left out. *)
Fixpoint add_alt (g : formula) (l : linear) (al : alts) : alts := match al with
  | [] => [(g, l)]
  | (h, m) :: r => if same_linear l m then (either names h g, m) :: r else (h, m) :: add_alt g l r end.
Definition put_alt (al : alts) (x : formula * linear) : alts := match fst x with No => al | g => add_alt g (snd x) al end.
Definition reduce (al : alts) : alts := match fold_left put_alt al [] with [(_, l)] => [(Yes, l)] | m => m end.
Definition join (op : linear -> linear -> linear) (A B : alts) : alts :=
  reduce (flat_map (fun x => map (fun y => (both names (fst x) (fst y), op (snd x) (snd y))) B) A).
Definition choose (f : formula) (A B : alts) : alts :=
  reduce (map (fun x => (both names f (fst x), snd x)) A ++ map (fun x => (both names (neg f) (fst x), snd x)) B).

Variable v : valuation.
Variable r : positive -> bool.
Hypothesis names_ok : forall i f, In (i, f) names -> r i = eval r f.
Definition some_true (al : alts) := exists g l, In (g, l) al /\ eval r g = true.
Definition each (z : Z) (al : alts) := forall g l, In (g, l) al -> eval r g = true -> lin v l = z.
Definition means (al : alts) (z : Z) := some_true al /\ each z al.
Lemma means_one al y z : means al y -> means al z -> y = z.
Proof. intros [(g & l & I & E) A] [_ B]. rewrite <- (A g l I E). exact (B g l I E). Qed.
Lemma only_ok l : means (only l) (lin v l).
Proof. split; [exists Yes, l; cbn; auto|]. intros g m [I|[]] _. injection I as <- <-. reflexivity. Qed.
Lemma add_alt_each z g l al : (eval r g = true -> lin v l = z) -> each z al -> each z (add_alt g l al).
Proof.
  intros G A. induction al as [|[h m] al IH]; cbn [add_alt].
  - intros g' l' [I|[]] E. injection I as <- <-. auto.
  - destruct (same_linear l m) eqn:S.
    + apply same_linear_ok in S. subst m. intros g' l' [I|I] E; [injection I as <- <-|apply (A g' l'); [right; exact I|exact E]].
      rewrite (either_ok r names names_ok) in E. apply orb_prop in E. destruct E as [E|E]; [apply (A h l); [left; reflexivity|exact E]|auto].
    + intros g' l' [I|I] E; [injection I as <- <-; apply (A h m); [left; reflexivity|exact E]|].
      apply IH in I; auto. intros a b J. apply A. right. exact J.
Qed.
Lemma add_alt_some g l al : eval r g = true \/ some_true al -> some_true (add_alt g l al).
Proof.
  intros H. induction al as [|[h m] al IH]; cbn [add_alt].
  - destruct H as [H|(a & b & [] & _)]. exists g, l. split; [left; reflexivity|exact H].
  - assert (D : eval r g = true \/ eval r h = true \/ some_true al).
    { destruct H as [H|(a & b & [I|I] & E)]; [auto|injection I as <- <-; auto|right; right; exists a, b; auto]. }
    destruct (same_linear l m).
    + destruct D as [D|[D|(a & b & I & E)]]; [| |exists a, b; split; [right; exact I|exact E]];
        (exists (either names h g), m; split; [left; reflexivity|rewrite (either_ok r names names_ok), D, ?orb_true_r; reflexivity]).
    + destruct D as [D|[D|D]]; [|exists h, m; split; [left; reflexivity|exact D]|];
        (destruct IH as (a & b & I & E); [auto|exists a, b; split; [right; exact I|exact E]]).
Qed.
Lemma put_alt_each z al x : (eval r (fst x) = true -> lin v (snd x) = z) -> each z al -> each z (put_alt al x).
Proof. intros X A. unfold put_alt. destruct (fst x); try (apply add_alt_each; [exact X|exact A]). exact A. Qed.
Lemma put_alt_some al x : eval r (fst x) = true \/ some_true al -> some_true (put_alt al x).
Proof. unfold put_alt. destruct (fst x) eqn:F; try (apply add_alt_some). intros [H|H]; [discriminate|exact H]. Qed.
Lemma reduce_ok al z : means al z -> means (reduce al) z.
Proof.
  intros [S E]. assert (M : means (fold_left put_alt al []) z).
  { split.
    - assert (S' : some_true [] \/ some_true al) by auto. clear S E. revert S'. generalize (@nil (formula * linear)) as m.
      induction al as [|[h k] al IH]; cbn [fold_left]; intros m [H|(g & l & I & E)]; auto; [destruct I| |].
      + apply IH. left. apply put_alt_some. auto.
      + apply IH. destruct I as [I|I]; [injection I as -> ->; left; apply put_alt_some; auto|right; exists g, l; auto].
    - assert (E' : each z []) by (intros ? ? []). clear S. revert E'. generalize (@nil (formula * linear)) as m.
      induction al as [|[h k] al IH]; cbn [fold_left]; intros m E'; [exact E'|]. apply IH; [intros g l I; apply E; right; exact I|].
      apply put_alt_each; [|exact E']. intros H. apply (E h k); [left; reflexivity|exact H]. }
  unfold reduce. destruct (fold_left put_alt al []) as [|[g l] [|y m]]; try exact M.
  destruct M as [(a & b & [I|[]] & E') M]. injection I as <- <-. rewrite <- (M g l (or_introl eq_refl) E'). apply only_ok.
Qed.
Lemma join_ok op f A B x y : (forall l m, lin v (op l m) = f (lin v l) (lin v m)) -> means A x -> means B y ->
  means (join op A B) (f x y).
Proof.
  intros O [(g & l & I & E) EA] [(h & m & J & F) EB]. apply reduce_ok. split.
  - exists (both names g h), (op l m). split; [|rewrite (both_ok r names names_ok), E, F; reflexivity].
    apply in_flat_map. exists (g, l). split; [exact I|]. apply in_map_iff. exists (h, m). auto.
  - intros a b K T. apply in_flat_map in K. destruct K as ([g' l'] & I' & K). apply in_map_iff in K.
    destruct K as ([h' m'] & K & J'). injection K as <- <-. cbn [fst snd] in *. rewrite (both_ok r names names_ok) in T.
    apply andb_prop in T. destruct T as [T U]. rewrite O, (EA _ _ I' T), (EB _ _ J' U). reflexivity.
Qed.
Lemma choose_ok f A B x y : means A x -> means B y -> means (choose f A B) (if eval r f then x else y).
Proof.
  intros [(g & l & I & E) EA] [(h & m & J & F) EB]. apply reduce_ok. split.
  - destruct (eval r f) eqn:Ef; [exists (both names f g), l|exists (both names (neg f) h), m];
      rewrite (both_ok r names names_ok), ?neg_ok, Ef, ?E, ?F;
      (split; [|reflexivity]); apply in_or_app; [left|right]; apply in_map_iff; [exists (g, l)|exists (h, m)]; auto.
  - intros a b K T. apply in_app_or in K. destruct K as [K|K]; apply in_map_iff in K; destruct K as ([g' l'] & K & I');
      injection K as <- <-; cbn [fst snd] in *; rewrite (both_ok r names names_ok), ?neg_ok in T; apply andb_prop in T;
      destruct T as [T U]; destruct (eval r f); try discriminate; eauto.
Qed.

(* -- comparisons, by the letters of their atoms ----------------------------------------------------------------------------- *)
(* The normal form of an atom; its letter, with whether the letter means the atom or its negation. *)
Definition table := list (atom * (positive * bool)).
Definition table_of (atoms : list (positive * atom)) : table := flat_map (fun x =>
  match compare_0 (equation (snd x)) (linear_of (snd x)) with Like s a => [(a, (fst x, s))] | Decided _ => [] end) atoms.
Definition right_table (T : table) := forall a i s, In (a, (i, s)) T -> r i = (if s then truth v a else negb (truth v a)).
Lemma table_of_ok atoms : (forall i a, In (i, a) atoms -> r i = truth v a) -> right_table (table_of atoms).
Proof.
  intros H a i s I. apply in_flat_map in I. destruct I as ([j b] & J & I). cbn [fst snd] in I.
  pose proof (compare_0_ok v (equation b) (linear_of b)) as N. rewrite linear_of_ok in N.
  destruct (compare_0 (equation b) (linear_of b)) as [|s' a']; [destruct I|]. destruct I as [I|[]]. injection I as <- <- <-.
  rewrite (H _ _ J). unfold truth at 1. rewrite <- N. reflexivity.
Qed.
Variable T : table.
Hypothesis T_ok : right_table T.
Definition letter_of (eq : bool) (l : linear) : option formula := match compare_0 eq l with
  | Decided b => Some (if b then Yes else No)
  | Like s a => match find (fun x => same_atom a (fst x)) T with
    | Some (_, (i, s')) => Some (if eqb s s' then Letter i else Not (Letter i)) | None => None end end.
Lemma letter_of_ok eq l f : letter_of eq l = Some f -> eval r f = (if eq then lin v l =? 0 else lin v l <=? 0).
Proof.
  unfold letter_of. rewrite <- compare_0_ok. destruct (compare_0 eq l) as [b|s a]; intros E; [injection E as <-; destruct b; reflexivity|].
  destruct (find _ T) as [[a' [i s']]|] eqn:F; [|discriminate]. apply find_some in F. destruct F as [I S]. cbn in S.
  apply same_atom_ok in S. subst a'. injection E as <-. pose proof (T_ok _ _ _ I) as R. cbn [verdict].
  destruct s, s'; cbn [eqb eval]; rewrite R, ?negb_involutive; reflexivity.
Qed.
(* A = B, or A <= B, as a disjunction over pairs of cases; None if an atom has no letter. *)
Definition or_pair (eq : bool) (x : formula * linear) (o : option formula) : option formula := match fst x with
  | No => o | g => bind o (fun f => bind (letter_of eq (snd x)) (fun a => Some (either names (both names g a) f))) end.
Definition relation (eq : bool) (A B : alts) : option formula :=
  fold_right (or_pair eq) (Some No) (flat_map (fun x => map (fun y => (both names (fst x) (fst y), minus (snd x) (snd y))) B) A).
Lemma relation_ok eq A B x y f : means A x -> means B y -> relation eq A B = Some f -> eval r f = (if eq then x =? y else x <=? y).
Proof.
  intros [(g & l & I & Eg) EA] [(h & m & J & Eh) EB]. unfold relation.
  assert (S : some_true (flat_map (fun x => map (fun y => (both names (fst x) (fst y), minus (snd x) (snd y))) B) A)).
  { exists (both names g h), (minus l m). split; [|rewrite (both_ok r names names_ok), Eg, Eh; reflexivity].
    apply in_flat_map. exists (g, l). split; [exact I|]. apply in_map_iff. exists (h, m). auto. }
  assert (E : each (x - y) (flat_map (fun x => map (fun y => (both names (fst x) (fst y), minus (snd x) (snd y))) B) A)).
  { intros a b K T'. apply in_flat_map in K. destruct K as ([g' l'] & I' & K). apply in_map_iff in K.
    destruct K as ([h' m'] & K & J'). injection K as <- <-. cbn [fst snd] in *. rewrite (both_ok r names names_ok) in T'.
    apply andb_prop in T'. destruct T' as [U V]. rewrite minus_ok, (EA _ _ I' U), (EB _ _ J' V). reflexivity. }
  clear g l I Eg EA h m J Eh EB. revert S E. generalize (flat_map (fun x => map (fun y => (both names (fst x) (fst y), minus (snd x) (snd y))) B) A) as D.
  set (c := fun z => if eq then z =? 0 else z <=? 0). intros D S E R.
  replace (if eq then x =? y else x <=? y) with (c (x - y)) by (subst c; destruct eq; apply Bool.eq_true_iff_eq; rewrite ?Z.eqb_eq, ?Z.leb_le; lia).
  assert (X : eval r f = existsb (fun g => eval r (fst g) && c (lin v (snd g))) D).
  { clear S E. revert f R. induction D as [|[g l] D IH]; cbn [fold_right existsb fst snd]; intros f R; [injection R as <-; reflexivity|].
    assert (P : bind (fold_right (or_pair eq) (Some No) D) (fun f => bind (letter_of eq l) (fun a => Some (either names (both names g a) f))) = Some f ->
      eval r f = eval r g && c (lin v l) || existsb (fun g => eval r (fst g) && c (lin v (snd g))) D).
    { intros Q. destruct (fold_right (or_pair eq) (Some No) D) as [f'|]; [|discriminate]. cbn [bind] in Q.
      destruct (letter_of eq l) as [a|] eqn:L; [|discriminate]. injection Q as <-.
      rewrite (either_ok r names names_ok), (both_ok r names names_ok), (letter_of_ok _ _ _ L), (IH _ eq_refl). reflexivity. }
    unfold or_pair at 1 in R. cbn [fst snd] in R. destruct g; try exact (P R). cbn [eval andb orb]. exact (IH _ R). }
  rewrite X. apply Bool.eq_true_iff_eq. rewrite existsb_exists. split.
  - intros ([g l] & I & H). apply andb_prop in H. destruct H as [G C]. cbn [fst snd] in *. rewrite <- (E g l I G). exact C.
  - intros C. destruct S as (g & l & I & G). exists (g, l). split; [exact I|]. cbn [fst snd]. rewrite G, (E g l I G). exact C.
Qed.
End Cases.
