(* Nim-addition: the heap that has the top bit of a nim-sum, and how nim-sums cancel. *)
From Coq Require Import Lia ZifyBool.
From NimChecks Require Export Folds.
Open Scope N_scope.

(* An odd number of terms has the bits of their nim-sum, so some term has each of them. *)
Lemma odd_column t s i : N.testbit (nim_sum_of t s) i = true -> exists h, h ∈ s /\ N.testbit (t h) i = true.
Proof.
  induction s as [|h r IH]; [cbn; destruct i; discriminate|].
  rewrite nim_sum_of_cons, N.lxor_spec. destruct (h =? 0) eqn:Z.
  - rewrite N.bits_0, xorb_false_l. intros B. destruct (IH B) as (x & I & H). exists x. rewrite heap_of_cons. auto.
  - destruct (N.testbit (t h) i) eqn:B.
    + intros _. exists h. rewrite heap_of_cons. split; [left; split; lia | exact B].
    + rewrite xorb_false_l. intros C. destruct (IH C) as (x & I & H). exists x. rewrite heap_of_cons. auto.
Qed.

(* The same bits above place n, and a 0 there against a 1: the smaller number. *)
Lemma less_at a b n : N.shiftr a (n + 1) = N.shiftr b (n + 1) -> N.testbit a n = false -> N.testbit b n = true -> a < b.
Proof.
  rewrite !N.shiftr_div_pow2. intros E A B.
  assert (S : 2 ^ (n + 1) = 2 ^ n * 2) by (rewrite N.pow_add_r, N.pow_1_r; reflexivity).
  assert (P : 2 ^ n <> 0) by (apply N.pow_nonzero; lia).
  assert (Parts : forall y, y = 2 * 2 ^ n * (y / 2 ^ (n + 1)) + 2 ^ n * N.b2n (N.testbit y n) + y mod 2 ^ n).
  { intros y. rewrite N.testbit_spec', S, <- N.div_div by lia.
    pose proof (N.div_mod' y (2 ^ n)) as D. pose proof (N.div_mod' (y / 2 ^ n) 2) as D2.
    rewrite D at 1. rewrite D2 at 1. ring. }
  pose proof (Parts a) as Pa. pose proof (Parts b) as Pb. pose proof (N.mod_lt a (2 ^ n) P) as M.
  rewrite A, E in Pa. rewrite B in Pb. cbn [N.b2n] in Pa, Pb. rewrite N.mul_0_r in Pa. rewrite N.mul_1_r in Pb.
  revert Pa Pb M. generalize (2 * 2 ^ n * (b / 2 ^ (n + 1))). generalize (a mod 2 ^ n). generalize (b mod 2 ^ n).
  generalize (2 ^ n). intros. lia.
Qed.

Lemma lowered X t : X <> 0 -> N.testbit t (N.log2 X) = true -> N.lxor t X < t.
Proof.
  intros NZ B. assert (T : N.testbit X (N.log2 X) = true) by (apply N.bit_log2; exact NZ).
  apply less_at with (N.log2 X); [|rewrite N.lxor_spec, B, T; reflexivity | exact B].
  rewrite N.shiftr_lxor, (N.shiftr_eq_0 X) by lia. apply N.lxor_0_r.
Qed.

(* The pick of the top bit. *)
Theorem top_bit_of t s : nim_sum_of t s <> 0 -> exists h, h ∈ s /\ N.lxor (t h) (nim_sum_of t s) < t h.
Proof.
  intros NZ. destruct (odd_column t s (N.log2 (nim_sum_of t s))) as (h & I & B); [apply N.bit_log2; exact NZ|].
  exists h. split; [exact I | apply lowered; assumption].
Qed.
Theorem top_bit s : nim_sum s <> 0 -> exists h, h ∈ s /\ N.lxor h (nim_sum s) < h.
Proof. apply top_bit_of. Qed.

Lemma lxor_back a b : N.lxor a (N.lxor a b) = b.
Proof. rewrite <- N.lxor_assoc, N.lxor_nilpotent. apply N.lxor_0_l. Qed.
