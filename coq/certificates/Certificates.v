(* Complete certificates: no natural numbers, of any size, and no truth values make a formula true. *)
Require Import List NArith ZArith Bool Lia FMapPositive.
From NimChecks Require Import Streams Automata Sums.
Import ListNotations.

(* Formulas over letters: a letter is an atom, or a free truth value. *)
Inductive formula := Yes | No | Letter (i : positive) | Not (f : formula)
  | Both (f g : formula) | Either (f g : formula) | Same (f g : formula).
Fixpoint eval (r : positive -> bool) (f : formula) : bool := match f with
  | Yes => true | No => false | Letter i => r i | Not f => negb (eval r f)
  | Both f g => eval r f && eval r g | Either f g => eval r f || eval r g | Same f g => eqb (eval r f) (eval r g) end.

(* The value of a formula at some known letters, if they determine it. *)
Definition known := PositiveMap.t bool.
Fixpoint decide (p : known) (f : formula) : option bool := match f with
  | Yes => Some true
  | No => Some false
  | Letter i => PositiveMap.find i p
  | Not f => option_map negb (decide p f)
  | Both f g => match decide p f with
    | Some false => Some false
    | Some true => decide p g
    | None => match decide p g with Some false => Some false | _ => None end end
  | Either f g => match decide p f with
    | Some true => Some true
    | Some false => decide p g
    | None => match decide p g with Some true => Some true | _ => None end end
  | Same f g => match decide p f, decide p g with Some a, Some b => Some (eqb a b) | _, _ => None end end.

Definition agrees (r : positive -> bool) (p : known) := forall i b, PositiveMap.find i p = Some b -> r i = b.
Lemma decide_ok r p : agrees r p -> forall f b, decide p f = Some b -> eval r f = b.
Proof.
  intros A. induction f; cbn [decide eval]; intros b E; try congruence; auto.
  - destruct (decide p f); cbn in E; [|discriminate]. injection E as <-. f_equal. auto.
  - destruct (decide p f1) as [[|]|]; [| |destruct (decide p f2) as [[|]|]]; try discriminate.
    + rewrite (IHf1 _ eq_refl), (IHf2 _ E). reflexivity.
    + rewrite (IHf1 _ eq_refl). exact (f_equal (fun x => match x with Some y => y | None => b end) E).
    + rewrite (IHf2 _ eq_refl), andb_false_r. congruence.
  - destruct (decide p f1) as [[|]|]; [| |destruct (decide p f2) as [[|]|]]; try discriminate.
    + rewrite (IHf1 _ eq_refl). exact (f_equal (fun x => match x with Some y => y | None => b end) E).
    + rewrite (IHf1 _ eq_refl), (IHf2 _ E). reflexivity.
    + rewrite (IHf2 _ eq_refl), orb_true_r. congruence.
  - destruct (decide p f1), (decide p f2); try discriminate. injection E as <-.
    rewrite (IHf1 _ eq_refl), (IHf2 _ eq_refl). reflexivity.
Qed.

(* A tree of case distinctions over letters; each leaf contradicts the formula, or a lemma. *)
Inductive tree := False_ | Violated (lemma : positive) | Split (i : positive) (yes no : tree).
Definition clause := list (positive * bool).      (* literals that exclude each other *)
Definition inside (p : known) (c : clause) : bool :=
  forallb (fun x => match PositiveMap.find (fst x) p with Some b => eqb b (snd x) | None => false end) c.
Fixpoint closes (f : formula) (cs : PositiveMap.t clause) (p : known) (t : tree) : bool := match t with
  | False_ => match decide p f with Some false => true | _ => false end
  | Violated j => match PositiveMap.find j cs with Some c => inside p c | None => false end
  | Split i a b => closes f cs (PositiveMap.add i true p) a && closes f cs (PositiveMap.add i false p) b end.

Lemma agrees_add r p i : agrees r p -> agrees r (PositiveMap.add i (r i) p).
Proof.
  intros A k x E. destruct (Pos.eq_dec k i) as [->|Ne]; [rewrite PositiveMap.gss in E; congruence|].
  rewrite PositiveMap.gso in E by exact Ne. auto.
Qed.
Lemma closes_ok f (cs : PositiveMap.t clause) r : eval r f = true ->
  (forall j (c : clause), PositiveMap.find j cs = Some c -> ~ forall i b, In (i, b) c -> r i = b) ->
  forall t (p : known), agrees r p -> closes f cs p t = true -> False.
Proof.
  intros True_ X. induction t as [|j|i a IHa b IHb]; cbn [closes]; intros p A H.
  - destruct (decide p f) as [[|]|] eqn:V; try discriminate. pose proof (decide_ok r p A f false V). congruence.
  - destruct (PositiveMap.find j cs) as [c|] eqn:N; [|discriminate]. apply (X j c N).
    intros i b I. unfold inside in H. rewrite forallb_forall in H. specialize (H _ I). cbn in H.
    destruct (PositiveMap.find i p) as [x|] eqn:F; [|discriminate]. apply eqb_prop in H. subst. exact (A i b F).
  - apply andb_prop in H. destruct H as [Ha Hb]. pose proof (agrees_add r p i A) as B.
    destruct (r i); [exact (IHa _ B Ha) | exact (IHb _ B Hb)].
Qed.

(* The known letters that the literals define. *)
Definition assumed (c : clause) : known := fold_right (fun x => PositiveMap.add (fst x) (snd x)) (PositiveMap.empty bool) c.
Lemma assumed_ok r c : (forall i b, In (i, b) c -> r i = b) -> agrees r (assumed c).
Proof.
  induction c as [|[i w] c IH]; cbn; intros H; [intros k b E; rewrite PositiveMap.gempty in E; discriminate|].
  rewrite <- (H i w (or_introl eq_refl)). apply agrees_add, IH. intros k b I. apply H. right. exact I.
Qed.

(* A lemma is proved by states, by a sum, or by a tree that starts from its literals and refers only to earlier lemmas. *)
Inductive shown := States (all : list state) | Sum (all : list summand) | Cases (t : tree).
Record lemma := { literals : clause; by_ : shown }.

Definition letter_value (atoms : PositiveMap.t atom) (v : valuation) (free : positive -> bool) (i : positive) : bool :=
  match PositiveMap.find i atoms with Some a => truth v a | None => free i end.
Fixpoint resolve (atoms : PositiveMap.t atom) (c : clause) : option (list asked) := match c with
  | [] => Some []
  | (i, b) :: c => match PositiveMap.find i atoms, resolve atoms c with
    | Some a, Some r => Some ((a, b) :: r) | _, _ => None end end.
Definition holds_lemma (atoms : PositiveMap.t atom) (f : formula) (cs : PositiveMap.t clause) (x : lemma) : bool :=
  match by_ x with
  | States all => match resolve atoms (literals x) with Some r => excluded r all | None => false end
  | Sum all => match resolve atoms (literals x) with Some r => refuted r all | None => false end
  | Cases t => closes f cs (assumed (literals x)) t end.
(* The clauses by number, from n, if each lemma follows from the earlier ones. *)
Fixpoint all_lemmas (atoms : PositiveMap.t atom) (f : formula) (cs : PositiveMap.t clause) (n : positive) (xs : list lemma) :=
  match xs with
  | [] => Some cs
  | x :: xs => if holds_lemma atoms f cs x then all_lemmas atoms f (PositiveMap.add n (literals x) cs) (Pos.succ n) xs else None end.
Lemma resolve_ok atoms v free (c : clause) : forall r, resolve atoms c = Some r ->
  (forall i b, In (i, b) c -> letter_value atoms v free i = b) -> forall a b, In (a, b) r -> truth v a = b.
Proof.
  induction c as [|[i w] c IH]; cbn [resolve]; intros r E H a b I; [injection E as <-; destruct I|].
  destruct (PositiveMap.find i atoms) as [x|] eqn:F; [|discriminate].
  destruct (resolve atoms c) as [s|]; [|discriminate]. injection E as <-. destruct I as [I|I].
  - injection I as <- <-. specialize (H i w (or_introl eq_refl)). unfold letter_value in H. rewrite F in H. exact H.
  - apply (IH s eq_refl); [|exact I]. intros j y J. apply H. right. exact J.
Qed.

Definition excludes (r : positive -> bool) (cs : PositiveMap.t clause) :=
  forall j (c : clause), PositiveMap.find j cs = Some c -> ~ forall i b, In (i, b) c -> r i = b.
Lemma holds_lemma_ok atoms f v free cs x : let r := letter_value atoms v free in
  eval r f = true -> excludes r cs -> holds_lemma atoms f cs x = true -> ~ forall i b, In (i, b) (literals x) -> r i = b.
Proof.
  intros r T X H A. unfold holds_lemma in H. destruct (by_ x) as [all|all|t].
  1, 2: destruct (resolve atoms (literals x)) as [y|] eqn:R; [|discriminate];
    pose proof (resolve_ok atoms v free _ y R A) as B.
  - exact (excluded_ok y all H v B).
  - exact (refuted_ok y all H v B).
  - exact (closes_ok f cs r T X t _ (assumed_ok r _ A) H).
Qed.
Lemma all_lemmas_ok atoms f v free : let r := letter_value atoms v free in eval r f = true ->
  forall xs cs n all, excludes r cs -> all_lemmas atoms f cs n xs = Some all -> excludes r all.
Proof.
  intros r T. induction xs as [|x xs IH]; cbn [all_lemmas]; intros cs n all X E; [injection E as <-; exact X|].
  destruct (holds_lemma atoms f cs x) eqn:H; [|discriminate]. apply (IH _ _ _) in E; [exact E|]. intros j c F.
  destruct (Pos.eq_dec j n) as [->|Ne]; [rewrite PositiveMap.gss in F; injection F as <-|].
  - exact (holds_lemma_ok atoms f v free cs x T X H).
  - rewrite PositiveMap.gso in F by exact Ne. exact (X j c F).
Qed.

(* Lemmas and a tree close a formula: it is false for all natural numbers of any size, and all truth values. *)
Definition closed_by (atoms : PositiveMap.t atom) (f : formula) (xs : list lemma) (t : tree) : bool :=
  match all_lemmas atoms f (PositiveMap.empty clause) 1 xs with
  | Some cs => closes f cs (PositiveMap.empty bool) t
  | None => false end.
Theorem closed_by_ok atoms f xs t : closed_by atoms f xs t = true ->
  forall v free, eval (letter_value atoms v free) f = false.
Proof.
  intros H v free. apply not_true_is_false. intros T. unfold closed_by in H.
  destruct (all_lemmas _ _ _ _ _) as [cs|] eqn:A; [|discriminate].
  apply (all_lemmas_ok _ _ v free T) in A; [|intros j x F; rewrite PositiveMap.gempty in F; discriminate].
  refine (closes_ok _ _ _ T A _ _ _ H). intros i b E. rewrite PositiveMap.gempty in E. discriminate.
Qed.
