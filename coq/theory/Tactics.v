(* The tactics by which generated files prove their obligations. *)
From Coq Require Export ZArith Lia ZifyBool ZifyN.
From NimChecks Require Export Games NimAddition.
Open Scope N_scope.

(* What lia makes of quotients and remainders, where there are any: looking for them takes it longer than all else. *)
Ltac divisions :=
  lazymatch goal with
  | |- context [Z.div _ _] => Z.to_euclidean_division_equations
  | |- context [Z.modulo _ _] => Z.to_euclidean_division_equations
  | _ : context [Z.div _ _] |- _ => Z.to_euclidean_division_equations
  | _ : context [Z.modulo _ _] |- _ => Z.to_euclidean_division_equations
  | _ => idtac
  end.
Ltac Zify.zify_internal_to_euclidean_division_equations ::= divisions.

(* Equations of nim-sums that hold bit by bit. *)
Ltac bit_by_bit :=
  apply N.bits_inj; intros ?i; rewrite ?N.lxor_spec, ?N.bits_0;
  repeat match goal with |- context [N.testbit ?a ?i] => destruct (N.testbit a i) end; reflexivity.

(* Nim-sums in one order, with what cancels left out. *)
Ltac cancel :=
  repeat match goal with
  | H : context [N.lxor (N.lxor ?a ?b) ?c] |- _ => rewrite (N.lxor_assoc a b c) in H
  | |- context [N.lxor (N.lxor ?a ?b) ?c] => rewrite (N.lxor_assoc a b c)
  | H : context [N.lxor 0 ?a] |- _ => rewrite (N.lxor_0_l a) in H
  | |- context [N.lxor 0 ?a] => rewrite (N.lxor_0_l a)
  | H : context [N.lxor ?a 0] |- _ => rewrite (N.lxor_0_r a) in H
  | |- context [N.lxor ?a 0] => rewrite (N.lxor_0_r a)
  | H : context [N.lxor ?a ?a] |- _ => rewrite (N.lxor_nilpotent a) in H
  | |- context [N.lxor ?a ?a] => rewrite (N.lxor_nilpotent a)
  | H : context [N.lxor ?a (N.lxor ?a ?b)] |- _ => rewrite (lxor_back a b) in H
  | |- context [N.lxor ?a (N.lxor ?a ?b)] => rewrite (lxor_back a b)
  | H : context [N.lxor ?a (N.lxor ?b ?a)] |- _ => rewrite (lxor_over a b) in H
  | |- context [N.lxor ?a (N.lxor ?b ?a)] => rewrite (lxor_over a b)
  | H : context [N.lxor ?a (N.lxor ?b (N.lxor ?a ?c))] |- _ => rewrite (lxor_over_1 a b c) in H
  | |- context [N.lxor ?a (N.lxor ?b (N.lxor ?a ?c))] => rewrite (lxor_over_1 a b c)
  | H : context [N.lxor ?a (N.lxor ?b (N.lxor ?c ?a))] |- _ => rewrite (lxor_over_2 a b c) in H
  | |- context [N.lxor ?a (N.lxor ?b (N.lxor ?c ?a))] => rewrite (lxor_over_2 a b c)
  | H : context [N.lxor ?a (N.lxor ?b (N.lxor ?c (N.lxor ?a ?d)))] |- _ => rewrite (lxor_over_3 a b c d) in H
  | |- context [N.lxor ?a (N.lxor ?b (N.lxor ?c (N.lxor ?a ?d)))] => rewrite (lxor_over_3 a b c d)
  end.

(* What is assumed, part by part. *)
Ltac take_apart :=
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : exists _, _ |- _ => destruct H
  end.

(* Case by case, where a number or a condition depends on one. *)
Ltac cases :=
  repeat match goal with
  | H : context [if ?c then _ else _] |- _ =>
      lazymatch c with context [if _ then _ else _] => fail | _ => destruct c eqn:?; try (exfalso; lia) end
  | |- context [if ?c then _ else _] =>
      lazymatch c with context [if _ then _ else _] => fail | _ => destruct c eqn:?; try (exfalso; lia) end
  end.

(* Where a fact gives a number under a condition, whether that is met. *)
Ltac meet_conditions :=
  repeat match goal with
  | H : ?A -> ?B |- _ =>
      lazymatch B with context [?x = _] => is_var x end;
      let D := fresh in assert (D : A \/ ~ A) by lia; destruct D as [D|D];
      [specialize (H D); take_apart; subst; try (exfalso; lia) | clear H]
  end.

(* A heap whose size the cases tell is that number. *)
Ltac read_off :=
  repeat match goal with
  | H : context [?x =? ?n] |- _ => is_var x; let E := fresh in assert (E : x = n) by lia; subst x
  end.

(* A remainder by a number written down, and the quotient, by what they are. *)
Ltac divide :=
  let by_number e d :=
    lazymatch d with
    | N.pos _ =>
        let E := fresh in let L := fresh in
        pose proof (N.div_mod' e d) as E; assert (L : e mod d < d) by (apply N.mod_lt; discriminate);
        generalize dependent (e mod d); generalize dependent (e / d); intros
    end in
  repeat match goal with
  | |- context [?e mod ?d] => by_number e d
  | |- context [?e / ?d] => by_number e d
  | H : context [?e mod ?d] |- _ => by_number e d
  | H : context [?e / ?d] |- _ => by_number e d
  end.

(* What is known of each nim-sum of two numbers, without their bits: when it is 0; when it is one of the two. *)
Ltac for_each_nim_sum note :=
  repeat match goal with
  | |- context [N.lxor ?a ?b] => note a b
  | H : context [N.lxor ?a ?b] |- _ => note a b
  end.
Ltac note_nim_sums :=
  for_each_nim_sum ltac:(fun a b =>
    lazymatch goal with _ : N.lxor a b = 0 <-> a = b |- _ => fail | _ => pose proof (lxor_zero a b) end).
Ltac note_more :=
  for_each_nim_sum ltac:(fun a b =>
    lazymatch goal with
    | _ : N.lxor a b = a <-> b = 0 |- _ => fail
    | _ => pose proof (lxor_self a b); pose proof (lxor_other a b)
    end).

(* A heap is gone, or there. *)
Ltac gone_or_there y :=
  let G := fresh in assert (G : y = 0 \/ 0 < y) by lia; destruct G as [G|G]; [subst y|].

Ltac conclude :=
  repeat match goal with |- _ /\ _ => split end;
  first
    [ lazymatch goal with |- N.lxor _ _ = _ => bit_by_bit | |- _ = N.lxor _ _ => bit_by_bit end
    | lia
    | note_nim_sums; first [ lia | note_more; lia ] ].
Ltac settle := intros; divide; take_apart; subst; cancel; cases; read_off; meet_conditions; cancel; conclude.

(* One of several conditions holds: each is decided part by part, in order. *)
Ltac cover :=
  lazymatch goal with
  | |- (?A /\ ?B) \/ ?C =>
      let D := fresh in assert (D : A \/ ~ A) by lia; destruct D as [D|D];
      [ try (exfalso; lia);
        let E := fresh in enough (E : B \/ C) by (destruct E; [left; split; assumption | right; assumption]); cover
      | try (exfalso; lia); right; cover ]
  | |- ?A \/ ?C =>
      let D := fresh in assert (D : A \/ ~ A) by lia; destruct D as [D|D]; [left; exact D | try (exfalso; lia); right; cover]
  | |- _ => lia
  end.

(* A move of a game, by its definition. *)
Ltac open_move B :=
  hnf in B; cbn [same_player] in B;
  repeat match type of B with _ \/ _ => destruct B as [B|B] end.
Ltac smaller := intros B; open_move B; take_apart; cases; lia.
(* A move is known by what it leaves: the number taken is the difference. *)
Ltac decided p h y :=
  cbn [becomes]; destruct p; cbn [same_player];
  lazymatch goal with
  | |- (exists m, @?P m) \/ _ =>
      let D := fresh in assert (D : P (h - y) \/ ~ P (h - y)) by (cbv beta; cases; lia);
      destruct D as [D|D]; [left; exists (h - y); exact D |];
      right; intros (m & M); apply D; replace (h - y) with m by (cases; lia); exact M
  end.

(* A fold of a heap h beside others. *)
Ltac beside h :=
  rewrite ?nim_sum_cons, ?nim_sum_of_cons, ?count_cons, ?number_cons, ?largest_cons, ?times_of_largest_cons;
  unfold only; try reflexivity;
  destruct (h =? 0) eqn:?, (0 <? h) eqn:?; try lia; reflexivity.

(* Some heap is there: it is known, or without one the condition W of a move would not hold; [see] is what sees through
   the folds. *)
Ltac some_heap_by see W :=
  first
    [ assumption
    | lazymatch goal with
      | |- exists h, h ∈ ?s =>
          let None := fresh in
          destruct (some_heap_or_none s) as [|None]; [assumption | exfalso]; rewrite (nothing s None) in W; see (); lia
      end ].

(* A move as the game has it. *)
Ltac legal := hnf; cbn [same_player].

(* Counts of the same heaps are one count. *)
Ltac same_counts :=
  repeat match goal with
  | |- context [count ?P ?s] =>
      match goal with
      | |- context [count ?Q s] =>
          tryif constr_eq P Q then fail else rewrite (count_ext P Q s) by (intros; lia)
      end
  end.

(* The folds of the theory, of a heap beside others; and what a position has in common with another of the same heaps. *)
Ltac see_folds :=
  rewrite ?nim_sum_cons, ?nim_sum_of_cons, ?count_cons, ?number_cons, ?largest_cons, ?times_of_largest_cons in *;
  rewrite ?nim_sum_none, ?nim_sum_of_none, ?count_none, ?number_none, ?largest_none in *; unfold only in *.
Ltac forget_folds :=
  repeat match goal with
  | |- context [nim_sum ?s] => is_var s; generalize dependent (nim_sum s); intros
  | |- context [nim_sum_of ?t ?s] => is_var s; generalize dependent (nim_sum_of t s); intros
  | |- context [count ?P ?s] => is_var s; generalize dependent (count P s); intros
  | |- context [number ?s] => is_var s; generalize dependent (number s); intros
  | |- context [largest ?s] => is_var s; generalize dependent (largest s); intros
  | |- context [times_of_largest ?s] => is_var s; generalize dependent (times_of_largest s); intros
  end.
Ltac learn fact :=
  let T := type of fact in
  lazymatch goal with _ : T |- _ => fail | _ => pose proof fact end.
Ltac equate E :=
  lazymatch type of E with
  | ?s ≡ ?t =>
      repeat match goal with
      | |- context [nim_sum _] => learn (nim_sum_same s t E)
      | H : context [nim_sum _] |- _ => learn (nim_sum_same s t E)
      | |- context [nim_sum_of ?f _] => learn (nim_sum_of_same f s t E)
      | H : context [nim_sum_of ?f _] |- _ => learn (nim_sum_of_same f s t E)
      | |- context [count ?P _] => learn (count_same P s t E)
      | H : context [count ?P _] |- _ => learn (count_same P s t E)
      | |- context [number _] => learn (number_same s t E)
      | H : context [number _] |- _ => learn (number_same s t E)
      | |- context [largest _] => learn (largest_same s t E)
      | H : context [largest _] |- _ => learn (largest_same s t E)
      end
  end.
Ltac with_hypotheses := repeat match goal with H : ?T |- _ => lazymatch type of T with Prop => revert H end end.

(* An equation of nim-sums that follows from others bit by bit. *)
Ltac by_bits :=
  lazymatch goal with |- @eq N _ _ => idtac end;
  apply N.bits_inj; intros ?i;
  repeat match goal with
  | H : @eq N ?a ?b |- _ =>
      lazymatch constr:((a, b)) with context [N.lxor] => apply (f_equal (fun n => N.testbit n i)) in H; revert H | _ => clear H end
  end;
  rewrite ?N.lxor_spec, ?N.bits_0;
  repeat match goal with |- context [N.testbit ?a ?i] => destruct (N.testbit a i) end; first [ reflexivity | discriminate ].

(* What is left to show is about numbers; first without what is known of nim-sums of some of the heaps, if it can do
   without. *)
Ltac forget_positions :=
  repeat match goal with
  | H : _ ≡ _ |- _ => clear H
  | H : ~ exists _, _ |- _ => clear H
  | H : forall _ : position, _ |- _ => clear H
  | H : _ ∈ _ |- _ => destruct H as [? _]
  end.
Ltac forget_parts :=
  lazymatch goal with |- context [nim_sum_of] => fail | _ => idtac end;
  repeat match goal with
  | H : _ -> _ |- _ => clear H
  | H : context [nim_sum_of] |- _ => clear H
  end.
Ltac count_heaps :=
  see_folds; repeat match goal with H : context [count] |- _ => revert H end; same_counts; intros;
  with_hypotheses; forget_folds; first [ lia | solve [intros; by_bits] | settle ].
Ltac about_numbers :=
  first [ lia | forget_positions; first [ solve [forget_parts; count_heaps] | count_heaps ] ].

(* What is known of the options in sight. *)
Ltac use_moves :=
  repeat match goal with
  | N : forall t, move ?g ?p ?s t -> _, M : move ?g ?p ?s ?t |- _ => learn (N t M)
  | N : ~ (exists t, move ?g ?p ?s t /\ @?Q t), M : move ?g ?p ?s ?t |- _ =>
      let T := eval cbv beta in (~ Q t) in
      lazymatch goal with
      | _ : T |- _ => fail
      | _ => assert T by exact (fun q => N (ex_intro _ t (conj M q)))
      end
  end.
Ltac open_moves know :=
  repeat match goal with
  | M : move ?g ?p ?s ?t |- _ =>
      let h := fresh "h" in let y := fresh "y" in let R := fresh "R" in
      let E := fresh "E" in let F := fresh "F" in let B := fresh "B" in
      destruct M as (h & y & R & ? & E & F & B & _); know R; equate E; equate F; open_move B
  end.

(* What a heap replaced leaves. *)
Ltac open_replaced know :=
  repeat match goal with
  | I : ?h ∈ ?s, F : ?t ≡ replace ?s ?h ?y |- _ =>
      let R := fresh "R" in let E := fresh "E" in let G := fresh "G" in
      destruct (replaced s h y I) as (R & E & G); rewrite G in F; clear G; destruct I as [? _];
      know R; equate E; equate F
  end.

(* The same where nim-sums of all heaps are enough. *)
Ltac by_nim_sums :=
  use_moves; try solve [ lia ];
  repeat match goal with
  | M : move ?g ?p ?s ?t |- _ =>
      let E := fresh in let F := fresh in let B := fresh in
      destruct M as (? & ? & ? & ? & E & F & B & _); open_move B;
      pose proof (nim_sum_same _ _ E); pose proof (nim_sum_same _ _ F)
  end;
  take_apart;
  repeat match goal with
  | H : _ -> _ |- _ => clear H
  | H : context [nim_sum_of] |- _ => clear H
  end;
  rewrite ?nim_sum_cons in *; note_nim_sums; lia.

(* Conditions under which something is said of options: each is met, or not. *)
Ltac meet_guards :=
  repeat match goal with
  | H : ?A -> ?B |- _ =>
      lazymatch B with context [move] => idtac end;
      let D := fresh in assert (D : A \/ ~ A) by lia; destruct D as [D|D];
      [specialize (H D); take_apart; try (exfalso; lia) | clear H; try (exfalso; lia)]
  end.

(* A claim, part by part.  [know s]: what holds of every position s.  [witness s]: the named moves at s, for an option. *)
Ltac argue_by know witness :=
  intros; cbn [other] in *; take_apart; meet_guards;
  lazymatch goal with
  | |- _ /\ _ => split; argue_by know witness
  | |- ?A \/ ?B =>
      lazymatch constr:((A, B)) with
      | context [move] => first [ solve [left; lia] | solve [right; argue_by know witness] | left; argue_by know witness ]
      | _ => argue_goal know witness
      end
  | |- _ <-> _ => split; argue_by know witness
  | |- ~ _ => intro; argue_by know witness
  | H : ?A \/ ?B |- _ =>
      lazymatch constr:((A, B)) with
      | context [move] => destruct H as [H|H]; try solve [exfalso; lia]; argue_by know witness
      | _ => argue_goal know witness
      end
  | |- _ => argue_goal know witness
  end
with argue_goal know witness :=
  lazymatch goal with
  | |- exists t, move ?g ?p ?s t /\ _ =>
      first
        [ match goal with M : move _ _ s ?t |- _ => exists t; split; [exact M | solve [argue_by know witness]] end
        | open_moves know; solve [witness s; argue_by know witness] ]
  | |- exists h : N, h ∈ ?s /\ _ =>
      open_moves know;
      match goal with
      | E : s ≡ ?h :: ?R |- _ =>
          exists h; split; [rewrite E; apply heap_of_cons; left; split; [assumption | reflexivity] |];
          solve [argue_by know witness]
      end
  | |- ?t ≡ replace ?s ?h ?y =>
      open_moves know;
      match goal with
      | E : s ≡ h :: ?R, F : t ≡ ?x :: ?R |- _ =>
          rewrite (replace_rest s h y R); [replace y with x; [exact F | about_numbers] | assumption | exact E]
      end
  | |- move ?g ?p ?s ?t =>
      first
        [ assumption
        | open_replaced know;
          match goal with
          | E : s ≡ ?h :: ?R, F : t ≡ ?y :: ?R |- _ =>
              exists h, y, R; split; [assumption|]; split; [exact E|]; split; [exact F|]; split; [|discriminate];
              legal; exists (h - y); about_numbers
          end ]
  | |- _ => (* what fails slowly is tried last: lia takes seconds to give up a goal that does not follow *)
      first
        [ solve [ use_moves; open_replaced know; open_moves know; lia ]
        | use_moves; open_replaced know; open_moves know;
          match goal with
          | N : ~ (exists t, move ?g ?p ?s t /\ _) |- _ => exfalso; apply N; clear N; solve [witness s; argue_by know witness]
          end
        | solve [ by_nim_sums ]
        | use_moves; open_replaced know; open_moves know; about_numbers ]
  end.

(* That a difference in a claim is no less than 0: quotients, remainders and products are numbers like others. *)
Ltac no_difference :=
  repeat match goal with
  | |- context [?a mod ?b] => generalize dependent (a mod b); intros
  | |- context [?a / ?b] => generalize dependent (a / b); intros
  end;
  repeat match goal with |- context [?a * ?b] => generalize dependent (a * b); intros end;
  cases; lia.

(* That a claim has a meaning: what it needs is about numbers, under its conditions. *)
Ltac meaningful :=
  lazymatch goal with
  | |- True => exact I
  | |- _ /\ _ => split; meaningful
  | |- ~ _ => first [lia | intro; meaningful]
  | |- forall _, _ => intro; meaningful
  | |- False => lia
  | |- _ <-> _ => first [ reflexivity | lia ]
  | |- largest ?s ∈ ?s => apply largest_there; lia
  | |- _ => first [ assumption | lia | apply N.mod_lt; discriminate | take_apart; cases; lia | no_difference | nia
      | match goal with I : ?h ∈ ?s |- 1 <= number ?s => pose proof (counted (fun _ => true) h s I eq_refl); unfold number; lia end ]
  end.
