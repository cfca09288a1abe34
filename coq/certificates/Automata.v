(* Lemmas by automata: literals over naturals of any size that exclude each other.

   If a sum of numbers is evaluated bit by bit, only one integer matters, its carry.  Literals therefore form an automaton
   whose states are lists of carries.  Suppose that a set of states contains the initial state, is closed under every
   letter, and contains no accepting state.  Then no numbers satisfy all the literals. *)
Require Import List NArith ZArith Bool Lia.
From NimChecks Require Import Streams.
Import ListNotations.
Open Scope Z_scope.

(* The streams of the automaton: inputs, numbered from 0, and bitwise operations on them. *)
Inductive reading := Input (i : nat) | Xors (a b : reading) | Ands (a b : reading).
Definition readings := list (Z * reading).

Fixpoint whole (w : list N) (r : reading) : N := match r with
  | Input i => nth i w 0%N
  | Xors a b => N.lxor (whole w a) (whole w b)
  | Ands a b => N.land (whole w a) (whole w b)
  end.
Fixpoint bit (l : list bool) (r : reading) : bool := match r with
  | Input i => nth i l false
  | Xors a b => xorb (bit l a) (bit l b)
  | Ands a b => bit l a && bit l b
  end.
Fixpoint total (w : list N) (t : readings) : Z := match t with
  | [] => 0
  | (k, r) :: t => k * Z.of_N (whole w r) + total w t
  end.
Fixpoint bits (l : list bool) (t : readings) : Z := match t with
  | [] => 0
  | (k, r) :: t => (if bit l r then k else 0) + bits l t
  end.

Lemma whole_div2 w r : N.div2 (whole w r) = whole (map N.div2 w) r.
Proof.
  induction r; cbn [whole].
  - symmetry. apply (map_nth N.div2 w 0%N).
  - rewrite N.div2_spec, N.shiftr_lxor, <- !N.div2_spec. congruence.
  - rewrite N.div2_spec, N.shiftr_land, <- !N.div2_spec. congruence.
Qed.
Lemma whole_odd w r : N.odd (whole w r) = bit (map N.odd w) r.
Proof.
  induction r; cbn [whole bit].
  - symmetry. apply (map_nth N.odd w 0%N).
  - rewrite <- N.bit0_odd, N.lxor_spec, !N.bit0_odd. congruence.
  - rewrite <- N.bit0_odd, N.land_spec, !N.bit0_odd. congruence.
Qed.
Lemma total_step w t : total w t = 2 * total (map N.div2 w) t + bits (map N.odd w) t.
Proof.
  induction t as [|[k r] t IH]; cbn [total bits]; [reflexivity|].
  rewrite IH, <- whole_div2, <- whole_odd, (N.div2_odd (whole w r)) at 1.
  destruct (N.odd (whole w r)); cbn [N.b2n]; lia.
Qed.
Lemma total_zero w t : (forall x, In x w -> x = 0%N) -> total w t = 0.
Proof.
  intros Z. assert (V : forall r, whole w r = 0%N).
  { induction r; cbn [whole]; [|rewrite IHr1, IHr2; reflexivity..]. destruct (nth_in_or_default i w 0%N); auto. }
  induction t as [|[k r] t IH]; cbn [total]; [reflexivity|]. rewrite V, IH. lia.
Qed.

(* total + carry < 0, >= 0, = 0, <> 0. *)
Inductive kind := Negative | Natural | Zero | NotZero.
Definition literal := (kind * readings)%type.
Definition holds_at (k : kind) (x : Z) : Prop := match k with
  | Negative => x < 0 | Natural => x >= 0 | Zero => x = 0 | NotZero => x <> 0 end.

(* The carry of each literal, or None if the literal holds for all further bits. *)
Definition state := list (option Z).
Definition holds (w : list N) (l : literal) (c : option Z) : Prop := match c with
  | None => True | Some c => holds_at (fst l) (total w (snd l) + c) end.
Fixpoint all_hold (w : list N) (ls : list literal) (st : state) : Prop := match ls, st with
  | l :: ls, c :: st => holds w l c /\ all_hold w ls st | _, _ => True end.

(* The step for one bit: [b] is the sum over that bit.  None: the literal fails for all further bits. *)
Definition carry (k : kind) (b : Z) (c : option Z) : option (option Z) := match c with
  | None => Some None
  | Some c => let x := c + b in match k with
    | Negative | Natural => Some (Some (x / 2))
    | Zero => if Z.even x then Some (Some (x / 2)) else None
    | NotZero => if Z.even x then Some (Some (x / 2)) else Some None
    end end.
Fixpoint step (ks : list kind) (bs : list Z) (st : state) : option state := match ks, bs, st with
  | k :: ks, b :: bs, c :: st => match carry k b c with
    | None => None
    | Some c => match step ks bs st with None => None | Some st => Some (c :: st) end end
  | _, _, _ => Some [] end.
Definition accepts_one (k : kind) (c : option Z) : bool := match c with
  | None => true
  | Some x => match k with Negative => x <? 0 | Natural => 0 <=? x | Zero => x =? 0 | NotZero => negb (x =? 0) end end.
Fixpoint accepts (ks : list kind) (st : state) : bool := match ks, st with
  | k :: ks, c :: st => accepts_one k c && accepts ks st | _, _ => true end.

Definition adds (ls : list literal) (l : list bool) : list Z := map (fun x => bits l (snd x)) ls.

Lemma carry_ok w k t c : holds w (k, t) c ->
  exists c', carry k (bits (map N.odd w) t) c = Some c' /\ holds (map N.div2 w) (k, t) c'.
Proof.
  unfold holds. cbn [fst snd]. destruct c as [c|]; cbn [carry]; [|exists None; auto].
  rewrite (total_step w t). set (b := bits (map N.odd w) t). set (X := total (map N.div2 w) t).
  assert (D : c + b = 2 * ((c + b) / 2) + (c + b) mod 2) by (apply Z.div_mod; lia).
  pose proof (Z.mod_pos_bound (c + b) 2 eq_refl) as M.
  destruct k; cbn [holds_at]; intros H.
  1, 2: exists (Some ((c + b) / 2)); split; [reflexivity|]; cbn; lia.
  - destruct (Z.even (c + b)) eqn:E; [exists (Some ((c + b) / 2)); split; [reflexivity|]; cbn|exfalso];
      rewrite Zmod_even, E in D; lia.
  - destruct (Z.even (c + b)) eqn:E; [exists (Some ((c + b) / 2))|exists None]; (split; [reflexivity|]); [cbn|exact I].
    rewrite Zmod_even, E in D. lia.
Qed.
Lemma step_ok w ls : forall st, all_hold w ls st ->
  exists st', step (map fst ls) (adds ls (map N.odd w)) st = Some st' /\ all_hold (map N.div2 w) ls st'.
Proof.
  induction ls as [|[k t] ls IH]; intros [|c st] H; cbn in *; try (eexists; split; [reflexivity | exact I]).
  destruct H as [H1 H2]. destruct (carry_ok _ _ _ _ H1) as (c' & -> & A). destruct (IH _ H2) as (s' & E & B).
  unfold adds in E. rewrite E. eexists; split; [reflexivity|]. split; assumption.
Qed.
Lemma accepts_ok w ls : (forall x, In x w -> x = 0%N) -> forall st, all_hold w ls st -> accepts (map fst ls) st = true.
Proof.
  intros Z. induction ls as [|[k t] ls IH]; intros [|c st] H; cbn in *; auto.
  destruct H as [H1 H2]. rewrite (IH _ H2), andb_true_r. destruct c as [c|]; cbn in *; auto.
  rewrite (total_zero w t Z) in H1. destruct k; cbn in *; lia.
Qed.

(* All letters: the combinations of one bit of n inputs. *)
Fixpoint letters (n : nat) : list (list bool) := match n with
  | O => [[]] | S n => flat_map (fun l => [true :: l; false :: l]) (letters n) end.
Lemma letters_all l : In l (letters (length l)).
Proof.
  induction l as [|b l IH]; cbn; [auto|]. apply in_flat_map. exists l. split; [exact IH|]. destruct b; cbn; auto.
Qed.

Definition same_carry (a b : option Z) := match a, b with None, None => true | Some x, Some y => x =? y | _, _ => false end.
Fixpoint same_state (a b : state) := match a, b with
  | [], [] => true | x :: a, y :: b => same_carry x y && same_state a b | _, _ => false end.
Lemma same_state_ok a : forall b, same_state a b = true -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] H; cbn in H; try discriminate; auto.
  apply andb_prop in H. destruct H as [H1 H2]. f_equal; auto.
  destruct x, y; cbn in H1; try discriminate; auto. f_equal. lia.
Qed.
Definition member (s : state) (all : list state) := existsb (same_state s) all.
Lemma member_ok s all : member s all = true -> In s all.
Proof. intros H. apply existsb_exists in H. destruct H as (x & I & E). apply same_state_ok in E. subst. exact I. Qed.

Definition invariant (n : nat) (ls : list literal) (start : state) (all : list state) : bool :=
  let ks := map fst ls in let sums := map (adds ls) (letters n) in
  member start all && forallb (fun s => negb (accepts ks s) &&
    forallb (fun x => match step ks x s with None => true | Some t => member t all end) sums) all.

Theorem invariant_ok n ls start all : invariant n ls start all = true ->
  forall w, length w = n -> ~ all_hold w ls start.
Proof.
  intros H. apply andb_prop in H. destruct H as [S0 H]. apply member_ok in S0. rewrite forallb_forall in H.
  assert (main : forall m w, length w = n -> (forall x, In x w -> (x < 2 ^ N.of_nat m)%N) ->
    forall s, In s all -> ~ all_hold w ls s).
  { induction m as [|m IH]; intros w L B s I A; specialize (H s I); apply andb_prop in H as H'; destruct H' as [NA Cl].
    - rewrite (accepts_ok w ls) in NA; [discriminate | | exact A]. intros x Ix. specialize (B x Ix). cbn in B. lia.
    - destruct (step_ok w ls s A) as (t & E & A'). rewrite forallb_forall in Cl.
      assert (Il : In (adds ls (map N.odd w)) (map (adds ls) (letters n))).
      { apply in_map. rewrite <- L, <- (map_length N.odd w). apply letters_all. }
      specialize (Cl _ Il). rewrite E in Cl. apply member_ok in Cl.
      apply (IH (map N.div2 w)) in A'; auto; [rewrite map_length; exact L|].
      intros x Ix. apply in_map_iff in Ix. destruct Ix as (y & <- & Iy). specialize (B y Iy).
      rewrite Nat2N.inj_succ, N.pow_succ_r' in B. pose proof (N.div2_odd y). lia. }
  intros w L. assert (Big : exists m, forall x, In x w -> (x < 2 ^ N.of_nat m)%N).
  { clear. induction w as [|y w [m IH]]; [exists O; intros x []|].
    exists (max m (N.to_nat (N.size y))). intros x [<-|I].
    - apply N.lt_le_trans with (2 ^ N.size y)%N; [apply N.size_gt | apply N.pow_le_mono_r; lia].
    - apply N.lt_le_trans with (2 ^ N.of_nat m)%N; [apply IH; exact I | apply N.pow_le_mono_r; lia]. }
  destruct Big as [m B]. exact (main m w L B start S0).
Qed.

(* From atoms to the streams of the automaton: variables and products are its inputs. *)
Fixpoint place (s : stream) (inputs : list stream) : option nat := match inputs with
  | [] => None
  | x :: r => if same_stream s x then Some O else option_map S (place s r) end.
Lemma place_ok v s inputs : forall i, place s inputs = Some i -> nth i (map (value v) inputs) 0%N = value v s.
Proof.
  induction inputs as [|x r IH]; cbn; intros i E; [discriminate|].
  destruct (same_stream s x) eqn:S; [apply same_stream_ok in S; injection E as <-; congruence|].
  destruct (place s r) as [j|]; [|discriminate]. injection E as <-. cbn. auto.
Qed.
Fixpoint read (inputs : list stream) (s : stream) : option reading := match s with
  | Var _ | Times _ _ => option_map Input (place s inputs)
  | Xor a b => match read inputs a, read inputs b with Some a, Some b => Some (Xors a b) | _, _ => None end
  | And a b => match read inputs a, read inputs b with Some a, Some b => Some (Ands a b) | _, _ => None end
  end.
Lemma read_ok v inputs s : forall r, read inputs s = Some r -> whole (map (value v) inputs) r = value v s.
Proof.
  induction s; cbn [read]; intros r E;
    try (destruct (place _ inputs) eqn:P; [|discriminate]; injection E as <-; exact (place_ok v _ _ _ P));
    destruct (read inputs s1) as [a|]; try discriminate; destruct (read inputs s2) as [b|]; try discriminate;
    injection E as <-; cbn; rewrite IHs1, IHs2; auto.
Qed.
Fixpoint read_all (inputs : list stream) (t : terms) : option readings := match t with
  | [] => Some []
  | (k, s) :: t => match read inputs s, read_all inputs t with Some r, Some t => Some ((k, r) :: t) | _, _ => None end end.
Lemma read_all_ok v inputs t : forall r, read_all inputs t = Some r -> total (map (value v) inputs) r = sum v t.
Proof.
  induction t as [|[k s] t IH]; cbn [read_all]; intros r E; [injection E as <-; reflexivity|].
  destruct (read inputs s) as [a|] eqn:A; [|discriminate]. destruct (read_all inputs t) as [b|]; [|discriminate].
  injection E as <-. cbn. rewrite (read_ok v _ _ _ A), (IH b eq_refl). reflexivity.
Qed.

(* A literal: an atom and its wanted truth value.  sum + c <= 0 becomes sum + c - 1 < 0. *)
Definition asked := (atom * bool)%type.
Definition kind_of (x : asked) : kind := match equation (fst x), snd x with
  | true, true => Zero | true, false => NotZero | false, true => Negative | false, false => Natural end.
Definition first (x : asked) : option Z :=
  Some (if equation (fst x) then constant (fst x) else constant (fst x) - 1).
Fixpoint read_literals (inputs : list stream) (xs : list asked) : option (list literal) := match xs with
  | [] => Some []
  | x :: xs => match read_all inputs (left (fst x)), read_literals inputs xs with
    | Some t, Some ls => Some ((kind_of x, t) :: ls) | _, _ => None end end.
Lemma read_literals_ok v inputs xs : forall ls, read_literals inputs xs = Some ls ->
  (forall a b, In (a, b) xs -> truth v a = b) -> all_hold (map (value v) inputs) ls (map first xs).
Proof.
  induction xs as [|[a b] xs IH]; cbn [read_literals fst]; intros ls E H; [injection E as <-; exact I|].
  destruct (read_all inputs (left a)) as [t|] eqn:T; [|discriminate].
  destruct (read_literals inputs xs) as [ls'|]; [|discriminate]. injection E as <-. split.
  - specialize (H a b (or_introl eq_refl)). unfold truth in H. cbn. rewrite (read_all_ok v _ _ _ T).
    unfold kind_of; cbn. destruct (equation a), b; cbn in *; lia.
  - apply IH; [reflexivity|]. intros a' b' I. apply H. right. exact I.
Qed.

Fixpoint add_inputs (s : stream) (inputs : list stream) : list stream := match s with
  | Var _ | Times _ _ => if existsb (same_stream s) inputs then inputs else s :: inputs
  | Xor a b | And a b => add_inputs a (add_inputs b inputs) end.
Definition inputs_of (xs : list asked) : list stream :=
  fold_right (fun x known => fold_right (fun t => add_inputs (snd t)) known (left (fst x))) [] xs.

(* The check that the literals exclude each other, and its correctness. *)
Definition excluded (xs : list asked) (states : list state) : bool :=
  let inputs := inputs_of xs in match read_literals inputs xs with
  | Some ls => invariant (length inputs) ls (map first xs) states | None => false end.

Theorem excluded_ok xs states : excluded xs states = true -> forall v, ~ forall a b, In (a, b) xs -> truth v a = b.
Proof.
  unfold excluded. destruct (read_literals (inputs_of xs) xs) as [ls|] eqn:R; [|discriminate]. intros H v A.
  apply (invariant_ok _ _ _ _ H (map (value v) (inputs_of xs))); [apply map_length|].
  exact (read_literals_ok v _ _ _ R A).
Qed.
