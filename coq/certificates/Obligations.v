(* Obligations as data: sequents over the integers, and the proposition that a sequent states.

   A proof rule reduces a claim to sequents.  A sequent states: for all integers in their ranges and all truth values, the
   assumptions imply the conclusion.  To understand a printed sequent, you need only this file; [stated] is the proposition. *)
Require Import List ZArith Bool Lia.
Import ListNotations.
Open Scope Z_scope.

(* Integers and conditions.  Integer variables and truth values are numbered separately, from 1. *)
Inductive num :=
  | nLit (z : Z) | nVar (x : positive) | nAdd (a b : num) | nSub (a b : num) | nNeg (a : num) | nMul (a b : num)
  | nQuot (a : num) (d : positive) | nRem (a : num) (d : positive) | nNim (a b : num) | nAnd (a b : num)
  | nMax (a b : num) | nMin (a b : num) | nPick (c : cond) (a b : num)
with cond :=
  | cBe (b : bool) | cBool (x : positive) | cNot (a : cond) | cAll (a b : cond) | cAny (a b : cond) | cIff (a b : cond)
  | cIf (c a b : cond) | cEq (a b : num) | cLe (a b : num) | cLt (a b : num).
Scheme num_mut := Induction for num Sort Prop with cond_mut := Induction for cond Sort Prop.
Combined Scheme num_cond from num_mut, cond_mut.

(* The values of all variables. *)
Record env := Env { int : positive -> Z; bool_of : positive -> bool }.
Fixpoint nth_of {A : Type} (default : A) (all : list A) (n : nat) : A := match all, n with
  | [], _ => default | x :: _, O => x | _ :: all, S n => nth_of default all n end.
(* The variables have the values in these lists, in order; the other integers are 0, and the other truth values false. *)
Definition env_of (zs : list Z) (bs : list bool) : env :=
  Env (fun i => nth_of 0 zs (pred (Pos.to_nat i))) (fun i => nth_of false bs (pred (Pos.to_nat i))).

Section Meaning.
Variable e : env.
(* [val] computes the value of an integer, and [tru] whether a condition is true. *)
Fixpoint val (a : num) : Z := match a with
  | nLit z => z | nVar x => int e x | nAdd a b => val a + val b | nSub a b => val a - val b | nNeg a => - val a
  | nMul a b => val a * val b | nQuot a d => val a / Zpos d | nRem a d => val a mod Zpos d
  | nNim a b => Z.lxor (val a) (val b) | nAnd a b => Z.land (val a) (val b)
  | nMax a b => Z.max (val a) (val b) | nMin a b => Z.min (val a) (val b)
  | nPick c a b => if tru c then val a else val b end
with tru (c : cond) : bool := match c with
  | cBe b => b | cBool x => bool_of e x | cNot a => negb (tru a) | cAll a b => tru a && tru b
  | cAny a b => tru a || tru b | cIff a b => eqb (tru a) (tru b) | cIf c a b => if tru c then tru a else tru b
  | cEq a b => val a =? val b | cLe a b => val a <=? val b | cLt a b => val a <? val b end.
(* A condition as a proposition, for readers and for proof rules. *)
Fixpoint says (c : cond) : Prop := match c with
  | cBe b => if b then True else False | cBool x => bool_of e x = true | cNot a => ~ says a
  | cAll a b => says a /\ says b | cAny a b => says a \/ says b | cIff a b => says a <-> says b
  | cIf c a b => (says c -> says a) /\ (~ says c -> says b)
  | cEq a b => val a = val b | cLe a b => val a <= val b | cLt a b => val a < val b end.
Lemma says_tru c : says c <-> tru c = true.
Proof.
  induction c; cbn [says tru]; rewrite ?andb_true_iff, ?orb_true_iff, ?negb_true_iff, ?Z.eqb_eq, ?Z.leb_le, ?Z.ltb_lt;
    rewrite ?IHc, ?IHc1, ?IHc2, ?IHc3; try reflexivity.
  - destruct b; split; auto; discriminate.
  - destruct (tru c); split; intros; congruence.
  - destruct (tru c1), (tru c2); cbn; split; intros H; try discriminate; try tauto; destruct H as [A B]; auto.
  - destruct (tru c1); split; intros H; try (apply H; congruence); split; congruence.
Qed.
End Meaning.

(* The variable [of] is from [lo] to [hi]; None means that there is no bound. *)
Record range := Range { of : positive; lo : option Z; hi : option Z }.
Record sequent := Sequent { ranges : list range; assumes : list cond; shows : cond }.

(* The proposition that a sequent states for the values [e]: its ranges and then its assumptions, one after another, imply its
   conclusion. *)
Definition above (z : option Z) (x : Z) : option Prop := option_map (fun z => z <= x) z.
Definition below (z : option Z) (x : Z) : option Prop := option_map (fun z => x <= z) z.
Definition given (o : option Prop) (P : Prop) : Prop := match o with Some Q => Q -> P | None => P end.
Definition stated (s : sequent) (e : env) : Prop :=
  fold_right (fun r P => given (above (lo r) (int e (of r))) (given (below (hi r) (int e (of r))) P))
    (fold_right (fun c (P : Prop) => says e c -> P) (says e (shows s)) (assumes s)) (ranges s).

(* The same as one implication, by computation, for the proof that the check is right. *)
Definition in_range (e : env) (r : range) : Prop :=
  match lo r with Some z => z <= int e (of r) | None => True end /\ match hi r with Some z => int e (of r) <= z | None => True end.
Definition holds (s : sequent) (e : env) : Prop :=
  (forall r, In r (ranges s) -> in_range e r) -> (forall c, In c (assumes s) -> tru e c = true) -> tru e (shows s) = true.
Lemma holds_stated s e : holds s e -> stated s e.
Proof.
  unfold holds, stated. generalize (ranges s) as rs. induction rs as [|r rs IH]; cbn [fold_right]; intros O.
  - assert (O' : (forall c, In c (assumes s) -> tru e c = true) -> tru e (shows s) = true) by (apply O; intros ? []). clear O.
    revert O'. generalize (assumes s) as cs. induction cs as [|c cs IH]; cbn [fold_right]; intros O.
    + apply says_tru, O. intros ? [].
    + intros C. apply says_tru in C. apply IH. intros A. apply O. intros x [<-|I]; auto.
  - assert (N : in_range e r -> (forall r, In r rs -> in_range e r) -> (forall c, In c (assumes s) -> tru e c = true) -> tru e (shows s) = true).
    { intros R Rs. apply O. intros x [<-|I]; auto. }
    unfold in_range in N at 1. destruct (lo r), (hi r); cbn [above below option_map given]; intros; apply IH; auto.
Qed.
