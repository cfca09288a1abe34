"""The Coq text of proofs by the rule "few heaps", as instances of the theorem in coq/theory/Few.v.

The instance defines the lost positions over the integers. Each obligation of the proof is a Coq lemma, which its
certificate proves. The instance applies this lemma to the heaps, numbers and picks that the obligation is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import ClassVar, TypeAlias

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.coq.instances import (
    PosedObligation,
    RuleInstance,
    Values,
    name_obligations,
    write_condition,
    write_list_pattern,
    write_number,
    write_pattern,
)
from encoders.coq.propositions import GAME, RULES, Statements, type_in_coq
from encoders.coq.statement import Binder, state, write_section
from encoders.coq.writing import AND, BINDER, OR, Text, comment, join_texts, name_in_coq
from encoders.logic.moves import open_choices
from encoders.logic.reader import Env
from encoders.logic.sequents import ZERO, is_same_polynomial, names_in
from encoders.refusals import Unsupported
from encoders.rules.base.lemmas import LEMMA, NamedLemma
from encoders.rules.base.rule import ProofServices, build_with_reader
from encoders.rules.base.turns import MoveNames, MoverPair, find_stuck, turns_of
from encoders.rules.few_heaps import (
    CLAIM,
    NUMBER,
    OF_GAMES,
    Choice,
    ClaimReader,
    FewHeapsMove,
    FewHeapsMoveObligations,
    FewHeapsPosition,
    FewProof,
    FewReader,
    LeastNumberDefinition,
    Order,
    Sizes,
    is_sorted_copy,
    label_closed,
    list_choices,
    list_claim_obligations,
    list_game_obligations,
    make_cover_pose,
    orders,
)
from encoders.trust import Reason


# == obligations ======================================================================================================
# The obligations of a proof, each with the reader that built it. The reader knows what its variables stand for.
class _Recorder(FewReader):
    """A reader that records what its variables stand for.

    `made`: the variables of heaps, named numbers and picks, or of a lemma, in the order in which they were made.
    `used`: the instances of lemmas, with the values of the variables of the lemma.
    """

    def __init__(self, claim: Claim, proof: FewProof) -> None:
        self.made: list[str] = []
        self.used: list[tuple[NamedLemma, Sequence[t.Term], t.Term]] = []
        super().__init__(claim, proof)

    def position(self, of: str = "") -> Sizes:
        sizes = super().position(of)
        self.made += (x.name for x in sizes if isinstance(x, t.Variable))
        return sizes

    def fresh(self, name: str) -> t.Variable:
        made = super().fresh(name)
        self.made.append(made.name)
        return made

    def name_numbers(self, env: dict[str, object], numbers: Iterable[LeastNumberDefinition]) -> None:
        for number in numbers:
            super().name_numbers(env, (number,))
            found = env[number.name]
            assert isinstance(found, t.Variable)
            self.made.append(found.name)

    def instance(self, lemma: NamedLemma, values: Mapping[str, t.Term]) -> t.Term:
        found = super().instance(lemma, values)
        self.used.append((lemma, [values[r.name] for r in lemma.ranges], found))
        return found


class _ClaimRecorder(_Recorder, ClaimReader):
    """A reader of the claim that records the positions which the claim writes.

    `positions`: for each position, the term of the claim, the translations of its heaps, and the variables of the heaps
    in ascending order.
    """

    def __init__(self, claim: Claim, proof: FewProof) -> None:
        self.positions: list[tuple[t.Term, Sizes, Sizes]] = []
        super().__init__(claim, proof)

    def _write(self, term: t.Term, items: tuple[t.Term, ...], env: Env) -> FewHeapsPosition:
        known = len(self.written)
        found = super()._write(term, items, env)
        if len(self.written) > known:
            missing = (ZERO,) * (len(found.sizes) - len(items))
            self.positions.append((term, (*(self.number(x, env) for x in items), *missing), found.sizes))
        return found


_Posed: TypeAlias = PosedObligation[_Recorder]


def _list_posed(claim: Claim, proof: FewProof) -> Iterator[_Posed]:
    """Return the obligations that the instance uses: those about lemmas, who wins and the claim."""
    asked_of_game = (x for x in list_game_obligations(claim, proof, ()) if x[0].kind not in OF_GAMES)
    of_game = [build_with_reader(*x, lambda: _Recorder(claim, proof)) for x in asked_of_game]
    asked_of_claim = list_claim_obligations(claim, iter(()))
    of_claim = [build_with_reader(*x, lambda: _ClaimRecorder(claim, proof)) for x in asked_of_claim]
    return name_obligations([*of_game, *of_claim])


# == instance =========================================================================================================
@dataclass(frozen=True)
class _Made:
    """What a move picks and leaves, as Coq names.

    `places`: the indices of the heaps that it chooses.
    `picks`, `left`: the names of the numbers picked, and of the heaps left.
    `sizes`: the sizes of the heaps left, as Coq text of type Z; None for a heap that is gone.
    """

    places: tuple[int, ...]
    picks: Sequence[str]
    left: Sequence[str]
    sizes: Sequence[str | None]

    @property
    def after(self) -> list[str]:
        """The heaps left, with 0 for a heap that is gone."""
        return ["0" if size is None else name for name, size in zip(self.left, self.sizes, strict=True)]

    @property
    def there(self) -> list[str]:
        """The heaps left that are not gone."""
        return [name for name, size in zip(self.left, self.sizes, strict=True) if size is not None]


@dataclass(eq=False)
class _Instance(RuleInstance[FewProof, _Posed]):
    """A writer of the Coq instance of one proof."""

    theory: ClassVar[str] = "Few"
    called: ClassVar[str] = "a proof by few heaps"

    def __post_init__(self) -> None:
        self.heaps = self._name("h", len(self.proof.heaps))
        self.least = self._name("n", len(self.proof.numbers))
        self.place = [*_integers(self.heaps), *self.least]
        if any(x.reader.divided for x in self.posed):
            raise Unsupported("for the rule few heaps, no Coq text is generated for division by a number that varies")

    @property
    def size(self) -> int:
        """The number of heaps that the proof names."""
        return len(self.proof.heaps)

    @property
    def is_game(self) -> bool:
        """Whether the Coq type of the game is `game`, and not `rules`."""
        return type_in_coq(self.game.ruleset) == GAME

    def _name(self, letter: str, count: int) -> list[str]:
        """Return names such as h1 and h2, none of which is a variable of the claim."""
        taken = [b.name for b in self.binders]
        return [name_in_coq(f"{letter}{i}", taken) for i in range(1, count + 1)]

    # -- values -------------------------------------------------------------------------------------------------------
    def _values(self, reader: _Recorder, made: Sequence[str], others: Values | None = None) -> dict[str, str]:
        """Return the Coq text for the variables of a reader.

        `made`: the text for the variables in `reader.made`, in order. `others`: the text for further variables.
        """
        found = self.integers | dict(zip(reader.made, made, strict=True)) | dict(others or {})
        for function, x, base, value in reader.told_digits.list_values():
            if isinstance(value, t.Variable) and names_in(x) <= found.keys():
                name = "exponent_in" if function == "valuation" else "sum_of_digits"
                found[value.name] = f"({name} {write_number(x, found)} {base})"
        return found

    # -- uses of obligations ------------------------------------------------------------------------------------------
    def _use(self, o: _Posed, values: Values) -> str:
        """Return the Coq tactics that add to the context, as Q, what the obligation says about these values.

        Raises Unsupported if a variable has no value.
        """
        return f"{self._use_lemmas(o.reader, values)}pose proof ({self.apply(o, values)}) as Q; give Q"

    def _use_lemmas(self, reader: _Recorder, values: Values) -> str:
        """Return the Coq tactics that add to the context the instances of lemmas that a sequent assumes."""
        assumed = {id(x.term) for x in reader.known if x.by is Reason.LEMMA}
        made = ""
        for lemma, given, says in reader.used:
            if id(says) in assumed:
                args = " ".join(f"({write_number(x, values)})%Z" for x in given)
                name = f"lemma_{self.proof.lemmas.index(lemma) + 1}"
                made += f"assert {_condition(says, values)} by from_lemma ({name} {args}).\n    "
        return made

    # -- lemmas and numbers -------------------------------------------------------------------------------------------
    def _lemmas(self) -> Iterator[str]:
        """Yield a Coq lemma for each lemma of the proof."""
        for number, lemma in enumerate(self.proof.lemmas, 1):
            o = self.find(LEMMA.make_label(name=lemma.name).name)
            names, reader = self._name("z", len(lemma.ranges)), _Recorder(self.claim, self.proof)
            own = {r.name: reader.fresh(r.name) for r in lemma.ranges}
            term = reader.instance(lemma, own)
            measure = None if lemma.measure is None else reader.number(lemma.measure, {**reader.env, **own})
            values, posed = self._values(reader, names), self._values(o.reader, names)
            says = _condition(term, values)
            yield f"{comment(f'The lemma {lemma.name!r}.')}"
            yield f"Lemma lemma_{number} ({' '.join(names)} : Z) : {says}.\nProof."
            if measure is not None:
                kinds, whole = " * ".join("Z" for _ in names), ", ".join(names)
                binds = f"let '({whole}) := z in" if len(names) > 1 else f"let {whole} := z in"
                yield f"  cut (forall z : {kinds}, {binds} {says}); [intros G; exact (G ({whole}))|]."
                yield f"  clear {' '.join(names)}."
                yield f"  apply (by_natural_measure (fun z : {kinds} => {binds} ({write_number(measure, values)})%Z))."
                yield f"  intros {write_pattern(names)} IH."
            yield "  in_ranges B."
            here = {r.name: t.Variable(INT, 0, 0, name) for r, name in zip(lemma.ranges, o.reader.made, strict=True)}
            for i, at in enumerate(lemma.smaller, 1):
                less = o.reader.values(at, {**o.reader.env, **here})
                there = ", ".join(f"({write_number(less[r.name], posed)})%Z" for r in lemma.ranges)
                yield f"  assert {_condition(o.sequent.assume[i], posed)} by if_smaller (IH ({there}))."
            yield f"  {self._use(o, posed)}. conclude_few Q.\nQed."

    def _name_numbers(self) -> Iterator[str]:
        """Yield the Coq tactics that add the named numbers of a position."""
        for i, number in enumerate(self.proof.numbers):
            name, reader = self.least[i], _Recorder(self.claim, self.proof)
            env = reader.bind_heaps(reader.position())
            reader.name_numbers(env, self.proof.numbers[: i + 1])
            when, low, high = reader.read_range(number, env)
            having = reader.truth(number.having, env)
            says = [x.term for x in reader.known if x.by is Reason.LEAST_NUMBER][i]
            made = self.place[: self.size + i]
            values = self._values(reader, [*made, name])
            given, test = _condition(when, values), f"(fun {name} => {_condition(having, values)})"
            ends = f"({write_number(low, values)})%Z ({write_number(high, values)})%Z"
            o = self.find(NUMBER.make_label(name=number.name).name)
            yield f"""\
  assert (N : exists {name} : Z, {_condition(says, values)}).
  {{ destruct (named_number {given} {test} {ends}) as ({name} & N);
    [decide_condition | intros ?; cbv beta; decide_condition | intros W | exists {name}; first [exact N | tauto]].
    {self._use(o, self._values(o.reader, made))}. conclude_few Q. }}
  destruct N as ({name} & N). rename N into N{i + 1}."""

    # -- who wins -----------------------------------------------------------------------------------------------------
    def text(self) -> Iterator[str]:
        """Yield the Coq text after the obligations. The last lemma is `claim`. Raises Unsupported."""
        game = self.numbers.games[self.game.name].argument
        yield "Open Scope N_scope."
        yield f"Notation G := {f'(of_game {game})' if self.is_game else game}."
        yield self._lost()
        if not self.is_game:
            yield "#[local] Instance in_order : orderly G.\nProof. ordered. Qed."
        yield f"""\
Lemma fewer : forall k p s hs ys, In k (all_kinds G) -> length hs = chosen k -> occupied hs -> makes k p s hs ys ->
  (length ys <= length hs)%nat /\\ total ys < total hs.
Proof. {"leaves_smaller" if self.is_game else "leaves_fewer"}. Qed."""
        yield from self._lemmas()
        for turn in turns_of(self.game):
            yield from self._closed(turn)
            for (label, named), to_loss in zip(turn.label_moves(self.proof.moves), (True, False), strict=False):
                yield from self._named_moves(turn, label.name, named, to_loss)
        yield self._who_wins()
        yield from self._claim()

    def _lost(self) -> str:
        """Return the Coq definition of the lost positions, by the list of the heaps."""
        reader = _Recorder(self.claim, self.proof)
        sizes = reader.position()
        terms = [reader.loses(sizes, player) for player in ((0,) if self.game.ruleset.impartial else (0, 1))]
        values = self._values(reader, _integers(self.heaps))
        says = [_condition(term, values) for term in terms]
        lost = says[0]
        if len(says) > 1:
            arms = " ".join(f"| {p} => {x}" for p, x in zip(self.players, says, strict=True))
            lost = f"match p with {arms} end"
        return f"""\
(* Where the player p, to move, loses, by the heaps in ascending order. *)
Definition lost (p : player) (l : list N) : Prop := match l with [{"; ".join(self.heaps)}] =>
  {lost} | _ => False end."""

    def _open_heaps(self) -> str:
        pattern = write_list_pattern(self.heaps)
        return f"destruct l as {pattern}; try discriminate Len. clear Len. cbn [ascending] in A. parts_of A."

    def _closed(self, turn: MoverPair) -> Iterator[str]:
        """Yield the Coq lemma which states that no move leads from a lost position to a lost position."""
        who, other, name = self.name_turn(turn)
        yield f"""\
Lemma closed{name} l : length l = {self.size}%nat -> ascending l -> lost {who} l ->
  ~ can_leave G {self.size} {who} l (lost {other}).
Proof.
  intros Len A L (k & hs & R & ys & K & I & O & M & L'). {self._open_heaps()}
  each_kind K; each_choice I; opened O M; cbn [app] in L'."""
        last = len(open_choices(self.game, turn.mover)) - 1
        found = groupby(list_choices(turn, self.proof.heaps), _kind_of)
        groups = [(*where, list(group)) for where, group in found]
        if self.is_game:  # in Coq, all moves on one heap are of one kind
            groups.sort(key=lambda x: x[1])
        for kind, places, group in groups:
            start, end = "{", "}"
            if self.is_game:
                opened = f"{{ open_becomes M {self._name('y', 1)[0]}. cbn [app] in L'. " if kind == 0 else ""
                start = f"{opened}{'destruct M as [M|M]. ' if kind < last else ''}{{"
                end = "} }" if kind == last else "}"
            yield f"  {start}"
            yield from self._closed_choice(turn, kind, places, group)
            yield f"  {end}"
        yield "Qed."

    def _closed_choice(
        self, turn: MoverPair, kind: int, places: tuple[int, ...], group: Sequence[tuple[str, Choice]]
    ) -> Iterator[str]:
        """Yield the Coq tactics which show that a kind of move on these heaps does not lead to a lost position."""
        made = self._make(turn, kind, places)
        for name in made.picks:
            yield f"    destruct M as ({name} & M)."
        yield "    parts_of M."
        if not self.is_game:
            pattern = write_list_pattern(made.left)
            yield f"    destruct ys as {pattern}; try discriminate. items. cbn [app] in L'."
        for i, (name, size) in enumerate(zip(made.left, made.sizes, strict=True), 1):
            if size is None:
                yield f"    assert ({name} = 0) by lia. subst {name}."
            else:
                yield f"    assert (E{i} : Z.of_N {name} = ({size})%Z) by made_equal."
        yield f"    {self._arrange(made, [choice.order for _, choice in group])}"
        given = [*_integers(self.heaps), *_integers(made.picks)]
        for j, (words, _) in enumerate(group):
            o, more = self.find(label_closed(self.proof, turn, words).name), j < len(group) - 1
            yield f"    {'destruct D as [D|D]. { ' if more else ''}destruct D as [D B]."
            yield "    cbn [ascending] in B. parts_of B. rewrite D in L'. cbv beta iota zeta delta [lost] in L, L'."
            yield f"   {_rewrite(made, chr(39))}"
            yield f"    {self._use(o, self._values(o.reader, given))}. refute_few Q L'.{' }' if more else ''}"

    # -- moves --------------------------------------------------------------------------------------------------------
    def _make(self, turn: MoverPair, kind: int, places: tuple[int, ...]) -> _Made:
        """Return the names of what a kind of move on these heaps picks and leaves. Raises Unsupported.

        `kind`: the index of the kind of move in the ruleset.
        """
        move, sizes = open_choices(self.game, turn.mover)[kind], self.game.ruleset.moves[kind].become
        gone = [is_same_polynomial(size, ZERO) for size in sizes]
        if gone.count(False) != len(move.becomes):
            raise Unsupported("for the rule few heaps, no Coq text is generated for a heap that a parameter empties")
        names, picks = self._name("y", len(sizes)), self._name("p", len(move.picks))
        reader = _Recorder(self.claim, self.proof)
        heaps = reader.position()
        _, becomes = reader.play_at(move, heaps, places, reader.free_picks(move))
        values = self._values(reader, [*_integers(self.heaps), *_integers(picks)])
        texts = [write_number(x, values) for x in becomes]
        return _Made(places, picks, names, [None if x else texts.pop(0) for x in gone])

    def _make_named(self, turn: MoverPair, kind: int, named: FewHeapsMove) -> tuple[_Made, list[str]]:
        """Return what a named move picks and leaves, and the Coq text of the numbers that it picks."""
        made, move = self._make(turn, kind, named.heaps), open_choices(self.game, turn.mover)[kind]
        reader = _Recorder(self.claim, self.proof)
        heaps = reader.position()
        env = reader.bind_heaps(heaps)
        reader.name_numbers(env, self.proof.numbers)
        take = reader.values(named.take, env)
        inner: dict[str, object] = {**reader.env, **dict(zip(move.heaps, (heaps[i] for i in named.heaps), strict=True))}
        picked = list[t.Term]()
        for pick in move.picks:
            picked.append(take[pick.word] if pick.word in take else reader.number(pick.lo, inner))
            inner[pick.name] = picked[-1]
        _, becomes = reader.play_at(move, heaps, named.heaps, take)
        values = self._values(reader, self.place)
        texts = [write_number(x, values) for x in becomes]
        sizes = [None if size is None else texts.pop(0) for size in made.sizes]
        return replace(made, sizes=sizes), [write_number(x, values) for x in picked]

    def _arrange(self, made: _Made, found: Iterable[Order]) -> str:
        """Return the Coq tactics which add that the heaps after a move are in one of these orders."""
        after = [*made.after, *(name for i, name in enumerate(self.heaps) if i not in made.places)]
        ways = list[Text]()
        for order in found:
            line = "; ".join("0" if i is None else self.heaps[i] if i >= 0 else made.there[-1 - i] for i in order)
            ways.append(Text(f"in_line {self.size} [{'; '.join(after)}] = [{line}] /\\ ascending [{line}]", AND))
        some = join_texts(ways, "\\/", OR, "False", "right").text
        return f"assert (D : {some}) by arrange_heaps."

    def _named_moves(
        self, turn: MoverPair, label: str, named: Sequence[tuple[MoveNames, FewHeapsMove]], to_loss: bool
    ) -> Iterator[str]:
        """Yield the Coq lemma which states that some named move is legal and, if `to_loss`, leads to a loss.

        `label`: the name of the obligation which states that the named moves cover the positions.
        """
        who, other, name = self.name_turn(turn)
        some = to_loss and self.game.ruleset.stuck_wins
        yield f"""\
Lemma {"reply" if to_loss else "movable"}{name} l : length l = {self.size}%nat -> ascending l ->
  {"~ " if to_loss else ""}lost {who} l -> {"(exists h, h ∈ l) -> " if some else ""}
  can_leave G {self.size} {who} l {f"(lost {other})" if to_loss else "(fun _ => True)"}.
Proof.
  intros Len A L{" Some" if some else ""}. {self._open_heaps()}{" some_heap_there Some." if some else ""}
  cbv beta iota zeta delta [lost] in L."""
        yield from self._name_numbers()
        o = self.find(label)
        yield f"  {self._use(o, self._values(o.reader, self.place))}."
        for i, (names, move) in enumerate(named):
            more = i < len(named) - 1
            yield f"  {'destruct Q as [Q|Q]. { ' if more else ''}rename Q into W."
            yield from self._named_move(turn, names, move)
            if more:
                yield "  }"
        yield "Qed." if named else "  destruct Q.\nQed."

    def _named_move(self, turn: MoverPair, names: MoveNames, named: FewHeapsMove) -> Iterator[str]:
        """Yield the Coq tactics that make the named move, and show where it leads. Raises Unsupported."""
        kinds = FewHeapsMoveObligations(turn, named).kinds()
        if len(kinds) != 1:
            words = "a named move that may be of several kinds"
            raise Unsupported(f"for the rule few heaps, no Coq text is generated for {words}")
        kind = kinds[0].number - 1
        for o, word in ((self.find(names.heap.name), "There"), (self.find(names.legal.name), "Legal")):
            yield f"  {self._use(o, self._values(o.reader, self.place))}. rename Q into {word}. parts_of {word}."
        made, taken = self._make_named(turn, kind, named)
        for name, text in zip(made.picks, taken, strict=True):
            yield f"  name_pick ({text})%Z {name}."
        for i, (name, size) in enumerate(zip(made.left, made.sizes, strict=True), 1):
            if size is not None:
                yield f"  name_left ({size})%Z {name} E{i}."
        rest = [name for i, name in enumerate(self.heaps) if i not in named.heaps]
        heaps, others, after = (f"[{'; '.join(x)}]" for x in ([self.heaps[i] for i in named.heaps], rest, made.after))
        picks = "tt"
        for name in reversed((*made.picks, *made.there)):
            picks = f"({name}, {picks})"
        yield f"  eexists. exists {heaps}, {others}, {after}."
        yield f"  split; [{'' if self.is_game else 'right; ' * kind}left; reflexivity|]."
        yield "  split; [chosen_heaps|]. split; [all_heaps_there|]. split."
        if self.is_game:
            which = "right; " * kind + ("left; " if kind < len(self.game.ruleset.moves) - 1 else "")
            yield f"  {{ split; [discriminate|]. exists {made.after[0]}. split; [|reflexivity]."
            yield f"    hnf; cbn [same_player]; {which}made_by {picks}. }}"
        else:
            yield f"  {{ cbn [app makes on_one on_two on_three on_four same_player]. made_by {picks}. }}"
        if not named.to_loss:
            yield "  exact Logic.I."
            return
        o = self.find(names.to_loss.name)
        found = list(orders(self.size, named.heaps, len(made.there)))
        yield f"  {self._use(o, self._values(o.reader, self.place))}. cbn [app]."
        yield f"  {self._arrange(made, found)}"
        for j in range(len(found)):
            more = j < len(found) - 1
            yield f"  {'destruct D as [D|D]. { ' if more else ''}destruct D as [D B]. cbn [ascending] in B."
            yield f"  parts_of B. rewrite D. cbv beta iota zeta delta [lost].{_rewrite(made)}"
            yield f"  leads_to Q.{' }' if more else ''}"

    def _who_wins(self) -> str:
        """Return the Coq theorem about who wins."""
        game, wins = self.numbers.games[self.game.name].argument, "wins" if self.is_game else "rules_wins"
        return f"""\
Theorem who_wins p s : (length s <= {self.size})%nat -> {wins} {game} p s <-> ~ lost p (in_line {self.size} s).
Proof.
  intros Len. {"rewrite <- wins_of_game. " if self.is_game else ""}apply (few_wins G {self.size} lost);
    [typeclasses eauto | exact fewer | | | | exact Len].
  - {self.by_turns("closed", "q l Le A L")}.
  - {self.by_turns("reply", "q l Le A L Some")}.
  - {self.by_turns("movable", "_ q l Le A L") if self.game.ruleset.stuck_wins else "discriminate"}.
Qed."""

    # -- the claim ----------------------------------------------------------------------------------------------------
    def _claim(self) -> Iterator[str]:
        """Yield the Coq lemma `claim`, which follows from who wins and from the obligation about the claim."""
        o = next(o for o in self.posed if o.sequent.kind is CLAIM)
        assert isinstance(o.reader, _ClaimRecorder)
        yield f"Lemma claim : {state(self.claim, self.numbers).at(BINDER)}.\nProof."
        if self.claim.hypothesis is not None:
            yield "  intros Hyp. parts_of Hyp."
        yield "  rewrite ?who_wins by (cbn [length]; lia)."
        found = dict[str, str]()
        for i, (term, heaps, sizes) in enumerate(o.reader.positions, 1):
            names, written = self._name(f"s{i}_", self.size), self.numbers.position(term).text
            found |= {x.name: z for x, z in zip(sizes, _integers(names), strict=True) if isinstance(x, t.Variable)}
            says = _condition(is_sorted_copy(sizes, heaps), self._values(o.reader, (), found))
            yield f"""\
  assert (W : exists {" ".join(names)}, in_line {self.size} {written} = [{"; ".join(names)}] /\\ {says})
    by arrange_written.
  destruct W as ({" & ".join(names)} & E & W). rewrite ?E. clear E. rename W into W{i}."""
        yield "  cbv beta iota zeta delta [lost]."
        yield f"  {self._use(o, self._values(o.reader, (), found))}. conclude_few Q.\nQed."


# == text =============================================================================================================
def write_few(claim: Claim, binders: Sequence[Binder], numbers: Statements, services: ProofServices) -> Iterator[str]:
    """Yield the Coq text of the proof, which ends with the lemma `claim`.

    Raises Unsupported for a proof or a game that the Coq theory does not support.
    """
    proof = claim.proof
    assert isinstance(proof, FewProof)
    _refuse(claim, proof, services)
    made = _Instance(claim, proof, binders, numbers, services, list(_list_posed(claim, proof)))
    yield made.obligations()
    yield from write_section(binders, made.text())


def _refuse(claim: Claim, proof: FewProof, services: ProofServices) -> None:
    """Raise Unsupported for a proof or a game that the Coq theory does not support."""
    (game,) = claim.games
    if type_in_coq(game.ruleset) not in (GAME, RULES) or any(p.kind != "int" for p in game.ruleset.parameters):
        raise Unsupported("for the rule few heaps, no Coq text is generated for this game")
    if any(v.type != INT for v in claim.variables):
        raise Unsupported("for the rule few heaps, Coq text is generated only for claims about written heaps")
    if proof.value is not None:
        raise Unsupported("for the rule few heaps, no Coq text is generated for proofs of Grundy values")
    start = partial(FewReader, claim, proof)
    if find_stuck(game, proof.moves, make_cover_pose, start, services.decide):
        raise Unsupported("no theorem is generated for games in which a player can be stuck with heaps left")


def _kind_of(choice: tuple[str, Choice]) -> tuple[int, tuple[int, ...]]:
    """Return the index of the kind of move of a choice in the ruleset, and the heaps that it chooses."""
    return choice[1].move.number - 1, choice[1].places


def _condition(term: t.Term, values: Values) -> str:
    return f"({write_condition(term, values, BINDER)})%Z"


def _integers(names: Iterable[str]) -> list[str]:
    """Return the Coq text of natural numbers as integers."""
    return [f"(Z.of_N {name})" for name in names]


def _rewrite(made: _Made, where: str = "") -> str:
    """Return the Coq tactics that write the sizes of the heaps left into the goal, or into L' if `where` is "'"."""
    found = (i for i, size in enumerate(made.sizes, 1) if size is not None)
    return "".join(f" rewrite ?E{i}{' in L' + where if where else ''}." for i in found)
