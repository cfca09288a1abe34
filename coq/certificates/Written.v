(* The notation for certificates in generated text: encoders/coq/certificates.py. *)
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
