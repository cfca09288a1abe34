(* Claims about the values for n players of a position, and of the positions in which a largest heap of it is replaced: as
   forms (Ahead.v) about the shapes of these positions. *)
From Coq Require Import ZArith Lia ZifyBool.
From NimChecks Require Export Ahead Least Language.
From NimChecks Require Import Sequents.
Import ListNotations.
Open Scope Z_scope.

Ltac branches := repeat match goal with |- context [if ?c then _ else _] =>
  lazymatch c with context [if _ then _ else _] => fail | _ => destruct c eqn:?; try (exfalso; lia) end end.

(* A position is a largest heap h, which is 0 if there is none, and the rest R. *)
Lemma divided s : exists h R, s ≡ h :: R /\ largest s = h /\ (largest R <= h)%N /\
  (h = 0%N /\ number (h :: R) = 0%N \/ (0 < h)%N /\ number (h :: R) = (1 + number R)%N).
Proof.
  destruct (some_heap_or_none s) as [Some|None].
  - pose proof (some_largest s Some) as I. destruct (split_heap _ s I) as (R & E). exists (largest s), R.
    split; [exact E|]. split; [reflexivity|]. destruct I as [P _]. rewrite number_cons. split; [|right; branches; lia].
    pose proof (largest_cons (largest s) R) as C. rewrite <- E in C. lia.
  - pose proof (nothing s None) as E. exists 0%N, []. split; [rewrite E; apply same_zero|].
    split; [rewrite E; reflexivity|]. split; [reflexivity | left; split; reflexivity].
Qed.

(* The shape of a heap, or of none where it is 0, beside others of the shape a, b, c, d: the number of heaps, the least
   heap, how often it occurs, and the largest heap. *)
Definition fShape (x : positive) (y a b c d : num) (f : form) : form :=
  fLet x (nAdd (nPick (cLt (nLit 0) y) (nLit 1) (nLit 0)) a)
  (fLet (Pos.succ x) (nPick (cEq y (nLit 0)) b (nPick (cEq b (nLit 0)) y (nMin y b)))
  (fLet (Pos.succ (Pos.succ x)) (nPick (cEq y (nLit 0)) c (nPick (cEq b (nLit 0)) (nLit 1) (nPick (cLt y b) (nLit 1)
    (nPick (cEq y b) (nAdd c (nLit 1)) c))))
  (fLet (Pos.succ (Pos.succ (Pos.succ x))) (nMax y d) f))).

Lemma let_is e x z a (k : N) (P : Prop) :
  Z.max 0 (val e z) = Z.of_N k -> (P <-> means (assign e x (Z.of_N k)) a) -> (P <-> means e (fLet x z a)).
Proof. intros V. cbn [means]. rewrite V. auto. Qed.
Lemma val_lit e z : val e (nLit z) = z.
Proof. reflexivity. Qed.
Lemma val_add e a b : val e (nAdd a b) = val e a + val e b.
Proof. reflexivity. Qed.
Lemma val_min e a b : val e (nMin a b) = Z.min (val e a) (val e b).
Proof. reflexivity. Qed.
Lemma val_max e a b : val e (nMax a b) = Z.max (val e a) (val e b).
Proof. reflexivity. Qed.
Lemma val_pick e c a b : val e (nPick c a b) = if tru e c then val e a else val e b.
Proof. reflexivity. Qed.
Lemma tru_less e a b : tru e (cLt a b) = (val e a <? val e b).
Proof. reflexivity. Qed.
Lemma tru_equal e a b : tru e (cEq a b) = (val e a =? val e b).
Proof. reflexivity. Qed.
Lemma shape_is e x y a b c d f Y R (P : Prop) :
  let e1 := assign e x (Z.of_N (number (Y :: R))) in
  let e2 := assign e1 (Pos.succ x) (Z.of_N (least (Y :: R))) in
  let e3 := assign e2 (Pos.succ (Pos.succ x)) (Z.of_N (times (Y :: R))) in
  let e4 := assign e3 (Pos.succ (Pos.succ (Pos.succ x))) (Z.of_N (largest (Y :: R))) in
  [val e y; val e1 y; val e2 y; val e3 y] = repeat (Z.of_N Y) 4 ->
  [val e a; val e1 b; val e2 b; val e2 c; val e3 d] = map Z.of_N [number R; least R; least R; times R; largest R] ->
  (P <-> means e4 f) -> (P <-> means e (fShape x y a b c d f)).
Proof.
  cbn [repeat map]. intros Ys Rs H. injection Ys as Y0 Y1 Y2 Y3. injection Rs as A B0 B C D. unfold fShape.
  apply let_is with (number (Y :: R)); [|apply let_is with (least (Y :: R)); [|apply let_is with (times (Y :: R));
    [|apply let_is with (largest (Y :: R)); [|exact H]]]]; rewrite ?val_add, ?val_max, ?val_pick, ?tru_less, ?tru_equal, ?val_lit, ?val_min, ?val_add, ?val_lit; rewrite ?Y0, ?Y1, ?Y2, ?Y3, ?A, ?B0, ?B, ?C, ?D;
    rewrite ?number_cons, ?least_beside, ?times_beside, ?largest_cons; branches; lia.
Qed.
Lemma every_number (P : N -> Prop) (Q : Z -> Prop) most : (forall z, Q z \/ ~ Q z) -> (forall y, most < Z.of_N y -> P y) ->
  (forall y, Z.of_N y <= most -> (P y <-> Q (Z.of_N y))) -> (forall y, P y) <-> ~ (exists z, (0 <= z /\ z <= most) /\ ~ Q z).
Proof.
  intros D Over E. split.
  - intros All (z & L & N). apply N. rewrite <- (Z2N.id z) by lia. apply E; [lia | apply All].
  - intros None y. destruct (Z_lt_le_dec most (Z.of_N y)) as [L|L]; [exact (Over y L)|]. apply E; [exact L|].
    destruct (D (Z.of_N y)) as [H|N]; [exact H|]. destruct None. exists (Z.of_N y). split; [lia | exact N].
Qed.
Definition fCopies (x : positive) (c k : num) (f : form) : form :=
  fLet x k (fLet (Pos.succ x) (nPick (cLt (nLit 0) (nVar x)) c (nLit 0))
  (fLet (Pos.succ (Pos.succ x)) (nVar x) (fLet (Pos.succ (Pos.succ (Pos.succ x))) (nVar (Pos.succ x)) f))).
Lemma assigned e x z : val (assign e x z) (nVar x) = z.
Proof. cbn. rewrite Pos.eqb_refl. reflexivity. Qed.
Lemma assigned_before e x y z : x <> y -> val (assign e y z) (nVar x) = val e (nVar x).
Proof. intros N. cbn. destruct (Pos.eqb_spec x y); [contradiction | reflexivity]. Qed.
Lemma copies_shape_is e x c k f (C K : N) (P : Prop) : (0 < C)%N -> let t := map (fun _ : N => C) (Language.range 0%N K) in
  let e1 := assign e x (Z.of_N (number t)) in
  let e2 := assign e1 (Pos.succ x) (Z.of_N (least t)) in
  let e3 := assign e2 (Pos.succ (Pos.succ x)) (Z.of_N (times t)) in
  let e4 := assign e3 (Pos.succ (Pos.succ (Pos.succ x))) (Z.of_N (largest t)) in
  Z.max 0 (val e k) = Z.of_N K -> val e1 c = Z.of_N C -> (P <-> means e4 f) -> (P <-> means e (fCopies x c k f)).
Proof.
  intros Pos t e1 e2 e3 e4 EK EC H. destruct (copies_shape C K Pos) as (A & B & T & D). fold t in A, B, T, D. unfold fCopies.
  apply let_is with (number t); [rewrite EK, A; reflexivity|].
  apply let_is with (least t); [fold e1; rewrite val_pick, tru_less, val_lit, EC; unfold e1 at 1; rewrite assigned, A, B; branches; lia|].
  apply let_is with (times t); [fold e1; fold e2; unfold e2; rewrite assigned_before by lia; unfold e1; rewrite assigned, A, T; lia|].
  apply let_is with (largest t); [|exact H].
  fold e1; fold e2; fold e3; unfold e3; rewrite assigned_before by lia; unfold e2; rewrite assigned, B, D; lia.
Qed.
(* The options of s, all of which replace a largest heap h. *)
Lemma options_are g s h R U : of_largest g = true -> s ≡ h :: R -> largest s = h -> (0 < h)%N ->
  (forall t, move g First s t <-> t ≡ U) <->
  (forall y, becomes g First h y -> y :: R ≡ U) /\ (exists y, becomes g First h y /\ y :: R ≡ U).
Proof.
  intros Lg E L P.
  assert (Top : (largest R <= h)%N) by (pose proof (largest_cons h R) as C; rewrite <- E in C; lia).
  assert (M : forall y, becomes g First h y -> move g First s (y :: R)) by (intros y B; apply (move_to g First s h y R P E B); auto).
  split.
  - intros All. split; [intros y B; apply All, M, B|]. destruct (proj2 (All U) (reflexivity U)) as (h' & y & R' & P' & S & T & B & A).
    specialize (A Lg). pose proof (largest_cons h' R') as C. rewrite <- S in C. assert (h' = h) by lia. subst h'.
    exists y. split; [exact B|]. rewrite T, (same_rest h R R' P); [reflexivity|]. rewrite <- E. exact S.
  - intros [All (y & B & Y)] t. split.
    + intros (h' & z & R' & P' & S & T & B' & A). specialize (A Lg). pose proof (largest_cons h' R') as C. rewrite <- S in C.
      assert (h' = h) by lia. subst h'. rewrite T, <- (All z B'), (same_rest h R R' P); [reflexivity|]. rewrite <- E. exact S.
    + intros T. rewrite T, <- Y. apply M, B.
Qed.

(* From a claim about the values of s, which is h and R, and of replace s h y, to its form.  [known]: the values; [formula]
   is their formula. *)
Ltac numbers_only := cbv [means says tru val assign int bool_of of_naturals among Pos.ltb Pos.compare Pos.compare_cont Pos.eqb
  nth map Pos.to_nat Pos.iter_op Init.Nat.add Init.Nat.sub Pos.succ negb andb orb].
(* What a legal move picks, and leaves, is at most the heap. *)
Ltac bounded := intros; cbv beta in *;
  repeat match goal with H : _ /\ _ |- _ => destruct H | H : exists _, _ |- _ => destruct H | B : becomes _ _ _ _ |- _ => hnf in B end;
  lia.
Ltac of_region R := rewrite ?number_cons, ?least_beside, ?times_beside, ?largest_cons in *; cases; repeat split; lia.
Ltac of_copies c k := destruct (copies_shape c k ltac:(lia)) as (?A & ?B & ?T & ?D);
  repeat match goal with H : _ (map _ _) = _ |- _ => rewrite H; clear H end; branches; repeat split; lia.
(* [see]: unfolds the region and the formula. *)
Ltac as_values known smaller formula see E :=
  let again _ := as_values known smaller formula see E in
  lazymatch goal with
  | |- (exists v, winner ?g ?n (map (fun _ => ?c) (Language.range 0%N ?k)) v /\ @?P v) <-> _ =>
    let W := fresh in assert (W : winner g n (map (fun _ : N => c) (Language.range 0%N k)) (formula (map (fun _ : N => c) (Language.range 0%N k))));
    [ apply known; see (); first [lia | of_copies c k]
    | etransitivity; [exact (value_known g n smaller _ _ P W)|]; clear W; cbv beta; again () ]
  | |- (exists v, winner ?g ?n ?t v /\ @?P v) <-> _ =>
    let R := lazymatch type of E with _ ≡ _ :: ?R => R end in
    let Y := lazymatch t with replace _ _ ?y => y | _ => lazymatch type of E with _ ≡ ?h :: _ => h end end in
    let W := fresh in assert (W : winner g n t (formula (Y :: R)));
    [ apply (winner_same g n (Y :: R));
      [ symmetry; first [exact E | apply (fun L => replace_rest _ _ Y R L E); lia] | apply known; see (); first [lia | of_region R] ]
    | etransitivity; [exact (value_known g n smaller t _ P W)|]; clear W; cbv beta; again () ]
  | |- (forall t, move ?g First ?s t <-> t ≡ ?U) <-> _ =>
    let L := lazymatch goal with L : largest s = _ |- _ => L end in
    etransitivity; [apply (options_are g s _ _ U eq_refl E L); lia|]; again ()
  | |- becomes ?g ?p ?h ?y <-> _ => let b := eval hnf in (becomes g p h y) in change (becomes g p h y) with b; again ()
  | |- (?Y :: ?R) ≡ _ <-> means ?e (fShape _ _ _ _ _ _ _) =>
    apply (shape_is e _ _ _ _ _ _ _ Y R); [reflexivity | reflexivity | again ()]
  | |- ?s ≡ map (fun _ => ?c) (Language.range 0%N ?k) <-> means _ (fIs _) =>
    etransitivity; [apply (copies_is s c k); lia|];
    rewrite ?(number_same _ _ E), ?(least_same _ _ E), ?(largest_same _ _ E); again ()
  | |- _ <-> means ?e (fCopies _ _ _ _) =>
    lazymatch goal with |- context [formula (map (fun _ => ?c) (Language.range 0%N ?k))] =>
      apply (copies_shape_is e _ _ _ _ c k);
        [ lia | numbers_only; lia | reflexivity
        | generalize (map (fun _ : N => c) (Language.range 0%N k)); intro; again () ] end
  | |- _ <-> means ?e (fShape _ ?y _ _ _ _ _) =>
    lazymatch goal with
    | |- context [formula (?Y :: ?R)] => apply (shape_is e _ y _ _ _ _ _ Y R); [reflexivity | reflexivity | again ()]
    | |- _ => lazymatch type of E with _ ≡ ?h :: ?R => apply (shape_is e _ y _ _ _ _ _ h R); [reflexivity | reflexivity | again ()] end
    end
  | |- context [formula ?t] => apply let_is with (formula t);
    [ numbers_only; see (); branches; lia | generalize (formula t); intro; again () ]
  | |- _ <-> means _ (fIs _) => numbers_only; first [lia | branches; lia]
  | |- (?A -> ?B) <-> means ?e (fImp ?a ?b) =>
    change (means e (fImp a b)) with (means e a -> means e b); apply imp_as; [again () | intros ?; again ()]
  | |- ?A /\ ?B <-> means ?e (fAll ?a ?b) =>
    change (means e (fAll a b)) with (means e a /\ means e b); apply and_as; [again () | intros ?; again ()]
  | |- ?A \/ ?B <-> means ?e (fAny ?a ?b) =>
    change (means e (fAny a b)) with (means e a \/ means e b); apply or_as; again ()
  | |- (forall y : N, @?P y) <-> means ?e (fNot (fSome ?x ?most (fNot ?a))) =>
    change (means e (fNot (fSome x most (fNot a)))) with (~ (exists z, (0 <= z /\ z <= val e most) /\ ~ means (assign e x z) a));
    apply every_number;
    [ intros ?; apply means_or_not
    | numbers_only; bounded
    | let y := fresh "y" in intros y _; again () ]
  | |- (exists y : N, @?P y) <-> means ?e (fSome ?x ?most ?a) =>
    change (means e (fSome x most a)) with (exists z, (0 <= z /\ z <= val e most) /\ means (assign e x z) a);
    apply some_number; [numbers_only; bounded | let y := fresh "y" in intros y; again ()]
  | |- ~ ?A <-> means ?e (fNot ?a) => change (means e (fNot a)) with (~ means e a); apply not_as; again ()
  end.
(* The claim about s and the natural numbers [ints] has the form [f], which the sequent of [ok] proves.  [known]: the values of
   positions, by the formula [formula]. *)
Ltac look_at_values s f h ok ints known smaller formula see :=
  let y := fresh "h" in let R := fresh "R" in let E := fresh "E" in let L := fresh "L" in
  let T := fresh "T" in let C := fresh "C" in let Q := fresh "Q" in let H := fresh "H" in
  destruct (divided s) as (y & R & E & L & T & C);
  rewrite ?L, ?(number_same _ _ E), ?(least_same _ _ E), ?(times_same _ _ E);
  pose proof (shape_possible R) as Q; unfold possible in Q; revert Q T;
  let ns := eval cbn [app] in (ints ++ [y; number R; least R; times R; largest R]) in
  pose proof (by_looking_ahead f h _ ns (check_stated _ _ ok) eq_refl) as H; revert H;
  lazymatch goal with |- ?A -> ?B => let F := fresh in cut (B <-> A); [intros F; exact (proj2 F)|] end; unfold f;
  as_values known smaller formula see E.
