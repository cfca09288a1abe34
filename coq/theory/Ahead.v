(* Claims that look some moves ahead from positions written heap by heap: quantifiers over numbers of which each has a
   bound, and the sequent without quantifiers that proves them.

   A claim [f] is denied.  What then exists gets a new variable; what then holds of every number is told of the numbers
   that the proof names.  If the sequent of all this is closed, so is the claim. *)
From Coq Require Import ZArith Lia ZifyBool.
From NimChecks Require Import Games Rules Language Sequents.
From NimChecks Require Export Obligations.
Import ListNotations.
Open Scope Z_scope.

Inductive form :=
  | fIs (c : cond) | fNot (a : form) | fAll (a b : form) | fAny (a b : form) | fImp (a b : form)
  | fSome (x : positive) (most : num) (a : form)   (* some x from 0 to [most] *)
  | fLet (x : positive) (z : num) (a : form).   (* x is z, or 0 where z is negative *)

Definition assign (e : env) (x : positive) (z : Z) : env :=
  {| int := fun y => if Pos.eqb y x then z else int e y; bool_of := bool_of e |}.
Fixpoint means (e : env) (f : form) : Prop := match f with
  | fIs c => says e c | fNot a => ~ means e a | fAll a b => means e a /\ means e b | fAny a b => means e a \/ means e b
  | fImp a b => means e a -> means e b
  | fSome x most a => exists z, (0 <= z /\ z <= val e most) /\ means (assign e x z) a
  | fLet x z a => means (assign e x (Z.max 0 (val e z))) a end.

Lemma search_up_to (P : Z -> Prop) n : (forall z, P z \/ ~ P z) ->
  (exists z, (0 <= z /\ z <= n) /\ P z) \/ ~ (exists z, (0 <= z /\ z <= n) /\ P z).
Proof.
  intros D. destruct (search_below (fun y => P (Z.of_N y)) (Z.to_N (n + 1)) (fun y => D _)) as [(y & L & H)|No].
  - left. exists (Z.of_N y). split; [lia|exact H].
  - right. intros (z & L & H). apply (No (Z.to_N z)); [lia|]. rewrite Z2N.id by lia. exact H.
Qed.
Lemma means_or_not f : forall e, means e f \/ ~ means e f.
Proof.
  induction f; intros e; cbn [means]; try apply IHf; try (destruct (IHf e); tauto); try (destruct (IHf1 e), (IHf2 e); tauto).
  - rewrite says_tru. destruct (tru e c); intuition congruence.
  - apply search_up_to. intros z. apply IHf.
Qed.

(* Variables renamed. *)
Section Rename.
Variable r : positive -> positive.
Fixpoint rename (a : num) : num := match a with
  | nLit z => nLit z | nVar x => nVar (r x) | nAdd a b => nAdd (rename a) (rename b) | nSub a b => nSub (rename a) (rename b)
  | nNeg a => nNeg (rename a) | nMul a b => nMul (rename a) (rename b) | nQuot a d => nQuot (rename a) d
  | nRem a d => nRem (rename a) d | nNim a b => nNim (rename a) (rename b) | nAnd a b => nAnd (rename a) (rename b)
  | nMax a b => nMax (rename a) (rename b) | nMin a b => nMin (rename a) (rename b)
  | nPick c a b => nPick (rename_cond c) (rename a) (rename b) end
with rename_cond (c : cond) : cond := match c with
  | cBe b => cBe b | cBool x => cBool x | cNot a => cNot (rename_cond a) | cAll a b => cAll (rename_cond a) (rename_cond b)
  | cAny a b => cAny (rename_cond a) (rename_cond b) | cIff a b => cIff (rename_cond a) (rename_cond b)
  | cIf c a b => cIf (rename_cond c) (rename_cond a) (rename_cond b) | cEq a b => cEq (rename a) (rename b)
  | cLe a b => cLe (rename a) (rename b) | cLt a b => cLt (rename a) (rename b) end.
(* [d] is [e], by the names before the renaming. *)
Definition views (e d : env) : Prop := (forall x, int e (r x) = int d x) /\ (forall x, bool_of e x = bool_of d x).
Lemma rename_ok e d : views e d -> (forall a, val e (rename a) = val d a) /\ (forall c, tru e (rename_cond c) = tru d c).
Proof.
  intros [I B]. apply num_cond; intros; try apply I; try apply B; try reflexivity;
    try (cbn [rename rename_cond val tru]; congruence).
  - change ((if tru e (rename_cond c) then val e (rename a) else val e (rename b)) = if tru d c then val d a else val d b).
    rewrite H, H0, H1. reflexivity.
  - change ((if tru e (rename_cond c) then tru e (rename_cond a) else tru e (rename_cond b)) = if tru d c then tru d a else tru d b).
    rewrite H, H0, H1. reflexivity.
  - change ((val e (rename a) =? val e (rename b)) = (val d a =? val d b)). congruence.
  - change ((val e (rename a) <=? val e (rename b)) = (val d a <=? val d b)). congruence.
  - change ((val e (rename a) <? val e (rename b)) = (val d a <? val d b)). congruence.
Qed.
End Rename.
Lemma rename_says r e d c : views r e d -> says e (rename_cond r c) <-> says d c.
Proof. intros V. rewrite !says_tru. destruct (rename_ok r e d V) as [_ T]. rewrite T. reflexivity. Qed.

(* What the proof names, in the order of the claim: numbers for what then holds of every number. *)
Inductive hints := hNone | hBoth (a b : hints) | hNew (a : hints) | hAt (l : list (num * hints)).
Definition onto (r : positive -> positive) (x n : positive) (y : positive) : positive := if Pos.eqb y x then n else r y.
Definition up_to (x most : num) : cond := cAll (cLe (nLit 0) x) (cLe x most).
Fixpoint told (f : form) (pol : bool) (r : positive -> positive) (h : hints) (n : positive) {struct f} : cond * positive :=
  match f with
  | fIs c => ((if pol then rename_cond r c else cNot (rename_cond r c)), n)
  | fNot a => told a (negb pol) r h n
  | fAll a b => match h with
    | hBoth h k => let (c, n) := told a pol r h n in let (d, n) := told b pol r k n in ((if pol then cAll c d else cAny c d), n)
    | _ => (cBe true, n) end
  | fAny a b => match h with
    | hBoth h k => let (c, n) := told a pol r h n in let (d, n) := told b pol r k n in ((if pol then cAny c d else cAll c d), n)
    | _ => (cBe true, n) end
  | fImp a b => match h with
    | hBoth h k => let (c, n) := told a (negb pol) r h n in let (d, n) := told b pol r k n in ((if pol then cAny c d else cAll c d), n)
    | _ => (cBe true, n) end
  | fSome x most a => match h with
    | hNew h => if pol then let (c, m) := told a true (onto r x n) h (Pos.succ n) in (cAll (up_to (nVar n) (rename r most)) c, m)
      else (cBe true, n)
    | hAt l => if pol then (cBe true, n) else (fix all l n := match l with
      | [] => (cBe true, n)
      | (w, h) :: l => let (c, m) := told a false (onto r x n) h (Pos.succ n) in let (d, k) := all l m in
        (cAll (cAny (cNot (up_to (rename r w) (rename r most))) (cAll (cEq (nVar n) (rename r w)) c)) d, k) end) l n
    | _ => (cBe true, n) end
  | fLet x z a => let (c, m) := told a pol (onto r x n) h (Pos.succ n) in (cAll (cEq (nVar n) (nMax (nLit 0) (rename r z))) c, m)
  end.

Definition agree (n : positive) (e d : env) : Prop :=
  (forall x, (x < n)%positive -> int d x = int e x) /\ (forall x, bool_of d x = bool_of e x).
Definition natural_from (n : positive) (e : env) : Prop := forall x, (n <= x)%positive -> 0 <= int e x.
Lemma agree_refl n e : agree n e e.
Proof. split; reflexivity. Qed.
Lemma agree_trans n m e d c : (n <= m)%positive -> agree n e d -> agree m d c -> agree n e c.
Proof. intros L [A B] [C D]. split; intros x; [intros X; rewrite C, A by lia|rewrite D, B]; reflexivity. Qed.
Lemma agree_less n m e d : (n <= m)%positive -> agree m e d -> agree n e d.
Proof. intros L [A B]. split; [intros x X; apply A; lia|exact B]. Qed.
Lemma views_agree r n e d c : (forall x, (r x < n)%positive) -> views r e c -> agree n e d -> views r d c.
Proof. intros R [I B] [J C]. split; intros x; [rewrite J by apply R; apply I|rewrite C; apply B]. Qed.
Lemma views_set r n e d x z : (forall x, (r x < n)%positive) -> views r e d -> views (onto r x n) (assign e n z) (assign d x z).
Proof.
  intros R [I B]. split; intros y; cbn [assign int bool_of]; [|apply B]. unfold onto. destruct (Pos.eqb y x); [rewrite Pos.eqb_refl; reflexivity|].
  specialize (R y). destruct (Pos.eqb (r y) n) eqn:E; [apply Pos.eqb_eq in E; lia|apply I].
Qed.
Lemma agree_set n e z : agree n e (assign e n z).
Proof. split; intros x; cbn [assign int bool_of]; [|reflexivity]. intros L. destruct (Pos.eqb x n) eqn:E; [apply Pos.eqb_eq in E; lia|reflexivity]. Qed.
Lemma natural_set n e z : 0 <= z -> natural_from n e -> natural_from (Pos.succ n) (assign e n z).
Proof. intros Z N x L. cbn [assign int]. destruct (Pos.eqb x n); [exact Z|apply N; lia]. Qed.
Lemma natural_more n m e : (n <= m)%positive -> natural_from n e -> natural_from m e.
Proof. intros L N x M. apply N. lia. Qed.
Lemma onto_below r n x : (forall x, (r x < n)%positive) -> forall y, (onto r x n y < Pos.succ n)%positive.
Proof. intros R y. unfold onto. destruct (Pos.eqb y x); [|specialize (R y)]; lia. Qed.
Lemma up_to_says e x most : says e (up_to x most) <-> 0 <= val e x /\ val e x <= val e most.
Proof. reflexivity. Qed.

Lemma told_more f : forall pol r h n, (n <= snd (told f pol r h n))%positive.
Proof.
  induction f as [c|a IH|a IHa b IHb|a IHa b IHb|a IHa b IHb|x most a IH|x z a IH]; intros pol r h n; cbn [told snd]; try lia; try apply IH.
  1, 2: destruct h as [|h k| |]; cbn [snd]; try lia;
    specialize (IHa pol r h n); destruct (told _ pol r h n) as [c m];
    specialize (IHb pol r k m); destruct (told _ pol r k m) as [d m']; cbn [snd] in *; lia.
  { destruct h as [|h k| |]; cbn [snd]; try lia.
    specialize (IHa (negb pol) r h n). destruct (told a (negb pol) r h n) as [c m].
    specialize (IHb pol r k m). destruct (told b pol r k m) as [d m']. cbn [snd] in *. lia. }
  2: { specialize (IH pol (onto r x n) h (Pos.succ n)). destruct (told a pol (onto r x n) h (Pos.succ n)). cbn [snd] in *. lia. }
  destruct h as [| |h|l]; cbn [snd]; try lia; destruct pol; cbn [snd]; try lia.
  - pose proof (IH true (onto r x n) h (Pos.succ n)) as A. destruct (told a true (onto r x n) h (Pos.succ n)); cbn [snd] in *; lia.
  - revert n. induction l as [|[w h] l IHl]; intros n; cbn [snd]; [lia|].
    pose proof (IH false (onto r x n) h (Pos.succ n)) as A. destruct (told a false (onto r x n) h (Pos.succ n)) as [c m].
    specialize (IHl m). destruct (_ l m) as [d k]. cbn [snd] in *. lia.
Qed.

(* Whatever holds, or does not, can be told: of new variables, and of all that agrees with them. *)
Definition can_tell (f : form) (pol : bool) := forall r h n e d,
  (forall x, (r x < n)%positive) -> views r e d -> natural_from n e -> (if pol then means d f else ~ means d f) ->
  exists e', agree n e e' /\ natural_from n e' /\
    forall u, agree (snd (told f pol r h n)) e' u -> says u (fst (told f pol r h n)).
Lemma tell_both a b p q r h k n e d : can_tell a p -> can_tell b q -> (forall x, (r x < n)%positive) -> views r e d -> natural_from n e ->
  (if p then means d a else ~ means d a) -> (if q then means d b else ~ means d b) ->
  let (c, m) := told a p r h n in let (c', m') := told b q r k m in
  exists e', agree n e e' /\ natural_from n e' /\ forall u, agree m' e' u -> says u c /\ says u c'.
Proof.
  intros Ta Tb R V N A B. destruct (Ta r h n e d R V N A) as (e1 & A1 & N1 & S1). pose proof (told_more a p r h n) as L.
  destruct (told a p r h n) as [c m]. cbn [fst snd] in *.
  assert (R' : forall x, (r x < m)%positive) by (intros x; specialize (R x); lia).
  destruct (Tb r k m e1 d R' (views_agree r n e e1 d R V A1) (natural_more n m e1 L N1) B) as (e2 & A2 & N2 & S2).
  pose proof (told_more b q r k m) as L2. destruct (told b q r k m) as [c' m']. cbn [fst snd] in *.
  exists e2. split; [exact (agree_trans _ _ _ _ _ L A1 A2)|]. split.
  - intros x X. destruct (Pos.ltb_spec x m) as [Y|Y]; [destruct A2 as [A2 _]; rewrite A2 by exact Y; apply N1; exact X|apply N2; exact Y].
  - intros u U. split; [apply S1; exact (agree_trans _ _ _ _ _ L2 A2 U)|apply S2; exact U].
Qed.
Lemma tell_one a b p q r h k n e d : can_tell a p -> can_tell b q -> (forall x, (r x < n)%positive) -> views r e d -> natural_from n e ->
  (if p then means d a else ~ means d a) \/ (if q then means d b else ~ means d b) ->
  let (c, m) := told a p r h n in let (c', m') := told b q r k m in
  exists e', agree n e e' /\ natural_from n e' /\ forall u, agree m' e' u -> says u c \/ says u c'.
Proof.
  intros Ta Tb R V N [A|B].
  - destruct (Ta r h n e d R V N A) as (e1 & A1 & N1 & S1). destruct (told a p r h n) as [c m]. cbn [fst snd] in *.
    pose proof (told_more b q r k m) as L2. destruct (told b q r k m) as [c' m']. cbn [fst snd] in *.
    exists e1. split; [exact A1|]. split; [exact N1|]. intros u U. left. apply S1. exact (agree_less _ _ _ _ L2 U).
  - pose proof (told_more a p r h n) as L. destruct (told a p r h n) as [c m]. cbn [fst snd] in *.
    assert (R' : forall x, (r x < m)%positive) by (intros x; specialize (R x); lia).
    destruct (Tb r k m e d R' V (natural_more n m e L N) B) as (e2 & A2 & N2 & S2).
    destruct (told b q r k m) as [c' m']. cbn [fst snd] in *. exists e2. split; [exact (agree_less _ _ _ _ L A2)|]. split.
    + intros x X. destruct (Pos.ltb_spec x m) as [Y|Y]; [destruct A2 as [A2 _]; rewrite A2 by exact Y; apply N; exact X|apply N2; exact Y].
    + intros u U. right. apply S2. exact U.
Qed.
Lemma tell_nothing n e : natural_from n e -> exists e', agree n e e' /\ natural_from n e' /\ forall u, agree n e' u -> says u (cBe true).
Proof. intros N. exists e. split; [apply agree_refl|]. split; [exact N|]. intros u _. exact I. Qed.
(* A new variable n with the value z. *)
Lemma tell_new a pol r h n e d x z : can_tell a pol -> (forall x, (r x < n)%positive) -> views r e d -> natural_from n e -> 0 <= z ->
  (if pol then means (assign d x z) a else ~ means (assign d x z) a) ->
  exists e', agree n e e' /\ natural_from n e' /\ forall u, agree (snd (told a pol (onto r x n) h (Pos.succ n))) e' u ->
    says u (fst (told a pol (onto r x n) h (Pos.succ n))) /\ int u n = z /\ views r u d.
Proof.
  intros Ta R V N Z H. destruct (Ta (onto r x n) h (Pos.succ n) (assign e n z) (assign d x z) (onto_below r n x R)
    (views_set r n e d x z R V) (natural_set n e z Z N) H) as (e' & A & N' & S).
  pose proof (told_more a pol (onto r x n) h (Pos.succ n)) as L.
  destruct (told a pol (onto r x n) h (Pos.succ n)) as [c m]. cbn [fst snd] in *.
  assert (A' : agree n e e') by (apply (agree_trans n (Pos.succ n) e (assign e n z)); [lia|apply agree_set|exact A]).
  exists e'. split; [exact A'|]. split.
  - intros y Y. destruct (Pos.eq_dec y n) as [->|NE]; [|apply N'; lia].
    destruct A as [A _]. rewrite A by lia. cbn [assign int]. rewrite Pos.eqb_refl. exact Z.
  - intros u U. split; [exact (S u U)|]. split.
    + destruct U as [U _]. destruct A as [A _]. rewrite U, A by lia. cbn [assign int]. rewrite Pos.eqb_refl. reflexivity.
    + apply (views_agree r n e u d R V). apply (agree_trans n m e e'); [lia|exact A'|exact U].
Qed.
Theorem told_ok f : forall pol, can_tell f pol.
Proof.
  induction f as [c|a IH|a IHa b IHb|a IHa b IHb|a IHa b IHb|x most a IH|x z a IH]; intros pol r h n e d R V N H; cbn [told].
  - exists e. cbn [fst snd]. split; [apply agree_refl|]. split; [exact N|]. intros u U. pose proof (views_agree r n e u d R V U) as W.
    destruct pol; cbn [means says] in *; rewrite (rename_says r u d c W); exact H.
  - apply IH with d; auto. destruct pol; cbn [negb means] in *; [exact H|]. destruct (means_or_not a d); tauto.
  - destruct h as [|h k| |]; try (apply tell_nothing; exact N). destruct pol.
    + pose proof (tell_both a b true true r h k n e d (IHa _) (IHb _) R V N (proj1 H) (proj2 H)) as T.
      destruct (told a true r h n) as [c m]. destruct (told b true r k m) as [c' m']. exact T.
    + assert (H' : ~ means d a \/ ~ means d b) by (cbn [means] in H; destruct (means_or_not a d); tauto).
      pose proof (tell_one a b false false r h k n e d (IHa _) (IHb _) R V N H') as T.
      destruct (told a false r h n) as [c m]. destruct (told b false r k m) as [c' m']. exact T.
  - destruct h as [|h k| |]; try (apply tell_nothing; exact N). destruct pol.
    + pose proof (tell_one a b true true r h k n e d (IHa _) (IHb _) R V N H) as T.
      destruct (told a true r h n) as [c m]. destruct (told b true r k m) as [c' m']. exact T.
    + assert (H' : ~ means d a /\ ~ means d b) by (cbn [means] in H; tauto).
      pose proof (tell_both a b false false r h k n e d (IHa _) (IHb _) R V N (proj1 H') (proj2 H')) as T.
      destruct (told a false r h n) as [c m]. destruct (told b false r k m) as [c' m']. exact T.
  - destruct h as [|h k| |]; try (apply tell_nothing; exact N). destruct pol; cbn [negb].
    + assert (H' : ~ means d a \/ means d b) by (cbn [means] in H; destruct (means_or_not a d); tauto).
      pose proof (tell_one a b false true r h k n e d (IHa _) (IHb _) R V N H') as T.
      destruct (told a false r h n) as [c m]. destruct (told b true r k m) as [c' m']. exact T.
    + assert (H' : means d a /\ ~ means d b) by (cbn [means] in H; destruct (means_or_not a d); tauto).
      pose proof (tell_both a b true false r h k n e d (IHa _) (IHb _) R V N (proj1 H') (proj2 H')) as T.
      destruct (told a true r h n) as [c m]. destruct (told b false r k m) as [c' m']. exact T.
  - destruct h as [| |h|l]; try (apply tell_nothing; exact N); destruct pol; try (apply tell_nothing; exact N).
    + destruct H as (z & Z & H). destruct (tell_new a true r h n e d x z (IH true) R V N (proj1 Z) H) as (e' & A & N' & S).
      destruct (told a true (onto r x n) h (Pos.succ n)) as [c m]. cbn [fst snd] in *. exists e'. split; [exact A|]. split; [exact N'|].
      intros u U. destruct (S u U) as (C & E & W). split; [|exact C]. apply up_to_says. destruct (rename_ok r u d W) as [Val _].
      rewrite Val. cbn [val]. rewrite E. exact Z.
    + revert n e R V N. induction l as [|[w h] l IHl]; intros n e R V N; [apply tell_nothing; exact N|].
      assert (First : exists e', agree n e e' /\ natural_from n e' /\ forall u, agree (snd (told a false (onto r x n) h (Pos.succ n))) e' u ->
        says u (cAny (cNot (up_to (rename r w) (rename r most))) (cAll (cEq (nVar n) (rename r w)) (fst (told a false (onto r x n) h (Pos.succ n)))))).
      { pose proof (told_more a false (onto r x n) h (Pos.succ n)) as L.
        destruct (Z_le_dec 0 (val d w)) as [Lo|Lo]; [destruct (Z_le_dec (val d w) (val d most)) as [Hi|Hi]|].
        2, 3: exists e; split; [apply agree_refl|]; split; [exact N|]; intros u U; left; cbn [says]; rewrite up_to_says;
          assert (AU : agree n e u) by (apply (agree_less _ _ _ _ (Pos.le_trans _ _ _ (Pos.lt_le_incl _ _ (Pos.lt_succ_diag_r n)) L) U));
          destruct (rename_ok r u d (views_agree r n e u d R V AU)) as [Val _]; rewrite !Val; lia.
        assert (No : ~ means (assign d x (val d w)) a) by (intros M; apply H; exists (val d w); auto).
        destruct (tell_new a false r h n e d x (val d w) (IH false) R V N Lo No) as (e' & A & N' & S).
        exists e'. split; [exact A|]. split; [exact N'|]. intros u U. destruct (S u U) as (C & E & W). right. split; [|exact C].
        cbn [says val]. destruct (rename_ok r u d W) as [Val _]. rewrite Val. exact E. }
      destruct First as (e1 & A1 & N1 & S1). pose proof (told_more a false (onto r x n) h (Pos.succ n)) as L.
      destruct (told a false (onto r x n) h (Pos.succ n)) as [c m]. cbn [fst snd] in *.
      destruct (IHl m e1) as (e2 & A2 & N2 & S2).
      * intros y. specialize (R y). lia.
      * exact (views_agree r n e e1 d R V A1).
      * apply (natural_more n); [lia|exact N1].
      * pose proof (told_more (fSome x most a) false r (hAt l) m) as L2. cbn [told] in L2.
        destruct (_ l m) as [c' m']. cbn [fst snd] in *.
        exists e2. split; [apply (agree_trans n m e e1); [lia|exact A1|exact A2]|]. split.
        { intros y Y. destruct (Pos.ltb_spec y m) as [Ym|Ym]; [destruct A2 as [A2 _]; rewrite A2 by exact Ym; apply N1; exact Y|apply N2; exact Ym]. }
        intros u U. split; [apply S1; apply (agree_trans m m' e1 e2); assumption|apply S2; exact U].
  - destruct (tell_new a pol r h n e d x _ (IH pol) R V N (Z.le_max_l 0 (val d z)) H) as (e' & A & N' & S).
    destruct (told a pol (onto r x n) h (Pos.succ n)) as [c m]. cbn [fst snd] in *. exists e'. split; [exact A|]. split; [exact N'|].
    intros u U. destruct (S u U) as (C & E & W). split; [|exact C]. cbn [says val]. destruct (rename_ok r u d W) as [Val _].
    rewrite Val. exact E.
Qed.

(* The sequent of a claim about natural numbers, of which [n] is one more than how many there are. *)
Fixpoint natural_ranges (k : nat) (x : positive) : list range := match k with
  | O => [] | S k => Range x (Some 0) None :: natural_ranges k (Pos.succ x) end.
Definition among (n x : positive) : positive := if Pos.ltb x n then x else 1.
Definition denied_claim (f : form) (h : hints) (n : positive) : sequent :=
  let (c, m) := told f false (among n) h n in
  {| ranges := natural_ranges (Pos.to_nat m - 1) 1; assumes := [c]; shows := cBe false |}.
Definition of_naturals (n : positive) (ns : list N) : env :=
  {| int := fun x => nth (Pos.to_nat (among n x) - 1) (map Z.of_N ns) 0; bool_of := fun _ => false |}.
Lemma stated_use s e : stated s e -> (forall r, In r (ranges s) -> in_range e r) ->
  (forall c, In c (assumes s) -> says e c) -> says e (shows s).
Proof.
  unfold stated. induction (ranges s) as [|r rs IH]; cbn [fold_right]; intros H R C.
  - revert H C. generalize (assumes s) as cs. induction cs as [|c cs IH]; cbn [fold_right]; intros H C; [exact H|].
    apply IH; [apply H, C; left; reflexivity|intros x I; apply C; right; exact I].
  - apply IH; [|intros x I; apply R; right; exact I|exact C]. destruct (R r (or_introl eq_refl)) as [A B].
    destruct (lo r), (hi r); cbn [above below option_map given] in H; auto.
Qed.
Lemma in_natural_ranges k : forall x r, In r (natural_ranges k x) -> exists y, r = Range y (Some 0) None.
Proof. induction k as [|k IH]; intros x r []; [eauto|]. exact (IH _ _ H). Qed.
Theorem by_looking_ahead f h n ns : (forall e, stated (denied_claim f h n) e) -> (1 < n)%positive -> means (of_naturals n ns) f.
Proof.
  intros H L. destruct (means_or_not f (of_naturals n ns)) as [|No]; [assumption|]. exfalso.
  set (e := {| int := fun x => nth (Pos.to_nat x - 1) (map Z.of_N ns) 0; bool_of := fun _ => false |}).
  assert (Pos : forall x, 0 <= int e x).
  { intros x. cbn [e int]. destruct (nth_in_or_default (Pos.to_nat x - 1) (map Z.of_N ns) 0) as [I|E]; [|lia].
    apply in_map_iff in I. destruct I as (y & <- & _). lia. }
  assert (B : forall x, (among n x < n)%positive) by (intros x; unfold among; destruct (Pos.ltb_spec x n); lia).
  destruct (told_ok f false (among n) h n e (of_naturals n ns) B) as (e' & A & N & S).
  - split; reflexivity.
  - intros x _. apply Pos.
  - exact No.
  - pose proof (stated_use _ _ (H e')) as F. unfold denied_claim in F. revert F. destruct (told f false (among n) h n) as [c m]. cbn [fst snd ranges assumes shows says] in *.
    intros F. apply F.
    + intros r I. destruct (in_natural_ranges _ _ _ I) as (y & ->). split; cbn; [|exact Logic.I].
      destruct (Pos.ltb_spec y n) as [Y|Y]; [destruct A as [A _]; rewrite A by exact Y; apply Pos|apply N; exact Y].
    + intros x [<-|[]]. apply S. apply agree_refl.
Qed.

(* -- the options of a written position --------------------------------------------------------------------------- *)
Fixpoint picks (l : list N) : list (N * list N) := match l with
  | [] => [] | x :: r => (x, r) :: map (fun '(y, q) => (y, x :: q)) (picks r) end.
Lemma picks_same l : forall h r, In (h, r) (picks l) -> l ≡ (h :: r).
Proof.
  induction l as [|x l IH]; intros h r []; [injection H as <- <-; reflexivity|]. apply in_map_iff in H. destruct H as ([y q] & E & I).
  injection E as <- <-. rewrite (IH _ _ I). apply same_order, perm_swap.
Qed.
Lemma picks_all l h R : (0 < h)%N -> l ≡ (h :: R) -> exists r, In (h, r) (picks l) /\ r ≡ R.
Proof.
  intros Pos. revert R. induction l as [|x l IH]; intros R E.
  - exfalso. apply (no_heap h). rewrite E. apply heap_of_cons. auto.
  - destruct (N.eq_dec x h) as [->|NE]; [exists l; split; [left; reflexivity|exact (same_rest h l R Pos E)]|].
    assert (I : (h ∈ (x :: l))) by (rewrite E; apply heap_of_cons; auto). apply heap_of_cons in I. destruct I as [[_ F]|I]; [congruence|].
    destruct (split_heap h l I) as (T & F). destruct (IH T F) as (r & J & G). exists (x :: r).
    split; [right; apply in_map_iff; exists (h, r); auto|]. apply (same_rest h); [exact Pos|]. rewrite <- E, F, G. apply same_order, perm_swap.
Qed.
Lemma some_option (g : game) p s (P : position -> Prop) : of_largest g = false -> Proper (same ==> iff) P ->
  (exists t, move g p s t /\ P t) <->
  fold_right or False (map (fun hr => (0 < fst hr)%N /\ exists y, becomes g p (fst hr) y /\ P (y :: snd hr)) (picks s)).
Proof.
  intros Any Fair. assert (E : forall Q : N * list N -> Prop, fold_right or False (map Q (picks s)) <-> exists x, In x (picks s) /\ Q x).
  { intros Q. induction (picks s) as [|x l IH]; cbn [map fold_right In]; [split; [intros []|intros (? & [] & _)]|]. rewrite IH. split.
    - intros [H|(y & I & H)]; eauto.
    - intros (y & [<-|I] & H); eauto. }
  rewrite E. split.
  - intros (t & (h & y & R & Pos & S & T & B & _) & H). destruct (picks_all s h R Pos S) as (r & I & F).
    exists (h, r). split; [exact I|]. split; [exact Pos|]. exists y. split; [exact B|]. cbn [snd]. rewrite F, <- T. exact H.
  - intros ([h r] & I & Pos & y & B & H). cbn [fst snd] in *. exists (y :: r). split; [|exact H].
    apply (move_to g p s h y r Pos (picks_same _ _ _ I) B). rewrite Any. discriminate.
Qed.

#[export] Instance app_same : Proper (same ==> same ==> same) (@app N).
Proof. intros a b E c d F. unfold same, heaps in *. rewrite !filter_app. apply Permutation_app; assumption. Qed.

Fixpoint choices (n : nat) (l : list N) : list (list N * list N) := match n with
  | O => [([], l)]
  | S n => flat_map (fun '(x, r) => map (fun '(hs, R) => (x :: hs, R)) (choices n r)) (picks l) end.
Lemma choices_same n : forall l hs R, In (hs, R) (choices n l) -> length hs = n /\ l ≡ hs ++ R.
Proof.
  induction n as [|n IH]; cbn; intros l hs R I.
  - destruct I as [I|[]]. injection I as <- <-. split; reflexivity.
  - apply in_flat_map in I. destruct I as ([x r] & I & J). apply in_map_iff in J. destruct J as ([a b] & E & J).
    injection E as <- <-. destruct (IH _ _ _ J) as (L & P). cbn. split; [lia|]. rewrite (picks_same _ _ _ I), P. reflexivity.
Qed.
Lemma choices_length n : forall l hs R, In (hs, R) (choices n l) -> length (hs ++ R) = length l.
Proof.
  induction n as [|n IH]; cbn; intros l hs R I; [destruct I as [I|[]]; injection I as <- <-; reflexivity|].
  apply in_flat_map in I. destruct I as ([x r] & I & J). apply in_map_iff in J. destruct J as ([u v] & F & J). injection F as <- <-.
  cbn. rewrite (IH _ _ _ J). clear - I. revert x r I. induction l as [|y l IH]; cbn; intros x r []; [injection H as <- <-; reflexivity|].
  apply in_map_iff in H. destruct H as ([z q] & F & H). injection F as <- <-. cbn. rewrite <- (IH _ _ H). reflexivity.
Qed.
Lemma choices_all hs : forall l R, occupied hs -> l ≡ hs ++ R -> exists Q, In (hs, Q) (choices (length hs) l) /\ Q ≡ R.
Proof.
  induction hs as [|h hs IH]; cbn; intros l R O P; [exists l; auto|]. apply Forall_cons_iff in O. destruct O as [Ph O].
  destruct (picks_all l h (hs ++ R) Ph P) as (q & I & E). destruct (IH q R O E) as (Q & J & F).
  exists Q. split; [|exact F]. apply in_flat_map. exists (h, q). split; [exact I|]. apply in_map_iff. exists (hs, Q). auto.
Qed.
Fixpoint all_there (hs : list N) : Prop := match hs with [] => True | h :: r => (0 < h)%N /\ all_there r end.
Lemma all_there_occupied hs : all_there hs <-> occupied hs.
Proof.
  unfold occupied. induction hs as [|h hs IH]; cbn; [split; constructor|]. rewrite IH, Forall_cons_iff. reflexivity.
Qed.
(* What may be made depends on the heaps of the position, not on their order. *)
Class orderly (g : rules) : Prop := made_anywhere : forall k p s t hs ys, In k (all_kinds g) -> s ≡ t -> makes k p s hs ys -> makes k p t hs ys.


(* -- from the claim to its form ------------------------------------------------------------------------------------ *)
Lemma same_two a b c d : [a; b] ≡ [c; d] <-> (a = c /\ b = d) \/ (a = d /\ b = c).
Proof.
  split; [|intros [[-> ->]|[-> ->]]; [reflexivity|apply same_order, perm_swap]]. intros E.
  assert (E' := E). unfold same, heaps in E'. cbn [filter] in E'.
  destruct (N.ltb_spec 0 a), (N.ltb_spec 0 b), (N.ltb_spec 0 c), (N.ltb_spec 0 d); cbn in E';
    try (apply Permutation_length in E'; cbn in E'; lia).
  - apply Permutation_length_2_inv in E'. destruct E' as [E'|E']; injection E' as -> ->; auto.
  - apply Permutation_length_1 in E'. left. split; lia.
  - apply Permutation_length_1 in E'. right. split; lia.
  - apply Permutation_length_1 in E'. right. split; lia.
  - apply Permutation_length_1 in E'. left. split; lia.
Qed.
Lemma legal_is_option g p s t : move g p s t <-> exists u, move g p s u /\ u ≡ t.
Proof. split; [intros M; exists t; split; [exact M|reflexivity]|intros (u & M & E); rewrite <- E; exact M]. Qed.
(* The options with the property P are equal to U. *)
Lemma only_option g p s (P : position -> Prop) U : Proper (same ==> iff) P ->
  (forall t, move g p s t /\ P t <-> t ≡ U) <->
  ~ (exists t, move g p s t /\ (P t /\ ~ t ≡ U)) /\ (exists t, move g p s t /\ (P t /\ t ≡ U)).
Proof.
  intros Fair. split.
  - intros All. split; [intros (t & M & H & N); apply N, All; auto|]. destruct (proj2 (All U) (reflexivity U)) as [M H].
    exists U. split; [exact M|]. split; [exact H | reflexivity].
  - intros [None (u & M & H & E)] t. split.
    + intros [M' H']. destruct (same_or_not t U) as [S|S]; [exact S|]. destruct None. exists t. auto.
    + intros S. rewrite <- E in S. rewrite S. auto.
Qed.
Lemma some_number (P : N -> Prop) (Q : Z -> Prop) most : (forall y, P y -> Z.of_N y <= most) -> (forall y, P y <-> Q (Z.of_N y)) ->
  (exists y, P y) <-> (exists z, (0 <= z /\ z <= most) /\ Q z).
Proof.
  intros B E. split.
  - intros (y & H). exists (Z.of_N y). split; [split; [lia|exact (B y H)]|apply E, H].
  - intros (z & L & H). exists (Z.to_N z). apply E. rewrite Z2N.id by lia. exact H.
Qed.
Lemma and_as (A B C D : Prop) : (A <-> C) -> (A -> (B <-> D)) -> (A /\ B <-> C /\ D). Proof. tauto. Qed.
Lemma or_as (A B C D : Prop) : (A <-> C) -> (B <-> D) -> (A \/ B <-> C \/ D). Proof. tauto. Qed.
Lemma imp_as (A B C D : Prop) : (A <-> C) -> (A -> (B <-> D)) -> ((A -> B) <-> (C -> D)). Proof. tauto. Qed.
Lemma not_as (A C : Prop) : (A <-> C) -> (~ A <-> ~ C). Proof. tauto. Qed.
Lemma of_lxor x y : Z.of_N (N.lxor x y) = Z.lxor (Z.of_N x) (Z.of_N y).
Proof. destruct x, y; reflexivity. Qed.

Ltac same_at_same := let E := fresh in intros ? ? E; cbv beta; repeat first [progress rewrite E | progress setoid_rewrite E]; reflexivity.
(* What else has a form: other files add to this tactic. *)
Ltac as_known := fail.
(* What is assumed by cases makes [lia] slow. *)
Ltac forget_cases := repeat match goal with H : ?A |- _ => lazymatch A with context [_ \/ _] => clear H end end.
Ltac same_lxor := repeat match goal with |- context [Z.lxor ?x ?y] => match goal with |- context [N.lxor ?u ?v] =>
  replace (Z.lxor x y) with (Z.of_N (N.lxor u v)) by (rewrite of_lxor; f_equal; lia) end end.
Ltac as_form :=
  first [as_known | lazymatch goal with
  | |- (?A <-> ?B) <-> _ => change (A <-> B) with ((A -> B) /\ (B -> A)); as_form
  | |- (exists t, move ?g ?p ?s t /\ @?P t) <-> _ =>
    etransitivity; [apply (some_option g p s P); [reflexivity|same_at_same]|]; let r := eval hnf in g in change g with r;
    cbn [picks map fold_right fst snd becomes same_player]; as_form
  | |- move ?g ?p ?s ?t <-> _ => etransitivity; [apply legal_is_option|]; as_form
  | |- (forall t, move ?g ?p ?s t /\ @?P t <-> t ≡ ?U) <-> _ =>
    etransitivity; [apply (only_option g p s P U); same_at_same|]; cbv beta; as_form
  | |- (exists y, _) <-> (exists z, _) => apply some_number;
    [let y := fresh in let H := fresh in intros y H; cbv beta in H; decompose [ex and] H; forget_cases; lia | intros ?; as_form]
  | |- ?A /\ ?B <-> ?C /\ ?D => apply and_as; [as_form | intros ?; as_form]
  | |- ?A \/ ?B <-> ?C \/ ?D => apply or_as; as_form
  | |- (?A -> False) <-> (?C -> False) => apply not_as; as_form
  | |- ~ ?A <-> ~ ?C => apply not_as; as_form
  | |- (?A -> ?B) <-> (?C -> ?D) => apply imp_as; [as_form | intros ?; as_form]
  | |- [_; _] ≡ [_; _] <-> _ => etransitivity; [apply same_two|]; as_form
  | |- _ => rewrite ?nim_sum_cons, ?nim_sum_none, ?N.lxor_0_r; same_lxor; first [forget_cases; lia | lia]
  end].
Ltac read_form := cbv [means assign val tru says int bool_of of_naturals among Pos.ltb Pos.compare Pos.compare_cont Pos.eqb nth map
  Pos.to_nat Pos.iter_op Init.Nat.add Init.Nat.sub negb andb orb].
(* [f]: the claim, about the natural numbers [ns], as a form; [ok]: its sequent passes the check. *)
Ltac look_ahead f h ns ok :=
  let H := fresh in pose proof (by_looking_ahead f h _ ns (check_stated _ _ ok) eq_refl) as H; revert H;
  lazymatch goal with |- ?A -> ?B => let E := fresh in cut (B <-> A); [intros E; exact (proj2 E)|] end; unfold f; read_form; as_form.
(* E : the position s has these heaps, in ascending order, of which [a] is the first and [b] the last. *)
Ltac named_heaps s E a b :=
  let known f v := (let A := fresh in assert (A : f s = v) by
    (rewrite E, ?least_beside, ?largest_cons; change (least []) with 0%N; change (largest []) with 0%N; cases; lia);
    rewrite ?A; clear A) in
  known least a; known largest b; try setoid_rewrite E.
