(* The rule of folds, proved once: who wins, by numbers that are computed heap by heap.  The hypotheses are what the
   obligations of the rule say. *)
From Coq Require Import Lia ZifyBool ZArith.
From NimChecks Require Export Rules NimAddition Language.
Open Scope N_scope.

Lemma number_total s : number s <= total s.
Proof. induction s as [|h s IH]; [reflexivity|]. rewrite number_cons, total_cons. destruct (0 <? h) eqn:E; lia. Qed.
Lemma nothing_from_nothing s : ~ (total s < total [] \/ total s = total [] /\ number [] < number s).
Proof. pose proof (number_total s). change (total []) with 0. change (number []) with 0. lia. Qed.

Section Folded.
Variable the_game : rules.
(* The folds of a proof as one value. *)
Variable F : Type.
Variables (none : F) (join : N -> F -> F).
Hypothesis order : forall g h x, 0 < g -> 0 < h -> join g (join h x) = join h (join g x).
Definition folded (s : position) : F := gather join none s.
Definition joins (hs : list N) (x : F) : F := gather join x hs.

(* The facts about every position, by induction on the number of heaps. *)
Variable fact : F -> Prop.
Hypothesis fact_of_none : fact none.
Hypothesis fact_of_more : forall h x, 0 < h -> fact x -> fact (join h x).

Lemma joins_app a b x : joins (a ++ b) x = joins a (joins b x).
Proof. unfold joins. induction a as [|h a IH]; cbn; [reflexivity|]. destruct (h =? 0); rewrite IH; reflexivity. Qed.
Lemma folded_app a b : folded (a ++ b) = joins a (folded b).
Proof. apply joins_app. Qed.
(* Only heaps above 0 are joined. *)
Definition join_heap (h : N) (x : F) : F := if h =? 0 then x else join h x.
Lemma folded_heaps s : folded s = gather join_heap none s.
Proof.
  unfold folded. induction s as [|h s IH]; cbn; [reflexivity|]. destruct (h =? 0) eqn:E; [exact IH|].
  rewrite IH. generalize (gather join_heap none s). intros x. unfold join_heap. rewrite E. reflexivity.
Qed.
Lemma folded_same s t : s ≡ t -> folded s = folded t.
Proof.
  intros E. rewrite !folded_heaps. apply gather_same; [|exact E]. intros g h x. unfold join_heap.
  destruct (g =? 0) eqn:G, (h =? 0) eqn:K; auto. apply order; lia.
Qed.
Lemma folded_heap s h R : 0 < h -> s ≡ h :: R -> folded s = join h (folded R).
Proof. intros P E. rewrite (folded_same s _ E). unfold folded. cbn. destruct (h =? 0) eqn:Z; [lia | reflexivity]. Qed.
(* Heaps joined in turn, the first one first. *)
Fixpoint joins_in_turn (hs : list N) (x : F) : F := match hs with [] => x | h :: r => joins_in_turn r (join_heap h x) end.
Lemma join_heap_order g h x : join_heap g (join_heap h x) = join_heap h (join_heap g x).
Proof. unfold join_heap. destruct (g =? 0) eqn:G, (h =? 0) eqn:H; auto. apply order; lia. Qed.
Lemma joins_turn hs : forall x, joins hs x = joins_in_turn hs x.
Proof.
  induction hs as [|h hs IH]; intros x; [reflexivity|]. cbn [joins_in_turn]. rewrite <- IH. clear IH.
  change (joins (h :: hs) x) with (if h =? 0 then joins hs x else join h (joins hs x)).
  change (if h =? 0 then joins hs x else join h (joins hs x)) with (join_heap h (joins hs x)).
  induction hs as [|g hs IH]; [reflexivity|].
  change (join_heap h (join_heap g (joins hs x)) = join_heap g (joins hs (join_heap h x))). rewrite join_heap_order, IH. reflexivity.
Qed.
Theorem facts_of_all s : fact (folded s).
Proof.
  unfold folded. induction s as [|h s IH]; cbn; [exact fact_of_none|].
  destruct (h =? 0) eqn:E; [exact IH | apply fact_of_more; [lia | exact IH]].
Qed.

(* The player p may put the heaps ys in the place of the heaps hs beside the heaps R. *)
Definition swaps_of_rules (p : player) (hs ys : list N) (R : position) : Prop :=
  exists k, In k (all_kinds the_game) /\ length hs = chosen k /\ makes k p (hs ++ R) hs ys.
(* The obligation "measure": fewer objects, or as many in more heaps. *)
Hypothesis measure : forall p hs ys R, occupied hs -> swaps_of_rules p hs ys R ->
  total ys < total hs \/ total ys = total hs /\ number hs < number ys.

Lemma number_app a b : number (a ++ b) = number a + number b.
Proof. induction a as [|h a IH]; [reflexivity|]. cbn [app]. rewrite !number_cons, IH. lia. Qed.
Definition weight (s : position) : N := total s * (total s + 1) - number s.
Lemma step_weight p s t : step the_game p s t -> weight t < weight s.
Proof.
  intros (k & hs & ys & R & K & C & O & S & T & M). unfold weight. pose proof (number_total t). pose proof (number_total s).
  assert (L : total t < total s \/ total t = total s /\ number s < number t); [|nia].
  rewrite S, T, !total_app, !number_app. destruct (measure p hs ys R O (ex_intro _ k (conj K (conj C M)))); lia.
Qed.
Lemma step_heap p s t : step the_game p s t -> exists h, h ∈ s.
Proof.
  intros (k & hs & ys & R & K & C & O & S & T & M). destruct hs as [|h hs].
  { destruct (nothing_from_nothing ys). exact (measure p [] ys R O (ex_intro _ k (conj K (conj C M)))). }
  exists h. rewrite S. apply heap_of_cons. inversion O. auto.
Qed.

(* The obligations "closed", "cases cover" with the replies, and "stuck". *)
Variable lost : player -> F -> Prop.
Hypothesis closed : forall p hs ys R, occupied hs -> swaps_of_rules p hs ys R -> fact (folded R) ->
  lost p (joins hs (folded R)) -> ~ lost (other p) (joins ys (folded R)).
Hypothesis reply : forall p s, fact (folded s) -> ~ lost p (folded s) ->
  (rules_stuck_wins the_game = true -> exists h, h ∈ s) -> exists t, step the_game p s t /\ lost (other p) (folded t).
Hypothesis stuck : rules_stuck_wins the_game = true ->
  forall p s, fact (folded s) -> lost p (folded s) -> exists t, step the_game p s t.

Lemma by_folds s : forall p,
  (lost p (folded s) -> rules_loses the_game p s) /\ (~ lost p (folded s) -> rules_wins the_game p s).
Proof.
  induction s as [s IH] using (by_weight weight). intros p. split.
  - intros L. apply rules_every; [intros Mi; exact (stuck Mi p s (facts_of_all s) L)|].
    intros t M. apply (IH t (step_weight p s t M)). destruct M as (k & hs & ys & R & K & C & O & S & T & M).
    rewrite (folded_same _ _ T), folded_app. rewrite (folded_same _ _ S), folded_app in L.
    exact (closed p hs ys R O (ex_intro _ k (conj K (conj C M))) (facts_of_all R) L).
  - intros NL. destruct (rules_stuck_wins the_game) eqn:Mi.
    + destruct (some_heap_or_none s) as [Some|None].
      * destruct (reply p s (facts_of_all s) NL (fun _ => Some)) as (t & M & L).
        apply (rules_some the_game p s t M), (IH t (step_weight p s t M)), L.
      * apply (rules_none the_game p s Mi). intros t M. destruct (step_heap p s t M) as (h & I). exact (None h I).
    + destruct (reply p s (facts_of_all s) NL ltac:(discriminate)) as (t & M & L).
      apply (rules_some the_game p s t M), (IH t (step_weight p s t M)), L.
Qed.

(* Who wins. *)
Theorem rules_by_folds p s :
  (rules_wins the_game p s <-> ~ lost p (folded s)) /\ (lost p (folded s) -> rules_loses the_game p s) /\
  (rules_loses the_game p s -> ~ rules_wins the_game p s).
Proof.
  pose proof (rules_not_both the_game weight step_weight p s) as Not. destruct (by_folds s p) as [L W].
  split; [split; [intros V D; exact (Not V (L D)) | exact W] | split; [exact L | intros V U; exact (Not U V)]].
Qed.
End Folded.

(* Games in which a move makes one heap smaller. *)
Section OfGame.
Variable g : game.
Definition swaps_of_game (p : player) (hs ys : list N) (R : position) : Prop :=
  exists h y, hs = [h] /\ ys = [y] /\ becomes g p h y /\ (of_largest g = true -> largest R <= h).
Lemma game_swaps p hs ys R : swaps_of_rules (of_game g) p hs ys R -> swaps_of_game p hs ys R.
Proof.
  intros (k & [<-|[]] & C & M). destruct hs as [|h [|? ?]]; try discriminate C. destruct M as (L & y & B & ->).
  exists h, y. repeat split; [exact B|]. intros E. specialize (L E). change (h = largest (h :: R)) in L.
  rewrite largest_cons in L. lia.
Qed.
Variable F : Type.
Variables (none : F) (join : N -> F -> F).
Hypothesis order : forall g h x, 0 < g -> 0 < h -> join g (join h x) = join h (join g x).
Variable fact : F -> Prop.
Hypothesis fact_of_none : fact none.
Hypothesis fact_of_more : forall h x, 0 < h -> fact x -> fact (join h x).
Notation folded := (folded F none join).
Notation joins := (joins F join).
Hypothesis measure : forall p hs ys R, occupied hs -> swaps_of_game p hs ys R ->
  total ys < total hs \/ total ys = total hs /\ number hs < number ys.
Variable lost : player -> F -> Prop.
Hypothesis closed : forall p hs ys R, occupied hs -> swaps_of_game p hs ys R -> fact (folded R) ->
  lost p (joins hs (folded R)) -> ~ lost (other p) (joins ys (folded R)).
Hypothesis reply : forall p s, fact (folded s) -> ~ lost p (folded s) -> (stuck_wins g = true -> exists h, h ∈ s) ->
  exists t, move g p s t /\ lost (other p) (folded t).
Hypothesis stuck : stuck_wins g = true -> forall p s, fact (folded s) -> lost p (folded s) -> exists t, move g p s t.
Theorem game_by_folds p s :
  (wins g p s <-> ~ lost p (folded s)) /\ (lost p (folded s) -> loses g p s) /\ (loses g p s -> ~ wins g p s).
Proof.
  rewrite <- wins_of_game, <- loses_of_game.
  apply (rules_by_folds (of_game g) F none join order fact fact_of_none fact_of_more).
  - intros q hs ys R O S. exact (measure q hs ys R O (game_swaps q hs ys R S)).
  - intros q hs ys R O S. exact (closed q hs ys R O (game_swaps q hs ys R S)).
  - intros q t D L Some. destruct (reply q t D L Some) as (u & M & L'). exists u. split; [apply step_of_game, M | exact L'].
  - intros Mi q t D L. destruct (stuck Mi q t D L) as (u & M). exists u. apply step_of_game, M.
Qed.
End OfGame.

(* What a claim asks of the options of a position: whether some option has folds with the property [asked]. *)
Section Asked.
Variable g : game.
Hypothesis smaller : forall p h y, becomes g p h y -> y < h.
Hypothesis becomes_decided : forall p h y, becomes g p h y \/ ~ becomes g p h y.
Variable F : Type.
Variables (none : F) (join : N -> F -> F).
Hypothesis order : forall g h x, 0 < g -> 0 < h -> join g (join h x) = join h (join g x).
Variable asked : F -> Prop.
Hypothesis asked_or_not : forall x, asked x \/ ~ asked x.
Definition some_asked (p : player) (s : position) : Prop := exists t, move g p s t /\ asked (folded F none join t).

Theorem asked_answer p s : exists b : bool, some_asked p s <-> b = true.
Proof.
  destruct (options_decided g smaller becomes_decided p s (fun t => asked (folded F none join t))) as [Y|N].
  - intros t u E. rewrite (folded_same F none join order t u E). reflexivity.
  - intros t. apply asked_or_not.
  - exists true. split; [reflexivity | intros _; exact Y].
  - exists false. split; [intros Y; destruct (N Y) | discriminate].
Qed.
(* An option with the property, by its move. *)
Theorem asked_move p s : some_asked p s -> exists h y R, 0 < h /\ s ≡ h :: R /\ becomes g p h y /\
  (of_largest g = true -> largest R <= h) /\ asked (join_heap F join y (folded F none join R)).
Proof.
  intros (t & (h & y & R & P & S & T & B & A) & Q). exists h, y, R. repeat (split; [assumption|]).
  rewrite (folded_same F none join order _ _ T) in Q. exact Q.
Qed.
Theorem asked_by_move p s h y R : 0 < h -> s ≡ h :: R -> becomes g p h y -> (of_largest g = true -> largest R <= h) ->
  asked (join_heap F join y (folded F none join R)) -> some_asked p s.
Proof.
  intros P S B A Q. exists (y :: R). split; [exact (move_to g p s h y R P S B A) | exact Q].
Qed.
End Asked.

(* The picks of a named move: a heap with the property is there, and the rest. *)
Section Picks.
Open Scope Z_scope.
Definition pick (P : N -> Prop) (s : position) : Prop := exists h R, (0 < h)%N /\ s ≡ h :: R /\ P h.
Lemma pick_heap (P : N -> Prop) h s : h ∈ s -> P h -> pick P s.
Proof. intros I H. destruct (split_heap h s I) as (R & E). exists h, R. destruct I. auto. Qed.
(* Of so many heaps: a component 1 + x of the folds. *)
Lemma pick_any s : 1 <= gather (fun _ x => 1 + x) 0 s -> pick (fun _ => True) s.
Proof.
  intros C. destruct (some_heap_or_none s) as [(h & I)|None]; [exact (pick_heap _ h s I Logic.I)|]. exfalso.
  induction s as [|h r IH]; cbn [gather] in C; [lia|]. destruct (h =? 0)%N eqn:E.
  - apply IH; [exact C|]. intros x I. apply (None x), heap_of_cons. auto.
  - apply (None h), heap_of_cons. left. split; [lia | reflexivity].
Qed.
Lemma some_heaps s : (exists h, h ∈ s) -> 1 <= gather (fun _ x => 1 + x) 0 s.
Proof.
  intros (h & I). assert (N : 0 <= gather (fun _ x => 1 + x) 0 s).
  { clear. induction s as [|h r IH]; cbn [gather]; [lia|]. destruct (h =? 0)%N; lia. }
  destruct (Z.eq_dec (gather (fun _ x => 1 + x) 0 s) 0) as [E|]; [|lia]. exfalso. revert I E. clear N.
  assert (N : forall r, 0 <= gather (fun _ x => 1 + x) 0 r).
  { induction r as [|x r IH]; cbn [gather]; [lia|]. destruct (x =? 0)%N; lia. }
  induction s as [|x r IH]; intros I E; [destruct (no_heap h I)|]. cbn [gather] in E. specialize (N r). apply heap_of_cons in I.
  destruct I as [[P ->]|I]; destruct (x =? 0)%N eqn:Z; try lia; auto.
Qed.
(* Of the heaps with a property: a component (if c h then 1 else 0) + x. *)
Lemma pick_counted (c : N -> bool) s : 1 <= gather (fun h x => (if c h then 1 else 0) + x) 0 s -> pick (fun h => c h = true) s.
Proof.
  intros C. destruct (some_counted c s) as (h & I & H); [|exact (pick_heap _ h s I H)].
  assert (E : Z.of_N (count c s) = gather (fun h x => (if c h then 1 else 0) + x) 0 s); [|lia]. clear C.
  unfold count. induction s as [|h r IH]; [reflexivity|]. cbn [gather]. destruct (h =? 0)%N; [exact IH|].
  rewrite <- IH. destruct (c h); lia.
Qed.
(* At the top bit of a nim-sum: a component Z.lxor (t h) x. *)
Lemma lxor_of_N a b : Z.lxor (Z.of_N a) (Z.of_N b) = Z.of_N (N.lxor a b).
Proof. destruct a, b; reflexivity. Qed.
Lemma nim_sum_is (t : N -> Z) s : (forall h, (0 < h)%N -> 0 <= t h) ->
  gather (fun h x => Z.lxor (t h) x) 0 s = Z.of_N (nim_sum_of (fun h => Z.to_N (t h)) s).
Proof.
  intros Nat. unfold nim_sum_of. induction s as [|h r IH]; [reflexivity|]. cbn [gather]. destruct (h =? 0)%N eqn:E; [exact IH|].
  rewrite IH, <- lxor_of_N, Z2N.id; [reflexivity|]. apply Nat. lia.
Qed.
Lemma pick_top_bit (t : N -> Z) s : (forall h, (0 < h)%N -> 0 <= t h) -> gather (fun h x => Z.lxor (t h) x) 0 s <> 0 ->
  pick (fun h => Z.lxor (t h) (gather (fun h x => Z.lxor (t h) x) 0 s) < t h) s.
Proof.
  intros Nat. rewrite (nim_sum_is t s Nat). intros NZ. destruct (top_bit_of (fun h => Z.to_N (t h)) s) as (h & I & L); [lia|].
  apply (pick_heap _ h s I). rewrite <- (Z2N.id (t h)) by (apply Nat, I). rewrite lxor_of_N. lia.
Qed.
Lemma pick_largest s : pick (fun _ => True) s -> pick (fun h => Z.of_N h = Z.of_N (largest s)) s.
Proof.
  intros (h & R & P & E & _). apply (pick_heap _ (largest s)); [|reflexivity]. apply some_largest. exists h. rewrite E.
  apply heap_of_cons. auto.
Qed.
(* A binary place q, and a number with a 1 there. *)
Definition is_place (q : Z) : Prop := exists i : N, q = Z.of_N (2 ^ i).
Lemma has_bit x i : Z.lxor (Z.of_N x) (Z.of_N (2 ^ i)) < Z.of_N x <-> N.testbit x i = true.
Proof.
  rewrite lxor_of_N. assert (B : forall j, N.testbit (2 ^ i) j = (i =? j)%N) by (intros; apply N.pow2_bits_eqb). split.
  - intros L. destruct (N.testbit x i) eqn:T; [reflexivity | exfalso].
    assert (E : (x + 2 ^ i = N.lxor x (2 ^ i))%N).
    { apply N.add_nocarry_lxor, N.bits_inj. intros j. rewrite N.land_spec, B, N.bits_0. destruct (i =? j)%N eqn:J.
      - apply N.eqb_eq in J. subst j. rewrite T. reflexivity.
      - apply andb_false_r. }
    rewrite <- E in L. lia.
  - intros T. enough (N.lxor x (2 ^ i) < x)%N by lia. apply less_at with i; [|rewrite N.lxor_spec, T, B, N.eqb_refl; reflexivity | exact T].
    apply N.bits_inj. intros j. rewrite !N.shiftr_spec', N.lxor_spec, B. destruct (i =? j + (i + 1))%N eqn:J; [lia|]. apply xorb_false_r.
Qed.
(* Binary places as numbers: the place with the index i, and the index of the highest place of x. *)
Definition place_at (i : Z) : Z := Z.of_N (2 ^ Z.to_N i).
Definition highest_at (x : Z) : Z := Z.of_N (N.log2 (Z.to_N x)).
Lemma place_natural i : 1 <= place_at i.
Proof. unfold place_at. pose proof (N.pow_nonzero 2 (Z.to_N i) ltac:(lia)). lia. Qed.
Lemma place_single i : Z.lxor (place_at i) (place_at i - 1) = place_at i + (place_at i - 1).
Proof.
  pose proof (place_natural i) as P. unfold place_at in *. generalize dependent (Z.to_N i). clear i. intros i P.
  replace (Z.of_N (2 ^ i) - 1) with (Z.of_N (N.ones i)) by (rewrite N.ones_equiv; lia). rewrite lxor_of_N, <- N2Z.inj_add.
  f_equal. symmetry. apply N.add_nocarry_lxor. rewrite N.land_ones. apply N.mod_same. lia.
Qed.
Lemma highest_natural x : 0 <= highest_at x.
Proof. apply N2Z.is_nonneg. Qed.
Lemma highest_bit x : 1 <= x -> N.testbit (Z.to_N x) (Z.to_N (highest_at x)) = true.
Proof. intros P. unfold highest_at. rewrite N2Z.id. apply N.bit_log2. lia. Qed.
Lemma highest_place x : ~ 1 <= x \/ Z.lxor x (place_at (highest_at x)) < place_at (highest_at x).
Proof.
  destruct (Z_le_gt_dec 1 x) as [P|P]; [right | left; lia]. pose proof (highest_bit x P) as Top. unfold place_at, highest_at in *.
  rewrite N2Z.id in *. rewrite <- (Z2N.id x) at 1 by lia. generalize dependent (Z.to_N x). clear x P. intros E Top.
  set (i := N.log2 E) in *. rewrite lxor_of_N. enough (N.lxor E (2 ^ i) < 2 ^ i)%N by lia.
  apply less_at with i; [|rewrite N.lxor_spec, Top, N.pow2_bits_true; reflexivity | apply N.pow2_bits_true].
  apply N.bits_inj. intros j. rewrite !N.shiftr_spec', N.lxor_spec, (N.bits_above_log2 E) by (unfold i in *; lia).
  apply xorb_false_l.
Qed.
Lemma top_place E : 0 <= E -> E <> 0 ->
  exists q, is_place q /\ 1 <= q /\ Z.lxor q (q - 1) = q + (q - 1) /\ Z.lxor E q < q /\ Z.lxor E q < E.
Proof.
  intros P NZ. exists (place_at (highest_at E)). split; [eexists; reflexivity|]. split; [apply place_natural|].
  split; [apply place_single|]. split; [destruct (highest_place E); lia|].
  rewrite <- (Z2N.id E P) at 1 3. apply has_bit, highest_bit. lia.
Qed.
(* The same numbers, as a claim writes them. *)
Lemma highest_is (x : N) : Z.of_N (N.log2 x) = highest_at (Z.of_N x).
Proof. unfold highest_at. rewrite N2Z.id. reflexivity. Qed.
Lemma bit_is (x i : N) :
  Z.of_N (bit x i) = if (0 <=? Z.of_N i) && (Z.lxor (Z.of_N x) (place_at (Z.of_N i)) <? Z.of_N x) then 1 else 0.
Proof.
  unfold bit, place_at. rewrite N2Z.id. pose proof (has_bit x i) as H. replace (0 <=? Z.of_N i) with true by lia.
  destruct (N.testbit x i), (_ <? _) eqn:L; cbn [andb]; try reflexivity; exfalso.
  - destruct H as [_ H]. specialize (H eq_refl). lia.
  - destruct H as [H _]. discriminate H. lia.
Qed.
(* Of the heaps with a 1 there: a 1 of the columns, or of a nim-sum, is a 1 of one of them. *)
Lemma pick_tested (c : N -> bool) s : existsb c (heaps s) = true -> pick (fun h => c h = true) s.
Proof.
  intros E. apply existsb_exists in E. destruct E as (h & I & C). unfold heaps in I. apply filter_In in I.
  apply (pick_heap _ h s); [split; [lia | tauto] | exact C].
Qed.
(* A heap that a proof considers if C holds: the position is this heap and others. *)
Lemma consider (C : Prop) (P : N -> Prop) s : C \/ ~ C -> (C -> pick P s) ->
  exists h R, (0 < h)%N /\ (~ C \/ s ≡ h :: R /\ P h).
Proof.
  intros [Y|N] H; [|exists 1%N, []; split; [reflexivity | left; exact N]].
  destruct (H Y) as (h & R & A & E & B). exists h, R. auto.
Qed.
(* The number of heaps with a property that depends on the whole position. *)
Lemma count_split c s h R : (0 < h)%N -> s ≡ h :: R ->
  Z.of_N (count c s) = (if c h then 1 else 0) + Z.of_N (count c R).
Proof. intros P E. rewrite (count_same c _ _ E), count_cons. destruct (0 <? h)%N eqn:H, (c h); cbn [andb]; lia. Qed.
Lemma pick_count (c : N -> bool) s : 1 <= Z.of_N (count c s) -> pick (fun h => c h = true) s.
Proof. intros C. destruct (some_counted c s) as (h & I & H); [lia | exact (pick_heap _ h s I H)]. Qed.
Lemma some_tested (c : N -> bool) h s : h ∈ s -> c h = true -> existsb c (heaps s) = true.
Proof. intros [P I] C. apply existsb_exists. exists h. split; [|exact C]. unfold heaps. apply filter_In. split; [exact I | lia]. Qed.
Lemma one_of_columns (c : N -> bool) s m r q : (0 < m)%N -> (0 < r)%N -> is_place q ->
  (forall h, (0 < h)%N -> Z.lxor (Z.of_N h) q < Z.of_N h -> c h = true) ->
  ~ Z.lxor (Z.of_N (columns s m r)) q < Z.of_N (columns s m r) \/ existsb c (heaps s) = true.
Proof.
  intros M P (i & ->) C. rewrite has_bit, columns_digit by assumption.
  destruct (count (fun h => N.testbit h i) s mod m =? r)%N eqn:E; [right | left; discriminate].
  destruct (some_counted (fun h => N.testbit h i) s) as (h & I & B).
  - destruct (N.eq_dec (count (fun h => N.testbit h i) s) 0) as [Z|]; [|lia]. rewrite Z, N.mod_0_l in E by lia. lia.
  - apply (some_tested c h s I), C, has_bit, B. apply I.
Qed.
Lemma one_of_nim_sum (c : N -> bool) (t : N -> Z) s q : (forall h, (0 < h)%N -> 0 <= t h) -> is_place q ->
  (forall h, (0 < h)%N -> Z.lxor (t h) q < t h -> c h = true) ->
  ~ Z.lxor (gather (fun h x => Z.lxor (t h) x) 0 s) q < gather (fun h x => Z.lxor (t h) x) 0 s \/ existsb c (heaps s) = true.
Proof.
  intros Nat (i & ->) C. rewrite (nim_sum_is t s Nat), has_bit.
  destruct (N.testbit (nim_sum_of (fun h => Z.to_N (t h)) s) i) eqn:E; [right | left; discriminate].
  destruct (odd_column _ s i E) as (h & I & B). apply (some_tested c h s I), C; [apply I|].
  rewrite <- (Z2N.id (t h)) by (apply Nat, I). apply has_bit, B.
Qed.
End Picks.

(* One fold of a tuple, and the same fold of the theory. *)
Lemma count_is (c : N -> bool) (d : N -> bool) s : (forall h, 0 < h -> c h = d h) ->
  Z.of_N (count d s) = gather (fun h x => (if c h then 1 else 0) + x)%Z 0%Z s.
Proof.
  intros E. rewrite <- (count_ext c d s E). unfold count. induction s as [|h r IH]; [reflexivity|]. cbn [gather].
  destruct (h =? 0); [exact IH|]. rewrite <- IH. destruct (c h); lia.
Qed.
Lemma some_is (c : N -> bool) s : existsb c (heaps s) = (0 <? count c s).
Proof.
  unfold heaps. induction s as [|h r IH]; [reflexivity|]. rewrite count_cons. cbn [filter]. destruct (0 <? h); cbn [existsb andb].
  - rewrite IH. destruct (c h); cbn [orb]; lia.
  - exact IH.
Qed.
Lemma number_is s : Z.of_N (number s) = gather (fun _ x => 1 + x)%Z 0%Z s.
Proof.
  unfold number, count. induction s as [|h r IH]; [reflexivity|]. cbn [gather]. destruct (h =? 0); [exact IH|]. rewrite <- IH. lia.
Qed.
Lemma count_none c s : (~ gather (fun _ x => 1 + x) 0 s = 0 \/ Z.of_N (count c s) = 0)%Z.
Proof.
  rewrite <- number_is. destruct (N.eq_dec (number s) 0) as [E|]; [right | left; lia]. revert E. unfold number, count.
  induction s as [|h r IH]; cbn [gather]; [reflexivity|]. destruct (h =? 0); [exact IH | lia].
Qed.
Lemma nim_sum_of_is (t : N -> Z) u s : (forall h, 0 < h -> Z.of_N (u h) = t h) ->
  Z.of_N (nim_sum_of u s) = gather (fun h x => Z.lxor (t h) x) 0%Z s.
Proof.
  intros E. rewrite nim_sum_is.
  - f_equal. apply nim_sum_of_ext. intros h P. rewrite <- (E h P), N2Z.id. reflexivity.
  - intros h P. rewrite <- (E h P). lia.
Qed.

Lemma total_is s : Z.of_N (total s) = gather (fun h x => Z.of_N h + x)%Z 0%Z s.
Proof.
  induction s as [|h r IH]; [reflexivity|]. rewrite total_cons. cbn [gather]. destruct (h =? 0) eqn:E; [|rewrite <- IH]; lia.
Qed.
(* The columns of one heap more. *)
Lemma land_of_N a b : Z.land (Z.of_N a) (Z.of_N b) = Z.of_N (N.land a b).
Proof. destruct a, b; reflexivity. Qed.
Lemma one_more_mod c m : 0 < m -> (1 + c) mod m = if c mod m + 1 =? m then 0 else c mod m + 1.
Proof.
  intros M. rewrite <- N.add_mod_idemp_r by lia. pose proof (N.mod_lt c m ltac:(lia)) as L. destruct (_ =? m) eqn:E.
  - replace (1 + c mod m) with m by lia. apply N.mod_same. lia.
  - rewrite N.mod_small; lia.
Qed.
Lemma columns_digit_cons h s m r i : 0 < m -> 0 < r -> N.testbit (columns (h :: s) m r) i =
  (let k := count (fun h => N.testbit h i) s mod m in (if N.testbit h i then if k + 1 =? m then 0 else k + 1 else k) =? r).
Proof.
  intros M P. rewrite columns_digit, count_cons by assumption. cbn zeta. destruct (N.testbit h i) eqn:T.
  - destruct (0 <? h) eqn:H; [cbn [andb]; rewrite one_more_mod by exact M; reflexivity|].
    replace h with 0 in T by lia. rewrite N.bits_0 in T. discriminate.
  - rewrite andb_false_r. reflexivity.
Qed.
Lemma columns_gone s m r : 0 < m -> 0 < r -> columns (0 :: s) m r = columns s m r.
Proof.
  intros M P. apply N.bits_inj. intros i. rewrite columns_digit_cons, columns_digit, N.bits_0 by assumption. reflexivity.
Qed.
Ltac one_more_column :=
  repeat rewrite ?land_of_N, ?lxor_of_N; f_equal; apply N.bits_inj; intros i;
  rewrite ?N.lxor_spec, ?N.land_spec, ?columns_digit_cons, ?columns_digit by reflexivity; cbn zeta;
  lazymatch goal with |- context [?c mod ?m] =>
    let I := fresh in assert (I : In (c mod m) (range 0 m)) by (apply in_range; split; [apply N.le_0_l | apply N.mod_lt; discriminate]);
    generalize dependent (c mod m); intros k I; let l := eval compute in (range 0 m) in change (range 0 m) with l in I;
    match goal with |- context [N.testbit ?h ?j] => destruct (N.testbit h j) end;
    repeat (destruct I as [<-|I]; [reflexivity|]); destruct I end.

(* A nim-sum of the image of a position under a map of heaps. *)
Lemma nim_sum_of_image (f : N -> N) (t u : N -> Z) s :
  (forall h, 0 < h -> u h = if (0 <? Z.of_N (f h))%Z then t (f h) else 0%Z) ->
  gather (fun h x => Z.lxor (t h) x) 0%Z (map f (heaps s)) = gather (fun h x => Z.lxor (u h) x) 0%Z s.
Proof.
  intros E. unfold heaps. induction s as [|h r IH]; [reflexivity|]. cbn [filter gather]. destruct (h =? 0) eqn:Z.
  - replace (0 <? h) with false by lia. exact IH.
  - replace (0 <? h) with true by lia. cbn [map gather]. rewrite E, IH by lia.
    destruct (f h =? 0) eqn:G.
    + replace (0 <? Z.of_N (f h))%Z with false by lia. symmetry. apply Z.lxor_0_l.
    + replace (0 <? Z.of_N (f h))%Z with true by lia. reflexivity.
Qed.
Lemma joins_one {F} (join : N -> F -> F) h x : 0 < h -> joins F join [h] x = join h x.
Proof. intros P. unfold joins. cbn. destruct (h =? 0) eqn:E; [lia | reflexivity]. Qed.
Lemma joins_gone {F} (join : N -> F -> F) x : joins F join [0] x = x.
Proof. reflexivity. Qed.
Lemma join_heap_gone {F} (join : N -> F -> F) x : join_heap F join 0 x = x.
Proof. reflexivity. Qed.
Lemma join_heap_there {F} (join : N -> F -> F) h x : 0 < h -> join_heap F join h x = join h x.
Proof. intros P. unfold join_heap. destruct (h =? 0) eqn:E; [lia | reflexivity]. Qed.
Lemma lxor_exchange a b c : Z.lxor a (Z.lxor b c) = Z.lxor b (Z.lxor a c).
Proof. rewrite <- !Z.lxor_assoc, (Z.lxor_comm a b). reflexivity. Qed.
Lemma lxor_natural a b : (0 <= a -> 0 <= b -> 0 <= Z.lxor a b)%Z.
Proof. intros A B. apply Z.lxor_nonneg. tauto. Qed.

(* What an instance of the rule uses to give an obligation its values. *)
Ltac by_parts := repeat match goal with H : _ /\ _ |- _ => destruct H end.
Ltac parts_of H :=
  lazymatch type of H with
  | _ /\ _ => let A := fresh in let B := fresh in destruct H as [A B]; parts_of A; parts_of B
  | _ => idtac
  end.
Ltac branch :=
  repeat match goal with
  | H : context [if ?c then _ else _] |- _ =>
      lazymatch c with context [if _ then _ else _] => fail | _ => destruct c eqn:?; try (exfalso; lia) end
  | |- context [if ?c then _ else _] =>
      lazymatch c with context [if _ then _ else _] => fail | _ => destruct c eqn:?; try (exfalso; lia) end
  end.
Ltac without_branches := repeat match goal with H : context [if _ then _ else _] |- _ => clear H end.
Ltac naturals :=
  cbv beta; repeat match goal with
  | |- (0 <= Z.lxor _ _)%Z => apply lxor_natural
  | |- (0 <= Z.land _ _)%Z => apply Z.land_nonneg; left
  | |- (0 <= _ + _)%Z => apply Z.add_nonneg_nonneg
  | |- (0 <= _ mod _)%Z => apply Z.mod_pos_bound
  | |- (0 <= _ / Zpos _)%Z => apply Z.div_pos; [|reflexivity]
  | |- (0 <= (if ?c then _ else _))%Z => destruct c
  end; first [assumption | apply N2Z.is_nonneg | without_branches; lia].
(* A remainder and the multiple below, for every divisor from 1 on. *)
Lemma remainder_below a d : (1 <= d -> 0 <= a mod d /\ a mod d < d)%Z.
Proof. intros D. pose proof (Z.mod_pos_bound a d). lia. Qed.
Lemma multiples_apart a b d : (1 <= d -> a - a mod d = b - b mod d \/ a - a mod d - (b - b mod d) = d \/
  b - b mod d - (a - a mod d) = d \/ d <= a - a mod d - (b - b mod d) - d \/ d <= b - b mod d - (a - a mod d) - d)%Z.
Proof.
  intros D. assert (EP : (a - a mod d = d * (a / d))%Z) by (pose proof (Z.div_mod a d); lia).
  assert (EQ : (b - b mod d = d * (b / d))%Z) by (pose proof (Z.div_mod b d); lia). rewrite EP, EQ.
  generalize (a / d)%Z (b / d)%Z. clear - D. intros x y. destruct (Z.lt_trichotomy x y) as [L|[->|L]]; [|left; reflexivity|].
  - assert (y = x + 1 \/ x + 2 <= y)%Z as [->|M] by lia; [right; right; left; ring | right; right; right; right; nia].
  - assert (x = y + 1 \/ y + 2 <= x)%Z as [->|M] by lia; [right; left; ring | right; right; right; left; nia].
Qed.
Lemma multiple_apart a d : (1 <= d -> a - a mod d = 0 \/ a - a mod d = d \/ 0 - (a - a mod d) = d \/
  d <= a - a mod d - d \/ d <= 0 - (a - a mod d) - d)%Z.
Proof. intros D. pose proof (multiples_apart a 0 d D) as M. rewrite Zmod_0_l in M. lia. Qed.
Lemma division_rest a d : (~ 1 <= d \/ 0 <= a mod d /\ a mod d < d)%Z.
Proof. pose proof (remainder_below a d). lia. Qed.
Lemma division_parts a d : (~ (1 <= d /\ 0 <= a) \/ a = a - a mod d + a mod d /\ (a - a mod d = 0 \/
  a - a mod d - 0 = d \/ 0 - (a - a mod d) = d \/ d <= a - a mod d - 0 - d \/ d <= 0 - (a - a mod d) - d))%Z.
Proof. pose proof (multiple_apart a d). lia. Qed.
Lemma divisions_apart a b d : (~ ((1 <= d /\ 0 <= a) /\ 1 <= d /\ 0 <= b) \/ a - a mod d = b - b mod d \/
  a - a mod d - (b - b mod d) = d \/ b - b mod d - (a - a mod d) = d \/
  d <= a - a mod d - (b - b mod d) - d \/ d <= b - b mod d - (a - a mod d) - d)%Z.
Proof. pose proof (multiples_apart a b d). lia. Qed.
Lemma divisions_alike a b d : (~ a = b \/ a mod d = b mod d)%Z.
Proof. destruct (Z.eq_dec a b) as [->|E]; [right; reflexivity | left; exact E]. Qed.
(* The same where one of the numbers is a remainder already, with the multiple 0. *)
Lemma apart_before a r d : (~ ((1 <= d /\ 0 <= r) /\ 1 <= d /\ 0 <= a) \/ 0 = a - a mod d \/ 0 - (a - a mod d) = d \/
  a - a mod d - 0 = d \/ d <= 0 - (a - a mod d) - d \/ d <= a - a mod d - 0 - d)%Z.
Proof. pose proof (multiple_apart a d). lia. Qed.
Lemma apart_after a r d : (~ ((1 <= d /\ 0 <= a) /\ 1 <= d /\ 0 <= r) \/ a - a mod d = 0 \/ a - a mod d - 0 = d \/
  0 - (a - a mod d) = d \/ d <= a - a mod d - 0 - d \/ d <= 0 - (a - a mod d) - d)%Z.
Proof. pose proof (multiple_apart a d). lia. Qed.
Lemma alike_before a b d : (~ a mod d = b \/ a mod d = b mod d)%Z.
Proof. destruct (Z.eq_dec (a mod d) b) as [<-|E]; [right; rewrite Zmod_mod; reflexivity | left; exact E]. Qed.
Lemma alike_after a b d : (~ b = a mod d \/ b mod d = a mod d)%Z.
Proof. destruct (Z.eq_dec b (a mod d)) as [->|E]; [right; apply Zmod_mod | left; exact E]. Qed.
Lemma alike_both (a b : Z) : (~ a = b \/ a = b)%Z.
Proof. lia. Qed.
Lemma multiple_natural a d : (1 <= d -> 0 <= a -> 0 <= a - a mod d)%Z.
Proof. intros D A. pose proof (Z.mod_le a d). lia. Qed.
(* Without the hypotheses whose cases lia would distinguish. *)
Ltac plainly :=
  repeat match goal with
  | H : _ \/ _ |- _ => clear H
  | H : context [if _ then _ else _] |- _ => clear H
  | H : _ -> _ |- _ => let T := type of H in let K := type of T in constr_eq K Prop; clear H
  end; lia.
Ltac about_division :=
  lazymatch goal with
  | |- _ /\ _ => split; about_division
  | |- (0 <= _ mod _)%Z => apply Z.mod_pos_bound; first [plainly | lia]
  | |- (0 <= Z.lxor _ _)%Z => apply lxor_natural; first [assumption | about_division | lia]
  | |- (0 <= (if ?c then _ else 0))%Z => destruct c; [about_division | apply Z.le_refl]
  | |- (0 <= ?a - ?a mod _)%Z => apply multiple_natural; [first [plainly | lia] | first [plainly | lia | about_division]]
  | |- _ => first [apply division_rest | apply division_parts | apply divisions_apart | apply divisions_alike
      | apply apart_before | apply apart_after | apply alike_before | apply alike_after | apply alike_both
      | right; left; reflexivity | right; split; [reflexivity | left; reflexivity]]
  end.
(* A binary place. *)
Ltac about_place := first [apply place_natural | apply place_single | apply highest_natural | apply highest_place].
Ltac met_already :=
  first [ assumption | reflexivity | exact I
        | lazymatch goal with |- _ /\ _ => split; met_already | |- _ \/ _ => first [right; met_already | left; met_already] end ].
(* What is shown about a move without nim-sums. *)
Ltac by_cut :=
  match goal with
  | C : ~ _ \/ ?B |- ~ _ \/ ?B =>
      destruct C as [C|C]; [left; intro; apply C; clear C; by_parts; repeat split; assumption | right; exact C]
  end.
(* Opens what is known of all folds at a position; each instance says how.  It is opened only where it is needed, because
   lia distinguishes the cases of every hypothesis. *)
Ltac open_facts := idtac.
(* Facts about numbers, which other rules add. *)
Ltac known_fact := fail.
(* The goal is a part of H; each instance says which parts are known as facts. *)
Ltac is_part_of H := first [exact H | is_part_of (proj1 H) | is_part_of (proj2 H)].
Ltac is_fact := fail.
(* Who wins, by a condition on numbers that is equivalent to a known one. *)
Ltac as_answered := lazymatch goal with
  | |- _ \/ _ => right; as_answered
  | |- ?A <-> _ => match goal with T : A <-> _ |- _ => rewrite T; lia end
  end.
Ltac premise := first
  [ solve [known_fact]
  | lazymatch goal with
    | |- _ /\ _ => first [solve [about_division] | split; premise]
    | |- _ => first [met_already | is_fact | about_place | solve [about_division] | solve [by_cut] | solve [plainly] | as_answered
        | solve [open_facts; by_parts; met_already] | lia
        | solve [branch; lia] | solve [open_facts; by_parts; lia] ]
    end ].
Ltac give O :=
  cbv iota in O;
  repeat match type of O with
  | ?A -> ?B => let H := fresh in assert (H : A); [clear O; premise | specialize (O H); clear H]
  end.
Lemma some_least s : (exists h, h ∈ s) -> least s ∈ s.
Proof.
  induction s as [|x r IH]; intros (h & I); [destruct (no_heap h I)|]. rewrite least_beside. destruct (x =? 0) eqn:Z.
  - apply heap_of_cons. right. apply IH. exists h. apply heap_of_cons in I. destruct I as [[P ->]|I]; [lia | exact I].
  - destruct (least r =? 0) eqn:L; [apply heap_of_cons; left; lia|].
    destruct (N.min_spec x (least r)) as [[M E]|[M E]]; rewrite E; apply heap_of_cons; [left; lia | right].
    apply IH. destruct (some_heap_or_none r) as [Some|None]; [exact Some|]. exfalso.
    assert (N : number r = 0).
    { unfold number. apply (all_heaps (fun _ => False)); [intros; split; [intros [] | discriminate] | exact None]. }
    apply number_gives_least in N. lia.
Qed.
Lemma pick_least s : pick (fun _ => True) s -> pick (fun h => Z.of_N h = Z.of_N (least s)) s.
Proof.
  intros (h & R & P & E & _). apply (pick_heap _ (least s)); [|reflexivity]. apply some_least. exists h. rewrite E.
  apply heap_of_cons. auto.
Qed.
Lemma chosen_least h R : 0 < h -> h = least (h :: R) <-> least R = 0 \/ h <= least R.
Proof. intros P. rewrite least_beside. destruct (h =? 0) eqn:E, (least R =? 0) eqn:L; lia. Qed.
Lemma chosen_largest h R : h = largest (h :: R) <-> largest R <= h.
Proof. rewrite largest_cons. lia. Qed.
Ltac conclude_from O := first [exact O | lia | solve [branch; lia]].

(* Whether a heap y is there. *)
Lemma heap_there y : 0 < y -> (0 <? Z.of_N y)%Z = true.
Proof. lia. Qed.
(* A move of a game: its heap and what becomes of it. *)
Ltac open_game O S :=
  let h := fresh "h" in let y := fresh "y" in let A := fresh "A" in let P := fresh "P" in
  destruct S as (h & y & -> & -> & S & A); apply Forall_inv in O; rename O into P; hnf in S; cbn [same_player] in S;
  try specialize (A eq_refl).
Ltac opened_smaller S :=
  repeat match type of S with _ \/ _ => destruct S as [S|S] end;
  repeat match goal with H : exists _, _ |- _ => destruct H | H : _ /\ _ |- _ => destruct H end;
  rewrite ?total_cons; cbn [total]; first [lia | branch; lia].
(* Pairs that are equal part by part. *)
Ltac by_pairs := repeat match goal with |- (_, _) = (_, _) => apply f_equal2 end.
(* A move of a game of the type [rules]: one goal for each kind of moves. *)
Ltac open_kinds S := let k := fresh "k" in let K := fresh "K" in let C := fresh "C" in
  destruct S as (k & K & C & S); each_kind K;
  cbn [makes chosen on_one on_two on_three on_four on_each each_makes same_player length] in C, S.
Ltac chosen_heaps C hs := repeat (destruct hs as [|? hs]; try discriminate C).
(* The heaps that are made are known one by one. *)
Ltac opened_lists :=
  repeat match goal with H : exists _, _ |- _ => destruct H | H : _ /\ _ |- _ => destruct H end;
  repeat match goal with H : ?o = _ |- _ => is_var o; lazymatch type of o with list N => subst o end end;
  repeat match goal with H : @eq (list N) _ _ |- _ => cbn [app] in H; first [discriminate H | injection H; clear H; intros] end;
  repeat match goal with H : context [[?h] ++ ?R] |- _ => change ([h] ++ R) with (h :: R) in H end;
  repeat match goal with
  | H : ?h = least (?h :: ?R) |- _ => apply chosen_least in H; [|assumption]
  | H : ?h = largest (?h :: ?R) |- _ => apply chosen_largest in H
  end.
Ltac all_occupied O := repeat (apply Forall_cons_iff in O; let P := fresh "P" in destruct O as [P O]); clear O.
Ltac note_quotients := repeat match goal with H : context [?a / ?b] |- _ =>
  pose proof (N.mul_div_le a b ltac:(discriminate)); let q := fresh "q" in set (q := a / b) in *; clearbody q end.
(* The obligation "measure". *)
Ltac leaves_less O S hs :=
  open_kinds S; match goal with C : length hs = _ |- _ => chosen_heaps C hs end;
  cbn [each_makes] in S; all_occupied O; opened_lists; note_quotients; cbn [app];
  rewrite ?total_cons, ?number_cons; cbn [total]; change (number []) with 0;
  first [left; lia | right; split; [lia | branch; lia]].
(* A move is made: the heaps that it makes, then the conditions under which it is legal. *)
Lemma conj_last (A B : Prop) : B -> A -> A /\ B.
Proof. tauto. Qed.
Ltac made_condition :=
  repeat match goal with |- context [[?h] ++ ?R] => change ([h] ++ R) with (h :: R) end;
  lazymatch goal with
  | |- ?h = least (?h :: _) => apply chosen_least; [assumption|]
  | |- ?h = largest (?h :: _) => apply chosen_largest
  | |- _ => idtac
  end; first [solve [plainly] | lia | solve [branch; lia]].
(* A 1 of the term of a heap is one of the tested numbers. *)
Ltac as_tested c := let h := fresh "h" in let P := fresh "P" in let H := fresh "H" in intros h P H; unfold c; cbv beta in H |- *;
  rewrite ?(heap_there h P), ?orb_true_iff, ?Z.ltb_lt; first [exact H | tauto].
Ltac make_heaps := lazymatch goal with
  | |- exists _, _ => eexists; make_heaps
  | |- _ /\ _ => apply conj_last; [make_heaps | made_condition]
  | |- @eq (list N) _ _ => repeat (apply f_equal2; [first [reflexivity | lia]|]); reflexivity
  | |- _ => made_condition
  end.
(* A heap that may be 0, in the folds of an instance. *)
Lemma heap_joined {F} (join : N -> F -> F) h x : 0 < h -> join_heap F join h x = join h x.
Proof. intros P. unfold join_heap. destruct (h =? 0) eqn:E; [lia | reflexivity]. Qed.
Ltac heap_added h :=
  unfold join_heap; destruct (h =? 0)%N eqn:E;
  [ assert (h = 0%N) as -> by lia; change (0 <? Z.of_N 0)%Z with false; change (Z.of_N 0) with 0%Z; cbn [andb]; cbv iota
  | assert (E' : (0 <? Z.of_N h)%Z = true) by lia; rewrite ?E'; cbn [andb]; cbv iota ];
  by_pairs; first [reflexivity | rewrite ?Z.lxor_0_r, ?Z.land_0_r, ?Z.land_0_l, ?Z.lxor_0_r; reflexivity | branch; lia].
(* An equation of tuples, fold by fold. *)
Ltac split_values E :=
  lazymatch type of E with
  | (_, _) = (_, _) => let A := fresh "E" in pose proof (f_equal fst E) as A; cbn [fst] in A; apply (f_equal snd) in E; cbn [snd] in E; split_values A
  | _ => idtac
  end.
Lemma eqb_of_N a b : (Z.of_N a =? Z.of_N b)%Z = (a =? b).
Proof. lia. Qed.
Lemma leb_of_N a b : (Z.of_N a <=? Z.of_N b)%Z = (a <=? b).
Proof. lia. Qed.
Lemma ltb_of_N a b : (Z.of_N a <? Z.of_N b)%Z = (a <? b).
Proof. lia. Qed.
(* A number of a claim, as an integer: K says of a fold which value it has. *)
Ltac folds_valued := repeat match goal with K : Z.of_N ?n = ?x |- context [Z.of_N ?n] => is_var x; rewrite K end.
(* A fold of the theory is the fold of an instance. *)
Ltac same_heap :=
  let h := fresh "h" in let P := fresh "P" in
  intros h P; unfold only; rewrite <- ?eqb_of_N, <- ?leb_of_N, <- ?ltb_of_N;
  rewrite ?bit_is, ?highest_is, <- ?lxor_of_N, ?N2Z.inj_mod, ?N2Z.inj_div, ?N2Z.inj_add; folds_valued; cbn [Z.of_N];
  first [reflexivity | lia | solve [branch; rewrite ?N2Z.inj_mod, ?N2Z.inj_div, ?N2Z.inj_add; first [reflexivity | lia]]].
Ltac same_fold :=
  match goal with
  | H : ?x = gather _ _ _ |- _ = ?x => rewrite H
  | H : ?x = Z.of_N _ |- _ = ?x => rewrite H
  | H : ?x = _ |- _ = ?x => rewrite H
  end; unfold nim_sum;
  first [ reflexivity
        | apply number_is
        | apply total_is
        | lazymatch goal with
          | |- _ = gather (fun h x => Z.lxor (@?t h) x) 0%Z _ => apply (nim_sum_of_is t); same_heap
          | |- _ = gather (fun h x => (if @?c h then 1 else 0) + x)%Z 0%Z _ => apply (count_is c); same_heap
          end ].
Ltac same_count := apply (f_equal Z.of_N), count_ext; same_heap.
(* The folds of a position, one by one. *)
Ltac by_one_more :=
  match goal with |- folded _ _ _ ?s = _ =>
    unfold folded; induction s as [|h s IH]; cbn [gather]; [reflexivity|];
    let E := fresh in destruct (h =? 0)%N eqn:E;
    [ rewrite IH; by_pairs; first [reflexivity | f_equal; assert (h = 0%N) as -> by lia; first [reflexivity | symmetry; apply columns_gone; reflexivity] | f_equal; rewrite ?largest_cons, ?times_of_largest_cons, ?least_beside, ?times_beside, ?E; lia]
    | rewrite IH; match goal with |- ?j _ _ = _ => unfold j end; by_pairs;
      first [reflexivity | symmetry; one_more_column | rewrite ?largest_cons, ?times_of_largest_cons, ?least_beside, ?times_beside, ?E; branch; lia] ]
  end.
Ltac facts_kept :=
  by_parts; repeat match goal with |- _ /\ _ => split | |- _ -> _ => intro end;
  first [assumption | solve [naturals] | solve [without_branches; branch; lia] | solve [open_facts; by_parts; lia] | solve [open_facts; by_parts; branch; lia]].
Ltac by_contradiction := match goal with |- ?A => let D := fresh in assert (D : A \/ ~ A) by lia; destruct D as [D|D]; [exact D | exfalso] end.
Ltac met_premise E W :=
  first [ exact W | repeat match goal with A : ?x = gather _ _ ?s |- _ => is_var x; progress rewrite <- A end; exact W | lia ].
Ltac digit_by_digit := let n := fresh "n" in apply Z.bits_inj'; intros n _; repeat rewrite ?Z.lxor_spec, ?Z.land_spec;
  repeat match goal with |- context [Z.testbit ?x n] => destruct (Z.testbit x n) end; reflexivity.
Ltac in_any_order join x open :=
  intros; unfold join; open (); by_pairs; first [reflexivity | apply lxor_exchange | digit_by_digit | lia | branch; lia].
(* Whether a heap is there. *)
Ltac is_gone O := change (0 <? Z.of_N 0)%Z with false in O; cbn [andb] in O; cbv iota in O.
(* The game of another file, under the name that it has here. *)
Ltac of_game g H := match type of H with context [wins ?f] => change (wins f) with (wins g) in H; change (loses f) with (loses g) in H end.
(* The folds of a position whose heaps are written one by one.  A proof reads them from the last one to the first. *)
Lemma reversed (s : position) : s ≡ rev s.
Proof. apply same_order, Permutation_rev. Qed.
(* [known]: who wins in the game g. *)
Ltac written_heaps known g :=
  repeat match goal with
  | |- context [wins g ?p (?h :: ?r)] =>
      rewrite (wins_same g p (h :: r) (rev (h :: r)) (reversed (h :: r)));
      let K := fresh in pose proof (proj1 (proj1 (known (rev (h :: r))) p)) as K; of_game g K; rewrite K; clear K
  | |- context [rules_wins g ?p (?h :: ?r)] =>
      rewrite (rules_wins_same g p (h :: r) (rev (h :: r)) (reversed (h :: r)));
      let K := fresh in pose proof (proj1 (proj1 (known (rev (h :: r))) p)) as K; rewrite K; clear K
  end;
  unfold folded; cbn [rev app gather];
  repeat match goal with |- context [(?x =? 0)%N] => is_var x; destruct (x =? 0)%N eqn:? end;
  repeat match goal with H : (?x =? 0)%N = true |- _ => apply N.eqb_eq in H; subst x end.
Ltac forget_all_but O clearing := clearing ().
(* A test that is true, as a proposition. *)
Ltac is_true_test H := rewrite ?andb_true_iff, ?orb_true_iff, ?negb_true_iff, ?Z.eqb_eq, ?Z.leb_le, ?Z.ltb_lt, ?Z.eqb_neq in H.
(* What is told of a fold is told of its value. *)
Lemma top_bit_of_some (c : bool) a x :
  (Z.lxor (if c then a else 0) x < (if c then a else 0) -> 0 <= x -> c = true /\ Z.lxor a x < a)%Z.
Proof. destruct c; [auto|]. rewrite Z.lxor_0_l. lia. Qed.
Ltac told H :=
  cbv beta in H; try (is_true_test H); repeat match goal with E : ?x = gather _ _ ?s |- _ => progress rewrite <- E in H | E : ?x = Z.of_N _ |- _ => is_var x; progress rewrite <- E in H end;
  try (apply top_bit_of_some in H; [destruct H as [? H] | assumption]; match goal with C : _ = true |- _ => is_true_test C end).
(* A natural number that is given as an integer. *)
Ltac name_pick z n :=
  let E := fresh "E" in assert (E : exists n : N, Z.of_N n = z);
  [ exists (Z.to_N z); apply Z2N.id; first [solve [plainly] | lia | solve [branch; lia]] | destruct E as (n & E) ].
(* Numbers in the place of folds, because lia would look into the terms of a fold. *)
Ltac name_folds := repeat match goal with K : Z.of_N ?n = _ |- _ => tryif is_var n then fail else
  let v := fresh "n" in set (v := n) in *; clearbody v end.
(* T says of a condition that it holds if and only if the mover does not win; [b]: whether the mover wins. *)
Lemma answer_by (A C : Prop) : (A <-> C) -> C \/ ~ C -> exists b : bool, A <-> ~ b = true.
Proof.
  intros E [H|H]; [exists false | exists true]; split; intros X; try (exact (proj2 E H)); try discriminate.
  - intros _. apply H, E, X.
  - destruct (X eq_refl).
Qed.
Ltac answer T b := let B := fresh "B" in
  destruct (answer_by _ _ T) as (b & B); [first [lia | branch; lia] | setoid_rewrite B; rewrite B in T; clear B].
(* A heap that a proof considers, from the proof that there is one. *)
Ltac considered found :=
  let Q := fresh in let h := fresh "h" in let R := fresh "R" in let P := fresh "P" in let S := fresh "S" in
  pose proof found as Q; cbv beta in Q; destruct Q as (h & R & P & S & Q); told Q;
  exists h, R; split; [exact P|]; split; [exact S|]; cbv beta; first [exact Q | clear - Q; lia].
(* What is known of the remainders and nim-sums in the goal. *)
Ltac note_remainders := repeat match goal with
  | |- context [Z.modulo ?a ?b] => pose proof (Z.mod_le a b ltac:(lia) ltac:(lia)); pose proof (Z.mod_pos_bound a b ltac:(lia));
      generalize dependent (Z.modulo a b); intros
  | |- context [Z.lxor ?a ?b] => assert (0 <= Z.lxor a b)%Z by (apply lxor_natural; lia); generalize dependent (Z.lxor a b); intros end.
Lemma natural_kept y : (Z.of_N y = if 0 <=? Z.of_N y then Z.of_N y else 0)%Z.
Proof. destruct y; reflexivity. Qed.
(* A number of a claim, which Y says what it is, as an integer. *)
Ltac written Y :=
  rewrite Y, ?N2Z.inj_sub_max, ?N2Z.inj_add, <- ?lxor_of_N, ?N2Z.inj_mod, ?N2Z.inj_div, ?N2Z.inj_add; folds_valued; cbn [Z.of_N];
  clear Y; note_remainders; lia.
(* A condition on integers, from the same condition G on natural numbers. *)
Ltac from_numbers G :=
  repeat match type of G with context [bit ?x ?i] =>
    let B := fresh in pose proof (bit_is x i) as B; revert B;
    rewrite ?highest_is, ?N2Z.inj_mod, ?N2Z.inj_div, ?N2Z.inj_add; folds_valued; cbn [Z.of_N]; generalize dependent (bit x i); intros end;
  lia.
Ltac made_legal := repeat match goal with |- _ /\ _ => split end; first [solve [plainly] | lia | solve [branch; lia]].
Ltac is_there y O := rewrite ?(heap_there y) in O by assumption; cbn [andb] in O; cbv iota in O.
(* The same for all heaps in sight. *)
Ltac know_heaps O :=
  repeat match goal with P : 0 < ?y |- _ => progress rewrite (heap_there y P) in O end;
  change (0 <? Z.of_N 0)%Z with false in O; change (0 <? 1)%Z with true in O; change (0 <? 2)%Z with true in O;
  cbn [andb] in O; cbv iota in O; rewrite ?Z.lxor_0_l in O.
Ltac refute_with O L :=
  first [ exact (O L)
        | destruct O as [O|O];
          [exfalso; apply O; clear O L; made_legal | first [exact (L O) | apply O; first [exact L | lia | solve [branch; lia]]]]
        | lia ].
(* The same for the heaps of a written position; a remainder is a number, of which O says what it is. *)
Ltac know_written O :=
  first [exfalso; lia | idtac];
  repeat match goal with E : (?x =? 0) = false |- _ => let P := fresh in assert (P : 0 < x) by lia; clear E end;
  know_heaps O;
  repeat match goal with |- context [?a mod ?b] => lazymatch b with N.pos _ => fail | _ =>
    let E := fresh in pose proof (N2Z.inj_mod a b) as E; rewrite ?N2Z.inj_add in E; cbn [Z.of_N] in E;
    rewrite <- E in *; clear E; generalize dependent (a mod b); intros end end.
(* A nim-sum of an image is the nim-sum of the position to which a proof by folds reduces it. *)
Ltac image_fold :=
  repeat match goal with H : ?x = gather _ _ _ |- context [?x] => is_var x; rewrite H end;
  lazymatch goal with
  | |- gather (fun h x => Z.lxor (@?t h) x) 0%Z (map ?f (heaps ?s)) = gather (fun g y => Z.lxor (@?u g) y) 0%Z _ =>
      apply (nim_sum_of_image f t u); let a := fresh "h" in let P := fresh "P" in
      intros a P; cbv beta; rewrite ?N2Z.inj_mod, ?N2Z.inj_add, ?Zmod_mod; cbn [Z.of_N andb];
      repeat match goal with |- context [(0 <? ?m)%Z] => destruct (0 <? m)%Z; cbn [andb] end; reflexivity
  end.
(* A condition on folds holds or not. *)
Ltac decided_folds := lazymatch goal with
  | |- True \/ _ => left; exact I
  | |- _ => first [lia | branch; lia]
  end.
(* A part of a claim that asks about options is the question about their folds. *)
Ltac ask_some is :=
  let t := fresh "t" in let M := fresh "M" in let Q := fresh "Q" in
  split; intros (t & M & Q); exists t; (split; [exact M | apply is; exact Q]).
Ltac ask_none is or_not :=
  let t := fresh "t" in let M := fresh "M" in let Q := fresh "Q" in let N := fresh "N" in
  split;
  [ intros N (t & M & Q); apply is in Q; specialize (N t M); first [exact (N Q) | lia]
  | intros N t M; edestruct or_not as [Q|Q];
    [exfalso; apply N; exists t; split; [exact M | exact Q] | rewrite <- is in Q; lia] ].

(* Claims that follow from who wins.  The definition of winning, used once. *)
Lemma wins_once g p s : stuck_wins g = false -> wins g p s <-> exists t, move g p s t /\ loses g (other p) t.
Proof.
  intros No. split.
  - intros W. inversion W as [? ? t M L | ? ? Mi _]; subst; [|congruence]. exists t. auto.
  - intros (t & M & L). exact (some_move g p s t M L).
Qed.
(* What is told of folds is told of their values. *)
Ltac of_values H := repeat match goal with E : ?x = gather _ _ _ |- _ => progress rewrite <- E in H end.
(* The folds of a heap y and others: y may be 0. *)
Ltac folds_after y open :=
  let G := fresh in destruct (N.eq_0_gt_0_cases y) as [G|G];
  [ rewrite G, joins_gone; change (0 <? Z.of_N 0)%Z with false; cbn [andb]; cbv iota; reflexivity
  | rewrite joins_one by exact G; open (); rewrite ?(heap_there y G); cbn [andb]; cbv iota; reflexivity ].
(* The nim-sum of two natural numbers is that of two integers. *)
Ltac nim_sums_of_numbers :=
  let name a b := (
    let E := fresh in pose proof (lxor_of_N a b) as E; generalize dependent (N.lxor a b); intros;
    repeat match goal with K : Z.of_N ?x = _ |- _ => lazymatch type of E with context [Z.of_N x] => rewrite K in E end end) in
  repeat match goal with
  | |- context [N.lxor ?a ?b] => name a b
  | H : context [N.lxor ?a ?b] |- _ => name a b
  end.
