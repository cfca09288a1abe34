(* Claims about finitely many cases, decided by computation.  The evaluator decides who wins, and Grundy values; each way to
   decide a condition from its parts is proved right once. *)
From Coq Require Import Lia ZifyBool ZifyN ZifyNat.
From NimChecks Require Export Evaluator.
Open Scope N_scope.

(* ---- Conditions.  What comes second is computed only if the first does not decide. ---- *)
Definition opposite (a : option bool) : option bool := match a with Some b => Some (negb b) | None => None end.
Fixpoint every {A : Type} (p : A -> option bool) (l : list A) : option bool :=
  match l with [] => Some true | x :: l => match p x with Some true => every p l | a => a end end.
Fixpoint any {A : Type} (p : A -> option bool) (l : list A) : option bool :=
  match l with [] => Some false | x :: l => match p x with Some false => any p l | a => a end end.

Lemma decided_true : Decided True (Some true).
Proof. exact I. Qed.
Lemma decided_false : Decided False (Some false).
Proof. intros []. Qed.
Lemma decided_and A B a b : Decided A a -> Decided B b -> Decided (A /\ B) (match a with Some true => b | o => o end).
Proof. destruct a as [[|]|], b as [[|]|]; cbn; tauto. Qed.
Lemma decided_or A B a b : Decided A a -> Decided B b -> Decided (A \/ B) (match a with Some false => b | o => o end).
Proof. destruct a as [[|]|], b as [[|]|]; cbn; tauto. Qed.
Lemma decided_no A a : Decided A a -> Decided (~ A) (opposite a).
Proof. destruct a as [[|]|]; cbn; tauto. Qed.
Lemma decided_then (A B : Prop) a b : Decided A a -> Decided B b -> Decided (A -> B) (match a with Some true => b | o => opposite o end).
Proof. destruct a as [[|]|], b as [[|]|]; cbn; tauto. Qed.
Lemma decided_iff A B a b : Decided A a -> Decided B b -> Decided (A <-> B) (match a with Some true => b | Some false => opposite b | None => None end).
Proof. destruct a as [[|]|], b as [[|]|]; cbn; tauto. Qed.
Lemma decided_eq (a b : N) : Decided (a = b) (Some (a =? b)).
Proof. apply decided_by, N.eqb_eq. Qed.
Lemma decided_le a b : Decided (a <= b) (Some (a <=? b)).
Proof. apply decided_by, N.leb_le. Qed.
Lemma decided_lt a b : Decided (a < b) (Some (a <? b)).
Proof. apply decided_by, N.ltb_lt. Qed.
Lemma decided_rational_le a b : Decided (Qle a b) (Some (Qle_bool a b)).
Proof. apply decided_by, Qle_bool_iff. Qed.
Lemma decided_rational_lt a b : Decided (Qlt a b) (Some (negb (Qle_bool b a))).
Proof.
  apply decided_by. rewrite negb_true_iff, <- not_true_iff_false, Qle_bool_iff.
  split; [apply Qnot_le_lt | apply Qlt_not_le].
Qed.
Lemma decided_rational_eq a b : Decided (Qeq a b) (Some (Qeq_bool a b)).
Proof. apply decided_by, Qeq_bool_iff. Qed.
Lemma decided_same_player p q : Decided (p = q) (Some (same_player p q)).
Proof. apply decided_by. destruct p, q; split; (reflexivity || discriminate). Qed.
Lemma decided_same s t : Decided (s ≡ t) (Some (same_heaps s t)).
Proof. apply decided_by, same_heaps_are. Qed.
Lemma decided_heap h s : Decided (h ∈ s) (Some ((0 <? h) && existsb (N.eqb h) s)).
Proof.
  apply decided_by. unfold heap_of. rewrite andb_true_iff, existsb_exists, N.ltb_lt. split; intros [P I]; split; try exact P.
  - destruct I as (x & I & E). replace h with x by lia. exact I.
  - exists h. split; [exact I | apply N.eqb_refl].
Qed.
Lemma decided_in x l : Decided (In x l) (Some (existsb (N.eqb x) l)).
Proof.
  apply decided_by. rewrite existsb_exists. split; [intros (y & I & E); replace x with y by lia; exact I|].
  intros I. exists x. split; [exact I | apply N.eqb_refl].
Qed.
Lemma decided_in_positions (s : position) l : Decided (In s l) (Some (existsb (equal_lists s) l)).
Proof.
  apply decided_by. rewrite existsb_exists. split; [intros (t & I & E); apply equal_lists_are in E; subst t; exact I|].
  intros I. exists s. split; [exact I | apply equal_lists_are; reflexivity].
Qed.
Lemma decided_all_players (P : player -> Prop) p : (forall q, Decided (P q) (p q)) ->
  Decided (forall q, P q) (every p [First; Second]).
Proof.
  intros D. pose proof (D First) as H. pose proof (D Second) as K. cbn [every].
  destruct (p First) as [[|]|]; cbn in *; [|intros F; exact (H (F First)) | exact I].
  destruct (p Second) as [[|]|]; cbn in *; [intros [|]; assumption | intros F; exact (K (F Second)) | exact I].
Qed.

(* All that may have a property are in a list; all that are not in a list have it. *)
Definition Candidates {A : Type} (P : A -> Prop) (l : list A) : Prop := forall x, P x -> In x l.
Definition Beyond {A : Type} (P : A -> Prop) (l : list A) : Prop := forall x, In x l \/ P x.

Lemma any_in {A} (P : A -> Prop) p l : (forall x, Decided (P x) (p x)) ->
  match any p l with Some true => exists x, P x | Some false => forall x, In x l -> ~ P x | None => True end.
Proof.
  intros D. induction l as [|x l IH]; cbn; [intros x []|]. pose proof (D x) as H.
  destruct (p x) as [[|]|]; cbn in *; [eauto | | exact I]. destruct (any p l) as [[|]|]; try exact IH.
  intros y [<-|J]; [exact H | exact (IH y J)].
Qed.
Lemma every_in {A} (P : A -> Prop) p l : (forall x, Decided (P x) (p x)) ->
  match every p l with Some true => forall x, In x l -> P x | Some false => exists x, ~ P x | None => True end.
Proof.
  intros D. induction l as [|x l IH]; cbn; [intros x []|]. pose proof (D x) as H.
  destruct (p x) as [[|]|]; cbn in *; [| eauto | exact I]. destruct (every p l) as [[|]|]; try exact IH.
  intros y [<-|J]; [exact H | exact (IH y J)].
Qed.
(* If all candidates for an example are listed, they decide whether there is one. *)
Lemma decided_some {A} (P : A -> Prop) p l : Candidates P l -> (forall x, Decided (P x) (p x)) ->
  Decided (exists x, P x) (any p l).
Proof.
  intros C D. pose proof (any_in P p l D) as H. destruct (any p l) as [[|]|]; cbn; try exact H.
  intros (x & Px). exact (H x (C x Px) Px).
Qed.
(* If a proposition holds beyond a list, the list decides whether it holds everywhere. *)
Lemma decided_all {A} (P : A -> Prop) p l : Beyond P l -> (forall x, Decided (P x) (p x)) ->
  Decided (forall x, P x) (every p l).
Proof.
  intros C D. pose proof (every_in P p l D) as H. destruct (every p l) as [[|]|]; cbn; try exact H.
  - intros x. destruct (C x) as [I|Px]; [exact (H x I) | exact Px].
  - intros F. destruct H as (x & N). exact (N (F x)).
Qed.

(* The same of positions, of which those with the same heaps count as one. *)
Definition Fair (P : position -> Prop) : Prop := forall s t, s ≡ t -> P s <-> P t.
Definition Positions (P : position -> Prop) (l : list position) : Prop := forall s, P s -> exists t, In t l /\ s ≡ t.
Definition PositionsBeyond (P : position -> Prop) (l : list position) : Prop := forall s, (exists t, In t l /\ s ≡ t) \/ P s.
Lemma decided_some_position P p l : Fair P -> Positions P l -> (forall s, Decided (P s) (p s)) ->
  Decided (exists s, P s) (any p l).
Proof.
  intros F C D. pose proof (any_in P p l D) as H. destruct (any p l) as [[|]|]; cbn; try exact H.
  intros (s & Ps). destruct (C s Ps) as (t & I & E). apply (H t I), (F s t E), Ps.
Qed.
Lemma decided_all_positions P p l : Fair P -> PositionsBeyond P l -> (forall s, Decided (P s) (p s)) ->
  Decided (forall s, P s) (every p l).
Proof.
  intros F C D. pose proof (every_in P p l D) as H. destruct (every p l) as [[|]|]; cbn; try exact H.
  - intros s. destruct (C s) as [(t & I & E)|Ps]; [apply (F s t E), (H t I) | exact Ps].
  - intros A. destruct H as (s & N). exact (N (A s)).
Qed.
(* An example among any elements shows that there is one; a counterexample, that a proposition does not hold everywhere. *)
Fixpoint occurs_in {A : Type} (b : bool) (p : A -> option bool) (l : list A) : bool :=
  match l with
  | [] => false
  | x :: l => match p x with Some c => if Bool.eqb c b then true else occurs_in b p l | None => occurs_in b p l end
  end.
Lemma occurs_once {A} b (p : A -> option bool) l : occurs_in b p l = true -> exists x, p x = Some b.
Proof.
  induction l as [|x l IH]; cbn; [discriminate|]. destruct (p x) as [c|] eqn:E; [|exact IH].
  destruct (Bool.eqb c b) eqn:F; [|exact IH]. intros _. exists x. rewrite E. f_equal. apply Bool.eqb_prop, F.
Qed.
Lemma decided_some_among {A} (P : A -> Prop) p l : (forall x, Decided (P x) (p x)) ->
  Decided (exists x, P x) (if occurs_in true p l then Some true else None).
Proof.
  intros D. destruct (occurs_in true p l) eqn:E; [|exact I]. apply occurs_once in E. destruct E as (x & E).
  exists x. specialize (D x). rewrite E in D. exact D.
Qed.
Lemma decided_all_among {A} (P : A -> Prop) p l : (forall x, Decided (P x) (p x)) ->
  Decided (forall x, P x) (if occurs_in false p l then Some false else None).
Proof.
  intros D. destruct (occurs_in false p l) eqn:E; [|exact I]. apply occurs_once in E. destruct E as (x & E).
  intros H. specialize (D x). rewrite E in D. exact (D (H x)).
Qed.
(* A proposition is false if one of several decisions says so. *)
Lemma refuted_by (P : Prop) (d : N -> option bool) l : (forall n, Decided P (d n)) -> occurs_in false d l = true -> ~ P.
Proof. intros D E. apply occurs_once in E. destruct E as (n & E). specialize (D n). rewrite E in D. exact D. Qed.
Fixpoint positions_of (heaps : nat) (sizes : list N) : list position :=
  match heaps with
  | O => [[]]
  | S n => (fix each sizes := match sizes with [] => [] | h :: r => map (cons h) (positions_of n sizes) ++ each r end) sizes
  end.
(* All positions of fewest to most heaps, each from low to high. *)
Definition positions_within (fewest most low high : N) : list position :=
  flat_map (fun n => positions_of n (map N.of_nat (seq (N.to_nat low) (N.to_nat (high + 1 - low)))))
    (seq (N.to_nat fewest) (N.to_nat (most + 1 - fewest))).
Lemma covered_or_not l s : (exists t, In t l /\ s ≡ t) \/ ~ (exists t : position, In t l /\ s ≡ t).
Proof.
  destruct (existsb (same_heaps s) l) eqn:E; [left | right].
  - apply existsb_exists in E. destruct E as (t & I & E). exists t. split; [exact I | apply same_heaps_are, E].
  - intros (t & I & F). apply same_heaps_are in F. assert (G : existsb (same_heaps s) l = true) by (apply existsb_exists; eauto). congruence.
Qed.
Lemma positions_of_game g list_of p s : (forall p h, Listed (becomes g p h) (list_of p h)) ->
  Positions (move g p s) (left_in_game g list_of p s).
Proof. intros L t M. apply (left_in_game_are g list_of L), M. Qed.
Lemma positions_of_splitting g list_of p s : (forall p h, Listed (parts g p h) (list_of p h)) ->
  Positions (split_move g p s) (left_by_split list_of p s).
Proof. intros L t M. apply (left_by_split_are g list_of L), M. Qed.
Lemma positions_of_rules g lists p s : Forall2 ListedKind (all_kinds g) lists ->
  Positions (step g p s) (left_by_rules g lists p s).
Proof. intros L t M. apply (left_by_rules_are g lists L), M. Qed.
Lemma positions_same s : Positions (fun t => t ≡ s) [s].
Proof. intros t E. exists s. split; [left; reflexivity | exact E]. Qed.
Lemma positions_in l : Positions (fun t => In t l) l.
Proof. intros t I. exists t. split; [exact I | reflexivity]. Qed.
Lemma positions_and_first A B l : Positions A l -> Positions (fun t => A t /\ B t) l.
Proof. intros C t [H _]. exact (C t H). Qed.
Lemma positions_and_then A B l : Positions B l -> Positions (fun t => A t /\ B t) l.
Proof. intros C t [_ H]. exact (C t H). Qed.
Lemma positions_or A B l k : Positions A l -> Positions B k -> Positions (fun t => A t \/ B t) (l ++ k).
Proof. intros C D t [H|H]; [destruct (C t H) as (u & I & E) | destruct (D t H) as (u & I & E)]; exists u; rewrite in_app_iff; auto. Qed.
Lemma beyond_then_positions (A B : position -> Prop) l : Positions A l -> PositionsBeyond (fun t => A t -> B t) l.
Proof. intros C t. destruct (covered_or_not l t) as [|N]; [left; assumption | right]. intros H. destruct (N (C t H)). Qed.
Lemma beyond_not_positions A l : Positions A l -> PositionsBeyond (fun t => ~ A t) l.
Proof. intros C t. destruct (covered_or_not l t) as [|N]; [left; assumption | right]. intros H. exact (N (C t H)). Qed.
Lemma beyond_iff_positions A B l k : Positions A l -> Positions B k -> PositionsBeyond (fun t => A t <-> B t) (l ++ k).
Proof.
  intros C D t. destruct (covered_or_not (l ++ k) t) as [|N]; [left; assumption | right]. split; intros H; destruct N.
  - destruct (C t H) as (u & I & E). exists u. rewrite in_app_iff. auto.
  - destruct (D t H) as (u & I & E). exists u. rewrite in_app_iff. auto.
Qed.

Lemma beyond_then {A} (P Q : A -> Prop) (equal : A -> A -> bool) l : (forall x y, equal x y = true <-> x = y) ->
  Candidates P l -> Beyond (fun x => P x -> Q x) l.
Proof.
  intros E C x. destruct (existsb (equal x) l) eqn:F; [left | right].
  - apply existsb_exists in F. destruct F as (y & I & F). apply E in F. subst y. exact I.
  - intros H. assert (G : existsb (equal x) l = true) by (apply existsb_exists; exists x; split; [exact (C x H) | apply E; reflexivity]). congruence.
Qed.
Lemma beyond_numbers (P Q : N -> Prop) l : Candidates P l -> Beyond (fun x => P x -> Q x) l.
Proof. apply (beyond_then P Q N.eqb), N.eqb_eq. Qed.
Lemma beyond_later (P : N -> Prop) (Q : N -> Prop) l : Beyond Q l -> Beyond (fun x => P x -> Q x) l.
Proof. intros C x. destruct (C x); auto. Qed.
Lemma beyond_all {B} (P : B -> N -> Prop) l : (forall y, Beyond (P y) l) -> Beyond (fun x => forall y, P y x) l.
Proof. intros C x. destruct (in_dec N.eq_dec x l) as [|N]; [left; assumption | right]. intros y. destruct (C y x); tauto. Qed.

(* Candidates, by the form of a condition. *)
Definition numbers_to (n : N) : list N := map N.of_nat (seq 0 (S (N.to_nat n))).
Lemma candidates_to n : Candidates (fun x => x <= n) (numbers_to n).
Proof. intros x L. apply in_map_iff. exists (N.to_nat x). rewrite in_seq. lia. Qed.
Lemma candidates_lt (a : N -> N) n l : Candidates (fun x => a x <= n) l -> Candidates (fun x => a x < n) l.
Proof. intros C x L. apply C. lia. Qed.
Lemma candidates_eq_le (a : N -> N) n l : Candidates (fun x => a x <= n) l -> Candidates (fun x => a x = n) l.
Proof. intros C x L. apply C. lia. Qed.
Lemma candidates_le_first (a b : N -> N) n l : Candidates (fun x => a x <= n) l -> Candidates (fun x => a x + b x <= n) l.
Proof. intros C x L. apply C. lia. Qed.
Lemma candidates_le_second (a b : N -> N) n l : Candidates (fun x => b x <= n) l -> Candidates (fun x => a x + b x <= n) l.
Proof. intros C x L. apply C. lia. Qed.
Lemma candidates_le_times (a : N -> N) k n l :
  Candidates (fun x => a x <= n / N.pos k) l -> Candidates (fun x => N.pos k * a x <= n) l.
Proof. intros C x L. apply C, N.div_le_lower_bound; [discriminate | exact L]. Qed.
Lemma candidates_is {A} (y : A) : Candidates (fun x => x = y) [y].
Proof. intros x ->. left. reflexivity. Qed.
Lemma candidates_eq_first (a : N -> N) b n l : Candidates (fun x => a x = n - b) l -> Candidates (fun x => a x + b = n) l.
Proof. intros C x L. apply C. lia. Qed.
Lemma candidates_eq_second (a : N -> N) b n l : Candidates (fun x => a x = n - b) l -> Candidates (fun x => b + a x = n) l.
Proof. intros C x L. apply C. lia. Qed.
Lemma candidates_heap s : Candidates (fun h => h ∈ s) s.
Proof. intros h [_ I]. exact I. Qed.
Lemma candidates_in {A} (l : list A) : Candidates (fun x => In x l) l.
Proof. intros x I. exact I. Qed.
Lemma candidates_and_first {A} (P Q : A -> Prop) l : Candidates P l -> Candidates (fun x => P x /\ Q x) l.
Proof. intros C x [H _]. exact (C x H). Qed.
Lemma candidates_and_then {A} (P Q : A -> Prop) l : Candidates Q l -> Candidates (fun x => P x /\ Q x) l.
Proof. intros C x [_ H]. exact (C x H). Qed.
Lemma candidates_or {A} (P Q : A -> Prop) l k : Candidates P l -> Candidates Q k -> Candidates (fun x => P x \/ Q x) (l ++ k).
Proof. intros C D x H. apply in_app_iff. destruct H; auto. Qed.
Lemma candidates_some {A B} (P : B -> A -> Prop) l : (forall y, Candidates (P y) l) -> Candidates (fun x => exists y, P y x) l.
Proof. intros C x (y & H). exact (C y x H). Qed.

Lemma listed_or {A} (P Q : A -> Prop) l k : Listed P l -> Listed Q k -> Listed (fun x => P x \/ Q x) (l ++ k).
Proof. intros C D x. rewrite in_app_iff, (C x), (D x). reflexivity. Qed.
Lemma listed_some {A B} (P : B -> A -> Prop) l k : (forall x, Candidates (fun y => P y x) l) -> (forall y, Listed (P y) (k y)) ->
  Listed (fun x => exists y, P y x) (flat_map k l).
Proof.
  intros C D x. rewrite in_flat_map. split; [intros (y & _ & I); exists y; apply D, I|].
  intros (y & H). exists y. split; [exact (C x y H) | apply D, H].
Qed.
(* Conditions about numbers, always decided. *)
Definition Tested (P : Prop) (b : bool) : Prop := b = true <-> P.
Lemma tested_true : Tested True true.
Proof. split; auto. Qed.
Lemma tested_false : Tested False false.
Proof. split; [discriminate | intros []]. Qed.
Lemma tested_and A B a b : Tested A a -> Tested B b -> Tested (A /\ B) (a && b).
Proof. unfold Tested. destruct a, b; cbn; intuition congruence. Qed.
Lemma tested_or A B a b : Tested A a -> Tested B b -> Tested (A \/ B) (a || b).
Proof. unfold Tested. destruct a, b; cbn; intuition congruence. Qed.
Lemma tested_no A a : Tested A a -> Tested (~ A) (negb a).
Proof. unfold Tested. destruct a; cbn; intuition congruence. Qed.
Lemma tested_then (A B : Prop) a b : Tested A a -> Tested B b -> Tested (A -> B) (negb a || b).
Proof. unfold Tested. destruct a, b; cbn; intuition congruence. Qed.
Lemma tested_iff A B a b : Tested A a -> Tested B b -> Tested (A <-> B) (Bool.eqb a b).
Proof. unfold Tested. destruct a, b; cbn; intuition congruence. Qed.
Lemma tested_eq a b : Tested (a = b) (a =? b).
Proof. apply N.eqb_eq. Qed.
Lemma tested_le a b : Tested (a <= b) (a <=? b).
Proof. apply N.leb_le. Qed.
Lemma tested_lt a b : Tested (a < b) (a <? b).
Proof. apply N.ltb_lt. Qed.
Lemma tested_player p q : Tested (p = q) (same_player p q).
Proof. destruct p, q; split; (reflexivity || discriminate). Qed.
Lemma tested_list (s t : list N) : Tested (s = t) (equal_lists s t).
Proof. apply equal_lists_are. Qed.
Lemma listed_by {A} (P : A -> Prop) l p : Candidates P l -> (forall x, Tested (P x) (p x)) -> Listed P (filter p l).
Proof.
  intros C D x. pose proof (D x) as T. unfold Tested in T. rewrite filter_In, T. split; [tauto|]. intros H. split; [exact (C x H) | exact H].
Qed.

(* ---- The decision is found by the form of a proposition: no tactic looks at a claim in particular.  Then it is computed. ---- *)
(* A test for a condition on numbers; the elements for which it can hold, first by an equation, else by a bound. *)
Ltac test := intros; cbv beta; lazymatch goal with
  | |- Tested True _ => exact tested_true
  | |- Tested False _ => exact tested_false
  | |- Tested (_ /\ _) _ => eapply tested_and; test
  | |- Tested (_ \/ _) _ => eapply tested_or; test
  | |- Tested (~ _) _ => eapply tested_no; test
  | |- Tested (_ <-> _) _ => eapply tested_iff; test
  | |- Tested (@eq N _ _) _ => apply tested_eq
  | |- Tested (@eq player _ _) _ => apply tested_player
  | |- Tested (@eq _ _ _) _ => apply tested_list
  | |- Tested (_ <= _) _ => apply tested_le
  | |- Tested (_ < _) _ => apply tested_lt
  | |- Tested (_ -> _) _ => eapply tested_then; test
  end.
Ltac candidates_by_equation := intros; cbv beta; lazymatch goal with
  | |- Candidates (fun x => _ /\ _) _ =>
      first [ eapply candidates_and_first; solve [candidates_by_equation] | eapply candidates_and_then; solve [candidates_by_equation] ]
  | |- Candidates (fun x => _ \/ _) _ => eapply candidates_or; candidates_by_equation
  | |- Candidates (fun x => exists y, _) _ => eapply candidates_some; candidates_by_equation
  | |- Candidates (fun x => x = _) _ => apply candidates_is
  | |- Candidates (fun x => @eq N _ _) _ =>
      first [ eapply candidates_eq_first; solve [candidates_by_equation] | eapply candidates_eq_second; solve [candidates_by_equation] ]
  | |- Candidates (fun h => h ∈ _) _ => apply candidates_heap
  | |- Candidates (fun x => In x _) _ => apply candidates_in
  end.
Ltac candidates_by_bound := intros; cbv beta; lazymatch goal with
  | |- Candidates (fun x => _ /\ _) _ =>
      first [ eapply candidates_and_first; solve [candidates_by_bound] | eapply candidates_and_then; solve [candidates_by_bound] ]
  | |- Candidates (fun x => exists y, _) _ => eapply candidates_some; candidates_by_bound
  | |- Candidates (fun x => x <= _) _ => apply candidates_to
  | |- Candidates (fun x => N.pos _ * _ <= _) _ => eapply candidates_le_times; candidates_by_bound
  | |- Candidates (fun x => _ + _ <= _) _ =>
      first [ eapply candidates_le_first; solve [candidates_by_bound] | eapply candidates_le_second; solve [candidates_by_bound] ]
  | |- Candidates (fun x => _ < _) _ => eapply candidates_lt; candidates_by_bound
  | |- Candidates (fun x => @eq N _ _) _ => eapply candidates_eq_le; candidates_by_bound
  end.
Ltac candidates := first [ solve [candidates_by_equation] | candidates_by_bound ].
Ltac list_all := intros; cbv beta; lazymatch goal with
  | |- Listed (fun x => _ \/ _) _ => eapply listed_or; list_all
  | |- Listed (fun x => exists y, _) _ => eapply listed_some; [candidates | list_all]
  | |- _ => eapply listed_by; [candidates | test]
  end.
(* The moves of a game, by its definition. *)
Ltac list_moves := intros; lazymatch goal with
  |- Listed ?P _ => let Q := eval hnf in P in change P with Q end; list_all.

Ltac list_kind :=
  lazymatch goal with
  | |- ListedKind (on_one _) _ => eapply listed_on_one
  | |- ListedKind (on_two _) _ => eapply listed_on_two
  | |- ListedKind (on_each _ _) _ => eapply listed_on_each
  end; [list_all | fair_moves]
with fair_moves := intros; first [assumption | match goal with E : _ ≡ _, H : _ |- _ => rewrite E in H; exact H end].
Ltac list_kinds :=
  lazymatch goal with |- Forall2 _ ?ks _ => let k := eval hnf in ks in change ks with k end;
  lazymatch goal with
  | |- Forall2 _ [] _ => constructor
  | |- Forall2 _ (_ :: _) _ => constructor; [list_kind | list_kinds]
  | |- Forall2 _ (map (on_each _) _) _ => eapply listed_each_number; [list_all | fair_moves]
  end.

(* The positions for which a condition can hold. *)
Ltac fair := intros ?s ?t ?E; cbv beta; try rewrite E; try setoid_rewrite E; reflexivity.
Ltac positions := intros; cbv beta; lazymatch goal with
  | |- Positions (fun t => _ /\ _) _ =>
      first [ eapply positions_and_first; solve [positions] | eapply positions_and_then; solve [positions] ]
  | |- Positions (fun t => _ \/ _) _ => eapply positions_or; positions
  | |- Positions (move _ _ _) _ => eapply positions_of_game; list_moves
  | |- Positions (split_move _ _ _) _ => eapply positions_of_splitting; list_moves
  | |- Positions (step _ _ _) _ => eapply positions_of_rules; list_kinds
  | |- Positions (fun t => t ≡ _) _ => apply positions_same
  | |- Positions (fun t => In t _) _ => apply positions_in
  end.
Ltac beyond_positions := cbv beta; lazymatch goal with
  | |- PositionsBeyond (fun t => ~ _) _ => eapply beyond_not_positions; positions
  | |- PositionsBeyond (fun t => _ <-> _) _ => eapply beyond_iff_positions; positions
  | |- PositionsBeyond (fun t => _ -> _) _ => eapply beyond_then_positions; positions
  end.
Ltac beyond := intros; cbv beta; lazymatch goal with
  | |- Beyond (fun x => forall y : @?A x, _) _ => lazymatch type of A with
      | _ -> Prop => first [ eapply beyond_numbers; solve [candidates] | eapply beyond_later; solve [beyond] ]
      | _ => eapply beyond_all; beyond
      end
  end.

Ltac impartial := constructor; [intros p h y; smaller | reflexivity | reflexivity | intros p h y B; destruct p; split; exact B].
Ltac fewer := intros p h o P B; hnf in B; take_apart; subst; cbn [total]; cases; lia.
(* Grundy values of the games in sight, once for all cases. *)
Ltac find_values size := repeat match goal with
  | |- Decided ?P _ => match P with
      | context [values ?g _] => lazymatch goal with
          | _ : values g _ |- _ => fail
          | _ => eapply (decided_by_values g) with (bound := size); [impartial | list_moves | intros]
          end
      | context [split_values ?g _] => lazymatch goal with
          | _ : split_values g _ |- _ => fail
          | _ => eapply (decided_by_split_values g) with (bound := size); [intros [|]; reflexivity | fewer | list_moves | intros]
          end
      end
  end.
Ltac use_values := repeat match goal with E : forall s, ?f s = _ |- context [?f _] => rewrite E end.
Ltac find_decision size among numbers := intros; cbv beta; find_values size;
  lazymatch goal with
  | |- Decided True _ => exact decided_true
  | |- Decided False _ => exact decided_false
  | |- Decided (_ /\ _) _ => eapply decided_and; find_decision size among numbers
  | |- Decided (_ \/ _) _ => eapply decided_or; find_decision size among numbers
  | |- Decided (~ _) _ => eapply decided_no; find_decision size among numbers
  | |- Decided (_ <-> _) _ => eapply decided_iff; find_decision size among numbers
  | |- Decided (@eq N _ _) _ => use_values; apply decided_eq
  | |- Decided (Qle _ _) _ => apply decided_rational_le
  | |- Decided (Qlt _ _) _ => apply decided_rational_lt
  | |- Decided (Qeq _ _) _ => apply decided_rational_eq
  | |- Decided (@eq player _ _) _ => apply decided_same_player
  | |- Decided (_ <= _) _ => use_values; apply decided_le
  | |- Decided (_ < _) _ => use_values; apply decided_lt
  | |- Decided (_ ≡ _) _ => apply decided_same
  | |- Decided (_ ∈ _) _ => apply decided_heap
  | |- Decided (@In position _ _) _ => apply decided_in_positions
  | |- Decided (In _ _) _ => apply decided_in
  | |- Decided (move _ _ _ _) _ => eapply decided_move; list_moves
  | |- Decided (split_move _ _ _ _) _ => eapply decided_split_move; list_moves
  | |- Decided (wins _ _ _) _ => eapply decided_wins; list_moves
  | |- Decided (split_wins _ _ _) _ => eapply decided_split_wins; list_moves
  | |- Decided (step _ _ _ _) _ => eapply decided_step; list_kinds
  | |- Decided (rules_wins _ _ _) _ => eapply decided_rules_wins; list_kinds
  | |- Decided (exists v, winner _ _ _ v /\ _) _ => eapply decided_winner; [list_moves | find_decision size among numbers]
  | V : values ?g ?k |- Decided (exists f, values ?g f /\ _) _ => eapply (decided_values g k); [impartial | exact V | find_decision size among numbers]
  | V : split_values ?g ?k |- Decided (exists f, split_values ?g f /\ _) _ => eapply (decided_split_values g k); [fewer | exact V | find_decision size among numbers]
  | |- Decided (exists x : N, _) _ =>
      first [ eapply decided_some; [solve [candidates] | find_decision size among numbers]
            | eapply (decided_some_among _ _ numbers); find_decision size among numbers ]
  | |- Decided (exists s : position, _) _ =>
      first [ eapply decided_some_position; [ | solve [positions] | ]; [fair | find_decision size among numbers]
            | eapply (decided_some_among _ _ among); find_decision size among numbers ]
  | |- Decided (forall x : ?A, _) _ => lazymatch type of A with
      | Prop => eapply decided_then; find_decision size among numbers
      | _ => lazymatch A with
          | N => first [ eapply decided_all; [solve [beyond] | find_decision size among numbers]
                       | eapply (decided_all_among _ _ numbers); find_decision size among numbers ]
          | position =>
              first [ eapply decided_all_positions; [ | solve [beyond_positions] | ];
                      [fair | find_decision size among numbers]
                    | eapply (decided_all_among _ _ among); find_decision size among numbers ]
          | player => eapply decided_all_players; find_decision size among numbers
          end
      end
  end.
(* The claim, by computation.  [size]: Grundy values of heaps below it are computed in a table.  [among], [numbers]: the
   positions and the numbers among which examples are sought. *)
Ltac compute_among size among numbers :=
  eapply decided_so; [find_decision size among numbers | vm_cast_no_check (eq_refl (Some true))].
Ltac compute_claim size := compute_among size (@nil position) (@nil N).
(* A counterexample refutes the claim: numbers up to each of the bounds in turn, and positions of so many heaps up to it. *)
Ltac refute_claim size fewest most bounds :=
  let n := fresh "n" in
  eapply (refuted_by _ _ bounds);
  [intros n; find_decision size (positions_within fewest most 1 n) (numbers_to n) | vm_cast_no_check (eq_refl true)].
(* What a claim may need of the heaps of a position: a heap that is there, and a largest one. *)
Lemma number_of_heap h s : h ∈ s -> 0 < number s.
Proof. intros I. exact (counted (fun _ => true) h s I eq_refl). Qed.
Lemma largest_of_some s : 0 < number s -> largest s ∈ s.
Proof. intros P. apply some_counted in P. destruct P as (h & I & _). apply some_largest. exists h. exact I. Qed.
Ltac about_heaps :=
  intros; take_apart;
  repeat match goal with H : ?h ∈ ?s |- _ => learn (number_of_heap h s H); learn (heaps_below_largest s h H) end;
  first [assumption | lia | apply largest_of_some; lia].
(* That the claim has a meaning: part by part, for all numbers, or by computation. *)
Ltac meaningful_by_computation size :=
  lazymatch goal with
  | |- _ /\ _ => split; meaningful_by_computation size
  | |- _ => first [ solve [meaningful] | intros; reflexivity | solve [about_heaps] | compute_claim size ]
  end.
