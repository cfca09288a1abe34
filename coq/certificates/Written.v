(* The notation for certificates in generated text (encoders/coq/certificates.py), and the meaning of a list of them. *)
Require Import List NArith ZArith Bool.
From NimChecks Require Export Streams Automata Sums Certificates.
Import ListNotations.

Definition at_most_0 (t : terms) (c : Z) : atom := {| equation := false; left := t; constant := c |}.
Definition zero (t : terms) (c : Z) : atom := {| equation := true; left := t; constant := c |}.

Definition all_of : list formula -> formula := fold_right Both Yes.
Definition one_of : list formula -> formula := fold_right Either No.

Definition yes (i : positive) : positive * bool := (i, true).
Definition no (i : positive) : positive * bool := (i, false).
Definition by_states (c : clause) (all : list state) : lemma := {| literals := c; by_ := States all |}.
Definition by_cases (c : clause) (t : tree) : lemma := {| literals := c; by_ := Cases t |}.
Definition part (k : Z) (ps : list nat) (ss : list stream) : summand := {| coefficient := k; places := ps; by_streams := ss |}.
Definition by_sum (c : clause) (all : list summand) : lemma := {| literals := c; by_ := Sum all |}.

(* No natural numbers, of any size, and no truth values for the other letters make the formula true. *)
Definition has_no_model (c : certificate) : Prop :=
  forall v free, eval (letter_value (numbered 1 (atoms c)) v free) (negated c) = false.

Theorem all_checked cs : forallb check cs = true -> forall c, In c cs -> has_no_model c.
Proof. intros H c I. rewrite forallb_forall in H. exact (no_model c (H c I)). Qed.
