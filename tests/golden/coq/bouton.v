(* nim/bouton: Normal play is lost exactly at nim-sum 0. *)
(* Made by: python -m checks coq nim/bouton *)

From NimChecks Require Import Tactics Digits Least Rules Language.
Open Scope N_scope.

(* What is claimed: of which games, where it has a meaning, and what it is.  Nothing of the proof has a name yet. *)
Module Statement.
Notation P1 := First.
Notation P2 := Second.

(* The game, by the ruleset nim: Nim. *)
Definition nim : game := {|
  of_largest := false;
  becomes mover h y :=
    exists m, 1 <= m /\ m <= h /\ y + m = h;
  stuck_wins := false |}.

Definition defined : Prop :=
  (forall (s : position), forall heap : N, 1 <= heap -> (forall picked : N, 1 <= picked /\ picked < heap + 1 -> picked <= heap /\ heap < heap + picked)).

Definition claimed : Prop :=
  forall (s : position),
  ~ wins nim P1 s <-> nim_sum s = 0.
End Statement.
Import Statement.


From Coq Require List NArith ZArith.
From NimChecks Require Written Sequents.
Module Obligations.
Import List NArith ZArith Written Sequents ListNotations.
Open Scope Z_scope.

(* measure of nim *)
Lemma obligation_1 : forall (heap element_ : Z), (1 <= heap -> 1 <= element_ -> ~ (1 <= element_ /\ element_ <= heap + 1 - 1) \/ 0 <= heap - element_ /\ heap - element_ < heap)%Z.
Proof.
  intros heap element_. refine (check_stated
  (Sequent [Range 1 (Some 1) None; Range 2 (Some 1) None]
   []
   (cAny (cNot (cAll (cLe (nLit 1) (nVar 2)) (cLe (nVar 2) (nSub (nAdd (nVar 1) (nLit 1)) (nLit 1))))) (cAll (cLe (nLit 0) (nSub (nVar 1) (nVar 2))) (cLt (nSub (nVar 1) (nVar 2)) (nVar 1)))))
  (Closing
   [(1%positive, at_most_0 [(1, (Var 1))] 0); (2%positive, at_most_0 [(1, (Var 2))] 0); (3%positive, at_most_0 [(1, (Var 2)); ((-1), (Var 1))] 0)]
   []
   []
   [Natural 1 1; Natural 2 2]
   []
   []
   (Split 2 False_ (Split 3 False_ False_)))
  _ (env_of [heap; element_] [])).
  vm_cast_no_check (eq_refl true).
Qed.

(* pick top bit: a 1 in the nim-sum is an odd number of ones, one more heap *)
Lemma obligation_2 : forall (place nim_sumu20ofu20theu20rest term : Z) (anu20oddu20numberu20ofu20theu20rest : bool), (1 <= place -> 0 <= nim_sumu20ofu20theu20rest -> 0 <= term -> Z.lxor place (place - 1) = place + (place - 1) -> Z.lxor nim_sumu20ofu20theu20rest place < nim_sumu20ofu20theu20rest <-> anu20oddu20numberu20ofu20theu20rest = true -> Z.lxor (Z.lxor nim_sumu20ofu20theu20rest term) place < Z.lxor nim_sumu20ofu20theu20rest term <-> (anu20oddu20numberu20ofu20theu20rest = true <-> ~ Z.lxor term place < term))%Z.
Proof.
  intros place nim_sumu20ofu20theu20rest term anu20oddu20numberu20ofu20theu20rest. refine (check_stated
  (Sequent [Range 1 (Some 1) None; Range 2 (Some 0) None; Range 3 (Some 0) None]
   [(cEq (nNim (nVar 1) (nSub (nVar 1) (nLit 1))) (nAdd (nVar 1) (nSub (nVar 1) (nLit 1))));
    (cIff (cLt (nNim (nVar 2) (nVar 1)) (nVar 2)) (cBool 1))]
   (cIff (cLt (nNim (nNim (nVar 2) (nVar 3)) (nVar 1)) (nNim (nVar 2) (nVar 3))) (cIff (cBool 1) (cNot (cLt (nNim (nVar 3) (nVar 1)) (nVar 3))))))
  (Closing
   [(1%positive, at_most_0 [(1, (Var 1))] 0); (2%positive, zero [(1, (Var 2)); ((-1), (Var 1))] 1); (3%positive, zero [(2, (Var 1)); ((-1), (Xor (Var 2) (Var 1)))] (-1)); (4%positive, at_most_0 [(1, (Var 3)); ((-1), (Xor (Var 3) (Var 1)))] 0); (5%positive, at_most_0 [(1, (Xor (Var 3) (Xor (Var 1) (Var 4)))); ((-1), (Xor (Var 3) (Var 4)))] 1); (6%positive, at_most_0 [(1, (Var 4)); ((-1), (Xor (Var 1) (Var 4)))] 0)]
   [(1, 7)%positive]
   []
   [Natural 1 1; Natural 2 3; Natural 3 4; Number (nSub (nVar 1) (nLit 1)) 2]
   []
   [by_states [yes 4; yes 5; yes 6] [[Some (-1); Some 0; Some (-1)]; [Some (-1); Some (-1); Some 0]; [Some 0; Some (-1); Some (-1)]; [Some 0; Some 0; Some 0]]; by_states [yes 4; no 5; no 6] [[Some (-1); Some 0; Some (-1)]; [Some (-1); Some (-1); Some 0]; [Some 0; Some (-1); Some (-1)]; [Some 0; Some 0; Some 0]]; by_states [no 4; yes 5; no 6] [[Some (-1); Some 0; Some (-1)]; [Some (-1); Some (-1); Some 0]; [Some 0; Some (-1); Some (-1)]; [Some 0; Some 0; Some 0]]; by_states [no 4; no 5; yes 6] [[Some (-1); Some 0; Some (-1)]; [Some (-1); Some (-1); Some 0]; [Some 0; Some (-1); Some (-1)]; [Some 0; Some 0; Some 0]]]
   (Split 4 (Split 7 False_ (Split 5 (Split 6 (Violated 1) False_) (Split 6 False_ (Violated 2)))) (Split 7 (Split 5 (Split 6 False_ (Violated 3)) (Split 6 (Violated 4) False_)) False_)))
  _ (env_of [place; nim_sumu20ofu20theu20rest; term] [anu20oddu20numberu20ofu20theu20rest])).
  vm_cast_no_check (eq_refl true).
Qed.

(* pick top bit: such a heap is lowered *)
Lemma obligation_3 : forall (place nim_sum_ term : Z), (1 <= place -> 0 <= nim_sum_ -> 0 <= term -> Z.lxor place (place - 1) = place + (place - 1) -> Z.lxor nim_sum_ place < place -> Z.lxor term place < term -> Z.lxor term nim_sum_ < term)%Z.
Proof.
  intros place nim_sum_ term. refine (check_stated
  (Sequent [Range 1 (Some 1) None; Range 2 (Some 0) None; Range 3 (Some 0) None]
   [(cEq (nNim (nVar 1) (nSub (nVar 1) (nLit 1))) (nAdd (nVar 1) (nSub (nVar 1) (nLit 1))));
    (cLt (nNim (nVar 2) (nVar 1)) (nVar 1));
    (cLt (nNim (nVar 3) (nVar 1)) (nVar 3))]
   (cLt (nNim (nVar 3) (nVar 2)) (nVar 3)))
  (Closing
   [(1%positive, at_most_0 [(1, (Var 1))] 0); (2%positive, zero [(1, (Var 2)); ((-1), (Var 1))] 1); (3%positive, zero [(2, (Var 1)); ((-1), (Xor (Var 2) (Var 1)))] (-1)); (4%positive, at_most_0 [(1, (Var 1)); ((-1), (Xor (Var 3) (Var 1)))] 0); (5%positive, at_most_0 [(1, (Var 4)); ((-1), (Xor (Var 1) (Var 4)))] 0); (6%positive, at_most_0 [(1, (Var 4)); ((-1), (Xor (Var 3) (Var 4)))] 0)]
   []
   []
   [Natural 1 1; Natural 2 3; Natural 3 4; Number (nSub (nVar 1) (nLit 1)) 2]
   []
   [by_states [yes 2; yes 3; no 4; no 5; yes 6] [[Some 1; Some (-1); Some (-1); Some (-1); Some (-1)]; [Some 0; Some 0; Some (-1); Some (-1); Some (-1)]; [Some 0; Some 0; Some (-1); Some 0; Some (-1)]; [Some 0; Some 0; Some 0; Some (-1); Some (-1)]; [Some 0; Some 0; Some 0; Some 0; Some 0]; [Some 1; Some (-1); Some (-1); Some (-1); Some 0]; [Some 0; Some 0; Some (-1); Some (-1); Some 0]; [Some 0; Some 1; Some (-1); Some (-1); Some (-1)]; [Some 0; Some 1; Some (-1); Some 0; Some (-1)]; [Some 0; Some 1; Some 0; Some (-1); Some (-1)]; [Some 0; Some 1; Some 0; Some 0; Some 0]; [Some 0; Some 0; Some (-1); Some 0; Some 0]; [Some 0; Some 1; Some 0; Some 0; Some (-1)]; [Some 0; Some 1; Some 0; Some (-1); Some 0]; [Some 0; Some 1; Some (-1); Some (-1); Some 0]; [Some 0; Some 1; Some (-1); Some 0; Some 0]]]
   (Split 2 (Split 3 (Split 4 False_ (Split 5 False_ (Split 6 (Violated 1) False_))) False_) False_))
  _ (env_of [place; nim_sum_; term] [])).
  vm_cast_no_check (eq_refl true).
Qed.

(* closed *)
Lemma obligation_4 : forall (heap m newu20size Xu20ofu20rest : Z), (1 <= heap -> 1 <= m -> 0 <= newu20size -> 0 <= Xu20ofu20rest -> Z.lxor heap Xu20ofu20rest = 0 -> ~ ((1 <= m /\ m <= heap) /\ newu20size = heap - m) \/ ~ Z.lxor newu20size Xu20ofu20rest = 0)%Z.
Proof.
  intros heap m newu20size Xu20ofu20rest. refine (check_stated
  (Sequent [Range 1 (Some 1) None; Range 2 (Some 1) None; Range 3 (Some 0) None; Range 4 (Some 0) None]
   [(cEq (nNim (nVar 1) (nVar 4)) (nLit 0))]
   (cAny (cNot (cAll (cAll (cLe (nLit 1) (nVar 2)) (cLe (nVar 2) (nVar 1))) (cEq (nVar 3) (nSub (nVar 1) (nVar 2))))) (cNot (cEq (nNim (nVar 3) (nVar 4)) (nLit 0)))))
  (Closing
   [(1%positive, at_most_0 [(1, (Var 1))] 0); (2%positive, at_most_0 [(1, (Var 2))] 0); (3%positive, zero [(1, (Xor (Var 3) (Var 1)))] 0); (4%positive, at_most_0 [(1, (Var 1)); ((-1), (Var 2))] 1); (5%positive, zero [(1, (Var 1)); ((-1), (Var 2)); ((-1), (Var 4))] 0); (6%positive, zero [(1, (Xor (Var 3) (Var 4)))] 0)]
   []
   []
   [Natural 1 1; Natural 2 2; Natural 3 4; Natural 4 3]
   []
   [by_states [no 2; yes 3; yes 5; yes 6] [[Some (-1); Some 0; Some 0; Some 0]]]
   (Split 3 (Split 2 False_ (Split 5 (Split 6 (Violated 1) False_) False_)) False_))
  _ (env_of [heap; m; newu20size; Xu20ofu20rest] [])).
  vm_cast_no_check (eq_refl true).
Qed.

(* cases cover *)
Lemma obligation_5 : forall (Xu20ofu20s : Z), (0 <= Xu20ofu20s -> ~ Xu20ofu20s = 0 -> ~ Xu20ofu20s = 0)%Z.
Proof.
  intros Xu20ofu20s. refine (check_stated
  (Sequent [Range 1 (Some 0) None]
   [(cNot (cEq (nVar 1) (nLit 0)))]
   (cNot (cEq (nVar 1) (nLit 0))))
  (Closing
   [(1%positive, zero [(1, (Var 1))] 0)]
   []
   []
   [Natural 1 1]
   []
   []
   False_)
  _ (env_of [Xu20ofu20s] [])).
  vm_cast_no_check (eq_refl true).
Qed.

(* reply 1: heap *)
Lemma obligation_6 : forall (Xu20ofu20s heapu20ofu20s Xu20ofu20restu20ofu20s numberu20ofu20heapsu20ofu20s numberu20ofu20heapsu20ofu20restu20ofu20s : Z), (0 <= Xu20ofu20s -> 1 <= heapu20ofu20s -> 0 <= Xu20ofu20restu20ofu20s -> 0 <= numberu20ofu20heapsu20ofu20s -> 0 <= numberu20ofu20heapsu20ofu20restu20ofu20s -> ~ Xu20ofu20s = 0 -> ~ Xu20ofu20s = 0 -> ~ (~ Xu20ofu20s = 0 /\ ~ Xu20ofu20s = 0) \/ Z.lxor heapu20ofu20s Xu20ofu20s < heapu20ofu20s -> ~ (~ Xu20ofu20s = 0 /\ ~ Xu20ofu20s = 0) \/ Xu20ofu20s = Z.lxor heapu20ofu20s Xu20ofu20restu20ofu20s /\ numberu20ofu20heapsu20ofu20s = 1 + numberu20ofu20heapsu20ofu20restu20ofu20s -> ~ numberu20ofu20heapsu20ofu20s = 0 \/ Xu20ofu20s = 0 -> ~ numberu20ofu20heapsu20ofu20restu20ofu20s = 0 \/ Xu20ofu20restu20ofu20s = 0 -> ~ Xu20ofu20s = 0)%Z.
Proof.
  intros Xu20ofu20s heapu20ofu20s Xu20ofu20restu20ofu20s numberu20ofu20heapsu20ofu20s numberu20ofu20heapsu20ofu20restu20ofu20s. refine (check_stated
  (Sequent [Range 1 (Some 0) None; Range 2 (Some 1) None; Range 3 (Some 0) None; Range 4 (Some 0) None; Range 5 (Some 0) None]
   [(cNot (cEq (nVar 1) (nLit 0)));
    (cNot (cEq (nVar 1) (nLit 0)));
    (cAny (cNot (cAll (cNot (cEq (nVar 1) (nLit 0))) (cNot (cEq (nVar 1) (nLit 0))))) (cLt (nNim (nVar 2) (nVar 1)) (nVar 2)));
    (cAny (cNot (cAll (cNot (cEq (nVar 1) (nLit 0))) (cNot (cEq (nVar 1) (nLit 0))))) (cAll (cEq (nVar 1) (nNim (nVar 2) (nVar 3))) (cEq (nVar 4) (nAdd (nLit 1) (nVar 5)))));
    (cAny (cNot (cEq (nVar 4) (nLit 0))) (cEq (nVar 1) (nLit 0)));
    (cAny (cNot (cEq (nVar 5) (nLit 0))) (cEq (nVar 3) (nLit 0)))]
   (cNot (cEq (nVar 1) (nLit 0))))
  (Closing
   [(1%positive, at_most_0 [(1, (Var 1))] 0); (2%positive, zero [(1, (Var 2))] 0); (3%positive, at_most_0 [(1, (Var 1)); ((-1), (Xor (Var 2) (Var 1)))] 0); (4%positive, zero [(1, (Var 2)); ((-1), (Xor (Var 3) (Var 1)))] 0); (5%positive, zero [(1, (Var 4)); ((-1), (Var 5))] 1); (6%positive, zero [(1, (Var 5))] 0); (7%positive, zero [(1, (Var 4))] 0); (8%positive, zero [(1, (Var 3))] 0)]
   []
   []
   [Natural 1 2; Natural 2 1; Natural 3 3; Natural 4 5; Natural 5 4]
   []
   []
   False_)
  _ (env_of [Xu20ofu20s; heapu20ofu20s; Xu20ofu20restu20ofu20s; numberu20ofu20heapsu20ofu20s; numberu20ofu20heapsu20ofu20restu20ofu20s] [])).
  vm_cast_no_check (eq_refl true).
Qed.

(* reply 1: legal *)
Lemma obligation_7 : forall (Xu20ofu20s heapu20ofu20s Xu20ofu20restu20ofu20s numberu20ofu20heapsu20ofu20s numberu20ofu20heapsu20ofu20restu20ofu20s : Z), (0 <= Xu20ofu20s -> 1 <= heapu20ofu20s -> 0 <= Xu20ofu20restu20ofu20s -> 0 <= numberu20ofu20heapsu20ofu20s -> 0 <= numberu20ofu20heapsu20ofu20restu20ofu20s -> ~ Xu20ofu20s = 0 -> ~ Xu20ofu20s = 0 -> ~ Xu20ofu20s = 0 /\ ~ Xu20ofu20s = 0 -> ~ (~ Xu20ofu20s = 0 /\ ~ Xu20ofu20s = 0) \/ Z.lxor heapu20ofu20s Xu20ofu20s < heapu20ofu20s -> ~ (~ Xu20ofu20s = 0 /\ ~ Xu20ofu20s = 0) \/ Xu20ofu20s = Z.lxor heapu20ofu20s Xu20ofu20restu20ofu20s /\ numberu20ofu20heapsu20ofu20s = 1 + numberu20ofu20heapsu20ofu20restu20ofu20s -> ~ numberu20ofu20heapsu20ofu20s = 0 \/ Xu20ofu20s = 0 -> ~ numberu20ofu20heapsu20ofu20restu20ofu20s = 0 \/ Xu20ofu20restu20ofu20s = 0 -> 1 <= heapu20ofu20s - Z.lxor heapu20ofu20s Xu20ofu20s /\ heapu20ofu20s - Z.lxor heapu20ofu20s Xu20ofu20s <= heapu20ofu20s)%Z.
Proof.
  intros Xu20ofu20s heapu20ofu20s Xu20ofu20restu20ofu20s numberu20ofu20heapsu20ofu20s numberu20ofu20heapsu20ofu20restu20ofu20s. refine (check_stated
  (Sequent [Range 1 (Some 0) None; Range 2 (Some 1) None; Range 3 (Some 0) None; Range 4 (Some 0) None; Range 5 (Some 0) None]
   [(cNot (cEq (nVar 1) (nLit 0)));
    (cNot (cEq (nVar 1) (nLit 0)));
    (cAll (cNot (cEq (nVar 1) (nLit 0))) (cNot (cEq (nVar 1) (nLit 0))));
    (cAny (cNot (cAll (cNot (cEq (nVar 1) (nLit 0))) (cNot (cEq (nVar 1) (nLit 0))))) (cLt (nNim (nVar 2) (nVar 1)) (nVar 2)));
    (cAny (cNot (cAll (cNot (cEq (nVar 1) (nLit 0))) (cNot (cEq (nVar 1) (nLit 0))))) (cAll (cEq (nVar 1) (nNim (nVar 2) (nVar 3))) (cEq (nVar 4) (nAdd (nLit 1) (nVar 5)))));
    (cAny (cNot (cEq (nVar 4) (nLit 0))) (cEq (nVar 1) (nLit 0)));
    (cAny (cNot (cEq (nVar 5) (nLit 0))) (cEq (nVar 3) (nLit 0)))]
   (cAll (cLe (nLit 1) (nSub (nVar 2) (nNim (nVar 2) (nVar 1)))) (cLe (nSub (nVar 2) (nNim (nVar 2) (nVar 1))) (nVar 2))))
  (Closing
   [(1%positive, at_most_0 [(1, (Var 1))] 0); (2%positive, zero [(1, (Var 2))] 0); (3%positive, at_most_0 [(1, (Var 1)); ((-1), (Xor (Var 2) (Var 1)))] 0); (4%positive, zero [(1, (Var 2)); ((-1), (Xor (Var 3) (Var 1)))] 0); (5%positive, zero [(1, (Var 4)); ((-1), (Var 5))] 1); (6%positive, zero [(1, (Var 5))] 0); (7%positive, zero [(1, (Var 4))] 0); (8%positive, zero [(1, (Var 3))] 0)]
   []
   []
   [Natural 1 2; Natural 2 1; Natural 3 3; Natural 4 5; Natural 5 4]
   []
   []
   (Split 2 False_ (Split 3 False_ False_)))
  _ (env_of [Xu20ofu20s; heapu20ofu20s; Xu20ofu20restu20ofu20s; numberu20ofu20heapsu20ofu20s; numberu20ofu20heapsu20ofu20restu20ofu20s] [])).
  vm_cast_no_check (eq_refl true).
Qed.

(* reply 1: leads to a loss *)
Lemma obligation_8 : forall (Xu20ofu20s heapu20ofu20s Xu20ofu20restu20ofu20s newu20size numberu20ofu20heapsu20ofu20s numberu20ofu20heapsu20ofu20restu20ofu20s : Z), (0 <= Xu20ofu20s -> 1 <= heapu20ofu20s -> 0 <= Xu20ofu20restu20ofu20s -> 0 <= newu20size -> 0 <= numberu20ofu20heapsu20ofu20s -> 0 <= numberu20ofu20heapsu20ofu20restu20ofu20s -> ~ Xu20ofu20s = 0 -> ~ Xu20ofu20s = 0 -> ~ Xu20ofu20s = 0 /\ ~ Xu20ofu20s = 0 -> 1 <= heapu20ofu20s - Z.lxor heapu20ofu20s Xu20ofu20s /\ heapu20ofu20s - Z.lxor heapu20ofu20s Xu20ofu20s <= heapu20ofu20s -> newu20size = heapu20ofu20s - (heapu20ofu20s - Z.lxor heapu20ofu20s Xu20ofu20s) -> ~ (~ Xu20ofu20s = 0 /\ ~ Xu20ofu20s = 0) \/ Z.lxor heapu20ofu20s Xu20ofu20s < heapu20ofu20s -> ~ (~ Xu20ofu20s = 0 /\ ~ Xu20ofu20s = 0) \/ Xu20ofu20s = Z.lxor heapu20ofu20s Xu20ofu20restu20ofu20s /\ numberu20ofu20heapsu20ofu20s = 1 + numberu20ofu20heapsu20ofu20restu20ofu20s -> ~ numberu20ofu20heapsu20ofu20s = 0 \/ Xu20ofu20s = 0 -> ~ numberu20ofu20heapsu20ofu20restu20ofu20s = 0 \/ Xu20ofu20restu20ofu20s = 0 -> Z.lxor newu20size Xu20ofu20restu20ofu20s = 0)%Z.
Proof.
  intros Xu20ofu20s heapu20ofu20s Xu20ofu20restu20ofu20s newu20size numberu20ofu20heapsu20ofu20s numberu20ofu20heapsu20ofu20restu20ofu20s. refine (check_stated
  (Sequent [Range 1 (Some 0) None; Range 2 (Some 1) None; Range 3 (Some 0) None; Range 4 (Some 0) None; Range 5 (Some 0) None; Range 6 (Some 0) None]
   [(cNot (cEq (nVar 1) (nLit 0)));
    (cNot (cEq (nVar 1) (nLit 0)));
    (cAll (cNot (cEq (nVar 1) (nLit 0))) (cNot (cEq (nVar 1) (nLit 0))));
    (cAll (cLe (nLit 1) (nSub (nVar 2) (nNim (nVar 2) (nVar 1)))) (cLe (nSub (nVar 2) (nNim (nVar 2) (nVar 1))) (nVar 2)));
    (cEq (nVar 4) (nSub (nVar 2) (nSub (nVar 2) (nNim (nVar 2) (nVar 1)))));
    (cAny (cNot (cAll (cNot (cEq (nVar 1) (nLit 0))) (cNot (cEq (nVar 1) (nLit 0))))) (cLt (nNim (nVar 2) (nVar 1)) (nVar 2)));
    (cAny (cNot (cAll (cNot (cEq (nVar 1) (nLit 0))) (cNot (cEq (nVar 1) (nLit 0))))) (cAll (cEq (nVar 1) (nNim (nVar 2) (nVar 3))) (cEq (nVar 5) (nAdd (nLit 1) (nVar 6)))));
    (cAny (cNot (cEq (nVar 5) (nLit 0))) (cEq (nVar 1) (nLit 0)));
    (cAny (cNot (cEq (nVar 6) (nLit 0))) (cEq (nVar 3) (nLit 0)))]
   (cEq (nNim (nVar 4) (nVar 3)) (nLit 0)))
  (Closing
   [(1%positive, at_most_0 [(1, (Var 1))] 0); (2%positive, zero [(1, (Var 2))] 0); (3%positive, at_most_0 [(1, (Var 1)); ((-1), (Xor (Var 2) (Var 1)))] 0); (4%positive, zero [(1, (Var 3)); ((-1), (Xor (Var 2) (Var 1)))] 0); (5%positive, zero [(1, (Var 2)); ((-1), (Xor (Var 4) (Var 1)))] 0); (6%positive, zero [(1, (Var 5)); ((-1), (Var 6))] 1); (7%positive, zero [(1, (Var 6))] 0); (8%positive, zero [(1, (Var 5))] 0); (9%positive, zero [(1, (Var 4))] 0); (10%positive, zero [(1, (Xor (Var 4) (Var 3)))] 0)]
   []
   []
   [Natural 1 2; Natural 2 1; Natural 3 4; Natural 4 3; Natural 5 6; Natural 6 5]
   []
   [by_states [yes 4; yes 5; no 10] [[Some 0; Some 0; Some 0]]]
   (Split 2 False_ (Split 4 (Split 5 (Split 10 False_ (Violated 1)) False_) False_)))
  _ (env_of [Xu20ofu20s; heapu20ofu20s; Xu20ofu20restu20ofu20s; newu20size; numberu20ofu20heapsu20ofu20s; numberu20ofu20heapsu20ofu20restu20ofu20s] [])).
  vm_cast_no_check (eq_refl true).
Qed.

(* claim *)
Lemma obligation_9 : forall (Xu20ofu20s : Z), (0 <= Xu20ofu20s -> ~ ~ Xu20ofu20s = 0 <-> Xu20ofu20s = 0)%Z.
Proof.
  intros Xu20ofu20s. refine (check_stated
  (Sequent [Range 1 (Some 0) None]
   []
   (cIff (cNot (cNot (cEq (nVar 1) (nLit 0)))) (cEq (nVar 1) (nLit 0))))
  (Closing
   [(1%positive, zero [(1, (Var 1))] 0)]
   []
   []
   [Natural 1 1]
   []
   []
   False_)
  _ (env_of [Xu20ofu20s] [])).
  vm_cast_no_check (eq_refl true).
Qed.
End Obligations.

From Coq Require Import Lia ZifyBool ZArith.
From NimChecks Require Import Folded.

Section Proof.
Set Default Proof Using "All".

Open Scope Z_scope.
(* The folds: X, number of heaps. *)
Definition F : Type := Z * Z.
Definition none : F := (0, 0).
Definition join (h : N) (x : F) : F := let '(x1, x2) := x in
  ((Z.lxor (Z.of_N h) x1),
   (1 + x2)).
Notation value := (folded F none join).
Notation G := nim.

(* What is known of the folds of every position. *)
Definition natural (x : F) : Prop := let '(x1, x2) := x in
  0 <= x1 /\
  0 <= x2.
Definition special (x : F) : Prop := let '(x1, x2) := x in
  (~ x2 = 0 \/ x1 = 0).
Definition fact (x : F) : Prop := natural x /\ special x.
Ltac open_facts ::= cbv beta iota zeta delta [special] in *.
Ltac is_fact ::= match goal with F : special _ |- _ => is_part_of F end.

(* Where the player p, to move, loses. *)
Definition lost (p : player) (x : F) : Prop := let '(x1, x2) := x in
  x1 = 0.
Lemma in_any_order g h u : (0 < g)%N -> (0 < h)%N -> join g (join h u) = join h (join g u).
Proof. in_any_order join u ltac:(fun _ => destruct u as [x1 x2]). Qed.
Lemma values s : value s = (gather (fun h x => (Z.lxor (Z.of_N h) x)) 0 s, gather (fun h x => (1 + x)) 0 s).
Proof. by_one_more. Qed.
Lemma fact_of_none : fact none.
Proof.
  split; cbv beta iota zeta delta [natural special none]; [facts_kept|].
  facts_kept.
Qed.
Lemma fact_of_more h u : (0 < h)%N -> fact u -> fact (join h u).
Proof.
  intros P [Nx Fx]. destruct u as [x1 x2]. cbv beta iota zeta delta [natural] in Nx. by_parts.
  split; cbv beta iota zeta delta [natural special join]; [facts_kept|].
  facts_kept.
Qed.
Lemma closed p hs ys R : occupied hs -> swaps_of_game G p hs ys R ->
  fact (value R) -> lost p (joins F join hs (value R)) ->
  ~ lost (other p) (joins F join ys (value R)).
Proof.
  intros O S Fx L L'. open_game O S. pose proof (values R) as E.
  destruct (value R) as [x1 x2]. split_values E. rewrite joins_one in L by exact P.
  destruct Fx as [Nx Fx]. cbv beta iota zeta delta [natural lost join] in L, Nx. by_parts.
  destruct S as (p1 & S). by_parts.
  pose proof (Obligations.obligation_4 ((Z.of_N h))%Z ((Z.of_N p1))%Z ((Z.of_N y))%Z (x1)%Z) as O; give O. by_parts.
  gone_or_there y; [rewrite joins_gone in L'; is_gone O |
    rewrite joins_one in L' by assumption; is_there y O];
  cbv beta iota zeta delta [lost join] in L'; refute_with O L'.
Qed.
Lemma reply p s : fact (value s) ->
  ~ lost p (value s) -> 
  exists t, move G p s t /\ lost (other p) (value t).
Proof.
  intros Fs L. pose proof (values s) as E.
  destruct (value s) as [s1 s2] eqn:V. split_values E.
  destruct Fs as [Ns Fs]. cbv beta iota zeta delta [natural lost] in L, Ns. by_parts.
  pose proof (Obligations.obligation_5 (s1)%Z) as O; give O.
  rename O into W.
  assert (W' : ~ s1 = 0).
  { by_contradiction. pose proof (Obligations.obligation_6 (s1)%Z (1)%Z (0)%Z (s2)%Z (0)%Z) as O; give O. conclude_from O. }
  pose proof (pick_top_bit (fun h => (Z.of_N h)) s ltac:(intros h P; cbv beta; naturals) ltac:(met_premise E W')) as Pick. cbv beta in Pick.
  destruct Pick as (h & R & P & E' & Pick). told Pick.
  pose proof (folded_same F none join in_any_order s (h :: R) E') as V'.
  change (value (h :: R)) with (joins F join [h] (value R)) in V'. rewrite joins_one in V' by exact P. rewrite V in V'.
  pose proof (facts_of_all F none join fact fact_of_none fact_of_more R) as Fx.
  pose proof (values R) as ER. destruct (value R) as [x1 x2] eqn:VR. split_values ER.
  destruct Fx as [Nx Fx]. cbv beta iota zeta delta [natural join] in Nx, V'. by_parts. split_values V'.
  pose proof (Obligations.obligation_7 (s1)%Z ((Z.of_N h))%Z (x1)%Z (s2)%Z (x2)%Z) as O; give O. rename O into Legal. by_parts.
  name_pick ((Z.of_N h) - Z.lxor (Z.of_N h) s1) p1.
  name_pick ((Z.of_N h) - ((Z.of_N h) - Z.lxor (Z.of_N h) s1)) y.
  exists (y :: R). split.
  { exists h, y, R. split; [exact P|]. split; [exact E'|]. split; [reflexivity|].
    split; [hnf; cbn [same_player]; exists p1; made_legal | cbn; lia]. }
  pose proof (Obligations.obligation_8 (s1)%Z ((Z.of_N h))%Z (x1)%Z ((Z.of_N y))%Z (s2)%Z (x2)%Z) as O; give O.
  change (value (y :: R)) with (joins F join [y] (value R)). rewrite VR.
  gone_or_there y; [rewrite joins_gone; is_gone O | rewrite joins_one by assumption; is_there y O];
  cbv beta iota zeta delta [lost join]; conclude_from O.
Qed.
Theorem settled p s : (wins G p s <-> ~ lost p (value s)) /\ (lost p (value s) -> loses G p s) /\
  (loses G p s -> ~ wins G p s).
Proof.
  apply (game_by_folds G F none join in_any_order fact fact_of_none fact_of_more).
  - intros q hs ys R O S. left. open_game O S. opened_smaller S.
  - intros q hs ys R O S Fx L; eapply closed; eauto.
  - intros q t Fs L Some; eapply reply; eauto.
  - discriminate.
Qed.
Lemma who_wins p s : wins G p s <-> ~ lost p (value s).
Proof. apply settled. Qed.
(* What other files use. *)
Lemma known s : (forall p, (wins G p s <-> ~ lost p (gather (fun h x => (Z.lxor (Z.of_N h) x)) 0 s, gather (fun h x => (1 + x)) 0 s)) /\
    (lost p (gather (fun h x => (Z.lxor (Z.of_N h) x)) 0 s, gather (fun h x => (1 + x)) 0 s) -> loses G p s) /\ (loses G p s -> ~ wins G p s)) /\
  natural (gather (fun h x => (Z.lxor (Z.of_N h) x)) 0 s, gather (fun h x => (1 + x)) 0 s) /\ special (gather (fun h x => (Z.lxor (Z.of_N h) x)) 0 s, gather (fun h x => (1 + x)) 0 s).
Proof.
  rewrite <- (values s). split; [intros p; exact (settled p s)|].
  exact (facts_of_all F none join fact fact_of_none fact_of_more s).
Qed.

Open Scope N_scope.
Lemma claim (s : position) : ~ wins nim P1 s <-> nim_sum s = 0.
Proof.
  rewrite ?some_is, ?who_wins.
  pose proof (facts_of_all F none join fact fact_of_none fact_of_more s) as Fs.
  pose proof (values s) as E. destruct (value s) as [s1 s2]. split_values E.
  destruct Fs as [Ns Fs]. cbv beta iota zeta delta [natural lost] in *. by_parts.
  pose proof (Obligations.obligation_9 (s1)%Z) as O; give O.
  assert (K1 : Z.of_N (nim_sum s) = s1) by same_fold.
  forget_all_but O ltac:(fun _ => clear - O K1). subst. conclude_from O.
Qed.
End Proof.

(* It has a meaning everywhere, and it holds. *)
Lemma well_defined : Statement.defined.
Proof. unfold Statement.defined. meaningful. Qed.
Theorem bouton : Statement.defined /\ Statement.claimed.
Proof. split; [exact well_defined | exact (fun s => claim s)]. Qed.
Print Assumptions bouton.
