(* Streams: natural numbers of any size, evaluated bit by bit, lowest first, and the atoms of certificates. *)
Require Import List NArith ZArith Bool Lia.
Import ListNotations.
Open Scope Z_scope.

(* A variable, a nim-sum, a bitwise AND, a product. *)
Inductive stream := Var (x : positive) | Xor (a b : stream) | And (a b : stream) | Times (a b : stream).

(* The values of all variables, including unused ones. *)
Definition valuation := positive -> N.
Fixpoint value (v : valuation) (s : stream) : N := match s with
  | Var x => v x
  | Xor a b => N.lxor (value v a) (value v b)
  | And a b => N.land (value v a) (value v b)
  | Times a b => value v a * value v b
  end.

(* The sum of coefficient * stream, without the constant. *)
Definition terms := list (Z * stream).
Fixpoint sum (v : valuation) (t : terms) : Z := match t with
  | [] => 0
  | (k, s) :: r => k * Z.of_N (value v s) + sum v r
  end.

(* An atom: sum + constant = 0, or sum + constant <= 0. *)
Record atom := { equation : bool; left : terms; constant : Z }.
Definition truth (v : valuation) (a : atom) : bool :=
  let x := sum v (left a) + constant a in if equation a then x =? 0 else x <=? 0.

Fixpoint same_stream (a b : stream) : bool := match a, b with
  | Var x, Var y => Pos.eqb x y
  | Xor a b, Xor c d | And a b, And c d | Times a b, Times c d => same_stream a c && same_stream b d
  | _, _ => false
  end.
Lemma same_stream_ok a : forall b, same_stream a b = true -> a = b.
Proof.
  induction a; destruct b; cbn; intros H; try discriminate;
    [apply Pos.eqb_eq in H | apply andb_prop in H; destruct H..]; f_equal; auto.
Qed.
